/* Objects that a reply cannot hand out are let go of, each once: the session holds as many as it may, or a result leaves its
 * bounds. Prints what is wrong and fails. */
#define CARNET_SERVER
#include "hands.h"
#include "check.h"

void *carnet_root(void);

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 16) / 8 + CARNET_WORDS_BYTES / 8];
} server;

static int root;
static size_t live, made_all;
static char text[64];

void *carnet_root(void)
{
    return &root;
}

static void *made(void)
{
    int *object = malloc(sizeof *object);
    CHECK(object != NULL);
    live++;
    made_all++;
    return object;
}

/* ---- The service ---- */

void hands_Thing_one(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = made();
}

void hands_Thing_two(const struct carnet_self *self, void **first, void **second)
{
    (void)self;
    *first = made();
    *second = made();
}

void hands_Thing_twice(const struct carnet_self *self, void **first, void **second)
{
    (void)self;
    *first = *second = made();
}

void hands_Thing_named(const struct carnet_self *self, int32_t bytes, void **result, struct carnet_string *name)
{
    (void)self;
    *result = made();
    name->ptr = text;
    name->len = (size_t)bytes;
}

void hands_Thing_data(const struct carnet_self *self, int32_t bytes, void **result, struct carnet_bytes *data)
{
    (void)self;
    *result = made();
    data->ptr = text;
    data->len = (size_t)bytes;
}

void hands_Shop_pairs(const struct carnet_self *self, int32_t count, int32_t bytes, struct hands_Pair_list *all,
                      void **last)
{
    static struct hands_Pair pairs[32];
    size_t index;
    (void)self;
    for (index = 0; index < (size_t)count; index++) {
        /* Of each four, one is there twice. */
        pairs[index].thing = index % 4 == 3 ? pairs[index - 1].thing : carnet_served(made(), hands_Thing_service());
        pairs[index].name.ptr = text;
        pairs[index].name.len = index + 1 == (size_t)count ? (size_t)bytes : 1;
    }
    /* The one that is there twice stands on both sides of what may be wrong. */
    if (count > 4) {
        pairs[2].name.len = (size_t)bytes;
    }
    all->ptr = pairs;
    all->count = (size_t)count;
    *last = made();
}

void hands_Shop_many(const struct carnet_self *self, int32_t count, struct hands_Thing_list *result)
{
    static struct carnet_reference many[CARNET_OBJECTS_MAX];
    size_t index;
    (void)self;
    for (index = 0; index < (size_t)count; index++) {
        many[index] = carnet_served(made(), hands_Thing_service());
    }
    result->ptr = many;
    result->count = (size_t)count;
}

/* Twice for one object is an error that the checks of addresses find. */
void hands_Thing_released(void *object)
{
    live--;
    free(object);
}

void hands_Shop_released(void *object)
{
    CHECK(object == NULL);
}

/* ---- The client ---- */

/* Portals that the session holds besides the root. */
static size_t held(void)
{
    size_t index, count = 0;
    for (index = 2; index < CARNET_OBJECTS_MAX; index++) {
        count += server.session.services[index] != NULL;
    }
    return count;
}

/* A call that failed: nothing was made if it was refused. */
static void failed(carnet_status status, size_t made_before, size_t held_before)
{
    CHECK(status == CARNET_REFUSED ? made_all == made_before : status == CARNET_SERVICE);
    CHECK(live == held() && held() == held_before);
}

/* Every form of reply, with so many portals left in the session; none may be lost. */
static void ask(struct carnet_portal shop)
{
    struct carnet_portal first, second;
    struct carnet_string name;
    struct carnet_bytes data;
    struct carnet_list all;
    int32_t count, bytes;
    size_t before = held(), so_far = made_all, left = CARNET_OBJECTS_MAX - 2 - before;
    carnet_status status;
    if ((status = call_hands_Thing_one(shop, &first)) != CARNET_OK) {
        CHECK(left < 1 && status == CARNET_REFUSED);
        failed(status, so_far, before);
    }
    so_far = made_all;
    before = held();
    if ((status = call_hands_Thing_two(shop, &first, &second)) != CARNET_OK) {
        CHECK(left < 3 && status == CARNET_REFUSED);
        failed(status, so_far, before);
    }
    CHECK(live == held());
    so_far = made_all;
    before = held();
    if ((status = call_hands_Thing_twice(shop, &first, &second)) != CARNET_OK) {
        CHECK(left < 5 && status == CARNET_REFUSED);
        failed(status, so_far, before);
    }
    CHECK(live == held());
    /* Nobody knows before how many they are: some are made, and let go of. */
    for (count = 0; count < 6; count++) {
        so_far = made_all;
        before = held();
        if ((status = call_hands_Shop_many(shop, count, &all)) != CARNET_OK) {
            CHECK(status == CARNET_SERVICE && made_all == so_far + (size_t)count);
            failed(status, so_far, before);
        } else {
            CHECK(held() == before + (size_t)count);
        }
        CHECK(live == held());
        carnet_session_end(&server.session);
        while (held() < before) {
            CHECK(call_hands_Thing_one(shop, &first) == CARNET_OK);
        }
    }
    for (bytes = 7; bytes < 10; bytes++) {
        before = held();
        if (call_hands_Thing_named(shop, bytes, &first, &name) != CARNET_OK) {
            CHECK(held() == before);
        }
        CHECK(live == held());
        before = held();
        if (call_hands_Thing_data(shop, bytes, &first, &data) != CARNET_OK) {
            CHECK(held() == before);
        }
        CHECK(live == held());
        for (count = 0; count < 22; count++) {
            before = held();
            if (call_hands_Shop_pairs(shop, count, bytes, &all, &first) != CARNET_OK) {
                CHECK(held() == before);
            } else {
                CHECK(count <= 20 && (count == 0 || bytes <= 8));
            }
            CHECK(live == held());
            if (held() > before) {
                /* The next one finds as few. */
                carnet_session_end(&server.session);
                CHECK(live == 0);
                while (held() < before) {
                    CHECK(call_hands_Thing_one(shop, &first) == CARNET_OK);
                }
            }
        }
    }
}

int main(void)
{
    struct carnet_portal shop, thing;
    size_t left;
    CHECK(carnet_session_here(&server.session, sizeof server.message, carnet_root(), hands_Shop_service(), &shop));
    for (left = 0; left < 30; left++) {
        carnet_session_end(&server.session);
        CHECK(live == 0 && held() == 0);
        while (held() + left < CARNET_OBJECTS_MAX - 2) {
            CHECK(call_hands_Thing_one(shop, &thing) == CARNET_OK);
        }
        ask(shop);
    }
    carnet_session_end(&server.session);
    CHECK(live == 0);
    return 0;
}
