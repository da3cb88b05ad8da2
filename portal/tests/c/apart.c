/* A client that connects in one source file and uses the connection in another. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sums.h"
#include "carnet_memory.h"

#include "copies.h"

carnet_status connect_apart(const char *address, struct carnet_portal *root);

int main(int argc, char **argv)
{
    struct carnet_portal sums, handed, theirs, null = {NULL, 0};
    struct carnet_memory memory, mapped;
    bool is_shared;
    uint64_t sum;
    CHECK(argc == 2 && connect_apart(argv[1], &sums) == CARNET_OK);
    is_shared = strncmp(argv[1], "shm:", 4) == 0;
    CHECK(carnet_connection_of(sums.channel)->spin.waiting == CARNET_WAITING);
    carnet_set_waiting(sums, CARNET_SLEEPING);
    CHECK(carnet_connection_of(sums.channel)->spin.waiting == CARNET_SLEEPING);
    CHECK(carnet_memory_of(&memory, "abc", 3) == CARNET_OK);
    CHECK(carnet_hand_over(sums, &memory, &handed) == CARNET_OK);
    sum = call_sums_Sums_sum(sums, handed);
    CHECK(sum == 'a' + 'b' + 'c');
    CHECK(call_sums_Sums_counted(sums, 4096, &theirs) == CARNET_OK);
    CHECK(carnet_map(theirs, 4096, &mapped) == CARNET_OK && mapped.len == 4096);
    /* What is mapped has no file of ours. */
    CHECK((mapped.file < 0) == is_shared);
    carnet_memory_end(&mapped);
    /* Of the null portal there is neither. */
    CHECK(carnet_map(null, 4096, &mapped) == CARNET_BAD_ARGUMENT && mapped.ptr == NULL && mapped.len == 0);
    carnet_memory_end(&mapped);
    CHECK(carnet_hand_over(null, &memory, &handed) == CARNET_BAD_ARGUMENT && handed.channel == NULL);
    carnet_set_waiting(null, CARNET_SLEEPING);
    carnet_memory_end(&memory);
    carnet_disconnect(sums);
    return 0;
}
