// What a world hands to its store: each record before it is answered, marks of time, images now and then.
#ifndef WEFT_WORLD_JOURNAL_H
#define WEFT_WORLD_JOURNAL_H

#include "past/past.h"
#include "store/store.h"
#include "world/world.h"

struct protocol_bytes;

struct world_journal {
    struct store *store; // NULL: nothing is kept
    uint64_t epoch;
    uint64_t position; // of the last entry
    uint64_t content;  // the same, of the last one that changes what the world comes to
    uint64_t tick;     // of the last entry
    struct store_pending pending;
    const char *read_only; // why the world takes no edits, as who joined was told; NULL: it does
    bool remote;           // brokers keep it
    bool lost;             // an entry found no memory, or another has the list: what is here is kept no more
    uint64_t marked_ns;    // when the last mark was made
    double cost_s;         // what it would take to come here again from the last image, about
    double image_age_s;    // world time since the last image
    double image_s;        // what that image took
    uint64_t image_size;   // its bytes
    uint64_t image_bytes;  // of entries since then, as the store counts them (store_pending)
    double unhashed_s;     // spent on ticks since the last hash
    double hash_s;         // what that took
    uint32_t exact_solver; // as in struct world_kept
    uint64_t exact_tick;
};

// Of a new world, or of one that the store had; before its first turn.
// False without memory.
bool world_journal_begin(struct world *world, const struct world_options *options);
// A record's canonical bytes, and what undo has to know of it (NULL: nothing): they last together, so that what is there after
// any end can be taken back. Only where there is memory for the record alone it goes without. False: it is lost, and what
// comes after it is kept no more.
bool world_journal_record(struct world *world, const struct protocol_bytes *bytes,
                          const struct past_step *step);
// asker may be NULL: the world did it.
void world_journal_mark(struct world *world, enum past_mark_kind kind, const struct world_asker *asker);
void world_journal_tick(struct world *world); // one has ended
void world_journal_end(struct world *world);  // the server goes down
// At a boundary, before anything is applied: how far the store has come, and an image if it is time for one.
void world_journal_turn(struct world *world);
// The world has gone as far ahead of its store as it may: no tick, no edit until that has come on.
bool world_journal_holds(const struct world *world);

#endif
