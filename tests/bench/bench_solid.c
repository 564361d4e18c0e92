// Solids of Neo-Hookean tetrahedra: how far columns shorten and beams bend beside what theory says. docs/concepts/neo-hookean.md has
// the tables. bench_costs says what a constraint costs.
//
//     bench_solid columns | beams
#include "helper_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DENSITY 1000.0

// A block of six tetrahedra a cell.
struct probe {
    uint32_t cells[3];
    double side, young, poisson, gravity; // m, Pa, 1, m/s^2
    uint32_t substeps, iterations, seconds;
    double damping; // 1/s
    int axis;       // along which the first layer is held
};

struct probed {
    double moved;      // m, mean of the last layer along y
    double unresolved; // share
};

static struct probed probe(const struct probe *of)
{
    struct scene_block block = scene_block(of->cells, of->side, (const double[3]){0, 0, 0});
    struct sim_settings settings = scene_settings();
    const double end = (of->cells[of->axis] - 0.5) * of->side;
    double sum = 0, count = 0;
    settings.substeps = of->substeps;
    settings.iterations = of->iterations;
    settings.damping = of->damping;
    settings.gravity[1] = 0 - of->gravity;
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_soft(&block);
    desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
    desc.solid = (struct sim_material){.young = of->young, .poisson = of->poisson};
    const uint32_t body = scene_add(sim, &desc);
    for (uint32_t i = 0; i < block.particle_count; i++) {
        struct fault fault;
        if (block.positions[3 * (size_t)i + (size_t)of->axis] < of->side / 2) {
            sim_particles_pin(sim, body, &i, 1, NULL, &fault);
        }
    }
    scene_run(sim, 60 * of->seconds);
    for (uint32_t i = 0; i < block.particle_count; i++) {
        double x[3];
        if (block.positions[3 * (size_t)i + (size_t)of->axis] > end) {
            scene_position(sim, body, i, x);
            sum += block.positions[3 * (size_t)i + 1] - x[1];
            count++;
        }
    }
    struct sim_convergence converged;
    const bool known = sim_converged(sim, &converged);
    sim_destroy(sim);
    scene_block_deinit(&block);
    return (struct probed){sum / count, known ? converged.unresolved[SIM_PART_SOLID] : (double)NAN};
}

static void columns(void)
{
    static const struct {
        uint32_t wide;
        double side, young;
        uint32_t substeps, iterations, seconds;
    } rows[] = {{4, 0.1, 8e6, 20, 1, 3},   {8, 0.1, 2e6, 20, 1, 4},   {8, 0.25, 5e6, 20, 1, 4},
                {4, 0.025, 2e6, 20, 1, 2}, {4, 0.025, 2e6, 20, 2, 2}, {4, 0.025, 2e6, 20, 4, 2},
                {4, 0.025, 2e6, 40, 1, 2}, {4, 0.025, 2e6, 80, 1, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct probe of = {.cells = {rows[r].wide, 40, rows[r].wide},
                                 .side = rows[r].side,
                                 .young = rows[r].young,
                                 .poisson = 0.3,
                                 .gravity = 9.81,
                                 .substeps = rows[r].substeps,
                                 .iterations = rows[r].iterations,
                                 .seconds = rows[r].seconds,
                                 .damping = rows[r].side < 0.1 ? 10 : 5,
                                 .axis = 1};
        const double height = 40 * of.side, theory = DENSITY * of.gravity * height * height / (2 * of.young);
        const struct probed found = probe(&of);
        printf("40 layers of %g m, %u wide, %g Pa, %u substeps of %u: sound passes %.2f cells, %.3g mm, %.4f "
               "of theory, "
               "unresolved %.3f\n",
               of.side, rows[r].wide, of.young, of.substeps, of.iterations,
               sqrt(of.young / DENSITY) / (60 * of.substeps) / of.side, 1e3 * found.moved,
               found.moved / theory, found.unresolved);
    }
}

static void beams(void)
{
    static const struct {
        uint32_t layers, substeps;
        double poisson;
    } rows[] = {{2, 20, 0.3},  {2, 20, 0.45}, {2, 20, 0.49},  {2, 20, 0.495}, {4, 20, 0.3},
                {4, 20, 0.45}, {4, 20, 0.49}, {4, 20, 0.495}, {8, 40, 0.3},   {8, 40, 0.45},
                {8, 40, 0.49}, {4, 80, 0.3},  {8, 80, 0.3},   {16, 120, 0.3}};
    const double length = 0.8, height = 0.2, young = 6e5, gravity = 0.981;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct probe of = {.cells = {4 * rows[r].layers, rows[r].layers, rows[r].layers},
                                 .side = height / rows[r].layers,
                                 .young = young,
                                 .poisson = rows[r].poisson,
                                 .gravity = gravity,
                                 .substeps = rows[r].substeps,
                                 .iterations = 1,
                                 .seconds = rows[r].layers < 16 ? 4 : 3,
                                 .damping = 6,
                                 .axis = 0};
        const double load = DENSITY * gravity * height * height, shear = young / (2 * (1 + of.poisson));
        const double theory = load * pow(length, 4) / (8 * young * pow(height, 4) / 12) +
                              load * length * length / (2 * 5.0 / 6 * shear * height * height);
        const struct probed found = probe(&of);
        printf("%u layers, poisson %g, %u substeps: %.4g mm, %.4f of theory, unresolved %.3f\n",
               rows[r].layers, of.poisson, of.substeps, 1e3 * found.moved, found.moved / theory,
               found.unresolved);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"columns", columns}, {"beams", beams}};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        if (argc < 2 || strcmp(argv[1], parts[p].name) == 0) {
            parts[p].run();
        }
    }
    return 0;
}
