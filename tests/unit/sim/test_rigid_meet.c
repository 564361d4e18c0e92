// Contact of rigid pieces: single steps by vectors, then closed forms of balls and boxes that roll, bounce, slide, topple and stand.
#include "helper_piece.h"

#include "base/thread.h"
#include "sim/rigid/touching.h"
#include "sim/solve/solve.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define G 9.81
#define PI 3.14159265358979323846

static const double ORIGIN[3] = {0, 0, 0}, UP[3] = {0, 1, 0};

static struct sim_settings twenty(void)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    return settings;
}

// Gravity that leans by an angle: the plane y = 0 is then a slope that falls towards +x.
static struct sim *slope(double degrees, double friction)
{
    struct sim_settings settings = twenty();
    settings.gravity[0] = G * sin(degrees * PI / 180);
    settings.gravity[1] = -G * cos(degrees * PI / 180);
    struct sim *sim = scene_create(settings);
    scene_plane(sim, ORIGIN, UP, friction);
    return sim;
}

// ------------------------------------------------------------------------------------------------------------- vectors

// A unit cube whose corner is in the ground: what the normal pushes, and what friction of two strengths takes back.
static void corner_is_pushed_out(void **state)
{
    (void)state;
    const struct {
        double friction, used;
    } cases[] = {{0, 0}, {.5, 0.00756550218}, {.2, 0.00302620087}};
    const double wanted_x[3] = {0, 0.495131004, 0};
    const double wanted_q[4] = {0.074550062, -0.00338178757, 0.0814643726, 0.993878467};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sim *sim = scene_create(scene_still(10));
        struct sim_failure failure;
        scene_plane(sim, ORIGIN, UP, cases[c].friction);
        piece_add(sim,
                  &(struct piece){
                      .shape = piece_box(.5f, .5f, .5f), .mass = 1, .x = {0, 4.48, 0}, .q = {.05, 0, .1, 1}});
        sim_step(sim, NULL, NULL, &failure);
        sim->rows[sim->bodies[0]->first_row].x[1] -= 4 << 27;
        sim_touching_start(sim);
        sim_touching_find(sim);
        struct sim_touch_pair *pair = &sim->rigids.touching->pairs[0];
        assert_int_equal(sim->rigids.touching->pair_count, 1);
        // Two corners are below the ground, and the vector is that of one.
        assert_int_equal(pair->count, 2);
        pair->points[0] = pair->points[pair->points[0].local[0][2] < 0 ? 0 : 1];
        pair->count = 1;
        sim->iteration = 1;
        sim_rigid_meet(sim);
        assert_near(pair->points[0].pushed, 0.0151310044, 1e-8);
        const double *f = pair->points[0].rubbed;
        assert_near(sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), cases[c].used, 1e-8);
        const double *x = sim->rigids.touching->all[0].now.x, *q = sim->rigids.touching->all[0].now.q;
        for (int i = 0; i < 3 && cases[c].friction == 0; i++) {
            assert_near(x[i], wanted_x[i], 2e-8);
        }
        for (int i = 0; i < 4 && cases[c].friction == 0; i++) {
            assert_near(q[i], wanted_q[i], 2e-8);
        }
        // Friction pulls against the way in which the push turned the corner.
        assert_near(f[0], cases[c].used * 0.583, 2e-4);
        assert_near(f[2], cases[c].used * 0.812, 2e-4);
        sim_destroy(sim);
    }
}

// Speeds of a cube whose corner hits, by what the vectors say: restitution, and friction of what it pushes.
static void corner_bounces(void **state)
{
    (void)state;
    for (int rubs = 0; rubs < 2; rubs++) {
        struct sim *sim = scene_create(scene_still(10));
        struct sim_failure failure;
        scene_plane(sim, ORIGIN, UP, 0);
        piece_add(sim, &(struct piece){.shape = piece_box(.5f, .5f, .5f), .mass = 1, .x = {0, 0.5, 0}});
        sim_step(sim, NULL, NULL, &failure);
        struct sim_touching *touching = sim->rigids.touching;
        struct sim_rigid *rigid = &sim->rigids.items[0];
        struct sim_touch_pair *pair = &touching->pairs[0];
        const float v[3] = {2, -.1f, 0}, momentum[3] = {0, 0, 1.0f / 6};
        memcpy(sim->velocities[rigid->row].v, v, sizeof v);
        memcpy(rigid->momentum, momentum, sizeof momentum);
        touching->pair_count = 1;
        pair->count = 1;
        pair->restitution = .5;
        pair->slides = rubs ? .3 * .4 / .44 : 0;
        pair->points[0] = (struct sim_touch_point){.local = {{.5, -.5, 0}, {.5, 0, 0}},
                                                   .core = {{.5, -.5, 0}, {.5, 0, 0}},
                                                   .arms = {{.5, -.5, 0}, {.5, 0, 0}},
                                                   .before = -3,
                                                   .pushed = 1};
        sim_rigid_bounce(sim);
        assert_near(pair->points[0].bounced, .44, 1e-6);
        assert_near((double)sim->velocities[rigid->row].v[0], rubs ? 1.88 : 2, 1e-6);
        assert_near((double)sim->velocities[rigid->row].v[1], .34, 1e-6);
        assert_near((double)rigid->momentum[2] * 6, rubs ? 1.96 : 2.32, 1e-5);
        sim_destroy(sim);
    }
}

// -------------------------------------------------------------------------------------------------------------- levels

// Finds the place of a pair in a list of pairs.
static uint32_t place_of(const uint32_t *list, uint32_t pair)
{
    uint32_t at = 0;
    while (list[at] != pair) {
        at++;
    }
    return at;
}

static bool shares(const struct sim_touching *touching, uint32_t one, uint32_t other)
{
    const struct sim_touch_pair *a = &touching->pairs[one], *b = &touching->pairs[other];
    const bool first = a->a == b->a || a->a == b->b, second = a->b == b->a || a->b == b->b;
    return (first && touching->all[a->a].w > 0) || (second && touching->all[a->b].w > 0);
}

// A wall of bricks: pairs that share a brick keep their order, and no two of them are in one level.
static void levels_keep_the_order_of_each_piece(void **state)
{
    (void)state;
    enum { ROWS = 5, COLUMNS = 6 };
    struct sim *sim = slope(0, .5);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        piece_add(sim, &(struct piece){
                           .shape = piece_box(.25f, .1f, .1f),
                           .mass = 1 + i % 3,
                           .x = {.5 * (i % COLUMNS) + .25 * (i / COLUMNS % 2), .1 + .2 * (i / COLUMNS), 0},
                           .friction = .5});
    }
    scene_run(sim, 30);
    struct sim_touching *touching = sim->rigids.touching;
    assert_true(touching->pair_count > 2 * ROWS * COLUMNS - 2 * COLUMNS);
    assert_true(touching->level_count > 1 && touching->level_count < touching->pair_count / 2);
    assert_int_equal(touching->level_ends[touching->level_count - 1], touching->pair_count);
    for (uint32_t one = 0; one < touching->pair_count; one++) {
        for (uint32_t other = 0; other < one; other++) {
            if (shares(touching, one, other)) {
                assert_int_not_equal(touching->pairs[one].level, touching->pairs[other].level);
                assert_int_equal(place_of(touching->sequence, one) < place_of(touching->sequence, other),
                                 place_of(touching->by_level, one) < place_of(touching->by_level, other));
            }
        }
    }
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------------------------- balls

static void a_ball_rolls_down(void **state)
{
    (void)state;
    const struct {
        double friction, a, alpha; // m/s^2; radius times alpha
    } cases[] = {{.5, 3.50357143, 3.50357143}, {.1, 4.05542908, 2.1239273}};
    for (size_t c = 0; c < 2; c++) {
        struct sim *sim = slope(30, cases[c].friction);
        float v[3], spin[3];
        const uint32_t ball =
            piece_add(sim, &(struct piece){.shape = piece_sphere(.25f), .mass = 2, .x = {0, .25, 0}});
        scene_run(sim, 60);
        scene_velocity(sim, ball, 0, v);
        piece_spin(sim, ball, spin);
        assert_near((double)v[0], cases[c].a, .01 * cases[c].a);
        assert_near(-(double)spin[2] * .25, cases[c].alpha, .01 * cases[c].alpha);
        assert_near((double)v[1], 0, 1e-3);
        sim_destroy(sim);
    }
}

static void a_thrown_ball_comes_to_roll(void **state)
{
    (void)state;
    struct sim *sim = slope(0, .2);
    float v[3], spin[3];
    const uint32_t ball = piece_add(
        sim, &(struct piece){.shape = piece_sphere(.25f), .mass = 2, .x = {0, .25, 0}, .v = {5, 0, 0}});
    uint32_t tick = 0;
    do {
        scene_run(sim, 1);
        scene_velocity(sim, ball, 0, v);
        piece_spin(sim, ball, spin);
        tick++;
    } while ((double)v[0] + (double)spin[2] * .25 > 1e-3 && tick < 100);
    assert_near(tick / 60.0, 0.728119994, 1.1 / 60);
    assert_near((double)v[0], 25.0 / 7, .01 * 25 / 7);
    scene_run(sim, 60);
    scene_velocity(sim, ball, 0, v);
    assert_near((double)v[0], 25.0 / 7, .01 * 25 / 7);
    sim_destroy(sim);
}

static void a_ball_bounces(void **state)
{
    (void)state;
    struct sim *sim = slope(0, 0);
    const uint32_t ball = piece_add(
        sim, &(struct piece){.shape = piece_sphere(.1f), .mass = 1, .x = {0, 1.1, 0}, .restitution = .8});
    const double times[3] = {0.451523641, 1.17396147, 1.75191173}, apexes[2] = {.64, .4096};
    double apex = 0, x[3];
    float v[3];
    uint32_t impacts = 0, rest = 0;
    for (uint32_t tick = 1; tick <= 60 * 5; tick++) {
        float before[3];
        scene_velocity(sim, ball, 0, before);
        scene_run(sim, 1);
        scene_velocity(sim, ball, 0, v);
        scene_position(sim, ball, 0, x);
        assert_true(x[1] > .1 - 1e-6);
        if (before[1] < 0 && v[1] > 0 && impacts < 3) {
            // Found back from where the ball is: it left with the speed that it had so long ago.
            const double u = sqrt((double)v[1] * (double)v[1] + 2 * G * (x[1] - .1));
            assert_near(tick / 60.0 - (u - (double)v[1]) / G, times[impacts], .01 * times[impacts]);
            if (impacts > 0) {
                assert_near(apex, apexes[impacts - 1], .015 * apexes[impacts - 1]);
            }
            apex = 0;
            impacts++;
        }
        apex = x[1] - .1 > apex ? x[1] - .1 : apex;
        rest = rest == 0 && impacts == 3 && x[1] < .1 + 1e-5 && fabs((double)v[1]) < 1e-5 ? tick : rest;
    }
    assert_int_equal(impacts, 3);
    assert_in_range(rest, 3 * 60, 255);
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------------------------- boxes

static void a_box_slides_or_stays(void **state)
{
    (void)state;
    const double edge = atan(.5) * 180 / PI;
    for (int side = -1; side <= 1; side += 2) {
        const double degrees = edge * (1 + .01 * side);
        struct sim *sim = slope(degrees, .5);
        const uint32_t box =
            piece_add(sim, &(struct piece){.shape = piece_box(.5f, .1f, .5f), .mass = 3, .x = {0, .1, 0}});
        double x[3];
        scene_run(sim, 90);
        scene_position(sim, box, 0, x);
        const double a = G * (sin(degrees * PI / 180) - .5 * cos(degrees * PI / 180));
        assert_near(x[0], side < 0 ? 0 : .5 * a * 1.5 * 1.5, side < 0 ? 1e-3 : .03 * .5 * a * 1.5 * 1.5);
        assert_near(x[1], .1, 1e-4);
        sim_destroy(sim);
    }
}

static void a_box_slides_as_friction_lets_it(void **state)
{
    (void)state;
    struct sim *sim = slope(40, .3);
    const uint32_t box =
        piece_add(sim, &(struct piece){.shape = piece_box(.5f, .1f, .5f), .mass = 3, .x = {0, .1, 0}});
    const double a = G * (sin(40 * PI / 180) - .3 * cos(40 * PI / 180));
    float v[3];
    scene_run(sim, 60);
    scene_velocity(sim, box, 0, v);
    assert_near((double)v[0], a, .01 * a);
    sim_destroy(sim);
}

static void a_tall_box_topples(void **state)
{
    (void)state;
    // Breadth .4, height 1: it topples where the slope is steeper than that.
    const double edge = atan(.4) * 180 / PI;
    for (int side = -1; side <= 1; side += 2) {
        struct sim *sim = slope(edge * (1 + .01 * side), 2);
        const uint32_t box =
            piece_add(sim, &(struct piece){.shape = piece_box(.2f, .5f, .3f), .mass = 3, .x = {0, .5, 0}});
        double up[3];
        scene_run(sim, 240);
        piece_axis(sim, box, 1, up);
        if (side < 0) {
            assert_true(up[1] > .99999);
        } else {
            assert_true(up[1] < .5);
        }
        sim_destroy(sim);
    }
}

static void a_stack_stands(void **state)
{
    (void)state;
    enum { COUNT = 10, TICKS = 120 };
    struct sim *sim = slope(0, .5);
    uint32_t boxes[COUNT];
    double x[3], up[3];
    float v[3];
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = piece_add(sim, &(struct piece){.shape = piece_box(.25f, .25f, .25f),
                                                  .mass = 10,
                                                  .x = {0, .25 + .5 * i, 0},
                                                  .friction = .5});
    }
    scene_run(sim, TICKS);
    for (uint32_t i = 0; i < COUNT; i++) {
        scene_position(sim, boxes[i], 0, x);
        scene_velocity(sim, boxes[i], 0, v);
        piece_axis(sim, boxes[i], 1, up);
        assert_near(x[0], 0, 1e-4);
        assert_near(x[2], 0, 1e-4);
        assert_near(x[1], .25 + .5 * i, 1e-3);
        assert_true(up[1] > .999999);
        assert_true(fabs((double)v[0]) + fabs((double)v[1]) + fabs((double)v[2]) < 2e-3);
    }
    // Contact k carries what stands on it.
    const struct sim_touching *touching = sim->rigids.touching;
    const double h = 1.0 / (60 * 20);
    assert_int_equal(touching->pair_count, COUNT);
    for (uint32_t k = 0; k < touching->pair_count; k++) {
        const struct sim_touch_pair *pair = &touching->pairs[k];
        double sum = 0;
        for (uint32_t i = 0; i < pair->count; i++) {
            sum += (pair->points[i].pushed / h + pair->points[i].bounced) / h;
        }
        const double bears = 10 * G * (COUNT - (pair->b < COUNT ? (double)pair->b : 0));
        assert_near(sum, bears, .02 * bears);
    }
    sim_destroy(sim);
}

// N = 4 bricks of length 1 over the edge of a table: they stand at 1.03 lengths and fall at 1.06.
static void bricks_hang_over(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        const double scale = (falls ? 1.06 : 1.03) / 1.04166667;
        struct sim *sim = scene_create(twenty());
        struct sim_collider table = {.kind = SIM_BOX,
                                     .position = {-2, -.5, 0},
                                     .rotation = {0, 0, 0, 1},
                                     .half_extents = {2, .5, 2},
                                     .friction = .6};
        struct fault fault;
        uint32_t id, top = 0;
        double x = -.5, at[3];
        assert_int_equal(sim_collider_add(sim, &table, &id, &fault), FAULT_NONE);
        for (int i = 0; i < 4; i++) {
            x += scale * .5 / (4 - i);
            top = piece_add(sim, &(struct piece){.shape = piece_box(.5f, .1f, .25f),
                                                 .mass = 5,
                                                 .x = {x, .1 + .2 * i, 0},
                                                 .friction = .6});
        }
        scene_run(sim, 150);
        scene_position(sim, top, 0, at);
        if (falls) {
            assert_true(at[1] < .5);
        } else {
            assert_near(at[1], .7, 5e-3);
        }
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------------ momentum

static void momenta(const struct sim *sim, const uint32_t *bodies, const double *masses, uint32_t count,
                    double p[3], double l[3])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        float v[3];
        scene_position(sim, bodies[i], 0, x);
        scene_velocity(sim, bodies[i], 0, v);
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, w = (k + 2) % 3;
            p[k] += masses[i] * (double)v[k];
            l[k] += masses[i] * (x[u] * (double)v[w] - x[w] * (double)v[u]) +
                    (double)sim->spins[sim->bodies[i]->first_row].v[k];
        }
    }
}

static void momenta_are_kept(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    struct sim_settings settings = twenty();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    uint64_t seed = 5;
    uint32_t bodies[COUNT];
    double masses[COUNT], p[2][3], l[2][3];
    for (uint32_t i = 0; i < COUNT; i++) {
        struct piece piece = {
            .mass = masses[i] = .5 + scene_uniform(&seed), .friction = .4, .restitution = .3};
        piece.shape = i % 3 == 0   ? piece_sphere(.2f)
                      : i % 3 == 1 ? piece_capsule(.15f, .2f)
                                   : piece_box(.2f, .15f, .25f);
        for (int k = 0; k < 3; k++) {
            const uint32_t cell = k == 0 ? i % 3 : k == 1 ? i / 3 % 2 : i / 6;
            piece.x[k] = .9 * cell;
            piece.v[k] = (float)(-.8 * (piece.x[k] - .5) + .5 * (scene_uniform(&seed) - .5));
            piece.spin[k] = (float)(4 * scene_uniform(&seed) - 2);
            piece.q[k] = scene_uniform(&seed) - .5;
        }
        piece.q[3] = 1;
        bodies[i] = piece_add(sim, &piece);
    }
    momenta(sim, bodies, masses, COUNT, p[0], l[0]);
    uint32_t touched = 0;
    for (uint32_t tick = 0; tick < 90; tick++) {
        scene_run(sim, 1);
        touched += sim->rigids.touching->pair_count > 0;
    }
    momenta(sim, bodies, masses, COUNT, p[1], l[1]);
    assert_true(touched > 20);
    for (int k = 0; k < 3; k++) {
        assert_near(p[1][k], p[0][k], 1e-5);
        assert_near(l[1][k], l[0][k], 5e-4);
    }
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------------------------- speed

// Nothing passes a plate of 2 cm at 50 m/s: neither a collider nor a piece.
static void a_marble_does_not_pass_a_plate(void **state)
{
    (void)state;
    for (int which = 0; which < 6; which++) {
        struct sim *sim = scene_create(twenty());
        struct piece marble = {
            .mass = .01, .x = {.013 * which, 1, .02}, .v = {1, -50, 0}, .spin = {30, 0, 50}};
        uint32_t plate = 0;
        double x[3], before[3];
        struct fault fault;
        marble.shape = which % 3 == 0   ? piece_sphere(.01f)
                       : which % 3 == 1 ? piece_box(.01f, .012f, .008f)
                                        : piece_capsule(.008f, .01f);
        const uint32_t body = piece_add(sim, &marble);
        if (which < 3) {
            const struct sim_collider collider = {
                .kind = SIM_BOX, .rotation = {0, 0, 0, 1}, .half_extents = {2, .01, 2}, .friction = .3};
            uint32_t id;
            assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), FAULT_NONE);
        } else {
            plate = piece_add(sim, &(struct piece){.shape = piece_box(2, .01f, 2), .mass = 0});
        }
        for (uint32_t tick = 0; tick < 30; tick++) {
            scene_run(sim, 1);
            scene_position(sim, body, 0, x);
            assert_true(x[1] > .01);
        }
        if (plate) {
            scene_position(sim, plate, 0, before);
            assert_near(before[1], 0, 1e-9);
        }
        sim_destroy(sim);
    }
}

// A marble that goes by at that speed, a little above an edge, is not held up.
static void a_marble_passes_beside(void **state)
{
    (void)state;
    struct sim_settings settings = twenty();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    float v[3];
    piece_add(sim, &(struct piece){.shape = piece_box(.1f, .1f, .1f), .mass = 0});
    const uint32_t marble = piece_add(
        sim, &(struct piece){.shape = piece_sphere(.01f), .mass = .01, .x = {-1, .1102, 0}, .v = {50, 0, 0}});
    scene_run(sim, 3);
    scene_velocity(sim, marble, 0, v);
    assert_near((double)v[0], 50, 1e-4);
    assert_near((double)v[1], 0, 1e-4);
    sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------------------------- piles

static struct sim *pile(uint32_t count, uint32_t *bodies, struct sim_rigid_shape *shapes)
{
    struct sim *sim = slope(0, .5);
    uint64_t seed = 9;
    for (uint32_t i = 0; i < count; i++) {
        struct piece piece = {
            .mass = 1, .friction = .5, .x = {.5 * (i % 3), .4 + .5 * (i / 9), .5 * (i / 3 % 3)}};
        piece.shape = shapes[i] = i % 3 == 0   ? piece_sphere(.2f)
                                  : i % 3 == 1 ? piece_capsule(.12f, .12f)
                                               : piece_box(.2f, .12f, .16f);
        for (int k = 0; k < 3; k++) {
            piece.x[k] += .02 * scene_uniform(&seed);
            piece.q[k] = scene_uniform(&seed) - .5;
        }
        piece.q[3] = 1;
        bodies[i] = piece_add(sim, &piece);
    }
    return sim;
}

static void a_pile_stays_above_the_ground(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    uint32_t bodies[COUNT];
    struct sim_rigid_shape shapes[COUNT];
    struct sim *sim = pile(COUNT, bodies, shapes);
    for (uint32_t tick = 0; tick < 120; tick++) {
        scene_run(sim, 1);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_true(piece_lowest(sim, bodies[i], &shapes[i]) > -1e-3);
        }
        assert_int_equal(sim->rigids.touching->left_out, 0);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        float v[3];
        scene_velocity(sim, bodies[i], 0, v);
        // All that fell by up to three metres has come down, and balls roll on.
        assert_true(fabs((double)v[0]) + fabs((double)v[1]) + fabs((double)v[2]) < 8);
    }
    sim_destroy(sim);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    enum { COUNT = 20, TICKS = 40 };
    uint64_t hashes[2];
    for (int threads = 0; threads < 2; threads++) {
        uint32_t bodies[COUNT];
        struct sim_rigid_shape shapes[COUNT];
        struct sim *sim = pile(COUNT, bodies, shapes);
        struct base_team *team = threads ? base_team_create(4) : NULL;
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            struct sim_failure failure;
            assert_true(sim_step(sim, team ? base_team_parallel(team) : NULL, NULL, &failure));
            assert_false(failure.failed);
        }
        hashes[threads] = sim_hash(sim);
        base_team_destroy(team);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

// A stack falls asleep as one, and a ball that hits it wakes it.
static void a_stack_sleeps_and_wakes(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    struct sim_settings settings = twenty();
    settings.sleep = true;
    struct sim *sim = scene_create(settings);
    uint32_t boxes[COUNT], asleep = 0, tick = 0;
    double x[3];
    scene_plane(sim, ORIGIN, UP, .5);
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = piece_add(sim, &(struct piece){.shape = piece_box(.25f, .25f, .25f),
                                                  .mass = 10,
                                                  .x = {0, .25 + .5 * i, 0},
                                                  .friction = .5});
    }
    for (; asleep == 0 && tick < 120; tick++) {
        scene_run(sim, 1);
        for (uint32_t i = 0; i < COUNT; i++) {
            asleep += sim->bodies[i]->asleep;
        }
    }
    assert_int_equal(asleep, COUNT);
    assert_in_range(tick, 60, 80);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(sim->bodies[i]->companions, COUNT);
        for (int k = 0; k < 3; k++) {
            assert_true(sim->spins[sim->bodies[i]->first_row].v[k] == 0);
        }
    }
    const uint64_t before = sim_hash(sim);
    scene_run(sim, 5);
    assert_true(sim_hash(sim) == before);
    // A slow ball comes near, and sleep ends when it touches.
    piece_add(sim,
              &(struct piece){.shape = piece_sphere(.1f), .mass = 20, .x = {-.6, 1.25, 0}, .v = {3, 0, 0}});
    scene_run(sim, 3);
    assert_true(sim->bodies[0]->asleep && sim->bodies[2]->asleep);
    scene_run(sim, 20);
    assert_true(!sim->bodies[0]->asleep && !sim->bodies[2]->asleep);
    scene_position(sim, boxes[2], 0, x);
    assert_true(x[0] > .02);
    // A push of a tick later woke those below as well, which had fallen asleep with it.
    sim_destroy(sim);
}

// A rigid body beside a cloth sleeps only if the cloth does. One that is far from it does not mind.
static void a_cloth_keeps_pieces_awake(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        const bool meets = round > 0, far = round == 2;
        struct sim_settings settings = twenty();
        settings.sleep = true;
        struct sim *sim = scene_create(settings);
        const double high[3] = {far ? 5 : -.15, far ? 50 : .511, far ? 5 : -.15};
        struct scene_mesh mesh = scene_grid(4, 4, .1, high);
        struct sim_body_desc cloth = scene_cloth(&mesh);
        uint32_t pins[25];
        for (uint32_t i = 0; i < mesh.particle_count; i++) {
            pins[cloth.pin_count++] = i;
        }
        cloth.pins = pins;
        cloth.restless = true;
        cloth.thickness = .01;
        cloth.meeting = (struct sim_meeting){.group = 2, .mask = meets ? 1 : 2};
        scene_plane(sim, ORIGIN, UP, .5);
        const struct sim_rigid_shape box = piece_box(.25f, .25f, .25f);
        piece_add(sim, &(struct piece){.shape = box, .mass = 10, .x = {0, .25, 0}});
        sim->bodies[0]->meeting.mask = 3;
        scene_add(sim, &cloth);
        scene_run(sim, 90);
        assert_true(sim->bodies[0]->asleep == (!meets || far));
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

// More pieces at one place than there is room for pairs: some pairs are left out, and all that is told is finite.
static void a_crowd_is_bounded(void **state)
{
    (void)state;
    enum { COUNT = 120 };
    struct sim *sim = scene_create(twenty());
    uint32_t bodies[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        bodies[i] = piece_add(sim, &(struct piece){.shape = i % 3 == 0   ? piece_sphere(.2f)
                                                            : i % 3 == 1 ? piece_capsule(.1f, .2f)
                                                                         : piece_box(.1f, .2f, .3f),
                                                   .mass = 1,
                                                   .x = {1, 2, 3}});
    }
    scene_run(sim, 1);
    assert_true(sim->rigids.touching->left_out > 0);
    assert_true(sim->rigids.touching->pair_count <= 8 * COUNT + 64);
    scene_run(sim, 20);
    for (uint32_t i = 0; i < COUNT; i++) {
        double x[3];
        scene_position(sim, bodies[i], 0, x);
        assert_true(fabs(x[0] - 1) < 20 && fabs(x[1] - 2) < 20 && fabs(x[2] - 3) < 20);
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_is_pushed_out),
        cmocka_unit_test(corner_bounces),
        cmocka_unit_test(levels_keep_the_order_of_each_piece),
        cmocka_unit_test(a_ball_rolls_down),
        cmocka_unit_test(a_thrown_ball_comes_to_roll),
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(a_box_slides_or_stays),
        cmocka_unit_test(a_box_slides_as_friction_lets_it),
        cmocka_unit_test(a_tall_box_topples),
        cmocka_unit_test(a_stack_stands),
        cmocka_unit_test(bricks_hang_over),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(a_marble_does_not_pass_a_plate),
        cmocka_unit_test(a_marble_passes_beside),
        cmocka_unit_test(a_pile_stays_above_the_ground),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_stack_sleeps_and_wakes),
        cmocka_unit_test(a_crowd_is_bounded),
        cmocka_unit_test(a_cloth_keeps_pieces_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
