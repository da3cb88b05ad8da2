/* Calls that do nothing, the same as those of bench/src/services.rs. */
#ifndef NULL_H
#define NULL_H
#include <stdint.h>

struct service {
    int64_t (*read)(int64_t i, int64_t j, int64_t k);
    int64_t (*write)(int64_t i, int64_t j, int64_t k);
};

extern const struct service null_service;
extern int64_t null_left, null_sum;

/* The loop of Figure 9, in a file of its own so that nothing of the service is known there. */
void copy_loop(const struct service *service, int64_t i, int64_t j, int64_t k);

#endif
