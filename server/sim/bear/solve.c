// The steps of Newton of each body that bears a load, one body after the other.

#include "sim/bear/system.h"
#include "sim/contact/islands.h"

#include <math.h>

enum { STEPS = 20, HALVINGS = 12 };

#define SMALL 1e-8  // m: a step that moves nothing farther is the last one,
#define FAR 0.1     // of a thickness
#define ENOUGH 1e-4 // and so is one by which E falls no more than by this part of it

static double farthest(const struct sim_bear *bear)
{
    double most = 0;
    for (uint32_t p = 0; p < bear->count + bear->load_count; p++) {
        for (int axis = 0; axis < 3; axis++) {
            most = fabs(bear->step[p][axis]) > most ? fabs(bear->step[p][axis]) : most;
        }
    }
    return most;
}

static void try_share(struct sim_bear *bear, double share)
{
    for (uint32_t p = 0; p < bear->count + bear->load_count; p++) {
        for (int axis = 0; axis < 3; axis++) {
            bear->trial[p][axis] = bear->x[p][axis] + share * bear->step[p][axis];
        }
    }
}

// Goes as far along the step as E falls. Returns by how much of itself it fell; 0: it did not.
static double go(struct sim_bear *bear)
{
    const double before = sim_bear_energy(bear, (const double(*)[3])bear->x);
    double share = 1;
    for (int halving = 0; halving <= HALVINGS; halving++, share *= 0.5) {
        try_share(bear, share);
        const double after = sim_bear_energy(bear, (const double(*)[3])bear->trial);
        if (after < before) {
            memcpy(bear->x, bear->trial, (bear->count + (size_t)bear->load_count) * sizeof *bear->x);
            return (before - after) / before;
        }
    }
    return 0;
}

static void iterate(struct sim_bear *bear)
{
    // Points that are held stand in each trial where they are.
    memcpy(bear->trial, bear->x, (sim_bear_held(bear) + (size_t)bear->held_count) * sizeof *bear->x);
    for (int step = 0; step < STEPS; step++) {
        sim_bear_look(bear);
        if (!sim_bear_factor(bear)) {
            return;
        }
        sim_bear_step(bear);
        const double fell = go(bear);
        if (!(fell > ENOUGH) || farthest(bear) < SMALL) {
            return;
        }
    }
}

// The way of a point from where it would be without edges and contacts, quanta.
static double way_of(const struct sim_bear *bear, uint32_t point, int axis)
{
    return (bear->x[point][axis] - bear->y[point][axis]) * bear->sim->inv_q;
}

// Moves a row to where its point is. What rounding leaves goes to its velocity.
static void row_put(struct sim_bear *bear, uint32_t point, uint32_t row)
{
    struct sim *sim = bear->sim;
    for (int axis = 0; axis < 3 && bear->masses[point] > 0; axis++) {
        const double exact = way_of(bear, point, axis), whole = rint(exact);
        sim->rows[row].x[axis] = sim_wrap_add(sim->rows[row].x[axis], (int32_t)whole);
        sim->velocities[row].v[axis] += (float)(exact - whole) * sim->times.q_over_h;
        bear->anchors[row][axis] = sim_wrap_add(bear->anchors[row][axis], (int32_t)whole);
    }
}

// Puts the rows of the body to its points (sign 1), or back from there (-1).
static void rows_shift(struct sim_bear *bear, int32_t sign)
{
    for (uint32_t p = 0; p < bear->count; p++) {
        struct sim_row *row = &bear->sim->rows[bear->body->first_row + bear->bearing->plate.rows[p]];
        for (int axis = 0; axis < 3 && bear->masses[p] > 0; axis++) {
            row->x[axis] = sim_wrap_add(row->x[axis], sign * (int32_t)rint(way_of(bear, p, axis)));
        }
    }
}

// Whether a point of the body has gone so far in the solve that planes of colliders do not hold there.
static bool has_gone(const struct sim_bear *bear)
{
    const double far = FAR * bear->body->thickness * bear->sim->inv_q;
    bool any = false;
    for (uint32_t i = 0; i < 3 * bear->count && !any; i++) {
        any = fabs(way_of(bear, i / 3, (int)(i % 3))) > far;
    }
    return any;
}

static void body_solve(struct sim_bear *bear)
{
    iterate(bear);
    if (bear->touch_count > bear->pair_count && has_gone(bear)) {
        rows_shift(bear, 1);
        sim_bear_find_again(bear);
        rows_shift(bear, -1);
        iterate(bear);
    }
    for (uint32_t p = 0; p < bear->count; p++) {
        row_put(bear, p, bear->body->first_row + bear->bearing->plate.rows[p]);
    }
    for (uint32_t l = 0; l < bear->load_count; l++) {
        row_put(bear, bear->count + l, bear->loads[l]);
    }
}

static void rows_swap(struct sim *sim, const struct sim_body *body, int32_t (*keep)[3], int32_t (*put)[3])
{
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        memcpy(keep[row], sim->rows[row].x, sizeof keep[row]);
        memcpy(sim->rows[row].x, put[row], sizeof put[row]);
    }
}

static void island_solve(struct sim_bear *bear, struct sim_island *island)
{
    struct sim *sim = bear->sim;
    const struct sim_meet *meet = sim->meet;
    bool any = false;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[m]].body;
        if (body->bearing) {
            rows_swap(sim, body, bear->swept, bear->anchors);
            any = true;
        }
    }
    if (!any) {
        return;
    }
    sim_meet_scan(sim, island);
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        struct sim_body *body = meet->members[meet->by_island[m]].body;
        if (!body->bearing) {
            continue;
        }
        if (sim_bear_find(bear, body, island)) {
            body_solve(bear);
        } else {
            rows_swap(sim, body, bear->anchors, bear->swept);
        }
    }
}

void sim_bear_solve(struct sim *sim)
{
    struct sim_bear *bear = sim->bear;
    if (!bear || sim->iteration + 1 != sim->settings.iterations) {
        return;
    }
    bear->sim = sim;
    for (uint32_t i = 0; i < sim->meet->island_count; i++) {
        island_solve(bear, &sim->meet->islands[i]);
    }
    sim_meet_moved(sim);
}
