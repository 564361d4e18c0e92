// Gives the past as it would be if some edits were missing or different.
#include "past/internal.h"

#include <stdlib.h>

struct refusals {
    struct past_refusal *items;
    uint32_t count, most;
};

static void on_refused(void *context, const struct document_record *record,
                       const struct protocol_error *error)
{
    struct refusals *refusals = context;
    if (refusals->items && refusals->count < refusals->most) {
        refusals->items[refusals->count] =
            (struct past_refusal){.revision = record->revision, .method = record->method, .error = *error};
    }
    refusals->count++;
}

// ---------------------------------------------------------------------------------------------------------
// Finding edits

struct found {
    uint64_t position, tick, revision; // position 0: none
    bool edit;
};

// Finds the first record after a position.
static bool record_after(const struct past *past, uint64_t position, uint64_t last, struct found *out,
                         struct protocol_error *error)
{
    *out = (struct found){0};
    while (position < last) {
        struct store_error store = {0};
        const struct store_entry *entries;
        uint32_t count;
        if (store_read(past->reader, past->list, position, 32, 1 << 16, &entries, &count, &store) !=
            FAULT_NONE) {
            return past_refuse_store(past, &store, error);
        }
        if (count == 0) {
            return true;
        }
        for (uint32_t e = 0; e < count && entries[e].position <= last; e++) {
            struct document_record record;
            struct protocol_error why;
            msgpack_zone zone;
            if (entries[e].kind != PAST_RECORD) {
                continue;
            }
            if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
                return past_refuse_memory(error);
            }
            const bool read = document_record_read(entries[e].bytes, entries[e].size, &zone, &record, &why);
            *out = (struct found){entries[e].position, entries[e].tick, read ? record.revision : 0,
                                  read && protocol_methods[record.method].class_ == PROTOCOL_CLASS_EDIT};
            msgpack_zone_destroy(&zone);
            return read || past_refuse_damage(past, out->position, out->tick, why.text, error);
        }
        position = entries[count - 1].position;
    }
    return true;
}

// Finds the edit of a revision. Revisions never decrease from record to record: the first record that has it
// is the edit.
static bool edit_find(const struct past *past, const struct store_list *list, uint64_t revision,
                      struct found *out, struct protocol_error *error)
{
    uint64_t low = list->first, high = list->last;
    *out = (struct found){0};
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        struct found found;
        if (!record_after(past, middle, high, &found, error)) {
            return false;
        }
        if (found.position > 0 && found.revision < revision) {
            low = found.position;
            continue;
        }
        *out = found.position > 0 ? found : *out;
        high = middle;
    }
    if (out->revision == revision && out->edit) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "revision",
                       "revision: %llu; no edit of world %u that is kept has it",
                       (unsigned long long)revision, past->list);
    return false;
}

// Finds the records of all changes. *before is set to the position before the first of them.
static bool changes_find(const struct past *past, uint64_t tick, const struct past_change *changes,
                         uint32_t count, uint64_t *before, struct protocol_error *error)
{
    struct store_error store = {0};
    struct store_list list;
    *before = UINT64_MAX;
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    for (uint32_t c = 0; c < count; c++) {
        struct found found;
        for (uint32_t other = 0; other < c; other++) {
            if (changes[other].revision == changes[c].revision) {
                protocol_error_set(error, PROTOCOL_CODE_INVALID, "revision", "revision: %llu is named twice",
                                   (unsigned long long)changes[c].revision);
                return false;
            }
        }
        if (!edit_find(past, &list, changes[c].revision, &found, error)) {
            return false;
        }
        if (found.tick > tick) {
            protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "revision",
                               "revision: %llu is of tick %llu, after tick %llu where the branch ends",
                               (unsigned long long)changes[c].revision, (unsigned long long)found.tick,
                               (unsigned long long)tick);
            return false;
        }
        *before = found.position - 1 < *before ? found.position - 1 : *before;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------

bool past_branch(struct past *past, uint64_t tick, const struct past_change *changes, uint32_t change_count,
                 const struct past_progress *progress, struct document **document,
                 struct past_refusal **refusals, uint32_t refusals_max, uint32_t *refusal_count,
                 struct protocol_error *error)
{
    struct refusals told = {.most = refusals_max};
    struct past_walk walk;
    char warning[PAST_WARNING_SIZE] = "";
    uint64_t before;
    *document = NULL;
    *refusals = NULL;
    *refusal_count = 0;
    if (!past_in_range(past, tick, error) ||
        !changes_find(past, tick, changes, change_count, &before, error) ||
        !past_walk_init(&walk, past, progress, error)) {
        return false;
    }
    told.items = malloc(((size_t)refusals_max + 1) * sizeof *told.items);
    walk.loosen = true;
    walk.changes = changes;
    walk.change_count = change_count;
    walk.on_refused = on_refused;
    walk.context = &told;
    const bool done = (told.items || past_refuse_memory(error)) &&
                      past_base(&walk, tick, before, warning, error) &&
                      past_walk_to(&walk, tick, UINT64_MAX, error);
    if (done) {
        *document = walk.document;
        walk.document = NULL;
        *refusals = told.items;
        *refusal_count = told.count;
    } else {
        free(told.items);
    }
    past_walk_deinit(&walk);
    return done;
}
