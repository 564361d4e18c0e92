// MessagePack values from text, so that tests show what they send.
//
//     nil true false 12 -3 1.5 NaN inf -inf "text"  [a, b]  {"name": value, …}  (keys may be any value)
//     f32[1, 2]  u8[…] …         typed arrays
//     bin"00ff"  str"c328"  ext17"0000803f"          bytes in hexadecimal; the number of ext too
#ifndef WEFT_TESTS_PROTOCOL_HELPER_VALUE_H
#define WEFT_TESTS_PROTOCOL_HELPER_VALUE_H

#include <msgpack.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

// Owns its bytes, tightly allocated, so that a sanitizer sees who reads past them.
struct value {
    struct bytes bytes;
    msgpack_zone zone;
    msgpack_object object;
};

struct bytes value_bytes(const char *text); // free(data)
void value_init(struct value *value, const char *text);
void value_init_bytes(struct value *value, const void *data, size_t size); // the whole of data is one value
void value_deinit(struct value *value);

struct bytes bytes_from_hex(const char *hex);                               // spaces are skipped
const msgpack_object *value_at(const msgpack_object *map, const char *key); // NULL if absent

#endif
