// Heads of requests: what is understood, what is refused with which status, at whatever byte they are split.
#include "net/http_head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct net_http_request request;

static int parse(const char *head)
{
    return net_http_parse(head, strlen(head), &request);
}

// With the fields every request needs.
static int parse_with(const char *fields)
{
    static char head[16384]; // the pieces point into it
    snprintf(head, sizeof head, "GET / HTTP/1.1\r\nHost: a\r\n%s\r\n", fields);
    return parse(head);
}

static void assert_text(struct net_http_text text, const char *expected)
{
    assert_non_null(text.data);
    if (!net_http_text_is(text, expected)) {
        fail_msg("\"%.*s\" is not \"%s\"", (int)text.size, text.data, expected);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Where a head ends

static enum net_http_scan scan(const char *data, size_t size, size_t piece, size_t *used)
{
    struct net_http_scanner scanner = {0};
    *used = 0;
    enum net_http_scan status = NET_HTTP_MORE;
    while (*used < size && status == NET_HTTP_MORE) {
        size_t left = size - *used, consumed = 0;
        status = net_http_scan_feed(&scanner, (const uint8_t *)data + *used, left < piece ? left : piece,
                                    &consumed);
        assert_true(consumed > 0);
        *used += consumed;
    }
    return status;
}

static void a_head_ends_at_its_empty_line_however_it_is_split(void **state)
{
    (void)state;
    static const char two[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n";
    for (size_t piece = 1; piece < sizeof two; piece++) {
        size_t used = 0;
        assert_int_equal(scan(two, sizeof two - 1, piece, &used), NET_HTTP_DONE);
        assert_int_equal(used, 27);
        assert_int_equal(scan(two, 26, piece, &used), NET_HTTP_MORE);
        assert_int_equal(used, 26);
    }
}

static void bytes_that_no_head_holds_end_the_scan_where_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t size, at;
    } cases[] = {
        {"GET /\n", 6, 6},      {"GET /\rx", 7, 7},  {"\n", 1, 1},
        {"GET /\0", 6, 6},      {"GET /\x7f", 6, 6}, {"\x94\x00\x01", 3, 2},
        {"GET /\x1b[2J", 9, 6}, {"a\r\r\n", 4, 3},   {"a: b\r\n\rc", 8, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t piece = 1; piece <= cases[i].size; piece++) {
            size_t used = 0;
            assert_int_equal(scan(cases[i].data, cases[i].size, piece, &used), NET_HTTP_BAD);
            assert_int_equal(used, cases[i].at);
        }
    }
}

static void a_head_of_8_kib_is_taken_and_none_above(void **state)
{
    (void)state;
    static char head[NET_HTTP_HEAD_MAX + 16];
    memset(head, 'a', sizeof head);
    size_t used = 0;
    assert_int_equal(scan(head, sizeof head, 1000, &used), NET_HTTP_TOO_LARGE);
    assert_int_equal(used, NET_HTTP_HEAD_MAX);
    memcpy(head + NET_HTTP_HEAD_MAX - 4, "\r\n\r\n", 4);
    assert_int_equal(scan(head, sizeof head, 1000, &used), NET_HTTP_DONE);
    assert_int_equal(used, NET_HTTP_HEAD_MAX);
}

// ---------------------------------------------------------------------------------------------------------
// The request line

static void a_request_line_gives_method_path_and_query(void **state)
{
    (void)state;
    assert_int_equal(parse("GET /a/b.js?x=1?y HTTP/1.1\r\nHost: h:1\r\n\r\n"), 0);
    assert_false(request.head_only);
    assert_text(request.path, "/a/b.js");
    assert_text(request.query, "x=1?y");
    assert_text(request.host, "h:1");
    assert_false(request.close);
    assert_null(request.origin.data);
    assert_int_equal(parse("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"), 0);
    assert_true(request.head_only);
    assert_text(request.path, "/");
    assert_int_equal(request.query.size, 0);
    // Nothing is decoded, so nothing can mean something else than it says.
    assert_int_equal(parse("GET /%2e%2e/../etc HTTP/1.1\r\nHost: h\r\n\r\n"), 0);
    assert_text(request.path, "/%2e%2e/../etc");
}

static void version_1_0_is_answered_once(void **state)
{
    (void)state;
    assert_int_equal(parse("GET / HTTP/1.0\r\n\r\n"), 0);
    assert_true(request.close);
    assert_int_equal(parse("GET / HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"), 0);
    assert_false(request.upgrade_websocket);
}

static void other_request_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int status;
    } cases[] = {
        {"POST / HTTP/1.1", 405},
        {"OPTIONS * HTTP/1.1", 405},
        {"get / HTTP/1.1", 405},
        {"PRI * HTTP/2.0", 505},
        {"GET / HTTP/2.0", 505},
        {"GET / HTTP/1.2", 505},
        {"GET / HTTP/0.9", 505},
        {"GET /", 400},
        {"GET", 400},
        {"", 400},
        {" GET / HTTP/1.1", 400},
        {"GET  / HTTP/1.1", 400},
        {"GET / HTTP/1.1 ", 400},
        {"GET /a b HTTP/1.1", 400},
        {"GET / http/1.1", 400},
        {"GET a HTTP/1.1", 400},
        {"GET http://h/ HTTP/1.1", 400},
        {"GET * HTTP/1.1", 400},
        {"GET /\xc3\xa4 HTTP/1.1", 400},
        {"GET /a#b HTTP/1.1", 400},
        {"G(T / HTTP/1.1", 400},
        {"CONNECT h:1 HTTP/1.1", 405},
        {"GET /\t HTTP/1.1", 400},
        {"GET / HTTP/11.1", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[128];
        snprintf(head, sizeof head, "%s\r\nHost: h\r\n\r\n", cases[i].line);
        if (parse(head) != cases[i].status) {
            fail_msg("\"%s\" is not refused with %d but %d", cases[i].line, cases[i].status, parse(head));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Fields

static void fields_are_found_in_any_case_and_trimmed(void **state)
{
    (void)state;
    assert_int_equal(
        parse("GET / HTTP/1.1\r\nhOsT:\t h \t\r\nORIGIN:http://o\r\nIf-None-Match: \"x\"\r\n"
              "sec-websocket-key: k\r\nSec-WebSocket-Version: 13\r\nX-Other: \xe9\r\nEmpty:\r\n\r\n"),
        0);
    assert_text(request.host, "h");
    assert_text(request.origin, "http://o");
    assert_text(request.if_none_match, "\"x\"");
    assert_text(request.websocket_key, "k");
    assert_int_equal(request.websocket_version, 13);
}

static void wrong_fields_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "no colon\r\n",
        ": x\r\n",
        "A : x\r\n",
        " folded\r\n",
        "A: b\r\n\tfolded: c\r\n",
        "A\x80: b\r\n",
        "Host: b\r\n",
        "Origin: a\r\nOrigin: b\r\n",
        "Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: a\r\n",
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n",
        "A(: b\r\n",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (parse_with(cases[i]) != 400) {
            fail_msg("\"%s\" is not refused", cases[i]);
        }
    }
    assert_int_equal(parse("GET / HTTP/1.1\r\n\r\n"), 400); // no Host
}

static void bodies_are_refused(void **state)
{
    (void)state;
    assert_int_equal(parse_with("Content-Length: 0\r\n"), 0);
    assert_int_equal(parse_with("Content-Length: 1\r\n"), 413);
    assert_int_equal(parse_with("Content-Length: 0\r\nContent-Length: 7\r\n"), 413);
    assert_int_equal(parse_with("Content-Length: +0\r\n"), 413);
    assert_int_equal(parse_with("Content-Length:\r\n"), 413);
    assert_int_equal(parse_with("Transfer-Encoding: chunked\r\n"), 413);
    assert_int_equal(parse_with("transfer-encoding: identity\r\n"), 413);
}

static void more_than_64_fields_are_refused(void **state)
{
    (void)state;
    char fields[NET_HTTP_FIELDS_MAX * 6 + 8] = "";
    for (int i = 1; i < NET_HTTP_FIELDS_MAX; i++) { // Host is one of them
        strcat(fields, "A: b\r\n");
    }
    assert_int_equal(parse_with(fields), 0);
    strcat(fields, "A: b\r\n");
    assert_int_equal(parse_with(fields), 431);
}

static void connection_and_upgrade_are_lists(void **state)
{
    (void)state;
    assert_int_equal(parse_with("Connection: keep-alive, Close\r\n"), 0);
    assert_true(request.close);
    assert_int_equal(parse_with("Connection: closed\r\n"), 0);
    assert_false(request.close);
    assert_int_equal(parse_with("Connection: keep-alive , Upgrade\r\nUpgrade: h2c, WebSocket\r\n"), 0);
    assert_true(request.upgrade_websocket);
    assert_int_equal(parse_with("Connection: Upgrade\r\nUpgrade: websockets\r\n"), 0);
    assert_false(request.upgrade_websocket);
    assert_int_equal(parse_with("Upgrade: websocket\r\n"), 0);
    assert_false(request.upgrade_websocket);
}

static void versions_that_are_no_small_numbers_are_none(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "13x", "-13", "13, 8", "0x0d", "99999", "4294967309"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char field[64];
        snprintf(field, sizeof field, "Sec-WebSocket-Version: %s\r\n", cases[i]);
        assert_int_equal(parse_with(field), 0);
        assert_int_not_equal(request.websocket_version, 13);
    }
}

static void gzip_is_accepted_where_it_is_named_and_not_weighed_out(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool gzip;
    } cases[] = {
        {"gzip", true},
        {"gzip, deflate, br", true},
        {"br;q=1.0, GZIP;q=0.8", true},
        {"*", true},
        {"deflate", false},
        {"", false},
        {"gzip;q=0", false},
        {"gzip; Q=0.000", false},
        {"gzip;q=0.001", true},
        {"*;q=0", false},
        {"*, gzip;q=0", false},
        {"xgzip", false},
        {"identity, *;q=0", false},
        {",,gzip", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char field[64];
        snprintf(field, sizeof field, "Accept-Encoding: %s\r\n", cases[i].value);
        assert_int_equal(parse_with(field), 0);
        if (request.gzip != cases[i].gzip) {
            fail_msg("\"%s\"", cases[i].value);
        }
    }
    assert_int_equal(parse_with(""), 0);
    assert_false(request.gzip);
}

static void tags_are_compared_weakly_in_lists(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        bool matches;
    } cases[] = {
        {"\"a\"", true}, {"W/\"a\"", true}, {"\"b\", \"a\"", true}, {"*", true},    {"\"b\"", false},
        {"a", false},    {"", false},       {"\"A\"", false},       {"\"a", false}, {"\"b\" , W/\"a\"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct net_http_text list = {cases[i].list, strlen(cases[i].list)};
        if (net_http_tag_matches(list, "\"a\"") != cases[i].matches) {
            fail_msg("%s", cases[i].list);
        }
    }
    assert_false(net_http_tag_matches((struct net_http_text){NULL, 0}, "\"a\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_ends_at_its_empty_line_however_it_is_split),
        cmocka_unit_test(bytes_that_no_head_holds_end_the_scan_where_they_stand),
        cmocka_unit_test(a_head_of_8_kib_is_taken_and_none_above),
        cmocka_unit_test(a_request_line_gives_method_path_and_query),
        cmocka_unit_test(version_1_0_is_answered_once),
        cmocka_unit_test(other_request_lines_are_refused),
        cmocka_unit_test(fields_are_found_in_any_case_and_trimmed),
        cmocka_unit_test(wrong_fields_are_refused),
        cmocka_unit_test(bodies_are_refused),
        cmocka_unit_test(more_than_64_fields_are_refused),
        cmocka_unit_test(connection_and_upgrade_are_lists),
        cmocka_unit_test(versions_that_are_no_small_numbers_are_none),
        cmocka_unit_test(gzip_is_accepted_where_it_is_named_and_not_weighed_out),
        cmocka_unit_test(tags_are_compared_weakly_in_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
