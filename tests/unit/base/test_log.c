// The form of a log line. A peer's bytes cannot break out of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char captured[65536];

struct capture {
    int stderr_before;
    int read_end;
};

static void capture_begin(struct capture *capture)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    capture->stderr_before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    capture->read_end = ends[0];
}

// Everything written since; lines here are shorter than what a pipe holds.
static const char *capture_end(struct capture *capture)
{
    dup2(capture->stderr_before, STDERR_FILENO);
    close(capture->stderr_before);
    size_t used = 0;
    ssize_t got;
    while ((got = read(capture->read_end, captured + used, sizeof captured - 1 - used)) > 0) {
        used += (size_t)got;
    }
    close(capture->read_end);
    captured[used] = 0;
    return captured;
}

static const char hostile[] = "a\"b\\c\nd\te\x1b[2J\x7f"
                              "f\xff\xc3\xa4\xc0\xaf\xed\xa0\x80\xe2\x82\xac\xc2\x9bg\xf0\x9f\x98";

static void plain_lines_escape_control_bytes(void **state)
{
    (void)state;
    struct capture capture;
    base_log_set(BASE_LOG_INFO, false);
    capture_begin(&capture);
    base_log(BASE_LOG_WARN, "%s %d", hostile, 5);
    const char *line = capture_end(&capture);
    assert_string_equal(line, "warn: a\"b\\c\\u000ad\\u0009e\\u001b[2J\\u007ff"
                              "\xef\xbf\xbd"
                              "\xc3\xa4"
                              "\xef\xbf\xbd\xef\xbf\xbd"
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                              "\xe2\x82\xac"
                              "\\u009bg"
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd 5\n");
}

static void json_lines_escape_quotes_too(void **state)
{
    (void)state;
    struct capture capture;
    base_log_set(BASE_LOG_INFO, true);
    capture_begin(&capture);
    base_log(BASE_LOG_ERROR, "%.9s", hostile);
    const char *line = capture_end(&capture);
    base_log_set(BASE_LOG_INFO, false);
    // {"time":"2026-01-31T12:00:00.123Z","level":...
    assert_memory_equal(line, "{\"time\":\"2", 10);
    const char *rest = strstr(line, "Z\"");
    assert_non_null(rest);
    assert_int_equal(rest - line, 32);
    assert_string_equal(rest, "Z\",\"level\":\"error\",\"text\":\"a\\\"b\\\\c\\u000ad\\u0009e\"}\n");
}

static void levels_above_the_chosen_one_are_silent(void **state)
{
    (void)state;
    struct capture capture;
    base_log_set(BASE_LOG_WARN, false);
    assert_true(base_log_on(BASE_LOG_WARN));
    assert_false(base_log_on(BASE_LOG_INFO));
    capture_begin(&capture);
    base_log(BASE_LOG_INFO, "not this");
    base_log(BASE_LOG_ERROR, "this");
    const char *line = capture_end(&capture);
    base_log_set(BASE_LOG_INFO, false);
    assert_string_equal(line, "error: this\n");
}

static void long_text_is_cut_and_still_one_line(void **state)
{
    (void)state;
    char *text = malloc(20001);
    memset(text, 1, 20000);
    text[20000] = 0;
    struct capture capture;
    base_log_set(BASE_LOG_INFO, true);
    capture_begin(&capture);
    base_log(BASE_LOG_INFO, "%s", text);
    const char *line = capture_end(&capture);
    base_log_set(BASE_LOG_INFO, false);
    size_t length = strlen(line);
    assert_true(length > 6 * 1000);
    assert_string_equal(line + length - 9, "\\u0001\"}\n");
    free(text);
}

#define KINDS(line)                                                                                        \
    line(1) line(2) line(3) line(4) line(5) line(6) line(7) line(8) line(9) line(10) line(11) line(12)     \
        line(13) line(14) line(15) line(16) line(17) line(18) line(19) line(20) line(21) line(22) line(23) \
            line(24)

// A pipe takes 64 KiB, the ring 256, and what the writer has in its hands 64; what comes is 480. A line that waited for
// a reader would wait for good, and so would a failure that is told while nobody reads.
static void who_reads_nothing_makes_nobody_wait(void **state)
{
    (void)state;
    static char text[1001];
    memset(text, 'x', sizeof text - 1);
    struct capture capture;
    uint64_t before = base_log_dropped();
    capture_begin(&capture);
    alarm(60); // ends the test that hangs
    assert_true(base_log_start());
    for (int i = 0; i < 20; i++) {
#define LINE(kind) base_log(BASE_LOG_WARN, "kind " #kind ": %s", text);
        KINDS(LINE)
#undef LINE
    }
    uint64_t lost = base_log_dropped() - before;
    base_log_stop(50); // nobody reads on
    alarm(0);
    // The thread hangs in its write until it finds a reader.
    struct pollfd readable = {.fd = capture.read_end, .events = POLLIN};
    size_t used = 0;
    while (poll(&readable, 1, 500) == 1) {
        ssize_t got = read(capture.read_end, captured + used % 4096, 4096);
        used += got > 0 ? (size_t)got : 0;
        if (got <= 0) {
            break;
        }
    }
    base_log_stop(10000);
    dup2(capture.stderr_before, STDERR_FILENO);
    close(capture.stderr_before);
    close(capture.read_end);
    assert_in_range(lost, 50, 300);
    assert_in_range(used, 64 * 1024, 512 * 1024);
}

static uint32_t count_of(const char *text, const char *wanted)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at++) {
        count++;
    }
    return count;
}

static void a_kind_of_line_is_written_so_often_a_second_and_the_rest_counted(void **state)
{
    (void)state;
    struct capture capture;
    capture_begin(&capture);
    assert_true(base_log_start());
    for (int i = 0; i < 1000; i++) {
        base_log(BASE_LOG_WARN, "session %d is refused", i);
    }
    base_log(BASE_LOG_WARN, "another");
    base_log_stop(10000);
    const char *lines = capture_end(&capture);
    // Twice as many where a second passes meanwhile.
    uint32_t written = count_of(lines, "warn: session ");
    assert_in_range(written, 20, 60);
    assert_int_equal(count_of(lines, "warn: another\n"), 1);
    assert_true(count_of(lines, " more like this within a second: session ") >= 1);
    if (written == 20) {
        assert_non_null(strstr(lines, "warn: 980 more like this within a second: session 20 is refused\n"));
    }
}

static void lines_of_the_writer_are_all_there_in_order(void **state)
{
    (void)state;
    struct capture capture;
    capture_begin(&capture);
    assert_true(base_log_start());
    base_log(BASE_LOG_INFO, "one");
    base_log(BASE_LOG_ERROR, "two");
    base_log_stop(10000);
    base_log(BASE_LOG_INFO, "three"); // by itself again
    assert_string_equal(capture_end(&capture), "info: one\nerror: two\ninfo: three\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_lines_escape_control_bytes),
        cmocka_unit_test(json_lines_escape_quotes_too),
        cmocka_unit_test(levels_above_the_chosen_one_are_silent),
        cmocka_unit_test(long_text_is_cut_and_still_one_line),
        cmocka_unit_test(lines_of_the_writer_are_all_there_in_order),
        cmocka_unit_test(a_kind_of_line_is_written_so_often_a_second_and_the_rest_counted),
        cmocka_unit_test(who_reads_nothing_makes_nobody_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
