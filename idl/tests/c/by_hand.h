/* A server by hand, in the thread of its client: it answers a call before that is made. */
#ifndef BY_HAND_H
#define BY_HAND_H

#include "carnet_client.h"
#include "check.h"

static struct {
    int listener, socket;
    const char *path;
} by_hand;

/* A client of it, whose socket is the file at `path`. */
static inline struct carnet_portal by_hand_begin(const char *path, const struct carnet_module *module)
{
    struct carnet_portal root;
    struct sockaddr_un address;
    CHECK(strlen(path) < sizeof address.sun_path);
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, path);
    (void)unlink(path);
    by_hand.path = path;
    by_hand.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(by_hand.listener, (const struct sockaddr *)(const void *)&address, sizeof address) == 0);
    CHECK(listen(by_hand.listener, 1) == 0);
    CHECK(carnet_connect(path, module, NULL, 10000, &root) == CARNET_OK);
    by_hand.socket = accept(by_hand.listener, NULL, NULL);
    CHECK(by_hand.socket >= 0);
    return root;
}

static inline void by_hand_end(void)
{
    close(by_hand.socket);
    close(by_hand.listener);
    (void)unlink(by_hand.path);
}

/* The answer to the next call of the client: a status, a kind, so many words, these portals, and a text as data. */
static inline void by_hand_answers(struct carnet_portal root, uint64_t status, uint64_t kind, const uint64_t *words, size_t count,
                                   const uint32_t *ids, size_t portals, const char *data)
{
    uint64_t frame[64] = {0}, call = carnet_connection_of(root.channel)->calls + 1;
    size_t at = carnet_data_at(count, portals), len = at + strlen(data);
    CHECK(len <= sizeof frame);
    frame[0] = len | (uint64_t)CARNET_KIND_REPLY << 32 | (uint64_t)portals << 40 | status << 48;
    frame[1] = call | kind << 32;
    if (count > 0) {
        memcpy(frame + 2, words, count * 8);
    }
    if (portals > 0) {
        memcpy(frame + 2 + count, ids, portals * 4);
    }
    memcpy((char *)frame + at, data, strlen(data));
    CHECK(send(by_hand.socket, frame, len, 0) == (ssize_t)len);
}

#endif
