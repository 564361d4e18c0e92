// The direct solve of a chain, in double: one linear system for all links of the path, in a time that grows with their
// number.
//
//   C_j = l_j - L_j;  n_j: along link j;  c_j = n_j-1 . n_j;  s_j = |n_j-1 x n_j|
//
// Tridiagonal (direct, raised, strings). The matrix J W J^T has w_j + w_j+1 on its diagonal and -w_j c_j beside it. It is
// factored without a subtraction, because the pivots of a light rope with a heavy load cancel to their last digits:
//
//   e_0 = w_0;  d_j = e_j + w_j+1;  e_j = w_j (e_j-1 + s_j^2 w_j) / d_j-1        e_j: the inverse mass before link j
//   y_j = -C_j + w_j c_j y_j-1 / d_j-1;   dlambda_j = (y_j + w_j+1 c_j+1 dlambda_j+1) / d_j, from the last to the first
//   x_i += w_i (n_i-1 dlambda_i-1 - n_i dlambda_i)
//
// It is unstable above a tension of m L / (3 h^2): a light point that is pulled across the rope comes back too far. Raised
// masses go against that. t_j is the greatest multiplier of late, which loses a tenth a substep:
//
//   m'_i = max(m_i, 3 (t_i-1 / L_i-1 + t_i / L_i))
//
// A probe solves twice with these, keeps the multipliers that it found in t, and puts all points back. It is done again,
// up to three times, while a multiplier more than doubles.
//
// Newton (newton). Its matrix has a block of 4 x 4 for each link, the multiplier and the second particle:
//
//   [ 0    J     ]            G = sum t_j / l_j (1 - n n^T): the stiffness that the tension t_j gives
//   [ -J^T M + G ]
//
// It begins with the multipliers of the last substep. t_j is as above, and at least -lambda_j. G decides how fast the steps
// converge and not what to, so too much of it is safe, and too little makes a snatch fly apart.
//
//
// The link that closes a loop is projected by itself after each solve.

#include "chains_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVES = 2, NEWTON_SOLVES = 4, FINE = 100, PROBES = 3, ROUNDS = 4 };

#define RAISE 3.0
#define FADE 0.9

struct direct {
    struct chain of;
    enum chain_solver_id id;
    uint32_t substeps, links; // links of the path
    double x[3 * CHAIN_PARTICLES_MAX], v[3 * CHAIN_PARTICLES_MAX];
    double before[3 * CHAIN_PARTICLES_MAX], predicted[3 * CHAIN_PARTICLES_MAX];
    double w[CHAIN_PARTICLES_MAX], raised[CHAIN_PARTICLES_MAX];
    double lambda[CHAIN_PARTICLES_MAX], change[CHAIN_PARTICLES_MAX], tension[CHAIN_PARTICLES_MAX];
    double n[3 * CHAIN_PARTICLES_MAX], off[CHAIN_PARTICLES_MAX], lengths[CHAIN_PARTICLES_MAX];
    bool slack[CHAIN_PARTICLES_MAX]; // strings: left out of the solve
};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double cross2(const double *a, const double *b)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return dot(c, c);
}

// Directions, lengths and errors of all links of the path.
static void linearise(struct direct *it)
{
    for (uint32_t j = 0; j < it->links; j++) {
        double *n = it->n + 3 * (size_t)j;
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = it->x[3 * (j + 1) + axis] - it->x[3 * j + axis];
        }
        const double length = sqrt(dot(n, n)), once = length > 0 ? 1 / length : 0;
        for (int axis = 0; axis < 3; axis++) {
            n[axis] *= once;
        }
        it->lengths[j] = length;
        it->off[j] = length - it->of.rest[j];
    }
}

// ------------------------------------------------------------------------------------------------- tridiagonal

static void tridiagonal(const struct direct *it, const double *w, double *change)
{
    double d[CHAIN_PARTICLES_MAX], c[CHAIN_PARTICLES_MAX] = {0}, e = 0;
    for (uint32_t j = 0; j < it->links; j++) {
        const double *n = it->n + 3 * (size_t)j;
        d[j] = change[j] = 0;
        if (it->slack[j]) {
            continue;
        }
        change[j] = -it->off[j];
        if (j > 0 && d[j - 1] > 0) {
            c[j] = dot(n - 3, n);
            e = w[j] * (e + w[j] * cross2(n - 3, n)) / d[j - 1];
            change[j] += w[j] * c[j] * change[j - 1] / d[j - 1];
        } else {
            e = w[j];
        }
        d[j] = e + w[j + 1];
    }
    for (uint32_t j = it->links; j-- > 0;) {
        const double below = j + 1 < it->links ? w[j + 1] * c[j + 1] * change[j + 1] : 0;
        change[j] = d[j] > 0 ? (change[j] + below) / d[j] : 0;
    }
}

static void move(struct direct *it, const double *w)
{
    for (uint32_t j = 0; j < it->links; j++) {
        const double *n = it->n + 3 * (size_t)j, by = it->change[j];
        it->lambda[j] += by;
        for (int axis = 0; axis < 3; axis++) {
            it->x[3 * j + axis] -= w[j] * n[axis] * by;
            it->x[3 * (j + 1) + axis] += w[j + 1] * n[axis] * by;
        }
    }
}

// Links that would push in all are left out, and those that are too long without them come back. A few rounds.
static void solve_strings(struct direct *it, const double *w)
{
    for (uint32_t j = 0; j < it->links; j++) {
        it->slack[j] = it->off[j] < 0 && it->lambda[j] >= 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        bool any = false;
        tridiagonal(it, w, it->change);
        for (uint32_t j = 0; j < it->links; j++) {
            const bool pushes = !it->slack[j] && it->lambda[j] + it->change[j] > 0;
            it->slack[j] = it->slack[j] || pushes;
            any = any || pushes;
        }
        if (!any) {
            break;
        }
    }
    tridiagonal(it, w, it->change);
    for (uint32_t j = 0; j < it->links; j++) {
        it->change[j] = it->slack[j] ? -it->lambda[j] : it->change[j];
    }
}

// ------------------------------------------------------------------------------------------------- Newton

enum { BLOCK = 4, WIDE = 2 * BLOCK + 1 };

// One link and its second particle: the rows of a step. `left` has the particle before, `right` what comes after and the side.
struct block {
    double left[BLOCK][BLOCK], at[BLOCK][BLOCK], right[BLOCK][BLOCK + 1];
};

// a += s (1 - n n^T), in the rows and columns of the positions
static void add_across(double a[BLOCK][BLOCK], const double *n, double s)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            a[1 + r][1 + c] += s * ((r == c ? 1 : 0) - n[r] * n[c]);
        }
    }
}

// right = at^-1 right, by Gauss with the greatest pivot.
static void divide(double at[BLOCK][BLOCK], double right[BLOCK][BLOCK + 1])
{
    double all[BLOCK][WIDE];
    for (int r = 0; r < BLOCK; r++) {
        memcpy(all[r], at[r], sizeof at[r]);
        memcpy(all[r] + BLOCK, right[r], sizeof right[r]);
    }
    for (int k = 0; k < BLOCK; k++) {
        int best = k;
        for (int r = k + 1; r < BLOCK; r++) {
            best = fabs(all[r][k]) > fabs(all[best][k]) ? r : best;
        }
        for (int c = 0; c < WIDE; c++) {
            const double other = all[best][c];
            all[best][c] = all[k][c];
            all[k][c] = other;
        }
        const double once = all[k][k] != 0 ? 1 / all[k][k] : 0;
        for (int c = k; c < WIDE; c++) {
            all[k][c] *= once;
        }
        for (int r = 0; r < BLOCK; r++) {
            const double by = all[r][k];
            for (int c = k; r != k && c < WIDE; c++) {
                all[r][c] -= by * all[k][c];
            }
        }
    }
    for (int r = 0; r < BLOCK; r++) {
        memcpy(right[r], all[r] + BLOCK, sizeof right[r]);
    }
}

// The rows of all blocks: C + J d = 0, and (M + G) d - J^T dlambda = J^T lambda - M (x - predicted).
static void newton_fill(const struct direct *it, struct block *blocks)
{
    memset(blocks, 0, it->links * sizeof *blocks);
    for (uint32_t j = 0; j < it->links; j++) {
        const double *n = it->n + 3 * (size_t)j, pull = fmax(it->tension[j], -it->lambda[j]);
        const double across = it->lengths[j] > 0 ? pull / it->lengths[j] : 0;
        struct block *own = &blocks[j], *before = j > 0 ? own - 1 : NULL;
        add_across(own->at, n, across);
        own->right[0][BLOCK] = -it->off[j];
        for (int axis = 0; axis < 3; axis++) {
            const double mass = it->of.masses[j + 1], x = it->x[3 * (j + 1) + axis];
            own->at[0][1 + axis] = n[axis];
            own->at[1 + axis][0] = -n[axis];
            own->at[1 + axis][1 + axis] += mass;
            own->right[1 + axis][BLOCK] +=
                n[axis] * it->lambda[j] - mass * (x - it->predicted[3 * (j + 1) + axis]);
            if (before) {
                own->left[0][1 + axis] = -n[axis];
                before->right[1 + axis][0] = n[axis];
                before->right[1 + axis][BLOCK] -= n[axis] * it->lambda[j];
            }
        }
        if (before) {
            add_across(before->at, n, across);
            add_across(own->left, n, -across);
            for (int r = 1; r < BLOCK; r++) {
                memcpy(&before->right[r][1], &own->left[r][1], 3 * sizeof(double));
            }
        }
    }
}

static void newton(struct direct *it)
{
    static struct block blocks[CHAIN_PARTICLES_MAX];
    newton_fill(it, blocks);
    for (uint32_t j = 0; j < it->links; j++) {
        struct block *own = &blocks[j];
        for (int r = 0; r < BLOCK && j > 0; r++) {
            for (int k = 0; k < BLOCK; k++) {
                const double by = own->left[r][k];
                for (int c = 0; c < BLOCK; c++) {
                    own->at[r][c] -= by * own[-1].right[k][c];
                }
                own->right[r][BLOCK] -= by * own[-1].right[k][BLOCK];
            }
        }
        divide(own->at, own->right);
    }
    double step[BLOCK] = {0};
    for (uint32_t j = it->links; j-- > 0;) {
        double next[BLOCK];
        for (int r = 0; r < BLOCK; r++) {
            const double *row = blocks[j].right[r];
            next[r] = row[BLOCK] - row[0] * step[0] - row[1] * step[1] - row[2] * step[2] - row[3] * step[3];
        }
        memcpy(step, next, sizeof step);
        it->lambda[j] += step[0];
        for (int axis = 0; axis < 3; axis++) {
            it->x[3 * (j + 1) + axis] += step[1 + axis];
        }
    }
}

// ------------------------------------------------------------------------------------------------- substeps

static void raise(struct direct *it)
{
    for (uint32_t i = 1; i < it->of.count; i++) {
        double pull = it->tension[i - 1] / it->of.rest[i - 1];
        pull += i < it->links ? it->tension[i] / it->of.rest[i] : 0;
        it->raised[i] = 1 / fmax(it->of.masses[i], RAISE * pull);
    }
}

// The link from the last particle to the knot.
static void close_loop(struct direct *it)
{
    if (it->of.knot == 0) {
        return;
    }
    const uint32_t a = it->of.count - 1, b = it->of.knot;
    double n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = it->x[3 * b + axis] - it->x[3 * a + axis];
    }
    const double length = sqrt(dot(n, n));
    const double by = (length - it->of.rest[a]) / ((it->w[a] + it->w[b]) * length);
    for (int axis = 0; axis < 3 && length > 0; axis++) {
        it->x[3 * a + axis] += it->w[a] * by * n[axis];
        it->x[3 * b + axis] -= it->w[b] * by * n[axis];
    }
}

static void solve(struct direct *it, const double *w)
{
    // From 100 substeps on two steps of Newton are as good as four.
    const int solves = it->id == CHAIN_NEWTON && it->substeps < FINE ? NEWTON_SOLVES : SOLVES;
    for (int k = 0; k < solves; k++) {
        linearise(it);
        if (it->id == CHAIN_NEWTON) {
            newton(it);
        } else {
            if (it->id == CHAIN_STRINGS) {
                solve_strings(it, w);
            } else {
                tridiagonal(it, w, it->change);
            }
            move(it, w);
        }
        close_loop(it);
    }
}

static void solve_raised(struct direct *it)
{
    bool more = true;
    for (int probe = 0; probe < PROBES && more; probe++) {
        raise(it);
        memset(it->lambda, 0, sizeof it->lambda);
        solve(it, it->raised);
        more = false;
        for (uint32_t j = 0; j < it->links; j++) {
            more = more || fabs(it->lambda[j]) > 2 * it->tension[j];
            it->tension[j] = fmax(it->tension[j], fabs(it->lambda[j]));
        }
        memcpy(it->x, it->predicted, sizeof it->x);
    }
    raise(it);
    memset(it->lambda, 0, sizeof it->lambda);
    solve(it, it->raised);
}

static void substep(struct direct *it, double h)
{
    memcpy(it->before, it->x, sizeof it->x);
    for (uint32_t i = 1; i < it->of.count; i++) {
        it->v[3 * i + 1] -= h * CHAIN_GRAVITY;
        for (int axis = 0; axis < 3; axis++) {
            it->x[3 * i + axis] += h * it->v[3 * i + axis];
        }
    }
    memcpy(it->predicted, it->x, sizeof it->x);
    if (it->id == CHAIN_RAISED || it->id == CHAIN_STRINGS) {
        solve_raised(it);
    } else {
        if (it->id == CHAIN_DIRECT) {
            memset(it->lambda, 0, sizeof it->lambda);
        }
        solve(it, it->w);
    }
    for (uint32_t j = 0; j < it->links; j++) {
        const double pull = it->id == CHAIN_NEWTON ? -it->lambda[j] : fabs(it->lambda[j]);
        it->tension[j] = fmax(pull, FADE * it->tension[j]);
    }
    for (uint32_t i = 3; i < 3 * it->of.count; i++) {
        it->v[i] = (it->x[i] - it->before[i]) / h;
    }
}

// ------------------------------------------------------------------------------------------------- as a solver

void *chain_direct_create(enum chain_solver_id id, const struct chain *chain, uint32_t substeps)
{
    struct direct *it = calloc(1, sizeof *it);
    if (!it) {
        return NULL;
    }
    it->of = *chain;
    it->id = id;
    it->substeps = substeps;
    it->links = chain->count - 1;
    memcpy(it->x, chain->positions, sizeof it->x);
    memcpy(it->v, chain->velocities, sizeof it->v);
    for (uint32_t i = 1; i < chain->count; i++) {
        it->w[i] = 1 / chain->masses[i];
    }
    return it;
}

void chain_direct_destroy(void *world)
{
    free(world);
}

bool chain_direct_tick(void *world, const double hand[3])
{
    struct direct *it = world;
    const double h = 1.0 / CHAIN_TICK_RATE / it->substeps, from[3] = {it->x[0], it->x[1], it->x[2]};
    for (uint32_t s = 1; s <= it->substeps; s++) {
        for (int axis = 0; axis < 3; axis++) {
            it->x[axis] = from[axis] + (hand[axis] - from[axis]) * s / it->substeps;
        }
        substep(it, h);
    }
    return true;
}

void chain_direct_read(void *world, double *positions, double *velocities)
{
    const struct direct *it = world;
    memcpy(positions, it->x, 3 * (size_t)it->of.count * sizeof *positions);
    memcpy(velocities, it->v, 3 * (size_t)it->of.count * sizeof *velocities);
}
