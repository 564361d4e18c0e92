// Welds that keep the angle: what docs/concepts/join.md makes of joins, bends and distances. A plate is turned by a quarter with a
// tab on it that sticks out.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

#define PI 3.14159265358979323846
#define DEGREE (PI / 180)

enum { TICKS = 120 };

// A plate that is pinned to a box, which turns about the z axis and stands aside. Its particles: 0 and 1 are the seam, 2 and 3 lie beside it.
struct plate {
    struct sim *sim;
    struct sim_collider box;
    uint32_t body;
};

static const double plate_positions[12] = {0, 0, 0, 0, 0, .5, .5, 0, 0, .5, 0, .5};
static const uint32_t plate_triangles[6] = {0, 1, 2, 1, 3, 2}, plate_pins[4] = {0, 1, 2, 3};

static struct plate plate_create(void)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = 3;
    struct plate plate = {
        .sim = scene_create(settings),
        .box = {
            .kind = SIM_BOX, .position = {0, 0, -1}, .rotation = {0, 0, 0, 1}, .half_extents = {.1, .1, .1}}};
    struct scene_mesh mesh = {.particle_count = 4, .triangle_count = 2};
    double positions[12];
    uint32_t triangles[6];
    memcpy(positions, plate_positions, sizeof positions);
    memcpy(triangles, plate_triangles, sizeof triangles);
    mesh.positions = positions;
    mesh.triangles = triangles;
    struct sim_body_desc desc = scene_cloth(&mesh);
    plate.body = scene_add(plate.sim, &desc);
    assert_int_equal(sim_collider_add(plate.sim, &plate.box, &plate.box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin_to(plate.sim, plate.body, plate_pins, 4, plate.box.id, &fault),
                     FAULT_NONE);
    return plate;
}

// Turns the plate evenly to an angle, and lets everything come to rest.
static void plate_turn(struct plate *plate, double to)
{
    for (int tick = 1; tick <= TICKS; tick++) {
        const double half = to * tick / TICKS / 2;
        plate->box.rotation[2] = sin(half);
        plate->box.rotation[3] = cos(half);
        assert_int_equal(sim_collider_set(plate->sim, &plate->box, &fault), FAULT_NONE);
        scene_run(plate->sim, 1);
    }
    scene_run(plate->sim, 3 * TICKS);
}

static void add(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                const uint32_t *particles, const struct sim_constraint_values *values)
{
    uint32_t id;
    if (sim_constraints_add(sim, kind, count, bodies, particles, values, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
}

// A triangle is welded along its border: joins hold the seam, and one bend holds the angle. Its tip of 0.1 kg is L from the seam.
// Gravity turns it by the moment times the compliance of the bend.
static void a_tab_that_is_welded_at_60_degrees_keeps_its_angle(void **state)
{
    (void)state;
    const double length = .2, out = 120 * DEGREE, masses[3] = {.05, .05, .1}, compliance = .05;
    struct plate plate = plate_create();
    const double x = length * cos(out), y = length * sin(out); // 60 degrees from the plate's other side
    const double positions[9] = {0, 0, 0, 0, 0, .5, x, y, .25};
    static const uint32_t edges[6] = {0, 1, 0, 2, 1, 2};
    struct sim_body_desc desc = scene_rope(positions, 3, edges, 3, masses);
    const uint32_t tab = scene_add(plate.sim, &desc);
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t seam_bodies[6] = {tab, tab, tab, plate.body, plate.body, plate.body};
        const uint32_t seam[6] = {end, end, end, end, end, end};
        add(plate.sim, SIM_JOIN, 1, seam_bodies, seam, &(struct sim_constraint_values){0});
    }
    const uint32_t bend_bodies[4] = {plate.body, plate.body, tab, plate.body}, bend[4] = {0, 1, 2, 2};
    add(plate.sim, SIM_DIHEDRAL, 1, bend_bodies, bend,
        &(struct sim_constraint_values){.compliance = &compliance});
    for (int quarter = 0; quarter < 2; quarter++) {
        plate_turn(&plate, quarter * 90 * DEGREE);
        double a[3];
        scene_position(plate.sim, tab, 2, a);
        const double angle = atan2(a[1], a[0]), meant = out + quarter * 90 * DEGREE;
        double off = angle - meant;
        off += off > PI ? -2 * PI : off < -PI ? 2 * PI : 0;
        // The moment of gravity about the seam turns the tab downwards.
        const double moment = -.1 * 9.81 * length * cos(angle);
        assert_near(off, compliance * moment, .03 * compliance * .1 * 9.81 * length);
        assert_true(fabs(off) < 1 * DEGREE);
        assert_near(hypot(a[0], a[1]), length, 1e-4);
        assert_near(a[2], .25, 1e-4);
    }
    sim_destroy(plate.sim);
}

// The end of a rope is welded to the middle of a triangle: a join holds its first particle, and three distances to the corners
// hold the second one.
static void the_end_of_a_rope_that_is_welded_sticks_out(void **state)
{
    (void)state;
    const double masses[2] = {.01, .1}, tilt = 60 * DEGREE;
    const double base[3] = {.2, 0, .2}, tip[3] = {.2 - .1 * cos(tilt), .1 * sin(tilt), .2};
    struct plate plate = plate_create();
    const double positions[6] = {base[0], base[1], base[2], tip[0], tip[1], tip[2]};
    static const uint32_t edge[2] = {0, 1};
    struct sim_body_desc desc = scene_rope(positions, 2, edge, 1, masses);
    const uint32_t rope = scene_add(plate.sim, &desc);
    // The point (0.2, 0, 0.2) is 0.2 of corner 0, 0.4 of 1 and 0.4 of 2.
    const uint32_t bodies[6] = {rope, rope, rope, plate.body, plate.body, plate.body};
    const uint32_t particles[6] = {0, 0, 0, 0, 1, 2};
    const double weights[6] = {1, 0, 0, .2, .4, .4}, rest = 0;
    add(plate.sim, SIM_JOIN, 1, bodies, particles,
        &(struct sim_constraint_values){.weights = weights, .rest = &rest});
    const uint32_t strut_bodies[6] = {rope, plate.body, rope, plate.body, rope, plate.body};
    const uint32_t struts[6] = {1, 0, 1, 1, 1, 2};
    add(plate.sim, SIM_DISTANCE, 3, strut_bodies, struts, &(struct sim_constraint_values){0});
    plate_turn(&plate, 90 * DEGREE);
    double a[3], b[3];
    scene_position(plate.sim, rope, 0, a);
    scene_position(plate.sim, rope, 1, b);
    // A quarter of a turn about z takes (x, y) to (-y, x).
    const double meant[3] = {-(tip[1] - base[1]), tip[0] - base[0], 0};
    double cosine = 0, size = 0;
    for (int axis = 0; axis < 3; axis++) {
        cosine += (b[axis] - a[axis]) * meant[axis];
        size += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    cosine /= sqrt(size) * .1;
    assert_true(acos(cosine > 1 ? 1 : cosine) < .2 * DEGREE);
    assert_near(a[0], 0, 1e-4);
    assert_near(a[1], .2, 1e-4);
    sim_destroy(plate.sim);
}

// A strip whose first two rows are held by three distances each, to the nearest particles of the plate, as `weld` of a scene makes
// them.
static void a_strip_that_struts_hold_keeps_its_angle(void **state)
{
    (void)state;
    const double out = 120 * DEGREE, masses[4] = {.05, .05, .05, .05};
    const double x = .05 * cos(out), y = .05 * sin(out);
    const double positions[12] = {0, 0, 0, 0, 0, .5, x, y, 0, x, y, .5};
    static const uint32_t edges[10] = {0, 1, 0, 2, 1, 3, 2, 3, 0, 3};
    static const uint32_t anchors[2][3] = {{0, 1, 2}, {1, 0, 3}};
    struct plate plate = plate_create();
    struct sim_body_desc desc = scene_rope(positions, 4, edges, 5, masses);
    const uint32_t strip = scene_add(plate.sim, &desc);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t bodies[2] = {strip, plate.body}, ends[2] = {i, anchors[i % 2][k]};
            add(plate.sim, SIM_DISTANCE, 1, bodies, ends, &(struct sim_constraint_values){0});
        }
    }
    for (int quarter = 0; quarter < 2; quarter++) {
        plate_turn(&plate, quarter * 90 * DEGREE);
        for (uint32_t side = 0; side < 2; side++) {
            double a[3], b[3];
            scene_position(plate.sim, strip, side, a);
            scene_position(plate.sim, strip, side + 2, b);
            double off = atan2(b[1] - a[1], b[0] - a[0]) - out - quarter * 90 * DEGREE;
            off += off > PI ? -2 * PI : off < -PI ? 2 * PI : 0;
            assert_true(fabs(off) < 1 * DEGREE);
            assert_near(hypot(a[0], a[1]), 0, 1e-3);
        }
    }
    sim_destroy(plate.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tab_that_is_welded_at_60_degrees_keeps_its_angle),
        cmocka_unit_test(a_strip_that_struts_hold_keeps_its_angle),
        cmocka_unit_test(the_end_of_a_rope_that_is_welded_sticks_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
