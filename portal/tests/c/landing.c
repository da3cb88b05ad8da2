/* A client whose data land in buffers of its own.
 *
 *     landing ADDRESS           all kinds of data, through a connection
 *     landing here              the same of an object of this process
 *     landing counts ADDRESS    how often a MiB is copied, and where it lands
 *     landing ADDRESS NAME ...  for each NAME a connection and a call, and what became of it: the status
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "landing.h"
#include "carnet_client.h"

#include "copies.h"

#ifndef TIMEOUT_MS
#define TIMEOUT_MS 20000
#endif

#define BYTES_MAX (1u << 20)
#define EDGE 64u
#define MARK 0xa5

void *carnet_root(void);

/* ---- Buffers ---- */

/* One with an edge that nobody may touch. */
struct place {
    unsigned char before[EDGE];
    unsigned char bytes[BYTES_MAX + EDGE];
};

/* Of `len` bytes, in a place that is full of marks. */
static struct carnet_buffer room(struct place *place, size_t len)
{
    memset(place, MARK, sizeof *place);
    return carnet_into(place->bytes, len);
}

/* Whether all but the first `len` bytes are as they were. */
static bool is_whole(const struct place *place, size_t len)
{
    const unsigned char *all = (const unsigned char *)place;
    size_t index;
    for (index = 0; index < sizeof *place; index++) {
        if ((index < EDGE || index >= EDGE + len) && all[index] != MARK) {
            return false;
        }
    }
    return true;
}

static bool are_bytes(const void *ptr, size_t len, unsigned first)
{
    const unsigned char *bytes = (const unsigned char *)ptr;
    size_t index;
    for (index = 0; index < len; index++) {
        if (bytes[index] != (index + first) % 251) {
            return false;
        }
    }
    return true;
}

static bool is_text(struct carnet_string text, size_t len)
{
    size_t index;
    for (index = 0; index < text.len; index++) {
        if (text.ptr[index] != 'x') {
            return false;
        }
    }
    return text.len == len;
}

static bool is_turned(struct carnet_bytes bytes, size_t len)
{
    size_t index;
    for (index = 0; index < bytes.len; index++) {
        if (((const unsigned char *)bytes.ptr)[index] != (len - 1 - index) % 251) {
            return false;
        }
    }
    return bytes.len == len;
}

static bool are_pairs(const struct carnet_list *list, size_t count_)
{
    struct landing_Pair pair;
    size_t index;
    for (index = 0; index < list->count; index++) {
        if (!landing_Pair_at(list, index, &pair) || pair.a != (int64_t)index || pair.b != -(int64_t)index) {
            return false;
        }
    }
    return list->count == count_;
}

static bool are_texts(const struct carnet_list *list, size_t count_)
{
    struct carnet_string text;
    size_t index;
    for (index = 0; index < list->count; index++) {
        if (!landing_string9_at(list, index, &text) || text.len != index % 10 ||
            (text.len > 0 && memcmp(text.ptr, "123456789", text.len) != 0)) {
            return false;
        }
    }
    return list->count == count_;
}

static bool is_within(const void *ptr, const struct place *place)
{
    const unsigned char *found = (const unsigned char *)ptr;
    return found >= place->bytes && found < place->bytes + sizeof place->bytes;
}

static struct place places[4];
static unsigned char sent[BYTES_MAX];

/* ---- What should be ---- */

static void one(struct carnet_portal source)
{
    static const size_t lengths[] = {0, 1, 7, 8, 1000, 4095, 65537, BYTES_MAX};
    struct carnet_bytes found;
    struct carnet_string text;
    size_t index;
    for (index = 0; index < sizeof lengths / sizeof *lengths; index++) {
        size_t len = lengths[index];
        CHECK(call_landing_Source_bytes_into(source, (int64_t)len, &found, room(&places[0], len)) == CARNET_OK);
        CHECK(found.len == len && are_bytes(places[0].bytes, len, 0) && is_whole(&places[0], len));
        CHECK(len == 0 || found.ptr == places[0].bytes);
        /* A byte too short: they are where they are without a buffer. */
        CHECK(call_landing_Source_bytes_into(source, (int64_t)len, &found, room(&places[0], len == 0 ? 0 : len - 1)) ==
              CARNET_OK);
        CHECK(found.len == len && are_bytes(found.ptr, len, 0) && is_whole(&places[0], 0));
        CHECK(call_landing_Source_bytes_into(source, (int64_t)len, &found, carnet_into(NULL, 0)) == CARNET_OK);
        CHECK(found.len == len && are_bytes(found.ptr, len, 0));
    }
    CHECK(call_landing_Source_text_into(source, 150000, &text, room(&places[0], 150000)) == CARNET_OK);
    CHECK(text.ptr == (const char *)places[0].bytes && is_text(text, 150000) && is_whole(&places[0], 150000));
    CHECK(call_landing_Source_text_into(source, -1, &text, room(&places[0], 100)) == CARNET_RAISE(landing_Why_asked));
    CHECK(strcmp(carnet_failure_text, "fewer than none") == 0 && is_whole(&places[0], 0));
}

/* An inout may come back to where it was sent from. */
static void back(struct carnet_portal source)
{
    struct carnet_bytes a = {sent, BYTES_MAX};
    CHECK(call_landing_Source_turn_into(source, &a, room(&places[0], BYTES_MAX)) == CARNET_OK);
    CHECK(a.ptr == places[0].bytes && is_turned(a, BYTES_MAX) && is_whole(&places[0], BYTES_MAX));
    (void)room(&places[1], 0);
    memcpy(places[1].bytes, sent, 5000);
    a.ptr = places[1].bytes;
    a.len = 5000;
    CHECK(call_landing_Source_turn_into(source, &a, carnet_into(places[1].bytes, 5000)) == CARNET_OK);
    CHECK(a.ptr == places[1].bytes && is_turned(a, 5000) && is_whole(&places[1], 5000));
}

static void several(struct carnet_portal source, int64_t len)
{
    /* Each bit says which of them have a buffer; of much data, none or all. */
    unsigned which, step = len > 10000 ? 15 : 1;
    for (which = 0; which < 16; which += step) {
        struct carnet_bytes a = {sent, (size_t)len};
        struct carnet_string b, other;
        struct carnet_list d, e;
        struct carnet_buffer into[4];
        int64_t c;
        size_t index, pairs = len < 4000 ? (size_t)len : 4000, texts = len < 1000 ? (size_t)len : 1000;
        for (index = 0; index < 4; index++) {
            into[index] = room(&places[index], BYTES_MAX);
            if ((which >> index & 1) == 0) {
                into[index] = carnet_into(NULL, 0);
            }
        }
        CHECK(call_landing_Source_several_into(source, len, &a, &b, &c, &d, &e, into[0], into[1], into[2], into[3]) == len);
        CHECK(c == -len && is_turned(a, (size_t)len) && is_text(b, (size_t)len));
        CHECK(are_pairs(&d, pairs) && are_texts(&e, texts));
        CHECK(len == 0 || is_within(a.ptr, &places[0]) == ((which & 1) != 0));
        CHECK(len == 0 || is_within(b.ptr, &places[1]) == ((which & 2) != 0));
        CHECK(is_within(d.words, &places[2]) == ((which & 4) != 0));
        CHECK(is_within(e.words, &places[3]) == ((which & 8) != 0));
        for (index = 0; index < 4; index++) {
            CHECK((which >> index & 1) != 0 || is_whole(&places[index], 0));
        }
        CHECK(is_whole(&places[0], (size_t)len) && is_whole(&places[1], (size_t)len));
        CHECK(is_whole(&places[2], 8 + pairs * 16));
        /* What is in buffers outlives the next call. */
        CHECK(call_landing_Source_text(source, 100000, &other) == CARNET_OK);
        CHECK((which & 1) == 0 || is_turned(a, (size_t)len));
        CHECK((which & 8) == 0 || are_texts(&e, texts));
    }
}

static void beside_others(struct carnet_portal source)
{
    struct landing_Card card;
    struct carnet_bytes beside;
    struct carnet_portal next;
    CHECK(call_landing_Source_card_into(source, 70000, &card, &beside, room(&places[0], 70000)) == CARNET_OK);
    CHECK(card.name.len == 6 && memcmp(card.name.ptr, "a card", 6) == 0);
    CHECK(card.picture.len == 70000 && are_bytes(card.picture.ptr, 70000, 1));
    CHECK(beside.ptr == places[0].bytes && beside.len == 70000 && are_bytes(beside.ptr, 70000, 0));
    CHECK(is_whole(&places[0], 70000));
    CHECK(call_landing_Source_next_into(source, 3000, &next, &beside, room(&places[0], 3000)) == CARNET_OK);
    CHECK(beside.ptr == places[0].bytes && are_bytes(beside.ptr, 3000, 0) && is_whole(&places[0], 3000));
    CHECK(call_landing_Source_bytes_into(next, 9, &beside, room(&places[0], 9)) == CARNET_OK && beside.len == 9);
    carnet_release(next);
}

static void all(struct carnet_portal source)
{
    one(source);
    back(source);
    several(source, 0);
    several(source, 1);
    several(source, 5000);
    several(source, 150000);
    beside_others(source);
}

static void here(void)
{
    static struct {
        struct carnet_session session;
        CARNET_ALIGNED unsigned char message[4u << 20];
    } own;
    struct carnet_portal source;
    CHECK(carnet_session_here(&own.session, sizeof own.message, carnet_root(), landing_Source_service(), &source));
    all(source);
    carnet_disconnect(source);
}

/* ---- How often ---- */

/* More than heads and words. */
#define LITTLE 4096u

static void begin(void)
{
    memset(&counts, 0, sizeof counts);
    counts.place = (const char *)places[0].bytes;
    counts.len = sizeof places[0].bytes;
}

static void copies(struct carnet_portal source, bool is_shared)
{
    size_t *in = is_shared ? &counts.copied : &counts.received, *there = is_shared ? &counts.copied_there : &counts.received_there;
    size_t *never = is_shared ? &counts.received : &counts.copied, index;
    unsigned char *message = (unsigned char *)carnet_message(source.channel);
    struct carnet_bytes found, a = {sent, BYTES_MAX};
    struct carnet_buffer buffer = room(&places[0], BYTES_MAX);
    memset(message, MARK, CARNET_FRAME_BYTES_MAX);
    begin();
    CHECK(call_landing_Source_bytes_into(source, BYTES_MAX, &found, buffer) == CARNET_OK);
    CHECK(are_bytes(found.ptr, BYTES_MAX, 0) && is_whole(&places[0], BYTES_MAX));
    /* Once, to where they are wanted. */
    CHECK(*there == BYTES_MAX && *in < BYTES_MAX + LITTLE && *never < LITTLE);
    for (index = LITTLE; index < CARNET_FRAME_BYTES_MAX; index++) {
        CHECK(message[index] == MARK);
    }
    /* Without a buffer once, too, but to the message; from there the caller has to copy them. */
    begin();
    CHECK(call_landing_Source_bytes(source, BYTES_MAX, &found) == CARNET_OK);
    memcpy(places[0].bytes, found.ptr, found.len);
    CHECK(*in >= BYTES_MAX && counts.received_there == 0 && counts.copied_there == BYTES_MAX);
    CHECK(counts.received + counts.copied >= 2 * BYTES_MAX);
    /* What is sent: lent to the system, or copied to the memory that is shared. */
    begin();
    CHECK(call_landing_Source_sum(source, a) > 0);
    CHECK(counts.received < LITTLE && counts.copied < LITTLE + (is_shared ? BYTES_MAX : 0));
}

/* ---- What should not be ---- */

static bool is_empty(const void *place, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)place;
    size_t index;
    for (index = 0; index < len; index++) {
        if (bytes[index] != 0) {
            return false;
        }
    }
    return true;
}

/* All with a buffer of 1,000 bytes; of what was believed all is read. */
static carnet_status called(const char *name, struct carnet_portal source)
{
    struct carnet_bytes found, a = {"abc", 3};
    struct carnet_string b;
    struct carnet_list d, e;
    struct carnet_portal next;
    const void *before = a.ptr;
    carnet_status status = CARNET_OK;
    size_t index;
    int64_t c;
    for (index = 0; index < 4; index++) {
        (void)room(&places[index], 0);
    }
    if (strcmp(name, "bytes") == 0 || strcmp(name, "wide") == 0) {
        size_t len = name[0] == 'b' ? 1000 : BYTES_MAX + 32;
        status = call_landing_Source_bytes_into(source, 0, &found, carnet_into(places[0].bytes, len));
        CHECK(status == CARNET_OK ? are_bytes(found.ptr, found.len, 0) : is_empty(&found, sizeof found));
        CHECK(is_whole(&places[0], len));
        return status;
    }
    if (strcmp(name, "text") == 0) {
        status = call_landing_Source_text_into(source, 0, &b, carnet_into(places[0].bytes, 1000));
        CHECK(status == CARNET_OK ? is_text(b, b.len) : is_empty(&b, sizeof b));
    } else if (strcmp(name, "next") == 0) {
        status = call_landing_Source_next_into(source, 0, &next, &found, carnet_into(places[0].bytes, 1000));
        CHECK(status == CARNET_OK || (is_empty(&found, sizeof found) && is_empty(&next, sizeof next)));
    } else if (strcmp(name, "plain") == 0) {
        status = call_landing_Source_next(source, 0, &next, &found);
        CHECK(status != CARNET_OK && is_empty(&next, sizeof next));
    } else if (strcmp(name, "several") == 0) {
        struct carnet_buffer into[4];
        for (index = 0; index < 4; index++) {
            into[index] = carnet_into(places[index].bytes, 1000);
        }
        carnet_failure = CARNET_OK;
        (void)call_landing_Source_several_into(source, 0, &a, &b, &c, &d, &e, into[0], into[1], into[2], into[3]);
        status = carnet_failure;
        if (status == CARNET_OK) {
            CHECK(are_bytes(a.ptr, a.len, 0) && is_text(b, b.len) && are_pairs(&d, d.count) && are_texts(&e, e.count));
        } else {
            CHECK(a.ptr == before && a.len == 3 && is_empty(&b, sizeof b) && is_empty(&d, sizeof d));
            CHECK(is_empty(&e, sizeof e) && c == 0);
        }
    } else {
        fprintf(stderr, "there is no call %s\n", name);
        exit(1);
    }
    for (index = 0; index < 4; index++) {
        CHECK(is_whole(&places[index], 1000));
    }
    return status;
}

static struct carnet_portal connected(const char *address)
{
    struct carnet_portal source;
    if (carnet_connect(address, &landing_module, &landing_Source_interface, 20000, &source) != CARNET_OK) {
        fprintf(stderr, "%s: %s\n", address, carnet_failure_text);
        exit(1);
    }
    /* That of calls may be short. */
    carnet_connection_of(source.channel)->timeout_ms = TIMEOUT_MS;
    return source;
}

int main(int argc, char **argv)
{
    struct carnet_portal source;
    int index;
    for (index = 0; index < (int)sizeof sent; index++) {
        sent[index] = (unsigned char)(index % 251);
    }
    CHECK(argc >= 2);
    if (strcmp(argv[1], "here") == 0) {
        here();
        return 0;
    }
    if (strcmp(argv[1], "counts") == 0) {
        CHECK(argc == 3);
        source = connected(argv[2]);
        copies(source, strncmp(argv[2], "shm:", 4) == 0);
        carnet_disconnect(source);
        return 0;
    }
    if (argc == 2) {
        source = connected(argv[1]);
        all(source);
        carnet_disconnect(source);
    }
    for (index = 2; index < argc; index++) {
        source = connected(argv[1]);
        printf("%u\n", (unsigned)(called(argv[index], source) & 0xffff));
        fflush(stdout);
        carnet_disconnect(source);
    }
    return 0;
}
