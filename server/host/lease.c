#include "host/lease.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "host/delivery.h"
#include "host/keeping.h"
#include "host/session.h"
#include "host/world_internal.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/generated/api.h"
#include "sim/sim.h"
#include "store/store.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOAD_MS = 1000,
    BUSY_MS = 4,
    AGAIN_MS = 300,
    TRIES = 20,        // tries to open a world
    TRIES_DAMAGED = 2, // tries to open a world whose kept data is damaged
    OPEN_S = 30,       // seconds that all tries may take
    MEND_MS = 2500, // time that another server may need to say that it has a world whose writing ended here
    MENDS = 3,      // mends of a world within MENDED_S
    MENDED_S = 600,
    CHECK_MS = 20,
    IMAGE_MS = 10000,
    STAND_MS = 2000,
    MOVES_MAX = 256,
    DRAINED_AT_ONCE = 4,
};

// A world that is to be opened.
struct arrival {
    struct arrival *next;
    uint32_t world, tries;
    bool moved; // another server gave it
    bool working, over;
    uint64_t begun_ns, due_ns;
};

// A world whose writing has ended although this server still has it. It is opened again, which gives brokers
// back what they lost. If that does not help, the world is given back to the cluster.
struct mend {
    struct mend *next;
    uint32_t world, times;
    uint64_t lost_ns; // since when its writing has ended; 0: it has not
    uint64_t last_ns; // when it was opened again last
};

// AT_LAST_IMAGE: the world stands, and an image of it there is made for a server with another solver.
enum stage { AT_IMAGE, AT_PREPARE, AT_STAND, AT_LAST_IMAGE, AT_GIVE };

// A world that is to move to another server.
struct move {
    struct move *next;
    struct host_lease *lease;
    uint32_t world;
    struct cluster_server to;
    enum stage stage;
    uint64_t since_ns; // when the stage began
    uint64_t due_ns, stood_ns;
    bool last_image;   // AT_LAST_IMAGE has begun or is over
    uint64_t position; // least position of the image that is wanted
    // Work beside the loop is running; the other server has the world; the move has ended.
    bool checking, has, ended;
    void (*on_done)(void *context, const struct protocol_error *error);
    void *context;
};

struct host_lease {
    struct net_loop *loop;
    struct store *store;
    struct cluster *cluster;
    struct net_wake *wake;
    struct net_timer *load, *busy; // NULL: nothing is under way
    struct host_keeping *keeping;  // NULL: not begun
    struct host_registry *registry;
    struct host_sessions *sessions;
    struct arrival *arrivals;
    struct mend *mends;
    struct move *moves;
    uint32_t move_count;
    struct host_lease_counts counts;
    double spent_s; // seconds that worlds had spent when they were last looked at
    uint64_t spent_ns;
    bool draining;
    uint64_t drain_end_ns, drain_next_ns;
    void (*on_empty)(void *context);
    void *on_empty_context;

    struct base_mutex fetching; // held while a world is fetched for another server
    bool stopped;
};

// ---------------------------------------------------------------------------------------------------------
// The cluster's threads

static void on_event(void *context)
{
    struct host_lease *lease = context;
    net_wake_send(lease->wake);
}

static bool prepare(void *context, uint32_t world, char text[CLUSTER_TEXT_SIZE])
{
    struct host_lease *lease = context;
    struct store_error error = {0};
    base_mutex_lock(&lease->fetching);
    const bool stopped = lease->stopped;
    const bool fetched = !stopped && store_fetch(lease->store, world, &error) == FAULT_NONE;
    base_mutex_unlock(&lease->fetching);
    snprintf(text, CLUSTER_TEXT_SIZE, "%.200s",
             stopped ? "the other server is about to end" : error.fault.text);
    return fetched;
}

// ---------------------------------------------------------------------------------------------------------
// What comes

static void begin_busy(struct host_lease *lease);

static void arrive(struct host_lease *lease, uint32_t world, bool moved)
{
    struct arrival *arrival = calloc(1, sizeof *arrival);
    if (!arrival) {
        base_log(BASE_LOG_ERROR, "no memory to open world %" PRIu32, world);
        cluster_fail(lease->cluster, world, false, "no memory");
        return;
    }
    *arrival =
        (struct arrival){.next = lease->arrivals, .world = world, .moved = moved, .begun_ns = base_now_ns()};
    lease->arrivals = arrival;
    begin_busy(lease);
}

static void arrived(void *context, uint32_t world, const struct host_fetched *fetched)
{
    struct host_lease *lease = context;
    const uint64_t now_ns = base_now_ns();
    for (struct arrival *at = lease->arrivals; at; at = at->next) {
        if (at->world != world || !at->working) {
            continue;
        }
        at->working = false;
        at->due_ns = now_ns + UINT64_C(1000000) * AGAIN_MS;
        at->tries++;
        at->over = fetched->runs || at->tries >= (fetched->lasting ? TRIES_DAMAGED : TRIES) ||
                   now_ns - at->begun_ns > UINT64_C(1000000000) * OPEN_S;
        if (fetched->runs || !at->over) {
            continue;
        }
        base_log(BASE_LOG_ERROR, "world %" PRIu32 " cannot be opened here, so it is given back: %s", world,
                 fetched->why);
        cluster_fail(lease->cluster, world, fetched->lasting, fetched->why);
    }
}

static struct host_world *world_of(const struct host_lease *lease, uint32_t world)
{
    return host_registry_find(lease->registry, &(struct protocol_ref){.id = world});
}

static void turn_arrivals(struct host_lease *lease, uint64_t now_ns)
{
    struct arrival **at = &lease->arrivals;
    while (*at) {
        struct arrival *arrival = *at;
        const bool over =
            !arrival->working && (arrival->over || world_of(lease, arrival->world) ||
                                  cluster_where(lease->cluster, arrival->world, NULL) != CLUSTER_HERE);
        if (over) {
            *at = arrival->next;
            free(arrival);
            continue;
        }
        // A world that left a moment ago may not be gone yet.
        if (!arrival->working && arrival->due_ns <= now_ns &&
            !host_registry_find_any(lease->registry, arrival->world)) {
            arrival->working =
                host_keeping_fetch(lease->keeping, arrival->world, arrival->moved, arrived, lease);
        }
        at = &arrival->next;
    }
}

// ---------------------------------------------------------------------------------------------------------
// What is kept no more

static struct mend *mend_of(struct host_lease *lease, uint32_t world)
{
    struct mend *at = lease->mends;
    while (at && at->world != world) {
        at = at->next;
    }
    if (at || !(at = calloc(1, sizeof *at))) {
        return at;
    }
    *at = (struct mend){.next = lease->mends, .world = world};
    lease->mends = at;
    return at;
}

static bool is_lost(const struct host_lease *lease, const struct host_world *world)
{
    struct store_pending pending;
    if (world->view.of != 0 || world->closing || world->on_kept) {
        return false;
    }
    store_pending(lease->store, world->id, &pending);
    return pending.lost && cluster_where(lease->cluster, world->id, NULL) == CLUSTER_HERE;
}

static void mend(struct host_lease *lease, struct host_world *world, struct mend *mend, uint64_t now_ns)
{
    mend->lost_ns = 0;
    mend->last_ns = now_ns;
    mend->times++;
    host_registry_leave(world, true);
    if (mend->times > MENDS) {
        base_log(BASE_LOG_ERROR, "world %" PRIu32 " was kept no more for %" PRIu32 " times: it is given back",
                 world->id, mend->times);
        cluster_fail(lease->cluster, world->id, true,
                     "what happens in it could not be kept, again and again");
    } else {
        base_log(BASE_LOG_WARN, "world %" PRIu32 " is kept no more, and is opened again", world->id);
        arrive(lease, world->id, false);
    }
}

static void look_at_lost(struct host_lease *lease, uint64_t now_ns)
{
    for (uint32_t i = 0; i < host_registry_count(lease->registry); i++) {
        struct host_world *world = host_registry_at(lease->registry, i);
        struct mend *at = is_lost(lease, world) ? mend_of(lease, world->id) : NULL;
        if (at && at->lost_ns == 0) {
            at->lost_ns = now_ns;
            cluster_look(lease->cluster, world->id); // mostly, another server has it
        } else if (at && now_ns - at->lost_ns > UINT64_C(1000000) * MEND_MS) {
            mend(lease, world, at, now_ns);
        }
    }
    for (struct mend **at = &lease->mends; *at;) {
        struct mend *one = *at;
        const struct host_world *world = world_of(lease, one->world);
        if (!world || !is_lost(lease, world)) {
            one->lost_ns = 0;
        }
        if (one->lost_ns == 0 && now_ns - one->last_ns > UINT64_C(1000000000) * MENDED_S) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// What goes

static struct move *move_of(const struct host_lease *lease, uint32_t world)
{
    struct move *at = lease->moves;
    while (at && (at->world != world || at->ended)) {
        at = at->next;
    }
    return at;
}

// Ends a move. text NULL: the other server has the world. Work beside the loop frees the move when it
// returns.
static void move_end(struct move *move, const char *text)
{
    struct host_lease *lease = move->lease;
    struct host_world *world = world_of(lease, move->world);
    struct protocol_error error = {0};
    move->ended = true;
    if (text) {
        lease->counts.moves_failed++;
        if (world) {
            world_stand(world->world, false);
        }
        base_log(BASE_LOG_WARN, "world %" PRIu32 " does not go to server \"%s\": %s", move->world,
                 move->to.name, text);
        protocol_error_set(&error, PROTOCOL_CODE_CONFLICT, "server", "world %" PRIu32 " stays here: %s",
                           move->world, text);
    } else {
        const double stop_s = (double)(base_now_ns() - move->stood_ns) * 1e-9;
        lease->counts.moves++;
        lease->counts.stop_max_s = stop_s > lease->counts.stop_max_s ? stop_s : lease->counts.stop_max_s;
        base_log(BASE_LOG_INFO, "world %" PRIu32 " goes to server \"%s\"; it stood still for %.0f ms here",
                 move->world, move->to.name, stop_s * 1e3);
        if (world) {
            host_registry_leave(world, false);
        }
    }
    if (move->on_done) {
        move->on_done(move->context, text ? &error : NULL);
    }
    move->on_done = NULL;
}

static void work_check(void *context)
{
    struct move *move = context;
    struct store_error error = {0};
    struct store_image image = {0};
    struct store_reader *reader = store_reader_open(move->lease->store, &error);
    move->has =
        reader &&
        store_image_before(reader, move->world, UINT64_MAX, UINT64_MAX, &image, &error) == FAULT_NONE &&
        image.position >= move->position;
    store_reader_close(reader);
}

static void work_checked(void *context)
{
    struct move *move = context;
    move->checking = false;
}

static void turn_image(struct move *move, uint64_t now_ns)
{
    if (move->has || now_ns > move->since_ns + UINT64_C(1000000) * IMAGE_MS) {
        const bool stands = move->stage == AT_LAST_IMAGE;
        move->stage = stands ? AT_STAND : AT_PREPARE;
        move->since_ns = now_ns;
        if (!stands) {
            cluster_prepare(move->lease->cluster, move->world, move->to.run);
        }
    } else if (move->due_ns <= now_ns) {
        move->due_ns = now_ns + UINT64_C(1000000) * CHECK_MS;
        move->checking = net_work(move->lease->loop, work_check, work_checked, move);
    }
}

static void turn_stand(struct move *move, const struct host_world *world, uint64_t now_ns)
{
    struct world_face face;
    struct store_pending pending;
    world_face(world->world, &face);
    store_pending(world->store, world->id, &pending);
    const bool durable = face.stands && pending.durable >= face.position && !world->gate.first;
    if (durable && move->to.version.solver != sim_solver_version() && !move->last_image &&
        face.state != WORLD_FAILED) {
        // Ticks since the image would be made by the other solver, and not to the same bits.
        move->stage = AT_LAST_IMAGE;
        move->since_ns = now_ns;
        move->last_image = true;
        move->has = false;
        move->position = face.position;
        world_want_image(world->world);
    } else if (durable) {
        move->stage = AT_GIVE;
        cluster_give(move->lease->cluster, move->world, move->to.run);
    } else if (now_ns > move->since_ns + UINT64_C(1000000) * STAND_MS) {
        move_end(move, "it could not be stopped with all of it durable");
    }
}

static void turn_move(struct move *move, uint64_t now_ns)
{
    const struct host_world *world = world_of(move->lease, move->world);
    if (!world) {
        move_end(move, "it is gone");
    } else if (move->stage == AT_IMAGE || move->stage == AT_LAST_IMAGE) {
        turn_image(move, now_ns);
    } else if (move->stage == AT_STAND) {
        turn_stand(move, world, now_ns);
    }
}

static void turn_moves(struct host_lease *lease, uint64_t now_ns)
{
    for (struct move *at = lease->moves; at; at = at->next) {
        if (!at->checking && !at->ended) {
            turn_move(at, now_ns);
        }
    }
    for (struct move **at = &lease->moves; *at;) {
        struct move *move = *at;
        if (move->ended && !move->checking) {
            *at = move->next;
            lease->move_count--;
            free(move);
        } else {
            at = &move->next;
        }
    }
}

static void prepared(struct move *move, const struct cluster_event *event)
{
    struct host_world *world = world_of(move->lease, move->world);
    if (!event->done || !world) {
        move_end(move, !world ? "it is gone" : event->text);
        return;
    }
    move->stage = AT_STAND;
    move->since_ns = move->stood_ns = base_now_ns();
    world_stand(world->world, true);
}

bool host_lease_may_move(const struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                         struct protocol_error *error)
{
    const char *why = !world_of(lease, world) ? "is not here"
                      : to->here              ? "is on this server already"
                      : to->draining          ? "cannot go to a server that is about to end"
                      : move_of(lease, world) ? "is on its way already"
                      : !cluster_may_go(lease->cluster, world, to)
                          ? "stays with servers of the version that ran it last, while there are any"
                      : lease->move_count >= MOVES_MAX ? "has to wait: too many others are on their way"
                                                       : NULL;
    if (why) {
        protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "server", "world %" PRIu32 " %s", world, why);
    }
    return !why;
}

void host_lease_move(struct host_lease *lease, uint32_t world, const struct cluster_server *to,
                     void (*on_done)(void *context, const struct protocol_error *error), void *context)
{
    struct world_face face;
    struct protocol_error error = {0};
    const struct host_world *found = world_of(lease, world);
    struct move *move = calloc(1, sizeof *move);
    if (!move) {
        protocol_error_set(&error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a move");
        if (on_done) {
            on_done(context, &error);
        }
        return;
    }
    world_face(found->world, &face);
    *move = (struct move){.next = lease->moves,
                          .lease = lease,
                          .world = world,
                          .to = *to,
                          .since_ns = base_now_ns(),
                          // A world that has not run here is ready as fast from the image with which it came.
                          .position = face.ticks_run > 0 ? face.position : 0,
                          .on_done = on_done,
                          .context = context};
    lease->moves = move;
    lease->move_count++;
    world_want_image(found->world);
    begin_busy(lease);
}

// ---------------------------------------------------------------------------------------------------------
// All of them

static bool may_go(const struct host_world *world)
{
    return world->view.of == 0 && !world->closing;
}

static void turn_drain(struct host_lease *lease, uint64_t now_ns)
{
    struct protocol_error error;
    struct cluster_server to;
    uint32_t left = 0;
    const bool anyone = cluster_lightest(lease->cluster, true, &to), late = now_ns > lease->drain_end_ns;
    for (uint32_t i = 0; i < host_registry_count(lease->registry); i++) {
        const struct host_world *world = host_registry_at(lease->registry, i);
        if (!may_go(world)) {
            continue;
        }
        left++;
        if (anyone && !late && now_ns >= lease->drain_next_ns && lease->move_count < DRAINED_AT_ONCE &&
            cluster_heir(lease->cluster, world->id, &to) &&
            host_lease_may_move(lease, world->id, &to, &error)) {
            host_lease_move(lease, world->id, &to, NULL, NULL);
        }
    }
    // Worlds that could not go are tried again.
    if (lease->move_count == 0) {
        lease->drain_next_ns = now_ns + UINT64_C(1000000) * AGAIN_MS;
    }
    if (left > 0 && anyone && !late) {
        return;
    }
    if (left > 0) {
        base_log(BASE_LOG_WARN, "%" PRIu32 " worlds stay: %s", left,
                 anyone ? "there is no more time" : "no server is there that takes them");
    }
    lease->draining = false;
    lease->on_empty(lease->on_empty_context);
}

void host_lease_drain(struct host_lease *lease, uint32_t most_ms, void (*on_empty)(void *context),
                      void *context)
{
    lease->draining = true;
    lease->drain_end_ns = base_now_ns() + UINT64_C(1000000) * most_ms;
    lease->on_empty = on_empty;
    lease->on_empty_context = context;
    cluster_tell(lease->cluster, &(struct cluster_load){0}, true);
    begin_busy(lease);
}

// ---------------------------------------------------------------------------------------------------------
// Turns

static void on_busy(void *context)
{
    struct host_lease *lease = context;
    const uint64_t now_ns = base_now_ns();
    turn_arrivals(lease, now_ns);
    turn_moves(lease, now_ns);
    if (lease->draining) {
        turn_drain(lease, now_ns);
    }
    if (!lease->arrivals && !lease->moves && !lease->draining) {
        net_timer_stop(lease->busy);
        lease->busy = NULL;
    }
}

static void begin_busy(struct host_lease *lease)
{
    if (!lease->busy) {
        lease->busy = net_timer_start(lease->loop, 0, BUSY_MS, on_busy, lease);
    }
}

static void on_load(void *context)
{
    struct host_lease *lease = context;
    struct host_totals totals;
    double spent_s = 0;
    const uint64_t now_ns = base_now_ns();
    host_registry_totals(lease->registry, &totals);
    for (int phase = 0; phase < WORLD_PHASE_COUNT; phase++) {
        spent_s += totals.phase_s[phase];
    }
    const double passed_s = (double)(now_ns - lease->spent_ns) * 1e-9;
    const struct cluster_load load = {
        .ms = passed_s > 0 ? (spent_s - lease->spent_s) * 1e3 / passed_s : 0,
        .worlds = host_registry_count(lease->registry) - host_registry_views(lease->registry),
        .sessions = host_sessions_count(lease->sessions),
    };
    lease->spent_s = spent_s;
    lease->spent_ns = now_ns;
    cluster_tell(lease->cluster, &load, lease->on_empty != NULL);
    look_at_lost(lease, now_ns);
}

static void take_event(struct host_lease *lease, const struct cluster_event *event)
{
    struct move *move = move_of(lease, event->world);
    struct host_world *world = world_of(lease, event->world);
    switch (event->kind) {
    case CLUSTER_OURS:
        base_log(BASE_LOG_INFO, "world %" PRIu32 " is this server's now%s%s", event->world,
                 event->moved ? ": another gave it" : ": taken over from ", event->moved ? "" : event->text);
        arrive(lease, event->world, event->moved);
        break;
    case CLUSTER_CLAIMED:
        if (world && event->done) {
            host_registry_claimed(world);
        } else if (world && world->on_kept) {
            host_registry_not_kept(world, event->taken);
        } else if (world) {
            base_log(BASE_LOG_ERROR, "world %" PRIu32 " is known to no other server: %s", world->id,
                     event->text);
        }
        break;
    case CLUSTER_LOST:
        base_log(BASE_LOG_WARN, "world %" PRIu32 " is another server's now", event->world);
        if (move) {
            move_end(move, "another server has it");
        }
        if (world) {
            host_registry_leave(world, true);
        }
        break;
    case CLUSTER_PREPARED:
        if (move && move->stage == AT_PREPARE) {
            prepared(move, event);
        }
        break;
    case CLUSTER_GIVEN:
        if (move && move->stage == AT_GIVE) {
            move_end(move, event->done ? NULL : event->text);
        }
        break;
    }
}

static void on_wake(void *context)
{
    struct host_lease *lease = context;
    struct cluster_event event;
    if (!lease->registry) {
        return;
    }
    while (cluster_next(lease->cluster, &event)) {
        take_event(lease, &event);
    }
    host_deliver(lease->registry, lease->sessions); // delivers what waited until that was known
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct host_lease *host_lease_create(struct net_loop *loop, const struct host_lease_options *options,
                                     char text[CLUSTER_TEXT_SIZE])
{
    char folder[HOST_FOLDER_ID_SIZE];
    struct host_lease *lease = calloc(1, sizeof *lease);
    snprintf(text, CLUSTER_TEXT_SIZE, "no memory");
    if (!lease) {
        return NULL;
    }
    base_mutex_init(&lease->fetching);
    lease->loop = loop;
    lease->store = options->store;
    lease->wake = net_wake_create(loop, on_wake, lease);
    const bool known = lease->wake && host_folder_id(options->data, folder);
    if (lease->wake && !known) {
        snprintf(text, CLUSTER_TEXT_SIZE, "server-id cannot be written into the folder");
    }
    if (known) {
        lease->cluster = cluster_open(
            &(struct cluster_options){.brokers = options->brokers,
                                      .authorities = options->authorities,
                                      .credentials = options->credentials,
                                      .certificate = options->certificate,
                                      .key = options->key,
                                      .folder = folder,
                                      .name = options->name,
                                      .tcp = options->tcp,
                                      .web = options->web,
                                      .tls = options->tls,
                                      .version = {.solver = sim_solver_version(), .api = PROTOCOL_API_LEVEL},
                                      .on_event = on_event,
                                      .prepare = prepare,
                                      .context = lease},
            text);
    }
    if (!lease->cluster) {
        host_lease_destroy(lease);
        return NULL;
    }
    return lease;
}

struct cluster *host_lease_cluster(struct host_lease *lease)
{
    return lease ? lease->cluster : NULL;
}

bool host_lease_start(struct host_lease *lease, struct host_keeping *keeping, struct host_registry *registry,
                      struct host_sessions *sessions)
{
    lease->keeping = keeping;
    lease->registry = registry;
    lease->sessions = sessions;
    lease->spent_ns = base_now_ns();
    lease->load = net_timer_start(lease->loop, LOAD_MS, LOAD_MS, on_load, lease);
    net_wake_send(lease->wake); // for events that came before
    return lease->load != NULL;
}

void host_lease_end_moves(struct host_lease *lease)
{
    for (struct move *at = lease ? lease->moves : NULL; at; at = at->next) {
        if (!at->ended) {
            move_end(at, "the server goes down");
        }
    }
}

void host_lease_stop(struct host_lease *lease)
{
    if (!lease) {
        return;
    }
    base_mutex_lock(&lease->fetching);
    lease->stopped = true;
    base_mutex_unlock(&lease->fetching);
    net_timer_stop(lease->load);
    net_timer_stop(lease->busy);
    lease->load = lease->busy = NULL;
    lease->registry = NULL;
}

void host_lease_destroy(struct host_lease *lease)
{
    if (!lease) {
        return;
    }
    cluster_close(lease->cluster);
    if (lease->wake) {
        net_wake_destroy(lease->wake);
    }
    while (lease->arrivals) {
        struct arrival *arrival = lease->arrivals;
        lease->arrivals = arrival->next;
        free(arrival);
    }
    while (lease->mends) {
        struct mend *one = lease->mends;
        lease->mends = one->next;
        free(one);
    }
    while (lease->moves) {
        struct move *move = lease->moves;
        lease->moves = move->next;
        free(move);
    }
    base_mutex_deinit(&lease->fetching);
    free(lease);
}

void host_lease_counts(const struct host_lease *lease, struct host_lease_counts *counts)
{
    *counts = lease ? lease->counts : (struct host_lease_counts){0};
}
