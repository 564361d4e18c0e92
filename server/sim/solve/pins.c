// Pins while a tick runs.
//
// A hard pin stands where its target is. A soft one has a target, too, and its particle is solved in each
// iteration: after constraints and grabs, and before contact (kernels/soft.c). So a pin yields to contact,
// and nothing else takes its particle out of its distance.
//
// Soft pins are rows of the pins and not a kind of constraint. Their targets are whole coordinates that move, by motions, with
// colliders and over ticks, as those of hard pins do; constraints have floats that stay.
//
// The soft pins of all bodies stand side by side, in the order of bodies and pins, from the beginning of a tick on. Those of a
// body that sleeps keep their lanes, and do nothing.

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/solve/solve.h"
#include "sim/state/rod.h"

#include <math.h>

enum { SOFTS_TASK = 16 }; // of these, side by side, a task solves

bool sim_softs_begin(struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->first_soft = count;
        for (uint32_t p = 0; p < body->pin_count; p++) {
            count += sim_pin_is_soft(&body->pins[p]);
        }
        body->soft_count = count - body->first_soft;
    }
    sim->soft_count = (count + SIM_LANES - 1) / SIM_LANES;
    if (!array_reserve(&sim->softs, &sim->soft_capacity, sim->soft_count)) {
        return false;
    }
    if (sim->soft_count > 0) { // lanes of no pin are at row 0, which is static
        memset(&sim->softs[sim->soft_count - 1], 0, sizeof *sim->softs);
    }
    return true;
}

// Finds the target in this substep. It goes in equal steps over the tick, along a motion on its own way, and
// with a collider that the pin follows.
static void target_of(struct sim *sim, const struct sim_pin *pin, int64_t x[3])
{
    int64_t place[3];
    const bool follows = pin->collider != 0 && sim_pin_place(sim, pin, place);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t from = pin->from[axis], to = pin->to[axis] - pin->driven[axis];
        const int64_t at = // most targets rest, and a division is slow
            from == to ? from : sim_between(from, to, sim->substep, sim->settings.substeps);
        x[axis] = follows ? place[axis] : at + pin->drift[axis];
    }
}

static void stand(struct sim *sim, const struct sim_pin *pin, uint32_t row)
{
    int64_t x[3];
    target_of(sim, pin, x);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t way = x[axis] - pin->from[axis];
        sim->far_pins = sim->far_pins || way > SIM_MOVE_MAX || way < -SIM_MOVE_MAX;
        int32_t low = (int32_t)(uint32_t)(uint64_t)x[axis];
        sim->velocities[row].v[axis] = (float)sim_wrap_sub(low, sim->rows[row].x[axis]) * sim->times.q_over_h;
        sim->rows[row].x[axis] = low;
    }
    sim->predicted[row] = sim->rows[row];
}

// Prepares lane `at` of all soft pins for this substep. A particle that is too far away when a tick begins is
// brought nearer by 2 m in it, evenly.
static void aim(struct sim *sim, const struct sim_pin *pin, uint32_t row, uint32_t at)
{
    const int64_t most = (int64_t)SIM_PULL_MAX;
    struct sim_softs *softs = &sim->softs[at / SIM_LANES];
    const uint32_t lane = at % SIM_LANES;
    int64_t x[3];
    double away2 = 0;
    target_of(sim, pin, x);
    softs->places[lane] = row * SIM_ROW_BYTES;
    softs->compliance[lane] = pin->compliance;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t start = sim->positions[row][axis];
        int64_t way = x[axis] - start;
        way = way < -most ? -most : way > most ? most : way;
        softs->goal[axis][lane] = (int32_t)(uint32_t)(uint64_t)(start + way);
        softs->multiplier[axis][lane] = softs->limit[axis][lane] = softs->left[axis][lane] = 0;
        away2 += (double)way * (double)way;
    }
    const double comes = 0.5 * SIM_MOVE_MAX * (double)sim->times.gone;
    const double d = (double)(pin->distance * sim->times.inv_q), least = sqrt(away2) - comes;
    softs->distance[lane] = pin->distance < 0 ? INFINITY : (float)(d > least ? d : least);
}

// The body sleeps, so the target that its pins pull to stays.
static void rest(struct sim *sim, const struct sim_body *body)
{
    uint32_t at = body->first_soft;
    for (uint32_t p = 0; p < body->pin_count && at < body->first_soft + body->soft_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        if (sim_pin_is_soft(pin)) {
            struct sim_softs *softs = &sim->softs[at / SIM_LANES];
            softs->places[at % SIM_LANES] =
                (body->first_row + body->row_of[pin->index]) * (uint32_t)SIM_ROW_BYTES;
            softs->compliance[at % SIM_LANES] = -1;
            softs->distance[at++ % SIM_LANES] = INFINITY;
        }
    }
}

void sim_pins_move(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (body->asleep) {
            rest(sim, body);
            continue;
        }
        uint32_t at = body->first_soft;
        for (uint32_t p = 0; p < body->pin_count; p++) {
            const struct sim_pin *pin = &body->pins[p];
            const uint32_t row = body->first_row + body->row_of[pin->index];
            if (sim_pin_is_soft(pin)) {
                aim(sim, pin, row, at++);
            } else {
                stand(sim, pin, row);
            }
        }
    }
}

static void softs_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const uint32_t first = index * SOFTS_TASK, left = sim->soft_count - first;
    sim->kernels->soft(sim, &sim->softs[first], left < SOFTS_TASK ? left : SOFTS_TASK);
}

void sim_softs_solve(struct sim *sim, struct base_parallel *parallel)
{
    sim_run_tasks(sim, parallel, (sim->soft_count + SOFTS_TASK - 1) / SOFTS_TASK, softs_task);
}

// ------------------------------------------------------------------------------------------- the end of a tick

// Moves the target of a soft pin to where it went. A target that would be farther than a particle may be
// stays, while a hard pin there would fail the world.
static void target_arrives(struct sim *sim, struct sim_body *body, struct sim_pin *pin)
{
    const bool follows = pin->collider != 0;
    if ((follows && !sim_pin_place(sim, pin, pin->to)) || !sim_pin_is_within(sim, pin->to)) {
        memcpy(pin->to, pin->from, sizeof pin->to);
        memcpy(pin->end, pin->from, sizeof pin->end);
        pin->left = 0;
        sim_pin_leave(pin);
    }
    if (memcmp(pin->from, pin->to, sizeof pin->from) != 0 || (pin->collider != 0) != follows) {
        sim_edited(body); // that decides whether the body rests
    }
}

// A pin is where it went, and sets out for the next part of its way.
static void arrive(struct sim *sim, struct sim_body *body, struct sim_pin *pin)
{
    if (sim_pin_is_soft(pin)) {
        target_arrives(sim, body, pin);
    } else if (pin->collider != 0) { // whatever motions say
        memcpy(pin->to, sim->positions[body->first_row + body->row_of[pin->index]], sizeof pin->to);
    }
    memcpy(pin->from, pin->to, sizeof pin->from);
    sim_pin_go_on(pin);
}

void sim_pins_end(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        uint32_t at = body->first_soft;
        for (uint32_t p = 0; p < body->pin_count; p++) {
            struct sim_pin *pin = &body->pins[p];
            if (sim_pin_is_soft(pin) && !body->asleep) {
                const struct sim_softs *softs = &sim->softs[at / SIM_LANES];
                for (int axis = 0; axis < 3; axis++) {
                    pin->multiplier[axis] =
                        softs->multiplier[axis][at % SIM_LANES] + softs->limit[axis][at % SIM_LANES];
                }
                at++;
            }
            arrive(sim, body, pin);
        }
    }
}

void sim_clamps_begin(struct sim *sim)
{
    sim->clamp_count = sim->direct_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        sim->direct_count += body->rod && body->rod->direct;
        for (uint32_t p = 0; body->rod && p < body->pin_count; p++) {
            sim->clamp_count += sim_pin_clamps(&body->pins[p]);
        }
    }
}
