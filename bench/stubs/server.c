/* The server's loop body: object lookup, operation lookup, server stub. */
#define CARNET_SERVER
#include "pfs.h"
#include "stubs.h"

struct carnet_answer server_dispatch(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    return carnet_dispatch(channel, target, head);
}

bool server_init(struct carnet_session *session)
{
    return carnet_session_init(session, session, pfs_FS_service());
}
