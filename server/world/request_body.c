// body.add, the part that needs no world: what the parameters mean, and the plan of the body. Bodies of a document
// are described with the same fields, and read here as well.
#include "world/world_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct sim_limits world_limits = {
    .bodies = PROTOCOL_LIMIT_BODIES,
    .particles = PROTOCOL_LIMIT_PARTICLES,
    .constraints = PROTOCOL_LIMIT_CONSTRAINTS,
    .colliders = PROTOCOL_LIMIT_COLLIDERS,
    .grabs = PROTOCOL_LIMIT_GRABS,
    .work = PROTOCOL_LIMIT_TICK_WORK,
};
_Static_assert((int)PROTOCOL_LIMIT_MOTIONS == (int)SIM_MOTIONS_MAX &&
                   (int)PROTOCOL_LIMIT_MOTION_KEYS == (int)SIM_MOTION_KEYS_MAX,
               "motions have the same limits on the wire and in the sim");

static bool refuse(struct protocol_error *error, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct protocol_error *error, const char *field, const char *format, ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s", text);
    return false;
}

static bool refuse_memory(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the body; nothing changed");
    return false;
}

static bool u32s(const struct protocol_array *array, const char *field, uint32_t **out,
                 struct protocol_error *error)
{
    uint32_t bad = 0;
    *out = malloc(((size_t)array->count + 1) * sizeof **out);
    if (!*out) {
        return refuse_memory(error);
    }
    if (!protocol_array_copy_u32(array, *out, &bad)) {
        return refuse(error, field, "%s: element %u must be an integer from 0 to 4294967295", field, bad);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Parameters, one after another

static bool take_positions(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                           struct world_body_arrays *arrays, struct protocol_error *error)
{
    uint32_t count = params->positions.count / 3;
    if (count == 0) {
        return refuse(error, "positions", "positions: empty; must hold at least one particle");
    }
    if (params->positions.count % 3 != 0) {
        return refuse(error, "positions", "positions: length %u is no multiple of 3",
                      params->positions.count);
    }
    if (count > PROTOCOL_LIMIT_PARTICLES) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, "positions",
                           "positions: %u particles; a world takes at most %u (limit particles)", count,
                           (uint32_t)PROTOCOL_LIMIT_PARTICLES);
        error->limit = (double)PROTOCOL_LIMIT_PARTICLES;
        return false;
    }
    arrays->positions = malloc((size_t)count * 3 * sizeof *arrays->positions);
    if (!arrays->positions) {
        return refuse_memory(error);
    }
    protocol_array_copy_f64(&params->positions, arrays->positions);
    desc->particle_count = count;
    desc->positions = arrays->positions;
    return true;
}

static bool take_velocities(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                            struct world_body_arrays *arrays, struct protocol_error *error)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_VELOCITIES)) {
        return true;
    }
    uint32_t count = params->velocities.count;
    if (count != params->positions.count) {
        return refuse(error, "velocities", "velocities: length %u; must be %u, that of positions", count,
                      params->positions.count);
    }
    arrays->velocities = malloc((size_t)count * sizeof *arrays->velocities);
    if (!arrays->velocities) {
        return refuse_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        double value = protocol_array_f64_at(&params->velocities, i);
        arrays->velocities[i] = (float)value;
        if (!isfinite(arrays->velocities[i])) {
            return refuse(error, "velocities", "velocities: element %u is %g; must fit a 32-bit float", i,
                          value);
        }
    }
    desc->velocities = arrays->velocities;
    return true;
}

static bool take_triangles(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                           struct world_body_arrays *arrays, struct protocol_error *error)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_CLOTH) {
        return !given || refuse(error, "triangles", "triangles: must be absent; they are for kind cloth");
    }
    if ((!given || params->triangles.count < 3) && !desc->may_be_empty) {
        return refuse(error, "triangles", "triangles: missing; kind cloth needs three particle indices each");
    }
    if (params->triangles.count % 3 != 0) {
        return refuse(error, "triangles", "triangles: length %u is no multiple of 3",
                      params->triangles.count);
    }
    if (!u32s(&params->triangles, "triangles", &arrays->triangles, error)) {
        return false;
    }
    desc->triangles = arrays->triangles;
    desc->triangle_count = params->triangles.count / 3;
    return true;
}

static bool take_edges(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                       struct world_body_arrays *arrays, struct protocol_error *error)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_EDGES;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_ROPE) {
        return !given || refuse(error, "edges", "edges: must be absent; they are for kind rope");
    }
    if (given) {
        if ((params->edges.count < 2 && !desc->may_be_empty) || params->edges.count % 2 != 0) {
            return refuse(error, "edges", "edges: length %u; must be a positive multiple of 2",
                          params->edges.count);
        }
        if (!u32s(&params->edges, "edges", &arrays->edges, error)) {
            return false;
        }
        desc->edge_count = params->edges.count / 2;
    } else {
        // No edges given: the particles one after another.
        if (desc->particle_count < 2) {
            return refuse(error, "positions", "positions: one particle; a rope needs at least two");
        }
        desc->edge_count = desc->particle_count - 1;
        arrays->edges = malloc((size_t)desc->edge_count * 2 * sizeof *arrays->edges);
        if (!arrays->edges) {
            return refuse_memory(error);
        }
        for (uint32_t e = 0; e < desc->edge_count; e++) {
            arrays->edges[2 * (size_t)e] = e;
            arrays->edges[2 * (size_t)e + 1] = e + 1;
        }
    }
    desc->edges = arrays->edges;
    return true;
}

static bool take_tets(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                      struct world_body_arrays *arrays, struct protocol_error *error)
{
    bool given = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_TETS;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT) {
        return !given || refuse(error, "tets", "tets: must be absent; they are for kind soft");
    }
    if ((!given || params->tets.count < 4) && !desc->may_be_empty) {
        return refuse(error, "tets", "tets: missing; kind soft needs four particle indices each");
    }
    if (params->tets.count % 4 != 0) {
        return refuse(error, "tets", "tets: length %u is no multiple of 4", params->tets.count);
    }
    if (!u32s(&params->tets, "tets", &arrays->tets, error)) {
        return false;
    }
    desc->tets = arrays->tets;
    desc->tet_count = params->tets.count / 4;
    return true;
}

static bool take_masses(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                        struct world_body_arrays *arrays, struct protocol_error *error)
{
    bool density = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY;
    desc->density = density ? params->density : 0;
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES)) {
        return true;
    }
    if (density) {
        return refuse(error, "masses", "masses: must be absent where density is given");
    }
    bool scalar = protocol_array_is_one(&params->masses);
    if (!scalar && params->masses.count != desc->particle_count) {
        return refuse(error, "masses", "masses: length %u; must be %u, one for each particle",
                      params->masses.count, desc->particle_count);
    }
    arrays->masses = malloc((size_t)desc->particle_count * sizeof *arrays->masses);
    if (!arrays->masses) {
        return refuse_memory(error);
    }
    for (uint32_t i = 0; i < desc->particle_count; i++) {
        arrays->masses[i] = protocol_array_f64_at(&params->masses, scalar ? 0 : i);
    }
    desc->masses = arrays->masses;
    return true;
}

static bool material_of(const struct protocol_material *given, const char *stiffness_field,
                        struct sim_material *material, struct protocol_error *error)
{
    bool stiffness = given->has & PROTOCOL_HAS_MATERIAL_STIFFNESS;
    // A compliance of 0 is the default said aloud, as world.edited does.
    if (stiffness && given->compliance > 0) {
        return refuse(error, stiffness_field, "%s: must be absent where compliance is above 0",
                      stiffness_field);
    }
    *material = (struct sim_material){
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = stiffness ? given->stiffness : -1,
    };
    return true;
}

static bool take_material(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                          struct protocol_error *error)
{
    static const enum sim_bend models[] = {
        [PROTOCOL_BEND_MATERIAL_MODEL_NONE] = SIM_BEND_NONE,
        [PROTOCOL_BEND_MATERIAL_MODEL_DIHEDRAL] = SIM_BEND_DIHEDRAL,
        [PROTOCOL_BEND_MATERIAL_MODEL_ISOMETRIC] = SIM_BEND_ISOMETRIC,
        [PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC] = SIM_BEND_QUADRATIC,
    };
    const struct protocol_bend_material *bend = &params->bend;
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
        return refuse(error, "bend", "bend: must be absent; it is for kind cloth");
    }
    if ((params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME) &&
        params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT) {
        return refuse(error, "volume", "volume: must be absent; it is for kind soft");
    }
    desc->bend_model = !bends                                         ? SIM_BEND_NONE
                       : bend->has & PROTOCOL_HAS_BEND_MATERIAL_MODEL ? models[bend->model]
                                                                      : SIM_BEND_DEFAULT;
    desc->thickness = params->thickness;
    desc->weld = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_WELD ? &params->weld : NULL;
    return material_of(&params->stretch, "stretch.stiffness", &desc->stretch, error) &&
           material_of(&bend_material, "bend.stiffness", &desc->bend, error) &&
           material_of(&params->volume, "volume.stiffness", &desc->volume, error);
}

static bool take_pins(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                      struct world_body_arrays *arrays, struct protocol_error *error)
{
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_PINS)) {
        return true;
    }
    if (!u32s(&params->pins, "pins", &arrays->pins, error)) {
        return false;
    }
    desc->pins = arrays->pins;
    desc->pin_count = params->pins.count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------

void world_body_arrays_deinit(struct world_body_arrays *arrays)
{
    free(arrays->positions);
    free(arrays->masses);
    free(arrays->velocities);
    free(arrays->triangles);
    free(arrays->edges);
    free(arrays->tets);
    free(arrays->pins);
    *arrays = (struct world_body_arrays){0};
}

bool world_body_desc(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                     struct world_body_arrays *arrays, struct protocol_error *error)
{
    desc->kind = (enum sim_body_kind)params->kind;
    return take_positions(params, desc, arrays, error) && take_velocities(params, desc, arrays, error) &&
           take_triangles(params, desc, arrays, error) && take_edges(params, desc, arrays, error) &&
           take_tets(params, desc, arrays, error) && take_masses(params, desc, arrays, error) &&
           take_material(params, desc, error) && take_pins(params, desc, arrays, error);
}

// False with *error if there is a skin that makes no sense; *plan is gone then.
static bool take_skin(const struct protocol_body_add_params *params, struct sim_body_plan **plan,
                      struct world_skin **skin, struct protocol_error *error)
{
    uint32_t welded_count = 0;
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_SKIN)) {
        return true;
    }
    const uint32_t *welded = sim_body_plan_welded(*plan, &welded_count);
    *skin = world_skin_create(&params->skin, params->positions.count / 3, welded, error);
    if (!*skin) {
        sim_body_plan_destroy(*plan);
        *plan = NULL;
    }
    return *skin != NULL;
}

// Whether the triangles of the plan are those that were given, one for one.
static bool keeps_triangles(const struct sim_body_plan *plan)
{
    const struct sim_warning *warnings = NULL;
    const uint32_t count = sim_body_plan_warnings(plan, &warnings);
    bool all = true;
    for (uint32_t w = 0; w < count; w++) {
        all = all && warnings[w].code != SIM_DUPLICATE && warnings[w].code != SIM_COLLAPSED;
    }
    return all;
}

// The same for a look, which is of the skin's triangles, or of a cloth's.
static bool take_look(const struct protocol_body_add_params *params, struct sim_body_plan **plan,
                      const struct world_skin *skin, struct world_look **look, struct protocol_error *error)
{
    if (!*plan || !(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_LOOK)) {
        return *plan != NULL;
    }
    if (!skin && params->kind != (int)SIM_CLOTH) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look",
                           "look: only a cloth, or a body with a skin, has triangles that it could be of");
    } else if (!skin && !keeps_triangles(*plan)) {
        protocol_error_set(
            error, PROTOCOL_CODE_INVALID, "look",
            "look: some triangles collapse or stand there twice and are left out; must be given "
            "without them");
    } else {
        *look = world_look_create(&params->look, skin ? skin->triangle_count : params->triangles.count / 3,
                                  error);
    }
    if (!*look) {
        sim_body_plan_destroy(*plan);
        *plan = NULL;
    }
    return *look != NULL;
}

struct sim_body_plan *world_body_prepare(const struct protocol_body_add_params *params,
                                         const struct world_constants *constants, struct world_skin **skin,
                                         struct world_look **look, struct protocol_error *error)
{
    struct sim_body_desc desc = {0};
    struct world_body_arrays arrays = {0};
    struct sim_body_plan *plan = NULL;
    struct sim_fault fault = {0};
    *skin = NULL;
    *look = NULL;
    if (world_body_desc(params, &desc, &arrays, error)) {
        plan =
            sim_body_prepare(&desc, constants->resolution, constants->extent_at_start, &world_limits, &fault);
        if (!plan) {
            world_error_fault(error, &fault);
        } else {
            take_skin(params, &plan, skin, error);
            take_look(params, &plan, *skin, look, error);
        }
    }
    world_body_arrays_deinit(&arrays);
    return plan;
}
