// Leaves out, by force, what can no longer come back, and tells it: steps about bodies and colliders that somebody else has
// removed, and names that other things have by now.
//
// Steps are looked at in their order: a step may speak of things that an earlier one brings, and not of those that one removes.
#include "document/parts.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_OUT_MAX = 1024 };

struct prune {
    const struct document *document;
    msgpack_zone *zone;
    const struct protocol_restore_step *steps;
    uint32_t step; // under way
    struct protocol_undo_left_out *left_out;
    uint32_t left_out_count;
    bool failed;
};

static void *alloc(struct prune *prune, size_t count, size_t item_size)
{
    void *memory = msgpack_zone_malloc(prune->zone, (count + 1) * item_size);
    prune->failed = prune->failed || !memory;
    return memory;
}

// The rest is left out all the same where there are more.
static void leave_out(struct prune *prune, const char *thing, uint32_t id, const char *format, uint32_t other)
{
    enum { WHY = 96 };
    char *why = alloc(prune, WHY, 1);
    if (!why || prune->left_out_count == LEFT_OUT_MAX) {
        return;
    }
    snprintf(why, WHY, format, other);
    prune->left_out[prune->left_out_count++] = (struct protocol_undo_left_out){
        .has = PROTOCOL_HAS_ALL, .thing = protocol_text(thing), .id = id, .why = protocol_text(why)};
}

// ---------------------------------------------------------------------------------------------------------
// Whether a thing is there when the step under way comes to it

static bool lists(const struct protocol_array *ids, uint32_t id)
{
    bool listed = false;
    for (uint32_t i = 0; i < ids->count && !listed; i++) {
        listed = (uint32_t)protocol_array_f64_at(ids, i) == id;
    }
    return listed;
}

static bool brings_body(const struct protocol_restore_step *step, uint32_t id)
{
    const struct protocol_document_body *bodies = step->bodies.items;
    bool brings = false;
    for (uint32_t i = 0; i < step->bodies.count && !brings; i++) {
        brings = bodies[i].body == id;
    }
    return brings;
}

static bool brings_collider(const struct protocol_restore_step *step, uint32_t id)
{
    const struct protocol_restore_collider *colliders = step->colliders.items;
    bool brings = false;
    for (uint32_t i = 0; i < step->colliders.count && !brings; i++) {
        brings =
            colliders[i].collider.collider == id && !(colliders[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS);
    }
    return brings;
}

static bool body_is_there(const struct prune *prune, uint32_t id)
{
    bool there = document_things_by_id(&prune->document->bodies, id) != NULL;
    for (uint32_t s = 0; s < prune->step; s++) {
        there = (there && !lists(&prune->steps[s].removed.bodies, id)) || brings_body(&prune->steps[s], id);
    }
    return there || brings_body(&prune->steps[prune->step], id);
}

static bool collider_is_there(const struct prune *prune, uint32_t id)
{
    bool there = document_things_by_id(&prune->document->colliders, id) != NULL;
    for (uint32_t s = 0; s < prune->step; s++) {
        there = (there && !lists(&prune->steps[s].removed.colliders, id)) ||
                brings_collider(&prune->steps[s], id);
    }
    return there || brings_collider(&prune->steps[prune->step], id);
}

// A list that names fields brings no constraint back.
static bool brings_constraint(const struct protocol_restore_step *step, uint32_t id)
{
    const struct protocol_restore_own *own = step->own.items;
    const struct protocol_document_constraints *loose = step->constraints.items;
    bool brings = false;
    for (uint32_t i = 0; i < step->own.count && !brings; i++) {
        brings = !(own[i].has & PROTOCOL_HAS_RESTORE_OWN_FIELDS) && lists(&own[i].constraints, id);
    }
    for (uint32_t i = 0; i < step->constraints.count && !brings; i++) {
        brings =
            !(loose[i].has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS) && lists(&loose[i].constraints, id);
    }
    return brings;
}

// body: the one that it came with, which may be brought back with it; 0 if it is loose.
static bool constraint_is_there(const struct prune *prune, uint32_t id, uint32_t body)
{
    struct sim_constraint constraint;
    bool there = sim_constraint_get(prune->document->sim, id, &constraint);
    for (uint32_t s = 0; s <= prune->step; s++) {
        const struct protocol_restore_step *step = &prune->steps[s];
        const bool removed = s < prune->step && lists(&step->removed.constraints, id);
        there = (there && !removed) || brings_constraint(step, id) || (body != 0 && brings_body(step, body));
    }
    return there;
}

// ---------------------------------------------------------------------------------------------------------
// Lists of a step, each copied without what cannot be

static const char body_is_gone[] = "body %u is gone", collider_is_gone[] = "collider %u is gone",
                  constraint_is_gone[] = "constraint %u is gone";

static void prune_parts(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_restore_body *given = list->items;
    struct protocol_restore_body *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        if (body_is_there(prune, given[i].body)) {
            kept[count++] = given[i];
        } else {
            leave_out(prune, "body", given[i].body, body_is_gone, given[i].body);
        }
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

static void prune_particles(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_restore_particles *given = list->items;
    struct protocol_restore_particles *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        if (body_is_there(prune, given[i].body)) {
            kept[count++] = given[i];
        } else {
            leave_out(prune, "body", given[i].body, body_is_gone, given[i].body);
        }
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

// Elements of an array that has so many for each constraint, of those that stay.
static void keep_elements(struct prune *prune, struct protocol_array *array, const bool *stays,
                          uint32_t count)
{
    const uint32_t each = count > 0 ? array->count / count : 0;
    const size_t size = protocol_array_item_size(array->type) * each;
    if (array->count == 0 || size == 0) {
        return;
    }
    uint8_t *kept = alloc(prune, count, size);
    uint32_t at = 0;
    for (uint32_t i = 0; kept && i < count; i++) {
        if (stays[i]) {
            memcpy(kept + size * at++, (const uint8_t *)array->data + size * i, size);
        }
    }
    array->data = kept;
    array->count = at * each;
}

// A constraint that is gone has no fields to restore.
static void prune_own_fields(struct prune *prune, struct protocol_restore_own *own)
{
    const uint32_t count = own->constraints.count;
    bool *stays = alloc(prune, count, sizeof *stays);
    for (uint32_t i = 0; stays && i < count; i++) {
        const uint32_t id = (uint32_t)protocol_array_f64_at(&own->constraints, i);
        stays[i] = constraint_is_there(prune, id, own->body);
        if (!stays[i]) {
            leave_out(prune, "constraint", id, constraint_is_gone, id);
        }
    }
    struct protocol_array *const arrays[] = {&own->rest,       &own->compliance, &own->damping,
                                             &own->stiffness,  &own->colors,     &own->shapes,
                                             &own->constraints};
    for (size_t a = 0; stays && a < sizeof arrays / sizeof *arrays; a++) {
        keep_elements(prune, arrays[a], stays, count);
    }
}

static void prune_own(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_restore_own *given = list->items;
    struct protocol_restore_own *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        if (body_is_there(prune, given[i].body)) {
            kept[count] = given[i];
            if (given[i].has & PROTOCOL_HAS_RESTORE_OWN_FIELDS) {
                prune_own_fields(prune, &kept[count]);
            }
            count += kept[count].constraints.count > 0;
        } else {
            leave_out(prune, "body", given[i].body, body_is_gone, given[i].body);
        }
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

static void prune_batch(struct prune *prune, struct protocol_document_constraints *batch)
{
    const uint32_t count = batch->constraints.count, each = count > 0 ? batch->bodies.count / count : 0;
    const bool some = (batch->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS) && batch->fields != 0;
    bool *stays = alloc(prune, count, sizeof *stays);
    for (uint32_t i = 0; stays && i < count; i++) {
        stays[i] = true;
        for (uint32_t k = 0; k < each && stays[i]; k++) {
            const uint32_t body = (uint32_t)protocol_array_f64_at(&batch->bodies, i * each + k);
            stays[i] = body_is_there(prune, body);
            if (!stays[i]) {
                leave_out(prune, "constraint", (uint32_t)protocol_array_f64_at(&batch->constraints, i),
                          body_is_gone, body);
            }
        }
        const uint32_t id = (uint32_t)protocol_array_f64_at(&batch->constraints, i);
        if (stays[i] && some && !constraint_is_there(prune, id, 0)) {
            stays[i] = false;
            leave_out(prune, "constraint", id, constraint_is_gone, id);
        }
    }
    struct protocol_array *const arrays[] = {&batch->bodies,     &batch->particles, &batch->rest,
                                             &batch->compliance, &batch->damping,   &batch->stiffness,
                                             &batch->colors,     &batch->shapes,    &batch->constraints,
                                             &batch->ratio,      &batch->friction,  &batch->side};
    for (size_t a = 0; stays && a < sizeof arrays / sizeof *arrays; a++) {
        keep_elements(prune, arrays[a], stays, count);
    }
}

static void prune_constraints(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_document_constraints *given = list->items;
    struct protocol_document_constraints *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        kept[count] = given[i];
        if (given[i].body.id != 0 && !body_is_there(prune, given[i].body.id)) {
            leave_out(prune, "body", given[i].body.id, body_is_gone, given[i].body.id);
            continue;
        }
        prune_batch(prune, &kept[count]);
        count += kept[count].constraints.count > 0;
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

static void prune_colliders(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_restore_collider *given = list->items;
    struct protocol_restore_collider *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        const uint32_t id = given[i].collider.collider;
        if (!(given[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) || collider_is_there(prune, id)) {
            kept[count++] = given[i];
        } else {
            leave_out(prune, "collider", id, collider_is_gone, id);
        }
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

static void prune_motions(struct prune *prune, struct protocol_list *list)
{
    const struct protocol_document_motion *given = list->items;
    struct protocol_document_motion *kept = alloc(prune, list->count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < list->count; i++) {
        const uint32_t body = given[i].body.id, collider = given[i].collider.id;
        if (body != 0 && !body_is_there(prune, body)) {
            leave_out(prune, "motion", given[i].motion, body_is_gone, body);
        } else if (collider != 0 && !collider_is_there(prune, collider)) {
            leave_out(prune, "motion", given[i].motion, collider_is_gone, collider);
        } else {
            kept[count++] = given[i];
        }
    }
    *list = (struct protocol_list){.items = kept, .count = count};
}

// ---------------------------------------------------------------------------------------------------------
// Names that somebody else has by now: the thing comes back without

static uint32_t name_holder(const struct prune *prune, const struct document_things *things, uint32_t id,
                            const struct protocol_string *name)
{
    const struct document_thing *other = name->size > 0 ? document_things_by_name(things, name) : NULL;
    const bool bodies = things == &prune->document->bodies;
    for (uint32_t s = 0; other && s <= prune->step; s++) {
        const struct protocol_restore_removed *removed = &prune->steps[s].removed;
        other = lists(bodies ? &removed->bodies : &removed->colliders, other->id) ? NULL : other;
    }
    return other && other->id != id ? other->id : 0;
}

static const char name_is_taken[] = "its name is taken by %u";

static void prune_names(struct prune *prune, struct protocol_restore_step *step)
{
    const struct document *document = prune->document;
    struct protocol_document_body *bodies = alloc(prune, step->bodies.count, sizeof *bodies);
    struct protocol_restore_body *parts = (struct protocol_restore_body *)step->parts.items; // copies by now
    struct protocol_restore_collider *colliders = (struct protocol_restore_collider *)step->colliders.items;
    uint32_t holder;
    if (prune->failed) {
        return;
    }
    for (uint32_t i = 0; i < step->bodies.count; i++) {
        bodies[i] = ((const struct protocol_document_body *)step->bodies.items)[i];
        holder = name_holder(prune, &document->bodies, bodies[i].body, &bodies[i].name);
        if (holder != 0) {
            leave_out(prune, "body", bodies[i].body, name_is_taken, holder);
            bodies[i].name = (struct protocol_string){0};
        }
    }
    step->bodies.items = bodies;
    for (uint32_t i = 0; i < step->parts.count; i++) {
        holder = parts[i].has & PROTOCOL_HAS_RESTORE_BODY_NAME
                     ? name_holder(prune, &document->bodies, parts[i].body, &parts[i].name)
                     : 0;
        if (holder != 0) {
            leave_out(prune, "body", parts[i].body, name_is_taken, holder);
            parts[i].has &= ~(uint64_t)PROTOCOL_HAS_RESTORE_BODY_NAME;
        }
    }
    for (uint32_t i = 0; i < step->colliders.count; i++) {
        struct protocol_document_collider *collider = &colliders[i].collider;
        const bool parted = colliders[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS;
        const bool named = !parted || (colliders[i].parts & PROTOCOL_RESTORE_COLLIDER_PARTS_NAME);
        holder = named ? name_holder(prune, &document->colliders, collider->collider, &collider->name) : 0;
        if (holder != 0) {
            leave_out(prune, "collider", collider->collider, name_is_taken, holder);
            collider->name = (struct protocol_string){0};
            colliders[i].parts &= parted ? ~(uint32_t)PROTOCOL_RESTORE_COLLIDER_PARTS_NAME : UINT32_MAX;
        }
    }
}

bool document_prune(const struct document *document, msgpack_zone *zone, struct protocol_list *steps,
                    struct protocol_list *left_out)
{
    struct prune prune = {.document = document, .zone = zone};
    struct protocol_restore_step *kept = alloc(&prune, steps->count, sizeof *kept);
    prune.left_out = alloc(&prune, LEFT_OUT_MAX, sizeof *prune.left_out);
    if (prune.failed) {
        return false;
    }
    if (steps->count > 0) {
        memcpy(kept, steps->items, steps->count * sizeof *kept);
    }
    prune.steps = kept;
    for (; prune.step < steps->count && !prune.failed; prune.step++) {
        struct protocol_restore_step *step = &kept[prune.step];
        prune_parts(&prune, &step->parts);
        prune_particles(&prune, &step->particles);
        prune_own(&prune, &step->own);
        prune_constraints(&prune, &step->constraints);
        prune_colliders(&prune, &step->colliders);
        prune_motions(&prune, &step->motions);
        prune_names(&prune, step);
    }
    *steps = (struct protocol_list){.items = kept, .count = steps->count};
    *left_out = (struct protocol_list){.items = prune.left_out, .count = prune.left_out_count};
    return !prune.failed;
}

// ---------------------------------------------------------------------------------------------------------
// Ids

static uint32_t above(uint32_t id, uint32_t least)
{
    return id >= least && id < UINT32_MAX ? id + 1 : least;
}

static uint32_t above_all(const struct protocol_array *ids, uint32_t least)
{
    for (uint32_t i = 0; i < ids->count; i++) {
        least = above((uint32_t)protocol_array_f64_at(ids, i), least);
    }
    return least;
}

// The ids that next ids have to be above, as far as the step says so. The constraints of a body that comes back are known by the
// next id from when it was removed.
static struct sim_next_ids least_of(const struct protocol_restore_step *step)
{
    struct sim_next_ids least = {0};
    const struct protocol_document_body *bodies = step->bodies.items;
    const struct protocol_document_constraints *batches = step->constraints.items;
    const struct protocol_restore_own *own = step->own.items;
    const struct protocol_restore_collider *colliders = step->colliders.items;
    const struct protocol_document_motion *motions = step->motions.items;
    for (uint32_t i = 0; i < step->bodies.count; i++) {
        least.body = above(bodies[i].body, least.body);
    }
    for (uint32_t i = 0; i < step->constraints.count; i++) {
        least.constraint = above_all(&batches[i].constraints, least.constraint);
    }
    for (uint32_t i = 0; i < step->own.count; i++) {
        least.constraint = above_all(&own[i].constraints, least.constraint);
    }
    for (uint32_t i = 0; i < step->colliders.count; i++) {
        least.collider = above(colliders[i].collider.collider, least.collider);
    }
    for (uint32_t i = 0; i < step->motions.count; i++) {
        least.motion = above(motions[i].motion, least.motion);
    }
    if (step->bodies.count > 0 && (step->has & PROTOCOL_HAS_RESTORE_STEP_NEXT) &&
        (step->next.has & PROTOCOL_HAS_RESTORE_NEXT_CONSTRAINT) && step->next.constraint > least.constraint) {
        least.constraint = step->next.constraint;
    }
    return least;
}

static void raise(struct protocol_restore_step *step, uint64_t bit, uint32_t *now, uint32_t least,
                  uint32_t *to, uint32_t *expected)
{
    if (*now < least) {
        *to = step->next.has & bit && *to > least ? *to : least;
        *expected = *now;
        step->next.has |= bit;
        step->expected_next.has |= bit;
        step->has |= PROTOCOL_HAS_RESTORE_STEP_NEXT | PROTOCOL_HAS_RESTORE_STEP_EXPECTED_NEXT;
    }
    const bool said = step->next.has & step->expected_next.has & bit;
    if (said && *expected == *now) {
        *to = *to > *now ? *to : *now; // an id that was given is not given again
        *now = *to;
    }
}

// The same for fields of force, whose next id is a setting.
static void raise_force(struct protocol_restore_settings *settings, uint32_t *now)
{
    uint32_t *next = settings->has & PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_NEXT ? &settings->forces_next
                     : settings->has & PROTOCOL_HAS_RESTORE_SETTINGS_FORCES    ? &settings->forces.next
                                                                               : now;
    *next = *next > *now ? *next : *now;
    *now = *next;
}

void document_back_ids(const struct document *document, struct protocol_list *steps)
{
    uint32_t next_force = sim_settings_of(document->sim)->forces.next;
    struct protocol_restore_step *step = (struct protocol_restore_step *)steps->items; // of whoever asks
    struct sim_next_ids now;
    sim_next_ids(document->sim, &now);
    for (uint32_t s = 0; s < steps->count; s++, step++) {
        const struct sim_next_ids least = least_of(step);
        raise_force(&step->settings, &next_force);
        struct protocol_restore_next *next = &step->next, *expected = &step->expected_next;
        raise(step, PROTOCOL_HAS_RESTORE_NEXT_BODY, &now.body, least.body, &next->body, &expected->body);
        raise(step, PROTOCOL_HAS_RESTORE_NEXT_CONSTRAINT, &now.constraint, least.constraint,
              &next->constraint, &expected->constraint);
        raise(step, PROTOCOL_HAS_RESTORE_NEXT_COLLIDER, &now.collider, least.collider, &next->collider,
              &expected->collider);
        raise(step, PROTOCOL_HAS_RESTORE_NEXT_MOTION, &now.motion, least.motion, &next->motion,
              &expected->motion);
    }
}
