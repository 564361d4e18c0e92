// The air in a tick: gusts, which are noise in space and time that is added to the wind (kernels/air.c) and keep bodies awake that
// they can move; winds and fans, which are fields of force that move it (drafts.c); and how each body feels it.
#ifndef WEFT_SIM_SOLVE_AIR_H
#define WEFT_SIM_SOLVE_AIR_H

#include "base/parallel.h"
#include "sim/state/state.h"

// Whether anything moves triangles: there is air everywhere, or somewhere.
static inline bool sim_air_blows(const struct sim *sim)
{
    return sim->settings.wind.density > 0 || sim_forces_blow(&sim->settings.forces);
}

// Lets the air of this tick blow on a tile of triangles.
static inline void sim_air_blow_tile(struct sim *sim, struct sim_tile *tile)
{
    if (sim_forces_blow(&sim->settings.forces)) {
        sim->kernels->blow_drafts(sim, tile);
    } else if (sim_wind_gusts(&sim->settings.wind)) {
        sim->kernels->blow_gusts(sim, tile);
    } else {
        sim->kernels->blow(sim, tile);
    }
}

// Fills what the tick that begins needs to know, from the settings.
void sim_air_set(struct sim *sim);
// Finds the air at all bodies that it can push, if it is not the same everywhere. When a tick begins.
void sim_air_begin(struct sim *sim, struct base_parallel *parallel);
// Finds the air and its density at all bodies that have triangles, after the gusts, when a tick begins in which a field blows.
void sim_drafts_begin(struct sim *sim, struct base_parallel *parallel);
// Moves the pattern on. When a tick ends that has not failed.
void sim_air_end(struct sim *sim);
// Whether gusts can move a particle of the body.
bool sim_air_moves(const struct sim *sim, const struct sim_body *body);

#endif
