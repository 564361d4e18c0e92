// Answers of HTTP: a head of our own, and a body that all connections that get it may share.
#include "net/net_internal.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { HTTP_ANSWER_HEAD_MAX = 2048 };

// Nothing but what comes from here may run, or be looked at, in the studio's page, and WebAssembly is what a script may make of
// bytes alone; and it stands in nobody's frame.
#define HTTP_POLICY                                                                                          \
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " \
    "style-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; base-uri 'none'; "           \
    "form-action 'none'; frame-ancestors 'none'\r\n"                                                         \
    "X-Content-Type-Options: nosniff\r\n"                                                                    \
    "Referrer-Policy: no-referrer\r\n"                                                                       \
    "Cross-Origin-Opener-Policy: same-origin\r\n"                                                            \
    "Cross-Origin-Embedder-Policy: require-corp\r\n"                                                         \
    "Cross-Origin-Resource-Policy: same-origin\r\n"

static const char *status_text(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 426:
        return "Upgrade Required";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "";
    }
}

struct lines {
    char text[HTTP_ANSWER_HEAD_MAX];
    size_t size;
};

static void add_line(struct lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(struct lines *lines, const char *format, ...)
{
    size_t room = sizeof lines->text - lines->size;
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(lines->text + lines->size, room, format, arguments);
    va_end(arguments);
    BASE_ASSERT(size >= 0 && (size_t)size < room); // nothing in it is the peer's
    lines->size += (size_t)size;
}

static void add_date(struct lines *lines)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        add_line(lines, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + 3 * utc.tm_wday,
                 utc.tm_mday, months + 3 * utc.tm_mon, utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                 utc.tm_sec);
    }
}

void net_http_send(struct net_conn *conn, const struct net_http_answer *answer, bool head_only)
{
    struct lines lines = {.size = 0};
    add_line(&lines, "HTTP/1.1 %d %s\r\nServer: weftd\r\n", answer->status, status_text(answer->status));
    add_date(&lines);
    if (answer->type) {
        add_line(&lines, "Content-Type: %s\r\n", answer->type);
    }
    if (answer->status != 304) {
        add_line(&lines, "Content-Length: %zu\r\n", answer->bytes ? answer->bytes->size : 0);
    }
    if (answer->encoded) {
        add_line(&lines, "Content-Encoding: gzip\r\n");
    }
    if (answer->varies) {
        add_line(&lines, "Vary: Accept-Encoding\r\n");
    }
    if (answer->tag) {
        add_line(&lines, "ETag: %s\r\n", answer->tag);
    }
    bool upgrade = answer->status == 426; // that is what is wanted here
    if (upgrade) {
        add_line(&lines, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    }
    if (upgrade || conn->http.last) {
        add_line(&lines, "Connection: %s%s%s\r\n", upgrade ? "Upgrade" : "",
                 upgrade && conn->http.last ? ", " : "", conn->http.last ? "close" : "");
    }
    // A promise for an address or for localhost would hold for everything else that is served there.
    if (conn->secure && conn->http.by_name) {
        add_line(&lines, "Strict-Transport-Security: max-age=31536000\r\n");
    }
    add_line(&lines, "Cache-Control: %s\r\n%s%s\r\n",
             answer->immutable ? "public, max-age=31536000, immutable"
             : answer->tag     ? "no-cache"
                               : "no-store",
             HTTP_POLICY, answer->more ? answer->more : "");
    struct base_buffer *head = base_buffer_create(lines.size, NULL);
    if (!head) {
        net_conn_close(conn, "the server has run out of memory");
        return;
    }
    memcpy(head->data, lines.text, lines.size);
    conn->http.answering = true;
    struct net_stats *stats = &conn->listener->stats;
    stats->http_requests++;
    stats->http_refused += answer->status >= 400;
    net_near_hold(conn, true);
    net_near_send(conn, head);
    if (answer->bytes && !head_only) {
        net_near_send(conn, answer->bytes);
    }
    base_buffer_unref(head);
}

void net_http_refuse(struct net_conn *conn, int status, bool head_only, const char *more, const char *text)
{
    size_t room = strlen(text) + 64;
    struct base_buffer *bytes = base_buffer_create(room, NULL);
    if (bytes) {
        int size = snprintf((char *)bytes->data, room, "%d %s: %s\n", status, status_text(status), text);
        bytes->size = (size_t)size < room ? (size_t)size : room - 1;
    }
    net_http_send(conn,
                  &(struct net_http_answer){
                      .status = status, .type = "text/plain; charset=utf-8", .bytes = bytes, .more = more},
                  head_only);
    base_buffer_unref(bytes);
}

static const char *refusal_text(int status)
{
    switch (status) {
    case 405:
        return "only GET and HEAD are served";
    case 408:
        return "the request did not come in whole in time";
    case 413:
        return "requests with a body are refused";
    case 431:
        return "the head of a request is at most 8 KiB and 64 fields";
    case 505:
        return "HTTP/1.1 is spoken here";
    default:
        return "this is no request of HTTP/1.1";
    }
}

void net_http_refuse_head(struct net_conn *conn, int status, bool head_only)
{
    conn->http.last = true;
    net_http_refuse(conn, status, head_only, status == 405 ? "Allow: GET, HEAD\r\n" : NULL,
                    refusal_text(status));
}
