/* carnet_into.h: where data of a reply go that have a place of their own: buffers of the caller's.
 *
 *     call_files_File_read_into(file, at, STEP, &bytes, carnet_into(page, sizeof page));
 *
 * The stub says which words of the reply refer to data, and where those are wanted. A transport from another address space
 * receives head and words first, then each piece where it goes, and the rest where it stands in any message:
 *
 *     reply   | head | words | portal ids | data a |  | data b |  | data c |
 *                                            │             │           │
 *     buffer of a  ◄─────────────────────────┘             │           └──► message: it has no buffer, or does not fit
 *     buffer of b  ◄───────────────────────────────────────┘
 *
 * So each byte is copied once: by the system out of a socket, or by us out of shared memory. What does not lie one behind the
 * other, in the order of the words, comes into the message as a whole: then no byte that nobody sent is looked at. What fits and
 * did not land is copied by the stub: it came from an object of the same process, or from such a reply.
 */
#ifndef CARNET_INTO_H
#define CARNET_INTO_H

#include "carnet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the caller's. */
struct carnet_buffer {
    void *ptr;
    size_t len;
};

/* Where data are to go; they stay in the message if that is NULL and 0. */
static inline struct carnet_buffer carnet_into(void *ptr, size_t len)
{
    struct carnet_buffer buffer = {ptr, len};
    return buffer;
}

/* Data of a reply with a buffer. */
struct carnet_target {
    size_t word; /* of the reply, which refers to them */
    struct carnet_buffer buffer;
    bool is_there; /* the transport put them there */
    uint64_t reference; /* to the data, from where they are */
};

static inline struct carnet_target carnet_target_of(size_t word, struct carnet_buffer buffer)
{
    struct carnet_target target = {word, buffer, false, 0};
    return target;
}

/* What the stub tells the transport of the reply to its call, for as long as that takes. */
struct carnet_landing {
    struct carnet_target *targets; /* in the order of their words */
    size_t count;
    size_t words;        /* of the reply */
    uint64_t references; /* a bit for each of them that refers to data */
};

/* As many as there are bits. */
#define CARNET_TARGETS_MAX 64u
/* Each with what stands before it, and the rest. */
#define CARNET_PARTS_MAX (2 * CARNET_TARGETS_MAX + 1)

/* ---- The transport ---- */

/* Whether what words of a reply refer to lies within it, one piece behind the other in the order of the words. */
static inline bool carnet_is_in_order(const uint64_t *message, size_t room, uint64_t references)
{
    size_t end = 0;
    for (; references != 0; references &= references - 1) {
        uint64_t word = carnet_get(message, 2 + (size_t)__builtin_ctzll(references));
        size_t offset = (size_t)(word >> 24), count = (size_t)word & 0xffffff;
        if (count > 0 && (offset < end || offset > room || count > room - offset)) {
            return false;
        }
        end = count > 0 ? offset + count : end;
    }
    return true;
}

/* Where the data of a reply go whose words are there, `room` bytes from `data` on: how many parts they are. */
static inline size_t carnet_land(struct carnet_landing *landing, uint64_t *message, size_t data, size_t room,
                                 struct iovec parts[CARNET_PARTS_MAX])
{
    char *start = (char *)message + data;
    size_t count = 0, end = 0, index;
    bool is_in_order = carnet_is_in_order(message, room, landing->references);
    for (index = 0; index < landing->count && is_in_order; index++) {
        struct carnet_target *target = &landing->targets[index];
        uint64_t word = carnet_get(message, 2 + target->word);
        size_t offset = (size_t)(word >> 24), len = (size_t)word & 0xffffff;
        if (len == 0 || len > target->buffer.len) {
            continue;
        }
        if (offset > end) {
            parts[count].iov_base = start + end;
            parts[count++].iov_len = offset - end;
        }
        parts[count].iov_base = target->buffer.ptr;
        parts[count++].iov_len = len;
        target->is_there = true;
        end = offset + len;
    }
    if (end < room) {
        parts[count].iov_base = start + end;
        parts[count++].iov_len = room - end;
    }
    return count;
}

#ifdef __cplusplus
}
#endif

#endif
