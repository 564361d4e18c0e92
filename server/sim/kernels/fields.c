// Fields of force, in each substep that some body feels one: what a particle gets in place of the world's gravity.
//
//     point     a = -S (D/d)^p r / d             r: from the position; d^2 = |r|^2 + core^2; p: 0, 1 or 2
//     vortex    a =  S (D/d)^p (n x r) / d       d^2 = |n x r|^2 + core^2
//     drag      a =  k (u - v)                   u: of the medium
//
//     push = (base + h sum b a + h sum b k u - h K v) / (1 + h K),  K = sum b k
//
// Drag is implicit: it ends where v = u, however strong it is and however many of them meet, and what falls in it comes to the
// speed a/K. b is 1 in the region of the field and 0 outside, and fades by f^3 (10 - 15 f + 6 f^2) in its margin.
//
// Fields are summed in the order of their ids. A place is the difference of whole coordinates, rounded once, so a field is as fine
// far from the origin as at it.

#include "sim/kernels/region.h"

#define PUSH_MAX 1e30f // as solve/push.c

// Sums over the fields.
struct sums {
    struct w_vec pull; // m/s^2, with k u of drags
    wf rate;           // 1/s
};

// S (D/d)^p / d.
SIM_INLINE wf gain_of(const struct sim_force_now *field, wf square)
{
    const wf d = w_sqrt(square + w_set(field->core2)), ratio = w_set(field->distance) / d;
    wf gain = w_set(field->strength) / d;
    for (uint32_t p = 0; p < field->falloff; p++) {
        gain = gain * ratio;
    }
    return gain;
}

SIM_INLINE void field_add(const struct sim_force_now *field, const struct w_vec *r, struct sums *sums)
{
    const wf share = region_of(field, r);
    struct w_vec a;
    if (field->kind == SIM_FORCE_DRAG) {
        const wf rate = share * w_set(field->strength);
        sums->rate = sums->rate + rate;
        for (int axis = 0; axis < 3; axis++) {
            sums->pull.x[axis] = sums->pull.x[axis] + rate * w_set(field->velocity[axis]);
        }
        return;
    }
    if (field->kind == SIM_FORCE_POINT) {
        const wf gain = gain_of(field, w_dot(*r, *r));
        for (int axis = 0; axis < 3; axis++) {
            a.x[axis] = w_negative(gain * r->x[axis]);
        }
    } else {
        const struct w_vec n = {{w_set(field->axis[0]), w_set(field->axis[1]), w_set(field->axis[2])}};
        const struct w_vec around = w_cross(n, *r);
        const wf gain = gain_of(field, w_dot(around, around));
        for (int axis = 0; axis < 3; axis++) {
            a.x[axis] = gain * around.x[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        sums->pull.x[axis] = sums->pull.x[axis] + share * a.x[axis];
    }
}

SIM_INLINE struct w_vec place_of(const struct sim *sim, const uint32_t *rows, const int64_t middle[3])
{
    float parts[3][WIDE];
    struct w_vec r;
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t lane = 0; lane < WIDE; lane++) {
            const int64_t x = sim_whole(sim, rows[lane], axis, sim->rows[rows[lane]].x[axis]);
            parts[axis][lane] = (float)(x - middle[axis]);
        }
        r.x[axis] = w_load(parts[axis]) * w_set(sim->times.q);
    }
    return r;
}

void SIM_ISA(sim_fields_push)(struct sim *sim, const struct sim_chunk *chunk)
{
    const wf h = w_set(sim->times.h);
    for (uint32_t first = 0; first < chunk->count; first += WIDE) {
        uint32_t rows[WIDE];
        float base[3][WIDE], v[3][WIDE], push[3][WIDE];
        for (uint32_t lane = 0; lane < WIDE; lane++) {
            rows[lane] = chunk->first_row + (first + lane < chunk->count ? first + lane : chunk->count - 1);
            for (int axis = 0; axis < 3; axis++) {
                base[axis][lane] = sim->bases[rows[lane]].v[axis];
                v[axis][lane] = sim->velocities[rows[lane]].v[axis];
            }
        }
        struct sums sums = {{{w_set(0), w_set(0), w_set(0)}}, w_set(0)};
        for (uint32_t f = 0; f < sim->settings.forces.count; f++) {
            if (chunk->body->fields & 1u << f) {
                const struct w_vec r = place_of(sim, rows, sim->fields[f].middle);
                field_add(&sim->fields[f], &r, &sums);
            }
        }
        const wf slows = h * sums.rate;
        for (int axis = 0; axis < 3; axis++) {
            const wf given = (w_load(base[axis]) + h * sums.pull.x[axis]) - slows * w_load(v[axis]);
            const wf kick = given / (w_set(1) + slows);
            w_store(push[axis], w_min(w_max(kick, w_set(-PUSH_MAX)), w_set(PUSH_MAX)));
        }
        for (uint32_t lane = 0; lane < WIDE && first + lane < chunk->count; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                sim->pushes[rows[lane]].v[axis] = push[axis][lane];
            }
        }
    }
}
