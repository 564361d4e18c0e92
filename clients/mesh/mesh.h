// Meshes for simulation: read from files, welded, made consistent, placed, and filled with tetrahedra.
//
//     file ──▶ mesh_read ──▶ mesh_weld ──▶ mesh_orient ──▶ mesh_place ──┬──▶ a cloth (triangles), a soft body (tets)
//                                                                       └──▶ mesh_fill: lattice + carried surface
//
// Files are not trusted: sizes are bounded, claims are checked against the bytes that are there, and errors name the
// file and the line. Lengths are metres from mesh_place on; before it they are in the file's units.
//
// Ownership: the caller deinits what a function has filled, if it returned true. Threads: there is no global state, but for
// formats that assimp reads, mesh_read forks, so no other thread may be running then.
//
// Functions that can fail return false and fill *fault, which must not be NULL: IO (a file cannot be read), INVALID, LIMIT,
// MEMORY, CANCELLED.
#ifndef WEFT_MESH_MESH_H
#define WEFT_MESH_MESH_H

#include "protocol/fault/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MESH_VERTICES_MAX = 4194304, // vertices of a mesh
    MESH_CORNERS_MAX = 16777216, // vertices in a file, which may repeat one for each triangle
    MESH_TRIANGLES_MAX = 16777216,
    MESH_TETS_MAX = 16777216,
    MESH_PARTS_MAX = 65536,
    MESH_MATERIALS_MAX = 4096,
    MESH_NAME_SIZE = 64, // bytes, with the terminating zero
    MESH_FRAMES_MAX = 1048576,
    MESH_FRAME_NUMBERS_MAX = 134217728, // coordinates in all frames together
};
#define MESH_FILE_BYTES_MAX ((size_t)512 << 20)
#define MESH_NONE UINT32_MAX // no index

// report is called with the progress of a stage, 0 ... 1 (negative: unknown). If it returns false the work stops with CANCELLED.
// Functions accept NULL for the watch.
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
    uint32_t *lines; // two vertex indices each; mesh_read leaves them empty, the studio's reader fills them
    uint32_t line_count;
    // The look of the triangles; NULL: the file has none.
    float *uvs;          // u, v of each corner of each triangle, v upwards
    float *normals;      // x, y, z of each corner, as the file has them: mesh_place does not turn them
    uint32_t *materials; // for each triangle, an index into the file's materials
    // For each vertex of the file, its present index, or MESH_NONE if it was left out.
    uint32_t *vertex_of;
    uint32_t file_vertex_count;
};

void mesh_deinit(struct mesh *mesh); // an empty one is allowed

// ---------------------------------------------------------------------------------------------------------
// Reading: read.c, and a file a format

// One of the meshes in a file: ranges of vertices, triangles and tets.
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
    struct mesh mesh;   // the part that was wanted, or all of them
    struct mesh_part *parts;
    uint32_t part_count; // parts of the whole file
    struct mesh_material *materials;
    uint32_t material_count;
    uint32_t
        uncut_count; // polygons that cross themselves, or have more than 4096 corners: fans, which may overlap
    char missing[MESH_NAME_SIZE]; // a file of materials that it names and that cannot be opened; or empty
    // The motion, from mesh_read_moving: in each frame x, y, z of each of the file's vertices (mesh.file_vertex_count).
    float *frames;
    double *times; // s, of each frame, ascending from 0
    uint32_t frame_count;
};

// The source of a mesh's motion.
struct mesh_play {
    // Path of a point cache (.pc2). NULL: a glTF's own animation, or the .pc2 beside any other file.
    const char *cache;
    const char *animation; // name or number (from 0) of a glTF's animation; NULL: the first
    double fps;            // frames a second: of the point cache, or at which a glTF's animation is sampled
};

// Reads OBJ, PLY, STL, glTF (through assimp), TetGen (.node with .ele beside it, either may be named) and Gmsh (.msh
// 2 and 4, text and binary), by the name's ending. Transforms of nodes are applied. part is the name or the number
// (from 0) of the one mesh that is wanted; NULL takes all of them as one.
bool mesh_read(const char *path, const char *part, const struct mesh_watch *watch, struct mesh_file *file,
               struct fault *fault);
// The same with frames, at least two; the mesh has the positions of the first. If play is NULL this is mesh_read. Nodes, skins and
// morph targets of a glTF may move. Its keyframes are interpolated linearly; cubic splines are refused.
bool mesh_read_moving(const char *path, const char *part, const struct mesh_play *play,
                      const struct mesh_watch *watch, struct mesh_file *file, struct fault *fault);
void mesh_file_deinit(struct mesh_file *file);

// The formats that need no assimp, from memory; error texts show `name` as the file. The caller deinits *mesh and frees
// parts->items. A physical group of Gmsh becomes a part with the group's name; elements without a group become the last part.
bool mesh_parse_gmsh(const char *name, const void *bytes, size_t size, const struct mesh_watch *watch,
                     struct mesh *mesh, struct mesh_parts *parts, struct fault *fault);
bool mesh_parse_tetgen(const char *node_name, const void *nodes, size_t nodes_size, const char *ele_name,
                       const void *eles, size_t eles_size, const struct mesh_watch *watch, struct mesh *mesh,
                       struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Cleaning: weld.c, orient.c

struct mesh_welding {
    uint32_t welded;    // vertices that were merged into another
    uint32_t collapsed; // elements (triangles, tets, lines) removed because two of their corners were merged
    uint32_t repeated;  // elements removed because an earlier one has the same corners
    uint32_t unused;    // vertices removed because no element uses them
};

// Merges each vertex into the first remaining one that is no farther than tolerance (m, or the file's unit), and then removes
// collapsed and repeated elements and unused vertices. In a mesh without elements no vertex is unused. The order of vertices
// stays. Fails with MEMORY.
bool mesh_weld(struct mesh *mesh, double tolerance, struct mesh_welding *welding, struct fault *fault);

struct mesh_shape {
    uint32_t components;        // groups of triangles that are connected by edges
    uint32_t flipped;           // triangles and tets that were flipped
    uint32_t boundary_edges;    // edges of only one triangle
    uint32_t nonmanifold_edges; // edges of more than two
    uint32_t one_sided;         // components that cannot be oriented, such as a Moebius strip
    uint32_t flat_tets;         // tets without volume
    double area, volume;        // of the triangles; the volume means nothing if the surface is open
    double hole_area;           // of the openings
};

// Flips elements so that neighbouring triangles have the same orientation, closed components face outwards (cavities inwards), and
// tets have positive volume: (p1-p0)x(p2-p0).(p3-p0) > 0. Describes the result in *shape. Fails with MEMORY.
bool mesh_orient(struct mesh *mesh, struct mesh_shape *shape, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Remeshing: remesh.c (M. Botsch, L. Kobbelt, "A Remeshing Approach to Multiresolution Modeling", 2004)

struct mesh_remeshing {
    double length;         // m: of the edges that are wanted
    uint32_t vertices_max; // 0: MESH_VERTICES_MAX
    const uint8_t *kept;   // one byte for each vertex; 1: it stays where it is. NULL: none has to
};

struct mesh_remeshed {
    uint32_t vertices_before, triangles_before;
    uint32_t sharp;     // edges at which the surface turns by more than 40 degrees: they were kept
    uint32_t split;     // vertices that were added for a while, because parts of the surface only touch there
    double even;        // the part of the edges that are between 4/5 and 4/3 of the length
    double least, most; // m: of the edges
    double farthest; // m: the greatest distance of middles of triangles and edges from the surface as it was
};

// Makes an even triangulation of the surface, whose edges are about as long as is wanted, and keeps its holes and handles. It
// keeps borders, sharp edges, borders of materials, seams of uvs, and the corners of all these. uvs come from the old surface,
// and normals are made again: they are sharp at sharp edges. vertex_of names those vertices that stayed where they were. The
// mesh must have gone through mesh_orient. The same mesh gives the same result.
//
// False with INVALID if an edge has more than two triangles, or two that face opposite ways, if a number is not finite, or if the
// length is not above 0 or is above half of the mesh's extent; LIMIT if that takes too many vertices, with a length that fits;
// MEMORY; CANCELLED. The mesh is then as it was.
bool mesh_remesh(struct mesh *mesh, const struct mesh_remeshing *how, const struct mesh_watch *watch,
                 struct mesh_remeshed *told, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Placing and picking: place.c, pick.c

struct mesh_bounds {
    double low[3], high[3];
};
void mesh_bounds(const struct mesh *mesh, struct mesh_bounds *bounds);

// Applied in this order: z_up, scale, fit, rotate, at.
struct mesh_placement {
    double scale[3]; // metres for a unit of the file, along each axis; an odd number of negative ones mirrors
    double fit;      // m: scales the mesh so that its greatest extent is this; 0: does not
    bool z_up;       // the file's z points up, and becomes y
    double rotate[3]; // degrees, about x, then y, then z, around the middle of the bounds
    bool has_at;
    double at[3]; // m: position of the middle of the underside, if has_at; else the mesh is not moved
};

bool mesh_place(struct mesh *mesh, const struct mesh_placement *placement, struct fault *fault);
// The same, and gives the affine map of any point: p[i] = map[i][0] x + map[i][1] y + map[i][2] z + map[i][3].
bool mesh_place_mapped(struct mesh *mesh, const struct mesh_placement *placement, double map[3][4],
                       struct fault *fault);

// Sets marked[i] to 1 for the vertices that a text describes, and leaves other bytes (vertex_count of them):
//
//     box:x0,y0,z0,x1,y1,z1  sphere:x,y,z,r  index:0,5-9 (the file's vertices)  top-edge  top-corners  edge:+x|-x|+y|-y|+z|-z  all
//
// False with INVALID, and nothing marked, if the text is none of these or describes no vertex; MEMORY.
bool mesh_pick(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Moving: frames.c

// Writes the positions of the mesh's vertices in a frame, placed by map of mesh_place_mapped: 3 vertex_count doubles. source
// comes from mesh_frame_sources.
void mesh_frame(const struct mesh_file *file, const double map[3][4], const uint32_t *source, uint32_t frame,
                double *positions);
// Writes to source, for each vertex of the mesh, one vertex of the file that became it. False with INVALID if vertices that were
// merged are more than `tolerance` apart (m, after placing) in some frame.
bool mesh_frame_sources(const struct mesh_file *file, const double map[3][4], double tolerance,
                        uint32_t *source, struct fault *fault);

// ---------------------------------------------------------------------------------------------------------
// Looks: look.c

// Sets *has_edges if the normals at some vertex differ by more than 2.5 degrees, so that an edge is visible there. Normals without
// such edges need not be kept. False if memory runs out.
bool mesh_has_edges(const struct mesh *mesh, bool *has_edges);
// Removes the materials that no triangle uses. If only assimp's default is left, there are none. False if memory runs out.
bool mesh_file_use_materials(struct mesh_file *file);

// ---------------------------------------------------------------------------------------------------------
// Filling: winding.c, lattice.c

// Winding numbers of points with respect to a surface (Jacobson, Kavan, Sorkine-Hornung 2013; Barill and others 2018).
struct mesh_winding;
// NULL if memory runs out. mesh must outlive it.
struct mesh_winding *mesh_winding_create(const struct mesh *mesh);
void mesh_winding_destroy(struct mesh_winding *winding); // NULL is allowed
// How many times the surface winds around the point, within about 0.01: 1 inside a closed surface that faces outwards, 0 outside.
// Near a crack it changes smoothly. So 1/2 separates inside from outside even where a ray would pass through the crack.
double mesh_winding_at(const struct mesh_winding *winding, const double point[3]);

struct mesh_lattice {
    struct mesh body; // vertices and tets of the lattice
    uint32_t cell_count;
    double cell;   // m, edge of a cell
    double volume; // m^3, of all cells
    // The skin: the vertices of the mesh that was filled, in their order, carried by the lattice.
    uint32_t *skin_particles; // for each skin vertex, the four body vertices of the tet that carries it
    float *skin_weights;      // their barycentric weights, with a sum of 1
    uint32_t skin_vertex_count;
};

// Fills a closed surface with cubes of five tetrahedra each, alternately mirrored so that their faces match. It takes the cubes
// whose middle the surface encloses, and those that hold one of its vertices. `cells` is about how many, 1 to 1000000. The
// mesh must have gone through mesh_orient, which made shape. False with INVALID if openings are more than 1 % of the area.
bool mesh_fill(const struct mesh *mesh, const struct mesh_shape *shape, uint32_t cells,
               const struct mesh_watch *watch, struct mesh_lattice *lattice, struct fault *fault);
void mesh_lattice_deinit(struct mesh_lattice *lattice);

// ---------------------------------------------------------------------------------------------------------
// Rigid bodies: solid.c, convex.c

struct mesh_solid {
    double volume;      // m^3
    double centre[3];   // m: of mass
    double inertia[3];  // m^2: about x, y and z through the centre, for 1 kg
    double products[3]; // m^2: beside the diagonal of that matrix, yz, xz and xy
};

// Finds the exact measures of what a closed surface encloses. The mesh must have gone through mesh_orient, which made shape. Shells
// inside of it that face inwards are cavities. False with INVALID, and the place, if the surface is open, has one side only, encloses nothing or
// overlaps itself (as far as 8000 points tell); MEMORY.
bool mesh_solid(const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_solid *solid,
                struct fault *fault);

enum { MESH_HULLS_MAX = 32, MESH_HULL_TRIANGLES_MAX = 1000000 };

struct mesh_hulls {
    double *points; // x, y, z of the vertices of all hulls, m
    uint32_t
        firsts[MESH_HULLS_MAX + 1]; // vertices of hull i are those from firsts[i] on and before firsts[i + 1]
    uint32_t count;
    double volume; // m^3, of all hulls together
};

// Cuts what a closed surface encloses into at most `most` convex hulls (1 to MESH_HULLS_MAX) of at most 64 vertices each. mesh_solid
// has accepted the mesh. The same mesh gives the same hulls. False with INVALID if it is too thin, LIMIT if it has more than
// MESH_HULL_TRIANGLES_MAX triangles, MEMORY, CANCELLED.
bool mesh_hulls(const struct mesh *mesh, const struct mesh_solid *solid, uint32_t most,
                const struct mesh_watch *watch, struct mesh_hulls *hulls, struct fault *fault);
void mesh_hulls_deinit(struct mesh_hulls *hulls);

#endif
