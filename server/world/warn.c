// What is worth knowing of a body and a collider together: that one is too coarse for the other.
#include "world/world_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = WORLD_WARNING_TEXT };

bool world_coarse_reserve(struct world_call *call, struct world_coarse *coarse)
{
    coarse->text = world_call_alloc(call, TEXT_MAX, 1);
    coarse->elements = world_call_alloc(call, SIM_WARNING_ELEMENTS, sizeof *coarse->elements);
    return coarse->text && coarse->elements;
}

// "7" or "7 (bar)".
static void told(const struct world_thing *thing, char *out, size_t size)
{
    struct protocol_string name = world_thing_name(thing);
    snprintf(out, size, name.size > 0 ? "%u (%.*s)" : "%u", thing->id, (int)name.size, name.data);
}

// Elements are the ids of the others: colliders of a body, bodies of a collider.
static void found(const struct sim *sim, const struct world_things *colliders, uint32_t position,
                  const struct world_thing *body, uint32_t element, struct world_coarse *coarse)
{
    double width, edge;
    if (!sim_collider_slips(sim, position, body->id, &width, &edge)) {
        return;
    }
    if (coarse->count < SIM_WARNING_ELEMENTS) {
        coarse->elements[coarse->count] = element;
    }
    if (coarse->count++ == 0) {
        char names[2][WORLD_NAME_SIZE + 16];
        told(&colliders->items[position], names[0], sizeof names[0]);
        told(body, names[1], sizeof names[1]);
        snprintf(coarse->text, TEXT_MAX,
                 "collider %s is %g m across; the edges of body %s measure %g m, so it may pass between its "
                 "particles",
                 names[0], width, names[1], edge);
    }
}

static void bodies_found(const struct sim *sim, const struct world_things *colliders, uint32_t position,
                         const struct world_things *bodies, struct world_coarse *coarse)
{
    for (uint32_t b = 0; b < bodies->count; b++) {
        found(sim, colliders, position, &bodies->items[b], bodies->items[b].id, coarse);
    }
}

static bool fill(const struct world_coarse *coarse, struct protocol_warning *warning)
{
    uint32_t count = coarse->count < SIM_WARNING_ELEMENTS ? coarse->count : (uint32_t)SIM_WARNING_ELEMENTS;
    *warning = (struct protocol_warning){
        .has = WORLD_HAS_ALL,
        .code = world_string("COARSE"),
        .text = world_string(coarse->text),
        .count = coarse->count,
        .elements = {.type = PROTOCOL_ARRAY_U32, .count = count, .data = coarse->elements},
    };
    return coarse->count > 0;
}

bool world_coarse_body(const struct world *world, uint32_t body, struct world_coarse *coarse,
                       struct protocol_warning *warning)
{
    const struct world_thing *thing = world_things_by_id(&world->bodies, body);
    for (uint32_t c = 0; c < world->colliders.count; c++) {
        found(world->sim, &world->colliders, c, thing, world->colliders.items[c].id, coarse);
    }
    return fill(coarse, warning);
}

bool world_coarse_collider(const struct world *world, uint32_t collider, struct world_coarse *coarse,
                           struct protocol_warning *warning)
{
    uint32_t position = (uint32_t)(world_things_by_id(&world->colliders, collider) - world->colliders.items);
    bodies_found(world->sim, &world->colliders, position, &world->bodies, coarse);
    return fill(coarse, warning);
}

static bool document_reserve(struct world_document *document)
{
    document->warnings = calloc(document->colliders.count, sizeof *document->warnings);
    document->kept = calloc(document->colliders.count, sizeof *document->kept);
    return document->warnings && document->kept;
}

bool world_coarse_document(struct world_document *document)
{
    const struct world_things *colliders = &document->colliders;
    for (uint32_t c = 0; c < colliders->count; c++) {
        char text[TEXT_MAX];
        uint32_t elements[SIM_WARNING_ELEMENTS];
        struct world_coarse coarse = {.text = text, .elements = elements};
        bodies_found(document->sim, colliders, c, &document->bodies, &coarse);
        if (coarse.count == 0) {
            continue;
        }
        if (!document->warnings && !document_reserve(document)) {
            return false;
        }
        struct world_kept_warning *kept = &document->kept[document->warning_count];
        memcpy(kept->text, text, sizeof text);
        memcpy(kept->elements, elements, sizeof elements);
        coarse.text = kept->text;
        coarse.elements = kept->elements;
        fill(&coarse, &document->warnings[document->warning_count++]);
    }
    return true;
}
