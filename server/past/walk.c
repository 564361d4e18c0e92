// Goes on through a past: ticks and entries in their order, from where the document stands.
#include "past/internal.h"

#include "base/clock.h"
#include "protocol/bytes.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 256, ENTRIES_BYTES = 1 << 20, ASK_NS = 4 * 1000 * 1000 };

// Least and most seconds of replay between images of the way: so much that packing is cheap beside it, and so
// little that going back is quick.
static const double kept_every_s[2] = {0.02, 0.1};

// ---------------------------------------------------------------------------------------------------------
// Refusing

bool past_refuse_store(const struct past *past, const struct store_error *store, struct protocol_error *error)
{
    protocol_error_set(error, protocol_code_of(store->fault.code), NULL,
                       "the past of world %u cannot be read: %s", past->list, store->fault.text);
    return false;
}

bool past_refuse_damage(const struct past *past, uint64_t position, uint64_t tick, const char *text,
                        struct protocol_error *error)
{
    char copy[PROTOCOL_TEXT_MAX];
    snprintf(copy, sizeof copy, "%s", text);
    protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL,
                       "the past of world %u is damaged at position %llu, tick %llu: %s", past->list,
                       (unsigned long long)position, (unsigned long long)tick, copy);
    return false;
}

bool past_refuse_memory(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory to read a world's past");
    return false;
}

void past_warn(char *warning, const char *format, ...)
{
    size_t used = strlen(warning);
    va_list arguments;
    if (used > 0 && used + 2 < PAST_WARNING_SIZE) {
        used += (size_t)snprintf(warning + used, PAST_WARNING_SIZE - used, "; ");
    }
    va_start(arguments, format);
    vsnprintf(warning + used, PAST_WARNING_SIZE - used, format, arguments);
    va_end(arguments);
}

// ---------------------------------------------------------------------------------------------------------

bool past_walk_init(struct past_walk *walk, struct past *past, const struct past_progress *progress,
                    struct protocol_error *error)
{
    *walk = (struct past_walk){.past = past, .progress = progress, .loosened_at = UINT64_MAX};
    return msgpack_zone_init(&walk->zone, MSGPACK_ZONE_CHUNK_SIZE) || past_refuse_memory(error);
}

void past_walk_deinit(struct past_walk *walk)
{
    document_destroy(walk->document);
    past_moved_deinit(&walk->moved);
    msgpack_zone_destroy(&walk->zone);
}

bool past_walk_foreign(const struct past_walk *walk)
{
    return walk->place.solver != sim_solver_version();
}

// Whether records are applied by their meaning, and hashes are not compared.
static bool loose(const struct past_walk *walk)
{
    return walk->changed || walk->place.loosened || past_walk_foreign(walk);
}

// ---------------------------------------------------------------------------------------------------------
// Ticks

static bool go_on(struct past_walk *walk)
{
    const struct past_progress *progress = walk->progress;
    if (!progress || !progress->go_on || base_now_ns() - walk->asked_ns < ASK_NS) {
        return true;
    }
    const bool on = progress->go_on(progress->context, walk->document->tick, walk->until);
    walk->asked_ns = base_now_ns();
    return on;
}

static bool on_pause(void *context)
{
    return !go_on(context);
}

static bool give_up(const struct past_walk *walk, struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "given up on the way to tick %llu, at tick %llu",
                       (unsigned long long)walk->until, (unsigned long long)walk->document->tick);
    return false;
}

static double kept_every(const struct past *past)
{
    const double wanted_s = 4 * (past->pack_s + past->read_s);
    return wanted_s < kept_every_s[0]   ? kept_every_s[0]
           : wanted_s > kept_every_s[1] ? kept_every_s[1]
                                        : wanted_s;
}

static void keep_image(struct past_walk *walk)
{
    struct past *past = walk->past;
    const uint64_t began_ns = base_now_ns(), tick = walk->document->tick;
    struct protocol_bytes bytes = {0};
    if (!past_images_between(&past->images, walk->kept_tick, tick)) {
        if (!document_image_pack(walk->document, &bytes)) {
            protocol_bytes_deinit(&bytes); // if memory runs out there is no image
            return;
        }
        past_images_add(&past->images, tick, &walk->place, bytes.data, bytes.size);
        past->pack_s = (double)(base_now_ns() - began_ns) * 1e-9;
    }
    walk->kept_tick = tick;
    walk->since_s = 0;
}

static atomic_uint_least64_t ticks_run;

uint64_t past_ticks(void)
{
    return atomic_load(&ticks_run);
}

static bool one_tick(struct past_walk *walk, struct protocol_error *error)
{
    const struct sim_hooks hooks = {.context = walk, .on_pause = on_pause};
    const uint64_t began_ns = base_now_ns();
    if (!document_step(walk->document, NULL, &hooks)) {
        return give_up(walk, error);
    }
    atomic_fetch_add(&ticks_run, 1);
    const double spent_s = (double)(base_now_ns() - began_ns) * 1e-9;
    walk->past->tick_s = walk->past->tick_s > 0 ? 0.9 * walk->past->tick_s + 0.1 * spent_s : spent_s;
    walk->since_s += spent_s;
    if (walk->difference) {
        walk->difference->ticks++;
    } else if (walk->since_s > kept_every(walk->past) && !loose(walk) && !walk->document->failed) {
        keep_image(walk);
    }
    return go_on(walk) || give_up(walk, error);
}

static bool step_to(struct past_walk *walk, uint64_t tick, struct protocol_error *error)
{
    struct document *document = walk->document;
    while (document->tick < tick) {
        if (document->failed && !loose(walk)) {
            return past_refuse_damage(walk->past, walk->place.position + 1, tick,
                                      "the world failed before it, and no reset follows", error);
        }
        if (document->failed) {
            document_idle(document, tick);
            return true;
        }
        if (past_walk_foreign(walk) && !walk->loosen) {
            walk->stopped = true;
            return true;
        }
        if (past_walk_foreign(walk) && !walk->place.loosened) {
            walk->place.loosened = true;
            walk->loosened_at = walk->loosened_at < document->tick ? walk->loosened_at : document->tick;
        }
        if (!one_tick(walk, error)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Records

static const struct past_change *change_of(const struct past_walk *walk, const struct document_record *record)
{
    if (protocol_methods[record->method].class_ != PROTOCOL_CLASS_EDIT) {
        return NULL; // a grab tells the revision of an earlier edit
    }
    for (uint32_t c = 0; c < walk->change_count; c++) {
        if (walk->changes[c].revision == record->revision) {
            return &walk->changes[c];
        }
    }
    return NULL;
}

static bool redo(struct past_walk *walk, const struct document_record *record,
                 const struct past_change *change)
{
    struct protocol_error refused = {0};
    if (change && !change->params) {
        past_redo_without(&walk->moved, record);
        return true;
    }
    const void *params = change ? change->params : record->params;
    if (!past_redo(&walk->moved, walk->document, record, params, &walk->zone, &refused) && walk->on_refused) {
        walk->on_refused(walk->context, record, &refused);
    }
    return true;
}

// Notes a result that differs, or an edit that fails, with the same solver.
static bool differs(struct past_walk *walk, const struct store_entry *entry, const struct protocol_error *why,
                    struct protocol_error *error)
{
    if (!walk->difference) {
        return past_refuse_damage(walk->past, entry->position, entry->tick, why->text, error);
    }
    walk->difference->found = true;
    walk->difference->tick = entry->tick;
    walk->difference->position = entry->position;
    snprintf(walk->difference->text, sizeof walk->difference->text, "%s", why->text);
    return true;
}

static bool take_record(struct past_walk *walk, const struct store_entry *entry, struct protocol_error *error)
{
    struct document_record record;
    struct protocol_error why = {0};
    msgpack_zone_clear(&walk->zone);
    if (!document_record_read(entry->bytes, entry->size, &walk->zone, &record, &why)) {
        return past_refuse_damage(walk->past, entry->position, entry->tick, why.text, error);
    }
    if (record.tick != entry->tick) {
        return past_refuse_damage(walk->past, entry->position, entry->tick, "a record of another tick",
                                  error);
    }
    if (walk->place.sequence > 0 && record.sequence != walk->place.sequence + 1) {
        return past_refuse_damage(walk->past, entry->position, entry->tick, "a record is missing before it",
                                  error);
    }
    walk->place.sequence = record.sequence;
    const struct past_change *change = change_of(walk, &record);
    walk->changed = walk->changed || change;
    if (loose(walk)) {
        return redo(walk, &record, change);
    }
    return document_replay(walk->document, &record, &walk->zone, &why) || differs(walk, entry, &why, error);
}

// ---------------------------------------------------------------------------------------------------------
// Marks

void past_told_mark(struct past_told *told, const struct past_mark *mark)
{
    const bool says =
        mark->kind == PAST_MARK_PLAYING || mark->kind == PAST_MARK_PAUSED || mark->kind == PAST_MARK_FAILED;
    // A world that plays says so again and again. One that is stepped does not say whether it plays.
    if (says || (mark->kind == PAST_MARK_TICKS && mark->playing)) {
        told->known = true;
        told->playing = mark->kind == PAST_MARK_PLAYING || mark->kind == PAST_MARK_TICKS;
        told->rate = told->playing ? mark->rate : 0;
    }
    told->marked = true;
    told->deleted = mark->kind == PAST_MARK_DELETED;
}

static bool compare(struct past_walk *walk, const struct store_entry *entry, uint64_t told,
                    struct protocol_error *error)
{
    if (walk->changed || past_walk_foreign(walk)) {
        return true;
    }
    const uint64_t hash = document_hash(walk->document);
    const bool same = hash == told;
    struct past_difference *difference = walk->difference;
    if (walk->place.loosened) {
        walk->place.loosened = !same; // the state has become that of the other solver after all
        return true;
    }
    if (!difference) {
        char text[PROTOCOL_TEXT_MAX];
        snprintf(text, sizeof text,
                 "the state's hash is %016llx, and was %016llx (solver %u, which is this one)",
                 (unsigned long long)hash, (unsigned long long)told, walk->place.solver);
        return same || past_refuse_damage(walk->past, entry->position, entry->tick, text, error);
    }
    difference->hashes++;
    if (same) {
        difference->same_tick = walk->document->tick;
        return true;
    }
    difference->found = true;
    difference->tick = walk->document->tick;
    difference->position = entry->position;
    difference->expected = told;
    difference->hash = hash;
    return true;
}

static bool take_mark(struct past_walk *walk, const struct store_entry *entry, struct protocol_error *error)
{
    struct past_mark mark;
    struct protocol_error why = {0};
    if (!past_mark_read(entry->bytes, entry->size, &mark, &why)) {
        return past_refuse_damage(walk->past, entry->position, entry->tick, why.text, error);
    }
    past_told_mark(&walk->told, &mark);
    walk->place.sequence = walk->place.sequence == 0 ? mark.sequence : walk->place.sequence;
    // A server that begins with a world has the state that the one before left, and tells its hash.
    const bool done = !mark.hashed || compare(walk, entry, mark.hash, error);
    if (mark.kind == PAST_MARK_BEGUN) {
        walk->place.solver = mark.solver;
    }
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Entries

// Gets the next entry. *out NULL: there are no more. Valid until the reader is used otherwise.
static bool next_entry(struct past_walk *walk, const struct store_entry **out, struct protocol_error *error)
{
    const struct past *past = walk->past;
    struct store_error store = {0};
    *out = NULL;
    if (walk->entry_next == walk->entry_count) {
        walk->entry_next = walk->entry_count = 0;
        if (store_read(past->reader, past->list, walk->place.position, ENTRIES, ENTRIES_BYTES, &walk->entries,
                       &walk->entry_count, &store) != FAULT_NONE) {
            return past_refuse_store(past, &store, error);
        }
    }
    if (walk->entry_next < walk->entry_count) {
        *out = &walk->entries[walk->entry_next];
        if ((*out)->position != walk->place.position + 1) {
            return past_refuse_damage(past, walk->place.position + 1, (*out)->tick, "an entry is missing",
                                      error);
        }
    }
    return true;
}

static bool take_entry(struct past_walk *walk, const struct store_entry *entry, struct protocol_error *error)
{
    if (entry->kind == PAST_RECORD) {
        return take_record(walk, entry, error);
    }
    if (entry->kind == PAST_MARK) {
        return take_mark(walk, entry, error);
    }
    if (entry->kind == PAST_STEP) {
        return true; // steps only matter for undo
    }
    return past_refuse_damage(walk->past, entry->position, entry->tick,
                              "an entry of a kind that is not known", error);
}

bool past_walk_to(struct past_walk *walk, uint64_t tick, uint64_t position, struct protocol_error *error)
{
    const struct store_entry *entry;
    walk->until = tick;
    walk->asked_ns = base_now_ns();
    walk->kept_tick = walk->document->tick;
    walk->entry_next = walk->entry_count = 0; // the reader may have freed them
    walk->stopped = false;
    while (walk->place.position < position) {
        if (!next_entry(walk, &entry, error)) {
            return false;
        }
        if (!entry || entry->tick > tick) {
            break;
        }
        if (entry->tick < walk->document->tick) {
            return past_refuse_damage(walk->past, entry->position, entry->tick, "it goes back in time",
                                      error);
        }
        if (!step_to(walk, entry->tick, error)) {
            return false;
        }
        if (walk->stopped) {
            return true;
        }
        if (!take_entry(walk, entry, error)) {
            return false;
        }
        walk->place.position = entry->position;
        walk->entry_next++;
        if (walk->difference && walk->difference->found) {
            return true;
        }
        if (!go_on(walk)) {
            return give_up(walk, error);
        }
    }
    return tick == UINT64_MAX || step_to(walk, tick, error);
}
