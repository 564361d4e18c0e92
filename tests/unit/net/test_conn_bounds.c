// Streams that are broken, shares, and what there is too much of: over real sockets, with peers that do not behave.
#include "helper_fixture.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

// ---------------------------------------------------------------------------------------------------------
// Streams that are broken, and too much

static void say_last_words(struct fixture_peer *peer)
{
    struct base_buffer *words = fixture_text(1000, 'w');
    net_conn_send(peer->conn, words);
    base_buffer_unref(words);
    net_conn_finish(peer->conn, NET_END_NORMAL, "garbage");
    net_conn_finish(peer->conn, NET_END_NORMAL, "again");
}

static void garbage_gets_last_words_and_an_end(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_bad = say_last_words});
    int fd = client_connect(&fixture);
    // Good ones before, and far more than is ever looked at behind: the answer must get through all the same.
    uint8_t *bytes = malloc(1 << 20);
    memset(bytes, 0xc1, 1 << 20);
    memset(bytes, 1, 3);
    client_try_send(fd, bytes, 1 << 20);
    uint8_t back[2000];
    assert_int_equal(client_receive_all(fd, back, sizeof back), 3 + 1000);
    assert_memory_equal(back, "\1\1\1\xdb", 4);
    free(bytes);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].bad, 1);
    assert_int_equal(fixture.peers[0].bad_status, PROTOCOL_SCAN_BAD);
    assert_int_equal(fixture.peers[0].messages, 3);
    assert_string_equal(fixture.peers[0].reason, "garbage");
    fixture_stop(&fixture);
}

static void a_broken_stream_ends_even_if_its_receiver_does_nothing(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    client_send(fd, "\xc1", 1);
    assert_true(client_at_end(fd));
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "the stream is broken");
    fixture_stop(&fixture);
}

static void claims_past_the_limit_are_refused_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        enum protocol_scan_status status;
    } cases[] = {
        {"\xc6\x3f\xff\xff\xff", PROTOCOL_SCAN_TOO_LARGE}, // a bin of 1 GiB
        {"\xdd\x3b\x9a\xca\x00", PROTOCOL_SCAN_TOO_LARGE}, // an array of a billion
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_start(&fixture, &(struct fixture_options){.message_bytes = 1000, .on_bad = say_last_words});
        int fd = client_connect(&fixture);
        client_send(fd, cases[i].bytes, 5);
        uint8_t back[2000];
        assert_int_equal(client_receive_all(fd, back, sizeof back), 1000);
        close(fd);
        fixture_wait_closed(&fixture, 1);
        assert_true(fixture.peers[0].bad_status >= PROTOCOL_SCAN_TOO_LARGE);
        if (i == 0) {
            assert_int_equal(fixture.peers[0].bad_status, cases[i].status);
        }
        fixture_stop(&fixture);
    }
}

static bool all_arrived(struct fixture *all, void *argument)
{
    struct net_stats stats;
    net_listener_stats(all->listener, &stats);
    return stats.bytes_in >= *(uint64_t *)argument;
}

static void unfinished_messages_are_bounded_over_all_connections(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.receive_bytes = 1 << 20, .on_bad = say_last_words});
    enum { SIZE = 700000, SENT = 600000 };
    uint8_t *message = client_message(SIZE, 9);
    uint8_t *back = malloc(SIZE);
    uint64_t total = 0;
    // Those who leave give back what they held, however they leave.
    for (uint32_t i = 0; i < 10; i++) {
        int fd = client_connect(&fixture);
        client_send(fd, message, SENT);
        total += SENT;
        fixture_wait(&fixture, all_arrived, &total);
        if (i % 2) {
            client_reset(fd);
        } else {
            close(fd);
        }
        fixture_wait_closed(&fixture, i + 1);
        assert_int_equal(fixture.peers[i].bad, 0);
    }
    assert_string_equal(fixture.peers[0].reason, "the peer left in the middle of a message");
    assert_string_equal(fixture.peers[1].reason, "connection reset by peer");

    // The connection that holds most is closed, not the one that comes last.
    int first = client_connect(&fixture);
    client_send(first, message, SENT);
    total += SENT;
    fixture_wait(&fixture, all_arrived, &total);
    int second = client_connect(&fixture);
    client_send(second, message, SENT);
    assert_int_equal(client_receive_all(first, back, SIZE), 1000); // the last words
    close(first);
    client_send(second, message + SENT, SIZE - SENT);
    client_receive(second, back, SIZE);
    assert_memory_equal(back, message, SIZE);
    close(second);
    fixture_wait_closed(&fixture, 12);
    assert_int_equal(fixture.peers[10].overfull, 1);
    assert_int_equal(fixture.peers[11].overfull, 0);
    assert_int_equal(fixture.peers[11].bad, 0);
    free(message);
    free(back);
    fixture_stop(&fixture);
}

// A large message that comes in well outlives a smaller one that came to a halt.
static void who_fell_behind_with_a_message_goes_before_who_holds_most(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.receive_bytes = 1 << 20, .on_bad = say_last_words});
    enum { SIZE = 800000, HALT = 300000, STEP = 50000 };
    uint8_t *message = client_message(SIZE, 9);
    uint8_t *back = malloc(SIZE);
    int halted = client_connect(&fixture);
    client_send(halted, message, HALT);
    uint64_t total = HALT;
    fixture_wait(&fixture, all_arrived, &total);
    fixture_pass(&fixture, 2200); // two seconds without a byte are falling behind
    int steady = client_connect(&fixture);
    for (int at = 0; at < SIZE; at += STEP) {
        client_send(steady, message + at, STEP);
        fixture_pass(&fixture, 2);
    }
    client_receive(steady, back, SIZE);
    assert_memory_equal(back, message, SIZE);
    assert_int_equal(client_receive_all(halted, back, SIZE), 1000);
    close(steady);
    close(halted);
    fixture_pass_closed(&fixture, 2);
    assert_int_equal(fixture.peers[0].overfull, 1);
    assert_int_equal(fixture.peers[1].overfull, 0);
    free(message);
    free(back);
    fixture_stop(&fixture);
}

static void call_overdue(struct fixture *all, void *argument)
{
    *(bool *)argument = net_conn_overdue(all->peers[0].conn);
}

// Sends some of a message, which has come before so much passes. Whether the message is overdue then.
static bool overdue_after(int fd, const uint8_t *bytes, uint64_t size, uint64_t *total, uint64_t ms)
{
    bool overdue = false;
    client_send(fd, bytes, size);
    *total += size;
    fixture_wait(&fixture, all_arrived, total);
    fixture_pass(&fixture, ms);
    fixture_call(&fixture, call_overdue, &overdue);
    return overdue;
}

static void a_message_that_drips_is_overdue_and_one_that_comes_in_is_not(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.message_ms = 300});
    enum { SIZE = 400000, STEP = 10000 };
    uint8_t *message = client_message(SIZE, 3);
    uint8_t *back = malloc(SIZE);
    uint64_t total = 0;
    bool overdue = false;
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    for (int at = 0; at < SIZE; at += STEP) { // 520 ms, at 769 bytes a millisecond
        assert_false(overdue_after(fd, message + at, STEP, &total, 13));
    }
    client_receive(fd, back, SIZE);
    fixture_pass(&fixture, 400); // between messages time does not run
    fixture_call(&fixture, call_overdue, &overdue);
    assert_false(overdue);
    assert_false(overdue_after(fd, message, 100000, &total, 10));
    for (int i = 1; i < 30; i++) {
        assert_false(overdue_after(fd, message + 100000 + i, 1, &total, 10));
    }
    assert_true(overdue_after(fd, message + 100000, 1, &total, 10));
    close(fd);
    fixture_pass_closed(&fixture, 1);
    free(message);
    free(back);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Shares

struct flood {
    int fd;
    atomic_bool stop;
};

static void *flood_run(void *context)
{
    struct flood *flood = context;
    static const uint8_t messages[1 << 16]; // integers, a byte each
    while (!atomic_load(&flood->stop)) {
        if (!client_try_send(flood->fd, messages, sizeof messages)) {
            break;
        }
    }
    return NULL;
}

static atomic_bool flooded_long_enough; // what the kernel holds of a flood would take a minute
static uint64_t flood_messages;         // handed up. The loop's
static uint64_t pinged, answered;       // how many had been when a ping was sent, and when it was handed up

enum { FLOOD_MESSAGE_NS = 5000, FLOODS = 4, PING_SIZE = 20, READ_MESSAGES = 1 << 16 };

// Takes a while for each, as a request may, on the clock that the test holds.
static void take_a_while(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    if (atomic_load(&flooded_long_enough)) {
        free(bytes);
        net_conn_cut(peer->conn, NET_END_POLICY, "enough");
        return;
    }
    if (size > 1) {
        answered = flood_messages;
        fixture_echo(peer, bytes, size);
        return;
    }
    free(bytes);
    flood_messages++;
    clock_pass(FLOOD_MESSAGE_NS);
}

static bool is_flooded(struct fixture *all, void *argument)
{
    (void)all;
    return flood_messages >= *(uint64_t *)argument;
}

struct ping {
    int fd;
    const uint8_t *bytes;
};

// On the loop's thread, so that no message of a flood is handed up between looking and sending.
static void call_ping(struct fixture *all, void *argument)
{
    const struct ping *ping = argument;
    (void)all;
    pinged = flood_messages;
    if (send(ping->fd, ping->bytes, PING_SIZE, MSG_NOSIGNAL) != PING_SIZE) {
        pinged = UINT64_MAX;
    }
}

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

// One read of a socket holds so many messages of a flood that they take 330 ms: an answer that waited for a flood would
// wait for all of them, for each of those who flood. With shares it waits for a few milliseconds: the bound is a tenth of a read.
static void a_flood_keeps_nobody_waiting(void **state)
{
    (void)state;
    enum { PINGS = 41 };
    atomic_store(&flooded_long_enough, false);
    flood_messages = 0;
    fixture_start(&fixture, &(struct fixture_options){.on_message = take_a_while});
    struct flood floods[FLOODS];
    pthread_t threads[FLOODS];
    for (int i = 0; i < FLOODS; i++) {
        floods[i].fd = client_connect(&fixture);
        atomic_init(&floods[i].stop, false);
        assert_int_equal(pthread_create(&threads[i], NULL, flood_run, &floods[i]), 0);
    }
    uint8_t *message = client_message(PING_SIZE, 1);
    uint8_t pong[PING_SIZE];
    uint64_t waited[PINGS];
    struct ping ping = {client_connect(&fixture), message};
    fixture_wait(&fixture, is_flooded, &(uint64_t){READ_MESSAGES});
    for (int i = 0; i < PINGS; i++) {
        fixture_call(&fixture, call_ping, &ping);
        client_receive(ping.fd, pong, PING_SIZE);
        assert_true(answered >= pinged);
        waited[i] = answered - pinged;
        fixture_wait(&fixture, is_flooded, &(uint64_t){answered + 400}); // 2 ms
    }
    qsort(waited, PINGS, sizeof waited[0], by_size);
    print_message(
        "beside %d floods an answer waits for %d messages (median) or %d (most) of the %d of a read\n",
        FLOODS, (int)waited[PINGS / 2], (int)waited[PINGS - 1], READ_MESSAGES);
    assert_true(waited[PINGS - 1] < READ_MESSAGES / 10);
    atomic_store(&flooded_long_enough, true);
    for (int i = 0; i < FLOODS; i++) {
        atomic_store(&floods[i].stop, true);
        pthread_join(threads[i], NULL);
        client_reset(floods[i].fd);
    }
    close(ping.fd);
    free(message);
    fixture_pass_closed(&fixture, FLOODS + 1);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Too many

static void connections_over_the_limit_are_closed_at_once(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.connections = 2});
    int first = client_connect(&fixture);
    int second = client_connect(&fixture);
    fixture_wait_peers(&fixture, 2);
    for (int i = 0; i < 5; i++) {
        int third = client_connect(&fixture);
        assert_true(client_at_end(third));
        close(third);
    }
    uint8_t byte;
    client_send(first, "\1", 1);
    client_receive(first, &byte, 1);
    close(first);
    fixture_wait_closed(&fixture, 1);
    int fourth = client_connect(&fixture);
    client_send(fourth, "\2", 1);
    client_receive(fourth, &byte, 1);
    assert_int_equal(byte, 2);
    close(second);
    close(fourth);
    fixture_stop(&fixture);
}

static void *refuse_all(struct fixture_peer *peer, void *context)
{
    (void)peer;
    (void)context;
    return NULL;
}

static void a_connection_can_be_refused(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_accept = refuse_all});
    int fd = client_connect(&fixture);
    assert_true(client_at_end(fd));
    close(fd);
    fixture_stop(&fixture);
}

// The highest file that is open, of all or of those that are /dev/null.
static rlim_t file_highest(bool null_only)
{
    rlim_t highest = 0;
    DIR *files = opendir("/proc/self/fd");
    assert_non_null(files);
    for (struct dirent *file; (file = readdir(files));) {
        rlim_t number = (rlim_t)atoi(file->d_name);
        char target[64] = "";
        ssize_t length = readlinkat(dirfd(files), file->d_name, target, sizeof target - 1);
        bool null = length > 0 && strcmp(target, "/dev/null") == 0;
        highest = number > highest && (null || !null_only) ? number : highest;
    }
    closedir(files);
    return highest;
}

static void run_out_of_files(bool reserve_of_libuv_is_gone)
{
    fixture_start(&fixture, NULL);
    int inside = client_connect(&fixture);
    uint8_t byte;
    client_send(inside, "\1", 1);
    client_receive(inside, &byte, 1);

    // Sockets are made while there are files; they connect when there are none.
    enum { OUTSIDE = 8 };
    int outside[OUTSIDE];
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    assert_int_equal(getpeername(inside, (struct sockaddr *)&address, &length), 0);
    for (int i = 0; i < OUTSIDE; i++) {
        outside[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_true(outside[i] >= 0);
        struct timeval limit = {.tv_sec = FIXTURE_WAIT_S};
        setsockopt(outside[i], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    // The reserve of libuv was opened after that of the loop. A limit just below it makes it worthless.
    rlim_t limit = reserve_of_libuv_is_gone ? file_highest(true) : file_highest(false) + 1;
    struct rlimit none = {limit, before.rlim_max};
    // Below what is open already nothing new can be opened, except in the holes: fill those.
    int fillers[256];
    int filler_count = 0;
    while (filler_count < 256 && (fillers[filler_count] = dup(inside)) >= 0 &&
           (rlim_t)fillers[filler_count] < none.rlim_cur) {
        filler_count++;
    }
    close(fillers[filler_count]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    for (int i = 0; i < OUTSIDE; i++) {
        assert_int_equal(connect(outside[i], (struct sockaddr *)&address, length), 0);
        assert_true(client_at_end(outside[i]));
    }
    client_send(inside, "\2", 1);
    client_receive(inside, &byte, 1);
    assert_int_equal(byte, 2);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);

    int later = client_connect(&fixture);
    client_send(later, "\3", 1);
    client_receive(later, &byte, 1);
    assert_int_equal(byte, 3);
    for (int i = 0; i < OUTSIDE; i++) {
        close(outside[i]);
    }
    for (int i = 0; i < filler_count; i++) {
        close(fillers[i]);
    }
    close(later);
    close(inside);
    fixture_wait_closed(&fixture, 2);
    assert_string_equal(fixture.peers[0].reason, "the peer left");
    fixture_stop(&fixture);
}

static void a_listener_asks_for_the_files_it_needs(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct rlimit few = {file_highest(false) + 20, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    fixture_start(&fixture, &(struct fixture_options){.connections = 100});
    struct rlimit now;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_true(now.rlim_cur >= 100 || now.rlim_cur == before.rlim_max);
    fixture_stop(&fixture);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void running_out_of_files_harms_nobody_who_is_in(void **state)
{
    (void)state;
    run_out_of_files(false);
}

static void the_spare_file_of_the_loop_is_enough(void **state)
{
    (void)state;
    run_out_of_files(true);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(garbage_gets_last_words_and_an_end),
        cmocka_unit_test(a_broken_stream_ends_even_if_its_receiver_does_nothing),
        cmocka_unit_test(claims_past_the_limit_are_refused_at_once),
        cmocka_unit_test(unfinished_messages_are_bounded_over_all_connections),
        cmocka_unit_test_setup_teardown(who_fell_behind_with_a_message_goes_before_who_holds_most,
                                        fixture_hold_clock, fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_message_that_drips_is_overdue_and_one_that_comes_in_is_not,
                                        fixture_hold_clock, fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_flood_keeps_nobody_waiting, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test(connections_over_the_limit_are_closed_at_once),
        cmocka_unit_test(a_connection_can_be_refused),
        cmocka_unit_test(a_listener_asks_for_the_files_it_needs),
        cmocka_unit_test(running_out_of_files_harms_nobody_who_is_in),
        cmocka_unit_test(the_spare_file_of_the_loop_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
