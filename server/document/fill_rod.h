// Orientations and clamps in documents and restores (rod.c).
#ifndef WEFT_DOCUMENT_FILL_ROD_H
#define WEFT_DOCUMENT_FILL_ROD_H

#include "document/filler.h"
#include "document/reader.h"

// Twelve numbers of an orientation.
void document_fill_turned(const struct sim_turned *turned, double *out);
// Read state.turned of so many particles, and state.pin_clamps and state.pin_clamp_places of so many pins. NULL: they are absent.
bool document_turned_take(const struct document_reader *reader, const struct protocol_document_state *state,
                          uint32_t count, const struct sim_turned **out);
bool document_clamps_take(const struct document_reader *reader, const struct protocol_document_state *state,
                          uint32_t count, const int32_t **clamps, const int32_t **held);

#endif
