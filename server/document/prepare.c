// body.add, the part that needs no document: what the parameters mean, and the plan of the body. Bodies of a document
// are described with the same fields, and read here as well.
#include "document/parts.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------
// Parameters, one after another

static bool take_positions(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                           struct document_body_arrays *arrays, const struct document_reader *reader)
{
    uint32_t count = params->positions.count / 3;
    if (count == 0) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "positions",
                                      "empty; must hold at least one particle");
    }
    if (params->positions.count % 3 != 0) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "positions",
                                      "length %u is no multiple of 3", params->positions.count);
    }
    if (count > PROTOCOL_LIMIT_PARTICLES) {
        document_reader_refuse(reader, PROTOCOL_CODE_LIMIT, "positions",
                               "%u particles; a world takes at most %u (limit particles)", count,
                               (uint32_t)PROTOCOL_LIMIT_PARTICLES);
        reader->error->limit = (double)PROTOCOL_LIMIT_PARTICLES;
        return false;
    }
    if (!document_reader_f64s(reader, "positions", &params->positions, 3 * count, NULL, &arrays->positions)) {
        return false;
    }
    desc->particle_count = count;
    desc->positions = arrays->positions;
    return true;
}

static bool take_velocities(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                            struct document_body_arrays *arrays, const struct document_reader *reader)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_VELOCITIES)) {
        return true;
    }
    uint32_t count = params->velocities.count;
    if (count != params->positions.count) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "velocities",
                                      "length %u; must be %u, that of positions", count,
                                      params->positions.count);
    }
    if (!document_reader_f32s(reader, "velocities", &params->velocities, count, NULL, &arrays->velocities)) {
        return false;
    }
    desc->velocities = arrays->velocities;
    return true;
}

static bool take_triangles(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                           struct document_body_arrays *arrays, const struct document_reader *reader)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_CLOTH) {
        return !given || document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "triangles",
                                                "must be absent; they are for kind cloth");
    }
    if ((!given || params->triangles.count < 3) && !desc->may_be_empty) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "triangles",
                                      "missing; kind cloth needs three particle indices each");
    }
    if (params->triangles.count % 3 != 0) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "triangles",
                                      "length %u is no multiple of 3", params->triangles.count);
    }
    if (!document_reader_u32s(reader, "triangles", &params->triangles, &arrays->triangles)) {
        return false;
    }
    desc->triangles = arrays->triangles;
    desc->triangle_count = params->triangles.count / 3;
    return true;
}

static bool take_edges(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                       struct document_body_arrays *arrays, const struct document_reader *reader)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_EDGES;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_ROPE) {
        return !given || document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "edges",
                                                "must be absent; they are for kind rope");
    }
    if (given) {
        if ((params->edges.count < 2 && !desc->may_be_empty) || params->edges.count % 2 != 0) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "edges",
                                          "length %u; must be a positive multiple of 2", params->edges.count);
        }
        if (!document_reader_u32s(reader, "edges", &params->edges, &arrays->edges)) {
            return false;
        }
        desc->edge_count = params->edges.count / 2;
    } else {
        // No edges given: the particles one after another.
        if (desc->particle_count < 2) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "positions",
                                          "one particle; a rope needs at least two");
        }
        desc->edge_count = desc->particle_count - 1;
        uint32_t *edges = document_reader_alloc(reader, desc->edge_count, 2 * sizeof *edges);
        if (!edges) {
            return false;
        }
        for (uint32_t e = 0; e < desc->edge_count; e++) {
            edges[2 * (size_t)e] = e;
            edges[2 * (size_t)e + 1] = e + 1;
        }
        arrays->edges = edges;
    }
    desc->edges = arrays->edges;
    return true;
}

static bool take_tets(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                      struct document_body_arrays *arrays, const struct document_reader *reader)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TETS;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT) {
        return !given || document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "tets",
                                                "must be absent; they are for kind soft");
    }
    if ((!given || params->tets.count < 4) && !desc->may_be_empty) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "tets",
                                      "missing; kind soft needs four particle indices each");
    }
    if (params->tets.count % 4 != 0) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "tets", "length %u is no multiple of 4",
                                      params->tets.count);
    }
    if (!document_reader_u32s(reader, "tets", &params->tets, &arrays->tets)) {
        return false;
    }
    desc->tets = arrays->tets;
    desc->tet_count = params->tets.count / 4;
    return true;
}

static bool take_masses(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                        struct document_body_arrays *arrays, const struct document_reader *reader)
{
    bool density = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY;
    desc->density = density ? params->density : 0;
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES)) {
        return true;
    }
    if (density) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "masses",
                                      "must be absent where density is given");
    }
    if (!document_reader_f64s(reader, "masses", &params->masses, desc->particle_count,
                              "one for each particle", &arrays->masses)) {
        return false;
    }
    desc->masses = arrays->masses;
    return true;
}

static bool material_of(const struct protocol_material *given, const char *stiffness_field,
                        struct sim_material *material, const struct document_reader *reader)
{
    bool stiffness = given->has & PROTOCOL_HAS_MATERIAL_STIFFNESS;
    // A compliance of 0 is the default said aloud, as world.edited does.
    if (stiffness && given->compliance > 0) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, stiffness_field,
                                      "must be absent where compliance is above 0");
    }
    *material = (struct sim_material){
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = stiffness ? given->stiffness : -1,
    };
    return true;
}

// A solid has neither edges nor volumes. Records spell defaults out, and a default does not count as a value.
static bool take_solid(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                       const struct document_reader *reader)
{
    const struct protocol_stretch_material *stretch = &params->stretch;
    const char *said = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME ? "volume" : NULL;
    if (stretch->compliance > 0 || stretch->damping > 0 ||
        (stretch->has & (PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS | PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT))) {
        said = "stretch";
    }
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "solid",
                                      "must be absent; it is for kind soft");
    }
    if (said) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, said,
                                      "must be absent where solid is given; a solid has neither edges nor "
                                      "volumes as constraints");
    }
    desc->solid_model = SIM_SOLID_NEO_HOOKEAN;
    return document_solid_take(&params->solid, &desc->solid, reader);
}

static bool take_material(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                          const struct document_reader *reader)
{
    static const enum sim_bend models[] = {
        [PROTOCOL_BEND_MATERIAL_MODEL_NONE] = SIM_BEND_NONE,
        [PROTOCOL_BEND_MATERIAL_MODEL_DIHEDRAL] = SIM_BEND_DIHEDRAL,
        [PROTOCOL_BEND_MATERIAL_MODEL_ISOMETRIC] = SIM_BEND_ISOMETRIC,
        [PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC] = SIM_BEND_QUADRATIC,
    };
    const struct protocol_bend_material *bend = &params->bend;
    const struct protocol_material stretch = document_stretch_material(&params->stretch);
    // The fields that a bend material has more than any other come first.
    const struct protocol_material bend_material = {
        .has = (bend->has & PROTOCOL_HAS_BEND_MATERIAL_COMPLIANCE ? PROTOCOL_HAS_MATERIAL_COMPLIANCE : 0) |
               (bend->has & PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS ? PROTOCOL_HAS_MATERIAL_STIFFNESS : 0),
        .compliance = bend->compliance,
        .damping = bend->damping,
        .stiffness = bend->stiffness,
    };
    bool bends = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_BEND;
    if (bends && params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_CLOTH) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "bend",
                                      "must be absent; it is for kind cloth");
    }
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME) &&
        params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "volume",
                                      "must be absent; it is for kind soft");
    }
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SOLID) && !take_solid(params, desc, reader)) {
        return false;
    }
    desc->bend_model = !bends                                         ? SIM_BEND_NONE
                       : bend->has & PROTOCOL_HAS_BEND_MATERIAL_MODEL ? models[bend->model]
                                                                      : SIM_BEND_DEFAULT;
    desc->thickness = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_THICKNESS ? params->thickness : (double)NAN;
    desc->meeting = (struct sim_meeting){.friction = SIM_FRICTION_DEFAULT};
    document_meeting_merge(
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SELF_CONTACT ? &params->self_contact : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_GROUP ? &params->contact_group : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_MASK ? &params->contact_mask : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION ? &params->friction : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION_KINETIC ? &params->friction_kinetic : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_RESTITUTION ? &params->restitution : NULL,
        params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SURFACE ? &params->surface : NULL, &desc->meeting);
    desc->restless = (params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SLEEP) && !params->sleep;
    desc->weld = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_WELD ? &params->weld : NULL;
    desc->gravity = (struct sim_own_gravity){.own = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_GRAVITY};
    desc->wind = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_WIND ? document_own_wind(&params->wind)
                                                                 : (struct sim_own_wind){0};
    desc->force = (struct sim_body_force){0};
    if (desc->gravity.own) {
        memcpy(desc->gravity.value, params->gravity, sizeof desc->gravity.value);
    }
    if (params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_FORCE) {
        memcpy(desc->force.value, params->force, sizeof desc->force.value);
    }
    desc->pressure = (struct sim_pressure){0};
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_PRESSURE) &&
        !document_pressure_merge(reader, &params->pressure, &desc->pressure)) {
        return false;
    }
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TEAR) &&
        !document_tear_merge(reader, &params->tear, true, &desc->tear)) {
        return false;
    }
    if (!material_of(&stretch, "stretch.stiffness", &desc->stretch, reader) ||
        !material_of(&bend_material, "bend.stiffness", &desc->bend, reader) ||
        !material_of(&params->volume, "volume.stiffness", &desc->volume, reader)) {
        return false;
    }
    desc->stretch.limit =
        params->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT ? params->stretch.limit : 0;
    document_plastic_take(&params->bend, &desc->bend.plastic);
    desc->stretch_model =
        document_is_fabric(&params->stretch) ? SIM_STRETCH_ORTHOTROPIC : SIM_STRETCH_DISTANCE;
    return document_fabric_take(&params->stretch, &desc->yarns, &desc->stretch, reader) &&
           document_rigidity_take(&params->bend, &desc->bend, reader);
}

static bool take_uvs(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                     struct document_body_arrays *arrays, const struct document_reader *reader)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_YARN_UVS)) {
        return true;
    }
    if (desc->kind != SIM_CLOTH || desc->stretch_model != SIM_STRETCH_ORTHOTROPIC) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "yarn_uvs",
                                      "must be absent; they say where the warp of a cloth with stretch.model "
                                      "orthotropic runs");
    }
    if (params->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION) {
        return document_reader_refuse(
            reader, PROTOCOL_CODE_INVALID, "stretch.direction",
            "must be absent where yarn_uvs are given; either says where the warp runs");
    }
    if (!document_reader_f32s(reader, "yarn_uvs", &params->yarn_uvs, 6 * desc->triangle_count,
                              "six for each triangle", &arrays->uvs)) {
        return false;
    }
    desc->uvs = arrays->uvs;
    return true;
}

static bool take_pins(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                      struct document_body_arrays *arrays, const struct document_reader *reader)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_PINS)) {
        return true;
    }
    if (!document_reader_u32s(reader, "pins", &params->pins, &arrays->pins)) {
        return false;
    }
    desc->pins = arrays->pins;
    desc->pin_count = params->pins.count;
    return true;
}

static bool take_shape(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                       struct document_body_arrays *arrays, const struct document_reader *reader)
{
    desc->matching = (struct sim_matching){0};
    const bool taken =
        !(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SHAPE) ||
        document_shape_merge(reader, &params->shape, params->positions.count / 3, &desc->matching);
    arrays->shape = desc->matching.places;
    return taken;
}

// Most bodies have none, so document/rigid.c can be loaded later.
static bool speaks_of_pieces(const struct protocol_body_add_params *params)
{
    const uint64_t own = PROTOCOL_HAS_BODY_ADD_PARAMS_RIGID | PROTOCOL_HAS_BODY_ADD_PARAMS_ROTATIONS |
                         PROTOCOL_HAS_BODY_ADD_PARAMS_ANGULAR_VELOCITIES;
    return params->kind == PROTOCOL_BODY_ADD_PARAMS_KIND_RIGID || (params->has & own) != 0;
}

static bool take_rod(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                     struct document_body_arrays *arrays, const struct document_reader *reader)
{
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_ROD) &&
        !document_rod_take(params, &arrays->rod, reader)) {
        return false;
    }
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_CLAMPS) &&
        !document_reader_u32s(reader, "clamps", &params->clamps, &arrays->clamps)) {
        return false;
    }
    desc->rod = arrays->rod;
    desc->clamps = arrays->clamps;
    desc->clamp_count = arrays->clamps ? params->clamps.count : 0;
    return true;
}

// ---------------------------------------------------------------------------------------------------------

void document_body_arrays_deinit(struct document_body_arrays *arrays)
{
    free((void *)arrays->positions);
    free((void *)arrays->masses);
    free((void *)arrays->shape);
    free((void *)arrays->velocities);
    free((void *)arrays->uvs);
    free((void *)arrays->triangles);
    free((void *)arrays->edges);
    free((void *)arrays->tets);
    free((void *)arrays->pins);
    free((void *)arrays->clamps);
    free(arrays->rod);
    free(arrays->rigid);
    free((void *)arrays->hull);
    for (uint32_t i = 0; i < arrays->part_count; i++) {
        free((void *)arrays->parts[i].shape.points);
    }
    free(arrays->parts);
    free((void *)arrays->rotations);
    free((void *)arrays->spins);
    free(arrays->turned);
    *arrays = (struct document_body_arrays){0};
}

bool document_body_desc(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                        struct document_body_arrays *arrays, struct protocol_error *error)
{
    const struct document_reader reader = {.error = error, .subject = "the body"};
    desc->kind = (enum sim_body_kind)params->kind;
    return take_positions(params, desc, arrays, &reader) && take_velocities(params, desc, arrays, &reader) &&
           take_triangles(params, desc, arrays, &reader) && take_edges(params, desc, arrays, &reader) &&
           take_tets(params, desc, arrays, &reader) && take_masses(params, desc, arrays, &reader) &&
           take_material(params, desc, &reader) && take_shape(params, desc, arrays, &reader) &&
           take_uvs(params, desc, arrays, &reader) && take_pins(params, desc, arrays, &reader) &&
           take_rod(params, desc, arrays, &reader) &&
           (!speaks_of_pieces(params) || document_rigid_take(params, desc, arrays, &reader));
}

// Whether the triangles of the plan are those that were given, one for one.
bool document_plan_keeps_triangles(const struct sim_body_plan *plan)
{
    const struct sim_warning *warnings = NULL;
    const uint32_t count = sim_body_plan_warnings(plan, &warnings);
    bool all = true;
    for (uint32_t w = 0; w < count; w++) {
        all = all && warnings[w].code != SIM_DUPLICATE && warnings[w].code != SIM_COLLAPSED;
    }
    return all;
}

static bool take_skin(const struct protocol_body_add_params *params, struct document_body_plan *body,
                      struct protocol_error *error)
{
    uint32_t welded_count = 0;
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SKIN)) {
        return true;
    }
    if (params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TEAR) {
        protocol_error_set(
            error, PROTOCOL_CODE_INVALID, "skin",
            "skin: must be absent; the surface that goes along with a body does not tear with it");
        return false;
    }
    const uint32_t *welded = sim_body_plan_welded(body->plan, &welded_count);
    body->skin = document_skin_create(&params->skin, params->positions.count / 3, welded, error);
    return body->skin != NULL;
}

// A look is of the skin's triangles, or of a cloth's.
static bool take_look(const struct protocol_body_add_params *params, struct document_body_plan *body,
                      struct protocol_error *error)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_LOOK)) {
        return true;
    }
    if (!body->skin && params->kind != (int)SIM_CLOTH) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look",
                           "look: only a cloth, or a body with a skin, has triangles that it could be of");
    } else if (!body->skin && !document_plan_keeps_triangles(body->plan)) {
        protocol_error_set(
            error, PROTOCOL_CODE_INVALID, "look",
            "look: some triangles collapse or stand there twice and are left out; must be given "
            "without them");
    } else {
        body->look = document_look_create(
            &params->look, body->skin ? body->skin->triangle_count : params->triangles.count / 3, error);
    }
    return body->look != NULL;
}

static bool plan_body(const struct protocol_body_add_params *params,
                      const struct document_constants *constants, struct document_body_plan *body,
                      struct protocol_error *error)
{
    struct sim_body_desc desc = {0};
    struct document_body_arrays arrays = {0};
    struct fault fault = {0};
    bool described = document_body_desc(params, &desc, &arrays, error);
    if (described) {
        body->plan = sim_body_prepare(&desc, constants->resolution, constants->extent_at_start,
                                      &document_limits, &fault);
    }
    if (described && !body->plan) {
        protocol_error_fault(error, &fault);
    }
    document_body_arrays_deinit(&arrays);
    return body->plan != NULL;
}

bool document_body_prepare(const struct protocol_body_add_params *params,
                           const struct document_constants *constants, struct document_body_plan *body,
                           struct protocol_error *error)
{
    struct protocol_body_add_params filled = *params;
    return (!(filled.has & PROTOCOL_HAS_BODY_ADD_PARAMS_MATERIAL) || document_named_take(&filled, error)) &&
           plan_body(&filled, constants, body, error) && take_skin(params, body, error) &&
           take_look(params, body, error);
}
