#include "helper_motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t motion_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

double motion_fraction(uint64_t *state)
{
    return (double)(motion_random(state) >> 11) / 9007199254740992.0;
}

static void put(struct motion *motion, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[4] = {a, b, c, d};
    memcpy(motion->indices + motion->corners * motion->element_count++, corners, motion->corners * sizeof a);
}

static void make_cloth(struct motion *motion, uint32_t width)
{
    motion->corners = 3;
    for (uint32_t cell = 0; cell < (width - 1) * (width - 1); cell++) {
        uint32_t a = cell / (width - 1) * width + cell % (width - 1);
        put(motion, a, a + 1, a + width, 0);
        put(motion, a + 1, a + width + 1, a + width, 0);
    }
}

static void make_soft(struct motion *motion, uint32_t width)
{
    uint32_t side = 2 * width;
    motion->corners = 4;
    for (uint32_t i = 0; i + side + 2 * width + 1 < motion->count; i++) {
        put(motion, i, i + 1, i + width, i + side);
        put(motion, i + 1, i + width, i + side, i + side + 1);
    }
}

static void make_soup(struct motion *motion)
{
    motion->corners = 3;
    for (uint32_t i = 0; i < motion->count; i++) {
        uint32_t a = (uint32_t)(motion_random(&motion->random) % motion->count);
        uint32_t near = (uint32_t)(motion_random(&motion->random) % 3);
        put(motion, a, (a + near) % motion->count, i % 5 == 0 ? 0 : i, 0);
    }
}

void motion_init(struct motion *motion, enum motion_mesh mesh, uint32_t width, uint64_t seed)
{
    *motion = (struct motion){.count = width * width, .random = seed | 1};
    motion->indices = malloc(((size_t)8 * motion->count + 8) * sizeof *motion->indices);
    motion->positions = malloc((3 * (size_t)motion->count + 1) * sizeof *motion->positions);
    assert_true(motion->indices != NULL && motion->positions != NULL);
    if (mesh == MOTION_CLOTH && width > 0) {
        make_cloth(motion, width);
    } else if (mesh == MOTION_SOFT) {
        make_soft(motion, width);
    } else if (mesh == MOTION_SOUP) {
        make_soup(motion);
    } else if (mesh == MOTION_ROPE) {
        motion->corners = 2;
        for (uint32_t i = 0; i + 1 < motion->count; i++) {
            put(motion, i, i + 1, 0, 0);
        }
    }
}

void motion_deinit(struct motion *motion)
{
    free(motion->indices);
    free(motion->positions);
}

struct codec_plan *motion_plan(const struct motion *motion)
{
    struct codec_plan *plan = NULL;
    assert_int_equal(
        codec_plan_create(motion->count, motion->corners, motion->indices, motion->element_count, &plan),
        CODEC_OK);
    assert_int_equal(codec_plan_count(plan), motion->count);
    return plan;
}

void motion_step(struct motion *motion, double seconds, double origin)
{
    double time = seconds * (double)motion->frame++;
    uint32_t width = (uint32_t)sqrt((double)motion->count);
    for (uint32_t i = 0; i < motion->count; i++) {
        double x = 0.01 * (i % width), y = 0.01 * (i / width);
        double noise = 2e-5 * motion_fraction(&motion->random);
        motion->positions[3 * (size_t)i] = (float)(origin + x + 0.1 * sin(9 * time + 3 * y));
        motion->positions[3 * (size_t)i + 1] = (float)(y - origin + 0.1 * cos(11 * time + 4 * x) + noise);
        motion->positions[3 * (size_t)i + 2] = (float)(0.2 * sin(7 * time + 5 * x * y + 2 * x));
    }
}
