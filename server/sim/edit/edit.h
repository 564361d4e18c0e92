// Bodies that come: what attaching and putting back share.
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

#endif
