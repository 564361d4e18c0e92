// How soft bodies made by the recipe of docs/concepts/materials.md bend: a square beam, clamped at one end, sags under
// its own weight; beside it what Timoshenko's beam of the same G and K does.
//
//     sag = w l^4 / (8 E I) + w l^2 / (2 k A G),   w = rho g A,  E = 9 K G / (3 K + G),  k = 10 (1 + nu)/(12 + 11 nu)
//
// K is that of the tetrahedra and of the edges (5/3 G) together. The sag is small, and damped until it stands.
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLENDER = 10, SECONDS = 8 };

static const double HEIGHT = 0.1, DENSITY = 1000, SAG = 0.01; // m, kg/m^3; of the length, about
static const double RATE = 60, GRAVITY = 0.1;
static const struct sim_limits LIMITS = {.bodies = 1, .particles = 100000, .constraints = 1000000};

struct beam {
    uint32_t cells[3], particle_count, tet_count;
    double *positions;
    uint32_t *tets;
};

// Six tetrahedra a cube, all cubes alike, or five, turned from cube to cube.
static void cube_fill(struct beam *beam, const uint32_t at[3], bool five)
{
    static const int six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                  {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    static const int even[5][4] = {{0, 1, 3, 5}, {0, 3, 2, 6}, {0, 6, 4, 5}, {3, 5, 6, 7}, {0, 3, 6, 5}};
    const int(*tets)[4] = five ? even : six;
    bool flips = five && (at[0] + at[1] + at[2]) % 2 == 1;
    for (int t = 0; t < (five ? 5 : 6); t++) {
        uint32_t *tet = beam->tets + 4 * (size_t)beam->tet_count++;
        for (int c = 0; c < 4; c++) {
            uint32_t corner = (uint32_t)tets[t][c] ^ (flips ? 1U : 0U);
            uint32_t x = at[0] + (corner & 1), y = at[1] + (corner >> 1 & 1), z = at[2] + (corner >> 2);
            tet[c] = x + (beam->cells[0] + 1) * (y + (beam->cells[1] + 1) * z);
        }
        if (flips) {
            uint32_t swap = tet[0];
            tet[0] = tet[1];
            tet[1] = swap;
        }
    }
}

static struct beam beam_create(uint32_t layers, bool five)
{
    struct beam beam = {.cells = {SLENDER * layers, layers, layers}};
    uint32_t n[3] = {beam.cells[0] + 1, layers + 1, layers + 1};
    beam.particle_count = n[0] * n[1] * n[2];
    beam.positions = malloc(3 * (size_t)beam.particle_count * sizeof *beam.positions);
    beam.tets = malloc((size_t)24 * beam.cells[0] * layers * layers * sizeof *beam.tets);
    if (!beam.positions || !beam.tets) {
        abort();
    }
    for (uint32_t i = 0; i < beam.particle_count; i++) {
        const uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        for (uint32_t axis = 0; axis < 3; axis++) {
            beam.positions[3 * (size_t)i + axis] = at[axis] * HEIGHT / layers;
        }
        if (at[0] < beam.cells[0] && at[1] < layers && at[2] < layers) {
            cube_fill(&beam, at, five);
        }
    }
    return beam;
}

// The edges that the sim makes of the tetrahedra: at a particle those to particles of higher index.
struct edge {
    uint32_t other;
    double length2, volume; // m^2, m^3: a sixth of each tetrahedron at it
};

enum { EDGES_MAX = 32 };

static struct edge *edge_find(struct edge *edges, uint32_t a, uint32_t b)
{
    struct edge *edge = edges + (size_t)EDGES_MAX * (a < b ? a : b);
    while (edge->other != 0 && edge->other != (a < b ? b : a)) {
        edge++;
    }
    edge->other = a < b ? b : a;
    return edge;
}

static double volume_of(const struct beam *beam, const uint32_t tet[4])
{
    double d[3][3];
    for (size_t c = 0; c < 3; c++) {
        for (size_t axis = 0; axis < 3; axis++) {
            d[c][axis] =
                beam->positions[3 * (size_t)tet[c + 1] + axis] - beam->positions[3 * (size_t)tet[0] + axis];
        }
    }
    return fabs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
           6;
}

static struct edge *edges_create(const struct beam *beam)
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    struct edge *edges = calloc((size_t)beam->particle_count * EDGES_MAX, sizeof *edges);
    if (!edges) {
        abort();
    }
    for (size_t t = 0; t < beam->tet_count; t++) {
        const uint32_t *tet = beam->tets + 4 * t;
        for (int e = 0; e < 6; e++) {
            uint32_t a = tet[ends[e][0]], b = tet[ends[e][1]];
            struct edge *edge = edge_find(edges, a, b);
            edge->length2 = 0;
            for (size_t axis = 0; axis < 3; axis++) {
                edge->length2 +=
                    pow(beam->positions[3 * (size_t)a + axis] - beam->positions[3 * (size_t)b + axis], 2);
            }
            edge->volume += volume_of(beam, tet) / 6;
        }
    }
    return edges;
}

static double lengths2(const struct edge *edges, uint32_t particle_count)
{
    double sum = 0;
    for (size_t e = 0; e < (size_t)particle_count * EDGES_MAX; e++) {
        sum += edges[e].length2;
    }
    return sum;
}

// Gives each edge and each tetrahedron a compliance of its own.
static void weigh(struct sim *sim, const struct sim_body_added *added, const struct beam *beam,
                  struct edge *edges, double shear, double ratio)
{
    for (int kind = SIM_DISTANCE; kind <= SIM_VOLUME; kind++) {
        for (uint32_t i = 0; i < added->constraint_count[kind]; i++) {
            struct sim_constraint at;
            struct fault fault;
            uint32_t id = added->constraint_first[kind] + i;
            if (!sim_constraint_get(sim, id, &at)) {
                abort();
            }
            const struct edge *edge =
                kind == SIM_DISTANCE ? edge_find(edges, at.particles[0], at.particles[1]) : NULL;
            double compliance = edge        ? edge->length2 / (15 * shear * edge->volume)
                                : ratio > 0 ? volume_of(beam, at.particles) / (ratio * shear)
                                            : 1e10;
            const struct sim_constraint_values values = {.compliance = &compliance};
            if (sim_constraints_set(sim, &id, 1, &values, &fault) != FAULT_NONE) {
                abort();
            }
        }
    }
}

static double tip(const struct sim *sim, uint32_t body, const struct beam *beam)
{
    double *x = malloc(3 * (size_t)beam->particle_count * sizeof *x), sum = 0;
    uint32_t count = 0;
    if (!x) {
        abort();
    }
    sim_body_positions64(sim, body, 0, beam->particle_count, x);
    for (uint32_t i = beam->cells[0]; i < beam->particle_count; i += beam->cells[0] + 1, count++) {
        sum += x[3 * (size_t)i + 1] - beam->positions[3 * (size_t)i + 1];
    }
    free(x);
    return -sum / count;
}

enum recipe { ONE, LAYERED, EACH };

static const char *const recipes[] = {"one for all", "times (n + 2)/n", "each its own"};

// For a body with edges of this G, and tetrahedra with a K of that many G (0: negligible).
static double sag_of(uint32_t layers, bool five, double shear, double ratio, enum recipe recipe,
                     uint32_t substeps)
{
    struct beam beam = beam_create(layers, five);
    const double length = SLENDER * HEIGHT, volume = length * HEIGHT * HEIGHT;
    double omega = 3.516 * sqrt(2.5 * shear * HEIGHT * HEIGHT / 12 / DENSITY) / (length * length);
    struct sim_settings settings = {.gravity = {0, -GRAVITY, 0},
                                    .tick_rate = RATE,
                                    .substeps = substeps,
                                    .iterations = 1,
                                    .damping = 2 * omega,
                                    .resolution = 1.0 / (1 << 30),
                                    .extent = 100};
    uint32_t pins[64], pin_count = 0;
    for (uint32_t i = 0; i < beam.particle_count; i += beam.cells[0] + 1) {
        pins[pin_count++] = i;
    }
    struct edge *edges = edges_create(&beam);
    double alpha = lengths2(edges, beam.particle_count) / (15 * shear * volume);
    alpha *= recipe == LAYERED ? (layers + 2.0) / layers : 1;
    double each = volume / beam.tet_count; // one compliance for all
    struct sim_body_desc desc = {
        .kind = SIM_SOFT,
        .particle_count = beam.particle_count,
        .positions = beam.positions,
        .tets = beam.tets,
        .tet_count = beam.tet_count,
        .density = DENSITY,
        .stretch = {.compliance = alpha, .stiffness = -1},
        .volume = {.compliance = ratio > 0 ? each / (ratio * shear) : 1e10, .stiffness = -1},
        .pins = pins,
        .pin_count = pin_count};
    struct fault fault = {0};
    struct sim *sim = sim_create(&settings, &LIMITS);
    struct sim_body_plan *plan =
        sim ? sim_body_prepare(&desc, settings.resolution, settings.extent, &LIMITS, &fault) : NULL;
    struct sim_body_added added;
    if (!plan || sim_body_attach(sim, plan, &added, &fault) != FAULT_NONE) {
        fprintf(stderr, "%s\n", fault.text);
        exit(1);
    }
    if (recipe == EACH) {
        weigh(sim, &added, &beam, edges, shear, ratio);
    }
    double ticks = SECONDS / omega * RATE;
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failure;
        sim_step(sim, NULL, NULL, &failure);
        if (failure.failed) {
            fprintf(stderr, "%s\n", failure.text);
            exit(1);
        }
    }
    double sag = tip(sim, added.body, &beam);
    sim_destroy(sim);
    free(edges);
    free(beam.positions);
    free(beam.tets);
    return sag;
}

static double timoshenko(double shear, double ratio)
{
    const double length = SLENDER * HEIGHT, area = HEIGHT * HEIGHT, weight = DENSITY * GRAVITY * area;
    double bulk = (ratio + 5.0 / 3) * shear, young = 9 * bulk * shear / (3 * bulk + shear);
    double nu = young / (2 * shear) - 1, k = 10 * (1 + nu) / (12 + 11 * nu), moment = area * area / 12;
    return weight * pow(length, 4) / (8 * young * moment) + weight * length * length / (2 * k * area * shear);
}

int main(int count, char **words)
{
    static const double ratios[] = {0, 5, 50};
    uint32_t substeps = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 160;
    const double length = SLENDER * HEIGHT;
    if (substeps == 0 || substeps > 1000) {
        fprintf(stderr, "usage: bench_beam [SUBSTEPS]     1 to 1000 of a tick; default 160\n");
        return 2;
    }
    double shear = 1.5 * DENSITY * GRAVITY * pow(length, 4) / (HEIGHT * HEIGHT) / (SAG * length) / 2.5;
    printf("Sag over that of Timoshenko's beam, %u substeps a tick, G = %g Pa\n", substeps, shear);
    printf("cubes of  n  edges            K = 0       5 G      50 G\n");
    for (int five = 0; five < 2; five++) {
        for (uint32_t layers = 2; layers <= 4; layers++) {
            for (int recipe = ONE; recipe <= EACH; recipe++) {
                printf("%-9s %u  %-16s", five ? "five" : "six", layers, recipes[recipe]);
                for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
                    double sag = sag_of(layers, five, shear, ratios[r], (enum recipe)recipe, substeps);
                    printf("%5.2f     ", sag / timoshenko(shear, ratios[r]));
                    fflush(stdout);
                }
                printf("\n");
            }
        }
    }
    return 0;
}
