// glTF 2.0: each frame after the first is a morph target (its displacements), and one animation turns them on one
// after the other, with linear weights between.
//
//     buffer   first frame | indices | displacements of frame 1, 2, ... | times | weights
//                                      each of all bodies
//
// Normals are left out: without them the format asks for flat ones, which follow the morphing.
#include "record/internal.h"

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
enum { VIEW_BASE, VIEW_INDICES, VIEW_TARGETS, VIEW_TIMES, VIEW_WEIGHTS };

struct box {
    float low[3], high[3];
};

struct layout {
    uint64_t base, indices, targets, times, weights, size; // bytes
    uint64_t target_count;
    struct box *boxes; // body by body: of the first frame, then of each target
    float *first;      // positions of the first frame
    double first_time, last_time;
};

// ---------------------------------------------------------------------------------------------------------
// What is where

static uint64_t index_count(const struct record_body *body)
{
    return body->triangle_count > 0 ? 3 * (uint64_t)body->triangle_count : 2 * (uint64_t)body->edge_count;
}

static void box_of(const float *x, const float *from, uint32_t count, struct box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = INFINITY;
        box->high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        float value = from == NULL ? x[i] : x[i] - from[i];
        box->low[i % 3] = fminf(value, box->low[i % 3]);
        box->high[i % 3] = fmaxf(value, box->high[i % 3]);
    }
}

// One pass over the frames, for the bounds that the head must tell.
static bool lay_out(struct record_job *job, struct layout *layout)
{
    const struct record_scene *scene = job->scene;
    uint64_t particles = record_take_particles(job->take), indices = 0;
    for (uint32_t b = 0; b < scene->body_count; b++)
        indices += index_count(&scene->bodies[b]);
    layout->target_count = job->frame_count - 1;
    layout->indices = 12 * particles;
    layout->targets = layout->indices + 4 * indices;
    layout->times = layout->targets + 12 * particles * layout->target_count;
    layout->weights = layout->times + 4 * job->frame_count;
    layout->size = layout->weights + 4 * job->frame_count * layout->target_count;
    if (layout->target_count > UINT16_MAX || layout->size > UINT32_MAX - ((uint64_t)1 << 28))
        return record_fail(
            job->why, "%llu frames of %llu particles are more than glTF holds in 4 GiB: keep fewer frames",
            (unsigned long long)job->frame_count, (unsigned long long)particles);
    layout->boxes = malloc((job->frame_count * scene->body_count + 1) * sizeof *layout->boxes);
    layout->first = malloc(12 * particles);
    if (layout->boxes == NULL || layout->first == NULL)
        return record_fail_memory(job->why);
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_job_read(job, i, &frame))
            return false;
        if (i == 0)
            memcpy(layout->first, frame.positions, 12 * particles);
        layout->first_time = i == 0 ? frame.time : layout->first_time;
        layout->last_time = frame.time;
        size_t at = 0;
        for (uint32_t b = 0; b < scene->body_count; b++) {
            uint32_t count = scene->bodies[b].particle_count;
            box_of(frame.positions + at, i == 0 ? NULL : layout->first + at, count,
                   &layout->boxes[i * scene->body_count + b]);
            at += 3 * (size_t)count;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Head. Jansson takes over what it is given and answers -1 for NULL, so what fails for memory shows in the end.

static json_t *floats(const float *values, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real((double)values[i]));
    return list;
}

static uint64_t add(json_t *list, json_t *item)
{
    json_array_append_new(list, item);
    return json_array_size(list) - 1;
}

static json_t *accessor(int view, uint64_t offset, int component, uint64_t count, const char *type)
{
    return json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view, "byteOffset", (json_int_t)offset,
                     "componentType", component, "count", (json_int_t)count, "type", type);
}

static json_t *accessor_of_points(int view, uint64_t offset, uint32_t count, const struct box *box)
{
    json_t *item = accessor(view, offset, FLOAT, count, "VEC3");
    json_object_set_new(item, "min", floats(box->low, 3));
    json_object_set_new(item, "max", floats(box->high, 3));
    return item;
}

static json_t *views_of(const struct layout *layout)
{
    const uint64_t ends[] = {layout->base,  layout->indices, layout->targets,
                             layout->times, layout->weights, layout->size};
    const int targets[] = {ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, ARRAY_BUFFER, 0, 0};
    json_t *views = json_array();
    for (int view = 0; view < 5; view++) {
        // A view of nothing is not allowed; nobody refers to this one.
        uint64_t size = ends[view + 1] - ends[view], offset = size > 0 ? ends[view] : 0;
        json_t *item = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)offset,
                                 "byteLength", (json_int_t)(size > 0 ? size : 4));
        if (targets[view] != 0)
            json_object_set_new(item, "target", json_integer(targets[view]));
        add(views, item);
    }
    return views;
}

// The mesh of one body; its accessors are added.
static json_t *mesh_of(const struct record_job *job, const struct layout *layout, uint32_t b,
                       uint64_t first_particle, uint64_t first_index, json_t *accessors)
{
    const struct record_body *body = &job->scene->bodies[b];
    uint64_t particles = record_take_particles(job->take);
    json_t *targets = json_array(), *weights = json_array();
    uint64_t base = add(accessors, accessor_of_points(VIEW_BASE, 12 * first_particle, body->particle_count,
                                                      &layout->boxes[b]));
    json_t *primitive = json_pack("{s:{s:I}, s:i, s:i}", "attributes", "POSITION", (json_int_t)base, "mode",
                                  body->triangle_count > 0 ? TRIANGLES
                                  : body->edge_count > 0   ? LINES
                                                           : POINTS,
                                  "material", 0);
    if (index_count(body) > 0) {
        uint64_t indices = add(
            accessors, accessor(VIEW_INDICES, 4 * first_index, UNSIGNED_INT, index_count(body), "SCALAR"));
        json_object_set_new(primitive, "indices", json_integer((json_int_t)indices));
    }
    for (uint64_t t = 0; t < layout->target_count; t++) {
        uint64_t target =
            add(accessors,
                accessor_of_points(VIEW_TARGETS, 12 * (particles * t + first_particle), body->particle_count,
                                   &layout->boxes[(t + 1) * job->scene->body_count + b]));
        add(targets, json_pack("{s:I}", "POSITION", (json_int_t)target));
        add(weights, json_integer(0));
    }
    json_t *mesh = json_pack("{s:s, s:[o]}", "name", body->name, "primitives", primitive);
    if (layout->target_count > 0) {
        json_object_set(primitive, "targets", targets);
        json_object_set(mesh, "weights", weights);
    }
    json_decref(targets);
    json_decref(weights);
    return mesh;
}

static json_t *animation_of(const struct record_job *job, const struct layout *layout, json_t *accessors)
{
    json_t *times = accessor(VIEW_TIMES, 0, FLOAT, job->frame_count, "SCALAR"), *channels = json_array();
    const float low = 0, high = (float)(layout->last_time - layout->first_time);
    json_object_set_new(times, "min", floats(&low, 1));
    json_object_set_new(times, "max", floats(&high, 1));
    uint64_t input = add(accessors, times);
    uint64_t output =
        add(accessors, accessor(VIEW_WEIGHTS, 0, FLOAT, job->frame_count * layout->target_count, "SCALAR"));
    for (uint32_t b = 0; b < job->scene->body_count; b++)
        add(channels,
            json_pack("{s:i, s:{s:i, s:s}}", "sampler", 0, "target", "node", (int)b, "path", "weights"));
    return json_pack("{s:s, s:o, s:[{s:I, s:I, s:s}]}", "name", "weft", "channels", channels, "samplers",
                     "input", (json_int_t)input, "output", (json_int_t)output, "interpolation", "LINEAR");
}

// The name of the .bin file, as the head refers to it: it may hold anything, so that what a URI does not bear is
// escaped.
static json_t *uri_of(const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char *uri = malloc(3 * strlen(name) + 1), *to = uri;
    for (const unsigned char *c = (const unsigned char *)name; uri != NULL && *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("-._~", *c) != NULL;
        if (plain) {
            *to++ = (char)*c;
        } else {
            *to++ = '%';
            *to++ = hex[*c >> 4];
            *to++ = hex[*c & 15];
        }
    }
    if (uri == NULL)
        return NULL;
    *to = '\0';
    json_t *text = json_string(uri);
    free(uri);
    return text;
}

static char *head_of(const struct record_job *job, const struct layout *layout, const char *bin_path)
{
    json_t *accessors = json_array(), *meshes = json_array(), *nodes = json_array(), *roots = json_array();
    json_t *buffer = json_pack("{s:I}", "byteLength", (json_int_t)layout->size);
    uint64_t particle = 0, index = 0;
    for (uint32_t b = 0; b < job->scene->body_count; b++) {
        const struct record_body *body = &job->scene->bodies[b];
        add(meshes, mesh_of(job, layout, b, particle, index, accessors));
        add(nodes, json_pack("{s:s, s:i}", "name", body->name, "mesh", (int)b));
        add(roots, json_integer(b));
        particle += body->particle_count;
        index += index_count(body);
    }
    if (bin_path != NULL)
        json_object_set_new(buffer, "uri", uri_of(bin_path));
    json_t *root = json_pack(
        "{s:{s:s, s:s}, s:i, s:[{s:o}], s:o, s:o, s:[{s:b, s:{s:[f,f,f,f], s:f, s:f}}], s:[o], s:o}", "asset",
        "version", "2.0", "generator", "weft", "scene", 0, "scenes", "nodes", roots, "nodes", nodes, "meshes",
        meshes, "materials", "doubleSided", 1, "pbrMetallicRoughness", "baseColorFactor", 0.35, 0.55, 0.8,
        1.0, "metallicFactor", 0.0, "roughnessFactor", 0.9, "buffers", buffer, "bufferViews",
        views_of(layout));
    if (root != NULL && layout->target_count > 0)
        json_object_set_new(root, "animations", json_pack("[o]", animation_of(job, layout, accessors)));
    int failed = root == NULL || json_object_set(root, "accessors", accessors) != 0;
    json_decref(accessors);
    char *text = failed ? NULL : json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return text;
}

// ---------------------------------------------------------------------------------------------------------
// Data

static bool write_indices(const struct record_job *job, FILE *file, const char *path)
{
    for (uint32_t b = 0; b < job->scene->body_count; b++) {
        const struct record_body *body = &job->scene->bodies[b];
        const uint32_t *indices = body->triangle_count > 0 ? body->triangles : body->edges;
        if (!record_write(file, indices, 4 * index_count(body), path, job->why))
            return false;
    }
    return true;
}

static bool write_targets(struct record_job *job, const struct layout *layout, float *times, FILE *file,
                          const char *path)
{
    size_t count = 3 * (size_t)record_take_particles(job->take);
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_job_read(job, i, &frame))
            return false;
        times[i] = (float)(frame.time - layout->first_time);
        if (i == 0)
            continue;
        for (size_t k = 0; k < count; k++)
            frame.positions[k] -= layout->first[k];
        if (!record_write(file, frame.positions, 4 * count, path, job->why))
            return false;
    }
    return true;
}

// Row i turns on target i alone; the first frame none.
static bool write_weights(struct record_job *job, const struct layout *layout, FILE *file, const char *path)
{
    float *row = calloc(layout->target_count + 1, sizeof *row);
    bool done = row != NULL || record_fail_memory(job->why);
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        if (i > 0)
            row[i - 1] = 1;
        done = record_write(file, row, 4 * layout->target_count, path, job->why);
        if (i > 0)
            row[i - 1] = 0;
    }
    free(row);
    return done;
}

static bool write_data(struct record_job *job, const struct layout *layout, FILE *file, const char *path)
{
    float *times = malloc(job->frame_count * sizeof *times);
    bool done = times != NULL || record_fail_memory(job->why);
    done = done && record_write(file, layout->first, 12 * record_take_particles(job->take), path, job->why) &&
           write_indices(job, file, path) && write_targets(job, layout, times, file, path) &&
           record_write(file, times, 4 * job->frame_count, path, job->why) &&
           write_weights(job, layout, file, path);
    free(times);
    return done;
}

static bool write_one(struct record_job *job, const char *path, const struct layout *layout, const char *head,
                      bool data)
{
    FILE *file = record_files_begin(&job->files, path, job->why);
    if (file == NULL)
        return false;
    size_t size = head == NULL ? 0 : strlen(head);
    bool done = true;
    if (head != NULL && data) {
        // | "glTF" 2 bytes in all | bytes "JSON" head, spaces up to a multiple of 4 | bytes "BIN\0" data
        size_t padded = (size + 3) / 4 * 4;
        unsigned char words[20] = "glTF", chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
        record_put_u32(words + 4, 2);
        record_put_u32(words + 8, (uint32_t)(28 + padded + layout->size));
        record_put_u32(words + 12, (uint32_t)padded);
        record_put_u32(words + 16, 0x4e4f534a); // "JSON"
        record_put_u32(chunk, (uint32_t)layout->size);
        done = record_write(file, words, sizeof words, path, job->why) &&
               record_write(file, head, size, path, job->why) &&
               record_write(file, "   ", padded - size, path, job->why) &&
               record_write(file, chunk, sizeof chunk, path, job->why);
    } else if (head != NULL) {
        done = record_write(file, head, size, path, job->why);
    }
    if (!done || (data && !write_data(job, layout, file, path))) {
        fclose(file);
        return false;
    }
    return record_files_end_one(file, path, job->why);
}

bool record_export_gltf(struct record_job *job)
{
    struct layout layout = {0};
    bool binary = job->export->format == RECORD_GLB;
    char *head = NULL, *bin = binary ? NULL : record_job_path(job, "", ".bin");
    job->total *= 2;
    bool done = (binary || bin != NULL) && lay_out(job, &layout);
    if (done) {
        head = head_of(job, &layout, bin);
        done = head != NULL || record_fail_memory(job->why);
    }
    done = done && (binary || write_one(job, bin, &layout, NULL, true)) &&
           write_one(job, job->export->path, &layout, head, binary);
    free(bin);
    free(head);
    free(layout.boxes);
    free(layout.first);
    return done;
}
