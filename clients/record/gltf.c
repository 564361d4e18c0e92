// glTF 2.0: each frame after the first is a morph target of the bodies (displacements of their vertices and normals), and
// one animation turns them on one after the other, with linear weights between. Colliders are nodes that move.
#include "record/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// The layout of the buffer

static void box_of(const float *x, const float *from, uint32_t count, struct gltf_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = INFINITY;
        box->high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        float value = !from ? x[i] : x[i] - from[i];
        box->low[i % 3] = fminf(value, box->low[i % 3]);
        box->high[i % 3] = fmaxf(value, box->high[i % 3]);
    }
}

static bool size_up(struct record_job *job, struct gltf_layout *layout)
{
    const struct record_objects *objects = &job->objects;
    uint64_t sizes[GLTF_VIEWS] = {0}, at = 0;
    layout->target_count = job->frame_count - 1;
    for (uint32_t o = 0; o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        const bool surface = record_object_is_surface(object);
        const uint64_t normals = surface ? object->vertex_count : 0;
        layout->surface_vertices += normals;
        layout->body_vertices += object->is_collider ? 0 : object->vertex_count;
        layout->body_surface_vertices += object->is_collider ? 0 : normals;
        sizes[GLTF_UVS] += object->uvs ? 8 * (uint64_t)object->vertex_count : 0;
        sizes[GLTF_INDICES] +=
            surface ? 12 * (uint64_t)object->triangle_count : 8 * (uint64_t)object->edge_count;
        sizes[GLTF_POSES] += object->moves ? 4 * RECORD_POSE * job->frame_count : 0;
    }
    sizes[GLTF_POINTS] = 12 * objects->vertex_count;
    sizes[GLTF_NORMALS] = 12 * layout->surface_vertices;
    sizes[GLTF_TARGETS] = 12 * (layout->body_vertices + layout->body_surface_vertices) * layout->target_count;
    sizes[GLTF_TIMES] = layout->target_count > 0 ? 4 * job->frame_count : 0;
    sizes[GLTF_WEIGHTS] = 4 * job->frame_count * layout->target_count;
    for (int view = 0; view < GLTF_VIEWS; view++) {
        layout->begin[view] = at;
        at += sizes[view];
    }
    layout->begin[GLTF_VIEWS] = at;
    if (layout->target_count > UINT16_MAX || at > UINT32_MAX - ((uint64_t)1 << 28)) {
        return fault_set(job->fault, FAULT_LIMIT, NULL,
                         "%llu frames of %llu vertices are more than glTF holds in 4 GiB: keep fewer frames",
                         (unsigned long long)job->frame_count, (unsigned long long)objects->vertex_count);
    }
    layout->boxes =
        malloc((layout->target_count * job->scene->body_count + objects->count) * sizeof *layout->boxes);
    layout->points = malloc(12 * objects->vertex_count);
    layout->normals = malloc(12 * layout->surface_vertices + 1);
    layout->poses = malloc(sizeof(float[RECORD_POSE]) * ((size_t)job->scene->collider_count + 1));
    return (layout->boxes && layout->points && layout->normals && layout->poses) ||
           record_fail_memory(job->fault);
}

// The vertices of an object in a frame, and their normals; those of a collider in its own frame.
static void vertices_of(struct record_job *job, const struct record_object *object,
                        const struct record_frame *frame, float *points, float *normals)
{
    if (!object->is_collider) {
        record_job_place(job, object, frame);
    }
    const float *places = object->is_collider ? object->shape : job->points;
    const float *directions = object->is_collider ? object->shape_normals : job->normals;
    for (size_t v = 0; v < object->vertex_count; v++) {
        memcpy(points + 3 * v, places + 3 * (size_t)object->vertex_point[v], 12);
        if (record_object_is_surface(object)) {
            memcpy(normals + 3 * v, directions + 3 * (size_t)object->vertex_normal[v], 12);
        }
    }
}

// Rotations must be of unit length, and take the shorter way from one to the next.
static void take_pose(const float *from, const float *before, float out[RECORD_POSE])
{
    double square = 0, along = 0;
    for (int k = 3; k < RECORD_POSE; k++) {
        square += (double)from[k] * (double)from[k];
        along += before ? (double)from[k] * (double)before[k] : 0;
    }
    const double scale = square > 0 ? (along < 0 ? -1 : 1) / sqrt(square) : 0;
    memcpy(out, from, 3 * sizeof *out);
    for (int k = 3; k < RECORD_POSE; k++) {
        out[k] = square > 0 ? (float)((double)from[k] * scale) : (float)(k == RECORD_POSE - 1);
    }
}

static void take_first(struct record_job *job, struct gltf_layout *layout, const struct record_frame *frame)
{
    const struct record_objects *objects = &job->objects;
    float *points = layout->points, *normals = layout->normals;
    for (uint32_t o = 0; o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        vertices_of(job, object, frame, points, normals);
        box_of(points, NULL, object->vertex_count, &layout->boxes[o]);
        points += 3 * (size_t)object->vertex_count;
        normals += record_object_is_surface(object) ? 3 * (size_t)object->vertex_count : 0;
        if (object->is_collider) {
            take_pose(frame->poses + RECORD_POSE * (size_t)object->index, NULL,
                      layout->poses + RECORD_POSE * (size_t)object->index);
        }
    }
    layout->first_time = frame->time;
}

// Passes over the frames once, for the bounds that the head must contain. scratch: points, then normals of all bodies.
static bool lay_out(struct record_job *job, struct gltf_layout *layout, float *scratch)
{
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_job_read(job, i, &frame)) {
            return false;
        }
        layout->last_time = frame.time;
        if (i == 0) {
            take_first(job, layout, &frame);
            continue;
        }
        const float *first = layout->points;
        for (uint32_t b = 0; b < job->scene->body_count; b++) {
            const struct record_object *object = &job->objects.items[b];
            vertices_of(job, object, &frame, scratch, scratch + 3 * layout->body_vertices);
            box_of(scratch, first, object->vertex_count,
                   &layout->boxes[job->objects.count + (i - 1) * job->scene->body_count + b]);
            first += 3 * (size_t)object->vertex_count;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Data

static bool write_first(const struct record_job *job, const struct gltf_layout *layout, FILE *file,
                        const char *path)
{
    const struct record_objects *objects = &job->objects;
    bool done = record_write(file, layout->points, 12 * objects->vertex_count, path, job->fault) &&
                record_write(file, layout->normals, 12 * layout->surface_vertices, path, job->fault);
    for (uint32_t o = 0; done && o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        if (!object->uvs) {
            continue;
        }
        for (size_t v = 0; done && v < object->vertex_count;
             v++) { // here the texture coordinate v points down
            const float uv[2] = {object->uvs[2 * v], 1 - object->uvs[2 * v + 1]};
            done = record_write(file, uv, sizeof uv, path, job->fault);
        }
    }
    for (uint32_t o = 0; done && o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        done =
            record_object_is_surface(object)
                ? record_write(file, object->corners, 12 * (size_t)object->triangle_count, path, job->fault)
                : record_write(file, object->edges, 8 * (size_t)object->edge_count, path, job->fault);
    }
    return done;
}

static bool write_targets(struct record_job *job, const struct gltf_layout *layout, float *scratch,
                          float *times, float *poses, FILE *file, const char *path)
{
    const size_t points = 3 * layout->body_vertices, normals = 3 * layout->body_surface_vertices;
    const uint32_t colliders = job->scene->collider_count;
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        size_t point = 0, normal = 0;
        if (!record_job_read(job, i, &frame)) {
            return false;
        }
        times[i] = (float)(frame.time - layout->first_time);
        for (uint32_t c = 0; c < colliders; c++) {
            float *pose = poses + RECORD_POSE * (i * colliders + c);
            take_pose(frame.poses + RECORD_POSE * (size_t)c,
                      i > 0 ? pose - RECORD_POSE * (size_t)colliders : NULL, pose);
        }
        for (uint32_t b = 0; i > 0 && b < job->scene->body_count; b++) {
            const struct record_object *object = &job->objects.items[b];
            vertices_of(job, object, &frame, scratch + point, scratch + points + normal);
            point += 3 * (size_t)object->vertex_count;
            normal += record_object_is_surface(object) ? 3 * (size_t)object->vertex_count : 0;
        }
        for (size_t k = 0; i > 0 && k < points; k++) {
            scratch[k] -= layout->points[k];
        }
        for (size_t k = 0; i > 0 && k < normals; k++) {
            scratch[points + k] -= layout->normals[k];
        }
        if (i > 0 && !record_write(file, scratch, 4 * (points + normals), path, job->fault)) {
            return false;
        }
    }
    return true;
}

// Row i turns on target i alone; the first frame has none.
static bool write_weights(struct record_job *job, const struct gltf_layout *layout, FILE *file,
                          const char *path)
{
    float *row = calloc(layout->target_count + 1, sizeof *row);
    bool done = row || record_fail_memory(job->fault);
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        if (i > 0) {
            row[i - 1] = 1;
        }
        done = record_write(file, row, 4 * layout->target_count, path, job->fault);
        if (i > 0) {
            row[i - 1] = 0;
        }
    }
    free(row);
    return done;
}

static bool write_poses(const struct record_job *job, const float *poses, FILE *file, const char *path)
{
    const uint32_t colliders = job->scene->collider_count;
    bool done = true;
    for (uint32_t c = 0; c < colliders; c++) {
        if (!job->objects.items[job->scene->body_count + c].moves) {
            continue;
        }
        for (uint64_t i = 0; done && i < job->frame_count; i++) {
            done = record_write(file, poses + RECORD_POSE * (i * colliders + c), 12, path, job->fault);
        }
        for (uint64_t i = 0; done && i < job->frame_count; i++) {
            done = record_write(file, poses + RECORD_POSE * (i * colliders + c) + 3, 16, path, job->fault);
        }
    }
    return done;
}

static bool write_data(struct record_job *job, const struct gltf_layout *layout, float *scratch, FILE *file,
                       const char *path)
{
    const size_t poses_size = sizeof(float[RECORD_POSE]) * job->frame_count * job->scene->collider_count;
    float *times = malloc(job->frame_count * sizeof *times), *poses = malloc(poses_size + 1);
    bool done = (times && poses) || record_fail_memory(job->fault);
    done = done && write_first(job, layout, file, path) &&
           write_targets(job, layout, scratch, times, poses, file, path);
    if (layout->target_count > 0) {
        done = done && record_write(file, times, 4 * job->frame_count, path, job->fault) &&
               write_weights(job, layout, file, path) && write_poses(job, poses, file, path);
    }
    free(times);
    free(poses);
    return done;
}

static bool write_one(struct record_job *job, const char *path, const struct gltf_layout *layout,
                      const char *head, float *scratch, bool data)
{
    FILE *file = record_files_begin(&job->files, path, job->fault);
    if (!file) {
        return false;
    }
    size_t size = !head ? 0 : strlen(head);
    bool done = true;
    if (head && data) {
        // | "glTF" 2 bytes in all | bytes "JSON" head, spaces up to a multiple of 4 | bytes "BIN\0" data
        size_t padded = (size + 3) / 4 * 4;
        unsigned char words[20] = "glTF", chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
        record_put_u32(words + 4, 2);
        record_put_u32(words + 8, (uint32_t)(28 + padded + layout->begin[GLTF_VIEWS]));
        record_put_u32(words + 12, (uint32_t)padded);
        record_put_u32(words + 16, 0x4e4f534a); // "JSON"
        record_put_u32(chunk, (uint32_t)layout->begin[GLTF_VIEWS]);
        done = record_write(file, words, sizeof words, path, job->fault) &&
               record_write(file, head, size, path, job->fault) &&
               record_write(file, "   ", padded - size, path, job->fault) &&
               record_write(file, chunk, sizeof chunk, path, job->fault);
    } else if (head) {
        done = record_write(file, head, size, path, job->fault);
    }
    if (!done || (data && !write_data(job, layout, scratch, file, path))) {
        fclose(file);
        return false;
    }
    return record_files_end_one(file, path, job->fault);
}

bool record_export_gltf(struct record_job *job)
{
    struct gltf_layout layout = {0};
    const bool binary = job->export->format == RECORD_GLB;
    char *head = NULL, *bin = binary ? NULL : record_job_path(job, "", ".bin");
    float *scratch = NULL;
    job->total *= 2;
    bool done = (binary || bin) && size_up(job, &layout);
    if (done) {
        scratch = malloc(12 * (layout.body_vertices + layout.body_surface_vertices) + 1);
        done = scratch || record_fail_memory(job->fault);
    }
    done = done && lay_out(job, &layout, scratch);
    if (done) {
        head = gltf_head(job, &layout, bin);
        done = head || record_fail_memory(job->fault);
    }
    done = done && (binary || write_one(job, bin, &layout, NULL, scratch, true)) &&
           write_one(job, job->export->path, &layout, head, scratch, binary);
    free(bin);
    free(head);
    free(scratch);
    free(layout.boxes);
    free(layout.points);
    free(layout.normals);
    free(layout.poses);
    return done;
}
