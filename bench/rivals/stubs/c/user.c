/* What a user writes on the server's side. It does next to nothing, and is not counted. */
#include "stubs.h"

char directory[DIRECTORY_BYTES];

int64_t pfs_open(void *object, int64_t client, int64_t fobj, int64_t flags, int64_t mode, int64_t *handle)
{
    *handle = client + fobj + mode;
    return flags + (object != NULL);
}

int64_t pfs_write(void *object, int64_t handle, int64_t len, const char *data, uint32_t data_len, int64_t *pos)
{
    *pos += (int64_t)data_len;
    return handle + len + data[0] + data[data_len - 1] + (object != NULL);
}

int64_t pfs_get_direntries(void *object, int64_t handle, int64_t count, int64_t *pos, char **data, uint32_t *data_len)
{
    *data = directory;
    *data_len = sizeof directory;
    *pos += count;
    return handle + (object != NULL);
}
