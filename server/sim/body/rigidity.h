// Bending by rigidity, the number of textile tables: B in N m, moment per width over curvature.
//
// The sim keeps a compliance for each constraint, so a rigidity is turned into the compliance that the whole body's bending has on
// its mesh. It follows from the rest shape and the bend model alone, in double precision and in the order of the triangles, so it
// comes to the same bits wherever the body is made, put back or changed.
#ifndef WEFT_SIM_BODY_RIGIDITY_H
#define WEFT_SIM_BODY_RIGIDITY_H

#include "sim/state/state.h"

// Sets the compliance of a bend material that has a rigidity; leaves others as they are. The body has its rest shape, triangles and
// bend model, which is never DEFAULT. It remembers its factor, so only the first call looks at the mesh. q: metres of a quantum.
// Faults: INVALID (isometric bending has no rigidity; the compliance would be too great), MEMORY.
enum fault_code sim_body_rigidity(struct sim_body *body, double q, struct sim_material *bend,
                                  struct fault *fault);

#endif
