// Reads the last state of a world.
#include "past/internal.h"

enum { BACK = 1024, BACK_BYTES = 4 << 20 }; // entries and bytes that are read at a time

struct back {
    struct past_told told;
    uint64_t sequence;
};

static void look_at(struct back *back, const struct store_entry *entry)
{
    struct protocol_error error;
    struct past_mark mark;
    if (entry->kind == PAST_MARK && past_mark_read(entry->bytes, entry->size, &mark, &error)) {
        past_told_mark(&back->told, &mark);
        back->sequence = mark.sequence > 0 ? mark.sequence : back->sequence;
    }
    if (entry->kind == PAST_RECORD) {
        struct document_record record;
        msgpack_zone zone;
        if (msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
            const bool read = document_record_read(entry->bytes, entry->size, &zone, &record, &error);
            back->sequence = read ? record.sequence : back->sequence;
            msgpack_zone_destroy(&zone);
        }
    }
}

// Reads entries after `after` up to a position, in order, for what they tell of time.
static bool look_through(struct past *past, uint64_t after, uint64_t position, struct back *back,
                         struct protocol_error *error)
{
    while (after < position) {
        struct store_error store = {0};
        const struct store_entry *entries;
        uint32_t count = 0;
        const enum fault_code status =
            store_read(past->reader, past->list, after, BACK, BACK_BYTES, &entries, &count, &store);
        if (status == FAULT_MEMORY || status == FAULT_IO) {
            return past_refuse_store(past, &store, error);
        }
        if (status != FAULT_NONE || count == 0) {
            return true; // damage there does not matter: an image holds the result of these entries
        }
        for (uint32_t e = 0; e < count && entries[e].position <= position; e++) {
            look_at(back, &entries[e]);
        }
        after = entries[count - 1].position;
    }
    return true;
}

// Reads backwards from a position, for facts that later entries did not tell.
static bool look_back(struct past *past, uint64_t first, uint64_t position, struct back *back,
                      struct protocol_error *error)
{
    while (position > first && !(back->told.known && back->told.marked && back->sequence > 0)) {
        const uint64_t after = position - first > BACK ? position - BACK : first;
        struct back before = {0};
        if (!look_through(past, after, position, &before, error)) {
            return false;
        }
        if (!back->told.known) {
            back->told.known = before.told.known;
            back->told.playing = before.told.playing;
            back->told.rate = before.told.rate;
        }
        if (!back->told.marked) {
            back->told.marked = before.told.marked;
            back->told.deleted = before.told.deleted;
        }
        back->sequence = back->sequence == 0 ? before.sequence : back->sequence;
        position = after;
    }
    return true;
}

static void on_refused(void *context, const struct document_record *record,
                       const struct protocol_error *error)
{
    struct past_end *end = context;
    past_warn(end->warning, "record %llu (%s at tick %llu) does not apply with this solver: %.120s",
              (unsigned long long)record->sequence, protocol_methods[record->method].name,
              (unsigned long long)record->tick, error->text);
}

static void tell_solver(const struct past_walk *walk, uint32_t began_with, struct past_end *out)
{
    const uint64_t tick = walk->document->tick;
    const bool foreign = past_walk_foreign(walk);
    if (walk->loosened_at == UINT64_MAX && !foreign) {
        return;
    }
    out->exact_tick = walk->loosened_at < tick ? walk->loosened_at : tick;
    const uint32_t other = foreign ? walk->place.solver : began_with;
    out->exact_solver = other;
    if (out->exact_tick < tick) {
        past_warn(out->warning,
                  "solver %u made its past, and this is %u: it is exact up to tick %llu, and what came "
                  "after that was replayed up to tick %llu",
                  other, sim_solver_version(), (unsigned long long)out->exact_tick, (unsigned long long)tick);
    } else {
        past_warn(out->warning, "solver %u made its past up to tick %llu; %u goes on from there", other,
                  (unsigned long long)tick, sim_solver_version());
    }
}

bool past_end(struct past *past, struct past_end *out, struct protocol_error *error)
{
    return past_end_while(past, NULL, out, error);
}

bool past_end_while(struct past *past, const struct past_progress *progress, struct past_end *out,
                    struct protocol_error *error)
{
    struct past_walk walk;
    struct store_error store = {0};
    struct store_list list;
    *out = (struct past_end){.exact_tick = UINT64_MAX};
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    if (!past_walk_init(&walk, past, progress, error)) {
        return false;
    }
    walk.loosen = true;
    walk.on_refused = on_refused;
    walk.context = out;
    bool done = past_base(&walk, UINT64_MAX, UINT64_MAX, out->warning, error);
    const uint64_t base = walk.place.position;
    const uint32_t began_with = walk.place.solver;
    const uint64_t image_tick = walk.document ? walk.document->tick : 0;
    done = done && past_walk_to(&walk, UINT64_MAX, UINT64_MAX, error);
    if (done) {
        struct back back = {.told = walk.told, .sequence = walk.place.sequence};
        done = look_back(past, list.first, base, &back, error);
        out->position = walk.place.position;
        // If no entry tells the sequence any more, the number of entries is taken. There were no more records
        // than entries, so no number is given twice.
        out->sequence = back.sequence == 0 && list.first > 0 ? out->position : back.sequence;
        out->playing = back.told.playing && !walk.document->failed;
        out->rate = out->playing ? back.told.rate : 0;
        out->deleted = back.told.deleted;
        out->image_age_s =
            (double)(walk.document->tick - image_tick) / sim_settings_of(walk.document->sim)->tick_rate;
        tell_solver(&walk, began_with, out);
    }
    if (done) {
        out->document = walk.document;
        walk.document = NULL;
    }
    past_walk_deinit(&walk);
    return done;
}
