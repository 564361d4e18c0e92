// What the two files of the Gmsh reader share: sections on one side, numbers as text or bytes on the other.
#ifndef WEFT_MESH_GMSH_H
#define WEFT_MESH_GMSH_H

#include "internal.h"

enum gmsh_version { GMSH_UNKNOWN, GMSH_2, GMSH_40, GMSH_41 };

// A node's number in the file and its place in the mesh, sorted by number.
struct gmsh_tag {
    uint64_t tag;
    uint32_t index;
};

struct gmsh {
    struct mesh_scan scan;
    enum gmsh_version version;
    bool binary;
    struct mesh *mesh;
    size_t triangle_capacity, tet_capacity;
    struct gmsh_tag *tags;
    bool has_nodes, has_elements;
};

// gmsh_numbers.c. One number each, as the file writes them: text, or bytes of this machine's order. what is for error texts.
bool gmsh_int(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number); // 4 bytes
// 8 bytes in version 4 (size_t, unsigned long), text like the others.
bool gmsh_size(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number);
bool gmsh_double(struct gmsh *gmsh, const char *what, double *number);
bool gmsh_skip_int(struct gmsh *gmsh, const char *what); // may be negative
// The end of a record: in text files that of the line.
bool gmsh_end_of_record(struct gmsh *gmsh, const char *what);
bool gmsh_take(struct gmsh *gmsh, const char *what, void *out, size_t size); // bytes
bool gmsh_refuse(struct gmsh *gmsh, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); // with the line, or the byte; always false

// gmsh_elements.c: from behind the line $Elements.
bool gmsh_elements(struct gmsh *gmsh);

#endif
