// Blocking mode: one socket, poll(2), and deadlines. reach.c says what to connect to.
//
//     weft_call: request ──▶ wait ──▶ receive ──▶ … until its answer, the deadline, or the end
//
// While a request is being written the socket is read as well: otherwise a server that waits for the client to read and
// a client that waits to finish writing would wait for ever. Inside a callback, bytes may still lie behind the message
// being delivered, so a callback only writes.
#include "follow.h"
#include "internal.h"
#include "line.h"
#include "outbox.h"
#include "reach.h"
#include "secure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // then the socket itself has SO_NOSIGPIPE
#endif

enum { CHUNKS_A_POLL = 64, WAIT_MS = 100, SECURE_PIECE = 256 * 1024 };

struct weft_peer {
    int64_t alarm; // when weft_reach_late is called
    bool opening;  // the socket to the present server is being connected
    int fd;        // socket to the server that the client goes to; -1: none
};

enum wait_end { WAIT_READY, WAIT_TIMEOUT, WAIT_SIGNAL, WAIT_CANCELLED };

static int64_t deadline_from(int timeout_ms)
{
    return timeout_ms > 0 ? weft_now_ms() + timeout_ms : INT64_MAX;
}

static enum wait_end wait_for(int fd, short events, short *ready, int64_t deadline)
{
    int wait = -1;
    if (deadline != INT64_MAX) {
        const int64_t left = deadline - weft_now_ms();
        wait = left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
    }
    struct pollfd poll_fd = {.fd = fd, .events = events};
    const int count = poll(&poll_fd, 1, wait);
    *ready = poll_fd.revents;
    return count > 0 ? WAIT_READY : count == 0 ? WAIT_TIMEOUT : WAIT_SIGNAL;
}

// Waits like wait_for, but in short pieces if on_wait is to be called in between.
static enum wait_end wait_asking(struct weft_client *client, int fd, short events, short *ready,
                                 int64_t deadline)
{
    while (client->on_wait && client->delivering == 0) {
        const int64_t soon = weft_now_ms() + WAIT_MS;
        const enum wait_end status = wait_for(fd, events, ready, soon < deadline ? soon : deadline);
        if (status == WAIT_READY || (status == WAIT_TIMEOUT && soon >= deadline)) {
            return status;
        }
        if (!client->on_wait(client->on_wait_context, client)) {
            return WAIT_CANCELLED;
        }
        if (status == WAIT_SIGNAL) {
            return status;
        }
    }
    return wait_for(fd, events, ready, deadline);
}

static bool fail_cancelled(struct weft_error *error, const char *what)
{
    return weft_fail(error, WEFT_KIND_LOCAL, "CANCELLED", "%s was given up by this program", what);
}

// Reads the bytes that are there. False when the connection is lost.
static bool receive(struct weft_client *client)
{
    uint8_t *chunk = malloc(WEFT_CHUNK_SIZE);
    if (!chunk) {
        struct weft_error error;
        weft_fail_memory(&error);
        weft_line_lose(client, &error);
        return false;
    }
    for (int i = 0; i < CHUNKS_A_POLL && !weft_client_is_cut(client); i++) {
        const ssize_t got = recv(client->fd, chunk, WEFT_CHUNK_SIZE, MSG_DONTWAIT);
        if (got > 0) {
            weft_reach_take(client, chunk, (size_t)got);
            if (got < WEFT_CHUNK_SIZE) {
                break;
            }
        } else if (got == 0) {
            weft_reach_ended(client, NULL);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            weft_reach_ended(client, strerror(errno));
        }
    }
    free(chunk);
    return !weft_client_is_cut(client);
}

// Sends all parts, and changes them meanwhile. *begun: something was sent. False with *error.
static bool send_parts(struct weft_client *client, struct iovec *part, const struct iovec *end,
                       int64_t deadline, bool *begun, struct weft_error *error)
{
    for (;;) {
        while (part < end && part->iov_len == 0) {
            part++;
        }
        if (part == end) {
            return true;
        }
        const struct msghdr header = {.msg_iov = part, .msg_iovlen = (size_t)(end - part)};
        const ssize_t sent = sendmsg(client->fd, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            client->stats.bytes_out += (uint64_t)sent;
            *begun = *begun || sent > 0;
            for (size_t left = (size_t)sent; left && part < end;) {
                const size_t step = left < part->iov_len ? left : part->iov_len;
                part->iov_base = (char *)part->iov_base + step;
                part->iov_len -= step;
                left -= step;
                if (part->iov_len == 0) {
                    part++;
                }
            }
            continue;
        }
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            const int number = errno;
            // The server's last error tells more than EPIPE.
            if (client->delivering == 0) {
                receive(client);
            }
            weft_reach_fail(client, "cannot write to", strerror(number));
            break;
        }
        short ready;
        const short events = client->delivering ? POLLOUT : POLLIN | POLLOUT;
        const enum wait_end status = wait_asking(client, client->fd, events, &ready, deadline);
        if (status == WAIT_TIMEOUT || status == WAIT_CANCELLED) {
            if (status == WAIT_TIMEOUT) {
                weft_fail(error, WEFT_KIND_TRANSPORT, "TIMEOUT", "the server at %s took nothing for %d ms",
                          client->address, client->timeout_ms);
            } else {
                fail_cancelled(error, "a request");
            }
            if (*begun) {
                weft_reach_fail(client, "a request was cut in the middle for",
                                strerror(status == WAIT_TIMEOUT ? ETIMEDOUT : ECANCELED));
            }
            return false;
        }
        if (status == WAIT_READY && (ready & POLLIN) && !receive(client)) {
            break;
        }
    }
    return weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "%s", client->loss.text);
}

// Sends in pieces, so that a large message needs no second copy in memory. Sealed bytes have to go out in their order:
// once a piece is begun it is sent whole, or the connection is lost.
static bool send_secure(struct weft_client *client, const msgpack_sbuffer *buffer, int64_t deadline,
                        bool *begun, struct weft_error *error)
{
    for (size_t at = 0; buffer && at < buffer->size;) {
        const size_t left = buffer->size - at;
        const size_t step = left < SECURE_PIECE ? left : SECURE_PIECE;
        char *bytes;
        if (!weft_secure_put(client->secure, buffer->data + at, step, error)) {
            return false;
        }
        at += step;
        const size_t size = weft_secure_take(client->secure, &bytes);
        if (size == 0) {
            return weft_fail_memory(error);
        }
        struct iovec part = {bytes, size};
        *begun = true;
        const bool sent = send_parts(client, &part, &part + 1, deadline, begun, error);
        free(bytes);
        if (!sent) {
            return false;
        }
    }
    return true;
}

static bool blocking_send(struct weft_client *client, const msgpack_sbuffer *head,
                          const msgpack_sbuffer *body, struct weft_error *error)
{
    struct iovec parts[2] = {{head->data, head->size}, {body ? body->data : NULL, body ? body->size : 0}};
    const int64_t deadline = deadline_from(client->timeout_ms);
    bool begun = false;
    if (!client->secure) {
        return send_parts(client, parts, parts + 2, deadline, &begun, error);
    }
    struct weft_error mine;
    struct weft_error *said = error ? error : &mine;
    client->sending = true;
    bool sent = send_secure(client, head, deadline, &begun, said);
    sent = sent && send_secure(client, body, deadline, &begun, said);
    client->sending = false;
    if (sent) {
        weft_reach_talk(client);
    } else {
        weft_reach_fail_for(client, said);
    }
    return sent;
}

// ---------------------------------------------------------------------------------------------------------
// Connecting

// Opens a socket that never blocks, is not inherited by other programs, and raises no signal if its peer is gone.
static int open_socket(const struct addrinfo *target)
{
#if defined(SOCK_CLOEXEC) && defined(SOCK_NONBLOCK)
    return socket(target->ai_family, target->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, target->ai_protocol);
#else
    const int fd = socket(target->ai_family, target->ai_socktype, target->ai_protocol);
    if (fd >= 0) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, O_NONBLOCK);
    }
#ifdef SO_NOSIGPIPE
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
    }
#endif
    return fd;
#endif
}

// Makes the system notice within half a minute that a machine vanished, even if the program waits without a timeout.
static void keep_alive(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#if defined(TCP_KEEPIDLE) && defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT)
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &(int){10}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &(int){5}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &(int){3}, sizeof(int));
#endif
}

static int *socket_of(struct weft_client *client, enum weft_side side)
{
    return side == WEFT_HERE ? &client->fd : &client->peer->fd;
}

// Error of a connecting socket; 0 if it is connected.
static int connect_result(int fd)
{
    int number = 0;
    socklen_t size = sizeof number;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno;
}

static void blocking_shut(struct weft_client *client, enum weft_side side)
{
    int *fd = socket_of(client, side);
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static const char *blocking_open(struct weft_client *client, enum weft_side side,
                                 const struct addrinfo *target)
{
    const int fd = open_socket(target);
    if (fd >= 0 &&
        (connect(fd, target->ai_addr, target->ai_addrlen) == 0 || errno == EINPROGRESS || errno == EINTR)) {
        keep_alive(fd);
        *socket_of(client, side) = fd;
        if (side == WEFT_HERE) {
            client->peer->opening = true;
        }
        return NULL;
    }
    const int number = errno;
    if (fd >= 0) {
        close(fd);
    }
    return strerror(number);
}

static void blocking_look_up(struct weft_client *client, enum weft_side side,
                             const struct weft_address *address)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int status = getaddrinfo(address->host, address->port, &hints, &found);
    if (status == 0) {
        weft_reach_found(client, side, found, NULL);
    } else {
        weft_reach_found(client, side, NULL, status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status));
    }
}

static void blocking_take_over(struct weft_client *client)
{
    client->fd = client->peer->fd;
    client->peer->fd = -1;
    client->peer->opening = false;
}

// The socket is connected, or could not be.
static void connected(struct weft_client *client, enum weft_side side)
{
    const int number = connect_result(*socket_of(client, side));
    if (side == WEFT_HERE) {
        client->peer->opening = false;
    }
    weft_reach_connected(client, side, number ? strerror(number) : NULL);
}

static void blocking_alarm(struct weft_client *client, int64_t after_ms)
{
    client->peer->alarm = after_ms == WEFT_NO_ALARM ? INT64_MAX : weft_now_ms() + after_ms;
}

// Does nothing: turn() looks at the time by itself.
static void blocking_wake(struct weft_client *client)
{
    (void)client;
}

static bool blocking_say(struct weft_client *client, char *bytes, size_t size, struct weft_error *error)
{
    const ssize_t sent = send(client->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    const int number = sent < 0 ? errno : EAGAIN;
    free(bytes);
    return sent == (ssize_t)size || weft_fail(error, WEFT_KIND_TRANSPORT, "CLOSED", "cannot write to %s: %s",
                                              client->address, strerror(number));
}

static void destroy(struct weft_client *client)
{
    blocking_shut(client, WEFT_HERE);
    blocking_shut(client, WEFT_THERE);
    weft_client_destroy(client);
}

static void blocking_close(struct weft_client *client)
{
    weft_reach_close(client);
    destroy(client);
}

static const struct weft_transport blocking = {.steps = &weft_follow_steps,
                                               .ways = &weft_reach_ways,
                                               .send = blocking_send,
                                               .close = blocking_close,
                                               .lose = weft_line_lose,
                                               .wake = blocking_wake,
                                               .alarm = blocking_alarm,
                                               .look_up = blocking_look_up,
                                               .open = blocking_open,
                                               .shut = blocking_shut,
                                               .take_over = blocking_take_over,
                                               .say = blocking_say};

// Takes one step towards a connection, so that a caller which only looks (weft_poll with 0) never waits.
static enum wait_end approach(struct weft_client *client, int64_t deadline)
{
    const struct weft_peer *peer = client->peer;
    short ready;
    const short events = client->state == WEFT_STATE_AWAY ? 0 : peer->opening ? POLLOUT : POLLIN;
    const int64_t until = peer->alarm < deadline ? peer->alarm : deadline;
    const enum wait_end status = wait_asking(client, client->fd, events, &ready, until);
    if (status == WAIT_CANCELLED || status == WAIT_SIGNAL ||
        (status == WAIT_TIMEOUT && weft_now_ms() < peer->alarm)) {
        return status;
    }
    if (status == WAIT_TIMEOUT) {
        weft_reach_late(client);
    } else if (peer->opening) {
        connected(client, WEFT_HERE);
    } else {
        receive(client);
    }
    return WAIT_READY;
}

// Waits for bytes and takes them, or takes one step towards a connection. Then sends at once what is due: a caller that
// waits with poll(2) may not come back here before there is an answer.
static enum wait_end turn(struct weft_client *client, int64_t deadline)
{
    enum wait_end status = WAIT_TIMEOUT;
    short ready;
    weft_outbox_flush(client);
    const struct weft_follow *follow = &client->follow;
    const int64_t until = follow->wake_ms < deadline ? follow->wake_ms : deadline;
    if (weft_client_is_cut(client) && follow->going == WEFT_GOING_SETTLES) {
        // The next step needs no connection, so there is nothing to wait for.
    } else if (follow->going == WEFT_GOING_DIALS) {
        status = wait_asking(client, client->peer->fd, POLLOUT, &ready, until);
        if (status == WAIT_READY) {
            connected(client, WEFT_THERE);
        }
    } else if (client->state != WEFT_STATE_UP || !client->connected) {
        status = approach(client, until);
    } else {
        status = wait_asking(client, client->fd, POLLIN, &ready, until);
        if (status == WAIT_READY) {
            receive(client);
        }
    }
    const bool woken = status == WAIT_TIMEOUT && until < deadline && weft_now_ms() < deadline;
    weft_outbox_flush(client);
    return woken ? WAIT_READY : status;
}

struct weft_client *weft_connect(const char *text, int timeout_ms, struct weft_error *error)
{
    return weft_connect_tls(text, NULL, timeout_ms, error);
}

struct weft_client *weft_connect_tls(const char *text, const struct weft_tls *tls, int timeout_ms,
                                     struct weft_error *error)
{
    struct weft_client *client = weft_client_create(&blocking, text, tls, error);
    if (!client) {
        return NULL;
    }
    client->peer = malloc(sizeof *client->peer);
    if (!client->peer) {
        weft_fail_memory(error);
        weft_client_destroy(client);
        return NULL;
    }
    *client->peer = (struct weft_peer){.fd = -1};
    client->timeout_ms = timeout_ms;
    weft_reach_begin(client, timeout_ms > 0 ? (uint64_t)timeout_ms : 0);
    while (!client->connected && !client->lost) {
        turn(client, INT64_MAX);
    }
    if (!client->lost) {
        return client;
    }
    if (error) {
        *error = client->loss;
    }
    destroy(client);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Calling

static bool check_blocking(const struct weft_client *client, const char *function, struct weft_error *error)
{
    if (client->event) {
        return weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "%s would block: this client is attached to a loop",
                         function);
    }
    if (client->delivering) {
        return weft_fail(error, WEFT_KIND_LOCAL, "USAGE", "%s was called inside a callback", function);
    }
    return true;
}

struct answer {
    bool done, ok;
    struct weft_reply *reply; // may be NULL
    struct weft_error error;
};

static void on_answer(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    (void)client;
    struct answer *answer = context;
    answer->done = true;
    answer->ok = !error;
    if (error) {
        answer->error = *error;
    } else if (answer->reply) {
        *answer->reply = *reply;
        memset(reply, 0, sizeof *reply);
    }
}

static bool call(struct weft_client *client, const char *method, const struct weft_params *params,
                 struct weft_reply *reply, struct weft_error *error)
{
    struct answer answer = {.reply = reply};
    uint64_t ticket;
    const int64_t deadline = deadline_from(client->timeout_ms);
    if (!weft_outbox_request(client, method, params, true, on_answer, &answer, &ticket, error)) {
        return false;
    }
    while (!answer.done) {
        const enum wait_end status = turn(client, deadline);
        if (status == WAIT_CANCELLED) {
            weft_calls_forget(&client->calls, ticket);
            return fail_cancelled(error, method);
        } else if (status == WAIT_TIMEOUT) {
            weft_calls_forget(&client->calls, ticket);
            return weft_fail(error, WEFT_KIND_TRANSPORT, "TIMEOUT", "%s was not answered within %d ms",
                             method, client->timeout_ms);
        }
    }
    if (!answer.ok && error) {
        *error = answer.error;
    }
    return answer.ok;
}

bool weft_call(struct weft_client *client, const char *method, const struct weft_params *params,
               struct weft_reply *reply, struct weft_error *error)
{
    if (reply) {
        memset(reply, 0, sizeof *reply);
    }
    return check_blocking(client, "weft_call", error) && call(client, method, params, reply, error);
}

int weft_poll(struct weft_client *client, int timeout_ms, struct weft_error *error)
{
    if (!check_blocking(client, "weft_poll", error)) {
        return -1;
    }
    const uint64_t before = client->stats.messages_in;
    const int64_t deadline = timeout_ms == 0 ? 0 : deadline_from(timeout_ms);
    while (!client->lost) {
        if (turn(client, deadline) != WAIT_READY) {
            return 0;
        }
        // Messages that came before the end are delivered first; the next call reports the end.
        const uint64_t handled = client->stats.messages_in - before;
        if (handled) {
            return handled > INT_MAX ? INT_MAX : (int)handled;
        }
    }
    weft_fail(error, client->loss.kind, client->loss.code, "%s", client->loss.text);
    return -1;
}

int weft_fd(const struct weft_client *client)
{
    return client->event || client->lost || client->state != WEFT_STATE_UP ||
                   client->follow.going != WEFT_GOING_NOT
               ? -1
               : client->fd;
}
