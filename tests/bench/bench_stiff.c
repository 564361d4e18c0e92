// How far a cloth that does not stretch stretches, with long edges and without: squares of 1 m and 0.2 kg/m^2 without
// compliance, held at two corners and dropped from level.
//
//   bench_stiff [side ...]      50 100 200 if none is given
//
// For each side, 5 and 20 substeps: at rest (5 s with a damping of 1/s) the greatest and the rms strain of the edges; in
// motion (5 s with 0.1/s) the greatest strain of all ticks, the lowest points of the first two swings, and the time of a tick on its core.
// The last lines of a side are references without long edges, if BENCH_STIFF_REFERENCE is set: 400 substeps of 4 iterations,
// and 800 of one. By how much they differ says how well a motion is known.

#include "base/clock.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICK_RATE = 60, SECONDS = 5 };

struct square {
    uint32_t side;
    double *positions;
    uint32_t *triangles;
};

static bool square_init(struct square *square, uint32_t side)
{
    const size_t cells = (size_t)(side - 1) * (side - 1);
    *square = (struct square){
        .side = side,
        .positions = calloc((size_t)side * side * 3, sizeof *square->positions),
        .triangles = calloc(cells * 6, sizeof *square->triangles),
    };
    if (square->positions == NULL || square->triangles == NULL) {
        return false;
    }
    uint32_t *corner = square->triangles;
    for (uint32_t j = 0; j < side; j++) {
        for (uint32_t i = 0; i < side; i++) {
            uint32_t a = j * side + i, b = a + 1, c = a + side, d = c + 1;
            square->positions[3 * (size_t)a] = (double)i / (side - 1);
            square->positions[3 * (size_t)a + 2] = (double)j / (side - 1);
            if (i + 1 == side || j + 1 == side) {
                continue;
            }
            const bool down = (i + j) & 1;
            const uint32_t two[6] = {a, c, down ? d : b, down ? a : b, down ? d : c, down ? b : d};
            for (int k = 0; k < 6; k++) {
                *corner++ = two[k];
            }
        }
    }
    return true;
}

struct outcome {
    double worst, rms;            // now
    double ever;                  // of all ticks
    double lowest[2], kinetic[2]; // of the first and second swing
    double ms;                    // a tick
    double begin_ms;              // the first tick, less the mean
};

static struct sim *world(const struct square *square, double damping, uint32_t substeps, uint32_t iterations,
                         bool long_edges, uint32_t *body)
{
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = TICK_RATE,
        .substeps = substeps,
        .iterations = iterations,
        .damping = damping,
        .resolution = 1.0 / (1 << 27),
        .extent = 1000,
        .long_edges = long_edges,
    };
    const struct sim_limits limits = {
        .bodies = 1, .particles = UINT32_MAX, .constraints = UINT32_MAX, .colliders = 1, .grabs = 1};
    const uint32_t pins[2] = {0, square->side - 1};
    const struct sim_material rigid = {.stiffness = -1};
    const struct sim_body_desc desc = {
        .kind = SIM_CLOTH,
        .particle_count = square->side * square->side,
        .positions = square->positions,
        .triangles = square->triangles,
        .triangle_count = (square->side - 1) * (square->side - 1) * 2,
        .density = 0.2,
        .stretch = rigid,
        .bend_model = SIM_BEND_NONE,
        .bend = rigid,
        .volume = rigid,
        .pins = pins,
        .pin_count = 2,
    };
    struct fault fault;
    struct sim_body_added added;
    struct sim *sim = sim_create(&settings, &limits);
    struct sim_body_plan *plan =
        sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault);
    if (sim == NULL || plan == NULL || sim_body_attach(sim, plan, &added, &fault) != FAULT_NONE) {
        fprintf(stderr, "bench_stiff: no world: %s\n", plan == NULL ? fault.text : "no memory");
        sim_body_plan_destroy(plan);
        sim_destroy(sim);
        return NULL;
    }
    *body = added.body;
    return sim;
}

// The greatest positive strain of the edges, and the rms of all.
static void strains(const struct sim *sim, double *worst, double *rms)
{
    struct sim_measures measures;
    struct sim_constraint edge = {.id = 0};
    static double x[3 * 400 * 400];
    sim_measure(sim, &measures);
    *rms = measures.error_rms[SIM_DISTANCE];
    *worst = 0;
    sim_body_positions64(sim, sim_body_id_at(sim, 0), 0, sim_particle_count(sim), x);
    while (sim_constraint_next(sim, SIM_DISTANCE, edge.id, &edge)) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = x[3 * (size_t)edge.particles[0] + axis] - x[3 * (size_t)edge.particles[1] + axis];
            sum += d * d;
        }
        *worst = fmax(*worst, sqrt(sum) / edge.rest - 1);
    }
}

static double lowest_of(const struct sim *sim)
{
    static double x[3 * 400 * 400];
    double lowest = 0;
    uint32_t count = sim_particle_count(sim);
    sim_body_positions64(sim, sim_body_id_at(sim, 0), 0, count, x);
    for (uint32_t i = 0; i < count; i++) {
        lowest = fmin(lowest, x[3 * (size_t)i + 1]);
    }
    return lowest;
}

static bool run(struct sim *sim, struct outcome *outcome)
{
    uint64_t all = 0, first = 0;
    *outcome = (struct outcome){0};
    for (uint32_t tick = 0; tick < TICK_RATE * SECONDS; tick++) {
        struct sim_failure failure;
        struct sim_measures measures;
        const uint64_t before = base_core_ns();
        sim_step(sim, NULL, NULL, &failure);
        const uint64_t took = base_core_ns() - before;
        all += tick > 0 ? took : 0;
        first = tick == 0 ? took : first;
        if (failure.failed) {
            fprintf(stderr, "bench_stiff: the world failed: %s\n", failure.text);
            return false;
        }
        strains(sim, &outcome->worst, &outcome->rms);
        outcome->ever = fmax(outcome->ever, outcome->worst);
        sim_measure(sim, &measures);
        const int swing = tick < TICK_RATE ? 0 : 1;
        if (tick < 2 * TICK_RATE) {
            outcome->lowest[swing] = fmin(outcome->lowest[swing], lowest_of(sim));
            outcome->kinetic[swing] = fmax(outcome->kinetic[swing], measures.kinetic);
        }
    }
    outcome->ms = (double)all / 1e6 / (TICK_RATE * SECONDS - 1);
    outcome->begin_ms = (double)first / 1e6 - outcome->ms;
    return true;
}

static bool row(const struct square *square, uint32_t substeps, uint32_t iterations, bool long_edges,
                double ms[2])
{
    struct outcome rest, motion;
    uint32_t body;
    bool good = true;
    for (int moves = 0; good && moves < 2; moves++) {
        struct sim *sim = world(square, moves ? 0.1 : 1, substeps, iterations, long_edges, &body);
        good = sim != NULL && run(sim, moves ? &motion : &rest);
        sim_destroy(sim);
    }
    if (!good) {
        return false;
    }
    printf("  %3" PRIu32 "  %3" PRIu32 " x %" PRIu32
           "  %-4s %8.2f %8.3f %9.1f   %7.3f %7.3f %6.3f %6.3f   %7.2f %7.2f",
           square->side, substeps, iterations, long_edges ? "long" : "", 100 * rest.worst, 100 * rest.rms,
           100 * motion.ever, motion.lowest[0], motion.lowest[1], motion.kinetic[0], motion.kinetic[1],
           rest.ms, motion.ms);
    if (long_edges) {
        printf("  %.2f %.2f times, at first %.0f ms", rest.ms / ms[0], motion.ms / ms[1], motion.begin_ms);
    }
    printf("\n");
    fflush(stdout);
    ms[0] = rest.ms;
    ms[1] = motion.ms;
    return true;
}

int main(int count, char **arguments)
{
    static char *const usual[] = {"50", "100", "200"};
    char *const *sides = count > 1 ? arguments + 1 : usual;
    const int side_count = count > 1 ? count - 1 : 3;
    printf("       steps          at rest: worst, rms; ever %%   lowest m        kinetic J       ms a tick "
           "at rest, moving\n");
    for (int s = 0; s < side_count; s++) {
        struct square square;
        double ms[2];
        long side = strtol(sides[s], NULL, 10);
        if (side < 2 || side > 400 || !square_init(&square, (uint32_t)side)) {
            fprintf(stderr, "bench_stiff: %s: a side must be in [2, 400]\n", sides[s]);
            return 2;
        }
        for (uint32_t substeps = 5; substeps <= 20; substeps *= 4) {
            if (!row(&square, substeps, 1, false, ms) || !row(&square, substeps, 1, true, ms)) {
                return 1;
            }
        }
        if (getenv("BENCH_STIFF_REFERENCE") != NULL &&
            (!row(&square, 400, 4, false, ms) || !row(&square, 800, 1, false, ms))) {
            return 1;
        }
        free(square.positions);
        free(square.triangles);
    }
    return 0;
}
