// Functions that the formats share: reading frames with progress, and naming files.
#include "record/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *record_job_path(const struct record_job *job, const char *middle, const char *end)
{
    const char *path = job->export->path;
    size_t stem =
        (size_t)(strrchr(path, '.') - path); // the path has an ending: record_export has checked that
    size_t size = strlen(path) + strlen(middle) + (end ? strlen(end) : 0) + 1;
    char *name = malloc(size);
    if (!name) {
        record_fail_memory(job->fault);
    } else {
        snprintf(name, size, "%.*s%s%s", (int)stem, path, middle, end ? end : path + stem);
    }
    return name;
}

char *record_job_numbered(const struct record_job *job, uint64_t index, const char *end)
{
    char number[32];
    snprintf(number, sizeof number, "_%06llu", (unsigned long long)index + 1);
    return record_job_path(job, number, end);
}

void record_job_suffix(const struct record_job *job, uint32_t object, char *out, size_t size)
{
    const struct record_objects *objects = &job->objects;
    if (objects->count == 1) {
        out[0] = '\0';
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "%s", objects->items[object].name);
    bool changed = strlen(objects->items[object].name) >= sizeof name;
    for (char *c = name; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     *c == '_' || *c == '.';
        changed = changed || !plain;
        *c = plain ? *c : '_';
    }
    // Names may differ only in case, or in characters that were replaced.
    for (uint32_t o = 0; o < objects->count && !changed; o++) {
        changed = o != object && strcasecmp(objects->items[o].name, name) == 0;
    }
    if (changed) {
        snprintf(out, size, "-%s-%u", name, object + 1);
    } else {
        snprintf(out, size, "-%s", name);
    }
}

void record_job_place(struct record_job *job, const struct record_object *object,
                      const struct record_frame *frame)
{
    record_object_points(object, frame, job->points);
    if (record_object_is_surface(object)) {
        record_object_normals(object, frame, job->points, job->normals);
    }
}

bool record_job_read(struct record_job *job, uint64_t index, struct record_frame *frame)
{
    if (job->export->progress && !job->export->progress(job->export->context, job->done, job->total)) {
        return fault_set(job->fault, FAULT_CANCELLED, NULL, "it was interrupted");
    }
    job->done++;
    if (!record_take_read(job->take, index, frame, job->fault)) {
        return false;
    }
    for (uint64_t i = 0; i < 3 * record_take_particles(job->take); i++) {
        if (!isfinite(frame->positions[i])) {
            return fault_set(job->fault, FAULT_INVALID, NULL,
                             "frame %llu holds a coordinate that is no number",
                             (unsigned long long)index + 1);
        }
    }
    return true;
}
