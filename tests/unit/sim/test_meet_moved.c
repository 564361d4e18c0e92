// Bodies that are pushed, pressed, pulled and wrung by moving things do not cross, counted exactly after each tick.
#include "helper_obstacle.h"

#include "sim/contact/foot.h"
#include "sim/contact/meet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { SIDE_MAX = 41 };

static struct fault fault;

// A sheet in the plane z = 0 that hangs from its highest particles.
static uint32_t curtain_add(struct sim *sim, uint32_t side)
{
    uint32_t top[SIDE_MAX];
    for (uint32_t i = 0; i < side; i++) {
        top[i] = (side - 1) * side + i;
    }
    struct sheet curtain = sheet_of(side, 0, 1, 0, 0, 0);
    curtain.pins = top;
    curtain.pin_count = side;
    return sheet_add(sim, &curtain);
}

// One tick at a time: nothing crosses, nothing is dropped.
static struct sim_meetings tick(struct sim *sim)
{
    struct sim_meetings told = sheet_run(sim, 1, 0);
    assert_int_equal(told.dropped, 0);
    return told;
}

// 20,000 triangles at 1 m/s, turning once a second.
static void a_large_obstacle_pushes_a_curtain(void **state)
{
    (void)state;
    const uint32_t side = obstacle_large() ? 41 : 15, ticks = obstacle_large() ? 60 : 20;
    const double half = (side - 1) * EDGE / 2, radius = half * 0.6;
    struct sim *sim = scene_create(sheet_settings(20));
    uint32_t curtain = curtain_add(sim, side);
    double at[3] = {half, half, -radius - 0.01};
    struct obstacle ball = obstacle_ball(sim, 100, 101, radius, at);
    assert_int_equal(ball.mesh.triangle_count, 20000);
    uint32_t pushing = 0;
    for (uint32_t t = 1; t <= ticks; t++) {
        double s = (double)t / 60;
        at[2] += (t <= ticks / 2 ? 1 : -1) / 60.0; // there and back
        obstacle_move(&ball, 6.283185307179586 * s, at);
        pushing += tick(sim).pushing;
    }
    assert_true(pushing > 100);
    double x[3];
    scene_position(sim, curtain, side / 2 * side + side / 2, x);
    assert_true(x[2] > -0.05);
    obstacle_deinit(&ball);
    sim_destroy(sim);
}

// Teeth that are thinner than an edge is long go into a curtain, sideways through its folds, up and out again.
static void a_comb_goes_through_a_curtain(void **state)
{
    (void)state;
    const uint32_t side = obstacle_large() ? 41 : 17, ticks = 90;
    const double wide = (side - 1) * EDGE;
    struct sim *sim = scene_create(sheet_settings(20));
    uint32_t curtain = curtain_add(sim, side);
    double at[3] = {0.11 * EDGE, -0.3 * wide, -0.03};
    struct obstacle comb = obstacle_comb(sim, (side - 1) / 3, 3 * EDGE, 0.2 * EDGE, 0.8 * wide, at);
    uint32_t pushing = 0;
    double pushed = 0;
    for (uint32_t t = 0; t < ticks; t++) {
        at[2] += t < 25 ? 0.4 / 60 : t >= 55 ? -0.5 / 60 : 0; // into it, and back
        at[0] += t >= 20 && t < 60 ? 0.3 / 60 : 0;            // along it
        at[1] -= t >= 35 && t < 70 ? 0.6 / 60 : 0;            // down and out below
        obstacle_move(&comb, 0, at);
        pushing += tick(sim).pushing;
        pushed = fmax(pushed, sheet_mean(sim, curtain, 2));
    }
    assert_true(pushing > 400 && pushed > 0.02);
    obstacle_deinit(&comb);
    sim_destroy(sim);
}

// By one particle in the middle, through a hole that it fits through in folds.
static void a_sheet_is_pulled_through_a_ring(void **state)
{
    (void)state;
    const uint32_t side = obstacle_large() ? 21 : 11, ticks = obstacle_large() ? 90 : 50;
    const double half = (side - 1) * EDGE / 2, hole = obstacle_large() ? 0.06 : 0.04, thick = 0.015;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sheet sheet = sheet_of(side, 0, 1, -half, -half, thick + 3 * THICK);
    const uint32_t middle = side / 2 * side + side / 2;
    uint32_t body = sheet_add(sim, &sheet);
    struct obstacle ring = obstacle_ring(sim, 28, 9, hole + thick, thick, (const double[3]){0, 0, 0});
    double x[3], end = -1.2 * half;
    scene_position(sim, body, middle, x);
    for (uint32_t t = 0; t < ticks; t++) {
        x[2] = fmax(x[2] - 0.4 / 60, end - half);
        obstacle_pin(sim, body, &middle, 1, x);
        tick(sim);
    }
    assert_true(sheet_mean(sim, body, 2) < 0);
    obstacle_deinit(&ring);
    sim_destroy(sim);
}

// Balls leave it 7.4 mm of 6 mm on each side of it.
static void a_sheet_is_caught_between_balls(void **state)
{
    (void)state;
    const uint32_t side = obstacle_large() ? 17 : 9, ticks = 45;
    const double half = (side - 1) * EDGE / 2, radius = 0.06, least = radius + 0.0037;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sheet sheet = sheet_of(side, 0, 1, -half, -half, 0.0003);
    sheet_add(sim, &sheet);
    struct obstacle balls[2];
    uint32_t pushing = 0;
    for (int b = 0; b < 2; b++) {
        balls[b] =
            obstacle_ball(sim, 20, 10, radius, (const double[3]){0, 0, (b == 0 ? -1 : 1) * (radius + 0.02)});
    }
    for (uint32_t t = 0; t < ticks; t++) {
        double apart = t < 20 ? 0.02 - t * 0.001 : 0, wider = t > 30 ? (t - 30) * 0.001 : 0;
        for (int b = 0; b < 2; b++) {
            double z = fmax(least, radius + apart) + wider;
            obstacle_move(&balls[b], 0.05 * t, (const double[3]){0, 0, b == 0 ? -z : z});
        }
        pushing += tick(sim).pushing;
    }
    assert_true(pushing > 100);
    obstacle_deinit(&balls[0]);
    obstacle_deinit(&balls[1]);
    sim_destroy(sim);
}

// Both ends of a strip turned against each other, twice, while they come a quarter nearer.
static void a_towel_is_wrung(void **state)
{
    (void)state;
    const uint32_t side = obstacle_large() ? 25 : 13, ticks = obstacle_large() ? 180 : 90;
    const double wide = (side - 1) * EDGE;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sheet sheet = sheet_of(side, 1, 0, 0, -wide / 2, 0);
    sheet.wavy = 1;
    uint32_t body = sheet_add(sim, &sheet), ends[2 * SIDE_MAX];
    double rest[2 * SIDE_MAX], places[6 * SIDE_MAX];
    for (uint32_t i = 0; i < 2 * side; i++) {
        ends[i] = i < side ? i : (side - 2) * side + i;
        rest[i] = (i % side) * EDGE - wide / 2;
    }
    for (uint32_t t = 1; t <= ticks; t++) {
        double done = (double)t / ticks;
        for (uint32_t i = 0; i < 2 * side; i++) {
            double angle = (i < side ? 1 : -1) * 6.283185307179586 * done, nearer = wide * 0.125 * done;
            places[3 * (size_t)i] = i < side ? nearer : wide - nearer;
            places[3 * (size_t)i + 1] = rest[i] * cos(angle);
            places[3 * (size_t)i + 2] = rest[i] * sin(angle);
        }
        obstacle_pin(sim, body, ends, 2 * side, places);
        tick(sim);
    }
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_true(told.pushing > 50);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ soft bodies

struct layer {
    uint32_t all[400], count;
};

// Particles of a block whose rest shape is lowest or highest.
static struct layer layer_of(const struct scene_block *block, bool highest)
{
    struct layer layer = {.count = 0};
    double end = block->positions[1];
    for (uint32_t i = 0; i < block->particle_count; i++) {
        double y = block->positions[3 * (size_t)i + 1];
        end = highest ? fmax(end, y) : fmin(end, y);
    }
    for (uint32_t i = 0; i < block->particle_count; i++) {
        if (fabs(block->positions[3 * (size_t)i + 1] - end) < 1e-9) {
            layer.all[layer.count++] = i;
        }
    }
    return layer;
}

// How far distances of its particles are from what they were at rest, m.
static double deformation_of(const struct sim *sim, uint32_t body, const struct scene_block *block)
{
    double most = 0;
    for (uint32_t i = 0; i < block->particle_count; i++) {
        for (uint32_t k = 0; k < i; k += 3) {
            const double *a = block->positions + 3 * (size_t)i, *b = block->positions + 3 * (size_t)k;
            double x[3], y[3];
            scene_position(sim, body, i, x);
            scene_position(sim, body, k, y);
            double now = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
            most = fmax(most, fabs(now - hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])));
        }
    }
    return most;
}

// 1 - d / R of the nearest pair of all that might have met, where they are now, in double.
static double deepest_of(const struct sim *sim)
{
    double deepest = 0;
    for (uint32_t of = 0; of < sim->meet->island_count * SIM_PAIR_KINDS; of++) {
        const enum sim_pair_kind kind = (enum sim_pair_kind)(of % SIM_PAIR_KINDS);
        const struct sim_pair_list *list = &sim->meet->islands[of / SIM_PAIR_KINDS].lists[kind];
        for (uint32_t i = 0; i < list->count; i++) {
            const struct sim_pair_lanes *lanes = &list->lanes[i / SIM_LANES];
            const struct sim_row *first = &sim->rows[sim_pair_row(list, i, 0)];
            double x[4][3], g[3];
            for (uint32_t k = 0; k < 4; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    x[k][axis] = sim_wrap_sub(sim->rows[sim_pair_row(list, i, k)].x[axis], first->x[axis]);
                }
            }
            bool hole = lanes->low[i % SIM_LANES] == SIM_PAIR_FAR;
            double d = sim_foot(kind, (const double(*)[3])x, g);
            deepest = hole ? deepest : fmax(deepest, 1 - d / (double)lanes->reach[i % SIM_LANES]);
        }
    }
    return deepest;
}

// One on the other, both held at their far ends, pressed by a tenth of what one measures; then let go.
static void press_by_a_tenth(double compliance)
{
    const uint32_t n = obstacle_large() ? 8 : 4, cells[3] = {n, n, n}, ticks = 60;
    const double high = n * EDGE, from = 2 * THICK;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    settings.damping = 2;
    struct sim *sim = scene_create(settings);
    struct scene_block blocks[2];
    struct layer held[2];
    uint32_t bodies[2];
    for (int b = 0; b < 2; b++) {
        const double corner[3] = {0.0031 * b, (high + from) * b, 0.0023 * b};
        blocks[b] = scene_block(cells, EDGE, corner);
        struct sim_body_desc desc = scene_soft(&blocks[b]);
        desc.stretch.compliance = compliance;
        desc.thickness = THICK;
        desc.meeting = sheet_meets;
        bodies[b] = scene_add(sim, &desc);
        held[b] = layer_of(&blocks[b], b == 1);
        obstacle_pin(sim, bodies[b], held[b].all, held[b].count, NULL);
    }
    double places[3 * 400], deepest = 0;
    for (uint32_t t = 1; t <= ticks; t++) {
        double down = 0.1 * high * (t < 40 ? t / 40.0 : 1);
        for (uint32_t i = 0; i < held[1].count; i++) {
            memcpy(places + 3 * (size_t)i, blocks[1].positions + 3 * (size_t)held[1].all[i],
                   sizeof(double[3]));
            places[3 * (size_t)i + 1] -= down;
        }
        obstacle_pin(sim, bodies[1], held[1].all, held[1].count, places);
        struct sim_meetings told, all = tick(sim);
        sim_meetings_of(sim, &told);
        deepest = fmax(deepest, told.deepest);
        assert_near(told.deepest, deepest_of(sim), 1e-5);
        assert_int_equal(all.held, 0);
    }
    assert_true(deformation_of(sim, bodies[1], &blocks[1]) > 0.04 * high);
    assert_true(deepest < 0.02);
    for (int b = 0; b < 2; b++) {
        assert_int_equal(sim_particles_unpin(sim, bodies[b], held[b].all, held[b].count, &fault), FAULT_NONE);
    }
    for (uint32_t t = 0; t < 60; t++) {
        tick(sim);
    }
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_int_equal(told.pushing, 0);
    for (int b = 0; b < 2; b++) {
        assert_true(deformation_of(sim, bodies[b], &blocks[b]) < 0.02 * high);
        scene_block_deinit(&blocks[b]);
    }
    sim_destroy(sim);
}

static void soft_blocks_are_pressed_by_a_tenth(void **state)
{
    (void)state;
    press_by_a_tenth(3e-3);
    press_by_a_tenth(1e-5);
    press_by_a_tenth(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_obstacle_pushes_a_curtain),
        cmocka_unit_test(a_comb_goes_through_a_curtain),
        cmocka_unit_test(a_sheet_is_pulled_through_a_ring),
        cmocka_unit_test(a_sheet_is_caught_between_balls),
        cmocka_unit_test(a_towel_is_wrung),
        cmocka_unit_test(soft_blocks_are_pressed_by_a_tenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
