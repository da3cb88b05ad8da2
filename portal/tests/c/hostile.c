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

/* What the stubs make of it; how many calls seemed to be answered. */
static size_t believed(void)
{
    struct carnet_portal portal = {&server.session.channel, 1};
    struct whole_Link link = {carnet_given(portal), {"a", 1}}, back;
    struct whole_Node_list none = {NULL, 0};
    union whole_Node_fail_raised raised;
    struct carnet_reference node;
    struct carnet_list nodes;
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
        answer = carnet_dispatch(&server.session.channel, 1, CARNET_FLAT(next(24), len, portals));
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
