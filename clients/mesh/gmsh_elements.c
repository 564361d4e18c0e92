// Gmsh's $Elements: triangles, quadrangles (cut in two) and tetrahedra are taken, of any order the corners alone.
// Points and lines are passed over. Hexahedra, prisms and pyramids are refused: weft solves tetrahedra.
//
//     2 text      NUMBER TYPE TAGS tag… node…
//     2 binary    headers TYPE COUNT TAGS, each followed by COUNT times NUMBER tag… node…
//     4           blocks of one type: the numbers of the block, then NUMBER node… each
#include "gmsh.h"

#include "protocol/array/reserve.h"
#include "protocol/polygon/polygon.h"

#include <stdlib.h>
#include <string.h>

enum kind { UNKNOWN, PASSED_OVER, TRIANGLE, QUADRANGLE, TETRAHEDRON, OTHER_SOLID };
enum { TYPES = 94, TAGS_MAX = 1000000 };

static const struct {
    uint8_t kind, nodes;
} types[TYPES] = {
    [1] = {PASSED_OVER, 2},    [2] = {TRIANGLE, 3},      [3] = {QUADRANGLE, 4},    [4] = {TETRAHEDRON, 4},
    [5] = {OTHER_SOLID, 8},    [6] = {OTHER_SOLID, 6},   [7] = {OTHER_SOLID, 5},   [8] = {PASSED_OVER, 3},
    [9] = {TRIANGLE, 6},       [10] = {QUADRANGLE, 9},   [11] = {TETRAHEDRON, 10}, [12] = {OTHER_SOLID, 27},
    [13] = {OTHER_SOLID, 18},  [14] = {OTHER_SOLID, 14}, [15] = {PASSED_OVER, 1},  [16] = {QUADRANGLE, 8},
    [17] = {OTHER_SOLID, 20},  [18] = {OTHER_SOLID, 15}, [19] = {OTHER_SOLID, 13}, [20] = {TRIANGLE, 9},
    [21] = {TRIANGLE, 10},     [22] = {TRIANGLE, 12},    [23] = {TRIANGLE, 15},    [24] = {TRIANGLE, 15},
    [25] = {TRIANGLE, 21},     [26] = {PASSED_OVER, 4},  [27] = {PASSED_OVER, 5},  [28] = {PASSED_OVER, 6},
    [29] = {TETRAHEDRON, 20},  [30] = {TETRAHEDRON, 35}, [31] = {TETRAHEDRON, 56}, [92] = {OTHER_SOLID, 64},
    [93] = {OTHER_SOLID, 125},
};

static bool check_type(struct gmsh *gmsh, uint64_t type)
{
    if (type >= TYPES || types[type].kind == UNKNOWN) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "element type %llu is not known here",
                           (unsigned long long)type);
    }
    if (types[type].kind == OTHER_SOLID) {
        return gmsh_refuse(gmsh, FAULT_INVALID,
                           "element type %llu is a hexahedron, prism or pyramid; mesh it with tetrahedra",
                           (unsigned long long)type);
    }
    return true;
}

// The vertex of a node.
static bool find_node(struct gmsh *gmsh, uint64_t tag, uint32_t *vertex)
{
    uint32_t low = 0, high = gmsh->mesh->vertex_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (gmsh->tags[middle].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == gmsh->mesh->vertex_count || gmsh->tags[low].tag != tag) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "there is no node %llu", (unsigned long long)tag);
    }
    *vertex = gmsh->tags[low].index;
    return true;
}

static bool add_triangle(struct gmsh *gmsh, uint32_t a, uint32_t b, uint32_t c)
{
    struct mesh *mesh = gmsh->mesh;
    if (mesh->triangle_count == MESH_TRIANGLES_MAX) {
        return gmsh_refuse(gmsh, FAULT_LIMIT, "more than %u triangles", MESH_TRIANGLES_MAX);
    }
    if (!array_reserve(&mesh->triangles, &gmsh->corner_capacity, 3 * ((size_t)mesh->triangle_count + 1))) {
        return mesh_fail_memory(gmsh->scan.fault);
    }
    if (!array_reserve(&gmsh->triangle_groups, &gmsh->triangle_group_capacity, mesh->triangle_count + 1)) {
        return mesh_fail_memory(gmsh->scan.fault);
    }
    gmsh->triangle_groups[mesh->triangle_count] = gmsh->group;
    uint32_t *triangle = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    return true;
}

static bool add_tet(struct gmsh *gmsh, const uint32_t corners[4])
{
    struct mesh *mesh = gmsh->mesh;
    if (mesh->tet_count == MESH_TETS_MAX) {
        return gmsh_refuse(gmsh, FAULT_LIMIT, "more than %u tetrahedra", MESH_TETS_MAX);
    }
    if (!array_reserve(&mesh->tets, &gmsh->tet_corner_capacity, 4 * ((size_t)mesh->tet_count + 1))) {
        return mesh_fail_memory(gmsh->scan.fault);
    }
    if (!array_reserve(&gmsh->tet_groups, &gmsh->tet_group_capacity, mesh->tet_count + 1)) {
        return mesh_fail_memory(gmsh->scan.fault);
    }
    gmsh->tet_groups[mesh->tet_count] = gmsh->group;
    uint32_t *tet = mesh->tets + 4 * (size_t)mesh->tet_count++;
    for (int k = 0; k < 4; k++) {
        tet[k] = corners[k];
    }
    return true;
}

static bool add_quadrangle(struct gmsh *gmsh, const uint32_t corners[4])
{
    double places[12];
    uint32_t cut[6];
    for (int k = 0; k < 4; k++) {
        memcpy(places + 3 * (size_t)k, gmsh->mesh->positions + 3 * (size_t)corners[k], 3 * sizeof *places);
    }
    polygon_cut(places, 4, cut);
    return add_triangle(gmsh, corners[cut[0]], corners[cut[1]], corners[cut[2]]) &&
           add_triangle(gmsh, corners[cut[3]], corners[cut[4]], corners[cut[5]]);
}

// The nodes of one element, and what it amounts to.
static bool read_element(struct gmsh *gmsh, uint64_t type, bool is_int)
{
    uint32_t corners[4] = {0};
    for (uint32_t k = 0; k < types[type].nodes; k++) {
        uint64_t tag;
        uint32_t vertex = 0;
        if (!(is_int ? gmsh_int(gmsh, "a node of an element", INT32_MAX, &tag)
                     : gmsh_size(gmsh, "a node of an element", UINT64_MAX, &tag)) ||
            !find_node(gmsh, tag, &vertex)) {
            return false;
        }
        if (k < 4) {
            corners[k] = vertex;
        }
    }
    switch (types[type].kind) {
    case TRIANGLE:
        return add_triangle(gmsh, corners[0], corners[1], corners[2]);
    case QUADRANGLE:
        return add_quadrangle(gmsh, corners);
    case TETRAHEDRON:
        return add_tet(gmsh, corners);
    default:
        return true;
    }
}

// The tags of an element of version 2, of which the first is its group.
static bool read_tags(struct gmsh *gmsh, uint64_t type, uint64_t count)
{
    int64_t group = 0, tag;
    for (uint64_t i = 0; i < count; i++) {
        if (!gmsh_signed(gmsh, "a tag of an element", &tag)) {
            return false;
        }
        group = i == 0 ? tag : group;
    }
    const uint8_t kind = types[type].kind;
    if (kind == PASSED_OVER) {
        return true;
    }
    return gmsh_enter_group(gmsh, kind == TETRAHEDRON ? 3 : 2, group);
}

// ---------------------------------------------------------------------------------------------------------
// Version 2

static bool element_2_text(struct gmsh *gmsh)
{
    uint64_t number, type, tags;
    return gmsh_int(gmsh, "the number of an element", INT32_MAX, &number) &&
           gmsh_int(gmsh, "the type of an element", INT32_MAX, &type) && check_type(gmsh, type) &&
           gmsh_int(gmsh, "the number of tags", TAGS_MAX, &tags) && read_tags(gmsh, type, tags) &&
           read_element(gmsh, type, true) && gmsh_end_of_record(gmsh, "an element");
}

static bool elements_2_binary(struct gmsh *gmsh, uint64_t count)
{
    for (uint64_t done = 0; done < count;) {
        uint64_t number, type, follow, tags;
        if (!gmsh_int(gmsh, "the type of elements", INT32_MAX, &type) || !check_type(gmsh, type) ||
            !gmsh_int(gmsh, "the number of elements that follow", INT32_MAX, &follow) ||
            !gmsh_int(gmsh, "the number of tags", TAGS_MAX, &tags)) {
            return false;
        }
        if (follow == 0 || follow > count - done) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "%llu elements are to follow where %llu are left",
                               (unsigned long long)follow, (unsigned long long)(count - done));
        }
        for (uint64_t i = 0; i < follow; i++) {
            if (!gmsh_int(gmsh, "the number of an element", INT32_MAX, &number) ||
                !read_tags(gmsh, type, tags) || !read_element(gmsh, type, true) ||
                !gmsh_end_of_record(gmsh, "an element")) {
                return false;
            }
        }
        done += follow;
    }
    return true;
}

static bool elements_2(struct gmsh *gmsh)
{
    uint64_t count;
    if (!mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Elements");
    }
    if (!mesh_scan_u64(&gmsh->scan, "the number of elements", UINT32_MAX, &count) ||
        !mesh_scan_end_of_line(&gmsh->scan, "the number of elements")) {
        return false;
    }
    if (gmsh->binary) {
        return elements_2_binary(gmsh, count);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!mesh_scan_content(&gmsh->scan)) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends after %llu of %llu elements",
                               (unsigned long long)i, (unsigned long long)count);
        }
        if (!element_2_text(gmsh)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Version 4

static bool elements_block(struct gmsh *gmsh, uint64_t left, uint64_t *taken)
{
    uint64_t number, type, count;
    const bool is_int = gmsh->version == GMSH_40;
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Elements");
    }
    // The entity and its dimension, in an order that changed from 4.0 to 4.1.
    int64_t first, second;
    if (!gmsh_signed(gmsh, "the entity of a block", &first) ||
        !gmsh_signed(gmsh, "the entity of a block", &second) ||
        !gmsh_int(gmsh, "the type of elements", INT32_MAX, &type) || !check_type(gmsh, type) ||
        !(types[type].kind == PASSED_OVER ||
          gmsh_enter_entity(gmsh, types[type].kind == TETRAHEDRON ? 3 : 2, is_int ? first : second)) ||
        !gmsh_size(gmsh, "the number of elements", UINT32_MAX, &count) ||
        !gmsh_end_of_record(gmsh, "the four numbers of a block")) {
        return false;
    }
    if (count > left) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "%llu elements where %llu are left",
                           (unsigned long long)count, (unsigned long long)left);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Elements");
        }
        if (!(is_int ? gmsh_int(gmsh, "the number of an element", INT32_MAX, &number)
                     : gmsh_size(gmsh, "the number of an element", UINT64_MAX, &number)) ||
            !read_element(gmsh, type, is_int) || !gmsh_end_of_record(gmsh, "an element")) {
            return false;
        }
    }
    *taken = count;
    return true;
}

static bool elements_4(struct gmsh *gmsh)
{
    uint64_t blocks, count, ignored;
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Elements");
    }
    if (!gmsh_size(gmsh, "the number of blocks", UINT32_MAX, &blocks) ||
        !gmsh_size(gmsh, "the number of elements", UINT32_MAX, &count) ||
        (gmsh->version == GMSH_41 &&
         (!gmsh_size(gmsh, "the least number of an element", UINT64_MAX, &ignored) ||
          !gmsh_size(gmsh, "the greatest number of an element", UINT64_MAX, &ignored))) ||
        !gmsh_end_of_record(gmsh, "the numbers of $Elements")) {
        return false;
    }
    uint64_t left = count;
    for (uint64_t block = 0; block < blocks; block++) {
        uint64_t taken = 0;
        if (!elements_block(gmsh, left, &taken)) {
            return false;
        }
        left -= taken;
    }
    return left == 0 ||
           gmsh_refuse(gmsh, FAULT_INVALID, "%llu of the %llu elements that were promised are missing",
                       (unsigned long long)left, (unsigned long long)count);
}

bool gmsh_elements(struct gmsh *gmsh)
{
    return gmsh->version == GMSH_2 ? elements_2(gmsh) : elements_4(gmsh);
}
