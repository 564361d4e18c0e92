// Wire arrays as plain C arrays, each checked. The decoder has checked types, ranges and that lengths are multiples; what an
// array must have as many of as another one is checked here.
#ifndef WEFT_DOCUMENT_READER_H
#define WEFT_DOCUMENT_READER_H

#include "protocol/array.h"
#include "protocol/error.h"

#include <msgpack.h>

// Reads values: knows their place, how to refuse wrong ones, and the zone for copies.
struct document_reader {
    msgpack_zone *zone; // NULL: copies are malloc'd, and the caller's to free
    struct protocol_error *error;
    const char *subject; // what there is no memory for: "body.set", "the document"
    // Says the place of a refused field, which its text begins with: bodies[3].triangles. NULL: it is a parameter.
    void (*locate)(const struct document_reader *reader);
    const void *of;
    const char *list; // NULL: of itself
    uint32_t index;
};

// Always false. The text begins with the field's name and a colon, where there is a field.
bool document_reader_refuse(const struct document_reader *reader, enum protocol_code code, const char *field,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));
bool document_reader_memory(const struct document_reader *reader);
void *document_reader_alloc(const struct document_reader *reader, size_t count, size_t item_size); // zeros
// per says of what: "one a particle"; NULL: nothing.
bool document_reader_count(const struct document_reader *reader, const char *field, uint32_t count,
                           uint32_t want, const char *per);
bool document_reader_u32s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, const uint32_t **out);
// count is what is needed; one number, alone or in an array, stands for all.
bool document_reader_f64s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, uint32_t count, const char *per,
                          const double **out);
bool document_reader_f32s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, uint32_t count, const char *per,
                          const float **out);

// Reads the poses of a motion: three numbers for each particle of each keyframe, never one for all.
bool document_reader_poses(const struct document_reader *reader, const struct protocol_array *array,
                           uint32_t particles, uint32_t keys, const float **out);

#endif
