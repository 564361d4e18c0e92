// Point caches: the points of one object in each frame. The topology is in an OBJ file beside each, with the same
// vertices in the same order. An object that never moves has only that file.
//
//   PC2   "POINTCACHE2\0" | i32 1 | i32 points | f32 first frame | f32 frames a sample | i32 samples | f32 x y z ...
//         little-endian
//   MDD   i32 frames | i32 points | f32 time of each frame, s | f32 x y z ...                        big-endian
//
// Both are what Blender's "mesh cache" modifier reads.
#include "record/internal.h"

#include <stdlib.h>
#include <string.h>

struct cache {
    FILE *file;
    char *path;
};

typedef bool write_head(struct record_job *job, const struct cache *cache, uint32_t points);

static bool head_pc2(struct record_job *job, const struct cache *cache, uint32_t points)
{
    unsigned char head[32] = "POINTCACHE2";
    record_put_u32(head + 12, 1);
    record_put_u32(head + 16, points);
    record_put_u32(head + 20, record_bits(0));
    record_put_u32(head + 24, record_bits(1));
    record_put_u32(head + 28, (uint32_t)job->frame_count);
    return record_write(cache->file, head, sizeof head, cache->path, job->fault);
}

static bool head_mdd(struct record_job *job, const struct cache *cache, uint32_t points)
{
    unsigned char word[8];
    struct record_frame frame;
    double first = 0;
    record_put_u32_big(word, (uint32_t)job->frame_count);
    record_put_u32_big(word + 4, points);
    bool done = record_write(cache->file, word, 8, cache->path, job->fault);
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        done = record_job_read(job, i, &frame);
        first = done && i == 0 ? frame.time : first;
        if (done) {
            record_put_u32_big(word, record_bits((float)(frame.time - first)));
        }
        done = done && record_write(cache->file, word, 4, cache->path, job->fault);
    }
    return done;
}

static bool is_cached(const struct record_object *object)
{
    return !object->is_collider || object->moves;
}

static bool open_caches(struct record_job *job, struct cache *caches, write_head *head)
{
    for (uint32_t o = 0; o < job->objects.count; o++) {
        char suffix[96];
        if (!is_cached(&job->objects.items[o])) {
            continue;
        }
        record_job_suffix(job, o, suffix, sizeof suffix);
        caches[o].path = record_job_path(job, suffix, NULL);
        if (!caches[o].path) {
            return false;
        }
        caches[o].file = record_files_begin(&job->files, caches[o].path, job->fault);
        if (!caches[o].file || !head(job, &caches[o], job->objects.items[o].point_count)) {
            return false;
        }
    }
    return true;
}

static bool write_frames(struct record_job *job, const struct cache *caches, unsigned char *bytes, bool big)
{
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_job_read(job, i, &frame)) {
            return false;
        }
        const float *x = job->points;
        for (uint32_t o = 0; o < job->objects.count; o++) {
            const size_t count = 3 * (size_t)job->objects.items[o].point_count;
            if (!is_cached(&job->objects.items[o])) {
                continue;
            }
            record_object_points(&job->objects.items[o], &frame, job->points);
            for (size_t k = 0; k < count; k++) {
                if (big) {
                    record_put_u32_big(bytes + 4 * k, record_bits(x[k]));
                } else {
                    record_put_u32(bytes + 4 * k, record_bits(x[k]));
                }
            }
            if (!record_write(caches[o].file, bytes, 4 * count, caches[o].path, job->fault)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_meshes(struct record_job *job)
{
    struct record_frame frame;
    bool done = record_job_read(job, 0, &frame) && record_write_mtl(job);
    for (uint32_t o = 0; done && o < job->objects.count; o++) {
        char suffix[96];
        record_job_suffix(job, o, suffix, sizeof suffix);
        char *path = record_job_path(job, suffix, ".obj");
        done = path && record_write_obj(job, path, &frame, (int)o);
        free(path);
    }
    return done;
}

static bool export_caches(struct record_job *job, write_head *head, bool big)
{
    const uint32_t count = job->objects.count, most = job->objects.points_max;
    if (job->frame_count > INT32_MAX) {
        return fault_set(job->fault, FAULT_LIMIT, NULL, "%llu frames are more than such a file can hold",
                         (unsigned long long)job->frame_count);
    }
    struct cache *caches = calloc((size_t)count + 1, sizeof *caches);
    unsigned char *bytes = malloc(12 * (size_t)most + 1);
    job->total += 1 + (big ? job->frame_count * count : 0);
    bool done = caches && bytes ? open_caches(job, caches, head) && write_frames(job, caches, bytes, big)
                                : record_fail_memory(job->fault);
    for (uint32_t b = 0; caches && b < count; b++) {
        if (caches[b].file && done) {
            done = record_files_end_one(caches[b].file, caches[b].path, job->fault);
        } else if (caches[b].file) {
            fclose(caches[b].file);
        }
        free(caches[b].path);
    }
    free(caches);
    free(bytes);
    return done && write_meshes(job);
}

bool record_export_pc2(struct record_job *job)
{
    return export_caches(job, head_pc2, false);
}

bool record_export_mdd(struct record_job *job)
{
    return export_caches(job, head_mdd, true);
}
