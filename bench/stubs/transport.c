/* The transport: one jump. */
#include "stubs.h"

struct carnet_answer transport(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    return server_dispatch(channel, target, head);
}
