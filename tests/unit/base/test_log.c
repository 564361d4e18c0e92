// What a log line looks like, and that a peer's bytes cannot break out of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_lines_escape_control_bytes),
        cmocka_unit_test(json_lines_escape_quotes_too),
        cmocka_unit_test(levels_above_the_chosen_one_are_silent),
        cmocka_unit_test(long_text_is_cut_and_still_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
