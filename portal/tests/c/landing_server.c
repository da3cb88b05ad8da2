/* The service of landing.idl: data of as many bytes as a caller says. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "landing.h"

#define BYTES_MAX (1u << 20)

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void landing_Source_released(void *object)
{
    (void)object;
}

/* `len` bytes from `first` on. */
static struct carnet_bytes bytes_of(int64_t len, unsigned first)
{
    static unsigned char all[BYTES_MAX + 256];
    struct carnet_bytes found = {all + first, (size_t)len};
    size_t index;
    for (index = 0; index < sizeof all && all[1] == 0; index++) {
        all[sizeof all - 1 - index] = (unsigned char)((sizeof all - 1 - index) % 251);
    }
    return found;
}

static struct carnet_string text_of(int64_t len)
{
    static char all[landing_TEXT_MAX];
    struct carnet_string found = {all, (size_t)len};
    memset(all, 'x', sizeof all);
    return found;
}

static void turn(struct carnet_bytes *bytes)
{
    static unsigned char all[BYTES_MAX];
    size_t index;
    for (index = 0; index < bytes->len; index++) {
        all[index] = ((const unsigned char *)bytes->ptr)[bytes->len - 1 - index];
    }
    bytes->ptr = all;
}

void landing_Source_bytes(const struct carnet_self *self, int64_t len, struct carnet_bytes *result)
{
    (void)self;
    *result = bytes_of(len, 0);
}

carnet_status landing_Source_text(const struct carnet_self *self, int64_t len, struct carnet_string *result)
{
    (void)self;
    if (len < 0) {
        return carnet_raise(landing_Why_asked, "fewer than none");
    }
    *result = text_of(len);
    return CARNET_OK;
}

void landing_Source_turn(const struct carnet_self *self, struct carnet_bytes *a)
{
    (void)self;
    turn(a);
}

int64_t landing_Source_several(const struct carnet_self *self, int64_t len, struct carnet_bytes *a, struct carnet_string *b,
                               int64_t *c, struct landing_Pair_list *d, struct landing_string9_list *e)
{
    static struct landing_Pair pairs[4000];
    static struct carnet_string texts[1000];
    size_t index;
    (void)self;
    turn(a);
    *b = text_of(len);
    *c = -len;
    for (index = 0; index < 4000; index++) {
        pairs[index].a = (int64_t)index;
        pairs[index].b = -(int64_t)index;
    }
    for (index = 0; index < 1000; index++) {
        texts[index].ptr = "123456789";
        texts[index].len = index % 10;
    }
    d->ptr = pairs;
    d->count = len < 4000 ? (size_t)len : 4000;
    e->ptr = texts;
    e->count = len < 1000 ? (size_t)len : 1000;
    return len;
}

void landing_Source_card(const struct carnet_self *self, int64_t len, struct landing_Card *result, struct carnet_bytes *beside)
{
    (void)self;
    result->name = carnet_text("a card");
    result->picture = bytes_of(len, 1);
    *beside = bytes_of(len, 0);
}

void landing_Source_next(const struct carnet_self *self, int64_t len, void **result, struct carnet_bytes *a)
{
    *result = self->object;
    *a = bytes_of(len, 0);
}

int64_t landing_Source_sum(const struct carnet_self *self, struct carnet_bytes a)
{
    int64_t sum = 0;
    size_t index;
    (void)self;
    for (index = 0; index < a.len; index++) {
        sum += ((const unsigned char *)a.ptr)[index];
    }
    return sum;
}
