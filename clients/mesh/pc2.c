// Point caches: what Blender, Houdini and weft record write of points that move.
//
//   PC2   "POINTCACHE2\0" | i32 1 | i32 points | f32 first frame | f32 frames a sample | i32 samples | f32 x y z ...
//         little-endian
//
// The file has exactly the samples that it says it has. At which time one is its frame over the frames a second.
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_SIZE = 32 };

static uint32_t u32_at(const char *bytes)
{
    const uint8_t *at = (const uint8_t *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float float_at(const char *bytes)
{
    const uint32_t bits = u32_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool check_head(const char *path, const char *bytes, size_t size, uint32_t points, struct fault *fault)
{
    if (size < HEAD_SIZE || memcmp(bytes, "POINTCACHE2", 12) != 0) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: it is no PC2: it does not begin with POINTCACHE2", path);
    }
    const uint32_t version = u32_at(bytes + 12), count = u32_at(bytes + 16), samples = u32_at(bytes + 28);
    const double step = (double)float_at(bytes + 24);
    if (version != 1) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: version %u of PC2; must be 1", path, version);
    }
    if (count != points) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: it has %u points, and the mesh %u vertices; must be as many", path, count,
                         points);
    }
    if (samples < 2) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it has %u samples; what moves has two or more",
                         path, samples);
    }
    if (samples > MESH_FRAMES_MAX || 3 * (uint64_t)samples * points > MESH_FRAME_NUMBERS_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL,
                         "%.180s: %u samples of %u points are %llu numbers; at most %d can be taken", path,
                         samples, points, 3ULL * samples * points, MESH_FRAME_NUMBERS_MAX);
    }
    if (!(step > 0 && step <= 1e6)) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s: %g frames a sample; must be above 0 and at most 1e+06", path, step);
    }
    const uint64_t want = HEAD_SIZE + 12 * (uint64_t)samples * points;
    return size == want || fault_set(fault, FAULT_INVALID, NULL,
                                     "%.180s: it has %zu bytes; %u samples of %u points take %llu", path,
                                     size, samples, points, (unsigned long long)want);
}

bool mesh_read_pc2(const char *path, uint32_t points, double fps, struct mesh_file *file, struct fault *fault)
{
    size_t size;
    char *bytes = mesh_load(path, &size, fault);
    bool ok = bytes && check_head(path, bytes, size, points, fault);
    if (ok) {
        const size_t numbers = (size - HEAD_SIZE) / 4;
        file->frame_count = u32_at(bytes + 28);
        file->frames = malloc((numbers + 1) * sizeof *file->frames);
        file->times = malloc(file->frame_count * sizeof *file->times);
        ok = (file->frames && file->times) || mesh_fail_memory(fault);
        for (uint32_t k = 0; ok && k < file->frame_count; k++) {
            file->times[k] = k * (double)float_at(bytes + 24) / fps;
        }
        for (size_t i = 0; ok && i < numbers; i++) {
            file->frames[i] = float_at(bytes + HEAD_SIZE + 4 * i);
            if (!isfinite(file->frames[i])) {
                ok = fault_set(fault, FAULT_INVALID, NULL,
                               "%.180s: point %zu of sample %zu is no finite place", path, i / 3 % points,
                               i / 3 / points);
            }
        }
    }
    free(bytes);
    return ok;
}
