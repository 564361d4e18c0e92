// Forces on bodies and on their particles, as edits change them. Forces on particles are sorted by index; none of them is 0.

#include "base/array.h"
#include "sim/body/pull.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

static bool is_none(const double force[3])
{
    return force[0] == 0 && force[1] == 0 && force[2] == 0;
}

void sim_pull_set(struct sim_body *body, const struct sim_own_gravity *gravity,
                  const struct sim_own_wind *wind, const struct sim_body_force *force)
{
    if (gravity) {
        body->gravity = gravity->own ? *gravity : (struct sim_own_gravity){0};
    }
    if (wind) {
        body->wind = *wind;
    }
    if (force) {
        body->force = is_none(force->value) ? (struct sim_body_force){0} : *force;
    }
}

// By index; *found tells whether it is there, else the place is that of the one after it.
static uint32_t place_of(const struct sim_body *body, uint32_t index, bool *found)
{
    uint32_t low = 0, high = body->load_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (body->loads[middle].index < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *found = low < body->load_count && body->loads[low].index == index;
    return low;
}

static struct sim_load load_of(uint32_t index, const double force[3], uint32_t ticks)
{
    return (struct sim_load){
        .index = index, .left = ticks, .force = {(float)force[0], (float)force[1], (float)force[2]}};
}

// A force so small that a float does not hold it is none.
static bool is_felt(const struct sim_load *load)
{
    return load->force[0] != 0 || load->force[1] != 0 || load->force[2] != 0;
}

bool sim_loads_reserve(struct sim *sim, struct sim_body *body, uint32_t more)
{
    return sim_pushes_reserve(sim, true) &&
           array_reserve(&body->loads, &body->load_capacity, (uint64_t)body->load_count + more);
}

void sim_load_set(struct sim_body *body, uint32_t index, const double force[3], uint32_t ticks)
{
    const struct sim_load load = load_of(index, force, ticks);
    bool found;
    const uint32_t place = place_of(body, index, &found);
    if (found && !is_felt(&load)) {
        memmove(body->loads + place, body->loads + place + 1,
                (--body->load_count - place) * sizeof *body->loads);
    } else if (found) {
        body->loads[place] = load;
    } else if (is_felt(&load)) {
        memmove(body->loads + place + 1, body->loads + place,
                (body->load_count++ - place) * sizeof *body->loads);
        body->loads[place] = load;
    }
}

const struct sim_load *sim_load_find(const struct sim_body *body, uint32_t index)
{
    bool found;
    const uint32_t place = place_of(body, index, &found);
    return found ? &body->loads[place] : NULL;
}

static int by_index(const void *one, const void *other)
{
    const uint32_t a = ((const struct sim_load *)one)->index, b = ((const struct sim_load *)other)->index;
    return a < b ? -1 : a > b;
}

// Many at once: both lists are merged from the front into a new one.
static enum fault_code loads_merge(struct sim_body *body, struct sim_load *given, uint32_t count,
                                   struct fault *fault)
{
    const uint64_t most = (uint64_t)body->load_count + count;
    struct sim_load *merged = most <= UINT32_MAX ? malloc((most + 1) * sizeof *merged) : NULL;
    uint32_t old = 0, next = 0, end = 0;
    if (!merged) {
        return sim_fault_memory(fault);
    }
    qsort(given, count, sizeof *given, by_index);
    while (old < body->load_count || next < count) {
        if (next == count || (old < body->load_count && body->loads[old].index < given[next].index)) {
            merged[end++] = body->loads[old++];
            continue;
        }
        old += old < body->load_count && body->loads[old].index == given[next].index;
        if (is_felt(&given[next])) {
            merged[end++] = given[next];
        }
        next++;
    }
    free(body->loads);
    body->loads = merged;
    body->load_count = end;
    body->load_capacity = (uint32_t)most + 1;
    return FAULT_NONE;
}

enum fault_code sim_particles_force(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                    const double *forces, uint32_t ticks, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        status = sim_force_check(forces + 3 * (size_t)i, ticks, particles[i], fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    struct sim_load *given = malloc(((size_t)count + 1) * sizeof *given);
    if (!given || !sim_pushes_reserve(sim, true)) {
        free(given);
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < count; i++) {
        given[i] = load_of(particles[i], forces + 3 * (size_t)i, ticks);
    }
    status = loads_merge(body, given, count, fault);
    free(given);
    if (status == FAULT_NONE) {
        sim_edited(body);
    }
    return status;
}

void sim_body_forces(const struct sim *sim, uint32_t id, uint32_t *particles, double *forces, uint32_t *ticks)
{
    const struct sim_body *body = sim_body_find(sim, id);
    for (uint32_t l = 0; l < body->load_count; l++) {
        const struct sim_load *load = &body->loads[l];
        if (particles) {
            particles[l] = load->index;
        }
        if (ticks) {
            ticks[l] = load->left;
        }
        for (uint32_t axis = 0; forces && axis < 3; axis++) {
            forces[3 * (size_t)l + axis] = (double)load->force[axis];
        }
    }
}
