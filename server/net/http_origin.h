// Which pages may open a WebSocket here. A browser lets any page connect to any server and only says where
// the page came from, so it is the server that has to look (RFC 6455, 10.2).
#ifndef WEFT_NET_HTTP_ORIGIN_H
#define WEFT_NET_HTTP_ORIGIN_H

#include "net/http_head.h"

#include <stdbool.h>

// Whether a request may call the server by this name. Allowed are addresses, localhost, and names that the operator
// gave: those of hosts (net_host_list_valid) and of origins. A page of evil.example whose name was made to point here
// could read what is served otherwise: for the browser that page and this server are one.
bool net_host_allowed(struct net_http_text host, const char *hosts, const char *origins);

// Neither an address nor localhost.
bool net_host_is_name(struct net_http_text host);

// origin: what the browser says; one that is absent comes from no browser, and is allowed. Else it must be
//   the same as host (where the page was fetched from, which net_host_allowed has passed), or a loopback address or
//   localhost, or in the list.
// secure: the connection speaks TLS. A page of the same name that came without it may have been made by anybody on the
//   way, and is none of ours then; it has to be in the list like all others.
// list: origins as net_origin_list_valid (net.h) wants them.
bool net_origin_allowed(struct net_http_text origin, struct net_http_text host, const char *list,
                        bool secure);

#endif
