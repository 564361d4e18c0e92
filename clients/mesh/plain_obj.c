// An OBJ as assimp reads it without fail: v with three numbers, f with indices of vertices from 1, o and g; and if wanted,
// vt with two numbers, vn with three, usemtl and mtllib.
//
// assimp stumbles over much that is common: blanks before a word, comments behind one, ".5", "1.", a fourth coordinate,
// lines that end with \r. The strict reader (protocol/scene/obj.h) has taken the text before this, so what stands here
// are whole statements; it has the same idea of where a statement ends.
#include "internal.h"

#include "protocol/array/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 80 };

struct plain {
    const char *at, *end;
    char *text;
    size_t size, capacity;
    bool looks;
    long long vertices, uvs, normals; // so far
    locale_t locale;
};

static bool put(struct plain *plain, const char *bytes, size_t size)
{
    if (!array_reserve(&plain->text, &plain->capacity, plain->size + size + 1)) {
        return false;
    }
    memcpy(plain->text + plain->size, bytes, size);
    plain->size += size;
    return true;
}

static size_t line_end(const struct plain *plain, const char *at)
{
    if (at == plain->end || (*at != '\n' && *at != '\r')) {
        return 0;
    }
    return *at == '\r' && at + 1 < plain->end && at[1] == '\n' ? 2 : 1;
}

// Past blanks and ends of lines that are continued. False at the end of the statement.
static bool more(struct plain *plain)
{
    while (plain->at < plain->end) {
        const char c = *plain->at;
        const size_t continued = c == '\\' ? line_end(plain, plain->at + 1) : 0;
        if (c != ' ' && c != '\t' && c != '\0' && !continued) {
            return c != '\n' && c != '\r' && c != '#';
        }
        plain->at += 1 + continued;
    }
    return false;
}

static bool goes_on(const struct plain *plain)
{
    return plain->at < plain->end && !strchr(" \t\r\n\\#", *plain->at);
}

// The next word of the statement. False if there is none.
static bool next_word(struct plain *plain, char word[WORD_SIZE])
{
    size_t size = 0;
    if (!more(plain)) {
        return false;
    }
    const char *begin = plain->at;
    for (; goes_on(plain); plain->at++) {
        if (size < WORD_SIZE - 1) {
            word[size++] = *plain->at;
        }
    }
    word[size] = '\0';
    plain->at += plain->at == begin; // a backslash that continues nothing
    return true;
}

static bool put_vertex(struct plain *plain)
{
    char word[WORD_SIZE], line[4 * WORD_SIZE];
    double position[3] = {0};
    for (int axis = 0; axis < 3 && next_word(plain, word); axis++) {
        position[axis] = strtod_l(word, NULL, plain->locale);
    }
    plain->vertices++;
    const locale_t before = uselocale(plain->locale);
    const int size = snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", position[0], position[1], position[2]);
    uselocale(before);
    return put(plain, line, (size_t)size);
}

// Numbers to the end of the line. The strict reader passes over such statements line by line, so nothing continues them.
static void take_numbers(struct plain *plain, int numbers, double *values)
{
    char word[WORD_SIZE];
    const char *end = plain->end, *line = plain->at;
    while (line < end && !line_end(plain, line)) {
        line++;
    }
    plain->end = line;
    for (int k = 0; k < numbers && next_word(plain, word); k++) {
        values[k] = strtod_l(word, NULL, plain->locale);
    }
    plain->end = end;
}

// vt and vn. The first that is written is one of zeros, for corners that name none.
static bool put_look(struct plain *plain, const char *kind, int numbers, long long *count)
{
    char line[4 * WORD_SIZE];
    double values[3] = {0};
    take_numbers(plain, numbers, values);
    for (int k = 0; k < numbers; k++) {
        values[k] = values[k] >= -1e6 && values[k] <= 1e6 ? values[k] : 0;
    }
    const locale_t before = uselocale(plain->locale);
    int size = 0;
    if (*count == 0) {
        size = snprintf(line, sizeof line, numbers == 2 ? "%s 0 0\n" : "%s 0 0 0\n", kind);
    }
    bool ok = put(plain, line, (size_t)size);
    size = numbers == 2
               ? snprintf(line, sizeof line, "%s %.9g %.9g\n", kind, values[0], values[1])
               : snprintf(line, sizeof line, "%s %.9g %.9g %.9g\n", kind, values[0], values[1], values[2]);
    uselocale(before);
    ++*count;
    return ok && put(plain, line, (size_t)size);
}

// An index of a corner, from 1; 0 where there is none. That of the vertex the strict reader has seen to: there are
// digits, and what they come to is small; zeros before them may be many.
static long long take_index(struct plain *plain, long long count)
{
    long long value = 0;
    const bool negative = plain->at < plain->end && *plain->at == '-';
    for (plain->at += negative; plain->at < plain->end && *plain->at >= '0' && *plain->at <= '9';
         plain->at++) {
        value = value < count + 1 ? 10 * value + (*plain->at - '0') : value;
    }
    return negative ? count + 1 - value : value;
}

// v, v/vt, v//vn or v/vt/vn. Indices of uvs and normals are one more here; 1 is the one of zeros.
static int take_corner(struct plain *plain, char *out, size_t size)
{
    const long long vertex = take_index(plain, plain->vertices);
    long long others[2] = {0}, counts[2] = {plain->uvs, plain->normals};
    for (int k = 0; k < 2 && plain->at < plain->end && *plain->at == '/'; k++) {
        plain->at++;
        others[k] = take_index(plain, counts[k]);
        others[k] = others[k] >= 1 && others[k] <= counts[k] ? others[k] : 0;
    }
    while (goes_on(plain)) {
        plain->at++;
    }
    if (plain->uvs > 0 && plain->normals > 0) {
        return snprintf(out, size, " %lld/%lld/%lld", vertex, others[0] + 1, others[1] + 1);
    }
    if (plain->uvs > 0) {
        return snprintf(out, size, " %lld/%lld", vertex, others[0] + 1);
    }
    if (plain->normals > 0) {
        return snprintf(out, size, " %lld//%lld", vertex, others[1] + 1);
    }
    return snprintf(out, size, " %lld", vertex);
}

static bool put_face(struct plain *plain)
{
    char corner[80];
    bool ok = put(plain, "f", 1);
    while (ok && more(plain)) {
        const int size = take_corner(plain, corner, sizeof corner);
        ok = put(plain, corner, (size_t)size);
    }
    return ok && put(plain, "\n", 1);
}

// o, g, usemtl and mtllib with the rest of the line as their name. Nothing continues it, neither here nor where it is read again.
static bool put_name(struct plain *plain, const char *word)
{
    char name[4 * MESH_NAME_SIZE];
    const size_t most = strlen(word) == 1 ? MESH_NAME_SIZE - 1 : sizeof name - 1;
    size_t size = 0;
    for (; plain->at < plain->end && !line_end(plain, plain->at); plain->at++) {
        if (*plain->at == '#' && (size == 0 || name[size - 1] == ' ')) {
            break;
        }
        const char c = (unsigned char)*plain->at <= ' ' ? ' ' : *plain->at;
        if (size < most && (size > 0 || c != ' ')) {
            name[size++] = c;
        }
    }
    while (size > 0 && (name[size - 1] == ' ' || name[size - 1] == '\\')) {
        size--;
    }
    for (size_t i = 0; *word == 'o' && i < size; i++) {
        name[i] = name[i] == ' ' ? MESH_OBJ_BLANK : name[i];
    }
    return put(plain, word, strlen(word)) && put(plain, " ", 1) &&
           (size > 0 ? put(plain, name, size) : put(plain, "mesh", 4)) && put(plain, "\n", 1);
}

static bool put_statement(struct plain *plain)
{
    char word[WORD_SIZE];
    if (!next_word(plain, word)) {
        return true;
    }
    if (strcmp(word, "v") == 0) {
        return put_vertex(plain);
    }
    if (strcmp(word, "f") == 0) {
        return put_face(plain);
    }
    if (strcmp(word, "o") == 0 || strcmp(word, "g") == 0) {
        return put_name(plain, word);
    }
    if (plain->looks && strcmp(word, "vt") == 0) {
        return put_look(plain, word, 2, &plain->uvs);
    }
    if (plain->looks && strcmp(word, "vn") == 0) {
        return put_look(plain, word, 3, &plain->normals);
    }
    if (plain->looks && (strcmp(word, "usemtl") == 0 || strcmp(word, "mtllib") == 0)) {
        return put_name(plain, word);
    }
    return true;
}

bool mesh_plain_obj(const char *bytes, size_t size, bool looks, char **text, size_t *text_size,
                    struct fault *fault)
{
    struct plain plain = {.at = bytes, .end = bytes + size, .looks = looks};
    plain.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool ok = plain.locale != (locale_t)0;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        plain.at += 3;
    }
    while (ok && plain.at < plain.end) {
        ok = put_statement(&plain);
        while (plain.at < plain.end && !line_end(&plain, plain.at)) {
            plain.at++;
        }
        plain.at += line_end(&plain, plain.at);
    }
    if (plain.locale != (locale_t)0) {
        freelocale(plain.locale);
    }
    if (!ok) {
        free(plain.text);
        return mesh_fail_memory(fault);
    }
    *text = plain.text;
    *text_size = plain.size;
    return true;
}
