// A head is three kinds of line, taken apart in place:
//
//     request-line   GET /path?query HTTP/1.1
//     field-line     Name: value
//     end            (empty)
#include "net/http_head.h"

#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------------------------------------
// Where it ends

enum net_http_scan net_http_scan_feed(struct net_http_scanner *scanner, const uint8_t *data, size_t size,
                                      size_t *consumed)
{
    static const uint8_t end[4] = {'\r', '\n', '\r', '\n'};
    for (size_t at = 0; at < size; at++) {
        *consumed = at + 1;
        uint8_t byte = data[at];
        bool after_cr = scanner->matched % 2 == 1;
        if (after_cr != (byte == '\n') || (byte < ' ' && byte != '\r' && byte != '\n' && byte != '\t') ||
            byte == 0x7f) {
            return NET_HTTP_BAD;
        }
        scanner->matched = byte == end[scanner->matched] ? (uint8_t)(scanner->matched + 1)
                           : byte == '\r'                ? 1
                                                         : 0;
        scanner->used++;
        if (scanner->matched == sizeof end) {
            return NET_HTTP_DONE;
        }
        if (scanner->used == NET_HTTP_HEAD_MAX) {
            return NET_HTTP_TOO_LARGE;
        }
    }
    *consumed = size;
    return NET_HTTP_MORE;
}

// ---------------------------------------------------------------------------------------------------------
// Words

bool net_http_text_is(struct net_http_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

bool net_http_text_is_like(struct net_http_text text, const char *word)
{
    return text.size == strlen(word) && strncasecmp(text.data, word, text.size) == 0;
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

// A letter of a token (RFC 9110, 5.6.2).
static bool is_token(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= 'a' && letter <= 'z') || (letter && strchr("!#$%&'*+-.^_`|~", letter));
}

static struct net_http_text trim(struct net_http_text text)
{
    while (text.size > 0 && is_blank(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.data[text.size - 1])) {
        text.size--;
    }
    return text;
}

// Takes what stands before the first separator off the front of rest; all of it where there is none.
static struct net_http_text cut(struct net_http_text *rest, char separator)
{
    const char *found = rest->size > 0 ? memchr(rest->data, separator, rest->size) : NULL;
    struct net_http_text piece = {rest->data, found ? (size_t)(found - rest->data) : rest->size};
    size_t skip = piece.size + (found ? 1 : 0);
    rest->data = rest->size > 0 ? rest->data + skip : rest->data;
    rest->size -= skip;
    return piece;
}

static bool list_has(struct net_http_text list, const char *word)
{
    while (list.size > 0) {
        if (net_http_text_is_like(trim(cut(&list, ',')), word)) {
            return true;
        }
    }
    return false;
}

// Weight 0 means "not this one": q=0, q=0.0, q=0.000
static bool weight_is_zero(struct net_http_text parameter)
{
    parameter = trim(parameter);
    if (parameter.size < 3 || (parameter.data[0] | 0x20) != 'q' || parameter.data[1] != '=') {
        return false;
    }
    for (size_t i = 2; i < parameter.size; i++) {
        if (parameter.data[i] != '0' && parameter.data[i] != '.') {
            return false;
        }
    }
    return true;
}

// Reads Accept-Encoding: gzip by name counts more than *.
static bool accepts_gzip(struct net_http_text list)
{
    bool star = false;
    while (list.size > 0) {
        struct net_http_text rest = cut(&list, ',');
        struct net_http_text coding = trim(cut(&rest, ';'));
        bool wanted = !weight_is_zero(rest);
        if (net_http_text_is_like(coding, "gzip")) {
            return wanted;
        }
        if (net_http_text_is_like(coding, "*")) {
            star = wanted;
        }
    }
    return star;
}

bool net_http_tag_matches(struct net_http_text list, const char *tag)
{
    while (list.size > 0) {
        struct net_http_text item = trim(cut(&list, ','));
        if (item.size > 2 && item.data[0] == 'W' && item.data[1] == '/') {
            item.data += 2;
            item.size -= 2;
        }
        if (net_http_text_is(item, tag) || net_http_text_is(item, "*")) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// The request line

static int parse_target(struct net_http_text target, struct net_http_request *request)
{
    if (target.size == 0 || target.data[0] != '/') {
        return 400;
    }
    for (size_t i = 0; i < target.size; i++) {
        if (target.data[i] <= ' ' || target.data[i] > '~' || target.data[i] == '#') {
            return 400;
        }
    }
    request->path = cut(&target, '?');
    request->query = target;
    return 0;
}

static int parse_request_line(struct net_http_text line, struct net_http_request *request, bool *is_1_0)
{
    struct net_http_text method = cut(&line, ' ');
    struct net_http_text target = cut(&line, ' ');
    for (size_t i = 0; i < method.size; i++) {
        if (!is_token(method.data[i])) {
            return 400;
        }
    }
    if (method.size == 0 || line.size != 8 || memcmp(line.data, "HTTP/", 5) != 0 || line.data[6] != '.') {
        return 400;
    }
    *is_1_0 = net_http_text_is(line, "HTTP/1.0");
    if (!*is_1_0 && !net_http_text_is(line, "HTTP/1.1")) {
        return 505;
    }
    request->head_only = net_http_text_is(method, "HEAD");
    if (!request->head_only && !net_http_text_is(method, "GET")) {
        return 405;
    }
    return parse_target(target, request);
}

// ---------------------------------------------------------------------------------------------------------
// Fields

struct fields {
    struct net_http_request *request;
    bool connection_upgrade, upgrade_websocket;
    uint32_t hosts, keys, versions, origins;
};

// More digits than these need are no version that anybody speaks.
static uint32_t small_number(struct net_http_text text)
{
    uint32_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || i > 3) {
            return UINT32_MAX;
        }
        value = value * 10 + (uint32_t)(text.data[i] - '0');
    }
    return text.size > 0 ? value : UINT32_MAX;
}

static bool all_zeros(struct net_http_text text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '0') {
            return false;
        }
    }
    return text.size > 0;
}

static int take_field(struct fields *fields, struct net_http_text name, struct net_http_text value)
{
    struct net_http_request *request = fields->request;
    if (net_http_text_is_like(name, "host")) {
        request->host = value;
        fields->hosts++;
    } else if (net_http_text_is_like(name, "transfer-encoding")) {
        return 413;
    } else if (net_http_text_is_like(name, "content-length")) {
        return all_zeros(value) ? 0 : 413;
    } else if (net_http_text_is_like(name, "connection")) {
        request->close = request->close || list_has(value, "close");
        fields->connection_upgrade = fields->connection_upgrade || list_has(value, "upgrade");
    } else if (net_http_text_is_like(name, "upgrade")) {
        fields->upgrade_websocket = fields->upgrade_websocket || list_has(value, "websocket");
    } else if (net_http_text_is_like(name, "accept-encoding")) {
        request->gzip = accepts_gzip(value);
    } else if (net_http_text_is_like(name, "if-none-match")) {
        request->if_none_match = value;
    } else if (net_http_text_is_like(name, "origin")) {
        request->origin = value;
        fields->origins++;
    } else if (net_http_text_is_like(name, "sec-websocket-key")) {
        request->websocket_key = value;
        fields->keys++;
    } else if (net_http_text_is_like(name, "sec-websocket-version")) {
        request->websocket_version = small_number(value);
        fields->versions++;
    }
    return 0;
}

static int parse_field_line(struct net_http_text line, struct fields *fields)
{
    struct net_http_text value = line;
    struct net_http_text name = cut(&value, ':');
    if (name.size == 0 || name.size == line.size) {
        return 400; // folded, or without a colon
    }
    for (size_t i = 0; i < name.size; i++) {
        if (!is_token(name.data[i])) {
            return 400;
        }
    }
    return take_field(fields, name, trim(value));
}

// The line without its end, which the scanner has seen to be there.
static struct net_http_text next_line(struct net_http_text *rest)
{
    struct net_http_text line = cut(rest, '\n');
    if (line.size > 0) {
        line.size--;
    }
    return line;
}

int net_http_parse(const char *head, size_t size, struct net_http_request *request)
{
    memset(request, 0, sizeof *request);
    struct net_http_text rest = {head, size};
    bool is_1_0 = false;
    int status = parse_request_line(next_line(&rest), request, &is_1_0);
    if (status) {
        return status;
    }
    struct fields fields = {.request = request};
    for (uint32_t count = 0; rest.size > 0; count++) {
        struct net_http_text line = next_line(&rest);
        if (line.size == 0) {
            break;
        }
        if (count == NET_HTTP_FIELDS_MAX) {
            return 431;
        }
        status = parse_field_line(line, &fields);
        if (status) {
            return status;
        }
    }
    if (fields.hosts > 1 || (fields.hosts == 0 && !is_1_0) || fields.keys > 1 || fields.versions > 1 ||
        fields.origins > 1) {
        return 400;
    }
    request->close = request->close || is_1_0;
    request->upgrade_websocket = fields.upgrade_websocket && fields.connection_upgrade && !is_1_0;
    return 0;
}
