// Worlds in an array by ascending id (ids only grow, so a new one goes to the end), looked up by bisection;
// by name with a linear look over all of them.
//
// Signals: worlds with output form a list under a mutex, each in it at most once; entering it wakes the
// loop. A world that is freed is taken out of it under the same mutex.
#include "host/registry.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/thread.h"
#include "host/names.h"
#include "host/runner.h"
#include "net/net.h"
#include "protocol/error.h"
#include "sim/sim.h"
#include "store/store.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIVE_BACK_MS = 500 }; // after a world is freed, so that many at once are one

struct host_registry {
    struct net_loop *loop;
    struct host_runner *runner;
    struct net_wake *wake;
    struct net_timer *give_back; // NULL: no world was freed lately
    struct host_worlds worlds;
    uint32_t worlds_max; // without views, of which there is room for as many as there may be
    uint32_t views;
    uint32_t sessions_max;
    struct store *store;
    uint64_t bin_seconds;
    uint32_t last_id;
    struct host_totals past; // of worlds that are gone

    struct base_mutex mutex;
    struct host_world *first_signalled, *last_signalled;
};

// ---------------------------------------------------------------------------------------------------------
// Signals

static void signal_locked(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    if (world->signalled)
        return;
    world->signalled = true;
    world->next_signalled = NULL;
    if (registry->last_signalled != NULL)
        registry->last_signalled->next_signalled = world;
    else
        registry->first_signalled = world;
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
    for (struct host_world *at = registry->first_signalled; at != world; at = at->next_signalled)
        previous = at;
    if (previous != NULL)
        previous->next_signalled = world->next_signalled;
    else
        registry->first_signalled = world->next_signalled;
    if (registry->last_signalled == world)
        registry->last_signalled = previous;
    world->signalled = false;
}

static uint64_t on_turn(void *context, uint64_t now_ns)
{
    struct host_world *world = context;
    return world_turn(world->world, now_ns);
}

static void on_removed(void *context)
{
    struct host_world *world = context;
    base_mutex_lock(&world->registry->mutex);
    world->idle = true;
    signal_locked(world);
    base_mutex_unlock(&world->registry->mutex);
}

static void on_output(void *context)
{
    host_registry_signal(context);
}

static void on_input(void *context)
{
    struct host_world *world = context;
    host_runner_wake(world->entry);
}

static bool others_wait(void *context)
{
    const struct host_world *world = context;
    return host_runner_late(world->registry->runner);
}

// ---------------------------------------------------------------------------------------------------------
// Life of a world

static void kept(struct host_world *world, bool is)
{
    void (*on_kept)(void *context, bool kept) = world->on_kept;
    world->on_kept = NULL;
    if (on_kept != NULL)
        on_kept(world->on_kept_context, is);
}

void host_registry_kept(struct host_world *world)
{
    kept(world, true);
}

void host_registry_when_kept(struct host_world *world, void (*on_kept)(void *context, bool kept),
                             void *context)
{
    struct store_pending pending = {0};
    world->on_kept = on_kept;
    world->on_kept_context = context;
    if (world->store != NULL && store_lasts(world->store))
        store_pending(world->store, world->id, &pending);
    if (world->store == NULL || !store_lasts(world->store) || pending.durable > 0)
        kept(world, true);
}

static void world_free(struct host_world *world)
{
    kept(world, false);
    host_name_release_all(world);
    host_gate_deinit(&world->gate);
    if (world->world != NULL)
        world_destroy(world->world);
    free(world);
}

static void totals_add(struct host_totals *totals, struct world *world)
{
    struct world_face face;
    world_face(world, &face);
    totals->ticks += face.ticks_run;
    totals->ticks_late += face.ticks_late;
    totals->frames_dropped += face.frames_dropped;
    totals->lateness_us += face.lateness_us;
    totals->time_lost_us += face.time_lost_us;
    for (int phase = 0; phase < WORLD_PHASE_COUNT; phase++)
        totals->phase_s[phase] += face.phase_s[phase];
    if (face.lateness_max_us > totals->lateness_max_us)
        totals->lateness_max_us = face.lateness_max_us;
}

static void work_free(void *context)
{
    world_free(context);
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
    (void)net_work(registry->loop, work_give_back, on_worked, NULL); // or with the next world that goes
}

// No turn runs and none will. A large world takes the system a tenth of a second to take back, which is too long for the
// loop.
static void reap(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    base_mutex_lock(&registry->mutex);
    if (world->signalled)
        unlink_signalled(world);
    base_mutex_unlock(&registry->mutex);
    totals_add(&registry->past, world->world);
    if (!net_work(registry->loop, work_free, on_worked, world))
        world_free(world);
    if (registry->give_back == NULL)
        registry->give_back =
            net_timer_start(registry->loop, GIVE_BACK_MS, 0, on_time_to_give_back, registry);
}

struct host_registry *host_registry_create(struct net_loop *loop, struct host_runner *runner,
                                           const struct host_registry_limits *limits,
                                           void (*on_signal)(void *context), void *context)
{
    struct host_registry *registry = calloc(1, sizeof *registry);
    const uint32_t most = limits->worlds + PROTOCOL_LIMIT_VIEWS;
    struct host_world **worlds = (struct host_world **)calloc(most, sizeof *worlds);
    struct net_wake *wake =
        registry == NULL || worlds == NULL ? NULL : net_wake_create(loop, on_signal, context);
    if (wake == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for the registry of worlds");
        free((void *)worlds);
        free(registry);
        return NULL;
    }
    registry->worlds.items = worlds;
    registry->worlds.most = most;
    registry->worlds_max = limits->worlds;
    registry->sessions_max = limits->sessions;
    registry->store = limits->store;
    registry->bin_seconds = limits->bin_seconds;
    registry->last_id = limits->store != NULL ? store_last_list(limits->store) : 0;
    registry->loop = loop;
    registry->runner = runner;
    registry->wake = wake;
    base_mutex_init(&registry->mutex);
    return registry;
}

void host_registry_destroy(struct host_registry *registry)
{
    if (registry == NULL)
        return;
    // Worlds whose last turn the runner ended, but which the loop had no more time to free.
    for (struct host_world *world = registry->first_signalled, *next; world != NULL; world = next) {
        next = world->next_signalled;
        if (world->idle)
            world_free(world);
    }
    for (uint32_t position = 0; position < registry->worlds.count; position++)
        world_free(registry->worlds.items[position]);
    net_timer_stop(registry->give_back);
    net_wake_destroy(registry->wake);
    base_mutex_deinit(&registry->mutex);
    free((void *)registry->worlds.items);
    free(registry);
}

static uint32_t place_of(const struct host_registry *registry, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, registry->worlds.count, registry->worlds.items[at]->id < id);
    return place;
}

struct host_world *host_registry_find_any(const struct host_registry *registry, uint32_t id)
{
    uint32_t place = place_of(registry, id);
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
        return world != NULL && world->closing == closing ? world : NULL;
    }
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        struct host_world *world = registry->worlds.items[position];
        if (world->closing == closing && host_name_is(world->name, &ref->name))
            return world;
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
    return find(registry, ref, true);
}

void host_registry_shutdown(const struct host_registry *registry)
{
    for (uint32_t position = 0; position < registry->worlds.count; position++)
        world_post_shutdown(registry->worlds.items[position]->world);
}

void host_registry_close(struct host_world *world)
{
    world->closing = true;
}

static void end_views(const struct host_registry *registry, uint32_t of)
{
    for (uint32_t position = 0; position < registry->worlds.count; position++) {
        struct host_world *world = registry->worlds.items[position];
        if (world->view.of == of && !world->closing) {
            world->closing = true;
            world_post_end(world->world);
        }
    }
}

void host_registry_remove(struct host_world *world)
{
    struct host_registry *registry = world->registry;
    uint32_t place = place_of(registry, world->id);
    BASE_ASSERT(place < registry->worlds.count && registry->worlds.items[place] == world);
    registry->worlds.count--;
    memmove(&registry->worlds.items[place], &registry->worlds.items[place + 1],
            (registry->worlds.count - place) * sizeof registry->worlds.items[0]);
    world->closing = true;
    if (world->store != NULL)
        (void)store_bin(world->store,
                        world->id); // or when the server starts again: its journal says that it is gone
    end_views(registry, world->id);
    if (world->view.of != 0)
        registry->views--;
    if (world->view.on_gone != NULL)
        world->view.on_gone(world->view.context);
    if (host_runner_remove(world->entry))
        reap(world);
}

struct host_world *host_registry_next_signalled(struct host_registry *registry)
{
    for (;;) {
        base_mutex_lock(&registry->mutex);
        struct host_world *world = registry->first_signalled;
        if (world != NULL)
            unlink_signalled(world);
        bool idle = world != NULL && world->idle;
        base_mutex_unlock(&registry->mutex);
        if (!idle)
            return world;
        reap(world);
    }
}

void host_registry_totals(const struct host_registry *registry, struct host_totals *totals)
{
    *totals = registry->past;
    for (uint32_t position = 0; position < registry->worlds.count; position++)
        totals_add(totals, registry->worlds.items[position]->world);
}

// ---------------------------------------------------------------------------------------------------------
// Creation

static bool ids_left(const struct host_registry *registry, struct protocol_error *error)
{
    if (registry->last_id < UINT32_MAX - 2 * registry->worlds.most)
        return true;
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "the ids of worlds are used up; restart the server");
    return false;
}

static bool settings_check(const struct host_registry *registry,
                           const struct protocol_world_create_params *settings, struct protocol_error *error)
{
    if (!sim_resolution_valid(settings->resolution)) {
        protocol_error_set(
            error, PROTOCOL_CODE_INVALID, "resolution",
            "resolution %.17g is not a power of two in range; 2^-27 = 7.450580596923828e-09 is the default",
            settings->resolution);
        snprintf(error->value, sizeof error->value, "%.17g", settings->resolution);
        return false;
    }
    if (registry->worlds.count - registry->views >= registry->worlds_max) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                           "there are %" PRIu32 " worlds, the most there may be (limit worlds)",
                           registry->worlds_max);
        error->limit = registry->worlds_max;
        return false;
    }
    const bool named = (settings->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME) != 0;
    return ids_left(registry, error) &&
           (!named || host_name_check(&registry->worlds, &settings->name, NULL, error));
}

// The next id whose default name is free: somebody may have given "world-7" to another world.
static void default_name(struct host_registry *registry, char out[HOST_NAME_SIZE])
{
    struct protocol_string name = {.data = out};
    do {
        registry->last_id++;
        name.size = (uint32_t)snprintf(out, HOST_NAME_SIZE, "world-%" PRIu32, registry->last_id);
    } while (host_name_taken(&registry->worlds, &name, NULL));
}

// Made in part. Never woken, so no turn can run.
static void discard(struct host_world *world)
{
    if (world == NULL)
        return;
    if (world->entry != NULL)
        (void)host_runner_remove(world->entry);
    world_free(world);
}

struct host_image host_image_of(struct document *document)
{
    struct host_image image = {0};
    struct protocol_bytes bytes = {0};
    document_let_go(document);
    image.hash = document_hash(document);
    if (document_image_pack(document, &bytes))
        image.bytes = base_buffer_create(bytes.size, NULL);
    if (image.bytes != NULL)
        memcpy(image.bytes->data, bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
    return image;
}

// What a world is made of.
struct seed {
    uint32_t id; // 0: the next
    struct protocol_string name;
    const struct protocol_world_create_params *settings;
    struct document *document;
    const struct host_image *image; // NULL: it is made here
    struct world_kept kept;
};

// A new list of the store's, which begins with what the world begins with.
static bool keep_new(const struct host_world *world, const struct seed *seed)
{
    struct document *document = seed->document;
    host_name_copy(document->name, &(struct protocol_string){world->name, (uint32_t)strlen(world->name)});
    const struct host_image made = seed->image != NULL ? *seed->image : host_image_of(document);
    const struct store_image head = {
        .tick = document->tick,
        .hash = made.hash,
        .maker = sim_solver_version(),
        .at = base_wall_us() / 1000000,
    };
    bool kept = made.bytes != NULL && store_create(world->store, world->id, world->name, &head, made.bytes);
    if (seed->image == NULL)
        base_buffer_unref(made.bytes);
    return kept;
}

static bool world_begin(struct host_world *world, const struct seed *seed)
{
    struct host_registry *registry = world->registry;
    const bool is_new = world->store != NULL && seed->kept.position == 0;
    if (is_new && !keep_new(world, seed))
        return false;
    world->world = world_create(&(struct world_options){
        .id = world->id,
        .name = world->name,
        .settings = seed->settings,
        .document = seed->document,
        .store = world->store,
        .kept = seed->kept,
        .sessions_max = registry->sessions_max,
        .parallel = host_runner_parallel(registry->runner),
        .on_output = on_output,
        .on_input = on_input,
        .others_wait = others_wait,
        .context = world,
    });
    if (world->world == NULL && is_new)
        (void)store_bin(world->store, world->id);
    return world->world != NULL;
}

static void name_and_id(struct host_registry *registry, struct host_world *world, const struct seed *seed)
{
    if (seed->id != 0) {
        host_name_copy(world->name, &seed->name);
        world->id = seed->id;
        return;
    }
    if (seed->name.size > 0) {
        registry->last_id++;
        host_name_copy(world->name, &seed->name);
    } else {
        default_name(registry, world->name);
    }
    world->id = registry->last_id;
}

// A world that could not be kept is not made.
static bool room_check(const struct host_registry *registry, const struct seed *seed,
                       struct protocol_error *error)
{
    struct store_pending pending = {0};
    if (registry->store != NULL && seed->kept.position == 0)
        store_pending(registry->store, 0, &pending);
    if (pending.full)
        protocol_error_set(error, PROTOCOL_CODE_READ_ONLY, NULL,
                           "the server has no room to keep another world; try again when there is some");
    return !pending.full;
}

static struct host_world *add(struct host_registry *registry, const struct seed *seed,
                              struct protocol_error *error)
{
    if (!settings_check(registry, seed->settings, error) || !room_check(registry, seed, error))
        return NULL;
    struct host_world *world = calloc(1, sizeof *world);
    if (world == NULL)
        goto cleanup;
    world->registry = registry;
    world->worlds = &registry->worlds;
    world->store = registry->store;
    // What is kept nowhere else need not wait for that.
    const bool waits = world->store != NULL && store_lasts(world->store);
    host_gate_init(&world->gate, waits ? seed->kept.position : HOST_GATE_OPEN);
    name_and_id(registry, world, seed);
    world->entry =
        host_runner_add(registry->runner, &(struct host_runner_client){on_turn, on_removed, world});
    if (world->entry == NULL || !world_begin(world, seed))
        goto cleanup;
    uint32_t place = place_of(registry, world->id);
    memmove(&registry->worlds.items[place + 1], &registry->worlds.items[place],
            (registry->worlds.count - place) * sizeof registry->worlds.items[0]);
    registry->worlds.items[place] = world;
    registry->worlds.count++;
    return world;

cleanup:
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for another world");
    discard(world);
    return NULL;
}

static struct protocol_string name_of(const struct protocol_world_create_params *settings)
{
    const bool named = (settings->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME) != 0;
    return named ? settings->name : (struct protocol_string){0};
}

struct host_world *host_registry_add(struct host_registry *registry,
                                     const struct protocol_world_create_params *settings,
                                     struct protocol_error *error)
{
    if (!settings_check(registry, settings, error))
        return NULL;
    struct document *document = document_create(settings);
    if (document == NULL) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for another world");
        return NULL;
    }
    struct host_world *world =
        add(registry, &(struct seed){.name = name_of(settings), .settings = settings, .document = document},
            error);
    document_destroy(document);
    return world;
}

struct host_world *host_registry_open(struct host_registry *registry, struct document *document,
                                      const struct host_image *image, const struct protocol_string *name,
                                      struct protocol_error *error)
{
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    if (name != NULL) {
        settings.name = *name;
        settings.has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME;
    }
    return add(registry,
               &(struct seed){
                   .name = name_of(&settings), .settings = &settings, .document = document, .image = image},
               error);
}

struct host_world *host_registry_restore(struct host_registry *registry, const struct host_restored *restored,
                                         struct protocol_error *error)
{
    struct protocol_world_create_params settings;
    document_settings(restored->document, &settings);
    settings.name = protocol_text(restored->name);
    settings.has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME;
    return add(registry,
               &(struct seed){.id = restored->id,
                              .name = settings.name,
                              .settings = &settings,
                              .document = restored->document,
                              .kept = restored->kept},
               error);
}

struct host_world *host_registry_show(struct host_registry *registry, const struct host_view *view,
                                      struct document *document, struct protocol_error *error)
{
    BASE_ASSERT(registry->views < PROTOCOL_LIMIT_VIEWS);
    const struct host_world *of = host_registry_find_any(registry, view->of);
    BASE_ASSERT(of != NULL);
    if (!ids_left(registry, error))
        return NULL;
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    struct host_world *world = calloc(1, sizeof *world);
    if (world != NULL) {
        world->registry = registry;
        world->worlds = &registry->worlds;
        world->view = *view;
        host_gate_init(&world->gate, HOST_GATE_OPEN);
        world->id = ++registry->last_id;
        world->entry =
            host_runner_add(registry->runner, &(struct host_runner_client){on_turn, on_removed, world});
    }
    if (world != NULL && world->entry != NULL)
        world->world = world_create(&(struct world_options){
            .id = world->id,
            .name = of->name,
            .settings = &settings,
            .document = document,
            .view = {.of = of->id, .name = of->name, .session = view->session},
            .sessions_max = registry->sessions_max,
            .parallel = host_runner_parallel(registry->runner),
            .on_output = on_output,
            .on_input = on_input,
            .others_wait = others_wait,
            .context = world,
        });
    if (world == NULL || world->world == NULL) {
        discard(world);
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a view");
        return NULL;
    }
    registry->worlds.items[registry->worlds.count++] = world;
    registry->views++;
    return world;
}
