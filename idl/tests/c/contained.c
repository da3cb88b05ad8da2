/* A server in a PID namespace of its own, as in a container, and clients outside of it, whose processes have no number there: they are
 * served, and count as one. Its socket is the word behind its name; with another word it serves there until its input ends. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "board.h"
#include "carnet_server.h"
#include "check.h"

#include <sys/wait.h>

void *carnet_root(void);

#define SHARE CARNET_CLIENTS_PROCESS_MAX

static int serve_within(const char *path)
{
    static struct carnet_server server;
    struct pollfd input = {0, POLLIN, 0};
    size_t index, outside = 0, most = 0;
    CHECK(getpid() == 1);
    CHECK(carnet_listen(&server, path, carnet_root(), board_Board_service()) == CARNET_OK);
    CHECK(puts("it listens") >= 0 && fflush(stdout) == 0);
    while (poll(&input, 1, 0) == 0) {
        struct carnet_client *client = carnet_server_wait(&server, 10);
        if (client != NULL) {
            carnet_server_reply(&server, client, carnet_dispatch(&client->session.channel, client->target, client->head));
        }
        for (index = outside = 0; index < CARNET_CLIENTS_MAX; index++) {
            if (server.clients[index] != NULL) {
                CHECK(server.clients[index]->session.channel.self.caller.process == 0);
                CHECK(server.clients[index]->session.channel.self.caller.user == geteuid());
                outside++;
            }
        }
        most = outside > most ? outside : most;
    }
    CHECK(most == SHARE);
    carnet_server_close(&server);
    return 0;
}

/* Whether one more client is served, which leaves at once. */
static bool is_served(const char *path)
{
    struct carnet_portal portal;
    bool is_so;
    CHECK(carnet_connect(path, &board_module, NULL, 20000, &portal) == CARNET_OK);
    carnet_failure = CARNET_OK;
    (void)call_board_Board_notes(portal);
    is_so = carnet_failure == CARNET_OK;
    carnet_disconnect(portal);
    return is_so;
}

/* One more client is told why it is not served, as long as all places are taken. */
static void is_refused(const char *path)
{
    struct carnet_portal portal;
    struct carnet_answer answer;
    CHECK(carnet_connect(path, &board_module, NULL, 20000, &portal) == CARNET_OK);
    answer = carnet_receive_reply(carnet_connection_of(portal.channel), 1, carnet_now_ms() + 20000);
    CHECK(carnet_failed(answer) == CARNET_REFUSED);
    CHECK(strstr(carnet_failure_text, "the processes that this server cannot see have as many clients") != NULL);
    carnet_disconnect(portal);
}

int main(int argc, char **argv)
{
    struct carnet_portal portals[SHARE];
    int64_t until;
    size_t index;
    pid_t child;
    int status;
    if (argc == 3) {
        return serve_within(argv[1]);
    }
    CHECK(argc == 2);
    for (index = 0; index < SHARE; index++) {
        CHECK(carnet_connect(argv[1], &board_module, NULL, 20000, &portals[index]) == CARNET_OK);
        (void)call_board_Board_notes(portals[index]);
        CHECK(carnet_failure == CARNET_OK);
    }
    /* Another process, which nobody in there can tell from this one. */
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(!is_served(argv[1]));
        is_refused(argv[1]);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    carnet_disconnect(portals[0]);
    until = carnet_now_ms() + 20000;
    while (!is_served(argv[1])) {
        CHECK(carnet_now_ms() < until);
    }
    for (index = 1; index < SHARE; index++) {
        carnet_disconnect(portals[index]);
    }
    return 0;
}
