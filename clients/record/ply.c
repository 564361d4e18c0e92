// PLY (binary, little-endian), a mesh for each frame with all objects in it: vertices with normals, and with uvs and
// colours of faces if a mesh has them.
#include "record/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct whole {
    uint64_t faces, edges;
    bool normals, uvs, colors;
};

static void look(const struct record_objects *objects, struct whole *whole)
{
    *whole = (struct whole){.colors = record_objects_have_materials(objects)};
    for (uint32_t o = 0; o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        whole->faces += object->triangle_count;
        whole->edges += object->edge_count;
        whole->normals |= record_object_is_surface(object);
        whole->uvs |= object->uvs != NULL;
    }
}

static void write_head(const struct record_job *job, const struct whole *whole, uint64_t tick, FILE *file)
{
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment weft, tick %llu; m, y up\n"
            "element vertex %llu\nproperty float x\nproperty float y\nproperty float z\n",
            (unsigned long long)tick, (unsigned long long)job->objects.vertex_count);
    if (whole->normals) {
        fputs("property float nx\nproperty float ny\nproperty float nz\n", file);
    }
    if (whole->uvs) {
        fputs("property float s\nproperty float t\n", file);
    }
    if (whole->faces > 0) {
        fprintf(file, "element face %llu\nproperty list uchar int vertex_indices\n",
                (unsigned long long)whole->faces);
    }
    if (whole->faces > 0 && whole->colors) {
        fputs("property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n", file);
    }
    if (whole->edges > 0) {
        fprintf(file, "element edge %llu\nproperty int vertex1\nproperty int vertex2\n",
                (unsigned long long)whole->edges);
    }
    fputs("end_header\n", file);
}

// Writes them as they are in memory (take.c): little-endian.
static void write_vertices(struct record_job *job, const struct whole *whole,
                           const struct record_frame *frame, FILE *file)
{
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        record_job_place(job, object, frame);
        for (size_t v = 0; v < object->vertex_count; v++) {
            float row[8] = {0};
            size_t used = 3;
            memcpy(row, job->points + 3 * (size_t)object->vertex_point[v], 3 * sizeof *row);
            if (record_object_is_surface(object)) {
                memcpy(row + 3, job->normals + 3 * (size_t)object->vertex_normal[v], 3 * sizeof *row);
            }
            used += whole->normals ? 3 : 0;
            if (object->uvs) {
                memcpy(row + used, object->uvs + 2 * v, 2 * sizeof *row);
            }
            used += whole->uvs ? 2 : 0;
            fwrite(row, sizeof *row, used, file);
        }
    }
}

static unsigned char byte_of(float value)
{
    return (unsigned char)lrintf(255 * value);
}

static void write_faces(const struct record_job *job, const struct whole *whole, FILE *file)
{
    uint32_t first = 0;
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        for (uint32_t p = 0; p < object->part_count; p++) {
            const float *color = record_object_material(object, p)->color;
            for (uint32_t t = object->parts[p].first; t < object->parts[p].first + object->parts[p].count;
                 t++) {
                unsigned char bytes[17] = {3};
                for (size_t k = 0; k < 3; k++) {
                    record_put_u32(bytes + 1 + 4 * k, object->corners[3 * (size_t)t + k] + first);
                }
                for (size_t k = 0; k < 4; k++) {
                    bytes[13 + k] = byte_of(color[k]);
                }
                fwrite(bytes, whole->colors ? 17 : 13, 1, file);
            }
        }
        first += object->vertex_count;
    }
}

static void write_edges(const struct record_job *job, FILE *file)
{
    uint32_t first = 0;
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        for (size_t e = 0; e < 2 * (size_t)object->edge_count; e++) {
            unsigned char bytes[4];
            record_put_u32(bytes, object->edges[e] + first);
            fwrite(bytes, sizeof bytes, 1, file);
        }
        first += object->vertex_count;
    }
}

static bool write_ply(struct record_job *job, const char *path, const struct record_frame *frame)
{
    struct whole whole;
    FILE *file = record_files_begin(&job->files, path, job->fault);
    if (!file) {
        return false;
    }
    look(&job->objects, &whole);
    write_head(job, &whole, frame->tick, file);
    write_vertices(job, &whole, frame, file);
    write_faces(job, &whole, file);
    write_edges(job, file);
    return record_files_end_one(file, path, job->fault);
}

bool record_export_ply(struct record_job *job)
{
    bool done = true;
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        struct record_frame frame;
        char *path = record_job_numbered(job, i, NULL);
        done = path && record_job_read(job, i, &frame) && write_ply(job, path, &frame);
        free(path);
    }
    return done;
}
