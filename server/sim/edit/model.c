// The world of the solver: settings, bodies coming and going, and what is read of them.

#include "base/assert.h"
#include "base/grow.h"
#include "base/hash.h"
#include "sim/bear/bear.h"
#include "sim/body/balloon.h"
#include "sim/body/bend_yarns.h"
#include "sim/body/fabric.h"
#include "sim/body/plan.h"
#include "sim/body/pull.h"
#include "sim/body/rigid.h"
#include "sim/body/rigidity.h"
#include "sim/body/steady.h"
#include "sim/body/torn.h"
#include "sim/constraint/constraint.h"
#include "sim/contact/features.h"
#include "sim/contact/meet.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/rigid/touching.h"
#include "sim/state/kind.h"
#include "sim/state/rub.h"
#include "sim/store/store.h"

#include <stdlib.h>

bool sim_resolution_valid(double resolution)
{
    for (double q = 1.0 / (1 << 30); q <= 1.0 / (1 << 12); q *= 2) {
        if (resolution == q) {
            return true;
        }
    }
    return false;
}

// Wind without gusts has nothing that speaks of them.
static void calm_down(struct sim_wind *wind)
{
    if (wind->gusts == 0) {
        wind->gust_length = 0;
        wind->gust_seed = 0;
        memset(wind->gust_way, 0, sizeof wind->gust_way);
    }
}

struct sim *sim_create(const struct sim_settings *settings, const struct sim_limits *limits)
{
    BASE_ASSERT(sim_resolution_valid(settings->resolution));
    struct sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        return NULL;
    }
    sim->isa = sim_isa_chosen();
    sim->kernels = sim_kernels_of(sim->isa);
    sim->hash = base_hash_create();
    sim->settings = *settings;
    calm_down(&sim->settings.wind);
    sim_rub_names_find(sim);
    sim->limits = *limits;
    sim->q = settings->resolution;
    sim->inv_q = 1 / settings->resolution;
    sim->next_body = sim->next_constraint = sim->next_grab = sim->next_collider = sim->next_motion = 1;
    for (uint32_t kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_init(&sim->stores[kind], kind);
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim->loose[kind].kind = kind;
    }
    if (!sim->hash || !sim_multipliers_reserve(sim, settings, false) || !sim_air_reserve(sim, settings) ||
        !sim_bases_reserve(sim, settings->forces.count > 0) || !sim_anchors_reserve(sim, settings->sleep)) {
        sim_destroy(sim);
        return NULL;
    }
    return sim;
}

void sim_destroy(struct sim *sim)
{
    if (!sim) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim_body_destroy(sim->bodies[b]);
    }
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_deinit(&sim->stores[kind]);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        free(sim->loose[kind].order);
        free(sim->loose[kind].spare);
        free(sim->loose[kind].open);
        base_grow_free(sim->loose_colors[kind]);
        base_grow_free(sim->loose_sleepers[kind]);
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        free(sim->ranges[r].slots);
    }
    sim_drives_destroy(sim);
    sim_meet_destroy(sim);
    if (sim->bear) {
        sim_bear_destroy(sim);
    }
    free(sim->carried);
    free(sim->sides);
    free(sim->rests);
    base_hash_destroy(sim->hash);
    free(sim->ranges);
    free(sim->bodies);
    free(sim->by_row);
    base_grow_free(sim->rows);
    base_grow_free(sim->predicted);
    base_grow_free(sim->previous);
    base_grow_free(sim->velocities);
    base_grow_free(sim->began);
    base_grow_free(sim->positions);
    base_grow_free(sim->contacts);
    base_grow_free(sim->pushes);
    base_grow_free(sim->bases);
    base_grow_free(sim->air);
    base_grow_free(sim->anchors);
    base_grow_free(sim->turns);
    base_grow_free(sim->turned);
    base_grow_free(sim->turns_began);
    base_grow_free(sim->spins);
    base_grow_free(sim->joints);
    base_grow_free(sim->joints_began);
    base_grow_free(sim->spins_began);
    free(sim->rigids.items);
    if (sim->rigids.touching) {
        sim_touching_destroy(sim);
    }
    free(sim->jointed);
    free(sim->grabs);
    free(sim->softs);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        free(sim->shapes[s].hull);
        free(sim->shapes[s].field);
    }
    free(sim->shapes);
    free(sim->chunks);
    free(sim->tiles);
    free(sim->stages);
    free(sim->color_starts);
    free(sim->again);
    free(sim->tethered);
    base_grow_free(sim->bends);
    free(sim->bent);
    free(sim);
}

const struct sim_settings *sim_settings_of(const struct sim *sim)
{
    return &sim->settings;
}

static enum fault_code gusts_check(const struct sim_wind *wind, double resolution, struct fault *fault)
{
    const double scale = sim_scale(resolution), most = SIM_GUST_WAY_MAX * resolution;
    if (!(wind->gusts >= 0 && wind->gusts <= 60 * scale)) {
        return fault_code_set(fault, FAULT_INVALID, "wind.gusts", "%g m/s; must be in [0, %g]; " SIM_COARSER,
                              wind->gusts, 60 * scale);
    }
    if (wind->gusts == 0) {
        return FAULT_NONE;
    }
    if (!(wind->gust_length > 0 && wind->gust_length <= 10000 * scale)) {
        return fault_code_set(fault, FAULT_INVALID, "wind.gust_length",
                              "%g m; must be in (0, %g]; " SIM_COARSER, wind->gust_length, 10000 * scale);
    }
    for (int k = 0; k < 4; k++) {
        if (!(wind->gust_way[k] >= -most && wind->gust_way[k] <= most)) {
            return fault_code_set(fault, FAULT_INVALID, "wind.gust_way", "%g m; must be in [-%g, %g]",
                                  wind->gust_way[k], most, most);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_settings_check(const struct sim_settings *settings, struct fault *fault)
{
    const double scale = sim_scale(settings->resolution), pull = 1000 * scale, blow = 300 * scale;
    for (int axis = 0; axis < 3; axis++) {
        if (!(settings->gravity[axis] >= -pull && settings->gravity[axis] <= pull)) {
            return fault_code_set(fault, FAULT_INVALID, "gravity",
                                  "%g m/s^2; must be in [-%g, %g]; " SIM_COARSER, settings->gravity[axis],
                                  pull, pull);
        }
    }
    if (settings->substeps < 1 || settings->substeps > 1000) {
        return fault_code_set(fault, FAULT_INVALID, "substeps", "%u; must be in [1, 1000]",
                              settings->substeps);
    }
    if (settings->iterations < 1 || settings->iterations > 1000) {
        return fault_code_set(fault, FAULT_INVALID, "iterations", "%u; must be in [1, 1000]",
                              settings->iterations);
    }
    if (!(settings->damping >= 0 && settings->damping <= 1e6)) {
        return fault_code_set(fault, FAULT_INVALID, "damping", "%g 1/s; must be in [0, 1e+06]",
                              settings->damping);
    }
    if (!(settings->extent >= 1 && settings->extent <= 1e9)) {
        return fault_code_set(fault, FAULT_INVALID, "extent", "%g m; must be in [1, 1e+09]",
                              settings->extent);
    }
    if (settings->contact_quality != SIM_CONTACT_GUARANTEED &&
        settings->contact_quality != SIM_CONTACT_FAST) {
        return fault_code_set(fault, FAULT_INVALID, "contact_quality", "%d; must be 0 or 1",
                              (int)settings->contact_quality);
    }
    const struct sim_wind *wind = &settings->wind;
    for (int axis = 0; axis < 3; axis++) {
        if (!(wind->velocity[axis] >= -blow && wind->velocity[axis] <= blow)) {
            return fault_code_set(fault, FAULT_INVALID, "wind.velocity",
                                  "%g m/s; must be in [-%g, %g]; " SIM_COARSER, wind->velocity[axis], blow,
                                  blow);
        }
    }
    if (!(wind->drag >= 0 && wind->drag <= 100 && wind->lift >= 0 && wind->lift <= 100)) {
        return fault_code_set(fault, FAULT_INVALID, "wind", "drag %g and lift %g; must be in [0, 100]",
                              wind->drag, wind->lift);
    }
    if (!(wind->density >= 0 && wind->density <= 10000)) {
        return fault_code_set(fault, FAULT_INVALID, "wind.density", "%g kg/m^3; must be in [0, 10000]",
                              wind->density);
    }
    enum fault_code status = gusts_check(wind, settings->resolution, fault);
    status = status != FAULT_NONE ? status : sim_forces_check(&settings->forces, settings->resolution, fault);
    return status != FAULT_NONE || settings->surfaces.count == 0
               ? status
               : sim_surfaces_check(&settings->surfaces, fault);
}

enum fault_code sim_settings_set(struct sim *sim, const struct sim_settings *settings, struct fault *fault)
{
    enum fault_code status = sim_settings_check(settings, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    const char *field = settings->loads_solved && !sim->settings.loads_solved       ? "loads"
                        : settings->bending_solved && !sim->settings.bending_solved ? "bending"
                        : settings->long_edges && !sim->settings.long_edges         ? "long_edges"
                        : settings->calm && !sim->settings.calm                     ? "calm"
                                                                                    : "substeps";
    status = sim_work_check(sim, field, settings, &(struct sim_more){0}, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (!sim_contacts_reserve(sim, settings->iterations, sim->shape_count) ||
        !sim_multipliers_reserve(sim, settings, sim->multipliers_wanted) || !sim_air_reserve(sim, settings) ||
        !sim_bases_reserve(sim, settings->forces.count > 0) || !sim_anchors_reserve(sim, settings->sleep)) {
        return sim_fault_memory(fault);
    }
    sim_edited_all(sim);
    bool iterations_change = settings->iterations != sim->settings.iterations;
    sim->solved = sim->solved && !iterations_change && settings->substeps == sim->settings.substeps &&
                  settings->long_edges == sim->settings.long_edges && settings->calm == sim->settings.calm &&
                  settings->bending_solved == sim->settings.bending_solved &&
                  settings->loads_solved == sim->settings.loads_solved;
    const bool bends_change = settings->substeps != sim->settings.substeps ||
                              settings->bending_solved != sim->settings.bending_solved;
    uint32_t tick_rate = sim->settings.tick_rate;
    sim->settings = *settings;
    calm_down(&sim->settings.wind);
    sim_rub_names_find(sim);
    sim->settings.tick_rate = tick_rate;
    sim->settings.resolution = sim->q;
    sim->derived_known = false;
    if (bends_change) {
        sim_bend_edited_all(sim);
    }
    for (int kind = 0; iterations_change && kind < SIM_KIND_COUNT; kind++) {
        sim_store_stiffness_update(&sim->stores[kind], settings->iterations);
    }
    return FAULT_NONE;
}

uint64_t sim_motion_numbers(const struct sim *sim)
{
    return sim->drive_poses + 8 * (uint64_t)sim->drive_keys;
}

uint32_t sim_particle_count(const struct sim *sim)
{
    return sim->particle_count;
}

// Fills Poisson's ratio of the constraints of a batch, if their kind has one.
static void poisson_set(struct sim_store *store, uint32_t batch, const struct sim_material *material)
{
    const uint32_t param = sim_kind_rows[store->kind]->poisson_param;
    for (uint32_t lane = 0; param > 0 && lane < SIM_LANES; lane++) {
        if (sim_batch_ids(store, batch)[lane] != 0) {
            sim_batch_params(store, batch, param)[lane] = (float)material->poisson;
        }
    }
}

// Gives the lanes that have a constraint the params that follow from the material.
static void weave_set(struct sim_store *store, uint32_t batch, const struct sim_material *material)
{
    float params[SIM_PARAMS_MAX] = {0};
    sim_weave_material(material, params);
    for (uint32_t p = SIM_WEAVE_SHAPE; p < SIM_WEAVE_PARAMS; p++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (sim_batch_ids(store, batch)[lane] != 0) {
                sim_batch_params(store, batch, p)[lane] = params[p];
            }
        }
    }
}

// Gives bending constraints the compliances that follow from rigidities along the yarns.
static void yarns_set(struct sim_store *store, uint32_t batch, const struct sim_body *body)
{
    float *compliances = sim_batch_params(store, batch, store->param_count - 1);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const uint32_t id = sim_batch_ids(store, batch)[lane];
        if (id != 0) {
            compliances[lane] = sim_bend_own(body, (enum sim_kind)store->kind, id);
        }
    }
}

// A material of the whole body changes batches as they stand: afterwards none of them mixes flavours.
static void material_set(struct sim *sim, struct sim_body *body, uint32_t kind,
                         const struct sim_material *material)
{
    struct sim_values values = {
        .compliance = (float)material->compliance,
        .damping = (float)material->damping,
        .stiffness = material->stiffness >= 0 ? (float)material->stiffness : -1,
    };
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        const struct sim_tile *tile = &body->tiles[kind][t];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            if (kind == SIM_ORTHOTROPIC) {
                weave_set(&sim->stores[kind], tile->order[i], material);
            }
            sim_store_batch_set(&sim->stores[kind], tile->order[i], &values, sim->settings.iterations);
            poisson_set(&sim->stores[kind], tile->order[i], material);
            if (sim_kind_rows[kind]->part == SIM_PART_BEND && body->bend_own) {
                yarns_set(&sim->stores[kind], tile->order[i], body);
            }
        }
    }
}

// Reserves what a body needs that meets others from now on. False if memory runs out; then nothing has changed.
static bool features_reserve(struct sim *sim, struct sim_body *body, const struct sim_meeting *meeting)
{
    if (!sim_meets(meeting) || body->features || body->rigid) {
        return true;
    }
    body->features = sim_features_make(body, true);
    if (!body->features || !sim_meet_reserve(sim, NULL)) {
        sim_features_destroy(body->features);
        body->features = NULL;
        return false;
    }
    return true;
}

// Contact goes on or off, or another way, in a body that is there.
static void meet(struct sim_body *body, double thickness, const struct sim_meeting *meeting)
{
    body->thickness = thickness;
    body->meeting = *meeting;
    if (!sim_meets(meeting)) {
        sim_features_destroy(body->features);
        body->features = NULL;
    }
}

// Checks the pressure that a body is to have, and makes what its surface needs, which changes nothing yet.
static enum fault_code pressure_reserve(struct sim *sim, struct sim_body *body,
                                        const struct sim_pressure *pressure, struct fault *fault)
{
    if (!pressure || pressure->model == SIM_PRESSURE_NONE) {
        return FAULT_NONE;
    }
    enum fault_code status = sim_pressure_check(pressure, sim->q, fault);
    if (status == FAULT_NONE && body->pressure.model == SIM_PRESSURE_NONE) {
        const struct sim_more more = {.pressed = body->count};
        status = sim_work_check(sim, "pressure", &sim->settings, &more, fault);
    }
    if (status == FAULT_NONE && !body->steady && !(body->steady = sim_steady_make(body->count))) {
        status = sim_fault_memory(fault);
    }
    return status != FAULT_NONE ? status : sim_balloon_make(body, pressure, sim->q, &body->balloon, fault);
}

static void pressure_set(struct sim *sim, struct sim_body *body, const struct sim_pressure *pressure)
{
    if (pressure->model != body->pressure.model && body->balloon) {
        body->balloon->lambda = 0; // that of another law
    }
    body->pressure = pressure->model != SIM_PRESSURE_NONE ? *pressure : (struct sim_pressure){0};
    body->pressure_left = sim_ticks_of(sim, body->pressure.seconds);
    body->pressure.now = body->pressure_left > 0 ? body->pressure.now : body->pressure.end;
    sim->solved = false;
}

// Checks thresholds that a body is to have, and what does not go with tearing or with being rigid.
static enum fault_code tear_check(const struct sim_body *body, const struct sim_body_change *change,
                                  struct fault *fault)
{
    const struct sim_torn *torn = body->torn;
    if (body->rigid && change->matching && change->matching->model != SIM_MATCH_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "shape", "must be none; body %u is a rigid body",
                              body->id);
    }
    if (torn && change->rest) {
        return fault_code_set(
            fault, FAULT_INVALID, "rest_shape",
            "must be absent; body %u can tear, and keeps the rest shape that it was made with", body->id);
    }
    if (torn && change->pressure && change->pressure->model != SIM_PRESSURE_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "pressure", "must be none; body %u can tear", body->id);
    }
    if (torn && change->matching && change->matching->model != SIM_MATCH_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "shape", "must be none; body %u can tear", body->id);
    }
    if (torn && change->bend && change->bend->warp > 0) {
        return fault_code_set(fault, FAULT_INVALID, "bend.warp", "must be absent; body %u can tear",
                              body->id);
    }
    if (change->tear && !torn) {
        return fault_code_set(
            fault, FAULT_INVALID, "tear",
            "tear: must be absent; body %u was made without tear.most, so it has no room for tears",
            body->id);
    }
    return !change->tear
               ? FAULT_NONE
               : sim_tear_limits_check(change->tear, body->stretch_model == SIM_STRETCH_ORTHOTROPIC, fault);
}

// bend: that of the change, with its compliance; own: those of its hinges, which the body takes unless the change is refused.
static enum fault_code body_set(struct sim *sim, struct sim_body *body, const struct sim_body_change *change,
                                const struct sim_material *bend, float **own, const struct sim_rests *rests,
                                struct fault *fault)
{
    struct sim_material stretch = change->stretch ? *change->stretch : (struct sim_material){0};
    const struct sim_material solid =
        change->solid ? sim_solid_made(change->solid) : (struct sim_material){0};
    // A solid or a rod has no edges and volumes, and keeps no material of them: an undo may bring one of a body that had its id before.
    const bool is_net = body->solid_model == SIM_SOLID_NONE;
    const struct sim_material *const materials[SIM_PART_COUNT] = {
        [SIM_PART_STRETCH] = is_net && !body->rod && change->stretch ? &stretch : NULL,
        [SIM_PART_BEND] = !body->rod && change->bend ? bend : NULL,
        [SIM_PART_VOLUMES] = is_net ? change->volume : NULL,
        [SIM_PART_SOLID] = change->solid ? &solid : NULL};
    if (change->solid && body->solid_model == SIM_SOLID_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "solid",
                              "must be absent; the body was added without one, and cannot become a solid");
    }
    enum fault_code status = tear_check(body, change, fault);
    status = status == FAULT_NONE && change->solid ? sim_solid_check(change->solid, fault) : status;
    for (int part = 0; status == FAULT_NONE && part < SIM_PART_SOLID; part++) {
        status =
            !materials[part] ? FAULT_NONE : sim_material_check(sim_part_fields[part], materials[part], fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    const double thickness = change->thickness ? *change->thickness : body->thickness;
    const struct sim_meeting *meeting = change->meeting ? change->meeting : &body->meeting;
    status = sim_meeting_check(body->rigid ? sim_rigid_thickness(thickness, sim->q) : thickness, meeting,
                               sim->q, fault);
    if (status == FAULT_NONE && change->bend) {
        status = sim_plastic_check(body->bend_model, &bend->plastic, fault);
    }
    if (status == FAULT_NONE && materials[SIM_PART_STRETCH]) {
        status = sim_fabric_check(body->kind, body->stretch_model, &body->yarns, &stretch, fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_material *material = materials[sim_kind_rows[kind]->part];
        bool flavored = material && (material->damping > 0 || material->stiffness >= 0);
        if (flavored && !sim_store_damping_reserve(&sim->stores[kind])) {
            return sim_fault_memory(fault);
        }
    }
    status = sim_pull_check(sim->q, change->gravity, change->force, fault);
    if (status == FAULT_NONE && change->wind) {
        status = sim_own_wind_check(change->wind, fault);
    }
    if (status == FAULT_NONE) {
        status = pressure_reserve(sim, body, change->pressure, fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    struct sim_match_change match;
    status = sim_match_change_make(sim, body, change->matching, change->rest, &match, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (!sim_pushes_reserve(sim, change->gravity || change->force) || !features_reserve(sim, body, meeting)) {
        sim_match_change_drop(&match);
        return sim_fault_memory(fault);
    }
    status = sim_rests_set(sim, rests, fault);
    if (status != FAULT_NONE) {
        sim_match_change_drop(&match);
        meet(body, body->thickness, &body->meeting); // gives back what was reserved
        return status;
    }
    if (change->bend) {
        free(body->bend_own);
        body->bend_own = *own;
        *own = NULL;
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_material *material = materials[sim_kind_rows[kind]->part];
        if (material) {
            material_set(sim, body, kind, material);
        }
    }
    for (int part = 0; part < SIM_PART_COUNT; part++) {
        if (materials[part]) {
            sim->solved = sim->derived_known = false;
            body->materials[part] = *materials[part];
        }
    }
    sim_bend_edited(sim, body, materials[SIM_PART_BEND] ? UINT32_MAX : 0);
    meet(body, thickness, meeting);
    body->restless = change->restless ? *change->restless : body->restless;
    if (change->pressure) {
        pressure_set(sim, body, change->pressure);
    }
    sim_pull_set(body, change->gravity, change->wind, change->force);
    sim_match_change_take(sim, body, &match);
    if (change->tear) {
        body->torn->tear.force = change->tear->force;
        body->torn->tear.strain = change->tear->strain;
    }
    sim_edited(body);
    return FAULT_NONE;
}

enum fault_code sim_body_set(struct sim *sim, uint32_t id, const struct sim_body_change *change,
                             struct fault *fault)
{
    struct sim_body *body = sim_body_find(sim, id);
    struct sim_rests rests;
    if (!body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", id);
    }
    struct sim_material bend = change->bend ? *change->bend : (struct sim_material){0};
    float *own = NULL;
    const bool matched = (change->matching ? change->matching : &body->matching)->model != SIM_MATCH_NONE;
    enum fault_code status =
        change->bend ? sim_material_check(sim_part_fields[SIM_PART_BEND], &bend, fault) : FAULT_NONE;
    status = status == FAULT_NONE ? sim_body_rigidity(body, sim->q, &bend, fault) : status;
    if (status == FAULT_NONE && sim_bends_by_yarns(&bend)) {
        status = sim_bend_yarns(body, sim->q, &bend, &own, fault);
    }
    status = status == FAULT_NONE ? sim_rests_find(sim, body, change->rest, matched, &rests, fault) : status;
    if (status == FAULT_NONE) {
        status = body_set(sim, body, change, &bend, &own, &rests, fault);
        sim_rests_deinit(&rests);
    }
    free(own);
    return status;
}

// Pins that follow colliders hold where the body began, as other pins do, and go on from there.
static void followers_take(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t p = 0; p < sim->bodies[b]->pin_count; p++) {
            struct sim_pin *pin = &sim->bodies[b]->pins[p];
            if (pin->collider != 0) {
                sim_pin_take(sim, sim_shape_find(sim, pin->collider), pin->to, pin);
            }
            if (sim_pin_turns(pin)) {
                sim_clamp_take(sim, pin);
            }
        }
    }
}

void sim_reset(struct sim *sim)
{
    sim->meetings = (struct sim_meetings){0};
    sim_shown_forget(sim);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        sim_wake(body); // at its start a body has been still for no tick
        for (uint32_t i = 0; i < body->count; i++) {
            sim_place_at_start(sim, body, i);
        }
        for (uint32_t p = 0; p < body->pin_count; p++) {
            struct sim_pin *pin = &body->pins[p];
            sim_rest_of(body, pin->index, pin->from);
            sim_rest_of(body, pin->index, pin->to);
            pin->left = 0;
            memset(pin->multiplier, 0, sizeof pin->multiplier);
            if (sim_pin_clamps(pin)) {
                sim_clamp_at(sim, body, pin->index, pin->clamp.to);
                memcpy(pin->clamp.from, pin->clamp.to, sizeof pin->clamp.from);
            }
        }
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        if (shape->has_missed) {
            shape->from = shape->missed;
            shape->has_missed = false;
        }
    }
    memset(sim->settings.wind.gust_way, 0, sizeof sim->settings.wind.gust_way);
    sim_drives_reset(sim);
    sim_slides_reset(sim);
    if (sim->loose[SIM_SLIDE_RAIL].order_count > 0) {
        sim_rails_reset(sim);
    }
    sim_creases_reset(sim);
    followers_take(sim);
    sim_edited_all(sim);
    sim->grab_count = 0;
    sim->solved = false;
    sim->placed = true; // links between bodies may be long again
}
