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

struct world_time;

// Begins a view; does nothing for a world by itself.
void world_view_begin(struct world_time *time, const struct world_view_options *options);
void world_view_deinit(struct world_time *time);
// Posts the next document, and takes it. False: an earlier one waits still, and is passed over. Loop thread.
bool world_view_post(struct world *world, struct document *document);
void world_view_take(struct world *world); // takes a document that was posted
void world_view_move(struct world *world); // shows it, at a boundary
// A NULL asker means nobody in particular.
void world_view_end(struct world *world, const struct world_asker *asker);
#endif
