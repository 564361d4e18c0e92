// An OBJ as assimp reads it without fail: v with three numbers, f with indices of vertices from 1, o and g.
//
// assimp stumbles over much that is common: blanks before a word, comments behind one, ".5", "1.", a fourth coordinate,
// lines that end with \r. The strict reader (protocol/scene/obj.h) has taken the text before this, so what stands here
// are whole statements; it has the same idea of where a statement ends.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 80 };

struct plain {
    const char *at, *end;
    char *text;
    size_t size, capacity;
    long long vertices; // so far
    locale_t locale;
};

static bool put(struct plain *plain, const char *bytes, size_t size)
{
    if (!mesh_reserve((void **)&plain->text, &plain->capacity, plain->size, size + 1, 1))
        return false;
    memcpy(plain->text + plain->size, bytes, size);
    plain->size += size;
    return true;
}

static size_t line_end(const struct plain *plain, const char *at)
{
    if (at == plain->end || (*at != '\n' && *at != '\r'))
        return 0;
    return *at == '\r' && at + 1 < plain->end && at[1] == '\n' ? 2 : 1;
}

// Past blanks and ends of lines that are continued. False at the end of the statement.
static bool more(struct plain *plain)
{
    while (plain->at < plain->end) {
        const char c = *plain->at;
        const size_t continued = c == '\\' ? line_end(plain, plain->at + 1) : 0;
        if (c != ' ' && c != '\t' && c != '\0' && !continued)
            return c != '\n' && c != '\r' && c != '#';
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
    if (!more(plain))
        return false;
    const char *begin = plain->at;
    for (; goes_on(plain); plain->at++) {
        if (size < WORD_SIZE - 1)
            word[size++] = *plain->at;
    }
    word[size] = '\0';
    plain->at += plain->at == begin; // a backslash that continues nothing
    return true;
}

static bool put_vertex(struct plain *plain)
{
    char word[WORD_SIZE], line[4 * WORD_SIZE];
    double position[3] = {0};
    for (int axis = 0; axis < 3 && next_word(plain, word); axis++)
        position[axis] = strtod_l(word, NULL, plain->locale);
    plain->vertices++;
    const locale_t before = uselocale(plain->locale);
    const int size = snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", position[0], position[1], position[2]);
    uselocale(before);
    return put(plain, line, (size_t)size);
}

// The vertex of a corner v, v/vt, v//vn or v/vt/vn. The strict reader has seen to it that there are digits, and that
// what they come to is small; zeros before them may be many.
static long long take_corner(struct plain *plain)
{
    long long value = 0;
    const bool negative = *plain->at == '-';
    for (plain->at += negative; plain->at < plain->end && *plain->at >= '0' && *plain->at <= '9'; plain->at++)
        value = 10 * value + (*plain->at - '0');
    while (goes_on(plain))
        plain->at++;
    return negative ? plain->vertices + 1 - value : value;
}

static bool put_face(struct plain *plain)
{
    char corner[32];
    bool ok = put(plain, "f", 1);
    while (ok && more(plain)) {
        const int size = snprintf(corner, sizeof corner, " %lld", take_corner(plain));
        ok = put(plain, corner, (size_t)size);
    }
    return ok && put(plain, "\n", 1);
}

// o and g with the rest of the line as their name. Nothing continues it, neither here nor where it is read again.
static bool put_name(struct plain *plain, const char *word)
{
    char name[MESH_NAME_SIZE];
    size_t size = 0;
    for (; plain->at < plain->end && !line_end(plain, plain->at); plain->at++) {
        if (*plain->at == '#' && (size == 0 || name[size - 1] == ' '))
            break;
        const char c = (unsigned char)*plain->at <= ' ' ? ' ' : *plain->at;
        if (size < sizeof name - 1 && (size > 0 || c != ' '))
            name[size++] = c;
    }
    while (size > 0 && (name[size - 1] == ' ' || name[size - 1] == '\\'))
        size--;
    return put(plain, word, 1) && put(plain, " ", 1) &&
           (size > 0 ? put(plain, name, size) : put(plain, "mesh", 4)) && put(plain, "\n", 1);
}

static bool put_statement(struct plain *plain)
{
    char word[WORD_SIZE];
    if (!next_word(plain, word))
        return true;
    if (strcmp(word, "v") == 0)
        return put_vertex(plain);
    if (strcmp(word, "f") == 0)
        return put_face(plain);
    if (strcmp(word, "o") == 0 || strcmp(word, "g") == 0)
        return put_name(plain, word);
    return true;
}

bool mesh_plain_obj(const char *bytes, size_t size, char **text, size_t *text_size, struct mesh_error *error)
{
    struct plain plain = {.at = bytes, .end = bytes + size};
    plain.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool ok = plain.locale != (locale_t)0;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        plain.at += 3;
    while (ok && plain.at < plain.end) {
        ok = put_statement(&plain);
        while (plain.at < plain.end && !line_end(&plain, plain.at))
            plain.at++;
        plain.at += line_end(&plain, plain.at);
    }
    if (plain.locale != (locale_t)0)
        freelocale(plain.locale);
    if (!ok) {
        free(plain.text);
        return mesh_fail_memory(error);
    }
    *text = plain.text;
    *text_size = plain.size;
    return true;
}
