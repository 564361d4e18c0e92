#include "nodes_internal.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "wires.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/lease.h"
#include "local/local.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, PATIENCE_MS = 60000, SESSIONS = 8, SESSIONS_PASSED = 64, WORLDS = 16, GRACE_S = 10 };

// ---------------------------------------------------------------------------------------------------------
// Links

void node_lines_push(struct lines *lines, struct line *line)
{
    line->next = NULL;
    if (lines->last) {
        lines->last->next = line;
    } else {
        lines->first = line;
    }
    lines->last = line;
}

struct line *node_lines_take(struct lines *lines)
{
    struct line *line = lines->first;
    if (line) {
        lines->first = line->next;
        lines->last = lines->first ? lines->last : NULL;
    }
    return line;
}

void node_link_let_go(struct node_link *link)
{
    if (--link->holders > 0) {
        return;
    }
    for (struct line *line; (line = node_lines_take(&link->in));) {
        free(line);
    }
    for (struct line *line; (line = node_lines_take(&link->out));) {
        free(line);
    }
    free(link);
}

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    struct node_link *link = context;
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    struct line *line = malloc(sizeof *line + size);
    BASE_ASSERT(line);
    line->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(line->bytes + line->size, parts[i].bytes, parts[i].size);
        line->size += parts[i].size;
    }
    node_lines_push(&link->out, line);
    fibers_wake(link);
}

static void on_closed(void *context, uint32_t end, const char *reason)
{
    struct node_link *link = context;
    (void)end;
    (void)reason;
    link->gone = true;
    fibers_wake(link);
}

static void link_open(struct node_link *link)
{
    link->opened = true;
    link->peer = local_peer_connect(link->node->local, &(struct local_peer_options){
                                                           .address = "simulated",
                                                           .origin = 1,
                                                           .loopback = true,
                                                           .sent = on_sent,
                                                           .closed = on_closed,
                                                           .context = link,
                                                       });
    if (!link->peer) {
        link->gone = true;
        fibers_wake(link);
    }
}

// The inputs of people since the last turn.
static bool links_take(struct node *node)
{
    bool took = node->kind == NODE_PASSES_ON && wires_take(node);
    for (struct node_link **at = &node->links; *at;) {
        struct node_link *link = *at;
        if (!link->opened && !link->left) {
            link_open(link);
            took = true;
        }
        for (struct line *line; link->peer && !link->gone && (line = node_lines_take(&link->in));
             took = true) {
            local_peer_feed(link->peer, line->bytes, line->size);
            free(line);
        }
        if (link->peer && link->looked > 0) {
            local_peer_taken(link->peer, link->looked);
            link->looked = 0;
        }
        if (link->left) {
            local_peer_disconnect(link->peer);
            *at = link->next;
            node_link_let_go(link);
            took = true;
        } else {
            at = &link->next;
        }
    }
    return took;
}

static void links_end(struct node *node)
{
    if (node->kind == NODE_PASSES_ON) {
        wires_leave(node, node->vanished);
    }
    while (node->links) {
        struct node_link *link = node->links;
        node->links = link->next;
        local_peer_disconnect(link->peer);
        link->peer = NULL;
        link->gone = true;
        fibers_wake(link);
        node_link_let_go(link);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Servers

static struct store *open_store(void *context, const struct store_options *given, struct store_error *error)
{
    const struct node *node = context;
    struct store_options options = *given;
    if (node->kind == NODE_ALONE) {
        return store_open(&options, error);
    }
    options.brokers = BROKERS_URL;
    options.check = "none";
    options.patience_ms = PATIENCE_MS;
    options.acks = node->brokers_alone ? STORE_ACKS_BROKERS : STORE_ACKS_BOTH;
    return store_open(&options, error);
}

static struct host_lease *join(void *context, struct net_loop *loop, struct store *store,
                               char text[LOCAL_TEXT_SIZE])
{
    const struct node *node = context;
    char folder[DISK_FOLDER_SIZE], name[16], address[24], why[CLUSTER_TEXT_SIZE] = "";
    disks_folder(node->number, folder);
    (void)snprintf(name, sizeof name, "s%" PRIu32, node->number);
    (void)snprintf(address, sizeof address, "server:%" PRIu32, node->number);
    const uint64_t until_ns = base_now_ns() + PATIENCE_MS * UINT64_C(1000000);
    struct host_lease *lease = NULL;
    while (!lease && base_now_ns() < until_ns && !node->stop) {
        lease = host_lease_create(loop,
                                  &(struct host_lease_options){
                                      .brokers = BROKERS_URL,
                                      .data = folder,
                                      .name = name,
                                      .tcp = address,
                                      .web = "",
                                      .store = store,
                                  },
                                  why);
        if (!lease) {
            fibers_sleep_until(base_now_ns() + 250 * MS);
        }
    }
    (void)snprintf(text, LOCAL_TEXT_SIZE, "%s", why);
    return lease;
}

static void on_store_failure(void *context, const char *text)
{
    struct node *node = context;
    (void)snprintf(node->text, sizeof node->text, "%s", text);
    node->stop = node->killed = true;
    fibers_wake(node);
}

static bool start(struct node *node)
{
    char folder[DISK_FOLDER_SIZE];
    disks_folder(node->number, folder);
    node->local = local_server_create(
        &(struct local_options){
            .limits = {.sessions = node->kind == NODE_PASSES_ON ? SESSIONS_PASSED : SESSIONS,
                       .sessions_per_address = SESSIONS_PASSED,
                       .worlds = WORLDS,
                       .session_grace = GRACE_S},
            .keep_seconds = UINT64_MAX,
            .keep_bytes = UINT64_MAX,
            .bin_seconds = 86400,
            .folder = folder,
            .open_store = open_store,
            .on_store_failure = on_store_failure,
            .join = node->kind == NODE_ALONE ? NULL : join,
            .dial = node->kind == NODE_PASSES_ON ? wires_dial : NULL,
            .context = node,
        },
        node->text);
    node->lives += node->local != NULL;
    return node->local != NULL;
}

// As if its process were gone: nothing of it gets out any more, and what it did not sync may be lost.
static void cut_off(struct node *node)
{
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers_reach(node->number, i, false);
    }
    disk_use(node->number);
    disk_cut_at(1);
}

static void come_back(struct node *node)
{
    disk_use(node->number);
    disk_fail_at(0, false);
    disk_use(node->number);
    disk_power_on(fibers_draw());
    disk_use(node->number);
    disk_room(-1);
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers_reach(node->number, i, true);
    }
}

static void run_turns(struct node *node)
{
    fibers_attend(node);
    while (!node->stop) {
        const bool took = links_take(node);
        const uint64_t due_ns = local_server_turn(node->local);
        if (took || due_ns <= base_now_ns()) {
            fibers_yield();
        } else {
            (void)fibers_wait(node, due_ns);
        }
    }
    fibers_attend(NULL);
}

static void live(void *context)
{
    struct node *node = context;
    (void)fibers_be(node->number);
    while (!node->over) {
        if (base_now_ns() < node->up_ns) {
            (void)fibers_wait(node, node->up_ns);
            continue;
        }
        const bool started = !node->stop && start(node);
        if (started) {
            run_turns(node);
        } else if (!node->stop) {
            node->up_ns = base_now_ns() + 500 * MS;
        }
        const bool killed = node->killed;
        if (killed) {
            cut_off(node);
        }
        links_end(node);
        local_server_destroy(node->local);
        node->local = NULL;
        if (killed) {
            come_back(node);
        }
        node->stop = node->killed = false;
        links_end(node);
        node->vanished = false;
    }
}

void node_start(struct node *node, uint32_t number, enum node_kind kind)
{
    *node = (struct node){.number = number, .kind = kind};
    (void)base_thread_start(&node->thread, "server", live, node);
}

void node_stop(struct node *node, bool kills, uint64_t down_ns)
{
    node->killed |= kills;
    node->stop = true;
    node->up_ns = base_now_ns() + down_ns;
    fibers_wake(node);
}

void node_vanish(struct node *node, uint64_t down_ns)
{
    node->vanished = !node->stop;
    node_stop(node, true, down_ns);
}

void node_end(struct node *node)
{
    node->over = true;
    node_stop(node, false, 0);
    base_thread_join(&node->thread);
}
