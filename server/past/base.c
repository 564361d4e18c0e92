// Finds the image from which a walk begins: the newest one that is whole.
#include "past/internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

static struct document *image_read(struct past *past, const void *bytes, size_t size,
                                   struct protocol_error *error)
{
    const uint64_t began_ns = base_now_ns();
    struct document *document = document_image_read(bytes, size, error);
    past->read_s = (double)(base_now_ns() - began_ns) * 1e-9;
    return document;
}

struct document *past_image_take(struct past *past, const struct store_image *image, bool *damaged,
                                 struct protocol_error *error)
{
    struct store_error store = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum fault_code status =
        store_image_read(past->reader, past->list, image->position, &bytes, &size, &store);
    *damaged = status == FAULT_DAMAGED;
    if (status != FAULT_NONE) {
        past_refuse_store(past, &store, error);
        return NULL;
    }
    struct document *document = image_read(past, bytes, size, error);
    free(bytes);
    *damaged = !document && error->code != PROTOCOL_CODE_MEMORY;
    // A hash by another version of the solver cannot be compared with this one's.
    const bool compared = image->maker == sim_solver_version();
    if (document && (document->tick != image->tick ||
                     (compared && image->hash != 0 && document_hash(document) != image->hash))) {
        *damaged = true;
        protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL, "its hash or its tick is another one");
        document_destroy(document);
        return NULL;
    }
    return document;
}

static bool from_kept(struct past_walk *walk, const struct past_image *kept, struct protocol_error *error)
{
    walk->document = image_read(walk->past, kept->bytes, kept->size, error);
    walk->place = kept->place;
    return walk->document != NULL;
}

bool past_base(struct past_walk *walk, uint64_t tick, uint64_t position, char *warning,
               struct protocol_error *error)
{
    struct past *past = walk->past;
    for (;;) {
        struct store_error store = {0};
        struct store_image image;
        bool damaged;
        const struct past_image *kept = past_images_find(&past->images, tick, position);
        const enum fault_code status =
            store_image_before(past->reader, past->list, tick, position, &image, &store);
        if (kept && (status != FAULT_NONE || kept->place.position >= image.position)) {
            return from_kept(walk, kept, error);
        }
        if (status == FAULT_NOT_FOUND) {
            protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL,
                               "the past of world %u has no image that is whole%s%.160s", past->list,
                               *warning ? ": " : "", warning);
            return false;
        }
        if (status != FAULT_NONE) {
            return past_refuse_store(past, &store, error);
        }
        walk->document = past_image_take(past, &image, &damaged, error);
        if (walk->document) {
            walk->place = (struct past_place){.position = image.position, .solver = image.maker};
            return true;
        }
        if (!damaged) {
            return false;
        }
        past_warn(warning, "the image at position %llu, tick %llu, is damaged (%.120s)",
                  (unsigned long long)image.position, (unsigned long long)image.tick, error->text);
        if (image.position == 0) {
            protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL,
                               "the past of world %u has no image that is whole: %.160s", past->list,
                               warning);
            return false;
        }
        position = image.position - 1;
    }
}
