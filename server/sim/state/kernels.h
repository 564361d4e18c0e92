// The kernels of an instruction set, as the step calls them.
#ifndef WEFT_SIM_STATE_KERNELS_H
#define WEFT_SIM_STATE_KERNELS_H

#include "sim/state/body.h"

// The terms of a batch of constraints or of rows, lane by lane. Lanes that add nothing hold 0.
struct sim_terms {
    union {
        double energy[SIM_LANES]; // J
        double kinetic[SIM_LANES];
    };
    union {
        double error2[SIM_LANES]; // squared error of the kind: strain, volume error, ...
        double potential[SIM_LANES];
    };
    double greatest[SIM_LANES]; // error of all batches so far
    double counted[SIM_LANES];  // errors that are, of all batches so far
    // Only if multipliers are given, J: what the material asks for at this shape, what of it the last substep did not give, and
    // what it would ask for one unit from rest (a length or volume that doubles, or a bend of 1 rad).
    double asked[SIM_LANES], missed[SIM_LANES], scale[SIM_LANES];
};

// SIM_LANES rows that stand side by side.
struct sim_matter {
    const struct sim_row *rows;
    const struct sim_velocity *velocities;
    const int64_t (*positions)[3];
};

struct sim_sum;         // sum.h
struct sim_softs;       // motion.h
struct sim_touch_lanes; // touch_lanes.h

typedef void sim_run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end);
struct sim_runs {
    sim_run *solve[SIM_FLAVOR_COUNT][2]; // without and with multipliers
    sim_run *damp;                       // velocities, by damped batches
    // Measures a batch, given its words. If far, whole coordinates tell what its low words cannot. With the multipliers of the
    // batch it fills `asked` and `missed` too; NULL: it does not.
    void (*tell)(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms);
};

// The kernels of one instruction set.
struct sim_kernels {
    const struct sim_runs *runs[SIM_KIND_COUNT];          // of batches first ... end - 1 of a tile's order
    void (*blow)(struct sim *sim, struct sim_tile *tile); // adds to what `predicted` holds then
    void (*blow_gusts)(struct sim *sim, struct sim_tile *tile);  // the same, where `air` holds the wind
    void (*air)(struct sim *sim, const struct sim_chunk *chunk); // fills it
    void (*blow_drafts)(struct sim *sim, struct sim_tile *tile); // where `air` holds half the density as well
    void (*drafts)(struct sim *sim,
                   const struct sim_chunk *chunk); // fills it, after `air` if that fills it too
    void (*predict)(struct sim *sim, struct sim_chunk *chunk);
    void (*predict_blown)(struct sim *sim, struct sim_chunk *chunk); // with what the wind gave
    // The same where `pushes` holds what is given in place of the world's gravity, without wind and with it.
    void (*fields)(struct sim *sim,
                   const struct sim_chunk *chunk); // `pushes` from `bases`, by where particles are
    void (*predict_pushed[2])(struct sim *sim, struct sim_chunk *chunk);
    sim_run *const (
        *watch)[2]; // of distances with limits, by flavour as `solve`: finds what is beyond them, too
    void (*limit)(struct sim *sim, struct sim_tile *tile); // takes back what is beyond limits
    // By kind: what flows of the constraints of a plastic body does. Returns whether any flowed. NULL: the kind does not flow.
    bool (*flow[SIM_KIND_COUNT])(const struct sim *sim, struct sim_tile *tile);
    void (*long_edges)(struct sim *sim, const struct sim_long *longs, uint32_t color, uint32_t first,
                       uint32_t end); // batches of one pass
    void (*tethers)(struct sim *sim, const struct sim_long *longs, uint32_t first, uint32_t end);
    void (*bend_push)(struct sim *sim, struct sim_tile *tile); // into `bends`, of tiles that are bent
    void (*bend_hold)(struct sim *sim, struct sim_tile *tile); // their multipliers
    // Nodes in their order, from `pushes` on to those below; or back, to `ways`.
    void (*plate_pass)(const struct sim_plate *plate, struct sim_plate_range nodes, bool back);
    void (*plate_move)(struct sim *sim, struct sim_chunk *chunk); // by what `bends` holds
    uint32_t lanes;                                               // of a float vector
    // Gradients of the volume for the rows of a chunk, and their sums; what they are pushed by.
    void (*pressure_look)(struct sim *sim, const struct sim_chunk *chunk);
    void (*pressure_push)(struct sim *sim, const struct sim_chunk *chunk);
    // Sums over the regions of shape matching that a chunk has part in, and the way of its rows to their goals.
    void (*match_look)(struct sim *sim, const struct sim_chunk *chunk);
    void (*match_push)(struct sim *sim, const struct sim_chunk *chunk);
    void (*touch_lanes)(struct sim_touch_lanes *lanes); // pushes pairs of rigid pieces apart
    void (*grab)(struct sim *sim);                      // all grabs pull
    void (*soft)(struct sim *sim, struct sim_softs *softs, uint32_t count); // soft pins draw and hold
    void (*contact)(struct sim *sim, struct sim_chunk *chunk);
    void (*finish)(struct sim *sim, struct sim_chunk *chunk);
    void (*go_on)(struct sim *sim, struct sim_chunk *chunk); // finish, then predict
    // Orientations of a chunk set out, arrive, or both.
    void (*turn_predict)(struct sim *sim, const struct sim_chunk *chunk);
    void (*turn_finish)(struct sim *sim, const struct sim_chunk *chunk);
    void (*carry)(struct sim *sim,
                  struct sim_tile *tile); // gathers and puts back, to measure what that costs
    void (*tell_particles)(const struct sim *sim, const struct sim_matter *matter, struct sim_terms *terms);
    void (*sum)(struct sim_sum *sum, const double terms[SIM_LANES]); // adds them all
    void (*capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                    float *out);
    void (*capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                      double *out);
    void (*normals)(const struct sim *sim, const struct sim_body *body, float *out);
    // Eliminates the unknowns of a node. False: a pivot is not positive.
    bool (*plate_front)(const struct sim_plate_front *front, size_t step); // sim_plate_steps of them
    // How a chunk of a body was moved and turned since `before`; takes back what the whole body was. If it keeps, velocities take
    // what rounding leaves over.
    void (*steady_weigh)(struct sim *sim, const struct sim_chunk *chunk);
    void (*steady_take)(struct sim *sim, const struct sim_chunk *chunk, bool keeps);
};

const struct sim_kernels *sim_kernels_of(enum sim_isa isa); // kernels/isa.c

#endif
