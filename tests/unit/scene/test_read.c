// Scenes read: what each part becomes, and what is refused with which words.
#include "helper_scene.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void an_empty_scene_is_an_empty_world(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(&document, NULL, "{}");
    assert_string_equal(document.scene.name, "test");
    assert_string_equal(document.scene.about, "");
    assert_int_equal(document.document->bodies.count, 0);
    assert_int_equal(document.document->settings.tick_rate, 60);
    helper_document_deinit(&document);
}

static void all_pins_of_a_body_follow_a_collider_by_name_or_number(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"grid\": {\"cells\": [2, 2]}, \"pins\": \"top edge\", \"pins_follow\": \"pole\"},"
        " {\"rope\": {}, \"pins\": \"first\", \"pins_follow\": 4}, {\"rope\": {}, \"pins\": \"first\"}],"
        " \"colliders\": [{\"kind\": \"plane\"}, {\"collider\": 4, \"kind\": \"plane\"},"
        " {\"name\": \"pole\", \"kind\": \"plane\"}]}");
    const struct protocol_document_state *grid = &helper_body(&document, 0)->state,
                                         *rope = &helper_body(&document, 1)->state;
    assert_true(grid->has == PROTOCOL_HAS_DOCUMENT_STATE_PIN_COLLIDERS && grid->has == rope->has);
    assert_int_equal(grid->pin_colliders.count, helper_body(&document, 0)->pins.count);
    assert_true(helper_at(&grid->pin_colliders, 0) == 5 && helper_at(&grid->pin_colliders, 2) == 5);
    assert_int_equal(rope->pin_colliders.count, 1);
    assert_true(helper_at(&rope->pin_colliders, 0) == 4);
    assert_false(helper_body(&document, 2)->has & PROTOCOL_HAS_DOCUMENT_BODY_STATE);
    helper_document_deinit(&document);
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"rope\": {}, \"pins\": \"ends\", \"pins_compliance\": 0.25},"
        " {\"rope\": {}, \"pins\": \"first\", \"pins_distance\": 0.5, \"pins_follow\": 1},"
        " {\"rope\": {}, \"pins\": \"first\", \"pins_distance\": 0, \"pins_compliance\": 1}],"
        " \"colliders\": [{\"kind\": \"plane\"}]}");
    const struct protocol_document_state *soft = &helper_body(&document, 0)->state,
                                         *free_one = &helper_body(&document, 1)->state;
    assert_int_equal(soft->pin_compliances.count, 2);
    assert_true(helper_at(&soft->pin_compliances, 1) == 0.25 && helper_at(&soft->pin_distances, 1) == -1);
    assert_true(helper_at(&free_one->pin_compliances, 0) == -1 &&
                helper_at(&free_one->pin_distances, 0) == 0.5);
    assert_true(helper_at(&free_one->pin_colliders, 0) == 1);
    assert_true(helper_body(&document, 2)->state.has == 0);
    helper_document_deinit(&document);
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_compliance\": -1}]}",
            "bodies[0].pins_compliance", "must be a number in [0, 1e+10] (m/N)");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_distance\": \"far\"}]}",
            "bodies[0].pins_distance", "must be a number");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins_distance\": 0.1}]}", "bodies[0]",
            "pins_distance and no pins");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_follow\": \"pole\"}]}",
            "bodies[0].pins_follow", "there is no collider \"pole\"");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_follow\": 1}]}",
            "bodies[0].pins_follow", "there is no collider 1");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_follow\": []}]}",
            "bodies[0].pins_follow", "must be the name of a collider");
    REFUSED(NULL,
            "{\"bodies\": [{\"rope\": {}, \"pins_follow\": \"pole\"}], \"colliders\": [{\"kind\": \"plane\","
            " \"name\": \"pole\"}]}",
            "bodies[0]", "pins_follow and no pins");
    REFUSED(NULL,
            "{\"bodies\": [{\"rope\": {}, \"pins\": \"first\", \"pins_follow\": 1, \"state\": {}}],"
            " \"colliders\": [{\"kind\": \"plane\"}]}",
            "bodies[0].pins_follow", "has a state");
}

static void names_and_settings_come_through(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"$schema\": \"x\", \"weft\": 1, \"name\": \"tent\", \"about\": \"A tent.\","
        " \"settings\": {\"gravity\": [0, -1.62, 0], \"substeps\": 7, \"wind\": {\"lift\": 0.5}}}");
    assert_string_equal(document.scene.name, "tent");
    assert_string_equal(document.scene.about, "A tent.");
    assert_int_equal(document.document->settings.substeps, 7);
    assert_true(document.document->settings.gravity[1] == -1.62);
    assert_true(document.document->settings.wind.lift == 0.5 &&
                document.document->settings.wind.density == 1.2);
    helper_document_deinit(&document);
}

// ---------------------------------------------------------------------------------------------------------
// Meshes

static void a_grid_has_rows_from_the_top(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(&document, NULL,
                         "{\"bodies\": [{\"grid\": {\"size\": [4, 2], \"cells\": [4, 2], \"upright\": true}},"
                         " {\"grid\": {\"size\": [4, 2], \"cells\": [1, 1]}, \"kind\": \"points\"}]}");
    const struct protocol_document_body *body = helper_body(&document, 0);
    assert_int_equal(body->kind, PROTOCOL_DOCUMENT_BODY_KIND_CLOTH);
    assert_int_equal(body->positions.count, 3 * 5 * 3);
    assert_int_equal(body->triangles.count, 3 * 4 * 2 * 2);
    // The top left corner, then the right end of the top row, then the next row.
    assert_true(helper_at(&body->positions, 0) == -2 && helper_at(&body->positions, 1) == 1);
    assert_true(helper_at(&body->positions, 12) == 2 && helper_at(&body->positions, 13) == 1);
    assert_true(helper_at(&body->positions, 15) == -2 && helper_at(&body->positions, 16) == 0);
    // Each triangle has the same turn, and together they have the grid's area.
    double area = 0;
    for (uint32_t t = 0; t < body->triangles.count / 3; t++) {
        double x[3], y[3];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t at = (uint32_t)helper_at(&body->triangles, 3 * t + k);
            x[k] = helper_at(&body->positions, 3 * at);
            y[k] = helper_at(&body->positions, 3 * at + 1);
        }
        double twice = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        assert_true(twice > 0);
        area += twice / 2;
    }
    assert_true(fabs(area - 8) < 1e-12);
    assert_int_equal(helper_body(&document, 1)->kind, PROTOCOL_DOCUMENT_BODY_KIND_POINTS);
    assert_int_equal(helper_body(&document, 1)->triangles.count, 0);
    helper_document_deinit(&document);
}

// ---------------------------------------------------------------------------------------------------------
// Contact

enum {
    OF_CONTACT = PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT | PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_GROUP |
                 PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_MASK
};

static void check_contact(const char *body, bool on, double thickness)
{
    char text[512];
    struct helper_document document;
    snprintf(text, sizeof text, "{\"bodies\": [{%s}]}", body);
    helper_document_init(&document, NULL, text);
    const struct protocol_document_body *got = helper_body(&document, 0);
    assert_int_equal(got->has & OF_CONTACT, on ? OF_CONTACT : 0);
    if (on) {
        assert_true(got->self_contact && got->contact_group == 1 && got->contact_mask == 1);
    }
    assert_false(got->has & PROTOCOL_HAS_DOCUMENT_BODY_FRICTION);
    assert_true(fabs(got->thickness - thickness) < 1e-12);
    helper_document_deinit(&document);
}

static void bodies_written_by_hand_meet_others(void **state)
{
    (void)state;
    const char *grid = "\"grid\": {\"size\": [3, 4], \"cells\": [1, 1]}"; // sides of 3, 4 and 5
    const double edge = 4;
    char text[256];
    check_contact(grid, true, 0.15 * edge);
    snprintf(text, sizeof text, "%s, \"scale\": 0.25", grid);
    check_contact(text, true, 0.15 * edge / 4);
    snprintf(text, sizeof text, "%s, \"scale\": 100", grid);
    check_contact(text, true, 1);
    snprintf(text, sizeof text, "%s, \"thickness\": 0.02", grid);
    check_contact(text, true, 0.02);
    check_contact("\"rope\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 4}", true, 0.15 * 0.25);
    check_contact("\"kind\": \"rope\", \"positions\": [0, 0, 0, 1, 0, 0, 1, 2, 0]", true, 0.15 * 1.5);
    check_contact("\"kind\": \"points\", \"positions\": [5, 5, 5]", true, 0.01);
    check_contact("\"kind\": \"points\", \"positions\": [5, 5, 5, 9, 5, 5]", true, 0.01);
    check_contact("\"kind\": \"points\", \"positions\": [0, 0, 0, 0.01, 0, 0]", true, 0.15 * 0.01 / 2);
    // A body that is too thin has no contact, and so has a saved one.
    snprintf(text, sizeof text, "%s, \"thickness\": 0", grid);
    check_contact(text, false, 0);
    snprintf(text, sizeof text, "%s, \"thickness\": 7e-6", grid);
    check_contact(text, false, 7e-6);
    snprintf(text, sizeof text, "%s, \"scale\": 1e-6", grid);
    check_contact(text, false, 0);
    snprintf(text, sizeof text, "%s, \"state\": {}", grid);
    check_contact(text, false, 0);
}

static void what_a_body_says_of_contact_is_all_there_is(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(&document, NULL,
                         "{\"settings\": {\"resolution\": 6.103515625e-05}, \"bodies\": ["
                         "{\"rope\": {}, \"self_contact\": false},"
                         "{\"rope\": {}, \"contact_mask\": 6, \"friction\": 0.5, \"thickness\": 0.1},"
                         "{\"rope\": {}, \"thickness\": 0.06},"
                         "{\"rope\": {}, \"thickness\": 0.0625}]}");
    const struct protocol_document_body *body = helper_body(&document, 0);
    assert_int_equal(body->has & OF_CONTACT, PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT);
    assert_true(!body->self_contact && body->thickness == 0);
    body = helper_body(&document, 1);
    assert_int_equal(body->has & OF_CONTACT, PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_MASK);
    assert_true(body->contact_mask == 6 && body->friction == 0.5 && body->thickness == 0.1);
    // A coarser world takes thicker bodies.
    assert_int_equal(helper_body(&document, 2)->has & OF_CONTACT, 0);
    assert_int_equal(helper_body(&document, 3)->has & OF_CONTACT, OF_CONTACT);
    helper_document_deinit(&document);
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"friction\": -1}]}", "bodies[0].friction", "below 0");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"thickness\": \"x\"}]}", "bodies[0].thickness");
    REFUSED(NULL, "{\"settings\": {\"resolution\": \"x\"}, \"bodies\": [{\"rope\": {}}]}", "resolution");
    REFUSED(NULL,
            "{\"bodies\": [{\"kind\": \"cloth\", \"positions\": [0, 0, 0], \"triangles\": []}], \"x\": 1}",
            "x");
}

static double tet_volume(const struct protocol_document_body *body, uint32_t tet)
{
    double d[3][3];
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            d[k][axis] =
                helper_at(&body->positions, 3 * (uint32_t)helper_at(&body->tets, 4 * tet + k + 1) + axis) -
                helper_at(&body->positions, 3 * (uint32_t)helper_at(&body->tets, 4 * tet) + axis);
        }
    }
    double n[3] = {d[0][1] * d[1][2] - d[0][2] * d[1][1], d[0][2] * d[1][0] - d[0][0] * d[1][2],
                   d[0][0] * d[1][1] - d[0][1] * d[1][0]};
    return (n[0] * d[2][0] + n[1] * d[2][1] + n[2] * d[2][2]) / 6;
}

static void solids_fill_their_shape(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(&document, NULL,
                         "{\"bodies\": [{\"box\": {\"size\": [1, 2, 3], \"cells\": [2, 3, 4]}},"
                         " {\"sphere\": {\"radius\": 0.5, \"cells\": 12}}]}");
    const double want[2] = {6, 4.0 / 3 * 3.14159265358979 * 0.125};
    for (uint32_t b = 0; b < 2; b++) {
        const struct protocol_document_body *body = helper_body(&document, b);
        double volume = 0;
        assert_int_equal(body->kind, PROTOCOL_DOCUMENT_BODY_KIND_SOFT);
        for (uint32_t t = 0; t < body->tets.count / 4; t++) {
            assert_true(tet_volume(body, t) > 0);
            volume += tet_volume(body, t);
        }
        assert_true(fabs(volume / want[b] - 1) < (b == 0 ? 1e-12 : 0.03));
    }
    helper_document_deinit(&document);
}

static void a_disc_is_round_and_whole(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(&document, NULL,
                         "{\"bodies\": [{\"disc\": {\"radius\": 2, \"rings\": 9}, \"pins\": \"rim\"}]}");
    const struct protocol_document_body *body = helper_body(&document, 0);
    assert_int_equal(body->positions.count / 3, 1 + 3 * 9 * 10);
    assert_int_equal(body->triangles.count / 3, 6 * 81);
    assert_int_equal(body->pins.count, 6 * 9);
    double area = 0;
    for (uint32_t t = 0; t < body->triangles.count / 3; t++) {
        double x[3], z[3];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t at = (uint32_t)helper_at(&body->triangles, 3 * t + k);
            x[k] = helper_at(&body->positions, 3 * at);
            z[k] = helper_at(&body->positions, 3 * at + 2);
        }
        double twice = (x[1] - x[0]) * (z[2] - z[0]) - (x[2] - x[0]) * (z[1] - z[0]);
        assert_true(fabs(twice) > 1e-3);
        area += fabs(twice) / 2;
    }
    assert_true(fabs(area / (3.14159265 * 4) - 1) < 0.01);
    for (uint32_t p = 0; p < body->pins.count; p++) {
        uint32_t at = (uint32_t)helper_at(&body->pins, p);
        double x = helper_at(&body->positions, 3 * at), z = helper_at(&body->positions, 3 * at + 2);
        assert_true(fabs(sqrt(x * x + z * z) - 2) < 1e-14);
    }
    helper_document_deinit(&document);
}

static void ropes_and_placement(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"rope\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2}, \"scale\": [2, "
        "1, 1],"
        " \"turn\": {\"axis\": [0, 0, 3], \"degrees\": 90}, \"position\": [10, 20, 30], \"pins\": \"ends\"},"
        " {\"rope\": {\"to\": [0, 2, 0], \"segments\": 4}, \"rotation\": [0, 0, 2, 2]}]}");
    const struct protocol_document_body *body = helper_body(&document, 0);
    const double want[9] = {10, 20, 30, 10, 21, 30, 10, 22, 30};
    for (uint32_t i = 0; i < 9; i++) {
        assert_true(fabs(helper_at(&body->positions, i) - want[i]) < 1e-14);
    }
    assert_int_equal(body->edges.count, 4);
    assert_int_equal(body->pins.count, 2);
    assert_true(helper_at(&body->pins, 1) == 2);
    assert_true(fabs(helper_at(&helper_body(&document, 1)->positions, 12) + 2) < 1e-14);
    helper_document_deinit(&document);
}

static void materials_fill_in_what_is_open(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"settings\": {\"long_edges\": true}, \"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"material\": "
        "\"cotton\"},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"silk\", \"density\": 3,"
        "  \"bend\": {\"model\": \"none\"}},"
        " {\"box\": {\"size\": [1, 1, 1], \"cells\": [4, 4, 4]}, \"material\": \"jelly\"},"
        " {\"box\": {\"size\": [2, 2, 2], \"cells\": [4, 4, 4]}, \"material\": \"jelly\"},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"denim\", \"stretch\": {\"compliance\": 0}}]}");
    const struct protocol_document_body *cotton = helper_body(&document, 0),
                                        *silk = helper_body(&document, 1), *own = helper_body(&document, 4);
    const struct protocol_document_body *small = helper_body(&document, 2),
                                        *large = helper_body(&document, 3);
    assert_true(cotton->density == 0.12 && cotton->stretch.compliance == 1.15 / 5000);
    assert_true(cotton->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT && cotton->stretch.limit == 0.061);
    assert_false(silk->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT);
    assert_false(own->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT);
    assert_true(own->stretch.compliance == 0 && own->density == 0.324);
    assert_int_equal(cotton->bend.model, PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC);
    assert_true(silk->density == 3 && silk->bend.model == PROTOCOL_BEND_MATERIAL_MODEL_NONE);
    // alpha_edge falls with the size of the mesh's edges, alpha_volume grows with the volume of its elements.
    assert_true(fabs(small->stretch.compliance / large->stretch.compliance - 2) < 1e-9);
    assert_true(fabs(large->volume.compliance / small->volume.compliance - 8) < 1e-9);
    assert_true(fabs(small->volume.compliance - 1.0 / 384 / (50 * 2000)) < 1e-18);
    helper_document_deinit(&document);
}

// Scenes that are older than long_edges give the worlds that they gave.
static void materials_have_no_limit_in_scenes_without_long_edges(void **state)
{
    (void)state;
    static const char *const settings[] = {"{}", "{\"long_edges\": false}"};
    for (int i = 0; i < 2; i++) {
        struct helper_document document;
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"settings\": %s, \"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"material\": \"cotton\"}]}",
            settings[i]);
        helper_document_init(&document, NULL, text);
        assert_true(helper_body(&document, 0)->stretch.compliance == 1.15 / 5000);
        assert_false(helper_body(&document, 0)->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT);
        helper_document_deinit(&document);
    }
}

static void fabrics_and_own_materials_fill_in_fields(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"materials\": {\"twill\": {\"source\": \"ours\", \"density\": 0.25, \"friction\": 0.5, "
        "\"stretch\":"
        " {\"model\": \"orthotropic\", \"warp\": 9, \"weft\": 8, \"shear\": 7}, \"bend\": {\"warp\": 2, "
        "\"weft\": 1}},"
        "  \"jacket\": {\"density\": 0.5}, \"gel\": {\"density\": 1000, \"solid\": {\"young\": 2000}}},"
        " \"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"material\": \"tablecloth\"},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"twill\", \"stretch\": {\"direction\": [0, 0, 1]},"
        "  \"bend\": {\"compliance\": 4}, \"masses\": 1},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"twill\", \"stretch\": {\"compliance\": 3}, "
        "\"density\": 2},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"jacket\"},"
        " {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}, \"material\": \"gel\"},"
        " {\"grid\": {\"cells\": [1, 1]}, \"material\": \"twill\","
        "  \"yarn_uvs\": [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]}]}");
    const struct protocol_document_body *cloth = helper_body(&document, 0),
                                        *twill = helper_body(&document, 1),
                                        *loose = helper_body(&document, 2),
                                        *jacket = helper_body(&document, 3), *gel = helper_body(&document, 4),
                                        *pieces = helper_body(&document, 5);
    assert_true(cloth->density == 0.128 && cloth->stretch.weft == 2027 && cloth->bend.warp == 7.82e-6);
    assert_int_equal(cloth->stretch.model, PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC);
    assert_true(twill->stretch.warp == 9 && twill->stretch.direction[2] == 1 && twill->friction == 0.5);
    assert_true(twill->bend.compliance == 4 && !(twill->bend.has & PROTOCOL_HAS_BEND_MATERIAL_WARP));
    assert_false(twill->has & PROTOCOL_HAS_DOCUMENT_BODY_DENSITY);
    assert_true(loose->stretch.compliance == 3 && !(loose->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_WARP));
    assert_true(loose->density == 2 && loose->bend.weft == 1);
    assert_true(jacket->density == 0.5 && !(jacket->has & PROTOCOL_HAS_DOCUMENT_BODY_BEND));
    assert_true(gel->solid.young == 2000 && gel->density == 1000);
    assert_true(pieces->yarn_uvs.count == 12 && helper_at(&pieces->yarn_uvs, 11) == 1);
    helper_document_deinit(&document);
    REFUSED(NULL, "{\"materials\": []}", "materials: must be an object");
    REFUSED(NULL, "{\"materials\": {\"a\": 1}}", "materials.a: must be an object");
    REFUSED(NULL, "{\"materials\": {\"a\": {\"colour\": 1}}}", "\"colour\" is no field of a material");
    REFUSED(NULL, "{\"materials\": \"mine.json\"}", "materials: ");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"material\": \"tweed\"}]}",
            "denim-stretch");
    REFUSED(NULL,
            "{\"materials\": {\"a\": {\"density\": -1}}, \"bodies\": [{\"grid\": {\"cells\": [1, 1]}, "
            "\"material\": \"a\"}]}",
            "density");
}

static void particles_are_chosen_by_words_and_places(void **state)
{
    (void)state;
    struct helper_document document;
#define GRID "{\"grid\": {\"size\": [4, 2], \"cells\": [4, 2], \"upright\": true}, \"pins\": "
    helper_document_init(&document, NULL,
                         "{\"bodies\": [" GRID "\"top edge\"}," GRID "[\"left edge\", 7, \"corners\"]}," GRID
                         "{\"box\": [[1, 2, 1], [-1, 0.5, -1]]}}," GRID
                         "[{\"sphere\": {\"center\": [2, 0, 0], \"radius\": 1.001}}]}," GRID "\"rim\"}," GRID
                         "\"all\"}," GRID "[14, 3, 3]}]}");
#undef GRID
    const struct {
        uint32_t count;
        uint32_t particles[15];
    } want[] = {{5, {0, 1, 2, 3, 4}},
                {6, {0, 4, 5, 7, 10, 14}},
                {3, {1, 2, 3}},
                {4, {4, 8, 9, 14}},
                {12, {0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}},
                {15, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
                {2, {3, 14}}};
    for (uint32_t b = 0; b < 7; b++) {
        const struct protocol_array *pins = &helper_body(&document, b)->pins;
        assert_int_equal(pins->count, want[b].count);
        for (uint32_t p = 0; p < pins->count; p++) {
            assert_true(helper_at(pins, p) == want[b].particles[p]);
        }
    }
    helper_document_deinit(&document);
}

// ---------------------------------------------------------------------------------------------------------
// Links

static void bodies_are_joined_by_name(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"name\": \"a\", \"body\": 4, \"rope\": {\"to\": [1, 0, 0], \"segments\": 1}},"
        " {\"name\": \"b\", \"rope\": {\"from\": [1, 0.1, 0], \"to\": [2, 0.1, 0], \"segments\": 4}}],"
        " \"constraints\": [{\"join\": {\"from\": {\"body\": \"a\", \"particles\": \"last\"}, \"to\": "
        "{\"body\": \"b\"}},"
        " \"rest\": 0},"
        " {\"join\": {\"from\": {\"body\": \"b\", \"particles\": \"ends\"}, \"to\": {\"body\": 4, "
        "\"particles\": [0, 1]}}},"
        " {\"bodies\": [\"b\", \"a\"], \"particles\": [2, 1], \"compliance\": 0.5},"
        " {\"body\": \"b\", \"particles\": [0, 2, 2, 4]}],"
        " \"motions\": [{\"body\": \"b\", \"particles\": \"last\", \"times\": [0, 1], \"offsets\": [[0, 0, "
        "0], [0, 1, 0]]}]}");
    const struct protocol_document_constraints *batches = document.document->constraints.items;
    assert_true(helper_at(&batches[0].bodies, 0) == 4 && helper_at(&batches[0].bodies, 1) == 5);
    assert_true(helper_at(&batches[0].particles, 0) == 1 && helper_at(&batches[0].particles, 1) == 0);
    assert_true(helper_at(&batches[0].rest, 0) == 0);
    assert_int_equal(batches[1].particles.count, 4);
    assert_true(helper_at(&batches[1].particles, 2) == 4 && helper_at(&batches[1].particles, 3) == 1);
    assert_true(helper_at(&batches[2].bodies, 0) == 5 && helper_at(&batches[2].bodies, 1) == 4);
    assert_int_equal(batches[3].particles.count, 4);
    const struct protocol_document_motion *motion = document.document->motions.items;
    assert_true(helper_at(&motion->particles, 0) == 4 && helper_at(&motion->offsets, 4) == 1);
    helper_document_deinit(&document);
}

// A ring for each particle with both ends of its rail, and three struts for each that is welded.
static void rails_and_welds_find_their_particles(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"name\": \"rod\", \"rope\": {\"to\": [1, 0, 0], \"segments\": 4}},"
        " {\"name\": \"rings\", \"rope\": {\"to\": [1, 0, 0], \"segments\": 2}},"
        " {\"name\": \"plate\", \"grid\": {\"size\": [3, 2], \"cells\": [3, 2]}}],"
        " \"constraints\": [{\"type\": \"slide_rail\", \"friction\": 0.5, \"rail\": {\"from\": {\"body\": "
        "\"rings\", \"particles\": [2, 0]}, \"to\": {\"body\": \"rod\"}}},"
        " {\"type\": \"slide_rail\", \"rail\": {\"from\": {\"body\": \"rings\", \"particles\": [1]},"
        " \"to\": {\"body\": \"rod\", \"particles\": [1, 2, 3]}}},"
        " {\"weld\": {\"from\": {\"body\": \"rings\", \"particles\": [0]}, \"to\": {\"body\": \"plate\"}},"
        " \"compliance\": 0.001}]}");
    const struct protocol_document_constraints *batches = document.document->constraints.items;
    static const double rings[6] = {2, 0, 4, 0, 0, 4}, bodies[6] = {2, 1, 1, 2, 1, 1},
                        short_rail[3] = {1, 1, 3};
    assert_int_equal(batches[0].particles.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(helper_at(&batches[0].particles, i) == rings[i]);
        assert_true(helper_at(&batches[0].bodies, i) == bodies[i]);
    }
    assert_true(helper_at(&batches[0].friction, 0) == 0.5);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(helper_at(&batches[1].particles, i) == short_rail[i]);
    }
    // The plate has its particles at x = -1.5 ... 1.5 and y = -1, 0, 1, a row of four after another; the ring is in its middle.
    assert_int_equal(batches[2].particles.count, 6);
    uint32_t anchors[3];
    for (uint32_t k = 0; k < 3; k++) {
        assert_true(helper_at(&batches[2].particles, 2 * k) == 0 &&
                    helper_at(&batches[2].bodies, 2 * k) == 2);
        anchors[k] = (uint32_t)helper_at(&batches[2].particles, 2 * k + 1);
        assert_true(helper_at(&batches[2].bodies, 2 * k + 1) == 3);
    }
    assert_int_equal(anchors[0], 5);
    assert_int_equal(anchors[1], 6);
    assert_true(anchors[2] == 1 || anchors[2] == 2 || anchors[2] == 9 || anchors[2] == 10);
    helper_document_deinit(&document);
}

// ---------------------------------------------------------------------------------------------------------
// Files

static void arrays_and_meshes_come_from_files(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    struct helper_document document;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n";
    // As numpy.save writes it: version 1.0, float32, shape (2, 3).
    uint8_t npy[128 + 24];
    const float numbers[6] = {0, 1, 2, 0.5f, 1.5f, 2.5f};
    memset(npy, ' ', sizeof npy);
    memcpy(npy, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 69);
    npy[127] = '\n';
    memcpy(npy + 128, numbers, sizeof numbers);
    helper_file_write(folder, "quad.obj", obj, sizeof obj - 1);
    helper_file_write(folder, "p.npy", npy, sizeof npy);
    helper_document_init(&document, folder,
                         "{\"bodies\": [{\"mesh\": \"quad.obj\", \"pins\": [0]},"
                         " {\"kind\": \"points\", \"positions\": \"p.npy\", \"masses\": [1, 2]},"
                         " {\"kind\": \"points\", \"positions\": [[0, 1, 2], [3, 4, 5]]}]}");
    assert_int_equal(helper_body(&document, 0)->triangles.count, 6);
    assert_int_equal(helper_body(&document, 0)->kind, PROTOCOL_DOCUMENT_BODY_KIND_CLOTH);
    assert_true(helper_at(&helper_body(&document, 1)->positions, 5) == 2.5);
    assert_true(helper_at(&helper_body(&document, 2)->positions, 4) == 4);
    helper_document_deinit(&document);

    uint8_t *order = memchr(npy, '<', sizeof npy);
    *order = '>';
    helper_file_write(folder, "big.npy", npy, sizeof npy);
    helper_file_write(folder, "short.npy", npy, 100);
    helper_file_write(folder, "cut.npy", "\x93NUMPY\x01\x00\xff\xff", 10);
    *order = '<';
    npy[sizeof "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (" - 1] = '3';
    helper_file_write(folder, "long.npy", npy, sizeof npy);
    REFUSED(folder, "{\"bodies\": [{\"kind\": \"points\", \"positions\": \"big.npy\"}]}",
            "bodies[0].positions", "little-endian");
    REFUSED(folder, "{\"bodies\": [{\"kind\": \"points\", \"positions\": \"short.npy\"}]}", "cut off");
    REFUSED(folder, "{\"bodies\": [{\"kind\": \"points\", \"positions\": \"cut.npy\"}]}", "no .npy file");
    REFUSED(folder, "{\"bodies\": [{\"kind\": \"points\", \"positions\": \"long.npy\"}]}", "shorter");
    REFUSED(folder, "{\"bodies\": [{\"kind\": \"points\", \"positions\": \"quad.obj\"}]}", ".npy");
    REFUSED(folder, "{\"bodies\": [{\"mesh\": \"none.obj\"}]}", "bodies[0].mesh", "cannot be opened");
    REFUSED(NULL, "{\"bodies\": [{\"mesh\": \"quad.obj\"}]}", "has none beside it");
    helper_folder_destroy(folder);
}

static void no_path_leads_out_of_the_folder(void **state)
{
    (void)state;
    char *folder = helper_folder_create(), inner[512], text[1024];
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    struct helper_document document;
    helper_file_write(folder, "out.obj", obj, sizeof obj - 1);
    snprintf(inner, sizeof inner, "%s/in", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    helper_file_write(inner, "own.obj", obj, sizeof obj - 1);
    char path[600], target[600];
    snprintf(path, sizeof path, "%s/deep", inner);
    assert_int_equal(mkdir(path, 0700), 0);
    helper_file_write(path, "own.obj", obj, sizeof obj - 1);
    snprintf(path, sizeof path, "%s/link.obj", inner);
    snprintf(target, sizeof target, "%s/out.obj", folder);
    assert_int_equal(symlink(target, path), 0);
    snprintf(path, sizeof path, "%s/away", inner);
    assert_int_equal(symlink(folder, path), 0);
    snprintf(path, sizeof path, "%s/pipe.obj", inner);
    assert_int_equal(mkfifo(path, 0600), 0);
    helper_document_init(&document, inner,
                         "{\"bodies\": [{\"mesh\": \"own.obj\"}, {\"mesh\": \"deep/own.obj\"},"
                         " {\"mesh\": \"./own.obj\"}]}");
    helper_document_deinit(&document);
    static const char *const bad[] = {
        "../out.obj",      "deep/../../out.obj", "away/out.obj", "link.obj", "/etc/x.obj", "deep//own.obj",
        "own.obj/own.obj", "deep/..\\\\out.obj", "pipe.obj",     "..",       ".obj",       "deep/"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "{\"bodies\": [{\"mesh\": \"%s\"}]}", bad[i]);
        REFUSED(inner, text, "bodies[0].mesh: ");
    }
    helper_folder_destroy(folder);
}

// ---------------------------------------------------------------------------------------------------------
// Refusals
static void skins_are_the_documents_own(void **state)
{
    (void)state;
    static const char box[] = "{\"bodies\": [{\"box\": {\"cells\": [1, 1, 1]}, \"skin\": %s}]}";
    struct helper_document document;
    char text[512];
    snprintf(text, sizeof text, box,
             "{\"particles\": [[0, 1, 2, 7]], \"weights\": [[0.5, 0.25, 0.125, 0.125]], \"triangles\": []}");
    helper_document_init(&document, NULL, text);
    const struct protocol_document_body *body = helper_body(&document, 0);
    assert_true(body->has & PROTOCOL_HAS_DOCUMENT_BODY_SKIN);
    assert_int_equal(body->skin.particles.count, 4);
    assert_true(helper_at(&body->skin.particles, 3) == 7 && helper_at(&body->skin.weights, 1) == 0.25);
    helper_document_deinit(&document);
    static const char *const wrong[][2] = {
        {"1", "bodies[0].skin: "},
        {"{\"weights\": [], \"triangles\": []}", "bodies[0].skin.particles"},
        {"{\"particles\": [[0, 1, 2]], \"weights\": [], \"triangles\": []}",
         "bodies[0].skin.particles: row 0"},
        {"{\"particles\": [0, 1, 2, -1], \"weights\": [], \"triangles\": []}", "bodies[0].skin.particles"},
        {"{\"particles\": [], \"weights\": [2e6, 0, 0, 0], \"triangles\": []}", "bodies[0].skin.weights"},
        {"{\"particles\": [], \"weights\": [], \"triangles\": \"x\"}", "bodies[0].skin.triangles: \"x\""},
        {"{\"particles\": [], \"weights\": [], \"triangles\": [], \"zz\": 1}", "zz"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        const char *const words[] = {wrong[w][1], NULL};
        snprintf(text, sizeof text, box, wrong[w][0]);
        helper_refused(NULL, text, words);
    }
}

static void joins_keep_the_order_of_numbers(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"name\": \"a\", \"rope\": {\"segments\": 9}}, {\"name\": \"b\", "
        "\"rope\": {\"segments\": 9}}], \"constraints\": [{\"join\": {\"from\": {\"body\": \"a\", "
        "\"particles\": [3, 1, 1]}, \"to\": {\"body\": \"b\", \"particles\": [7, 9, 8]}}}, "
        "{\"join\": {\"from\": {\"body\": \"a\", \"particles\": [\"last\", 2]}, \"to\": {\"body\": "
        "\"b\", \"particles\": \"ends\"}}}]}");
    static const double pairs[2][6] = {{3, 7, 1, 9, 1, 8}, {2, 0, 9, 9}};
    for (uint32_t c = 0; c < 2; c++) {
        const struct protocol_document_constraints *made =
            (const struct protocol_document_constraints *)document.document->constraints.items + c;
        assert_int_equal(made->particles.count, c == 0 ? 6 : 4);
        for (uint32_t i = 0; i < made->particles.count; i++) {
            assert_true(helper_at(&made->particles, i) == pairs[c][i]);
        }
    }
    helper_document_deinit(&document);
}

// Taken as a sum less the other corner, one of them would lie outside: 0.3 + 0.9 - 0.3 is below 0.9.
static void a_box_holds_its_corners(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"kind\": \"points\", \"positions\": [0.9, 0, 0, 0.3, 0, 0, 1.0, 0, 0], "
        "\"pins\": {\"box\": [[0.3, 1, 1], [0.9, -1, -1]]}}]}");
    assert_int_equal(helper_body(&document, 0)->pins.count, 2);
    helper_document_deinit(&document);
}

static void nesting_has_an_end(void **state)
{
    (void)state;
    char text[4096] = "{\"settings\": ";
    size_t size = strlen(text);
    for (int i = 0; i < 100; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "{\"wind\": ");
    }
    size += (size_t)snprintf(text + size, sizeof text - size, "1");
    for (int i = 0; i < 101; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "}");
    }
    REFUSED(NULL, text, "nested too deep");
}

// The scenes that weft-bench stiff measures are squares of the side that their names say.
static void hung_cloths_are_what_they_are_called(void **state)
{
    (void)state;
    static const uint32_t sides[] = {50, 100, 200, 400};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        char path[64], text[2048];
        snprintf(path, sizeof path, "tests/scenes/stiff/hung-%" PRIu32 ".json", sides[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        struct helper_document document;
        helper_document_init(&document, NULL, text);
        const struct protocol_document_body *body = helper_body(&document, 0);
        assert_int_equal(body->positions.count, 3 * sides[i] * sides[i]);
        assert_int_equal(body->pins.count, 2);
        assert_true(helper_at(&body->positions, 0) == -0.5);
        assert_true(helper_at(&body->positions, 3 * (sides[i] - 1)) == 0.5);
        assert_true(helper_at(&body->pins, 1) == sides[i] - 1);
        assert_true(body->density == 0.2 && body->stretch.compliance == 0);
        assert_true(document.document->settings.long_edges);
        helper_document_deinit(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_scene_is_an_empty_world),
        cmocka_unit_test(names_and_settings_come_through),
        cmocka_unit_test(all_pins_of_a_body_follow_a_collider_by_name_or_number),
        cmocka_unit_test(a_grid_has_rows_from_the_top),
        cmocka_unit_test(bodies_written_by_hand_meet_others),
        cmocka_unit_test(what_a_body_says_of_contact_is_all_there_is),
        cmocka_unit_test(solids_fill_their_shape),
        cmocka_unit_test(a_disc_is_round_and_whole),
        cmocka_unit_test(ropes_and_placement),
        cmocka_unit_test(materials_fill_in_what_is_open),
        cmocka_unit_test(materials_have_no_limit_in_scenes_without_long_edges),
        cmocka_unit_test(fabrics_and_own_materials_fill_in_fields),
        cmocka_unit_test(particles_are_chosen_by_words_and_places),
        cmocka_unit_test(bodies_are_joined_by_name),
        cmocka_unit_test(rails_and_welds_find_their_particles),
        cmocka_unit_test(arrays_and_meshes_come_from_files),
        cmocka_unit_test(no_path_leads_out_of_the_folder),
        cmocka_unit_test(skins_are_the_documents_own),
        cmocka_unit_test(joins_keep_the_order_of_numbers),
        cmocka_unit_test(a_box_holds_its_corners),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(hung_cloths_are_what_they_are_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
