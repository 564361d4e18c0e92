// Heads of HTTP/1.1 requests (RFC 9110, 9112), strictly, and without sockets.
//
// Only what a browser sends is understood: GET and HEAD, a path from the root, no body. Everything else is
// refused with the status that says so. Lines end in CR LF; a lone LF, a control character, a folded line or
// a blank before a colon is no matter of taste here but a way of smuggling, and ends the connection.
#ifndef WEFT_NET_HTTP_HEAD_H
#define WEFT_NET_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_HTTP_HEAD_MAX = 8192, // bytes of a head, the empty line at its end included
    NET_HTTP_FIELDS_MAX = 64,
};

enum net_http_scan {
    NET_HTTP_MORE,
    NET_HTTP_DONE,      // the head ends at the byte consumed last
    NET_HTTP_BAD,       // a byte that no head holds
    NET_HTTP_TOO_LARGE, // NET_HTTP_HEAD_MAX is passed
};

// Finds the end of a head, looking at each byte once. Zeroed at first, and after DONE.
struct net_http_scanner {
    size_t used;     // bytes of the head so far
    uint8_t matched; // of CR LF CR LF
};
enum net_http_scan net_http_scan_feed(struct net_http_scanner *scanner, const uint8_t *data, size_t size,
                                      size_t *consumed);

// A piece of the head; NULL and 0 where there is none.
struct net_http_text {
    const char *data;
    size_t size;
};

struct net_http_request {
    bool head_only;             // HEAD
    struct net_http_text path;  // begins with /; nothing is decoded
    struct net_http_text query; // behind ?
    struct net_http_text host;
    struct net_http_text origin;
    struct net_http_text if_none_match;
    struct net_http_text websocket_key;
    uint32_t websocket_version; // 0 where none is given
    bool close;                 // the peer wants no other answer on this connection
    bool gzip;                  // it can read that
    bool upgrade_websocket;     // Upgrade: websocket, and Connection says so
};

// head ends with its empty line. Returns 0, or the status to refuse it with; then only head_only is good.
// The pieces point into head.
int net_http_parse(const char *head, size_t size, struct net_http_request *request);

// Is this one of a list of entity tags, or is the list *? (RFC 9110, 8.8.3.2: weakly)
bool net_http_tag_matches(struct net_http_text list, const char *tag);

bool net_http_text_is(struct net_http_text text, const char *word);      // as it stands
bool net_http_text_is_like(struct net_http_text text, const char *word); // letters of either case

#endif
