// The nodes of a factor, one by one: what making it at once (factor.c) and over several ticks (making.c) share.
#ifndef WEFT_SIM_PLATE_FACTOR_H
#define WEFT_SIM_PLATE_FACTOR_H

#include "sim/plate/plate.h"

enum { SIM_PLATE_BLOCK = 8 }; // unknowns of a block of a front

// The nodes of a factor share this while they are computed.
struct sim_plate_works {
    struct sim_plate *plate;
    struct sim_plate_tree *tree;
    const struct sim_kernels *kernels;
    const bool *asked; // by node: it is computed; NULL: all are
    struct sim_plate_range nodes;
    struct sim_plate_front front;
    uint32_t *local;  // by unknown: its row in the front
    size_t *rows;     // of an update: where they stand in the front of the parent
    double *diagonal; // of S
    bool good, definite;
};

// Room for the nodes of a range that are asked for. False without memory; the works are to be deinitialized all the same.
bool sim_plate_works_init(struct sim_plate_works *works, struct sim_plate *plate,
                          const struct sim_kernels *kernels, const bool *asked, struct sim_plate_range nodes);
void sim_plate_works_deinit(struct sim_plate_works *works);
// A node is computed by gathering its front, by so many steps of the kernel plate_front, and by laying out what they found.
// `good` says whether there was memory to keep it.
size_t sim_plate_node_begins(struct sim_plate_works *works, uint32_t at);
void sim_plate_node_ends(struct sim_plate_works *works, uint32_t at);

#endif
