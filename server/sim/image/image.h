// Images: what taking, making and histories share.
#ifndef WEFT_SIM_IMAGE_IMAGE_H
#define WEFT_SIM_IMAGE_IMAGE_H

#include "sim/state/state.h"

// image_history.c: gives a new body's constraints of one kind the places and values that history says.
enum sim_status sim_history_apply(struct sim *sim, struct sim_body *body, enum sim_kind kind,
                                  const struct sim_image_history *history, struct sim_fault *fault);
// What an image says of one constraint; values->params are set already where it has a rest shape.
enum sim_status sim_image_values(const struct sim *sim, enum sim_kind kind, uint32_t i,
                                 const struct sim_constraint_values *given, struct sim_values *values,
                                 struct sim_fault *fault);

#endif
