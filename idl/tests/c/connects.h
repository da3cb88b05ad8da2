/* Clients of servers that are in the same process. */
#ifndef CONNECTS_H
#define CONNECTS_H

#include "carnet_server.h"
#include "check.h"

#include <pthread.h>

struct connects {
    const char *address;
    const struct carnet_module *module;
    struct carnet_portal portal;
    bool is_there;
};

static inline void *connects_apart(void *of)
{
    struct connects *connects = (struct connects *)of;
    CHECK(carnet_connect(connects->address, connects->module, NULL, 60000, &connects->portal) == CARNET_OK);
    __atomic_store_n(&connects->is_there, true, __ATOMIC_RELEASE);
    return NULL;
}

/* A client of the server that this thread serves meanwhile: who is to share memory is answered. */
static inline struct carnet_portal connected(struct carnet_server *server, const char *address, const struct carnet_module *module)
{
    struct connects connects = {address, module, {NULL, 0}, false};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, connects_apart, &connects) == 0);
    while (!__atomic_load_n(&connects.is_there, __ATOMIC_ACQUIRE)) {
        CHECK(carnet_server_wait(server, 1) == NULL); /* nobody calls */
    }
    CHECK(pthread_join(thread, NULL) == 0);
    return connects.portal;
}

#endif
