// Cloth, ropes and points, solved with XPBD in small steps.
//
// A sim is physics and nothing else: no clock, file, socket, lock or thread of its own, and no allocation
// while stepping. The same edits between the same ticks give the same bits, whatever the compiler, the
// instruction set or the number of threads that the caller lends to sim_step.
//
// Positions are fixed point: an int64 count of quanta (sim_settings.resolution, a power of two of a metre)
// for each coordinate. While a tick runs the solver works on the low 32 bits, which wrap, so that a world
// far from the origin moves exactly as one at it.
//
// Units are SI: m, kg, s, m/N. "Index" is a particle's index in its body, in the caller's order; the
// order in memory is another (sim_body_prepare fixes it). Ids start at 1 and are never used twice.
//
// Every function that edits checks everything first: when it returns other than FAULT_NONE nothing
// changed and *fault says why. One thread at a time may use a sim; sim_body_prepare uses none.
//
// Sources: XPBD (Macklin, Mueller, Chentanez 2016), Small Steps in Physics Simulation (Macklin et al. 2019),
// Position Based Dynamics (Mueller et al. 2007), Detailed Rigid Body Simulation (Mueller et al. 2020) for
// friction in positions.
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

// IWYU pragma: begin_exports
#include "sim/sim_body.h"
#include "sim/sim_collider.h"
#include "sim/sim_constraint.h"
#include "sim/sim_image.h"
#include "sim/sim_material.h"
#include "sim/sim_particle.h"
#include "sim/sim_restore.h"
#include "sim/sim_time.h"
#include "sim/sim_world.h"
// IWYU pragma: end_exports

#endif
