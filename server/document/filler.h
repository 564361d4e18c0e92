// Parts of a sim's image as the generated structs of documents (fill.c, save.c), for whole documents and for what an edit
// touches.
#ifndef WEFT_DOCUMENT_FILLER_H
#define WEFT_DOCUMENT_FILLER_H

#include "document/parts.h"

struct document_filler {
    msgpack_zone *zone; // of what the structs refer to, besides the image
    double resolution;
    const struct document_things *bodies, *colliders; // which have their names, skins and looks
};

// Without memory NULL and false.
void *document_fill_alloc(const struct document_filler *filler, size_t count, size_t item_size);
// Remainders only where there are some; *lost says so.
bool document_fill_metres(const struct document_filler *filler, const int64_t *quanta, uint32_t count,
                          struct protocol_array *metres, struct protocol_array *remainders, bool *lost);
void document_fill_sleep(const struct sim_sleep *sleep, struct protocol_document_state *out);
bool document_fill_body(const struct document_filler *filler, const struct sim_image_body *body,
                        struct protocol_document_body *out);
void document_fill_collider(const struct document_filler *filler, const struct sim_image_collider *collider,
                            struct protocol_document_collider *out);
void document_fill_constraints(const struct sim_image_constraints *batch,
                               struct protocol_document_constraints *out);
void document_fill_motion(const struct sim_motion *motion, struct protocol_document_motion *out);

// All that an image has of them, as lists of those structs.
bool document_fill_bodies(const struct document_filler *filler, const struct sim_image *image,
                          struct protocol_list *out);
bool document_fill_all_constraints(const struct document_filler *filler, const struct sim_image *image,
                                   struct protocol_list *out);

#endif
