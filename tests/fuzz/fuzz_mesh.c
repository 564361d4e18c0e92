// Mesh files: whatever the readers let through is a mesh that welding, orienting and filling can go on with.
// The first byte tells what follows:
//
//     'T' .node 0 .ele      'G' .msh
#include "fuzz.h"

#include "mesh.h"

#include <math.h>
#include <string.h>

static void check_indices(const struct mesh *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        FUZZ_ASSERT(isfinite(mesh->positions[i]));
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        FUZZ_ASSERT(mesh->triangles[i] < mesh->vertex_count);
    for (size_t i = 0; i < 4 * (size_t)mesh->tet_count; i++)
        FUZZ_ASSERT(mesh->tets[i] < mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->file_vertex_count; i++)
        FUZZ_ASSERT(mesh->vertex_of[i] == MESH_NONE || mesh->vertex_of[i] < mesh->vertex_count);
}

static void use(struct mesh *mesh)
{
    struct mesh_error error = {0};
    struct mesh_welding welding;
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    check_indices(mesh);
    FUZZ_ASSERT(mesh->triangle_count + mesh->tet_count > 0);
    FUZZ_ASSERT(mesh_weld(mesh, 1e-6, &welding, &error));
    check_indices(mesh);
    FUZZ_ASSERT(mesh_orient(mesh, &shape, &error));
    if (mesh->triangle_count == 0 || !mesh_fill(mesh, &shape, 20, NULL, &lattice, &error))
        return;
    check_indices(&lattice.body);
    FUZZ_ASSERT(lattice.body.tet_count == 5 * lattice.cell_count);
    for (size_t i = 0; i < 4 * (size_t)lattice.skin_vertex_count; i++) {
        FUZZ_ASSERT(lattice.skin_particles[i] < lattice.body.vertex_count);
        FUZZ_ASSERT(isfinite(lattice.skin_weights[i]));
    }
    mesh_lattice_deinit(&lattice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mesh mesh;
    struct mesh_error error = {0};
    if (size == 0)
        return 0;
    const uint8_t *text = data + 1;
    size--;
    bool read;
    if (data[0] == 'T') {
        const uint8_t *zero = memchr(text, 0, size);
        const size_t nodes = zero ? (size_t)(zero - text) : size, eles = zero ? size - nodes - 1 : 0;
        read = mesh_parse_tetgen("a.node", text, nodes, "a.ele", text + size - eles, eles, &mesh, &error);
    } else {
        read = mesh_parse_gmsh("a.msh", text, size, &mesh, &error);
    }
    if (read) {
        use(&mesh);
        mesh_deinit(&mesh);
    } else {
        FUZZ_ASSERT(error.code[0] && error.text[0]);
        FUZZ_ASSERT(mesh.positions == NULL);
    }
    return 0;
}
