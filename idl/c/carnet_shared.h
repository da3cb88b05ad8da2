/* carnet_shared.h: queues in memory that a client and its server share. The layout is that of `portal/queue/src/layout.rs`.
 *
 *     client: Share, ring wished  ──── Unix socket ────►  server: makes the memory, seals it, maps it
 *     checks seals and length, maps ◄─ Unix socket ─────  Reply: ring, with the descriptor
 *     Hello and all that follows ═════════ queues ═══════►
 *
 *          0 ┌──────────────┬──────────────────────────┬──────────────────────────┐ 4096 + 2 × ring
 *            │ control page │ ring: client to server   │ ring: server to client   │
 *            └──────────────┴──────────────────────────┴──────────────────────────┘
 *
 * The peer writes to all of it at any moment. So each of its numbers is fetched once and checked before it is used, our
 * own positions are kept in private memory, and frames are copied out before anybody looks at them.
 *
 * Who waits looks for a while, as long as that has paid lately, then sleeps on its bell. The Unix socket stays open and
 * carries no frames any more; its end is the death of the peer, for which a sleeper looks now and then.
 *
 * Words are reached by the compiler's own atomics, not by <stdatomic.h>: C++ has none, and the memory holds no objects.
 */
#ifndef CARNET_SHARED_H
#define CARNET_SHARED_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first header: shared memory needs seals and futexes"
#endif

#include "carnet.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a ring that a client asks for. */
#ifndef CARNET_RING_BYTES
#define CARNET_RING_BYTES (64u << 10)
#endif

/* Longest time of looking before sleeping: what it costs to wake somebody on another processor. 0: sleep at once, unless
 * CARNET_WAITING or a call of carnet_set_waiting or carnet_server_set_waiting says otherwise. */
#ifndef CARNET_SPIN_NS_MAX
#define CARNET_SPIN_NS_MAX 50000
#endif

#define CARNET_LINE 64u
#define CARNET_CONTROL_BYTES 4096u
#define CARNET_RING_BYTES_MIN (4u << 10)
#define CARNET_RING_BYTES_MAX (16u << 20)
/* Longest frame that is sent at once, and longest part of another. */
#define CARNET_AT_ONCE_BYTES 4096u
#define CARNET_PART_BYTES (16u << 10)
/* Who has sent more than this will go round the ring. */
#define CARNET_LITTLE_BYTES (4u << 10)
/* Advice to madvise that old headers do not name. */
#define CARNET_POPULATE_WRITE 23
/* In a mark: all of the frame is there. */
#define CARNET_WHOLE ((uint64_t)1 << 31)
/* In a bell: wake me when there is a frame, or room. */
#define CARNET_WANTS_FRAMES 1u
#define CARNET_WANTS_ROOM 2u
/* Less time than this is not worth a look at the clock. */
#define CARNET_SPIN_NS_MIN 2000
/* Looks of a spinning side after which it lets others run. */
#define CARNET_LOOKS_IN_TURN 2000u
/* Nobody sleeps longer without a look at the socket. */
#define CARNET_SLICE_MS_MIN 20
#define CARNET_SLICE_MS_MAX 640

/* How a side waits for the other. */
enum carnet_waiting {
    CARNET_ADAPTIVE, /* looks for as long as has paid lately, then sleeps */
    CARNET_SLEEPING, /* sleeps at once */
    CARNET_SPINNING  /* looks until something comes: quickest, and takes a whole processor */
};

/* How a side waits that was told nothing else. */
#ifndef CARNET_WAITING
#define CARNET_WAITING (CARNET_SPIN_NS_MAX > 0 ? CARNET_ADAPTIVE : CARNET_SLEEPING)
#endif

/* How long to look before sleeping, learnt from how long answers take. */
struct carnet_spin {
    enum carnet_waiting waiting;
    int64_t ns;
    bool is_near; /* the other side needs the processor that we look on */
};

/* One side of a pair of queues. */
struct carnet_queue {
    unsigned char *memory;
    uint64_t ring;
    uint32_t side;     /* 0: client, 1: server */
    bool is_over;      /* the socket has ended */
    bool is_populated; /* the memory has its pages */
    uint32_t in_rest, out_rest; /* bytes to come of the present frame */
    uint64_t in_head, in_known, in_told;
    uint64_t out_tail, out_head, out_clean;
};

/* Nanoseconds of the system's clock that never goes back. */
static inline int64_t carnet_system_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The same of the clock that is used; CARNET_CLOCK is a function that has another one, for tests. */
static inline int64_t carnet_now_ns(void)
{
#ifdef CARNET_CLOCK
    return CARNET_CLOCK();
#else
    return carnet_system_ns();
#endif
}

static inline int64_t carnet_now_ms(void)
{
    return carnet_now_ns() / 1000000;
}

/* ---- Words of the memory ---- */

static inline size_t carnet_memory_bytes(uint64_t ring)
{
    return CARNET_CONTROL_BYTES + 2 * (size_t)ring;
}

static inline uint64_t *carnet_word(const struct carnet_queue *queue, uint64_t at)
{
    return (uint64_t *)(void *)(queue->memory + at);
}

static inline uint32_t *carnet_half(const struct carnet_queue *queue, uint64_t at)
{
    return (uint32_t *)(void *)(queue->memory + at);
}

static inline uint32_t *carnet_bell(const struct carnet_queue *queue, uint32_t side)
{
    return carnet_half(queue, 512 + side * 128u);
}

/* 1 when that side has hung up; behind it, 1 + the processor that it last waited on. */
static inline uint32_t *carnet_hung_up(const struct carnet_queue *queue, uint32_t side)
{
    return carnet_half(queue, 768 + side * 128u);
}

/* The tail of the ring that `side` sends through; its head is 128 bytes behind. */
static inline uint64_t *carnet_tail(const struct carnet_queue *queue, uint32_t side)
{
    return carnet_word(queue, side * 256u);
}

static inline uint64_t *carnet_head(const struct carnet_queue *queue, uint32_t side)
{
    return carnet_word(queue, side * 256u + 128u);
}

/* Where a position of the ring that `side` sends through is. */
static inline uint64_t carnet_at(const struct carnet_queue *queue, uint32_t side, uint64_t position)
{
    return CARNET_CONTROL_BYTES + side * queue->ring + (position & (queue->ring - 1));
}

static inline uint64_t carnet_lines(uint64_t bytes)
{
    return (bytes + CARNET_LINE - 1) & ~(uint64_t)(CARNET_LINE - 1);
}

/* ---- Bells ---- */

static inline void carnet_wake(uint32_t *bell)
{
    (void)syscall(SYS_futex, bell, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static inline void carnet_ring_anyway(uint32_t *bell)
{
    uint32_t found = __atomic_load_n(bell, __ATOMIC_RELAXED);
    __atomic_store_n(bell, (found & ~3u) + 4u, __ATOMIC_RELEASE);
    carnet_wake(bell);
}

/* Wakes the other side if it sleeps for one of `offered`; to be called after a fence behind storing that. */
static inline void carnet_ring_fenced(struct carnet_queue *queue, uint32_t offered)
{
    uint32_t *bell = carnet_bell(queue, 1 - queue->side);
    if ((__atomic_load_n(bell, __ATOMIC_RELAXED) & offered) != 0) {
        carnet_ring_anyway(bell);
    }
}

static inline void carnet_ring(struct carnet_queue *queue, uint32_t offered)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    carnet_ring_fenced(queue, offered);
}

/* Says that this side is about to sleep; the number that its bell must still have then. A fence must follow, and a look. */
static inline uint32_t carnet_announce(struct carnet_queue *queue, uint32_t wanted)
{
    return __atomic_fetch_or(carnet_bell(queue, queue->side), wanted, __ATOMIC_RELAXED) | wanted;
}

static inline void carnet_awake(struct carnet_queue *queue)
{
    const uint32_t wants = CARNET_WANTS_FRAMES | CARNET_WANTS_ROOM;
    if ((__atomic_load_n(carnet_bell(queue, queue->side), __ATOMIC_RELAXED) & wants) != 0) {
        (void)__atomic_fetch_and(carnet_bell(queue, queue->side), ~wants, __ATOMIC_RELAXED);
    }
}

/* ---- Receiving ---- */

/* Bytes of the present frame that are there; -1 if the peer breaks the rules. */
static inline int64_t carnet_queue_available(struct carnet_queue *queue)
{
    if (queue->in_known == queue->in_head) {
        uint64_t tail = __atomic_load_n(carnet_tail(queue, 1 - queue->side), __ATOMIC_ACQUIRE);
        /* One that goes back is, as a difference of unsigned numbers, far ahead. */
        if (tail - queue->in_head > queue->ring - CARNET_LINE) {
            return -1;
        }
        queue->in_known = tail;
    }
    return (int64_t)(queue->in_known - queue->in_head);
}

/* Begins a frame, whose first 8 bytes it copies; 8, 0 if there is none, -1 if the peer breaks the rules. */
static inline int64_t carnet_queue_begin(struct carnet_queue *queue, void *to)
{
    const uint64_t *place = carnet_word(queue, carnet_at(queue, 1 - queue->side, queue->in_head));
    uint64_t mark = __atomic_load_n(place, __ATOMIC_ACQUIRE), first = mark & ~CARNET_WHOLE;
    uint32_t len = (uint32_t)first;
    uint64_t known = (mark & CARNET_WHOLE) != 0 ? len : 8;
    if (mark == 0) {
        return 0;
    }
    if (len < CARNET_HEAD_BYTES || carnet_lines(known) > queue->ring - CARNET_LINE) {
        return -1;
    }
    memcpy(to, &first, 8);
    queue->in_rest = len - 8;
    queue->in_known = queue->in_head + known;
    queue->in_head += 8;
    return 8;
}

/* Copies at most `room` bytes of the present frame, or the next one: at its beginning there must be room for 8. How many
 * it were, 0 if nothing is there, -1 if the peer breaks the rules. */
static inline int64_t carnet_queue_receive(struct carnet_queue *queue, void *to, size_t room)
{
    int64_t taken = 0, there;
    uint64_t len, at, first;
    if (queue->in_rest == 0 && (taken = carnet_queue_begin(queue, to)) <= 0) {
        return taken;
    }
    there = carnet_queue_available(queue);
    if (there < 0) {
        return -1;
    }
    len = (uint64_t)room - (uint64_t)taken;
    len = len < (uint64_t)there ? len : (uint64_t)there;
    len = len < queue->in_rest ? len : queue->in_rest;
    len = len < CARNET_PART_BYTES ? len : CARNET_PART_BYTES;
    at = queue->in_head & (queue->ring - 1);
    first = len < queue->ring - at ? len : queue->ring - at;
    carnet_copy((char *)to + taken, queue->memory + carnet_at(queue, 1 - queue->side, at), first);
    carnet_copy((char *)to + taken + first, queue->memory + carnet_at(queue, 1 - queue->side, 0), len - first);
    queue->in_rest -= (uint32_t)len;
    queue->in_head += len;
    if (queue->in_rest == 0) {
        queue->in_head = carnet_lines(queue->in_head);
    }
    /* The other side frees whole lines only. */
    __atomic_store_n(carnet_head(queue, 1 - queue->side), queue->in_head & ~(uint64_t)(CARNET_LINE - 1), __ATOMIC_RELEASE);
    if (queue->in_head - queue->in_told >= queue->ring / 4) {
        queue->in_told = queue->in_head;
        carnet_ring(queue, CARNET_WANTS_ROOM);
    }
    return taken + (int64_t)len;
}

/* ---- Sending ---- */

/* Bytes that are free; the other side's position is looked at if they seem fewer than `wanted`. -1 if it breaks the rules. */
static inline int64_t carnet_queue_room(struct carnet_queue *queue, uint64_t wanted)
{
    if (queue->ring - (queue->out_tail - queue->out_head) < wanted) {
        uint64_t found = __atomic_load_n(carnet_head(queue, queue->side), __ATOMIC_ACQUIRE);
        if (found < queue->out_head || found > queue->out_tail) {
            return -1;
        }
        queue->out_head = found;
    }
    return (int64_t)(queue->ring - (queue->out_tail - queue->out_head));
}

/* Makes sure that the mark of the line at `end`, which is free, is 0. */
static inline void carnet_clear_mark(struct carnet_queue *queue, uint64_t end)
{
    if (queue->out_clean < end) {
        __atomic_store_n(carnet_word(queue, carnet_at(queue, queue->side, end)), 0, __ATOMIC_RELAXED);
        queue->out_clean = end;
    }
}

/* Copies `len` bytes of a frame to a position. */
static inline void carnet_queue_put(struct carnet_queue *queue, uint64_t position, struct carnet_frame *frame, uint64_t len)
{
    while (len > 0) {
        const struct iovec *part = frame->parts;
        uint64_t at = position & (queue->ring - 1), count = len;
        count = count < part->iov_len ? count : part->iov_len;
        count = count < queue->ring - at ? count : queue->ring - at;
        carnet_copy(queue->memory + carnet_at(queue, queue->side, at), part->iov_base, count);
        carnet_skip(frame, count);
        position += count;
        len -= count;
    }
}

/* Sends the first part of `rest` bytes, `before` of which were copied already; false if there is no room for a line. All
 * but the last part are whole lines. */
static inline bool carnet_queue_part(struct carnet_queue *queue, struct carnet_frame *frame, uint32_t rest, uint64_t before,
                                     int64_t room)
{
    uint64_t part = (uint64_t)room - CARNET_LINE, end;
    part = part < CARNET_PART_BYTES ? part : CARNET_PART_BYTES;
    part = part < rest ? part & ~(uint64_t)(CARNET_LINE - 1) : rest;
    if (room < (int64_t)(2 * CARNET_LINE) || part == 0) {
        return false;
    }
    end = queue->out_tail + carnet_lines(part);
    carnet_queue_put(queue, queue->out_tail + before, frame, part - before);
    if (part == rest) {
        carnet_clear_mark(queue, end);
    }
    queue->out_rest = rest - (uint32_t)part;
    queue->out_tail = end;
    __atomic_store_n(carnet_tail(queue, queue->side), end, __ATOMIC_RELEASE);
    return true;
}

/* Takes all pages of the memory at once when more than a few are used: each would hold up whoever touches it first, and who
 * waits for that one. Linux before 5.14 does not do it. */
static inline void carnet_queue_populate(struct carnet_queue *queue)
{
    if (queue->out_tail > CARNET_LITTLE_BYTES && !queue->is_populated) {
        queue->is_populated = true;
        (void)madvise(queue->memory, carnet_memory_bytes(queue->ring), CARNET_POPULATE_WRITE);
    }
}

/* Begins a frame, its head within the first of its parts; whether there was room, -1 as above. */
static inline int carnet_queue_offer(struct carnet_queue *queue, struct carnet_frame *frame)
{
    uint64_t mark, *place = carnet_word(queue, carnet_at(queue, queue->side, queue->out_tail));
    uint64_t len = frame->left, bytes = carnet_lines(len);
    int64_t room = carnet_queue_room(queue, bytes + CARNET_LINE);
    if (room < (int64_t)(2 * CARNET_LINE)) {
        return room < 0 ? -1 : 0;
    }
    memcpy(&mark, frame->parts->iov_base, 8);
    carnet_skip(frame, 8);
    if (bytes > CARNET_AT_ONCE_BYTES || bytes + CARNET_LINE > (uint64_t)room) {
        (void)carnet_queue_part(queue, frame, (uint32_t)len, 8, room);
        __atomic_store_n(place, queue->out_rest == 0 ? mark | CARNET_WHOLE : mark, __ATOMIC_RELEASE);
    } else {
        carnet_clear_mark(queue, queue->out_tail + bytes);
        carnet_queue_put(queue, queue->out_tail + 8, frame, len - 8);
        __atomic_store_n(place, mark | CARNET_WHOLE, __ATOMIC_RELEASE);
        queue->out_tail += bytes;
        __atomic_store_n(carnet_tail(queue, queue->side), queue->out_tail, __ATOMIC_RELEASE);
    }
    carnet_ring(queue, CARNET_WANTS_FRAMES | CARNET_WANTS_ROOM);
    carnet_queue_populate(queue);
    return 1;
}

/* Sends as much of one frame, or of its rest, as there is room for; false if the peer breaks the rules. */
static inline bool carnet_queue_send(struct carnet_queue *queue, struct carnet_frame *frame)
{
    if (queue->out_rest == 0) {
        int begun = carnet_queue_offer(queue, frame);
        if (begun <= 0) {
            return begun == 0;
        }
    }
    while (queue->out_rest > 0) {
        uint64_t wanted = carnet_lines(queue->out_rest);
        int64_t room = carnet_queue_room(queue, (wanted < CARNET_PART_BYTES ? wanted : CARNET_PART_BYTES) + CARNET_LINE);
        if (room < 0) {
            return false;
        }
        if (!carnet_queue_part(queue, frame, queue->out_rest, 0, room)) {
            break;
        }
        carnet_ring(queue, CARNET_WANTS_FRAMES | CARNET_WANTS_ROOM);
    }
    return true;
}

/* ---- Waiting ---- */

/* Whether nothing more will come than what is there. */
static inline bool carnet_queue_is_over(const struct carnet_queue *queue)
{
    return queue->is_over || __atomic_load_n(carnet_hung_up(queue, 1 - queue->side), __ATOMIC_ACQUIRE) != 0;
}

/* Whether what is wanted is there, or whoever tries finds out why it never will be. */
static inline bool carnet_queue_look(struct carnet_queue *queue, uint32_t wanted)
{
    int64_t room;
    if ((wanted & CARNET_WANTS_FRAMES) != 0) {
        const uint64_t *mark = carnet_word(queue, carnet_at(queue, 1 - queue->side, queue->in_head));
        if (queue->in_rest == 0 ? __atomic_load_n(mark, __ATOMIC_RELAXED) != 0 : carnet_queue_available(queue) != 0) {
            return true;
        }
    }
    if ((wanted & CARNET_WANTS_ROOM) != 0) {
        room = carnet_queue_room(queue, 2 * CARNET_LINE);
        if (room < 0 || room >= (int64_t)(2 * CARNET_LINE)) {
            return true;
        }
    }
    return carnet_queue_is_over(queue);
}

/* Says where this side waits; whether the other one was last seen on the same processor. */
static inline bool carnet_queue_meet(struct carnet_queue *queue)
{
    uint32_t here = (uint32_t)sched_getcpu() + 1;
    __atomic_store_n(carnet_hung_up(queue, queue->side) + 1, here, __ATOMIC_RELAXED);
    return __atomic_load_n(carnet_hung_up(queue, 1 - queue->side) + 1, __ATOMIC_RELAXED) == here;
}

/* Waits so from now on. */
static inline void carnet_spin_init(struct carnet_spin *spin, enum carnet_waiting waiting)
{
    spin->waiting = waiting;
    spin->ns = waiting == CARNET_ADAPTIVE ? CARNET_SPIN_NS_MAX : 0;
    spin->is_near = false;
}

/* Looking found it after so long: a little longer next time, but not much less than before. */
static inline void carnet_spin_won(struct carnet_spin *spin, int64_t after_ns)
{
    int64_t most = spin->ns - spin->ns / 8, wanted = 4 * after_ns;
    wanted = wanted < CARNET_SPIN_NS_MIN ? CARNET_SPIN_NS_MIN : wanted;
    wanted = wanted < most ? most : wanted;
    spin->ns = wanted < CARNET_SPIN_NS_MAX ? wanted : CARNET_SPIN_NS_MAX;
}

/* It came after sleeping: soon, and looking would have paid, or late, and it was in vain. */
static inline void carnet_spin_lost(struct carnet_spin *spin, int64_t after_ns)
{
    if (spin->waiting != CARNET_ADAPTIVE) {
        return;
    }
    if (after_ns < 2 * (int64_t)CARNET_SPIN_NS_MAX) {
        spin->ns = CARNET_SPIN_NS_MAX;
    } else if (!spin->is_near) {
        spin->ns = spin->ns / 2 < CARNET_SPIN_NS_MIN ? 0 : spin->ns / 2;
    }
}

/* Tells the processor that this is a loop that waits. */
static inline void carnet_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("" ::: "memory");
#endif
}

/* Sleeps until the other side has what is wanted, at most so long; whether all of the time passed. */
static inline bool carnet_queue_sleep(struct carnet_queue *queue, uint32_t wanted, int64_t at_most_ms)
{
    struct timespec time;
    uint32_t left = carnet_announce(queue, wanted);
    long slept = 0;
    time.tv_sec = (time_t)(at_most_ms / 1000);
    time.tv_nsec = (long)(at_most_ms % 1000 * 1000000);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    /* Room that was made and not told of yet. */
    carnet_ring_fenced(queue, CARNET_WANTS_ROOM);
    if (!carnet_queue_look(queue, wanted)) {
        slept = syscall(SYS_futex, carnet_bell(queue, queue->side), FUTEX_WAIT, left, &time, NULL, 0);
    }
    slept = slept < 0 && errno == ETIMEDOUT;
    carnet_awake(queue);
    return slept != 0;
}

/* Whether the socket is at its end. What else may come there is nobody's business. */
static inline void carnet_queue_check(struct carnet_queue *queue, int socket)
{
    struct pollfd wanted = {socket, POLLRDHUP, 0};
    queue->is_over = queue->is_over || poll(&wanted, 1, 0) > 0;
}

/* Looks for as long as that pays; whether it found something. */
static inline bool carnet_queue_spin(struct carnet_queue *queue, struct carnet_spin *spin, uint32_t wanted)
{
    int64_t begun = carnet_now_ns(), now = begun;
    unsigned look;
    spin->is_near = carnet_queue_meet(queue);
    carnet_ring(queue, CARNET_WANTS_ROOM);
    while (!spin->is_near && now - begun < spin->ns) {
        for (look = 0; look < 16; look++) {
            if (carnet_queue_look(queue, wanted)) {
                carnet_spin_won(spin, now - begun);
                return true;
            }
            carnet_relax();
        }
        now = carnet_now_ns();
    }
    return false;
}

/* Looks until it comes, and lets others run meanwhile, who may be the other side; false when the deadline has passed. */
static inline bool carnet_queue_look_on(struct carnet_queue *queue, int socket, uint32_t wanted, int64_t deadline_ms)
{
    int64_t checked_ms = carnet_now_ms(), now_ms;
    for (;;) {
        unsigned look, looks = carnet_queue_meet(queue) ? 1 : CARNET_LOOKS_IN_TURN;
        carnet_ring(queue, CARNET_WANTS_ROOM);
        for (look = 0; look < looks; look++) {
            if (carnet_queue_look(queue, wanted)) {
                return true;
            }
            carnet_relax();
        }
        now_ms = carnet_now_ms();
        if (deadline_ms >= 0 && now_ms >= deadline_ms) {
            return false;
        }
        if (now_ms - checked_ms >= CARNET_SLICE_MS_MIN) {
            carnet_queue_check(queue, socket);
            checked_ms = now_ms;
        }
        sched_yield();
    }
}

/* Waits for what is wanted; false when the deadline (-1: none) has passed. */
static inline bool carnet_queue_wait(struct carnet_queue *queue, int socket, struct carnet_spin *spin, uint32_t wanted,
                                     int64_t deadline_ms)
{
    int64_t slice = CARNET_SLICE_MS_MIN, begun;
    unsigned look, looks = spin->ns > 0 && !spin->is_near ? 100 : 0;
    if (spin->waiting == CARNET_SPINNING) {
        return carnet_queue_look_on(queue, socket, wanted, deadline_ms);
    }
    for (look = 0; look < looks; look++) {
        if (carnet_queue_look(queue, wanted)) {
            return true;
        }
        carnet_relax();
    }
    begun = carnet_now_ns();
    if (carnet_queue_spin(queue, spin, wanted)) {
        return true;
    }
    while (!carnet_queue_look(queue, wanted)) {
        int64_t left = deadline_ms < 0 ? slice : deadline_ms - carnet_now_ms();
        if (left <= 0) {
            return false;
        }
        if (carnet_queue_sleep(queue, wanted, left < slice ? left : slice)) {
            carnet_queue_check(queue, socket);
            slice = slice < CARNET_SLICE_MS_MAX ? slice * 2 : slice;
        }
    }
    carnet_spin_lost(spin, carnet_now_ns() - begun);
    return true;
}

/* ---- The memory ---- */

/* Whether a ring can have so many bytes. */
static inline bool carnet_is_ring(uint32_t ring)
{
    return ring >= CARNET_RING_BYTES_MIN && ring <= CARNET_RING_BYTES_MAX && (ring & (ring - 1)) == 0;
}

/* Maps memory for rings of `ring` bytes; NULL if that cannot be. */
static inline struct carnet_queue *carnet_queue_map(int file, uint32_t ring, uint32_t side)
{
    struct carnet_queue *queue = (struct carnet_queue *)calloc(1, sizeof *queue);
    void *memory = MAP_FAILED;
    if (queue != NULL) {
        memory = mmap(NULL, carnet_memory_bytes(ring), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (memory == MAP_FAILED) {
        free(queue);
        return NULL;
    }
    queue->memory = (unsigned char *)memory;
    queue->ring = ring;
    queue->side = side;
    queue->out_clean = ring - CARNET_LINE; /* all is 0 at first */
    return queue;
}

/* Server: makes memory with rings as long as wished, or shorter: of `ring_max` bytes at most, a power of two. Its
 * descriptor is in `*file`; NULL if there is no memory. */
static inline struct carnet_queue *carnet_queue_make(uint32_t wished, uint32_t ring_max, int *file)
{
    uint32_t ring = ring_max;
    struct carnet_queue *queue = NULL;
    while (ring > wished && ring > CARNET_RING_BYTES_MIN) {
        ring /= 2;
    }
    *file = memfd_create("carnet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*file < 0) {
        return NULL;
    }
    /* What could change its size could kill whoever has it mapped. */
    if (ftruncate(*file, (off_t)carnet_memory_bytes(ring)) == 0 &&
        fcntl(*file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        queue = carnet_queue_map(*file, ring, 1);
    }
    if (queue == NULL) {
        close(*file);
    }
    return queue;
}

/* Client: maps what a server sent, if its size cannot change and is as agreed; otherwise says in `*fault` why not. */
static inline struct carnet_queue *carnet_queue_accept(int file, uint32_t ring, const char **fault)
{
    const int wanted = F_SEAL_SHRINK | F_SEAL_GROW;
    struct carnet_queue *queue;
    struct stat found;
    int seals = file < 0 ? -1 : fcntl(file, F_GET_SEALS);
    if (!carnet_is_ring(ring)) {
        *fault = "the server sent a ring that cannot be so long";
        return NULL;
    }
    if (file < 0) {
        *fault = "the server sent no memory";
        return NULL;
    }
    if (seals < 0 || (seals & wanted) != wanted) {
        *fault = "the server sent memory whose size could still change";
        return NULL;
    }
    /* Asked after the seals: from then on it cannot change. */
    if (fstat(file, &found) != 0 || found.st_size != (off_t)carnet_memory_bytes(ring)) {
        *fault = "the server sent memory of another length than was agreed";
        return NULL;
    }
    queue = carnet_queue_map(file, ring, 0);
    *fault = queue == NULL ? "the memory that the server sent cannot be mapped" : NULL;
    return queue;
}

/* Tells the other side that nothing more comes, and gives the memory back. */
static inline void carnet_queue_end(struct carnet_queue *queue)
{
    if (queue != NULL) {
        __atomic_store_n(carnet_hung_up(queue, queue->side), 1, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        carnet_ring_anyway(carnet_bell(queue, 1 - queue->side));
        (void)munmap(queue->memory, carnet_memory_bytes(queue->ring));
        free(queue);
    }
}

#ifdef __cplusplus
}
#endif

#endif
