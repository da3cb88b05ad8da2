/* Messages that no client makes, for the service of tree.c, and replies that no server makes, for its client's stubs, in
 * one process: words, lengths and portals of all kinds. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "whole.h"

#include <stdio.h>

#define ROUNDS 400000
#define MESSAGE_BYTES 1024

void *carnet_root(void);

static struct {
    struct carnet_session session;
    uint64_t message[(1 << 16) / 8];
} server;

static uint64_t state = 1;

static uint64_t next(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* A word that a decoder may take for something: a small number, a reference to near bytes, or anything. */
static uint64_t word(void)
{
    switch (next(8)) {
    case 0:
        return next(UINT64_MAX);
    case 1:
        return UINT64_MAX - next(4);
    case 2:
        return (next(40) * 8) << 24 | next(200);
    case 3:
        return (next(40) * 8) << 24 | 16;
    case 4:
        return next(300);
    default:
        return next(4);
    }
}

/* A server that answers anything. */
static struct carnet_answer lie(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_answer answer;
    size_t index, portals = next(3) == 0 ? (size_t)next(256) : (size_t)next(4);
    (void)target;
    (void)head;
    answer.reply = carnet_message(channel);
    for (index = 1; index < MESSAGE_BYTES / 8; index++) {
        answer.reply[index] = word();
    }
    if (next(8) == 0) {
        answer.reply[1] = (CARNET_TYPED + next(6)) << 32;
    }
    answer.head = CARNET_FLAT(next(8) == 0 ? CARNET_RAISED : 0, 16 + (size_t)next(MESSAGE_BYTES - 16), portals);
    return answer;
}

static size_t sum_of(const void *ptr, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)ptr;
    size_t index, sum = 0;
    for (index = 0; index < len; index++) {
        sum += bytes[index];
    }
    return sum;
}

/* What the stubs make of it; how many calls seemed to be answered. */
static size_t believed(void)
{
    struct carnet_portal portal = {&server.session.channel, 1};
    struct whole_Link link = {carnet_given(portal), {"a", 1}}, back;
    struct whole_Node_list none = {NULL, 0};
    union whole_Node_fail_raised raised;
    union whole_Node_relink_raised relinked;
    struct carnet_reference node;
    struct carnet_list nodes, links, words, numbers;
    struct whole_Labelled_list no_labels = {NULL, 0};
    struct whole_string8_list no_words = {NULL, 0};
    struct whole_int32_list no_numbers = {NULL, 0};
    struct whole_Link_list no_links = {NULL, 0};
    struct carnet_string text, result;
    struct carnet_bytes bytes;
    struct whole_Labelled label;
    int32_t number;
    size_t round, index, found = 0;
    carnet_channel_init(&server.session.channel, lie, sizeof server.message);
    for (round = 0; round < ROUNDS; round++) {
        found += call_whole_Node_link(portal, &link, &back) == CARNET_OK;
        found += CARNET_KIND(call_whole_Node_fail(portal, 2, &raised)) == whole_Node_fail_Denied;
        if (call_whole_Node_nodes(portal, none, &nodes) == CARNET_OK) {
            for (index = 0; index < nodes.count; index++) {
                found += whole_Node_at(&nodes, index, &node);
            }
        }
        if (round % 4 != 0) {
            continue;
        }
        text = carnet_text("a");
        memset(&bytes, 0, sizeof bytes);
        if (call_whole_Node_turn(portal, text, &text, &bytes, &result) == CARNET_OK) {
            found += sum_of(text.ptr, text.len) + sum_of(bytes.ptr, bytes.len) + sum_of(result.ptr, result.len) > 0;
        }
        if (call_whole_Node_relabel(portal, 1, no_labels, &links, no_words, &words, no_numbers, &numbers) == CARNET_OK) {
            found += links.count == 0 || whole_Labelled_at(&links, links.count - 1, &label);
            found += words.count == 0 || whole_string8_at(&words, words.count - 1, &text);
            found += numbers.count == 0 || whole_int32_at(&numbers, numbers.count - 1, &number);
        }
        back = link;
        if (call_whole_Node_relink(portal, &back, no_links, &links, none, &nodes, &relinked) == CARNET_OK) {
            found += links.count == 0 || whole_Link_at(&links, links.count - 1, &back);
        }
    }
    return found;
}

int main(void)
{
    size_t round, index, done = 0, refused = 0, answered;
    carnet_channel_init(&server.session.channel, carnet_dispatch, sizeof server.message);
    if (!carnet_session_init(&server.session, carnet_root(), whole_Leaf_service())) {
        return 2;
    }
    for (round = 0; round < ROUNDS; round++) {
        uint64_t *message = carnet_message(&server.session.channel);
        size_t len = 16 + (size_t)next(MESSAGE_BYTES - 16), portals = next(3) == 0 ? (size_t)next(256) : (size_t)next(4);
        struct carnet_answer answer;
        for (index = 2; index < MESSAGE_BYTES / 8; index++) {
            message[index] = word();
        }
        answer = carnet_dispatch(&server.session.channel, 1, CARNET_FLAT(next(29), len, portals));
        done += CARNET_OP(answer.head) == 0;
        refused += CARNET_OP(answer.head) == CARNET_BAD_ARGUMENT;
        /* What was handed out comes back, so that there is always room. */
        for (index = 2; index < CARNET_OBJECTS_MAX; index++) {
            carnet_give_back(&server.session, server.session.ids[index], 100);
        }
    }
    answered = believed();
    printf("%zu done, %zu refused; %zu believed\n", done, refused, answered);
    return answered > ROUNDS / 100 && done > ROUNDS / 100 && refused > ROUNDS / 4 ? 0 : 1;
}
