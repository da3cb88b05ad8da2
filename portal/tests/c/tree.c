/* The service of whole.idl as whole.rs has it: gives back what it gets, and makes more of its kind. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "whole.h"

#include <stdlib.h>
#include <stdio.h>

struct tree {
    int32_t level, height;
};

void *carnet_root(void);

static struct tree *grown(int32_t level)
{
    struct tree *tree = (struct tree *)calloc(1, sizeof *tree);
    tree->level = level;
    return tree;
}

static struct tree *self_of(const struct carnet_self *self)
{
    return (struct tree *)self->object;
}

/* A leaf where a node is expected. */
static struct carnet_reference node(int32_t level)
{
    return carnet_served(grown(level), whole_Leaf_service());
}

void *carnet_root(void)
{
    return grown(0);
}

int32_t whole_Node__get_level(const struct carnet_self *self)
{
    return self_of(self)->level;
}

void whole_Node__set_level(const struct carnet_self *self, int32_t value)
{
    self_of(self)->level = value;
}

int32_t whole_Node__get_height(const struct carnet_self *self)
{
    return self_of(self)->height;
}

void whole_Node__set_height(const struct carnet_self *self, int32_t value)
{
    self_of(self)->height = value;
}

carnet_status whole_Node__get_name(const struct carnet_self *self, struct carnet_string *result)
{
    if (self_of(self)->level == 13) {
        return carnet_raise(whole_Shade_dark, "no name");
    }
    *result = carnet_text("tree");
    return CARNET_OK;
}

void whole_Node_numbers(const struct carnet_self *self, const struct whole_Numbers *a, struct whole_Numbers *b,
                        struct whole_Numbers *result, float *c)
{
    (void)self;
    *result = *b;
    *b = *a;
    *c = a->j * 2;
}

void whole_Node_tables(const struct carnet_self *self, const struct whole_Tables *a, struct whole_int32x3x2 *c,
                       struct whole_Tables *result, struct whole_int32x3 *b)
{
    struct whole_int32x3 first = c->at[0];
    (void)self;
    c->at[0] = c->at[1];
    c->at[1] = first;
    *result = *a;
    result->names.at[0] = a->names.at[1];
    if (a->names.at[0].len == 4 && memcmp(a->names.at[0].ptr, "long", 4) == 0) {
        result->names.at[0] = carnet_text("xxxxxxxxx");
    }
    result->names.at[1] = a->names.at[0];
    *b = a->table.at[1];
}

void whole_Node_key(const struct carnet_self *self, const struct whole_uint8x16 *a, const struct carnet_list *c,
                    struct whole_uint8x16 *result, struct whole_uint8x16_list *b)
{
    static struct whole_uint8x16 keys[4];
    size_t index;
    (void)self;
    for (index = 0; index < c->count; index++) {
        (void)whole_uint8x16_at(c, c->count - 1 - index, &keys[index]);
    }
    b->ptr = keys;
    b->count = c->count;
    *result = *a;
}

void whole_Node_value(const struct carnet_self *self, const struct whole_Value *a, const struct whole_Many *c,
                      struct whole_Value *result, struct whole_Many *b)
{
    (void)self;
    *result = *a;
    *b = *c;
    if (c->which == 1 && c->is.real < 0) {
        b->which = (int32_t)0x7fffffff;
        b->is.key.at[0] = 0;
        result->which = (enum whole_Shade)2; /* a value that there is not */
    }
}

void whole_Node_labelled(const struct carnet_self *self, const struct carnet_list *a,
                         struct whole_Labelled_list *result)
{
    static struct whole_Labelled made[3];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        (void)whole_Labelled_at(a, a->count - 1 - index, &made[index]);
    }
    result->ptr = made;
    result->count = a->count;
}

void whole_Node_manies(const struct carnet_self *self, const struct carnet_list *a, struct whole_Many_list *result)
{
    static struct whole_Many made[3];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        (void)whole_Many_at(a, a->count - 1 - index, &made[index]);
    }
    result->ptr = made;
    result->count = a->count;
}

void whole_Node_triples(const struct carnet_self *self, const struct carnet_list *a,
                        struct whole_int32x3_list *result)
{
    static struct whole_int32x3 made[3];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        (void)whole_int32x3_at(a, a->count - 1 - index, &made[index]);
    }
    result->ptr = made;
    result->count = a->count;
}

void whole_Node_reals(const struct carnet_self *self, const struct carnet_list *a, struct whole_double_list *result)
{
    static double made[3];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        (void)whole_double_at(a, a->count - 1 - index, &made[index]);
    }
    result->ptr = made;
    result->count = a->count;
}

static struct whole_Link linked(const struct whole_Link *a)
{
    struct whole_Link made = {node(((const struct tree *)a->node.object)->level + 1), a->name};
    return made;
}

void whole_Node_link(const struct carnet_self *self, const struct whole_Link *a, struct whole_Link *result)
{
    (void)self;
    *result = linked(a);
}

void whole_Node_links(const struct carnet_self *self, const struct carnet_list *a, struct whole_Link_list *result)
{
    static struct whole_Link made[4];
    size_t index;
    (void)self;
    result->count = a->count;
    for (index = 0; index < a->count; index++) {
        struct whole_Link each;
        (void)whole_Link_at(a, index, &each);
        made[index] = linked(&each);
        if (each.name.len == 4) {
            result->count = 4; /* a list that breaks its bound */
            made[1] = made[2] = made[3] = made[0];
        }
    }
    result->ptr = made;
}

void whole_Node_nodes(const struct carnet_self *self, const struct carnet_list *a, struct whole_Node_list *result)
{
    static struct carnet_reference made[3];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        struct carnet_reference each;
        (void)whole_Node_at(a, a->count - 1 - index, &each);
        made[index] = node(((const struct tree *)each.object)->level + 10);
    }
    result->ptr = made;
    result->count = a->count;
}

carnet_status whole_Node_fail(const struct carnet_self *self, int32_t how, union whole_Node_fail_raised *raised)
{
    (void)self;
    switch (how) {
    case 0:
        return CARNET_OK;
    case 1:
        raised->Busy.until = -7;
        return CARNET_RAISE(whole_Node_fail_Busy);
    case 2:
        raised->Denied.who = carnet_text("you");
        raised->Denied.why.which = whole_Shade_dark;
        raised->Denied.why.is.text = carnet_text("no");
        return CARNET_RAISE(whole_Node_fail_Denied);
    case 3:
        return CARNET_RAISE(whole_Node_fail_Empty);
    case 4:
        raised->Plain.kind = whole_Shade_dark;
        raised->Plain.message = carnet_text("a plain one, which i");
        return CARNET_RAISE(whole_Node_fail_Plain);
    default:
        raised->Denied.who = carnet_text("more than eight");
        return CARNET_RAISE(whole_Node_fail_Denied);
    }
}

carnet_status whole_Node_fail_alone(const struct carnet_self *self, union whole_Node_fail_alone_raised *raised)
{
    (void)self;
    raised->Busy.until = INT64_MAX;
    return CARNET_RAISE(whole_Node_fail_alone_Busy);
}

/* The height is how often it was told. */
void whole_Node_tell(const struct carnet_self *self, int32_t a, struct carnet_string b)
{
    self_of(self)->height += b.len == 4 ? a : 0;
}

void whole_Node_unbounded(const struct carnet_self *self, struct carnet_bytes a, const struct carnet_list *b,
                          struct carnet_string *result)
{
    static char text[40];
    (void)self;
    snprintf(text, sizeof text, "%zu %zu", a.len, b->count);
    *result = carnet_text(text);
}

uint8_t whole_Node_letter(const struct carnet_self *self, uint8_t a, struct carnet_bytes b)
{
    (void)self;
    return b.len > 0 ? *(const uint8_t *)b.ptr : a;
}

static bool is_said(struct carnet_string text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

carnet_status whole_Node_turn(const struct carnet_self *self, struct carnet_string c, struct carnet_string *a,
                              struct carnet_bytes *b, struct carnet_string *result)
{
    static uint8_t turned[2001];
    size_t index;
    (void)self;
    *result = *a;
    if (is_said(c, "leave")) {
        return CARNET_OK; /* what is left as it came goes back */
    }
    for (index = 0; index < b->len; index++) {
        turned[index] = ((const uint8_t *)b->ptr)[b->len - 1 - index];
    }
    b->ptr = turned;
    *a = c;
    if (is_said(c, "long")) {
        *a = carnet_text("nine long");
    } else if (is_said(c, "nul")) {
        a->ptr = "a\0b";
    } else if (is_said(c, "longer")) {
        b->len = sizeof turned;
    } else if (is_said(c, "raise")) {
        return carnet_raise(whole_Shade_dark, "turned in vain");
    }
    return CARNET_OK;
}

void whole_Node_reshape(const struct carnet_self *self, struct whole_Tables *a, struct whole_uint8x16 *b,
                        struct whole_Value *c, struct whole_Many *d)
{
    struct carnet_string name = a->names.at[0];
    struct whole_uint8x16 before = *b;
    size_t index;
    (void)self;
    a->names.at[0] = a->names.at[1];
    a->names.at[1] = name;
    a->triple.at[0] = 9;
    for (index = 0; index < 16; index++) {
        b->at[index] = before.at[15 - index];
    }
    if (c->which == whole_Shade_dark) {
        int32_t len = (int32_t)c->is.text.len;
        c->which = whole_Shade_light;
        c->is.number = len;
    } else {
        bool is_long = c->is.number == 7;
        c->which = whole_Shade_dark;
        c->is.text = carnet_text(is_long ? "nine long" : "number");
    }
    if (d->which == -5 && d->is.other) {
        d->which = 3;
        d->is.tables = *a;
    }
}

void whole_Node_relabel(const struct carnet_self *self, int32_t add, const struct carnet_list *a,
                        struct whole_Labelled_list *a_back, const struct carnet_list *b,
                        struct whole_string8_list *b_back, const struct carnet_list *c, struct whole_int32_list *c_back)
{
    static struct whole_Labelled labelled[4];
    static struct carnet_string texts[3];
    static int32_t numbers[4];
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        (void)whole_Labelled_at(a, a->count - 1 - index, &labelled[index]);
        labelled[index].at += add;
    }
    for (index = 0; index < b->count; index++) {
        (void)whole_string8_at(b, b->count - 1 - index, &texts[index]);
    }
    for (index = 0; index < c->count; index++) {
        (void)whole_int32_at(c, index, &numbers[index]);
        numbers[index] += add;
    }
    if (add == 98) {
        texts[0] = carnet_text("nine long");
    }
    a_back->ptr = labelled;
    a_back->count = add == 97 ? 4 : a->count;
    b_back->ptr = texts;
    b_back->count = b->count;
    c_back->ptr = numbers;
    c_back->count = add == 99 ? 4 : c->count;
}

static struct carnet_reference above(struct carnet_reference each, int32_t by)
{
    return node(((const struct tree *)each.object)->level + by);
}

void whole_Node_climb(const struct carnet_self *self, int32_t by, struct carnet_reference *a, void **result,
                      int32_t *level)
{
    (void)self;
    *level = ((const struct tree *)a->object)->level;
    *result = grown(*level - by);
    if (by != 0) {
        *a = above(*a, by);
    }
}

carnet_status whole_Node_relink(const struct carnet_self *self, struct whole_Link *a, const struct carnet_list *b,
                                struct whole_Link_list *b_back, const struct carnet_list *c,
                                struct whole_Node_list *c_back, union whole_Node_relink_raised *raised)
{
    static struct whole_Link links[4];
    static struct carnet_reference nodes[3];
    bool is_left = is_said(a->name, "leave");
    size_t index;
    (void)self;
    if (is_said(a->name, "raise")) {
        raised->Busy.until = 3;
        return CARNET_RAISE(whole_Node_relink_Busy);
    }
    for (index = 0; index < b->count; index++) {
        (void)whole_Link_at(b, b->count - 1 - index, &links[index]);
        links[index].node = is_left ? links[index].node : above(links[index].node, 1);
    }
    for (index = 0; index < c->count; index++) {
        (void)whole_Node_at(c, c->count - 1 - index, &nodes[index]);
        nodes[index] = is_left ? nodes[index] : above(nodes[index], 10);
    }
    b_back->count = b->count;
    if (is_said(a->name, "many") && b->count > 0) {
        b_back->count = 4; /* a list that breaks its bound */
        links[1] = links[2] = links[3] = links[0];
    }
    if (!is_left) {
        a->node = above(a->node, 1);
    }
    b_back->ptr = links;
    c_back->ptr = nodes;
    c_back->count = c->count;
    return CARNET_OK;
}

void whole_Node_released(void *object)
{
    free(object);
}

enum whole_Leaf_Kind whole_Leaf_kind(const struct carnet_self *self, enum whole_Leaf_Kind a, struct carnet_string b)
{
    (void)self;
    return b.len == 0 ? a : whole_Leaf_Kind_brown;
}

void whole_Leaf_released(void *object)
{
    free(object);
}

enum whole_Leaf_Kind whole_Petal_other(const struct carnet_self *self, enum whole_Leaf_Kind a, void *up)
{
    (void)self;
    (void)up;
    return a;
}

void whole_Petal_released(void *object)
{
    free(object);
}

void whole_inner_Deep_turn(const struct carnet_self *self, const struct whole_inner_Pair *a, void *leaf,
                           struct whole_inner_Pair *result)
{
    (void)self;
    (void)leaf;
    *result = *a;
}

void whole_inner_Deep_released(void *object)
{
    (void)object;
}

int32_t whole_Pfs_pfs_open(const struct carnet_self *self, int32_t client, int32_t fobj, int32_t flags, int32_t mode,
                           int32_t *handle)
{
    (void)self;
    *handle = client + fobj;
    return flags + mode;
}

int32_t whole_Pfs_pfs_write(const struct carnet_self *self, int32_t handle, int32_t len,
                            const struct carnet_list *data, int32_t *pos)
{
    (void)self;
    (void)handle;
    (void)len;
    *pos += (int32_t)data->count;
    return 0;
}

int32_t whole_Pfs_pfs_get_direntries(const struct carnet_self *self, int32_t handle, int32_t count, int32_t *pos,
                                     struct whole_int32_list *data)
{
    (void)self;
    (void)handle;
    (void)count;
    (void)pos;
    (void)data;
    return 0;
}

int32_t whole_Pfs_named(const struct carnet_self *self, struct carnet_string name, struct carnet_bytes raw,
                        struct carnet_string *other)
{
    (void)self;
    (void)raw;
    *other = name;
    return 0;
}

void whole_Pfs_released(void *object)
{
    (void)object;
}
