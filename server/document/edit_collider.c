// Colliders: collider.add, collider.set, collider.remove.
#include "document/scope.h"

#include "base/assert.h"

#include <string.h>

_Static_assert((int)PROTOCOL_COLLIDER_SUMMARY_KIND_PLANE == (int)SIM_PLANE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_SPHERE == (int)SIM_SPHERE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_CAPSULE == (int)SIM_CAPSULE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_BOX == (int)SIM_BOX &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_CYLINDER == (int)SIM_CYLINDER &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_CONVEX == (int)SIM_CONVEX &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_HEIGHT_FIELD == (int)SIM_HEIGHT_FIELD,
               "kinds of colliders stand in the same order on the wire and in the sim");

struct ready {
    struct sim_collider collider;
    struct document_coarse coarse;
    struct protocol_warning *warning; // NULL: nothing is said
};

// A rotation of zeros tells the sim that there is none; from outside it is a mistake.
static bool take_rotation(struct document_edit *edit, const double given[4], bool normal, double rotation[4])
{
    if (normal) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "normal",
                               "normal: must be absent where rotation is given");
    }
    if (given[0] == 0 && given[1] == 0 && given[2] == 0 && given[3] == 0) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "rotation",
                               "rotation: has length 0; give a quaternion x, y, z, w");
    }
    memcpy(rotation, given, 4 * sizeof *rotation);
    return true;
}

static bool take_points(struct document_edit *edit, const struct protocol_array *given,
                        struct sim_collider *collider)
{
    const struct document_reader reader = document_edit_reader(edit);
    collider->point_count = given->count / 3;
    return document_reader_f64s(&reader, "points", given, given->count, NULL, &collider->points);
}

static bool take_heights(struct document_edit *edit, const struct protocol_array *given,
                         struct sim_collider *collider)
{
    const struct document_reader reader = document_edit_reader(edit);
    collider->height_count = given->count;
    return document_reader_f64s(&reader, "heights", given, given->count, NULL, &collider->heights);
}

static bool warn_reserve(struct document_edit *edit, struct ready *ready)
{
    const struct document_reader reader = document_edit_reader(edit);
    ready->warning = document_edit_alloc(edit, 1, sizeof *ready->warning);
    return ready->warning && document_coarse_reserve(&reader, &ready->coarse);
}

static struct protocol_list warn(const struct document *document, uint32_t id, struct ready *ready)
{
    const bool told =
        ready->warning && document_coarse_collider(document, id, &ready->coarse, ready->warning);
    return (struct protocol_list){.items = ready->warning, .count = told ? 1 : 0};
}

bool document_check_collider_add(const struct document *document, struct document_edit *edit)
{
    const struct protocol_collider_add_params *params = edit->resolved;
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    if (!ready || !document_name_free(edit, &document->colliders, 0, &params->name)) {
        return false;
    }
    struct sim_collider *collider = &ready->collider;
    *collider = (struct sim_collider){
        .kind = (enum sim_collider_kind)params->kind,
        .radius = params->radius,
        .length = params->length,
        .friction = params->friction,
        .columns = params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_COLUMNS ? params->columns : 0,
        .spacing = params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SPACING ? params->spacing : 1,
    };
    memcpy(collider->position, params->position, sizeof collider->position);
    memcpy(collider->normal, params->normal, sizeof collider->normal);
    memcpy(collider->half_extents, params->half_extents, sizeof collider->half_extents);
    if (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_RESTITUTION) {
        collider->restitution = params->restitution;
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE) {
        document_surface_take(&params->surface, collider->surface);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_FRICTION_KINETIC) {
        document_kinetic_take(params->friction_kinetic, &collider->kinetic, &collider->friction_kinetic);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE_VELOCITY) {
        memcpy(collider->surface_velocity, params->surface_velocity, sizeof collider->surface_velocity);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE_SPIN) {
        memcpy(collider->surface_spin, params->surface_spin, sizeof collider->surface_spin);
    }
    const bool normal = params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_NORMAL;
    return (!(params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_ROTATION) ||
            take_rotation(edit, params->rotation, normal, collider->rotation)) &&
           (!(params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_POINTS) ||
            take_points(edit, &params->points, collider)) &&
           (!(params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_HEIGHTS) ||
            take_heights(edit, &params->heights, collider)) &&
           warn_reserve(edit, ready);
}

void document_scope_collider_add(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    (void)edit;
    struct sim_next_ids next;
    sim_next_ids(document->sim, &next);
    document_scope_collider(scope, next.collider);
    scope->next = true;
}

bool document_change_collider_add(struct document *document, struct document_edit *edit)
{
    const struct protocol_collider_add_params *params = edit->resolved;
    struct protocol_collider_add_result *result = edit->result;
    struct ready *ready = edit->ready;
    struct fault fault;
    uint32_t id;
    if (!document_things_reserve(&document->colliders, 1)) {
        return document_refuse_memory(edit);
    }
    if (sim_collider_add(document->sim, &ready->collider, &id, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    document_things_add(&document->colliders, id, &params->name, 0);
    *result = (struct protocol_collider_add_result){
        .has = PROTOCOL_HAS_ALL,
        .collider = id,
        .revision = document_commit(document),
        .tick = document->tick,
        .warnings = warn(document, id, ready),
    };
    document_touch(document, edit, &document->colliders, id);
    return true;
}

static bool take_pose(struct document_edit *edit, const struct protocol_collider_set_params *params,
                      struct sim_collider *collider)
{
    const bool normal = params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_NORMAL;
    const uint64_t posed = PROTOCOL_HAS_COLLIDER_SET_PARAMS_POSITION |
                           PROTOCOL_HAS_COLLIDER_SET_PARAMS_NORMAL |
                           PROTOCOL_HAS_COLLIDER_SET_PARAMS_ROTATION;
    collider->teleport = params->teleport;
    if (params->teleport && !(params->has & posed)) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "teleport",
                               "teleport: true; must come with position, normal or rotation");
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_POSITION) {
        memcpy(collider->position, params->position, sizeof collider->position);
    }
    if ((params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_ROTATION) &&
        !take_rotation(edit, params->rotation, normal, collider->rotation)) {
        return false;
    }
    if (normal) {
        memcpy(collider->normal, params->normal, sizeof collider->normal);
        // A plane turns the shortest way, so that what lies on it is carried as little as can be.
        double from[4];
        memcpy(from, collider->rotation, sizeof from);
        if (collider->kind == SIM_PLANE) {
            sim_rotation_to(from, params->normal, collider->rotation);
        }
    }
    return true;
}

bool document_check_collider_set(const struct document *document, struct document_edit *edit)
{
    struct protocol_collider_set_params *params = edit->resolved;
    const uint64_t has = params->has;
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    uint32_t id;
    if (!ready || !document_find_collider(document, edit, &params->collider, &id) ||
        ((has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_NAME) &&
         !document_name_free(edit, &document->colliders, id, &params->name))) {
        return false;
    }
    struct sim_collider *collider = &ready->collider;
    const struct document_things *colliders = &document->colliders;
    sim_collider_at(document->sim, (uint32_t)(document_things_by_id(colliders, id) - colliders->items),
                    collider);
    BASE_ASSERT(collider->id == id);
    if (!take_pose(edit, params, collider)) {
        return false;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_LENGTH) {
        collider->length = params->length;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_HALF_EXTENTS) {
        memcpy(collider->half_extents, params->half_extents, sizeof collider->half_extents);
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_RADIUS) {
        collider->radius = params->radius;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_FRICTION) {
        collider->friction = params->friction;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_RESTITUTION) {
        collider->restitution = params->restitution;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE) {
        document_surface_take(&params->surface, collider->surface);
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_FRICTION_KINETIC) {
        document_kinetic_take(params->friction_kinetic, &collider->kinetic, &collider->friction_kinetic);
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE_VELOCITY) {
        memcpy(collider->surface_velocity, params->surface_velocity, sizeof collider->surface_velocity);
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE_SPIN) {
        memcpy(collider->surface_spin, params->surface_spin, sizeof collider->surface_spin);
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_COLUMNS) {
        collider->columns = params->columns;
    }
    if (has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_SPACING) {
        collider->spacing = params->spacing;
    }
    if (((has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_POINTS) && !take_points(edit, &params->points, collider)) ||
        ((has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_HEIGHTS) &&
         !take_heights(edit, &params->heights, collider))) {
        return false;
    }
    // If only the pose changes, as it does while a collider is dragged, the warnings stay as they are.
    const bool sized =
        has & (PROTOCOL_HAS_COLLIDER_SET_PARAMS_RADIUS | PROTOCOL_HAS_COLLIDER_SET_PARAMS_HALF_EXTENTS |
               PROTOCOL_HAS_COLLIDER_SET_PARAMS_POINTS);
    return !sized || warn_reserve(edit, ready);
}

void document_scope_collider_set(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    (void)document;
    const struct protocol_collider_set_params *params = edit->resolved;
    static const struct {
        uint64_t given;
        uint32_t part;
    } parts[] = {
#define SET(name, part) {PROTOCOL_HAS_COLLIDER_SET_PARAMS_##name, PROTOCOL_RESTORE_COLLIDER_PARTS_##part}
        SET(NAME, NAME),
        SET(POSITION, POSITION),
        SET(NORMAL, ROTATION),
        SET(ROTATION, ROTATION),
        SET(RADIUS, RADIUS),
        SET(LENGTH, LENGTH),
        SET(HALF_EXTENTS, HALF_EXTENTS),
        SET(FRICTION, FRICTION),
        SET(FRICTION_KINETIC, FRICTION_KINETIC),
        SET(RESTITUTION, RESTITUTION),
        SET(SURFACE, SURFACE_NAME),
        SET(POINTS, POINTS),
        SET(HEIGHTS, HEIGHTS),
        SET(COLUMNS, HEIGHTS),
        SET(SPACING, HEIGHTS),
        SET(SURFACE_VELOCITY, SURFACE_VELOCITY),
        SET(SURFACE_SPIN, SURFACE_SPIN),
#undef SET
    };
    // A teleport ends the way of both.
    uint64_t touched = params->teleport ? document_collider_parts(PROTOCOL_RESTORE_COLLIDER_PARTS_POSE) : 0;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        touched |= params->has & parts[p].given ? parts[p].part : 0;
    }
    document_scope_collider_part(scope, params->collider.id, touched);
}

bool document_change_collider_set(struct document *document, struct document_edit *edit)
{
    const struct protocol_collider_set_params *params = edit->resolved;
    struct protocol_collider_set_result *result = edit->result;
    struct ready *ready = edit->ready;
    struct fault fault;
    const uint32_t id = ready->collider.id;
    if (sim_collider_set(document->sim, &ready->collider, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_NAME) {
        document_things_rename(&document->colliders, id, &params->name);
    }
    *result = (struct protocol_collider_set_result){
        .has = PROTOCOL_HAS_ALL,
        .revision = document_commit(document),
        .tick = document->tick,
        .warnings = warn(document, id, ready),
    };
    document_touch(document, edit, &document->colliders, id);
    return true;
}

bool document_check_collider_remove(const struct document *document, struct document_edit *edit)
{
    struct protocol_collider_remove_params *params = edit->resolved;
    uint32_t id;
    return document_find_collider(document, edit, &params->collider, &id);
}

void document_scope_collider_remove(const struct document *document, const struct document_edit *edit,
                                    struct document_scope *scope)
{
    const struct protocol_collider_remove_params *params = edit->resolved;
    document_scope_collider_goes(scope, document, params->collider.id);
}

bool document_change_collider_remove(struct document *document, struct document_edit *edit)
{
    const struct protocol_collider_remove_params *params = edit->resolved;
    struct protocol_collider_remove_result *result = edit->result;
    struct fault fault;
    if (sim_collider_remove(document->sim, params->collider.id, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    document_things_remove(&document->colliders, params->collider.id);
    *result = (struct protocol_collider_remove_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    return true;
}
