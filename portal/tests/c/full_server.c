/* The service of full.idl: turns round what it is given. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "full.h"

#define BYTES_MAX (1u << 20)

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void full_Full_released(void *object)
{
    (void)object;
}

static struct carnet_bytes turned(struct carnet_bytes bytes)
{
    static unsigned char all[BYTES_MAX];
    struct carnet_bytes found = {all, bytes.len};
    size_t index;
    for (index = 0; index < bytes.len; index++) {
        all[index] = ((const unsigned char *)bytes.ptr)[bytes.len - 1 - index];
    }
    return found;
}

void full_Full_turn(const struct carnet_self *self, struct carnet_bytes *a)
{
    (void)self;
    *a = turned(*a);
}

void full_Full_echo(const struct carnet_self *self, struct carnet_bytes a, struct carnet_bytes *result)
{
    (void)self;
    *result = turned(a);
}

void full_Full_swap(const struct carnet_self *self, const struct carnet_list *a, struct full_Pair_list *a_back)
{
    static struct full_Pair pairs[BYTES_MAX / sizeof(struct full_Pair)];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        struct full_Pair pair;
        if (full_Pair_at(a, index, &pair)) {
            pairs[index].a = pair.b;
            pairs[index].b = pair.a;
        }
    }
    a_back->ptr = pairs;
    a_back->count = a->count;
}
