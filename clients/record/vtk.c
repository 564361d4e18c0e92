// VTK, for ParaView: PATH.pvd lists the frames with their times, each is a .vtp (XML PolyData) beside it.
//
// All objects are one mesh; the cell array "object" tells them apart, and the field array "objects" has their names. Arrays
// stand behind the XML as bytes, each with its size before it:
//
//     points | normals | uvs | connectivity and offsets of vertices, lines, triangles | object | color of each cell
#include "record/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pieces {
    uint64_t points, verts, lines, polys;
    bool normals, uvs, colors;
    uint64_t offset; // of the next array, while the XML is written
};

static void look(const struct record_objects *objects, struct pieces *pieces)
{
    *pieces =
        (struct pieces){.points = objects->vertex_count, .colors = record_objects_have_materials(objects)};
    for (uint32_t o = 0; o < objects->count; o++) {
        const struct record_object *object = &objects->items[o];
        const bool bare = object->triangle_count == 0 && object->edge_count == 0;
        pieces->verts += bare ? object->point_count : 0;
        pieces->lines += object->edge_count;
        pieces->polys += object->triangle_count;
        pieces->normals |= record_object_is_surface(object);
        pieces->uvs |= object->uvs != NULL;
    }
}

static void write_escaped(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("<>&\"", *c)) {
            fprintf(file, "&#%d;", *c);
        } else {
            fputc(*c, file);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// The XML

static void tell_array(FILE *file, struct pieces *pieces, const char *type, const char *name,
                       uint32_t components, uint64_t bytes)
{
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" format=\"appended\" "
            "offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)pieces->offset);
    pieces->offset += 8 + bytes;
}

static void tell_cells(FILE *file, struct pieces *pieces, const char *kind, uint64_t count, uint32_t corners)
{
    fprintf(file, "<%s>\n", kind);
    tell_array(file, pieces, "Int32", "connectivity", 1, 4 * count * corners);
    tell_array(file, pieces, "Int32", "offsets", 1, 4 * count);
    fprintf(file, "</%s>\n", kind);
}

static void write_xml(const struct record_job *job, struct pieces *pieces, const struct record_frame *frame,
                      FILE *file)
{
    const uint64_t cells = pieces->verts + pieces->lines + pieces->polys;
    fprintf(file,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray>\n"
            "<DataArray type=\"String\" Name=\"objects\" NumberOfTuples=\"%u\" format=\"ascii\">\n",
            frame->time, job->objects.count);
    for (uint32_t o = 0; o < job->objects.count; o++) {
        for (const unsigned char *c = (const unsigned char *)job->objects.items[o].name; *c != '\0'; c++) {
            fprintf(file, "%d ", *c);
        }
        fputs("0\n", file);
    }
    fprintf(
        file,
        "</DataArray>\n</FieldData>\n"
        "<Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"%llu\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"%llu\">\n<Points>\n",
        (unsigned long long)pieces->points, (unsigned long long)pieces->verts,
        (unsigned long long)pieces->lines, (unsigned long long)pieces->polys);
    tell_array(file, pieces, "Float32", "Points", 3, 12 * pieces->points);
    fprintf(file, "</Points>\n<PointData%s%s>\n", pieces->normals ? " Normals=\"Normals\"" : "",
            pieces->uvs ? " TCoords=\"TextureCoordinates\"" : "");
    if (pieces->normals) {
        tell_array(file, pieces, "Float32", "Normals", 3, 12 * pieces->points);
    }
    if (pieces->uvs) {
        tell_array(file, pieces, "Float32", "TextureCoordinates", 2, 8 * pieces->points);
    }
    fputs("</PointData>\n", file);
    tell_cells(file, pieces, "Verts", pieces->verts, 1);
    tell_cells(file, pieces, "Lines", pieces->lines, 2);
    tell_cells(file, pieces, "Polys", pieces->polys, 3);
    fputs("<CellData Scalars=\"object\">\n", file);
    tell_array(file, pieces, "Int32", "object", 1, 4 * cells);
    if (pieces->colors) {
        tell_array(file, pieces, "UInt8", "color", 4, 4 * cells);
    }
    fputs("</CellData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", file);
}

// ---------------------------------------------------------------------------------------------------------
// The arrays. Numbers lie in memory as they are written (take.c).

static void put_size(FILE *file, uint64_t bytes)
{
    fwrite(&bytes, sizeof bytes, 1, file);
}

static void write_points(struct record_job *job, const struct pieces *pieces,
                         const struct record_frame *frame, FILE *file)
{
    static const float up[3] = {0, 1, 0};
    for (int normals = 0; normals <= (pieces->normals ? 1 : 0); normals++) {
        put_size(file, 12 * pieces->points);
        for (uint32_t o = 0; o < job->objects.count; o++) {
            const struct record_object *object = &job->objects.items[o];
            record_job_place(job, object, frame);
            for (size_t v = 0; v < object->vertex_count; v++) {
                const float *row = normals == 0 ? job->points + 3 * (size_t)object->vertex_point[v]
                                   : record_object_is_surface(object)
                                       ? job->normals + 3 * (size_t)object->vertex_normal[v]
                                       : up;
                fwrite(row, 4, 3, file);
            }
        }
    }
    if (!pieces->uvs) {
        return;
    }
    put_size(file, 8 * pieces->points);
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const struct record_object *object = &job->objects.items[o];
        static const float none[2];
        for (size_t v = 0; v < object->vertex_count; v++) {
            fwrite(object->uvs ? object->uvs + 2 * v : none, 4, 2, file);
        }
    }
}

enum cell { VERTS, LINES, POLYS };

// One kind of cells of an object. corners is NULL if they are all its vertices, one after the other.
static uint32_t cells_of(const struct record_object *object, enum cell kind, const uint32_t **corners)
{
    const bool bare = object->triangle_count == 0 && object->edge_count == 0;
    *corners = kind == POLYS ? object->corners : kind == LINES ? object->edges : NULL;
    return kind == POLYS   ? object->triangle_count
           : kind == LINES ? object->edge_count
           : bare          ? object->point_count
                           : 0;
}

static void write_cells(const struct record_job *job, enum cell kind, uint64_t count, FILE *file)
{
    const uint32_t size = (uint32_t)kind + 1;
    uint32_t first = 0;
    put_size(file, 4 * count * size);
    for (uint32_t o = 0; o < job->objects.count; o++) {
        const uint32_t *corners;
        const uint64_t items = (uint64_t)size * cells_of(&job->objects.items[o], kind, &corners);
        for (uint64_t i = 0; i < items; i++) {
            const uint32_t vertex = first + (corners ? corners[i] : (uint32_t)i);
            fwrite(&vertex, 4, 1, file);
        }
        first += job->objects.items[o].vertex_count;
    }
    put_size(file, 4 * count);
    for (uint32_t i = 1; i <= count; i++) {
        const uint32_t end = i * size;
        fwrite(&end, 4, 1, file);
    }
}

static void write_cell_data(const struct record_job *job, const struct pieces *pieces, bool colors,
                            FILE *file)
{
    put_size(file, 4 * (pieces->verts + pieces->lines + pieces->polys));
    for (enum cell kind = VERTS; kind <= POLYS; kind++) {
        for (uint32_t o = 0; o < job->objects.count; o++) {
            const struct record_object *object = &job->objects.items[o];
            const uint32_t *corners, count = cells_of(object, kind, &corners);
            uint32_t part = 0;
            for (uint32_t i = 0; i < count; i++) {
                unsigned char bytes[4];
                while (part + 1 < object->part_count && i >= object->parts[part + 1].first) {
                    part++;
                }
                const float *color = record_object_material(object, part)->color;
                for (size_t k = 0; colors && k < 4; k++) {
                    bytes[k] = (unsigned char)lrintf(255 * color[k]);
                }
                if (!colors) {
                    record_put_u32(bytes, o);
                }
                fwrite(bytes, 4, 1, file);
            }
        }
    }
}

static bool write_vtp(struct record_job *job, const char *path, const struct record_frame *frame)
{
    struct pieces pieces;
    FILE *file = record_files_begin(&job->files, path, job->fault);
    if (!file) {
        return false;
    }
    look(&job->objects, &pieces);
    write_xml(job, &pieces, frame, file);
    write_points(job, &pieces, frame, file);
    write_cells(job, VERTS, pieces.verts, file);
    write_cells(job, LINES, pieces.lines, file);
    write_cells(job, POLYS, pieces.polys, file);
    write_cell_data(job, &pieces, false, file);
    if (pieces.colors) {
        write_cell_data(job, &pieces, true, file);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
    return record_files_end_one(file, path, job->fault);
}

bool record_export_pvd(struct record_job *job)
{
    FILE *list = record_files_begin(&job->files, job->export->path, job->fault);
    bool done = list != NULL;
    if (done) {
        fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
              "byte_order=\"LittleEndian\">\n"
              "<Collection>\n",
              list);
    }
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        struct record_frame frame;
        char *path = record_job_numbered(job, i, ".vtp");
        done = path && record_job_read(job, i, &frame) && write_vtp(job, path, &frame);
        if (done) {
            const char *slash = strrchr(path, '/');
            fprintf(list, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"", frame.time);
            write_escaped(list, slash ? slash + 1 : path);
            fputs("\"/>\n", list);
        }
        free(path);
    }
    if (!list) {
        return false;
    }
    fputs("</Collection>\n</VTKFile>\n", list);
    if (done) {
        return record_files_end_one(list, job->export->path, job->fault);
    }
    fclose(list);
    return false;
}
