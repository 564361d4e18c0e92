// An STL before assimp gets it: as bytes it must have the size that its count of triangles gives, as text the words of
// an STL in their order.
//
//     bytes   80 of anything, COUNT as u32, then 50 a triangle
//     text    solid NAME  (facet normal n n n  outer loop  vertex x y z three times  endloop  endfacet)  endsolid
//
// Words are taken in any case, with blanks before them; assimp wants neither, so it gets them without. Some
// programs write solids that have no facets.
#include "internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEAD_SIZE = 84, TRIANGLE_SIZE = 50, WORD_SIZE = 24 };

static bool begins_with_solid(const char *bytes, size_t size)
{
    size_t at = 0;
    while (at < size && isspace((unsigned char)bytes[at])) {
        at++;
    }
    return size - at >= 5 && strncasecmp(bytes + at, "solid", 5) == 0;
}

// The next word of the line, in lower case, also in the text itself.
static void next_word(struct mesh_scan *scan, char *text, char word[WORD_SIZE])
{
    size_t size = 0;
    if (mesh_scan_more(scan)) {
        for (; scan->at < scan->end && !isspace((unsigned char)*scan->at); scan->at++) {
            char *c = text + (scan->at - scan->begin);
            *c = (char)tolower((unsigned char)*c);
            if (size < WORD_SIZE - 1) {
                word[size++] = isprint((unsigned char)*c) ? *c : '?';
            }
        }
    }
    word[size] = '\0';
}

// The words of a facet, one line after the other; `at` says which one is to come.
static const char *const lines[] = {"facet", "outer", "vertex", "vertex", "vertex", "endloop", "endfacet"};
enum { LINES = sizeof lines / sizeof *lines };

// A solid without facets is made blank, because assimp refuses it.
struct solid {
    const char *begin; // NULL: none is open
    bool has_facets;
};

static void blank(char *from, const char *to)
{
    for (; from < to; from++) {
        *from = *from == '\n' || *from == '\r' ? *from : ' ';
    }
}

static void pass_solid(struct mesh_scan *scan, char *text, const char *line, bool begins, struct solid *solid)
{
    mesh_scan_next_line(scan); // a name, whatever it is
    if (begins && !solid->begin) {
        *solid = (struct solid){.begin = line};
    }
    if (begins) {
        return;
    }
    if (solid->begin && !solid->has_facets) {
        blank(text + (solid->begin - scan->begin), scan->at);
    }
    solid->begin = NULL;
}

static bool check_line(struct mesh_scan *scan, char *text, int *at, struct solid *solid)
{
    char word[WORD_SIZE];
    double number;
    const char *line = scan->at;
    next_word(scan, text, word);
    if (*at == 0 && (strcmp(word, "solid") == 0 || strcmp(word, "endsolid") == 0)) {
        pass_solid(scan, text, line, word[0] == 's', solid);
        return true;
    }
    solid->has_facets = true;
    if (strcmp(word, lines[*at]) != 0) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "'%s' stands where '%s' was to come", word, lines[*at]);
    }
    if (*at <= 1) {
        const char *second = *at == 0 ? "normal" : "loop";
        next_word(scan, text, word);
        if (strcmp(word, second) != 0) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "'%s' stands where '%s' was to come", word, second);
        }
    }
    if (*at == 0) {
        mesh_scan_next_line(scan); // the normal follows from the corners
    } else {
        for (int axis = 0; strcmp(lines[*at], "vertex") == 0 && axis < 3; axis++) {
            if (!mesh_scan_f64(scan, "a coordinate", &number)) {
                return false;
            }
        }
        if (!mesh_scan_end_of_line(scan, lines[*at])) {
            return false;
        }
    }
    *at = (*at + 1) % LINES;
    return true;
}

static bool check_text(const char *name, char *text, size_t size, struct fault *fault)
{
    struct mesh_scan scan;
    struct solid solid = {0};
    int at = 0;
    bool any = false;
    bool ok = mesh_scan_init(&scan, name, text, size, fault);
    while (ok && mesh_scan_content(&scan)) {
        ok = check_line(&scan, text, &at, &solid);
        any = any || at != 0;
    }
    if (ok && !any) {
        ok = fault_set(fault, FAULT_INVALID, NULL, "%.180s: there are no triangles in it", name);
    }
    if (ok && at != 0) {
        ok = mesh_scan_refuse(&scan, FAULT_INVALID, "the file ends where '%s' was to come", lines[at]);
    }
    mesh_scan_deinit(&scan);
    return ok;
}

bool mesh_check_stl(const char *name, char *bytes, size_t size, size_t *skip, struct fault *fault)
{
    *skip = 0;
    uint64_t needed = UINT64_MAX;
    if (size >= HEAD_SIZE) {
        const uint8_t *count = (const uint8_t *)bytes + HEAD_SIZE - 4;
        needed = HEAD_SIZE + TRIANGLE_SIZE * ((uint64_t)count[0] | (uint64_t)count[1] << 8 |
                                              (uint64_t)count[2] << 16 | (uint64_t)count[3] << 24);
    }
    if (size == needed) {
        return size > HEAD_SIZE ||
               fault_set(fault, FAULT_INVALID, NULL, "%.180s: there are no triangles in it", name);
    }
    if (begins_with_solid(bytes, size) && !memchr(bytes, '\0', size)) {
        const bool ok = check_text(name, bytes, size, fault);
        while (ok && isspace((unsigned char)bytes[*skip])) {
            ++*skip;
        }
        return ok;
    }
    if (size < HEAD_SIZE) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: it is no STL: text begins with 'solid', and bytes are %d or more", name,
                         HEAD_SIZE);
    }
    const unsigned long long triangles = (needed - HEAD_SIZE) / TRIANGLE_SIZE;
    if (size < needed) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: %llu triangles are promised, but the file ends after %zu; is it an STL?",
                         name, triangles, (size - HEAD_SIZE) / TRIANGLE_SIZE);
    }
    return fault_set(fault, FAULT_INVALID, NULL,
                     "%.180s: %zu bytes follow the %llu triangles that are promised", name,
                     (size_t)(size - needed), triangles);
}
