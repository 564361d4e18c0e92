// Rods, as a body is made (body/rod.c).
#ifndef WEFT_SIM_BODY_ROD_H
#define WEFT_SIM_BODY_ROD_H

#include "sim/body/plan.h"
#include "sim/state/rod.h"

// Keeps what is given of a rod. False without memory.
bool sim_body_rod_take(struct sim_body *body, const struct sim_rod *rod);
// Makes the orientations, segments and joints of a rope that is a rod, whose masses are known. given: of each edge its
// place in the caller's list, for faults.
enum fault_code sim_body_rod(struct sim_body_plan *plan, const uint32_t *given,
                             const struct sim_limits *limits, struct fault *fault);
// Clamps the pins of a body that is made otherwise.
enum fault_code sim_body_clamp(struct sim_body *body, const struct sim_body_desc *desc, struct fault *fault);
// Finds the inverse inertias of the segments of a rod from the masses of its particles, by index.
void sim_rod_weigh(struct sim_body *body, const float *inverse_masses);

// Makes the chains of a rod that is solved directly (solve/rod_direct.c). free() gives them back. NULL without memory.
struct sim_rod_direct *sim_rod_direct_make(const struct sim_body *body);

enum fault_code sim_rod_check(const struct sim_rod *rod, struct fault *fault);
// Fills the materials of a rod's segments and joints: compliances 1/EA and 1/EI, the ratios EA/kGA and EI/GJ in place of Poisson's, and
// dampings.
void sim_rod_materials(const struct sim_rod *rod, struct sim_material *stretch, struct sim_material *bend);

#endif
