/* What the system refuses to send is said at once: nobody waits for an answer to it. The server is this test, by hand; its socket is the
 * word behind its name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "unsent.h"
#include "carnet_client.h"
#include "by_hand.h"
#include "check.h"

#define HALF ((size_t)1 << 18)

/* The server is gone, and has said that, or nothing: so the first call fails, and those behind it. */
static void gone(const char *path, bool tells, carnet_status said, const char *text, carnet_status expected, const char *why)
{
    struct carnet_portal root = by_hand_begin(path, &unsent_module);
    const struct carnet_bytes some = {"some", 4};
    unsigned made;
    CHECK(strlen(text) <= 62 * 8);
    if (said != CARNET_OK) {
        uint64_t farewell[64] = {0};
        size_t len = CARNET_HEAD_BYTES + strlen(text);
        farewell[0] = len | (uint64_t)CARNET_KIND_REPLY << 32 | (uint64_t)said << 48;
        memcpy(farewell + 2, text, strlen(text));
        CHECK(send(by_hand.socket, farewell, len, 0) == (ssize_t)len);
    }
    by_hand_end();
    for (made = 0; made < 3; made++) {
        carnet_failure = CARNET_OK;
        if (tells) {
            CHECK(call_unsent_Sink_tell(root, some) == expected);
        } else {
            CHECK(call_unsent_Sink_take(root, 1, some) == 0);
        }
        CHECK(carnet_failure == expected);
        CHECK(strcmp(carnet_failure_text, made == 0 ? why : "the connection was lost earlier; this call was not sent") == 0);
    }
    CHECK(carnet_connection_of(root.channel)->told == 0);
    carnet_disconnect(root);
}

int main(int argc, char **argv)
{
    struct carnet_portal root;
    struct carnet_connection *connection;
    const uint64_t five = 5;
    struct carnet_bytes all, rest, good;
    unsigned made;
    char much[301] = {0}, of_much[sizeof carnet_failure_text] = {0};
    char *place = (char *)mmap(NULL, 2 * HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(argc == 2 && place != (char *)MAP_FAILED && mprotect(place + HALF, HALF, PROT_NONE) == 0);
    root = by_hand_begin(argv[1], &unsent_module);
    connection = carnet_connection_of(root.channel);
    good.ptr = place;
    good.len = 4096;
    rest.ptr = place + HALF;
    rest.len = HALF;
    all.ptr = place + HALF - (64 << 10);
    all.len = HALF;
    /* Nothing was sent: the connection goes on. */
    carnet_failure = CARNET_OK;
    CHECK(call_unsent_Sink_take(root, 1, rest) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(strstr(carnet_failure_text, "no memory") != NULL && !connection->is_dead);
    CHECK(call_unsent_Sink_tell(root, rest) == CARNET_BAD_ARGUMENT && connection->told == 0);
    by_hand_answers(root, 0, 0, &five, 1, NULL, 0, "");
    CHECK(call_unsent_Sink_take(root, 1, good) == 5);
    /* A part was: nothing can follow. */
    carnet_failure = CARNET_OK;
    CHECK(call_unsent_Sink_take(root, 1, all) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(connection->is_dead);
    carnet_failure = CARNET_OK;
    CHECK(call_unsent_Sink_take(root, 1, good) == 0 && carnet_failure == CARNET_UNREACHABLE);
    carnet_disconnect(root);
    by_hand_end();
    memset(much, 'm', sizeof much - 1);
    memset(of_much, 'm', sizeof of_much - sizeof "; this call was not sent");
    memcpy(of_much + sizeof of_much - sizeof "; this call was not sent", "; this call was not sent", sizeof "; this call was not sent");
    for (made = 0; made < 2; made++) {
        const bool tells = made != 0;
        gone(argv[1], tells, CARNET_OK, "", CARNET_UNREACHABLE, "the connection was lost earlier; this call was not sent");
        gone(argv[1], tells, CARNET_SERVICE, "bye", CARNET_UNREACHABLE, "bye; this call was not sent");
        gone(argv[1], tells, CARNET_REFUSED, "no", CARNET_REFUSED, "no");
        gone(argv[1], tells, CARNET_INTERNAL, "oh", CARNET_UNREACHABLE, "oh; this call was not sent");
        gone(argv[1], tells, CARNET_PROTOCOL, "what?", CARNET_PROTOCOL, "what?; this call was not sent");
        /* No status that there is. */
        gone(argv[1], tells, CARNET_INTERNAL + 1, "hm", CARNET_PROTOCOL, "hm; this call was not sent");
        gone(argv[1], tells, CARNET_SERVICE, much, CARNET_UNREACHABLE, of_much);
    }
    return 0;
}
