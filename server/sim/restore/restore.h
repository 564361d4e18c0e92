// Putting back: ids that are taken up again.
#ifndef WEFT_SIM_RESTORE_RESTORE_H
#define WEFT_SIM_RESTORE_RESTORE_H

#include "sim/sim.h"
#include "sim/state/state.h"

// restore_fields.c: fill in the values that `fields` does not name, from constraints that all live. Memory goes with the image.
enum fault_code sim_own_merge(const struct sim *sim, struct sim_image *image, struct sim_own *own,
                              struct fault *fault);
enum fault_code sim_loose_merge(const struct sim *sim, struct sim_image *image,
                                struct sim_image_constraints *batch, struct fault *fault);

// restore_ids.c
// Ids first ... end - 1: whether none lives, and none belongs to a body.
bool sim_ids_free(const struct sim *sim, uint32_t first, uint32_t end);
// Forgets such ids. False without memory.
bool sim_ids_cut(struct sim *sim, uint32_t first, uint32_t end);
// Sees to it that each of these ids, ascending and free or loose ones of the kind, has a slot in a range of it.
// sim_ranges_tidy takes back those that stay empty.
enum fault_code sim_ids_open(struct sim *sim, enum sim_kind kind, const uint32_t *ids, uint32_t count,
                             struct fault *fault);

#endif
