/* carnet_server.h: a server's end of sessions through a Unix socket, or through memory that is shared over one.
 *
 * One loop serves all clients; carnet_main.c has it, to be edited. `carnet_server_wait` returns the next client whose
 * request is whole, in turn, and does everything else by itself: it accepts (the same user only), reads Hello, takes
 * portals back, sends what a client did not take at once, and ends sessions that speak nonsense or are too slow.
 *
 * It takes no descriptors, unless clients may hand memory over (`memory`). Where the system cannot be told so (Linux before 6.16), a client of the same user that passes a
 * socket whose closing waits holds up the loop as long as it likes, and one of another user when it is turned away.
 *
 * Bounds: clients, those of one process, portals of each, bytes of a frame and of shared memory, time for Hello, for the rest of a frame, for a
 * reply that is not read, and between requests. A client whose reply is not read is not served until it has read it. What one sent before
 * it left is done, in turn with what others ask for; nothing is kept for it any more.
 *
 * Sockets and words of memory cannot be waited for at once. So as long as a client shares memory, whatever happens on a
 * socket is told by the signal SIGIO, whose handler counts up one more word. It is the process's, for all its servers.
 */
#ifndef CARNET_SERVER_H
#define CARNET_SERVER_H

#include "carnet_session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Requests through memory that are served before sockets are looked at again. */
#define CARNET_TURNS 32

/* How long nobody is accepted when descriptors or memory have run out, unless a client leaves. */
#define CARNET_FULL_MS 100

/* ---- Listening ---- */

/* Listens on the socket file `path`. A socket file that nobody listens on any more is replaced. */
static inline carnet_status carnet_listen(struct carnet_server *server, const char *path, void *root,
                                          const struct carnet_service *service)
{
    struct sockaddr_un address;
    struct stat file;
    int probe;
    memset(server, 0, sizeof *server);
    carnet_spin_init(&server->spin, CARNET_WAITING);
    server->root = root;
    server->service = service;
    server->idle_ms = CARNET_IDLE_MS;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) {
        return carnet_note(CARNET_UNREACHABLE, "the path is longer than a socket's may be");
    }
    if (service->piece_bytes_max > CARNET_FRAME_BYTES_MAX - CARNET_WORDS_BYTES) {
        return carnet_note(CARNET_REFUSED, "CARNET_FRAME_BYTES_MAX is too small for what the interface may return");
    }
    strcpy(address.sun_path, path);
    if (stat(path, &file) == 0 && S_ISSOCK(file.st_mode)) {
        /* Whoever listens there may be busy: nobody waits for them. */
        probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (probe >= 0) {
            carnet_let_pass(probe, 0);
            if (connect(probe, (const struct sockaddr *)(const void *)&address, sizeof address) != 0 &&
                errno == ECONNREFUSED) {
                (void)unlink(path); /* what fails here fails once more at bind, and is said then */
            }
            close(probe);
        }
    }
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    carnet_let_pass(server->listener, 0);
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

/* ---- The loop's parts ---- */

/* Says why a client is not served, and hangs up. */
static inline void carnet_turn_away(int socket, const char *why)
{
    uint64_t head[2] = {(CARNET_HEAD_BYTES + strlen(why)) | (uint64_t)CARNET_KIND_REPLY << 32, 0};
    struct carnet_frame frame;
    head[0] |= (uint64_t)CARNET_REFUSED << 48;
    carnet_frame_of(&frame, head, sizeof head, why, strlen(why));
    (void)carnet_send_some(socket, &frame); /* it is told nothing if it has gone */
    close(socket);
}

/* Bytes of a client's buffer: for any frame, and for a request with the reply that stands behind it. */
static inline size_t carnet_server_capacity(const struct carnet_server *server)
{
    size_t both = server->service->module->exchange_bytes_max, frame = CARNET_FRAME_BYTES_MAX;
    return both < frame ? frame : both > 2 * frame ? 2 * frame : both;
}

/* How many clients are of a process; of 0, which is the number of all that have none here, since they are outside of our container. */
static inline size_t carnet_server_clients_of(const struct carnet_server *server, uint32_t process)
{
    size_t index, found = 0;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        found += client != NULL && client->session.channel.self.caller.process == process;
    }
    return found;
}

/* Accepts one client, if there is room for it and it is of the same user. */
static inline void carnet_server_accept(struct carnet_server *server)
{
    size_t capacity = carnet_server_capacity(server);
    size_t bytes = (sizeof(struct carnet_client) + capacity + 63) & ~(size_t)63;
    struct ucred peer;
    socklen_t peer_len = sizeof peer;
    struct carnet_client *client;
    struct carnet_account *account;
    size_t place = 0;
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            server->full_until_ms = carnet_now_ms() + CARNET_FULL_MS;
        }
        return;
    }
    while (place < CARNET_CLIENTS_MAX && server->clients[place] != NULL) {
        place++;
    }
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &peer_len) != 0 || peer.uid != geteuid()) {
        carnet_turn_away(socket, "this server serves its own user");
        return;
    }
    if (carnet_server_clients_of(server, (uint32_t)peer.pid) >= (size_t)CARNET_CLIENTS_PROCESS_MAX) {
        carnet_turn_away(socket, peer.pid != 0 ? "this process has as many clients of this server as one may"
                                               : "the processes that this server cannot see have as many clients as one process may");
        return;
    }
    if (server->account == NULL) {
        server->account = carnet_account_of_server();
    }
    account = server->account == NULL ? NULL : carnet_account_open(server->account, (uint32_t)peer.pid);
    if (place == CARNET_CLIENTS_MAX || account == NULL || (client = (struct carnet_client *)aligned_alloc(64, bytes)) == NULL) {
        carnet_account_leave(account);
        carnet_turn_away(socket, "this server has as many clients as it can");
        return;
    }
    memset(client, 0, sizeof *client);
    client->socket = socket;
    client->deadline_ms = carnet_now_ms() + CARNET_PATIENCE_MS;
    carnet_channel_init(&client->session.channel, NULL, capacity);
    carnet_channel_gather(&client->session.channel, &client->gather);
    client->session.channel.self.caller.session = ++server->sessions;
    client->session.channel.self.caller.user = (uint32_t)peer.uid;
    client->session.channel.self.caller.process = (uint32_t)peer.pid;
    (void)carnet_session_init(&client->session, server->root, server->service); /* carnet_listen looked at the room */
    client->session.account = account;
    client->session.first = &server->first;
    client->session.next = server->first;
    server->first = &client->session;
    server->clients[place] = client;
    if (server->is_told) {
        carnet_tell_of(server, socket);
    }
}

/* Milliseconds until the first deadline, at most `timeout_ms`. */
static inline int carnet_server_patience(const struct carnet_server *server, int timeout_ms)
{
    int64_t now = carnet_now_ms();
    size_t index;
    if (server->full_until_ms > now) {
        int left = (int)(server->full_until_ms - now);
        timeout_ms = timeout_ms < 0 || left < timeout_ms ? left : timeout_ms;
    }
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        if (client != NULL && client->deadline_ms != 0) {
            int64_t left = client->deadline_ms > now ? client->deadline_ms - now : 0;
            timeout_ms = timeout_ms < 0 || left < timeout_ms ? (int)left : timeout_ms;
        }
    }
    return timeout_ms;
}

/* Lets one client go on that may have something for us; it, if its request is to be served. */
static inline struct carnet_client *carnet_server_client(struct carnet_server *server, size_t index, bool is_ready)
{
    struct carnet_client *client = server->clients[index];
    bool is_alive = true, is_call = false;
    int64_t now_ms = client->deadline_ms == 0 ? 0 : carnet_now_ms();
    /* When its time is over it is tried once more: a socket is not told to have room before most of what lies there is read. */
    if (client->unsent != NULL && (is_ready || now_ms > client->deadline_ms)) {
        is_alive = carnet_client_flush(client);
        carnet_client_rest(server, client);
    } else if (is_ready && !client->is_last) {
        is_alive = carnet_client_receive(server, client, &is_call);
    }
    if (is_alive && client->deadline_ms != 0 && now_ms > client->deadline_ms) {
        carnet_client_late(client);
        is_alive = false;
    }
    if (!is_alive || (client->is_last && client->unsent == NULL)) {
        carnet_client_end(server, index);
        return NULL;
    }
    return is_call ? client : NULL;
}

/* The next client whose request came through a socket, within `timeout_ms`. */
static inline struct carnet_client *carnet_server_poll(struct carnet_server *server, int timeout_ms)
{
    /* Those that there are: the system takes no more than a process may have descriptors. */
    struct pollfd wanted[CARNET_CLIENTS_MAX + 1];
    size_t whose[CARNET_CLIENTS_MAX + 1];
    bool is_ready[CARNET_CLIENTS_MAX] = {false};
    size_t index, step;
    nfds_t count = 1;
    uint32_t stirs;
    int ready;
    server->served = 0;
    wanted[0].fd = server->full_until_ms > carnet_now_ms() ? -1 : server->listener;
    wanted[0].events = POLLIN;
    wanted[0].revents = 0;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        if (client != NULL) {
            bool is_room_wanted = client->unsent != NULL;
            wanted[count].fd = client->socket;
            /* Of a socket beside memory nothing is wanted but its end, which is told always. */
            wanted[count].events = client->queue != NULL ? 0 : is_room_wanted ? POLLOUT : POLLIN;
            wanted[count].revents = 0;
            whose[count++] = index;
        }
    }
    stirs = __atomic_load_n(&carnet_stirs, __ATOMIC_SEQ_CST);
    ready = poll(wanted, count, timeout_ms);
    if (ready < 0) {
        return NULL;
    }
    /* Not all of it is taken now, and of what is left nobody tells. */
    server->stirs = ready > 0 ? stirs - 1 : stirs;
    while (count-- > 1) {
        is_ready[whose[count]] = wanted[count].revents != 0;
    }
    /* First, so that no number of busy clients keeps others out. */
    if (wanted[0].revents != 0) {
        carnet_server_accept(server);
    }
    for (step = 0; step < CARNET_CLIENTS_MAX; step++) {
        struct carnet_client *client, *found = NULL;
        index = server->turn;
        server->turn = (index + 1) % CARNET_CLIENTS_MAX;
        client = server->clients[index];
        if (client != NULL && client->queue != NULL && is_ready[index]) {
            client->queue->is_over = true;
        }
        if (client != NULL) {
            found = carnet_server_client(server, index, is_ready[index] && client->queue == NULL);
        }
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static inline uint32_t carnet_client_wants(const struct carnet_client *client)
{
    return client->unsent != NULL ? CARNET_WANTS_ROOM : CARNET_WANTS_FRAMES;
}

/* Whether a client has put something into its memory, or made room there. */
static inline bool carnet_client_is_ready(const struct carnet_client *client)
{
    return client != NULL && client->queue != NULL &&
           (client->is_deaf || carnet_queue_look(client->queue, carnet_client_wants(client)));
}

/* The next client whose request came through memory. */
static inline struct carnet_client *carnet_server_look(struct carnet_server *server)
{
    size_t step, first = server->turn;
    for (step = 0; step < CARNET_CLIENTS_MAX; step++) {
        size_t index = (first + step) % CARNET_CLIENTS_MAX;
        if (carnet_client_is_ready(server->clients[index])) {
            struct carnet_client *found = carnet_server_client(server, index, true);
            server->turn = (index + 1) % CARNET_CLIENTS_MAX;
            if (found != NULL) {
                server->served++;
                return found;
            }
        }
    }
    return NULL;
}

/* Whether any client that shares memory has something, or a socket. */
static inline bool carnet_server_is_ready(const struct carnet_server *server)
{
    size_t index;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        if (carnet_client_is_ready(server->clients[index])) {
            return true;
        }
    }
    return __atomic_load_n(&carnet_stirs, __ATOMIC_RELAXED) != server->stirs;
}

/* Says to each client where we wait, and that there is room; whether all of them need this processor. */
static inline bool carnet_server_meet(struct carnet_server *server)
{
    bool are_near = true;
    size_t index;
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        if (server->clients[index] != NULL && server->clients[index]->queue != NULL) {
            are_near = carnet_queue_meet(server->clients[index]->queue) && are_near;
            carnet_ring(server->clients[index]->queue, CARNET_WANTS_ROOM);
        }
    }
    return are_near;
}

/* Sleeps until a client has something, at most so long. */
static inline void carnet_server_sleep(struct carnet_server *server, int64_t at_most_ms)
{
    struct carnet_wanted words[CARNET_CLIENTS_MAX + 1];
    size_t index, count = 1;
    memset(words, 0, sizeof words);
    words[0].value = server->stirs;
    words[0].address = (uint64_t)(uintptr_t)&carnet_stirs;
    words[0].flags = 2; /* 32 bits */
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        const struct carnet_client *client = server->clients[index];
        if (client != NULL && client->queue != NULL) {
            words[count].value = carnet_announce(client->queue, carnet_client_wants(client));
            words[count].address = (uint64_t)(uintptr_t)carnet_bell(client->queue, 1);
            words[count++].flags = 2;
        }
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!carnet_server_is_ready(server)) {
        carnet_wait_words(words, count, at_most_ms);
    }
    for (index = 0; index < CARNET_CLIENTS_MAX; index++) {
        if (server->clients[index] != NULL && server->clients[index]->queue != NULL) {
            carnet_awake(server->clients[index]->queue);
        }
    }
}

/* How the server waits for clients through shared memory, from now on. */
static inline void carnet_server_set_waiting(struct carnet_server *server, enum carnet_waiting waiting)
{
    carnet_spin_init(&server->spin, waiting);
}

/* Looks for something to do until it is time to look at sockets, and lets others run meanwhile. */
static inline void carnet_server_look_on(struct carnet_server *server, int timeout_ms)
{
    int64_t at_most = timeout_ms < 0 || timeout_ms > CARNET_SLICE_MS_MIN ? CARNET_SLICE_MS_MIN : timeout_ms;
    int64_t until_ms = carnet_now_ms() + at_most;
    do {
        unsigned look, looks = carnet_server_meet(server) ? 1 : CARNET_LOOKS_IN_TURN / CARNET_CLIENTS_MAX + 1;
        for (look = 0; look < looks; look++) {
            if (carnet_server_is_ready(server)) {
                return;
            }
            carnet_relax();
        }
        sched_yield();
    } while (carnet_now_ms() < until_ms);
}

/* Waits for something to do, at most so long: looks for as long as that pays, then sleeps. */
static inline void carnet_server_idle(struct carnet_server *server, int timeout_ms)
{
    if (server->spin.waiting == CARNET_SPINNING) {
        carnet_server_look_on(server, timeout_ms);
        return;
    }
    int64_t begun = carnet_now_ns(), now = begun;
    server->spin.is_near = carnet_server_meet(server);
    while (!server->spin.is_near && now - begun < server->spin.ns) {
        if (carnet_server_is_ready(server)) {
            carnet_spin_won(&server->spin, now - begun);
            return;
        }
        carnet_relax();
        now = carnet_now_ns();
    }
    carnet_server_sleep(server, timeout_ms < 0 || timeout_ms > CARNET_SLICE_MS_MAX ? CARNET_SLICE_MS_MAX : timeout_ms);
    carnet_spin_lost(&server->spin, carnet_now_ns() - begun);
}

/* The next client whose request is whole, within `timeout_ms` (-1: as long as it likes); NULL if there is none, or a signal
 * came, or it is time to look at sockets. Answer it with carnet_server_reply before the next one is asked for. */
static inline struct carnet_client *carnet_server_wait(struct carnet_server *server, int timeout_ms)
{
    struct carnet_client *found = NULL;
    timeout_ms = carnet_server_patience(server, timeout_ms);
    if (server->sharers == 0) {
        return carnet_server_poll(server, timeout_ms);
    }
    if (server->served < CARNET_TURNS) {
        found = carnet_server_look(server);
    }
    if (found == NULL && server->served < CARNET_TURNS) {
        carnet_server_idle(server, timeout_ms);
        found = carnet_server_look(server);
    }
    if (found == NULL) {
        /* Sockets; and time that has passed. */
        found = carnet_server_poll(server, 0);
    }
    return found;
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
    carnet_account_leave(server->account);
    server->account = NULL;
    free(server->known);
    server->known = NULL;
    close(server->listener);
}

#ifdef __cplusplus
}
#endif

#endif
