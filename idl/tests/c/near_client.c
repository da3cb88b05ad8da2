/* Calls near_server.c, of the same process and perhaps compiled in another form, as if it were elsewhere. Prints what is wrong
 * and fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "near.h"
#include "carnet_client.h"
#include "check.h"

#define NEAR_BYTES 5000

extern unsigned char near_data[NEAR_BYTES + 1];
bool near_begin(struct carnet_portal *portal, size_t bytes);
size_t near_held(void);

/* Parameters that are copied or gathered, near words beside them. */
static void data(struct carnet_portal near_portal)
{
    static const int32_t lengths[] = {0, 1, 7, 8, 4096, NEAR_BYTES};
    static unsigned char sent[NEAR_BYTES];
    size_t index;
    for (index = 0; index < NEAR_BYTES; index++) {
        sent[index] = 3;
        near_data[index] = (unsigned char)index;
    }
    for (index = 0; index < sizeof lengths / sizeof lengths[0]; index++) {
        int32_t n = lengths[index], sum = -5;
        int64_t wide = -5;
        struct carnet_bytes bytes, found;
        bytes.ptr = sent;
        bytes.len = (size_t)n;
        carnet_failure = CARNET_OK;
        CHECK(call_near_Near_put(near_portal, 9, bytes, &sum) == -9 && sum == 3 * n - 5 && carnet_failure == CARNET_OK);
        CHECK(call_near_Near_put_wide(near_portal, 9, bytes, &wide) == -9 && wide == 3 * n - 5);
        CHECK(call_near_Near_get(near_portal, n, &sum, &found) == -n && sum == 2 * n - 5 && found.len == bytes.len);
        CHECK(memcmp(found.ptr, near_data, found.len) == 0);
        CHECK(call_near_Near_get_wide(near_portal, n, &wide, &found) == -n && wide == 2 * n - 5 && found.len == bytes.len);
        CHECK(memcmp(found.ptr, near_data, found.len) == 0 && carnet_failure == CARNET_OK);
        CHECK(call_near_Near_echo(near_portal, bytes, &found) == CARNET_OK && found.len == bytes.len);
        CHECK(memcmp(found.ptr, sent, found.len) == 0);
    }
}

static void refused(struct carnet_portal near_portal)
{
    static unsigned char sent[NEAR_BYTES + 1];
    struct carnet_bytes bytes = {sent, sizeof sent}, found = {sent, 1};
    int32_t sum = 0, least;
    int64_t wide = 0;
    CHECK(call_near_Near_put(near_portal, 1, bytes, &sum) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(call_near_Near_put_wide(near_portal, 1, bytes, &wide) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(call_near_Near_get(near_portal, NEAR_BYTES + 1, &sum, &found) == 0 && carnet_failure == CARNET_SERVICE);
    CHECK(found.len == 0 && found.ptr == NULL);
    found.len = 1;
    CHECK(call_near_Near_get_wide(near_portal, NEAR_BYTES + 1, &wide, &found) == 0 && carnet_failure == CARNET_SERVICE);
    CHECK(found.len == 0);
    sum = INT32_MIN + 1;
    carnet_failure = CARNET_OK;
    CHECK(call_near_Near_add(near_portal, -1, &sum, &least) == 1 && sum == INT32_MIN && least == INT32_MIN + 1);
    CHECK(carnet_failure == CARNET_OK);
}

static void texts(struct carnet_portal near_portal)
{
    struct carnet_string found;
    CHECK(call_near_Near_both(near_portal, carnet_text("back and forth"), 5, &found) == CARNET_OK);
    CHECK(found.len == 9 && memcmp(found.ptr, "and forth", 9) == 0);
}

/* What is done with portals is the same wherever their objects are. */
static void portals(struct carnet_portal near_portal)
{
    struct carnet_portal one, again, two, none = {NULL, 0};
    CHECK(call_near_Near_thing(near_portal, 7, &one) == CARNET_OK && call_near_Near_thing(near_portal, 8, &two) == CARNET_OK);
    CHECK(call_near_Near_thing(near_portal, 7, &again) == CARNET_OK && near_held() == 2);
    CHECK(call_near_Near_number_of(near_portal, one) == 7 && call_near_Thing_number(two) == 8);
    carnet_release(one);
    CHECK(call_near_Thing_number(again) == 7 && near_held() == 2);
    carnet_release(again);
    carnet_failure = CARNET_OK;
    CHECK(near_held() == 1 && call_near_Thing_number(one) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL);
    /* Once too often, the root, and the null portal: nothing. */
    carnet_release(again);
    carnet_release(near_portal);
    none.channel = near_portal.channel;
    carnet_release(none);
    none.channel = NULL;
    carnet_release(none);
    carnet_disconnect(none);
    carnet_set_waiting(none, CARNET_SPINNING);
    carnet_set_waiting(near_portal, CARNET_SLEEPING);
    CHECK(near_held() == 1 && call_near_Thing_number(two) == 8);
    carnet_disconnect(near_portal);
    CHECK(near_held() == 0);
    carnet_failure = CARNET_OK;
    CHECK(call_near_Thing_number(two) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL);
    carnet_failure = CARNET_OK;
    CHECK(call_near_Near_number_of(near_portal, two) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL);
    carnet_disconnect(near_portal);
}

int main(void)
{
    struct carnet_portal near_portal;
    size_t bytes;
    for (bytes = 0; bytes < CARNET_WORDS_BYTES; bytes += 64) {
        CHECK(!near_begin(&near_portal, bytes));
    }
    CHECK(near_begin(&near_portal, SIZE_MAX));
    data(near_portal);
    refused(near_portal);
    texts(near_portal);
    portals(near_portal);
    return 0;
}
