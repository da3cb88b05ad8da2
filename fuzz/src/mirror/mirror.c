/* The service and the client of mirror.idl in C, between pipes. The service gives back what it gets; the client sends
 * again what was answered. Built with sanitizers, which end the program where it reads or writes what it should not.
 *
 *     in     | side 8 | portals 8 | op or status 16 | raised 16 | more 16 | len 32 | body |
 *     out    | zero 8 | portals 8 | op or status 16 | raised 16 | zero 16 | len 32 | body |
 *
 * Side 0: a request. Its reply comes back. It is served twice, with other bytes behind the message, and once more in a
 * buffer with little room for its reply, which `more` says.
 * Side 1: a reply to operation `more`. If it is taken, the request comes back that sends the value again, with `raised` 1;
 * if not, the status.
 */
#define CARNET_SERVER
#include "mirror.h"
#include "operations.h" /* OP_…: their numbers */

#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 65536u
#define LIST_MAX 5u

struct record {
    uint8_t side, portals;
    uint16_t op, raised, more;
    uint32_t len;
};

static void broken(const char *promise)
{
    fprintf(stderr, "%s\n", promise);
    abort();
}

static bool is_ascii(struct carnet_string text)
{
    size_t index = 0;
    while (index < text.len && (unsigned char)text.ptr[index] < 0x80) {
        index++;
    }
    return index == text.len;
}

/* ---- The service ---- */

static int objects[3]; /* the root, a stranger, one of the base */

#define VALUE(name, type)                                                                                             \
    void mirror_Base_##name(const struct carnet_self *self, const struct mirror_##type *a, struct mirror_##type *result) \
    {                                                                                                                 \
        (void)self;                                                                                                   \
        *result = *a;                                                                                                 \
    }

/* A list that was taken has elements that can be taken. */
#define LIST(name, element, type)                                                                                 \
    static type made_##name[LIST_MAX];                                                                            \
    void mirror_Base_##name(const struct carnet_self *self, const struct carnet_list *a,                          \
                            struct mirror_##element##_list *result)                                               \
    {                                                                                                             \
        size_t index;                                                                                             \
        (void)self;                                                                                               \
        for (index = 0; index < a->count; index++) {                                                              \
            if (!mirror_##element##_at(a, index, &made_##name[index])) {                                          \
                broken(#name ": a list that was taken has elements that cannot be");                              \
            }                                                                                                     \
        }                                                                                                         \
        result->ptr = made_##name;                                                                                \
        result->count = a->count;                                                                                 \
    }

VALUE(numbers, Numbers)
VALUE(tables, Tables)
VALUE(value, Value)
VALUE(many, Many)
VALUE(truth, Truth)
VALUE(letter, Letter)
VALUE(wide, Wide)
VALUE(mixed, Mixed)
VALUE(shelf, Shelf)
VALUE(held, Held)
VALUE(chosen, Chosen)
VALUE(rows, Shade_list3x2)
VALUE(link, Link)
VALUE(pair, Links)
LIST(labelled, Labelled, struct mirror_Labelled)
LIST(manies, Many, struct mirror_Many)
LIST(mixes, Mixed, struct mirror_Mixed)
LIST(shelves, Shelf, struct mirror_Shelf)
LIST(choices, Chosen, struct mirror_Chosen)
LIST(deep, Held_list2, struct carnet_list)
LIST(grid, int16_list4, struct carnet_list)
LIST(triples, int32x3, struct mirror_int32x3)
LIST(keys, uint8x16, struct mirror_uint8x16)
LIST(shades, Shade, enum mirror_Shade)
LIST(doubles, double, double)
LIST(floats, float, float)
LIST(truths, bool, bool)
LIST(shorts, int16, int16_t)
LIST(wides, uint64, uint64_t)
LIST(words, string8, struct carnet_string)
LIST(links, Link, struct mirror_Link)
LIST(bases, Base, struct carnet_reference)

int32_t mirror_Base__get_level(const struct carnet_self *self)
{
    (void)self;
    return -7;
}

void mirror_Base__set_level(const struct carnet_self *self, int32_t value)
{
    (void)self;
    (void)value;
}

void mirror_Base__get_name(const struct carnet_self *self, struct carnet_string *result)
{
    (void)self;
    *result = carnet_text("mirror");
}

void mirror_Base__set_name(const struct carnet_self *self, struct carnet_string value)
{
    (void)self;
    (void)value;
}

enum mirror_Shade mirror_Base__get_shade(const struct carnet_self *self)
{
    (void)self;
    return mirror_Shade_dim;
}

void mirror_Base_several(const struct carnet_self *self, const struct mirror_Value *a, struct carnet_string c,
                         struct mirror_int32x3 *b, struct mirror_Value *result, struct carnet_string *e)
{
    (void)self;
    (void)b;
    *result = *a;
    *e = c;
}

void mirror_Base_texts_both(const struct carnet_self *self, struct carnet_string *a, struct carnet_bytes *b,
                            struct mirror_Named *c)
{
    (void)self;
    (void)a;
    (void)b;
    (void)c;
}

void mirror_Base_shapes_both(const struct carnet_self *self, struct mirror_Mixed *a, struct mirror_Value *b,
                             struct mirror_uint8x16 *c, struct mirror_Named *d)
{
    (void)self;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
}

void mirror_Base_lists_both(const struct carnet_self *self, const struct carnet_list *a,
                            struct mirror_Labelled_list *a_back, const struct carnet_list *b,
                            struct mirror_string8_list *b_back, const struct carnet_list *c,
                            struct mirror_int16_list *c_back)
{
    mirror_Base_labelled(self, a, a_back);
    mirror_Base_words(self, b, b_back);
    mirror_Base_shorts(self, c, c_back);
}

void mirror_Base_portals_both(const struct carnet_self *self, struct carnet_reference *a, struct mirror_Link *b,
                              const struct carnet_list *c, struct mirror_Link_list *c_back,
                              const struct carnet_list *d, struct mirror_Base_list *d_back)
{
    (void)a;
    (void)b;
    mirror_Base_links(self, c, c_back);
    mirror_Base_bases(self, d, d_back);
}

void mirror_Base_text(const struct carnet_self *self, struct carnet_string a, struct carnet_string *result)
{
    (void)self;
    *result = a;
}

void mirror_Base_raw(const struct carnet_self *self, struct carnet_bytes a, struct carnet_bytes *result)
{
    (void)self;
    *result = a;
}

void mirror_Base_base(const struct carnet_self *self, void *a, int16_t b, void **result)
{
    (void)self;
    (void)a;
    (void)b;
    *result = &objects[2];
}

carnet_status mirror_Base_busy(const struct carnet_self *self, int64_t a, union mirror_Base_busy_raised *raised)
{
    (void)self;
    raised->Busy.until = a;
    return CARNET_RAISE(mirror_Base_busy_Busy);
}

carnet_status mirror_Base_denied(const struct carnet_self *self, struct carnet_string a, const struct mirror_Value *b,
                                 const struct mirror_uint8x16 *c, float d, union mirror_Base_denied_raised *raised)
{
    (void)self;
    raised->Denied.who = a;
    raised->Denied.why = *b;
    raised->Denied.key = *c;
    raised->Denied.real = d;
    return CARNET_RAISE(mirror_Base_denied_Denied);
}

carnet_status mirror_Base_empty(const struct carnet_self *self, union mirror_Base_empty_raised *raised)
{
    (void)self;
    (void)raised;
    return CARNET_RAISE(mirror_Base_empty_Empty);
}

carnet_status mirror_Base_plain(const struct carnet_self *self, enum mirror_Shade a, struct carnet_string b,
                                union mirror_Base_plain_raised *raised)
{
    (void)self;
    if (!is_ascii(b)) {
        return CARNET_RAISE(mirror_Base_plain_Empty);
    }
    raised->Plain.kind = a;
    raised->Plain.message = b;
    return CARNET_RAISE(mirror_Base_plain_Plain);
}

carnet_status mirror_Base_denied_alone(const struct carnet_self *self, struct carnet_string a,
                                       const struct mirror_Value *b, const struct mirror_uint8x16 *c, float d,
                                       union mirror_Base_denied_alone_raised *raised)
{
    (void)self;
    raised->Denied.who = a;
    raised->Denied.why = *b;
    raised->Denied.key = *c;
    raised->Denied.real = d;
    return CARNET_RAISE(mirror_Base_denied_alone_Denied);
}

carnet_status mirror_Base_packed(const struct carnet_self *self, const struct mirror_Shelf *a,
                                 union mirror_Base_packed_raised *raised)
{
    (void)self;
    raised->Packed.shelf = *a;
    return CARNET_RAISE(mirror_Base_packed_Packed);
}

void mirror_Base_tell(const struct carnet_self *self, int32_t a, struct carnet_string b)
{
    (void)self;
    (void)a;
    (void)b;
}

void mirror_Base_stranger(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = &objects[1];
}

void mirror_Base_plainer(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = &objects[2];
}

void mirror_Stranger_nothing(const struct carnet_self *self)
{
    (void)self;
}

double mirror_Derived__get_height(const struct carnet_self *self)
{
    (void)self;
    return -0.5;
}

void mirror_Derived__set_height(const struct carnet_self *self, double value)
{
    (void)self;
    (void)value;
}

enum mirror_Shade mirror_Derived_kind(const struct carnet_self *self, enum mirror_Shade a, struct carnet_string b)
{
    (void)self;
    (void)b;
    return a;
}

void mirror_Derived_self(const struct carnet_self *self, void *a, void **result)
{
    (void)self;
    *result = a;
}

int64_t mirror_Derived_moved(const struct carnet_self *self, enum mirror_Shade a, bool b, struct carnet_bytes data,
                             int64_t *at)
{
    uint64_t sum = 0;
    size_t index;
    (void)self;
    for (index = 0; index < data.len; index++) {
        sum = sum * 31 + ((const unsigned char *)data.ptr)[index];
    }
    *at ^= (int64_t)sum;
    return (int64_t)a * 2 + (b ? 1 : 0);
}

/* As many bytes as there is room for at most. */
bool mirror_Derived_found(const struct carnet_self *self, uint8_t a, int16_t b, int64_t *at,
                          struct carnet_bytes *data)
{
    static unsigned char bytes[3000];
    size_t index;
    (void)self;
    *at ^= (int64_t)a;
    data->ptr = bytes;
    data->len = (uint16_t)b % 3001;
    for (index = 0; index < data->len; index++) {
        bytes[index] = (unsigned char)(a + index * 7);
    }
    return b > 0;
}

int32_t mirror_Derived_both(const struct carnet_self *self, uint8_t a, uint64_t b, float c, enum mirror_Shade d,
                            enum mirror_Shade *e)
{
    (void)self;
    (void)c;
    *e = d;
    return (int32_t)a + (int32_t)(b % 1000);
}

void mirror_Base_released(void *object)
{
    (void)object;
}

void mirror_Derived_released(void *object)
{
    (void)object;
}

void mirror_Stranger_released(void *object)
{
    (void)object;
}

/* ---- Pipes ---- */

static void put(const void *bytes, size_t len)
{
    if (len > 0 && fwrite(bytes, 1, len, stdout) != len) {
        exit(3);
    }
}

static void take(void *bytes, size_t len)
{
    if (len > 0 && fread(bytes, 1, len, stdin) != len) {
        exit(3);
    }
}

static void put_record(size_t portals, unsigned op, unsigned raised, size_t len)
{
    unsigned char head[12] = {0};
    uint32_t len32 = (uint32_t)len;
    head[1] = (unsigned char)portals;
    head[2] = (unsigned char)op;
    head[3] = (unsigned char)(op >> 8);
    head[4] = (unsigned char)raised;
    head[5] = (unsigned char)(raised >> 8);
    memcpy(head + 8, &len32, 4);
    put(head, sizeof head);
}

static bool take_record(struct record *record)
{
    unsigned char head[12];
    if (fread(head, 1, sizeof head, stdin) != sizeof head) {
        return false;
    }
    record->side = head[0];
    record->portals = head[1];
    record->op = (uint16_t)(head[2] | head[3] << 8);
    record->raised = (uint16_t)(head[4] | head[5] << 8);
    record->more = (uint16_t)(head[6] | head[7] << 8);
    memcpy(&record->len, head + 8, 4);
    return record->len <= CAPACITY - 64;
}

/* What lies behind the head of a message, flat; its length. */
static size_t flat(uint64_t head, uint64_t *message, unsigned char *to)
{
    struct carnet_bytes piece;
    size_t words, word;
    uint64_t reference;
    head = carnet_far(message, head);
    words = CARNET_WORDS(head);
    word = CARNET_PIECE_WORD(head);
    if (!CARNET_HAS_PIECE(head)) {
        memcpy(to, message + 2, CARNET_LEN(head) - CARNET_HEAD_BYTES);
        return CARNET_LEN(head) - CARNET_HEAD_BYTES;
    }
    piece = CARNET_IS_COPIED(head) ? carnet_copied(message, words, word) : carnet_gathered(message, words);
    reference = piece.len;
    memcpy(to, message + 2, words * 8);
    memcpy(to + word * 8, &reference, 8);
    if (piece.len > 0) {
        memcpy(to + words * 8, piece.ptr, piece.len);
    }
    return words * 8 + piece.len;
}

/* ---- Requests ---- */

struct answered {
    unsigned status, raised;
    size_t portals, len;
    unsigned char bytes[CAPACITY];
};

static struct carnet_session *session_of(size_t room)
{
    size_t bytes = (sizeof(struct carnet_session) + room + 63) & ~(size_t)63;
    struct carnet_session *session = (struct carnet_session *)aligned_alloc(64, bytes);
    if (session == NULL) {
        exit(3);
    }
    memset(session, 0, bytes);
    carnet_channel_init(&session->channel, carnet_dispatch, bytes - sizeof(struct carnet_session));
    (void)carnet_session_init(session, &objects[0], mirror_Derived_service());
    if (carnet_hand_out(session, &objects[1], mirror_Stranger_service()) == 0 ||
        carnet_hand_out(session, &objects[2], mirror_Base_service()) == 0) {
        broken("there is no room for three portals");
    }
    return session;
}

/* Serves a request, with `fill` behind it. */
static void serve(struct carnet_session *session, const struct record *record, const unsigned char *body,
                  unsigned char fill, struct answered *answered)
{
    uint64_t *message = carnet_message(&session->channel);
    size_t len = record->len + CARNET_HEAD_BYTES;
    struct carnet_answer answer;
    if (len > session->channel.capacity) {
        return;
    }
    memset(message, fill, session->channel.capacity);
    memcpy(message + 2, body, record->len);
    answer = carnet_dispatch(&session->channel, 1, CARNET_FLAT(record->op, len, record->portals));
    answered->status = (unsigned)CARNET_OP(answer.head);
    answered->raised = (unsigned)(answer.reply[1] >> 32 & 0xffff);
    answered->portals = CARNET_HAS_PIECE(answer.head) ? 0 : CARNET_PORTALS(answer.head);
    answered->len = flat(answer.head, answer.reply, answered->bytes);
}

static void request(const struct record *record, const unsigned char *body)
{
    static struct carnet_session *session;
    static struct answered first, second;
    struct carnet_session *small;
    if (session == NULL) {
        session = session_of(CAPACITY * 2);
    }
    serve(session, record, body, 0xff, &first);
    serve(session, record, body, 0, &second);
    if (first.status != second.status || first.portals != second.portals || first.len != second.len ||
        memcmp(first.bytes, second.bytes, first.len) != 0) {
        broken("what lies behind a message makes a difference");
    }
    /* There must be room for words and for a failure. */
    small = session_of(CARNET_WORDS_BYTES + record->more % 512u);
    serve(small, record, body, 0, &second);
    free(small);
    put_record(first.portals, first.status, first.status == CARNET_RAISED ? first.raised : 0, first.len);
    put(first.bytes, first.len);
}

/* ---- Replies ---- */

static struct {
    struct carnet_answer answer; /* of the first call */
    size_t asked;                /* how many calls there were */
    unsigned op;                 /* of the second call */
    size_t portals, len;
    unsigned char bytes[CAPACITY];
} script;

static struct carnet_answer lie(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    (void)target;
    if (script.asked++ == 0) {
        return script.answer;
    }
    script.op = (unsigned)CARNET_OP(head);
    script.portals = CARNET_HAS_PIECE(head) ? 0 : CARNET_PORTALS(head);
    script.len = flat(head, carnet_message(channel), script.bytes);
    return carnet_fail(channel, CARNET_REFUSED, "enough");
}

#define AGAIN_VALUE(name, type)                                      \
    {                                                                \
        struct mirror_##type a, back;                                \
        memset(&a, 0, sizeof a);                                     \
        status = call_mirror_Base_##name(self, &a, &back);           \
        if (status == CARNET_OK) {                                   \
            (void)call_mirror_Base_##name(self, &back, &a);          \
        }                                                            \
        break;                                                       \
    }

#define AGAIN_LIST(name, element, type)                                                             \
    {                                                                                               \
        struct mirror_##element##_list a = {NULL, 0};                                               \
        type made[LIST_MAX];                                                                        \
        struct carnet_list back;                                                                    \
        status = call_mirror_Base_##name(self, a, &back);                                           \
        if (status == CARNET_OK) {                                                                  \
            for (index = 0; index < back.count; index++) {                                          \
                if (!mirror_##element##_at(&back, index, &made[index])) {                           \
                    abort(); /* the stub has looked at each */                                      \
                }                                                                                   \
            }                                                                                       \
            a.ptr = made;                                                                           \
            a.count = back.count;                                                                   \
            (void)call_mirror_Base_##name(self, a, &back);                                          \
        }                                                                                           \
        break;                                                                                      \
    }

/* Takes what came back as a list that goes both ways. */
#define TAKEN(element, list)                                                             \
    for (index = 0; index < back_##list.count; index++) {                                \
        if (!mirror_##element##_at(&back_##list, index, &made_##list[index])) {          \
            abort(); /* the stub has looked at each */                                   \
        }                                                                                \
    }                                                                                    \
    list.count = back_##list.count;

/* What was raised is sent to the operation that raises just this. */
#define AGAIN_RAISED(name, call)                                                                              \
    {                                                                                                         \
        union mirror_Base_##name##_raised raised;                                                             \
        status = call;                                                                                        \
        if (status == CARNET_OK) {                                                                            \
            (void)call_mirror_Base__set_level(self, 0);                                                       \
            return CARNET_OK;                                                                                 \
        }                                                                                                     \
        switch (CARNET_KIND(status)) {                                                                        \
        case mirror_Base_busy_Busy:                                                                           \
            (void)call_mirror_Base_busy(self, raised.Busy.until, &other_busy);                                \
            return CARNET_OK;                                                                                 \
        case mirror_Base_busy_Denied:                                                                         \
            return deny(self, &raised.Denied);                                                                \
        case mirror_Base_busy_Empty:                                                                          \
            (void)call_mirror_Base_empty(self, &other_empty);                                                 \
            return CARNET_OK;                                                                                 \
        case mirror_Base_busy_Plain:                                                                          \
            if (!is_ascii(raised.Plain.message)) {                                                            \
                (void)call_mirror_Base_empty(self, &other_empty);                                             \
                return CARNET_OK;                                                                             \
            }                                                                                                 \
            (void)call_mirror_Base_plain(self, raised.Plain.kind, raised.Plain.message, &other_plain);        \
            return CARNET_OK;                                                                                 \
        default:                                                                                              \
            return status;                                                                                    \
        }                                                                                                     \
    }

static carnet_status deny(struct carnet_portal self, const struct mirror_Denied *denied)
{
    union mirror_Base_denied_raised other;
    (void)call_mirror_Base_denied(self, denied->who, &denied->why, &denied->key, denied->real, &other);
    return CARNET_OK;
}

/* Calls an operation, and sends what came back; why not. */
static carnet_status believe(unsigned op, struct carnet_portal self)
{
    carnet_status status = CARNET_OK;
    size_t index;
    struct carnet_string none = {NULL, 0}, text;
    struct carnet_bytes nothing = {NULL, 0}, raw;
    struct mirror_Value zero;
    struct mirror_uint8x16 key;
    union mirror_Base_busy_raised other_busy;
    union mirror_Base_empty_raised other_empty;
    union mirror_Base_plain_raised other_plain;
    memset(&zero, 0, sizeof zero);
    memset(&key, 0, sizeof key);
    carnet_failure = 0;
    switch (op) {
    case OP__get_level: {
        int32_t level = call_mirror_Base__get_level(self);
        if (carnet_failure == 0) {
            (void)call_mirror_Base__set_level(self, level);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP__get_shade: {
        enum mirror_Shade shade = call_mirror_Base__get_shade(self);
        if (carnet_failure == 0) {
            (void)call_mirror_Derived_kind(self, shade, none);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP__get_height: {
        double height = call_mirror_Derived__get_height(self);
        if (carnet_failure == 0) {
            (void)call_mirror_Derived__set_height(self, height);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP_kind: {
        enum mirror_Shade shade = call_mirror_Derived_kind(self, mirror_Shade_dark, none);
        if (carnet_failure == 0) {
            (void)call_mirror_Derived_kind(self, shade, none);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP_moved: {
        int64_t at = 0;
        int64_t back = call_mirror_Derived_moved(self, mirror_Shade_dark, false, nothing, &at);
        if (carnet_failure == 0) {
            at ^= back;
            (void)call_mirror_Derived_moved(self, mirror_Shade_dark, false, nothing, &at);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP_found: {
        int64_t at = 0;
        bool back = call_mirror_Derived_found(self, 0, 0, &at, &raw);
        if (carnet_failure == 0) {
            (void)call_mirror_Derived_moved(self, mirror_Shade_dark, back, raw, &at);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP_both: {
        enum mirror_Shade e;
        int64_t at = call_mirror_Derived_both(self, 0, 0, 0, mirror_Shade_dark, &e);
        if (carnet_failure == 0) {
            (void)call_mirror_Derived_moved(self, e, false, nothing, &at);
            return CARNET_OK;
        }
        return carnet_failure;
    }
    case OP__get_name:
        status = call_mirror_Base__get_name(self, &text);
        if (status == CARNET_OK) {
            (void)call_mirror_Base__set_name(self, text);
        }
        break;
    case OP_numbers:
        AGAIN_VALUE(numbers, Numbers)
    case OP_tables:
        AGAIN_VALUE(tables, Tables)
    case OP_value:
        AGAIN_VALUE(value, Value)
    case OP_many:
        AGAIN_VALUE(many, Many)
    case OP_truth:
        AGAIN_VALUE(truth, Truth)
    case OP_letter: {
        struct mirror_Letter a, back;
        memset(&a, 0, sizeof a);
        a.which = 'b';
        status = call_mirror_Base_letter(self, &a, &back);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_letter(self, &back, &a);
        }
        break;
    }
    case OP_wide:
        AGAIN_VALUE(wide, Wide)
    case OP_mixed:
        AGAIN_VALUE(mixed, Mixed)
    case OP_shelf:
        AGAIN_VALUE(shelf, Shelf)
    case OP_held:
        AGAIN_VALUE(held, Held)
VALUE(chosen, Chosen)
    case OP_chosen:
        AGAIN_VALUE(chosen, Chosen)
    case OP_rows:
        AGAIN_VALUE(rows, Shade_list3x2)
    case OP_shelves:
        AGAIN_LIST(shelves, Shelf, struct mirror_Shelf)
    case OP_choices:
        AGAIN_LIST(choices, Chosen, struct mirror_Chosen)
    case OP_deep:
        AGAIN_LIST(deep, Held_list2, struct carnet_list)
    case OP_grid:
        AGAIN_LIST(grid, int16_list4, struct carnet_list)
    case OP_packed: {
        union mirror_Base_packed_raised raised, other;
        struct mirror_Shelf a;
        memset(&a, 0, sizeof a);
        status = call_mirror_Base_packed(self, &a, &raised);
        if (status == CARNET_OK) {
            (void)call_mirror_Base__set_level(self, 0);
            return CARNET_OK;
        }
        if (CARNET_KIND(status) != mirror_Base_packed_Packed) {
            return status;
        }
        (void)call_mirror_Base_packed(self, &raised.Packed.shelf, &other);
        return CARNET_OK;
    }
    case OP_several: {
        struct mirror_int32x3 b;
        struct mirror_Value d;
        memset(&b, 0, sizeof b);
        status = call_mirror_Base_several(self, &zero, none, &b, &d, &text);
        if (status == CARNET_OK) {
            struct mirror_Value other;
            (void)call_mirror_Base_several(self, &d, text, &b, &other, &none);
        }
        break;
    }
    case OP_texts_both: {
        struct mirror_Named c = {{NULL, 0}, 0, {NULL, 0}};
        status = call_mirror_Base_texts_both(self, &none, &nothing, &c);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_texts_both(self, &none, &nothing, &c);
        }
        break;
    }
    case OP_shapes_both: {
        struct mirror_Named d = {{NULL, 0}, 0, {NULL, 0}};
        struct mirror_Mixed a;
        memset(&a, 0, sizeof a);
        status = call_mirror_Base_shapes_both(self, &a, &zero, &key, &d);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_shapes_both(self, &a, &zero, &key, &d);
        }
        break;
    }
    case OP_lists_both: {
        static struct mirror_Labelled made_a[LIST_MAX];
        static struct carnet_string made_b[LIST_MAX];
        static int16_t made_c[LIST_MAX];
        struct mirror_Labelled_list a = {made_a, 0};
        struct mirror_string8_list b = {made_b, 0};
        struct mirror_int16_list c = {made_c, 0};
        struct carnet_list back_a, back_b, back_c;
        status = call_mirror_Base_lists_both(self, a, &back_a, b, &back_b, c, &back_c);
        if (status == CARNET_OK) {
            TAKEN(Labelled, a)
            TAKEN(string8, b)
            TAKEN(int16, c)
            (void)call_mirror_Base_lists_both(self, a, &back_a, b, &back_b, c, &back_c);
        }
        break;
    }
    case OP_portals_both: {
        static struct mirror_Link made_c[LIST_MAX];
        static struct carnet_reference made_d[LIST_MAX];
        struct mirror_Link b = {carnet_given(self), {NULL, 0}};
        struct mirror_Link_list c = {made_c, 0};
        struct mirror_Base_list d = {made_d, 0};
        struct carnet_list back_c, back_d;
        struct carnet_portal a = self;
        status = call_mirror_Base_portals_both(self, &a, &b, c, &back_c, d, &back_d);
        if (status == CARNET_OK) {
            TAKEN(Link, c)
            TAKEN(Base, d)
            (void)call_mirror_Base_portals_both(self, &a, &b, c, &back_c, d, &back_d);
        }
        break;
    }
    case OP_labelled:
        AGAIN_LIST(labelled, Labelled, struct mirror_Labelled)
    case OP_manies:
        AGAIN_LIST(manies, Many, struct mirror_Many)
    case OP_mixes:
        AGAIN_LIST(mixes, Mixed, struct mirror_Mixed)
    case OP_triples:
        AGAIN_LIST(triples, int32x3, struct mirror_int32x3)
    case OP_keys:
        AGAIN_LIST(keys, uint8x16, struct mirror_uint8x16)
    case OP_shades:
        AGAIN_LIST(shades, Shade, enum mirror_Shade)
    case OP_doubles:
        AGAIN_LIST(doubles, double, double)
    case OP_floats:
        AGAIN_LIST(floats, float, float)
    case OP_truths:
        AGAIN_LIST(truths, bool, bool)
    case OP_shorts:
        AGAIN_LIST(shorts, int16, int16_t)
    case OP_wides:
        AGAIN_LIST(wides, uint64, uint64_t)
    case OP_words:
        AGAIN_LIST(words, string8, struct carnet_string)
    case OP_links:
        AGAIN_LIST(links, Link, struct mirror_Link)
    case OP_bases:
        AGAIN_LIST(bases, Base, struct carnet_reference)
    case OP_text:
        status = call_mirror_Base_text(self, none, &text);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_text(self, text, &none);
        }
        break;
    case OP_raw:
        status = call_mirror_Base_raw(self, nothing, &raw);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_raw(self, raw, &nothing);
        }
        break;
    case OP_base: {
        struct carnet_portal back, other;
        status = call_mirror_Base_base(self, self, 0, &back);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_base(self, back, 0, &other);
        }
        break;
    }
    case OP_self: {
        struct carnet_portal back, other;
        status = call_mirror_Derived_self(self, self, &back);
        if (status == CARNET_OK) {
            (void)call_mirror_Derived_self(self, back, &other);
        }
        break;
    }
    case OP_link: {
        struct mirror_Link a = {carnet_given(self), {NULL, 0}}, back;
        status = call_mirror_Base_link(self, &a, &back);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_link(self, &back, &a);
        }
        break;
    }
    case OP_pair: {
        struct mirror_Links a = {{carnet_given(self), {NULL, 0}}, mirror_Shade_dim, carnet_given(self)}, back;
        status = call_mirror_Base_pair(self, &a, &back);
        if (status == CARNET_OK) {
            (void)call_mirror_Base_pair(self, &back, &a);
        }
        break;
    }
    case OP_busy:
        AGAIN_RAISED(busy, call_mirror_Base_busy(self, 0, &raised))
    case OP_denied:
        AGAIN_RAISED(denied, call_mirror_Base_denied(self, none, &zero, &key, 0, &raised))
    case OP_empty:
        AGAIN_RAISED(empty, call_mirror_Base_empty(self, &raised))
    case OP_plain:
        AGAIN_RAISED(plain, call_mirror_Base_plain(self, mirror_Shade_dim, none, &raised))
    case OP_denied_alone: {
        union mirror_Base_denied_alone_raised raised;
        status = call_mirror_Base_denied_alone(self, none, &zero, &key, 0, &raised);
        if (status == CARNET_OK) {
            (void)call_mirror_Base__set_level(self, 0);
            return CARNET_OK;
        }
        return CARNET_KIND(status) == mirror_Base_denied_alone_Denied ? deny(self, &raised.Denied) : status;
    }
    default:
        broken("an operation that nobody calls");
    }
    return status;
}

static void reply(const struct record *record, const unsigned char *body, unsigned op)
{
    static struct carnet_session *session;
    struct carnet_portal self;
    carnet_status status;
    /* Just as long as the message, so that whatever is read behind it is found. */
    uint64_t *message = (uint64_t *)malloc(CARNET_HEAD_BYTES + record->len);
    if (session == NULL) {
        session = session_of(CAPACITY);
    }
    if (message == NULL) {
        exit(3);
    }
    message[0] = 0;
    message[1] = (uint64_t)record->raised << 32;
    if (record->len > 0) {
        memcpy(message + 2, body, record->len);
    }
    carnet_channel_init(&session->channel, lie, CAPACITY);
    self.channel = &session->channel;
    self.id = 1;
    script.answer.reply = message;
    script.answer.head = CARNET_FLAT(record->op, record->len + CARNET_HEAD_BYTES, record->portals);
    script.asked = 0;
    status = believe(op, self);
    if (status != CARNET_OK) {
        put_record(0, (unsigned)(status & 0xffff), 0, 0);
    } else if (script.asked != 2) {
        broken("what was taken cannot be sent");
    } else {
        put_record(script.portals, script.op, 1, script.len);
        put(script.bytes, script.len);
    }
    free(message);
}

int main(void)
{
    static unsigned char body[CAPACITY];
    struct record record;
    while (take_record(&record)) {
        take(body, record.len);
        if (record.side == 0) {
            request(&record, body);
        } else {
            reply(&record, body, record.more);
        }
        fflush(stdout);
    }
    return 0;
}
