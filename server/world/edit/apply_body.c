// Handles body.get and body.state.
#include "world/edit/apply.h"

#include "base/assert.h"
#include "document/document.h"
#include "world/answer/call.h"
#include "world/frames/summary.h"
#include "world/frames/tier.h"
#include "world/state.h"

static bool elements_hash(struct world_call *call, uint32_t body, uint32_t *out)
{
    struct base_hash *hash = base_hash_create();
    if (!hash) {
        world_refuse_memory(call);
        return false;
    }
    *out = world_tier_elements_hash(call->world->document, body, hash);
    base_hash_destroy(hash);
    return true;
}

// Tells how soft the pins are, where they draw to and how hard, if some are soft.
static bool soft_pins(struct world_call *call, uint32_t body, uint32_t pins,
                      struct protocol_body_get_result *result)
{
    const struct sim *sim = call->world->document->sim;
    if (!sim_body_pins_softly(sim, body)) {
        result->has &=
            ~(uint64_t)(PROTOCOL_HAS_BODY_GET_RESULT_PIN_COMPLIANCES |
                        PROTOCOL_HAS_BODY_GET_RESULT_PIN_DISTANCES |
                        PROTOCOL_HAS_BODY_GET_RESULT_PIN_TARGETS | PROTOCOL_HAS_BODY_GET_RESULT_PIN_FORCES);
        return true;
    }
    const struct sim_pins_told told = {
        .compliances = world_call_alloc(call, pins, sizeof *told.compliances),
        .distances = world_call_alloc(call, pins, sizeof *told.distances),
        .targets = world_call_alloc(call, pins, 3 * sizeof *told.targets),
        .forces = world_call_alloc(call, pins, 3 * sizeof *told.forces),
    };
    if (!told.compliances || !told.distances || !told.targets || !told.forces) {
        return false;
    }
    sim_body_pins_tell(sim, body, &told);
    result->pin_compliances = (struct protocol_array){PROTOCOL_ARRAY_F64, pins, told.compliances};
    result->pin_distances = (struct protocol_array){PROTOCOL_ARRAY_F64, pins, told.distances};
    result->pin_targets = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * pins, told.targets};
    result->pin_forces = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * pins, told.forces};
    return true;
}

// Tells which pins clamp.
static bool clamps(struct world_call *call, uint32_t body, uint32_t pins,
                   struct protocol_body_get_result *result)
{
    const struct sim *sim = call->world->document->sim;
    uint32_t *clamp = world_call_alloc(call, pins, sizeof *clamp);
    uint32_t *turn = world_call_alloc(call, pins, sizeof *turn);
    if (!clamp || !turn) {
        return false;
    }
    result->clamps =
        (struct protocol_array){PROTOCOL_ARRAY_U32, sim_body_clamps(sim, body, false, clamp), clamp};
    result->clamp_turns =
        (struct protocol_array){PROTOCOL_ARRAY_U32, sim_body_clamps(sim, body, true, turn), turn};
    result->has &=
        result->clamps.count > 0 ? PROTOCOL_HAS_ALL : ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_CLAMPS;
    result->has &= result->clamp_turns.count > 0 ? PROTOCOL_HAS_ALL
                                                 : ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_CLAMP_TURNS;
    return true;
}

// Tells what acts on the body and on its particles.
static bool forces(struct world_call *call, const struct sim_body_info *info,
                   struct protocol_body_get_result *result)
{
    const uint32_t count = info->force_count;
    uint32_t *forced = world_call_alloc(call, count, sizeof *forced);
    double *values = world_call_alloc(call, count, 3 * sizeof *values);
    uint32_t *ticks = world_call_alloc(call, count, sizeof *ticks);
    if (!forced || !values || !ticks) {
        return false;
    }
    sim_body_forces(call->world->document->sim, info->body, forced, values, ticks);
    result->forced = (struct protocol_array){PROTOCOL_ARRAY_U32, count, forced};
    result->forces = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, values};
    result->forces_ticks = (struct protocol_array){PROTOCOL_ARRAY_U32, count, ticks};
    if (count == 0) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_BODY_GET_RESULT_FORCED | PROTOCOL_HAS_BODY_GET_RESULT_FORCES |
                                   PROTOCOL_HAS_BODY_GET_RESULT_FORCES_TICKS);
    }
    result->has &=
        ~document_pull_has(~document_pull_fill(&info->gravity, &info->force, result->gravity, result->force,
                                               &result->force_ticks),
                           PROTOCOL_HAS_BODY_GET_RESULT_GRAVITY, PROTOCOL_HAS_BODY_GET_RESULT_FORCE,
                           PROTOCOL_HAS_BODY_GET_RESULT_FORCE_TICKS);
    if (!document_own_wind_fill(&info->wind, &result->wind)) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_WIND;
    }
    return true;
}

static bool torn_fill(struct world_call *call, uint32_t body, const struct sim_body_info *info,
                      struct protocol_body_get_result *result)
{
    const struct sim *sim = call->world->document->sim;
    struct sim_tears tears;
    if (!document_tear_fill(&info->tear, &result->tear) || !sim_body_tears(sim, body, &tears)) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_BODY_GET_RESULT_TEAR | PROTOCOL_HAS_BODY_GET_RESULT_TORN);
        return true;
    }
    uint32_t *edges = world_call_alloc(call, (size_t)tears.cut_count + 1, 2 * sizeof *edges);
    for (uint32_t c = 0; edges && c < tears.cut_count; c++) {
        sim_tear_edge(sim, body, tears.cuts[c], edges + 2 * (size_t)c);
    }
    result->torn = (struct protocol_torn_edges){.has = PROTOCOL_HAS_ALL,
                                                .own = tears.own,
                                                .origins = {PROTOCOL_ARRAY_U32, tears.used, tears.origins},
                                                .edges = {PROTOCOL_ARRAY_U32, 2 * tears.cut_count, edges}};
    return edges != NULL;
}

// Leaves the images of a look without their bytes.
static bool images_without_data(struct world_call *call, struct protocol_look *look)
{
    const struct protocol_look_image *full = look->images.items;
    if (look->images.count == 0) {
        return true;
    }
    struct protocol_look_image *images = world_call_alloc(call, look->images.count, sizeof *images);
    for (uint32_t i = 0; images && i < look->images.count; i++) {
        images[i] =
            (struct protocol_look_image){.has = PROTOCOL_HAS_LOOK_IMAGE_BYTES, .bytes = full[i].bytes};
    }
    look->images.items = images;
    return images != NULL;
}

void world_apply_body_get(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_body_get_params *params = call->params;
    struct sim_body_info info;
    uint32_t body, hash;
    if (!world_call_body(call, &params->body, &body) || !elements_hash(call, body, &hash)) {
        return;
    }
    bool found = sim_body_info(world->document->sim, body, &info);
    BASE_ASSERT(found);
    double *positions = world_call_alloc(call, info.particle_count, 3 * sizeof *positions);
    double *masses = world_call_alloc(call, info.particle_count, sizeof *masses);
    uint32_t *pins = world_call_alloc(call, info.pin_count, sizeof *pins);
    if (!positions || !masses || !pins) {
        return;
    }
    sim_body_rest_positions(world->document->sim, body, positions);
    sim_body_masses(world->document->sim, body, masses);
    sim_body_pins(world->document->sim, body, pins);
    struct protocol_body_get_result result = {
        .has = PROTOCOL_HAS_ALL,
        .body = body,
        .name = document_thing_name(document_things_by_id(&world->document->bodies, body)),
        .kind = (int)info.kind,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .particles = info.particle_count,
        .positions = {PROTOCOL_ARRAY_F64, 3 * info.particle_count, positions},
        .triangles = {PROTOCOL_ARRAY_U32, 3 * info.triangle_count, info.triangles},
        .edges = {PROTOCOL_ARRAY_U32, 2 * info.edge_count, info.edges},
        .tets = {PROTOCOL_ARRAY_U32, 4 * info.tet_count, info.tets},
        .masses = {PROTOCOL_ARRAY_F64, info.particle_count, masses},
        .thickness = info.thickness,
        .self_contact = info.meeting.self,
        .contact_group = info.meeting.group,
        .contact_mask = info.meeting.mask,
        .friction = info.meeting.friction,
        .friction_kinetic = info.meeting.friction_kinetic,
        .restitution = info.meeting.restitution,
        .surface = document_surface_told(sim_body_surface_name(world->document->sim, body)),
        .pins = {PROTOCOL_ARRAY_U32, info.pin_count, pins},
        .sleep = !info.restless,
        .asleep = info.asleep,
        .elements_hash = hash,
        .yarn_uvs = {PROTOCOL_ARRAY_F32, info.uvs ? 6 * info.triangle_count : 0, info.uvs},
    };
    result.has &= info.uvs ? PROTOCOL_HAS_ALL : ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_YARN_UVS;
    if (!world_pin_colliders(call, body, info.pin_count, &result.pin_colliders)) {
        return;
    }
    if (!result.pin_colliders.data) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_PIN_COLLIDERS;
    }
    if (!soft_pins(call, body, info.pin_count, &result) || !clamps(call, body, info.pin_count, &result)) {
        return;
    }
    if (!(info.meeting.restitution > 0)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_RESTITUTION;
    }
    if (result.surface.size == 0) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_SURFACE;
    }
    if (!info.meeting.kinetic) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_FRICTION_KINETIC;
    }
    document_pressure_fill(&info.pressure, &result.pressure);
    if (info.pressure.model == SIM_PRESSURE_NONE) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_PRESSURE;
    }
    if (!forces(call, &info, &result)) {
        return;
    }
    document_shape_fill(&info.matching, info.particle_count, &result.shape);
    result.shape.has &= ~(uint64_t)PROTOCOL_HAS_SHAPE_POSITIONS;
    if (info.matching.model == SIM_MATCH_NONE) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_SHAPE;
    }
    if (!torn_fill(call, body, &info, &result)) {
        return;
    }
    document_stretch_fill(&info, &result.stretch);
    document_bend_fill(&info, &result.bend);
    if (!document_named_find(&result.stretch, &result.bend, &result.material)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_MATERIAL;
    }
    document_material_fill(&info.volume, &result.volume);
    if (!document_solid_fill(info.solid_model, &info.solid, &result.solid)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_SOLID;
    }
    if (!sim_body_flowed(world->document->sim, body, &result.plastic_strain_max,
                         &result.plastic_strain_mean)) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_BODY_GET_RESULT_PLASTIC_STRAIN_MAX |
                                  PROTOCOL_HAS_BODY_GET_RESULT_PLASTIC_STRAIN_MEAN);
    }
    if (!document_rod_fill(info.rod, &result.rod)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_ROD;
    }
    if (!info.rigid) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_RIGID;
    } else if (!world_rigid_fill(call, info.rigid, &result.rigid)) {
        return;
    }
    document_ranges_fill(info.constraint_first, info.constraint_count, &result.constraints);
    document_touch_fill(document_things_by_id(&world->document->bodies, body), &result.touched);
    if (!document_skin(world->document, body, &result.skin)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_SKIN;
    }
    if (!document_look(world->document, body, &result.look)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_BODY_GET_RESULT_LOOK;
    } else if (!params->images && !images_without_data(call, &result.look)) {
        return;
    }
    world_answer(call, &result);
}

static bool state_skin(struct world_call *call, uint32_t body, struct protocol_body_state_result *result)
{
    const struct document_thing *thing = document_things_by_id(&call->world->document->bodies, body);
    const uint32_t count = document_skin_count(thing->skin);
    float *vertices = world_call_alloc(call, count, 3 * sizeof *vertices);
    double *positions = world_call_alloc(call, thing->particle_count, 3 * sizeof *positions);
    if (!vertices || !positions) {
        return false;
    }
    if (thing->skin) {
        sim_body_positions64(call->world->document->sim, body, 0, thing->particle_count, positions);
        document_skin_positions(thing->skin, positions, 0, count, vertices);
    }
    result->skin = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, vertices};
    result->has |= PROTOCOL_HAS_BODY_STATE_RESULT_SKIN;
    return true;
}

// Fills in the rotations and angular velocities that are wanted; empty if the body has no orientations.
static bool state_rotations(struct world_call *call, uint32_t body, uint32_t count,
                            struct protocol_body_state_result *result)
{
    const struct protocol_body_state_params *params = call->params;
    const struct sim *sim = call->world->document->sim;
    const uint32_t turned = sim_body_turns(sim, body) ? count : 0;
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_ROTATIONS) {
        float *rotations = world_call_alloc(call, turned, 4 * sizeof *rotations);
        if (!rotations) {
            return false;
        }
        sim_body_rotations(sim, body, 0, turned, rotations);
        result->rotations = (struct protocol_array){PROTOCOL_ARRAY_F32, 4 * turned, rotations};
        result->has |= PROTOCOL_HAS_BODY_STATE_RESULT_ROTATIONS;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_ROTATIONS64) {
        double *rotations = world_call_alloc(call, turned, 4 * sizeof *rotations);
        if (!rotations) {
            return false;
        }
        sim_body_rotations64(sim, body, 0, turned, rotations);
        result->rotations64 = (struct protocol_array){PROTOCOL_ARRAY_F64, 4 * turned, rotations};
        result->has |= PROTOCOL_HAS_BODY_STATE_RESULT_ROTATIONS64;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_ANGULAR_VELOCITIES) {
        float *spins = world_call_alloc(call, turned, 3 * sizeof *spins);
        if (!spins) {
            return false;
        }
        sim_body_spins(sim, body, 0, turned, spins);
        result->angular_velocities = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * turned, spins};
        result->has |= PROTOCOL_HAS_BODY_STATE_RESULT_ANGULAR_VELOCITIES;
    }
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
    uint32_t count = document_things_by_id(&world->document->bodies, body)->particle_count;
    struct protocol_body_state_result result = {
        .has = PROTOCOL_HAS_BODY_STATE_RESULT_BODY | PROTOCOL_HAS_BODY_STATE_RESULT_TICK |
               PROTOCOL_HAS_BODY_STATE_RESULT_REVISION,
        .body = body,
        .tick = world->document->tick,
        .revision = world->document->revision,
    };
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS) {
        float *positions = world_call_alloc(call, count, 3 * sizeof *positions);
        if (!positions) {
            return;
        }
        sim_body_positions(world->document->sim, body, 0, count, positions);
        result.positions = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, positions};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS64) {
        double *positions = world_call_alloc(call, count, 3 * sizeof *positions);
        if (!positions) {
            return;
        }
        sim_body_positions64(world->document->sim, body, 0, count, positions);
        result.positions64 = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, positions};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS64;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_VELOCITIES) {
        float *velocities = world_call_alloc(call, count, 3 * sizeof *velocities);
        if (!velocities) {
            return;
        }
        sim_body_velocities(world->document->sim, body, 0, count, velocities);
        result.velocities = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, velocities};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_VELOCITIES;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_NORMALS) {
        float *normals = world_call_alloc(call, count, 3 * sizeof *normals);
        if (!normals) {
            return;
        }
        sim_body_normals(world->document->sim, body, normals);
        result.normals = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, normals};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_NORMALS;
    }
    if (params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_INVERSE_MASSES) {
        float *inverse_masses = world_call_alloc(call, count, sizeof *inverse_masses);
        if (!inverse_masses) {
            return;
        }
        sim_body_inverse_masses(world->document->sim, body, 0, count, inverse_masses);
        result.inverse_masses = (struct protocol_array){PROTOCOL_ARRAY_F32, count, inverse_masses};
        result.has |= PROTOCOL_HAS_BODY_STATE_RESULT_INVERSE_MASSES;
    }
    if ((params->fields & PROTOCOL_BODY_STATE_PARAMS_FIELDS_SKIN) && !state_skin(call, body, &result)) {
        return;
    }
    if (!state_rotations(call, body, count, &result)) {
        return;
    }
    world_answer(call, &result);
}
