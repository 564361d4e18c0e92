// Looks: how a surface is to be drawn. A look is kept as it was given and handed to clients that ask; nothing here reads it.
#include "base/assert.h"
#include "document/parts.h"

#include <stdlib.h>
#include <string.h>

static size_t image_bytes(const struct document_look *look)
{
    size_t bytes = 0;
    for (uint32_t i = 0; look && i < look->image_count; i++) {
        bytes += look->images[i].bytes;
    }
    return bytes;
}

size_t document_look_bytes(const struct document_look *look)
{
    const size_t triangles = look->triangle_count;
    return (look->uvs ? triangles * 6 * sizeof *look->uvs : 0) +
           (look->normals ? triangles * 9 * sizeof *look->normals : 0) +
           (look->triangle_materials ? triangles * sizeof *look->triangle_materials : 0) + image_bytes(look) +
           look->material_count * (sizeof *look->materials + sizeof *look->names);
}

void document_look_destroy(struct document_look *look)
{
    if (look) {
        free(look->uvs);
        free(look->normals);
        free(look->triangle_materials);
        free(look->materials);
        free(look->names);
        for (uint32_t i = 0; i < look->image_count; i++) {
            free((void *)look->images[i].data.data);
        }
        free(look->images);
        free(look);
    }
}

static bool refuse_memory(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the look; nothing changed");
    return false;
}

static bool refuse_length(const char *field, uint32_t length, uint32_t right, struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field,
                       "%s: length %u; must be %u, for the triangles there are", field, length, right);
    return false;
}

static bool floats_take(const struct protocol_array *array, const char *field, uint32_t right, float **out,
                        struct protocol_error *error)
{
    if (array->type == PROTOCOL_ARRAY_SCALAR || array->count != right) {
        return refuse_length(field, array->count, right, error);
    }
    *out = malloc(((size_t)array->count + 1) * sizeof **out);
    for (uint32_t i = 0; *out && i < array->count; i++) {
        (*out)[i] = (float)protocol_array_f64_at(array, i);
    }
    return *out || refuse_memory(error);
}

static bool indices_take(const struct protocol_array *array, struct document_look *look,
                         struct protocol_error *error)
{
    static const char field[] = "look.triangle_materials";
    uint32_t bad = 0;
    if (array->count != look->triangle_count) {
        return refuse_length(field, array->count, look->triangle_count, error);
    }
    look->triangle_materials = malloc(((size_t)array->count + 1) * sizeof *look->triangle_materials);
    if (!look->triangle_materials) {
        return refuse_memory(error);
    }
    if (!protocol_array_copy_u32(array, look->triangle_materials, &bad)) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, field,
                           "%s: element %u must be an integer from 0 to 4294967295", field, bad);
        return false;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        if (look->triangle_materials[i] >= look->material_count) {
            protocol_error_set(error, PROTOCOL_CODE_INVALID, field,
                               "%s: element %u is %u; there are %u materials", field, i,
                               look->triangle_materials[i], look->material_count);
            return false;
        }
    }
    return true;
}

static bool materials_take(const struct protocol_list *list, struct document_look *look,
                           struct protocol_error *error)
{
    const struct protocol_look_material *given = list->items;
    // More than there are triangles would be of no use, and cost far more than the bytes of the request.
    const uint32_t most = look->triangle_count < DOCUMENT_LOOK_MATERIALS_MAX ? look->triangle_count
                                                                             : DOCUMENT_LOOK_MATERIALS_MAX;
    if (list->count > most) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.materials",
                           "look.materials: length %u; must be at most %u", list->count, most);
        return false;
    }
    look->materials = calloc((size_t)list->count + 1, sizeof *look->materials);
    look->names = calloc((size_t)list->count + 1, sizeof *look->names);
    if (!look->materials || !look->names) {
        return refuse_memory(error);
    }
    for (uint32_t m = 0; m < list->count; m++) {
        const uint32_t size = given[m].name.size;
        look->materials[m] = given[m];
        look->materials[m].has = given[m].has | ~(uint64_t)PROTOCOL_HAS_LOOK_MATERIAL_IMAGE;
        if ((given[m].has & PROTOCOL_HAS_LOOK_MATERIAL_IMAGE) && given[m].image >= look->image_count) {
            protocol_error_set(error, PROTOCOL_CODE_INVALID, "look.materials",
                               "look.materials: image of element %u is %u; there are %u images", m,
                               given[m].image, look->image_count);
            return false;
        }
        BASE_ASSERT(size <= sizeof look->names[m]);
        memcpy(look->names[m], given[m].name.data, size);
        look->materials[m].name = (struct protocol_string){.data = look->names[m], .size = size};
    }
    look->material_count = list->count;
    return true;
}

struct document_look *document_look_create(const struct protocol_look *given, uint32_t triangle_count,
                                           struct protocol_error *error)
{
    struct document_look *look = calloc(1, sizeof *look);
    if (!look) {
        refuse_memory(error);
        return NULL;
    }
    look->triangle_count = triangle_count;
    if (((given->has & PROTOCOL_HAS_LOOK_UVS) &&
         !floats_take(&given->uvs, "look.uvs", 6 * triangle_count, &look->uvs, error)) ||
        ((given->has & PROTOCOL_HAS_LOOK_NORMALS) &&
         !floats_take(&given->normals, "look.normals", 9 * triangle_count, &look->normals, error)) ||
        ((given->has & PROTOCOL_HAS_LOOK_IMAGES) && !document_images_take(&given->images, look, error)) ||
        ((given->has & PROTOCOL_HAS_LOOK_MATERIALS) && !materials_take(&given->materials, look, error)) ||
        ((given->has & PROTOCOL_HAS_LOOK_TRIANGLE_MATERIALS) &&
         !indices_take(&given->triangle_materials, look, error))) {
        document_look_destroy(look);
        return NULL;
    }
    return look;
}

void document_look_fill(const struct document_look *look, struct protocol_look *out)
{
    *out = (struct protocol_look){0};
    if (look->uvs) {
        out->has |= PROTOCOL_HAS_LOOK_UVS;
        out->uvs = (struct protocol_array){PROTOCOL_ARRAY_F32, 6 * look->triangle_count, look->uvs};
    }
    if (look->normals) {
        out->has |= PROTOCOL_HAS_LOOK_NORMALS;
        out->normals = (struct protocol_array){PROTOCOL_ARRAY_F32, 9 * look->triangle_count, look->normals};
    }
    if (look->material_count > 0) {
        out->has |= PROTOCOL_HAS_LOOK_MATERIALS;
        out->materials = (struct protocol_list){.items = look->materials, .count = look->material_count};
    }
    if (look->image_count > 0) {
        out->has |= PROTOCOL_HAS_LOOK_IMAGES;
        out->images = (struct protocol_list){.items = look->images, .count = look->image_count};
    }
    if (look->triangle_materials) {
        out->has |= PROTOCOL_HAS_LOOK_TRIANGLE_MATERIALS;
        out->triangle_materials =
            (struct protocol_array){PROTOCOL_ARRAY_U32, look->triangle_count, look->triangle_materials};
    }
}

bool document_look_fits(const struct document_things *bodies, const struct document_look *look,
                        struct protocol_error *error)
{
    size_t bytes = image_bytes(look);
    for (uint32_t b = 0; bytes > 0 && b < bodies->count; b++) {
        bytes += image_bytes(bodies->items[b].look);
    }
    if (bytes > 0 && bytes > PROTOCOL_LIMIT_WORLD_IMAGE_BYTES) {
        protocol_error_set(
            error, PROTOCOL_CODE_LIMIT, "look.images",
            "look.images: the images in this world would take %zu bytes; must be at most %u (limit "
            "world_image_bytes)",
            bytes, (uint32_t)PROTOCOL_LIMIT_WORLD_IMAGE_BYTES);
        error->limit = (double)PROTOCOL_LIMIT_WORLD_IMAGE_BYTES;
        return false;
    }
    return true;
}
