// How params.c, take.c and refuse.c work together; nobody else needs this. All take_ and check_ functions
// return false with the decoder's error set.
#ifndef WEFT_PROTOCOL_DECODE_H
#define WEFT_PROTOCOL_DECODE_H

#include "protocol/array.h"
#include "protocol/types.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct protocol_error;

// The place of the decoder: one link for each map that is open.
struct protocol_place {
    const struct protocol_place *up;
    const struct protocol_field *field; // of up's struct, that holds this map; NULL at the root
    bool in_list;
    uint32_t index; // in the list
};

struct protocol_decoder {
    msgpack_zone *zone;
    struct protocol_error *error;
    const char *left_out; // a field of one map that must be absent, even if required; NULL: none
    const struct protocol_place *left_at; // where that map is
    uint32_t *items_left;                 // of all lists in one of calls; NULL: each list has its own most
    // params.c: the fields of a map, which may be NULL. out: type->size bytes.
    bool (*take_map)(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const struct protocol_struct *type, const msgpack_object *map, bool partial, void *out);
};

// Each sets the error and returns false. value, as text, may be NULL.
bool protocol_refuse(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const char *name, const char *value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
bool protocol_refuse_type(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value);
bool protocol_refuse_unknown(const struct protocol_decoder *decoder, const struct protocol_place *place,
                             const struct protocol_struct *type, const msgpack_object *key);
bool protocol_refuse_memory(const struct protocol_decoder *decoder);

// Finite and in the field's range.
bool protocol_check_number(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, double number);
// An integer in 0 ... most and in the field's range, also if it came as a float.
bool protocol_take_integer(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value, uint64_t most,
                           uint64_t *out);
bool protocol_take_string(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value,
                          struct protocol_string *out);
bool protocol_take_ref(const struct protocol_decoder *decoder, const struct protocol_place *place,
                       const struct protocol_field *field, const msgpack_object *value,
                       struct protocol_ref *out);
// Takes a value of an enum.
bool protocol_take_position(const struct protocol_decoder *decoder, const struct protocol_place *place,
                            const struct protocol_field *field, const msgpack_object *value, uint32_t *out);
bool protocol_take_flags(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value, uint32_t *out);
// count numbers: 3 or 4.
bool protocol_take_vector(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value, uint32_t count,
                          double *out);
bool protocol_take_array(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_array *out);

// calls.c. The structs live in the zone.
bool protocol_take_calls(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_list *out);
bool protocol_take_answers(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value,
                           struct protocol_list *out);
// Refuses more than the field's most.
bool protocol_check_most(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, uint32_t count);

#endif
