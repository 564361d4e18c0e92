// This header is what the files of the Gmsh reader share: sections on one side, numbers as text or bytes on the other.
#ifndef WEFT_MESH_GMSH_H
#define WEFT_MESH_GMSH_H

#include "internal.h"

enum gmsh_version { GMSH_UNKNOWN, GMSH_2, GMSH_40, GMSH_41 };

// A node's number in the file and its place in the mesh, sorted by number.
struct gmsh_tag {
    uint64_t tag;
    uint32_t index;
};

// A physical group: elements of one dimension that a person gave a number, and mostly a name.
struct gmsh_group {
    uint32_t dimension; // 0 to 3
    int64_t tag;        // not negative
    char name[MESH_NAME_SIZE];
};

// An entity of the geometry that is in a group, sorted by dimension and number.
struct gmsh_entity {
    uint32_t dimension;
    int64_t tag, group;
};

struct gmsh {
    struct mesh_scan scan;
    enum gmsh_version version;
    bool binary;
    struct mesh *mesh;
    size_t corner_capacity, tet_corner_capacity;
    struct gmsh_tag *tags;
    bool has_nodes, has_elements;
    struct gmsh_group *groups;
    struct gmsh_entity *entities;
    uint32_t group_count, entity_count;
    size_t group_capacity, entity_capacity;
    uint32_t group;                         // of the element that is being read, or MESH_NONE
    uint32_t *triangle_groups, *tet_groups; // the same of each triangle and tet
    size_t triangle_group_capacity, tet_group_capacity;
};

// gmsh_numbers.c. One number each, as the file writes them: text, or bytes of this machine's order. what is for error texts.
bool gmsh_int(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number); // 4 bytes
// 8 bytes in version 4 (size_t, unsigned long), text like the others.
bool gmsh_size(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number);
bool gmsh_double(struct gmsh *gmsh, const char *what, double *number);
bool gmsh_signed(struct gmsh *gmsh, const char *what, int64_t *number); // 4 bytes, may be negative
bool gmsh_skip_int(struct gmsh *gmsh, const char *what);                // the same
// The end of a record: in text files that of the line.
bool gmsh_end_of_record(struct gmsh *gmsh, const char *what);
bool gmsh_take(struct gmsh *gmsh, const char *what, void *out, size_t size); // bytes
bool gmsh_refuse(struct gmsh *gmsh, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); // with the line, or the byte; always false

// gmsh_groups.c. Sections, from behind the line of their name:
bool gmsh_physical_names(struct gmsh *gmsh);
bool gmsh_entities(struct gmsh *gmsh); // of version 4
// Elements that follow are in this group (0: in none), or in that of an entity.
bool gmsh_enter_group(struct gmsh *gmsh, uint32_t dimension, int64_t tag);
bool gmsh_enter_entity(struct gmsh *gmsh, uint32_t dimension, int64_t tag);
bool gmsh_make_parts(struct gmsh *gmsh, struct mesh_parts *parts);
void gmsh_groups_deinit(struct gmsh *gmsh);

// gmsh_elements.c: from behind the line $Elements.
bool gmsh_elements(struct gmsh *gmsh);

#endif
