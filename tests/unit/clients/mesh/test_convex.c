// Solids as rigid bodies: mass, centre and inertia by closed forms, convex hulls that fill what is solid and leave free what is hollow,
// and meshes that are refused.
#include "helper_shapes.h"

#include "hull.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A closed outline in r and y, counterclockwise, that is turned about y; if it is open its ends lie on the axis.
static struct mesh turned(const double (*outline)[2], uint32_t count, bool open, uint32_t around)
{
    struct mesh mesh = shape_new(count * around, 2 * (open ? count - 1 : count) * around, 0);
    uint32_t *out = mesh.triangles;
    for (uint32_t i = 0; i < around; i++) {
        const double angle = 2 * PI * i / around;
        const uint32_t next = (i + 1) % around;
        for (uint32_t k = 0; k < count; k++) {
            double *p = mesh.positions + 3 * ((size_t)i * count + k);
            p[0] = outline[k][0] * cos(angle);
            p[1] = outline[k][1];
            p[2] = -outline[k][0] * sin(angle);
        }
        for (uint32_t k = 0; k + (open ? 1 : 0) < count; k++) {
            const uint32_t a = i * count + k, b = i * count + (k + 1) % count,
                           c = next * count + (k + 1) % count, d = next * count + k,
                           quad[6] = {a, d, c, a, c, b};
            memcpy(out, quad, sizeof quad);
            out += 6;
        }
    }
    struct mesh_welding welding;
    struct fault fault;
    assert_true(mesh_weld(&mesh, 1e-9, &welding, &fault));
    return mesh;
}

static struct mesh torus(double far, double near, uint32_t around, uint32_t sides)
{
    double outline[128][2];
    for (uint32_t k = 0; k < sides; k++) {
        outline[k][0] = far + near * cos(2 * PI * k / sides);
        outline[k][1] = near * sin(2 * PI * k / sides);
    }
    return turned((const double(*)[2])outline, sides, false, around);
}

static struct mesh mug(void) // 1 high, radius 0.5, 0.05 thick
{
    static const double outline[6][2] = {{0, 0}, {.5, 0}, {.5, 1}, {.45, 1}, {.45, .05}, {0, .05}};
    return turned(outline, 6, true, 32);
}

// An L of 2 x 3 x 1: the boxes (0 ... 1, 0 ... 3) and (1 ... 2, 0 ... 1).
static struct mesh letter(void)
{
    static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const uint32_t front[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    struct mesh mesh = shape_new(12, 20, 0);
    uint32_t *out = mesh.triangles;
    for (uint32_t i = 0; i < 12; i++) {
        mesh.positions[3 * (size_t)i] = outline[i % 6][0];
        mesh.positions[3 * (size_t)i + 1] = outline[i % 6][1];
        mesh.positions[3 * (size_t)i + 2] = i / 6;
    }
    for (uint32_t t = 0; t < 4; t++) {
        const uint32_t *c = front + 3 * (size_t)t, both[6] = {c[0], c[2], c[1], 6 + c[0], 6 + c[1], 6 + c[2]};
        memcpy(out, both, sizeof both);
        out += 6;
    }
    for (uint32_t a = 0; a < 6; a++) {
        const uint32_t b = (a + 1) % 6, quad[6] = {a, b, 6 + b, a, 6 + b, 6 + a};
        memcpy(out, quad, sizeof quad);
        out += 6;
    }
    return mesh;
}

// Turns all about z and x, and moves it.
static void askew(struct mesh *mesh, double by)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions + 3 * i;
        const double x = .8 * p[0] - .6 * p[1], y = .6 * p[0] + .8 * p[1];
        p[0] = x + by;
        p[1] = (5 * y - 12 * p[2]) / 13;
        p[2] = (12 * y + 5 * p[2]) / 13 - by;
    }
}

static struct mesh_solid measured(struct mesh *mesh)
{
    struct mesh_shape shape;
    struct mesh_solid solid;
    struct fault fault = {0};
    assert_true(mesh_orient(mesh, &shape, &fault));
    if (!mesh_solid(mesh, &shape, &solid, &fault)) {
        fail_msg("%s", fault.text);
    }
    return solid;
}

static void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.12g is not %.12g within %g", value, expected, tolerance);
    }
}

// ---------------------------------------------------------------------------------------------------------

// By the boxes: 3 at (.5, 1.5, .5) and 1 at (1.5, .5, .5).
static void test_an_l_has_the_measures_of_its_boxes(void **state)
{
    (void)state;
    struct mesh mesh = letter();
    const struct mesh_solid solid = measured(&mesh);
    near_to(solid.volume, 4, 1e-12);
    near_to(solid.centre[0], .75, 1e-12);
    near_to(solid.centre[1], 1.25, 1e-12);
    near_to(solid.centre[2], .5, 1e-12);
    const double xx = 3. / 4 * (1. / 12 + .0625) + 1. / 4 * (1. / 12 + .5625),
                 yy = 3. / 4 * (9. / 12 + .0625) + 1. / 4 * (1. / 12 + .5625), zz = 1. / 12;
    const double xy = 3. / 4 * (-.25 * .25) + 1. / 4 * (.75 * -.75);
    near_to(solid.inertia[0], yy + zz, 1e-12);
    near_to(solid.inertia[1], xx + zz, 1e-12);
    near_to(solid.inertia[2], xx + yy, 1e-12);
    near_to(solid.products[2], -xy, 1e-12);
    near_to(solid.products[0], 0, 1e-12);
    // Turned and far away it has the same principal moments: the trace and the determinant stay.
    const double trace = solid.inertia[0] + solid.inertia[1] + solid.inertia[2];
    askew(&mesh, 1000);
    const struct mesh_solid other = measured(&mesh);
    near_to(other.volume, 4, 1e-9);
    near_to(other.inertia[0] + other.inertia[1] + other.inertia[2], trace, 1e-9);
    mesh_deinit(&mesh);
}

// V = 2 pi^2 R r^2; about its axis R^2 + 3/4 r^2, across half of that and r^2/4. A cavity is taken away.
static void test_a_torus_and_a_hollow_ball_have_those_of_closed_forms(void **state)
{
    (void)state;
    static const double origin[3] = {0, 0, 0};
    struct mesh mesh = torus(1, .25, 240, 120);
    const struct mesh_solid solid = measured(&mesh);
    near_to(solid.volume / (2 * PI * PI * .0625), 1, 1e-3);
    near_to(solid.inertia[1] / (1 + .75 * .0625), 1, 1e-3);
    near_to(solid.inertia[0] / (.5 + .625 * .0625), 1, 1e-3);
    mesh_deinit(&mesh);
    struct mesh outer = shape_ball(1, origin, 60), inner = shape_ball(.8, origin, 60);
    for (uint32_t t = 0; t < inner.triangle_count; t++) {
        shape_turn(&inner, t);
    }
    mesh = shape_both(&outer, &inner);
    const struct mesh_solid hollow = measured(&mesh);
    near_to(hollow.volume / (4 * PI / 3 * (1 - .512)), 1, 2e-3);
    near_to(hollow.inertia[0] / (.4 * (1 - .32768) / (1 - .512)), 1, 2e-3);
    mesh_deinit(&mesh);
    mesh_deinit(&outer);
    mesh_deinit(&inner);
}

// ---------------------------------------------------------------------------------------------------------

static struct mesh_hulls cut(struct mesh *mesh, uint32_t most)
{
    const struct mesh_solid solid = measured(mesh);
    struct mesh_hulls hulls;
    struct fault fault = {0};
    if (!mesh_hulls(mesh, &solid, most, NULL, &hulls, &fault)) {
        fail_msg("%s", fault.text);
    }
    assert_true(hulls.count >= 1 && hulls.count <= most);
    return hulls;
}

// The depth inside of some hull of a point that is seen from the centre of mass; below 0 it is outside of all.
static double depth_at(const struct mesh_hulls *hulls, double x, double y, double z)
{
    double depth = -INFINITY;
    for (uint32_t i = 0; i < hulls->count; i++) {
        struct mesh_hull hull;
        double least = INFINITY;
        assert_true(mesh_hull_make(hulls->points + 3 * (size_t)hulls->firsts[i],
                                   hulls->firsts[i + 1] - hulls->firsts[i], MESH_HULL_MAX, 0, &hull));
        for (uint32_t f = 0; f < hull.plane_count; f++) {
            const double *plane = hull.planes[f];
            least = fmin(least, plane[3] - (plane[0] * x + plane[1] * y + plane[2] * z));
        }
        depth = fmax(depth, least);
    }
    return depth;
}

static void test_an_l_is_cut_into_two_boxes_also_askew(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        struct mesh mesh = letter();
        if (round == 1) {
            askew(&mesh, 3);
        }
        struct mesh_hulls hulls = cut(&mesh, MESH_HULLS_MAX);
        assert_int_equal(hulls.count, 2);
        near_to(hulls.volume, 4, 1e-6);
        mesh_hulls_deinit(&hulls);
        hulls = cut(&mesh, 1); // the hull of all
        assert_int_equal(hulls.count, 1);
        near_to(hulls.volume, 5, 1e-6);
        mesh_hulls_deinit(&hulls);
        mesh_deinit(&mesh);
    }
}

static void test_a_torus_keeps_its_hole(void **state)
{
    (void)state;
    struct mesh mesh = torus(1, .25, 48, 24);
    const struct mesh_solid solid = measured(&mesh);
    struct mesh_hulls hulls = cut(&mesh, MESH_HULLS_MAX), again = cut(&mesh, MESH_HULLS_MAX);
    near_to(hulls.volume / solid.volume, 1, .03);
    for (int k = 0; k < 60; k++) {
        const double c = cos(2 * PI * k / 60), s = sin(2 * PI * k / 60);
        assert_true(depth_at(&hulls, c, 0, s) > -2e-3);
        assert_true(depth_at(&hulls, .7 * c, 0, .7 * s) < -.02);
    }
    assert_true(depth_at(&hulls, 0, 0, 0) < -.5);
    assert_int_equal(hulls.count, again.count);
    assert_memory_equal(hulls.firsts, again.firsts, sizeof hulls.firsts);
    assert_memory_equal(hulls.points, again.points, 3 * hulls.firsts[hulls.count] * sizeof *hulls.points);
    mesh_hulls_deinit(&hulls);
    mesh_hulls_deinit(&again);
    mesh_deinit(&mesh);
}

static void test_a_mug_stays_hollow(void **state)
{
    (void)state;
    struct mesh mesh = mug();
    const double low = -measured(&mesh).centre[1];
    for (uint32_t most = 12; most <= MESH_HULLS_MAX; most += 20) {
        struct mesh_hulls hulls = cut(&mesh, most);
        for (int k = 0; k < 32; k++) {
            const double c = cos(2 * PI * k / 32), s = sin(2 * PI * k / 32);
            assert_true(depth_at(&hulls, .475 * c, low + .5, .475 * s) > -2e-3); // the wall
            assert_true(depth_at(&hulls, .4 * c, low + .025, .4 * s) > -2e-3);   // the floor
            assert_true(depth_at(&hulls, .3 * c, low + .2, .3 * s) < -.05);      // and what it holds
        }
        mesh_hulls_deinit(&hulls);
    }
    mesh_deinit(&mesh);
}

static bool stop(void *context, const char *stage, double share)
{
    (void)context;
    (void)stage;
    return share < 0;
}

static void test_it_stops_when_it_is_told_to(void **state)
{
    (void)state;
    const struct mesh_watch watch = {.report = stop};
    struct mesh mesh = mug();
    const struct mesh_solid solid = measured(&mesh);
    struct mesh_hulls hulls;
    struct fault fault;
    assert_false(mesh_hulls(&mesh, &solid, 9, &watch, &hulls, &fault));
    assert_int_equal(fault.code, FAULT_CANCELLED);
    mesh_hulls_deinit(&hulls);
    mesh_deinit(&mesh);
}

// ---------------------------------------------------------------------------------------------------------

static void refused(struct mesh *mesh, const char *text)
{
    struct mesh_shape shape;
    struct mesh_solid solid;
    struct mesh_hulls hulls = {0};
    struct fault fault = {0};
    assert_true(mesh_orient(mesh, &shape, &fault));
    assert_false(mesh_solid(mesh, &shape, &solid, &fault) &&
                 mesh_hulls(mesh, &solid, 8, NULL, &hulls, &fault));
    assert_int_equal(fault.code, FAULT_INVALID);
    if (!strstr(fault.text, text)) {
        fail_msg("\"%s\" does not say \"%s\"", fault.text, text);
    }
    mesh_hulls_deinit(&hulls);
    mesh_deinit(mesh);
}

static void test_what_is_no_solid_is_refused(void **state)
{
    (void)state;
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, flat[3] = {1, 1, 1e-3},
                        origin[3] = {0, 0, 0}, beside[3] = {.5, 0, 0};
    struct mesh mesh = shape_box(low, high);
    mesh.triangle_count--;
    refused(&mesh, "it is not closed: 3 edges have no triangle on one side, the first at ");
    mesh = shape_sheet(3, 3, 1);
    refused(&mesh, "it is not closed: 8 edges");
    mesh = shape_box(low, flat);
    refused(&mesh, "it is too thin for a rigid body");
    mesh = shape_box(low, (const double[3]){1, 1, 0});
    refused(&mesh, "which is nothing for a mesh of 1 m");
    struct mesh one = shape_ball(1, origin, 20), other = shape_ball(1, beside, 20);
    mesh = shape_both(&one, &other);
    refused(&mesh, "parts of it overlap: about 4");
    mesh_deinit(&one);
    mesh_deinit(&other);
    // A Moebius strip of ten quadrangles.
    mesh = shape_new(20, 20, 0);
    for (uint32_t i = 0; i < 10; i++) {
        const double angle = 2 * PI * i / 10, half = angle / 2;
        for (uint32_t side = 0; side < 2; side++) {
            const double off = side ? .3 : -.3;
            double *p = mesh.positions + 3 * (2 * (size_t)i + side);
            p[0] = (1 + off * cos(half)) * cos(angle);
            p[1] = (1 + off * cos(half)) * sin(angle);
            p[2] = off * sin(half);
        }
        const uint32_t a = 2 * i, b = a + 1, c = i < 9 ? a + 2 : 1, d = i < 9 ? a + 3 : 0,
                       quad[6] = {a, c, d, a, d, b};
        memcpy(mesh.triangles + 6 * (size_t)i, quad, sizeof quad);
    }
    refused(&mesh, "has only one side");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_l_has_the_measures_of_its_boxes),
        cmocka_unit_test(test_a_torus_and_a_hollow_ball_have_those_of_closed_forms),
        cmocka_unit_test(test_an_l_is_cut_into_two_boxes_also_askew),
        cmocka_unit_test(test_a_torus_keeps_its_hole),
        cmocka_unit_test(test_a_mug_stays_hollow),
        cmocka_unit_test(test_it_stops_when_it_is_told_to),
        cmocka_unit_test(test_what_is_no_solid_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
