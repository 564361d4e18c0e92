// Which format a name asks for, and what all of them share.
#include "record/internal.h"

#include <math.h>
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
    [RECORD_NPZ] = {".npz", record_export_npz},
};

const char *record_format_names(void)
{
    return ".pc2, .mdd, .obj, .ply, .gltf, .glb or .npz";
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

char *record_job_path(const struct record_job *job, const char *middle, const char *end)
{
    const char *path = job->export->path;
    size_t stem = strlen(path) - strlen(formats[job->export->format].end);
    size_t size = strlen(path) + strlen(middle) + (end != NULL ? strlen(end) : 0) + 1;
    char *name = malloc(size);
    if (name == NULL)
        record_fail_memory(job->why);
    else
        snprintf(name, size, "%.*s%s%s", (int)stem, path, middle, end != NULL ? end : path + stem);
    return name;
}

void record_job_body_suffix(const struct record_job *job, uint32_t body, char *out, size_t size)
{
    if (job->scene->body_count == 1) {
        out[0] = '\0';
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "%s", job->scene->bodies[body].name);
    bool changed = strlen(job->scene->bodies[body].name) >= sizeof name;
    for (char *c = name; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     *c == '_' || *c == '.';
        changed = changed || !plain;
        *c = plain ? *c : '_';
    }
    // Names may differ in case alone, or in what was replaced.
    for (uint32_t b = 0; b < job->scene->body_count && !changed; b++)
        changed = b != body && strcasecmp(job->scene->bodies[b].name, name) == 0;
    if (changed)
        snprintf(out, size, "-%s-%u", name, body + 1);
    else
        snprintf(out, size, "-%s", name);
}

bool record_job_read(struct record_job *job, uint64_t index, struct record_frame *frame)
{
    if (job->export->progress != NULL && !job->export->progress(job->export->context, job->done, job->total))
        return record_fail(job->why, "it was interrupted");
    job->done++;
    if (!record_take_read(job->take, index, frame, job->why))
        return false;
    for (uint64_t i = 0; i < 3 * record_take_particles(job->take); i++) {
        if (!isfinite(frame->positions[i]))
            return record_fail(job->why, "frame %llu holds a coordinate that is no number",
                               (unsigned long long)index + 1);
    }
    return true;
}

bool record_export(struct record_take *take, const struct record_export *export, struct record_why *why)
{
    struct record_job job = {
        .take = take,
        .scene = record_take_scene(take),
        .export = export,
        .why = why,
        .frame_count = record_take_count(take),
    };
    enum record_format named;
    if (!record_format_of(export->path, &named) || named != export->format)
        return record_fail(why, "%s does not end with %s", export->path, formats[export->format].end);
    if (job.frame_count == 0)
        return record_fail(why, "nothing was recorded: there is no frame to write");
    job.total = job.frame_count;
    if (formats[export->format].run(&job) && record_files_commit(&job.files, why))
        return true;
    record_files_abandon(&job.files);
    return false;
}
