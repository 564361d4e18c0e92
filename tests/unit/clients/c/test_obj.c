// The OBJ reader: what it takes, and the line it names where it does not.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <weft.h>

static bool parse(const char *text, struct weft_mesh *mesh, struct weft_error *error)
{
    return weft_obj_parse("mesh.obj", text, strlen(text), mesh, error);
}

static void positions_and_triangles_come_in_order(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_true(parse("# a comment\n"
                      "mtllib x.mtl\no thing\n"
                      "v 0 0 0\nv 1 0 0 1.0\r\nv  0\t1e0 0 0.5 0.5 0.5\nvn 0 0 1\nvt 0 0\n"
                      "s off\nf 1 2 3 # corner\n",
                      &mesh, &error));
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.triangle_count, 1);
    const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    assert_memory_equal(mesh.positions, positions, sizeof positions);
    assert_memory_equal(mesh.triangles, triangle, sizeof triangle);
    weft_mesh_deinit(&mesh);
}

static void lines_end_in_each_way_and_a_mark_may_come_first(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\xef\xbb\xbfv 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3\n",
        "v 1 2 3\rv 4 5 6\rv 7 8 10\rf 1 2 3\r",
        "\xef\xbb\xbfv 1 2 3\r\nv 4 5 6\r\n\r\nv 7 8 10\r\nf 1 2 3",
        "v 1 \\\r2 3\rv 4 5 6\rv 7 8 \\\r\n10\nf 1 2 \\\n3\n",
    };
    struct weft_mesh mesh;
    struct weft_error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const double positions[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
        assert_true(parse(texts[i], &mesh, &error));
        assert_int_equal(mesh.vertex_count, 3);
        assert_int_equal(mesh.triangle_count, 1);
        assert_memory_equal(mesh.positions, positions, sizeof positions);
        weft_mesh_deinit(&mesh);
    }
    assert_false(parse("v 0 0 0\rv 1 0 0\r\nv 0 x 0\r", &mesh, &error));
    assert_non_null(strstr(error.text, "line 3"));
    assert_false(parse("\xff\xfev", &mesh, &error));
    assert_non_null(strstr(error.text, "UTF-16"));
}

static void polygons_are_cut_into_triangles(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_true(
        parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 .5 0\nf 1/1 2//2 3/3/3 4 5\n", &mesh, &error));
    const uint32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.triangles, fan, sizeof fan);
    weft_mesh_deinit(&mesh);
    // A dart whose vertices come after it, between two triangles that stay where they are.
    assert_true(parse("f 1 2 4\nf 1 2 3 4\nf 2 3 4\nv 0 0 0\nv 4 4 0\nv 0 1 0\nv -4 4 0\n", &mesh, &error));
    const uint32_t dart[12] = {0, 1, 3, 0, 1, 2, 0, 2, 3, 1, 2, 3};
    assert_int_equal(mesh.triangle_count, 4);
    assert_memory_equal(mesh.triangles, dart, sizeof dart);
    weft_mesh_deinit(&mesh);
    assert_true(parse("v 0 1 0\nv -4 4 0\nv 0 0 0\nv 4 4 0\nf 2 3 4 1\n", &mesh, &error));
    const uint32_t turned[6] = {0, 1, 2, 2, 3, 0};
    assert_int_equal(mesh.triangle_count, 2);
    assert_memory_equal(mesh.triangles, turned, sizeof turned);
    weft_mesh_deinit(&mesh);
}

static void negative_indices_count_from_the_last_vertex(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_true(parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -1 2\n", &mesh, &error));
    const uint32_t expected[6] = {0, 1, 2, 0, 3, 1};
    assert_memory_equal(mesh.triangles, expected, sizeof expected);
    weft_mesh_deinit(&mesh);
}

static void lines_continue_after_a_backslash(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_true(parse("v 0 0 \\\n 1\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n2 3", &mesh, &error));
    assert_true(mesh.positions[2] == 1);
    assert_int_equal(mesh.triangle_count, 1);
    weft_mesh_deinit(&mesh);
}

static void faces_may_come_before_their_vertices(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_true(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", &mesh, &error));
    assert_int_equal(mesh.triangle_count, 1);
    weft_mesh_deinit(&mesh);
}

static void mistakes_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *code, *expected;
    } cases[] = {
        {"v 0 0\n", "INVALID", "line 1"},
        {"v 0 0 0\nv 0 x 0\n", "INVALID", "line 2"},
        {"v 0 0 nan\n", "INVALID", "line 1"},
        {"v 0 0 inf\n", "INVALID", "line 1"},
        {"v 0 0 1e999\n", "INVALID", "line 1"},
        {"v 0 0 0\n\nf 1 1\n", "INVALID", "line 3"},
        {"v 0 0 0\nf 1 1 2\nv 0 0 0\nf 1 2 9\n# end\n", "INVALID", "line 4"},
        {"v 0 0 0\nf 0 1 1\n", "INVALID", "line 2"},
        {"v 0 0 0\nf -2 1 1\n", "INVALID", "line 2"},
        {"v 0 0 0\nf 1 1 1x\n", "INVALID", "line 2"},
        {"v 0 0 0\nf 1 1 -\n", "INVALID", "line 2"},
        {"v 0 0 0\nf 1 1 99999999999999999999999\n", "INVALID", "line 2"},
        {"v 0 0 0\nf 1.5 1 1\n", "INVALID", "line 2"},
        {"v 0 0 \\", "INVALID", "line 1"},
        {"v 0 0 00000000000000000000000000000000000000000000000000000000000000000000000000000000\n",
         "INVALID", "line 1"},
        {"", "INVALID", "empty"},
        {"# nothing\n", "INVALID", "no vertex"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct weft_mesh mesh;
        struct weft_error error;
        assert_false(parse(cases[i].text, &mesh, &error));
        assert_string_equal(error.code, cases[i].code);
        assert_non_null(strstr(error.text, cases[i].expected));
        assert_non_null(strstr(error.text, "mesh.obj"));
        assert_null(mesh.positions);
        assert_null(mesh.triangles);
    }
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    char before[128];
    snprintf(before, sizeof before, "%s", setlocale(LC_NUMERIC, NULL));
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR", "nl_NL.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof commas / sizeof *commas && !found; i++) {
        found = setlocale(LC_NUMERIC, commas[i]);
    }
    if (!found) {
        skip();
    }
    assert_true(parse("v 0.5 1.25 2\n", &mesh, &error));
    setlocale(LC_NUMERIC, before);
    assert_true(mesh.positions[0] == 0.5 && mesh.positions[1] == 1.25);
    weft_mesh_deinit(&mesh);
}

static void files_are_read_and_missing_ones_named(void **state)
{
    (void)state;
    struct weft_mesh mesh;
    struct weft_error error;
    assert_false(weft_obj_read("/nowhere/mesh.obj", &mesh, &error));
    assert_string_equal(error.code, "FILE");
    assert_non_null(strstr(error.text, "/nowhere/mesh.obj"));
    assert_false(weft_obj_read("/", &mesh, &error));
    assert_string_equal(error.code, "FILE");
    // A mesh that nobody here wrote.
    assert_true(weft_obj_read("tests/scenes/wuson.obj", &mesh, &error));
    assert_true(mesh.vertex_count > 100);
    assert_true(mesh.triangle_count > 100);
    for (size_t i = 0; i < 3 * (size_t)mesh.triangle_count; i++) {
        assert_true(mesh.triangles[i] < mesh.vertex_count);
    }
    weft_mesh_deinit(&mesh);
}

static void any_bytes_end_in_a_mesh_or_an_error(void **state)
{
    (void)state;
    static const char alphabet[] = "vf 0123-/.\\\n\r\t#e\0x+";
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char text[64];
        struct weft_mesh mesh;
        struct weft_error error;
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[i] = alphabet[(seed >> 33) % (sizeof alphabet - 1)];
        }
        // In memory of its own, so that a read past the end is seen.
        char *copy = malloc(sizeof text);
        memcpy(copy, text, sizeof text);
        if (weft_obj_parse("noise", copy, sizeof text, &mesh, &error)) {
            for (size_t i = 0; i < 3 * (size_t)mesh.triangle_count; i++) {
                assert_true(mesh.triangles[i] < mesh.vertex_count);
            }
        } else {
            assert_true(error.code[0] != '\0');
        }
        weft_mesh_deinit(&mesh);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_and_triangles_come_in_order),
        cmocka_unit_test(lines_end_in_each_way_and_a_mark_may_come_first),
        cmocka_unit_test(polygons_are_cut_into_triangles),
        cmocka_unit_test(negative_indices_count_from_the_last_vertex),
        cmocka_unit_test(lines_continue_after_a_backslash),
        cmocka_unit_test(faces_may_come_before_their_vertices),
        cmocka_unit_test(mistakes_name_their_line),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(files_are_read_and_missing_ones_named),
        cmocka_unit_test(any_bytes_end_in_a_mesh_or_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
