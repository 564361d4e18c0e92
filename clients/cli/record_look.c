// The look of surfaces. See record_look.h.
#include "record_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_look_deinit(struct record_body *body)
{
    for (uint32_t m = 0; m < body->material_count; m++) {
        free(body->materials[m].name);
    }
    free(body->materials);
    free(body->uvs);
    free(body->normals);
    free(body->triangle_materials);
}

// Reads an array of exactly `count` finite numbers; NULL if it is anything else.
static bool take_floats(const msgpack_object *value, size_t count, float **out)
{
    struct weft_view view;
    bool right = value && weft_view_f32(value, &view);
    if (!right) {
        return true;
    }
    right = view.count == count;
    for (size_t i = 0; right && i < count; i++) {
        right = isfinite(view.f32[i]);
    }
    *out = right ? malloc((count + 1) * sizeof **out) : NULL;
    if (*out) {
        memcpy(*out, view.f32, count * sizeof **out);
    }
    weft_view_deinit(&view);
    return !right || *out;
}

static bool take_indices(const msgpack_object *value, size_t count, uint32_t below, uint32_t **out)
{
    struct weft_view view;
    bool right = value && weft_view_u32(value, &view);
    if (!right) {
        return true;
    }
    right = view.count == count;
    for (size_t i = 0; right && i < count; i++) {
        right = view.u32[i] < below;
    }
    *out = right ? malloc((count + 1) * sizeof **out) : NULL;
    if (*out) {
        memcpy(*out, view.u32, count * sizeof **out);
    }
    weft_view_deinit(&view);
    return !right || *out;
}

static float share(double value, double otherwise)
{
    return (float)(value >= 0 && value <= 1 ? value : otherwise);
}

static bool take_material(const msgpack_object *from, struct record_material *material)
{
    struct weft_view view;
    char name[72];
    *material = (struct record_material){.color = {1, 1, 1, 1},
                                         .metallic = share(weft_f64(weft_get(from, "metallic"), 0), 0),
                                         .roughness = share(weft_f64(weft_get(from, "roughness"), 1), 1)};
    if (weft_view_f64(weft_get(from, "color"), &view)) {
        for (size_t k = 0; view.count == 4 && k < 4; k++) {
            material->color[k] = share(view.f64[k], 1);
        }
        weft_view_deinit(&view);
    }
    weft_string_copy(weft_get(from, "name"), name, sizeof name);
    material->name = strdup(*name ? name : "material");
    return material->name != NULL;
}

bool cli_look_take(const msgpack_object *look, uint32_t triangle_count, struct record_body *body)
{
    const msgpack_object *materials = weft_get(look, "materials");
    const uint32_t count = weft_count(materials) <= RECORD_MATERIALS_MAX ? weft_count(materials) : 0;
    bool done =
        take_floats(weft_get(look, "uvs"), 6 * (size_t)triangle_count, &body->uvs) &&
        take_floats(weft_get(look, "normals"), 9 * (size_t)triangle_count, &body->normals) &&
        take_indices(weft_get(look, "triangle_materials"), triangle_count, count, &body->triangle_materials);
    body->materials = calloc((size_t)count + 1, sizeof *body->materials);
    done = done && body->materials;
    for (; done && body->material_count < count; body->material_count++) {
        done =
            take_material(weft_at(materials, body->material_count), &body->materials[body->material_count]);
    }
    return done;
}
