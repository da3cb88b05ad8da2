/* The client stubs as functions of their own, so that their instructions can be told apart. */
#include "pfs.h"
#include "stubs.h"

pfs_int stub_open(struct carnet_portal self, pfs_int client, pfs_int fobj, pfs_int flags, pfs_int mode, pfs_int *handle)
{
    return call_pfs_FS_open(self, client, fobj, flags, mode, handle);
}

pfs_int stub_write(struct carnet_portal self, pfs_int handle, pfs_int len, struct carnet_bytes data, pfs_int *pos)
{
    return call_pfs_FS_write(self, handle, len, data, pos);
}

pfs_int stub_get_direntries(struct carnet_portal self, pfs_int handle, pfs_int count, pfs_int *pos,
                            struct carnet_bytes *data)
{
    return call_pfs_FS_get_direntries(self, handle, count, pos, data);
}
