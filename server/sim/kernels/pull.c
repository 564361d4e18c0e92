// Grabs: a particle pulled to a point.
//
// C = x - target in R^3 (a distance of rest length 0 would have no direction at its goal):
// dlam = -(C + alpha~ lam) / (w + alpha~), dx = w dlam. The pull is cut to SIM_PULL_MAX so that it cannot
// wrap, and what one tick of pulling may move a particle is half of what fails a world, so that no hand, however
// far away, can do that; of a solid it is a quarter (target_of). What rounding to quanta leaves goes to the velocity, as of contacts, and counts as gone in
// the iterations that follow. No two grabs hold the same particle, so their order is free, and each is a lane. Lanes
// without a grab pull at row 0, which is static.

#include "sim/ground/ground.h"
#include "sim/kernels/wide_double.h"

#define SOLID_REACH 0.25 // of the way that fails a world in a tick

// The grabs of all lanes.
struct pulls {
    uint32_t places[WIDE];
    int64_t start[3][WIDE], target[3][WIDE];
    float compliance[WIDE], multiplier[3][WIDE], left[3][WIDE];
};

// The target of a grab in this substep. A solid resists a hand by the inertia of its cells alone while they are stretched, and what
// pulls of many substeps give adds up to a speed that fails the world. So a far target of a solid comes nearer: it is where a point is
// that left the particle's place when the tick began, and goes so far in a tick.
static void target_of(const struct sim *sim, const struct sim_held *held, int64_t target[3])
{
    const int64_t *start = sim->positions[held->row];
    double way[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        target[axis] = held->target[axis];
        way[axis] = (double)(target[axis] - start[axis]);
        square += way[axis] * way[axis];
    }
    const double reach = SOLID_REACH * SIM_MOVE_MAX * sim->substep / sim->settings.substeps;
    if (sim_body_of_row(sim, held->row)->solid_model == SIM_SOLID_NONE || !(square > reach * reach)) {
        return;
    }
    const double share = reach / __builtin_sqrt(square);
    for (int axis = 0; axis < 3; axis++) {
        target[axis] = start[axis] + (int64_t)(way[axis] * share);
    }
}

static void pulls_from(struct pulls *pulls, const struct sim *sim, const struct sim_held *held,
                       uint32_t count)
{
    *pulls = (struct pulls){0};
    for (uint32_t lane = 0; lane < count; lane++) {
        pulls->places[lane] = held[lane].row * SIM_ROW_BYTES;
        pulls->compliance[lane] = held[lane].compliance;
        int64_t target[3];
        target_of(sim, &held[lane], target);
        for (int axis = 0; axis < 3; axis++) {
            pulls->start[axis][lane] = sim->positions[held[lane].row][axis];
            pulls->target[axis][lane] = target[axis];
            pulls->multiplier[axis][lane] = held[lane].multiplier[axis];
            pulls->left[axis][lane] = held[lane].left[axis];
        }
    }
}

SIM_INLINE struct w_vec apart(const struct pulls *pulls, const struct w_rows *x)
{
    struct w_vec c;
    for (int axis = 0; axis < 3; axis++) {
        wd parts[PARTS];
        for (int part = 0; part < PARTS; part++) {
            wl start = wl_load(pulls->start[axis] + part * DOUBLES);
            wl whole = wl_whole(start, wl_of_word(x->x[axis], part));
            parts[part] = wd_of_long(whole - wl_load(pulls->target[axis] + part * DOUBLES));
        }
        c.x[axis] = wd_to_float(parts);
    }
    return c;
}

static void pull(struct sim *sim, struct pulls *pulls)
{
    const wf one = w_set(1), most = w_set(SIM_PULL_MAX), reach = w_set(sim->times.reach);
    const wf q_over_h = w_set(sim->times.q_over_h);
    struct w_rows x = w_rows_at(sim->rows, pulls->places), v = w_rows_at(sim->velocities, pulls->places);
    wm moves = w_below(w_set(0), x.w);
    wf alpha = w_load(pulls->compliance) * w_set(sim->times.inv_h2);
    struct w_vec c = apart(pulls, &x), step;
    for (int axis = 0; axis < 3; axis++) {
        c.x[axis] = c.x[axis] + w_load(pulls->left[axis]);
    }
    wf length = w_sqrt(w_dot(c, c));
    wf cut = w_select(w_below(most, length), most / length, one);
    for (int axis = 0; axis < 3; axis++) {
        step.x[axis] = -(c.x[axis] * cut + alpha * w_load(pulls->multiplier[axis])) / (x.w + alpha);
    }
    wf way = x.w * w_sqrt(w_dot(step, step));
    wf share = w_select(w_below(reach, way), reach / way, one);
    for (int axis = 0; axis < 3; axis++) {
        step.x[axis] = w_where(moves, step.x[axis] * share);
        w_store(pulls->multiplier[axis], w_load(pulls->multiplier[axis]) + step.x[axis]);
        wf before = w_load(pulls->left[axis]), exact = x.w * step.x[axis] + before;
        wi quanta = w_where_int(moves, w_round(exact));
        wf left = w_where(moves, exact - w_float(quanta));
        w_store(pulls->left[axis], left);
        x.x[axis] = x.x[axis] + quanta;
        wf speed = w_of_bits(v.x[axis]);
        v.x[axis] = w_bits(w_select(moves, speed + (left - before) * q_over_h, speed));
    }
    w_rows_put(sim->rows, pulls->places, &x);
    w_rows_put(sim->velocities, pulls->places, &v);
}

void SIM_ISA(sim_grabs_solve)(struct sim *sim)
{
    for (uint32_t g = 0; g < sim->grab_count; g += WIDE) {
        struct sim_held *held = &sim->grabs[g];
        struct pulls pulls;
        uint32_t left = sim->grab_count - g, count = left < WIDE ? left : WIDE;
        pulls_from(&pulls, sim, held, count);
        pull(sim, &pulls);
        for (uint32_t lane = 0; lane < count; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                held[lane].multiplier[axis] = pulls.multiplier[axis][lane];
                held[lane].left[axis] = pulls.left[axis][lane];
            }
        }
    }
}
