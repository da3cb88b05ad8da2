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

int main(int argc, char **argv)
{
    struct carnet_portal root;
    struct carnet_connection *connection;
    const uint64_t five = 5;
    struct carnet_bytes all, rest, good;
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
    CHECK(call_unsent_Sink_take(root, 1, good) == 0 && carnet_failure == CARNET_PEER_DIED);
    carnet_disconnect(root);
    by_hand_end();
    return 0;
}
