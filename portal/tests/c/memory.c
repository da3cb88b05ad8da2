/* A client that hands memory over and maps what it is given.
 *
 *     memory ADDRESS                 all of it
 *     memory here                    what there is of it without a connection
 *     memory bounded ADDRESS         of a server that takes 128 KiB from a session
 *     memory without ADDRESS         of a server that takes none
 *     memory maps ADDRESS TIMES      asks for the memory behind the root as often, each time by a new connection: what became of it
 *     memory hands ADDRESS TIMES     hands memory over as often, each time by a new connection
 *     memory again ADDRESS TIMES     asks for the memory behind the root as often by one connection
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "sums.h"
#include "carnet_memory.h"

#include "copies.h"

#include <sys/wait.h>

/* What fits into a message. */
#define LEN ((3u << 19) + 5)
/* What a server by hand has, and what it is asked for at most. */
#define THERE 10000u
#define WANTED (2u << 20)
/* More than heads and words. */
#define LITTLE 4096u

void *carnet_root(void);

static unsigned char bytes[6u << 20];

static struct carnet_portal connected(const char *address)
{
    struct carnet_portal sums;
    if (carnet_connect(address, &sums_module, &sums_Sums_interface, 20000, &sums) != CARNET_OK) {
        fprintf(stderr, "%s: %s\n", address, carnet_failure_text);
        exit(1);
    }
    return sums;
}

static uint64_t sum_of(size_t len)
{
    uint64_t sum = 0;
    while (len-- > 0) {
        sum += bytes[len];
    }
    return sum;
}

static uint64_t called(struct carnet_portal sums, struct carnet_portal of)
{
    uint64_t sum;
    carnet_failure = CARNET_OK;
    sum = call_sums_Sums_sum(sums, of);
    CHECK(carnet_failure == CARNET_OK);
    return sum;
}

static struct carnet_portal counted(struct carnet_portal sums, size_t len)
{
    struct carnet_portal found;
    CHECK(call_sums_Sums_counted(sums, (int64_t)len, &found) == CARNET_OK);
    return found;
}

static bool is_mapped(const struct carnet_memory *memory, size_t len)
{
    return memory->len == len && memcmp(memory->ptr, bytes, len) == 0;
}

/* Whether the lines of this process's mappings say that it can read a place there, and nothing else. */
static bool can_only_read(const void *ptr)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long from, to;
    char line[512], can[5] = "";
    bool is_found = false;
    CHECK(maps != NULL);
    while (!is_found && fgets(line, sizeof line, maps) != NULL) {
        is_found = sscanf(line, "%lx-%lx %4s", &from, &to, can) == 3 && from <= (unsigned long)(uintptr_t)ptr &&
                   (unsigned long)(uintptr_t)ptr < to;
    }
    fclose(maps);
    return is_found && strcmp(can, "r--p") == 0;
}

/* All that can be done with a portal on LEN bytes. */
static void use(struct carnet_portal sums, struct carnet_portal handed)
{
    struct carnet_memory memory;
    struct carnet_bytes found;
    int times;
    for (times = 0; times < 3; times++) {
        CHECK(called(sums, handed) == sum_of(LEN));
    }
    CHECK(call_sums_carnet_Memory_size(handed) == (int64_t)LEN);
    CHECK(call_sums_carnet_Memory_read(handed, 7, 100, &found) == CARNET_OK && found.len == 100);
    CHECK(memcmp(found.ptr, bytes + 7, 100) == 0);
    CHECK(carnet_map(handed, LEN, &memory) == CARNET_OK && is_mapped(&memory, LEN));
    carnet_memory_end(&memory);
    CHECK(carnet_map(handed, LEN - 1, &memory) == CARNET_REFUSED && memory.len == 0 && memory.ptr == NULL);
    CHECK(strcmp(carnet_failure_text, "memory of more bytes than are wanted") == 0);
}

static void hands_over(struct carnet_portal sums, const char *address)
{
    struct carnet_portal handed, other = connected(address), again;
    struct carnet_memory memory, drafted;
    unsigned char *draft;
    CHECK(carnet_memory_of(&memory, bytes, LEN) == CARNET_OK && is_mapped(&memory, LEN) && can_only_read(memory.ptr));
    /* Nobody can change it, not even by its file. */
    CHECK(pwrite(memory.file, "x", 1, 0) < 0 && ftruncate(memory.file, 1) < 0 && ftruncate(memory.file, 2 * LEN) < 0);
    CHECK(mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_SHARED, memory.file, 0) == MAP_FAILED);
    CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_OK);
    CHECK(carnet_hand_over(other, &memory, &again) == CARNET_OK);
    carnet_memory_end(&memory);
    /* The server needs nothing of the client's any more. */
    use(sums, handed);
    use(other, again);
    carnet_release(handed);
    carnet_disconnect(other);
    draft = (unsigned char *)carnet_memory_draft(&drafted, LEN);
    CHECK(draft != NULL && draft[0] == 0 && draft[LEN - 1] == 0);
    memcpy(draft, bytes, LEN);
    CHECK(carnet_memory_seal(&drafted) == CARNET_OK && can_only_read(drafted.ptr));
    CHECK(carnet_hand_over(sums, &drafted, &handed) == CARNET_OK);
    carnet_memory_end(&drafted);
    use(sums, handed);
    CHECK(call_sums_Sums_keep(sums, handed) == CARNET_OK);
    carnet_release(handed);
    CHECK(call_sums_Sums_kept(sums, &handed) == CARNET_OK);
    use(sums, handed);
    carnet_release(handed);
    CHECK(carnet_memory_draft(&memory, 0) == NULL && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_BAD_ARGUMENT && handed.channel == NULL);
}

/* A draft may be made while children are: they do not have it. */
static void forks(void)
{
    struct carnet_memory memory;
    unsigned char *draft = (unsigned char *)carnet_memory_draft(&memory, 5000);
    int ready[2];
    pid_t child;
    CHECK(draft != NULL && pipe(ready) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char one;
        close(ready[1]);
        _exit(read(ready[0], &one, 1) == 0 ? 0 : 1);
    }
    close(ready[0]);
    memcpy(draft, bytes, 5000);
    CHECK(carnet_memory_seal(&memory) == CARNET_OK && is_mapped(&memory, 5000));
    close(ready[1]);
    CHECK(waitpid(child, NULL, 0) == child);
    carnet_memory_end(&memory);
}

static void longer_than_a_message(struct carnet_portal sums, bool is_shared)
{
    struct carnet_memory memory;
    struct carnet_portal handed;
    CHECK(carnet_memory_of(&memory, bytes, sizeof bytes) == CARNET_OK);
    memset(&counts, 0, sizeof counts);
    if (is_shared) {
        /* Nothing of it is copied. */
        CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_OK && counts.copied < LITTLE && counts.received < LITTLE);
        CHECK(called(sums, handed) == sum_of(sizeof bytes));
        carnet_release(handed);
    } else {
        CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_BAD_ARGUMENT);
    }
    carnet_memory_end(&memory);
}

static void maps(struct carnet_portal sums, bool is_shared)
{
    static const size_t lengths[] = {1, 4096, (5u << 20) + 3};
    size_t index;
    for (index = 0; index < sizeof lengths / sizeof *lengths; index++) {
        size_t len = lengths[index];
        struct carnet_portal theirs = counted(sums, len), handed;
        struct carnet_memory memory, other;
        CHECK(called(sums, theirs) == sum_of(len));
        memset(&counts, 0, sizeof counts);
        CHECK(carnet_map(theirs, len, &memory) == CARNET_OK);
        /* Nothing of it is copied; elsewhere all of it once, out of the socket to where it stays. */
        CHECK(counts.copied < LITTLE && counts.received < LITTLE + (is_shared ? 0 : len));
        CHECK(is_mapped(&memory, len) && can_only_read(memory.ptr) && (memory.file < 0) == is_shared);
        CHECK(carnet_map(theirs, len, &other) == CARNET_OK && is_mapped(&other, len));
        carnet_memory_end(&other);
        CHECK(carnet_map(theirs, len - 1, &other) == CARNET_REFUSED && other.len == 0);
        /* It outlives its portal, and is handed over again. */
        carnet_release(theirs);
        CHECK(is_mapped(&memory, len));
        if (len <= LEN) {
            CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_OK && called(sums, handed) == sum_of(len));
            carnet_release(handed);
        }
        carnet_memory_end(&memory);
    }
    {
        struct carnet_memory memory;
        CHECK(carnet_map(sums, 1, &memory) != CARNET_OK && memory.len == 0);
    }
}

static void bounded(struct carnet_portal sums)
{
    struct carnet_portal first, second, third;
    struct carnet_memory small, large;
    CHECK(carnet_memory_of(&small, bytes, 16) == CARNET_OK && carnet_memory_of(&large, bytes, (64u << 10) + 1) == CARNET_OK);
    CHECK(carnet_hand_over(sums, &small, &first) == CARNET_OK);
    CHECK(carnet_hand_over(sums, &large, &third) == CARNET_REFUSED && third.channel == NULL);
    CHECK(strstr(carnet_failure_text, "may hand over") != NULL);
    CHECK(carnet_hand_over(sums, &small, &second) == CARNET_OK);
    CHECK(carnet_hand_over(sums, &small, &third) == CARNET_REFUSED);
    /* What is given back can be taken anew. */
    carnet_release(first);
    carnet_release(second);
    CHECK(carnet_hand_over(sums, &large, &third) == CARNET_OK && called(sums, third) == sum_of((64u << 10) + 1));
    carnet_memory_end(&small);
    carnet_memory_end(&large);
}

static void without(struct carnet_portal sums)
{
    struct carnet_portal handed;
    struct carnet_memory memory;
    int times;
    CHECK(carnet_memory_of(&memory, bytes, 5000) == CARNET_OK);
    for (times = 0; times < 3; times++) {
        CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_REFUSED && handed.channel == NULL);
        printf("%s\n", carnet_failure_text);
    }
    carnet_memory_end(&memory);
}

/* An object of this process is asked for its bytes by calls. */
static void here(void)
{
    static struct {
        struct carnet_session session;
        CARNET_ALIGNED unsigned char message[3u << 20];
    } own;
    struct carnet_portal sums, theirs, handed;
    struct carnet_memory memory;
    CHECK(carnet_session_here(&own.session, sizeof own.message, carnet_root(), sums_Sums_service(), &sums));
    theirs = counted(sums, (2u << 20) + 5);
    CHECK(called(sums, theirs) == sum_of((2u << 20) + 5));
    CHECK(carnet_map(theirs, 3u << 20, &memory) == CARNET_OK && is_mapped(&memory, (2u << 20) + 5) && can_only_read(memory.ptr));
    CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_BAD_ARGUMENT && handed.channel == NULL);
    carnet_memory_end(&memory);
    CHECK(carnet_map(theirs, 2u << 20, &memory) == CARNET_REFUSED && memory.len == 0);
    carnet_release(theirs);
    carnet_disconnect(sums);
}

int main(int argc, char **argv)
{
    struct carnet_portal sums = {NULL, 0};
    bool is_shared;
    size_t index;
    int times;
    for (index = 0; index < sizeof bytes; index++) {
        bytes[index] = (unsigned char)(index % 251);
    }
    CHECK(argc >= 2);
    is_shared = strncmp(argv[1], "shm:", 4) == 0;
    if (argc == 2 && strcmp(argv[1], "here") == 0) {
        here();
        return 0;
    }
    if (argc == 2) {
        sums = connected(argv[1]);
        hands_over(sums, argv[1]);
        forks();
        longer_than_a_message(sums, is_shared);
        maps(sums, is_shared);
        carnet_disconnect(sums);
        return 0;
    }
    if (argc == 3) {
        sums = connected(argv[2]);
        if (strcmp(argv[1], "bounded") == 0) {
            bounded(sums);
        } else {
            without(sums);
        }
        carnet_disconnect(sums);
        return 0;
    }
    for (times = 0; times < atoi(argv[3]); times++) {
        bool is_again = strcmp(argv[1], "again") == 0;
        struct carnet_memory memory;
        struct carnet_portal handed;
        carnet_status status;
        if (times == 0 || !is_again) {
            sums = connected(argv[2]);
        }
        if (strcmp(argv[1], "maps") == 0 || is_again) {
            status = carnet_map(sums, WANTED, &memory);
            CHECK((status == CARNET_OK) == (memory.len == THERE));
        } else {
            CHECK(carnet_memory_of(&memory, bytes, THERE) == CARNET_OK);
            status = carnet_hand_over(sums, &memory, &handed);
            CHECK((status == CARNET_OK) == (handed.channel != NULL));
        }
        printf("%u %s\n", (unsigned)status, status == CARNET_OK ? "" : carnet_failure_text);
        fflush(stdout);
        carnet_memory_end(&memory);
        if (!is_again || times + 1 == atoi(argv[3])) {
            carnet_disconnect(sums);
        }
    }
    return 0;
}
