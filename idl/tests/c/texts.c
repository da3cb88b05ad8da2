/* Lists whose texts name the same bytes many times, in requests and in replies: nobody looks through more than a message has room for.
 * Prints what is wrong and fails. */
#define CARNET_SERVER
#include "texts.h"
#include "check.h"

#define TEXT_BYTES ((size_t)1 << 20)

static struct {
    struct carnet_session session;
    uint64_t message[(4 << 20) / 8 + CARNET_WORDS_BYTES / 8];
} server;

static size_t given; /* elements of the list that the service was given */

/* ---- The service ---- */

int32_t texts_Texts_put(const struct carnet_self *self, const struct carnet_list *a)
{
    (void)self;
    given = a->count;
    return 0;
}

int32_t texts_Texts_put_named(const struct carnet_self *self, const struct carnet_list *a)
{
    return texts_Texts_put(self, a);
}

int32_t texts_Texts_choose(const struct carnet_self *self, const struct carnet_list *a)
{
    return texts_Texts_put(self, a);
}

void texts_Texts_get(const struct carnet_self *self, struct texts_string1048576_list *result)
{
    (void)self;
    (void)result;
}

void texts_Texts_get_named(const struct carnet_self *self, struct texts_Named_list *result)
{
    (void)self;
    (void)result;
}

void texts_Texts_chosen(const struct carnet_self *self, struct texts_Chosen_list *result)
{
    (void)self;
    (void)result;
}

int32_t texts_Texts_put_three(const struct carnet_self *self, const struct carnet_list *a, const struct carnet_list *b,
                              struct carnet_bytes c)
{
    (void)self;
    (void)c;
    given = a->count + b->count;
    return 0;
}

void texts_Texts_get_three(const struct carnet_self *self, struct texts_string1048576_list *result,
                           struct texts_string1048576_list *b, struct carnet_bytes *c)
{
    (void)self;
    (void)result;
    (void)b;
    (void)c;
}

int32_t texts_Texts_put_two(const struct carnet_self *self, struct carnet_bytes a, struct carnet_bytes b)
{
    (void)self;
    given = a.len + b.len;
    return 0;
}

void texts_Texts_get_two(const struct carnet_self *self, struct carnet_bytes *result, struct carnet_bytes *b)
{
    (void)self;
    (void)result;
    (void)b;
}

void texts_Texts_released(void *object)
{
    (void)object;
}

/* ---- Messages ---- */

/* A list of elements of `stride` words: the first is 1, and the last a text, of TEXT_BYTES, each of its own bytes if there are so many
 * `texts`, else all the same. */
struct list {
    size_t count, stride, texts;
};

/* Writes a message of such a list alone; its head. */
static uint64_t message_of(uint64_t *message, uint64_t op, struct list list)
{
    size_t words = list.count * list.stride, len = 8 + words * 8 + list.texts * TEXT_BYTES, index;
    memset(message, 0, 24 + 8 + words * 8);
    message[2] = len;
    message[3] = list.count;
    for (index = 0; index < list.count; index++) {
        uint64_t *element = message + 4 + index * list.stride;
        size_t text = list.texts == 1 ? 0 : index;
        element[0] = 1;
        element[list.stride - 1] = (uint64_t)(text * TEXT_BYTES) << 24 | TEXT_BYTES;
    }
    memset(message + 4 + words, 'x', list.texts * TEXT_BYTES);
    return CARNET_FLAT(op, 24 + len, 0);
}

static struct list answered;

/* A server that answers each call with the list. */
static struct carnet_answer answer_it(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_answer answer;
    (void)target;
    (void)head;
    answer.reply = carnet_message(channel);
    answer.head = message_of(answer.reply, 0, answered);
    return answer;
}

static carnet_status asked(struct carnet_portal portal, struct list list)
{
    struct carnet_list found;
    carnet_status status;
    answered = list;
    portal.channel->call = answer_it;
    status = list.stride == 1   ? call_texts_Texts_get(portal, &found)
             : list.stride == 2 ? call_texts_Texts_get_named(portal, &found)
                                : call_texts_Texts_chosen(portal, &found);
    CHECK(found.count == (status == CARNET_OK ? list.count : 0));
    return status;
}

static carnet_status sent(struct carnet_portal portal, struct list list)
{
    uint64_t op = list.stride == 1 ? 0 : list.stride == 2 ? 2 : 4;
    struct carnet_answer answer;
    given = 0;
    answer = carnet_dispatch(portal.channel, portal.id, message_of(carnet_message(portal.channel), op, list));
    CHECK(given == (CARNET_OP(answer.head) == 0 ? list.count : 0));
    return (carnet_status)CARNET_OP(answer.head);
}

/* Words of a message without more words, and so many bytes of data, in which a list of two texts begins at 0, and the same again
 * at LIST_BYTES; its head. */
struct named {
    uint64_t words[3];
    size_t count, bytes, texts;
};

#define LIST_BYTES (24 + TEXT_BYTES)

static uint64_t named_message(uint64_t *message, uint64_t op, struct named named)
{
    size_t index;
    memcpy(message + 2, named.words, sizeof named.words);
    memset(message + 2 + named.count, 'x', named.bytes);
    for (index = 0; index < 2; index++) {
        uint64_t *list = message + 2 + named.count + index * LIST_BYTES / 8;
        list[0] = 2;
        list[1] = list[2] = named.texts;
    }
    return CARNET_FLAT(op, 16 + named.count * 8 + named.bytes, 0);
}

static struct named told;

static struct carnet_answer tell_it(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_answer answer;
    (void)target;
    (void)head;
    answer.reply = carnet_message(channel);
    answer.head = named_message(answer.reply, 0, told);
    return answer;
}

/* Whether a message is taken, which both sides must say. */
static bool is_taken(struct carnet_portal portal, struct named named)
{
    struct carnet_answer answer;
    struct carnet_list a, b;
    struct carnet_bytes one, two;
    carnet_status sent_status, asked_status;
    bool is_two = named.count == 2;
    given = 0;
    answer = carnet_dispatch(portal.channel, portal.id, named_message(carnet_message(portal.channel), is_two ? 8 : 6, named));
    sent_status = (carnet_status)CARNET_OP(answer.head);
    told = named;
    portal.channel->call = tell_it;
    asked_status = is_two ? call_texts_Texts_get_two(portal, &one, &two) : call_texts_Texts_get_three(portal, &a, &b, &two);
    CHECK(sent_status == CARNET_OK ? asked_status == CARNET_OK
                                   : sent_status == CARNET_BAD_ARGUMENT && asked_status == CARNET_PROTOCOL && given == 0);
    CHECK(asked_status == CARNET_OK || (is_two ? one.len == 0 && two.len == 0 : a.count == 0 && b.count == 0));
    return sent_status == CARNET_OK;
}

#define AT(offset, len) ((uint64_t)(offset) << 24 | (len))

static void several(struct carnet_portal portal)
{
    const struct named two[] = {{{AT(0, 100), AT(100, 100), 0}, 2, 2 * LIST_BYTES, 0},
                                {{AT(0, 2 * LIST_BYTES - 1), AT(0, 1), 0}, 2, 2 * LIST_BYTES, 0}};
    const struct named wrong_two[] = {{{AT(0, 2 * LIST_BYTES - 1), AT(0, 2), 0}, 2, 2 * LIST_BYTES, 0},
                                      {{AT(0, 2 * LIST_BYTES), AT(0, 2 * LIST_BYTES), 0}, 2, 2 * LIST_BYTES, 0}};
    const uint64_t text = AT(0, TEXT_BYTES), half = AT(0, TEXT_BYTES / 2);
    const uint64_t first = AT(0, LIST_BYTES), second = AT(LIST_BYTES, LIST_BYTES);
    /* Two lists, of which each has half of what there may be. */
    const struct named lists = {{first, second, 0}, 3, 2 * LIST_BYTES, half};
    const struct named more = {{first, second, 0}, 3, 2 * LIST_BYTES, text};
    const struct named same = {{first, first, 0}, 3, 2 * LIST_BYTES, half};
    const struct named beside = {{first, second, AT(0, 1)}, 3, 2 * LIST_BYTES, half};
    size_t index;
    for (index = 0; index < 2; index++) {
        CHECK(is_taken(portal, two[index]) && !is_taken(portal, wrong_two[index]));
    }
    CHECK(is_taken(portal, lists) && !is_taken(portal, more) && is_taken(portal, same) && !is_taken(portal, beside));
}

int main(void)
{
    struct carnet_portal portal;
    size_t stride;
    CHECK(carnet_session_here(&server.session, sizeof server.message, &given, texts_Texts_service(), &portal));
    for (stride = 1; stride <= 3; stride++) {
        struct list two = {2, stride, 1}, three = {3, stride, 1}, many = {20000, stride, 1}, own = {3, stride, 3};
        CHECK(sent(portal, two) == CARNET_OK && asked(portal, two) == CARNET_OK);
        CHECK(sent(portal, own) == CARNET_OK && asked(portal, own) == CARNET_OK);
        CHECK(sent(portal, three) == CARNET_BAD_ARGUMENT && asked(portal, three) == CARNET_PROTOCOL);
        CHECK(sent(portal, many) == CARNET_BAD_ARGUMENT && asked(portal, many) == CARNET_PROTOCOL);
    }
    several(portal);
    return 0;
}
