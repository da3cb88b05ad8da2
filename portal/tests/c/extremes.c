/* Calls the service of extremes.idl at an address with the least and the most of everything; prints what is wrong and fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "extremes.h"
#include "carnet_client.h"

#include <stdio.h>

#define CHECK(condition)                                                                                        \
    do {                                                                                                        \
        if (!(condition)) {                                                                                     \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #condition, carnet_failure_text);           \
            exit(1);                                                                                            \
        }                                                                                                       \
    } while (0)

/* More than a frame holds, and less than a bound; and what goes there and back at once. */
#define TOO_MUCH (4u << 20)
#define MUCH 900000u

static char letters[TOO_MUCH + 1];

static void numbers(struct carnet_portal to)
{
    int8_t a = extremes_A_MIN;
    uint8_t b = extremes_B_MAX, i = extremes_I_MAX;
    int16_t c = extremes_C_MIN;
    uint16_t d = extremes_D_MAX;
    int32_t e = extremes_E_MIN;
    uint32_t f = extremes_F_MAX;
    int64_t g = extremes_G_MIN;
    uint64_t h = INT64_MAX;
    float j = extremes_J_LEAST;
    double k = extremes_K_LEAST;
    enum extremes_Only only = extremes_Only_one;
    CHECK(extremes_H_MAX == UINT64_MAX && extremes_J_MAX == 3.4028234e38f && extremes_K_MAX == 1.7976931348623157e308);
    CHECK(strcmp(extremes_SILENCE, "") == 0 && extremes_G_MAX == INT64_MAX && extremes_A_MAX == 127);
    CHECK(call_extremes_Extremes_numbers(to, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k) == CARNET_OK);
    CHECK(a == INT8_MAX && b == 0 && c == INT16_MAX && d == 0 && e == INT32_MAX && f == 0 && g == INT64_MAX && h == 0 && i == 0);
    CHECK(j == -extremes_J_LEAST && j != 0 && k == -extremes_K_LEAST && k != 0);
    CHECK(call_extremes_Extremes_numbers(to, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k) == CARNET_OK);
    CHECK(a == INT8_MIN && b == UINT8_MAX && c == INT16_MIN && d == UINT16_MAX && e == INT32_MIN && f == UINT32_MAX);
    CHECK(g == INT64_MIN && h == INT64_MAX && i == UINT8_MAX && j == extremes_J_LEAST && k == extremes_K_LEAST);
    h = extremes_H_MAX;
    CHECK(call_extremes_Extremes_numbers(to, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k) == CARNET_BAD_ARGUMENT);
    CHECK(call_extremes_Extremes_only(to, only, &only) == extremes_Only_one && only == extremes_Only_one);
    carnet_failure = CARNET_OK;
    (void)call_extremes_Extremes_only(to, (enum extremes_Only)1, &only);
    CHECK(carnet_failure == CARNET_BAD_ARGUMENT);
}

static void blocks(struct carnet_portal to)
{
    struct extremes_int64x32 half, back;
    struct extremes_int64x64 whole;
    struct extremes_int64x63 last;
    struct extremes_Most most, mosts[5];
    struct extremes_Most_list given = {mosts, 4};
    static struct extremes_Bytes bytes, back_bytes, many[3];
    struct extremes_Bytes_list many_given = {many, 3};
    struct extremes_string1x32 texts, back_texts;
    struct carnet_list list;
    size_t index;
    for (index = 0; index < 64; index++) {
        whole.at[index] = INT64_MIN + (int64_t)index;
        half.at[index % 32] = last.at[index % 63] = (int64_t)index;
        texts.at[index % 32] = carnet_text(index % 2 == 0 ? "" : "\xff");
    }
    most.at = whole;
    CHECK(call_extremes_Extremes_many(to, &half, &back) == CARNET_OK && back.at[0] == half.at[31] && back.at[31] == half.at[0]);
    CHECK(call_extremes_Extremes_same(to, &whole) == CARNET_OK && whole.at[0] == INT64_MAX && whole.at[63] == INT64_MAX - 63);
    CHECK(call_extremes_Extremes_last(to, &last) == last.at[62]);
    CHECK(call_extremes_Extremes_first(to, &most) == CARNET_OK);
    for (index = 0; index < 5; index++) {
        mosts[index] = most;
    }
    CHECK(call_extremes_Extremes_mosts(to, given, &list) == CARNET_OK && list.count == 4);
    CHECK(extremes_Most_at(&list, 3, &most) && most.at.at[63] == INT64_MIN + 63);
    given.count = 5;
    CHECK(call_extremes_Extremes_mosts(to, given, &list) == CARNET_BAD_ARGUMENT && list.count == 0);
    memset(&bytes, 0xfe, sizeof bytes);
    many[2] = bytes;
    CHECK(call_extremes_Extremes_block(to, &bytes, &back_bytes) == CARNET_OK && memcmp(&bytes, &back_bytes, sizeof bytes) == 0);
    CHECK(call_extremes_Extremes_blocks(to, many_given, &list) == CARNET_OK && list.count == 3);
    CHECK(extremes_Bytes_at(&list, 2, &back_bytes) && memcmp(&bytes, &back_bytes, sizeof bytes) == 0);
    CHECK(call_extremes_Extremes_letters(to, &texts, &back_texts) == CARNET_OK);
    CHECK(back_texts.at[0].len == 0 && back_texts.at[31].len == 1 && back_texts.at[31].ptr[0] == '\xff');
    texts.at[31] = carnet_text("ab");
    CHECK(call_extremes_Extremes_letters(to, &texts, &back_texts) == CARNET_BAD_ARGUMENT);
}

static void texts(struct carnet_portal to)
{
    struct carnet_string text = {letters, 1}, back;
    struct carnet_bytes bytes = {letters, 1}, found;
    union extremes_Extremes_made_raised made;
    union extremes_Extremes_raise_raised raised;
    CHECK(call_extremes_Extremes_letter(to, text, &back) == CARNET_OK && back.len == 1 && back.ptr[0] == 'm');
    CHECK(call_extremes_Extremes_piece(to, bytes, &found) == CARNET_OK && found.len == 1);
    text.len = bytes.len = 2;
    CHECK(call_extremes_Extremes_letter(to, text, &back) == CARNET_BAD_ARGUMENT && back.len == 0);
    CHECK(call_extremes_Extremes_piece(to, bytes, &found) == CARNET_BAD_ARGUMENT && found.len == 0);
    text.len = bytes.len = MUCH;
    CHECK(call_extremes_Extremes_text(to, text, &back) == CARNET_OK && back.len == MUCH && memcmp(back.ptr, letters, MUCH) == 0);
    CHECK(call_extremes_Extremes_bytes(to, bytes, &found) == CARNET_OK && found.len == MUCH);
    CHECK(call_extremes_Extremes_count(to, bytes) == MUCH);
    CHECK(call_extremes_Extremes_make(to, MUCH, &found) == INT64_MIN && found.len == MUCH);
    CHECK(memcmp(found.ptr, letters, MUCH) == 0);
    CHECK(call_extremes_Extremes_made(to, MUCH, &back, &made) == CARNET_OK && back.len == MUCH);
    CHECK(call_extremes_Extremes_made(to, -1, &back, &made) == CARNET_RAISE(extremes_Extremes_made_Nothing) && back.len == 0);
    /* Within their bounds, and more than a message holds: an error, and the connection goes on. */
    text.len = bytes.len = TOO_MUCH;
    CHECK(call_extremes_Extremes_text(to, text, &back) == CARNET_BAD_ARGUMENT);
    CHECK(call_extremes_Extremes_bytes(to, bytes, &found) == CARNET_BAD_ARGUMENT);
    carnet_failure = CARNET_OK;
    CHECK(call_extremes_Extremes_count(to, bytes) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    CHECK(call_extremes_Extremes_tell(to, text) == CARNET_BAD_ARGUMENT);
    carnet_failure = CARNET_OK;
    CHECK(call_extremes_Extremes_make(to, TOO_MUCH, &found) == 0 && carnet_failure == CARNET_SERVICE && found.len == 0);
    CHECK(call_extremes_Extremes_made(to, TOO_MUCH, &back, &made) == CARNET_SERVICE && back.len == 0);
    /* And more than their bounds. */
    text.len = bytes.len = TOO_MUCH + 1;
    CHECK(call_extremes_Extremes_text(to, text, &back) == CARNET_BAD_ARGUMENT);
    carnet_failure = CARNET_OK;
    CHECK(call_extremes_Extremes_count(to, bytes) == 0 && carnet_failure == CARNET_BAD_ARGUMENT);
    text.len = MUCH;
    CHECK(call_extremes_Extremes_tell(to, text) == CARNET_OK);
    text.len = 8192;
    CHECK(call_extremes_Extremes_raise(to, text, &raised) == CARNET_RAISE(extremes_Extremes_raise_Much));
    CHECK(raised.Much.text.len == 8192 && memcmp(raised.Much.text.ptr, letters, 8192) == 0);
    text.len = 0;
    CHECK(call_extremes_Extremes_raise(to, text, &raised) == CARNET_RAISE(extremes_Extremes_raise_Nothing));
}

static void lists(struct carnet_portal to)
{
    static int64_t longs[65537];
    static struct carnet_string texts[65537];
    static const bool truths[2] = {true, true};
    struct extremes_int64_list long_list = {longs, 65536};
    struct extremes_string1_list text_list = {texts, 40000};
    struct extremes_bool_list truth_list = {truths, 1};
    struct carnet_string tomes[3];
    struct extremes_string4194304_list tome_list = {tomes, 2};
    struct carnet_string text;
    struct carnet_list list;
    int64_t number;
    bool truth;
    size_t index;
    for (index = 0; index < 65537; index++) {
        longs[index] = INT64_MIN + (int64_t)index;
        texts[index].ptr = letters;
        texts[index].len = index % 2;
    }
    CHECK(call_extremes_Extremes_longs(to, long_list, &list) == CARNET_OK && list.count == 65536);
    CHECK(extremes_int64_at(&list, 65535, &number) && number == longs[65535] && !extremes_int64_at(&list, 65536, &number));
    long_list.count = 65537;
    CHECK(call_extremes_Extremes_longs(to, long_list, &list) == CARNET_BAD_ARGUMENT && list.count == 0);
    CHECK(call_extremes_Extremes_truths(to, truth_list, &list) == CARNET_OK && extremes_bool_at(&list, 0, &truth) && truth);
    truth_list.count = 2;
    CHECK(call_extremes_Extremes_truths(to, truth_list, &list) == CARNET_BAD_ARGUMENT);
    CHECK(call_extremes_Extremes_texts(to, text_list, &list) == CARNET_OK && list.count == 40000);
    CHECK(extremes_string1_at(&list, 39999, &text) && text.len == 1 && extremes_string1_at(&list, 39998, &text) && text.len == 0);
    text_list.count = 65537;
    CHECK(call_extremes_Extremes_texts(to, text_list, &list) == CARNET_BAD_ARGUMENT);
    tomes[0].ptr = tomes[1].ptr = tomes[2].ptr = letters;
    tomes[0].len = tomes[1].len = tomes[2].len = 400000;
    CHECK(call_extremes_Extremes_tomes(to, tome_list, &list) == CARNET_OK && list.count == 2);
    CHECK(extremes_string4194304_at(&list, 1, &text) && text.len == 400000);
    tomes[1].len = TOO_MUCH;
    CHECK(call_extremes_Extremes_tomes(to, tome_list, &list) == CARNET_BAD_ARGUMENT);
    tome_list.count = 3;
    CHECK(call_extremes_Extremes_tomes(to, tome_list, &list) == CARNET_BAD_ARGUMENT);
}

static void unions(struct carnet_portal to)
{
    static struct extremes_Wide wide, wide_back;
    struct extremes_Unsigned one, one_back;
    struct extremes_Small small, small_back;
    struct extremes_Truth truth, truth_back;
    struct extremes_Letter letter, letter_back;
    struct extremes_Alone alone, alone_back;
    wide.which = INT64_MIN;
    wide.is.least = INT64_MIN;
    CHECK(call_extremes_Extremes_wide(to, &wide, &wide_back) == CARNET_OK);
    CHECK(wide_back.which == INT64_MIN && wide_back.is.least == INT64_MIN);
    wide.which = INT64_MAX;
    memset(&wide.is.bytes, 0xfd, sizeof wide.is.bytes);
    CHECK(call_extremes_Extremes_wide(to, &wide, &wide_back) == CARNET_OK && wide_back.which == INT64_MAX);
    CHECK(memcmp(&wide.is.bytes, &wide_back.is.bytes, sizeof wide.is.bytes) == 0);
    memset(&wide, 0, sizeof wide);
    wide.is.other.is_set = true;
    CHECK(call_extremes_Extremes_wide(to, &wide, &wide_back) == CARNET_OK && wide_back.is.other.is_set);
    one.which = UINT32_MAX;
    one.is.most = carnet_text("x");
    CHECK(call_extremes_Extremes_unsigned_(to, &one, &one_back) == CARNET_OK && one_back.which == UINT32_MAX && one_back.is.most.len == 1);
    one.which = 1;
    CHECK(call_extremes_Extremes_unsigned_(to, &one, &one_back) == CARNET_BAD_ARGUMENT);
    small.which = -128;
    small.is.least = true;
    CHECK(call_extremes_Extremes_small(to, &small, &small_back) == CARNET_OK && small_back.which == -128 && small_back.is.least);
    small.which = 127;
    small.is.most = extremes_K_MAX;
    CHECK(call_extremes_Extremes_small(to, &small, &small_back) == CARNET_OK && small_back.is.most == extremes_K_MAX);
    truth.which = false;
    truth.is.no = INT64_MAX;
    CHECK(call_extremes_Extremes_truth(to, &truth, &truth_back) == CARNET_OK && !truth_back.which && truth_back.is.no == INT64_MAX);
    truth.is.no++;
    CHECK(call_extremes_Extremes_truth(to, &truth, &truth_back) == CARNET_BAD_ARGUMENT);
    letter.which = 255;
    letter.is.most = 255;
    CHECK(call_extremes_Extremes_letter_(to, &letter, &letter_back) == CARNET_OK && letter_back.is.most == 255);
    letter.which = 7;
    CHECK(call_extremes_Extremes_letter_(to, &letter, &letter_back) == CARNET_BAD_ARGUMENT);
    alone.which = extremes_Only_one;
    alone.is.piece.ptr = letters;
    alone.is.piece.len = 1;
    CHECK(call_extremes_Extremes_alone(to, &alone, &alone_back) == CARNET_OK && alone_back.is.piece.len == 1);
    alone.is.piece.len = 2;
    CHECK(call_extremes_Extremes_alone(to, &alone, &alone_back) == CARNET_BAD_ARGUMENT);
}

static void objects(struct carnet_portal to)
{
    struct carnet_portal back;
    struct carnet_reference all[256], found;
    struct extremes_Extremes_list given = {all, 255};
    struct carnet_list list;
    size_t index;
    enum extremes_Only only;
    for (index = 0; index < 256; index++) {
        all[index] = carnet_given(to);
    }
    CHECK(call_extremes_Extremes_self(to, to, &back) == CARNET_OK);
    CHECK(call_extremes_Extremes_only(back, extremes_Only_one, &only) == extremes_Only_one);
    CHECK(call_extremes_Extremes_selves(to, given, &list) == CARNET_OK && list.count == 255);
    CHECK(extremes_Extremes_at(&list, 254, &found) && found.portal.channel == to.channel);
    /* A message has no more portals, whatever the bound of its lists. */
    given.count = 256;
    CHECK(call_extremes_Extremes_selves(to, given, &list) == CARNET_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    struct carnet_portal to;
    CHECK(argc == 2);
    memset(letters, 'm', sizeof letters);
    CHECK(carnet_connect(argv[1], &extremes_module, &extremes_Extremes_interface, 30000, &to) == CARNET_OK);
    numbers(to);
    blocks(to);
    texts(to);
    lists(to);
    unions(to);
    objects(to);
    carnet_disconnect(to);
    return 0;
}
