// NumPy's .npz: a zip archive of .npy arrays, stored as they are, so that they can be mapped.
//
//     tick [frames] u64 · substep [frames] u32 · time [frames] f64, s
//     NAME/positions [frames, particles, 3] f32, m · NAME/triangles [n, 3] u32 · NAME/edges [n, 2] u32
//     NAME/uvs [n, 3, 2] f32, of the corners · NAME/materials [n] u32 · NAME/colors [materials, 4] f32, linear
//     colliders/NAME/poses [frames, 7] f32: x, y, z, quaternion x, y, z, w · .../vertices [n, 3] · .../triangles [n, 3]
//
// When the archive is written, libzip asks each source for its bytes, one source after the other. The sources read the
// take a frame at a time, into a shared buffer. A slash in a name would make a folder: it becomes "_".
#include "record/internal.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum column { TICK, SUBSTEP, TIME, POSITIONS, POSES, WHOLE };

struct source {
    struct record_job *job;
    enum column column;
    uint64_t first;    // first particle of the body, or the number of the collider
    const void *whole; // WHOLE: all data, in one item
    char head[128];    // of the .npy
    size_t head_size;
    uint64_t items, item_bytes; // frames of a column, or one item with all data
    uint64_t next;              // next item
    const unsigned char *bytes; // bytes that are still to be returned
    size_t left;
    unsigned char small[8];
    zip_error_t error;
};

static void make_head(struct source *source, const char *type, const char *shape)
{
    // "\x93NUMPY" 1 0 | u16 bytes of what follows, which ends with a newline at a multiple of 64
    char text[100];
    int size =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t padded = (10 + (size_t)size + 1 + 63) / 64 * 64 - 10;
    memset(source->head, ' ', sizeof source->head);
    memcpy(source->head, "\x93NUMPY\x01", 8);
    source->head[8] = (char)padded;
    source->head[9] = 0;
    memcpy(source->head + 10, text, (size_t)size);
    source->head_size = 10 + padded;
    source->head[source->head_size - 1] = '\n';
}

// Takes the next item: points bytes to it.
static bool advance(struct source *source)
{
    struct record_frame frame;
    source->left = source->item_bytes;
    if (source->column == WHOLE) {
        source->bytes = source->whole;
        source->next++;
        return true;
    }
    if (!record_job_read(source->job, source->next++, &frame)) {
        return false;
    }
    if (source->column == TICK) {
        memcpy(source->small, &frame.tick, sizeof frame.tick);
    } else if (source->column == SUBSTEP) {
        memcpy(source->small, &frame.substep, sizeof frame.substep);
    } else if (source->column == TIME) {
        memcpy(source->small, &frame.time, sizeof frame.time);
    }
    source->bytes = source->column == POSITIONS ? (const unsigned char *)(frame.positions + 3 * source->first)
                    : source->column == POSES
                        ? (const unsigned char *)(frame.poses + RECORD_POSE * source->first)
                        : source->small;
    return true;
}

static zip_int64_t read_source(struct source *source, unsigned char *out, zip_uint64_t size)
{
    zip_uint64_t given = 0;
    while (given < size) {
        if (source->left == 0) {
            if (source->next == source->items) {
                break;
            }
            if (!advance(source)) {
                zip_error_set(&source->error, ZIP_ER_READ, 0);
                return -1;
            }
        }
        size_t part = source->left < size - given ? source->left : (size_t)(size - given);
        memcpy(out + given, source->bytes, part);
        source->bytes += part;
        source->left -= part;
        given += part;
    }
    return (zip_int64_t)given;
}

static zip_int64_t on_source(void *context, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    struct source *source = context;
    zip_stat_t *stat = data;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN:
        source->next = 0;
        source->bytes = (const unsigned char *)source->head;
        source->left = source->head_size;
        return 0;
    case ZIP_SOURCE_READ:
        return read_source(source, data, size);
    case ZIP_SOURCE_CLOSE:
        return 0;
    case ZIP_SOURCE_STAT:
        zip_stat_init(stat);
        stat->size = source->head_size + source->items * source->item_bytes;
        stat->valid = ZIP_STAT_SIZE;
        return sizeof *stat;
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source->error, data, size);
    case ZIP_SOURCE_FREE:
        zip_error_fini(&source->error);
        free(source);
        return 0;
    default:
        zip_error_set(&source->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

static bool add_array(struct record_job *job, zip_t *archive, const char *name, const struct source *like,
                      const char *type, const char *shape)
{
    struct source *source = malloc(sizeof *source);
    if (!source) {
        return record_fail_memory(job->fault);
    }
    *source = *like;
    source->job = job;
    zip_error_init(&source->error);
    make_head(source, type, shape);
    zip_source_t *handle = zip_source_function(archive, on_source, source);
    if (!handle) {
        free(source);
        return fault_set(job->fault, FAULT_IO, NULL, "%s", zip_strerror(archive));
    }
    zip_int64_t index = zip_file_add(archive, name, handle, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(handle);
        return fault_set(job->fault, FAULT_IO, NULL, "%s: %s", name, zip_strerror(archive));
    }
    // No time of day, so that the same recording gives the same bytes.
    zip_file_set_mtime(archive, (zip_uint64_t)index, 315619200, 0);
    return zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 ||
           fault_set(job->fault, FAULT_IO, NULL, "%s", zip_strerror(archive));
}

// Makes a name in the archive: a slash in a thing's name would make a folder.
static void entry_name(char *out, size_t size, const char *folder, const char *name, const char *array)
{
    const int begin = (int)strlen(folder), used = snprintf(out, size, "%s%s", folder, name);
    for (char *c = out + begin; *c != '\0'; c++) {
        *c = *c == '/' || *c == '\\' ? '_' : *c;
    }
    snprintf(out + used, size - (size_t)used, "/%s.npy", array);
}

// Adds an array that is the same in all frames; nothing if it is NULL.
static bool add_whole(struct record_job *job, zip_t *archive, const char *folder, const char *thing,
                      const char *array, const void *whole, const char *type, uint32_t rows, const char *row,
                      uint32_t row_bytes)
{
    const struct source source = {
        .column = WHOLE, .whole = whole, .items = 1, .item_bytes = (uint64_t)rows * row_bytes};
    char name[1200], shape[80];
    if (!whole || rows == 0) {
        return true;
    }
    entry_name(name, sizeof name, folder, thing, array);
    snprintf(shape, sizeof shape, "%u,%s", rows, row);
    return add_array(job, archive, name, &source, type, shape);
}

// *colors_of: the caller frees it once the archive is written.
static bool add_body(struct record_job *job, zip_t *archive, uint32_t b, uint64_t first, float **colors_of)
{
    const struct record_body *body = &job->scene->bodies[b];
    char name[1200], shape[80];
    const struct source source = {.column = POSITIONS,
                                  .first = first,
                                  .items = job->frame_count,
                                  .item_bytes = 12 * (uint64_t)body->particle_count};
    float *colors = malloc(((size_t)body->material_count + 1) * sizeof(float[4]));
    if (!colors) {
        return record_fail_memory(job->fault);
    }
    for (size_t m = 0; m < body->material_count; m++) {
        memcpy(colors + 4 * m, body->materials[m].color, sizeof(float[4]));
    }
    *colors_of = colors;
    entry_name(name, sizeof name, "", body->name, "positions");
    snprintf(shape, sizeof shape, "%llu, %u, 3", (unsigned long long)job->frame_count, body->particle_count);
    return add_array(job, archive, name, &source, "<f4", shape) &&
           add_whole(job, archive, "", body->name, "triangles", body->triangles, "<u4", body->triangle_count,
                     " 3", 12) &&
           add_whole(job, archive, "", body->name, "edges", body->edges, "<u4", body->edge_count, " 2", 8) &&
           add_whole(job, archive, "", body->name, "uvs", body->uvs, "<f4", body->triangle_count, " 3, 2",
                     24) &&
           add_whole(job, archive, "", body->name, "materials", body->triangle_materials, "<u4",
                     body->triangle_count, "", 4) &&
           add_whole(job, archive, "", body->name, "colors", colors, "<f4", body->material_count, " 4", 16);
}

static bool add_collider(struct record_job *job, zip_t *archive, const struct record_object *object)
{
    static const char folder[] = "colliders/";
    char name[1200], shape[80];
    const struct source source = {.column = POSES,
                                  .first = object->index,
                                  .items = job->frame_count,
                                  .item_bytes = sizeof(float[RECORD_POSE])};
    entry_name(name, sizeof name, folder, object->name, "poses");
    snprintf(shape, sizeof shape, "%llu, %d", (unsigned long long)job->frame_count, RECORD_POSE);
    return add_array(job, archive, name, &source, "<f4", shape) &&
           add_whole(job, archive, folder, object->name, "vertices", object->shape, "<f4",
                     object->point_count, " 3", 12) &&
           add_whole(job, archive, folder, object->name, "triangles", object->triangles, "<u4",
                     object->triangle_count, " 3", 12);
}

static bool add_all(struct record_job *job, zip_t *archive, float **colors)
{
    static const struct {
        const char *name, *type;
        enum column column;
        uint32_t bytes;
    } columns[] = {
        {"tick.npy", "<u8", TICK, 8}, {"substep.npy", "<u4", SUBSTEP, 4}, {"time.npy", "<f8", TIME, 8}};
    char shape[32];
    snprintf(shape, sizeof shape, "%llu,", (unsigned long long)job->frame_count);
    bool done = true;
    for (size_t c = 0; done && c < sizeof columns / sizeof columns[0]; c++) {
        struct source source = {
            .column = columns[c].column, .items = job->frame_count, .item_bytes = columns[c].bytes};
        done = add_array(job, archive, columns[c].name, &source, columns[c].type, shape);
    }
    uint64_t first = 0;
    for (uint32_t b = 0; done && b < job->scene->body_count; b++) {
        done = add_body(job, archive, b, first, &colors[b]);
        first += job->scene->bodies[b].particle_count;
    }
    for (uint32_t c = 0; done && c < job->scene->collider_count; c++) {
        done = add_collider(job, archive, &job->objects.items[job->scene->body_count + c]);
    }
    return done;
}

bool record_export_npz(struct record_job *job)
{
    // record_files_begin reserves the name, and the archive replaces the empty file.
    FILE *file = record_files_begin(&job->files, job->export->path, job->fault);
    if (!file) {
        return false;
    }
    fclose(file);
    char *path = record_files_place(&job->files, job->export->path, job->fault);
    if (!path) {
        return false;
    }
    int code = 0;
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        fault_set(job->fault, FAULT_IO, NULL, "%s cannot be written: %s", path, zip_error_strerror(&error));
        zip_error_fini(&error);
        free(path);
        return false;
    }
    job->total = job->frame_count * (3 + job->objects.count);
    job->fault->text[0] = '\0';
    float **colors = calloc((size_t)job->scene->body_count + 1, sizeof *colors);
    bool done = (colors || record_fail_memory(job->fault)) && add_all(job, archive, colors);
    if (done && zip_close(archive) != 0) {
        if (job->fault->text[0] == '\0') {
            fault_set(job->fault, FAULT_IO, NULL, "%s cannot be written: %s", path, zip_strerror(archive));
        }
        done = false;
        zip_discard(archive);
    } else if (!done) {
        zip_discard(archive);
    }
    for (uint32_t b = 0; colors && b < job->scene->body_count; b++) {
        free(colors[b]);
    }
    free(colors);
    free(path);
    return done;
}
