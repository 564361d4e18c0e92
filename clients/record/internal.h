// Declarations that the files of this folder share.
#ifndef WEFT_RECORD_INTERNAL_H
#define WEFT_RECORD_INTERNAL_H

#include "record/objects.h"
#include "record/record.h"

#include <stdio.h>

bool record_fail_memory(struct fault *fault);

// A set of files under way: written in a folder beside their places, and moved there together.
struct record_files {
    char *folder; // PATH.part
    int lock;     // the folder, held; -1: not held
    char **paths; // where they go; all in the folder of PATH
    uint32_t count, capacity;
};

// For an export to this path; what one that was killed has left is removed. To be committed or abandoned also where
// it fails.
bool record_files_init(struct record_files *files, const char *path, struct fault *fault);
// A stream to write to; NULL after saying why. It is closed by record_files_end_one.
FILE *record_files_begin(struct record_files *files, const char *path, struct fault *fault);
bool record_files_end_one(FILE *file, const char *path, struct fault *fault);
// Temporary path of a file before it is renamed; malloc'd. NULL after giving the reason.
char *record_files_place(const struct record_files *files, const char *path, struct fault *fault);
// keeps_old: refuses to replace anything. The set is freed either way.
bool record_files_commit(struct record_files *files, bool keeps_old, struct fault *fault);
void record_files_abandon(struct record_files *files); // removes what is not committed; also frees the set

// One export under way.
struct record_job {
    struct record_take *take;
    const struct record_scene *scene;
    const struct record_export *export;
    struct record_objects objects;
    struct record_files files;
    struct fault *fault;
    uint64_t frame_count, done, total; // done and total: in frames read
    float *points, *normals;           // room for those of one object
};

// Reads a frame and tells the progress.
bool record_job_read(struct record_job *job, uint64_t index, struct record_frame *frame);
// A frame without its positions, which are NULL; also until the next call.
bool record_take_peek(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct fault *fault);
// An object as it is in a frame: job->points, and job->normals where it is a surface.
void record_job_place(struct record_job *job, const struct record_object *object,
                      const struct record_frame *frame);
// PATH with `middle` before its end, and its end replaced if `end` is not NULL; malloc'd. NULL after saying why.
char *record_job_path(const struct record_job *job, const char *middle, const char *end);
// The same with the number of a frame, from 1.
char *record_job_numbered(const struct record_job *job, uint64_t index, const char *end);
// "" for the only object, else "-NAME" with what file names do not bear replaced; the index keeps it unique.
void record_job_suffix(const struct record_job *job, uint32_t object, char *out, size_t size);

void record_put_u32(unsigned char *out, uint32_t value);     // little-endian
void record_put_u32_big(unsigned char *out, uint32_t value); // big-endian
uint32_t record_bits(float value);
bool record_write(FILE *file, const void *bytes, size_t size, const char *path, struct fault *fault);
// The frame as OBJ; also beside caches of points, which have no faces. only_object: -1 for all.
bool record_write_obj(struct record_job *job, const char *path, const struct record_frame *frame,
                      int only_object);
bool record_write_mtl(struct record_job *job); // where there are materials

bool record_export_pc2(struct record_job *job);
bool record_export_mdd(struct record_job *job);
bool record_export_obj(struct record_job *job);
bool record_export_ply(struct record_job *job);
bool record_export_gltf(struct record_job *job);
bool record_export_usda(struct record_job *job);
bool record_export_pvd(struct record_job *job);
bool record_export_npz(struct record_job *job);

#endif
