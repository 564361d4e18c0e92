// edit.restore: things become what they were.
//
//     ids ▶ settings ▶ what goes, but for bodies ▶ bodies ▶ their parts ▶ constraints ▶ particles ▶ colliders that come
//     back ▶ motions ▶ colliders ▶ bodies that go ▶ ids ▶ names
//
// The sim checks each step before it changes anything, but not all of them together. Where a step is refused, those before
// it are taken back with the inverse of the whole, which is there already. Bodies go last, since grabs go with them.
#include "document/restore.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 4 };

struct apply {
    struct document *document;
    struct document_restore *restore;
    struct document_plans *plans;
    bool back; // what was done is being taken back: bodies may be there still
};

static bool refuse(const struct apply *apply, const char *list, uint32_t index, const char *part,
                   const struct fault *fault)
{
    const struct sim_image_place place = {list, index, part};
    return document_maker_refuse(&apply->restore->maker, &place, fault);
}

static bool refuse_memory(const struct apply *apply)
{
    const struct document_reader place = document_maker_at(&apply->restore->maker, NULL, 0);
    return document_reader_memory(&place);
}

// ---------------------------------------------------------------------------------------------------------
// Ids. Where an edit has used some since, they stay.

static uint32_t next_of(bool spoken_of, uint32_t next, uint32_t expected, uint32_t now)
{
    return spoken_of && expected == now ? next : now;
}

static void next_find(const struct apply *apply, struct sim_next_ids *next)
{
    const struct protocol_edit_restore_params *given = apply->restore->given;
    const struct protocol_restore_next *to = &given->next, *expected = &given->expected_next;
    const uint64_t has = to->has & expected->has;
    sim_next_ids(apply->document->sim, next);
    if (apply->back && to->has != 0) { // nothing can have been in between
        next->body = to->body;
        next->constraint = to->constraint;
        next->collider = to->collider;
        next->motion = to->motion;
        return;
    }
    next->body = next_of(has & PROTOCOL_HAS_RESTORE_NEXT_BODY, to->body, expected->body, next->body);
    next->constraint = next_of(has & PROTOCOL_HAS_RESTORE_NEXT_CONSTRAINT, to->constraint,
                               expected->constraint, next->constraint);
    next->collider =
        next_of(has & PROTOCOL_HAS_RESTORE_NEXT_COLLIDER, to->collider, expected->collider, next->collider);
    next->motion =
        next_of(has & PROTOCOL_HAS_RESTORE_NEXT_MOTION, to->motion, expected->motion, next->motion);
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool next_raise(const struct apply *apply, const struct sim_next_ids *next)
{
    struct sim_next_ids raised;
    struct fault fault;
    sim_next_ids(apply->document->sim, &raised);
    raised.body = greater(raised.body, next->body);
    raised.constraint = greater(raised.constraint, next->constraint);
    raised.collider = greater(raised.collider, next->collider);
    raised.motion = greater(raised.motion, next->motion);
    return sim_next_ids_set(apply->document->sim, &raised, &fault) == FAULT_NONE ||
           refuse(apply, NULL, 0, "next", &fault);
}

static bool next_set(const struct apply *apply, const struct sim_next_ids *next)
{
    struct fault fault;
    return sim_next_ids_set(apply->document->sim, next, &fault) == FAULT_NONE ||
           refuse(apply, NULL, 0, "next", &fault);
}

// ---------------------------------------------------------------------------------------------------------
// What goes

static bool remove_constraints(const struct apply *apply)
{
    struct sim *sim = apply->document->sim;
    const struct document_ids *given = &apply->restore->removed_constraints;
    struct fault fault;
    uint32_t *there = document_maker_alloc(&apply->restore->maker, given->count, sizeof *there), count = 0;
    for (uint32_t i = 0; there && i < given->count; i++) {
        struct sim_constraint constraint;
        if (sim_constraint_get(sim, given->items[i], &constraint)) {
            there[count++] = given->items[i];
        }
    }
    return there && (count == 0 || sim_constraints_remove(sim, there, count, &fault) == FAULT_NONE ||
                     refuse(apply, NULL, 0, "removed.constraints", &fault));
}

static bool remove_all_but_bodies(const struct apply *apply)
{
    struct document *document = apply->document;
    const struct document_restore *restore = apply->restore;
    struct fault fault;
    for (uint32_t i = 0; i < restore->removed_motions.count; i++) {
        const enum fault_code status =
            sim_motion_remove(document->sim, restore->removed_motions.items[i], &fault);
        if (status != FAULT_NONE && status != FAULT_NOT_FOUND) {
            return refuse(apply, NULL, 0, "removed.motions", &fault);
        }
    }
    for (uint32_t i = 0; i < restore->removed_colliders.count; i++) {
        const uint32_t id = restore->removed_colliders.items[i];
        if (!document_things_by_id(&document->colliders, id)) {
            continue;
        }
        if (sim_collider_remove(document->sim, id, &fault) != FAULT_NONE) {
            return refuse(apply, NULL, 0, "removed.colliders", &fault);
        }
        document_things_remove(&document->colliders, id);
    }
    return remove_constraints(apply);
}

static bool remove_bodies(const struct apply *apply)
{
    struct document *document = apply->document;
    const struct document_ids *given = &apply->restore->removed_bodies;
    for (uint32_t i = 0; i < given->count; i++) {
        uint32_t *loose = NULL, count;
        struct fault fault;
        if (!document_things_by_id(&document->bodies, given->items[i])) {
            continue;
        }
        if (sim_body_remove(document->sim, given->items[i], &loose, &count, &fault) != FAULT_NONE) {
            return refuse(apply, NULL, 0, "removed.bodies", &fault);
        }
        free(loose);
        document_things_remove(&document->bodies, given->items[i]);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// What comes back, and what is changed

static bool restore_body(const struct apply *apply, const struct protocol_document_body *given,
                         uint32_t index)
{
    struct document *document = apply->document;
    struct document_body_plan *body = &apply->plans->items[index];
    struct protocol_error *error = apply->restore->maker.error;
    struct fault fault;
    if (!document_things_reserve(&document->bodies, 1)) {
        return refuse_memory(apply);
    }
    if (!document_skin_fits(&document->bodies, body->skin, error) ||
        !document_look_fits(&document->bodies, body->look, error)) {
        return document_maker_place(&apply->restore->maker, "bodies", index);
    }
    if (sim_body_restore(document->sim, body->plan, &fault) != FAULT_NONE) {
        return refuse(apply, "bodies", index, NULL, &fault);
    }
    document_things_add(&document->bodies, given->body, &given->name, given->positions.count / 3);
    struct document_thing *thing = document_things_by_id(&document->bodies, given->body);
    thing->skin = body->skin;
    thing->look = body->look;
    *body = (struct document_body_plan){0};
    return true;
}

static bool restore_bodies(const struct apply *apply)
{
    const struct protocol_list *list = &apply->restore->given->bodies;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct protocol_document_body *given = (const struct protocol_document_body *)list->items + i;
        if (apply->back && document_things_by_id(&apply->document->bodies, given->body)) {
            continue;
        }
        if (!restore_body(apply, given, i)) {
            return false;
        }
    }
    return true;
}

// Slides that live keep their sides, and rings their places on rails. But if the edit puts the particles of all their bodies back,
// sides and places come back as well. They do so too when a refused edit is taken back. False if memory runs out.
static bool sides_return(const struct apply *apply, struct sim_image_constraints *batch)
{
    if (apply->back) {
        batch->sides_return = true;
        return true;
    }
    const struct document_restore *restore = apply->restore;
    const struct document_things *bodies = &apply->document->bodies;
    bool *placed = calloc((size_t)bodies->count + 1, sizeof *placed);
    if (!placed) {
        return false;
    }
    for (uint32_t i = 0; i < restore->given->particles.count; i++) {
        const struct document_thing *body = document_things_by_id(bodies, restore->particles[i].body);
        if (body && (restore->particles[i].fields & SIM_RESTORE_POSITIONS)) {
            placed[body - bodies->items] = true;
        }
    }
    batch->sides_return = true;
    for (size_t k = 0; k < (size_t)batch->count * sim_stencil_size(batch->kind); k++) {
        const struct document_thing *body = document_things_by_id(bodies, batch->bodies[k]);
        batch->sides_return = batch->sides_return && body && placed[body - bodies->items];
    }
    free(placed);
    return true;
}

static bool restore_constraints(const struct apply *apply)
{
    struct sim *sim = apply->document->sim;
    const struct document_restore *restore = apply->restore;
    struct fault fault;
    for (uint32_t i = 0; i < restore->given->parts.count; i++) {
        if (!document_restore_body_part(apply->document, &restore->maker,
                                        (const struct protocol_restore_body *)restore->given->parts.items + i,
                                        i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < restore->given->own.count; i++) {
        if (sim_own_restore(sim, &restore->own[i], &fault) != FAULT_NONE) {
            return refuse(apply, "own", i, NULL, &fault);
        }
    }
    for (uint32_t i = 0; i < restore->given->constraints.count; i++) {
        if (sim_goes_on(restore->batches[i].kind) && !sides_return(apply, &restore->batches[i])) {
            return refuse_memory(apply);
        }
        if (sim_loose_restore(sim, &restore->batches[i], &fault) != FAULT_NONE) {
            return refuse(apply, "constraints", i, NULL, &fault);
        }
    }
    return true;
}

static bool restore_particles(const struct apply *apply)
{
    struct fault fault;
    for (uint32_t i = 0; i < apply->restore->given->particles.count; i++) {
        if (sim_restore_particles_apply(apply->document->sim, &apply->restore->particles[i], &fault) !=
            FAULT_NONE) {
            return refuse(apply, "particles", i, NULL, &fault);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Colliders and motions

static bool restore_collider(const struct apply *apply, const struct protocol_restore_collider *given,
                             uint32_t index)
{
    struct document *document = apply->document;
    const struct document_reader place = document_maker_at(&apply->restore->maker, "colliders", index);
    const struct sim_image_collider *whole = &apply->restore->colliders[index];
    struct sim_image_collider merged = *whole;
    struct sim_image image = {0}; // what is merged with it points there
    struct fault fault;
    if (given->has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) {
        const struct sim_parts parts = {.colliders = &whole->collider.id, .collider_count = 1};
        if (!sim_image_take_parts(document->sim, &parts, &image)) {
            return refuse_memory(apply);
        }
        const bool there = image.collider_count == 1;
        merged = there ? image.colliders[0] : merged;
        if (!there) {
            sim_image_deinit(&image);
            return document_reader_refuse(&place, PROTOCOL_CODE_NOT_FOUND, "collider.collider",
                                          "%u does not exist", whole->collider.id);
        }
        document_restore_merge(whole, given->parts, &merged);
    } else if (!document_things_reserve(&document->colliders, 1)) {
        return refuse_memory(apply);
    }
    const enum fault_code status = sim_collider_restore(document->sim, &merged, &fault);
    sim_image_deinit(&image);
    if (status != FAULT_NONE) {
        return refuse(apply, "colliders", index, "collider", &fault);
    }
    if (!document_things_by_id(&document->colliders, whole->collider.id)) {
        document_things_add(&document->colliders, whole->collider.id, &given->collider.name, 0);
    }
    return true;
}

// Motions need their collider, and leave it elsewhere than it is to be.
static bool restore_colliders(const struct apply *apply)
{
    const struct protocol_list *list = &apply->restore->given->colliders;
    const struct protocol_restore_collider *given = list->items;
    struct fault fault;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!(given[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) && !restore_collider(apply, &given[i], i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < apply->restore->given->motions.count; i++) {
        if (sim_motion_restore(apply->document->sim, &apply->restore->motions[i], &fault) != FAULT_NONE) {
            return refuse(apply, "motions", i, NULL, &fault);
        }
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (!restore_collider(apply, &given[i], i)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------

// A record of edit.restore may give a name to a body that goes with it: the body is gone.
static void rename_body(struct document *document, const struct protocol_restore_body *part)
{
    if ((part->has & PROTOCOL_HAS_RESTORE_BODY_NAME) &&
        document_things_by_id(&document->bodies, part->body)) {
        document_things_rename(&document->bodies, part->body, &part->name);
    }
}

static void rename_all(const struct apply *apply)
{
    struct document *document = apply->document;
    const struct protocol_edit_restore_params *given = apply->restore->given;
    for (uint32_t i = 0; i < given->parts.count; i++) {
        rename_body(document, (const struct protocol_restore_body *)given->parts.items + i);
    }
    for (uint32_t i = 0; i < given->colliders.count; i++) {
        const struct protocol_restore_collider *part =
            (const struct protocol_restore_collider *)given->colliders.items + i;
        if (!(part->has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) ||
            (part->parts & PROTOCOL_RESTORE_COLLIDER_PARTS_NAME)) {
            document_things_rename(&document->colliders, part->collider.collider, &part->collider.name);
        }
    }
    if (given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME) {
        memset(document->name, 0, sizeof document->name);
        memcpy(document->name, given->name.data, given->name.size);
    }
}

static bool apply_all(const struct apply *apply)
{
    const bool settings = apply->restore->given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS;
    struct sim_next_ids next;
    struct fault fault;
    next_find(apply, &next);
    if (!next_raise(apply, &next)) {
        return false;
    }
    if (settings && sim_settings_set(apply->document->sim, &apply->restore->settings, &fault) != FAULT_NONE) {
        return refuse(apply, NULL, 0, "settings", &fault);
    }
    if (!remove_all_but_bodies(apply) || !restore_bodies(apply) || !restore_constraints(apply) ||
        !restore_particles(apply) || !restore_colliders(apply) || !remove_bodies(apply) ||
        !next_set(apply, &next)) {
        return false;
    }
    sim_pins_settle(apply->document->sim);
    rename_all(apply);
    return true;
}

static bool take_back_once(struct document *document, const struct document_edit *edit,
                           struct protocol_error *error)
{
    struct document_restore restore;
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    struct document_plans *plans =
        document_prepare(PROTOCOL_METHOD_EDIT_RESTORE, edit->inverse, &constants, error);
    bool done = plans && document_restore_read(document, edit->inverse, edit->zone, error, &restore);
    if (done) {
        const struct apply apply = {.document = document, .restore = &restore, .plans = plans, .back = true};
        done = apply_all(&apply);
    }
    document_plans_destroy(plans);
    return done;
}

// Takes back the part of a refused edit that was done. It may be begun again: parts that are back already stay so. If memory for
// it runs out again and again, the document is of no use, and this returns false.
bool document_take_back(struct document *document, const struct document_edit *edit)
{
    struct protocol_error error = {0};
    for (int tries = 0; tries < TRIES; tries++) {
        if (take_back_once(document, edit, &error)) {
            return true;
        }
    }
    document->failed = true;
    document->given_up = false;
    snprintf(document->reason, sizeof document->reason,
             "half of a refused %s stayed, and could not be taken back (%.120s)",
             protocol_methods[edit->method].name, error.text);
    return false;
}

static void next_keep(const struct document *document, struct protocol_restore_next *next)
{
    struct sim_next_ids now;
    sim_next_ids(document->sim, &now);
    next->body = greater(next->body, now.body); // of what is not spoken of nothing is read
    next->constraint = greater(next->constraint, now.constraint);
    next->collider = greater(next->collider, now.collider);
    next->motion = greater(next->motion, now.motion);
}

static bool refuse_used(const struct document_restore *restore, const char *list, uint32_t index,
                        const char *field, uint32_t id)
{
    const struct document_reader place = document_maker_at(&restore->maker, list, index);
    return document_reader_refuse(&place, PROTOCOL_CODE_CONFLICT, field, "%u is the id of another by now",
                                  id);
}

// A motion that moves something else is another one.
static bool motion_is_free(const struct document *document, const struct sim_motion *given)
{
    struct sim_motion there = {0};
    for (uint32_t i = 0; i < sim_motion_count(document->sim) && there.id != given->id; i++) {
        sim_motion_at(document->sim, i, &there);
    }
    return there.id != given->id || (there.collider == given->collider && there.body == given->body);
}

// The sim has bodies and constraints come back under ids that are free alone.
static bool ids_are_free(const struct document *document, const struct document_restore *restore)
{
    const struct protocol_restore_collider *colliders = restore->given->colliders.items;
    for (uint32_t i = 0; i < restore->given->colliders.count; i++) {
        const uint32_t id = colliders[i].collider.collider;
        if (!(colliders[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) &&
            document_things_by_id(&document->colliders, id) &&
            !document_ids_have(&restore->removed_colliders, id)) {
            return refuse_used(restore, "colliders", i, "collider.collider", id);
        }
    }
    for (uint32_t i = 0; i < restore->given->motions.count; i++) {
        if (!motion_is_free(document, &restore->motions[i]) &&
            !document_ids_have(&restore->removed_motions, restore->motions[i].id)) {
            return refuse_used(restore, "motions", i, "motion", restore->motions[i].id);
        }
    }
    return true;
}

bool document_check_edit_restore(const struct document *document, struct document_edit *edit)
{
    struct protocol_edit_restore_params *params = edit->resolved;
    struct document_restore *restore = edit->ready = document_edit_alloc(edit, 1, sizeof *restore);
    BASE_ASSERT(edit->plans && edit->plans->count == params->bodies.count);
    if (!restore || !document_restore_read(document, params, edit->zone, &edit->error, restore)) {
        return false;
    }
    // A record of an older server, which dropped them, does so again.
    if (edit->live && restore->gusts_lost) {
        const char *lost = restore->gusts_lost & PROTOCOL_HAS_WIND_GUST_LENGTH ? "length" : "seed";
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID,
            *lost == 'l' ? "settings.wind.gust_length" : "settings.wind.gust_seed",
            "wind.gust_%s: it means nothing while wind.gusts is 0; wind.gusts must be above 0", lost);
    }
    if (edit->live) {
        const uint32_t next_force = sim_settings_of(document->sim)->forces.next;
        params->settings.forces_next = greater(params->settings.forces_next, next_force);
        params->settings.forces.next = greater(params->settings.forces.next, next_force);
        restore->settings.forces.next = greater(restore->settings.forces.next, next_force);
        next_keep(document, &params->next);
        if ((!edit->is_own && !document_restore_agrees(document, restore)) ||
            !ids_are_free(document, restore)) {
            return false;
        }
    }
    if ((params->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME) && params->name.size == 0) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "name", "name: empty; a world needs one");
    }
    return document_restore_names_free(document, restore);
}

// If one constraint comes back, others of its kind may get other places: all of them are touched then.
static void scope_own(struct document_scope *scope, const struct document *document,
                      const struct sim_own *own)
{
    struct sim_constraint constraint;
    struct sim_body_info info;
    bool back = own->place_count > 0;
    if (own->fields != 0) {
        document_scope_constraint_values(scope, own->ids, own->count, own->fields);
        return;
    }
    document_scope_constraints(scope, own->ids, own->count);
    for (uint32_t i = 0; i < own->count && !back; i++) {
        back = !sim_constraint_get(document->sim, own->ids[i], &constraint);
    }
    if (!back || !sim_body_info(document->sim, own->body, &info)) {
        return;
    }
    scope->going = true;
    for (uint32_t i = 0; i < info.constraint_count[own->kind]; i++) {
        const uint32_t id = info.constraint_first[own->kind] + i;
        if (sim_constraint_get(document->sim, id, &constraint)) {
            document_scope_constraints(scope, &id, 1);
        }
    }
}

// Whether it overwrites rest angles that flow.
static bool overwrites_rests(const struct document *document, const struct sim_own *own)
{
    struct sim_body_info info;
    return !own->rests_stay && document_part_of(own->kind) == PROTOCOL_HAS_RESTORE_BODY_BEND &&
           sim_body_info(document->sim, own->body, &info) && info.bend.plastic.rate > 0;
}

static bool overwrites_shapes(const struct document *document, const struct sim_own *own)
{
    struct sim_body_info info;
    return !own->rests_stay && sim_flow_size(own->kind) > 0 &&
           sim_body_info(document->sim, own->body, &info) && info.solid.plastic.rate > 0;
}

static void scope_particles(struct document_scope *scope, const struct protocol_restore_particles *given,
                            const struct sim_restore_particles *particles)
{
    const bool some = given->has & PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES;
    uint32_t *indices =
        some ? msgpack_zone_malloc(scope->zone, ((size_t)particles->count + 1) * sizeof *indices) : NULL;
    for (uint32_t p = 0; indices && p < particles->count; p++) {
        indices[p] = particles->particles[p].particle;
    }
    scope->failed = scope->failed || (some && !indices);
    document_scope_of_particles(scope, particles->body, indices, particles->count, particles->fields);
}

static void scope_settings(struct document_scope *scope, const struct protocol_restore_settings *given)
{
    const struct protocol_force_field *forces = given->forces_set.items;
    document_settings_fields(given, &scope->settings);
    for (uint32_t f = 0; f < given->forces_set.count; f++) {
        const bool whole = forces[f].has & PROTOCOL_HAS_FORCE_FIELD_KIND; // it may come back
        document_scope_force(scope, forces[f].force, whole ? UINT64_MAX : forces[f].has);
    }
    for (uint32_t f = 0; f < given->forces_removed.count; f++) {
        document_scope_force(scope, (uint32_t)protocol_array_f64_at(&given->forces_removed, f), UINT64_MAX);
    }
}

void document_scope_edit_restore(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    const struct document_restore *restore = edit->ready;
    const struct protocol_edit_restore_params *given = restore->given;
    scope->name = given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME;
    scope->next = given->next.has != 0;
    if (given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS) {
        scope_settings(scope, &given->settings);
    }
    scope->going = restore->removed_constraints.count > 0;
    document_scope_constraints(scope, restore->removed_constraints.items, restore->removed_constraints.count);
    for (uint32_t i = 0; i < restore->removed_bodies.count; i++) {
        document_scope_body(scope, restore->removed_bodies.items[i]);
    }
    for (uint32_t i = 0; i < restore->removed_motions.count; i++) {
        document_scope_motion(scope, document, restore->removed_motions.items[i]);
    }
    for (uint32_t i = 0; i < given->bodies.count; i++) {
        document_scope_body(scope, ((const struct protocol_document_body *)given->bodies.items)[i].body);
    }
    for (uint32_t i = 0; i < given->parts.count; i++) {
        const struct protocol_restore_body *part =
            (const struct protocol_restore_body *)given->parts.items + i;
        struct document_fields fields;
        document_body_fields(part, &fields);
        document_scope_body_fields(scope, part->body, &fields);
    }
    for (uint32_t i = 0; i < given->own.count; i++) {
        scope_own(scope, document, &restore->own[i]);
        scope->rests = scope->rests || overwrites_rests(document, &restore->own[i]);
        scope->shapes = scope->shapes || overwrites_shapes(document, &restore->own[i]);
    }
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        const struct sim_image_constraints *batch = &restore->batches[i];
        if (batch->fields != 0) {
            document_scope_constraint_values(scope, batch->ids, batch->count, batch->fields);
        } else {
            document_scope_constraints(scope, batch->ids, batch->count);
        }
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        scope_particles(scope, (const struct protocol_restore_particles *)given->particles.items + i,
                        &restore->particles[i]);
    }
    for (uint32_t i = 0; i < restore->removed_colliders.count; i++) {
        document_scope_collider_goes(scope, document, restore->removed_colliders.items[i]);
    }
    for (uint32_t i = 0; i < given->colliders.count; i++) {
        const struct protocol_restore_collider *collider =
            (const struct protocol_restore_collider *)given->colliders.items + i;
        if (collider->has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) {
            document_scope_collider_part(scope, collider->collider.collider, collider->parts);
        } else {
            document_scope_collider(scope, collider->collider.collider);
        }
    }
    for (uint32_t i = 0; i < given->motions.count; i++) {
        document_scope_motion(scope, document, restore->motions[i].id);
        if (restore->motions[i].collider != 0) {
            document_scope_collider_part(scope, restore->motions[i].collider,
                                         PROTOCOL_RESTORE_COLLIDER_PARTS_POSE);
        }
    }
}

bool document_change_edit_restore(struct document *document, struct document_edit *edit)
{
    struct protocol_edit_restore_result *result = edit->result;
    struct document_restore *restore = edit->ready;
    const struct apply apply = {.document = document, .restore = restore, .plans = edit->plans};
    if (!edit->inverse) {
        return document_refuse(edit, PROTOCOL_CODE_CONFLICT, NULL,
                               "what is there are no numbers that could be kept; world.reset mends it");
    }
    if (!apply_all(&apply)) {
        (void)document_take_back(document, edit);
        return false;
    }
    *result = (struct protocol_edit_restore_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    if (restore->given->has &
        (PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS | PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME)) {
        document_touch_set(document, edit, &document->settings_touched);
    }
    for (uint32_t i = 0; i < restore->touched_bodies.count; i++) {
        document_touch(document, edit, &document->bodies, restore->touched_bodies.items[i]);
    }
    for (uint32_t i = 0; i < restore->touched_colliders.count; i++) {
        document_touch(document, edit, &document->colliders, restore->touched_colliders.items[i]);
    }
    return true;
}
