// Private to params.c, take.c, calls.c and refuse.c. Every take_ and check_ function returns false, with the decoder's error
// set, if the value is refused. Every refuse_ function sets that error and returns false.
#ifndef WEFT_PROTOCOL_DECODE_H
#define WEFT_PROTOCOL_DECODE_H

#include "protocol/array.h"
#include "protocol/types.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct protocol_error;

// A map that is being decoded. The chain up to the root gives the dotted path for error texts, such as "bodies[2].pins".
struct protocol_place {
    const struct protocol_place *up;
    const struct protocol_field *field; // the field that holds this map; NULL at the root
    bool in_list;
    uint32_t index; // in the list, if in_list
};

struct protocol_decoder {
    msgpack_zone *zone; // lists, nested structs and packed values are allocated in it
    struct protocol_error *error;
    const char *left_out; // a field of one map that must be absent, even if required; NULL: none
    const struct protocol_place *left_at; // the place of that map
    uint32_t *items_left; // items that all lists within a list of calls may still have; NULL: no common bound
    // take_map of params.c: decodes map (NULL: no fields) into out, type->size bytes. partial: see protocol_field.
    bool (*take_map)(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const struct protocol_struct *type, const msgpack_object *map, bool partial, void *out);
};

// refuse.c. The text is the path of field `name`, then the formatted text. value is the refused value as text; it may be NULL.
bool protocol_refuse(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const char *name, const char *value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
bool protocol_refuse_type(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value);
bool protocol_refuse_unknown(const struct protocol_decoder *decoder, const struct protocol_place *place,
                             const struct protocol_struct *type, const msgpack_object *key);
bool protocol_refuse_memory(const struct protocol_decoder *decoder);

// take.c. Checks that number is finite and in the field's range.
bool protocol_check_number(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, double number);
// Takes an integer in 0 ... most and in the field's range, also if it came as a float.
bool protocol_take_integer(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value, uint64_t most,
                           uint64_t *out);
bool protocol_take_string(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value,
                          struct protocol_string *out);
bool protocol_take_ref(const struct protocol_decoder *decoder, const struct protocol_place *place,
                       const struct protocol_field *field, const msgpack_object *value,
                       struct protocol_ref *out);
// Takes a string of the field's values; *out is its position among them.
bool protocol_take_position(const struct protocol_decoder *decoder, const struct protocol_place *place,
                            const struct protocol_field *field, const msgpack_object *value, uint32_t *out);
bool protocol_take_flags(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value, uint32_t *out);
// Takes an array of count numbers, 3 or 4.
bool protocol_take_vector(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value, uint32_t count,
                          double *out);
bool protocol_take_array(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_array *out);

// calls.c. Take lists of struct protocol_call: edits with their parameters, and results that are not decoded yet.
bool protocol_take_calls(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_list *out);
bool protocol_take_answers(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value,
                           struct protocol_list *out);
// Refuses a list that has more items than the field's `most`.
bool protocol_check_most(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, uint32_t count);

#endif
