// Picks the test of a pair of shapes, and tests shapes against planes. manifold.h says what a manifold is.

#include "sim/rigid/manifold.h"

#include "base/assert.h"
#include "sim/ground/vector.h"
#include "sim/state/motion.h"

#include <float.h>

// Adds a point of a above the plane b.
static void add_above(const struct sim_proxy *plane, const double on_a[3], double margin,
                      struct sim_manifold *manifold)
{
    const double *normal = plane->axes[1];
    double from[3], on_b[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = on_a[axis] - plane->position[axis];
    }
    const double gap = sim_dot(from, normal);
    for (int axis = 0; axis < 3; axis++) {
        on_b[axis] = on_a[axis] - gap * normal[axis];
    }
    sim_manifold_add(manifold, on_b, gap, margin);
}

static void round_above(const struct sim_proxy *a, const struct sim_proxy *plane, double margin,
                        struct sim_manifold *manifold)
{
    const double half = a->form == SIM_PROXY_CAPSULE ? a->half_length : 0;
    for (int end = 0; end < (half > 0 ? 2 : 1); end++) {
        const double along = end == 0 ? half : -half;
        double on_a[3];
        for (int axis = 0; axis < 3; axis++) {
            on_a[axis] = (a->position[axis] + along * a->axes[1][axis]) - a->radius * plane->axes[1][axis];
        }
        add_above(plane, on_a, margin, manifold);
    }
}

// The lowest corner is one of the face that looks down most, and its others are the next ones to touch.
static void box_above(const struct sim_proxy *a, const struct sim_proxy *plane, double margin,
                      struct sim_manifold *manifold)
{
    static const double sides[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double slopes[3];
    int face = 0;
    for (int i = 0; i < 3; i++) {
        slopes[i] = sim_dot(a->axes[i], plane->axes[1]);
    }
    for (int i = 1; i < 3; i++) {
        const double most = slopes[face] < 0 ? -slopes[face] : slopes[face];
        face = (slopes[i] < 0 ? -slopes[i] : slopes[i]) > most + 1e-9 ? i : face;
    }
    const int u = (face + 1) % 3, v = (face + 2) % 3;
    const double down = slopes[face] > 0 ? -a->half_extents[face] : a->half_extents[face];
    for (int k = 0; k < 4; k++) {
        double corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = ((a->position[axis] + down * a->axes[face][axis]) +
                            sides[k][0] * a->half_extents[u] * a->axes[u][axis]) +
                           sides[k][1] * a->half_extents[v] * a->axes[v][axis];
        }
        add_above(plane, corner, margin, manifold);
    }
}

static bool above_plane(const struct sim_proxy *a, const struct sim_proxy *plane, double margin,
                        struct sim_manifold *manifold)
{
    for (int axis = 0; axis < 3; axis++) {
        manifold->normal[axis] = plane->axes[1][axis];
    }
    if (a->form == SIM_PROXY_BOX) {
        box_above(a, plane, margin, manifold);
    } else if (a->form == SIM_PROXY_HULL) {
        sim_manifold_hull_above(a, plane, margin, manifold);
    } else {
        round_above(a, plane, margin, manifold);
    }
    return manifold->count > 0;
}

// Exchanges the two shapes.
static void turn_over(struct sim_manifold *manifold)
{
    for (int axis = 0; axis < 3; axis++) {
        manifold->normal[axis] = -manifold->normal[axis];
        for (uint32_t k = 0; k < manifold->count; k++) {
            const double on_a = manifold->on_a[k][axis];
            manifold->on_a[k][axis] = manifold->on_b[k][axis];
            manifold->on_b[k][axis] = on_a;
        }
    }
}

bool sim_manifold_find(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                       struct sim_manifold *manifold)
{
    manifold->count = 0;
    BASE_ASSERT(a->form != SIM_PROXY_PLANE || b->form != SIM_PROXY_PLANE);
    if (a->form > b->form) {
        const bool found = sim_manifold_find(b, a, margin, manifold);
        turn_over(manifold);
        return found;
    }
    if (b->form == SIM_PROXY_PLANE) {
        return above_plane(a, b, margin, manifold);
    }
    if (b->form == SIM_PROXY_CYLINDER && a->form < SIM_PROXY_BOX) {
        return sim_manifold_round_cylinder(a, b, margin, manifold);
    }
    if (b->form >= SIM_PROXY_HULL) {
        return a->form >= SIM_PROXY_BOX ? sim_manifold_hulls(a, b, margin, manifold)
                                        : sim_manifold_round_hull(a, b, margin, manifold);
    }
    if (b->form == SIM_PROXY_BOX) {
        return a->form == SIM_PROXY_BOX ? sim_manifold_boxes(a, b, margin, manifold)
                                        : sim_manifold_round_box(a, b, margin, manifold);
    }
    return sim_manifold_round(a, b, margin, manifold);
}
