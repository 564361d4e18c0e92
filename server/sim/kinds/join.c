// Join of two points, each of one particle or on an edge or a triangle.
//
//   pA = a0 x0 + a1 x1 + a2 x2,   pB = b0 x3 + b1 x4 + b2 x5      barycentric weights in [0, 1]; each sum is 1
//   c = pA - pB,   W = sum a_i^2 w_i + sum b_k^2 w_k
//
//   rest length 0:   C = c, a vector in R^3: dlam = -(c + alpha~ lam) / (W + alpha~)
//   rest length L:   C = |c| - L along n = c/|c|: the same with n C for c, and lam along n
//   x_i += w_i a_i dlam,   y_k -= w_k b_k dlam
//
// A vector has no direction that is undefined at 0, which the distance has. Both forms have the same gradient weights, so
// one formula serves both: c (|c| - L)/|c|. With |c| = 0 and L > 0 there is no direction, and nothing moves.
//
// A corner that is not used repeats the first particle of its side and weighs 0. It is moved by nothing and written before
// that first particle. So a point, an edge and a triangle are one kernel without branches.
//
// The rest length goes evenly to `end` while ticks are left: at the end of the part s of a tick it is
// L + s (end - L)/left. sim/solve/join.c counts the ticks, and decides by the tally what parts.
//
// Sources: XPBD (Macklin, Mueller, Chentanez 2016), eq. 17 and 18; the weights are the gradients of C, because C is linear
// in the particles. Joining by barycentric weights: Mueller et al., Position Based Dynamics (2007), section 3.3.

#include "sim/state/join.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

struct joint {
    const uint32_t *at;
    struct w_rows x[SIM_STENCIL_MAX];
    wf weight[SIM_STENCIL_MAX]; // of B below 0
    struct w_vec c;             // quanta
    wf noise;                   // error that rounding may have made of c, quanta
    wf span2;                   // square of the greatest distance of a particle from the first, quanta^2
    wf w;                       // W
    wf rest;                    // in this substep, quanta
    wm holds;                   // it has not parted, and something of it can move
};

SIM_INLINE wf join_param(const uint32_t *at, uint32_t param)
{
    return w_load_float(at + (SIM_STENCIL_MAX + param) * SIM_LANES);
}

SIM_INLINE void weights_of(const uint32_t *at, wf weight[SIM_STENCIL_MAX])
{
    const wf one = w_set(1);
    for (uint32_t side = 0; side < 2; side++) {
        wf *of = weight + side * SIM_JOIN_SIDE;
        of[1] = join_param(at, SIM_JOIN_WEIGHT + 2 * side);
        of[2] = join_param(at, SIM_JOIN_WEIGHT + 2 * side + 1);
        of[0] = (one - of[1]) - of[2];
    }
    for (uint32_t k = SIM_JOIN_SIDE; k < SIM_STENCIL_MAX; k++) {
        weight[k] = w_negative(weight[k]);
    }
}

// W
SIM_INLINE wf resistance(const wf w[SIM_STENCIL_MAX], const wf weight[SIM_STENCIL_MAX])
{
    wf sum = (weight[0] * weight[0]) * w[0];
    for (uint32_t k = 1; k < SIM_STENCIL_MAX; k++) {
        sum = sum + (weight[k] * weight[k]) * w[k];
    }
    return sum;
}

// The rest length now, and whether the join holds. W is known.
SIM_INLINE void rest_of(const struct sim *sim, const uint32_t *at, struct joint *j)
{
    wf rest = join_param(at, SIM_JOIN_REST), left = join_param(at, SIM_JOIN_LEFT);
    wf change = w_where(w_below(w_set(0), left), (join_param(at, SIM_JOIN_END) - rest) / left);
    j->rest = rest + change * w_set(sim->times.gone);
    j->holds = w_and(w_below(w_set(0), j->w), w_equal(join_param(at, SIM_JOIN_PARTED), w_set(0)));
}

// Whether all corners of these lanes repeat the first ones of their sides, so that each join holds two particles. Then the other
// corners weigh nothing, and what they add to any sum is 0.
SIM_INLINE bool points_alone(const uint32_t *at)
{
    wi place[SIM_STENCIL_MAX];
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        place[k] = w_load_int(at + k * SIM_LANES);
    }
    const wi others =
        ((place[0] - place[1]) | (place[0] - place[2])) | ((place[3] - place[4]) | (place[3] - place[5]));
    return !w_any(w_below(w_set(0), w_abs(w_float(others))));
}

// The same as gather, of lanes that hold two particles each.
SIM_INLINE void gather_points(const struct sim *sim, const uint32_t *at, struct joint *j)
{
    const struct w_rows *a = &j->x[0], *b = &j->x[SIM_JOIN_SIDE];
    j->at = at;
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k += SIM_JOIN_SIDE) {
        j->x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
        j->weight[k] = w_set(k == 0 ? 1 : -1);
    }
    for (int axis = 0; axis < 3; axis++) {
        j->c.x[axis] = w_apart(a->x[axis], b->x[axis]);
    }
    j->noise = w_set(0);
    j->span2 = w_dot(j->c, j->c);
    j->w = a->w + b->w;
    rest_of(sim, at, j);
}

// c is put together of differences within each side and of one between the sides, all exact before they are rounded once.
SIM_INLINE void gather(const struct sim *sim, const uint32_t *at, struct joint *j)
{
    wf size = w_set(0), w[SIM_STENCIL_MAX];
    j->at = at;
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        j->x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
        w[k] = j->x[k].w;
    }
    weights_of(at, j->weight);
    for (int axis = 0; axis < 3; axis++) {
        wf between = w_apart(j->x[0].x[axis], j->x[SIM_JOIN_SIDE].x[axis]);
        wf a1 = j->weight[1] * w_apart(j->x[1].x[axis], j->x[0].x[axis]);
        wf a2 = j->weight[2] * w_apart(j->x[2].x[axis], j->x[0].x[axis]);
        wf b1 = j->weight[4] * w_apart(j->x[4].x[axis], j->x[SIM_JOIN_SIDE].x[axis]);
        wf b2 = j->weight[5] * w_apart(j->x[5].x[axis], j->x[SIM_JOIN_SIDE].x[axis]);
        j->c.x[axis] = between + ((a1 + a2) + (b1 + b2));
        size = w_max(w_max(w_max(w_abs(a1), w_abs(a2)), w_max(w_abs(b1), w_abs(b2))), size);
    }
    j->noise = size * w_set(SIM_NOISE);
    j->span2 = w_set(0);
    for (uint32_t k = 1; k < SIM_STENCIL_MAX; k++) {
        struct w_vec d;
        for (int axis = 0; axis < 3; axis++) {
            d.x[axis] = w_apart(j->x[k].x[axis], j->x[0].x[axis]);
        }
        j->span2 = w_max(w_dot(d, d), j->span2);
    }
    j->w = resistance(w, j->weight);
    rest_of(sim, at, j);
}

// The corners of A are rounded with the nudge of their colour and those of B against it, so that a join as a whole is not
// pushed. The first of a side is written last.
SIM_INLINE void put(struct sim *sim, struct joint *j, struct w_vec step, const struct w_nudges *nudges,
                    const bool points)
{
    for (uint32_t k = SIM_STENCIL_MAX; k > 0; k--) {
        if (points && (k - 1) % SIM_JOIN_SIDE != 0) {
            continue;
        }
        struct w_rows *x = &j->x[k - 1];
        wf share = j->weight[k - 1] * x->w;
        for (int axis = 0; axis < 3; axis++) {
            wf nudge = w_set(k - 1 < SIM_JOIN_SIDE ? nudges->x[axis] : -nudges->x[axis]);
            x->x[axis] = x->x[axis] + w_round(share * step.x[axis] + nudge);
        }
        w_rows_put(sim->rows, j->at + (k - 1) * SIM_LANES, x);
    }
}

SIM_INLINE void project(struct sim *sim, const struct sim_store *store, uint32_t index, uint32_t lane,
                        struct joint *j, enum sim_flavor flavor, const struct w_nudges *nudges, bool kept,
                        const bool points)
{
    const wf zero = w_set(0);
    float *multipliers = kept ? sim_multipliers_of(store, index, 0) + lane : NULL;
    float *tally = sim_batch_params(store, index, SIM_JOIN_TALLY) + lane;
    wf give = join_param(j->at, SIM_JOIN_GIVE), l = w_sqrt(w_dot(j->c, j->c));
    wf excess = w_min(l, w_set(SIM_STRETCH_MAX)) - j->rest;
    excess = w_past_noise(excess, w_max(j->rest * w_set(SIM_NOISE), j->noise));
    wf toward = w_where(w_below(zero, l), excess / l), inv_l = w_where(w_below(zero, l), w_set(1) / l);
    wf alpha = flavor == SIM_STIFF ? zero : give * w_set(sim->times.inv_h2);
    wf resists = j->w + alpha, share = flavor == SIM_STIFF ? give : w_set(1);
    wm along = w_below(zero, j->rest);
    struct w_vec lam = {{zero, zero, zero}}, step;
    if (kept) {
        for (int axis = 0; axis < 3; axis++) {
            lam.x[axis] = w_load(multipliers + axis * SIM_LANES);
        }
        if (flavor != SIM_STIFF) { // with a length lam is along n, which may have turned since
            wf size = w_dot(lam, j->c) * inv_l;
            for (int axis = 0; axis < 3; axis++) {
                lam.x[axis] = w_select(along, (size * inv_l) * j->c.x[axis], lam.x[axis]);
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        wf pull = share * (toward * j->c.x[axis]);
        if (kept && flavor != SIM_STIFF) {
            pull = pull + alpha * lam.x[axis];
        }
        step.x[axis] = w_where(j->holds, w_negative(pull) / resists);
        if (kept) {
            w_store(multipliers + axis * SIM_LANES, lam.x[axis] + step.x[axis]);
        }
        w_store(tally + axis * SIM_LANES, w_load(tally + axis * SIM_LANES) + step.x[axis]);
    }
    put(sim, j, step, nudges, points);
}

SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                  enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf longest2 = w_set(0);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t index = tile->order[i];
        const struct w_nudges nudges = w_nudges_of(sim, tile, sim_batch_meta(store, index)->color);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            const uint32_t *at = sim_batch_words(store, index) + lane;
            struct joint j;
            if (points_alone(at)) {
                gather_points(sim, at, &j);
                project(sim, store, index, lane, &j, flavor, &nudges, kept, true);
            } else {
                gather(sim, at, &j);
                project(sim, store, index, lane, &j, flavor, &nudges, kept, false);
            }
            longest2 = w_max(w_where(j.holds, j.span2), longest2);
        }
    }
    float longest = __builtin_sqrtf(w_greatest(longest2));
    tile->longest = longest > tile->longest ? longest : tile->longest;
}

// Damps c if the rest length is 0, else its length (wide.h).
SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const wf zero = w_set(0);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct joint j;
            struct w_rows v[SIM_STENCIL_MAX];
            struct w_vec rate = {{zero, zero, zero}};
            gather(sim, sim_batch_words(store, tile->order[i]) + lane, &j);
            for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
                v[k] = w_rows_at(sim->velocities, j.at + k * SIM_LANES);
                for (int axis = 0; axis < 3; axis++) { // against the first one's, as in four.h
                    rate.x[axis] =
                        rate.x[axis] + j.weight[k] * (w_of_bits(v[k].x[axis]) - w_of_bits(v[0].x[axis]));
                }
            }
            wf l = w_sqrt(w_dot(j.c, j.c));
            wf inv_l = w_where(w_below(zero, l), w_set(1) / l), along = (w_dot(rate, j.c) * inv_l) * inv_l;
            wf beta = w_load(sim_batch_damping(store, tile->order[i]) + lane);
            wm yields = w_and(j.holds, w_below(zero, join_param(j.at, SIM_JOIN_GIVE)));
            wm length = w_below(zero, j.rest);
            for (int axis = 0; axis < 3; axis++) {
                wf of = w_select(length, along * j.c.x[axis], rate.x[axis]);
                wf push = w_where(yields, w_dashpot(sim, beta, of, j.w));
                for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
                    v[k].x[axis] = w_bits(w_of_bits(v[k].x[axis]) + (push * j.x[k].w) * j.weight[k]);
                }
            }
            for (uint32_t k = SIM_STENCIL_MAX; k > 0; k--) {
                w_rows_put(sim->velocities, j.at + (k - 1) * SIM_LANES, &v[k - 1]);
            }
        }
    }
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    (void)multipliers; // a body brings no joins, so no body's convergence asks for their share
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        wf weight[SIM_STENCIL_MAX];
        w_offsets_from(sim, at, SIM_STENCIL_MAX - 1, far, &offsets);
        weights_of(at, weight);
        wf w = resistance(offsets.w, weight);
        for (int part = 0; part < PARTS; part++) {
            const wd zero = wd_set(0), q = wd_set(sim->q);
            struct wd_vec c = {{zero, zero, zero}};
            for (uint32_t k = 1; k < SIM_STENCIL_MAX; k++) {
                struct wd_vec d = w_offset(&offsets, k - 1, part);
                for (int axis = 0; axis < 3; axis++) {
                    c.x[axis] = c.x[axis] + wd_of_float(weight[k], part) * d.x[axis];
                }
            }
            wd rest = w_param(at, SIM_STENCIL_MAX + SIM_JOIN_REST, part) * q;
            wd parted = w_param(at, SIM_STENCIL_MAX + SIM_JOIN_PARTED, part);
            wd excess = wd_where(wd_equal(parted, zero), wd_sqrt(wd_dot(c, c)) - rest);
            w_tell_energy(sim, terms, lane + (uint32_t)(part * DOUBLES), excess * excess,
                          w_param(at, SIM_STENCIL_MAX + SIM_JOIN_GIVE, part), wd_of_float(w, part));
        }
    }
}

SIM_RUNS(sim_join_runs, run, damp, tell)

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)q;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double c = 0;
        for (uint32_t k = 0; k < 4; k++) { // corners 1 and 2 of A, 4 and 5 of B
            const double weight = (double)params[SIM_JOIN_WEIGHT + k];
            const uint32_t corner = k < 2 ? k : k + 1, first = SIM_JOIN_SIDE - 1;
            c += k < 2 ? weight * offsets[corner][axis]
                       : weight * (offsets[first][axis] - offsets[corner][axis]);
        }
        c -= offsets[SIM_JOIN_SIDE - 1][axis];
        sum += c * c;
    }
    params[SIM_JOIN_REST] = params[SIM_JOIN_END] = (float)__builtin_sqrt(sum);
    return true;
}

static double rest_most(double q)
{
    return SIM_REST_MAX * q;
}

// A side's weights are in [0, 1], the first one's as well, and a corner that repeats the first particle weighs nothing.
static bool side_is_valid(const uint32_t *rows, const float *weights)
{
    bool valid = weights[0] >= 0 && weights[1] >= 0 && weights[0] <= 1 && weights[1] <= 1 - weights[0];
    for (uint32_t k = 1; k < SIM_JOIN_SIDE; k++) {
        valid = valid && (rows[k] != rows[0] || weights[k - 1] == 0);
    }
    return valid && (rows[1] != rows[2] || rows[1] == rows[0]);
}

static bool valid(const uint32_t *rows, const float *params, double q)
{
    (void)q;
    const float left = params[SIM_JOIN_LEFT], parted = params[SIM_JOIN_PARTED];
    const float end = params[SIM_JOIN_END], limit = params[SIM_JOIN_LIMIT];
    bool apart = true;
    for (uint32_t a = 0; a < SIM_JOIN_SIDE; a++) {
        for (uint32_t b = SIM_JOIN_SIDE; b < SIM_STENCIL_MAX; b++) {
            apart = apart && rows[a] != rows[b];
        }
    }
    return apart && side_is_valid(rows, params + SIM_JOIN_WEIGHT) &&
           side_is_valid(rows + SIM_JOIN_SIDE, params + SIM_JOIN_WEIGHT + 2) && end >= 0 &&
           end <= (float)SIM_REST_MAX && left >= 0 && left <= SIM_JOIN_TICKS_MAX &&
           left == (float)(int32_t)left && limit >= 0 && limit <= (float)SIM_FORCE_LIMIT_MAX &&
           (parted == 0 || parted == 1);
}

const struct sim_kind_row sim_join_row = {
    .name = "join",
    .stencil = SIM_STENCIL_MAX,
    .param_count = SIM_JOIN_PARAMS,
    .scratch_count = SIM_JOIN_SCRATCH,
    .multiplier_count = 3,
    .part = SIM_PART_STRETCH,
    .parted_param = SIM_JOIN_PARTED,
    .in_quanta = true,
    .joins = true,
    .written_first = SIM_JOIN_TALLY,
    .written_count = SIM_JOIN_SCRATCH,
    .shape_first = SIM_JOIN_WEIGHT,
    .shape_count = SIM_JOIN_PARAMS - SIM_JOIN_WEIGHT,
    .valid = valid,
    .at_rest = at_rest,
    .rest_most = rest_most,
    .rest_unit = "m",
};
#endif
