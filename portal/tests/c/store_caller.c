/* Calls the service of nested.rs, or that of store.c, with lists within other values; prints what is wrong and fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "store_values.h"
#include "carnet_client.h"

/* Whether two lists have the same elements: whoever packs them makes the same bytes of them. */
static bool is_same(const struct carnet_list *one, const struct carnet_list *other, size_t stride)
{
    if (one->count != other->count || one->bytes.len != other->bytes.len) {
        return false;
    }
    return one->count == 0 || memcmp(one->words, other->words, one->count * stride * 8 + one->bytes.len) == 0;
}

static bool is_same_shelf(const struct nested_Shelf *one, const struct nested_Shelf *other)
{
    return one->label.len == other->label.len && memcmp(one->label.ptr, other->label.ptr, one->label.len) == 0 &&
           one->stamp == other->stamp && is_same(&one->rows, &other->rows, 2) && is_same(&one->words, &other->words, 1);
}

static struct nested_Named make_row(struct carnet_room *room, const char *name, size_t points)
{
    struct nested_Point all[POINTS_MAX];
    struct nested_Named row;
    size_t index;
    for (index = 0; index < points; index++) {
        all[index].x = -(int32_t)index;
        all[index].y = (uint64_t)index << 40;
    }
    memset(&row, 0, sizeof row);
    row.name = text_of(name);
    CHECK(nested_Point_pack(&row.points, room, all, points));
    return row;
}

static struct nested_Shelf make_shelf(struct carnet_room *room, const char *label, size_t len)
{
    struct nested_Named rows[2];
    struct carnet_string texts[3];
    struct carnet_list words[2];
    struct nested_Shelf shelf;
    size_t index, two = len < 2 ? len : 2;
    memset(&shelf, 0, sizeof shelf);
    shelf.label = text_of(label);
    shelf.stamp = INT64_MIN;
    texts[0] = text_of("");
    texts[1] = text_of("a");
    texts[2] = text_of("eight by");
    for (index = 0; index < two; index++) {
        rows[index] = make_row(room, index == 0 ? "row" : "full row", len);
        CHECK(nested_string8_pack(&words[index], room, texts, len));
    }
    if (len > 0) {
        /* Without any, a cleared one is as good. */
        CHECK(nested_Named_pack(&shelf.rows, room, rows, two));
        CHECK(nested_string8_list3_pack(&shelf.words, room, words, two));
    }
    return shelf;
}

static void shelves(struct carnet_portal store)
{
    size_t len;
    for (len = 0; len <= 3; len++) {
        struct carnet_room room = new_room();
        struct nested_Shelf a = make_shelf(&room, "a", len), c = make_shelf(&room, "c", 3 - len), before = c;
        struct nested_Shelf turned = turn_shelf(&room, &a), result, b, three[3];
        struct nested_Shelf_list given = {three, len}, both = {three, 3 - len};
        struct carnet_list back, found;
        size_t index;
        CHECK(call_nested_Store_shelf(store, &a, &c, &result, &b) == CARNET_OK);
        CHECK(is_same_shelf(&result, &turned) && is_same_shelf(&b, &before) && is_same_shelf(&c, &turned));
        CHECK(call_nested_Store__set_top(store, &a) == CARNET_OK);
        CHECK(call_nested_Store__get_top(store, &b) == CARNET_OK && is_same_shelf(&a, &b));
        CHECK(call_nested_Store_tell(store, &before) == CARNET_OK);
        CHECK(call_nested_Store__get_top(store, &b) == CARNET_OK && is_same_shelf(&before, &b));
        for (index = 0; index < 3; index++) {
            three[index] = make_shelf(&room, "each", index);
        }
        CHECK(call_nested_Store_shelves(store, given, both, &back, &found) == CARNET_OK);
        CHECK(found.count == len && back.count == 3 - len);
        for (index = 0; index < 3; index++) {
            bool is_back = index < back.count && nested_Shelf_at(&back, index, &b);
            turned = turn_shelf(&room, &three[index]);
            CHECK(is_back == (index < 3 - len) && (!is_back || is_same_shelf(&b, &turned)));
            CHECK(index >= len || nested_Shelf_at(&found, len - 1 - index, &b));
            CHECK(index >= len || is_same_shelf(&b, &turned));
        }
        CHECK(!nested_Shelf_at(&found, len, &b));
    }
}

static void matrix(struct carnet_portal store)
{
    static const int32_t numbers[5] = {1, -2, INT32_MIN, 4, 5};
    struct carnet_room room = new_room();
    struct carnet_list rows[4], back, found, texts, row, turned;
    struct nested_int32_list4_list a = {rows, 3}, b = {rows, 1};
    struct nested_int32_list4x2 pair, both, result, before;
    struct carnet_string text;
    memset(rows, 0, sizeof rows);
    CHECK(nested_int32_pack(&rows[0], &room, numbers, 4) && nested_int32_pack(&rows[2], &room, numbers, 1));
    CHECK(call_nested_Store_matrix(store, a, b, &back, &found, &texts) == CARNET_OK);
    CHECK(found.count == 3 && back.count == 1 && texts.count == 2);
    CHECK(nested_int32_list4_at(&found, 0, &row) && is_same(&row, &rows[2], 1));
    CHECK(nested_int32_list4_at(&found, 1, &row) && row.count == 0);
    CHECK(nested_int32_list4_at(&found, 2, &row) && is_same(&row, &rows[0], 1));
    CHECK(turn_longs(&turned, &room, &rows[0]));
    CHECK(nested_int32_list4_at(&back, 0, &row) && is_same(&row, &turned, 1));
    CHECK(nested_string8_list2_at(&texts, 0, &row) && row.count == 0);
    CHECK(nested_string8_list2_at(&texts, 1, &row) && nested_string8_at(&row, 1, &text) && is_text(text, "eight by"));
    pair.at[0] = rows[0];
    pair.at[1] = rows[1];
    both.at[0] = rows[2];
    both.at[1] = rows[0];
    CHECK(call_nested_Store_pair(store, &pair, &both, &result, &before) == CARNET_OK);
    CHECK(is_same(&result.at[0], &rows[0], 1) && result.at[1].count == 0);
    CHECK(is_same(&before.at[0], &rows[2], 1) && is_same(&both.at[0], &rows[0], 1));
    /* One more than there may be. */
    CHECK(nested_int32_pack(&rows[1], &room, numbers, 5));
    CHECK(call_nested_Store_matrix(store, a, b, &back, &found, &texts) == CARNET_BAD_ARGUMENT);
    a.count = 4;
    memset(&rows[1], 0, sizeof rows[1]);
    CHECK(call_nested_Store_matrix(store, a, b, &back, &found, &texts) == CARNET_BAD_ARGUMENT);
    CHECK(nested_int32_pack(&pair.at[1], &room, numbers, 5));
    CHECK(call_nested_Store_pair(store, &pair, &both, &result, &before) == CARNET_BAD_ARGUMENT);
}

static void unions(struct carnet_portal store)
{
    static const enum nested_Shade shades[3] = {nested_Shade_dark, nested_Shade_light, nested_Shade_light};
    struct carnet_room room = new_room();
    struct nested_uint8x16 keys[2] = {{{1}}, {{2}}};
    struct nested_Named rows[2];
    struct nested_Choice a, b, result, turned;
    struct nested_Grid grid, both, back;
    struct carnet_list grids;
    rows[0] = make_row(&room, "row", 3);
    rows[1] = make_row(&room, "", 0);
    memset(&grid, 0, sizeof grid);
    CHECK(nested_Shade_pack(&grid.shades, &room, shades, 3) && nested_uint8x16_pack(&grid.keys, &room, keys, 2));
    grid.raw.ptr = "raw";
    grid.raw.len = 3;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.which = 1;
    CHECK(nested_Named_pack(&a.is.list, &room, rows, 2));
    b.which = 3;
    b.is.grid = grid;
    CHECK(call_nested_Store_choice(store, &a, &b, &result) == CARNET_OK);
    turned = turn_choice(&room, &a);
    CHECK(result.which == 1 && is_same(&result.is.list, &turned.is.list, 2));
    both = turn_grid(&room, &grid);
    CHECK(b.which == 3 && is_same(&b.is.grid.shades, &both.shades, 1) && is_same(&b.is.grid.keys, &both.keys, 1));
    CHECK(b.is.grid.raw.len == 3 && memcmp(b.is.grid.raw.ptr, "raw", 3) == 0);
    b.which = 7;
    b.is.text = text_of("eight by");
    CHECK(call_nested_Store_choice(store, &a, &b, &result) == CARNET_OK && b.which == 7 && is_text(b.is.text, "yb thgie"));
    b.which = 2;
    b.is.number = 7;
    CHECK(call_nested_Store_choice(store, &a, &b, &result) == CARNET_SERVICE);
    CHECK(nested_Named_pack(&a.is.list, &room, rows, 2));
    both = grid;
    CHECK(call_nested_Store_grid(store, &grid, &both, &back, &grids) == CARNET_OK && grids.count == 2);
    CHECK(nested_Grid_at(&grids, 1, &both) && is_same(&both.keys, &grid.keys, 1) && both.raw.len == 3);
    /* Three rows where two may be; a list of others. */
    rows[1] = rows[0];
    b.is.number = 1;
    a.is.list = rows[0].points;
    CHECK(call_nested_Store_choice(store, &a, &b, &result) == CARNET_BAD_ARGUMENT);
    a.which = 4;
    CHECK(call_nested_Store_choice(store, &a, &b, &result) == CARNET_BAD_ARGUMENT);
}

static void exceptions(struct carnet_portal store)
{
    struct carnet_room room = new_room();
    struct nested_Shelf shelf = make_shelf(&room, "refuse", 2), result;
    union nested_Store_take_raised raised;
    union nested_Store_count_raised alone;
    struct nested_int32_list none = {NULL, 0};
    struct carnet_list counted;
    int32_t number;
    CHECK(call_nested_Store_take(store, &shelf, &result, &raised) == CARNET_RAISE(nested_Store_take_Refused));
    CHECK(is_text(raised.Refused.who, "you") && is_same(&raised.Refused.which, &shelf.rows, 2));
    CHECK(raised.Refused.why.which == 5 && raised.Refused.why.is.row.count == 4);
    CHECK(nested_int32_at(&raised.Refused.why.is.row, 3, &number) && number == 4);
    shelf.label = text_of("full");
    CHECK(call_nested_Store_take(store, &shelf, &result, &raised) == CARNET_RAISE(nested_Store_take_Full));
    CHECK(raised.Full.row.count == 0);
    shelf.label = text_of("broken");
    CHECK(call_nested_Store_take(store, &shelf, &result, &raised) == CARNET_SERVICE);
    CHECK(call_nested_Store_count(store, none, &counted, &alone) == CARNET_RAISE(nested_Store_count_Full));
    CHECK(alone.Full.row.count == 4 && nested_int32_at(&alone.Full.row, 2, &number) && number == INT32_MIN);
}

/* What came is kept beyond the calls behind it, read, and given again. */
static void copies(struct carnet_portal store)
{
    uint64_t words[256], few[2];
    struct carnet_room room = new_room(), into = CARNET_ROOM(words), small = CARNET_ROOM(few);
    struct nested_Shelf a = make_shelf(&room, "a", 3), other = make_shelf(&room, "other", 1), b, c, result, kept;
    struct nested_Shelf turned = turn_shelf(&room, &a), refused = make_shelf(&room, "refuse", 2);
    struct nested_Choice choice, chosen, same;
    struct nested_Refused raised_kept;
    union nested_Store_take_raised raised;
    struct carnet_list rows;
    int32_t number;
    c = a;
    CHECK(call_nested_Store_shelf(store, &a, &c, &result, &b) == CARNET_OK);
    memset(&kept, 0xa5, sizeof kept);
    into.left = nested_Shelf_room(&result) - 1;
    CHECK(!nested_Shelf_copy(&kept, &into, &result) && into.next == words);
    CHECK(kept.stamp == (int64_t)UINT64_C(0xa5a5a5a5a5a5a5a5));
    into.left++;
    CHECK(nested_Shelf_copy(&kept, &into, &result) && into.left == 0);
    into.left = (size_t)(words + 256 - into.next);
    CHECK(carnet_list_copy(&rows, &into, &b.rows) && !carnet_list_copy(&rows, &small, &b.rows));
    c = a;
    CHECK(call_nested_Store_shelf(store, &other, &c, &result, &b) == CARNET_OK && is_text(result.label, "other"));
    CHECK(is_same_shelf(&kept, &turned) && is_same(&rows, &a.rows, 2));
    CHECK(call_nested_Store__set_top(store, &kept) == CARNET_OK);
    CHECK(call_nested_Store__get_top(store, &b) == CARNET_OK && is_same_shelf(&b, &turned));

    memset(&choice, 0, sizeof choice);
    choice.which = 1;
    choice.is.list = a.rows;
    same = choice;
    CHECK(call_nested_Store_choice(store, &choice, &same, &chosen) == CARNET_OK);
    CHECK(nested_Choice_copy(&chosen, &into, &chosen));
    choice.which = 9;
    choice.is.text = text_of("text");
    same = choice;
    CHECK(call_nested_Store_choice(store, &choice, &same, &same) == CARNET_OK);
    CHECK(nested_Choice_copy(&same, &into, &same));
    CHECK(call_nested_Store_take(store, &refused, &result, &raised) == CARNET_RAISE(nested_Store_take_Refused));
    CHECK(nested_Refused_copy(&raised_kept, &into, &raised.Refused));
    CHECK(call_nested_Store__set_top(store, &other) == CARNET_OK);
    CHECK(chosen.which == 1 && is_same(&chosen.is.list, &turned.rows, 2));
    CHECK(same.which == 9 && is_text(same.is.text, "txet"));
    CHECK(is_text(raised_kept.who, "you") && is_same(&raised_kept.which, &refused.rows, 2));
    CHECK(nested_int32_at(&raised_kept.why.is.row, 3, &number) && number == 4);
    /* What has none of it takes no room. */
    memset(&choice, 0, sizeof choice);
    choice.which = 2;
    small.left = 0;
    CHECK(nested_Choice_room(&choice) == 0 && nested_Choice_copy(&same, &small, &choice) && same.which == 2);
}

/* Found before anything is sent, or packed. */
static void faults(struct carnet_portal store)
{
    uint64_t few[7];
    struct carnet_room room = new_room(), small = CARNET_ROOM(few);
    struct nested_Shelf shelf = make_shelf(&room, "a", 1), other;
    struct nested_Named row = make_row(&room, "row", 3), rows[3];
    struct carnet_list list, before;
    struct carnet_string text;
    memset(&before, 0xa5, sizeof before);
    list = before;
    CHECK(!nested_Named_pack(&list, &small, &row, 1) && small.left == 7 && small.next == few);
    CHECK(memcmp(&list, &before, sizeof list) == 0);
    CHECK(!nested_Named_pack(&list, &small, &row, SIZE_MAX / 8) && !nested_Named_pack(&list, &small, &row, 4));
    row.points.count = 0;
    CHECK(nested_Named_pack(&list, &small, &row, 1) && small.left == 3 && list.count == 1);
    text = text_of("nine long");
    CHECK(!nested_string8_pack(&list, &room, &text, 1));
    text.ptr = "a\0b";
    text.len = 3;
    CHECK(!nested_string8_pack(&list, &room, &text, 1));
    rows[0] = rows[1] = rows[2] = row;
    CHECK(nested_Named_pack(&shelf.rows, &room, rows, 3));
    CHECK(call_nested_Store__set_top(store, &shelf) == CARNET_BAD_ARGUMENT);
    CHECK(call_nested_Store_tell(store, &shelf) == CARNET_BAD_ARGUMENT);
    other = shelf;
    CHECK(call_nested_Store_shelf(store, &shelf, &other, &shelf, &shelf) == CARNET_BAD_ARGUMENT);
    shelf = make_shelf(&room, "points", 1);
    CHECK(call_nested_Store_shelf(store, &shelf, &other, &shelf, &shelf) == CARNET_BAD_ARGUMENT);
    other = shelf = make_shelf(&room, "rows", 1);
    CHECK(call_nested_Store_shelf(store, &shelf, &other, &shelf, &shelf) == CARNET_SERVICE);
}

int main(int argc, char **argv)
{
    struct carnet_portal store;
    CHECK(argc == 2);
    CHECK(carnet_connect(argv[1], &nested_module, &nested_Store_interface, 30000, &store) == CARNET_OK);
    shelves(store);
    matrix(store);
    unions(store);
    exceptions(store);
    copies(store);
    faults(store);
    CHECK(call_nested_Store_beside(store, 1) == 2);
    carnet_disconnect(store);
    return 0;
}
