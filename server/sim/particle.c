// Particles placed, pinned and let go.
//
// A pinned particle has inverse mass 0 in its row; its own waits in the pin. Pins of a body are sorted by index.

#include "sim/internal.h"

#include <stdlib.h>

static uint32_t pin_place(const struct sim_body *body, uint32_t index)
{
    uint32_t low = 0, high = body->pin_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (body->pins[middle].index < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index)
{
    uint32_t place = pin_place(body, index);
    return place < body->pin_count && body->pins[place].index == index ? &body->pins[place] : NULL;
}

// Finds the body and checks that each index is in range and stands in the list once.
static enum sim_status check_particles(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                       struct sim_body **body, struct sim_fault *fault)
{
    *body = sim_body_find(sim, id);
    if (*body == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "body", "body %u does not exist", id);
    }
    uint8_t *seen = calloc(((size_t)(*body)->count + 7) / 8, 1);
    if (seen == NULL) {
        return sim_fault_memory(fault);
    }
    enum sim_status status = SIM_OK;
    for (uint32_t i = 0; status == SIM_OK && i < count; i++) {
        uint32_t p = particles[i];
        if (p >= (*body)->count) {
            status = sim_fault_set(fault, SIM_INVALID, "particles", "element %u names particle %u; body %u has %u (0 to %u)", i,
                                   p, id, (*body)->count, (*body)->count - 1);
        } else if (seen[p / 8] & 1u << p % 8) {
            status = sim_fault_set(fault, SIM_INVALID, "particles", "element %u names particle %u again", i, p);
        } else {
            seen[p / 8] |= (uint8_t)(1u << p % 8);
        }
    }
    free(seen);
    return status;
}

static enum sim_status check_positions(const struct sim *sim, const double *positions, const uint32_t *particles,
                                       uint32_t count, struct sim_fault *fault)
{
    double extent = sim->settings.extent;
    for (size_t i = 0; positions != NULL && i < (size_t)count * 3; i++) {
        if (!(positions[i] >= -extent && positions[i] <= extent)) {
            return sim_fault_set(fault, SIM_INVALID, "positions", "%g m for particle %u; at most %g m (extent)", positions[i],
                                 particles[i / 3], extent);
        }
    }
    return SIM_OK;
}

enum sim_status sim_particles_set(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                  const double *positions, const float *velocities, const float *inverse_masses,
                                  struct sim_fault *fault)
{
    struct sim_body *body;
    enum sim_status status = check_particles(sim, id, particles, count, &body, fault);
    status = status != SIM_OK ? status : check_positions(sim, positions, particles, count, fault);
    for (size_t i = 0; status == SIM_OK && velocities != NULL && i < (size_t)count * 3; i++) {
        if (!sim_finite(velocities[i])) {
            status = sim_fault_set(fault, SIM_INVALID, "velocities", "that of particle %u is not finite", particles[i / 3]);
        }
    }
    for (uint32_t i = 0; status == SIM_OK && inverse_masses != NULL && i < count; i++) {
        if (!(inverse_masses[i] >= 0 && (double)inverse_masses[i] <= SIM_INVERSE_MASS_MAX)) {
            status = sim_fault_set(fault, SIM_INVALID, "inverse_masses", "%g for particle %u; must be in [0, %g]",
                                   (double)inverse_masses[i], particles[i], SIM_INVERSE_MASS_MAX);
        }
    }
    if (status != SIM_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = body->first_row + body->row_of[particles[i]];
        struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (positions != NULL) {
            int64_t x[3];
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = sim_quantize(positions[3 * (size_t)i + axis], sim->inv_q);
            }
            sim_place(sim, row, x);
            if (pin != NULL) {
                memcpy(pin->from, x, sizeof pin->from);
                memcpy(pin->to, x, sizeof pin->to);
            }
        }
        if (velocities != NULL) {
            memcpy(sim->velocities[row].v, velocities + 3 * (size_t)i, sizeof sim->velocities[row].v);
        }
        if (inverse_masses != NULL) {
            *(pin != NULL ? &pin->inverse_mass : &sim->rows[row].w) = inverse_masses[i];
        }
    }
    return SIM_OK;
}

enum sim_status sim_particles_pin(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                  const double *positions, struct sim_fault *fault)
{
    struct sim_body *body;
    enum sim_status status = check_particles(sim, id, particles, count, &body, fault);
    status = status != SIM_OK ? status : check_positions(sim, positions, particles, count, fault);
    for (size_t i = 0; status == SIM_OK && positions != NULL && i < (size_t)count * 3; i++) {
        uint32_t row = body->first_row + body->row_of[particles[i / 3]];
        int64_t way = sim_quantize(positions[i], sim->inv_q) - sim->positions[row][i % 3];
        if (way > SIM_MOVE_MAX || way < -SIM_MOVE_MAX) {
            status = sim_fault_set(fault, SIM_INVALID, "positions", "%g m is %g m from where particle %u is; at most %g m in a tick",
                                   positions[i], (double)way * sim->q, particles[i / 3], SIM_MOVE_MAX * sim->q);
        }
    }
    if (status == SIM_OK && !sim_reserve((void **)&body->pins, &body->pin_capacity, (uint64_t)body->pin_count + count,
                                         sizeof *body->pins)) {
        status = sim_fault_memory(fault);
    }
    if (status != SIM_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = body->first_row + body->row_of[particles[i]];
        uint32_t place = pin_place(body, particles[i]);
        struct sim_pin *pin = &body->pins[place];
        if (place == body->pin_count || pin->index != particles[i]) {
            memmove(pin + 1, pin, (body->pin_count - place) * sizeof *pin);
            body->pin_count++;
            *pin = (struct sim_pin){.index = particles[i], .inverse_mass = sim->rows[row].w};
            sim->rows[row].w = 0;
        }
        memcpy(pin->from, sim->positions[row], sizeof pin->from);
        for (int axis = 0; axis < 3; axis++) {
            pin->to[axis] = positions == NULL ? pin->from[axis]
                                              : sim_quantize(positions[3 * (size_t)i + axis], sim->inv_q);
        }
    }
    return SIM_OK;
}

enum sim_status sim_particles_unpin(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                    struct sim_fault *fault)
{
    struct sim_body *body;
    enum sim_status status = check_particles(sim, id, particles, count, &body, fault);
    if (status != SIM_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = pin_place(body, particles[i]);
        if (place == body->pin_count || body->pins[place].index != particles[i]) {
            continue;
        }
        struct sim_pin *pin = &body->pins[place];
        sim->rows[body->first_row + body->row_of[particles[i]]].w = pin->inverse_mass;
        memmove(pin, pin + 1, (body->pin_count - place - 1) * sizeof *pin);
        body->pin_count--;
    }
    return SIM_OK;
}
