// Keeps steps of undo in memory: adds, flips, forgets and finds them.
#include "world/keep/history.h"

#include "base/log.h"
#include "base/search.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct world_undo_step *step)
{
    size_t touches = 0;
    for (uint32_t i = 0; i < step->part_count; i++) {
        touches += step->parts[i].touches.count * sizeof(struct document_touched);
    }
    return sizeof *step + step->part_count * sizeof *step->parts + touches +
           step->member_count * sizeof *step->members + step->back_size;
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
        for (uint32_t i = 0; i < step->part_count; i++) {
            free(step->parts[i].touches.items);
        }
        free(step->parts);
        free(step->members);
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

// Whether a revision is that of the step's edit, or of one of its gesture.
static bool has_edit(const struct world_undo_step *step, uint64_t revision)
{
    uint32_t place = 0;
    if (revision <= step->revision || revision > step->last) {
        return revision == step->revision;
    }
    BASE_SEARCH(place, step->member_count, step->members[at] < revision);
    return place < step->member_count && step->members[place] == revision;
}

// Bounds the parts of one gesture, because undo looks at each.
enum { GESTURE_PARTS_MAX = 256 };

bool world_undo_step_covers(const struct world_undo_step *step, const struct document_touches *touches)
{
    bool covers = false;
    for (uint32_t i = 0; i < step->part_count && !covers; i++) {
        covers = document_touches_cover(&step->parts[i].touches, touches);
    }
    return covers;
}

// Finds the part that concerned just these. NULL: there is none.
static struct world_part *part_of(const struct world_undo_step *step, const struct document_touches *touches)
{
    for (uint32_t i = 0; i < step->part_count; i++) {
        if (document_touches_cover(&step->parts[i].touches, touches) &&
            document_touches_cover(touches, &step->parts[i].touches)) {
            return &step->parts[i];
        }
    }
    return NULL;
}

// Whether an edit that says so can join the step. One that changes nothing else than the step does needs no room.
static bool can_join(const struct world_undo_step *step, const struct past_step *given)
{
    if (!step->open || !step->back || step->member_count + 1 >= PROTOCOL_LIMIT_GESTURE_EDITS) {
        return false;
    }
    if (part_of(step, &given->touches)) {
        return true;
    }
    if (step->part_count == GESTURE_PARTS_MAX) {
        return false;
    }
    return world_undo_step_covers(step, &given->touches) ||
           (given->back && !given->touches.lost &&
            step->back_size + given->back_size <= PROTOCOL_LIMIT_UNDO_BYTES &&
            past_back_parts(step->back, step->back_size) + past_back_parts(given->back, given->back_size) <=
                PAST_BACK_PARTS);
}

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
    for (uint32_t i = 0; i < step->part_count; i++) {
        step->parts[i].since = revision;
    }
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

static bool part_add(struct world_undo_step *step, const struct past_step *given)
{
    if (!array_reserve(&step->parts, &step->part_capacity, step->part_count + 1)) {
        return false;
    }
    struct world_part *part = &step->parts[step->part_count];
    *part = (struct world_part){.since = given->revision,
                                .made = given->kind == PAST_STEP_EDIT ? given->revision : given->of,
                                .touches = given->touches};
    part->last = part->made;
    part->touches.items =
        (void *)copy_of(given->touches.items, given->touches.count * sizeof *part->touches.items);
    step->part_count += part->touches.items != NULL;
    return part->touches.items != NULL;
}

static struct world_undo_step *step_create(const struct past_step *given)
{
    struct world_undo_step *step = calloc(1, sizeof *step);
    if (!step) {
        return NULL;
    }
    step->revision = step->last = given->kind == PAST_STEP_EDIT ? given->revision : given->of;
    step->open = given->kind == PAST_STEP_EDIT && given->gesture == given->revision;
    step->session = given->session;
    step->visit = given->visit;
    memcpy(step->gesture, given->gesture_name.data ? given->gesture_name.data : "", given->gesture_name.size);
    step->method = given->method;
    step->owner = step->mover = world_owner_of(&given->user, given->session);
    step->stands = true;
    step->resets = given->resets || given->method == PROTOCOL_METHOD_WORLD_RESET;
    if (!part_add(step, given)) {
        step_destroy(step);
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

// Makes the step the last one.
static void move_to_end(struct world_history *history, uint32_t place)
{
    struct world_undo_step *step = history->steps[place];
    history->count--;
    memmove(history->steps + place, history->steps + place + 1,
            (history->count - place) * sizeof(struct world_undo_step *));
    history->steps[history->count++] = step;
}

static uint32_t place_of(const struct world_history *history, uint64_t revision)
{
    uint32_t i = 0;
    while (i < history->count && !has_edit(history->steps[i], revision)) {
        i++;
    }
    return i;
}

// Puts what takes a later edit of a gesture back in front of what takes the earlier ones back.
static bool back_join(struct world_history *history, struct world_undo_step *step,
                      const struct past_step *given)
{
    uint8_t *joined = malloc(given->back_size + step->back_size + 5);
    const size_t size =
        joined ? past_back_join(given->back, given->back_size, step->back, step->back_size, joined) : 0;
    struct world_tally *tally = step->counted ? tally_of(history, &step->owner, false) : NULL;
    if (size == 0) {
        free(joined);
        return false;
    }
    history->bytes += size - step->back_size;
    if (tally) {
        tally->bytes += size - step->back_size;
    }
    free(step->back);
    step->back = joined;
    step->back_size = size;
    return true;
}

static bool gesture_take(struct world_history *history, uint32_t place, const struct past_step *given)
{
    struct world_undo_step *step = history->steps[place];
    if (!array_reserve(&step->members, &step->member_capacity, step->member_count + 1)) {
        return false;
    }
    const size_t before = bytes_of(step) - step->back_size;
    const bool covered = world_undo_step_covers(step, &given->touches);
    struct world_part *part = part_of(step, &given->touches);
    if (part) {
        part->last = given->revision;
    } else if (!part_add(step, given) || (!covered && !back_join(history, step, given))) {
        return false;
    }
    step->members[step->member_count++] = given->revision;
    step->last = step->at = given->revision;
    step->resets = step->resets || given->resets;
    history->bytes += bytes_of(step) - step->back_size - before;
    move_to_end(history, place);
    redo_forget(history, &step->owner);
    return true;
}

static bool edit_take(struct world_history *history, const struct past_step *given)
{
    const uint32_t place = given->gesture != 0 ? place_of(history, given->gesture) : history->count;
    if (place < history->count && can_join(history->steps[place], given)) {
        return gesture_take(history, place, given);
    }
    struct world_undo_step *step = step_create(given);
    if (!append(history, step)) {
        return false;
    }
    flip(step, given->revision, false);
    redo_forget(history, &step->owner);
    return back_set(history, step, given);
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
    step->open = false;
    flip(step, given->revision, given->forced);
    move_to_end(history, place);
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
        history->steps[i]->open = false;
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

const struct world_undo_step *world_history_gesture(const struct world_history *history,
                                                    const struct past_step *given)
{
    const struct world_owner owner = world_owner_of(&given->user, given->session);
    for (uint32_t i = history->count; i > 0; i--) {
        const struct world_undo_step *step = history->steps[i - 1];
        if (step->open && step->session == given->session && step->visit == given->visit &&
            strlen(step->gesture) == given->gesture_name.size &&
            memcmp(step->gesture, given->gesture_name.data, given->gesture_name.size) == 0) {
            return world_owner_same(&step->owner, &owner) && can_join(step, given) ? step : NULL;
        }
    }
    return NULL;
}

struct world_undo_step *world_history_find(const struct world_history *history, uint64_t revision)
{
    const uint32_t place = place_of(history, revision);
    return place < history->count ? history->steps[place] : NULL;
}

// Whether the state of a part of a step differs from what it was at revision `since`. States are numbers: a clean flip leads back to
// the state before the last one, a forced flip to a new one. Between two edits of a gesture it is in none of them.
static bool came_to_something(const struct world_undo_step *step, const struct world_part *part,
                              uint64_t since)
{
    uint32_t before = 0, now = 0, then = 0;
    for (uint32_t i = 0; i < step->flip_count; i++) {
        const bool made = step->older == 0 && i == 0; // else it is a flip of what was made before
        const uint32_t next = i > 0 && !step->flips[i].forced ? before : i + 1;
        before = now;
        now = next;
        if ((made ? part->last : step->flips[i].revision) <= since) {
            then = now;
        } else if (made && part->made <= since) {
            then = UINT32_MAX;
        }
    }
    return now != then || since < step->older;
}

struct gather {
    struct world_changes *changes;
    const struct world_undo_step *by;
};

// Keeps a common part, unless a later change of it is there already.
static bool gather(void *context, const struct document_touched *common)
{
    struct gather *gather = context;
    struct world_changes *changes = gather->changes;
    for (uint32_t i = 0; i < changes->count; i++) {
        if (document_touched_covers(&changes->items[i].what, common)) {
            return true;
        }
    }
    changes->more = changes->count == WORLD_CHANGES_MAX;
    if (!changes->more) {
        changes->items[changes->count++] = (struct world_change){.by = gather->by, .what = *common};
    }
    return !changes->more;
}

// Gathers what a step has changed of what another one concerns, after the latter did.
static void gather_from(const struct world_undo_step *other, const struct world_undo_step *step,
                        struct gather *into)
{
    for (uint32_t i = 0; i < step->part_count && step->parts[i].since < other->at; i++) {
        const struct world_part *part = &step->parts[i];
        for (uint32_t k = 0; k < other->part_count; k++) {
            if (came_to_something(other, &other->parts[k], part->since)) {
                document_touches_meet(&part->touches, &other->parts[k].touches, gather, into);
            }
        }
    }
}

bool world_history_changes(const struct world_history *history, const struct world_undo_step *step,
                           struct world_changes *changes)
{
    const uint64_t first = step->parts[0].since; // those of later parts are greater, or the same
    *changes = (struct world_changes){.count = 0};
    for (uint32_t i = history->count; i > 0 && history->steps[i - 1]->at > first && !changes->more; i--) {
        struct gather into = {.changes = changes, .by = history->steps[i - 1]};
        if (into.by != step) {
            gather_from(into.by, step, &into);
        }
    }
    return changes->count > 0;
}

static bool is_beside(const struct world_undo_step *step, const struct document_touched *item)
{
    bool beside = false;
    for (uint32_t p = 0; p < step->part_count && !beside; p++) {
        const struct document_touches *touches = &step->parts[p].touches;
        for (uint32_t i = 0; i < touches->count && !beside; i++) {
            beside = document_touched_beside(&touches->items[i], item);
        }
    }
    return beside;
}

const struct world_undo_step *
world_history_beside(const struct world_history *history, const struct world_undo_step *step,
                     bool (*fits)(void *context, const struct document_touched *), void *context)
{
    for (uint32_t i = history->count; i > 0 && history->steps[i - 1]->at > step->parts[0].since; i--) {
        const struct world_undo_step *other = history->steps[i - 1];
        for (uint32_t p = 0; other != step && p < other->part_count; p++) {
            const struct document_touches *touches = &other->parts[p].touches;
            for (uint32_t k = 0; k < touches->count; k++) {
                if (is_beside(step, &touches->items[k]) && fits(context, &touches->items[k])) {
                    return other;
                }
            }
        }
    }
    return NULL;
}
