/* The client stubs as functions of their own, so that their instructions can be told apart. */
#include "pfs.h"
#include "stubs.h"

int64_t stub_open(struct carnet_portal self, int64_t client, int64_t fobj, int64_t flags, int64_t mode, int64_t *handle)
{
    return call_pfs_FS_open(self, client, fobj, flags, mode, handle);
}

int64_t stub_write(struct carnet_portal self, int64_t handle, int64_t len, struct carnet_bytes data, int64_t *pos)
{
    return call_pfs_FS_write(self, handle, len, data, pos);
}

int64_t stub_get_direntries(struct carnet_portal self, int64_t handle, int64_t count, int64_t *pos,
                            struct carnet_bytes *data)
{
    return call_pfs_FS_get_direntries(self, handle, count, pos, data);
}
