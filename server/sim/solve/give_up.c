// A tick of which contact asks too much is given up, and everything is as it was when it began. Contact alone decides that,
// by how many pairs it has looked at: these are the same on all machines, for all instruction sets and numbers of threads.
//
// step.c gives back what was, as it does for every tick that fails.
#include "sim/contact/meet.h"
#include "sim/solve/solve.h"

#include <inttypes.h>
#include <stdio.h>

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
    sim->meetings.tested = sim->meet->tested;
}
