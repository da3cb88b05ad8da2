/* carnet_session.h: one client of a server: its Hello, its frames, the memory that it shares, what it has not read yet.
 *
 * It waits for nothing: carnet_server.h does that, for all clients at once.
 */
#ifndef CARNET_SESSION_H
#define CARNET_SESSION_H

#include "carnet_memory.h"

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CARNET_CLIENTS_MAX
#define CARNET_CLIENTS_MAX 64
#endif

/* Of one process, as far as the system tells: those whose it does not tell count as one. */
#ifndef CARNET_CLIENTS_PROCESS_MAX
#define CARNET_CLIENTS_PROCESS_MAX (CARNET_CLIENTS_MAX < 2 ? 1 : CARNET_CLIENTS_MAX - (CARNET_CLIENTS_MAX + 3) / 4)
#endif

/* How long Hello may take, and the next bytes of a frame that has begun or of a reply that is read: so many, or all that is left of it. */
#ifndef CARNET_PATIENCE_MS
#define CARNET_PATIENCE_MS 10000
#endif
#ifndef CARNET_FRAME_BYTES_MIN
#define CARNET_FRAME_BYTES_MIN ((size_t)32 << 10)
#endif

/* How long a client may say nothing between its requests, at first; a server's `idle_ms` can be changed. -1: for ever. */
#ifndef CARNET_IDLE_MS
#define CARNET_IDLE_MS 600000
#endif

/* Largest ring of a client that shares memory, a power of two; 0: memory is shared with nobody. */
#ifndef CARNET_SHARED_RING_MAX
#define CARNET_SHARED_RING_MAX (256u << 10)
#endif

/* Sockets that stay open since something else than memory lies in them, or more of it than may be taken. Of each process that left some so
 * many count; with as many as are in the second line no descriptors are taken from new clients any more, nor with so many in all. */
#ifndef CARNET_STUCK_PROCESS_MAX
#define CARNET_STUCK_PROCESS_MAX 4u
#endif
#define CARNET_STUCK_MAX 16u
#define CARNET_STUCK_ALL_MAX 64u
/* How often it is looked into the socket of a client that has gone, each time as far as a descriptor or so many bytes. */
#define CARNET_DRAINS_MAX 512u
#define CARNET_DRAIN_BYTES ((size_t)64 << 10)

#if CARNET_CLIENTS_MAX > 127
#error "one call of the system waits for 128 words of memory at most: one for each client, and one more"
#endif

#define CARNET_KIND_DESCRIBE 5u
/* What servers have that do more than calls: programs, for example. */
#define CARNET_KIND_ENTRY_FIRST 16u
#define CARNET_KIND_ENTRY_LAST 126u
#define CARNET_KIND_RELAYED 127u /* a relay says for whom a session is, and asks how many one process may have */

/* Where the argument block of an operation whose results are made where they lie ends: two heads, its words (100 at most), and a
 * piece's address and length. */
#define CARNET_PLAIN_BYTES_MAX 848u

/* Most pairs in a Release, and bytes in a Hello, so that no frame takes others long. */
#define CARNET_RELEASE_PAIRS_MAX 1024u
#define CARNET_HELLO_BYTES_MAX (64u << 10)

/* A test counts here what a Hello is compared with. */
#ifndef CARNET_COMPARED
#define CARNET_COMPARED() ((void)0)
#endif

/* What is said of a root that is taken wrong, and of each name in that. */
#define CARNET_REFUSED_BYTES 320u
#define CARNET_REFUSED_NAME_MAX 64u

struct carnet_client {
    int socket;
    struct carnet_queue *queue; /* NULL: all goes through the socket */
    bool said_hello;
    bool is_last; /* the session ends when the reply is sent */
    bool is_deaf; /* it takes no replies any more: what it has sent is served, then the session ends */
    uint64_t deaf_at; /* how far its memory was read by then */
    /* The request that is being served. */
    uint32_t target, call;
    uint64_t head;
    size_t received;       /* bytes of the frame that comes in */
    int64_t deadline_ms;   /* for the next bytes of it, or of what is sent, or for the next one; 0: none */
    size_t paced;          /* bytes that had come of the one, or had been sent of the other, when that was set */
    unsigned char *unsent; /* what the client did not take at once */
    size_t unsent_at, unsent_len;
    uint16_t **operations; /* by interface of the server: from the client's numbers; NULL: the same */
    uint32_t *known;       /* how many each has */
    char refused[CARNET_REFUSED_BYTES]; /* why calls of the root are, which the client takes for what it is not; "": they are not */
    bool is_passed_to;     /* descriptors may lie in the socket */
    bool is_spoilt;        /* something that is no memory lies there */
    struct carnet_gather gather;
    struct carnet_session session; /* its buffer follows */
};

/* An interface of the server, found by its name, or one of its operations, by its hash. */
struct carnet_known {
    uint64_t hash;
    uint16_t interface;
    uint32_t what; /* the operation; CARNET_KNOWN_INTERFACE; CARNET_KNOWN_NONE: nothing is here */
};

#define CARNET_KNOWN_NONE 0u
#define CARNET_KNOWN_INTERFACE 1u
#define CARNET_KNOWN_OPERATION 2u /* and its number */

struct carnet_server {
    int listener;
    void *root;
    const struct carnet_service *service;
    struct carnet_known *known; /* all that a Hello may name, so that it costs its length; NULL before the first that names any */
    size_t known_mask;
    int64_t idle_ms; /* CARNET_IDLE_MS */
    uint64_t sessions;
    size_t turn;
    size_t sharers; /* clients that share memory */
    unsigned served; /* requests since sockets were looked at */
    bool is_told;    /* SIGIO tells of sockets */
    uint32_t stirs;  /* what `carnet_stirs` was when all that sockets had was taken */
    int64_t full_until_ms; /* descriptors have run out: nobody is accepted before */
    struct carnet_spin spin;
    const struct carnet_service *memory; /* of carnet::Memory: clients may hand memory over; NULL at first */
    struct carnet_account *account;      /* of what they have; NULL before there was any */
    unsigned stuck;
    uint32_t stuck_of[CARNET_STUCK_ALL_MAX + CARNET_CLIENTS_MAX]; /* by which processes */
    struct carnet_session *first; /* of all sessions, for whoever looks which objects they hold */
    struct carnet_client *clients[CARNET_CLIENTS_MAX];
};

/* ---- Sessions ---- */

static inline void carnet_forget_operations(struct carnet_client *client, const struct carnet_module *module)
{
    size_t index;
    for (index = 0; client->operations != NULL && index < module->count; index++) {
        free(client->operations[index]);
    }
    free(client->operations);
    free(client->known);
    client->operations = NULL;
    client->known = NULL;
    client->refused[0] = 0;
}

/* Takes out of the socket of a client that has gone what lies there, bytes and memory that nobody asked for: true if nothing is left, so
 * that closing it waits for nobody. */
static inline bool carnet_client_drain(struct carnet_client *client)
{
    size_t room = client->session.channel.capacity;
    uint64_t bytes_max = CARNET_MEMORY_MAX;
    unsigned drained;
    struct iovec piece;
    piece.iov_base = carnet_message(&client->session.channel);
    piece.iov_len = room < CARNET_DRAIN_BYTES ? room : CARNET_DRAIN_BYTES;
    /* Nothing more comes: what is there ends. */
    (void)shutdown(client->socket, SHUT_RDWR);
    for (drained = 0; drained < CARNET_DRAINS_MAX && !client->is_spoilt; drained++) {
        ssize_t seen;
        int file;
        client->is_spoilt = !carnet_look_with(client->socket, &piece, bytes_max, &file, &seen);
        if (client->is_spoilt || seen <= 0) {
            break;
        }
        (void)recv(client->socket, piece.iov_base, (size_t)seen, 0);
        carnet_took(file, &bytes_max);
        if (file >= 0) {
            close(file);
        }
    }
    return !client->is_spoilt && carnet_is_empty(client->socket);
}

/* Closes the socket of a client that has gone, unless that may take as long as somebody likes. */
static inline void carnet_client_close(struct carnet_server *server, struct carnet_client *client)
{
    if (client->is_passed_to && !carnet_client_drain(client)) {
        /* There is room: each of the clients that there are can leave one, and no new one when all are left that may be. */
        server->stuck_of[server->stuck++] = client->session.channel.self.caller.process;
    } else {
        close(client->socket);
    }
}

static inline void carnet_client_end(struct carnet_server *server, size_t index)
{
    struct carnet_client *client = server->clients[index];
    struct carnet_session **link = &server->first;
    server->clients[index] = NULL;
    server->full_until_ms = 0;
    carnet_session_end(&client->session);
    carnet_account_leave(client->session.account);
    while (*link != &client->session) {
        link = &(*link)->next;
    }
    *link = client->session.next;
    carnet_forget_operations(client, server->service->module);
    server->sharers -= client->queue != NULL;
    carnet_queue_end(client->queue);
    carnet_client_close(server, client);
    free(client->unsent);
    free(client);
}

/* The client takes no replies any more: it has gone, or nothing can follow what it got. Calls that it sent are done all the same. More
 * than there are do not come: the socket is shut down, and of memory no more is read than a ring has. */
static inline void carnet_client_hear_out(struct carnet_client *client)
{
    client->is_deaf = true;
    free(client->unsent);
    client->unsent = NULL;
    if (client->queue != NULL) {
        client->deaf_at = client->queue->in_head;
    } else {
        (void)shutdown(client->socket, SHUT_RDWR);
    }
}

/* A reply goes nowhere: its portals are given back. */
static inline void carnet_client_take_back(struct carnet_client *client, const uint64_t *message, uint64_t head)
{
    size_t portals = CARNET_PORTALS(head), words = CARNET_HANDING_WORDS(head);
    if (portals > 0 && words == 0) {
        words = (CARNET_LEN(head) - carnet_data_at(0, portals)) / 8; /* there are no data behind them */
    }
    carnet_take_back(&client->session, message, words, portals);
}

/* So many bytes of a frame came, or of a reply were taken: the client has its time for the next ones. */
static inline void carnet_client_pace(struct carnet_client *client, size_t bytes)
{
    client->deadline_ms = carnet_now_ms() + CARNET_PATIENCE_MS;
    client->paced = bytes;
}

/* So many came or were taken by now: if they are enough, it has that time anew. */
static inline void carnet_client_keep_pace(struct carnet_client *client, size_t bytes)
{
    if (bytes - client->paced >= CARNET_FRAME_BYTES_MIN) {
        carnet_client_pace(client, bytes);
    }
}

/* Sends what the client takes at once of a message, and keeps the rest. False if neither can be. */
static inline bool carnet_client_send_frame(struct carnet_client *client, struct carnet_frame *frame)
{
    unsigned char *next;
    if (client->queue != NULL) {
        if (!carnet_queue_send(client->queue, frame)) {
            client->is_last = true; /* it breaks the rules of the memory */
            return false;
        }
    } else if (!carnet_send_some(client->socket, frame) && errno != EAGAIN && errno != EWOULDBLOCK) {
        return false;
    }
    if (frame->left == 0) {
        return true;
    }
    client->unsent = next = (unsigned char *)malloc(frame->left);
    if (client->unsent == NULL) {
        return false;
    }
    client->unsent_at = 0;
    client->unsent_len = frame->left;
    while (frame->count > 0) {
        memcpy(next, frame->parts->iov_base, frame->parts->iov_len);
        next += frame->parts->iov_len;
        carnet_skip(frame, frame->parts->iov_len);
    }
    carnet_client_pace(client, 0);
    return true;
}

/* Sends a message; what the client does not take at once is kept. False if it goes nowhere, and nothing else will be sent. */
static inline bool carnet_client_send(struct carnet_client *client, uint64_t *message, uint64_t head, uint64_t second)
{
    struct carnet_frame frame;
    if (client->is_deaf) {
        carnet_client_take_back(client, message, head);
        return false;
    }
    if (!carnet_seal(client->session.channel.gather, message, head, CARNET_KIND_REPLY, second, &frame)) {
        struct carnet_answer answer;
        carnet_client_take_back(client, message, head);
        answer = carnet_fail(&client->session.channel, CARNET_SERVICE, "the reply is longer than a frame may be");
        message = answer.reply;
        head = answer.head;
        carnet_seal(NULL, message, head, CARNET_KIND_REPLY, second & 0xffffffff, &frame);
    }
    if (!carnet_client_send_frame(client, &frame)) {
        carnet_client_take_back(client, message, head);
        carnet_client_hear_out(client);
        return false;
    }
    return true;
}

/* Says why the session ends. */
static inline void carnet_farewell(struct carnet_client *client, carnet_status status, const char *text)
{
    struct carnet_answer answer = carnet_fail(&client->session.channel, status, text);
    (void)carnet_client_send(client, answer.reply, answer.head, 0);
    client->is_last = true;
}

/* Says why a client is hung up on whose time is over. One that reads no replies is told nothing. */
CARNET_COLD void carnet_client_late(struct carnet_client *client)
{
    if (client->unsent != NULL) {
        return;
    }
    if (!client->said_hello) {
        carnet_farewell(client, CARNET_TIMED_OUT, "the client did not say Hello in time");
    } else if (client->received > 0) {
        carnet_farewell(client, CARNET_TIMED_OUT, "half of a message came, and too little of the rest in time");
    } else {
        carnet_farewell(client, CARNET_REFUSED, "this server hangs up on clients that say nothing for so long");
    }
}

/* From now on it is the client's turn, and it may take its time, but not for ever. */
static inline void carnet_client_rest(const struct carnet_server *server, struct carnet_client *client)
{
    if (client->unsent == NULL) {
        client->deadline_ms = server->idle_ms < 0 ? 0 : carnet_now_ms() + server->idle_ms;
    }
}

/* Answers the request of `client`. */
static inline void carnet_server_reply(struct carnet_server *server, struct carnet_client *client,
                                       struct carnet_answer answer)
{
    uint64_t raised = CARNET_OP(answer.head) == 0 ? 0 : carnet_get(answer.reply, 1) & (uint64_t)0xffff << 32;
    carnet_serving = NULL;
    (void)carnet_client_send(client, answer.reply, answer.head, client->call | raised);
    carnet_client_rest(server, client);
}

/* ---- Hello ---- */

struct carnet_reader {
    const unsigned char *next;
    size_t left;
    bool is_short;
};

static inline const unsigned char *carnet_read(struct carnet_reader *reader, size_t len)
{
    const unsigned char *found = reader->next;
    if (len > reader->left) {
        reader->is_short = true;
        reader->left = 0;
        return NULL;
    }
    reader->next += len;
    reader->left -= len;
    return found;
}

/* A number of so many bytes; 0 if there are fewer. */
static inline uint64_t carnet_read_number(struct carnet_reader *reader, size_t len)
{
    uint64_t value = 0;
    const unsigned char *found = carnet_read(reader, len);
    if (found != NULL) {
        memcpy(&value, found, len);
    }
    return value;
}

static inline uint32_t carnet_read_u32(struct carnet_reader *reader)
{
    return (uint32_t)carnet_read_number(reader, 4);
}

static inline uint64_t carnet_read_u64(struct carnet_reader *reader)
{
    return carnet_read_number(reader, 8);
}

static inline struct carnet_string carnet_read_text(struct carnet_reader *reader)
{
    struct carnet_string text = {NULL, 0};
    uint32_t len = carnet_read_u32(reader);
    text.ptr = (const char *)carnet_read(reader, len);
    text.len = text.ptr == NULL ? 0 : len;
    return text;
}

/* What an interface is called in full, which says which one it is: a client's module may be another than the server's, and know
 * some of its interfaces all the same, since one includes the other, or both the same. */
struct carnet_full_name {
    struct carnet_string module, name;
};

/* What is called `name` in `module`: another module's if it begins with `::`. */
static inline struct carnet_full_name carnet_in_full(struct carnet_string module, struct carnet_string name)
{
    struct carnet_full_name found = {module, name};
    size_t at;
    for (at = 2; at + 1 < name.len && memcmp(name.ptr, "::", 2) == 0; at++) {
        if (memcmp(name.ptr + at, "::", 2) == 0) {
            found.module.ptr = name.ptr + 2;
            found.module.len = at - 2;
            found.name.ptr = name.ptr + at + 2;
            found.name.len = name.len - at - 2;
            break;
        }
    }
    return found;
}

static inline struct carnet_full_name carnet_named(const struct carnet_module *module, const struct carnet_interface *interface)
{
    return carnet_in_full(carnet_text(module->name), carnet_text(interface->name));
}

static inline bool carnet_is_string(struct carnet_string one, struct carnet_string other)
{
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

static inline bool carnet_is_named(struct carnet_full_name one, struct carnet_full_name other)
{
    return carnet_is_string(one.name, other.name) && carnet_is_string(one.module, other.module);
}

/* Of the name alone: what the client calls its module may be long, and would be read for each of its interfaces. */
static inline uint64_t carnet_name_hash(struct carnet_full_name name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    size_t at;
    for (at = 0; at < name.name.len; at++) {
        CARNET_COMPARED();
        hash = (hash ^ (unsigned char)name.name.ptr[at]) * 0x100000001b3u;
    }
    return hash;
}

/* Where in the table something is looked for first. Interfaces that inherit have the same operations. */
static inline size_t carnet_known_at(const struct carnet_server *server, uint64_t hash, uint32_t interface)
{
    return (size_t)(((hash + interface) * 0x9e3779b97f4a7c15u) >> 32) & server->known_mask;
}

static inline void carnet_know(struct carnet_server *server, uint64_t hash, uint32_t spread, uint16_t interface, uint32_t what)
{
    size_t at = carnet_known_at(server, hash, spread);
    while (server->known[at].what != CARNET_KNOWN_NONE) {
        at = (at + 1) & server->known_mask;
    }
    server->known[at].hash = hash;
    server->known[at].interface = interface;
    server->known[at].what = what;
}

/* Makes the table of what a Hello may name, if there is none: a quarter of it is used, so that little stands in one row. */
static inline bool carnet_server_know(struct carnet_server *server)
{
    const struct carnet_module *module = server->service->module;
    size_t wanted = module->count, places = 4;
    uint16_t index, own;
    if (server->known != NULL) {
        return true;
    }
    for (index = 0; index < module->count; index++) {
        wanted += module->interfaces[index]->count;
    }
    while (places < 4 * wanted) {
        places *= 2;
    }
    server->known = (struct carnet_known *)calloc(places, sizeof *server->known);
    if (server->known == NULL) {
        return false;
    }
    server->known_mask = places - 1;
    for (index = 0; index < module->count; index++) {
        const struct carnet_interface *interface = module->interfaces[index];
        carnet_know(server, carnet_name_hash(carnet_named(module, interface)), 0, index, CARNET_KNOWN_INTERFACE);
        for (own = 0; own < interface->count; own++) {
            carnet_know(server, interface->operations[own], index + 1u, index, CARNET_KNOWN_OPERATION + own);
        }
    }
    return true;
}

/* The index of our interface of this name; that of none, if there is none. */
static inline uint16_t carnet_known_interface(const struct carnet_server *server, struct carnet_full_name name)
{
    const struct carnet_module *module = server->service->module;
    uint64_t hash = carnet_name_hash(name);
    size_t at;
    for (at = carnet_known_at(server, hash, 0); server->known[at].what != CARNET_KNOWN_NONE; at = (at + 1) & server->known_mask) {
        const struct carnet_known *known = &server->known[at];
        CARNET_COMPARED();
        if (known->what == CARNET_KNOWN_INTERFACE && known->hash == hash &&
            carnet_is_named(name, carnet_named(module, module->interfaces[known->interface]))) {
            return known->interface;
        }
    }
    return module->count;
}

/* Our number of the operation of this hash of an interface; UINT16_MAX if it has none. */
static inline uint16_t carnet_known_operation(const struct carnet_server *server, uint16_t interface, uint64_t hash)
{
    size_t at;
    for (at = carnet_known_at(server, hash, interface + 1u); server->known[at].what != CARNET_KNOWN_NONE;
         at = (at + 1) & server->known_mask) {
        const struct carnet_known *known = &server->known[at];
        CARNET_COMPARED();
        if (known->what >= CARNET_KNOWN_OPERATION && known->hash == hash && known->interface == interface) {
            return (uint16_t)(known->what - CARNET_KNOWN_OPERATION);
        }
    }
    return UINT16_MAX;
}

/* Reads one interface of the Hello of a client of `theirs`, and makes the table of its operation numbers if it is not as ours. */
static inline bool carnet_hello_interface(const struct carnet_server *server, struct carnet_client *client,
                                          struct carnet_string theirs, struct carnet_reader *reader)
{
    const struct carnet_module *module = server->service->module;
    struct carnet_full_name name = carnet_in_full(theirs, carnet_read_text(reader));
    uint64_t hash = carnet_read_u64(reader);
    uint32_t count = carnet_read_u32(reader), number;
    uint16_t index, *table;
    if (reader->is_short || count > reader->left / 8) {
        return false;
    }
    index = carnet_known_interface(server, name);
    if (index == module->count || client->operations[index] != NULL || client->known[index] != 0 ||
        module->interfaces[index]->hash == hash) {
        if (index < module->count && client->operations[index] == NULL) {
            client->known[index] = UINT32_MAX;
        }
        return carnet_read(reader, (size_t)count * 8) != NULL || count == 0;
    }
    table = (uint16_t *)malloc((size_t)count * sizeof *table + 1);
    if (table == NULL) {
        return false;
    }
    for (number = 0; number < count; number++) {
        table[number] = carnet_known_operation(server, index, carnet_read_u64(reader));
    }
    client->operations[index] = table;
    client->known[index] = count;
    return true;
}

/* Whether an object of a service is what a client takes it for: its interface, or a base of that. */
static inline bool carnet_may_be(struct carnet_full_name name, const struct carnet_service *service)
{
    const struct carnet_interface *interface = service->interface;
    while (interface != NULL && !carnet_is_named(name, carnet_named(service->module, interface))) {
        interface = interface->base;
    }
    return interface != NULL;
}

static inline void carnet_refused_name(struct carnet_writer *writer, struct carnet_string name)
{
    carnet_write(writer, name.ptr, name.len < CARNET_REFUSED_NAME_MAX ? name.len : CARNET_REFUSED_NAME_MAX);
}

static inline void carnet_refused_text(struct carnet_writer *writer, const char *text)
{
    carnet_write(writer, text, strlen(text));
}

/* The client takes the root for `wanted`, which it is not: calls of it fail, and say so. */
static inline void carnet_hello_refuse(struct carnet_client *client, const struct carnet_service *service, struct carnet_full_name wanted)
{
    struct carnet_full_name served = carnet_named(service->module, service->interface);
    struct carnet_writer writer = {(unsigned char *)client->refused, sizeof client->refused - 1, false};
    carnet_refused_text(&writer, "this server serves ");
    carnet_refused_name(&writer, served.module);
    carnet_refused_text(&writer, ".");
    carnet_refused_name(&writer, served.name);
    carnet_refused_text(&writer, ", and the client asks for ");
    carnet_refused_name(&writer, wanted.name);
    carnet_refused_text(&writer, " of ");
    carnet_refused_name(&writer, wanted.module);
    *writer.next = 0;
}

/* Reads a Hello of `len` bytes in the client's buffer; NULL, or what is wrong with it. */
static inline const char *carnet_hello_read(struct carnet_server *server, struct carnet_client *client, size_t len)
{
    static const unsigned char magic[] = {0x89, 'c', 'a', 'r', 'n', 'e', 't', '\n'};
    const struct carnet_module *module = server->service->module;
    const char *message = (const char *)carnet_message(&client->session.channel);
    struct carnet_reader reader = {(const unsigned char *)message + CARNET_HEAD_BYTES, len - CARNET_HEAD_BYTES, false};
    const unsigned char *start = carnet_read(&reader, sizeof magic);
    uint32_t version = carnet_read_u32(&reader), count;
    struct carnet_string name = carnet_read_text(&reader), root = carnet_read_text(&reader);
    if (len > CARNET_HEAD_BYTES + CARNET_HELLO_BYTES_MAX) {
        return "its Hello has more than 65536 bytes";
    }
    carnet_forget_operations(client, module);
    if (start == NULL || memcmp(start, magic, sizeof magic) != 0 || version != 1 || reader.is_short) {
        return "its Hello is not one of this version of Carnet";
    }
    count = carnet_read_u32(&reader);
    client->said_hello = true;
    if (name.len == 0) {
        return NULL; /* the client uses our numbers */
    }
    if (root.len > 0 && !carnet_may_be(carnet_in_full(name, root), server->service)) {
        carnet_hello_refuse(client, server->service, carnet_in_full(name, root));
    }
    client->operations = (uint16_t **)calloc(module->count + 1u, sizeof *client->operations);
    client->known = (uint32_t *)calloc(module->count + 1u, sizeof *client->known);
    if (client->operations == NULL || client->known == NULL || !carnet_server_know(server)) {
        return "no memory for its Hello";
    }
    while (count-- > 0) {
        if (!carnet_hello_interface(server, client, name, &reader)) {
            return "its Hello is shorter than it says";
        }
    }
    return reader.is_short || reader.left > 0 ? "its Hello is not as long as it says" : NULL;
}

/* Our number of the client's operation on an object of an interface of the server's module, if the client knows that one; UINT16_MAX
 * if we have none. Whether it knows the operation is in `*is_known`. */
static inline uint16_t carnet_translate_as(const struct carnet_client *client, const struct carnet_module *module,
                                           const struct carnet_interface *interface, uint16_t op, bool *is_known)
{
    uint16_t index;
    for (index = 0; index < module->count; index++) {
        uint32_t count = client->known[index] == UINT32_MAX ? interface->count : client->known[index];
        if (module->interfaces[index]->hash == interface->hash && op < count) {
            *is_known = true;
            return client->operations[index] == NULL ? op : client->operations[index][op];
        }
    }
    *is_known = false;
    return UINT16_MAX;
}

/* Our number of the client's operation on an object of a service; UINT16_MAX if we have none. A client that does not know
 * its interface may know some that it inherits from, whose operations have the same numbers in it. It takes the object for one
 * of them, and nobody else knows for which: a number that would mean different operations in them means none. */
static inline uint16_t carnet_translate(const struct carnet_server *server, const struct carnet_client *client,
                                        const struct carnet_interface *interface, uint16_t op)
{
    uint16_t found = UINT16_MAX;
    bool is_found = false, is_known;
    if (client->operations == NULL) {
        return op;
    }
    for (; interface != NULL; interface = interface->base) {
        uint16_t number = carnet_translate_as(client, server->service->module, interface, op, &is_known);
        if (is_known && is_found && number != found) {
            return UINT16_MAX;
        }
        if (is_known) {
            found = number;
            is_found = true;
        }
    }
    return found;
}

/* ---- Sharing memory ---- */

/* How often SIGIO came, for all servers of the process: each remembers for itself what it has looked for. */
__attribute__((weak)) uint32_t carnet_stirs;

__attribute__((unused)) static void carnet_stir(int signal_number)
{
    int before = errno;
    (void)signal_number;
    (void)__atomic_fetch_add(&carnet_stirs, 1, __ATOMIC_SEQ_CST);
    carnet_wake(&carnet_stirs);
    errno = before;
}

/* From now on SIGIO tells what happens on a socket; what happened before must be looked for. What fails here is found a
 * moment later: no sleep is long. */
static inline void carnet_tell_of(struct carnet_server *server, int socket)
{
    int flags = fcntl(socket, F_GETFL);
    if (fcntl(socket, F_SETOWN, getpid()) == 0 && flags >= 0) {
        (void)fcntl(socket, F_SETFL, flags | O_ASYNC);
    }
    server->stirs = __atomic_load_n(&carnet_stirs, __ATOMIC_SEQ_CST) - 1;
}

static inline void carnet_tell_of_all(struct carnet_server *server)
{
    struct sigaction action;
    size_t index;
    if (server->is_told) {
        return;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = carnet_stir;
    action.sa_flags = SA_RESTART;
    server->is_told = sigaction(SIGIO, &action, NULL) == 0;
    carnet_tell_of(server, server->listener);
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        if (server->clients[index] != NULL) {
            carnet_tell_of(server, server->clients[index]->socket);
        }
    }
}

/* A word to wait for, as futex_waitv(2) has it. */
struct carnet_wanted {
    uint64_t value, address;
    uint32_t flags, reserved;
};

#ifdef SYS_futex_waitv
#define CARNET_SYS_WAIT SYS_futex_waitv
#else
#define CARNET_SYS_WAIT 449
#endif

/* Waits until one of some words has changed, or is rung; returns at once if the system cannot. */
static inline void carnet_wait_words(struct carnet_wanted *words, size_t count, int64_t at_most_ms)
{
    int64_t deadline = carnet_system_ns() + at_most_ms * 1000000;
    struct timespec time;
    time.tv_sec = (time_t)(deadline / 1000000000);
    time.tv_nsec = (long)(deadline % 1000000000);
    (void)syscall(CARNET_SYS_WAIT, words, count, 0, &time, CLOCK_MONOTONIC);
}

/* Whether memory can be shared at all. */
static inline bool carnet_can_share(void)
{
    return CARNET_SHARED_RING_MAX >= CARNET_RING_BYTES_MIN &&
           (syscall(CARNET_SYS_WAIT, NULL, 0, 0, NULL, CLOCK_MONOTONIC) == 0 || errno != ENOSYS);
}

/* Whether a process may pass descriptors through a new client. */
static inline bool carnet_may_pass(const struct carnet_server *server, uint32_t process)
{
    size_t index, other, counted = 0, own = 0;
    for (index = 0; index < server->stuck; index++) {
        size_t before = 0;
        for (other = 0; other < index; other++) {
            before += server->stuck_of[other] == server->stuck_of[index];
        }
        counted += before < CARNET_STUCK_PROCESS_MAX;
        own += server->stuck_of[index] == process;
    }
    return own < CARNET_STUCK_PROCESS_MAX && counted < CARNET_STUCK_MAX && server->stuck < CARNET_STUCK_ALL_MAX;
}

/* Sends the reply to Share, with the memory. */
static inline bool carnet_send_memory(struct carnet_client *client, uint32_t ring, int file)
{
    uint64_t frame[3];
    union carnet_beside beside;
    struct iovec piece;
    struct msghdr what;
    frame[0] = (CARNET_HEAD_BYTES + 4) | (uint64_t)CARNET_KIND_REPLY << 32;
    frame[1] = client->call;
    frame[2] = ring;
    memset(&beside, 0, sizeof beside);
    beside.head.cmsg_len = CMSG_LEN(sizeof(int));
    beside.head.cmsg_level = SOL_SOCKET;
    beside.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&beside.head), &file, sizeof file);
    piece.iov_base = frame;
    piece.iov_len = CARNET_HEAD_BYTES + 4;
    what = carnet_message_with(&piece, &beside, CMSG_SPACE(sizeof(int)));
    /* The first bytes of a connection always fit as a whole. */
    return sendmsg(client->socket, &what, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)piece.iov_len;
}

/* Goes on through memory, as a frame of `len` bytes asks. */
static inline void carnet_client_share(struct carnet_server *server, struct carnet_client *client, size_t len)
{
    const uint64_t *message = carnet_message(&client->session.channel);
    uint32_t wished = (uint32_t)(carnet_get(message, 3) >> 32);
    int file;
    bool is_first = !client->said_hello && client->queue == NULL && (carnet_get(message, 0) >> 40 & 0xff) == 0;
    if (len != 32 || client->call == 0 || !is_first || memcmp(message + 2, "\x89" "carnet\n", 8) != 0 ||
        (uint32_t)carnet_get(message, 3) != 1) {
        carnet_farewell(client, CARNET_PROTOCOL, "a Share that is not one of this version of Carnet, or not the first frame");
        return;
    }
    if (!carnet_can_share()) {
        carnet_farewell(client, CARNET_REFUSED, "this server shares no memory");
        return;
    }
    client->queue = carnet_queue_make(wished, CARNET_SHARED_RING_MAX, &file);
    if (client->queue == NULL) {
        carnet_farewell(client, CARNET_REFUSED, "the server has no memory to share");
        return;
    }
    if (server->memory != NULL && carnet_may_pass(server, client->session.channel.self.caller.process)) {
        int in_line = 1, least = 1;
        (void)setsockopt(client->socket, SOL_SOCKET, SO_OOBINLINE, &in_line, sizeof in_line);
        /* Descriptors that a client does not take count against our user: there is room for few. */
        (void)setsockopt(client->socket, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
        carnet_let_pass(client->socket, 1);
        client->is_passed_to = true;
    }
    server->sharers++;
    carnet_tell_of_all(server);
    client->is_last = !carnet_send_memory(client, (uint32_t)client->queue->ring, file);
    close(file);
}

/* ---- Memory that is handed over ---- */

/* What so many bytes that a client hands over count: nothing if it may hand over no such. They count from now on. */
static inline size_t carnet_client_charge(struct carnet_client *client, uint64_t len)
{
    size_t bytes;
    if (len > CARNET_MEMORY_CLIENT_MAX) {
        return 0;
    }
    bytes = ((size_t)len + CARNET_MEMORY_CHARGE_MIN - 1) & ~(CARNET_MEMORY_CHARGE_MIN - 1);
    return carnet_handed_take(client->session.account, bytes) ? bytes : 0;
}

/* The memory of a frame of `len` bytes: passed beside it, or in it; the status, and why in `*fault`, if it is none. */
static inline carnet_status carnet_client_takes(struct carnet_client *client, size_t len, struct carnet_memory *memory, size_t *charge,
                                                const char **fault)
{
    const uint64_t *message = carnet_message(&client->session.channel);
    bool is_passed = client->queue != NULL;
    uint64_t bytes = is_passed ? carnet_get(message, 2) : len - CARNET_HEAD_BYTES;
    /* Taken before anything is refused: it does not stay behind. */
    int file = is_passed ? carnet_take_file(client->socket, client->call, CARNET_MEMORY_MAX, &client->is_spoilt) : -1;
    carnet_status status = CARNET_OK;
    *charge = carnet_client_charge(client, bytes);
    if (is_passed && file < 0 && (bytes == 0 || *charge > 0)) {
        *fault = "no descriptor of memory came with it, or something else came before, or the server has no room";
        return CARNET_REFUSED;
    }
    if (bytes > 0 && *charge == 0) {
        *fault = "more memory than clients of this server may hand over";
        status = CARNET_REFUSED;
    } else if (is_passed) {
        *fault = carnet_memory_accept(memory, file, bytes);
        return *fault == NULL ? (carnet_status)CARNET_OK : (carnet_status)CARNET_BAD_ARGUMENT;
    } else {
        status = carnet_memory_of(memory, message + 2, (size_t)bytes);
        *fault = bytes == 0 ? "memory has at least one byte" : "the server has no room for memory";
    }
    if (file >= 0) {
        close(file);
    }
    return status;
}

/* Takes memory, and answers with a portal on it. */
static inline void carnet_client_memory(struct carnet_server *server, struct carnet_client *client, size_t len)
{
    struct carnet_channel *channel = &client->session.channel;
    uint64_t *message = carnet_message(channel);
    struct carnet_memory memory = {NULL, 0, -1};
    struct carnet_held *held;
    struct carnet_answer answer = {CARNET_FLAT(0, 24, 1), message};
    const char *fault = "the server has no room for memory";
    size_t charge = 0;
    carnet_status status;
    if ((carnet_get(message, 0) >> 40 & 0xff) != 0 || (client->queue != NULL && len != 24)) {
        carnet_farewell(client, CARNET_PROTOCOL, "a Memory with portals, or that is no length");
        return;
    }
    status = carnet_client_takes(client, len, &memory, &charge, &fault);
    if (status == CARNET_OK) {
        /* A copy is given to nobody. */
        if (memory.file >= 0) {
            close(memory.file);
            memory.file = -1;
        }
        held = carnet_held_new(memory);
        message[2] = 0;
        if (held != NULL) {
            held->charge = charge;
            held->account = carnet_account_use(client->session.account);
            charge = 0;
            message[2] = carnet_hand_out(&client->session, held, server->memory);
            carnet_take_back(&client->session, message, 0, 0); /* if it was left out */
        }
        status = message[2] != 0 ? (carnet_status)CARNET_OK : (carnet_status)CARNET_REFUSED;
    }
    carnet_handed_leave(client->session.account, charge); /* of what is not held */
    if (status != CARNET_OK) {
        answer = carnet_fail(channel, status, fault);
    }
    carnet_server_reply(server, client, answer);
}

/* Passes the memory behind a portal that the server made, and answers with its length; with nothing if it is to be read by calls. */
static inline void carnet_client_map(struct carnet_server *server, struct carnet_client *client, size_t len)
{
    struct carnet_session *session = &client->session;
    uint64_t *message = carnet_message(&session->channel);
    uint32_t id = (uint32_t)carnet_get(message, 2);
    size_t index = id & (CARNET_OBJECTS_MAX - 1);
    struct carnet_answer answer = {CARNET_FLAT(0, CARNET_HEAD_BYTES, 0), message};
    if ((carnet_get(message, 0) >> 40 & 0xff) != 1 || len != 24) {
        carnet_farewell(client, CARNET_PROTOCOL, "a Map that is not of one portal");
        return;
    }
    if (session->ids[index] != id || session->services[index] == NULL) {
        answer = carnet_fail(&session->channel, CARNET_NO_SUCH_PORTAL, "the session holds no such portal");
    } else if (client->queue != NULL && carnet_is_same(session->services[index], server->memory)) {
        struct carnet_held *held = (struct carnet_held *)session->objects[index];
        int file = carnet_held_file(held);
        if (file >= 0 && carnet_pass_file(client->socket, client->call, file)) {
            message[2] = held->memory.len;
            answer.head = CARNET_FLAT(0, CARNET_HEAD_BYTES + 8, 0);
        }
        if (file >= 0) {
            close(file);
        }
    }
    carnet_server_reply(server, client, answer);
}

/* ---- Frames ---- */

/* Answers what the server is, for clients without stubs: root, names, descriptor, policy. */
static inline void carnet_client_describe(struct carnet_server *server, struct carnet_client *client)
{
    const struct carnet_service *service = server->service;
    const struct carnet_bytes descriptor = service->descriptor();
    uint64_t *message = carnet_message(&client->session.channel);
    struct carnet_writer writer = {(unsigned char *)(message + 2), client->session.channel.capacity - 16, false};
    struct carnet_answer answer;
    uint32_t len = (uint32_t)descriptor.len;
    uint16_t root = 0;
    while (root + 1 < service->module->count && service->module->interfaces[root]->hash != service->interface->hash) {
        root++;
    }
    carnet_write(&writer, &root, sizeof root);
    carnet_write_text(&writer, service->module->name);
    carnet_write_text(&writer, "");
    carnet_write(&writer, &len, sizeof len);
    carnet_write(&writer, descriptor.ptr, descriptor.len);
    carnet_write_text(&writer, "");
    answer.head = CARNET_FLAT(0, writer.next - (unsigned char *)message, 0);
    answer.reply = message;
    if (writer.is_full) {
        answer = carnet_fail(&client->session.channel, CARNET_SERVICE, "the descriptor is longer than a frame may be");
    }
    carnet_server_reply(server, client, answer);
}

/* Answers how many clients of one process there may be. The relay divides them among its own, and beside them nothing counts here by whom
 * it says that a session is for. */
static inline void carnet_client_relayed(struct carnet_server *server, struct carnet_client *client)
{
    uint64_t *message = carnet_message(&client->session.channel);
    struct carnet_answer answer = {CARNET_FLAT(0, CARNET_HEAD_BYTES + 8, 0), message};
    message[2] = (uint64_t)CARNET_CLIENTS_PROCESS_MAX;
    carnet_server_reply(server, client, answer);
}

/* Takes back what a Release frame names. */
static inline void carnet_client_release(struct carnet_client *client, size_t len)
{
    const uint64_t *message = carnet_message(&client->session.channel);
    size_t pair;
    for (pair = 0; pair < (len - CARNET_HEAD_BYTES) / 8; pair++) {
        uint64_t word = carnet_get(message, 2 + pair);
        carnet_give_back(&client->session, (uint32_t)word, (uint32_t)(word >> 32));
    }
}

/* Looks at a whole frame; true if it is a call to be served. */
static inline bool carnet_client_frame(struct carnet_server *server, struct carnet_client *client)
{
    struct carnet_channel *channel = &client->session.channel;
    const uint64_t *message = carnet_message(channel);
    uint64_t first = carnet_get(message, 0), second = carnet_get(message, 1);
    size_t len = (size_t)(first & 0xffffffff);
    uint64_t kind = first >> 32 & 0xff;
    uint64_t portals = first >> 40 & 0xff;
    uint16_t op = (uint16_t)(first >> 48);
    size_t index;
    const char *fault;
    client->target = (uint32_t)second;
    client->call = (uint32_t)(second >> 32);
    if (kind != CARNET_KIND_CALL && (op != 0 || client->target != 0)) {
        carnet_farewell(client, CARNET_PROTOCOL, "an operation in a message that is no call");
        return false;
    }
    if (kind == CARNET_KIND_HELLO) {
        if (client->call != 0 || portals != 0) {
            carnet_farewell(client, CARNET_PROTOCOL, "Hello with a call number or portals");
            return false;
        }
        fault = carnet_hello_read(server, client, len);
        if (fault != NULL) {
            carnet_farewell(client, CARNET_REFUSED, fault);
        }
        return false;
    }
    if (kind == CARNET_KIND_SHARE) {
        carnet_client_share(server, client, len);
        return false;
    }
    if (!client->said_hello) {
        carnet_farewell(client, CARNET_PROTOCOL, "the first frame of a client is Hello");
        return false;
    }
    if (kind == CARNET_KIND_RELEASE) {
        if (client->call != 0 || portals != 0 || len % 8 != 0) {
            carnet_farewell(client, CARNET_PROTOCOL, "a Release that is not a list of pairs");
            return false;
        }
        if (len > CARNET_HEAD_BYTES + 8 * CARNET_RELEASE_PAIRS_MAX) {
            carnet_farewell(client, CARNET_PROTOCOL, "a Release of more than 1024 pairs");
            return false;
        }
        carnet_client_release(client, len);
        return false;
    }
    if (client->call == 0) {
        carnet_farewell(client, CARNET_PROTOCOL, "a request without a number");
        return false;
    }
    if (kind == CARNET_KIND_DESCRIBE) {
        if (portals != 0 || len != CARNET_HEAD_BYTES) {
            carnet_farewell(client, CARNET_PROTOCOL, "a Describe with arguments");
            return false;
        }
        carnet_client_describe(server, client);
        return false;
    }
    if (kind == CARNET_KIND_RELAYED) {
        if (portals != 0 || (len != CARNET_HEAD_BYTES && len != CARNET_HEAD_BYTES + 16)) {
            carnet_farewell(client, CARNET_PROTOCOL, "a Relayed that is not one of this version of Carnet");
            return false;
        }
        carnet_client_relayed(server, client);
        return false;
    }
    if (server->memory != NULL && (kind == CARNET_KIND_MEMORY || kind == CARNET_KIND_MAP)) {
        if (kind == CARNET_KIND_MEMORY) {
            carnet_client_memory(server, client, len);
        } else {
            carnet_client_map(server, client, len);
        }
        return false;
    }
    if (kind != CARNET_KIND_CALL) {
        if (kind != CARNET_KIND_MEMORY && kind != CARNET_KIND_MAP &&
            (kind < CARNET_KIND_ENTRY_FIRST || kind > CARNET_KIND_ENTRY_LAST)) {
            carnet_farewell(client, CARNET_PROTOCOL, "a kind of message that is unknown");
            return false;
        }
        carnet_server_reply(server, client, carnet_fail(channel, CARNET_REFUSED, "this server only serves calls"));
        return false;
    }
    index = client->target & (CARNET_OBJECTS_MAX - 1);
    if (client->session.ids[index] == client->target) {
        if (index == 1 && client->refused[0] != 0) {
            carnet_server_reply(server, client, carnet_fail(channel, CARNET_REFUSED, client->refused));
            return false;
        }
        op = carnet_translate(server, client, client->session.services[index]->interface, op);
    }
    if (op > 0x7fff) {
        carnet_server_reply(server, client, carnet_refuse(channel, 0x7fff, 0));
        return false;
    }
    if (len < CARNET_PLAIN_BYTES_MAX) {
        /* What came there before is no result: neither a word, nor the address of a piece. */
        memset((char *)carnet_message(channel) + len, 0, CARNET_PLAIN_BYTES_MAX - len);
    }
    client->head = CARNET_FLAT(op, len, first >> 40 & 0xff);
    carnet_serving = &client->session;
    return true;
}

/* As recv does without waiting: bytes, 0 for the end, -1 and EAGAIN. */
static inline ssize_t carnet_client_take(struct carnet_client *client, void *to, size_t len)
{
    bool is_over;
    int64_t taken;
    if (client->queue == NULL) {
        return recv(client->socket, to, len, MSG_DONTWAIT);
    }
    /* What came before the end is seen by whoever looks after it. */
    is_over = client->is_deaf || carnet_queue_is_over(client->queue);
    if (is_over && !client->is_deaf) {
        carnet_client_hear_out(client);
    }
    if (client->is_deaf && client->queue->in_head - client->deaf_at >= client->queue->ring) {
        return 0; /* it writes on, though it has gone */
    }
    taken = carnet_queue_receive(client->queue, to, len);
    if (taken == 0 && !is_over) {
        errno = EAGAIN;
        return -1;
    }
    return taken < 0 ? 0 : (ssize_t)taken;
}

/* Receives what is there of one frame; false if the session is over. `*is_call` says that there is one to serve. */
static inline bool carnet_client_receive(struct carnet_server *server, struct carnet_client *client, bool *is_call)
{
    uint64_t *message = carnet_message(&client->session.channel);
    *is_call = false;
    for (;;) {
        size_t len = client->received < 4 ? CARNET_HEAD_BYTES : (size_t)(carnet_get(message, 0) & 0xffffffff);
        size_t wanted = client->received < CARNET_HEAD_BYTES ? CARNET_HEAD_BYTES : len;
        ssize_t received;
        if (len < CARNET_HEAD_BYTES || len > CARNET_FRAME_BYTES_MAX) {
            carnet_farewell(client, CARNET_PROTOCOL, "a frame that is shorter than a head, or longer than a frame may be");
            return true;
        }
        if (client->received >= CARNET_HEAD_BYTES && client->received == len) {
            client->received = 0;
            client->deadline_ms = 0; /* a call takes as long as it takes */
            *is_call = carnet_client_frame(server, client);
            if (!client->said_hello && client->unsent == NULL) {
                client->deadline_ms = carnet_now_ms() + CARNET_PATIENCE_MS; /* memory is shared, and Hello comes next */
            } else if (!*is_call) {
                carnet_client_rest(server, client);
            }
            return true;
        }
        received = carnet_client_take(client, (char *)message + client->received, wanted - client->received);
        if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return true;
        }
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received <= 0) {
            return false;
        }
        client->received += (size_t)received;
        if (!client->said_hello) {
            continue; /* all of it has the time that it had from the beginning */
        }
        if (client->received == (size_t)received) {
            carnet_client_pace(client, client->received);
        } else {
            carnet_client_keep_pace(client, client->received);
        }
    }
}

/* Sends more of what was kept; false if the session is over. */
static inline bool carnet_client_flush(struct carnet_client *client)
{
    struct carnet_frame frame;
    carnet_frame_of(&frame, client->unsent + client->unsent_at, client->unsent_len - client->unsent_at, NULL, 0);
    if (client->queue == NULL) {
        if (!carnet_send_some(client->socket, &frame)) {
            if (errno != EAGAIN && errno != EWOULDBLOCK) {
                carnet_client_hear_out(client);
            }
            return true;
        }
    } else if (!carnet_queue_send(client->queue, &frame)) {
        return false;
    }
    if (client->queue != NULL && frame.left == client->unsent_len - client->unsent_at && carnet_queue_is_over(client->queue)) {
        carnet_client_hear_out(client);
        return true;
    }
    client->unsent_at = client->unsent_len - frame.left;
    carnet_client_keep_pace(client, client->unsent_at);
    if (client->unsent_at == client->unsent_len) {
        free(client->unsent);
        client->unsent = NULL;
    }
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
