// TetGen's .node and .ele.
//
//     .node   COUNT 3 ATTRIBUTES MARKERS          .ele   COUNT 4|10 ATTRIBUTES
//             NUMBER x y z [attribute…] [marker]         NUMBER a b c d [more…] [attribute…]
//
// Numbers count from 0 or 1, as the first node says. Of tetrahedra with ten nodes the corners are taken. # begins a
// comment. Each record has a line of its own, with exactly as many values as the first line promises.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { NODE_BYTES_MIN = 8, ELE_BYTES_MIN = 10, ATTRIBUTES_MAX = 64 };

static bool skip_numbers(struct mesh_scan *scan, uint64_t count, const char *what)
{
    double ignored;
    for (uint64_t i = 0; i < count; i++) {
        if (!mesh_scan_f64(scan, what, &ignored)) {
            return false;
        }
    }
    return true;
}

// Numbers at the end of the first line may be left out: they are 0 then.
static bool read_optional(struct mesh_scan *scan, const char *what, uint64_t most, uint64_t *number)
{
    *number = 0;
    return !mesh_scan_more(scan) || mesh_scan_u64(scan, what, most, number);
}

static bool read_nodes(struct mesh_scan *scan, struct mesh *mesh, uint64_t *base)
{
    uint64_t count, dimension, attributes, markers;
    if (!mesh_scan_content(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "the file is empty");
    }
    if (!mesh_scan_u64(scan, "the number of nodes", MESH_VERTICES_MAX, &count) ||
        !mesh_scan_u64(scan, "the dimension", 1000, &dimension) ||
        !read_optional(scan, "the number of attributes", ATTRIBUTES_MAX, &attributes) ||
        !read_optional(scan, "the number of boundary markers", 1, &markers)) {
        return false;
    }
    if (dimension != 3) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "the dimension is %llu; must be 3",
                                (unsigned long long)dimension);
    }
    if (!mesh_scan_end_of_line(scan, "four numbers")) {
        return false;
    }
    if (count == 0 || count > mesh_scan_left(scan) / NODE_BYTES_MIN + 1) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%llu nodes are promised, but they are not there",
                                (unsigned long long)count);
    }
    mesh->positions = malloc(3 * (size_t)count * sizeof *mesh->positions);
    if (!mesh->positions) {
        return mesh_fail_memory(scan->fault);
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number;
        if (!mesh_scan_content(scan)) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "the file ends after %llu of %llu nodes",
                                    (unsigned long long)i, (unsigned long long)count);
        }
        if (!mesh_scan_u64(scan, "the number of a node", UINT32_MAX, &number)) {
            return false;
        }
        if (i == 0) {
            *base = number;
        }
        if (*base > 1 || number != *base + i) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "node %llu where %llu was to come",
                                    (unsigned long long)number,
                                    (unsigned long long)(*base > 1 ? 1 : *base + i));
        }
        double *position = mesh->positions + 3 * (size_t)i;
        if (!mesh_scan_f64(scan, "x", &position[0]) || !mesh_scan_f64(scan, "y", &position[1]) ||
            !mesh_scan_f64(scan, "z", &position[2]) || !skip_numbers(scan, attributes, "an attribute") ||
            !skip_numbers(scan, markers, "the boundary marker") || !mesh_scan_end_of_line(scan, "a node") ||
            !mesh_scan_record(scan)) {
            return false;
        }
    }
    mesh->vertex_count = (uint32_t)count;
    return !mesh_scan_content(scan) ||
           mesh_scan_refuse(scan, FAULT_INVALID, "there is more than %llu nodes", (unsigned long long)count);
}

static bool read_eles(struct mesh_scan *scan, struct mesh *mesh, uint64_t base)
{
    uint64_t count, corners, attributes;
    if (!mesh_scan_content(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "the file is empty");
    }
    if (!mesh_scan_u64(scan, "the number of tetrahedra", MESH_TETS_MAX, &count) ||
        !mesh_scan_u64(scan, "the number of nodes a tetrahedron", 1000, &corners) ||
        !read_optional(scan, "the number of attributes", ATTRIBUTES_MAX, &attributes)) {
        return false;
    }
    if (corners != 4 && corners != 10) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%llu nodes a tetrahedron; must be 4 or 10",
                                (unsigned long long)corners);
    }
    if (!mesh_scan_end_of_line(scan, "three numbers")) {
        return false;
    }
    if (count == 0 || count > mesh_scan_left(scan) / ELE_BYTES_MIN + 1) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%llu tetrahedra are promised, but they are not there",
                                (unsigned long long)count);
    }
    mesh->tets = malloc(4 * (size_t)count * sizeof *mesh->tets);
    if (!mesh->tets) {
        return mesh_fail_memory(scan->fault);
    }
    for (uint64_t i = 0; i < count; i++) {
        const unsigned long long expected = base + i;
        uint64_t number, node;
        if (!mesh_scan_content(scan)) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "the file ends after %llu of %llu tetrahedra",
                                    (unsigned long long)i, (unsigned long long)count);
        }
        if (!mesh_scan_u64(scan, "the number of a tetrahedron", UINT32_MAX, &number)) {
            return false;
        }
        if (number != expected) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "tetrahedron %llu where %llu was to come",
                                    (unsigned long long)number, expected);
        }
        for (uint64_t k = 0; k < corners; k++) {
            if (!mesh_scan_u64(scan, "a node", UINT32_MAX, &node)) {
                return false;
            }
            if (node < base || node - base >= mesh->vertex_count) {
                return mesh_scan_refuse(scan, FAULT_INVALID,
                                        "node %llu is not in the .node file; they go from %llu to %llu",
                                        (unsigned long long)node, (unsigned long long)base,
                                        (unsigned long long)base + mesh->vertex_count - 1);
            }
            if (k < 4) {
                mesh->tets[4 * (size_t)i + (size_t)k] = (uint32_t)(node - base);
            }
        }
        if (!skip_numbers(scan, attributes, "an attribute") ||
            !mesh_scan_end_of_line(scan, "a tetrahedron") || !mesh_scan_record(scan)) {
            return false;
        }
    }
    mesh->tet_count = (uint32_t)count;
    return !mesh_scan_content(scan) ||
           mesh_scan_refuse(scan, FAULT_INVALID, "there is more than %llu tetrahedra",
                            (unsigned long long)count);
}

bool mesh_parse_tetgen(const char *node_name, const void *nodes, size_t nodes_size, const char *ele_name,
                       const void *eles, size_t eles_size, const struct mesh_watch *watch, struct mesh *mesh,
                       struct fault *fault)
{
    struct mesh_scan scan;
    uint64_t base = 0;
    memset(mesh, 0, sizeof *mesh);
    if (!mesh_scan_init(&scan, node_name, nodes, nodes_size, fault)) {
        return false;
    }
    scan.comments = true;
    scan.watch = watch;
    bool ok = read_nodes(&scan, mesh, &base);
    mesh_scan_deinit(&scan);
    if (ok) {
        ok = mesh_scan_init(&scan, ele_name, eles, eles_size, fault);
        scan.comments = true;
        scan.watch = watch;
        ok = ok && read_eles(&scan, mesh, base);
        mesh_scan_deinit(&scan);
    }
    if (ok && !mesh_number(mesh)) {
        ok = mesh_fail_memory(fault);
    }
    if (!ok) {
        mesh_deinit(mesh);
    }
    return ok;
}
