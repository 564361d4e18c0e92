// Distance constraint: C = |x1 - x2| - L.
//
//   d = x1 - x2;  l = |d|;  n = d/l;  grad1 = n, grad2 = -n;  W = w1 + w2
//   XPBD (2016, eq. 18):         dlam = -(C + alpha~ lam) / (W + alpha~),   alpha~ = alpha/h^2
//   with damping (eq. 26):       dlam = -(C + alpha~ lam + gamma n.(dx1 - dx2)) / ((1 + gamma) W + alpha~),
//                                gamma = alpha beta / h, dx = x - x at the substep's start
//   plain PBD (2007, eq. 10-11): dlam = -k' C / W
//   x1 += w1 dlam n;  x2 -= w2 dlam n
//
// Lengths are in quanta: L is stored so, and dlam comes out in kg quanta. What is computed is s = -dlam/l,
// with one division. A lane whose particles are both static (holes are such) or coincide moves nothing: there
// is nothing to move, or no direction to do it in. l is cut at what fails the world, so that no correction
// leaves the range of an int32.

#include "sim/wide.h"

SIM_INLINE wf rate_along(const struct sim *sim, const uint32_t *at, const struct w_rows *a,
                         const struct w_rows *b, struct w_vec d, wf l)
{
    struct w_rows pa = w_rows_at(sim->previous, at), pb = w_rows_at(sim->previous, at + SIM_LANES);
    struct w_vec m;
    for (int axis = 0; axis < 3; axis++) {
        m.x[axis] = w_apart(a->x[axis] - pa.x[axis], b->x[axis] - pb.x[axis]);
    }
    return w_dot(d, m) / l;
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const wf inv_h = w_set(sim->times.inv_h), inv_h2 = w_set(sim->times.inv_h2), one = w_set(1);
    const wf nudge = w_set(sim->times.nudge), noise = w_set(SIM_NOISE), zero = w_set(0);
    wf longest = w_set(tile->longest);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t *batch = store->batches + (size_t)tile->order[i] * store->words;
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            const uint32_t *at = batch + lane;
            struct w_rows a = w_rows_at(sim->rows, at), b = w_rows_at(sim->rows, at + SIM_LANES);
            wf rest = w_load_float(at + 2 * SIM_LANES), give = w_load_float(at + 3 * SIM_LANES);
            struct w_vec d = {{w_apart(a.x[0], b.x[0]), w_apart(a.x[1], b.x[1]), w_apart(a.x[2], b.x[2])}};
            wf l = w_sqrt(w_dot(d, d)), w = a.w + b.w;
            wf pull = w_past_noise(w_min(l, w_set(SIM_STRETCH_MAX)) - rest, rest * noise), resists = w;
            wm moves = w_below(zero, w);
            longest = w_max(w_where(moves, l), longest);
            if (flavor == SIM_STIFF) {
                pull = give * pull;
            } else {
                wf alpha = give * inv_h2;
                if (kept) {
                    pull = pull + alpha * w_load(sim_multipliers_of(store, tile->order[i], 0) + lane);
                }
                if (flavor == SIM_DAMPED) {
                    wf gamma = (give * w_load(store->damping[tile->order[i]] + lane)) * inv_h;
                    pull = pull + gamma * rate_along(sim, at, &a, &b, d, l);
                    resists = (one + gamma) * w;
                }
                resists = resists + alpha;
            }
            wf s = w_where(w_and(moves, w_below(zero, l)), pull / (resists * l));
            if (kept) {
                float *multiplier = sim_multipliers_of(store, tile->order[i], 0) + lane;
                w_store(multiplier, w_load(multiplier) - s * l);
            }
            wf sa = s * a.w, sb = s * b.w;
            for (int axis = 0; axis < 3; axis++) {
                a.x[axis] = a.x[axis] - w_round(sa * d.x[axis] + nudge);
                b.x[axis] = b.x[axis] + w_round(sb * d.x[axis] + nudge);
            }
            w_rows_put(sim->rows, at, &a);
            w_rows_put(sim->rows, at + SIM_LANES, &b);
        }
    }
    tile->longest = w_greatest(longest);
}

SIM_RUNS(sim_distance_runs, run)
