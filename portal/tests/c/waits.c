/* A client one portal of which waits in a way of its own.
 *
 *     waits ADDRESS CONNECTION PORTAL    how: 1 sleeps, 2 looks
 *
 * Calls through that portal, through another, and once more when a receipt of the first was given back.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sums.h"
#include "carnet_client.h"
#include "../../../idl/tests/c/check.h"

int main(int argc, char **argv)
{
    struct carnet_portal sums, one, other;
    uint32_t index;
    CHECK(argc == 4);
    CHECK(carnet_connect(argv[1], &sums_module, &sums_Sums_interface, 60000, &sums) == CARNET_OK);
    carnet_set_waiting(sums, (enum carnet_waiting)atoi(argv[2]));
    CHECK(call_sums_Sums_counted(sums, 1, &one) == CARNET_OK);
    /* The null portal takes nobody's place. */
    other = one;
    other.id = 0;
    CHECK(carnet_set_portal_waiting(other, CARNET_SLEEPING) == CARNET_OK);
    /* As many as there may be, and one more. */
    for (index = 0; index <= CARNET_WAITS_MAX; index++) {
        other = one;
        other.id += 1 + index;
        CHECK(carnet_set_portal_waiting(other, CARNET_ADAPTIVE) == (index < CARNET_WAITS_MAX ? CARNET_OK : CARNET_REFUSED));
    }
    CHECK(carnet_set_portal_waiting(one, (enum carnet_waiting)atoi(argv[3])) == CARNET_REFUSED);
    for (index = 0; index < CARNET_WAITS_MAX; index++) {
        other.id = one.id + 1 + index;
        CHECK(carnet_set_portal_waiting(other, CARNET_SLEEPING) == CARNET_OK);
        carnet_release(other);
    }
    CHECK(carnet_set_portal_waiting(one, (enum carnet_waiting)atoi(argv[3])) == CARNET_OK);
    CHECK(call_sums_carnet_Memory_size(one) == 5);
    CHECK(call_sums_Sums_counted(sums, 1, &other) == CARNET_OK);
    CHECK(call_sums_carnet_Memory_size(one) == 5);
    carnet_release(one);
    CHECK(call_sums_carnet_Memory_size(one) == 5);
    other.channel = NULL;
    CHECK(carnet_set_portal_waiting(other, CARNET_SPINNING) == CARNET_OK);
    carnet_disconnect(sums);
    return 0;
}
