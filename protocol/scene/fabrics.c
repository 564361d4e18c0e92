// Materials that are given as fields of bodies: those of the table protocol/materials.json, and a scene's own.
//
//   "materials": {"twill": {"density": 0.2, "stretch": {"model": "orthotropic", ...}, "bend": {"warp": ...}, "source": "..."}}
//
// A material fills in what a body leaves open. The members of stretch, bend, volume and solid are filled in one by one, so that a
// body may add a direction or a limit. But if the body's own map says how stiff something is (a model, a compliance, a stiffness, a
// rigidity), nothing is added to it.
#include "protocol/scene/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATERIALS_MAX = 4096 };

static const char *const fields[] = {"density",  "stretch", "bend",  "volume", "solid",
                                     "friction", "source",  "about", NULL};

static bool is_in(const char *name, const char *const *names)
{
    bool found = false;
    for (; *names && !found; names++) {
        found = strcmp(*names, name) == 0;
    }
    return found;
}

bool scene_materials_check(struct scene_reader *reader, const json_t *materials)
{
    const char *name, *key;
    json_t *material, *value;
    if (!json_is_object(materials) || json_object_size(materials) > MATERIALS_MAX) {
        return scene_refuse(reader, "must be an object of at most %d materials by name", MATERIALS_MAX);
    }
    json_object_foreach((json_t *)materials, name, material)
    {
        const size_t before = scene_enter(reader, "%.60s", name);
        if (!json_is_object(material)) {
            return scene_refuse(reader,
                                "must be an object with fields of bodies, such as density and stretch");
        }
        json_object_foreach(material, key, value)
        {
            if (!is_in(key, fields)) {
                return scene_refuse(
                    reader,
                    "\"%.60s\" is no field of a material; it may have density, stretch, bend, "
                    "volume, solid, friction, source and about",
                    key);
            }
        }
        scene_leave(reader, before);
    }
    return true;
}

bool scene_materials_read(struct scene_reader *reader, const json_t *value)
{
    const size_t before = scene_enter(reader, "materials");
    json_error_t where;
    reader->table = json_loadb(scene_fabrics, strlen(scene_fabrics), 0, &where);
    reader->materials = value;
    if (!reader->table) {
        return scene_refuse_memory(reader);
    }
    if (json_is_string(value)) {
        void *text = NULL;
        size_t size = 0;
        if (!scene_file_read(reader, json_string_value(value), &text, &size)) {
            return false;
        }
        reader->materials_file =
            size > SCENE_JSON_BYTES_MAX ? NULL : json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
        free(text);
        reader->materials = reader->materials_file;
        if (!reader->materials) {
            return scene_refuse(reader, "\"%.100s\" is not JSON, or larger than 64 MiB",
                                json_string_value(value));
        }
    }
    if (reader->materials && !scene_materials_check(reader, reader->materials)) {
        return false;
    }
    scene_leave(reader, before);
    return true;
}

void scene_materials_free(struct scene_reader *reader)
{
    json_decref(reader->table);
    json_decref(reader->materials_file);
    reader->table = reader->materials_file = NULL;
    reader->materials = NULL;
}

const json_t *scene_material_of(const struct scene_reader *reader, const char *name)
{
    const json_t *own = json_object_get(reader->materials, name);
    return own ? own : json_object_get(reader->table, name);
}

void scene_names_of(const json_t *materials, char *out, size_t size)
{
    const char *name;
    json_t *material;
    size_t used = 0;
    out[0] = '\0';
    json_object_foreach((json_t *)materials, name, material)
    {
        used += used < size ? (size_t)snprintf(out + used, size - used, "%s, ", name) : 0;
    }
}

// Whether a map says itself how stiff something is.
static bool decides(const json_t *map)
{
    static const char *const words[] = {"model", "compliance", "stiffness", "rigidity",
                                        "warp",  "weft",       "young",     NULL};
    const char *name;
    json_t *value;
    bool says = !json_is_object(map);
    json_object_foreach((json_t *)map, name, value)
    {
        says = says || is_in(name, words);
    }
    return says;
}

// Packs a map of the body with those members of the material's map that it does not have.
static bool merge(struct scene_reader *reader, const struct protocol_field *field, const json_t *given,
                  const json_t *value, struct scene_map *map)
{
    struct scene_map both;
    const char *name;
    json_t *member;
    scene_map_init(&both);
    bool done = scene_emit_members(reader, field->of, given, NULL, &both);
    json_object_foreach((json_t *)value, name, member)
    {
        const size_t before = scene_enter(reader, "%.60s", name);
        if (done && !json_object_get(given, name)) {
            scene_map_key(&both, name);
            done = scene_emit(reader, scene_field(field->of, name), member, &both.packer);
        }
        scene_leave(reader, before);
    }
    scene_map_key(map, field->name);
    scene_map_end(&both, &map->bytes);
    scene_map_deinit(&both);
    return done;
}

bool scene_material_fields(struct scene_reader *reader, const json_t *material, const json_t *object,
                           struct scene_map *map, uint32_t *merged)
{
    const bool weighs = json_object_get(object, "density") || json_object_get(object, "masses");
    bool done = true;
    for (uint32_t f = 0; done && fields[f] && strcmp(fields[f], "source") != 0; f++) {
        const json_t *value = json_object_get(material, fields[f]),
                     *given = json_object_get(object, fields[f]);
        const struct protocol_field *field = scene_field(&protocol_document_body_type, fields[f]);
        if (!value || (weighs && strcmp(fields[f], "density") == 0)) {
            continue;
        }
        const size_t before = scene_enter(reader, "%s", fields[f]);
        if (!given) {
            scene_map_key(map, fields[f]);
            done = scene_emit(reader, field, value, &map->packer);
        } else if (json_is_object(value) && !decides(given)) {
            done = merge(reader, field, given, value, map);
            *merged |= UINT32_C(1) << f;
        }
        scene_leave(reader, before);
    }
    return done;
}

const char *scene_material_field(uint32_t f)
{
    return fields[f];
}
