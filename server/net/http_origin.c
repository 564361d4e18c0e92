#include "net/http_origin.h"

#include "net/net.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { ORIGIN_HOST_MAX = 256 };

static struct net_http_text text_of(const char *data, size_t size)
{
    return (struct net_http_text){data, size};
}

static bool same(struct net_http_text a, struct net_http_text b)
{
    return a.size == b.size && a.size > 0 && strncasecmp(a.data, b.data, a.size) == 0;
}

// HOST[:PORT] of scheme://HOST[:PORT]; empty where it is no origin ("null" is one of those).
static struct net_http_text authority_of(struct net_http_text origin)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t length = strlen(schemes[i]);
        if (origin.size <= length || strncasecmp(origin.data, schemes[i], length) != 0) {
            continue;
        }
        struct net_http_text authority = text_of(origin.data + length, origin.size - length);
        for (size_t at = 0; at < authority.size; at++) {
            char letter = authority.data[at];
            if (letter <= ' ' || letter > '~' || strchr("/?#@\\,", letter)) {
                return text_of(NULL, 0);
            }
        }
        return authority;
    }
    return text_of(NULL, 0);
}

// The host without its port, and without the brackets of IPv6. False if it is too long to be one.
static bool host_copy(struct net_http_text authority, char out[ORIGIN_HOST_MAX])
{
    const char *data = authority.data;
    size_t size = authority.size;
    if (size > 0 && data[0] == '[') {
        const char *end = memchr(data, ']', size);
        if (!end) {
            return false;
        }
        data++;
        size = (size_t)(end - data);
    } else {
        const char *colon = size > 0 ? memchr(data, ':', size) : NULL;
        size = colon ? (size_t)(colon - data) : size;
    }
    if (size == 0 || size >= ORIGIN_HOST_MAX) {
        return false;
    }
    memcpy(out, data, size);
    out[size] = 0;
    return true;
}

static bool is_localhost(const char *host)
{
    static const char under[] = ".localhost";
    size_t length = strlen(host), tail = sizeof under - 1;
    return strcasecmp(host, "localhost") == 0 ||
           (length > tail && strcasecmp(host + length - tail, under) == 0);
}

static bool is_address(const char *host, bool *loopback)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, host, &four) == 1) {
        *loopback = ntohl(four.s_addr) >> 24 == 127;
        return true;
    }
    if (inet_pton(AF_INET6, host, &six) == 1) {
        *loopback = IN6_IS_ADDR_LOOPBACK(&six);
        return true;
    }
    return false;
}

static bool in_list(const char *list, struct net_http_text wanted, bool authority_only)
{
    while (list && *list) {
        size_t size = strcspn(list, ",");
        struct net_http_text item = text_of(list, size);
        if (same(authority_only ? authority_of(item) : item, wanted)) {
            return true;
        }
        list += size;
        list += *list == ',';
    }
    return false;
}

bool net_origin_list_valid(const char *list)
{
    while (list && *list) {
        size_t size = strcspn(list, ",");
        char host[ORIGIN_HOST_MAX];
        if (!host_copy(authority_of(text_of(list, size)), host)) {
            return false;
        }
        list += size;
        if (*list == ',' && list[1] == 0) {
            return false;
        }
        list += *list == ',';
    }
    return true;
}

bool net_origin_allowed(struct net_http_text origin, struct net_http_text host, bool loopback_only,
                        const char *list)
{
    if (!origin.data) {
        return true;
    }
    char name[ORIGIN_HOST_MAX];
    bool loopback = false;
    if (loopback_only && !(host_copy(host, name) && (is_localhost(name) || is_address(name, &loopback))) &&
        !in_list(list, host, true)) {
        return false;
    }
    struct net_http_text authority = authority_of(origin);
    if (!host_copy(authority, name)) {
        return false;
    }
    return same(authority, host) || is_localhost(name) || (is_address(name, &loopback) && loopback) ||
           in_list(list, origin, false);
}
