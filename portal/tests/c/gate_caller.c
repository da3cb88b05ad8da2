/* A client that takes the root of the server at the address behind its name for the water of an included module. Behind that stands what
 * becomes of its calls: "served" or "refused". */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pond.h"
#include "carnet_client.h"
#include "../../../idl/tests/c/check.h"

int main(int argc, char **argv)
{
    struct carnet_portal root;
    int round;
    CHECK(argc == 3);
    CHECK(carnet_connect(argv[1], &pond_module, &pond_Water_interface, 10000, &root) == CARNET_OK);
    for (round = 0; round < 3; round++) {
        carnet_failure = CARNET_OK;
        if (strcmp(argv[2], "served") == 0) {
            CHECK(call_pond_Water_first(root) == 0 && call_pond_Water_second(root) == 1 && carnet_failure == CARNET_OK);
        } else {
            /* The call fails, the connection does not end. */
            CHECK(call_pond_Water_second(root) == 0 && carnet_failure == CARNET_REFUSED);
            CHECK(strcmp(carnet_failure_text, "this server serves zoo.Gate, and the client asks for Water of pond") == 0);
        }
        CHECK(!carnet_connection_of(root.channel)->is_dead);
    }
    carnet_disconnect(root);
    return 0;
}
