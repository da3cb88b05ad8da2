/* A notice board: the functions of board.idl. The main loop is carnet_main.c. */
#define CARNET_SERVER
#include "board.h"

#define NOTES_MAX 100

struct note {
    char text[4096];
    size_t len;
    int64_t number;
};

static struct note notes[NOTES_MAX];
static size_t count;

void *carnet_root(void);

/* The root object: whatever the server wants to find again in `self->object`. */
void *carnet_root(void)
{
    return notes;
}

static void set_text(struct note *note, struct carnet_string text)
{
    memcpy(note->text, text.ptr, text.len);
    note->len = text.len;
}

carnet_status board_Board_put(const struct carnet_self *self, struct carnet_string text, void **result)
{
    (void)self;
    if (count == NOTES_MAX) {
        return carnet_raise(board_Reason_full, "the board is full");
    }
    set_text(&notes[count], text);
    *result = &notes[count++];
    return CARNET_OK;
}

carnet_status board_Board_find(const struct carnet_self *self, uint16_t number, void **result)
{
    (void)self;
    if (number >= count) {
        return carnet_raise(board_Reason_nothing_there, "there is no such note");
    }
    *result = &notes[number];
    return CARNET_OK;
}

int32_t board_Board_notes(const struct carnet_self *self)
{
    (void)self;
    return (int32_t)count;
}

void board_Board_echo(const struct carnet_self *self, struct carnet_bytes bytes, struct carnet_bytes *result)
{
    (void)self;
    *result = bytes;
}

int32_t board_Board_user(const struct carnet_self *self)
{
    return (int32_t)self->caller.user;
}

carnet_status board_Board_is_longer(const struct carnet_self *self, void *one, void *other, bool *result)
{
    (void)self;
    *result = ((const struct note *)one)->len > ((const struct note *)other)->len;
    return CARNET_OK;
}

carnet_status board_Note_text(const struct carnet_self *self, struct carnet_string *result)
{
    const struct note *note = (const struct note *)self->object;
    result->ptr = note->text;
    result->len = note->len;
    return CARNET_OK;
}

carnet_status board_Note_replace(const struct carnet_self *self, struct carnet_string text, int32_t *was_bytes,
                                 bool *was_empty)
{
    struct note *note = (struct note *)self->object;
    *was_bytes = (int32_t)note->len;
    *was_empty = note->len == 0;
    set_text(note, text);
    return CARNET_OK;
}

int64_t board_Note_add(const struct carnet_self *self, int64_t *number)
{
    struct note *note = (struct note *)self->object;
    int64_t before = note->number;
    note->number += *number;
    *number = before;
    return note->number;
}

void board_Board_released(void *object)
{
    (void)object;
}

void board_Note_released(void *object)
{
    (void)object; /* notes stay on the board */
}
