/* The service of extremes.idl as extremes.rs has it: gives back what it gets. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "extremes.h"

#include <stdlib.h>

#define MADE_MAX (4u << 20)

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void extremes_None_released(void *object)
{
    (void)object;
}

void extremes_Extremes_released(void *object)
{
    (void)object;
}

void extremes_Extremes_numbers(const struct carnet_self *self, int8_t *a, uint8_t *b, int16_t *c, uint16_t *d, int32_t *e,
                               uint32_t *f, int64_t *g, uint64_t *h, uint8_t *i, float *j, double *k)
{
    (void)self;
    *a = (int8_t)(-1 - *a);
    *b = (uint8_t)~*b;
    *c = (int16_t)(-1 - *c);
    *d = (uint16_t)~*d;
    *e = -1 - *e;
    *f = ~*f;
    *g = -1 - *g;
    *h = INT64_MAX - *h;
    *i = (uint8_t)~*i;
    *j = -*j;
    *k = -*k;
}

enum extremes_Only extremes_Extremes_only(const struct carnet_self *self, enum extremes_Only a, enum extremes_Only *b)
{
    (void)self;
    *b = a;
    return a;
}

void extremes_Extremes_many(const struct carnet_self *self, const struct extremes_int64x32 *a, struct extremes_int64x32 *b)
{
    size_t index;
    (void)self;
    for (index = 0; index < 32; index++) {
        b->at[index] = a->at[31 - index];
    }
}

void extremes_Extremes_same(const struct carnet_self *self, struct extremes_int64x64 *a)
{
    size_t index;
    (void)self;
    for (index = 0; index < 64; index++) {
        a->at[index] = -1 - a->at[index];
    }
}

int64_t extremes_Extremes_last(const struct carnet_self *self, const struct extremes_int64x63 *a)
{
    (void)self;
    return a->at[62];
}

void extremes_Extremes_first(const struct carnet_self *self, const struct extremes_Most *a)
{
    (void)self;
    (void)a;
}

void extremes_Extremes_letter(const struct carnet_self *self, struct carnet_string a, struct carnet_string *result)
{
    (void)self;
    *result = a;
}

void extremes_Extremes_text(const struct carnet_self *self, struct carnet_string a, struct carnet_string *result)
{
    (void)self;
    *result = a;
}

void extremes_Extremes_piece(const struct carnet_self *self, struct carnet_bytes a, struct carnet_bytes *result)
{
    (void)self;
    *result = a;
}

void extremes_Extremes_bytes(const struct carnet_self *self, struct carnet_bytes a, struct carnet_bytes *result)
{
    (void)self;
    *result = a;
}

uint32_t extremes_Extremes_count(const struct carnet_self *self, struct carnet_bytes a)
{
    (void)self;
    return (uint32_t)a.len;
}

/* So many letters, if that is no more than there is room for. */
static const char *made(int64_t count)
{
    static char letters[MADE_MAX + 1];
    memset(letters, 'm', sizeof letters);
    return count >= 0 && count <= (int64_t)sizeof letters ? letters : NULL;
}

int64_t extremes_Extremes_make(const struct carnet_self *self, int64_t a, struct carnet_bytes *b)
{
    (void)self;
    b->ptr = made(a);
    b->len = b->ptr == NULL ? 0 : (size_t)a;
    return INT64_MIN;
}

carnet_status extremes_Extremes_made(const struct carnet_self *self, int64_t a, struct carnet_string *b,
                                     union extremes_Extremes_made_raised *raised)
{
    (void)self;
    (void)raised;
    if (a < 0) {
        return CARNET_RAISE(extremes_Extremes_made_Nothing);
    }
    b->ptr = made(a);
    b->len = b->ptr == NULL ? 0 : (size_t)a;
    return CARNET_OK;
}

void extremes_Extremes_block(const struct carnet_self *self, const struct extremes_Bytes *a, struct extremes_Bytes *result)
{
    (void)self;
    *result = *a;
}

void extremes_Extremes_letters(const struct carnet_self *self, const struct extremes_string1x32 *a,
                               struct extremes_string1x32 *result)
{
    (void)self;
    *result = *a;
}

/* A list's elements where they stay until the next call. */
#define MIRRORED(name, element, type, max)                                                                     \
    void extremes_Extremes_##name(const struct carnet_self *self, const struct carnet_list *a,                 \
                                  struct extremes_##element##_list *result)                                    \
    {                                                                                                          \
        static type all[max];                                                                                  \
        size_t index;                                                                                          \
        (void)self;                                                                                            \
        for (index = 0; index < a->count; index++) {                                                           \
            if (!extremes_##element##_at(a, index, &all[index])) {                                             \
                abort(); /* all were looked at */                                                              \
            }                                                                                                  \
        }                                                                                                      \
        result->ptr = all;                                                                                     \
        result->count = a->count;                                                                              \
    }

MIRRORED(longs, int64, int64_t, 65536)
MIRRORED(truths, bool, bool, 1)
MIRRORED(texts, string1, struct carnet_string, 65536)
MIRRORED(tomes, string4194304, struct carnet_string, 2)
MIRRORED(mosts, Most, struct extremes_Most, 4)
MIRRORED(blocks, Bytes, struct extremes_Bytes, 3)
MIRRORED(selves, Extremes, struct carnet_reference, 255)

#define SAME(name, type)                                                                                       \
    void extremes_Extremes_##name(const struct carnet_self *self, const struct extremes_##type *a,             \
                                  struct extremes_##type *result)                                              \
    {                                                                                                          \
        (void)self;                                                                                            \
        *result = *a;                                                                                          \
    }

SAME(wide, Wide)
SAME(unsigned_, Unsigned)
SAME(small, Small)
SAME(truth, Truth)
SAME(letter_, Letter)
SAME(alone, Alone)

carnet_status extremes_Extremes_raise(const struct carnet_self *self, struct carnet_string text,
                                      union extremes_Extremes_raise_raised *raised)
{
    (void)self;
    if (text.len == 0) {
        return CARNET_RAISE(extremes_Extremes_raise_Nothing);
    }
    raised->Much.text = text;
    return CARNET_RAISE(extremes_Extremes_raise_Much);
}

void extremes_Extremes_self(const struct carnet_self *self, void *a, void **result)
{
    (void)self;
    *result = a;
}

void extremes_Extremes_tell(const struct carnet_self *self, struct carnet_string a)
{
    (void)self;
    (void)a;
}
