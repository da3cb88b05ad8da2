/* driver OPERATION N: makes N calls, checks all results, and prints nanoseconds per call. */
#define _GNU_SOURCE
#include "stubs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct {
    struct carnet_session session;
    uint64_t message[BUFFER_BYTES / 8];
} server;

static unsigned char data[WRITE_BYTES] __attribute__((aligned(64)));

static void check(int is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "wrong answer: %s\n", what);
        exit(1);
    }
}

static void one_open(struct carnet_portal fs, pfs_int i)
{
    pfs_int handle = 0;
    check(stub_open(fs, i, 2, 3, 4, &handle) == 4 && handle == i + 6, "open");
}

static void one_write(struct carnet_portal fs, pfs_int i)
{
    pfs_int pos = i;
    struct carnet_bytes bytes = {data, sizeof data};
    check(stub_write(fs, i, 7, bytes, &pos) == i + 7 + 1 + 2 + 1 && pos == i + WRITE_BYTES, "write");
}

static void one_get_direntries(struct carnet_portal fs, pfs_int i)
{
    pfs_int pos = i;
    struct carnet_bytes found = {NULL, 0};
    pfs_int result = stub_get_direntries(fs, i, 5, &pos, &found);
    check(result == i + 1 && pos == i + 5 && found.len == DIRECTORY_BYTES, "get_direntries");
    check(memcmp(found.ptr, directory, 16) == 0, "entries");
}

int main(int argc, char **argv)
{
    struct carnet_portal fs = {&server.session.channel, 1};
    struct timespec start, end;
    pfs_int i, n = argc > 2 ? (pfs_int)atoll(argv[2]) : 1;
    char op = argc > 1 ? argv[1][0] : 'o';
    carnet_channel_init(&server.session.channel, transport, sizeof server.message);
    server.session.channel.pass = transport_pass;
    server.session.channel.pass_half = transport_pass_half;
    check(server_init(&server.session), "init");
    data[0] = 1;
    data[sizeof data - 1] = 2;
    for (i = 0; i < DIRECTORY_BYTES; i++) {
        directory[i] = (unsigned char)i;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (i = 0; i < n; i++) {
        switch (op) {
        case 'o':
            one_open(fs, i);
            break;
        case 'w':
            one_write(fs, i);
            break;
        default:
            one_get_direntries(fs, i);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.2f\n", ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / (double)n);
    return 0;
}
