/* A client, or a server's loop, whose messages are frames on a pipe: the loop in Rust is the other end.
 *
 * plain client: calls through standard output and input, and says by its status whether all went well.
 * plain server: serves what comes on standard input until that ends. */
#define CARNET_SERVER
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES (65536 * 2 + CARNET_WORDS_BYTES)

static struct {
    struct carnet_session session;
    uint64_t message[BUFFER_BYTES / 8];
} end;

static void check(int is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "wrong: %s\n", what);
        exit(1);
    }
}

static void put_all(const void *from, size_t len)
{
    const char *at = (const char *)from;
    while (len > 0) {
        ssize_t written = write(1, at, len);
        check(written > 0, "writing");
        at += written;
        len -= (size_t)written;
    }
}

/* Whether there was anything. */
static bool get_all(void *to, size_t len)
{
    char *at = (char *)to;
    bool is_first = true;
    while (len > 0) {
        ssize_t found = read(0, at, len);
        if (found == 0 && is_first) {
            return false;
        }
        check(found > 0, "reading");
        at += found;
        len -= (size_t)found;
        is_first = false;
    }
    return true;
}

/* A frame into the buffer; its length, 0 if there is none any more. */
static size_t get_frame(uint64_t *message)
{
    size_t len;
    if (!get_all(message, CARNET_HEAD_BYTES)) {
        return 0;
    }
    len = message[0] & 0xffffffff;
    check(len >= CARNET_HEAD_BYTES && len <= BUFFER_BYTES, "length");
    check(len == CARNET_HEAD_BYTES || get_all(message + 2, len - CARNET_HEAD_BYTES), "the rest");
    return len;
}

/* Makes a message flat, with its piece, if it has one, behind its words; its length. */
static size_t flatten(uint64_t *message, uint64_t head)
{
    size_t words, at;
    struct carnet_bytes piece;
    head = carnet_far(message, head);
    if (!CARNET_HAS_PIECE(head)) {
        return CARNET_LEN(head);
    }
    words = CARNET_WORDS(head);
    at = CARNET_PIECE_WORD(head);
    piece = CARNET_IS_COPIED(head) ? carnet_copied(message, words, at) : carnet_gathered(message, words);
    memmove(message + 2 + words, piece.ptr, piece.len);
    message[2 + at] = piece.len;
    return CARNET_HEAD_BYTES + words * 8 + piece.len;
}

static struct carnet_answer transport(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    static uint32_t calls;
    uint64_t *message = carnet_message(channel);
    size_t len = flatten(message, head);
    struct carnet_answer answer;
    message[0] = len | (uint64_t)CARNET_KIND_CALL << 32 | CARNET_OP(head) << 48;
    message[1] = target | (uint64_t)++calls << 32;
    put_all(message, len);
    len = get_frame(message);
    check(len > 0 && (message[0] >> 32 & 0xff) == CARNET_KIND_REPLY && (uint32_t)message[1] == calls, "a reply");
    answer.head = CARNET_FLAT(message[0] >> 48, len, 0);
    answer.reply = message;
    return answer;
}

static int client(void)
{
    struct carnet_portal fs = {&end.session.channel, 1};
    static unsigned char data[65536];
    int64_t handle = 0, pos = 7, i;
    struct carnet_bytes bytes = {data, 4096}, found = {NULL, 0};
    struct carnet_string text = {"a name", 6};
    uint8_t c = 0;
    enum plain_Color color;
    carnet_channel_init(&end.session.channel, transport, sizeof end.message);
    data[0] = 1;
    data[4095] = 2;
    for (i = 0; i < 3; i++) {
        check(call_plain_FS_open(fs, i, 2, 3, 4, &handle) == 4 && handle == i + 6, "open");
    }
    check(call_plain_FS_write(fs, 5, 6, bytes, &pos) == 5 + 6 + 1 + 2 && pos == 7 + 4096, "write");
    check(call_plain_FS_get_direntries(fs, 5, 6, &pos, &found) == 6 && pos == 7 + 4096 + 6, "get_direntries");
    check(found.len == 1024 && ((const unsigned char *)found.ptr)[1023] == 255, "entries");
    check(call_plain_Base_twice(fs, -21) == -42, "twice");
    check(call_plain_FS_wide(fs, (uint64_t)INT64_MAX, 0.5) == (uint64_t)INT64_MAX, "wide");
    check(call_plain_FS_mix(fs, plain_Color_dark_green, true, &color, &c) == CARNET_OK, "mix");
    check(color == plain_Color_red && c == 1, "what mix returns");
    check(call_plain_FS_mix(fs, plain_Color_red, false, &color, &c) == CARNET_RAISE(plain_Reason_closed), "raised");
    check(strcmp(carnet_failure_text, "no mixing") == 0, "what it says");
    check(call_plain_FS_rename(fs, text), "rename");
    fs.id = 2;
    carnet_failure = CARNET_OK;
    check(call_plain_Base_twice(fs, 1) == 0 && carnet_failure == CARNET_NO_SUCH_PORTAL, "another object");
    return 0;
}

/* ---- The server ---- */

static unsigned char directory[1024];

int64_t plain_FS_open(const struct carnet_self *self, int64_t client, int64_t fobj, int64_t flags, int64_t mode,
                      int64_t *handle)
{
    (void)self;
    *handle = client + fobj + mode;
    return flags + 1;
}

int64_t plain_FS_write(const struct carnet_self *self, int64_t handle, int64_t len, struct carnet_bytes data,
                       int64_t *pos)
{
    const unsigned char *bytes = (const unsigned char *)data.ptr;
    (void)self;
    *pos += (int64_t)data.len;
    return handle + len + (data.len > 0 ? bytes[0] + bytes[data.len - 1] : 0);
}

int64_t plain_FS_get_direntries(const struct carnet_self *self, int64_t handle, int64_t count, int64_t *pos,
                                struct carnet_bytes *data)
{
    size_t i;
    (void)self;
    for (i = 0; i < sizeof directory; i++) {
        directory[i] = (unsigned char)i;
    }
    data->ptr = directory;
    data->len = sizeof directory;
    *pos += count;
    return handle + 1;
}

carnet_status plain_FS_mix(const struct carnet_self *self, enum plain_Color a, bool b, enum plain_Color *result,
                           uint8_t *c)
{
    (void)self;
    if (!b) {
        return carnet_raise(plain_Reason_closed, "no mixing");
    }
    *result = a == plain_Color_red ? plain_Color_dark_green : plain_Color_red;
    *c = 1;
    return CARNET_OK;
}

uint64_t plain_FS_wide(const struct carnet_self *self, uint64_t a, double b)
{
    (void)self;
    return b < 1.0 ? a : 0;
}

void plain_FS_name(const struct carnet_self *self, int16_t at, struct carnet_string *result)
{
    (void)self;
    result->ptr = "sixteen letters!";
    result->len = (size_t)at;
}

bool plain_FS_rename(const struct carnet_self *self, struct carnet_string to)
{
    (void)self;
    return to.len > 0;
}

carnet_status plain_FS_put(const struct carnet_self *self, struct carnet_bytes data)
{
    (void)self;
    return data.len > 7 ? carnet_raise(plain_Reason_closed, "full") : CARNET_OK;
}

void plain_FS_get(const struct carnet_self *self, struct carnet_bytes *channel)
{
    (void)self;
    channel->ptr = directory;
    channel->len = 8;
}

void plain_FS_same(const struct carnet_self *self, void *other, void **result)
{
    (void)self;
    *result = other;
}

void plain_FS_turn(const struct carnet_self *self, struct carnet_bytes data, struct carnet_bytes *result)
{
    (void)self;
    *result = data;
}

int32_t plain_FS_three(const struct carnet_self *self, int32_t a, int32_t *b, int32_t *c)
{
    (void)self;
    *b = a;
    *c = a;
    return a;
}

int32_t plain_Base_twice(const struct carnet_self *self, int32_t a)
{
    (void)self;
    return (int32_t)((uint32_t)a * 2);
}

void plain_Base_nothing(const struct carnet_self *self)
{
    (void)self;
}

void plain_FS_released(void *object)
{
    (void)object;
}

void plain_Base_released(void *object)
{
    (void)object;
}

static int server(void)
{
    struct carnet_channel *channel = &end.session.channel;
    uint64_t *message = carnet_message(channel);
    size_t len;
    carnet_channel_init(channel, NULL, sizeof end.message);
    check(carnet_session_init(&end.session, &end, plain_FS_service()), "a session");
    while ((len = get_frame(message)) > 0) {
        uint64_t first = message[0], second = message[1], raised;
        struct carnet_answer answer =
            carnet_dispatch(channel, (uint32_t)second, CARNET_FLAT(first >> 48, len, first >> 40 & 0xff));
        len = flatten(answer.reply, answer.head);
        raised = CARNET_OP(answer.head) == 0 ? 0 : answer.reply[1] & 0xffff00000000u;
        answer.reply[0] = len | (uint64_t)CARNET_KIND_REPLY << 32 | CARNET_OP(answer.head) << 48;
        answer.reply[1] = second >> 32 | raised;
        put_all(answer.reply, len);
    }
    return 0;
}

int main(int argc, char **argv)
{
    check(argc == 2, "usage");
    return strcmp(argv[1], "client") == 0 ? client() : server();
}
