// Grabs as they were at a moment, for whoever takes back what ended some.
#include "base/assert.h"
#include "sim/ground/ground.h"

#include <stdlib.h>
#include <string.h>

struct sim_grabs_kept {
    uint32_t count;
    struct sim_held items[];
};

struct sim_grabs_kept *sim_grabs_keep(const struct sim *sim)
{
    struct sim_grabs_kept *kept = malloc(sizeof *kept + sim->grab_count * sizeof kept->items[0]);
    if (!kept) {
        return NULL;
    }
    kept->count = sim->grab_count;
    if (kept->count > 0) {
        memcpy(kept->items, sim->grabs, kept->count * sizeof *sim->grabs);
    }
    return kept;
}

void sim_grabs_give_back(struct sim *sim, const struct sim_grabs_kept *kept)
{
    BASE_ASSERT(kept->count <= sim->grab_capacity); // room is never given back
    sim->grab_count = 0;
    for (uint32_t g = 0; g < kept->count; g++) {
        const struct sim_body *body = sim_body_find(sim, kept->items[g].body);
        if (!body || kept->items[g].index >= sim_nameable(body)) {
            continue;
        }
        struct sim_held *held = &sim->grabs[sim->grab_count++];
        *held = kept->items[g];
        held->row = body->first_row + body->row_of[held->index]; // a body that came back may lie elsewhere
    }
}

void sim_grabs_drop(struct sim_grabs_kept *kept)
{
    free(kept);
}
