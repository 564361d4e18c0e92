// Runs a world's turns.
//
//     turn:  drain the inbox ─▶ present frames ─▶ face, wake ─▶ one tick, if due ─▶ step over? answer it ─▶ face, wake
//            (apply, answer)                                    (frames of moments)   apply what it held back
//
// A tick that takes longer than a slice rests if other worlds wait for the thread; the world's next turn goes
// on with it. Nothing is applied or told meanwhile. A tick is dropped only if nobody will see its result,
// because the world is deleted or the server goes down. Then the world is `broken`, and refuses all requests.
//
// Room in the outbox: a request causes at most three events (a reply; world.edited or world.changed; and one
// more world.changed for a failure that it causes, or WORLD_DELETED). Frames take at most
// WORLD_PUBLICATIONS_MAX, records WORLD_RECORDS_MAX and one, an image for the loop one. A failure or a
// shutdown that no open request caused takes one more each. A request counts until the loop has taken its
// reply, so all of this always fits.
#include "world/world.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ring.h"
#include "base/thread.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/answer/event.h"
#include "world/answer/part.h"
#include "world/edit/apply.h"
#include "world/edit/edit_ids.h"
#include "world/edit/part.h"
#include "world/edit/strays.h"
#include "world/frames/lack.h"
#include "world/frames/part.h"
#include "world/frames/publish.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/keep/part.h"
#include "world/keep/present.h"
#include "world/people/part.h"
#include "world/state.h"
#include "world/time/convergence.h"
#include "world/time/part.h"
#include "world/time/stand.h"
#include "world/time/step.h"
#include "world/time/view.h"
#include "world/turn/inbox.h"
#include "world/turn/part.h"
#include "world/twins/part.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS_OF_A_REQUEST = 3,
    EVENTS_SPARE = 64, // for publications, an image, lacks, a failure, the shutdown, a deletion
    FRAMES_RETRY_NS = 20 * 1000 * 1000,
    LINES_RETRY_NS = 5 * 1000 * 1000,
    HELD_RETRY_NS = 5 * 1000 * 1000,
    IMAGE_RETRY_NS = 2 * 1000 * 1000,
    AFTER_STEP_NS = 2500 * 1000, // time for what waited behind a step
    SLICE_NS = 10 * 1000 * 1000,
};

_Static_assert(EVENTS_SPARE >= WORLD_PUBLICATIONS_MAX + WORLD_LOSSLESS_EVENTS_MAX + WORLD_RECORDS_MAX + 13,
               "frames have places of their own");

// ---------------------------------------------------------------------------------------------------------
// Creation and end

// Publishes the outside of the world. A state that was given up half way is not shown: the outside stays as
// it was.
static void face_update(struct world *world)
{
    struct world_outside *outside = &world->outside;
    struct world_face *face = &outside->face;
    struct world_time *time = world->time;
    const struct world_frames *frames = world->frames;
    world_quota_match(world);
    base_mutex_lock(&world->face_mutex);
    if (world->document->broken) {
        world_visit_tell(world);
        base_mutex_unlock(&world->face_mutex);
        return;
    }
    world_get_fill(world, &outside->get);
    memcpy(outside->name, world->document->name, sizeof outside->name);
    memcpy(outside->reason, world->document->reason, sizeof outside->reason);
    const char *read_only = world_read_only(world);
    snprintf(outside->read_only, sizeof outside->read_only, "%s", read_only ? read_only : "");
    time->view.stale = time->view.coming != NULL;
    face->state = time->state;
    face->rate = time->pace.rate;
    face->tick = world->document->tick;
    face->revision = world->document->revision;
    world_journal_face(world->keep, face);
    face->bodies = sim_body_count(world->document->sim);
    face->particles = sim_particle_count(world->document->sim);
    face->amount = world_amount_of(world->document);
    face->people = world_people_count(world->people);
    face->streams = frames->streams.count + world_twins_count(world->twins);
    face->twins = world_twins_count(world->twins);
    face->ticks_run = time->ticks_run;
    face->ticks_late = time->pace.late;
    face->lateness_max_us = time->pace.lateness_max_us;
    face->frames_dropped = frames->dropped;
    face->frames_slow = frames->slow;
    face->lateness_us = time->pace.lateness_sum_us;
    face->time_lost_us = time->pace.lost_us;
    face->slowed = time->allowance.slowed;
    face->stands = time->stands;
    face->held = time->holding.by != 0;
    face->held_s = (double)frames->backlogs.held_ns * 1e-9;
    memcpy(face->phase_s, time->phase_s, sizeof time->phase_s);
    world_visit_tell(world);
    base_mutex_unlock(&world->face_mutex);
}

// Begins the journal and ends grabs. Holders are not here, but may come: the strays in the store are known
// before any grab is told to have ended.
static bool let_go(struct world *world, const struct world_options *options)
{
    if (options->kept.position == 0) {
        document_let_go(world->document);
    }
    if (!world_journal_begin(world, options)) {
        return false;
    }
    world_strays_take(world, options->kept.held, options->kept.held_count);
    return true;
}

// Makes the world's budget of frames. If the whole is small, no world may have the quarter of it that is kept
// for the others.
static struct base_budget *frames_create(struct base_budget *whole)
{
    const size_t open = whole ? base_budget_limit(whole) - base_budget_limit(whole) / 4 : SIZE_MAX;
    const size_t limit = open < PROTOCOL_LIMIT_FRAME_BYTES ? open : PROTOCOL_LIMIT_FRAME_BYTES;
    return whole ? base_budget_create_share(whole, limit) : base_budget_create(limit);
}

// A world and its parts, in one piece of memory.
struct whole {
    struct world world; // first, so that freeing it frees all of them
    struct world_people people;
    struct world_answers answers;
    struct world_frames frames;
    struct world_keep keep;
    struct world_twins twins;
    struct world_time time;
    struct world_edits edits;
    struct world_turns turns;
};

static struct world *join(struct whole *whole)
{
    struct world *world = &whole->world;
    world->people = &whole->people;
    world->answers = &whole->answers;
    world->frames = &whole->frames;
    world->keep = &whole->keep;
    world->twins = &whole->twins;
    world->time = &whole->time;
    world->edits = &whole->edits;
    world->turns = &whole->turns;
    return world;
}

struct world *world_create(const struct world_options *options)
{
    const struct protocol_world_create_params *settings = options->settings;
    struct whole *whole = calloc(1, sizeof *whole);
    if (!whole) {
        return NULL;
    }
    struct world *world = join(whole);
    if (!world_edits_init(world)) {
        free(world);
        return NULL;
    }
    base_mutex_init(&world->face_mutex);
    atomic_init(&world->time->tick_end_ns, UINT64_MAX);
    world->id = options->id;
    world->hooks = (struct world_hooks){
        .parallel = options->parallel,
        .on_output = options->on_output,
        .on_input = options->on_input,
        .others_wait = options->others_wait,
        .name_reserve = options->name_reserve,
        .context = options->context,
    };
    world->constants = (struct document_constants){
        .resolution = settings->resolution,
        .extent_at_start = settings->extent,
        .tick_rate = settings->tick_rate,
    };
    world->time->pace.tick_rate = settings->tick_rate;
    world->time->pace.rate = 1;
    world_twins_init(world->twins);
    world->time->allowance.tick_ns = options->tick_ns;
    world->frames->backlogs.bytes_max =
        options->lossless_bytes > 0 ? options->lossless_bytes : (size_t)PROTOCOL_LIMIT_LOSSLESS_BYTES;
    world->frames->backlogs.most_ns =
        options->hold_ns > 0 ? options->hold_ns : (uint64_t)PROTOCOL_LIMIT_HOLD_MS * 1000000;
    world->document = options->document ? document_take(options->document) : document_create(settings);
    const uint32_t sessions = options->sessions_max > 0 ? options->sessions_max : PROTOCOL_LIMIT_SESSIONS;
    const bool takes = world_inbox_create(world, sessions);
    world->answers->outbox = base_ring_create(
        sizeof(struct world_event *), EVENTS_OF_A_REQUEST * PROTOCOL_LIMIT_WORLD_REQUESTS + EVENTS_SPARE);
    world->frames->budget = frames_create(options->frames);
    if (world->frames->budget &&
        world->frames->backlogs.bytes_max > base_budget_limit(world->frames->budget) / 2) {
        world->frames->backlogs.bytes_max = base_budget_limit(world->frames->budget) / 2;
    }
    world->answers->deletion = world_event_create(WORLD_DELETED);
    world->answers->spare = world_event_create(WORLD_NOTICE);
    if (!world->answers->spare || !world->document || !takes || !world->answers->outbox ||
        !world->frames->budget || !world->answers->deletion) {
        world_destroy(world);
        return NULL;
    }
    snprintf(world->document->name, sizeof world->document->name, "%s", options->name);
    world->time->state = world->document->failed ? WORLD_FAILED : WORLD_PAUSED;
    world_view_begin(world->time, &options->view);
    if (options->view.of == 0 && !let_go(world, options)) {
        world_destroy(world);
        return NULL;
    }
    world_history_begin(world_history_of(world->keep), options->kept.steps);
    face_update(world);
    world->frames->snapshot.world_id = world->id;
    world->frames->snapshot.epoch = world_journal_shared_epoch(world->keep);
    world->frames->snapshot.document = world->document;
    world->frames->snapshot.people = world->people;
    world->frames->snapshot.budget = world->frames->budget;
    world->frames->snapshot.cuts = &world->frames->streams.cuts;
    world->frames->snapshot.parallel = world->hooks.parallel;
    return world;
}

void world_destroy(struct world *world)
{
    if (!world) {
        return;
    }
    world_image_destroy(world);
    world_inbox_destroy(world);
    struct world_event *event;
    while (world->answers->outbox && base_ring_pop(world->answers->outbox, &event)) {
        world_event_destroy(event);
    }
    base_ring_destroy(world->answers->outbox);
    world_event_destroy(world->answers->farewell);
    world_event_destroy(world->answers->deletion);
    world_publish_tick_drop(world->frames); // a tick may be resting
    world_event_destroy(world->answers->spare);
    world_snapshot_deinit(&world->frames->snapshot);
    world_streams_deinit(&world->frames->streams);
    world_twins_deinit(world->twins);
    world_view_deinit(world->time);
    world_convergence_deinit(world->time);
    world_keep_deinit(world->keep);
    world_edits_deinit(world);
    world_people_deinit(world->people);
    for (uint32_t i = 0; i < sizeof world->scratch / sizeof *world->scratch; i++) {
        protocol_bytes_deinit(&world->scratch[i]);
    }
    base_budget_release(world->frames->budget);
    document_destroy(world->document);
    world_visit_deinit(world);
    base_mutex_deinit(&world->face_mutex);
    free(world);
}

void world_play(struct world *world, double rate, bool marked, uint64_t now_ns)
{
    world_pace_start(&world->time->pace, rate, now_ns);
    world->time->state = WORLD_PLAYING;
    if (!marked) {
        world_journal_mark(world, PAST_MARK_PLAYING, NULL);
    }
    face_update(world);
    if (world->hooks.on_input) {
        world->hooks.on_input(world->hooks.context);
    }
}

struct document_constants world_constants_of(const struct world *world)
{
    return world->constants;
}

// ---------------------------------------------------------------------------------------------------------
// A turn

static void fail(struct world *world)
{
    const struct document *document = world->document;
    base_log(BASE_LOG_WARN, "world %u \"%s\" failed at tick %llu: %s", world->id, document->name,
             (unsigned long long)document->tick, document->reason);
    world->time->state = WORLD_FAILED;
    world->frames->changed = true; // its last state is shown, whatever moments streams wait for
    world_journal_mark(world, PAST_MARK_FAILED, NULL);
    world_step_fail(world);
    world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_FAILED, NULL);
}

static void phase_ends(void *context, enum sim_phase phase)
{
    struct world *world = context;
    uint64_t now_ns = base_now_ns();
    world->time->times_now.phase_us[phase] += (double)(now_ns - world->time->times_now.mark_ns) / 1000;
    world->time->times_now.mark_ns = now_ns;
}

_Static_assert((int)SIM_PHASE_COUNT == (int)WORLD_PHASE_CAPTURE, "the sim's phases come first");

// Adds the time since *mark_ns to a phase, and sets *mark_ns to now.
static void spend(struct world *world, enum world_phase phase, uint64_t *mark_ns)
{
    uint64_t now_ns = base_now_ns();
    world->time->phase_s[phase] += (double)(now_ns - *mark_ns) * 1e-9;
    *mark_ns = now_ns;
}

static void substep_ends(void *context, uint32_t substep)
{
    struct world *world = context;
    const double before_s = world->time->phase_s[WORLD_PHASE_CAPTURE];
    world_publish_substep(world, substep);
    spend(world, WORLD_PHASE_CAPTURE, &world->time->times_now.mark_ns); // capturing is no part of the solve
    world->time->times_now.capture_us += (world->time->phase_s[WORLD_PHASE_CAPTURE] - before_s) * 1e6;
}

// Whether a tick that nobody waits for has had its grace. A deletion that waits behind a step of its own
// session does not end that step's ticks, but a pause does. Nor does a deletion that waits behind its own
// session's save.
static bool tick_over(const struct world *world, uint64_t now_ns)
{
    if (now_ns < atomic_load(&world->time->tick_end_ns)) {
        return false;
    }
    uint32_t session = atomic_load(&world->time->tick_end_session);
    bool steps = world->time->step.request && world->time->step.request->asker.session == session;
    return session == 0 || (!steps && world_image_session(world->keep) != session);
}

static bool slice_ends(void *context)
{
    struct world *world = context;
    world_image_rest(world);
    uint64_t now_ns = base_now_ns();
    bool others = now_ns >= world->time->slice_end_ns &&
                  (!world->hooks.others_wait || world->hooks.others_wait(world->hooks.context));
    return others || tick_over(world, now_ns);
}

static void tick_begin(struct world *world)
{
    world_publish_tick_begin(world);
    memset(&world->time->times_now, 0, sizeof world->time->times_now);
    world->time->ticking = true;
}

static bool is_watched(const struct world *world)
{
    return world_people_count(world->people) > 0 || world->frames->streams.count > 0 ||
           world_twins_count(world->twins) > 0;
}

static void tick_end(struct world *world)
{
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        world->time->times_now.tick_us += world->time->times_now.phase_us[phase];
        world->time->phase_s[phase] += world->time->times_now.phase_us[phase] * 1e-6;
    }
    world->time->ticking = false;
    world->time->times = world->time->times_now;
    world->time->ticks_run++;
    world->time->times_now.mark_ns = base_now_ns();
    if (world->document->given_up) {
        world_publish_tick_undone(world->frames);
    }
    world_notice_tears(world);
    world_publish_tick_end(world);
    spend(world, WORLD_PHASE_CAPTURE, &world->time->times_now.mark_ns);
    world_journal_tick(world, is_watched(world));
    if (world->document->failed) {
        fail(world);
    }
    world_convergence_tick(world);
    world_allowance_tick(world);
}

// Runs a slice of the tick under way, which is all of it unless it is long.
static void tick_go_on(struct world *world)
{
    const struct sim_hooks hooks = {
        .context = world,
        .on_substep = world->frames->streams.count > 0 ? substep_ends : NULL,
        .on_phase = phase_ends,
        .on_pause = slice_ends,
    };
    world->time->times_now.mark_ns = base_now_ns();
    world->time->slice_end_ns = world->time->times_now.mark_ns + SLICE_NS;
    if (document_step(world->document, world->hooks.parallel, &hooks)) {
        tick_end(world);
    } else if (tick_over(world, base_now_ns())) {
        document_step_drop(world->document);
        world_publish_tick_drop(world->frames);
        world->time->ticking = false;
        world_step_cut(world);
        if (atomic_load(&world->time->tick_end_session) != 0) {
            world_image_cut(world, PROTOCOL_CODE_NOT_FOUND, "world \"%s\" (%u) was deleted",
                            world->document->name, world->id);
        } else {
            world_image_cut(world, PROTOCOL_CODE_SHUTDOWN,
                            "the server is going down; world.save is cut short");
        }
    }
}

static bool tick_due(const struct world *world, uint64_t now_ns)
{
    return !world->document->broken && !atomic_load(&world->time->leaving) &&
           !world_journal_holds(world->keep) && !world->time->holding.holds &&
           now_ns >= world->time->allowance.rest_until_ns &&
           (world->time->step.request ||
            (world->time->state == WORLD_PLAYING && world_pace_due(&world->time->pace) <= now_ns));
}

// Ends a tick. True if a step ended, so that requests may have been applied, or if the world failed.
static bool tick_ended(struct world *world)
{
    if (!world->time->step.request) {
        return world->time->state == WORLD_FAILED;
    }
    return world_step_tick(world);
}

static uint64_t next_turn(const struct world *world, uint64_t now_ns, bool more)
{
    const bool holds = world_journal_holds(world->keep) || world->time->holding.holds,
               goes_on = !world->document->broken && !holds;
    const uint64_t rest_until_ns = world->time->allowance.rest_until_ns;
    if (more || (world->time->step.request && goes_on && now_ns >= rest_until_ns)) {
        return 0;
    }
    uint64_t next = UINT64_MAX;
    if (goes_on && (world->time->step.request || world->time->state == WORLD_PLAYING)) {
        next = world->time->step.request ? 0 : world_pace_due(&world->time->pace);
        next = next < rest_until_ns ? rest_until_ns : next;
    }
    if (holds && now_ns + HELD_RETRY_NS < next) {
        next = now_ns + HELD_RETRY_NS;
    }
    if (world->frames->waiting && now_ns + FRAMES_RETRY_NS < next) {
        next = now_ns + FRAMES_RETRY_NS;
    }
    if ((world_image_under_way(world->keep) || world_present_is_wanted(world->keep)) &&
        now_ns + IMAGE_RETRY_NS < next) {
        next = now_ns + IMAGE_RETRY_NS;
    }
    const uint64_t lossless_ns = world_lossless_next(world, now_ns);
    next = lossless_ns < next ? lossless_ns : next;
    const uint64_t twins_ns = world_twins_next(world, now_ns);
    next = twins_ns < next ? twins_ns : next;
    const uint64_t strays_ns = world_strays_next(world);
    next = strays_ns < next ? strays_ns : next;
    if (world_lines_wait(world) && now_ns + LINES_RETRY_NS < next) {
        next = now_ns + LINES_RETRY_NS;
    }
    return next;
}

// Sends what has been made, and publishes the state that it belongs to.
static void tell(struct world *world)
{
    if (world->time->deleted && world->answers->deletion) {
        world_push(world, world->answers->deletion);
        world->answers->deletion = NULL;
    }
    face_update(world);
    if (world_events_tell(world->answers) && world->hooks.on_output) {
        world->hooks.on_output(world->hooks.context);
    }
}

uint64_t world_turn(struct world *world, uint64_t now_ns)
{
    bool more = false;
    world->time->now_ns = now_ns;
    if (!world->time->ticking && world_stand_turn(world)) {
        tell(world);
        return UINT64_MAX;
    }
    if (!world->time->ticking) {
        uint64_t mark_ns = base_now_ns();
        world_journal_turn(world);
        bool copying = world_image_turn(world);
        world_view_move(world);
        world_strays_turn(world, now_ns);
        more = world_inbox_drain(world) || copying;
        world_present_turn(world);
        world_rate_turn(&world->frames->streams, now_ns);
        spend(world, WORLD_PHASE_APPLY, &mark_ns);
        world_publish_present(world);
        world_lossless_turn(world);
        world_lack_tell(world);
        const bool due = tick_due(world, now_ns);
        if (!due) {
            world_twins_turn(world); // otherwise with the tick, which tells more
        }
        spend(world, WORLD_PHASE_CAPTURE, &mark_ns);
        tell(world);
        if (!due) {
            return next_turn(world, now_ns, more);
        }
        if (!world->time->step.request) {
            world_pace_tick(&world->time->pace, now_ns);
        }
        tick_begin(world);
    }
    tick_go_on(world);
    if (world->time->ticking) {
        return 0;
    }
    if (tick_ended(world)) {
        more = world_lines_serve(world, base_now_ns() + AFTER_STEP_NS) || more;
        world_publish_present(world);
    }
    world_lossless_turn(world);
    world_lack_tell(world);
    world_twins_turn(world);
    tell(world);
    return next_turn(world, now_ns, more || world->document->broken);
}

void world_face(struct world *world, struct world_face *face)
{
    base_mutex_lock(&world->face_mutex);
    *face = world->outside.face;
    base_mutex_unlock(&world->face_mutex);
}

bool world_published(struct world *world, struct world_published *out)
{
    base_mutex_lock(&world->face_mutex);
    out->get = world->outside.get;
    out->get.has &= ~(PROTOCOL_HAS_WORLD_GET_RESULT_DURABLE | PROTOCOL_HAS_WORLD_GET_RESULT_DURABLE_REVISION);
    out->position = world->outside.face.position;
    memcpy(out->name, world->outside.name, sizeof out->name);
    memcpy(out->reason, world->outside.reason, sizeof world->outside.reason);
    memcpy(out->read_only, world->outside.read_only, sizeof out->read_only);
    const bool stale = world->time->view.stale || !world->outside.face.kept;
    base_mutex_unlock(&world->face_mutex);
    out->get.name = protocol_text(out->name);
    out->get.reason = protocol_text(out->get.state == WORLD_FAILED ? out->reason : "");
    out->get.read_only = protocol_text(out->read_only);
    return !stale && base_ring_empty(world->answers->outbox);
}

void world_load(const struct world *world, struct world_load *load)
{
    load->requests = world->answers->admitted;
    load->frame_bytes = base_budget_used(world->frames->budget);
}
