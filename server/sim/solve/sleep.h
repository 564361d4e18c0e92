// Sleep: bodies that rest, and touch only what rests, are left as they are.
//
// A body is still in a tick if none of its particles is farther from its anchor than SIM_STILL_LENGTH. Anchors are where the
// particles were when the body began to be still. An island is a body, with all that its contact may reach. It falls asleep
// once all its bodies have been still for a second's ticks, and then its velocities are zero. So a pendulum at its turn and a cloth
// that slides by a millimetre a second stay awake: in a second they go farther than that length.
//
// Bodies that loose constraints join are one island, with the islands that they are in. Others move or sleep as they like. Loose
// constraints of a kind are one tile: ground/resting.c leaves alone what of it sleeps.
//
// These stay awake: a body that is restless, a rod, a body that a force acts on for a time, a body with a rest angle that flows, a body whose particle
// is grabbed, moved by a motion or on its way to a pin's new target, a body with a crossing, and a body where the surface of a
// collider runs.
//
// A rigid piece is still if it hardly turns as well. Bodies whose pieces push each other fall asleep together (rigid/touching.h), and one
// that is pushed by a piece that is awake wakes.
//
// A body wakes
//   between ticks   by an edit of it, of constraints (an undo may bring back the side of a slide alone) or of settings, if a body is
//                   removed, and if a collider near it is edited
//   in a tick       if a collider that moves comes near its box (before the substep), or if an awake body may reach
//                   it before contact looks again (contact/islands.c)
// In the substep in which it wakes it stays where it is. It moves from the next one on.
//
// Which bodies sleep, since when they are still, and their anchors are state: the hash and images have them. A tick that fails
// gives back what was.
#ifndef WEFT_SIM_SOLVE_SLEEP_H
#define WEFT_SIM_SOLVE_SLEEP_H

#include "sim/state/state.h"

#define SIM_STILL_LENGTH 5e-4 // m, along each axis

// Constraints have changed: finds the bodies that loose ones join. False without memory.
bool sim_ties_find(struct sim *sim);
// Clears multipliers of all that is awake: what sleeps keeps those of its last substep.
void sim_multipliers_clear(struct sim *sim);
// A tick begins, and motions have said where they go in it.
void sim_sleep_begin(struct sim *sim);
// Colliders have their way in this substep: wakes what they may touch.
void sim_sleep_substep(struct sim *sim);
// A tick has ended well.
void sim_sleep_end(struct sim *sim);
// A tick has failed.
void sim_sleep_give_back(struct sim *sim);

#endif
