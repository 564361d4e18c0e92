// Parts of a sim's image, with names, as the generated structs of documents.
//
// Coordinates leave as metres. A double holds 2^53 quanta; what it loses of more (a world at the limits of its extent)
// goes beside it as a remainder, so that a document is exact in every encoding. Arrays are views into the image and
// memory of the zone.
#include "document/fill_rod.h"
#include "document/filler.h"

#include <string.h>

void *document_fill_alloc(const struct document_filler *filler, size_t count, size_t item_size)
{
    size_t size;
    bool fits = !__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4;
    return fits ? msgpack_zone_malloc(filler->zone, size > 0 ? size : 1) : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Numbers

static struct protocol_array u32s_of(const uint32_t *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_U32, count, items};
}

static struct protocol_array f32s_of(const float *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_F32, count, items};
}

static struct protocol_array f64s_of(const double *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_F64, count, items};
}

// The quanta that the nearest double cannot hold.
static int64_t remainder_of(int64_t quanta)
{
    return quanta - (int64_t)(double)quanta;
}

bool document_fill_metres(const struct document_filler *filler, const int64_t *quanta, uint32_t count,
                          struct protocol_array *metres, struct protocol_array *remainders, bool *lost)
{
    double *out = document_fill_alloc(filler, count, sizeof *out), *left = NULL;
    *lost = false;
    for (uint32_t i = 0; out && i < count; i++) {
        out[i] = (double)quanta[i] * filler->resolution;
        *lost = *lost || remainder_of(quanta[i]) != 0;
    }
    if (out && *lost) {
        left = document_fill_alloc(filler, count, sizeof *left);
        for (uint32_t i = 0; left && i < count; i++) {
            left[i] = (double)remainder_of(quanta[i]);
        }
    }
    *metres = f64s_of(out, count);
    *remainders = f64s_of(left, left ? count : 0);
    return out && (!*lost || left);
}

static void fill_place(const struct document_filler *filler, const int64_t quanta[3], double metres[3],
                       double remainder[3], bool *lost)
{
    *lost = false;
    for (int axis = 0; axis < 3; axis++) {
        metres[axis] = (double)quanta[axis] * filler->resolution;
        remainder[axis] = (double)remainder_of(quanta[axis]);
        *lost = *lost || remainder[axis] != 0;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

static void fill_kind_history(const struct sim_image_history *history, uint32_t size,
                              struct protocol_constraint_history *out)
{
    *out = (struct protocol_constraint_history){
        .has = PROTOCOL_HAS_CONSTRAINT_HISTORY_BUILT | PROTOCOL_HAS_CONSTRAINT_HISTORY_REMOVED |
               PROTOCOL_HAS_CONSTRAINT_HISTORY_CHANGED | PROTOCOL_HAS_CONSTRAINT_HISTORY_COMPLIANCE |
               PROTOCOL_HAS_CONSTRAINT_HISTORY_DAMPING | PROTOCOL_HAS_CONSTRAINT_HISTORY_STIFFNESS,
        .built = history->built,
        .removed = u32s_of(history->removed, history->removed_count),
        .changed = u32s_of(history->changed, history->changed_count),
        .compliance = f64s_of(history->compliance, history->changed_count),
        .damping = f64s_of(history->damping, history->changed_count),
        .stiffness = f64s_of(history->stiffness, history->changed_count),
    };
    if (history->rest) {
        out->rest = f64s_of(history->rest, history->changed_count);
        out->has |= PROTOCOL_HAS_CONSTRAINT_HISTORY_REST;
    }
    if (history->shapes) {
        out->shapes = f32s_of(history->shapes, size * history->changed_count);
        out->has |= PROTOCOL_HAS_CONSTRAINT_HISTORY_SHAPES;
    }
    if (history->colors) {
        out->colors = u32s_of(history->colors, history->color_count);
        out->tile_colors = u32s_of(history->tile_colors, history->tile_count);
        out->has |= PROTOCOL_HAS_CONSTRAINT_HISTORY_COLORS | PROTOCOL_HAS_CONSTRAINT_HISTORY_TILE_COLORS;
    }
}

static void fill_history(const struct sim_image_body *body, struct protocol_document_body *out)
{
#define FILLED(NAME, name) {PROTOCOL_HAS_BODY_HISTORY_##NAME, &out->history.name},
    const struct {
        uint64_t bit;
        struct protocol_constraint_history *out;
    } kinds[SIM_KIND_COUNT] = {SIM_KINDS(FILLED)};
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (body->history[kind].edited) {
            fill_kind_history(&body->history[kind], sim_flow_size((enum sim_kind)kind), kinds[kind].out);
            out->history.has |= kinds[kind].bit;
            out->has |= PROTOCOL_HAS_DOCUMENT_BODY_HISTORY;
        }
    }
}

static void fill_elements(const struct sim_body_desc *desc, struct protocol_document_body *out)
{
    switch (desc->kind) {
    case SIM_CLOTH:
        out->triangles = u32s_of(desc->triangles, 3 * desc->triangle_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES;
        if (desc->uvs) {
            out->yarn_uvs = f32s_of(desc->uvs, 6 * desc->triangle_count);
            out->has |= PROTOCOL_HAS_DOCUMENT_BODY_YARN_UVS;
        }
        break;
    case SIM_ROPE:
        out->edges = u32s_of(desc->edges, 2 * desc->edge_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_EDGES;
        break;
    case SIM_SOFT:
        out->tets = u32s_of(desc->tets, 4 * desc->tet_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_TETS;
        break;
    case SIM_POINTS:
    case SIM_RIGID:
        break;
    }
}

void document_fill_sleep(const struct sim_sleep *sleep, struct protocol_document_state *out)
{
    out->asleep = sleep->asleep;
    out->still = sleep->still;
    out->mark = sleep->mark;
    out->island = sleep->island;
    out->companions = sleep->companions;
    out->has |= sleep->still > 0 ? PROTOCOL_HAS_DOCUMENT_STATE_STILL : 0;
    out->has |= sleep->asleep || sleep->still > 0 ? PROTOCOL_HAS_DOCUMENT_STATE_MARK : 0;
    out->has |= sleep->asleep ? PROTOCOL_HAS_DOCUMENT_STATE_ASLEEP | PROTOCOL_HAS_DOCUMENT_STATE_ISLAND |
                                    PROTOCOL_HAS_DOCUMENT_STATE_COMPANIONS
                              : 0;
}

static bool fill_sleep(const struct document_filler *filler, const struct sim_image_body *body,
                       struct protocol_document_state *out)
{
    const uint32_t count = 3 * body->desc.particle_count;
    document_fill_sleep(&body->sleep, out);
    out->bend_due = body->bend_due;
    out->has |= body->bend_due > 0 ? PROTOCOL_HAS_DOCUMENT_STATE_BEND_DUE : 0;
    if (!body->anchors) {
        return true;
    }
    double *anchors = document_fill_alloc(filler, count, sizeof *anchors);
    for (uint32_t i = 0; anchors && i < count; i++) {
        anchors[i] = (double)body->anchors[i];
    }
    out->anchors = f64s_of(anchors, count);
    out->has |= PROTOCOL_HAS_DOCUMENT_STATE_ANCHORS;
    return anchors != NULL;
}

static void fill_softness(const struct sim_image_body *body, struct protocol_document_state *out)
{
    const uint32_t pins = body->desc.pin_count;
    out->pin_compliances = f64s_of(body->pin_compliances, pins);
    out->pin_distances = f64s_of(body->pin_distances, pins);
    out->pin_starts = f64s_of(body->pin_starts, 3 * pins);
    out->pin_ends = f64s_of(body->pin_ends, 3 * pins);
    out->pin_ticks = u32s_of(body->pin_ticks, pins);
    out->has |=
        (body->pin_compliances
             ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_COMPLIANCES | PROTOCOL_HAS_DOCUMENT_STATE_PIN_DISTANCES
             : 0) |
        (body->pin_starts ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_STARTS : 0) |
        (body->pin_ticks ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_ENDS | PROTOCOL_HAS_DOCUMENT_STATE_PIN_TICKS : 0);
}

// Returns whole numbers as doubles; NULL if there are none, or memory runs out.
static double *doubles_of(const struct document_filler *filler, const int32_t *whole, size_t count)
{
    double *out = whole ? document_fill_alloc(filler, count, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) {
        out[i] = whole[i];
    }
    return out;
}

// Fills state.turned, state.pin_clamps and state.pin_clamp_places, if the body has such. False if memory runs out.
static bool fill_turns(const struct document_filler *filler, const struct sim_image_body *body,
                       struct protocol_document_state *out)
{
    const uint32_t count = body->desc.particle_count, pins = body->desc.pin_count;
    double *turned = body->turned ? document_fill_alloc(filler, 12 * (size_t)count, sizeof *turned) : NULL;
    double *clamps = doubles_of(filler, body->pin_clamps, 8 * (size_t)pins);
    double *held = doubles_of(filler, body->pin_held, 4 * (size_t)pins);
    for (uint32_t i = 0; turned && i < count; i++) {
        document_fill_turned(&body->turned[i], turned + 12 * (size_t)i);
    }
    out->turned = (struct protocol_array){PROTOCOL_ARRAY_F64, 12 * count, turned};
    out->pin_clamps = (struct protocol_array){PROTOCOL_ARRAY_F64, 8 * pins, clamps};
    out->pin_clamp_places = (struct protocol_array){PROTOCOL_ARRAY_F64, 4 * pins, held};
    out->has |= (turned ? PROTOCOL_HAS_DOCUMENT_STATE_TURNED : 0) |
                (clamps ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMPS : 0) |
                (held ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMP_PLACES : 0);
    return (turned || !body->turned) && (clamps || !body->pin_clamps) && (held || !body->pin_held);
}

static bool fill_state(const struct document_filler *filler, const struct sim_image_body *body,
                       struct protocol_document_state *out)
{
    uint32_t count = body->desc.particle_count;
    bool lost;
    out->has = PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS | PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES |
               PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES;
    out->velocities = f32s_of(body->velocities, 3 * count);
    out->inverse_masses = f32s_of(body->inverse_masses, count);
    if (!document_fill_metres(filler, body->positions, 3 * count, &out->positions, &out->remainders, &lost)) {
        return false;
    }
    out->has |= lost ? PROTOCOL_HAS_DOCUMENT_STATE_REMAINDERS : 0;
    if (body->targets) {
        if (!document_fill_metres(filler, body->targets, 3 * body->desc.pin_count, &out->targets,
                                  &out->target_remainders, &lost)) {
            return false;
        }
        out->has |=
            PROTOCOL_HAS_DOCUMENT_STATE_TARGETS | (lost ? PROTOCOL_HAS_DOCUMENT_STATE_TARGET_REMAINDERS : 0);
    }
    if (body->pin_colliders) {
        out->pin_colliders = u32s_of(body->pin_colliders, body->desc.pin_count);
        out->pin_places = f64s_of(body->pin_places, 3 * body->desc.pin_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_STATE_PIN_COLLIDERS | PROTOCOL_HAS_DOCUMENT_STATE_PIN_PLACES;
    }
    fill_softness(body, out);
    if (body->force_count > 0) {
        out->forced = u32s_of(body->force_particles, body->force_count);
        out->forces = f64s_of(body->forces, 3 * body->force_count);
        out->forces_ticks = u32s_of(body->force_ticks, body->force_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_STATE_FORCED | PROTOCOL_HAS_DOCUMENT_STATE_FORCES |
                    PROTOCOL_HAS_DOCUMENT_STATE_FORCES_TICKS;
    }
    return fill_turns(filler, body, out) && fill_sleep(filler, body, out);
}

// Only what is another than where nothing is said: a body that meets none is written as before there was contact.
static uint64_t says_of_meeting(const struct sim_meeting *meeting)
{
    return (meeting->self ? PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT : 0) |
           (meeting->group != 0 ? PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_GROUP : 0) |
           (meeting->mask != 0 ? PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_MASK : 0) |
           (meeting->friction != SIM_FRICTION_DEFAULT ? PROTOCOL_HAS_DOCUMENT_BODY_FRICTION : 0) |
           (meeting->kinetic ? PROTOCOL_HAS_DOCUMENT_BODY_FRICTION_KINETIC : 0) |
           (meeting->restitution > 0 ? PROTOCOL_HAS_DOCUMENT_BODY_RESTITUTION : 0) |
           (meeting->surface[0] != '\0' ? PROTOCOL_HAS_DOCUMENT_BODY_SURFACE : 0);
}

// How the pieces of a rigid body start.
static bool fill_starts(const struct document_filler *filler, const struct sim_body_desc *desc,
                        struct protocol_document_body *out)
{
    const uint32_t count = desc->particle_count;
    double *rotations = document_fill_alloc(filler, count, 4 * sizeof *rotations);
    float *spins = document_fill_alloc(filler, count, 3 * sizeof *spins);
    for (uint32_t i = 0; rotations && spins && i < count; i++) {
        for (int k = 0; k < 4; k++) {
            rotations[4 * (size_t)i + (size_t)k] = desc->turned[i].q[k] * 0x1p-30;
        }
        memcpy(spins + 3 * (size_t)i, desc->turned[i].spin, sizeof desc->turned[i].spin);
    }
    out->rotations = f64s_of(rotations, 4 * count);
    out->angular_velocities = f32s_of(spins, 3 * count);
    return rotations && spins;
}

static bool fill_torn(const struct document_filler *filler, const struct sim_body_desc *desc,
                      struct protocol_torn *out)
{
    const struct sim_tears *tears = desc->torn;
    double *since = document_fill_alloc(filler, tears->used, sizeof *since);
    for (uint32_t i = 0; since && i < tears->used; i++) {
        since[i] = (double)tears->since[i];
    }
    *out = (struct protocol_torn){
        .has = PROTOCOL_HAS_ALL,
        .own = tears->own,
        .origins = {PROTOCOL_ARRAY_U32, tears->used, tears->origins},
        .since = {PROTOCOL_ARRAY_F64, tears->used, since},
        .triangles = {PROTOCOL_ARRAY_U32, 3 * desc->triangle_count, tears->triangles},
        .cuts = {PROTOCOL_ARRAY_U32, tears->cut_count, tears->cuts},
    };
    return since != NULL;
}

bool document_fill_body(const struct document_filler *filler, const struct sim_image_body *body,
                        struct protocol_document_body *out)
{
    const struct sim_body_desc *desc = &body->desc;
    const struct sim_body_info info = {.bend_model = desc->bend_model,
                                       .bend = desc->bend,
                                       .stretch_model = desc->stretch_model,
                                       .yarns = desc->yarns,
                                       .uvs = desc->uvs,
                                       .stretch = desc->stretch,
                                       .rod = desc->rod};
    *out = (struct protocol_document_body){
        .has = PROTOCOL_HAS_DOCUMENT_BODY_BODY | PROTOCOL_HAS_DOCUMENT_BODY_STATE |
               (desc->pin_count > 0 ? PROTOCOL_HAS_DOCUMENT_BODY_PINS : 0) |
               (body->first_constraint > 0 ? PROTOCOL_HAS_DOCUMENT_BODY_FIRST_CONSTRAINT : 0),
        .body = body->body,
        .name = document_thing_name(document_things_by_id(filler->bodies, body->body)),
        .kind = (int)desc->kind,
        .positions = f64s_of(desc->positions, 3 * desc->particle_count),
        .thickness = desc->thickness,
        .self_contact = desc->meeting.self,
        .contact_group = desc->meeting.group,
        .contact_mask = desc->meeting.mask,
        .friction = desc->meeting.friction,
        .friction_kinetic = desc->meeting.friction_kinetic,
        .restitution = desc->meeting.restitution,
        .surface = document_surface_told(desc->meeting.surface),
        .pins = u32s_of(desc->pins, desc->pin_count),
        .first_constraint = body->first_constraint,
    };
    if (desc->velocities) {
        out->velocities = f32s_of(desc->velocities, 3 * desc->particle_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_VELOCITIES;
    }
    out->sleep = !desc->restless;
    out->has |= says_of_meeting(&desc->meeting) | (desc->restless ? PROTOCOL_HAS_DOCUMENT_BODY_SLEEP : 0);
    if (desc->pressure.model != SIM_PRESSURE_NONE) {
        document_pressure_fill(&desc->pressure, &out->pressure);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_PRESSURE;
    }
    out->has |= document_pull_has(
        document_pull_fill(&desc->gravity, &desc->force, out->gravity, out->force, &out->force_ticks),
        PROTOCOL_HAS_DOCUMENT_BODY_GRAVITY, PROTOCOL_HAS_DOCUMENT_BODY_FORCE,
        PROTOCOL_HAS_DOCUMENT_BODY_FORCE_TICKS);
    if (document_own_wind_fill(&desc->wind, &out->wind)) {
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_WIND;
    }
    if (desc->matching.model != SIM_MATCH_NONE) {
        document_shape_fill(&desc->matching, desc->particle_count, &out->shape);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_SHAPE;
    }
    if (document_tear_fill(&desc->tear, &out->tear)) {
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_TEAR | PROTOCOL_HAS_DOCUMENT_BODY_TORN;
        if (!fill_torn(filler, desc, &out->torn)) {
            return false;
        }
    }
    document_stretch_fill(&info, &out->stretch);
    if (desc->kind == SIM_CLOTH) {
        document_bend_fill(&info, &out->bend);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_BEND;
    }
    if (document_solid_fill(desc->solid_model, &desc->solid, &out->solid)) {
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_SOLID;
    } else if (desc->kind == SIM_SOFT) {
        document_material_fill(&desc->volume, &out->volume);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_VOLUME;
    }
    if (document_rod_fill(desc->rod, &out->rod)) {
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_ROD;
    }
    if (desc->rigid) {
        struct protocol_rigid_part *parts =
            document_fill_alloc(filler, desc->rigid->part_count, sizeof *parts);
        if (!document_rigid_fill(desc->rigid, parts, &out->rigid)) {
            return false;
        }
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_RIGID | PROTOCOL_HAS_DOCUMENT_BODY_ROTATIONS |
                    PROTOCOL_HAS_DOCUMENT_BODY_ANGULAR_VELOCITIES;
        if (!fill_starts(filler, desc, out)) {
            return false;
        }
    }
    const struct document_skin *skin = document_things_by_id(filler->bodies, body->body)->skin;
    if (skin) {
        document_skin_fill(skin, &out->skin);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_SKIN;
    }
    const struct document_look *look = document_things_by_id(filler->bodies, body->body)->look;
    if (look) {
        document_look_fill(look, &out->look);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_LOOK;
    }
    fill_elements(desc, out);
    fill_history(body, out);
    return fill_state(filler, body, &out->state);
}

// ---------------------------------------------------------------------------------------------------------
// Colliders, loose constraints, motions

// To the last bit: the hash tells zeros of different signs apart.
static bool same_bits(const double a[4], const double b[4])
{
    uint64_t of_a[4], of_b[4];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    return memcmp(of_a, of_b, sizeof of_a) == 0;
}

void document_fill_collider(const struct document_filler *filler, const struct sim_image_collider *collider,
                            struct protocol_document_collider *out)
{
    const struct sim_collider *shape = &collider->collider;
    bool lost;
    *out = (struct protocol_document_collider){
        .has = PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER | PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION,
        .collider = shape->id,
        .name = document_thing_name(document_things_by_id(filler->colliders, shape->id)),
        .kind = (int)shape->kind,
        .radius = shape->radius,
        .length = shape->length,
        .friction = shape->friction,
        .friction_kinetic = shape->friction_kinetic,
        .restitution = shape->restitution,
        .surface = document_surface_told(shape->surface),
    };
    out->has |= shape->kinetic ? PROTOCOL_HAS_DOCUMENT_COLLIDER_FRICTION_KINETIC : 0;
    out->has |= shape->restitution > 0 ? PROTOCOL_HAS_DOCUMENT_COLLIDER_RESTITUTION : 0;
    out->has |= shape->surface[0] != '\0' ? PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE : 0;
    out->has |= shape->points ? PROTOCOL_HAS_DOCUMENT_COLLIDER_POINTS : 0;
    out->points = f64s_of(shape->points, 3 * shape->point_count);
    if (shape->heights) {
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_HEIGHTS | PROTOCOL_HAS_DOCUMENT_COLLIDER_COLUMNS |
                    PROTOCOL_HAS_DOCUMENT_COLLIDER_SPACING;
        out->heights = f64s_of(shape->heights, shape->height_count);
        out->columns = shape->columns;
        out->spacing = shape->spacing;
    }
    out->has |= sim_collider_runs(shape) ? PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_VELOCITY |
                                               PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_SPIN
                                         : 0;
    memcpy(out->surface_velocity, shape->surface_velocity, sizeof out->surface_velocity);
    memcpy(out->surface_spin, shape->surface_spin, sizeof out->surface_spin);
    memcpy(out->rotation, shape->rotation, sizeof out->rotation);
    memcpy(out->half_extents, shape->half_extents, sizeof out->half_extents);
    fill_place(filler, collider->position, out->position, out->remainder, &lost);
    out->has |= lost ? PROTOCOL_HAS_DOCUMENT_COLLIDER_REMAINDER : 0;
    if (memcmp(collider->position, collider->from_position, sizeof collider->position) != 0) {
        fill_place(filler, collider->from_position, out->from_position, out->from_remainder, &lost);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION |
                    (lost ? PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_REMAINDER : 0);
    }
    if (collider->unturned) {
        memcpy(out->unturned, collider->stands, sizeof out->unturned);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED;
    }
    if (!same_bits(collider->stands, collider->from_rotation)) {
        memcpy(out->from_rotation, collider->from_rotation, sizeof out->from_rotation);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION;
    }
}

void document_fill_constraints(const struct sim_image_constraints *batch,
                               struct protocol_document_constraints *out)
{
    const uint32_t corners = batch->count * sim_stencil_size(batch->kind);
    *out = (struct protocol_document_constraints){
        .has = PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_TYPE | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES |
               PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_PARTICLES | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE |
               PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS |
               PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS |
               (batch->values.rest ? PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST : 0) |
               (batch->shapes ? PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES : 0) |
               (batch->values.ratio
                    ? PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_RATIO | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FRICTION |
                          PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDE
                    : 0),
        .type = (int)batch->kind,
        .bodies = u32s_of(batch->bodies, corners),
        .particles = u32s_of(batch->particles, corners),
        .rest = f64s_of(batch->values.rest, batch->count),
        .compliance = f64s_of(batch->values.compliance, batch->count),
        .damping = f64s_of(batch->values.damping, batch->count),
        .stiffness = f64s_of(batch->values.stiffness, batch->count),
        .constraints = u32s_of(batch->ids, batch->count),
        .colors = u32s_of(batch->colors, batch->count),
        .shapes = f32s_of(batch->shapes, sim_shape_size(batch->kind) * batch->count),
        .ratio = f64s_of(batch->values.ratio, batch->values.ratio ? batch->count : 0),
        .friction = f64s_of(batch->values.friction, batch->values.friction ? batch->count : 0),
        .side = f64s_of(batch->values.side, batch->values.side ? batch->count : 0),
    };
}

void document_fill_motion(const struct sim_motion *motion, struct protocol_document_motion *out)
{
    *out = (struct protocol_document_motion){
        .has = PROTOCOL_HAS_DOCUMENT_MOTION_MOTION |
               (motion->rotations ? PROTOCOL_HAS_DOCUMENT_MOTION_ROTATIONS : 0) |
               (motion->arms ? PROTOCOL_HAS_DOCUMENT_MOTION_ARMS : 0) |
               (motion->poses ? PROTOCOL_HAS_DOCUMENT_MOTION_POSES : 0) |
               (motion->collider > 0
                    ? PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER
                    : PROTOCOL_HAS_DOCUMENT_MOTION_BODY | PROTOCOL_HAS_DOCUMENT_MOTION_PARTICLES),
        .motion = motion->id,
        .collider = {.id = motion->collider},
        .body = {.id = motion->body},
        .particles = u32s_of(motion->particles, motion->particle_count),
        .times = f64s_of(motion->times, motion->key_count),
        .offsets = f64s_of(motion->offsets, 3 * motion->key_count),
        .loop = motion->loop,
        .age = motion->age,
        .rotations = f64s_of(motion->rotations, motion->rotations ? 4 * motion->key_count : 0),
        .interpolation = motion->cubic ? PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_CUBIC
                                       : PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_LINEAR,
        .arms = f64s_of(motion->arms, motion->arms ? 3 * motion->particle_count : 0),
        .poses = f32s_of(motion->poses, motion->poses ? 3 * motion->particle_count * motion->key_count : 0),
    };
}

// ---------------------------------------------------------------------------------------------------------
// All that an image has of them

bool document_fill_bodies(const struct document_filler *filler, const struct sim_image *image,
                          struct protocol_list *out)
{
    const uint32_t count = image->body_count;
    struct protocol_document_body *items = document_fill_alloc(filler, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        if (!document_fill_body(filler, &image->bodies[i], &items[i])) {
            return false;
        }
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

bool document_fill_all_constraints(const struct document_filler *filler, const struct sim_image *image,
                                   struct protocol_list *out)
{
    const uint32_t count = image->batch_count;
    struct protocol_document_constraints *items = document_fill_alloc(filler, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        document_fill_constraints(&image->batches[i], &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}
