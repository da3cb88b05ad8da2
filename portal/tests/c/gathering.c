/* A client that sends long data from where they lie.
 *
 *     gathering ADDRESS           all kinds of data, short and long
 *     gathering counts ADDRESS    what is copied on the way, here and, if it says so, in the server
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "gathering.h"
#include "carnet_client.h"

#include "copies.h"
#include "gathering_values.h"

#define PAIRS_MAX 10000u
#define TEXTS_MAX 300u
#define MARK 0xa5
/* More than heads, words and short data. */
#define LITTLE 4096u

static char letters[TEXT_MAX], crosses[TEXT_MAX];
static unsigned char bytes[BYTES_MAX];
static struct gathering_Pair pairs[PAIRS_MAX];
static struct carnet_string texts[TEXTS_MAX];
static uint64_t words[1 << 15];

static struct carnet_string text(size_t first, size_t len)
{
    struct carnet_string found = {letters + first, len};
    return found;
}

static struct carnet_bytes octets(size_t first, size_t len)
{
    struct carnet_bytes found = {bytes + first, len};
    return found;
}

static uint64_t sum_of(struct carnet_string a, struct carnet_bytes b, int64_t c, struct carnet_string d, struct carnet_bytes e)
{
    uint64_t sum = mixed(mixed(0, a.ptr, a.len), b.ptr, b.len);
    sum = mixed(sum, &c, sizeof c);
    return mixed(mixed(sum, d.ptr, d.len), e.ptr, e.len);
}

/* ---- What should be ---- */

/* Long ones beside short ones, at the edges of both, and of words. */
static void sums(struct carnet_portal store)
{
    static const size_t a_lens[] = {0, 1023, 1024, 1031, TEXT_MAX}, b_lens[] = {0, 7, 1024, 4099, BYTES_MAX - 7},
                        e_lens[] = {0, 1025, SHORT_MAX};
    size_t a, b, e;
    for (a = 0; a < sizeof a_lens / sizeof *a_lens; a++) {
        for (b = 0; b < sizeof b_lens / sizeof *b_lens; b++) {
            for (e = 0; e < sizeof e_lens / sizeof *e_lens; e++) {
                struct carnet_string one = text(TEXT_MAX - a_lens[a], a_lens[a]), four = text(a * 10, b * 10 + e);
                struct carnet_bytes two = octets(a, b_lens[b]), five = octets(b, e_lens[e]);
                int64_t c = -(int64_t)(a * 100 + b);
                CHECK(call_gathering_Store_sum(store, one, two, c, four, five) == (int64_t)sum_of(one, two, c, four, five));
            }
        }
    }
    CHECK(call_gathering_Store_text(store, text(3, TEXT_MAX - 3)) == (int64_t)mixed(0, letters + 3, TEXT_MAX - 3));
}

static bool are_same(const void *one, const void *other, size_t len)
{
    return len == 0 || memcmp(one, other, len) == 0;
}

static struct gathering_Shelf shelf_of(size_t numbers, size_t label, size_t count, size_t len)
{
    static struct carnet_string shelved[20];
    struct carnet_room room = CARNET_ROOM(words);
    struct gathering_Shelf shelf;
    size_t index;
    for (index = 0; index < count; index++) {
        shelved[index] = text(index, len);
    }
    shelf.label = text(9, label);
    CHECK(gathering_int64_pack(&shelf.numbers, &room, &pairs[0].a, numbers));
    CHECK(gathering_string3000_pack(&shelf.texts, &room, shelved, count));
    return shelf;
}

static bool is_same_list(const struct carnet_list *one, const struct carnet_list *other)
{
    size_t len = one->count == 0 ? 0 : (size_t)((const unsigned char *)one->bytes.ptr - one->words) + one->bytes.len;
    return one->count == other->count && are_same(one->words, other->words, len);
}

/* All comes back as it went. */
static void back(struct carnet_portal store, size_t a_len, size_t b_len, size_t pairs_count, size_t texts_count,
                 const struct gathering_Shelf *shelf)
{
    struct carnet_string a = text(1, a_len), seen;
    struct carnet_bytes b = octets(5, b_len);
    struct gathering_Pair_list c = {pairs, pairs_count};
    struct gathering_string4000_list d = {texts, texts_count};
    struct gathering_Shelf e = *shelf;
    struct carnet_list c_back, d_back;
    struct gathering_Pair pair;
    size_t index;
    carnet_failure = CARNET_OK;
    call_gathering_Store_back(store, &a, &b, c, &c_back, d, &d_back, &e);
    CHECK(carnet_failure == CARNET_OK);
    CHECK(a.len == a_len && are_same(a.ptr, letters + 1, a_len) && (a_len == 0 || a.ptr != letters + 1));
    CHECK(b.len == b_len && are_same(b.ptr, bytes + 5, b_len));
    CHECK(c_back.count == pairs_count && d_back.count == texts_count);
    for (index = 0; index < pairs_count; index++) {
        CHECK(gathering_Pair_at(&c_back, index, &pair) && pair.a == pairs[index].a && pair.b == pairs[index].b);
    }
    for (index = 0; index < texts_count; index++) {
        CHECK(gathering_string4000_at(&d_back, index, &seen) && seen.len == texts[index].len);
        CHECK(are_same(seen.ptr, texts[index].ptr, seen.len));
    }
    CHECK(e.label.len == shelf->label.len && are_same(e.label.ptr, shelf->label.ptr, e.label.len));
    CHECK(is_same_list(&shelf->numbers, &e.numbers) && is_same_list(&shelf->texts, &e.texts));
}

static void backs(struct carnet_portal store)
{
    struct gathering_Shelf empty = shelf_of(0, 0, 0, 0), shelf = shelf_of(1001, 77, 3, 5);
    struct carnet_string kept = texts[7];
    back(store, 0, 0, 0, 0, &empty);
    back(store, 1023, 1024, 63, 20, &shelf);
    back(store, 1024, 1023, 64, 1, &empty);
    shelf = shelf_of(10000, 5000, 20, 3000);
    back(store, TEXT_MAX - 1, 400000, PAIRS_MAX, 50, &shelf);
    /* More long texts than are gathered. */
    back(store, 1, 3, 5, TEXTS_MAX, &shelf);
    /* What is found wrong behind long data leaves nothing behind. */
    texts[7].ptr = (const char *)bytes;
    texts[7].len = 300;
    {
        struct carnet_string a = text(0, 5000);
        struct carnet_bytes b = octets(0, 5000);
        struct gathering_Pair_list c = {pairs, 100};
        struct gathering_string4000_list d = {texts, 8};
        struct carnet_list c_back, d_back;
        carnet_failure = CARNET_OK;
        call_gathering_Store_back(store, &a, &b, c, &c_back, d, &d_back, &shelf);
        CHECK(carnet_failure == CARNET_BAD_ARGUMENT && a.ptr == letters && c_back.count == 0);
    }
    texts[7] = kept;
    back(store, 2000, 3000, 4000, 10, &shelf);
}

static void given(struct carnet_portal store)
{
    static const int64_t lens[] = {0, 1, 1023, 1024, 5001, BYTES_MAX};
    size_t index;
    for (index = 0; index < sizeof lens / sizeof *lens; index++) {
        struct carnet_string a, c;
        struct carnet_bytes b, d;
        size_t len = (size_t)lens[index];
        carnet_failure = CARNET_OK;
        call_gathering_Store_given(store, lens[index], &a, &b, &c, &d);
        CHECK(carnet_failure == CARNET_OK && b.len == len && are_same(b.ptr, bytes, len));
        CHECK(a.len == (len < TEXT_MAX ? len : TEXT_MAX) && c.len == (len < 100 ? len : 100));
        CHECK(are_same(a.ptr, crosses, a.len) && are_same(c.ptr, crosses, c.len));
        CHECK(d.len == (len < SHORT_MAX ? len : SHORT_MAX) && are_same(d.ptr, bytes, d.len));
        /* What lies where the next message is made is copied, before that is written over. */
        CHECK(call_gathering_Store_text(store, a) == (int64_t)mixed(0, crosses, a.len));
    }
}

/* ---- How often ---- */

static void begin(struct carnet_portal store)
{
    memset((unsigned char *)carnet_message(store.channel), MARK, CARNET_FRAME_BYTES_MAX);
    memset(&counts, 0, sizeof counts);
}

/* Whether no more than heads and words came into the message. */
static bool is_untouched(struct carnet_portal store)
{
    const unsigned char *message = (const unsigned char *)carnet_message(store.channel);
    size_t index;
    for (index = LITTLE; index < CARNET_FRAME_BYTES_MAX; index++) {
        if (message[index] != MARK) {
            return false;
        }
    }
    return true;
}

static void copies(struct carnet_portal store, bool is_shared)
{
    struct gathering_Shelf shelf = shelf_of(10000, 5000, 20, 3000);
    struct carnet_string a = text(0, TEXT_MAX), c;
    struct carnet_bytes b = octets(0, 400000), d;
    struct gathering_Pair_list pairs_given = {pairs, PAIRS_MAX};
    struct gathering_string4000_list texts_given = {texts, 100};
    struct carnet_list c_back, d_back;
    size_t all, index;
    int64_t served;
    for (index = 0; index < 100; index++) {
        texts[index] = text(index, 2000);
    }
    /* Lent to the system, or copied once, to the memory that is shared. */
    begin(store);
    CHECK(call_gathering_Store_sum(store, a, octets(0, BYTES_MAX), 0, text(0, 100), octets(0, SHORT_MAX)) != 0);
    all = TEXT_MAX + BYTES_MAX + SHORT_MAX;
    CHECK(is_untouched(store) && counts.copied < LITTLE + (is_shared ? all : 0));
    begin(store);
    CHECK(call_gathering_Store_text(store, a) != 0);
    CHECK(is_untouched(store) && counts.copied < LITTLE + (is_shared ? TEXT_MAX : 0));
    /* The same of lists, and of what is in them; the reply is copied to the message, as it is without a buffer. */
    all = TEXT_MAX + 400000 + sizeof pairs + 100 * 2000 + 5000 + 10000 * 8 + 20 * 3000;
    begin(store);
    carnet_failure = CARNET_OK;
    call_gathering_Store_back(store, &a, &b, pairs_given, &c_back, texts_given, &d_back, &shelf);
    CHECK(carnet_failure == CARNET_OK && counts.copied < 2 * LITTLE + (is_shared ? 2 * all : 0));
    /* What a server sends, as much as is taken at once. */
    (void)call_gathering_Store_copied(store);
    call_gathering_Store_given(store, 20000, &a, &b, &c, &d);
    CHECK(carnet_failure == CARNET_OK && b.len == 20000);
    served = call_gathering_Store_copied(store);
    all = 20000 + 20000 + 100 + SHORT_MAX;
    CHECK(served < (int64_t)(LITTLE + (is_shared ? all : 0)));
}

/* What comes back may take the place of what was sent. */
static void turns(struct carnet_portal store)
{
    struct gathering_Box box;
    size_t index;
    for (index = 0; index < sizeof box.raw.at; index++) {
        box.raw.at[index] = (unsigned char)(index % 251);
    }
    CHECK(call_gathering_Store_turned(store, &box, &box) == CARNET_OK);
    for (index = 0; index < sizeof box.raw.at; index++) {
        CHECK(box.raw.at[index] == 255 - index % 251);
    }
}

int main(int argc, char **argv)
{
    const char *address = argv[argc - 1];
    struct carnet_portal store;
    size_t index;
    CHECK(argc >= 2);
    for (index = 0; index < sizeof letters; index++) {
        letters[index] = (char)('a' + index % 23);
    }
    memset(crosses, 'x', sizeof crosses);
    for (index = 0; index < sizeof bytes; index++) {
        bytes[index] = (unsigned char)(index % 251);
    }
    for (index = 0; index < PAIRS_MAX; index++) {
        pairs[index].a = -(int64_t)index;
        pairs[index].b = (double)index / 3;
    }
    for (index = 0; index < TEXTS_MAX; index++) {
        texts[index] = text(index, (index * 37 + 1500) % 4001);
    }
    if (carnet_connect(address, &gathering_module, &gathering_Store_interface, 20000, &store) != CARNET_OK) {
        fprintf(stderr, "%s: %s\n", address, carnet_failure_text);
        return 1;
    }
    if (argc == 2) {
        sums(store);
        backs(store);
        given(store);
        turns(store);
    } else {
        copies(store, strncmp(address, "shm:", 4) == 0);
    }
    carnet_disconnect(store);
    return 0;
}
