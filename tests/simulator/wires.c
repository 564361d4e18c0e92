#include "wires.h"

#include "fibers.h"
#include "nodes.h"

#include "base/assert.h"
#include "base/clock.h"
#include "local/local.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, UNACKED_MS = 1000, SPLIT = 4 /* of so many messages one comes in two pieces */ };

enum kind {
    OPENS,
    BYTES,
    TAKEN, // the other side has looked at a message
    ENDS,
};

struct packet {
    struct packet *next;
    uint64_t sent_ns, ns; // when it left, and is there
    enum kind kind;
    bool last; // of its message
    size_t size;
    uint8_t bytes[];
};

struct wire_end {
    struct wire *wire;
    uint32_t server;
    struct local_peer *peer; // NULL: not yet, or no more
    struct packet *first, *last;
    bool asks;   // it has dialled
    bool closed; // its server ended the connection, and has the handle
    bool over;   // nobody is here any more; what comes is refused
};

struct wire {
    struct wire *next;
    struct wire_end ends[2];
};

static struct {
    struct node *nodes;
    uint32_t count;
    struct wire *wires;
    bool cut[NODES + 1][NODES + 1];
    uint64_t cut_ns[NODES + 1][NODES + 1]; // since when
    uint64_t delay_ns[NODES + 1][NODES + 1];
    bool silent[NODES + 1]; // the machine is gone
    wires_look *look;
    void *context;
} all;

static struct wire_end *other_of(const struct wire_end *end)
{
    return &end->wire->ends[end == &end->wire->ends[0] ? 1 : 0];
}

// ---------------------------------------------------------------------------------------------------------
// On the way

static void arrive(void *context);

static void push(struct wire_end *to, enum kind kind, const uint8_t *bytes, size_t size, bool last)
{
    const uint32_t from = other_of(to)->server;
    struct packet *packet = malloc(sizeof *packet + size);
    BASE_ASSERT(packet);
    const uint64_t delay_ns = all.delay_ns[from][to->server];
    const uint64_t ns = base_now_ns() + delay_ns + fibers_draw() % (delay_ns / 2 + 1);
    *packet = (struct packet){.kind = kind, .last = last, .size = size};
    packet->sent_ns = base_now_ns();
    packet->ns = to->last && to->last->ns > ns ? to->last->ns : ns;
    if (size > 0) {
        memcpy(packet->bytes, bytes, size);
    }
    if (to->last) {
        to->last->next = packet;
    } else {
        to->first = packet;
    }
    to->last = packet;
    fibers_at(packet->ns, arrive, &all.nodes[to->server - 1]);
}

static void pop(struct wire_end *end)
{
    struct packet *packet = end->first;
    end->first = packet->next;
    end->last = end->first ? end->last : NULL;
    free(packet);
}

// TCP soon sends nothing new if no acknowledgement comes back.
static bool is_held_back(uint32_t from, uint32_t to, uint64_t sent_ns)
{
    return all.cut[from][to] ||
           (all.cut[to][from] && sent_ns > all.cut_ns[to][from] + UNACKED_MS * (uint64_t)MS);
}

static bool has_come(const struct wire_end *end)
{
    return end->first && end->first->ns <= base_now_ns() &&
           !is_held_back(other_of(end)->server, end->server, end->first->sent_ns);
}

// A kernel refuses what nobody is there for.
static void refuse_what_came(struct wire_end *end)
{
    while (has_come(end)) {
        const bool ends = end->first->kind == ENDS;
        pop(end);
        end->over = true;
        if (!ends && !other_of(end)->over) {
            push(other_of(end), ENDS, NULL, 0, false);
        }
    }
}

// Called at that time, and when a direction is healed: it must not wait.
static void arrive(void *context)
{
    const struct node *node = context;
    for (struct wire *wire = all.wires; wire && !node->local && !all.silent[node->number];
         wire = wire->next) {
        for (int i = 0; i < 2; i++) {
            if (wire->ends[i].server == node->number) {
                refuse_what_came(&wire->ends[i]);
            }
        }
    }
    fibers_wake(node);
}

// ---------------------------------------------------------------------------------------------------------
// What servers do

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    struct wire_end *end = context, *to = other_of(end);
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    uint8_t *bytes = malloc(size);
    BASE_ASSERT(bytes);
    size = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(bytes + size, parts[i].bytes, parts[i].size);
        size += parts[i].size;
    }
    if (all.look(all.context, end->server, to->server, end->asks, bytes, size)) {
        push(to, ENDS, NULL, 0, false);
        push(end, ENDS, NULL, 0, false);
        free(bytes);
        return;
    }
    const size_t first = fibers_draw() % SPLIT == 0 ? fibers_draw() % size : 0;
    if (first > 0) {
        push(to, BYTES, bytes, first, false);
    }
    push(to, BYTES, bytes + first, size - first, true);
    free(bytes);
}

static void on_closed(void *context, uint32_t reason, const char *text)
{
    struct wire_end *end = context;
    (void)reason;
    (void)text;
    end->closed = true;
    push(other_of(end), ENDS, NULL, 0, false);
}

static void fill_in(struct wire_end *end, struct local_peer_options *options)
{
    static const char *const addresses[NODES] = {"server:1", "server:2", "server:3"};
    *options = (struct local_peer_options){
        .address = addresses[other_of(end)->server - 1],
        .origin = 100 + other_of(end)->server,
        .loopback = true,
        .sent = on_sent,
        .closed = on_closed,
        .context = end,
    };
}

bool wires_dial(void *context, const char *address, struct local_peer *peer, struct local_peer_options *other)
{
    const struct node *node = context;
    uint32_t server = 0;
    if (sscanf(address, "server:%" SCNu32, &server) != 1 || server == 0 || server > all.count) {
        return false;
    }
    struct wire *wire = calloc(1, sizeof *wire);
    BASE_ASSERT(wire);
    wire->ends[0] = (struct wire_end){.wire = wire, .server = node->number, .peer = peer, .asks = true};
    wire->ends[1] = (struct wire_end){.wire = wire, .server = server};
    wire->next = all.wires;
    all.wires = wire;
    fill_in(&wire->ends[0], other);
    push(&wire->ends[1], OPENS, NULL, 0, false);
    return true;
}

static void let_go(struct wire_end *end)
{
    local_peer_disconnect(end->peer);
    end->peer = NULL;
    end->over = true;
}

static void open_end(struct node *node, struct wire_end *end)
{
    struct local_peer_options options;
    fill_in(end, &options);
    end->peer = local_peer_connect(node->local, &options);
    if (!end->peer) {
        end->over = true;
        push(other_of(end), ENDS, NULL, 0, false);
    }
}

// False: it stays, for the server reads nothing.
static bool take(struct node *node, struct wire_end *end)
{
    struct packet *packet = end->first;
    if (packet->kind == BYTES && end->peer && !local_peer_is_read(end->peer)) {
        return false;
    }
    if (packet->kind == OPENS) {
        open_end(node, end);
    } else if (packet->kind == TAKEN && end->peer) {
        local_peer_taken(end->peer, 1);
    } else if (packet->kind == BYTES && end->peer) {
        local_peer_feed(end->peer, packet->bytes, packet->size);
        if (packet->last) {
            push(other_of(end), TAKEN, NULL, 0, false);
        }
    } else if (packet->kind == BYTES && !other_of(end)->over) {
        push(other_of(end), ENDS, NULL, 0, false);
    } else if (packet->kind == ENDS && end->peer && end->asks && fibers_draw() % 2 == 0) {
        local_peer_end(end->peer); // the server hears of it, and ends the connection
    } else if (packet->kind == ENDS) {
        let_go(end);
    }
    pop(end);
    return true;
}

static void wire_free(struct wire *wire)
{
    for (int i = 0; i < 2; i++) {
        while (wire->ends[i].first) {
            pop(&wire->ends[i]);
        }
    }
    free(wire);
}

static void sweep(void)
{
    for (struct wire **at = &all.wires; *at;) {
        struct wire *wire = *at;
        if (wire->ends[0].over && wire->ends[1].over) {
            *at = wire->next;
            wire_free(wire);
        } else {
            at = &wire->next;
        }
    }
}

// Its machine is there again: what the others' kernels ask of connections from before is refused.
static void come_back(const struct node *node)
{
    all.silent[node->number] = false;
    for (struct wire *wire = all.wires; wire; wire = wire->next) {
        for (int i = 0; i < 2; i++) {
            if (wire->ends[i].server == node->number && wire->ends[i].over && !wire->ends[1 - i].over) {
                push(&wire->ends[1 - i], ENDS, NULL, 0, false);
            }
        }
    }
}

bool wires_take(struct node *node)
{
    bool took = false;
    if (all.silent[node->number]) {
        come_back(node);
    }
    for (struct wire *wire = all.wires; wire; wire = wire->next) {
        for (int i = 0; i < 2; i++) {
            struct wire_end *end = &wire->ends[i];
            if (end->server != node->number) {
                continue;
            }
            if (end->closed && end->peer) {
                let_go(end);
            }
            while (has_come(end) && take(node, end)) {
                took = true;
            }
        }
    }
    sweep();
    return took;
}

void wires_leave(struct node *node, bool silently)
{
    if (silently) {
        all.silent[node->number] = true;
    } else if (all.silent[node->number]) {
        come_back(node);
    }
    for (struct wire *wire = all.wires; wire; wire = wire->next) {
        for (int i = 0; i < 2; i++) {
            struct wire_end *end = &wire->ends[i];
            if (end->server != node->number || !end->peer) {
                continue;
            }
            let_go(end);
            if (!silently && !end->closed) {
                push(other_of(end), ENDS, NULL, 0, false);
            }
        }
    }
    arrive(node);
}

// ---------------------------------------------------------------------------------------------------------
// The network

void wires_cut(uint32_t from, uint32_t to, bool cut)
{
    all.cut[from][to] = cut;
    all.cut_ns[from][to] = base_now_ns();
    if (!cut) {
        arrive(&all.nodes[to - 1]);
        arrive(&all.nodes[from - 1]);
    }
}

void wires_slow(uint32_t from, uint32_t to, uint64_t ns)
{
    all.delay_ns[from][to] = ns;
}

void wires_start(struct node *nodes, uint32_t count, wires_look *look, void *context)
{
    memset(&all, 0, sizeof all);
    all.nodes = nodes;
    all.count = count;
    all.look = look;
    all.context = context;
}

uint32_t wires_count(void)
{
    uint32_t count = 0;
    for (const struct wire *wire = all.wires; wire; wire = wire->next) {
        count += !wire->ends[0].over || !wire->ends[1].over;
    }
    return count;
}

void wires_end(void)
{
    while (all.wires) {
        struct wire *wire = all.wires;
        all.wires = wire->next;
        wire_free(wire);
    }
}
