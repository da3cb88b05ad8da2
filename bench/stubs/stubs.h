/* What the parts of the benchmark share. Each is an object file of its own, so that no compiler sees through a call. */
#ifndef STUBS_H
#define STUBS_H

#include "carnet.h"

#define WRITE_BYTES 4096
#define DIRECTORY_BYTES 1024
#define BUFFER_BYTES (65536 + CARNET_WORDS_BYTES)

int64_t stub_open(struct carnet_portal self, int64_t client, int64_t fobj, int64_t flags, int64_t mode,
                  int64_t *handle);
int64_t stub_write(struct carnet_portal self, int64_t handle, int64_t len, struct carnet_bytes data, int64_t *pos);
int64_t stub_get_direntries(struct carnet_portal self, int64_t handle, int64_t count, int64_t *pos,
                            struct carnet_bytes *data);
struct carnet_answer transport(struct carnet_channel *channel, uint32_t target, uint64_t head);
struct carnet_answer server_dispatch(struct carnet_channel *channel, uint32_t target, uint64_t head);
carnet_pass transport_pass;
carnet_pass server_pass;
bool server_init(struct carnet_session *session);
extern unsigned char directory[DIRECTORY_BYTES];

#endif
