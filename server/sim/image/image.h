// Images: what taking, making and histories share.
#ifndef WEFT_SIM_IMAGE_IMAGE_H
#define WEFT_SIM_IMAGE_IMAGE_H

#include "sim/state/state.h"

// image_history.c: gives a new body's constraints of one kind the places and values that history says.
enum fault_code sim_history_apply(struct sim *sim, struct sim_body *body, enum sim_kind kind,
                                  const struct sim_image_history *history, struct fault *fault);

// image.c, image_part.c
// Memory that goes with the image; NULL without. Nothing asked for is something all the same.
void *sim_image_block(struct sim_image *image, uint64_t count, size_t item_size);
bool sim_kind_has_rest(enum sim_kind kind);
enum { SIM_IMAGE_VALUES = 7 }; // arrays of struct sim_constraint_values, in its order
// Whether what flows of a constraint is as the body was made.
bool sim_flow_is_own(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t slot);
// Fills what flows of it, flow_count floats of its kind.
void sim_image_flow_take(const struct sim *sim, enum sim_kind kind, uint32_t slot, float *flows);
// Whether a constraint has the material and the rest of its body.
bool sim_values_are_own(const struct sim *sim, const struct sim_body *body, enum sim_kind kind,
                        uint32_t slot);
// Arrays of so many values, also as `out` to write them; rest and those of slides only where the kind has them.
bool sim_image_values_block(struct sim_image *image, enum sim_kind kind, uint32_t count,
                            struct sim_constraint_values *values, double *out[SIM_IMAGE_VALUES]);
void sim_image_values_take(const struct sim *sim, enum sim_kind kind, uint32_t slot, uint32_t i,
                           double *out[SIM_IMAGE_VALUES]);
bool sim_image_body_take(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                         struct sim_image_body *out);

// image_make.c
enum fault_code sim_image_batch_check(const struct sim_image_constraints *batch, struct fault *fault);
// The poses of an exact collider, whose other parts the shape has already.
enum fault_code sim_image_poses(const struct sim *sim, const struct sim_image_collider *given,
                                struct sim_shape *shape, struct fault *fault);

// image_grab.c
enum fault_code sim_image_grab_make(struct sim *sim, const struct sim_image_grab *given, struct fault *fault);

#endif
