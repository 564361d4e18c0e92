// The energy of a body and what it touches, its slope, and the blocks of its second derivative.
//
// An edge of length l and direction u has the force k (l - L) along u and the blocks
//
//     k u u' + max(0, k (l - L)/l) (1 - u u')
//
// The second part is what a taut edge resists across its direction. Without it a step of Newton tears a net apart.
//
// A contact pushes with K times its depth along n. Friction holds f = mu K depth, of the depth where the last step of Newton
// ended, and its potential is f |t|, rounded off below SLIP:
//
//     block:  K n n' + f / max(|t|, SLIP) (1 - n n')

#include "sim/bear/system.h"
#include "sim/contact/foot.h"
#include "sim/ground/vector.h"

#define SLIP 1e-7 // m a substep, below which friction grows with the way

static double length_of(const double (*x)[3], const struct sim_bear_edge *edge, double way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = x[edge->points[0]][axis] - x[edge->points[1]][axis];
    }
    return __builtin_sqrt(sim_dot(way, way));
}

// The stiffness of an edge as it is, no more than K.
static double stiffness_of(const struct sim_bear *bear, const struct sim_bear_edge *edge)
{
    return edge->compliance * bear->stiff > 1 ? 1 / edge->compliance : bear->stiff;
}

// Returns the tension of an edge, and its energy.
static double tension_of(const struct sim_bear *bear, const struct sim_bear_edge *edge, double l,
                         double *energy)
{
    const double k = stiffness_of(bear, edge), longer = l - edge->rest;
    double tension = k * longer;
    *energy = 0.5 * k * (longer * longer);
    if (l > edge->limit) {
        const double beyond = l - edge->limit;
        tension += bear->stiff * beyond;
        *energy += 0.5 * bear->stiff * (beyond * beyond);
    }
    return tension;
}

// Fills in where a contact is: n, depth, t and slide; and c of a pair.
static void touch_at(const struct sim_bear *bear, struct sim_bear_touch *touch, const double (*x)[3])
{
    double d, moved[3] = {0};
    if (touch->flat) {
        for (int axis = 0; axis < 3; axis++) {
            double p = 0;
            for (uint32_t k = 0; k < touch->count; k++) {
                p += touch->c[k] * x[touch->points[k]][axis];
            }
            moved[axis] = p - touch->seen[axis];
            touch->n[axis] = touch->normal[axis];
        }
        d = touch->phi + sim_dot(touch->n, moved);
        for (int axis = 0; axis < 3; axis++) {
            moved[axis] += touch->way[axis];
        }
    } else {
        double at[4][3], g[3];
        for (int k = 0; k < 4; k++) {
            memcpy(at[k], x[touch->points[k]], sizeof at[k]);
        }
        d = sim_foot_of(touch->kind, (const double(*)[3])at, g, touch->c);
        if (d > 0 && sim_dot(g, touch->normal) < 0) {
            d = 0 - d; // it went through in this substep
        }
        for (int axis = 0; axis < 3; axis++) {
            touch->n[axis] = d != 0 ? g[axis] / d : 0;
            for (int k = 0; k < 4; k++) {
                moved[axis] += touch->c[k] * (at[k][axis] - bear->starts[touch->points[k]][axis]);
            }
        }
    }
    const double along = sim_dot(moved, touch->n);
    for (int axis = 0; axis < 3; axis++) {
        touch->t[axis] = moved[axis] - along * touch->n[axis];
    }
    touch->depth = touch->target > d ? touch->target - d : 0;
    touch->slide = __builtin_sqrt(sim_dot(touch->t, touch->t));
}

double sim_bear_energy(const struct sim_bear *bear, const double (*x)[3])
{
    const double inv_h = (double)bear->sim->settings.tick_rate * bear->sim->settings.substeps;
    double inertia = 0, edges = 0, contacts = 0, rubs = 0;
    for (uint32_t p = 0; p < bear->count + bear->load_count; p++) {
        double way[3];
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = x[p][axis] - bear->y[p][axis];
        }
        inertia += bear->masses[p] * sim_dot(way, way);
    }
    for (uint32_t e = 0; e < bear->bearing->edge_count; e++) {
        const struct sim_bear_edge *edge = &bear->bearing->edges[e];
        double way[3], energy;
        tension_of(bear, edge, length_of(x, edge, way), &energy);
        edges += energy;
    }
    for (uint32_t i = 0; i < bear->touch_count; i++) {
        struct sim_bear_touch touch = bear->touches[i];
        touch_at(bear, &touch, x);
        contacts += touch.depth * touch.depth;
        if (touch.hold > 0) {
            rubs += touch.hold *
                    (touch.slide > SLIP ? touch.slide - 0.5 * SLIP : touch.slide * touch.slide / (2 * SLIP));
        }
    }
    return ((0.5 * inv_h * inv_h * inertia + edges) + 0.5 * bear->stiff * contacts) + rubs;
}

static double rub_of(const struct sim_bear_touch *touch)
{
    return touch->hold / (touch->slide > SLIP ? touch->slide : SLIP);
}

void sim_bear_look(struct sim_bear *bear)
{
    const double inv_h = (double)bear->sim->settings.tick_rate * bear->sim->settings.substeps;
    const uint32_t all = sim_bear_held(bear) + bear->held_count;
    memset(bear->slope, 0, all * sizeof *bear->slope);
    for (uint32_t p = 0; p < bear->count + bear->load_count; p++) {
        for (int axis = 0; axis < 3; axis++) {
            bear->slope[p][axis] = bear->masses[p] * (inv_h * inv_h) * (bear->x[p][axis] - bear->y[p][axis]);
        }
    }
    for (uint32_t e = 0; e < bear->bearing->edge_count; e++) {
        const struct sim_bear_edge *edge = &bear->bearing->edges[e];
        double way[3], unused, l = length_of((const double(*)[3])bear->x, edge, way);
        const double pull = l > 0 ? tension_of(bear, edge, l, &unused) / l : 0;
        for (int axis = 0; axis < 3; axis++) {
            bear->slope[edge->points[0]][axis] += pull * way[axis];
            bear->slope[edge->points[1]][axis] -= pull * way[axis];
        }
    }
    for (uint32_t i = 0; i < bear->touch_count; i++) {
        struct sim_bear_touch *touch = &bear->touches[i];
        touch_at(bear, touch, (const double(*)[3])bear->x);
        touch->hold = touch->friction * (bear->stiff * touch->depth);
        if (!(touch->depth > 0)) {
            continue;
        }
        const double rub = rub_of(touch), push = bear->stiff * touch->depth;
        for (uint32_t k = 0; k < touch->count; k++) {
            for (int axis = 0; axis < 3; axis++) {
                bear->slope[touch->points[k]][axis] +=
                    touch->c[k] * (rub * touch->t[axis] - push * touch->n[axis]);
            }
        }
    }
}

// across + (along - across) u u'
static void block_of(const double u[3], double along, double across, double block[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            block[i][j] = (along - across) * (u[i] * u[j]) + (i == j ? across : 0);
        }
    }
}

void sim_bear_edge_block(const struct sim_bear *bear, const struct sim_bear_edge *edge, double block[3][3])
{
    double u[3], unused;
    const double l = length_of((const double(*)[3])bear->x, edge, u);
    const double tension = tension_of(bear, edge, l, &unused);
    const double along = stiffness_of(bear, edge) + (l > edge->limit ? bear->stiff : 0);
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = l > 0 ? u[axis] / l : 0;
    }
    block_of(u, along, tension > 0 ? tension / l : 0, block);
}

void sim_bear_touch_block(const struct sim_bear *bear, const struct sim_bear_touch *touch, double block[3][3])
{
    block_of(touch->n, bear->stiff, rub_of(touch), block);
}
