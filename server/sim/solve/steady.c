// The body as a whole: what a sweep moves and turns a free body by is taken back, for bodies with pressure or shape matching.
//
//   sweep    keeps the rows                                               before all constraints
//   loose    what constraints of constraint.add move counts as before     around their stages
//   weigh    each chunk: sum m d and sum m r x d of corrections d         tasks
//   balance  the sums of the chunks, in order: the shift and the turn     a task for each body
//   take     each chunk takes them back from its rows                     tasks
//
// A sweep over the edges in one order turns a body that is under tension. Each particle goes out with the
// push and comes back by way of one edge after another, and the area of that loop is an angular momentum. It
// is of second order in h, but it is the same in each substep: a balloon that nothing holds would begin to
// spin. The moves that edges and pressure give a free body have no sum, and no moment about the places when
// the substep began. So both are taken out, to the bits of a float, and with them what the rounding of edges
// gave the body.

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

// Quanta, and rad: no more is taken back, so that it stays within 2^30 quanta (kernels/steady.c).
#define FAR 0x1p28
#define TURN 0.1

static bool is_steadied(const struct sim_body *body)
{
    return sim_is_steadied(body) && !body->asleep;
}

void sim_steady_sweep_all(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (is_steadied(body)) {
            memcpy(body->steady->before, sim->rows + body->first_row, body->count * sizeof *sim->rows);
        }
    }
}

void sim_steady_loose(struct sim *sim, const struct sim_stage *stage, bool over)
{
    const bool loose =
        stage->kind < SIM_KIND_COUNT && sim->tiles[stage->first_tile] == &sim->loose[stage->kind];
    for (uint32_t b = 0; loose && b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (!is_steadied(body) || body->tie == 0) {
            continue;
        }
        const struct sim_row *rows = sim->rows + body->first_row;
        struct sim_steady *steady = body->steady;
        if (!over) {
            memcpy(steady->aside, rows, body->count * sizeof *rows);
        }
        for (uint32_t row = 0; over && row < body->count; row++) {
            for (int axis = 0; axis < 3; axis++) {
                const int32_t moved = sim_wrap_sub(rows[row].x[axis], steady->aside[row].x[axis]);
                steady->before[row].x[axis] = sim_wrap_add(steady->before[row].x[axis], moved);
            }
        }
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The turn t with I t = l. No turn if the particles are on a line.
static void turn_of(const double squares[6], const double l[3], double turn[3])
{
    const double xx = squares[1] + squares[2], yy = squares[2] + squares[0], zz = squares[0] + squares[1];
    const double rows[3][3] = {
        {xx, -squares[3], -squares[5]}, {-squares[3], yy, -squares[4]}, {-squares[5], -squares[4], zz}};
    double minors[3][3];
    for (int i = 0; i < 3; i++) {
        cross(rows[(i + 1) % 3], rows[(i + 2) % 3], minors[i]);
    }
    const double det = rows[0][0] * minors[0][0] + rows[0][1] * minors[0][1] + rows[0][2] * minors[0][2];
    const bool stands = det > 1e-9 * xx * yy * zz;
    for (int i = 0; i < 3; i++) {
        turn[i] = stands ? (minors[0][i] * l[0] + minors[1][i] * l[1] + minors[2][i] * l[2]) / det : 0;
    }
}

static struct sim_steady_moments moments_of(const struct sim_steady *steady)
{
    struct sim_steady_moments all = {0};
    for (uint32_t c = 0; c < steady->chunk_count; c++) {
        const struct sim_steady_moments *one = &steady->moments[c];
        all.mass += one->mass;
        all.held += one->held;
        for (int i = 0; i < 6; i++) {
            all.squares[i] += one->squares[i];
        }
        for (int axis = 0; axis < 3; axis++) {
            all.at[axis] += one->at[axis];
            all.moved[axis] += one->moved[axis];
            all.turned[axis] += one->turned[axis];
        }
    }
    return all;
}

static void weigh_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_steadied(chunk->body)) {
        sim->kernels->steady_weigh(sim, chunk);
    }
}

static void balance_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_body *body = sim->bodies[index];
    if (!is_steadied(body)) {
        return;
    }
    struct sim_steady *steady = body->steady;
    struct sim_steady_moments all = moments_of(steady);
    double arm[3];
    steady->loose = all.held == 0 && all.mass > 0;
    for (int axis = 0; axis < 3 && steady->loose; axis++) {
        steady->centre[axis] = all.at[axis] / all.mass;
        steady->shift[axis] = all.moved[axis] / all.mass;
    }
    if (!steady->loose) {
        return;
    }
    cross(steady->centre, all.moved, arm);
    for (int axis = 0; axis < 3; axis++) { // about the centre of mass
        const double *centre = steady->centre;
        all.turned[axis] -= arm[axis];
        all.squares[axis] -= all.mass * (centre[axis] * centre[axis]);
        all.squares[3 + axis] -= all.mass * (centre[axis] * centre[(axis + 1) % 3]);
    }
    turn_of(all.squares, all.turned, steady->turn);
    for (int axis = 0; axis < 3; axis++) {
        // No body turns or moves so far in a substep, unless it is about to fail its world anyway.
        const double shift = steady->shift[axis], turn = steady->turn[axis];
        steady->loose = steady->loose && shift < FAR && shift > -FAR && turn < TURN && turn > -TURN;
    }
}

static void take_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_steadied(chunk->body) && chunk->body->steady->loose) {
        sim->kernels->steady_take(sim, chunk, true);
    }
}

static void take_again_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_steadied(chunk->body) && chunk->body->steady->loose) {
        sim->kernels->steady_take(sim, chunk, false);
    }
}

void sim_steady_take_all(struct sim *sim, struct base_parallel *parallel, bool again)
{
    sim_run_tasks(sim, parallel, sim->chunk_count, weigh_task);
    sim_run_tasks(sim, parallel, sim->body_count, balance_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, again ? take_again_task : take_task);
}
