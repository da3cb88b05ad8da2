/* What a server's function leaves unset is sent as zeros or as nothing: neither what was on its stack, nor what its client, or
 * the one before, wrote to the buffer. Prints what is wrong and fails. */
#define CARNET_SERVER
#include "unset.h"
#include "check.h"

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 16) / 8 + CARNET_WORDS_BYTES / 8];
} server;

static char secret[64] = "what a server keeps to itself";
static int root;
/* What functions with exceptions return. */
static carnet_status returned;
static size_t released;

/* Leaves words on the stack that are addresses of the secret, and lengths of it. */
__attribute__((noinline)) static void dirty(void)
{
    volatile uint64_t words[512];
    size_t index;
    for (index = 0; index < 512; index++) {
        words[index] = index % 2 == 0 ? (uint64_t)(uintptr_t)secret : 8;
    }
    (void)words[0];
}

/* ---- The service, which does nothing ---- */

#define UNSET_0 (void)self
#define UNSET_1(a) (void)self; (void)a
#define UNSET_2(a, b) UNSET_1(a); (void)b
#define UNSET_3(a, b, c) UNSET_2(a, b); (void)c

int64_t unset_Kinds_words(const struct carnet_self *self, int64_t a, int64_t *b, int64_t *c)
{
    UNSET_3(a, b, c);
    return 0;
}

int32_t unset_Kinds_halves(const struct carnet_self *self, int32_t a, int32_t *b, int32_t *c)
{
    UNSET_3(a, b, c);
    return 0;
}

void unset_Kinds_scalars(const struct carnet_self *self, int64_t a, bool *b, enum unset_Colour *c, double *d, uint8_t *e,
                         uint16_t *f, int16_t *g)
{
    UNSET_3(a, b, c);
    (void)d;
    (void)e;
    (void)f;
    (void)g;
}

void unset_Kinds_behind(const struct carnet_self *self, struct carnet_string a, int64_t *b, bool *c)
{
    UNSET_3(a, b, c);
}

void unset_Kinds_text(const struct carnet_self *self, int64_t a, struct carnet_string *result)
{
    UNSET_2(a, result);
}

void unset_Kinds_data(const struct carnet_self *self, int64_t a, struct carnet_bytes *result)
{
    UNSET_2(a, result);
}

int64_t unset_Kinds_piece(const struct carnet_self *self, int64_t a, struct carnet_bytes *b)
{
    UNSET_2(a, b);
    return 0;
}

int32_t unset_Kinds_half_piece(const struct carnet_self *self, int32_t a, struct carnet_bytes *b)
{
    UNSET_2(a, b);
    return 0;
}

void unset_Kinds_apart(const struct carnet_self *self, struct carnet_string a, struct carnet_string *result, int64_t *b)
{
    UNSET_3(a, result, b);
}

void unset_Kinds_point(const struct carnet_self *self, int64_t a, struct unset_Point *result)
{
    UNSET_2(a, result);
}

carnet_status unset_Kinds_refuse(const struct carnet_self *self, int32_t a, int64_t *b, struct carnet_string *c)
{
    UNSET_3(a, b, c);
    if (a == 1) {
        (void)carnet_raise(unset_Reason_odd, secret); /* and thinks better of it */
        return CARNET_OK;
    }
    return returned;
}

carnet_status unset_Kinds_hold(const struct carnet_self *self, int32_t a, int64_t *b, struct unset_int32x5 *c,
                                      union unset_Kinds_hold_raised *raised)
{
    UNSET_3(a, b, c);
    (void)raised;
    return returned;
}

void unset_Kinds_choice(const struct carnet_self *self, int32_t a, struct unset_Choice *result, struct unset_int32x5 *b,
                        struct unset_uint8x16 *c)
{
    UNSET_3(a, result, b);
    (void)c;
}

void unset_Kinds_points(const struct carnet_self *self, int32_t a, struct unset_Point_list *result,
                        struct unset_int32_list *b)
{
    UNSET_3(a, result, b);
}

void unset_Kinds_one(const struct carnet_self *self, int32_t a, void **result)
{
    UNSET_2(a, result);
}

/* Sets one of the two. */
void unset_Kinds_two(const struct carnet_self *self, int32_t a, void **b, void **c, int64_t *d)
{
    UNSET_3(b, c, d);
    *(a == 0 ? b : c) = secret;
}

void unset_Kinds_all(const struct carnet_self *self, int32_t a, struct unset_Kinds_list *result, void **b)
{
    static struct carnet_reference made[3];
    (void)self;
    made[0] = carnet_served(secret, unset_Kinds_service());
    made[1] = carnet_served(a == 0 ? NULL : secret, unset_Kinds_service());
    result->ptr = made;
    result->count = 2;
    *b = secret;
}

void unset_Kinds_released(void *object)
{
    CHECK(object == secret);
    released++;
}

/* ---- Requests ---- */

/* Serves a request whose argument block is in the buffer, between words that are addresses and lengths. What comes back is as
 * it leaves for another process; with what follows, zeros. */
static struct carnet_answer served(uint64_t op, size_t words)
{
    uint64_t *message = carnet_message(&server.session.channel);
    size_t index;
    struct carnet_answer answer;
    for (index = 2 + words; index < 512; index++) {
        message[index] = index % 2 == 0 ? (uint64_t)(uintptr_t)secret : 8;
    }
    for (index = 2; index < 2 + words; index++) {
        message[index] = 0;
    }
    dirty();
    answer = carnet_dispatch(&server.session.channel, 1, CARNET_FLAT(op, 16 + 8 * words, 0));
    answer.head = carnet_far(answer.reply, answer.head);
    return answer;
}

static void is_zero(uint64_t op, size_t words, size_t reply_words)
{
    struct carnet_answer answer = served(op, words);
    size_t index, len = CARNET_HEAD_BYTES + 8 * reply_words;
    CHECK(CARNET_OP(answer.head) == CARNET_OK);
    if (CARNET_HAS_PIECE(answer.head)) {
        struct carnet_bytes piece = CARNET_IS_COPIED(answer.head)
                                        ? carnet_copied(answer.reply, CARNET_WORDS(answer.head), CARNET_PIECE_WORD(answer.head))
                                        : carnet_gathered(answer.reply, CARNET_WORDS(answer.head));
        CHECK(piece.len == 0);
        carnet_put(answer.reply, 2 + CARNET_PIECE_WORD(answer.head), 0);
        CHECK(CARNET_WORDS(answer.head) == reply_words);
    } else {
        CHECK(CARNET_LEN(answer.head) <= len);
    }
    for (index = 2; index < 2 + reply_words; index++) {
        CHECK(answer.reply[index] == 0);
    }
}

/* Also when the message that a function raised comes to nothing, the reply says what it may say and no more. */
static void statuses(void)
{
    static const carnet_status none[] = {0x10000, 0x8000, 0x18000, 0x7fff, 13, 0x10002, UINT32_MAX};
    struct carnet_answer answer;
    size_t index;
    for (index = 0; index < sizeof none / sizeof none[0]; index++) {
        returned = none[index];
        CHECK(CARNET_OP(served(10, 1).head) == CARNET_SERVICE);
        CHECK(CARNET_OP(served(11, 1).head) == CARNET_SERVICE);
    }
    returned = CARNET_RAISE(unset_Kinds_hold_Held);
    answer = served(11, 1);
    CHECK(CARNET_OP(answer.head) == CARNET_RAISED && CARNET_LEN(answer.head) == 48);
    CHECK(answer.reply[2] == 0 && answer.reply[3] == 16 && answer.reply[4] == 0 && answer.reply[5] == 0);
    returned = CARNET_OK;
}

static void shown(const char *text, const char *expected)
{
    char found[64];
    carnet_show(found, (const unsigned char *)text, strlen(text));
    CHECK(strcmp(found, expected) == 0);
}

/* What is said to people is this failure's, and nothing that a terminal obeys. */
static void texts(struct carnet_portal portal)
{
    static uint64_t reply[16];
    static const char hostile[] = "\x1b[2Jno\r\n\x7f\xc2\x9b" "31m \xc3\x9f";
    struct carnet_answer answer = {CARNET_FLAT(CARNET_REFUSED, 16 + sizeof hostile - 1, 0), reply};
    struct carnet_string text;
    int64_t number;
    returned = CARNET_RAISE(unset_Reason_odd);
    CHECK(call_unset_Kinds_refuse(portal, 1, &number, &text) == CARNET_OK);
    CHECK(call_unset_Kinds_refuse(portal, 0, &number, &text) == returned && strcmp(carnet_failure_text, "") == 0);
    returned = CARNET_OK;
    memcpy(reply + 2, hostile, sizeof hostile - 1);
    CHECK(carnet_failed(answer) == CARNET_REFUSED && strcmp(carnet_failure_text, "?[2Jno?????31m \xc3\x9f") == 0);
    shown("\x9b" "31m\x85\x80", "?31m??");
    shown("a\xe2\x80\xae" "b\xe2\x80\x8f\xe2\x81\xa6\xd8\x9c", "a???b????????");
    shown("\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x81\x81", "??????????");
    /* No letters: too long, half of a pair, beyond the last, cut. */
    shown("\xc0\x9b\xe0\x82\x9b\xed\xa0\x80\xf4\x90\x80\x80\xff\xe2\x82", "???????????????");
    shown("\xe2\x82\xac \xf0\x9f\x98\x80 \xe2\x80\x8d \xc2\xa0", "\xe2\x82\xac \xf0\x9f\x98\x80 \xe2\x80\x8d \xc2\xa0");
}

static void objects(struct carnet_portal portal)
{
    struct carnet_portal one, two;
    struct carnet_list list;
    int64_t number;
    CHECK(call_unset_Kinds_one(portal, 0, &one) == CARNET_SERVICE && one.channel == NULL && released == 0);
    CHECK(call_unset_Kinds_two(portal, 0, &one, &two, &number) == CARNET_SERVICE && released == 1);
    CHECK(call_unset_Kinds_two(portal, 1, &one, &two, &number) == CARNET_SERVICE && released == 2);
    CHECK(call_unset_Kinds_all(portal, 0, &list, &one) == CARNET_SERVICE && released == 3);
    CHECK(call_unset_Kinds_all(portal, 1, &list, &one) == CARNET_OK && list.count == 2 && released == 3);
    carnet_session_end(&server.session);
    CHECK(released == 4);
}

/* What is more than words and data: an array of bytes is as long as it is, whatever is in it. */
static void values(struct carnet_portal portal)
{
    static const struct unset_uint8x16 none = {{0}};
    struct unset_Choice choice;
    struct unset_int32x5 row;
    struct unset_uint8x16 key;
    struct carnet_list points, numbers;
    size_t index;
    memset(&choice, 1, sizeof choice);
    memset(&row, 1, sizeof row);
    dirty();
    CHECK(call_unset_Kinds_choice(portal, 0, &choice, &row, &key) == CARNET_OK);
    CHECK(choice.which == 0 && choice.is.number == 0 && memcmp(&key, &none, sizeof key) == 0);
    for (index = 0; index < 5; index++) {
        CHECK(row.at[index] == 0);
    }
    dirty();
    CHECK(call_unset_Kinds_points(portal, 0, &points, &numbers) == CARNET_OK && points.count == 0 && numbers.count == 0);
}

int main(void)
{
    struct carnet_portal portal;
    int64_t b = 1, c = 1;
    CHECK(carnet_session_here(&server.session, sizeof server.message, &root, unset_Kinds_service(), &portal));
    is_zero(0, 1, 3);
    is_zero(1, 1, 3);
    is_zero(2, 1, 6);
    is_zero(3, 1, 2);
    is_zero(4, 1, 1);
    is_zero(5, 1, 1);
    is_zero(6, 1, 2);
    is_zero(7, 1, 2);
    is_zero(8, 1, 2);
    is_zero(9, 1, 4);
    is_zero(10, 1, 2);
    is_zero(11, 1, 6);
    statuses();
    values(portal);
    /* The same through clients' stubs, whatever becomes of a short call. */
    dirty();
    CHECK(call_unset_Kinds_words(portal, 1, &b, &c) == 0 && b == 0 && c == 0);
    texts(portal);
    objects(portal);
    return 0;
}
