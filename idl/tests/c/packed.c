/* Packed lists refer to their bytes in order and to each of them once, whether a request or a reply has them; and whoever puts a list
 * there that is no such one is told. Prints what is wrong and fails. */
#define CARNET_SERVER
#include "packed.h"
#include "check.h"

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 16) / 8 + CARNET_WORDS_BYTES / 8];
} server;

static int root;

/* ---- The service ---- */

/* What a parameter is: not packed. */
void packed_Back_within(const struct carnet_self *self, const struct carnet_list *a, struct packed_Texts *result)
{
    (void)self;
    result->all = *a;
}

void packed_Back_back(const struct carnet_self *self, const struct packed_Texts *a, struct packed_Texts *result)
{
    (void)self;
    *result = *a;
}

void packed_Back_alone(const struct carnet_self *self, struct packed_string8_list *result)
{
    static struct carnet_string texts[2] = {{"abc", 3}, {"defg", 4}};
    (void)self;
    result->ptr = texts;
    result->count = 2;
}

/* Of other elements, which take as many words. */
void packed_Back_numbers(const struct carnet_self *self, struct packed_Texts *result)
{
    static uint64_t words[4] = {4, 4};
    (void)self;
    result->all.words = (const unsigned char *)words;
    result->all.count = 2;
    result->all.bytes.ptr = words + 2;
    result->all.bytes.len = 0;
}

void packed_Back_released(void *object)
{
    (void)object;
}

/* ---- Messages ---- */

/* Two references into so many bytes. */
struct two {
    size_t offset0, len0, offset1, len1, bytes;
};

/* A message of a packed list of them alone; its head. */
static uint64_t message_of(uint64_t *message, uint64_t op, struct two two)
{
    memset(message, 0, 128);
    message[2] = 24 + two.bytes;
    message[3] = 2;
    message[4] = (uint64_t)two.offset0 << 24 | two.len0;
    message[5] = (uint64_t)two.offset1 << 24 | two.len1;
    memcpy(message + 6, "samehideandmore", two.bytes);
    return CARNET_FLAT(op, 48 + two.bytes, 0);
}

static struct two answered;

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

/* Whether the list is taken, which both sides must say. */
static bool is_taken(struct carnet_portal portal, struct two two)
{
    struct carnet_answer answer;
    struct packed_Texts found;
    carnet_status sent, asked;
    answer = carnet_dispatch(portal.channel, portal.id, message_of(carnet_message(portal.channel), 1, two));
    sent = (carnet_status)CARNET_OP(answer.head);
    answered = two;
    portal.channel->call = answer_it;
    asked = call_packed_Back_numbers(portal, &found);
    portal.channel->call = carnet_dispatch;
    CHECK(sent == CARNET_OK ? asked == CARNET_OK : sent == CARNET_BAD_ARGUMENT && asked == CARNET_PROTOCOL);
    return sent == CARNET_OK;
}

static void take(struct carnet_portal portal)
{
    static const struct two good[] = {{0, 4, 4, 4, 8}, {0, 0, 0, 8, 8}, {0, 8, 0, 0, 8}, {0, 8, 8, 0, 8}, {3, 0, 0, 8, 8},
                                      {0, 0, 0, 0, 0}};
    static const struct two wrong[] = {{0, 4, 0, 4, 8}, {4, 4, 4, 4, 8}, {4, 4, 0, 4, 8}, {0, 5, 4, 3, 8}, {0, 4, 4, 3, 8},
                                       {0, 3, 4, 4, 8}, {1, 3, 4, 4, 8}, {0, 4, 4, 4, 9}, {0, 4, 4, 5, 8}, {0, 8, 9, 0, 8},
                                       {0, 0, 0, 0, 1}};
    size_t index;
    for (index = 0; index < sizeof good / sizeof good[0]; index++) {
        CHECK(is_taken(portal, good[index]));
    }
    for (index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
        CHECK(!is_taken(portal, wrong[index]));
    }
}

static void put(struct carnet_portal portal)
{
    struct carnet_string texts[2] = {{"eight by", 8}, {"defg", 4}}, text;
    struct packed_string8_list list = {texts, 2};
    struct packed_Texts given, found;
    struct carnet_list alone;
    uint64_t words[16];
    struct carnet_room room = CARNET_ROOM(words);
    /* These lie as packed ones do: the first takes whole words. */
    CHECK(call_packed_Back_within(portal, list, &found) == CARNET_OK);
    texts[0].len = 3;
    CHECK(call_packed_Back_within(portal, list, &found) == CARNET_SERVICE);
    CHECK(call_packed_Back_numbers(portal, &found) == CARNET_SERVICE);
    CHECK(packed_string8_pack(&given.all, &room, texts, 2));
    CHECK(call_packed_Back_back(portal, &given, &found) == CARNET_OK);
    CHECK(found.all.count == 2 && packed_string8_at(&found.all, 1, &text) && text.len == 4);
    CHECK(call_packed_Back_alone(portal, &alone) == CARNET_OK && alone.count == 2);
    given.all = alone;
    CHECK(call_packed_Back_back(portal, &given, &found) == CARNET_BAD_ARGUMENT);
}

/* Spoils the message that the last reply lies in. */
static void spoil(struct carnet_portal portal)
{
    memset(carnet_message(portal.channel), 0xee, 4096);
}

static void copy(struct carnet_portal portal)
{
    struct carnet_string texts[2] = {{"abc", 3}, {"defg", 4}}, text;
    struct packed_Texts given, found, kept, before;
    struct carnet_list alone, list;
    uint64_t words[8], copies[8], few[3];
    struct carnet_room room = CARNET_ROOM(words), into = CARNET_ROOM(copies), small = CARNET_ROOM(few), none = {NULL, 0};
    CHECK(packed_string8_pack(&given.all, &room, texts, 2));
    CHECK(call_packed_Back_back(portal, &given, &found) == CARNET_OK);
    CHECK(carnet_list_room(&found.all) == 3 && packed_Texts_room(&found) == 3);
    memset(&before, 0xa5, sizeof before);
    memcpy(&kept, &before, sizeof kept);
    small.left = 2;
    CHECK(!packed_Texts_copy(&kept, &small, &found) && !carnet_list_copy(&kept.all, &small, &found.all));
    CHECK(small.left == 2 && small.next == few && memcmp(&kept, &before, sizeof kept) == 0);
    small.left = 3;
    CHECK(packed_Texts_copy(&kept, &small, &found) && small.left == 0 && small.next == few + 3);
    CHECK(carnet_list_copy(&list, &into, &found.all) && into.left == 5);
    spoil(portal);
    CHECK(packed_string8_at(&kept.all, 1, &text) && text.len == 4 && memcmp(text.ptr, "defg", 4) == 0);
    CHECK(call_packed_Back_back(portal, &kept, &found) == CARNET_OK && found.all.count == 2);
    given.all = list;
    CHECK(call_packed_Back_back(portal, &given, &found) == CARNET_OK && found.all.count == 2);
    /* A copy of a parameter is none that is packed, but is read. */
    CHECK(call_packed_Back_alone(portal, &alone) == CARNET_OK && carnet_list_copy(&list, &into, &alone));
    spoil(portal);
    CHECK(list.count == 2 && packed_string8_at(&list, 0, &text) && text.len == 3 && memcmp(text.ptr, "abc", 3) == 0);
    /* No elements take no room, whatever else is there. */
    found.all.count = 0;
    CHECK(packed_Texts_copy(&kept, &none, &found) && kept.all.count == 0 && kept.all.words == NULL);
    CHECK(call_packed_Back_back(portal, &kept, &found) == CARNET_OK && found.all.count == 0);
}

int main(void)
{
    struct carnet_portal portal;
    CHECK(carnet_session_here(&server.session, sizeof server.message, &root, packed_Back_service(), &portal));
    take(portal);
    put(portal);
    copy(portal);
    return 0;
}
