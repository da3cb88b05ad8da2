/* A server of the board in the thread of its clients, which a test has instead of carnet_main.c: its socket is the word behind its name. */
#ifndef BOARDS_H
#define BOARDS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "board.h"
#include "carnet_server.h"
#include "check.h"
#include "served.h"

/* Of board.c. */
void *carnet_root(void);

static struct carnet_server server;

/* It listens; where. */
static inline const char *begin(int argc, char **argv)
{
    CHECK(argc == 2);
    (void)unlink(argv[1]);
    CHECK(carnet_listen(&server, argv[1], carnet_root(), board_Board_service()) == CARNET_OK);
    return argv[1];
}

static inline void end(const char *path)
{
    carnet_server_close(&server);
    (void)unlink(path);
}

#endif
