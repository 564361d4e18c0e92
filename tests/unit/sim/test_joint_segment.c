// Joints from a rigid piece to a segment of a rod: closed forms of rods that are held so, what turns and what does not, both kinds of
// momentum, what is told, and what is refused.
#include "helper_rod.h"

#include "sim/state/jointed.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static struct fault fault;

static struct sim_settings settings_of(double gravity, double damping)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = -gravity;
    settings.substeps = 50;
    settings.damping = damping;
    return settings;
}

// A cube of 2 cm. Its inertia is as small as that of a hook at the end of a rope.
static uint32_t add_piece(struct rod *rod, const double x[3], double mass)
{
    const struct sim_rigid_shape shape = {.form = SIM_RIGID_BOX, .half_extents = {0.01f, 0.01f, 0.01f}};
    struct sim_turned turned = {.q = {0, 0, 0, 1 << 30}};
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = x,
                                       .masses = &mass,
                                       .rigid = &shape,
                                       .turned = &turned};
    return scene_add(rod->sim, &desc);
}

static void hold_piece(struct rod *rod, uint32_t piece)
{
    static const uint32_t first[] = {0};
    assert_int_equal(sim_particles_pin(rod->sim, piece, first, 1, NULL, &fault), FAULT_NONE);
}

// A joint between a piece and the segment that begins at this particle.
static uint32_t join(struct rod *rod, uint32_t piece, uint32_t begins,
                     const struct sim_constraint_values *values)
{
    uint32_t id = 0;
    const uint32_t bodies[4] = {piece, rod->body, rod->body, rod->body},
                   particles[4] = {0, begins, begins + 1, begins};
    if (sim_constraints_add(rod->sim, SIM_JOINT, 1, bodies, particles, values, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

static struct sim_constraint told(const struct rod *rod, uint32_t id)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(rod->sim, id, &constraint));
    return constraint;
}

// ------------------------------------------------------------------------------------------- closed forms

// The tip of a rod of 1 m whose first segment a held piece clamps, under its own weight w. The elastica by w L^3/EI.
static void a_rod_fixed_to_a_piece_follows_the_elastica(void **state)
{
    (void)state;
    static const double loads[][3] = {
        {1, 0.991246395, -0.123471402}, {5, 0.846657180, -0.495905045}, {20, 0.445232052, -0.829881443}};
    static const double anchors[6] = {0}, behind[3] = {-0.05, 0, 0};
    for (int way = 0; way < 6; way++) {
        struct rod rod;
        const bool direct = way >= 3;
        const double *load = loads[way % 3], bend = 0.02, density = 0.1;
        struct sim_rod given = rod_given(bend, bend);
        given.direct = direct;
        rod_line(&rod, 20, 1);
        rod_add(&rod, settings_of(load[0] * bend / density, 3), &given, density);
        const uint32_t piece = add_piece(&rod, behind, 1);
        hold_piece(&rod, piece);
        const struct sim_joint_values joint = {.model = SIM_JOINT_FIXED, .anchors = anchors};
        join(&rod, piece, 0, &(struct sim_constraint_values){.joint = &joint});
        double x[3];
        scene_run(rod.sim, 600);
        scene_position(rod.sim, rod.body, 20, x);
        print_message("%s, w L^3/EI = %g: tip at %.4f, %.4f; elastica %.4f, %.4f\n",
                      direct ? "direct" : "swept", load[0], x[0], x[1], load[1], load[2]);
        assert_near(x[0], load[1], 0.01);
        assert_near(x[1], load[2], 0.01);
        assert_near(x[2], 0, 1e-4);
        rod_end(&rod);
    }
}

// A clamped rod of 1 m and the weight w holds a piece at its tip, whose centre is farther out by an arm. The force m g and the moment
// m g arm bend it: tip ((L^3/3 + arm L^2/2) m g + w L^3/8)/EI down, and turned by ((L^2/2 + arm L) m g + w L^2/6)/EI.
static void a_piece_at_the_tip_bends_the_rod_by_its_moment(void **state)
{
    (void)state;
    static const uint32_t first[] = {0};
    static const struct {
        double bend, density, g;
        bool direct;
    } cases[] = {{0.02, 0.1, 0.02, false}, {0.02, 0.1, 0.02, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rod rod;
        const double bend = cases[i].bend, mass = 0.05, arm = 0.4, force = mass * cases[i].g,
                     weight = cases[i].density * cases[i].g;
        const double tip[6] = {1, 0, 0, 1, 0, 0}, centre[3] = {1 + arm, 0, 0};
        struct sim_rod given = rod_given(bend, bend);
        given.young = 1e9;
        given.direct = cases[i].direct;
        rod_line(&rod, 20, 1);
        rod_add(&rod, settings_of(cases[i].g, 2), &given, cases[i].density);
        rod_clamp(&rod, first, 1);
        const uint32_t piece = add_piece(&rod, centre, mass);
        const struct sim_joint_values joint = {.model = SIM_JOINT_FIXED, .anchors = tip};
        const uint32_t id = join(&rod, piece, 19, &(struct sim_constraint_values){.joint = &joint});
        double x[3], at[3];
        scene_run(rod.sim, 1800);
        scene_position(rod.sim, rod.body, 20, x);
        scene_position(rod.sim, piece, 0, at);
        const double sinks = ((1.0 / 3 + arm / 2) * force + weight / 8) / bend,
                     turns = ((0.5 + arm) * force + weight / 6) / bend, turned = (x[1] - at[1]) / arm;
        print_message("%s, EI = %g: tip %.5f m down, exact %.5f; turned by %.5f rad, exact %.5f\n",
                      given.direct ? "direct" : "swept", bend, -x[1], sinks, turned, turns);
        assert_near(-x[1], sinks, 0.03 * sinks);
        assert_near(turned, turns, 0.03 * turns);
        assert_true(told(&rod, id).joint.place < 1e-4);
        rod_end(&rod);
    }
}

// ------------------------------------------------------------------------------------------- what turns

struct swing {
    double tip[3];
};

// Says where the tip of a rod of 1 m along x comes to in 1 s, whose first end hangs in a joint to a held piece. Gravity goes along y or z.
static struct swing swing(enum sim_joint_model model, const double axis[3], int along)
{
    struct rod rod;
    struct swing swing;
    struct sim_settings settings = settings_of(0, 0.5);
    static const double anchors[6] = {0}, behind[3] = {-0.05, 0, 0};
    const struct sim_rod given = rod_given(0.5, 0.5);
    settings.gravity[along] = -1;
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t piece = add_piece(&rod, behind, 1);
    hold_piece(&rod, piece);
    const struct sim_joint_values joint = {.model = model, .anchors = anchors, .axes = axis};
    const uint32_t id = join(&rod, piece, 0, &(struct sim_constraint_values){.joint = &joint});
    scene_run(rod.sim, 60);
    scene_position(rod.sim, rod.body, 10, swing.tip);
    assert_true(told(&rod, id).joint.place < 1e-4 && told(&rod, id).joint.place >= 0);
    rod_end(&rod);
    return swing;
}

// Its weight turns the rod about a hinge's axis only. The rod alone sags by w L^4/8EI = 25 mm.
static void a_hinge_turns_about_its_axis_and_no_other(void **state)
{
    (void)state;
    static const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    const struct swing down = swing(SIM_JOINT_HINGE, z, 1), held = swing(SIM_JOINT_HINGE, z, 2),
                       aside = swing(SIM_JOINT_HINGE, y, 2), stays = swing(SIM_JOINT_HINGE, y, 1),
                       fixed = swing(SIM_JOINT_FIXED, z, 1), ball = swing(SIM_JOINT_BALL, z, 2);
    assert_true(down.tip[1] < -0.4 && fabs(down.tip[2]) < 1e-3);
    assert_true(aside.tip[2] < -0.4 && fabs(aside.tip[1]) < 1e-3);
    assert_true(ball.tip[2] < -0.4);
    assert_near(held.tip[2], -0.025, 0.004);
    assert_near(stays.tip[1], -0.025, 0.004);
    assert_near(fixed.tip[1], -0.025, 0.004);
    assert_near(down.tip[1], aside.tip[2], 1e-3); // both swing alike
}

// A ball leans no farther than its limit, 0.3 rad from where it was.
static void a_ball_leans_to_its_limit(void **state)
{
    (void)state;
    struct rod rod;
    static const double anchors[6] = {0}, behind[3] = {-0.05, 0, 0}, x_axis[3] = {1, 0, 0},
                        cone[2] = {0, 0.3};
    const struct sim_rod given = rod_given(50, 50);
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings_of(1, 3), &given, 0.1);
    const uint32_t piece = add_piece(&rod, behind, 1);
    hold_piece(&rod, piece);
    const struct sim_joint_values joint = {
        .model = SIM_JOINT_BALL, .anchors = anchors, .axes = x_axis, .limits = cone};
    join(&rod, piece, 0, &(struct sim_constraint_values){.joint = &joint});
    double x[3];
    scene_run(rod.sim, 300);
    scene_position(rod.sim, rod.body, 10, x);
    assert_near(atan2(-x[1], x[0]), 0.3, 0.01);
    rod_end(&rod);
}

// A motor on a hinge about a shaft's own axis turns its end until the shaft's moment GJ phi/l is the motor's, M.
static void a_motor_twists_a_shaft_by_its_moment(void **state)
{
    (void)state;
    static const uint32_t first[] = {0};
    static const double tip[6] = {1, 0, 0, 1, 0, 0}, behind[3] = {1.05, 0, 0}, x_axis[3] = {1, 0, 0};
    const double twist = 0.02, most = 0.01, speed = 5;
    struct rod rod;
    const struct sim_rod given = rod_given(0.2, twist);
    rod_line(&rod, 20, 1);
    rod_add(&rod, settings_of(0, 3), &given, 0.1);
    rod_clamp(&rod, first, 1);
    const uint32_t piece = add_piece(&rod, behind, 1);
    hold_piece(&rod, piece);
    const struct sim_joint_values joint = {.model = SIM_JOINT_HINGE,
                                           .anchors = tip,
                                           .axes = x_axis,
                                           .motor_given = true,
                                           .motor = SIM_MOTOR_SPEED,
                                           .motor_target = &speed,
                                           .motor_most = &most};
    const uint32_t id = join(&rod, piece, 19, &(struct sim_constraint_values){.joint = &joint});
    scene_run(rod.sim, 600);
    const struct sim_joint_told joint_told = told(&rod, id).joint;
    const double phi = fabs(atan2(joint_told.angle[1], joint_told.angle[0]));
    const double exact = most * (1 - 0.5 / 20) / twist; // to the middle of the last segment
    print_message("motor of %g N m on a shaft: %.4f rad, exact %.4f\n", most, phi, exact);
    assert_near(phi, exact, 0.02 * exact);
    rod_end(&rod);
}

// ----------------------------------------------------------------------------------------------- momentum

static void momenta(const struct rod *rod, uint32_t piece, double mass, double linear[3], double angular[3])
{
    double masses[ROD_MOST], x[3];
    struct sim_turned turned[ROD_MOST];
    float v[3];
    const struct sim_body *body = rod->sim->bodies[1];
    sim_body_masses(rod->sim, rod->body, masses);
    sim_body_turned(rod->sim, rod->body, 0, rod->count, turned);
    scene_position(rod->sim, piece, 0, x);
    scene_velocity(rod->sim, piece, 0, v);
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        linear[axis] = mass * (double)v[axis];
        angular[axis] = mass * (x[b] * (double)v[c] - x[c] * (double)v[b]) +
                        (double)rod->sim->spins[body->first_row].v[axis];
    }
    for (uint32_t i = 0; i < rod->count; i++) {
        scene_position(rod->sim, rod->body, i, x);
        scene_velocity(rod->sim, rod->body, i, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            linear[axis] += masses[i] * (double)v[axis];
            angular[axis] += masses[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
            angular[axis] += turned[i].w > 0 ? (double)turned[i].spin[axis] / (double)turned[i].w : 0;
        }
    }
}

// A piece that spins flings a rod about in empty space, in every way in which they can be joined, with dampers and anchors beside the
// segment.
static void joints_to_segments_keep_both_momenta(void **state)
{
    (void)state;
    static const double anchors[6] = {1.02, 0.01, 0, 1.02, 0.01, 0}, centre[3] = {1.1, 0, 0},
                        axis[3] = {0, 1, 0}, limits[2] = {-.2, .3}, length[2] = {0, .05}, damping = 0.002;
    static const uint32_t first[] = {0};
    static const float spin[3] = {4, 6, -5}, velocity[3] = {0.3f, -0.2f, 0.5f};
    for (int model = 0; model < SIM_JOINT_MODELS; model++) {
        struct rod rod;
        const struct sim_rod given = rod_given(0.05, 0.03);
        const double mass = 0.05;
        struct sim_settings settings = settings_of(0, 0);
        settings.substeps = 20;
        rod_line(&rod, 16, 1);
        rod_add(&rod, settings, &given, 0.1);
        const uint32_t piece = add_piece(&rod, centre, mass);
        const bool limited = model == SIM_JOINT_HINGE || model == SIM_JOINT_SLIDER;
        const struct sim_joint_values joint = {.model = (enum sim_joint_model)model,
                                               .anchors = anchors,
                                               .axes = axis,
                                               .limits = model == SIM_JOINT_DISTANCE ? length
                                                         : limited                   ? limits
                                                                                     : NULL};
        const uint32_t id =
            join(&rod, piece, 15, &(struct sim_constraint_values){.joint = &joint, .damping = &damping});
        assert_int_equal(sim_particles_turn(rod.sim, piece, first, 1, NULL, spin, &fault), FAULT_NONE);
        assert_int_equal(sim_particles_set(rod.sim, piece, first, 1, NULL, velocity, NULL, &fault),
                         FAULT_NONE);
        double linear[2][3], angular[2][3];
        momenta(&rod, piece, mass, linear[0], angular[0]);
        scene_run(rod.sim, 120);
        momenta(&rod, piece, mass, linear[1], angular[1]);
        for (int i = 0; i < 3; i++) {
            assert_near(linear[1][i], linear[0][i], 3e-5);
            assert_near(angular[1][i], angular[0][i], 2e-4);
        }
        if (model == SIM_JOINT_BALL || model == SIM_JOINT_FIXED || model == SIM_JOINT_HINGE) {
            assert_true(told(&rod, id).joint.place < 1e-3);
        }
        rod_end(&rod);
    }
}

// --------------------------------------------------------------------------------- told, saved and refused

static void a_segment_is_told_and_saved(void **state)
{
    (void)state;
    static const double beside[6] = {0.45, 0.1, 0, 0.46, 0.02, 0.01}, centre[3] = {0.5, 0.1, 0};
    struct rod rod;
    const struct sim_rod given = rod_given(0.05, 0.05);
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings_of(9.81, 0), &given, 0.1);
    const uint32_t piece = add_piece(&rod, centre, 0.05);
    const struct sim_joint_values joint = {.model = SIM_JOINT_FIXED, .anchors = beside};
    const uint32_t id = join(&rod, piece, 4, &(struct sim_constraint_values){.joint = &joint});
    const struct sim_constraint said = told(&rod, id);
    assert_int_equal(said.particles[1], 4);
    assert_int_equal(said.particles[2], 5);
    assert_int_equal(said.particles[3], 4);
    assert_near(said.weights[1], 0.4, 1e-6); // 0.46 m is 0.6 of the segment from 0.4 to 0.5 m
    assert_near(said.weights[2], 0.6, 1e-6);
    assert_near(said.joint.anchors[0], -0.05, 1e-6);
    const double *arm = said.joint.anchors + 3; // across the segment, in its own frame
    assert_near(sqrt(arm[0] * arm[0] + arm[1] * arm[1]), sqrt(0.0005), 1e-6);
    assert_near(arm[2], 0, 1e-6);
    assert_near(said.joint.place, sqrt(0.01 * 0.01 + 0.08 * 0.08 + 0.01 * 0.01), 1e-6);
    scene_run(rod.sim, 20);
    struct sim_image image;
    struct sim_image_place place_of;
    assert_true(sim_image_take(rod.sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place_of, &fault);
    assert_non_null(made);
    sim_image_deinit(&image);
    assert_true(sim_hash(made) == sim_hash(rod.sim));
    scene_run(made, 20);
    scene_run(rod.sim, 20);
    assert_true(sim_hash(made) == sim_hash(rod.sim));
    sim_destroy(made);
    rod_end(&rod);
}

static void what_is_no_segment_is_refused(void **state)
{
    (void)state;
    static const double centre[3] = {0.5, 0.1, 0}, rope_at[6] = {0, 1, 0, 0.1, 1, 0};
    static const uint32_t edge[2] = {0, 1};
    struct rod rod;
    const struct sim_rod given = rod_given(0.05, 0.05);
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings_of(9.81, 0), &given, 0.1);
    const uint32_t piece = add_piece(&rod, centre, 0.05);
    const struct sim_body_desc desc = scene_rope(rope_at, 2, edge, 1, NULL);
    const uint32_t rope = scene_add(rod.sim, &desc);
    const struct {
        uint32_t body, begins, ends;
        const char *field, *text;
    } cases[] = {
        {rod.body, 5, 4, "particles", "no segment of body 1 goes from particle 5 to particle 4"},
        {rod.body, 4, 6, "particles", "no segment of body 1 goes from particle 4 to particle 6"},
        {rope, 0, 1, "bodies", "body 3 is no rod"},
    };
    const struct sim_joint_values joint = {.model = SIM_JOINT_FIXED};
    const uint64_t before = sim_hash(rod.sim);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t id;
        const uint32_t body = cases[i].body, bodies[4] = {piece, body, body, body},
                       particles[4] = {0, cases[i].begins, cases[i].ends, cases[i].begins};
        assert_int_equal(sim_constraints_add(rod.sim, SIM_JOINT, 1, bodies, particles,
                                             &(struct sim_constraint_values){.joint = &joint}, &id, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, cases[i].field);
        assert_non_null(strstr(fault.text, cases[i].text));
        assert_true(sim_hash(rod.sim) == before);
    }
    rod_end(&rod);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_fixed_to_a_piece_follows_the_elastica),
        cmocka_unit_test(a_piece_at_the_tip_bends_the_rod_by_its_moment),
        cmocka_unit_test(a_hinge_turns_about_its_axis_and_no_other),
        cmocka_unit_test(a_ball_leans_to_its_limit),
        cmocka_unit_test(a_motor_twists_a_shaft_by_its_moment),
        cmocka_unit_test(joints_to_segments_keep_both_momenta),
        cmocka_unit_test(a_segment_is_told_and_saved),
        cmocka_unit_test(what_is_no_segment_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
