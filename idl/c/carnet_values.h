/* carnet_values.h: values that are more than a word or a piece of data: lists, unions, arrays, references in structs.
 *
 * Generated functions put a value's words one after the other, and take them; what they refer to follows behind:
 *
 *     message   | head | words | portal ids | data …                  words refer into data
 *     list      | count | words of the elements | bytes … |           these refer into bytes; the list is data itself
 *     exception | head | words of the members | bytes … |
 *     packed    | count | words of the elements | bytes … |           a list within another value: bytes of that
 *
 * A list within another value is a `struct carnet_list` on both sides. Who gives one has a MODULE_Element_pack put it into a room
 * of words; who gets one finds it checked, with all that is in it, and reads it by MODULE_Element_at. Its words refer to bytes one
 * behind the other: no two share any, and none of its bytes belongs to no word. Only what was packed, or came packed, of the same
 * element type may be put there; a list that is a parameter is packed anew.
 *
 * A fault is noted and looked at once, at the end: until then what is taken is zero or empty. The message does not change
 * meanwhile: a transport over shared memory has copied it.
 */
#ifndef CARNET_VALUES_H
#define CARNET_VALUES_H

#include "carnet_into.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of words and data of a packed list. */
#define CARNET_PACKED_MAX ((size_t)1 << 20)
/* In the kind of a raised exception: the rest is its place among those that the operation may raise. */
#define CARNET_TYPED 0x8000u

/* An object in a struct or list. Clients give and find `portal`; servers find `object`, and give what carnet_served makes. */
struct carnet_reference {
    struct carnet_portal portal;
    void *object;
    const struct carnet_service *service;
};

/* For servers: an object as a result, served like that. */
static inline struct carnet_reference carnet_served(void *object, const struct carnet_service *service)
{
    struct carnet_reference made = {{NULL, 0}, object, service};
    return made;
}

/* For clients: a portal as an argument. */
static inline struct carnet_reference carnet_given(struct carnet_portal portal)
{
    struct carnet_reference given = {portal, NULL, NULL};
    return given;
}

/* ---- Putting ---- */

struct carnet_put {
    struct carnet_channel *channel;
    struct carnet_gather *gather; /* the channel's */
    uint64_t *message; /* its head */
    uint64_t *words;   /* where words are put */
    size_t data, end;  /* what words refer to counts from, and where it ends: bytes behind the head's start */
    size_t message_words, portals, portals_max;
    bool is_server, is_wrong;
};

/* Begins a message at `message` within the channel's buffer. */
static inline void carnet_put_begin(struct carnet_put *put, struct carnet_channel *channel, uint64_t *message,
                                    size_t words, size_t portals, bool is_server)
{
    memset(put, 0, sizeof *put);
    put->channel = channel;
    put->gather = channel->gather;
    put->message = message;
    put->words = message + 2;
    put->message_words = words;
    put->portals_max = portals;
    put->is_server = is_server;
    put->data = put->end = carnet_begin_data(channel, carnet_data_at(words, portals));
    put->is_wrong = portals > CARNET_PORTALS_MAX || !carnet_has_room(channel, message, put->data);
    if (!put->is_wrong) {
        memset(message + 2, 0, put->data - CARNET_HEAD_BYTES);
    }
}

static inline uint64_t carnet_put_head(const struct carnet_put *put, uint64_t op)
{
    return CARNET_HANDING(op, put->end, put->portals, put->is_server ? put->message_words : 0) | carnet_elsewhere(put->channel);
}

static inline void carnet_put_word(struct carnet_put *put, size_t at, uint64_t word, bool is_wrong)
{
    put->is_wrong = put->is_wrong || is_wrong;
    if (!put->is_wrong) {
        put->words[at] = word;
    }
}

/* Where the next data begins: in a message at a word, in a packed list, which has no channel, at once. */
static inline size_t carnet_put_start(const struct carnet_put *put)
{
    return put->channel == NULL ? put->end : (put->end + 7) & ~(size_t)7;
}

static inline bool carnet_put_fits(const struct carnet_put *put, size_t start, size_t len)
{
    if (put->channel == NULL) {
        return len <= put->message_words * 8 - start;
    }
    return carnet_has_room(put->channel, put->message, start) &&
           carnet_has_room(put->channel, put->message, start + len);
}

/* Data is there; the word `at` refers to it. */
static inline void carnet_put_end(struct carnet_put *put, size_t at, size_t start, size_t len)
{
    put->end = start + len;
    put->words[at] = (uint64_t)(start - put->data) << 24 | len;
}

static inline void carnet_put_bytes(struct carnet_put *put, size_t at, const void *ptr, size_t len, size_t max)
{
    size_t start = carnet_put_start(put);
    put->is_wrong = put->is_wrong || len > max || !carnet_put_fits(put, start, len);
    if (!put->is_wrong) {
        carnet_put_data(put->gather, put->message, put->end, start, ptr, len);
        carnet_put_end(put, at, start, len);
    }
}

/* An array of bytes. A server's is a value of its stub, which is gone when the reply is sent. */
static inline void carnet_put_array(struct carnet_put *put, size_t at, const void *ptr, size_t len)
{
    size_t start = carnet_put_start(put);
    if (!put->is_server) {
        carnet_put_bytes(put, at, ptr, len, len);
        return;
    }
    put->is_wrong = put->is_wrong || !carnet_put_fits(put, start, len);
    if (!put->is_wrong) {
        carnet_put_copy(put->gather, put->message, put->end, start, ptr, len);
        carnet_put_end(put, at, start, len);
    }
}

static inline void carnet_put_text(struct carnet_put *put, size_t at, struct carnet_string text, size_t max)
{
    put->is_wrong = put->is_wrong || (text.len > 0 && text.len <= max && memchr(text.ptr, 0, text.len) != NULL);
    carnet_put_bytes(put, at, text.ptr, text.len, max);
}

static inline void carnet_put_reference(struct carnet_put *put, size_t at, const struct carnet_reference *reference)
{
    uint32_t id = reference->portal.id;
    uint64_t *place = put->message + 2 + put->message_words + put->portals / 2;
    put->is_wrong = put->is_wrong || put->portals >= put->portals_max ||
                    (put->is_server ? reference->service == NULL || reference->object == NULL
                                    : reference->portal.channel != put->channel);
    if (put->is_wrong) {
        if (put->is_server && reference->service != NULL) {
            carnet_leave_out(carnet_session_of(put->channel), reference->object, reference->service);
        }
        return;
    }
    if (put->is_server) {
        carnet_brings(put->channel, put->message);
        id = carnet_hand_out(carnet_session_of(put->channel), reference->object, reference->service);
        put->is_wrong = id == 0;
        if (put->is_wrong) {
            return;
        }
    }
    *place |= (uint64_t)id << (put->portals % 2 * 32);
    put->words[at] = put->portals++;
}

/* For servers: a reply that cannot be sent gives its portals back. */
static inline void carnet_put_undo(struct carnet_put *put)
{
    carnet_take_back(carnet_session_of(put->channel), put->message, put->message_words, put->portals);
}

/* Begins a list; its elements' words begin at `words` of what is returned. */
static inline struct carnet_put carnet_put_list(struct carnet_put *put, size_t count, size_t stride, size_t max)
{
    struct carnet_put list = *put;
    size_t start = (put->end + 7) & ~(size_t)7;
    list.is_wrong = put->is_wrong || count > max || !carnet_has_room(put->channel, put->message, start + 8) ||
                    !carnet_has_room(put->channel, put->message, start + 8 + count * stride * 8);
    if (!list.is_wrong) {
        list.words = (uint64_t *)(void *)carnet_gather_at(put->gather, put->message, start);
        memset((char *)list.words - (start - put->end), 0, start - put->end);
        *list.words++ = count;
        list.data = list.end = start + 8 + count * stride * 8;
        memset(list.words, 0, count * stride * 8);
    }
    return list;
}

/* A list as it stands in a message: how many elements, and bytes that may stay where they lie. */
static inline void carnet_put_counted(struct carnet_put *put, size_t at, uint64_t count, const void *ptr, size_t len)
{
    size_t start = carnet_put_start(put);
    put->is_wrong = put->is_wrong || !carnet_put_fits(put, start, 8 + len);
    if (!put->is_wrong) {
        char *place = carnet_gather_at(put->gather, put->message, start);
        carnet_put_data(put->gather, put->message, start + 8, start + 8, ptr, len);
        memcpy(place, &count, 8);
        memset(place - (start - put->end), 0, start - put->end);
        carnet_put_end(put, at, start, 8 + len);
    }
}

/* A list of elements that are words. */
static inline void carnet_put_words(struct carnet_put *put, size_t at, const void *ptr, size_t count, size_t stride, size_t max)
{
    put->is_wrong = put->is_wrong || count > max;
    carnet_put_counted(put, at, count, ptr, count * stride * 8);
}

static inline void carnet_put_list_end(struct carnet_put *put, size_t at, const struct carnet_put *list)
{
    size_t start = (put->end + 7) & ~(size_t)7;
    put->is_wrong = list->is_wrong;
    put->portals = list->portals;
    if (!put->is_wrong) {
        put->end = list->end;
        put->words[at] = (uint64_t)(start - put->data) << 24 | (list->end - start);
    }
}

/* ---- Packing ---- */

/* Whether words refer to bytes one behind the other, without any between or left, in the order of the words. A bit of `references` is
 * set for each word of an element that refers to bytes. */
static inline bool carnet_is_exact(const struct carnet_list *list, size_t stride, uint64_t references)
{
    size_t index, word, end = 0;
    for (index = 0; index < list->count && references != 0; index++) {
        for (word = 0; word < stride; word++) {
            uint64_t reference;
            size_t offset, len;
            if ((references >> word & 1) == 0) {
                continue;
            }
            memcpy(&reference, list->words + (index * stride + word) * 8, 8);
            offset = (size_t)(reference >> 24);
            len = (size_t)reference & 0xffffff;
            if (offset > list->bytes.len || len > list->bytes.len - offset || (len > 0 && offset != end)) {
                return false;
            }
            end += len;
        }
    }
    return end == list->bytes.len;
}

/* Words of the caller's, for packed lists: these lie in them for as long as they are used. */
struct carnet_room {
    uint64_t *next;
    size_t left;
};

/* All of an array of words: `struct carnet_room room = CARNET_ROOM(words);`. */
#define CARNET_ROOM(words) {(words), sizeof(words) / sizeof(uint64_t)}

static inline void carnet_room_used(struct carnet_room *room, size_t words)
{
    if (words > 0) {
        room->next += words;
        room->left -= words;
    }
}

/* Begins a list of elements of `stride` words, which are put one behind the other. It has no channel. */
static inline struct carnet_put carnet_pack_begin(const struct carnet_room *room, size_t count, size_t stride)
{
    struct carnet_put put;
    memset(&put, 0, sizeof put);
    put.message = put.words = room->next;
    put.message_words = room->left < CARNET_PACKED_MAX / 8 ? room->left : CARNET_PACKED_MAX / 8;
    put.is_wrong = count > put.message_words / stride;
    if (!put.is_wrong && count > 0) {
        put.data = put.end = count * stride * 8;
        memset(put.words, 0, put.end);
    }
    return put;
}

/* False, with nothing changed, if an element broke a bound or there was no room. */
static inline bool carnet_pack_end(struct carnet_room *room, const struct carnet_put *put, size_t count,
                                   struct carnet_list *list)
{
    if (put->is_wrong) {
        return false;
    }
    memset(list, 0, sizeof *list);
    if (count > 0) {
        list->words = (const unsigned char *)put->message;
        list->count = count;
        list->bytes.ptr = list->words + put->data;
        list->bytes.len = put->end - put->data;
    }
    carnet_room_used(room, (put->end + 7) / 8);
    return true;
}

/* Puts a list that was packed, or came packed, with elements of `stride` words. It must be as one that comes: what is of other elements,
 * or came as a parameter, is none. */
static inline void carnet_put_packed(struct carnet_put *put, size_t at, const struct carnet_list *list, size_t stride,
                                     uint64_t references, size_t max, size_t bytes_max)
{
    uint64_t count = list->count;
    size_t len = 0;
    put->is_wrong = put->is_wrong || count > max || (count > 0 && list->bytes.len > CARNET_PACKED_MAX);
    if (!put->is_wrong && count > 0) {
        len = list->count * stride * 8;
        put->is_wrong = list->bytes.ptr != list->words + len || !carnet_is_exact(list, stride, references);
        len += list->bytes.len;
    }
    put->is_wrong = put->is_wrong || 8 + len > bytes_max;
    carnet_put_counted(put, at, count, list->words, len);
}

/* ---- Copying ---- */

/* Where copies are put, and how many words they take; without a place they are counted alone. */
struct carnet_copying {
    uint64_t *place;
    size_t words;
};

/* Where bytes lie that are copied, or counted. */
static inline const void *carnet_copy_data(struct carnet_copying *copying, const void *from, size_t len)
{
    size_t at = copying->words;
    copying->words += (len + 7) / 8;
    if (len == 0) {
        return "";
    }
    return copying->place == NULL ? from : memcpy(copying->place + at, from, len);
}

static inline void carnet_copy_bytes(struct carnet_copying *copying, struct carnet_bytes *bytes)
{
    bytes->ptr = carnet_copy_data(copying, bytes->ptr, bytes->len);
}

static inline void carnet_copy_text(struct carnet_copying *copying, struct carnet_string *text)
{
    text->ptr = (const char *)carnet_copy_data(copying, text->ptr, text->len);
}

/* The bytes that a list refers to begin where its words end. The copy has no message. */
static inline void carnet_copy_list(struct carnet_copying *copying, struct carnet_list *list)
{
    struct carnet_list copy;
    memset(&copy, 0, sizeof copy);
    if (list->count > 0) {
        size_t words = (size_t)((const unsigned char *)list->bytes.ptr - list->words);
        copy.words = (const unsigned char *)carnet_copy_data(copying, list->words, words + list->bytes.len);
        copy.count = list->count;
        copy.bytes.ptr = copy.words + words;
        copy.bytes.len = list->bytes.len;
    }
    *list = copy;
}

/* Words that carnet_list_copy needs. */
static inline size_t carnet_list_room(const struct carnet_list *list)
{
    struct carnet_copying copying = {NULL, 0};
    struct carnet_list counted = *list;
    carnet_copy_list(&copying, &counted);
    return copying.words;
}

/* Copies a list into the room, all that is in it with it; false, with nothing changed, if there is too little room. A list that was
 * packed, or came packed, is one that can be given. Of a list that came as a parameter elements can be read: portals in them are
 * not kept. */
static inline bool carnet_list_copy(struct carnet_list *to, struct carnet_room *room, const struct carnet_list *from)
{
    struct carnet_copying copying = {room->next, 0};
    if (carnet_list_room(from) > room->left) {
        return false;
    }
    *to = *from;
    carnet_copy_list(&copying, to);
    carnet_room_used(room, copying.words);
    return true;
}

/* ---- Taking ---- */

struct carnet_take {
    struct carnet_channel *channel;
    const uint64_t *message;    /* its head */
    const unsigned char *words; /* where words are taken from */
    struct carnet_bytes data;   /* what they refer to */
    size_t message_words, portals;
    size_t texts_left; /* bytes that texts of its lists may still take */
    bool is_server, is_wrong;
};

/* Begins to take a flat message apart; false if it is none, or shorter than its words, of which bits of `references` say those that
 * refer to something. */
static inline bool carnet_take_begin(struct carnet_take *take, struct carnet_channel *channel, const uint64_t *message,
                                     uint64_t head, size_t words, uint64_t references, bool is_server)
{
    size_t portals = CARNET_PORTALS(head), data = carnet_data_at(words, portals);
    memset(take, 0, sizeof *take);
    if (!carnet_is_whole(head, data, portals)) {
        return false;
    }
    take->channel = channel;
    take->message = message;
    take->words = (const unsigned char *)(message + 2);
    take->data.ptr = (const char *)message + data;
    take->data.len = CARNET_LEN(head) - data;
    take->message_words = words;
    take->portals = portals;
    take->texts_left = carnet_texts_max(take->data.len);
    take->is_server = is_server;
    take->is_wrong = !carnet_is_apart(message, CARNET_LEN(head), data, references);
    if (!is_server) {
        memset(channel->named, 0, sizeof channel->named);
    }
    return true;
}

/* As carnet_take_begin, of a reply to a call with buffers. An object of the same process may have left its only data where they
 * lie. */
static inline bool carnet_take_landed(struct carnet_take *take, struct carnet_channel *channel, struct carnet_answer answer,
                                      const struct carnet_landing *landing)
{
    uint64_t head = carnet_far(answer.reply, answer.head);
    size_t words = landing->words, word = CARNET_PIECE_WORD(head);
    struct carnet_bytes piece;
    if (!CARNET_HAS_PIECE(head)) {
        return carnet_take_begin(take, channel, answer.reply, head, words, landing->references, false);
    }
    memset(take, 0, sizeof *take);
    if (CARNET_WORDS(head) != words || word >= words || (landing->references >> word & 1) == 0) {
        return false;
    }
    piece = CARNET_IS_COPIED(head) ? carnet_copied(answer.reply, words, word) : carnet_gathered(answer.reply, words);
    if (piece.len > 0xffffff) {
        return false;
    }
    carnet_put(answer.reply, 2 + word, piece.len);
    take->channel = channel;
    take->message = answer.reply;
    take->words = (const unsigned char *)(answer.reply + 2);
    take->data = piece;
    take->message_words = words;
    take->texts_left = carnet_texts_max(piece.len);
    return true;
}

/* For clients: gives back the portals of a reply that is refused. */
static inline void carnet_take_undo(const struct carnet_take *take)
{
    carnet_let_go(take->channel, take->message, take->message_words, take->portals);
}

/* For clients: a reply was good. Gives those of its portals back that nothing in it names. */
static inline void carnet_take_rest(const struct carnet_take *take)
{
    if (take->portals > 0) {
        carnet_let_go_rest(take->channel, take->message, take->message_words, take->portals, take->channel->named);
    }
}

/* As carnet_take_begin, for the members of an exception, which has no portals, and whose bounds are small together. */
static inline bool carnet_take_raised(struct carnet_take *take, struct carnet_channel *channel,
                                      struct carnet_answer answer, size_t words)
{
    return CARNET_PORTALS(answer.head) == 0 &&
           carnet_take_begin(take, channel, answer.reply, answer.head & ~(uint64_t)0x7fff, words, 0, false);
}

static inline uint64_t carnet_take_word(const struct carnet_take *take, size_t at)
{
    uint64_t word;
    memcpy(&word, take->words + at * 8, 8);
    return word;
}

/* Notes that a word is wrong, and takes 0 for it. */
static inline uint64_t carnet_take_check(struct carnet_take *take, uint64_t word, bool is_wrong)
{
    take->is_wrong = take->is_wrong || is_wrong;
    return is_wrong ? 0 : word;
}

static inline struct carnet_bytes carnet_take_bytes(struct carnet_take *take, size_t at, size_t min, size_t max)
{
    uint64_t word = carnet_take_word(take, at);
    size_t offset = (size_t)(word >> 24), count = (size_t)word & 0xffffff;
    struct carnet_bytes found = {NULL, 0};
    if (offset > take->data.len || count > take->data.len - offset || count > max || count < min) {
        take->is_wrong = true;
        return found;
    }
    found.ptr = (const char *)take->data.ptr + offset;
    found.len = count;
    return found;
}

static inline struct carnet_string carnet_take_text(struct carnet_take *take, size_t at, size_t max)
{
    struct carnet_bytes bytes = carnet_take_bytes(take, at, 0, max);
    struct carnet_string found = {(const char *)bytes.ptr, bytes.len};
    take->is_wrong = take->is_wrong || (bytes.len > 0 && memchr(bytes.ptr, 0, bytes.len) != NULL);
    return found;
}

/* Copies an array of bytes; zeros if it is not there. */
static inline void carnet_take_array(struct carnet_take *take, size_t at, void *to, size_t len)
{
    struct carnet_bytes found = carnet_take_bytes(take, at, len, len);
    memset(to, 0, len);
    if (found.len == len) {
        memcpy(to, found.ptr, len);
    }
}

static inline struct carnet_reference carnet_take_reference(struct carnet_take *take, size_t at, uint64_t hash)
{
    struct carnet_reference found = {{NULL, 0}, NULL, NULL};
    uint64_t index = carnet_take_word(take, at);
    if (index >= take->portals) {
        take->is_wrong = true;
    } else if (!take->is_server) {
        take->channel->named[index / 64] |= (uint64_t)1 << (index % 64);
        found.portal.channel = take->channel;
        found.portal.id = carnet_portal_id(take->message, take->message_words, (size_t)index);
    } else if (carnet_find_object(take->channel, take->message, take->message_words, take->portals, index, hash,
                                  &found.object)) {
        uint32_t id = carnet_portal_id(take->message, take->message_words, (size_t)index);
        found.service = carnet_session_of(take->channel)->services[id & (CARNET_OBJECTS_MAX - 1)];
    } else {
        found.object = NULL;
        take->is_wrong = true;
    }
    return found;
}

/* A list of at most `max` elements of `stride` words. */
static inline struct carnet_list carnet_take_list(struct carnet_take *take, size_t at, size_t stride, size_t max)
{
    struct carnet_bytes item = carnet_take_bytes(take, at, 8, SIZE_MAX);
    struct carnet_list found;
    uint64_t count = 0;
    memset(&found, 0, sizeof found);
    if (item.len >= 8) {
        memcpy(&count, item.ptr, 8);
    }
    if (item.len < 8 || count > max || count * stride * 8 > item.len - 8) {
        take->is_wrong = true;
        return found;
    }
    found.words = (const unsigned char *)item.ptr + 8;
    found.count = (size_t)count;
    found.bytes.ptr = found.words + count * stride * 8;
    found.bytes.len = item.len - 8 - (size_t)count * stride * 8;
    found.channel = take->channel;
    found.message = take->message;
    found.message_words = take->message_words;
    found.portals = take->portals;
    found.is_server = take->is_server;
    return found;
}

/* A packed list of at most `max` elements of `stride` words, and `bytes_max` bytes, which is exact. */
static inline struct carnet_list carnet_take_packed(struct carnet_take *take, size_t at, size_t stride, uint64_t references,
                                                    size_t max, size_t bytes_max)
{
    struct carnet_bytes item = carnet_take_bytes(take, at, 0, bytes_max);
    struct carnet_list found;
    uint64_t count = 0;
    memset(&found, 0, sizeof found);
    if (item.len == 0) {
        return found; /* no elements, or none that are there */
    }
    if (item.len >= 8) {
        memcpy(&count, item.ptr, 8);
    }
    if (item.len < 8 || count > max || count * stride * 8 > item.len - 8) {
        take->is_wrong = true;
        return found;
    }
    found.words = (const unsigned char *)item.ptr + 8;
    found.count = (size_t)count;
    found.bytes.ptr = found.words + count * stride * 8;
    found.bytes.len = item.len - 8 - (size_t)count * stride * 8;
    if (!carnet_is_exact(&found, stride, references)) {
        take->is_wrong = true;
        memset(&found, 0, sizeof found);
    }
    return found;
}

/* Takes from a buffer what has one: where the transport put it, or copied there. What does not fit, or leaves the message, is taken
 * as if it had none. */
static inline struct carnet_take carnet_take_into(const struct carnet_take *take, struct carnet_target *target)
{
    struct carnet_take part = *take;
    uint64_t reference = carnet_take_word(take, target->word);
    size_t offset = (size_t)(reference >> 24), count = (size_t)reference & 0xffffff;
    target->reference = reference;
    part.words = (const unsigned char *)&target->reference;
    if (!target->is_there) {
        if (count == 0 || count > target->buffer.len || offset > take->data.len || count > take->data.len - offset) {
            return part;
        }
        /* It may be a part of what was sent, which a caller may have put into the buffer. */
        memmove(target->buffer.ptr, (const char *)take->data.ptr + offset, count);
    }
    target->reference = count;
    part.data.ptr = target->buffer.ptr;
    part.data.len = count;
    return part;
}

/* Begins to take an element of a list. */
static inline struct carnet_take carnet_take_element(const struct carnet_list *list, size_t index, size_t stride)
{
    struct carnet_take take;
    memset(&take, 0, sizeof take);
    take.channel = list->channel;
    take.message = list->message;
    take.words = list->words + index * stride * 8;
    take.data = list->bytes;
    take.message_words = list->message_words;
    take.portals = list->portals;
    take.is_server = list->is_server;
    return take;
}

/* ---- Floating point ---- */

static inline uint64_t carnet_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The number of an enum's value, which may be none of the enum's: g++ compares it as one otherwise. */
static inline uint64_t carnet_of_enum(uint64_t value)
{
    return value;
}

static inline uint64_t carnet_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float carnet_to_float(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double carnet_to_double(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

#ifdef __cplusplus
}
#endif

#endif
