// The rasteriser: what a triangle covers, what is nearer, and that no coordinates do harm.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "raster.h"

static struct cli_corner corner(float x, float y, float nearness)
{
    return (struct cli_corner){.x = x, .y = y, .nearness = nearness, .normal = {0, 0, 1}};
}

static void triangle(struct cli_raster *raster, struct cli_corner a, struct cli_corner b, struct cli_corner c,
                     uint16_t material)
{
    const struct cli_corner corners[3] = {a, b, c};
    cli_raster_triangle(raster, corners, material);
}

static int covered(const struct cli_raster *raster, int x, int y)
{
    return raster->nearness[y * raster->width + x] > 0;
}

static void a_triangle_covers_the_samples_inside_and_no_others(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 10, 10, true));
    // Both windings: the legs lie on x = 1 and y = 1, the long side on x + y = 9.
    for (int turn = 0; turn < 2; turn++) {
        cli_raster_clear(&raster);
        const struct cli_corner a = corner(1, 1, 1), b = corner(8, 1, 1), c = corner(1, 8, 1);
        triangle(&raster, a, turn ? c : b, turn ? b : c, 5);
        for (int y = 0; y < 10; y++) {
            for (int x = 0; x < 10; x++) {
                const bool inside = x >= 1 && y >= 1 && x + y < 8;
                const bool on_edge = x >= 1 && y >= 1 && x + y == 8;
                if (!on_edge) {
                    assert_int_equal(covered(&raster, x, y), inside);
                }
                if (inside) {
                    assert_int_equal(raster.surfaces[y * 10 + x].material, 5);
                }
            }
        }
    }
    cli_raster_deinit(&raster);
}

// A fan around a point: every sample of the square belongs to exactly one triangle.
static void samples_on_shared_edges_belong_to_one_triangle(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    static int counts[16 * 16];
    assert_true(cli_raster_init(&raster, 16, 16, true));
    const float rim[8][2] = {{0, 0}, {8, 0}, {16, 0}, {16, 8}, {16, 16}, {8, 16}, {0, 16}, {0, 8}};
    // The middle on a sample's centre is the hardest place.
    const float middles[4][2] = {{8, 8}, {7.5f, 8.5f}, {3.1f, 11.7f}, {8.5f, 4}};
    for (int m = 0; m < 4; m++) {
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < 8; i++) {
            cli_raster_clear(&raster);
            const float *p = rim[i], *q = rim[(i + 1) % 8];
            const struct cli_corner center = corner(middles[m][0], middles[m][1], 1);
            if (i % 2) {
                triangle(&raster, center, corner(p[0], p[1], 1), corner(q[0], q[1], 1), 1);
            } else {
                triangle(&raster, corner(q[0], q[1], 1), corner(p[0], p[1], 1), center, 1);
            }
            for (int at = 0; at < 16 * 16; at++) {
                counts[at] += raster.nearness[at] > 0;
            }
        }
        for (int at = 0; at < 16 * 16; at++) {
            assert_int_equal(counts[at], 1);
        }
    }
    cli_raster_deinit(&raster);
}

static void the_nearer_wins_in_either_order(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 8, 8, true));
    for (int order = 0; order < 2; order++) {
        cli_raster_clear(&raster);
        for (int i = 0; i < 2; i++) {
            const bool near_one = i == order;
            const float nearness = near_one ? 0.5f : 0.25f;
            triangle(&raster, corner(0, 0, nearness), corner(16, 0, nearness), corner(0, 16, nearness),
                     near_one ? 2 : 1);
        }
        assert_int_equal(raster.surfaces[3 * 8 + 3].material, 2);
        assert_true(fabsf(raster.nearness[3 * 8 + 3] - 0.5f) < 1e-6f);
    }
    // Two that cross: each is seen where it is nearer.
    cli_raster_clear(&raster);
    triangle(&raster, corner(0, 0, 1), corner(8, 0, 0.1f), corner(0, 16, 1), 1);
    triangle(&raster, corner(0, 0, 0.1f), corner(8, 0, 1), corner(0, 16, 0.1f), 2);
    assert_int_equal(raster.surfaces[0].material, 1);
    assert_int_equal(raster.surfaces[5].material, 2);
    cli_raster_deinit(&raster);
}

static void attributes_follow_perspective(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 101, 3, true));
    // From depth 1 at the left to depth 3 at the right; the middle of the screen is at depth 1.5, a quarter
    // on.
    struct cli_corner a = corner(0, -50, 1), b = corner(101, 1.5f, 1.0f / 3), c = corner(0, 53, 1);
    b.u = 1;
    triangle(&raster, a, b, c, 1);
    const size_t middle = 101 + 50;
    assert_true(fabsf(1 / raster.nearness[middle] - 1.5f) < 0.01f);
    assert_true(fabsf(raster.surfaces[middle].u - 0.25f) < 0.01f);
    cli_raster_deinit(&raster);
}

static void coordinates_that_make_no_sense_draw_nothing(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 8, 8, true));
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        triangle(&raster, corner(bad[i], 0, 1), corner(8, 0, 1), corner(0, 8, 1), 1);
        triangle(&raster, corner(0, 0, 1), corner(8, bad[i], 1), corner(0, 8, 1), 1);
    }
    triangle(&raster, corner(0, 0, NAN), corner(8, 0, 1), corner(0, 8, 1), 1);
    triangle(&raster, corner(0, 0, -1), corner(8, 0, 1), corner(0, 8, 1), 1);
    triangle(&raster, corner(4, 4, 1), corner(4, 4, 1), corner(4, 4, 1), 1);
    triangle(&raster, corner(0, 0, 1), corner(4, 4, 1), corner(8, 8, 1), 1);
    for (int at = 0; at < 64; at++) {
        assert_true(raster.nearness[at] == 0);
    }
    // Far outside, but crossing the picture.
    triangle(&raster, corner(-9e5f, -9e5f, 1), corner(9e5f, -9e5f, 1), corner(0, 9e5f, 1), 1);
    for (int at = 0; at < 64; at++) {
        assert_true(raster.nearness[at] > 0);
    }
    assert_false(cli_raster_init(&raster, 0, 8, true));
    assert_false(cli_raster_init(&raster, 8, 100000, true));
    assert_int_equal(raster.width, 8);
    cli_raster_deinit(&raster);
}

static struct cli_camera camera_of(const struct cli_raster *raster)
{
    return cli_camera_orbit((struct vec3){0, 0, 0}, 4, 0, 0, 1, raster->width, raster->height);
}

static void the_camera_keeps_right_and_up(void **state)
{
    (void)state;
    struct cli_raster raster = {.width = 40, .height = 20};
    const struct cli_camera camera = camera_of(&raster);
    struct cli_corner at;
    assert_true(cli_camera_project(&camera, (struct vec3){0, 0, 0}, &at));
    assert_true(fabsf(at.x - 20) < 1e-3f && fabsf(at.y - 10) < 1e-3f && fabsf(at.nearness - 0.25f) < 1e-5f);
    assert_true(cli_camera_project(&camera, (struct vec3){0.5f, 0.25f, 0}, &at));
    assert_true(at.x > 20 && at.y < 10);
    assert_false(cli_camera_project(&camera, (struct vec3){0, 0, 5}, &at));
    assert_false(cli_camera_project(&camera, (struct vec3){0, NAN, NAN}, &at));
    // There and back.
    const struct vec3 point = {0.3f, -0.2f, 0.4f};
    assert_true(cli_camera_project(&camera, point, &at));
    const struct vec3 back = cli_camera_point(&camera, at.x, at.y, at.nearness);
    assert_true(vec3_length(vec3_sub(back, point)) < 1e-4f);
}

static void what_crosses_the_near_plane_is_cut(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 40, 40, true));
    const struct cli_camera camera = camera_of(&raster);
    // A floor that runs from far away to behind the eye.
    const struct cli_vertex floor_[3] = {
        {.position = {-50, -1, -50}}, {.position = {50, -1, -50}}, {.position = {0, -1, 50}}};
    cli_raster_draw(&raster, &camera, floor_, 1);
    assert_true(covered(&raster, 20, 39));
    assert_true(covered(&raster, 20, 30));
    assert_false(covered(&raster, 20, 5));
    // Wholly behind.
    cli_raster_clear(&raster);
    const struct cli_vertex behind[3] = {
        {.position = {-1, -1, 9}}, {.position = {1, -1, 9}}, {.position = {0, 1, 9}}};
    cli_raster_draw(&raster, &camera, behind, 1);
    for (int at = 0; at < 1600; at++) {
        assert_true(raster.nearness[at] == 0);
    }
    cli_raster_deinit(&raster);
}

static void a_sphere_is_round_and_hides_what_is_behind(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 64, 64, true));
    const struct cli_camera camera = camera_of(&raster);
    const struct cli_vertex wall[3] = {
        {.position = {-9, -9, -2}}, {.position = {9, -9, -2}}, {.position = {0, 9, -2}}};
    cli_raster_draw(&raster, &camera, wall, 1);
    cli_raster_sphere(&raster, &camera, (struct vec3){0, 0, 0}, 1, 2);
    int count = 0;
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            const bool is_sphere = raster.surfaces[y * 64 + x].material == 2;
            count += is_sphere;
            // The outline of a ball of radius 1 at distance 4: tan = 1 / sqrt(15).
            const float radius = camera.focal / sqrtf(15),
                        away = hypotf((float)x + 0.5f - 32, (float)y + 0.5f - 32);
            if (fabsf(away - radius) > 1) {
                assert_int_equal(is_sphere, away < radius);
            }
        }
    }
    assert_true(count > 200);
    const struct cli_surface *front = &raster.surfaces[32 * 64 + 32];
    assert_true(fabsf(1 / raster.nearness[32 * 64 + 32] - 3) < 0.01f);
    assert_true(front->normal.z > 0.99f);
    cli_raster_deinit(&raster);
}

static void a_plane_reaches_to_the_horizon(void **state)
{
    (void)state;
    struct cli_raster raster = {0};
    assert_true(cli_raster_init(&raster, 20, 20, true));
    const struct cli_camera camera = camera_of(&raster);
    cli_raster_plane(&raster, &camera, (struct vec3){0, -1, 0}, (struct vec3){0, 1, 0}, 3);
    for (int y = 0; y < 20; y++) {
        assert_int_equal(covered(&raster, 10, y), y >= 10);
    }
    cli_raster_deinit(&raster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_covers_the_samples_inside_and_no_others),
        cmocka_unit_test(samples_on_shared_edges_belong_to_one_triangle),
        cmocka_unit_test(the_nearer_wins_in_either_order),
        cmocka_unit_test(attributes_follow_perspective),
        cmocka_unit_test(coordinates_that_make_no_sense_draw_nothing),
        cmocka_unit_test(the_camera_keeps_right_and_up),
        cmocka_unit_test(what_crosses_the_near_plane_is_cut),
        cmocka_unit_test(a_sphere_is_round_and_hides_what_is_behind),
        cmocka_unit_test(a_plane_reaches_to_the_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
