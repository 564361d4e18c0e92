// Wavefront OBJ (text), a mesh for each frame, with normals, and with uvs and materials if a mesh has them. Bodies
// without triangles give lines; points alone stay points.
#include "record/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Index of the first item of the next object, from 1.
struct firsts {
    uint32_t point, uv, normal;
};

// A blank or the end of the line would end a name.
static void write_name(FILE *file, const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        fputc((unsigned char)*c <= ' ' || *c == 127 ? '_' : *c, file);
    }
}

static void write_material_name(FILE *file, const struct record_object *object, uint32_t part)
{
    write_name(file, object->name);
    fputc('/', file);
    write_name(file, record_object_material(object, part)->name);
}

static void write_faces(FILE *file, const struct record_object *object, const struct firsts *first,
                        bool materials)
{
    for (uint32_t p = 0; p < object->part_count; p++) {
        const struct record_part *part = &object->parts[p];
        if (materials) {
            fputs("usemtl ", file);
            write_material_name(file, object, p);
            fputc('\n', file);
        }
        for (uint32_t t = part->first; t < part->first + part->count; t++) {
            fputc('f', file);
            for (size_t k = 0; k < 3; k++) {
                const uint32_t vertex = object->corners[3 * (size_t)t + k];
                const uint32_t normal = object->vertex_normal[vertex] + first->normal;
                fprintf(file, " %u/", object->vertex_point[vertex] + first->point);
                if (object->uvs) {
                    fprintf(file, "%u", vertex + first->uv);
                }
                fprintf(file, "/%u", normal);
            }
            fputc('\n', file);
        }
    }
}

static void write_object(struct record_job *job, FILE *file, const struct record_object *object,
                         const struct record_frame *frame, struct firsts *first, bool materials)
{
    record_job_place(job, object, frame);
    fputs("o ", file);
    write_name(file, object->name);
    fputc('\n', file);
    for (size_t i = 0; i < object->point_count; i++) {
        fprintf(file, "v %.9g %.9g %.9g\n", (double)job->points[3 * i], (double)job->points[3 * i + 1],
                (double)job->points[3 * i + 2]);
    }
    for (size_t v = 0; object->uvs && v < object->vertex_count; v++) {
        fprintf(file, "vt %.9g %.9g\n", (double)object->uvs[2 * v], (double)object->uvs[2 * v + 1]);
    }
    for (size_t n = 0; n < object->normal_count; n++) {
        fprintf(file, "vn %.6g %.6g %.6g\n", (double)job->normals[3 * n], (double)job->normals[3 * n + 1],
                (double)job->normals[3 * n + 2]);
    }
    write_faces(file, object, first, materials);
    for (size_t e = 0; e < object->edge_count; e++) {
        fprintf(file, "l %u %u\n", object->edges[2 * e] + first->point,
                object->edges[2 * e + 1] + first->point);
    }
    for (uint32_t i = 0; object->triangle_count == 0 && object->edge_count == 0 && i < object->point_count;
         i++) {
        fprintf(file, "p %u\n", i + first->point);
    }
    first->point += object->point_count;
    first->uv += object->uvs ? object->vertex_count : 0;
    first->normal += object->normal_count;
}

bool record_write_obj(struct record_job *job, const char *path, const struct record_frame *frame,
                      int only_object)
{
    const bool materials = record_objects_have_materials(&job->objects);
    FILE *file = record_files_begin(&job->files, path, job->fault);
    if (!file) {
        return false;
    }
    fprintf(file, "# weft, tick %llu; m, y up\n", (unsigned long long)frame->tick);
    if (materials) {
        char *library = record_job_path(job, "", ".mtl");
        const char *slash = library ? strrchr(library, '/') : NULL;
        fprintf(file, "mtllib %s\n", slash ? slash + 1 : library ? library : "");
        free(library);
    }
    struct firsts first = {1, 1, 1};
    for (uint32_t o = 0; o < job->objects.count; o++) {
        if (only_object < 0 || (uint32_t)only_object == o) {
            write_object(job, file, &job->objects.items[o], frame, &first, materials);
        }
    }
    return record_files_end_one(file, path, job->fault);
}

// Colours in the file are for screens; ours are linear.
static double screen(float linear)
{
    return linear <= 0.0031308F ? 12.92 * (double)linear : 1.055 * pow((double)linear, 1 / 2.4) - 0.055;
}

bool record_write_mtl(struct record_job *job)
{
    if (!record_objects_have_materials(&job->objects)) {
        return true;
    }
    char *path = record_job_path(job, "", ".mtl");
    FILE *file = path ? record_files_begin(&job->files, path, job->fault) : NULL;
    for (uint32_t o = 0; file && o < job->objects.count; o++) {
        for (uint32_t p = 0; p < job->objects.items[o].part_count; p++) {
            const struct record_material *material = record_object_material(&job->objects.items[o], p);
            fputs("newmtl ", file);
            write_material_name(file, &job->objects.items[o], p);
            fprintf(file, "\nKd %.6g %.6g %.6g\nd %.6g\nPm %.6g\nPr %.6g\n", screen(material->color[0]),
                    screen(material->color[1]), screen(material->color[2]), (double)material->color[3],
                    (double)material->metallic, (double)material->roughness);
        }
    }
    const bool done = file && record_files_end_one(file, path, job->fault);
    free(path);
    return done;
}

bool record_export_obj(struct record_job *job)
{
    bool done = record_write_mtl(job);
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        struct record_frame frame;
        char *path = record_job_numbered(job, i, NULL);
        done = path && record_job_read(job, i, &frame) && record_write_obj(job, path, &frame, -1);
        free(path);
    }
    return done;
}
