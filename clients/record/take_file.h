// Declarations that the files of a take share: an open take, its bytes, and the places of its frames.
#ifndef WEFT_RECORD_TAKE_FILE_H
#define WEFT_RECORD_TAKE_FILE_H

#include "record/internal.h"

struct take_packed;

struct record_take {
    int file;
    char *path;
    struct record_scene scene;
    float tolerance;                                    // of compressed frames, m; 0: they are as they were
    uint64_t particles, head_bytes, frame_bytes, count; // frame_bytes: as it was
    unsigned char *buffer;                              // one frame
    struct take_packed *packed;                         // where there is a tolerance
};

// The bytes with which every take begins; after them comes a u32 with the kind of take.
#define TAKE_MAGIC "wefttake"
enum { TAKE_PLAIN = 2, TAKE_PACKED = 3, TAKE_INPUTS = 4 };

enum { TAKE_FRAME_HEAD = 16 }; // bytes of a frame before its poses

// take_bytes.c
enum { TAKE_MARK = 8, TAKE_SEARCH = 65536 };

uint64_t take_sum(const void *bytes, size_t size);
bool record_file_put(int file, const char *path, const void *bytes, size_t size, uint64_t at,
                     struct fault *fault);
bool record_file_get(int file, const char *path, void *bytes, size_t size, uint64_t at, struct fault *fault);
// The next place from `at` on where the mark stands; end: there is none before that. room is for what is read.
bool record_file_find(int file, const char *path, const unsigned char mark[TAKE_MARK], uint64_t at,
                      uint64_t end, unsigned char room[TAKE_SEARCH], uint64_t *found, struct fault *fault);
// For an open take.
bool record_take_put(struct record_take *take, const void *bytes, size_t size, uint64_t at,
                     struct fault *fault);
bool record_take_get(const struct record_take *take, void *bytes, size_t size, uint64_t at,
                     struct fault *fault);

// take_head.c. Both set head_bytes; of a head that is read the scene is the take's, also where it fails.
bool record_head_write(struct record_take *take, struct fault *fault);
bool record_head_read(struct record_take *take, uint64_t file_bytes, struct fault *fault);
bool record_scene_copy(struct record_scene *to, const struct record_scene *from); // false without memory
void record_scene_deinit(struct record_scene *scene);

// take_packed.c: compressed frames. A take has its buffer and its sizes when these are called.
bool take_packed_create(struct record_take *take, struct fault *fault);
void take_packed_close(
    struct record_take *take); // writes the index of what has changed, and frees; NULL is allowed
// The frames of a file of so many bytes.
bool take_packed_find(struct record_take *take, uint64_t file_bytes, struct fault *fault);
bool take_packed_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *poses,
                        const float *positions, struct fault *fault);
bool take_packed_truncate(struct record_take *take, uint64_t count, struct fault *fault);
// The buffer becomes the frame; without its positions where they are not wanted.
bool take_packed_read(struct record_take *take, uint64_t index, bool wants_positions, struct fault *fault);

#endif
