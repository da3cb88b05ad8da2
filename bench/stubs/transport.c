/* The transports, of messages and of register messages: one jump. */
#include "stubs.h"

struct carnet_answer transport(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    return server_dispatch(channel, target, head);
}

uint64_t transport_pass(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1, uint64_t word2,
                        uint64_t word3)
{
    return server_pass(channel, target, word0, word1, word2, word3);
}

uint32_t transport_pass_half(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                             uint64_t word2, uint64_t word3)
{
    return server_pass_half(channel, target, word0, word1, word2, word3);
}
