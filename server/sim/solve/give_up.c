// A tick of which contact asks too much is given up, and everything is as it was when it began. Contact alone decides that,
// by how many pairs it has looked at: these are the same on all machines, for all instruction sets and numbers of threads.
//
// A tick writes whole coordinates only when it ends, so they tell where rows were. Velocities are kept aside, and what motions
// have added to targets is taken off again.
#include "sim/contact/meet.h"
#include "sim/motion/motion.h"
#include "sim/solve/solve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void sim_tick_keep(struct sim *sim, uint32_t first_row, uint32_t count)
{
    memcpy(sim->meet->start + first_row, sim->velocities + first_row, count * sizeof *sim->meet->start);
}

static void rows_give_back(struct sim *sim)
{
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        const struct sim_chunk *chunk = &sim->chunks[c];
        memcpy(sim->velocities + chunk->first_row, sim->meet->start + chunk->first_row,
               chunk->count * sizeof *sim->velocities);
        for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
            for (int axis = 0; axis < 3; axis++) {
                sim->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis];
            }
        }
    }
}

static void grabs_give_back(struct sim *sim)
{
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        memset(sim->grabs[g].multiplier, 0, sizeof sim->grabs[g].multiplier);
        memset(sim->grabs[g].left, 0, sizeof sim->grabs[g].left);
    }
}

// The body that most of the pairs belong to; of several the first.
static const struct sim_body *heaviest(const struct sim_meet *meet)
{
    const struct sim_member *found = &meet->members[0];
    for (uint32_t m = 1; m < meet->member_count; m++) {
        found = meet->members[m].tested > found->tested ? &meet->members[m] : found;
    }
    return found->body;
}

void sim_tick_give_up(struct sim *sim, struct sim_failure *failure)
{
    const struct sim_body *body = heaviest(sim->meet);
    *failure = (struct sim_failure){.failed = true, .given_up = true, .body = body->id};
    snprintf(failure->text, sizeof failure->text,
             "body %" PRIu32
             ": its thickness of %.3g m, where edges are %.3g m, takes contact more than %" PRIu64
             " tests of pairs in a tick (limit contact_tests)",
             body->id, body->thickness, body->edge, sim->meet->tests_max);
    rows_give_back(sim);
    grabs_give_back(sim);
    sim_drives_give_back(sim);
    sim->meetings.tested = sim->meet->tested;
}
