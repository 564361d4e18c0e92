// Untangling of what crosses when a tick begins: which way an edge and a triangle have to go until they no longer cross,
// and pushes that way in each substep. All of it is a function of positions when the tick begins.
//
//     search of crossings ─▶ take ... take ─▶ plan          once a tick
//     untangle                                              each iteration, before contacts push
#ifndef WEFT_SIM_CONTACT_UNTANGLE_H
#define WEFT_SIM_CONTACT_UNTANGLE_H

#include "sim/contact/exempt.h"

// Most crossings that are dealt with in a tick, whatever there is; and most elements that are walked to plan for them.
enum { SIM_UNTANGLE_MAX = 16384, SIM_UNTANGLE_ELEMENTS_MAX = 1 << 20 };

// Takes note of a crossing of this tick, in a world that untangles: rows of an edge and of a triangle.
void sim_untangle_take(struct sim *sim, const uint32_t rows[5]);
// Once all are taken, if there are any: says which way each goes. Rows stand where the tick began (sim->previous).
void sim_untangle_plan(struct sim *sim);
// Pushes what still crosses: in all islands, or in those in which something is pressed.
void sim_untangle_push(struct sim *sim, bool only_pressed);

#endif
