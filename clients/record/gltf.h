// Declarations that gltf.c and gltf_head.c share: the layout of the buffer.
//
//     points of the first frame | normals | uvs | indices | targets | times | weights | poses
//
//     targets   of each frame after the first: displacements of all vertices of bodies, then of all their normals
//     poses     of each collider that moves: where it is in each frame, then how it is turned
//
// Points, normals and uvs are of all objects, one after the other.
#ifndef WEFT_RECORD_GLTF_H
#define WEFT_RECORD_GLTF_H

#include "record/internal.h"

enum gltf_view {
    GLTF_POINTS,
    GLTF_NORMALS,
    GLTF_UVS,
    GLTF_INDICES,
    GLTF_TARGETS,
    GLTF_TIMES,
    GLTF_WEIGHTS,
    GLTF_POSES,
    GLTF_VIEWS
};

struct gltf_box {
    float low[3], high[3];
};

struct gltf_layout {
    uint64_t begin[GLTF_VIEWS + 1]; // bytes; the last: of all
    uint64_t target_count;
    uint64_t body_vertices, surface_vertices, body_surface_vertices; // of bodies; with normals; both
    struct gltf_box *boxes; // object by object in the first frame; then body by body in each target
    float *points,
        *normals; // of the vertices of all objects in the first frame; colliders in their own place
    float *poses; // RECORD_POSE a collider, of the first frame
    double first_time, last_time;
};

// bin_path: of the buffer's file; NULL: it follows. malloc'd; NULL without memory.
char *gltf_head(const struct record_job *job, const struct gltf_layout *layout, const char *bin_path);

#endif
