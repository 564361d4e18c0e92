// Keeps worlds in an array by ascending id (ids only grow, so a new one goes to the end). Ids are found by
// bisection, names by looking at all worlds.
//
// Worlds with output form a list under a mutex, in which each world is at most once. Entering it wakes the
// loop. A world that is freed is taken out of it under the same mutex.
#include "host/registry_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/thread.h"
#include "cluster/cluster.h"
#include "host/names.h"
#include "host/presence.h"
#include "host/runner.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/utf8/utf8.h"
#include "store/store.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIVE_BACK_MS = 500 }; // time after a world is freed, so that memory of many is given back at once

// ---------------------------------------------------------------------------------------------------------
// Signals

static void signal_locked(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    if (world->signalled) {
        return;
    }
    world->signalled = true;
    world->next_signalled = NULL;
    if (registry->last_signalled) {
        registry->last_signalled->next_signalled = world;
    } else {
        registry->first_signalled = world;
    }
    registry->last_signalled = world;
    net_wake_send(registry->wake);
}

void host_registry_signal(struct host_world *world)
{
    base_mutex_lock(&world->registry->mutex);
    signal_locked(world);
    base_mutex_unlock(&world->registry->mutex);
}

static void unlink_signalled(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    struct host_world *previous = NULL;
    for (struct host_world *at = registry->first_signalled; at != world; at = at->next_signalled) {
        previous = at;
    }
    if (previous) {
        previous->next_signalled = world->next_signalled;
    } else {
        registry->first_signalled = world->next_signalled;
    }
    if (registry->last_signalled == world) {
        registry->last_signalled = previous;
    }
    world->signalled = false;
}

void host_world_idle(struct host_world *world)
{
    base_mutex_lock(&world->registry->mutex);
    world->idle = true;
    signal_locked(world);
    base_mutex_unlock(&world->registry->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// Life of a world

static void kept(struct host_world *world, bool is, bool taken)
{
    void (*on_kept)(void *context, const struct host_world *world, bool taken) = world->on_kept;
    world->on_kept = NULL;
    if (on_kept) {
        on_kept(world->on_kept_context, is ? world : NULL, taken);
    }
}

static void kept_if_both(struct host_world *world)
{
    if (world->stored && world->claimed) {
        kept(world, true, false);
    }
}

void host_registry_kept(struct host_world *world)
{
    world->stored = true;
    kept_if_both(world);
}

void host_registry_claimed(struct host_world *world)
{
    world->claimed = true;
    host_gate_hold(&world->gate, false);
    host_registry_signal(world);
    kept_if_both(world);
}

void host_registry_when_kept(struct host_world *world,
                             void (*on_kept)(void *context, const struct host_world *world, bool taken),
                             void *context)
{
    struct store_pending pending = {0};
    world->on_kept = on_kept;
    world->on_kept_context = context;
    if (world->store && store_lasts(world->store)) {
        store_pending(world->store, world->id, &pending);
    }
    world->stored = world->stored || !world->store || !store_lasts(world->store) || pending.durable > 0;
    kept_if_both(world);
}

// Asks for one image for all that wait now.
static void present_ask(struct host_world *world)
{
    for (struct host_present_wait *wait = world->present_waits; wait; wait = wait->next) {
        wait->asked = true;
    }
    if (world->present_waits) {
        world_ask_present(world->world);
    }
}

void host_registry_when_present(struct host_world *world, struct host_present_wait *wait)
{
    struct host_present_wait **at = &world->present_waits;
    const bool first = !*at;
    while (*at) {
        at = &(*at)->next;
    }
    *at = wait;
    wait->next = NULL;
    wait->asked = false;
    if (first) {
        present_ask(world);
    }
}

void host_registry_presented(struct host_world *world, struct base_buffer *bytes, bool ends)
{
    struct host_present_wait *wait = world->present_waits, *next, *rest = wait;
    while (rest && (rest->asked || ends)) {
        rest = rest->next;
    }
    world->present_waits = rest;
    if (!ends) {
        present_ask(world);
    }
    for (; wait != rest; wait = next) {
        next = wait->next;
        wait->on_present(wait, bytes ? base_buffer_ref(bytes) : NULL);
    }
    base_buffer_unref(bytes);
}

void host_world_free(struct host_world *world)
{
    host_registry_presented(world, NULL, true);
    kept(world, false, false);
    world_event_destroy(world->last_reply);
    host_name_release_all(world);
    host_gate_deinit(&world->gate);
    host_leaving_deinit(&world->leaving);
    host_notices_deinit(&world->notices);
    host_presence_destroy(world->presence);
    if (world->world) {
        world_destroy(world->world);
    }
    free(world);
}

static void totals_add(struct host_totals *totals, struct world *world)
{
    struct world_face face;
    world_face(world, &face);
    totals->ticks += face.ticks_run;
    totals->ticks_late += face.ticks_late;
    totals->frames_dropped += face.frames_dropped;
    totals->frames_slow += face.frames_slow;
    totals->lateness_us += face.lateness_us;
    totals->time_lost_us += face.time_lost_us;
    totals->held_s += face.held_s;
    for (int phase = 0; phase < WORLD_PHASE_COUNT; phase++) {
        totals->phase_s[phase] += face.phase_s[phase];
    }
    if (face.lateness_max_us > totals->lateness_max_us) {
        totals->lateness_max_us = face.lateness_max_us;
    }
}

static void work_free(void *context)
{
    host_world_free(context);
}

static void work_give_back(void *context)
{
    (void)context;
    base_memory_give_back();
}

static void on_worked(void *context)
{
    (void)context;
}

static void on_time_to_give_back(void *context)
{
    struct host_registry *registry = context;
    net_timer_stop(registry->give_back);
    registry->give_back = NULL;
    // If this fails, the next freed world's does it.
    (void)net_work(registry->loop, work_give_back, on_worked, NULL);
}

// Frees a world without any turn to come. The system takes a tenth of a second to take a large world's memory
// back, which is too long for the loop.
static void reap(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    base_mutex_lock(&registry->mutex);
    if (world->signalled) {
        unlink_signalled(world);
    }
    base_mutex_unlock(&registry->mutex);
    totals_add(&registry->past, world->world);
    if (!net_work(registry->loop, work_free, on_worked, world)) {
        host_world_free(world);
    }
    if (!registry->give_back) {
        registry->give_back =
            net_timer_start(registry->loop, GIVE_BACK_MS, 0, on_time_to_give_back, registry);
    }
}

struct host_registry *host_registry_create(struct net_loop *loop, struct host_runner *runner,
                                           const struct host_registry_limits *limits,
                                           void (*on_signal)(void *context), void *context)
{
    struct host_registry *registry = calloc(1, sizeof *registry);
    const uint32_t most = limits->worlds + PROTOCOL_LIMIT_VIEWS;
    struct host_world **worlds = (struct host_world **)calloc(most, sizeof *worlds);
    struct net_wake *wake = !registry || !worlds ? NULL : net_wake_create(loop, on_signal, context);
    struct base_budget *frames = base_budget_create(
        limits->frame_bytes > 0 ? limits->frame_bytes : (size_t)PROTOCOL_LIMIT_SERVER_FRAME_BYTES);
    if (!wake || !frames) {
        base_log(BASE_LOG_ERROR, "no memory for the registry of worlds");
        base_budget_release(frames);
        net_wake_destroy(wake);
        free((void *)worlds);
        free(registry);
        return NULL;
    }
    registry->worlds.items = worlds;
    registry->worlds.most = most;
    registry->worlds_max = limits->worlds;
    registry->worlds.apart = limits->names_apart;
    registry->sessions_max = limits->sessions;
    registry->store = limits->store;
    registry->bin_seconds = limits->bin_seconds;
    registry->tick_ns = limits->tick_ns;
    registry->frames = frames;
    registry->lossless_bytes = limits->lossless_bytes;
    registry->hold_ns = limits->hold_ns;
    registry->loop = loop;
    registry->runner = runner;
    registry->wake = wake;
    base_mutex_init(&registry->mutex);
    base_mutex_init(&registry->worlds_mutex);
    registry->worlds.mutex = &registry->worlds_mutex;
    return registry;
}

void host_registry_destroy(struct host_registry *registry)
{
    if (!registry) {
        return;
    }
    // Frees worlds whose last turn has ended, and which the loop had no time to free.
    for (struct host_world *world = registry->first_signalled, *next; world; world = next) {
        next = world->next_signalled;
        if (world->idle) {
            host_world_free(world);
        }
    }
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        host_world_free(registry->worlds.items[position]);
    }
    net_timer_stop(registry->give_back);
    net_wake_destroy(registry->wake);
    base_mutex_deinit(&registry->mutex);
    base_mutex_deinit(&registry->worlds_mutex);
    free((void *)registry->worlds.items);
    base_budget_release(registry->frames);
    free(registry);
}

struct base_budget *host_registry_frames(const struct host_registry *registry)
{
    return registry->frames;
}

uint32_t host_registry_place(const struct host_registry *registry, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, registry->worlds.count, registry->worlds.items[at]->id < id);
    return place;
}

struct host_world *host_registry_find_any(const struct host_registry *registry, uint32_t id)
{
    uint32_t place = host_registry_place(registry, id);
    return place < registry->worlds.count && registry->worlds.items[place]->id == id
               ? registry->worlds.items[place]
               : NULL;
}

uint32_t host_registry_count(const struct host_registry *registry)
{
    return registry->worlds.count;
}

const struct host_worlds *host_registry_worlds(const struct host_registry *registry)
{
    return &registry->worlds;
}

struct store *host_registry_store(const struct host_registry *registry)
{
    return registry->store;
}

uint64_t host_registry_bin_seconds(const struct host_registry *registry)
{
    return registry->bin_seconds;
}

uint32_t host_registry_views(const struct host_registry *registry)
{
    return registry->views;
}

struct host_world *host_registry_at(const struct host_registry *registry, uint32_t position)
{
    BASE_ASSERT(position < registry->worlds.count);
    return registry->worlds.items[position];
}

static struct host_world *find(const struct host_registry *registry, const struct protocol_ref *ref,
                               bool closing)
{
    if (ref->id != 0) {
        struct host_world *world = host_registry_find_any(registry, ref->id);
        return world && world->closing == closing ? world : NULL;
    }
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        struct host_world *world = registry->worlds.items[position];
        if (world->closing == closing && host_name_is(world->name, &ref->name)) {
            return world;
        }
    }
    return NULL;
}

struct host_world *host_registry_find(const struct host_registry *registry, const struct protocol_ref *ref)
{
    return find(registry, ref, false);
}

struct host_world *host_registry_find_closing(const struct host_registry *registry,
                                              const struct protocol_ref *ref)
{
    struct host_world *world = find(registry, ref, true);
    return world && !world_ended(world->world) ? world : NULL;
}

void host_registry_shutdown(const struct host_registry *registry)
{
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        world_post_shutdown(registry->worlds.items[position]->world);
    }
}

static void set_closing(struct host_world *world)
{
    base_mutex_lock(world->worlds->mutex);
    world->closing = true;
    base_mutex_unlock(world->worlds->mutex);
}

void host_registry_close(struct host_world *world)
{
    host_gate_hold(&world->gate, false); // it ends in any case
    set_closing(world);
}

void host_registry_leave(struct host_world *world, bool lost)
{
    set_closing(world);
    world->elsewhere = true;
    // A server that starts takes listed worlds which have no key yet. A list is registered once its first image is
    // in the stream, so a world that is taken while it is made exists, and its maker is told so.
    kept(world, true, false);
    if (lost) {
        host_gate_lose(&world->gate);
    }
    struct protocol_home home;
    (void)host_home_find(world->worlds->cluster, world->id, &home);
    world_post_leave(world->world, &home);
    host_registry_signal(world);
}

void host_registry_join(struct host_registry *registry, struct cluster *cluster)
{
    registry->worlds.cluster = cluster;
}

struct cluster *host_registry_cluster(const struct host_registry *registry)
{
    return registry->worlds.cluster;
}

bool host_registry_fresh(const struct host_registry *registry)
{
    return !registry->worlds.cluster || cluster_fresh(registry->worlds.cluster);
}

void host_registry_not_kept(struct host_world *world, bool taken)
{
    if (!world->on_kept || world->closing) {
        return;
    }
    kept(world, false, taken);
    host_gate_lose(&world->gate);
    host_registry_signal(world);
    set_closing(world);
    world_post_end(world->world);
}

static void end_views(const struct host_registry *registry, uint32_t of)
{
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        struct host_world *world = registry->worlds.items[position];
        if (world->view.of == of && !world->closing) {
            set_closing(world);
            world_post_end(world->world);
        }
    }
}

struct parting {
    struct store *store;
    uint32_t list;
};

// Gives up the list, which waits for the store. If this is not done, another server can have the list
// nevertheless, by taking it over.
static void work_let_go(void *context)
{
    const struct parting *parting = context;
    (void)store_let_go(parting->store, parting->list, NULL);
}

static void let_go(struct host_registry *registry, uint32_t list)
{
    struct parting *parting = malloc(sizeof *parting);
    if (!parting) {
        return;
    }
    *parting = (struct parting){registry->store, list};
    if (!net_work(registry->loop, work_let_go, free, parting)) {
        free(parting);
    }
}

void host_registry_remove(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    uint32_t place = host_registry_place(registry, world->id);
    BASE_ASSERT(place < registry->worlds.count && registry->worlds.items[place] == world);
    base_mutex_lock(registry->worlds.mutex);
    registry->worlds.count--;
    memmove(&registry->worlds.items[place], &registry->worlds.items[place + 1],
            (registry->worlds.count - place) * sizeof registry->worlds.items[0]);
    world->closing = true;
    base_mutex_unlock(registry->worlds.mutex);
    kept(world, false, false); // tells the one that waits here, because a worker frees the world
    // If this fails, it happens when the server starts again: the journal says that the world is gone.
    if (world->store && !world->elsewhere) {
        (void)store_bin(world->store, world->id);
    }
    if (registry->worlds.cluster && world->view.of == 0 && !world->elsewhere) {
        cluster_release(registry->worlds.cluster, world->id);
    }
    if (world->elsewhere) {
        let_go(registry, world->id);
    }
    end_views(registry, world->id);
    if (world->view.of != 0) {
        registry->views--;
    }
    if (world->view.on_gone) {
        world->view.on_gone(world->view.context);
    }
    if (host_runner_remove(world->entry)) {
        reap(world);
    }
}

struct host_world *host_registry_next_signalled(struct host_registry *registry)
{
    for (;;) {
        base_mutex_lock(&registry->mutex);
        struct host_world *world = registry->first_signalled;
        if (world) {
            unlink_signalled(world);
        }
        bool idle = world && world->idle;
        base_mutex_unlock(&registry->mutex);
        if (!idle) {
            return world;
        }
        reap(world);
    }
}

void host_registry_totals(const struct host_registry *registry, struct host_totals *totals)
{
    *totals = registry->past;
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        totals_add(totals, registry->worlds.items[position]->world);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Worlds of other servers

void host_home_of(const struct cluster_server *server, struct protocol_home *out)
{
    *out = (struct protocol_home){0};
    snprintf(out->server, sizeof out->server, "%s", server->name);
    snprintf(out->address, sizeof out->address, "%s%s", server->tls ? "tls://" : "", server->tcp);
    if (server->web[0] != '\0') {
        snprintf(out->web, sizeof out->web, "%s%s", server->tls ? "https://" : "http://", server->web);
    }
    protocol_utf8_clean(out->server, strlen(out->server));
    protocol_utf8_clean(out->address, strlen(out->address));
    protocol_utf8_clean(out->web, strlen(out->web));
}

bool host_home_find(struct cluster *cluster, uint32_t world, struct protocol_home *out)
{
    struct cluster_server server;
    *out = (struct protocol_home){0};
    if (!cluster || cluster_where(cluster, world, &server) != CLUSTER_ELSEWHERE) {
        return false;
    }
    host_home_of(&server, out);
    return true;
}
