/* The client's stubs: encode, call, decode, by the functions that rpcgen makes. */
#include "stubs.h"

#include <string.h>

uint32_t stub_open(struct channel *channel, int64_t client, int64_t fobj, int64_t flags, int64_t mode, int64_t *handle,
                   int64_t *result)
{
    open_call call = {client, fobj, flags, mode};
    open_reply reply;
    XDR xdr;
    xdrmem_create(&xdr, channel->request, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_open_call(&xdr, &call)) {
        return BAD_ARGUMENT;
    }
    struct answer answer = channel->call(channel, channel->target, OPEN, xdr_getpos(&xdr));
    if (answer.status != OK) {
        return answer.status;
    }
    xdrmem_create(&xdr, channel->reply, answer.len, XDR_DECODE);
    if (!xdr_open_reply(&xdr, &reply)) {
        return SERVICE;
    }
    *handle = reply.handle;
    *result = reply.result;
    return OK;
}

uint32_t stub_write(struct channel *channel, int64_t handle, int64_t len, const char *data, uint32_t data_len,
                    int64_t *pos, int64_t *result)
{
    write_call call = {handle, *pos, len, {data_len, (char *)data}};
    write_reply reply;
    XDR xdr;
    xdrmem_create(&xdr, channel->request, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_write_call(&xdr, &call)) {
        return BAD_ARGUMENT;
    }
    struct answer answer = channel->call(channel, channel->target, WRITE, xdr_getpos(&xdr));
    if (answer.status != OK) {
        return answer.status;
    }
    xdrmem_create(&xdr, channel->reply, answer.len, XDR_DECODE);
    if (!xdr_write_reply(&xdr, &reply)) {
        return SERVICE;
    }
    *pos = reply.pos;
    *result = reply.result;
    return OK;
}

uint32_t stub_get_direntries(struct channel *channel, int64_t handle, int64_t count, int64_t *pos, const char **data,
                             uint32_t *data_len, int64_t *result)
{
    get_direntries_call call = {handle, *pos, count};
    get_direntries_reply *reply = &channel->kept;
    XDR xdr;
    xdrmem_create(&xdr, channel->request, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_get_direntries_call(&xdr, &call)) {
        return BAD_ARGUMENT;
    }
    struct answer answer = channel->call(channel, channel->target, GET_DIRENTRIES, xdr_getpos(&xdr));
    if (answer.status != OK) {
        return answer.status;
    }
    xdr_free((xdrproc_t)xdr_get_direntries_reply, (char *)reply);
    memset(reply, 0, sizeof *reply);
    xdrmem_create(&xdr, channel->reply, answer.len, XDR_DECODE);
    if (!xdr_get_direntries_reply(&xdr, reply)) {
        return SERVICE;
    }
    *pos = reply->pos;
    *result = reply->result;
    *data = reply->data.data_val;
    *data_len = reply->data.data_len;
    return OK;
}
