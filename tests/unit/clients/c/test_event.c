// Event mode on a libuv loop of the test's own.
#include "helper_peer.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <weft.h>

struct run {
    uv_loop_t loop;
    int connected, closed, replies, errors, frames, notifications;
    bool closed_with_error;
    bool close_in_reply;
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
    struct weft_stats stats;
    weft_stats(client, &stats);
    assert_int_equal(stats.calls_under_way, 0);
    run->closed++;
    run->closed_with_error = error != NULL;
    if (error) {
        run->error = *error;
    }
}

static void on_reply(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    struct run *run = context;
    run->errors += error != NULL;
    run->replies += reply != NULL;
    if (reply) {
        run->value = weft_u64(weft_get(&reply->result, "n"), 0);
        if (run->close_in_reply) {
            weft_close(client);
        }
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

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct weft_frame_body body;
    assert_int_equal(weft_frame_next(frame, &body, NULL), 1);
    ((struct run *)context)->frames++;
}

static struct weft_client *attach(struct run *run, const char *address, uint64_t timeout_ms, size_t unsent)
{
    memset(run, 0, sizeof *run);
    assert_int_equal(uv_loop_init(&run->loop), 0);
    const struct weft_attach_options options = {.address = address,
                                                .timeout_ms = timeout_ms,
                                                .unsent_bytes = unsent,
                                                .context = run,
                                                .on_connected = on_connected,
                                                .on_closed = on_closed};
    struct weft_error error;
    struct weft_client *client = weft_attach(&run->loop, &options, &error);
    assert_non_null(client);
    weft_on_notification(client, on_notification, run);
    weft_on_frame(client, on_frame, run);
    assert_int_equal(weft_fd(client), -1);
    return client;
}

static void finish(struct run *run)
{
    uv_run(&run->loop, UV_RUN_DEFAULT);
    assert_int_equal(run->closed, 1);
    assert_int_equal(uv_loop_close(&run->loop), 0);
}

// ---------------------------------------------------------------------------------------------------------

static void script_serve(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_pack_notification_u64(&out, "world.changed", "n", 1);
    peer_pack_frame(&out, 1, 3);
    peer_write_split(peer, out.data, out.size);
    for (uint64_t i = 1; peer_read(peer); i++) {
        if (peer_msgid(peer) == UINT32_MAX) {
            continue;
        }
        msgpack_sbuffer_clear(&out);
        peer_pack_result_u64(&out, peer_msgid(peer), "n", i);
        peer_write(peer, out.data, out.size);
    }
    msgpack_sbuffer_destroy(&out);
}

static void calls_made_before_the_connection_stands_are_answered(void **state)
{
    (void)state;
    struct peer peer;
    struct run run;
    struct weft_error error;
    peer_start(&peer, script_serve);
    struct weft_client *client = attach(&run, peer.address, 60000, 0);
    assert_true(weft_notify(client, "grab.move", NULL, &error));
    for (int i = 0; i < 50; i++) {
        assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, &error));
    }
    while (run.replies < 50) {
        uv_run(&run.loop, UV_RUN_ONCE);
    }
    assert_int_equal(run.connected, 1);
    assert_int_equal(run.value, 51);
    assert_int_equal(run.frames, 1);
    assert_int_equal(run.notifications, 1);
    // Nothing of the blocking kind works here.
    assert_false(weft_call(client, "server.ping", NULL, NULL, &error));
    assert_string_equal(error.code, "USAGE");
    assert_int_equal(weft_poll(client, 0, &error), -1);
    weft_close(client);
    finish(&run);
    assert_false(run.closed_with_error);
    peer_join(&peer);
}

static void a_callback_may_close_and_the_rest_are_told(void **state)
{
    (void)state;
    struct peer peer;
    struct run run;
    peer_start(&peer, script_serve);
    struct weft_client *client = attach(&run, peer.address, 60000, 0);
    run.close_in_reply = true;
    for (int i = 0; i < 10; i++) {
        assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    }
    finish(&run);
    assert_int_equal(run.replies, 1);
    assert_int_equal(run.errors, 9);
    assert_false(run.closed_with_error);
    peer_join(&peer);
}

static void closing_at_once_releases_everything(void **state)
{
    (void)state;
    struct run run;
    struct weft_client *client = attach(&run, "127.0.0.1:1", 60000, 0);
    assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    weft_close(client);
    struct weft_error error;
    assert_false(weft_call_async(client, "server.ping", NULL, on_reply, &run, &error));
    assert_string_equal(error.code, "CLOSED");
    finish(&run);
    assert_int_equal(run.errors, 1);
    assert_int_equal(run.connected, 0);
}

static void a_refused_connection_is_told_with_its_address(void **state)
{
    (void)state;
    struct run run;
    struct weft_client *client = attach(&run, "127.0.0.1:1", 60000, 0);
    assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    finish(&run);
    assert_true(run.closed_with_error);
    assert_string_equal(run.error.code, "CONNECT");
    assert_non_null(strstr(run.error.text, "127.0.0.1:1"));
    assert_int_equal(run.errors, 1);
}

static void script_vanish(struct peer *peer)
{
    peer_read(peer);
}

static void a_server_that_vanishes_ends_all_calls(void **state)
{
    (void)state;
    struct peer peer;
    struct run run;
    peer_start(&peer, script_vanish);
    struct weft_client *client = attach(&run, peer.address, 60000, 0);
    for (int i = 0; i < 3; i++) {
        assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    }
    finish(&run);
    assert_int_equal(run.errors, 3);
    assert_true(run.closed_with_error);
    assert_string_equal(run.error.code, "CLOSED");
    peer_join(&peer);
}

static void script_garbage(struct peer *peer)
{
    peer_write(peer, "\xdd\x3b\x9a\xca\x00", 5);
    while (peer_read(peer)) {
    }
}

static void a_hostile_stream_ends_the_connection(void **state)
{
    (void)state;
    struct peer peer;
    struct run run;
    peer_start(&peer, script_garbage);
    struct weft_client *client = attach(&run, peer.address, 60000, 0);
    assert_true(weft_call_async(client, "server.ping", NULL, on_reply, &run, NULL));
    finish(&run);
    assert_string_equal(run.error.code, "PROTOCOL");
    assert_int_equal(run.errors, 1);
    peer_join(&peer);
}

static atomic_bool refused;

// Reads nothing until the client has been refused to write more.
static void script_deaf(struct peer *peer)
{
    char byte;
    while (!atomic_load(&refused)) {
        uv_sleep(1);
    }
    while (recv(peer->fd, &byte, 1, 0) > 0) {
        char more[65536];
        if (recv(peer->fd, more, sizeof more, 0) <= 0) {
            break;
        }
    }
}

static void what_waits_to_be_written_is_bounded(void **state)
{
    (void)state;
    struct peer peer;
    struct run run;
    struct weft_params params;
    struct weft_error error = {0};
    double *numbers = calloc(1 << 15, sizeof *numbers);
    peer_start(&peer, script_deaf);
    struct weft_client *client = attach(&run, peer.address, 60000, 1 << 20);
    weft_params_init(&params);
    weft_params_f64_array(&params, "positions", numbers, 1 << 15);
    int taken = 0;
    while (run.connected == 0 && run.closed == 0) {
        uv_run(&run.loop, UV_RUN_ONCE); // a client closed before it connects leaves the peer waiting
    }
    while (weft_notify(client, "particle.set", &params, &error)) {
        taken++;
        uv_run(&run.loop, UV_RUN_NOWAIT);
        assert_true(taken < 1000);
    }
    atomic_store(&refused, true);
    assert_true(taken >= 3);
    assert_string_equal(error.code, "LIMIT");
    assert_int_equal(run.closed, 0);
    weft_close(client);
    finish(&run);
    weft_params_deinit(&params);
    free(numbers);
    peer_join(&peer);
}

static void more_calls_than_the_limit_are_refused(void **state)
{
    (void)state;
    struct run run;
    struct weft_error error = {0};
    struct weft_client *client = attach(&run, "127.0.0.1:1", 60000, 0);
    int taken = 0;
    while (weft_call_async(client, "server.ping", NULL, on_reply, &run, &error)) {
        taken++;
    }
    assert_int_equal(taken, 1024);
    assert_string_equal(error.code, "LIMIT");
    finish(&run);
    assert_int_equal(run.errors, 1024);
}

static void bad_addresses_are_refused_at_once(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct weft_error error;
    assert_int_equal(uv_loop_init(&loop), 0);
    const struct weft_attach_options options = {.address = "127.0.0.1:none"};
    assert_null(weft_attach(&loop, &options, &error));
    assert_string_equal(error.code, "USAGE");
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_made_before_the_connection_stands_are_answered),
        cmocka_unit_test(a_callback_may_close_and_the_rest_are_told),
        cmocka_unit_test(closing_at_once_releases_everything),
        cmocka_unit_test(a_refused_connection_is_told_with_its_address),
        cmocka_unit_test(a_server_that_vanishes_ends_all_calls),
        cmocka_unit_test(a_hostile_stream_ends_the_connection),
        cmocka_unit_test(what_waits_to_be_written_is_bounded),
        cmocka_unit_test(more_calls_than_the_limit_are_refused),
        cmocka_unit_test(bad_addresses_are_refused_at_once),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
