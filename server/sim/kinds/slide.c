// Slide: a rope between particles 0 and 2 that runs through a ring or over a pulley, particle 1.
//
//     0 ---- a ---- 1 ---- b ---- 2        C = |a| + R |b| - L      R parts of rope run on the side of particle 2
//
//   a = x0 - x1, b = x2 - x1;  n_a = a/|a|, n_b = b/|b|;  g = n_a + R n_b
//   grad0 = n_a, grad1 = -g, grad2 = R n_b;  W = w0 + w1 |g|^2 + w2 R^2
//   XPBD (2016, eq. 18):   dlam = -(C + alpha~ lam)/(W + alpha~),  alpha~ = alpha/h^2;  a rope only pulls: lam <= 0 in total
//   x0 += w0 dlam n_a;  x1 -= w1 dlam g;  x2 += w2 dlam R n_b
//   damping (wide.h):      C' = n_a.(v0 - v1) + R n_b.(v2 - v1) of ropes that are taut
//
// |g| is 2 where both parts leave in the same direction (R = 1) and 0 where the ring is on the straight line between the
// ends. A part of length 0 has no direction and is passed over.
//
// With friction (Euler and Eytelwein) the two sides have rest lengths La and Lb = L - La, which are state, and tensions
// t = -lam of their own (both times h^2). theta is the angle by which the rope turns at the ring, and R is 1:
//
//   Ca = |a| - La, Cb = |b| - Lb;  c = n_a.n_b;  E = e^(mu theta), theta = atan2(|n_a x n_b|, -c)
//   A11 = w0 + w1 + alpha~_a, A22 = w2 + w1 + alpha~_b, A12 = w1 c;   alpha_a = alpha La/L, alpha_b = alpha Lb/L
//   ra = Ca + (w0 + w1) ta' + A12 tb',  rb = Cb + A12 ta' + (w2 + w1) tb'      t': of the iterations before
//   stick:  [A11 A12; A12 A22] (ta, tb) = (ra, rb), if 0 <= ta <= E tb and 0 <= tb <= E ta
//   slip:   rho = tb/ta = 1/E if ta > tb, else E;  t = max(0, (ra + rb)/(A11 + A12 + rho (A12 + A22)));  ta = t, tb = rho t
//           La += ra - (A11 + A12 rho) t.  Where t is 0 the side that is too long takes what it lacks from the other one.
//
// The decision is made within the substep, by tensions that both sides would need to stick. One made by forces of the last
// substep flickers, and friction on the sliding speed lets a loaded rope creep.
//
// Lengths are in quanta, so lam is in kg quanta. A ring between two fixed ends may have a rope that is too short for them.
// Its gradient vanishes on the straight line, and a step that overshoots the line would throw the ring. So with fixed ends
// the step ends on the line: s w1 <= |a||b|/(|b| + R |a|).

#include "sim/kernels/angle.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

// A batch whose rows are in registers.
struct rope {
    uint32_t *at; // of the batch's words; ticks change what SIM_SLIDE_SIDE says
    struct w_rows x[3];
    struct w_vec na, nb; // unit vectors; 0 where a part has no length
    wf la, lb;           // lengths, quanta
    wf wa, wb;           // inverse masses of the ends; 0 where their part has no length
    struct w_vec g;
    wf rest, ratio, friction, side, give;
    wf weight;    // W
    wf c, ca, cb; // C, Ca, Cb
};

SIM_INLINE wf param(const struct rope *rope, uint32_t param)
{
    return w_load_float(rope->at + (3 + param) * SIM_LANES);
}

SIM_INLINE struct w_vec unit(struct w_vec d, wf length)
{
    wm whole = w_below(w_set(0), length);
    struct w_vec n;
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = w_where(whole, d.x[axis] / length);
    }
    return n;
}

// The length of an offset of low words, quanta.
SIM_INLINE wd length_in(const wi d[3], int part)
{
    struct wd_vec v = {{wd_of_int(d[0], part), wd_of_int(d[1], part), wd_of_int(d[2], part)}};
    return wd_sqrt(wd_dot(v, v));
}

// Past noise, and no more than what fails the world.
SIM_INLINE wf excess(const wd c[PARTS], wf noise)
{
    return w_min(w_past_noise(wd_to_float(c), noise), w_set(SIM_STRETCH_MAX));
}

// Fills C, Ca and Cb. Lengths are in double here: a float is off by up to 2^-24 of a length, which over h^2 is a tension, and
// friction compares tensions.
SIM_INLINE void measure_excess(struct rope *rope, const wi a[3], const wi b[3])
{
    const wf noise = rope->rest * w_set(SIM_NOISE);
    wd c[PARTS], ca[PARTS], cb[PARTS];
    for (int part = 0; part < PARTS; part++) {
        wd la = length_in(a, part), lb = length_in(b, part);
        wd rest = wd_of_float(rope->rest, part), side = wd_of_float(rope->side, part);
        c[part] = (la + wd_of_float(rope->ratio, part) * lb) - rest;
        ca[part] = la - side;
        cb[part] = lb - (rest - side);
    }
    rope->c = excess(c, noise);
    rope->ca = excess(ca, noise);
    rope->cb = excess(cb, noise);
}

// Fills the rest from what `at`, x and the two offsets say.
SIM_INLINE void measure(struct rope *rope, struct w_vec a, struct w_vec b)
{
    const wf zero = w_set(0);
    rope->la = w_sqrt(w_dot(a, a));
    rope->lb = w_sqrt(w_dot(b, b));
    rope->na = unit(a, rope->la);
    rope->nb = unit(b, rope->lb);
    rope->rest = param(rope, SIM_SLIDE_REST);
    rope->ratio = param(rope, SIM_SLIDE_RATIO);
    rope->friction = param(rope, SIM_SLIDE_FRICTION);
    rope->side = param(rope, SIM_SLIDE_SIDE);
    rope->give = param(rope, SIM_SLIDE_SIDE + 1);
    rope->wa = w_where(w_below(zero, rope->la), rope->x[0].w);
    rope->wb = w_where(w_below(zero, rope->lb), rope->x[2].w);
    for (int axis = 0; axis < 3; axis++) {
        rope->g.x[axis] = rope->na.x[axis] + rope->ratio * rope->nb.x[axis];
    }
    rope->weight =
        (rope->wa + rope->x[1].w * w_dot(rope->g, rope->g)) + rope->wb * (rope->ratio * rope->ratio);
}

SIM_INLINE struct rope gather(const struct sim *sim, uint32_t *at)
{
    struct rope rope = {.at = at};
    struct w_vec a, b;
    wi whole_a[3], whole_b[3];
    for (uint32_t k = 0; k < 3; k++) {
        rope.x[k] = w_rows_at(sim->rows, at + k * SIM_LANES);
    }
    for (int axis = 0; axis < 3; axis++) {
        whole_a[axis] = rope.x[0].x[axis] - rope.x[1].x[axis];
        whole_b[axis] = rope.x[2].x[axis] - rope.x[1].x[axis];
        a.x[axis] = w_float(whole_a[axis]);
        b.x[axis] = w_float(whole_b[axis]);
    }
    measure(&rope, a, b);
    measure_excess(&rope, whole_a, whole_b);
    return rope;
}

// The bound where the ring is fixed. Times the inverse mass of what is static it has to be 0, which infinity is not.
#define TENSION_MAX 1e30f

// The greatest step of the ring over its inverse mass, so that it neither passes the line between fixed ends nor leaves the
// range of an int32.
SIM_INLINE wf step_most(const struct rope *rope)
{
    const wf zero = w_set(0), one = w_set(1);
    wf most = w_set(SIM_STRETCH_MAX) / (one + rope->ratio);
    wf line = (rope->la * rope->lb) / (rope->lb + rope->ratio * rope->la);
    wm fixed =
        w_and(w_equal(rope->wa + rope->wb, zero), w_and(w_below(zero, rope->la), w_below(zero, rope->lb)));
    return w_min(w_select(fixed, w_min(line, most), most) / rope->x[1].w, w_set(TENSION_MAX));
}

// Tensions times h^2. On entry those of the iterations before.
struct tensions {
    wf a, b;
};

SIM_INLINE struct tensions pull(const struct sim *sim, const struct rope *rope, struct tensions old,
                                enum sim_flavor flavor, bool kept)
{
    const wf zero = w_set(0);
    wf c = rope->c, resists = rope->weight;
    if (flavor == SIM_STIFF) {
        c = rope->give * c;
    } else {
        wf alpha = rope->give * w_set(sim->times.inv_h2);
        c = kept ? c - alpha * old.a : c;
        resists = resists + alpha;
    }
    wm moves = w_and(w_below(zero, rope->weight), w_below(zero, resists));
    wf t = w_max(old.a + w_where(moves, c / resists), zero);
    return (struct tensions){t, t};
}

// With friction. Moves rope between the sides.
SIM_INLINE struct tensions rub(const struct sim *sim, struct rope *rope, struct tensions old,
                               enum sim_flavor flavor)
{
    const wf zero = w_set(0), w1 = rope->x[1].w;
    // A part without length pulls nothing.
    wf w1a = w_where(w_below(zero, rope->la), w1), w1b = w_where(w_below(zero, rope->lb), w1);
    wf ca = rope->ca, cb = rope->cb;
    wf alpha_a = zero, alpha_b = zero;
    if (flavor == SIM_STIFF) {
        ca = rope->give * ca;
        cb = rope->give * cb;
    } else {
        wf alpha = rope->give * w_set(sim->times.inv_h2);
        alpha_a = w_where(w_below(zero, rope->rest), alpha * (rope->side / rope->rest));
        alpha_b = alpha - alpha_a;
    }
    struct w_vec across = w_cross(rope->na, rope->nb);
    wf cosine = w_dot(rope->na, rope->nb), sine2 = w_dot(across, across);
    wf theta = w_atan2(w_sqrt(sine2), w_negative(cosine));
    wf grip = w_exp(w_min(rope->friction * theta, w_set(W_EXP_MOST)));
    wf ra = ca + (rope->wa + w1a) * old.a, rb = cb + (rope->wb + w1b) * old.b, a12 = w1 * cosine;
    ra = ra + a12 * old.b;
    rb = rb + a12 * old.a;
    wf ea = rope->wa + alpha_a, eb = rope->wb + alpha_b, a11 = ea + w1a, a22 = eb + w1b;
    wf det = (ea * eb + (w1b * ea + w1a * eb)) + (w1 * w1) * sine2;
    struct tensions stick = {(ra * a22 - rb * a12) / det, (rb * a11 - ra * a12) / det};
    wm pulls = w_or(w_below(stick.a, zero), w_below(stick.b, zero));
    wm slips = w_or(w_below(grip * stick.b, stick.a), w_below(grip * stick.a, stick.b));
    slips = w_or(w_or(slips, pulls), w_equal(det, zero));
    wf rho = w_select(w_below(stick.b, stick.a), w_set(1) / grip, grip);
    wf all = (a11 + a12) + rho * (a12 + a22);
    wf t = w_max(w_where(w_below(zero, all), (ra + rb) / all), zero);
    wf passes = w_select(w_below(zero, t), ra - (a11 + a12 * rho) * t, w_max(ra, zero) - w_max(rb, zero));
    // Lanes without friction are here only because another one has some.
    wf side = w_min(w_max(rope->side + w_where(slips, passes), zero), rope->rest);
    rope->side = w_select(w_below(zero, rope->friction), side, rope->side);
    return (struct tensions){w_select(slips, t, stick.a), w_select(slips, rho * t, stick.b)};
}

// Adds ways in quanta. The ends are rounded against each other, so that a rope as a whole is not pushed.
SIM_INLINE void move(struct sim *sim, struct rope *rope, const struct w_nudges *nudges, wf ta, wf tb)
{
    wf sa = rope->wa * ta, sb = rope->wb * (rope->ratio * tb);
    wf ra = rope->x[1].w * ta, rb = rope->x[1].w * (rope->ratio * tb);
    for (int axis = 0; axis < 3; axis++) {
        const wf nudge = w_set(nudges->x[axis]), other = w_set(-nudges->x[axis]);
        wf ring = ra * rope->na.x[axis] + rb * rope->nb.x[axis];
        rope->x[0].x[axis] = rope->x[0].x[axis] - w_round(sa * rope->na.x[axis] + nudge);
        rope->x[1].x[axis] = rope->x[1].x[axis] + w_round(ring + nudge);
        rope->x[2].x[axis] = rope->x[2].x[axis] - w_round(sb * rope->nb.x[axis] + other);
    }
    for (uint32_t k = 0; k < 3; k++) {
        w_rows_put(sim->rows, rope->at + k * SIM_LANES, &rope->x[k]);
    }
}

SIM_INLINE wf project(struct sim *sim, struct rope *rope, float *multipliers, const struct w_nudges *nudges,
                      enum sim_flavor flavor, bool kept)
{
    const wf zero = w_set(0);
    struct tensions old = {zero, zero};
    if (kept) {
        old = (struct tensions){w_negative(w_load(multipliers)), w_negative(w_load(multipliers + SIM_LANES))};
    }
    struct tensions now = pull(sim, rope, old, flavor, kept);
    wm rubs = w_below(zero, rope->friction);
    if (w_any(rubs)) {
        struct tensions with = rub(sim, rope, old, flavor);
        now.a = w_select(rubs, with.a, now.a);
        now.b = w_select(rubs, with.b, now.b);
        w_store((float *)(void *)(rope->at + (3 + SIM_SLIDE_SIDE) * SIM_LANES), rope->side);
    }
    wf most = step_most(rope);
    now.a = w_min(w_max(now.a, zero), old.a + most); // 0 for no number
    now.b = w_min(w_max(now.b, zero), old.b + most);
    if (kept) {
        w_store(multipliers, w_negative(now.a));
        w_store(multipliers + SIM_LANES, w_negative(now.b));
    }
    move(sim, rope, nudges, now.a - old.a, now.b - old.b);
    wm moves = w_below(zero, (rope->x[0].w + rope->x[1].w) + rope->x[2].w);
    return w_where(moves, w_max(rope->la, rope->lb));
}

SIM_LONG void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                  enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    wf longest = w_set(tile->longest);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t index = tile->order[i];
        const struct w_nudges nudges = w_nudges_of(sim, tile, sim_batch_meta(store, index)->color);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct rope rope = gather(sim, sim_batch_words(store, index) + lane);
            float *multipliers = kept ? sim_multipliers_of(store, index, 0) + lane : NULL;
            longest = w_max(project(sim, &rope, multipliers, &nudges, flavor, kept), longest);
        }
    }
    tile->longest = w_greatest(longest);
}

// C' of velocities against the ring's, which costs no digits where the rope goes as a whole.
SIM_INLINE wf rate_of(const struct rope *rope, const struct w_rows v[3])
{
    struct w_vec a, b;
    for (int axis = 0; axis < 3; axis++) {
        a.x[axis] = w_of_bits(v[0].x[axis]) - w_of_bits(v[1].x[axis]);
        b.x[axis] = w_of_bits(v[2].x[axis]) - w_of_bits(v[1].x[axis]);
    }
    return w_dot(rope->na, a) + rope->ratio * w_dot(rope->nb, b);
}

SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const wf zero = w_set(0);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct rope rope = gather(sim, sim_batch_words(store, tile->order[i]) + lane);
            struct w_rows v[3];
            for (uint32_t k = 0; k < 3; k++) {
                v[k] = w_rows_at(sim->velocities, rope.at + k * SIM_LANES);
            }
            wf beta = w_load(sim_batch_damping(store, tile->order[i]) + lane);
            wm yields = w_and(w_below(zero, rope.c), w_below(zero, rope.give));
            wf push = w_where(w_and(yields, w_below(zero, rope.weight)),
                              w_dashpot(sim, beta, rate_of(&rope, v), rope.weight));
            wf pa = push * rope.wa, pg = push * rope.x[1].w, pb = push * (rope.wb * rope.ratio);
            for (int axis = 0; axis < 3; axis++) {
                v[0].x[axis] = w_bits(w_of_bits(v[0].x[axis]) + pa * rope.na.x[axis]);
                v[1].x[axis] = w_bits(w_of_bits(v[1].x[axis]) - pg * rope.g.x[axis]);
                v[2].x[axis] = w_bits(w_of_bits(v[2].x[axis]) + pb * rope.nb.x[axis]);
            }
            for (uint32_t k = 0; k < 3; k++) {
                w_rows_put(sim->velocities, rope.at + k * SIM_LANES, &v[k]);
            }
        }
    }
}

// One row as it is measured: C in m, and what it would give (w_tell_energy).
struct told {
    wd c, compliance, weight, lambda;
};

SIM_INLINE void tell_row(const struct sim *sim, struct sim_terms *terms, uint32_t lane,
                         const struct told *row, wd rest, bool multipliers)
{
    wd c = wd_max(row->c, wd_set(0));
    w_tell_energy(sim, terms, lane, c * c, row->compliance, row->weight);
    if (multipliers) {
        w_tell_share(sim, terms, lane, c * c, rest, row->lambda * c, row->compliance, row->weight);
    }
}

// With friction each side stores energy of its own. This adds what both tell.
static void tell_sides(const struct sim *sim, struct sim_terms *terms, uint32_t lane,
                       const struct told sides[2], wd rest, wd rubs, bool multipliers)
{
    struct sim_terms own[2] = {0};
    const wdm both = wd_below(wd_set(0), rubs);
    for (int s = 0; s < 2; s++) {
        tell_row(sim, &own[s], lane, &sides[s], rest, multipliers);
    }
    double *const out[] = {terms->energy, terms->asked, terms->missed, terms->scale};
    const double *const a[] = {own[0].energy, own[0].asked, own[0].missed, own[0].scale};
    const double *const b[] = {own[1].energy, own[1].asked, own[1].missed, own[1].scale};
    for (int t = 0; t < (multipliers ? 4 : 1); t++) {
        wd sum = wd_load(a[t] + lane) + wd_load(b[t] + lane);
        wd_store(out[t] + lane, wd_select(both, sum, wd_load(out[t] + lane)));
    }
}

SIM_INLINE wd length_of(struct wd_vec d)
{
    return wd_sqrt(wd_dot(d, d));
}

// |n_a + R n_b|^2
SIM_INLINE wd turn_of_ring(struct wd_vec a, struct wd_vec b, wd la, wd lb, wd ratio)
{
    struct wd_vec g;
    for (int axis = 0; axis < 3; axis++) {
        g.x[axis] = wd_where(wd_below(wd_set(0), la), a.x[axis] / la) +
                    ratio * wd_where(wd_below(wd_set(0), lb), b.x[axis] / lb);
    }
    return wd_dot(g, g);
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    const wd q = wd_set(sim->q), zero = wd_set(0);
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        w_offsets_from(sim, at, 2, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            const uint32_t first = lane + (uint32_t)(part * DOUBLES);
            struct wd_vec ring = w_offset(&offsets, 0, part), end = w_offset(&offsets, 1, part), a, b;
            for (int axis = 0; axis < 3; axis++) {
                a.x[axis] = zero - ring.x[axis];
                b.x[axis] = end.x[axis] - ring.x[axis];
            }
            wd la = length_of(a), lb = length_of(b);
            wd rest = w_param(at, 3 + SIM_SLIDE_REST, part) * q,
               side = w_param(at, 3 + SIM_SLIDE_SIDE, part) * q;
            wd ratio = w_param(at, 3 + SIM_SLIDE_RATIO, part),
               give = w_param(at, 3 + SIM_SLIDE_SIDE + 1, part);
            wd w0 = wd_of_float(offsets.w[0], part), w1 = wd_of_float(offsets.w[1], part);
            wd w2 = wd_of_float(offsets.w[2], part),
               give_a = wd_where(wd_below(zero, rest), give * (side / rest));
            struct told rows[3] = {
                {(la + ratio * lb) - rest, give,
                 (w0 + w1 * turn_of_ring(a, b, la, lb, ratio)) + w2 * (ratio * ratio), zero},
                {la - side, give_a, w0 + w1, zero},
                {lb - (rest - side), give - give_a, w2 + w1, zero},
            };
            if (multipliers) { // in quanta
                rows[0].lambda = rows[1].lambda = w_multiplier(multipliers, lane, part) * q;
                rows[2].lambda = w_multiplier(multipliers + SIM_LANES, lane, part) * q;
            }
            tell_row(sim, terms, first, &rows[0], rest, multipliers != NULL);
            tell_sides(sim, terms, first, &rows[1], rest, w_param(at, 3 + SIM_SLIDE_FRICTION, part),
                       multipliers != NULL);
        }
    }
}

SIM_RUNS(sim_slide_runs, run, damp, tell)

#if WIDE == 1
static bool at_rest(const double offsets[][3], double q, float params[4])
{
    (void)q;
    double a2 = 0, b2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        double b = offsets[1][axis] - offsets[0][axis];
        a2 += offsets[0][axis] * offsets[0][axis];
        b2 += b * b;
    }
    params[SIM_SLIDE_REST] =
        (float)(__builtin_sqrt(a2) + (double)params[SIM_SLIDE_RATIO] * __builtin_sqrt(b2));
    return true;
}

// Both parts may be as long as a distance.
static double rest_most(double q)
{
    return 2 * SIM_REST_MAX * q;
}

const struct sim_kind_row sim_slide_row = {
    .name = "slide",
    .stencil = 3,
    .param_count = 4,
    .multiplier_count = 2,
    .part = SIM_PART_STRETCH,
    .in_quanta = true,
    .slides = true,
    .written_first = SIM_SLIDE_SIDE,
    .written_count = 1,
    .at_rest = at_rest,
    .rest_most = rest_most,
    .rest_unit = "m",
};
#endif
