#include "world/time/view.h"

#include "document/document.h"
#include "world/answer/event.h"
#include "world/keep/image.h"
#include "world/state.h"
#include "world/time/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void world_view_begin(struct world *world, const struct world_view_options *options)
{
    struct world_view *view = &world->view;
    if (options->of == 0) {
        return;
    }
    view->of = options->of;
    view->session = options->session;
    snprintf(view->read_only, sizeof view->read_only,
             "it shows the past of world %" PRIu32 " \"%s\"; world.branch makes a world of it", options->of,
             options->name);
}

void world_view_deinit(struct world *world)
{
    document_destroy(world->view.coming);
    document_destroy(world->view.gone);
}

// Shows a document. The one before is only handed to the loop, which makes the next one from it.
static void show(struct world *world, struct document *document)
{
    struct document *before = world->document;
    if (document->name[0] == '\0') {
        memcpy(document->name, before->name, sizeof document->name);
    }
    world->document = document;
    world->snapshot.document = document;
    world->state = document->failed ? WORLD_FAILED : WORLD_PAUSED;
    world->changed = world->grabs_changed = true;
    memset(&world->times, 0, sizeof world->times);

    base_mutex_lock(&world->face_mutex);
    struct document *older = world->view.gone;
    world->view.gone = before;
    base_mutex_unlock(&world->face_mutex);
    document_destroy(older);
    world_notice_changed(world, world->state, NULL);
}

void world_view_move(struct world *world)
{
    struct world_view *view = &world->view;
    if (!view->moving || world_image_under_way(world) || world->deleted) {
        return;
    }
    base_mutex_lock(&world->face_mutex);
    struct document *document = view->coming;
    view->coming = NULL;
    base_mutex_unlock(&world->face_mutex);
    view->moving = false;
    show(world, document);
}

void world_view_take(struct world *world)
{
    world_image_cut(world, PROTOCOL_CODE_CONFLICT, "the view was moved to another tick");
    world->view.moving = true;
    world_view_move(world);
}

void world_view_end(struct world *world, const struct world_asker *asker)
{
    if (world->deleted) {
        return;
    }
    world_step_cut(world);
    world_image_cut(world, PROTOCOL_CODE_NOT_FOUND, "world %" PRIu32 " has ended", world->id);
    world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_DELETED, asker);
    world->state = WORLD_PAUSED;
    world->deleted = true;
}
