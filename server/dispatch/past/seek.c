// world.seek: a worker finds the past tick, the loop hands it to the view.
//
//     seeker (session, world) ── reader, past: one worker at a time
//        ├─ running ─▶ past_seek, hash ─▶ the view is made, or moved ─▶ answer
//        └─ waiting ─▶ … and the next that comes takes its place: CONFLICT
//
// One that is superseded while it runs has a moment to end by itself: whoever drags a slider sees what is on the way.
// The document that a view showed before is the one that the next is made of, where that is nearer than an image.
#include "dispatch/past/past.h"

#include "base/clock.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "document/document.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "past/past.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SUPERSEDED_NS = 250 * 1000 * 1000,
    PERSONS_MIN = 4, // persons share the images' memory evenly, as if there were at least so many
    // Bytes of a view, about: it has the document that is shown and the one before it.
    BYTES_PARTICLE = 2 * 160,
    BYTES_CONSTRAINT = 2 * 40,
    BYTES_LONG = 2 * 60,    // of a particle whose world has long edges
    BYTES_SOLVED = 160 * 4, // of a particle whose world has solved bending: the numbers of a factor
};
static const size_t images_max = (size_t)1 << 30; // of the way, of all views

struct seek {
    struct dispatch_past_seeker *seeker;
    struct dispatch_later *later;
    uint64_t tick;
    uint64_t began_ns;
    atomic_bool superseded; // another waits for it to end
    struct document *document;
    bool found, exact;
    char hash[17];
    struct protocol_error error;
};

struct dispatch_past_seeker {
    struct dispatch_past_seeker *next; // of the server's
    struct dispatch_server *server;
    uint32_t world, session;
    uint32_t view; // id of the world that shows it; 0: none yet
    bool closing;  // the view is on its way out: who asks again gets another
    bool gone;     // it is gone
    struct host_sharer sharer;
    size_t bytes;  // of what the view shows, about
    size_t images; // that its past may keep
    struct seek *running, *waiting;
    // The worker's, while one runs.
    struct store_reader *reader;
    struct past *past;
};

// ---------------------------------------------------------------------------------------------------------
// Seekers

static void seeker_free(void *context)
{
    struct dispatch_past_seeker *seeker = context;
    past_close(seeker->past);
    store_reader_close(seeker->reader);
    free(seeker);
}

static void on_freed(void *context)
{
    (void)context;
}

// Nothing runs. What a past keeps takes a while to give back, which is not for the loop.
static void seeker_end(struct dispatch_past_seeker *seeker)
{
    struct dispatch_past_seeker **at = &seeker->server->seekers;
    while (*at != seeker) {
        at = &(*at)->next;
    }
    *at = seeker->next;
    if (!net_work(seeker->server->loop, seeker_free, on_freed, seeker)) {
        seeker_free(seeker);
    }
}

void dispatch_past_seekers_destroy(struct dispatch_server *server)
{
    while (server->seekers) {
        struct dispatch_past_seeker *seeker = server->seekers;
        server->seekers = seeker->next;
        seeker_free(seeker);
    }
}

static bool limit(struct protocol_error *error, const char *name, uint64_t most)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                       "there are as many views as there may be (limit %s = %" PRIu64
                       "); world.leave of one ends it",
                       name, most);
    error->limit = (double)most;
    return false;
}

// The world that shows it, if it is (still) there.
static struct host_world *view_of(const struct dispatch_past_seeker *seeker)
{
    const struct protocol_ref ref = {.id = seeker->view};
    return seeker->view != 0 ? host_registry_find(seeker->server->registry, &ref) : NULL;
}

// A session that leaves a view may ask for the next at once. A person's views count until they are gone, with their memory.
static bool may_begin(const struct dispatch_server *server, const struct host_sharer *sharer,
                      uint32_t session, struct protocol_error *error)
{
    uint32_t own = 0, persons = 0, all = 0;
    for (const struct dispatch_past_seeker *at = server->seekers; at; at = at->next) {
        own += at->session == session && !at->closing && (at->view == 0 || view_of(at));
        persons += host_sharer_same(&at->sharer, sharer);
        all++;
    }
    if (own >= PROTOCOL_LIMIT_SESSION_VIEWS) {
        return limit(error, "session_views", PROTOCOL_LIMIT_SESSION_VIEWS);
    }
    if (sharer->is_bounded && persons >= PROTOCOL_LIMIT_PERSON_VIEWS) {
        return limit(error, "person_views", PROTOCOL_LIMIT_PERSON_VIEWS);
    }
    return all < PROTOCOL_LIMIT_VIEWS || limit(error, "views", PROTOCOL_LIMIT_VIEWS);
}

static struct dispatch_past_seeker *seeker_of(const struct dispatch_server *server, uint32_t world,
                                              uint32_t session)
{
    struct dispatch_past_seeker *at = server->seekers;
    while (at && (at->closing || at->world != world || at->session != session)) {
        at = at->next;
    }
    return at;
}

static struct dispatch_past_seeker *seeker_begin(struct dispatch_server *server, uint32_t world,
                                                 const struct host_session *asker,
                                                 struct protocol_error *error)
{
    const struct host_sharer sharer = host_session_sharer(asker);
    const uint32_t session = host_session_asker(asker).session;
    if (!may_begin(server, &sharer, session, error)) {
        return NULL;
    }
    struct dispatch_past_seeker *seeker = calloc(1, sizeof *seeker);
    if (!seeker) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a view");
        return NULL;
    }
    seeker->server = server;
    seeker->world = world;
    seeker->session = session;
    seeker->sharer = sharer;
    seeker->next = server->seekers;
    server->seekers = seeker;
    return seeker;
}

// ---------------------------------------------------------------------------------------------------------
// On a worker

static bool goes_on(void *context, uint64_t tick, uint64_t until)
{
    const struct seek *seek = context;
    (void)tick, (void)until;
    if (dispatch_later_stopped(seek->later)) {
        return false;
    }
    return !atomic_load(&seek->superseded) || base_now_ns() - seek->began_ns < SUPERSEDED_NS;
}

static bool opened(struct dispatch_past_seeker *seeker, struct protocol_error *error)
{
    if (!seeker->reader && !dispatch_past_reader(seeker->server, &seeker->reader, error)) {
        return false;
    }
    if (!seeker->past) {
        seeker->past = past_open(seeker->reader, seeker->world, error);
    }
    return seeker->past != NULL;
}

static void work(void *context)
{
    struct seek *seek = context;
    const struct past_progress progress = {.go_on = goes_on, .context = seek};
    seek->began_ns = base_now_ns();
    if (!opened(seek->seeker, &seek->error)) {
        return;
    }
    past_bound(seek->seeker->past, seek->seeker->images);
    seek->found =
        past_seek(seek->seeker->past, seek->tick, &progress, &seek->document, &seek->exact, &seek->error);
    if (seek->found) {
        snprintf(seek->hash, sizeof seek->hash, "%016" PRIx64, document_hash(seek->document));
    }
}

// ---------------------------------------------------------------------------------------------------------
// On the loop

static void start(struct seek *seek);

static void superseded(struct protocol_error *error)
{
    *error = (struct protocol_error){0};
    protocol_error_set(error, PROTOCOL_CODE_CONFLICT, NULL, "a later world.seek of this view took its place");
}

static void refuse(struct seek *seek)
{
    const struct dispatch_server *server = seek->seeker->server;
    if (seek->error.code == PROTOCOL_CODE_OK) {
        protocol_error_set(&seek->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    }
    dispatch_later_refuse(seek->later, &seek->error);
    dispatch_past_discard(server, seek->document);
    free(seek);
}

// The view has ended, by its session, its world, or who had it.
static void on_view_gone(void *context)
{
    struct dispatch_past_seeker *seeker = context;
    seeker->closing = seeker->gone = true;
    if (!seeker->running) {
        seeker_end(seeker);
    } else {
        atomic_store(&seeker->running->later->stop, true);
    }
}

static bool ended(struct protocol_error *error)
{
    *error = (struct protocol_error){0};
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world", "the view has ended");
    return false;
}

static size_t bytes_of(const struct document *document)
{
    const struct sim_settings *settings = sim_settings_of(document->sim);
    const size_t particle = BYTES_PARTICLE + (settings->long_edges ? BYTES_LONG : 0) +
                            (settings->bending_solved ? BYTES_SOLVED : 0);
    return (size_t)sim_particle_count(document->sim) * particle +
           (size_t)sim_constraint_count(document->sim) * BYTES_CONSTRAINT;
}

static bool too_large(struct protocol_error *error, const char *whose, const char *name, uint64_t most)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                       "all views %s would take more memory than they may (limit %s = %" PRIu64
                       "); world.leave of one ends it",
                       whose, name, most);
    error->limit = (double)most;
    return false;
}

// Beside all other views.
static bool has_room(const struct dispatch_past_seeker *seeker, size_t bytes, struct protocol_error *error)
{
    size_t others = 0, own = 0;
    for (const struct dispatch_past_seeker *at = seeker->server->seekers; at; at = at->next) {
        if (at == seeker) {
            continue;
        }
        others += at->bytes;
        own += host_sharer_same(&at->sharer, &seeker->sharer) ? at->bytes : 0;
    }
    if (seeker->sharer.is_bounded && own != 0 && own + bytes > (size_t)PROTOCOL_LIMIT_PERSON_VIEW_BYTES) {
        return too_large(error, "of this person", "person_view_bytes", PROTOCOL_LIMIT_PERSON_VIEW_BYTES);
    }
    return others == 0 || others + bytes <= (size_t)PROTOCOL_LIMIT_VIEW_BYTES ||
           too_large(error, "together", "view_bytes", PROTOCOL_LIMIT_VIEW_BYTES);
}

static bool make_view(struct seek *seek, struct host_session *session)
{
    struct dispatch_past_seeker *seeker = seek->seeker;
    if (!host_session_reserve(session)) {
        protocol_error_set(&seek->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
        return false;
    }
    const struct host_world *view = host_registry_show(
        seeker->server->registry,
        &(struct host_view){
            .of = seeker->world, .session = seeker->session, .on_gone = on_view_gone, .context = seeker},
        seek->document, &seek->error);
    if (!view) {
        return false;
    }
    document_destroy(seek->document); // the shell
    seek->document = NULL;
    host_session_visit(session, host_world_id(view));
    seeker->view = host_world_id(view);
    return true;
}

static bool show(struct seek *seek, struct host_session *session)
{
    struct dispatch_past_seeker *seeker = seek->seeker;
    struct host_world *view = view_of(seeker);
    const size_t bytes = bytes_of(seek->document);
    if (seeker->view != 0 && !view) {
        return ended(&seek->error);
    }
    if (!has_room(seeker, bytes, &seek->error) || (!view && !make_view(seek, session))) {
        return false;
    }
    seeker->bytes = bytes;
    if (!view) {
        return true;
    }
    host_world_post_document(view, seek->document);
    seek->document = NULL;
    return true;
}

static bool finish(struct seek *seek, bool worked)
{
    struct host_session *session = dispatch_later_session(seek->later);
    if (!worked || !session) {
        return false;
    }
    if (!seek->found && seek->seeker->gone) {
        return ended(&seek->error);
    }
    if (!seek->found && atomic_load(&seek->superseded) && seek->error.code == PROTOCOL_CODE_SHUTDOWN) {
        superseded(&seek->error);
    }
    if (!seek->found || !dispatch_past_still(seek->seeker->server, seek->seeker->world, &seek->error)) {
        return false;
    }
    struct protocol_world_seek_result result = {
        .has = PROTOCOL_HAS_ALL,
        .tick = seek->document->tick,
        .revision = seek->document->revision,
        .exact = seek->exact,
        .hash = protocol_text(seek->hash),
    };
    if (!show(seek, session)) {
        return false;
    }
    result.view = seek->seeker->view;
    dispatch_later_answer(seek->later, &result);
    free(seek);
    return true;
}

static void done(void *context, bool worked)
{
    struct seek *seek = context;
    struct dispatch_past_seeker *seeker = seek->seeker;
    if (!finish(seek, worked)) {
        refuse(seek);
    }
    struct seek *next = seeker->waiting;
    seeker->running = seeker->waiting = NULL;
    if (next && (seeker->view == 0 || view_of(seeker))) {
        start(next);
        return;
    }
    if (next) {
        ended(&next->error);
        refuse(next);
    }
    // One whose view is still there ends with that.
    if (seeker->gone || seeker->view == 0) {
        seeker_end(seeker);
    }
}

static bool is_first_of_person(const struct dispatch_past_seeker *seeker)
{
    const struct dispatch_past_seeker *at = seeker->server->seekers;
    while (!host_sharer_same(&at->sharer, &seeker->sharer)) {
        at = at->next;
    }
    return at == seeker;
}

// Half of what is left of its person's share, and of all: what others keep stays theirs until their next seek, and the sum of all
// stays below images_max.
static size_t image_share(const struct dispatch_past_seeker *seeker)
{
    size_t persons = 0, own = 0, all = 0;
    for (const struct dispatch_past_seeker *at = seeker->server->seekers; at; at = at->next) {
        persons += is_first_of_person(at);
        all += at != seeker ? at->images : 0;
        own += at != seeker && host_sharer_same(&at->sharer, &seeker->sharer) ? at->images : 0;
    }
    const size_t most = images_max / (persons < PERSONS_MIN ? PERSONS_MIN : persons);
    const size_t share = seeker->sharer.is_bounded ? most : images_max;
    const size_t left = own < share ? share - own : 0, left_of_all = all < images_max ? images_max - all : 0;
    const size_t half = (left < left_of_all ? left : left_of_all) / 2;
    return half < most ? half : most;
}

static void start(struct seek *seek)
{
    struct host_world *view = view_of(seek->seeker);
    seek->seeker->running = seek;
    seek->seeker->images = image_share(seek->seeker);
    seek->document = view ? host_world_take_document(view) : NULL;
    dispatch_later_work(seek->later, HOST_LONG, work, done, seek);
}

static void enter(struct dispatch_past_seeker *seeker, struct seek *seek)
{
    if (!seeker->running) {
        start(seek);
        return;
    }
    atomic_store(&seeker->running->superseded, true);
    struct seek *before = seeker->waiting;
    seeker->waiting = seek;
    if (before) {
        superseded(&before->error);
        refuse(before);
    }
}

bool dispatch_world_seek(struct dispatch_call *call)
{
    const struct protocol_world_seek_params *params = call->params;
    const struct host_world *world = dispatch_past_of(call, &params->world);
    if (!world) {
        return false;
    }
    const uint32_t session = host_session_asker(call->session).session;
    struct dispatch_past_seeker *seeker = seeker_of(call->server, host_world_id(world), session);
    if (seeker && seeker->view != 0 && !view_of(seeker)) {
        seeker->closing = true, seeker = NULL;
    }
    if (!seeker) {
        seeker = seeker_begin(call->server, host_world_id(world), call->session, call->error);
    }
    if (!seeker) {
        return false;
    }
    struct seek *seek = calloc(1, sizeof *seek);
    if (seek) {
        seek->seeker = seeker;
        seek->tick = params->tick;
        seek->later = dispatch_later_begin(call, false);
    } else {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.seek");
    }
    if (!seek || !seek->later) {
        free(seek);
        if (seeker->view == 0 && !seeker->running) {
            seeker_end(seeker);
        }
        return false;
    }
    enter(seeker, seek);
    return true;
}
