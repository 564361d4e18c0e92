// A reference for the case drape of `weft-bench stiff`: the same disc on the same mesh, solved in double.
//
//   drape [MM [SUBSTEPS [SWEEPS [SECONDS [SEED]]]]]   one disc; else 15 mm, 160 substeps a tick, 1 sweep, 5 s, seed 1
//   drape check                                       the code against facts that it does not use; exits 1 if one is missed
//
// It shares the mesh, the masses and the measure of the shadow with the bench (tests/bench/stiff_body.c), and no line of
// the solver: no quanta, no floats, no batches, no factor of a matrix.
//
// Particles have positions x and masses m, a third of each triangle's mass at each corner. Those on the stand are held.
// Gravity g acts, a damping c of 2/s, and two kinds of forces:
//
//   bending   E = 1/2 x'Qx = sum over inner edges of k/2 |s K x|^2,   s^2 = 3/(A0 + A1),   k = B/2.5   [1]
//
//     x2        K = (cot a1 + cot b1, cot a0 + cot b0, -cot a0 - cot a1, -cot b0 - cot b1) for x0, x1, x2, x3
//    /  \       a0, a1 are the angles at x0 and x1 in the triangle of x2, and b0, b1 those in the triangle of x3.
//   x0---x1     A crosswise mesh of squares has the rigidity B = 2.5 k along its sides.
//    \  /
//     x3
//   edges     |xa - xb| = L, without compliance [2]
//
// Each of the substeps, of length h, does this:
//   1. v <- v/(1 + c h) + h g;   p = x + h v
//   2. (M + h^2 Q) d = -h^2 Q p, d = 0 for what is held, by conjugate gradients with a Jacobi preconditioner [4], until
//      the residual is 1e-10 of the right-hand side;   p <- p + d
//   3. sweeps: links are given their lengths one after the other (Gauss and Seidel), first the long ones from the
//      coarsest level to the finest, then tethers, both of which only pull (C > 0), then the edges:
//        dxa = -wa C/(wa + wb) n,   dxb = +wb C/(wa + wb) n,   C = |xa - xb| - L,   n = (xa - xb)/|xa - xb|,   w = 1/m
//   4. v = (p - x)/h;   x = p
//
// A level of long edges is an independent set of the one before, with no two particles nearer than 0.87 2^k mean edges;
// pairs up to 1.9 times as far are joined. The disc is flat and convex, so the way over it is the distance in its plane.
// A tether goes from each free particle to the nearest held one [3]. weft leaves out the levels 1 and 3, and has up to
// three tethers a particle. A sheet that does not stretch feels none of them, so this changes only how sweeps converge.
//
// Links of a level, and edges, are shuffled once from the seed, because a sweep in the order of the rows prefers a side.
// All sweeps have one order. If every second substep swept back, the velocities would grow until the disc is torn.
//
// [1] M. Bergou et al.: A Quadratic Bending Model for Inextensible Surfaces. Symposium on Geometry Processing, 2006.
// [2] M. Macklin, M. Mueller, N. Chentanez: XPBD. Motion in Games, 2016.
// [3] T. Kim, N. Chentanez, M. Mueller: Long Range Attachments. Symposium on Computer Animation, 2012.
// [4] M. Hestenes, E. Stiefel: Methods of Conjugate Gradients. J. Res. Nat. Bur. Standards 49, 1952.

#include "../bench/stiff_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GRAVITY = 9.81, DAMPING = 2;             // m/s^2, 1/s
static const double SPACING = 0.87, REACH = 1.9;             // of a level, see above
static const double TOLERANCE = 1e-10, PLAIN_RIGIDITY = 2.5; // B / k
enum { TICK_RATE = 60, CG_MAX = 200000 };

// Two particles and a number: an entry of a matrix, a link and its length (m), or a side and the corner opposite to it.
struct pair {
    uint32_t a, b;
    double value;
};

struct links {
    struct pair *items;
    uint32_t count, capacity;
};

struct drape {
    struct stiff_body body;
    uint32_t count;             // particles
    double *w;                  // 1/kg; 0: held
    double *x, *v, *p;          // 3 a particle, as all vectors
    double *d;                  // what bending adds to the prediction; the next solve begins with it
    double *b, *r, *z, *s, *q;  // of a solve
    uint32_t *starts, *columns; // of Q by rows; starts: one more than rows
    double *values, *diagonal;  // N/m
    struct links pulls;         // long edges and tethers, in the order that they are solved
    struct links edges;
    uint32_t steps; // substeps so far
    uint64_t cg_rounds;
};

static void give_up(const char *reason)
{
    fprintf(stderr, "drape: %s\n", reason);
    exit(1);
}

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        give_up("no memory");
    }
    return memory;
}

static double apart(const double *x, uint32_t a, uint32_t b)
{
    const double *from = x + 3 * (size_t)a, *to = x + 3 * (size_t)b;
    const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// Adds the 16 products of the weights of one inner edge to the entries of Q.
static uint32_t hinge_add(const double *x, double k, const uint32_t at[4], struct pair *entries)
{
    double weights[4] = {0}, areas = 0;
    for (uint32_t side = 2; side < 4; side++) {
        const double e = apart(x, at[0], at[1]), a = apart(x, at[0], at[side]), b = apart(x, at[1], at[side]);
        const double half = (e + a + b) / 2,
                     area = sqrt(half * (half - e) * (half - a) * (half - b)); // Heron
        const double cot0 = (e * e + a * a - b * b) / (4 * area), cot1 = (e * e + b * b - a * a) / (4 * area);
        weights[0] += cot1;
        weights[1] += cot0;
        weights[side] = -cot0 - cot1;
        areas += area;
    }
    for (uint32_t i = 0; i < 16; i++) {
        entries[i] = (struct pair){at[i / 4], at[i % 4], k * 3 / areas * weights[i / 4] * weights[i % 4]};
    }
    return 16;
}

static int by_place(const void *one, const void *other)
{
    const struct pair *s = one, *t = other;
    const uint64_t key = (uint64_t)s->a << 32 | s->b, than = (uint64_t)t->a << 32 | t->b;
    return (key > than) - (key < than);
}

// Sums entries of the same place. Each row has some, because each particle is a corner of two triangles that meet.
static void matrix_make(struct drape *drape, struct pair *entries, uint32_t count)
{
    uint32_t kept = 0;
    qsort(entries, count, sizeof *entries, by_place);
    drape->starts = get(drape->count + 1, sizeof *drape->starts);
    drape->columns = get(count, sizeof *drape->columns);
    drape->values = get(count, sizeof *drape->values);
    for (uint32_t e = 0; e < count; e++) {
        if (e == 0 || by_place(&entries[e], &entries[e - 1]) != 0) {
            drape->columns[kept++] = entries[e].b;
            drape->starts[entries[e].a + 1] = kept;
        }
        drape->values[kept - 1] += entries[e].value;
        drape->diagonal[entries[e].a] += entries[e].a == entries[e].b ? entries[e].value : 0;
    }
}

static void bending_make(struct drape *drape)
{
    const struct stiff_body *body = &drape->body;
    const uint32_t sides = 3 * body->triangle_count;
    struct pair *side = get(sides, sizeof *side);
    struct pair *entries = get(8 * (size_t)sides, sizeof *entries);
    uint32_t count = 0;
    for (uint32_t s = 0; s < sides; s++) {
        const uint32_t *corners = body->triangles + s / 3 * (size_t)3;
        const uint32_t a = corners[s % 3], b = corners[(s + 1) % 3];
        side[s] = (struct pair){a < b ? a : b, a < b ? b : a, corners[(s + 2) % 3]};
    }
    qsort(side, sides, sizeof *side, by_place);
    for (uint32_t s = 1; s < sides; s++) {
        if (by_place(&side[s], &side[s - 1]) == 0) {
            const uint32_t at[4] = {side[s].a, side[s].b, (uint32_t)side[s - 1].value,
                                    (uint32_t)side[s].value};
            count += hinge_add(body->positions, body->rigidity / PLAIN_RIGIDITY, at, entries + count);
        }
    }
    matrix_make(drape, entries, count);
    free(entries);
    free(side);
}

// out = (mass M + stiff Q) in; rows of what is held are 0, if they are to be.
static void multiply(const struct drape *drape, double mass, double stiff, const double *in, double *out,
                     int held_too)
{
    for (uint32_t row = 0; row < drape->count; row++) {
        double sum[3] = {0, 0, 0};
        const int open = held_too || drape->w[row] > 0;
        for (uint32_t e = drape->starts[row]; open && e < drape->starts[row + 1]; e++) {
            const double *from = in + 3 * (size_t)drape->columns[e], value = drape->values[e];
            sum[0] += value * from[0];
            sum[1] += value * from[1];
            sum[2] += value * from[2];
        }
        for (int axis = 0; axis < 3; axis++) {
            const size_t at = 3 * (size_t)row + (size_t)axis;
            out[at] = open ? stiff * sum[axis] + mass * drape->body.masses[row] * in[at] : 0;
        }
    }
}

static double dot(const struct drape *drape, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)drape->count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Solves (mass M + stiff Q) d = b from the d that is there. d and b are 0 for what is held.
static void solve(struct drape *drape, double mass, double stiff)
{
    const size_t n = 3 * (size_t)drape->count;
    const double goal = TOLERANCE * TOLERANCE * dot(drape, drape->b, drape->b);
    double past = 0;
    multiply(drape, mass, stiff, drape->d, drape->q, 0);
    for (size_t i = 0; i < n; i++) {
        drape->r[i] = drape->b[i] - drape->q[i];
    }
    for (uint32_t round = 0; dot(drape, drape->r, drape->r) > goal; round++, drape->cg_rounds++) {
        if (round == CG_MAX) {
            give_up("conjugate gradients do not converge");
        }
        for (size_t i = 0; i < n; i++) {
            drape->z[i] = drape->r[i] / (mass * drape->body.masses[i / 3] + stiff * drape->diagonal[i / 3]);
        }
        const double now = dot(drape, drape->r, drape->z), beta = round == 0 ? 0 : now / past;
        for (size_t i = 0; i < n; i++) {
            drape->s[i] = drape->z[i] + beta * drape->s[i];
        }
        multiply(drape, mass, stiff, drape->s, drape->q, 0);
        const double alpha = now / dot(drape, drape->s, drape->q);
        for (size_t i = 0; i < n; i++) {
            drape->d[i] += alpha * drape->s[i];
            drape->r[i] -= alpha * drape->q[i];
        }
        past = now;
    }
}

static void link_add(struct links *links, uint32_t a, uint32_t b, double length)
{
    if (links->count == links->capacity) {
        give_up("too many links");
    }
    links->items[links->count++] = (struct pair){a, b, length};
}

static void shuffle(struct links *links, uint32_t first, uint64_t state)
{
    for (uint32_t i = links->count; i > first + 1; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's generator
        const uint32_t other = first + (uint32_t)((state >> 33) % (i - first));
        const struct pair kept = links->items[i - 1];
        links->items[i - 1] = links->items[other];
        links->items[other] = kept;
    }
}

// levels[i] becomes the finest level that leaves the particle i out. Returns the number of levels.
static uint32_t levels_make(const struct drape *drape, double mean, uint32_t *levels)
{
    uint32_t *chosen = get(drape->count, sizeof *chosen);
    uint32_t level = 0, count;
    memset(levels, 0xff, drape->count * sizeof *levels);
    do {
        const double distance = SPACING * ldexp(mean, (int)++level);
        count = 0;
        for (uint32_t i = 0; i < drape->count; i++) {
            int good = levels[i] == UINT32_MAX;
            for (uint32_t c = 0; good && c < count; c++) {
                good = apart(drape->body.positions, i, chosen[c]) >= distance;
            }
            if (good) {
                chosen[count++] = i;
            } else if (levels[i] == UINT32_MAX) {
                levels[i] = level;
            }
        }
    } while (count > 2);
    free(chosen);
    return level;
}

static void links_make(struct drape *drape, uint64_t seed)
{
    const struct stiff_body *body = &drape->body;
    uint32_t *levels = get(drape->count, sizeof *levels);
    double mean = 0;
    drape->edges.capacity = drape->pulls.capacity = 16 * drape->count; // there are some 3 and 6 a particle
    drape->edges.items = get(drape->edges.capacity, sizeof *drape->edges.items);
    drape->pulls.items = get(drape->pulls.capacity, sizeof *drape->pulls.items);
    for (uint32_t e = 0; e < body->edge_count; e++) {
        mean += body->rests[e] / body->edge_count;
        if (drape->w[body->edges[e][0]] + drape->w[body->edges[e][1]] > 0) {
            link_add(&drape->edges, body->edges[e][0], body->edges[e][1], body->rests[e]);
        }
    }
    shuffle(&drape->edges, 0, seed);
    for (uint32_t level = levels_make(drape, mean, levels); level > 0; level--) {
        const uint32_t first = drape->pulls.count;
        const double reach = REACH * SPACING * ldexp(mean, (int)level);
        for (uint32_t a = 0; a < drape->count; a++) {
            for (uint32_t b = a + 1; levels[a] > level && b < drape->count; b++) {
                const double way = levels[b] > level ? apart(body->positions, a, b) : HUGE_VAL;
                if (way <= reach && drape->w[a] + drape->w[b] > 0) {
                    link_add(&drape->pulls, a, b, way);
                }
            }
        }
        shuffle(&drape->pulls, first, seed);
    }
    for (uint32_t i = 0; i < drape->count; i++) {
        double best = HUGE_VAL;
        uint32_t anchor = 0;
        for (uint32_t p = 0; drape->w[i] > 0 && p < body->pin_count; p++) {
            const double way = apart(body->positions, i, body->pins[p]);
            anchor = way < best ? body->pins[p] : anchor;
            best = way < best ? way : best;
        }
        if (best < HUGE_VAL) {
            link_add(&drape->pulls, i, anchor, best);
        }
    }
    free(levels);
}

static void link_solve(struct drape *drape, const struct pair *link, int pulls_only)
{
    double *a = drape->p + 3 * (size_t)link->a, *b = drape->p + 3 * (size_t)link->b;
    const double wa = drape->w[link->a], wb = drape->w[link->b];
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (squared == 0 || (pulls_only && squared <= link->value * link->value)) {
        return;
    }
    const double length = sqrt(squared), share = (length - link->value) / ((wa + wb) * length);
    for (int axis = 0; axis < 3; axis++) {
        a[axis] -= wa * share * d[axis];
        b[axis] += wb * share * d[axis];
    }
}

static void drape_init(struct drape *drape, enum stiff_kind kind, double size, uint64_t seed)
{
    *drape = (struct drape){0};
    if (!stiff_body_init(&drape->body, kind, size, 1)) {
        give_up("no memory");
    }
    drape->count = drape->body.particle_count;
    const size_t n = 3 * (size_t)drape->count;
    double **const vectors[] = {&drape->x, &drape->v, &drape->p, &drape->d, &drape->b,       &drape->r,
                                &drape->z, &drape->s, &drape->q, &drape->w, &drape->diagonal};
    double *all = get(n * sizeof vectors / sizeof *vectors, sizeof *all);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = all + k * n;
    }
    for (uint32_t i = 0; i < drape->count; i++) {
        drape->w[i] = 1 / drape->body.masses[i];
    }
    for (uint32_t p = 0; p < drape->body.pin_count; p++) {
        drape->w[drape->body.pins[p]] = 0;
    }
    memcpy(drape->x, drape->body.positions, n * sizeof *drape->x);
    bending_make(drape);
    links_make(drape, seed);
}

static void drape_deinit(struct drape *drape)
{
    free(drape->x); // and all vectors
    free(drape->starts);
    free(drape->columns);
    free(drape->values);
    free(drape->pulls.items);
    free(drape->edges.items);
    stiff_body_deinit(&drape->body);
}

static void step(struct drape *drape, double h, double damping, uint32_t sweeps)
{
    const size_t n = 3 * (size_t)drape->count;
    for (size_t i = 0; i < n; i++) {
        const int moves = drape->w[i / 3] > 0;
        drape->v[i] = moves ? drape->v[i] / (1 + damping * h) - (i % 3 == 1 ? h * GRAVITY : 0) : 0;
        drape->p[i] = drape->x[i] + h * drape->v[i];
    }
    multiply(drape, 0, -h * h, drape->p, drape->b, 0);
    solve(drape, 1, h * h);
    for (size_t i = 0; i < n; i++) {
        drape->p[i] += drape->d[i];
    }
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t k = 0; k < drape->pulls.count; k++) {
            link_solve(drape, &drape->pulls.items[k], 1);
        }
        for (uint32_t k = 0; k < drape->edges.count; k++) {
            link_solve(drape, &drape->edges.items[k], 0);
        }
    }
    for (size_t i = 0; i < n; i++) {
        drape->v[i] = (drape->p[i] - drape->x[i]) / h;
        drape->x[i] = drape->p[i];
    }
    drape->steps++;
}

// J: kinetic, of height, and of bending.
static double energy(struct drape *drape)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)drape->count; i++) {
        const double m = drape->body.masses[i / 3];
        sum += m * drape->v[i] * drape->v[i] / 2 + (i % 3 == 1 ? m * GRAVITY * drape->x[i] : 0);
    }
    multiply(drape, 0, 1, drape->x, drape->q, 1);
    return sum + dot(drape, drape->x, drape->q) / 2;
}

static void run(double mm, uint32_t substeps, uint32_t sweeps, uint32_t seconds, uint32_t seed)
{
    struct drape drape;
    double worst, rms, greatest = 0;
    drape_init(&drape, STIFF_DRAPE, mm, seed);
    for (uint32_t tick = 0; tick < seconds * TICK_RATE; tick++) {
        for (uint32_t s = 0; s < substeps; s++) {
            step(&drape, 1.0 / (TICK_RATE * substeps), DAMPING, sweeps);
        }
        stiff_strains(&drape.body, drape.x, &worst, &rms);
        greatest = fmax(greatest, worst);
    }
    printf("%g mm, %u particles, %u substeps, %u sweeps, seed %u: covers %.2f %%\n", mm, drape.count,
           substeps, sweeps, seed, 100 * stiff_drape(&drape.body, drape.x));
    printf("  strain %.3f %%, rms %.4f %%, of all ticks %.3f %%; speed %.1e m/s rms; %.1f rounds a solve\n",
           100 * worst, 100 * rms, 100 * greatest, sqrt(dot(&drape, drape.v, drape.v) / drape.count),
           (double)drape.cg_rounds / drape.steps);
    drape_deinit(&drape);
}

static int tell(const char *what, double value, double most)
{
    const int good = fabs(value) <= most;
    printf("%s: %.4g, at most %g: %s\n", what, value, most, good ? "good" : "MISSED");
    return good;
}

// A square plate of 30 cm whose first two columns are held, as statics: Q w = m g. Half a cell between the two is held as
// well, because the hinges at the second column turn a whole cell. Theory says w = q L^4/(8 B) at the tip.
static double cantilever(double mm)
{
    struct drape drape;
    drape_init(&drape, STIFF_TABLE, mm, 1);
    for (uint32_t i = 0; i < drape.count; i++) {
        drape.w[i] = i % drape.body.columns < 2 ? 0 : drape.w[i];
        drape.b[3 * (size_t)i + 1] = drape.w[i] > 0 ? -drape.body.masses[i] * GRAVITY : 0;
    }
    solve(&drape, 0, 1);
    const double length = 1e-3 * mm * (drape.body.columns - 1.5);
    const double theory = drape.body.density * GRAVITY * pow(length, 4) / (8 * drape.body.rigidity);
    const double error = stiff_droop(&drape.body, drape.d) / theory - 1;
    drape_deinit(&drape);
    return error;
}

// By how much the energy of a disc exceeds that at the start, ever in 2 s without damping, J.
static double gain(void)
{
    struct drape drape;
    double up = 0;
    drape_init(&drape, STIFF_DRAPE, 15, 1);
    const double start = energy(&drape);
    for (uint32_t s = 0; s < 2 * TICK_RATE * 160; s++) {
        step(&drape, 1.0 / (TICK_RATE * 160), 0, 1);
        up = fmax(up, energy(&drape) - start);
    }
    drape_deinit(&drape);
    return up;
}

static int check(void)
{
    int good = tell("cantilever of 15 mm cells, error beside q L^4/(8 B)", cantilever(15), 0.02);
    good &= tell("cantilever of 10 mm cells, error beside q L^4/(8 B)", cantilever(10), 0.02);
    good &= tell("J that a disc without damping gains in 2 s", gain(), 1e-9);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const double least[] = {2, 1, 1, 1, 0}, most[] = {50, 10000, 1000, 600, 1e6};
    double numbers[] = {15, 160, 1, 5, 1};
    if (argc == 2 && strcmp(argv[1], "check") == 0) {
        return check();
    }
    int good = argc <= 6;
    for (int i = 0; good && i + 1 < argc; i++) {
        char *end;
        numbers[i] = strtod(argv[i + 1], &end);
        good = end != argv[i + 1] && !*end && numbers[i] >= least[i] && numbers[i] <= most[i];
    }
    if (!good) {
        fputs("Usage: drape [MM [SUBSTEPS [SWEEPS [SECONDS [SEED]]]]] | check\n", stderr);
        return 2;
    }
    run(numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], (uint32_t)numbers[3], (uint32_t)numbers[4]);
    return 0;
}
