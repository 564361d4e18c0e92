// The chains of a rod that is solved directly, from its edges: open ones from their first particle on, and then rings.

#include "sim/body/rod.h"
#include "sim/state/rod_direct.h"
#include "sim/state/state.h"

#include <stdlib.h>

// Adds the chain of the segment that begins at a particle. next: by particle, where its segment ends; UINT32_MAX: none begins there.
static void walk(struct sim_rod_direct *direct, uint32_t first, const uint32_t *next, uint32_t *count)
{
    struct sim_rod_chain *chain = &direct->chains[direct->chain_count++];
    *chain = (struct sim_rod_chain){.first = *count};
    uint32_t particle = first;
    for (; particle != UINT32_MAX && direct->node_of[particle] == UINT32_MAX; particle = next[particle]) {
        direct->node_of[particle] = *count;
        direct->nodes[(*count)++].particle = particle;
    }
    chain->count = *count - chain->first;
    chain->ring = particle != UINT32_MAX;
}

struct sim_rod_direct *sim_rod_direct_make(const struct sim_body *body)
{
    const size_t particles = body->count, edges = body->edge_count;
    uint32_t *next = malloc((particles + 1) * 2 * sizeof *next), count = 0;
    struct sim_rod_direct *direct =
        calloc(1, sizeof *direct + particles * (sizeof *direct->nodes + sizeof *direct->node_of) +
                      edges * sizeof *direct->chains);
    if (!next || !direct) {
        free(next);
        free(direct);
        return NULL;
    }
    direct->nodes = (struct sim_rod_node *)(void *)(direct + 1);
    direct->chains = (struct sim_rod_chain *)(void *)(direct->nodes + particles);
    direct->node_of = (uint32_t *)(void *)(direct->chains + edges);
    uint32_t *before = next + particles;
    for (size_t i = 0; i < particles; i++) {
        next[i] = before[i] = direct->node_of[i] = UINT32_MAX;
    }
    for (size_t e = 0; e < edges; e++) {
        next[body->edges[2 * e]] = body->edges[2 * e + 1];
        before[body->edges[2 * e + 1]] = body->edges[2 * e];
    }
    for (int rings = 0; rings < 2; rings++) {
        for (uint32_t i = 0; i < body->count; i++) {
            if (next[i] != UINT32_MAX && direct->node_of[i] == UINT32_MAX &&
                (rings == 1 || before[i] == UINT32_MAX)) {
                walk(direct, i, next, &count);
            }
        }
    }
    free(next);
    return direct;
}
