// Warns of a body and a collider if one is too coarse for the other.
#include "document/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = DOCUMENT_WARNING_TEXT };

bool document_coarse_reserve(const struct document_reader *reader, struct document_coarse *coarse)
{
    coarse->text = document_reader_alloc(reader, TEXT_MAX, 1);
    coarse->elements = document_reader_alloc(reader, SIM_WARNING_ELEMENTS, sizeof *coarse->elements);
    return coarse->text && coarse->elements;
}

// "7" or "7 (bar)".
static void told(const struct document_thing *thing, char *out, size_t size)
{
    struct protocol_string name = document_thing_name(thing);
    snprintf(out, size, name.size > 0 ? "%u (%.*s)" : "%u", thing->id, (int)name.size, name.data);
}

// Elements are the ids of the others: colliders of a body, bodies of a collider.
static void found(const struct sim *sim, const struct document_things *colliders, uint32_t position,
                  const struct document_thing *body, uint32_t element, struct document_coarse *coarse)
{
    double width, edge;
    if (!sim_collider_slips(sim, position, body->id, &width, &edge)) {
        return;
    }
    if (coarse->count < SIM_WARNING_ELEMENTS) {
        coarse->elements[coarse->count] = element;
    }
    if (coarse->count++ == 0) {
        char names[2][DOCUMENT_NAME_SIZE + 16];
        told(&colliders->items[position], names[0], sizeof names[0]);
        told(body, names[1], sizeof names[1]);
        snprintf(coarse->text, TEXT_MAX,
                 "collider %s is %g m across; the edges of body %s measure %g m, so it may pass between its "
                 "particles",
                 names[0], width, names[1], edge);
    }
}

static void bodies_found(const struct sim *sim, const struct document_things *colliders, uint32_t position,
                         const struct document_things *bodies, struct document_coarse *coarse)
{
    for (uint32_t b = 0; b < bodies->count; b++) {
        found(sim, colliders, position, &bodies->items[b], bodies->items[b].id, coarse);
    }
}

static bool fill(const struct document_coarse *coarse, struct protocol_warning *warning)
{
    uint32_t count = coarse->count < SIM_WARNING_ELEMENTS ? coarse->count : (uint32_t)SIM_WARNING_ELEMENTS;
    *warning = (struct protocol_warning){
        .has = PROTOCOL_HAS_ALL,
        .code = protocol_text("COARSE"),
        .text = protocol_text(coarse->text),
        .count = coarse->count,
        .elements = {.type = PROTOCOL_ARRAY_U32, .count = count, .data = coarse->elements},
    };
    return coarse->count > 0;
}

bool document_coarse_body(const struct document *document, uint32_t body, struct document_coarse *coarse,
                          struct protocol_warning *warning)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    for (uint32_t c = 0; c < document->colliders.count; c++) {
        found(document->sim, &document->colliders, c, thing, document->colliders.items[c].id, coarse);
    }
    return fill(coarse, warning);
}

bool document_coarse_collider(const struct document *document, uint32_t collider,
                              struct document_coarse *coarse, struct protocol_warning *warning)
{
    uint32_t position =
        (uint32_t)(document_things_by_id(&document->colliders, collider) - document->colliders.items);
    bodies_found(document->sim, &document->colliders, position, &document->bodies, coarse);
    return fill(coarse, warning);
}

static bool document_reserve(struct document *document)
{
    document->warnings = calloc(document->colliders.count, sizeof *document->warnings);
    document->kept = calloc(document->colliders.count, sizeof *document->kept);
    return document->warnings && document->kept;
}

bool document_coarse_document(struct document *document)
{
    const struct document_things *colliders = &document->colliders;
    for (uint32_t c = 0; c < colliders->count; c++) {
        char text[TEXT_MAX];
        uint32_t elements[SIM_WARNING_ELEMENTS];
        struct document_coarse coarse = {.text = text, .elements = elements};
        bodies_found(document->sim, colliders, c, &document->bodies, &coarse);
        if (coarse.count == 0) {
            continue;
        }
        if (!document->warnings && !document_reserve(document)) {
            return false;
        }
        struct document_kept_warning *kept = &document->kept[document->warning_count];
        memcpy(kept->text, text, sizeof text);
        memcpy(kept->elements, elements, sizeof elements);
        coarse.text = kept->text;
        coarse.elements = kept->elements;
        fill(&coarse, &document->warnings[document->warning_count++]);
    }
    return true;
}
