// Another shape matching for a body that is there: made aside first, so that a refusal changes nothing.

#include "sim/body/match.h"
#include "sim/body/steady.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

// The present shape of the body, m from the first particle on, which are whole quanta. NULL if memory runs out.
static double *present(const struct sim *sim, const struct sim_body *body)
{
    double *places = malloc((3 * (size_t)body->count + 1) * sizeof *places);
    for (uint32_t i = 0; places && i < body->count; i++) {
        const int64_t *at = sim->positions[body->first_row + body->row_of[i]],
                      *first = sim->positions[body->first_row + body->row_of[0]];
        for (size_t axis = 0; axis < 3; axis++) {
            places[3 * (size_t)i + axis] = (double)(at[axis] - first[axis]) * sim->q;
        }
    }
    return places;
}

// Whether the regions that there are stay.
static bool is_like(const struct sim_body *body, const struct sim_matching *matching)
{
    const struct sim_matching *has = &body->matching;
    return has->model == matching->model && has->radius == matching->radius &&
           has->spacing == matching->spacing && has->places == matching->places;
}

static enum fault_code make(const struct sim *sim, const struct sim_body *body,
                            struct sim_match_change *change, struct fault *fault)
{
    enum fault_code status = sim_match_make(body, &change->matching, sim->q, &change->match, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    const uint64_t has = sim_match_visits(body, body->match), gets = sim_match_visits(body, change->match);
    const struct sim_more more = {.matched = gets > has ? gets - has : 0};
    return gets > has ? sim_work_check(sim, "shape", &sim->settings, &more, fault) : FAULT_NONE;
}

enum fault_code sim_match_change_make(const struct sim *sim, struct sim_body *body,
                                      const struct sim_matching *given, const struct sim_rest_shape *rest,
                                      struct sim_match_change *change, struct fault *fault)
{
    const bool rests = rest && rest->places;
    *change = (struct sim_match_change){.matching = given ? *given : body->matching};
    change->any = (given || rests) && (given || body->matching.model != SIM_MATCH_NONE);
    if (!change->any || change->matching.model == SIM_MATCH_NONE) {
        change->matching = change->any ? (struct sim_matching){0} : change->matching;
        return FAULT_NONE;
    }
    double *own = NULL;
    enum fault_code status = sim_matching_check(&change->matching, sim->q, fault);
    if (status == FAULT_NONE && !body->steady && !(body->steady = sim_steady_make(body->count))) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE && rests && !rest->positions && !(own = present(sim, body))) {
        status = sim_fault_memory(fault);
    }
    change->matching.places = rests ? (own ? own : rest->positions) : change->matching.places;
    if (status == FAULT_NONE && !is_like(body, &change->matching)) {
        status = make(sim, body, change, fault);
    }
    free(own);
    if (status != FAULT_NONE) {
        sim_match_change_drop(change);
    }
    return status;
}

void sim_match_change_take(struct sim *sim, struct sim_body *body, struct sim_match_change *change)
{
    if (!change->any) {
        return;
    }
    const bool none = change->matching.model == SIM_MATCH_NONE;
    if (change->match || none) {
        if (body->match) {
            sim_match_destroy(body->match);
        }
        body->match = change->match;
    }
    body->matching = change->matching;
    body->matching.places = body->match ? body->match->places : NULL;
    change->match = NULL;
    sim->solved = false;
}

void sim_match_change_drop(struct sim_match_change *change)
{
    if (change->match) {
        sim_match_destroy(change->match);
        change->match = NULL;
    }
}
