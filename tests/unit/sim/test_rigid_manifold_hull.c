// Contact of hulls: boxes that are given as hulls against boxes, and random hulls against directions.
#include "helper_sheet.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"
#include "sim/state/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static double between(double low, double high)
{
    return low + (high - low) * scene_uniform(&seed);
}

static void random_axes(double axes[3][3])
{
    double length;
    for (int i = 0; i < 2; i++) {
        do {
            for (int k = 0; k < 3; k++) {
                axes[i][k] = between(-1, 1);
            }
            const double along = i == 0 ? 0 : sim_dot(axes[0], axes[1]);
            for (int k = 0; k < 3; k++) {
                axes[i][k] -= along * axes[0][k];
            }
            length = sqrt(sim_dot(axes[i], axes[i]));
        } while (length < 0.1);
        for (int k = 0; k < 3; k++) {
            axes[i][k] /= length;
        }
    }
    sim_cross(axes[0], axes[1], axes[2]);
}

static struct sim_hull *hull_of(const double *points, uint32_t count)
{
    struct sim_hull *hull = NULL;
    struct fault fault;
    assert_int_equal(sim_hull_make(points, count, 1e9, &hull, &fault), FAULT_NONE);
    sim_polyhedron_make(hull);
    return hull;
}

static struct sim_hull *box_hull(const double half[3])
{
    double points[24];
    for (int i = 0; i < 24; i++) {
        points[i] = (i / 3 >> (i % 3) & 1) != 0 ? half[i % 3] : -half[i % 3];
    }
    return hull_of(points, 8);
}

static struct sim_hull *random_hull(uint32_t count, double size)
{
    double points[3 * 64];
    for (uint32_t i = 0; i < 3 * count; i++) {
        points[i] = between(-size, size);
    }
    return hull_of(points, count);
}

static struct sim_proxy random_place(double away)
{
    struct sim_proxy proxy = {.position = {between(-away, away), between(-away, away), between(-away, away)}};
    random_axes(proxy.axes);
    return proxy;
}

// Half extents that floats hold, so that the hull has them as well.
static struct sim_proxy random_box(double away)
{
    struct sim_proxy proxy = random_place(away);
    proxy.form = SIM_PROXY_BOX;
    for (int i = 0; i < 3; i++) {
        proxy.half_extents[i] = (double)(int)between(100, 600) / 1024;
    }
    return proxy;
}

static struct sim_proxy as_hull(const struct sim_proxy *box)
{
    struct sim_proxy proxy = *box;
    proxy.form = SIM_PROXY_HULL;
    proxy.hull = box_hull(box->half_extents);
    return proxy;
}

static double least_gap(const struct sim_manifold *manifold)
{
    double least = manifold->gap[0];
    for (uint32_t k = 1; k < manifold->count; k++) {
        least = fmin(least, manifold->gap[k]);
    }
    return least;
}

// Whether each point of one manifold is one of the other.
static bool same_points(const struct sim_manifold *one, const struct sim_manifold *other)
{
    bool all = one->count == other->count;
    for (uint32_t k = 0; all && k < one->count; k++) {
        bool found = false;
        for (uint32_t i = 0; i < other->count; i++) {
            double away = fabs(one->gap[k] - other->gap[i]);
            for (int axis = 0; axis < 3; axis++) {
                away += fabs(one->on_a[k][axis] - other->on_a[i][axis]) +
                        fabs(one->on_b[k][axis] - other->on_b[i][axis]);
            }
            found = found || away < 1e-6;
        }
        all = found;
    }
    return all;
}

static void a_box_has_six_faces(void **state)
{
    (void)state;
    seed = 3;
    for (int round = 0; round < 50; round++) {
        double axes[3][3], points[27];
        random_axes(axes);
        for (int i = 0; i < 27;
             i++) { // turned, so its corners lie beside the planes of faces, and with a point inside
            const double signs[3] = {i / 3 & 1 ? .5 : -.5, i / 3 & 2 ? .3 : -.3, i / 3 & 4 ? .2 : -.2};
            points[i] =
                i >= 24 ? 0
                        : (signs[0] * axes[0][i % 3] + signs[1] * axes[1][i % 3]) + signs[2] * axes[2][i % 3];
        }
        struct sim_hull *hull = hull_of(points, 9);
        assert_int_equal(hull->whole.vertex_count, 8);
        assert_int_equal(hull->whole.face_count, 6);
        assert_int_equal(hull->whole.edge_count, 12);
        for (uint32_t f = 0; f < 6; f++) {
            assert_int_equal(hull->whole.faces[f].count, 4);
        }
        free(hull);
    }
}

// Euler's formula, faces that have all below them, and edges between faces that have both of their ends.
static void faces_of_random_hulls_are_sound(void **state)
{
    (void)state;
    seed = 4;
    for (int round = 0; round < 60; round++) {
        struct sim_hull *hull = random_hull(4 + (uint32_t)round, 1);
        const struct sim_polyhedron *whole = &hull->whole;
        assert_int_equal(whole->vertex_count + whole->face_count, whole->edge_count + 2);
        for (uint32_t f = 0; f < whole->face_count; f++) {
            for (uint32_t i = 0; i < hull->vertex_count; i++) {
                assert_true(sim_dot(whole->faces[f].normal, hull->vertices[i]) <=
                            whole->faces[f].offset + 1e-12);
            }
        }
        for (uint32_t e = 0; e < whole->edge_count; e++) {
            const struct sim_polyhedron_edge *edge = &whole->edges[e];
            double way[3], across[3];
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = hull->vertices[edge->to][axis] - hull->vertices[edge->from][axis];
            }
            sim_cross(whole->faces[edge->left].normal, whole->faces[edge->right].normal, across);
            assert_true(sim_dot(way, across) > 0); // the left one is on the left
        }
        free(hull);
    }
}

// Boxes as hulls touch as boxes do: with boxes, with each other, with what is round and with planes.
static void boxes_as_hulls_touch_as_boxes(void **state)
{
    (void)state;
    seed = 5;
    int touched = 0, same = 0, apart = 0;
    for (int round = 0; round < 1200; round++) {
        struct sim_proxy a = random_box(0.5), b = random_box(0.5);
        const double margin = round % 2 ? 0 : 0.2;
        if (round % 4 >= 2) {
            a.form = round / 4 % 2 ? SIM_PROXY_SPHERE : SIM_PROXY_CAPSULE;
            a.radius = between(0.05, 0.4);
            a.half_length = a.form == SIM_PROXY_CAPSULE ? between(0.05, 0.6) : 0;
        } else if (round / 4 % 6 == 0) {
            a.form = SIM_PROXY_PLANE;
        }
        struct sim_proxy hull_a = a.form == SIM_PROXY_BOX ? as_hull(&a) : a, hull_b = as_hull(&b);
        struct sim_manifold wanted, found;
        const bool touches = sim_manifold_find(&a, &b, margin, &wanted);
        assert_true(sim_manifold_find(&hull_a, &hull_b, margin, &found) == touches);
        if (touches) {
            assert_true(fabs(least_gap(&found) - least_gap(&wanted)) < 1e-3);
            touched++;
            apart += least_gap(&wanted) > 0;
            same += sim_dot(wanted.normal, found.normal) > 1 - 1e-9 && same_points(&wanted, &found);
            assert_true(sim_manifold_find(&a, &hull_b, margin, &found));
            assert_true(fabs(least_gap(&found) - least_gap(&wanted)) < 1e-3);
        }
        free(a.form == SIM_PROXY_BOX ? (void *)(uintptr_t)hull_a.hull : NULL);
        free((void *)(uintptr_t)hull_b.hull);
    }
    // The choice may differ if a face is as good as another one, or if an octagon is cut to four.
    assert_true(touched > 500 && apart > 100);
    assert_true(same > 9 * touched / 10);
}

static double support(const struct sim_proxy *proxy, const double n[3])
{
    double most = -1e9;
    for (uint32_t i = 0; i < proxy->hull->vertex_count; i++) {
        const double *v = proxy->hull->vertices[i];
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = proxy->position[axis] + ((v[0] * proxy->axes[0][axis] + v[1] * proxy->axes[1][axis]) +
                                                v[2] * proxy->axes[2][axis]);
        }
        most = fmax(most, sim_dot(at, n));
    }
    return most;
}

static double gap_along(const struct sim_proxy *a, const struct sim_proxy *b, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -support(a, back) - support(b, n);
}

static void turned(const struct sim_proxy *proxy, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * proxy->axes[0][axis] + v[1] * proxy->axes[1][axis]) + v[2] * proxy->axes[2][axis];
    }
}

static double best_gap(const struct sim_proxy *a, const struct sim_proxy *b)
{
    double best = -1e9, one[3], other[3], n[3];
    for (int side = 0; side < 2; side++) {
        const struct sim_proxy *own = side == 0 ? a : b;
        for (uint32_t f = 0; f < own->hull->face_count; f++) {
            turned(own, own->hull->faces[f].normal, n);
            for (int k = 0; k < 3; k++) {
                n[k] *= side == 0 ? -1 : 1;
            }
            best = fmax(best, gap_along(a, b, n));
        }
    }
    for (uint32_t e = 0; e < a->hull->edge_count; e++) {
        turned(a, a->hull->edges[e].way, one);
        for (uint32_t f = 0; f < b->hull->edge_count; f++) {
            turned(b, b->hull->edges[f].way, other);
            sim_cross(one, other, n);
            const double length = sqrt(sim_dot(n, n));
            for (int sign = -1; length > 1e-3 && sign < 2; sign += 2) {
                const double unit[3] = {sign * n[0] / length, sign * n[1] / length, sign * n[2] / length};
                best = fmax(best, gap_along(a, b, unit));
            }
        }
    }
    return best;
}

// The normal parts two hulls by the gap, and no other direction is better by more than the bias.
static void no_direction_parts_hulls_better(void **state)
{
    (void)state;
    seed = 6;
    int overlap = 0, edges = 0, lost = 0;
    for (int round = 0; round < 400; round++) {
        struct sim_proxy a = random_place(0.4), b = random_place(0.4);
        struct sim_manifold manifold, back;
        a.form = b.form = SIM_PROXY_HULL;
        a.hull = random_hull(4 + (uint32_t)round % 20, 0.5);
        b.hull = random_hull(4 + (uint32_t)round / 40, 0.5);
        if (sim_manifold_find(&a, &b, 0, &manifold)) {
            const double found = gap_along(&a, &b, manifold.normal);
            assert_true(found <= 1e-9);
            // All directions that could be better: across any two edges, and along the normal of any face.
            assert_true(best_gap(&a, &b) < found + 2e-3);
            assert_true(fabs(sqrt(sim_dot(manifold.normal, manifold.normal)) - 1) < 1e-9);
            for (uint32_t k = 0; k < manifold.count; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    assert_near(manifold.on_a[k][axis] - manifold.on_b[k][axis],
                                manifold.gap[k] * manifold.normal[axis], 1e-9);
                }
                assert_true(manifold.gap[k] > found - 1e-9 && manifold.gap[k] <= 0);
            }
            assert_true(sim_manifold_find(&b, &a, 0, &back));
            assert_near(gap_along(&b, &a, back.normal), found, 2e-3);
            overlap++;
            edges += manifold.count == 1;
        } else {
            // Some direction parts them, and the search has found one. A few have no point over the other at a margin of 0.
            assert_true(!sim_manifold_find(&a, &b, 0, &back));
            lost += !sim_manifold_find(&a, &b, 3, &manifold) || gap_along(&a, &b, manifold.normal) < -1e-9;
        }
        free((void *)(uintptr_t)a.hull);
        free((void *)(uintptr_t)b.hull);
    }
    assert_true(overlap > 100 && edges > 10);
    assert_int_equal(lost, 0);
}

// A ball beside a hull is as far as the nearest point of its triangles.
static double triangle_distance(const double p[3], const double *a, const double *b, const double *c)
{
    double best = 1e9;
    const double *corners[3] = {a, b, c};
    double best_at[3] = {1. / 3, 1. / 3, 1. / 3}, step = 0.5;
    for (int pass = 0; pass < 40; pass++, step *= 0.7) { // by smaller and smaller grids
        double middle[3];
        memcpy(middle, best_at, sizeof middle);
        for (int i = -4; i <= 4; i++) {
            for (int k = -4; k <= 4; k++) {
                const double u = fmin(fmax(middle[0] + i * step / 4, 0), 1);
                const double v = fmin(fmax(middle[1] + k * step / 4, 0), 1 - u);
                double away2 = 0;
                for (int axis = 0; axis < 3; axis++) {
                    const double at =
                        u * corners[0][axis] + v * corners[1][axis] + (1 - u - v) * corners[2][axis];
                    away2 += (p[axis] - at) * (p[axis] - at);
                }
                if (sqrt(away2) < best) {
                    best = sqrt(away2);
                    best_at[0] = u;
                    best_at[1] = v;
                }
            }
        }
    }
    return best;
}

static void a_ball_is_as_far_as_the_nearest_triangle(void **state)
{
    (void)state;
    seed = 8;
    int outside = 0;
    for (int round = 0; round < 60; round++) {
        struct sim_proxy ball = {
            .form = SIM_PROXY_SPHERE, .radius = 0.05, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        struct sim_proxy hull = {.form = SIM_PROXY_HULL, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        struct sim_manifold manifold;
        hull.hull = random_hull(12, 0.4);
        for (int axis = 0; axis < 3; axis++) {
            ball.position[axis] = between(-0.8, 0.8);
        }
        double least = 1e9, deepest = -1e9;
        for (uint32_t f = 0; f < hull.hull->face_count; f++) {
            const struct sim_hull_face *face = &hull.hull->faces[f];
            least = fmin(least, triangle_distance(ball.position, hull.hull->vertices[face->corners[0]],
                                                  hull.hull->vertices[face->corners[1]],
                                                  hull.hull->vertices[face->corners[2]]));
            deepest = fmax(deepest, sim_dot(face->normal, ball.position) - face->offset);
        }
        assert_true(sim_manifold_find(&ball, &hull, 10, &manifold));
        assert_near(manifold.gap[0], (deepest > 0 ? least : deepest) - ball.radius, 1e-4);
        assert_false(sim_manifold_find(&ball, &hull, manifold.gap[0] - 1e-6, &manifold));
        outside += deepest > 0;
        free((void *)(uintptr_t)hull.hull);
    }
    assert_true(outside > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_six_faces),
        cmocka_unit_test(faces_of_random_hulls_are_sound),
        cmocka_unit_test(boxes_as_hulls_touch_as_boxes),
        cmocka_unit_test(no_direction_parts_hulls_better),
        cmocka_unit_test(a_ball_is_as_far_as_the_nearest_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
