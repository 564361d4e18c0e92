// Places particles, and tells what edits of them and of their pins (pin.c) have to take back.

#include "sim/ground/ground.h"

#include "sim/body/plan.h"
#include "sim/body/pull.h"
#include "sim/body/rigid.h"
#include "sim/edit/edit.h"
#include "sim/motion/motion.h"

#include <stdlib.h>

double sim_speed_max(const struct sim *sim)
{
    return SIM_MOVE_MAX * sim->q * sim->settings.tick_rate;
}

// That of a hard pin waits until it is let go.
static void mass_set(struct sim *sim, struct sim_body *body, uint32_t row, struct sim_pin *pin,
                     float inverse_mass)
{
    if (pin) {
        pin->inverse_mass = inverse_mass;
    }
    if (!pin || sim_pin_is_soft(pin)) {
        sim_row_weigh(sim, body, row, inverse_mass);
    }
    sim->masses_known = false;
}

enum fault_code sim_particles_set(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                  const double *positions, const float *velocities,
                                  const float *inverse_masses, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    status = status != FAULT_NONE ? status : sim_positions_check(sim, positions, particles, count, fault);
    for (size_t i = 0; status == FAULT_NONE && velocities && i < (size_t)count * 3; i++) {
        if (!sim_finite(velocities[i])) {
            status = fault_code_set(fault, FAULT_INVALID, "velocities", "that of particle %u is not finite",
                                    particles[i / 3]);
        }
    }
    for (uint32_t i = 0; status == FAULT_NONE && inverse_masses && i < count; i++) {
        double w = (double)inverse_masses[i];
        if (!(w == 0 || (w >= SIM_INVERSE_MASS_MIN && w <= SIM_INVERSE_MASS_MAX))) {
            status = fault_code_set(fault, FAULT_INVALID, "inverse_masses",
                                    "%g 1/kg for particle %u; must be 0 (static) or in [%g, %g]", w,
                                    particles[i], SIM_INVERSE_MASS_MIN, SIM_INVERSE_MASS_MAX);
        }
    }
    if (status != FAULT_NONE) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = body->first_row + body->row_of[particles[i]];
        struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (positions) {
            int64_t x[3];
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = sim_quantize(positions[3 * (size_t)i + axis], sim->inv_q);
            }
            sim_place(sim, row, x);
            if (pin && !sim_pin_is_soft(pin)) {
                memcpy(pin->from, x, sizeof pin->from);
                memcpy(pin->to, x, sizeof pin->to);
                pin->left = 0;
            }
            if (pin && !sim_pin_is_soft(pin) && pin->collider != 0) {
                sim_pin_take(sim, sim_shape_find(sim, pin->collider), x, pin);
            }
        }
        if (velocities) {
            memcpy(sim->velocities[row].v, velocities + 3 * (size_t)i, sizeof sim->velocities[row].v);
        }
        if (inverse_masses) {
            mass_set(sim, body, row, pin, inverse_masses[i]);
        }
    }
    sim->placed = sim->placed || positions;
    sim_edited(body);
    return FAULT_NONE;
}

// ----------------------------------------------------------------------------------------- taking edits back

static bool has_anchors(const struct sim *sim, const struct sim_body *body)
{
    return sim->anchors && (body->asleep || body->still > 0);
}

enum fault_code sim_restore_particles_take(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                           uint32_t count, uint32_t fields,
                                           struct sim_restore_particles *states, struct fault *fault)
{
    struct sim_body *body;
    *states = (struct sim_restore_particles){.body = id, .fields = fields, .count = count};
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    sim_sleep_take(body, &states->sleep);
    states->particles = calloc((size_t)count + 1, sizeof *states->particles);
    if (!states->particles) {
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_restore_particle *out = &states->particles[i];
        uint32_t row = body->first_row + body->row_of[particles[i]];
        const struct sim_pin *pin = sim_pin_find(body, particles[i]);
        out->particle = particles[i];
        out->pinned = pin != NULL;
        out->inverse_mass = pin ? pin->inverse_mass : sim->rows[row].w;
        memcpy(out->position, sim->positions[row], sizeof out->position);
        memcpy(out->velocity, sim->velocities[row].v, sizeof out->velocity);
        if (body->turned) {
            sim_turned_of(sim, row, &out->turned);
        }
        memcpy(out->from, pin ? pin->from : sim->positions[row], sizeof out->from);
        memcpy(out->to, pin ? pin->to : sim->positions[row], sizeof out->to);
        if (has_anchors(sim, body)) {
            sim_anchor_of(sim, row, out->anchor);
        }
        if (pin && pin->collider != 0) {
            out->collider = pin->collider;
            memcpy(out->place, pin->place, sizeof out->place);
        }
        if (pin) {
            out->compliance = pin->compliance;
            out->distance = pin->distance;
            out->left = pin->left;
            memcpy(out->end, pin->left > 0 ? pin->end : pin->to, sizeof out->end);
            memcpy(out->clamp, pin->clamp.from, sizeof pin->clamp.from);
            memcpy(out->clamp + 4, pin->clamp.to, sizeof pin->clamp.to);
            memcpy(out->held, pin->clamp.held, sizeof pin->clamp.held);
        }
        const struct sim_load *load = sim_load_find(body, particles[i]);
        for (int axis = 0; load && axis < 3; axis++) {
            out->force[axis] = (double)load->force[axis];
            out->force_ticks = load->left;
        }
    }
    return FAULT_NONE;
}

void sim_restore_particles_deinit(struct sim_restore_particles *states)
{
    free(states->particles);
    *states = (struct sim_restore_particles){0};
}

static enum fault_code check_state(const struct sim *sim, const struct sim_body *body,
                                   const struct sim_restore_particle *given, struct fault *fault)
{
    double extent = SIM_EXTENT_MAX, w = (double)given->inverse_mass; // whatever the world's is by now
    for (int axis = 0; axis < 3; axis++) {
        const int64_t all[] = {given->position[axis], given->from[axis], given->to[axis],
                               given->left > 0 ? given->end[axis] : 0};
        for (int i = 0; i < 4; i++) {
            if (!((double)all[i] * sim->q >= -extent && (double)all[i] * sim->q <= extent)) {
                return fault_code_set(fault, FAULT_INVALID, "positions", "%g m for particle %u; at most %g m",
                                      (double)all[i] * sim->q, given->particle, extent);
            }
        }
        int64_t start, way;
        const int64_t stands = given->compliance != 0 ? given->from[axis] : given->position[axis];
        if (__builtin_sub_overflow(given->from[axis], stands, &start) ||
            __builtin_sub_overflow(given->to[axis], given->from[axis], &way) || start > SIM_MOVE_MAX ||
            start < -SIM_MOVE_MAX || way > SIM_MOVE_MAX || way < -SIM_MOVE_MAX) {
            return fault_code_set(fault, FAULT_INVALID, "positions",
                                  "the pin of particle %u goes farther than %g m in a tick", given->particle,
                                  SIM_MOVE_MAX * sim->q);
        }
        if (given->collider != 0 && !sim_place_is_good(given->place[axis])) {
            return fault_code_set(fault, FAULT_INVALID, "pin_places", "%g m for particle %u; at most %g m",
                                  given->place[axis], given->particle, SIM_PLACE_MAX);
        }
        if (!sim_finite(given->velocity[axis])) {
            return fault_code_set(fault, FAULT_INVALID, "velocities", "that of particle %u is not finite",
                                  given->particle);
        }
    }
    if (!(w == 0 || (w >= SIM_INVERSE_MASS_MIN && w <= SIM_INVERSE_MASS_MAX))) {
        return fault_code_set(fault, FAULT_INVALID, "inverse_masses",
                              "%g 1/kg for particle %u; must be 0 (static) or in [%g, %g]", w,
                              given->particle, SIM_INVERSE_MASS_MIN, SIM_INVERSE_MASS_MAX);
    }
    const bool turns = sim_turn_is(given->turned.q);
    const enum fault_code status = (body->rigid && turns ? sim_rigid_turned_check : sim_turned_check)(
        "turned", &given->turned, 1, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    return sim_pin_check(sim, (double)given->compliance, (double)given->distance, given->left,
                         given->particle, fault);
}

// A pin follows again what it followed, with the place that it had. If only its particle is placed, and the pin began to follow
// since, it has its place there.
static void place_put_back(const struct sim *sim, const struct sim_restore_particle *given, bool held,
                           struct sim_pin *pin)
{
    const struct sim_shape *shape = sim_shape_find(sim, pin->collider);
    if (held || given->collider == pin->collider || !shape) {
        pin->collider = given->collider;
        memcpy(pin->place, given->place, sizeof pin->place);
    } else {
        sim_pin_take(sim, shape, given->position, pin);
    }
}

// Its clamp turns with the same collider as it did, or, if it began to since, from the orientation that it has again.
static void held_put_back(const struct sim *sim, const struct sim_restore_particle *given,
                          struct sim_pin *pin)
{
    if (given->collider == pin->collider && sim_turn_is(given->held)) {
        memcpy(pin->clamp.held, given->held, sizeof pin->clamp.held);
    } else if (sim_shape_find(sim, pin->collider)) {
        sim_clamp_take(sim, pin);
    }
}

static void put_back(struct sim *sim, struct sim_body *body, const struct sim_restore_particle *given,
                     uint32_t fields)
{
    uint32_t row = body->first_row + body->row_of[given->particle];
    struct sim_pin *pin = sim_pin_find(body, given->particle);
    const bool back = (fields & SIM_RESTORE_PINS) && given->pinned;
    if (back) {
        memcpy(pin->clamp.from, given->clamp, sizeof pin->clamp.from);
        memcpy(pin->clamp.to, given->clamp + 4, sizeof pin->clamp.to);
        memcpy(pin->clamp.held, given->held, sizeof pin->clamp.held);
        sim_pin_soften(sim, body, pin, given->compliance, given->distance);
    }
    // A hard pin comes back with the place of its particle; from elsewhere the particle would be thrown
    // there. The particle of a soft pin stays where it is.
    const bool held = back && !sim_pin_is_soft(pin);
    const bool stands = pin && !sim_pin_is_soft(pin) && (held || (fields & SIM_RESTORE_POSITIONS));
    if (held || (fields & SIM_RESTORE_POSITIONS)) {
        sim_place(sim, row, given->position);
        sim->placed = true;
    }
    if (stands && !back && sim_pin_clamps(pin) &&
        (given->clamp[4] | given->clamp[5] | given->clamp[6] | given->clamp[7]) != 0) {
        memcpy(pin->clamp.from, given->clamp, sizeof pin->clamp.from);
        memcpy(pin->clamp.to, given->clamp + 4, sizeof pin->clamp.to);
    }
    if (back || stands) {
        memcpy(pin->from, given->from, sizeof pin->from);
        memcpy(pin->to, given->to, sizeof pin->to);
        memcpy(pin->end, given->end, sizeof pin->end);
        pin->left = given->left;
    }
    if (back || (stands && pin->collider != 0)) {
        place_put_back(sim, given, back, pin);
    }
    if (stands && !back && sim_pin_turns(pin)) {
        held_put_back(sim, given, pin);
    }
    if (held || (fields & SIM_RESTORE_VELOCITIES)) {
        memcpy(sim->velocities[row].v, given->velocity, sizeof sim->velocities[row].v);
    }
    if ((fields & SIM_RESTORE_TURNS) && body->turned && (!body->rigid || sim_turn_is(given->turned.q))) {
        sim_turned_put(sim, row, &given->turned);
    }
    if (fields & SIM_RESTORE_INVERSE_MASSES) {
        mass_set(sim, body, row, pin, given->inverse_mass);
    }
    if (fields & SIM_RESTORE_FORCES) {
        sim_load_set(body, given->particle, given->force, given->force_ticks);
    }
}

// Several lists may speak of one body. Particles that none names have their anchors where they are, unless the body had some.
static void sleep_put_back(struct sim *sim, struct sim_body *body, const struct sim_restore_particles *states)
{
    if (!sim->anchors) {
        return; // nothing sleeps in this world, and the body did not
    }
    const bool had = has_anchors(sim, body);
    sim_sleep_put(body, &states->sleep);
    sim->surroundings_known = false;
    if (!has_anchors(sim, body)) {
        return;
    }
    for (uint32_t row = body->first_row; !had && row < body->first_row + body->count; row++) {
        memcpy(sim->anchors[row], sim->rows[row].x, sizeof sim->anchors[row]);
    }
    for (uint32_t i = 0; i < states->count; i++) {
        const struct sim_restore_particle *given = &states->particles[i];
        const uint32_t row = body->first_row + body->row_of[given->particle];
        for (int axis = 0; axis < 3; axis++) {
            sim->anchors[row][axis] = sim_wrap_add(sim->rows[row].x[axis], given->anchor[axis]);
        }
    }
}

enum fault_code sim_restore_particles_apply(struct sim *sim, const struct sim_restore_particles *states,
                                            struct fault *fault)
{
    struct sim_body *body;
    uint32_t count = states->count, pinned = 0, free_count = 0;
    uint32_t *all = calloc((size_t)count + 1, sizeof *all);
    uint32_t *sorted =
        malloc(((size_t)count + 1) * sizeof *sorted); // pinned from the front, free from the back
    enum fault_code status = !all || !sorted ? sim_fault_memory(fault) : FAULT_NONE;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        const struct sim_restore_particle *given = &states->particles[i];
        all[i] = given->particle;
        sorted[given->pinned ? pinned++ : count - ++free_count] = given->particle;
    }
    status = status != FAULT_NONE ? status : sim_particles_check(sim, states->body, all, count, &body, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        status = check_state(sim, body, &states->particles[i], fault);
        if (status == FAULT_NONE) {
            status = sim_clamp_given(body, states->particles[i].particle, states->particles[i].clamp, fault);
        }
        if (status == FAULT_NONE) {
            const struct sim_restore_particle *given = &states->particles[i];
            status = sim_clamp_held_given(given->held, given->clamp, given->collider, given->particle, fault);
        }
        if (status == FAULT_NONE) {
            status =
                sim_force_check(states->particles[i].force, states->particles[i].force_ticks, all[i], fault);
        }
    }
    const bool forced = states->fields & SIM_RESTORE_FORCES;
    if (status == FAULT_NONE && forced && !sim_loads_reserve(sim, body, count)) {
        status = sim_fault_memory(fault);
    }
    // A body may rest although nothing sleeps any more (image_make.c), and an image of that world has no anchors if nobody rested.
    const bool rests =
        (states->fields & SIM_RESTORE_SLEEP) && (states->sleep.asleep || states->sleep.still > 0);
    if (status == FAULT_NONE && !sim_anchors_reserve(sim, rests)) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE && (states->fields & SIM_RESTORE_PINS)) {
        status = sim_pins_insert(sim, body, sorted, pinned, fault);
        if (status == FAULT_NONE) {
            sim_pins_remove(sim, body, sorted + pinned, free_count);
        }
    }
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        put_back(sim, body, &states->particles[i], states->fields);
    }
    if (status == FAULT_NONE && (states->fields & SIM_RESTORE_SLEEP)) {
        sleep_put_back(sim, body, states);
    }
    if (status == FAULT_NONE) {
        sim_edited(body);
    }
    free(all);
    free(sorted);
    return status;
}
