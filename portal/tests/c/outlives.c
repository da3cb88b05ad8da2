/* A server, its client and its services in one thread: memory that a service lets go of when its server is gone. And services of two
 * threads that make and end memory at the same time. Its socket is the word behind its name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "sums.h"
#include "carnet_server.h"
#include "../../../idl/tests/c/check.h"
#include "../../../idl/tests/c/served.h"

#include <pthread.h>

#define ROUNDS 300000

static int root;
static void *ended[2]; /* whose last portal is gone */
static size_t ended_count;

void *carnet_root(void);

void sums_Sums_released(void *object)
{
    CHECK(object == &root);
}

/* Later is soon enough. */
void sums_carnet_Memory_released(void *object)
{
    CHECK(ended_count < sizeof ended / sizeof ended[0]);
    ended[ended_count++] = object;
}

int64_t sums_carnet_Memory_size(const struct carnet_self *self)
{
    return carnet_held_size(self->object);
}

void sums_carnet_Memory_read(const struct carnet_self *self, int64_t at, int64_t count, struct carnet_bytes *result)
{
    carnet_held_read(self->object, at, count, result);
}

uint64_t sums_Sums_sum(const struct carnet_self *self, void *of)
{
    (void)self;
    return carnet_held_bytes(of).len;
}

void sums_Sums_counted(const struct carnet_self *self, int64_t bytes, void **result)
{
    struct carnet_memory memory;
    (void)self;
    CHECK(carnet_memory_draft(&memory, (size_t)bytes) != NULL && carnet_memory_seal(&memory) == CARNET_OK);
    *result = carnet_held_of(memory);
}

void sums_Sums_keep(const struct carnet_self *self, void *of)
{
    (void)self;
    (void)of;
}

void sums_Sums_kept(const struct carnet_self *self, void **result)
{
    (void)self;
    (void)result;
}

static void when_its_server_is_gone(const char *path)
{
    struct carnet_server *server = (struct carnet_server *)malloc(sizeof *server);
    struct carnet_connection *connection;
    struct carnet_portal portal;
    struct carnet_memory memory;
    struct carnet_answer answer;
    uint32_t call;
    (void)unlink(path);
    CHECK(server != NULL && carnet_listen(server, path, &root, sums_Sums_service()) == CARNET_OK);
    server->memory = sums_carnet_Memory_service();
    CHECK(carnet_connect(path, &sums_module, NULL, -1, &portal) == CARNET_OK);
    connection = carnet_connection_of(portal.channel);
    /* The client's, and the server's own. */
    CHECK(carnet_memory_of(&memory, "memory", 6) == CARNET_OK);
    call = carnet_send_handed(connection, &memory, -1, &answer);
    serve(server);
    answer = carnet_receive_reply(connection, call, -1);
    CHECK(CARNET_OP(answer.head) == 0 && CARNET_PORTALS(answer.head) == 1);
    carnet_memory_end(&memory);
    carnet_message(portal.channel)[2] = 6;
    call = carnet_send_call(connection, portal.id, CARNET_FLAT(1, 24, 0), -1, &answer);
    serve(server);
    answer = carnet_receive_reply(connection, call, -1);
    CHECK(CARNET_OP(answer.head) == 0 && CARNET_PORTALS(answer.head) == 1);
    CHECK(carnet_given_files == 1 && carnet_given_bytes == 6);
    carnet_disconnect(portal);
    carnet_server_close(server);
    free(server);
    CHECK(ended_count == 2);
    carnet_held_end(ended[0]);
    carnet_held_end(ended[1]);
    CHECK(carnet_given_files == 0 && carnet_given_bytes == 0);
    (void)unlink(path);
}

/* Memory that is nowhere: it counts, and what ends it does nothing. */
static void *makes_and_ends(void *unused)
{
    const struct carnet_memory memory = {NULL, 1, -1};
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        struct carnet_held *held = carnet_held_of(memory);
        CHECK(held != NULL);
        carnet_held_end(held);
    }
    return unused;
}

static void in_two_threads(void)
{
    pthread_t threads[2];
    size_t index;
    for (index = 0; index < 2; index++) {
        CHECK(pthread_create(&threads[index], NULL, makes_and_ends, NULL) == 0);
    }
    for (index = 0; index < 2; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
    }
    CHECK(carnet_given_files == 0 && carnet_given_bytes == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    when_its_server_is_gone(argv[1]);
    in_two_threads();
    return 0;
}
