/* The transport: one jump. */
#include "stubs.h"

struct answer transport(struct channel *channel, uint32_t target, uint32_t operation, uint32_t len)
{
    return server_dispatch(channel, target, operation, len);
}
