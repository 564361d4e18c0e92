// Keeps images of the way, so that going back to a tick means reading an image, and not replaying.
#include "past/internal.h"

#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 4096 };
static const size_t bytes_usual = (size_t)256 << 20; // default for one past

static void drop(struct past_images *images, uint32_t at)
{
    struct past_image *image = &images->items[at];
    images->bytes -= image->size;
    free(image->bytes);
    memmove(image, image + 1, (--images->count - at) * sizeof *image);
}

static uint32_t oldest(const struct past_images *images)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < images->count; i++) {
        found = images->items[i].used < images->items[found].used ? i : found;
    }
    return found;
}

static void make_room(struct past_images *images, size_t size, size_t most)
{
    while (images->count > 0 && (images->bytes + size > most || images->count >= COUNT_MAX)) {
        drop(images, oldest(images));
    }
}

static bool reserve(struct past_images *images)
{
    return array_reserve(&images->items, &images->capacity, images->count + 1);
}

void past_images_add(struct past_images *images, uint64_t tick, const struct past_place *place,
                     uint8_t *bytes, size_t size)
{
    const size_t most = images->bytes_max > 0 ? images->bytes_max : bytes_usual;
    if (size > most / 4 || !reserve(images)) {
        free(bytes);
        return;
    }
    make_room(images, size, most);
    images->items[images->count++] = (struct past_image){
        .tick = tick, .place = *place, .bytes = bytes, .size = size, .used = ++images->uses};
    images->bytes += size;
}

void past_images_bound(struct past_images *images, size_t bytes)
{
    images->bytes_max = bytes;
    make_room(images, 0, bytes);
}

const struct past_image *past_images_find(struct past_images *images, uint64_t tick, uint64_t position)
{
    struct past_image *found = NULL;
    for (uint32_t i = 0; i < images->count; i++) {
        struct past_image *image = &images->items[i];
        if (image->tick <= tick && image->place.position <= position &&
            (!found || image->tick > found->tick ||
             (image->tick == found->tick && image->place.position > found->place.position))) {
            found = image;
        }
    }
    if (found) {
        found->used = ++images->uses;
    }
    return found;
}

bool past_images_between(const struct past_images *images, uint64_t after, uint64_t tick)
{
    for (uint32_t i = 0; i < images->count; i++) {
        if (images->items[i].tick > after && images->items[i].tick <= tick) {
            return true;
        }
    }
    return false;
}

void past_images_deinit(struct past_images *images)
{
    for (uint32_t i = 0; i < images->count; i++) {
        free(images->items[i].bytes);
    }
    free(images->items);
    *images = (struct past_images){0};
}
