// Rigid bodies in scenes.
#include "helper_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void pieces_stand_where_they_are_put(void **state)
{
    (void)state;
    struct helper_document document;
    helper_document_init(
        &document, NULL,
        "{\"bodies\": [{\"rigid\": {\"form\": \"sphere\", \"radius\": 0.1}, \"positions\": "
        "[[0, 1, 0], [1, 1, 0]], \"position\": [0, 2, 0], \"rotations\": [[0, 0, 0, 1], "
        "[1, 0, 0, 1]], \"angular_velocities\": [1, 2, 3, 0, 0, 0]}, {\"kind\": \"rigid\", "
        "\"grid\": {\"size\": [4, 2], \"cells\": [1, 1]}, \"rigid\": {\"form\": \"box\", "
        "\"half_extents\": [0.1, 0.2, 0.3]}, \"contact_group\": 4}, {\"rigid\": {\"form\": \"hull\", "
        "\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, \"positions\": [0, 5, 0]}, "
        "{\"rigid\": {\"form\": \"compound\", \"parts\": [{\"form\": \"sphere\", \"radius\": 0.1}, "
        "{\"form\": "
        "\"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"position\": [0, 2, 0], "
        "\"rotation\": [0, 0, 1, 1]}]}, \"positions\": [0, 9, 0]}]}");
    const struct protocol_document_body *balls = helper_body(&document, 0),
                                        *boxes = helper_body(&document, 1);
    assert_int_equal(balls->kind, PROTOCOL_DOCUMENT_BODY_KIND_RIGID);
    assert_int_equal(balls->rigid.form, PROTOCOL_RIGID_FORM_SPHERE);
    assert_true(balls->rigid.radius == 0.1 && helper_at(&balls->positions, 4) == 3);
    assert_int_equal(balls->rotations.count, 8);
    assert_int_equal(balls->angular_velocities.count, 6);
    // A body that is written by hand meets others, and pieces need no thickness for that.
    assert_true(balls->contact_group == 1 && balls->contact_mask == 1 && balls->thickness == 0);
    assert_int_equal(boxes->kind, PROTOCOL_DOCUMENT_BODY_KIND_RIGID);
    assert_int_equal(boxes->positions.count, 12);
    assert_int_equal(boxes->triangles.count, 0);
    assert_true(boxes->contact_group == 4 && boxes->rigid.half_extents[2] == 0.3);
    const struct protocol_document_body *hull = helper_body(&document, 2);
    assert_int_equal(hull->rigid.form, PROTOCOL_RIGID_FORM_HULL);
    assert_true(hull->rigid.points.count == 12 && helper_at(&hull->rigid.points, 3) == 1);
    const struct protocol_document_body *compound = helper_body(&document, 3);
    const struct protocol_rigid_part *parts = compound->rigid.parts.items;
    assert_int_equal(compound->rigid.form, PROTOCOL_RIGID_FORM_COMPOUND);
    assert_int_equal(compound->rigid.parts.count, 2);
    assert_true(parts[0].radius == 0.1 && parts[0].rotation[3] == 1);
    assert_true(parts[1].points.count == 12 && parts[1].position[1] == 2 && parts[1].rotation[2] == 1);
    helper_document_deinit(&document);
}

static void what_only_places_turns_no_pieces(void **state)
{
    (void)state;
    static const char *const turning[] = {"\"turn\": {\"axis\": [0, 1, 0], \"degrees\": 30}",
                                          "\"rotation\": [0, 0, 1, 1]", "\"scale\": 2"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"bodies\": [{\"rigid\": {\"form\": \"sphere\", \"radius\": 0.1}, \"positions\": [0, 1, 0], "
            "%s}]}",
            turning[i]);
        REFUSED(NULL, text, "must be absent of a rigid body");
    }
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"stiff\", \"positions\": [0, 1, 0]}]}", "soft or rigid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_stand_where_they_are_put),
        cmocka_unit_test(what_only_places_turns_no_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
