/* The program: Figure 9 of CompositeCall, through function pointers. */
#include "null.h"

void copy_loop(const struct service *service, int64_t i, int64_t j, int64_t k)
{
    while (service->read(i, j, k) > 0)
        service->write(i, j, k);
}
