// Shape matching (Müller, Heidelberger, Teschner, Gross 2005): one constraint for a whole body or for each of its regions, after the
// sweep over all others and pressure (concepts/shape-matching.md).
//
//   look     each chunk adds up the parts that it has                                   tasks
//   settle   the sums of the parts, in order, give the centre and the rotation          tasks
//   push     each chunk moves its rows to the means of their goals                      tasks
//
//   A = sum m (x - cx) (q - cq)^T,   R the rotation nearest to A,   g_i = R (q_i - cq) + cx,     m: mass over the number of regions
//
//   U = 1/(2 a M) sum m |x_i - g_i|^2                          over all regions; a: compliance, M: mass of the body
//   dx_i = ((mean of g_i) - x_i - a~ s_i) / (1 + a~),          a~ = a M / h^2, s_i: sum of the dx_i of this substep
//
// R and cx make U least, so U has m (x_i - g_i)/(a M) as its gradient, although they depend on x. Each region's forces have no sum and
// no moment, because m is the same in A and in dx (Rivers and James 2007 divide masses in this way).
//
// Particles without a finite mass do not move. They count as a thousand times as heavy as all others of a region, so the shape goes
// with them. A move is at most as far as a grab may pull. What a sweep turns a free body by is taken back (steady.c).

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

static bool is_matched(const struct sim_body *body)
{
    return body->matching.model != SIM_MATCH_NONE && !body->asleep;
}

void sim_match_begin_all(struct sim *sim)
{
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (body->matching.model != SIM_MATCH_NONE) {
            body->match->soften = body->matching.compliance * sim_match_mass(sim, body) * (inv_h * inv_h);
        }
    }
}

static void drawn_swap(struct sim *sim)
{
    for (uint32_t b = 0; sim->matched_count > 0 && b < sim->body_count; b++) {
        if (is_matched(sim->bodies[b])) {
            struct sim_match *match = sim->bodies[b]->match;
            float(*drawn)[4] = match->drawn;
            match->drawn = match->kept;
            match->kept = drawn;
        }
    }
}

void sim_match_again(struct sim *sim)
{
    sim_match_begin_all(sim);
    drawn_swap(sim);
}

void sim_match_again_over(struct sim *sim)
{
    drawn_swap(sim);
}

static void look_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_matched(chunk->body)) {
        sim->kernels->match_look(sim, chunk);
    }
}

static void settle_region(const struct sim *sim, const struct sim_body *body, uint32_t region)
{
    const struct sim_match *match = body->match;
    const uint32_t origin = match->origins[region];
    struct sim_match_frame *frame = &match->frames[region];
    struct sim_match_sums all = {0};
    struct sim_match_fit fit;
    for (uint32_t p = match->first_parts[region]; p < match->first_parts[region + 1]; p++) {
        for (int i = 0; i < SIM_MATCH_SUMS; i++) {
            all.free[i] += match->sums[p].free[i];
            all.held[i] += match->sums[p].held[i];
        }
    }
    sim_match_fit(&all, match->spreads[region], &fit);
    memcpy(frame->turn, fit.turn, sizeof frame->turn);
    memcpy(frame->shift, fit.shift, sizeof frame->shift);
    memcpy(frame->now, sim->rows[body->first_row + origin].x, sizeof frame->now);
    memcpy(frame->rest, match->rest[origin].x, sizeof frame->rest);
}

static void settle_task(void *context, uint32_t index)
{
    const struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (!is_matched(chunk->body)) {
        return;
    }
    const struct sim_portion portion = sim_match_portion(chunk, chunk->body->match->region_count);
    for (uint32_t region = portion.first; region < portion.end; region++) {
        settle_region(sim, chunk->body, region);
    }
}

static void push_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (is_matched(chunk->body)) {
        sim->kernels->match_push(sim, chunk);
    }
}

void sim_match_solve_all(struct sim *sim, struct base_parallel *parallel)
{
    sim_run_tasks(sim, parallel, sim->chunk_count, look_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, settle_task);
    sim_run_tasks(sim, parallel, sim->chunk_count, push_task);
}
