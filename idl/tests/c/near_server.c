/* The service of near.idl, and a session for a client in its process. */
#define CARNET_SERVER
#include "near.h"
#include "check.h"

#define NEAR_BYTES 5000

extern unsigned char near_data[NEAR_BYTES + 1];
bool near_begin(struct carnet_portal *portal, size_t bytes);
size_t near_held(void);

unsigned char near_data[NEAR_BYTES + 1];
static int32_t numbers[100];
static size_t held;

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 15) / 8];
} here;

bool near_begin(struct carnet_portal *portal, size_t bytes)
{
    CHECK(near_Near_service()->piece_bytes_max == CARNET_PIECE_BYTES(NEAR_BYTES));
    bytes = bytes < sizeof here.message ? bytes : sizeof here.message;
    return carnet_session_here(&here.session, bytes, numbers, near_Near_service(), portal);
}

size_t near_held(void)
{
    return held;
}

int32_t near_Near_add(const struct carnet_self *self, int32_t a, int32_t *sum, int32_t *least)
{
    (void)self;
    *least = a < *sum ? a : *sum;
    *sum += a;
    return -a;
}

static int64_t sum_of(struct carnet_bytes data)
{
    int64_t sum = 0;
    size_t index;
    for (index = 0; index < data.len; index++) {
        sum += ((const unsigned char *)data.ptr)[index];
    }
    return sum;
}

int32_t near_Near_put(const struct carnet_self *self, int32_t a, struct carnet_bytes data, int32_t *sum)
{
    (void)self;
    *sum += (int32_t)sum_of(data);
    return -a;
}

int32_t near_Near_get(const struct carnet_self *self, int32_t n, int32_t *sum, struct carnet_bytes *data)
{
    (void)self;
    data->ptr = near_data;
    data->len = (size_t)n;
    *sum -= n;
    return -n;
}

int64_t near_Near_put_wide(const struct carnet_self *self, int64_t a, struct carnet_bytes data, int64_t *sum)
{
    (void)self;
    *sum += sum_of(data);
    return -a;
}

int64_t near_Near_get_wide(const struct carnet_self *self, int64_t n, int64_t *sum, struct carnet_bytes *data)
{
    (void)self;
    data->ptr = near_data;
    data->len = (size_t)n;
    *sum -= n;
    return -n;
}

void near_Near_echo(const struct carnet_self *self, struct carnet_bytes data, struct carnet_bytes *result)
{
    (void)self;
    *result = data;
}

void near_Near_both(const struct carnet_self *self, struct carnet_string a, int32_t b, struct carnet_string *result)
{
    (void)self;
    CHECK(b >= 0 && (size_t)b <= a.len);
    result->ptr = a.ptr + b;
    result->len = a.len - (size_t)b;
}

void near_Near_thing(const struct carnet_self *self, int32_t number, void **result)
{
    (void)self;
    CHECK(number > 0 && number < 100);
    if (numbers[number] == 0) {
        numbers[number] = number;
        held++;
    }
    *result = &numbers[number];
}

int32_t near_Near_number_of(const struct carnet_self *self, void *thing)
{
    (void)self;
    return *(int32_t *)thing;
}

int32_t near_Thing_number(const struct carnet_self *self)
{
    return *(int32_t *)self->object;
}

void near_Thing_released(void *object)
{
    CHECK(*(int32_t *)object != 0);
    *(int32_t *)object = 0;
    held--;
}

void near_Near_released(void *object)
{
    CHECK(object == NULL);
}
