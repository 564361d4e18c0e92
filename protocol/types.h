// Types that generated structs are made of, and the tables that describe these structs and the methods. Pointers in them
// are views: into the message they were decoded from, or into its zone.
#ifndef WEFT_PROTOCOL_TYPES_H
#define WEFT_PROTOCOL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// How a session wants arrays of numbers (array.h) and errors (error.h); session.hello says it.
enum protocol_arrays_mode { PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAYS_BIN, PROTOCOL_ARRAYS_PLAIN };
enum protocol_errors_mode { PROTOCOL_ERRORS_ARRAY, PROTOCOL_ERRORS_MAP };

struct protocol_string {
    const char *data; // UTF-8, not terminated
    uint32_t size;
};

// A view of a terminated text.
static inline struct protocol_string protocol_text(const char *text)
{
    return (struct protocol_string){.data = text, .size = (uint32_t)strlen(text)};
}

// `has` of a generated struct that is filled in by hand and has every field.
#define PROTOCOL_HAS_ALL UINT64_MAX

// A body, collider, world ..., by its id, or by its name if id is 0.
struct protocol_ref {
    uint32_t id;
    struct protocol_string name;
};

// An array of the generated struct that the field's `of` describes.
struct protocol_list {
    const void *items;
    uint32_t count;
};

// One edit of a batch, or the result of one.
struct protocol_call {
    int method;         // enum protocol_method; -1: a result that protocol_answers_read has yet to decode
    void *value;        // the generated struct of the method's parameters, or of its result
    const void *unread; // if method is -1, the result as a const msgpack_object *
};

// The bytes of one packed MessagePack value.
struct protocol_raw {
    const void *data;
    size_t size;
};

// The type of a field, with the type of its member in the C struct.
enum protocol_type {
    PROTOCOL_TYPE_BOOL,    // bool
    PROTOCOL_TYPE_U32,     // uint32_t
    PROTOCOL_TYPE_U64,     // uint64_t, at most 2^53 - 1
    PROTOCOL_TYPE_FLOAT,   // double
    PROTOCOL_TYPE_STRING,  // struct protocol_string
    PROTOCOL_TYPE_ENUM,    // int: position in values; on the wire a string
    PROTOCOL_TYPE_FLAGS,   // uint32_t: a bit for each of values; on the wire a list of strings
    PROTOCOL_TYPE_REF,     // struct protocol_ref; on the wire an integer or a string
    PROTOCOL_TYPE_VEC3,    // double[3]; on the wire an array of three numbers in any form of array.h
    PROTOCOL_TYPE_VEC4,    // double[4]; on the wire an array of four
    PROTOCOL_TYPE_NUMBERS, // struct protocol_array of numbers; bytes of bin are f32
    PROTOCOL_TYPE_U32S,    // struct protocol_array of integers that fit u32; bytes of bin are u32
    PROTOCOL_TYPE_F32S,    // struct protocol_array
    PROTOCOL_TYPE_F64S,    // struct protocol_array
    PROTOCOL_TYPE_MAP,     // the struct that `of` describes, in place
    PROTOCOL_TYPE_LIST,    // struct protocol_list of the struct that `of` describes
    PROTOCOL_TYPE_ANY,     // struct protocol_raw
    PROTOCOL_TYPE_CALLS, // struct protocol_list of struct protocol_call; on the wire [[method, params], ...]
    PROTOCOL_TYPE_ANSWERS, // struct protocol_list of struct protocol_call; on the wire [result, ...]
};

struct protocol_struct;

struct protocol_field {
    const char *name;
    enum protocol_type type;
    uint32_t offset; // of the member in the C struct, bytes
    bool required;   // decoding refuses a map without it
    bool optional;   // encoding leaves it out unless its `has` bit is set
    bool has_default;
    bool scalar;        // one number, or an array of one, stands for all elements
    bool name_like;     // a name: UTF-8 without a protocol_name_flaw, of at most PROTOCOL_LIMIT_NAME_BYTES
    bool partial;       // a nested map of changes: its absent fields are zero, not their default
    bool exclusive_min; // min itself is not allowed
    uint32_t most;      // items of a list; 0: as many as a message holds
    uint32_t multiple;  // the length of an array is a multiple of it; 0: any length
    double min, max;    // of a number or of each element; -inf and inf: any
    double defaults[4];
    const char *default_string;
    const char *const *values; // the strings of an enum or of flags
    uint32_t value_count;
    const struct protocol_struct *of; // of MAP and LIST
    const char *unit;                 // NULL: none
};

struct protocol_struct {
    const char *name;
    size_t size;
    const struct protocol_field *fields;
    uint32_t field_count;
};

// The kind of a method. Methods of class SERVER are answered by the server itself, all others by one world.
enum protocol_class {
    PROTOCOL_CLASS_SERVER,
    PROTOCOL_CLASS_QUERY,
    PROTOCOL_CLASS_EDIT,
    PROTOCOL_CLASS_INPUT,
    PROTOCOL_CLASS_CONTROL,
};

// The role that a caller of a method needs. Each role may do everything that those before it may. For a method that names a world
// it is the role in that world, else the role in the server.
enum protocol_role {
    PROTOCOL_ROLE_ANYONE,
    PROTOCOL_ROLE_VIEWER,
    PROTOCOL_ROLE_EDITOR,
    PROTOCOL_ROLE_OWNER,
    PROTOCOL_ROLE_ADMIN,
};

struct protocol_method_info {
    const char *name;
    enum protocol_class class_;
    const struct protocol_struct *params;
    const struct protocol_struct *result;
    bool record; // it changes the future of a world, and becomes a record
    enum protocol_role role;
};

#endif
