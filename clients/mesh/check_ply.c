// A PLY before assimp gets it, which takes files that end early or name vertices that are not there for others. Lines of the head
// that begin with another word, as a bare "Created by", are comments without the word; assimp passes over them too.
//
//     ply  format ascii|binary_little_endian|binary_big_endian 1.0
//     element NAME COUNT, each with   property TYPE NAME | property list TYPE TYPE NAME
//     end_header   then the items of each element by turns, as text a line each
//
// The whole of it is walked: what the head promises must be there, places be finite, faces name vertices.
#include "internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 64, ELEMENTS_MAX = 32, PROPERTIES_MAX = 256 };
enum order { TEXT, LITTLE, BIG };
enum role { PASSED_OVER, PLACE, CORNERS };

static const struct type {
    const char *name, *other;
    uint8_t size;
    char kind; // i, u or f
} types[] = {{"char", "int8", 1, 'i'},     {"uchar", "uint8", 1, 'u'},   {"short", "int16", 2, 'i'},
             {"ushort", "uint16", 2, 'u'}, {"int", "int32", 4, 'i'},     {"uint", "uint32", 4, 'u'},
             {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'}};

struct property {
    const struct type *type, *count; // count: of a list, else NULL
    enum role role;
};

struct element {
    char name[WORD_SIZE];
    uint64_t items;
    uint32_t first, properties;
};

struct ply {
    struct mesh_scan scan;
    enum order order;
    struct element elements[ELEMENTS_MAX];
    struct property properties[PROPERTIES_MAX];
    uint32_t element_count, property_count;
    uint64_t vertices;
    bool has_vertices, has_faces, has_corners;
    uint32_t axes; // of the vertices that there are: bits
};

// ---------------------------------------------------------------------------------------------------------
// Head

static bool next_word(struct ply *ply, const char *what, char word[WORD_SIZE])
{
    struct mesh_scan *scan = &ply->scan;
    size_t size = 0;
    word[0] = '\0';
    if (!mesh_scan_more(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%s is missing", what);
    }
    for (; scan->at < scan->end && !strchr(" \t\r\n", *scan->at); scan->at++) {
        if (size == WORD_SIZE - 1) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "%s is too long", what);
        }
        word[size++] = isprint((unsigned char)*scan->at) ? *scan->at : '?';
    }
    word[size] = '\0';
    return true;
}

static bool read_type(struct ply *ply, const char *word, const struct type **type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(word, types[i].name) == 0 || strcmp(word, types[i].other) == 0) {
            *type = &types[i];
            return true;
        }
    }
    return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "there is no type '%s'", word);
}

static bool read_format(struct ply *ply)
{
    static const char *const orders[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char word[WORD_SIZE];
    if (!next_word(ply, "the format", word)) {
        return false;
    }
    for (int order = TEXT; order <= BIG; order++) {
        if (strcmp(word, orders[order]) == 0) {
            ply->order = (enum order)order;
            return true;
        }
    }
    return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "there is no format '%s'", word);
}

static bool read_element(struct ply *ply)
{
    if (ply->element_count == ELEMENTS_MAX) {
        return mesh_scan_refuse(&ply->scan, FAULT_LIMIT, "more than %d elements", ELEMENTS_MAX);
    }
    struct element *element = &ply->elements[ply->element_count++];
    element->first = ply->property_count;
    if (!next_word(ply, "the name of the element", element->name)) {
        return false;
    }
    const bool vertex = strcmp(element->name, "vertex") == 0, face = strcmp(element->name, "face") == 0;
    if (!mesh_scan_u64(&ply->scan, "the number of items",
                       vertex ? MESH_CORNERS_MAX
                       : face ? MESH_TRIANGLES_MAX
                              : UINT32_MAX,
                       &element->items)) {
        return false;
    }
    if ((vertex && ply->has_vertices) || (face && ply->has_faces)) {
        return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "a second element %s", element->name);
    }
    if (vertex) {
        ply->vertices = element->items;
    }
    ply->has_vertices |= vertex;
    ply->has_faces |= face;
    return true;
}

static bool read_property(struct ply *ply)
{
    char word[WORD_SIZE];
    if (ply->element_count == 0) {
        return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "a property before the first element");
    }
    if (ply->property_count == PROPERTIES_MAX) {
        return mesh_scan_refuse(&ply->scan, FAULT_LIMIT, "more than %d properties", PROPERTIES_MAX);
    }
    struct element *element = &ply->elements[ply->element_count - 1];
    struct property *property = &ply->properties[ply->property_count++];
    element->properties++;
    if (!next_word(ply, "the type", word)) {
        return false;
    }
    const bool list = strcmp(word, "list") == 0;
    if (list && (!next_word(ply, "the type of the count", word) || !read_type(ply, word, &property->count) ||
                 !next_word(ply, "the type", word))) {
        return false;
    }
    if (!read_type(ply, word, &property->type) || !next_word(ply, "the name of the property", word)) {
        return false;
    }
    if (list && property->count->kind == 'f') {
        return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "the count of a list is a %s",
                                property->count->name);
    }
    if (strcmp(element->name, "vertex") == 0 && !list && strlen(word) == 1 && *word >= 'x' && *word <= 'z') {
        property->role = PLACE;
        ply->axes |= 1U << (*word - 'x');
    }
    if (strcmp(element->name, "face") == 0 && list && property->type->kind != 'f' &&
        (strcmp(word, "vertex_indices") == 0 || strcmp(word, "vertex_index") == 0)) {
        property->role = CORNERS;
        ply->has_corners = true;
    }
    return true;
}

static bool read_head(struct ply *ply)
{
    struct mesh_scan *scan = &ply->scan;
    char word[WORD_SIZE];
    bool has_format = false;
    if (mesh_scan_left(scan) < 4 || memcmp(scan->at, "ply", 3) != 0 ||
        (scan->at[3] != '\n' && scan->at[3] != '\r')) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "it does not begin with the line 'ply'");
    }
    for (mesh_scan_next_line(scan);; mesh_scan_next_line(scan)) {
        if (!mesh_scan_content(scan)) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "the file ends within its head");
        }
        if (!next_word(ply, "a word", word)) {
            return false;
        }
        if (strcmp(word, "end_header") == 0) {
            break;
        }
        bool ok = true;
        if (strcmp(word, "format") == 0) {
            ok = has_format = read_format(ply);
        } else if (strcmp(word, "element") == 0) {
            ok = read_element(ply);
        } else if (strcmp(word, "property") == 0) {
            ok = read_property(ply);
        }
        if (!ok) {
            return false;
        }
    }
    const char *missing = !has_format                            ? "format"
                          : !ply->has_vertices || ply->axes != 7 ? "element vertex with x, y and z"
                          : !ply->has_faces                      ? "element face; points alone make no mesh"
                          : !ply->has_corners                    ? "list vertex_indices of element face"
                                                                 : NULL;
    if (missing) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "the head has no %s", missing);
    }
    mesh_scan_next_line(scan);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Items

static bool take(struct ply *ply, const struct element *element, uint64_t item, const struct type *type,
                 double *value)
{
    struct mesh_scan *scan = &ply->scan;
    uint8_t bytes[8];
    if (ply->order == TEXT) {
        return mesh_scan_f64(scan, "a value", value);
    }
    if (mesh_scan_left(scan) < type->size) {
        return fault_set(scan->fault, FAULT_INVALID, NULL, "%.180s: the file ends within %s %llu of %llu",
                         scan->name, element->name, (unsigned long long)item,
                         (unsigned long long)element->items);
    }
    uint64_t bits = 0;
    memcpy(bytes, scan->at, type->size);
    scan->at += type->size;
    for (uint32_t i = 0; i < type->size; i++) {
        bits |= (uint64_t)bytes[i] << 8 * (ply->order == LITTLE ? i : type->size - 1 - i);
    }
    if (type->kind == 'f' && type->size == 4) {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        *value = (double)single;
    } else if (type->kind == 'f') {
        memcpy(value, &bits, sizeof *value);
    } else {
        const uint64_t sign = type->kind == 'i' ? UINT64_C(1) << (8 * type->size - 1) : 0;
        *value = (double)((int64_t)(bits ^ sign) - (int64_t)sign);
    }
    return true;
}

// With the line, or the number of the item where there are no lines.
static bool refuse_item(struct ply *ply, const struct element *element, uint64_t item, const char *what,
                        double value, const char *more)
{
    if (ply->order == TEXT) {
        return mesh_scan_refuse(&ply->scan, FAULT_INVALID, "%s %.10g%s", what, value, more);
    }
    return fault_set(ply->scan.fault, FAULT_INVALID, NULL, "%.180s, %s %llu: %s %.10g%s", ply->scan.name,
                     element->name, (unsigned long long)item, what, value, more);
}

static bool walk_property(struct ply *ply, const struct element *element, uint64_t item,
                          const struct property *property)
{
    double count = 1, value;
    if (property->count && !take(ply, element, item, property->count, &count)) {
        return false;
    }
    if (!(count >= 0 && count <= UINT32_MAX) || count != floor(count)) {
        return refuse_item(ply, element, item, "a list has the length", count, "");
    }
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        if (!take(ply, element, item, property->type, &value)) {
            return false;
        }
        if (property->role == PLACE && !isfinite(value)) {
            return refuse_item(ply, element, item, "a coordinate is", value, "");
        }
        if (property->role == CORNERS &&
            !(value >= 0 && value < (double)ply->vertices && value == floor(value))) {
            return refuse_item(ply, element, item, "there is no vertex", value, "; they count from 0");
        }
    }
    return true;
}

static bool walk_element(struct ply *ply, const struct element *element)
{
    for (uint64_t item = 0; element->properties > 0 && item < element->items; item++) {
        if (ply->order == TEXT && !mesh_scan_content(&ply->scan)) {
            return mesh_scan_refuse(
                &ply->scan, FAULT_INVALID, "the file ends after %llu of %llu items of element %s",
                (unsigned long long)item, (unsigned long long)element->items, element->name);
        }
        for (uint32_t k = 0; k < element->properties; k++) {
            if (!walk_property(ply, element, item, &ply->properties[element->first + k])) {
                return false;
            }
        }
        if (ply->order == TEXT && !mesh_scan_end_of_line(&ply->scan, "the properties of an item")) {
            return false;
        }
    }
    return true;
}

bool mesh_check_ply(const char *name, const char *bytes, size_t size, struct fault *fault)
{
    struct ply *ply = calloc(1, sizeof *ply);
    if (!ply) {
        return mesh_fail_memory(fault);
    }
    bool ok = mesh_scan_init(&ply->scan, name, bytes, size, fault) && read_head(ply);
    for (uint32_t i = 0; ok && i < ply->element_count; i++) {
        ok = walk_element(ply, &ply->elements[i]);
    }
    mesh_scan_deinit(&ply->scan);
    free(ply);
    return ok;
}
