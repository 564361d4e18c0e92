// Pressure in closed surfaces: one constraint for a whole body, after the sweep over all others (concepts/pressure.md).
//
//   look     each chunk finds the gradients of its rows and what these add up to         tasks
//   settle   the sums of the chunks, in order, give the volume and the multiplier          a task for each body
//   push     each chunk moves its rows along the gradients                                tasks
//
//   gas      dl = (h^2 p - l) / (1 + h^2 c/V^2 W),     p = c/V - ambient      p V = c, implicit (one multiplier a body)
//   volume   dl = -(V - k V0 + a l) / (W + a),          a = compliance/h^2
//
//   W = sum w |grad V|^2, and l the sum of all dl of the substep. l/h^2 is the overpressure that was given.
//
// Three bounds keep a pressure that is too great from tearing a world apart. They act on the multiplier of the whole body, so
// they keep its momentum as well:
//   - A step changes the volume by at most half (gas) or a fifth (kept volume), and moves no particle farther than a grab may.
//   - The surface is pushed no faster than it would go a quarter of the way that a particle may go in a tick.
//   - A surface that has grown by `growth` in each direction is pushed out no more.

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

#define GAS_STEP 0.5 // of the volume
#define VOLUME_STEP 0.2

static bool is_pushed(const struct sim_body *body)
{
    return body->pressure.model != SIM_PRESSURE_NONE && !body->asleep;
}

void sim_pressure_clear_all(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (is_pushed(sim->bodies[b])) {
            sim->bodies[b]->balloon->lambda = 0;
        }
    }
}

void sim_pressure_again(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (is_pushed(sim->bodies[b])) {
            sim->bodies[b]->balloon->kept = sim->bodies[b]->balloon->lambda;
            sim->bodies[b]->balloon->lambda = 0;
        }
    }
}

void sim_pressure_again_over(struct sim *sim)
{
    for (uint32_t b = 0; sim->pressed_count > 0 && b < sim->body_count; b++) {
        if (is_pushed(sim->bodies[b])) {
            sim->bodies[b]->balloon->lambda = sim->bodies[b]->balloon->kept;
        }
    }
}

static double value_next(const struct sim_body *body)
{
    const struct sim_pressure *pressure = &body->pressure;
    return body->pressure_left > 1 ? pressure->now + (pressure->end - pressure->now) / body->pressure_left
                                   : pressure->end;
}

void sim_pressure_end(struct sim *sim)
{
    for (uint32_t b = 0; sim->pressed_count > 0 && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->pressure.model != SIM_PRESSURE_NONE && body->pressure_left > 0) {
            body->pressure.now = value_next(body);
            body->pressure_left--;
            sim_edited(body);
        }
    }
}

// A surface in this iteration, in SI units.
struct surface {
    double h, volume, yield, area, flow, most;
    double reference, lambda;
};

static struct surface surface_of(const struct sim *sim, const struct sim_body *body)
{
    const struct sim_balloon *balloon = body->balloon;
    const double q = sim->q, q2 = q * q;
    struct sim_balloon_sums all = {0};
    for (uint32_t c = 0; c < balloon->chunk_count; c++) {
        const struct sim_balloon_sums *sums = &balloon->sums[c];
        all.volume += sums->volume;
        all.yield += sums->yield;
        all.area += sums->area;
        all.flow += sums->flow;
        all.most = sums->most > all.most ? sums->most : all.most;
    }
    return (struct surface){
        .h = 1 / ((double)sim->settings.tick_rate * sim->settings.substeps),
        .volume = all.volume / 18 * (q2 * q),
        .yield = all.yield / 36 * (q2 * q2),
        .area = all.area / 6 * q2,
        .flow = all.flow / 6 * q2,
        .most = all.most / 6 * q2,
        .reference = sim_pressure_reference(body, q),
        .lambda = balloon->lambda,
    };
}

static double within(double value, double bound)
{
    return value > bound ? bound : value < -bound ? -bound : value;
}

static double gas_step(const struct sim_pressure *pressure, double over, const struct surface *at)
{
    const double least = SIM_PRESSURE_LEAST * at->reference,
                 amount = (pressure->ambient + over) * at->reference;
    const double volume = at->volume > least ? at->volume : least, h2 = at->h * at->h;
    double want = amount / volume - pressure->ambient;
    want = at->volume > least || want > 0 ? want : 0; // nothing presses a surface flat and inside out
    const double step = (h2 * want - at->lambda) / (1 + h2 * (amount / (volume * volume)) * at->yield);
    return within(step, GAS_STEP * volume / at->yield);
}

static double volume_step(const struct sim_pressure *pressure, double ratio, const struct surface *at)
{
    const double least = SIM_PRESSURE_LEAST * at->reference, size = at->volume < 0 ? -at->volume : at->volume;
    const double soft = pressure->compliance / (at->h * at->h);
    const double step = -((at->volume - ratio * at->reference) + soft * at->lambda) / (at->yield + soft);
    return within(step, VOLUME_STEP * (size > least ? size : least) / at->yield);
}

// Cuts a step so that the surface stays slow and finite.
static double bounded(const struct sim *sim, const struct sim_body *body, const struct surface *at,
                      double step)
{
    const double move = SIM_MOVE_MAX * sim->q, growth = body->balloon->growth;
    const double rest = body->balloon->rest * (sim->q * sim->q * sim->q);
    const double size = rest > at->reference ? rest : at->reference;
    const double fast = 0.25 * move * sim->settings.tick_rate * at->h * at->area; // m^3 a substep
    const double goes = at->flow * at->h + at->yield * at->lambda;
    const double out = fast - goes > 0 ? fast - goes : 0, in = fast + goes > 0 ? fast + goes : 0;
    step = within(step, (double)sim->times.reach * sim->q / at->most);
    step = step > out / at->yield ? out / at->yield : step < -in / at->yield ? -in / at->yield : step;
    return step > 0 && at->volume > size * growth * growth * growth ? 0 : step;
}

static void settle_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_body *body = sim->bodies[index];
    if (!is_pushed(body)) {
        return;
    }
    struct sim_balloon *balloon = body->balloon;
    const struct sim_pressure *pressure = &body->pressure;
    const struct surface at = surface_of(sim, body);
    double value = pressure->now, step = 0;
    if (body->pressure_left > 0) {
        value += (value_next(body) - value) * ((double)sim->substep / sim->settings.substeps);
    }
    // If the yield is so small that a quotient overflows, the surface has collapsed to a point.
    if (at.yield > 1e-200 && at.most > 1e-200) {
        step = pressure->model == SIM_PRESSURE_GAS ? gas_step(pressure, value, &at)
                                                   : volume_step(pressure, value, &at);
        step = bounded(sim, body, &at, step);
    }
    balloon->lambda += step;
    balloon->push = step * sim->q / 6;
}

static void look_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_pushed(chunk->body)) {
        sim->kernels->pressure_look(sim, chunk);
    }
}

static void push_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_pushed(chunk->body)) {
        sim->kernels->pressure_push(sim, chunk);
    }
}

void sim_pressure_solve_all(struct sim *sim, struct base_parallel *parallel)
{
    sim_run_tasks(sim, parallel, sim->chunk_count, look_task);
    sim_run_tasks(sim, parallel, sim->body_count, settle_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, push_task);
}
