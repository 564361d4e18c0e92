// The part of a world that keeps its past: the journal, images, the last records and the history of edits. Only files of this
// room and world.c see it. Simulation thread, unless stated.
#ifndef WEFT_WORLD_KEEP_PART_H
#define WEFT_WORLD_KEEP_PART_H

#include "store/store.h"
#include "world/keep/durable.h"
#include "world/keep/history.h"
#include "world/keep/records.h"

#include <stdatomic.h>

struct world_image;

// The state of the document after one record.
struct world_point {
    // Position in the journal that includes the record and the entries beside it.
    uint64_t position;
    struct world_durable durable;
};

// Records that are not durable yet. The world's face_mutex guards them, since the loop asks too.
struct world_points {
    struct world_durable last; // state after the newest record that has left the list
    struct world_point *items; // by ascending position
    uint32_t first, count, capacity;
};

struct world_journal {
    struct store *store; // NULL: nothing is kept
    uint64_t epoch;
    uint64_t position; // position of the last entry
    uint64_t content;  // position of the last entry that changes the world's state
    uint64_t tick;     // tick of the last entry
    struct store_pending pending;
    const char *read_only; // why the world takes no edits, as members were told; NULL: it does
    bool remote;           // whether brokers keep it
    // Whether the journal is incomplete, because memory ran out for an entry or another server writes the list.
    // Nothing later is kept.
    bool lost;
    uint64_t marked_ns; // when the last mark was made
    // Seconds, about, that replaying from the last image to the present would take.
    double cost_s;
    double image_age_s;  // world time in seconds since the last image
    double image_s;      // seconds that making the last image took
    uint64_t image_size; // bytes of the last image
    // Bytes of entries since the last image, as the store counts them (store_pending).
    uint64_t image_bytes;
    double unhashed_s;     // seconds spent on ticks since the last hash
    double hash_s;         // seconds that the last hash took
    uint32_t exact_solver; // as in struct world_kept
    uint64_t exact_tick;
};

// An image for the store.
struct world_image_kept {
    struct store_image head;
    struct base_buffer *bytes; // NULL: memory ran out
    double spent_s;            // seconds of processor time
};

struct world_keep {
    struct world_journal journal;
    struct world_points points; // under face_mutex
    struct world_records records;
    struct world_history history;
    struct world_image *image;          // the image that is being made; NULL: none
    struct world_image_kept image_kept; // a finished image for the store, if image_is_kept
    bool image_is_kept;
    uint64_t image_turn;        // turn in which the last image ended
    atomic_bool image_wanted;   // set by the loop: an image for the store is wanted
    atomic_bool present_wanted; // set by the loop: an image for the loop is wanted (present.c)
};

#endif
