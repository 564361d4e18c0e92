// Fills generated structs with parts of the document. Lists live in the memory of the request. Simulation
// thread.
#ifndef WEFT_WORLD_SUMMARY_H
#define WEFT_WORLD_SUMMARY_H

#include "world/answer/call.h"
#include "world/frames/snapshot.h"
#include "world/people/people.h"

// Make lists. False: memory ran out, and the request is refused.
bool world_people_list(struct world_call *call, struct protocol_list *out);
// Collider that each of so many pins of a body follows; no data if none does.
bool world_pin_colliders(struct world_call *call, uint32_t body, uint32_t pins, struct protocol_array *out);
// Compliances and distances of so many pins of a body; no data if all are hard.
bool world_pin_softness(struct world_call *call, uint32_t body, uint32_t pins,
                        struct protocol_array *compliances, struct protocol_array *distances);
// The shape of pieces, with the parts of a compound. False: memory ran out, and the request is refused.
bool world_rigid_fill(struct world_call *call, const struct sim_rigid_shape *shape,
                      struct protocol_rigid *out);
bool world_bodies_list(struct world_call *call, struct protocol_list *out);
bool world_colliders_list(struct world_call *call, struct protocol_list *out);
bool world_convergence_list(struct world_call *call, struct protocol_list *out); // at a boundary
bool world_pressures_list(struct world_call *call, struct protocol_list *out);   // at a boundary
bool world_shapes_list(struct world_call *call, struct protocol_list *out);      // at a boundary
bool world_grabs_list(struct world_call *call, struct protocol_list *out);
void world_grab_fill(const struct world_people *people, const struct sim_grab *grab,
                     struct protocol_grab_summary *out);
void world_measures_fill(const struct sim *sim, const struct world_times *times,
                         struct protocol_measures *out);

#endif
