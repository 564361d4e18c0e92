// A document as files: the scene, and beside it the arrays that are too long to read.
//
//     flag.json
//     flag.data/bodies0.positions-1f0c2d9a64e1b753.npy     named by what is in them
//
// Arrays are named by their content, so that those of an earlier save stay as they are until the scene, which is put in
// place last and in one step, no longer needs them; then they go. Numbers are written so that the same ones are read.
#include "protocol/scene/internal.h"

#include "protocol/array.h"
#include "protocol/array/reserve.h"
#include "protocol/utf8/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INLINE_MAX = 256, LINE_WIDTH = 110, DEPTH_MAX = 16, NAME_SIZE = SCENE_PLACE_SIZE + 64 };

struct writer {
    struct fault *fault;
    const char *path;
    char folder[SCENE_PATH_SIZE + 16]; // of the arrays
    char folder_name[256];             // as the scene calls it
    FILE *out;
    char place[SCENE_PLACE_SIZE];
    struct kept {
        char name[NAME_SIZE];
        bool is_new; // there was none of that name, and so of that content
    } * kept;        // the arrays written
    uint32_t kept_count, kept_capacity;
};

// ---------------------------------------------------------------------------------------------------------
// Files put in place in one step

static bool finish_file(const struct writer *writer, FILE *file, const char *unfinished, const char *path)
{
    bool done = fflush(file) == 0 && fsync(fileno(file)) == 0;
    done = fclose(file) == 0 && done;
    done = done && rename(unfinished, path) == 0;
    if (!done) {
        fault_set(writer->fault, FAULT_IO, NULL, "%.200s cannot be written: %s", path, strerror(errno));
        unlink(unfinished);
    }
    return done;
}

// All writers use the same name, so the rest that a killed program left is written over. The lock ends with the program.
static FILE *start_file(const struct writer *writer, char *unfinished, size_t size, const char *path)
{
    snprintf(unfinished, size, "%s.part", path);
    int part = open(unfinished, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    struct stat opened, there;
    // Between the two calls the one who held it may have moved it away.
    bool held = part >= 0 && flock(part, LOCK_EX | LOCK_NB) == 0 && fstat(part, &opened) == 0 &&
                stat(unfinished, &there) == 0 && opened.st_ino == there.st_ino;
    FILE *file = held && ftruncate(part, 0) == 0 ? fdopen(part, "wb") : NULL;
    if (!file) {
        fault_set(writer->fault, part < 0 || held ? FAULT_IO : FAULT_BUSY, NULL,
                  part < 0 || held ? "%.200s cannot be written: %s"
                                   : "%.200s is being written by another program",
                  path, strerror(errno));
        if (part >= 0) {
            close(part);
        }
    }
    return file;
}

// ---------------------------------------------------------------------------------------------------------
// Arrays

// FNV-1a, 64 bits
static uint64_t content_of(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static bool keep(struct writer *writer, const char *name, bool is_new)
{
    if (!array_reserve(&writer->kept, &writer->kept_capacity, writer->kept_count + 1)) {
        return fault_set(writer->fault, FAULT_MEMORY, NULL, "no memory to write %.200s", writer->path);
    }
    struct kept *kept = &writer->kept[writer->kept_count++];
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->is_new = is_new;
    return true;
}

// Particles and elements go in rows, as readers with numpy expect.
static uint32_t columns_of(const char *place, size_t count)
{
    static const struct {
        const char *ending;
        uint32_t columns;
    } rows[] = {{"positions", 3}, {"velocities", 3},     {"remainders", 3},   {"targets", 3},
                {"offsets", 3},   {"triangles", 3},      {"edges", 2},        {"tets", 4},
                {"shapes", 4},    {"skin.particles", 4}, {"skin.weights", 4}, {"look.uvs", 2},
                {"anchors", 3},   {"look.normals", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (scene_ends_with(place, rows[i].ending) && count % rows[i].columns == 0) {
            return rows[i].columns;
        }
    }
    return 1;
}

static bool write_array(struct writer *writer, enum scene_npy_type type, const void *items, size_t count,
                        char name[NAME_SIZE])
{
    static const size_t sizes[] = {[SCENE_NPY_F64] = 8, [SCENE_NPY_F32] = 4, [SCENE_NPY_U32] = 4};
    char head[256], path[2 * SCENE_PATH_SIZE], unfinished[2 * SCENE_PATH_SIZE + 32], flat[SCENE_PLACE_SIZE];
    uint32_t columns = columns_of(writer->place, count);
    size_t head_size = scene_npy_head(head, type, count / columns, columns), at = 0;
    uint64_t hash = content_of(UINT64_C(14695981039346656037), head, head_size);
    hash = content_of(hash, items, count * sizes[type]);
    for (const char *from = writer->place; *from != '\0'; from++) { // bodies[0].positions: no brackets
        if (*from != '[' && *from != ']') {
            flat[at++] = *from;
        }
    }
    flat[at] = '\0';
    snprintf(name, NAME_SIZE, "%s-%016llx.npy", flat, (unsigned long long)hash);
    snprintf(path, sizeof path, "%s/%s", writer->folder, name);
    if (mkdir(writer->folder, 0777) != 0 && errno != EEXIST) {
        return fault_set(writer->fault, FAULT_IO, NULL, "%.200s cannot be made: %s", writer->folder,
                         strerror(errno));
    }
    FILE *file = start_file(writer, unfinished, sizeof unfinished, path);
    if (!file) {
        return false;
    }
    bool done = fwrite(head, 1, head_size, file) == head_size &&
                (count == 0 || fwrite(items, sizes[type], count, file) == count);
    if (!done) {
        fault_set(writer->fault, FAULT_IO, NULL, "%.200s cannot be written: %s", path, strerror(errno));
        fclose(file);
        unlink(unfinished);
        return false;
    }
    const bool is_new = access(path, F_OK) != 0;
    return finish_file(writer, file, unfinished, path) && keep(writer, name, is_new);
}

// Arrays of earlier saves that nothing names any more.
static void forget_others(const struct writer *writer)
{
    DIR *folder = opendir(writer->folder);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        size_t size = strlen(entry->d_name);
        const char *tag = size > 21 ? entry->d_name + size - 21 : "";
        bool ours = scene_ends_with(entry->d_name, ".npy") && tag[0] == '-' &&
                    strspn(tag + 1, "0123456789abcdef") == 16;
        ours = ours || scene_ends_with(entry->d_name, ".npy.part"); // of a save that was killed
        for (uint32_t i = 0; ours && i < writer->kept_count; i++) {
            ours = strcmp(writer->kept[i].name, entry->d_name) != 0;
        }
        char path[2 * SCENE_PATH_SIZE];
        if (ours) {
            snprintf(path, sizeof path, "%s/%s", writer->folder, entry->d_name);
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
    }
    if (writer->kept_count == 0) {
        rmdir(writer->folder); // stays if somebody keeps files of his own there
    }
}

// Removes the files that a failed save has written, which nothing names.
static void take_back(const struct writer *writer)
{
    char path[2 * SCENE_PATH_SIZE];
    for (uint32_t i = 0; i < writer->kept_count; i++) {
        snprintf(path, sizeof path, "%s/%s", writer->folder, writer->kept[i].name);
        if (writer->kept[i].is_new) {
            unlink(path);
        }
    }
    rmdir(writer->folder); // stays if there is anything else in it
}

// ---------------------------------------------------------------------------------------------------------
// JSON

static void write_string(FILE *out, const char *text, size_t size)
{
    json_t *string = json_stringn_nocheck(text, size);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    fputs(quoted ? quoted : "\"\"", out);
    free(quoted);
    json_decref(string);
}

// The shortest text that reads back as the same number.
static void number_text(double value, bool is_f32, char out[40])
{
    for (int digits = is_f32 ? 6 : 15; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, value);
        double back = strtod(out, NULL);
        if (is_f32 ? (float)back == (float)value : back == value) {
            break;
        }
    }
    if (value == 0 && signbit(value)) { // as an integer it would lose its sign
        snprintf(out, 40, "-0.0");
    }
}

static void new_line(const struct writer *writer, int depth)
{
    fprintf(writer->out, "\n%*s", 2 * depth, "");
}

static void write_numbers(const struct writer *writer, const struct protocol_array *array, int depth)
{
    bool is_f32 = array->type == PROTOCOL_ARRAY_F32;
    size_t width = 0;
    fputc('[', writer->out);
    for (uint32_t i = 0; i < array->count; i++) {
        char text[40];
        number_text(protocol_array_f64_at(array, i), is_f32, text);
        if (i > 0) {
            fputs(", ", writer->out);
        }
        width += strlen(text) + 2;
        if (width > LINE_WIDTH) {
            new_line(writer, depth + 1);
            width = strlen(text) + 2;
        }
        fputs(text, writer->out);
    }
    fputc(']', writer->out);
}

// Typed arrays: short ones here, long ones in files.
static bool write_typed(struct writer *writer, const struct protocol_array *array, int depth)
{
    char name[NAME_SIZE], path[SCENE_PLACE_SIZE + 384];
    if (array->count <= INLINE_MAX) {
        write_numbers(writer, array, depth);
        return true;
    }
    bool whole = array->type == PROTOCOL_ARRAY_U8 || array->type == PROTOCOL_ARRAY_U16 ||
                 array->type == PROTOCOL_ARRAY_U32;
    enum scene_npy_type type = whole                               ? SCENE_NPY_U32
                               : array->type == PROTOCOL_ARRAY_F32 ? SCENE_NPY_F32
                                                                   : SCENE_NPY_F64;
    uint32_t bad;
    void *items = malloc((size_t)array->count * sizeof(double));
    if (!items) {
        return fault_set(writer->fault, FAULT_MEMORY, NULL, "no memory to write %.200s", writer->path);
    }
    if (type == SCENE_NPY_U32) {
        (void)protocol_array_copy_u32(array, items, &bad);
    } else if (type == SCENE_NPY_F32) {
        protocol_array_copy_f32(array, items);
    } else {
        protocol_array_copy_f64(array, items);
    }
    bool done = write_array(writer, type, items, array->count, name);
    free(items);
    if (done) {
        snprintf(path, sizeof path, "%s/%s", writer->folder_name, name);
        write_string(writer->out, path, strlen(path));
    }
    return done;
}

static bool write_value(struct writer *writer, const msgpack_object *value, int depth);

static bool is_container(const msgpack_object *value)
{
    return value->type == MSGPACK_OBJECT_MAP ||
           (value->type == MSGPACK_OBJECT_ARRAY && value->via.array.size > 0);
}

static bool write_list(struct writer *writer, const msgpack_object *list, int depth)
{
    struct protocol_array array;
    size_t before = strlen(writer->place);
    bool done = true;
    if (list->via.array.size > 0 && protocol_array_from(list, PROTOCOL_ARRAY_F32, &array)) {
        return write_typed(writer, &array, depth);
    }
    fputc('[', writer->out);
    for (uint32_t i = 0; done && i < list->via.array.size; i++) {
        const msgpack_object *item = &list->via.array.ptr[i];
        snprintf(writer->place + before, sizeof writer->place - before, "[%u]", i);
        fputs(i > 0 ? "," : "", writer->out);
        if (is_container(item)) {
            new_line(writer, depth + 1);
        }
        done = write_value(writer, item, depth + 1);
        writer->place[before] = '\0';
    }
    if (list->via.array.size > 0) {
        new_line(writer, depth);
    }
    fputc(']', writer->out);
    return done;
}

// The members of a map, without its braces.
static bool write_members(struct writer *writer, const msgpack_object *map, int depth, bool more)
{
    size_t before = strlen(writer->place);
    bool done = true;
    for (uint32_t i = 0; done && i < map->via.map.size; i++) {
        const msgpack_object_kv *pair = &map->via.map.ptr[i];
        if (pair->key.type != MSGPACK_OBJECT_STR) {
            return fault_set(writer->fault, FAULT_INVALID, NULL, "the document has a key that is no string");
        }
        snprintf(writer->place + before, sizeof writer->place - before, "%s%.*s", before > 0 ? "." : "",
                 (int)pair->key.via.str.size, pair->key.via.str.ptr);
        fputs(more || i > 0 ? "," : "", writer->out);
        new_line(writer, depth + 1);
        write_string(writer->out, pair->key.via.str.ptr, pair->key.via.str.size);
        fputs(": ", writer->out);
        done = write_value(writer, &pair->val, depth + 1);
        writer->place[before] = '\0';
    }
    return done;
}

static bool write_value(struct writer *writer, const msgpack_object *value, int depth)
{
    struct protocol_array array;
    char text[40];
    bool done = true;
    if (depth > DEPTH_MAX || strlen(writer->place) + 1 >= sizeof writer->place) {
        return fault_set(writer->fault, FAULT_INVALID, NULL, "the document is nested too deep");
    }
    switch (value->type) {
    case MSGPACK_OBJECT_BOOLEAN:
        fputs(value->via.boolean ? "true" : "false", writer->out);
        return true;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        fprintf(writer->out, "%llu", (unsigned long long)value->via.u64);
        return true;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        fprintf(writer->out, "%lld", (long long)value->via.i64);
        return true;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        number_text(value->via.f64, value->type == MSGPACK_OBJECT_FLOAT32, text);
        fputs(text, writer->out);
        return true;
    case MSGPACK_OBJECT_STR:
        write_string(writer->out, value->via.str.ptr, value->via.str.size);
        return true;
    case MSGPACK_OBJECT_ARRAY:
        return write_list(writer, value, depth);
    case MSGPACK_OBJECT_MAP:
        fputc('{', writer->out);
        done = write_members(writer, value, depth, false);
        if (value->via.map.size > 0) {
            new_line(writer, depth);
        }
        fputc('}', writer->out);
        return done;
    case MSGPACK_OBJECT_EXT:
        return protocol_array_from(value, PROTOCOL_ARRAY_F32, &array)
                   ? write_typed(writer, &array, depth)
                   : fault_set(writer->fault, FAULT_INVALID, NULL,
                               "the document has an array of no "
                               "known type at %s",
                               writer->place);
    default:
        fputs("null", writer->out);
        return true;
    }
}

static bool write_all(struct writer *writer, const char *name, const char *about,
                      const msgpack_object *document)
{
    char unfinished[SCENE_PATH_SIZE + 32];
    if (!(writer->out = start_file(writer, unfinished, sizeof unfinished, writer->path))) {
        return false;
    }
    fputs("{\n  \"weft\": 1,\n  \"name\": ", writer->out);
    write_string(writer->out, name, strlen(name));
    if (about) {
        fputs(",\n  \"about\": ", writer->out);
        write_string(writer->out, about, strlen(about));
    }
    bool done = write_members(writer, document, 0, true);
    fputs("\n}\n", writer->out);
    if (!done) {
        fclose(writer->out);
        unlink(unfinished);
        return false;
    }
    return finish_file(writer, writer->out, unfinished, writer->path);
}

bool scene_write(const char *path, const char *name, const char *about, const msgpack_object *document,
                 struct fault *fault)
{
    struct writer writer = {.fault = fault, .path = path};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t size = strlen(base) - (scene_ends_with(base, ".json") ? strlen(".json") : 0);
    if (document->type != MSGPACK_OBJECT_MAP) {
        return fault_set(fault, FAULT_INVALID, NULL, "the document is no map");
    }
    if (strlen(path) >= SCENE_PATH_SIZE || size == 0 || size + 6 > sizeof writer.folder_name) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.200s is no name for a file", path);
    }
    snprintf(writer.folder_name, sizeof writer.folder_name, "%.*s.data", (int)size, base);
    snprintf(writer.folder, sizeof writer.folder, "%.*s%s", (int)(base - path), path, writer.folder_name);
    struct stat there;
    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) {
        return fault_set(fault, FAULT_CONFLICT, NULL, "%.200s cannot be written: it is there, and no file",
                         path);
    }
    bool done = write_all(&writer, name, about, document);
    if (done) {
        forget_others(&writer);
    } else {
        take_back(&writer);
    }
    free(writer.kept);
    return done;
}
