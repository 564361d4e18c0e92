// TLS in both modes: in front of a scripted peer stands a relay that speaks it.
#include "../../net/helper_tls.h"
#include "helper_peer.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>
#include <weft.h>

enum { DAY_S = 24 * 60 * 60, PATIENCE_MS = 60000, LARGE = 3 << 20 };

static struct helper_tls files;

// ---------------------------------------------------------------------------------------------------------
// The relay

enum how { HOW_HONEST, HOW_SILENT, HOW_CUT };

struct relay {
    enum how how;
    int listening;
    char address[32];
    const char *behind;
    pthread_t thread;
};

static int connect_to(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[32];
    snprintf(host, sizeof host, "%s", address);
    char *colon = strchr(host, ':');
    *colon = '\0';
    to.sin_port = htons((uint16_t)atoi(colon + 1));
    inet_pton(AF_INET, host, &to.sin_addr);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        abort();
    }
    return fd;
}

static void pump(SSL *ssl, int secure, int plain, bool cut)
{
    static char bytes[65536];
    for (;;) {
        struct pollfd ends[2] = {{.fd = secure, .events = POLLIN}, {.fd = plain, .events = POLLIN}};
        if (SSL_pending(ssl) == 0 && poll(ends, 2, PATIENCE_MS) <= 0) {
            return;
        }
        if (SSL_pending(ssl) > 0 || ends[0].revents) {
            const int got = SSL_read(ssl, bytes, sizeof bytes);
            if (got <= 0) {
                return;
            }
            for (ssize_t at = 0, put; at < got; at += put) {
                if ((put = write(plain, bytes + at, (size_t)(got - at))) <= 0) {
                    return;
                }
            }
        }
        if (ends[1].revents) {
            const ssize_t got = read(plain, bytes, sizeof bytes);
            if (got <= 0) {
                SSL_shutdown(ssl);
                return;
            }
            if (SSL_write(ssl, bytes, (int)got) <= 0 || cut) {
                return;
            }
        }
    }
}

static void *run_relay(void *context)
{
    struct relay *relay = context;
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(tls, files.cert) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, files.key, SSL_FILETYPE_PEM) != 1) {
        abort();
    }
    const int fd = accept(relay->listening, NULL, NULL);
    char ignored;
    if (fd < 0) {
        SSL_CTX_free(tls);
        return NULL;
    }
    if (relay->how == HOW_SILENT) {
        while (read(fd, &ignored, 1) > 0) {
            continue;
        }
    } else {
        SSL *ssl = SSL_new(tls);
        SSL_set_fd(ssl, fd);
        if (SSL_accept(ssl) == 1) {
            const int plain = connect_to(relay->behind);
            pump(ssl, fd, plain, relay->how == HOW_CUT);
            close(plain);
        }
        SSL_free(ssl);
    }
    close(fd);
    SSL_CTX_free(tls);
    return NULL;
}

static void relay_start(struct relay *relay, enum how how, const char *behind)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    *relay = (struct relay){.how = how, .behind = behind, .listening = socket(AF_INET, SOCK_STREAM, 0)};
    assert_int_equal(bind(relay->listening, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(relay->listening, 4), 0);
    getsockname(relay->listening, (struct sockaddr *)&at, &size);
    snprintf(relay->address, sizeof relay->address, "127.0.0.1:%d", ntohs(at.sin_port));
    assert_int_equal(pthread_create(&relay->thread, NULL, run_relay, relay), 0);
}

// A peer that closes early may never have connected.
static void relay_join(struct relay *relay)
{
    shutdown(relay->listening, SHUT_RDWR);
    pthread_join(relay->thread, NULL);
    close(relay->listening);
}

// ---------------------------------------------------------------------------------------------------------

static void script_serve(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_pack_notification_u64(&out, "world.changed", "n", 1);
    peer_write_split(peer, out.data, out.size);
    for (uint64_t i = 1; peer_read(peer); i++) {
        msgpack_sbuffer_clear(&out);
        peer_pack_result_u64(&out, peer_msgid(peer), "n", i);
        peer_write(peer, out.data, out.size);
    }
    msgpack_sbuffer_destroy(&out);
}

// Answers one call; then the client leaves.
static void script_left(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer));
    peer_pack_result_u64(&out, peer_msgid(peer), "n", 1);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
    peer_expect(peer, peer_read(peer) && peer_method_is(peer, "session.leave"));
    peer_expect(peer, !peer_read(peer));
}

/* Speaks first, and reads what comes as bytes alone: the random ones of a handshake, taken for a
 * message, may ask for an array of any size. */
static void script_plain(struct peer *peer)
{
    static const char notification[] = "\x93\x02\xa5hello\xc0";
    char bytes[4096];
    peer_write(peer, notification, sizeof notification - 1);
    while (read(peer->fd, bytes, sizeof bytes) > 0) {
        continue;
    }
}

static void blocking_calls_of_any_size(void **state)
{
    (void)state;
    struct peer peer;
    struct relay relay;
    struct weft_error error;
    struct weft_params params;
    struct weft_reply reply;
    peer_start(&peer, script_serve);
    relay_start(&relay, HOW_HONEST, peer.address);
    struct weft_client *client = weft_connect_tls(
        relay.address, &(struct weft_tls){.on = true, .ca = files.cert}, PATIENCE_MS, &error);
    assert_non_null(client);
    float *numbers = calloc(LARGE, sizeof *numbers);
    assert_non_null(numbers);
    for (uint64_t i = 1; i <= 20; i++) {
        weft_params_init(&params);
        if (i % 5 == 0) {
            weft_params_f32_array(&params, "numbers", numbers, LARGE);
        }
        assert_true(weft_call(client, "server.ping", &params, &reply, &error));
        assert_int_equal(weft_u64(weft_get(&reply.result, "n"), 0), i);
        weft_reply_destroy(&reply);
        weft_params_deinit(&params);
    }
    free(numbers);
    weft_close(client);
    relay_join(&relay);
    peer_join(&peer);
}

static void expect_refused(const char *address, const struct weft_tls *tls, const char *code,
                           const char *text)
{
    struct weft_error error;
    assert_null(weft_connect_tls(address, tls, PATIENCE_MS, &error));
    assert_string_equal(error.code, code);
    if (!strstr(error.text, text)) {
        fail_msg("'%s' is not in: %s", text, error.text);
    }
}

static void a_server_that_is_not_who_it_has_to_be(void **state)
{
    (void)state;
    const struct {
        struct weft_tls tls;
        const char *code, *text;
    } cases[] = {
        {{.on = true}, "CERTIFICATE", "not trusted"},
        {{.on = true, .ca = files.cert, .name = "other.example.org"},
         "CERTIFICATE",
         "another name than other.example.org"},
        {{.on = true, .ca = files.cert, .name = "127.0.0.2"}, "CERTIFICATE", "another name than 127.0.0.2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct relay relay;
        relay_start(&relay, HOW_HONEST, NULL);
        expect_refused(relay.address, &cases[i].tls, cases[i].code, cases[i].text);
        relay_join(&relay);
    }
    // None of these gets as far as a server.
    expect_refused("127.0.0.1:1", &(struct weft_tls){.on = true, .ca = "/nowhere"}, "FILE", "/nowhere");
    expect_refused("127.0.0.1:1", &(struct weft_tls){.on = true, .ca = files.cert, .cert = files.cert},
                   "USAGE", "the key is missing");
    expect_refused("tls://127.0.0.1:1", &(struct weft_tls){.cert = "/nowhere", .key = files.key}, "FILE",
                   "/nowhere");
    expect_refused("tls://", NULL, "CONNECT", "127.0.0.1:9338");
}

static void names_and_addresses_that_fit(void **state)
{
    (void)state;
    const struct weft_tls cases[] = {{.on = true, .ca = files.cert, .name = "localhost"},
                                     {.on = true, .ca = files.cert, .name = "127.0.0.1"},
                                     {.no_verify = true, .on = true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct peer peer;
        struct relay relay;
        struct weft_error error;
        peer_start(&peer, script_serve);
        relay_start(&relay, HOW_HONEST, peer.address);
        struct weft_client *client = weft_connect_tls(relay.address, &cases[i], PATIENCE_MS, &error);
        assert_non_null(client);
        assert_true(weft_call(client, "server.ping", NULL, NULL, &error));
        weft_close(client);
        relay_join(&relay);
        peer_join(&peer);
    }
}

static void a_server_that_says_nothing_is_given_up(void **state)
{
    (void)state;
    struct relay relay;
    struct weft_error error;
    relay_start(&relay, HOW_SILENT, NULL);
    assert_null(
        weft_connect_tls(relay.address, &(struct weft_tls){.on = true, .ca = files.cert}, 300, &error));
    assert_string_equal(error.code, "TIMEOUT");
    relay_join(&relay);
}

static void a_server_without_tls_is_told_apart(void **state)
{
    (void)state;
    struct peer peer;
    peer_start(&peer, script_plain);
    expect_refused(peer.address, &(struct weft_tls){.on = true, .ca = files.cert}, "TLS",
                   "does not speak TLS");
    peer_join(&peer);
}

static void a_connection_that_is_cut_is_lost(void **state)
{
    (void)state;
    struct peer peer;
    struct relay relay;
    struct weft_error error = {0};
    peer_start(&peer, script_serve);
    relay_start(&relay, HOW_CUT, peer.address);
    struct weft_client *client = weft_connect_tls(
        relay.address, &(struct weft_tls){.on = true, .ca = files.cert}, PATIENCE_MS, &error);
    assert_non_null(client);
    while (weft_call(client, "server.ping", NULL, NULL, &error)) {
        continue;
    }
    assert_string_equal(error.code, "CLOSED");
    weft_close(client);
    relay_join(&relay);
    peer.failed = false; // it may have been in the middle of a word
    peer_join(&peer);
}

static void a_client_that_closes_leaves(void **state)
{
    (void)state;
    struct peer peer;
    struct relay relay;
    struct weft_error error;
    peer_start(&peer, script_left);
    relay_start(&relay, HOW_HONEST, peer.address);
    struct weft_client *client = weft_connect_tls(
        relay.address, &(struct weft_tls){.on = true, .ca = files.cert}, PATIENCE_MS, &error);
    assert_non_null(client);
    assert_true(weft_call(client, "server.ping", NULL, NULL, &error));
    weft_close(client);
    relay_join(&relay);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------
// Event mode

struct run {
    uv_loop_t loop;
    int connected, closed, replies, notifications;
    uint64_t value;
    struct weft_error error;
};

static void on_connected(void *context, struct weft_client *client)
{
    (void)client;
    ((struct run *)context)->connected++;
}

static void on_closed(void *context, struct weft_client *client, const struct weft_error *error)
{
    struct run *run = context;
    (void)client;
    run->closed++;
    if (error) {
        run->error = *error;
    }
}

static void on_reply(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    struct run *run = context;
    (void)client;
    (void)error;
    if (reply) {
        run->replies++;
        run->value = weft_u64(weft_get(&reply->result, "n"), 0);
    }
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    (void)method;
    (void)params;
    ((struct run *)context)->notifications++;
}

static struct weft_client *attach(struct run *run, const char *address, const struct weft_tls *tls)
{
    struct weft_error error;
    memset(run, 0, sizeof *run);
    assert_int_equal(uv_loop_init(&run->loop), 0);
    struct weft_client *client = weft_attach(&run->loop,
                                             &(struct weft_attach_options){.address = address,
                                                                           .timeout_ms = PATIENCE_MS,
                                                                           .context = run,
                                                                           .on_connected = on_connected,
                                                                           .on_closed = on_closed,
                                                                           .tls = tls},
                                             &error);
    assert_non_null(client);
    weft_on_notification(client, on_notification, run);
    return client;
}

static void finish(struct run *run)
{
    uv_run(&run->loop, UV_RUN_DEFAULT);
    assert_int_equal(run->closed, 1);
    assert_int_equal(uv_loop_close(&run->loop), 0);
}

static void calls_made_before_hands_are_shaken_are_answered(void **state)
{
    (void)state;
    struct peer peer;
    struct relay relay;
    struct run run;
    struct weft_params params;
    peer_start(&peer, script_serve);
    relay_start(&relay, HOW_HONEST, peer.address);
    struct weft_client *client =
        attach(&run, relay.address, &(struct weft_tls){.on = true, .ca = files.cert});
    float *numbers = calloc(LARGE, sizeof *numbers);
    assert_non_null(numbers);
    weft_params_init(&params);
    weft_params_f32_array(&params, "numbers", numbers, LARGE);
    for (int i = 0; i < 30; i++) {
        assert_true(weft_call_async(client, "server.ping", i == 7 ? &params : NULL, on_reply, &run, NULL));
    }
    weft_params_deinit(&params);
    free(numbers);
    assert_int_equal(run.connected, 0);
    while (run.replies < 30) {
        uv_run(&run.loop, UV_RUN_ONCE);
    }
    assert_int_equal(run.connected, 1);
    assert_int_equal(run.value, 30);
    assert_int_equal(run.notifications, 1);
    weft_close(client);
    finish(&run);
    relay_join(&relay);
    peer_join(&peer);
}

static void an_attached_client_that_closes_leaves(void **state)
{
    (void)state;
    struct peer peer;
    struct relay relay;
    struct run run;
    peer_start(&peer, script_left);
    relay_start(&relay, HOW_HONEST, peer.address);
    struct weft_client *client =
        attach(&run, relay.address, &(struct weft_tls){.on = true, .ca = files.cert});
    assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    while (run.replies < 1) {
        uv_run(&run.loop, UV_RUN_ONCE);
    }
    weft_close(client);
    finish(&run);
    relay_join(&relay);
    peer_join(&peer);
}

static void the_event_mode_looks_at_certificates_too(void **state)
{
    (void)state;
    struct relay relay;
    struct run run;
    relay_start(&relay, HOW_HONEST, NULL);
    attach(&run, relay.address, &(struct weft_tls){.on = true});
    finish(&run);
    assert_int_equal(run.connected, 0);
    assert_string_equal(run.error.code, "CERTIFICATE");
    relay_join(&relay);
}

static void closing_in_the_midst_of_a_handshake_releases_everything(void **state)
{
    (void)state;
    struct relay relay;
    struct run run;
    relay_start(&relay, HOW_SILENT, NULL);
    struct weft_client *client =
        attach(&run, relay.address, &(struct weft_tls){.on = true, .ca = files.cert});
    for (int i = 0; i < 3; i++) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
    }
    weft_close(client);
    finish(&run);
    relay_join(&relay);
}

static int set_up(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    helper_tls_make(&files, -60, DAY_S);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    helper_tls_remove(&files);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocking_calls_of_any_size),
        cmocka_unit_test(a_server_that_is_not_who_it_has_to_be),
        cmocka_unit_test(names_and_addresses_that_fit),
        cmocka_unit_test(a_server_that_says_nothing_is_given_up),
        cmocka_unit_test(a_server_without_tls_is_told_apart),
        cmocka_unit_test(a_connection_that_is_cut_is_lost),
        cmocka_unit_test(a_client_that_closes_leaves),
        cmocka_unit_test(calls_made_before_hands_are_shaken_are_answered),
        cmocka_unit_test(an_attached_client_that_closes_leaves),
        cmocka_unit_test(the_event_mode_looks_at_certificates_too),
        cmocka_unit_test(closing_in_the_midst_of_a_handshake_releases_everything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
