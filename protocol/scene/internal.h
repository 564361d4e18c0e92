// Private to the files of this folder.
//
//     text ─▶ jansson ─▶ read.c ─┬▶ read_body.c ─▶ generate.c, obj.c, npy.c, place.c, select.c, material.c
//                                ├▶ read_links.c (constraints, motions) ─▶ select.c
//                                └▶ emit.c: fields that the document has too, by its table ─▶ bytes
//
// Functions that can fail return false with the reader's fault filled. The caller frees malloc'd results.
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

// A MessagePack map that is being packed. Its head gives the number of entries, so it is written at the end.
struct scene_map {
    struct protocol_bytes bytes;
    msgpack_packer packer;
    uint32_t count;
};

// A body while the scene is read, with the positions of its particles for selections. The reader owns the arrays.
struct scene_body {
    char name[SCENE_NAME_SIZE];
    uint32_t id;
    int kind;          // the document's enum; -1: the scene does not say
    double *positions; // m, x, y, z of each particle
    uint32_t count;    // particles
    uint32_t *elements;
    uint32_t element_count, corners; // corners of an element: 3 triangles, 2 edges, 4 tetrahedra, 0 none
    uint32_t columns, rows;          // particles of a grid; 0 if it is not a grid
    bool made;                       // it comes from a generator or a mesh, not from arrays in the scene
    bool welded;                     // opening it merges particles, so their indices change
};

struct scene_reader {
    const char *file; // its name in error texts
    int folder;       // descriptor of the folder with the scene's files; -1: it may name none
    struct fault *fault;
    char place[SCENE_PLACE_SIZE]; // path of the field being read, such as "bodies[2].pins"
    struct scene_body *bodies;
    uint32_t body_count;
    uint64_t particles;      // of all bodies so far
    const json_t *colliders; // the scene's list; NULL: none
    double resolution;       // m, the world's, not checked yet
    bool long_edges;         // the world has them, not checked yet
    const json_t *materials; // the scene's own, by name; NULL: none
    json_t *materials_file;  // owns them if they come from a file
    json_t *table;           // scene_fabrics
};

// error.c. The text is "file: place: " and the formatted text.
bool scene_refuse(struct scene_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool scene_refuse_memory(struct scene_reader *reader);
// Appends a part to reader->place. Returns what scene_leave needs to remove it.
size_t scene_enter(struct scene_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void scene_leave(struct scene_reader *reader, size_t before);
// Whether name ends in `ending` and is longer than it.
bool scene_ends_with(const char *name, const char *ending);
// Refuses members of object that are neither in `known` (NULL at its end) nor fields of type. Both may be NULL.
bool scene_check_members(struct scene_reader *reader, const json_t *object, const char *const *known,
                         const struct protocol_struct *type);
// Refuses a "name" that is not a string. It is called before anything that refers to the name is read.
bool scene_check_name(struct scene_reader *reader, const json_t *object);

// map.c
void scene_map_init(struct scene_map *map);
void scene_map_deinit(struct scene_map *map);
void scene_map_key(struct scene_map *map, const char *key); // the caller then packs one value
void scene_map_end(const struct scene_map *map, struct protocol_bytes *out); // appends the map to out
void scene_pack_string(msgpack_packer *packer, const char *text);

// read.c. Makes a scene from its text, which open.c reads.
bool scene_read_text(struct scene_reader *reader, const char *text, size_t size, struct scene *scene);

// files.c. Reads a file in the scene's folder or below it, and follows no symbolic link. A browser page has its own version, for
// files that were given to it. *bytes is malloc'd.
bool scene_file_read(struct scene_reader *reader, const char *path, void **bytes, size_t *size);

// npy.c
enum scene_npy_type { SCENE_NPY_F64, SCENE_NPY_F32, SCENE_NPY_U32 };
// Reads numbers of any of numpy's little-endian types, in the order of the file. Refuses other types and Fortran order, and a
// file of rows whose length is not a multiple of `columns`. *numbers is malloc'd.
bool scene_npy_parse(struct scene_reader *reader, const char *path, const void *bytes, size_t size,
                     uint32_t columns, double **numbers, size_t *count);
// Writes the header of a .npy file of `count` rows of `columns` numbers; returns its size.
size_t scene_npy_head(char out[256], enum scene_npy_type type, size_t count, uint32_t columns);

// numbers.c
// Takes numbers from a list, a list of rows, or a .npy file that value names. The length of a row is a multiple of `columns`; 0
// or 1: any length. *numbers is malloc'd. *integers says whether all fit a uint32_t.
bool scene_numbers(struct scene_reader *reader, const json_t *value, uint32_t columns, double **numbers,
                   size_t *count, bool *integers);
bool scene_number(struct scene_reader *reader, const json_t *value, double least, double most,
                  double *number);
bool scene_whole(struct scene_reader *reader, const json_t *value, uint32_t least, uint32_t most,
                 uint32_t *number);
bool scene_vector(struct scene_reader *reader, const json_t *value, uint32_t count, double *out);
// Take a member of an object, with its key in the place for errors. An absent member leaves *out as it is, and returns true.
bool scene_member_number(struct scene_reader *reader, const json_t *object, const char *key, double least,
                         double most, double *out);
bool scene_member_whole(struct scene_reader *reader, const json_t *object, const char *key, uint32_t least,
                        uint32_t most, uint32_t *out);
bool scene_member_vector(struct scene_reader *reader, const json_t *object, const char *key, uint32_t count,
                         double *out);
// Packs numbers as a typed array: u32 if `integers`, else f64.
void scene_pack_numbers(msgpack_packer *packer, const double *numbers, size_t count, bool integers);

// emit.c. Packs a value in the document's form, which its field decides. field may be NULL: then by the value's type alone.
bool scene_emit(struct scene_reader *reader, const struct protocol_field *field, const json_t *value,
                msgpack_packer *packer);
// Packs all members of an object except those that `but` names (NULL at its end).
bool scene_emit_members(struct scene_reader *reader, const struct protocol_struct *type, const json_t *object,
                        const char *const *but, struct scene_map *map);
const struct protocol_field *scene_field(const struct protocol_struct *type, const char *name); // NULL: none

// read_links.c
// Finds the id that a collider of the scene has, by its name or number.
bool scene_find_collider(struct scene_reader *reader, const json_t *ref, uint32_t *id);

// generate.c makes meshes from a few numbers, such as grids. place.c scales, turns and moves them, in this order.
extern const char *const scene_generators[]; // NULL at the end
extern const char *const scene_placements[]; // NULL at the end
bool scene_generate(struct scene_reader *reader, const char *generator, const json_t *spec,
                    struct scene_body *body);
bool scene_place_body(struct scene_reader *reader, const json_t *object, struct scene_body *body);
// Reads the members "rotation" or "turn" into a unit quaternion x, y, z, w. *given is false if there is neither.
bool scene_rotation(struct scene_reader *reader, const json_t *object, double out[4], bool *given);

// obj.c has a header of its own, because libweft uses it too.

// material.c. Adds density and compliances of a named material to map, except those that object gives itself.
bool scene_material(struct scene_reader *reader, const char *name, const struct scene_body *body,
                    const json_t *object, struct scene_map *map);

// fabrics.c. Takes the scene's own materials, from the scene or from the file that it names, and reads the table.
bool scene_materials_read(struct scene_reader *reader, const json_t *value);
void scene_materials_free(struct scene_reader *reader);
bool scene_materials_check(struct scene_reader *reader, const json_t *materials);
// The material of that name that is given as fields; NULL: none.
const json_t *scene_material_of(const struct scene_reader *reader, const char *name);
// Adds the fields of a material that the object does not give itself. Where both have a map and the material adds to it, the map is
// that of both, and the bit of the field's number (scene_material_field) is set in *merged: the object's own is packed then.
bool scene_material_fields(struct scene_reader *reader, const json_t *material, const json_t *object,
                           struct scene_map *map, uint32_t *merged);
enum { SCENE_MATERIAL_FIELDS = 6 };
const char *scene_material_field(uint32_t f);
void scene_names_of(const json_t *materials, char *out, size_t size); // each followed by ", "
extern const char scene_fabrics[]; // generated/fabrics_table.c: the table, as JSON

// contact.c. Turns contact on, with a thickness that suits the mesh, for a body whose object does not mention contact and does not
// come from a saved world.
void scene_contact(const struct scene_reader *reader, const struct scene_body *body, const json_t *object,
                   bool is_rope, struct scene_map *map);

// Cosine and sine of an angle in degrees, |degrees| <= 1e9. libm's may differ between machines in the last bit, but a scene must
// be the same world on all of them. So they are computed by a series here. Multiples of 90 are exact.
void scene_turn(double degrees, double *cosine, double *sine);

// select.c. Finds particles by number, edge, box and so on. *particles is malloc'd. scene_select gives each particle once,
// ascending; scene_select_in_order keeps the order of the list, for particles that are paired with others.
bool scene_select_in_order(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                           uint32_t **particles, uint32_t *count);
bool scene_select(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                  uint32_t **particles, uint32_t *count);

// read_body.c, read_links.c. These append a body, collider, constraint set or motion, in the document's form, to out.
bool scene_read_body(struct scene_reader *reader, const json_t *object, uint32_t index,
                     struct protocol_bytes *out);
bool scene_read_collider(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
bool scene_read_constraints(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
bool scene_read_motion(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out);
// NULL with the error set if there is no such body.
const struct scene_body *scene_find_body(struct scene_reader *reader, const json_t *ref);

#endif
