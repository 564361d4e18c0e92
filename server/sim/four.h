// What the solves of four-particle constraints share: gathering a stencil, and moving it.
//
// Offsets from the stencil's first particle are exact differences of low words, converted and scaled to
// metres (q is a power of two, so the scaling rounds nothing); squares of volumes would overflow in quanta.
#ifndef WEFT_SIM_FOUR_H
#define WEFT_SIM_FOUR_H

#include "sim/internal.h"

struct sim_four {
    uint32_t rows[4];
    float w[4];
    float d[3][3]; // x1 - x0, x2 - x0, x3 - x0, m
    float longest; // greatest of their lengths, quanta
};

struct sim_lane {
    const uint32_t *batch;
    uint32_t lane;
    enum sim_flavor flavor;
    float give; // compliance, or k' of a stiff batch
    float beta;
    float *multiplier; // of this lane, stride SIM_LANES; NULL where not kept
};

static inline float sim_lane_param(const struct sim_lane *lane, uint32_t stencil, uint32_t param)
{
    float value;
    memcpy(&value, lane->batch + (stencil + param) * SIM_LANES + lane->lane, sizeof value);
    return value;
}

static inline float sim_dot3(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void sim_cross3(float out[3], const float a[3], const float b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// False where nothing can move (holes are such).
static inline bool sim_four_gather(const struct sim *sim, const struct sim_lane *lane, struct sim_four *four)
{
    for (uint32_t k = 0; k < 4; k++) {
        four->rows[k] = lane->batch[k * SIM_LANES + lane->lane];
        four->w[k] = sim->rows[four->rows[k]].w;
    }
    if (((four->w[0] + four->w[1]) + four->w[2]) + four->w[3] == 0) {
        return false;
    }
    const int32_t *x0 = sim->rows[four->rows[0]].x;
    four->longest = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const int32_t *x = sim->rows[four->rows[k + 1]].x;
        float o[3];
        for (int axis = 0; axis < 3; axis++) {
            o[axis] = (float)sim_wrap_sub(x[axis], x0[axis]);
            four->d[k][axis] = o[axis] * sim->times.q;
        }
        float l2 = sim_dot3(o, o);
        four->longest = l2 > four->longest ? l2 : four->longest;
    }
    four->longest = __builtin_sqrtf(four->longest);
    return true;
}

// sum of grad_k . (x_k - x_k at the substep's start): what damping acts on.
static inline float sim_four_rate(const struct sim *sim, const struct sim_four *four, const float grad[4][3])
{
    float sum = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const int32_t *x = sim->rows[four->rows[k]].x, *before = sim->previous[four->rows[k]].x;
        float moved[3];
        for (int axis = 0; axis < 3; axis++) {
            moved[axis] = (float)sim_wrap_sub(x[axis], before[axis]) * sim->times.q;
        }
        sum += sim_dot3(grad[k], moved);
    }
    return sum;
}

static inline void sim_four_move(struct sim *sim, const struct sim_four *four, const float grad[4][3],
                                 float step)
{
    for (uint32_t k = 0; k < 4; k++) {
        float scale = (step * four->w[k]) * sim->times.inv_q;
        int32_t *x = sim->rows[four->rows[k]].x;
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = sim_wrap_add(x[axis], sim_round(scale * grad[k][axis]));
        }
    }
}

// XPBD (2016, eq. 18, and 26 with damping) or plain PBD, for a constraint C with gradients grad.
static inline void sim_four_project(struct sim *sim, const struct sim_lane *lane, const struct sim_four *four,
                                    float c, const float grad[4][3])
{
    float weight = 0;
    for (uint32_t k = 0; k < 4; k++) {
        weight += four->w[k] * sim_dot3(grad[k], grad[k]);
    }
    float step;
    if (lane->flavor == SIM_STIFF) {
        if (weight == 0) {
            return;
        }
        step = -(lane->give * c) / weight;
    } else {
        float alpha = lane->give * sim->times.inv_h2;
        float lambda = lane->multiplier != NULL ? *lane->multiplier : 0;
        float gamma = 0, rate = 0;
        if (lane->flavor == SIM_DAMPED) {
            gamma = (lane->give * lane->beta) * sim->times.inv_h;
            rate = sim_four_rate(sim, four, grad);
        }
        float resistance = (1 + gamma) * weight + alpha;
        if (resistance == 0) {
            return; // no gradient and no compliance: nowhere to go
        }
        step = -((c + alpha * lambda) + gamma * rate) / resistance;
    }
    if (lane->multiplier != NULL) {
        *lane->multiplier += step;
    }
    sim_four_move(sim, four, grad, step);
}

// Runs solve over all lanes of a tile's batches in their order.
static inline void sim_four_tile(struct sim *sim, struct sim_tile *tile,
                                 float (*solve)(struct sim *sim, const struct sim_lane *lane))
{
    const struct sim_store *store = &sim->stores[tile->kind];
    float longest = tile->longest;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        uint32_t index = tile->order[i];
        const float *give = sim_batch_params(store, index, store->param_count - 1);
        struct sim_lane lane = {
            .batch = store->batches + (size_t)index * store->words,
            .flavor = (enum sim_flavor)store->meta[index].flavor,
        };
        for (lane.lane = 0; lane.lane < SIM_LANES; lane.lane++) {
            lane.give = give[lane.lane];
            lane.beta = store->damping[index][lane.lane];
            lane.multiplier =
                store->multipliers == NULL
                    ? NULL
                    : store->multipliers + (size_t)index * store->multiplier_count * SIM_LANES + lane.lane;
            float l = solve(sim, &lane);
            longest = l > longest ? l : longest;
        }
    }
    tile->longest = longest;
}

#endif
