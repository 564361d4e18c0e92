// Materials for programs that take them without a scene.
#include "protocol/scene/internal.h"

#include <stdio.h>
#include <string.h>

struct json_t *scene_materials_open(const char *path, struct fault *fault)
{
    json_error_t where;
    struct scene_reader reader = {.file = path, .folder = -1, .fault = fault};
    json_t *materials = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (!materials) {
        fault_set(fault, FAULT_INVALID, NULL, "%s:%d: %.200s", scene_file_shown(path), where.line,
                  where.text);
        return NULL;
    }
    scene_enter(&reader, "materials");
    if (!scene_materials_check(&reader, materials)) {
        json_decref(materials);
        return NULL;
    }
    return materials;
}

struct json_t *scene_material_named(const struct json_t *own, const char *name)
{
    json_t *found = json_incref(json_object_get(own, name));
    json_t *table = found ? NULL : json_loads(scene_fabrics, 0, NULL);
    found = found ? found : json_incref(json_object_get(table, name));
    json_decref(table);
    return found;
}

void scene_material_names(char *out, size_t size)
{
    json_t *table = json_loads(scene_fabrics, 0, NULL);
    scene_names_of(table, out, size);
    json_decref(table);
}
