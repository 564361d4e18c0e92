// How stiff rods are, and what they cost, swept and solved directly.
//
//   bench_rods droop    a clamped rod of 1 m, 0.02 N m^2 and 0.1 kg/m that hangs by its own weight in 20 to 128 segments: how far its
//                       tip is from the elastica's
//   bench_rods wire     a steel wire of 1 mm and 1 m in 10, 20 and 50 segments that is let go from the side with a mass at its end, or
//                       hangs and has its points kicked: its greatest strain in 2 s over that of the weight
//   bench_rods cost     100 strands of 50 particles: ns a segment and substep, both in turns, and the median of the ratios
//
// BENCH_RODS_SUBSTEPS is the number of substeps, 20 if it is not set.

#include "base/clock.h"
#include "helper_rod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static struct sim_settings settings_of(double gravity, double damping)
{
    const char *given = getenv("BENCH_RODS_SUBSTEPS");
    return (struct sim_settings){.gravity = {0, -gravity, 0},
                                 .tick_rate = 60,
                                 .substeps = given ? (uint32_t)atoi(given) : 20,
                                 .iterations = 1,
                                 .damping = damping,
                                 .resolution = 1.0 / (1 << 27),
                                 .extent = 1000};
}

// False: the world failed.
static bool run(struct sim *sim, int ticks)
{
    struct sim_failure failure = {0};
    for (int tick = 0; tick < ticks && !failure.failed; tick++) {
        sim_step(sim, NULL, NULL, &failure);
    }
    return !failure.failed;
}

static void droop(void)
{
    static const double loads[][3] = {
        {1, 0.991246395, -0.123471402}, {5, 0.846657180, -0.495905045}, {20, 0.445232052, -0.829881443}};
    static const uint32_t counts[] = {20, 40, 80, 128};
    puts("segments  w L^3/EI  swept: tip from the elastica, m   direct");
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int l = 0; l < 3; l++) {
            double away[2];
            for (int direct = 0; direct < 2; direct++) {
                static const uint32_t first[] = {0};
                static struct rod rod;
                struct sim_rod given = rod_given(0.02, 0.02);
                double x[3];
                given.direct = direct;
                rod_line(&rod, counts[c], 1);
                rod_add(&rod, settings_of(loads[l][0] * 0.02 / 0.1, 3), &given, 0.1);
                rod_clamp(&rod, first, 1);
                const bool whole = run(rod.sim, 600);
                scene_position(rod.sim, rod.body, counts[c], x);
                away[direct] = whole ? hypot(x[0] - loads[l][1], x[1] - loads[l][2]) : (double)NAN;
                rod_end(&rod);
            }
            printf("%8u  %8g  %33.4f  %8.4f\n", counts[c], loads[l][0], away[0], away[1]);
        }
    }
}

static double strain_of(const struct rod *rod)
{
    double worst = 0, x[2][3];
    for (uint32_t i = 0; i + 1 < rod->count; i++) {
        scene_position(rod->sim, rod->body, i, x[0]);
        scene_position(rod->sim, rod->body, i + 1, x[1]);
        double size2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            size2 += (x[1][axis] - x[0][axis]) * (x[1][axis] - x[0][axis]);
        }
        const double strain = fabs(sqrt(size2) * (rod->count - 1) - 1);
        worst = strain > worst ? strain : worst;
    }
    return worst;
}

// kick: m/s, of each point along each axis; 0: it is let go from the side. Returns infinity if the world fails.
static double hang(uint32_t segments, double load, double kick, bool direct)
{
    static const uint32_t first[] = {0};
    static struct rod rod;
    const struct sim_rod given = {.radius = 0.0005, .young = 2e11, .poisson = 0.3, .direct = direct};
    const float light = (float)(1 / load);
    struct fault fault;
    rod_line(&rod, segments, 1);
    for (uint32_t i = 0; kick > 0 && i <= segments; i++) {
        rod.positions[i][1] = -rod.positions[i][0];
        rod.positions[i][0] = 0;
    }
    rod_add(&rod, settings_of(9.81, 0), &given, 7850 * PI * 0.0005 * 0.0005);
    sim_particles_pin(rod.sim, rod.body, first, 1, NULL, &fault);
    sim_particles_set(rod.sim, rod.body, &segments, 1, NULL, NULL, &light, &fault);
    uint64_t seed = 5;
    for (uint32_t i = 1; kick > 0 && i < segments; i++) {
        float v[3];
        for (int axis = 0; axis < 3; axis++) {
            v[axis] = (float)(kick * sqrt(3) * (2 * scene_uniform(&seed) - 1));
        }
        sim_particles_set(rod.sim, rod.body, &i, 1, NULL, v, NULL, &fault);
    }
    double worst = 0;
    for (int tick = 0; tick < 120 && worst < INFINITY; tick++) {
        const double now = run(rod.sim, 1) ? strain_of(&rod) : INFINITY;
        worst = now > worst ? now : worst;
    }
    rod_end(&rod);
    return worst / (load * 9.81 / (2e11 * PI * 0.0005 * 0.0005));
}

static void wire(void)
{
    static const double loads[] = {1, 10, 100}, kicks[] = {0, 1, 5};
    static const uint32_t counts[] = {10, 20, 50};
    puts("segments  kg   kick, m/s  swept: strain over that of the weight   direct");
    for (int c = 0; c < 3; c++) {
        for (int l = 0; l < 3; l++) {
            for (int k = 0; k < 3; k++) {
                printf("%8u  %3g  %9g  %39.2f  %7.2f\n", counts[c], loads[l], kicks[k],
                       hang(counts[c], loads[l], kicks[k], false), hang(counts[c], loads[l], kicks[k], true));
                fflush(stdout);
            }
        }
    }
}

enum { STRANDS = 100, POINTS = 50, ROUNDS = 9, TICKS = 5 };

static struct sim *strands(bool direct)
{
    static double positions[STRANDS * POINTS][3];
    static uint32_t edges[2 * STRANDS * (POINTS - 1)], roots[STRANDS];
    uint32_t count = 0;
    for (uint32_t s = 0; s < STRANDS; s++) {
        roots[s] = s * POINTS;
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t at = s * POINTS + i;
            positions[at][0] = 0.01 * i;
            positions[at][2] = 0.01 * s;
            if (i + 1 < POINTS) {
                edges[count++] = at;
                edges[count++] = at + 1;
            }
        }
    }
    struct sim *sim = scene_create(settings_of(9.81, 0.5));
    struct sim_rod given = {.radius = 0.001, .young = 1e9, .poisson = 0.3, .direct = direct};
    struct sim_body_desc desc = scene_rope(positions[0], STRANDS * POINTS, edges, count / 2, NULL);
    desc.rod = &given;
    desc.density = 0.01;
    desc.pins = desc.clamps = roots;
    desc.pin_count = desc.clamp_count = STRANDS;
    scene_add(sim, &desc);
    return sim;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void cost(void)
{
    struct sim *sims[2] = {strands(false), strands(true)};
    double ns[2][ROUNDS], ratios[ROUNDS];
    const double segments = (double)STRANDS * (POINTS - 1) * TICKS * settings_of(0, 0).substeps;
    for (int round = -1; round < ROUNDS; round++) {
        for (int direct = 0; direct < 2; direct++) {
            const uint64_t begin = base_core_ns();
            if (!run(sims[direct], TICKS)) {
                fprintf(stderr, "bench_rods: the world failed\n");
                exit(1);
            }
            if (round >= 0) {
                ns[direct][round] = (double)(base_core_ns() - begin) / segments;
            }
        }
        if (round >= 0) {
            ratios[round] = ns[1][round] / ns[0][round];
        }
    }
    qsort(ns[0], ROUNDS, sizeof *ns[0], compare);
    qsort(ns[1], ROUNDS, sizeof *ns[1], compare);
    qsort(ratios, ROUNDS, sizeof *ratios, compare);
    printf("ns a segment and substep: swept %.1f, direct %.1f, ratio %.1f\n", ns[0][ROUNDS / 2],
           ns[1][ROUNDS / 2], ratios[ROUNDS / 2]);
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "droop") == 0) {
        droop();
    } else if (strcmp(what, "wire") == 0) {
        wire();
    } else if (strcmp(what, "cost") == 0) {
        cost();
    } else {
        fprintf(stderr, "usage: bench_rods droop|wire|cost\n");
        return 2;
    }
    return 0;
}
