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

/* A refused reply leaves inouts as they were, and outs empty. */
static carnet_status left(carnet_status status, bool is_left)
{
    if (status == CARNET_PROTOCOL && !is_left) {
        fprintf(stderr, "a refused reply left something\n");
        return UINT32_MAX;
    }
    return status;
}

static bool is_empty(const void *place, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)place;
    size_t index;
    for (index = 0; index < len; index++) {
        if (bytes[index] != 0) {
            return false;
        }
    }
    return true;
}

/* Whether all fields are the same; what lies between them is nobody's. */
static bool is_table(const struct whole_Tables *one, const struct whole_Tables *other)
{
    return memcmp(&one->triple, &other->triple, sizeof one->triple) == 0 &&
           memcmp(&one->table, &other->table, sizeof one->table) == 0 && memcmp(&one->key, &other->key, sizeof one->key) == 0 &&
           memcmp(&one->names, &other->names, sizeof one->names) == 0;
}

/* Calls with inouts, or portals. */
static carnet_status called_both_ways(const char *name, struct carnet_portal leaf)
{
    if (strcmp(name, "turn") == 0) {
        struct carnet_string a = carnet_text("ab"), result;
        struct carnet_bytes b = {"cde", 3};
        const void *ptrs[2] = {a.ptr, b.ptr};
        carnet_status status = call_whole_Node_turn(leaf, carnet_text(""), &a, &b, &result);
        bool is_left = a.ptr == ptrs[0] && a.len == 2 && b.ptr == ptrs[1] && b.len == 3;
        return left(status, is_left && is_empty(&result, sizeof result));
    }
    if (strcmp(name, "numbers") == 0) {
        static const struct whole_Numbers before = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1.0f, 2.0};
        struct whole_Numbers b = before, result;
        float c;
        carnet_status status = call_whole_Node_numbers(leaf, &before, &b, &result, &c);
        bool is_left = b.a == 1 && b.b == 2 && b.c == 3 && b.d == 4 && b.e == 5 && b.f == 6 && b.g == 7 && b.h == 8;
        return left(status, is_left && b.i == 9 && is_empty(&result, sizeof result) && is_empty(&c, sizeof c));
    }
    if (strcmp(name, "climb") == 0) {
        struct carnet_portal at = leaf, result;
        int32_t level;
        carnet_status status = call_whole_Node_climb(leaf, 0, &at, &result, &level);
        bool is_left = at.channel == leaf.channel && at.id == leaf.id;
        return left(status, is_left && is_empty(&result, sizeof result) && is_empty(&level, sizeof level));
    }
    if (strcmp(name, "reshape") == 0) {
        static const struct whole_Tables before = {{{1, 2, 3}}, {{{{1, 2, 3}}, {{4, 5, 6}}}}, {{1}}, {{{"n", 1}, {NULL, 0}}}};
        struct whole_Tables a = before;
        struct whole_uint8x16 b = before.key;
        struct whole_Value c = {whole_Shade_light, {5}};
        struct whole_Many d;
        carnet_status status;
        memset(&d, 0, sizeof d);
        status = call_whole_Node_reshape(leaf, &a, &b, &c, &d);
        return left(status, is_table(&a, &before) && memcmp(&b, &before.key, sizeof b) == 0 &&
                                c.which == whole_Shade_light && c.is.number == 5 && is_empty(&d, sizeof d));
    }
    if (strcmp(name, "relabel") == 0) {
        struct whole_Labelled_list a = {NULL, 0};
        struct whole_string8_list b = {NULL, 0};
        struct whole_int32_list c = {NULL, 0};
        struct carnet_list back[3];
        carnet_status status = call_whole_Node_relabel(leaf, 0, a, &back[0], b, &back[1], c, &back[2]);
        return left(status, is_empty(back, sizeof back));
    }
    if (strcmp(name, "relink") == 0) {
        union whole_Node_relink_raised raised;
        struct whole_Link a = {carnet_given(leaf), carnet_text("")};
        struct whole_Link_list b = {NULL, 0};
        struct whole_Node_list c = {NULL, 0};
        struct carnet_list back[2];
        carnet_status status = call_whole_Node_relink(leaf, &a, b, &back[0], c, &back[1], &raised);
        bool is_left = a.node.portal.channel == leaf.channel && a.node.portal.id == leaf.id && a.name.len == 0;
        return left(status, is_left && is_empty(back, sizeof back));
    }
    if (strcmp(name, "link") == 0) {
        struct whole_Link a = {carnet_given(leaf), carnet_text("")}, result;
        carnet_status status = call_whole_Node_link(leaf, &a, &result);
        return left(status, is_empty(&result, sizeof result));
    }
    return UINT32_MAX;
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
    } else if (strncmp(name, "links", 5) == 0) {
        struct whole_Link_list a = {NULL, 0};
        static uint64_t place[32];
        status = strcmp(name, "links") == 0 ? call_whole_Node_links(leaf, a, &list)
                                            : call_whole_Node_links_into(leaf, a, &list, carnet_into(place, sizeof place));
        if (status == CARNET_OK) {
            EACH(Link, struct whole_Link)
        }
    } else if (strcmp(name, "direntries") == 0) {
        int32_t pos = 0;
        (void)call_whole_Pfs_pfs_get_direntries(leaf, 1, 1, &pos, &list);
        if (left(carnet_failure, pos == 0 && is_empty(&list, sizeof list)) != carnet_failure) {
            return UINT32_MAX;
        }
        if (carnet_failure == CARNET_OK) {
            EACH(int32, int32_t)
        }
        return carnet_failure;
    } else {
        return called_both_ways(name, leaf);
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
