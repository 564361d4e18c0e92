// Keeps steps of undo in memory: adds, flips, forgets and finds them.
#include "world/keep/history.h"

#include "base/log.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct world_undo_step *step)
{
    return sizeof *step + step->touches.count * sizeof *step->touches.items + step->back_size;
}

// Finds an owner's tally. NULL: there is none, or, with `make`, memory ran out.
static struct world_tally *tally_of(struct world_history *history, const struct world_owner *owner, bool make)
{
    struct world_tally *unused = NULL;
    for (uint32_t i = 0; i < history->tally_count; i++) {
        struct world_tally *tally = &history->tallies[i];
        if (tally->count == 0 && !tally->undone) {
            unused = tally;
        } else if (world_owner_same(&tally->owner, owner)) {
            return tally;
        }
    }
    if (!make) {
        return NULL;
    }
    if (!unused && !array_reserve(&history->tallies, &history->tally_capacity, history->tally_count + 1)) {
        return NULL;
    }
    unused = unused ? unused : &history->tallies[history->tally_count++];
    *unused = (struct world_tally){.owner = *owner};
    return unused;
}

static void count_no_more(struct world_history *history, struct world_undo_step *step)
{
    struct world_tally *tally = step->counted ? tally_of(history, &step->owner, false) : NULL;
    if (tally) {
        tally->count--;
        tally->bytes -= step->back_size;
    }
    step->counted = false;
}

static void back_forget(struct world_history *history, struct world_undo_step *step)
{
    count_no_more(history, step);
    history->bytes -= step->back_size;
    free(step->back);
    step->back = NULL;
    step->back_size = 0;
}

static void step_destroy(struct world_undo_step *step)
{
    if (step) {
        free(step->touches.items);
        free(step->back);
        free(step);
    }
}

void world_history_deinit(struct world_history *history)
{
    for (uint32_t i = 0; i < history->count; i++) {
        step_destroy(history->steps[i]);
    }
    free(history->steps);
    free(history->tallies);
    history->steps = NULL;
    history->tallies = NULL;
    history->count = history->capacity = 0;
    history->tally_count = history->tally_capacity = 0;
    history->bytes = 0;
}

static void drop_first(struct world_history *history, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        back_forget(history, history->steps[i]);
        history->bytes -= bytes_of(history->steps[i]);
        step_destroy(history->steps[i]);
    }
    history->count -= count;
    memmove(history->steps, history->steps + count, history->count * sizeof(struct world_undo_step *));
}

// ---------------------------------------------------------------------------------------------------------
// What there is too much of

static bool is_kept_for(const struct world_undo_step *step, const struct world_owner *owner)
{
    return step->back && world_owner_same(&step->owner, owner);
}

// All steps are gone through only when an owner, or the world, has this many too many. So an edit costs the
// same however long the history is.
enum { TOO_MANY = 64 };

static void bound_person(struct world_history *history, const struct world_owner *owner)
{
    const struct world_tally *tally = tally_of(history, owner, false);
    if (!tally ||
        (tally->count < PROTOCOL_LIMIT_UNDO_STEPS + TOO_MANY && tally->bytes <= PROTOCOL_LIMIT_UNDO_BYTES)) {
        return;
    }
    for (uint32_t i = 0; i < history->count && (tally->count > PROTOCOL_LIMIT_UNDO_STEPS ||
                                                tally->bytes > PROTOCOL_LIMIT_UNDO_BYTES);
         i++) {
        if (is_kept_for(history->steps[i], owner)) {
            back_forget(history, history->steps[i]);
        }
    }
}

static void bound(struct world_history *history, const struct world_owner *owner)
{
    bound_person(history, owner);
    for (uint32_t i = 0; i < history->count && history->bytes > PROTOCOL_LIMIT_UNDO_WORLD_BYTES; i++) {
        back_forget(history, history->steps[i]);
    }
    if (history->count >= WORLD_STEPS_MAX + TOO_MANY) {
        drop_first(history, history->count - WORLD_STEPS_MAX);
    }
    while (history->count > 1 && history->bytes > PROTOCOL_LIMIT_UNDO_WORLD_BYTES) {
        drop_first(history, history->count > TOO_MANY ? TOO_MANY : 1);
    }
}

// Forgets the steps that an owner has taken back: they cannot be made again after another edit.
static void redo_forget(struct world_history *history, const struct world_owner *owner)
{
    struct world_tally *tally = tally_of(history, owner, false);
    if (!tally || !tally->undone) {
        return;
    }
    for (uint32_t i = 0; i < history->count; i++) {
        struct world_undo_step *step = history->steps[i];
        if (!step->stands && step->back && world_owner_same(&step->mover, owner)) {
            back_forget(history, step);
        }
    }
    tally->undone = false;
}

// ---------------------------------------------------------------------------------------------------------
// Taking in

static uint8_t *copy_of(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    if (copy && size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

static void flip(struct world_undo_step *step, uint64_t revision, bool forced)
{
    if (step->flip_count == WORLD_UNDO_STEP_FLIPS) {
        const uint64_t first = step->flips[0].revision;
        memmove(step->flips, step->flips + 1, (WORLD_UNDO_STEP_FLIPS - 1) * sizeof step->flips[0]);
        step->flip_count--;
        step->older = first;
    }
    step->flips[step->flip_count++] = (struct world_flip){revision, forced};
    step->at = revision;
}

static bool back_set(struct world_history *history, struct world_undo_step *step,
                     const struct past_step *given)
{
    back_forget(history, step);
    if (!given->back || given->back_size > PROTOCOL_LIMIT_UNDO_BYTES) {
        return true;
    }
    step->back = copy_of(given->back, given->back_size);
    step->back_size = step->back ? given->back_size : 0;
    history->bytes += step->back_size;
    struct world_tally *tally = step->back ? tally_of(history, &step->owner, true) : NULL;
    if (tally) {
        step->counted = true;
        tally->count++;
        tally->bytes += step->back_size;
    }
    if (tally && !step->stands && (tally = tally_of(history, &step->mover, true))) {
        tally->undone = true;
    }
    return tally != NULL;
}

static struct world_undo_step *step_create(const struct past_step *given)
{
    struct world_undo_step *step = calloc(1, sizeof *step);
    if (!step) {
        return NULL;
    }
    step->revision = given->kind == PAST_STEP_EDIT ? given->revision : given->of;
    step->method = given->method;
    step->owner = step->mover = world_owner_of(&given->user, given->session);
    step->stands = true;
    step->resets = given->resets || given->method == PROTOCOL_METHOD_WORLD_RESET;
    step->touches.lost = given->touches.lost;
    step->touches.count = given->touches.count;
    step->touches.items =
        (void *)copy_of(given->touches.items, given->touches.count * sizeof *step->touches.items);
    if (!step->touches.items) {
        free(step);
        return NULL;
    }
    return step;
}

static bool append(struct world_history *history, struct world_undo_step *step)
{
    if (!step || !array_reserve(&history->steps, &history->capacity, history->count + 1)) {
        step_destroy(step);
        return false;
    }
    history->bytes += bytes_of(step);
    history->steps[history->count++] = step;
    return true;
}

static bool edit_take(struct world_history *history, const struct past_step *given)
{
    struct world_undo_step *step = step_create(given);
    if (!append(history, step)) {
        return false;
    }
    flip(step, given->revision, false);
    redo_forget(history, &step->owner);
    return back_set(history, step, given);
}

static uint32_t place_of(const struct world_history *history, uint64_t revision)
{
    uint32_t i = 0;
    while (i < history->count && history->steps[i]->revision != revision) {
        i++;
    }
    return i;
}

static bool flip_take(struct world_history *history, const struct past_step *given)
{
    const uint32_t place = place_of(history, given->of);
    if (place == history->count) {
        // The edit is no longer known. Only the fact that something was changed is kept.
        struct world_undo_step *step = step_create(given);
        if (!append(history, step)) {
            return false;
        }
        step->older = given->revision;
        step->stands = given->kind == PAST_STEP_REDO;
        step->owner = (struct world_owner){0};
        flip(step, given->revision, true);
        return true;
    }
    struct world_undo_step *step = history->steps[place];
    step->stands = given->kind == PAST_STEP_REDO;
    step->mover = world_owner_of(&given->user, given->session);
    flip(step, given->revision, given->forced);
    history->count--;
    memmove(history->steps + place, history->steps + place + 1,
            (history->count - place) * sizeof(struct world_undo_step *));
    history->steps[history->count++] = step;
    return back_set(history, step, given);
}

void world_history_take(struct world_history *history, const struct past_step *step)
{
    const bool taken = step->kind == PAST_STEP_EDIT ? edit_take(history, step) : flip_take(history, step);
    if (!taken || step->touches.lost) {
        base_log(BASE_LOG_WARN, "no memory to take edits back: those up to revision %llu are forgotten",
                 (unsigned long long)step->revision);
        world_history_deinit(history);
    } else {
        bound(history, &history->steps[history->count - 1]->owner);
    }
}

void world_history_begin(struct world_history *history, const struct past_steps *steps)
{
    for (uint32_t i = steps ? steps->count : 0; i > 0; i--) {
        const struct past_step_bytes *bytes = &steps->items[i - 1];
        struct protocol_error error;
        struct past_step step;
        msgpack_zone zone;
        if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
            return;
        }
        if (past_step_read(bytes->bytes, bytes->size, &zone, &step, &error)) {
            world_history_take(history, &step);
            history->position = history->pointed = bytes->position;
        }
        msgpack_zone_destroy(&zone);
    }
    for (uint32_t i = 0; i < history->count; i++) { // their sessions are gone, and other clients have the
                                                    // numbers
        if (history->steps[i]->owner.session != 0) {
            count_no_more(history, history->steps[i]);
        }
        history->steps[i]->owner.session = history->steps[i]->mover.session = 0;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Finding

struct world_undo_step *world_history_undo(const struct world_history *history,
                                           const struct world_owner *owner)
{
    uint32_t kept = 0;
    for (uint32_t i = history->count; i > 0 && kept < PROTOCOL_LIMIT_UNDO_STEPS; i--) {
        struct world_undo_step *step = history->steps[i - 1];
        const bool own = is_kept_for(step, owner);
        kept += own;
        if (own && step->stands) {
            return step;
        }
    }
    return NULL;
}

struct world_undo_step *world_history_redo(const struct world_history *history,
                                           const struct world_owner *owner)
{
    for (uint32_t i = history->count; i > 0; i--) {
        struct world_undo_step *step = history->steps[i - 1];
        if (!step->stands && step->back && world_owner_same(&step->mover, owner)) {
            return step;
        }
    }
    return NULL;
}

struct world_undo_step *world_history_find(const struct world_history *history, uint64_t revision)
{
    const uint32_t place = place_of(history, revision);
    return place < history->count ? history->steps[place] : NULL;
}

// Whether the step's state differs from what it was at revision `since`. States are numbers: a clean flip
// leads back to the state before the last one, a forced flip to a new one.
static bool came_to_something(const struct world_undo_step *step, uint64_t since)
{
    uint32_t before = 0, now = 0, then = 0;
    for (uint32_t i = 0; i < step->flip_count; i++) {
        const uint32_t next = i > 0 && !step->flips[i].forced ? before : i + 1;
        before = now;
        now = next;
        then = step->flips[i].revision <= since ? now : then;
    }
    return now != then || since < step->older;
}

const struct world_undo_step *world_history_conflict(const struct world_history *history,
                                                     const struct world_undo_step *step,
                                                     const struct document_touched **where)
{
    for (uint32_t i = history->count; i > 0 && history->steps[i - 1]->at > step->at; i--) {
        const struct world_undo_step *other = history->steps[i - 1];
        if (other != step && came_to_something(other, step->at) &&
            document_touches_meet(&step->touches, &other->touches, where)) {
            return other;
        }
    }
    return NULL;
}
