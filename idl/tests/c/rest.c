/* Portals of replies that nobody is handed are given back, whatever the reply is. The server is this test, by hand;
 * its socket is the word behind its name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "rest.h"
#include "by_hand.h"
#include "carnet_memory.h"
#include "check.h"

static struct carnet_portal root;

/* The answer to the next call. */
static void answers(const uint64_t *words, size_t count, const uint32_t *ids, size_t portals, const char *data)
{
    by_hand_answers(root, 0, 0, words, count, ids, portals, data);
}

static void fails(uint64_t status, uint64_t kind, const uint32_t *ids, size_t portals, const char *data)
{
    by_hand_answers(root, status, kind, NULL, 0, ids, portals, data);
}

/* What the client has given back since it was asked last is `ids`, each once, and all in one message: it is waited for once. */
static void are_given_back(int line, const uint32_t *ids, size_t count)
{
    uint64_t frame[1 << 10];
    size_t found = 0, releases = 0, len, pair;
    while (carnet_ready(by_hand.socket, POLLIN, 0)) {
        CHECK(recv(by_hand.socket, frame, CARNET_HEAD_BYTES, MSG_WAITALL) == (ssize_t)CARNET_HEAD_BYTES);
        len = (size_t)(frame[0] & 0xffffffff);
        CHECK(len >= CARNET_HEAD_BYTES && len <= sizeof frame);
        len -= CARNET_HEAD_BYTES;
        CHECK(len == 0 || recv(by_hand.socket, frame + 2, len, MSG_WAITALL) == (ssize_t)len);
        if ((frame[0] >> 32 & 0xff) == CARNET_KIND_RELEASE) {
            releases++;
            CHECK(len >= 8 && len % 8 == 0);
            for (pair = 0; pair < len / 8; pair++) {
                CHECK(frame[2 + pair] >> 32 == 1);
                if (found >= count || (uint32_t)frame[2 + pair] != ids[found]) {
                    fprintf(stderr, "line %d: %u is given back\n", line, (unsigned)frame[2 + pair]);
                    exit(1);
                }
                found++;
            }
        }
    }
    if (found < count) {
        fprintf(stderr, "line %d: %u is not given back\n", line, (unsigned)ids[found]);
        exit(1);
    }
    if (releases > 1) {
        fprintf(stderr, "line %d: given back in %u messages\n", line, (unsigned)releases);
        exit(1);
    }
}

#define GIVEN_BACK(...)                                                                   \
    do {                                                                                  \
        static const uint32_t expected[] = {__VA_ARGS__};                                 \
        are_given_back(__LINE__, expected, sizeof expected / sizeof expected[0]);         \
    } while (0)

#define NONE_GIVEN_BACK are_given_back(__LINE__, NULL, 0)

static const uint32_t ids[] = {7, 8, 9};
static const uint64_t zeros[8] = {0};

static bool is_none(struct carnet_portal portal)
{
    return portal.channel == NULL && portal.id == 0;
}

/* Operations without portals in their reply, each answered with as many words and data as it has. */
static void where_none_are_expected(void)
{
    const uint64_t word = 2;
    struct carnet_memory memory;
    struct carnet_string text;
    struct carnet_bytes data;
    struct carnet_list list;
    int64_t b = 0;
    int32_t c = 5;
    answers(NULL, 0, ids, 3, "");
    CHECK(call_rest_Thing_nothing(root, 1) == CARNET_PROTOCOL);
    GIVEN_BACK(7, 8, 9);
    answers(zeros, 1, ids, 2, "");
    carnet_failure = CARNET_OK;
    CHECK(call_rest_Thing_number(root, 1) == 0 && carnet_failure == CARNET_PROTOCOL);
    GIVEN_BACK(7, 8);
    answers(zeros, 2, ids, 1, "");
    CHECK(call_rest_Thing_numbers(root, 1, &c, &b) == CARNET_PROTOCOL && c == 5 && b == 0);
    GIVEN_BACK(7);
    answers(&word, 1, ids, 3, "ab");
    CHECK(call_rest_Thing_text(root, &text) == CARNET_PROTOCOL && text.len == 0);
    GIVEN_BACK(7, 8, 9);
    answers(&word, 1, ids, 3, "ab");
    CHECK(call_rest_Thing_data(root, 1, &data) == CARNET_PROTOCOL && data.len == 0);
    GIVEN_BACK(7, 8, 9);
    answers(zeros, 1, ids, 1, "");
    CHECK(call_rest_Thing_list(root, &list) == CARNET_PROTOCOL && list.count == 0);
    GIVEN_BACK(7);
    answers(NULL, 0, ids, 1, "");
    CHECK(call_rest_Thing_failing(root, 1) == CARNET_PROTOCOL);
    GIVEN_BACK(7);
    answers(&word, 1, ids, 3, "");
    CHECK(carnet_map(root, 2, &memory) == CARNET_PROTOCOL);
    GIVEN_BACK(7, 8, 9);
    /* More than there is room for are none. */
    answers(NULL, 0, ids, 2, "");
    CHECK(call_rest_Thing_text(root, &text) == CARNET_PROTOCOL);
    NONE_GIVEN_BACK;
}

/* Beside a failure, and in answers that nobody asks for. */
static void where_nobody_is_handed_any(void)
{
    union rest_Thing_failing_so_raised raised;
    struct carnet_portal one;
    fails(CARNET_RAISED, rest_Reason_never, ids, 2, "why");
    CHECK(call_rest_Thing_failing(root, 1) == CARNET_RAISE(rest_Reason_never));
    GIVEN_BACK(7, 8);
    fails(CARNET_RAISED, CARNET_TYPED, ids, 3, "until __");
    CHECK(call_rest_Thing_failing_so(root, 1, &raised) == CARNET_PROTOCOL);
    GIVEN_BACK(7, 8, 9);
    fails(CARNET_REFUSED, 0, ids, 1, "no");
    CHECK(call_rest_Thing_nothing(root, 1) == CARNET_REFUSED);
    GIVEN_BACK(7);
    fails(CARNET_SERVICE, 0, ids, 3, "no");
    CHECK(call_rest_Thing_one(root, &one) == CARNET_SERVICE && is_none(one));
    GIVEN_BACK(7, 8, 9);
    answers(NULL, 0, ids, 2, "");
    CHECK(call_rest_Thing_tell(root, 1) == CARNET_OK);
    answers(NULL, 0, ids, 0, "");
    CHECK(call_rest_Thing_nothing(root, 1) == CARNET_OK);
    GIVEN_BACK(7, 8);
}

/* Where portals are expected: another number of them, and one that is named twice. */
static void where_some_are_expected(void)
{
    const uint64_t named[] = {0, 1}, twice[] = {1, 1}, all[] = {5, 2, 0, 1, 2}, two[] = {5, 2, 0, 2, 2}, one_of[] = {5, 1, 1, 1, 2};
    const uint64_t wrong[] = {UINT64_C(1) << 40, 1, 1, 1, 2};
    struct carnet_portal first, second, third;
    struct carnet_string name;
    answers(zeros, 1, ids, 2, "");
    CHECK(call_rest_Thing_one(root, &first) == CARNET_PROTOCOL && is_none(first));
    GIVEN_BACK(7, 8);
    answers(named, 2, ids, 2, "");
    CHECK(call_rest_Thing_two(root, &first, &second) == CARNET_OK && first.id == 7 && second.id == 8);
    NONE_GIVEN_BACK;
    answers(twice, 2, ids, 2, "");
    CHECK(call_rest_Thing_two(root, &first, &second) == CARNET_OK && first.id == 8 && second.id == 8);
    GIVEN_BACK(7);
    answers(all, 5, ids, 3, "ab");
    CHECK(call_rest_Thing_three(root, &first, &second, &third, &name) == 5);
    CHECK(first.id == 9 && second.id == 7 && third.id == 8 && name.len == 2 && memcmp(name.ptr, "ab", 2) == 0);
    NONE_GIVEN_BACK;
    answers(two, 5, ids, 3, "ab");
    CHECK(call_rest_Thing_three(root, &first, &second, &third, &name) == 5);
    CHECK(first.id == 9 && second.id == 7 && third.id == 9 && memcmp(name.ptr, "ab", 2) == 0);
    GIVEN_BACK(8);
    answers(one_of, 5, ids, 3, "ab");
    CHECK(call_rest_Thing_three(root, &first, &second, &third, &name) == 5);
    GIVEN_BACK(7, 9);
    /* What is refused for another reason is given back once. */
    answers(wrong, 5, ids, 3, "ab");
    carnet_failure = CARNET_OK;
    CHECK(call_rest_Thing_three(root, &first, &second, &third, &name) == 0 && carnet_failure == CARNET_PROTOCOL && is_none(first));
    GIVEN_BACK(7, 8, 9);
}

/* ---- An object of this process, which is called as something else ---- */

static int thing, maker;
static unsigned released;

void *carnet_root(void);

static void of_this_process(void)
{
    static struct {
        struct carnet_session session;
        uint64_t message[(1 << 13) / 8];
    } here;
    struct carnet_portal portal;
    struct carnet_list list;
    CHECK(carnet_session_here(&here.session, sizeof here.message, &maker, rest_Maker_service(), &portal));
    CHECK(call_rest_Thing_list(portal, &list) == CARNET_PROTOCOL && released == 1);
    carnet_disconnect(portal);
    CHECK(released == 1);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    root = by_hand_begin(argv[1], &rest_module);
    where_none_are_expected();
    where_nobody_is_handed_any();
    where_some_are_expected();
    carnet_disconnect(root);
    by_hand_end();
    of_this_process();
    return 0;
}

void rest_Maker_made(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = &thing;
}

void rest_Maker_released(void *object)
{
    CHECK(object == &maker);
}

void rest_Thing_released(void *object)
{
    CHECK(object == &thing);
    released++;
}

/* Nobody calls these. */

void rest_Thing_list(const struct carnet_self *self, struct rest_int32_list *a)
{
    (void)self;
    (void)a;
}

void rest_Thing_nothing(const struct carnet_self *self, int64_t a)
{
    (void)self;
    (void)a;
}

int32_t rest_Thing_number(const struct carnet_self *self, int32_t a)
{
    (void)self;
    return a;
}

void rest_Thing_numbers(const struct carnet_self *self, int32_t a, int32_t *c, int64_t *b)
{
    (void)self;
    (void)a;
    (void)c;
    (void)b;
}

void rest_Thing_text(const struct carnet_self *self, struct carnet_string *a)
{
    (void)self;
    (void)a;
}

void rest_Thing_data(const struct carnet_self *self, int64_t a, struct carnet_bytes *b)
{
    (void)self;
    (void)a;
    (void)b;
}

carnet_status rest_Thing_failing(const struct carnet_self *self, int32_t a)
{
    (void)self;
    (void)a;
    return CARNET_OK;
}

carnet_status rest_Thing_failing_so(const struct carnet_self *self, int32_t a, union rest_Thing_failing_so_raised *raised)
{
    (void)self;
    (void)a;
    (void)raised;
    return CARNET_OK;
}

void rest_Thing_tell(const struct carnet_self *self, int32_t a)
{
    (void)self;
    (void)a;
}

void rest_Thing_one(const struct carnet_self *self, void **result)
{
    (void)self;
    (void)result;
}

void rest_Thing_two(const struct carnet_self *self, void **first, void **second)
{
    (void)self;
    (void)first;
    (void)second;
}

int32_t rest_Thing_three(const struct carnet_self *self, void **first, void **second, void **third, struct carnet_string *name)
{
    (void)self;
    (void)first;
    (void)second;
    (void)third;
    (void)name;
    return 0;
}
