// The JSON of a glTF. Jansson takes ownership of values and returns -1 for NULL, so a lack of memory shows at the end.
#include "record/gltf.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOAT = 5126,
    UNSIGNED_INT = 5125,
    ARRAY_BUFFER = 34962,
    ELEMENT_ARRAY_BUFFER = 34963,
    POINTS = 0,
    LINES = 1,
    TRIANGLES = 4
};

// Items in the buffer before an object.
struct cursor {
    uint64_t vertex, normal, uv, index, body_vertex, body_normal, box, moving;
    int views[GLTF_VIEWS]; // numbers of the views; an empty view has none
};

struct lists {
    json_t *accessors, *materials, *meshes, *nodes, *roots, *samplers, *channels;
};

static json_t *floats(const float *values, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_real((double)values[i]));
    }
    return list;
}

static json_int_t add(json_t *list, json_t *item)
{
    json_array_append_new(list, item);
    return (json_int_t)json_array_size(list) - 1;
}

static json_t *accessor(int view, uint64_t offset, int component, uint64_t count, const char *type)
{
    return json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view, "byteOffset", (json_int_t)offset,
                     "componentType", component, "count", (json_int_t)count, "type", type);
}

static json_t *accessor_of_points(int view, uint64_t offset, uint32_t count, const struct gltf_box *box)
{
    json_t *item = accessor(view, offset, FLOAT, count, "VEC3");
    json_object_set_new(item, "min", floats(box->low, 3));
    json_object_set_new(item, "max", floats(box->high, 3));
    return item;
}

// Views that several attributes share must state their stride.
static json_t *views_of(const struct gltf_layout *layout, int numbers[GLTF_VIEWS])
{
    static const struct {
        int target, stride;
    } kinds[GLTF_VIEWS] = {[GLTF_POINTS] = {ARRAY_BUFFER, 12},
                           [GLTF_NORMALS] = {ARRAY_BUFFER, 12},
                           [GLTF_UVS] = {ARRAY_BUFFER, 8},
                           [GLTF_INDICES] = {ELEMENT_ARRAY_BUFFER, 0},
                           [GLTF_TARGETS] = {ARRAY_BUFFER, 12}};
    json_t *views = json_array();
    for (int view = 0; view < GLTF_VIEWS; view++) {
        const uint64_t size = layout->begin[view + 1] - layout->begin[view];
        numbers[view] = (int)json_array_size(views);
        if (size == 0) {
            continue;
        }
        json_t *item = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                 (json_int_t)layout->begin[view], "byteLength", (json_int_t)size);
        if (kinds[view].target != 0) {
            json_object_set_new(item, "target", json_integer(kinds[view].target));
        }
        if (kinds[view].stride != 0) {
            json_object_set_new(item, "byteStride", json_integer(kinds[view].stride));
        }
        add(views, item);
    }
    return views;
}

static json_int_t material_of(const struct record_material *material, json_t *materials)
{
    json_t *item =
        json_pack("{s:s, s:b, s:{s:o, s:f, s:f}}", "name", material->name, "doubleSided", 1,
                  "pbrMetallicRoughness", "baseColorFactor", floats(material->color, 4), "metallicFactor",
                  (double)material->metallic, "roughnessFactor", (double)material->roughness);
    if (material->color[3] < 1) {
        json_object_set_new(item, "alphaMode", json_string("BLEND"));
    }
    size_t index;
    json_t *other;
    json_array_foreach(materials, index, other)
    {
        if (json_equal(other, item)) {
            json_decref(item);
            return (json_int_t)index;
        }
    }
    return add(materials, item);
}

// Displacements of the vertices, and of their normals, in each frame after the first.
static json_t *targets_of(const struct record_job *job, const struct gltf_layout *layout,
                          const struct record_object *object, const struct cursor *at, json_t *accessors)
{
    json_t *targets = json_array();
    const uint64_t frame_bytes = 12 * (layout->body_vertices + layout->body_surface_vertices);
    for (uint64_t t = 0; t < layout->target_count; t++) {
        const uint64_t begin = frame_bytes * t;
        const struct gltf_box *box =
            &layout->boxes[job->objects.count + t * job->scene->body_count + object->index];
        json_t *target = json_object();
        json_object_set_new(target, "POSITION",
                            json_integer(add(accessors, accessor_of_points(at->views[GLTF_TARGETS],
                                                                           begin + 12 * at->body_vertex,
                                                                           object->vertex_count, box))));
        if (record_object_is_surface(object)) {
            json_object_set_new(
                target, "NORMAL",
                json_integer(add(accessors, accessor(at->views[GLTF_TARGETS],
                                                     begin + 12 * (layout->body_vertices + at->body_normal),
                                                     FLOAT, object->vertex_count, "VEC3"))));
        }
        add(targets, target);
    }
    return targets;
}

static json_t *attributes_of(const struct gltf_layout *layout, const struct record_object *object,
                             const struct cursor *at, json_t *accessors)
{
    json_t *attributes = json_object();
    json_object_set_new(
        attributes, "POSITION",
        json_integer(add(accessors, accessor_of_points(at->views[GLTF_POINTS], 12 * at->vertex,
                                                       object->vertex_count, &layout->boxes[at->box]))));
    if (record_object_is_surface(object)) {
        json_object_set_new(attributes, "NORMAL",
                            json_integer(add(accessors, accessor(at->views[GLTF_NORMALS], 12 * at->normal,
                                                                 FLOAT, object->vertex_count, "VEC3"))));
    }
    if (object->uvs) {
        json_object_set_new(attributes, "TEXCOORD_0",
                            json_integer(add(accessors, accessor(at->views[GLTF_UVS], 8 * at->uv, FLOAT,
                                                                 object->vertex_count, "VEC2"))));
    }
    return attributes;
}

static json_t *primitive_of(const struct record_object *object, uint32_t part, const struct cursor *at,
                            json_t *attributes, json_t *targets, struct lists *lists)
{
    const bool surface = record_object_is_surface(object);
    const uint64_t first = surface ? 3 * (uint64_t)object->parts[part].first : 0;
    const uint64_t count =
        surface ? 3 * (uint64_t)object->parts[part].count : 2 * (uint64_t)object->edge_count;
    json_t *primitive =
        json_pack("{s:O, s:i, s:I}", "attributes", attributes, "mode",
                  surface                  ? TRIANGLES
                  : object->edge_count > 0 ? LINES
                                           : POINTS,
                  "material", material_of(record_object_material(object, part), lists->materials));
    if (count > 0) {
        json_object_set_new(
            primitive, "indices",
            json_integer(add(lists->accessors, accessor(at->views[GLTF_INDICES], 4 * (at->index + first),
                                                        UNSIGNED_INT, count, "SCALAR"))));
    }
    if (targets) {
        json_object_set(primitive, "targets", targets);
    }
    return primitive;
}

// Makes the mesh of one object and adds its accessors.
static json_t *mesh_of(const struct record_job *job, const struct gltf_layout *layout,
                       const struct record_object *object, const struct cursor *at, struct lists *lists)
{
    const bool morphs = !object->is_collider && layout->target_count > 0;
    json_t *attributes = attributes_of(layout, object, at, lists->accessors);
    json_t *targets = morphs ? targets_of(job, layout, object, at, lists->accessors) : NULL;
    json_t *primitives = json_array();
    for (uint32_t p = 0; p == 0 || p < object->part_count; p++) {
        add(primitives, primitive_of(object, p, at, attributes, targets, lists));
    }
    json_t *mesh = json_pack("{s:s, s:o}", "name", object->name, "primitives", primitives);
    if (morphs) {
        json_t *weights = json_array();
        for (uint64_t t = 0; t < layout->target_count; t++) {
            add(weights, json_integer(0));
        }
        json_object_set_new(mesh, "weights", weights);
    }
    json_decref(attributes);
    json_decref(targets);
    return mesh;
}

static json_t *node_of(const struct gltf_layout *layout, const struct record_object *object, json_int_t mesh)
{
    json_t *node = json_pack("{s:s, s:I}", "name", object->name, "mesh", mesh);
    if (object->is_collider) {
        const float *pose = layout->poses + RECORD_POSE * (size_t)object->index;
        json_object_set_new(node, "translation", floats(pose, 3));
        json_object_set_new(node, "rotation", floats(pose + 3, 4));
    }
    return node;
}

static void add_channel(struct lists *lists, json_int_t sampler, uint32_t node, const char *path)
{
    add(lists->channels,
        json_pack("{s:I, s:{s:i, s:s}}", "sampler", sampler, "target", "node", (int)node, "path", path));
}

static json_int_t add_sampler(struct lists *lists, json_int_t times, json_t *output)
{
    return add(lists->samplers, json_pack("{s:I, s:I, s:s}", "input", times, "output",
                                          add(lists->accessors, output), "interpolation", "LINEAR"));
}

static void animate(const struct record_job *job, const struct gltf_layout *layout, struct cursor *at,
                    struct lists *lists)
{
    json_t *times = accessor(at->views[GLTF_TIMES], 0, FLOAT, job->frame_count, "SCALAR");
    const float low = 0, high = (float)(layout->last_time - layout->first_time);
    json_object_set_new(times, "min", floats(&low, 1));
    json_object_set_new(times, "max", floats(&high, 1));
    const json_int_t input = add(lists->accessors, times);
    const json_int_t weights = add_sampler(
        lists, input,
        accessor(at->views[GLTF_WEIGHTS], 0, FLOAT, job->frame_count * layout->target_count, "SCALAR"));
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        if (!object->is_collider) {
            add_channel(lists, weights, o, "weights");
        }
        if (!object->moves) {
            continue;
        }
        const uint64_t begin = 4 * RECORD_POSE * job->frame_count * at->moving++;
        const int view = at->views[GLTF_POSES];
        add_channel(lists, add_sampler(lists, input, accessor(view, begin, FLOAT, job->frame_count, "VEC3")),
                    o, "translation");
        add_channel(
            lists,
            add_sampler(lists, input,
                        accessor(view, begin + 12 * job->frame_count, FLOAT, job->frame_count, "VEC4")),
            o, "rotation");
    }
}

static void move_on(struct cursor *at, const struct record_object *object)
{
    const bool surface = record_object_is_surface(object);
    at->vertex += object->vertex_count;
    at->normal += surface ? object->vertex_count : 0;
    at->uv += object->uvs ? object->vertex_count : 0;
    at->index += surface ? 3 * (uint64_t)object->triangle_count : 2 * (uint64_t)object->edge_count;
    at->body_vertex += object->is_collider ? 0 : object->vertex_count;
    at->body_normal += !object->is_collider && surface ? object->vertex_count : 0;
    at->box++;
}

// The name of the .bin file, as the head refers to it. It may hold any character, so those that a URI cannot have are
// escaped.
static json_t *uri_of(const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *uri = malloc(3 * strlen(name) + 1), *to = uri;
    for (const unsigned char *c = (const unsigned char *)name; uri && *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("-._~", *c);
        if (plain) {
            *to++ = (char)*c;
        } else {
            *to++ = '%';
            *to++ = hex[*c >> 4];
            *to++ = hex[*c & 15];
        }
    }
    if (!uri) {
        return NULL;
    }
    *to = '\0';
    json_t *text = json_string(uri);
    free(uri);
    return text;
}

char *gltf_head(const struct record_job *job, const struct gltf_layout *layout, const char *bin_path)
{
    struct cursor at = {0};
    struct lists lists = {json_array(), json_array(), json_array(), json_array(),
                          json_array(), json_array(), json_array()};
    json_t *buffer = json_pack("{s:I}", "byteLength", (json_int_t)layout->begin[GLTF_VIEWS]);
    json_t *views = views_of(layout, at.views);
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        const json_int_t mesh = add(lists.meshes, mesh_of(job, layout, object, &at, &lists));
        add(lists.roots, json_integer(add(lists.nodes, node_of(layout, object, mesh))));
        move_on(&at, object);
    }
    if (layout->target_count > 0) {
        animate(job, layout, &at, &lists);
    }
    if (bin_path) {
        json_object_set_new(buffer, "uri", uri_of(bin_path));
    }
    json_t *root =
        json_pack("{s:{s:s, s:s}, s:i, s:[{s:o}], s:o, s:o, s:o, s:o, s:[o], s:o}", "asset", "version", "2.0",
                  "generator", "weft", "scene", 0, "scenes", "nodes", lists.roots, "nodes", lists.nodes,
                  "meshes", lists.meshes, "materials", lists.materials, "accessors", lists.accessors,
                  "buffers", buffer, "bufferViews", views);
    if (layout->target_count > 0) {
        json_object_set_new(root, "animations",
                            json_pack("[{s:s, s:o, s:o}]", "name", "weft", "channels", lists.channels,
                                      "samplers", lists.samplers));
    }
    if (layout->target_count == 0) {
        json_decref(lists.channels);
        json_decref(lists.samplers);
    }
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    return text;
}
