/* carnet.h: what generated stubs need, on both sides of a call.
 *
 * It sends nothing: carnet_client.h and carnet_server.h do that, through a Unix socket. It is C11 and C++17, takes no
 * memory and starts no threads. The message format is that of `portal/src/wire.rs`.
 *
 * A message is the callee's argument block. Request and reply share one buffer: the request is a prefix, the reply a
 * suffix, so that nothing is moved and no input that is still needed is overwritten.
 *
 *     word  0       2              2+ins          2+ins+inouts
 *           +-------+--------------+--------------+
 *   request | head  | in           | inout        | portal ids, data
 *           +-------+--------------+--------------+------------+
 *   reply                  | head  | inout        | out        | portal ids, data
 *                          +-------+--------------+------------+
 *                          ins
 *
 * Between stub and transport the first word of a head travels in a register, packed so that the heads of all small
 * messages are constants of 31 bits: one instruction makes one, one compares it.
 *
 *   bit 0 .. 14   operation; of a reply the status, 0 for success
 *   bit 15        0: flat                          1: one piece of data
 *   bit 16 .. 40  bytes of the message             bit 16 .. 22  words behind the head
 *   bit 41 .. 48  number of portal ids             bit 23        0: gathered, 1: copied
 *   bit 63        1: long data lie elsewhere       bit 24 .. 30  the word that refers to the piece
 *
 * A message of up to six words, of which some are signed integers of 32 bits, and that has no portals, is a *near* one as
 * long as it stays in its address space: of such a word only the lower half means something, so that nobody extends a sign
 * and nobody has to look whether that was done. Its head has bit 15, and says which words these are:
 *
 *   bit 0 .. 14   operation or status              bit 23        as above
 *   bit 15        1                                bit 24 .. 29  for each word, whether half of it counts
 *   bit 16 .. 18  words behind the head            bit 30        1: near
 *   bit 19 .. 21  the word that refers to the piece, 7 if there is none
 *
 * A transport that sends to another address space makes it far first (carnet_far): what is in the other halves never
 * leaves. One that receives makes no near heads, and servers hold each word of what is far against its type.
 *
 * A gathered message does not hold its piece: behind its words stand address and length, and the transport fetches it,
 * or, within one address space, the callee uses it where it lies. A copied one has it behind its words; its length is
 * that of the word that refers to it. A transport that receives from another address space makes only flat heads.
 *
 * The block that a server's stub works on must not change under it: a transport over shared memory copies the words
 * (not the data) first. Scalars are fetched from it once nevertheless, before they are checked.
 *
 * A short call, of six words at most, needs no message if its object is of the same process. It is a register message:
 * four of its values are arguments of a function, and the rest stands in the first cache line of the channel.
 *
 *           0             24     32      36       40                        64
 *           +-------------+------+-------+--------+------------------------+
 *   channel | self        | pass | shape | status | line: values 5, 6, 7   |
 *           +-------------+------+-------+--------+------------------------+
 *
 * An operation whose result is an integer of 32 bits has a function of its own beside `pass`, `pass_half`, whose result is
 * as long: so that the server's stub can end in a jump, too.
 *
 * An in is one value, a string or bytes that go in are two (address, length), and what comes back is the address of its
 * place; a result that the function returns is none. The shape says which operation that is, and what the values are: an
 * object is called only with addresses of what it takes them for, whatever its caller thinks that it is.
 *
 *   bit 0 .. 7   operation                1  in: a word      5 .. 9    inout: the place of a boolean, 1, 2, 4, 8 bytes
 *   bit 8 .. 31  the parameters: for      2  in: a string    10 .. 14  out: the same
 *                each, 16 times what is   3  in: bytes       15        out: the place of a string
 *                before it and its kind   4  in: 32 bits     16        out: the place of bytes
 *
 * An integer of 32 bits is the lower half of its value. The upper half means nothing: it is whatever the register holds.
 *
 * The caller clears the places of outs. The status is 0 before each call and after; if the call failed, whoever found
 * that out changes it and clears the places again, and the caller's stub takes it. A channel that leads elsewhere takes the
 * values out of the registers, and the caller's stub makes a message of them.
 */
#ifndef CARNET_H
#define CARNET_H

#include "carnet_gather.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "messages are little-endian, and this processor is not"
#endif

#ifdef __cplusplus
#define CARNET_ALIGNED alignas(64)
extern "C" {
#else
#define CARNET_ALIGNED _Alignas(64)
#endif

#define CARNET_LIKELY(x) __builtin_expect(!!(x), 1)
#define CARNET_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Stubs gather unless CARNET_COPY is defined, and expect it of the other end; all forms are understood by all. */
#ifndef CARNET_COPY
#define CARNET_KEPT_IF_COPIED
#define CARNET_ANEW_IF_COPIED(pointer) ((void)(pointer))
#else
#define CARNET_KEPT_IF_COPIED CARNET_KEPT
#define CARNET_ANEW_IF_COPIED(pointer) CARNET_ANEW(pointer)
#endif
/* Whether short calls are register messages where that can be. */
#ifndef CARNET_REGISTERS
#ifndef CARNET_COPY
#define CARNET_REGISTERS 1
#else
#define CARNET_REGISTERS 0
#endif
#endif
#define CARNET_COLD __attribute__((cold, noinline, unused)) static
/* One function for each operation: compiled into one, they would save more registers than each of them needs. */
#define CARNET_APART __attribute__((noinline, unused)) static
/* What sends a short call as a message: if that is the rare way, it is not part of the other. */
#if CARNET_REGISTERS
#define CARNET_SENDS CARNET_APART
#else
#define CARNET_SENDS static inline
#endif
/* Nothing that was computed from a pointer before, and no register that it is to be in later, is kept from here on. */
#define CARNET_ANEW(pointer) __asm__("" : "+r"(pointer))
/* A pointer that is needed after a call. It waits on the stack: that costs less than to save a register for it. */
#define CARNET_KEPT volatile

/* The register that an integer of 32 bits is in, whatever its upper half holds: for whoever takes the lower half alone. */
static inline uint64_t carnet_in_half(uint32_t value)
{
#if defined(__x86_64__) || defined(__aarch64__)
    uint64_t word;
    __asm__("" : "=r"(word) : "0"(value));
    return word;
#else
    return value;
#endif
}

/* ---- Values ---- */

/* Bytes; whoever is handed them may use them until the call returns, a caller until the channel's next call. */
struct carnet_bytes {
    const void *ptr;
    size_t len;
};

/* Text without NUL, not necessarily UTF-8, not terminated. */
struct carnet_string {
    const char *ptr;
    size_t len;
};

/* The text of a C string. */
static inline struct carnet_string carnet_text(const char *text)
{
    struct carnet_string string = {text, strlen(text)};
    return string;
}

/* A list as it lies in a message; generated functions fetch its elements. */
struct carnet_list {
    const unsigned char *words;
    size_t count;
    struct carnet_bytes bytes;
    /* The message that it came with, whose portals elements name. */
    struct carnet_channel *channel;
    const uint64_t *message;
    size_t message_words, portals;
    bool is_server;
};

/* ---- Status ---- */

/* 0, or why a call failed: one of the numbers below, and for a raised exception its kind in the upper half. */
typedef uint32_t carnet_status;

enum {
    CARNET_OK = 0,
    CARNET_RAISED = 1,            /* the operation's exception: CARNET_KIND says which kind */
    CARNET_BAD_ARGUMENT = 2,      /* an argument is not of its type, or leaves its bounds */
    CARNET_NO_SUCH_OPERATION = 3, /* the interface has no such operation */
    CARNET_NO_SUCH_PORTAL = 4,    /* the session holds no such portal */
    CARNET_REVOKED = 5,           /* the portal was revoked */
    CARNET_REFUSED = 6,           /* refused by a limit or policy; nothing was done */
    CARNET_SERVICE = 7,           /* the service broke its own interface */
    CARNET_PEER_DIED = 8,         /* the peer is gone; the call may or may not have been done */
    CARNET_TIMED_OUT = 9,         /* no answer in time; the call may or may not have been done */
    CARNET_PROTOCOL = 10,         /* the peer sent something that is not a message */
    CARNET_UNREACHABLE = 11,      /* the peer could not be reached; the call was not sent as a whole, so that it was not begun */
    CARNET_INTERNAL = 12          /* a bug of ours */
};

/* The status of an operation that raises its exception with this kind. */
#define CARNET_RAISE(kind) ((carnet_status)CARNET_RAISED | (carnet_status)(kind) << 16)
/* The kind of a raised exception. */
#define CARNET_KIND(status) ((status) >> 16)

/* As errno: set by a call that fails, never cleared by one that succeeds. An operation that raises no exception
 * returns its result, and this says whether there is one. */
__attribute__((weak)) __thread carnet_status carnet_failure;
/* What the failure of the last call that failed says to people; for a raised exception its message. */
__attribute__((weak)) __thread char carnet_failure_text[256];

/* A status in words. */
static inline const char *carnet_status_text(carnet_status status)
{
    static const char *const texts[] = {
        "done", "the operation raised its exception", "an argument is wrong", "no such operation", "no such portal",
        "the portal was revoked", "refused", "the service broke its own interface", "the peer died",
        "no answer in time", "the peer sent nonsense", "the peer cannot be reached", "an internal fault",
    };
    size_t number = status & 0xffffu;
    return number < sizeof texts / sizeof texts[0] ? texts[number] : "an unknown status";
}

/* ---- Channels, portals, objects ---- */

struct carnet_channel;

/* What a transport or a server's stub answers: a head, and where the reply stands. */
struct carnet_answer {
    uint64_t head;
    uint64_t *reply;
};

/* Carries a call to object `target` of the other end. */
typedef struct carnet_answer carnet_transport(struct carnet_channel *channel, uint32_t target, uint64_t head);
/* Carries a register message to object `target` of the other end: up to four values, and what the channel's line holds.
 * Its result is that of the operation, if that is a scalar. */
typedef uint64_t carnet_pass(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                             uint64_t word2, uint64_t word3);
/* The same for operations whose result is an integer of 32 bits. */
typedef uint32_t carnet_pass_half(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                                  uint64_t word2, uint64_t word3);
/* Serves a call; generated for each interface. It has no use for `target`, but so its arguments stay where they are. */
typedef struct carnet_answer carnet_serve(struct carnet_channel *channel, uint32_t target, uint64_t head);

/* Who calls. */
struct carnet_caller {
    uint64_t session; /* unique within the server */
    uint32_t user;    /* user number of the process at the other end */
    uint32_t process; /* its number; 0 if it has none here, since it is outside of our container */
};

/* What a server function is told beside its parameters: what is called, and by whom. One argument for both, since
 * processors have few registers for arguments. */
struct carnet_self {
    void *object; /* the server's own value */
    struct carnet_caller caller;
};

/* One end of a connection. Its message buffer stands behind it. */
struct carnet_channel {
    CARNET_ALIGNED struct carnet_self self; /* of the call that is being served */
    carnet_pass *pass;
    uint32_t shape;       /* of a register message */
    carnet_status status; /* 0, but for a register message that failed until its caller's stub has seen it */
    uint64_t line[3];     /* its values behind the fourth */
    carnet_pass_half *pass_half;
    carnet_transport *call;
    carnet_transport *tell; /* does not wait for the answer */
    /* Gives back one receipt of each of some portals; ends the channel, and with it all that came over it. NULL: nobody to tell. */
    void (*release)(struct carnet_channel *channel, const uint32_t *ids, size_t count);
    void (*end)(struct carnet_channel *channel);
    size_t capacity; /* bytes of the message buffer */
    size_t room;     /* bytes of one piece: the buffer without CARNET_WORDS_BYTES */
    /* A register message that was not passed. */
    uint64_t spilled[4];
    uint32_t target;
    uint32_t kind; /* CARNET_CONNECTION, or 0 */
    /* Where data of the reply to the present call go, or NULL: see carnet_into.h. */
    struct carnet_landing *landing;
    /* Of a transport to another address space: long data of the message that is being made. NULL: they are copied. */
    struct carnet_gather *gather;
    /* Of a client: a bit for each portal of a reply that something in it names, as far as it has been taken apart. */
    uint64_t named[4];
};

/* The reply that portals were put into last, or came in, and its channel: a stub that expected none, and kept no channel for that, gives
 * them back to it. */
struct carnet_brought {
    struct carnet_channel *channel;
    const uint64_t *reply;
};
__attribute__((weak)) __thread struct carnet_brought carnet_brought_last;

static inline void carnet_brings(struct carnet_channel *channel, const uint64_t *reply)
{
    carnet_brought_last.channel = channel;
    carnet_brought_last.reply = reply;
}

/* The kind of a channel that is the client's end of a connection. */
#define CARNET_CONNECTION 1u

/* The status of a register message that the channel does not pass; no reply has it. */
#define CARNET_NOT_PASSED ((carnet_status)0x8000)

/* The shape of a register message: its operation, and a hexadecimal digit for each parameter. */
#define CARNET_SHAPE(op, kinds) ((uint32_t)(op) | (uint32_t)(kinds) << 8)

/* Passes nothing: `carnet_pass` of a channel that leads to another address space. */
static inline uint64_t carnet_spill(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                                    uint64_t word2, uint64_t word3)
{
    channel->spilled[0] = word0;
    channel->spilled[1] = word1;
    channel->spilled[2] = word2;
    channel->spilled[3] = word3;
    channel->target = target;
    channel->status = CARNET_NOT_PASSED;
    return 0;
}

/* The same for `carnet_pass_half`. */
static inline uint32_t carnet_spill_half(struct carnet_channel *channel, uint32_t target, uint64_t word0,
                                         uint64_t word1, uint64_t word2, uint64_t word3)
{
    return (uint32_t)carnet_spill(channel, target, word0, word1, word2, word3);
}

/* Room for words and portal ids of any message. */
#define CARNET_WORDS_BYTES 4096u

static inline void carnet_channel_init(struct carnet_channel *channel, carnet_transport *call, size_t capacity)
{
    memset(channel, 0, sizeof *channel);
    channel->call = call;
    channel->tell = call;
    channel->pass = carnet_spill;
    channel->pass_half = carnet_spill_half;
    channel->capacity = capacity;
    channel->room = capacity < CARNET_WORDS_BYTES ? 0 : capacity - CARNET_WORDS_BYTES;
}

/* The message buffer of a channel. */
static inline uint64_t *carnet_message(struct carnet_channel *channel)
{
    return (uint64_t *)(void *)(channel + 1);
}

/* Long data of its messages are sent from where they lie, unless stubs copy. */
static inline void carnet_channel_gather(struct carnet_channel *channel, struct carnet_gather *gather)
{
#ifndef CARNET_COPY
    gather->end = (const char *)carnet_message(channel) + channel->capacity;
    channel->gather = gather;
#else
    (void)channel;
    (void)gather;
#endif
}

/* The right to call an object at the other end of a channel. */
struct carnet_portal {
    struct carnet_channel *channel;
    uint32_t id;
};

/* Gives back one receipt of a portal: call it once for each time that a call returned it. Of the null portal there is none. */
static inline void carnet_release(struct carnet_portal portal)
{
    if (portal.channel != NULL && portal.channel->release != NULL && portal.id != 0) {
        portal.channel->release(portal.channel, &portal.id, 1);
    }
}

/* Ends the connection of a portal, or its session if the object is of this process, and with it all portals that came over it. */
static inline void carnet_disconnect(struct carnet_portal portal)
{
    if (portal.channel != NULL && portal.channel->end != NULL) {
        portal.channel->end(portal.channel);
    }
}

/* The object of a register message that was not passed: a message goes there instead. */
static inline struct carnet_portal carnet_unpassed(struct carnet_channel *channel)
{
    struct carnet_portal self;
    self.channel = channel;
    self.id = channel->target;
    channel->status = CARNET_OK;
    return self;
}

/* An interface: what a client was compiled against, or a server serves. */
struct carnet_interface {
    const char *name;
    uint64_t hash;
    const uint64_t *operations; /* their hashes */
    uint16_t count;
    const struct carnet_interface *base; /* what it inherits from, or NULL */
};

/* A module. */
struct carnet_module {
    const char *name;
    const struct carnet_interface *const *interfaces;
    uint16_t count;
    size_t exchange_bytes_max; /* an operation's request and its reply together; 0: no more than a frame */
};

/* How objects of one interface are served. */
struct carnet_service {
    const struct carnet_module *module;
    const struct carnet_interface *interface;
    carnet_serve *serve;
    carnet_pass *pass; /* serves register messages */
    carnet_pass_half *pass_half;
    /* The last portal on it is gone, of all clients of its server, or the reply that was to hand it out could not. */
    void (*released)(void *object);
    size_t piece_bytes_max;         /* of what it copies to its replies */
    struct carnet_bytes (*descriptor)(void); /* of the module, for clients without stubs */
};

/* Portals that one session may hold, a power of two. An index of 8 bits is taken out of an id by one instruction. */
#ifndef CARNET_OBJECTS_MAX
#define CARNET_OBJECTS_MAX 256u
#endif
#if CARNET_OBJECTS_MAX < 2 || CARNET_OBJECTS_MAX > 65536 || (CARNET_OBJECTS_MAX & (CARNET_OBJECTS_MAX - 1)) != 0
#error "CARNET_OBJECTS_MAX is a power of two, from 2 to 65536"
#endif

/* A server's end: the objects that its client may call, and behind them the channel. An id is `generation << 16 |
 * index`; the index of a released object comes back with another generation, so that a stale id names nothing. Index 0
 * is never used, 1 is the root. The columns are arrays of their own: an index needs no multiplication then. */
struct carnet_session {
    uint32_t ids[CARNET_OBJECTS_MAX];
    void *objects[CARNET_OBJECTS_MAX];
    carnet_serve *serves[CARNET_OBJECTS_MAX];
    carnet_pass *passes[CARNET_OBJECTS_MAX];
    carnet_pass_half *passes_half[CARNET_OBJECTS_MAX];
    const struct carnet_service *services[CARNET_OBJECTS_MAX]; /* NULL: not used */
    uint64_t receipts[CARNET_OBJECTS_MAX];                     /* how often it was handed out */
    /* What the present reply cannot hand out, each object once. */
    size_t left_out;
    void *left_out_objects[CARNET_OBJECTS_MAX];
    const struct carnet_service *left_out_services[CARNET_OBJECTS_MAX];
    struct carnet_account *account; /* of memory that was made for it, and is held by somebody: see carnet_memory.h */
    /* Where the sessions of the same server begin, and the one behind this; NULL of a session that is alone. */
    struct carnet_session *const *first;
    struct carnet_session *next;
    struct carnet_channel channel;
};

static inline struct carnet_session *carnet_session_of(struct carnet_channel *channel)
{
    return (struct carnet_session *)(void *)((char *)channel - offsetof(struct carnet_session, channel));
}

/* ---- Heads ---- */

#define CARNET_HEAD_BYTES 16u
/* Portals that one message can have. */
#define CARNET_PORTALS_MAX 255u
#define CARNET_KIND_CALL 2u
#define CARNET_KIND_REPLY 3u

/* Operation (or status), bytes, portal ids. */
#define CARNET_FLAT(op, len, portals) ((uint64_t)(op) | (uint64_t)(len) << 16 | (uint64_t)(portals) << 41)
/* The same of a server's reply with data, whose portal ids stand behind so many words: it may be too long to be sent. */
#define CARNET_HANDING(op, len, portals, words) (CARNET_FLAT(op, len, portals) | (uint64_t)(words) << 49)
/* Operation (or status), words, the word that refers to the piece. */
#define CARNET_GATHERED(op, words, word) \
    ((uint64_t)(op) | 1u << 15 | (uint64_t)(words) << 16 | (uint64_t)(word) << 24)
#define CARNET_COPIED(op, words, word) (CARNET_GATHERED(op, words, word) | 1u << 23)
/* Operation (or status), words, the word that refers to the piece, words of which half counts. */
#define CARNET_NEAR(op, words, word, halves) \
    ((uint64_t)(op) | 1u << 15 | (uint64_t)(words) << 16 | (uint64_t)(word) << 19 | (uint64_t)(halves) << 24 | 1u << 30)
#define CARNET_NEAR_COPIED(op, words, word, halves) (CARNET_NEAR(op, words, word, halves) | 1u << 23)
/* Instead of a word that refers to a piece. */
#define CARNET_NO_PIECE 7u
#define CARNET_IS_NEAR(head) ((~(head) & (1u << 15 | 1u << 30)) == 0)
/* What our stubs make of one piece. */
#ifndef CARNET_COPY
#define CARNET_PIECE CARNET_GATHERED
#define CARNET_NEAR_PIECE CARNET_NEAR
/* Room that a service needs for pieces: for those that it copies. */
#define CARNET_PIECE_BYTES(bytes) 0u
#else
#define CARNET_PIECE_BYTES(bytes) bytes
#define CARNET_PIECE CARNET_COPIED
#define CARNET_NEAR_PIECE CARNET_NEAR_COPIED
#endif
#define CARNET_LEN(head) ((size_t)((head) >> 16) & 0x1ffffff)
#define CARNET_PORTALS(head) ((size_t)((head) >> 41) & 0xff)
#define CARNET_HANDING_WORDS(head) ((size_t)((head) >> 49) & 0x3fff)
/* Of a flat message that is to be sent: its channel's `gather` has data that lie elsewhere. */
#define CARNET_ELSEWHERE ((uint64_t)1 << 63)
#define CARNET_OP(head) ((head) & 0x7fff)
#define CARNET_HAS_PIECE(head) (((head) >> 15 & 1) != 0)
#define CARNET_IS_COPIED(head) (((head) >> 23 & 1) != 0)
#define CARNET_WORDS(head) ((size_t)((head) >> 16) & 0x7f)
#define CARNET_PIECE_WORD(head) ((size_t)((head) >> 24) & 0x7f)

/* ---- Words ---- */

/* A word of a message, fetched exactly once. */
static inline uint64_t carnet_get(const uint64_t *message, size_t word)
{
    return ((const volatile uint64_t *)message)[word];
}

/* Volatile, so that no compiler packs neighbours into vector registers: that costs more than it saves. */
static inline void carnet_put(uint64_t *message, size_t word, uint64_t value)
{
    ((volatile uint64_t *)message)[word] = value;
}

/* A word of which only the lower half counts, of a near message. Whoever else works on it where it lies does so as on an
 * integer of 32 bits. */
typedef uint32_t carnet_lower_half __attribute__((may_alias));

static inline uint32_t carnet_get_half(const uint64_t *message, size_t word)
{
    return *(const volatile carnet_lower_half *)(const void *)(message + word);
}

static inline void carnet_put_half(uint64_t *message, size_t word, uint32_t value)
{
    *(volatile carnet_lower_half *)(void *)(message + word) = value;
}

/* Makes a near message far, before it leaves its address space; the head. Others are far already. */
static inline uint64_t carnet_far(uint64_t *message, uint64_t head)
{
    size_t words = (size_t)(head >> 16) & 7, piece = (size_t)(head >> 19) & 7, word;
    if (!CARNET_IS_NEAR(head)) {
        return head;
    }
    for (word = 0; word < words; word++) {
        if ((head >> (24 + word) & 1) != 0) {
            carnet_put(message, 2 + word, (uint64_t)(int64_t)(int32_t)carnet_get_half(message, 2 + word));
        }
    }
    if (piece == CARNET_NO_PIECE) {
        return CARNET_FLAT(CARNET_OP(head), CARNET_HEAD_BYTES + words * 8, 0);
    }
    return CARNET_GATHERED(CARNET_OP(head), words, piece) | (head & 1u << 23);
}

/* Whether a flat request has room for its words and so many portal ids. */
static inline bool carnet_is_whole(uint64_t head, size_t data, size_t portals)
{
    return !CARNET_HAS_PIECE(head) && CARNET_PORTALS(head) == portals && CARNET_LEN(head) >= data;
}

/* Whether a flat reply says success, and has room for its words and so many portal ids. */
static inline bool carnet_is_good(uint64_t head, size_t data, size_t portals)
{
    return CARNET_OP(head) == 0 && carnet_is_whole(head, data, portals);
}

/* A portal id of a message. */
static inline uint32_t carnet_portal_id(const uint64_t *message, size_t words, size_t index)
{
    return (uint32_t)(carnet_get(message, 2 + words + index / 2) >> (index % 2 * 32));
}

/* The client's side: gives back those of a reply's portals that no bit of `named` stands for, `portals` behind `words` words. */
CARNET_COLD void carnet_let_go_rest(struct carnet_channel *channel, const uint64_t *reply, size_t words, size_t portals,
                                    const uint64_t named[4])
{
    uint32_t ids[CARNET_PORTALS_MAX]; /* what tells an object of this process may use the reply's place */
    size_t index, count = 0;
    for (index = 0; index < portals; index++) {
        uint32_t id = carnet_portal_id(reply, words, index);
        if ((named[index / 64] >> (index % 64) & 1) == 0 && id != 0) {
            ids[count++] = id;
        }
    }
    if (channel != NULL && channel->release != NULL && count > 0) {
        channel->release(channel, ids, count);
    }
}

/* The same of all that a reply brought which is not taken. */
CARNET_COLD void carnet_let_go(struct carnet_channel *channel, const uint64_t *reply, size_t words, size_t portals)
{
    static const uint64_t none[4] = {0};
    carnet_let_go_rest(channel, reply, words, portals, none);
}

/* The same of a good reply with as many portals as there are words that name them: those that none does, since another is named twice. */
static inline void carnet_let_go_unnamed(struct carnet_channel *channel, const uint64_t *reply, size_t words, const uint64_t *naming,
                                         size_t portals)
{
    uint64_t named[4] = {0}, twice = 0;
    size_t index;
    for (index = 0; index < portals; index++) {
        uint64_t bit = (uint64_t)1 << (naming[index] % 64);
        twice |= named[naming[index] / 64 % 4] & bit;
        named[naming[index] / 64 % 4] |= bit;
    }
    if (CARNET_UNLIKELY(twice != 0)) {
        carnet_let_go_rest(channel, reply, words, portals, named);
    }
}

/* Where the data of a message begins that has so many words behind its head. */
static inline size_t carnet_data_at(size_t words, size_t portals)
{
    return CARNET_HEAD_BYTES + words * 8 + ((portals * 4 + 7) & ~(size_t)7);
}

/* The bytes that `word` refers to; false if they are more than `max` or leave the message of `len` bytes. */
static inline bool carnet_find(const uint64_t *message, size_t len, size_t data, uint64_t word, size_t max,
                               struct carnet_bytes *found)
{
    size_t offset = (size_t)(word >> 24), count = (size_t)word & 0xffffff;
    if (CARNET_UNLIKELY(offset > len || offset + count > len - data || count > max)) {
        return false;
    }
    found->ptr = (const char *)message + data + offset;
    found->len = count;
    return true;
}

/* As carnet_find, for text. */
static inline bool carnet_find_string(const uint64_t *message, size_t len, size_t data, uint64_t word, size_t max,
                                      struct carnet_string *found)
{
    struct carnet_bytes bytes;
    if (!carnet_find(message, len, data, word, max, &bytes)) {
        return false;
    }
    found->ptr = (const char *)bytes.ptr;
    found->len = bytes.len;
    return bytes.len == 0 || memchr(bytes.ptr, 0, bytes.len) == NULL;
}

/* The list that `word` refers to, of at most `max` elements of `stride` words. */
static inline bool carnet_find_list(const uint64_t *message, size_t len, size_t data, uint64_t word, size_t stride,
                                    size_t max, struct carnet_list *found)
{
    struct carnet_bytes item;
    uint64_t count;
    if (!carnet_find(message, len, data, word, SIZE_MAX, &item) || item.len < 8) {
        return false;
    }
    memcpy(&count, item.ptr, 8);
    if (count > max || count * stride * 8 > item.len - 8) {
        return false;
    }
    found->words = (const unsigned char *)item.ptr + 8;
    found->count = (size_t)count;
    found->bytes.ptr = found->words + count * stride * 8;
    found->bytes.len = item.len - 8 - (size_t)count * stride * 8;
    return true;
}

/* A word of a list's element. */
static inline uint64_t carnet_list_word(const struct carnet_list *list, size_t index)
{
    uint64_t word;
    memcpy(&word, list->words + index * 8, 8);
    return word;
}

/* The bytes that a word of a list's element refers to. */
static inline bool carnet_list_bytes(const struct carnet_list *list, uint64_t word, size_t max,
                                     struct carnet_bytes *found)
{
    size_t offset = (size_t)(word >> 24), count = (size_t)word & 0xffffff;
    if (offset > list->bytes.len || count > list->bytes.len - offset || count > max) {
        return false;
    }
    found->ptr = (const char *)list->bytes.ptr + offset;
    found->len = count;
    return true;
}

/* As carnet_list_bytes, for text. */
static inline bool carnet_list_string(const struct carnet_list *list, uint64_t word, size_t max,
                                      struct carnet_string *found)
{
    struct carnet_bytes bytes = {NULL, 0};
    bool is_there = carnet_list_bytes(list, word, max, &bytes);
    found->ptr = (const char *)bytes.ptr;
    found->len = bytes.len;
    return is_there && (bytes.len == 0 || memchr(bytes.ptr, 0, bytes.len) == NULL);
}

/* Whether the words of a message that bits of `references` say name no more bytes together than the message has. Whoever sends one
 * puts bytes of its own there for each word: if many named the same, each would be looked through, and be copied by whoever does. */
static inline bool carnet_is_apart(const uint64_t *message, size_t len, size_t data, uint64_t references)
{
    size_t left = len - data;
    for (; references != 0; references &= references - 1) {
        size_t named = (size_t)carnet_get(message, 2 + (size_t)__builtin_ctzll(references)) & 0xffffff;
        if (named > left) {
            return false;
        }
        left -= named;
    }
    return true;
}

/* Bytes of all texts of a message's lists together: as many as it has bytes of data, or as any message has room for. Each is looked
 * through, and all might name the same bytes. */
#define CARNET_TEXTS_BYTES_MAX ((size_t)2 << 20)

static inline size_t carnet_texts_max(size_t data)
{
    return data < CARNET_TEXTS_BYTES_MAX ? CARNET_TEXTS_BYTES_MAX : data;
}

/* Adds what the texts and bytes of an element take, which bits of `texts` say the words of, to those of the elements before it;
 * false if they are more together than if each had bytes of its own, or than are `left` to all lists of the message. */
static inline bool carnet_list_adds(const struct carnet_list *list, size_t index, size_t stride, uint64_t texts, size_t *bytes,
                                    size_t *left)
{
    size_t word, added = 0;
    for (word = 0; word < stride; word++) {
        if ((texts >> word & 1) != 0) {
            added += (size_t)carnet_list_word(list, index * stride + word) & 0xffffff;
        }
    }
    *bytes += added;
    if (*bytes > carnet_texts_max(list->bytes.len) || added > *left) {
        return false;
    }
    *left -= added;
    return true;
}

/* ---- Pieces ---- */

/* memcpy by a call: compilers turn what they know of it into slower instructions. */
void *carnet_copy(void *to, const void *from, size_t len) __asm__("memcpy");

/* Where the piece of a message with so many words stands, or its address and length. */
static inline struct carnet_bytes *carnet_place(uint64_t *message, size_t words)
{
    return (struct carnet_bytes *)(void *)(message + 2 + words);
}

static inline struct carnet_bytes carnet_gathered(const uint64_t *message, size_t words)
{
    const volatile struct carnet_bytes *place =
        (const volatile struct carnet_bytes *)(const void *)(message + 2 + words);
    struct carnet_bytes found;
    found.ptr = place->ptr;
    found.len = place->len;
    return found;
}

static inline struct carnet_bytes carnet_copied(const uint64_t *message, size_t words, size_t word)
{
    struct carnet_bytes found;
    found.ptr = message + 2 + words;
    found.len = (size_t)carnet_get(message, 2 + word);
    return found;
}

/* The piece of a message whose head is CARNET_PIECE. */
static inline struct carnet_bytes carnet_taken(const uint64_t *message, size_t words, size_t word)
{
#ifndef CARNET_COPY
    (void)word;
    return carnet_gathered(message, words);
#else
    return carnet_copied(message, words, word);
#endif
}

/* Whether a reply's piece is as long as it may be. A gathered one was checked by whoever made it: in this process. */
static inline bool carnet_is_bounded(struct carnet_bytes piece, size_t max)
{
#ifndef CARNET_COPY
    (void)piece;
    (void)max;
    return true;
#else
    return piece.len <= max;
#endif
}

/* Sends a piece, and returns the channel: after a call of memcpy it is known from where that wrote to. */
static inline struct carnet_channel *carnet_put_piece(struct carnet_channel *channel, size_t words, size_t word,
                                                      struct carnet_bytes bytes)
{
    uint64_t *message = carnet_message(channel);
#ifndef CARNET_COPY
    volatile struct carnet_bytes *place = carnet_place(message, words);
    (void)word;
    place->ptr = bytes.ptr;
    place->len = bytes.len;
    return channel;
#else
    carnet_put(message, 2 + word, bytes.len);
    CARNET_ANEW(bytes.ptr);
    message = (uint64_t *)carnet_copy(message + 2 + words, bytes.ptr, bytes.len) - 2 - words;
    return (struct carnet_channel *)(void *)message - 1;
#endif
}

/* Whether a piece of such a length can be sent. */
static inline bool carnet_has_place(const struct carnet_channel *channel, size_t len)
{
#ifndef CARNET_COPY
    (void)channel;
    (void)len;
    return true;
#else
    return len <= channel->room;
#endif
}

/* Sends what a server function left in the piece's place, and returns the message, known as above. */
static inline uint64_t *carnet_put_left(uint64_t *message, size_t words, size_t word)
{
#ifndef CARNET_COPY
    (void)words;
    (void)word;
    return message;
#else
    struct carnet_bytes left = carnet_gathered(message, words);
    carnet_put(message, 2 + word, left.len);
    return (uint64_t *)carnet_copy(message + 2 + words, left.ptr, left.len) - 2 - words;
#endif
}

/* The data of a message that has one: flat, or in a piece. */
static inline bool carnet_find_any(struct carnet_channel *channel, const uint64_t *message, uint64_t head, size_t words,
                                   size_t word, size_t max, struct carnet_bytes *found)
{
    size_t data = carnet_data_at(words, 0);
    if (!CARNET_HAS_PIECE(head)) {
        return carnet_is_whole(head, data, 0) &&
               carnet_find(message, CARNET_LEN(head), data, carnet_get(message, 2 + word), max, found);
    }
    if ((head >> 16) != (CARNET_GATHERED(0, words, word) >> 16 | (head >> 16 & 1u << 7))) {
        return false;
    }
    *found = CARNET_IS_COPIED(head) ? carnet_copied(message, words, word) : carnet_gathered(message, words);
    return found->len <= max && (channel == NULL || !CARNET_IS_COPIED(head) || found->len <= channel->room);
}

/* Begins the data of a message; where they end, as yet. */
static inline size_t carnet_begin_data(struct carnet_channel *channel, size_t data)
{
    carnet_gather_begin(channel->gather);
    return data;
}

/* What the head says of data that were appended: whether some lie elsewhere. */
static inline uint64_t carnet_elsewhere(const struct carnet_channel *channel)
{
    return channel->gather != NULL && channel->gather->count > 0 ? CARNET_ELSEWHERE : 0;
}

/* Copies bytes to a place of the frame. Those between `end` and there are zeroed: what lay there before is nobody's business. */
static inline void carnet_put_copy(const struct carnet_gather *gather, uint64_t *message, size_t end, size_t at, const void *ptr,
                                   size_t len)
{
    char *place = carnet_gather_at(gather, message, at);
    if (len > 0) {
        /* A server may have found its result in its request, which lies in the same buffer. */
        memmove(place, ptr, len);
    }
    memset(place - (at - end), 0, at - end);
}

/* The same, or leaves them where they lie. */
static inline void carnet_put_data(struct carnet_gather *gather, uint64_t *message, size_t end, size_t at, const void *ptr, size_t len)
{
    bool is_left = carnet_gather_takes(gather, message, ptr, len);
    carnet_put_copy(gather, message, end, at, ptr, is_left ? 0 : len);
    if (is_left) {
        carnet_gather_piece(gather, message, at, ptr, len);
    }
}

/* Appends `len` bytes to a message that begins at `message` within the channel's buffer, whose data begins at `data`
 * and ends at `*end`, and sets the word that refers to them. False if they are more than `max` or do not fit. */
static inline bool carnet_add(struct carnet_channel *channel, uint64_t *message, size_t data, size_t *end, size_t word,
                              const void *ptr, size_t len, size_t max)
{
    size_t at = (*end + 7) & ~(size_t)7;
    size_t before = (size_t)((char *)message - (char *)carnet_message(channel));
    if (CARNET_UNLIKELY(len > max || before + at > channel->capacity || len > channel->capacity - before - at)) {
        return false;
    }
    carnet_put_data(channel->gather, message, *end, at, ptr, len);
    carnet_put(message, word, (uint64_t)(at - data) << 24 | len);
    *end = at + len;
    return true;
}

/* The same for text; false also if it contains NUL. */
static inline bool carnet_add_text(struct carnet_channel *channel, uint64_t *message, size_t data, size_t *end,
                                   size_t word, struct carnet_string text, size_t max)
{
    bool is_text = text.len == 0 || memchr(text.ptr, 0, text.len) == NULL;
    return is_text && carnet_add(channel, message, data, end, word, text.ptr, text.len, max);
}

/* Whether `bytes` bytes fit into the channel's buffer from `message` on. */
static inline bool carnet_has_room(struct carnet_channel *channel, const uint64_t *message, size_t bytes)
{
    size_t before = (size_t)((const char *)message - (const char *)carnet_message(channel));
    return before <= channel->capacity && bytes <= channel->capacity - before;
}

/* ---- Failures ---- */

/* What the next failure of a server function of this thread says to people; it is sent with an exception. */
__attribute__((weak)) __thread const char *carnet_saying;

/* Raises the exception of an operation: `return carnet_raise(files_Reason_exists, "there is one");`. */
static inline carnet_status carnet_raise(unsigned kind, const char *text)
{
    carnet_saying = text;
    return CARNET_RAISE(kind);
}

static inline const char *carnet_said(void)
{
    const char *text = carnet_saying;
    carnet_saying = NULL;
    return text == NULL ? "" : text;
}

/* Whether there is such a status, and it says that a call failed. */
static inline bool carnet_is_failure(carnet_status status)
{
    carnet_status low = status & 0xffff;
    return low == CARNET_RAISED || (low != CARNET_OK && low == status && low <= CARNET_INTERNAL);
}

/* Answers that a call failed, and why. */
CARNET_COLD struct carnet_answer carnet_fail(struct carnet_channel *channel, carnet_status status, const char *text)
{
    uint64_t *message = carnet_message(channel);
    size_t len = strlen(text);
    size_t room = channel->capacity - CARNET_HEAD_BYTES;
    struct carnet_answer answer;
    if (!carnet_is_failure(status)) {
        /* What a function returned; 0x8000 would be a success. */
        return carnet_fail(channel, CARNET_SERVICE, "the operation returned a status that there is not");
    }
    len = len < room ? len : room;
    memcpy(message + 2, text, len);
    message[1] = (uint64_t)CARNET_KIND(status) << 32;
    answer.head = CARNET_FLAT(status & 0x7fff, CARNET_HEAD_BYTES + len, 0);
    answer.reply = message;
    return answer;
}

/* Answers that a head is not one of the interface's: its operation is unknown, or its length cannot be. */
CARNET_COLD struct carnet_answer carnet_refuse(struct carnet_channel *channel, uint64_t head, unsigned operations)
{
    if (CARNET_OP(head) < operations) {
        return carnet_fail(channel, CARNET_BAD_ARGUMENT, "a message that is not as long as its operation says");
    }
    return carnet_fail(channel, CARNET_NO_SUCH_OPERATION, "the interface has no such operation");
}

/* Bytes of the letter that starts at `from`; 0 if there is none of UTF-8, or one that is not shown. */
CARNET_COLD size_t carnet_letter(const unsigned char *from, size_t len)
{
    /* Control characters, and what nobody sees: it turns the direction of others, or marks or ends lines. Joiners are needed to write. */
    static const uint32_t hidden[][2] = {{0x1, 0x1f},       {0x7f, 0x9f},     {0x61c, 0x61c},   {0x180e, 0x180e},  {0x200b, 0x200b},
                                         {0x200e, 0x200f},  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xd800, 0xdfff},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe007f}, {0x110000, 0xffffffff}};
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    size_t more = from[0] < 0x80 ? 0 : from[0] < 0xc0 ? len : from[0] < 0xe0 ? 1 : from[0] < 0xf0 ? 2 : from[0] < 0xf8 ? 3 : len;
    uint32_t letter;
    size_t index;
    if (more >= len) {
        return 0;
    }
    letter = more == 0 ? (uint32_t)from[0] : from[0] & (0x3fu >> more);
    for (index = 1; index <= more; index++) {
        if ((from[index] & 0xc0) != 0x80) {
            return 0;
        }
        letter = letter << 6 | (from[index] & 0x3fu);
    }
    if (letter < least[more]) {
        return 0;
    }
    for (index = 0; index < sizeof hidden / sizeof hidden[0]; index++) {
        if (letter >= hidden[index][0] && letter <= hidden[index][1]) {
            return 0;
        }
    }
    return more + 1;
}

/* Copies text of a peer that people will read, with a `?` for each byte of what a terminal would obey or people not see. */
CARNET_COLD void carnet_show(char *to, const unsigned char *from, size_t len)
{
    size_t index = 0;
    while (index < len) {
        size_t letter = carnet_letter(from + index, len - index);
        if (letter == 0) {
            to[index++] = '?';
        } else {
            memcpy(to + index, from + index, letter);
            index += letter;
        }
    }
    to[len] = 0;
}

/* Whether a raised exception is one of `count` kinds from `first` on. */
static inline bool carnet_is_declared(carnet_status status, unsigned first, unsigned count)
{
    return CARNET_KIND(status) - first < count;
}

/* The server's side: the status that a function returned whose operation raises these kinds. */
static inline carnet_status carnet_declared(carnet_status status, unsigned first, unsigned count)
{
    bool is_raised = (status & 0xffff) == CARNET_RAISED;
    return is_raised && !carnet_is_declared(status, first, count) ? (carnet_status)CARNET_SERVICE : status;
}

/* The client's side: the status of a reply that is not what was expected, of an operation that raises `count` kinds from `first`
 * on; remembered as carnet_failure. */
CARNET_COLD carnet_status carnet_failed_or_raised(struct carnet_answer answer, unsigned first, unsigned count)
{
    carnet_status status = (carnet_status)(answer.head & 0x7fff);
    size_t len = CARNET_LEN(answer.head);
    carnet_failure_text[0] = 0;
    if (status == 0 || status > CARNET_INTERNAL || CARNET_HAS_PIECE(answer.head) || len < CARNET_HEAD_BYTES ||
        (status == CARNET_RAISED && !carnet_is_declared(CARNET_RAISE(carnet_get(answer.reply, 1) >> 32 & 0xffff), first, count))) {
        status = CARNET_PROTOCOL;
    } else {
        len -= CARNET_HEAD_BYTES;
        len = len < sizeof carnet_failure_text ? len : sizeof carnet_failure_text - 1;
        carnet_show(carnet_failure_text, (const unsigned char *)(answer.reply + 2), len);
        if (status == CARNET_RAISED) {
            status = CARNET_RAISE(carnet_get(answer.reply, 1) >> 32 & 0xffff);
        }
    }
    carnet_failure = status;
    return status;
}

/* The same of an operation that raises nothing. */
CARNET_COLD carnet_status carnet_failed(struct carnet_answer answer)
{
    return carnet_failed_or_raised(answer, 0, 0);
}

/* The same of a reply that should have `words` words and another number of portals behind them, or none: those that it has are given
 * back. A transport does that with portals of one that says a failure. The reply's address comes third, as in what a call returns: it
 * need not be moved before it is known that all is well. */
CARNET_COLD carnet_status carnet_failed_to_hand(size_t words, struct carnet_answer answer, unsigned first, unsigned count)
{
    size_t portals = CARNET_PORTALS(answer.head);
    carnet_status status = carnet_failed_or_raised(answer, first, count);
    if (CARNET_OP(answer.head) == 0 && portals > 0 && carnet_is_whole(answer.head, carnet_data_at(words, portals), portals) &&
        carnet_brought_last.reply == answer.reply) {
        carnet_let_go(carnet_brought_last.channel, answer.reply, words, portals);
    }
    return status;
}

/* The client's side: remembers a failure that no reply says. */
CARNET_COLD carnet_status carnet_note(carnet_status status, const char *text)
{
    size_t len = strlen(text);
    len = len < sizeof carnet_failure_text ? len : sizeof carnet_failure_text - 1;
    memcpy(carnet_failure_text, text, len);
    carnet_failure_text[len] = 0;
    carnet_failure = status;
    return status;
}

/* A register message failed: remembers why, as the client's stub does with a reply. Its result is 0. */
CARNET_COLD uint64_t carnet_pass_fail(struct carnet_channel *channel, carnet_status status, const char *text)
{
    channel->status = carnet_is_failure(status)
                          ? carnet_note(status, text)
                          : carnet_note(CARNET_SERVICE, "the operation returned a status that there is not");
    return 0;
}

/* The same for `carnet_pass_half`. */
CARNET_COLD uint32_t carnet_pass_fail_half(struct carnet_channel *channel, carnet_status status, const char *text)
{
    return (uint32_t)carnet_pass_fail(channel, status, text);
}

/* Refuses a register message whose shape is none of the interface's. */
CARNET_COLD uint64_t carnet_pass_refuse(struct carnet_channel *channel, unsigned operations)
{
    if ((channel->shape & 0xff) < operations) {
        return carnet_pass_fail(channel, CARNET_BAD_ARGUMENT, "values that are not those of their operation");
    }
    return carnet_pass_fail(channel, CARNET_NO_SUCH_OPERATION, "the interface has no such operation");
}

/* The same for `carnet_pass_half`. */
CARNET_COLD uint32_t carnet_pass_refuse_half(struct carnet_channel *channel, unsigned operations)
{
    return (uint32_t)carnet_pass_refuse(channel, operations);
}

/* The client's side: takes the status of a register message that failed. */
static inline carnet_status carnet_not_done(struct carnet_channel *channel)
{
    carnet_status status = channel->status;
    channel->status = CARNET_OK;
    return status;
}

/* Whether text is at most so long, and without NUL. */
static inline bool carnet_is_text_of(struct carnet_string text, size_t max)
{
    return text.len <= max && (text.len == 0 || memchr(text.ptr, 0, text.len) == NULL);
}

/* ---- The table of a session ---- */

/* Serves a call of object `target`. */
static inline struct carnet_answer carnet_dispatch(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_session *session = carnet_session_of(channel);
    size_t index = target & (CARNET_OBJECTS_MAX - 1);
    if (CARNET_UNLIKELY(session->ids[index] != target)) {
        return carnet_fail(channel, CARNET_NO_SUCH_PORTAL, "the session holds no such portal");
    }
    channel->self.object = session->objects[index];
    return session->serves[index](channel, target, head);
}

/* Serves a register message to object `target`: `carnet_pass` of a channel to objects of the same process. */
static inline uint64_t carnet_enter(struct carnet_channel *channel, uint32_t target, uint64_t word0, uint64_t word1,
                                    uint64_t word2, uint64_t word3)
{
    struct carnet_session *session = carnet_session_of(channel);
    size_t index = target & (CARNET_OBJECTS_MAX - 1);
    if (CARNET_UNLIKELY(session->ids[index] != target)) {
        return carnet_pass_fail(channel, CARNET_NO_SUCH_PORTAL, "the session holds no such portal");
    }
    channel->self.object = session->objects[index];
    return session->passes[index](channel, target, word0, word1, word2, word3);
}

/* The same for `carnet_pass_half`. */
static inline uint32_t carnet_enter_half(struct carnet_channel *channel, uint32_t target, uint64_t word0,
                                         uint64_t word1, uint64_t word2, uint64_t word3)
{
    struct carnet_session *session = carnet_session_of(channel);
    size_t index = target & (CARNET_OBJECTS_MAX - 1);
    if (CARNET_UNLIKELY(session->ids[index] != target)) {
        return carnet_pass_fail_half(channel, CARNET_NO_SUCH_PORTAL, "the session holds no such portal");
    }
    channel->self.object = session->objects[index];
    return session->passes_half[index](channel, target, word0, word1, word2, word3);
}

static inline void carnet_set_object(struct carnet_session *session, size_t index, void *object,
                                     const struct carnet_service *service)
{
    session->objects[index] = object;
    session->serves[index] = service->serve;
    session->passes[index] = service->pass;
    session->passes_half[index] = service->pass_half;
    session->services[index] = service;
    session->receipts[index] = 1;
}

/* Puts the only portal that a client has at first into a session, whose channel is made already. False if the channel's
 * buffer is too small for what the root's interface may send. */
static inline bool carnet_session_init(struct carnet_session *session, void *root, const struct carnet_service *service)
{
    uint32_t index;
    for (index = 0; index < CARNET_OBJECTS_MAX; index++) {
        /* The id of an index that is not used has another index, so that no target names it. */
        session->ids[index] = index ^ 1u;
        session->services[index] = NULL;
    }
    session->ids[1] = 1;
    session->left_out = 0;
    session->account = NULL;
    session->first = NULL;
    session->next = NULL;
    carnet_set_object(session, 1, root, service);
    return session->channel.capacity >= CARNET_WORDS_BYTES && service->piece_bytes_max <= session->channel.room;
}

/* Whether two services are of one interface: each source file that includes the stubs has its own functions and structs. */
static inline bool carnet_is_same(const struct carnet_service *one, const struct carnet_service *other)
{
    return CARNET_LIKELY(one->serve == other->serve) || one->interface->hash == other->interface->hash;
}

/* Whether a session holds an object of a service at an index. */
static inline bool carnet_is_held_at(const struct carnet_session *session, size_t index, const void *object,
                                     const struct carnet_service *service)
{
    return session->services[index] != NULL && session->objects[index] == object &&
           carnet_is_same(session->services[index], service);
}

/* Whether another session of the same server holds an object. Looked for in each of them when an object is let go of, which is rare. */
CARNET_COLD bool carnet_is_held_elsewhere(const struct carnet_session *session, const void *object,
                                          const struct carnet_service *service)
{
    const struct carnet_session *other = session->first == NULL ? NULL : *session->first;
    size_t index;
    for (; other != NULL; other = other->next) {
        for (index = 1; other != session && index < CARNET_OBJECTS_MAX; index++) {
            if (other->objects[index] == object && carnet_is_held_at(other, index, object, service)) {
                return true;
            }
        }
    }
    return false;
}

/* A session holds no portal on an object any more: its service is told, unless another one does. */
static inline void carnet_let_go_of(const struct carnet_session *session, void *object, const struct carnet_service *service)
{
    if (service->released != NULL && (session->first == NULL || !carnet_is_held_elsewhere(session, object, service))) {
        service->released(object);
    }
}

/* An object that is left out of the present reply; `carnet_take_back` tells its service. */
static inline void carnet_leave_out(struct carnet_session *session, void *object, const struct carnet_service *service)
{
    size_t index;
    if (object == NULL) {
        return; /* a result that was not set */
    }
    for (index = 0; index < session->left_out; index++) {
        if (session->left_out_objects[index] == object && carnet_is_same(session->left_out_services[index], service)) {
            return;
        }
    }
    /* No reply has as many portals: a service that wants to hand out more has made a mistake. */
    if (index < CARNET_OBJECTS_MAX) {
        session->left_out_objects[index] = object;
        session->left_out_services[index] = service;
        session->left_out = index + 1;
    }
}

/* Whether a session can hold as many objects more as a call makes at most, so many of which are not of sequences. A bound that is above
 * what it can hold at all says nothing of how many they will be. */
static inline bool carnet_can_hold(const struct carnet_session *session, size_t most, size_t alone)
{
    size_t index, left = most <= CARNET_OBJECTS_MAX - 1 ? most : alone;
    for (index = 1; left > 0 && index < CARNET_OBJECTS_MAX; index++) {
        left -= session->services[index] == NULL;
    }
    return left == 0;
}

/* Hands `object` out once more; its id, or 0 if the session holds as many as it may, or has too small a buffer: it is left out
 * then. */
static inline uint32_t carnet_hand_out(struct carnet_session *session, void *object,
                                       const struct carnet_service *service)
{
    size_t index, vacant = 0;
    for (index = 1; index < CARNET_OBJECTS_MAX; index++) {
        if (session->services[index] == NULL) {
            vacant = vacant == 0 ? index : vacant;
        } else if (session->objects[index] == object &&
                   (CARNET_LIKELY(session->serves[index] == service->serve) ||
                    session->services[index]->interface->hash == service->interface->hash)) {
            session->receipts[index]++;
            return session->ids[index];
        }
    }
    if (vacant == 0 || service->piece_bytes_max > session->channel.room) {
        carnet_leave_out(session, object, service);
        return 0;
    }
    carnet_set_object(session, vacant, object, service);
    session->ids[vacant] ^= 1u;
    return session->ids[vacant];
}

/* Takes receipts back. The service is told when none is left; ids that name nothing, and the root, are ignored. */
static inline void carnet_give_back(struct carnet_session *session, uint32_t id, uint32_t receipts)
{
    size_t index = id & (CARNET_OBJECTS_MAX - 1);
    const struct carnet_service *service = session->services[index];
    if (session->ids[index] != id || id == 1 || service == NULL) {
        return;
    }
    session->receipts[index] -= receipts < session->receipts[index] ? receipts : session->receipts[index];
    if (session->receipts[index] > 0) {
        return;
    }
    session->services[index] = NULL;
    session->ids[index] = (id + (1u << 16)) ^ 1u;
    carnet_let_go_of(session, session->objects[index], service);
}

/* The reply cannot be sent: takes back the portals that it hands out, `portals` behind `words` words, and tells the services of
 * objects that were left out that the client holds none on them. */
static inline void carnet_take_back(struct carnet_session *session, const uint64_t *reply, size_t words, size_t portals)
{
    size_t index, held;
    for (index = 0; index < session->left_out; index++) {
        void *object = session->left_out_objects[index];
        const struct carnet_service *service = session->left_out_services[index];
        for (held = 1; held < CARNET_OBJECTS_MAX; held++) {
            if (carnet_is_held_at(session, held, object, service)) {
                break;
            }
        }
        if (held == CARNET_OBJECTS_MAX) {
            carnet_let_go_of(session, object, service);
        }
    }
    session->left_out = 0;
    /* Behind that: what was handed out as well is let go of here. */
    for (index = 0; index < portals; index++) {
        carnet_give_back(session, carnet_portal_id(reply, words, index), 1);
    }
}

/* The client's end of a session is gone: takes everything back. */
static inline void carnet_session_end(struct carnet_session *session)
{
    size_t index;
    for (index = 2; index < CARNET_OBJECTS_MAX; index++) {
        if (session->services[index] != NULL) {
            session->receipts[index] = 1;
            carnet_give_back(session, session->ids[index], 1);
        }
    }
}

/* `release` of a channel to objects of the same process. */
static inline void carnet_release_here(struct carnet_channel *channel, const uint32_t *ids, size_t count)
{
    while (count-- > 0) {
        carnet_give_back(carnet_session_of(channel), *ids++, 1);
    }
}

/* Its `end`: the root, too, is called no more. */
static inline void carnet_end_here(struct carnet_channel *channel)
{
    struct carnet_session *session = carnet_session_of(channel);
    carnet_session_end(session);
    session->ids[1] = 0;
    session->services[1] = NULL;
}

/* Makes a session for a client in the same process, with `bytes` bytes of buffer behind it, and the client's first portal.
 * False if the buffer is too small for what the root's interface may send, or for words alone. */
static inline bool carnet_session_here(struct carnet_session *session, size_t bytes, void *root,
                                       const struct carnet_service *service, struct carnet_portal *portal)
{
    carnet_channel_init(&session->channel, carnet_dispatch, bytes);
    session->channel.pass = carnet_enter;
    session->channel.pass_half = carnet_enter_half;
    session->channel.release = carnet_release_here;
    session->channel.end = carnet_end_here;
    portal->channel = &session->channel;
    portal->id = 1;
    return carnet_session_init(session, root, service);
}

/* Whether an interface is the one with this hash, or inherits from it. */
static inline bool carnet_is_a(const struct carnet_interface *interface, uint64_t hash)
{
    while (interface != NULL && interface->hash != hash) {
        interface = interface->base;
    }
    return interface != NULL;
}

/* Finds the object that portal id number `index` of a request names; false if there is none of this interface. */
static inline bool carnet_find_object(struct carnet_channel *channel, const uint64_t *message, size_t words,
                                      size_t portals, uint64_t index, uint64_t hash, void **found)
{
    const struct carnet_session *session = carnet_session_of(channel);
    uint32_t id = index < portals ? carnet_portal_id(message, words, (size_t)index) : 0;
    size_t slot = id & (CARNET_OBJECTS_MAX - 1);
    *found = session->objects[slot];
    return session->ids[slot] == id && carnet_is_a(session->services[slot]->interface, hash);
}

/* Hands `made` out as portal id number `index` of a reply. */
static inline bool carnet_put_made(struct carnet_channel *channel, uint64_t *reply, size_t words, size_t index,
                                   void *made, const struct carnet_service *service)
{
    uint32_t id = carnet_hand_out(carnet_session_of(channel), made, service);
    uint64_t before = index % 2 == 0 ? 0 : carnet_get(reply, 2 + words + index / 2);
    carnet_brings(channel, reply);
    carnet_put(reply, 2 + words + index / 2, before | (uint64_t)id << (index % 2 * 32));
    return id != 0;
}

#ifdef __cplusplus
}
#endif

#endif
