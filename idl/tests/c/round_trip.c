/* Calls a server through its client's stubs, both in this process. Prints what is wrong and fails. */
#define CARNET_SERVER
#include "board.h"
#include "kinds.h"
#include "check.h"

#define BIG_BYTES 5000

void *carnet_root(void);

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 20) / 8 + CARNET_WORDS_BYTES / 8];
} server;

static unsigned char big[BIG_BYTES + 1]; /* one more than may be sent */

/* ---- The service of kinds.idl ---- */

int64_t kinds_Kinds_scalars(const struct carnet_self *self, uint8_t a, int16_t b, uint32_t c, enum kinds_Colour d,
                            bool e, uint16_t *f, uint64_t *g, int64_t *h)
{
    CHECK(self->caller.user == 7);
    *g = c;
    *h = -(int64_t)c;
    *f = (uint16_t)(*f + 1);
    return (int64_t)a + b + (int64_t)d + (e ? 1000 : 0);
}

enum kinds_Colour kinds_Kinds_next(const struct carnet_self *self, enum kinds_Colour colour)
{
    (void)self;
    /* Not a value of the enum after the last one: the service breaks its interface, and the client must not see it. */
    return (enum kinds_Colour)(colour + 1);
}

void kinds_Kinds_move(const struct carnet_self *self, const struct kinds_Point *point, int32_t dx,
                      struct kinds_Point *result)
{
    (void)self;
    *result = *point;
    result->x = (int16_t)(result->x + dx);
    result->name.ptr = "moved";
    result->name.len = 5;
}

void kinds_Kinds_turn(const struct carnet_self *self, enum kinds_Colour *one, bool *other)
{
    (void)self;
    *one = *one == kinds_Colour_red ? kinds_Colour_blue : kinds_Colour_red;
    *other = !*other;
}

void kinds_Kinds_put(const struct carnet_self *self, struct carnet_bytes data, int64_t *sum)
{
    const unsigned char *bytes = (const unsigned char *)data.ptr;
    size_t index;
    (void)self;
    for (index = 0; index < data.len; index++) {
        *sum += bytes[index];
    }
}

void kinds_Kinds_get(const struct carnet_self *self, int64_t n, int64_t *sum, struct carnet_bytes *result)
{
    (void)self;
    *sum += n;
    result->ptr = big;
    result->len = (size_t)n;
}

void kinds_Kinds_nothing(const struct carnet_self *self)
{
    (void)self;
}

void kinds_Kinds_seven(const struct carnet_self *self, struct carnet_string a, int64_t b, uint8_t c, float *d, double *e,
                       uint32_t *f)
{
    (void)self;
    *e = (double)b + (double)*d;
    *d = -*d;
    *f = (uint32_t)(a.len + c);
}

/* What the next call leaves in places that no type of theirs has such values for. */
static bool is_broken;

int16_t kinds_Kinds_narrow(const struct carnet_self *self, bool a, uint8_t b, uint8_t *c, uint64_t *d, bool *e)
{
    (void)self;
    *c = (uint8_t)(*c + b);
    *d = is_broken ? UINT64_MAX : *d + 1;
    *e = !a;
    return -7;
}

void kinds_Kinds_name(const struct carnet_self *self, enum kinds_Colour colour, struct carnet_string *result,
                      enum kinds_Colour *next)
{
    static const char *const names[] = {"red", "green", "blue and more"};
    (void)self;
    *next = is_broken ? (enum kinds_Colour)3 : kinds_Colour_red;
    *result = carnet_text(names[colour]);
}

carnet_status kinds_Kinds_half(const struct carnet_self *self, int64_t n, int64_t *result, bool *is_zero)
{
    (void)self;
    *result = n / 2;
    *is_zero = true;
    return n % 2 == 0 ? (carnet_status)CARNET_OK : carnet_raise(kinds_Reason_odd, "an odd number");
}

void kinds_Kinds_released(void *object)
{
    (void)object;
}

int64_t kinds_More_twice(const struct carnet_self *self, int64_t n)
{
    CHECK(self->object == big);
    return 2 * n;
}

void kinds_More_released(void *object)
{
    (void)object;
}

int32_t kinds_Halves_add(const struct carnet_self *self, int32_t a, int32_t b, int32_t *sum, int32_t *least)
{
    (void)self;
    *least = a < b ? a : b;
    *sum = (int32_t)((uint32_t)*sum + (uint32_t)a + (uint32_t)b);
    return -*sum;
}

uint32_t kinds_Halves_unlike(const struct carnet_self *self, uint32_t a, int64_t b)
{
    (void)self;
    return a ^ (uint32_t)b;
}

int32_t kinds_Halves_put(const struct carnet_self *self, int32_t a, struct carnet_bytes data, int32_t *sum)
{
    (void)self;
    *sum += a;
    return (int32_t)data.len * a;
}

int32_t kinds_Halves_get(const struct carnet_self *self, int32_t n, int32_t *sum, struct carnet_bytes *data)
{
    (void)self;
    *sum -= n;
    data->ptr = big;
    data->len = (size_t)n;
    return -n;
}

void kinds_Halves_three(const struct carnet_self *self, int32_t a, int32_t *b, int32_t *c, int32_t *d)
{
    (void)self;
    *b = a;
    *c = ~a;
    *d = a / 2;
}

void kinds_Halves_released(void *object)
{
    (void)object;
}

void kinds_Pages_page(const struct carnet_self *self, int32_t n, struct kinds_Page *result)
{
    (void)self;
    result->number = -1;
    result->data.ptr = big;
    result->data.len = (size_t)n;
}

void kinds_Pages_book(const struct carnet_self *self, int32_t n, struct kinds_Book *book)
{
    kinds_Pages_page(self, n, &book->page);
    book->at = n;
}

int32_t kinds_Pages_fill(const struct carnet_self *self, const struct kinds_Page *page, struct kinds_Book *book)
{
    (void)self;
    book->at += (int32_t)book->page.data.len;
    book->page = *page;
    return page->number;
}

void kinds_Pages_beside(const struct carnet_self *self, struct kinds_Page *page, struct carnet_bytes *result)
{
    (void)self;
    *result = page->data;
    page->number++;
}

void kinds_Pages_released(void *object)
{
    (void)object;
}

/* ---- Calls ---- */

/* Whether the channel passes register messages, and how many it did. */
static bool is_passing;
static size_t passed;

static uint64_t count_passed(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                             uint64_t word2, uint64_t word3)
{
    passed++;
    return carnet_enter(channel, target, word0, word1, word2, word3);
}

static uint32_t count_passed_half(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                                  uint64_t word2, uint64_t word3)
{
    passed++;
    return carnet_enter_half(channel, target, word0, word1, word2, word3);
}

static struct carnet_portal begin(void *root, const struct carnet_service *service)
{
    struct carnet_portal portal;
    CHECK(carnet_session_here(&server.session, sizeof server.message, root, service, &portal));
    server.session.channel.self.caller.user = 7;
    server.session.channel.pass = is_passing ? count_passed : carnet_spill;
    server.session.channel.pass_half = is_passing ? count_passed_half : carnet_spill_half;
    carnet_failure = CARNET_OK;
    return portal;
}

static bool is_text(struct carnet_string text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

static void kinds(void)
{
    struct carnet_portal portal = begin(&server, kinds_Kinds_service());
    struct kinds_Point point = {-3, 5, kinds_Colour_blue, carnet_text("start"), true}, moved;
    enum kinds_Colour one = kinds_Colour_red;
    bool other = true;
    struct carnet_bytes bytes = {big, BIG_BYTES}, found;
    uint16_t f = 65534;
    uint64_t g;
    int64_t h, sum = 1;
    size_t index;
    for (index = 0; index < sizeof big; index++) {
        big[index] = 1;
    }
    CHECK(kinds_LEAST == -32768 && kinds_MANY == 4000000000u && kinds_YES);
    CHECK(call_kinds_Kinds_scalars(portal, 255, -5, 4000000000u, kinds_Colour_green, true, &f, &g, &h) == 1251);
    CHECK(f == 65535 && g == 4000000000u && h == -4000000000ll && carnet_failure == 0);
    CHECK(call_kinds_Kinds_next(portal, kinds_Colour_red) == kinds_Colour_green && carnet_failure == 0);
    (void)call_kinds_Kinds_next(portal, kinds_Colour_blue);
    CHECK(carnet_failure == CARNET_PROTOCOL);
    (void)call_kinds_Kinds_next(portal, (enum kinds_Colour)3);
    CHECK(carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(call_kinds_Kinds_move(portal, &point, 10, &moved) == CARNET_OK);
    CHECK(moved.x == 7 && moved.far == 5 && moved.colour == kinds_Colour_blue && moved.is_set);
    CHECK(is_text(moved.name, "moved"));
    point.name = carnet_text("123456789");
    CHECK(call_kinds_Kinds_move(portal, &point, 10, &moved) == CARNET_BAD_ARGUMENT);
    point.name = carnet_text("x");
    point.far = UINT64_MAX;
    CHECK(call_kinds_Kinds_move(portal, &point, 10, &moved) == CARNET_BAD_ARGUMENT);
    CHECK(call_kinds_Kinds_turn(portal, &one, &other) == CARNET_OK);
    CHECK(one == kinds_Colour_blue && !other);
    CHECK(call_kinds_Kinds_put(portal, bytes, &sum) == CARNET_OK && sum == 5001);
    bytes.len = BIG_BYTES + 1;
    CHECK(call_kinds_Kinds_put(portal, bytes, &sum) == CARNET_BAD_ARGUMENT);
    CHECK(call_kinds_Kinds_get(portal, 5000, &sum, &found) == CARNET_OK);
    CHECK(sum == 10001 && found.len == 5000 && memcmp(found.ptr, big, 5000) == 0);
    CHECK(call_kinds_Kinds_get(portal, 5001, &sum, &found) == CARNET_SERVICE);
    CHECK(call_kinds_Kinds_nothing(portal) == CARNET_OK);
}

/* Register messages, or what is made of them. */
static void shorts(void)
{
    struct carnet_portal portal = begin(big, kinds_More_service());
    struct carnet_string text = {"123456789", 8};
    enum kinds_Colour next = kinds_Colour_blue;
    float d = 0.5;
    double e;
    uint32_t f;
    uint8_t c = 255;
    uint64_t wide = INT64_MAX - 1;
    int64_t half;
    bool is_not;
    CHECK(call_kinds_Kinds_seven(portal, text, -(1ll << 40), 255, &d, &e, &f) == CARNET_OK);
    CHECK(f == 263 && (double)d == -0.5 && e == 0.5 - (double)(1ll << 40));
    text.len = 9;
    CHECK(call_kinds_Kinds_seven(portal, text, 1, 2, &d, &e, &f) == CARNET_BAD_ARGUMENT && f == 0 && e == 0.0);
    text.ptr = "a\0b";
    text.len = 3;
    CHECK(call_kinds_Kinds_seven(portal, text, 1, 2, &d, &e, &f) == CARNET_BAD_ARGUMENT && (double)d == -0.5);
    CHECK(call_kinds_Kinds_narrow(portal, false, 'a', &c, &wide, &is_not) == -7);
    CHECK(c == 96 && wide == INT64_MAX && is_not);
    wide = UINT64_MAX;
    CHECK(call_kinds_Kinds_narrow(portal, true, 'a', &c, &wide, &is_not) == 0);
    CHECK(carnet_failure == CARNET_BAD_ARGUMENT && c == 96 && !is_not);
    CHECK(call_kinds_Kinds_name(portal, kinds_Colour_green, &text, &next) == CARNET_OK);
    CHECK(text.len == 5 && memcmp(text.ptr, "green", 5) == 0 && next == kinds_Colour_red);
    next = kinds_Colour_blue;
    CHECK(call_kinds_Kinds_name(portal, kinds_Colour_blue, &text, &next) == CARNET_SERVICE);
    CHECK(text.len == 0 && text.ptr == NULL && next == kinds_Colour_red);
    CHECK(call_kinds_Kinds_name(portal, (enum kinds_Colour)3, &text, &next) == CARNET_BAD_ARGUMENT);
    CHECK(call_kinds_Kinds_half(portal, 1ll << 40, &half, &is_not) == CARNET_OK && half == 1ll << 39 && is_not);
    /* What a function left before it raised its exception is not seen. */
    CHECK(call_kinds_Kinds_half(portal, 7, &half, &is_not) == CARNET_RAISE(kinds_Reason_odd) && half == 0 && !is_not);
    CHECK(strcmp(carnet_failure_text, "an odd number") == 0);
    CHECK(call_kinds_More_twice(portal, 1ll << 40) == 1ll << 41 && server.session.channel.status == 0);
    is_broken = true;
    wide = 0;
    CHECK(call_kinds_Kinds_narrow(portal, false, 1, &c, &wide, &is_not) == 0 && carnet_failure == CARNET_PROTOCOL);
    CHECK(call_kinds_Kinds_name(portal, kinds_Colour_red, &text, &next) == CARNET_PROTOCOL && next == kinds_Colour_red);
    is_broken = false;
    portal.id = 2;
    CHECK(call_kinds_More_twice(portal, 1) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL);
    CHECK(server.session.channel.status == 0);
}

static void board(void)
{
    struct carnet_portal root = begin(carnet_root(), board_Board_service()), note, other, stale;
    struct carnet_string text;
    struct carnet_bytes bytes = {"echo", 4}, found;
    char with_nul[] = {'a', 0, 'b'};
    int64_t number = 5;
    int32_t was_bytes;
    bool was_empty, is_longer;
    uint32_t round;
    CHECK(call_board_Board_notes(root) == 0);
    CHECK(call_board_Board_put(root, carnet_text("a note"), &note) == CARNET_OK);
    CHECK(call_board_Note_text(note, &text) == CARNET_OK && is_text(text, "a note"));
    CHECK(call_board_Note_replace(note, carnet_text("more text"), &was_bytes, &was_empty) == CARNET_OK);
    CHECK(was_bytes == 6 && !was_empty);
    CHECK(call_board_Note_add(note, &number) == 5 && number == 0);
    CHECK(call_board_Board_put(root, carnet_text("x"), &other) == CARNET_OK);
    CHECK(call_board_Board_is_longer(root, note, other, &is_longer) == CARNET_OK && is_longer);
    CHECK(call_board_Board_is_longer(root, other, note, &is_longer) == CARNET_OK && !is_longer);
    /* A portal on another interface, and the null portal. */
    CHECK(call_board_Board_is_longer(root, root, note, &is_longer) == CARNET_BAD_ARGUMENT);
    stale = other;
    stale.id = 0;
    CHECK(call_board_Board_is_longer(root, stale, note, &is_longer) == CARNET_BAD_ARGUMENT);
    CHECK(call_board_Board_find(root, 9, &stale) == CARNET_RAISE(board_Reason_nothing_there));
    CHECK(strcmp(carnet_failure_text, "there is no such note") == 0 && stale.id == 0);
    text.ptr = with_nul;
    text.len = sizeof with_nul;
    CHECK(call_board_Board_put(root, text, &stale) == CARNET_BAD_ARGUMENT);
    CHECK(call_board_Board_echo(root, bytes, &found) == CARNET_OK);
    CHECK(found.len == 4 && memcmp(found.ptr, "echo", 4) == 0);
    /* Request and reply that do not fit into the buffer together: the reply stands behind what it may be made of. */
    bytes.ptr = calloc(1, 1000000);
    bytes.len = 500000;
    CHECK(call_board_Board_echo(root, bytes, &found) == CARNET_OK && found.len == 500000);
    bytes.len = 1000000;
    if (CARNET_REGISTERS && is_passing) {
        CHECK(call_board_Board_echo(root, bytes, &found) == CARNET_OK && found.len == 1000000);
        bytes.len = 1000001;
        CHECK(call_board_Board_echo(root, bytes, &found) == CARNET_BAD_ARGUMENT && found.len == 0);
    } else {
        CHECK(call_board_Board_echo(root, bytes, &found) == CARNET_SERVICE);
    }
    free((void *)(uintptr_t)bytes.ptr);
    /* An operation of another interface: the root has no fourth word's worth of it. */
    stale = root;
    stale.id = note.id;
    CHECK(call_board_Board_notes(stale) == 0 && (carnet_failure == CARNET_BAD_ARGUMENT));
    /* A released portal names nothing, nor does its slot when it is used again; the same object twice is one portal. */
    CHECK(call_board_Board_find(root, 0, &stale) == CARNET_OK && stale.id == note.id);
    carnet_give_back(&server.session, note.id, 1);
    CHECK(call_board_Note_text(note, &text) == CARNET_OK);
    carnet_give_back(&server.session, note.id, 1);
    CHECK(call_board_Note_text(note, &text) == CARNET_NO_SUCH_PORTAL);
    for (round = 0; round < 70000; round++) {
        uint32_t before = stale.id;
        CHECK(call_board_Board_find(root, 0, &stale) == CARNET_OK);
        CHECK(stale.id != before);
        CHECK((stale.id & 0xffff) == (note.id & 0xffff) && stale.id != other.id);
        carnet_give_back(&server.session, stale.id, 1);
        CHECK(call_board_Note_text(stale, &text) == CARNET_NO_SUCH_PORTAL);
    }
    stale.id = server.session.ids[9];
    CHECK(call_board_Note_text(stale, &text) == CARNET_NO_SUCH_PORTAL);
    carnet_session_end(&server.session);
    CHECK(call_board_Note_text(other, &text) == CARNET_NO_SUCH_PORTAL);
}

static carnet_status status_of(struct carnet_portal portal, uint64_t head)
{
    return (carnet_status)CARNET_OP(carnet_dispatch(portal.channel, portal.id, head).head);
}

/* What clients' stubs refuse to send is refused by the server, too; and a piece is as long as it may be, in each form. */
static void unchecked(void)
{
    struct carnet_portal root = begin(carnet_root(), board_Board_service());
    uint64_t *message = carnet_message(root.channel);
    message[2] = 3;
    memcpy(message + 3, "a\0b", 4);
    CHECK(status_of(root, CARNET_FLAT(0, 27, 0)) == CARNET_BAD_ARGUMENT);
    root = begin(&server, kinds_Kinds_service());
    message[3] = 0;
    message[2] = 10;
    CHECK(status_of(root, CARNET_FLAT(4, 32 + 9, 0)) == CARNET_BAD_ARGUMENT);
    message[2] = 10;
    CHECK(status_of(root, CARNET_FLAT(4, 32 + 10, 0)) == CARNET_OK);
    message[2] = 10 | 1ull << 24;
    CHECK(status_of(root, CARNET_FLAT(4, 32 + 10, 0)) == CARNET_BAD_ARGUMENT);
    message[2] = 10 | 1ull << 52;
    CHECK(status_of(root, CARNET_FLAT(4, 32 + 10, 0)) == CARNET_BAD_ARGUMENT);
    message[2] = BIG_BYTES + 1;
    CHECK(status_of(root, CARNET_COPIED(4, 2, 0)) == CARNET_BAD_ARGUMENT);
    message[2] = BIG_BYTES;
    CHECK(status_of(root, CARNET_COPIED(4, 2, 0)) == CARNET_OK);
    message[4] = (uint64_t)(uintptr_t)big;
    message[5] = BIG_BYTES + 1;
    CHECK(status_of(root, CARNET_GATHERED(4, 2, 0)) == CARNET_BAD_ARGUMENT);
    message[4] = (uint64_t)(uintptr_t)big;
    message[5] = BIG_BYTES;
    CHECK(status_of(root, CARNET_GATHERED(4, 2, 0)) == CARNET_OK);
    /* Another number of words, or another word, than the operation has. */
    CHECK(status_of(root, CARNET_GATHERED(4, 3, 0)) == CARNET_BAD_ARGUMENT);
    CHECK(status_of(root, CARNET_COPIED(4, 2, 1)) == CARNET_BAD_ARGUMENT);
}

/* As a transport between address spaces: what is near does not come through, in either direction. */
static struct carnet_answer far_away(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer = carnet_dispatch(channel, target, carnet_far(message, head));
    CHECK(!CARNET_IS_NEAR(answer.head));
    return answer;
}

/* Integers of 32 bits, of messages that stay (near) or leave, between words that were full of ones before. */
static void halves_through(carnet_transport *call)
{
    static const int32_t values[] = {0, 1, -1, 77, INT32_MIN, INT32_MAX, INT32_MIN + 1, 1 << 30};
    struct carnet_portal portal = begin(big, kinds_Halves_service());
    size_t index, other, count = sizeof values / sizeof values[0];
    portal.channel->call = call;
    for (index = 0; index < count; index++) {
        for (other = 0; other < count; other++) {
            int32_t a = values[index], b = values[other], sum = b, least = 5, c = 0, d = 0, e = 0;
            int32_t wanted = (int32_t)((uint32_t)a + 2 * (uint32_t)b);
            struct carnet_bytes bytes = {big, 3};
            memset(carnet_message(portal.channel), 0xff, 128);
            if (wanted != INT32_MIN) {
                CHECK(call_kinds_Halves_add(portal, a, b, &sum, &least) == -wanted);
                CHECK(sum == wanted && least == (a < b ? a : b));
            }
            CHECK(call_kinds_Halves_unlike(portal, (uint32_t)a, b) == ((uint32_t)a ^ (uint32_t)b));
            memset(carnet_message(portal.channel), 0xff, 128);
            CHECK(call_kinds_Halves_three(portal, a, &c, &d, &e) == CARNET_OK);
            CHECK(c == a && d == ~a && e == a / 2);
            memset(carnet_message(portal.channel), 0xff, 128);
            sum = a / 4;
            CHECK(call_kinds_Halves_put(portal, b / 4, bytes, &sum) == 3 * (b / 4) && sum == a / 4 + b / 4);
        }
        int32_t n = values[index] & 0xfff, sum = values[index] / 2;
        struct carnet_bytes found = {NULL, 0};
        memset(carnet_message(portal.channel), 0xff, 128);
        CHECK(call_kinds_Halves_get(portal, n, &sum, &found) == -n && found.len == (size_t)n);
        CHECK(sum == values[index] / 2 - n && memcmp(found.ptr, big, found.len) == 0);
        memset(carnet_message(portal.channel), 0xff, 128);
        sum = 0;
        CHECK(call_kinds_Halves_get(portal, 5001, &sum, &found) == 0 && carnet_failure == CARNET_SERVICE);
        CHECK(found.len == 0);
    }
}

static bool is_ones(struct carnet_bytes found, size_t len)
{
    return found.len == len && memcmp(found.ptr, big, len) == 0;
}

/* Data that are part of what comes back. */
static void pages(carnet_transport *call)
{
    static const unsigned char ones[] = {1, 1, 1};
    struct carnet_portal portal = begin(big, kinds_Pages_service());
    int32_t n;
    portal.channel->call = call;
    for (n = 0; n <= BIG_BYTES; n += BIG_BYTES / 2) {
        struct kinds_Page page = {7, {ones, sizeof ones}}, found;
        struct kinds_Book book;
        struct carnet_bytes beside;
        CHECK(call_kinds_Pages_page(portal, n, &found) == CARNET_OK);
        CHECK(found.number == -1 && is_ones(found.data, (size_t)n));
        CHECK(call_kinds_Pages_book(portal, n, &book) == CARNET_OK);
        CHECK(book.at == n && book.page.number == -1 && is_ones(book.page.data, (size_t)n));
        book.page.data.ptr = big;
        CHECK(call_kinds_Pages_fill(portal, &page, &book) == 7);
        CHECK(book.at == 2 * n && book.page.number == 7 && is_ones(book.page.data, sizeof ones));
        CHECK(call_kinds_Pages_beside(portal, &page, &beside) == CARNET_OK);
        CHECK(page.number == 8 && is_ones(page.data, sizeof ones) && is_ones(beside, sizeof ones));
    }
    struct kinds_Page found;
    struct kinds_Book book;
    CHECK(call_kinds_Pages_page(portal, BIG_BYTES + 1, &found) == CARNET_SERVICE && found.data.len == 0);
    CHECK(call_kinds_Pages_book(portal, BIG_BYTES + 1, &book) == CARNET_SERVICE && book.page.data.len == 0);
    CHECK(carnet_failure == CARNET_SERVICE);
}

/* A word of which half counts is held against its type where it may come from elsewhere, and nowhere else means anything. */
static void hostile_halves(void)
{
    static const uint64_t wrong[] = {1ull << 31, 1ull << 32, UINT32_MAX, ~(uint64_t)UINT32_MAX, INT64_MAX, 1ull << 63};
    struct carnet_portal portal = begin(big, kinds_Halves_service());
    uint64_t *message = carnet_message(portal.channel);
    size_t index, word;
    struct carnet_answer answer;
    for (index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
        for (word = 2; word < 5; word++) {
            message[2] = message[3] = message[4] = 1;
            CHECK(status_of(portal, CARNET_FLAT(0, 40, 0)) == CARNET_OK);
            message[2] = message[3] = message[4] = 1;
            message[word] = wrong[index];
            CHECK(status_of(portal, CARNET_FLAT(0, 40, 0)) == CARNET_BAD_ARGUMENT);
        }
        message[2] = message[3] = message[4] = 1 | (wrong[index] & ~(uint64_t)UINT32_MAX);
        answer = carnet_dispatch(portal.channel, 1, CARNET_NEAR(0, 3, CARNET_NO_PIECE, 7));
        CHECK(answer.head == CARNET_NEAR(0, 3, CARNET_NO_PIECE, 7) && carnet_get_half(answer.reply, 2) == 3);
    }
    /* Near heads of other words than the operation's, and one of another operation. */
    CHECK(status_of(portal, CARNET_NEAR(0, 3, CARNET_NO_PIECE, 3)) == CARNET_BAD_ARGUMENT);
    CHECK(status_of(portal, CARNET_NEAR(0, 2, CARNET_NO_PIECE, 7)) == CARNET_BAD_ARGUMENT);
    CHECK(status_of(portal, CARNET_NEAR(1, 2, CARNET_NO_PIECE, 1)) == CARNET_BAD_ARGUMENT);
    CHECK(status_of(portal, CARNET_NEAR(2, 3, 0, 7)) == CARNET_BAD_ARGUMENT);
    CHECK(status_of(portal, CARNET_NEAR(5, 1, CARNET_NO_PIECE, 1)) == CARNET_NO_SUCH_OPERATION);
    /* What leaves has no other halves. */
    message[2] = 0x7700000005;
    message[3] = 0x77ffffffff;
    message[4] = 0x7700000006;
    CHECK(carnet_far(message, CARNET_NEAR(4, 3, CARNET_NO_PIECE, 3)) == CARNET_FLAT(4, 40, 0));
    CHECK(message[2] == 5 && message[3] == UINT64_MAX && message[4] == 0x7700000006);
    CHECK(carnet_far(message, CARNET_NEAR_COPIED(4, 3, 2, 0)) == CARNET_COPIED(4, 3, 2));
    CHECK(carnet_far(message, CARNET_PIECE(4, 63, 63)) == CARNET_PIECE(4, 63, 63));
}

/* The status of a register message that no client's stub makes. Its values are no addresses. */
static carnet_status passed_status(uint32_t target, uint32_t shape, uint64_t word0, uint64_t word1)
{
    struct carnet_channel *channel = &server.session.channel;
    channel->shape = shape;
    channel->line[0] = channel->line[1] = channel->line[2] = 1;
    CHECK(carnet_enter(channel, target, word0, word1, 1, 1) == 0);
    return carnet_not_done(channel);
}

static void hostile_registers(void)
{
    static const uint32_t valid[] = {
        CARNET_SHAPE(1, 0x1), CARNET_SHAPE(3, 0x85), CARNET_SHAPE(4, 0x39), CARNET_SHAPE(5, 0x1a0), CARNET_SHAPE(6, 0x0),
        CARNET_SHAPE(7, 0x2118ed), CARNET_SHAPE(8, 0x1169a), CARNET_SHAPE(9, 0x1fd), CARNET_SHAPE(10, 0x1ea),
        CARNET_SHAPE(11, 0x1),
    };
    static const uint32_t targets[] = {0, 2, 255, 256, 257, 0x10001, 0x01000001, UINT32_MAX - 254, UINT32_MAX};
    static const unsigned char text[8] = {1, 0};
    uint64_t string = (uint64_t)(uintptr_t)text, random = 1;
    enum kinds_Colour colour = (enum kinds_Colour)3;
    size_t index, other, op, round;
    uint32_t bit;
    (void)begin(big, kinds_More_service());
    for (index = 0; index < sizeof targets / sizeof targets[0]; index++) {
        CHECK(passed_status(targets[index], valid[0], 0, 0) == CARNET_NO_SUCH_PORTAL);
    }
    for (op = 0; op < 256; op++) {
        carnet_status expected = op < 12 ? (carnet_status)CARNET_BAD_ARGUMENT : (carnet_status)CARNET_NO_SUCH_OPERATION;
        CHECK(passed_status(1, CARNET_SHAPE(op, 0xfffff), 1, 1) == expected);
    }
    /* All but those of its operations, whose addresses would be used. */
    for (round = 0; round < 100000; round++) {
        uint32_t shape = valid[round % 10];
        bool is_valid = false;
        random = random * 0x5851f42d4c957f2d + 1;
        bit = (uint32_t)(random >> 59);
        shape ^= round % 2 == 0 ? 1u << bit : (uint32_t)(random >> 32);
        for (other = 0; other < sizeof valid / sizeof valid[0]; other++) {
            is_valid = is_valid || shape == valid[other];
        }
        CHECK(is_valid || passed_status(1, shape, 1, 1) != CARNET_OK);
    }
    /* Values that leave their types, and data that are too long or no text. */
    CHECK(passed_status(1, valid[0], 3, 0) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[1], (uint64_t)(uintptr_t)&colour, 1) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[2], string, BIG_BYTES + 1) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[2], string, UINT64_MAX) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[5], string, 9) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[5], string, 2) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[6], 2, 0) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[6], 1, 256) == CARNET_BAD_ARGUMENT);
    CHECK(passed_status(1, valid[7], 3, 0) == CARNET_BAD_ARGUMENT);
    /* A whole word is not taken for 32 bits, nor the other way round; and each result is asked for as what it is. */
    (void)begin(big, kinds_Halves_service());
    server.session.channel.shape = CARNET_SHAPE(1, 0x41);
    CHECK(carnet_enter_half(&server.session.channel, 1, 6, 3, 1, 1) == 5);
    CHECK(passed_status(1, CARNET_SHAPE(1, 0x41), 6, 3) == CARNET_BAD_ARGUMENT);
    for (index = 0; index < 2; index++) {
        server.session.channel.shape = index == 0 ? CARNET_SHAPE(1, 0x11) : CARNET_SHAPE(1, 0x44);
        CHECK(carnet_enter_half(&server.session.channel, 1, 6, 3, 1, 1) == 0);
        CHECK(carnet_not_done(&server.session.channel) == CARNET_BAD_ARGUMENT);
    }
}

/* Heads and words that no client's stub makes. */
static void hostile(void)
{
    static const uint64_t values[] = {0, 1, 2, 3, 16, 24, 255, 256, 4096, 0xffffff, 0x1000001, 1ull << 52, 1ull << 63, UINT64_MAX};
    struct carnet_portal root = begin(&server, kinds_Kinds_service());
    size_t op, len, portals, first, second, count = sizeof values / sizeof values[0], failures = 0;
    for (op = 0; op < 9; op++) {
        for (len = 16; len < 200; len += 4) {
            for (portals = 0; portals < 3; portals++) {
                for (first = 0; first < count; first++) {
                    for (second = 0; second < count; second++) {
                        struct carnet_answer answer;
                        size_t word;
                        for (word = 2; word < 26; word++) {
                            carnet_message(root.channel)[word] = word % 2 == 0 ? values[first] : values[second];
                        }
                        /* What `get` returns must exist. */
                        carnet_message(root.channel)[2] %= op == 5 ? 5001 : UINT64_MAX;
                        answer = carnet_dispatch(root.channel, 1, CARNET_FLAT(op, len, portals));
                        failures += CARNET_OP(answer.head) != 0;
                        CHECK(CARNET_HAS_PIECE(answer.head) || CARNET_LEN(answer.head) >= 16);
                    }
                }
            }
        }
    }
    CHECK(failures > 100000);
}

/* With a word behind its name, the channel passes register messages. */
int main(int argc, char **argv)
{
    (void)argv;
    is_passing = argc > 1;
    /* What a register message has beside the registers is one cache line. */
    CHECK(offsetof(struct carnet_channel, pass_half) == 64);
    kinds();
    shorts();
    board();
    CHECK(CARNET_REGISTERS && is_passing ? passed > 70000 : passed == 0);
    halves_through(carnet_dispatch);
    halves_through(far_away);
    pages(carnet_dispatch);
    pages(far_away);
    hostile_registers();
    hostile_halves();
    unchecked();
    hostile();
    return 0;
}
