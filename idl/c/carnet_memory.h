/* carnet_memory.h: memory that is handed over once: a portal on it is passed to as many calls as one likes, and both sides read it
 * where it is mapped. A client's side, and what servers have of it: carnet_session.h receives it.
 *
 *     carnet_memory_of(&memory, bytes, len);              or: carnet_memory_draft, fill it, carnet_memory_seal
 *     carnet_hand_over(root, &memory, &handed);
 *     call_sums_Sums_sum(root, handed, &sum);             as often as one likes
 *     carnet_release(handed);
 *
 *     call_sums_Sums_kept(root, &theirs);
 *     carnet_map(theirs, bytes_max, &memory);             memory.ptr, memory.len; it outlives portal and connection
 *     carnet_memory_end(&memory);
 *
 * Its interface is carnet::Memory of "carnet/memory.idl". Through shared memory descriptors go over the Unix socket, with the
 * number of the call; elsewhere the content travels in one message, and memory of a server is read in calls:
 *
 *     shm    Memory: length       + descriptor before ──► server        Map: portal ──►  server
 *            Reply: portal ◄─────────────────────────────               Reply: length ◄─ + descriptor before
 *     unix   Memory: the content ───────────────────────► server        size, read … ──► server
 *            Reply: portal ◄─────────────────────────────
 *
 * Nothing of what a server passes is believed: it must be a memory file that nobody can change any more, as long as it says, without
 * huge pages and holes. It is mapped for reading, and its descriptor closed. What is no memory file, or has many more bytes than are
 * wanted, is left in the socket, and no descriptor behind it is taken any more: from then on memory is read by calls.
 */
#ifndef CARNET_MEMORY_H
#define CARNET_MEMORY_H

#include "carnet_client.h"
#include "carnet_values.h"

#include <sys/inotify.h>
#include <sys/vfs.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CARNET_KIND_MEMORY 8u
#define CARNET_KIND_MAP 9u

/* Operations of carnet::Memory, and the most that one call of the second reads. */
#define CARNET_MEMORY_SIZE 0u
#define CARNET_MEMORY_READ 1u
#define CARNET_MEMORY_STEP (1u << 20)
/* Messages beside descriptors that are looked at until the one that is wanted: what lies before it is closed. */
#define CARNET_STALE_MAX 64u
/* Bytes of memory files that a client closes in one call, though nobody wants them: more of them are left in the socket. To free them
 * takes some 20 ms. */
#ifndef CARNET_CLOSED_BYTES_MAX
#define CARNET_CLOSED_BYTES_MAX ((uint64_t)64 << 20)
#endif
/* What a file may have behind its end: the rest of a large page. */
#define CARNET_LARGE_PAGE ((uint64_t)2 << 20)
/* Bytes that one client may hand over at the same time, all clients of one process, and all clients of a server; each piece counts as 64 KiB
 * at least, since it is a mapping. */
#ifndef CARNET_MEMORY_CLIENT_MAX
#define CARNET_MEMORY_CLIENT_MAX ((size_t)16 << 20)
#endif
#ifndef CARNET_MEMORY_MAX
#define CARNET_MEMORY_MAX ((size_t)64 << 20)
#endif
#ifndef CARNET_MEMORY_PROCESS_MAX
#define CARNET_MEMORY_PROCESS_MAX CARNET_SHARE(CARNET_MEMORY_MAX, CARNET_MEMORY_CLIENT_MAX)
#endif
#define CARNET_MEMORY_CHARGE_MIN ((size_t)64 << 10)
/* Memory of a server's own that it holds at the same time, for one client, for all clients of one process and in all: files, each of which is
 * a descriptor, and bytes. */
#ifndef CARNET_GIVEN_FILES_CLIENT_MAX
#define CARNET_GIVEN_FILES_CLIENT_MAX 32u
#endif
#ifndef CARNET_GIVEN_FILES_MAX
#define CARNET_GIVEN_FILES_MAX 256u
#endif
#ifndef CARNET_GIVEN_CLIENT_MAX
#define CARNET_GIVEN_CLIENT_MAX ((size_t)64 << 20)
#endif
#ifndef CARNET_GIVEN_MAX
#define CARNET_GIVEN_MAX ((size_t)256 << 20)
#endif
/* What clients of one process may have of what there is for all: three quarters, or as much as one client. */
#define CARNET_SHARE(all, own) ((all) - (all) / 4 > (own) ? (all) - (all) / 4 : (own))
#ifndef CARNET_GIVEN_FILES_PROCESS_MAX
#define CARNET_GIVEN_FILES_PROCESS_MAX CARNET_SHARE(CARNET_GIVEN_FILES_MAX, CARNET_GIVEN_FILES_CLIENT_MAX)
#endif
#ifndef CARNET_GIVEN_PROCESS_MAX
#define CARNET_GIVEN_PROCESS_MAX CARNET_SHARE(CARNET_GIVEN_MAX, CARNET_GIVEN_CLIENT_MAX)
#endif
/* What fstatfs says of memory files with pages of the usual size (linux/magic.h). */
#define CARNET_TMPFS 0x01021994

/* Bytes that nobody changes, at least one. */
struct carnet_memory {
    const void *ptr;
    size_t len;
    int file; /* to be passed; -1 of what was received, which is copied when it is handed over */
};

/* ---- Making ---- */

/* Gives it back. What was handed over stays with the server. Of one that is not there, all 0 but the file, there is nothing. */
static inline void carnet_memory_end(struct carnet_memory *memory)
{
    if (memory->len > 0) {
        (void)munmap((void *)(uintptr_t)memory->ptr, memory->len);
    }
    if (memory->file >= 0) {
        close(memory->file);
    }
    memory->ptr = NULL;
    memory->len = 0;
    memory->file = -1;
}

/* Maps a file of so many bytes; false if that cannot be. */
static inline bool carnet_memory_map(struct carnet_memory *memory, int file, size_t len, int protection, int flags)
{
    void *found = mmap(NULL, len, protection, flags, file, 0);
    memory->ptr = found == MAP_FAILED ? NULL : found;
    memory->len = found == MAP_FAILED ? 0 : len;
    return found != MAP_FAILED;
}

static inline carnet_status carnet_memory_failed(struct carnet_memory *memory)
{
    const char *why = strerror(errno);
    carnet_memory_end(memory);
    return carnet_note(CARNET_REFUSED, why);
}

/* `len` zero bytes, to be filled where they are returned; NULL, and carnet_failure, if there are none. */
static inline void *carnet_memory_draft(struct carnet_memory *memory, size_t len)
{
    memset(memory, 0, sizeof *memory);
    memory->file = -1;
    if (len == 0) {
        carnet_note(CARNET_BAD_ARGUMENT, "memory has at least one byte");
        return NULL;
    }
    memory->file = memfd_create("carnet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    /* A child that had it mapped for writing would keep it from being sealed. */
    if (memory->file < 0 || ftruncate(memory->file, (off_t)len) != 0 ||
        fcntl(memory->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0 ||
        !carnet_memory_map(memory, memory->file, len, PROT_READ | PROT_WRITE, MAP_SHARED) ||
        madvise((void *)(uintptr_t)memory->ptr, len, MADV_DONTFORK) != 0) {
        (void)carnet_memory_failed(memory);
        return NULL;
    }
    return (void *)(uintptr_t)memory->ptr;
}

/* What was drafted: from now on nobody can change it. It may lie elsewhere. It needs Linux 5.14. */
static inline carnet_status carnet_memory_seal(struct carnet_memory *memory)
{
    size_t len = memory->len;
    /* What was never written would be a hole, and taken by nobody. */
    if (madvise((void *)(uintptr_t)memory->ptr, len, CARNET_POPULATE_WRITE) != 0) {
        return carnet_memory_failed(memory);
    }
    (void)munmap((void *)(uintptr_t)memory->ptr, len);
    memory->len = 0;
    if (fcntl(memory->file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) != 0 ||
        !carnet_memory_map(memory, memory->file, len, PROT_READ, MAP_PRIVATE)) {
        return carnet_memory_failed(memory);
    }
    return CARNET_OK;
}

/* A copy of bytes. */
static inline carnet_status carnet_memory_of(struct carnet_memory *memory, const void *bytes, size_t len)
{
    void *place = carnet_memory_draft(memory, len);
    if (place == NULL) {
        return carnet_failure;
    }
    memcpy(place, bytes, len);
    return carnet_memory_seal(memory);
}

/* ---- Handing over ---- */

/* A reply that is not what was asked for, which has so many words; its portals are given back. */
static inline carnet_status carnet_memory_nonsense(struct carnet_channel *channel, struct carnet_answer answer, size_t words,
                                                   const char *text)
{
    size_t portals = CARNET_PORTALS(answer.head);
    if (carnet_is_whole(answer.head, carnet_data_at(words, portals), portals)) {
        carnet_let_go(channel, answer.reply, words, portals);
    }
    return carnet_note(CARNET_PROTOCOL, text);
}

/* The connection behind a portal; NULL if its object is of this process. */
static inline struct carnet_connection *carnet_connection_behind(struct carnet_portal portal)
{
    bool is_one = portal.channel != NULL && portal.channel->kind == CARNET_CONNECTION;
    return is_one ? carnet_connection_of(portal.channel) : NULL;
}

/* Passes a descriptor for call `call`; without waiting. */
static inline bool carnet_pass_file(int socket, uint32_t call, int file)
{
    union carnet_beside beside;
    struct iovec piece;
    struct msghdr what;
    memset(&beside, 0, sizeof beside);
    beside.head.cmsg_len = CMSG_LEN(sizeof(int));
    beside.head.cmsg_level = SOL_SOCKET;
    beside.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&beside.head), &file, sizeof file);
    piece.iov_base = &call;
    piece.iov_len = sizeof call;
    what = carnet_message_with(&piece, &beside, CMSG_SPACE(sizeof(int)));
    return sendmsg(socket, &what, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof call;
}

/* Sends the Memory of what is passed, or the content; its number, or 0 and why not in `*failed`. */
static inline uint32_t carnet_send_handed(struct carnet_connection *connection, const struct carnet_memory *memory,
                                          int64_t deadline_ms, struct carnet_answer *failed)
{
    struct carnet_channel *channel = &connection->channel;
    uint64_t *message = carnet_message(channel);
    volatile struct carnet_bytes *place = carnet_place(message, 0);
    uint32_t call = carnet_next_call(connection);
    if (connection->queue == NULL) {
        if (memory->len > CARNET_FRAME_BYTES_MAX - CARNET_HEAD_BYTES) {
            *failed = carnet_fail(channel, CARNET_BAD_ARGUMENT,
                                  "over a socket memory travels in one message, which has no room for it");
            return 0;
        }
        place->ptr = memory->ptr;
        place->len = memory->len;
        return carnet_send_frame(connection, CARNET_KIND_MEMORY, call, 0, CARNET_GATHERED(0, 0, 0), deadline_ms, failed);
    }
    if (!connection->is_dead && !carnet_pass_file(connection->socket, call, memory->file)) {
        *failed = carnet_fail(channel, CARNET_REFUSED,
                              errno == EPERM ? "this server takes no memory" : "the descriptor of memory cannot be passed");
        return 0;
    }
    message[2] = memory->len;
    return carnet_send_frame(connection, CARNET_KIND_MEMORY, call, 0, CARNET_FLAT(0, 24, 0), deadline_ms, failed);
}

/* Hands memory over through the connection of `root`, any portal of it; a portal on it. The server has it until that is released. */
static inline carnet_status carnet_hand_over(struct carnet_portal root, const struct carnet_memory *memory,
                                             struct carnet_portal *portal)
{
    struct carnet_connection *connection = carnet_connection_behind(root);
    struct carnet_answer answer;
    int64_t deadline_ms;
    uint32_t call;
    portal->channel = NULL;
    portal->id = 0;
    if (connection == NULL || memory->len == 0) {
        return carnet_note(CARNET_BAD_ARGUMENT, connection == NULL ? "memory is handed over through a connection"
                                                                   : "memory has at least one byte");
    }
    if (connection->queue != NULL && memory->file < 0) {
        struct carnet_memory copy;
        carnet_status status = carnet_memory_of(&copy, memory->ptr, memory->len);
        if (status == CARNET_OK) {
            status = carnet_hand_over(root, &copy, portal);
            carnet_memory_end(&copy);
        }
        return status;
    }
    deadline_ms = carnet_deadline(connection);
    call = carnet_send_handed(connection, memory, deadline_ms, &answer);
    if (call != 0) {
        answer = carnet_receive_reply(connection, call, deadline_ms);
    }
    if (CARNET_OP(answer.head) != 0) {
        return carnet_failed(answer);
    }
    if (CARNET_LEN(answer.head) != carnet_data_at(0, 1) || CARNET_PORTALS(answer.head) != 1) {
        return carnet_memory_nonsense(root.channel, answer, 0, "the server's answer to Memory is no portal");
    }
    portal->channel = root.channel;
    portal->id = carnet_portal_id(answer.reply, 0, 0);
    return CARNET_OK;
}

/* ---- Mapping ---- */

/* Takes the memory file that the other side passed for call `call`, if it is there; -1 if it is not. It and those before it, which are
 * closed, have at most `bytes_max` bytes together. Behind more, and behind what is no memory, nothing is looked for any more. */
static inline int carnet_take_file(int socket, uint32_t call, uint64_t bytes_max, bool *is_spoilt)
{
    unsigned looked;
    for (looked = 0; looked < CARNET_STALE_MAX && !*is_spoilt && carnet_ready(socket, POLLIN, 0); looked++) {
        uint32_t number = 0;
        struct iovec piece;
        ssize_t seen;
        int file;
        piece.iov_base = &number;
        piece.iov_len = sizeof number;
        *is_spoilt = !carnet_look_with(socket, &piece, bytes_max, &file, &seen);
        if (*is_spoilt || seen <= 0) {
            return -1;
        }
        carnet_took(file, &bytes_max);
        seen = recv(socket, &number, (size_t)seen, 0);
        if (seen == (ssize_t)sizeof number && number == call) {
            return file;
        }
        if (file >= 0) {
            close(file);
        }
    }
    return -1;
}

/* Maps what somebody passed, whose file is closed; NULL, or what is wrong with it. */
static inline const char *carnet_memory_accept(struct carnet_memory *memory, int file, uint64_t len)
{
    const int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    const char *fault = NULL;
    struct stat found;
    struct statfs system;
    int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0 || (seals & wanted) != wanted) {
        fault = "memory that could still be written";
    } else if (fstat(file, &found) != 0 || found.st_size <= 0 || (uint64_t)found.st_size != len) {
        /* Asked after the seals: from then on it cannot change. */
        fault = "memory of another length than was agreed";
    } else if (fstatfs(file, &system) != 0 || system.f_type != CARNET_TMPFS) {
        fault = "memory in huge pages";
    } else if (lseek(file, 0, SEEK_HOLE) != found.st_size) {
        fault = "memory of which a part was never written";
    } else if (!carnet_memory_map(memory, file, (size_t)len, PROT_READ, MAP_PRIVATE)) {
        fault = "memory that cannot be mapped";
    }
    close(file);
    return fault;
}

/* How many bytes memory of a server says that it has, read by a call. */
static inline carnet_status carnet_memory_ask(struct carnet_portal portal, uint64_t *len)
{
    struct carnet_answer answer =
        portal.channel->call(portal.channel, portal.id, CARNET_FLAT(CARNET_MEMORY_SIZE, CARNET_HEAD_BYTES, 0));
    uint64_t head = carnet_far(answer.reply, answer.head);
    if (CARNET_OP(head) != 0) {
        return carnet_failed(answer);
    }
    if (head != CARNET_FLAT(0, CARNET_HEAD_BYTES + 8, 0)) {
        return carnet_memory_nonsense(portal.channel, answer, 1, "Memory.size: the reply is not one of this operation");
    }
    *len = carnet_get(answer.reply, 2);
    return CARNET_OK;
}

/* Reads bytes from `at` on, as many as there is room for and one call gives. */
static inline carnet_status carnet_memory_read(struct carnet_portal portal, size_t at, struct carnet_buffer into,
                                               struct carnet_bytes *found)
{
    struct carnet_target target = carnet_target_of(0, into);
    struct carnet_landing landing = {&target, 1, 1, 1};
    uint64_t *message = carnet_message(portal.channel);
    struct carnet_answer answer;
    struct carnet_take take, part;
    carnet_put(message, 2, at);
    carnet_put(message, 3, CARNET_MEMORY_STEP);
    portal.channel->landing = &landing;
    answer = portal.channel->call(portal.channel, portal.id, CARNET_FLAT(CARNET_MEMORY_READ, CARNET_HEAD_BYTES + 16, 0));
    portal.channel->landing = NULL;
    if (CARNET_OP(answer.head) != 0) {
        return carnet_failed(answer);
    }
    if (carnet_take_landed(&take, portal.channel, answer, &landing)) {
        part = carnet_take_into(&take, &target);
        *found = carnet_take_bytes(&part, 0, 0, CARNET_MEMORY_STEP);
        if (!part.is_wrong && take.portals == 0) {
            return CARNET_OK;
        }
        carnet_take_undo(&take);
    }
    return carnet_note(CARNET_PROTOCOL, "Memory.read: the reply is not one of this operation");
}

static inline carnet_status carnet_memory_too_much(void)
{
    return carnet_note(CARNET_REFUSED, "memory of more bytes than are wanted");
}

/* Reads all of it by calls, without believing what the server says of it. */
static inline carnet_status carnet_memory_read_all(struct carnet_portal portal, size_t bytes_max, struct carnet_memory *memory)
{
    uint64_t len = 0;
    size_t at = 0;
    unsigned char *place;
    carnet_status status = carnet_memory_ask(portal, &len);
    if (status != CARNET_OK) {
        return status;
    }
    if (len > bytes_max) {
        return carnet_memory_too_much();
    }
    place = (unsigned char *)carnet_memory_draft(memory, (size_t)len);
    if (place == NULL) {
        return len == 0 ? carnet_note(CARNET_SERVICE, "memory of no bytes") : carnet_failure;
    }
    while (at < len) {
        struct carnet_bytes found = {NULL, 0};
        status = carnet_memory_read(portal, at, carnet_into(place + at, (size_t)len - at), &found);
        if (status == CARNET_OK && (found.len == 0 || found.len > len - at)) {
            status = carnet_note(CARNET_SERVICE, "memory of another size than it says");
        }
        if (status != CARNET_OK) {
            carnet_memory_end(memory);
            return status;
        }
        at += found.len;
    }
    return carnet_memory_seal(memory);
}

/* What files may have that a client takes who wants at most so many bytes. */
static inline uint64_t carnet_closed_bytes(size_t bytes_max)
{
    uint64_t wanted = bytes_max < UINT64_MAX - CARNET_LARGE_PAGE ? bytes_max + CARNET_LARGE_PAGE : UINT64_MAX;
    return wanted < CARNET_CLOSED_BYTES_MAX ? CARNET_CLOSED_BYTES_MAX : wanted;
}

/* What the server answers who asks for memory behind a portal: its length, and the descriptor in `*file`; -1 if it is to be read. */
static inline carnet_status carnet_memory_request(struct carnet_connection *connection, struct carnet_portal portal, size_t bytes_max,
                                                  uint64_t *len, int *file)
{
    int64_t deadline_ms = carnet_deadline(connection);
    struct carnet_answer answer;
    uint32_t call = carnet_next_call(connection);
    carnet_message(portal.channel)[2] = portal.id;
    carnet_let_pass(connection->socket, 1);
    call = carnet_send_frame(connection, CARNET_KIND_MAP, call, 0, CARNET_FLAT(0, 24, 1), deadline_ms, &answer);
    if (call != 0) {
        answer = carnet_receive_reply(connection, call, deadline_ms);
    }
    carnet_let_pass(connection->socket, 0);
    *file = -1;
    /* A server that knows nothing of it serves its calls. */
    if (CARNET_OP(answer.head) == CARNET_REFUSED || answer.head == CARNET_FLAT(0, CARNET_HEAD_BYTES, 0)) {
        return CARNET_OK;
    }
    if (CARNET_OP(answer.head) != 0) {
        return carnet_failed(answer);
    }
    if (answer.head != CARNET_FLAT(0, CARNET_HEAD_BYTES + 8, 0)) {
        return carnet_memory_nonsense(portal.channel, answer, 0, "the server's answer to Map is no length");
    }
    *len = carnet_get(answer.reply, 2);
    *file = carnet_take_file(connection->socket, call, carnet_closed_bytes(bytes_max), &connection->is_spoilt);
    if (*file < 0 && *len > bytes_max) {
        return carnet_memory_too_much();
    }
    if (*file < 0) {
        return carnet_note(CARNET_PROTOCOL, "the server's answer to Map carries no memory, or there is no descriptor left");
    }
    return CARNET_OK;
}

/* The memory behind a portal, of at most so many bytes: mapped if the connection shares memory with a server that made it, else
 * read by calls. A server that lies of it may have the caller free as many. */
static inline carnet_status carnet_map(struct carnet_portal portal, size_t bytes_max, struct carnet_memory *memory)
{
    struct carnet_connection *connection = carnet_connection_behind(portal);
    const char *fault;
    memset(memory, 0, sizeof *memory);
    memory->file = -1;
    if (portal.channel == NULL) {
        return carnet_note(CARNET_BAD_ARGUMENT, "no memory is behind the null portal");
    }
    if (connection != NULL && connection->queue != NULL && !connection->is_spoilt) {
        uint64_t len = 0;
        int file;
        carnet_status status = carnet_memory_request(connection, portal, bytes_max, &len, &file);
        if (status != CARNET_OK) {
            return status;
        }
        if (file >= 0 && len > bytes_max) {
            close(file);
            return carnet_memory_too_much();
        }
        if (file >= 0) {
            fault = carnet_memory_accept(memory, file, len);
            return fault == NULL ? (carnet_status)CARNET_OK : carnet_note(CARNET_PROTOCOL, fault);
        }
    }
    return carnet_memory_read_all(portal, bytes_max, memory);
}

/* ---- A server's objects ---- */

/* Whatever counts together: a client of a server, the process that it is of, whichever server of ours that connects to, or all clients
 * of a server. It is there as long as its owner, or anything that counts. Numbers are changed by any thread: each loop of a process has
 * a server of its own, and objects may go from one to another. */
struct carnet_account {
    size_t uses;
    struct carnet_account *process, *server; /* of a client's: that of its process, that of all */
    struct carnet_account *next;             /* of a process's: the other ones, whose numbers are others */
    uint32_t number;
    size_t handed_bytes; /* that clients have handed over */
    size_t given_files, given_bytes;
};

/* Memory as an object of carnet::Memory: a client's, until its last portal is released, or the server's own. */
struct carnet_held {
    struct carnet_memory memory;
    /* What it counts, and where: NULL of what the process made for itself. */
    size_t charge, files;
    struct carnet_account *account;
    bool is_given; /* of the server's own; else a client's */
    int watch;     /* of its file, if clients of the process `watcher` may have that; 0: they have not */
    pid_t watcher;
    struct carnet_held *next; /* of those that have ended, and that clients may have */
};

/* The client of a server whose request this thread serves, or NULL. */
__attribute__((weak)) __thread struct carnet_session *carnet_serving;
/* What this process has given out and is still held, whoever it was made for. */
__attribute__((weak)) size_t carnet_given_files;
__attribute__((weak)) size_t carnet_given_bytes;
/* The processes that clients are of; and whether somebody looks through them or changes how many use one. */
__attribute__((weak)) struct carnet_account *carnet_processes;
__attribute__((weak)) bool carnet_processes_held;
/* What has ended and somebody else may have, which counts as before; the descriptor that tells what nobody has any more, and 1, or 0 if
 * there was no need for it, and whose that is; and whether somebody uses any of them. */
__attribute__((weak)) struct carnet_held *carnet_lingering;
__attribute__((weak)) int carnet_watcher;
__attribute__((weak)) pid_t carnet_watcher_of;
__attribute__((weak)) bool carnet_lingering_held;

/* For a moment: others wait for whoever holds it. */
static inline void carnet_hold(bool *held)
{
    while (__atomic_test_and_set(held, __ATOMIC_ACQUIRE)) {
        sched_yield();
    }
}

static inline void carnet_let_others(bool *held)
{
    __atomic_clear(held, __ATOMIC_RELEASE);
}

/* The account of a process, which is used once more; NULL if there is no room. */
static inline struct carnet_account *carnet_process_use(uint32_t number)
{
    struct carnet_account *account;
    carnet_hold(&carnet_processes_held);
    account = carnet_processes;
    while (account != NULL && account->number != number) {
        account = account->next;
    }
    if (account == NULL && (account = (struct carnet_account *)calloc(1, sizeof *account)) != NULL) {
        account->number = number;
        account->next = carnet_processes;
        carnet_processes = account;
    }
    if (account != NULL) {
        account->uses++;
    }
    carnet_let_others(&carnet_processes_held);
    return account;
}

static inline void carnet_process_leave(struct carnet_account *account)
{
    struct carnet_account **link = &carnet_processes;
    carnet_hold(&carnet_processes_held);
    if (--account->uses == 0) {
        while (*link != account) {
            link = &(*link)->next;
        }
        *link = account->next;
        free(account);
    }
    carnet_let_others(&carnet_processes_held);
}

/* An account of all clients of a server; NULL if there is no room. */
static inline struct carnet_account *carnet_account_of_server(void)
{
    struct carnet_account *account = (struct carnet_account *)calloc(1, sizeof *account);
    if (account != NULL) {
        account->uses = 1;
    }
    return account;
}

/* That of a client of a server, and of a process; NULL if there is no room. */
static inline struct carnet_account *carnet_account_open(struct carnet_account *server, uint32_t process)
{
    struct carnet_account *account = (struct carnet_account *)calloc(1, sizeof *account);
    if (account == NULL || (account->process = carnet_process_use(process)) == NULL) {
        free(account);
        return NULL;
    }
    account->uses = 1;
    account->server = server;
    (void)__atomic_fetch_add(&server->uses, 1, __ATOMIC_RELAXED);
    return account;
}

static inline struct carnet_account *carnet_account_use(struct carnet_account *account)
{
    if (account != NULL) {
        (void)__atomic_fetch_add(&account->uses, 1, __ATOMIC_RELAXED);
    }
    return account;
}

/* Its owner, or something that counted, is gone. */
static inline void carnet_account_leave(struct carnet_account *account)
{
    while (account != NULL && __atomic_sub_fetch(&account->uses, 1, __ATOMIC_ACQ_REL) == 0) {
        struct carnet_account *server = account->server;
        if (account->process != NULL) {
            carnet_process_leave(account->process);
        }
        free(account);
        account = server;
    }
}

/* A number that is bounded, and by how much it grows. */
struct carnet_bound {
    size_t *number, more, max;
};

static inline void carnet_bounds_leave(const struct carnet_bound *bounds, size_t count)
{
    while (count-- > 0) {
        (void)__atomic_sub_fetch(bounds[count].number, bounds[count].more, __ATOMIC_RELAXED);
    }
}

/* Adds to several numbers, or to none: how many of them had room, which are all if it is done. */
static inline size_t carnet_bounds_take(const struct carnet_bound *bounds, size_t count)
{
    size_t index;
    for (index = 0; index < count; index++) {
        size_t found = __atomic_load_n(bounds[index].number, __ATOMIC_RELAXED);
        do {
            if (bounds[index].more > bounds[index].max || found > bounds[index].max - bounds[index].more) {
                carnet_bounds_leave(bounds, index);
                return index;
            }
        } while (!__atomic_compare_exchange_n(bounds[index].number, &found, found + bounds[index].more, false, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED));
    }
    return count;
}

#define CARNET_GIVEN_BOUNDS 6

/* The bounds of what is given out, in all, and of a client's process and its own, if it is for one; how many they are. */
static inline size_t carnet_given_bounds(struct carnet_bound bounds[CARNET_GIVEN_BOUNDS], struct carnet_account *client, size_t files,
                                         size_t bytes)
{
    const struct carnet_bound all[2] = {{&carnet_given_files, files, CARNET_GIVEN_FILES_MAX},
                                        {&carnet_given_bytes, bytes, CARNET_GIVEN_MAX}};
    memcpy(bounds, all, sizeof all);
    if (client != NULL) {
        const struct carnet_bound own[4] = {{&client->process->given_files, files, CARNET_GIVEN_FILES_PROCESS_MAX},
                                            {&client->process->given_bytes, bytes, CARNET_GIVEN_PROCESS_MAX},
                                            {&client->given_files, files, CARNET_GIVEN_FILES_CLIENT_MAX},
                                            {&client->given_bytes, bytes, CARNET_GIVEN_CLIENT_MAX}};
        memcpy(bounds + 2, own, sizeof own);
    }
    return client != NULL ? CARNET_GIVEN_BOUNDS : 2;
}

/* Where a descriptor of ours is a file for the system: "/proc/self/fd/7". */
struct carnet_file_path {
    char text[sizeof "/proc/self/fd/0123456789"];
};

static inline struct carnet_file_path carnet_file_path(int file)
{
    /* Without <stdio.h>, some of whose names interfaces may have. */
    struct carnet_file_path path = {"/proc/self/fd/0123456789"};
    char *end = path.text + sizeof path.text - 1, *digit = end;
    do {
        *--digit = (char)('0' + file % 10);
        file /= 10;
    } while (file > 0);
    memmove(path.text + sizeof "/proc/self/fd/" - 1, digit, (size_t)(end - digit) + 1);
    return path;
}

/* A memory file opened anew, for reading; -1 if that cannot be. */
static inline int carnet_file_again(int file)
{
    struct carnet_file_path path = carnet_file_path(file);
    return open(path.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a client may have a lease on it, which nobody waits for */
}

/* It counts no more, and what is left of it is given back. */
static inline void carnet_held_free(struct carnet_held *held);

/* What the descriptor of a process tells once it does not tell again, not even those that it was copied for: a process that was forked
 * since then has its own. What lingers there is its parent's, which counts it: it is put before `gone`, and what is first there then is
 * returned. */
static inline struct carnet_held *carnet_watcher_here(struct carnet_held *gone)
{
    struct carnet_held **last = &gone;
    if (carnet_watcher == 0 || carnet_watcher_of == getpid()) {
        return gone;
    }
    /* It is not closed: this process may have done that, and have something else by its number. */
    carnet_watcher = 0;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = carnet_lingering;
    __atomic_store_n(&carnet_lingering, (struct carnet_held *)NULL, __ATOMIC_RELAXED);
    return gone;
}

/* Gives back what nobody has any more. */
static inline void carnet_held_free_all(struct carnet_held *gone)
{
    while (gone != NULL) {
        struct carnet_held *held = gone;
        gone = held->next;
        carnet_held_free(held);
    }
}

/* From now on the system tells when nobody has a memory file any more: no descriptor, in a socket or of O_PATH neither, and no mapping. The
 * number that it tells of, or 0 if it cannot. */
static inline int carnet_watch(int file)
{
    struct carnet_file_path path = carnet_file_path(file);
    struct carnet_held *gone;
    int found = -1;
    carnet_hold(&carnet_lingering_held);
    gone = carnet_watcher_here(NULL);
    if (carnet_watcher == 0) {
        carnet_watcher = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) + 1;
        carnet_watcher_of = getpid();
    }
    if (carnet_watcher != 0) {
        found = inotify_add_watch(carnet_watcher - 1, path.text, IN_DELETE_SELF);
    }
    carnet_let_others(&carnet_lingering_held);
    carnet_held_free_all(gone);
    return found < 0 ? 0 : found;
}

/* Takes what is lingering with this number out of the list, and puts it before `gone`; what is first there then. */
static inline struct carnet_held *carnet_linger_end(int watch, struct carnet_held *gone)
{
    struct carnet_held **link = &carnet_lingering, *held;
    while (*link != NULL && (*link)->watch != watch) {
        link = &(*link)->next;
    }
    held = *link;
    if (held == NULL) {
        return gone; /* the second time that it is told */
    }
    __atomic_store_n(link, held->next, __ATOMIC_RELAXED);
    held->next = gone;
    return held;
}

/* Gives back what has ended and nobody has any more: done when something ends, and when somebody wants more than there is. What the
 * system has to tell until then is of what still counts, and so no more than it keeps. */
CARNET_COLD void carnet_sweep(void)
{
    struct inotify_event event;
    char told[64 * sizeof event];
    struct carnet_held *gone = NULL;
    ssize_t len, at;
    carnet_hold(&carnet_lingering_held);
    gone = carnet_watcher_here(gone);
    while (carnet_watcher != 0 && (len = read(carnet_watcher - 1, told, sizeof told)) > 0) {
        for (at = 0; at < len; at += (ssize_t)(sizeof event + event.len)) {
            memcpy(&event, told + at, sizeof event);
            gone = carnet_linger_end(event.wd, gone);
        }
    }
    carnet_let_others(&carnet_lingering_held);
    carnet_held_free_all(gone);
}

/* Whether anything is to be waited for. */
static inline bool carnet_is_lingering(void)
{
    return __atomic_load_n(&carnet_lingering, __ATOMIC_RELAXED) != NULL;
}

/* The pages of what has ended are there as long as anybody has the file, and so it counts as long. */
static inline void carnet_linger(struct carnet_held *held)
{
    struct carnet_memory memory = held->memory;
    held->memory.ptr = NULL;
    held->memory.len = 0;
    held->memory.file = -1;
    carnet_hold(&carnet_lingering_held);
    held->next = carnet_lingering;
    __atomic_store_n(&carnet_lingering, held, __ATOMIC_RELAXED);
    carnet_let_others(&carnet_lingering_held);
    carnet_memory_end(&memory); /* from here on others may find that it is gone */
    carnet_sweep();
}

/* Memory of the server's own counts from now on; or which bound that would break. */
static inline carnet_status carnet_give(struct carnet_account *client, size_t files, size_t bytes)
{
    struct carnet_bound bounds[CARNET_GIVEN_BOUNDS];
    size_t count = carnet_given_bounds(bounds, client, files, bytes), taken = carnet_bounds_take(bounds, count);
    if (taken < count && carnet_is_lingering()) {
        carnet_sweep();
        taken = carnet_bounds_take(bounds, count);
    }
    if (taken == count) {
        return CARNET_OK;
    }
    return carnet_note(CARNET_REFUSED, taken < 2   ? "clients have as much memory of the server as they may"
                                       : taken < 4 ? "clients of this process have as much memory of the server as those of one may"
                                                   : "this client has as much memory of the server as it may");
}

/* It counts no more. */
static inline void carnet_ungive(struct carnet_account *client, size_t files, size_t bytes)
{
    struct carnet_bound bounds[CARNET_GIVEN_BOUNDS];
    carnet_bounds_leave(bounds, carnet_given_bounds(bounds, client, files, bytes));
}

#define CARNET_HANDED_BOUNDS 3

/* The bounds of what clients hand over: a client's, its process's and that of all. */
static inline void carnet_handed_bounds(struct carnet_bound bounds[CARNET_HANDED_BOUNDS], struct carnet_account *client, size_t charge)
{
    const struct carnet_bound own[CARNET_HANDED_BOUNDS] = {{&client->handed_bytes, charge, CARNET_MEMORY_CLIENT_MAX},
                                                           {&client->process->handed_bytes, charge, CARNET_MEMORY_PROCESS_MAX},
                                                           {&client->server->handed_bytes, charge, CARNET_MEMORY_MAX}};
    memcpy(bounds, own, sizeof own);
}

/* Whether a client may hand over memory that counts as `charge` bytes: it counts then. */
static inline bool carnet_handed_take(struct carnet_account *client, size_t charge)
{
    struct carnet_bound bounds[CARNET_HANDED_BOUNDS];
    carnet_handed_bounds(bounds, client, charge);
    return carnet_bounds_take(bounds, CARNET_HANDED_BOUNDS) == CARNET_HANDED_BOUNDS;
}

static inline void carnet_handed_leave(struct carnet_account *client, size_t charge)
{
    struct carnet_bound bounds[CARNET_HANDED_BOUNDS];
    carnet_handed_bounds(bounds, client, charge);
    carnet_bounds_leave(bounds, CARNET_HANDED_BOUNDS);
}

/* Memory as an object that counts for nobody; NULL, and the memory is given back, if there is no room. */
static inline struct carnet_held *carnet_held_new(struct carnet_memory memory)
{
    struct carnet_held *held = (struct carnet_held *)calloc(1, sizeof *held);
    if (held == NULL) {
        carnet_memory_end(&memory);
        carnet_note(CARNET_REFUSED, "no room for memory");
        return NULL;
    }
    held->memory = memory;
    return held;
}

/* The account of the client that this thread serves, or NULL. */
static inline struct carnet_account *carnet_account_served(void)
{
    return carnet_serving == NULL ? NULL : carnet_serving->account;
}

/* Whether `files` more may be given out that have `bytes` bytes together: CARNET_OK, or CARNET_REFUSED, and carnet_failure_text says
 * which bound that would break. To be asked before they are made; carnet_held_of asks, too. */
static inline carnet_status carnet_may_give(size_t files, size_t bytes)
{
    carnet_status status = carnet_give(carnet_account_served(), files, bytes);
    if (status == CARNET_OK) {
        carnet_ungive(carnet_account_served(), files, bytes);
    }
    return status;
}

/* A server's own memory as an object, which counts for the client that is served until it is released by all. NULL, and the memory is
 * given back, if it may have no more, or there is no room; carnet_failure says so. */
static inline struct carnet_held *carnet_held_of(struct carnet_memory memory)
{
    struct carnet_account *account = carnet_account_served();
    size_t files = memory.file >= 0 ? 1 : 0, bytes = memory.len;
    struct carnet_held *held = NULL;
    if (carnet_give(account, files, bytes) != CARNET_OK) {
        carnet_memory_end(&memory);
        return NULL;
    }
    held = carnet_held_new(memory);
    if (held == NULL) {
        carnet_ungive(account, files, bytes);
        return NULL;
    }
    held->charge = bytes;
    held->files = files;
    held->account = carnet_account_use(account);
    held->is_given = true;
    return held;
}

static inline void carnet_held_free(struct carnet_held *held)
{
    if (held->is_given) {
        carnet_ungive(held->account, held->files, held->charge);
    } else if (held->account != NULL) {
        carnet_handed_leave(held->account, held->charge);
    }
    carnet_account_leave(held->account);
    carnet_memory_end(&held->memory);
    free(held);
}

/* Whether clients of this process may have it, and the system tells when they have not. */
static inline bool carnet_held_is_watched(const struct carnet_held *held)
{
    return held->watch != 0 && held->watcher == getpid();
}

/* What a server's function `released` of carnet::Memory does. It may be done later, on another thread, and when the server is gone. */
static inline void carnet_held_end(void *object)
{
    struct carnet_held *held = (struct carnet_held *)object;
    if (carnet_held_is_watched(held)) {
        carnet_linger(held);
    } else {
        carnet_held_free(held);
    }
}

/* A descriptor of memory of a server's own, to be passed; -1 if nobody could tell how long it is used, or there is none left. */
static inline int carnet_held_file(struct carnet_held *held)
{
    if (held->memory.file >= 0 && !carnet_held_is_watched(held)) {
        held->watch = carnet_watch(held->memory.file);
        held->watcher = getpid();
    }
    return held->watch == 0 ? -1 : carnet_file_again(held->memory.file);
}

/* What it `read`s: nothing of numbers below 0. Its `size` is carnet_held_size. */
static inline void carnet_held_read(const void *object, int64_t at, int64_t count, struct carnet_bytes *result)
{
    const struct carnet_memory *memory = &((const struct carnet_held *)object)->memory;
    if (at >= 0 && count > 0 && (uint64_t)at < memory->len) {
        size_t left = memory->len - (size_t)at;
        left = (uint64_t)count < left ? (size_t)count : left;
        result->ptr = (const char *)memory->ptr + at;
        result->len = left < CARNET_MEMORY_STEP ? left : CARNET_MEMORY_STEP;
    }
}

static inline int64_t carnet_held_size(const void *object)
{
    return (int64_t)((const struct carnet_held *)object)->memory.len;
}

/* What a server's function is given where its interface file says carnet::Memory: all of it, without a call. */
static inline struct carnet_bytes carnet_held_bytes(const void *object)
{
    const struct carnet_memory *memory = &((const struct carnet_held *)object)->memory;
    struct carnet_bytes bytes = {memory->ptr, memory->len};
    return bytes;
}

#ifdef __cplusplus
}
#endif

#endif
