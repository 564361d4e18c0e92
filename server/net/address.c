// Addresses as people write them: 127.0.0.1:9338, [::1]:0, localhost:9338.
//
// "localhost" is 127.0.0.1 here and never asked of a resolver, so that what net_address_is_loopback promises
// is what is bound. Other names are resolved at once, IPv4 first: this blocks, and is for the start.
#include "net/net_internal.h"

#include <ctype.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { ADDRESS_HOST_MAX = 256 };

struct address_text {
    char host[ADDRESS_HOST_MAX];
    bool bracketed;
    uint16_t port;
};

static const char *port_parse(const char *text, uint16_t *port)
{
    size_t length = strlen(text);
    if (length == 0) {
        return "the port is missing; write ADDR:PORT";
    }
    if (length > 5 || strspn(text, "0123456789") != length) {
        return "the port is not a number from 0 to 65535";
    }
    unsigned value = 0;
    for (const char *digit = text; *digit; digit++) {
        value = value * 10 + (unsigned)(*digit - '0');
    }
    if (value > UINT16_MAX) {
        return "the port is not a number from 0 to 65535";
    }
    *port = (uint16_t)value;
    return NULL;
}

static const char *address_split(const char *text, struct address_text *parts)
{
    const char *host = text;
    const char *host_end;
    const char *port;
    parts->bracketed = text[0] == '[';
    if (parts->bracketed) {
        host++;
        host_end = strchr(host, ']');
        if (!host_end || host_end[1] != ':') {
            return "an IPv6 address is written [ADDR]:PORT";
        }
        port = host_end + 2;
    } else {
        host_end = strrchr(text, ':');
        if (!host_end) {
            return "the port is missing; write ADDR:PORT";
        }
        if (strchr(text, ':') != host_end) {
            return "an IPv6 address is written [ADDR]:PORT";
        }
        port = host_end + 1;
    }
    size_t length = (size_t)(host_end - host);
    if (length == 0) {
        return "the address is missing; write ADDR:PORT, and 0.0.0.0 for all interfaces";
    }
    if (length >= sizeof parts->host) {
        return "the address is too long";
    }
    memcpy(parts->host, host, length);
    parts->host[length] = 0;
    return port_parse(port, &parts->port);
}

static const char *address_resolve(const struct address_text *parts, struct sockaddr_storage *address)
{
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)parts->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    if (getaddrinfo(parts->host, service, &hints, &found) != 0 || !found) {
        return "the address is neither numeric nor a name that can be resolved";
    }
    const struct addrinfo *best = found;
    for (const struct addrinfo *one = found; one; one = one->ai_next) {
        if (one->ai_family == AF_INET) {
            best = one;
            break;
        }
    }
    memcpy(address, best->ai_addr, best->ai_addrlen);
    freeaddrinfo(found);
    return NULL;
}

// Numbers and "localhost"; false for what would have to be resolved.
static bool address_numeric(const struct address_text *parts, struct sockaddr_storage *address)
{
    const char *host = strcasecmp(parts->host, "localhost") == 0 ? "127.0.0.1" : parts->host;
    if (parts->bracketed) {
        return uv_ip6_addr(host, parts->port, (struct sockaddr_in6 *)address) == 0;
    }
    return uv_ip4_addr(host, parts->port, (struct sockaddr_in *)address) == 0;
}

const char *net_address_parse(const char *text, struct sockaddr_storage *address)
{
    memset(address, 0, sizeof *address);
    struct address_text parts;
    const char *wrong = address_split(text, &parts);
    if (wrong || address_numeric(&parts, address)) {
        return wrong;
    }
    if (parts.bracketed) {
        return "what stands in brackets is not an IPv6 address";
    }
    return address_resolve(&parts, address);
}

const char *net_address_parse_numeric(const char *text, struct sockaddr_storage *address)
{
    memset(address, 0, sizeof *address);
    struct address_text parts;
    const char *wrong = address_split(text, &parts);
    return wrong || address_numeric(&parts, address) ? wrong : "the address is no number";
}

bool net_address_is_loopback(const char *address)
{
    struct address_text parts;
    struct sockaddr_storage numeric = {0};
    if (address_split(address, &parts) || !address_numeric(&parts, &numeric)) {
        return false;
    }
    if (numeric.ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&numeric;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)&numeric)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
}

uint64_t net_address_origin(const struct sockaddr *address, bool *loopback)
{
    uint32_t four;
    *loopback = false;
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
        if (!IN6_IS_ADDR_V4MAPPED(six)) {
            uint64_t network; // a customer has a whole one
            memcpy(&network, six, sizeof network);
            *loopback = IN6_IS_ADDR_LOOPBACK(six);
            return network;
        }
        memcpy(&four, &six->s6_addr[12], sizeof four);
    } else {
        four = ((const struct sockaddr_in *)address)->sin_addr.s_addr;
    }
    *loopback = ntohl(four) >> 24 == 127;
    return UINT64_MAX - four; // no network of IPv6 begins with 32 ones
}

void net_address_format(const struct sockaddr *address, char *out, size_t size)
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        uv_ip4_name(v4, host, sizeof host);
        snprintf(out, size, "%s:%u", host, (unsigned)ntohs(v4->sin_port));
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        uv_ip6_name(v6, host, sizeof host);
        snprintf(out, size, "[%s]:%u", host, (unsigned)ntohs(v6->sin6_port));
    } else {
        snprintf(out, size, "?");
    }
}

enum net_peer net_address_look(int file)
{
#ifdef TCP_INFO
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
        return info.tcpi_state == TCP_CLOSE        ? NET_PEER_GONE
               : info.tcpi_state == TCP_CLOSE_WAIT ? NET_PEER_ENDED
                                                   : NET_PEER_THERE;
    }
#endif
    (void)file;
    return NET_PEER_THERE;
}
