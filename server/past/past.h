// A world's past: what a store keeps of it (images, records, marks of time) as the world at any tick.
//
//     store ──image──▶ document ──records and ticks after it──▶ the document at the tick that was asked for
//
// Image + the records after it = the world, bit for bit, as long as the solver is the one that made them; where it was
// another, images are exact, and what lies between them can only be looked at image by image.
//
// No thread, socket or session. A past is used by one thread at a time.
#ifndef WEFT_PAST_PAST_H
#define WEFT_PAST_PAST_H

#include "document/document.h"
#include "protocol/bytes.h"
#include "protocol/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

// What stands in a list, by store_entry.kind.
enum past_entry { PAST_RECORD = 1, PAST_MARK = 2, PAST_STEP = 3 };

// A mark of time: what only decides when ticks happen, and from where to where they did. Its entry's tick is the number of
// completed ticks. Its bytes are one MessagePack array, with one form for each mark:
//
//     [kind, at, session, person, sequence, rate or nil, solver or nil, hash or nil]
enum past_mark_kind {
    PAST_MARK_BEGUN,   // somebody hosts the world from here on
    PAST_MARK_TICKS,   // so far it has come
    PAST_MARK_PLAYING, // at `rate` from here on
    PAST_MARK_PAUSED,
    PAST_MARK_FAILED, // the tick came to no number
    PAST_MARK_DELETED,
};

struct past_mark {
    enum past_mark_kind kind;
    double rate;       // PLAYING, and TICKS of what plays
    bool playing;      // TICKS: that is what time goes on by; said again, since older marks may be gone
    bool hashed;       // hash is told
    uint64_t hash;     // document_hash at that tick, after the records before the mark
    uint32_t solver;   // BEGUN: of who steps it
    uint64_t at_us;    // wall clock, since 1970
    uint64_t sequence; // of the last record before it; said again for the same reason. 0: none, or not said
    uint32_t session;
    struct protocol_string person; // no longer than a name
};

void past_mark_pack(const struct past_mark *mark, msgpack_packer *packer);
// From bytes that may come from anywhere; views into them. False with *error.
bool past_mark_read(const void *bytes, size_t size, struct past_mark *mark, struct protocol_error *error);

// What undo has to know of the record before it: nothing follows from it for what the world will be, and who replays passes it
// by. Its bytes are one MessagePack array (step.c); each names the position of the step before it, so that the last ones are
// found without reading all.
enum past_step_kind {
    PAST_STEP_EDIT,
    PAST_STEP_UNDO,
    PAST_STEP_REDO,
    PAST_STEP_POINTER, // says only where the last one is
};

struct past_step {
    uint64_t previous; // position; 0: there is none
    enum past_step_kind kind;
    uint64_t revision;           // of the record
    uint64_t of;                 // UNDO, REDO: of the edit
    bool forced;                 // the same: over what had changed since
    struct protocol_string user; // whose record it is; empty: of the session, which had no name
    uint32_t session;
    enum protocol_method method;
    struct document_touches touches;
    bool resets;         // is a world.reset, or a batch with one; not kept on the disk
    const uint8_t *back; // what takes it back (past_back_pack); NULL: nothing is kept
    size_t back_size;
};

void past_step_pack(const struct past_step *step, msgpack_packer *packer);
// From bytes that may come from anywhere; views into them and the zone. False with *error.
bool past_step_read(const void *bytes, size_t size, msgpack_zone *zone, struct past_step *step,
                    struct protocol_error *error);
// Lists of struct protocol_restore_step as bytes, and back; those read are views into the bytes and the zone.
bool past_back_pack(const struct protocol_list *steps, struct protocol_bytes *out); // false without memory
bool past_back_read(const void *bytes, size_t size, msgpack_zone *zone, struct protocol_list *out,
                    struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------

struct past;

// list must be in the store. NULL with *error.
struct past *past_open(struct store_reader *reader, uint32_t list, struct protocol_error *error);
void past_close(struct past *past); // NULL is allowed
// How much memory the images of the way may take from now on (past_seek), in bytes; 256 MiB where nobody says so.
void past_bound(struct past *past, size_t bytes);

// Ticks that all pasts of this process have run again so far. Any thread.
uint64_t past_ticks(void);

// Where a world stood last.
struct past_end {
    struct document *document; // the caller's
    uint64_t position;         // of the last entry
    uint64_t sequence;         // of the last record
    bool playing;
    double rate;
    bool deleted;       // its last mark says so
    double image_age_s; // world time since the image that it was made from
    // Up to which another solver had come: from there on ticks are of this one; UINT64_MAX: all are.
    uint64_t exact_tick;
    uint32_t exact_solver; // that one's version
    char warning[512];     // what was stepped over on the way; empty: nothing
};
// False with *error (INTERNAL: damage, with where; it is not opened as what it was not).
bool past_end(struct past *past, struct past_end *out, struct protocol_error *error);

// The last records, the newest first, with their sizes, until take says no more (false). What it gets lives until it returns.
// False with *error if they cannot be read.
bool past_recent(struct past *past,
                 bool (*take)(void *context, const struct document_record *record, size_t size),
                 void *context, struct protocol_error *error);
// The last steps of undo, the newest first: as many, and about as many bytes. Where one cannot be read there are none before it.
struct past_steps {
    struct past_step_bytes {
        uint8_t *bytes; // malloc'd
        size_t size;
        uint64_t position;
    } * items;
    uint32_t count, capacity;
    size_t bytes;
};
void past_steps_read(struct past *past, uint32_t steps_max, size_t bytes_max, struct past_steps *out);
void past_steps_deinit(struct past_steps *steps);

// go_on is asked every 5 ms where a tick can rest or an entry ends (not while an image is unpacked): the tick that is reached
// and the one that is wanted. False: it is given up, and refused with SHUTDOWN.
struct past_progress {
    bool (*go_on)(void *context, uint64_t tick, uint64_t until); // may be NULL
    void *context;
};

// The world at a tick, after all that was told it at that boundary. *document, if not NULL, stands somewhere in this past (as this function left it) and is used where
// that is nearer than an image; it is the caller's in every case, and NULL or the one asked for afterwards. Images of the way
// are kept for a while, so that going back is fast. *exact: false where the tick lies between images of another solver: then
// *document is the last before it that is known. False with *error: NOT_FOUND (before what is kept, after what there is).
bool past_seek(struct past *past, uint64_t tick, const struct past_progress *progress,
               struct document **document, bool *exact, struct protocol_error *error);

// What a branch changes of the past: records by their revision.
struct past_change {
    uint64_t revision;
    const void *params; // generated struct of the record's method, without world; NULL: as if it had not been
};
// A record that does not apply any more: told and left out.
struct past_refusal {
    uint64_t revision;
    enum protocol_method method;
    struct protocol_error error;
};
// The world at a tick as it would be had some edits not been, or been others. Things keep the ids that they had, so that a
// record means what it meant; one that speaks of what is not there now is refused, and told. Where the world failed, time
// passes it by until a reset. *refusals is malloc'd; more than most are counted only. False with *error: NOT_FOUND (a
// revision that is no edit of what is kept, or of after that tick), INVALID (one twice).
bool past_branch(struct past *past, uint64_t tick, const struct past_change *changes, uint32_t change_count,
                 const struct past_progress *progress, struct document **document,
                 struct past_refusal **refusals, uint32_t refusals_max, uint32_t *refusal_count,
                 struct protocol_error *error);

// Replays all that can be, comparing every hash that is told, in marks and with images. False with *error if it cannot be
// read; where a hash or a result differs *out says where that is seen first, and what.
struct past_difference {
    bool found;
    uint64_t same_tick;            // the last whose hash was the same; it went wrong after it
    uint64_t tick, expected, hash; // the first that is not
    uint64_t position;             // of the entry, or image, that says so
    uint32_t body; // the first that is not as in the image at body_tick; 0: no image could tell
    uint64_t body_tick;
    uint64_t ticks, hashes,
        passed_by;                // replayed, compared; ticks of other solvers, which only images tell of
    uint64_t end_tick, end_hash;  // where all that is kept comes to, unless something differs
    char text[PROTOCOL_TEXT_MAX]; // of a record that came to something else; empty: a hash
};
bool past_replay(struct past *past, const struct past_progress *progress, struct past_difference *out,
                 struct protocol_error *error);

// Reads each entry, and each image as the world that it is. Then it replays what follows the newest image, as a server does that
// opens the world, unless damage was found before. What is not what it should be is told, with its place. go_on is told
// positions. *remark is what limits the replay, as another solver whose states cannot be compared; empty if nothing does. False
// with *error if it cannot be read, or was given up.
enum { PAST_REMARK_SIZE = 512 };
bool past_verify(struct past *past, const struct past_progress *progress,
                 void (*on_damage)(void *context, uint64_t position, uint64_t tick, const char *text),
                 void *context, char remark[PAST_REMARK_SIZE], struct protocol_error *error);

#endif
