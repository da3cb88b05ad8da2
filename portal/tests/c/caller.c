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
