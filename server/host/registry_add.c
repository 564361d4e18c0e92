// Adds worlds: new ones, worlds of a document, worlds back from the store, and views of their past.
//
//     check ─▶ id, name ─▶ runner's entry ─▶ list of the store, with the first image ─▶ world ─▶ in the registry
#include "host/registry_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "cluster/cluster.h"
#include "host/names.h"
#include "host/runner.h"
#include "protocol/error.h"
#include "sim/sim.h"
#include "store/store.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t on_turn(void *context, uint64_t now_ns)
{
    enum { STALE_RETRY_NS = 20 * 1000 * 1000 };
    struct host_world *world = context;
    return host_registry_fresh(world->registry) ? world_turn(world->world, now_ns) : now_ns + STALE_RETRY_NS;
}

static void on_removed(void *context)
{
    host_world_idle(context);
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

static bool name_reserve(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error)
{
    return host_name_reserve(context, name, id, error);
}

// ---------------------------------------------------------------------------------------------------------

// Returns the next id. Worlds and views share their ids, and no id is used twice, by no server that shares
// the store either. 0 with *error: there is none.
static uint32_t next_id(struct host_registry *registry, struct protocol_error *error)
{
    uint32_t id = 0;
    if (registry->store) {
        id = store_list_id(registry->store);
    } else if (registry->last_id < UINT32_MAX) {
        id = ++registry->last_id;
    }
    if (id == 0) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                           "there is no id for another world now; try again later");
    }
    return id;
}

static bool settings_check(const struct host_registry *registry,
                           const struct protocol_world_create_params *settings, uint32_t id,
                           struct protocol_error *error)
{
    if (!sim_resolution_valid(settings->resolution)) {
        protocol_error_set(
            error, PROTOCOL_CODE_INVALID, "resolution",
            "resolution %.17g is not a power of two in range; 2^-27 = 7.450580596923828e-09 is the default",
            settings->resolution);
        snprintf(error->value, sizeof error->value, "%.17g", settings->resolution);
        return false;
    }
    if (!document_settings_check(settings, error)) {
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
    return !named || (host_name_check(&registry->worlds, &settings->name, NULL, error) &&
                      host_name_check_elsewhere(&registry->worlds, &settings->name, id, error));
}

// Returns the next id whose default name is free, because another world may have been named "world-7".
static uint32_t default_name(struct host_registry *registry, char out[HOST_NAME_SIZE],
                             struct protocol_error *error)
{
    struct protocol_string name = {.data = out};
    uint32_t id;
    do {
        id = next_id(registry, error);
        name.size = (uint32_t)snprintf(out, HOST_NAME_SIZE, "world-%" PRIu32, id);
    } while (id != 0 && (host_name_taken(&registry->worlds, &name, NULL) ||
                         !host_name_check_elsewhere(&registry->worlds, &name, id, NULL)));
    return id;
}

// Frees a world that was made only in part. It was never woken, so no turn can run.
static void discard(struct host_world *world)
{
    if (!world) {
        return;
    }
    if (world->entry) {
        (void)host_runner_remove(world->entry);
    }
    host_world_free(world);
}

struct host_image host_image_of(struct document *document)
{
    struct host_image image = {0};
    struct protocol_bytes bytes = {0};
    document_let_go(document);
    image.hash = document_hash(document);
    if (document_image_pack(document, &bytes)) {
        image.bytes = base_buffer_create(bytes.size, NULL);
    }
    if (image.bytes) {
        memcpy(image.bytes->data, bytes.data, bytes.size);
    }
    protocol_bytes_deinit(&bytes);
    return image;
}

// The parts of which a world is made.
struct seed {
    uint32_t id; // 0: the next one
    struct protocol_string name;
    const struct protocol_world_create_params *settings;
    struct document *document;
    const struct host_image *image; // NULL: it is made here
    struct world_kept kept;
};

// Makes a new list in the store, with the first image of the world.
static bool keep_new(const struct host_world *world, const struct seed *seed)
{
    struct document *document = seed->document;
    host_name_copy(document->name, &(struct protocol_string){world->name, (uint32_t)strlen(world->name)});
    const struct host_image made = seed->image ? *seed->image : host_image_of(document);
    const struct store_image head = {
        .tick = document->tick,
        .hash = made.hash,
        .maker = sim_solver_version(),
        .at = base_wall_us() / 1000000,
    };
    bool kept = made.bytes && store_create(world->store, world->id, world->name, &head, made.bytes);
    if (!seed->image) {
        base_buffer_unref(made.bytes);
    }
    return kept;
}

static bool world_begin(struct host_world *world, const struct seed *seed)
{
    struct host_registry *registry = world->registry;
    const bool is_new = world->store && seed->kept.position == 0;
    if (is_new && !keep_new(world, seed)) {
        return false;
    }
    world->world = world_create(&(struct world_options){
        .id = world->id,
        .name = world->name,
        .settings = seed->settings,
        .document = seed->document,
        .store = world->store,
        .kept = seed->kept,
        .tick_ns = registry->tick_ns,
        .frames = registry->frames,
        .lossless_bytes = registry->lossless_bytes,
        .hold_ns = registry->hold_ns,
        .sessions_max = registry->sessions_max,
        .parallel = host_runner_parallel(registry->runner),
        .on_output = on_output,
        .on_input = on_input,
        .others_wait = others_wait,
        .name_reserve = name_reserve,
        .context = world,
    });
    if (!world->world && is_new) {
        (void)store_bin(world->store, world->id);
    }
    return world->world != NULL;
}

static bool name_and_id(struct host_registry *registry, struct host_world *world, const struct seed *seed,
                        struct protocol_error *error)
{
    if (seed->id == 0 && seed->name.size == 0) {
        world->id = default_name(registry, world->name, error);
    } else {
        world->id = seed->id != 0 ? seed->id : next_id(registry, error);
        host_name_copy(world->name, &seed->name);
    }
    host_name_look(world);
    return world->id != 0;
}

// Refuses a world that could not be kept.
static bool room_check(const struct host_registry *registry, const struct seed *seed,
                       struct protocol_error *error)
{
    struct store_pending pending = {0};
    if (registry->store && seed->kept.position == 0) {
        store_pending(registry->store, 0, &pending);
    }
    if (pending.full) {
        protocol_error_set(error, PROTOCOL_CODE_READ_ONLY, NULL,
                           "the server has no room to keep another world; try again when there is some");
    }
    return !pending.full;
}

// Inserts a world by its id. An id from another server may be greater than those that this one gives.
static void insert(struct host_registry *registry, struct host_world *world)
{
    const uint32_t place = host_registry_place(registry, world->id);
    base_mutex_lock(registry->worlds.mutex);
    memmove(&registry->worlds.items[place + 1], &registry->worlds.items[place],
            (registry->worlds.count - place) * sizeof registry->worlds.items[0]);
    registry->worlds.items[place] = world;
    registry->worlds.count++;
    base_mutex_unlock(registry->worlds.mutex);
}

static struct host_world *add(struct host_registry *registry, const struct seed *seed,
                              struct protocol_error *error)
{
    // A world that was here before keeps its name.
    const bool is_new = seed->kept.position == 0 && seed->name.size > 0;
    if (!settings_check(registry, seed->settings, seed->id, error) || !room_check(registry, seed, error) ||
        (is_new && !host_name_apart(&registry->worlds, &seed->name, NULL, error))) {
        return NULL;
    }
    struct host_world *world = calloc(1, sizeof *world);
    if (!world) {
        goto cleanup;
    }
    world->registry = registry;
    world->worlds = &registry->worlds;
    world->store = registry->store;
    // A world that is stored nowhere else need not wait for that.
    const bool waits = world->store && store_lasts(world->store);
    host_gate_init(&world->gate, waits ? seed->kept.position : HOST_GATE_OPEN);
    if (!name_and_id(registry, world, seed, error)) {
        discard(world);
        return NULL;
    }
    world->entry =
        host_runner_add(registry->runner, &(struct host_runner_client){on_turn, on_removed, world});
    if (!world->entry || !world_begin(world, seed)) {
        goto cleanup;
    }
    insert(registry, world);
    struct cluster *cluster = registry->worlds.cluster;
    world->stored = seed->kept.position > 0;
    world->claimed = !cluster || cluster_where(cluster, world->id, NULL) == CLUSTER_HERE;
    host_gate_hold(&world->gate, waits && seed->kept.position == 0 && !world->claimed);
    if (cluster) {
        cluster_claim(cluster, world->id,
                      world->name); // a world that was here before may have another name by now
    }
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
    if (!settings_check(registry, settings, 0, error)) {
        return NULL;
    }
    struct document *document = document_create(settings);
    if (!document) {
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
    if (name) {
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
    BASE_ASSERT(of);
    const uint32_t id = next_id(registry, error);
    if (id == 0) {
        return NULL;
    }
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    struct host_world *world = calloc(1, sizeof *world);
    if (world) {
        world->registry = registry;
        world->worlds = &registry->worlds;
        world->view = *view;
        host_gate_init(&world->gate, HOST_GATE_OPEN);
        world->id = id;
        world->entry =
            host_runner_add(registry->runner, &(struct host_runner_client){on_turn, on_removed, world});
    }
    if (world && world->entry) {
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
    }
    if (!world || !world->world) {
        discard(world);
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a view");
        return NULL;
    }
    insert(registry, world);
    registry->views++;
    return world;
}
