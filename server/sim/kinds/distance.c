// Distance constraint: C = |x1 - x2| - L.
//
//   d = x1 - x2;  l = |d|;  n = d/l;  grad1 = n, grad2 = -n;  W = w1 + w2
//   XPBD (2016, eq. 18):         dlam = -(C + alpha~ lam) / (W + alpha~),   alpha~ = alpha/h^2
//   plain PBD (2007, eq. 10-11): dlam = -k' C / W
//   x1 += w1 dlam n;  x2 -= w2 dlam n
//   damping (wide.h):            C' = n.(v1 - v2);  v1 += w1 p n;  v2 -= w2 p n
//
// Lengths are in quanta: L is stored so, and dlam comes out in kg quanta. What is computed is s = -dlam/l,
// with one division. A lane whose particles are both static (holes are such) or coincide moves nothing: there
// is nothing to move, or no direction to do it in. l is cut at what fails the world, so that no correction
// leaves the range of an int32.
//
// A tile with limits (long/long.h) is watched: the solve also finds by how much edges were beyond theirs. What is left
// of that is then taken back without compliance, C = max(0, l - f L), f being the factor of the limit.

#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

// A batch whose rows are in registers, and how far they are apart.
struct pairs {
    uint32_t index; // of the batch
    const uint32_t *at;
    struct w_rows a, b;
    struct w_vec d;
    wf l;
};

SIM_INLINE struct pairs gather(const struct sim *sim, const struct sim_store *store, uint32_t index,
                               uint32_t lane)
{
    struct pairs p = {.index = index, .at = sim_batch_words(store, index) + lane};
    p.a = w_rows_at(sim->rows, p.at);
    p.b = w_rows_at(sim->rows, p.at + SIM_LANES);
    for (int axis = 0; axis < 3; axis++) {
        p.d.x[axis] = w_apart(p.a.x[axis], p.b.x[axis]);
    }
    p.l = w_sqrt(w_dot(p.d, p.d));
    return p;
}

// The factors by which edges of a tile may be longer than at rest, those without compliance and the others.
struct limits {
    wf hard, soft;
};

SIM_INLINE struct limits limits_of(const struct sim_tile *tile)
{
    return (struct limits){.hard = w_set(tile->hard), .soft = w_set(tile->soft)};
}

// Those of a batch. Plain-PBD edges are never without compliance, although their stiffness may be 0.
SIM_INLINE struct limits limits_at(const struct sim_store *store, uint32_t batch, const struct limits *limits)
{
    const bool stiff = sim_batch_meta(store, batch)->flavor == SIM_STIFF;
    return (struct limits){.hard = stiff ? limits->soft : limits->hard, .soft = limits->soft};
}

// By how much lanes that can move are longer than they may be; otherwise 0 or less.
SIM_INLINE wf beyond(const struct pairs *p, const struct limits *limits)
{
    const wf zero = w_set(0);
    wf rest = w_load_float(p->at + 2 * SIM_LANES), give = w_load_float(p->at + 3 * SIM_LANES);
    wf most = rest * w_select(w_below(zero, give), limits->soft, limits->hard);
    wm moves = w_below(zero, p->a.w + p->b.w);
    return w_where(moves, w_past_noise(w_min(p->l, w_set(SIM_STRETCH_MAX)) - most, most * w_set(SIM_NOISE)));
}

// A further sweep leaves edges alone that are beyond by less than this part of the tile's worst in the sweep before.
#define LEAST 0.1f

// Takes back what is beyond by more than `least`. Returns by how much all were.
SIM_INLINE wf limit(struct sim *sim, struct pairs *p, const struct limits *limits,
                    const struct w_nudges *nudges, float least)
{
    wf past = beyond(p, limits), w = p->a.w + p->b.w;
    wm yields = w_below(w_set(least), past);
    if (!w_any(yields)) {
        return past;
    }
    wf s = w_where(yields, past / (w * p->l));
    wf sa = s * p->a.w, sb = s * p->b.w;
    for (int axis = 0; axis < 3; axis++) {
        const wf nudge = w_set(nudges->x[axis]);
        p->a.x[axis] = p->a.x[axis] - w_round(sa * p->d.x[axis] + nudge);
        p->b.x[axis] = p->b.x[axis] + w_round(sb * p->d.x[axis] + nudge);
    }
    w_rows_put(sim->rows, p->at, &p->a);
    w_rows_put(sim->rows, p->at + SIM_LANES, &p->b);
    return past;
}

// Returns the lengths of lanes that can move.
SIM_INLINE wf project(struct sim *sim, const struct sim_store *store, struct pairs *p, uint32_t lane,
                      const struct w_nudges *nudges, enum sim_flavor flavor, bool kept)
{
    const wf inv_h2 = w_set(sim->times.inv_h2);
    const wf noise = w_set(SIM_NOISE), zero = w_set(0);
    float *multiplier = kept ? sim_multipliers_of(store, p->index, 0) + lane : NULL;
    wf rest = w_load_float(p->at + 2 * SIM_LANES), give = w_load_float(p->at + 3 * SIM_LANES);
    wf l = p->l, w = p->a.w + p->b.w;
    wf pull = w_past_noise(w_min(l, w_set(SIM_STRETCH_MAX)) - rest, rest * noise), resists = w;
    if (flavor == SIM_STIFF) {
        pull = give * pull;
    } else {
        wf alpha = give * inv_h2;
        if (kept) {
            pull = pull + alpha * w_load(multiplier);
        }
        resists = resists + alpha;
    }
    wm moves = w_below(zero, w);
    wf s = w_where(w_and(moves, w_below(zero, l)), pull / (resists * l));
    if (kept) {
        w_store(multiplier, w_load(multiplier) - s * l);
    }
    wf sa = s * p->a.w, sb = s * p->b.w;
    for (int axis = 0; axis < 3; axis++) {
        const wf nudge = w_set(nudges->x[axis]);
        p->a.x[axis] = p->a.x[axis] - w_round(sa * p->d.x[axis] + nudge);
        p->b.x[axis] = p->b.x[axis] + w_round(sb * p->d.x[axis] + nudge);
    }
    w_rows_put(sim->rows, p->at, &p->a);
    w_rows_put(sim->rows, p->at + SIM_LANES, &p->b);
    return w_where(moves, l);
}

// Batches of one colour share no particle: the next one is gathered before this one is projected, so that its
// loads and its root fill the time that this one waits for its quotient.
SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                  enum sim_flavor flavor, bool kept, bool watched)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    wf longest = w_set(tile->longest), past = w_set(tile->past);
    struct limits limits = limits_of(tile);
    limits.hard = flavor == SIM_STIFF ? limits.soft : limits.hard;
    for (uint32_t color_end; first < end; first = color_end) {
        color_end = sim_color_end(store, tile, first, end);
        uint16_t color = sim_batch_meta(store, tile->order[first])->color;
        const struct w_nudges nudges = w_nudges_of(sim, tile, color);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct pairs now = gather(sim, store, tile->order[first], lane);
            for (uint32_t i = first + 1; i < color_end; i++) {
                struct pairs next = gather(sim, store, tile->order[i], lane);
                past = watched ? w_max(beyond(&now, &limits), past) : past;
                longest = w_max(project(sim, store, &now, lane, &nudges, flavor, kept), longest);
                now = next;
            }
            past = watched ? w_max(beyond(&now, &limits), past) : past;
            longest = w_max(project(sim, store, &now, lane, &nudges, flavor, kept), longest);
        }
    }
    tile->longest = w_greatest(longest);
    tile->past = watched ? w_greatest(past) : tile->past;
}

SIM_INLINE void run_unwatched(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                              enum sim_flavor flavor, bool kept)
{
    run(sim, tile, first, end, flavor, kept, false);
}

// All of a tile's batches, whatever their flavour.
void SIM_ISA(sim_distance_limit)(struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const struct limits limits = limits_of(tile);
    wf past = w_set(0);
    const float least = LEAST * tile->past;
    for (uint32_t first = 0, end; first < tile->order_count; first = end) {
        end = sim_color_end(store, tile, first, tile->order_count);
        const struct w_nudges nudges =
            w_nudges_of(sim, tile, sim_batch_meta(store, tile->order[first])->color);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct pairs now = gather(sim, store, tile->order[first], lane);
            for (uint32_t i = first + 1; i < end; i++) {
                struct pairs next = gather(sim, store, tile->order[i], lane);
                const struct limits own = limits_at(store, now.index, &limits);
                past = w_max(limit(sim, &now, &own, &nudges, least), past);
                now = next;
            }
            const struct limits own = limits_at(store, now.index, &limits);
            past = w_max(limit(sim, &now, &own, &nudges, least), past);
        }
    }
    tile->past = w_greatest(past);
}

SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct pairs p = gather(sim, store, tile->order[i], lane);
            struct w_rows va = w_rows_at(sim->velocities, p.at);
            struct w_rows vb = w_rows_at(sim->velocities, p.at + SIM_LANES);
            struct w_vec v;
            for (int axis = 0; axis < 3; axis++) {
                v.x[axis] = w_of_bits(va.x[axis]) - w_of_bits(vb.x[axis]);
            }
            wf w = p.a.w + p.b.w, beta = w_load(sim_batch_damping(store, p.index) + lane);
            wm yields = w_below(w_set(0), w_load_float(p.at + 3 * SIM_LANES));
            wf push = w_dashpot(sim, beta, w_dot(p.d, v) / p.l, w) / p.l;
            push = w_where(w_and(yields, w_and(w_below(w_set(0), w), w_below(w_set(0), p.l))), push);
            wf pa = push * p.a.w, pb = push * p.b.w;
            for (int axis = 0; axis < 3; axis++) {
                va.x[axis] = w_bits(w_of_bits(va.x[axis]) + pa * p.d.x[axis]);
                vb.x[axis] = w_bits(w_of_bits(vb.x[axis]) - pb * p.d.x[axis]);
            }
            w_rows_put(sim->velocities, p.at, &va);
            w_rows_put(sim->velocities, p.at + SIM_LANES, &vb);
        }
    }
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        w_offsets_from(sim, at, 1, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            struct wd_vec e = w_offset(&offsets, 0, part);
            wd rest = w_param(at, 2, part) * wd_set(sim->q), c = wd_sqrt(wd_dot(e, e)) - rest;
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            wd weight = wd_of_float(offsets.w[0], part) + wd_of_float(offsets.w[1], part);
            w_tell_energy(sim, terms, first, c * c, w_param(at, 3, part), weight);
            w_tell_error(terms, first, c, rest);
            if (multipliers) { // in quanta
                wd lambda = w_multiplier(multipliers, lane, part) * wd_set(sim->q);
                w_tell_share(sim, terms, first, c * c, rest, lambda * c, w_param(at, 3, part), weight);
            }
        }
    }
}

static void watch_plain(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    run(sim, tile, first, end, SIM_PLAIN, false, true);
}

static void watch_plain_kept(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    run(sim, tile, first, end, SIM_PLAIN, true, true);
}

static void watch_stiff(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    run(sim, tile, first, end, SIM_STIFF, false, true);
}

static void watch_stiff_kept(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    run(sim, tile, first, end, SIM_STIFF, true, true);
}

sim_run *const SIM_ISA(sim_distance_watch)[SIM_FLAVOR_COUNT][2] = {
    [SIM_PLAIN] = {watch_plain, watch_plain_kept},
    [SIM_DAMPED] = {watch_plain, watch_plain_kept},
    [SIM_STIFF] = {watch_stiff, watch_stiff_kept},
};

SIM_RUNS(sim_distance_runs, run_unwatched, damp, tell)

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)q;
    const double *d = offsets[0];
    params[0] = (float)__builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return true;
}

static double rest_most(double q)
{
    return SIM_REST_MAX * q;
}

const struct sim_kind_row sim_distance_row = {
    .name = "distance",
    .stencil = 2,
    .param_count = 1,
    .multiplier_count = 1,
    .part = SIM_PART_STRETCH,
    .in_quanta = true,
    .has_error = true,
    .at_rest = at_rest,
    .rest_most = rest_most,
    .rest_unit = "m",
};
#endif
