// Borders between the files that make a body ready (body.c, body_check.c, body_constraints.c, body_plan.c).
#ifndef WEFT_SIM_BODY_BODY_H
#define WEFT_SIM_BODY_BODY_H

#include "sim/body/plan.h"
#include "sim/state/state.h"

#define SIM_MASS_MIN (1 / SIM_INVERSE_MASS_MAX) // kg
#define SIM_MASS_MAX (1 / SIM_INVERSE_MASS_MIN)

// Counts an element under a warning, whose text is `one` or `many`; both take the count and the first element.
void sim_body_warn(struct sim_body_plan *plan, enum sim_warning_code code, uint32_t element, const char *one,
                   const char *many);
// Writes the texts, once all is counted.
void sim_body_warnings_write(struct sim_body_plan *plan);

// sizes.c
// Gives the body the thickness that its mesh allows, if the desc left that open; else warns if it is thicker than suits the mesh
// (SIM_THICK). That warning is the last one, after those that sim_body_warnings_write writes.
enum fault_code sim_body_size(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                              struct fault *fault);

// body_solid.c
// Makes the tetrahedra of a body that has a solid model.
enum fault_code sim_body_solids(struct sim_body_plan *plan, const uint32_t *given,
                                const struct sim_limits *limits, struct fault *fault);
// Warns if Poisson's ratio is so great that tetrahedra lock (SIM_LOCKING), after sim_body_warnings_write.
void sim_body_solid_warn(struct sim_body_plan *plan);

// turned.c
// Keeps the orientations that a body starts with; NULL: it has none. False without memory.
bool sim_body_turned_take(struct sim_body *body, const struct sim_turned *turned);

// body_constraints.c
// Values of a constraint that rests where its body does. False if there can be none.
bool sim_body_values(const struct sim_body_plan *plan, enum sim_kind kind, const uint32_t *corners,
                     struct sim_values *values);
// Turns corners (stencil of each constraint, by index) into rows and lays the constraints out.
enum fault_code sim_body_lay_out(struct sim_body_plan *plan, uint32_t kind, uint32_t count, uint32_t *corners,
                                 const struct sim_values *values, const struct sim_limits *limits,
                                 struct fault *fault);

enum fault_code sim_body_check(const struct sim_body_desc *desc, double resolution, double extent,
                               const struct sim_limits *limits, struct fault *fault);

// Fills stores, slots and tiles of the plan with the body's constraints of all kinds. given: of each element
// its place in the caller's list, for warnings.
enum fault_code sim_body_constrain(struct sim_body_plan *plan, const uint32_t *given,
                                   const struct sim_limits *limits, struct fault *fault);

#endif
