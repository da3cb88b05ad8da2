/* The server's loop body: object lookup, operation lookup, server stub. */
#include "stubs.h"

#include <string.h>

static struct answer answer_of(uint32_t status, uint32_t len)
{
    struct answer answer = {status, len};
    return answer;
}

static struct answer serve_open(struct channel *channel, void *object, uint32_t len)
{
    open_call call;
    open_reply reply;
    XDR xdr;
    xdrmem_create(&xdr, channel->request, len, XDR_DECODE);
    if (!xdr_open_call(&xdr, &call)) {
        return answer_of(BAD_ARGUMENT, 0);
    }
    int64_t handle = 0;
    reply.result = pfs_open(object, call.client, call.fobj, call.flags, call.mode, &handle);
    reply.handle = handle;
    xdrmem_create(&xdr, channel->reply, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_open_reply(&xdr, &reply)) {
        return answer_of(SERVICE, 0);
    }
    return answer_of(OK, xdr_getpos(&xdr));
}

static struct answer serve_write(struct channel *channel, void *object, uint32_t len)
{
    write_call call;
    write_reply reply;
    XDR xdr;
    memset(&call, 0, sizeof call);
    xdrmem_create(&xdr, channel->request, len, XDR_DECODE);
    if (!xdr_write_call(&xdr, &call)) {
        xdr_free((xdrproc_t)xdr_write_call, (char *)&call);
        return answer_of(BAD_ARGUMENT, 0);
    }
    int64_t pos = call.pos;
    reply.result = pfs_write(object, call.handle, call.len, call.data.data_val, call.data.data_len, &pos);
    reply.pos = pos;
    xdr_free((xdrproc_t)xdr_write_call, (char *)&call);
    xdrmem_create(&xdr, channel->reply, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_write_reply(&xdr, &reply)) {
        return answer_of(SERVICE, 0);
    }
    return answer_of(OK, xdr_getpos(&xdr));
}

static struct answer serve_get_direntries(struct channel *channel, void *object, uint32_t len)
{
    get_direntries_call call;
    get_direntries_reply reply;
    XDR xdr;
    xdrmem_create(&xdr, channel->request, len, XDR_DECODE);
    if (!xdr_get_direntries_call(&xdr, &call)) {
        return answer_of(BAD_ARGUMENT, 0);
    }
    int64_t pos = call.pos;
    uint32_t data_len = 0;
    reply.result = pfs_get_direntries(object, call.handle, call.count, &pos, &reply.data.data_val, &data_len);
    reply.data.data_len = data_len;
    reply.pos = pos;
    xdrmem_create(&xdr, channel->reply, MESSAGE_BYTES, XDR_ENCODE);
    if (!xdr_get_direntries_reply(&xdr, &reply)) {
        return answer_of(SERVICE, 0);
    }
    return answer_of(OK, xdr_getpos(&xdr));
}

struct answer server_dispatch(struct channel *channel, uint32_t target, uint32_t operation, uint32_t len)
{
    void *object = target < OBJECTS_MAX ? channel->objects[target] : NULL;
    if (object == NULL) {
        return answer_of(NO_SUCH_PORTAL, 0);
    }
    switch (operation) {
    case OPEN:
        return serve_open(channel, object, len);
    case WRITE:
        return serve_write(channel, object, len);
    case GET_DIRENTRIES:
        return serve_get_direntries(channel, object, len);
    default:
        return answer_of(NO_SUCH_OPERATION, 0);
    }
}
