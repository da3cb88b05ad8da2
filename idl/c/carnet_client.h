/* carnet_client.h: the client's end of a session through a Unix socket, or through memory that is shared over one.
 *
 *     struct carnet_portal root;
 *     if (carnet_connect("shm:./c.sock", &files_module, &files_Dir_interface, 5000, &root) != CARNET_OK) ...
 *     call_files_Dir_open(root, carnet_text("a"), &file);
 *     carnet_release(file);
 *     carnet_disconnect(root);
 *
 * One thread uses a connection at a time. Data that a call returns lie in the connection's buffer and are valid until
 * its next call, unless they went to one of the caller's. Through a socket a call costs one send and, if its reply is more than
 * a head, two receives; three with such buffers.
 */
#ifndef CARNET_CLIENT_H
#define CARNET_CLIENT_H

#include "carnet_into.h"
#include "carnet_shared.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest message, either way. Buffers are touched only as far as messages are long. */
#ifndef CARNET_FRAME_BYTES_MAX
#define CARNET_FRAME_BYTES_MAX (2u << 20)
#endif
#if CARNET_FRAME_BYTES_MAX < 4096 || CARNET_FRAME_BYTES_MAX > 16777216
#error "CARNET_FRAME_BYTES_MAX is from 4 KiB to 16 MiB"
#endif

#define CARNET_KIND_HELLO 1u
#define CARNET_KIND_RELEASE 4u
#define CARNET_KIND_SHARE 6u

/* Oneway calls that may be outstanding; the next one waits for an answer, so that nobody's memory fills with what is not done. */
#define CARNET_TOLD_MAX 64u

/* Portals of a connection whose calls wait in ways of their own. */
#define CARNET_WAITS_MAX 16u

/* How calls through one portal wait, and what was learnt of its answers. */
struct carnet_waits {
    uint32_t id;
    struct carnet_spin spin;
};

struct carnet_connection {
    int socket;
    int timeout_ms; /* -1: none */
    struct carnet_queue *queue; /* NULL: all goes through the socket */
    struct carnet_spin spin;
    struct carnet_spin *waits_as; /* NULL: the present call waits as the connection does */
    uint32_t waits_count;
    struct carnet_waits waits[CARNET_WAITS_MAX];
    uint32_t calls;
    uint32_t told; /* oneway calls whose answers have not come yet, and their numbers */
    uint32_t told_calls[CARNET_TOLD_MAX + 1];
    bool is_dead;
    carnet_status why_dead; /* what the server said at its end, or did wrong; 0: nothing that is more than an end */
    bool is_passed_to; /* descriptors may lie in the socket */
    bool is_spoilt;    /* something that is no memory lies there */
    struct carnet_gather gather;
    struct carnet_channel channel; /* its buffer follows */
};

static inline struct carnet_connection *carnet_connection_of(struct carnet_channel *channel)
{
    return (struct carnet_connection *)(void *)((char *)channel - offsetof(struct carnet_connection, channel));
}

/* How whoever waits now does so. */
static inline struct carnet_spin *carnet_connection_spin(struct carnet_connection *connection)
{
    return CARNET_LIKELY(connection->waits_as == NULL) ? &connection->spin : connection->waits_as;
}

/* What was said of a portal, or NULL. */
CARNET_COLD struct carnet_waits *carnet_waits_of(struct carnet_connection *connection, uint32_t id)
{
    uint32_t index;
    for (index = 0; index < connection->waits_count; index++) {
        if (connection->waits[index].id == id) {
            return &connection->waits[index];
        }
    }
    return NULL;
}

/* A call through a portal begins. */
static inline void carnet_waits_for(struct carnet_connection *connection, uint32_t id)
{
    connection->waits_as = NULL;
    if (CARNET_UNLIKELY(connection->waits_count > 0)) {
        struct carnet_waits *waits = carnet_waits_of(connection, id);
        connection->waits_as = waits == NULL ? NULL : &waits->spin;
    }
}

/* Waits until the socket is ready; false when the deadline has passed. */
static inline bool carnet_ready(int socket, short events, int64_t deadline_ms)
{
    for (;;) {
        struct pollfd wanted = {socket, events, 0};
        int64_t left = deadline_ms - carnet_now_ms();
        int found = poll(&wanted, 1, deadline_ms < 0 ? -1 : left < 0 ? 0 : left > 1000000 ? 1000000 : (int)left);
        if (found > 0) {
            return true;
        }
        if (found < 0 && errno != EINTR) {
            return true; /* the next operation says what is wrong */
        }
        if (deadline_ms >= 0 && carnet_now_ms() >= deadline_ms) {
            return false;
        }
    }
}

/* Sends what the socket takes of a frame at once, or says as errno why it took nothing. */
static inline bool carnet_send_some(int socket, struct carnet_frame *frame)
{
    struct msghdr what;
    ssize_t sent;
    memset(&what, 0, sizeof what);
    what.msg_iov = frame->parts;
    what.msg_iovlen = frame->count;
    do {
        sent = sendmsg(socket, &what, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) {
        carnet_skip(frame, (size_t)sent);
    }
    return sent >= 0;
}

/* Why a socket takes nothing, by errno: the peer has gone, or the fault is on this side, and nobody needs to be waited for. */
static inline carnet_status carnet_unsent_why(void)
{
    return errno == EPIPE || errno == ECONNRESET ? CARNET_PEER_DIED : errno == EFAULT ? CARNET_BAD_ARGUMENT : CARNET_REFUSED;
}

/* Whether a frame could not be sent, and the peer has no reason for that to be read. */
static inline bool carnet_is_unsent(carnet_status status)
{
    return status != CARNET_OK && status != CARNET_PEER_DIED;
}

/* Sends all of a frame. */
static inline carnet_status carnet_send(struct carnet_connection *connection, struct carnet_frame *frame, int64_t deadline_ms)
{
    struct carnet_queue *queue = connection->queue;
    for (;;) {
        size_t left = frame->left;
        bool is_sent = queue != NULL ? carnet_queue_send(queue, frame) : carnet_send_some(connection->socket, frame);
        bool is_ready;
        if (frame->left == 0) {
            return CARNET_OK;
        }
        if (is_sent && frame->left < left) {
            continue;
        }
        if (queue == NULL) {
            if (!is_sent && errno != EAGAIN && errno != EWOULDBLOCK) {
                return carnet_unsent_why();
            }
            is_ready = carnet_ready(connection->socket, POLLOUT, deadline_ms);
        } else {
            if (!is_sent || carnet_queue_is_over(queue)) {
                return CARNET_PEER_DIED;
            }
            is_ready = carnet_queue_wait(queue, connection->socket, carnet_connection_spin(connection), CARNET_WANTS_ROOM,
                                         deadline_ms);
        }
        if (!is_ready) {
            return CARNET_TIMED_OUT;
        }
    }
}

/* Receives at least one byte through the queue; 0 is its end, -1 a deadline that has passed. */
static inline int64_t carnet_receive_shared(struct carnet_connection *connection, char *to, size_t len,
                                            int64_t deadline_ms)
{
    struct carnet_queue *queue = connection->queue;
    for (;;) {
        bool is_over = carnet_queue_is_over(queue);
        int64_t received = carnet_queue_receive(queue, to, len);
        if (received != 0 || is_over) {
            return received < 0 ? 0 : received;
        }
        if (!carnet_queue_wait(queue, connection->socket, carnet_connection_spin(connection), CARNET_WANTS_FRAMES, deadline_ms)) {
            return -1;
        }
    }
}

static inline carnet_status carnet_receive(struct carnet_connection *connection, void *to, size_t len,
                                           int64_t deadline_ms)
{
    char *next = (char *)to;
    while (len > 0) {
        int64_t received;
        if (connection->queue != NULL) {
            received = carnet_receive_shared(connection, next, len, deadline_ms);
        } else if (deadline_ms >= 0 && !carnet_ready(connection->socket, POLLIN, deadline_ms)) {
            received = -1;
        } else {
            received = recv(connection->socket, next, len, 0);
            if (received < 0 && errno == EINTR) {
                continue;
            }
            received = received < 0 ? 0 : received;
        }
        if (received <= 0) {
            return received < 0 ? CARNET_TIMED_OUT : CARNET_PEER_DIED;
        }
        next += received;
        len -= (size_t)received;
    }
    return CARNET_OK;
}

/* Receives all of some parts, over a socket as many at once as are there. */
static inline carnet_status carnet_receive_parts(struct carnet_connection *connection, struct iovec *parts, size_t count,
                                                 int64_t deadline_ms)
{
    while (count > 0) {
        ssize_t received;
        if (connection->queue != NULL) {
            carnet_status status = carnet_receive(connection, parts->iov_base, parts->iov_len, deadline_ms);
            if (status != CARNET_OK) {
                return status;
            }
            received = (ssize_t)parts->iov_len;
        } else {
            struct msghdr what;
            memset(&what, 0, sizeof what);
            what.msg_iov = parts;
            what.msg_iovlen = count;
            if (deadline_ms >= 0 && !carnet_ready(connection->socket, POLLIN, deadline_ms)) {
                return CARNET_TIMED_OUT;
            }
            received = recvmsg(connection->socket, &what, 0);
            if (received < 0 && errno == EINTR) {
                continue;
            }
            if (received <= 0) {
                return CARNET_PEER_DIED;
            }
        }
        while (count > 0 && (size_t)received >= parts->iov_len) {
            received -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (received > 0) {
            parts->iov_base = (char *)parts->iov_base + received;
            parts->iov_len -= (size_t)received;
        }
    }
    return CARNET_OK;
}

/* Receives the rest of a good reply whose head is there: words and portal ids, then data, each where it goes. */
static inline carnet_status carnet_receive_landing(struct carnet_connection *connection, struct carnet_landing *landing,
                                                   size_t len, int64_t deadline_ms)
{
    uint64_t *message = carnet_message(&connection->channel);
    size_t data = carnet_data_at(landing->words, message[0] >> 40 & 0xff);
    struct iovec parts[CARNET_PARTS_MAX];
    carnet_status status;
    if (len <= data) {
        return carnet_receive(connection, message + 2, len - CARNET_HEAD_BYTES, deadline_ms);
    }
    status = carnet_receive(connection, message + 2, data - CARNET_HEAD_BYTES, deadline_ms);
    if (status == CARNET_OK) {
        size_t count = carnet_land(landing, message, data, len - data, parts);
        status = carnet_receive_parts(connection, parts, count, deadline_ms);
    }
    return status;
}

/* Writes the head of a message and finds the frame to send; false if it is too long for any. `gather` is the channel's. */
static inline bool carnet_seal(struct carnet_gather *gather, uint64_t *message, uint64_t head, uint64_t kind, uint64_t second,
                               struct carnet_frame *frame)
{
    struct carnet_bytes piece = {NULL, 0};
    size_t len, portals;
    head = carnet_far(message, head);
    len = CARNET_LEN(head);
    portals = CARNET_PORTALS(head);
    if (CARNET_HAS_PIECE(head)) {
        size_t words = CARNET_WORDS(head), word = CARNET_PIECE_WORD(head);
        piece = CARNET_IS_COPIED(head) ? carnet_copied(message, words, word) : carnet_gathered(message, words);
        if (piece.len > 0xffffff) {
            return false;
        }
        carnet_put(message, 2 + word, piece.len);
        len = CARNET_HEAD_BYTES + words * 8;
        portals = 0;
    }
    if (!CARNET_HAS_PIECE(head) && (head & CARNET_ELSEWHERE) != 0) {
        carnet_frame_gathered(frame, gather, message, len);
    } else {
        carnet_frame_of(frame, message, len, piece.ptr, piece.len);
    }
    len += piece.len;
    message[0] = (uint64_t)len | kind << 32 | (uint64_t)portals << 40 | CARNET_OP(head) << 48;
    message[1] = second;
    return len <= CARNET_FRAME_BYTES_MAX;
}

/* Whether a reply answers a oneway call, each of which is answered once. */
static inline bool carnet_is_told(struct carnet_connection *connection, uint32_t answered)
{
    uint32_t index;
    for (index = 0; index < connection->told; index++) {
        if (connection->told_calls[index] == answered) {
            connection->told_calls[index] = connection->told_calls[--connection->told];
            return true;
        }
    }
    return false;
}

/* Portals have come. Those beside a failure, or in the reply to a oneway call, are nobody's: neither has words. */
static inline void carnet_receive_portals(struct carnet_channel *channel, struct carnet_answer answer, bool is_awaited)
{
    size_t portals = CARNET_PORTALS(answer.head);
    if (CARNET_LIKELY(portals == 0)) {
        return;
    }
    carnet_brings(channel, answer.reply);
    if ((CARNET_OP(answer.head) != 0 || !is_awaited) && carnet_is_whole(answer.head, carnet_data_at(0, portals), portals)) {
        carnet_let_go(channel, answer.reply, 0, portals);
    }
}

/* The reply to `call`, or to any oneway call if that is 0, received into the channel's buffer. */
static inline struct carnet_answer carnet_receive_reply(struct carnet_connection *connection, uint32_t call,
                                                        int64_t deadline_ms)
{
    struct carnet_channel *channel = &connection->channel;
    uint64_t *message = carnet_message(channel);
    for (;;) {
        struct carnet_answer answer;
        size_t len;
        uint32_t answered;
        carnet_status status = carnet_receive(connection, message, CARNET_HEAD_BYTES, deadline_ms);
        len = (size_t)(message[0] & 0xffffffff);
        if (status == CARNET_OK) {
            if (len < CARNET_HEAD_BYTES || len > channel->capacity || (message[0] >> 32 & 0xff) != CARNET_KIND_REPLY ||
                message[0] >> 63 != 0 || message[1] >> 48 != 0) {
                connection->is_dead = true;
                connection->why_dead = CARNET_PROTOCOL;
                return carnet_fail(channel, CARNET_PROTOCOL, "the server sent something that is no reply");
            }
            status = channel->landing != NULL && call != 0 && (uint32_t)message[1] == call && message[0] >> 48 == 0
                         ? carnet_receive_landing(connection, channel->landing, len, deadline_ms)
                         : carnet_receive(connection, message + 2, len - CARNET_HEAD_BYTES, deadline_ms);
        }
        if (status != CARNET_OK) {
            /* After part of a frame nothing can follow; and a reply that comes too late may hold portals. */
            connection->is_dead = true;
            return carnet_fail(channel, status,
                               status == CARNET_TIMED_OUT ? "no answer in time; it is unknown whether the call was done"
                                                          : "the server closed the connection");
        }
        answered = (uint32_t)message[1];
        answer.head = CARNET_FLAT(message[0] >> 48, len, message[0] >> 40 & 0xff);
        answer.reply = message;
        carnet_receive_portals(channel, answer, answered == call);
        if (answered == 0 && CARNET_OP(answer.head) != 0) {
            connection->is_dead = true; /* a farewell: it says why */
            connection->why_dead = (carnet_status)CARNET_OP(answer.head);
            return answer;
        }
        if (answered != 0 && answered == call) {
            return answer;
        }
        if (carnet_is_told(connection, answered)) {
            if (call == 0) {
                return answer;
            }
            continue; /* a oneway call is done; nobody asks how */
        }
        connection->is_dead = true;
        connection->why_dead = CARNET_PROTOCOL;
        return carnet_fail(channel, CARNET_PROTOCOL, "the server answered a call that was not made");
    }
}

/* The number of the next call; 0 is the session itself. */
static inline uint32_t carnet_next_call(struct carnet_connection *connection)
{
    connection->calls += connection->calls == UINT32_MAX ? 2 : 1;
    return connection->calls;
}

/* A call that the server does not have, on a connection that has ended: a status that says by itself that nothing was begun stays, and so
 * does that the server sent nonsense; all else is CARNET_UNREACHABLE. `said` is what the server said at its end, or nothing. */
CARNET_COLD struct carnet_answer carnet_unreachable(struct carnet_connection *connection, struct carnet_bytes said)
{
    static const char unsent[] = "; this call was not sent";
    char text[sizeof carnet_failure_text] = "the connection was lost earlier";
    size_t room = sizeof text - sizeof unsent, len = strlen(text);
    carnet_status why = connection->why_dead > CARNET_INTERNAL ? (carnet_status)CARNET_PROTOCOL : connection->why_dead;
    bool was_refused = why >= CARNET_BAD_ARGUMENT && why <= CARNET_REFUSED;
    bool says_it = was_refused && said.len > 0;
    connection->is_dead = true;
    if (said.len > 0) {
        size_t most = says_it ? sizeof text - 1 : room;
        len = said.len < most ? said.len : most;
        memcpy(text, said.ptr, len);
    }
    memcpy(text + len, says_it ? "" : unsent, says_it ? 1 : sizeof unsent);
    return carnet_fail(&connection->channel,
                       was_refused || why == CARNET_PROTOCOL ? why : (carnet_status)CARNET_UNREACHABLE, text);
}

/* A call was not sent as a whole, and the server takes no more: why it says so, if that is here. Nobody waits for it. */
CARNET_COLD struct carnet_answer carnet_not_taken(struct carnet_connection *connection, uint32_t call)
{
    struct carnet_answer last = carnet_receive_reply(connection, call, carnet_now_ms());
    struct carnet_bytes said = {NULL, 0};
    if (connection->why_dead != CARNET_OK) {
        said.ptr = (const char *)(last.reply + 2);
        said.len = CARNET_LEN(last.head) - CARNET_HEAD_BYTES;
    }
    return carnet_unreachable(connection, said);
}

/* Sends a frame that is answered by its number; that, or 0 and why not in `*failed`: then the server cannot have begun it. */
static inline uint32_t carnet_send_frame(struct carnet_connection *connection, uint64_t kind, uint32_t call, uint32_t target,
                                         uint64_t head, int64_t deadline_ms, struct carnet_answer *failed)
{
    struct carnet_channel *channel = &connection->channel;
    struct carnet_frame frame;
    carnet_status status;
    size_t len;
    carnet_waits_for(connection, target);
    if (connection->is_dead) {
        struct carnet_bytes nothing = {NULL, 0};
        *failed = carnet_unreachable(connection, nothing);
        return 0;
    }
    if (!carnet_seal(channel->gather, carnet_message(channel), head, kind, target | (uint64_t)call << 32, &frame)) {
        *failed = carnet_fail(channel, CARNET_BAD_ARGUMENT, "the arguments make a message that is too long");
        return 0;
    }
    len = frame.left;
    status = carnet_send(connection, &frame, deadline_ms);
    if (CARNET_LIKELY(status == CARNET_OK)) {
        return call;
    }
    if (status == CARNET_PEER_DIED) {
        *failed = carnet_not_taken(connection, call);
        return 0;
    }
    /* After part of a frame nothing can follow. */
    connection->is_dead = status == CARNET_TIMED_OUT || frame.left < len;
    *failed = status == CARNET_TIMED_OUT
                  ? carnet_fail(channel, CARNET_UNREACHABLE, "the server took no more in time; this call was not sent")
              : status == CARNET_BAD_ARGUMENT
                  ? carnet_fail(channel, status, "data of the call lie where there is no memory; it was not sent as a whole")
                  : carnet_fail(channel, status, "the system takes no message; it was not sent as a whole");
    return 0;
}

/* Sends a call; its number, or 0 and why not in `*failed`. */
static inline uint32_t carnet_send_call(struct carnet_connection *connection, uint32_t target, uint64_t head,
                                        int64_t deadline_ms, struct carnet_answer *failed)
{
    uint32_t call = carnet_next_call(connection);
    return carnet_send_frame(connection, CARNET_KIND_CALL, call, target, head, deadline_ms, failed);
}

static inline int64_t carnet_deadline(const struct carnet_connection *connection)
{
    return connection->timeout_ms < 0 ? -1 : carnet_now_ms() + connection->timeout_ms;
}

/* The transport of a connection. */
static inline struct carnet_answer carnet_connection_call(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_connection *connection = carnet_connection_of(channel);
    int64_t deadline_ms = carnet_deadline(connection);
    struct carnet_answer failed;
    uint32_t call = carnet_send_call(connection, target, head, deadline_ms, &failed);
    return call == 0 ? failed : carnet_receive_reply(connection, call, deadline_ms);
}

/* Its transport for oneway calls. */
static inline struct carnet_answer carnet_connection_tell(struct carnet_channel *channel, uint32_t target, uint64_t head)
{
    struct carnet_connection *connection = carnet_connection_of(channel);
    int64_t deadline_ms = carnet_deadline(connection);
    struct carnet_answer done;
    if (connection->queue != NULL && !connection->is_dead && carnet_queue_is_over(connection->queue)) {
        /* A server that has hung up may still take what is put into its memory now, or not: nothing is put there. */
        return carnet_not_taken(connection, carnet_next_call(connection));
    }
    if (carnet_send_call(connection, target, head, deadline_ms, &done) == 0) {
        return done;
    }
    connection->told_calls[connection->told++] = connection->calls;
    if (connection->told > CARNET_TOLD_MAX) {
        done = carnet_receive_reply(connection, 0, deadline_ms);
        if (connection->is_dead) {
            return done;
        }
    }
    done.head = CARNET_FLAT(0, CARNET_HEAD_BYTES, 0);
    done.reply = carnet_message(channel);
    return done;
}

/* ---- Hello ---- */

struct carnet_writer {
    unsigned char *next;
    size_t room;
    bool is_full;
};

static inline void carnet_write(struct carnet_writer *writer, const void *bytes, size_t len)
{
    if (len > writer->room) {
        writer->is_full = true;
        return;
    }
    if (len > 0) {
        memcpy(writer->next, bytes, len); /* an interface without operations has no list of them */
    }
    writer->next += len;
    writer->room -= len;
}

static inline void carnet_write_text(struct carnet_writer *writer, const char *text)
{
    uint32_t len = (uint32_t)strlen(text);
    carnet_write(writer, &len, 4);
    carnet_write(writer, text, len);
}

/* Says which interfaces the client was compiled against, so that the server can translate operation numbers. */
static inline carnet_status carnet_hello(struct carnet_connection *connection, const struct carnet_module *module,
                                         const struct carnet_interface *root, int64_t deadline_ms)
{
    static const unsigned char magic[] = {0x89, 'c', 'a', 'r', 'n', 'e', 't', '\n'};
    uint64_t *message = carnet_message(&connection->channel);
    struct carnet_writer writer = {(unsigned char *)(message + 2), connection->channel.capacity - 16, false};
    struct carnet_frame frame;
    uint32_t version = 1, index;
    uint32_t interfaces = module->count;
    carnet_write(&writer, magic, sizeof magic);
    carnet_write(&writer, &version, 4);
    carnet_write_text(&writer, module->name);
    carnet_write_text(&writer, root == NULL ? "" : root->name);
    carnet_write(&writer, &interfaces, 4);
    for (index = 0; index < interfaces; index++) {
        const struct carnet_interface *interface = module->interfaces[index];
        uint32_t operations = interface->count;
        carnet_write_text(&writer, interface->name);
        carnet_write(&writer, &interface->hash, 8);
        carnet_write(&writer, &operations, 4);
        carnet_write(&writer, interface->operations, operations * sizeof(uint64_t));
    }
    if (writer.is_full) {
        return CARNET_INTERNAL;
    }
    carnet_seal(NULL, message, CARNET_FLAT(0, writer.next - (unsigned char *)message, 0), CARNET_KIND_HELLO, 0, &frame);
    return carnet_send(connection, &frame, deadline_ms);
}

/* ---- Sharing memory ---- */

/* Room for one descriptor beside a message. */
union carnet_beside {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* A message of one piece, with a descriptor beside it. */
static inline struct msghdr carnet_message_with(struct iovec *piece, union carnet_beside *beside, size_t room)
{
    struct msghdr what;
    memset(&what, 0, sizeof what);
    what.msg_iov = piece;
    what.msg_iovlen = 1;
    what.msg_control = beside;
    what.msg_controllen = room;
    return what;
}

/* SO_PASSRIGHTS, which is younger than many a system's headers. */
#define CARNET_PASSRIGHTS 83

/* Whether peers may pass descriptors to a socket, and to those that are accepted from it. Before Linux 6.16 they may
 * always. */
static inline void carnet_let_pass(int socket, int may)
{
    (void)setsockopt(socket, SOL_SOCKET, CARNET_PASSRIGHTS, &may, sizeof may);
}

/* Bytes of memory that a file has, as far as whoever closes it last may have to free them. */
static inline uint64_t carnet_file_bytes(int file)
{
    struct stat found;
    return fstat(file, &found) != 0 ? UINT64_MAX : (uint64_t)found.st_blocks * 512;
}

/* Looks what comes next: true if no descriptor comes with it, or one memory file of at most so many bytes, which is in `*file`; -1
 * if none. All of it stays in the socket. So does what is no such memory: whoever closes it last may wait as long as its sender
 * likes, or until the system has freed all of it. A descriptor of what is no memory stays open, too. */
static inline bool carnet_look_with(int socket, struct iovec *piece, uint64_t bytes_max, int *file, ssize_t *seen)
{
    union carnet_beside beside;
    /* Room for one. */
    struct msghdr what = carnet_message_with(piece, &beside, CMSG_LEN(sizeof(int)));
    const struct cmsghdr *with;
    *file = -1;
    *seen = recvmsg(socket, &what, MSG_PEEK | MSG_CMSG_CLOEXEC);
    if (*seen <= 0) {
        return true;
    }
    with = CMSG_FIRSTHDR(&what);
    if (with != NULL && with->cmsg_type == SCM_RIGHTS && with->cmsg_len == CMSG_LEN(sizeof(int))) {
        memcpy(file, CMSG_DATA(with), sizeof *file);
    }
    if ((what.msg_flags & MSG_CTRUNC) != 0 || (*file >= 0 && fcntl(*file, F_GET_SEALS) < 0)) {
        *file = -1;
        return false;
    }
    if (*file >= 0 && carnet_file_bytes(*file) > bytes_max) {
        close(*file); /* not the last: the socket has one */
        *file = -1;
        return false;
    }
    return true;
}

/* Says that a memory file, if there is one, is taken of so many bytes that may be closed. */
static inline void carnet_took(int file, uint64_t *bytes_max)
{
    uint64_t bytes = file < 0 ? 0 : carnet_file_bytes(file);
    *bytes_max -= bytes < *bytes_max ? bytes : *bytes_max;
}

/* Receives one frame of at most `room` bytes over the socket, and the memory that came with it: -1 if none did. All that comes has no
 * more bytes together than the longest rings. */
static inline carnet_status carnet_receive_with(int socket, void *to, size_t room, int *file, int64_t deadline_ms)
{
    uint64_t bytes_max = carnet_memory_bytes(CARNET_RING_BYTES_MAX);
    size_t have = 0, wanted = CARNET_HEAD_BYTES;
    *file = -1;
    while (have < wanted) {
        struct iovec piece;
        ssize_t received;
        int found;
        piece.iov_base = (char *)to + have;
        piece.iov_len = wanted - have;
        if (!carnet_ready(socket, POLLIN, deadline_ms)) {
            return CARNET_TIMED_OUT;
        }
        if (!carnet_look_with(socket, &piece, bytes_max, &found, &received)) {
            return CARNET_PROTOCOL;
        }
        carnet_took(found, &bytes_max);
        if (received > 0) {
            received = recv(socket, piece.iov_base, (size_t)received, 0);
        }
        if (*file < 0) {
            *file = found;
        } else if (found >= 0) {
            close(found);
        }
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received <= 0) {
            return CARNET_PEER_DIED;
        }
        have += (size_t)received;
        if (have >= CARNET_HEAD_BYTES) {
            uint32_t len;
            memcpy(&len, to, sizeof len);
            wanted = len;
        }
        if (wanted < CARNET_HEAD_BYTES || wanted > room) {
            return CARNET_PROTOCOL;
        }
    }
    return CARNET_OK;
}

/* Whether a frame answers Share: with a ring, or why there is none. */
static inline bool carnet_is_shared(const uint64_t *message)
{
    return (message[0] >> 32 & 0xff) == CARNET_KIND_REPLY && (uint32_t)message[1] <= 1 &&
           (message[0] >> 48 != 0 || (message[0] & 0xffffffff) == CARNET_HEAD_BYTES + 4);
}

/* Asks the server to go on through shared memory. */
static inline carnet_status carnet_share(struct carnet_connection *connection, int64_t deadline_ms)
{
    uint64_t *message = carnet_message(&connection->channel);
    uint32_t ring = CARNET_RING_BYTES, version = 1;
    struct carnet_frame frame;
    const char *fault = "the server closed the connection before it shared memory";
    carnet_status status;
    int file, in_line = 1;
    /* What comes out of band would be closed while other things are received. */
    (void)setsockopt(connection->socket, SOL_SOCKET, SO_OOBINLINE, &in_line, sizeof in_line);
    connection->is_passed_to = true;
    carnet_let_pass(connection->socket, 1);
    memcpy(message + 2, "\x89" "carnet\n", 8);
    memcpy(message + 3, &version, 4);
    memcpy((char *)(message + 3) + 4, &ring, 4);
    carnet_seal(NULL, message, CARNET_FLAT(0, 32, 0), CARNET_KIND_SHARE, (uint64_t)1 << 32, &frame);
    status = carnet_send(connection, &frame, deadline_ms);
    if (carnet_is_unsent(status)) {
        return carnet_note(status, "the server took no Share");
    }
    /* A server that refused has hung up, perhaps before it took this, and said why. */
    status = carnet_receive_with(connection->socket, message, connection->channel.capacity, &file, deadline_ms);
    carnet_let_pass(connection->socket, 0);
    if (status == CARNET_TIMED_OUT) {
        fault = "no answer in time";
    } else if (status == CARNET_PROTOCOL || (status == CARNET_OK && !carnet_is_shared(message))) {
        status = CARNET_PROTOCOL;
        fault = "the server sent something that is no reply, or passed something that is no memory";
    } else if (status == CARNET_OK && message[0] >> 48 == 0) {
        connection->queue = carnet_queue_accept(file, (uint32_t)message[2], &fault);
        if (connection->queue == NULL) {
            status = CARNET_PROTOCOL;
        }
    }
    if (status == CARNET_OK && message[0] >> 48 != 0) {
        struct carnet_answer answer = {CARNET_FLAT(message[0] >> 48 & 0x7fff, message[0] & 0xffffffff, 0), message};
        status = carnet_failed(answer);
    } else if (status != CARNET_OK) {
        carnet_note(status, fault);
    }
    if (file >= 0) {
        close(file);
    }
    return status;
}

/* ---- Connections ---- */

/* Whether nothing lies in a socket, and nothing more will: then closing it waits for nobody. */
static inline bool carnet_is_empty(int socket)
{
    int left = 0;
    (void)shutdown(socket, SHUT_RDWR);
    return ioctl(socket, FIONREAD, &left) == 0 && left == 0;
}

/* A socket in which a server left descriptors, or a client memory that takes long to close, stays open: there is no thread here that could wait until it is closed. */
static inline void carnet_connection_end(struct carnet_connection *connection)
{
    carnet_queue_end(connection->queue);
    if (connection->socket >= 0 && (!connection->is_passed_to || carnet_is_empty(connection->socket))) {
        close(connection->socket);
    }
    free(connection);
}

/* The socket that an address of a server names; -1, and why there is none. */
static inline int carnet_connect_socket(const char *path, int timeout_ms)
{
    struct sockaddr_un address;
    struct timeval wait;
    int found;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) {
        carnet_note(CARNET_UNREACHABLE, "the path is longer than a socket's may be");
        return -1;
    }
    strcpy(address.sun_path, path);
    found = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    carnet_let_pass(found, 0);
    wait.tv_sec = timeout_ms / 1000;
    wait.tv_usec = timeout_ms % 1000 * 1000;
    if (timeout_ms > 0) {
        /* The time-out for sending is also the one for connecting; what fails here waits longer, no more. */
        (void)setsockopt(found, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    }
    if (found < 0 || connect(found, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
        carnet_note(CARNET_UNREACHABLE, strerror(errno));
        if (found >= 0) {
            close(found);
        }
        return -1;
    }
    return found;
}

/* Whatever way the calls through a portal were told to wait in. */
static inline void carnet_waits_forget(struct carnet_connection *connection, uint32_t id)
{
    struct carnet_waits *waits = connection->waits_count == 0 ? NULL : carnet_waits_of(connection, id);
    if (waits != NULL) {
        *waits = connection->waits[--connection->waits_count];
    }
}

/* `release` of a connection: one message, so that all of them have no more time than one. */
static inline void carnet_connection_release(struct carnet_channel *channel, const uint32_t *ids, size_t count)
{
    struct carnet_connection *connection = carnet_connection_of(channel);
    uint64_t message[2 + CARNET_PORTALS_MAX]; /* not the channel's: what it has may still be wanted */
    struct carnet_frame frame;
    size_t index;
    for (index = 0; index < count; index++) {
        carnet_waits_forget(connection, ids[index]);
        message[2 + index] = ids[index] | (uint64_t)1 << 32;
    }
    connection->waits_as = NULL;
    carnet_seal(NULL, message, CARNET_FLAT(0, CARNET_HEAD_BYTES + 8 * count, 0), CARNET_KIND_RELEASE, 0, &frame);
    /* A server that takes no more is found dead by the next call. */
    if (!connection->is_dead) {
        connection->is_dead = carnet_is_unsent(carnet_send(connection, &frame, carnet_deadline(connection)));
    }
}

/* Its `end`. */
static inline void carnet_connection_close(struct carnet_channel *channel)
{
    carnet_connection_end(carnet_connection_of(channel));
}

/* Connects to the server whose socket is the file PATH: `unix:PATH`, or PATH alone, or `shm:PATH` to go on through memory
 * that is shared with it. `root` is what the client takes the server's object for, or NULL. `timeout_ms` is for
 * connecting and for each call; -1 waits for ever. */
static inline carnet_status carnet_connect(const char *address, const struct carnet_module *module,
                                           const struct carnet_interface *root, int timeout_ms,
                                           struct carnet_portal *portal)
{
    size_t bytes = (sizeof(struct carnet_connection) + CARNET_FRAME_BYTES_MAX + 63) & ~(size_t)63;
    bool is_shared = strncmp(address, "shm:", 4) == 0, is_unix = strncmp(address, "unix:", 5) == 0;
    struct carnet_connection *connection = (struct carnet_connection *)aligned_alloc(64, bytes);
    int64_t deadline_ms = timeout_ms < 0 ? -1 : carnet_now_ms() + timeout_ms;
    carnet_status status = CARNET_OK;
    portal->channel = NULL;
    portal->id = 0;
    if (connection == NULL) {
        return carnet_note(CARNET_INTERNAL, "no memory for a connection");
    }
    memset(connection, 0, sizeof *connection);
    connection->timeout_ms = timeout_ms;
    carnet_spin_init(&connection->spin, CARNET_WAITING);
    carnet_channel_init(&connection->channel, carnet_connection_call, CARNET_FRAME_BYTES_MAX);
    connection->channel.tell = carnet_connection_tell;
    connection->channel.release = carnet_connection_release;
    connection->channel.end = carnet_connection_close;
    connection->channel.kind = CARNET_CONNECTION;
    carnet_channel_gather(&connection->channel, &connection->gather);
    connection->socket = carnet_connect_socket(address + (is_shared ? 4 : is_unix ? 5 : 0), timeout_ms);
    if (connection->socket < 0) {
        carnet_connection_end(connection);
        return CARNET_UNREACHABLE;
    }
    if (is_shared) {
        status = carnet_share(connection, deadline_ms);
    }
    if (status == CARNET_OK) {
        status = carnet_hello(connection, module, root, deadline_ms);
        if (carnet_is_unsent(status)) {
            carnet_note(status, "the server took no Hello");
        } else {
            status = CARNET_OK; /* why it hung up, if it did, is there to be read */
        }
    }
    if (status != CARNET_OK) {
        carnet_connection_end(connection);
        return status;
    }
    portal->channel = &connection->channel;
    portal->id = 1;
    return CARNET_OK;
}

/* How calls on this connection wait for answers through shared memory, from now on; over a socket they sleep, and an object of
 * this process is waited for by nobody. */
static inline void carnet_set_waiting(struct carnet_portal portal, enum carnet_waiting waiting)
{
    if (portal.channel != NULL && portal.channel->kind == CARNET_CONNECTION) {
        carnet_spin_init(&carnet_connection_of(portal.channel)->spin, waiting);
    }
}

/* How calls through one portal wait, whatever its connection was told, until a receipt of it is given back. Of 16 portals that can be
 * said: of more it is refused. */
static inline carnet_status carnet_set_portal_waiting(struct carnet_portal portal, enum carnet_waiting waiting)
{
    struct carnet_connection *connection;
    struct carnet_waits *waits;
    if (portal.channel == NULL || portal.channel->kind != CARNET_CONNECTION || portal.id == 0) {
        return CARNET_OK; /* nobody waits for an object of this process, or for none, which is never released */
    }
    connection = carnet_connection_of(portal.channel);
    waits = carnet_waits_of(connection, portal.id);
    if (waits == NULL && connection->waits_count == CARNET_WAITS_MAX) {
        return carnet_note(CARNET_REFUSED, "as many portals of this connection as may wait in ways of their own");
    }
    if (waits == NULL) {
        waits = &connection->waits[connection->waits_count++];
    }
    waits->id = portal.id;
    carnet_spin_init(&waits->spin, waiting);
    return CARNET_OK;
}

#ifdef __cplusplus
}
#endif

#endif
