// Blocking mode: one socket, poll(2), and deadlines.
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
#include "receive.h"
#include "secure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // then the socket itself has SO_NOSIGPIPE
#endif

enum { CHUNKS_A_POLL = 64, WAIT_MS = 100, SECURE_PIECE = 256 * 1024 };

// A place where a server was found.
struct place {
    struct sockaddr_storage address;
    socklen_t size;
    int family, type, protocol;
};

// The state of reconnecting to the server, and of connecting to another one.
struct weft_peer {
    struct place home;
    bool connecting;
    int64_t until; // away: when the next attempt starts; else when the current attempt is given up
    struct place there;
    struct addrinfo *found; // addresses of the other server
    const struct addrinfo *target;
    int fd; // socket to the other server; -1: none
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

static void lose(struct weft_client *client, const char *what, int number)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "%s %s: %s", what, client->address, strerror(number));
    weft_line_lose(client, &error);
}

static void lose_for(struct weft_client *client, const struct weft_error *error)
{
    struct weft_error said = *error;
    // A server's last error explains more than the way in which it hung up.
    if (client->last_words[0]) {
        weft_line_lose_at_end(client);
    } else {
        weft_line_lose(client, &said);
    }
}

// Sends what TLS itself has to say, such as the answer to a change of keys. Sends as much as the socket takes, which is
// all of such a small message.
static void answer_secure(struct weft_client *client)
{
    char *bytes;
    size_t size;
    if (client->sending || weft_client_is_cut(client) ||
        (size = weft_secure_take(client->secure, &bytes)) == 0) {
        return;
    }
    const ssize_t sent = send(client->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    free(bytes);
    if (sent != (ssize_t)size) {
        lose(client, "cannot write to", sent < 0 ? errno : EAGAIN);
    }
}

// Hands bytes of the socket to TLS, or else to the inbox.
static void take_in(struct weft_client *client, const uint8_t *bytes, size_t size)
{
    struct weft_error error;
    if (!client->secure) {
        weft_receive(client, bytes, size);
        return;
    }
    if (!weft_secure_feed(client->secure, weft_receive, client, bytes, size, &error)) {
        lose_for(client, &error);
    } else if (weft_secure_ended(client->secure)) {
        weft_line_lose_at_end(client);
    } else {
        answer_secure(client);
    }
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
            take_in(client, chunk, (size_t)got);
            if (got < WEFT_CHUNK_SIZE) {
                break;
            }
        } else if (got == 0) {
            weft_line_lose_at_end(client);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno == ECONNRESET && client->last_words[0]) {
            weft_line_lose_at_end(client);
        } else if (errno != EINTR) {
            lose(client, "lost the connection to", errno);
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
            lose(client, "cannot write to", number);
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
                lose(client, "a request was cut in the middle for",
                     status == WAIT_TIMEOUT ? ETIMEDOUT : ECANCELED);
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
        answer_secure(client);
    } else {
        lose_for(client, said);
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

static void note_place(struct place *place, const struct addrinfo *target)
{
    if (target->ai_addrlen > sizeof place->address) {
        return;
    }
    memcpy(&place->address, target->ai_addr, target->ai_addrlen);
    place->size = target->ai_addrlen;
    place->family = target->ai_family;
    place->type = target->ai_socktype;
    place->protocol = target->ai_protocol;
}

// Error of a connecting socket; 0 if it is connected.
static int connect_result(int fd)
{
    int number = 0;
    socklen_t size = sizeof number;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno;
}

// Connects to one address. Returns the socket, or -1 with errno; ETIMEDOUT if the deadline passed.
static int connect_one(const struct addrinfo *target, int64_t deadline)
{
    const int fd = open_socket(target);
    if (fd < 0) {
        return -1;
    }
    int number = 0;
    if (connect(fd, target->ai_addr, target->ai_addrlen) != 0) {
        number = errno == EINTR ? EINPROGRESS : errno;
        while (number == EINPROGRESS) {
            short ready;
            const enum wait_end status = wait_for(fd, POLLOUT, &ready, deadline);
            if (status == WAIT_TIMEOUT) {
                number = ETIMEDOUT;
            } else if (status == WAIT_READY) {
                number = connect_result(fd);
            }
        }
    }
    if (number != 0) {
        close(fd);
        errno = number;
        return -1;
    }
    keep_alive(fd);
    return fd;
}

static void blocking_hang_up(struct weft_client *client)
{
    if (client->fd >= 0) {
        close(client->fd);
    }
    client->fd = -1;
}

static void blocking_away(struct weft_client *client)
{
    blocking_hang_up(client);
    client->peer->until = weft_now_ms() + weft_line_retry_ms(client);
}

static void blocking_close(struct weft_client *client)
{
    struct weft_error error;
    weft_client_stay_away(client);
    if (client->fd >= 0 && !client->lost &&
        client->state == WEFT_STATE_UP) { // sends what the system takes at once
        (void)!send(client->fd, weft_leave, WEFT_LEAVE_SIZE, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the connection was closed here");
    if (client->secure && client->fd >= 0 && !client->lost && client->state == WEFT_STATE_UP) {
        weft_secure_end(client->secure);
        answer_secure(client);
    }
    weft_line_lose(client, &error);
    if (client->fd >= 0) {
        close(client->fd);
    }
    weft_client_destroy(client);
}

// Does nothing: turn() looks at the time by itself.
static void blocking_wake(struct weft_client *client)
{
    (void)client;
}

static void blocking_dial(struct weft_client *client);
static void blocking_undial(struct weft_client *client);
static void blocking_change(struct weft_client *client, bool leaves);
static void blocking_settle(struct weft_client *client);

static const struct weft_transport blocking = {.steps = &weft_follow_steps,
                                               .send = blocking_send,
                                               .close = blocking_close,
                                               .away = blocking_away,
                                               .hang_up = blocking_hang_up,
                                               .wake = blocking_wake,
                                               .dial = blocking_dial,
                                               .undial = blocking_undial,
                                               .change = blocking_change,
                                               .settle = blocking_settle};

// Performs the TLS handshake. False with *error.
static bool shake(struct weft_client *client, int64_t deadline, struct weft_error *error)
{
    uint8_t chunk[4096];
    while (!weft_secure_ready(client->secure)) {
        char *bytes;
        const size_t size = weft_secure_take(client->secure, &bytes);
        struct iovec part = {bytes, size};
        bool begun = true;
        // The loop below takes the messages that arrive meanwhile.
        client->delivering++;
        const bool sent = send_parts(client, &part, &part + 1, deadline, &begun, error);
        client->delivering--;
        free(bytes);
        if (!sent) {
            return false;
        }
        short ready;
        const enum wait_end status = wait_for(client->fd, POLLIN, &ready, deadline);
        if (status == WAIT_TIMEOUT) {
            return weft_fail(error, WEFT_KIND_TRANSPORT, "TIMEOUT",
                             "cannot connect to %s within %d ms: TLS does not begin", client->address,
                             client->timeout_ms);
        }
        const ssize_t got = status == WAIT_READY ? recv(client->fd, chunk, sizeof chunk, MSG_DONTWAIT) : -1;
        if (got > 0 && !weft_secure_feed(client->secure, weft_receive, client, chunk, (size_t)got, error)) {
            return false;
        }
        if (got == 0 ||
            (got < 0 && status == WAIT_READY && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return weft_fail(error, WEFT_KIND_TRANSPORT, "TLS",
                             "the server at %s ended it before TLS began: %s", client->address,
                             got < 0 ? strerror(errno) : "it hung up");
        }
    }
    answer_secure(client);
    return !client->lost || weft_fail(error, client->loss.kind, client->loss.code, "%s", client->loss.text);
}

struct weft_client *weft_connect(const char *text, int timeout_ms, struct weft_error *error)
{
    return weft_connect_tls(text, NULL, timeout_ms, error);
}

struct weft_client *weft_connect_tls(const char *text, const struct weft_tls *tls, int timeout_ms,
                                     struct weft_error *error)
{
    const int64_t deadline = deadline_from(timeout_ms);
    struct addrinfo *found = NULL;
    struct weft_client *client = weft_client_create(&blocking, text, tls, error);
    if (!client) {
        return NULL;
    }
    client->peer = calloc(1, sizeof *client->peer);
    if (!client->peer) {
        weft_fail_memory(error);
        goto cleanup;
    }
    client->peer->fd = -1;
    client->timeout_ms = timeout_ms;

    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const int status = getaddrinfo(client->home.host, client->home.port, &hints, &found);
    if (status != 0) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot connect to %s: %s", client->address,
                  status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status));
        goto cleanup;
    }
    int number = 0;
    for (const struct addrinfo *target = found; target && client->fd < 0; target = target->ai_next) {
        client->fd = connect_one(target, deadline);
        number = errno;
        note_place(&client->peer->home, target);
    }
    freeaddrinfo(found);
    if (client->fd >= 0) {
        if (!client->secure || shake(client, deadline, error)) {
            return client;
        }
        answer_secure(client); // sends the alert that says why
        close(client->fd);
        goto cleanup;
    }
    if (number == ETIMEDOUT && weft_now_ms() >= deadline) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "TIMEOUT", "cannot connect to %s within %d ms", client->address,
                  timeout_ms);
    } else {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot connect to %s: %s", client->address,
                  strerror(number));
    }

cleanup:
    weft_client_destroy(client);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Coming back, step by step, so that a caller which only looks (weft_poll with 0) never waits

static void begin_again(struct weft_client *client)
{
    struct weft_peer *peer = client->peer;
    struct weft_error error;
    const struct place *home = &peer->home;
    const struct addrinfo target = {
        .ai_family = home->family, .ai_socktype = home->type, .ai_protocol = home->protocol};
    peer->until = weft_now_ms() + WEFT_TRY_MS;
    peer->connecting = true;
    if (!weft_line_try(client, &client->home, &error)) {
        weft_line_lose(client, &error);
        return;
    }
    client->fd = open_socket(&target);
    if (client->fd < 0 || (connect(client->fd, (const struct sockaddr *)&home->address, home->size) != 0 &&
                           errno != EINPROGRESS && errno != EINTR)) {
        lose(client, "cannot connect to", errno);
    }
}

static void go_on_shaking(struct weft_client *client)
{
    uint8_t chunk[4096];
    struct weft_error error;
    const ssize_t got = recv(client->fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (got > 0 && !weft_secure_feed(client->secure, weft_receive, client, chunk, (size_t)got, &error)) {
        weft_line_lose(client, &error);
    } else if (got == 0) {
        weft_line_lose_at_end(client);
    } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        lose(client, "lost the connection to", errno);
    }
    answer_secure(client);
    if (!weft_client_is_cut(client) && weft_secure_ready(client->secure)) {
        weft_line_greet(client);
    }
}

static void go_on_connecting(struct weft_client *client)
{
    const int number = connect_result(client->fd);
    if (number != 0) {
        lose(client, "cannot connect to", number);
        return;
    }
    client->peer->connecting = false;
    keep_alive(client->fd);
    if (client->secure) {
        answer_secure(client); // sends the handshake's first bytes
    } else {
        weft_line_greet(client);
    }
}

static enum wait_end come_back(struct weft_client *client, int64_t deadline)
{
    struct weft_peer *peer = client->peer;
    const bool away = client->state == WEFT_STATE_AWAY, trying = client->state == WEFT_STATE_TRYING;
    short ready;
    const short events = away ? 0 : trying && peer->connecting ? POLLOUT : POLLIN;
    const int64_t until = peer->until < deadline ? peer->until : deadline;
    const enum wait_end status = wait_asking(client, client->fd, events, &ready, until);
    if (status == WAIT_CANCELLED || status == WAIT_SIGNAL ||
        (status == WAIT_TIMEOUT && weft_now_ms() < peer->until)) {
        return status;
    }
    if (away && !weft_follow_elsewhere(client)) {
        begin_again(client);
    } else if (away) {
        return WAIT_READY;
    } else if (status == WAIT_TIMEOUT) {
        lose(client, "no answer from", ETIMEDOUT);
    } else if (trying && peer->connecting) {
        go_on_connecting(client);
    } else if (trying) {
        go_on_shaking(client);
    } else {
        receive(client);
    }
    return WAIT_READY;
}

// ---------------------------------------------------------------------------------------------------------
// Connecting to another server beside the present connection

static void blocking_undial(struct weft_client *client)
{
    struct weft_peer *peer = client->peer;
    if (peer->fd >= 0) {
        close(peer->fd);
    }
    if (peer->found) {
        freeaddrinfo(peer->found);
    }
    peer->fd = -1;
    peer->found = NULL;
    peer->target = NULL;
}

// Tries the next address. number: errno of the last attempt.
static void dial_next(struct weft_client *client, int number)
{
    struct weft_peer *peer = client->peer;
    struct weft_error error;
    while (peer->target) {
        const struct addrinfo *target = peer->target;
        peer->target = target->ai_next;
        peer->fd = open_socket(target);
        if (peer->fd >= 0) {
            note_place(&peer->there, target);
            if (connect(peer->fd, target->ai_addr, target->ai_addrlen) == 0 || errno == EINPROGRESS ||
                errno == EINTR) {
                return;
            }
        }
        number = errno;
        if (peer->fd >= 0) {
            close(peer->fd);
        }
        peer->fd = -1;
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot connect to %s: %s", client->follow.there,
              strerror(number));
    blocking_undial(client);
    weft_follow_dialed(client, &error);
}

static void blocking_dial(struct weft_client *client)
{
    const struct weft_address *address = &client->follow.address;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct weft_error error;
    const int status = getaddrinfo(address->host, address->port, &hints, &client->peer->found);
    if (status == 0) {
        client->peer->target = client->peer->found;
        dial_next(client, EHOSTUNREACH);
        return;
    }
    client->peer->found = NULL;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot look up %s: %s", client->follow.there,
              gai_strerror(status));
    weft_follow_dialed(client, &error);
}

static void go_on_dialing(struct weft_client *client)
{
    struct weft_peer *peer = client->peer;
    const int number = connect_result(peer->fd);
    if (number == 0) {
        weft_follow_dialed(client, NULL);
        return;
    }
    close(peer->fd);
    peer->fd = -1;
    dial_next(client, number);
}

static void blocking_change(struct weft_client *client, bool leaves)
{
    struct weft_peer *peer = client->peer;
    struct weft_error error;
    if (leaves && client->fd >= 0 && !client->secure) {
        (void)!send(client->fd, weft_leave, WEFT_LEAVE_SIZE, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    blocking_hang_up(client);
    client->fd = peer->fd;
    peer->fd = -1;
    blocking_undial(client);
    keep_alive(client->fd);
    peer->connecting = false;
    peer->until = weft_now_ms() + WEFT_TRY_MS;
    if (!weft_line_try(client, &client->follow.address, &error)) {
        weft_line_lose(client, &error);
    } else if (client->secure) {
        answer_secure(client); // sends the handshake's first bytes
    } else {
        weft_line_greet(client);
    }
}

static void blocking_settle(struct weft_client *client)
{
    client->peer->home = client->peer->there;
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
            go_on_dialing(client);
        }
    } else if (client->state != WEFT_STATE_UP) {
        status = come_back(client, until);
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
