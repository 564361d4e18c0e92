// Shared by the files of this folder, and needed by nobody else.
//
//     text ─▶ jansson ─▶ read.c ─┬▶ read_body.c ─▶ generate.c, obj.c, npy.c, place.c, select.c, material.c
//                                ├▶ read_links.c (constraints, motions) ─▶ select.c
//                                └▶ emit.c: what is the document's own, by its table ─▶ bytes
//
// Functions that can fail return false with the reader's error set.
#ifndef WEFT_PROTOCOL_SCENE_INTERNAL_H
#define WEFT_PROTOCOL_SCENE_INTERNAL_H

#include "protocol/bytes.h"
#include "protocol/generated/api.h"
#include "protocol/scene/scene.h"

#include <jansson.h>
#include <stdint.h>

enum { SCENE_PLACE_SIZE = 128 };
#define SCENE_FILE_BYTES_MAX ((size_t)512 << 20) // of any file
#define SCENE_JSON_BYTES_MAX ((size_t)64 << 20)  // of the scene itself

// A map whose entries are counted as they come.
struct scene_map {
    struct protocol_bytes bytes;
    msgpack_packer packer;
    uint32_t count;
};

// A body while the scene is read: the places of its particles, for selections that point at them.
struct scene_body {
    char name[SCENE_NAME_SIZE];
    uint32_t id;
    int kind; // as in the document; -1: not said
    double *positions;
    uint32_t count; // particles
    uint32_t *elements;
    uint32_t element_count, corners; // 3 triangles, 2 edges, 4 tetrahedra, 0 none
    uint32_t columns, rows;          // of a grid's particles; 0 where it is none
    bool made;                       // by a generator or from a mesh, and not by arrays
    bool welded;                     // indices change when it is opened
};

struct scene_reader {
    const char *file; // as in errors
    int folder;       // where files are looked for; -1: nowhere
    struct scene_error *error;
    char place[SCENE_PLACE_SIZE]; // being read: bodies[2].pins
    struct scene_body *bodies;
    uint32_t body_count;
    uint64_t particles;      // of all bodies so far
    const json_t *colliders; // the list; NULL: none
    double resolution;       // m, of the world; as said, right or wrong
};

// error.c
bool scene_refuse(struct scene_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool scene_refuse_memory(struct scene_reader *reader);
// The place of a part of what is read now; leave with what enter returned.
size_t scene_enter(struct scene_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void scene_leave(struct scene_reader *reader, size_t before);
// A name ends so.
bool scene_ends_with(const char *name, const char *ending);
// Refuses members that are in none of the lists (NULL at the end of each).
bool scene_check_members(struct scene_reader *reader, const json_t *object, const char *const *known,
                         const struct protocol_struct *type);
// The name of a thing must be a string before anything that refers to it is read.
bool scene_check_name(struct scene_reader *reader, const json_t *object);

// bytes.c
void scene_map_init(struct scene_map *map);
void scene_map_deinit(struct scene_map *map);
void scene_map_key(struct scene_map *map, const char *key);                  // a value must follow
void scene_map_end(const struct scene_map *map, struct protocol_bytes *out); // with its head
void scene_pack_string(msgpack_packer *packer, const char *text);

// read.c: a scene from its text; open.c finds that.
bool scene_read_text(struct scene_reader *reader, const char *text, size_t size, struct scene *scene);

// files.c: files of the scene's folder or below it, never by a symbolic link. The page has its own: files that were given to it.
bool scene_file_read(struct scene_reader *reader, const char *path, void **bytes, size_t *size);

// npy.c
enum scene_npy_type { SCENE_NPY_F64, SCENE_NPY_F32, SCENE_NPY_U32 };
// Numbers of any of numpy's little-endian types, in the order of the file. Refuses others and Fortran order, and
// where it has rows, those of another length than so many columns.
bool scene_npy_parse(struct scene_reader *reader, const char *path, const void *bytes, size_t size,
                     uint32_t columns, double **numbers, size_t *count);
// Head of a file of `count` rows of `columns` numbers; returns its size.
size_t scene_npy_head(char out[256], enum scene_npy_type type, size_t count, uint32_t columns);

// numbers.c
// Numbers in a list, in rows, or in a .npy file: malloc'd. A row has a multiple of so many columns; 0 or 1: any
// number. integers says whether all are u32.
bool scene_numbers(struct scene_reader *reader, const json_t *value, uint32_t columns, double **numbers,
                   size_t *count, bool *integers);
bool scene_number(struct scene_reader *reader, const json_t *value, double least, double most,
                  double *number);
bool scene_whole(struct scene_reader *reader, const json_t *value, uint32_t least, uint32_t most,
                 uint32_t *number);
bool scene_vector(struct scene_reader *reader, const json_t *value, uint32_t count, double *out);
// Members of an object; the place is entered for them. Absent ones leave *out and return true.
bool scene_member_number(struct scene_reader *reader, const json_t *object, const char *key, double least,
                         double most, double *out);
bool scene_member_whole(struct scene_reader *reader, const json_t *object, const char *key, uint32_t least,
                        uint32_t most, uint32_t *out);
bool scene_member_vector(struct scene_reader *reader, const json_t *object, const char *key, uint32_t count,
                         double *out);
// u32 where they are that, else f64.
void scene_pack_numbers(msgpack_packer *packer, const double *numbers, size_t count, bool integers);

// emit.c: a value as the document has it. field NULL: nothing is known of it.
bool scene_emit(struct scene_reader *reader, const struct protocol_field *field, const json_t *value,
                msgpack_packer *packer);
// All members of an object but those named (NULL at the end).
bool scene_emit_members(struct scene_reader *reader, const struct protocol_struct *type, const json_t *object,
                        const char *const *but, struct scene_map *map);
const struct protocol_field *scene_field(const struct protocol_struct *type, const char *name); // NULL: none

// generate.c: meshes from a few numbers. place.c: scaled, turned, moved.
extern const char *const scene_generators[]; // NULL at the end
extern const char *const scene_placements[]; // NULL at the end
bool scene_generate(struct scene_reader *reader, const char *generator, const json_t *spec,
                    struct scene_body *body);
bool scene_place_body(struct scene_reader *reader, const json_t *object, struct scene_body *body);
// rotation or turn: a unit quaternion x, y, z, w. *given says whether there is one.
bool scene_rotation(struct scene_reader *reader, const json_t *object, double out[4], bool *given);

// obj.c has a header of its own, since libweft reads with it as well.

// material.c: density and compliances of a named material, for what the body does not say itself.
bool scene_material(struct scene_reader *reader, const char *name, const struct scene_body *body,
                    const json_t *object, struct scene_map *map);

// contact.c: contact, and a thickness for it, where a body that was not saved says nothing of them.
void scene_contact(const struct scene_reader *reader, const struct scene_body *body, const json_t *object,
                   bool is_rope, struct scene_map *map);

// Cosine and sine of an angle in degrees, |degrees| <= 1e9. The series is our own, because a library's result may differ in the
// last bit between machines, and a scene must be the same world on all of them. Multiples of 90 are exact.
void scene_turn(double degrees, double *cosine, double *sine);

// select.c: particles by number, by edge, by box: malloc'd, each once, ascending; or where they are to be paired,
// in the order of the list.
bool scene_select_in_order(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                           uint32_t **particles, uint32_t *count);
bool scene_select(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                  uint32_t **particles, uint32_t *count);

// read_body.c, read_links.c
bool scene_read_body(struct scene_reader *reader, const json_t *object, uint32_t index,
                     struct protocol_bytes *out);
bool scene_read_collider(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
bool scene_read_constraints(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
bool scene_read_motion(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
const struct scene_body *scene_find_body(struct scene_reader *reader, const json_t *ref); // refuses: NULL

#endif
