// Watches how well the solver converges, and warns: STRETCHED if edges get longer than their limit, STIFF if forces of a
// material are not resolved (sim/solve/convergence.c says what is measured).
//
// A look costs about one sweep over the constraints and a pass that measures them. So there is one after every
// LOOK_SWEEPS sweeps, when a tick ends whose number is a multiple of world_look_ticks. When a look is follows from the
// settings, and what it finds from the state. Warnings are no part of the state: a world that is opened begins without.
//
//     no warning ──▶ error above 5 % in two looks, one after the other ──▶ warning
//     warning ──▶ error below 2.5 % in two looks, one after the other ──▶ no warning
#ifndef WEFT_WORLD_CONVERGENCE_H
#define WEFT_WORLD_CONVERGENCE_H

#include "protocol/types.h"
#include "sim/sim.h"

struct world;
struct world_time;

#define WORLD_WARNING_COMES 0.05
#define WORLD_WARNING_GOES 0.025

enum { WORLD_WARNING_LOOKS = 2 };

// One warning of one body.
struct world_verdict {
    bool holds;
    uint32_t looks; // the last ones, in a row, that speak against it
};

// Takes the error that a look found into account. Returns whether the verdict has changed.
bool world_verdict_look(struct world_verdict *verdict, double error);

// Returns how many ticks there are from one look to the next: a power of two from 16 to 1024.
uint32_t world_look_ticks(const struct sim_settings *settings);

// Looks if it is time, after a tick that has not failed. Tells the members of the world what has changed. Simulation thread.
void world_convergence_tick(struct world *world);
// Lists the warnings that hold (struct protocol_warning), as of the last look. The list is valid until the next call, look or
// edit. False without memory. Simulation thread.
bool world_warnings(struct world *world, struct protocol_list *out);
void world_convergence_deinit(struct world_time *time);

#endif
