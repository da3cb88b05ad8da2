/* A server in the thread of its clients. */
#ifndef SERVED_H
#define SERVED_H

#include "carnet_server.h"

/* Serves what is there: a bounded number of looks, none of which waits. */
static inline void serve(struct carnet_server *server)
{
    unsigned look;
    for (look = 0; look < 10; look++) {
        struct carnet_client *client = carnet_server_wait(server, 0);
        if (client != NULL) {
            carnet_server_reply(server, client, carnet_dispatch(&client->session.channel, client->target, client->head));
        }
    }
}

static inline size_t clients(const struct carnet_server *server)
{
    size_t index, found = 0;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        found += server->clients[index] != NULL;
    }
    return found;
}

#endif
