// Materials by name: body.add fills in what a body leaves open, what is given beside the name wins, records have the numbers, and the
// name is told of bodies with these numbers alone.
#include "helper_world.h"
#include "protocol/fabrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MESH "'world': 1, 'kind': 'cloth', 'triangles': [0, 1, 2], 'positions': [0, 2, 0, 1, 2, 0, 0, 2, 1]"

static void check_fabric(struct helper *helper, uint32_t number, const struct protocol_fabric *fabric)
{
    char text[400];
    snprintf(text, sizeof text, "{" MESH ", 'material': '%s'}", fabric->name);
    helper_call(helper, HELPER_ANN, "body.add", text);
    snprintf(text, sizeof text, "{'world': 1, 'body': %u}", number);
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", text);
    helper_assert_text(got, "material", fabric->name);
    helper_assert_text(got, "stretch.model", "orthotropic");
    assert_true(helper_number(got, "stretch.warp") == fabric->stretch_warp);
    assert_true(helper_number(got, "stretch.weft") == fabric->stretch_weft);
    assert_true(helper_number(got, "stretch.shear") == fabric->stretch_shear);
    assert_true(helper_number(got, "stretch.poisson") == fabric->poisson);
    assert_true(helper_number(got, "bend.warp") == fabric->bend_warp);
    assert_true(helper_number(got, "bend.weft") == fabric->bend_weft);
    assert_true(helper_number(got, "bend.bias") == fabric->bend_bias);
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    const double mass = protocol_array_f64_at(&masses, 0) * 6; // of half a square metre, in thirds
    assert_true(mass > fabric->density * (1 - 1e-6) && mass < fabric->density * (1 + 1e-6));
}

static void each_fabric_has_the_numbers_of_the_table(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    for (uint32_t f = 0; f < PROTOCOL_FABRICS; f++) {
        check_fabric(helper, f + 1, &protocol_fabrics[f]);
    }
    const msgpack_object *joined = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_assert_text(joined, "bodies.#1.material", "trousers");
    helper_destroy(helper);
}

static void what_is_given_beside_the_name_wins(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" MESH ", 'material': 'jacket', 'density': 1.5, 'stretch': {'angle': 0.5, 'shear': 9}}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "stretch.angle") == 0.5);
    assert_true(helper_number(got, "stretch.shear") == 9);
    assert_true(helper_number(got, "stretch.warp") == 25.8);
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&masses, 0) == 0.25);
    assert_null(helper_find(got, "material")); // its shear is another one
    helper_call(helper, HELPER_ANN, "body.add",
                "{" MESH ", 'material': 'jacket', 'masses': 0.5, 'bend': {'model': 'none'}, "
                "'stretch': {'compliance': 1e-3}}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 2}");
    assert_true(helper_number(got, "stretch.compliance") == 1e-3);
    assert_null(helper_find(got, "stretch.warp"));
    helper_assert_text(got, "bend.model", "none");
    // A change of its material ends its name.
    helper_call(helper, HELPER_ANN, "body.add", "{" MESH ", 'material': 'blanket', 'stretch': {'angle': 1}}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 3}");
    helper_assert_text(got, "material", "blanket");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 3, 'stretch': {'warp': 100}}");
    assert_null(
        helper_find(helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 3}"), "material"));
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 3}");
    helper_assert_text(got, "material", "blanket");
    helper_destroy(helper);
}

// The edit as others hear it, and the body of a batch, are those of the numbers.
static void edits_are_told_with_the_numbers(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "edit.batch",
                "{'world': 1, 'edits': [['body.add', {'kind': 'cloth', 'triangles': [0, 1, 2], 'material': "
                "'swimsuit', "
                "'positions': [0, 2, 0, 1, 2, 0, 0, 2, 1]}]]}");
    helper_assert_text(helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}"), "material",
                       "swimsuit");
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "body.add", "{" MESH ", 'material': 'swimsuit'}");
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    assert_null(helper_find(edited, "params.material"));
    assert_true(helper_number(edited, "params.stretch.weft") == 103.6);
    assert_true(helper_number(edited, "params.density") == 0.204);
    helper_destroy(helper);
}

static void a_name_that_there_is_not_is_refused_with_the_names(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    assert_int_equal(helper_post(helper, HELPER_ANN, "body.add", "{" MESH ", 'material': 'tweed'}"), 0);
    assert_string_equal(helper->refused.field, "material");
    for (uint32_t f = 0; f < PROTOCOL_FABRICS; f++) {
        assert_non_null(strstr(helper->refused.text, protocol_fabrics[f].name));
    }
    if (helper_post(helper, HELPER_ANN, "body.add",
                    "{'world': 1, 'kind': 'rope', 'edges': [0, 1], 'positions': [0, 0, 0, 1, 0, 0], "
                    "'material': 'jacket'}") != 0) {
        fail();
    }
    assert_memory_equal(helper->refused.text, "material: must be absent", 24);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fabric_has_the_numbers_of_the_table),
        cmocka_unit_test(what_is_given_beside_the_name_wins),
        cmocka_unit_test(edits_are_told_with_the_numbers),
        cmocka_unit_test(a_name_that_there_is_not_is_refused_with_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
