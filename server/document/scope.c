// Scopes: lists, in a zone, of what an edit is going to touch.
#include "document/scope.h"

#include <string.h>

// Room for so many more, doubled, in the zone, which keeps the old.
static bool reserve(struct document_scope *scope, void **items, uint32_t count, uint32_t *capacity,
                    uint32_t more, size_t item_size)
{
    if (scope->failed || more > UINT32_MAX / 2 - count) {
        scope->failed = true;
        return false;
    }
    if (count + more <= *capacity) {
        return true;
    }
    uint32_t wanted = 2 * *capacity > count + more ? 2 * *capacity : count + more;
    void *grown = msgpack_zone_malloc(scope->zone, (wanted < 8 ? wanted = 8 : wanted) * item_size);
    if (!grown) {
        scope->failed = true;
        return false;
    }
    if (count > 0) {
        memcpy(grown, *items, count * item_size);
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

static void ids_add(struct document_scope *scope, struct document_ids *ids, const uint32_t *more,
                    uint32_t count)
{
    if (count > 0 &&
        reserve(scope, (void **)&ids->items, ids->count, &ids->capacity, count, sizeof *ids->items)) {
        memcpy(ids->items + ids->count, more, count * sizeof *more);
        ids->count += count;
    }
}

void document_scope_body(struct document_scope *scope, uint32_t body)
{
    ids_add(scope, &scope->bodies, &body, 1);
}

void document_scope_constraints(struct document_scope *scope, const uint32_t *ids, uint32_t count)
{
    if (count > 0) {
        ids_add(scope, &scope->constraints, ids, count);
        scope->constraints_whole = true;
        scope->constraint_fields = 0;
    }
}

void document_scope_constraint_values(struct document_scope *scope, const uint32_t *ids, uint32_t count,
                                      uint32_t fields)
{
    if (count > 0) {
        ids_add(scope, &scope->constraints, ids, count);
        scope->constraint_fields = scope->constraints_whole ? 0 : scope->constraint_fields | fields;
    }
}

void document_scope_rests(struct document_scope *scope, const struct document *document, uint32_t body,
                          bool angles, bool lengths)
{
    struct sim_body_info info;
    if (!sim_body_info(document->sim, body, &info)) {
        return;
    }
    scope->rests = true;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const bool bends = document_part_of((enum sim_kind)kind) == PROTOCOL_HAS_RESTORE_BODY_BEND;
        for (uint32_t i = 0; (bends ? angles : lengths) && i < info.constraint_count[kind]; i++) {
            const uint32_t id = info.constraint_first[kind] + i;
            struct sim_constraint constraint;
            if (sim_constraint_get(document->sim, id, &constraint)) {
                document_scope_constraint_values(scope, &id, 1, SIM_FIELD_REST);
            }
        }
    }
}

void document_scope_shapes(struct document_scope *scope, const struct document *document, uint32_t body)
{
    struct sim_body_info info;
    if (!sim_body_info(document->sim, body, &info) || !(info.solid.plastic.rate > 0)) {
        return;
    }
    scope->shapes = true;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        for (uint32_t i = 0; sim_flow_size((enum sim_kind)kind) > 0 && i < info.constraint_count[kind]; i++) {
            const uint32_t id = info.constraint_first[kind] + i;
            struct sim_constraint constraint;
            if (sim_constraint_get(document->sim, id, &constraint)) {
                document_scope_constraints(scope, &id, 1);
            }
        }
    }
}

void document_scope_collider(struct document_scope *scope, uint32_t collider)
{
    ids_add(scope, &scope->colliders, &collider, 1);
}

static bool is_in(const struct document_ids *ids, uint32_t id)
{
    bool found = false;
    for (uint32_t i = 0; i < ids->count && !found; i++) {
        found = ids->items[i] == id;
    }
    return found;
}

// Whether the particle of the body is in the scope. There, pins are from now on.
static bool has_particle(struct document_scope *scope, uint32_t body, uint32_t particle)
{
    bool found = false;
    for (uint32_t i = 0; i < scope->particles_count; i++) {
        struct document_scope_particles *entry = &scope->particles[i];
        if (entry->body != body) {
            continue;
        }
        entry->fields |= SIM_RESTORE_PINS;
        found = found || !entry->particles;
        for (uint32_t p = 0; entry->particles && p < entry->count && !found; p++) {
            found = entry->particles[p] == particle;
        }
    }
    return found;
}

static void scope_followers(struct document_scope *scope, const struct document *document, uint32_t collider,
                            uint32_t body)
{
    struct sim_body_info info;
    if (!sim_body_info(document->sim, body, &info) || !sim_body_follows(document->sim, body)) {
        return;
    }
    uint32_t *particles = msgpack_zone_malloc(scope->zone, ((size_t)info.pin_count + 1) * sizeof *particles);
    if (!particles) {
        scope->failed = true;
        return;
    }
    const uint32_t count = sim_collider_pins(document->sim, collider, body, particles);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_particle(scope, body, particles[i])) {
            particles[kept++] = particles[i];
        }
    }
    if (kept > 0) {
        document_scope_of_particles(scope, body, particles, kept, SIM_RESTORE_PINS);
    }
}

void document_scope_collider_goes(struct document_scope *scope, const struct document *document,
                                  uint32_t collider)
{
    document_scope_collider(scope, collider);
    for (uint32_t i = 0; i < document->bodies.count; i++) {
        if (!is_in(&scope->bodies, document->bodies.items[i].id)) {
            scope_followers(scope, document, collider, document->bodies.items[i].id);
        }
    }
}

void document_scope_motion(struct document_scope *scope, const struct document *document, uint32_t motion)
{
    ids_add(scope, &scope->motions, &motion, 1);
    for (uint32_t m = 0; m < sim_motion_count(document->sim); m++) {
        struct sim_motion at;
        sim_motion_at(document->sim, m, &at);
        if (at.id == motion && at.collider != 0) {
            document_scope_collider_part(scope, at.collider, PROTOCOL_RESTORE_COLLIDER_PARTS_POSE);
        }
    }
}

static void part_add(struct document_scope *scope, struct document_scope_part **parts, uint32_t *count,
                     uint32_t *capacity, struct document_scope_part part)
{
    for (uint32_t i = 0; i < *count; i++) {
        if ((*parts)[i].id == part.id) {
            (*parts)[i].parts |= part.parts;
            return;
        }
    }
    if (reserve(scope, (void **)parts, *count, capacity, 1, sizeof **parts)) {
        (*parts)[(*count)++] = part;
    }
}

uint64_t document_part_of(enum sim_kind kind)
{
    static const uint64_t parts[SIM_PART_COUNT] = {
        [SIM_PART_STRETCH] = PROTOCOL_HAS_RESTORE_BODY_STRETCH,
        [SIM_PART_BEND] = PROTOCOL_HAS_RESTORE_BODY_BEND,
        [SIM_PART_VOLUMES] = PROTOCOL_HAS_RESTORE_BODY_VOLUME,
        [SIM_PART_SOLID] = PROTOCOL_HAS_RESTORE_BODY_SOLID,
    };
    return parts[sim_part_of(kind)];
}

void document_scope_body_part(struct document_scope *scope, uint32_t body, uint64_t parts)
{
    const struct document_fields fields = {.own = parts};
    document_scope_body_fields(scope, body, &fields);
}

void document_scope_body_fields(struct document_scope *scope, uint32_t body,
                                const struct document_fields *fields)
{
    struct document_scope_body *part = NULL;
    for (uint32_t i = 0; i < scope->body_part_count && !part; i++) {
        part = scope->body_parts[i].id == body ? &scope->body_parts[i] : NULL;
    }
    if (!part) {
        if (reserve(scope, (void **)&scope->body_parts, scope->body_part_count, &scope->body_part_capacity, 1,
                    sizeof *scope->body_parts)) {
            scope->body_parts[scope->body_part_count++] = (struct document_scope_body){body, *fields};
        }
        return;
    }
    for (uint32_t f = 0; f < protocol_restore_body_type.field_count; f++) {
        if (fields->own & UINT64_C(1) << f) {
            document_fields_add(&protocol_restore_body_type, &part->fields, UINT64_C(1) << f, fields->of[f],
                                fields->under[f]);
        }
    }
}

void document_scope_force(struct document_scope *scope, uint32_t force, uint64_t fields)
{
    part_add(scope, &scope->forces, &scope->force_count, &scope->force_capacity,
             (struct document_scope_part){force, fields});
}

uint64_t document_collider_parts(uint64_t parts)
{
    static const struct {
        uint64_t whole, parts;
    } divided[] = {
        {PROTOCOL_RESTORE_COLLIDER_PARTS_POSE,
         PROTOCOL_RESTORE_COLLIDER_PARTS_POSITION | PROTOCOL_RESTORE_COLLIDER_PARTS_ROTATION},
        {PROTOCOL_RESTORE_COLLIDER_PARTS_SIZE,
         PROTOCOL_RESTORE_COLLIDER_PARTS_RADIUS | PROTOCOL_RESTORE_COLLIDER_PARTS_LENGTH |
             PROTOCOL_RESTORE_COLLIDER_PARTS_HALF_EXTENTS | PROTOCOL_RESTORE_COLLIDER_PARTS_POINTS |
             PROTOCOL_RESTORE_COLLIDER_PARTS_HEIGHTS},
        {PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE,
         PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_VELOCITY | PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_SPIN},
    };
    for (size_t d = 0; d < sizeof divided / sizeof *divided; d++) {
        parts = parts & divided[d].whole ? (parts & ~divided[d].whole) | divided[d].parts : parts;
    }
    return parts;
}

void document_scope_collider_part(struct document_scope *scope, uint32_t collider, uint64_t parts)
{
    part_add(scope, &scope->collider_parts, &scope->collider_part_count, &scope->collider_part_capacity,
             (struct document_scope_part){collider, parts});
}

void document_scope_of_particles(struct document_scope *scope, uint32_t body, const uint32_t *particles,
                                 uint32_t count, uint32_t fields)
{
    if (reserve(scope, (void **)&scope->particles, scope->particles_count, &scope->particles_capacity, 1,
                sizeof *scope->particles)) {
        scope->particles[scope->particles_count++] =
            (struct document_scope_particles){body, count, particles, fields};
    }
}
