/* A process that was forked and runs on hears for itself when nobody has memory of a server any more, and takes nothing of that from its
 * parent. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "carnet_memory.h"
#include "check.h"

#include <sys/wait.h>

/* Memory that has ended and that a client has: the client's descriptor. */
static int lingering(void)
{
    struct carnet_memory memory;
    struct carnet_held *held;
    int file;
    CHECK(carnet_memory_of(&memory, "some bytes", 10) == CARNET_OK);
    held = carnet_held_of(memory);
    CHECK(held != NULL);
    file = carnet_held_file(held);
    CHECK(file >= 0);
    carnet_held_end(held);
    return file;
}

static void tell(int to)
{
    CHECK(write(to, "", 1) == 1);
}

static void wait_for(int from)
{
    char told;
    CHECK(read(from, &told, 1) == 1);
}

/* The child's side: it has let go of what its parent's client has, and hears of its own. */
static void child(int file, int to, int from)
{
    close(file);
    tell(to);
    wait_for(from);
    carnet_sweep();
    CHECK(carnet_given_files == 0 && !carnet_is_lingering());
    file = lingering();
    CHECK(carnet_given_files == 1 && carnet_is_lingering());
    carnet_sweep();
    CHECK(carnet_given_files == 1);
    close(file);
    carnet_sweep();
    CHECK(carnet_given_files == 0 && carnet_given_bytes == 0);
}

/* Memory of the parent's that a client of the child's has next: it counts here as long as the parent has it. */
static void child_with(struct carnet_held *held, int to, int from)
{
    int file = carnet_held_file(held);
    CHECK(file >= 0);
    carnet_held_end(held);
    close(file);
    carnet_sweep();
    CHECK(carnet_given_files == 1);
    tell(to);
    wait_for(from);
    carnet_sweep();
    CHECK(carnet_given_files == 0);
}

int main(void)
{
    int there[2], back[2], status, file = lingering();
    struct carnet_memory memory;
    struct carnet_held *held;
    pid_t process;
    CHECK(pipe(there) == 0 && pipe(back) == 0);
    process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        child(file, back[1], there[0]);
        return 0;
    }
    wait_for(back[0]);
    close(file);
    tell(there[1]);
    CHECK(waitpid(process, &status, 0) == process && status == 0);
    CHECK(carnet_given_files == 1);
    carnet_sweep();
    CHECK(carnet_given_files == 0 && carnet_given_bytes == 0 && !carnet_is_lingering());
    /* What is still held. */
    CHECK(carnet_memory_of(&memory, "some bytes", 10) == CARNET_OK);
    held = carnet_held_of(memory);
    CHECK(held != NULL);
    file = carnet_held_file(held);
    CHECK(file >= 0);
    process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        close(file);
        child_with(held, back[1], there[0]);
        return 0;
    }
    wait_for(back[0]);
    carnet_held_end(held);
    CHECK(carnet_given_files == 1);
    close(file);
    tell(there[1]);
    CHECK(waitpid(process, &status, 0) == process && status == 0);
    carnet_sweep();
    CHECK(carnet_given_files == 0);
    return 0;
}
