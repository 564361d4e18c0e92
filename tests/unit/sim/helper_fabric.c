#include "helper_fabric.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void fabric_square(enum diagonals diagonals, double positions[3 * SQUARE],
                   uint32_t triangles[6 * CELLS * CELLS])
{
    for (uint32_t i = 0; i < SQUARE; i++) {
        positions[3 * i] = CELL * (i / SIDE);
        positions[3 * i + 1] = CELL * (i % SIDE);
        positions[3 * i + 2] = 0;
    }
    for (uint32_t c = 0; c < CELLS * CELLS; c++) {
        const uint32_t x = c / CELLS, y = c % CELLS, at = x * SIDE + y;
        const bool other = diagonals == OTHER_WAY || (diagonals == CROSSWISE && (x + y) % 2 == 1);
        const uint32_t one[6] = {at, at + SIDE, at + SIDE + 1, at, at + SIDE + 1, at + 1};
        const uint32_t two[6] = {at, at + SIDE, at + 1, at + SIDE, at + SIDE + 1, at + 1};
        memcpy(triangles + 6 * c, other ? two : one, sizeof one);
    }
}

struct sim_body_desc fabric_desc(const double *positions, const uint32_t *triangles, double angle)
{
    return (struct sim_body_desc){
        .kind = SIM_CLOTH,
        .particle_count = SQUARE,
        .positions = positions,
        .triangles = triangles,
        .triangle_count = 2 * CELLS * CELLS,
        .density = 0.2,
        .stretch_model = SIM_STRETCH_ORTHOTROPIC,
        .yarns = {.direction = {2, 0, 0}, .angle = angle},
        .stretch = {.warp = 2000, .weft = 1000, .shear = 50, .poisson = 0.3, .stiffness = -1},
        .bend_model = SIM_BEND_NONE,
    };
}

void fabric_pull(enum diagonals diagonals, double angle, double N, uint32_t substeps, double *along,
                 double *across)
{
    enum { ANCHORS = 2 * SIDE };
    const double reach = 6;
    double positions[3 * SQUARE], anchors[3 * ANCHORS], masses[ANCHORS] = {0}, compliances[ANCHORS];
    double rests[ANCHORS];
    struct fault fault;
    uint32_t triangles[6 * CELLS * CELLS], bodies[2 * ANCHORS], particles[2 * ANCHORS], first;
    struct sim_settings settings = scene_settings();
    memset(settings.gravity, 0, sizeof settings.gravity);
    settings.substeps = substeps;
    settings.damping = 8;
    settings.sleep = false;
    struct sim *sim = scene_create(settings);
    fabric_square(diagonals, positions, triangles);
    struct sim_body_desc desc = fabric_desc(positions, triangles, angle);
    const uint32_t cloth = scene_add(sim, &desc);
    for (uint32_t i = 0; i < ANCHORS; i++) {
        const uint32_t y = i % SIDE, corner = (i < SIDE ? 0 : SIDE * CELLS) + y;
        const double share = y == 0 || y == CELLS ? 0.5 * CELL : CELL;
        anchors[3 * i] = i < SIDE ? -reach : CELL * CELLS + reach;
        anchors[3 * i + 1] = positions[3 * corner + 1];
        anchors[3 * i + 2] = 0;
        compliances[i] = 5 / (N * share);
        rests[i] = reach - 5;
        bodies[2 * i + 1] = cloth;
        particles[2 * i] = i;
        particles[2 * i + 1] = corner;
    }
    desc = scene_points(anchors, ANCHORS, masses);
    const uint32_t ends = scene_add(sim, &desc);
    for (uint32_t i = 0; i < ANCHORS; i++) {
        bodies[2 * i] = ends;
    }
    assert_int_equal(
        sim_constraints_add(sim, SIM_DISTANCE, ANCHORS, bodies, particles,
                            &(struct sim_constraint_values){.rest = rests, .compliance = compliances}, &first,
                            &fault),
        FAULT_NONE);
    scene_run(sim, 150);
    double sums[2][2] = {{0}};
    for (uint32_t i = 0; i < SQUARE; i++) {
        double x[3];
        scene_position(sim, cloth, i, x);
        sums[0][0] -= i / SIDE == 0 ? x[0] : 0;
        sums[0][0] += i / SIDE == CELLS ? x[0] : 0;
        sums[1][0] -= i % SIDE == 0 ? x[1] : 0;
        sums[1][0] += i % SIDE == CELLS ? x[1] : 0;
    }
    *along = sums[0][0] / SIDE / (CELLS * CELL);
    *across = sums[1][0] / SIDE / (CELLS * CELL);
    sim_destroy(sim);
}

void fabric_hang(bool long_edges, double angle, double *stretch, double *shear)
{
    enum { LONG = 41, BROAD = 5, ALL = LONG * BROAD };
    double positions[3 * ALL];
    uint32_t triangles[6 * (LONG - 1) * (BROAD - 1)], pins[BROAD], count = 0;
    struct sim_settings settings = scene_settings();
    settings.long_edges = long_edges;
    settings.damping = 2;
    memcpy(settings.gravity, (const double[3]){9.81, 0, 0}, sizeof settings.gravity);
    struct sim *sim = scene_create(settings);
    for (uint32_t i = 0; i < ALL; i++) {
        const double x[3] = {0.025 * (i / BROAD), 0.025 * (i % BROAD), 0};
        memcpy(positions + 3 * i, x, sizeof x);
        const uint32_t quad[6] = {i, i + BROAD, i + BROAD + 1, i, i + BROAD + 1, i + 1};
        if (i % BROAD + 1 < BROAD && i / BROAD + 1 < LONG) {
            memcpy(triangles + 3 * count, quad, sizeof quad);
            count += 2;
        }
    }
    for (uint32_t i = 0; i < BROAD; i++) {
        pins[i] = i;
    }
    struct sim_body_desc desc = fabric_desc(positions, triangles, angle);
    desc.particle_count = ALL;
    desc.triangle_count = count;
    desc.stretch =
        (struct sim_material){.warp = 2000, .weft = 2000, .shear = 20, .stiffness = -1, .limit = 0.01};
    desc.pins = pins;
    desc.pin_count = BROAD;
    scene_add(sim, &desc);
    scene_run(sim, 120);
    struct sim_constraint constraint = {0};
    *stretch = *shear = 0;
    while (sim_constraint_next(sim, SIM_ORTHOTROPIC, constraint.id, &constraint)) {
        for (int yarn = 0; yarn < 2; yarn++) {
            *stretch = constraint.strain[yarn] > *stretch ? constraint.strain[yarn] : *stretch;
        }
        *shear = fabs(constraint.strain[2]) > *shear ? fabs(constraint.strain[2]) : *shear;
    }
    sim_destroy(sim);
}
