// Compressed takes: within their tolerance, read in any order, gone on with to the same bytes, cut short or damaged anywhere.
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka.h needs those before it.
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 12, CLOTH = SIDE * SIDE, ROPE = 5, PARTICLES = CLOTH + ROPE, FRAMES = 300 };

static const float TOLERANCE = 1e-4F;
static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-packed-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const names[] = {"t", "u", "bad", "x.npz"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        unlink(in_folder(names[n]));
    }
    return rmdir(folder);
}

// ---------------------------------------------------------------------------------------------------------

static uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)], edges[] = {0, 1, 1, 2, 2, 3, 3, 4};
static char cloth[] = "cloth", rope[] = "rope", ball[] = "ball", ground[] = "ground";
static struct record_body bodies[] = {
    {.name = cloth, .particle_count = CLOTH, .triangles = triangles},
    {.name = rope, .particle_count = ROPE, .edges = edges, .edge_count = 4},
};
static struct record_collider colliders[] = {{.name = ball, .shape = RECORD_SPHERE, .radius = 0.5F},
                                             {.name = ground, .shape = RECORD_PLANE}};
static const struct record_scene scene = {.bodies = bodies,
                                          .body_count = 2,
                                          .colliders = colliders,
                                          .collider_count = 2,
                                          .tick_rate = 60,
                                          .substeps = 20};

static void make_triangles(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i + SIDE + 1 < CLOTH; i++) {
        if (i % SIDE + 1 < SIDE) {
            const uint32_t cell[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(triangles + count, cell, sizeof cell);
            count += 6;
        }
    }
    bodies[0].triangle_count = count / 3;
}

// It waves, stands still for a while, and in one frame is where no grid reaches.
static void positions_of(uint64_t frame, float x[3 * PARTICLES])
{
    const double time = frame < 200   ? (double)frame / 60
                        : frame < 240 ? 200.0 / 60
                                      : (double)(frame - 40) / 60;
    for (int i = 0; i < PARTICLES; i++) {
        const double u = 0.1 * (i % SIDE), v = 0.1 * (i / SIDE); // NOLINT: rows of the cloth
        x[3 * i] = (float)(u + 0.05 * sin(2 * time + 3 * v));
        x[3 * i + 1] = (float)(1 + 0.2 * sin(3 * time + 2 * u + v));
        x[3 * i + 2] = (float)(v + 0.1 * cos(5 * time + u));
    }
    if (frame == 170) {
        x[3 * CLOTH] = 3e9F;
    }
}

static void poses_of(uint64_t frame, float poses[2 * RECORD_POSE])
{
    const float rise = frame < 50 ? 0 : 0.01F * (float)(frame / 7);
    const float pose[2 * RECORD_POSE] = {1, rise, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    memcpy(poses, pose, sizeof pose);
}

static void append(struct record_take *take, uint64_t from, uint64_t to)
{
    struct fault fault;
    for (uint64_t frame = from; frame < to; frame++) {
        float x[3 * PARTICLES], poses[2 * RECORD_POSE];
        positions_of(frame, x);
        poses_of(frame, poses);
        assert_true(record_take_append(take, 1000 + frame, (uint32_t)(frame % 3), poses, x, &fault));
    }
}

static void make(const char *name, uint64_t frames)
{
    struct fault fault;
    struct record_take *take = record_take_create(in_folder(name), &scene, TOLERANCE, &fault);
    assert_non_null(take);
    append(take, 0, frames);
    record_take_close(take);
}

static struct record_take *open_take(const char *name)
{
    struct fault fault;
    struct record_take *take = record_take_open(in_folder(name), &fault);
    assert_non_null(take);
    return take;
}

// index: in the take; frame: as it was recorded.
static void assert_frame(struct record_take *take, uint64_t index, uint64_t frame)
{
    struct record_frame read;
    struct fault fault;
    float x[3 * PARTICLES], poses[2 * RECORD_POSE];
    positions_of(frame, x);
    poses_of(frame, poses);
    assert_true(record_take_read(take, index, &read, &fault));
    assert_int_equal(read.tick, 1000 + frame);
    assert_int_equal(read.substep, frame % 3);
    assert_memory_equal(read.poses, poses, sizeof poses);
    for (int i = 0; i < 3 * PARTICLES; i++) {
        assert_true(fabs((double)read.positions[i] - (double)x[i]) <= (double)TOLERANCE ||
                    read.positions[i] == x[i]);
    }
}

static size_t read_file(const char *name, unsigned char **bytes)
{
    struct stat stat_of;
    assert_int_equal(stat(in_folder(name), &stat_of), 0);
    const size_t size = (size_t)stat_of.st_size;
    FILE *file = fopen(in_folder(name), "rb");
    *bytes = malloc(size + 1);
    assert_true(file != NULL && *bytes != NULL && fread(*bytes, 1, size, file) == size);
    fclose(file);
    return size;
}

static void write_file(const char *name, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// ---------------------------------------------------------------------------------------------------------

static void test_frames_are_within_the_tolerance(void **state)
{
    (void)state;
    unsigned char *bytes;
    make("t", FRAMES);
    const size_t size = read_file("t", &bytes);
    free(bytes);
    assert_true(size < FRAMES * 12 * PARTICLES / 3);
    struct record_take *take = open_take("t");
    assert_int_equal(record_take_count(take), FRAMES);
    for (uint64_t i = 0; i < FRAMES; i++) {
        assert_frame(take, i, i);
    }
    for (uint64_t i = 0; i < 60; i++) { // forth, back, the same again
        assert_frame(take, (i / 2 * 97) % FRAMES, (i / 2 * 97) % FRAMES);
    }
    struct record_frame frame;
    struct fault fault;
    assert_false(record_take_read(take, FRAMES, &frame, &fault));
    struct record_export export = {.path = in_folder("x.npz"), .format = RECORD_NPZ};
    assert_true(record_export(take, &export, &fault));
    record_take_close(take);
    assert_false(record_tolerance_fits(0) || record_tolerance_fits(-1) || record_tolerance_fits(NAN));
}

// Killed, cut back to some frame, and gone on with: the bytes of one that was never stopped.
static void test_it_is_gone_on_with_to_the_same_bytes(void **state)
{
    (void)state;
    static const uint64_t stops[] = {0, 1, 2, 60, 127, 128, 129, 170, 171, 172, 230, 299};
    struct fault fault;
    unsigned char *whole, *bytes;
    make("t", FRAMES);
    const size_t size = read_file("t", &whole);
    for (size_t s = 0; s < sizeof stops / sizeof stops[0]; s++) {
        make("u", stops[s] < FRAMES - 1 ? stops[s] + 1 : FRAMES);
        assert_int_equal(read_file("u", &bytes) > 0, 1);
        free(bytes);
        struct record_take *take = open_take("u");
        assert_true(record_take_truncate(take, stops[s], &fault));
        if (stops[s] > 0) {
            assert_frame(take, stops[s] / 2, stops[s] / 2);
        }
        append(take, stops[s], FRAMES);
        assert_true(s > 0 || record_take_sync(take, &fault)); // slow where the disk is busy
        assert_frame(take, FRAMES - 1, FRAMES - 1);
        record_take_close(take);
        assert_int_equal(read_file("u", &bytes), size);
        assert_memory_equal(bytes, whole, size);
        free(bytes);
    }
    free(whole);
}

static void test_it_may_end_anywhere(void **state)
{
    (void)state;
    struct fault fault;
    unsigned char *bytes;
    make("t", 140);
    const size_t size = read_file("t", &bytes);
    uint64_t last = 140;
    for (size_t cut = size; cut > 0; cut = cut > 6000 ? cut - 311 : cut - 7 < cut ? cut - 7 : 0) {
        write_file("bad", bytes, cut);
        struct record_take *take = record_take_open(in_folder("bad"), &fault);
        if (take == NULL) {
            break; // within the head
        }
        const uint64_t count = record_take_count(take);
        assert_true(count <= last);
        last = count;
        if (count > 0) {
            assert_frame(take, count - 1, count - 1);
        }
        append(take, count, count + 2);
        assert_frame(take, count + 1, count + 1);
        record_take_close(take);
        take = open_take("bad");
        assert_int_equal(record_take_count(take), count + 2);
        record_take_close(take);
    }
    assert_int_equal(last, 0);
    free(bytes);
}

struct gaps {
    bool is_lost[FRAMES];
    uint32_t count;
};

static void on_gap(void *context, const struct record_gap *gap)
{
    struct gaps *gaps = context;
    assert_true(gap->first <= gap->last && gap->last < FRAMES);
    assert_true(gap->first == 0 || gap->tick_before == 1000 + gap->first - 1);
    assert_true(gap->tick_after == 0 || gap->tick_after == 1000 + gap->last + 1);
    gaps->count++;
    for (uint64_t frame = gap->first; frame <= gap->last; frame++) {
        gaps->is_lost[frame] = true;
    }
}

// Wherever bytes are damaged, what is left is right and the rest is told; of one place it is a group at most.
static void test_damage_is_found_and_told(void **state)
{
    (void)state;
    struct fault fault;
    unsigned char *bytes;
    make("t", FRAMES);
    make("u", 0);
    const size_t size = read_file("t", &bytes);
    struct stat stat_of;
    assert_int_equal(stat(in_folder("u"), &stat_of), 0);
    const size_t head = (size_t)stat_of.st_size; // of a take without frames
    uint32_t found = 0;
    for (size_t at = head; at < size; at += 397) {
        struct gaps gaps = {0};
        bytes[at] ^= 0x10;
        write_file("bad", bytes, size);
        bytes[at] ^= 0x10;
        struct record_take *take = open_take("bad");
        assert_true(record_take_check(take, on_gap, &gaps, &fault));
        uint64_t index = 0, lost = 0;
        for (uint64_t frame = 0; frame < FRAMES; frame++) {
            lost += gaps.is_lost[frame];
            if (!gaps.is_lost[frame] && (frame % 17 == 0 || frame + 1 == FRAMES ||
                                         gaps.is_lost[frame + 1 < FRAMES ? frame + 1 : frame])) {
                assert_frame(take, index, frame);
            }
            index += !gaps.is_lost[frame];
        }
        assert_true(index == record_take_count(take) && gaps.count <= 1 && lost <= 128);
        found += lost > 0;
        record_take_close(take);
    }
    assert_true(found > 50);
    free(bytes);
}

// Two groups gone, their marks as well, and no index: what is behind is found.
static void test_records_are_found_behind_damage(void **state)
{
    (void)state;
    struct fault fault;
    struct gaps gaps = {0};
    unsigned char *bytes;
    make("t", FRAMES);
    const size_t size = read_file("t", &bytes), end = size - 32 - (size_t)24 * FRAMES;
    memset(bytes + end / 10, 0x8F, end / 2); // the first byte of a mark
    write_file("bad", bytes, end);
    struct record_take *take = open_take("bad");
    assert_true(record_take_check(take, on_gap, &gaps, &fault));
    const uint64_t count = record_take_count(take);
    assert_true(count > 50 && count < FRAMES - 128);
    assert_frame(take, count - 1, FRAMES - 1);
    assert_true(gaps.is_lost[100] && !gaps.is_lost[FRAMES - 1] && !gaps.is_lost[0]);
    // Numbers go on where they were.
    append(take, FRAMES, FRAMES + 2);
    assert_frame(take, count + 1, FRAMES + 1);
    record_take_close(take);
    take = open_take("bad");
    assert_frame(take, count + 1, FRAMES + 1);
    record_take_close(take);
    free(bytes);
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

// Anything may stand in a file: what can be read is read, and nothing else happens.
static void test_no_byte_is_trusted(void **state)
{
    (void)state;
    struct fault fault;
    unsigned char *bytes, *bad;
    uint64_t random = 1;
    make("t", 12);
    const size_t size = read_file("t", &bytes);
    bad = malloc(size);
    assert_non_null(bad);
    for (int round = 0; round < 1500; round++) {
        memcpy(bad, bytes, size);
        for (uint64_t n = 1 + random_next(&random) % 4; n > 0; n--) {
            bad[random_next(&random) % (round % 2 == 0 ? size : 400)] = (unsigned char)random_next(&random);
        }
        if (round % 3 == 0) { // places and sizes of the index
            bad[size - 1 - random_next(&random) % (32 + 12 * 24)] ^= (unsigned char)random_next(&random);
        }
        write_file("bad", bad, size);
        struct record_take *take = record_take_open(in_folder("bad"), &fault);
        struct record_frame frame;
        for (uint64_t i = 0; take != NULL && i < record_take_count(take); i++) {
            record_take_read(take, i, &frame, &fault);
        }
        record_take_close(take);
    }
    free(bad);
    free(bytes);
}

int main(void)
{
    make_triangles();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_are_within_the_tolerance, setup, teardown),
        cmocka_unit_test_setup_teardown(test_it_is_gone_on_with_to_the_same_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_it_may_end_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damage_is_found_and_told, setup, teardown),
        cmocka_unit_test_setup_teardown(test_records_are_found_behind_damage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_byte_is_trusted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
