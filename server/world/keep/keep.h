// The state of the room that keeps things: the journal, images, the last records and the history of edits.
// Only files of this room touch the members.
#ifndef WEFT_WORLD_KEEP_H
#define WEFT_WORLD_KEEP_H

#include "world/keep/durable.h"
#include "world/keep/history.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/keep/records.h"

#include <stdatomic.h>

struct world_keep {
    struct world_journal journal;
    struct world_points points; // under face_mutex
    struct world_records records;
    struct world_history history;
    struct world_image *image;          // NULL: none is made
    struct world_image_kept image_kept; // image for the store that was made and not taken yet
    bool image_is_kept;
    uint64_t image_turn;        // turn in which the last image ended
    atomic_bool image_wanted;   // set by the loop: an image for the store is wanted
    atomic_bool present_wanted; // set by the loop: an image for the loop is wanted (present.c)
};

#endif
