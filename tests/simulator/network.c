// Connections between clients and servers.
//
//     client ──in──▶ [pieces, each at its time] ──▶ local_peer_feed or _receive
//     client ◀──out── [messages, each at its time] ◀── sent
//
// What was sent stays in its order, however long each piece takes. A connection ends at each side by itself: whoever has not heard
// of the end goes on for a while.
#include "simulator.h"

#include "clock.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum { IN_BYTES = 4 * 1024 * 1024 }; // that wait for a server that does not read: beyond, the client gives up

static struct carried *carried_create(uint64_t at_ns, size_t size)
{
    struct carried *carried = malloc(sizeof *carried + size);
    BASE_ASSERT(carried != NULL);
    *carried = (struct carried){.at_ns = at_ns, .sent_ns = simulator_clock.now_ns, .size = size};
    return carried;
}

static void put(struct carried **first, struct carried **last, struct carried *carried)
{
    if (*last != NULL && carried->at_ns < (*last)->at_ns) {
        carried->at_ns = (*last)->at_ns;
    }
    if (*last != NULL) {
        (*last)->next = carried;
    } else {
        *first = carried;
    }
    *last = carried;
}

static struct carried *take(struct carried **first, struct carried **last)
{
    struct carried *carried = *first;
    *first = carried->next;
    if (*first == NULL) {
        *last = NULL;
    }
    return carried;
}

static void drop(struct carried **first, struct carried **last)
{
    while (*first != NULL) {
        free(take(first, last));
    }
}

static uint64_t on_the_way(const struct link *link)
{
    struct chance *chance = &link->run->network;
    return simulator_clock.now_ns + link->latency_ns +
           (link->jitter_ns > 0 ? chance_next(chance) % link->jitter_ns : 0);
}

// ---------------------------------------------------------------------------------------------------------
// What servers tell

static void deliver(struct link *link, const struct local_part *parts, uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    struct carried *message = carried_create(on_the_way(link), size);
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(message->bytes + at, parts[i].bytes, parts[i].size);
        at += parts[i].size;
    }
    put(&link->out, &link->out_last, message);
    link->out_bytes += size;
}

// The contents of the last two change their places.
static void swap(struct link *link)
{
    struct carried **before = &link->out;
    if (link->out == NULL || link->out->next == NULL) {
        return;
    }
    while ((*before)->next->next != NULL) {
        before = &(*before)->next;
    }
    struct carried *first = *before, *second = first->next;
    const uint64_t at_ns = first->at_ns;
    first->at_ns = second->at_ns;
    second->at_ns = at_ns;
    *before = second;
    second->next = first;
    first->next = NULL;
    link->out_last = first;
}

static void deliver_broken(struct link *link, const struct local_part *parts, uint32_t count)
{
    switch (link->run->options.broken) {
    case BROKEN_LOST:
        return;
    case BROKEN_DEATH:
        abort();
    default:
        deliver(link, parts, count);
    }
    switch (link->run->options.broken) {
    case BROKEN_TWICE:
        deliver(link, parts, count);
        break;
    case BROKEN_SWAPPED:
        swap(link);
        break;
    case BROKEN_BYTE:
        link->out_last->bytes[link->out_last->size - 1] ^= 1; // of a hash it is the last digit
        break;
    default:
        break;
    }
}

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    struct link *link = context;
    if (link->client == NULL || link->lost_ns > 0) {
        return; // nobody looks at it any more, so it stays unsent
    }
    if (link->run->options.broken != NOT_BROKEN && chance_one_in(&link->run->broken, 100)) {
        deliver_broken(link, parts, count);
    } else {
        deliver(link, parts, count);
    }
}

static void on_closed(void *context, uint32_t end, const char *reason)
{
    struct link *link = context;
    link->closed = true;
    if (strstr(reason, "goes on") == NULL) { // it may have ended the session with it
        link->was->broken_ns = 0;
    }
    simulator_say(link->run, "server %u ends a connection: %u %s", link->server->index, end, reason);
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct link *link_open(struct client *client)
{
    struct run *run = client->run;
    struct simulated_server *server = client->server;
    struct link *link = NULL;
    for (uint32_t i = 0; i < LINKS && link == NULL; i++) {
        link = run->links[i].used ? NULL : &run->links[i];
    }
    if (link == NULL || server->local == NULL) {
        return NULL;
    }
    struct chance *chance = &run->network;
    *link = (struct link){
        .run = run,
        .server = server,
        .client = client,
        .was = client,
        .lives = server->lives,
        .stream = chance_below(chance, 3) > 0,
        .latency_ns = chance_span(chance, 1000, 20 * MS),
        .jitter_ns = chance_one_in(chance, 2) ? 0 : chance_span(chance, 1000, 20 * MS),
        .used = true,
    };
    server_enter(server);
    link->peer = local_peer_connect(server->local, &(struct local_peer_options){
                                                       .address = "simulated",
                                                       .origin = client->index / 2,
                                                       .sent = on_sent,
                                                       .closed = on_closed,
                                                       .context = link,
                                                   });
    server->due_ns = 0;
    if (link->peer == NULL) {
        drop(&link->out, &link->out_last);
        link->used = false;
        return NULL;
    }
    return link;
}

static void peer_gone(struct link *link)
{
    if (link->peer != NULL) {
        server_enter(link->server);
        local_peer_disconnect(link->peer);
        link->server->due_ns = 0;
    }
    link->peer = NULL;
    drop(&link->in, &link->in_last);
    link->in_bytes = 0;
}

static void client_gone(struct link *link)
{
    link->client = NULL;
    drop(&link->out, &link->out_last);
    link->out_bytes = 0;
}

// Some of what is on its way may come yet.
static void deliver_some(struct link *link)
{
    struct chance *chance = &link->run->network;
    while (link->peer != NULL && !link->closed && link->in != NULL && chance_below(chance, 3) > 0) {
        struct carried *piece = take(&link->in, &link->in_last);
        server_enter(link->server);
        if (link->stream) {
            local_peer_feed(link->peer, piece->bytes, chance_below(chance, (uint32_t)piece->size + 1));
        }
        free(piece);
    }
}

void link_cut(struct link *link, bool server_knows, bool client_knows)
{
    struct chance *chance = &link->run->network;
    run_counts.cuts++;
    struct client *client = link->client;
    if (link->cut_ns == 0) {
        link->cut_ns = simulator_clock.now_ns;
    }
    if (server_knows) {
        deliver_some(link);
        peer_gone(link);
    } else {
        link->zombie_ns = simulator_clock.now_ns + chance_span(chance, MS, 20 * SECOND);
    }
    if (client_knows) {
        client_gone(link);
        client_lost(client);
    } else {
        link->lost_ns = simulator_clock.now_ns + chance_span(chance, MS, SECOND);
        drop(&link->out, &link->out_last);
    }
}

void link_end(struct link *link)
{
    link->ended = true;
}

void link_send(struct link *link, const void *bytes, size_t size)
{
    struct chance *chance = &link->run->network;
    const uint8_t *at = bytes;
    if (link->ended || link->peer == NULL || link->zombie_ns > 0) {
        return; // it gets nowhere, and the client hears of that later
    }
    while (size > 0) {
        size_t part = size;
        if (link->stream && size > 1 && chance_one_in(chance, 4)) {
            part = 1 + chance_below(chance, (uint32_t)size - 1);
        }
        struct carried *piece = carried_create(on_the_way(link), part);
        memcpy(piece->bytes, at, part);
        put(&link->in, &link->in_last, piece);
        link->in_bytes += part;
        at += part;
        size -= part;
    }
}

void links_of_server_lost(struct simulated_server *server)
{
    for (uint32_t i = 0; i < LINKS; i++) {
        struct link *link = &server->run->links[i];
        if (!link->used || link->server != server) {
            continue;
        }
        link->peer = NULL; // it goes with the server
        drop(&link->in, &link->in_last);
        drop(&link->out, &link->out_last); // it has forgotten what it asked for
        if (link->client != NULL && link->lost_ns == 0) {
            link->lost_ns = simulator_clock.now_ns + chance_span(&server->run->network, MS, SECOND);
        }
    }
}

void links_destroy(struct run *run)
{
    for (uint32_t i = 0; i < LINKS; i++) {
        drop(&run->links[i].in, &run->links[i].in_last);
        drop(&run->links[i].out, &run->links[i].out_last);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What comes when it is due

static bool is_read(const struct link *link)
{
    return link->peer != NULL && !link->closed && local_peer_is_read(link->peer);
}

static bool client_looks(const struct link *link)
{
    return link->client != NULL && link->client->slow_ns <= simulator_clock.now_ns;
}

static void give_to_server(struct link *link)
{
    const uint64_t now_ns = simulator_clock.now_ns;
    while (is_read(link) && link->in != NULL && link->in->at_ns <= now_ns) {
        struct carried *piece = take(&link->in, &link->in_last);
        link->in_bytes -= piece->size;
        server_enter(link->server);
        if (link->stream) {
            local_peer_feed(link->peer, piece->bytes, piece->size);
        } else {
            uint8_t *bytes = malloc(piece->size);
            BASE_ASSERT(bytes != NULL);
            memcpy(bytes, piece->bytes, piece->size);
            local_peer_receive(link->peer, bytes, piece->size);
        }
        link->server->due_ns = 0;
        free(piece);
    }
    if (link->ended && !link->end_given && link->in == NULL && link->peer != NULL && !link->closed) {
        link->end_given = true;
        local_peer_end(link->peer);
        link->server->due_ns = 0;
    }
}

static void give_to_client(struct link *link)
{
    while (client_looks(link) && link->out != NULL && link->out->at_ns <= simulator_clock.now_ns) {
        struct carried *message = take(&link->out, &link->out_last);
        link->out_bytes -= message->size;
        if (link->peer != NULL) {
            server_enter(link->server);
            local_peer_taken(link->peer, 1);
            link->server->due_ns = 0;
        }
        client_hear(link->client, message);
        free(message);
    }
}

static void link_step(struct link *link)
{
    const uint64_t now_ns = simulator_clock.now_ns;
    struct client *client = link->client;
    if (link->zombie_ns > 0 && link->zombie_ns <= now_ns) {
        peer_gone(link);
    }
    give_to_server(link);
    give_to_client(link);
    client = link->client; // what it heard may have made it leave
    const bool told = link->closed && link->out == NULL;
    if (client != NULL && (told || (link->lost_ns > 0 && link->lost_ns <= now_ns))) {
        client_gone(link);
        client_lost(client);
    }
    if (link->client == NULL && link->peer != NULL && (link->closed || link->zombie_ns == 0)) {
        peer_gone(link);
    }
    if (link->client == NULL && link->peer == NULL) {
        drop(&link->in, &link->in_last);
        drop(&link->out, &link->out_last);
        link->used = false;
    }
}

void links_step(struct run *run)
{
    for (uint32_t i = 0; i < LINKS; i++) {
        if (run->links[i].used) {
            link_step(&run->links[i]);
        }
    }
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t links_due(const struct run *run)
{
    uint64_t due_ns = UINT64_MAX;
    for (uint32_t i = 0; i < LINKS; i++) {
        const struct link *link = &run->links[i];
        if (!link->used) {
            continue;
        }
        if (link->in != NULL && is_read(link)) {
            due_ns = earlier(due_ns, link->in->at_ns);
        }
        if (link->ended && !link->end_given && link->in == NULL && link->peer != NULL && !link->closed) {
            due_ns = 0;
        }
        if (link->client != NULL && link->out != NULL) {
            due_ns = earlier(due_ns, link->out->at_ns > link->client->slow_ns ? link->out->at_ns
                                                                              : link->client->slow_ns);
        }
        if (link->client != NULL && link->closed && link->out == NULL) {
            due_ns = 0;
        }
        if (link->client == NULL && (link->peer == NULL || link->closed || link->zombie_ns == 0)) {
            due_ns = 0;
        }
        if (link->lost_ns > 0 && link->client != NULL) {
            due_ns = earlier(due_ns, link->lost_ns);
        }
        if (link->zombie_ns > 0 && link->peer != NULL) {
            due_ns = earlier(due_ns, link->zombie_ns);
        }
    }
    return due_ns;
}

bool links_idle(const struct run *run)
{
    for (uint32_t i = 0; i < LINKS; i++) {
        const struct link *link = &run->links[i];
        if (link->used && (link->client == NULL || link->in != NULL || link->out != NULL || link->closed ||
                           link->lost_ns > 0 || link->zombie_ns > 0)) {
            return false;
        }
    }
    return true;
}
