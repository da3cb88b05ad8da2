/* carnet_main.c: the main loop of a server. It is yours: edit it as you need.
 *
 * Build it with -DCARNET_STUBS='"NAME.h"' -DCARNET_ROOT=NAME_Interface, or write these two in. `carnet_root` makes the
 * object that clients get first. With -DCARNET_MEMORY=NAME_carnet_Memory clients may hand memory over.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#define CARNET_SERVER
#include CARNET_STUBS
#include "carnet_server.h"

#include <signal.h>
#include <stdio.h>

#define CARNET_JOIN(a, b) a##b
#define CARNET_SERVICE_OF(interface) CARNET_JOIN(interface, _service)()

void *carnet_root(void);

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

int main(int argc, char **argv)
{
    static struct carnet_server server;
    struct sigaction action;
    if (argc != 2) {
        fprintf(stderr, "usage: %s SOCKET\n", argv[0]);
        return 2;
    }
    if (carnet_listen(&server, argv[1], carnet_root(), CARNET_SERVICE_OF(CARNET_ROOT)) != CARNET_OK) {
        fprintf(stderr, "cannot listen on %s: %s\n", argv[1], carnet_failure_text);
        return 7;
    }
#ifdef CARNET_MEMORY
    server.memory = CARNET_SERVICE_OF(CARNET_MEMORY); /* clients may hand memory over */
#endif
    server.idle_ms = CARNET_IDLE_MS; /* -1: clients may say nothing for as long as they like */
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    printf("serving on unix:%s\n", argv[1]);
    fflush(stdout);
    while (!is_stopped) {
        struct carnet_client *client = carnet_server_wait(&server, 1000);
        if (client != NULL) {
            struct carnet_answer answer = carnet_dispatch(&client->session.channel, client->target, client->head);
            carnet_server_reply(&server, client, answer);
        }
    }
    carnet_server_close(&server);
    (void)unlink(argv[1]);
    return 0;
}
