// Makes what a cloth needs to tear: spare particles, the edges of its mesh, and which constraints stand at them.
#ifndef WEFT_SIM_BODY_TORN_H
#define WEFT_SIM_BODY_TORN_H

#include "sim/body/plan.h"

struct sim_hinge;

// Checks thresholds and what of the body does not go with tearing. Does nothing if `most` is 0.
enum fault_code sim_tear_check(const struct sim_body_desc *desc, struct fault *fault);
// The thresholds alone. has_yarns: the body has orthotropic stretch.
enum fault_code sim_tear_limits_check(const struct sim_tear *tear, bool has_yarns, struct fault *fault);
// Called once the constraints of the plan are laid out. The plan's body has its spares.
enum fault_code sim_torn_make(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                              struct fault *fault);
// Triangles of the mesh as it was made: malloc'd, NULL without memory.
uint32_t *sim_torn_mesh(const struct sim_body *body);
void sim_torn_destroy(struct sim_torn *torn); // NULL is allowed

#endif
