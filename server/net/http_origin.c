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

static bool in_list(const char *list, struct net_http_text wanted)
{
    while (list && *list) {
        size_t size = strcspn(list, ",");
        if (same(text_of(list, size), wanted)) {
            return true;
        }
        list += size;
        list += *list == ',';
    }
    return false;
}

// Whether it is the host of one of the origins, whatever the ports: a proxy may leave its own out.
static bool is_host_of(const char *list, const char *wanted)
{
    while (list && *list) {
        size_t size = strcspn(list, ",");
        char host[ORIGIN_HOST_MAX];
        if (host_copy(authority_of(text_of(list, size)), host) && strcasecmp(host, wanted) == 0) {
            return true;
        }
        list += size;
        list += *list == ',';
    }
    return false;
}

static bool list_valid(const char *list, bool (*valid)(struct net_http_text item))
{
    while (list && *list) {
        size_t size = strcspn(list, ",");
        if (!valid(text_of(list, size))) {
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

static bool origin_valid(struct net_http_text item)
{
    char host[ORIGIN_HOST_MAX];
    return host_copy(authority_of(item), host);
}

static bool host_valid(struct net_http_text item)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    return item.size > 0 && item.size < ORIGIN_HOST_MAX && strspn(item.data, letters) >= item.size;
}

bool net_origin_list_valid(const char *list)
{
    return list_valid(list, origin_valid);
}

bool net_host_list_valid(const char *list)
{
    return list_valid(list, host_valid);
}

bool net_host_allowed(struct net_http_text host, const char *hosts, const char *origins)
{
    char name[ORIGIN_HOST_MAX];
    bool loopback = false;
    return host_copy(host, name) &&
           (is_localhost(name) || is_address(name, &loopback) ||
            in_list(hosts, text_of(name, strlen(name))) || is_host_of(origins, name));
}

bool net_host_is_name(struct net_http_text host)
{
    char name[ORIGIN_HOST_MAX];
    bool loopback = false;
    return host_copy(host, name) && !is_localhost(name) && !is_address(name, &loopback);
}

static bool is_plain(struct net_http_text origin)
{
    static const char scheme[] = "http://";
    return origin.size >= sizeof scheme - 1 && strncasecmp(origin.data, scheme, sizeof scheme - 1) == 0;
}

bool net_origin_allowed(struct net_http_text origin, struct net_http_text host, const char *list, bool secure)
{
    if (!origin.data) {
        return true;
    }
    char name[ORIGIN_HOST_MAX];
    bool loopback = false;
    struct net_http_text authority = authority_of(origin);
    if (!host_copy(authority, name)) {
        return false;
    }
    return (same(authority, host) && !(secure && is_plain(origin))) || is_localhost(name) ||
           (is_address(name, &loopback) && loopback) || in_list(list, origin);
}
