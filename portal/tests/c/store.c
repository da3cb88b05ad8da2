/* The service of nested.idl as nested.rs has it: gives back what it gets, with lists turned round. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CARNET_SERVER
#include "store_values.h"

void *carnet_root(void);

static uint64_t kept_words[1 << 10];
static struct nested_Shelf kept;

void *carnet_root(void)
{
    return &kept;
}

void nested_Store_released(void *object)
{
    (void)object;
}

/* All of it, with what it refers to. */
static void keep(const struct nested_Shelf *shelf)
{
    struct carnet_room room = CARNET_ROOM(kept_words);
    CHECK(nested_Shelf_copy(&kept, &room, shelf));
}

void nested_Store__get_top(const struct carnet_self *self, struct nested_Shelf *result)
{
    (void)self;
    *result = kept;
}

void nested_Store__set_top(const struct carnet_self *self, const struct nested_Shelf *value)
{
    (void)self;
    keep(value);
}

void nested_Store_shelf(const struct carnet_self *self, const struct nested_Shelf *a, struct nested_Shelf *c,
                        struct nested_Shelf *result, struct nested_Shelf *b)
{
    struct carnet_room room = new_room();
    (void)self;
    *b = *c;
    *result = *c = turn_shelf(&room, a);
}

void nested_Store_shelves(const struct carnet_self *self, const struct carnet_list *a, const struct carnet_list *b,
                          struct nested_Shelf_list *b_back, struct nested_Shelf_list *result)
{
    static struct nested_Shelf turned[2][3];
    struct carnet_room room = new_room();
    struct nested_Shelf shelf;
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        CHECK(nested_Shelf_at(a, index, &shelf));
        turned[0][a->count - 1 - index] = turn_shelf(&room, &shelf);
    }
    for (index = 0; index < b->count; index++) {
        CHECK(nested_Shelf_at(b, index, &shelf));
        turned[1][index] = turn_shelf(&room, &shelf);
    }
    result->ptr = turned[0];
    result->count = a->count;
    b_back->ptr = turned[1];
    b_back->count = b->count;
}

void nested_Store_matrix(const struct carnet_self *self, const struct carnet_list *a, const struct carnet_list *b,
                         struct nested_int32_list4_list *b_back, struct nested_int32_list4_list *result,
                         struct nested_string8_list2_list *c)
{
    static struct carnet_list turned[2][3], texts[2];
    static const int32_t zeros[5];
    struct carnet_room room = new_room();
    struct carnet_string two[2];
    struct carnet_list row;
    int32_t first;
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        CHECK(nested_int32_list4_at(a, index, &turned[0][a->count - 1 - index]));
    }
    for (index = 0; index < b->count; index++) {
        CHECK(nested_int32_list4_at(b, index, &row));
        CHECK(turn_longs(&turned[1][index], &room, &row));
        if (index == 0 && row.count == 1 && nested_int32_at(&row, 0, &first) && first == 5) {
            CHECK(nested_int32_pack(&turned[1][0], &room, zeros, 5));
        }
    }
    two[0] = text_of("one");
    two[1] = text_of("eight by");
    memset(texts, 0, sizeof texts);
    CHECK(nested_string8_pack(&texts[1], &room, two, 2));
    result->ptr = turned[0];
    result->count = a->count;
    b_back->ptr = turned[1];
    b_back->count = b->count;
    c->ptr = texts;
    c->count = 2;
}

void nested_Store_grid(const struct carnet_self *self, const struct nested_Grid *a, struct nested_Grid *b,
                       struct nested_Grid *result, struct nested_Grid_list *c)
{
    static struct nested_Grid both[2];
    struct carnet_room room = new_room();
    (void)self;
    both[0] = *a;
    both[1] = *b;
    c->ptr = both;
    c->count = 2;
    *result = turn_grid(&room, a);
    *b = turn_grid(&room, b);
}

void nested_Store_pair(const struct carnet_self *self, const struct nested_int32_list4x2 *a,
                       struct nested_int32_list4x2 *b, struct nested_int32_list4x2 *result,
                       struct nested_int32_list4x2 *c)
{
    (void)self;
    *result = *a;
    *c = *b;
    b->at[0] = c->at[1];
    b->at[1] = c->at[0];
}

void nested_Store_choice(const struct carnet_self *self, const struct nested_Choice *a, struct nested_Choice *b,
                         struct nested_Choice *result)
{
    struct carnet_room room = new_room();
    (void)self;
    *b = turn_choice(&room, b);
    *result = turn_choice(&room, a);
}

void nested_Store_choices(const struct carnet_self *self, const struct carnet_list *a, const struct carnet_list *b,
                          struct nested_Choice_list *b_back, struct nested_Choice_list *result)
{
    static struct nested_Choice made[2][3];
    struct carnet_room room = new_room();
    struct nested_Choice choice;
    size_t index;
    (void)self;
    for (index = 0; index < a->count; index++) {
        CHECK(nested_Choice_at(a, index, &made[0][a->count - 1 - index]));
    }
    for (index = 0; index < b->count; index++) {
        CHECK(nested_Choice_at(b, index, &choice));
        made[1][index] = turn_choice(&room, &choice);
    }
    result->ptr = made[0];
    result->count = a->count;
    b_back->ptr = made[1];
    b_back->count = b->count;
}

void nested_Store_deep(const struct carnet_self *self, const struct nested_Deep *a, const struct carnet_list *b,
                       struct nested_Deep_list *b_back, struct nested_Deep *result)
{
    static struct nested_Deep made[2];
    struct carnet_room room = new_room();
    struct carnet_list planes[2];
    size_t index;
    (void)self;
    *result = *a;
    for (index = 0; index < a->cube.count; index++) {
        CHECK(nested_double_list2_list2_at(&a->cube, index, &planes[a->cube.count - 1 - index]));
    }
    CHECK(nested_double_list2_list2_pack(&result->cube, &room, planes, a->cube.count));
    for (index = 0; index < b->count; index++) {
        CHECK(nested_Deep_at(b, index, &made[b->count - 1 - index]));
    }
    b_back->ptr = made;
    b_back->count = b->count;
}

int64_t nested_Store_sum(const struct carnet_self *self, const struct nested_Unbounded *a, struct nested_Unbounded *b)
{
    static struct carnet_string texts[1 << 16];
    struct carnet_room room = new_room();
    struct nested_Point point;
    int64_t sum = 0;
    size_t index;
    (void)self;
    for (index = 0; index < a->points.count; index++) {
        CHECK(nested_Point_at(&a->points, index, &point));
        sum += point.x;
    }
    for (index = 0; index < a->texts.count; index++) {
        CHECK(nested_string4096_at(&a->texts, index, &texts[a->texts.count - 1 - index]));
    }
    b->points = a->points;
    CHECK(nested_string4096_pack(&b->texts, &room, texts, a->texts.count));
    return sum;
}

carnet_status nested_Store_take(const struct carnet_self *self, const struct nested_Shelf *what,
                                struct nested_Shelf *result, union nested_Store_take_raised *raised)
{
    static const int32_t numbers[5] = {1, 2, 3, 4, 5};
    struct carnet_room room = new_room();
    (void)self;
    if (is_text(what->label, "refuse")) {
        raised->Refused.who = text_of("you");
        raised->Refused.which = what->rows;
        raised->Refused.why.which = 5;
        CHECK(nested_int32_pack(&raised->Refused.why.is.row, &room, numbers, 4));
        return carnet_raise(nested_Store_take_Refused, "refused");
    }
    if (is_text(what->label, "full")) {
        return carnet_raise(nested_Store_take_Full, "full");
    }
    if (is_text(what->label, "broken")) {
        CHECK(nested_int32_pack(&raised->Full.row, &room, numbers, 5));
        return carnet_raise(nested_Store_take_Full, "broken");
    }
    *result = turn_shelf(&room, what);
    return CARNET_OK;
}

carnet_status nested_Store_count(const struct carnet_self *self, const struct carnet_list *what,
                                 struct nested_int32_list *result, union nested_Store_count_raised *raised)
{
    static const int32_t all[4] = {1, -1, INT32_MIN, INT32_MAX};
    static int32_t numbers[4];
    struct carnet_room room = new_room();
    size_t index;
    (void)self;
    if (what->count == 0) {
        CHECK(nested_int32_pack(&raised->Full.row, &room, all, 4));
        return carnet_raise(nested_Store_count_Full, "nothing to count");
    }
    for (index = 0; index < what->count; index++) {
        CHECK(nested_int32_at(what, index, &numbers[index]));
        numbers[index]++;
    }
    result->ptr = numbers;
    result->count = what->count;
    return CARNET_OK;
}

void nested_Store_tell(const struct carnet_self *self, const struct nested_Shelf *a)
{
    (void)self;
    keep(a);
}

int32_t nested_Store_many(const struct carnet_self *self, const struct carnet_list *a)
{
    (void)self;
    return (int32_t)a->count;
}

int32_t nested_Store_beside(const struct carnet_self *self, int32_t a)
{
    (void)self;
    return a + 1;
}
