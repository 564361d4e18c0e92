// Meshes for simulation: read from files, welded, made consistent, placed, and filled with tetrahedra.
//
//     file ──▶ mesh_read ──▶ mesh_weld ──▶ mesh_orient ──▶ mesh_place ──┬──▶ a cloth (triangles), a soft body (tets)
//                                                                       └──▶ mesh_fill: lattice + carried surface
//
// Files are not trusted: sizes are bounded, claims are checked against the bytes that are there, and errors name the
// file and the line. Lengths are metres from mesh_place on; before it they are in the file's units.
//
// Ownership: the caller deinits what a function inits. Threads: no global state; for formats that assimp reads,
// mesh_read makes a child process, so it needs a program (or a moment) with one thread.
//
// Functions that can fail return false and fill *error.
#ifndef WEFT_MESH_MESH_H
#define WEFT_MESH_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MESH_VERTICES_MAX = 4194304, // of what is loaded
    MESH_CORNERS_MAX = 16777216, // as files store them: a vertex for each triangle that has it
    MESH_TRIANGLES_MAX = 16777216,
    MESH_TETS_MAX = 16777216,
    MESH_PARTS_MAX = 65536,
    MESH_MATERIALS_MAX = 4096,
    MESH_NAME_SIZE = 64,
    MESH_FRAMES_MAX = 1048576,
    MESH_FRAME_NUMBERS_MAX = 134217728, // of all frames together
};
#define MESH_FILE_BYTES_MAX ((size_t)512 << 20)
#define MESH_NONE UINT32_MAX

// code is one upper-case word: FILE (the file cannot be read), INVALID, LIMIT, MEMORY, CANCELLED.
struct mesh_error {
    char code[16];
    char text[512];
};

// Called with the progress of a stage, 0 ... 1 (negative: unknown). If it returns false the work stops with CANCELLED.
// NULL: no calls.
struct mesh_watch {
    bool (*report)(void *context, const char *stage, double share);
    void *context;
};

struct mesh {
    double *positions; // x, y, z of each vertex
    uint32_t vertex_count;
    uint32_t *triangles; // three vertex indices each
    uint32_t triangle_count;
    uint32_t *tets; // four vertex indices each
    uint32_t tet_count;
    uint32_t *lines; // two vertex indices each; only the studio reads them
    uint32_t line_count;
    // The look of the triangles; NULL: the file has none.
    float *uvs;          // u, v of each corner, v upwards
    float *normals;      // of each corner, as the file has them: neither placed nor turned
    uint32_t *materials; // of each triangle: one of the file's
    // For each vertex of the file: its present index, or MESH_NONE.
    uint32_t *vertex_of;
    uint32_t file_vertex_count;
};

void mesh_deinit(struct mesh *mesh); // an empty one is allowed

// ---------------------------------------------------------------------------------------------------------
// Reading: read.c, and a file a format

// One of the meshes in a file.
struct mesh_part {
    char name[MESH_NAME_SIZE];
    uint32_t vertex_first, vertex_count;
    uint32_t triangle_first, triangle_count;
    uint32_t tet_first, tet_count;
};

struct mesh_parts {
    struct mesh_part *items; // malloc'd
    uint32_t count;
};

struct mesh_material {
    char name[MESH_NAME_SIZE];           // not empty
    float color[4], metallic, roughness; // linear red, green, blue, opacity; all 0 ... 1
};

struct mesh_file {
    const char *format; // "Wavefront OBJ", ...
    struct mesh mesh;   // all parts that were wanted
    struct mesh_part *parts;
    uint32_t part_count; // in the file
    struct mesh_material *materials;
    uint32_t material_count;
    uint32_t
        uncut_count; // polygons that cross themselves, or have more than 4096 corners: fans, which may overlap
    char missing[MESH_NAME_SIZE]; // a file of materials that it names and that cannot be opened; empty: none
    // How it moves, if that was asked for: in each frame x, y, z of each vertex as the file stores them.
    float *frames;
    double *times; // s, ascending, from 0 on
    uint32_t frame_count;
};

// The source of a mesh's motion.
struct mesh_play {
    const char *cache;     // a point cache (.pc2); NULL: the glTF's own animation, or the one beside the file
    const char *animation; // of a glTF: its name or number, from 0; NULL: the first
    double fps;            // frames a second: of a point cache; how often a glTF's is looked at
};

// Reads OBJ, PLY, STL, glTF (through assimp), TetGen (.node with .ele beside it, either may be named) and Gmsh (.msh
// 2 and 4, text and binary), by the name's ending. Transforms of nodes are applied. part is the name or the number
// (from 0) of the one mesh that is wanted; NULL takes all of them as one.
bool mesh_read(const char *path, const char *part, const struct mesh_watch *watch, struct mesh_file *file,
               struct mesh_error *error);
// The same with frames, at least two of them; the mesh stands as in the first. play NULL: mesh_read. Nodes, skins and morph
// targets of a glTF may move; its keyframes are joined straight, and cubic ones refused.
bool mesh_read_moving(const char *path, const char *part, const struct mesh_play *play,
                      const struct mesh_watch *watch, struct mesh_file *file, struct mesh_error *error);
void mesh_file_deinit(struct mesh_file *file);

// The formats with readers of their own, from memory; name stands for the file in error texts. What they leave in
// *mesh is to be deinited where they return true. A physical group of Gmsh is a part, which has its name; elements that
// are in none are the last part.
bool mesh_parse_gmsh(const char *name, const void *bytes, size_t size, const struct mesh_watch *watch,
                     struct mesh *mesh, struct mesh_parts *parts, struct mesh_error *error);
bool mesh_parse_tetgen(const char *node_name, const void *nodes, size_t nodes_size, const char *ele_name,
                       const void *eles, size_t eles_size, const struct mesh_watch *watch, struct mesh *mesh,
                       struct mesh_error *error);

// ---------------------------------------------------------------------------------------------------------
// Cleaning: weld.c, orient.c

struct mesh_welding {
    uint32_t welded;    // vertices that went into others
    uint32_t collapsed; // elements (triangles, tets, lines) that lost a corner by it
    uint32_t repeated;  // elements that were there already
    uint32_t unused;    // vertices that no element has
};

// Vertices no farther apart than tolerance become one, the first of them; then what is collapsed, repeated or unused
// is left out. In a mesh without elements no vertex is unused. The order of vertices stays.
bool mesh_weld(struct mesh *mesh, double tolerance, struct mesh_welding *welding, struct mesh_error *error);

struct mesh_shape {
    uint32_t components;        // of triangles that share edges
    uint32_t flipped;           // triangles and tets that were turned round
    uint32_t boundary_edges;    // of one triangle alone
    uint32_t nonmanifold_edges; // of more than two
    uint32_t one_sided;         // components that cannot be oriented, such as a Moebius strip
    uint32_t flat_tets;         // without volume
    double area, volume;        // of the triangles; the volume where they enclose one
    double hole_area;           // of the openings
};

// Neighbours get the same orientation, closed components point outwards (cavities inwards), tets have positive
// volume: (p1-p0)x(p2-p0).(p3-p0) > 0.
bool mesh_orient(struct mesh *mesh, struct mesh_shape *shape, struct mesh_error *error);

// ---------------------------------------------------------------------------------------------------------
// Placing and picking: place.c, pick.c

struct mesh_bounds {
    double low[3], high[3];
};
void mesh_bounds(const struct mesh *mesh, struct mesh_bounds *bounds);

struct mesh_placement {
    double scale[3];  // metres a unit of the file
    double fit;       // m: greatest extent, instead of what scale leaves; 0: no
    bool z_up;        // the file's z points up
    double rotate[3]; // degrees about x, then y, then z, about the middle
    bool has_at;
    double at[3]; // m: where the middle of the underside comes to lie; without it the file's origin stays
};

bool mesh_place(struct mesh *mesh, const struct mesh_placement *placement, struct mesh_error *error);
// The same, and tells where any point goes: to p[i] = map[i][0] x + map[i][1] y + map[i][2] z + map[i][3].
bool mesh_place_mapped(struct mesh *mesh, const struct mesh_placement *placement, double map[3][4],
                       struct mesh_error *error);

// Marks vertices by a text: box:x0,y0,z0,x1,y1,z1  sphere:x,y,z,r  index:LIST of vertices as the file stores them,
// such as 0,5-9  top-edge  top-corners  edge:+x|-x|+y|-y|+z|-z  all. Adds to what is marked (vertex_count bytes).
// False with INVALID for a text that says nothing of these, or picks nothing.
bool mesh_pick(const struct mesh *mesh, const char *text, uint8_t *marked, struct mesh_error *error);

// ---------------------------------------------------------------------------------------------------------
// Moving: frames.c

// Positions of the welded mesh's vertices in frame k, placed: 3 vertex_count doubles. source comes from
// mesh_frame_sources.
void mesh_frame(const struct mesh_file *file, const double map[3][4], const uint32_t *source, uint32_t frame,
                double *positions);
// For each vertex of the mesh one of the file that became it. Refuses where those that became one part later by more than
// `tolerance` (after placing). source: vertex_count.
bool mesh_frame_sources(const struct mesh_file *file, const double map[3][4], double tolerance,
                        uint32_t *source, struct mesh_error *error);

// ---------------------------------------------------------------------------------------------------------
// Looks: look.c

// Whether normals differ at some vertex, so that there is an edge to be seen; smooth ones say nothing. False without
// memory.
bool mesh_has_edges(const struct mesh *mesh, bool *has_edges);
// Leaves the materials that triangles have; one that nobody gave a file is none. False without memory.
bool mesh_file_use_materials(struct mesh_file *file);

// ---------------------------------------------------------------------------------------------------------
// Filling: winding.c, lattice.c

// A surface and where points lie to it.
struct mesh_winding;
struct mesh_winding *mesh_winding_create(const struct mesh *mesh); // NULL without memory
void mesh_winding_destroy(struct mesh_winding *winding);           // NULL is allowed
// How many times the surface goes round the point: 1 inside of a closed one that points outwards, 0 outside. Near
// cracks it lies between, and it falls off smoothly, so 1/2 divides in from out where a ray would slip through.
double mesh_winding_at(const struct mesh_winding *winding, const double point[3]);

struct mesh_lattice {
    struct mesh body; // vertices and tets of the lattice
    uint32_t cell_count;
    double cell;   // m: edge of a cell
    double volume; // m^3: of all cells
    // The surface: its vertices are those of the mesh that was filled, in their order.
    uint32_t *skin_particles; // four of the body's vertices each
    float *skin_weights;      // theirs, with a sum of 1
    uint32_t skin_vertex_count;
};

// Cubes of five tetrahedra each, turned about from one to the next so that they fit: those whose middle the surface
// encloses, and those that hold one of its vertices. cells is about how many. The mesh must have been oriented; an
// open surface is refused.
bool mesh_fill(const struct mesh *mesh, const struct mesh_shape *shape, uint32_t cells,
               const struct mesh_watch *watch, struct mesh_lattice *lattice, struct mesh_error *error);
void mesh_lattice_deinit(struct mesh_lattice *lattice);

#endif
