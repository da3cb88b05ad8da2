/* What a program copies, and what the system copies for it. It is linked with -Wl,--wrap= of memcpy, memmove, recv and recvmsg. */
#ifndef COPIES_H
#define COPIES_H

#include "../../../idl/tests/c/check.h"

#include <sys/socket.h>

/* The linker has all calls of these come here. */
void *__real_memcpy(void *to, const void *from, size_t len);
void *__real_memmove(void *to, const void *from, size_t len);
ssize_t __real_recv(int socket, void *to, size_t len, int flags);
ssize_t __real_recvmsg(int socket, struct msghdr *what, int flags);
void *__wrap_memcpy(void *to, const void *from, size_t len);
void *__wrap_memmove(void *to, const void *from, size_t len);
ssize_t __wrap_recv(int socket, void *to, size_t len, int flags);
ssize_t __wrap_recvmsg(int socket, struct msghdr *what, int flags);

/* Bytes that this process copied, and the system for it, and how many of these went to the place of interest. */
static struct {
    const char *place;
    size_t len;
    size_t copied, received, copied_there, received_there;
} counts;

static void count(const void *to, size_t len, size_t *all, size_t *there)
{
    const char *place = (const char *)to;
    *all += len;
    if (counts.place != NULL && place >= counts.place && place < counts.place + counts.len) {
        *there += len;
    }
}

void *__wrap_memcpy(void *to, const void *from, size_t len)
{
    count(to, len, &counts.copied, &counts.copied_there);
    return __real_memcpy(to, from, len);
}

void *__wrap_memmove(void *to, const void *from, size_t len)
{
    count(to, len, &counts.copied, &counts.copied_there);
    return __real_memmove(to, from, len);
}

ssize_t __wrap_recv(int socket, void *to, size_t len, int flags)
{
    ssize_t received = __real_recv(socket, to, len, flags);
    if (received > 0) {
        count(to, (size_t)received, &counts.received, &counts.received_there);
    }
    return received;
}

ssize_t __wrap_recvmsg(int socket, struct msghdr *what, int flags)
{
    ssize_t received = __real_recvmsg(socket, what, flags);
    size_t left = received > 0 ? (size_t)received : 0, index;
    for (index = 0; index < what->msg_iovlen && left > 0; index++) {
        size_t len = what->msg_iov[index].iov_len < left ? what->msg_iov[index].iov_len : left;
        count(what->msg_iov[index].iov_base, len, &counts.received, &counts.received_there);
        left -= len;
    }
    return received;
}

#endif
