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

// The box is about the position of the hull, which need not be its middle.
static void hull_extents(const struct sim_proxy *proxy, double half[3])
{
    const struct sim_hull *hull = proxy->hull;
    for (int axis = 0; axis < 3; axis++) {
        const double along[3] = {proxy->axes[0][axis], proxy->axes[1][axis], proxy->axes[2][axis]};
        half[axis] = 0;
        for (uint32_t i = 0; i < hull->vertex_count; i++) {
            const double away = __builtin_fabs(sim_dot(along, hull->vertices[i]));
            half[axis] = away > half[axis] ? away : half[axis];
        }
    }
}

void sim_proxy_extents(const struct sim_proxy *proxy, double half[3])
{
    if (proxy->form == SIM_PROXY_HULL) {
        hull_extents(proxy, half);
        return;
    }
    if (proxy->form == SIM_PROXY_COMPOUND) {
        sim_compound_extents(proxy, half);
        return;
    }
    const double *half_of = proxy->half_extents;
    for (int axis = 0; axis < 3; axis++) {
        double sum = proxy->radius;
        if (proxy->form == SIM_PROXY_CAPSULE) {
            sum += proxy->half_length * __builtin_fabs(proxy->axes[1][axis]);
        } else if (proxy->form == SIM_PROXY_CYLINDER) {
            const double up = proxy->axes[1][axis], across = 1 - up * up;
            sum = half_of[1] * __builtin_fabs(up) + half_of[0] * __builtin_sqrt(across > 0 ? across : 0);
        } else if (proxy->form == SIM_PROXY_BOX) {
            sum = (proxy->half_extents[0] * __builtin_fabs(proxy->axes[0][axis]) +
                   proxy->half_extents[1] * __builtin_fabs(proxy->axes[1][axis])) +
                  proxy->half_extents[2] * __builtin_fabs(proxy->axes[2][axis]);
        }
        half[axis] = sum;
    }
}

static double hull_reach(const struct sim_hull *hull)
{
    double most2 = 0;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const double size2 = sim_dot(hull->vertices[i], hull->vertices[i]);
        most2 = size2 > most2 ? size2 : most2;
    }
    return __builtin_sqrt(most2);
}

double sim_proxy_reach(const struct sim_proxy *proxy)
{
    switch (proxy->form) {
    case SIM_PROXY_BOX:
        return __builtin_sqrt(sim_dot(proxy->half_extents, proxy->half_extents));
    case SIM_PROXY_HULL:
        return hull_reach(proxy->hull);
    case SIM_PROXY_COMPOUND:
        return sim_compound_reach(proxy->compound);
    case SIM_PROXY_CYLINDER:
        return __builtin_sqrt(proxy->half_extents[0] * proxy->half_extents[0] +
                              proxy->half_extents[1] * proxy->half_extents[1]);
    case SIM_PROXY_CAPSULE:
        return proxy->radius + proxy->half_length;
    default:
        return proxy->radius;
    }
}

double sim_proxy_inner(const struct sim_proxy *proxy)
{
    const double *half = proxy->half_extents;
    switch (proxy->form) {
    case SIM_PROXY_BOX: {
        const double least = half[0] < half[1] ? half[0] : half[1];
        return least < half[2] ? least : half[2];
    }
    case SIM_PROXY_HULL:
        return proxy->hull->inner;
    case SIM_PROXY_COMPOUND:
        return sim_compound_inner(proxy->compound);
    case SIM_PROXY_CYLINDER:
        return half[0] < half[1] ? half[0] : half[1];
    case SIM_PROXY_PLANE:
    case SIM_PROXY_FIELD:
        return DBL_MAX;
    default:
        return proxy->radius;
    }
}
