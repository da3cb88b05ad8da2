/* carnet_server.h: a server's end of sessions through a Unix socket, in plain POSIX.
 *
 * One loop serves all clients; carnet_main.c has it, to be edited. `carnet_server_wait` returns the next client whose
 * request is whole, in turn, and does everything else by itself: it accepts (the same user only), reads Hello, takes
 * portals back, sends what a client did not take at once, and ends sessions that speak nonsense or are too slow.
 *
 * Bounds: clients, portals of each, bytes of a frame, time for the rest of a frame and for a reply that is not read. A
 * client whose reply is not read is not served until it has read it.
 */
#ifndef CARNET_SERVER_H
#define CARNET_SERVER_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first header: the server asks who is at the other end of a socket"
#endif

#include "carnet_client.h"

#include <fcntl.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CARNET_CLIENTS_MAX
#define CARNET_CLIENTS_MAX 64
#endif

/* How long the rest of a frame may take, and how long a reply may be left unread. */
#ifndef CARNET_PATIENCE_MS
#define CARNET_PATIENCE_MS 10000
#endif

#define CARNET_KIND_DESCRIBE 5u

struct carnet_client {
    int socket;
    bool said_hello;
    bool is_last; /* the session ends when the reply is sent */
    /* The request that is being served. */
    uint32_t target, call;
    uint64_t head;
    size_t received;       /* bytes of the frame that comes in */
    int64_t deadline_ms;   /* for it, or for what is sent; 0: none */
    unsigned char *unsent; /* what the client did not take at once */
    size_t unsent_at, unsent_len;
    uint16_t **operations; /* by interface of the server: from the client's numbers; NULL: the same */
    uint32_t *known;       /* how many each has */
    struct carnet_session session; /* its buffer follows */
};

struct carnet_server {
    int listener;
    void *root;
    const struct carnet_service *service;
    uint64_t sessions;
    size_t turn;
    struct carnet_client *clients[CARNET_CLIENTS_MAX];
};

/* ---- Listening ---- */

/* Listens on the socket file `path`. A socket file that nobody listens on any more is replaced. */
static inline carnet_status carnet_listen(struct carnet_server *server, const char *path, void *root,
                                          const struct carnet_service *service)
{
    struct sockaddr_un address;
    struct stat file;
    int probe;
    memset(server, 0, sizeof *server);
    server->root = root;
    server->service = service;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) {
        return carnet_note(CARNET_UNREACHABLE, "the path is longer than a socket's may be");
    }
    strcpy(address.sun_path, path);
    if (stat(path, &file) == 0 && S_ISSOCK(file.st_mode)) {
        probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (probe >= 0) {
            if (connect(probe, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
                (void)unlink(path); /* what fails here fails once more at bind, and is said then */
            }
            close(probe);
        }
    }
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0 ||
        bind(server->listener, (const struct sockaddr *)(const void *)&address, sizeof address) != 0 ||
        listen(server->listener, 64) != 0) {
        const char *why = strerror(errno);
        if (server->listener >= 0) {
            close(server->listener);
        }
        return carnet_note(CARNET_UNREACHABLE, why);
    }
    return CARNET_OK;
}

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
}

static inline void carnet_client_end(struct carnet_server *server, size_t index)
{
    struct carnet_client *client = server->clients[index];
    server->clients[index] = NULL;
    carnet_session_end(&client->session);
    carnet_forget_operations(client, server->service->module);
    close(client->socket);
    free(client->unsent);
    free(client);
}

/* Sends a message; what the client does not take at once is kept. False if the session is over. */
static inline bool carnet_client_send(struct carnet_client *client, uint64_t *message, uint64_t head, uint64_t second)
{
    struct iovec pieces[2];
    struct msghdr what;
    size_t whole, rest, first, left;
    ssize_t sent;
    if (!carnet_seal(message, head, CARNET_KIND_REPLY, second, pieces)) {
        struct carnet_answer answer =
            carnet_fail(&client->session.channel, CARNET_SERVICE, "the reply is longer than a frame may be");
        carnet_seal(answer.reply, answer.head, CARNET_KIND_REPLY, second & 0xffffffff, pieces);
    }
    memset(&what, 0, sizeof what);
    what.msg_iov = pieces;
    what.msg_iovlen = pieces[1].iov_len > 0 ? 2 : 1;
    whole = pieces[0].iov_len + pieces[1].iov_len;
    do {
        sent = sendmsg(client->socket, &what, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        return false;
    }
    rest = sent < 0 ? whole : whole - (size_t)sent;
    if (rest == 0) {
        return true;
    }
    client->unsent = (unsigned char *)malloc(rest);
    if (client->unsent == NULL) {
        return false;
    }
    first = whole - rest < pieces[0].iov_len ? pieces[0].iov_len - (whole - rest) : 0;
    left = rest - first;
    memcpy(client->unsent, (const char *)pieces[0].iov_base + pieces[0].iov_len - first, first);
    if (left > 0) {
        memcpy(client->unsent + first, (const char *)pieces[1].iov_base + pieces[1].iov_len - left, left);
    }
    client->unsent_at = 0;
    client->unsent_len = rest;
    client->deadline_ms = carnet_now_ms() + CARNET_PATIENCE_MS;
    return true;
}

/* Says why the session ends. */
static inline void carnet_farewell(struct carnet_client *client, carnet_status status, const char *text)
{
    struct carnet_answer answer = carnet_fail(&client->session.channel, status, text);
    (void)carnet_client_send(client, answer.reply, answer.head, 0);
    client->is_last = true;
}

/* Answers the request of `client`. */
static inline void carnet_server_reply(struct carnet_server *server, struct carnet_client *client,
                                       struct carnet_answer answer)
{
    uint64_t raised = CARNET_OP(answer.head) == 0 ? 0 : carnet_get(answer.reply, 1) & (uint64_t)0xffff << 32;
    (void)server;
    if (!carnet_client_send(client, answer.reply, answer.head, client->call | raised)) {
        client->is_last = true;
    }
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

static inline uint32_t carnet_read_u32(struct carnet_reader *reader)
{
    uint32_t value = 0;
    const unsigned char *found = carnet_read(reader, 4);
    if (found != NULL) {
        memcpy(&value, found, 4);
    }
    return value;
}

static inline uint64_t carnet_read_u64(struct carnet_reader *reader)
{
    uint64_t value = 0;
    const unsigned char *found = carnet_read(reader, 8);
    if (found != NULL) {
        memcpy(&value, found, 8);
    }
    return value;
}

static inline struct carnet_string carnet_read_text(struct carnet_reader *reader)
{
    struct carnet_string text = {NULL, 0};
    uint32_t len = carnet_read_u32(reader);
    text.ptr = (const char *)carnet_read(reader, len);
    text.len = text.ptr == NULL ? 0 : len;
    return text;
}

static inline bool carnet_is_text(struct carnet_string text, const char *other)
{
    return text.len == strlen(other) && (text.len == 0 || memcmp(text.ptr, other, text.len) == 0);
}

/* Reads one interface of a Hello, and makes the table of its operation numbers if it is not as ours. */
static inline bool carnet_hello_interface(struct carnet_client *client, const struct carnet_module *module,
                                          struct carnet_reader *reader)
{
    struct carnet_string name = carnet_read_text(reader);
    uint64_t hash = carnet_read_u64(reader);
    uint32_t count = carnet_read_u32(reader), number;
    const struct carnet_interface *ours = NULL;
    uint16_t index, own, *table;
    for (index = 0; index < module->count; index++) {
        if (carnet_is_text(name, module->interfaces[index]->name)) {
            ours = module->interfaces[index];
            break;
        }
    }
    if (reader->is_short || count > reader->left / 8) {
        return false;
    }
    if (ours == NULL || client->operations[index] != NULL || ours->hash == hash) {
        client->known[index < module->count ? index : module->count] = UINT32_MAX;
        return carnet_read(reader, (size_t)count * 8) != NULL || count == 0;
    }
    table = (uint16_t *)malloc((size_t)count * sizeof *table + 1);
    if (table == NULL) {
        return false;
    }
    for (number = 0; number < count; number++) {
        uint64_t wanted = carnet_read_u64(reader);
        table[number] = UINT16_MAX;
        for (own = 0; own < ours->count; own++) {
            if (ours->operations[own] == wanted) {
                table[number] = own;
            }
        }
    }
    client->operations[index] = table;
    client->known[index] = count;
    return true;
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
    carnet_forget_operations(client, module);
    if (start == NULL || memcmp(start, magic, sizeof magic) != 0 || version != 1 || reader.is_short) {
        return "its Hello is not one of this version of Carnet";
    }
    count = carnet_read_u32(&reader);
    client->said_hello = true;
    if (name.len == 0) {
        return NULL; /* the client uses our numbers */
    }
    if (!carnet_is_text(name, module->name) || (root.len > 0 && !carnet_is_text(root, server->service->interface->name))) {
        return "this server serves another interface";
    }
    client->operations = (uint16_t **)calloc(module->count + 1u, sizeof *client->operations);
    client->known = (uint32_t *)calloc(module->count + 1u, sizeof *client->known);
    if (client->operations == NULL || client->known == NULL) {
        return "no memory for its Hello";
    }
    while (count-- > 0) {
        if (!carnet_hello_interface(client, module, &reader)) {
            return "its Hello is shorter than it says";
        }
    }
    return reader.is_short || reader.left > 0 ? "its Hello is not as long as it says" : NULL;
}

/* Our number of the client's operation on an object of a service; UINT16_MAX if we have none. */
static inline uint16_t carnet_translate(const struct carnet_client *client, const struct carnet_service *service,
                                        uint16_t op)
{
    const struct carnet_module *module = service->module;
    uint16_t index;
    for (index = 0; client->operations != NULL && index < module->count; index++) {
        if (module->interfaces[index]->hash == service->interface->hash) {
            if (client->known[index] == UINT32_MAX) {
                return op; /* the same interface */
            }
            return op < client->known[index] ? client->operations[index][op] : UINT16_MAX;
        }
    }
    return op;
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
    uint16_t op = (uint16_t)(first >> 48);
    size_t index;
    const char *fault;
    client->target = (uint32_t)second;
    client->call = (uint32_t)(second >> 32);
    if (kind == CARNET_KIND_HELLO) {
        fault = carnet_hello_read(server, client, len);
        if (fault != NULL) {
            carnet_farewell(client, CARNET_REFUSED, fault);
        }
        return false;
    }
    if (!client->said_hello) {
        carnet_farewell(client, CARNET_PROTOCOL, "the first frame of a client is Hello");
        return false;
    }
    if (kind == CARNET_KIND_RELEASE) {
        carnet_client_release(client, len);
        return false;
    }
    if (client->call == 0) {
        carnet_farewell(client, CARNET_PROTOCOL, "a request without a number");
        return false;
    }
    if (kind == CARNET_KIND_DESCRIBE) {
        carnet_client_describe(server, client);
        return false;
    }
    if (kind != CARNET_KIND_CALL) {
        carnet_server_reply(server, client, carnet_fail(channel, CARNET_REFUSED, "this server only serves calls"));
        return false;
    }
    index = client->target & (CARNET_OBJECTS_MAX - 1);
    if (client->session.ids[index] == client->target) {
        op = carnet_translate(client, client->session.services[index], op);
    }
    if (op > 0x7fff) {
        carnet_server_reply(server, client, carnet_refuse(channel, 0x7fff, 0));
        return false;
    }
    client->head = CARNET_FLAT(op, len, first >> 40 & 0xff);
    return true;
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
        if (len < CARNET_HEAD_BYTES || len > client->session.channel.capacity) {
            carnet_farewell(client, CARNET_PROTOCOL, "a frame that is shorter than a head, or longer than a frame may be");
            return true;
        }
        if (client->received >= CARNET_HEAD_BYTES && client->received == len) {
            client->received = 0;
            client->deadline_ms = 0;
            *is_call = carnet_client_frame(server, client);
            return true;
        }
        received = recv(client->socket, (char *)message + client->received, wanted - client->received, MSG_DONTWAIT);
        if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return true;
        }
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received <= 0) {
            return false;
        }
        if (client->received == 0) {
            client->deadline_ms = carnet_now_ms() + CARNET_PATIENCE_MS;
        }
        client->received += (size_t)received;
    }
}

/* Sends more of what was kept; false if the session is over. */
static inline bool carnet_client_flush(struct carnet_client *client)
{
    ssize_t sent = send(client->socket, client->unsent + client->unsent_at, client->unsent_len - client->unsent_at,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }
    client->unsent_at += (size_t)sent;
    if (client->unsent_at == client->unsent_len) {
        free(client->unsent);
        client->unsent = NULL;
        client->deadline_ms = 0;
    }
    return true;
}

/* ---- The loop's parts ---- */

/* Accepts one client, if there is room for it and it is of the same user. */
static inline void carnet_server_accept(struct carnet_server *server)
{
    size_t bytes = (sizeof(struct carnet_client) + CARNET_FRAME_BYTES_MAX + 63) & ~(size_t)63;
    struct ucred peer;
    socklen_t peer_len = sizeof peer;
    struct carnet_client *client;
    size_t place = 0;
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0) {
        return;
    }
    while (place < CARNET_CLIENTS_MAX && server->clients[place] != NULL) {
        place++;
    }
    if (place == CARNET_CLIENTS_MAX || getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &peer_len) != 0 ||
        peer.uid != geteuid() || (client = (struct carnet_client *)aligned_alloc(64, bytes)) == NULL) {
        close(socket);
        return;
    }
    memset(client, 0, sizeof *client);
    client->socket = socket;
    carnet_channel_init(&client->session.channel, NULL, CARNET_FRAME_BYTES_MAX);
    client->session.channel.self.caller.session = ++server->sessions;
    client->session.channel.self.caller.user = (uint32_t)peer.uid;
    client->session.channel.self.caller.process = (uint32_t)peer.pid;
    if (!carnet_session_init(&client->session, server->root, server->service)) {
        close(socket);
        free(client);
        return;
    }
    server->clients[place] = client;
}

/* Milliseconds until the first deadline, at most `timeout_ms`. */
static inline int carnet_server_patience(const struct carnet_server *server, int timeout_ms)
{
    int64_t now = carnet_now_ms();
    size_t index;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        if (client != NULL && client->deadline_ms != 0) {
            int64_t left = client->deadline_ms > now ? client->deadline_ms - now : 0;
            timeout_ms = timeout_ms < 0 || left < timeout_ms ? (int)left : timeout_ms;
        }
    }
    return timeout_ms;
}

/* Lets one client go on; it, if its request is to be served. */
static inline struct carnet_client *carnet_server_client(struct carnet_server *server, size_t index, short events)
{
    struct carnet_client *client = server->clients[index];
    bool is_alive = true, is_call = false;
    if (events != 0 && client->unsent != NULL) {
        is_alive = carnet_client_flush(client);
    } else if (events != 0 && !client->is_last) {
        is_alive = carnet_client_receive(server, client, &is_call);
    }
    if (!is_alive || (client->is_last && client->unsent == NULL) ||
        (client->deadline_ms != 0 && carnet_now_ms() > client->deadline_ms)) {
        carnet_client_end(server, index);
        return NULL;
    }
    return is_call ? client : NULL;
}

/* The next client whose request is whole, within `timeout_ms` (-1: wait for ever); NULL if there is none, or a signal
 * came. Answer it with carnet_server_reply before the next one is asked for. */
static inline struct carnet_client *carnet_server_wait(struct carnet_server *server, int timeout_ms)
{
    struct pollfd wanted[CARNET_CLIENTS_MAX + 1];
    size_t index, step;
    wanted[CARNET_CLIENTS_MAX].fd = server->listener;
    wanted[CARNET_CLIENTS_MAX].events = POLLIN;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        wanted[index].fd = client == NULL ? -1 : client->socket;
        wanted[index].events = client != NULL && client->unsent != NULL ? POLLOUT : POLLIN;
        wanted[index].revents = 0;
    }
    if (poll(wanted, CARNET_CLIENTS_MAX + 1, carnet_server_patience(server, timeout_ms)) < 0) {
        return NULL;
    }
    /* First, so that no number of busy clients keeps others out. */
    if (wanted[CARNET_CLIENTS_MAX].revents != 0) {
        carnet_server_accept(server);
    }
    for (step = 0; step < CARNET_CLIENTS_MAX; step++) {
        struct carnet_client *found = NULL;
        index = server->turn;
        server->turn = (index + 1) % CARNET_CLIENTS_MAX;
        if (server->clients[index] != NULL) {
            found = carnet_server_client(server, index, wanted[index].revents);
        }
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Ends all sessions, and listens no more. */
static inline void carnet_server_close(struct carnet_server *server)
{
    size_t index;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        if (server->clients[index] != NULL) {
            carnet_client_end(server, index);
        }
    }
    close(server->listener);
}

#ifdef __cplusplus
}
#endif

#endif
