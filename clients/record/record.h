// Recordings: what was seen of a world, kept as it came, and written out for other programs.
//
//     frames ─▶ take (a file that grows, and can be gone on with) ─▶ export ─▶ PC2, MDD, OBJ, PLY, glTF, USD, VTK, NPZ
//
// Positions are m, y up, 32-bit floats as frames carry them. Numbers in a take are little-endian. Functions that
// can fail return false or NULL and say why; nothing here prints. One thread at a time uses a take.
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_BODIES_MAX = 4096,
    RECORD_COLLIDERS_MAX = 4096,
    RECORD_HULL_MAX = 128,       // vertices of a convex collider
    RECORD_FIELD_SIDE_MAX = 256, // columns and rows of a height field
    RECORD_PARTICLES_MAX = 16777216,
    RECORD_MATERIALS_MAX = 4096, // of a body
    RECORD_NAME_MAX = 1024,      // bytes
    RECORD_WHY_SIZE = 400
};

struct record_why {
    char text[RECORD_WHY_SIZE]; // a sentence without a full stop
};

struct record_material {
    char *name;                          // not empty
    float color[4], metallic, roughness; // linear red, green, blue, opacity; all 0 ... 1
};

struct record_body {
    char *name; // unique among the bodies of its take, not empty
    uint32_t particle_count;
    uint32_t *triangles, triangle_count; // of indices below particle_count
    uint32_t *edges, edge_count;         // of bodies without triangles
    // How a mesh that was brought along looks. NULL and 0: it says nothing of that.
    float *uvs; // u, v of each corner of the triangles, v upwards
    float *
        normals; // of each corner as it was brought: where they differ at a vertex, there is an edge to be seen
    uint32_t *triangle_materials; // of each triangle, below material_count; NULL: all the first
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
    float radius, length;  // m: sphere, capsule (between the centres of its ends, along y), cylinder
    float half_extents[3]; // m: box
    float *vertices;       // m, 3 each: convex, height field
    uint32_t *triangles;   // counterclockwise from outside
    uint32_t vertex_count, triangle_count;
};

// Vertices and triangles of a height field, which are the caller's to free; none of what is none. False without memory.
bool record_field_mesh(const double *heights, uint32_t count, uint32_t columns, double spacing,
                       struct record_collider *out);

// Where a collider is: x, y, z in m, then the quaternion x, y, z, w. A plane's normal is its turned +y.
enum { RECORD_POSE = 7 };

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
    uint64_t tick;
    uint32_t substep;
    double time;        // s
    const float *poses; // RECORD_POSE a collider
    float *positions;   // 3 a particle, of one body after the other
};

// tolerance: 0 for frames as they are. Else they are compressed, and no coordinate is off by more than that, in m; poses
// are as they were. Such a take knows damage from what was written (record_take_check).
bool record_tolerance_fits(float tolerance); // whether one may be that, and not 0
// A new file; one that is there is replaced. The scene is copied.
struct record_take *record_take_create(const char *path, const struct record_scene *scene, float tolerance,
                                       struct record_why *why);
// One that was begun before: a last frame that was cut off is dropped. The file is hostile until it is read.
struct record_take *record_take_open(const char *path, struct record_why *why);
// An empty one is allowed. What was appended may be in the system's hands still (record_take_sync).
void record_take_close(struct record_take *take);

const struct record_scene *record_take_scene(const struct record_take *take);
uint64_t record_take_count(const struct record_take *take); // frames
uint64_t record_take_particles(const struct record_take *take);
// poses, positions: as in record_frame. Frames ascend by (tick, substep).
bool record_take_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *poses,
                        const float *positions, struct record_why *why);
bool record_take_sync(struct record_take *take, struct record_why *why); // on disk when it returns
bool record_take_truncate(struct record_take *take, uint64_t count, struct record_why *why);
// What the frame points to is the take's, until the next call. Of a compressed take this is fastest in order.
bool record_take_read(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct record_why *why);

// A run of frames that cannot be read: numbered from 0 as they were recorded. Ticks are of the frames beside it, 0
// where there is none.
struct record_gap {
    uint64_t first, last;
    uint64_t tick_before, tick_after;
};
typedef void record_tell_gap(void *context, const struct record_gap *gap);
// Looks at all bytes of a compressed take: frames that are damaged, and those that build on them, are told and are no frames
// of it any more. The file stays as it is. Nothing is known of damage to a take that is not compressed.
bool record_take_check(struct record_take *take, record_tell_gap *tell, void *context,
                       struct record_why *why);

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

// By the end of the name, which is not case-sensitive: ".pc2" and so on. False if there is none of those.
bool record_format_of(const char *path, enum record_format *format);
// Whether a file may come to stand there: of a folder, a pipe or a device nothing would be left.
bool record_can_replace(const char *path, struct record_why *why);
const char *record_format_names(void); // ".pc2, .mdd, ..."

// Called often; false ends the export, which then leaves nothing.
typedef bool record_progress(void *context, uint64_t done, uint64_t total);

struct record_export {
    const char *path; // as the user gave it
    enum record_format format;
    bool keeps_old;            // a file that is there already stays, and the export fails
    record_progress *progress; // NULL: none
    void *context;
};

// Writes all frames of a take. Files come into being whole, by a last rename, and only when all are written. Until then
// they are in the folder PATH.part, which the next export to PATH removes should this one be killed:
//
//     PC2, MDD   one a thing: PATH for the only one, else PATH with "-NAME" before its end; beside each "...obj", the
//                first frame. Colliders that never move have that alone
//     OBJ, PLY   one a frame: PATH with "_000001" before its end, and so on; PATH as ".mtl" where there are materials
//     glTF       PATH, and for .gltf a ".bin" beside it
//     USD        PATH
//     VTK        PATH (.pvd), and one .vtp a frame, numbered
//     NPZ        PATH
//
// Meshes hold what can be seen: of a body with triangles the vertices that those have.
bool record_export(struct record_take *take, const struct record_export *export, struct record_why *why);

#endif
