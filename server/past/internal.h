// What the files of this module share. Nothing outside server/past includes it.
//
//     past.c ── seek ──┐
//     end.c ── end ────┤              ┌─ images.c   images of the way, kept for a while
//     branch.c ────────┼─▶ walk.c ────┼─ redo.c     records that have to mean what they meant, in another past
//     replay.c ────────┘      │       └─ mark.c
//                             └─ base.c   where a walk begins
#ifndef WEFT_PAST_INTERNAL_H
#define WEFT_PAST_INTERNAL_H

#include "past/past.h"

// Where in a past a document stands: entries up to `position` are in it.
struct past_place {
    uint64_t position;
    uint64_t sequence; // of the last record there; 0: not known
    uint32_t solver;   // of whoever stepped it from here on
    bool loosened;     // ticks of another solver have been stepped with this one on the way
};

// ---------------------------------------------------------------------------------------------------------
// images.c

struct past_image {
    uint64_t tick;
    struct past_place place;
    uint8_t *bytes;
    size_t size;
    uint64_t used; // when last, in uses
};

struct past_images {
    struct past_image *items; // in no order
    uint32_t count, capacity;
    size_t bytes, bytes_max; // 0: the usual most
    uint64_t uses;
};

void past_images_bound(struct past_images *images, size_t bytes); // from now on; above 0
// Bytes are the images' from then on, and freed where there is no room for them.
void past_images_add(struct past_images *images, uint64_t tick, const struct past_place *place,
                     uint8_t *bytes, size_t size);
// The one furthest on of those whose tick and position are at most that; NULL: none. Valid until the next call.
const struct past_image *past_images_find(struct past_images *images, uint64_t tick, uint64_t position);
bool past_images_between(const struct past_images *images, uint64_t after, uint64_t tick); // is there one?
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
    double tick_s, read_s, pack_s; // what they took of late
};

// Errors. Each is false.
bool past_refuse_store(const struct past *past, const struct store_error *store,
                       struct protocol_error *error);
bool past_refuse_damage(const struct past *past, uint64_t position, uint64_t tick, const char *text,
                        struct protocol_error *error);
bool past_refuse_memory(struct protocol_error *error);
// Whether there is anything of that tick; false with *error (NOT_FOUND).
bool past_in_range(struct past *past, uint64_t tick, struct protocol_error *error);
// One sentence more, as far as there is room.
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

// Applies a record to a document that is not the one that it was an input of. What it brings has the ids that it had, where
// they are free; what it speaks of must be what it was. False with *error: then it is left out, and so it is known that what
// it brought is not there.
bool past_redo(struct past_moved *moved, struct document *document, const struct document_record *record,
               const void *params, msgpack_zone *zone, struct protocol_error *error);
void past_redo_without(struct past_moved *moved, const struct document_record *record);
void past_moved_deinit(struct past_moved *moved);

// ---------------------------------------------------------------------------------------------------------
// walk.c

// What marks have said so far.
struct past_told {
    bool known;   // playing and rate are
    bool playing; // the last of them that says so
    double rate;
    bool marked, deleted; // there was a mark; the last one says so
};
void past_told_mark(struct past_told *told, const struct past_mark *mark);

struct past_walk {
    struct past *past;
    const struct past_progress *progress; // may be NULL
    struct document *document;            // owned
    struct past_place place;
    struct past_told told;

    bool loosen;          // ticks of another solver are stepped with this one; else it stops before them
    bool stopped;         // it did
    uint64_t loosened_at; // tick at which that began; UINT64_MAX: nowhere

    // A branch: what is not, or is other, than it was.
    const struct past_change *changes;
    uint32_t change_count;
    bool changed; // one of them lies behind
    struct past_moved moved;
    void (*on_refused)(void *context, const struct document_record *record,
                       const struct protocol_error *error);
    void *context;

    struct past_difference
        *difference; // where hashes are to be compared to the end; NULL: one that differs is refused

    msgpack_zone zone; // of one record
    const struct store_entry *entries;
    uint32_t entry_count, entry_next;
    uint64_t until, asked_ns;
    uint64_t kept_tick; // of the last image on the way
    double since_s;     // spent since then
};

bool past_walk_init(struct past_walk *walk, struct past *past, const struct past_progress *progress,
                    struct protocol_error *error);
void past_walk_deinit(struct past_walk *walk); // and its document
// All entries up to a tick and a position, with the ticks between them, and on to the tick itself (UINT64_MAX: to that of the
// last entry). False with *error. True as well where it stopped, or found a difference.
bool past_walk_to(struct past_walk *walk, uint64_t tick, uint64_t position, struct protocol_error *error);
bool past_walk_foreign(const struct past_walk *walk); // the next tick is another solver's

// ---------------------------------------------------------------------------------------------------------
// end.c

// As past_end, and may be given up; progress may be NULL.
bool past_end_while(struct past *past, const struct past_progress *progress, struct past_end *out,
                    struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// base.c

// Puts the walk onto the newest image, of the store or kept, whose tick and position are at most those. One that is damaged
// is stepped over, and told in the warning.
bool past_base(struct past_walk *walk, uint64_t tick, uint64_t position, char *warning,
               struct protocol_error *error);
// One image of the store. *damaged: it is not what it should be, *error says why.
struct document *past_image_take(struct past *past, const struct store_image *image, bool *damaged,
                                 struct protocol_error *error);

#endif
