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

#define CARNET_LINUX_INTERFACE 0xd595b35523cc00a8ULL
#define CARNET_LINUX_ERRNO 0x4a42b7c48ebcac17ULL
#define CARNET_LINUX_OPERATIONS 78
#define CARNET_LINUX_LAYOUTS 8
#define CARNET_LINUX_ERRORS 134

static const struct carnet_field carnet_linux_fields_0[] = {
    { 0, 8, CARNET_UNSIGNED },
    { 8, 8, CARNET_UNSIGNED },
    { 16, 8, CARNET_UNSIGNED },
    { 24, 4, CARNET_UNSIGNED },
    { 28, 4, CARNET_UNSIGNED },
    { 32, 4, CARNET_UNSIGNED },
    { 40, 8, CARNET_UNSIGNED },
    { 48, 8, CARNET_SIGNED },
    { 56, 8, CARNET_SIGNED },
    { 64, 8, CARNET_SIGNED },
    { 72, 8, CARNET_SIGNED },
    { 80, 8, CARNET_SIGNED },
    { 88, 8, CARNET_SIGNED },
    { 96, 8, CARNET_SIGNED },
    { 104, 8, CARNET_SIGNED },
    { 112, 8, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_1[] = {
    { 0, 4, CARNET_SIGNED },
    { 4, 2, CARNET_SIGNED },
    { 6, 2, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_2[] = {
    { 0, 8, CARNET_SIGNED },
    { 8, 8, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_3[] = {
    { 0, 65, CARNET_CHARS },
    { 65, 65, CARNET_CHARS },
    { 130, 65, CARNET_CHARS },
    { 195, 65, CARNET_CHARS },
    { 260, 65, CARNET_CHARS },
    { 325, 65, CARNET_CHARS },
};

static const struct carnet_field carnet_linux_fields_4[] = {
    { 0, 8, CARNET_SIGNED },
    { 8, 8, CARNET_SIGNED },
    { 16, 8, CARNET_UNSIGNED },
    { 24, 8, CARNET_UNSIGNED },
    { 32, 8, CARNET_UNSIGNED },
    { 40, 8, CARNET_UNSIGNED },
    { 48, 8, CARNET_UNSIGNED },
    { 56, 4, CARNET_SIGNED },
    { 60, 4, CARNET_SIGNED },
    { 64, 8, CARNET_SIGNED },
    { 72, 8, CARNET_SIGNED },
    { 80, 8, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_5[] = {
    { 0, 8, CARNET_SIGNED },
    { 8, 8, CARNET_SIGNED },
    { 16, 8, CARNET_SIGNED },
    { 24, 8, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_6[] = {
    { 0, 4, CARNET_SIGNED },
    { 4, 4, CARNET_SIGNED },
};

static const struct carnet_field carnet_linux_fields_7[] = {
    { 0, 4, CARNET_UNSIGNED },
    { 4, 4, CARNET_UNSIGNED },
    { 8, 8, CARNET_UNSIGNED },
    { 16, 4, CARNET_UNSIGNED },
    { 20, 4, CARNET_UNSIGNED },
    { 24, 4, CARNET_UNSIGNED },
    { 28, 2, CARNET_UNSIGNED },
    { 32, 8, CARNET_UNSIGNED },
    { 40, 8, CARNET_UNSIGNED },
    { 48, 8, CARNET_UNSIGNED },
    { 56, 8, CARNET_UNSIGNED },
    { 64, 8, CARNET_SIGNED },
    { 72, 4, CARNET_UNSIGNED },
    { 76, 4, CARNET_SIGNED },
    { 80, 8, CARNET_SIGNED },
    { 88, 4, CARNET_UNSIGNED },
    { 92, 4, CARNET_SIGNED },
    { 96, 8, CARNET_SIGNED },
    { 104, 4, CARNET_UNSIGNED },
    { 108, 4, CARNET_SIGNED },
    { 112, 8, CARNET_SIGNED },
    { 120, 4, CARNET_UNSIGNED },
    { 124, 4, CARNET_SIGNED },
    { 128, 4, CARNET_UNSIGNED },
    { 132, 4, CARNET_UNSIGNED },
    { 136, 4, CARNET_UNSIGNED },
    { 140, 4, CARNET_UNSIGNED },
};

static const struct carnet_layout carnet_linux_layouts[CARNET_LINUX_LAYOUTS] = {
    { 120, 16, carnet_linux_fields_0 },
    { 8, 3, carnet_linux_fields_1 },
    { 16, 2, carnet_linux_fields_2 },
    { 390, 6, carnet_linux_fields_3 },
    { 88, 12, carnet_linux_fields_4 },
    { 32, 4, carnet_linux_fields_5 },
    { 8, 2, carnet_linux_fields_6 },
    { 144, 27, carnet_linux_fields_7 },
};

static const struct carnet_operation carnet_linux_operations[CARNET_LINUX_OPERATIONS] = {
    /* read */
    { 0x966d93fc3a513f3dULL, 0, 2, 3, -1, 3, CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ROOM, 2, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 1, 0, 1048576LL, -1LL },
    } },
    /* write */
    { 0x146f31fa588caadeULL, 1, 2, 3, 2, 3, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_BYTES, 1, 0, 1048576LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* open */
    { 0xc8a5941086c503a7ULL, 2, 2, 3, 2, 3, CARNET_BLOCKS, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 755712LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* open_write */
    { 0x44b6597e80cda7e1ULL, 2, 3, 4, 3, 3, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 1744579LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 511LL },
    } },
    /* close */
    { 0xeba4ed71d47e0358ULL, 3, 1, 1, -1, 1, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
    } },
    /* stat */
    { 0xb61afa827888ba84ULL, 4, 1, 17, -1, 2, 0, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_RETURNED, 1, 0, 0LL, -1LL },
    } },
    /* fstat */
    { 0xc137ce9a4ab81410ULL, 5, 1, 17, -1, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED, 1, 0, 0LL, -1LL },
    } },
    /* lstat */
    { 0x98f04794751b1343ULL, 6, 1, 17, -1, 2, 0, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_RETURNED, 1, 0, 0LL, -1LL },
    } },
    /* poll */
    { 0xd06cdf3d8f980a6fULL, 7, 4, 7, -1, 3, CARNET_BLOCKS, {
        { CARNET_CHANGED, 0, 1, 0LL, 4LL },
        { CARNET_CONSTANT, 0, 0, 1LL, -1LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, -1LL },
    } },
    /* poll_several */
    { 0x1a97782b265ac580ULL, 7, 2, 3, -1, 3, CARNET_BLOCKS, {
        { CARNET_LIST, 0, 1, 64LL, 2LL },
        { CARNET_ELEMENTS, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
    } },
    /* lseek */
    { 0x2eeb6ac87c272df9ULL, 8, 3, 4, 3, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
    } },
    /* pread64 */
    { 0x2070cd5ded3aa68bULL, 17, 3, 4, -1, 4, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ROOM, 3, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 1, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
    } },
    /* pwrite64 */
    { 0xdd4e1608bcc6151fULL, 18, 3, 4, 3, 4, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_BYTES, 1, 0, 1048576LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
    } },
    /* sched_yield */
    { 0xb5a5694a5efef421ULL, 24, 0, 0, -1, 0, 0, {
    } },
    /* dup */
    { 0x3cd8aaa5666c55d9ULL, 32, 1, 2, 1, 1, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
    } },
    /* dup2 */
    { 0xf8a0a91d491ed5b9ULL, 33, 2, 3, 2, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
    } },
    /* nanosleep */
    { 0x0ef678b532e13dafULL, 35, 2, 2, -1, 2, CARNET_BLOCKS, {
        { CARNET_STRUCT, 0, 2, 0LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* getpid */
    { 0x3382a3db645c45aaULL, 39, 0, 1, 0, 0, 0, {
    } },
    /* sendfile */
    { 0x8d0d43b3389064d7ULL, 40, 3, 4, 3, 4, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 1048576LL, -1LL },
    } },
    /* socket */
    { 0x26cdc3fe259659f4ULL, 41, 3, 4, 3, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 526339LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
    } },
    /* connect */
    { 0x89f086d6d7c131a2ULL, 42, 8, 8, -1, 3, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ADDRESS, 1, 0, 0LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* sendto */
    { 0x6a6518806c9ec4fbULL, 44, 10, 11, 10, 6, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_BYTES, 1, 0, 1048576LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 49344LL },
        { CARNET_ADDRESS, 3, 0, 0LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* send */
    { 0xdac77b511a5b23cdULL, 44, 3, 4, 3, 6, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_BYTES, 1, 0, 1048576LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 49344LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* recvfrom */
    { 0x107858fa86474b9aULL, 45, 3, 11, -1, 6, CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ROOM, 3, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 1, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 322LL },
        { CARNET_RETURNED_ADDRESS, 4, 0, 0LL, -1LL },
        { CARNET_RETURNED_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* recv */
    { 0x4d32af914c49c69cULL, 45, 3, 4, -1, 6, CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ROOM, 3, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 1, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 322LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* shutdown */
    { 0xc53d953bf9bbe22bULL, 48, 2, 2, -1, 2, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
    } },
    /* bind */
    { 0x4f707aa748711b72ULL, 49, 8, 8, -1, 3, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ADDRESS, 1, 0, 0LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* listen */
    { 0x6145acf5425a6569ULL, 50, 2, 2, -1, 2, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
    } },
    /* getsockname */
    { 0x9705a738532cc4fcULL, 51, 1, 8, -1, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED_ADDRESS, 1, 0, 0LL, -1LL },
        { CARNET_RETURNED_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* getpeername */
    { 0xadf8b68175c831a0ULL, 52, 1, 8, -1, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED_ADDRESS, 1, 0, 0LL, -1LL },
        { CARNET_RETURNED_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* setsockopt */
    { 0xd2b402bd81a2a9a5ULL, 54, 4, 4, -1, 5, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_INT, 3, 0, 0LL, -1LL },
        { CARNET_SENT_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* getsockopt */
    { 0xe70cc179b70bf4dbULL, 55, 3, 4, -1, 5, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED_INT, 3, 0, 0LL, -1LL },
        { CARNET_RETURNED_SIZE, 0, 0, 0LL, -1LL },
    } },
    /* uname */
    { 0xd57200bb91d79508ULL, 63, 0, 6, -1, 1, 0, {
        { CARNET_RETURNED, 0, 3, 0LL, -1LL },
    } },
    /* flock */
    { 0x100ea603027b1854ULL, 73, 2, 2, -1, 2, CARNET_WRITES | CARNET_BLOCKS | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 15LL },
    } },
    /* fsync */
    { 0x4ba970080dae235fULL, 74, 1, 1, -1, 1, CARNET_WRITES | CARNET_BLOCKS | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
    } },
    /* fdatasync */
    { 0x573cb5bdf3a55f68ULL, 75, 1, 1, -1, 1, CARNET_WRITES | CARNET_BLOCKS | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
    } },
    /* ftruncate */
    { 0x915a8a02fb955a8aULL, 77, 2, 2, -1, 2, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
    } },
    /* getcwd */
    { 0x4a270fff2fe80745ULL, 79, 0, 1, -1, 2, 0, {
        { CARNET_ROOM_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 4096LL, -1LL },
    } },
    /* rename */
    { 0x2d480f49290f381dULL, 82, 2, 2, -1, 2, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
    } },
    /* mkdir */
    { 0x2c5a3e1fda41ace0ULL, 83, 2, 2, -1, 2, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 511LL },
    } },
    /* rmdir */
    { 0xd137020a3df494d8ULL, 84, 1, 1, -1, 1, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
    } },
    /* creat */
    { 0x75070d41cbe3bf17ULL, 85, 2, 3, 2, 2, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 511LL },
    } },
    /* link */
    { 0x21b15e0c889a9da5ULL, 86, 2, 2, -1, 2, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
    } },
    /* unlink */
    { 0x1ae4c9e6706fba01ULL, 87, 1, 1, -1, 1, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
    } },
    /* symlink */
    { 0xb2be109431698979ULL, 88, 2, 2, -1, 2, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
    } },
    /* readlink */
    { 0xea1fd67fb49f91ceULL, 89, 1, 2, -1, 3, 0, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_ROOM_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 4096LL, -1LL },
    } },
    /* fchmod */
    { 0x1536f8736427a53aULL, 91, 2, 2, -1, 2, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 511LL },
    } },
    /* umask */
    { 0x9a721aad983f3ddcULL, 95, 1, 2, 1, 1, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, 511LL },
    } },
    /* getuid */
    { 0x485316c7bd53c2cfULL, 102, 0, 1, 0, 0, 0, {
    } },
    /* getgid */
    { 0x06ee9b428f386366ULL, 104, 0, 1, 0, 0, 0, {
    } },
    /* geteuid */
    { 0xb70fa79fec8e3e3cULL, 107, 0, 1, 0, 0, 0, {
    } },
    /* getegid */
    { 0x69b6a4b8119279aeULL, 108, 0, 1, 0, 0, 0, {
    } },
    /* statfs */
    { 0x20d14f354b3f31ffULL, 137, 1, 13, -1, 2, 0, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_RETURNED, 1, 4, 0LL, -1LL },
    } },
    /* fstatfs */
    { 0x8a1053a79707fca8ULL, 138, 1, 13, -1, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED, 1, 4, 0LL, -1LL },
    } },
    /* getdents64 */
    { 0xedf1a041cda82278ULL, 217, 2, 3, -1, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_ROOM_ENTRIES, 2, 0, 32784LL, -1LL },
        { CARNET_VALUE, 1, 0, 32784LL, -1LL },
    } },
    /* fadvise64 */
    { 0x8d21d1f4d493ca4eULL, 221, 4, 4, -1, 4, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, -1LL },
    } },
    /* clock_gettime */
    { 0x4187a0f583408529ULL, 228, 1, 3, -1, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED, 1, 2, 0LL, -1LL },
    } },
    /* clock_getres */
    { 0x93f6b21258e3cf0fULL, 229, 1, 3, -1, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED, 1, 2, 0LL, -1LL },
    } },
    /* openat */
    { 0x0b4778d13fa2ed71ULL, 257, 3, 4, 3, 4, CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 755712LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* openat_write */
    { 0x338d862cc823c432ULL, 257, 4, 5, 4, 4, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 1744579LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, 511LL },
    } },
    /* mkdirat */
    { 0x1d6c5279444b1714ULL, 258, 3, 3, -1, 3, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 511LL },
    } },
    /* newfstatat */
    { 0xa942793c1b143352ULL, 262, 3, 19, -1, 4, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_RETURNED, 3, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 30976LL },
    } },
    /* unlinkat */
    { 0x5402d1bb525f398fULL, 263, 3, 3, -1, 3, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 512LL },
    } },
    /* linkat */
    { 0x5dbe921664141148ULL, 265, 5, 5, -1, 5, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 3, 0, 4096LL, -1LL },
        { CARNET_VALUE, 4, 0, 9223372036854775807LL, 1024LL },
    } },
    /* symlinkat */
    { 0x5cccc1aa1e2e8871ULL, 266, 3, 3, -1, 3, CARNET_WRITES, {
        { CARNET_TEXT, 0, 0, 4096LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 2, 0, 4096LL, -1LL },
    } },
    /* readlinkat */
    { 0xf42232a0ebb2abdeULL, 267, 2, 3, -1, 4, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_ROOM_TEXT, 2, 0, 4096LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 4096LL, -1LL },
    } },
    /* splice */
    { 0x8bc9f39d8f649be9ULL, 275, 4, 5, 4, 6, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, 7LL },
    } },
    /* utimensat */
    { 0x6cca8d9b39fae6ecULL, 280, 5, 5, -1, 4, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_STRUCT, 1, 5, 0LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* fallocate */
    { 0xeea3ba01fa4624cbULL, 285, 4, 4, -1, 4, CARNET_WRITES | CARNET_IDEMPOTENT, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 19LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, -1LL },
    } },
    /* accept4 */
    { 0x5e24d22e2e500591ULL, 288, 2, 10, 2, 4, CARNET_WRITES | CARNET_BLOCKS, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED_ADDRESS, 3, 0, 0LL, -1LL },
        { CARNET_RETURNED_SIZE, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 526336LL },
    } },
    /* eventfd2 */
    { 0x04a3e7ee4d8346deULL, 290, 2, 3, 2, 2, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 526337LL },
    } },
    /* dup3 */
    { 0x61e62203e19d70e9ULL, 292, 3, 4, 3, 3, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 524288LL },
    } },
    /* pipe2 */
    { 0x5af7a99ce1b6d3dcULL, 293, 1, 3, -1, 2, 0, {
        { CARNET_RETURNED, 1, 6, 0LL, -1LL },
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, 526336LL },
    } },
    /* renameat2 */
    { 0x0bab2838e629d4c0ULL, 316, 5, 5, -1, 5, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 3, 0, 4096LL, -1LL },
        { CARNET_VALUE, 4, 0, 9223372036854775807LL, 3LL },
    } },
    /* getrandom */
    { 0x9f187291205e2729ULL, 318, 2, 3, -1, 3, 0, {
        { CARNET_ROOM, 2, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 0, 0, 1048576LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, 7LL },
    } },
    /* copy_file_range */
    { 0x18c3a621beda4fa8ULL, 326, 3, 4, 3, 6, CARNET_WRITES, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 1, 0, 9223372036854775807LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
        { CARNET_VALUE, 2, 0, 1048576LL, -1LL },
        { CARNET_CONSTANT, 0, 0, 0LL, -1LL },
    } },
    /* statx */
    { 0x3aff93b0de82818fULL, 332, 4, 31, -1, 5, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 30976LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, -1LL },
        { CARNET_RETURNED, 4, 7, 0LL, -1LL },
    } },
    /* faccessat2 */
    { 0x5236c24fb5241835ULL, 439, 4, 4, -1, 4, 0, {
        { CARNET_VALUE, 0, 0, 9223372036854775807LL, -1LL },
        { CARNET_TEXT, 1, 0, 4096LL, -1LL },
        { CARNET_VALUE, 2, 0, 9223372036854775807LL, 7LL },
        { CARNET_VALUE, 3, 0, 9223372036854775807LL, 4864LL },
    } },
};

static const char *const carnet_linux_errors[CARNET_LINUX_ERRORS] = {
    "not an error",
    "operation not permitted",
    "no such file or directory",
    "no such process",
    "interrupted system call",
    "input/output error",
    "no such device or address",
    "argument list too long",
    "exec format error",
    "bad file descriptor",
    "no child processes",
    "resource temporarily unavailable",
    "cannot allocate memory",
    "permission denied",
    "bad address",
    "block device required",
    "device or resource busy",
    "file exists",
    "invalid cross-device link",
    "no such device",
    "not a directory",
    "is a directory",
    "invalid argument",
    "too many open files in system",
    "too many open files",
    "inappropriate ioctl for device",
    "text file busy",
    "file too large",
    "no space left on device",
    "illegal seek",
    "read-only file system",
    "too many links",
    "broken pipe",
    "numerical argument out of domain",
    "numerical result out of range",
    "resource deadlock avoided",
    "file name too long",
    "no locks available",
    "function not implemented",
    "directory not empty",
    "too many levels of symbolic links",
    "not an error of this system",
    "no message of desired type",
    "identifier removed",
    "channel number out of range",
    "level 2 not synchronized",
    "level 3 halted",
    "level 3 reset",
    "link number out of range",
    "protocol driver not attached",
    "no CSI structure available",
    "level 2 halted",
    "invalid exchange",
    "invalid request descriptor",
    "exchange full",
    "no anode",
    "invalid request code",
    "invalid slot",
    "not an error of this system",
    "bad font file format",
    "device not a stream",
    "no data available",
    "timer expired",
    "out of streams resources",
    "machine is not on the network",
    "package not installed",
    "object is remote",
    "link has been severed",
    "advertise error",
    "srmount error",
    "communication error on send",
    "protocol error",
    "multihop attempted",
    "RFS specific error",
    "bad message",
    "value too large for defined data type",
    "name not unique on network",
    "file descriptor in bad state",
    "remote address changed",
    "can not access a needed shared library",
    "accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "attempting to link in too many shared libraries",
    "cannot exec a shared library directly",
    "invalid or incomplete multibyte or wide character",
    "interrupted system call should be restarted",
    "streams pipe error",
    "too many users",
    "socket operation on non-socket",
    "destination address required",
    "message too long",
    "protocol wrong type for socket",
    "protocol not available",
    "protocol not supported",
    "socket type not supported",
    "operation not supported",
    "protocol family not supported",
    "address family not supported by protocol",
    "address already in use",
    "cannot assign requested address",
    "network is down",
    "network is unreachable",
    "network dropped connection on reset",
    "software caused connection abort",
    "connection reset by peer",
    "no buffer space available",
    "transport endpoint is already connected",
    "transport endpoint is not connected",
    "cannot send after transport endpoint shutdown",
    "too many references: cannot splice",
    "connection timed out",
    "connection refused",
    "host is down",
    "no route to host",
    "operation already in progress",
    "operation now in progress",
    "stale file handle",
    "structure needs cleaning",
    "not a XENIX named type file",
    "no XENIX semaphores available",
    "is a named type file",
    "remote I/O error",
    "disk quota exceeded",
    "no medium found",
    "wrong medium type",
    "operation canceled",
    "required key not available",
    "key has expired",
    "key has been revoked",
    "key was rejected by service",
    "owner died",
    "state not recoverable",
    "operation not possible due to RF-kill",
    "memory page has hardware error",
};

#endif
