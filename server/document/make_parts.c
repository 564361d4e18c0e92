// Colliders, loose constraints and motions of a document, or of what comes back, as the sim's image has them.
#include "document/maker.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Colliders

static bool make_position(const struct document_reader *place, const char *field, const double metres[3],
                          const double remainder[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!document_maker_quantum(place, field, metres[axis], remainder[axis], &out[axis])) {
            return false;
        }
    }
    return true;
}

bool document_maker_collider(const struct document_reader *place,
                             const struct protocol_document_collider *given,
                             struct sim_image_collider *collider)
{
    bool rotation = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION;
    bool normal = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_NORMAL;
    const double *turn = given->rotation;
    collider->collider = (struct sim_collider){
        .id = given->collider,
        .kind = (enum sim_collider_kind)given->kind,
        .normal = {0, 1, 0},
        .radius = given->radius,
        .length = given->length,
        .friction = given->friction,
        .columns = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_COLUMNS ? given->columns : 0,
        .spacing = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_SPACING ? given->spacing : 1,
    };
    memcpy(collider->collider.position, given->position, sizeof given->position);
    memcpy(collider->collider.half_extents, given->half_extents, sizeof given->half_extents);
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_RESTITUTION) {
        collider->collider.restitution = given->restitution;
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE) {
        document_surface_take(&given->surface, collider->collider.surface);
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_FRICTION_KINETIC) {
        document_kinetic_take(given->friction_kinetic, &collider->collider.kinetic,
                              &collider->collider.friction_kinetic);
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_VELOCITY) {
        memcpy(collider->collider.surface_velocity, given->surface_velocity, sizeof given->surface_velocity);
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_SPIN) {
        memcpy(collider->collider.surface_spin, given->surface_spin, sizeof given->surface_spin);
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_POINTS) {
        collider->collider.point_count = given->points.count / 3;
        if (!document_reader_f64s(place, "points", &given->points, given->points.count, NULL,
                                  &collider->collider.points)) {
            return false;
        }
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_HEIGHTS) {
        collider->collider.height_count = given->heights.count;
        if (!document_reader_f64s(place, "heights", &given->heights, given->heights.count, NULL,
                                  &collider->collider.heights)) {
            return false;
        }
    }
    if (rotation && normal) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "normal",
                                      "must be absent where rotation is given");
    }
    if (rotation && turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "rotation",
                                      "has length 0; give a quaternion x, y, z, w");
    }
    if (rotation) {
        memcpy(collider->collider.rotation, turn, sizeof collider->collider.rotation);
    }
    if (normal) {
        memcpy(collider->collider.normal, given->normal, sizeof given->normal);
    }
    bool from = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION;
    collider->exact = from || (given->has & (PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER |
                                             PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION |
                                             PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED)) != 0;
    memcpy(collider->from_rotation, given->from_rotation, sizeof collider->from_rotation);
    collider->unturned = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED;
    memcpy(collider->stands, given->unturned, sizeof collider->stands);
    return !collider->exact ||
           (make_position(place, "position", given->position, given->remainder, collider->position) &&
            make_position(place, from ? "from_position" : "position",
                          from ? given->from_position : given->position,
                          from ? given->from_remainder : given->remainder, collider->from_position));
}

// ---------------------------------------------------------------------------------------------------------
// Loose constraints, motions

static bool bodies_of(const struct document_reader *place, const struct protocol_document_constraints *given,
                      const uint32_t **out)
{
    bool one = given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODY;
    if (one == ((given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES) != 0)) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "body",
                                      "give body (of all particles) or bodies (of each), one of them");
    }
    if (!one) {
        return document_reader_count(place, "bodies", given->bodies.count, given->particles.count, NULL) &&
               document_reader_u32s(place, "bodies", &given->bodies, out);
    }
    uint32_t body = 0, *bodies = document_reader_alloc(place, given->particles.count, sizeof *bodies);
    if (!bodies || !document_maker_find(place, &((const struct document_maker *)place->of)->document->bodies,
                                        &given->body, &body)) {
        return false;
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        bodies[i] = body;
    }
    *out = bodies;
    return true;
}

bool document_maker_batch(const struct document_reader *place,
                          const struct protocol_document_constraints *given,
                          struct sim_image_constraints *batch)
{
    struct sim_constraint_values *values = &batch->values;
    batch->kind = (enum sim_kind)given->type;
    uint32_t stencil = sim_stencil_size(batch->kind), count = given->particles.count / stencil;
    const uint64_t has = given->has;
    const struct document_joins joins = {
        .sides = has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDES ? &given->sides : NULL,
        .weights = has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_WEIGHTS ? &given->weights : NULL,
    };
    // With ids they are as the sim has them, and the weights stand in their shapes.
    const bool named = sim_joins(batch->kind) && !(has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS);
    const bool ids = has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS;
    const bool joint = batch->kind == SIM_JOINT && !ids;
    struct document_jointed jointed = DOCUMENT_JOINTED(DOCUMENT_CONSTRAINTS, given);
    DOCUMENT_JOINTED_NEW(DOCUMENT_CONSTRAINTS, given, &jointed);
    struct sim_joint_values *joints = NULL;
    if (joint || (!ids && document_jointed_any(&jointed))) {
        joints = document_reader_alloc(place, 1, sizeof *joints);
        if (!joints) {
            return false;
        }
        *joints = (struct sim_joint_values){.model = jointed.model};
        values->joint = joints;
    }
    if (joint && !document_jointed_count(place, &jointed, given->particles.count, &count)) {
        return false;
    }
    if (!named && !joint && (joins.sides || joins.weights)) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, joins.sides ? "sides" : "weights",
                                      "must be absent: only joins without ids have it");
    }
    if (named && !document_joins_count(place, &joins, given->particles.count, &count)) {
        return false;
    }
    if (!named && !joint && given->particles.count % stencil != 0) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "particles",
                                      "length %u; must be a multiple of %u", given->particles.count, stencil);
    }
    batch->count = count;
    batch->fields = has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS ? given->fields : 0;
    return bodies_of(place, given, &batch->bodies) &&
           document_reader_u32s(place, "particles", &given->particles, &batch->particles) &&
           (!named || document_joins_expand(place, &joins, count, &batch->bodies, &batch->particles,
                                            &values->weights)) &&
           (!joint ||
            document_jointed_expand(place, &jointed, count, &batch->bodies, &batch->particles, joints)) &&
           (!joints || document_jointed_values(place, &jointed, count, joints)) &&
           (!(has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST_END) ||
            document_reader_f64s(place, "rest_end", &given->rest_end, count, NULL, &values->rest_end)) &&
           (!(has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SECONDS) ||
            document_reader_f64s(place, "seconds", &given->seconds, count, NULL, &values->seconds)) &&
           (!(has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FORCE_LIMIT) ||
            document_reader_f64s(place, "force_limit", &given->force_limit, count, NULL,
                                 &values->force_limit)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST) ||
            document_reader_f64s(place, "rest", &given->rest, count, NULL, &values->rest)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE) ||
            document_reader_f64s(place, "compliance", &given->compliance, count, NULL,
                                 &values->compliance)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING) ||
            document_reader_f64s(place, "damping", &given->damping, count, NULL, &values->damping)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS) ||
            document_reader_f64s(place, "stiffness", &given->stiffness, count, NULL, &values->stiffness)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS) ||
            (document_reader_count(place, "constraints", given->constraints.count, count, NULL) &&
             document_reader_u32s(place, "constraints", &given->constraints, &batch->ids))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS) ||
            (document_reader_count(place, "colors", given->colors.count, count, NULL) &&
             document_reader_u32s(place, "colors", &given->colors, &batch->colors))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES) ||
            document_reader_f32s(place, "shapes", &given->shapes, sim_shape_size(batch->kind) * count, NULL,
                                 &batch->shapes)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_RATIO) ||
            document_reader_f64s(place, "ratio", &given->ratio, count, NULL, &values->ratio)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FRICTION) ||
            document_reader_f64s(place, "friction", &given->friction, count, NULL, &values->friction)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDE) ||
            document_reader_f64s(place, "side", &given->side, count, NULL, &values->side));
}

bool document_maker_motion(const struct document_reader *place, const struct protocol_document_motion *given,
                           struct sim_motion *motion)
{
    const struct document *document = ((const struct document_maker *)place->of)->document;
    *motion = (struct sim_motion){
        .id = given->motion,
        .particle_count = given->particles.count,
        .key_count = given->times.count,
        .loop = given->loop,
        .cubic = given->interpolation == PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_CUBIC,
        .age = given->age,
        .pivot = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_PIVOT ? given->pivot : NULL,
    };
    bool turns = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_ROTATIONS;
    bool arms = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_ARMS;
    return (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER) ||
            document_maker_find(place, &document->colliders, &given->collider, &motion->collider)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_BODY) ||
            document_maker_find(place, &document->bodies, &given->body, &motion->body)) &&
           document_reader_u32s(place, "particles", &given->particles, &motion->particles) &&
           document_reader_f64s(place, "times", &given->times, given->times.count, NULL, &motion->times) &&
           document_reader_count(place, "offsets", given->offsets.count, 3 * given->times.count, NULL) &&
           document_reader_f64s(place, "offsets", &given->offsets, given->offsets.count, NULL,
                                &motion->offsets) &&
           (!turns || (document_reader_count(place, "rotations", given->rotations.count,
                                             4 * given->times.count, NULL) &&
                       document_reader_f64s(place, "rotations", &given->rotations, given->rotations.count,
                                            NULL, &motion->rotations))) &&
           (!arms ||
            (document_reader_count(place, "arms", given->arms.count, 3 * given->particles.count, NULL) &&
             document_reader_f64s(place, "arms", &given->arms, given->arms.count, NULL, &motion->arms))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_POSES) ||
            document_reader_poses(place, &given->poses, given->particles.count, given->times.count,
                                  &motion->poses));
}
