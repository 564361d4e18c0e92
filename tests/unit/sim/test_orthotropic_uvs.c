// Fabrics whose yarns run by uvs: the warp they give, images that keep them, and what is refused of a fabric.
#include "helper_fabric.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ------------------------------------------------------------------------------------------------ refusals

static void refused(const struct sim_body_desc *desc, const char *field)
{
    assert_null(sim_body_prepare(desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_int_equal(fault.code, FAULT_INVALID);
    assert_string_equal(fault.field, field);
}

// Uvs of the square that grow along a direction at an angle, however large the texture; mirrored: v grows the other way.
static void uvs_at(const double *positions, const uint32_t *triangles, double angle, double scale,
                   bool mirrored, float uvs[12 * CELLS * CELLS])
{
    for (uint32_t c = 0; c < 6 * CELLS * CELLS; c++) {
        const double *x = positions + 3 * (size_t)triangles[c];
        uvs[2 * c] = (float)(scale * (cos(angle) * x[0] + sin(angle) * x[1]) + 7);
        uvs[2 * c + 1] = (float)(scale * (mirrored ? -1 : 1) * (cos(angle) * x[1] - sin(angle) * x[0]) - 3);
    }
}

static void gradients_of(const struct sim_body_desc *desc, double gradients[2 * CELLS * CELLS][4])
{
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_info info;
    assert_true(sim_body_info(sim, scene_add(sim, desc), &info));
    assert_int_equal(info.constraint_count[SIM_ORTHOTROPIC], 2 * CELLS * CELLS);
    assert_true(!desc->uvs || memcmp(info.uvs, desc->uvs, 12 * CELLS * CELLS * sizeof(float)) == 0);
    for (uint32_t c = 0; c < 2 * CELLS * CELLS; c++) {
        struct sim_constraint constraint;
        assert_true(sim_constraint_get(sim, info.constraint_first[SIM_ORTHOTROPIC] + c, &constraint));
        memcpy(gradients[c], constraint.gradients, sizeof gradients[c]);
    }
    sim_destroy(sim);
}

static void the_warp_runs_the_way_in_which_u_grows(void **state)
{
    (void)state;
    double positions[3 * SQUARE], by_angle[2 * CELLS * CELLS][4], by_uvs[2 * CELLS * CELLS][4];
    uint32_t triangles[6 * CELLS * CELLS];
    float uvs[12 * CELLS * CELLS];
    fabric_square(CROSSWISE, positions, triangles);
    for (int turn = -3; turn < 4; turn++) {
        struct sim_body_desc desc = fabric_desc(positions, triangles, 0.3 * turn);
        gradients_of(&desc, by_angle);
        uvs_at(positions, triangles, 0.3 * turn - 0.1, turn % 2 ? 40 : 0.5, turn % 2 == 0, uvs);
        desc = fabric_desc(positions, triangles, 0.1);
        desc.uvs = uvs;
        gradients_of(&desc, by_uvs);
        for (size_t c = 0; c < 8 * CELLS * CELLS; c++) {
            assert_near(by_uvs[c / 4][c % 4], by_angle[c / 4][c % 4], 2e-4 / CELL);
        }
    }
    // One triangle whose pattern piece lies across: only its own warp turns.
    struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
    gradients_of(&desc, by_angle);
    uvs_at(positions, triangles, 0, 1, false, uvs);
    for (int k = 0; k < 3; k++) {
        const float u = uvs[6 * 5 + 2 * k];
        uvs[6 * 5 + 2 * k] = uvs[6 * 5 + 2 * k + 1];
        uvs[6 * 5 + 2 * k + 1] = -u;
    }
    desc.uvs = uvs;
    gradients_of(&desc, by_uvs);
    for (size_t c = 0; c < 2 * CELLS * CELLS; c++) {
        for (int k = 0; k < 4; k++) {
            const double expected = c != 5  ? by_angle[c][k]
                                    : k < 2 ? by_angle[c][k + 2]
                                            : -by_angle[c][k - 2];
            assert_near(by_uvs[c][k], expected, 2e-4 / CELL);
        }
    }
}

static void images_keep_uvs(void **state)
{
    (void)state;
    double positions[3 * SQUARE];
    uint32_t triangles[6 * CELLS * CELLS], twice[6 * CELLS * CELLS + 3];
    float uvs[12 * CELLS * CELLS + 6] = {0, 0, 1, 0, 1, 1};
    fabric_square(CROSSWISE, positions, triangles);
    memcpy(twice, triangles, 3 * sizeof *twice); // the first one stands in the list again, and counts once
    memcpy(twice + 3, triangles, sizeof triangles);
    uvs_at(positions, triangles, 0.7, 3, false, uvs + 6);
    memcpy(uvs, uvs + 6, 6 * sizeof *uvs);
    struct sim_body_desc desc = fabric_desc(positions, twice, 0);
    desc.triangle_count = 2 * CELLS * CELLS + 1;
    desc.uvs = uvs;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.warp = 2e-5, .weft = 1e-5, .stiffness = -1};
    const uint32_t pins[2] = {0, SIDE - 1};
    desc.pins = pins;
    desc.pin_count = 2;
    struct sim *sim = scene_create(scene_settings());
    struct sim_image image;
    struct sim_image_place place;
    scene_add(sim, &desc);
    scene_run(sim, 5);
    assert_true(sim_image_take(sim, &image));
    assert_memory_equal(image.bodies[0].desc.uvs, uvs + 6, 12 * CELLS * CELLS * sizeof *uvs);
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    sim_image_deinit(&image);
    scene_run(sim, 20);
    scene_run(made, 20);
    assert_true(sim_hash(made) == sim_hash(sim));
    sim_destroy(made);
    sim_destroy(sim);
}

static void wrong_uvs_are_refused(void **state)
{
    (void)state;
    double positions[3 * SQUARE];
    uint32_t triangles[6 * CELLS * CELLS];
    float uvs[12 * CELLS * CELLS];
    const float wrong[] = {NAN, INFINITY, -2e6f};
    fabric_square(CROSSWISE, positions, triangles);
    for (int w = 0; w < 3; w++) {
        struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
        uvs_at(positions, triangles, 0, 1, false, uvs);
        uvs[6 * 4 + 1] = wrong[w];
        desc.uvs = uvs;
        refused(&desc, "yarn_uvs");
        assert_non_null(strstr(fault.text, "triangle 4"));
    }
    struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
    uvs_at(positions, triangles, 0, 1, false, uvs);
    desc.uvs = uvs;
    for (int k = 0; k < 3; k++) { // on a line
        uvs[6 * 9 + 2 * k + 1] = 2 * uvs[6 * 9 + 2 * k];
    }
    refused(&desc, "yarn_uvs");
    assert_non_null(strstr(fault.text, "triangle 9"));
    desc.stretch_model = SIM_STRETCH_DISTANCE;
    refused(&desc, "yarn_uvs");
}

static void what_no_fabric_has_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        size_t at;
        double values[3];
    } wrong[] = {
        {"stretch.warp", offsetof(struct sim_body_desc, stretch.warp), {0, NAN, 1e10}},
        {"stretch.weft", offsetof(struct sim_body_desc, stretch.weft), {-1, INFINITY, 0}},
        {"stretch.shear", offsetof(struct sim_body_desc, stretch.shear), {-1, NAN, INFINITY}},
        {"stretch.poisson", offsetof(struct sim_body_desc, stretch.poisson), {-0.1, 1.415, NAN}},
        {"stretch.stiffness", offsetof(struct sim_body_desc, stretch.stiffness), {0, 0.5, 1}},
        {"stretch.angle", offsetof(struct sim_body_desc, yarns.angle), {NAN, 101, -INFINITY}},
        {"stretch.direction", offsetof(struct sim_body_desc, yarns.direction), {0, NAN, 1e7}},
    };
    double positions[3 * SQUARE];
    uint32_t triangles[6 * CELLS * CELLS];
    fabric_square(CROSSWISE, positions, triangles);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        for (int v = 0; v < 3; v++) {
            struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
            memcpy((char *)&desc + wrong[w].at, &wrong[w].values[v], sizeof(double));
            refused(&desc, wrong[w].field);
        }
    }
    struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
    memcpy(desc.yarns.direction, (const double[3]){0, 0, 3}, sizeof desc.yarns.direction);
    refused(&desc, "stretch.direction"); // it stands upright on the sheet
    desc = fabric_desc(positions, triangles, 0);
    desc.kind = SIM_ROPE;
    desc.edges = triangles;
    desc.edge_count = 1;
    refused(&desc, "stretch.model");
    desc = fabric_desc(positions, triangles, 0);
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = scene_add(sim, &desc);
    const uint64_t before = sim_hash(sim);
    struct sim_material other = desc.stretch;
    other.poisson = 2;
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.stretch = &other}, &fault),
                     FAULT_INVALID);
    assert_string_equal(fault.field, "stretch.poisson");
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_warp_runs_the_way_in_which_u_grows),
        cmocka_unit_test(images_keep_uvs),
        cmocka_unit_test(wrong_uvs_are_refused),
        cmocka_unit_test(what_no_fabric_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
