// The step of a substep that solves bending (plate/plate.h), after the prediction and before the constraints.
//
//   push    stencils add -h^2 Q x^ to `bends`, by the stages of their tiles
//   solve   body by body: bends -> pushes -> ways -> bends, which then hold d
//   move    chunk by chunk: prediction, position and velocity take d
//
// A body of which nothing is held must keep its momenta, and rounding in a stiff factor would change them, and so would
// implicit Euler, whose force acts where the body comes to instead of where it was. So the rigid part is taken out of d:
//
//   d -= D + w x (x - c),    D = sum m d / sum m,    I w = sum m (x - c) x d        x: at the start of the substep

#include "sim/solve/solve.h"

static void push_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    if (tile->bent) {
        sim->kernels->bend_push(sim, tile);
    }
}

static double number(const struct sim_plate *plate, const void *vector, size_t at)
{
    return plate->fine ? ((const double *)vector)[at] : (double)((const float *)vector)[at];
}

static void number_set(const struct sim_plate *plate, void *vector, size_t at, double value)
{
    if (plate->fine) {
        ((double *)vector)[at] = value;
    } else {
        ((float *)vector)[at] = (float)value;
    }
}

// Pushes in the order of elimination. What is held takes none.
static void take_pushes(const struct sim *sim, const struct sim_plate *plate)
{
    for (uint32_t u = 0; u < plate->count; u++) {
        const float *push = sim->bends[plate->rows[u]].v;
        const bool held = !(plate->masses[u] > 0);
        for (uint32_t axis = 0; axis < 3; axis++) {
            number_set(plate, plate->pushes, 4 * (size_t)u + axis, held ? 0 : (double)push[axis]);
        }
    }
}

// The offset of a particle from the first one of the body when the substep began, m.
static void offset_of(const struct sim *sim, const struct sim_plate *plate, uint32_t unknown, double x[3])
{
    const uint32_t row = plate->rows[unknown], first = plate->rows[0];
    for (int axis = 0; axis < 3; axis++) {
        double ahead = (double)(sim->velocities[row].v[axis] - sim->velocities[first].v[axis]);
        x[axis] = (double)sim_wrap_sub(sim->rows[row].x[axis], sim->rows[first].x[axis]) * sim->q -
                  ahead * (double)(sim->times.keep * sim->times.h);
    }
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// Sums over a body.
struct rigid {
    double mass, center[3], way[3];
    double inertia[6]; // xx, yy, zz, xy, yz, zx of sum m x x'
    double moment[3];  // sum m x * d
};

// w of I w = moment; 0 if the body is so thin that it has no inertia about some axis.
static void spin_of(const struct rigid *rigid, double w[3])
{
    const double *s = rigid->inertia, trace = s[0] + s[1] + s[2];
    const double rows[3][3] = {
        {s[1] + s[2], -s[3], -s[5]}, {-s[3], s[0] + s[2], -s[4]}, {-s[5], -s[4], s[0] + s[1]}};
    double minors[3][3], scale;
    for (int i = 0; i < 3; i++) {
        cross(rows[(i + 1) % 3], rows[(i + 2) % 3], minors[i]);
    }
    const double det = rows[0][0] * minors[0][0] + rows[0][1] * minors[0][1] + rows[0][2] * minors[0][2];
    scale = det > 1e-12 * (trace * trace * trace) ? 1 / det : 0;
    for (int i = 0; i < 3; i++) {
        w[i] = (minors[0][i] * rigid->moment[0] + minors[1][i] * rigid->moment[1] +
                minors[2][i] * rigid->moment[2]) *
               scale;
    }
}

static void add_up(const struct sim *sim, const struct sim_plate *plate, struct rigid *rigid)
{
    for (uint32_t u = 0; u < plate->count; u++) {
        double x[3], m = plate->masses[u];
        offset_of(sim, plate, u, x);
        rigid->mass += m;
        for (int axis = 0; axis < 3; axis++) {
            rigid->center[axis] += m * x[axis];
            rigid->way[axis] += m * number(plate, plate->ways, 4 * (size_t)u + (size_t)axis);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        rigid->center[axis] /= rigid->mass;
        rigid->way[axis] /= rigid->mass;
    }
    for (uint32_t u = 0; u < plate->count; u++) {
        double x[3], d[3], turn[3], m = plate->masses[u];
        offset_of(sim, plate, u, x);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] -= rigid->center[axis];
            d[axis] = number(plate, plate->ways, 4 * (size_t)u + (size_t)axis);
        }
        cross(x, d, turn);
        for (int axis = 0; axis < 3; axis++) {
            rigid->moment[axis] += m * turn[axis];
            rigid->inertia[axis] += m * (x[axis] * x[axis]);
            rigid->inertia[3 + axis] += m * (x[axis] * x[(axis + 1) % 3]);
        }
    }
}

static void take_rigid(const struct sim *sim, const struct sim_plate *plate)
{
    struct rigid rigid = {0};
    double w[3];
    add_up(sim, plate, &rigid);
    spin_of(&rigid, w);
    for (uint32_t u = 0; u < plate->count; u++) {
        double x[3], turn[3];
        offset_of(sim, plate, u, x);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] -= rigid.center[axis];
        }
        cross(w, x, turn);
        for (int axis = 0; axis < 3; axis++) {
            size_t at = 4 * (size_t)u + (size_t)axis;
            number_set(plate, plate->ways, at,
                       number(plate, plate->ways, at) - (rigid.way[axis] + turn[axis]));
        }
    }
}

static void give_ways(const struct sim *sim, const struct sim_plate *plate)
{
    for (uint32_t u = 0; u < plate->count; u++) {
        float *way = sim->bends[plate->rows[u]].v;
        for (uint32_t axis = 0; axis < 3; axis++) {
            way[axis] = (float)number(plate, plate->ways, 4 * (size_t)u + axis);
        }
    }
}

static void solve_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_plate *plate = sim->bent[index]->plate;
    take_pushes(sim, plate);
    sim->kernels->plate_solve(plate);
    if (plate->free) {
        take_rigid(sim, plate);
    }
    give_ways(sim, plate);
}

static void move_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->body->plate && chunk->body->plate->solved) {
        sim->kernels->plate_move(sim, chunk);
    }
}

void sim_bend_solve(struct sim *sim, struct base_parallel *parallel)
{
    if (sim->bent_count == 0) {
        return;
    }
    for (uint32_t s = 0; s < sim->gust_stage; s++) {
        sim->stage = &sim->stages[s];
        if (sim->stage->kind == SIM_QUADRATIC) {
            sim_run_tasks(sim, parallel, sim->stage->tile_count, push_task);
        }
    }
    sim_run_tasks(sim, parallel, sim->bent_count, solve_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, move_task);
}
