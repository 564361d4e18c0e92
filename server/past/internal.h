// Declares what the files of this module share. No file outside server/past includes it.
//
//     past.c ── seek ──┐
//     end.c ── end ────┤              ┌─ images.c   images of the way, kept for a while
//     branch.c ────────┼─▶ walk.c ────┼─ redo.c     records that keep their meaning in another past
//     replay.c ────────┘      │       └─ mark.c
//                             └─ base.c   the image from which a walk begins
#ifndef WEFT_PAST_INTERNAL_H
#define WEFT_PAST_INTERNAL_H

#include "past/past.h"

// The place of a document in a past: it contains all entries up to `position`.
struct past_place {
    uint64_t position;
    uint64_t sequence; // sequence of the last record there; 0: unknown
    uint32_t solver;   // version of the solver that made the ticks from here on
    bool loosened;     // on the way here, ticks of another solver have been stepped with this one
};

// ---------------------------------------------------------------------------------------------------------
// images.c

struct past_image {
    uint64_t tick;
    struct past_place place;
    uint8_t *bytes;
    size_t size;
    uint64_t used; // number of the use in which it was used last
};

struct past_images {
    struct past_image *items; // in no order
    uint32_t count, capacity;
    size_t bytes, bytes_max; // bytes_max 0: the default
    uint64_t uses;
};

// Bounds the bytes from now on; `bytes` is above 0.
void past_images_bound(struct past_images *images, size_t bytes);
// Adds an image and takes its bytes. Frees them if there is no room.
void past_images_add(struct past_images *images, uint64_t tick, const struct past_place *place,
                     uint8_t *bytes, size_t size);
// Finds the image with the greatest position whose tick and position are at most these; NULL: none. Valid
// until the next call.
const struct past_image *past_images_find(struct past_images *images, uint64_t tick, uint64_t position);
// Whether there is an image after `after`, up to `tick`.
bool past_images_between(const struct past_images *images, uint64_t after, uint64_t tick);
void past_images_deinit(struct past_images *images);

// ---------------------------------------------------------------------------------------------------------

enum { PAST_STANDS = 4, PAST_WARNING_SIZE = PAST_REMARK_SIZE };

struct past {
    struct store_reader *reader;
    uint32_t list;
    struct past_images images;
    // Documents that past_seek left with its callers.
    struct past_stand {
        const struct document *document;
        uint64_t tick;
        struct past_place place;
    } stands[PAST_STANDS];
    uint32_t next_stand;
    double tick_s, read_s, pack_s; // averages of the seconds that each took lately
};

// Set *error. They always return false.
bool past_refuse_store(const struct past *past, const struct store_error *store,
                       struct protocol_error *error);
bool past_refuse_damage(const struct past *past, uint64_t position, uint64_t tick, const char *text,
                        struct protocol_error *error);
bool past_refuse_memory(struct protocol_error *error);
// Whether the past has that tick. False with *error (NOT_FOUND).
bool past_in_range(struct past *past, uint64_t tick, struct protocol_error *error);
// Adds a sentence to the warning, as far as there is room.
void past_warn(char *warning, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------------------------------
// redo.c: ids that are not what they were, by ranges in ascending order

enum past_id { PAST_ID_BODY, PAST_ID_COLLIDER, PAST_ID_MOTION, PAST_ID_GRAB, PAST_ID_CONSTRAINT, PAST_IDS };

struct past_moved {
    struct past_range {
        uint32_t first, end;
    } * ranges[PAST_IDS];
    uint32_t count[PAST_IDS], capacity[PAST_IDS];
};

// Applies a record to a document that is not the one that it was an input of. What the record brings has the
// ids that it had, if they are free. What it speaks of must be what it was. False with *error: the record is
// left out, and what it brought is noted as missing.
bool past_redo(struct past_moved *moved, struct document *document, const struct document_record *record,
               const void *params, msgpack_zone *zone, struct protocol_error *error);
void past_redo_without(struct past_moved *moved, const struct document_record *record);
void past_moved_deinit(struct past_moved *moved);

// ---------------------------------------------------------------------------------------------------------
// walk.c

// The state of time, as marks have told it so far.
struct past_told {
    bool known;   // `playing` and `rate` are known
    bool playing; // as the last mark that tells it says
    double rate;
    bool marked, deleted; // whether there was a mark, and whether the last one says that the world is deleted
};
void past_told_mark(struct past_told *told, const struct past_mark *mark);

struct past_walk {
    struct past *past;
    const struct past_progress *progress; // may be NULL
    struct document *document;            // owned
    struct past_place place;
    struct past_told told;

    bool loosen;  // ticks of another solver are stepped with this one; else the walk stops before them
    bool stopped; // the walk has stopped
    uint64_t loosened_at; // tick at which it began to step ticks of another solver; UINT64_MAX: never

    // The changes of a branch.
    const struct past_change *changes;
    uint32_t change_count;
    bool changed; // the walk has passed one of them
    struct past_moved moved;
    void (*on_refused)(void *context, const struct document_record *record,
                       const struct protocol_error *error);
    void *context;

    // Hashes are compared to the end, and the first that differs is noted here. NULL: one that differs is an
    // error.
    struct past_difference *difference;

    msgpack_zone zone; // for one record
    const struct store_entry *entries;
    uint32_t entry_count, entry_next;
    uint64_t until, asked_ns;
    uint64_t kept_tick; // tick of the last image of the way
    double since_s;     // seconds spent since that image
};

bool past_walk_init(struct past_walk *walk, struct past *past, const struct past_progress *progress,
                    struct protocol_error *error);
void past_walk_deinit(struct past_walk *walk); // frees its document too
// Takes all entries up to a tick and a position, with the ticks between them, and steps on to the tick itself
// (UINT64_MAX: that of the last entry). False with *error. True also if it stopped, or found a difference.
bool past_walk_to(struct past_walk *walk, uint64_t tick, uint64_t position, struct protocol_error *error);
bool past_walk_foreign(const struct past_walk *walk); // whether the next tick is another solver's

// ---------------------------------------------------------------------------------------------------------
// end.c

// Does what past_end does, and can be given up. progress may be NULL.
bool past_end_while(struct past *past, const struct past_progress *progress, struct past_end *out,
                    struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// base.c

// Puts the walk onto the newest image, of the store or kept, whose tick and position are at most these. A
// damaged image is skipped, and the warning tells of it.
bool past_base(struct past_walk *walk, uint64_t tick, uint64_t position, char *warning,
               struct protocol_error *error);
// Reads one image of the store as a document. *damaged: the image is not what it should be, and *error says
// why.
struct document *past_image_take(struct past *past, const struct store_image *image, bool *damaged,
                                 struct protocol_error *error);

#endif
