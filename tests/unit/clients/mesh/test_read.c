// Readers: what other programs wrote, what was written by hand, and what makes no sense.
#include "helper_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fault fault;
static struct mesh_parts parts;

static struct mesh_file read_well(const char *path, const char *part)
{
    struct mesh_file file;
    if (!mesh_read(path, part, NULL, &file, &fault)) {
        fail_msg("%s: %s: %s", path, fault_word(fault.code), fault.text);
    }
    for (size_t i = 0; i < 3 * (size_t)file.mesh.triangle_count; i++) {
        assert_true(file.mesh.triangles[i] < file.mesh.vertex_count);
    }
    for (size_t i = 0; i < 4 * (size_t)file.mesh.tet_count; i++) {
        assert_true(file.mesh.tets[i] < file.mesh.vertex_count);
    }
    return file;
}

static struct mesh_file read_text(const char *name, const char *text, const char *part)
{
    return read_well(shape_file(name, text, strlen(text)), part);
}

// Welded and oriented, as programs do.
static struct mesh_shape tidy(struct mesh *mesh)
{
    struct mesh_welding welding;
    struct mesh_shape shape;
    assert_true(mesh_weld(mesh, 1e-6, &welding, &fault));
    assert_true(mesh_orient(mesh, &shape, &fault));
    return shape;
}

static void refuse(const char *name, const void *bytes, size_t size, const char *part, enum fault_code code,
                   const char *word)
{
    struct mesh_file file;
    const char *path = shape_file(name, bytes, size);
    if (mesh_read(path, part, NULL, &file, &fault)) {
        fail_msg("%s was read", name);
    }
    if (fault.code != code || !strstr(fault.text, word)) {
        fail_msg("%s: %s: %s, without '%s'", name, fault_word(fault.code), fault.text, word);
    }
    assert_null(file.mesh.positions);
    assert_null(file.parts);
}

static void refuse_text(const char *name, const char *text, const char *word)
{
    refuse(name, text, strlen(text), NULL, FAULT_INVALID, word);
}

// ---------------------------------------------------------------------------------------------------------
// Files of other programs

static void test_gmsh_files_hold_the_box(void **state)
{
    (void)state;
    static const char *const files[] = {"gmsh-2",
                                        "gmsh-2-binary",
                                        "gmsh-4.0",
                                        "gmsh-4.1",
                                        "gmsh-4.1-binary",
                                        "gmsh-4.1-parametric",
                                        "gmsh-4.1-parametric-binary",
                                        "gmsh-4.1-quadratic-binary"};
    uint32_t tets = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[96];
        double least;
        snprintf(path, sizeof path, "tests/meshes/%s.msh", files[i]);
        struct mesh_file file = read_well(path, NULL);
        assert_string_equal(file.format, "Gmsh");
        const struct mesh_shape shape = tidy(&file.mesh);
        assert_true(fabs(shape_tets_volume(&file.mesh, &least) - 6) < 1e-9);
        assert_true(least > 0);
        assert_true(fabs(shape.area - 22) < 1e-9);
        assert_true(fabs(shape.volume - 6) < 1e-9);
        assert_int_equal(shape.boundary_edges, 0);
        assert_true(tets == 0 || tets == file.mesh.tet_count);
        tets = file.mesh.tet_count;
        mesh_file_deinit(&file);
    }
}

// Two cubes of 1 m and a face of the first, each of them a group.
static void test_gmsh_groups_are_meshes(void **state)
{
    (void)state;
    static const char *const files[] = {"gmsh-2-groups", "gmsh-2-groups-binary", "gmsh-4.0-groups",
                                        "gmsh-4.1-groups", "gmsh-4.1-groups-binary"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[96];
        snprintf(path, sizeof path, "tests/meshes/%s.msh", files[i]);
        struct mesh_file file = read_well(path, NULL);
        assert_int_equal(file.part_count, 3);
        assert_string_equal(file.parts[0].name, "inlet");
        assert_int_equal(file.parts[0].triangle_count, 4);
        assert_int_equal(file.parts[0].tet_count, 0);
        assert_int_equal(file.parts[1].tet_count + file.parts[2].tet_count, file.mesh.tet_count);
        mesh_file_deinit(&file);
        static const char *const halves[] = {"soft half", "hard half"};
        for (int half = 0; half < 2; half++) {
            double low = INFINITY, high = -INFINITY;
            file = read_well(path, halves[half]);
            tidy(&file.mesh);
            assert_int_equal(file.mesh.triangle_count, 0);
            for (uint32_t v = 0; v < file.mesh.vertex_count; v++) {
                low = fmin(low, file.mesh.positions[3 * (size_t)v]);
                high = fmax(high, file.mesh.positions[3 * (size_t)v]);
            }
            assert_true(low == half && high == half + 1);
            mesh_file_deinit(&file);
        }
    }
}

static void test_tetgen_files_hold_the_box(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct mesh_file file = read_well(i ? "tests/meshes/tetgen.ele" : "tests/meshes/tetgen.node", NULL);
        double least;
        assert_string_equal(file.format, "TetGen");
        assert_int_equal(file.mesh.vertex_count, 64);
        assert_int_equal(file.mesh.tet_count, 122);
        tidy(&file.mesh);
        assert_true(fabs(shape_tets_volume(&file.mesh, &least) - 6) < 1e-9);
        assert_true(least > 0);
        mesh_file_deinit(&file);
    }
}

static void test_stl_and_ply_hold_the_box(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct mesh_file file = read_well(i ? "tests/meshes/box.ply" : "tests/meshes/box.stl", NULL);
        const struct mesh_shape shape = tidy(&file.mesh);
        assert_true(fabs(shape.area - 22) < 1e-5);
        assert_true(fabs(shape.volume - 6) < 1e-5);
        assert_int_equal(shape.boundary_edges, 0);
        mesh_file_deinit(&file);
    }
}

#define FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

static void test_what_other_programs_write_beside_a_mesh_is_passed_over(void **state)
{
    (void)state;
    static const char *const solids[] = {"solid a\n" FACET "endsolid a\nsolid b\nendsolid b\n",
                                         "solid\nendsolid\n\nsolid b\n" FACET "endsolid b\n",
                                         "solid a\nendsolid a\nsolid b\n" FACET
                                         "endsolid b\nSOLID c d\r\n  EndSolid c d"};
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        struct mesh_file file = read_text("solids.stl", solids[i], NULL);
        assert_int_equal(file.mesh.triangle_count, 1);
        mesh_file_deinit(&file);
    }
    refuse_text("empty.stl", "solid a\nendsolid a\nsolid b\nendsolid b\n", "no triangles");
    struct mesh_file file =
        read_text("created.ply",
                  "ply\nformat ascii 1.0\nCreated by a scanner\nelement vertex 3\nproperty float x\n"
                  "property float y\nproperty float z\nelement face 1\nproperty list uchar int "
                  "vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
                  NULL);
    assert_int_equal(file.mesh.triangle_count, 1);
    mesh_file_deinit(&file);
}

static void test_the_creature_is_read_as_libweft_reads_it(void **state)
{
    (void)state;
    struct mesh_file file = read_well("tests/scenes/wuson.obj", NULL);
    assert_true(file.mesh.vertex_count > 1000);
    for (uint32_t i = 0; i < file.mesh.file_vertex_count; i++) {
        assert_int_equal(file.mesh.vertex_of[i], i);
    }
    mesh_file_deinit(&file);
}

// ---------------------------------------------------------------------------------------------------------
// OBJ

static void test_obj_keeps_order_precision_and_groups(void **state)
{
    (void)state;
    static const char text[] = "# two squares, the second with vertices of its own at the seam\n"
                               "o left\nv 0.1234567890123 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n"
                               "vt 0 0\nvt 1 0\nf 1/1 2/2 3/1 4/2\n"
                               "o right\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nf -4 -3 -2 -1\n";
    struct mesh_file file = read_text("squares.obj", text, NULL);
    assert_int_equal(file.part_count, 2);
    assert_string_equal(file.parts[0].name, "left");
    assert_string_equal(file.parts[1].name, "right");
    assert_int_equal(file.mesh.vertex_count, 9);
    assert_true(file.mesh.positions[0] == 0.1234567890123);
    struct mesh_welding welding;
    assert_true(mesh_weld(&file.mesh, 1e-6, &welding, &fault));
    assert_int_equal(welding.welded, 2);
    assert_int_equal(welding.unused, 1);
    assert_int_equal(file.mesh.vertex_count, 6);
    assert_int_equal(file.mesh.triangle_count, 4);
    assert_int_equal(file.mesh.vertex_of[5], 1);
    assert_int_equal(file.mesh.vertex_of[4], MESH_NONE);
    mesh_file_deinit(&file);

    static const char *const wanted[] = {"right", "1"};
    for (int i = 0; i < 2; i++) {
        file = read_text(i ? "part1.obj" : "part0.obj", text, wanted[i]);
        assert_true(mesh_weld(&file.mesh, 1e-6, &welding, &fault));
        assert_int_equal(file.mesh.vertex_count, 4);
        assert_int_equal(file.mesh.triangle_count, 2);
        assert_true(file.mesh.positions[0] == 1);
        mesh_file_deinit(&file);
    }
    refuse("part2.obj", text, strlen(text), "middle", FAULT_INVALID, "it has 0 left, 1 right");
    refuse("part3.obj", text, strlen(text), "2", FAULT_INVALID, "no mesh '2'");
}

// Writes one polygon of corners in the plane z = 0, from corner `first` on.
static void write_polygon(const char *format, const double corners[][2], int count, int first, char *text,
                          size_t size)
{
    const bool is_ply = strcmp(format, "ply") == 0;
    size_t at = 0;
    if (is_ply) {
        at = (size_t)snprintf(text, size,
                              "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double "
                              "y\nproperty double z\nelement face 1\nproperty list uchar int "
                              "vertex_indices\nend_header\n",
                              count);
    }
    for (int i = 0; i < count; i++) {
        const double *place = corners[(first + i) % count];
        at += (size_t)snprintf(text + at, size - at, "%s%g %g 0\n", is_ply ? "" : "v ", place[0], place[1]);
    }
    at += (size_t)snprintf(text + at, size - at, is_ply ? "%d" : "f", count);
    for (int i = 0; i < count; i++) {
        at += (size_t)snprintf(text + at, size - at, " %d", is_ply ? i : i + 1);
    }
    snprintf(text + at, size - at, "\n");
}

static void test_a_concave_polygon_is_cut_within_itself(void **state)
{
    (void)state;
    static const struct {
        int count;
        double area, corners[8][2];
    } shapes[] = {{6, 3, {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}},
                  {8, 5, {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}};
    static const char *const formats[] = {"obj", "ply"};
    for (int n = 0; n < 32; n++) {
        const int shape = n / 16, format = n / 8 % 2, first = n % 8;
        char name[16], text[1024];
        if (first >= shapes[shape].count) {
            continue;
        }
        snprintf(name, sizeof name, "concave.%s", formats[format]);
        write_polygon(formats[format], shapes[shape].corners, shapes[shape].count, first, text, sizeof text);
        struct mesh_file file = read_text(name, text, NULL);
        const struct mesh_shape tidied = tidy(&file.mesh);
        assert_int_equal(file.mesh.triangle_count, shapes[shape].count - 2);
        assert_int_equal(file.uncut_count, 0);
        assert_true(fabs(tidied.area - shapes[shape].area) < 1e-6);
        mesh_file_deinit(&file);
    }
    struct mesh_file crossed = read_text("bow.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n", NULL);
    assert_int_equal(crossed.uncut_count, 1);
    mesh_file_deinit(&crossed);
    struct mesh_file quad = read_text("dart.msh",
                                      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 1 0\n2 -4 4 0\n"
                                      "3 0 0 0\n4 4 4 0\n$EndNodes\n$Elements\n1\n1 3 2 0 1 2 1 4 3\n"
                                      "$EndElements\n",
                                      NULL);
    assert_true(fabs(tidy(&quad.mesh).area - 4) < 1e-6);
    mesh_file_deinit(&quad);
}

// ---------------------------------------------------------------------------------------------------------
// glTF: a node that turns, scales and moves, over one that mirrors

static void write_gltf(char *out, size_t size, const char *buffer_uri)
{
    snprintf(
        out, size,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"
        "\"nodes\":[{\"name\":\"outer\",\"translation\":[10,0,0],\"scale\":[2,2,2],\"children\":[1]},"
        "{\"name\":\"mirrored\",\"scale\":[-1,1,1],\"mesh\":0},{\"name\":\"plain\",\"mesh\":0}],"
        "\"meshes\":[{\"name\":\"patch\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}]"
        ","
        "\"buffers\":[{\"byteLength\":42,\"uri\":\"%s\"}]}",
        buffer_uri);
}

static void check_gltf(const char *path)
{
    static const double expected[18] = {10, 0, 0, 8, 0, 0, 10, 2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    struct mesh_file file = read_well(path, NULL);
    assert_int_equal(file.mesh.triangle_count, 2);
    assert_int_equal(file.mesh.vertex_count, 6);
    for (size_t i = 0; i < 18; i++) {
        assert_true(fabs(file.mesh.positions[i] - expected[i]) < 1e-6);
    }
    // Both show the same side: the mirror has turned the first triangle round.
    double sides[2];
    for (size_t t = 0; t < 2; t++) {
        const double *a = file.mesh.positions + 3 * (size_t)file.mesh.triangles[3 * t];
        const double *b = file.mesh.positions + 3 * (size_t)file.mesh.triangles[3 * t + 1];
        const double *c = file.mesh.positions + 3 * (size_t)file.mesh.triangles[3 * t + 2];
        sides[t] = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    assert_true(sides[0] > 0 && sides[1] > 0);
    mesh_file_deinit(&file);
}

static void test_gltf_nodes_are_applied(void **state)
{
    (void)state;
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t indices[3] = {0, 1, 2};
    uint8_t buffer[42];
    char json[2048], other[2048];
    memcpy(buffer, positions, 36);
    memcpy(buffer + 36, indices, 6);
    shape_file("patch.bin", buffer, sizeof buffer);
    write_gltf(json, sizeof json, "patch.bin");
    check_gltf(shape_file("patch.gltf", json, strlen(json)));
    // Files in other folders are not read.
    write_gltf(other, sizeof other, "../patch.bin");
    refuse("climbs.gltf", other, strlen(other), NULL, FAULT_INVALID, "cannot be read");
    write_gltf(other, sizeof other, "/etc/passwd");
    refuse("absolute.gltf", other, strlen(other), NULL, FAULT_INVALID, "cannot be read");
    write_gltf(other, sizeof other, "gone.bin");
    refuse("gone.gltf", other, strlen(other), NULL, FAULT_INVALID, "cannot be read");
}

// ---------------------------------------------------------------------------------------------------------
// What makes no sense

static void test_imported_files_that_make_no_sense(void **state)
{
    (void)state;
    static const char garbage[] = "\x7f\x45LF nothing of this is a mesh \xff\xfe\x00 at all";
    struct mesh_file file;
    refuse("garbage.ply", garbage, sizeof garbage, NULL, FAULT_INVALID, "line 1: it does not begin with");
    refuse("garbage.stl", garbage, sizeof garbage, NULL, FAULT_INVALID, "it is no STL");
    refuse("garbage.gltf", garbage, sizeof garbage, NULL, FAULT_INVALID, "line 1: it is no JSON");
    refuse("garbage.glb", garbage, sizeof garbage, NULL, FAULT_INVALID, "does not begin as a .glb does");
    refuse_text("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4");
    refuse_text("empty.obj", "", "empty");
    refuse_text("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "");
    refuse_text("unknown.fbx", "x", ".obj, .ply");
    refuse_text("noending", "x", "must end in");
    assert_false(mesh_read("/nowhere/at/all.stl", NULL, NULL, &file, &fault));
    assert_int_equal(fault.code, FAULT_IO);
    assert_false(mesh_read("/nowhere/at/all.msh", NULL, NULL, &file, &fault));
    assert_int_equal(fault.code, FAULT_IO);
    assert_false(mesh_read("/nowhere/at/all.obj", NULL, NULL, &file, &fault));
    assert_int_equal(fault.code, FAULT_IO);
}

static void test_tetgen_files_that_make_no_sense(void **state)
{
    (void)state;
    static const char nodes[] = "# four\n4 3 1 1\n0 0 0 0 7 1\n1 1 0 0 7 1 # x\n\n2 0 1 0 7 1\n3 0 0 1 7 1\n";
    static const struct {
        const char *nodes, *eles, *word;
    } cases[] = {
        {nodes, "1 4 0\n0 0 1 2 4\n", "line 2: node 4 is not in the .node file"},
        {nodes, "1 4 0\n1 0 1 2 3\n", "tetrahedron 1 where 0"},
        {nodes, "1 4 0\n0 0 1 2\n", "a node is missing"},
        {nodes, "1 4 0\n0 0 1 2 3 4\n", "more in the line"},
        {nodes, "2 4 0\n0 0 1 2 3\n", "ends after 1 of 2"},
        {nodes, "1 4 0\n0 0 1 2 3\n1 0 1 2 3\n", "more than 1"},
        {nodes, "1 5 0\n0 0 1 2 3 3\n", "must be 4 or 10"},
        {nodes, "4000000 4 0\n0 0 1 2 3\n", "not there"},
        {nodes, "1 4 0\n0 0 1 -2 3\n", "no whole number"},
        {nodes, "", "empty"},
        {"4 2 0 0\n", "1 4 0\n0 0 1 2 3\n", "dimension is 2"},
        {"99999999999 3 0 0\n0 0 0 0\n", "1 4 0\n", "at most 4194304"},
        {"1 3 0 0\n5 0 0 0\n", "1 4 0\n", "node 5 where 1"},
        {"4 3 0 0\n0 0 0 nan\n1 0 0 0\n2 0 0 0\n3 0 0 0\n", "1 4 0\n", "z is no finite number"},
        {"2 3 0 0\n0 0 0 0\n0 1 0 0\n", "1 4 0\n", "node 0 where 1"},
        {"1 3 0 0\n0 0 0 0 5\n", "1 4 0\n", "more in the line"},
        {"1 3 0 0\n1 0x 0 0\n", "1 4 0\n", "x is no finite number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mesh mesh;
        if (mesh_parse_tetgen("a.node", cases[i].nodes, strlen(cases[i].nodes), "a.ele", cases[i].eles,
                              strlen(cases[i].eles), NULL, &mesh, &fault)) {
            fail_msg("case %zu was read", i);
        }
        if ((fault.code != FAULT_INVALID && fault.code != FAULT_LIMIT) ||
            !strstr(fault.text, cases[i].word) || !strstr(fault.text, "line ")) {
            fail_msg("case %zu: %s: %s, without '%s'", i, fault_word(fault.code), fault.text, cases[i].word);
        }
        assert_null(mesh.positions);
    }
    struct mesh mesh;
    static const char good[] = "1 10 2\n1 1 2 3 4 1 1 1 1 1 1 7 7\n";
    static const char from_one[] = "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\r\n4 0 0 1";
    assert_true(mesh_parse_tetgen("a.node", from_one, strlen(from_one), "a.ele", good, strlen(good), NULL,
                                  &mesh, &fault));
    assert_int_equal(mesh.tet_count, 1);
    assert_int_equal(mesh.tets[3], 3);
    mesh_deinit(&mesh);
}

#define HEAD_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_2 "$Nodes\n3\n10 0 0 0\n7 1 0 0\n3 0 1 0\n$EndNodes\n"
#define NODES_4 "$Nodes\n1 3 3 10\n2 1 0 3\n10\n7\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"

static void test_gmsh_files_that_make_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"", "line 1: the file is empty"},
        {"hello", "is it a Gmsh file"},
        {"$Nodes\n", "$MeshFormat was to come"},
        {"$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "version 3"},
        {"$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "numbers of 4 bytes"},
        {"$MeshFormat\n4.1 2 8\n$EndMeshFormat\n", "the kind of file is 2"},
        {"$MeshFormat\n2.2 1 8\n\x01", "the file ends before"},
        {"$MeshFormat\n2.2 1 8\n\x02\x02\x02\x02\n", "order"},
        {HEAD_2, "no section $Nodes"},
        {HEAD_2 NODES_2, "no section $Elements"},
        {HEAD_2 NODES_2 NODES_2, "second section $Nodes"},
        {HEAD_2 "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n", "stands before $Nodes"},
        {HEAD_2 "$Nodes\n2\n1 0 0 0.00\n", "the file ends after 1 of 2"},
        {HEAD_2 "$Nodes\n4000000\n1 0 0 0\n", "not there"},
        {HEAD_2 "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "two nodes have the number 1"},
        {HEAD_2 "$Nodes\n1\n1 0 0 inf\n", "z is no finite number"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 2 0 10 7 4\n$EndElements\n", "line 12: there is no node 4"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 5 0 10 7 3 3 3 3 3 3\n$EndElements\n", "hexahedron"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 77 0 10 7 3\n$EndElements\n", "type 77 is not known"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 2 0 10 7\n$EndElements\n", "is missing"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 2 0 10 7 3 3\n$EndElements\n", "more in the line"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 15 0 10\n$EndElements\n", "neither triangles nor tetrahedra"},
        {HEAD_2 NODES_2 "$Elements\n2\n1 2 0 10 7 3\n$EndElements\n", "no whole number"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 2 0 10 7 3\n", "$EndElements was to come"},
        {HEAD_2 "$Comments\nhello\n", "$Comments has no end"},
        {HEAD_2 "$PhysicalNames\n1\n4 1 \"a\"\n", "the dimension of a physical group is 4"},
        {HEAD_2 "$PhysicalNames\n1\n2 1 a\n", "in quotes"},
        {HEAD_2 "$PhysicalNames\n2\n2 1 \"a\"\n", "the file ends within $PhysicalNames"},
        {HEAD_4 "$Entities\n0 0 1 0\n1 0 0 0 0 0 0 1 5 0 2\n$EndEntities\n", "more in the line"},
        {HEAD_4 "$Entities\n0 0 1 0\n1 0 0 0 0 0 0 1 0.5 0\n", "the group of an entity is 0.5"},
        {HEAD_4 "$Entities\n0 0 1 0\n", "the file ends within $Entities"},
        {HEAD_4 "$Nodes\n1 2 1 4\n2 1 0 2\n1\n2\n0 0 0\n", "the file ends within $Nodes"},
        {HEAD_4 "$Nodes\n1 2 1 4\n2 1 0 3\n1\n2\n3\n0 0 0\n", "more nodes than the 2"},
        {HEAD_4 "$Nodes\n1 4 1 4\n2 1 0 1\n1\n0 0 0\n$EndNodes\n", "1 nodes of the 4"},
        {HEAD_4 NODES_4 "$Elements\n1 2 1 2\n2 1 2 1\n1 10 7 3\n$EndElements\n", "1 of the 2 elements"},
        {HEAD_4 NODES_4 "$Elements\n1 1 1 1\n2 1 2 5\n1 10 7 3\n$EndElements\n", "5 elements where 1"},
        {HEAD_4 NODES_4 "$Elements\n1 1 1 1\n2 1 2 1\n1 10 7 11\n$EndElements\n", "no node 11"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mesh mesh;
        if (mesh_parse_gmsh("a.msh", cases[i].text, strlen(cases[i].text), NULL, &mesh, &parts, &fault)) {
            fail_msg("case %zu was read", i);
        }
        if ((fault.code != FAULT_INVALID && fault.code != FAULT_LIMIT) ||
            !strstr(fault.text, cases[i].word)) {
            fail_msg("case %zu: %s: %s, without '%s'", i, fault_word(fault.code), fault.text, cases[i].word);
        }
        assert_null(mesh.positions);
    }
}

static void test_gmsh_text_by_hand(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD_2 "$Comments\n$Nodes is no section here\n$EndComments\n" NODES_2
               "$Elements\n2\n1 2 2 -1 5 10 7 3\n2 3 0 10 7 3 7\n$EndElements\n",
        HEAD_4 NODES_4 "$Elements\n2 2 1 2\n2 1 2 1\n1 10 7 3\n2 1 3 1\n2 10 7 3 7\n$EndElements\n"};
    for (int i = 0; i < 2; i++) {
        struct mesh mesh;
        if (!mesh_parse_gmsh("a.msh", texts[i], strlen(texts[i]), NULL, &mesh, &parts, &fault)) {
            fail_msg("%s", fault.text);
        }
        assert_int_equal(parts.count, 2 - i);
        free(parts.items);
        static const uint32_t expected[9] = {0, 1, 2, 0, 1, 2, 0, 2, 1};
        assert_int_equal(mesh.triangle_count, 3);
        assert_memory_equal(mesh.triangles, expected, sizeof expected);
        mesh_deinit(&mesh);
    }
}

// Each file cut off anywhere is refused or read whole, and nothing is read past its end (AddressSanitizer looks).
static void test_no_cut_file_is_trusted(void **state)
{
    (void)state;
    static const char *const files[] = {"gmsh-2",          "gmsh-2-binary",   "gmsh-4.1",
                                        "gmsh-4.1-binary", "gmsh-4.0-groups", "gmsh-4.1-groups-binary"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[96];
        snprintf(path, sizeof path, "tests/meshes/%s.msh", files[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        char *bytes = malloc(65536);
        assert_non_null(bytes);
        const size_t size = fread(bytes, 1, 65536, file);
        fclose(file);
        size_t read = 0;
        for (size_t cut = 0; cut < size; cut += 7) {
            struct mesh mesh;
            char *piece = malloc(cut + 1);
            assert_non_null(piece);
            memcpy(piece, bytes, cut);
            if (mesh_parse_gmsh("cut.msh", piece, cut, NULL, &mesh, &parts, &fault)) {
                read++;
                free(parts.items);
                mesh_deinit(&mesh);
            }
            free(piece);
        }
        // Only the newline at the end may be missing.
        assert_true(read <= 1);
        free(bytes);
    }
}

static bool no_more(void *context, const char *stage, double share)
{
    (void)share;
    assert_string_equal(stage, "reading");
    return (*(int *)context)-- > 0;
}

static void test_reading_can_be_stopped(void **state)
{
    (void)state;
    struct mesh_file file;
    for (int looks = 0; looks < 2; looks++) {
        int left = looks;
        const struct mesh_watch watch = {.report = no_more, .context = &left};
        assert_false(mesh_read("tests/scenes/wuson.obj", NULL, &watch, &file, &fault));
        assert_int_equal(fault.code, FAULT_CANCELLED);
    }
}

static int remove_files(void **state)
{
    (void)state;
    shape_files_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gmsh_files_hold_the_box),
        cmocka_unit_test(test_gmsh_groups_are_meshes),
        cmocka_unit_test(test_tetgen_files_hold_the_box),
        cmocka_unit_test(test_stl_and_ply_hold_the_box),
        cmocka_unit_test(test_what_other_programs_write_beside_a_mesh_is_passed_over),
        cmocka_unit_test(test_the_creature_is_read_as_libweft_reads_it),
        cmocka_unit_test(test_obj_keeps_order_precision_and_groups),
        cmocka_unit_test(test_a_concave_polygon_is_cut_within_itself),
        cmocka_unit_test(test_gltf_nodes_are_applied),
        cmocka_unit_test(test_imported_files_that_make_no_sense),
        cmocka_unit_test(test_tetgen_files_that_make_no_sense),
        cmocka_unit_test(test_gmsh_files_that_make_no_sense),
        cmocka_unit_test(test_gmsh_text_by_hand),
        cmocka_unit_test(test_no_cut_file_is_trusted),
        cmocka_unit_test(test_reading_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
