// Puts values into a scene before it is read: parses the text as JSON, replaces one member, and writes it again.
//
//     body.flag.stretch.compliance    bodies: the one named flag ▸ stretch ▸ compliance
//     world.gravity                   settings ▸ gravity
//
// The scene reader checks names and values of members.
#include "protocol/scene/scene.h"
#include "bake/bake.h"
#include "protocol/array/reserve.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 64 << 20 };

static bool read_all(FILE *file, struct bake_scene *scene)
{
    size_t capacity = 0, got = 1;
    while (got > 0) {
        if (scene->size == capacity && !array_reserve(&scene->text, &capacity, scene->size + 65536)) {
            return false;
        }
        got = fread(scene->text + scene->size, 1, capacity - scene->size, file);
        scene->size += got;
        if (scene->size > TEXT_BYTES_MAX) {
            return false;
        }
    }
    return ferror(file) == 0;
}

bool bake_scene_read(const char *path, struct bake_scene *scene, struct fault *fault)
{
    *scene = (struct bake_scene){0};
    FILE *file = fopen(path, "rbe");
    int code = errno;
    // A bare name that is not a file is a scene of the gallery.
    if (!file && !strchr(path, '/') && scene_gallery_find(path, scene->path)) {
        file = fopen(scene->path, "rbe");
    } else {
        snprintf(scene->path, sizeof scene->path, "%s", path);
    }
    if (!file) {
        return fault_set(fault, FAULT_IO, NULL,
                         "%.300s cannot be opened: %s; weft gallery lists the scenes that come with weft",
                         path, strerror(code));
    }
    const char *slash = strrchr(scene->path, '/');
    snprintf(scene->folder, sizeof scene->folder, "%.*s", !slash ? 1 : (int)(slash - scene->path + 1),
             !slash ? "." : scene->path);
    bool done = read_all(file, scene);
    fclose(file);
    if (!done) {
        fault_set(fault, FAULT_LIMIT, NULL, "%.300s cannot be read, or is larger than 64 MiB", scene->path);
    }
    return done;
}

void bake_scene_deinit(struct bake_scene *scene)
{
    free(scene->text);
    free(scene->document);
    *scene = (struct bake_scene){0};
}

static const struct {
    const char *word, *list;
} lists[] = {
    {"body", "bodies"}, {"collider", "colliders"}, {"motion", "motions"}, {"constraints", "constraints"}};

// Finds an item of a list by name, or by its number from 0.
static json_t *item_of(json_t *list, const char *name)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
    {
        const char *own = json_string_value(json_object_get(item, "name"));
        if (own && strcmp(own, name) == 0) {
            return item;
        }
    }
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    return name[0] >= '0' && name[0] <= '9' && *end == '\0' ? json_array_get(list, number) : NULL;
}

// Finds the object that the last word of the path is a member of; creates missing ones on the way.
static json_t *walk(json_t *root, char *path, char **last, struct fault *fault)
{
    char *rest = path;
    char *word = strsep(&rest, ".");
    json_t *object = NULL;
    for (size_t l = 0; l < sizeof lists / sizeof lists[0] && rest; l++) {
        if (strcmp(word, lists[l].word) != 0) {
            continue;
        }
        const char *name = strsep(&rest, ".");
        object = item_of(json_object_get(root, lists[l].list), name);
        if (!object) {
            return fault_set(fault, FAULT_INVALID, NULL, "the scene has no %s \"%.100s\"", word, name), NULL;
        }
    }
    if (!object && rest && strcmp(word, "world") == 0) {
        object = json_object_get(root, "settings");
        if (!object && json_object_set_new(root, "settings", json_object()) == 0) {
            object = json_object_get(root, "settings");
        }
    }
    if (!object || !rest || rest[0] == '\0') {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "a path is world.FIELD, body.NAME.FIELD, collider.NAME.FIELD, "
                         "motion.NUMBER.FIELD or constraints.NUMBER.FIELD"),
               NULL;
    }
    for (char *next; (next = strchr(rest, '.')); rest = next + 1) {
        *next = '\0';
        json_t *inner = json_object_get(object, rest);
        if (!inner && json_object_set_new(object, rest, json_object()) == 0) {
            inner = json_object_get(object, rest);
        }
        if (!json_is_object(inner)) {
            return fault_set(fault, FAULT_INVALID, NULL, "%.100s holds no fields", rest), NULL;
        }
        object = inner;
    }
    *last = rest;
    return object;
}

static bool put(json_t *root, const struct bake_set *set, const char *text, struct fault *fault)
{
    char path[1024], *last;
    if (strlen(set->path) >= sizeof path) {
        return fault_set(fault, FAULT_LIMIT, NULL, "--set: the path is too long");
    }
    snprintf(path, sizeof path, "%s", set->path);
    json_t *object = walk(root, path, &last, fault);
    if (!object) {
        return fault_set(fault, fault->code, NULL, "--set %.200s: %.300s", set->path, fault->text);
    }
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value) {
        value = json_string(text);
    }
    return json_object_set_new(object, last, value) == 0 ||
           fault_set(fault, FAULT_INVALID, NULL, "--set %.200s: \"%.200s\" is no value", set->path, text);
}

bool bake_scene_document(const struct bake_scene *scene, const struct bake_set *sets,
                         const char *const *values, uint32_t count, void **document, size_t *size,
                         struct fault *fault)
{
    struct scene read = {0};
    char *text = NULL;
    bool done = true;
    if (scene->document) {
        *document = malloc(scene->document_size);
        *size = scene->document_size;
        if (!*document) {
            return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
        }
        memcpy(*document, scene->document, scene->document_size);
        return true;
    }
    if (count > 0) {
        json_t *root = json_loadb(scene->text, scene->size, JSON_REJECT_DUPLICATES, NULL);
        // The reader below gives a better error for text that is not JSON.
        for (uint32_t s = 0; done && root && s < count; s++) {
            done = put(root, &sets[s], values[s], fault);
        }
        text = done && root ? json_dumps(root, JSON_REAL_PRECISION(17)) : NULL;
        json_decref(root);
        if (!done) {
            return false;
        }
    }
    done = scene_parse(scene->path, scene->folder, text ? text : scene->text,
                       text ? strlen(text) : scene->size, &read, fault);
    free(text);
    if (!done) {
        return false;
    }
    *document = read.document;
    *size = read.size;
    return true;
}
