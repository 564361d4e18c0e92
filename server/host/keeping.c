#include "host/keeping.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "cluster/cluster.h"
#include "host/delivery.h"
#include "host/world_internal.h"
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
    struct net_loop *loop;
    struct store *store;
    struct host_registry *registry; // NULL: none yet
    struct net_wake *wake;

    struct base_mutex mutex;
    struct commit *commits; // commits since the loop looked
    uint32_t count, capacity;
    bool more; // there were more than there is room for: every world is asked
    bool trouble_told;
    uint64_t patience_ns;
    void (*on_failure)(void *context, const char *text); // NULL: the process ends
    void *context;
};

// ---------------------------------------------------------------------------------------------------------
// The store's thread

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    struct host_keeping *keeping = context;
    base_mutex_lock(&keeping->mutex);
    uint32_t at = 0;
    while (at < keeping->count && keeping->commits[at].list != list) {
        at++;
    }
    if (at < keeping->capacity) {
        keeping->commits[at] = (struct commit){list, position};
    } else {
        keeping->more = true;
    }
    keeping->count += at == keeping->count && at < keeping->capacity;
    base_mutex_unlock(&keeping->mutex);
    net_wake_send(keeping->wake);
}

// Wakes all worlds. They find out themselves what has changed.
static void look_at_worlds(struct host_keeping *keeping)
{
    base_mutex_lock(&keeping->mutex);
    keeping->trouble_told = true;
    base_mutex_unlock(&keeping->mutex);
    net_wake_send(keeping->wake);
}

static void on_full(void *context, bool full, const char *text)
{
    struct host_keeping *keeping = context;
    if (full) {
        base_log(BASE_LOG_ERROR, "the store takes nothing: worlds are read-only until it does: %s", text);
    } else {
        base_log(BASE_LOG_INFO, "the store takes more again: worlds go on");
    }
    look_at_worlds(keeping);
}

static void on_lost(void *context, uint32_t list, const char *text)
{
    base_log(BASE_LOG_ERROR, "world %" PRIu32 " is kept no more: %s", list, text);
    look_at_worlds(context);
}

// It is unknown whether what was written is there, and another try would not tell: the system may have
// dropped what it could not write. What was not answered is not promised. What was answered is on the disk.
static void on_failure(void *context, const char *text)
{
    const struct host_keeping *keeping = context;
    if (keeping->on_failure) {
        keeping->on_failure(keeping->context, text);
        return;
    }
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
    if (!world) {
        return;
    }
    host_registry_kept(world);
    host_deliver_durable(world, position);
}

static void every_world(struct host_keeping *keeping, bool nudge)
{
    for (uint32_t i = 0; i < host_registry_count(keeping->registry); i++) {
        struct host_world *world = host_registry_at(keeping->registry, i);
        struct store_pending pending;
        store_pending(keeping->store, world->id, &pending);
        if (pending.durable > 0) {
            durable(keeping, world->id, pending.durable);
        }
        if (nudge && pending.lost) {
            host_deliver_lost(world);
        }
        // A new world's first image waits until there is room, and it is unknown when that is.
        if (nudge && (pending.lost || (pending.full && !pending.away))) {
            host_registry_not_kept(world, false);
        }
        if (nudge) {
            host_deliver_full(world, pending.full || pending.lost, pending.stuck);
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
        for (uint32_t i = 0; i < count; i++) {
            taken[i] = keeping->commits[keeping->count + i];
        }
        const bool all = keeping->more || keeping->trouble_told, nudge = keeping->trouble_told;
        keeping->more = keeping->trouble_told = false;
        base_mutex_unlock(&keeping->mutex);
        if (!keeping->registry) {
            return;
        }
        for (uint32_t i = 0; i < count; i++) {
            durable(keeping, taken[i].list, taken[i].position);
        }
        if (all) {
            every_world(keeping, nudge);
        }
    } while (count > 0);
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct host_keeping *host_keeping_create(struct net_loop *loop, const struct host_keeping_options *options,
                                         struct store_error *error)
{
    struct host_keeping *keeping = calloc(1, sizeof *keeping);
    (void)fault_set(&error->fault, FAULT_MEMORY, NULL, "no memory for the store");
    if (!keeping) {
        return NULL;
    }
    base_mutex_init(&keeping->mutex);
    keeping->loop = loop;
    keeping->capacity = options->worlds;
    keeping->patience_ns = UINT64_C(1000000) * options->patience_ms;
    keeping->on_failure = options->on_failure;
    keeping->context = options->context;
    keeping->commits = calloc(keeping->capacity, sizeof *keeping->commits);
    keeping->wake = net_wake_create(loop, on_wake, keeping);
    const struct store_options store = {
        .folder = options->folder,
        .brokers = options->brokers,
        .check = options->check,
        .authorities = options->authorities,
        .certificate = options->certificate,
        .key = options->key,
        .credentials = options->credentials,
        .check_credentials = options->check_credentials,
        .patience_ms = options->patience_ms,
        .acks = options->brokers_alone ? STORE_ACKS_BROKERS : STORE_ACKS_BOTH,
        .keep_seconds = options->keep_seconds,
        .keep_bytes = options->keep_bytes,
        .bin_seconds = options->bin_seconds,
        .reserve_bytes = RESERVE_BYTES,
        .on_commit = on_commit,
        .on_full = on_full,
        .on_lost = on_lost,
        .on_failure = on_failure,
        .context = keeping,
    };
    if (keeping->commits && keeping->wake) {
        keeping->store =
            options->open ? options->open(options->context, &store, error) : store_open(&store, error);
    }
    if (keeping->store) {
        return keeping;
    }
    host_keeping_destroy(keeping);
    return NULL;
}

void host_keeping_destroy(struct host_keeping *keeping)
{
    if (!keeping) {
        return;
    }
    store_close(keeping->store);
    if (keeping->wake) {
        net_wake_destroy(keeping->wake);
    }
    base_mutex_deinit(&keeping->mutex);
    free(keeping->commits);
    free(keeping);
}

struct store *host_keeping_store(struct host_keeping *keeping)
{
    return keeping->store;
}

// ---------------------------------------------------------------------------------------------------------
// Coming back: read, which may take long, then hosted, which is the loop's

// Tells in the log why a world does not come back. It stays in the store. Always returns false.
static bool refuse(const struct store_list *list, const char *why)
{
    base_log(BASE_LOG_ERROR, "world %" PRIu32 " \"%s\" is not opened: %s", list->list, list->label, why);
    return false;
}

// A world on its way from the store.
struct host_coming {
    struct host_keeping *keeping;
    struct store_list list;
    uint64_t epoch;
    struct past_end end;
    struct past_steps steps;
    struct world_edit_ids *edit_ids;
    double cost_s;
    bool shared; // by several servers
    bool moved;  // another server gave it
    struct world_held *held;
    uint32_t held_count;
    bool read, lasting;
    struct store_error error; // IO: the store takes nothing any more
    char why[FAULT_TEXT_SIZE];
    void (*on_done)(void *context, uint32_t world, const struct host_fetched *fetched);
    void *context;
};

// Puts the world into the registry. False with *error, which is told in the log.
static bool host(struct host_coming *coming, struct world_edit_ids *edit_ids, struct protocol_error *error)
{
    struct host_keeping *keeping = coming->keeping;
    const struct store_list *list = &coming->list;
    struct past_end *end = &coming->end;
    const char *name = end->document->name[0] != '\0' ? end->document->name : list->label;
    const struct host_restored restored = {
        .id = list->list,
        .name = name,
        .document = end->document,
        .kept = {.epoch = coming->epoch,
                 .position = end->position,
                 .sequence = end->sequence,
                 .steps = &coming->steps,
                 .cost_s = coming->cost_s,
                 .image_age_s = end->image_age_s,
                 .exact_solver = end->exact_solver,
                 .exact_tick = end->exact_tick,
                 .held = coming->held,
                 .held_count = coming->held_count},
    };
    const uint64_t tick = end->document->tick;
    struct host_world *world = host_registry_restore(keeping->registry, &restored, error);
    if (!world) {
        world_edit_ids_destroy(edit_ids);
        return refuse(list, error->text);
    }
    world_know_edits(world->world, edit_ids);
    if (end->playing) {
        world_play(world->world, end->rate, true, base_now_ns());
    }
    world_nudge(world->world);
    base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is back at tick %" PRIu64 "%s", list->list, world->name,
             tick, end->playing ? ", playing" : "");
    if (end->warning[0] != '\0') {
        base_log(BASE_LOG_WARN, "world %" PRIu32 " \"%s\": %s", list->list, world->name, end->warning);
    }
    return true;
}

static void coming_deinit(struct host_coming *coming)
{
    document_destroy(coming->end.document);
    past_steps_deinit(&coming->steps);
    world_edit_ids_destroy(coming->edit_ids);
    free(coming->held);
}

// Takes the list over and reads the world's last state. No other server writes the list after that. Any
// thread.
static void read_coming(struct host_coming *coming, struct store_reader *reader)
{
    struct protocol_error refused = {0};
    struct past_end *end = &coming->end;
    coming->epoch = store_take_over(coming->keeping->store, coming->list.list, &coming->error);
    if (coming->epoch == 0) {
        snprintf(coming->why, sizeof coming->why, "%s", coming->error.fault.text);
        coming->lasting =
            coming->error.fault.code == FAULT_DAMAGED || coming->error.fault.code == FAULT_VERSION;
        return;
    }
    struct past *past = past_open(reader, coming->list.list, &refused);
    const uint64_t began_ns = base_now_ns();
    const bool ended = past && past_end(past, end, &refused);
    coming->cost_s = (double)(base_now_ns() - began_ns) * 1e-9; // an image saves only this time
    coming->read = ended && (end->deleted || (coming->edit_ids = world_edit_ids_of(past, &refused)));
    if (coming->read && !end->deleted) {
        past_steps_read(past, WORLD_STEPS_MAX, PROTOCOL_LIMIT_UNDO_WORLD_BYTES, &coming->steps);
    }
    if (coming->read && !end->deleted && coming->moved) {
        coming->held = world_held_of(past, end->document, &coming->held_count);
    }
    past_close(past);
    snprintf(coming->why, sizeof coming->why, "%s", refused.text);
    coming->lasting = !coming->read && refused.code != PROTOCOL_CODE_MEMORY;
    if (!coming->read && coming->shared) { // another server may succeed
        (void)store_let_go(coming->keeping->store, coming->list.list, NULL);
    }
}

// Gets the name of a new world from the cluster's key, if the list has none: its server died before brokers
// had more of it than its records.
static void know_label(struct host_coming *coming)
{
    const struct host_keeping *keeping = coming->keeping;
    struct cluster *cluster = host_registry_cluster(keeping->registry);
    char label[CLUSTER_NAME_SIZE];
    if (coming->list.label[0] != '\0' || !cluster || !cluster_label(cluster, coming->list.list, label)) {
        return;
    }
    snprintf(coming->list.label, sizeof coming->list.label, "%s", label);
    (void)store_label(keeping->store, coming->list.list, label);
}

static bool host_coming(struct host_coming *coming)
{
    struct host_keeping *keeping = coming->keeping;
    struct protocol_error error = {0};
    know_label(coming);
    if (!coming->read) {
        return refuse(&coming->list, coming->why);
    }
    if (coming->end.deleted) {
        struct cluster *cluster = host_registry_cluster(keeping->registry);
        if (cluster) {
            cluster_release(cluster, coming->list.list);
        }
        return store_bin(keeping->store, coming->list.list);
    }
    struct world_edit_ids *edit_ids = coming->edit_ids;
    coming->edit_ids = NULL; // the world has taken them
    const bool runs = host(coming, edit_ids, &error);
    if (!runs) {
        snprintf(coming->why, sizeof coming->why, "%s", error.text);
    }
    return runs;
}

// Reads with patience: brokers that have just started choose a leader for each stream. The store itself waits
// for some seconds.
static void read_patiently(struct host_coming *coming, struct store_reader *reader)
{
    const uint64_t until_ns = base_now_ns() + coming->keeping->patience_ns;
    read_coming(coming, reader);
    while (coming->epoch == 0 && coming->error.fault.code == FAULT_IO && coming->error.passing &&
           base_now_ns() < until_ns) {
        base_log(BASE_LOG_WARN, "world %" PRIu32 " \"%s\" waits for brokers: %s", coming->list.list,
                 coming->list.label, coming->why);
        read_coming(coming, reader);
    }
}

// Brings one world back. *error is set if the store takes nothing any more: then no world can be opened.
static bool recover(struct host_keeping *keeping, struct store_reader *reader, const struct store_list *list,
                    struct store_error *error)
{
    struct cluster *cluster = host_registry_cluster(keeping->registry);
    struct host_coming coming = {.keeping = keeping, .list = *list, .shared = cluster != NULL};
    read_patiently(&coming, reader);
    const bool done = host_coming(&coming);
    if (!done && cluster) {
        cluster_fail(cluster, list->list, coming.lasting, coming.why);
    }
    *error = coming.error;
    coming_deinit(&coming);
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Later, beside the loop

static void work_coming(void *context)
{
    struct host_coming *coming = context;
    struct store_reader *reader = store_reader_open(coming->keeping->store, &coming->error);
    if (!reader) {
        snprintf(coming->why, sizeof coming->why, "%s", coming->error.fault.text);
        return;
    }
    read_coming(coming, reader);
    struct store_list now;
    if (store_list_find(reader, coming->list.list, &now, NULL) == FAULT_NONE) {
        coming->list = now; // has its label
    }
    store_reader_close(reader);
}

static void coming_done(void *context)
{
    struct host_coming *coming = context;
    struct host_keeping *keeping = coming->keeping;
    // If another server has it by now, that one writes under a later epoch.
    const bool ours =
        cluster_where(host_registry_cluster(keeping->registry), coming->list.list, NULL) == CLUSTER_HERE;
    const bool runs = ours && host_coming(coming);
    coming->on_done(coming->context, coming->list.list,
                    &(struct host_fetched){.runs = runs, .lasting = coming->lasting, .why = coming->why});
    coming_deinit(coming);
    free(coming);
}

bool host_keeping_fetch(struct host_keeping *keeping, uint32_t world, bool moved,
                        void (*on_done)(void *context, uint32_t world, const struct host_fetched *fetched),
                        void *context)
{
    struct host_coming *coming = calloc(1, sizeof *coming);
    if (!coming) {
        return false;
    }
    *coming = (struct host_coming){
        .keeping = keeping, .shared = true, .moved = moved, .on_done = on_done, .context = context};
    coming->list.list = world;
    const bool taken = net_work(keeping->loop, work_coming, coming_done, coming);
    if (!taken) {
        free(coming);
    }
    return taken;
}

// ---------------------------------------------------------------------------------------------------------
// At the start

// Whether this server is to open a world, if several servers share them.
static bool is_ours(struct host_keeping *keeping, const struct store_list *list)
{
    char text[CLUSTER_TEXT_SIZE];
    struct cluster *cluster = host_registry_cluster(keeping->registry);
    const enum cluster_place place =
        cluster ? cluster_take(cluster, list->list, list->label, text) : CLUSTER_HERE;
    if (place == CLUSTER_NOWHERE) {
        (void)refuse(list, text);
    } else if (place != CLUSTER_HERE) {
        base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is another server's", list->list, list->label);
    }
    return place == CLUSTER_HERE;
}

bool host_keeping_recover(struct host_keeping *keeping, struct host_registry *registry,
                          struct store_error *error)
{
    keeping->registry = registry;
    error->fault.code = FAULT_NONE;
    struct store_reader *reader = store_reader_open(keeping->store, error);
    struct store_list *lists = NULL;
    uint32_t count = 0, refused = 0;
    if (!reader) {
        return false;
    }
    bool read = store_lists(reader, &lists, &count, error) == FAULT_NONE;
    for (uint32_t i = 0; read && i < count; i++) {
        if (!lists[i].binned && is_ours(keeping, &lists[i]) && !recover(keeping, reader, &lists[i], error)) {
            refused++;
        }
        read = error->fault.code != FAULT_IO;
    }
    if (refused > 0) {
        base_log(BASE_LOG_ERROR,
                 "%" PRIu32 " of %" PRIu32
                 " worlds could not be opened, the others are; weft verify names what is "
                 "damaged, and weft bake --from DIR/WORLD@TICK takes a world as it was before that",
                 refused, count);
    }
    free(lists);
    store_reader_close(reader);
    return read;
}
