// Hands a world's history to its store: each record before it is answered, marks of time, and an image now
// and then. Simulation thread.
#ifndef WEFT_WORLD_JOURNAL_H
#define WEFT_WORLD_JOURNAL_H

#include "past/past.h"
#include "store/store.h"
#include "world/world.h"

struct protocol_bytes;
struct world_history;
struct world_keep;
struct world_records;

// Begins the journal of a new world, or of one that the store had, before the world's first turn. False if
// memory runs out.
bool world_journal_begin(struct world *world, const struct world_options *options);
// Appends a record's canonical bytes, and its step for undo (NULL: none). Both become durable together, so
// that every edit that is there after a crash can be taken back. If there is memory only for the record, it
// is appended alone. False: the record is lost, and nothing after it is kept.
bool world_journal_record(struct world *world, const struct protocol_bytes *bytes,
                          const struct past_step *step);
// Appends a mark. A NULL asker means that the world itself is the cause.
void world_journal_mark(struct world *world, enum past_mark_kind kind, const struct world_asker *asker);
// Notes that a tick has ended. `watched`: people see the world, or clients follow it.
void world_journal_tick(struct world *world, bool watched);
void world_journal_end(struct world *world); // makes the last mark when the server goes down
// At a boundary, before anything is applied: asks how far the store has come, and makes an image if it is
// time for one.
void world_journal_turn(struct world *world);
// Whether the world is as far ahead of its store as it may be. Then it makes no tick and takes no edit until
// the store has caught up.
bool world_journal_holds(const struct world_keep *keep);
// Tells what the journal knows of the world's face.
void world_journal_face(const struct world_keep *keep, struct world_face *face);
// Returns the epoch under which the world is written.
uint64_t world_journal_epoch(const struct world_keep *keep);
// Returns that epoch if several servers share the world; else 0.
uint64_t world_journal_shared_epoch(const struct world_keep *keep);
// The last tick that another solver made, and which solver it was. 0: there is none.
struct world_exact {
    uint64_t tick;
    uint32_t solver;
};
struct world_exact world_journal_exact(const struct world_keep *keep);
void world_keep_deinit(struct world_keep *keep); // drops points, records and history
// Return the last records and the history of edits, which lie beside the journal.
struct world_records *world_records_of(struct world_keep *keep);
struct world_history *world_history_of(struct world_keep *keep);

#endif
