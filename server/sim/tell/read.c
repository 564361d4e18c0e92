// Reads bodies: arrays in the caller's order.

#include "base/assert.h"
#include "sim/ground/ground.h"
#include "sim/state/rod.h"

#include <stdlib.h>

uint32_t sim_body_count(const struct sim *sim)
{
    return sim->body_count;
}

uint32_t sim_body_id_at(const struct sim *sim, uint32_t position)
{
    BASE_ASSERT(position < sim->body_count);
    return sim->bodies[position]->id;
}

const char *sim_body_surface_name(const struct sim *sim, uint32_t id)
{
    return sim_body_find(sim, id)->meeting.surface;
}

bool sim_body_info(const struct sim *sim, uint32_t id, struct sim_body_info *info)
{
    const struct sim_body *body = sim_body_find(sim, id);
    if (!body) {
        return false;
    }
    *info = (struct sim_body_info){
        .body = id,
        .kind = body->kind,
        .particle_count = body->count,
        .triangles = body->triangles,
        .triangle_count = body->triangle_count,
        .surface = body->surface,
        .surface_count = body->surface_count,
        .edges = body->edges,
        .edge_count = body->edge_count,
        .tets = body->tets,
        .tet_count = body->tet_count,
        .stretch_model = body->stretch_model,
        .yarns = body->yarns,
        .uvs = body->uvs,
        .stretch = body->materials[SIM_PART_STRETCH],
        .bend_model = body->bend_model,
        .bend = body->materials[SIM_PART_BEND],
        .volume = body->materials[SIM_PART_VOLUMES],
        .solid_model = body->solid_model,
        .solid = body->materials[SIM_PART_SOLID],
        .thickness = body->thickness,
        .meeting = body->meeting,
        .pressure = sim_pressure_of(sim, body),
        .gravity = body->gravity,
        .wind = body->wind,
        .force = body->force,
        .force_count = body->load_count,
        .matching = body->matching,
        .tear = body->torn ? body->torn->tear : (struct sim_tear){0},
        .pin_count = body->pin_count,
        .restless = body->restless,
        .asleep = body->asleep && sim->settings.sleep,
        .turns = body->turned != NULL,
        .rod = body->rod ? &body->rod->given : NULL,
        .rigid = body->rigid ? &body->rigid->shape : NULL,
    };
    memcpy(info->constraint_first, body->constraint_first, sizeof info->constraint_first);
    memcpy(info->constraint_count, body->constraint_count, sizeof info->constraint_count);
    return true;
}

static const struct sim_body *body_with(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count)
{
    const struct sim_body *body = sim_body_find(sim, id);
    BASE_ASSERT(body && first <= body->count && count <= body->count - first);
    return body;
}

void sim_body_positions(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    BASE_ASSERT(!sim->dropped);
    sim->kernels->capture(sim, body_with(sim, id, first, count), first, count, out);
}

void sim_body_positions64(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, double *out)
{
    BASE_ASSERT(!sim->dropped);
    sim->kernels->capture64(sim, body_with(sim, id, first, count), first, count, out);
}

void sim_body_velocities(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    BASE_ASSERT(!sim->dropped);
    const struct sim_body *body = body_with(sim, id, first, count);
    const uint32_t *row_of = body->row_of + first;
    const struct sim_velocity *velocities = sim->velocities + body->first_row;
    // Whole rows at a time: the fourth number falls where the next particle's are written after it.
    for (uint32_t i = 0; i < count; i++) {
        memcpy(out + 3 * (size_t)i, &velocities[row_of[i]],
               i + 1 < count ? sizeof *velocities : 3 * sizeof *out);
    }
}

void sim_body_turned(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count,
                     struct sim_turned *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        memset(&out[i], 0, sizeof out[i]);
        if (body->turned) {
            sim_turned_of(sim, body->first_row + body->row_of[first + i], &out[i]);
        }
    }
}

void sim_body_spins(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        float *spin = out + 3 * (size_t)i;
        memset(spin, 0, 3 * sizeof *spin);
        if (body->rigid) {
            sim_rigid_spin(sim, body, first + i, spin);
        } else if (body->turned) {
            memcpy(spin, sim->spins[body->first_row + body->row_of[first + i]].v, 3 * sizeof *spin);
        }
    }
}

bool sim_body_turns(const struct sim *sim, uint32_t id)
{
    return body_with(sim, id, 0, 0)->turned != NULL;
}

static struct sim_turn turn_of(const struct sim *sim, const struct sim_body *body, uint32_t particle)
{
    struct sim_turn turn = {{0}};
    if (body->turned) {
        turn = sim->turns[body->first_row + body->row_of[particle]];
        sim_turn_sign(turn.q);
    }
    return turn;
}

void sim_body_rotations(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    BASE_ASSERT(!sim->dropped);
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_turn turn = turn_of(sim, body, first + i);
        for (int k = 0; k < 4; k++) {
            out[4 * (size_t)i + (size_t)k] = (float)turn.q[k] * (float)SIM_TURN_QUANTUM;
        }
    }
}

void sim_body_rotations64(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, double *out)
{
    BASE_ASSERT(!sim->dropped);
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_turn turn = turn_of(sim, body, first + i);
        for (int k = 0; k < 4; k++) {
            out[4 * (size_t)i + (size_t)k] = turn.q[k] * SIM_TURN_QUANTUM;
        }
    }
}

void sim_body_inverse_masses(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = sim->rows[body->first_row + body->row_of[first + i]].w;
    }
}

void sim_body_rest_positions(const struct sim *sim, uint32_t id, double *out)
{
    const struct sim_body *body = body_with(sim, id, 0, 0);
    for (uint32_t i = 0; i < body->count; i++) {
        int64_t rest[3];
        sim_rest_of(body, i, rest);
        for (int axis = 0; axis < 3; axis++) {
            out[3 * (size_t)i + axis] = (double)rest[axis] * sim->q;
        }
    }
}

void sim_body_masses(const struct sim *sim, uint32_t id, double *out)
{
    const struct sim_body *body = body_with(sim, id, 0, 0);
    for (uint32_t i = 0; i < body->count; i++) {
        const struct sim_pin *pin = sim_pin_find(body, i);
        float w = pin ? pin->inverse_mass : sim->rows[body->first_row + body->row_of[i]].w;
        out[i] = w > 0 ? 1.0 / (double)w : 0;
    }
}

void sim_body_pins(const struct sim *sim, uint32_t id, uint32_t *out)
{
    const struct sim_body *body = body_with(sim, id, 0, 0);
    for (uint32_t p = 0; p < body->pin_count; p++) {
        out[p] = body->pins[p].index;
    }
}

void sim_body_normals(const struct sim *sim, uint32_t id, float *out)
{
    sim->kernels->normals(sim, body_with(sim, id, 0, 0), out);
}
