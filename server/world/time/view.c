#include "world/time/view.h"

#include "document/document.h"
#include "world/answer/event.h"
#include "world/frames/frames.h"
#include "world/keep/image.h"
#include "world/state.h"
#include "world/time/part.h"
#include "world/time/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void world_view_begin(struct world_time *time, const struct world_view_options *options)
{
    struct world_view *view = &time->view;
    if (options->of == 0) {
        return;
    }
    view->of = options->of;
    view->session = options->session;
    snprintf(view->read_only, sizeof view->read_only,
             "it shows the past of world %" PRIu32 " \"%s\"; world.branch makes a world of it", options->of,
             options->name);
}

void world_view_deinit(struct world_time *time)
{
    document_destroy(time->view.coming);
    document_destroy(time->view.gone);
}

// Shows a document. The one before is only handed to the loop, which makes the next one from it.
static void show(struct world *world, struct document *document)
{
    struct document *before = world->document;
    if (document->name[0] == '\0') {
        memcpy(document->name, before->name, sizeof document->name);
    }
    world->document = document;
    world_frames_show(world->frames, document);
    world->time->state = document->failed ? WORLD_FAILED : WORLD_PAUSED;
    memset(&world->time->times, 0, sizeof world->time->times);

    base_mutex_lock(&world->face_mutex);
    struct document *older = world->time->view.gone;
    world->time->view.gone = before;
    base_mutex_unlock(&world->face_mutex);
    document_destroy(older);
    world_notice_changed(world, world->time->state, NULL);
}

void world_view_move(struct world *world)
{
    struct world_view *view = &world->time->view;
    if (!view->moving || world_image_under_way(world->keep) || world->time->deleted) {
        return;
    }
    base_mutex_lock(&world->face_mutex);
    struct document *document = view->coming;
    view->coming = NULL;
    base_mutex_unlock(&world->face_mutex);
    view->moving = false;
    show(world, document);
}

bool world_view_post(struct world *world, struct document *document)
{
    struct world_view *view = &world->time->view;
    base_mutex_lock(&world->face_mutex);
    struct document *before = view->coming;
    const bool told = before != NULL;
    view->coming = document;
    view->stale = true;
    if (!view->gone) {
        view->gone = before; // shown or not, its memory serves the next document
        before = NULL;
    }
    base_mutex_unlock(&world->face_mutex);
    document_destroy(before);
    return !told;
}

struct document *world_take_document(struct world *world)
{
    base_mutex_lock(&world->face_mutex);
    struct document *document = world->time->view.gone;
    world->time->view.gone = NULL;
    base_mutex_unlock(&world->face_mutex);
    return document;
}

void world_view_take(struct world *world)
{
    world_image_cut(world, PROTOCOL_CODE_CONFLICT, "the view was moved to another tick");
    world->time->view.moving = true;
    world_view_move(world);
}

void world_view_end(struct world *world, const struct world_asker *asker)
{
    if (world->time->deleted) {
        return;
    }
    world_step_cut(world);
    world_image_cut(world, PROTOCOL_CODE_NOT_FOUND, "world %" PRIu32 " has ended", world->id);
    world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_DELETED, asker);
    world_delete(world->time);
}
