// Gives a world at any tick of its past, from what a store keeps of it: images, records, marks of time.
//
//     store ──image──▶ document ──records and ticks after it──▶ the document at the tick that was asked for
//
// An image and the records after it give the world bit for bit, if this solver is the one that made them. In a past of
// another solver only the images are exact, so ticks between them cannot be seen as they were.
//
// It uses no thread, socket or session. One thread at a time uses a past.
#ifndef WEFT_PAST_PAST_H
#define WEFT_PAST_PAST_H

#include "document/document.h"
#include "protocol/bytes.h"
#include "protocol/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

// Kinds of entries in a list (store_entry.kind).
enum past_entry { PAST_RECORD = 1, PAST_MARK = 2, PAST_STEP = 3 };

// A mark of time. It records what only decides when ticks happen, and how far they came. Its entry's tick is
// the number of completed ticks. Its bytes are one MessagePack array, with one form for each mark:
//
//     [kind, at, session, person, sequence, rate or nil, solver or nil, hash or nil]
enum past_mark_kind {
    PAST_MARK_BEGUN,   // a server runs the world from here on
    PAST_MARK_TICKS,   // the world has come this far
    PAST_MARK_PLAYING, // it plays at `rate` from here on
    PAST_MARK_PAUSED,
    PAST_MARK_FAILED, // the tick gave a value that is no number
    PAST_MARK_DELETED,
};

struct past_mark {
    enum past_mark_kind kind;
    double rate;     // for PLAYING, and for TICKS while it plays
    bool playing;    // TICKS: whether the world plays. Repeated, since older marks may have been deleted.
    bool hashed;     // `hash` is set
    uint64_t hash;   // document_hash at that tick, after the records before the mark
    uint32_t solver; // BEGUN: version of the solver that steps it
    uint64_t at_us;  // µs by the wall clock, since 1970
    // Sequence of the last record before it. Repeated for the same reason. 0: none, or not told.
    uint64_t sequence;
    uint32_t session;
    struct protocol_string person; // no longer than a name
};

// Packs a mark in its one form.
void past_mark_pack(const struct past_mark *mark, msgpack_packer *packer);
// Reads a mark from untrusted bytes; it has views into them. False with *error.
bool past_mark_read(const void *bytes, size_t size, struct past_mark *mark, struct protocol_error *error);

// A step of undo: what undo has to know of the record before it. The world does not depend on it, and replays
// skip it. Its bytes are one MessagePack array (step.c). Each step names the position of the step before it,
// so that the last steps are found without reading all entries.
enum past_step_kind {
    PAST_STEP_EDIT,
    PAST_STEP_UNDO,
    PAST_STEP_REDO,
    PAST_STEP_POINTER, // only tells where the last step is
};

struct past_step {
    uint64_t previous; // position of the step before; 0: none
    enum past_step_kind kind;
    uint64_t revision;           // revision of the record
    uint64_t of;                 // UNDO, REDO: revision of the edit
    bool forced;                 // UNDO, REDO: made over later changes
    struct protocol_string user; // owner of the record; empty: the session, which had no name
    uint32_t session;
    enum protocol_method method;
    struct document_touches touches;
    bool resets;      // Is a world.reset, or a batch with one. Not kept on the disk.
    uint64_t gesture; // EDIT: revision of the first edit of its gesture; 0: it belongs to none
    // The name of its gesture, and the connection of the session that it came on. They are not kept on the disk, because no gesture
    // outlives its connection.
    struct protocol_string gesture_name;
    uint32_t visit;
    const uint8_t *back; // what takes it back (past_back_pack); NULL: nothing is kept
    size_t back_size;
};

// Packs a step, or a pointer if that is its kind.
void past_step_pack(const struct past_step *step, msgpack_packer *packer);
// Reads a step from untrusted bytes; it has views into them and the zone. False with *error.
bool past_step_read(const void *bytes, size_t size, msgpack_zone *zone, struct past_step *step,
                    struct protocol_error *error);
// Pack lists of struct protocol_restore_step as bytes, and read them. Those read are views into the bytes and
// the zone. False if memory runs out.
bool past_back_pack(const struct protocol_list *steps, struct protocol_bytes *out);
// The most parts that one step may put back.
enum { PAST_BACK_PARTS = 1024 };
// How many parts something that past_back_pack wrote puts back.
uint32_t past_back_parts(const uint8_t *bytes, size_t size);
// Writes what takes back two edits, which were packed by past_back_pack: first the later one and then the earlier one. `out` has room
// for both and 5 bytes. Returns how many bytes that are; 0: together they have more than PAST_BACK_PARTS parts.
size_t past_back_join(const uint8_t *later, size_t later_size, const uint8_t *earlier, size_t earlier_size,
                      uint8_t *out);
bool past_back_read(const void *bytes, size_t size, msgpack_zone *zone, struct protocol_list *out,
                    struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------

struct past;

// Opens the past of a list that is in the store. NULL with *error.
struct past *past_open(struct store_reader *reader, uint32_t list, struct protocol_error *error);
void past_close(struct past *past); // NULL is allowed
// Bounds the memory of the images that past_seek keeps on its way, in bytes. The default is 256 MiB.
void past_bound(struct past *past, size_t bytes);

// Returns how many ticks all pasts of this process have replayed so far. Any thread.
uint64_t past_ticks(void);

// The last state of a world.
struct past_end {
    struct document *document; // the caller owns it
    uint64_t position;         // position of the last entry
    uint64_t sequence;         // sequence of the last record
    bool playing;
    double rate;
    bool deleted;       // as its last mark says
    double image_age_s; // world time in seconds since the image that it was made from
    // Last tick that another solver had made: later ticks are this solver's. UINT64_MAX: all are.
    uint64_t exact_tick;
    uint32_t exact_solver; // version of that solver
    char warning[512];     // what was skipped on the way; empty: nothing
};
// Reads the last state. False with *error (INTERNAL: damage, with its place; a damaged world is not opened as
// something that it never was).
bool past_end(struct past *past, struct past_end *out, struct protocol_error *error);

// Passes the last records to `take`, the newest first, with their sizes, until it returns false. A record
// lives until `take` returns. False with *error if they cannot be read.
bool past_recent(struct past *past,
                 bool (*take)(void *context, const struct document_record *record, size_t size),
                 void *context, struct protocol_error *error);
// The last steps of undo, the newest first.
struct past_steps {
    struct past_step_bytes {
        uint8_t *bytes; // malloc'd
        size_t size;
        uint64_t position;
    } * items;
    uint32_t count, capacity;
    size_t bytes;
};
// Reads the last steps of undo: at most steps_max, and about bytes_max bytes. It ends at one that cannot be
// read.
void past_steps_read(struct past *past, uint32_t steps_max, size_t bytes_max, struct past_steps *out);
void past_steps_deinit(struct past_steps *steps);

// Callback of long work. It is asked every 5 ms when a tick can rest or an entry ends (not while an image is
// unpacked), with the tick that is reached and the tick that is wanted. False: the work is given up, and
// refused with SHUTDOWN.
struct past_progress {
    bool (*go_on)(void *context, uint64_t tick, uint64_t until); // may be NULL
    void *context;
};

// Gives the world at a tick, after all records at that boundary. *document is NULL, or a document that an earlier
// call for this past returned: the walk starts from it if that is nearer than an image. Afterwards it is NULL or the
// document asked for, and the caller owns it. Images that are made on the way are kept for a while, so that going back
// is fast. *exact is false if the tick lies between images of another solver: then *document is the last image before
// it. False with *error: NOT_FOUND (before what is kept, or after the end).
bool past_seek(struct past *past, uint64_t tick, const struct past_progress *progress,
               struct document **document, bool *exact, struct protocol_error *error);

// A change that a branch makes in the past, to the record of a revision.
struct past_change {
    uint64_t revision;
    // Generated struct of the record's method, without world. NULL: the record is left out.
    const void *params;
};
// A record that does not apply any more: reported and left out.
struct past_refusal {
    uint64_t revision;
    enum protocol_method method;
    struct protocol_error error;
};
// Gives the world at a tick as it would be if some edits were missing or different. Things keep the ids that
// they had, so that a record means what it meant. A record that speaks of what is now missing is refused and
// reported. If the world fails, time passes without ticks until a reset. *refusals is malloc'd; those beyond
// refusals_max are only counted. False with *error: NOT_FOUND (a revision is no edit that is kept, or comes
// after that tick), INVALID (a revision is named twice).
bool past_branch(struct past *past, uint64_t tick, const struct past_change *changes, uint32_t change_count,
                 const struct past_progress *progress, struct document **document,
                 struct past_refusal **refusals, uint32_t refusals_max, uint32_t *refusal_count,
                 struct protocol_error *error);

// The result of a replay.
struct past_difference {
    bool found;
    uint64_t same_tick;            // Tick of the last hash that was the same. The error came after it.
    uint64_t tick, expected, hash; // first hash that differs
    uint64_t position;             // position of the entry or image that says so
    uint32_t body; // first body that differs from the image at body_tick; 0: no image could tell
    uint64_t body_tick;
    // Ticks replayed, hashes compared, and ticks of other solvers that could not be replayed.
    uint64_t ticks, hashes, passed_by;
    uint64_t end_tick, end_hash;  // the end of all that is kept, unless something differs
    char text[PROTOCOL_TEXT_MAX]; // the record whose result differs; empty: it is a hash
};
// Replays all that it can, and compares every hash in marks and images. False with *error if the past cannot
// be read. If a hash or a result differs, *out says where that is seen first, and what differs.
bool past_replay(struct past *past, const struct past_progress *progress, struct past_difference *out,
                 struct protocol_error *error);

enum { PAST_REMARK_SIZE = 512 };

// Reads each entry, and each image as the world that it is. Then, unless damage was found, it replays what
// follows the newest image, as a server does that opens the world. Each damage is reported with its place.
// go_on is asked with positions. *remark says what limits the replay, such as another solver whose states
// cannot be compared; else it is empty. False with *error if the past cannot be read, or the work was given
// up.
bool past_verify(struct past *past, const struct past_progress *progress,
                 void (*on_damage)(void *context, uint64_t position, uint64_t tick, const char *text),
                 void *context, char remark[PAST_REMARK_SIZE], struct protocol_error *error);

#endif
