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

#endif
