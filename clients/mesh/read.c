// From a file's name to a mesh: which reader, and which of the parts.
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// ---------------------------------------------------------------------------------------------------------
// Parts

static bool add_whole(struct mesh_file *file, const char *name, struct fault *fault)
{
    file->parts = calloc(1, sizeof *file->parts);
    if (!file->parts) {
        return mesh_fail_memory(fault);
    }
    file->part_count = 1;
    snprintf(file->parts->name, sizeof file->parts->name, "%s", name);
    file->parts->vertex_count = file->mesh.vertex_count;
    file->parts->triangle_count = file->mesh.triangle_count;
    file->parts->tet_count = file->mesh.tet_count;
    return true;
}

static const struct mesh_part *find_part(const struct mesh_file *file, const char *wanted)
{
    for (uint32_t i = 0; i < file->part_count; i++) {
        if (strcmp(file->parts[i].name, wanted) == 0) {
            return &file->parts[i];
        }
    }
    char *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    const bool is_number = *wanted >= '0' && *wanted <= '9' && *end == '\0';
    return is_number && number < file->part_count ? &file->parts[number] : NULL;
}

static bool refuse_part(const struct mesh_file *file, const char *path, const char *wanted,
                        struct fault *fault)
{
    char names[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < file->part_count && used + MESH_NAME_SIZE + 16 < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%u %s", i ? ", " : "", i,
                                 file->parts[i].name);
    }
    return fault_set(fault, FAULT_INVALID, NULL, "%.100s has no mesh '%.60s'; it has %s", path, wanted,
                     names);
}

// Leaves only one part's triangles and tets. Vertices stay; those that are not used any more go when it is welded.
static void keep_part(struct mesh *mesh, const struct mesh_part *part)
{
    mesh_look_move(mesh, 0, part->triangle_first, part->triangle_count);
    if (part->triangle_count) {
        memmove(mesh->triangles, mesh->triangles + 3 * (size_t)part->triangle_first,
                3 * (size_t)part->triangle_count * sizeof *mesh->triangles);
    }
    if (part->tet_count) {
        memmove(mesh->tets, mesh->tets + 4 * (size_t)part->tet_first,
                4 * (size_t)part->tet_count * sizeof *mesh->tets);
    }
    mesh->triangle_count = part->triangle_count;
    mesh->tet_count = part->tet_count;
}

// ---------------------------------------------------------------------------------------------------------
// Formats

static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && dot > (slash ? slash : path) ? dot + 1 : "";
}

// The path with another ending, in capitals where its own is.
static char *beside(const char *path, const char *ending)
{
    const size_t stem = (size_t)(ending_of(path) - path);
    char *other = malloc(stem + strlen(ending) + 1);
    if (other) {
        memcpy(other, path, stem);
        memcpy(other + stem, ending, strlen(ending) + 1);
        for (char *c = other + stem; path[stem] >= 'A' && path[stem] <= 'Z' && *c; c++) {
            *c = (char)toupper((unsigned char)*c);
        }
    }
    return other;
}

static bool read_tetgen(const char *path, const struct mesh_watch *watch, struct mesh_file *file,
                        struct fault *fault)
{
    size_t nodes_size = 0, eles_size = 0;
    char *node_path = beside(path, "node"), *ele_path = beside(path, "ele");
    char *nodes = NULL, *eles = NULL;
    bool ok = false;
    if (!node_path || !ele_path) {
        mesh_fail_memory(fault);
        goto cleanup;
    }
    nodes = mesh_load(node_path, &nodes_size, fault);
    eles = nodes ? mesh_load(ele_path, &eles_size, fault) : NULL;
    ok = eles &&
         mesh_parse_tetgen(node_path, nodes, nodes_size, ele_path, eles, eles_size, watch, &file->mesh,
                           fault) &&
         add_whole(file, "tetrahedra", fault);

cleanup:
    free(nodes);
    free(eles);
    free(node_path);
    free(ele_path);
    return ok;
}

static bool read_gmsh(const char *path, const struct mesh_watch *watch, struct mesh_file *file,
                      struct fault *fault)
{
    size_t size;
    char *bytes = mesh_load(path, &size, fault);
    struct mesh_parts parts = {0};
    const bool ok = bytes && mesh_parse_gmsh(path, bytes, size, watch, &file->mesh, &parts, fault);
    file->parts = parts.items;
    file->part_count = parts.count;
    free(bytes);
    return ok;
}

// The frames of a point cache, and the mesh as in the first of whatever it has.
static bool add_frames(const char *path, const struct mesh_play *play, struct mesh_file *file,
                       struct fault *fault)
{
    struct mesh *mesh = &file->mesh;
    if (mesh->tet_count) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it has tetrahedra; what moves is a surface",
                         path);
    }
    if (!file->frames) {
        char *cache = play->cache ? NULL : beside(path, "pc2");
        if (!play->cache && !cache) {
            return mesh_fail_memory(fault);
        }
        const bool ok =
            mesh_read_pc2(play->cache ? play->cache : cache, mesh->file_vertex_count, play->fps, file, fault);
        free(cache);
        if (!ok) {
            return false;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        mesh->positions[i] = (double)file->frames[i];
    }
    return true;
}

bool mesh_read_moving(const char *path, const char *part, const struct mesh_play *play,
                      const struct mesh_watch *watch, struct mesh_file *file, struct fault *fault)
{
    static const struct {
        const char *ending, *format;
    } imported[] = {
        {"obj", "Wavefront OBJ"}, {"ply", "PLY"}, {"stl", "STL"}, {"gltf", "glTF"}, {"glb", "glTF"}};
    const char *ending = ending_of(path);
    bool ok = false, known = false;
    memset(file, 0, sizeof *file);
    if (!mesh_report(watch, "reading", -1, fault)) {
        return false;
    }
    if (strcasecmp(ending, "node") == 0 || strcasecmp(ending, "ele") == 0) {
        known = true;
        file->format = "TetGen";
        ok = read_tetgen(path, watch, file, fault);
    } else if (strcasecmp(ending, "msh") == 0) {
        known = true;
        file->format = "Gmsh";
        ok = read_gmsh(path, watch, file, fault);
    }
    for (size_t i = 0; i < sizeof imported / sizeof *imported; i++) {
        if (strcasecmp(ending, imported[i].ending) == 0) {
            known = true;
            file->format = imported[i].format;
            const bool own = imported[i].ending[0] == 'g' && play && !play->cache; // an animation of a glTF
            ok = mesh_import(path, imported[i].ending, own ? play : NULL, watch, file, fault);
        }
    }
    if (!known) {
        fault_set(fault, FAULT_INVALID, NULL,
                  "%.180s: what it is cannot be told by its name; it must end in .obj, .ply, .stl, .gltf, "
                  ".glb, .node, "
                  ".ele or .msh",
                  path);
    }
    ok = ok && (!play || add_frames(path, play, file, fault));
    if (ok && part) {
        const struct mesh_part *wanted = find_part(file, part);
        ok = wanted != NULL;
        if (ok) {
            keep_part(&file->mesh, wanted);
        } else {
            refuse_part(file, path, part, fault);
        }
    }
    if (!ok) {
        mesh_file_deinit(file);
    }
    return ok;
}

bool mesh_read(const char *path, const char *part, const struct mesh_watch *watch, struct mesh_file *file,
               struct fault *fault)
{
    return mesh_read_moving(path, part, NULL, watch, file, fault);
}
