// Types that generated structs are made of, and the tables that describe them.
#ifndef WEFT_PROTOCOL_TYPES_H
#define WEFT_PROTOCOL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum protocol_arrays_mode { PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAYS_BIN, PROTOCOL_ARRAYS_PLAIN };
enum protocol_errors_mode { PROTOCOL_ERRORS_ARRAY, PROTOCOL_ERRORS_MAP };

struct protocol_string {
    const char *data; // UTF-8, not terminated
    uint32_t size;
};

// A string of a text that ends with a zero.
static inline struct protocol_string protocol_text(const char *text)
{
    return (struct protocol_string){.data = text, .size = (uint32_t)strlen(text)};
}

// For generated structs that are filled in by hand: every field is there.
#define PROTOCOL_HAS_ALL UINT64_MAX

// A thing by its id, or by its name where id is 0.
struct protocol_ref {
    uint32_t id;
    struct protocol_string name;
};

// Items of the generated struct that the field names.
struct protocol_list {
    const void *items;
    uint32_t count;
};

// One edit of a list of them, or the answer to it.
struct protocol_call {
    int method;         // enum protocol_method; -1: unread is still to be read (protocol_answers_read)
    void *value;        // generated struct: of its parameters, or of its result
    const void *unread; // const msgpack_object *
};

// One MessagePack value, already packed.
struct protocol_raw {
    const void *data;
    size_t size;
};

enum protocol_type {
    PROTOCOL_TYPE_BOOL,    // bool
    PROTOCOL_TYPE_U32,     // uint32_t
    PROTOCOL_TYPE_U64,     // uint64_t, at most 2^53 - 1
    PROTOCOL_TYPE_FLOAT,   // double
    PROTOCOL_TYPE_STRING,  // struct protocol_string
    PROTOCOL_TYPE_ENUM,    // int: position in values
    PROTOCOL_TYPE_FLAGS,   // uint32_t: bit for each of values; on the wire a list of strings
    PROTOCOL_TYPE_REF,     // struct protocol_ref
    PROTOCOL_TYPE_VEC3,    // double[3]; on the wire an array of three numbers (any encoding)
    PROTOCOL_TYPE_VEC4,    // double[4]; four of them
    PROTOCOL_TYPE_NUMBERS, // struct protocol_array of f32 or f64 (bin: f32)
    PROTOCOL_TYPE_U32S,    // struct protocol_array of integers (bin: u32); checked to fit u32
    PROTOCOL_TYPE_F32S,    // struct protocol_array
    PROTOCOL_TYPE_F64S,    // struct protocol_array
    PROTOCOL_TYPE_MAP,     // the struct named by `of`, in place
    PROTOCOL_TYPE_LIST,    // struct protocol_list of the struct named by `of`
    PROTOCOL_TYPE_ANY,     // struct protocol_raw
    PROTOCOL_TYPE_CALLS, // struct protocol_list of struct protocol_call; on the wire [[method, params], ...]
    PROTOCOL_TYPE_ANSWERS, // the same; on the wire [result, ...]
};

struct protocol_struct;

struct protocol_field {
    const char *name;
    enum protocol_type type;
    uint32_t offset;
    bool required;
    bool optional; // may be absent when encoding
    bool has_default;
    bool scalar;    // one number, or an array of one, stands for all elements
    bool name_like; // a name: UTF-8 without a protocol_name_flaw, at most limit name_bytes
    bool partial;   // a nested map whose absent fields keep no default (its has bits tell)
    bool exclusive_min;
    uint32_t most;     // items of a list; 0: as many as a message holds
    uint32_t multiple; // length of an array must be a multiple; 0 if free
    double min, max;   // of numbers and of elements; -inf and inf if free
    double defaults[4];
    const char *default_string;
    const char *const *values; // of enums and flags
    uint32_t value_count;
    const struct protocol_struct *of;
    const char *unit; // NULL if none
};

struct protocol_struct {
    const char *name;
    size_t size;
    const struct protocol_field *fields;
    uint32_t field_count;
};

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
    bool record; // it changes the future of a world
    enum protocol_role role;
};

#endif
