// What the files of this module share.
#ifndef WEFT_MESH_INTERNAL_H
#define WEFT_MESH_INTERNAL_H

#include "mesh.h"

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// All return false, so that a failing function can return them.
bool mesh_fail(struct mesh_error *error, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool mesh_fail_memory(struct mesh_error *error);
// Tells the watch; false with CANCELLED.
bool mesh_report(const struct mesh_watch *watch, const char *stage, double share, struct mesh_error *error);

// Room for `more` items after `count`, grown by half at least. False: no memory.
bool mesh_reserve(void **items, size_t *capacity, size_t count, size_t more, size_t item_size);
// What triangles look like, moved from one place in the list to an earlier one; and turned round with its triangle.
void mesh_look_move(struct mesh *mesh, uint32_t to, uint32_t from, uint32_t count);
void mesh_look_turn(struct mesh *mesh, uint32_t triangle);
void mesh_look_drop(struct mesh *mesh);
// vertex_of as the identity. False: no memory.
bool mesh_number(struct mesh *mesh);
double mesh_tet_volume(const double *a, const double *b, const double *c, const double *d); // signed

// ---------------------------------------------------------------------------------------------------------
// scan.c: words and numbers out of bytes, with the line where they stand

struct mesh_scan {
    const char *name;
    const char *begin, *at, *end;
    uint32_t line;
    bool comments; // # ends a line
    const struct mesh_watch *watch;
    uint32_t records; // since the watch was told
    locale_t locale;
    struct mesh_error *error;
};

// False without memory. Numbers are read in the C locale whatever the program's is. Nobody watches at first.
bool mesh_scan_init(struct mesh_scan *scan, const char *name, const void *bytes, size_t size,
                    struct mesh_error *error);
void mesh_scan_deinit(struct mesh_scan *scan);
bool mesh_scan_refuse(struct mesh_scan *scan, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); // "NAME, line N: ..."; always false
// Moves past blanks within the line. False at its end.
bool mesh_scan_more(struct mesh_scan *scan);
// The same past ends of lines. False at the end of the file.
bool mesh_scan_content(struct mesh_scan *scan);
void mesh_scan_next_line(struct mesh_scan *scan);                     // to the beginning of the next one
bool mesh_scan_end_of_line(struct mesh_scan *scan, const char *what); // else refuses; goes to the next line
bool mesh_scan_u64(struct mesh_scan *scan, const char *what, uint64_t most, uint64_t *number);
bool mesh_scan_f64(struct mesh_scan *scan, const char *what, double *number);
size_t mesh_scan_left(const struct mesh_scan *scan); // bytes
bool mesh_scan_record(struct mesh_scan *scan);       // tells the watch of one more; false with CANCELLED

// ---------------------------------------------------------------------------------------------------------
// read.c, import.c

// The whole file, bounded, with a zero behind it. NULL with *error.
char *mesh_load(const char *path, size_t *size, struct mesh_error *error);
// What assimp is to read.
struct mesh_source {
    const char *path;             // as it was given; its folder is where a glTF may have buffers
    const char *format;           // obj, ply, stl, gltf or glb
    const struct mesh_play *play; // NULL: it stands still
    char *bytes;
    size_t size;
    char missing[MESH_NAME_SIZE]; // materials that the file names and that cannot be opened; empty: none
};

// What assimp calls a material where a file has none.
#define MESH_MATERIAL_NONE "DefaultMaterial"

// Through assimp, in a process of its own. All parts; the caller picks.
bool mesh_import(const char *path, const char *format, const struct mesh_play *play,
                 const struct mesh_watch *watch, struct mesh_file *file, struct mesh_error *error);
// import_child.c: that process. Writes what it found to fd and returns the exit status; what went wrong is written to
// fd as well.
int mesh_import_child(const struct mesh_source *source, int fd);

// What assimp would take for something else is refused before, with the line where there are lines.
bool mesh_check_ply(const char *name, const char *bytes, size_t size, struct mesh_error *error);
// Turns the words of a text into lower case; it begins after *skip bytes.
bool mesh_check_stl(const char *name, char *bytes, size_t size, size_t *skip, struct mesh_error *error);
// *triangles: how many must come out.
bool mesh_check_gltf(const char *name, bool is_glb, const char *bytes, size_t size, uint64_t *triangles,
                     struct mesh_error *error);
// plain_obj.c: of an OBJ that the strict reader took, what assimp is to see: also uvs, normals and materials if `looks`.
// malloc'd. Blanks in the name of an object, where it would end for assimp, are another character.
enum { MESH_OBJ_BLANK = 0x1f };
bool mesh_plain_obj(const char *bytes, size_t size, bool looks, char **text, size_t *text_size,
                    struct mesh_error *error);
// plain_gltf.c: the same of a glTF that was checked, where it has skins or weights, or moves; else *text is NULL. malloc'd.
bool mesh_plain_gltf(bool is_glb, bool moves, const char *bytes, size_t size, char **text, size_t *text_size,
                     struct mesh_error *error);

// What it writes: this, then part_count parts, 3 vertex_count doubles, 3 triangle_count u32; of the triangles 6 floats each
// for uvs and 9 for normals, if there are any; where there are materials those, and one u32 a triangle; and where there are
// frames as many doubles of their times, and 3 vertex_count floats for each.
struct mesh_import_head {
    uint32_t magic;
    uint32_t failed; // then text tells why and nothing follows
    uint32_t whole;  // the text names the file
    uint32_t part_count, vertex_count, triangle_count, material_count;
    uint32_t has_uvs, has_normals, frame_count;
    uint32_t uncut_count; // as in struct mesh_file
    char code[16];
    char text[512];
    char missing[MESH_NAME_SIZE];
};
enum { MESH_IMPORT_MAGIC = 0x6d657368 };

// animate.c: where the nodes and morph targets of a scene are at a moment. Which of its animations, or NULL with *error.
struct aiScene;
struct aiAnimation;
const struct aiAnimation *mesh_animation_find(const struct aiScene *scene, const char *wanted,
                                              struct mesh_error *error);
double mesh_animation_seconds(const struct aiAnimation *animation);
void mesh_animation_apply(const struct aiScene *scene, const struct aiAnimation *animation, double seconds);
// How many frames there are and when, 0 ... seconds. NULL without memory, or with more than may be.
double *mesh_frame_times(double seconds, double fps, uint32_t vertices, uint32_t *count);

// pc2.c: the frames of a point cache with so many points.
bool mesh_read_pc2(const char *path, uint32_t points, double fps, struct mesh_file *file,
                   struct mesh_error *error);

#endif
