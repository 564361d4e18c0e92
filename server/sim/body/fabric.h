// Stretch of woven cloth: stiffnesses in N/m along the warp and the weft and in shear, as testers of textiles measure them.
//
// The sim keeps one compliance for each constraint, so the compliance of a body's stretch material becomes 1/k11 (kinds/orthotropic.c).
// All of it follows from the material and the rest shape, in double precision, so it comes to the same bits wherever the body is
// made, put back or changed.
#ifndef WEFT_SIM_BODY_FABRIC_H
#define WEFT_SIM_BODY_FABRIC_H

#include "sim/state/fabric.h"
#include "sim/state/state.h"

// Checks the stretch of a body and, if it is orthotropic, sets its compliance. Faults: INVALID.
enum fault_code sim_fabric_check(enum sim_body_kind kind, enum sim_stretch model,
                                 const struct sim_yarns *yarns, struct sim_material *stretch,
                                 struct fault *fault);
// Fills a vector of any length along which the warp runs, as seen in a triangle, before it is turned by the yarns' angle. edges: those
// from the triangle's first corner to the other two at rest. False if the triangle has uvs, and they lie on a line.
bool sim_warp_along(const struct sim_body *body, uint32_t triangle, const double edges[2][3],
                    double along[3]);
// Fills the unit vectors of warp and weft of a triangle of the rest shape, which has an area; turn: sim_turn_of the yarns' angle. A
// warp that stands upright on the triangle runs along its first edge instead.
void sim_yarns_of(const struct sim_body *body, double q, uint32_t triangle, const double turn[2],
                  double warp[3], double weft[3]);

#endif
