// Scenes by name, for the programs that run them whole.
#ifndef WEFT_BENCH_GALLERY_H
#define WEFT_BENCH_GALLERY_H

#include "protocol/scene/scene.h"

#include <stdbool.h>
#include <stdint.h>

enum { GALLERY_NAMES_MAX = 64 };

struct gallery {
    const char *names[GALLERY_NAMES_MAX];
    char memory[GALLERY_NAMES_MAX][SCENE_NAME_SIZE];
    uint32_t count;
};

// Lists all scenes of the gallery, or only `one` if that is not NULL. False, with a line on stderr, if the folder cannot be read.
bool gallery_list(struct gallery *gallery, const char *one);
// Reads a scene: a name of the gallery, or a file. False, with a line on stderr, if that cannot be done.
bool gallery_open(const char *name, struct scene *scene);
// Prints a line on stderr and returns false.
bool gallery_refuse(const char *name, const char *text);

#endif
