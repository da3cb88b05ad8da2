/* Stubs of module board, made by `carnet idl build --lang c`. Do not edit. */
/* A notice board: a small interface that a server in C serves. */
#ifndef CARNET_STUBS_BOARD_H
#define CARNET_STUBS_BOARD_H

#include "carnet_values.h"

#ifdef __cplusplus
extern "C" {
#endif


enum board_Reason {
    board_Reason_full = 0,
    board_Reason_nothing_there = 1
};

static const uint64_t board_Note_operations[] = {
    0x8e6f8d6621e82774, /* text */
    0x03d03f095a2d72ff, /* replace */
    0xfa7638d200bb2194, /* add */
};
static const struct carnet_interface board_Note_interface = {
    "Note", 0x40cec465e208d384, board_Note_operations, 3, NULL
};

static const uint64_t board_Board_operations[] = {
    0x327260f173bda878, /* put */
    0xa3bba9f9f64034a5, /* find */
    0xe2288d23730aa417, /* notes */
    0xa7e4e78a11a7d0d0, /* echo */
    0x658e9b309fdca2ac, /* user */
    0x1ca15112e97c7a72, /* is_longer */
};
static const struct carnet_interface board_Board_interface = {
    "Board", 0xf9b40ec2503ee41d, board_Board_operations, 6, NULL
};

static const struct carnet_interface *const board_interfaces[] = {
    &board_Note_interface,
    &board_Board_interface,
};

static const struct carnet_module board_module = {
    "board", board_interfaces, 2, 2000048
};

/* ---- Calling board_Note ---- */

/* Sends Note.text as a message. */
CARNET_SENDS carnet_status send_board_Note_text(struct carnet_portal self, struct carnet_string *result)
{
    memset(result, 0, sizeof *result);
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(0, 16, 0));
    if (CARNET_UNLIKELY(!carnet_is_good(answer.head, 24, 0))) {
        return carnet_failed_to_hand(1, answer, 0, 2);
    }
    if (!carnet_find_string(answer.reply, CARNET_LEN(answer.head), 24, carnet_get(answer.reply, 2), 4096, result)) {
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Note.text: the reply is not one of this operation");
    }
    return CARNET_OK;
}

CARNET_APART carnet_status call_board_Note_text_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        return carnet_not_done(channel);
    }
    struct carnet_portal self = carnet_unpassed(channel);
    return send_board_Note_text(self, (struct carnet_string *)(uintptr_t)channel->spilled[0]);
}

/* What it says. */
static inline carnet_status call_board_Note_text(struct carnet_portal self, struct carnet_string *result)
{
    if (!CARNET_REGISTERS) {
        return send_board_Note_text(self, result);
    }
    memset(result, 0, sizeof *result);
    self.channel->shape = CARNET_SHAPE(0, 0xf);
    (void)self.channel->pass(self.channel, self.id, (uint64_t)(uintptr_t)result, 0, 0, 0);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Note_text_unpassed(self.channel);
    }
    return CARNET_OK;
}

/* As call_board_Note_text: data that fit are put into the buffers. */
static inline carnet_status call_board_Note_text_into(struct carnet_portal self, struct carnet_string *result,
    struct carnet_buffer result_into)
{
    struct carnet_target targets[] = {
        carnet_target_of(0, result_into)
    };
    struct carnet_landing landing = {targets, 1, 1, UINT64_C(0x1)};
    struct carnet_put put;
    struct carnet_take take;
    struct carnet_answer answer;
    carnet_put_begin(&put, self.channel, carnet_message(self.channel), 0, 0, false);
    if (put.is_wrong) {
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_BAD_ARGUMENT, "Note.text: an argument is wrong");
    }
    self.channel->landing = &landing;
    answer = self.channel->call(self.channel, self.id, carnet_put_head(&put, 0));
    self.channel->landing = NULL;
    memset(result, 0, sizeof *result);
    if (CARNET_UNLIKELY(CARNET_OP(answer.head) != 0)) {
        return carnet_failed_or_raised(answer, 0, 2);
    }
    if (!carnet_take_landed(&take, self.channel, answer, &landing)) {
        return carnet_note(CARNET_PROTOCOL, "Note.text: the reply is not one of this operation");
    }
    {
        struct carnet_take part = carnet_take_into(&take, &targets[0]);
        (*result) = carnet_take_text(&part, 0, 4096);
        take.is_wrong = part.is_wrong;
    }
    if (take.is_wrong) {
        carnet_take_undo(&take);
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Note.text: the reply is not one of this operation");
    }
    carnet_take_rest(&take);
    return CARNET_OK;
}

/* Sends Note.replace as a message. */
CARNET_SENDS carnet_status send_board_Note_replace(struct carnet_portal self, struct carnet_string text,
    int32_t *was_bytes, bool *was_empty)
{
    int32_t *CARNET_KEPT kept_was_bytes = was_bytes;
    bool *CARNET_KEPT kept_was_empty = was_empty;
    memset(kept_was_bytes, 0, sizeof *kept_was_bytes);
    memset(kept_was_empty, 0, sizeof *kept_was_empty);
    uint64_t *message = carnet_message(self.channel);
    size_t end = carnet_begin_data(self.channel, 24);
    if (!carnet_add_text(self.channel, message, 24, &end, 2, text, 4096)) {
        return carnet_note(CARNET_BAD_ARGUMENT, "Note.replace: text leaves its bounds");
    }
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(1, end, 0) | carnet_elsewhere(self.channel));
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 32, 0))) {
        return carnet_failed_to_hand(2, answer, 0, 2);
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if ((int64_t)word2 != (int32_t)word2) {
        return carnet_note(CARNET_PROTOCOL, "Note.replace: the reply is not one of this operation");
    }
    uint64_t word3 = carnet_get(answer.reply, 3);
    if (word3 > 1) {
        return carnet_note(CARNET_PROTOCOL, "Note.replace: the reply is not one of this operation");
    }
    *kept_was_bytes = (int32_t)word2;
    *kept_was_empty = word3 != 0;
    return CARNET_OK;
}

CARNET_APART carnet_status call_board_Note_replace_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        return carnet_not_done(channel);
    }
    struct carnet_portal self = carnet_unpassed(channel);
    struct carnet_string text = {(const char *)(uintptr_t)channel->spilled[0], (size_t)channel->spilled[1]};
    return send_board_Note_replace(self, text, (int32_t *)(uintptr_t)channel->spilled[2],
        (bool *)(uintptr_t)channel->spilled[3]);
}

/* Replaces what it says, and says how long it was and whether it was empty. */
static inline carnet_status call_board_Note_replace(struct carnet_portal self, struct carnet_string text,
    int32_t *was_bytes, bool *was_empty)
{
    if (!CARNET_REGISTERS) {
        return send_board_Note_replace(self, text, was_bytes, was_empty);
    }
    memset(was_bytes, 0, sizeof *was_bytes);
    memset(was_empty, 0, sizeof *was_empty);
    self.channel->shape = CARNET_SHAPE(1, 0x2da);
    (void)self.channel->pass(self.channel, self.id, (uint64_t)(uintptr_t)text.ptr, (uint64_t)text.len,
        (uint64_t)(uintptr_t)was_bytes, (uint64_t)(uintptr_t)was_empty);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Note_replace_unpassed(self.channel);
    }
    return CARNET_OK;
}

/* Sends Note.add as a message. */
CARNET_SENDS int64_t send_board_Note_add(struct carnet_portal self, int64_t *number)
{
    uint64_t *message = carnet_message(self.channel);
    carnet_put(message, 2, (uint64_t)*number);
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(2, 24, 0));
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 32, 0))) {
        carnet_failed_to_hand(2, answer, 0, 0);
        return (int64_t)0;
    }
    *number = (int64_t)carnet_get(answer.reply, 2);
    return (int64_t)carnet_get(answer.reply, 3);
}

CARNET_APART int64_t call_board_Note_add_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        carnet_not_done(channel);
        return (int64_t)0;
    }
    struct carnet_portal self = carnet_unpassed(channel);
    return send_board_Note_add(self, (int64_t *)(uintptr_t)channel->spilled[0]);
}

/* Adds to a number that is kept with it; the number before comes back in its place. */
static inline int64_t call_board_Note_add(struct carnet_portal self, int64_t *number)
{
    if (!CARNET_REGISTERS) {
        return send_board_Note_add(self, number);
    }
    self.channel->shape = CARNET_SHAPE(2, 0x9);
    uint64_t answer = self.channel->pass(self.channel, self.id, (uint64_t)(uintptr_t)number, 0, 0, 0);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Note_add_unpassed(self.channel);
    }
    return (int64_t)answer;
}

/* ---- Calling board_Board ---- */

/* Puts a note on the board. */
static inline carnet_status call_board_Board_put(struct carnet_portal self, struct carnet_string text,
    struct carnet_portal *result)
{
    memset(result, 0, sizeof *result);
    uint64_t *message = carnet_message(self.channel);
    size_t end = carnet_begin_data(self.channel, 24);
    if (!carnet_add_text(self.channel, message, 24, &end, 2, text, 4096)) {
        return carnet_note(CARNET_BAD_ARGUMENT, "Board.put: text leaves its bounds");
    }
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(0, end, 0) | carnet_elsewhere(self.channel));
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 32, 1))) {
        return carnet_failed_to_hand(1, answer, 0, 2);
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if (word2 >= 1) {
        carnet_let_go(self.channel, answer.reply, 1, 1);
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Board.put: the reply is not one of this operation");
    }
    result->channel = self.channel;
    result->id = carnet_portal_id(answer.reply, 1, (size_t)word2);
    return CARNET_OK;
}

/* The note of this number, counted from 0. */
static inline carnet_status call_board_Board_find(struct carnet_portal self, uint16_t number,
    struct carnet_portal *result)
{
    memset(result, 0, sizeof *result);
    uint64_t *message = carnet_message(self.channel);
    carnet_put(message, 2, (uint64_t)number);
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(1, 24, 0));
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 32, 1))) {
        return carnet_failed_to_hand(1, answer, 0, 2);
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if (word2 >= 1) {
        carnet_let_go(self.channel, answer.reply, 1, 1);
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Board.find: the reply is not one of this operation");
    }
    result->channel = self.channel;
    result->id = carnet_portal_id(answer.reply, 1, (size_t)word2);
    return CARNET_OK;
}

CARNET_APART int32_t send_board_Board_notes_other(uint64_t head, uint64_t *reply)
{
    struct carnet_answer answer = {head, reply};
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 24, 0))) {
        carnet_failed_to_hand(1, answer, 0, 0);
        return (int32_t)0;
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if ((int64_t)word2 != (int32_t)word2) {
        carnet_note(CARNET_PROTOCOL, "Board.notes: the reply is not one of this operation");
        return (int32_t)0;
    }
    return (int32_t)word2;
}

/* Sends Board.notes as a message. */
CARNET_SENDS int32_t send_board_Board_notes(struct carnet_portal self)
{
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_NEAR(2, 0, CARNET_NO_PIECE, 0x0));
    if (CARNET_LIKELY(answer.head == CARNET_NEAR(0, 1, CARNET_NO_PIECE, 0x1))) {
        return (int32_t)carnet_get_half(answer.reply, 2);
    }
    return send_board_Board_notes_other(answer.head, answer.reply);
}

CARNET_APART int32_t call_board_Board_notes_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        carnet_not_done(channel);
        return (int32_t)0;
    }
    struct carnet_portal self = carnet_unpassed(channel);
    return send_board_Board_notes(self);
}

/* How many notes there are. */
static inline int32_t call_board_Board_notes(struct carnet_portal self)
{
    if (!CARNET_REGISTERS) {
        return send_board_Board_notes(self);
    }
    self.channel->shape = CARNET_SHAPE(2, 0x0);
    uint32_t answer = self.channel->pass_half(self.channel, self.id, 0, 0, 0, 0);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Board_notes_unpassed(self.channel);
    }
    return (int32_t)answer;
}

CARNET_APART carnet_status send_board_Board_echo_other(struct carnet_bytes *result, uint64_t head,
    uint64_t *reply)
{
    struct carnet_answer answer = {head, reply};
    if (CARNET_OP(answer.head) != 0 || CARNET_PORTALS(answer.head) != 0) {
        return carnet_failed_to_hand(1, answer, 0, 0);
    }
    if (!carnet_find_any(NULL, answer.reply, answer.head, 1, 0, 1000000, result)) {
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Board.echo: the reply is not one of this operation");
    }
    return CARNET_OK;
}

/* Sends Board.echo as a message. */
CARNET_SENDS carnet_status send_board_Board_echo(struct carnet_portal self, struct carnet_bytes bytes,
    struct carnet_bytes *result)
{
    memset(result, 0, sizeof *result);
    uint64_t *message = carnet_message(self.channel);
    size_t end = carnet_begin_data(self.channel, 24);
    if (!carnet_add(self.channel, message, 24, &end, 2, bytes.ptr, bytes.len, 1000000)) {
        return carnet_note(CARNET_BAD_ARGUMENT, "Board.echo: bytes leaves its bounds");
    }
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(3, end, 0) | carnet_elsewhere(self.channel));
    if (CARNET_LIKELY(answer.head == CARNET_PIECE(0, 1, 0))) {
        struct carnet_bytes piece = carnet_taken(answer.reply, 1, 0);
        if (CARNET_LIKELY(carnet_is_bounded(piece, 1000000))) {
            *result = piece;
            return CARNET_OK;
        }
    }
    return send_board_Board_echo_other(result, answer.head, answer.reply);
}

CARNET_APART carnet_status call_board_Board_echo_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        return carnet_not_done(channel);
    }
    struct carnet_portal self = carnet_unpassed(channel);
    struct carnet_bytes bytes = {(const void *)(uintptr_t)channel->spilled[0], (size_t)channel->spilled[1]};
    return send_board_Board_echo(self, bytes, (struct carnet_bytes *)(uintptr_t)channel->spilled[2]);
}

/* The bytes themselves, for trying how much goes through. */
static inline carnet_status call_board_Board_echo(struct carnet_portal self, struct carnet_bytes bytes,
    struct carnet_bytes *result)
{
    if (!CARNET_REGISTERS) {
        return send_board_Board_echo(self, bytes, result);
    }
    memset(result, 0, sizeof *result);
    self.channel->shape = CARNET_SHAPE(3, 0x40);
    (void)self.channel->pass(self.channel, self.id, (uint64_t)(uintptr_t)bytes.ptr, (uint64_t)bytes.len,
        (uint64_t)(uintptr_t)result, 0);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Board_echo_unpassed(self.channel);
    }
    return CARNET_OK;
}

/* As call_board_Board_echo: data that fit are put into the buffers. */
static inline carnet_status call_board_Board_echo_into(struct carnet_portal self, struct carnet_bytes bytes,
    struct carnet_bytes *result, struct carnet_buffer result_into)
{
    struct carnet_target targets[] = {
        carnet_target_of(0, result_into)
    };
    struct carnet_landing landing = {targets, 1, 1, UINT64_C(0x1)};
    struct carnet_put put;
    struct carnet_take take;
    struct carnet_answer answer;
    carnet_put_begin(&put, self.channel, carnet_message(self.channel), 1, 0, false);
    carnet_put_bytes(&put, 0, bytes.ptr, bytes.len, 1000000);
    if (put.is_wrong) {
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_BAD_ARGUMENT, "Board.echo: an argument is wrong");
    }
    self.channel->landing = &landing;
    answer = self.channel->call(self.channel, self.id, carnet_put_head(&put, 3));
    self.channel->landing = NULL;
    memset(result, 0, sizeof *result);
    if (CARNET_UNLIKELY(CARNET_OP(answer.head) != 0)) {
        return carnet_failed(answer);
    }
    if (!carnet_take_landed(&take, self.channel, answer, &landing)) {
        return carnet_note(CARNET_PROTOCOL, "Board.echo: the reply is not one of this operation");
    }
    {
        struct carnet_take part = carnet_take_into(&take, &targets[0]);
        (*result) = carnet_take_bytes(&part, 0, 0, 1000000);
        take.is_wrong = part.is_wrong;
    }
    if (take.is_wrong) {
        carnet_take_undo(&take);
        memset(result, 0, sizeof *result);
        return carnet_note(CARNET_PROTOCOL, "Board.echo: the reply is not one of this operation");
    }
    carnet_take_rest(&take);
    return CARNET_OK;
}

CARNET_APART int32_t send_board_Board_user_other(uint64_t head, uint64_t *reply)
{
    struct carnet_answer answer = {head, reply};
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 24, 0))) {
        carnet_failed_to_hand(1, answer, 0, 0);
        return (int32_t)0;
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if ((int64_t)word2 != (int32_t)word2) {
        carnet_note(CARNET_PROTOCOL, "Board.user: the reply is not one of this operation");
        return (int32_t)0;
    }
    return (int32_t)word2;
}

/* Sends Board.user as a message. */
CARNET_SENDS int32_t send_board_Board_user(struct carnet_portal self)
{
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_NEAR(4, 0, CARNET_NO_PIECE, 0x0));
    if (CARNET_LIKELY(answer.head == CARNET_NEAR(0, 1, CARNET_NO_PIECE, 0x1))) {
        return (int32_t)carnet_get_half(answer.reply, 2);
    }
    return send_board_Board_user_other(answer.head, answer.reply);
}

CARNET_APART int32_t call_board_Board_user_unpassed(struct carnet_channel *channel)
{
    if (channel->status != CARNET_NOT_PASSED) {
        carnet_not_done(channel);
        return (int32_t)0;
    }
    struct carnet_portal self = carnet_unpassed(channel);
    return send_board_Board_user(self);
}

/* The number of the caller's user. */
static inline int32_t call_board_Board_user(struct carnet_portal self)
{
    if (!CARNET_REGISTERS) {
        return send_board_Board_user(self);
    }
    self.channel->shape = CARNET_SHAPE(4, 0x0);
    uint32_t answer = self.channel->pass_half(self.channel, self.id, 0, 0, 0, 0);
    if (CARNET_UNLIKELY(self.channel->status != CARNET_OK)) {
        return call_board_Board_user_unpassed(self.channel);
    }
    return (int32_t)answer;
}

/* Which of two notes says more. */
static inline carnet_status call_board_Board_is_longer(struct carnet_portal self, struct carnet_portal one,
    struct carnet_portal other, bool *result)
{
    memset(result, 0, sizeof *result);
    uint64_t *message = carnet_message(self.channel);
    if (one.channel != self.channel) {
        return carnet_note(CARNET_BAD_ARGUMENT, "Board.is_longer: one is a portal of another channel");
    }
    carnet_put(message, 2, 0);
    if (other.channel != self.channel) {
        return carnet_note(CARNET_BAD_ARGUMENT, "Board.is_longer: other is a portal of another channel");
    }
    carnet_put(message, 3, 1);
    carnet_put(message, 4, one.id | (uint64_t)other.id << 32);
    struct carnet_answer answer = self.channel->call(self.channel, self.id, CARNET_FLAT(5, 40, 2));
    if (CARNET_UNLIKELY(answer.head != CARNET_FLAT(0, 24, 0))) {
        return carnet_failed_to_hand(1, answer, 0, 2);
    }
    uint64_t word2 = carnet_get(answer.reply, 2);
    if (word2 > 1) {
        return carnet_note(CARNET_PROTOCOL, "Board.is_longer: the reply is not one of this operation");
    }
    *result = word2 != 0;
    return CARNET_OK;
}

/* Servers define CARNET_SERVER before they include this file. */
#ifdef CARNET_SERVER

static inline const struct carnet_service *board_Note_service(void);
static inline const struct carnet_service *board_Board_service(void);

static inline struct carnet_bytes board_descriptor(void)
{
    static const unsigned char bytes[] = {
        99,97,114,110,101,116,45,105,100,108,3,5,0,0,0,98,111,97,114,100,3,0,0,0,
        49,46,48,60,0,0,0,65,32,110,111,116,105,99,101,32,98,111,97,114,100,58,32,97,
        32,115,109,97,108,108,32,105,110,116,101,114,102,97,99,101,32,116,104,97,116,32,97,32,
        115,101,114,118,101,114,32,105,110,32,67,32,115,101,114,118,101,115,46,0,0,0,0,0,
        0,1,0,6,0,0,0,82,101,97,115,111,110,0,0,0,0,2,0,4,0,0,0,102,
        117,108,108,13,0,0,0,110,111,116,104,105,110,103,95,116,104,101,114,101,0,0,0,0,
        1,0,5,0,0,0,69,114,114,111,114,0,0,0,0,2,0,4,0,0,0,107,105,110,
        100,2,0,0,7,0,0,0,109,101,115,115,97,103,101,3,200,0,0,0,2,0,4,0,
        0,0,78,111,116,101,20,0,0,0,65,32,110,111,116,101,32,111,110,32,116,104,101,32,
        98,111,97,114,100,46,0,0,3,0,4,0,0,0,116,101,120,116,13,0,0,0,87,104,
        97,116,32,105,116,32,115,97,121,115,46,0,0,0,0,65,0,3,0,16,0,0,1,0,
        0,0,0,0,7,0,0,0,114,101,112,108,97,99,101,73,0,0,0,82,101,112,108,97,
        99,101,115,32,119,104,97,116,32,105,116,32,115,97,121,115,44,32,97,110,100,32,115,97,
        121,115,32,104,111,119,32,108,111,110,103,32,105,116,32,119,97,115,32,97,110,100,32,119,
        104,101,116,104,101,114,32,105,116,32,119,97,115,32,101,109,112,116,121,46,0,0,0,0,
        0,0,1,0,0,0,3,0,4,0,0,0,116,101,120,116,0,3,0,16,0,0,9,0,
        0,0,119,97,115,95,98,121,116,101,115,2,1,32,1,9,0,0,0,119,97,115,95,101,
        109,112,116,121,2,0,3,0,0,0,97,100,100,81,0,0,0,65,100,100,115,32,116,111,
        32,97,32,110,117,109,98,101,114,32,116,104,97,116,32,105,115,32,107,101,112,116,32,119,
        105,116,104,32,105,116,59,32,116,104,101,32,110,117,109,98,101,114,32,98,101,102,111,114,
        101,32,99,111,109,101,115,32,98,97,99,107,32,105,110,32,105,116,115,32,112,108,97,99,
        101,46,0,0,0,0,64,0,1,64,1,0,0,1,0,6,0,0,0,110,117,109,98,101,
        114,1,1,64,1,5,0,0,0,66,111,97,114,100,0,0,0,0,0,0,6,0,3,0,
        0,0,112,117,116,25,0,0,0,80,117,116,115,32,97,32,110,111,116,101,32,111,110,32,
        116,104,101,32,98,111,97,114,100,46,0,0,0,0,64,0,7,0,0,1,0,0,0,1,
        0,4,0,0,0,116,101,120,116,0,3,0,16,0,0,4,0,0,0,102,105,110,100,40,
        0,0,0,84,104,101,32,110,111,116,101,32,111,102,32,116,104,105,115,32,110,117,109,98,
        101,114,44,32,99,111,117,110,116,101,100,32,102,114,111,109,32,48,46,0,0,0,0,65,
        0,7,0,0,1,0,0,0,1,0,6,0,0,0,110,117,109,98,101,114,0,1,16,0,
        5,0,0,0,110,111,116,101,115,25,0,0,0,72,111,119,32,109,97,110,121,32,110,111,
        116,101,115,32,116,104,101,114,101,32,97,114,101,46,0,0,0,0,65,0,1,32,1,0,
        0,0,0,4,0,0,0,101,99,104,111,55,0,0,0,84,104,101,32,98,121,116,101,115,
        32,116,104,101,109,115,101,108,118,101,115,44,32,102,111,114,32,116,114,121,105,110,103,32,
        104,111,119,32,109,117,99,104,32,103,111,101,115,32,116,104,114,111,117,103,104,46,0,0,
        0,0,65,0,4,64,66,15,0,0,0,1,0,5,0,0,0,98,121,116,101,115,0,4,
        64,66,15,0,4,0,0,0,117,115,101,114,32,0,0,0,84,104,101,32,110,117,109,98,
        101,114,32,111,102,32,116,104,101,32,99,97,108,108,101,114,39,115,32,117,115,101,114,46,
        0,0,0,0,65,0,1,32,1,0,0,0,0,9,0,0,0,105,115,95,108,111,110,103,
        101,114,29,0,0,0,87,104,105,99,104,32,111,102,32,116,119,111,32,110,111,116,101,115,
        32,115,97,121,115,32,109,111,114,101,46,0,0,0,0,65,0,0,1,0,0,0,2,0,
        3,0,0,0,111,110,101,0,7,0,0,5,0,0,0,111,116,104,101,114,0,7,0,0,
    };
    struct carnet_bytes found = {bytes, sizeof bytes};
    return found;
}

/* ---- Serving board_Note ---- */

/* You write these. */
carnet_status board_Note_text(const struct carnet_self *self, struct carnet_string *result);
carnet_status board_Note_replace(const struct carnet_self *self, struct carnet_string text, int32_t *was_bytes,
    bool *was_empty);
int64_t board_Note_add(const struct carnet_self *self, int64_t *number);
void board_Note_released(void *object); /* the last portal on it is gone */

static inline struct carnet_answer board_Note_serve_text(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    struct carnet_string result;
    memset(&result, 0, sizeof result);
    carnet_saying = NULL;
    carnet_status status = board_Note_text(&channel->self, &result);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        return carnet_fail(channel, carnet_declared(status, 0, 2), carnet_said());
    }
    uint64_t *reply = message;
    size_t end = carnet_begin_data(channel, 24);
    if (!carnet_add_text(channel, reply, 24, &end, 2, result, 4096)) {
        return carnet_fail(channel, CARNET_SERVICE, "Note.text: a result leaves its bounds");
    }
    answer.head = CARNET_FLAT(0, end, 0) | carnet_elsewhere(channel);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Note_serve_replace(struct carnet_channel *channel, uint64_t head)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    if (!carnet_is_whole(head, 24, 0)) {
        return carnet_refuse(channel, head, 3);
    }
    struct carnet_string text;
    if (!carnet_find_string(message, CARNET_LEN(head), 24, carnet_get(message, 2), 4096, &text)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Note.replace: argument `text` is wrong");
    }
    int32_t was_bytes;
    memset(&was_bytes, 0, sizeof was_bytes);
    bool was_empty;
    memset(&was_empty, 0, sizeof was_empty);
    carnet_saying = NULL;
    carnet_status status = board_Note_replace(&channel->self, text, &was_bytes, &was_empty);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        return carnet_fail(channel, carnet_declared(status, 0, 2), carnet_said());
    }
    uint64_t *reply = message + 1;
    carnet_put(reply, 2, (uint64_t)(int64_t)was_bytes);
    carnet_put(reply, 3, (uint64_t)was_empty);
    answer.head = CARNET_FLAT(0, 32, 0);
    answer.reply = reply;
    return answer;
}

static inline struct carnet_answer board_Note_serve_add(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    int64_t *number = (int64_t *)(void *)(message + 2);
    int64_t result = board_Note_add(&channel->self, number);
    uint64_t *reply = message;
    carnet_put(reply, 3, (uint64_t)result);
    answer.head = CARNET_FLAT(0, 32, 0);
    answer.reply = reply;
    return answer;
}

/* Looks the operation up and serves it. */
static inline struct carnet_answer board_Note_serve(struct carnet_channel *channel, uint32_t target,
    uint64_t head)
{
    (void)target;
    if (head == CARNET_FLAT(0, 16, 0)) {
        return board_Note_serve_text(channel);
    }
    if (head == CARNET_FLAT(2, 24, 0)) {
        return board_Note_serve_add(channel);
    }
    if (CARNET_OP(head) == 1) {
        return board_Note_serve_replace(channel, head);
    }
    return carnet_refuse(channel, head, 3);
}

static inline uint64_t board_Note_pass_text(struct carnet_channel *channel, uint64_t word0)
{
    struct carnet_string *CARNET_KEPT kept_result = (struct carnet_string *)(uintptr_t)word0;
    struct carnet_channel *CARNET_KEPT kept_channel = channel;
    carnet_saying = NULL;
    carnet_status status = board_Note_text(&channel->self, (struct carnet_string *)(uintptr_t)word0);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        memset(kept_result, 0, sizeof *kept_result);
        return carnet_pass_fail(kept_channel, carnet_declared(status, 0, 2), carnet_said());
    }
    if (CARNET_UNLIKELY(!carnet_is_text_of(*kept_result, 4096))) {
        memset(kept_result, 0, sizeof *kept_result);
        return carnet_pass_fail(kept_channel, CARNET_SERVICE, "Note.text: a result leaves its bounds");
    }
    return 0;
}

static inline uint64_t board_Note_pass_replace(struct carnet_channel *channel, uint64_t word0, uint64_t word1,
    uint64_t word2, uint64_t word3)
{
    struct carnet_string text = {(const char *)(uintptr_t)word0, (size_t)word1};
    if (CARNET_UNLIKELY(!carnet_is_text_of(text, 4096))) {
        return carnet_pass_fail(channel, CARNET_BAD_ARGUMENT, "Note.replace: argument `text` is wrong");
    }
    int32_t *CARNET_KEPT kept_was_bytes = (int32_t *)(uintptr_t)word2;
    bool *CARNET_KEPT kept_was_empty = (bool *)(uintptr_t)word3;
    struct carnet_channel *CARNET_KEPT kept_channel = channel;
    carnet_saying = NULL;
    carnet_status status = board_Note_replace(&channel->self, text, (int32_t *)(uintptr_t)word2,
        (bool *)(uintptr_t)word3);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        memset(kept_was_bytes, 0, sizeof *kept_was_bytes);
        memset(kept_was_empty, 0, sizeof *kept_was_empty);
        return carnet_pass_fail(kept_channel, carnet_declared(status, 0, 2), carnet_said());
    }
    return 0;
}

static inline uint64_t board_Note_pass_add(struct carnet_channel *channel, uint64_t word0)
{
    return (uint64_t)board_Note_add(&channel->self, (int64_t *)(uintptr_t)word0);
}

/* Looks the operation of a register message up that returns a word, and serves it. */
static inline uint64_t board_Note_pass(struct carnet_channel *channel, uint32_t target, uint64_t word0,
    uint64_t word1, uint64_t word2, uint64_t word3)
{
    (void)target;
    if (channel->shape == CARNET_SHAPE(0, 0xf)) {
        return board_Note_pass_text(channel, word0);
    }
    if (channel->shape == CARNET_SHAPE(1, 0x2da)) {
        return board_Note_pass_replace(channel, word0, word1, word2, word3);
    }
    if (channel->shape == CARNET_SHAPE(2, 0x9)) {
        return board_Note_pass_add(channel, word0);
    }
    return carnet_pass_refuse(channel, 3);
}

/* Looks the operation of a register message up that returns 32 bits, and serves it. */
static inline uint32_t board_Note_pass_half(struct carnet_channel *channel, uint32_t target, uint64_t word0,
    uint64_t word1, uint64_t word2, uint64_t word3)
{
    (void)target;
    (void)word0;
    (void)word1;
    (void)word2;
    (void)word3;
    return carnet_pass_refuse_half(channel, 3);
}

static inline const struct carnet_service *board_Note_service(void)
{
    static const struct carnet_service service = {
        &board_module, &board_Note_interface, board_Note_serve, board_Note_pass, board_Note_pass_half,
        board_Note_released, CARNET_PIECE_BYTES(0), board_descriptor,
    };
    return &service;
}

/* ---- Serving board_Board ---- */

/* You write these. */
carnet_status board_Board_put(const struct carnet_self *self, struct carnet_string text, void **result);
carnet_status board_Board_find(const struct carnet_self *self, uint16_t number, void **result);
int32_t board_Board_notes(const struct carnet_self *self);
void board_Board_echo(const struct carnet_self *self, struct carnet_bytes bytes, struct carnet_bytes *result);
int32_t board_Board_user(const struct carnet_self *self);
carnet_status board_Board_is_longer(const struct carnet_self *self, void *one, void *other, bool *result);
void board_Board_released(void *object); /* the last portal on it is gone */

CARNET_APART struct carnet_answer board_Board_serve_put(struct carnet_channel *channel, uint64_t head)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    if (!carnet_is_whole(head, 24, 0)) {
        return carnet_refuse(channel, head, 6);
    }
    struct carnet_string text;
    if (!carnet_find_string(message, CARNET_LEN(head), 24, carnet_get(message, 2), 4096, &text)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Board.put: argument `text` is wrong");
    }
    void *result = NULL;
    if (!carnet_can_hold(carnet_session_of(channel), 1, 1)) {
        return carnet_fail(channel, CARNET_REFUSED, "the session holds as many portals as it may");
    }
    carnet_saying = NULL;
    carnet_status status = board_Board_put(&channel->self, text, &result);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        return carnet_fail(channel, carnet_declared(status, 0, 2), carnet_said());
    }
    uint64_t *reply = message + 1;
    if (result == NULL) {
        carnet_leave_out(carnet_session_of(channel), result, board_Note_service());
        carnet_take_back(carnet_session_of(channel), reply, 1, 0);
        return carnet_fail(channel, CARNET_SERVICE, "Board.put: a result leaves its bounds");
    }
    if (!carnet_put_made(channel, reply, 1, 0, result, board_Note_service())) {
        carnet_take_back(carnet_session_of(channel), reply, 1, 0);
        return carnet_fail(channel, CARNET_SERVICE, "the call was done, but what it made cannot be handed out");
    }
    carnet_put(reply, 2, 0);
    answer.head = CARNET_FLAT(0, 32, 1);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_find(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    uint64_t word2 = carnet_get(message, 2);
    if (CARNET_UNLIKELY(word2 > UINT16_MAX)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Board.find: argument `number` is wrong");
    }
    uint16_t number = (uint16_t)word2;
    void *result = NULL;
    if (!carnet_can_hold(carnet_session_of(channel), 1, 1)) {
        return carnet_fail(channel, CARNET_REFUSED, "the session holds as many portals as it may");
    }
    carnet_saying = NULL;
    carnet_status status = board_Board_find(&channel->self, number, &result);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        return carnet_fail(channel, carnet_declared(status, 0, 2), carnet_said());
    }
    uint64_t *reply = message + 1;
    if (result == NULL) {
        carnet_leave_out(carnet_session_of(channel), result, board_Note_service());
        carnet_take_back(carnet_session_of(channel), reply, 1, 0);
        return carnet_fail(channel, CARNET_SERVICE, "Board.find: a result leaves its bounds");
    }
    if (!carnet_put_made(channel, reply, 1, 0, result, board_Note_service())) {
        carnet_take_back(carnet_session_of(channel), reply, 1, 0);
        return carnet_fail(channel, CARNET_SERVICE, "the call was done, but what it made cannot be handed out");
    }
    carnet_put(reply, 2, 0);
    answer.head = CARNET_FLAT(0, 32, 1);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_notes_own(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    int32_t result = board_Board_notes(&channel->self);
    uint64_t *reply = message;
    carnet_put_half(reply, 2, (uint32_t)result);
    answer.head = CARNET_NEAR(0, 1, CARNET_NO_PIECE, 0x1);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_notes(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    int32_t result = board_Board_notes(&channel->self);
    uint64_t *reply = message;
    carnet_put(reply, 2, (uint64_t)(int64_t)result);
    answer.head = CARNET_FLAT(0, 24, 0);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_echo(struct carnet_channel *channel, uint64_t head)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    if (!carnet_is_whole(head, 24, 0)) {
        return carnet_refuse(channel, head, 6);
    }
    struct carnet_bytes bytes;
    if (!carnet_find(message, CARNET_LEN(head), 24, carnet_get(message, 2), 1000000, &bytes)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Board.echo: argument `bytes` is wrong");
    }
    uint64_t *reply = message + (CARNET_LEN(head) + 7) / 8;
    if (!carnet_has_room(channel, reply, 24)) {
        return carnet_fail(channel, CARNET_REFUSED, "no room for the reply");
    }
    struct carnet_bytes result;
    memset(&result, 0, sizeof result);
    board_Board_echo(&channel->self, bytes, &result);
    size_t end = carnet_begin_data(channel, 24);
    if (!carnet_add(channel, reply, 24, &end, 2, result.ptr, result.len, 1000000)) {
        return carnet_fail(channel, CARNET_SERVICE, "Board.echo: a result leaves its bounds");
    }
    answer.head = CARNET_FLAT(0, end, 0) | carnet_elsewhere(channel);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_user_own(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    int32_t result = board_Board_user(&channel->self);
    uint64_t *reply = message;
    carnet_put_half(reply, 2, (uint32_t)result);
    answer.head = CARNET_NEAR(0, 1, CARNET_NO_PIECE, 0x1);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_user(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    int32_t result = board_Board_user(&channel->self);
    uint64_t *reply = message;
    carnet_put(reply, 2, (uint64_t)(int64_t)result);
    answer.head = CARNET_FLAT(0, 24, 0);
    answer.reply = reply;
    return answer;
}

CARNET_APART struct carnet_answer board_Board_serve_is_longer(struct carnet_channel *channel)
{
    uint64_t *message = carnet_message(channel);
    struct carnet_answer answer;
    void *one;
    if (!carnet_find_object(channel, message, 2, 2, carnet_get(message, 2), board_Note_interface.hash, &one)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Board.is_longer: argument `one` is wrong");
    }
    void *other;
    if (!carnet_find_object(channel, message, 2, 2, carnet_get(message, 3), board_Note_interface.hash, &other)) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "Board.is_longer: argument `other` is wrong");
    }
    bool result;
    memset(&result, 0, sizeof result);
    carnet_saying = NULL;
    carnet_status status = board_Board_is_longer(&channel->self, one, other, &result);
    if (CARNET_UNLIKELY(status != CARNET_OK)) {
        return carnet_fail(channel, carnet_declared(status, 0, 2), carnet_said());
    }
    uint64_t *reply = message + 2;
    carnet_put(reply, 2, (uint64_t)result);
    answer.head = CARNET_FLAT(0, 24, 0);
    answer.reply = reply;
    return answer;
}

/* Looks the operation up and serves it. */
static inline struct carnet_answer board_Board_serve(struct carnet_channel *channel, uint32_t target,
    uint64_t head)
{
    (void)target;
    switch (head & 0x7fff) {
    case 0:
        if (CARNET_OP(head) == 0) {
            return board_Board_serve_put(channel, head);
        }
        break;
    case 1:
        if (head == CARNET_FLAT(1, 24, 0)) {
            return board_Board_serve_find(channel);
        }
        break;
    case 2:
        if (head == CARNET_NEAR(2, 0, CARNET_NO_PIECE, 0x0)) {
            return board_Board_serve_notes_own(channel);
        }
        if (head == CARNET_FLAT(2, 16, 0)) {
            return board_Board_serve_notes(channel);
        }
        break;
    case 3:
        if (CARNET_OP(head) == 3) {
            return board_Board_serve_echo(channel, head);
        }
        break;
    case 4:
        if (head == CARNET_NEAR(4, 0, CARNET_NO_PIECE, 0x0)) {
            return board_Board_serve_user_own(channel);
        }
        if (head == CARNET_FLAT(4, 16, 0)) {
            return board_Board_serve_user(channel);
        }
        break;
    case 5:
        if (head == CARNET_FLAT(5, 40, 2)) {
            return board_Board_serve_is_longer(channel);
        }
        break;
    default:
        break;
    }
    return carnet_refuse(channel, head, 6);
}

static inline uint32_t board_Board_pass_notes(struct carnet_channel *channel)
{
    return (uint32_t)board_Board_notes(&channel->self);
}

static inline uint64_t board_Board_pass_echo(struct carnet_channel *channel, uint64_t word0, uint64_t word1,
    uint64_t word2)
{
    struct carnet_bytes bytes = {(const void *)(uintptr_t)word0, (size_t)word1};
    if (CARNET_UNLIKELY(bytes.len > 1000000)) {
        return carnet_pass_fail(channel, CARNET_BAD_ARGUMENT, "Board.echo: argument `bytes` is wrong");
    }
    struct carnet_bytes *CARNET_KEPT kept_result = (struct carnet_bytes *)(uintptr_t)word2;
    struct carnet_channel *CARNET_KEPT kept_channel = channel;
    board_Board_echo(&channel->self, bytes, (struct carnet_bytes *)(uintptr_t)word2);
    if (CARNET_UNLIKELY(kept_result->len > 1000000)) {
        memset(kept_result, 0, sizeof *kept_result);
        return carnet_pass_fail(kept_channel, CARNET_SERVICE, "Board.echo: a result leaves its bounds");
    }
    return 0;
}

static inline uint32_t board_Board_pass_user(struct carnet_channel *channel)
{
    return (uint32_t)board_Board_user(&channel->self);
}

/* Looks the operation of a register message up that returns a word, and serves it. */
static inline uint64_t board_Board_pass(struct carnet_channel *channel, uint32_t target, uint64_t word0,
    uint64_t word1, uint64_t word2, uint64_t word3)
{
    (void)target;
    (void)word3;
    if (channel->shape == CARNET_SHAPE(3, 0x40)) {
        return board_Board_pass_echo(channel, word0, word1, word2);
    }
    return carnet_pass_refuse(channel, 6);
}

/* Looks the operation of a register message up that returns 32 bits, and serves it. */
static inline uint32_t board_Board_pass_half(struct carnet_channel *channel, uint32_t target, uint64_t word0,
    uint64_t word1, uint64_t word2, uint64_t word3)
{
    (void)target;
    (void)word0;
    (void)word1;
    (void)word2;
    (void)word3;
    if (channel->shape == CARNET_SHAPE(2, 0x0)) {
        return board_Board_pass_notes(channel);
    }
    if (channel->shape == CARNET_SHAPE(4, 0x0)) {
        return board_Board_pass_user(channel);
    }
    return carnet_pass_refuse_half(channel, 6);
}

static inline const struct carnet_service *board_Board_service(void)
{
    static const struct carnet_service service = {
        &board_module, &board_Board_interface, board_Board_serve, board_Board_pass, board_Board_pass_half,
        board_Board_released, CARNET_PIECE_BYTES(0), board_descriptor,
    };
    return &service;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
