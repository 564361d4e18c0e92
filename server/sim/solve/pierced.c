// Counts what colliders and rigid pieces pierce at a boundary.

#include "sim/contact/pierced.h"
#include "sim/motion/motion.h"

uint64_t sim_pierced(const struct sim *sim)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t s = 0; sim->bodies[b]->features && s < sim->shape_count; s++) {
            struct sim_frame frame;
            sim_shape_frame(sim, &sim->shapes[s], &frame);
            count += sim_pierced_at(sim, sim->bodies[b], &sim->shapes[s], &frame);
        }
        if (sim->bodies[b]->features && sim->rigids.count > 0) {
            count += sim_pierced_by_pieces(sim, sim->bodies[b]);
        }
    }
    return count;
}
