// Instruction sets, and rest values as the kernels measure them.
#ifndef WEFT_SIM_KERNELS_KERNELS_H
#define WEFT_SIM_KERNELS_KERNELS_H

#include "sim/state/state.h"

// isa.c
const struct sim_kernels *sim_kernels_of(enum sim_isa isa);

// The value of C for four particles; offsets are x1 - x0, x2 - x0, x3 - x0 in m. Rest values and measures use the
// same functions, so that a body at rest has no error at all.
float sim_dihedral_angle(const float offsets[3][3]); // rad, signed
// Finds the params that the kind stores (struct sim_values). False if the stencil has no area.
bool sim_bend_stencil(enum sim_kind kind, const double offsets[3][3], float params[4]);
float sim_volume_of(const float offsets[3][3]); // m^3, signed

#endif
