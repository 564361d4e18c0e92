// The effect of the order of solving on convergence: the rms strain of a hanging cloth after 20 iterations, in the
// sim's order (by tile and colour) and by plain Gauss-Seidel in the order of the mesh.
//
// Both do the same otherwise: edges without compliance, PBD's projection
//     x1 -= w1 / (w1 + w2) (l - L) n,   x2 += w2 / (w1 + w2) (l - L) n,   n = (x1 - x2) / l
// in double here, where the sim's positions are fixed point; a strain of 1e-3 of 1 cm is 1,300 quanta.
//
//     disturbed    every particle is put up to 1 mm off in each axis; one step of 1/60 s, 20 iterations
//     swinging     let go flat; a second of such steps, the mean of the strains at their ends
//     small steps  the same with 20 substeps of one iteration, as worlds are by default

#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 20, SWING_TICKS = 60 };

struct reference {
    uint32_t count, edge_count;
    double *x, *before, *v;
    float *w;
    uint32_t (*edges)[2];
    double *rest;
};

static void reference_deinit(struct reference *reference)
{
    free(reference->x);
    free(reference->before);
    free(reference->v);
    free(reference->w);
    free(reference->edges);
    free(reference->rest);
}

// A copy of the world: positions, velocities, masses, and edges in order of id, which is that of the mesh.
static bool reference_init(struct reference *reference, const struct sim *sim, uint32_t body)
{
    uint32_t count = sim_particle_count(sim), edge_count = sim_constraint_count(sim);
    *reference = (struct reference){
        .count = count,
        .x = malloc(3 * (size_t)count * sizeof(double)),
        .before = malloc(3 * (size_t)count * sizeof(double)),
        .v = calloc(3 * (size_t)count, sizeof(double)),
        .w = malloc(count * sizeof(float)),
        .edges = malloc(edge_count * sizeof *reference->edges),
        .rest = malloc(edge_count * sizeof(double)),
    };
    if (!reference->x || !reference->before || !reference->v || !reference->w || !reference->edges ||
        !reference->rest) {
        reference_deinit(reference);
        return false;
    }
    sim_body_positions64(sim, body, 0, count, reference->x);
    sim_body_inverse_masses(sim, body, 0, count, reference->w);
    struct sim_constraint edge = {.id = 0};
    while (reference->edge_count < edge_count && sim_constraint_next(sim, SIM_DISTANCE, edge.id, &edge)) {
        uint32_t e = reference->edge_count++;
        reference->edges[e][0] = edge.particles[0];
        reference->edges[e][1] = edge.particles[1];
        reference->rest[e] = edge.rest;
    }
    return true;
}

static void reference_iterate(struct reference *reference)
{
    for (uint32_t e = 0; e < reference->edge_count; e++) {
        uint32_t a = reference->edges[e][0], b = reference->edges[e][1];
        double *xa = reference->x + 3 * (size_t)a, *xb = reference->x + 3 * (size_t)b;
        double wa = (double)reference->w[a], wb = (double)reference->w[b];
        double d[3] = {xa[0] - xb[0], xa[1] - xb[1], xa[2] - xb[2]};
        double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (wa + wb == 0 || l == 0) {
            continue;
        }
        double s = (l - reference->rest[e]) / (l * (wa + wb));
        for (int axis = 0; axis < 3; axis++) {
            xa[axis] -= wa * s * d[axis];
            xb[axis] += wb * s * d[axis];
        }
    }
}

static void reference_tick(struct reference *reference, const struct sim_settings *settings)
{
    const double h = 1 / ((double)settings->tick_rate * settings->substeps);
    const double keep = 1 / (1 + settings->damping * h);
    for (uint32_t substep = 0; substep < settings->substeps; substep++) {
        for (size_t i = 0; i < 3 * (size_t)reference->count; i++) {
            reference->before[i] = reference->x[i];
            if (reference->w[i / 3] > 0) {
                reference->v[i] = (reference->v[i] + h * settings->gravity[i % 3]) * keep;
                reference->x[i] += h * reference->v[i];
            }
        }
        for (uint32_t iteration = 0; iteration < settings->iterations; iteration++) {
            reference_iterate(reference);
        }
        for (size_t i = 0; i < 3 * (size_t)reference->count; i++) {
            reference->v[i] = (reference->x[i] - reference->before[i]) / h;
        }
    }
}

static double rms_strain(const struct reference *reference)
{
    double squares = 0;
    for (uint32_t e = 0; e < reference->edge_count; e++) {
        const double *a = reference->x + 3 * (size_t)reference->edges[e][0];
        const double *b = reference->x + 3 * (size_t)reference->edges[e][1];
        double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        double strain = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / reference->rest[e] - 1;
        squares += strain * strain;
    }
    return sqrt(squares / reference->edge_count);
}

// Up to 1 mm in each axis; the same numbers on every machine.
static bool disturb(struct sim *sim, const struct bench_mesh *mesh, uint32_t body, uint32_t seed)
{
    uint32_t count = mesh->particle_count;
    uint32_t *particles = malloc(count * sizeof *particles);
    double *positions = malloc(3 * (size_t)count * sizeof *positions);
    struct fault fault = {.text = "no memory"};
    bool good = particles != NULL && positions != NULL;
    for (size_t i = 0; good && i < 3 * (size_t)count; i++) {
        seed = seed * 1664525u + 1013904223u;
        positions[i] = mesh->positions[i] + 1e-3 * ((seed >> 8) / 8388608.0 - 1);
        particles[i / 3] = (uint32_t)(i / 3);
    }
    good =
        good && sim_particles_set(sim, body, particles, count, positions, NULL, NULL, &fault) == FAULT_NONE;
    if (!good) {
        fprintf(stderr, "weft-bench: the particles cannot be moved: %s\n", fault.text);
    }
    free(particles);
    free(positions);
    return good;
}

struct strains {
    double start, sim, mesh;
};

// seed 0: not disturbed. The strains are means over the ends of `ticks` ticks.
static bool compare(const struct bench_world *world, const struct bench_mesh *mesh, uint32_t seed,
                    uint32_t ticks, struct strains *strains)
{
    struct reference reference = {0};
    uint32_t body;
    struct sim *sim = bench_world_create(world, bench_isa_best());
    bool good = sim != NULL && bench_body_add(sim, mesh, BENCH_EDGES, world, NULL, &body) &&
                (seed == 0 || disturb(sim, mesh, body, seed));
    if (good && !reference_init(&reference, sim, body)) {
        fprintf(stderr, "weft-bench: no memory for the cloth in mesh order\n");
        good = false;
    }
    *strains = (struct strains){.start = good ? rms_strain(&reference) : 0};
    for (uint32_t tick = 0; good && tick < ticks; tick++) {
        struct sim_measures measures;
        good = bench_tick(sim, NULL, NULL);
        reference_tick(&reference, sim_settings_of(sim));
        sim_measure(sim, &measures);
        strains->sim += measures.error_rms[SIM_DISTANCE] / ticks;
        strains->mesh += rms_strain(&reference) / ticks;
    }
    reference_deinit(&reference);
    sim_destroy(sim);
    return good;
}

bool bench_convergence(struct bench_report *report, const struct bench_options *options)
{
    static const struct {
        const char *name;
        struct bench_world world;
        uint32_t seed, ticks;
    } ways[] = {
        {"disturbed", {.substeps = 1, .iterations = ITERATIONS}, 1, 1},
        {"swinging", {.substeps = 1, .iterations = ITERATIONS}, 0, SWING_TICKS},
        {"small steps", {.substeps = ITERATIONS, .iterations = 1}, 0, SWING_TICKS},
    };
    uint32_t width = options->width != 0 ? options->width : 100;
    struct bench_mesh mesh;
    if (!bench_mesh_init(&mesh, BENCH_EDGES, width)) {
        fprintf(stderr, "weft-bench: no memory for a mesh\n");
        return false;
    }
    printf("\nConvergence: rms strain of a hanging cloth of %" PRIu32 " x %" PRIu32
           ", 20 iterations a tick, against mesh order\n\n",
           width, width);
    bool good = true;
    for (size_t i = 0; good && i < sizeof ways / sizeof ways[0]; i++) {
        struct strains strains;
        good = compare(&ways[i].world, &mesh, ways[i].seed, ways[i].ticks, &strains);
        if (!good) {
            break;
        }
        double ratio = strains.sim / strains.mesh;
        printf("  %-12s from %.6f: %.6f, in mesh order %.6f: %.3f times\n", ways[i].name, strains.start,
               strains.sim, strains.mesh, ratio);
        json_t *row = bench_report_row(report, "convergence", width, sim_isa_name(bench_isa_best()), 1);
        good = json_object_set_new(row, "scene", json_string(ways[i].name)) == 0;
        bench_report_count(report, row, "substeps", ways[i].world.substeps);
        bench_report_count(report, row, "iterations", ways[i].world.iterations);
        bench_report_number(report, row, "strain_rms_start", strains.start);
        bench_report_number(report, row, "strain_rms", strains.sim);
        bench_report_number(report, row, "strain_rms_mesh_order", strains.mesh);
        bench_report_number(report, row, "ratio", ratio);
        if (i == 0 && width == 100) {
            struct bench_goal goal = {.what = "strain after 20 iterations against mesh order",
                                      .value = ratio,
                                      .limit = 1.15,
                                      .unit = "times"};
            bench_report_goal(report, row, &goal);
        }
    }
    bench_mesh_deinit(&mesh);
    return good;
}
