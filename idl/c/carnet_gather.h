/* carnet_gather.h: frames that are sent from several places: a message, and long data that nobody copies into it.
 *
 *     frame    | head | words | portal ids | short data | long data          |  | short data |  ...
 *     message  | head | words | portal ids | short data |·  | short data |  ...
 *                                                        └── the rest lies where the caller, or the service, has it
 *
 * Of a long piece the message has what is left of its length, divided by 8: what follows stays at a word of its own. Words refer
 * to places of the frame, as ever; the other end cannot tell how it was sent. Only a transport to another address space
 * gathers so; over a socket `sendmsg` does, and each byte that is sent through shared memory is copied once.
 */
#ifndef CARNET_GATHER_H
#define CARNET_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shorter data are copied: that costs less than a part of a frame does. */
#define CARNET_GATHER_BYTES_MIN 1024u
/* Long data of one message that are gathered; what is more is copied. Its words refer to 64 at most: lists have more. */
#define CARNET_GATHER_PIECES_MAX 128u
/* Each with what stands before it, and the rest. */
#define CARNET_GATHER_PARTS_MAX (2 * CARNET_GATHER_PIECES_MAX + 1)

/* The parts of the message that is being made, up to its last long piece. */
struct carnet_gather {
    const char *end; /* of the channel's buffer */
    size_t count;
    size_t from;    /* where the next part begins: bytes behind the message's start */
    size_t skipped; /* by how much the message is shorter than the frame, a multiple of 8 */
    struct iovec parts[CARNET_GATHER_PARTS_MAX];
};

static inline void carnet_gather_begin(struct carnet_gather *gather)
{
    if (gather != NULL) {
        gather->count = gather->from = gather->skipped = 0;
    }
}

/* Where a byte of the frame stands in the message. */
static inline char *carnet_gather_at(const struct carnet_gather *gather, uint64_t *message, size_t at)
{
    return (char *)message + at - (gather == NULL ? 0 : gather->skipped);
}

/* Whether data stay where they lie until they are sent: not where the message is made, as those of the reply before it. */
static inline bool carnet_gather_takes(const struct carnet_gather *gather, const uint64_t *message, const void *ptr, size_t len)
{
    uintptr_t first = (uintptr_t)ptr;
    return len >= CARNET_GATHER_BYTES_MIN && gather != NULL && gather->count + 3 <= CARNET_GATHER_PARTS_MAX &&
           (first + len <= (uintptr_t)message || first >= (uintptr_t)gather->end);
}

static inline void carnet_gather_part(struct carnet_gather *gather, const void *ptr, size_t len)
{
    if (len > 0) {
        gather->parts[gather->count].iov_base = (void *)(uintptr_t)ptr;
        gather->parts[gather->count++].iov_len = len;
    }
}

/* From `start` on, at a word, the frame has bytes that lie elsewhere. */
static inline void carnet_gather_piece(struct carnet_gather *gather, uint64_t *message, size_t start, const void *ptr, size_t len)
{
    size_t before = start - gather->skipped;
    carnet_gather_part(gather, (const char *)message + gather->from, before - gather->from);
    carnet_gather_part(gather, ptr, len);
    gather->skipped += len & ~(size_t)7;
    gather->from = before + (len & 7);
}

/* ---- Frames ---- */

/* A frame on its way: what is left of it. */
struct carnet_frame {
    struct iovec *parts; /* none of which is empty */
    size_t count, left;  /* parts, and bytes of all */
    struct iovec few[2];
};

/* One of two places; there may be nothing in the second. */
static inline void carnet_frame_of(struct carnet_frame *frame, const void *ptr, size_t len, const void *rest, size_t rest_len)
{
    frame->parts = frame->few;
    frame->count = rest_len > 0 ? 2 : 1;
    frame->left = len + rest_len;
    frame->few[0].iov_base = (void *)(uintptr_t)ptr;
    frame->few[0].iov_len = len;
    frame->few[1].iov_base = (void *)(uintptr_t)rest;
    frame->few[1].iov_len = rest_len;
}

/* One of `len` bytes that was gathered. */
static inline void carnet_frame_gathered(struct carnet_frame *frame, struct carnet_gather *gather, const uint64_t *message, size_t len)
{
    carnet_gather_part(gather, (const char *)message + gather->from, len - gather->skipped - gather->from);
    frame->parts = gather->parts;
    frame->count = gather->count;
    frame->left = len;
}

/* Says that so many of its bytes are done. */
static inline void carnet_skip(struct carnet_frame *frame, size_t count)
{
    frame->left -= count;
    while (frame->count > 0 && count >= frame->parts->iov_len) {
        count -= frame->parts->iov_len;
        frame->parts++;
        frame->count--;
    }
    if (count > 0) {
        frame->parts->iov_base = (char *)frame->parts->iov_base + count;
        frame->parts->iov_len -= count;
    }
}

#ifdef __cplusplus
}
#endif

#endif
