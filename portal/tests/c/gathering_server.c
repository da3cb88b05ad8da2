/* The service of gathering.idl. It counts what its process copies. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "gathering.h"

#include "copies.h"
#include "gathering_values.h"

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void gathering_Store_released(void *object)
{
    (void)object;
}

int64_t gathering_Store_sum(const struct carnet_self *self, struct carnet_string a, struct carnet_bytes b, int64_t c,
                            struct carnet_string d, struct carnet_bytes e)
{
    uint64_t sum = mixed(mixed(0, a.ptr, a.len), b.ptr, b.len);
    (void)self;
    sum = mixed(sum, &c, sizeof c);
    return (int64_t)mixed(mixed(sum, d.ptr, d.len), e.ptr, e.len);
}

int64_t gathering_Store_text(const struct carnet_self *self, struct carnet_string a)
{
    (void)self;
    return (int64_t)mixed(0, a.ptr, a.len);
}

/* Of lists what came is sent anew, from where it lies. */
void gathering_Store_back(const struct carnet_self *self, struct carnet_string *a, struct carnet_bytes *b,
                          const struct carnet_list *c, struct gathering_Pair_list *c_back, const struct carnet_list *d,
                          struct gathering_string4000_list *d_back, struct gathering_Shelf *e)
{
    static struct gathering_Pair pairs[10000];
    static struct carnet_string texts[300];
    (void)self;
    (void)a;
    (void)b;
    (void)e;
    for (c_back->count = 0; c_back->count < c->count; c_back->count++) {
        CHECK(gathering_Pair_at(c, c_back->count, &pairs[c_back->count]));
    }
    for (d_back->count = 0; d_back->count < d->count; d_back->count++) {
        CHECK(gathering_string4000_at(d, d_back->count, &texts[d_back->count]));
    }
    c_back->ptr = pairs;
    d_back->ptr = texts;
}

void gathering_Store_given(const struct carnet_self *self, int64_t len, struct carnet_string *a, struct carnet_bytes *b,
                           struct carnet_string *c, struct carnet_bytes *d)
{
    static char text[TEXT_MAX];
    static unsigned char bytes[BYTES_MAX];
    size_t index;
    (void)self;
    for (index = 0; index < sizeof bytes; index++) {
        bytes[index] = (unsigned char)(index % 251);
    }
    memset(text, 'x', sizeof text);
    a->ptr = c->ptr = text;
    b->ptr = d->ptr = bytes;
    b->len = (size_t)len;
    a->len = b->len < TEXT_MAX ? b->len : TEXT_MAX;
    c->len = b->len < 100 ? b->len : 100;
    d->len = b->len < SHORT_MAX ? b->len : SHORT_MAX;
}

void gathering_Store_turned(const struct carnet_self *self, const struct gathering_Box *it, struct gathering_Box *result)
{
    size_t index;
    (void)self;
    for (index = 0; index < sizeof it->raw.at; index++) {
        result->raw.at[index] = (unsigned char)~it->raw.at[index];
    }
}

int64_t gathering_Store_copied(const struct carnet_self *self)
{
    int64_t copied = (int64_t)counts.copied;
    (void)self;
    counts.copied = 0;
    return copied;
}
