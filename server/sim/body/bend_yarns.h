// Bending by rigidities along warp and weft: each hinge has a compliance of its own.
//
// The compliances follow from the rest shape, the directions of the yarns, the bend model and the rigidities alone, in double
// precision and in the order of the hinges. So they come to the same bits wherever the body is made, put back or changed, and no
// image has them.
#ifndef WEFT_SIM_BODY_BEND_YARNS_H
#define WEFT_SIM_BODY_BEND_YARNS_H

#include "sim/state/state.h"

static inline bool sim_bends_by_yarns(const struct sim_material *bend)
{
    return bend->warp > 0 || bend->weft > 0 || bend->bias > 0;
}
// Finds the compliance of each bending constraint of a cloth, in the order of their ids: malloc'd, *own. Sets that of the material
// to their harmonic mean. Leaves *own NULL if the material has no rigidities along yarns, or if the body does not bend. The body has
// its rest shape, triangles, yarns and bend model, which is never DEFAULT. q: metres of a quantum.
// Faults: INVALID (values, a stretch model without warp and weft, isometric bending), MEMORY.
enum fault_code sim_bend_yarns(const struct sim_body *body, double q, struct sim_material *bend, float **own,
                               struct fault *fault);

#endif
