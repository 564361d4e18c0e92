// What is read of bodies: arrays in the caller's order.

#include "base/assert.h"
#include "sim/internal.h"

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

bool sim_body_info(const struct sim *sim, uint32_t id, struct sim_body_info *info)
{
    const struct sim_body *body = sim_body_find(sim, id);
    if (body == NULL) {
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
        .stretch = body->stretch,
        .bend_model = body->bend_model,
        .bend = body->bend,
        .volume = body->volume,
        .thickness = body->thickness,
        .pin_count = body->pin_count,
    };
    memcpy(info->constraint_first, body->constraint_first, sizeof info->constraint_first);
    memcpy(info->constraint_count, body->constraint_count, sizeof info->constraint_count);
    return true;
}

static const struct sim_body *body_with(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count)
{
    const struct sim_body *body = sim_body_find(sim, id);
    BASE_ASSERT(body != NULL && first <= body->count && count <= body->count - first);
    return body;
}

void sim_body_positions(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = body->first_row + body->row_of[first + i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            out[3 * (size_t)i + axis] =
                (float)((double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q);
        }
    }
}

void sim_body_positions64(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, double *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = body->first_row + body->row_of[first + i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            out[3 * (size_t)i + axis] = (double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q;
        }
    }
}

void sim_body_velocities(const struct sim *sim, uint32_t id, uint32_t first, uint32_t count, float *out)
{
    const struct sim_body *body = body_with(sim, id, first, count);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(out + 3 * (size_t)i, sim->velocities[body->first_row + body->row_of[first + i]].v,
               3 * sizeof *out);
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
        float w = pin != NULL ? pin->inverse_mass : sim->rows[body->first_row + body->row_of[i]].w;
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
    const struct sim_body *body = body_with(sim, id, 0, 0);
    memset(out, 0, (size_t)body->count * 3 * sizeof *out);
    for (uint32_t t = 0; t < body->surface_count; t++) {
        const uint32_t *corner = body->surface + 3 * (size_t)t;
        const int32_t *x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = sim->rows[body->first_row + body->row_of[corner[k]]].x;
        }
        float u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = (float)sim_wrap_sub(x[1][axis], x[0][axis]);
            v[axis] = (float)sim_wrap_sub(x[2][axis], x[0][axis]);
        }
        // Twice the area along the normal: summing it weighs triangles by their areas.
        float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                out[3 * (size_t)corner[k] + axis] += n[axis];
            }
        }
    }
    for (uint32_t i = 0; i < body->count; i++) {
        float *n = out + 3 * (size_t)i;
        float length = __builtin_sqrtf((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = length > 0 ? n[axis] / length : 0;
        }
    }
}
