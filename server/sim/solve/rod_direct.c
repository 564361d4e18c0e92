// Rods whose chains are solved directly: all segments and joints of a chain at once, by Newton's method on what XPBD asks for.
//
// Unknowns of node i are the ways of its particle and of the orientation of the segment that begins there, six numbers y_i. With C and J
// as in kinds/rod_stretch.c and kinds/rod_bend.c, k = 1/(alpha/h^2) and the multipliers lam of the solve before (0 at first):
//
//   (M + J^T k J + G) y = -J^T (k C + lam);   then lam = -k (C + J y)
//   M: mass of the particle, inertia of the segment         G: how the pull of a segment turns with it
//
// y is what XPBD's own system gives, since both eliminate from the same equations; only G is not in that. Without G a light particle
// between taut segments is unstable from a pull of m L/(3 h^2) on: 24 N for 1 g and 5 cm at 1200 substeps a second. The pull is read
// of the positions with which the substep begins, so it is no state of its own.
//
//   node      0      1      2      3            D_i: 6 x 6 about node i;  B_i: 6 x 6 between nodes i and i + 1
//           [ D0     B0            F0 ]         F_i: of a ring alone, between node i and the last one
//           [        D1     B1     F1 ]         D_i = L L^T,  B_i <- L^-1 B_i,  D_(i+1) -= B_i^T B_i      down the chain, in this order
//           [               D2     B2 ]
//           [                      D3 ]         A chain takes as many steps as it has nodes, and no number is filled in.
//
// One solve is right to the second order of how far segments turn. If some segment's stretch is then not what was solved for, which is
// rare unless a chain is snatched taut, the chain is solved again from where it is, with the greater pulls.
//
// Clamps of the chain (solve/clamps.c) are joints of it. Everything is in double and in one order.
//
// Sources: Deul et al.: Direct Position-Based Solver for Stiff Rods (2018), as a system of positions in place of multipliers; Tournier
// et al.: Stable Constrained Dynamics (2015), for G.

#include "sim/state/rod_direct.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/motion/turn.h"
#include "sim/solve/solve.h"
#include "sim/state/rod.h"
#include "sim/store/store.h"

#include <string.h>

enum { SOLVES = 4 };

// A segment is solved again if its stretch is off by so many parts of its length, and by so many quanta.
#define OFF_PART 1e-4
#define OFF_QUANTA 4.0
// No constraint is stiffer beside what it moves, so that no pivot loses more digits than a double has.
#define SOFTEST 0x1p-30

// ----------------------------------------------------------------------------------- geometry

static void orientation(const struct sim *sim, uint32_t row, double q[4])
{
    for (int i = 0; i < 4; i++) {
        q[i] = (double)sim->turns[row].q[i] * SIM_TURN_QUANTUM;
    }
    turn_unit(q, 4);
}

static void axes_of(const double q[4], double axes[3][3])
{
    static const double units[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        turn_apply(q, units[k], axes[k]);
    }
}

static double stiffness(double compliance, double weight)
{
    const double least = SOFTEST * weight, at = compliance > least ? compliance : least;
    return at > 0 ? 1 / at : 0;
}

static void way_between(const struct sim *sim, const struct sim_rod_node *node,
                        const struct sim_rod_node *next, double d[3])
{
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = (double)sim_wrap_sub(sim->rows[next->row].x[axis], sim->rows[node->row].x[axis]) * sim->q;
    }
}

static void place_segment(const struct sim *sim, const struct sim_rod_node *node,
                          const struct sim_rod_node *next, struct sim_rod_segment *s)
{
    double q[4];
    orientation(sim, node->row, q);
    axes_of(q, s->axes);
    way_between(sim, node, next, s->d);
    for (int k = 0; k < 3; k++) {
        s->c[k] = sim_dot(s->axes[k], s->d) - (k == 2 ? s->length : 0);
        sim_cross(s->axes[k], s->d, s->arms[k]);
    }
}

static void read_segment(const struct sim *sim, const struct sim_rod_node *node,
                         const struct sim_rod_node *next, struct sim_rod_segment *s)
{
    const struct sim_store *store = &sim->stores[SIM_ROD_STRETCH];
    const uint32_t batch = node->segment / SIM_LANES, lane = node->segment % SIM_LANES;
    const double shear = (double)sim_batch_params(store, batch, SIM_ROD_SHEAR)[lane],
                 give = (double)sim_batch_params(store, batch, SIM_ROD_STRETCH_PARAMS)[lane];
    s->length = (double)sim_batch_params(store, batch, SIM_ROD_LENGTH)[lane];
    const double at = give * s->length * (double)sim->times.inv_h2,
                 weight = (double)sim->rows[node->row].w + (double)sim->rows[next->row].w +
                          (double)sim->spins[node->row].w * s->length * s->length;
    s->k[0] = s->k[1] = stiffness(at * shear, weight);
    s->k[2] = stiffness(at, weight);
    place_segment(sim, node, next, s);
}

// From the frame with which the second orientation rests to that.
static void place_joint(const double frame[4], const double second[4], struct sim_rod_joint *joint)
{
    double r[4], axes[3][3];
    turn_undone(frame, second, r);
    for (int i = 0, negative = r[3] < 0; i < 4; i++) {
        r[i] = negative ? -r[i] : r[i];
    }
    axes_of(frame, axes);
    const double turns[3][3] = {{r[3], r[2], -r[1]}, {-r[2], r[3], r[0]}, {r[1], -r[0], r[3]}};
    for (int k = 0; k < 3; k++) {
        joint->c[k] = 2 * r[k];
        for (int axis = 0; axis < 3; axis++) {
            joint->j[k][axis] =
                (turns[k][0] * axes[0][axis] + turns[k][1] * axes[1][axis]) + turns[k][2] * axes[2][axis];
        }
    }
}

static void read_joint(const struct sim *sim, const struct sim_rod_node *node,
                       const struct sim_rod_node *next, struct sim_rod_joint *joint)
{
    const struct sim_store *store = &sim->stores[SIM_ROD_BEND];
    const uint32_t batch = node->joint / SIM_LANES, lane = node->joint % SIM_LANES;
    const double twist = (double)sim_batch_params(store, batch, SIM_ROD_TWIST)[lane],
                 span = (double)sim_batch_params(store, batch, SIM_ROD_SPAN)[lane],
                 give = (double)sim_batch_params(store, batch, SIM_ROD_BEND_PARAMS)[lane];
    const double at = give * span * (double)sim->times.inv_h2,
                 weight = (double)sim->spins[node->row].w + (double)sim->spins[next->row].w;
    double first[4], second[4], rest[4];
    orientation(sim, node->row, first);
    orientation(sim, next->row, second);
    for (int i = 0; i < 4; i++) {
        rest[i] = (double)sim->joints[node->row].rest[i];
    }
    turn_product(first, rest, first);
    turn_unit(first, 4);
    joint->k[0] = joint->k[1] = stiffness(at, weight);
    joint->k[2] = stiffness(at * twist, weight);
    place_joint(first, second, joint);
}

static void read_clamp(const struct sim *sim, const struct sim_body *body, const struct sim_rod_node *node,
                       const struct sim_pin *pin, struct sim_rod_joint *joint)
{
    const struct sim_material *bend = &body->materials[SIM_PART_BEND];
    const double at = bend->compliance * (double)body->rod->ends[pin->index].span * (double)sim->times.inv_h2;
    float held[4];
    double frame[4], q[4];
    sim_clamp_frame(sim, pin, held);
    for (int i = 0; i < 4; i++) {
        frame[i] = (double)held[i];
    }
    turn_unit(frame, 4);
    orientation(sim, node->row, q);
    joint->k[0] = joint->k[1] = stiffness(at, (double)sim->spins[node->row].w);
    joint->k[2] = stiffness(at * bend->poisson, (double)sim->spins[node->row].w);
    place_joint(frame, q, joint);
}

// ------------------------------------------------------------------------------------------- the system

// Blocks of a segment: between ends, between the orientation and the second end, and about the orientation.
struct blocks {
    double ends[3][3], mixed[3][3], turn[3][3];
};

// G: the pull p of the segment turns with its orientation. On d and on the turn theta it acts as (theta x p).d + ((theta.p)(theta.d) -
// |theta|^2 p.d)/2. Together with what resists shear this is positive up to a pull of kGA, and half of that counts at most. A push
// counts as far as the masses alone outweigh it.
static void add_turning(const struct sim *sim, const struct sim_rod_node *a, const struct sim_rod_node *b,
                        struct blocks *blocks)
{
    const struct sim_rod_segment *s = &a->s;
    const double wa = (double)sim->rows[a->row].w, wb = (double)sim->rows[b->row].w;
    if (!(wa > 0 || wb > 0)) {
        return;
    }
    const double most = 0.5 * s->k[0] * s->length, least = -0.1 * s->length / (wa > wb ? wa : wb);
    const double t = a->taut > most ? most : a->taut < least ? least : a->taut;
    const double p[3] = {t * s->axes[2][0], t * s->axes[2][1], t * s->axes[2][2]}, along = sim_dot(p, s->d);
    const double across[3][3] = {{0, -p[2], p[1]}, {p[2], 0, -p[0]}, {-p[1], p[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            blocks->mixed[i][j] += across[i][j];
            blocks->turn[i][j] += 0.5 * (p[i] * s->d[j] + s->d[i] * p[j]) - (i == j ? along : 0);
        }
    }
}

static void add_segment(const struct sim *sim, struct sim_rod_node *a, struct sim_rod_node *b)
{
    const struct sim_rod_segment *s = &a->s;
    struct blocks blocks = {.ends = {{0}}};
    for (int k = 0; k < 3; k++) {
        const double pull = s->k[k] * s->c[k] + a->stretch[k];
        for (int i = 0; i < 3; i++) {
            const double part = s->k[k] * s->axes[k][i], arm = s->k[k] * s->arms[k][i];
            a->way[i] += s->axes[k][i] * pull;
            b->way[i] -= s->axes[k][i] * pull;
            a->way[3 + i] -= s->arms[k][i] * pull;
            for (int j = 0; j < 3; j++) {
                blocks.ends[i][j] += part * s->axes[k][j];
                blocks.mixed[i][j] += arm * s->axes[k][j];
                blocks.turn[i][j] += arm * s->arms[k][j];
            }
        }
    }
    add_turning(sim, a, b, &blocks);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a->diagonal[i][j] += blocks.ends[i][j];
            b->diagonal[i][j] += blocks.ends[i][j];
            a->beside[i][j] -= blocks.ends[i][j];
            a->diagonal[3 + i][j] -= blocks.mixed[i][j];
            a->beside[3 + i][j] += blocks.mixed[i][j];
            a->diagonal[3 + i][3 + j] += blocks.turn[i][j];
        }
    }
}

// a: NULL where the first side is a clamp.
static void add_joint(const struct sim_rod_joint *joint, const double multipliers[3], struct sim_rod_node *a,
                      struct sim_rod_node *b)
{
    double about[3][3] = {{0}}, pulls[3] = {0};
    for (int k = 0; k < 3; k++) {
        const double pull = joint->k[k] * joint->c[k] + multipliers[k];
        for (int i = 0; i < 3; i++) {
            const double part = joint->k[k] * joint->j[k][i];
            pulls[i] += joint->j[k][i] * pull;
            for (int j = 0; j < 3; j++) {
                about[i][j] += part * joint->j[k][j];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        b->way[3 + i] -= pulls[i];
        for (int j = 0; j < 3; j++) {
            b->diagonal[3 + i][3 + j] += about[i][j];
        }
    }
    for (int i = 0; a && i < 3; i++) {
        a->way[3 + i] += pulls[i];
        for (int j = 0; j < 3; j++) {
            a->diagonal[3 + i][3 + j] += about[i][j];
            a->beside[3 + i][3 + j] -= about[i][j];
        }
    }
}

static void clear(const struct sim *sim, struct sim_rod_node *node)
{
    const double w = (double)sim->rows[node->row].w, u = (double)sim->spins[node->row].w;
    memset(node->diagonal, 0, sizeof node->diagonal);
    memset(node->beside, 0, sizeof node->beside);
    memset(node->way, 0, sizeof node->way);
    node->held[0] = !(w > 0);
    node->held[1] = !(u > 0);
    for (int i = 0; i < 3; i++) {
        node->diagonal[i][i] = w > 0 ? 1 / w : 0;
        node->diagonal[3 + i][3 + i] = u > 0 ? 1 / u : 0;
    }
}

// Takes out of the system what does not move. before: the node whose segment ends here; NULL: there is none.
static void hold(struct sim_rod_node *node, struct sim_rod_node *before)
{
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        if (node->held[i / 3] == 0) {
            continue;
        }
        for (int j = 0; j < SIM_ROD_SIX; j++) {
            node->diagonal[i][j] = node->diagonal[j][i] = node->beside[i][j] = 0;
            if (before) {
                before->beside[j][i] = 0;
            }
        }
        node->diagonal[i][i] = 1;
        node->way[i] = 0;
    }
}

static void assemble(const struct sim *sim, const struct sim_body *body, struct sim_rod_node *nodes,
                     const struct sim_rod_chain *chain)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        clear(sim, &nodes[i]);
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        struct sim_rod_node *node = &nodes[i], *next = &nodes[i + 1 < chain->count ? i + 1 : 0];
        struct sim_rod_joint joint;
        if (node->segment != SIM_GONE) {
            read_segment(sim, node, next, &node->s);
            add_segment(sim, node, next);
        }
        if (node->joint != SIM_GONE) {
            read_joint(sim, node, next, &node->j);
            add_joint(&node->j, node->bend, node, next);
        }
        for (int c = 0; c < SIM_ROD_CLAMPS && node->clamps[c] != UINT32_MAX; c++) {
            const struct sim_pin *pin = &body->pins[node->clamps[c]];
            double multipliers[3];
            for (int k = 0; k < 3; k++) {
                multipliers[k] = (double)pin->clamp.multiplier[k];
            }
            read_clamp(sim, body, node, pin, &joint);
            add_joint(&joint, multipliers, NULL, node);
        }
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        hold(&nodes[i], i > 0 ? &nodes[i - 1] : chain->ring ? &nodes[chain->count - 1] : NULL);
    }
}

// ------------------------------------------------------------------------------------------- solving

// D = L L^T, in place, with the inverses of the pivots on the diagonal.
static void factor(double (*restrict d)[SIM_ROD_SIX])
{
    for (int c = 0; c < SIM_ROD_SIX; c++) {
        double pivot = d[c][c];
        for (int k = 0; k < c; k++) {
            pivot -= d[c][k] * d[c][k];
        }
        const double by = pivot > 0 ? 1 / __builtin_sqrt(pivot) : 1;
        d[c][c] = by;
        for (int r = c + 1; r < SIM_ROD_SIX; r++) {
            double sum = d[r][c];
            for (int k = 0; k < c; k++) {
                sum -= d[r][k] * d[c][k];
            }
            d[r][c] = sum * by;
        }
    }
}

// v = L^-1 v.
static void lower(double (*restrict d)[SIM_ROD_SIX], double *restrict v)
{
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        for (int k = 0; k < i; k++) {
            v[i] -= d[i][k] * v[k];
        }
        v[i] *= d[i][i];
    }
}

// v = L^-T v.
static void upper(double (*restrict d)[SIM_ROD_SIX], double *restrict v)
{
    for (int i = SIM_ROD_SIX; i-- > 0;) {
        for (int k = i + 1; k < SIM_ROD_SIX; k++) {
            v[i] -= d[k][i] * v[k];
        }
        v[i] *= d[i][i];
    }
}

// b = L^-1 b.
static void lower_block(double (*restrict d)[SIM_ROD_SIX], double (*restrict b)[SIM_ROD_SIX])
{
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        for (int k = 0; k < i; k++) {
            for (int c = 0; c < SIM_ROD_SIX; c++) {
                b[i][c] -= d[i][k] * b[k][c];
            }
        }
        for (int c = 0; c < SIM_ROD_SIX; c++) {
            b[i][c] *= d[i][i];
        }
    }
}

// The same, and out -= b^T b at and below the diagonal, of a block with nothing in the rows of the particle below the orientation's
// columns.
static void eliminate(double (*restrict d)[SIM_ROD_SIX], double (*restrict b)[SIM_ROD_SIX],
                      double (*restrict out)[SIM_ROD_SIX])
{
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        const int columns = i < 3 ? 3 : SIM_ROD_SIX;
        for (int k = 0; k < i; k++) {
            for (int c = 0; c < (k < 3 ? 3 : columns); c++) {
                b[i][c] -= d[i][k] * b[k][c];
            }
        }
        for (int c = 0; c < columns; c++) {
            b[i][c] *= d[i][i];
        }
    }
    for (int k = 0; k < SIM_ROD_SIX; k++) {
        const int columns = k < 3 ? 3 : SIM_ROD_SIX;
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j <= i; j++) {
                out[i][j] -= b[k][i] * b[k][j];
            }
        }
    }
}

// out -= a^T b.
static void take_product(double (*a)[SIM_ROD_SIX], double (*b)[SIM_ROD_SIX],
                         double (*restrict out)[SIM_ROD_SIX])
{
    for (int k = 0; k < SIM_ROD_SIX; k++) {
        for (int i = 0; i < SIM_ROD_SIX; i++) {
            for (int j = 0; j < SIM_ROD_SIX; j++) {
                out[i][j] -= a[k][i] * b[k][j];
            }
        }
    }
}

// out -= a^T v.
static void take_turned(double (*restrict a)[SIM_ROD_SIX], const double *restrict v, double *restrict out)
{
    for (int k = 0; k < SIM_ROD_SIX; k++) {
        for (int i = 0; i < SIM_ROD_SIX; i++) {
            out[i] -= a[k][i] * v[k];
        }
    }
}

// out -= a v.
static void take_times(double (*restrict a)[SIM_ROD_SIX], const double *restrict v, double *restrict out)
{
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        for (int j = 0; j < SIM_ROD_SIX; j++) {
            out[i] -= a[i][j] * v[j];
        }
    }
}

// The block between the last node of a ring and the first one is `far` of the first, and of a ring of two it is beside.
static void close_ring(struct sim_rod_node *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        memset(nodes[i].far, 0, sizeof nodes[i].far);
    }
    double(*const to)[SIM_ROD_SIX] = count > 2 ? nodes[0].far : nodes[0].beside;
    for (int i = 0; i < SIM_ROD_SIX; i++) {
        for (int j = 0; j < SIM_ROD_SIX; j++) {
            to[i][j] += nodes[count - 1].beside[j][i];
        }
    }
}

static void solve_system(struct sim_rod_node *nodes, const struct sim_rod_chain *chain)
{
    const uint32_t count = chain->count;
    struct sim_rod_node *last = &nodes[count - 1];
    if (chain->ring) {
        close_ring(nodes, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_rod_node *node = &nodes[i], *next = node + 1;
        // Beside the last but one node of a ring there is `far` as well, which is full.
        const bool full = chain->ring && i + 2 == count;
        factor(node->diagonal);
        lower(node->diagonal, node->way);
        if (i + 1 == count) {
            break;
        }
        if (full) {
            lower_block(node->diagonal, node->beside);
            take_product(node->beside, node->beside, next->diagonal);
        } else {
            eliminate(node->diagonal, node->beside, next->diagonal);
        }
        take_turned(node->beside, node->way, next->way);
        if (chain->ring && i + 2 < count) {
            lower_block(node->diagonal, node->far);
            take_product(node->far, node->far, last->diagonal);
            take_turned(node->far, node->way, last->way);
            take_product(node->beside, node->far, i + 3 < count ? next->far : next->beside);
        }
    }
    for (uint32_t i = count; i-- > 0;) {
        struct sim_rod_node *node = &nodes[i];
        if (i + 1 < count) {
            take_times(node->beside, nodes[i + 1].way, node->way);
        }
        if (chain->ring && i + 2 < count) {
            take_times(node->far, last->way, node->way);
        }
        upper(node->diagonal, node->way);
    }
}

// ------------------------------------------------------------------------------------- what comes of it

static void keep(const struct sim_store *store, uint32_t slot, const double multipliers[3])
{
    for (uint32_t k = 0; store->keeps && k < 3; k++) {
        sim_multipliers_of(store, slot / SIM_LANES, k)[slot % SIM_LANES] = (float)multipliers[k];
    }
}

static void joint_multipliers(const struct sim_rod_joint *joint, const struct sim_rod_node *a,
                              const struct sim_rod_node *b, double multipliers[3])
{
    for (int k = 0; k < 3; k++) {
        double c = joint->c[k] + sim_dot(joint->j[k], b->way + 3);
        c -= a ? sim_dot(joint->j[k], a->way + 3) : 0;
        multipliers[k] = -joint->k[k] * c;
    }
}

// Finds the multipliers, before anything moves.
static void find_multipliers(const struct sim *sim, struct sim_body *body, struct sim_rod_node *nodes,
                             const struct sim_rod_chain *chain)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        struct sim_rod_node *node = &nodes[i], *next = &nodes[i + 1 < chain->count ? i + 1 : 0];
        struct sim_rod_joint joint;
        if (node->segment != SIM_GONE) {
            const struct sim_rod_segment *s = &node->s;
            for (int k = 0; k < 3; k++) {
                const double goes = sim_dot(s->axes[k], next->way) - sim_dot(s->axes[k], node->way);
                node->stretch[k] = -s->k[k] * ((s->c[k] + goes) + sim_dot(s->arms[k], node->way + 3));
            }
            keep(&sim->stores[SIM_ROD_STRETCH], node->segment, node->stretch);
        }
        if (node->joint != SIM_GONE) {
            joint_multipliers(&node->j, node, next, node->bend);
            keep(&sim->stores[SIM_ROD_BEND], node->joint, node->bend);
        }
        for (int c = 0; c < SIM_ROD_CLAMPS && node->clamps[c] != UINT32_MAX; c++) {
            struct sim_pin *pin = &body->pins[node->clamps[c]];
            double multipliers[3];
            read_clamp(sim, body, node, pin, &joint);
            joint_multipliers(&joint, NULL, node, multipliers);
            for (int k = 0; k < 3; k++) {
                pin->clamp.multiplier[k] = (float)multipliers[k];
            }
        }
    }
}

// The remainder that rounding leaves of one node's way goes on to the next node. So the chain keeps its momentum to a quantum, and
// errors of rounding change sign from node to node, so that they bend nothing.
struct left {
    double momentum[3]; // quanta times kg
    double turn[4];     // units of 2^-30
};

// Rounds a way to which so much is added, and says what is left.
static int32_t round_way(double way, double *left)
{
    const int32_t rounded = sim_round((float)(way + *left));
    const double rest = (way + *left) - (double)rounded;
    *left = rest < -1 ? -1 : rest > 1 ? 1 : rest;
    return rounded;
}

// The Cayley map of kernels/turn.h, in double.
static void turn_row(struct sim_turn *turn, const double theta[3], double left[4])
{
    double q[4], added[4];
    for (int i = 0; i < 4; i++) {
        q[i] = (double)turn->q[i] * SIM_TURN_QUANTUM;
    }
    const double half[4] = {theta[0] * 0.5, theta[1] * 0.5, theta[2] * 0.5, 0};
    const double u = sim_dot(half, half), r = __builtin_sqrt(1 + u);
    turn_product(half, q, added);
    for (int i = 0; i < 4; i++) {
        const double way = (added[i] / r - q[i] * (u / (r * (1 + r)))) * (double)SIM_TURN_ONE;
        turn->q[i] = sim_wrap_add(turn->q[i], round_way(way, &left[i]));
    }
}

static void move(struct sim *sim, const struct sim_rod_node *node, struct left *left)
{
    const double w = (double)sim->rows[node->row].w;
    for (int axis = 0; axis < 3; axis++) {
        double own = left->momentum[axis] * w;
        own = own < -1 ? -1 : own > 1 ? 1 : own;
        if (node->held[0] == 0) {
            const int32_t way = round_way(node->way[axis] * sim->inv_q, &own);
            sim->rows[node->row].x[axis] = sim_wrap_add(sim->rows[node->row].x[axis], way);
        }
        left->momentum[axis] = w > 0 ? own / w : 0;
    }
    if (node->held[1] == 0) {
        turn_row(&sim->turns[node->row], node->way + 3, left->turn);
    }
}

static void move_chain(struct sim *sim, const struct sim_rod_node *nodes, uint32_t count)
{
    struct left left = {.momentum = {0}};
    for (uint32_t i = 0; i < 4; i++) {
        // The first node is rounded at a place in the quantum that goes evenly through it from substep to substep.
        const float nudge = (float)(int32_t)(sim->times.turn + i * 0x9e3779b1u) * (1.0f / 4294967296.0f);
        left.turn[i] = (double)nudge;
        if (i < 3 && sim->rows[nodes[0].row].w > 0) {
            left.momentum[i] = (double)(nudge / sim->rows[nodes[0].row].w);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        move(sim, &nodes[i], &left);
    }
}

// Whether a segment is not as long as was solved for. It takes over a tension that is greater than the one before.
static bool is_off(struct sim *sim, struct sim_rod_node *node, const struct sim_rod_node *next)
{
    static const double third[3] = {0, 0, 1};
    const struct sim_store *store = &sim->stores[SIM_ROD_STRETCH];
    struct sim_tile *tile = sim_batch_meta(store, node->segment / SIM_LANES)->tile;
    double q[4], axis[3], d[3];
    orientation(sim, node->row, q);
    turn_apply(q, third, axis);
    way_between(sim, node, next, d);
    const float size = (float)(__builtin_sqrt(sim_dot(d, d)) * sim->inv_q);
    tile->longest = size > tile->longest ? size : tile->longest;
    node->taut = -node->stretch[2] > node->taut ? -node->stretch[2] : node->taut;
    const double off =
        node->s.k[2] > 0 ? (sim_dot(axis, d) - node->s.length) + node->stretch[2] / node->s.k[2] : 0;
    const double most = OFF_PART * node->s.length + OFF_QUANTA * sim->q;
    return off > most || off < -most;
}

static void solve_chain(struct sim *sim, struct sim_body *body, struct sim_rod_node *nodes,
                        const struct sim_rod_chain *chain)
{
    bool off = true;
    for (int solve = 0; solve < SOLVES && off; solve++) {
        assemble(sim, body, nodes, chain);
        solve_system(nodes, chain);
        find_multipliers(sim, body, nodes, chain);
        move_chain(sim, nodes, chain->count);
        off = false;
        for (uint32_t i = 0; i < chain->count; i++) {
            if (nodes[i].segment != SIM_GONE &&
                is_off(sim, &nodes[i], &nodes[i + 1 < chain->count ? i + 1 : 0])) {
                off = true;
            }
        }
    }
}

static void solve_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_body *body = sim->bodies[index];
    struct sim_rod_direct *direct = body->rod ? body->rod->direct : NULL;
    for (uint32_t c = 0; direct && !body->asleep && c < direct->chain_count; c++) {
        solve_chain(sim, body, direct->nodes + direct->chains[c].first, &direct->chains[c]);
    }
}

void sim_rods_solve_all(struct sim *sim, struct base_parallel *parallel)
{
    sim_run_tasks(sim, parallel, sim->body_count, solve_task);
}

// ------------------------------------------------------------------------------- ticks and substeps

static void find_slots(struct sim *sim, struct sim_body *body, enum sim_kind kind)
{
    struct sim_rod_direct *direct = body->rod->direct;
    const struct sim_store *store = &sim->stores[kind];
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        struct sim_tile *tile = &body->tiles[kind][t];
        tile->direct = true;
        for (uint32_t i = 0; i < tile->order_count; i++) {
            const uint32_t batch = tile->order[i], *ids = sim_batch_ids(store, batch);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                const uint32_t row = sim_batch_places(store, batch, 0)[lane] / (uint32_t)SIM_ROW_BYTES;
                if (ids[lane] == 0) {
                    continue;
                }
                struct sim_rod_node *node =
                    &direct->nodes[direct->node_of[body->index_of[row - body->first_row]]];
                *(kind == SIM_ROD_STRETCH ? &node->segment : &node->joint) = batch * SIM_LANES + lane;
            }
        }
    }
}

static void body_begins(struct sim *sim, struct sim_body *body)
{
    struct sim_rod_direct *direct = body->rod->direct;
    for (uint32_t c = 0; c < direct->chain_count; c++) {
        for (uint32_t i = 0; i < direct->chains[c].count; i++) {
            struct sim_rod_node *node = &direct->nodes[direct->chains[c].first + i];
            node->row = body->first_row + body->row_of[node->particle];
            node->segment = node->joint = SIM_GONE;
            node->clamps[0] = node->clamps[1] = UINT32_MAX;
        }
    }
    find_slots(sim, body, SIM_ROD_STRETCH);
    find_slots(sim, body, SIM_ROD_BEND);
    for (uint32_t p = 0; p < body->pin_count; p++) {
        if (sim_pin_clamps(&body->pins[p])) {
            struct sim_rod_node *node =
                &direct->nodes[direct->node_of[body->rod->ends[body->pins[p].index].holder]];
            node->clamps[node->clamps[0] != UINT32_MAX] = p;
        }
    }
}

static void substep_begins(struct sim *sim, struct sim_rod_direct *direct, const struct sim_rod_chain *chain)
{
    struct sim_rod_node *nodes = direct->nodes + chain->first;
    for (uint32_t i = 0; i < chain->count; i++) {
        struct sim_rod_node *node = &nodes[i];
        struct sim_rod_segment s;
        memset(node->stretch, 0, sizeof node->stretch);
        memset(node->bend, 0, sizeof node->bend);
        node->taut = 0;
        if (node->segment != SIM_GONE) {
            read_segment(sim, node, &nodes[i + 1 < chain->count ? i + 1 : 0], &s);
            node->taut = s.k[2] * s.c[2];
        }
    }
}

void sim_rods_look(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_rod_direct *direct = sim->bodies[b]->rod ? sim->bodies[b]->rod->direct : NULL;
        for (uint32_t c = 0; direct && c < direct->chain_count; c++) {
            substep_begins(sim, direct, &direct->chains[c]);
        }
    }
}

void sim_rods_begin(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->rod && sim->bodies[b]->rod->direct) {
            body_begins(sim, sim->bodies[b]);
        }
    }
    sim_rods_look(sim);
}
