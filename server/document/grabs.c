// Grabs on their way into an image and back. A document for people does not have them.
#include "document/maker.h"

#include "base/assert.h"

#include <string.h>

bool document_save_grabs(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                         struct protocol_document *out)
{
    if (!sim_image_take_grabs(document->sim, image)) {
        return false;
    }
    const size_t count = image->grab_count > 0 ? image->grab_count : 1;
    struct protocol_document_grab *items = msgpack_zone_malloc(zone, count * sizeof *items);
    for (uint32_t g = 0; items && g < image->grab_count; g++) {
        const struct sim_image_grab *grab = &image->grabs[g];
        items[g] = (struct protocol_document_grab){
            .has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_DOCUMENT_GRAB_REMAINDER,
            .grab = grab->id,
            .body = {.id = grab->body},
            .particle = grab->particle,
            .compliance = grab->compliance,
        };
        for (int axis = 0; axis < 3; axis++) {
            const int64_t quanta = grab->target[axis];
            items[g].target[axis] = (double)quanta * image->settings.resolution;
            items[g].remainder[axis] = (double)(quanta - (int64_t)(double)quanta);
            if (items[g].remainder[axis] != 0) {
                items[g].has |= PROTOCOL_HAS_DOCUMENT_GRAB_REMAINDER;
            }
        }
    }
    out->grabs = (struct protocol_list){.items = items, .count = image->grab_count};
    out->has |= PROTOCOL_HAS_DOCUMENT_GRABS;
    return items != NULL;
}

static bool make_grab(const struct document_maker *maker, const struct protocol_document_grab *given,
                      uint32_t index, struct sim_image_grab *grab)
{
    const struct document_reader place = document_maker_at(maker, "grabs", index);
    *grab = (struct sim_image_grab){
        .id = given->grab, .particle = given->particle, .compliance = given->compliance};
    bool lost = given->has & PROTOCOL_HAS_DOCUMENT_GRAB_REMAINDER;
    bool done = document_maker_find(&place, &maker->document->bodies, &given->body, &grab->body);
    for (int axis = 0; done && axis < 3; axis++) {
        done = document_maker_quantum(&place, "target", given->target[axis],
                                      lost ? given->remainder[axis] : 0, &grab->target[axis]);
    }
    return done;
}

bool document_maker_grabs(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->grabs;
    if (!document_maker_length(maker, "grabs", list->count, PROTOCOL_LIMIT_GRABS)) {
        return false;
    }
    struct sim_image_grab *grabs = document_maker_alloc(maker, list->count, sizeof *grabs);
    for (uint32_t i = 0; grabs && i < list->count; i++) {
        if (!make_grab(maker, (const struct protocol_document_grab *)list->items + i, i, &grabs[i])) {
            return false;
        }
    }
    maker->image.grabs = grabs;
    maker->image.grab_count = list->count;
    return grabs != NULL;
}

void document_let_go(struct document *document)
{
    while (sim_grab_count(document->sim) > 0) {
        struct sim_grab grab;
        struct fault fault;
        sim_grab_at(document->sim, sim_grab_count(document->sim) - 1, &grab);
        enum fault_code status = sim_grab_end(document->sim, grab.id, &fault);
        BASE_ASSERT(status == FAULT_NONE);
    }
}

struct document document_view(const struct document *document, struct sim *sim)
{
    struct document view = *document;
    view.sim = sim;
    return view;
}
