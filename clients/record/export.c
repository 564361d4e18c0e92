// Finds the format for a name.
#include "record/internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *end;
    bool (*run)(struct record_job *job);
} formats[RECORD_FORMAT_COUNT] = {
    [RECORD_PC2] = {".pc2", record_export_pc2},    [RECORD_MDD] = {".mdd", record_export_mdd},
    [RECORD_OBJ] = {".obj", record_export_obj},    [RECORD_PLY] = {".ply", record_export_ply},
    [RECORD_GLTF] = {".gltf", record_export_gltf}, [RECORD_GLB] = {".glb", record_export_gltf},
    [RECORD_USDA] = {".usda", record_export_usda}, [RECORD_PVD] = {".pvd", record_export_pvd},
    [RECORD_NPZ] = {".npz", record_export_npz},
};

const char *record_format_names(void)
{
    return ".pc2, .mdd, .obj, .ply, .gltf, .glb, .usda, .pvd or .npz";
}

bool record_format_of(const char *path, enum record_format *format)
{
    size_t size = strlen(path);
    for (int f = 0; f < RECORD_FORMAT_COUNT; f++) {
        size_t end = strlen(formats[f].end);
        if (size > end && path[size - end - 1] != '/' && strcasecmp(path + size - end, formats[f].end) == 0) {
            *format = (enum record_format)f;
            return true;
        }
    }
    return false;
}

bool record_export(struct record_take *take, const struct record_export *export, struct fault *fault)
{
    struct record_job job = {
        .take = take,
        .scene = record_take_scene(take),
        .export = export,
        .files = {.lock = -1},
        .fault = fault,
        .frame_count = record_take_count(take),
    };
    enum record_format named;
    if (!record_format_of(export->path, &named) || named != export->format) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s does not end with %s", export->path,
                         formats[export->format].end);
    }
    if (job.frame_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "nothing was recorded: there is no frame to write");
    }
    job.total = job.frame_count;
    bool done = record_objects_init(&job.objects, &job) && record_files_init(&job.files, export->path, fault);
    if (done) {
        job.points = malloc(3 * sizeof(float) * ((size_t)job.objects.points_max + 1));
        job.normals = malloc(3 * sizeof(float) * ((size_t)job.objects.normals_max + 1));
        done = (job.points && job.normals) || record_fail_memory(fault);
    }
    if (done && formats[export->format].run(&job)) {
        done = record_files_commit(&job.files, export->keeps_old, fault);
    } else {
        done = false;
    }
    record_files_abandon(&job.files);
    record_objects_deinit(&job.objects);
    free(job.points);
    free(job.normals);
    return done;
}
