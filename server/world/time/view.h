// Makes a view: a world that shows the past of another. Others compute its documents, and each is replaced by
// the next.
//
//     loop thread     post ──▶ coming ──▶ at a boundary ──▶ the document ──▶ gone ──▶ taken by its seeker
//
// Nothing in a view changes by itself or on request: edits, inputs and control are refused. It ends with the
// session that looks, or when that session leaves it.
#ifndef WEFT_WORLD_VIEW_H
#define WEFT_WORLD_VIEW_H

#include "world/world.h"

enum { WORLD_READ_ONLY_SIZE = 256 };

struct world_view {
    uint32_t of;      // world whose past it shows; 0: this world is no view
    uint32_t session; // session that looks
    char read_only[WORLD_READ_ONLY_SIZE];
    bool moving; // a document has come, and waits for an image that is made of this one

    // Under the world's face_mutex.
    struct document *coming, *gone;
    bool stale; // what the world has published is of an earlier document
};

// Begins a view; does nothing for a world by itself.
void world_view_begin(struct world *world, const struct world_view_options *options);
void world_view_deinit(struct world *world);
void world_view_take(struct world *world); // takes a document that was posted
void world_view_move(struct world *world); // shows it, at a boundary
// A NULL asker means nobody in particular.
void world_view_end(struct world *world, const struct world_asker *asker);
#endif
