// Positions in 16 bits of their box.
#include "helper_motion.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 50 };

static void the_error_is_within_what_is_told(void **state)
{
    (void)state;
    uint64_t random = 3;
    float in[3 * COUNT], out[3 * COUNT], error[3];
    uint8_t bytes[12 * COUNT + 44];
    for (int round = 0; round < 2000; round++) {
        double extent = ldexp(1, round % 200 - 125), origin = extent * ldexp(1, round % 31 - 5);
        for (int i = 0; i < 3 * COUNT; i++) {
            in[i] = (float)(origin + extent * motion_fraction(&random));
        }
        size_t size = codec_q16_encode(in, COUNT, bytes);
        assert_int_equal(size, 44 + 6 * COUNT);
        codec_q16_error(bytes, error);
        assert_int_equal(codec_q16_decode(bytes, size, COUNT, out), CODEC_OK);
        for (int i = 0; i < 3 * COUNT; i++) {
            assert_true(fabs((double)out[i] - (double)in[i]) <= (double)error[i % 3]);
            // The bound is of use: half a step, and what floats add.
            assert_true((double)error[i % 3] <=
                        extent / 65535 / 2 * 1.001 + (extent + origin) * 1.3e-7 + 1e-44);
        }
    }
}

static void a_flat_box_has_no_error(void **state)
{
    (void)state;
    float in[3 * COUNT], out[3 * COUNT], error[3];
    uint8_t bytes[12 * COUNT + 44];
    for (int i = 0; i < 3 * COUNT; i++) {
        in[i] = i % 3 == 1 ? (float)i : 0.3F;
    }
    size_t size = codec_q16_encode(in, COUNT, bytes);
    assert_int_equal(codec_q16_decode(bytes, size, COUNT, out), CODEC_OK);
    codec_q16_error(bytes, error);
    assert_true(error[0] == 0 && error[1] > 0 && error[2] == 0);
    for (int i = 0; i < COUNT; i++) {
        assert_true(out[3 * i] == 0.3F && out[3 * i + 2] == 0.3F);
    }
}

static void what_has_no_box_comes_as_it_is(void **state)
{
    (void)state;
    const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
    float in[3 * COUNT] = {0}, out[3 * COUNT], error[3];
    uint8_t bytes[12 * COUNT + 44];
    assert_true(sizeof bytes >= codec_q16_bound(COUNT));
    for (int i = 0; i < 4; i++) {
        in[5] = odd[i];
        size_t size = codec_q16_encode(in, COUNT, bytes);
        assert_int_equal(codec_q16_decode(bytes, size, COUNT, out), CODEC_OK);
        assert_memory_equal(in, out, sizeof in);
        codec_q16_error(bytes, error);
        assert_true(error[0] == 0 && error[1] == 0 && error[2] == 0);
    }
    size_t size = codec_q16_encode(NULL, 0, bytes);
    assert_int_equal(codec_q16_decode(bytes, size, 0, NULL), CODEC_OK);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    float in[3 * COUNT], out[3 * COUNT];
    uint8_t bytes[12 * COUNT + 44], bad[12 * COUNT + 45] = {0};
    for (int i = 0; i < 3 * COUNT; i++) {
        in[i] = (float)i;
    }
    size_t size = codec_q16_encode(in, COUNT, bytes);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, bytes, cut);
        assert_int_equal(codec_q16_decode(copy, cut, COUNT, out), CODEC_INVALID);
        free(copy);
    }
    memcpy(bad, bytes, size);
    assert_int_equal(codec_q16_decode(bad, size + 1, COUNT, out), CODEC_INVALID);
    assert_int_equal(codec_q16_decode(bad, size, COUNT - 1, out), CODEC_INVALID);
    const float numbers[] = {NAN, INFINITY, -1, FLT_MAX};
    for (int i = 0; i < 4; i++) {
        memcpy(bad, bytes, size);
        memcpy(bad + 8 + 12, &numbers[i], sizeof(float)); // a step
        assert_int_equal(codec_q16_decode(bad, size, COUNT, out), CODEC_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_within_what_is_told),
        cmocka_unit_test(a_flat_box_has_no_error),
        cmocka_unit_test(what_has_no_box_comes_as_it_is),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
