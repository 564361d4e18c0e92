// Rings that slide on rails. One row by a worked vector in all instruction sets, and what worlds of them do.
#include "helper_scene.h"
#include "sim/state/kernels.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

#define PI 3.14159265358979323846
#define DEGREE (PI / 180)

enum { RAIL_MAX = 1024 };

// A rail of points, and rings on it that are another body.
struct world {
    struct sim *sim;
    uint32_t rail, rings, last; // last: of the rail
    uint32_t id;                // of the first ring's constraint
};

static struct sim_settings settings_of(uint32_t substeps, uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.iterations = iterations;
    return settings;
}

// mass: of each particle of the rail; 0: it is fixed.
static struct world world_with(struct sim_settings settings, const double (*rail)[3], uint32_t count,
                               double mass, const double ring[3], const struct sim_constraint_values *values)
{
    static double masses[RAIL_MAX];
    const double one = 1;
    struct world world = {.sim = scene_create(settings), .last = count - 1};
    for (uint32_t i = 0; i < count; i++) {
        masses[i] = mass;
    }
    struct sim_body_desc desc = scene_points(&rail[0][0], count, masses);
    world.rail = scene_add(world.sim, &desc);
    desc = scene_points(ring, 1, &one);
    world.rings = scene_add(world.sim, &desc);
    const uint32_t bodies[3] = {world.rings, world.rail, world.rail}, particles[3] = {0, 0, world.last};
    if (sim_constraints_add(world.sim, SIM_SLIDE_RAIL, 1, bodies, particles, values, &world.id, &fault) !=
        FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return world;
}

static struct sim_constraint ring_of(const struct world *world)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(world->sim, world->id, &constraint));
    return constraint;
}

// ------------------------------------------------------------------------------------------------- one row

static void the_vector_comes_out_in_every_instruction_set(void **state)
{
    (void)state;
    static const double rail[3][3] = {{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}}, ring[3] = {.9, .3, .2};
    static const double after[3][3] = {{1.04925373, .225373134, .0507462687},
                                       {.940298507, .0298507463, .0597014925},
                                       {1.48507463, 1.00746269, .0149253731}};
    static const double lambda[3] = {.149253731, -.0746268657, -.149253731};
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        for (uint32_t iterations = 1; iterations < 3; iterations++) {
            struct sim_settings settings = scene_still(1);
            settings.iterations = iterations;
            struct world world =
                world_with(settings, rail, 3, 2, ring, &(struct sim_constraint_values){.friction = NULL});
            world.sim->kernels = sim_kernels_of((enum sim_isa)isa);
            assert_near(ring_of(&world).along, 1.2, 2e-8);
            scene_run(world.sim, 1);
            double x[3][3];
            scene_position(world.sim, world.rings, 0, x[0]);
            scene_position(world.sim, world.rail, 1, x[1]);
            scene_position(world.sim, world.rail, 2, x[2]);
            for (int k = 0; k < 9; k++) {
                assert_near(x[k / 3][k % 3], after[k / 3][k % 3], 2e-8);
            }
            bool hold;
            assert_int_equal(sim_multipliers_find(world.sim, &hold, &fault), FAULT_NONE);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(ring_of(&world).multiplier[axis], lambda[axis], 1e-7);
            }
            sim_destroy(world.sim);
        }
    }
}

static void a_compliance_gives_way_and_stores_energy(void **state)
{
    (void)state;
    static const double rail[2][3] = {{0, 0, 0}, {1, 0, 0}}, ring[3] = {.5, .1, 0};
    const double compliance = .5;
    struct world world = world_with(scene_still(1), rail, 2, 0, ring,
                                    &(struct sim_constraint_values){.compliance = &compliance});
    struct sim_measures measures;
    double x[3];
    sim_measure(world.sim, &measures);
    assert_near(measures.elastic[SIM_SLIDE_RAIL], .01 / (2 * (compliance + 1)), 1e-9); // h is 1 s, and W 1/kg
    scene_run(world.sim, 1);
    scene_position(world.sim, world.rings, 0, x);
    assert_near(x[1], .1 - .1 / (1 + compliance), 1e-7);
    sim_destroy(world.sim);
}

static void a_stiffness_takes_its_share_and_damping_slows_what_leaves_the_rail(void **state)
{
    (void)state;
    static const double rail[2][3] = {{0, 0, 0}, {1, 0, 0}}, off[3] = {.5, .1, 0}, on[3] = {.5, 0, 0};
    static const uint32_t first = 0;
    const double stiffness = .25, compliance = 1e-3, damping = 1e6;
    const float push[3] = {.1F, .1F, -.1F};
    double x[3];
    float v[3];
    struct world world =
        world_with(scene_still(1), rail, 2, 0, off, &(struct sim_constraint_values){.stiffness = &stiffness});
    scene_run(world.sim, 1);
    scene_position(world.sim, world.rings, 0, x);
    assert_near(x[1], .075, 1e-7);
    sim_destroy(world.sim);
    world = world_with(scene_still(60), rail, 2, 0, on,
                       &(struct sim_constraint_values){.compliance = &compliance, .damping = &damping});
    assert_int_equal(sim_particles_set(world.sim, world.rings, &first, 1, NULL, push, NULL, &fault),
                     FAULT_NONE);
    scene_run(world.sim, 1);
    scene_velocity(world.sim, world.rings, 0, v);
    assert_near((double)v[0], .1, 1e-6);
    assert_near((double)v[1], 0, 1e-4);
    assert_near((double)v[2], 0, 1e-4);
    sim_destroy(world.sim);
}

// A corner where the rail turns back sharply, and a segment without length, do not hold a ring that slides.
static void a_ring_passes_corners_and_segments_without_length(void **state)
{
    (void)state;
    static const double rail[6][3] = {{-1, 1, 0},   {0, 0, 0},   {0, 0, 0},
                                      {.2, .03, 0}, {.4, -1, 0}, {2, -1, 0}};
    static const double ring[3] = {-.8, .8, 0};
    for (int run = 0; run < 2; run++) {
        const double friction = .05 * run;
        struct world world = world_with(settings_of(20, 1 + (uint32_t)run), rail, 6, 0, ring,
                                        &(struct sim_constraint_values){.friction = &friction});
        double x[3];
        scene_run(world.sim, 240);
        scene_position(world.sim, world.rings, 0, x);
        assert_true(x[0] > .4);
        assert_near(x[1], -1, 5e-8);
        assert_true(ring_of(&world).along >= 4);
        sim_destroy(world.sim);
    }
}

// -------------------------------------------------------------------------------------------------- worlds

enum { SLOPE = 13 };

// A straight wire of 12 segments that goes down by 30 degrees, with the ring on its third one.
static struct world on_a_slope(uint32_t iterations, double friction)
{
    double rail[SLOPE][3];
    for (int i = 0; i < SLOPE; i++) {
        rail[i][0] = .4 * i * cos(30 * DEGREE);
        rail[i][1] = -.4 * i * sin(30 * DEGREE);
        rail[i][2] = 0;
    }
    const double ring[3] = {1 * cos(30 * DEGREE), -1 * sin(30 * DEGREE), 0};
    return world_with(settings_of(20, iterations), (const double(*)[3])rail, SLOPE, 0, ring,
                      &(struct sim_constraint_values){.friction = &friction});
}

static void a_ring_slides_down_a_slope_or_is_held_by_friction(void **state)
{
    (void)state;
    static const double frictions[4] = {0, .3, .55, .6}; // tan 30° = 0.577
    for (int run = 0; run < 8; run++) {
        const double friction = frictions[run % 4];
        const double pull = sin(30 * DEGREE) - friction * cos(30 * DEGREE), a = pull > 0 ? 9.81 * pull : 0;
        struct world world = on_a_slope(run < 4 ? 1 : 3, friction);
        double x[3];
        scene_run(world.sim, 60);
        scene_position(world.sim, world.rings, 0, x);
        const double way = x[0] / cos(30 * DEGREE) - 1;
        assert_near(way, a / 2, a > 0 ? 1e-2 * a / 2 : 1e-7);
        assert_near(-x[1], x[0] * tan(30 * DEGREE), 5e-8); // it is on the wire
        assert_near(ring_of(&world).along, x[0] / cos(30 * DEGREE) / .4, 1e-6);
        sim_destroy(world.sim);
    }
}

static void a_ring_stops_at_the_end_of_its_rail(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct world world = on_a_slope(1, run * .1);
        double x[3];
        scene_run(world.sim, 180);
        scene_position(world.sim, world.rings, 0, x);
        assert_near(x[0], 4.8 * cos(30 * DEGREE), 5e-8);
        assert_near(x[1], -4.8 * sin(30 * DEGREE), 5e-8);
        assert_near(ring_of(&world).along, 12, 1e-7);
        sim_destroy(world.sim);
    }
}

static void a_ring_on_a_round_wire_swings_like_a_pendulum(void **state)
{
    (void)state;
    enum { SEGMENTS = 720 };
    static double rail[SEGMENTS + 1][3];
    for (int i = 0; i <= SEGMENTS; i++) {
        rail[i][0] = sin(2 * PI * i / SEGMENTS);
        rail[i][1] = cos(2 * PI * i / SEGMENTS); // it begins and ends at the top
    }
    const double swing = .2, ring[3] = {sin(swing), -cos(swing), 0};
    struct world world = world_with(settings_of(20, 1), (const double(*)[3])rail, SEGMENTS + 1, 0, ring,
                                    &(struct sim_constraint_values){0});
    double before[3], now[3], first = 0, last = 0;
    int crossings = 0;
    scene_position(world.sim, world.rings, 0, before);
    for (int tick = 1; tick <= 600; tick++) {
        scene_run(world.sim, 1);
        scene_position(world.sim, world.rings, 0, now);
        if (before[0] < 0 && now[0] >= 0) {
            last = (tick - now[0] / (now[0] - before[0])) / 60;
            first = crossings++ == 0 ? last : first;
        }
        assert_near(sqrt(now[0] * now[0] + now[1] * now[1]), 1, 2e-5);
        memcpy(before, now, sizeof before);
    }
    sim_destroy(world.sim);
    const double period = 2 * PI / sqrt(9.81) * (1 + swing * swing / 16);
    assert_true(crossings > 3);
    assert_near((last - first) / (crossings - 1), period, 1e-2 * period);
}

// Ten rings are the upper border of a curtain. A lower corner is pulled to the side.
static void a_curtain_that_is_pulled_stays_on_its_rod(void **state)
{
    (void)state;
    enum { RINGS = 10 };
    static const double rod[3][3] = {{-1, 0, 0}, {.2, 0, 0}, {2, 0, 0}}, origin[3] = {0, 0, 0};
    const double none[3] = {0, 0, 0};
    struct sim *sim = scene_create(settings_of(20, 2));
    struct sim_body_desc desc = scene_points(&rod[0][0], 3, none);
    const uint32_t rail = scene_add(sim, &desc);
    struct scene_mesh mesh = scene_grid(RINGS, 8, .1, origin);
    for (uint32_t i = 0; i < mesh.particle_count; i++) { // it hangs from its first row
        mesh.positions[3 * i + 1] = -mesh.positions[3 * i + 2];
        mesh.positions[3 * i + 2] = 0;
    }
    desc = scene_cloth(&mesh);
    const uint32_t curtain = scene_add(sim, &desc);
    uint32_t bodies[3 * RINGS], particles[3 * RINGS], id, grab;
    for (uint32_t i = 0; i < RINGS; i++) {
        bodies[3 * i] = curtain;
        particles[3 * i] = i;
        bodies[3 * i + 1] = bodies[3 * i + 2] = rail;
        particles[3 * i + 1] = 0;
        particles[3 * i + 2] = 2;
    }
    assert_int_equal(sim_constraints_add(sim, SIM_SLIDE_RAIL, RINGS, bodies, particles,
                                         &(struct sim_constraint_values){0}, &id, &fault),
                     FAULT_NONE);
    double x[3], began[3];
    scene_position(sim, curtain, 0, began);
    const double target[3] = {2.5, -.5, .3};
    assert_int_equal(sim_grab_begin(sim, curtain, mesh.particle_count - 1, target, 1e-3, &grab, &fault),
                     FAULT_NONE);
    for (int tick = 0; tick < 90; tick++) {
        scene_run(sim, 1);
        for (uint32_t i = 0; i < RINGS; i++) {
            scene_position(sim, curtain, i, x);
            assert_near(x[1], 0, 2 * SCENE_Q);
            assert_near(x[2], 0, 2 * SCENE_Q);
            assert_true(x[0] <= 2 + 2 * SCENE_Q);
        }
    }
    scene_position(sim, curtain, 0, x);
    assert_true(x[0] > began[0] + .3);
    // A ring that is held by hand stays on the rod as well.
    const double off[3] = {x[0], 1, 0};
    assert_int_equal(sim_grab_begin(sim, curtain, 0, off, 0, &grab, &fault), FAULT_NONE);
    scene_run(sim, 10);
    scene_position(sim, curtain, 0, x);
    assert_near(x[1], 0, 2 * SCENE_Q);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// A rod that a collider carries takes its ring along, which slides on it.
static void a_rod_that_follows_a_collider_carries_its_ring(void **state)
{
    (void)state;
    static const double rail[2][3] = {{0, 0, 0}, {1, 0, 0}}, ring[3] = {.5, 0, 0};
    static const uint32_t both[2] = {0, 1};
    struct world world = world_with(settings_of(20, 1), rail, 2, 1, ring, &(struct sim_constraint_values){0});
    struct sim_collider box = {.kind = SIM_BOX, .position = {0, 2, 0}, .rotation = {0, 0, 0, 1}};
    box.half_extents[0] = box.half_extents[1] = box.half_extents[2] = .1;
    assert_int_equal(sim_collider_add(world.sim, &box, &box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin_to(world.sim, world.rail, both, 2, box.id, &fault), FAULT_NONE);
    double x[3], end[3];
    for (int tick = 0; tick < 30; tick++) {
        box.position[1] += .01;
        box.position[2] -= .02;
        assert_int_equal(sim_collider_set(world.sim, &box, &fault), FAULT_NONE);
        scene_run(world.sim, 1);
        scene_position(world.sim, world.rings, 0, x);
        scene_position(world.sim, world.rail, 0, end);
        assert_near(x[1], end[1], 2 * SCENE_Q);
        assert_near(x[2], end[2], 2 * SCENE_Q);
    }
    assert_near(end[1], .3, 1e-6);
    assert_near(x[0], .5, 1e-6);
    sim_destroy(world.sim);
}

// Contact leaves rings alone with the rope that they slide on, and keeps them apart from each other.
static void rings_slide_on_a_thick_rope_and_do_not_pass_each_other(void **state)
{
    (void)state;
    enum { ROPE = 11 };
    const double slope = tan(30 * DEGREE), masses[2] = {1, 1};
    double rail[ROPE][3];
    uint32_t edges[2 * ROPE], pins[ROPE];
    for (uint32_t i = 0; i < ROPE; i++) {
        rail[i][0] = .2 * i;
        rail[i][1] = -.2 * slope * i;
        rail[i][2] = 0;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1; // of the last one nothing is read
        pins[i] = i;
    }
    struct sim *sim = scene_create(settings_of(20, 1));
    struct sim_body_desc desc = scene_rope(&rail[0][0], ROPE, edges, ROPE - 1, NULL);
    desc.pins = pins;
    desc.pin_count = ROPE;
    desc.thickness = .02;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = .5};
    const uint32_t rope = scene_add(sim, &desc);
    // The second one is held by friction, and the first one comes down on it.
    const double x[6] = {.1, -.1 * slope, 0, .7, -.7 * slope, 0}, friction[2] = {0, 3};
    desc = scene_points(x, 2, masses);
    desc.thickness = .02;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0};
    const uint32_t rings = scene_add(sim, &desc);
    const uint32_t bodies[6] = {rings, rope, rope, rings, rope, rope};
    const uint32_t particles[6] = {0, 0, ROPE - 1, 1, 0, ROPE - 1};
    uint32_t id;
    assert_int_equal(sim_constraints_add(sim, SIM_SLIDE_RAIL, 2, bodies, particles,
                                         &(struct sim_constraint_values){.friction = friction}, &id, &fault),
                     FAULT_NONE);
    double a[3], b[3];
    scene_run(sim, 20);
    scene_position(sim, rings, 0, a);
    const double way = 9.81 * sin(30 * DEGREE) / 2 / 9; // in a third of a second
    assert_near((a[0] - .1) / cos(30 * DEGREE), way, 2e-2 * way);
    assert_near(-a[1], a[0] * slope, 1e-6);
    scene_run(sim, 60);
    scene_position(sim, rings, 0, a);
    scene_position(sim, rings, 1, b);
    assert_true(b[0] - a[0] > .03); // both are .02 thick
    assert_near(-a[1], a[0] * slope, 1e-3);
    sim_destroy(sim);
}

// Friction is between ring and rail: a rod that moves along itself takes a ring along that it would else leave behind.
static void a_rod_that_moves_along_itself_takes_a_ring_along_by_friction(void **state)
{
    (void)state;
    static const double rail[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, ring[3] = {1.5, 0, 0};
    static const uint32_t all[3] = {0, 1, 2};
    for (int run = 0; run < 2; run++) {
        const double friction = 2.0 * run;
        struct world world = world_with(settings_of(20, 1), rail, 3, 1, ring,
                                        &(struct sim_constraint_values){.friction = &friction});
        double to[3][3], x[3];
        float v[3];
        memcpy(to, rail, sizeof to);
        for (int tick = 0; tick < 60; tick++) {
            for (int i = 0; i < 3; i++) {
                to[i][0] += .01;
            }
            assert_int_equal(sim_particles_pin(world.sim, world.rail, all, 3, &to[0][0], &fault), FAULT_NONE);
            scene_run(world.sim, 1);
        }
        scene_position(world.sim, world.rings, 0, x);
        scene_velocity(world.sim, world.rings, 0, v);
        // It slips until it is as fast as the rod, 0.6 m/s, which takes 0.6²/(2 mu g) of the way.
        const double slips = .36 / (4 * 9.81);
        assert_near(x[0], run ? 2.1 - slips : 1.5, run ? 5e-2 * slips : 1e-6);
        assert_near((double)v[0], run ? .6 : 0, 1e-3);
        sim_destroy(world.sim);
    }
}

// ------------------------------------------------------------------------------------------------ momentum

static void momenta_add(const struct sim *sim, uint32_t body, uint32_t count, double mass, double momenta[6])
{
    double x[8][3];
    float v[8][3];
    sim_body_positions64(sim, body, 0, count, &x[0][0]);
    sim_body_velocities(sim, body, 0, count, &v[0][0]);
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            momenta[axis] += mass * (double)v[k][axis];
            momenta[3 + axis] += mass * (x[k][y] * (double)v[k][z] - x[k][z] * (double)v[k][y]);
        }
    }
}

static void a_free_rope_and_its_ring_keep_momentum_and_angular_momentum(void **state)
{
    (void)state;
    static const double rail[4][3] = {{0, 0, 0}, {.5, .1, 0}, {1, 0, .1}, {1.5, 0, 0}},
                        ring[3] = {.6, .08, .02};
    static const uint32_t first = 0;
    for (int run = 0; run < 4; run++) {
        const double friction = run % 2 ? .3 : 0;
        struct sim_settings settings = settings_of(20, 1 + (uint32_t)run / 2);
        settings.gravity[1] = 0;
        struct world world =
            world_with(settings, rail, 4, .5, ring, &(struct sim_constraint_values){.friction = &friction});
        for (uint32_t i = 0; i < 3; i++) {
            scene_link(world.sim, world.rail, i, i + 1, .5, 0, 0);
        }
        scene_run(world.sim, 1); // what was off rest is put right
        const float v[3] = {.8F, .3F, .2F};
        assert_int_equal(sim_particles_set(world.sim, world.rings, &first, 1, NULL, v, NULL, &fault),
                         FAULT_NONE);
        double before[6] = {0}, after[6] = {0};
        momenta_add(world.sim, world.rail, 4, .5, before);
        momenta_add(world.sim, world.rings, 1, 1, before);
        const double along = ring_of(&world).along;
        scene_run(world.sim, 60);
        momenta_add(world.sim, world.rail, 4, .5, after);
        momenta_add(world.sim, world.rings, 1, 1, after);
        for (int k = 0; k < 6; k++) {
            assert_near(after[k], before[k], 1e-3); // rounding to quanta alone
        }
        assert_true(ring_of(&world).along > along + .1);
        sim_destroy(world.sim);
    }
}

// --------------------------------------------------------------------------------------------------- state

static void its_place_is_in_hash_and_image_and_goes_back_on_reset(void **state)
{
    (void)state;
    struct world world = on_a_slope(1, .3);
    const uint64_t began = sim_hash(world.sim);
    assert_near(ring_of(&world).along, 2.5, 1e-6);
    scene_run(world.sim, 50);
    const uint64_t ran = sim_hash(world.sim);
    struct sim_image image;
    struct sim_image_place place;
    const double along = ring_of(&world).along;
    assert_true(along > 4);
    assert_true(sim_image_take(world.sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    assert_true(sim_hash(made) == ran);
    sim_image_deinit(&image);
    bool hold;
    assert_int_equal(sim_multipliers_find(world.sim, &hold, &fault), FAULT_NONE); // changes nothing
    assert_true(hold);
    sim_multipliers_drop(world.sim);
    assert_true(sim_hash(world.sim) == ran);
    scene_run(world.sim, 5);
    scene_run(made, 5);
    assert_true(sim_hash(world.sim) == sim_hash(made));
    sim_destroy(made);
    sim_reset(world.sim);
    assert_true(sim_hash(world.sim) == began);
    sim_destroy(world.sim);
}

static void a_tick_that_fails_and_a_still_give_its_place_back(void **state)
{
    (void)state;
    struct world world = on_a_slope(1, .1);
    struct sim_body_desc desc = scene_points((const double[]){0, 0, 9}, 1, (const double[]){1});
    const uint32_t other = scene_add(world.sim, &desc), first = 0;
    const float away[3] = {0, 0, 300};
    struct sim_failure failure;
    scene_run(world.sim, 10);
    const uint64_t before = sim_hash(world.sim);
    struct sim_still *still = sim_still_create(world.sim);
    assert_non_null(still);
    sim_still_begin(still, world.sim);
    scene_run(world.sim, 20);
    assert_true(sim_still_go_on(still, 1000));
    sim_still_end(still);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_give_back(still, world.sim);
    assert_true(sim_hash(world.sim) == before);
    sim_still_destroy(still);
    assert_int_equal(sim_particles_set(world.sim, other, &first, 1, NULL, away, NULL, &fault), FAULT_NONE);
    const uint64_t fast = sim_hash(world.sim);
    assert_true(sim_step(world.sim, NULL, NULL, &failure));
    assert_true(failure.failed);
    assert_true(sim_hash(world.sim) == fast);
    sim_destroy(world.sim);
}

static void a_change_of_friction_keeps_its_place_and_so_does_its_undo(void **state)
{
    (void)state;
    struct world world = on_a_slope(1, .1);
    const double more = .9;
    struct sim_image image;
    scene_run(world.sim, 20);
    assert_true(sim_image_take_parts(
        world.sim, &(struct sim_parts){.constraints = &world.id, .constraint_count = 1}, &image));
    const uint64_t before = sim_hash(world.sim);
    assert_int_equal(sim_constraints_set(world.sim, &world.id, 1,
                                         &(struct sim_constraint_values){.friction = &more}, &fault),
                     FAULT_NONE);
    assert_true(sim_hash(world.sim) != before);
    assert_int_equal(sim_loose_restore(world.sim, &image.batches[0], &fault), FAULT_NONE);
    assert_true(sim_hash(world.sim) == before);
    scene_run(world.sim, 20);
    const double later = ring_of(&world).along;
    assert_int_equal(sim_loose_restore(world.sim, &image.batches[0], &fault), FAULT_NONE);
    assert_true(ring_of(&world).along == later);
    // One that was removed comes back.
    const uint64_t there = sim_hash(world.sim);
    sim_image_deinit(&image);
    assert_true(sim_image_take_parts(
        world.sim, &(struct sim_parts){.constraints = &world.id, .constraint_count = 1}, &image));
    assert_int_equal(sim_constraints_remove(world.sim, &world.id, 1, &fault), FAULT_NONE);
    assert_int_equal(sim_loose_restore(world.sim, &image.batches[0], &fault), FAULT_NONE);
    assert_true(sim_hash(world.sim) == there);
    sim_image_deinit(&image);
    sim_destroy(world.sim);
}

static void a_ring_that_friction_holds_falls_asleep_and_wakes_on_its_rail(void **state)
{
    (void)state;
    static const uint32_t first = 0;
    const float push[3] = {1, 0, 0};
    struct world world = on_a_slope(1, .9);
    struct sim_settings settings = *sim_settings_of(world.sim);
    struct sim_body_info info;
    settings.sleep = true;
    assert_int_equal(sim_settings_set(world.sim, &settings, &fault), FAULT_NONE);
    scene_run(world.sim, 150);
    assert_true(sim_body_info(world.sim, world.rings, &info));
    assert_true(info.asleep);
    const double along = ring_of(&world).along;
    assert_near(along, 2.5, 1e-6);
    assert_int_equal(sim_particles_set(world.sim, world.rings, &first, 1, NULL, push, NULL, &fault),
                     FAULT_NONE);
    scene_run(world.sim, 10);
    assert_true(ring_of(&world).along > along + .05);
    sim_destroy(world.sim);
}

static void rings_on_one_rail_are_solved_in_order_and_die_with_it(void **state)
{
    (void)state;
    struct world world = on_a_slope(1, 0);
    const double x[2][3] = {{.1, 0, 0}, {.2, .1, 0}}, masses[2] = {1, 2};
    struct sim_body_desc desc = scene_points(&x[0][0], 2, masses);
    const uint32_t more = scene_add(world.sim, &desc);
    const uint32_t bodies[6] = {more, world.rail, world.rail, more, world.rail, world.rail};
    const uint32_t particles[6] = {0, 0, world.last, 1, 0, world.last};
    uint32_t id;
    assert_int_equal(sim_constraints_add(world.sim, SIM_SLIDE_RAIL, 2, bodies, particles,
                                         &(struct sim_constraint_values){0}, &id, &fault),
                     FAULT_NONE);
    scene_run(world.sim, 3);
    assert_int_equal(sim_constraint_count(world.sim), 3);
    uint32_t *removed = NULL, count = 0;
    assert_int_equal(sim_body_remove(world.sim, world.rail, &removed, &count, &fault), FAULT_NONE);
    assert_int_equal(count, 3);
    free(removed);
    assert_int_equal(sim_constraint_count(world.sim), 0);
    scene_run(world.sim, 3);
    sim_destroy(world.sim);
}

// ------------------------------------------------------------------------------------------------ refusals

struct wrong {
    uint32_t ring[2], first[2], last[2]; // body (0: the rings, 1: the rail) and particle
    const char *field;
};

static void wrong_particles_and_values_are_refused(void **state)
{
    (void)state;
    static const struct wrong wrongs[] = {
        {{0, 0}, {1, 0}, {0, 0}, "bodies"},    {{0, 0}, {1, 3}, {1, 3}, "particles"},
        {{0, 0}, {1, 4}, {1, 3}, "particles"}, {{1, 2}, {1, 1}, {1, 3}, "particles"},
        {{1, 1}, {1, 1}, {1, 3}, "particles"}, {{0, 0}, {1, 0}, {1, SLOPE}, "particles"},
    };
    struct world world = on_a_slope(1, 0);
    const uint64_t before = sim_hash(world.sim);
    const double less = -1, no_number = NAN, much = 101, ratio = 2, rest = 1;
    const uint32_t known[2] = {world.rings, world.rail};
    uint32_t id;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const struct wrong *wrong = &wrongs[i];
        const uint32_t bodies[3] = {known[wrong->ring[0]], known[wrong->first[0]], known[wrong->last[0]]};
        const uint32_t particles[3] = {wrong->ring[1], wrong->first[1], wrong->last[1]};
        assert_int_equal(sim_constraints_add(world.sim, SIM_SLIDE_RAIL, 1, bodies, particles,
                                             &(struct sim_constraint_values){0}, &id, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, wrong->field);
    }
    const struct sim_constraint_values values[] = {{.friction = &less},
                                                   {.friction = &no_number},
                                                   {.friction = &much},
                                                   {.ratio = &ratio},
                                                   {.rest = &rest}};
    static const char *const fields[] = {"friction", "friction", "friction", "ratio", "rest"};
    const uint32_t bodies[3] = {world.rings, world.rail, world.rail}, particles[3] = {0, 0, 3};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(
            sim_constraints_add(world.sim, SIM_SLIDE_RAIL, 1, bodies, particles, &values[i], &id, &fault),
            FAULT_INVALID);
        assert_string_equal(fault.field, fields[i]);
        assert_int_equal(sim_constraints_set(world.sim, &world.id, 1, &values[i], &fault), FAULT_INVALID);
        assert_string_equal(fault.field, fields[i]);
    }
    assert_true(sim_hash(world.sim) == before);
    sim_destroy(world.sim);
}

static void rails_that_are_too_long_together_are_refused(void **state)
{
    (void)state;
    enum { LONG = 40000, RINGS = 420 }; // one less would be 16,759,581 segments
    static double positions[3 * LONG], rings[3 * RINGS];
    static uint32_t bodies[3 * RINGS], particles[3 * RINGS];
    struct sim_limits limits = scene_limits;
    limits.particles = 2 * LONG;
    struct sim *sim = scene_create_limited(scene_settings(), limits);
    for (uint32_t i = 0; i < LONG; i++) {
        positions[3 * i] = 1e-4 * i;
    }
    struct sim_body_desc desc = scene_points(positions, LONG, NULL);
    const uint32_t rail = scene_add(sim, &desc);
    desc = scene_points(rings, RINGS, NULL);
    const uint32_t ringed = scene_add(sim, &desc);
    for (uint32_t i = 0; i < RINGS; i++) {
        bodies[3 * i] = ringed;
        bodies[3 * i + 1] = bodies[3 * i + 2] = rail;
        particles[3 * i] = i;
        particles[3 * i + 2] = LONG - 1;
    }
    const struct sim_constraint_values none = {0};
    uint32_t id;
    assert_int_equal(sim_constraints_add(sim, SIM_SLIDE_RAIL, RINGS, bodies, particles, &none, &id, &fault),
                     FAULT_LIMIT);
    assert_int_equal(sim_constraints_add(sim, SIM_SLIDE_RAIL, 1, bodies, particles, &none, &id, &fault),
                     FAULT_NONE);
    assert_int_equal(
        sim_constraints_add(sim, SIM_SLIDE_RAIL, RINGS - 1, bodies, particles, &none, &id, &fault),
        FAULT_LIMIT);
    assert_string_equal(fault.field, "particles");
    sim_destroy(sim);
}

// Values that the solver cannot have made are refused.
static void wrong_shapes_of_an_image_are_refused(void **state)
{
    (void)state;
    static const float wrongs[][4] = {{-1, 0, 0, 0},    {200, 0, 0, 0},     {0, .5F, 0, 0}, {0, -1, 0, 0},
                                      {0, 2e6F, 0, 0},  {0, 0, 1.5F, 0},    {0, 0, .1F, 0}, {0, 0, 0, .5F},
                                      {0, 0, 1, 1e-9F}, {0, 0, 1, 0x1p-32F}};
    struct world world = on_a_slope(1, .1);
    struct sim_image image;
    assert_true(sim_image_take_parts(
        world.sim, &(struct sim_parts){.constraints = &world.id, .constraint_count = 1}, &image));
    struct sim_image_constraints batch = image.batches[0];
    const uint64_t before = sim_hash(world.sim);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        batch.shapes = wrongs[i];
        assert_int_equal(sim_loose_restore(world.sim, &batch, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "shapes");
    }
    const uint32_t color = 3;
    batch = image.batches[0];
    batch.colors = &color;
    assert_int_equal(sim_loose_restore(world.sim, &batch, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, "colors");
    assert_true(sim_hash(world.sim) == before);
    sim_image_deinit(&image);
    sim_destroy(world.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vector_comes_out_in_every_instruction_set),
        cmocka_unit_test(a_compliance_gives_way_and_stores_energy),
        cmocka_unit_test(a_stiffness_takes_its_share_and_damping_slows_what_leaves_the_rail),
        cmocka_unit_test(a_ring_passes_corners_and_segments_without_length),
        cmocka_unit_test(a_ring_slides_down_a_slope_or_is_held_by_friction),
        cmocka_unit_test(a_ring_stops_at_the_end_of_its_rail),
        cmocka_unit_test(a_ring_on_a_round_wire_swings_like_a_pendulum),
        cmocka_unit_test(a_curtain_that_is_pulled_stays_on_its_rod),
        cmocka_unit_test(a_rod_that_follows_a_collider_carries_its_ring),
        cmocka_unit_test(a_rod_that_moves_along_itself_takes_a_ring_along_by_friction),
        cmocka_unit_test(rings_slide_on_a_thick_rope_and_do_not_pass_each_other),
        cmocka_unit_test(a_free_rope_and_its_ring_keep_momentum_and_angular_momentum),
        cmocka_unit_test(its_place_is_in_hash_and_image_and_goes_back_on_reset),
        cmocka_unit_test(a_tick_that_fails_and_a_still_give_its_place_back),
        cmocka_unit_test(a_change_of_friction_keeps_its_place_and_so_does_its_undo),
        cmocka_unit_test(a_ring_that_friction_holds_falls_asleep_and_wakes_on_its_rail),
        cmocka_unit_test(rings_on_one_rail_are_solved_in_order_and_die_with_it),
        cmocka_unit_test(wrong_particles_and_values_are_refused),
        cmocka_unit_test(rails_that_are_too_long_together_are_refused),
        cmocka_unit_test(wrong_shapes_of_an_image_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
