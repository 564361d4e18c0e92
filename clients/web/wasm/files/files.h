// Files in a page: the functions that weft-files.wasm exports for src/files/module.ts. It is protocol/scene and
// clients/mesh, compiled for WebAssembly, without what needs a folder, a process or assimp.
//
//     scene     files_beside for each file that lies beside it, then files_scene
//     mesh      files_obj, files_gmsh, files_tetgen, or files_give of what a loader of the page read; then files_cut,
//               files_weld, files_fill as they are wanted, and files_mesh says what it is now
//
// The caller passes and gets plain numbers: pointers are offsets into the module's memory. An instance does one piece of
// work, and its memory goes with it: so what it is given it keeps, and what it gives stays. Input may come from anywhere.
// A false result, or NULL, leaves its reason in files_refusal.
#ifndef WEFT_WASM_FILES_H
#define WEFT_WASM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__wasm__)
#define FILES_EXPORT(name) __attribute__((export_name(#name))) name
#define FILES_IMPORT(name) __attribute__((import_module("weft"), import_name(#name))) name
#else
#define FILES_EXPORT(name) name
#define FILES_IMPORT(name) name
#endif

// NULL if memory runs out.
void *FILES_EXPORT(files_alloc)(size_t size);
const char *FILES_EXPORT(files_refusal)(void);

// Told now and then while a mesh is read or filled: the stage, and 0 ... 1 of it, or less if that is not known.
void FILES_IMPORT(files_told)(const char *stage, double share);

// ---------------------------------------------------------------------------------------------------------
// Scenes

// The name is the last part of the path by which a scene names the file.
bool FILES_EXPORT(files_beside)(const char *name, const void *bytes, size_t size);

struct files_scene {
    const char *name;
    const void *document; // one MessagePack map
    uint32_t size;
};
const struct files_scene *FILES_EXPORT(files_scene)(const char *name, const char *text, size_t size);

// ---------------------------------------------------------------------------------------------------------
// Meshes. Names stand for the files in reasons.

bool FILES_EXPORT(files_obj)(const char *name, const char *text, size_t size);
// If the file has no tetrahedra, its triangles are read.
bool FILES_EXPORT(files_gmsh)(const char *name, const void *bytes, size_t size);
bool FILES_EXPORT(files_tetgen)(const char *node_name, const void *nodes, size_t nodes_size,
                                const char *ele_name, const void *eles, size_t eles_size);
// Triangles have three vertices each, lines two.
bool FILES_EXPORT(files_give)(double *positions, uint32_t vertex_count, uint32_t *triangles,
                              uint32_t triangle_count, uint32_t *lines, uint32_t line_count);

// Gives u and v of the corners of all triangles, v upwards (uv_count: 0 or the number of triangles), and a material for each
// triangle. Call it after files_give and not with files_cut, which knows nothing of corners.
bool FILES_EXPORT(files_look)(float *uvs, uint32_t uv_count, uint32_t *materials, uint32_t material_count);

// Cuts polygons that stand as fans in the list of triangles: of each its first triangle, and its number of corners.
bool FILES_EXPORT(files_cut)(const uint32_t *polygons, uint32_t count);
// Makes one vertex of those that lie in one place, as `weft load` does, and turns tetrahedra to a positive volume.
bool FILES_EXPORT(files_weld)(void);
// Fills the closed surface with about so many cells. The mesh is then the lattice that carries it; its triangles are
// the surface, oriented.
bool FILES_EXPORT(files_fill)(uint32_t cells);

struct files_mesh {
    const double *positions;
    uint32_t vertex_count;
    const uint32_t *triangles;
    uint32_t triangle_count;
    const uint32_t *lines;
    uint32_t line_count;
    const uint32_t *tets;
    uint32_t tet_count;
    // Welding: vertices that went into others; elements that collapsed, or were there already; unused vertices.
    uint32_t welded, collapsed, repeated, unused;
    uint32_t uncut; // polygons that stayed fans, whose triangles may overlap
    // Filling: four particles and their weights for each vertex of the surface.
    const uint32_t *skin_particles;
    const float *skin_weights;
    uint32_t skin_vertex_count;
    // As files_look gave them, of the triangles that there are now; NULL: none.
    const float *uvs;
    const uint32_t *materials;
};
const struct files_mesh *FILES_EXPORT(files_mesh)(void);

#endif
