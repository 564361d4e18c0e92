// Declarations that the files of this module share.
#ifndef WEFT_MESH_INTERNAL_H
#define WEFT_MESH_INTERNAL_H

#include "mesh.h"

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// Returns false, so that a failing function can return its result.
bool mesh_fail_memory(struct fault *fault);
// Calls the watch; false with CANCELLED.
bool mesh_report(const struct mesh_watch *watch, const char *stage, double share, struct fault *fault);

// Moves the look of triangles from one place in the list to an earlier one; and turns it with its triangle.
void mesh_look_move(struct mesh *mesh, uint32_t to, uint32_t from, uint32_t count);
void mesh_look_turn(struct mesh *mesh, uint32_t triangle);
void mesh_look_drop(struct mesh *mesh);
// Makes vertex_of the identity. False: memory runs out.
bool mesh_number(struct mesh *mesh);
double mesh_tet_volume(const double *a, const double *b, const double *c, const double *d); // signed

// ---------------------------------------------------------------------------------------------------------
// scan.c: reads words and numbers from bytes, and counts lines

struct mesh_scan {
    const char *name;
    const char *begin, *at, *end;
    uint32_t line;
    bool comments; // # starts a comment
    const struct mesh_watch *watch;
    uint32_t records; // since the last call of the watch
    locale_t locale;
    struct fault *fault;
};

// False if memory runs out. Numbers are read in the C locale, whatever the program's is. There is no watch at first.
bool mesh_scan_init(struct mesh_scan *scan, const char *name, const void *bytes, size_t size,
                    struct fault *fault);
void mesh_scan_deinit(struct mesh_scan *scan);
bool mesh_scan_refuse(struct mesh_scan *scan, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); // "NAME, line N: ..."; always false
// Skips blanks within the line. False at its end.
bool mesh_scan_more(struct mesh_scan *scan);
// The same across ends of lines. False at the end of the file.
bool mesh_scan_content(struct mesh_scan *scan);
void mesh_scan_next_line(struct mesh_scan *scan); // moves to the next line
bool mesh_scan_end_of_line(struct mesh_scan *scan,
                           const char *what); // refuses anything else; moves to the next line
bool mesh_scan_u64(struct mesh_scan *scan, const char *what, uint64_t most, uint64_t *number);
bool mesh_scan_f64(struct mesh_scan *scan, const char *what, double *number);
size_t mesh_scan_left(const struct mesh_scan *scan); // bytes
bool mesh_scan_record(struct mesh_scan *scan);       // counts a record for the watch; false with CANCELLED

// ---------------------------------------------------------------------------------------------------------
// read.c, import.c

// Loads the whole file, up to a bound, with a zero byte after it. NULL with *fault.
char *mesh_load(const char *path, size_t *size, struct fault *fault);
// The input for assimp.
struct mesh_source {
    const char *path;             // as given by the user; the buffers of a glTF are relative to its folder
    const char *format;           // obj, ply, stl, gltf or glb
    const struct mesh_play *play; // NULL: it does not move
    char *bytes;
    size_t size;
    char missing[MESH_NAME_SIZE]; // materials that the file names but that cannot be opened; empty: none
};

// Assimp's name for a material that the file does not name.
#define MESH_MATERIAL_NONE "DefaultMaterial"

// Reads a file with assimp, in a separate process. Gives all parts; the caller picks.
bool mesh_import(const char *path, const char *format, const struct mesh_play *play,
                 const struct mesh_watch *watch, struct mesh_file *file, struct fault *fault);
// import_child.c: runs in that process. Writes the result, or the error, to fd and returns the exit status.
int mesh_import_child(const struct mesh_source *source, int fd);

// Refuses files that assimp would misread, and names the line if there are lines.
bool mesh_check_ply(const char *name, const char *bytes, size_t size, struct fault *fault);
// Turns the words of a text into lower case; it begins after *skip bytes.
bool mesh_check_stl(const char *name, char *bytes, size_t size, size_t *skip, struct fault *fault);
// *triangles: the number that assimp must find.
bool mesh_check_gltf(const char *name, bool is_glb, const char *bytes, size_t size, uint64_t *triangles,
                     struct fault *fault);
// plain_obj.c: rewrites an OBJ that the strict reader accepted for assimp, with uvs, normals and materials if `looks`.
// malloc'd. Blanks in an object's name, at which assimp would end it, become another character.
enum { MESH_OBJ_BLANK = 0x1f };
bool mesh_plain_obj(const char *bytes, size_t size, bool looks, char **text, size_t *text_size,
                    struct fault *fault);
// plain_gltf.c: the same for a checked glTF if it has skins or weights, or moves; else *text is NULL. malloc'd.
bool mesh_plain_gltf(bool is_glb, bool moves, const char *bytes, size_t size, char **text, size_t *text_size,
                     struct fault *fault);

// The result that is written: this head, then part_count parts, 3 vertex_count doubles, 3 triangle_count u32. With uvs
// 6 floats follow for each triangle, with normals 9. With materials, they follow, and one u32 for each triangle. With
// frames, their times as doubles, and 3 vertex_count floats for each.
struct mesh_import_head {
    uint32_t magic;
    uint32_t code;  // of a fault: text has the reason and nothing follows; else FAULT_NONE
    uint32_t whole; // the text names the file already
    uint32_t part_count, vertex_count, triangle_count, material_count;
    uint32_t has_uvs, has_normals, frame_count;
    uint32_t uncut_count; // as in struct mesh_file
    char text[FAULT_TEXT_SIZE];
    char missing[MESH_NAME_SIZE];
};
enum { MESH_IMPORT_MAGIC = 0x6d657368 };

// animate.c: places of a scene's nodes and morph targets at a moment. Finds the animation, or NULL with *fault.
struct aiScene;
struct aiAnimation;
const struct aiAnimation *mesh_animation_find(const struct aiScene *scene, const char *wanted,
                                              struct fault *fault);
double mesh_animation_seconds(const struct aiAnimation *animation);
void mesh_animation_apply(const struct aiScene *scene, const struct aiAnimation *animation, double seconds);
// Times of the frames, 0 ... seconds, and their number. NULL if memory runs out, or there are too many.
double *mesh_frame_times(double seconds, double fps, uint32_t vertices, uint32_t *count);

// pc2.c: the frames of a point cache that has this number of points.
bool mesh_read_pc2(const char *path, uint32_t points, double fps, struct mesh_file *file,
                   struct fault *fault);

#endif
