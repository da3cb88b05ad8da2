/* Objects of a reply that turns out to be longer than a frame are let go of: its client never gets them. Prints what is wrong and
 * fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "handing.h"
#include "carnet_server.h"
#include "check.h"

void *carnet_root(void);

/* As much as a request and its reply may take. */
static struct {
    struct carnet_client client;
    uint64_t message[2 * CARNET_FRAME_BYTES_MAX / 8];
} end;

static struct carnet_server server;
static int theirs; /* the client's socket */
static size_t live;
static char data[3000];

void *carnet_root(void)
{
    return &server;
}

static void *made(void)
{
    int *object = malloc(sizeof *object);
    CHECK(object != NULL);
    live++;
    return object;
}

/* ---- The service ---- */

static struct carnet_bytes bytes_of(int32_t bytes)
{
    struct carnet_bytes all = {data, (size_t)bytes};
    return all;
}

void handing_Shop_beside(const struct carnet_self *self, int32_t bytes, void **result, struct carnet_bytes *first,
                         struct carnet_bytes *second)
{
    (void)self;
    *result = made();
    *first = *second = bytes_of(bytes);
}

void handing_Shop_apart(const struct carnet_self *self, struct carnet_string name, int32_t bytes, void **result,
                        struct carnet_bytes *first, struct carnet_bytes *second)
{
    (void)name;
    handing_Shop_beside(self, bytes, result, first, second);
}

void handing_Shop_listed(const struct carnet_self *self, int32_t bytes, struct handing_Held_list *all, void **last)
{
    static struct handing_Held held[2];
    size_t index;
    (void)self;
    for (index = 0; index < 2; index++) {
        held[index].thing = carnet_served(made(), handing_Thing_service());
        held[index].data = bytes_of(bytes);
    }
    all->ptr = held;
    all->count = 2;
    *last = made();
}

int32_t handing_Thing_one(const struct carnet_self *self)
{
    (void)self;
    return 1;
}

void handing_Thing_released(void *object)
{
    live--;
    free(object);
}

void handing_Shop_released(void *object)
{
    CHECK(object == NULL);
}

/* ---- The client ---- */

/* Portals that the session holds besides the root. */
static size_t held(void)
{
    size_t index, count = 0;
    for (index = 2; index < CARNET_OBJECTS_MAX; index++) {
        count += end.client.session.services[index] != NULL;
    }
    return count;
}

/* The status of what came back for operation `op`, of the `len` bytes that the request has. */
static carnet_status asked(uint64_t op, size_t len)
{
    static uint64_t reply[CARNET_FRAME_BYTES_MAX / 8];
    size_t received;
    carnet_server_reply(&server, &end.client, carnet_dispatch(&end.client.session.channel, 1, CARNET_FLAT(op, len, 0)));
    received = (size_t)recv(theirs, reply, sizeof reply, MSG_DONTWAIT);
    CHECK(end.client.unsent == NULL && received == (reply[0] & 0xffffffff));
    return (carnet_status)(reply[0] >> 48);
}

static carnet_status call(int op, size_t bytes)
{
    uint64_t *message = carnet_message(&end.client.session.channel);
    memset(message, 0, CARNET_PLAIN_BYTES_MAX);
    if (op != 1) {
        message[2] = bytes;
        return asked((uint64_t)op, 24);
    }
    message[2] = 8;
    message[3] = bytes;
    memcpy(message + 4, "a name..", 8);
    return asked(1, 40);
}

int main(void)
{
    int op, sockets[2];
    size_t bytes, portals, sent = 0, refused = 0;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
    end.client.socket = sockets[0];
    theirs = sockets[1];
    carnet_channel_init(&end.client.session.channel, NULL, sizeof end.message);
    CHECK(carnet_session_init(&end.client.session, carnet_root(), handing_Shop_service()));
    for (op = 0; op < 3; op++) {
        portals = op == 2 ? 3 : 1;
        for (bytes = 1900; bytes <= sizeof data; bytes += 4) {
            carnet_status status = call(op, bytes);
            if (status == CARNET_OK) {
                CHECK(held() == portals && live == portals);
                carnet_session_end(&end.client.session);
                sent++;
            } else {
                CHECK(status == CARNET_SERVICE);
                refused++;
            }
            CHECK(held() == 0 && live == 0);
        }
        CHECK(sent > 0 && refused > 0);
        sent = refused = 0;
    }
    close(sockets[0]);
    close(sockets[1]);
    return 0;
}
