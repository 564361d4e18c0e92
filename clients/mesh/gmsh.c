// Gmsh's .msh: versions 2.0 to 2.2, 4.0 and 4.1, as text and as bytes of this machine's order.
//
//     $MeshFormat          version, 0 text | 1 binary, 8; in binary files a 1 as four bytes, to tell their order
//     $Nodes … $EndNodes   2: NUMBER x y z each     4: blocks, one for each entity of the geometry
//     $Elements …          gmsh_elements.c
//     $PhysicalNames …     gmsh_groups.c; $Entities of version 4 as well
//     $…                   all else is passed over, up to its $End
//
// What a count claims is checked against the bytes that are left before there is memory for it.
#include "gmsh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Nodes

static int tag_compare(const void *a, const void *b)
{
    const uint64_t left = ((const struct gmsh_tag *)a)->tag, right = ((const struct gmsh_tag *)b)->tag;
    return (left > right) - (left < right);
}

// A node cannot take less than this in the file.
static size_t node_bytes_min(const struct gmsh *gmsh)
{
    return gmsh->binary ? 4 + 3 * sizeof(double) : 7;
}

static bool begin_nodes(struct gmsh *gmsh, uint64_t count)
{
    if (count == 0 || count > mesh_scan_left(&gmsh->scan) / node_bytes_min(gmsh) + 1) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "%llu nodes are promised, but they are not there",
                           (unsigned long long)count);
    }
    gmsh->mesh->positions = malloc(3 * (size_t)count * sizeof *gmsh->mesh->positions);
    gmsh->tags = malloc((size_t)count * sizeof *gmsh->tags);
    gmsh->mesh->vertex_count = (uint32_t)count;
    return (gmsh->mesh->positions && gmsh->tags) || mesh_fail_memory(gmsh->scan.fault);
}

static bool read_coordinates(struct gmsh *gmsh, uint32_t node, uint64_t parameters)
{
    double *position = gmsh->mesh->positions + 3 * (size_t)node, ignored;
    if (!gmsh_double(gmsh, "x", &position[0]) || !gmsh_double(gmsh, "y", &position[1]) ||
        !gmsh_double(gmsh, "z", &position[2])) {
        return false;
    }
    for (uint64_t i = 0; i < parameters; i++) {
        if (!gmsh_double(gmsh, "a parameter", &ignored)) {
            return false;
        }
    }
    return true;
}

static bool read_tag(struct gmsh *gmsh, uint32_t node, bool is_int)
{
    gmsh->tags[node].index = node;
    return is_int ? gmsh_int(gmsh, "the number of a node", INT32_MAX, &gmsh->tags[node].tag)
                  : gmsh_size(gmsh, "the number of a node", UINT64_MAX >> 1, &gmsh->tags[node].tag);
}

static bool nodes_2(struct gmsh *gmsh)
{
    uint64_t count;
    // The count is text in binary files, too.
    if (!mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Nodes");
    }
    if (!mesh_scan_u64(&gmsh->scan, "the number of nodes", MESH_VERTICES_MAX, &count) ||
        !mesh_scan_end_of_line(&gmsh->scan, "the number of nodes") || !begin_nodes(gmsh, count)) {
        return false;
    }
    for (uint32_t node = 0; node < count; node++) {
        if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends after %u of %u nodes", node,
                               (uint32_t)count);
        }
        if (!read_tag(gmsh, node, true) || !read_coordinates(gmsh, node, 0) ||
            !gmsh_end_of_record(gmsh, "a node")) {
            return false;
        }
    }
    return true;
}

// One block. Version 4.1: all numbers of nodes, then all coordinates; 4.0: by turns.
static bool nodes_block(struct gmsh *gmsh, uint32_t from, uint32_t *next)
{
    uint64_t dimension = 0, parametric, count;
    const bool new = gmsh->version == GMSH_41;
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Nodes");
    }
    if ((!new && !gmsh_skip_int(gmsh, "the number of an entity")) ||
        !gmsh_int(gmsh, "the dimension of an entity", 3, &dimension) ||
        (new && !gmsh_skip_int(gmsh, "the number of an entity")) ||
        !gmsh_int(gmsh, "whether nodes are parametric", 1, &parametric) ||
        !gmsh_size(gmsh, "the number of nodes of an entity", MESH_VERTICES_MAX, &count) ||
        !gmsh_end_of_record(gmsh, "the four numbers of a block")) {
        return false;
    }
    if (count > gmsh->mesh->vertex_count - from) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "there are more nodes than the %u that were promised",
                           gmsh->mesh->vertex_count);
    }
    const uint64_t parameters = parametric && (new || dimension < 3) ? dimension : 0;
    for (uint32_t i = 0; new &&i < count; i++) {
        if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Nodes");
        }
        if (!read_tag(gmsh, from + i, false) || !gmsh_end_of_record(gmsh, "the number of a node")) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Nodes");
        }
        if ((!new && !read_tag(gmsh, from + i, true)) || !read_coordinates(gmsh, from + i, parameters) ||
            !gmsh_end_of_record(gmsh, "a node")) {
            return false;
        }
    }
    *next = from + (uint32_t)count;
    return true;
}

static bool nodes_4(struct gmsh *gmsh)
{
    uint64_t blocks, count, ignored;
    uint32_t node = 0;
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Nodes");
    }
    if (!gmsh_size(gmsh, "the number of blocks", UINT32_MAX, &blocks) ||
        !gmsh_size(gmsh, "the number of nodes", MESH_VERTICES_MAX, &count) ||
        (gmsh->version == GMSH_41 &&
         (!gmsh_size(gmsh, "the least number of a node", UINT64_MAX, &ignored) ||
          !gmsh_size(gmsh, "the greatest number of a node", UINT64_MAX, &ignored))) ||
        !gmsh_end_of_record(gmsh, "the numbers of $Nodes") || !begin_nodes(gmsh, count)) {
        return false;
    }
    for (uint64_t block = 0; block < blocks; block++) {
        if (!nodes_block(gmsh, node, &node)) {
            return false;
        }
    }
    return node == count ||
           gmsh_refuse(gmsh, FAULT_INVALID, "%u nodes of the %u that were promised", node, (uint32_t)count);
}

static bool read_nodes(struct gmsh *gmsh)
{
    if (gmsh->has_nodes) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "a second section $Nodes");
    }
    gmsh->has_nodes = true;
    if (!(gmsh->version == GMSH_2 ? nodes_2(gmsh) : nodes_4(gmsh))) {
        return false;
    }
    qsort(gmsh->tags, gmsh->mesh->vertex_count, sizeof *gmsh->tags, tag_compare);
    for (uint32_t i = 1; i < gmsh->mesh->vertex_count; i++) {
        if (gmsh->tags[i].tag == gmsh->tags[i - 1].tag) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "two nodes have the number %llu",
                               (unsigned long long)gmsh->tags[i].tag);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Sections

static bool read_format(struct gmsh *gmsh)
{
    double version;
    uint64_t type, size;
    int32_t one = 0;
    if (!mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $MeshFormat");
    }
    if (!mesh_scan_f64(&gmsh->scan, "the version", &version) ||
        !mesh_scan_u64(&gmsh->scan, "the kind of file", 1, &type) ||
        !mesh_scan_u64(&gmsh->scan, "the size of numbers", 64, &size)) {
        return false;
    }
    if (version >= 2 && version < 3) {
        gmsh->version = GMSH_2;
    } else if (version == 4.0) {
        gmsh->version = GMSH_40;
    } else if (version == 4.1) {
        gmsh->version = GMSH_41;
    } else {
        return gmsh_refuse(gmsh, FAULT_INVALID, "version %g; must be 2.x, 4.0 or 4.1", version);
    }
    if (size != 8) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "numbers of %llu bytes; must be 8", (unsigned long long)size);
    }
    if (!mesh_scan_end_of_line(&gmsh->scan, "version, kind and size")) {
        return false;
    }
    gmsh->binary = type == 1;
    if (!gmsh->binary) {
        return true;
    }
    return gmsh_take(gmsh, "the number that tells the order of bytes", &one, sizeof one) &&
           (one == 1 || gmsh_refuse(gmsh, FAULT_INVALID, "its bytes are not in this machine's order"));
}

// Past the line $End<name>. In what is passed over, text or bytes may stand in between.
static bool find_end(struct gmsh *gmsh, const char *name, size_t name_size, bool skip)
{
    struct mesh_scan *scan = &gmsh->scan;
    char word[80];
    const int size = snprintf(word, sizeof word, "$End%.*s", (int)name_size, name);
    if (skip) {
        const char *found = memmem(scan->at, mesh_scan_left(scan), word, (size_t)size);
        if (!found) {
            return gmsh_refuse(gmsh, FAULT_INVALID, "$%.*s has no end", (int)name_size, name);
        }
        while (scan->at < found) {
            scan->line += *scan->at == '\n';
            scan->at++;
        }
    }
    if (!mesh_scan_content(scan) || mesh_scan_left(scan) < (size_t)size ||
        memcmp(scan->at, word, (size_t)size) != 0) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "%s was to come", word);
    }
    scan->at += size;
    return mesh_scan_end_of_line(scan, word);
}

static bool is_name(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

// $MeshFormat comes first, but for comments.
static bool read_section(struct gmsh *gmsh)
{
    struct mesh_scan *scan = &gmsh->scan;
    if (*scan->at != '$') {
        return gmsh_refuse(gmsh, FAULT_INVALID, "a section ($...) was to come%s",
                           gmsh->version != GMSH_UNKNOWN ? "" : "; is it a Gmsh file?");
    }
    const char *name = ++scan->at;
    while (scan->at<scan->end && * scan->at> ' ' && *scan->at < 127) {
        scan->at++;
    }
    const size_t size = (size_t)(scan->at - name);
    if (size == 0 || size > 64) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "a section without a name");
    }
    if (gmsh->version == GMSH_UNKNOWN && is_name(name, size, "NOD")) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "version 1; must be 2.x, 4.0 or 4.1");
    }
    const bool is_format = is_name(name, size, "MeshFormat");
    if (is_format == (gmsh->version != GMSH_UNKNOWN) && !is_name(name, size, "Comments")) {
        return gmsh_refuse(gmsh, FAULT_INVALID,
                           is_format ? "a second section $MeshFormat"
                                     : "$MeshFormat was to come; is it a Gmsh file?");
    }
    if (!mesh_scan_end_of_line(scan, "the name of a section")) {
        return false;
    }
    bool skip = false, ok = true;
    if (is_format) {
        ok = read_format(gmsh);
    } else if (is_name(name, size, "Nodes")) {
        ok = read_nodes(gmsh);
    } else if (is_name(name, size, "Elements")) {
        if (!gmsh->has_nodes || gmsh->has_elements) {
            return gmsh_refuse(gmsh, FAULT_INVALID,
                               gmsh->has_elements ? "a second section $Elements"
                                                  : "$Elements stands before $Nodes");
        }
        gmsh->has_elements = true;
        ok = gmsh_elements(gmsh);
    } else if (is_name(name, size, "PhysicalNames")) {
        ok = gmsh_physical_names(gmsh);
    } else if (is_name(name, size, "Entities") && gmsh->version != GMSH_2) {
        ok = gmsh_entities(gmsh);
    } else {
        skip = true;
    }
    return ok && find_end(gmsh, name, size, skip);
}

bool mesh_parse_gmsh(const char *name, const void *bytes, size_t size, const struct mesh_watch *watch,
                     struct mesh *mesh, struct mesh_parts *parts, struct fault *fault)
{
    struct gmsh gmsh = {.mesh = mesh, .group = MESH_NONE};
    bool ok;
    *parts = (struct mesh_parts){0};
    memset(mesh, 0, sizeof *mesh);
    memset(fault, 0, sizeof *fault);
    if (!mesh_scan_init(&gmsh.scan, name, bytes, size, fault)) {
        return false;
    }
    gmsh.scan.watch = watch;
    if (!mesh_scan_content(&gmsh.scan)) {
        ok = gmsh_refuse(&gmsh, FAULT_INVALID, "the file is empty");
    } else {
        ok = read_section(&gmsh);
    }
    while (ok && mesh_scan_content(&gmsh.scan)) {
        ok = read_section(&gmsh);
    }
    if (ok && !gmsh.has_elements) {
        ok = gmsh_refuse(&gmsh, FAULT_INVALID,
                         gmsh.has_nodes ? "there is no section $Elements" : "there is no section $Nodes");
    }
    if (ok && mesh->triangle_count == 0 && mesh->tet_count == 0) {
        ok = fault_set(fault, FAULT_INVALID, NULL, "%.180s: there are neither triangles nor tetrahedra in it",
                       name);
    }
    ok = ok && gmsh_make_parts(&gmsh, parts);
    if (ok && !mesh_number(mesh)) {
        ok = mesh_fail_memory(fault);
    }
    free(gmsh.tags);
    gmsh_groups_deinit(&gmsh);
    mesh_scan_deinit(&gmsh.scan);
    if (!ok) {
        mesh_deinit(mesh);
        free(parts->items);
        *parts = (struct mesh_parts){0};
    }
    return ok;
}
