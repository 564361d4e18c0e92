// The faces that are drawn of a soft body.
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static const struct vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

static void a_tetrahedron_shows_four_faces_outwards_however_it_is_wound(void **state)
{
    (void)state;
    static const uint32_t wound[2][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}};
    for (int i = 0; i < 2; i++) {
        uint32_t *triangles, count;
        assert_true(cli_surface(wound[i], 1, corners, &triangles, &count));
        assert_int_equal(count, 4);
        const struct vec3 middle = {0.25f, 0.25f, 0.25f};
        for (uint32_t t = 0; t < count; t++) {
            const struct vec3 a = corners[triangles[3 * t]];
            const struct vec3 normal = vec3_cross(vec3_sub(corners[triangles[3 * t + 1]], a),
                                                  vec3_sub(corners[triangles[3 * t + 2]], a));
            assert_true(vec3_dot(normal, vec3_sub(a, middle)) > 0);
        }
        free(triangles);
    }
}

static void a_face_that_two_tetrahedra_share_is_not_shown(void **state)
{
    (void)state;
    static const uint32_t tets[] = {0, 1, 2, 3, 4, 3, 1, 2};
    uint32_t *triangles, count;
    assert_true(cli_surface(tets, 2, corners, &triangles, &count));
    assert_int_equal(count, 6);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t bits = 0;
        for (int i = 0; i < 3; i++) {
            bits |= 1u << triangles[3 * t + i];
        }
        assert_int_not_equal(bits, 0x0e); // corners 1, 2, 3
    }
    free(triangles);
}

static void without_tetrahedra_there_is_nothing_to_show(void **state)
{
    (void)state;
    uint32_t *triangles, count = 7;
    assert_true(cli_surface(NULL, 0, corners, &triangles, &count));
    assert_int_equal(count, 0);
    free(triangles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tetrahedron_shows_four_faces_outwards_however_it_is_wound),
        cmocka_unit_test(a_face_that_two_tetrahedra_share_is_not_shown),
        cmocka_unit_test(without_tetrahedra_there_is_nothing_to_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
