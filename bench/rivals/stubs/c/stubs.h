/* What the parts have in common. Each is an object file of its own, so that no compiler sees through a call; all but the
 * stubs is as in bench/stubs/, and rpcgen makes the rest of schema/pfs.x. Identity of the object, operation, length and
 * status travel in registers. */
#ifndef STUBS_H
#define STUBS_H

#include <stdbool.h>
#include <stdint.h>

#include "pfs.h"

#define WRITE_BYTES 4096
#define DIRECTORY_BYTES 1024
#define MESSAGE_BYTES 8192
#define OBJECTS_MAX 256

enum { OPEN, WRITE, GET_DIRENTRIES };
enum { OK, BAD_ARGUMENT = 2, NO_SUCH_OPERATION = 3, NO_SUCH_PORTAL = 4, SERVICE = 7 };

struct channel;

struct answer {
    uint32_t status;
    uint32_t len;
};

typedef struct answer transport_of(struct channel *channel, uint32_t target, uint32_t operation, uint32_t len);

struct channel {
    transport_of *call;
    uint32_t target;
    get_direntries_reply kept; /* the last reply, freed in the next call */
    void *objects[OBJECTS_MAX];
    _Alignas(64) char request[MESSAGE_BYTES];
    _Alignas(64) char reply[MESSAGE_BYTES];
};

uint32_t stub_open(struct channel *channel, int64_t client, int64_t fobj, int64_t flags, int64_t mode, int64_t *handle,
                   int64_t *result);
uint32_t stub_write(struct channel *channel, int64_t handle, int64_t len, const char *data, uint32_t data_len,
                    int64_t *pos, int64_t *result);
uint32_t stub_get_direntries(struct channel *channel, int64_t handle, int64_t count, int64_t *pos, const char **data,
                             uint32_t *data_len, int64_t *result);
struct answer transport(struct channel *channel, uint32_t target, uint32_t operation, uint32_t len);
struct answer server_dispatch(struct channel *channel, uint32_t target, uint32_t operation, uint32_t len);

int64_t pfs_open(void *object, int64_t client, int64_t fobj, int64_t flags, int64_t mode, int64_t *handle);
int64_t pfs_write(void *object, int64_t handle, int64_t len, const char *data, uint32_t data_len, int64_t *pos);
int64_t pfs_get_direntries(void *object, int64_t handle, int64_t count, int64_t *pos, char **data, uint32_t *data_len);
extern char directory[DIRECTORY_BYTES];

#endif
