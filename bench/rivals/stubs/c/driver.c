/* driver OPERATION N: makes N calls, checks all results, and prints nanoseconds per call. */
#define _GNU_SOURCE
#include "stubs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct channel channel;
static char data[WRITE_BYTES] __attribute__((aligned(64)));

static void check(int is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "wrong answer: %s\n", what);
        exit(1);
    }
}

static void one_open(int64_t i)
{
    int64_t handle = 0, result = 0;
    check(stub_open(&channel, i, 2, 3, 4, &handle, &result) == OK && result == 4 && handle == i + 6, "open");
}

static void one_write(int64_t i)
{
    int64_t pos = i, result = 0;
    uint32_t status = stub_write(&channel, i, 7, data, sizeof data, &pos, &result);
    check(status == OK && result == i + 7 + 1 + 2 + 1 && pos == i + WRITE_BYTES, "write");
}

static void one_get_direntries(int64_t i)
{
    int64_t pos = i, result = 0;
    const char *found = NULL;
    uint32_t len = 0, status = stub_get_direntries(&channel, i, 5, &pos, &found, &len, &result);
    check(status == OK && result == i + 1 && pos == i + 5 && len == DIRECTORY_BYTES, "get_direntries");
    check(memcmp(found, directory, 16) == 0, "entries");
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    int64_t i, n = argc > 2 ? atoll(argv[2]) : 1;
    char op = argc > 1 ? argv[1][0] : 'o';
    channel.call = transport;
    channel.target = 1;
    channel.objects[1] = &channel;
    data[0] = 1;
    data[sizeof data - 1] = 2;
    for (i = 0; i < DIRECTORY_BYTES; i++) {
        directory[i] = (char)i;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (i = 0; i < n; i++) {
        switch (op) {
        case 'o':
            one_open(i);
            break;
        case 'w':
            one_write(i);
            break;
        default:
            one_get_direntries(i);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.2f\n", ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / (double)n);
    return 0;
}
