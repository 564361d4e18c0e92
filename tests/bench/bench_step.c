// How long a substep takes: square cloths of several sizes, edges and diagonals, on one thread and on all.
//
// Each run hangs the cloth by two corners, lets it swing in for a while, and then times ticks one by one. The
// median is what to compare; the best says what the machine can do undisturbed. "ns/constraint" counts the
// whole substep: prediction, constraints, velocities, and its share of the tick's bookkeeping.
#include "base/clock.h"
#include "base/thread.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SUBSTEPS = 20, WARM_TICKS = 20, TICKS_MAX = 200 };

static const uint64_t RUN_NS = 1500000000;

struct cloth {
    double *positions;
    uint32_t *triangles;
    uint32_t particle_count, triangle_count;
};

static bool cloth_init(struct cloth *cloth, uint32_t side)
{
    cloth->particle_count = side * side;
    cloth->triangle_count = 2 * (side - 1) * (side - 1);
    cloth->positions = malloc(3 * (size_t)cloth->particle_count * sizeof *cloth->positions);
    cloth->triangles = malloc(3 * (size_t)cloth->triangle_count * sizeof *cloth->triangles);
    if (!cloth->positions || !cloth->triangles)
        return false;
    for (uint32_t i = 0; i < cloth->particle_count; i++) {
        cloth->positions[3 * (size_t)i + 0] = 0.01 * (i % side);
        cloth->positions[3 * (size_t)i + 1] = 0;
        cloth->positions[3 * (size_t)i + 2] = 0.01 * (i / side);
    }
    uint32_t *out = cloth->triangles;
    for (uint32_t row = 0; row + 1 < side; row++) {
        for (uint32_t column = 0; column + 1 < side; column++) {
            uint32_t a = row * side + column, b = a + 1, c = a + side, d = c + 1;
            const uint32_t cell[6] = {a, c, b, b, c, d};
            for (int i = 0; i < 6; i++)
                *out++ = cell[i];
        }
    }
    return true;
}

static void cloth_deinit(struct cloth *cloth)
{
    free(cloth->positions);
    free(cloth->triangles);
}

static struct sim *world_of(const struct cloth *cloth, uint32_t side)
{
    const struct sim_limits limits = {4, 4194304, 33554432, 4, 4};
    const struct sim_settings settings = {
        {0, -9.81, 0}, 60, SUBSTEPS, 1, 0.1, 1.0 / 134217728, 1e6,
    };
    const uint32_t pins[2] = {0, side - 1};
    const struct sim_body_desc desc = {
        .kind = SIM_CLOTH,
        .particle_count = cloth->particle_count,
        .positions = cloth->positions,
        .triangles = cloth->triangles,
        .triangle_count = cloth->triangle_count,
        .stretch = {.compliance = 1e-7, .stiffness = -1},
        .pins = pins,
        .pin_count = 2,
    };
    struct sim_fault fault;
    struct sim_body_added added;
    struct sim *sim = sim_create(&settings, &limits);
    uint64_t begin = base_now_ns();
    struct sim_body_plan *plan =
        sim ? sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault) : NULL;
    if (!plan || sim_body_attach(sim, plan, &added, &fault) != SIM_OK) {
        fprintf(stderr, "bench_step: the cloth was refused\n");
        sim_body_plan_destroy(plan);
        sim_destroy(sim);
        return NULL;
    }
    printf("%4" PRIu32 "²  %8" PRIu32 " particles %8" PRIu32 " constraints  planned in %6.1f ms\n", side,
           cloth->particle_count, sim_constraint_count(sim), 1e-6 * (double)(base_now_ns() - begin));
    return sim;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(struct sim *sim, struct base_parallel *parallel, uint32_t threads)
{
    struct sim_failure failure = {0};
    double ticks_ns[TICKS_MAX];
    uint32_t count = 0;
    for (uint32_t tick = 0; tick < WARM_TICKS && !failure.failed; tick++)
        sim_step(sim, parallel, NULL, &failure);
    uint64_t end = base_now_ns() + RUN_NS;
    while (count < TICKS_MAX && (count < 5 || base_now_ns() < end) && !failure.failed) {
        uint64_t begin = base_now_ns();
        sim_step(sim, parallel, NULL, &failure);
        ticks_ns[count++] = (double)(base_now_ns() - begin);
    }
    if (failure.failed) {
        fprintf(stderr, "bench_step: the world failed: %s\n", failure.text);
        return false;
    }
    qsort(ticks_ns, count, sizeof ticks_ns[0], by_value);
    double visits = (double)sim_constraint_count(sim) * SUBSTEPS;
    printf("       %2" PRIu32 " threads: tick %8.3f ms median, %5.2f ns/constraint median, %5.2f best\n",
           threads, 1e-6 * ticks_ns[count / 2], ticks_ns[count / 2] / visits, ticks_ns[0] / visits);
    return true;
}

int main(void)
{
    static const uint32_t sides[] = {32, 100, 300};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = cores < 1 ? 1 : cores > 64 ? 64 : (uint32_t)cores;
    struct base_team *team = base_team_create(threads);
    bool ok = team != NULL;
    for (uint32_t i = 0; ok && i < sizeof sides / sizeof sides[0]; i++) {
        struct cloth cloth = {0};
        struct sim *sim = cloth_init(&cloth, sides[i]) ? world_of(&cloth, sides[i]) : NULL;
        ok =
            sim && measure(sim, NULL, 1) && (threads == 1 || measure(sim, base_team_parallel(team), threads));
        sim_destroy(sim);
        cloth_deinit(&cloth);
    }
    base_team_destroy(team);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
