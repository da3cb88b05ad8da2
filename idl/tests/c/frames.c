/* Frames that are none: a server in C hangs up on who sends them, as one in Rust does. Its socket is the word behind its name. */
#include "boards.h"
static const char *path;

/* A client that has said Hello sends a frame of `len` bytes: its head, and zeros. What the server answers is in `reply`; its length. */
static ssize_t told(uint64_t head, uint64_t second, size_t len, struct carnet_portal *portal, char *reply, size_t room)
{
    uint64_t frame[8] = {head << 32 | len, second};
    int socket;
    CHECK(len <= sizeof frame && carnet_connect(path, &board_module, NULL, -1, portal) == CARNET_OK);
    socket = carnet_connection_of(portal->channel)->socket;
    serve(&server);
    CHECK(clients(&server) == 1 && send(socket, frame, len, 0) == (ssize_t)len);
    serve(&server);
    memset(reply, 0, room);
    return recv(socket, reply, room - 1, MSG_DONTWAIT);
}

/* It is told why, and hung up on. */
static void hangs_up(uint64_t head, uint64_t second, size_t len, const char *why)
{
    struct carnet_portal portal;
    char reply[256];
    uint16_t status;
    ssize_t got = told(head, second, len, &portal, reply, sizeof reply);
    CHECK(clients(&server) == 0 && got > (ssize_t)CARNET_HEAD_BYTES);
    memcpy(&status, reply + 6, sizeof status);
    CHECK((unsigned char)reply[4] == CARNET_KIND_REPLY && status == (uint16_t)CARNET_PROTOCOL);
    if (strstr(reply + CARNET_HEAD_BYTES, why) == NULL) {
        fprintf(stderr, "%s: %s\n", why, reply + CARNET_HEAD_BYTES);
        exit(1);
    }
    carnet_disconnect(portal);
}

/* It stays, and is answered or not. */
static void stays(uint64_t head, uint64_t second, size_t len, bool is_answered)
{
    struct carnet_portal portal;
    char reply[1 << 14];
    ssize_t got = told(head, second, len, &portal, reply, sizeof reply);
    CHECK(clients(&server) == 1 && (got > 0) == is_answered);
    carnet_disconnect(portal);
    serve(&server);
    CHECK(clients(&server) == 0);
}

int main(int argc, char **argv)
{
    static const uint64_t unknown[] = {0, 3, 7, 10, 15, 0x80, 0x85, 0xff};
    const uint64_t one = UINT64_C(1) << 32, portals = 1 << 8, op = 1 << 16;
    size_t index;
    path = begin(argc, argv);
    for (index = 0; index < sizeof unknown / sizeof unknown[0]; index++) {
        hangs_up(unknown[index], one, 16, "a kind of message that is unknown");
    }
    hangs_up(CARNET_KIND_RELEASE, 0, 29, "not a list of pairs");
    hangs_up(CARNET_KIND_RELEASE, one, 24, "not a list of pairs");
    hangs_up(CARNET_KIND_RELEASE | portals, 0, 24, "not a list of pairs");
    hangs_up(CARNET_KIND_SHARE, one, 32, "not the first frame");
    hangs_up(CARNET_KIND_DESCRIBE | portals, one, 24, "with arguments");
    hangs_up(CARNET_KIND_DESCRIBE, one, 24, "with arguments");
    hangs_up(CARNET_KIND_DESCRIBE, 0, 16, "without a number");
    hangs_up(CARNET_KIND_DESCRIBE | op, one, 16, "no call");
    hangs_up(CARNET_KIND_RELEASE, 1, 24, "no call");
    hangs_up(CARNET_KIND_HELLO, one, 24, "with a call number");
    /* What is one: of no use here, but nothing wrong. */
    stays(CARNET_KIND_RELEASE, 0, 16, false);
    stays(CARNET_KIND_RELEASE, 0, 24, false);
    stays(CARNET_KIND_DESCRIBE, one, 16, true);
    stays(CARNET_KIND_MAP | portals, one, 24, true);
    stays(CARNET_KIND_ENTRY_FIRST, one, 16, true);
    stays(CARNET_KIND_ENTRY_LAST, one, 16, true);
    end(path);
    return 0;
}
