/* A client may have a lease of its own on memory that it was given: whoever looks whether the memory is alone does not wait for its end,
 * which takes the system 45 s. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sums.h"
#include "carnet_memory.h"
#include "../../../idl/tests/c/check.h"

#include <signal.h>

int main(void)
{
    int file = memfd_create("leased", MFD_CLOEXEC), given;
    CHECK(file >= 0);
    CHECK(carnet_file_is_alone(file));
    given = carnet_file_again(file);
    CHECK(given >= 0 && close(file) == 0);
    signal(SIGIO, SIG_IGN);
    CHECK(fcntl(given, F_SETLEASE, F_WRLCK) == 0);
    alarm(10);
    CHECK(!carnet_file_is_alone(given));
    CHECK(fcntl(given, F_SETLEASE, F_UNLCK) == 0);
    return 0;
}
