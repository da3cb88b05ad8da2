/* What the client and the server of `nested.idl` in C have in common: lists out of what came, and packed anew. */
#ifndef STORE_VALUES_H
#define STORE_VALUES_H

#include <stdio.h>
#include <stdlib.h>
#include "nested.h"

#define ROWS_MAX 8
#define POINTS_MAX 8

static inline void check_at(int is_right, const char *what, const char *file, int line)
{
    if (!is_right) {
        fprintf(stderr, "%s:%d: %s (%s)\n", file, line, what, carnet_failure_text);
        exit(1);
    }
}
#define CHECK(condition) check_at(condition, #condition, __FILE__, __LINE__)

/* Room for what is packed: taken from the start by each call. */
static uint64_t room_words[1 << 16];

static inline struct carnet_room new_room(void)
{
    struct carnet_room room = CARNET_ROOM(room_words);
    return room;
}

static inline struct carnet_string text_of(const char *text)
{
    struct carnet_string found = {text, strlen(text)};
    return found;
}

static inline bool is_text(struct carnet_string text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

/* The rows of `list`, the last first. */
static inline bool turn_rows(struct carnet_list *turned, struct carnet_room *room, const struct carnet_list *list)
{
    struct nested_Named rows[ROWS_MAX];
    size_t index;
    for (index = 0; index < list->count; index++) {
        CHECK(nested_Named_at(list, index, &rows[list->count - 1 - index]));
    }
    return nested_Named_pack(turned, room, rows, list->count);
}

/* As turn_rows, of lists of texts, which are turned, too. */
static inline bool turn_words(struct carnet_list *turned, struct carnet_room *room, const struct carnet_list *list)
{
    struct carnet_list lists[ROWS_MAX], inner;
    struct carnet_string texts[ROWS_MAX];
    size_t index, word;
    for (index = 0; index < list->count; index++) {
        CHECK(nested_string8_list3_at(list, index, &inner));
        for (word = 0; word < inner.count; word++) {
            CHECK(nested_string8_at(&inner, word, &texts[inner.count - 1 - word]));
        }
        CHECK(nested_string8_pack(&lists[list->count - 1 - index], room, texts, inner.count));
    }
    return nested_string8_list3_pack(turned, room, lists, list->count);
}

static inline bool turn_longs(struct carnet_list *turned, struct carnet_room *room, const struct carnet_list *list)
{
    int32_t numbers[ROWS_MAX];
    size_t index;
    for (index = 0; index < list->count; index++) {
        CHECK(nested_int32_at(list, index, &numbers[list->count - 1 - index]));
    }
    return nested_int32_pack(turned, room, numbers, list->count);
}

/* As what was asked for by the label: with lists turned, or broken. */
static inline struct nested_Shelf turn_shelf(struct carnet_room *room, const struct nested_Shelf *shelf)
{
    static const struct nested_Point points[POINTS_MAX];
    struct nested_Named rows[ROWS_MAX];
    struct carnet_string texts[ROWS_MAX];
    struct carnet_list inner;
    struct nested_Shelf turned = *shelf;
    memset(rows, 0, sizeof rows);
    memset(texts, 0, sizeof texts);
    turned.stamp = shelf->stamp + 1;
    CHECK(turn_rows(&turned.rows, room, &shelf->rows));
    CHECK(turn_words(&turned.words, room, &shelf->words));
    if (is_text(shelf->label, "rows")) {
        CHECK(nested_Named_pack(&turned.rows, room, rows, 3));
    } else if (is_text(shelf->label, "points")) {
        CHECK(nested_Point_pack(&rows[0].points, room, points, 4));
        CHECK(!nested_Named_pack(&turned.rows, room, rows, 1));
        /* One of other elements, which the stub finds, too. */
        turned.rows = rows[0].points;
    } else if (is_text(shelf->label, "far")) {
        struct nested_Point far = {0, UINT64_MAX};
        CHECK(!nested_Point_pack(&rows[0].points, room, &far, 1));
        CHECK(nested_Named_pack(&turned.rows, room, rows, 3));
    } else if (is_text(shelf->label, "words")) {
        CHECK(nested_string8_pack(&inner, room, texts, 4));
        CHECK(!nested_string8_list3_pack(&turned.words, room, &inner, 1));
        CHECK(nested_string8_pack(&turned.words, room, texts, 4));
    } else if (is_text(shelf->label, "text") || is_text(shelf->label, "nul")) {
        texts[0] = text_of("nine long");
        CHECK(!nested_string8_pack(&inner, room, texts, 1));
        texts[0].ptr = "a\0b";
        texts[0].len = 3;
        CHECK(!nested_string8_pack(&inner, room, texts, 1));
        turned.label = text_of("nine long");
    }
    return turned;
}

static inline struct nested_Grid turn_grid(struct carnet_room *room, const struct nested_Grid *grid)
{
    struct nested_Grid turned = *grid;
    enum nested_Shade shades[ROWS_MAX];
    struct nested_uint8x16 keys[ROWS_MAX];
    size_t index;
    turned.rows.at[0] = grid->rows.at[1];
    turned.rows.at[1] = grid->rows.at[0];
    for (index = 0; index < grid->shades.count; index++) {
        CHECK(nested_Shade_at(&grid->shades, index, &shades[grid->shades.count - 1 - index]));
    }
    for (index = 0; index < grid->keys.count; index++) {
        CHECK(nested_uint8x16_at(&grid->keys, index, &keys[grid->keys.count - 1 - index]));
    }
    CHECK(nested_Shade_pack(&turned.shades, room, shades, grid->shades.count));
    CHECK(nested_uint8x16_pack(&turned.keys, room, keys, grid->keys.count));
    return turned;
}

static inline struct nested_Choice turn_choice(struct carnet_room *room, const struct nested_Choice *choice)
{
    static char reversed[4][8];
    static size_t next;
    static const struct nested_Named rows[3];
    struct nested_Choice turned = *choice;
    size_t index;
    switch (choice->which) {
    case 1:
        CHECK(turn_rows(&turned.is.list, room, &choice->is.list));
        break;
    case 2:
        turned.is.number = -choice->is.number;
        if (choice->is.number == 7) {
            turned.which = 1;
            CHECK(nested_Named_pack(&turned.is.list, room, rows, 3));
        }
        break;
    case 3:
        turned.is.grid = turn_grid(room, &choice->is.grid);
        break;
    case 4:
    case 5:
        CHECK(turn_longs(&turned.is.row, room, &choice->is.row));
        break;
    default:
        next = (next + 1) % 4;
        for (index = 0; index < choice->is.text.len; index++) {
            reversed[next][choice->is.text.len - 1 - index] = choice->is.text.ptr[index];
        }
        turned.is.text.ptr = reversed[next];
        break;
    }
    return turned;
}

#endif
