// The calls of files.h, and the files of a scene, which are those that the page was given.
#include "files.h"

#include "clients/mesh/mesh.h"
#include "protocol/array/reserve.h"
#include "protocol/decode.h"
#include "protocol/polygon/polygon.h"
#include "protocol/scene/internal.h"
#include "protocol/scene/obj.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Vertices no farther apart than this part of the mesh's size become one, as `weft load` has it.
static const double SAME = 1e-6;

static struct given {
    const char *name;
    const void *bytes;
    size_t size;
} * given;
static size_t given_count, given_capacity;

static struct mesh mesh;
static struct mesh_lattice lattice;
static struct files_mesh told;
static uint32_t uncut;
static char refusal[FAULT_TEXT_SIZE];

static bool refuse(const char *why)
{
    snprintf(refusal, sizeof refusal, "%s", why);
    return false;
}

static bool report(void *context, const char *stage, double share)
{
    (void)context;
    files_told(stage, share);
    return true;
}

static const struct mesh_watch watch = {.report = report};

void *files_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

const char *files_refusal(void)
{
    return refusal;
}

// ---------------------------------------------------------------------------------------------------------
// Scenes

bool files_beside(const char *name, const void *bytes, size_t size)
{
    if (!array_reserve(&given, &given_capacity, given_count + 1)) {
        return refuse("no memory to read it");
    }
    given[given_count++] = (struct given){.name = name, .bytes = bytes, .size = size};
    return true;
}

bool scene_file_read(struct scene_reader *reader, const char *path, void **bytes, size_t *size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    *bytes = NULL;
    *size = 0;
    for (size_t i = 0; i < given_count; i++) {
        if (strcmp(given[i].name, name) != 0) {
            continue;
        }
        *bytes = malloc(given[i].size + 1);
        if (!*bytes) {
            return scene_refuse_memory(reader);
        }
        memcpy(*bytes, given[i].bytes, given[i].size);
        *size = given[i].size;
        return true;
    }
    return scene_refuse(reader, "\"%.100s\" was not given: choose or drop it together with the scene", path);
}

// No field of a document is a list of calls or answers. protocol/calls.c would bring the tables of all methods, which are
// two fifths of a module.
bool protocol_take_calls(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_list *out)
{
    *out = (struct protocol_list){0};
    return protocol_refuse_type(decoder, place, field, value);
}

bool protocol_take_answers(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value,
                           struct protocol_list *out)
{
    return protocol_take_calls(decoder, place, field, value, out);
}

const struct files_scene *files_scene(const char *name, const char *text, size_t size)
{
    static struct scene scene;
    static struct files_scene read;
    struct fault fault;
    struct scene_reader reader = {.file = name, .folder = -1, .fault = &fault};
    if (!scene_read_text(&reader, text, size, &scene)) {
        refuse(fault.text);
        return NULL;
    }
    read = (struct files_scene){.name = scene.name, .document = scene.document, .size = (uint32_t)scene.size};
    return &read;
}

// ---------------------------------------------------------------------------------------------------------
// Meshes

bool files_obj(const char *name, const char *text, size_t size)
{
    struct scene_obj obj;
    struct fault fault;
    if (!scene_obj_parse_lines(name, text, size, &obj, &fault)) {
        return refuse(fault.text);
    }
    mesh = (struct mesh){.positions = obj.positions,
                         .vertex_count = obj.vertex_count,
                         .triangles = obj.triangles,
                         .triangle_count = obj.triangle_count,
                         .lines = obj.lines,
                         .line_count = obj.line_count};
    uncut = obj.uncut_count;
    return true;
}

bool files_gmsh(const char *name, const void *bytes, size_t size)
{
    struct fault fault;
    struct mesh_parts parts;
    if (!mesh_parse_gmsh(name, bytes, size, &watch, &mesh, &parts, &fault)) {
        return refuse(fault.text);
    }
    if (mesh.tet_count > 0) {
        mesh.triangle_count = 0;
    }
    return true;
}

bool files_tetgen(const char *node_name, const void *nodes, size_t nodes_size, const char *ele_name,
                  const void *eles, size_t eles_size)
{
    struct fault fault;
    return mesh_parse_tetgen(node_name, nodes, nodes_size, ele_name, eles, eles_size, &watch, &mesh,
                             &fault) ||
           refuse(fault.text);
}

static bool all_below(const uint32_t *indices, size_t count, uint32_t limit)
{
    for (size_t i = 0; i < count; i++) {
        if (indices[i] >= limit) {
            return false;
        }
    }
    return true;
}

bool files_give(double *positions, uint32_t vertex_count, uint32_t *triangles, uint32_t triangle_count,
                uint32_t *lines, uint32_t line_count)
{
    if (vertex_count > MESH_CORNERS_MAX || triangle_count > MESH_TRIANGLES_MAX ||
        line_count > MESH_TRIANGLES_MAX) {
        return refuse("it is too large: at most 16777216 vertices, triangles and lines are read");
    }
    if (!all_below(triangles, 3 * (size_t)triangle_count, vertex_count) ||
        !all_below(lines, 2 * (size_t)line_count, vertex_count)) {
        return refuse("a face names a vertex that does not exist");
    }
    for (size_t i = 0; i < 3 * (size_t)vertex_count; i++) {
        if (!isfinite(positions[i])) {
            return refuse("a coordinate is not a finite number");
        }
    }
    mesh = (struct mesh){.positions = positions,
                         .vertex_count = vertex_count,
                         .triangles = triangles,
                         .triangle_count = triangle_count,
                         .lines = lines,
                         .line_count = line_count};
    return true;
}

bool files_look(float *uvs, uint32_t uv_count, uint32_t *materials, uint32_t material_count)
{
    if ((uv_count != 0 && uv_count != mesh.triangle_count) || material_count != mesh.triangle_count) {
        return refuse("its uvs or materials do not fit its triangles");
    }
    for (size_t i = 0; i < 6 * (size_t)uv_count; i++) {
        if (!isfinite(uvs[i])) {
            return refuse("a uv is not a finite number");
        }
    }
    mesh.uvs = uv_count > 0 ? uvs : NULL;
    mesh.materials = materials;
    return true;
}

bool files_cut(const uint32_t *polygons, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = polygons[2 * i], corners = polygons[2 * i + 1];
        bool cut;
        if (corners < 3 || first > mesh.triangle_count || corners - 2 > mesh.triangle_count - first) {
            return refuse("a polygon is not in the list of triangles");
        }
        if (!polygon_cut_fan(mesh.positions, mesh.triangles + 3 * (size_t)first, corners, &cut)) {
            return refuse("there is no memory for the mesh");
        }
        uncut += !cut;
    }
    return true;
}

// Its greatest extent.
static double size_of(void)
{
    struct mesh_bounds bounds;
    double size = 0;
    mesh_bounds(&mesh, &bounds);
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.high[axis] - bounds.low[axis]);
    }
    return size;
}

bool files_weld(void)
{
    struct fault fault;
    struct mesh_welding exact, near;
    struct mesh_shape shape;
    if (!mesh_weld(&mesh, 0, &exact, &fault) || !mesh_weld(&mesh, SAME * size_of(), &near, &fault) ||
        (mesh.tet_count > 0 && !mesh_orient(&mesh, &shape, &fault))) {
        return refuse(fault.text);
    }
    told.welded = exact.welded + near.welded;
    told.collapsed = exact.collapsed + near.collapsed;
    told.repeated = exact.repeated + near.repeated;
    told.unused = exact.unused + near.unused;
    return true;
}

bool files_fill(uint32_t cells)
{
    struct fault fault;
    struct mesh_shape shape;
    return (mesh_orient(&mesh, &shape, &fault) &&
            mesh_fill(&mesh, &shape, cells, &watch, &lattice, &fault)) ||
           refuse(fault.text);
}

const struct files_mesh *files_mesh(void)
{
    const struct mesh *body = lattice.skin_vertex_count > 0 ? &lattice.body : &mesh;
    told.positions = body->positions;
    told.vertex_count = body->vertex_count;
    told.tets = body->tets;
    told.tet_count = body->tet_count;
    told.triangles = mesh.triangles;
    told.triangle_count = mesh.triangle_count;
    told.lines = mesh.lines;
    told.line_count = mesh.line_count;
    told.uncut = uncut;
    told.skin_particles = lattice.skin_particles;
    told.skin_weights = lattice.skin_weights;
    told.skin_vertex_count = lattice.skin_vertex_count;
    told.uvs = mesh.uvs;
    told.materials = mesh.materials;
    return &told;
}
