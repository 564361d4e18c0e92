// The process that runs assimp: limits first, then the scene as one list of vertices and triangles.
//
// Nodes are walked with their transforms; each use of a mesh by a node is a part of its own.
#include "import_files.h"
#include "internal.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DEPTH_MAX = 256, SECONDS_MAX = 600 };
#define BYTES_MAX ((rlim_t)6 << 30)

struct collector {
    const struct aiScene *scene;
    struct mesh mesh;
    struct mesh_part *parts;
    uint32_t part_count;
    size_t vertex_capacity, triangle_capacity, part_capacity;
    struct mesh_import_head *head;
};

static bool fail(struct mesh_import_head *head, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct mesh_import_head *head, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    head->failed = 1;
    snprintf(head->code, sizeof head->code, "%s", code);
    vsnprintf(head->text, sizeof head->text, format, arguments);
    va_end(arguments);
    // It goes to a terminal, and parts of it come from the file.
    for (char *c = head->text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// The scene

static void multiply(const double a[12], const struct aiMatrix4x4 *b, double out[12])
{
    const double rows[4][4] = {{b->a1, b->a2, b->a3, b->a4},
                               {b->b1, b->b2, b->b3, b->b4},
                               {b->c1, b->c2, b->c3, b->c4},
                               {0, 0, 0, 1}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[4 * row + k] * rows[k][column];
            out[4 * row + column] = sum;
        }
    }
}

static bool mirrors(const double m[12])
{
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) <
           0;
}

static bool add_vertices(struct collector *collector, const struct aiMesh *mesh, const double m[12])
{
    if (mesh->mNumVertices > MESH_CORNERS_MAX - collector->mesh.vertex_count)
        return fail(collector->head, "LIMIT", "more than %u vertices", MESH_CORNERS_MAX);
    if (!mesh_reserve((void **)&collector->mesh.positions, &collector->vertex_capacity,
                      collector->mesh.vertex_count, mesh->mNumVertices, 3 * sizeof(double)))
        return fail(collector->head, "MEMORY", "there is no memory for the mesh");
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double *position = collector->mesh.positions + 3 * (size_t)collector->mesh.vertex_count++;
        for (int row = 0; row < 3; row++)
            position[row] = m[4 * row] * (double)v->x + m[4 * row + 1] * (double)v->y +
                            m[4 * row + 2] * (double)v->z + m[4 * row + 3];
        if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2]))
            return fail(collector->head, "INVALID", "vertex %u of mesh '%.60s' is no finite place", i,
                        mesh->mName.data);
    }
    return true;
}

static bool add_triangles(struct collector *collector, const struct aiMesh *mesh, uint32_t base,
                          bool mirrored)
{
    if (mesh->mNumFaces > MESH_TRIANGLES_MAX - collector->mesh.triangle_count)
        return fail(collector->head, "LIMIT", "more than %u triangles", MESH_TRIANGLES_MAX);
    if (!mesh_reserve((void **)&collector->mesh.triangles, &collector->triangle_capacity,
                      collector->mesh.triangle_count, mesh->mNumFaces, 3 * sizeof(uint32_t)))
        return fail(collector->head, "MEMORY", "there is no memory for the mesh");
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3)
            continue;
        uint32_t *triangle = collector->mesh.triangles + 3 * (size_t)collector->mesh.triangle_count++;
        for (int k = 0; k < 3; k++) {
            const unsigned index = face->mIndices[mirrored ? 2 - k : k];
            if (index >= mesh->mNumVertices)
                return fail(collector->head, "INVALID",
                            "triangle %u of mesh '%.60s' has a vertex that is not there", i,
                            mesh->mName.data);
            triangle[k] = base + index;
        }
    }
    return true;
}

static bool add_mesh(struct collector *collector, const struct aiNode *node, const struct aiMesh *mesh,
                     const double transform[12])
{
    const uint32_t base = collector->mesh.vertex_count, first = collector->mesh.triangle_count;
    if (!(mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE))
        return true;
    if (collector->part_count == MESH_PARTS_MAX)
        return fail(collector->head, "LIMIT", "more than %u meshes", MESH_PARTS_MAX);
    if (!mesh_reserve((void **)&collector->parts, &collector->part_capacity, collector->part_count, 1,
                      sizeof *collector->parts))
        return fail(collector->head, "MEMORY", "there is no memory for the mesh");
    if (!add_vertices(collector, mesh, transform) ||
        !add_triangles(collector, mesh, base, mirrors(transform)))
        return false;
    const char *name = mesh->mName.length ? mesh->mName.data : node->mName.length ? node->mName.data : "mesh";
    struct mesh_part *part = &collector->parts[collector->part_count++];
    memset(part, 0, sizeof *part);
    snprintf(part->name, sizeof part->name, "%.63s", name);
    for (char *c = part->name; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    part->vertex_first = base;
    part->vertex_count = mesh->mNumVertices;
    part->triangle_first = first;
    part->triangle_count = collector->mesh.triangle_count - first;
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH_MAX
static bool walk(struct collector *collector, const struct aiNode *node, const double outer[12], int depth)
{
    double transform[12];
    if (depth > DEPTH_MAX)
        return fail(collector->head, "LIMIT", "nodes in nodes, deeper than %d", DEPTH_MAX);
    multiply(outer, &node->mTransformation, transform);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= collector->scene->mNumMeshes ||
            !add_mesh(collector, node, collector->scene->mMeshes[node->mMeshes[i]], transform))
            return false;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        if (!walk(collector, node->mChildren[i], transform, depth + 1))
            return false;
    }
    return true;
}

// What assimp reads as something else is refused; *source becomes what it is to read.
static bool check(struct mesh_source *source, uint64_t *triangles, struct mesh_import_head *head)
{
    struct mesh_error error = {0};
    size_t skip = 0;
    bool ok = true;
    if (strcmp(source->format, "ply") == 0)
        ok = mesh_check_ply(source->path, source->bytes, source->size, &error);
    else if (strcmp(source->format, "stl") == 0)
        ok = mesh_check_stl(source->path, source->bytes, source->size, &skip, &error);
    else if (strcmp(source->format, "obj") != 0)
        ok = mesh_check_gltf(source->path, strcmp(source->format, "glb") == 0, source->bytes, source->size,
                             triangles, &error);
    source->bytes += skip;
    source->size -= skip;
    head->whole = !ok;
    return ok || fail(head, error.code, "%s", error.text);
}

static bool import(struct collector *collector, const struct mesh_source *source, uint64_t triangles)
{
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    struct aiFileIO io = mesh_import_files(source);
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (!store)
        return fail(collector->head, "MEMORY", "there is no memory for the mesh");
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS,
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                   aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                   aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                                   aiComponent_CAMERAS);
    collector->scene = aiImportFileExWithProperties(
        source->path, aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType, &io, store);
    aiReleasePropertyStore(store);
    if (!collector->scene || !collector->scene->mRootNode)
        return fail(collector->head, "INVALID", "it cannot be read: %.250s", aiGetErrorString());
    if (!walk(collector, collector->scene->mRootNode, identity, 0))
        return false;
    const uint32_t found = collector->mesh.triangle_count;
    if (triangles > 0 && found != triangles)
        return fail(collector->head, "INVALID",
                    "of %llu triangles %u can be read; the others have vertices that are not there",
                    (unsigned long long)triangles, found);
    return true;
}

static bool write_all(int fd, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size < (1 << 30) ? size : 1 << 30);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}

static void set_limits(void)
{
    const struct rlimit seconds = {SECONDS_MAX, SECONDS_MAX}, none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    // Sanitizers map far more than they use.
    const struct rlimit bytes = {BYTES_MAX, BYTES_MAX};
    setrlimit(RLIMIT_AS, &bytes);
#endif
#endif
}

int mesh_import_child(const struct mesh_source *source, int fd)
{
    struct mesh_import_head head = {.magic = MESH_IMPORT_MAGIC};
    struct collector collector = {.head = &head};
    set_limits();
    struct mesh_source checked = *source;
    uint64_t triangles = 0; // 0: nobody knows
    const bool ok = check(&checked, &triangles, &head) && import(&collector, &checked, triangles);
    if (ok) {
        head.part_count = collector.part_count;
        head.vertex_count = collector.mesh.vertex_count;
        head.triangle_count = collector.mesh.triangle_count;
    }
    const bool written =
        write_all(fd, &head, sizeof head) &&
        (!ok ||
         (write_all(fd, collector.parts, collector.part_count * sizeof *collector.parts) &&
          write_all(fd, collector.mesh.positions, 3 * (size_t)head.vertex_count * sizeof(double)) &&
          write_all(fd, collector.mesh.triangles, 3 * (size_t)head.triangle_count * sizeof(uint32_t))));
    return written ? 0 : 1;
}
