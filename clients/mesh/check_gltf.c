// A glTF before assimp gets it, which takes positions that are no floats for floats, passes over extensions that a file
// says it needs, and leaves out triangles whose vertices are not there.
//
// What is checked: the JSON, the version, the required extensions, the type of positions. What is counted: the
// triangles of all uses of meshes by nodes of the scene, for assimp's result to agree with.
#include "internal.h"

#include <jansson.h>
#include <string.h>

enum { DEPTH_MAX = 256, NODES_MAX = 1000000, HEAD_SIZE = 20, FLOAT = 5126 };

struct gltf {
    const char *name;
    json_t *root;
    uint64_t triangles;
    uint32_t nodes; // walked
    struct fault *fault;
};

// Extensions that change only the look, not the positions; and those that assimp reads.
static bool is_harmless(const char *extension)
{
    static const char *const beginnings[] = {
        "KHR_materials_", "KHR_texture_",  "KHR_lights_", "KHR_xmp",
        "EXT_texture_",   "MSFT_texture_", "EXT_lights_", "KHR_draco_mesh_compression"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_extensions(struct gltf *gltf)
{
    const json_t *required = json_object_get(gltf->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *extension = json_string_value(json_array_get(required, i));
        if (!extension || !is_harmless(extension)) {
            return fault_set(
                gltf->fault, FAULT_INVALID, NULL,
                "%.180s: it needs the extension %.60s, which is not read here; export it without", gltf->name,
                extension ? extension : "(no name)");
        }
    }
    return true;
}

// The item of a list of the root that a member names. NULL: it names none.
static const json_t *item_of(const struct gltf *gltf, const char *list, const json_t *index)
{
    const json_int_t at = json_is_integer(index) ? json_integer_value(index) : -1;
    return at >= 0 ? json_array_get(json_object_get(gltf->root, list), (size_t)at) : NULL;
}

static bool count_primitive(struct gltf *gltf, const char *mesh, const json_t *primitive)
{
    const json_t *indices = json_object_get(primitive, "indices"), *mode = json_object_get(primitive, "mode");
    const json_t *places =
        item_of(gltf, "accessors", json_object_get(json_object_get(primitive, "attributes"), "POSITION"));
    const json_t *counted = indices ? item_of(gltf, "accessors", indices) : places;
    if (!places || !counted) {
        return fault_set(gltf->fault, FAULT_INVALID, NULL, "%.180s: mesh '%.60s' has no %s", gltf->name, mesh,
                         places ? "accessor for its indices" : "accessor for its positions");
    }
    const json_int_t type = json_integer_value(json_object_get(places, "componentType"));
    if (type != FLOAT) {
        return fault_set(gltf->fault, FAULT_INVALID, NULL,
                         "%.180s: mesh '%.60s' has positions of type %lld; must be %d, float", gltf->name,
                         mesh, (long long)type, FLOAT);
    }
    const json_int_t count = json_integer_value(json_object_get(counted, "count"));
    const json_int_t how = mode ? json_integer_value(mode) : 4;
    if (count < 0 || count > 3 * (json_int_t)MESH_TRIANGLES_MAX) {
        return fault_set(gltf->fault, FAULT_LIMIT, NULL,
                         "%.180s: mesh '%.60s' has %lld corners; at most %d can be taken", gltf->name, mesh,
                         (long long)count, 3 * MESH_TRIANGLES_MAX);
    }
    if (how == 4) {
        gltf->triangles += (uint64_t)count / 3;
    } else if ((how == 5 || how == 6) && count > 2) {
        gltf->triangles += (uint64_t)count - 2;
    }
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH_MAX
static bool count_node(struct gltf *gltf, const json_t *index, int depth)
{
    const json_t *node = item_of(gltf, "nodes", index);
    if (!node) {
        return fault_set(gltf->fault, FAULT_INVALID, NULL,
                         "%.180s: the scene or a node names a node that is not there", gltf->name);
    }
    if (depth > DEPTH_MAX || ++gltf->nodes > NODES_MAX) {
        return fault_set(gltf->fault, FAULT_LIMIT, NULL,
                         "%.180s: nodes in nodes, deeper than %d or more than %d", gltf->name, DEPTH_MAX,
                         NODES_MAX);
    }
    const json_t *mesh = json_object_get(node, "mesh");
    if (mesh) {
        const json_t *used = item_of(gltf, "meshes", mesh);
        const char *name = json_string_value(json_object_get(used, "name"));
        const json_t *primitives = json_object_get(used, "primitives");
        if (!used) {
            return fault_set(gltf->fault, FAULT_INVALID, NULL,
                             "%.180s: a node names a mesh that is not there", gltf->name);
        }
        for (size_t i = 0; i < json_array_size(primitives); i++) {
            if (!count_primitive(gltf, name ? name : "", json_array_get(primitives, i))) {
                return false;
            }
        }
    }
    const json_t *children = json_object_get(node, "children");
    for (size_t i = 0; i < json_array_size(children); i++) {
        if (!count_node(gltf, json_array_get(children, i), depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool check_root(struct gltf *gltf)
{
    const char *version = json_string_value(json_object_get(json_object_get(gltf->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0) {
        return fault_set(gltf->fault, FAULT_INVALID, NULL, "%.180s: version %.20s of glTF; must be 2.x",
                         gltf->name, version ? version : "(none)");
    }
    const json_t *scene_index = json_object_get(gltf->root, "scene");
    const json_t *scenes = json_object_get(gltf->root, "scenes");
    const json_t *scene = scene_index ? item_of(gltf, "scenes", scene_index) : json_array_get(scenes, 0);
    if (!scene) {
        return fault_set(gltf->fault, FAULT_INVALID, NULL, "%.180s: there is no scene in it", gltf->name);
    }
    if (!check_extensions(gltf)) {
        return false;
    }
    const json_t *nodes = json_object_get(scene, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        if (!count_node(gltf, json_array_get(nodes, i), 0)) {
            return false;
        }
    }
    return gltf->triangles > 0 || fault_set(gltf->fault, FAULT_INVALID, NULL,
                                            "%.180s: there are no triangles in its scene", gltf->name);
}

// The JSON of a .glb: the first chunk after the head.
static bool find_json(const char *name, const char **bytes, size_t *size, struct fault *fault)
{
    const uint8_t *head = (const uint8_t *)*bytes;
    uint32_t words[5] = {0};
    for (size_t i = 0; i < HEAD_SIZE && i < *size; i++) {
        words[i / 4] |= (uint32_t)head[i] << 8 * (i % 4);
    }
    if (*size < HEAD_SIZE || words[0] != 0x46546c67) { // glTF
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it does not begin as a .glb does", name);
    }
    if (words[1] != 2) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: version %u of glTF; must be 2", name, words[1]);
    }
    if (words[4] != 0x4e4f534a || words[3] > *size - HEAD_SIZE) { // JSON
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: the file ends within its first chunk, or that is no JSON", name);
    }
    *bytes += HEAD_SIZE;
    *size = words[3];
    return true;
}

bool mesh_check_gltf(const char *name, bool is_glb, const char *bytes, size_t size, uint64_t *triangles,
                     struct fault *fault)
{
    json_error_t wrong;
    if (is_glb && !find_json(name, &bytes, &size, fault)) {
        return false;
    }
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    struct gltf gltf = {.name = name, .root = json_loadb(bytes, size, 0, &wrong), .fault = fault};
    if (!gltf.root) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s, line %d: it is no JSON: %.100s", name,
                         wrong.line, wrong.text);
    }
    const bool ok = check_root(&gltf);
    json_decref(gltf.root);
    *triangles = gltf.triangles;
    return ok;
}
