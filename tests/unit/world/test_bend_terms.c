// How bending is solved is a setting of the world, and the rigidity of bending belongs to a cloth. Both are told, recorded, saved,
// opened and taken back as every other value. A document that does not have them means what it meant before there was a choice.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct helper *cloth_of(helper_tweak tweak)
{
    struct helper *helper = helper_create(tweak);
    helper_cloth(helper, HELPER_ANN, 4, 2, "sail");
    return helper;
}

static void solved(struct protocol_world_create_params *settings)
{
    helper_edge_by_edge(settings);
    settings->bending = PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED;
}

// Checks the answers of world.join and world.get, and the document itself.
static void check_bending(struct helper *helper, const char *expected)
{
    static const char *const queries[] = {"world.join", "world.get"};
    struct protocol_world_create_params settings;
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        helper_assert_text(helper_call(helper, HELPER_ANN, queries[q], "{'world': 1}"), "bending", expected);
    }
    document_settings(helper->world->document, &settings);
    assert_int_equal(settings.bending == PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED,
                     strcmp(expected, "solved") == 0);
}

static void how_bending_is_solved_is_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(NULL);
    check_bending(helper, "solved"); // as a new world has it
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'bending': 'swept'}");
    check_bending(helper, "swept");
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.settings.bending"));
    helper_forget(helper);

    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'bending': 'solved'}");
    helper_assert_text(helper_notice(helper, 0, "world.edited"), "params.bending", "solved");
    check_bending(helper, "solved");
    saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    helper_assert_text(saved, "document.settings.bending", "solved");
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 1}");
    check_bending(helper, "solved");
    const char *error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solve'}");
    assert_memory_equal(error, "INVALID: bending: ", strlen("INVALID: bending: "));
    helper_destroy(helper);
}

static void check_copy(const struct document *document, struct document *copy)
{
    assert_non_null(copy);
    assert_true(sim_settings_of(copy->sim)->bending_solved == sim_settings_of(document->sim)->bending_solved);
    assert_true(document_hash(copy) == document_hash(document));
    document_destroy(copy);
}

static void copies_of_the_world_have_it(void **state)
{
    (void)state;
    struct helper *made = cloth_of(solved), *set = cloth_of(helper_edge_by_edge);
    const uint64_t swept = helper_hash(set);
    for (int round = 0; round < 2; round++) {
        const struct document *document = set->world->document;
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(set, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solved'}");
    }
    assert_true(helper_hash(set) != swept && helper_hash(set) == helper_hash(made));
    helper_destroy(made);
    helper_destroy(set);
}

static void undo_gives_back_how_it_was_solved(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(helper_edge_by_edge);
    const uint64_t swept = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solved', 'damping': 1}");
    const uint64_t both = helper_hash(helper);
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'substeps': 5}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    check_bending(helper, "swept");
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == swept);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    check_bending(helper, "solved");
    assert_true(helper_hash(helper) == both);
    helper_destroy(helper);
}

// Bends a square of two triangles as body.add was told to. Its id is 2.
static void add_square(struct helper *helper, const char *bend)
{
    char notation[256];
    snprintf(notation, sizeof notation,
             "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 0,0,1, 1,0,0, 1,0,1], 'triangles': [0,1,2, "
             "2,1,3],"
             " 'bend': %s}",
             bend);
    helper_call(helper, HELPER_ANN, "body.add", notation);
}

// A row of squares, which bends. Its id is 1.
static struct helper *row_of_squares(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 0,0,1, 1,0,0, 1,0,1, 2,0,0, 2,0,1],"
                " 'triangles': [0,1,2, 2,1,3, 2,3,5, 2,5,4], 'bend': {'compliance': 1}}");
    return helper;
}

// Checks what world.measure says of body `at` of its list.
static void check_way(struct helper *helper, int at, const char *way, const char *because)
{
    char path[64];
    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    snprintf(path, sizeof path, "convergence.#%d.bending", at);
    helper_assert_text(measured, path, way);
    snprintf(path, sizeof path, "convergence.#%d.swept_because", at);
    helper_assert_text(measured, path, because);
}

static void a_body_says_how_its_bending_is_solved(void **state)
{
    (void)state;
    struct helper *helper = row_of_squares();
    add_square(helper, "{'model': 'dihedral', 'compliance': 1}");
    add_square(helper, "{'model': 'none'}");
    check_way(helper, 0, "solved", "nothing");
    check_way(helper, 1, "swept", "model");
    check_way(helper, 2, "none", "nothing");
    static const struct {
        const char *method, *params, *way, *because;
    } steps[] = {
        {"constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': 0}", "swept", "rigid"},
        {"constraint.set", "{'world': 1, 'constraints': [%u], 'stiffness': 0.5}", "swept", "stiffness"},
        {"constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': 2}", "solved", "nothing"},
        {"world.set", "{'world': 1, 'bending': 'swept'}", "swept", "world"},
        {"world.set", "{'world': 1, 'bending': 'solved'}", "solved", "nothing"},
        {"constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': 1e-20}", "swept", "stiff"},
        {"constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': 1}", "solved", "nothing"},
    };
    struct sim_constraint bend = {.id = 0};
    assert_true(sim_constraint_next(helper->world->document->sim, SIM_QUADRATIC, 0, &bend));
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        char params[128];
        snprintf(params, sizeof params, steps[s].params, bend.id);
        helper_call(helper, HELPER_ANN, steps[s].method, params);
        const uint64_t before = helper_hash(helper);
        if (strcmp(steps[s].because, "stiff") != 0) { // that is not known before a tick
            check_way(helper, 0, steps[s].way, steps[s].because);
        }
        assert_true(helper_hash(helper) == before);
        helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
        check_way(helper, 0, steps[s].way, steps[s].because);
        check_way(helper, 1, "swept", "model");
    }
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Rigidity

struct bend {
    double rigidity, compliance, stiffness; // as told; negative: not told
    double solved;                          // compliance of the constraints
};

static double told(const msgpack_object *root, const char *path)
{
    return helper_find(root, path) ? helper_number(root, path) : -1;
}

static struct bend bend_of(struct helper *helper, uint32_t body)
{
    char notation[64];
    struct sim_constraint constraint = {.id = 0};
    snprintf(notation, sizeof notation, "{'world': 1, 'body': %u}", body);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", notation);
    struct bend bend = {.rigidity = told(got, "bend.rigidity"),
                        .compliance = told(got, "bend.compliance"),
                        .stiffness = told(got, "bend.stiffness")};
    for (enum sim_kind kind = SIM_DIHEDRAL; kind <= SIM_QUADRATIC; kind++) {
        while (sim_constraint_next(helper->world->document->sim, kind, constraint.id, &constraint)) {
            bend.solved = constraint.bodies[0] == body ? constraint.material.compliance : bend.solved;
        }
        constraint.id = 0;
    }
    return bend;
}

static void a_rigidity_is_told_as_it_was_given(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(NULL);
    add_square(helper, "{'model': 'quadratic', 'rigidity': 0.001}");
    struct bend bend = bend_of(helper, 2);
    assert_true(bend.rigidity == 0.001 && bend.compliance == 0 && bend.stiffness < 0);
    // A hinge along the diagonal of a square does not bend when the square is rolled along its sides.
    assert_true(bend.solved == (double)(float)(3 / 0.001));
    add_square(helper, "{'model': 'dihedral', 'rigidity': 0.001, 'compliance': 0}");
    assert_true(bend_of(helper, 3).rigidity == 0.001);
    add_square(helper, "{'model': 'none', 'rigidity': 0.001}");
    assert_true(bend_of(helper, 4).rigidity == 0.001 && bend_of(helper, 4).solved == 0);
    const msgpack_object *joined = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    assert_true(helper_number(joined, "bodies.#1.bend.rigidity") == 0.001);
    assert_null(helper_find(joined, "bodies.#0.bend.rigidity"));
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_true(helper_number(saved, "document.bodies.#1.bend.rigidity") == 0.001);
    assert_null(helper_find(saved, "document.bodies.#0.bend.rigidity"));
    helper_destroy(helper);
}

static void a_rigidity_and_another_word_for_it_are_refused(void **state)
{
    (void)state;
    struct helper *helper = row_of_squares();
    add_square(helper, "{'model': 'isometric', 'compliance': 1}");
    const uint64_t before = helper_hash(helper);
#define SQUARE \
    "'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 0,0,1, 1,0,0], 'triangles': [0,1,2], 'bend': "
#define SET "'world': 1, 'body': 1, 'bend': "
    static const char *const cases[][3] = {
        {"body.add", "{" SQUARE "{'rigidity': 1, 'compliance': 1}}", "bend.compliance"},
        {"body.add", "{" SQUARE "{'rigidity': 1, 'stiffness': 0.5}}", "bend.stiffness"},
        {"body.add", "{" SQUARE "{'rigidity': 0}}", "bend.rigidity"},
        {"body.add", "{" SQUARE "{'rigidity': -1}}", "bend.rigidity"},
        {"body.add", "{" SQUARE "{'rigidity': 1e-12}}", "must be at most 1e+10"},
        {"body.add", "{" SQUARE "{'model': 'isometric', 'rigidity': 1}}", "isometric"},
        {"body.set", "{" SET "{'rigidity': 1, 'compliance': 1}}", "bend.compliance"},
        {"body.set", "{" SET "{'rigidity': 1, 'compliance': 0}}", "bend.compliance"},
        {"body.set", "{" SET "{'rigidity': 1, 'stiffness': 0.5}}", "bend.stiffness"},
        {"body.set", "{" SET "{'rigidity': 0}}", "bend.rigidity"},
        {"body.set", "{'world': 1, 'body': 2, 'bend': {'rigidity': 1}}", "isometric"},
        {"edit.restore",
         "{'world': 1, 'parts': [{'body': 1, 'bend': {'model': 'quadratic', 'rigidity': 1, 'compliance': "
         "1}}]}",
         "bend.compliance"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *error = helper->refused.text;
        if (helper_post(helper, HELPER_ANN, cases[c][0], cases[c][1]) != 0) {
            error = helper_error(helper, HELPER_ANN, cases[c][0], cases[c][1]);
        }
        assert_non_null(strstr(error, "bend.rigidity"));
        assert_non_null(strstr(error, cases[c][2]));
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

static void what_is_given_last_ends_the_others_and_undo_gives_them_back(void **state)
{
    (void)state;
    static const struct {
        const char *bend;
        double rigidity, compliance, stiffness;
    } steps[] = {
        {"{'rigidity': 0.002}", 0.002, 0, -1}, {"{'damping': 5}", 0.002, 0, -1},
        {"{'stiffness': 0.5}", -1, 0, 0.5},    {"{'rigidity': 0.004, 'damping': 0}", 0.004, 0, -1},
        {"{'compliance': 7}", -1, 7, -1},      {"{'rigidity': 0.008}", 0.008, 0, -1},
        {"{'compliance': 0}", -1, 0, -1},
    };
    enum { STEPS = sizeof steps / sizeof *steps };
    struct helper *helper = row_of_squares();
    uint64_t hashes[STEPS + 1] = {helper_hash(helper)};
    for (int s = 0; s < STEPS; s++) {
        char notation[128];
        snprintf(notation, sizeof notation, "{'world': 1, 'body': 1, 'bend': %s}", steps[s].bend);
        helper_call(helper, HELPER_ANN, "body.set", notation);
        const struct bend bend = bend_of(helper, 1);
        assert_true(bend.rigidity == steps[s].rigidity && bend.compliance == steps[s].compliance &&
                    bend.stiffness == steps[s].stiffness);
        assert_true((bend.solved > 0) == (bend.rigidity > 0 || bend.compliance > 0));
        hashes[s + 1] = helper_hash(helper);
        assert_true(hashes[s + 1] != hashes[s]);
    }
    for (int s = STEPS - 1; s >= 0; s--) {
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[s]);
        if (s > 0) {
            const struct bend bend = bend_of(helper, 1);
            assert_true(bend.rigidity == steps[s - 1].rigidity && bend.stiffness == steps[s - 1].stiffness);
        }
    }
    for (int s = 0; s < STEPS; s++) {
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[s + 1]);
    }
    helper_destroy(helper);
}

// In the second round a constraint was changed by itself. It stays so in copies, and when its body is removed and put back.
static void copies_of_a_cloth_have_its_rigidity(void **state)
{
    (void)state;
    struct helper *helper = row_of_squares();
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'bend': {'rigidity': 0.003}}");
    const uint32_t first =
        (uint32_t)helper_number(helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}"),
                                "constraints.quadratic.first");
    for (int round = 0; round < 2; round++) {
        const struct document *document = helper->world->document;
        const uint64_t hash = helper_hash(helper);
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hash && bend_of(helper, 1).rigidity == 0.003);
        char notation[96];
        snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u], 'compliance': %d}", first + 2,
                 3 + round);
        helper_call(helper, HELPER_ANN, "constraint.set", notation);
        assert_true(helper_hash(helper) != hash);
    }
    helper_destroy(helper);
}

// A woven cloth of two rows of squares, body 1.
static struct helper *woven(void)
{
    struct helper *helper = cloth_of(NULL);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 2,0,0, 3,0,0, 0,0,1, 1,0,1, 2,0,1, "
        "3,0,1, 0,0,2, 1,0,2, 2,0,2, 3,0,2], 'triangles': [0,4,1, 1,4,5, 1,5,6, 1,6,2, 2,6,3, 3,6,7, "
        "4,8,9, 4,9,5, 5,9,6, 6,9,10, 6,10,11, 6,11,7], 'stretch': {'model': 'orthotropic', 'warp': 100, "
        "'weft': 100, 'shear': 10}, 'bend': {'warp': 0.002, 'weft': 0.001}}");
    return helper;
}

static void rigidities_along_yarns_are_undone_and_told(void **state)
{
    (void)state;
    static const struct {
        const char *bend;
        double warp, weft, bias, rigidity; // as told
    } steps[] = {
        {"{'bias': 0.0012}", 0.002, 0.001, 0.0012, -1},
        {"{'weft': 0.0015}", 0.002, 0.0015, 0.0012, -1},
        {"{'damping': 3}", 0.002, 0.0015, 0.0012, -1},
        {"{'rigidity': 0.004}", -1, -1, -1, 0.004},
        {"{'warp': 1, 'weft': 2}", 1, 2, -1, -1},
        {"{'stiffness': 0.5}", -1, -1, -1, -1},
        {"{'warp': 2, 'weft': 1, 'damping': 0}", 2, 1, -1, -1},
        {"{'compliance': 7}", -1, -1, -1, -1},
    };
    enum { STEPS = sizeof steps / sizeof *steps };
    struct helper *helper = woven();
    uint64_t hashes[STEPS + 1] = {helper_hash(helper)};
    for (int s = 0; s < STEPS; s++) {
        char notation[128];
        snprintf(notation, sizeof notation, "{'world': 1, 'body': 2, 'bend': %s}", steps[s].bend);
        helper_call(helper, HELPER_ANN, "body.set", notation);
        const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 2}");
        assert_true(told(got, "bend.warp") == steps[s].warp && told(got, "bend.weft") == steps[s].weft);
        assert_true(told(got, "bend.bias") == steps[s].bias &&
                    told(got, "bend.rigidity") == steps[s].rigidity);
        assert_true(steps[s].warp < 0 || told(got, "bend.compliance") == 0);
        hashes[s + 1] = helper_hash(helper);
        assert_true(hashes[s + 1] != hashes[s]);
    }
    for (int s = STEPS - 1; s >= 0; s--) {
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[s]);
    }
    for (int s = 0; s < STEPS; s++) {
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[s + 1]);
    }
    helper_destroy(helper);
}

static void copies_of_a_woven_cloth_have_them(void **state)
{
    (void)state;
    struct helper *helper = woven();
    const uint32_t first =
        (uint32_t)helper_number(helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 2}"),
                                "constraints.quadratic.first");
    for (int round = 0; round < 3; round++) {
        const struct document *document = helper->world->document;
        const uint64_t hash = helper_hash(helper);
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 2}");
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hash);
        // One that is changed by itself, one that is gone, and the body's rigidities after that.
        char notation[96];
        snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u]%s}",
                 first + 2 + (uint32_t)round, round == 0 ? ", 'compliance': 3" : "");
        helper_call(helper, HELPER_ANN, round == 0 ? "constraint.set" : "constraint.remove", notation);
        assert_true(helper_hash(helper) != hash);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hash);
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    }
    helper_destroy(helper);
}

static void copies_of_a_cloth_have_its_uvs(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(NULL);
#define WOVEN                                                                                               \
    "'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], 'triangles': [0,2,1, 1,2,3], " \
    "'bend': {'warp': 2e-5, 'weft': 1e-5}, 'stretch': {'model': 'orthotropic', 'warp': 9, 'weft': 5, "      \
    "'shear': 1"
    helper_call(helper, HELPER_ANN, "body.add", "{" WOVEN "}, 'yarn_uvs': [0,0, 0,1, 1,0, 0,1, 1,1, 0,0.5]}");
    const uint64_t hash = helper_hash(helper);
    const struct document *document = helper->world->document;
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_image_pack(document, &bytes));
    check_copy(document, document_image_read(bytes.data, bytes.size, &error));
    protocol_bytes_deinit(&bytes);
    assert_true(document_pack(document, &bytes));
    check_copy(document, document_from(bytes.data, bytes.size, &error));
    protocol_bytes_deinit(&bytes);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 2}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == hash);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 2}");
    assert_non_null(helper_find(got, "yarn_uvs"));
    assert_null(helper_find(got, "stretch.direction"));
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "yarn_uvs"));
    static const char *const cases[][2] = {
        {"{" WOVEN "}, 'yarn_uvs': [0,0, 0,1, 1,0]}", "six for each triangle"},
        {"{" WOVEN "}, 'yarn_uvs': [0,0, 0,1, 1,0, 0,1, 1,1, 0.5,1]}", "triangle 1"},
        {"{" WOVEN ", 'direction': [1,0,0]}, 'yarn_uvs': [0,0, 0,1, 1,0, 0,1, 1,1, 0,0]}",
         "stretch.direction"},
        {"{" SQUARE "{'compliance': 1}, 'yarn_uvs': [0,0, 0,1, 1,0]}", "stretch.model orthotropic"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *text = helper->refused.text;
        if (helper_post(helper, HELPER_ANN, "body.add", cases[c][0]) != 0) {
            text = helper_error(helper, HELPER_ANN, "body.add", cases[c][0]);
        }
        assert_non_null(strstr(text, cases[c][1]));
    }
    assert_true(helper_hash(helper) == hash);
    helper_destroy(helper);
}

static void rigidities_along_yarns_are_refused_where_there_are_none(void **state)
{
    (void)state;
    struct helper *helper = woven();
    const uint64_t before = helper_hash(helper);
    static const char *const cases[][3] = {
        {"body.add", "{" SQUARE "{'warp': 1, 'weft': 1}}", "needs stretch.model orthotropic"},
        {"body.add", "{" SQUARE "{'warp': 1, 'weft': 1, 'compliance': 1}}", "bend.compliance"},
        {"body.add", "{" SQUARE "{'warp': 0, 'weft': 1}}", "bend.warp"},
        {"body.set", "{'world': 1, 'body': 2, 'bend': {'warp': 1, 'rigidity': 1}}",
         "must be absent where bend.warp"},
        {"body.set", "{'world': 1, 'body': 2, 'bend': {'weft': 1, 'stiffness': 1}}", "bend.stiffness"},
        {"body.set", "{'world': 1, 'body': 2, 'bend': {'bias': 0.0001}}",
         "a quarter of warp and weft together, 0.00075"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *error = helper->refused.text;
        if (helper_post(helper, HELPER_ANN, cases[c][0], cases[c][1]) != 0) {
            error = helper_error(helper, HELPER_ANN, cases[c][0], cases[c][1]);
        }
        assert_non_null(strstr(error, cases[c][2]));
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

// Adds a square of n x n particles. Its id is 1.
static void add_large(struct helper *helper, uint32_t n)
{
    char *notation = malloc(256 + 64 * (size_t)n * n), *to = notation;
    to += sprintf(to, "{'world': 1, 'kind': 'cloth', 'bend': {'compliance': 10}, 'positions': [0.0, 0, 0");
    for (uint32_t i = 1; i < n * n; i++) {
        to += sprintf(to, ", %.2f, 0, %.2f", 0.01 * (i % n), 0.01 * (i / n));
    }
    to += sprintf(to, "], 'triangles': [0, 1, %u, 1, %u, %u", n, n + 1, n);
    for (uint32_t a = 1; a < n * (n - 1); a++) {
        if (a % n != n - 1) {
            to += sprintf(to, ", %u, %u, %u, %u, %u, %u", a, a + 1, a + n, a + 1, a + n + 1, a + n);
        }
    }
    strcpy(to, "]}");
    helper_call(helper, HELPER_ANN, "body.add", notation);
    free(notation);
}

// A cloth whose factor is spread over several ticks says what it waits for, and so do its copies and its image.
static void a_body_says_that_it_waits_for_its_factor(void **state)
{
    (void)state;
    struct helper *helper = helper_create(solved);
    add_large(helper, 67);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    check_way(helper, 0, "solved", "nothing");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'bend': {'compliance': 5}}");
    for (uint32_t tick = 0; tick < 7; tick++) {
        const struct document *document = helper->world->document;
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        check_way(helper, 0, "swept", "waits");
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
        helper_turns(helper, 2);
    }
    check_way(helper, 0, "solved", "nothing");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigidity_is_told_as_it_was_given),
        cmocka_unit_test(a_rigidity_and_another_word_for_it_are_refused),
        cmocka_unit_test(what_is_given_last_ends_the_others_and_undo_gives_them_back),
        cmocka_unit_test(copies_of_a_cloth_have_its_rigidity),
        cmocka_unit_test(rigidities_along_yarns_are_undone_and_told),
        cmocka_unit_test(copies_of_a_woven_cloth_have_them),
        cmocka_unit_test(copies_of_a_cloth_have_its_uvs),
        cmocka_unit_test(rigidities_along_yarns_are_refused_where_there_are_none),
        cmocka_unit_test(how_bending_is_solved_is_told_and_saved),
        cmocka_unit_test(copies_of_the_world_have_it),
        cmocka_unit_test(undo_gives_back_how_it_was_solved),
        cmocka_unit_test(a_body_says_how_its_bending_is_solved),
        cmocka_unit_test(a_body_says_that_it_waits_for_its_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
