// The shared part of the solves of four-particle constraints: gathering stencils, and moving them.
//
// Offsets from the stencil's first particle are exact differences of low words, converted and scaled to
// metres (q is a power of two, so the scaling rounds nothing); squares of volumes would overflow in quanta.
// The corners are rounded with the nudge of their colour (wide.h) and against it by halves, so that a stencil as
// a whole is not pushed.
#ifndef WEFT_SIM_KERNELS_FOUR_H
#define WEFT_SIM_KERNELS_FOUR_H

#include "sim/kernels/wide.h"

struct w_four {
    const uint32_t *at; // places of the first corner, then, SIM_LANES on, of the next
    struct w_rows x[4];
    struct w_vec d[3]; // x1 - x0, x2 - x0, x3 - x0, m
    wf longest2;       // square of the greatest of their lengths, m^2
    wm moves;          // lanes where anything can move (holes cannot)
    wf give;           // how far the constraint gives way: its compliance, or k' of a stiff batch
    struct w_nudges nudges;
    float *multipliers; // of this batch and lane on, SIM_LANES apart; NULL where not kept
};

SIM_INLINE wf w_four_param(const struct w_four *four, uint32_t param)
{
    return w_load_float(four->at + (4 + param) * SIM_LANES);
}

// Finds what follows from d and the inverse masses.
SIM_INLINE void w_four_measure(struct w_four *four)
{
    four->longest2 = w_max(w_max(w_dot(four->d[0], four->d[0]), w_dot(four->d[1], four->d[1])),
                           w_dot(four->d[2], four->d[2]));
    wf w = ((four->x[0].w + four->x[1].w) + four->x[2].w) + four->x[3].w;
    four->moves = w_below(w_set(0), w);
}

SIM_INLINE void w_four_gather_from(const struct sim *sim, const struct sim_row *rows, const uint32_t *at,
                                   struct w_four *four)
{
    const wf q = w_set(sim->times.q);
    four->at = at;
    for (uint32_t k = 0; k < 4; k++) {
        four->x[k] = w_rows_at(rows, at + k * SIM_LANES);
    }
    for (uint32_t k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            four->d[k].x[axis] = w_apart(four->x[k + 1].x[axis], four->x[0].x[axis]) * q;
        }
    }
    w_four_measure(four);
}

SIM_INLINE void w_four_gather(const struct sim *sim, const uint32_t *at, struct w_four *four)
{
    w_four_gather_from(sim, sim->rows, at, four);
}

// x_k += way, quanta.
SIM_INLINE void w_four_add(struct w_four *four, uint32_t k, int axis, wf way)
{
    wf nudge = w_set(k < 2 ? four->nudges.x[axis] : -four->nudges.x[axis]);
    four->x[k].x[axis] = four->x[k].x[axis] + w_round(way + nudge);
}

SIM_INLINE void w_four_put(struct sim *sim, const struct w_four *four)
{
    for (uint32_t k = 0; k < 4; k++) {
        w_rows_put(sim->rows, four->at + k * SIM_LANES, &four->x[k]);
    }
}

// sum w_k |grad_k|^2
SIM_INLINE wf w_four_weight(const struct w_four *four, const struct w_vec grad[4])
{
    wf weight = four->x[0].w * w_dot(grad[0], grad[0]);
    for (uint32_t k = 1; k < 4; k++) {
        weight = weight + four->x[k].w * w_dot(grad[k], grad[k]);
    }
    return weight;
}

// XPBD (2016, eq. 18) or plain PBD, for a constraint C with gradients grad:
//   dlam = -(C + alpha~ lam) / (sum w_k |grad_k|^2 + alpha~);  x_k += w_k dlam grad_k
// Lanes that resist nothing have no gradient and no compliance: nowhere to go.
SIM_INLINE void w_four_project(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept, wf c,
                               const struct w_vec grad[4])
{
    const wf zero = w_set(0), inv_q = w_set(sim->times.inv_q);
    wf pull = c, resists = w_four_weight(four, grad);
    if (flavor == SIM_STIFF) {
        pull = four->give * c;
    } else {
        wf alpha = four->give * w_set(sim->times.inv_h2);
        if (kept) {
            pull = pull + alpha * w_load(four->multipliers);
        }
        resists = resists + alpha;
    }
    wf step = w_where(w_and(four->moves, w_below(zero, resists)), w_negative(pull) / resists);
    if (kept) {
        w_store(four->multipliers, w_load(four->multipliers) + step);
    }
    for (uint32_t k = 0; k < 4; k++) {
        wf scale = (step * four->x[k].w) * inv_q;
        for (int axis = 0; axis < 3; axis++) {
            w_four_add(four, k, axis, scale * grad[k].x[axis]);
        }
    }
}

typedef void w_four_solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept);

// Solves batches first ... end - 1 of a tile's order.
SIM_INLINE void w_four_run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                           enum sim_flavor flavor, bool kept, w_four_solve *solve)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf longest2 = w_set(0);
    uint32_t color = UINT32_MAX;
    struct w_nudges nudges = {{0}};
    for (uint32_t i = first; i < end; i++) {
        uint32_t index = tile->order[i];
        if (sim_batch_meta(store, index)->color != color) {
            color = sim_batch_meta(store, index)->color;
            nudges = w_nudges_of(sim, tile, color);
        }
        const uint32_t *batch = sim_batch_words(store, index);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            w_four_gather(sim, batch + lane, &four);
            longest2 = w_max(w_where(four.moves, four.longest2), longest2);
            four.give = w_load_float(batch + (4 + store->param_count - 1) * SIM_LANES + lane);
            four.multipliers = kept ? sim_multipliers_of(store, index, 0) + lane : NULL;
            four.nudges = nudges;
            solve(sim, &four, flavor, kept);
            w_four_put(sim, &four);
        }
    }
    float longest = __builtin_sqrtf(w_greatest(longest2)) * sim->times.inv_q;
    tile->longest = longest > tile->longest ? longest : tile->longest;
}

// Damps C (wide.h). Gradients sum to zero, so velocities against the first corner's will do: how fast the stencil
// goes as a whole costs no digits.
SIM_INLINE void w_four_damp(struct sim *sim, const struct w_four *four, const float *beta,
                            const struct w_vec grad[4])
{
    const wf zero = w_set(0);
    struct w_rows v[4];
    wf rate = zero, weight = w_four_weight(four, grad);
    v[0] = w_rows_at(sim->velocities, four->at);
    for (uint32_t k = 1; k < 4; k++) {
        struct w_vec apart;
        v[k] = w_rows_at(sim->velocities, four->at + k * SIM_LANES);
        for (int axis = 0; axis < 3; axis++) {
            apart.x[axis] = w_of_bits(v[k].x[axis]) - w_of_bits(v[0].x[axis]);
        }
        rate = rate + w_dot(grad[k], apart);
    }
    wm yields = w_and(four->moves, w_below(zero, four->give));
    wf push = w_where(yields, w_dashpot(sim, w_load(beta), rate, weight));
    for (uint32_t k = 0; k < 4; k++) {
        wf share = push * four->x[k].w;
        for (int axis = 0; axis < 3; axis++) {
            v[k].x[axis] = w_bits(w_of_bits(v[k].x[axis]) + share * grad[k].x[axis]);
        }
        w_rows_put(sim->velocities, four->at + k * SIM_LANES, &v[k]);
    }
}

// The gradient along which a stencil is damped. Lanes that have none get no `moves`.
typedef void w_four_grad(struct w_four *four, struct w_vec grad[4]);

SIM_INLINE void w_four_damp_run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                                w_four_grad *grad_of)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        uint32_t index = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            struct w_vec grad[4];
            w_four_gather(sim, sim_batch_words(store, index) + lane, &four);
            four.give = w_four_param(&four, store->param_count - 1);
            grad_of(&four, grad);
            w_four_damp(sim, &four, sim_batch_damping(store, index) + lane, grad);
        }
    }
}

#if WIDE == 1
// Offsets of one stencil as solves have them: in quanta times q, rounded.
SIM_INLINE void w_one_from(const double offsets[][3], double q, struct w_vec d[3])
{
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            d[k].x[axis] = (float)(offsets[k][axis] * q);
        }
    }
}
#endif

// The kernels of a kind, from its solve(), grad_of() and tell().
#define W_FOUR_RUNS(name)                                                                      \
    SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,    \
                      enum sim_flavor flavor, bool kept)                                       \
    {                                                                                          \
        w_four_run(sim, tile, first, end, flavor, kept, solve);                                \
    }                                                                                          \
    SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end) \
    {                                                                                          \
        w_four_damp_run(sim, tile, first, end, grad_of);                                       \
    }                                                                                          \
    SIM_RUNS(name, run, damp, tell)

#endif
