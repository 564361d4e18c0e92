// NumPy's .npy files, as numpy.lib.format describes them:
//
//     "\x93NUMPY" · major u8 · minor u8 · size of the header u16 (1.0) or u32 (2.0, 3.0), little-endian
//     header: a Python dict as text, {'descr': '<f8', 'fortran_order': False, 'shape': (12, 3), }, padded
//     the numbers
//
// Read are whole and floating numbers, little-endian, in C's order, of any shape: they come one after another, in rows
// that fit what they are for.
#include "protocol/scene/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 4096, NUMBERS_MAX = 1 << 26 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie in memory");

static bool refuse(struct scene_reader *reader, const char *path, const char *why)
{
    return scene_refuse(reader, "\"%.100s\" %s", path, why);
}

// Finds the value behind 'key': in the header, after blanks. NULL if there is none.
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at) {
        return NULL;
    }
    at += strlen(key);
    at += strspn(at, " ");
    if (*at != ':') {
        return NULL;
    }
    at++;
    return at + strspn(at, " ");
}

// The product of a tuple's numbers, and the length of its rows: 0 of a list.
static bool read_shape(const char *at, uint64_t *count, uint64_t *row)
{
    uint32_t dimensions = 0;
    *count = 1;
    *row = 0;
    if (*at++ != '(') {
        return false;
    }
    for (at += strspn(at, " "); *at != ')'; at += strspn(at, ", ")) {
        char *end;
        if (*at < '0' || *at > '9') {
            return false;
        }
        uint64_t size = strtoull(at, &end, 10);
        if (size > SCENE_FILE_BYTES_MAX || (size > 0 && *count > SCENE_FILE_BYTES_MAX / size)) {
            return false;
        }
        *count *= size;
        *row = dimensions++ > 0 ? size : 0;
        at = end;
    }
    return true;
}

// X(descr, C type)
#define TYPES(X)       \
    X("<f8", double)   \
    X("<f4", float)    \
    X("<u4", uint32_t) \
    X("<i4", int32_t)  \
    X("<u8", uint64_t) \
    X("<i8", int64_t)  \
    X("<u2", uint16_t) \
    X("<i2", int16_t)  \
    X("|u1", uint8_t)  \
    X("|i1", int8_t)

static bool convert(const char *descr, const uint8_t *data, size_t size, uint64_t count, double *out,
                    bool *fits)
{
#define X(NAME, T)                                              \
    if (strncmp(descr, "'" NAME "'", 5) == 0) {                 \
        *fits = count <= size / sizeof(T);                      \
        for (uint64_t i = 0; *fits && out && i < count; i++) {  \
            T item;                                             \
            memcpy(&item, data + i * sizeof item, sizeof item); \
            out[i] = (double)item;                              \
        }                                                       \
        return true;                                            \
    }
    TYPES(X)
#undef X
    return false;
}

bool scene_npy_parse(struct scene_reader *reader, const char *path, const void *bytes, size_t size,
                     uint32_t columns, double **numbers, size_t *count)
{
    const uint8_t *data = bytes;
    char header[HEADER_MAX];
    *numbers = NULL;
    if (size < 12 || memcmp(data, "\x93NUMPY", 6) != 0 || data[6] < 1 || data[6] > 3) {
        return refuse(reader, path, "is no .npy file");
    }
    size_t at = data[6] == 1 ? 10 : 12, header_size = (size_t)data[8] | (size_t)data[9] << 8;
    if (data[6] > 1) {
        header_size |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
    }
    if (header_size >= sizeof header || header_size > size - at) {
        return refuse(reader, path, "has a header that is too long, or cut off");
    }
    memcpy(header, data + at, header_size);
    header[header_size] = '\0';
    data += at + header_size;
    size -= at + header_size;
    const char *descr = value_of(header, "'descr'"), *shape = value_of(header, "'shape'");
    const char *order = value_of(header, "'fortran_order'");
    uint64_t items = 0, row = 0;
    bool fits = false;
    if (!descr || !shape || !order || !read_shape(shape, &items, &row)) {
        return refuse(reader, path, "has a header that is not numpy's");
    }
    if (strncmp(order, "False", 5) != 0) {
        return refuse(reader, path, "is in Fortran's order; save it with numpy.ascontiguousarray");
    }
    if (!convert(descr, data, size, items, NULL, &fits)) {
        return refuse(reader, path, "holds no little-endian numbers of 8 bytes or less");
    }
    if (items > NUMBERS_MAX) {
        return refuse(reader, path, "holds more than 67108864 numbers");
    }
    if (!fits) {
        return refuse(reader, path, "is shorter than its header says");
    }
    if (row > 1 && columns > 1 && row % columns != 0) {
        return scene_refuse(reader, "\"%.100s\" has rows of %llu; must be of %u", path,
                            (unsigned long long)row, columns);
    }
    *numbers = malloc((items + 1) * sizeof **numbers);
    if (!*numbers) {
        return scene_refuse_memory(reader);
    }
    *count = items;
    return convert(descr, data, size, items, *numbers, &fits);
}

size_t scene_npy_head(char out[256], enum scene_npy_type type, size_t count, uint32_t columns)
{
    static const char *const descr[] = {
        [SCENE_NPY_F64] = "<f8", [SCENE_NPY_F32] = "<f4", [SCENE_NPY_U32] = "<u4"};
    char shape[64];
    if (columns > 1) {
        snprintf(shape, sizeof shape, "(%zu, %u)", count, columns);
    } else {
        snprintf(shape, sizeof shape, "(%zu,)", count);
    }
    int size =
        snprintf(out + 10, 200, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr[type], shape);
    // The numbers begin at a multiple of 64, after a newline.
    size_t total = ((size_t)size + 10 + 1 + 63) / 64 * 64;
    memset(out + 10 + size, ' ', total - 10 - (size_t)size);
    out[total - 1] = '\n';
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    memcpy(out, magic, sizeof magic);
    out[8] = (char)(uint8_t)((total - 10) & 0xff);
    out[9] = (char)(uint8_t)((total - 10) >> 8);
    return total;
}
