// Connections whose sockets are with other loops than their owner: what must not be different for that, and what keeps
// them from each other.
#include "helper_fixture.h"

#include "base/assert.h"
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPS = 3, PEERS = 12 };

static struct fixture fixture;

static void start(const struct fixture_options *options)
{
    struct fixture_options wanted = options ? *options : (struct fixture_options){0};
    wanted.loops = LOOPS;
    fixture_start(&fixture, &wanted);
}

static void call_spread(struct fixture *all, void *argument)
{
    uint32_t *open = argument;
    assert_int_equal(net_loop_count(all->loop), LOOPS);
    for (uint32_t i = 0; i < LOOPS; i++) {
        open[i] = net_loop_connections(all->loop, i);
    }
}

static void connections_are_spread_evenly_and_served_by_all(void **state)
{
    (void)state;
    start(NULL);
    int fds[PEERS];
    for (int i = 0; i < PEERS; i++) {
        fds[i] = client_connect(&fixture);
        fixture_wait_peers(&fixture, (uint32_t)i + 1);
    }
    uint32_t open[LOOPS];
    fixture_call(&fixture, call_spread, open);
    for (int i = 0; i < LOOPS; i++) {
        assert_int_equal(open[i], PEERS / LOOPS);
    }
    for (int i = 0; i < PEERS; i++) {
        uint8_t *message = client_message(100000, (uint32_t)i);
        uint8_t *back = malloc(100000);
        assert_non_null(back);
        client_send(fds[i], message, 100000);
        client_receive(fds[i], back, 100000);
        assert_memory_equal(back, message, 100000);
        free(back);
        free(message);
    }
    for (int i = 0; i < PEERS; i++) {
        close(fds[i]);
    }
    fixture_wait_closed(&fixture, PEERS);
    fixture_stop(&fixture);
}

static void call_hold(struct fixture *all, void *argument)
{
    const bool *hold = argument;
    net_conn_hold(all->peers[0].conn, *hold);
}

// Sends numbered messages until the socket takes no more for a while; returns how many.
static uint32_t flood(int fd)
{
    static uint8_t bytes[1000];
    uint32_t sent = 0;
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    for (int waits = 0; waits < 20;) {
        uint8_t *message = client_message(sizeof bytes, ++sent);
        memcpy(bytes, message, sizeof bytes);
        free(message);
        for (size_t at = 0; at < sizeof bytes && waits < 20;) {
            ssize_t took = send(fd, bytes + at, sizeof bytes - at, MSG_NOSIGNAL);
            assert_true(took > 0 || errno == EAGAIN);
            if (took < 0) {
                usleep(5000);
                waits++;
            } else {
                at += (size_t)took;
                waits = 0;
            }
        }
    }
    fcntl(fd, F_SETFL, flags);
    return sent;
}

static void call_count(struct fixture *all, void *argument)
{
    *(uint32_t *)argument = (uint32_t)all->peers[0].messages;
}

// The last may be a part of one.
static bool has_messages(struct fixture *all, void *argument)
{
    return all->peers[0].messages + 1 >= *(const uint32_t *)argument;
}

static void count_only(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    if (peer == &peer->fixture->peers[0]) {
        free(bytes);
    } else {
        fixture_echo(peer, bytes, size);
    }
}

// All that one has sent waits in its own ring and its own socket, whoever else the loop has.
static void one_that_is_not_taken_keeps_no_other_of_its_loop_waiting(void **state)
{
    (void)state;
    start(&(struct fixture_options){.on_message = count_only});
    int fds[PEERS];
    for (int i = 0; i < PEERS; i++) {
        fds[i] = client_connect(&fixture);
        fixture_wait_peers(&fixture, (uint32_t)i + 1);
    }
    bool hold = true;
    fixture_call(&fixture, call_hold, &hold);
    uint32_t sent = flood(fds[0]);
    assert_true(sent > 100); // more than the ring takes
    for (int i = 1; i < PEERS; i++) {
        uint8_t *message = client_message(50, (uint32_t)i);
        uint8_t back[50];
        client_send(fds[i], message, sizeof back);
        client_receive(fds[i], back, sizeof back);
        assert_memory_equal(back, message, sizeof back);
        free(message);
    }
    uint32_t none = 1;
    fixture_call(&fixture, call_count, &none);
    assert_int_equal(none, 0);
    // At most a read beyond what the ring may hold is not in the kernel.
    assert_true(fixture_stats(&fixture).bytes_in < 512 * 1024);
    hold = false;
    fixture_call(&fixture, call_hold, &hold);
    fixture_wait(&fixture, has_messages, &sent);
    for (int i = 0; i < PEERS; i++) {
        close(fds[i]);
    }
    fixture_stop(&fixture);
}

static void call_replies_and_cut(struct fixture *all, void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < all->peer_count; i++) {
        for (char letter = 'a'; letter <= 'z'; letter++) {
            struct base_buffer *text = fixture_text(500, letter);
            net_conn_send(all->peers[i].conn, text);
            base_buffer_unref(text);
        }
        net_conn_finish(all->peers[i].conn, NET_END_NORMAL, "done");
        assert_true(net_conn_is_over(all->peers[i].conn));
    }
}

static void all_that_is_sent_before_a_finish_comes_in_order(void **state)
{
    (void)state;
    start(NULL);
    int fds[LOOPS];
    for (int i = 0; i < LOOPS; i++) {
        fds[i] = client_connect(&fixture);
    }
    fixture_wait_peers(&fixture, LOOPS);
    fixture_call(&fixture, call_replies_and_cut, NULL);
    for (int i = 0; i < LOOPS; i++) {
        uint8_t data[14000];
        assert_int_equal(client_receive_all(fds[i], data, sizeof data), 26 * 500);
        for (int letter = 0; letter < 26; letter++) {
            assert_int_equal(data[letter * 500 + 499], 'a' + letter);
        }
        close(fds[i]);
    }
    fixture_wait_closed(&fixture, LOOPS);
    fixture_stop(&fixture);
}

// Peers come, send, and vanish in every state, while the loop ends in the middle of it.
static void the_end_of_all_loops_tells_of_each_connection_once(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 20; round++) {
        start(NULL);
        int fds[PEERS];
        uint8_t *message = client_message(70000, round);
        for (int i = 0; i < PEERS; i++) {
            fds[i] = client_connect(&fixture);
            client_try_send(fds[i], message, 70000 >> (i % 3));
            if (i % 4 == 0) {
                client_reset(fds[i]);
            }
        }
        usleep(round * 500);
        fixture_stop(&fixture); // asserts it
        for (int i = 0; i < PEERS; i++) {
            if (i % 4 != 0) {
                close(fds[i]);
            }
        }
        free(message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_spread_evenly_and_served_by_all),
        cmocka_unit_test(one_that_is_not_taken_keeps_no_other_of_its_loop_waiting),
        cmocka_unit_test(all_that_is_sent_before_a_finish_comes_in_order),
        cmocka_unit_test(the_end_of_all_loops_tells_of_each_connection_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
