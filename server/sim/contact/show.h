// Where contact is, for ticks for which a caller asked: marks of rows while the tick runs, and lists of particles when it ends.
// Nothing that decides the future reads any of it.
#ifndef WEFT_SIM_CONTACT_SHOW_H
#define WEFT_SIM_CONTACT_SHOW_H

#include "sim/sim.h"

struct sim_span;

struct sim_shown_list {
    uint32_t count, more;
    uint32_t bodies[SIM_SHOWN_MAX];
    uint32_t particles[2 * SIM_SHOWN_MAX]; // one of each place; of crossed edges both ends
};

struct sim_show {
    bool wanted;    // in the ticks to come
    bool under_way; // in this one
    bool known;
    uint8_t *marks; // by row
    struct sim_shown_list lists[SIM_SHOWN_KINDS];
};

void sim_show_begin(struct sim *sim); // a tick
// These do nothing in a tick that was not asked.
void sim_show_crossed(struct sim *sim, const uint32_t edge[2]);   // rows
void sim_show_held(struct sim *sim, const struct sim_span *span); // of an island, by its t
void sim_show_touching(struct sim *sim);                          // pairs of the last push
void sim_show_end(struct sim *sim);                               // after the last substep

#endif
