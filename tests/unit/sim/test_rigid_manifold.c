// Contact of two rigid shapes: distances and normals against brute force, and manifolds of known poses.
#include "helper_sheet.h"

#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static double between(double low, double high)
{
    return low + (high - low) * scene_uniform(&seed);
}

static void random_axes(struct sim_proxy *proxy)
{
    double q[4], length2;
    do {
        length2 = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = between(-1, 1);
            length2 += q[i] * q[i];
        }
    } while (length2 < 0.01);
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(length2);
    }
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(proxy->axes, axes, sizeof axes);
}

static struct sim_proxy upright(enum sim_proxy_form form, double x, double y, double z)
{
    return (struct sim_proxy){.form = form, .position = {x, y, z}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static struct sim_proxy random_proxy(enum sim_proxy_form form, double away)
{
    struct sim_proxy proxy = upright(form, between(-away, away), between(-away, away), between(-away, away));
    random_axes(&proxy);
    if (form == SIM_PROXY_BOX) {
        for (int i = 0; i < 3; i++) {
            proxy.half_extents[i] = between(0.1, 0.6);
        }
    } else if (form == SIM_PROXY_CYLINDER) {
        proxy.half_extents[0] = between(0.1, 0.6);
        proxy.half_extents[1] = between(0.1, 0.6);
    } else if (form != SIM_PROXY_PLANE) {
        proxy.radius = between(0.05, 0.4);
        proxy.half_length = form == SIM_PROXY_CAPSULE ? between(0.05, 0.6) : 0;
    }
    return proxy;
}

// The point of the core (a point, a segment, a box or a cylinder) that is nearest to p.
static void core_nearest(const struct sim_proxy *proxy, const double p[3], double out[3])
{
    double from[3];
    for (int k = 0; k < 3; k++) {
        from[k] = p[k] - proxy->position[k];
        out[k] = proxy->position[k];
    }
    if (proxy->form == SIM_PROXY_CYLINDER) {
        const double along = sim_dot(proxy->axes[1], from);
        const double kept = fmin(fmax(along, -proxy->half_extents[1]), proxy->half_extents[1]);
        const double ring = sqrt(fmax(sim_dot(from, from) - along * along, 0));
        const double part = ring > proxy->half_extents[0] ? proxy->half_extents[0] / ring : 1;
        for (int k = 0; k < 3; k++) {
            out[k] += kept * proxy->axes[1][k] + part * (from[k] - along * proxy->axes[1][k]);
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        double half = proxy->form == SIM_PROXY_BOX                 ? proxy->half_extents[i]
                      : proxy->form == SIM_PROXY_CAPSULE && i == 1 ? proxy->half_length
                                                                   : 0;
        const double along = fmin(fmax(sim_dot(proxy->axes[i], from), -half), half);
        for (int k = 0; k < 3; k++) {
            out[k] += along * proxy->axes[i][k];
        }
    }
}

// Projects by turns onto both cores: that comes to the nearest points of convex sets.
static double brute_distance(const struct sim_proxy *a, const struct sim_proxy *b)
{
    double p[3], q[3];
    memcpy(p, a->position, sizeof p);
    for (int i = 0; i < 4000; i++) {
        core_nearest(b, p, q);
        core_nearest(a, q, p);
    }
    return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2)) - a->radius - b->radius;
}

// How far the shape reaches along n from the origin.
static double support(const struct sim_proxy *proxy, const double n[3])
{
    double sum = sim_dot(proxy->position, n) + proxy->radius;
    if (proxy->form == SIM_PROXY_CAPSULE) {
        sum += proxy->half_length * fabs(sim_dot(proxy->axes[1], n));
    }
    if (proxy->form == SIM_PROXY_CYLINDER) {
        const double up = sim_dot(proxy->axes[1], n);
        sum += proxy->half_extents[1] * fabs(up) + proxy->half_extents[0] * sqrt(fmax(1 - up * up, 0));
    }
    for (int i = 0; proxy->form == SIM_PROXY_BOX && i < 3; i++) {
        sum += proxy->half_extents[i] * fabs(sim_dot(proxy->axes[i], n));
    }
    return sum;
}

static double gap_along(const struct sim_proxy *a, const struct sim_proxy *b, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -support(a, back) - support(b, n);
}

static double least_gap(const struct sim_manifold *manifold)
{
    double least = manifold->gap[0];
    for (uint32_t k = 1; k < manifold->count; k++) {
        least = fmin(least, manifold->gap[k]);
    }
    return least;
}

static void points_are_sound(const struct sim_manifold *manifold, const struct sim_proxy *a,
                             const struct sim_proxy *b)
{
    assert_in_range(manifold->count, 1, 4);
    assert_true(fabs(sqrt(sim_dot(manifold->normal, manifold->normal)) - 1) < 1e-9);
    for (uint32_t k = 0; k < manifold->count; k++) {
        double way[3], core[3];
        for (int i = 0; i < 3; i++) {
            way[i] = manifold->on_a[k][i] - manifold->on_b[k][i] - manifold->gap[k] * manifold->normal[i];
        }
        assert_true(sqrt(sim_dot(way, way)) < 1e-9);
        // Points that overlap lie in both shapes; none is out of its own shape.
        if (manifold->gap[k] <= 0) {
            core_nearest(a, manifold->on_a[k], core);
            for (int i = 0; i < 3; i++) {
                way[i] = manifold->on_a[k][i] - core[i];
            }
            assert_true(sqrt(sim_dot(way, way)) < a->radius + 1e-6);
            core_nearest(b, manifold->on_b[k], core);
            for (int i = 0; i < 3; i++) {
                way[i] = manifold->on_b[k][i] - core[i];
            }
            assert_true(sqrt(sim_dot(way, way)) < b->radius + 1e-6);
        }
    }
}

// Spheres, capsules, and each of these with boxes: nearest points of cores are found exactly.
static void test_round_distances(void **state)
{
    (void)state;
    seed = 11;
    int apart = 0, deep = 0;
    for (int round = 0; round < 600; round++) {
        const enum sim_proxy_form forms[2] = {(enum sim_proxy_form)(round % 2),
                                              (enum sim_proxy_form)(round / 2 % 3)};
        struct sim_proxy a = random_proxy(forms[0], 0.6), b = random_proxy(forms[1], 0.6);
        struct sim_manifold manifold;
        assert_true(sim_manifold_find(&a, &b, 10, &manifold));
        const double expected = brute_distance(&a, &b);
        if (expected > -a.radius - b.radius + 1e-3) {
            assert_true(fabs(least_gap(&manifold) - expected) < 1e-4);
            assert_true(fabs(gap_along(&a, &b, manifold.normal) - expected) < 1e-4);
            apart++;
        } else { // a core in a core: no direction leads out by a shorter way
            const double found = gap_along(&a, &b, manifold.normal);
            for (int i = 0; i < 200 && forms[0] != SIM_PROXY_SPHERE; i++) {
                struct sim_proxy any = a;
                random_axes(&any);
                assert_true(gap_along(&a, &b, any.axes[0]) < found + 2e-3);
            }
            deep++;
        }
        points_are_sound(&manifold, &a, &b);
        assert_false(sim_manifold_find(&a, &b, least_gap(&manifold) - 1e-6, &manifold));
    }
    assert_true(apart > 300 && deep > 10);
}

// Two boxes: the normal parts them by the gap, and no direction parts boxes that overlap by more than rounding and the bias.
static void test_box_axes(void **state)
{
    (void)state;
    seed = 12;
    int faces = 0, edges = 0, overlap = 0, deepest = 0;
    for (int round = 0; round < 600; round++) {
        struct sim_proxy a = random_proxy(SIM_PROXY_BOX, 0.5), b = random_proxy(SIM_PROXY_BOX, 0.5);
        struct sim_manifold manifold;
        if (!sim_manifold_find(&a, &b, 0, &manifold)) {
            continue;
        }
        const double found = gap_along(&a, &b, manifold.normal);
        assert_true(found <= 0);
        for (int i = 0; i < 300; i++) {
            struct sim_proxy any = a;
            random_axes(&any);
            assert_true(gap_along(&a, &b, any.axes[0]) < found + 2e-3);
        }
        // The corner that is deepest may be beside the face, and then no point is as deep.
        assert_true(least_gap(&manifold) > found - 1e-9 && least_gap(&manifold) <= 0);
        deepest += least_gap(&manifold) < found + 1e-9;
        points_are_sound(&manifold, &a, &b);
        overlap++;
        faces += manifold.count > 1;
        edges += manifold.count == 1;
    }
    assert_true(overlap > 200 && deepest > overlap / 2 && faces > 100 && edges > 20);
}

static bool has_point(const struct sim_manifold *manifold, double x, double y, double z, double gap)
{
    for (uint32_t k = 0; k < manifold->count; k++) {
        const double *p = manifold->on_a[k];
        if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) < 1e-9 && fabs(manifold->gap[k] - gap) < 1e-9) {
            return true;
        }
    }
    return false;
}

// Balls and capsules are as far from a cylinder as they are. A box is so within what a prism of 64 sides is off.
static void test_cylinders(void **state)
{
    (void)state;
    seed = 14;
    int apart = 0, deep = 0, boxes = 0;
    for (int round = 0; round < 600; round++) {
        static const enum sim_proxy_form forms[] = {SIM_PROXY_SPHERE, SIM_PROXY_CAPSULE, SIM_PROXY_BOX};
        struct sim_proxy a = random_proxy(forms[round % 3], 0.7), b = random_proxy(SIM_PROXY_CYLINDER, 0.7);
        struct sim_manifold manifold;
        const bool box = a.form == SIM_PROXY_BOX;
        const double expected = brute_distance(&a, &b), off = box ? 2e-3 : 1e-4;
        const bool overlap = expected < -a.radius - b.radius + 1e-3;
        if (box && !overlap) {
            continue; // what is apart corner to corner is farther than the gap
        }
        assert_true(sim_manifold_find(&a, &b, 10, &manifold));
        if (!overlap) {
            assert_true(fabs(least_gap(&manifold) - expected) < off);
            assert_true(fabs(gap_along(&a, &b, manifold.normal) - expected) < off);
            apart++;
        } else {
            // Ways out across the rim are not tried by what is round, so its way out may be longer.
            const double found = gap_along(&a, &b, manifold.normal);
            assert_true(found < 0 && least_gap(&manifold) > found - (box ? 1e-3 : 1e-9));
            for (int i = 0; box && i < 200; i++) {
                struct sim_proxy any = a;
                random_axes(&any);
                assert_true(gap_along(&a, &b, any.axes[0]) < found + 4e-3);
            }
            deep++;
            boxes += box;
        }
        b.half_extents[0] *= box ? 1.0007 : 1; // edges of the prism are so far out
        points_are_sound(&manifold, &a, &b);
    }
    assert_true(apart > 150 && deep > 100 && boxes > 50);
    // A capsule that lies on an end or along the side has two points.
    struct sim_proxy cylinder = upright(SIM_PROXY_CYLINDER, 0, 0, 0),
                     capsule = upright(SIM_PROXY_CAPSULE, 0.1, 0.6, 0);
    struct sim_manifold manifold;
    cylinder.half_extents[0] = 0.4;
    cylinder.half_extents[1] = 0.5;
    capsule.radius = 0.1;
    capsule.half_length = 1;
    const double lying[3][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}};
    memcpy(capsule.axes, lying, sizeof lying);
    assert_true(sim_manifold_find(&capsule, &cylinder, 0.01, &manifold));
    assert_int_equal(manifold.count, 2);
    assert_true(has_point(&manifold, 0.4, 0.5, 0, 0) && has_point(&manifold, -0.4, 0.5, 0, 0));
    capsule = upright(SIM_PROXY_CAPSULE, 0.49, 1.2, 0);
    capsule.radius = 0.1;
    capsule.half_length = 1;
    assert_true(sim_manifold_find(&capsule, &cylinder, 0.01, &manifold));
    assert_int_equal(manifold.count, 2);
    assert_true(has_point(&manifold, 0.39, 0.5, 0, -0.01) && has_point(&manifold, 0.39, 0.2, 0, -0.01));
    // A box that stands on an end, within it, touches with its four corners.
    struct sim_proxy box = upright(SIM_PROXY_BOX, 0, 0.7, 0);
    for (int i = 0; i < 3; i++) {
        box.half_extents[i] = 0.2;
    }
    assert_true(sim_manifold_find(&box, &cylinder, 0.01, &manifold));
    assert_int_equal(manifold.count, 4);
    assert_true(has_point(&manifold, 0.2, 0.5, 0.2, 0) && has_point(&manifold, -0.2, 0.5, -0.2, 0));
}

// A pair that is exchanged has the same gap, and the opposite normal, unless faces of both are as good.
static void test_exchange(void **state)
{
    (void)state;
    seed = 13;
    static const enum sim_proxy_form forms[] = {SIM_PROXY_SPHERE, SIM_PROXY_CAPSULE, SIM_PROXY_BOX,
                                                SIM_PROXY_PLANE};
    for (int round = 0; round < 900; round++) {
        struct sim_proxy a = random_proxy(forms[round % 3], 0.5);
        struct sim_proxy b = random_proxy(forms[round / 3 % 4], 0.5);
        struct sim_manifold forth, back;
        assert_true(sim_manifold_find(&a, &b, 10, &forth) && sim_manifold_find(&b, &a, 10, &back));
        assert_true(fabs(least_gap(&forth) - least_gap(&back)) < 2e-3);
        if (a.form != SIM_PROXY_BOX || b.form != SIM_PROXY_BOX) {
            assert_true(forth.count == back.count);
            assert_true(sim_dot(forth.normal, back.normal) < -1 + 1e-6);
        }
    }
}

static void test_known_boxes(void **state)
{
    (void)state;
    struct sim_proxy low = upright(SIM_PROXY_BOX, 0, 0, 0), high = upright(SIM_PROXY_BOX, 0.25, 0.99, 0);
    struct sim_manifold manifold;
    for (int i = 0; i < 3; i++) {
        low.half_extents[i] = high.half_extents[i] = 0.5;
    }
    // Half a brick over: the four corners of what both have in common.
    assert_true(sim_manifold_find(&high, &low, 0.001, &manifold));
    assert_int_equal(manifold.count, 4);
    assert_true(manifold.normal[1] == 1);
    for (int k = 0; k < 4; k++) {
        assert_true(has_point(&manifold, k % 2 ? -0.25 : 0.5, 0.49, k / 2 ? -0.5 : 0.5, -0.01));
    }
    // Turned by 45 degrees: an octagon of eight corners, of which four are left.
    const double r = sqrt(0.5);
    const double turned[3][3] = {{r, 0, r}, {0, 1, 0}, {-r, 0, r}};
    memcpy(high.axes, turned, sizeof turned);
    high.position[0] = 0;
    assert_true(sim_manifold_find(&high, &low, 0.001, &manifold));
    assert_int_equal(manifold.count, 4);
    double middle[3] = {0};
    for (uint32_t k = 0; k < 4; k++) {
        assert_true(fabs(manifold.gap[k] + 0.01) < 1e-9);
        assert_true(fabs(fmax(fabs(manifold.on_a[k][0]), fabs(manifold.on_a[k][2])) - 0.5) < 1e-9);
        middle[0] += manifold.on_a[k][0] / 4;
        middle[2] += manifold.on_a[k][2] / 4;
    }
    assert_true(fabs(middle[0]) + fabs(middle[2]) < 0.11); // its weight is over what is left
    // On an edge, across the edge of the other: one point.
    const double ridge[3][3] = {{r, r, 0}, {-r, r, 0}, {0, 0, 1}},
                 across[3][3] = {{1, 0, 0}, {0, r, r}, {0, -r, r}};
    memcpy(low.axes, ridge, sizeof ridge);
    memcpy(high.axes, across, sizeof across);
    high.position[1] = 2 * r * 0.5 * 2 - 0.005;
    assert_true(sim_manifold_find(&high, &low, 0.001, &manifold));
    assert_int_equal(manifold.count, 1);
    assert_true(fabs(manifold.normal[1] - 1) < 1e-9 && fabs(manifold.gap[0] + 0.005) < 1e-9);
    assert_true(fabs(manifold.on_b[0][0]) + fabs(manifold.on_b[0][2]) < 1e-9);
}

static void test_planes(void **state)
{
    (void)state;
    struct sim_proxy plane = upright(SIM_PROXY_PLANE, 5, 1, 5), box = upright(SIM_PROXY_BOX, 0, 1.4, 0);
    struct sim_proxy capsule = upright(SIM_PROXY_CAPSULE, 0, 1.2, 0);
    struct sim_manifold manifold;
    for (int i = 0; i < 3; i++) {
        box.half_extents[i] = 0.5;
    }
    assert_true(sim_manifold_find(&box, &plane, 0.01, &manifold));
    assert_int_equal(manifold.count, 4);
    assert_true(has_point(&manifold, 0.5, 0.9, -0.5, -0.1));
    assert_true(sim_manifold_find(&plane, &box, 0.01, &manifold));
    assert_true(manifold.normal[1] == -1);
    // A capsule that lies has two points, one that stands has one near the plane.
    capsule.radius = 0.25;
    capsule.half_length = 1;
    const double lying[3][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}};
    memcpy(capsule.axes, lying, sizeof lying);
    assert_true(sim_manifold_find(&capsule, &plane, 0.01, &manifold));
    assert_int_equal(manifold.count, 2);
    assert_true(has_point(&manifold, 1, 0.95, 0, -0.05) && has_point(&manifold, -1, 0.95, 0, -0.05));
    // On a box, both ends of what lies over it.
    box.position[1] = 0.5;
    box.half_extents[0] = 0.4;
    assert_true(sim_manifold_find(&capsule, &box, 0.01, &manifold));
    assert_int_equal(manifold.count, 2);
    assert_true(has_point(&manifold, 0.4, 0.95, 0, -0.05) && has_point(&manifold, -0.4, 0.95, 0, -0.05));
    // Beside another one: what both have in common.
    struct sim_proxy other = capsule;
    other.position[0] = 0.5;
    other.position[1] = 1.75;
    assert_true(sim_manifold_find(&other, &capsule, 0.01, &manifold) == false);
    other.position[1] = 1.69;
    assert_true(sim_manifold_find(&other, &capsule, 0.01, &manifold));
    assert_int_equal(manifold.count, 2);
    assert_true(has_point(&manifold, 1, 1.44, 0, -0.01) && has_point(&manifold, -0.5, 1.44, 0, -0.01));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_distances), cmocka_unit_test(test_box_axes),
        cmocka_unit_test(test_exchange),        cmocka_unit_test(test_known_boxes),
        cmocka_unit_test(test_planes),          cmocka_unit_test(test_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
