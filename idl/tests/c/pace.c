/* Clients that are slow, by a clock of this test's: who sends or reads so much in each of its times is waited for, however long all of
 * it takes, who does less is hung up on, and others are served meanwhile. Its socket is the word behind its name. */
#include "clock.h"
#define CARNET_WAITING CARNET_SLEEPING /* nobody looks until time has passed */
#define CARNET_RING_BYTES (16u << 10)
#include "boards.h"
#include "connects.h"

#define BYTES 1000000u
#define FRAME (CARNET_HEAD_BYTES + 8 + BYTES)
#define KIB ((size_t)1 << 10)

enum { NOTES = 2, ECHO = 3 }; /* operations */

static struct carnet_portal other, slow;
static struct carnet_connection *connection; /* of the slow one */
static union {
    uint64_t words[FRAME / 8];
    unsigned char bytes[FRAME];
} asked, answered;

/* Time passes, and another client calls. */
static void pass_ms(int64_t ms)
{
    struct carnet_answer answer;
    uint32_t call;
    later_ms(ms);
    call = carnet_send_call(carnet_connection_of(other.channel), other.id, CARNET_FLAT(NOTES, 16, 0), -1, &answer);
    serve(&server);
    CHECK(carnet_ready(carnet_connection_of(other.channel)->socket, POLLIN, 0));
    answer = carnet_receive_reply(carnet_connection_of(other.channel), call, -1);
    CHECK(CARNET_OP(answer.head) == 0);
}

static bool is_served(void)
{
    return clients(&server) == 2;
}

static void comes(const char *scheme, const char *path)
{
    char address[120];
    CHECK((size_t)snprintf(address, sizeof address, "%s%s", scheme, path) < sizeof address);
    slow = connected(&server, address, &board_module);
    connection = carnet_connection_of(slow.channel);
    pass_ms(0);
    CHECK(is_served());
}

static void goes(void)
{
    carnet_disconnect(slow);
    pass_ms(0);
    CHECK(clients(&server) == 1);
}

/* Sends at most so many bytes of what is asked, which are as many as the memory has room for; how many. */
static size_t sends(size_t at, size_t bytes)
{
    struct carnet_frame frame;
    ssize_t sent;
    bytes = bytes < FRAME - at ? bytes : FRAME - at;
    if (connection->queue == NULL) {
        sent = send(connection->socket, asked.bytes + at, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
        return sent < 0 ? 0 : (size_t)sent;
    }
    carnet_frame_of(&frame, asked.bytes + at, FRAME - at, NULL, 0);
    CHECK(carnet_queue_send(connection->queue, &frame));
    return FRAME - at - frame.left;
}

/* Takes at most so many bytes of the answer; how many. */
static size_t takes(size_t at, size_t bytes)
{
    size_t taken = 0;
    bytes = bytes < FRAME - at ? bytes : FRAME - at;
    while (taken < bytes) {
        unsigned char *to = answered.bytes + at + taken;
        int64_t more = connection->queue != NULL ? carnet_queue_receive(connection->queue, to, bytes - taken)
                                                 : recv(connection->socket, to, bytes - taken, MSG_DONTWAIT);
        if (more <= 0) {
            break;
        }
        taken += (size_t)more;
    }
    return taken;
}

/* A call whose argument comes in pieces, so long behind each other; how much of it was sent while it was served. */
static size_t asks(size_t piece, int64_t every_ms)
{
    size_t at = 0;
    while (is_served() && at < FRAME) {
        size_t sent = sends(at, piece);
        CHECK(sent > 0);
        at += sent;
        pass_ms(every_ms);
    }
    return at;
}

/* The answer, which is taken so, too; how much of it came while it was served, or lay there. */
static size_t reads(size_t piece, int64_t every_ms)
{
    size_t at = 0, taken = 1;
    while (taken > 0 && at < FRAME) {
        taken = takes(at, piece);
        at += taken;
        pass_ms(every_ms);
    }
    return at;
}

/* Whether a slow client gets back what it gave. */
static void is_waited_for(size_t in, int64_t in_ms, size_t out, int64_t out_ms)
{
    int64_t begun_ns = clock_ns;
    memset(&answered, 0, sizeof answered);
    CHECK(asks(in, in_ms) == FRAME && is_served());
    CHECK(reads(out, out_ms) == FRAME && is_served());
    CHECK((answered.words[0] >> 48) == 0 && memcmp(answered.words + 3, asked.words + 3, BYTES) == 0);
    CHECK((clock_ns - begun_ns) / 1000000 > 2 * CARNET_PATIENCE_MS);
}

static void gets_no_answer(size_t out, int64_t out_ms)
{
    CHECK(asks(16 * KIB, 0) == FRAME && is_served());
    CHECK(reads(out, out_ms) < FRAME && !is_served());
}

static void is_hung_up_on(size_t in, int64_t in_ms)
{
    char text[100] = {0};
    memset(&answered, 0, sizeof answered);
    CHECK(asks(in, in_ms) < FRAME && !is_served());
    CHECK(takes(0, CARNET_HEAD_BYTES + sizeof text - 1) > CARNET_HEAD_BYTES);
    memcpy(text, answered.bytes + CARNET_HEAD_BYTES, sizeof text - 1);
    CHECK(answered.words[0] >> 48 == CARNET_TIMED_OUT && strstr(text, "too little of the rest in time") != NULL);
}

int main(int argc, char **argv)
{
    const char *path = begin(argc, argv);
    size_t index;
    CHECK(CARNET_PATIENCE_MS == 10000 && CARNET_FRAME_BYTES_MIN == 32 * KIB);
    for (index = 0; index < BYTES; index++) {
        asked.bytes[CARNET_HEAD_BYTES + 8 + index] = (unsigned char)(index % 251);
    }
    asked.words[0] = FRAME | (uint64_t)CARNET_KIND_CALL << 32 | (uint64_t)ECHO << 48;
    asked.words[1] = 1 | (uint64_t)1 << 32;
    asked.words[2] = BYTES;
    CHECK(carnet_connect(path, &board_module, NULL, -1, &other) == CARNET_OK);
    serve(&server);
    /* Through memory to the byte: 32 KiB in 10 s. As the ring is, 16 KiB are sent at once. */
    comes("shm:", path);
    is_waited_for(16 * KIB, 3000, 4 * KIB, 1250);
    is_waited_for(16 * KIB, 0, 16 * KIB, 4000);
    gets_no_answer(4 * KIB, 1600);
    goes();
    comes("shm:", path);
    is_hung_up_on(16 * KIB, 11000);
    goes();
    comes("shm:", path);
    gets_no_answer(64, 100);
    goes();
    comes("shm:", path);
    gets_no_answer(0, 10001);
    goes();
    /* What comes through a socket is seen as exactly. What was read of one is told by pieces. */
    comes("unix:", path);
    is_waited_for(4 * KIB, 1250, 16 * KIB, 2500);
    is_waited_for(32 * KIB, 10000, 64 * KIB, 10000);
    is_hung_up_on(4 * KIB, 1600);
    goes();
    comes("unix:", path);
    is_hung_up_on(1, 100);
    goes();
    comes("unix:", path);
    gets_no_answer(1 * KIB, 1000);
    goes();
    comes("unix:", path);
    gets_no_answer(0, 10001);
    goes();
    carnet_disconnect(other);
    end(path);
    return 0;
}
