// HTTP over real sockets: answers, one after another; time-outs, limits, and peers that do as they like.
#include "helper_fixture.h"

#include "base/assert.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BIG = 3 << 20 };

static struct fixture fixture;
static char folder[64];

static void write_file(const char *name, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    uint32_t seed = 7;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        fputc((int)(seed >> 24), file); // does not shrink
    }
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-http-XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    write_file("index.html", 1000);
    write_file("big.bin", BIG);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT: the name is ours
}

static struct base_buffer *make_page(void *context, int *status)
{
    uint32_t *count = context;
    char text[32];
    int size = snprintf(text, sizeof text, "asked %u times\n", (unsigned)++*count);
    struct base_buffer *bytes = base_buffer_create((size_t)size, NULL);
    BASE_ASSERT(bytes);
    memcpy(bytes->data, text, (size_t)size);
    *status = *count == 3 ? 503 : 200;
    return bytes;
}

static struct base_buffer *make_nothing(void *context, int *status)
{
    (void)context;
    (void)status;
    return NULL;
}

static const struct net_http_page pages[] = {{"/page", "text/plain", make_page},
                                             {"/broken", "text/plain", make_nothing}};
static uint32_t asked;

// times: of everything that may be too slow.
static void start(uint32_t times_ms, uint32_t connections)
{
    static struct net_http_options http; // lives as long as the listener
    asked = 0;
    http = (struct net_http_options){
        .folder = folder,
        .pages = pages,
        .page_count = 2,
        .context = &asked,
        .connections = connections,
        .head_ms = times_ms,
        .idle_ms = times_ms,
        .stall_ms = times_ms,
    };
    fixture_start(&fixture, &(struct fixture_options){.http = &http});
}

// ---------------------------------------------------------------------------------------------------------
// A client

struct answer {
    int status;
    char head[4096];
    size_t length; // of the body
};

static bool has(const struct answer *answer, const char *line)
{
    char wanted[512];
    snprintf(wanted, sizeof wanted, "\r\n%s\r\n", line);
    return strstr(answer->head, wanted) != NULL;
}

// Reads a head and, with body, what belongs to it.
static struct answer receive(int fd, bool body)
{
    struct answer answer = {0};
    size_t used = 0;
    while (used < 4 || memcmp(answer.head + used - 4, "\r\n\r\n", 4) != 0) {
        assert_true(used < sizeof answer.head - 1);
        client_receive(fd, answer.head + used++, 1);
    }
    assert_memory_equal(answer.head, "HTTP/1.1 ", 9);
    answer.status = atoi(answer.head + 9);
    const char *length = strstr(answer.head, "\r\nContent-Length: ");
    answer.length = length ? (size_t)atol(length + 18) : 0;
    if (body && answer.length > 0) {
        uint8_t *bytes = malloc(answer.length);
        client_receive(fd, bytes, answer.length);
        free(bytes);
    }
    return answer;
}

static void ask(int fd, const char *path)
{
    char request[256];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    client_send(fd, request, strlen(request));
}

static struct answer get(int fd, const char *path)
{
    ask(fd, path);
    return receive(fd, true);
}

static uint32_t open_connections(void)
{
    return fixture_stats(&fixture).http_open;
}

static bool has_open(struct fixture *all, void *argument)
{
    struct net_stats stats;
    net_listener_stats(all->listener, &stats);
    return stats.http_open == *(uint32_t *)argument;
}

static void wait_open(uint32_t count)
{
    fixture_wait(&fixture, has_open, &count);
}

// The same on a clock that stands still, of which as much passes as it takes.
static void pass_open(uint32_t count)
{
    for (int i = 0; i < 1000 && open_connections() != count; i++) {
        fixture_pass(&fixture, 20);
    }
    assert_int_equal(open_connections(), count);
}

static bool has_requests(struct fixture *all, void *argument)
{
    struct net_stats stats;
    net_listener_stats(all->listener, &stats);
    return stats.http_requests >= *(uint64_t *)argument;
}

static bool has_bytes(struct fixture *all, void *argument)
{
    struct net_stats stats;
    net_listener_stats(all->listener, &stats);
    return stats.bytes_in >= *(uint64_t *)argument;
}

// ---------------------------------------------------------------------------------------------------------
// Answers

static void requests_are_answered_on_one_connection(void **state)
{
    (void)state;
    start(0, 0);
    int fd = client_connect(&fixture);
    struct answer answer = get(fd, "/");
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.length, 1000);
    assert_true(has(&answer, "Content-Type: text/html; charset=utf-8"));
    assert_true(has(&answer, "Cache-Control: no-cache"));
    assert_true(has(&answer, "X-Content-Type-Options: nosniff"));
    assert_non_null(strstr(answer.head, "\r\nContent-Security-Policy: default-src 'none'; script-src 'self' "
                                        "'wasm-unsafe-eval';"));
    assert_non_null(strstr(answer.head, "\r\nDate: "));
    assert_null(strstr(answer.head, "Connection: close"));
    const char *tag = strstr(answer.head, "\r\nETag: ");
    assert_non_null(tag);
    char again[256];
    snprintf(again, sizeof again, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: %.18s\r\n\r\n",
             tag + 8);
    client_send(fd, again, strlen(again));
    answer = receive(fd, true);
    assert_int_equal(answer.status, 304);
    assert_null(strstr(answer.head, "Content-Length"));
    static const char head[] = "HEAD /big.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    client_send(fd, head, sizeof head - 1);
    answer = receive(fd, false);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.length, BIG);
    answer = get(fd, "/../index.html");
    assert_int_equal(answer.status, 404);
    answer = get(fd, "/big.bin");
    assert_int_equal(answer.status, 200);
    assert_int_equal(get(fd, "/page").status, 200);
    assert_int_equal(get(fd, "/page").length, strlen("asked 2 times\n"));
    assert_int_equal(get(fd, "/page").status, 503);
    assert_int_equal(get(fd, "/broken").status, 500);
    answer = get(fd, "/ws");
    assert_int_equal(answer.status, 426);
    assert_true(has(&answer, "Upgrade: websocket"));
    assert_int_equal(open_connections(), 1);
    struct net_stats stats = fixture_stats(&fixture);
    assert_int_equal(stats.http_requests, 10);
    assert_int_equal(stats.http_refused, 4);
    assert_int_equal(stats.accepted, 0);
    close(fd);
    wait_open(0);
    fixture_stop(&fixture);
}

static void requests_in_advance_are_answered_in_order(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    start(0, 0);
    int fd = client_connect(&fixture);
    for (int i = 0; i < COUNT; i++) {
        ask(fd, i % 3 == 0 ? "/" : i % 3 == 1 ? "/none" : "/index.html");
    }
    for (int i = 0; i < COUNT; i++) {
        struct answer answer = receive(fd, true);
        assert_int_equal(answer.status, i % 3 == 1 ? 404 : 200);
    }
    close(fd);
    fixture_stop(&fixture);
}

static void the_last_answer_is_sent_whole_before_the_end(void **state)
{
    (void)state;
    start(0, 0);
    static const char *const lasts[] = {
        "GET /big.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        "GET /big.bin HTTP/1.0\r\n\r\n",
    };
    for (size_t i = 0; i < 2; i++) {
        int fd = client_connect(&fixture);
        client_send(fd, lasts[i], strlen(lasts[i]));
        fixture_turns(&fixture);
        struct answer answer = receive(fd, true);
        assert_int_equal(answer.status, 200);
        assert_int_equal(answer.length, BIG);
        assert_true(has(&answer, "Connection: close"));
        assert_true(client_at_end(fd));
        close(fd);
    }
    int fd = client_connect(&fixture); // one that says no more itself
    ask(fd, "/big.bin");
    shutdown(fd, SHUT_WR);
    assert_int_equal(receive(fd, true).length, BIG);
    assert_true(client_at_end(fd));
    close(fd);
    wait_open(0);
    fixture_stop(&fixture);
}

static void what_is_no_request_is_refused_and_ends_the_connection(void **state)
{
    (void)state;
    static char giant[9000];
    memset(giant, 'a', sizeof giant - 1);
    memcpy(giant, "GET /", 5);
    static const struct {
        const char *request;
        int status;
    } cases[] = {
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 405},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 413},
        {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: a\n\n", 400},
        {"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505},
        {"\x16\x03\x01\x02", 400}, // TLS
        {giant, 431},
    };
    start(0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int fd = client_connect(&fixture);
        client_send(fd, cases[i].request, strlen(cases[i].request));
        struct answer answer = receive(fd, true);
        assert_int_equal(answer.status, cases[i].status);
        assert_true(has(&answer, "Connection: close"));
        assert_true(client_at_end(fd));
        close(fd);
    }
    wait_open(0);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Slow ones

static void a_head_that_takes_too_long_is_answered_with_408(void **state)
{
    (void)state;
    start(200, 0);
    int fd = client_connect(&fixture);
    static const char head[] =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    for (size_t i = 0; i < 20 && client_try_send(fd, head + i, 1); i++) {
        fixture_pass(&fixture, 20); // it never pauses for long, and never ends
    }
    assert_int_equal(receive(fd, true).status, 408);
    assert_true(client_at_end(fd));
    close(fd);
    pass_open(0);
    fixture_stop(&fixture);
}

static void idle_connections_end(void **state)
{
    (void)state;
    start(200, 0);
    int silent = client_connect(&fixture);
    int done = client_connect(&fixture);
    assert_int_equal(get(done, "/").status, 200);
    fixture_pass(&fixture, 150);
    assert_int_equal(open_connections(), 2);
    for (int ms = 0; ms < 200; ms += 50) {
        fixture_pass(&fixture, 50);
    }
    assert_true(client_at_end(silent));
    assert_true(client_at_end(done));
    close(silent);
    close(done);
    pass_open(0);
    fixture_stop(&fixture);
}

static void an_answer_that_nobody_reads_ends_the_connection(void **state)
{
    (void)state;
    start(300, 0);
    int fd = client_connect(&fixture);
    int few = 4096;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    for (int i = 0; i < 20; i++) {
        ask(fd, "/big.bin"); // more than any kernel keeps
    }
    wait_open(1);
    pass_open(0);
    close(fd);
    fixture_stop(&fixture);
}

static void an_answer_that_is_read_slowly_arrives_whole(void **state)
{
    (void)state;
    start(300, 0);
    int fd = client_connect(&fixture);
    int few = 65536;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    ask(fd, "/big.bin");
    struct answer answer = receive(fd, false);
    assert_int_equal(answer.length, BIG);
    uint8_t *bytes = malloc(BIG);
    for (size_t at = 0, piece = BIG / 16; at < BIG; at += piece) {
        client_receive(fd, bytes + at, piece); // longer than the time-outs, in all
        fixture_pass(&fixture, 50);
    }
    free(bytes);
    assert_int_equal(get(fd, "/").status, 200);
    close(fd);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Many

static void a_head_that_drips_gives_way_too(void **state)
{
    (void)state;
    enum { PLACES = 3 };
    start(20000, PLACES);
    int fds[PLACES];
    for (int i = 0; i < PLACES; i++) {
        fds[i] = client_connect(&fixture);
        client_send(fds[i], "GET /", 5);
        fixture_wait(&fixture, has_bytes, &(uint64_t){5 * ((uint64_t)i + 1)});
        fixture_pass(&fixture, 20);
    }
    int more = client_connect(&fixture);
    assert_int_equal(get(more, "/").status, 200);
    assert_true(client_at_end(fds[0]));
    static const char rest[] = " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    client_send(fds[1], rest, sizeof rest - 1);
    assert_int_equal(receive(fds[1], true).status, 200);
    close(more);
    for (int i = 0; i < PLACES; i++) {
        close(fds[i]);
    }
    fixture_stop(&fixture);
}

static void a_new_connection_takes_the_place_of_the_idlest(void **state)
{
    (void)state;
    enum { PLACES = 4 };
    start(20000, PLACES);
    int fds[PLACES + 1];
    for (int i = 0; i < PLACES; i++) {
        fds[i] = client_connect(&fixture);
        wait_open((uint32_t)i + 1);
        fixture_pass(&fixture, 5);
    }
    assert_int_equal(get(fds[0], "/").status, 200); // now fds[1] is idle for longest
    fds[PLACES] = client_connect(&fixture);
    assert_int_equal(get(fds[PLACES], "/").status, 200);
    assert_true(client_at_end(fds[1]));
    assert_int_equal(get(fds[0], "/").status, 200);
    for (int i = 0; i <= PLACES; i++) {
        close(fds[i]);
    }
    pass_open(0);
    fixture_stop(&fixture);
}

static void connections_above_the_limit_are_closed_while_all_are_at_work(void **state)
{
    (void)state;
    enum { PLACES = 3 };
    start(20000, PLACES);
    int fds[PLACES];
    for (int i = 0; i < PLACES; i++) {
        const uint64_t before = fixture_stats(&fixture).http_requests;
        fds[i] = client_connect(&fixture);
        for (int ahead = 0; ahead < 8; ahead++) {
            ask(fds[i], "/big.bin"); // more than the kernel keeps for one that does not read
        }
        wait_open((uint32_t)i + 1);
        fixture_wait(&fixture, has_requests, &(uint64_t){before + 1}); // its first answer begins
    }
    int more = client_connect(&fixture);
    assert_true(client_at_end(more));
    close(more);
    for (int i = 0; i < PLACES; i++) {
        assert_int_equal(receive(fds[i], true).length, BIG);
        close(fds[i]);
    }
    fixture_stop(&fixture);
}

static void the_loop_ends_with_connections_of_all_kinds(void **state)
{
    (void)state;
    start(0, 0);
    int idle = client_connect(&fixture);
    int half = client_connect(&fixture);
    client_send(half, "GET / HT", 8);
    int stuck = client_connect(&fixture);
    for (int i = 0; i < 20; i++) {
        ask(stuck, "/big.bin");
    }
    int websocket = client_connect(&fixture);
    client_upgrade(websocket);
    wait_open(3);
    fixture_stop(&fixture);
    close(idle);
    close(half);
    close(stuck);
    close(websocket);
}

static void without_files_a_page_says_how_to_get_them(void **state)
{
    (void)state;
    static const struct net_http_options none = {.folder = "/nonexistent"};
    fixture_start(&fixture, &(struct fixture_options){.http = &none});
    int fd = client_connect(&fixture);
    ask(fd, "/");
    struct answer answer = receive(fd, false);
    assert_int_equal(answer.status, 503);
    char text[1024] = {0};
    assert_true(answer.length < sizeof text);
    client_receive(fd, text, answer.length);
    assert_non_null(strstr(text, "make build"));
    assert_int_equal(get(fd, "/page").status, 404);
    close(fd);
    fixture_stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_answered_on_one_connection),
        cmocka_unit_test(requests_in_advance_are_answered_in_order),
        cmocka_unit_test(the_last_answer_is_sent_whole_before_the_end),
        cmocka_unit_test(what_is_no_request_is_refused_and_ends_the_connection),
        cmocka_unit_test_setup_teardown(a_head_that_takes_too_long_is_answered_with_408, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(idle_connections_end, fixture_hold_clock, fixture_release_clock),
        cmocka_unit_test_setup_teardown(an_answer_that_nobody_reads_ends_the_connection, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(an_answer_that_is_read_slowly_arrives_whole, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_head_that_drips_gives_way_too, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_new_connection_takes_the_place_of_the_idlest, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test(connections_above_the_limit_are_closed_while_all_are_at_work),
        cmocka_unit_test(the_loop_ends_with_connections_of_all_kinds),
        cmocka_unit_test(without_files_a_page_says_how_to_get_them),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
