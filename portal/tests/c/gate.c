/* The service of older.rs whose module includes another: a gate gives a water of the other. Each operation of that returns its own number. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "zoo.h"

static int root, water;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void zoo_Gate_released(void *object)
{
    (void)object;
}

void zoo_pond_Water_released(void *object)
{
    (void)object;
}

void zoo_Gate_open(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = &water;
}

int32_t zoo_pond_Water_first(const struct carnet_self *self)
{
    (void)self;
    return 0;
}

int32_t zoo_pond_Water_second(const struct carnet_self *self)
{
    (void)self;
    return 1;
}
