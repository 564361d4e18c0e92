// What undo knows of a world: of its last edits whose they were, what they concerned, and what takes them back, or makes those
// anew that are taken back.
//
//     steps, by when they were last made, taken back or made anew:
//
//         rev 4 ann · stands     rev 6 bob · stands     rev 5 ann · taken back (by rev 7)
//
// An edit may be taken back cleanly where no step that meets it has come to anything since. What is flipped cleanly is what it
// was before the flip before; what is forced is something new. So a step that was made and cleanly taken back came to nothing,
// and who looks finds things as they left them. Nothing of this is part of the world's state, and none of it has a clock.
//
// Bounded: a person has PROTOCOL_LIMIT_UNDO_STEPS steps and UNDO_BYTES of what takes them back, a world UNDO_WORLD_BYTES of all.
// What takes a step back is forgotten first; what it concerned is known for as long as there is room, and when that goes it is
// the oldest, so that whatever is still there is told right.
#ifndef WEFT_WORLD_HISTORY_H
#define WEFT_WORLD_HISTORY_H

#include "past/past.h"
#include "world/world.h"

// Whose an edit is: by the name that somebody gave. Who gave none has what their session did, for as long as that is there.
struct world_owner {
    char user[65];    // empty: of the session
    uint32_t session; // of who gave no name; 0 without a name: nobody's any more
};

enum { WORLD_DEED_FLIPS = 8 };

struct world_deed {
    uint64_t revision; // of the edit
    uint64_t at;       // revision at which it last changed between standing and not
    enum protocol_method method;
    struct world_owner owner;
    struct world_owner mover; // who took it back, or made it anew, last
    bool stands;
    bool resets;    // a world.reset, or a batch with one; of a batch from before a restart that is not known
    uint64_t older; // revision of the last flip before the first that is known; 0: all are
    uint32_t flip_count;
    struct world_flip {
        uint64_t revision;
        bool forced; // over what had changed since
    } flips[WORLD_DEED_FLIPS];
    struct document_touches touches; // malloc'd
    uint8_t *back;                   // past_back_pack of what flips it; NULL: forgotten, or there never was
    size_t back_size;
    bool counted; // among what its owner has
};

// What somebody has that can be flipped.
struct world_tally {
    struct world_owner owner;
    uint32_t count; // of steps with a back, whoever flipped them last
    size_t bytes;   // of these backs
    bool undone;    // there may be some that they took back
};

struct world_history {
    struct world_deed **steps; // by `at`
    uint32_t count, capacity;
    struct world_tally *tallies;
    uint32_t tally_count, tally_capacity;
    size_t bytes;      // of all of them
    uint64_t position; // of the last entry of the journal that tells of one; 0: none
    uint64_t pointed;  // the same, or of the last pointer there
};

// Of what whose.h says.
struct world_owner world_owner_of(const struct protocol_string *user, uint32_t session);
bool world_owner_same(const struct world_owner *one, const struct world_owner *other);

void world_history_deinit(struct world_history *history);
// An edit, or one that was taken back or made anew. Copies what it needs. Without memory all is forgotten: who asks is then told
// that there is nothing.
void world_history_take(struct world_history *history, const struct past_step *step);
// What a store kept. Who had no name is nobody any more.
void world_history_begin(struct world_history *history, const struct past_steps *steps);

// The last step of an owner that stands, or that they took back last. NULL: there is none.
struct world_deed *world_history_undo(const struct world_history *history, const struct world_owner *owner);
struct world_deed *world_history_redo(const struct world_history *history, const struct world_owner *owner);
struct world_deed *world_history_find(const struct world_history *history, uint64_t revision);
// The last step that has come to something since this one was flipped, and meets it: *where of it. NULL: none.
const struct world_deed *world_history_conflict(const struct world_history *history,
                                                const struct world_deed *step,
                                                const struct document_touched **where);

#endif
