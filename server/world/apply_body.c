// Bodies: body.add, body.get, body.set, body.remove, body.state.
#include "world/world_internal.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PROTOCOL_BODY_SUMMARY_KIND_CLOTH == (int)SIM_CLOTH &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_ROPE == (int)SIM_ROPE &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_POINTS == (int)SIM_POINTS &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_SOFT == (int)SIM_SOFT,
               "kinds of bodies stand in the same order on the wire and in the sim");

static bool warnings_list(struct world_call *call, const struct sim_body_plan *plan,
                          struct protocol_warning **out)
{
    static const char *const codes[] = {
        [SIM_COINCIDENT] = "COINCIDENT", [SIM_ISOLATED] = "ISOLATED",       [SIM_ZERO_LENGTH] = "ZERO_LENGTH",
        [SIM_ZERO_AREA] = "ZERO_AREA",   [SIM_ZERO_VOLUME] = "ZERO_VOLUME", [SIM_INVERTED] = "INVERTED",
        [SIM_DUPLICATE] = "DUPLICATE",   [SIM_NONMANIFOLD] = "NONMANIFOLD", [SIM_COLLAPSED] = "COLLAPSED",
        [SIM_LIGHT] = "LIGHT",
    };
    const struct sim_warning *warnings = NULL;
    uint32_t count = sim_body_plan_warnings(plan, &warnings);
    // The plan is gone by the time the answer is packed, so the warnings are copied with what they hold.
    struct sim_warning *copies = world_call_alloc(call, count, sizeof *copies);
    struct protocol_warning *items = world_call_alloc(call, (size_t)count + 1, sizeof *items); // one may come
    if (!copies || !items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = warnings[i];
        uint32_t elements =
            copies[i].count < SIM_WARNING_ELEMENTS ? copies[i].count : (uint32_t)SIM_WARNING_ELEMENTS;
        items[i] = (struct protocol_warning){
            .has = WORLD_HAS_ALL,
            .code = world_string(codes[copies[i].code]),
            .text = world_string(copies[i].text),
            .count = copies[i].count,
            .elements = {.type = PROTOCOL_ARRAY_U32, .count = elements, .data = copies[i].elements},
        };
    }
    *out = items;
    return true;
}

// Like the warnings, the mapping of welded vertices has to outlive the plan.
static bool welded_list(struct world_call *call, const struct sim_body_plan *plan,
                        struct protocol_body_add_result *result)
{
    uint32_t count = 0;
    const uint32_t *welded = sim_body_plan_welded(plan, &count);
    if (!welded) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_BODY_ADD_RESULT_WELDED;
        return true;
    }
    uint32_t *copy = world_call_alloc(call, count, sizeof *copy);
    if (copy) {
        memcpy(copy, welded, count * sizeof *copy);
        result->welded = (struct protocol_array){PROTOCOL_ARRAY_U32, count, copy};
    }
    return copy != NULL;
}

void world_apply_body_add(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_body_add_params *params = call->params;
    struct protocol_body_add_result result = {.has = WORLD_HAS_ALL};
    struct sim_body_plan *plan = call->request->prepared;
    BASE_ASSERT(plan);
    const struct sim_warning *of_mesh;
    uint32_t warned = sim_body_plan_warnings(plan, &of_mesh);
    struct protocol_warning *warnings;
    struct world_coarse coarse = {0};
    if (!world_call_name_free(call, &world->bodies, 0, &params->name) ||
        !warnings_list(call, plan, &warnings) || !world_coarse_reserve(call, &coarse) ||
        !welded_list(call, plan, &result) ||
        !world_skin_fits(&world->bodies, call->request->skin, &call->error)) {
        return;
    }
    if (!world_things_reserve(&world->bodies)) {
        world_refuse_memory(call);
        return;
    }
    struct sim_body_added added;
    struct sim_fault fault;
    if (sim_body_attach(world->sim, plan, &added, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    call->request->prepared = NULL;
    struct sim_body_info info;
    bool found = sim_body_info(world->sim, added.body, &info);
    BASE_ASSERT(found);
    result.particles = info.particle_count;
    world_things_add(&world->bodies, added.body, &params->name, result.particles);
    world_things_by_id(&world->bodies, added.body)->skin = call->request->skin;
    call->request->skin = NULL;
    world_things_by_id(&world->bodies, added.body)->look = call->request->look;
    call->request->look = NULL;
    world_ranges_fill(added.constraint_first, added.constraint_count, &result.constraints);
    warned += world_coarse_body(world, added.body, &coarse, &warnings[warned]);
    result.warnings = (struct protocol_list){.items = warnings, .count = warned};
    result.body = added.body;
    result.revision = world_commit(world);
    result.tick = world->tick;
    world_accept(call, &result);
}

void world_apply_body_get(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_body_get_params *params = call->params;
    struct sim_body_info info;
    uint32_t body;
    if (!world_call_body(call, &params->body, &body)) {
        return;
    }
    bool found = sim_body_info(world->sim, body, &info);
    BASE_ASSERT(found);
    double *positions = world_call_alloc(call, info.particle_count, 3 * sizeof *positions);
    double *masses = world_call_alloc(call, info.particle_count, sizeof *masses);
    uint32_t *pins = world_call_alloc(call, info.pin_count, sizeof *pins);
    if (!positions || !masses || !pins) {
        return;
    }
    sim_body_rest_positions(world->sim, body, positions);
    sim_body_masses(world->sim, body, masses);
    sim_body_pins(world->sim, body, pins);
    const struct world_skin *skin = world_things_by_id(&world->bodies, body)->skin;
    struct protocol_body_get_result result = {
        .has = WORLD_HAS_ALL,
        .body = body,
        .name = world_thing_name(world_things_by_id(&world->bodies, body)),
        .kind = (int)info.kind,
        .revision = world->revision,
        .tick = world->tick,
        .particles = info.particle_count,
        .positions = {PROTOCOL_ARRAY_F64, 3 * info.particle_count, positions},
        .triangles = {PROTOCOL_ARRAY_U32, 3 * info.triangle_count, info.triangles},
        .edges = {PROTOCOL_ARRAY_U32, 2 * info.edge_count, info.edges},
        .tets = {PROTOCOL_ARRAY_U32, 4 * info.tet_count, info.tets},
        .masses = {PROTOCOL_ARRAY_F64, info.particle_count, masses},
        .thickness = info.thickness,
        .pins = {PROTOCOL_ARRAY_U32, info.pin_count, pins},
    };
    world_material_fill(&info.stretch, &result.stretch);
    world_bend_fill(&info, &result.bend);
    world_material_fill(&info.volume, &result.volume);
    world_ranges_fill(info.constraint_first, info.constraint_count, &result.constraints);
    if (skin) {
        world_skin_fill(skin, &result.skin);
    } else {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_SKIN;
    }
    const struct world_look *look = world_things_by_id(&world->bodies, body)->look;
    if (look) {
        world_look_fill(look, &result.look);
    } else {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_LOOK;
    }
    world_answer(call, &result);
}

// The material that a partial map makes of the present one.
static bool material_merge(struct world_call *call, const struct protocol_material *given,
                           const char *stiffness_field, struct sim_material *material)
{
    bool compliance = given->has & PROTOCOL_HAS_MATERIAL_COMPLIANCE;
    bool stiffness = given->has & PROTOCOL_HAS_MATERIAL_STIFFNESS;
    if (compliance && stiffness) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, stiffness_field,
                            "%s: must be absent where compliance is given", stiffness_field);
    }
    if (compliance) {
        material->compliance = given->compliance;
        material->stiffness = -1;
    }
    if (stiffness) {
        material->compliance = 0;
        material->stiffness = given->stiffness;
    }
    if (given->has & PROTOCOL_HAS_MATERIAL_DAMPING) {
        material->damping = given->damping;
    }
    return true;
}

static bool bend_merge(struct world_call *call, const struct protocol_bend_material *given,
                       struct sim_body_info *info)
{
    struct protocol_bend_material present;
    world_bend_fill(info, &present);
    if ((given->has & PROTOCOL_HAS_BEND_MATERIAL_MODEL) && given->model != present.model) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "bend.model",
                            "bend.model: cannot change once the body is added; add the body anew");
    }
    const struct protocol_material material = {
        .has = (given->has & PROTOCOL_HAS_BEND_MATERIAL_COMPLIANCE ? PROTOCOL_HAS_MATERIAL_COMPLIANCE : 0) |
               (given->has & PROTOCOL_HAS_BEND_MATERIAL_DAMPING ? PROTOCOL_HAS_MATERIAL_DAMPING : 0) |
               (given->has & PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS ? PROTOCOL_HAS_MATERIAL_STIFFNESS : 0),
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = given->stiffness,
    };
    return material_merge(call, &material, "bend.stiffness", &info->bend);
}

void world_apply_body_set(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_body_set_params *params = call->params;
    uint32_t body;
    if (!world_call_body(call, &params->body, &body)) {
        return;
    }
    bool name = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_NAME;
    bool stretch = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH;
    bool bend = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_BEND;
    bool volume = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME;
    bool thickness = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_THICKNESS;
    struct sim_body_info info;
    bool found = sim_body_info(world->sim, body, &info);
    BASE_ASSERT(found);
    if (bend && info.kind != SIM_CLOTH) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "bend", "bend: must be absent; it is for kind cloth");
        return;
    }
    if (volume && info.kind != SIM_SOFT) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "volume", "volume: must be absent; it is for kind soft");
        return;
    }
    if ((name && !world_call_name_free(call, &world->bodies, body, &params->name)) ||
        (stretch && !material_merge(call, &params->stretch, "stretch.stiffness", &info.stretch)) ||
        (bend && !bend_merge(call, &params->bend, &info)) ||
        (volume && !material_merge(call, &params->volume, "volume.stiffness", &info.volume))) {
        return;
    }
    struct sim_fault fault;
    const struct sim_body_change change = {
        .stretch = stretch ? &info.stretch : NULL,
        .bend = bend ? &info.bend : NULL,
        .volume = volume ? &info.volume : NULL,
        .thickness = thickness ? &params->thickness : NULL,
    };
    if (sim_body_set(world->sim, body, &change, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    if (name) {
        world_things_rename(&world->bodies, body, &params->name);
    }
    struct protocol_body_set_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_body_remove(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_body_remove_params *params = call->params;
    uint32_t body, removed_count = 0;
    uint32_t *removed = NULL;
    struct sim_fault fault;
    if (!world_call_body(call, &params->body, &body)) {
        return;
    }
    if (sim_body_remove(world->sim, body, &removed, &removed_count, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world_things_remove(&world->bodies, body);
    struct protocol_body_remove_result result = {
        .has = WORLD_HAS_ALL,
        .revision = world_commit(world),
        .tick = world->tick,
        .constraints = {PROTOCOL_ARRAY_U32, removed_count, removed},
    };
    world_accept(call, &result);
    free(removed);
}

static bool state_skin(struct world_call *call, uint32_t body, struct protocol_body_state_result *result)
{
    const struct world_thing *thing = world_things_by_id(&call->world->bodies, body);
    const uint32_t count = thing->skin ? thing->skin->vertex_count : 0;
    float *vertices = world_call_alloc(call, count, 3 * sizeof *vertices);
    double *positions = world_call_alloc(call, thing->particle_count, 3 * sizeof *positions);
    if (!vertices || !positions) {
        return false;
    }
    if (thing->skin) {
        sim_body_positions64(call->world->sim, body, 0, thing->particle_count, positions);
        world_skin_positions(thing->skin, positions, 0, count, vertices);
    }
    result->skin = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, vertices};
    result->has |= PROTOCOL_HAS_BODY_STATE_RESULT_SKIN;
    return true;
}

void world_apply_body_state(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_body_state_params *params = call->params;
    uint32_t body;
    if (!world_call_body(call, &params->body, &body)) {
        return;
    }
    uint32_t count = world_things_by_id(&world->bodies, body)->particle_count;
    struct protocol_body_state_result result = {
        .has = PROTOCOL_HAS_BODY_STATE_RESULT_BODY | PROTOCOL_HAS_BODY_STATE_RESULT_TICK |
               PROTOCOL_HAS_BODY_STATE_RESULT_REVISION,
        .body = body,
        .tick = world->tick,
        .revision = world->revision,
    };
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS) {
        float *positions = world_call_alloc(call, count, 3 * sizeof *positions);
        if (!positions) {
            return;
        }
        sim_body_positions(world->sim, body, 0, count, positions);
        result.positions = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, positions};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS64) {
        double *positions = world_call_alloc(call, count, 3 * sizeof *positions);
        if (!positions) {
            return;
        }
        sim_body_positions64(world->sim, body, 0, count, positions);
        result.positions64 = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, positions};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS64;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_VELOCITIES) {
        float *velocities = world_call_alloc(call, count, 3 * sizeof *velocities);
        if (!velocities) {
            return;
        }
        sim_body_velocities(world->sim, body, 0, count, velocities);
        result.velocities = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, velocities};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_VELOCITIES;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_NORMALS) {
        float *normals = world_call_alloc(call, count, 3 * sizeof *normals);
        if (!normals) {
            return;
        }
        sim_body_normals(world->sim, body, normals);
        result.normals = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, normals};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_NORMALS;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_INVERSE_MASSES) {
        float *inverse_masses = world_call_alloc(call, count, sizeof *inverse_masses);
        if (!inverse_masses) {
            return;
        }
        sim_body_inverse_masses(world->sim, body, 0, count, inverse_masses);
        result.inverse_masses = (struct protocol_array){PROTOCOL_ARRAY_F32, count, inverse_masses};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_INVERSE_MASSES;
    }
    if ((params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_SKIN) && !state_skin(call, body, &result)) {
        return;
    }
    world_answer(call, &result);
}
