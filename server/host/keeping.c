#include "host/keeping.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "host/delivery.h"
#include "host/registry.h"
#include "net/net.h"
#include "past/past.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LAST_WORDS_MS = 1000,
    RESERVE_BYTES = 8 * 1024 * 1024, // twice what a world may be ahead of its store
};

struct commit {
    uint32_t list;
    uint64_t position;
};

struct host_keeping {
    struct store *store;
    struct host_registry *registry; // NULL: none yet
    struct net_wake *wake;

    struct base_mutex mutex;
    struct commit *commits; // since the loop looked
    uint32_t count, capacity;
    bool more; // than there is room for: ask of every world
    bool full_told;
};

// ---------------------------------------------------------------------------------------------------------
// The store's thread

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    struct host_keeping *keeping = context;
    base_mutex_lock(&keeping->mutex);
    uint32_t at = 0;
    while (at < keeping->count && keeping->commits[at].list != list)
        at++;
    if (at < keeping->capacity)
        keeping->commits[at] = (struct commit){list, position};
    else
        keeping->more = true;
    keeping->count += at == keeping->count && at < keeping->capacity;
    base_mutex_unlock(&keeping->mutex);
    net_wake_send(keeping->wake);
}

static void on_full(void *context, bool full, const char *text)
{
    struct host_keeping *keeping = context;
    if (full)
        base_log(BASE_LOG_ERROR, "the store has no room: worlds are read-only until there is some: %s", text);
    else
        base_log(BASE_LOG_INFO, "the store has room again: worlds go on");
    base_mutex_lock(&keeping->mutex);
    keeping->full_told = true;
    base_mutex_unlock(&keeping->mutex);
    net_wake_send(keeping->wake);
}

static void on_lost(void *context, uint32_t list, const char *text)
{
    (void)context;
    base_log(BASE_LOG_ERROR, "world %" PRIu32 " is kept no more: %s", list, text);
}

// Whether what was written is there, nobody can say now, also not by trying again: the system may have forgotten what it
// could not write. Nothing that was not answered is promised; what was is on the disk.
static void on_failure(void *context, const char *text)
{
    (void)context;
    base_log(BASE_LOG_ERROR,
             "the store failed: %s; the server ends, and goes on from what is durable when it is started",
             text);
    base_log_stop(LAST_WORDS_MS);
    _exit(EXIT_FAILURE);
}

// ---------------------------------------------------------------------------------------------------------
// Loop

static void durable(struct host_keeping *keeping, uint32_t list, uint64_t position)
{
    struct host_world *world = host_registry_find_any(keeping->registry, list);
    if (world == NULL)
        return;
    host_registry_kept(world);
    host_deliver_durable(world, position);
}

static void every_world(struct host_keeping *keeping, bool nudge)
{
    for (uint32_t i = 0; i < host_registry_count(keeping->registry); i++) {
        struct host_world *world = host_registry_at(keeping->registry, i);
        struct store_pending pending;
        store_pending(keeping->store, world->id, &pending);
        if (pending.durable > 0)
            durable(keeping, world->id, pending.durable);
        if (nudge) {
            host_deliver_full(world, pending.full);
            world_nudge(world->world);
        }
    }
}

static void on_wake(void *context)
{
    struct host_keeping *keeping = context;
    struct commit taken[64];
    uint32_t count;
    do {
        base_mutex_lock(&keeping->mutex);
        count = keeping->count < 64 ? keeping->count : 64;
        keeping->count -= count;
        for (uint32_t i = 0; i < count; i++)
            taken[i] = keeping->commits[keeping->count + i];
        const bool all = keeping->more || keeping->full_told, nudge = keeping->full_told;
        keeping->more = keeping->full_told = false;
        base_mutex_unlock(&keeping->mutex);
        if (keeping->registry == NULL)
            return;
        for (uint32_t i = 0; i < count; i++)
            durable(keeping, taken[i].list, taken[i].position);
        if (all)
            every_world(keeping, nudge);
    } while (count > 0);
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct host_keeping *host_keeping_create(struct net_loop *loop, const struct host_keeping_options *options,
                                         struct store_error *error)
{
    struct host_keeping *keeping = calloc(1, sizeof *keeping);
    error->status = STORE_MEMORY;
    snprintf(error->text, sizeof error->text, "no memory for the store");
    if (keeping == NULL)
        return NULL;
    base_mutex_init(&keeping->mutex);
    keeping->capacity = options->worlds;
    keeping->commits = calloc(keeping->capacity, sizeof *keeping->commits);
    keeping->wake = net_wake_create(loop, on_wake, keeping);
    if (keeping->commits != NULL && keeping->wake != NULL)
        keeping->store = store_open(
            &(struct store_options){
                .folder = options->folder,
                .keep_seconds = options->keep_seconds,
                .keep_bytes = options->keep_bytes,
                .bin_seconds = options->bin_seconds,
                .reserve_bytes = RESERVE_BYTES,
                .on_commit = on_commit,
                .on_full = on_full,
                .on_lost = on_lost,
                .on_failure = on_failure,
                .context = keeping,
            },
            error);
    if (keeping->store != NULL)
        return keeping;
    host_keeping_destroy(keeping);
    return NULL;
}

void host_keeping_destroy(struct host_keeping *keeping)
{
    if (keeping == NULL)
        return;
    store_close(keeping->store);
    if (keeping->wake != NULL)
        net_wake_destroy(keeping->wake);
    base_mutex_deinit(&keeping->mutex);
    free(keeping->commits);
    free(keeping);
}

struct store *host_keeping_store(struct host_keeping *keeping)
{
    return keeping->store;
}

// ---------------------------------------------------------------------------------------------------------
// Coming back

// Why a world does not come back is told; it stays in the store.
static bool refuse(const struct store_list *list, const char *why)
{
    base_log(BASE_LOG_ERROR, "world %" PRIu32 " \"%s\" is not opened: %s", list->list, list->label, why);
    return false;
}

static bool host(struct host_keeping *keeping, const struct store_list *list, struct past_end *end,
                 double cost_s, struct world_edit_ids *edit_ids, const struct past_steps *steps,
                 struct store_error *taken)
{
    struct protocol_error error = {0};
    const char *name = end->document->name[0] != '\0' ? end->document->name : list->label;
    const struct host_restored restored = {
        .id = list->list,
        .name = name,
        .document = end->document,
        .kept = {.epoch = store_take_over(keeping->store, list->list, taken),
                 .position = end->position,
                 .sequence = end->sequence,
                 .steps = steps,
                 .cost_s = cost_s,
                 .redone = end->exact_tick != UINT64_MAX},
    };
    const uint64_t tick = end->document->tick;
    struct host_world *world =
        restored.kept.epoch != 0 ? host_registry_restore(keeping->registry, &restored, &error) : NULL;
    if (world == NULL) {
        world_edit_ids_destroy(edit_ids);
        return refuse(list, restored.kept.epoch != 0 ? error.text : taken->text);
    }
    world_know_edits(world->world, edit_ids);
    if (end->playing)
        world_play(world->world, end->rate, true, base_now_ns());
    world_nudge(world->world);
    base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is back at tick %" PRIu64 "%s", list->list, world->name,
             tick, end->playing ? ", playing" : "");
    if (end->warning[0] != '\0')
        base_log(BASE_LOG_WARN, "world %" PRIu32 " \"%s\": %s", list->list, world->name, end->warning);
    return true;
}

// *error, where the store takes nothing any more: then none can be opened.
static bool recover(struct host_keeping *keeping, struct store_reader *reader, const struct store_list *list,
                    struct store_error *error)
{
    struct protocol_error refused = {0};
    struct past_end end = {0};
    struct past *past = past_open(reader, list->list, &refused);
    struct world_edit_ids *edit_ids = NULL;
    struct past_steps steps = {0};
    const uint64_t began_ns = base_now_ns();
    const bool ended = past != NULL && past_end(past, &end, &refused);
    const double cost_s = (double)(base_now_ns() - began_ns) * 1e-9; // an image spares only this
    const bool read = ended && (end.deleted || (edit_ids = world_edit_ids_of(past, &refused)) != NULL);
    if (read && !end.deleted)
        past_steps_read(past, WORLD_STEPS_MAX, PROTOCOL_LIMIT_UNDO_WORLD_BYTES, &steps);
    past_close(past);
    if (!read) {
        document_destroy(end.document);
        return refuse(list, refused.text);
    }
    bool done = end.deleted || host(keeping, list, &end, cost_s, edit_ids, &steps, error);
    if (end.deleted)
        done = store_bin(keeping->store, list->list);
    document_destroy(end.document);
    past_steps_deinit(&steps);
    return done;
}

bool host_keeping_recover(struct host_keeping *keeping, struct host_registry *registry,
                          struct store_error *error)
{
    keeping->registry = registry;
    error->status = STORE_OK;
    struct store_reader *reader = store_reader_open(keeping->store, error);
    struct store_list *lists = NULL;
    uint32_t count = 0, refused = 0;
    if (reader == NULL)
        return false;
    bool read = store_lists(reader, &lists, &count, error) == STORE_OK;
    for (uint32_t i = 0; read && i < count; i++) {
        if (!lists[i].binned && !recover(keeping, reader, &lists[i], error))
            refused++;
        read = error->status != STORE_IO;
    }
    if (refused > 0)
        base_log(BASE_LOG_ERROR,
                 "%" PRIu32 " of %" PRIu32 " worlds could not be opened; weft verify looks at all of them",
                 refused, count);
    free(lists);
    store_reader_close(reader);
    return read;
}
