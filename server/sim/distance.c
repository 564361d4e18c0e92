// Distance constraint: C = |x1 - x2| - L.
//
//   d = x1 - x2;  l = |d|;  n = d/l;  grad1 = n, grad2 = -n;  W = w1 + w2
//   XPBD (2016, eq. 18):         dlam = -(C + alpha~ lam) / (W + alpha~),   alpha~ = alpha/h^2
//   with damping (eq. 26):       dlam = -(C + alpha~ lam + gamma n.(dx1 - dx2)) / ((1 + gamma) W + alpha~),
//                                gamma = alpha beta / h, dx = x - x at the substep's start
//   plain PBD (2007, eq. 10-11): dlam = -k' C / W
//   x1 += w1 dlam n;  x2 -= w2 dlam n
//
// Lengths are in quanta: L is stored so, and dlam comes out in kg quanta. A lane whose particles are both
// static (holes are such) or coincide is passed over: there is nothing to move, or no direction to do it in.
//
// This is the scalar solve: lane after lane of a batch. Constraints of one colour share no particle, so a
// solve that takes all lanes at once gives the same bits.

#include "sim/internal.h"

static inline float solve_lane(struct sim *sim, const uint32_t *batch, float beta, float *multiplier,
                               uint32_t lane, enum sim_flavor flavor)
{
    uint32_t ia = batch[lane], ib = batch[SIM_LANES + lane];
    struct sim_row *a = &sim->rows[ia], *b = &sim->rows[ib];
    float rest, give; // give: compliance, or k' of a stiff batch
    memcpy(&rest, batch + 2 * SIM_LANES + lane, sizeof rest);
    memcpy(&give, batch + 3 * SIM_LANES + lane, sizeof give);
    float w = a->w + b->w;
    float dx = (float)sim_wrap_sub(a->x[0], b->x[0]);
    float dy = (float)sim_wrap_sub(a->x[1], b->x[1]);
    float dz = (float)sim_wrap_sub(a->x[2], b->x[2]);
    float l = __builtin_sqrtf((dx * dx + dy * dy) + dz * dz);
    if (w == 0 || l == 0) {
        return w == 0 ? 0 : l;
    }
    float c = l - rest, step;
    if (flavor == SIM_STIFF) {
        step = -(give * c) / w;
    } else {
        float alpha = give * sim->times.inv_h2;
        float lambda = multiplier != NULL ? multiplier[lane] : 0;
        if (flavor == SIM_DAMPED) {
            const int32_t *pa = sim->previous[ia].x, *pb = sim->previous[ib].x;
            float mx = (float)sim_wrap_sub(sim_wrap_sub(a->x[0], pa[0]), sim_wrap_sub(b->x[0], pb[0]));
            float my = (float)sim_wrap_sub(sim_wrap_sub(a->x[1], pa[1]), sim_wrap_sub(b->x[1], pb[1]));
            float mz = (float)sim_wrap_sub(sim_wrap_sub(a->x[2], pa[2]), sim_wrap_sub(b->x[2], pb[2]));
            float gamma = (give * beta) * sim->times.inv_h;
            float along = ((dx * mx + dy * my) + dz * mz) / l;
            step = -((c + alpha * lambda) + gamma * along) / ((1 + gamma) * w + alpha);
        } else {
            step = -(c + alpha * lambda) / (w + alpha);
        }
    }
    if (multiplier != NULL) {
        multiplier[lane] += step;
    }
    float s = step / l, sa = s * a->w, sb = s * b->w;
    a->x[0] = sim_wrap_add(a->x[0], sim_round(sa * dx));
    a->x[1] = sim_wrap_add(a->x[1], sim_round(sa * dy));
    a->x[2] = sim_wrap_add(a->x[2], sim_round(sa * dz));
    b->x[0] = sim_wrap_sub(b->x[0], sim_round(sb * dx));
    b->x[1] = sim_wrap_sub(b->x[1], sim_round(sb * dy));
    b->x[2] = sim_wrap_sub(b->x[2], sim_round(sb * dz));
    return l;
}

void sim_distance_solve(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    float longest = tile->longest;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        uint32_t index = tile->order[i];
        const uint32_t *batch = store->batches + (size_t)index * store->words;
        const float *beta = store->damping[index];
        float *multiplier =
            store->multipliers == NULL ? NULL : store->multipliers + (size_t)index * SIM_LANES;
        enum sim_flavor flavor = (enum sim_flavor)store->meta[index].flavor;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            float l = solve_lane(sim, batch, beta[lane], multiplier, lane, flavor);
            longest = l > longest ? l : longest;
        }
    }
    tile->longest = longest;
}
