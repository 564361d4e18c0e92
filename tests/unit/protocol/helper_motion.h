// Meshes, good and bad, and motions of them.
#ifndef WEFT_TESTS_PROTOCOL_HELPER_MOTION_H
#define WEFT_TESTS_PROTOCOL_HELPER_MOTION_H

#include "protocol/codec/codec.h"

enum motion_mesh {
    MOTION_CLOTH,
    MOTION_SOFT,
    MOTION_ROPE,
    MOTION_POINTS,
    MOTION_SOUP, // random triangles: repeated, degenerate, many at an edge, vertices in none
    MOTION_MESHES,
};

struct motion {
    uint32_t count, corners, element_count;
    uint32_t *indices;
    float *positions;
    uint64_t random, frame;
};

uint64_t motion_random(uint64_t *state);
double motion_fraction(uint64_t *state); // 0 ... 1
void motion_init(struct motion *motion, enum motion_mesh mesh, uint32_t width, uint64_t seed);
void motion_deinit(struct motion *motion);
struct codec_plan *motion_plan(const struct motion *motion);
// The next frame: waves of some metres a second and a little noise, about `origin`.
void motion_step(struct motion *motion, double seconds, double origin);

#endif
