// Orthotropic stretch: a triangle of woven cloth, with stiffnesses along the warp, along the weft and in shear.
//
//   f_u = sum a_i x_i, f_v = sum b_i x_i        where one metre of warp, one metre of weft went;  sum a_i = sum b_i = 0
//   eps_u = |f_u| - 1, eps_v = |f_v| - 1        stretch of the yarns
//   gam = n_u.n_v,  n = f/|f|                   sine of the angle by which they are off the right one
//   U = A/2 (k11 eps_u^2 + 2 k12 eps_u eps_v + k22 eps_v^2 + G gam^2)
//
// By completing the square this is U = A/2 (k11 c1^2 + Y2 c2^2 + G c3^2) exactly, so three scalar constraints are solved in turn:
//
//   c1 = eps_u + r eps_v, r = k12/k11           alpha = 1/(k11 A)         p = n_u, q = r n_v
//   c2 = eps_v                                  alpha = 1/(Y2 A)          p = 0, q = n_v
//   c3 = gam                                    alpha = 1/(G A)           p = (n_v - gam n_u)/|f_u|, q = (n_u - gam n_v)/|f_v|
//   grad_i = a_i p + b_i q
//
// All of it happens in the space of f_u and f_v, whose inverse masses are S_aa = sum w a^2, S_ab = sum w a b, S_bb = sum w b^2:
//
//   W = S_aa p.p + 2 S_ab p.q + S_bb q.q;  dlam = -(C + alpha~ lam)/(W + alpha~)        XPBD (2016, eq. 18)
//   f_u += dlam (S_aa p + S_ab q), f_v += dlam (S_ab p + S_bb q);  P += dlam p, Q += dlam q
//   at the end:  x_i += w_i (a_i P + b_i Q)
//
// Particles are gathered, moved and rounded once for all three. Behind them come the limits of the yarns: |f_u| and |f_v| are at
// most 1 + limit, without compliance and one-sided. Shear has no limit.
//
// A yarn of length 0 has no direction, and the constraints that need it are passed over. If the yarns lie on
// each other, the gradient of gam vanishes and a step would have no bound, so W counts as if gam^2 were 3/4
// at most.
//
// The compliance 1/k11 in m/N is stored, and the other two stiffnesses as parts of k11. So a factor of it
// makes all three softer. Damping has the same parts, so all three relax in the same time. It acts on the
// velocities (wide.h).
//
// Sources: Strain Based Dynamics (Mueller, Chentanez, Kim, Macklin 2014) for a triangle with the strains of a fabric; XPBD for
// the compliance. The strains are those of textile tests: what a tensile tester and a shear frame measure.

#include "sim/kernels/terms.h"
#include "sim/state/fabric.h"
#include "sim/state/kind.h"

struct weave {
    const uint32_t *at;
    struct w_rows x[3];
    wf a[3], b[3]; // gradients of u and v by corner, 1/m
    wf dense;      // 1/area
    wf draws, weft, shear, limit;
    wf give;
    wf aa, ab, bb;     // S
    struct w_vec u, v; // f_u, f_v; of a damped one their rates
    struct w_vec p, q; // P, Q
    wf longest2;       // square of the greatest distance of a corner from the first, m^2
    wf noise_u, noise_v;
    wm moves;
};

SIM_INLINE wf weave_param(const uint32_t *at, uint32_t param)
{
    return w_load_float(at + (3 + param) * SIM_LANES);
}

SIM_INLINE void params_of(struct weave *weave)
{
    const uint32_t *at = weave->at;
    for (uint32_t k = 1; k < 3; k++) {
        weave->a[k] = weave_param(at, SIM_WEAVE_A + k - 1);
        weave->b[k] = weave_param(at, SIM_WEAVE_B + k - 1);
    }
    weave->a[0] = w_negative(weave->a[1] + weave->a[2]);
    weave->b[0] = w_negative(weave->b[1] + weave->b[2]);
    weave->dense = weave_param(at, SIM_WEAVE_DENSE);
    weave->draws = weave_param(at, SIM_WEAVE_DRAWS);
    weave->weft = weave_param(at, SIM_WEAVE_WEFT);
    weave->shear = weave_param(at, SIM_WEAVE_SHEAR);
    weave->limit = weave_param(at, SIM_WEAVE_LIMIT);
    weave->give = weave_param(at, SIM_WEAVE_PARAMS);
}

// sum k x_k of offsets from corner 0
SIM_INLINE struct w_vec along(const wf k[3], const struct w_vec d[2])
{
    struct w_vec f;
    for (int axis = 0; axis < 3; axis++) {
        f.x[axis] = k[1] * d[0].x[axis] + k[2] * d[1].x[axis];
    }
    return f;
}

// Fills all that follows from the rows and the offsets, m.
SIM_INLINE void measure(struct weave *weave, const struct w_vec d[2])
{
    const wf zero = w_set(0);
    weave->aa = weave->ab = weave->bb = zero;
    for (uint32_t k = 0; k < 3; k++) {
        wf wa = weave->x[k].w * weave->a[k];
        weave->aa = weave->aa + wa * weave->a[k];
        weave->ab = weave->ab + wa * weave->b[k];
        weave->bb = weave->bb + (weave->x[k].w * weave->b[k]) * weave->b[k];
    }
    weave->u = along(weave->a, d);
    weave->v = along(weave->b, d);
    weave->longest2 = w_max(w_dot(d[0], d[0]), w_dot(d[1], d[1]));
    wf reach = w_sqrt(weave->longest2) * w_set(SIM_NOISE);
    weave->noise_u = (w_abs(weave->a[1]) + w_abs(weave->a[2])) * reach;
    weave->noise_v = (w_abs(weave->b[1]) + w_abs(weave->b[2])) * reach;
    weave->moves = w_below(zero, (weave->x[0].w + weave->x[1].w) + weave->x[2].w);
    weave->p = weave->q = (struct w_vec){{zero, zero, zero}};
}

SIM_INLINE struct weave gather(const struct sim *sim, const uint32_t *at)
{
    const wf q = w_set(sim->times.q);
    struct weave weave = {.at = at};
    struct w_vec d[2];
    for (uint32_t k = 0; k < 3; k++) {
        weave.x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
    }
    for (uint32_t k = 0; k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            d[k].x[axis] = w_apart(weave.x[k + 1].x[axis], weave.x[0].x[axis]) * q;
        }
    }
    params_of(&weave);
    measure(&weave, d);
    return weave;
}

// ------------------------------------------------------------------------------------------------- one row

// One of the three: what C is and how it grows with f_u and f_v.
struct strain {
    wf c;
    wf weight;         // W
    struct w_vec p, q; // not read where `only_v`
    wm known;          // the yarns that it needs have directions
};

struct yarn {
    struct w_vec n;
    wf length, inverse;
    wm whole; // it has a direction
};

SIM_INLINE struct yarn yarn_of(struct w_vec f)
{
    struct yarn yarn = {.length = w_sqrt(w_dot(f, f))};
    yarn.whole = w_below(w_set(0), yarn.length);
    yarn.inverse = w_where(yarn.whole, w_set(1) / yarn.length);
    for (int axis = 0; axis < 3; axis++) {
        yarn.n.x[axis] = yarn.inverse * f.x[axis];
    }
    return yarn;
}

SIM_INLINE struct strain warp_strain(const struct weave *weave, const struct yarn *u, const struct yarn *v)
{
    const wf one = w_set(1), r = weave->draws;
    struct strain strain = {.p = u->n, .known = w_and(u->whole, v->whole)};
    wf c = (u->length - one) + r * (v->length - one);
    strain.c = w_past_noise(c, weave->noise_u + w_abs(r) * weave->noise_v);
    for (int axis = 0; axis < 3; axis++) {
        strain.q.x[axis] = r * v->n.x[axis];
    }
    wf both = weave->ab * (r * w_dot(u->n, v->n));
    strain.weight = (weave->aa + (both + both)) + weave->bb * (r * r);
    return strain;
}

SIM_INLINE struct strain weft_strain(const struct weave *weave, const struct yarn *v)
{
    const wf zero = w_set(0);
    return (struct strain){.c = w_past_noise(v->length - w_set(1), weave->noise_v),
                           .weight = weave->bb,
                           .p = {{zero, zero, zero}},
                           .q = v->n,
                           .known = v->whole};
}

SIM_INLINE struct strain shear_strain(const struct weave *weave, const struct yarn *u, const struct yarn *v)
{
    const wf one = w_set(1);
    struct strain strain = {.known = w_and(u->whole, v->whole)};
    wf g = w_dot(u->n, v->n), iu = u->inverse, iv = v->inverse;
    for (int axis = 0; axis < 3; axis++) {
        strain.p.x[axis] = (v->n.x[axis] - g * u->n.x[axis]) * iu;
        strain.q.x[axis] = (u->n.x[axis] - g * v->n.x[axis]) * iv;
    }
    wf both = (weave->ab * g) * (iu * iv);
    wf turns = (weave->aa * (iu * iu) + weave->bb * (iv * iv)) - (both + both);
    strain.weight = w_max(one - g * g, w_set(0.25f)) * turns;
    strain.c = w_past_noise(g, weave->noise_u + weave->noise_v);
    return strain;
}

// Moves f_u and f_v by a multiplier.
SIM_INLINE void step(struct weave *weave, const struct strain *strain, wf by)
{
    for (int axis = 0; axis < 3; axis++) {
        wf p = by * strain->p.x[axis], q = by * strain->q.x[axis];
        weave->p.x[axis] = weave->p.x[axis] + p;
        weave->q.x[axis] = weave->q.x[axis] + q;
        weave->u.x[axis] = weave->u.x[axis] + (weave->aa * p + weave->ab * q);
        weave->v.x[axis] = weave->v.x[axis] + (weave->ab * p + weave->bb * q);
    }
}

// part: the stiffness in parts of k11; 0: it has none. Returns the multiplier of the step.
SIM_INLINE wf project(const struct sim *sim, struct weave *weave, const struct strain *strain, wf part,
                      enum sim_flavor flavor, float *multiplier)
{
    const wf zero = w_set(0);
    wf pull, resists = part * strain->weight;
    if (flavor == SIM_STIFF) {
        pull = (weave->give * part) * strain->c;
    } else {
        wf alpha = (weave->give * weave->dense) * w_set(sim->times.inv_h2);
        pull = part * strain->c;
        if (multiplier) {
            pull = pull + alpha * w_load(multiplier);
        }
        resists = resists + alpha;
    }
    wm goes = w_and(w_and(weave->moves, strain->known), w_below(zero, resists));
    wf by = w_where(goes, w_negative(pull) / resists);
    if (multiplier) {
        w_store(multiplier, w_load(multiplier) + by);
    }
    step(weave, strain, by);
    return by;
}

// Holds one yarn to its limit. Most yarns are shorter, so their squares are compared first.
SIM_INLINE void hold(struct weave *weave, bool warp)
{
    const struct w_vec f = warp ? weave->u : weave->v;
    const wf zero = w_set(0), weight = warp ? weave->aa : weave->bb;
    wm goes = w_and(w_below(weave->limit * weave->limit, w_dot(f, f)), w_below(zero, weight));
    goes = w_and(w_and(goes, weave->moves), w_below(weave->limit, w_set(SIM_WEAVE_NO_LIMIT)));
    if (!w_any(goes)) {
        return;
    }
    const struct yarn yarn = yarn_of(f);
    // A lane that does not go keeps its bits, even those of no number, because by itself it would have returned.
    wf by = w_where(goes, (weave->limit - yarn.length) / weight);
    struct w_vec *gains = warp ? &weave->p : &weave->q;
    for (int axis = 0; axis < 3; axis++) {
        wf way = by * yarn.n.x[axis];
        wf u = weave->u.x[axis] + (warp ? weave->aa : weave->ab) * way;
        wf v = weave->v.x[axis] + (warp ? weave->ab : weave->bb) * way;
        gains->x[axis] = w_select(goes, gains->x[axis] + way, gains->x[axis]);
        weave->u.x[axis] = w_select(goes, u, weave->u.x[axis]);
        weave->v.x[axis] = w_select(goes, v, weave->v.x[axis]);
    }
}

// Corners are rounded with the nudge of their colour and against it in turn, so that a triangle as a whole is hardly pushed.
SIM_INLINE void put(struct sim *sim, struct weave *weave, const struct w_nudges *nudges)
{
    const wf inv_q = w_set(sim->times.inv_q);
    for (uint32_t k = 0; k < 3; k++) {
        wf wa = (weave->x[k].w * weave->a[k]) * inv_q, wb = (weave->x[k].w * weave->b[k]) * inv_q;
        for (int axis = 0; axis < 3; axis++) {
            const wf nudge = w_set(k == 1 ? -nudges->x[axis] : nudges->x[axis]);
            wf way = wa * weave->p.x[axis] + wb * weave->q.x[axis];
            weave->x[k].x[axis] = weave->x[k].x[axis] + w_round(way + nudge);
        }
        w_rows_put(sim->rows, weave->at + k * SIM_LANES, &weave->x[k]);
    }
}

SIM_INLINE void solve(struct sim *sim, struct weave *weave, enum sim_flavor flavor, float *multipliers)
{
    const wf one = w_set(1);
    struct yarn u = yarn_of(weave->u), v = yarn_of(weave->v);
    struct strain strain = warp_strain(weave, &u, &v);
    project(sim, weave, &strain, one, flavor, multipliers);
    v = yarn_of(weave->v);
    strain = weft_strain(weave, &v);
    wf by = project(sim, weave, &strain, weave->weft, flavor, multipliers ? multipliers + SIM_LANES : NULL);
    u = yarn_of(weave->u);
    v.length = v.length + weave->bb * by; // it kept its direction
    v.whole = w_and(v.whole, w_below(w_set(0), v.length));
    v.inverse = w_where(v.whole, one / v.length);
    strain = shear_strain(weave, &u, &v);
    project(sim, weave, &strain, weave->shear, flavor, multipliers ? multipliers + 2 * SIM_LANES : NULL);
    if (w_any(w_below(weave->limit, w_set(SIM_WEAVE_NO_LIMIT)))) {
        hold(weave, false);
        hold(weave, true);
    }
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf longest2 = w_set(0);
    uint32_t color = UINT32_MAX;
    struct w_nudges nudges = {{0}};
    for (uint32_t i = first; i < end; i++) {
        const uint32_t index = tile->order[i];
        if (sim_batch_meta(store, index)->color != color) {
            color = sim_batch_meta(store, index)->color;
            nudges = w_nudges_of(sim, tile, color);
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct weave weave = gather(sim, sim_batch_words(store, index) + lane);
            longest2 = w_max(w_where(weave.moves, weave.longest2), longest2);
            solve(sim, &weave, flavor, kept ? sim_multipliers_of(store, index, 0) + lane : NULL);
            put(sim, &weave, &nudges);
        }
    }
    float longest = __builtin_sqrtf(w_greatest(longest2)) * sim->times.inv_q;
    tile->longest = longest > tile->longest ? longest : tile->longest;
}

// ------------------------------------------------------------------------------------------------- damping

// Slows one strain. weave->u and v are the rates of f_u and f_v, and P and Q what the velocities gain.
SIM_INLINE void slow(const struct sim *sim, struct weave *weave, const struct strain *strain, wf beta)
{
    wf rate = w_dot(strain->p, weave->u) + w_dot(strain->q, weave->v);
    wm goes = w_and(w_and(weave->moves, strain->known), w_below(w_set(0), beta));
    step(weave, strain, w_where(goes, w_dashpot(sim, beta, rate, strain->weight)));
}

SIM_INLINE void damp_one(struct sim *sim, struct weave *weave, wf beta)
{
    const struct yarn u = yarn_of(weave->u), v = yarn_of(weave->v);
    const struct strain warp = warp_strain(weave, &u, &v), weft = weft_strain(weave, &v),
                        shear = shear_strain(weave, &u, &v);
    struct w_rows speed[3];
    struct w_vec apart[2];
    for (uint32_t k = 0; k < 3; k++) {
        speed[k] = w_rows_at(sim->velocities, weave->at + k * SIM_LANES);
    }
    for (uint32_t k = 0; k < 2; k++) { // against the first one's, as in four.h
        for (int axis = 0; axis < 3; axis++) {
            apart[k].x[axis] = w_of_bits(speed[k + 1].x[axis]) - w_of_bits(speed[0].x[axis]);
        }
    }
    weave->u = along(weave->a, apart);
    weave->v = along(weave->b, apart);
    slow(sim, weave, &warp, beta);
    slow(sim, weave, &weft, beta * weave->weft);
    slow(sim, weave, &shear, beta * weave->shear);
    for (uint32_t k = 0; k < 3; k++) {
        wf wa = weave->x[k].w * weave->a[k], wb = weave->x[k].w * weave->b[k];
        for (int axis = 0; axis < 3; axis++) {
            wf gains = wa * weave->p.x[axis] + wb * weave->q.x[axis];
            speed[k].x[axis] = w_bits(w_of_bits(speed[k].x[axis]) + gains);
        }
        w_rows_put(sim->velocities, weave->at + k * SIM_LANES, &speed[k]);
    }
}

SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const wf zero = w_set(0);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct weave weave = gather(sim, sim_batch_words(store, tile->order[i]) + lane);
            wf beta = w_load(sim_batch_damping(store, tile->order[i]) + lane);
            wm yields = w_and(w_below(zero, weave.give), w_below(zero, weave.dense));
            damp_one(sim, &weave, w_where(yields, beta / weave.dense));
        }
    }
}

// --------------------------------------------------------------------------------------------------- tells

// The three strains in double, with their W.
struct told {
    wd c[3], weight[3], part[3];
    wd warp, weft; // eps_u, eps_v
};

SIM_INLINE struct wd_vec tell_yarn(const struct w_offsets *offsets, const wf k[3], int part, wd *length)
{
    struct wd_vec first = w_offset(offsets, 0, part), second = w_offset(offsets, 1, part), f;
    for (int axis = 0; axis < 3; axis++) {
        f.x[axis] = wd_of_float(k[1], part) * first.x[axis] + wd_of_float(k[2], part) * second.x[axis];
    }
    *length = wd_sqrt(wd_dot(f, f));
    return f;
}

SIM_INLINE struct told tell_strains(const struct weave *weave, const struct w_offsets *offsets, int part)
{
    const wd one = wd_set(1), zero = wd_set(0), r = wd_of_float(weave->draws, part);
    const wd aa = wd_of_float(weave->aa, part), ab = wd_of_float(weave->ab, part),
             bb = wd_of_float(weave->bb, part);
    wd lu, lv;
    struct wd_vec u = tell_yarn(offsets, weave->a, part, &lu), v = tell_yarn(offsets, weave->b, part, &lv);
    wdm whole = wd_and(wd_below(zero, lu), wd_below(zero, lv));
    wd g = wd_where(whole, wd_dot(u, v) / (lu * lv));
    struct told told = {.warp = lu - one, .weft = lv - one};
    told.c[0] = told.warp + r * told.weft;
    told.c[1] = told.weft;
    told.c[2] = g;
    wd both = (ab * r) * g, cross = wd_where(whole, (ab * g) / (lu * lv));
    told.weight[0] = (aa + (both + both)) + bb * (r * r);
    told.weight[1] = bb;
    told.weight[2] = (one - g * g) * wd_where(whole, (aa / (lu * lu) + bb / (lv * lv)) - (cross + cross));
    told.part[0] = one;
    told.part[1] = wd_of_float(weave->weft, part);
    told.part[2] = wd_of_float(weave->shear, part);
    return told;
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    const wd zero = wd_set(0), one = wd_set(1);
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct weave weave = {.at = batch + lane};
        struct w_offsets offsets;
        w_offsets_from(sim, batch + lane, 2, far, &offsets);
        const struct w_vec d[2] = {w_offset_float(&offsets, 0), w_offset_float(&offsets, 1)};
        for (uint32_t k = 0; k < 3; k++) {
            weave.x[k].w = offsets.w[k];
        }
        params_of(&weave);
        measure(&weave, d);
        for (int part = 0; part < PARTS; part++) {
            const uint32_t at = lane + (uint32_t)(part * DOUBLES);
            const struct told told = tell_strains(&weave, &offsets, part);
            wd alpha = wd_of_float(weave.give, part) * wd_of_float(weave.dense, part);
            wd mobile = wd_of_float(weave.aa + weave.bb, part);
            wdm yields = wd_below(zero, alpha), moves = wd_below(zero, mobile);
            wd energy = zero, asked = zero, given = zero, scale = zero;
            for (int i = 0; i < 3; i++) {
                wd stored = told.part[i] * (told.c[i] * told.c[i]);
                wd gives = alpha + (told.part[i] * told.weight[i]) / wd_set(inv_h * inv_h);
                energy = energy + stored / (gives + gives);
                asked = asked + stored / alpha;
                scale = scale + told.part[i] / alpha;
                if (multipliers) {
                    given = given + told.c[i] * w_multiplier(multipliers + i * SIM_LANES, lane, part);
                }
            }
            wd_store(terms->energy + at, wd_where(yields, energy));
            w_tell_error(terms, at, wd_max(wd_abs(told.warp), wd_abs(told.weft)), wd_where(moves, one));
            if (multipliers) {
                wdm counts = wd_and(yields, moves);
                wd_store(terms->asked + at, wd_where(counts, asked));
                wd_store(terms->missed + at, wd_where(counts, asked + given * wd_set(inv_h * inv_h)));
                wd_store(terms->scale + at, wd_where(counts, scale));
            }
        }
    }
}

SIM_RUNS(sim_orthotropic_runs, run, damp, tell)

// -------------------------------------------------------------------------------------------------- at rest

#if WIDE == 1
// Fills one that no body has made. Its warp runs along its first edge; it is as stiff along the weft, and
// half as stiff in shear.
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    bool upright;
    params[SIM_WEAVE_DRAWS] = 0;
    params[SIM_WEAVE_WEFT] = 1;
    params[SIM_WEAVE_SHEAR] = 0.5f;
    params[SIM_WEAVE_LIMIT] = SIM_WEAVE_NO_LIMIT;
    return sim_weave_at_rest(offsets, q, offsets[0], (const double[2]){0, 1}, params, &upright);
}

static bool valid(const uint32_t *rows, const float *params, double q)
{
    (void)q;
    bool good = rows[0] != rows[1] && rows[1] != rows[2] && rows[2] != rows[0];
    for (uint32_t p = 0; p < SIM_WEAVE_PARAMS; p++) {
        good = good && sim_finite((double)params[p]);
    }
    return good && params[SIM_WEAVE_DENSE] > 0 && params[SIM_WEAVE_WEFT] >= 0 &&
           params[SIM_WEAVE_SHEAR] >= 0 && params[SIM_WEAVE_LIMIT] >= 1;
}

const struct sim_kind_row sim_orthotropic_row = {
    .name = "orthotropic",
    .stencil = 3,
    .param_count = SIM_WEAVE_PARAMS,
    .multiplier_count = 3,
    .part = SIM_PART_STRETCH,
    .has_error = true,
    .shape_count = SIM_WEAVE_PARAMS,
    .valid = valid,
    .at_rest = at_rest,
};
#endif
