// A mesh a frame: numbered OBJ (text) or PLY (binary, little-endian) files. Bodies of triangles give faces,
// others lines; points alone stay points.
#include "record/internal.h"

#include <stdlib.h>
#include <string.h>

static bool write_obj_body(FILE *file, const struct record_body *body, const float *x, uint32_t first)
{
    fprintf(file, "o %s\n", body->name);
    for (uint32_t i = 0; i < body->particle_count; i++)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)x[3 * (size_t)i], (double)x[3 * (size_t)i + 1],
                (double)x[3 * (size_t)i + 2]);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corner = body->triangles + 3 * (size_t)t;
        fprintf(file, "f %u %u %u\n", corner[0] + first, corner[1] + first, corner[2] + first);
    }
    for (uint32_t e = 0; e < body->edge_count; e++)
        fprintf(file, "l %u %u\n", body->edges[2 * (size_t)e] + first,
                body->edges[2 * (size_t)e + 1] + first);
    for (uint32_t i = 0; body->triangle_count == 0 && body->edge_count == 0 && i < body->particle_count; i++)
        fprintf(file, "p %u\n", i + first);
    return ferror(file) == 0;
}

bool record_write_obj(struct record_job *job, const char *path, const struct record_frame *frame,
                      int only_body)
{
    FILE *file = record_files_begin(&job->files, path, job->why);
    if (file == NULL)
        return false;
    fprintf(file, "# weft, tick %llu; m, y up\n", (unsigned long long)frame->tick);
    const float *x = frame->positions;
    uint32_t first = 1;
    for (uint32_t b = 0; b < job->scene->body_count; b++) {
        const struct record_body *body = &job->scene->bodies[b];
        if (only_body < 0 || (uint32_t)only_body == b) {
            write_obj_body(file, body, x, first);
            first += body->particle_count;
        }
        x += 3 * (size_t)body->particle_count;
    }
    return record_files_end_one(file, path, job->why);
}

static void count_elements(const struct record_scene *scene, uint64_t *faces, uint64_t *edges)
{
    *faces = *edges = 0;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        *faces += scene->bodies[b].triangle_count;
        *edges += scene->bodies[b].edge_count;
    }
}

static void write_ply_elements(FILE *file, const struct record_scene *scene)
{
    for (int edges = 0; edges < 2; edges++) {
        uint32_t first = 0;
        for (uint32_t b = 0; b < scene->body_count; b++) {
            const struct record_body *body = &scene->bodies[b];
            const uint32_t corners = edges ? 2 : 3, count = edges ? body->edge_count : body->triangle_count;
            const uint32_t *indices = edges ? body->edges : body->triangles;
            for (uint32_t i = 0; i < count; i++) {
                unsigned char bytes[13] = {3};
                for (uint32_t k = 0; k < corners; k++)
                    record_put_u32(bytes + 1 + 4 * k, indices[corners * (size_t)i + k] + first);
                fwrite(edges ? bytes + 1 : bytes, edges ? 8 : 13, 1, file);
            }
            first += body->particle_count;
        }
    }
}

static bool write_ply(struct record_job *job, const char *path, const struct record_frame *frame)
{
    uint64_t faces, edges, particles = record_take_particles(job->take);
    FILE *file = record_files_begin(&job->files, path, job->why);
    if (file == NULL)
        return false;
    count_elements(job->scene, &faces, &edges);
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment weft, tick %llu; m, y up\n"
            "element vertex %llu\nproperty float x\nproperty float y\nproperty float z\n",
            (unsigned long long)frame->tick, (unsigned long long)particles);
    if (faces > 0)
        fprintf(file, "element face %llu\nproperty list uchar int vertex_indices\n",
                (unsigned long long)faces);
    if (edges > 0)
        fprintf(file, "element edge %llu\nproperty int vertex1\nproperty int vertex2\n",
                (unsigned long long)edges);
    fputs("end_header\n", file);
    fwrite(frame->positions, 12, particles, file); // little-endian, as the machine is (take.c)
    write_ply_elements(file, job->scene);
    return record_files_end_one(file, path, job->why);
}

static bool export_numbered(struct record_job *job, bool ply)
{
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        char number[32];
        snprintf(number, sizeof number, "_%06llu", (unsigned long long)i + 1);
        char *path = record_job_path(job, number, NULL);
        bool done = path != NULL && record_job_read(job, i, &frame) &&
                    (ply ? write_ply(job, path, &frame) : record_write_obj(job, path, &frame, -1));
        free(path);
        if (!done)
            return false;
    }
    return true;
}

bool record_export_obj(struct record_job *job)
{
    return export_numbered(job, false);
}

bool record_export_ply(struct record_job *job)
{
    return export_numbered(job, true);
}
