// What the files of a take share: an open one, and its bytes.
#ifndef WEFT_RECORD_TAKE_FILE_H
#define WEFT_RECORD_TAKE_FILE_H

#include "record/internal.h"

struct record_take {
    int file;
    char *path;
    struct record_scene scene;
    uint64_t particles, head_bytes, frame_bytes, count;
    unsigned char *buffer; // one frame
};

// take_bytes.c
bool record_take_put(struct record_take *take, const void *bytes, size_t size, uint64_t at,
                     struct record_why *why);
bool record_take_get(const struct record_take *take, void *bytes, size_t size, uint64_t at,
                     struct record_why *why);

// take_head.c. Both set head_bytes; of a head that is read the scene is the take's, also where it fails.
bool record_head_write(struct record_take *take, struct record_why *why);
bool record_head_read(struct record_take *take, uint64_t file_bytes, struct record_why *why);
bool record_scene_copy(struct record_scene *to, const struct record_scene *from); // false without memory
void record_scene_deinit(struct record_scene *scene);

#endif
