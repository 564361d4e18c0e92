// Vectors from their files: JSON, hexadecimal, and JSON as MessagePack.
#ifndef WEFT_TESTS_WIRE_JSON_H
#define WEFT_TESTS_WIRE_JSON_H

#include <jansson.h>
#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

json_t *vectors_load(const char *file);                         // json_decref
const char *vector_name(const json_t *vector);                  // for messages
struct bytes vector_hex(const json_t *vector, const char *key); // free(data)
uint64_t vector_u64(const json_t *vector, const char *key);
double json_number(const json_t *value);                        // also "NaN", "inf", "-inf"
const char *vector_text(const json_t *vector, const char *key); // NULL if absent
// Numbers into floats, for which there is room: out, or NULL if absent.
const float *vector_floats(const json_t *vector, const char *key, float *out);
// Calls check for each vector of a list, which must not be empty.
void vectors_each(const char *file, const char *list, void (*check)(const json_t *vector));

// Of cmocka, which is included before it is used.
#define CHECK(vector, condition)                                                    \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fail_msg("\"%s\": does not hold: %s", vector_name(vector), #condition); \
        }                                                                           \
    } while (0)

// Unpacks the whole of bytes; msgpack_zone_destroy(zone) after use.
msgpack_object bytes_unpack(struct bytes bytes, msgpack_zone *zone);
bool object_equals(const msgpack_object *object, const json_t *value);       // numbers by value, maps by key
const msgpack_object *object_at(const msgpack_object *map, const char *key); // NULL if absent
void value_pack(const json_t *value, msgpack_packer *packer);

#endif
