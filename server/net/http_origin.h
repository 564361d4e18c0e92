// Which pages may open a WebSocket here. A browser lets any page connect to any server and only says where
// the page came from, so it is the server that has to look (RFC 6455, 10.2).
#ifndef WEFT_NET_HTTP_ORIGIN_H
#define WEFT_NET_HTTP_ORIGIN_H

#include "net/http_head.h"

#include <stdbool.h>

// origin: what the browser says; one that is absent comes from no browser, and is allowed. Else it must be
//   the same as host (where the page was fetched from), or a loopback address or localhost, or in the list.
// On a server that only loopback reaches (loopback_only), host itself must be an address, localhost, or of
// the
//   list: a page of evil.example whose name was made to point at 127.0.0.1 is of the same origin otherwise.
// list: origins as net_origin_list_valid (net.h) wants them.
bool net_origin_allowed(struct net_http_text origin, struct net_http_text host, bool loopback_only,
                        const char *list);

#endif
