/* Memory of a server's own counts as long as anybody has it in any way, and not a moment longer; and nobody waits for whoever has it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sums.h"
#include "carnet_memory.h"
#include "../../../idl/tests/c/check.h"

#include <signal.h>

/* More than the system would keep to tell of. */
#define ROUNDS 20000

/* Memory of which a client was passed `*file`. */
static struct carnet_held *passed(int *file)
{
    struct carnet_memory memory;
    struct carnet_held *held;
    CHECK(carnet_memory_of(&memory, "memory", 6) == CARNET_OK);
    held = carnet_held_of(memory);
    CHECK(held != NULL && held->memory.file >= 0);
    *file = carnet_held_file(held);
    CHECK(*file >= 0);
    return held;
}

/* So many count now. */
static bool count(size_t files)
{
    return carnet_given_files == files && carnet_given_bytes == 6 * files;
}

/* The same when it was looked through what clients have. */
static bool still_count(size_t files)
{
    carnet_sweep();
    return count(files) && carnet_is_lingering() == (files > 0);
}

static void by_nobody(void)
{
    unsigned round;
    int file;
    for (round = 0; round < ROUNDS; round++) {
        struct carnet_held *held = passed(&file);
        close(file);
        CHECK(count(1));
        carnet_held_end(held);
        CHECK(count(0) && !carnet_is_lingering());
    }
}

static void by_a_descriptor(void)
{
    int file, other;
    carnet_held_end(passed(&file));
    carnet_held_end(passed(&other));
    CHECK(still_count(2));
    close(file);
    CHECK(still_count(1));
    close(other);
    CHECK(still_count(0));
}

static void by_a_mapping(void)
{
    int file;
    struct carnet_held *held = passed(&file);
    void *place = mmap(NULL, 6, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(place != MAP_FAILED);
    close(file);
    carnet_held_end(held);
    CHECK(still_count(1) && memcmp(place, "memory", 6) == 0);
    (void)munmap(place, 6);
    CHECK(still_count(0));
}

/* It has the file, and can open it again, though it has not opened it. */
static void by_its_name(void)
{
    int file, name;
    struct carnet_held *held = passed(&file);
    name = open(carnet_file_path(file).text, O_PATH | O_CLOEXEC);
    CHECK(name >= 0);
    close(file);
    carnet_held_end(held);
    CHECK(still_count(1));
    file = carnet_file_again(name);
    CHECK(file >= 0);
    close(name);
    CHECK(still_count(1));
    close(file);
    CHECK(still_count(0));
}

/* It was passed on, and nobody has taken it. */
static void by_a_socket(void)
{
    int file, sockets[2];
    struct carnet_held *held = passed(&file);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 && carnet_pass_file(sockets[0], 1, file));
    close(file);
    carnet_held_end(held);
    CHECK(still_count(1));
    close(sockets[0]);
    CHECK(still_count(1));
    close(sockets[1]);
    CHECK(still_count(0));
}

/* Whoever opens a file waits for the end of a client's lease on it, which takes the system 45 s. */
static void by_a_lease(void)
{
    int file;
    struct carnet_held *held = passed(&file);
    signal(SIGIO, SIG_IGN);
    CHECK(fcntl(file, F_SETLEASE, F_WRLCK) == 0);
    CHECK(carnet_held_file(held) < 0);
    carnet_held_end(held);
    CHECK(still_count(1));
    close(file);
    CHECK(still_count(0));
}

int main(void)
{
    alarm(20);
    by_nobody();
    by_a_descriptor();
    by_a_mapping();
    by_its_name();
    by_a_socket();
    by_a_lease();
    return 0;
}
