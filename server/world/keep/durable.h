// Knows which revision of a world is durable, and marks answers that tell of a later one. Simulation thread,
// unless stated.
//
//     record ──▶ journal: position 7, revision 3 ──▶ store ──durable up to 6──▶ revision 2 is durable, 3 is not
//
// An answer that tells something which is not durable carries marks: `durable` false, and the durable
// revision. It waits at the world's gate (host/gate.h). The gate takes the marks off if everything has become
// durable by the time the answer passes, and leaves them if it passes because the store takes nothing.
#ifndef WEFT_WORLD_DURABLE_H
#define WEFT_WORLD_DURABLE_H

#include "world/world.h"

struct world_keep;

// Begins with the present revision, and the sequence of the last record, as durable.
void world_durable_begin(struct world *world, uint64_t sequence);
// Notes that a record was appended: the journal, the document and the records stand after it. If memory runs
// out, its revision counts as durable no earlier than the one of the next record.
void world_durable_note(struct world *world);
// Forgets the points of records that are durable.
void world_durable_pass(struct world *world, uint64_t position);

// Returns the position of the last entry in the journal.
uint64_t world_journal_position(const struct world_keep *keep);
// Returns the sequence of the last record.
uint64_t world_journal_sequence(const struct world_keep *keep);
// Returns why the journal takes no edits; NULL: it does.
const char *world_journal_read_only(const struct world_keep *keep);
// Whether the store takes nothing now, so that the time of the next commit is unknown.
bool world_is_stuck(const struct world_keep *keep);
// Returns the latest revision that is durable now.
uint64_t world_durable_revision(struct world *world);

// Sets the marks in the result of a query if the document's present state is not durable, and clears them
// otherwise.
void world_durable_mark(struct world *world, enum protocol_method method, void *result);
// Returns how many bytes the marks take at the end of an answer, for the gate. 0: the answer has no marks, or
// they stay.
uint32_t world_durable_label(const struct world *world, enum protocol_method method, const void *result);

#endif
