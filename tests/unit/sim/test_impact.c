// Two soft blocks meet askew at 16 m/s: momentum and angular momentum stay, although rows are held back.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CELLS = 4 };

static const double SPEED = 8, SIDE = 0.1; // m/s of each; m

static void block_add(struct sim *sim, double x, double y, double speed)
{
    const uint32_t cells[3] = {CELLS, CELLS, CELLS};
    struct scene_block block = scene_block(cells, SIDE / CELLS, (const double[3]){x, y, 0});
    struct sim_body_desc desc = scene_soft(&block);
    float *velocities = calloc(3 * (size_t)block.particle_count, sizeof *velocities);
    assert_non_null(velocities);
    for (uint32_t i = 0; i < block.particle_count; i++) {
        velocities[3 * (size_t)i] = (float)speed;
    }
    desc.velocities = velocities;
    desc.thickness = 0.15 * SIDE / CELLS;
    desc.meeting = sheet_meets;
    desc.stretch.compliance = desc.volume.compliance = 1e-6;
    scene_add(sim, &desc);
    free(velocities);
    scene_block_deinit(&block);
}

static void momenta_of(const struct sim *sim, double linear[3], double angular[3])
{
    enum { MOST = (CELLS + 1) * (CELLS + 1) * (CELLS + 1) };
    for (int axis = 0; axis < 3; axis++) {
        linear[axis] = angular[axis] = 0;
    }
    for (uint32_t body = 1; body <= 2; body++) {
        double masses[MOST];
        sim_body_masses(sim, body, masses);
        for (uint32_t i = 0; i < MOST; i++) {
            double x[3];
            float v[3];
            scene_position(sim, body, i, x);
            scene_velocity(sim, body, i, v);
            for (int axis = 0; axis < 3; axis++) {
                const int next = (axis + 1) % 3, last = (axis + 2) % 3;
                linear[axis] += masses[i] * (double)v[axis];
                angular[axis] += masses[i] * (x[next] * (double)v[last] - x[last] * (double)v[next]);
            }
        }
    }
}

// The solver loses some as well, by the length of its substeps: more substeps lose less.
static void an_impact_keeps_momenta(void **state)
{
    (void)state;
    static const struct {
        uint32_t substeps;
        double part;
    } cases[] = {{20, 0.90}, {80, 0.95}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sim_settings settings = sheet_settings(cases[c].substeps);
        settings.gravity[1] = settings.damping = 0;
        struct sim *sim = scene_create(settings);
        block_add(sim, -0.06, 0, SPEED);
        block_add(sim, 0.06, SIDE / 2, -SPEED);
        double linear[2][3], angular[2][3];
        momenta_of(sim, linear[0], angular[0]);
        const struct sim_meetings told = sheet_run(sim, 1, 0);
        momenta_of(sim, linear[1], angular[1]);
        assert_true(cases[c].substeps > 20 || told.held > 0);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(linear[1][axis], linear[0][axis], 1e-4 * SPEED); // the blocks weigh 1 kg each
            assert_true(axis == 2 || fabs(angular[1][axis]) < 0.08 * angular[0][2]);
        }
        assert_true(angular[1][2] > cases[c].part * angular[0][2]);
        assert_true(angular[1][2] < 1.05 * angular[0][2]);
        sheet_run(sim, 8, 0);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_keeps_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
