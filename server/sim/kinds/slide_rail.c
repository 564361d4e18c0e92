// Slide on a rail: a particle (a ring, a bead) that stays on a polyline of particles and slides along it.
//
//     i ---- t ---- i + 1          r = (1 - t) x_i + t x_(i+1)      the ring's place on the rail's segment i
//            |                     d = x_(i+1) - x_i,  u = d/|d|
//            p                     C = p - r,  C_along = C.u,  C_off = C - C_along u
//
//   W = w + (1 - t)^2 w_i + t^2 w_(i+1)                             the same for all three axes
//   XPBD (2016, eq. 18):   dlam = -(C + alpha~ lam)/(W + alpha~),   alpha~ = alpha/h^2
//   p += w dlam;  x_i -= (1 - t) w_i dlam;  x_(i+1) -= t w_(i+1) dlam
//
// Without friction t is that of the nearest point of the segment, so C_along is 0 between its ends. At an end of the rail t is
// cut to 0 or 1, and all of C is taken back: the ring stops there.
//
// With friction (Coulomb) t is state:
//
//   lam_off  = that of C_off
//   stick:   lam_along as for C_along, if |lam_along| <= mu |lam_off|        both in total
//   slip:    |lam_along| = mu |lam_off|, and t moves by what is left of C_along, over |d|. At an end of the rail it stops.
//
// Each projection begins by finding the nearest segment. It goes from neighbour to neighbour, SIM_STEPS at
// most, and a tie keeps the segment. A ring with friction that comes to another segment begins at the corner
// that it passed.
//
// The stencil names only the first and the last particle of the rail. So all constraints of this kind have
// the serial colour: one thread solves them in the order of their ids, and their rails may share particles.
// Everything is in double, one constraint at a time, because there are few of them and a rail may be long.
//
// Source: XPBD (Macklin, Mueller, Chentanez 2016), eq. 17 and 18; the weights are those of a point of an edge (Mueller et al.,
// Position Based Dynamics, 2007, section 3.3).

#include "sim/ground/ground.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"
#include "sim/state/rail.h"

enum { STEPS = 8 };

// The constraint of one lane as the solve sees it. Lengths are in quanta.
struct bead {
    uint32_t *words; // of its lane
    const struct sim_body *body;
    uint32_t first, segments; // of the rail: index of its first particle, and how many segments it has
    uint32_t rows[3];         // of the ring and the ends of its segment
    uint32_t segment, before; // where it is, and where it was
    double friction, give;
    double w[3], x[3], d[3]; // inverse masses; the ring and the end of the segment, from its start
    struct sim_rail_near near;
};

static float *param_of(const struct bead *bead, uint32_t param)
{
    return (float *)(void *)(bead->words + (SIM_RAIL_CORNERS + param) * SIM_LANES);
}

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// b - a, exact. far: whole coordinates are compared.
static void apart(const struct sim *sim, uint32_t a, uint32_t b, bool far, double out[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t from = sim->rows[a].x[axis], to = sim->rows[b].x[axis];
        out[axis] = far ? (double)(sim_whole(sim, b, axis, to) - sim_whole(sim, a, axis, from))
                        : (double)sim_wrap_sub(to, from);
    }
}

// Looks at another segment of the rail.
static void look(const struct sim *sim, struct bead *bead, uint32_t segment, bool far)
{
    bead->segment = segment;
    bead->rows[1] = sim_rail_row(bead->body, bead->first, segment);
    bead->rows[2] = sim_rail_row(bead->body, bead->first, segment + 1);
    apart(sim, bead->rows[1], bead->rows[0], far, bead->x);
    apart(sim, bead->rows[1], bead->rows[2], far, bead->d);
    bead->near = sim_rail_near(bead->x, bead->d);
}

// Goes to the nearest segment, from neighbour to neighbour. A segment without length is passed over.
static void find_segment(const struct sim *sim, struct bead *bead, bool far)
{
    for (uint32_t step = 0; step < STEPS; step++) {
        struct bead best = *bead, other = *bead;
        for (uint32_t side = 0; side < 2; side++) {
            if (side == 0 ? bead->segment == 0 : bead->segment + 1 >= bead->segments) {
                continue;
            }
            look(sim, &other, side == 0 ? bead->segment - 1 : bead->segment + 1, far);
            if (other.near.square < best.near.square ||
                (other.near.square == best.near.square && other.near.length2 == 0)) {
                best = other;
            }
        }
        if (best.segment == bead->segment) {
            return;
        }
        *bead = best;
    }
}

// False for a hole.
static bool gather(const struct sim *sim, uint32_t *words, bool far, struct bead *bead)
{
    uint32_t ends[2];
    *bead = (struct bead){.words = words};
    bead->rows[0] = words[0] / SIM_ROW_BYTES;
    ends[0] = words[SIM_LANES] / SIM_ROW_BYTES;
    ends[1] = words[(size_t)2 * SIM_LANES] / SIM_ROW_BYTES;
    bead->body = sim_body_of_row(sim, ends[0]);
    if (!bead->body || bead->rows[0] == ends[0]) {
        return false;
    }
    bead->first = bead->body->index_of[ends[0] - bead->body->first_row];
    bead->segments = bead->body->index_of[ends[1] - bead->body->first_row] - bead->first;
    bead->friction = (double)*param_of(bead, SIM_RAIL_FRICTION);
    bead->give = (double)*param_of(bead, SIM_RAIL_GIVE);
    bead->before = (uint32_t)*param_of(bead, SIM_RAIL_SEGMENT);
    bead->before = bead->before < bead->segments ? bead->before : bead->segments - 1;
    look(sim, bead, bead->before, far);
    find_segment(sim, bead, far);
    for (int k = 0; k < 3; k++) {
        bead->w[k] = (double)sim->rows[bead->rows[k]].w;
    }
    return true;
}

// W at a place of the segment.
static double resistance(const struct bead *bead, double t)
{
    return (bead->w[0] + ((1 - t) * (1 - t)) * bead->w[1]) + (t * t) * bead->w[2];
}

// Returns the part of the segment that the ring was at when this projection began: the corner that it passed, if it was on
// another segment then.
static double part_before(const struct bead *bead)
{
    if (bead->segment != bead->before) {
        return bead->segment > bead->before ? 0 : 1;
    }
    return sim_rail_part(*param_of(bead, SIM_RAIL_PART), *param_of(bead, SIM_RAIL_FINE));
}

// The numbers of one projection.
struct pull {
    double lam[3];       // in total
    double alpha, share; // share: of C that plain PBD takes
    double step[3];      // out: what lam changes by
};

// Without friction, and where a segment has no length.
static double pull_freely(const struct bead *bead, struct pull *pull)
{
    const double t = bead->near.t, resists = resistance(bead, t) + pull->alpha;
    for (int axis = 0; axis < 3; axis++) {
        const double c = bead->x[axis] - t * bead->d[axis];
        pull->step[axis] = -(pull->share * c + pull->alpha * pull->lam[axis]) / resists;
    }
    return t;
}

static double size_of(const double v[3])
{
    return __builtin_sqrt(dot(v, v));
}

// With friction. Returns where the ring is afterwards; what it pulls at is where it was.
static double pull_rubbing(const struct bead *bead, double t, struct pull *pull)
{
    const double length = __builtin_sqrt(bead->near.length2), w = resistance(bead, t);
    const double resists = w + pull->alpha, place = dot(bead->x, bead->d) / length;
    double u[3], off[3], lam_off[3], after = t;
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = bead->d[axis] / length;
    }
    const double along = place - t * length, lam_along = dot(pull->lam, u);
    for (int axis = 0; axis < 3; axis++) {
        const double c = (bead->x[axis] - t * bead->d[axis]) - along * u[axis];
        const double lam = pull->lam[axis] - lam_along * u[axis];
        off[axis] = -(pull->share * c + pull->alpha * lam) / resists;
        lam_off[axis] = lam + off[axis];
    }
    const double most = bead->friction * size_of(lam_off);
    double step = -(pull->share * along + pull->alpha * lam_along) / resists, total = lam_along + step;
    if (total > most || total < -most) {
        total = total > 0 ? most : -most;
        step = total - lam_along;
        after = t + ((along + w * step) + pull->alpha * total) / length;
        if (after < 0 || after > 1) { // an end stops it with any force
            after = after < 0 ? 0 : 1;
            step = -(pull->share * (place - after * length) + pull->alpha * lam_along) / resists;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        pull->step[axis] = off[axis] + step * u[axis];
    }
    return after;
}

// Nearest quantum, as sim_round, of a double.
static int32_t quanta(double v)
{
    if (!(v >= -2147483648.0 && v < 2147483648.0)) {
        return INT32_MIN;
    }
    const double shifted = v + 6755399441055744.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

// The ring is rounded with the nudge of this substep and the rail against it, as both sides of a join.
static void put(struct sim *sim, const struct bead *bead, double t, const double step[3],
                const struct w_nudges *nudges)
{
    const double share[3] = {bead->w[0], (t - 1) * bead->w[1], -t * bead->w[2]};
    for (int k = 0; k < 3; k++) {
        struct sim_row *row = &sim->rows[bead->rows[k]];
        for (int axis = 0; axis < 3 && bead->w[k] > 0; axis++) {
            const double nudge = (double)(k == 0 ? nudges->x[axis] : -nudges->x[axis]);
            row->x[axis] = sim_wrap_add(row->x[axis], quanta(share[k] * step[axis] + nudge));
        }
    }
}

// The greatest distance that low words have to tell apart.
static float span_of(const struct sim *sim, const struct bead *bead)
{
    double greatest = bead->near.length2;
    for (uint32_t k = 1; k < SIM_RAIL_CORNERS; k++) {
        double d[3];
        apart(sim, bead->rows[0], bead->words[k * SIM_LANES] / SIM_ROW_BYTES, false, d);
        greatest = dot(d, d) > greatest ? dot(d, d) : greatest;
    }
    return (float)__builtin_sqrt(greatest);
}

static void project(struct sim *sim, struct bead *bead, float *multipliers, enum sim_flavor flavor,
                    const struct w_nudges *nudges)
{
    struct pull pull = {.alpha = flavor == SIM_STIFF ? 0 : bead->give * (double)sim->times.inv_h2,
                        .share = flavor == SIM_STIFF ? bead->give : 1};
    for (int axis = 0; multipliers && axis < 3; axis++) {
        pull.lam[axis] = (double)multipliers[axis * SIM_LANES];
    }
    const bool rubs = bead->friction > 0 && bead->near.length2 > 0;
    const double from = rubs ? part_before(bead) : bead->near.t;
    if (!(resistance(bead, from) > 0)) {
        return; // nothing of it can move
    }
    const double to = rubs ? pull_rubbing(bead, from, &pull) : pull_freely(bead, &pull);
    *param_of(bead, SIM_RAIL_SEGMENT) = (float)bead->segment;
    sim_rail_part_set(to, param_of(bead, SIM_RAIL_PART), param_of(bead, SIM_RAIL_FINE));
    for (int axis = 0; multipliers && axis < 3; axis++) {
        multipliers[axis * SIM_LANES] = (float)(pull.lam[axis] + pull.step[axis]);
    }
    put(sim, bead, from, pull.step, nudges);
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        const uint32_t index = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t id = sim_batch_ids(store, index)[lane];
            struct bead bead;
            if (id == 0 || !gather(sim, sim_batch_words(store, index) + lane, false, &bead) ||
                bead.body->asleep) {
                continue;
            }
            const float span = span_of(sim, &bead);
            tile->longest = span > tile->longest ? span : tile->longest;
            // The rings of a rail differ in their nudges.
            const struct w_nudges nudges =
                w_nudges_from(sim->times.turn, tile->seed + id, sim_batch_meta(store, index)->color, W_RAIL);
            project(sim, &bead, kept ? sim_multipliers_of(store, index, 0) + lane : NULL, flavor, &nudges);
        }
    }
}

// Damps the velocity off the rail of a ring that has a compliance. With friction or at an end it damps all of
// the velocity.
static void damp_bead(struct sim *sim, const struct bead *bead, double beta)
{
    const bool along = bead->friction > 0 || !(bead->near.t > 0 && bead->near.t < 1);
    const double t = bead->near.t, w = resistance(bead, t), share = beta * (double)sim->times.h;
    const double weights[3] = {1, t - 1, -t};
    double rate[3];
    for (int axis = 0; axis < 3; axis++) {
        rate[axis] = 0;
        for (int k = 0; k < 3; k++) {
            rate[axis] += weights[k] * (double)sim->velocities[bead->rows[k]].v[axis];
        }
    }
    const double slides = along ? 0 : dot(rate, bead->d) / bead->near.length2;
    for (int axis = 0; axis < 3; axis++) {
        const double push = -(share * (rate[axis] - slides * bead->d[axis])) / (1 + share * w);
        for (int k = 0; k < 3; k++) {
            float *v = &sim->velocities[bead->rows[k]].v[axis];
            *v = (float)((double)*v + (push * bead->w[k]) * weights[k]);
        }
    }
}

static void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            struct bead bead;
            if (sim_batch_ids(store, tile->order[i])[lane] != 0 &&
                gather(sim, sim_batch_words(store, tile->order[i]) + lane, false, &bead) && bead.give > 0 &&
                !bead.body->asleep) {
                damp_bead(sim, &bead, (double)sim_batch_damping(store, tile->order[i])[lane]);
            }
        }
    }
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    (void)multipliers; // a body brings none, so no body's convergence asks for their share
    const double h = 1 / ((double)sim->settings.tick_rate * sim->settings.substeps);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        struct bead bead;
        terms->energy[lane] = 0;
        // The words are only read.
        if (gather(sim, (uint32_t *)(uintptr_t)(batch + lane), far, &bead) && bead.give > 0) {
            const double gives = bead.give + (h * h) * resistance(&bead, bead.near.t);
            terms->energy[lane] = (bead.near.square * (sim->q * sim->q)) / (gives + gives);
        }
    }
}

SIM_RUNS(sim_slide_rail_runs, run, damp, tell)

#if WIDE == 1
// It rests on its rail.
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    (void)offsets;
    (void)q;
    (void)params;
    return true;
}

static bool is_multiple(float v, float unit)
{
    const float steps = v / unit; // exact: units are powers of two
    return steps == (float)(uint32_t)steps;
}

// The code that knows bodies (constraint/constraint_rail.c) checks that the ends of the rail are of one body,
// in this order, and that the ring is not on the rail.
static bool valid(const uint32_t *rows, const float *params, double q)
{
    (void)q;
    const float segment = params[SIM_RAIL_SEGMENT], part = params[SIM_RAIL_PART],
                fine = params[SIM_RAIL_FINE];
    return rows[0] != rows[1] && rows[0] != rows[2] && rows[1] != rows[2] && params[SIM_RAIL_FRICTION] >= 0 &&
           params[SIM_RAIL_FRICTION] <= (float)SIM_SLIDE_FRICTION_MAX && segment >= 0 &&
           segment < (float)SIM_RAIL_SEGMENTS_MAX && is_multiple(segment, 1) && part >= 0 && part <= 1 &&
           is_multiple(part, 0x1p-16f) && fine >= 0 && fine < 0x1p-16f && is_multiple(fine, 0x1p-32f) &&
           (part < 1 || fine == 0);
}

const struct sim_kind_row sim_slide_rail_row = {
    .name = "slide_rail",
    .stencil = SIM_RAIL_CORNERS,
    .param_count = SIM_RAIL_PARAMS,
    .multiplier_count = 3,
    .part = SIM_PART_STRETCH,
    .in_quanta = true,
    .serial = true,
    .written_first = SIM_RAIL_SEGMENT,
    .written_count = SIM_RAIL_PARAMS - SIM_RAIL_SEGMENT,
    .shape_first = SIM_RAIL_FRICTION,
    .shape_count = SIM_RAIL_PARAMS,
    .valid = valid,
    .at_rest = at_rest,
};
#endif
