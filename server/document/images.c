// Pictures of looks: kept as they were given, once they are known to be files that a browser opens and not too large. Pixels
// are never decoded here; a page decodes them, and is bounded by what the head of the file says.
#include "document/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 4096 };

static uint32_t big(const uint8_t *bytes, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint32_t little(const uint8_t *bytes, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

// ISO/IEC 15948, 11.2.2: the header is the first chunk.
static bool png_size(const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height)
{
    static const uint8_t head[16] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    if (size < 33 || memcmp(bytes, head, sizeof head) != 0) {
        return false;
    }
    *width = big(bytes + 16, 4);
    *height = big(bytes + 20, 4);
    return true;
}

// ITU-T T.81, B.1 and B.2: segments with their lengths, up to the frame's header.
static bool jpeg_size(const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height)
{
    size_t at = 2;
    if (size < 4 || bytes[0] != 0xff || bytes[1] != 0xd8) {
        return false;
    }
    while (at + 9 <= size && bytes[at] == 0xff) {
        const uint8_t marker = bytes[at + 1];
        if (marker == 0xff) { // filling
            at++;
            continue;
        }
        if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
            *height = big(bytes + at + 5, 2);
            *width = big(bytes + at + 7, 2);
            return true;
        }
        at += 2 + (size_t)big(bytes + at + 2, 2);
    }
    return false;
}

// RFC 9649, 2.5 to 2.7.
static bool webp_size(const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height)
{
    if (size < 30 || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WEBP", 4) != 0) {
        return false;
    }
    if (memcmp(bytes + 12, "VP8X", 4) == 0) {
        *width = little(bytes + 24, 3) + 1;
        *height = little(bytes + 27, 3) + 1;
    } else if (memcmp(bytes + 12, "VP8L", 4) == 0 && bytes[20] == 0x2f) {
        const uint32_t both = little(bytes + 21, 4);
        *width = (both & 0x3fff) + 1;
        *height = (both >> 14 & 0x3fff) + 1;
    } else if (memcmp(bytes + 12, "VP8 ", 4) == 0 && memcmp(bytes + 23, "\x9d\x01\x2a", 3) == 0) {
        *width = little(bytes + 26, 2) & 0x3fff;
        *height = little(bytes + 28, 2) & 0x3fff;
    } else {
        return false;
    }
    return true;
}

bool document_image_size(const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height)
{
    *width = *height = 0;
    return (png_size(bytes, size, width, height) || jpeg_size(bytes, size, width, height) ||
            webp_size(bytes, size, width, height)) &&
           *width > 0 && *height > 0;
}

static bool refuse(struct protocol_error *error, uint32_t index, const char *why)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.images", "look.images: element %" PRIu32 " %s",
                       index, why);
    return false;
}

static bool take(const struct protocol_look_image *given, uint32_t index, struct document_look *look,
                 struct protocol_error *error)
{
    const uint32_t words = (given->bytes + 3) / 4;
    uint32_t width, height, bad = 0;
    if (!(given->has & PROTOCOL_HAS_LOOK_IMAGE_DATA) || given->data.type == PROTOCOL_ARRAY_SCALAR ||
        given->data.count != words) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.images",
                           "look.images: data of element %" PRIu32 " has %" PRIu32
                           " numbers; must be %" PRIu32 ", for %" PRIu32 " bytes",
                           index, given->has & PROTOCOL_HAS_LOOK_IMAGE_DATA ? given->data.count : 0, words,
                           given->bytes);
        return false;
    }
    uint32_t *data = malloc((size_t)words * sizeof *data);
    if (!data) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the look; nothing changed");
        return false;
    }
    look->images[look->image_count++] = (struct protocol_look_image){
        .has = PROTOCOL_HAS_ALL, .bytes = given->bytes, .data = {PROTOCOL_ARRAY_U32, words, data}};
    if (!protocol_array_copy_u32(&given->data, data, &bad)) {
        return refuse(error, index, "has data that are not integers from 0 to 4294967295");
    }
    if (!document_image_size((const uint8_t *)data, given->bytes, &width, &height)) {
        return refuse(error, index, "is no picture that is known; must be a PNG, JPEG or WebP file");
    }
    if (width > SIDE_MAX || height > SIDE_MAX) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.images",
                           "look.images: element %" PRIu32 " has %" PRIu32 " x %" PRIu32
                           " pixels; must be at most %d x %d",
                           index, width, height, SIDE_MAX, SIDE_MAX);
        return false;
    }
    return true;
}

bool document_images_take(const struct protocol_list *list, struct document_look *look,
                          struct protocol_error *error)
{
    const struct protocol_look_image *given = list->items;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        bytes += given[i].bytes;
    }
    const bool many = list->count > PROTOCOL_LIMIT_LOOK_IMAGES;
    if (many || bytes > PROTOCOL_LIMIT_IMAGE_BYTES) {
        const uint32_t most = (uint32_t)(many ? PROTOCOL_LIMIT_LOOK_IMAGES : PROTOCOL_LIMIT_IMAGE_BYTES);
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, "look.images",
                           "look.images: there are %" PRIu64 " %s; must be at most %" PRIu32 " (limit %s)",
                           many ? (uint64_t)list->count : bytes, many ? "images" : "bytes", most,
                           many ? "look_images" : "image_bytes");
        error->limit = most;
        return false;
    }
    if (list->count > 0 && !look->uvs) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.images",
                           "look.images: images lie on a surface by its uvs; must be given with look.uvs");
        return false;
    }
    look->images = calloc((size_t)list->count + 1, sizeof *look->images);
    if (!look->images) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the look; nothing changed");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (!take(&given[i], i, look, error)) {
            return false;
        }
    }
    return true;
}
