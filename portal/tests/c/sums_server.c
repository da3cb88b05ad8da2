/* The service of memory.idl: reads memory where it lies, keeps a copy of some, and has some of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "sums.h"
#include "carnet_memory.h"

static int root;
static struct carnet_memory kept = {NULL, 0, -1};

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void sums_Sums_released(void *object)
{
    (void)object;
}

/* With SUMS_SHARED it keeps what it was given itself, and gives that to all clients. */
#ifdef SUMS_SHARED
static void *shared;
#endif

void sums_carnet_Memory_released(void *object)
{
#ifdef SUMS_SHARED
    shared = shared == object ? NULL : shared;
#endif
    carnet_held_end(object);
}

int64_t sums_carnet_Memory_size(const struct carnet_self *self)
{
    return carnet_held_size(self->object);
}

void sums_carnet_Memory_read(const struct carnet_self *self, int64_t at, int64_t count, struct carnet_bytes *result)
{
    carnet_held_read(self->object, at, count, result);
}

uint64_t sums_Sums_sum(const struct carnet_self *self, void *of)
{
    struct carnet_bytes bytes = carnet_held_bytes(of);
    uint64_t sum = 0;
    size_t index;
    (void)self;
    for (index = 0; index < bytes.len; index++) {
        sum += ((const unsigned char *)bytes.ptr)[index];
    }
    return sum;
}

void sums_Sums_counted(const struct carnet_self *self, int64_t bytes, void **result)
{
    struct carnet_memory memory;
    unsigned char *place;
    size_t index;
    carnet_status may = carnet_may_give(1, (size_t)bytes);
    (void)self;
    place = (unsigned char *)carnet_memory_draft(&memory, (size_t)bytes);
    for (index = 0; place != NULL && index < (size_t)bytes; index++) {
        place[index] = (unsigned char)(index % 251);
    }
    if (place != NULL && carnet_memory_seal(&memory) == CARNET_OK) {
        carnet_failure = CARNET_OK;
        *result = carnet_held_of(memory);
        if ((*result == NULL) != (may != CARNET_OK) || carnet_failure != may) {
            abort(); /* what is asked before is what becomes of it */
        }
    }
}

void sums_Sums_keep(const struct carnet_self *self, void *of)
{
    struct carnet_bytes bytes = carnet_held_bytes(of);
    (void)self;
#ifdef SUMS_SHARED
    shared = of;
#endif
    carnet_memory_end(&kept);
    (void)carnet_memory_of(&kept, bytes.ptr, bytes.len);
}

void sums_Sums_kept(const struct carnet_self *self, void **result)
{
    struct carnet_memory memory;
    (void)self;
#ifdef SUMS_SHARED
    *result = shared;
    if (shared != NULL) {
        return;
    }
#endif
    if (kept.len > 0 && carnet_memory_of(&memory, kept.ptr, kept.len) == CARNET_OK) {
        *result = carnet_held_of(memory);
    }
}
