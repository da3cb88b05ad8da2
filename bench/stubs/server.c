/* The server's loop body: object lookup, operation lookup, server stub. */
#define CARNET_SERVER
#include "pfs.h"
#include "stubs.h"

struct carnet_answer server_dispatch(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    return carnet_dispatch(channel, target, head);
}

uint64_t server_pass(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1, uint64_t word2,
                     uint64_t word3)
{
    return carnet_enter(channel, target, word0, word1, word2, word3);
}

uint32_t server_pass_half(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                          uint64_t word2, uint64_t word3)
{
    return carnet_enter_half(channel, target, word0, word1, word2, word3);
}

bool server_init(struct carnet_session *session)
{
    return carnet_session_init(session, session, pfs_FS_service());
}
