// Tears between two ticks (concepts/tearing.md).
//
// The load across an edge follows from where the particles are when the tick ends. m is the unit normal of the edge in the plane
// of a triangle at rest, e the edge, w the way from its first end to the triangle's third corner, s = (w.e)/(e.e), h = |w - s e|:
//
//     F m = (W - s E)/h            E, W: where e and w are now
//     strain = |F m| - 1
//     tension = T_u m_u^2 + 2 T_s m_u m_v + T_v m_v^2        T: of kinds/orthotropic.c, m in warp and weft
//
// both of them the mean of the two triangles, by their areas. The load is the greater of strain and tension over their thresholds.
// Edges above 1 are cut, the most loaded ones first and CUTS of them in a tick.
//
// One cut inside a sheet opens nothing. So at an end that is not on the border and has no other cut, the most loaded edge that
// goes on at an obtuse angle is cut as well.
//
// All of it is done by the thread that runs the tick, in the order of bodies and edges, in double: nothing depends on threads.

#include "base/assert.h"
#include "sim/constraint/constraint.h"
#include "sim/constraint/torn.h"
#include "sim/contact/meet.h"
#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/fabric.h"
#include "sim/store/store.h"

enum { CUTS = 16 };

static double dot_of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From one particle to another one, m. rest: in the rest shape.
static void way_of(const struct sim *sim, const struct sim_body *body, uint32_t from, uint32_t to, bool rest,
                   double way[3])
{
    int64_t a[3], b[3];
    if (rest) {
        sim_rest_of(body, from, a);
        sim_rest_of(body, to, b);
    } else {
        memcpy(a, sim->positions[body->first_row + body->row_of[from]], sizeof a);
        memcpy(b, sim->positions[body->first_row + body->row_of[to]], sizeof b);
    }
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)(b[axis] - a[axis]) * sim->q;
    }
}

// ------------------------------------------------------------------------------------------------------ load

static double strain_across(const struct sim *sim, const struct sim_body *body, const uint32_t corners[3])
{
    double e[3], w[3], height[3], across[3];
    way_of(sim, body, corners[0], corners[1], true, e);
    way_of(sim, body, corners[0], corners[2], true, w);
    const double s = dot_of(e, e) > 0 ? dot_of(w, e) / dot_of(e, e) : 0;
    for (int axis = 0; axis < 3; axis++) {
        height[axis] = w[axis] - s * e[axis];
    }
    way_of(sim, body, corners[0], corners[1], false, e);
    way_of(sim, body, corners[0], corners[2], false, w);
    for (int axis = 0; axis < 3; axis++) {
        across[axis] = w[axis] - s * e[axis];
    }
    const double h2 = dot_of(height, height);
    return h2 > 0 ? __builtin_sqrt(dot_of(across, across) / h2) - 1 : 0;
}

// N/m; 0 without an orthotropic constraint, or if a yarn has no direction. wing: the corner of the triangle off the edge, 0 to 2.
static double tension_across(const struct sim *sim, const struct sim_body *body, uint32_t triangle,
                             uint32_t wing)
{
    const uint32_t at = body->torn->weaves[triangle];
    const uint32_t slot =
        at == SIM_NO_TORN ? SIM_GONE : sim_range_of(sim, body->constraint_first[SIM_ORTHOTROPIC])->slots[at];
    if (slot == SIM_GONE) {
        return 0;
    }
    struct sim_values values;
    uint32_t rows[SIM_STENCIL_MAX];
    double d[2][3], fu[3], fv[3];
    sim_store_values(&sim->stores[SIM_ORTHOTROPIC], slot, &values);
    sim_store_rows(&sim->stores[SIM_ORTHOTROPIC], slot, rows);
    const float *p = values.params;
    for (int k = 0; k < 6; k++) {
        d[k / 3][k % 3] =
            (double)(sim->positions[rows[k / 3 + 1]][k % 3] - sim->positions[rows[0]][k % 3]) * sim->q;
    }
    const double a[3] = {-(double)p[SIM_WEAVE_A] - (double)p[SIM_WEAVE_A + 1], (double)p[SIM_WEAVE_A],
                         (double)p[SIM_WEAVE_A + 1]};
    const double b[3] = {-(double)p[SIM_WEAVE_B] - (double)p[SIM_WEAVE_B + 1], (double)p[SIM_WEAVE_B],
                         (double)p[SIM_WEAVE_B + 1]};
    for (int axis = 0; axis < 3; axis++) {
        fu[axis] = a[1] * d[0][axis] + a[2] * d[1][axis];
        fv[axis] = b[1] * d[0][axis] + b[2] * d[1][axis];
    }
    const double u = __builtin_sqrt(dot_of(fu, fu)), v = __builtin_sqrt(dot_of(fv, fv));
    const double m2 = a[wing] * a[wing] + b[wing] * b[wing], k11 = 1 / (double)values.compliance;
    if (!(u > 0) || !(v > 0) || !(m2 > 0) || !(values.compliance > 0)) {
        return 0;
    }
    const double r = (double)p[SIM_WEAVE_DRAWS], k12 = r * k11;
    const double k22 = k11 * (double)p[SIM_WEAVE_WEFT] + r * k12, shear = k11 * (double)p[SIM_WEAVE_SHEAR];
    const double tu = k11 * (u - 1) + k12 * (v - 1), tv = k12 * (u - 1) + k22 * (v - 1);
    const double ts = shear * dot_of(fu, fv) / (u * v);
    return (tu * a[wing] * a[wing] + 2 * ts * a[wing] * b[wing] + tv * b[wing] * b[wing]) / m2;
}

// The load on an edge over its threshold.
static double ratio_of(const struct sim *sim, const struct sim_body *body, const struct sim_torn_edge *edge)
{
    const struct sim_torn *torn = body->torn;
    double strain = 0, tension = 0, area = 0;
    for (int s = 0; s < 2; s++) {
        const uint32_t t = edge->triangles[s], *of = body->triangles + 3 * (size_t)t;
        const uint32_t ends[2] = {sim_torn_corner(body, t, edge->ends[0]),
                                  sim_torn_corner(body, t, edge->ends[1])};
        uint32_t wing = 0;
        while (of[wing] == ends[0] || of[wing] == ends[1]) {
            wing++;
        }
        const uint32_t corners[3] = {ends[0], ends[1], of[wing]};
        area += torn->areas[t];
        strain += torn->tear.strain > 0 ? torn->areas[t] * strain_across(sim, body, corners) : 0;
        tension += torn->tear.force > 0 ? torn->areas[t] * tension_across(sim, body, t, wing) : 0;
    }
    const double by_strain = area > 0 && strain > 0 ? strain / area / torn->tear.strain : 0;
    const double by_force = area > 0 && tension > 0 ? tension / area / torn->tear.force : 0;
    return by_strain > by_force ? by_strain : by_force;
}

// ---------------------------------------------------------------------------------------------------- choice

struct choice {
    uint32_t edges[3 * CUTS], count;
};

static bool chosen(const struct choice *choice, uint32_t edge)
{
    bool is = false;
    for (uint32_t i = 0; i < choice->count && !is; i++) {
        is = choice->edges[i] == edge;
    }
    return is;
}

// The most loaded edges above 1, by falling load, of equal ones the lower first.
static void choose(const struct sim *sim, const struct sim_body *body, struct choice *choice)
{
    const struct sim_torn *torn = body->torn;
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const struct sim_torn_edge *edge = &torn->edges[e];
        const bool holds = !edge->cut && edge->triangles[1] != SIM_NO_TORN;
        const double ratio = holds ? ratio_of(sim, body, edge) : 0;
        torn->ratios[e] = ratio;
        if (!(ratio > 1) || (choice->count == CUTS && !(ratio > torn->ratios[choice->edges[CUTS - 1]]))) {
            continue;
        }
        uint32_t place = choice->count < CUTS ? choice->count++ : CUTS - 1;
        for (; place > 0 && torn->ratios[choice->edges[place - 1]] < ratio; place--) {
            choice->edges[place] = choice->edges[place - 1];
        }
        choice->edges[place] = e;
    }
}

// The edge that a tear goes on along, at an end of an edge inside the sheet; SIM_NO_TORN: the end opens as it is, or there is none.
static uint32_t goes_on(const struct sim *sim, const struct sim_body *body, const struct choice *choice,
                        uint32_t from, uint32_t root)
{
    const struct sim_torn *torn = body->torn;
    const uint32_t index = sim_torn_corner(body, torn->edges[from].triangles[0], root);
    uint32_t best = SIM_NO_TORN;
    double along[3], way[3];
    const uint32_t *ends = torn->edges[from].ends;
    way_of(sim, body, root, ends[0] == root ? ends[1] : ends[0], true, along);
    for (uint32_t i = torn->firsts[root]; i < torn->firsts[root + 1]; i++) {
        const uint32_t t = torn->around[i];
        if (sim_torn_corner(body, t, root) != index) {
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t e = torn->sides[3 * (size_t)t + k];
            const struct sim_torn_edge *edge = &torn->edges[e];
            if (e == from || (edge->ends[0] != root && edge->ends[1] != root)) {
                continue;
            }
            if (edge->cut || edge->triangles[1] == SIM_NO_TORN || chosen(choice, e)) {
                return SIM_NO_TORN;
            }
            way_of(sim, body, root, edge->ends[0] == root ? edge->ends[1] : edge->ends[0], true, way);
            const bool better = best == SIM_NO_TORN || torn->ratios[e] > torn->ratios[best] ||
                                (!(torn->ratios[e] < torn->ratios[best]) && e < best);
            best = dot_of(along, way) < 0 && better ? e : best;
        }
    }
    return best;
}

static void open_ends(const struct sim *sim, const struct sim_body *body, struct choice *choice)
{
    const uint32_t count = choice->count;
    for (uint32_t i = 0; i < 2 * count; i++) {
        const uint32_t edge = choice->edges[i / 2];
        const uint32_t next = goes_on(sim, body, choice, edge, body->torn->edges[edge].ends[i % 2]);
        if (next != SIM_NO_TORN) {
            choice->edges[choice->count++] = next;
        }
    }
}

static void sort(struct choice *choice)
{
    for (uint32_t i = 1; i < choice->count; i++) {
        const uint32_t edge = choice->edges[i];
        uint32_t place = i;
        for (; place > 0 && choice->edges[place - 1] > edge; place--) {
            choice->edges[place] = choice->edges[place - 1];
        }
        choice->edges[place] = edge;
    }
}

// ------------------------------------------------------------------------------------------------------ tick

static void gather_changed(struct sim_body *body)
{
    struct sim_torn *torn = body->torn;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (torn->marked[t] != 0) {
            torn->changed[torn->changed_count++] = t;
            torn->marked[t] = 0;
        }
    }
}

static void tear(struct sim *sim, struct sim_body *body)
{
    struct sim_torn *torn = body->torn;
    struct choice choice = {.count = 0};
    if (torn->used < torn->tear.most) {
        choose(sim, body, &choice);
    }
    if (choice.count == 0) {
        return;
    }
    open_ends(sim, body, &choice);
    sort(&choice);
    bool room = true;
    for (uint32_t i = 0; room && i < choice.count; i++) {
        room = sim_torn_cut(sim, body, choice.edges[i]);
    }
    gather_changed(body);
    if (torn->cut_count > torn->first_cut) {
        sim_torn_settle(sim, body, torn->first_cut);
    }
}

// Spares that nothing has split off go where the first particle is, so that the body is no larger than what of it is seen.
static void spares_follow(struct sim *sim, const struct sim_body *body)
{
    const int64_t *at = sim->positions[body->first_row + body->row_of[0]];
    for (uint32_t i = sim_nameable(body); i < body->count; i++) {
        sim_place(sim, body->first_row + body->row_of[i], at);
    }
}

bool sim_tears_settle(struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->torn || !body->torn->stale) {
            continue;
        }
        if (body->features) {
            struct sim_features *features = sim_features_make(body, true);
            if (!features) {
                return false;
            }
            sim_features_destroy(body->features);
            body->features = features;
            any = true;
        }
        body->torn->stale = false;
    }
    return !any || sim_meet_reserve(sim, NULL);
}

void sim_tears_begin(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_torn *torn = sim->bodies[b]->torn;
        if (torn) {
            torn->first_cut = torn->cut_count;
            torn->first_used = torn->used;
            torn->changed_count = 0;
        }
    }
}

void sim_tears_end(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->torn || body->asleep) {
            continue;
        }
        if (!sim->tears_wait) {
            BASE_ASSERT(!sim->still);
            tear(sim, body);
        }
        spares_follow(sim, body);
    }
}
