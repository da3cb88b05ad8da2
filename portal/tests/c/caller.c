/* Calls the service of whole.rs, or that of tree.c, as whole.rs does; prints what is wrong and fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "whole.h"
#include "carnet_client.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                        \
    do {                                                                                                        \
        if (!(condition)) {                                                                                     \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #condition, carnet_failure_text);           \
            exit(1);                                                                                            \
        }                                                                                                       \
    } while (0)

static bool is_text(struct carnet_string text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

static struct whole_Tables tables(const char *name)
{
    struct whole_Tables made = {
        {{-1, 0, 1}}, {{{{1, 2, 3}}, {{4, 5, INT32_MIN}}}}, {"0123456789abcde"}, {{{NULL, 0}, {NULL, 0}}},
    };
    made.names.at[0] = carnet_text(name);
    return made;
}

static void values(struct carnet_portal leaf)
{
    struct whole_Numbers a = {-128, 255, INT16_MIN, UINT16_MAX, INT32_MIN, UINT32_MAX, INT64_MIN, INT64_MAX, 255, 1.5f, -0.25};
    struct whole_Numbers b = a, before;
    struct whole_Tables in = tables("name"), out;
    struct whole_int32x3 row;
    struct whole_int32x3x2 table = {{{{1, 2, 3}}, {{4, 5, 6}}}};
    struct whole_uint8x16 key = {{7}}, keys[5] = {{{1}}, {{2}}}, found;
    struct whole_uint8x16_list given = {keys, 2};
    struct whole_double_list reals = {NULL, 3};
    struct carnet_list list;
    struct carnet_bytes none = {NULL, 0}, letters = {"\0z", 2};
    static const double three[] = {1e300, 5e-324, -0.5};
    double real;
    float c;
    b.a = -1;
    CHECK(call_whole_Node_numbers(leaf, &a, &b, &before, &c) == CARNET_OK);
    CHECK(before.a == -1 && b.a == -128 && c == 3 && before.h == INT64_MAX && before.k == -0.25 && before.j == 1.5f);
    CHECK(before.c == INT16_MIN && before.e == INT32_MIN && before.f == UINT32_MAX && before.i == 255);
    a.h = (uint64_t)1 << 63;
    CHECK(call_whole_Node_numbers(leaf, &a, &b, &before, &c) == CARNET_BAD_ARGUMENT);
    CHECK(call_whole_Node_tables(leaf, &in, &table, &out, &row) == CARNET_OK);
    CHECK(is_text(out.names.at[1], "name") && out.names.at[0].len == 0 && row.at[2] == INT32_MIN);
    CHECK(table.at[0].at[0] == 4 && table.at[1].at[2] == 3 && memcmp(out.key.at, in.key.at, 16) == 0);
    in = tables("too long!");
    CHECK(call_whole_Node_tables(leaf, &in, &table, &out, &row) == CARNET_BAD_ARGUMENT);
    in = tables("long");
    CHECK(call_whole_Node_tables(leaf, &in, &table, &out, &row) == CARNET_SERVICE);
    CHECK(call_whole_Node_key(leaf, &key, given, &found, &list) == CARNET_OK && found.at[0] == 7 && list.count == 2);
    CHECK(whole_uint8x16_at(&list, 0, &found) && found.at[0] == 2 && !whole_uint8x16_at(&list, 2, &found));
    given.count = 5;
    CHECK(call_whole_Node_key(leaf, &key, given, &found, &list) == CARNET_BAD_ARGUMENT);
    reals.ptr = three;
    CHECK(call_whole_Node_reals(leaf, reals, &list) == CARNET_OK && whole_double_at(&list, 1, &real) && real == 5e-324);
    CHECK(call_whole_Node_letter(leaf, 'a', none) == 'a' && call_whole_Node_letter(leaf, 'a', letters) == 0);
    CHECK(whole_MARK == 'A' && whole_PI > 3.13 && whole_HALF == .5f && whole_USUAL == whole_Shade_dark);
    CHECK(strcmp(whole_GREETING, "good \"day\", two\tparts") == 0 && whole_MOST == UINT64_MAX);
}

static void unions(struct carnet_portal leaf)
{
    struct whole_Value value, value_back;
    struct whole_Many many[3], back;
    struct whole_Many_list given = {many, 3};
    struct whole_Labelled labelled[2];
    struct whole_Labelled_list labels = {labelled, 2};
    struct whole_Labelled label;
    struct carnet_list list;
    memset(many, 0, sizeof many);
    value.which = whole_Shade_dark;
    value.is.text = carnet_text("eight by");
    many[0].which = -5;
    many[0].is.other = true;
    CHECK(call_whole_Node_value(leaf, &value, &many[0], &value_back, &back) == CARNET_OK);
    CHECK(value_back.which == whole_Shade_dark && is_text(value_back.is.text, "eight by"));
    CHECK(back.which == -5 && back.is.other);
    many[0].which = 2;
    many[0].is.real = .5;
    many[1].which = 3;
    many[1].is.tables = tables("in a");
    many[2].which = -4;
    memset(many[2].is.key.at, 9, 16);
    CHECK(call_whole_Node_manies(leaf, given, &list) == CARNET_OK && list.count == 3);
    CHECK(whole_Many_at(&list, 0, &back) && back.which == -4 && back.is.key.at[15] == 9);
    CHECK(whole_Many_at(&list, 1, &back) && back.which == 3 && is_text(back.is.tables.names.at[0], "in a"));
    CHECK(back.is.tables.table.at[1].at[2] == INT32_MIN && back.is.tables.triple.at[0] == -1);
    CHECK(whole_Many_at(&list, 2, &back) && back.which == 2 && back.is.real == .5);
    labelled[0].value = value;
    labelled[0].at = 1;
    labelled[1].value.which = whole_Shade_light;
    labelled[1].value.is.number = -3;
    labelled[1].at = 2;
    CHECK(call_whole_Node_labelled(leaf, labels, &list) == CARNET_OK && whole_Labelled_at(&list, 0, &label));
    CHECK(label.at == 2 && label.value.is.number == -3);
    CHECK(whole_Labelled_at(&list, 1, &label) && is_text(label.value.is.text, "eight by"));
    value.which = (enum whole_Shade)2;
    CHECK(call_whole_Node_value(leaf, &value, &many[0], &value_back, &back) == CARNET_BAD_ARGUMENT);
    value.which = whole_Shade_dark;
    value.is.text.ptr = "a\0b";
    value.is.text.len = 3;
    CHECK(call_whole_Node_value(leaf, &value, &many[0], &value_back, &back) == CARNET_BAD_ARGUMENT);
    CHECK(strcmp(carnet_failure_text, "Node.value: an argument is wrong") == 0); /* not the server's words */
}

static void references(struct carnet_portal leaf)
{
    struct whole_Link link = {carnet_given(leaf), {"a", 1}}, back, links[4];
    struct whole_Link_list given = {links, 2};
    struct carnet_reference three[3], found;
    struct whole_Node_list nodes = {three, 3};
    struct carnet_list list;
    struct carnet_portal other = {NULL, 1};
    call_whole_Node__set_level(leaf, 5);
    CHECK(call_whole_Node_link(leaf, &link, &back) == CARNET_OK && is_text(back.name, "a"));
    CHECK(call_whole_Node__get_level(back.node.portal) == 6);
    links[0] = links[1] = links[2] = links[3] = link;
    CHECK(call_whole_Node_links(leaf, given, &list) == CARNET_OK && list.count == 2 && whole_Link_at(&list, 1, &back));
    CHECK(call_whole_Node__get_level(back.node.portal) == 6);
    given.count = 4;
    CHECK(call_whole_Node_links(leaf, given, &list) == CARNET_BAD_ARGUMENT);
    given.count = 1;
    links[0].name = carnet_text("many");
    CHECK(call_whole_Node_links(leaf, given, &list) == CARNET_SERVICE);
    three[0] = three[2] = carnet_given(leaf);
    three[1] = back.node;
    CHECK(call_whole_Node_nodes(leaf, nodes, &list) == CARNET_OK && whole_Node_at(&list, 1, &found));
    CHECK(call_whole_Node__get_level(found.portal) == 16);
    /* What comes back is a leaf, too, though only a node was promised. */
    CHECK(call_whole_Leaf_kind(found.portal, whole_Leaf_Kind_green, carnet_text("x")) == whole_Leaf_Kind_brown);
    carnet_release(found.portal);
    CHECK(call_whole_Node__get_level(found.portal) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL);
    three[1] = carnet_given(other);
    CHECK(call_whole_Node_nodes(leaf, nodes, &list) == CARNET_BAD_ARGUMENT);
}

/* What is lent by a call is copied before it is given to the next. */
static struct carnet_string kept(struct carnet_string text)
{
    static char letters[16];
    CHECK(text.len < sizeof letters);
    memcpy(letters, text.ptr, text.len);
    text.ptr = letters;
    return text;
}

static void both_ways(struct carnet_portal leaf)
{
    static uint8_t many[2001];
    struct carnet_string a = carnet_text("before"), result, texts[4] = {{"one", 3}, {NULL, 0}, {"three", 5}, {NULL, 0}}, text;
    struct carnet_bytes b = {many, 2000};
    struct whole_Tables in = tables("name");
    struct whole_uint8x16 key = {"0123456789abcde"};
    struct whole_Value value;
    struct whole_Many other;
    struct whole_Labelled labelled[2], label;
    struct whole_Labelled_list labels = {labelled, 2};
    struct whole_string8_list words = {texts, 3};
    static const int32_t three[] = {1, -1, 5};
    struct whole_int32_list numbers = {three, 3};
    struct carnet_list labels_back, words_back, numbers_back;
    int32_t number;
    size_t index;
    for (index = 0; index < sizeof many; index++) {
        many[index] = (uint8_t)(index % 251);
    }
    CHECK(call_whole_Node_turn(leaf, carnet_text("after"), &a, &b, &result) == CARNET_OK);
    CHECK(is_text(result, "before") && is_text(a, "after") && b.len == 2000);
    for (index = 0; index < b.len; index++) {
        CHECK(((const uint8_t *)b.ptr)[index] == many[1999 - index]);
    }
    a = kept(a);
    b.len = 0;
    CHECK(call_whole_Node_turn(leaf, carnet_text(""), &a, &b, &result) == CARNET_OK);
    CHECK(is_text(result, "after") && a.len == 0 && b.len == 0);
    a = carnet_text("left");
    b.ptr = many;
    b.len = 3;
    CHECK(call_whole_Node_turn(leaf, carnet_text("leave"), &a, &b, &result) == CARNET_OK && is_text(a, "left"));
    CHECK(b.len == 3 && memcmp(b.ptr, many, 3) == 0);
    /* A call that fails changes nothing. */
    a = carnet_text("left");
    b.ptr = many;
    CHECK(call_whole_Node_turn(leaf, carnet_text("raise"), &a, &b, &result) == CARNET_RAISE(whole_Shade_dark));
    CHECK(is_text(a, "left") && b.ptr == many && b.len == 3 && result.len == 0);
    CHECK(call_whole_Node_turn(leaf, carnet_text("long"), &a, &b, &result) == CARNET_SERVICE && is_text(a, "left"));
    CHECK(call_whole_Node_turn(leaf, carnet_text("longer"), &a, &b, &result) == CARNET_SERVICE && b.len == 3);
    b.len = 2001;
    CHECK(call_whole_Node_turn(leaf, carnet_text(""), &a, &b, &result) == CARNET_BAD_ARGUMENT && b.ptr == many);
    a = carnet_text("too long!");
    b.len = 0;
    CHECK(call_whole_Node_turn(leaf, carnet_text(""), &a, &b, &result) == CARNET_BAD_ARGUMENT);

    value.which = whole_Shade_light;
    value.is.number = 1;
    memset(&other, 0, sizeof other);
    other.which = -5;
    other.is.other = true;
    CHECK(call_whole_Node_reshape(leaf, &in, &key, &value, &other) == CARNET_OK);
    CHECK(is_text(in.names.at[1], "name") && in.names.at[0].len == 0 && in.triple.at[0] == 9 && in.triple.at[2] == 1);
    CHECK(key.at[1] == 'e' && key.at[15] == '0' && value.which == whole_Shade_dark && is_text(value.is.text, "number"));
    CHECK(other.which == 3 && is_text(other.is.tables.names.at[1], "name"));
    in = tables("too long!");
    CHECK(call_whole_Node_reshape(leaf, &in, &key, &value, &other) == CARNET_BAD_ARGUMENT);
    in = tables("");
    value.which = whole_Shade_light;
    value.is.number = 7;
    other.which = -4;
    CHECK(call_whole_Node_reshape(leaf, &in, &key, &value, &other) == CARNET_SERVICE && value.is.number == 7);

    labelled[0].value = value;
    labelled[0].at = 1;
    labelled[1].value.which = whole_Shade_dark;
    labelled[1].value.is.text = carnet_text("eight by");
    labelled[1].at = 2;
    CHECK(call_whole_Node_relabel(leaf, 10, labels, &labels_back, words, &words_back, numbers, &numbers_back) == CARNET_OK);
    CHECK(labels_back.count == 2 && whole_Labelled_at(&labels_back, 0, &label) && label.at == 12);
    CHECK(is_text(label.value.is.text, "eight by") && whole_Labelled_at(&labels_back, 1, &label) && label.at == 11);
    CHECK(words_back.count == 3 && whole_string8_at(&words_back, 0, &text) && is_text(text, "three"));
    CHECK(numbers_back.count == 3 && whole_int32_at(&numbers_back, 1, &number) && number == 9);
    CHECK(call_whole_Node_relabel(leaf, 99, labels, &labels_back, words, &words_back, numbers, &numbers_back) == CARNET_SERVICE);
    CHECK(labels_back.count == 0 && numbers_back.count == 0);
    words.count = 4;
    CHECK(call_whole_Node_relabel(leaf, 1, labels, &labels_back, words, &words_back, numbers, &numbers_back) == CARNET_BAD_ARGUMENT);
}

static void references_both_ways(struct carnet_portal leaf)
{
    struct carnet_portal at = leaf, before, below, other = {NULL, 1};
    struct whole_Link link = {carnet_given(leaf), {"a", 1}}, links[4], back;
    struct whole_Link_list given = {links, 2};
    struct carnet_reference three[3], found;
    struct whole_Node_list nodes = {three, 3};
    struct carnet_list links_back, nodes_back;
    union whole_Node_relink_raised raised;
    int32_t level;
    call_whole_Node__set_level(leaf, 5);
    CHECK(call_whole_Node_climb(leaf, 2, &at, &below, &level) == CARNET_OK && level == 5 && at.id != leaf.id);
    CHECK(call_whole_Node__get_level(at) == 7 && call_whole_Node__get_level(below) == 3);
    carnet_release(below);
    /* What stays is the same object, for which there is one portal more. */
    before = at;
    CHECK(call_whole_Node_climb(leaf, 0, &at, &below, &level) == CARNET_OK && level == 7);
    call_whole_Node__set_level(before, 70);
    CHECK(call_whole_Node__get_level(at) == 70);
    carnet_release(before);
    CHECK(call_whole_Node__get_level(at) == 70);
    links[0] = links[1] = links[2] = links[3] = link;
    links[1].node = carnet_given(at);
    three[0] = three[2] = carnet_given(leaf);
    three[1] = links[1].node;
    CHECK(call_whole_Node_relink(leaf, &link, given, &links_back, nodes, &nodes_back, &raised) == CARNET_OK);
    CHECK(links_back.count == 2 && whole_Link_at(&links_back, 0, &back) && whole_Node_at(&nodes_back, 1, &found));
    /* A call more, and what the lists held is gone; the portals are not. */
    CHECK(call_whole_Node__get_level(back.node.portal) == 71 && call_whole_Node__get_level(found.portal) == 80);
    CHECK(call_whole_Node__get_level(link.node.portal) == 6);
    link.name = carnet_text("leave");
    CHECK(call_whole_Node_relink(leaf, &link, given, &links_back, nodes, &nodes_back, &raised) == CARNET_OK);
    CHECK(call_whole_Node__get_level(link.node.portal) == 6);
    link.name = carnet_text("raise");
    CHECK(call_whole_Node_relink(leaf, &link, given, &links_back, nodes, &nodes_back, &raised) ==
          CARNET_RAISE(whole_Node_relink_Busy));
    CHECK(raised.Busy.until == 3 && links_back.count == 0 && nodes_back.count == 0 && is_text(link.name, "raise"));
    link.name = carnet_text("many");
    given.count = 1;
    CHECK(call_whole_Node_relink(leaf, &link, given, &links_back, nodes, &nodes_back, &raised) == CARNET_SERVICE);
    given.count = 4;
    CHECK(call_whole_Node_relink(leaf, &link, given, &links_back, nodes, &nodes_back, &raised) == CARNET_BAD_ARGUMENT);
    CHECK(call_whole_Node_climb(leaf, 1, &other, &below, &level) == CARNET_BAD_ARGUMENT && other.id == 1);
}

static void exceptions(struct carnet_portal leaf)
{
    union whole_Node_fail_raised raised;
    union whole_Node_fail_alone_raised alone;
    struct carnet_string name;
    CHECK(call_whole_Node_fail(leaf, 0, &raised) == CARNET_OK);
    CHECK(call_whole_Node_fail(leaf, 1, &raised) == CARNET_RAISE(whole_Node_fail_Busy) && raised.Busy.until == -7);
    CHECK(call_whole_Node_fail(leaf, 2, &raised) == CARNET_RAISE(whole_Node_fail_Denied));
    CHECK(is_text(raised.Denied.who, "you") && is_text(raised.Denied.why.is.text, "no"));
    CHECK(call_whole_Node_fail(leaf, 3, &raised) == CARNET_RAISE(whole_Node_fail_Empty));
    CHECK(call_whole_Node_fail(leaf, 4, &raised) == CARNET_RAISE(whole_Node_fail_Plain));
    CHECK(raised.Plain.kind == whole_Shade_dark && is_text(raised.Plain.message, "a plain one, which i"));
    CHECK(call_whole_Node_fail(leaf, 5, &raised) == CARNET_SERVICE);
    CHECK(call_whole_Node_fail_alone(leaf, &alone) == CARNET_RAISE(whole_Node_fail_alone_Busy));
    CHECK(alone.Busy.until == INT64_MAX);
    call_whole_Node__set_level(leaf, 13);
    CHECK(call_whole_Node__get_name(leaf, &name) == CARNET_RAISE(whole_Shade_dark));
    CHECK(strcmp(carnet_failure_text, "no name") == 0);
    call_whole_Node__set_level(leaf, 0);
    CHECK(call_whole_Node__get_name(leaf, &name) == CARNET_OK && is_text(name, "tree"));
}

/* More of them than may be outstanding; a call behind them finds them all done. */
static void oneway(struct carnet_portal leaf)
{
    int index;
    for (index = 0; index < 1000; index++) {
        CHECK(call_whole_Node_tell(leaf, 1, carnet_text("text")) == CARNET_OK);
    }
    CHECK(call_whole_Node_tell(leaf, 1, carnet_text("more than eight")) == CARNET_BAD_ARGUMENT);
    call_whole_Node__set_level(leaf, 3);
    CHECK(call_whole_Node__get_level(leaf) == 3);
}

int main(int argc, char **argv)
{
    struct carnet_portal leaf;
    CHECK(argc == 2);
    CHECK(carnet_connect(argv[1], &whole_module, &whole_Leaf_interface, 30000, &leaf) == CARNET_OK);
    values(leaf);
    unions(leaf);
    references(leaf);
    both_ways(leaf);
    references_both_ways(leaf);
    exceptions(leaf);
    oneway(leaf);
    carnet_disconnect(leaf);
    /* Who knows only what it inherits from. */
    CHECK(carnet_connect(argv[1], &whole_module, &whole_Node_interface, 30000, &leaf) == CARNET_OK);
    call_whole_Node__set_level(leaf, 4);
    CHECK(call_whole_Node__get_level(leaf) == 4);
    carnet_disconnect(leaf);
    return 0;
}
