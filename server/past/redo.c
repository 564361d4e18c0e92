// Applies records in a past that is not theirs. What they bring has the ids that it had, and what they speak
// of is what it was.
//
// A record names things by ids. If an edit before it is left out, the next ids would be others, and the
// record would speak of another thing. So before a record brings something, the next id is raised to the
// recorded one. Ids that were given and now are missing, or belong to something else, are remembered: a
// record that speaks of one is refused.
#include "past/internal.h"

#include "protocol/array.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

static const char *const nouns[PAST_IDS] = {
    [PAST_ID_BODY] = "body", [PAST_ID_COLLIDER] = "collider",     [PAST_ID_MOTION] = "motion",
    [PAST_ID_GRAB] = "grab", [PAST_ID_CONSTRAINT] = "constraint",
};

void past_moved_deinit(struct past_moved *moved)
{
    for (int kind = 0; kind < PAST_IDS; kind++) {
        free(moved->ranges[kind]);
    }
    *moved = (struct past_moved){0};
}

// ---------------------------------------------------------------------------------------------------------
// Which ids have moved

// Returns the index of the first range that ends after id.
static uint32_t place_of(const struct past_moved *moved, enum past_id kind, uint32_t id)
{
    uint32_t low = 0, high = moved->count[kind];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (moved->ranges[kind][middle].end <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_moved(const struct past_moved *moved, enum past_id kind, uint32_t id)
{
    const uint32_t at = place_of(moved, kind, id);
    return at < moved->count[kind] && moved->ranges[kind][at].first <= id;
}

static void move(struct past_moved *moved, enum past_id kind, uint32_t first, uint32_t count)
{
    if (count == 0 || first > UINT32_MAX - count) {
        return;
    }
    const uint32_t end = first + count, at = place_of(moved, kind, first);
    uint32_t *total = &moved->count[kind];
    if (at > 0 && moved->ranges[kind][at - 1].end == first) {
        moved->ranges[kind][at - 1].end = end;
        return;
    }
    if (at < *total && moved->ranges[kind][at].first <= first && moved->ranges[kind][at].end >= end) {
        return;
    }
    if (!array_reserve(&moved->ranges[kind], &moved->capacity[kind], *total + 1)) {
        return; // records that speak of it find that it is missing
    }
    struct past_range *range = &moved->ranges[kind][at];
    memmove(range + 1, range, (*total - at) * sizeof *range);
    *range = (struct past_range){first, end};
    (*total)++;
}

// ---------------------------------------------------------------------------------------------------------
// What a record brought

struct brought {
    uint32_t first[PAST_IDS], count[PAST_IDS]; // count 0: nothing of the kind
};

static void brought_constraints(const struct protocol_constraint_ranges *ranges, struct brought *out)
{
#define RANGE(NAME, name) &ranges->name,
    const struct protocol_id_range *all[] = {SIM_KINDS(RANGE)};
    uint32_t first = UINT32_MAX, end = 0;
    for (size_t r = 0; r < sizeof all / sizeof *all; r++) {
        if (all[r]->count > 0) {
            first = all[r]->first < first ? all[r]->first : first;
            end = all[r]->first + all[r]->count > end ? all[r]->first + all[r]->count : end;
        }
    }
    if (end > first) {
        out->first[PAST_ID_CONSTRAINT] = first;
        out->count[PAST_ID_CONSTRAINT] = end - first;
    }
}

static struct brought brought_by(enum protocol_method method, const void *result);

// Adds what an edit of a batch brought. Ids of one kind follow each other, whichever edit of the batch
// brought them.
static void brought_add(struct brought *all, const struct brought *more)
{
    for (int kind = 0; kind < PAST_IDS; kind++) {
        if (more->count[kind] == 0) {
            continue;
        }
        const uint32_t end = more->first[kind] + more->count[kind];
        const uint32_t had = all->count[kind] > 0 ? all->first[kind] + all->count[kind] : end;
        const uint32_t first = all->count[kind] > 0 && all->first[kind] < more->first[kind]
                                   ? all->first[kind]
                                   : more->first[kind];
        all->first[kind] = first;
        all->count[kind] = (had > end ? had : end) - first;
    }
}

static struct brought brought_by_all(const struct protocol_list *results)
{
    const struct protocol_call *items = results->items;
    struct brought out = {0};
    for (uint32_t i = 0; i < results->count; i++) {
        const struct brought one = brought_by((enum protocol_method)items[i].method, items[i].value);
        brought_add(&out, &one);
    }
    return out;
}

static struct brought brought_by(enum protocol_method method, const void *result)
{
    struct brought out = {0};
    switch (method) {
    case PROTOCOL_METHOD_EDIT_BATCH: // a batch holds no other batch, so this recurses only once
        return brought_by_all(&((const struct protocol_edit_batch_result *)result)->results);
    case PROTOCOL_METHOD_BODY_ADD: {
        const struct protocol_body_add_result *added = result;
        out.first[PAST_ID_BODY] = added->body;
        out.count[PAST_ID_BODY] = 1;
        brought_constraints(&added->constraints, &out);
        break;
    }
    case PROTOCOL_METHOD_COLLIDER_ADD:
        out.first[PAST_ID_COLLIDER] = ((const struct protocol_collider_add_result *)result)->collider;
        out.count[PAST_ID_COLLIDER] = 1;
        break;
    case PROTOCOL_METHOD_MOTION_ADD:
        out.first[PAST_ID_MOTION] = ((const struct protocol_motion_add_result *)result)->motion;
        out.count[PAST_ID_MOTION] = 1;
        break;
    case PROTOCOL_METHOD_GRAB_BEGIN:
        out.first[PAST_ID_GRAB] = ((const struct protocol_grab_begin_result *)result)->grab;
        out.count[PAST_ID_GRAB] = 1;
        break;
    case PROTOCOL_METHOD_CONSTRAINT_ADD: {
        const struct protocol_array *ids =
            &((const struct protocol_constraint_add_result *)result)->constraints;
        if (ids->count > 0) { // they follow each other
            out.first[PAST_ID_CONSTRAINT] = (uint32_t)protocol_array_f64_at(ids, 0);
            out.count[PAST_ID_CONSTRAINT] = ids->count;
        }
        break;
    }
    default:
        break;
    }
    return out;
}

static void move_all(struct past_moved *moved, const struct brought *was)
{
    for (int kind = 0; kind < PAST_IDS; kind++) {
        move(moved, (enum past_id)kind, was->first[kind], was->count[kind]);
    }
}

// Notes the ids of what came under other ids, or is missing.
static void move_others(struct past_moved *moved, const struct brought *was, const struct brought *is)
{
    for (int kind = 0; kind < PAST_IDS; kind++) {
        if (was->count[kind] == 0) {
            continue;
        }
        if (is->count[kind] == 0 || is->first[kind] != was->first[kind]) {
            move(moved, (enum past_id)kind, was->first[kind], was->count[kind]);
        } else if (is->count[kind] < was->count[kind]) {
            move(moved, (enum past_id)kind, was->first[kind] + is->count[kind],
                 was->count[kind] - is->count[kind]);
        }
    }
}

static void raise_ids(struct sim *sim, const struct brought *was)
{
    struct sim_next_ids next;
    struct fault fault;
    sim_next_ids(sim, &next);
    uint32_t *const all[PAST_IDS] = {
        [PAST_ID_BODY] = &next.body, [PAST_ID_COLLIDER] = &next.collider,     [PAST_ID_MOTION] = &next.motion,
        [PAST_ID_GRAB] = &next.grab, [PAST_ID_CONSTRAINT] = &next.constraint,
    };
    bool raised = false;
    for (int kind = 0; kind < PAST_IDS; kind++) {
        if (was->count[kind] > 0 && was->first[kind] > *all[kind]) {
            *all[kind] = was->first[kind];
            raised = true;
        }
    }
    if (raised) {
        // The ids must be above all that live. If they are not, the new ids count as moved.
        (void)sim_next_ids_set(sim, &next, &fault);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What a record speaks of

static bool kind_of(const struct protocol_field *field, enum past_id *kind)
{
    for (int k = 0; k < PAST_IDS; k++) {
        const size_t size = strlen(nouns[k]);
        const char *rest = field->name + size;
        // The fields are called bodies, colliders, motions, constraints and so on; first_constraint has the
        // same id as the body's own.
        if (strncmp(field->name, nouns[k], size) == 0 && (*rest == '\0' || strcmp(rest, "s") == 0)) {
            *kind = (enum past_id)k;
            return true;
        }
    }
    *kind = PAST_ID_BODY;
    return strcmp(field->name, "bodies") == 0;
}

// Returns the first id in the parameters that has moved. 0: none has.
static uint32_t moved_in(const struct past_moved *moved, const struct protocol_struct *type, const void *in,
                         enum past_id *kind);

static uint32_t moved_of(const struct past_moved *moved, const struct protocol_field *field, const void *at,
                         enum past_id *kind)
{
    if (field->type == PROTOCOL_TYPE_MAP) {
        return moved_in(moved, field->of, at, kind);
    }
    if (field->type == PROTOCOL_TYPE_LIST) {
        const struct protocol_list *list = at;
        for (uint32_t i = 0; i < list->count; i++) {
            const uint32_t id =
                moved_in(moved, field->of, (const char *)list->items + i * field->of->size, kind);
            if (id != 0) {
                return id;
            }
        }
        return 0;
    }
    if (field->type == PROTOCOL_TYPE_CALLS) {
        const struct protocol_list *list = at;
        const struct protocol_call *calls = list->items;
        for (uint32_t i = 0; i < list->count; i++) {
            const uint32_t id =
                moved_in(moved, protocol_methods[calls[i].method].params, calls[i].value, kind);
            if (id != 0) {
                return id;
            }
        }
        return 0;
    }
    if (!kind_of(field, kind)) {
        return 0;
    }
    if (field->type == PROTOCOL_TYPE_REF || field->type == PROTOCOL_TYPE_U32) {
        const uint32_t id =
            field->type == PROTOCOL_TYPE_REF ? ((const struct protocol_ref *)at)->id : *(const uint32_t *)at;
        return has_moved(moved, *kind, id) ? id : 0;
    }
    if (field->type == PROTOCOL_TYPE_U32S) {
        const struct protocol_array *ids = at;
        for (uint32_t i = 0; i < ids->count; i++) {
            const uint32_t id = (uint32_t)protocol_array_f64_at(ids, i);
            if (has_moved(moved, *kind, id)) {
                return id;
            }
        }
    }
    return 0;
}

static uint32_t moved_in(const struct past_moved *moved, const struct protocol_struct *type, const void *in,
                         enum past_id *kind)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        const struct protocol_field *field = &type->fields[f];
        // Next ids name no things.
        if (strcmp(field->name, "next") == 0 || strcmp(field->name, "expected_next") == 0) {
            continue;
        }
        const uint32_t id = moved_of(moved, field, (const char *)in + field->offset, kind);
        if (id != 0) {
            return id;
        }
    }
    return 0;
}

static bool speaks_of_what_is_there(const struct past_moved *moved, const struct document_record *record,
                                    const void *params, struct protocol_error *error)
{
    enum past_id kind = PAST_ID_BODY;
    uint32_t ranges = 0;
    for (int k = 0; k < PAST_IDS; k++) {
        ranges += moved->count[k];
    }
    const uint32_t id =
        ranges > 0 ? moved_in(moved, protocol_methods[record->method].params, params, &kind) : 0;
    if (id != 0) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, nouns[kind],
                           "%s %u is not there: what brought it is left out, or came to something else",
                           nouns[kind], id);
    }
    return id == 0;
}

// ---------------------------------------------------------------------------------------------------------

bool past_redo(struct past_moved *moved, struct document *document, const struct document_record *record,
               const void *params, msgpack_zone *zone, struct protocol_error *error)
{
    const struct brought was = brought_by(record->method, record->result);
    const void *result = NULL;
    struct document_record redone = *record;
    redone.params = params;
    if (!speaks_of_what_is_there(moved, record, params, error)) {
        move_all(moved, &was);
        return false;
    }
    raise_ids(document->sim, &was);
    if (!document_redo(document, &redone, zone, &result, error)) {
        move_all(moved, &was);
        return false;
    }
    const struct brought is = brought_by(record->method, result);
    move_others(moved, &was, &is);
    return true;
}

void past_redo_without(struct past_moved *moved, const struct document_record *record)
{
    const struct brought was = brought_by(record->method, record->result);
    move_all(moved, &was);
}
