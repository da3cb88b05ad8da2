/* Connects to the server at an address for each name that follows, makes the call of that name, and prints what became of it:
 * the status, without a kind of exception. What it believed it reads to the end. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "whole.h"
#include "carnet_client.h"

#include <stdio.h>

#ifndef TIMEOUT_MS
#define TIMEOUT_MS 20000
#endif

#define EACH(name, type)                                                  \
    for (index = 0; index < list.count; index++) {                        \
        type found;                                                       \
        if (!whole_##name##_at(&list, index, &found)) {                   \
            fprintf(stderr, "an element that is none was believed\n");    \
            return UINT32_MAX;                                            \
        }                                                                 \
    }

static carnet_status called(const char *name, struct carnet_portal leaf)
{
    union whole_Node_fail_raised raised;
    struct carnet_bytes none = {NULL, 0};
    struct carnet_string text;
    struct carnet_list list;
    size_t index;
    carnet_status status = CARNET_OK;
    carnet_failure = CARNET_OK;
    if (strcmp(name, "height") == 0) {
        (void)call_whole_Node__get_height(leaf);
        return carnet_failure;
    }
    if (strcmp(name, "letter") == 0) {
        (void)call_whole_Node_letter(leaf, 'a', none);
        return carnet_failure;
    }
    if (strcmp(name, "kind") == 0) {
        (void)call_whole_Leaf_kind(leaf, whole_Leaf_Kind_green, carnet_text(""));
        return carnet_failure;
    }
    if (strcmp(name, "name") == 0) {
        return call_whole_Node__get_name(leaf, &text);
    }
    if (strcmp(name, "fail") == 0) {
        return call_whole_Node_fail(leaf, 0, &raised);
    }
    if (strcmp(name, "tell") == 0) {
        (void)call_whole_Node_tell(leaf, 1, carnet_text(""));
        (void)call_whole_Node__get_height(leaf);
        return carnet_failure;
    }
    if (strcmp(name, "value") == 0) {
        struct whole_Value a = {whole_Shade_light, {0}}, back;
        struct whole_Many c, d;
        memset(&c, 0, sizeof c);
        return call_whole_Node_value(leaf, &a, &c, &back, &d);
    }
    if (strcmp(name, "key") == 0) {
        static const struct whole_uint8x16 key = {{0}};
        struct whole_uint8x16 back;
        struct whole_uint8x16_list keys = {NULL, 0};
        return call_whole_Node_key(leaf, &key, keys, &back, &list);
    }
    if (strcmp(name, "labelled") == 0) {
        struct whole_Labelled_list a = {NULL, 0};
        status = call_whole_Node_labelled(leaf, a, &list);
        if (status == CARNET_OK) {
            EACH(Labelled, struct whole_Labelled)
        }
    } else if (strcmp(name, "triples") == 0) {
        struct whole_int32x3_list a = {NULL, 0};
        status = call_whole_Node_triples(leaf, a, &list);
        if (status == CARNET_OK) {
            EACH(int32x3, struct whole_int32x3)
        }
    } else if (strcmp(name, "links") == 0) {
        struct whole_Link_list a = {NULL, 0};
        status = call_whole_Node_links(leaf, a, &list);
        if (status == CARNET_OK) {
            EACH(Link, struct whole_Link)
        }
    } else if (strcmp(name, "direntries") == 0) {
        int32_t pos = 0;
        (void)call_whole_Pfs_pfs_get_direntries(leaf, 1, 1, &pos, &list);
        if (carnet_failure == CARNET_OK) {
            EACH(int32, int32_t)
        }
        return carnet_failure;
    } else {
        return UINT32_MAX;
    }
    return status;
}

int main(int argc, char **argv)
{
    int index;
    for (index = 2; index < argc; index++) {
        struct carnet_portal leaf;
        carnet_status status = carnet_connect(argv[1], &whole_module, NULL, TIMEOUT_MS, &leaf);
        if (status == CARNET_OK) {
            status = called(argv[index], leaf);
            carnet_disconnect(leaf);
        }
        printf("%u\n", status & 0xffff);
        fflush(stdout);
    }
    return 0;
}
