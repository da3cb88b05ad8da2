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
    return 0;
}
