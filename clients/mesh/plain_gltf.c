// A glTF as assimp reads it without fail, where it has skins or weights of morph targets, or is to move.
//
// assimp ends at a skin without inverse bind matrices, which then are identity; knows joints by the names of their nodes,
// which need not differ, and so nodes that an animation moves; keeps bones and weights with a mesh, which nodes may use
// with and without. So here joints and what moves get names of their own, each such use of a mesh by a node one of its own, and those matrices are written down:
//
//     {"buffers": [..., {"uri": "data:...;base64,..."}], "accessors": [..., {"type": "MAT4", ...}]}
#include "internal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GLB_HEAD_SIZE = 12, CHUNK_HEAD_SIZE = 8, MATRIX_SIZE = 64, FLOAT = 5126, JOINTS_MAX = 1 << 16 };
static const char data_uri[] = "data:application/octet-stream;base64,";

static uint32_t u32_at(const char *bytes)
{
    const uint8_t *at = (const uint8_t *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (char)(value >> 8 * i);
    }
}

// So many identity matrices of floats, as base64 behind the head of a data URI. NULL: no memory.
static char *identities(size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t size = count * MATRIX_SIZE, head = sizeof data_uri - 1;
    char *text = malloc(head + 4 * (size / 3 + 1) + 1), *out = text + head;
    if (!text) {
        return NULL;
    }
    memcpy(text, data_uri, head);
    for (size_t at = 0; at < size; at += 3) {
        uint32_t three = 0;
        for (size_t i = at; i < at + 3; i++) {
            const size_t byte = i % MATRIX_SIZE; // 1 is 00 00 80 3f; each fifth number is 1
            const bool one = byte / 4 % 5 == 0 && i < size;
            three = three << 8 | (one && byte % 4 == 2 ? 0x80U : one && byte % 4 == 3 ? 0x3fU : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            *out++ = k <= size - at ? digits[three >> (18 - 6 * k) & 63] : '=';
        }
    }
    *out = '\0';
    return text;
}

// The list of the root, made where there is none. NULL: it is no list, or there is no memory.
static json_t *list_of(json_t *root, const char *name)
{
    json_t *list = json_object_get(root, name);
    if (!list && json_object_set_new(root, name, json_array()) == 0) {
        list = json_object_get(root, name);
    }
    return json_is_array(list) ? list : NULL;
}

static bool add_identities(json_t *root, size_t count, json_int_t *accessor)
{
    json_t *buffers = list_of(root, "buffers"), *views = list_of(root, "bufferViews");
    json_t *accessors = list_of(root, "accessors");
    if (!buffers || !views || !accessors) {
        return false;
    }
    char *uri = identities(count);
    const json_int_t bytes = (json_int_t)count * MATRIX_SIZE;
    *accessor = (json_int_t)json_array_size(accessors);
    const bool ok =
        uri &&
        json_array_append_new(buffers, json_pack("{s:I, s:s}", "byteLength", bytes, "uri", uri)) == 0 &&
        json_array_append_new(views,
                              json_pack("{s:I, s:I}", "buffer", (json_int_t)json_array_size(buffers) - 1,
                                        "byteLength", bytes)) == 0 &&
        json_array_append_new(accessors, json_pack("{s:I, s:i, s:I, s:s}", "bufferView",
                                                   (json_int_t)json_array_size(views) - 1, "componentType",
                                                   FLOAT, "count", (json_int_t)count, "type", "MAT4")) == 0;
    free(uri);
    return ok;
}

static bool rename_node(json_t *root, const json_t *index)
{
    json_t *node = json_is_integer(index)
                       ? json_array_get(json_object_get(root, "nodes"), (size_t)json_integer_value(index))
                       : NULL;
    char name[40];
    snprintf(name, sizeof name, "joint %lld", (long long)json_integer_value(index));
    return !json_is_object(node) || json_object_set_new(node, "name", json_string(name)) == 0;
}

// Calls for each channel of each animation that moves a node; path: of that channel.
static bool each_channel(json_t *root,
                         bool (*each)(json_t *root, const json_t *node, const char *path, void *context),
                         void *context)
{
    const json_t *animations = json_object_get(root, "animations");
    json_t *animation, *channel;
    size_t a, c;
    bool ok = true;
    json_array_foreach(animations, a, animation)
    {
        const json_t *channels = json_object_get(animation, "channels");
        json_array_foreach(channels, c, channel)
        {
            const json_t *target = json_object_get(channel, "target");
            const char *path = json_string_value(json_object_get(target, "path"));
            ok = ok && each(root, json_object_get(target, "node"), path ? path : "", context);
        }
    }
    return ok;
}

static bool rename_moved(json_t *root, const json_t *node, const char *path, void *context)
{
    (void)path;
    (void)context;
    return rename_node(root, node);
}

// Which nodes have weights of morph targets that change: the mesh of each is its own.
struct weighed {
    char *nodes;
    size_t count;
};

static bool note_weighed(json_t *root, const json_t *node, const char *path, void *context)
{
    const struct weighed *weighed = context;
    const json_int_t at = json_is_integer(node) ? json_integer_value(node) : -1;
    (void)root;
    if (at >= 0 && (size_t)at < weighed->count && strcmp(path, "weights") == 0) {
        weighed->nodes[at] = 1;
    }
    return true;
}

static bool complete_skins(json_t *root)
{
    const json_t *skins = json_object_get(root, "skins");
    json_t *skin, *joint;
    json_int_t accessor = -1;
    size_t i, k, most = 0;
    json_array_foreach(skins, i, skin)
    {
        const json_t *joints = json_object_get(skin, "joints");
        const size_t count = json_array_size(joints);
        most = !json_object_get(skin, "inverseBindMatrices") && count > most ? count : most;
        json_array_foreach(joints, k, joint)
        {
            if (!rename_node(root, joint)) {
                return false;
            }
        }
    }
    if (most > JOINTS_MAX || (most > 0 && !add_identities(root, most, &accessor))) {
        return false;
    }
    json_array_foreach(skins, i, skin)
    {
        if (json_is_object(skin) && accessor >= 0 && !json_object_get(skin, "inverseBindMatrices") &&
            json_object_set_new(skin, "inverseBindMatrices", json_integer(accessor)) != 0) {
            return false;
        }
    }
    return true;
}

// A mesh that is used a second time, with a skin or weights or after such a use, is one of its own from then on.
static bool part_uses(json_t *root, bool moves)
{
    const json_t *nodes = json_object_get(root, "nodes");
    json_t *meshes = json_object_get(root, "meshes"), *node;
    const size_t count = json_array_size(meshes);
    const size_t node_count = json_array_size(nodes);
    char *used = calloc(count + 1, 1); // 1: plainly, 2: with what is kept in the mesh
    const struct weighed weighed = {calloc(node_count + 1, 1), node_count};
    bool ok = used && weighed.nodes && (!moves || each_channel(root, note_weighed, (void *)&weighed));
    size_t i;
    json_array_foreach(nodes, i, node)
    {
        const json_t *index = json_object_get(node, "mesh");
        json_t *weights = json_object_get(node, "weights");
        const bool apart = json_object_get(node, "skin") || weights || (ok && weighed.nodes[i]);
        const json_int_t at = json_is_integer(index) ? json_integer_value(index) : -1;
        if (!ok || at < 0 || (size_t)at >= count) {
            continue;
        }
        json_t *mesh = json_array_get(meshes, (size_t)at);
        if (used[at] == 2 || (used[at] && apart)) {
            mesh = json_copy(mesh);
            ok =
                json_array_append_new(meshes, mesh) == 0 &&
                json_object_set_new(node, "mesh", json_integer((json_int_t)json_array_size(meshes) - 1)) == 0;
        }
        used[at] = used[at] == 2 || apart ? 2 : 1;
        if (ok && weights && json_is_object(mesh)) {
            ok = json_object_set(mesh, "weights", weights) == 0;
        }
    }
    free(used);
    free(weighed.nodes);
    return ok;
}

static bool has_weights(const json_t *root)
{
    const json_t *nodes = json_object_get(root, "nodes");
    json_t *node;
    size_t i;
    json_array_foreach(nodes, i, node)
    {
        if (json_object_get(node, "weights")) {
            return true;
        }
    }
    return false;
}

// Around the JSON of a .glb its head, and the other chunks as they are.
static char *wrap(const char *json, size_t json_size, const char *glb, size_t glb_size, size_t *size)
{
    const size_t first = GLB_HEAD_SIZE + CHUNK_HEAD_SIZE, old = first + u32_at(glb + GLB_HEAD_SIZE);
    const size_t padded = (json_size + 3) / 4 * 4, rest = glb_size > old ? glb_size - old : 0;
    *size = first + padded + rest;
    char *out = *size <= UINT32_MAX ? malloc(*size + 1) : NULL;
    if (!out) {
        return NULL;
    }
    memcpy(out, glb, first);
    put_u32(out + 8, (uint32_t)*size);
    put_u32(out + GLB_HEAD_SIZE, (uint32_t)padded);
    memset(out + first, ' ', padded);
    memcpy(out + first, json, json_size);
    memcpy(out + first + padded, glb + glb_size - rest, rest);
    out[*size] = '\0';
    return out;
}

// Between the keys of these, assimp interpolates differently.
static bool is_cubic(const json_t *root)
{
    const json_t *animations = json_object_get(root, "animations");
    json_t *animation, *sampler;
    size_t a, s;
    json_array_foreach(animations, a, animation)
    {
        const json_t *samplers = json_object_get(animation, "samplers");
        json_array_foreach(samplers, s, sampler)
        {
            const char *how = json_string_value(json_object_get(sampler, "interpolation"));
            if (how && strcmp(how, "CUBICSPLINE") == 0) {
                return true;
            }
        }
    }
    return false;
}

bool mesh_plain_gltf(bool is_glb, bool moves, const char *bytes, size_t size, char **text, size_t *text_size,
                     struct fault *fault)
{
    const size_t skip = is_glb                                               ? GLB_HEAD_SIZE + CHUNK_HEAD_SIZE
                        : size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3
                                                                             : 0;
    const size_t json_size = is_glb ? u32_at(bytes + GLB_HEAD_SIZE) : size - skip;
    json_t *root = json_loadb(bytes + skip, json_size, 0, NULL);
    bool ok = root != NULL;
    *text = NULL;
    if (ok && moves && is_cubic(root)) {
        json_decref(root);
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "its animation has keyframes that CUBICSPLINE joins; export it with sampled ones (LINEAR)");
    }
    if (ok && (moves || json_array_size(json_object_get(root, "skins")) > 0 || has_weights(root))) {
        char *json = part_uses(root, moves) && complete_skins(root) &&
                             (!moves || each_channel(root, rename_moved, NULL))
                         ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17))
                         : NULL;
        *text_size = json ? strlen(json) : 0;
        *text = json && is_glb ? wrap(json, *text_size, bytes, size, text_size) : json;
        ok = *text != NULL;
        if (is_glb) {
            free(json);
        }
    }
    json_decref(root);
    return ok || fault_set(fault, FAULT_INVALID, NULL,
                           "its skins cannot be taken apart: they are too many, or wrong");
}
