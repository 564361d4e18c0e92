// The process that runs assimp: limits first, then the scene as one list of vertices and triangles.
//
// Nodes are walked with their transforms; each use of a mesh by a node is a part of its own. A mesh with bones stands where
// those put it, as the scene has them, and not where its node is:
//
//     x = sum of w B x0 / sum of w,   B = (bone's node to the root) (bone's offset)
#include "import_files.h"
#include "internal.h"
#include "protocol/array/reserve.h"
#include "protocol/polygon/polygon.h"

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
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { DEPTH_MAX = 256, SECONDS_MAX = 600 };
#define BYTES_MAX ((rlim_t)6 << 30)

struct collector {
    const struct aiScene *scene;
    struct mesh mesh;
    struct mesh_part *parts;
    uint32_t part_count;
    size_t position_capacity, corner_capacity, part_capacity, uv_capacity, normal_capacity, material_capacity;
    bool has_uvs, has_normals; // any of them; where a mesh has none they are 0
    bool is_obj, is_stl;
    struct mesh_material *materials; // of the scene, in its order
    uint32_t material_count;
    double *times;
    float *frames; // of all vertices, one after the other
    uint32_t frame_count;
    struct mesh_import_head *head;
};

static bool fail(struct mesh_import_head *head, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct mesh_import_head *head, enum fault_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    head->code = code;
    vsnprintf(head->text, sizeof head->text, format, arguments);
    va_end(arguments);
    // It goes to a terminal, and parts of it come from the file.
    for (char *c = head->text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
    }
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
            for (int k = 0; k < 4; k++) {
                sum += a[4 * row + k] * rows[k][column];
            }
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

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH_MAX
static const struct aiNode *find_node(const struct aiNode *node, const char *name, int depth)
{
    if (strcmp(node->mName.data, name) == 0) {
        return node;
    }
    for (unsigned i = 0; depth < DEPTH_MAX && i < node->mNumChildren; i++) {
        const struct aiNode *found = find_node(node->mChildren[i], name, depth + 1);
        if (found) {
            return found;
        }
    }
    return NULL;
}

static void to_root(const struct aiNode *node, double out[12])
{
    const struct aiNode *chain[DEPTH_MAX + 1];
    int count = 0;
    for (; node && count <= DEPTH_MAX; node = node->mParent) {
        chain[count++] = node;
    }
    memcpy(out, identity, sizeof identity);
    while (count > 0) {
        double outer[12];
        memcpy(outer, out, sizeof outer);
        multiply(outer, &chain[--count]->mTransformation, out);
    }
}

// A vertex with its morph targets, each by its weight.
static void morph(const struct aiMesh *mesh, unsigned vertex, double out[3])
{
    const struct aiVector3D *base = &mesh->mVertices[vertex];
    out[0] = (double)base->x;
    out[1] = (double)base->y;
    out[2] = (double)base->z;
    for (unsigned k = 0; k < mesh->mNumAnimMeshes; k++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[k];
        if (target->mWeight == 0 || !target->mVertices || target->mNumVertices != mesh->mNumVertices) {
            continue;
        }
        const struct aiVector3D *moved = &target->mVertices[vertex];
        out[0] += (double)target->mWeight * ((double)moved->x - (double)base->x);
        out[1] += (double)target->mWeight * ((double)moved->y - (double)base->y);
        out[2] += (double)target->mWeight * ((double)moved->z - (double)base->z);
    }
}

// Computes positions of vertices moved by bones into `places`: 4 doubles for each vertex, the last of which is the sum
// of weights. False if there are no bones, or if a bone has no node.
static bool pose(const struct collector *collector, const struct aiMesh *mesh, double *places,
                 double first[12])
{
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        const struct aiNode *node = find_node(collector->scene->mRootNode, bone->mName.data, 0);
        double root[12], m[12];
        if (!node) {
            return false;
        }
        to_root(node, root);
        multiply(root, &bone->mOffsetMatrix, m);
        if (b == 0) {
            memcpy(first, m, sizeof m);
        }
        for (unsigned i = 0; i < bone->mNumWeights; i++) {
            const struct aiVertexWeight *weight = &bone->mWeights[i];
            if (weight->mVertexId >= mesh->mNumVertices) {
                return false;
            }
            double v[3], *place = places + 4 * (size_t)weight->mVertexId;
            morph(mesh, weight->mVertexId, v);
            for (int row = 0; row < 3; row++) {
                place[row] += (double)weight->mWeight * (m[4 * row] * v[0] + m[4 * row + 1] * v[1] +
                                                         m[4 * row + 2] * v[2] + m[4 * row + 3]);
            }
            place[3] += (double)weight->mWeight;
        }
    }
    return mesh->mNumBones > 0;
}

// places: as pose() fills it; NULL: the node's transform holds.
static bool add_vertices(struct collector *collector, const struct aiMesh *mesh, const double m[12],
                         const double *places)
{
    if (mesh->mNumVertices > MESH_CORNERS_MAX - collector->mesh.vertex_count) {
        return fail(collector->head, FAULT_LIMIT, "more than %u vertices", MESH_CORNERS_MAX);
    }
    if (!array_reserve(&collector->mesh.positions, &collector->position_capacity,
                       3 * ((size_t)collector->mesh.vertex_count + mesh->mNumVertices))) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
    }
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        double v[3], *position = collector->mesh.positions + 3 * (size_t)collector->mesh.vertex_count++;
        morph(mesh, i, v);
        for (int row = 0; row < 3; row++) {
            position[row] =
                m[4 * row] * v[0] + m[4 * row + 1] * v[1] + m[4 * row + 2] * v[2] + m[4 * row + 3];
        }
        const double *posed = places && places[4 * (size_t)i + 3] > 0 ? places + 4 * (size_t)i : NULL;
        for (int row = 0; posed && row < 3; row++) {
            position[row] = posed[row] / posed[3];
        }
        if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2])) {
            return fail(collector->head, FAULT_INVALID, "vertex %u of mesh '%.60s' is no finite place", i,
                        mesh->mName.data);
        }
    }
    return true;
}

// Normals of an STL are those of its triangles, and say nothing of how it looks.
static void put_look(struct collector *collector, const struct aiMesh *mesh, uint32_t triangle, int corner,
                     unsigned vertex)
{
    float *uv = collector->mesh.uvs + 6 * (size_t)triangle + 2 * (size_t)corner;
    float *normal = collector->mesh.normals + 9 * (size_t)triangle + 3 * (size_t)corner;
    memset(uv, 0, 2 * sizeof *uv);
    memset(normal, 0, 3 * sizeof *normal);
    if (mesh->mTextureCoords[0]) {
        const struct aiVector3D *v = &mesh->mTextureCoords[0][vertex];
        uv[0] = isfinite(v->x) ? v->x : 0;
        uv[1] = isfinite(v->y) ? v->y : 0;
        collector->has_uvs = true;
    }
    if (mesh->mNormals && !collector->is_stl) {
        const struct aiVector3D *n = &mesh->mNormals[vertex];
        const bool finite = isfinite(n->x) && isfinite(n->y) && isfinite(n->z);
        normal[0] = finite ? n->x : 0;
        normal[1] = finite ? n->y : 0;
        normal[2] = finite ? n->z : 0;
        collector->has_normals = true;
    }
}

static bool reserve_triangles(struct collector *collector, unsigned more)
{
    struct mesh *mesh = &collector->mesh;
    const size_t count = (size_t)mesh->triangle_count + more;
    return array_reserve(&mesh->triangles, &collector->corner_capacity, 3 * count) &&
           array_reserve(&mesh->uvs, &collector->uv_capacity, 6 * count) &&
           array_reserve(&mesh->normals, &collector->normal_capacity, 9 * count) &&
           array_reserve(&mesh->materials, &collector->material_capacity, count);
}

// Cuts a face into triangles of its corners' numbers. assimp's own cut of a polygon overlaps where the polygon is concave.
static bool cut_face(struct collector *collector, const struct aiFace *face, uint32_t base,
                     uint32_t *triangles)
{
    const uint32_t count = face->mNumIndices;
    double *corners = malloc(3 * (size_t)count * sizeof *corners);
    if (!corners) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(corners + 3 * (size_t)i, collector->mesh.positions + 3 * (size_t)(base + face->mIndices[i]),
               3 * sizeof *corners);
    }
    collector->head->uncut_count += !polygon_cut(corners, count, triangles);
    free(corners);
    return true;
}

static bool add_face(struct collector *collector, const struct aiMesh *mesh, const struct aiFace *face,
                     uint32_t base, bool mirrored)
{
    const uint32_t count = face->mNumIndices - 2;
    uint32_t one[3] = {0, 1, 2}, *triangles = one;
    if (count > 1) {
        triangles = malloc(3 * (size_t)count * sizeof *triangles);
        if (!triangles || !cut_face(collector, face, base, triangles)) {
            free(triangles);
            return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = collector->mesh.triangle_count++;
        collector->mesh.materials[number] =
            mesh->mMaterialIndex < collector->material_count ? mesh->mMaterialIndex : 0;
        for (int k = 0; k < 3; k++) {
            const unsigned index = face->mIndices[triangles[3 * (size_t)i + (size_t)(mirrored ? 2 - k : k)]];
            collector->mesh.triangles[3 * (size_t)number + (size_t)k] = base + index;
            put_look(collector, mesh, number, k, index);
        }
    }
    if (triangles != one) {
        free(triangles);
    }
    return true;
}

static bool add_triangles(struct collector *collector, const struct aiMesh *mesh, uint32_t base,
                          bool mirrored)
{
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices < 3) {
            continue;
        }
        for (unsigned k = 0; k < face->mNumIndices; k++) {
            if (face->mIndices[k] >= mesh->mNumVertices) {
                return fail(collector->head, FAULT_INVALID,
                            "face %u of mesh '%.60s' has a vertex that is not there", i, mesh->mName.data);
            }
        }
        const uint32_t count = face->mNumIndices - 2;
        if (count > MESH_TRIANGLES_MAX - collector->mesh.triangle_count) {
            return fail(collector->head, FAULT_LIMIT, "more than %u triangles", MESH_TRIANGLES_MAX);
        }
        if (!reserve_triangles(collector, count)) {
            return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
        }
        if (!add_face(collector, mesh, face, base, mirrored)) {
            return false;
        }
    }
    return true;
}

static bool add_mesh(struct collector *collector, const struct aiNode *node, const struct aiMesh *mesh,
                     const double transform[12])
{
    const uint32_t base = collector->mesh.vertex_count, first = collector->mesh.triangle_count;
    if (!(mesh->mPrimitiveTypes & (aiPrimitiveType_TRIANGLE | aiPrimitiveType_POLYGON))) {
        return true;
    }
    if (collector->part_count == MESH_PARTS_MAX) {
        return fail(collector->head, FAULT_LIMIT, "more than %u meshes", MESH_PARTS_MAX);
    }
    if (!array_reserve(&collector->parts, &collector->part_capacity, collector->part_count + 1)) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
    }
    double posed[12];
    double *places = mesh->mNumBones ? calloc(4 * (size_t)mesh->mNumVertices + 1, sizeof *places) : NULL;
    if (mesh->mNumBones && !places) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
    }
    const bool has_pose = places && pose(collector, mesh, places, posed);
    const bool added = add_vertices(collector, mesh, transform, has_pose ? places : NULL) &&
                       add_triangles(collector, mesh, base, mirrors(has_pose ? posed : transform));
    free(places);
    if (!added) {
        return false;
    }
    const char *name = mesh->mName.length ? mesh->mName.data : node->mName.length ? node->mName.data : "mesh";
    struct mesh_part *part = &collector->parts[collector->part_count];
    struct mesh_part *before = collector->part_count > 0 ? part - 1 : NULL;
    // In an OBJ the object is the part, whatever its materials.
    if (collector->is_obj && before && node->mNumMeshes > 1 &&
        node->mMeshes[0] < collector->scene->mNumMeshes &&
        mesh != collector->scene->mMeshes[node->mMeshes[0]]) {
        before->vertex_count += mesh->mNumVertices;
        before->triangle_count += collector->mesh.triangle_count - first;
        return true;
    }
    collector->part_count++;
    memset(part, 0, sizeof *part);
    snprintf(part->name, sizeof part->name, "%.63s", name);
    for (char *c = part->name; *c; c++) {
        *c = *c == MESH_OBJ_BLANK && collector->is_obj ? ' '
             : (unsigned char)*c < ' ' || *c == 127    ? '?'
                                                       : *c;
    }
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
    if (depth > DEPTH_MAX) {
        return fail(collector->head, FAULT_LIMIT, "nodes in nodes, deeper than %d", DEPTH_MAX);
    }
    multiply(outer, &node->mTransformation, transform);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= collector->scene->mNumMeshes ||
            !add_mesh(collector, node, collector->scene->mMeshes[node->mMeshes[i]], transform)) {
            return false;
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        if (!walk(collector, node->mChildren[i], transform, depth + 1)) {
            return false;
        }
    }
    return true;
}

// All vertices again, as they are at another moment.
static bool take_frame(struct collector *collector, struct collector *scratch, uint32_t frame)
{
    const size_t numbers = 3 * (size_t)collector->mesh.vertex_count;
    scratch->mesh.vertex_count = scratch->mesh.triangle_count = scratch->part_count = 0;
    if (!walk(scratch, collector->scene->mRootNode, identity, 0)) {
        return false;
    }
    for (size_t i = 0; i < numbers; i++) {
        const float number = (float)scratch->mesh.positions[i];
        if (!isfinite(number)) {
            return fail(collector->head, FAULT_INVALID, "vertex %zu is no finite place in frame %u", i / 3,
                        frame);
        }
        collector->frames[frame * numbers + i] = number;
    }
    return true;
}

static bool add_frames(struct collector *collector, const struct mesh_play *play)
{
    const uint32_t vertices = collector->mesh.vertex_count;
    struct fault fault = {0};
    const struct aiAnimation *animation = mesh_animation_find(collector->scene, play->animation, &fault);
    struct collector scratch = *collector;
    if (!animation) {
        return fail(collector->head, fault.code, "%s", fault.text);
    }
    const double seconds = mesh_animation_seconds(animation);
    if (!(seconds * play->fps > 1e-6)) {
        return fail(collector->head, FAULT_INVALID, "its animation '%.60s' lasts %g s: nothing moves",
                    animation->mName.data, seconds);
    }
    collector->times = mesh_frame_times(seconds, play->fps, vertices, &collector->frame_count);
    if (!collector->times) {
        return fail(collector->head, FAULT_LIMIT,
                    "%g s with %g frames a second of %u vertices are more than can be taken; "
                    "a lower --fps, or a coarser mesh",
                    seconds, play->fps, vertices);
    }
    collector->frames = malloc((3 * (size_t)vertices * collector->frame_count + 1) * sizeof(float));
    if (!collector->frames) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for %u frames",
                    collector->frame_count);
    }
    scratch.parts = NULL; // what it holds ends with the process
    scratch.part_capacity = scratch.position_capacity = scratch.corner_capacity = 0;
    scratch.uv_capacity = scratch.normal_capacity = scratch.material_capacity = 0;
    memset(&scratch.mesh, 0, sizeof scratch.mesh);
    for (uint32_t k = 0; k < collector->frame_count; k++) {
        mesh_animation_apply(collector->scene, animation, collector->times[k]);
        if (!take_frame(collector, &scratch, k)) {
            return false;
        }
    }
    return true;
}

static bool take_plain(struct mesh_source *source, struct mesh_import_head *head)
{
    struct fault fault = {0};
    char *text;
    size_t size;
    if (!mesh_plain_gltf(strcmp(source->format, "glb") == 0, source->play != NULL, source->bytes,
                         source->size, &text, &size, &fault)) {
        return fail(head, fault.code, "%s", fault.text);
    }
    if (text) {
        source->bytes = text; // until the process ends
        source->size = size;
    }
    return true;
}

// Refuses files that assimp would misread; *source becomes what it is to read.
static bool check(struct mesh_source *source, uint64_t *triangles, struct mesh_import_head *head)
{
    struct fault fault = {0};
    size_t skip = 0;
    bool ok = true;
    if (strcmp(source->format, "ply") == 0) {
        ok = mesh_check_ply(source->path, source->bytes, source->size, &fault);
    } else if (strcmp(source->format, "stl") == 0) {
        ok = mesh_check_stl(source->path, source->bytes, source->size, &skip, &fault);
    } else if (strcmp(source->format, "obj") != 0) {
        ok = mesh_check_gltf(source->path, strcmp(source->format, "glb") == 0, source->bytes, source->size,
                             triangles, &fault);
    }
    source->bytes += skip;
    source->size -= skip;
    head->whole = !ok;
    return ok ? strncmp(source->format, "gl", 2) != 0 || take_plain(source, head)
              : fail(head, fault.code, "%s", fault.text);
}

static float share(float value)
{
    return value >= 0 && value <= 1 ? value : value > 1 ? 1 : 0;
}

// An OBJ's colours are those of a screen.
static float linear(float screen)
{
    return screen <= 0.04045F ? screen / 12.92F : powf((screen + 0.055F) / 1.055F, 2.4F);
}

// assimp's own for one number has no body to link to where it is not inlined, and writes as many as the file holds.
static bool take_number(const struct aiMaterial *from, const char *key, unsigned type, unsigned index,
                        float *number)
{
    unsigned most = 1;
    return aiGetMaterialFloatArray(from, key, type, index, number, &most) == aiReturn_SUCCESS;
}

static void take_material(const struct aiMaterial *from, bool is_obj, const char *nameless,
                          struct mesh_material *material)
{
    struct aiColor4D color = {1, 1, 1, 1};
    struct aiString name = {0};
    float opacity = 1, metallic = 0, roughness = 1;
    if (aiGetMaterialColor(from, AI_MATKEY_BASE_COLOR, &color) != aiReturn_SUCCESS) {
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color);
    }
    take_number(from, AI_MATKEY_METALLIC_FACTOR, &metallic);
    take_number(from, AI_MATKEY_ROUGHNESS_FACTOR, &roughness);
    if (is_obj && take_number(from, AI_MATKEY_OPACITY, &opacity)) {
        color.a = opacity;
    }
    aiGetMaterialString(from, AI_MATKEY_NAME, &name);
    *material =
        (struct mesh_material){.color = {share(color.r), share(color.g), share(color.b), share(color.a)},
                               .metallic = share(metallic),
                               .roughness = share(roughness)};
    for (int k = 0; is_obj && k < 3; k++) {
        material->color[k] = linear(material->color[k]);
    }
    snprintf(material->name, sizeof material->name, "%.63s", name.length ? name.data : nameless);
    for (char *c = material->name; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    }
}

static bool add_materials(struct collector *collector)
{
    const struct aiScene *scene = collector->scene;
    if (scene->mNumMaterials > MESH_MATERIALS_MAX || collector->is_stl) {
        return true;
    }
    collector->materials = calloc((size_t)scene->mNumMaterials + 1, sizeof *collector->materials);
    if (!collector->materials) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
    }
    // assimp puts one behind those of a file, for what has none; a PLY has that alone.
    for (uint32_t m = 0; m < scene->mNumMaterials; m++) {
        take_material(scene->mMaterials[m], collector->is_obj,
                      m + 1 < scene->mNumMaterials ? "material" : MESH_MATERIAL_NONE,
                      &collector->materials[m]);
    }
    collector->material_count = scene->mNumMaterials;
    return true;
}

static bool import(struct collector *collector, struct mesh_source *source, uint64_t triangles)
{
    collector->is_obj = strcmp(source->format, "obj") == 0;
    collector->is_stl = strcmp(source->format, "stl") == 0;
    struct aiFileIO io = mesh_import_files(source);
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (!store) {
        return fail(collector->head, FAULT_MEMORY, "there is no memory for the mesh");
    }
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS,
                               aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                   (source->play ? 0 : aiComponent_ANIMATIONS) | aiComponent_TEXTURES |
                                   aiComponent_LIGHTS | aiComponent_CAMERAS);
    // Meshes of a glTF are of triangles, lines or points, and are sorted by that. Faces of others stay together, whatever corners
    // they have.
    const bool has_polygons = collector->is_obj || strcmp(source->format, "ply") == 0;
    collector->scene = aiImportFileExWithProperties(
        source->path, aiProcess_RemoveComponent | (has_polygons ? 0U : (unsigned)aiProcess_SortByPType), &io,
        store);
    aiReleasePropertyStore(store);
    if (!collector->scene || !collector->scene->mRootNode) {
        return fail(collector->head, FAULT_INVALID, "it cannot be read: %.250s", aiGetErrorString());
    }
    if (!add_materials(collector) || !walk(collector, collector->scene->mRootNode, identity, 0)) {
        return false;
    }
    const uint32_t found = collector->mesh.triangle_count;
    if (triangles > 0 && found != triangles) {
        return fail(collector->head, FAULT_INVALID,
                    "of %llu triangles %u can be read; the others have vertices that are not there",
                    (unsigned long long)triangles, found);
    }
    return !source->play || add_frames(collector, source->play);
}

static bool write_all(int fd, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size < (1 << 30) ? size : 1 << 30);
        if (written < 0 && errno != EINTR) {
            return false;
        }
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
#ifdef PR_SET_PDEATHSIG
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
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
        head.material_count = collector.material_count;
        head.has_uvs = collector.has_uvs;
        head.has_normals = collector.has_normals;
        head.frame_count = collector.frame_count;
        snprintf(head.missing, sizeof head.missing, "%s", checked.missing);
    }
    const bool written =
        write_all(fd, &head, sizeof head) &&
        (!ok ||
         (write_all(fd, collector.parts, collector.part_count * sizeof *collector.parts) &&
          write_all(fd, collector.mesh.positions, 3 * (size_t)head.vertex_count * sizeof(double)) &&
          write_all(fd, collector.mesh.triangles, 3 * (size_t)head.triangle_count * sizeof(uint32_t)) &&
          write_all(fd, collector.mesh.uvs, head.has_uvs * 6 * (size_t)head.triangle_count * sizeof(float)) &&
          write_all(fd, collector.mesh.normals,
                    head.has_normals * 9 * (size_t)head.triangle_count * sizeof(float)) &&
          write_all(fd, collector.materials, head.material_count * sizeof *collector.materials) &&
          (head.material_count == 0 ||
           write_all(fd, collector.mesh.materials, (size_t)head.triangle_count * sizeof(uint32_t))) &&
          write_all(fd, collector.times, head.frame_count * sizeof *collector.times) &&
          write_all(fd, collector.frames,
                    3 * (size_t)head.vertex_count * head.frame_count * sizeof *collector.frames)));
    free(collector.materials);
    return written ? 0 : 1;
}
