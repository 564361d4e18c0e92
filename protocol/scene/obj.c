// Reads the shape of a Wavefront OBJ: v, f and, if they are wanted, l; nothing else.
//
// The text is walked once. Indices may refer to vertices that come later, so the greatest one is remembered with its
// line and judged at the end. For the same reason a polygon is a fan at first, and is cut when all vertices are known. Numbers are read in the C locale whatever the program's is. Lines end with \n, \r\n or \r.
#include "protocol/scene/obj.h"

#include "protocol/array/reserve.h"
#include "protocol/polygon/polygon.h"
#include "protocol/utf8/utf8.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

enum {
    VERTICES_MAX = 4194304,
    TRIANGLES_MAX = 16777216,
    NUMBER_SIZE = 64, // longest number as text; longer ones are refused
};
#define FILE_BYTES_MAX ((size_t)512 << 20)

struct polygon {
    uint32_t first; // triangle of its fan
    uint32_t corners;
};

struct reader {
    const char *name;
    const char *at, *end;
    uint32_t line;
    locale_t locale;
    struct scene_obj *obj;
    bool with_lines;
    size_t position_capacity, corner_capacity, line_capacity; // numbers
    struct polygon *polygons;                                 // those of more than three corners
    size_t polygon_count, polygon_capacity;
    uint64_t index_max; // greatest index used, from 1
    uint32_t index_max_line;
    struct fault *fault;
};

static bool refuse_file(struct reader *reader, enum fault_code code, const char *what)
{
    return fault_set(reader->fault, code, NULL, "%.160s: %s", reader->name, what);
}

static bool refuse(struct reader *reader, enum fault_code code, const char *what)
{
    return fault_set(reader->fault, code, NULL, "%.160s, line %u: %s", reader->name, reader->line, what);
}

// Bytes of the end of a line that stands here; 0 if none does.
static size_t line_end(const struct reader *reader, const char *at)
{
    if (at == reader->end || (*at != '\n' && *at != '\r')) {
        return 0;
    }
    return *at == '\r' && at + 1 < reader->end && at[1] == '\n' ? 2 : 1;
}

// Passes over blanks and continued lines. False at the end of the statement.
static bool more_in_line(struct reader *reader)
{
    while (reader->at < reader->end) {
        const char c = *reader->at;
        if (c == ' ' || c == '\t' || c == '\0') {
            reader->at++;
        } else if (c == '\\') {
            const size_t size = line_end(reader, reader->at + 1);
            if (size == 0) {
                return true;
            }
            reader->at += 1 + size;
            reader->line++;
        } else {
            return c != '\n' && c != '\r' && c != '#';
        }
    }
    return false;
}

static bool token_goes_on(const struct reader *reader)
{
    return reader->at < reader->end && !strchr(" \t\r\n\\#", *reader->at);
}

static bool read_number(struct reader *reader, double *number)
{
    char text[NUMBER_SIZE];
    size_t size = 0;
    while (token_goes_on(reader)) {
        if (size == sizeof text - 1) {
            return refuse(reader, FAULT_INVALID, "a number is too long");
        }
        text[size++] = *reader->at++;
    }
    text[size] = '\0';
    char *end;
    *number = strtod_l(text, &end, reader->locale);
    if (size == 0 || *end != '\0' || !isfinite(*number)) {
        return refuse(reader, FAULT_INVALID, "a coordinate is not a finite number");
    }
    return true;
}

static bool read_vertex(struct reader *reader)
{
    struct scene_obj *obj = reader->obj;
    if (obj->vertex_count == VERTICES_MAX) {
        return refuse(reader, FAULT_LIMIT, "more than 4194304 vertices");
    }
    if (!array_reserve(&obj->positions, &reader->position_capacity, 3 * ((size_t)obj->vertex_count + 1))) {
        return refuse_file(reader, FAULT_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < 3; i++) {
        if (!more_in_line(reader)) {
            return refuse(reader, FAULT_INVALID, "a vertex has fewer than three coordinates");
        }
        if (!read_number(reader, &obj->positions[3 * (size_t)obj->vertex_count + i])) {
            return false;
        }
    }
    obj->vertex_count++;
    return true;
}

// The first index of v, v/vt, v//vn, v/vt/vn; from 1.
static bool read_index(struct reader *reader, uint64_t *index)
{
    bool negative = false;
    uint64_t value = 0;
    size_t digits = 0;
    if (*reader->at == '-') {
        negative = true;
        reader->at++;
    }
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; digits++, reader->at++) {
        value = value * 10 + (uint64_t)(*reader->at - '0');
        if (value > VERTICES_MAX) {
            return refuse(reader, FAULT_INVALID, "a vertex index is out of range");
        }
    }
    if (digits == 0 || (token_goes_on(reader) && *reader->at != '/')) {
        return refuse(reader, FAULT_INVALID, "a vertex index is not a whole number");
    }
    while (token_goes_on(reader)) {
        reader->at++;
    }
    if (value == 0) {
        return refuse(reader, FAULT_INVALID, "a vertex index is 0; they count from 1");
    }
    if (negative) {
        if (value > reader->obj->vertex_count) {
            return refuse(reader, FAULT_INVALID, "a negative vertex index reaches before the first vertex");
        }
        value = reader->obj->vertex_count + 1 - value;
    }
    if (value > reader->index_max) {
        reader->index_max = value;
        reader->index_max_line = reader->line;
    }
    *index = value;
    return true;
}

static bool read_face(struct reader *reader)
{
    struct scene_obj *obj = reader->obj;
    uint64_t first = 0, last = 0;
    size_t corners = 0;
    for (; more_in_line(reader); corners++) {
        uint64_t index = 0;
        if (!read_index(reader, &index)) {
            return false;
        }
        if (corners == 0) {
            first = index;
        }
        if (corners >= 2) {
            if (obj->triangle_count == TRIANGLES_MAX) {
                return refuse(reader, FAULT_LIMIT, "more than 16777216 triangles");
            }
            if (!array_reserve(&obj->triangles, &reader->corner_capacity,
                               3 * ((size_t)obj->triangle_count + 1))) {
                return refuse_file(reader, FAULT_MEMORY, "out of memory");
            }
            uint32_t *triangle = obj->triangles + 3 * (size_t)obj->triangle_count++;
            triangle[0] = (uint32_t)(first - 1);
            triangle[1] = (uint32_t)(last - 1);
            triangle[2] = (uint32_t)(index - 1);
        }
        last = index;
    }
    if (corners < 3) {
        return refuse(reader, FAULT_INVALID, "a face has fewer than three corners");
    }
    if (corners == 3) {
        return true;
    }
    if (!array_reserve(&reader->polygons, &reader->polygon_capacity, reader->polygon_count + 1)) {
        return refuse_file(reader, FAULT_MEMORY, "out of memory");
    }
    reader->polygons[reader->polygon_count++] = (struct polygon){
        .first = obj->triangle_count - (uint32_t)(corners - 2), .corners = (uint32_t)corners};
    return true;
}

// A chain of lines from vertex to vertex.
static bool read_chain(struct reader *reader)
{
    struct scene_obj *obj = reader->obj;
    uint64_t last = 0;
    for (size_t corners = 0; more_in_line(reader); corners++) {
        uint64_t index = 0;
        if (!read_index(reader, &index)) {
            return false;
        }
        if (corners > 0) {
            if (obj->line_count == TRIANGLES_MAX) {
                return refuse(reader, FAULT_LIMIT, "more than 16777216 lines");
            }
            if (!array_reserve(&obj->lines, &reader->line_capacity, 2 * ((size_t)obj->line_count + 1))) {
                return refuse_file(reader, FAULT_MEMORY, "out of memory");
            }
            uint32_t *line = obj->lines + 2 * (size_t)obj->line_count++;
            line[0] = (uint32_t)(last - 1);
            line[1] = (uint32_t)(index - 1);
        }
        last = index;
    }
    return true;
}

static bool read_statement(struct reader *reader)
{
    if (!more_in_line(reader)) {
        return true;
    }
    const char *word = reader->at;
    while (token_goes_on(reader)) {
        reader->at++;
    }
    const size_t size = (size_t)(reader->at - word);
    if (size == 1 && *word == 'v') {
        return read_vertex(reader);
    }
    if (size == 1 && *word == 'f') {
        return read_face(reader);
    }
    if (size == 1 && *word == 'l' && reader->with_lines) {
        return read_chain(reader);
    }
    return true;
}

// The mark that some programs begin a text with. False for texts whose characters are not bytes.
static bool pass_mark(struct reader *reader)
{
    const size_t size = (size_t)(reader->end - reader->at), mark = protocol_utf8_mark(reader->at, size);
    reader->at += mark;
    if (mark == 0 && size >= 2 &&
        (memcmp(reader->at, "\xff\xfe", 2) == 0 || memcmp(reader->at, "\xfe\xff", 2) == 0)) {
        return refuse_file(reader, FAULT_INVALID, "it is UTF-16; save it as UTF-8 or ASCII");
    }
    return true;
}

static bool read_all(struct reader *reader)
{
    if (!pass_mark(reader)) {
        return false;
    }
    while (reader->at < reader->end) {
        if (!read_statement(reader)) {
            return false;
        }
        // Skip the rest of the line: more coordinates (w, colours), comments, statements of other kinds.
        while (reader->at < reader->end && *reader->at != '\n' && *reader->at != '\r') {
            reader->at++;
        }
        reader->at += line_end(reader, reader->at);
        reader->line++;
    }
    if (reader->index_max > reader->obj->vertex_count) {
        reader->line = reader->index_max_line;
        return refuse(reader, FAULT_INVALID, "a vertex index is greater than the number of vertices");
    }
    if (reader->obj->vertex_count == 0) {
        return refuse_file(reader, FAULT_INVALID, "there is no vertex in it");
    }
    for (size_t i = 0; i < reader->polygon_count; i++) {
        const struct polygon *polygon = &reader->polygons[i];
        struct scene_obj *obj = reader->obj;
        bool cut;
        if (!polygon_cut_fan(obj->positions, obj->triangles + 3 * (size_t)polygon->first, polygon->corners,
                             &cut)) {
            return refuse_file(reader, FAULT_MEMORY, "out of memory");
        }
        obj->uncut_count += !cut;
    }
    return true;
}

static bool parse(const char *name, const char *text, size_t size, bool with_lines, struct scene_obj *obj,
                  struct fault *fault)
{
    struct reader reader = {.name = name,
                            .at = text,
                            .end = text + size,
                            .line = 1,
                            .obj = obj,
                            .with_lines = with_lines,
                            .fault = fault};
    memset(obj, 0, sizeof *obj);
    if (size > FILE_BYTES_MAX) {
        return refuse_file(&reader, FAULT_LIMIT, "larger than 512 MiB");
    }
    reader.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (reader.locale == (locale_t)0) {
        return refuse_file(&reader, FAULT_MEMORY, "out of memory");
    }
    const bool ok = size == 0 ? refuse_file(&reader, FAULT_INVALID, "the file is empty") : read_all(&reader);
    freelocale(reader.locale);
    free(reader.polygons);
    if (!ok) {
        free(obj->positions);
        free(obj->triangles);
        free(obj->lines);
        memset(obj, 0, sizeof *obj);
    }
    return ok;
}

bool scene_obj_parse(const char *name, const char *text, size_t size, struct scene_obj *obj,
                     struct fault *fault)
{
    return parse(name, text, size, false, obj, fault);
}

bool scene_obj_parse_lines(const char *name, const char *text, size_t size, struct scene_obj *obj,
                           struct fault *fault)
{
    return parse(name, text, size, true, obj, fault);
}
