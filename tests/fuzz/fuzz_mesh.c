// Mesh files: whatever the readers let through is a mesh that welding, orienting and filling can go on with.
// The first byte tells what follows:
//
//     'T' .node 0 .ele      'G' .msh
//
// and what is checked before assimp gets it, which is not run here:
//
//     'P' .ply    'S' .stl    'J' .gltf    'B' .glb    'O' .obj
#include "fuzz.h"

#include "internal.h"

#include "protocol/scene/obj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_indices(const struct mesh *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        FUZZ_ASSERT(isfinite(mesh->positions[i]));
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        FUZZ_ASSERT(mesh->triangles[i] < mesh->vertex_count);
    }
    for (size_t i = 0; i < 4 * (size_t)mesh->tet_count; i++) {
        FUZZ_ASSERT(mesh->tets[i] < mesh->vertex_count);
    }
    for (uint32_t i = 0; i < mesh->file_vertex_count; i++) {
        FUZZ_ASSERT(mesh->vertex_of[i] == MESH_NONE || mesh->vertex_of[i] < mesh->vertex_count);
    }
}

static void use(struct mesh *mesh)
{
    struct fault fault = {0};
    struct mesh_welding welding;
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    check_indices(mesh);
    FUZZ_ASSERT(mesh->triangle_count + mesh->tet_count > 0);
    FUZZ_ASSERT(mesh_weld(mesh, 1e-6, &welding, &fault));
    check_indices(mesh);
    FUZZ_ASSERT(mesh_orient(mesh, &shape, &fault));
    if (mesh->triangle_count == 0 || !mesh_fill(mesh, &shape, 20, NULL, &lattice, &fault)) {
        return;
    }
    check_indices(&lattice.body);
    FUZZ_ASSERT(lattice.body.tet_count == 5 * lattice.cell_count);
    for (size_t i = 0; i < 4 * (size_t)lattice.skin_vertex_count; i++) {
        FUZZ_ASSERT(lattice.skin_particles[i] < lattice.body.vertex_count);
        FUZZ_ASSERT(isfinite(lattice.skin_weights[i]));
    }
    mesh_lattice_deinit(&lattice);
}

// The plain text of an OBJ has the same vertices, as floats can tell them, and the same polygons, with what they look like
// and without.
static void check_obj(const char *text, size_t size, bool looks)
{
    struct scene_obj obj, again;
    struct fault fault = {0};
    char *plain = NULL;
    size_t plain_size = 0;
    if (!scene_obj_parse_lines("a.obj", text, size, &obj, &fault)) {
        FUZZ_ASSERT(fault.code != FAULT_NONE && fault.text[0]);
        return;
    }
    FUZZ_ASSERT(mesh_plain_obj(text, size, looks, &plain, &plain_size, &fault));
    FUZZ_ASSERT(scene_obj_parse("a.obj", plain, plain_size, &again, &fault));
    FUZZ_ASSERT(again.vertex_count == obj.vertex_count && again.triangle_count == obj.triangle_count);
    for (size_t i = 0; i < 3 * (size_t)obj.triangle_count; i++) {
        FUZZ_ASSERT(again.triangles[i] == obj.triangles[i]);
    }
    for (size_t i = 0; i < 3 * (size_t)obj.vertex_count; i++) {
        FUZZ_ASSERT(fabs(again.positions[i] - obj.positions[i]) <= 1e-8 * fabs(obj.positions[i]));
    }
    for (size_t i = 0; i < 2 * (size_t)obj.line_count; i++) {
        FUZZ_ASSERT(obj.lines[i] < obj.vertex_count);
    }
    free(plain);
    free(obj.positions);
    free(obj.triangles);
    free(obj.lines);
    free(again.positions);
    free(again.triangles);
}

// The glTF without skins that assimp gets has the same triangles.
static void check_plain_gltf(bool is_glb, const char *bytes, size_t size, uint64_t triangles)
{
    struct fault fault = {0};
    char *text;
    size_t text_size = 0;
    uint64_t again = 0;
    if (!mesh_plain_gltf(is_glb, size % 2 == 0, bytes, size, &text, &text_size, &fault)) {
        FUZZ_ASSERT(fault.code != FAULT_NONE && fault.text[0]);
    } else if (text) {
        FUZZ_ASSERT(mesh_check_gltf("a.gltf", is_glb, text, text_size, &again, &fault) && again == triangles);
    }
    free(text);
}

// Whatever it says of the bytes, it gives a reason for a refusal. The check of an STL writes into its copy.
static void check_before_assimp(char kind, const uint8_t *text, size_t size)
{
    struct fault fault = {0};
    uint64_t triangles = 0;
    size_t skip = 0;
    bool ok = true;
    char *bytes = malloc(size + 1);
    if (!bytes) {
        return;
    }
    memcpy(bytes, text, size);
    bytes[size] = '\0';
    if (kind == 'P') {
        ok = mesh_check_ply("a.ply", bytes, size, &fault);
    } else if (kind == 'S') {
        ok = mesh_check_stl("a.stl", bytes, size, &skip, &fault);
    } else if (kind == 'O') {
        check_obj(bytes, size, false), check_obj(bytes, size, true);
    } else if ((ok = mesh_check_gltf("a.gltf", kind == 'B', bytes, size, &triangles, &fault))) {
        check_plain_gltf(kind == 'B', bytes, size, triangles);
    }
    FUZZ_ASSERT(ok ? skip <= size : fault.code != FAULT_NONE && fault.text[0]);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mesh mesh;
    struct fault fault = {0};
    if (size == 0) {
        return 0;
    }
    if (memchr("PSJBO", data[0], 5)) {
        check_before_assimp((char)data[0], data + 1, size - 1);
        return 0;
    }
    const uint8_t *text = data + 1;
    size--;
    struct mesh_parts parts = {0};
    bool read;
    if (data[0] == 'T') {
        const uint8_t *zero = memchr(text, 0, size);
        const size_t nodes = zero ? (size_t)(zero - text) : size, eles = zero ? size - nodes - 1 : 0;
        read =
            mesh_parse_tetgen("a.node", text, nodes, "a.ele", text + size - eles, eles, NULL, &mesh, &fault);
    } else {
        read = mesh_parse_gmsh("a.msh", text, size, NULL, &mesh, &parts, &fault);
    }
    if (read) {
        free(parts.items);
        use(&mesh);
        mesh_deinit(&mesh);
    } else {
        FUZZ_ASSERT(fault.code != FAULT_NONE && fault.text[0]);
        FUZZ_ASSERT(mesh.positions == NULL);
    }
    return 0;
}
