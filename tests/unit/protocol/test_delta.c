// Positions as changes on a grid.
#include "helper_motion.h"

#include "protocol/codec/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RAW, KEY, NEXT, STILL };

// The same functions without AVX2, and without lanes at all.
struct codec_encoder *codec_baseline_encoder_create(const struct codec_plan *plan);
struct codec_encoder *codec_scalar_encoder_create(const struct codec_plan *plan);
void codec_baseline_encoder_destroy(struct codec_encoder *encoder);
void codec_scalar_encoder_destroy(struct codec_encoder *encoder);
size_t codec_baseline_delta_encode(struct codec_encoder *encoder, const float *positions, uint64_t moment,
                                   float tolerance, uint8_t *out);
size_t codec_scalar_delta_encode(struct codec_encoder *encoder, const float *positions, uint64_t moment,
                                 float tolerance, uint8_t *out);
struct codec_decoder *codec_baseline_decoder_create(const struct codec_plan *plan);
struct codec_decoder *codec_scalar_decoder_create(const struct codec_plan *plan);
void codec_baseline_decoder_destroy(struct codec_decoder *decoder);
void codec_scalar_decoder_destroy(struct codec_decoder *decoder);
enum codec_status codec_baseline_delta_decode(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                              float *out);
enum codec_status codec_scalar_delta_decode(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                            float *out);

// A motion, its encoder, its decoder, and room for both.
struct line {
    struct motion motion;
    struct codec_plan *plan;
    struct codec_encoder *encoder;
    struct codec_decoder *decoder;
    uint8_t *bytes;
    size_t size;
    float *out;
    uint64_t moment;
    float tolerance;
};

static void line_init(struct line *line, enum motion_mesh mesh, uint32_t width)
{
    *line = (struct line){.tolerance = 1e-4F};
    motion_init(&line->motion, mesh, width, 77 + width);
    line->plan = motion_plan(&line->motion);
    line->encoder = codec_encoder_create(line->plan);
    line->decoder = codec_decoder_create(line->plan);
    line->bytes = malloc(codec_delta_bound(line->motion.count));
    line->out = malloc((3 * (size_t)line->motion.count + 1) * sizeof *line->out);
    assert_true(line->encoder != NULL && line->decoder != NULL && line->bytes != NULL && line->out != NULL);
}

static void line_deinit(struct line *line)
{
    free(line->out);
    free(line->bytes);
    codec_decoder_destroy(line->decoder);
    codec_encoder_destroy(line->encoder);
    codec_plan_destroy(line->plan);
    motion_deinit(&line->motion);
}

static int line_encode(struct line *line)
{
    line->size = codec_delta_encode(line->encoder, line->motion.positions, ++line->moment, line->tolerance,
                                    line->bytes);
    assert_in_range(line->size, 1, codec_delta_bound(line->motion.count));
    return line->bytes[0];
}

// A copy of just the size, so that a sanitizer sees who reads past its end.
static enum codec_status decode_copy(struct codec_decoder *decoder, const uint8_t *bytes, size_t size,
                                     float *out)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    enum codec_status status = codec_delta_decode(decoder, copy, size, out);
    free(copy);
    return status;
}

static void line_decode(struct line *line)
{
    assert_int_equal(decode_copy(line->decoder, line->bytes, line->size, line->out), CODEC_OK);
}

static double line_error(const struct line *line)
{
    double worst = 0;
    for (size_t i = 0; i < 3 * (size_t)line->motion.count; i++) {
        double error = fabs((double)line->out[i] - (double)line->motion.positions[i]);
        worst = error > worst ? error : worst;
    }
    return worst;
}

static void every_mesh_keeps_the_tolerance(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < MOTION_MESHES; mesh++) {
        for (uint32_t width = 1; width < 20; width += width < 4 ? 1 : 5) {
            struct line line;
            line_init(&line, (enum motion_mesh)mesh, width);
            for (int frame = 0; frame < 12; frame++) {
                motion_step(&line.motion, 1.0 / 60, 0);
                int kind = line_encode(&line); // of few vertices positions as they are take less
                assert_true(kind == (frame == 0 ? KEY : NEXT) || (kind == RAW && width < 5));
                line_decode(&line);
                assert_true(line_error(&line) <= (double)line.tolerance);
            }
            line_deinit(&line);
        }
    }
}

static void the_error_does_not_grow_over_a_thousand_frames(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 12);
    size_t total = 0;
    for (int frame = 0; frame < 1000; frame++) {
        motion_step(&line.motion, 1.0 / 1200, 1);
        assert_int_equal(line_encode(&line), frame == 0 ? KEY : NEXT);
        total += line.size;
        line_decode(&line);
        assert_true(line_error(&line) <= (double)line.tolerance);
    }
    assert_true(total < 1000 * 144 * 2); // two bytes a vertex
    line_deinit(&line);
}

// Coordinates from far below the tolerance to where floats are coarser than it.
static void the_tolerance_holds_wherever_floats_are(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_POINTS, 16);
    bool was[STILL + 1] = {false};
    for (int round = 0; round < 3000; round++) {
        float tolerance = ldexpf((float)(1 + motion_fraction(&line.motion.random)), round % 40 - 24);
        double scale = ldexp((double)tolerance, (int)(motion_random(&line.motion.random) % 36));
        line.tolerance = tolerance;
        for (size_t i = 0; i < 3 * (size_t)line.motion.count; i++) {
            line.motion.positions[i] = (float)(scale * (2 * motion_fraction(&line.motion.random) - 1));
        }
        was[line_encode(&line)] = true;
        line_decode(&line);
        assert_true(line_error(&line) <= (double)tolerance);
    }
    assert_true(was[RAW] && was[KEY]);
    line_deinit(&line);
}

static void what_is_not_finite_comes_as_it_is(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 8);
    motion_step(&line.motion, 0.1, 0);
    assert_int_equal(line_encode(&line), KEY);
    line_decode(&line);
    const float odd[] = {NAN, INFINITY, -INFINITY, 3e38F};
    for (int i = 0; i < 4; i++) {
        line.motion.positions[7] = odd[i];
        assert_int_equal(line_encode(&line), RAW);
        line_decode(&line);
        assert_memory_equal(line.out, line.motion.positions, 3 * 64 * sizeof *line.out);
        assert_int_equal(codec_delta_key(line.encoder, line.bytes), 0);
    }
    motion_step(&line.motion, 0.1, 0);
    assert_int_equal(line_encode(&line), KEY);
    line_decode(&line);
    assert_true(line_error(&line) <= 1e-4);
    line_deinit(&line);
}

static void what_does_not_move_takes_a_few_bytes(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 30);
    motion_step(&line.motion, 0.1, 0);
    line_encode(&line);
    line_decode(&line);
    for (int frame = 0; frame < 3; frame++) {
        assert_int_equal(line_encode(&line), STILL);
        assert_true(line.size <= 8);
        memset(line.out, 0, 3 * 900 * sizeof *line.out);
        line_decode(&line);
        assert_true(line_error(&line) <= 1e-4);
    }
    motion_step(&line.motion, 0.1, 0);
    assert_int_equal(line_encode(&line), NEXT);
    line_decode(&line);
    assert_true(line_error(&line) <= 1e-4);
    line_deinit(&line);
}

static bool is_unchanged(const struct line *line)
{
    return codec_delta_unchanged(line->encoder, line->motion.positions, line->tolerance);
}

// Chunks that would say nothing may be left out, also behind one of motion: the next builds on the last that was made.
static void what_is_unchanged_may_be_left_out(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 30);
    motion_step(&line.motion, 0.1, 0);
    assert_false(is_unchanged(&line)); // nothing was sent yet
    for (int frame = 0; frame < 3; frame++) {
        line_encode(&line);
        line_decode(&line);
        float *at = &line.motion.positions[3 * 17 + 1], was = *at;
        assert_true(is_unchanged(&line));
        *at = was + 3e-4F;
        assert_false(is_unchanged(&line));
        *at = NAN;
        assert_false(is_unchanged(&line));
        *at = 1e30F;
        assert_false(is_unchanged(&line));
        *at = was;
        assert_true(is_unchanged(&line));
        assert_false(codec_delta_unchanged(line.encoder, line.motion.positions, 2e-4F));
        line.moment += 5; // of frames that left it out
        motion_step(&line.motion, 0.1, 0);
        assert_false(is_unchanged(&line));
    }
    assert_int_equal(line_encode(&line), NEXT);
    line_decode(&line);
    assert_true(line_error(&line) <= 1e-4);
    codec_encoder_forget(line.encoder);
    assert_false(is_unchanged(&line));
    line.motion.positions[5] = NAN; // it comes as it is
    assert_int_equal(line_encode(&line), RAW);
    assert_true(is_unchanged(&line));
    line.motion.positions[6] += 1e-5F;
    assert_false(is_unchanged(&line));
    line.motion.positions[6] = line.motion.positions[5] = 0;
    assert_int_equal(line_encode(&line), KEY);
    assert_true(is_unchanged(&line));
    line_deinit(&line);
}

static void a_new_grid_needs_a_key(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 10);
    const double origins[] = {0, 0, 6, 6, 0, 300};
    const int kinds[] = {KEY, NEXT, KEY, NEXT, NEXT, KEY};
    for (int frame = 0; frame < 6; frame++) {
        motion_step(&line.motion, 0.01, origins[frame]);
        assert_int_equal(line_encode(&line), kinds[frame]);
        line_decode(&line);
        assert_true(line_error(&line) <= 1e-4);
    }
    line.tolerance = 2e-4F;
    assert_int_equal(line_encode(&line), KEY);
    line_deinit(&line);
}

static void who_comes_later_sees_the_same(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 14);
    struct codec_decoder *late = codec_decoder_create(line.plan);
    float *seen = malloc(3 * 196 * sizeof *seen);
    uint8_t *key = malloc(codec_delta_bound(196));
    assert_true(late != NULL && seen != NULL && key != NULL);
    uint64_t moment;
    for (int frame = 0; frame < 40; frame++) {
        motion_step(&line.motion, 1.0 / 60, 0);
        line_encode(&line);
        line_decode(&line);
        if (frame % 9 == 4) {
            size_t size = codec_delta_key(line.encoder, key);
            assert_int_equal(key[0], KEY);
            assert_int_equal(decode_copy(late, key, size, seen), CODEC_OK);
        } else if (frame > 4 && frame % 9 != 3) {
            assert_int_equal(decode_copy(late, line.bytes, line.size, seen), CODEC_OK);
        } else { // not there yet, or one is lost
            continue;
        }
        assert_true(codec_delta_moment(late, &moment) && moment == line.moment);
        assert_memory_equal(seen, line.out, 3 * 196 * sizeof *seen);
    }
    free(key);
    free(seen);
    codec_decoder_destroy(late);
    line_deinit(&line);
}

// A few points that fly apart: at last how far they moved takes less than floats, and where they are takes more.
static void where_no_key_is_to_be_had_the_next_stands_alone(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_POINTS, 3);
    uint8_t *key = malloc(codec_delta_bound(9));
    float way[3 * 9];
    bool was = false;
    assert_non_null(key);
    for (int i = 0; i < 3 * 9; i++) {
        way[i] = (float)(2 * motion_fraction(&line.motion.random) - 1);
    }
    for (double scale = 1; scale < 1e5; scale *= 1.01) {
        for (int i = 0; i < 3 * 9; i++) {
            line.motion.positions[i] = (float)(scale * (double)way[i]);
        }
        int kind = line_encode(&line);
        line_decode(&line);
        assert_true(line_error(&line) <= 1e-4);
        if (codec_delta_key(line.encoder, key) == 0 && kind == NEXT) {
            was = true;
            line.motion.positions[0] += 1;
            kind = line_encode(&line);
            assert_true(kind == KEY || kind == RAW);
            line_decode(&line);
        }
    }
    assert_true(was);
    free(key);
    line_deinit(&line);
}

static void a_moment_that_is_not_held_is_refused(void **state)
{
    (void)state;
    struct line line;
    uint64_t moment;
    line_init(&line, MOTION_CLOTH, 10);
    motion_step(&line.motion, 0.01, 0);
    line_encode(&line);
    motion_step(&line.motion, 0.01, 0);
    line_encode(&line); // moment 2
    assert_int_equal(codec_delta_decode(line.decoder, line.bytes, line.size, line.out), CODEC_BASE);
    line.size = codec_delta_key(line.encoder, line.bytes);
    line_decode(&line);
    uint8_t third[2000];
    motion_step(&line.motion, 0.01, 0);
    line_encode(&line);
    assert_true(line.size <= sizeof third);
    memcpy(third, line.bytes, line.size);
    size_t third_size = line.size;
    motion_step(&line.motion, 0.01, 0);
    line_encode(&line);
    assert_int_equal(codec_delta_decode(line.decoder, line.bytes, line.size, line.out), CODEC_BASE);
    // It still holds the second.
    assert_true(codec_delta_moment(line.decoder, &moment) && moment == 2);
    assert_int_equal(codec_delta_decode(line.decoder, third, third_size, line.out), CODEC_OK);
    line_decode(&line);
    assert_true(line_error(&line) <= 1e-4);
    line_deinit(&line);
}

static void what_is_cut_or_longer_is_refused(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 7);
    motion_step(&line.motion, 0.01, 0);
    line_encode(&line);
    for (size_t size = 0; size < line.size; size++) {
        assert_int_equal(decode_copy(line.decoder, line.bytes, size, line.out), CODEC_INVALID);
    }
    uint8_t longer[4000] = {0};
    assert_true(line.size + 4 <= sizeof longer);
    memcpy(longer, line.bytes, line.size);
    for (size_t more = 1; more <= 4; more++) {
        assert_int_equal(decode_copy(line.decoder, longer, line.size + more, line.out), CODEC_INVALID);
    }
    line_decode(&line);
    line_deinit(&line);
}

// Whatever a byte becomes: refused, or some positions; and then a key is taken as ever.
static void damage_is_survived(void **state)
{
    (void)state;
    struct line line;
    line_init(&line, MOTION_CLOTH, 9);
    uint8_t *good = malloc(codec_delta_bound(81));
    assert_non_null(good);
    uint32_t refused = 0, rounds = 0;
    for (int frame = 0; frame < 4; frame++) {
        motion_step(&line.motion, frame == 2 ? 0.5 : 0.01, 0);
        line_encode(&line);
        size_t size = line.size;
        memcpy(good, line.bytes, size);
        for (size_t at = 0; at < size; at++, rounds++) {
            memcpy(line.bytes, good, size);
            line.bytes[at] ^= (uint8_t)(1U << motion_random(&line.motion.random) % 8);
            refused += decode_copy(line.decoder, line.bytes, size, line.out) != CODEC_OK;
            line.size = codec_delta_key(line.encoder, line.bytes);
            line_decode(&line);
            assert_true(line_error(&line) <= 1e-4);
        }
    }
    assert_true(refused > rounds / 2);
    free(good);
    line_deinit(&line);
}

static void all_instruction_sets_give_the_same_bytes(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < MOTION_MESHES; mesh++) {
        struct line line;
        line_init(&line, (enum motion_mesh)mesh, 17);
        size_t bound = codec_delta_bound(289), out_size = 3 * 289 * sizeof(float);
        struct codec_encoder *baseline = codec_baseline_encoder_create(line.plan);
        struct codec_encoder *scalar = codec_scalar_encoder_create(line.plan);
        struct codec_decoder *baseline_back = codec_baseline_decoder_create(line.plan);
        struct codec_decoder *scalar_back = codec_scalar_decoder_create(line.plan);
        uint8_t *bytes = malloc(bound);
        float *out = malloc(out_size);
        assert_true(baseline && scalar && baseline_back && scalar_back && bytes && out);
        for (int frame = 0; frame < 30; frame++) {
            // Every seventh jumps, with changes that wrap around where they are predicted.
            motion_step(&line.motion, 1.0 / 60, frame % 7 == 6 ? 400 : 0);
            for (uint32_t i = 0; frame > 20 && i < 3 * 289; i++) {
                line.motion.positions[i] *= (float)(motion_random(&line.motion.random) % 1000);
            }
            line_encode(&line);
            line_decode(&line);
            assert_int_equal(
                codec_baseline_delta_encode(baseline, line.motion.positions, line.moment, 1e-4F, bytes),
                line.size);
            assert_memory_equal(bytes, line.bytes, line.size);
            assert_int_equal(
                codec_scalar_delta_encode(scalar, line.motion.positions, line.moment, 1e-4F, bytes),
                line.size);
            assert_memory_equal(bytes, line.bytes, line.size);
            assert_int_equal(codec_baseline_delta_decode(baseline_back, bytes, line.size, out), CODEC_OK);
            assert_memory_equal(out, line.out, out_size);
            assert_int_equal(codec_scalar_delta_decode(scalar_back, bytes, line.size, out), CODEC_OK);
            assert_memory_equal(out, line.out, out_size);
        }
        free(out);
        free(bytes);
        codec_scalar_decoder_destroy(scalar_back);
        codec_baseline_decoder_destroy(baseline_back);
        codec_scalar_encoder_destroy(scalar);
        codec_baseline_encoder_destroy(baseline);
        line_deinit(&line);
    }
}

static void a_plan_predicts_from_what_came_before(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < MOTION_MESHES; mesh++) {
        for (uint32_t width = 0; width < 24; width++) {
            struct motion motion;
            motion_init(&motion, (enum motion_mesh)mesh, width, 5 + width);
            struct codec_plan *plan = motion_plan(&motion);
            uint8_t *seen = calloc(motion.count + 1, 1);
            assert_non_null(seen);
            for (uint32_t level = 0, place = 0; level < plan->level_count; level++) {
                for (uint32_t begin = place; place < plan->ends[level]; place++) {
                    assert_true(plan->vertex[place] < motion.count && !seen[plan->vertex[place]]);
                    seen[plan->vertex[place]] = 1;
                    for (int i = 0; i < PLAN_FROM; i++) {
                        uint32_t from = plan->from[place][i];
                        assert_true(from < begin || (from == motion.count && place == 0));
                    }
                }
            }
            assert_int_equal(plan->level_count > 0 ? plan->ends[plan->level_count - 1] : 0, motion.count);
            free(seen);
            codec_plan_destroy(plan);
            motion_deinit(&motion);
        }
    }
}

static void plans_of_what_is_no_mesh_are_refused(void **state)
{
    (void)state;
    struct codec_plan *plan;
    const uint32_t indices[] = {0, 1, 2, 2, 1, 3};
    assert_int_equal(codec_plan_create(4, 3, indices, 2, &plan), CODEC_OK);
    codec_plan_destroy(plan);
    assert_int_equal(codec_plan_create(3, 3, indices, 2, &plan), CODEC_INVALID);
    assert_null(plan);
    assert_int_equal(codec_plan_create(0, 3, indices, 1, &plan), CODEC_INVALID);
    assert_int_equal(codec_plan_create(4, 1, indices, 2, &plan), CODEC_INVALID);
    assert_int_equal(codec_plan_create(4, 5, indices, 1, &plan), CODEC_INVALID);
    assert_int_equal(codec_plan_create(CODEC_COUNT_MAX + 1U, 3, indices, 2, &plan), CODEC_INVALID);
    assert_int_equal(codec_plan_create(4, 3, indices, (size_t)CODEC_ELEMENTS_MAX + 1, &plan), CODEC_INVALID);
    codec_plan_destroy(NULL);
}

// A hub in every triangle: looked at once for each, not once for each pair.
static void a_star_takes_no_longer_than_its_size(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    uint32_t *indices = malloc((size_t)9 * COUNT * sizeof *indices);
    struct codec_plan *plan;
    assert_non_null(indices);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        const uint32_t corners[3] = {0, i % COUNT, i % 3 == 0 ? 1 : (i + 1) % COUNT};
        memcpy(indices + 3 * (size_t)i, corners, sizeof corners);
    }
    assert_int_equal(codec_plan_create(COUNT, 3, indices, 3 * COUNT, &plan), CODEC_OK);
    codec_plan_destroy(plan);
    free(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mesh_keeps_the_tolerance),
        cmocka_unit_test(the_error_does_not_grow_over_a_thousand_frames),
        cmocka_unit_test(the_tolerance_holds_wherever_floats_are),
        cmocka_unit_test(what_is_not_finite_comes_as_it_is),
        cmocka_unit_test(what_does_not_move_takes_a_few_bytes),
        cmocka_unit_test(what_is_unchanged_may_be_left_out),
        cmocka_unit_test(a_new_grid_needs_a_key),
        cmocka_unit_test(who_comes_later_sees_the_same),
        cmocka_unit_test(where_no_key_is_to_be_had_the_next_stands_alone),
        cmocka_unit_test(a_moment_that_is_not_held_is_refused),
        cmocka_unit_test(what_is_cut_or_longer_is_refused),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(all_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(a_plan_predicts_from_what_came_before),
        cmocka_unit_test(plans_of_what_is_no_mesh_are_refused),
        cmocka_unit_test(a_star_takes_no_longer_than_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
