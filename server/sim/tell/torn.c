// Reads what has torn.

#include "base/assert.h"
#include "sim/ground/ground.h"

void sim_stamp(struct sim *sim, uint64_t stamp)
{
    sim->stamp = stamp;
}

void sim_tears_wait(struct sim *sim, bool wait)
{
    sim->tears_wait = wait;
}

bool sim_can_tear(const struct sim *sim)
{
    bool can = false;
    for (uint32_t b = 0; b < sim->body_count && !can; b++) {
        can = sim->bodies[b]->torn != NULL;
    }
    return can;
}

bool sim_tore(const struct sim *sim)
{
    bool tore = false;
    for (uint32_t b = 0; b < sim->body_count && !tore; b++) {
        const struct sim_torn *torn = sim->bodies[b]->torn;
        tore = torn && torn->cut_count > torn->first_cut;
    }
    return tore;
}

bool sim_body_tears(const struct sim *sim, uint32_t id, struct sim_tears *tears)
{
    const struct sim_body *body = sim_body_find(sim, id);
    const struct sim_torn *torn = body ? body->torn : NULL;
    if (torn) {
        *tears = (struct sim_tears){.own = torn->own,
                                    .used = torn->used,
                                    .origins = torn->origins,
                                    .since = torn->since,
                                    .triangles = body->triangles,
                                    .cuts = torn->cuts,
                                    .cut_count = torn->cut_count};
    }
    return torn != NULL;
}

void sim_tear_edge(const struct sim *sim, uint32_t id, uint32_t edge, uint32_t ends[2])
{
    const struct sim_body *body = sim_body_find(sim, id);
    BASE_ASSERT(body && body->torn && edge < body->torn->edge_count);
    ends[0] = body->torn->edges[edge].ends[0];
    ends[1] = body->torn->edges[edge].ends[1];
}

bool sim_body_tore(const struct sim *sim, uint32_t id, struct sim_tear_tick *tick)
{
    const struct sim_body *body = sim_body_find(sim, id);
    const struct sim_torn *torn = body ? body->torn : NULL;
    if (!torn || torn->cut_count == torn->first_cut) {
        return false;
    }
    *tick = (struct sim_tear_tick){.first_used = torn->first_used,
                                   .first_cut = torn->first_cut,
                                   .triangles = torn->changed,
                                   .triangle_count = torn->changed_count};
    return true;
}
