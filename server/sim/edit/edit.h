// Bodies that come, and pins: what edits and putting back share.
#ifndef WEFT_SIM_EDIT_EDIT_H
#define WEFT_SIM_EDIT_EDIT_H

#include "sim/state/state.h"

// attach.c
// First gap that holds so many rows, or the end, and where in by_row that is.
uint32_t sim_rows_gap(const struct sim *sim, uint32_t count, uint32_t *position);
enum fault_code sim_attach_check(const struct sim *sim, const struct sim_body *body, uint64_t constraints,
                                 struct fault *fault);
// All memory that attaching needs, so that what follows cannot fail.
bool sim_attach_reserve(struct sim *sim, const struct sim_body *body, struct sim_store *stores,
                        uint32_t start);
// The body is one of the sim from now on; what its rows hold is still to be said.
void sim_attach_rows(struct sim *sim, struct sim_body *body, uint32_t start, uint32_t position);
// Takes over the batches of one kind, and the body's tiles of it; returns where they begin.
uint32_t sim_attach_store(struct sim *sim, struct sim_store *from, struct sim_body *body, uint32_t kind,
                          uint32_t row_offset, uint32_t id_offset);

// particle.c
// Finds the body and checks that each index is in range and stands in the list once.
enum fault_code sim_particles_check(const struct sim *sim, uint32_t id, const uint32_t *particles,
                                    uint32_t count, struct sim_body **body, struct fault *fault);
// Checks that each of these places is within the extent; NULL is allowed.
enum fault_code sim_positions_check(const struct sim *sim, const double *positions, const uint32_t *particles,
                                    uint32_t count, struct fault *fault);

// push.c
// Changes what is given; NULL: not given. Both are in range.
void sim_pull_set(struct sim_body *body, const struct sim_own_gravity *gravity,
                  const struct sim_own_wind *wind, const struct sim_body_force *force);
// Room for so many forces on particles more. False without memory; nothing that decides the future has changed.
bool sim_loads_reserve(struct sim *sim, struct sim_body *body, uint32_t more);
// Gives a particle a force, which is in range, in place of the one it has; 0 ends that. There is room.
void sim_load_set(struct sim_body *body, uint32_t index, const double force[3], uint32_t ticks);
const struct sim_load *sim_load_find(const struct sim_body *body, uint32_t index); // NULL: none acts on it

// force_check.c
enum fault_code sim_forces_check(const struct sim_force_fields *forces, double resolution,
                                 struct fault *fault);

// surface_check.c
enum fault_code sim_surfaces_check(const struct sim_surfaces *surfaces, struct fault *fault);

// pin.c
// Makes pins of those that have none, with places still to be filled in, merged from the back so that the
// list stays in order. Their rows keep their masses until sim_pin_soften. Changes nothing on failure.
enum fault_code sim_pins_insert(struct sim *sim, struct sim_body *body, const uint32_t *particles,
                                uint32_t count, struct fault *fault);
void sim_pins_remove(struct sim *sim, struct sim_body *body, const uint32_t *particles, uint32_t count);
// Makes a pin as soft as these say, and gives its row the mass that it has then.
void sim_pin_soften(struct sim *sim, struct sim_body *body, struct sim_pin *pin, float compliance,
                    float distance);
// Gives a row another inverse mass, and says so to what follows from masses.
void sim_row_weigh(struct sim *sim, struct sim_body *body, uint32_t row, float inverse_mass);

// match.c
// A change of the shape matching of a body, made aside.
struct sim_match_change {
    bool any;
    struct sim_matching matching;
    struct sim_match *match; // NULL: the regions stay, or there are none
};
// given, rest: NULL or what an edit gives. If it fails, *change holds nothing.
enum fault_code sim_match_change_make(const struct sim *sim, struct sim_body *body,
                                      const struct sim_matching *given, const struct sim_rest_shape *rest,
                                      struct sim_match_change *change, struct fault *fault);
void sim_match_change_take(struct sim *sim, struct sim_body *body, struct sim_match_change *change);
void sim_match_change_drop(struct sim_match_change *change);

// clamp.c
// Refuses a particle that has no segment of a rod.
enum fault_code sim_clamp_check(const struct sim_body *body, uint32_t particle, struct fault *fault);
// Refuses orientations, from and to, that no clamp at the particle can have. All 0 are none, which any particle can have.
enum fault_code sim_clamp_given(const struct sim_body *body, uint32_t particle, const int32_t clamp[8],
                                struct fault *fault);
// Refuses an orientation in the frame of a collider (0: none) that such a clamp cannot have.
enum fault_code sim_clamp_held_given(const int32_t held[4], const int32_t clamp[8], uint32_t collider,
                                     uint32_t particle, struct fault *fault);
// The orientation of that segment, of a particle that has one.
void sim_clamp_at(const struct sim *sim, const struct sim_body *body, uint32_t particle, int32_t q[4]);

#endif
