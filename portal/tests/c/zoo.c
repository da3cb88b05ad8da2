/* The service of older.rs: each operation without a portal returns its own number in its own interface. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "zoo.h"

static int root;

void *carnet_root(void);

void *carnet_root(void)
{
    return &root;
}

void zoo_Node_released(void *object)
{
    (void)object;
}

void zoo_Leaf_released(void *object)
{
    (void)object;
}

void zoo_Petal_released(void *object)
{
    (void)object;
}

int32_t zoo_Node_added(const struct carnet_self *self)
{
    (void)self;
    return 0;
}

void zoo_Node_flower(const struct carnet_self *self, struct zoo_Given *result)
{
    (void)self;
    result->node = carnet_served(&root, zoo_Petal_service());
}

int32_t zoo_Node_first(const struct carnet_self *self)
{
    (void)self;
    return 2;
}

int32_t zoo_Node_second(const struct carnet_self *self)
{
    (void)self;
    return 3;
}

int32_t zoo_Leaf_more(const struct carnet_self *self)
{
    (void)self;
    return 4;
}

int32_t zoo_Leaf_leaf(const struct carnet_self *self)
{
    (void)self;
    return 5;
}

int32_t zoo_Petal_petal(const struct carnet_self *self)
{
    (void)self;
    return 6;
}
