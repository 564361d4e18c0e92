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
double json_number(const json_t *value); // also "NaN", "inf", "-inf"

// Unpacks the whole of bytes; msgpack_zone_destroy(zone) after use.
msgpack_object bytes_unpack(struct bytes bytes, msgpack_zone *zone);
bool object_equals(const msgpack_object *object, const json_t *value);       // numbers by value, maps by key
const msgpack_object *object_at(const msgpack_object *map, const char *key); // NULL if absent
void value_pack(const json_t *value, msgpack_packer *packer);

#endif
