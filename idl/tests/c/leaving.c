/* What a client sent before it left is done, whether it was to be told of that or not, and others are served meanwhile. Server and
 * clients are one process; the socket is the word behind its name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdlib.h>

static bool is_full;

/* For a while there is no memory for answers. */
#define malloc(bytes) (is_full ? NULL : malloc(bytes))

#define CARNET_SERVER
#include "leaving.h"
#include "connects.h"
#include "served.h"

enum { TELL, TOLD, MADE, DESCRIBED, MUCH }; /* operations */

static struct carnet_server server;
static const char *path;
static char address[120];

/* ---- The service ---- */

static int house;
static size_t told, made, described, much, asked, live, most_live;

static void *guest(void)
{
    void *object = calloc(1, 1);
    CHECK(object != NULL);
    live++;
    most_live = live > most_live ? live : most_live;
    return object;
}

void leaving_House_tell(const struct carnet_self *self, int32_t a)
{
    (void)self;
    (void)a;
    told++;
}

int32_t leaving_House_told(const struct carnet_self *self)
{
    (void)self;
    return (int32_t)++asked;
}

void leaving_House_made(const struct carnet_self *self, void **result)
{
    (void)self;
    made++;
    *result = guest();
}

void leaving_House_described(const struct carnet_self *self, void **result, struct carnet_string *name)
{
    (void)self;
    described++;
    *result = guest();
    *name = carnet_text("a name");
}

void leaving_House_much(const struct carnet_self *self, struct carnet_bytes *result)
{
    static const char all[8192] = {0};
    (void)self;
    much++;
    result->ptr = all;
    result->len = sizeof all;
}

int32_t leaving_Guest_number(const struct carnet_self *self)
{
    (void)self;
    return 0;
}

void leaving_House_released(void *object)
{
    (void)object;
}

void leaving_Guest_released(void *object)
{
    live--;
    free(object);
}

/* ---- Clients ---- */

static const char *address_of(const char *scheme)
{
    CHECK((size_t)snprintf(address, sizeof address, "%s%s", scheme, path) < sizeof address);
    return address;
}

static struct carnet_portal comes(const char *scheme)
{
    return connected(&server, address_of(scheme), &leaving_module);
}

/* A call without parameters, whose answer nobody waits for; its number. */
static uint32_t begins(struct carnet_portal portal, uint64_t op)
{
    struct carnet_connection *connection = carnet_connection_of(portal.channel);
    struct carnet_answer failed;
    uint32_t call = carnet_send_call(connection, portal.id, CARNET_FLAT(op, CARNET_HEAD_BYTES, 0), carnet_now_ms() + 60000, &failed);
    CHECK(call != 0);
    return call;
}

/* So many calls of each kind. */
#define TOLD_EACH 64u
#define MADE_EACH 10u
#define MUCH_EACH 60u
#define CALLS_EACH (TOLD_EACH + 3 * MADE_EACH + MUCH_EACH)

static void asks_for_all(struct carnet_portal portal)
{
    unsigned count;
    for (count = 0; count < TOLD_EACH; count++) {
        CHECK(call_leaving_House_tell(portal, 1) == CARNET_OK);
    }
    for (count = 0; count < MADE_EACH; count++) {
        (void)begins(portal, MADE);
    }
    for (count = 0; count < MUCH_EACH; count++) {
        (void)begins(portal, MUCH);
    }
    for (count = 0; count < MADE_EACH; count++) {
        (void)begins(portal, MADE);
        (void)begins(portal, DESCRIBED);
    }
}

/* It hangs up; or dies, which nobody tells but the end of its socket. */
static void leaves(struct carnet_portal portal, bool dies)
{
    struct carnet_connection *connection = carnet_connection_of(portal.channel);
    if (dies) {
        close(connection->socket);
        connection->socket = -1;
        if (connection->queue != NULL) {
            (void)munmap(connection->queue->memory, carnet_memory_bytes(connection->queue->ring));
            free(connection->queue);
            connection->queue = NULL;
        }
    }
    carnet_disconnect(portal);
}

/* Serves one request, if there is one; whether there was. */
static bool served_one(void)
{
    struct carnet_client *client = carnet_server_wait(&server, 0);
    if (client != NULL) {
        carnet_server_reply(&server, client, carnet_dispatch(&client->session.channel, client->target, client->head));
    }
    return client != NULL;
}

static size_t done(void)
{
    return told + made + described + much;
}

/* Until somebody does not read an answer; the server has kept it. */
static void serve_until_stuck(void)
{
    unsigned look;
    size_t index, stuck = 0;
    for (look = 0; look < 10 * CALLS_EACH && stuck == 0; look++) {
        (void)served_one();
        for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
            stuck += server.clients[index] != NULL && server.clients[index]->unsent != NULL;
        }
    }
    CHECK(stuck == 1 && told == TOLD_EACH && made == MADE_EACH && much < MUCH_EACH);
}

/* Serves `busy` and the one that has left, until that is gone. */
static void serve_beside(struct carnet_portal busy)
{
    unsigned look, most = 0;
    while (clients(&server) > 1) {
        struct carnet_connection *connection = carnet_connection_of(busy.channel);
        uint32_t call = begins(busy, TOLD);
        size_t before = asked;
        for (look = 0; asked == before; look++) {
            CHECK(look < 10 * CALLS_EACH);
            (void)served_one();
        }
        most = look > most ? look : most;
        CHECK(CARNET_OP(carnet_receive_reply(connection, call, carnet_now_ms() + 60000).head) == CARNET_OK);
    }
    /* Sockets are looked at after so many requests through memory, and two clients take turns. */
    CHECK(most <= CARNET_TURNS + 4);
}

static void check_all(int line, const char *what, const char *how, const char *scheme)
{
    if (told != TOLD_EACH || made != 2 * MADE_EACH || described != MADE_EACH || much != MUCH_EACH) {
        fprintf(stderr, "line %d: %s%s: of %u calls through %s %zu are done\n", line, what, how, CALLS_EACH, address_of(scheme), done());
        exit(1);
    }
}

#define CHECK_ALL(what, how, scheme) check_all(__LINE__, what, how, scheme)

/* All calls of one that leaves; `is_stuck` says that it leaves when the server keeps an answer for it. */
static void all_is_done(const char *scheme, bool dies, bool is_stuck)
{
    struct carnet_portal busy = comes(""), leaving = comes(scheme);
    unsigned look;
    bool is_late;
    for (look = 0; clients(&server) < 2; look++) {
        CHECK(look < 1000 && !served_one());
    }
    told = made = described = much = asked = most_live = 0;
    asks_for_all(leaving);
    if (is_stuck) {
        serve_until_stuck();
    }
    leaves(leaving, dies);
    CHECK(done() == 0 || is_stuck);
    serve_beside(busy);
    CHECK_ALL(dies ? "it dies" : "it hangs up", is_stuck ? ", stuck" : "", scheme);
    /* Portals of answers that nobody gets are given back with each, once that is known: of a death beside memory, after some turns. */
    is_late = is_stuck || (dies && *scheme != 0);
    CHECK(live == 0 && most_live <= (is_late ? MADE_EACH + 1 : 1));
    carnet_disconnect(busy);
    serve(&server);
    CHECK(clients(&server) == 0);
}

/* It stays, but an answer cannot be kept for it: nothing can follow. */
static void one_that_is_not_answered(const char *scheme)
{
    struct carnet_portal portal = comes(scheme);
    unsigned look;
    serve(&server);
    CHECK(clients(&server) == 1);
    told = made = described = much = 0;
    asks_for_all(portal);
    is_full = true;
    for (look = 0; clients(&server) > 0; look++) {
        CHECK(look < 10 * CALLS_EACH);
        (void)served_one();
    }
    is_full = false;
    CHECK_ALL("it stays", "", scheme);
    CHECK(live == 0);
    carnet_disconnect(portal);
}

/* It reads nothing any more, and goes on writing: what it had sent is done, and no more. */
static void one_that_is_deaf(void)
{
    struct carnet_portal portal = comes("");
    int socket = carnet_connection_of(portal.channel)->socket;
    unsigned count;
    char byte;
    serve(&server);
    CHECK(clients(&server) == 1);
    told = asked = 0;
    (void)begins(portal, TOLD);
    (void)begins(portal, TOLD);
    CHECK(shutdown(socket, SHUT_RD) == 0 && served_one() && asked == 1);
    CHECK(send(socket, &byte, 1, MSG_NOSIGNAL) < 0 && errno == EPIPE);
    for (count = 0; clients(&server) > 0; count++) {
        CHECK(count < 10);
        (void)served_one();
    }
    CHECK(asked == 2);
    carnet_disconnect(portal);
}

/* It has hung up, or its socket has ended, and it writes on through memory: a ring more is done, and no more. */
static void one_that_writes_on(bool dies)
{
    struct carnet_portal portal = comes("shm:");
    struct carnet_connection *connection = carnet_connection_of(portal.channel);
    uint64_t most = connection->queue->ring / CARNET_LINE;
    unsigned count;
    serve(&server);
    CHECK(clients(&server) == 1);
    asked = 0;
    if (dies) {
        close(connection->socket);
        connection->socket = -1;
    } else {
        __atomic_store_n(carnet_hung_up(connection->queue, 0), 1, __ATOMIC_RELEASE);
    }
    for (count = 0; clients(&server) > 0; count++) {
        CHECK(count < 4 * most);
        (void)begins(portal, TOLD);
        (void)served_one();
    }
    CHECK(asked > 0 && asked <= most + CARNET_TURNS + 1);
    carnet_disconnect(portal);
}

int main(int argc, char **argv)
{
    static const char *const schemes[] = {"", "shm:"};
    unsigned form;
    CHECK(argc == 2);
    path = argv[1];
    (void)unlink(path);
    CHECK(carnet_listen(&server, path, &house, leaving_House_service()) == CARNET_OK);
    for (form = 0; form < 8; form++) {
        all_is_done(schemes[form & 1], (form & 2) != 0, (form & 4) != 0);
    }
    one_that_is_not_answered("");
    one_that_is_not_answered("shm:");
    one_that_is_deaf();
    one_that_writes_on(false);
    one_that_writes_on(true);
    carnet_server_close(&server);
    (void)unlink(path);
    return 0;
}
