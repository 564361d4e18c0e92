// Proxies of shapes: what they are made of, and how large they are. manifold.h says what a proxy is.

#include "sim/rigid/touching.h"

#include "sim/ground/vector.h"

#include <float.h>

void sim_proxy_of(const struct sim_rigid_shape *shape, const struct sim_hull *hull, struct sim_proxy *proxy)
{
    *proxy = (struct sim_proxy){.radius = (double)shape->radius, .half_length = (double)shape->half_height};
    switch (shape->form) {
    case SIM_RIGID_SPHERE:
        proxy->form = SIM_PROXY_SPHERE;
        proxy->half_length = 0;
        break;
    case SIM_RIGID_CAPSULE:
        proxy->form = SIM_PROXY_CAPSULE;
        break;
    case SIM_RIGID_HULL:
        proxy->form = SIM_PROXY_HULL;
        proxy->hull = hull;
        break;
    case SIM_RIGID_COMPOUND:
        proxy->form = SIM_PROXY_COMPOUND;
        break;
    case SIM_RIGID_BOX:
        proxy->form = SIM_PROXY_BOX;
        proxy->radius = proxy->half_length = 0;
        for (int axis = 0; axis < 3; axis++) {
            proxy->half_extents[axis] = (double)shape->half_extents[axis];
        }
        break;
    }
}

// The part of a piece that stands where the proxy does.
static void part_of(const struct sim_proxy *whole, const struct sim_rigid_placed *placed,
                    struct sim_proxy *part)
{
    sim_proxy_of(&placed->shape, placed->hull, part);
    for (int i = 0; i < 3; i++) {
        part->position[i] =
            whole->position[i] +
            ((placed->position[0] * whole->axes[0][i] + placed->position[1] * whole->axes[1][i]) +
             placed->position[2] * whole->axes[2][i]);
        for (int axis = 0; axis < 3; axis++) {
            part->axes[i][axis] =
                (placed->axes[i][0] * whole->axes[0][axis] + placed->axes[i][1] * whole->axes[1][axis]) +
                placed->axes[i][2] * whole->axes[2][axis];
        }
    }
}

uint32_t sim_proxy_parts(const struct sim_proxy *whole, struct sim_proxy parts[SIM_RIGID_PARTS_MAX])
{
    if (!whole->compound) {
        parts[0] = *whole;
        return 1;
    }
    for (uint32_t i = 0; i < whole->compound->count; i++) {
        part_of(whole, &whole->compound->placed[i], &parts[i]);
    }
    return whole->compound->count;
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

static void compound_extents(const struct sim_proxy *whole, double half[3])
{
    struct sim_proxy parts[SIM_RIGID_PARTS_MAX];
    const uint32_t count = sim_proxy_parts(whole, parts);
    half[0] = half[1] = half[2] = 0;
    for (uint32_t i = 0; i < count; i++) {
        double own[3];
        sim_proxy_extents(&parts[i], own);
        for (int axis = 0; axis < 3; axis++) {
            const double all = __builtin_fabs(parts[i].position[axis] - whole->position[axis]) + own[axis];
            half[axis] = all > half[axis] ? all : half[axis];
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
        compound_extents(proxy, half);
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

static double compound_reach(const struct sim_rigid_compound *compound)
{
    double most = 0;
    for (uint32_t i = 0; i < compound->count; i++) {
        const double *at = compound->placed[i].position;
        const double reach = __builtin_sqrt(sim_dot(at, at)) + compound->placed[i].reach;
        most = reach > most ? reach : most;
    }
    return most;
}

double sim_proxy_reach(const struct sim_proxy *proxy)
{
    switch (proxy->form) {
    case SIM_PROXY_BOX:
        return __builtin_sqrt(sim_dot(proxy->half_extents, proxy->half_extents));
    case SIM_PROXY_HULL:
        return hull_reach(proxy->hull);
    case SIM_PROXY_COMPOUND:
        return compound_reach(proxy->compound);
    case SIM_PROXY_CYLINDER:
        return __builtin_sqrt(proxy->half_extents[0] * proxy->half_extents[0] +
                              proxy->half_extents[1] * proxy->half_extents[1]);
    case SIM_PROXY_CAPSULE:
        return proxy->radius + proxy->half_length;
    default:
        return proxy->radius;
    }
}

// The least of its parts.
static double compound_inner(const struct sim_rigid_compound *compound)
{
    double least = 0;
    for (uint32_t i = 0; i < compound->count; i++) {
        struct sim_proxy part;
        sim_proxy_of(&compound->placed[i].shape, compound->placed[i].hull, &part);
        const double inner = sim_proxy_inner(&part);
        least = i == 0 || inner < least ? inner : least;
    }
    return least;
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
        return compound_inner(proxy->compound);
    case SIM_PROXY_CYLINDER:
        return half[0] < half[1] ? half[0] : half[1];
    case SIM_PROXY_PLANE:
    case SIM_PROXY_FIELD:
        return DBL_MAX;
    default:
        return proxy->radius;
    }
}
