// Signing in to brokers with a file of credentials. The broker is one of this test: it chooses the nonces, and hears what is
// sent for them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/thread.h"
#include "store/nats_connect.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A key made from 32 zero bytes: it signs, and keeps no secret.
static const char seed[] = "SUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQ";

enum { NONCE_SIZE = 32, SIGNATURE_SIZE = 87, CONNECTIONS_MAX = 8, WAIT_S = 60 };

enum luck { UNLUCKY, LUCKY, NONE };

// The nonce that a connection gets, and the signature that it must answer; without a nonce any answer will do.
struct told {
    char nonce[NONCE_SIZE], signature[SIGNATURE_SIZE];
};

struct fake {
    struct told told[CONNECTIONS_MAX]; // by the order of connections
    int told_count;                    // the last is told to all that come later
    int listener;
    uint16_t port;
    struct base_thread thread;
    struct base_mutex mutex;
    bool over;
    bool cut; // ends the connection that is there
    // Requests that it has received.
    int connections, signed_in, unsigned_in; // the last: connected without a signature
    bool right;                              // all signatures were those of their nonces
};

// ---------------------------------------------------------------------------------------------------------
// The broker

// Without padding, as it is sent.
static void base64_url(const unsigned char *bytes, int size, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t bits = 0;
    int held = 0;
    for (int i = 0; i < size; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 6; held -= 6) {
            *out++ = letters[bits >> (held - 6) & 63];
        }
    }
    if (held > 0) {
        *out++ = letters[bits << (6 - held) & 63];
    }
    *out = 0;
}

// A nonce whose signature has 0 as its first byte, or has not; `number` makes it differ from others.
static void tell(struct told *out, enum luck luck, int number)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; luck != NONE && !out->signature[0]; i++) {
        unsigned char *signature = NULL;
        int size = 0;
        snprintf(out->nonce, sizeof out->nonce, "nonce-%d-%d", number, i);
        assert_int_equal(nats_Sign(seed, out->nonce, &signature, &size), NATS_OK);
        assert_int_equal(size, 64);
        if ((signature[0] == 0) == (luck == UNLUCKY)) {
            base64_url(signature, size, out->signature);
        }
        free(signature);
    }
}

static void look_at_connect(struct fake *fake, const char *line, const struct told *told)
{
    char expected[SIGNATURE_SIZE + 16];
    snprintf(expected, sizeof expected, "\"sig\":\"%s\"", told->signature);
    const bool is_signed = strstr(line, "\"sig\":\"") != NULL;
    base_mutex_lock(&fake->mutex);
    fake->signed_in += is_signed;
    fake->unsigned_in += !is_signed;
    fake->right =
        fake->right && strstr(line, "\"jwt\":\"a.b.c\"") && (!told->nonce[0] || strstr(line, expected));
    base_mutex_unlock(&fake->mutex);
}

static bool goes_on(struct fake *fake)
{
    base_mutex_lock(&fake->mutex);
    const bool on = !fake->over && !fake->cut;
    base_mutex_unlock(&fake->mutex);
    return on;
}

static void say(int socket, const char *text)
{
    (void)send(socket, text, strlen(text), MSG_NOSIGNAL);
}

// One connection, to its end. What comes after CONNECT is only answered where it asks for a sign of life.
static void serve(struct fake *fake, int socket, const struct told *told)
{
    char info[300], heard[8192];
    size_t size = 0;
    bool known = false;
    snprintf(info, sizeof info,
             "INFO {\"server_id\":\"X\",\"version\":\"2.15.0\",\"proto\":1,\"max_payload\":1048576,"
             "\"headers\":true%s%s%s}\r\n",
             told->nonce[0] ? ",\"nonce\":\"" : "", told->nonce, told->nonce[0] ? "\"" : "");
    say(socket, info);
    while (goes_on(fake)) {
        struct pollfd waits = {.fd = socket, .events = POLLIN};
        if (poll(&waits, 1, 10) <= 0) {
            continue;
        }
        const ssize_t got = recv(socket, heard + size, sizeof heard - 1 - size, 0);
        if (got <= 0) {
            return;
        }
        size += (size_t)got;
        heard[size] = 0;
        for (char *end; (end = strstr(heard, "\r\n"));) {
            *end = 0;
            if (strncmp(heard, "CONNECT ", 8) == 0) {
                look_at_connect(fake, heard, told);
                known = !told->nonce[0] || strstr(heard, "\"sig\":\"");
            } else if (strcmp(heard, "PING") == 0 && known) {
                say(socket, "PONG\r\n");
            } else if (!known) {
                say(socket, "-ERR 'Authorization Violation'\r\n");
                return;
            }
            size -= (size_t)(end + 2 - heard);
            memmove(heard, end + 2, size + 1);
        }
    }
}

static void run(void *context)
{
    struct fake *fake = context;
    for (;;) {
        const int socket = accept(fake->listener, NULL, NULL);
        base_mutex_lock(&fake->mutex);
        const bool over = fake->over;
        fake->cut = false;
        const int number = fake->connections;
        fake->connections += !over;
        base_mutex_unlock(&fake->mutex);
        if (over || socket < 0) {
            close(socket);
            return;
        }
        serve(fake, socket, &fake->told[number < fake->told_count ? number : fake->told_count - 1]);
        close(socket);
    }
}

static void fake_start(struct fake *fake, const enum luck *lucks, int count)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    *fake = (struct fake){.told_count = count, .right = true};
    for (int i = 0; i < count; i++) {
        tell(&fake->told[i], lucks[i], i);
    }
    base_mutex_init(&fake->mutex);
    fake->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fake->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fake->listener, 8), 0);
    assert_int_equal(getsockname(fake->listener, (struct sockaddr *)&address, &size), 0);
    fake->port = ntohs(address.sin_port);
    assert_true(base_thread_start(&fake->thread, "fake-broker", run, fake));
}

static void fake_stop(struct fake *fake)
{
    base_mutex_lock(&fake->mutex);
    fake->over = true;
    base_mutex_unlock(&fake->mutex);
    shutdown(fake->listener, SHUT_RDWR);
    base_thread_join(&fake->thread);
    close(fake->listener);
    base_mutex_deinit(&fake->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// The client

struct client {
    char path[64], url[64];
    struct store_nats_credentials credentials;
    struct store_nats_address address;
    natsConnection *connection;
};

static void client_init(struct client *client, uint16_t port, const char *text)
{
    snprintf(client->path, sizeof client->path, "/tmp/weft-credentials-XXXXXX");
    const int fd = mkstemp(client->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    snprintf(client->url, sizeof client->url, "nats://127.0.0.1:%d", port);
    assert_true(store_nats_address_read(client->url, &client->address));
    client->address.credentials = store_nats_credentials_of(&client->credentials, client->path);
    client->connection = NULL;
}

static void client_deinit(struct client *client)
{
    natsConnection_Destroy(client->connection);
    unlink(client->path);
}

static const char *file_of_user(void)
{
    static char text[300];
    snprintf(text, sizeof text,
             "-----BEGIN NATS USER JWT-----\na.b.c\n------END NATS USER JWT------\n\n"
             "***** a word of warning *****\n\n"
             "-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n",
             seed);
    return text;
}

// ---------------------------------------------------------------------------------------------------------

static void a_signature_that_begins_with_0_is_not_left_out(void **state)
{
    (void)state;
    static const enum luck lucks[] = {UNLUCKY, UNLUCKY, LUCKY};
    struct fake fake;
    struct client client;
    fake_start(&fake, lucks, 3);
    client_init(&client, fake.port, file_of_user());
    assert_int_equal(store_nats_connect_heard(&client.address, NULL, &client.connection), NATS_OK);
    client_deinit(&client);
    fake_stop(&fake);
    assert_int_equal(fake.unsigned_in, 0);
    assert_int_equal(fake.signed_in, 1);
    assert_int_equal(fake.connections, 3);
    assert_true(fake.right);
}

static void a_broker_without_luck_is_given_up(void **state)
{
    (void)state;
    static const enum luck lucks[] = {UNLUCKY};
    struct fake fake;
    struct client client;
    fake_start(&fake, lucks, 1);
    client_init(&client, fake.port, file_of_user());
    assert_int_equal(store_nats_connect_heard(&client.address, NULL, &client.connection), NATS_ERR);
    assert_non_null(strstr(nats_GetLastError(NULL), "cannot send the signature"));
    client_deinit(&client);
    fake_stop(&fake);
    assert_int_equal(fake.unsigned_in + fake.signed_in, 0);
    assert_int_equal(fake.connections, 8);
}

struct life {
    struct base_mutex mutex;
    struct base_cond changed;
    int reconnected;
    bool closed;
};

static void on_connected(natsConnection *connection, void *context)
{
    (void)connection;
    struct life *life = context;
    base_mutex_lock(&life->mutex);
    life->reconnected++;
    base_cond_broadcast(&life->changed);
    base_mutex_unlock(&life->mutex);
}

static void on_disconnected(natsConnection *connection, void *context)
{
    (void)connection;
    (void)context;
}

static void on_closed(natsConnection *connection, void *context)
{
    (void)connection;
    struct life *life = context;
    base_mutex_lock(&life->mutex);
    life->closed = true;
    base_cond_broadcast(&life->changed);
    base_mutex_unlock(&life->mutex);
}

static void a_connection_comes_back_by_itself(void **state)
{
    (void)state;
    // Twice in a row the library would give up for good.
    static const enum luck lucks[] = {LUCKY, UNLUCKY, UNLUCKY, UNLUCKY, LUCKY};
    struct fake fake;
    struct client client;
    struct life life = {0};
    const struct store_nats_hearers hearers = {on_connected, on_disconnected, on_closed, &life};
    base_mutex_init(&life.mutex);
    base_cond_init(&life.changed);
    fake_start(&fake, lucks, 5);
    client_init(&client, fake.port, file_of_user());
    assert_int_equal(store_nats_connect_heard(&client.address, &hearers, &client.connection), NATS_OK);
    base_mutex_lock(&fake.mutex);
    fake.cut = true;
    base_mutex_unlock(&fake.mutex);

    const uint64_t deadline_ns = base_now_ns() + UINT64_C(1000000000) * WAIT_S;
    bool in_time = true;
    base_mutex_lock(&life.mutex);
    while (in_time && life.reconnected == 0 && !life.closed) {
        in_time = base_cond_wait_until(&life.changed, &life.mutex, deadline_ns);
    }
    assert_int_equal(life.reconnected, 1);
    assert_false(life.closed);
    base_mutex_unlock(&life.mutex);

    natsConnection_Close(client.connection);
    base_mutex_lock(&life.mutex);
    while (in_time && !life.closed) {
        in_time = base_cond_wait_until(&life.changed, &life.mutex, deadline_ns);
    }
    base_mutex_unlock(&life.mutex);
    assert_true(in_time);
    client_deinit(&client);
    fake_stop(&fake);
    base_cond_deinit(&life.changed);
    base_mutex_deinit(&life.mutex);
    assert_int_equal(fake.unsigned_in, 0);
    assert_int_equal(fake.signed_in, 2);
    assert_int_equal(fake.connections, 5);
    assert_true(fake.right);
}

static void a_broker_that_lets_everybody_in_gets_no_signature(void **state)
{
    (void)state;
    static const enum luck lucks[] = {NONE};
    struct fake fake;
    struct client client;
    fake_start(&fake, lucks, 1);
    client_init(&client, fake.port, file_of_user());
    assert_int_equal(store_nats_connect_heard(&client.address, NULL, &client.connection), NATS_OK);
    client_deinit(&client);
    fake_stop(&fake);
    assert_int_equal(fake.unsigned_in, 1);
    assert_int_equal(fake.connections, 1);
}

static void a_file_without_credentials_is_named(void **state)
{
    (void)state;
    static const enum luck lucks[] = {LUCKY};
    static const char *const texts[] = {
        "",
        "a.b.c\n",
        "------\n------\n------\n",
        "-----BEGIN NATS USER JWT-----\na.b.c\n",
        "-----BEGIN NATS USER JWT-----\na.b.c\n------END NATS USER JWT------\n",
        "-----BEGIN NATS USER JWT-----\na.b.c\n------END NATS USER JWT------\n-----BEGIN USER NKEY "
        "SEED-----\nSUAX\n",
        "-----BEGIN NATS USER JWT-----\na.b.c\n------END NATS USER JWT------\n-----BEGIN USER NKEY "
        "SEED-----\nSUAX\n------\n",
    };
    struct fake fake;
    fake_start(&fake, lucks, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct client client;
        client_init(&client, fake.port, texts[i]);
        assert_int_equal(store_nats_connect_heard(&client.address, NULL, &client.connection), NATS_ERR);
        assert_non_null(strstr(nats_GetLastError(NULL), client.path));
        unlink(client.path);
        assert_int_equal(store_nats_connect_heard(&client.address, NULL, &client.connection), NATS_ERR);
        assert_non_null(strstr(nats_GetLastError(NULL), "No such file"));
        client_deinit(&client);
    }
    fake_stop(&fake);
    assert_int_equal(fake.unsigned_in + fake.signed_in, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signature_that_begins_with_0_is_not_left_out),
        cmocka_unit_test(a_broker_without_luck_is_given_up),
        cmocka_unit_test(a_connection_comes_back_by_itself),
        cmocka_unit_test(a_broker_that_lets_everybody_in_gets_no_signature),
        cmocka_unit_test(a_file_without_credentials_is_named),
    };
    if (nats_Open(-1) != NATS_OK) { // or nothing signs before a connection is there
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nats_Close();
    return failed;
}
