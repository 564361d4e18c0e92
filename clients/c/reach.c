// How a server is reached, without a socket. See reach.h.
#include "reach.h"
#include "follow.h"
#include "line.h"
#include "outbox.h"
#include "receive.h"
#include "secure.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void weft_reach_fail(struct weft_client *client, const char *what, const char *why)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "%s %s: %s", what, client->address, why);
    client->transport->lose(client, &error);
}

void weft_reach_fail_for(struct weft_client *client, const struct weft_error *error)
{
    const struct weft_error said = *error;
    if (client->last_words[0]) {
        weft_reach_ended(client, NULL);
    } else {
        client->transport->lose(client, &said);
    }
}

void weft_reach_ended(struct weft_client *client, const char *why)
{
    struct weft_error error;
    if (client->secure && !client->connected) {
        weft_fail(&error, WEFT_KIND_TRANSPORT, "TLS", "the server at %s ended it before TLS began: %s",
                  client->address, why ? why : "it hung up");
    } else if (client->last_words[0]) {
        weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the server at %s closed the connection: %s",
                  client->address, client->last_words);
    } else if (why) {
        weft_reach_fail(client, "lost the connection to", why);
        return;
    } else {
        weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the server at %s closed the connection",
                  client->address);
    }
    client->transport->lose(client, &error);
}

// ---------------------------------------------------------------------------------------------------------
// Addresses, one after the other

static void forget(struct weft_route *route)
{
    if (route->found) {
        freeaddrinfo(route->found);
    }
    route->found = NULL;
    route->target = NULL;
}

static void undial(struct weft_client *client)
{
    client->transport->shut(client, WEFT_THERE);
    forget(&client->routes[WEFT_THERE]);
}

static void not_reached(struct weft_client *client, enum weft_side side)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CONNECT", "cannot connect to %s: %s",
              side == WEFT_HERE ? client->address : client->follow.there, client->routes[side].why);
    if (side == WEFT_HERE) {
        client->transport->lose(client, &error);
    } else {
        undial(client);
        weft_follow_dialed(client, &error);
    }
}

static void note(struct weft_route *route, const char *why)
{
    snprintf(route->why, sizeof route->why, "%s", why);
}

static void try_next(struct weft_client *client, enum weft_side side)
{
    struct weft_route *route = &client->routes[side];
    while (route->target) {
        const struct addrinfo *target = route->target;
        route->target = target->ai_next;
        const char *why = client->transport->open(client, side, target);
        if (!why) {
            return;
        }
        note(route, why);
    }
    not_reached(client, side);
}

void weft_reach_found(struct weft_client *client, enum weft_side side, struct addrinfo *found,
                      const char *why)
{
    struct weft_route *route = &client->routes[side];
    forget(route);
    route->found = found;
    route->target = found;
    note(route, why ? why : "it has no address");
    try_next(client, side);
}

void weft_reach_begin(struct weft_client *client, uint64_t timeout_ms)
{
    client->connect_ms = timeout_ms;
    client->transport->alarm(client, timeout_ms ? (int64_t)timeout_ms : WEFT_NO_ALARM);
    client->transport->look_up(client, WEFT_HERE, &client->home);
}

// ---------------------------------------------------------------------------------------------------------
// Up

void weft_reach_talk(struct weft_client *client)
{
    struct weft_error error;
    char *bytes;
    size_t size;
    if (!client->secure || client->sending || client->closing || weft_client_is_cut(client) ||
        (size = weft_secure_take(client->secure, &bytes)) == 0) {
        return;
    }
    if (!client->transport->say(client, bytes, size, &error)) {
        client->transport->lose(client, &error);
    }
}

// The connection can carry messages.
static void rise(struct weft_client *client)
{
    client->connected = true;
    if (client->state != WEFT_STATE_UP) {
        weft_line_greet(client);
        return;
    }
    client->transport->alarm(client, WEFT_NO_ALARM);
    if (client->transport->ready) {
        client->transport->ready(client);
    }
}

// Starts what a new connection needs.
static void start(struct weft_client *client)
{
    if (client->secure) {
        weft_reach_talk(client); // sends the handshake's first bytes
    } else {
        rise(client);
    }
}

void weft_reach_connected(struct weft_client *client, enum weft_side side, const char *why)
{
    if (why) {
        note(&client->routes[side], why);
        client->transport->shut(client, side);
        try_next(client, side);
    } else if (side == WEFT_THERE) {
        weft_follow_dialed(client, NULL);
    } else {
        start(client);
    }
}

void weft_reach_take(struct weft_client *client, const uint8_t *bytes, size_t size)
{
    struct weft_error error;
    if (!client->secure) {
        weft_receive(client, bytes, size);
        return;
    }
    const bool good = weft_secure_feed(client->secure, weft_receive, client, bytes, size, &error);
    weft_reach_talk(client); // sends an alert, if it is not good
    if (weft_client_is_cut(client) || client->closing) {
        return;
    }
    if (!good) {
        weft_reach_fail_for(client, &error);
    } else if (weft_secure_ended(client->secure)) {
        weft_reach_ended(client, NULL);
    } else if (!client->connected && weft_secure_ready(client->secure)) {
        rise(client);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Away and back

static void hang_up(struct weft_client *client)
{
    client->connected = false;
    client->transport->alarm(client, WEFT_NO_ALARM);
    client->transport->shut(client, WEFT_HERE);
}

static void away(struct weft_client *client)
{
    hang_up(client);
    client->transport->alarm(client, weft_line_retry_ms(client));
}

static void begin_again(struct weft_client *client)
{
    struct weft_route *here = &client->routes[WEFT_HERE];
    struct weft_error error;
    if (weft_follow_elsewhere(client)) {
        return;
    }
    client->transport->alarm(client, WEFT_TRY_MS);
    if (!weft_line_try(client, &client->home, &error)) {
        client->transport->lose(client, &error);
        return;
    }
    here->target = here->found;
    try_next(client, WEFT_HERE);
}

void weft_reach_late(struct weft_client *client)
{
    const uint64_t timeout_ms = client->state == WEFT_STATE_UP ? client->connect_ms : WEFT_TRY_MS;
    struct weft_error error;
    if (client->state == WEFT_STATE_AWAY) {
        begin_again(client);
        return;
    }
    weft_fail(&error, WEFT_KIND_TRANSPORT, "TIMEOUT", "cannot connect to %s within %llu ms", client->address,
              (unsigned long long)timeout_ms);
    client->transport->lose(client, &error);
}

// ---------------------------------------------------------------------------------------------------------
// To another server, and the end

// Tells the server that the session is over, if the system takes that at once.
static void leave(struct weft_client *client)
{
    struct weft_error error;
    char *bytes = NULL;
    size_t size = WEFT_LEAVE_SIZE;
    if (!client->connected || client->sending || client->lost || client->state != WEFT_STATE_UP) {
        return;
    }
    if (client->secure) {
        if (!weft_secure_put(client->secure, weft_leave, size, &error)) {
            return;
        }
        weft_secure_end(client->secure);
        size = weft_secure_take(client->secure, &bytes);
    } else {
        bytes = malloc(size);
        if (bytes) {
            memcpy(bytes, weft_leave, size);
        }
    }
    if (bytes) {
        (void)client->transport->say(client, bytes, size, &error);
    }
}

void weft_reach_close(struct weft_client *client)
{
    struct weft_error error;
    weft_client_stay_away(client);
    leave(client);
    weft_fail(&error, WEFT_KIND_TRANSPORT, "CLOSED", "the connection was closed here");
    client->transport->lose(client, &error);
}

static void dial(struct weft_client *client)
{
    undial(client);
    client->transport->look_up(client, WEFT_THERE, &client->follow.address);
}

static void change(struct weft_client *client, bool leaves)
{
    struct weft_error error;
    if (leaves) {
        leave(client);
    }
    hang_up(client);
    client->transport->take_over(client);
    client->transport->alarm(client, WEFT_TRY_MS);
    if (weft_line_try(client, &client->follow.address, &error)) {
        start(client);
    } else {
        client->transport->lose(client, &error);
    }
}

static void settle(struct weft_client *client)
{
    struct weft_route *here = &client->routes[WEFT_HERE], *there = &client->routes[WEFT_THERE];
    forget(here);
    here->found = there->found;
    there->found = NULL;
    there->target = NULL;
}

const struct weft_ways weft_reach_ways = {
    .away = away, .hang_up = hang_up, .dial = dial, .undial = undial, .change = change, .settle = settle};
