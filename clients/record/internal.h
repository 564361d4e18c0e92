// What the files of this folder share.
#ifndef WEFT_RECORD_INTERNAL_H
#define WEFT_RECORD_INTERNAL_H

#include "record/record.h"

#include <stdio.h>

bool record_fail(struct record_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool record_fail_memory(struct record_why *why);

// A set of files under way: written beside their places under other names, and moved there together.
struct record_files {
    char **paths; // where they go
    uint32_t count, capacity;
};

// A stream to write to; NULL after saying why. It is closed by record_files_end_one.
FILE *record_files_begin(struct record_files *files, const char *path, struct record_why *why);
bool record_files_end_one(FILE *file, const char *path, struct record_why *why);
bool record_files_commit(struct record_files *files, struct record_why *why);
void record_files_abandon(struct record_files *files); // removes what is not committed; also frees the set

// One export under way.
struct record_job {
    struct record_take *take;
    const struct record_scene *scene;
    const struct record_export *export;
    struct record_files files;
    struct record_why *why;
    uint64_t frame_count, done, total; // done and total: in frames read
};

// Reads a frame and tells the progress.
bool record_job_read(struct record_job *job, uint64_t index, struct record_frame *frame);
// PATH with `middle` before its end, and its end replaced if `end` is not NULL; malloc'd. NULL after saying why.
char *record_job_path(const struct record_job *job, const char *middle, const char *end);
// "" for the only body, else "-NAME" with what file names do not bear replaced; the index keeps it unique.
void record_job_body_suffix(const struct record_job *job, uint32_t body, char *out, size_t size);

void record_put_u32(unsigned char *out, uint32_t value);     // little-endian
void record_put_u32_big(unsigned char *out, uint32_t value); // big-endian
uint32_t record_bits(float value);
bool record_write(FILE *file, const void *bytes, size_t size, const char *path, struct record_why *why);
// The first frame as OBJ; beside caches of points, which have no faces.
bool record_write_obj(struct record_job *job, const char *path, const struct record_frame *frame,
                      int only_body);

bool record_export_pc2(struct record_job *job);
bool record_export_mdd(struct record_job *job);
bool record_export_obj(struct record_job *job);
bool record_export_ply(struct record_job *job);
bool record_export_gltf(struct record_job *job);
bool record_export_npz(struct record_job *job);

#endif
