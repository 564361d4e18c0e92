// Worlds with joints: a top and a pendulum by closed forms, limits, motors, chains, planks on ropes, masts, and what breaks.
#include "helper_scene.h"

#include "sim/state/jointed.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static struct fault fault;

static struct sim_settings settings_of(uint32_t substeps, double gravity)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.gravity[1] = -gravity;
    return settings;
}

struct piece {
    double x[3], half[3], mass, turned[4], spin[3];
    float velocity[3];
};

static uint32_t add(struct sim *sim, const struct piece *piece)
{
    const struct sim_rigid_shape shape = {
        .form = SIM_RIGID_BOX,
        .half_extents = {(float)piece->half[0], (float)piece->half[1], (float)piece->half[2]}};
    struct sim_turned turned = {
        .spin = {(float)piece->spin[0], (float)piece->spin[1], (float)piece->spin[2]}};
    const double none[4] = {0, 0, 0, 1};
    const bool turns = piece->turned[0] != 0 || piece->turned[1] != 0 || piece->turned[2] != 0;
    sim_turn_from(turns ? piece->turned : none, turned.q);
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = piece->x,
                                       .masses = &piece->mass,
                                       .velocities = piece->velocity,
                                       .rigid = &shape,
                                       .turned = &turned};
    return scene_add(sim, &desc);
}

// A joint between a piece and what the bodies and particles name; fewer than four: the second side is one of them, or the world.
static uint32_t join(struct sim *sim, const struct sim_constraint_values *values, const uint32_t bodies[4],
                     const uint32_t particles[4])
{
    uint32_t id = 0;
    if (sim_constraints_add(sim, SIM_JOINT, 1, bodies, particles, values, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

static uint32_t join_pieces(struct sim *sim, uint32_t a, uint32_t b,
                            const struct sim_constraint_values *values)
{
    return join(sim, values, (const uint32_t[4]){a, b, b, b}, (const uint32_t[4]){0, 0, 0, 0});
}

static uint32_t join_world(struct sim *sim, uint32_t a, const struct sim_constraint_values *values)
{
    return join_pieces(sim, a, a, values);
}

static struct sim_joint_told told(const struct sim *sim, uint32_t id)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, id, &constraint));
    return constraint.joint;
}

static double angle_of(const struct sim *sim, uint32_t id)
{
    const struct sim_joint_told joint = told(sim, id);
    return atan2(joint.angle[1], joint.angle[0]);
}

static double spin_about(const struct sim *sim, uint32_t body, int axis)
{
    float spin[3];
    sim_body_spins(sim, body, 0, 1, spin);
    return (double)spin[axis];
}

// ------------------------------------------------------------------------------------------------------ top

struct topped {
    double rate, lowest, highest, gap; // rad/s in the first second; tilts in degrees within two; m
};

static struct topped top_at(uint32_t substeps)
{
    // 1 kg with the inertias .002, .001, .002 about its centre, which is .1 m from the pivot, along y: .012 about the pivot.
    const double tilt = PI / 3, spin = 200, rate = 5.97658819;
    const double axis[3] = {sin(tilt), cos(tilt), 0};
    struct piece piece = {.x = {.1 * axis[0], .1 * axis[1], 0},
                          .mass = 1,
                          .half = {sqrt(1.5 * .001), sqrt(1.5 * .003), sqrt(1.5 * .001)},
                          .turned = {0, 0, -sin(tilt / 2), cos(tilt / 2)}};
    struct topped topped = {.lowest = 180};
    double before[2] = {axis[0], 0}, swept = 0;
    for (int i = 0; i < 3; i++) {
        piece.spin[i] = (i == 1 ? rate : 0) + (spin - rate * cos(tilt)) * axis[i];
    }
    piece.velocity[2] = (float)(-rate * piece.x[0]);
    struct sim *sim = scene_create(settings_of(substeps, 9.81));
    const uint32_t body = add(sim, &piece);
    static const double pivot[6] = {0};
    const struct sim_joint_values joint = {.model = SIM_JOINT_BALL, .anchors = pivot};
    const uint32_t id = join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
    for (int tick = 0; tick < 120; tick++) {
        double x[3];
        scene_run(sim, 1);
        scene_position(sim, body, 0, x);
        const double degrees = acos(x[1] / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])) * 180 / PI;
        const double gap = told(sim, id).place;
        const double turned = atan2(before[1] * x[0] - before[0] * x[2], before[0] * x[0] + before[1] * x[2]);
        swept += tick < 60 ? turned : 0;
        before[0] = x[0];
        before[1] = x[2];
        topped.lowest = degrees < topped.lowest ? degrees : topped.lowest;
        topped.highest = degrees > topped.highest ? degrees : topped.highest;
        topped.gap = gap > topped.gap ? gap : topped.gap;
    }
    topped.rate = swept;
    sim_destroy(sim);
    return topped;
}

static void a_heavy_top_goes_round_as_fast_as_it_must(void **state)
{
    (void)state;
    const double steady = 5.97658819;
    static const double within[3] = {.03, .01, .005};
    for (int i = 0; i < 3; i++) {
        const struct topped top = top_at(20U << i);
        print_message("top, %2u substeps: %.4f rad/s (%.2f %%), tilt %.2f to %.2f, gap %.1e m\n", 20U << i,
                      top.rate, 100 * (top.rate / steady - 1), top.lowest, top.highest, top.gap);
        assert_near(top.rate, steady, within[i] * steady);
        assert_true(top.lowest > 58.5 && top.highest < 61.5);
        assert_true(top.gap < 1e-6);
    }
}

// ------------------------------------------------------------------------------------------------- pendulum

// A rod of 1 m about a hinge at its end. Returns the first period.
static double period_from(double amplitude, uint32_t substeps)
{
    struct piece piece = {.x = {.5 * sin(amplitude), -.5 * cos(amplitude), 0},
                          .mass = 1,
                          .half = {.002, .5, .002},
                          .turned = {0, 0, sin(amplitude / 2), cos(amplitude / 2)}};
    struct sim *sim = scene_create(settings_of(substeps, 9.81));
    const uint32_t body = add(sim, &piece);
    static const double pivot[6] = {0}, axis[3] = {0, 0, 1};
    const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE, .anchors = pivot, .axes = axis};
    join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
    double before = amplitude, crossed[2] = {0};
    int found = 0;
    for (int tick = 1; found < 2 && tick < 300; tick++) {
        double x[3];
        scene_run(sim, 1);
        scene_position(sim, body, 0, x);
        const double angle = atan2(x[0], -x[1]);
        if ((angle > 0) != (before > 0)) {
            crossed[found++] = (tick - 1 + before / (before - angle)) / 60;
        }
        before = angle;
        assert_true(fabs(x[2]) < 1e-6);
    }
    sim_destroy(sim);
    assert_int_equal(found, 2);
    return 2 * (crossed[1] - crossed[0]);
}

static void a_rod_on_a_hinge_keeps_time(void **state)
{
    (void)state;
    static const double degrees[3] = {10, 60, 120}, periods[3] = {1.64107046, 1.7578148, 2.24870493};
    for (int i = 0; i < 3; i++) {
        const double period = period_from(degrees[i] * PI / 180, 40);
        print_message("rod, %3.0f degrees, 40 substeps: %.5f s (%.2f %%)\n", degrees[i], period,
                      100 * (period / periods[i] - 1));
        assert_near(period, periods[i], (i == 2 ? .01 : .001) * periods[i]);
    }
}

// ---------------------------------------------------------------------------------------- limits and motors

// A bar of .4 m on an upright hinge at one end, without gravity.
static const struct piece bar = {.x = {.2, 0, 0}, .mass = 1, .half = {.2, .02, .02}};
#define BAR_INERTIA (1.0 / 3 * (.04 + .0004) + .04) // about the hinge

static void limits_of_a_hinge_hold(void **state)
{
    (void)state;
    static const double pivot[6] = {0}, limits[2][2] = {{-.3, .5}, {-2.5, 2}};
    for (int wide = 0; wide < 2; wide++) {
        struct piece door = bar;
        door.spin[1] = 4;
        door.velocity[2] = -.8f;
        struct sim *sim = scene_create(settings_of(20, 0));
        const uint32_t body = add(sim, &door);
        const struct sim_joint_values joint = {
            .model = SIM_JOINT_HINGE, .anchors = pivot, .limits = limits[wide]};
        const uint32_t id = join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
        double least = 0, most = 0;
        assert_near(angle_of(sim, id), 0, 1e-6); // limits count from where it stood
        for (int tick = 0; tick < 300; tick++) {
            scene_run(sim, 1);
            const double angle = angle_of(sim, id);
            least = angle < least ? angle : least;
            most = angle > most ? angle : most;
        }
        assert_true(most > limits[wide][1] - .02 && most < limits[wide][1] + .005);
        assert_true(least > limits[wide][0] - .005);
        sim_destroy(sim);
    }
}

static void a_motor_comes_to_its_speed_and_no_faster_than_its_torque(void **state)
{
    (void)state;
    static const double pivot[6] = {0}, speed = 5, most = .2;
    struct sim *sim = scene_create(settings_of(20, 0));
    const uint32_t body = add(sim, &bar);
    const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE,
                                           .anchors = pivot,
                                           .motor_given = true,
                                           .motor = SIM_MOTOR_SPEED,
                                           .motor_target = &speed,
                                           .motor_most = &most};
    join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
    scene_run(sim, 30); // half a second
    assert_near(spin_about(sim, body, 1), .5 * most / BAR_INERTIA, .01 * .5 * most / BAR_INERTIA);
    scene_run(sim, 120);
    assert_near(spin_about(sim, body, 1), speed, .01);
    sim_destroy(sim);
}

// A level bar on a hinge: its weight makes a torque of m g l.
static void a_motor_stalls_at_its_torque(void **state)
{
    (void)state;
    static const double pivot[6] = {0}, axis[3] = {0, 0, 1}, speed = 1;
    const double torque = 9.81 * .2;
    for (int strong = 0; strong < 2; strong++) {
        const double most = torque * (strong ? 1.1 : .9);
        struct sim *sim = scene_create(settings_of(20, 9.81));
        const uint32_t body = add(sim, &bar);
        const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE,
                                               .anchors = pivot,
                                               .axes = axis,
                                               .motor_given = true,
                                               .motor = SIM_MOTOR_SPEED,
                                               .motor_target = &speed,
                                               .motor_most = &most};
        const uint32_t id = join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
        scene_run(sim, 30);
        if (strong) {
            assert_near(angle_of(sim, id), .36, .03); // 10 % of the torque is left to speed it up
            assert_near(spin_about(sim, body, 2), speed, 1e-3);
        } else {
            assert_true(angle_of(sim, id) < -.05);
        }
        sim_destroy(sim);
    }
}

// A spring of k N m/rad leans by m g l cos(angle)/k.
static void a_motor_with_a_compliance_is_a_spring(void **state)
{
    (void)state;
    static const double pivot[6] = {0}, axis[3] = {0, 0, 1}, target = 0, give = .05, damping = .3;
    struct sim *sim = scene_create(settings_of(20, 9.81));
    const uint32_t body = add(sim, &bar);
    const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE,
                                           .anchors = pivot,
                                           .axes = axis,
                                           .motor_given = true,
                                           .motor = SIM_MOTOR_TARGET,
                                           .motor_target = &target,
                                           .motor_compliance = &give};
    const uint32_t id =
        join_world(sim, body, &(struct sim_constraint_values){.joint = &joint, .damping = &damping});
    scene_run(sim, 240);
    const double angle = angle_of(sim, id);
    assert_near(angle, -9.81 * .2 * cos(angle) * give, .002);
    assert_near(spin_about(sim, body, 2), 0, 1e-3);
    sim_destroy(sim);
}

// A block on an upright slider falls to its lower limit, and a motor lifts it to its place.
static void a_slider_stops_and_is_lifted(void **state)
{
    (void)state;
    static const double limits[2] = {-.3, .4}, target = .25, most = 30, damping = 20;
    struct piece block = {.x = {0, 1, 0}, .mass = 2, .half = {.1, .1, .1}, .spin = {0}};
    struct sim *sim = scene_create(settings_of(20, 9.81));
    const uint32_t body = add(sim, &block);
    const struct sim_joint_values joint = {.model = SIM_JOINT_SLIDER, .limits = limits};
    const uint32_t id = join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
    scene_run(sim, 60);
    assert_near(told(sim, id).place, -.3, 1e-3);
    const struct sim_joint_values lifts = {
        .motor_given = true, .motor = SIM_MOTOR_TARGET, .motor_target = &target, .motor_most = &most};
    const struct sim_constraint_values values = {.joint = &lifts, .damping = &damping};
    assert_int_equal(sim_constraints_set(sim, &id, 1, &values, &fault), FAULT_NONE);
    scene_run(sim, 120);
    assert_near(told(sim, id).place, .25, 1e-3);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[0], 0, 1e-6);
    assert_near(x[2], 0, 1e-6);
    sim_destroy(sim);
}

// A ball whose axis may lean by .4 rad.
static void a_ball_leans_as_far_as_its_limit(void **state)
{
    (void)state;
    static const double pivot[6] = {0}, axis[3] = {1, 0, 0}, limits[2] = {0, .4};
    struct sim *sim = scene_create(settings_of(20, 9.81));
    const uint32_t body = add(sim, &bar);
    const struct sim_joint_values joint = {
        .model = SIM_JOINT_BALL, .anchors = pivot, .axes = axis, .limits = limits};
    join_world(sim, body, &(struct sim_constraint_values){.joint = &joint});
    scene_run(sim, 120);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(atan2(-x[1], sqrt(x[0] * x[0] + x[2] * x[2])), .4, .005);
    sim_destroy(sim);
}

// -------------------------------------------------------------------------------------------- many together

static void a_chain_of_ten_hangs_without_stretch(void **state)
{
    (void)state;
    enum { LINKS = 10 };
    struct sim *sim = scene_create(settings_of(20, 9.81));
    uint32_t bodies[LINKS], ids[LINKS];
    double widest = 0, sag;
    for (int i = 0; i < LINKS; i++) {
        const struct piece link = {.x = {.1 + .2 * i, 0, 0}, .mass = .1, .half = {.1, .01, .01}};
        const double at[3] = {.2 * i, 0, 0}, anchors[6] = {at[0], 0, 0, at[0], 0, 0};
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL, .anchors = anchors};
        const struct sim_constraint_values values = {.joint = &joint};
        bodies[i] = add(sim, &link);
        ids[i] = i == 0 ? join_world(sim, bodies[0], &values)
                        : join_pieces(sim, bodies[i], bodies[i - 1], &values);
    }
    for (int tick = 0; tick < 240; tick++) {
        scene_run(sim, 1);
        for (int i = 0; i < LINKS; i++) {
            const double gap = told(sim, ids[i]).place;
            widest = gap > widest ? gap : widest;
        }
    }
    double x[3];
    scene_position(sim, bodies[LINKS - 1], 0, x);
    sag = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    print_message("chain of ten, 2 m, from level, 20 substeps: greatest gap %.2e m, last link at %.4f m\n",
                  widest, sag);
    assert_true(widest < 2e-3);
    assert_true(sag < 1.9 + 5e-3);
    assert_true(sim_rigid_joined(sim, sim->bodies[0]->first_row, sim->bodies[1]->first_row));
    assert_true(sim_rigid_joined(sim, sim->bodies[1]->first_row, sim->bodies[0]->first_row));
    assert_false(sim_rigid_joined(sim, sim->bodies[0]->first_row, sim->bodies[2]->first_row));
    sim_destroy(sim);
}

static void a_plank_hangs_from_two_ropes(void **state)
{
    (void)state;
    enum { KNOTS = 9 };
    struct sim *sim = scene_create(settings_of(20, 9.81));
    const struct piece plank = {.x = {0, 0, 0}, .mass = 3, .half = {.5, .02, .1}};
    const uint32_t body = add(sim, &plank);
    uint32_t ids[2];
    for (int side = 0; side < 2; side++) {
        const double x = side ? .45 : -.45;
        double positions[3 * KNOTS], masses[KNOTS];
        uint32_t edges[2 * (KNOTS - 1)];
        for (uint32_t i = 0; i < KNOTS; i++) {
            positions[3 * i] = x;
            positions[3 * i + 1] = .02 + .1 * i;
            positions[3 * i + 2] = 0;
            masses[i] = i + 1 == KNOTS ? 0 : .01;
            if (i + 1 < KNOTS) {
                edges[2 * i] = i;
                edges[2 * i + 1] = i + 1;
            }
        }
        const struct sim_body_desc rope = scene_rope(positions, KNOTS, edges, KNOTS - 1, masses);
        const uint32_t roped = scene_add(sim, &rope);
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL};
        const struct sim_constraint_values values = {.joint = &joint};
        ids[side] = join(sim, &values, (const uint32_t[4]){body, roped, roped, roped},
                         (const uint32_t[4]){0, 0, 0, 0});
    }
    scene_run(sim, 240);
    double x[3];
    scene_position(sim, body, 0, x);
    print_message("plank of 3 kg on two ropes of .8 m: sinks %.2e m, gaps %.2e and %.2e m\n", -x[1],
                  told(sim, ids[0]).place, told(sim, ids[1]).place);
    assert_near(x[1], 0, .02);
    assert_near(x[0], 0, 1e-3);
    assert_true(told(sim, ids[0]).place < 1e-4 && told(sim, ids[1]).place < 1e-4);
    double q[4];
    sim_body_rotations64(sim, body, 0, 1, q);
    assert_near(fabs(q[3]), 1, 1e-4); // level
    sim_destroy(sim);
}

// Two boxes that overlap push each other apart, unless a joint holds them to each other.
static void pieces_that_are_joined_do_not_meet(void **state)
{
    (void)state;
    const struct sim_rigid_shape shape = {.form = SIM_RIGID_BOX, .half_extents = {.1f, .1f, .1f}};
    static const double positions[6] = {0, 0, 0, .15, 0, 0}, masses[2] = {1, 1},
                        middle[6] = {.075, 0, 0, .075, 0, 0};
    for (int joined = 0; joined < 2; joined++) {
        struct sim *sim = scene_create(settings_of(20, 0));
        const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                           .particle_count = 2,
                                           .positions = positions,
                                           .masses = masses,
                                           .meeting = {.self = true, .group = 1, .mask = 1},
                                           .rigid = &shape};
        const uint32_t body = scene_add(sim, &desc);
        const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE, .anchors = middle};
        if (joined) {
            join(sim, &(struct sim_constraint_values){.joint = &joint},
                 (const uint32_t[4]){body, body, body, body}, (const uint32_t[4]){1, 0, 0, 0});
        }
        scene_run(sim, 60);
        double x[2][3];
        scene_position(sim, body, 0, x[0]);
        scene_position(sim, body, 1, x[1]);
        if (joined) {
            assert_near(x[1][0] - x[0][0], .15, 1e-6);
        } else {
            assert_true(x[1][0] - x[0][0] > .18);
        }
        sim_destroy(sim);
    }
}

// A ball pushes out a particle that is in it, unless a joint holds the particle there.
static void a_particle_that_is_joined_to_a_piece_does_not_meet_it(void **state)
{
    (void)state;
    const struct sim_rigid_shape shape = {.form = SIM_RIGID_SPHERE, .radius = .1f};
    const struct sim_meeting meets = {.self = true, .group = 1, .mask = 1};
    static const double middle[3] = {0}, inside[3] = {.02, 0, 0}, mass = 1, light = .1,
                        anchors[6] = {.02, 0, 0, .02, 0, 0};
    for (int joined = 0; joined < 2; joined++) {
        struct sim *sim = scene_create(settings_of(20, 0));
        const struct sim_body_desc ball = {.kind = SIM_RIGID,
                                           .particle_count = 1,
                                           .positions = middle,
                                           .masses = &mass,
                                           .meeting = meets,
                                           .rigid = &shape};
        struct sim_body_desc point = scene_points(inside, 1, &light);
        point.meeting = meets;
        point.thickness = .01;
        const uint32_t bodies[2] = {scene_add(sim, &ball), scene_add(sim, &point)};
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL, .anchors = anchors};
        if (joined) {
            join(sim, &(struct sim_constraint_values){.joint = &joint},
                 (const uint32_t[4]){bodies[0], bodies[1], bodies[1], bodies[1]},
                 (const uint32_t[4]){0, 0, 0, 0});
        }
        scene_run(sim, 60);
        double x[2][3];
        scene_position(sim, bodies[0], 0, x[0]);
        scene_position(sim, bodies[1], 0, x[1]);
        if (joined) {
            assert_near(x[1][0] - x[0][0], .02, 1e-6);
        } else {
            assert_true(x[1][0] - x[0][0] > .1);
        }
        sim_destroy(sim);
    }
}

// A rope would sleep after some seconds, and what hangs on it would fall.
static void what_a_piece_hangs_on_stays_awake(void **state)
{
    (void)state;
    static const double positions[6] = {0, .5, 0, 0, .1, 0}, masses[2] = {0, .1};
    static const uint32_t edge[2] = {0, 1};
    struct sim_settings settings = settings_of(10, 9.81);
    settings.sleep = true;
    settings.damping = 2;
    struct sim *sim = scene_create(settings);
    const struct piece block = {.x = {0, 0, 0}, .mass = 1, .half = {.1, .1, .1}};
    const uint32_t body = add(sim, &block);
    const struct sim_body_desc desc = scene_rope(positions, 2, edge, 1, masses);
    const uint32_t rope = scene_add(sim, &desc);
    const struct sim_joint_values joint = {.model = SIM_JOINT_BALL};
    join(sim, &(struct sim_constraint_values){.joint = &joint}, (const uint32_t[4]){body, rope, rope, rope},
         (const uint32_t[4]){0, 1, 1, 1});
    scene_run(sim, 900);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[1], 0, 1e-3);
    sim_destroy(sim);
}

// Five pieces on springs, and a cloth tied to three of them by points of its triangles.
static void a_mast_bends_with_its_flag(void **state)
{
    (void)state;
    enum { PIECES = 5 };
    struct sim *sim = scene_create(settings_of(20, 9.81));
    uint32_t pieces[PIECES], springs[PIECES], ties[3];
    static const double axis[3] = {0, 0, 1}, give = .02, damping = .2, target = 0;
    for (int i = 0; i < PIECES; i++) {
        const struct piece piece = {.x = {0, .2 + .4 * i, 0}, .mass = .5, .half = {.02, .2, .02}};
        const double anchors[6] = {0, .4 * i, 0, 0, .4 * i, 0};
        const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE,
                                               .anchors = anchors,
                                               .axes = axis,
                                               .motor_given = true,
                                               .motor = SIM_MOTOR_TARGET,
                                               .motor_target = &target,
                                               .motor_compliance = &give};
        const struct sim_constraint_values values = {.joint = &joint, .damping = &damping};
        pieces[i] = add(sim, &piece);
        springs[i] = i == 0 ? join_world(sim, pieces[0], &values)
                            : join_pieces(sim, pieces[i], pieces[i - 1], &values);
    }
    // In the plane of x and y, with its hem at the mast.
    struct scene_mesh mesh = scene_grid(9, 6, .1, (const double[3]){0, 0, 0});
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        double *x = mesh.positions + 3 * (size_t)i;
        x[1] = 1.4 + x[2];
        x[2] = 0;
        x[0] += .03;
    }
    struct sim_body_desc cloth = scene_cloth(&mesh);
    cloth.density = .4;
    const uint32_t flag = scene_add(sim, &cloth);
    static const double shares[3] = {.5, .25, .25};
    for (int i = 0; i < 3; i++) {
        const uint32_t first = (uint32_t)(i * 2) * 9, other = first + 1,
                       third = i * 2 + 1 < 6 ? first + 9 : first - 9;
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL, .weights = shares};
        const struct sim_constraint_values values = {.joint = &joint};
        ties[i] = join(sim, &values, (const uint32_t[4]){pieces[3 + (i > 0)], flag, flag, flag},
                       (const uint32_t[4]){0, first, other, third});
    }
    scene_run(sim, 240);
    double sum = 0, widest = 0;
    for (int i = 0; i < PIECES; i++) {
        sum += angle_of(sim, springs[i]);
    }
    for (int i = 0; i < 3; i++) {
        widest = told(sim, ties[i]).place > widest ? told(sim, ties[i]).place : widest;
    }
    print_message("mast of five pieces: bends by %.4f rad, ties gape %.2e m\n", sum, widest);
    assert_true(sum < -.02 && sum > -1.5); // the flag draws it to its side
    assert_true(widest < 5e-3);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ momentum

// Two pieces that turn in empty space, joined in every way that two pieces can be.
static void joints_keep_momentum_and_angular_momentum(void **state)
{
    (void)state;
    static const double anchors[6] = {.3, 0, 0, .3, 0, 0}, axis[3] = {0, 1, 0}, limits[2] = {-.2, .3},
                        length[2] = {0, .1};
    for (int model = 0; model < SIM_JOINT_MODELS; model++) {
        struct piece first = {.x = {0, 0, 0}, .mass = 1, .half = {.2, .1, .05}, .spin = {1, 2, -.5}};
        struct piece second = {
            .x = {.6, 0, 0}, .mass = 1, .half = {.2, .05, .1}, .velocity = {.1f, -.2f, .3f}};
        struct sim *sim = scene_create(settings_of(20, 0));
        const uint32_t a = add(sim, &first), b = add(sim, &second);
        const struct sim_joint_values joint = {.model = (enum sim_joint_model)model,
                                               .anchors = anchors,
                                               .axes = axis,
                                               .limits = model == SIM_JOINT_FIXED || model == SIM_JOINT_BALL
                                                             ? NULL
                                                         : model == SIM_JOINT_DISTANCE ? length
                                                                                       : limits};
        const uint32_t id = join_pieces(sim, a, b, &(struct sim_constraint_values){.joint = &joint});
        double p[2][3], l[2][3];
        for (int when = 0; when < 2; when++) {
            scene_run(sim, when ? 600 : 0);
            memset(p[when], 0, sizeof p[when]);
            memset(l[when], 0, sizeof l[when]);
            for (int piece = 0; piece < 2; piece++) {
                const struct sim_body *body = sim->bodies[piece];
                double x[3];
                float v[3];
                scene_position(sim, piece ? b : a, 0, x);
                scene_velocity(sim, piece ? b : a, 0, v);
                for (int i = 0; i < 3; i++) {
                    const int j = (i + 1) % 3, k = (i + 2) % 3;
                    p[when][i] += (double)v[i];
                    l[when][i] += (x[j] * (double)v[k] - x[k] * (double)v[j]) +
                                  (double)sim->spins[body->first_row].v[i];
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            assert_near(p[1][i], p[0][i], 1e-6); // what rounding gives to one it takes from the other
            assert_near(l[1][i], l[0][i], 3e-3);
        }
        if (model == SIM_JOINT_BALL || model == SIM_JOINT_FIXED || model == SIM_JOINT_HINGE) {
            assert_true(told(sim, id).place < 1e-5);
        }
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------- breaking

static void a_joint_breaks_above_its_force(void **state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        const double limit = weak ? 9 : 11; // it weighs 9.81 N
        const struct piece block = {.x = {0, 0, 0}, .mass = 1, .half = {.1, .1, .1}};
        struct sim *sim = scene_create(settings_of(20, 9.81));
        const uint32_t body = add(sim, &block);
        const struct sim_joint_values joint = {.model = SIM_JOINT_FIXED};
        const uint32_t id =
            join_world(sim, body, &(struct sim_constraint_values){.joint = &joint, .force_limit = &limit});
        struct sim_constraint constraint;
        scene_run(sim, 60);
        assert_true(sim_constraint_get(sim, id, &constraint));
        assert_int_equal(constraint.parted, weak);
        assert_true(constraint.force_limit == limit);
        double x[3];
        scene_position(sim, body, 0, x);
        if (weak) {
            assert_true(x[1] < -3);
        } else {
            assert_near(x[1], 0, 1e-6);
        }
        sim_destroy(sim);
    }
}

static void what_cannot_be_joined_is_refused(void **state)
{
    (void)state;
    const struct piece block = {.x = {0, 0, 0}, .mass = 1, .half = {.1, .1, .1}};
    const double ones[3] = {1, 1, 1}, at[9] = {0, 1, 0, 1, 1, 0, 0, 1, 1}, limits[2] = {-.1, .2},
                 zero[3] = {0, 0, 0};
    struct sim *sim = scene_create(settings_of(20, 9.81));
    const uint32_t body = add(sim, &block);
    const struct sim_body_desc desc = scene_points(at, 3, ones);
    const uint32_t points = scene_add(sim, &desc);
    const struct {
        struct sim_joint_values joint;
        uint32_t bodies[4], particles[4];
        const char *field;
    } cases[] = {
        {{.model = SIM_JOINT_BALL}, {points, body, body, body}, {0, 0, 0, 0}, "bodies"},
        {{.model = SIM_JOINT_HINGE}, {body, points, points, points}, {0, 0, 0, 0}, "joint"},
        {{.model = SIM_JOINT_FIXED}, {body, points, points, points}, {0, 0, 1, 2}, "joint"},
        {{.model = SIM_JOINT_BALL}, {body, points, points, points}, {0, 0, 1, 1}, "particles"},
        {{.model = SIM_JOINT_BALL, .limits = limits}, {body, body, body, body}, {0, 0, 0, 0}, "limits"},
        {{.model = SIM_JOINT_BALL, .axes = zero}, {body, body, body, body}, {0, 0, 0, 0}, "axes"},
        {{.model = SIM_JOINT_BALL, .motor_given = true, .motor = SIM_MOTOR_SPEED},
         {body, body, body, body},
         {0, 0, 0, 0},
         "motor"},
    };
    const uint64_t before = sim_hash(sim);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t id;
        const struct sim_constraint_values values = {.joint = &cases[i].joint};
        assert_int_equal(
            sim_constraints_add(sim, SIM_JOINT, 1, cases[i].bodies, cases[i].particles, &values, &id, &fault),
            FAULT_INVALID);
        assert_string_equal(fault.field, cases[i].field);
        assert_true(sim_hash(sim) == before);
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_top_goes_round_as_fast_as_it_must),
        cmocka_unit_test(a_rod_on_a_hinge_keeps_time),
        cmocka_unit_test(limits_of_a_hinge_hold),
        cmocka_unit_test(a_motor_comes_to_its_speed_and_no_faster_than_its_torque),
        cmocka_unit_test(a_motor_stalls_at_its_torque),
        cmocka_unit_test(a_motor_with_a_compliance_is_a_spring),
        cmocka_unit_test(a_slider_stops_and_is_lifted),
        cmocka_unit_test(a_ball_leans_as_far_as_its_limit),
        cmocka_unit_test(a_chain_of_ten_hangs_without_stretch),
        cmocka_unit_test(a_plank_hangs_from_two_ropes),
        cmocka_unit_test(pieces_that_are_joined_do_not_meet),
        cmocka_unit_test(a_particle_that_is_joined_to_a_piece_does_not_meet_it),
        cmocka_unit_test(what_a_piece_hangs_on_stays_awake),
        cmocka_unit_test(a_mast_bends_with_its_flag),
        cmocka_unit_test(joints_keep_momentum_and_angular_momentum),
        cmocka_unit_test(a_joint_breaks_above_its_force),
        cmocka_unit_test(what_cannot_be_joined_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
