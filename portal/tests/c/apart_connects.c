/* The connection of apart.c, made in a source file of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sums.h"
#include "carnet_memory.h"

carnet_status connect_apart(const char *address, struct carnet_portal *root);

carnet_status connect_apart(const char *address, struct carnet_portal *root)
{
    return carnet_connect(address, &sums_module, &sums_Sums_interface, 20000, root);
}
