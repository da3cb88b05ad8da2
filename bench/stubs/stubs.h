/* What the parts of the benchmark share. Each is an object file of its own, so that no compiler sees through a call. */
#ifndef STUBS_H
#define STUBS_H

#include "carnet.h"

/* What pfs.idl has, or 32 bits. */
#ifdef PFS_NARROW
typedef int32_t pfs_int;
#else
typedef int64_t pfs_int;
#endif

#define WRITE_BYTES 4096
#define DIRECTORY_BYTES 1024
#define BUFFER_BYTES (65536 + CARNET_WORDS_BYTES)

pfs_int stub_open(struct carnet_portal self, pfs_int client, pfs_int fobj, pfs_int flags, pfs_int mode,
                  pfs_int *handle);
pfs_int stub_write(struct carnet_portal self, pfs_int handle, pfs_int len, struct carnet_bytes data, pfs_int *pos);
pfs_int stub_get_direntries(struct carnet_portal self, pfs_int handle, pfs_int count, pfs_int *pos,
                            struct carnet_bytes *data);
struct carnet_answer transport(struct carnet_channel *channel, uint32_t target, uint64_t head);
struct carnet_answer server_dispatch(struct carnet_channel *channel, uint32_t target, uint64_t head);
carnet_pass transport_pass;
carnet_pass server_pass;
carnet_pass_half transport_pass_half;
carnet_pass_half server_pass_half;
bool server_init(struct carnet_session *session);
extern unsigned char directory[DIRECTORY_BYTES];

#endif
