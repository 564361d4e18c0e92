// The step of a substep that solves bending (plate/plate.h), after the prediction and before the constraints.
//
//   push    stencils add -h^2 Q x^ to `bends`, by the stages of their tiles
//   down    parts of bodies: bends -> pushes, then the first pass
//   turn    bodies: what parts gave to the top, both passes over the top, and back to the parts
//   up      parts: the second pass, and ways -> bends, which then hold d
//   move    chunk by chunk: prediction, position and velocity take d
//
// A body that is not cut into parts is all top. Which thread takes a part does not change what comes of it.
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
    if (tile->bent && !tile->asleep) {
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

// One push in the order of elimination. What is held takes none, and nobody sees the smallest ones.
static void take_push(const struct sim *sim, const struct sim_plate *plate, uint32_t unknown)
{
    const float *push = sim->bends[plate->rows[unknown]].v;
    const bool held = !(plate->masses[unknown] > 0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const bool none = held || sim_abs(push[axis]) < (float)SIM_PLATE_STILL;
        number_set(plate, plate->pushes, 4 * (size_t)unknown + axis, none ? 0 : (double)push[axis]);
    }
}

static void give_way(const struct sim *sim, const struct sim_plate *plate, uint32_t unknown)
{
    float *way = sim->bends[plate->rows[unknown]].v;
    for (uint32_t axis = 0; axis < 3; axis++) {
        way[axis] = (float)number(plate, plate->ways, 4 * (size_t)unknown + axis);
    }
}

static void clear(const struct sim_plate *plate, size_t place, size_t count)
{
    const size_t bytes = sim_plate_place(plate);
    memset((char *)plate->pushes + place * bytes, 0, count * bytes);
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

static void down_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_plate *plate = sim->bent[index / SIM_PLATE_PARTS]->plate;
    const uint32_t part = index % SIM_PLATE_PARTS;
    if (part >= plate->part_count || sim->bent[index / SIM_PLATE_PARTS]->asleep) {
        return;
    }
    const struct sim_plate_range own = sim_plate_unknowns(plate, part);
    for (uint32_t u = own.first; u < own.end; u++) {
        take_push(sim, plate, u);
    }
    clear(plate, sim_plate_copies(plate, part), plate->top_count + 1);
    sim->kernels->plate_pass(plate, plate->parts[part], false);
}

// A pass over the nodes that are in no part.
static void pass_top(const struct sim *sim, const struct sim_plate *plate, bool back)
{
    for (uint32_t p = 0; p <= plate->part_count; p++) {
        const uint32_t gap = back ? plate->part_count - p : p; // before this part
        sim->kernels->plate_pass(
            plate,
            (struct sim_plate_range){gap > 0 ? plate->parts[gap - 1].end : 0,
                                     gap < plate->part_count ? plate->parts[gap].first : plate->node_count},
            back);
    }
}

static void turn_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_plate *plate = sim->bent[index]->plate;
    if (sim->bent[index]->asleep) {
        return;
    }
    clear(plate, plate->count, 1);
    for (uint32_t t = 0; t < plate->top_count; t++) {
        const size_t at = 4 * (size_t)plate->top[t];
        take_push(sim, plate, plate->top[t]);
        for (uint32_t part = 0; part < plate->part_count; part++) {
            const size_t copy = 4 * ((size_t)sim_plate_copies(plate, part) + t);
            for (size_t axis = 0; axis < 3 && plate->masses[plate->top[t]] > 0; axis++) {
                number_set(plate, plate->pushes, at + axis,
                           number(plate, plate->pushes, at + axis) +
                               number(plate, plate->pushes, copy + axis));
            }
        }
    }
    pass_top(sim, plate, false);
    pass_top(sim, plate, true);
    for (uint32_t t = 0; t < plate->top_count; t++) {
        const size_t bytes = sim_plate_place(plate), at = plate->top[t];
        give_way(sim, plate, plate->top[t]);
        for (uint32_t part = 0; part < plate->part_count; part++) {
            memcpy((char *)plate->ways + (sim_plate_copies(plate, part) + t) * bytes,
                   (char *)plate->ways + at * bytes, bytes);
        }
    }
}

static void up_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_plate *plate = sim->bent[index / SIM_PLATE_PARTS]->plate;
    const uint32_t part = index % SIM_PLATE_PARTS;
    if (part >= plate->part_count || sim->bent[index / SIM_PLATE_PARTS]->asleep) {
        return;
    }
    const struct sim_plate_range own = sim_plate_unknowns(plate, part);
    sim->kernels->plate_pass(plate, plate->parts[part], true);
    for (uint32_t u = own.first; u < own.end; u++) {
        give_way(sim, plate, u);
    }
}

static void rigid_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_plate *plate = sim->bent[index]->plate;
    if (!plate->free || sim->bent[index]->asleep) {
        return;
    }
    take_rigid(sim, plate);
    for (uint32_t u = 0; u < plate->count; u++) {
        give_way(sim, plate, u);
    }
}

static void move_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (!chunk->asleep && chunk->body->plate && chunk->body->plate->solved) {
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
    sim_run_tasks(sim, parallel, sim->bent_count * SIM_PLATE_PARTS, down_task);
    sim_run_tasks(sim, parallel, sim->bent_count, turn_task);
    sim_run_tasks(sim, parallel, sim->bent_count * SIM_PLATE_PARTS, up_task);
    sim_run_tasks(sim, parallel, sim->bent_count, rigid_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, move_task);
}
