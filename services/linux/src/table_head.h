/*
 * System calls of the interface `linux.idl`, for an interpreter in the kernel. Generated: BLESS=1 cargo test -p carnet-linux table
 *
 * An operation's argument block has `ins` words of what is sent, and behind them the words of what comes back, `words` in all.
 * The call's registers are filled by `argument`, in order; the call's own value goes to word `value` of the block, unless that is -1.
 * A value below 0 and above -4096 is an error: the operation raises it, with its text from carnet_linux_errors.
 *
 * kind              register                                                    word, other, max, allowed
 * CONSTANT          the number `max`
 * VALUE             word; EINVAL if bits beside `allowed` are set; at most `max`; EINVAL below 0 if `max` is not LLONG_MAX
 * TEXT              the address of a string of at most `max` bytes, with a NUL behind; it has no NUL itself
 * BYTES             the address of at most `max` bytes
 * SENT_SIZE         the size in bytes of the argument before: BYTES, ADDRESS, INT
 * STRUCT            the address of layout `other`, filled from the words
 * ADDRESS           the address of a sockaddr_in or sockaddr_in6, filled from 7 words: family, port, IPv4 address, both halves of the IPv6
 *                   address, scope, flow; numbers are in the host's order; EAFNOSUPPORT for another family
 * INT               the address of an int with the word
 * LIST              the address of structures of layout `other`, at most `max`, filled from the list; they come back as the list of
 *                   word `allowed`
 * CHANGED           the address of layout `other`, filled from the words; it comes back in the words from `allowed`
 * ELEMENTS          the number of structures of the argument before
 * ROOM              the address of room for bytes, which the word names; the argument behind is its size: at most `max`, and at most
 *                   what the caller has; the call's value is how many come back
 * ROOM_TEXT         the same for a string, which ends before its first NUL
 * ROOM_ENTRIES      room for struct linux_dirent64s, which come back as a list of: ino, off, kind, name
 * RETURNED          the address of room for layout `other`, and for what the kernel has behind it (400 bytes are enough); EOVERFLOW for
 *                   an unsigned field of 64 bits above LLONG_MAX
 * RETURNED_ADDRESS  the address of room for a sockaddr_storage, read as ADDRESS is written; all zeros for another family
 * RETURNED_INT      the address of an int
 * RETURNED_SIZE     the address of an int with the size of the room before: 128 for RETURNED_ADDRESS, 4 for RETURNED_INT
 */
#ifndef CARNET_LINUX_TABLE_H
#define CARNET_LINUX_TABLE_H

#define CARNET_WRITES 1
#define CARNET_BLOCKS 2
#define CARNET_IDEMPOTENT 4

enum carnet_kind {
    CARNET_CONSTANT,
    CARNET_VALUE,
    CARNET_TEXT,
    CARNET_BYTES,
    CARNET_SENT_SIZE,
    CARNET_STRUCT,
    CARNET_ADDRESS,
    CARNET_INT,
    CARNET_LIST,
    CARNET_ELEMENTS,
    CARNET_ROOM,
    CARNET_ROOM_TEXT,
    CARNET_ROOM_ENTRIES,
    CARNET_RETURNED,
    CARNET_RETURNED_ADDRESS,
    CARNET_RETURNED_INT,
    CARNET_RETURNED_SIZE,
    CARNET_CHANGED,
};

enum carnet_field_kind {
    CARNET_UNSIGNED,
    CARNET_SIGNED,
    CARNET_CHARS,
};

struct carnet_argument {
    unsigned char kind;
    unsigned char word;
    unsigned char other;
    long long max;
    long long allowed;
};

/* One word of a structure, in the order of the words: where it stands in C's structure. */
struct carnet_field {
    unsigned short offset;
    unsigned short size;
    unsigned char kind;
};

struct carnet_layout {
    unsigned short size;
    unsigned short fields;
    const struct carnet_field *field;
};

struct carnet_operation {
    unsigned long long hash;
    unsigned short number;
    unsigned char ins;
    unsigned char words;
    signed char value;
    unsigned char arguments;
    unsigned char flags;
    struct carnet_argument argument[6];
};
