/*
 * What the kernel itself gives: system calls one after the other, and the same by io_uring, without anything of Carnet.
 *
 *   uring-kernel FOLDER          a line `HOW:WHAT:N R` is answered by a line `NANOSECONDS DONE`
 *
 *   HOW    plain, ring
 *   WHAT   pread   4 KiB of `FOLDER/records`, record k at 4096 k
 *          statx   of `FOLDER/files/k`
 *          open    `FOLDER/files/k`, read it, close it
 *          row     as pread, of records that the page cache has not
 *          far     the same, record k at 16384 k
 *   N, R   so many calls, R times
 *
 * The process is under a seccomp filter, as one that makes calls for somebody else is: each plain call pays for that.
 * A ring has one issuer, runs its task work when it is waited for, and needs no array of indices (Linux 6.6). Files that it opens have
 * places in the ring and no descriptors, and each of them is opened, read and closed by a chain.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16)
#endif

enum { MOST = 1000, RECORD = 4096, FAR = 4 * RECORD, ENTRIES = 1024, CHAINS = ENTRIES / 3, TOGETHER = 64 };

static int records;
static char names[MOST][24];
static char buffers[MOST][RECORD];
static struct statx stats[MOST];

static struct {
    int fd;
    unsigned tail, mask, cq_mask;
    unsigned *sq_tail, *cq_head, *cq_tail;
    struct io_uring_sqe *entries;
    struct io_uring_cqe *completions;
} ring;

static void fail(const char *what)
{
    fprintf(stderr, "uring-kernel: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void *map(size_t size, off_t offset)
{
    void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, offset);
    if (place == MAP_FAILED)
        fail("mmap");
    return place;
}

static void make_ring(void)
{
    struct io_uring_params p = {
        .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_NO_SQARRAY,
    };
    static int places[MOST];
    ring.fd = syscall(SYS_io_uring_setup, ENTRIES, &p);
    if (ring.fd < 0)
        fail("io_uring_setup");
    char *queues = map(p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_SQ_RING);
    ring.entries = map(p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
    ring.sq_tail = (unsigned *)(queues + p.sq_off.tail);
    ring.cq_head = (unsigned *)(queues + p.cq_off.head);
    ring.cq_tail = (unsigned *)(queues + p.cq_off.tail);
    ring.completions = (struct io_uring_cqe *)(queues + p.cq_off.cqes);
    ring.mask = p.sq_entries - 1;
    ring.cq_mask = p.cq_entries - 1;
    memset(places, -1, sizeof places);
    if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, places, MOST) < 0)
        fail("io_uring_register");
}

static struct io_uring_sqe *entry(int opcode, int fd, const void *place, unsigned len, unsigned long long offset)
{
    struct io_uring_sqe *entry = &ring.entries[ring.tail++ & ring.mask];
    *entry = (struct io_uring_sqe){
        .opcode = opcode, .fd = fd, .addr = (unsigned long long)place, .len = len, .off = offset};
    return entry;
}

/* Submits what was written, waits for all of it, and counts what did not fail. */
static int submit(int count)
{
    int good = 0;
    __atomic_store_n(ring.sq_tail, ring.tail, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring.fd, count, count, IORING_ENTER_GETEVENTS, NULL, 0) != count)
        fail("io_uring_enter");
    unsigned head = *ring.cq_head, tail = __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
    for (; head != tail; head++)
        good += ring.completions[head & ring.cq_mask].res >= 0;
    __atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
    return good;
}

static int plain_reads(int n, off_t stride)
{
    int good = 0;
    for (int k = 0; k < n; k++)
        good += pread(records, buffers[k], RECORD, stride * k) == RECORD;
    return good;
}

static int ring_reads(int n, off_t stride)
{
    int good = 0;
    for (int first = 0; first < n; first += TOGETHER) {
        int behind = first + TOGETHER < n ? first + TOGETHER : n;
        for (int k = first; k < behind; k++)
            entry(IORING_OP_READ, records, buffers[k], RECORD, stride * k);
        good += submit(behind - first);
    }
    return good;
}

static int plain_pread(int n) { return plain_reads(n, RECORD); }
static int ring_pread(int n) { return ring_reads(n, RECORD); }
static int plain_far(int n) { return plain_reads(n, FAR); }
static int ring_far(int n) { return ring_reads(n, FAR); }

static int plain_statx(int n)
{
    int good = 0;
    for (int k = 0; k < n; k++)
        good += statx(AT_FDCWD, names[k], 0, STATX_BASIC_STATS, &stats[k]) == 0;
    return good;
}

static int ring_statx(int n)
{
    for (int k = 0; k < n; k++)
        entry(IORING_OP_STATX, AT_FDCWD, names[k], STATX_BASIC_STATS, (unsigned long long)&stats[k]);
    return submit(n);
}

static int plain_open(int n)
{
    int good = 0;
    for (int k = 0; k < n; k++) {
        int fd = open(names[k], O_RDONLY | O_CLOEXEC);
        good += fd >= 0 && read(fd, buffers[k], RECORD) > 0 && close(fd) == 0;
    }
    return good;
}

static int ring_open(int n)
{
    int good = 0;
    for (int first = 0; first < n; first += CHAINS) {
        int behind = first + CHAINS < n ? first + CHAINS : n;
        for (int k = first; k < behind; k++) {
            struct io_uring_sqe *opening = entry(IORING_OP_OPENAT, AT_FDCWD, names[k], 0, 0);
            opening->file_index = k + 1;
            opening->flags = IOSQE_IO_LINK;
            /* A short read fails a chain, but not a hard one. */
            entry(IORING_OP_READ, k, buffers[k], RECORD, 0)->flags = IOSQE_FIXED_FILE | IOSQE_IO_HARDLINK;
            entry(IORING_OP_CLOSE, 0, NULL, 0, 0)->file_index = k + 1;
        }
        good += submit(3 * (behind - first));
    }
    return good / 3;
}

/* Of the whole file: the page cache may hold it in large pieces. */
static void forget(void)
{
    fdatasync(records);
    posix_fadvise(records, 0, 0, POSIX_FADV_DONTNEED);
}

static const struct {
    const char *how, *what;
    int (*work)(int);
    int is_cold;
} ways[] = {
    {"plain", "pread", plain_pread, 0}, {"ring", "pread", ring_pread, 0},
    {"plain", "statx", plain_statx, 0}, {"ring", "statx", ring_statx, 0},
    {"plain", "open", plain_open, 0},   {"ring", "open", ring_open, 0},
    {"plain", "row", plain_pread, 1},   {"ring", "row", ring_pread, 1},
    {"plain", "far", plain_far, 1},     {"ring", "far", ring_far, 1},
};

static void filter(void)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog all = {sizeof program / sizeof program[0], program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        fail("seccomp");
}

int main(int count, char **words)
{
    char how[16], what[16];
    int n;
    long times;
    if (count != 2 || chdir(words[1]) || (records = open("records", O_RDONLY | O_CLOEXEC)) < 0)
        fail("the folder");
    for (int k = 0; k < MOST; k++)
        snprintf(names[k], sizeof names[k], "files/%d", k);
    make_ring();
    filter();
    while (scanf(" %15[^:]:%15[^:]:%d %ld", how, what, &n, &times) == 4) {
        long long time = 0, done = 0;
        for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            if (strcmp(ways[way].how, how) || strcmp(ways[way].what, what) || n > MOST)
                continue;
            for (long round = 0; round < times; round++) {
                if (ways[way].is_cold)
                    forget();
                long long begun = now();
                done += ways[way].work(n);
                time += now() - begun;
            }
        }
        printf("%lld %lld\n", time, done);
        fflush(stdout);
    }
    return 0;
}
