// The state hash: everything that decides the future, in a fixed order, as little-endian values. Multipliers
// start at zero in each substep and are not state; batch and lane cannot reach it either.

#include "sim/tell/hash.h"
#include "base/assert.h"
#include "base/hash.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/state/rod.h"
#include "sim/store/store.h"

#include <string.h>

// The part of the wind that ticks change is left out where `still` is true.
static void hash_gusts(struct base_hash *hash, const struct sim_wind *wind, bool still)
{
    if (wind->gusts == 0) {
        return;
    }
    base_hash_u32(hash, 6); // a tag that no setting has
    base_hash_f64(hash, wind->gusts);
    base_hash_f64(hash, wind->gust_length);
    base_hash_u32(hash, wind->gust_seed);
    for (int k = 0; k < 4 && !still; k++) {
        base_hash_f64(hash, wind->gust_way[k]);
    }
}

// A world that never had a field of force adds nothing.
static void hash_forces(struct base_hash *hash, const struct sim_force_fields *forces)
{
    if (forces->next <= 1) {
        return;
    }
    base_hash_u32(hash, 7); // a tag that no setting has
    base_hash_u32(hash, forces->next);
    base_hash_u32(hash, forces->count);
    for (uint32_t f = 0; f < forces->count; f++) {
        const struct sim_force *force = &forces->items[f];
        const double numbers[] = {force->strength, force->distance, force->core, force->radius,
                                  force->margin};
        base_hash_u32(hash, force->id);
        base_hash_u32(hash, (uint32_t)force->kind);
        base_hash_u32(hash, (uint32_t)force->falloff);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            base_hash_f64(hash, numbers[i]);
        }
        for (int axis = 0; axis < 3; axis++) {
            base_hash_f64(hash, force->position[axis]);
            base_hash_f64(hash, force->axis[axis]);
            base_hash_f64(hash, force->velocity[axis]);
            base_hash_f64(hash, force->half_extents[axis]);
        }
        if (force->kind == SIM_FORCE_FAN) { // others had no width at first
            base_hash_f64(hash, force->width);
        }
        base_hash_u32(hash, force->body_count);
        for (uint32_t b = 0; b < force->body_count; b++) {
            base_hash_u32(hash, force->bodies[b]);
        }
    }
}

static void hash_name(struct base_hash *hash, const char *name)
{
    base_hash_u32(hash, (uint32_t)strlen(name));
    base_hash_bytes(hash, name, strlen(name));
}

// Surfaces without a row add nothing.
static void hash_surfaces(struct base_hash *hash, const struct sim_surfaces *surfaces)
{
    if (surfaces->count == 0) {
        return;
    }
    base_hash_u32(hash, 8); // a tag that no setting has
    base_hash_u32(hash, surfaces->count);
    for (uint32_t r = 0; r < surfaces->count; r++) {
        const struct sim_surface_pair *row = &surfaces->items[r];
        hash_name(hash, row->one);
        hash_name(hash, row->other);
        base_hash_u32(hash, (row->holds ? 1u : 0) | (row->slides ? 2u : 0) | (row->bounces ? 4u : 0));
        base_hash_f64(hash, row->holds ? row->friction : 0);
        base_hash_f64(hash, row->slides ? row->friction_kinetic : 0);
        base_hash_f64(hash, row->bounces ? row->restitution : 0);
    }
}

static void hash_settings(struct base_hash *hash, const struct sim *sim, bool still)
{
    const struct sim_settings *settings = &sim->settings;
    for (int axis = 0; axis < 3; axis++) {
        base_hash_f64(hash, settings->gravity[axis]);
    }
    base_hash_u32(hash, settings->tick_rate);
    base_hash_u32(hash, settings->substeps);
    base_hash_u32(hash, settings->iterations);
    base_hash_f64(hash, settings->damping);
    base_hash_f64(hash, settings->resolution);
    base_hash_f64(hash, settings->extent);
    for (int axis = 0; axis < 3; axis++) {
        base_hash_f64(hash, settings->wind.velocity[axis]);
    }
    base_hash_f64(hash, settings->wind.drag);
    base_hash_f64(hash, settings->wind.lift);
    base_hash_f64(hash, settings->wind.density);
    // A world that says nothing of it has the hash that it had before there was a choice.
    if (settings->contact_quality != SIM_CONTACT_GUARANTEED) {
        base_hash_u32(hash, 1);
        base_hash_u32(hash, (uint32_t)settings->contact_quality);
    }
    if (settings->untangle) {
        base_hash_u32(hash, 2); // a tag that no quality has
        base_hash_u32(hash, 1);
    }
    if (settings->long_edges) {
        base_hash_u32(hash, 3);
        base_hash_u32(hash, 1);
    }
    if (settings->bending_solved) {
        base_hash_u32(hash, 4);
        base_hash_u32(hash, 1);
    }
    if (settings->sleep) {
        base_hash_u32(hash, 5);
        base_hash_u32(hash, 1);
    }
    if (settings->loads_solved) {
        base_hash_u32(hash, 6);
        base_hash_u32(hash, 1);
    }
    if (settings->calm) {
        base_hash_u32(hash, 9); // 6 to 8 are tags above
        base_hash_u32(hash, 1);
    }
    hash_gusts(hash, &settings->wind, still);
    hash_forces(hash, &settings->forces);
    hash_surfaces(hash, &settings->surfaces);
}

// Before a friction of what slides, a restitution and the name of a surface, so that nothing else looks like them.
enum { KINETIC = 0x6b696e65, RESTITUTION = 0x72657374, SURFACE = 0x73757266 };

// A thing whose surface has no name adds nothing.
static void hash_surface(struct base_hash *hash, const char name[SIM_SURFACE_SIZE])
{
    if (name[0] != '\0') {
        base_hash_u32(hash, SURFACE);
        hash_name(hash, name);
    }
}

// A body of which nothing is said has the hash that it had before bodies could meet.
static void hash_meeting(struct base_hash *hash, const struct sim_meeting *meeting)
{
    if (meeting->restitution > 0) {
        base_hash_u32(hash, RESTITUTION);
        base_hash_f64(hash, meeting->restitution);
    }
    hash_surface(hash, meeting->surface);
    if (!meeting->self && meeting->group == 0 && meeting->mask == 0) {
        return;
    }
    base_hash_u32(hash, meeting->self ? 1 : 0);
    base_hash_u32(hash, meeting->group);
    base_hash_u32(hash, meeting->mask);
    base_hash_f64(hash, meeting->friction);
    if (meeting->kinetic) {
        base_hash_u32(hash, KINETIC);
        base_hash_f64(hash, meeting->friction_kinetic);
    }
}

// A body that is not plastic adds nothing, so its hash is the same in all versions.
static void hash_plastic(struct base_hash *hash, const struct sim_body *body)
{
    const struct sim_plastic *plastic = &body->materials[sim_plastic_part(body)].plastic;
    if (sim_is_plastic(body)) {
        base_hash_u32(hash, 0x63726561); // so that nothing else looks like it
        base_hash_f64(hash, plastic->yield);
        base_hash_f64(hash, plastic->rate);
        base_hash_f64(hash, plastic->greatest);
    }
}

enum { FIRST_KINDS = SIM_VOLUME + 1 };

// The counts decide when the body is coloured again. The first kinds count always. A later one counts only in a body
// that has some of it, behind its number, so a new kind changes no hash of a world without it.
static void hash_built(struct base_hash *hash, const uint32_t counts[SIM_KIND_COUNT])
{
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (kind >= FIRST_KINDS && counts[kind] == 0) {
            continue;
        }
        if (kind >= FIRST_KINDS) {
            base_hash_u32(hash, kind);
        }
        base_hash_u32(hash, counts[kind]);
    }
}

// Only worlds whose bodies may sleep have this.
static void hash_sleep(struct base_hash *hash, const struct sim *sim, const struct sim_body *body)
{
    base_hash_u32(hash, (body->asleep ? 1U : 0U) | (body->restless ? 2U : 0U));
    base_hash_u32(hash, body->still);
    if (body->asleep) {
        base_hash_u32(hash, body->island);
        base_hash_u32(hash, body->companions);
    }
    if (!body->asleep && body->still == 0) {
        return;
    }
    base_hash_u64(hash, body->mark);
    for (uint32_t i = 0; i < sim_nameable(body); i++) { // where spares are follows from the others
        int32_t way[3];
        sim_anchor_of(sim, body->first_row + body->row_of[i], way);
        for (int axis = 0; axis < 3; axis++) {
            base_hash_u32(hash, (uint32_t)way[axis]);
        }
    }
}

// A body without pressure adds nothing, so its hash is the same in all versions.
static void hash_pressure(struct base_hash *hash, const struct sim_body *body)
{
    const struct sim_pressure *pressure = &body->pressure;
    if (pressure->model == SIM_PRESSURE_NONE) {
        return;
    }
    base_hash_u32(hash, 0x70000000U + (uint32_t)pressure->model);
    base_hash_f64(hash, pressure->now);
    base_hash_f64(hash, pressure->end);
    base_hash_u32(hash, body->pressure_left);
    base_hash_f64(hash, pressure->ambient);
    base_hash_f64(hash, pressure->compliance);
    base_hash_f64(hash, pressure->volume);
}

// A body that nothing of its own pushes adds nothing. as_input: without what ticks change.
static void hash_pull(struct base_hash *hash, const struct sim_body *body, bool as_input)
{
    if (!sim_has_own_pull(body)) {
        return;
    }
    base_hash_u32(hash, 0x70756c6c); // so that nothing else looks like it
    base_hash_u32(hash, body->gravity.own ? 1 : 0);
    for (int axis = 0; axis < 3; axis++) {
        base_hash_f64(hash, body->gravity.value[axis]);
        base_hash_f64(hash, body->force.value[axis]);
    }
    base_hash_u32(hash, as_input ? 0 : body->force.ticks);
    base_hash_u32(hash, body->load_count);
    for (uint32_t l = 0; l < body->load_count; l++) {
        const struct sim_load *load = &body->loads[l];
        base_hash_u32(hash, load->index);
        base_hash_u32(hash, as_input ? 0 : load->left);
        for (int axis = 0; axis < 3; axis++) {
            base_hash_f32(hash, load->force[axis]);
        }
    }
}

// Nor does one that feels the air as the world says.
static void hash_wind(struct base_hash *hash, const struct sim_body *body)
{
    const struct sim_own_wind *wind = &body->wind;
    if (wind->drag_own || wind->lift_own) {
        base_hash_u32(hash, 0x77696e64); // so that nothing else looks like it
        base_hash_u32(hash, (wind->drag_own ? 1u : 0) | (wind->lift_own ? 2u : 0));
        base_hash_f64(hash, wind->drag);
        base_hash_f64(hash, wind->lift);
    }
}

// A body without shape matching adds nothing either.
static void hash_matching(struct base_hash *hash, const struct sim_body *body)
{
    const struct sim_matching *matching = &body->matching;
    if (matching->model == SIM_MATCH_NONE) {
        return;
    }
    base_hash_u32(hash, 0x71000000U + (uint32_t)matching->model);
    base_hash_f64(hash, matching->compliance);
    base_hash_f64(hash, matching->radius);
    base_hash_f64(hash, matching->spacing);
    for (size_t i = 0; matching->places && i < 3 * (size_t)body->count; i++) {
        base_hash_f64(hash, matching->places[i]);
    }
}

// A body that cannot tear adds nothing. Where constraints stand says which triangles parted.
static void hash_torn(struct base_hash *hash, const struct sim_body *body)
{
    const struct sim_torn *torn = body->torn;
    if (!torn) {
        return;
    }
    base_hash_u32(hash, 0x74656172); // so that nothing else looks like it
    base_hash_f64(hash, torn->tear.force);
    base_hash_f64(hash, torn->tear.strain);
    base_hash_u32(hash, torn->tear.most);
    base_hash_u32(hash, torn->used);
    for (uint32_t i = 0; i < torn->used; i++) {
        base_hash_u32(hash, torn->origins[i]);
    }
    for (uint32_t c = 0; c < torn->cut_count; c++) {
        base_hash_u32(hash, torn->cuts[c]);
    }
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        base_hash_u32(hash, body->triangles[i]);
    }
}

// A body whose factor is attached adds nothing, so its hash is the same in all versions. Nor does one that is new, which
// only an edit before its first tick sees.
static void hash_bend_due(struct base_hash *hash, const struct sim_body *body)
{
    if (body->bend_due != 0 && body->bend_due != SIM_BEND_FRESH) {
        base_hash_u32(hash, 0x62656e64); // so that nothing else looks like it
        base_hash_u32(hash, body->bend_due);
    }
}

// A hard pin that stays where it goes adds nothing, so its hash is the same in all versions.
static void hash_pin(struct base_hash *hash, const struct sim_pin *pin)
{
    const bool soft = sim_pin_is_soft(pin);
    if (!soft && pin->left == 0) {
        return;
    }
    base_hash_u32(hash, pin->left);
    base_hash_f32(hash, pin->compliance);
    base_hash_f32(hash, pin->distance);
    for (int axis = 0; axis < 3; axis++) {
        base_hash_u64(hash, (uint64_t)(soft ? pin->from[axis] : 0));
        base_hash_u64(hash, (uint64_t)(pin->left > 0 ? pin->end[axis] : 0));
    }
}

// A body without orientations adds nothing, so its hash is the same in all versions.
static void hash_turned(struct base_hash *hash, const struct sim *sim, const struct sim_body *body)
{
    for (uint32_t i = 0; body->turned && i < body->count; i++) {
        struct sim_turned turned;
        sim_turned_of(sim, body->first_row + body->row_of[i], &turned);
        for (int k = 0; k < 4; k++) {
            base_hash_u32(hash, (uint32_t)turned.q[k]);
        }
        for (int axis = 0; axis < 3; axis++) {
            base_hash_f32(hash, turned.spin[axis]);
        }
        base_hash_f32(hash, turned.w);
        for (int part = 0; (body->rod || body->rigid) && part < 4; part++) {
            base_hash_f32(hash, turned.rest[part]);
        }
    }
}

// A rod that is swept adds nothing.
static void hash_direct(struct base_hash *hash, const struct sim_body *body)
{
    if (body->rod && body->rod->given.direct) {
        base_hash_u32(hash, 0x726f6464); // so that nothing else looks like it
    }
}

// The shape of a piece, or of a part of it.
static void hash_rigid_shape(struct base_hash *hash, const struct sim_rigid_shape *shape)
{
    base_hash_u32(hash, 0x72676964); // so that nothing else looks like it
    base_hash_u32(hash, (uint32_t)shape->form);
    base_hash_f32(hash, shape->radius);
    base_hash_f32(hash, shape->half_height);
    for (int axis = 0; axis < 3; axis++) {
        base_hash_f32(hash, shape->half_extents[axis]);
    }
    for (uint32_t i = 0; i < 3 * shape->point_count; i++) { // none but of a hull
        base_hash_f64(hash, shape->points[i]);
    }
    if (shape->form == SIM_RIGID_COMPOUND) {
        base_hash_u32(hash, shape->part_count);
    }
    for (uint32_t i = 0; i < shape->part_count; i++) { // none but of a compound
        const struct sim_rigid_part *part = &shape->parts[i];
        hash_rigid_shape(hash, &part->shape);
        for (int axis = 0; axis < 3; axis++) {
            base_hash_f64(hash, part->position[axis]);
        }
        for (int k = 0; k < 4; k++) {
            base_hash_u32(hash, (uint32_t)part->turn[k]);
        }
    }
}

// A body that is not rigid adds nothing.
static void hash_rigid(struct base_hash *hash, const struct sim_body *body)
{
    if (body->rigid) {
        hash_rigid_shape(hash, &body->rigid->shape);
    }
}

static void hash_body(struct base_hash *hash, const struct sim *sim, const struct sim_body *body)
{
    base_hash_u32(hash, body->id);
    base_hash_u32(hash, (uint32_t)body->kind);
    base_hash_u32(hash, body->count);
    base_hash_f64(hash, body->thickness);
    hash_meeting(hash, &body->meeting);
    if (body->materials[SIM_PART_STRETCH].limit > 0) { // without one the hash is as before there were limits
        base_hash_f64(hash, body->materials[SIM_PART_STRETCH].limit);
    }
    hash_plastic(hash, body);
    hash_pressure(hash, body);
    hash_pull(hash, body, false);
    hash_wind(hash, body);
    hash_matching(hash, body);
    hash_torn(hash, body);
    hash_bend_due(hash, body);
    hash_built(hash, body->built_count);
    for (uint32_t i = 0; i < sim_nameable(body); i++) {
        uint32_t row = body->first_row + body->row_of[i];
        for (int axis = 0; axis < 3; axis++) {
            base_hash_u64(hash, (uint64_t)sim->positions[row][axis]);
        }
        for (int axis = 0; axis < 3; axis++) {
            base_hash_f32(hash, sim->velocities[row].v[axis]);
        }
        base_hash_f32(hash, sim_inverse_mass_of(sim, row));
    }
    hash_turned(hash, sim, body);
    hash_rigid(hash, body);
    hash_direct(hash, body);
    base_hash_u32(hash, body->pin_count);
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        base_hash_u32(hash, pin->index);
        base_hash_f32(hash, pin->inverse_mass);
        for (int axis = 0; axis < 3; axis++) {
            base_hash_u64(hash, (uint64_t)pin->to[axis]);
        }
        if (pin->collider != 0) { // else the hash is as before pins could follow
            base_hash_u32(hash, pin->collider);
            for (int axis = 0; axis < 3; axis++) {
                base_hash_f64(hash, pin->place[axis]);
            }
        }
        hash_pin(hash, pin);
        for (int i = 0; sim_pin_clamps(pin) && i < 4; i++) {
            base_hash_u32(hash, (uint32_t)pin->clamp.from[i]);
            base_hash_u32(hash, (uint32_t)pin->clamp.to[i]);
        }
        for (int i = 0; sim_pin_turns(pin) && i < 4; i++) {
            base_hash_u32(hash, (uint32_t)pin->clamp.held[i]);
        }
    }
    if (sim->settings.sleep) {
        hash_sleep(hash, sim, body);
    }
}

// as_input: without what ticks change, so that a body that rests keeps its inputs.
static void hash_constraint(struct base_hash *hash, const struct sim *sim, const struct sim_id_range *range,
                            uint32_t i, bool as_input)
{
    const struct sim_store *store = &sim->stores[range->kind];
    const uint32_t slot = range->slots[i];
    const struct sim_batch_meta *meta = sim_batch_meta(store, slot / SIM_LANES);
    uint32_t rows[SIM_STENCIL_MAX];
    struct sim_values values;
    sim_store_values(store, slot, &values);
    sim_store_rows(store, slot, rows);
    base_hash_u32(hash, range->first + i);
    base_hash_u32(hash, (uint32_t)range->kind);
    for (uint32_t k = 0; k < store->stencil; k++) {
        const struct sim_body *body = sim_body_of_row(sim, rows[k]);
        base_hash_u32(hash, body->id);
        base_hash_u32(hash, body->index_of[rows[k] - body->first_row]);
    }
    const uint32_t values_hashed = store->value_count - (as_input ? sim_travels(range->kind) : 0);
    for (uint32_t p = 0; p < values_hashed; p++) {
        base_hash_f32(hash, p < SIM_PARAMS_MAX
                                ? values.params[p]
                                : sim_batch_params(store, slot / SIM_LANES, p)[slot % SIM_LANES]);
    }
    base_hash_f32(hash, values.compliance);
    base_hash_f32(hash, values.damping);
    base_hash_f32(hash, values.stiffness);
    base_hash_u32(hash, meta->tile->color);
    base_hash_u32(hash, meta->tile->tile);
    base_hash_u32(hash, meta->color);
}

static bool is_of(const struct sim *sim, const struct sim_id_range *range, uint32_t slot,
                  const struct sim_body *body)
{
    const struct sim_store *store = &sim->stores[range->kind];
    uint32_t rows[SIM_STENCIL_MAX];
    bool of = range->body == body->id;
    if (range->body == 0) {
        sim_store_rows(store, slot, rows);
        for (uint32_t k = 0; k < store->stencil; k++) {
            of = of || rows[k] - body->first_row < body->count;
        }
    }
    return of;
}

// Takes the constraints of one body and the loose ones that hold it, or all if `of` is NULL.
static void hash_constraints(struct base_hash *hash, const struct sim *sim, const struct sim_body *of)
{
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        if (of && range->body != of->id && (range->body != 0 || of->tie == 0)) {
            continue;
        }
        for (uint32_t i = 0; i < range->count; i++) {
            const uint32_t slot = range->slots[i];
            if (slot != SIM_GONE && (!of || is_of(sim, range, slot, of))) {
                hash_constraint(hash, sim, range, i, of != NULL);
            }
        }
    }
}

static void hash_pose(struct base_hash *hash, const struct sim_pose *pose)
{
    for (int axis = 0; axis < 3; axis++) {
        base_hash_u64(hash, (uint64_t)pose->position[axis]);
    }
    for (int i = 0; i < 4; i++) {
        base_hash_f64(hash, pose->rotation[i]);
    }
}

static void hash_shape(struct base_hash *hash, const struct sim_shape *shape)
{
    base_hash_u32(hash, shape->id);
    base_hash_u32(hash, (uint32_t)shape->kind);
    hash_pose(hash, &shape->from);
    hash_pose(hash, &shape->to);
    base_hash_f64(hash, shape->radius);
    base_hash_f64(hash, shape->length);
    for (int axis = 0; axis < 3; axis++) {
        base_hash_f64(hash, shape->half_extents[axis]);
    }
    base_hash_f32(hash, shape->friction);
    if (shape->kinetic) {
        base_hash_u32(hash, KINETIC);
        base_hash_f32(hash, shape->friction_kinetic);
    }
    if (shape->restitution > 0) {
        base_hash_u32(hash, RESTITUTION);
        base_hash_f32(hash, shape->restitution);
    }
    hash_surface(hash, shape->surface);
    for (int axis = 0; shape->runs && axis < 3; axis++) {
        base_hash_f64(hash, shape->surface_velocity[axis]);
        base_hash_f64(hash, shape->surface_spin[axis]);
    }
    for (uint32_t i = 0; shape->hull && i < 3 * shape->hull->vertex_count; i++) {
        base_hash_f64(hash, shape->hull->vertices[i / 3][i % 3]);
    }
    if (shape->field) {
        base_hash_u32(hash, shape->field->columns);
        base_hash_u32(hash, shape->field->rows);
        base_hash_f64(hash, shape->field->spacing);
        for (uint32_t i = 0; i < shape->field->columns * shape->field->rows; i++) {
            base_hash_f64(hash, shape->field->heights[i]);
        }
    }
}

static void hash_grabs_and_shapes(struct base_hash *hash, const struct sim *sim, uint32_t grab_count)
{
    for (uint32_t g = 0; g < grab_count; g++) {
        const struct sim_held *held = &sim->grabs[g];
        base_hash_u32(hash, held->id);
        base_hash_u32(hash, held->body);
        base_hash_u32(hash, held->index);
        base_hash_f32(hash, held->compliance);
        for (int axis = 0; axis < 3; axis++) {
            base_hash_u64(hash, (uint64_t)held->target[axis]);
        }
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        hash_shape(hash, &sim->shapes[s]);
    }
}

// A sim that never had a motion has the hash that it had when there were none.
static void hash_drives(struct base_hash *hash, const struct sim *sim)
{
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        const struct sim_motion *motion = &sim->drives[d].motion;
        base_hash_u32(hash, motion->id);
        base_hash_u32(hash, motion->collider);
        base_hash_u32(hash, motion->body);
        base_hash_u32(hash, motion->particle_count);
        for (uint32_t i = 0; i < motion->particle_count; i++) {
            base_hash_u32(hash, motion->particles[i]);
        }
        base_hash_u32(hash, motion->key_count);
        for (uint32_t k = 0; k < motion->key_count; k++) {
            base_hash_f64(hash, motion->times[k]);
            for (int axis = 0; axis < 3; axis++) {
                base_hash_f64(hash, motion->offsets[3 * (size_t)k + axis]);
            }
        }
        base_hash_u32(hash, (uint32_t)motion->loop | (uint32_t)motion->cubic << 1 |
                                (motion->rotations ? 4U : 0U) | (motion->poses ? 8U : 0U));
        base_hash_u64(hash, motion->age);
        for (size_t i = 0; motion->rotations && i < 4 * (size_t)motion->key_count; i++) {
            base_hash_f64(hash, motion->rotations[i]);
        }
        for (size_t i = 0; motion->arms && i < 3 * (size_t)motion->particle_count; i++) {
            base_hash_f64(hash, motion->arms[i]);
        }
        size_t poses = motion->poses ? 3 * (size_t)motion->particle_count * motion->key_count : 0;
        for (size_t i = 0; i < poses; i++) {
            base_hash_f32(hash, motion->poses[i]);
        }
    }
    base_hash_u32(hash, sim->drive_count);
    base_hash_u32(hash, sim->next_motion);
}

// The integers of the wire end there.
#define MARK_MASK ((UINT64_C(1) << 53) - 1)

uint64_t sim_inputs_hash(const struct sim *sim, const struct sim_body *body)
{
    struct base_hash *hash = sim->hash;
    base_hash_reset(hash);
    hash_settings(hash, sim, true);
    base_hash_f64(hash, body->thickness);
    hash_meeting(hash, &body->meeting);
    base_hash_f64(hash, body->materials[SIM_PART_STRETCH].limit);
    hash_plastic(hash, body);
    hash_pressure(hash, body);
    hash_pull(hash, body, true);
    hash_wind(hash, body);
    hash_matching(hash, body);
    hash_torn(hash, body);
    hash_rigid(hash, body);
    for (uint32_t i = 0; i < sim_nameable(body); i++) {
        base_hash_f32(hash, sim->rows[body->first_row + body->row_of[i]].w);
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        base_hash_u32(hash, body->pins[p].index);
        if (body->pins[p].collider != 0) {
            base_hash_u32(hash, body->pins[p].collider);
        }
        for (int axis = 0; sim_pin_is_soft(&body->pins[p]) && axis < 3; axis++) {
            base_hash_u64(hash, (uint64_t)body->pins[p].to[axis]);
            base_hash_f32(hash, axis == 0 ? body->pins[p].compliance : body->pins[p].distance);
        }
    }
    hash_constraints(hash, sim, body);
    return base_hash_digest(hash) & MARK_MASK;
}

// Substeps change the sides of slides, so they are no inputs. But while a body sleeps they stay.
static void hash_sides(struct base_hash *hash, const struct sim *sim, const struct sim_body *of)
{
    for (uint32_t r = 0; of->tie != 0 && r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; sim_slides(range->kind) && i < range->count; i++) {
            struct sim_values values;
            if (range->slots[i] == SIM_GONE || !is_of(sim, range, range->slots[i], of)) {
                continue;
            }
            sim_store_values(&sim->stores[range->kind], range->slots[i], &values);
            if (values.params[SIM_SLIDE_FRICTION] > 0) {
                base_hash_f32(hash, values.params[SIM_SLIDE_SIDE]);
            }
        }
    }
}

uint64_t sim_surroundings_hash(const struct sim *sim, const struct sim_body *body)
{
    struct base_hash *hash = sim->hash;
    base_hash_reset(hash);
    base_hash_u64(hash, body->inputs);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        if (sim_shape_reaches(sim, shape, shape->from.position, shape->to.position, body)) {
            hash_shape(hash, shape);
        }
    }
    hash_sides(hash, sim, body);
    for (uint32_t row = body->first_row; body->rigid && row < body->first_row + body->count; row++) {
        for (int i = 0; i < 4; i++) {
            base_hash_u32(hash, (uint32_t)sim->turns[row].q[i]);
        }
    }
    return base_hash_digest(hash) & MARK_MASK;
}

static uint64_t hash_of(const struct sim *sim, uint32_t grab_count)
{
    struct base_hash *hash = sim->hash;
    BASE_ASSERT(!sim->under_way && !sim->dropped);
    base_hash_reset(hash);
    hash_settings(hash, sim, false);
    base_hash_u32(hash, sim->body_count);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        hash_body(hash, sim, sim->bodies[b]);
    }
    base_hash_u32(hash, sim->constraint_count);
    hash_constraints(hash, sim, NULL);
    base_hash_u32(hash, grab_count);
    base_hash_u32(hash, sim->shape_count);
    hash_grabs_and_shapes(hash, sim, grab_count);
    base_hash_u32(hash, sim->next_body);
    base_hash_u32(hash, sim->next_constraint);
    base_hash_u32(hash, sim->next_grab);
    base_hash_u32(hash, sim->next_collider);
    if (sim->next_motion > 1) {
        hash_drives(hash, sim);
    }
    return base_hash_digest(hash);
}

uint64_t sim_hash(const struct sim *sim)
{
    return hash_of(sim, sim->grab_count);
}

uint64_t sim_hash_ungrabbed(const struct sim *sim)
{
    return hash_of(sim, 0);
}
