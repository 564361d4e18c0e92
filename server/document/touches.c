// Touches: the parts that an edit concerned, so that two edits can be asked whether they meet.
//
//     scope, and what there was of it (inverse) ──▶ items, sorted by what they are of ──▶ stretches next to each other as one
//                                   added since ──▶
//
// A thing that comes or goes is concerned whole. Things that are tied to it (a loose constraint, a motion) are not part of it, but
// it cannot go without them. Particles and constraints are told as stretches, at most 64 for one thing. Beyond that the gaps
// between two stretches count as concerned, so edits may seem to meet that do not, and never the other way round.
#include "document/touches.h"

#include "protocol/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRETCHES = 64 };
// The place of `fields` among the fields of struct protocol_document_constraints.
enum { CONSTRAINT_FIELDS = 28 };
_Static_assert(PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS == UINT64_C(1) << CONSTRAINT_FIELDS,
               "a bit of `has` is a place");

// The kind of thing that an item is about, in the order of items.
static uint32_t space_of(uint32_t kind)
{
    return kind <= DOCUMENT_TOUCHED_SETTINGS        ? 0
           : kind <= DOCUMENT_TOUCHED_PARTICLES     ? 1
           : kind == DOCUMENT_TOUCHED_CONSTRAINTS   ? 2
           : kind <= DOCUMENT_TOUCHED_COLLIDER_HELD ? 3
                                                    : 4;
}

// Whether it is about one field of force.
static bool is_force(const struct document_touched *touched)
{
    return touched->kind == DOCUMENT_TOUCHED_SETTINGS &&
           touched->parts == PROTOCOL_HAS_RESTORE_SETTINGS_FORCES && touched->first != 0;
}

// The fields that the bits of such an item are.
static const struct protocol_struct *type_of(uint32_t kind)
{
    return kind == DOCUMENT_TOUCHED_SETTINGS ? &protocol_restore_settings_type : &protocol_restore_body_type;
}

static bool has_fields(const struct document_touched *item)
{
    return item->kind == DOCUMENT_TOUCHED_SETTINGS || item->kind == DOCUMENT_TOUCHED_BODY_PART ||
           item->kind == DOCUMENT_TOUCHED_BODY_OWN;
}

static int by_thing(const struct document_touched *a, const struct document_touched *b)
{
    const uint32_t one = space_of(a->kind), other = space_of(b->kind);
    return one != other ? (one < other ? -1 : 1) : a->id != b->id ? (a->id < b->id ? -1 : 1) : 0;
}

static int by_place(const void *one, const void *other)
{
    const struct document_touched *a = one, *b = other;
    const int thing = by_thing(a, b);
    return thing != 0             ? thing
           : a->kind != b->kind   ? (a->kind < b->kind ? -1 : 1)
           : a->parts != b->parts ? (a->parts < b->parts ? -1 : 1)
           : a->first != b->first ? (a->first < b->first ? -1 : 1)
           : a->last != b->last   ? (a->last < b->last ? -1 : 1)
                                  : 0;
}

// ---------------------------------------------------------------------------------------------------------
// Gathering

struct gather {
    msgpack_zone *zone;
    struct document_touched *items;
    uint32_t count, capacity;
    bool failed;
};

static void add(struct gather *gather, struct document_touched item)
{
    if (gather->count == gather->capacity && !gather->failed) {
        const uint32_t capacity = gather->capacity > 0 ? 2 * gather->capacity : 16;
        struct document_touched *grown = msgpack_zone_malloc(gather->zone, capacity * sizeof *grown);
        if (grown && gather->count > 0) {
            memcpy(grown, gather->items, gather->count * sizeof *grown);
        }
        gather->failed = !grown;
        gather->items = grown ? grown : gather->items;
        gather->capacity = grown ? capacity : gather->capacity;
    }
    if (!gather->failed) {
        gather->items[gather->count++] = item;
    }
}

static void add_thing(struct gather *gather, enum document_touched_kind kind, uint32_t id)
{
    if (id != 0) {
        add(gather, (struct document_touched){.kind = kind, .id = id});
    }
}

// Numbers of a list as stretches; they are sorted on the way.
static int by_number(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static void add_stretches(struct gather *gather, struct document_touched item, uint32_t *numbers,
                          uint32_t count)
{
    qsort(numbers, count, sizeof *numbers, by_number);
    for (uint32_t i = 0; i < count; i++) {
        item.first = numbers[i];
        while (i + 1 < count && numbers[i + 1] <= numbers[i] + 1) {
            i++;
        }
        item.last = numbers[i];
        add(gather, item);
    }
}

static uint32_t *numbers_of(struct gather *gather, const uint32_t *given, uint32_t count)
{
    uint32_t *numbers = msgpack_zone_malloc(gather->zone, ((size_t)count + 1) * sizeof *numbers);
    gather->failed = gather->failed || !numbers;
    for (uint32_t i = 0; numbers && i < count; i++) {
        numbers[i] = given ? given[i] : i;
    }
    return numbers;
}

static uint32_t *numbers_at(struct gather *gather, const struct protocol_array *array)
{
    uint32_t *numbers = msgpack_zone_malloc(gather->zone, ((size_t)array->count + 1) * sizeof *numbers);
    gather->failed = gather->failed || !numbers;
    for (uint32_t i = 0; numbers && i < array->count; i++) {
        numbers[i] = (uint32_t)protocol_array_f64_at(array, i);
    }
    return numbers;
}

static void add_constraints(struct gather *gather, const struct protocol_array *ids, uint64_t fields)
{
    uint32_t *numbers = numbers_at(gather, ids);
    if (numbers) {
        add_stretches(gather,
                      (struct document_touched){.kind = DOCUMENT_TOUCHED_CONSTRAINTS, .parts = fields},
                      numbers, ids->count);
    }
}

// Each body once, where they come sorted or in runs.
static void add_held(struct gather *gather, uint32_t *bodies, uint32_t count)
{
    qsort(bodies, count, sizeof *bodies, by_number);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || bodies[i] != bodies[i - 1]) {
            add_thing(gather, DOCUMENT_TOUCHED_BODY_HELD, bodies[i]);
        }
    }
}

// One item for all fields that are concerned whole, and one for each map of which only some are.
static void add_fields(struct gather *gather, enum document_touched_kind kind, uint32_t id,
                       const struct document_fields *fields)
{
    struct document_touched whole = {.kind = kind, .id = id};
    for (uint32_t f = 0; f < DOCUMENT_FIELDS_MAX; f++) {
        const uint64_t bit = fields->own & UINT64_C(1) << f;
        const uint32_t inner = fields->under[f] != 0 ? document_fields_inner(type_of(kind), f) : 0;
        struct document_touched item = {
            .kind = kind, .id = id, .parts = bit, .first = fields->of[f] & ~inner};
        whole.parts |= fields->of[f] == 0 ? bit : 0;
        if (bit != 0 && item.first != 0) {
            add(gather, item);
        }
        if (bit != 0 && inner != 0) {
            item.first = inner;
            item.last = fields->under[f];
            add(gather, item);
        }
    }
    if (whole.parts != 0) {
        add(gather, whole);
    }
}

static void add_scope(struct gather *gather, const struct document_scope *scope)
{
    if (scope->name) {
        add(gather, (struct document_touched){.kind = DOCUMENT_TOUCHED_NAME});
    }
    add_fields(gather, DOCUMENT_TOUCHED_SETTINGS, 0, &scope->settings);
    for (uint32_t i = 0; i < scope->force_count; i++) {
        const uint64_t all = UINT64_MAX;
        add(gather, (struct document_touched){
                        .kind = DOCUMENT_TOUCHED_SETTINGS,
                        .parts = PROTOCOL_HAS_RESTORE_SETTINGS_FORCES,
                        .first = scope->forces[i].id,
                        .last = scope->forces[i].parts == all ? 0 : (uint32_t)scope->forces[i].parts});
    }
    for (uint32_t i = 0; i < scope->bodies.count; i++) {
        add_thing(gather, DOCUMENT_TOUCHED_BODY, scope->bodies.items[i]);
    }
    for (uint32_t i = 0; i < scope->colliders.count; i++) {
        add_thing(gather, DOCUMENT_TOUCHED_COLLIDER, scope->colliders.items[i]);
    }
    for (uint32_t i = 0; i < scope->motions.count; i++) {
        add_thing(gather, DOCUMENT_TOUCHED_MOTION, scope->motions.items[i]);
    }
    uint32_t *constraints = numbers_of(gather, scope->constraints.items, scope->constraints.count);
    if (constraints) {
        add_stretches(gather,
                      (struct document_touched){.kind = DOCUMENT_TOUCHED_CONSTRAINTS,
                                                .parts = scope->constraint_fields},
                      constraints, scope->constraints.count);
    }
    for (uint32_t i = 0; i < scope->body_part_count; i++) {
        add_fields(gather, DOCUMENT_TOUCHED_BODY_PART, scope->body_parts[i].id, &scope->body_parts[i].fields);
    }
    for (uint32_t i = 0; i < scope->collider_part_count; i++) {
        add(gather, (struct document_touched){.kind = DOCUMENT_TOUCHED_COLLIDER_PART,
                                              .id = scope->collider_parts[i].id,
                                              .parts = scope->collider_parts[i].parts});
    }
    for (uint32_t i = 0; i < scope->particles_count; i++) {
        const struct document_scope_particles *of = &scope->particles[i];
        struct document_touched item = {
            .kind = DOCUMENT_TOUCHED_PARTICLES, .id = of->body, .parts = of->fields};
        if (!of->particles) {
            item.last = of->count > 0 ? of->count - 1 : 0;
            add(gather, item);
            continue;
        }
        uint32_t *numbers = numbers_of(gather, of->particles, of->count);
        if (numbers) {
            add_stretches(gather, item, numbers, of->count);
        }
    }
}

// Adds the items of what was there.
static void add_inverse(struct gather *gather, const struct protocol_edit_restore_params *inverse)
{
    const struct protocol_document_constraints *batches = inverse->constraints.items;
    const struct protocol_document_motion *motions = inverse->motions.items;
    const struct protocol_restore_own *own = inverse->own.items;
    for (uint32_t i = 0; i < inverse->constraints.count; i++) {
        uint32_t *bodies = numbers_at(gather, &batches[i].bodies);
        add_constraints(gather, &batches[i].constraints,
                        batches[i].has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS ? batches[i].fields : 0);
        if (bodies) {
            add_held(gather, bodies, batches[i].bodies.count);
        }
        add_thing(gather, DOCUMENT_TOUCHED_BODY_HELD, batches[i].body.id);
    }
    for (uint32_t i = 0; i < inverse->own.count; i++) {
        add(gather, (struct document_touched){.kind = DOCUMENT_TOUCHED_BODY_OWN,
                                              .id = own[i].body,
                                              .parts = document_part_of((enum sim_kind)own[i].type)});
    }
    for (uint32_t i = 0; i < inverse->motions.count; i++) {
        add_thing(gather, DOCUMENT_TOUCHED_MOTION, motions[i].motion);
        add_thing(gather, DOCUMENT_TOUCHED_BODY_HELD, motions[i].body.id);
        add_thing(gather, DOCUMENT_TOUCHED_COLLIDER_HELD, motions[i].collider.id);
    }
}

// Adds the items of what it brought, once that is there.
static void add_brought(struct gather *gather, const struct document *document,
                        const struct protocol_restore_removed *brought)
{
    uint32_t *bodies = msgpack_zone_malloc(
        gather->zone, ((size_t)brought->constraints.count * SIM_STENCIL_MAX + 1) * sizeof *bodies);
    uint32_t count = 0;
    gather->failed = gather->failed || !bodies;
    for (uint32_t i = 0; bodies && i < brought->constraints.count; i++) {
        struct sim_constraint constraint;
        if (sim_constraint_get(document->sim, (uint32_t)protocol_array_f64_at(&brought->constraints, i),
                               &constraint)) {
            memcpy(bodies + count, constraint.bodies, sim_stencil_size(constraint.kind) * sizeof *bodies);
            count += sim_stencil_size(constraint.kind);
        }
    }
    if (bodies) {
        add_held(gather, bodies, count);
    }
    for (uint32_t i = 0; i < brought->motions.count; i++) {
        const uint32_t id = (uint32_t)protocol_array_f64_at(&brought->motions, i);
        for (uint32_t m = 0; m < sim_motion_count(document->sim); m++) {
            struct sim_motion motion;
            sim_motion_at(document->sim, m, &motion);
            if (motion.id == id) {
                add_thing(gather, DOCUMENT_TOUCHED_BODY_HELD, motion.body);
                add_thing(gather, DOCUMENT_TOUCHED_COLLIDER_HELD, motion.collider);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// In order, and not too many

static bool is_stretch(const struct document_touched *item)
{
    return item->kind == DOCUMENT_TOUCHED_PARTICLES || item->kind == DOCUMENT_TOUCHED_CONSTRAINTS;
}

static bool same_but_stretch(const struct document_touched *a, const struct document_touched *b)
{
    return a->kind == b->kind && a->id == b->id && a->parts == b->parts;
}

// Joins stretches of the same thing, each with the one after it, until there are few enough.
static uint32_t thin(struct document_touched *items, uint32_t count)
{
    while (count > STRETCHES) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i += 2) {
            items[kept] = items[i];
            items[kept].last =
                i + 1 < count && items[i + 1].last > items[i].last ? items[i + 1].last : items[i].last;
            kept++;
        }
        count = kept;
    }
    return count;
}

static void put_in_order(struct document_touches *touches)
{
    struct document_touched *items = touches->items;
    uint32_t kept = 0, run;
    if (touches->count == 0) {
        return;
    }
    qsort(items, touches->count, sizeof *items, by_place);
    for (uint32_t i = 0; i < touches->count; i++) { // the same, and stretches that touch, are one
        struct document_touched *last = kept > 0 ? &items[kept - 1] : NULL;
        const bool joins = is_stretch(&items[i])
                               ? last && (uint64_t)items[i].first <= (uint64_t)last->last + 1
                               : last && items[i].first == last->first && items[i].last == last->last;
        if (joins && same_but_stretch(last, &items[i])) {
            last->last = items[i].last > last->last ? items[i].last : last->last;
        } else {
            items[kept++] = items[i];
        }
    }
    touches->count = kept;
    kept = 0;
    for (uint32_t i = 0; i < touches->count; i += run) {
        for (run = 1; i + run < touches->count && same_but_stretch(&items[i], &items[i + run]); run++) {
        }
        memmove(&items[kept], &items[i], run * sizeof *items);
        kept += is_stretch(&items[kept]) ? thin(&items[kept], run) : run;
    }
    touches->count = kept;
}

bool document_touches_of(const struct document *document, const struct document_scope *scope,
                         const struct protocol_edit_restore_params *inverse, msgpack_zone *zone,
                         struct document_touches *out)
{
    struct gather gather = {.zone = zone};
    add_scope(&gather, scope);
    if (inverse) {
        add_inverse(&gather, inverse);
        add_brought(&gather, document, &inverse->removed);
    }
    *out = (struct document_touches){.items = gather.items, .count = gather.count};
    put_in_order(out);
    return !gather.failed && !scope->failed;
}

bool document_touches_gather(msgpack_zone *zone, const struct document_edit *parts, uint32_t count,
                             struct document_touches *out)
{
    size_t all = 0;
    *out = (struct document_touches){0};
    for (uint32_t i = 0; i < count; i++) {
        all += parts[i].touches.count;
        out->lost = out->lost || parts[i].touches.lost;
    }
    if (out->lost || all > UINT32_MAX) {
        return true;
    }
    out->items = msgpack_zone_malloc(zone, (all + 1) * sizeof *out->items);
    for (uint32_t i = 0; out->items && i < count; i++) {
        if (parts[i].touches.count > 0) {
            memcpy(out->items + out->count, parts[i].touches.items,
                   parts[i].touches.count * sizeof *out->items);
        }
        out->count += parts[i].touches.count;
    }
    if (out->items) {
        put_in_order(out);
    }
    return out->items != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Meeting

// A pin is where its particle is, how fast that is, and its mass. Forces on the particle are apart from that.
static uint64_t particle_fields(uint64_t fields)
{
    return fields & SIM_RESTORE_PINS ? ~(uint64_t)SIM_RESTORE_FORCES | fields : fields;
}

// Finds what two items about fields of the same thing have in common. A field that is whole in one is what it is in the other.
static bool fields_meet(const struct document_touched *a, const struct document_touched *b,
                        struct document_touched *common)
{
    *common = (struct document_touched){.kind = a->kind, .id = a->id, .parts = a->parts & b->parts};
    if (common->parts == 0) {
        return false;
    }
    if (a->first == 0 || b->first == 0) {
        common->first = a->first | b->first;
        common->last = a->last | b->last;
        return true;
    }
    const bool forces =
        a->kind == DOCUMENT_TOUCHED_SETTINGS && common->parts == PROTOCOL_HAS_RESTORE_SETTINGS_FORCES;
    common->first = forces ? (a->first == b->first ? a->first : 0) : a->first & b->first;
    common->last = a->last == 0 || b->last == 0 ? a->last | b->last : a->last & b->last;
    return common->first != 0 && (common->last != 0 || a->last == 0 || b->last == 0);
}

static bool meet_in_body(const struct document_touched *a, const struct document_touched *b,
                         struct document_touched *common)
{
    if (a->kind == DOCUMENT_TOUCHED_BODY || b->kind == DOCUMENT_TOUCHED_BODY) {
        return true;
    }
    if (a->kind == DOCUMENT_TOUCHED_BODY_HELD || b->kind == DOCUMENT_TOUCHED_BODY_HELD) {
        return false;
    }
    if (a->kind == DOCUMENT_TOUCHED_PARTICLES || b->kind == DOCUMENT_TOUCHED_PARTICLES) {
        common->first = a->first > b->first ? a->first : b->first;
        common->last = a->last < b->last ? a->last : b->last;
        common->parts = particle_fields(a->parts) & particle_fields(b->parts);
        return a->kind == b->kind && a->first <= b->last && b->first <= a->last && common->parts != 0;
    }
    // Two that changed some of its own constraints are told apart by these.
    return (a->kind == DOCUMENT_TOUCHED_BODY_PART || b->kind == DOCUMENT_TOUCHED_BODY_PART) &&
           fields_meet(a, b, common);
}

static bool stretches_meet(const struct document_touched *a, const struct document_touched *b,
                           struct document_touched *common)
{
    common->first = a->first > b->first ? a->first : b->first;
    common->last = a->last < b->last ? a->last : b->last;
    common->parts = a->parts == 0 || b->parts == 0 ? a->parts | b->parts : a->parts & b->parts;
    return common->first <= common->last && (common->parts != 0 || a->parts == 0 || b->parts == 0);
}

// Whether two items about one thing have something in common, which *common then is, as far as b says it.
static bool meet(const struct document_touched *a, const struct document_touched *b,
                 struct document_touched *common)
{
    *common = *b;
    switch (space_of(a->kind)) {
    case 0:
        return a->kind == b->kind && (a->kind == DOCUMENT_TOUCHED_NAME || fields_meet(a, b, common));
    case 1:
        return meet_in_body(a, b, common);
    case 2:
        return stretches_meet(a, b, common);
    case 3:
        if (a->kind == DOCUMENT_TOUCHED_COLLIDER || b->kind == DOCUMENT_TOUCHED_COLLIDER) {
            return true;
        }
        common->parts = document_collider_parts(a->parts) & document_collider_parts(b->parts);
        return a->kind == DOCUMENT_TOUCHED_COLLIDER_PART && b->kind == a->kind && common->parts != 0;
    default:
        return true;
    }
}

bool document_touches_meet(const struct document_touches *one, const struct document_touches *other,
                           bool (*tell)(void *context, const struct document_touched *common), void *context)
{
    uint32_t i = 0, k = 0;
    bool met = false;
    while (i < one->count && k < other->count) {
        const int order = by_thing(&one->items[i], &other->items[k]);
        if (order != 0) {
            i += order < 0;
            k += order > 0;
            continue;
        }
        uint32_t i_end = i, k_end = k;
        while (i_end < one->count && by_thing(&one->items[i], &one->items[i_end]) == 0) {
            i_end++;
        }
        while (k_end < other->count && by_thing(&other->items[k], &other->items[k_end]) == 0) {
            k_end++;
        }
        for (uint32_t b = k; b < k_end; b++) {
            for (uint32_t a = i; a < i_end; a++) {
                struct document_touched common;
                if (meet(&one->items[a], &other->items[b], &common)) {
                    met = true;
                    if (!tell || !tell(context, &common)) {
                        return true;
                    }
                }
            }
        }
        i = i_end;
        k = k_end;
    }
    return met;
}

// Whether all of `part` is in `whole`: a thing that came or went is concerned with everything in it.
bool document_touched_covers(const struct document_touched *whole, const struct document_touched *part)
{
    if (by_thing(whole, part) != 0 || (whole->kind != part->kind && whole->kind != DOCUMENT_TOUCHED_BODY &&
                                       whole->kind != DOCUMENT_TOUCHED_COLLIDER)) {
        return false;
    }
    if (whole->kind == DOCUMENT_TOUCHED_BODY || whole->kind == DOCUMENT_TOUCHED_COLLIDER) {
        return true;
    }
    if (!is_stretch(whole)) {
        const bool forces =
            whole->kind == DOCUMENT_TOUCHED_SETTINGS && whole->parts == PROTOCOL_HAS_RESTORE_SETTINGS_FORCES;
        const bool first = forces ? whole->first == part->first : (part->first & ~whole->first) == 0;
        return (part->parts & ~whole->parts) == 0 &&
               (whole->first == 0 ||
                (part->first != 0 && first &&
                 (whole->last == 0 || (part->last != 0 && (part->last & ~whole->last) == 0))));
    }
    const bool fields = whole->kind == DOCUMENT_TOUCHED_CONSTRAINTS && whole->parts == 0
                            ? true
                            : (part->parts & ~whole->parts) == 0 &&
                                  (whole->kind != DOCUMENT_TOUCHED_CONSTRAINTS || part->parts != 0);
    return fields && whole->first <= part->first && part->last <= whole->last;
}

bool document_touched_beside(const struct document_touched *one, const struct document_touched *other)
{
    const bool values = has_fields(other) || other->kind == DOCUMENT_TOUCHED_COLLIDER_PART ||
                        other->kind == DOCUMENT_TOUCHED_CONSTRAINTS;
    struct document_touched common;
    return values && by_thing(one, other) == 0 &&
           (one->kind != DOCUMENT_TOUCHED_CONSTRAINTS ||
            (one->first <= other->last && other->first <= one->last)) &&
           (!is_force(other) || fields_meet(one, other, &common) ||
            (is_force(one) && one->first == other->first));
}

bool document_touches_cover(const struct document_touches *whole, const struct document_touches *part)
{
    bool covers = !whole->lost && !part->lost;
    for (uint32_t i = 0, first = 0; i < part->count && covers; i++) {
        while (first < whole->count && by_thing(&whole->items[first], &part->items[i]) < 0) {
            first++;
        }
        covers = false;
        for (uint32_t k = first;
             k < whole->count && by_thing(&whole->items[k], &part->items[i]) == 0 && !covers; k++) {
            covers = document_touched_covers(&whole->items[k], &part->items[i]);
        }
    }
    return covers;
}

// ---------------------------------------------------------------------------------------------------------
// In words

static void field_names(const struct document_touched *touched, char *out, size_t size)
{
    const struct protocol_struct *type = type_of(touched->kind);
    struct document_fields fields = {.own = touched->parts};
    if (is_force(touched)) {
        fields.own = touched->last;
        type = &protocol_force_field_type;
    } else if (touched->first != 0) {
        fields.own = 0;
        document_fields_add(type, &fields, touched->parts & -touched->parts, touched->first, touched->last);
    }
    document_fields_names(type, &fields, out, size);
}

static void value_names(const struct protocol_field *field, uint64_t values, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (uint32_t f = 0; f < field->value_count && at < size; f++) {
        if (values & UINT64_C(1) << f) {
            const int written = snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "", field->values[f]);
            at += written > 0 ? (size_t)written : 0;
        }
    }
}

static void collider_part_names(uint64_t parts, char *out, size_t size)
{
    value_names(&protocol_restore_collider_type.fields[0], parts, out, size);
}

static void constraint_field_names(uint64_t parts, char *out, size_t size)
{
    value_names(&protocol_document_constraints_type.fields[CONSTRAINT_FIELDS], parts, out, size);
}

// `body 3 "flag"`.
static void thing_name(const struct document_things *things, uint32_t id, char *out, size_t size)
{
    const struct document_thing *thing = document_things_by_id(things, id);
    if (thing && thing->name_size > 0) {
        snprintf(out, size, "%s %u \"%.*s\"", things->noun, id, (int)thing->name_size, thing->name);
    } else {
        snprintf(out, size, "%s %u", things->noun, id);
    }
}

static void stretch_text(const struct document_touched *touched, const char *one, const char *more, char *out,
                         size_t size)
{
    if (touched->first == touched->last) {
        snprintf(out, size, "%s %u", one, touched->first);
    } else {
        snprintf(out, size, "%s %u to %u", more, touched->first, touched->last);
    }
}

void document_touched_fields(const struct document_touched *touched, char *out, size_t size)
{
    out[0] = '\0';
    if (has_fields(touched)) {
        field_names(touched, out, size);
    } else if (touched->kind == DOCUMENT_TOUCHED_COLLIDER_PART) {
        collider_part_names(touched->parts, out, size);
    } else if (touched->kind == DOCUMENT_TOUCHED_CONSTRAINTS) {
        constraint_field_names(touched->parts, out, size);
    } else if (touched->kind == DOCUMENT_TOUCHED_NAME) {
        snprintf(out, size, "name");
    }
}

const char *document_touched_thing(const struct document_touched *touched, uint32_t *id)
{
    static const char *const spaces[] = {"world", "body", "constraint", "collider", "motion"};
    const bool force = is_force(touched);
    *id = force || touched->kind == DOCUMENT_TOUCHED_CONSTRAINTS ? touched->first : touched->id;
    return force ? "force" : spaces[space_of(touched->kind)];
}

void document_touched_text(const struct document *document, const struct document_touched *touched, char *out,
                           size_t size)
{
    const bool collider = space_of(touched->kind) == 3;
    char parts[128] = "", thing[DOCUMENT_NAME_SIZE + 32];
    thing_name(collider ? &document->colliders : &document->bodies, touched->id, thing, sizeof thing);
    switch ((enum document_touched_kind)touched->kind) {
    case DOCUMENT_TOUCHED_NAME:
        snprintf(out, size, "the world's name");
        return;
    case DOCUMENT_TOUCHED_SETTINGS:
        document_touched_fields(touched, parts, sizeof parts);
        if (is_force(touched)) {
            snprintf(out, size, "%s%sforce %u", parts, parts[0] != '\0' ? " of " : "", touched->first);
        } else {
            snprintf(out, size, "%s of the world", parts);
        }
        return;
    case DOCUMENT_TOUCHED_BODY_PART:
    case DOCUMENT_TOUCHED_BODY_OWN:
        document_touched_fields(touched, parts, sizeof parts);
        snprintf(out, size, "%s of %s", parts, thing);
        return;
    case DOCUMENT_TOUCHED_COLLIDER_PART:
        collider_part_names(touched->parts, parts, sizeof parts);
        snprintf(out, size, "%s of %s", parts, thing);
        return;
    case DOCUMENT_TOUCHED_PARTICLES:
        stretch_text(touched, "particle", "particles", parts, sizeof parts);
        snprintf(out, size, "%s of %s", parts, thing);
        return;
    case DOCUMENT_TOUCHED_CONSTRAINTS:
        document_touched_fields(touched, parts, sizeof parts);
        stretch_text(touched, "constraint", "constraints", thing, sizeof thing);
        snprintf(out, size, "%s%s%s", parts, parts[0] != '\0' ? " of " : "", thing);
        return;
    case DOCUMENT_TOUCHED_MOTION:
        snprintf(out, size, "motion %u", touched->id);
        return;
    default:
        snprintf(out, size, "%s", thing);
    }
}
