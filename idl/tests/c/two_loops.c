/* Two servers of one process: what SIGIO tells of the sockets of one is not taken by the other. Both are served in turns, in the thread of
 * their clients; their sockets are the words behind the name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "board.h"
#include "connects.h"
#include "served.h"

void *carnet_root(void);

static struct carnet_server servers[2];

/* Until it may sleep. */
static void settle(struct carnet_server *server)
{
    unsigned look;
    for (look = 0; look < 100 && carnet_server_is_ready(server); look++) {
        CHECK(carnet_server_wait(server, 0) == NULL);
    }
    CHECK(!carnet_server_is_ready(server));
}

static void asks(struct carnet_portal portal)
{
    struct carnet_answer failed;
    CHECK(carnet_send_call(carnet_connection_of(portal.channel), portal.id, CARNET_FLAT(2, CARNET_HEAD_BYTES, 0), -1, &failed) != 0);
}

/* Serves one request, which is there: if the server slept it would be found late, at the end of a slice. */
static void serves(struct carnet_server *server)
{
    struct carnet_client *client = NULL;
    unsigned look;
    for (look = 0; look < 10 && client == NULL; look++) {
        CHECK(carnet_server_is_ready(server));
        client = carnet_server_wait(server, -1);
    }
    CHECK(client != NULL);
    carnet_server_reply(server, client, carnet_dispatch(&client->session.channel, client->target, client->head));
}

int main(int argc, char **argv)
{
    struct carnet_portal shares[2], ask[2][2];
    char address[120];
    unsigned index;
    CHECK(argc == 3);
    for (index = 0; index < 2; index++) {
        (void)unlink(argv[1 + index]);
        CHECK(carnet_listen(&servers[index], argv[1 + index], carnet_root(), board_Board_service()) == CARNET_OK);
        CHECK((size_t)snprintf(address, sizeof address, "shm:%s", argv[1 + index]) < sizeof address);
        /* With one that shares memory the loop sleeps on words. */
        shares[index] = connected(&servers[index], address, &board_module);
        ask[index][0] = connected(&servers[index], argv[1 + index], &board_module);
        ask[index][1] = connected(&servers[index], argv[1 + index], &board_module);
    }
    for (index = 0; index < 20; index++) {
        struct carnet_server *own = &servers[index % 2], *other = &servers[1 - index % 2];
        settle(own);
        settle(other);
        asks(ask[index % 2][0]);
        asks(ask[index % 2][1]);
        settle(other);
        serves(own);
        /* Nobody tells of the second one again. */
        settle(other);
        serves(own);
        /* Whose sockets have nothing sleeps, whatever the other has. */
        settle(own);
        asks(ask[index % 2][0]);
        settle(other);
        asks(ask[1 - index % 2][0]);
        serves(own);
        settle(own);
        serves(other);
    }
    for (index = 0; index < 2; index++) {
        carnet_disconnect(shares[index]);
        carnet_disconnect(ask[index][0]);
        carnet_disconnect(ask[index][1]);
        carnet_server_close(&servers[index]);
        (void)unlink(argv[1 + index]);
    }
    return 0;
}
