// Gmsh's physical groups: a group of elements that a person named becomes a mesh of its own.
//
//     $PhysicalNames   DIMENSION NUMBER "NAME" each, as text in every file
//     $Entities (4)    which groups a point, curve, surface or volume of the geometry is in; elements tell their entity
//     $Elements (2)    the first tag of an element is its group, or 0
//
// An element belongs to the first group that is told of it. The elements of a group are put together in the lists of the mesh, in
// the order of the file.
#include "gmsh.h"

#include "protocol/array/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MAX = 4096, DIMENSIONS = 4, BOX_NUMBERS = 6, PLACE_NUMBERS = 3 };

static const char *const kinds[DIMENSIONS] = {"points", "curve", "surface", "volume"};

// The number of a group, which is added if it is new.
static bool find_group(struct gmsh *gmsh, uint32_t dimension, int64_t tag, uint32_t *number)
{
    for (uint32_t i = 0; i < gmsh->group_count; i++) {
        if (gmsh->groups[i].dimension == dimension && gmsh->groups[i].tag == tag) {
            *number = i;
            return true;
        }
    }
    if (gmsh->group_count == GROUPS_MAX) {
        return gmsh_refuse(gmsh, FAULT_LIMIT, "more than %d physical groups", GROUPS_MAX);
    }
    if (!array_reserve(&gmsh->groups, &gmsh->group_capacity, gmsh->group_count + 1)) {
        return mesh_fail_memory(gmsh->scan.fault);
    }
    struct gmsh_group *group = &gmsh->groups[gmsh->group_count];
    *group = (struct gmsh_group){.dimension = dimension, .tag = tag};
    snprintf(group->name, sizeof group->name, "%s %lld", kinds[dimension], (long long)tag);
    *number = gmsh->group_count++;
    return true;
}

bool gmsh_enter_group(struct gmsh *gmsh, uint32_t dimension, int64_t tag)
{
    // Gmsh turns an entity round by a negative number.
    tag = tag < 0 ? -tag : tag;
    gmsh->group = MESH_NONE;
    return tag == 0 || find_group(gmsh, dimension, tag, &gmsh->group);
}

static int entity_compare(const void *a, const void *b)
{
    const struct gmsh_entity *left = a, *right = b;
    if (left->dimension != right->dimension) {
        return left->dimension < right->dimension ? -1 : 1;
    }
    return (left->tag > right->tag) - (left->tag < right->tag);
}

bool gmsh_enter_entity(struct gmsh *gmsh, uint32_t dimension, int64_t tag)
{
    const struct gmsh_entity key = {.dimension = dimension, .tag = tag};
    const struct gmsh_entity *found =
        gmsh->entity_count > 0 ? bsearch(&key, gmsh->entities, gmsh->entity_count, sizeof key, entity_compare)
                               : NULL;
    return gmsh_enter_group(gmsh, dimension, found ? found->group : 0);
}

// ---------------------------------------------------------------------------------------------------------
// Sections

static bool read_name(struct gmsh *gmsh)
{
    struct mesh_scan *scan = &gmsh->scan;
    uint64_t dimension, tag;
    uint32_t number;
    if (!mesh_scan_content(scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $PhysicalNames");
    }
    if (!mesh_scan_u64(scan, "the dimension of a physical group", DIMENSIONS - 1, &dimension) ||
        !mesh_scan_u64(scan, "the number of a physical group", INT32_MAX, &tag) ||
        !find_group(gmsh, (uint32_t)dimension, (int64_t)tag, &number)) {
        return false;
    }
    char *name = gmsh->groups[number].name;
    size_t size = 0;
    while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\n') {
        scan->at++;
    }
    if (scan->at == scan->end || *scan->at != '"') {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the name of a physical group is to stand in quotes");
    }
    for (scan->at++; scan->at < scan->end && *scan->at != '"' && *scan->at != '\n'; scan->at++) {
        const unsigned char c = (unsigned char)*scan->at;
        if (size < MESH_NAME_SIZE - 1) {
            name[size++] = c < ' ' || c == 127 ? '?' : (char)c;
        }
    }
    if (size > 0) {
        name[size] = '\0';
    }
    mesh_scan_next_line(scan);
    return true;
}

bool gmsh_physical_names(struct gmsh *gmsh)
{
    uint64_t count;
    if (!mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $PhysicalNames");
    }
    if (!mesh_scan_u64(&gmsh->scan, "the number of physical groups", GROUPS_MAX, &count) ||
        !mesh_scan_end_of_line(&gmsh->scan, "the number of physical groups")) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!read_name(gmsh)) {
            return false;
        }
    }
    return true;
}

static bool skip_doubles(struct gmsh *gmsh, int count)
{
    double ignored;
    for (int i = 0; i < count; i++) {
        if (!gmsh_double(gmsh, "the box of an entity", &ignored)) {
            return false;
        }
    }
    return true;
}

static bool read_entity(struct gmsh *gmsh, uint32_t dimension)
{
    struct gmsh_entity entity = {.dimension = dimension};
    uint64_t groups, bounds;
    const bool is_point = dimension == 0;
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Entities");
    }
    if (!gmsh_signed(gmsh, "the number of an entity", &entity.tag) ||
        !skip_doubles(gmsh, is_point && gmsh->version == GMSH_41 ? PLACE_NUMBERS : BOX_NUMBERS) ||
        !gmsh_size(gmsh, "the number of groups of an entity", INT32_MAX, &groups)) {
        return false;
    }
    for (uint64_t i = 0; i < groups; i++) {
        int64_t tag;
        if (!gmsh_signed(gmsh, "the group of an entity", &tag)) {
            return false;
        }
        entity.group = i == 0 ? tag : entity.group;
    }
    if (!is_point && !gmsh_size(gmsh, "the number of borders of an entity", INT32_MAX, &bounds)) {
        return false;
    }
    for (uint64_t i = 0; !is_point && i < bounds; i++) {
        if (!gmsh_skip_int(gmsh, "a border of an entity")) {
            return false;
        }
    }
    if (groups > 0) {
        if (!array_reserve(&gmsh->entities, &gmsh->entity_capacity, gmsh->entity_count + 1)) {
            return mesh_fail_memory(gmsh->scan.fault);
        }
        gmsh->entities[gmsh->entity_count++] = entity;
    }
    return gmsh_end_of_record(gmsh, "an entity");
}

bool gmsh_entities(struct gmsh *gmsh)
{
    uint64_t counts[DIMENSIONS];
    if (!gmsh->binary && !mesh_scan_content(&gmsh->scan)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends within $Entities");
    }
    for (int k = 0; k < DIMENSIONS; k++) {
        if (!gmsh_size(gmsh, "the number of entities", UINT32_MAX, &counts[k])) {
            return false;
        }
    }
    if (!gmsh_end_of_record(gmsh, "the four numbers of $Entities")) {
        return false;
    }
    for (uint32_t k = 0; k < DIMENSIONS; k++) {
        for (uint64_t i = 0; i < counts[k]; i++) {
            if (!read_entity(gmsh, k)) {
                return false;
            }
        }
    }
    if (gmsh->entity_count > 0) {
        qsort(gmsh->entities, gmsh->entity_count, sizeof *gmsh->entities, entity_compare);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Parts

// Puts elements of one group after another. `first` has a place for each group, for those without one, and one more: it gets where
// each begins.
static bool sort_elements(const struct gmsh *gmsh, const uint32_t *groups, uint32_t *elements, uint32_t count,
                          uint32_t corners, uint32_t *first)
{
    const uint32_t none = gmsh->group_count, places = none + 2;
    uint32_t *sorted = malloc(((size_t)corners * count + 1) * sizeof *sorted);
    uint32_t *next = malloc(places * sizeof *next);
    const bool ok = sorted && next;
    memset(first, 0, places * sizeof *first);
    for (uint32_t i = 0; i < count; i++) {
        first[(groups[i] == MESH_NONE ? none : groups[i]) + 1]++;
    }
    for (uint32_t g = 1; g < places; g++) {
        first[g] += first[g - 1];
    }
    for (uint32_t g = 0; ok && g < places; g++) {
        next[g] = first[g];
    }
    for (uint32_t i = 0; ok && i < count; i++) {
        const uint32_t to = next[groups[i] == MESH_NONE ? none : groups[i]]++;
        memcpy(sorted + (size_t)corners * to, elements + (size_t)corners * i, corners * sizeof *sorted);
    }
    if (ok && count > 0) {
        memcpy(elements, sorted, (size_t)corners * count * sizeof *sorted);
    }
    free(sorted);
    free(next);
    return ok;
}

bool gmsh_make_parts(struct gmsh *gmsh, struct mesh_parts *parts)
{
    struct mesh *mesh = gmsh->mesh;
    const uint32_t none = gmsh->group_count;
    uint32_t *triangles = malloc(((size_t)none + 2) * sizeof *triangles);
    uint32_t *tets = malloc(((size_t)none + 2) * sizeof *tets);
    parts->items = calloc((size_t)none + 1, sizeof *parts->items);
    const bool ok =
        triangles && tets && parts->items &&
        sort_elements(gmsh, gmsh->triangle_groups, mesh->triangles, mesh->triangle_count, 3, triangles) &&
        sort_elements(gmsh, gmsh->tet_groups, mesh->tets, mesh->tet_count, 4, tets);
    for (uint32_t g = 0; ok && g <= none; g++) {
        const struct mesh_part part = {.vertex_count = mesh->vertex_count,
                                       .triangle_first = triangles[g],
                                       .triangle_count = triangles[g + 1] - triangles[g],
                                       .tet_first = tets[g],
                                       .tet_count = tets[g + 1] - tets[g]};
        if (part.triangle_count == 0 && part.tet_count == 0) {
            continue;
        }
        struct mesh_part *own = &parts->items[parts->count++];
        *own = part;
        snprintf(own->name, sizeof own->name, "%s", g < none ? gmsh->groups[g].name : "mesh");
    }
    free(triangles);
    free(tets);
    return ok || mesh_fail_memory(gmsh->scan.fault);
}

void gmsh_groups_deinit(struct gmsh *gmsh)
{
    free(gmsh->groups);
    free(gmsh->entities);
    free(gmsh->triangle_groups);
    free(gmsh->tet_groups);
}
