// Keeps the last edits of a world for undo: the owner of each, what it concerned, and what takes it back or
// makes it again.
//
//     steps, in the order in which they were last made, taken back or made again:
//
//         rev 4 ann · stands     rev 6 bob · stands     rev 5 ann · taken back (by rev 7)
//
// A flip takes a step back or makes it again. A step can be flipped cleanly if no step that meets it has
// changed anything since. A clean flip leads back to the state before the previous flip. A forced flip leads
// to a new state. So a step that was made and cleanly taken back has changed nothing, and the next person
// finds things as they were. None of this is part of the world's state, and none of it depends on a clock.
//
// A gesture is what one session does between a press and its release. Its edits are one step, which goes back to before the first
// of them. What others changed since then is in its way. It goes on while the same connection sends edits of its name, until
// somebody takes it back.
//
// Memory is bounded: a person has PROTOCOL_LIMIT_UNDO_STEPS steps and UNDO_BYTES of inverses, a world
// UNDO_WORLD_BYTES in all. Inverses are forgotten first. What a step concerned is kept as long as there is
// room, and then the oldest steps are forgotten, so that what is still known is right. Simulation thread.
#ifndef WEFT_WORLD_HISTORY_H
#define WEFT_WORLD_HISTORY_H

#include "past/past.h"
#include "world/people/owner.h"
#include "world/world.h"

enum { WORLD_UNDO_STEP_FLIPS = 8 };

struct world_undo_step {
    uint64_t revision; // revision of the edit
    uint64_t last;     // revision of the last edit of a gesture; of another edit the same as `revision`
    uint64_t at;       // revision of its last flip, or of its last edit
    enum protocol_method method;
    struct world_owner owner;
    struct world_owner mover; // the person of the last flip
    bool stands;
    // Whether it is a world.reset, or a batch that contains one. Unknown for a batch from before a restart.
    bool resets;
    uint64_t older; // revision of the last flip before `flips`; 0: all flips are known
    uint32_t flip_count;
    struct world_flip {
        uint64_t revision;
        bool forced; // made over later changes
    } flips[WORLD_UNDO_STEP_FLIPS];
    // The parts of the world that it concerned, malloc'd: one part for what its first edit did, and one for each later edit of a gesture that did not
    // concern just the same as one before. Changes of others after `since` are in the way of a part: after the edit that brought it,
    // or after the last flip.
    struct world_part {
        uint64_t since, made,
            last; // revisions; made, last: of the first and the last edit that concerned the part
        struct document_touches touches;
    } * parts;
    uint32_t part_count, part_capacity;
    // Packed by past_back_pack: what flips the step. NULL: forgotten, or never there.
    uint8_t *back;
    size_t back_size;
    bool counted; // counted in the tally of its owner
    // Whether edits may still join it: those of this gesture from this connection of a session.
    bool open;
    char gesture[PROTOCOL_LIMIT_NAME_BYTES + 1];
    uint32_t session, visit;
    uint64_t *members; // revisions of the later edits of a gesture, ascending; malloc'd
    uint32_t member_count, member_capacity;
};

// Counts the steps of an owner that can be flipped.
struct world_tally {
    struct world_owner owner;
    uint32_t count; // steps with an inverse, whoever flipped them last
    size_t bytes;   // bytes of these inverses
    bool undone;    // the owner may have taken some steps back
};

struct world_history {
    struct world_undo_step **steps; // by ascending `at`
    uint32_t count, capacity;
    struct world_tally *tallies;
    uint32_t tally_count, tally_capacity;
    size_t bytes;      // bytes of all steps
    uint64_t position; // position in the journal of the last entry that is a step; 0: none
    uint64_t pointed;  // the same, or position of the last pointer to it
};

void world_history_deinit(struct world_history *history);
// Adds an edit, or flips one that was taken back or made again. Copies what it needs. If memory runs out the
// whole history is forgotten, and undo then finds nothing.
void world_history_take(struct world_history *history, const struct past_step *step);
// Fills the history from a store. Owners without a name are gone by then.
void world_history_begin(struct world_history *history, const struct past_steps *steps);

// Find the owner's last standing step, and the step that they took back last. NULL: there is none.
struct world_undo_step *world_history_undo(const struct world_history *history,
                                           const struct world_owner *owner);
struct world_undo_step *world_history_redo(const struct world_history *history,
                                           const struct world_owner *owner);
// Finds the step that an edit of a gesture joins, which is not yet taken. NULL: it begins a step.
const struct world_undo_step *world_history_gesture(const struct world_history *history,
                                                    const struct past_step *step);
// Whether what takes the step back takes back a change of these parts as well.
bool world_undo_step_covers(const struct world_undo_step *step, const struct document_touches *touches);
// Finds the step of a revision, which may be that of any edit of a gesture. NULL: there is none.
struct world_undo_step *world_history_find(const struct world_history *history, uint64_t revision);
enum { WORLD_CHANGES_MAX = 32 };

// Later changes of what a step concerns, the last first: of each field the last one.
struct world_changes {
    struct world_change {
        const struct world_undo_step *by;
        struct document_touched what;
    } items[WORLD_CHANGES_MAX];
    uint32_t count;
    bool more; // there are more than fit
};

// Finds what others have changed since the step was flipped. False: nothing.
bool world_history_changes(const struct world_history *history, const struct world_undo_step *step,
                           struct world_changes *changes);
// Finds the last step since then that concerned other fields of the same things, in a way that fits. NULL: there is none.
const struct world_undo_step *
world_history_beside(const struct world_history *history, const struct world_undo_step *step,
                     bool (*fits)(void *context, const struct document_touched *), void *context);

#endif
