/* Clients of one process take no more places than it may have, and others get theirs. Its socket is the word behind its name. */
#include "boards.h"

#include <sys/wait.h>

/* As many of a child's as are let in, of so many; the child ends when this one closes the pipe. */
static size_t of_a_child(const char *path, size_t count, pid_t *child, int *alive)
{
    struct carnet_portal portal;
    char done;
    int up[2], down[2];
    size_t before = clients(&server);
    CHECK(pipe(up) == 0 && pipe(down) == 0);
    *child = fork();
    CHECK(*child >= 0);
    if (*child == 0) {
        close(down[1]);
        while (count-- > 0) {
            CHECK(carnet_connect(path, &board_module, NULL, -1, &portal) == CARNET_OK);
        }
        CHECK(write(up[1], "", 1) == 1 && read(down[0], &done, 1) == 0);
        _exit(0);
    }
    close(up[1]);
    close(down[0]);
    CHECK(read(up[0], &done, 1) == 1);
    close(up[0]);
    *alive = down[1];
    while (count-- > 0) {
        serve(&server);
    }
    return clients(&server) - before;
}

static void ends(pid_t child, int alive)
{
    int status;
    close(alive);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv)
{
    struct carnet_portal portals[CARNET_CLIENTS_MAX], late;
    struct carnet_answer answer;
    size_t index, share = CARNET_CLIENTS_PROCESS_MAX;
    const char *path;
    pid_t child;
    int alive;
    path = begin(argc, argv);
    for (index = 0; index < share; index++) {
        CHECK(carnet_connect(path, &board_module, NULL, 1000, &portals[index]) == CARNET_OK);
        serve(&server);
    }
    CHECK(clients(&server) == share);
    /* One more is told why. */
    if (share < CARNET_CLIENTS_MAX) {
        CHECK(carnet_connect(path, &board_module, NULL, 1000, &late) == CARNET_OK);
        serve(&server);
        CHECK(clients(&server) == share);
        answer = carnet_receive_reply(carnet_connection_of(late.channel), 1, carnet_now_ms() + 1000);
        CHECK(carnet_failed(answer) == CARNET_REFUSED && strstr(carnet_failure_text, "this process has as many") != NULL);
        carnet_disconnect(late);
    }
    /* Of another process there is room for all that are left, and no more. */
    CHECK(of_a_child(path, CARNET_CLIENTS_MAX - share + 1, &child, &alive) == CARNET_CLIENTS_MAX - share);
    CHECK(clients(&server) == CARNET_CLIENTS_MAX);
    ends(child, alive);
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        serve(&server);
    }
    CHECK(clients(&server) == share);
    /* Whoever leaves makes room for its own. */
    carnet_disconnect(portals[0]);
    serve(&server);
    CHECK(carnet_connect(path, &board_module, NULL, 1000, &portals[0]) == CARNET_OK);
    serve(&server);
    CHECK(clients(&server) == share);
    for (index = 0; index < share; index++) {
        carnet_disconnect(portals[index]);
    }
    end(path);
    return 0;
}
