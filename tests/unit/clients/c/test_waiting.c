// The blocking client while it waits: for as long as it is told, and until the caller gives up.
#include "helper_peer.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <weft.h>

static struct weft_client *connect_to(struct peer *peer, int timeout_ms)
{
    struct weft_error error;
    struct weft_client *client = weft_connect(peer->address, timeout_ms, &error);
    assert_non_null(client);
    return client;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void script_silent(struct peer *peer)
{
    peer_read(peer);
}

static void poll_waits_as_long_as_it_is_told(void **state)
{
    (void)state;
    struct peer peer;
    peer_start(&peer, script_silent);
    struct weft_client *client = connect_to(&peer, 60000);
    const int64_t before = now_ms();
    assert_int_equal(weft_poll(client, 0, NULL), 0);
    assert_int_equal(weft_poll(client, 80, NULL), 0);
    assert_true(now_ms() - before >= 79);
    assert_true(weft_fd(client) >= 0);
    weft_close(client);
    peer_join(&peer);
}

struct asked {
    int left; // answers of true
    uint64_t bytes_out;
};

static bool on_wait(void *context, struct weft_client *client)
{
    struct asked *asked = context;
    struct weft_stats stats;
    weft_stats(client, &stats);
    asked->bytes_out = stats.bytes_out;
    return asked->left-- > 0;
}

static void script_answer_twice(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer));
    const uint32_t first = peer_msgid(peer);
    peer_expect(peer, peer_read(peer));
    peer_pack_result_u64(&out, first, "n", 1);
    peer_pack_result_u64(&out, peer_msgid(peer), "n", 2);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
    peer_read(peer);
}

static void who_waits_is_asked_and_may_give_up(void **state)
{
    (void)state;
    struct peer peer;
    struct weft_error error;
    struct weft_reply reply;
    struct weft_stats stats;
    struct asked asked = {.left = 2};
    peer_start(&peer, script_answer_twice);
    struct weft_client *client = connect_to(&peer, 60000);
    weft_on_wait(client, on_wait, &asked);
    const int64_t before = now_ms();
    assert_false(weft_call(client, "world.get", NULL, &reply, &error));
    assert_in_range(now_ms() - before, 150, 10000);
    assert_int_equal(error.kind, WEFT_KIND_LOCAL);
    assert_string_equal(error.code, "CANCELLED");
    assert_int_equal(asked.left, -1);
    // The connection stands; what was given up is not taken for the next answer.
    asked.left = 1000;
    assert_true(weft_call(client, "world.get", NULL, &reply, &error));
    assert_int_equal(weft_u64(weft_get(&reply.result, "n"), 0), 2);
    weft_reply_destroy(&reply);
    weft_stats(client, &stats);
    assert_int_equal(stats.ignored, 1);
    asked.left = 0;
    assert_int_equal(weft_poll(client, 60000, &error), 0);
    weft_on_wait(client, NULL, NULL);
    assert_int_equal(weft_poll(client, 10, &error), 0);
    weft_close(client);
    peer_join(&peer);
}

static atomic_bool given_up;

// Reads nothing until then: the request cannot have come whole when it is given up.
static void script_deaf(struct peer *peer)
{
    size_t size = 0;
    char bytes[4096];
    while (!atomic_load(&given_up)) {
        poll(NULL, 0, 1);
    }
    for (ssize_t got; (got = recv(peer->fd, bytes, sizeof bytes, 0)) > 0;) {
        size += (size_t)got;
    }
    peer_expect(peer, size > 0 && size < 32u << 20);
}

static void a_request_given_up_halfway_ends_the_connection(void **state)
{
    (void)state;
    struct peer peer;
    struct weft_error error;
    struct weft_params params;
    struct asked asked = {.left = 1};
    double *positions = calloc(4 << 20, sizeof *positions);
    assert_non_null(positions);
    weft_params_init(&params);
    weft_params_f64_array(&params, "positions", positions, 4 << 20);
    peer_start(&peer, script_deaf); // it is deaf from here on, not for ever
    struct weft_client *client = connect_to(&peer, 60000);
    weft_on_wait(client, on_wait, &asked);
    assert_false(weft_call(client, "body.add", &params, NULL, &error));
    atomic_store(&given_up, true);
    assert_string_equal(error.code, "CLOSED");
    assert_true(asked.bytes_out > 0 && asked.bytes_out < 32u << 20);
    assert_false(weft_call(client, "world.get", NULL, NULL, &error));
    assert_string_equal(error.code, "CLOSED");
    weft_params_deinit(&params);
    free(positions);
    weft_close(client);
    peer_join(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poll_waits_as_long_as_it_is_told),
        cmocka_unit_test(who_waits_is_asked_and_may_give_up),
        cmocka_unit_test(a_request_given_up_halfway_ends_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
