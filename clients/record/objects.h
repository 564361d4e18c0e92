// The visible objects of a take: bodies and colliders, both as meshes that are ready to be written.
//
// An object has
//
//     points      places: the particles that its triangles have (all of them where it has none), or a shape's vertices
//     normals     one a point, or several where the mesh that was brought has an edge there
//     vertices    what is told apart: a point with its normal and its uv; for formats with one index a corner
//
//     triangle ─ corners ─▶ vertices ─┬─▶ points ─▶ particles of the take
//                                     └─▶ normals: sums over the triangles that share them
//
// Without uvs and such edges all three are the same. Triangles stand in the order of their materials.
#ifndef WEFT_RECORD_OBJECTS_H
#define WEFT_RECORD_OBJECTS_H

#include "record/record.h"

struct record_job;

struct record_part { // triangles of one material
    const struct record_material *material;
    uint32_t first, count;
};

struct record_object {
    const char *name; // unique in its take
    char *own_name;
    bool is_collider, moves; // moves: a collider whose pose changes
    uint32_t index;          // in the scene's bodies or colliders
    uint64_t first_particle; // bodies: in a frame
    uint32_t point_count;
    uint32_t *particles;          // bodies: of each point
    float *shape, *shape_normals; // colliders: of each point, in its own place
    uint32_t *triangles, triangle_count;
    uint32_t *edges, edge_count;
    uint32_t vertex_count, normal_count;
    uint32_t *vertex_point, *vertex_normal, *corners; // corners: three vertices a triangle
    float *uvs;                                       // u, v of each vertex; NULL: none
    struct record_part *parts;
    uint32_t part_count;
};

struct record_objects {
    struct record_object *items;
    uint32_t count;
    uint64_t point_count, normal_count, vertex_count; // of all
    uint32_t points_max, normals_max;                 // of one
};

// How far a plane is drawn: a square about a middle in its own place.
struct record_reach {
    double middle[3], half; // m
};

// Makes the objects of the job's take. False after giving the reason; deinit it in both cases.
bool record_objects_init(struct record_objects *objects, struct record_job *job);
void record_objects_deinit(struct record_objects *objects);

// x, y, z of each point, and of each normal, which is of unit length. Those of what has no triangles are none.
void record_object_points(const struct record_object *object, const struct record_frame *frame,
                          float *points);
void record_object_normals(const struct record_object *object, const struct record_frame *frame,
                           const float *points, float *normals);
// Whether it has normals at all.
bool record_object_is_surface(const struct record_object *object);
const struct record_material *record_object_material(const struct record_object *object, uint32_t part);
bool record_objects_have_materials(const struct record_objects *objects); // that were brought along

// shape.c: shape, normals and triangles of a collider. False without memory.
bool record_shape_make(struct record_object *object, const struct record_collider *collider,
                       const struct record_reach *reach);
// split.c: triangles by material, then corners, vertices and normals. False without memory.
bool record_object_split(struct record_object *object, const struct record_body *body);

#endif
