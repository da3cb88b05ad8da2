/* The functions of two_files.idl, in a source file of their own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "two_files.h"

#include <stdlib.h>

extern int released;

static int *note;

static int *noted(void)
{
    if (note == NULL) {
        note = (int *)malloc(sizeof *note);
        *note = 7;
    }
    return note;
}

void two_files_Root_released(void *object)
{
    (void)object;
}

void two_files_Note_released(void *object)
{
    released++;
    note = NULL;
    free(object);
}

int32_t two_files_Note_number(const struct carnet_self *self)
{
    return *(const int *)self->object;
}

void two_files_Root_note(const struct carnet_self *self, void **result)
{
    (void)self;
    *result = noted();
}

void two_files_Root_place(const struct carnet_self *self, struct two_files_Place *result)
{
    (void)self;
    result->note = carnet_served(noted(), two_files_Note_service());
}
