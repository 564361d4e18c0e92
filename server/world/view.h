// A world that shows the past of another: a document that others computed, replaced when they come with the next.
//
//     loop thread          post ──▶ coming ──▶ at a boundary ──▶ the document ──▶ gone ──▶ taken by who computes them
//
// Nothing in it changes by itself or by whoever asks: edits, inputs and control are refused. It ends with the session that
// looks, and where that leaves it.
#ifndef WEFT_WORLD_VIEW_H
#define WEFT_WORLD_VIEW_H

#include "world/world.h"

enum { WORLD_READ_ONLY_SIZE = 256 };

struct world_view {
    uint32_t of;      // world whose past it shows; 0: this one is no view
    uint32_t session; // that looks
    char read_only[WORLD_READ_ONLY_SIZE];
    bool moving; // a document has come, and waits for an image that is made of this one

    // Under the world's face mutex.
    struct document *coming, *gone;
    bool stale; // what the world has published is of a document before
};

void world_view_begin(struct world *world, const struct world_view_options *options);
void world_view_deinit(struct world *world);
void world_view_take(struct world *world);                                 // a document was posted
void world_view_move(struct world *world);                                 // at a boundary
void world_view_end(struct world *world, const struct world_asker *asker); // NULL: nobody in particular
#endif
