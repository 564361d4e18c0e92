// Heads of requests: cuts change nothing, and what the parser gives out lies within the head and is as
// promised. The first byte of the input chooses the size of the pieces, the rest is what a peer sends.
#include "fuzz.h"

#include "net/http_head.h"
#include "net/http_origin.h"

#include <string.h>

static enum net_http_scan scan_pieces(const uint8_t *data, size_t size, size_t piece, size_t *end)
{
    struct net_http_scanner scanner = {0};
    enum net_http_scan status = NET_HTTP_MORE;
    *end = 0;
    while (*end < size && status == NET_HTTP_MORE) {
        size_t count = piece < size - *end ? piece : size - *end, consumed = 0;
        status = net_http_scan_feed(&scanner, data + *end, count, &consumed);
        FUZZ_ASSERT(consumed > 0 && consumed <= count);
        FUZZ_ASSERT(status != NET_HTTP_MORE || consumed == count);
        *end += consumed;
        FUZZ_ASSERT(*end <= NET_HTTP_HEAD_MAX);
    }
    return status;
}

static void check_text(struct net_http_text text, const char *head, size_t size)
{
    FUZZ_ASSERT(text.size == 0 || (text.data >= head && text.data + text.size <= head + size));
    FUZZ_ASSERT(text.size == 0 || (!memchr(text.data, '\n', text.size) && !memchr(text.data, 0, text.size)));
}

static void check_request(const char *head, size_t size)
{
    struct net_http_request request;
    int status = net_http_parse(head, size, &request);
    FUZZ_ASSERT(status == 0 || status == 400 || status == 405 || status == 413 || status == 431 ||
                status == 505);
    if (status) {
        return;
    }
    const struct net_http_text texts[] = {request.path,   request.query,         request.host,
                                          request.origin, request.if_none_match, request.websocket_key};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_text(texts[i], head, size);
    }
    FUZZ_ASSERT(request.path.size > 0 && request.path.data[0] == '/');
    FUZZ_ASSERT(!memchr(request.path.data, '?', request.path.size));
    FUZZ_ASSERT(memcmp(head, request.head_only ? "HEAD /" : "GET /", request.head_only ? 6 : 5) == 0);
    net_http_tag_matches(request.if_none_match, "\"0123456789abcdef\"");
    // Names and origins that are given only add to what is allowed.
    static const char list[] = "https://sim.example.org,http://10.0.0.7:8080";
    FUZZ_ASSERT(!net_origin_allowed(request.origin, request.host, NULL, false) ||
                net_origin_allowed(request.origin, request.host, list, false));
    FUZZ_ASSERT(!net_host_allowed(request.host, NULL, NULL) ||
                net_host_allowed(request.host, "a,b.example", list));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    size_t whole_end, piece_end, drip_end;
    enum net_http_scan whole = scan_pieces(data + 1, size - 1, size, &whole_end);
    FUZZ_ASSERT(scan_pieces(data + 1, size - 1, 1u + data[0], &piece_end) == whole && piece_end == whole_end);
    FUZZ_ASSERT(scan_pieces(data + 1, size - 1, 1, &drip_end) == whole && drip_end == whole_end);
    if (whole == NET_HTTP_DONE) {
        // Exactly as large as the head, so that a sanitizer sees who reads past its end.
        char *head = malloc(whole_end);
        FUZZ_ASSERT(head != NULL);
        memcpy(head, data + 1, whole_end);
        check_request(head, whole_end);
        free(head);
    }
    return 0;
}
