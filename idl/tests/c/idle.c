/* A server whose clients say nothing, by a clock of this test's: nobody waits. Its socket is the word behind its name. */
#include "clock.h"
#include "boards.h"

/* A call, whose reply is there: client and server are one thread. */
static carnet_status call(struct carnet_portal portal)
{
    struct carnet_connection *connection = carnet_connection_of(portal.channel);
    struct carnet_answer answer;
    uint32_t number = carnet_send_call(connection, portal.id, CARNET_FLAT(2, 16, 0), -1, &answer);
    serve(&server);
    if (number != 0) {
        answer = carnet_receive_reply(connection, number, -1);
    }
    return CARNET_OP(answer.head) == 0 ? (carnet_status)CARNET_OK : carnet_failed(answer);
}

int main(int argc, char **argv)
{
    struct carnet_portal talker, silent;
    const char *path = begin(argc, argv);
    CHECK(CARNET_IDLE_MS == 600000 && server.idle_ms == CARNET_IDLE_MS);
    CHECK(carnet_connect(path, &board_module, NULL, -1, &talker) == CARNET_OK);
    CHECK(carnet_connect(path, &board_module, NULL, -1, &silent) == CARNET_OK);
    serve(&server);
    CHECK(clients(&server) == 2 && call(silent) == CARNET_OK);
    /* Each request, and each reply, begins the time anew. */
    later_ms(CARNET_IDLE_MS);
    CHECK(call(talker) == CARNET_OK && clients(&server) == 2);
    later_ms(1);
    CHECK(call(talker) == CARNET_OK && clients(&server) == 1);
    /* It is told, and that nothing was done. */
    CHECK(call(silent) == CARNET_REFUSED && strstr(carnet_failure_text, "say nothing") != NULL);
    carnet_disconnect(silent);
    /* The time is the server's to set; a Release, as any frame, is something that a client says. */
    server.idle_ms = 5;
    CHECK(call(talker) == CARNET_OK);
    later_ms(5);
    carnet_release(talker);
    serve(&server);
    later_ms(5);
    serve(&server);
    CHECK(clients(&server) == 1);
    later_ms(1);
    serve(&server);
    CHECK(clients(&server) == 0);
    carnet_disconnect(talker);
    /* One that says Hello and nothing else; and one that is allowed to. */
    CHECK(carnet_connect(path, &board_module, NULL, -1, &silent) == CARNET_OK);
    serve(&server);
    later_ms(6);
    serve(&server);
    CHECK(clients(&server) == 0);
    carnet_disconnect(silent);
    server.idle_ms = -1;
    CHECK(carnet_connect(path, &board_module, NULL, -1, &silent) == CARNET_OK);
    serve(&server);
    later_ms(INT64_C(1000) * CARNET_IDLE_MS);
    serve(&server);
    CHECK(clients(&server) == 1 && call(silent) == CARNET_OK);
    carnet_disconnect(silent);
    end(path);
    return 0;
}
