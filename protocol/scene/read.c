// A scene read: its text, its parts, and in the end all of it through the document's decoder, whose refusals name the
// same places as those made here.
#include "protocol/scene/internal.h"

#include "protocol/array/reserve.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "protocol/utf8/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 4096 };

void scene_deinit(struct scene *scene)
{
    free(scene->document);
    *scene = (struct scene){0};
}

// ---------------------------------------------------------------------------------------------------------
// Parts

typedef bool read_part(struct scene_reader *reader, const json_t *object, uint32_t index,
                       struct protocol_bytes *out);

static bool read_collider(struct scene_reader *reader, const json_t *object, uint32_t index,
                          struct protocol_bytes *out)
{
    (void)index;
    return scene_read_collider(reader, object, out);
}

static bool read_constraints(struct scene_reader *reader, const json_t *object, uint32_t index,
                             struct protocol_bytes *out)
{
    (void)index;
    return scene_read_constraints(reader, object, out);
}

static bool read_motion(struct scene_reader *reader, const json_t *object, uint32_t index,
                        struct protocol_bytes *out)
{
    (void)index;
    return scene_read_motion(reader, object, out);
}

static bool read_list(struct scene_reader *reader, const json_t *root, const char *key, read_part *part,
                      struct scene_map *map)
{
    const json_t *list = json_object_get(root, key);
    size_t index;
    json_t *item;
    if (!list) {
        return true;
    }
    if (!json_is_array(list) || json_array_size(list) > LIST_MAX) {
        scene_enter(reader, "%s", key);
        return scene_refuse(reader, "must be a list of at most %d objects", LIST_MAX);
    }
    scene_map_key(map, key);
    msgpack_pack_array(&map->packer, json_array_size(list));
    json_array_foreach(list, index, item)
    {
        size_t before = scene_enter(reader, "%s[%zu]", key, index);
        if (!part(reader, item, (uint32_t)index, &map->bytes)) {
            return false;
        }
        scene_leave(reader, before);
        if (map->bytes.failed) {
            return scene_refuse_memory(reader);
        }
    }
    return true;
}

static bool bodies_reserve(struct scene_reader *reader, const json_t *root)
{
    size_t count = json_array_size(json_object_get(root, "bodies"));
    reader->body_count = count <= LIST_MAX ? (uint32_t)count : 0;
    reader->bodies = calloc((size_t)reader->body_count + 1, sizeof *reader->bodies);
    return reader->bodies || scene_refuse_memory(reader);
}

static void bodies_free(struct scene_reader *reader)
{
    for (uint32_t b = 0; reader->bodies && b < reader->body_count; b++) {
        free(reader->bodies[b].positions);
        free(reader->bodies[b].elements);
    }
    free(reader->bodies);
    reader->bodies = NULL;
    scene_materials_free(reader);
}

// ---------------------------------------------------------------------------------------------------------
// The whole

// A name for the world: what the scene says, else what its file is called.
static bool take_name(struct scene_reader *reader, const json_t *root, struct scene *scene)
{
    const json_t *name = json_object_get(root, "name"), *about = json_object_get(root, "about");
    if (name && (!json_is_string(name) || json_string_length(name) == 0 ||
                 json_string_length(name) >= sizeof scene->name ||
                 protocol_name_flaw(json_string_value(name), json_string_length(name)))) {
        scene_enter(reader, "name");
        return scene_refuse(reader, "must be a name of 1 to %d bytes", SCENE_NAME_SIZE - 1);
    }
    if (about && (!json_is_string(about) || json_string_length(about) >= sizeof scene->about ||
                  protocol_utf8_has_control(json_string_value(about), json_string_length(about)))) {
        scene_enter(reader, "about");
        return scene_refuse(reader, "must be one line of at most %d bytes", SCENE_TEXT_SIZE - 1);
    }
    const char *base = strrchr(reader->file, '/');
    base = base ? base + 1 : reader->file;
    snprintf(scene->name, sizeof scene->name, "%s", name ? json_string_value(name) : base);
    if (!name && scene_ends_with(scene->name, ".json")) {
        scene->name[strlen(scene->name) - strlen(".json")] = '\0';
    }
    protocol_utf8_clean(scene->name, strlen(scene->name));
    scene->name[protocol_utf8_cut(scene->name, strlen(scene->name), SCENE_NAME_SIZE - 1)] = '\0';
    snprintf(scene->about, sizeof scene->about, "%s", about ? json_string_value(about) : "");
    return true;
}

static bool check_version(struct scene_reader *reader, const json_t *root)
{
    const json_t *version = json_object_get(root, "weft");
    if (version && !(json_is_integer(version) && json_integer_value(version) == 1)) {
        scene_enter(reader, "weft");
        return scene_refuse(reader, "must be 1, the version of scenes that this program reads");
    }
    return true;
}

// Says what a server would say of the document, with the place in the scene.
static bool check_document(struct scene_reader *reader, const struct scene *scene)
{
    msgpack_zone zone;
    msgpack_object map;
    struct protocol_error error = {0};
    size_t offset = 0;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return scene_refuse_memory(reader);
    }
    void *decoded = msgpack_zone_malloc(&zone, protocol_document_type.size);
    bool done = decoded &&
                msgpack_unpack(scene->document, scene->size, &offset, &zone, &map) == MSGPACK_UNPACK_SUCCESS;
    if (!done) {
        scene_refuse_memory(reader);
    } else if (!protocol_decode(&protocol_document_type, &map, &zone, decoded, &error)) {
        bool named = strncmp(error.text, error.field, strlen(error.field)) == 0;
        char *wire = strstr(error.text, ": plain, typed (ext"); // how arrays look there is nothing to a scene
        if (wire) {
            *wire = '\0';
        }
        done = scene_refuse(reader, "%s%s%s", named ? "" : error.field, named ? "" : ": ", error.text);
    }
    msgpack_zone_destroy(&zone);
    return done;
}

// A value that is no number is refused later.
static double resolution_of(const json_t *root)
{
    const json_t *said = json_object_get(json_object_get(root, "settings"), "resolution");
    const struct protocol_field *field = scene_field(&protocol_world_settings_type, "resolution");
    return said ? json_number_value(said) : field->defaults[0];
}

static bool read_root(struct scene_reader *reader, const json_t *root, struct scene *scene)
{
    static const char *const more[] = {"$schema", "weft", "name", "about", "materials", NULL};
    static const char *const but[] = {"$schema",   "weft",        "name",    "about",     "bodies",
                                      "colliders", "constraints", "motions", "materials", NULL};
    struct scene_map map;
    struct protocol_bytes out = {0};
    if (!json_is_object(root)) {
        return scene_refuse(reader, "a scene is a JSON object");
    }
    if (!scene_check_members(reader, root, more, &protocol_document_type) || !check_version(reader, root) ||
        !take_name(reader, root, scene) || !bodies_reserve(reader, root) ||
        !scene_materials_read(reader, json_object_get(root, "materials"))) {
        return false;
    }
    reader->colliders = json_object_get(root, "colliders");
    reader->resolution = resolution_of(root);
    reader->long_edges = json_is_true(json_object_get(json_object_get(root, "settings"), "long_edges"));
    scene_map_init(&map);
    bool done = read_list(reader, root, "bodies", scene_read_body, &map) &&
                read_list(reader, root, "colliders", read_collider, &map) &&
                read_list(reader, root, "constraints", read_constraints, &map) &&
                read_list(reader, root, "motions", read_motion, &map) &&
                scene_emit_members(reader, &protocol_document_type, root, but, &map);
    if (done) {
        scene_map_end(&map, &out);
        done = !out.failed || scene_refuse_memory(reader);
    }
    scene_map_deinit(&map);
    bodies_free(reader);
    scene->document = out.data;
    scene->size = out.size;
    return done && check_document(reader, scene);
}

bool scene_read_text(struct scene_reader *reader, const char *text, size_t size, struct scene *scene)
{
    json_error_t where;
    *scene = (struct scene){0};
    const size_t mark = protocol_utf8_mark(text, size);
    json_t *root = json_loadb(text + mark, size - mark, JSON_REJECT_DUPLICATES, &where);
    if (!root) {
        fault_set(reader->fault, FAULT_INVALID, NULL, "%s:%d:%d: not JSON: %.200s",
                  scene_file_shown(reader->file), where.line, where.column, where.text);
        return false;
    }
    bool done = read_root(reader, root, scene);
    bodies_free(reader);
    json_decref(root);
    if (!done) {
        scene_deinit(scene);
    }
    return done;
}
