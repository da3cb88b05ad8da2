/* One side of a queue by itself, against memory that says what it must not. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How often somebody slept. */
static unsigned sleeps;

static long counted(int is_sleep, long result)
{
    sleeps += is_sleep != 0;
    return result;
}
#define syscall(number, word, what, ...) \
    counted((number) == SYS_futex && (what) == FUTEX_WAIT, (syscall)((number), (word), (what), __VA_ARGS__))
#include "carnet_session.h"
#undef syscall
#include "check.h"

#define RING 4096u

static unsigned char received[3 * RING];

static struct carnet_queue *new_queue(uint32_t side)
{
    int file;
    struct carnet_queue *queue = carnet_queue_make(RING, RING, &file);
    CHECK(queue != NULL);
    close(file);
    queue->side = side;
    return queue;
}

/* What the client says in the mark of its first frame, and as its tail. */
static int64_t taken(uint64_t mark, uint64_t tail)
{
    struct carnet_queue *queue = new_queue(1);
    int64_t found;
    *carnet_tail(queue, 0) = tail;
    *carnet_word(queue, CARNET_CONTROL_BYTES) = mark;
    found = carnet_queue_receive(queue, received, sizeof received);
    carnet_queue_end(queue);
    return found;
}

static bool is_sent(struct carnet_queue *queue, uint32_t len)
{
    static uint64_t frame[RING / 8];
    struct carnet_frame whole;
    frame[0] = len;
    carnet_frame_of(&whole, frame, len, NULL, 0);
    return carnet_queue_send(queue, &whole);
}

static void marks_and_tails(void)
{
    CHECK(taken(0, 0) == 0);
    CHECK(taken(16 | CARNET_WHOLE, 64) == 16);
    CHECK(taken(15 | CARNET_WHOLE, 64) == -1);
    CHECK(taken(CARNET_WHOLE, 64) == -1);
    CHECK(taken(7, 64) == -1);
    /* One line stays free. */
    CHECK(taken((RING - 64) | CARNET_WHOLE, RING) == RING - 64);
    CHECK(taken((RING - 63) | CARNET_WHOLE, RING) == -1);
    CHECK(taken((1u << 20) | CARNET_WHOLE, RING) == -1);
    /* A frame in parts: as far as the tail says. */
    CHECK(taken(1000, 64) == 64);
    CHECK(taken(1u << 20, RING - 64) == RING - 64);
    CHECK(taken(1u << 20, RING - 55) == -1); /* more than there is room for behind what was taken */
    CHECK(taken(1u << 20, UINT64_MAX) == -1);
    CHECK(taken(1000, 0) == -1); /* behind what was announced */
}

static void heads(void)
{
    struct carnet_queue *queue = new_queue(0);
    uint64_t *head = carnet_head(queue, 0);
    unsigned frames = 0;
    while (carnet_queue_room(queue, 128) >= 128) {
        CHECK(is_sent(queue, 16));
        frames++;
    }
    CHECK(frames == RING / 64 - 1);
    *head = 64 * 64;
    CHECK(carnet_queue_room(queue, RING) == -1 && !is_sent(queue, 16)); /* ahead of the tail */
    *head = 128;
    CHECK(carnet_queue_room(queue, RING) == 192 && is_sent(queue, 16));
    *head = 64;
    CHECK(carnet_queue_room(queue, RING) == -1); /* goes back */
    *head = UINT64_MAX;
    CHECK(carnet_queue_room(queue, RING) == -1);
    carnet_queue_end(queue);
}

/* Who waits is woken: by a frame, by room, and by the end. */
static void bells(void)
{
    struct carnet_queue *queue = new_queue(0);
    uint32_t *bell = carnet_bell(queue, 1), before = *bell = CARNET_WANTS_FRAMES;
    CHECK(is_sent(queue, 16) && *bell == before + 3);
    before = *bell = CARNET_WANTS_ROOM;
    carnet_ring(queue, CARNET_WANTS_FRAMES);
    CHECK(*bell == before);
    /* A quarter of the ring was taken out. */
    *carnet_tail(queue, 1) = RING / 2;
    *carnet_word(queue, CARNET_CONTROL_BYTES + RING) = RING / 2;
    CHECK(carnet_queue_receive(queue, received, RING / 2) == RING / 2 && *bell == before + 2);
    CHECK(*carnet_head(queue, 1) == RING / 2);
    CHECK(carnet_announce(queue, CARNET_WANTS_ROOM) == CARNET_WANTS_ROOM && *carnet_bell(queue, 0) == CARNET_WANTS_ROOM);
    carnet_awake(queue);
    CHECK(*carnet_bell(queue, 0) == 0 && !carnet_queue_is_over(queue));
    *carnet_hung_up(queue, 1) = 1;
    CHECK(carnet_queue_is_over(queue) && carnet_queue_look(queue, 0));
    carnet_queue_end(queue);
}

/* A short call is one line of the ring, and so is its reply: what a client and a server send, whatever comes before. */
static void short_calls(void)
{
    static struct {
        struct carnet_connection connection;
        uint64_t message[CARNET_WORDS_BYTES / 8];
    } client;
    static struct {
        struct carnet_client client;
        uint64_t message[CARNET_WORDS_BYTES / 8];
    } server;
    struct carnet_queue *requests = client.connection.queue = new_queue(0);
    struct carnet_queue *replies = server.client.queue = new_queue(1);
    struct carnet_answer failed;
    size_t words;
    carnet_channel_init(&client.connection.channel, NULL, sizeof client.message);
    carnet_channel_init(&server.client.session.channel, NULL, sizeof server.message);
    for (words = 0; words <= 7; words++) {
        uint64_t request = *carnet_tail(requests, 0), reply = *carnet_tail(replies, 1), expected = words < 7 ? 64 : 128;
        uint64_t head = CARNET_FLAT(3, CARNET_HEAD_BYTES + words * 8, 0);
        uint64_t *message = carnet_message(&server.client.session.channel);
        const uint64_t *line = carnet_word(requests, carnet_at(requests, 0, request));
        carnet_message(&client.connection.channel)[1 + words] = 77 + words;
        CHECK(carnet_send_call(&client.connection, 1, head, -1, &failed) != 0);
        CHECK(*carnet_tail(requests, 0) == request + expected);
        CHECK(words == 0 || line[1 + words] == 77 + words);
        CHECK(carnet_client_send(&server.client, message, head, 1) && server.client.unsent == NULL);
        CHECK(*carnet_tail(replies, 1) == reply + expected);
    }
    carnet_queue_end(requests);
    carnet_queue_end(replies);
}

/* Who sends more than a little takes all pages at once. */
static void pages(void)
{
    const uint32_t ring = 16 * RING;
    struct stat found;
    int file;
    struct carnet_queue *queue = carnet_queue_make(ring, ring, &file);
    CHECK(queue != NULL);
    for (uint32_t sent = 64; sent <= RING + 64; sent += 64) {
        CHECK(fstat(file, &found) == 0 && found.st_blocks * 512 < (off_t)ring);
        CHECK(is_sent(queue, 64));
    }
    CHECK(fstat(file, &found) == 0 && found.st_blocks * 512 == (off_t)carnet_memory_bytes(ring));
    close(file);
    carnet_queue_end(queue);
}

/* Each way of waiting ends at the deadline, and when the other side has gone; only one never sleeps. */
static void ways_of_waiting(void)
{
    static const enum carnet_waiting ways[] = {CARNET_ADAPTIVE, CARNET_SLEEPING, CARNET_SPINNING};
    size_t index;
    CHECK(CARNET_WAITING == CARNET_ADAPTIVE);
    for (index = 0; index < 3; index++) {
        struct carnet_queue *queue = new_queue(0);
        struct carnet_spin spin;
        int sockets[2];
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
        carnet_spin_init(&spin, ways[index]);
        CHECK((spin.ns > 0) == (ways[index] == CARNET_ADAPTIVE));
        sleeps = 0;
        CHECK(!carnet_queue_wait(queue, sockets[0], &spin, CARNET_WANTS_FRAMES, carnet_now_ms() + 30));
        CHECK((sleeps == 0) == (ways[index] == CARNET_SPINNING));
        /* What is quick teaches only who learns. */
        carnet_spin_lost(&spin, 1);
        CHECK((spin.ns > 0) == (ways[index] == CARNET_ADAPTIVE));
        CHECK(!queue->is_over);
        close(sockets[1]);
        CHECK(carnet_queue_wait(queue, sockets[0], &spin, CARNET_WANTS_FRAMES, -1) && queue->is_over);
        close(sockets[0]);
        carnet_queue_end(queue);
    }
}

int main(void)
{
    ways_of_waiting();
    short_calls();
    marks_and_tails();
    heads();
    bells();
    pages();
    return 0;
}
