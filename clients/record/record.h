// Recordings: stores the motion of a world in a file, the take, and exports takes to formats of other programs.
//
//     frames ─▶ take (a file that frames are appended to, also later) ─▶ export ─▶ PC2, MDD, OBJ, PLY, glTF, USD, VTK, NPZ
//
// Positions are in m, y up, 32-bit floats as frames carry them. Numbers in a take are little-endian. Functions that
// can fail return false or NULL and fill *fault; nothing here prints. One thread at a time uses a take.
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include "protocol/fault/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_BODIES_MAX = 4096,
    RECORD_COLLIDERS_MAX = 4096,
    RECORD_HULL_MAX = 128,           // vertices of a convex collider
    RECORD_FIELD_SIDE_MAX = 256,     // columns, and rows, of a height field
    RECORD_PARTICLES_MAX = 16777216, // of all bodies
    RECORD_MATERIALS_MAX = 4096,     // of a body
    RECORD_NAME_MAX = 1024,          // bytes
};

// Why a function failed.
struct record_material {
    char *name;                          // not empty
    float color[4], metallic, roughness; // linear red, green, blue, opacity; all 0 ... 1
};

struct record_body {
    char *name; // unique among the bodies of its take, not empty
    uint32_t particle_count;
    uint32_t *triangles, triangle_count; // three particle indices each
    uint32_t *edges, edge_count;         // two particle indices each, for bodies without triangles
    // The look of a mesh. NULL and 0: it has none.
    float *uvs; // u, v of each corner of the triangles, v upwards
    // x, y, z of each corner, as the mesh was given. If they differ at a vertex, an edge is visible there.
    float *normals;
    uint32_t *triangle_materials; // for each triangle, an index into materials; NULL: the first for all
    struct record_material *materials;
    uint32_t material_count;
};

enum record_shape {
    RECORD_PLANE,
    RECORD_SPHERE,
    RECORD_CAPSULE,
    RECORD_BOX,
    RECORD_CYLINDER,
    RECORD_CONVEX,
    RECORD_HEIGHT_FIELD,
    RECORD_SHAPE_COUNT
};

struct record_collider {
    char *name; // not empty
    enum record_shape shape;
    float radius, length;  // m: sphere, capsule (length between the centres of its ends, along y), cylinder
    float half_extents[3]; // m: box
    float *vertices;       // m, x, y, z each: convex, height field
    uint32_t *triangles;   // three vertex indices each, counterclockwise from outside
    uint32_t vertex_count, triangle_count;
};

// Makes vertices and triangles of a height field, in *out; the caller frees them. heights and spacing are in m; heights go row by
// row. Leaves *out as it is if there are fewer than 2 rows or columns or more than RECORD_FIELD_SIDE_MAX. False if memory runs out.
bool record_field_mesh(const double *heights, uint32_t count, uint32_t columns, double spacing,
                       struct record_collider *out);

// Pose of a collider: x, y, z in m, then the quaternion x, y, z, w. A plane's normal is its turned +y.
enum { RECORD_POSE = 7 };

// The part of a take that all frames share.
struct record_scene {
    struct record_body *bodies;
    uint32_t body_count;
    struct record_collider *colliders;
    uint32_t collider_count;
    uint32_t tick_rate, substeps; // of the world: time = (tick + substep / substeps) / tick_rate
};

// ---------------------------------------------------------------------------------------------------------
// Take

struct record_take;

struct record_frame {
    uint64_t tick;      // ticks done
    uint32_t substep;   // substeps done of the next tick
    double time;        // s
    const float *poses; // RECORD_POSE numbers for each collider
    float *positions;   // m, x, y, z of each particle, body after body
};

// tolerance: 0 stores frames exactly. Otherwise they are compressed, and no coordinate is off by more than that, in m;
// poses stay exact. Such a take can detect damage (record_take_check).
bool record_tolerance_fits(float tolerance); // whether it is a valid tolerance other than 0
// Creates a file, or empties an existing one. The scene is copied. An open take is locked: opening it a second time fails.
struct record_take *record_take_create(const char *path, const struct record_scene *scene, float tolerance,
                                       struct fault *fault);
// Opens an existing take for reading and appending. An incomplete last frame is dropped. The file is not trusted.
struct record_take *record_take_open(const char *path, struct fault *fault);
// NULL is allowed. The last frames may not be on the disk yet (record_take_sync).
void record_take_close(struct record_take *take);

const struct record_scene *record_take_scene(const struct record_take *take); // the take owns it
uint64_t record_take_count(const struct record_take *take);                   // frames
uint64_t record_take_particles(const struct record_take *take);               // of all bodies
// Appends a frame; poses and positions are as in record_frame. Frames ascend by (tick, substep).
bool record_take_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *poses,
                        const float *positions, struct fault *fault);
bool record_take_sync(struct record_take *take,
                      struct fault *fault); // everything is on the disk when it returns
// Removes all frames but the first `count`.
bool record_take_truncate(struct record_take *take, uint64_t count, struct fault *fault);
// Reads a frame. The take owns its arrays, which are valid until the next call. A compressed take is fastest to read in order.
bool record_take_read(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct fault *fault);

// Successive frames that cannot be read, first ... last, numbered from 0 as they were recorded. The ticks are those of the frames
// before and after them, 0 if there is none.
struct record_gap {
    uint64_t first, last;
    uint64_t tick_before, tick_after;
};
typedef void record_tell_gap(void *context, const struct record_gap *gap);
// Checks all bytes of a compressed take. Calls tell for damaged frames and those that build on them, which from then on are not
// counted as frames. The file is not changed. True even if there is damage. An uncompressed take cannot be checked.
bool record_take_check(struct record_take *take, record_tell_gap *tell, void *context, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Export

enum record_format {
    RECORD_PC2,
    RECORD_MDD,
    RECORD_OBJ,
    RECORD_PLY,
    RECORD_GLTF,
    RECORD_GLB,
    RECORD_USDA,
    RECORD_PVD,
    RECORD_NPZ,
    RECORD_FORMAT_COUNT
};

// Finds the format by the end of the name, ignoring case: ".pc2" and so on. False if there is none.
bool record_format_of(const char *path, enum record_format *format);
// Whether a file may be renamed to this path: not if it is a folder, a pipe or a device.
bool record_can_replace(const char *path, struct fault *fault);
const char *record_format_names(void); // ".pc2, .mdd, ..."

// Called often, with the steps done and in total; false ends the export, which then leaves no file.
typedef bool record_progress(void *context, uint64_t done, uint64_t total);

struct record_export {
    const char *path; // of the output, with its ending
    enum record_format format;
    bool keeps_old;            // if the output exists the export fails; otherwise it is replaced
    record_progress *progress; // NULL: none
    void *context;
};

// Writes all frames of a take. Files appear complete, by a final rename, once all of them are written. Until then they
// are in the folder PATH.part; if the export is killed, the next export to PATH removes that folder:
//
//     PC2, MDD   a file for each body and collider: PATH if there is only one, else PATH with "-NAME" before its ending. Beside each
//                is an ".obj" with the first frame; a collider that never moves has only that
//     OBJ, PLY   a file for each frame: PATH with "_000001" and so on before its ending, and a ".mtl" if there are materials
//     glTF       PATH, and for .gltf a ".bin" beside it
//     USD        PATH
//     VTK        PATH (.pvd), and a numbered .vtp for each frame
//     NPZ        PATH
//
// Meshes hold only visible parts: for a body with triangles, only the vertices that they use.
bool record_export(struct record_take *take, const struct record_export *export, struct fault *fault);

#endif
