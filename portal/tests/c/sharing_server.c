/* The service of sharing.idl: counts what it is given, and gives back what goes both ways as it came. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "sharing.h"

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void sharing_Taker_released(void *object)
{
    (void)object;
}

int32_t sharing_Taker_rows(const struct carnet_self *self, const struct sharing_Rows *a)
{
    size_t index, cells = 0;
    (void)self;
    for (index = 0; index < 60; index++) {
        cells += a->all.at[index].count;
    }
    return (int32_t)cells;
}

void sharing_Taker_given(const struct carnet_self *self, struct sharing_Rows *result)
{
    (void)self;
    (void)result;
}

int32_t sharing_Taker_texts(const struct carnet_self *self, const struct carnet_list *a, const struct carnet_list *b,
                            const struct carnet_list *c, const struct carnet_list *d)
{
    (void)self;
    return (int32_t)(a->count + b->count + c->count + d->count);
}

void sharing_Taker_told(const struct carnet_self *self, struct sharing_string4096_list *result,
                        struct sharing_string4096_list *a, struct sharing_string4096_list *b,
                        struct sharing_string4096_list *c)
{
    (void)self;
    (void)result;
    (void)a;
    (void)b;
    (void)c;
}

void sharing_Taker_turn(const struct carnet_self *self, struct carnet_bytes *a, struct carnet_bytes *b,
                        struct carnet_bytes *c, struct carnet_bytes *d, struct carnet_bytes *e, struct carnet_bytes *f,
                        struct carnet_bytes *g, struct carnet_bytes *h)
{
    (void)self;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    (void)e;
    (void)f;
    (void)g;
    (void)h;
}
