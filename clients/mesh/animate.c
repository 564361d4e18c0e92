// A scene of assimp at a moment of one of its animations.
//
// Channels name the nodes that they move, each with a translation, a rotation and a scale: T R S takes the place of the
// node's transform. Others name nodes whose meshes have morph targets, and give these weights. Between two keys, p the part
// of the time between them:
//
//   places, scales, weights   (1 - p) a + p b
//   rotations                 the shorter arc on the sphere of unit quaternions (slerp)
//
// and constant before the first and after the last. Numbers of the file are not trusted: what comes of them is checked where
// it is used.
#include "internal.h"

#include <assimp/scene.h> // anim.h as well
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256 };

const struct aiAnimation *mesh_animation_find(const struct aiScene *scene, const char *wanted,
                                              struct fault *fault)
{
    char names[256] = "";
    size_t used = 0;
    if (scene->mNumAnimations == 0) {
        fault_set(fault, FAULT_INVALID, NULL,
                  "there is no animation in it; without --play it is an obstacle that stands");
        return NULL;
    }
    for (unsigned i = 0; wanted && i < scene->mNumAnimations; i++) {
        if (strcmp(scene->mAnimations[i]->mName.data, wanted) == 0) {
            return scene->mAnimations[i];
        }
    }
    char *end = NULL;
    const unsigned long number = wanted ? strtoul(wanted, &end, 10) : 0;
    const bool is_number = !wanted || (*wanted >= '0' && *wanted <= '9' && *end == '\0');
    if (is_number && number < scene->mNumAnimations) {
        return scene->mAnimations[number];
    }
    for (unsigned i = 0; i < scene->mNumAnimations && used + MESH_NAME_SIZE + 16 < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%u %.63s", i ? ", " : "", i,
                                 scene->mAnimations[i]->mName.data);
    }
    fault_set(fault, FAULT_INVALID, NULL, "it has no animation '%.60s'; it has %s", wanted, names);
    return NULL;
}

static double ticks_a_second(const struct aiAnimation *animation)
{
    return animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 1000;
}

double mesh_animation_seconds(const struct aiAnimation *animation)
{
    return animation->mDuration / ticks_a_second(animation);
}

// The key that holds at a time and the part of the way to the next one. `at` is the time of the first, `stride` to the next.
static unsigned key_at(const void *at, size_t stride, unsigned count, double time, double *part)
{
    const char *keys = at;
    unsigned low = 0, high = count; // the first key after `time` is among (low ... high]
    double before, after;
    *part = 0;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        memcpy(&before, keys + middle * stride, sizeof before);
        if (before <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == count) {
        return low == 0 ? 0 : count - 1;
    }
    memcpy(&before, keys + (low - 1) * stride, sizeof before);
    memcpy(&after, keys + low * stride, sizeof after);
    *part = (time - before) / (after - before);
    return low - 1;
}

static void vector_at(const struct aiVectorKey *keys, unsigned count, double time, double out[3])
{
    double part;
    const unsigned key = key_at(&keys->mTime, sizeof *keys, count, time, &part);
    const struct aiVector3D a = keys[key].mValue, b = part > 0 ? keys[key + 1].mValue : a;
    out[0] = (1 - part) * (double)a.x + part * (double)b.x;
    out[1] = (1 - part) * (double)a.y + part * (double)b.y;
    out[2] = (1 - part) * (double)a.z + part * (double)b.z;
}

// x, y, z, w
static void rotation_at(const struct aiQuatKey *keys, unsigned count, double time, double out[4])
{
    double part, cosine = 0, length = 0;
    const unsigned key = key_at(&keys->mTime, sizeof *keys, count, time, &part);
    const struct aiQuaternion p = keys[key].mValue, q = part > 0 ? keys[key + 1].mValue : p;
    const double a[4] = {(double)p.x, (double)p.y, (double)p.z, (double)p.w};
    const double b[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    for (int i = 0; i < 4; i++) {
        cosine += a[i] * b[i];
    }
    const double sign = cosine < 0 ? -1 : 1, angle = acos(fmin(fabs(cosine), 1)), sine = sin(angle);
    const double from = sine > 1e-6 ? sin((1 - part) * angle) / sine : 1 - part;
    const double to = sine > 1e-6 ? sin(part * angle) / sine : part;
    for (int i = 0; i < 4; i++) {
        out[i] = from * a[i] + sign * to * b[i];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++) {
        out[i] = length > 0 ? out[i] / sqrt(length) : i == 3;
    }
}

static void pose_node(struct aiNode *node, const struct aiNodeAnim *channel, double time)
{
    double t[3] = {0, 0, 0}, s[3] = {1, 1, 1}, r[4] = {0, 0, 0, 1};
    if (channel->mNumPositionKeys) {
        vector_at(channel->mPositionKeys, channel->mNumPositionKeys, time, t);
    }
    if (channel->mNumRotationKeys) {
        rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, time, r);
    }
    if (channel->mNumScalingKeys) {
        vector_at(channel->mScalingKeys, channel->mNumScalingKeys, time, s);
    }
    const double x = r[0], y = r[1], z = r[2], w = r[3];
    node->mTransformation = (struct aiMatrix4x4){
        .a1 = (ai_real)(s[0] * (1 - 2 * (y * y + z * z))),
        .a2 = (ai_real)(s[1] * 2 * (x * y - w * z)),
        .a3 = (ai_real)(s[2] * 2 * (x * z + w * y)),
        .a4 = (ai_real)t[0],
        .b1 = (ai_real)(s[0] * 2 * (x * y + w * z)),
        .b2 = (ai_real)(s[1] * (1 - 2 * (x * x + z * z))),
        .b3 = (ai_real)(s[2] * 2 * (y * z - w * x)),
        .b4 = (ai_real)t[1],
        .c1 = (ai_real)(s[0] * 2 * (x * z - w * y)),
        .c2 = (ai_real)(s[1] * 2 * (y * z + w * x)),
        .c3 = (ai_real)(s[2] * (1 - 2 * (x * x + y * y))),
        .c4 = (ai_real)t[2],
        .d4 = 1,
    };
}

static void weigh(const struct aiMesh *mesh, const struct aiMeshMorphKey *a, const struct aiMeshMorphKey *b,
                  double part)
{
    for (unsigned i = 0; i < a->mNumValuesAndWeights; i++) {
        const double to = i < b->mNumValuesAndWeights ? b->mWeights[i] : a->mWeights[i];
        if (a->mValues[i] < mesh->mNumAnimMeshes) {
            mesh->mAnimMeshes[a->mValues[i]]->mWeight = (float)((1 - part) * a->mWeights[i] + part * to);
        }
    }
}

static void pose_targets(const struct aiScene *scene, const struct aiNode *node,
                         const struct aiMeshMorphAnim *channel, double time)
{
    double part;
    if (channel->mNumKeys == 0) {
        return;
    }
    const unsigned key =
        key_at(&channel->mKeys->mTime, sizeof *channel->mKeys, channel->mNumKeys, time, &part);
    const struct aiMeshMorphKey *a = &channel->mKeys[key], *b = part > 0 ? a + 1 : a;
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        if (node->mMeshes[m] < scene->mNumMeshes) {
            weigh(scene->mMeshes[node->mMeshes[m]], a, b, part);
        }
    }
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH_MAX
static struct aiNode *find_node(struct aiNode *node, const char *name, int depth)
{
    if (strcmp(node->mName.data, name) == 0) {
        return node;
    }
    for (unsigned i = 0; depth < DEPTH_MAX && i < node->mNumChildren; i++) {
        struct aiNode *found = find_node(node->mChildren[i], name, depth + 1);
        if (found) {
            return found;
        }
    }
    return NULL;
}

void mesh_animation_apply(const struct aiScene *scene, const struct aiAnimation *animation, double seconds)
{
    const double time = seconds * ticks_a_second(animation);
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        const struct aiNodeAnim *channel = animation->mChannels[c];
        struct aiNode *node = find_node(scene->mRootNode, channel->mNodeName.data, 0);
        if (node) {
            pose_node(node, channel, time);
        }
    }
    for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
        const struct aiMeshMorphAnim *channel = animation->mMorphMeshChannels[c];
        const struct aiNode *node = find_node(scene->mRootNode, channel->mName.data, 0);
        if (node) {
            pose_targets(scene, node, channel, time);
        }
    }
}
