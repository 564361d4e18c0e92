// Images: a sim made of one is the same sim, whatever edits came before; and an image that lies is refused.
#include "helper_scene.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};
static struct fault fault;
static struct sim_image_place place;

static struct sim *make(const struct sim_image *image)
{
    struct sim *sim = sim_image_make(image, &scene_limits, &place, &fault);
    if (sim == NULL) {
        fail_msg("%s[%u].%s %s", place.list, place.index, fault.field, fault.text);
    }
    return sim;
}

// A sim made of an image of this one, which must have the same hash.
static struct sim *made_of(const struct sim *sim)
{
    struct sim_image image;
    assert_true(sim_image_take(sim, &image));
    struct sim *made = make(&image);
    sim_image_deinit(&image);
    assert_int_equal(sim_hash(made), sim_hash_ungrabbed(sim));
    return made;
}

static void check_future(struct sim *a, struct sim *b, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failed_a, failed_b;
        sim_step(a, NULL, NULL, &failed_a);
        sim_step(b, NULL, NULL, &failed_b);
        assert_int_equal(failed_a.failed, failed_b.failed);
        assert_int_equal(sim_hash(a), sim_hash(b));
    }
}

static uint32_t add_cloth(struct sim *sim, uint32_t side, struct sim_body_added *added)
{
    struct scene_mesh mesh = scene_grid(side, side, 0.05, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend.compliance = 1e4;
    *added = scene_add_all(sim, &desc);
    scene_mesh_deinit(&mesh);
    return added->body;
}

static void an_empty_sim(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings()), *made = made_of(sim);
    sim_destroy(made);
    sim_destroy(sim);
}

// Places that only history explains: more than a quarter gone, then some more.
static struct sim *recoloured(struct sim_body_added *added)
{
    struct sim *sim = scene_create(scene_settings());
    add_cloth(sim, 70, added); // five tiles
    uint32_t first = added->constraint_first[SIM_DISTANCE], count = added->constraint_count[SIM_DISTANCE];
    uint32_t *ids = malloc(count * sizeof *ids), gone = 0;
    assert_non_null(ids);
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 0) {
            ids[gone++] = first + i;
        }
    }
    assert_int_equal(sim_constraints_remove(sim, ids, gone, &fault), FAULT_NONE);
    assert_int_equal(sim->bodies[0]->built_count[SIM_DISTANCE], count - gone);
    gone = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 1 && i % 11 == 0) {
            ids[gone++] = first + i;
        }
    }
    assert_int_equal(sim_constraints_remove(sim, ids, gone, &fault), FAULT_NONE);
    free(ids);
    return sim;
}

static void places_that_history_gave(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = recoloured(&added), *made = made_of(sim), *again = made_of(made);
    check_future(sim, made, 5);
    check_future(sim, again, 0);
    sim_destroy(again);
    // The threshold of the next colouring is the same: as many more go as it takes to pass it.
    uint32_t first = added.constraint_first[SIM_DISTANCE], count = added.constraint_count[SIM_DISTANCE];
    for (uint32_t i = 1; i < count; i += 3) {
        uint32_t id = first + i;
        if (i % 11 != 0) {
            assert_int_equal(sim_constraints_remove(sim, &id, 1, &fault), FAULT_NONE);
            assert_int_equal(sim_constraints_remove(made, &id, 1, &fault), FAULT_NONE);
        }
        if (i % 600 == 1) {
            assert_int_equal(sim_hash(sim), sim_hash(made));
        }
    }
    assert_true(sim->bodies[0]->built_count[SIM_DISTANCE] < count - count / 3 - count / 33);
    check_future(sim, made, 3);
    sim_destroy(made);
    sim_destroy(sim);
}

// More constraints at one particle than there are colours: the others are solved one after another, in order of id
// whatever their flavours, before and after their body is coloured again.
static void constraints_of_the_serial_colour(void **state)
{
    (void)state;
    enum { SPOKES = 200 };
    double positions[3 * (SPOKES + 1)] = {0};
    uint32_t edges[2 * SPOKES], ids[SPOKES], gone = 0;
    for (uint32_t i = 0; i < SPOKES; i++) {
        positions[3 * i + 3] = 1 + 0.01 * (i % 20);
        positions[3 * i + 4] = 0.1 * (i / 20);
        edges[2 * i] = 0;
        edges[2 * i + 1] = i + 1;
    }
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_rope(positions, SPOKES + 1, edges, SPOKES, NULL);
    uint32_t first = scene_add_all(sim, &desc).constraint_first[SIM_DISTANCE];
    for (uint32_t i = 0; i < SPOKES; i++) {
        const double damping = i % 2 == 0 ? 3 : 0, compliance = 1e-4, stiffness = 0.25, rest = 0.9;
        const uint32_t id = first + i;
        const struct sim_constraint_values soft = {.rest = &rest,
                                                   .compliance = &compliance,
                                                   .damping = &damping},
                                           stiff = {.rest = &rest, .stiffness = &stiffness};
        assert_int_equal(sim_constraints_set(sim, &id, 1, i % 3 == 0 ? &stiff : &soft, &fault), FAULT_NONE);
        ids[gone] = id;
        gone += i % 3 == 1;
    }
    struct sim *made = made_of(sim);
    check_future(sim, made, 3);
    sim_destroy(made);
    assert_int_equal(sim_constraints_remove(sim, ids, gone, &fault), FAULT_NONE);
    made = made_of(sim);
    check_future(sim, made, 3);
    sim_destroy(made);
    sim_destroy(sim);
}

static void a_body_that_lost_all_its_constraints(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    add_cloth(sim, 8, &added);
    for (uint32_t i = 0; i < added.constraint_count[SIM_DISTANCE]; i++) {
        uint32_t id = added.constraint_first[SIM_DISTANCE] + i;
        assert_int_equal(sim_constraints_remove(sim, &id, 1, &fault), FAULT_NONE);
        sim_destroy(made_of(sim));
    }
    struct sim *made = made_of(sim);
    check_future(sim, made, 2);
    sim_destroy(made);
    sim_destroy(sim);
}

static void changed_values_and_flavors(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    add_cloth(sim, 12, &added);
    uint32_t first = added.constraint_first[SIM_DISTANCE], bend = added.constraint_first[SIM_QUADRATIC];
    const double rest = 0.06, compliance = 1e-5, damping = 0.5, stiffness = 0.3;
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t id = (i % 2 == 0 ? first : bend) + 5 * i;
        const struct sim_constraint_values values = {.rest = i % 4 == 0 ? &rest : NULL,
                                                     .compliance = i % 3 < 2 ? &compliance : NULL,
                                                     .damping = i % 3 == 1 ? &damping : NULL,
                                                     .stiffness = i % 3 == 2 ? &stiffness : NULL};
        assert_int_equal(sim_constraints_set(sim, &id, 1, &values, &fault), FAULT_NONE);
    }
    struct sim_image image;
    assert_true(sim_image_take(sim, &image));
    assert_int_equal(image.bodies[0].history[SIM_DISTANCE].changed_count, 6);
    assert_int_equal(image.bodies[0].history[SIM_QUADRATIC].changed_count, 6);
    assert_false(image.bodies[0].history[SIM_DIHEDRAL].edited);
    sim_image_deinit(&image);
    struct sim *made = made_of(sim);
    check_future(sim, made, 5);
    // A material of the whole body ends them all.
    const struct sim_material material = {.compliance = 1e-7, .stiffness = -1};
    const struct sim_body_change change = {.stretch = &material};
    assert_int_equal(sim_body_set(sim, added.body, &change, &fault), FAULT_NONE);
    assert_int_equal(sim_body_set(made, added.body, &change, &fault), FAULT_NONE);
    check_future(sim, made, 3);
    sim_destroy(made);
    sim_destroy(sim);
}

// The hash tells a minus zero from a zero, so an image must keep one, or a value must not become one.
static void minus_zeros(void **state)
{
    (void)state;
    const double minus = -0.0;
    const struct sim_constraint_values given[] = {
        {.rest = &minus}, {.compliance = &minus}, {.damping = &minus}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_added added;
        add_cloth(sim, 6, &added);
        const uint32_t ids[] = {added.constraint_first[SIM_DISTANCE], added.constraint_first[SIM_QUADRATIC]};
        for (int k = 0; k < 2; k++) {
            if (k == 0 || !given[i].rest) {
                assert_int_equal(sim_constraints_set(sim, &ids[k], 1, &given[i], &fault), FAULT_NONE);
            }
        }
        struct sim *made = made_of(sim);
        check_future(sim, made, 3);
        sim_destroy(made);
        sim_destroy(sim);
    }
}

// Loose constraints of all kinds, with ids in gaps between bodies and colours that removals have left.
static void loose_constraints(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    uint64_t seed = 7;
    add_cloth(sim, 6, &added);
    for (uint32_t round = 0; round < 40; round++) {
        enum sim_kind kind = (enum sim_kind)(scene_random(&seed) % SIM_ROD_STRETCH);
        uint32_t bodies[SIM_STENCIL_MAX], particles[SIM_STENCIL_MAX], id;
        for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
            bodies[k] = sim_body_id_at(sim, (uint32_t)(scene_random(&seed) % sim_body_count(sim)));
            particles[k] = (uint32_t)((scene_random(&seed) % 6) * 6 + k);
        }
        const double compliance = 1;
        const struct sim_constraint_values values = {.compliance = &compliance};
        enum fault_code status = sim_constraints_add(sim, kind, 1, bodies, particles, &values, &id, &fault);
        if (status == FAULT_NONE && round % 4 == 3) {
            id -= 1 + round % 3;
            struct sim_constraint known;
            if (id > 0 && sim_constraint_get(sim, id, &known)) {
                assert_int_equal(sim_constraints_remove(sim, &id, 1, &fault), FAULT_NONE);
            }
        }
        if (round == 15 || round == 30) {
            add_cloth(sim, 6, &added);
        }
    }
    uint32_t *gone = NULL, count;
    assert_int_equal(sim_body_remove(sim, 2, &gone, &count, &fault), FAULT_NONE);
    free(gone);
    struct sim *made = made_of(sim);
    check_future(sim, made, 5);
    uint32_t ids[2];
    const uint32_t bodies[2] = {1, 3}, particles[2] = {0, 0};
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                         &(struct sim_constraint_values){0}, &ids[0], &fault),
                     FAULT_NONE);
    assert_int_equal(sim_constraints_add(made, SIM_DISTANCE, 1, bodies, particles,
                                         &(struct sim_constraint_values){0}, &ids[1], &fault),
                     FAULT_NONE);
    assert_int_equal(ids[0], ids[1]);
    check_future(sim, made, 2);
    sim_destroy(made);
    sim_destroy(sim);
}

static void what_welding_left_without_elements(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[9] = {0, 0, 0, 0.01, 0, 0, 0, 0.01, 0}, weld = 1;
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 3,
                                 .positions = positions,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .weld = &weld,
                                 .stretch = {.stiffness = -1},
                                 .bend = {.stiffness = -1},
                                 .volume = {.stiffness = -1}};
    scene_add(sim, &desc);
    struct sim *made = made_of(sim);
    check_future(sim, made, 2);
    sim_destroy(made);
    sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------------------
// Lies

static void refused(const struct sim_image *image, const char *field)
{
    struct sim *made = sim_image_make(image, &scene_limits, &place, &fault);
    assert_null(made);
    assert_int_equal(fault.code, FAULT_INVALID);
    assert_string_equal(fault.field, field);
}

static void places_that_share_a_particle_are_refused(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = recoloured(&added);
    struct sim_image image;
    assert_true(sim_image_take(sim, &image));
    const struct sim_image_history *taken = &image.bodies[0].history[SIM_DISTANCE];
    uint32_t count = taken->color_count, tiles = taken->tile_count;
    uint32_t *colors = malloc(count * sizeof *colors), *tile_colors = malloc(tiles * sizeof *tile_colors);
    struct sim_image_body body = image.bodies[0];
    assert_non_null(colors);
    assert_non_null(tile_colors);
    assert_true(tiles > 2);
    body.history[SIM_DISTANCE].colors = colors;
    body.history[SIM_DISTANCE].tile_colors = tile_colors;
    image.bodies = &body;
    memcpy(colors, taken->colors, count * sizeof *colors);
    memcpy(tile_colors, taken->tile_colors, tiles * sizeof *tile_colors);
    sim_destroy(make(&image)); // as it was: taken
    // Any single colour that is another one's at a particle, and any colour at all that is too high.
    uint32_t shared = 0;
    for (uint32_t c = 0; c < count; c += 97) {
        colors[c] = SIM_SERIAL;
        refused(&image, "colors");
        colors[c] = colors[c + 1];
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        shared += made == NULL;
        sim_destroy(made);
        colors[c] = taken->colors[c];
    }
    assert_true(shared > 0);
    memset(colors, 0, count * sizeof *colors);
    refused(&image, "colors");
    memcpy(colors, taken->colors, count * sizeof *colors);
    memset(tile_colors, 0, tiles * sizeof *tile_colors);
    refused(&image, "tile_colors");
    tile_colors[0] = 1;
    refused(&image, "tile_colors");
    memcpy(tile_colors, taken->tile_colors, tiles * sizeof *tile_colors);
    body.history[SIM_DISTANCE].color_count--;
    refused(&image, "colors");
    free(colors);
    free(tile_colors);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static void memory_is_bounded_by_what_edits_could_take(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    add_cloth(sim, 40, &added);
    uint32_t count = added.constraint_count[SIM_DISTANCE];
    struct sim_image image;
    assert_true(sim_image_take(sim, &image));
    struct sim_image_body body = image.bodies[0];
    uint32_t *colors = malloc(count * sizeof *colors), tile_colors[2] = {0, 1};
    assert_non_null(colors);
    for (uint32_t c = 0; c < count; c++) {
        colors[c] = SIM_SERIAL; // a batch for each constraint
    }
    body.history[SIM_DISTANCE] = (struct sim_image_history){
        .edited = true, .colors = colors, .color_count = count, .tile_colors = tile_colors, .tile_count = 2};
    image.bodies = &body;
    refused(&image, "colors");
    free(colors);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static void ids_are_kept_apart(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    uint32_t id;
    const uint32_t bodies[2] = {1, 1}, particles[2] = {0, 5};
    add_cloth(sim, 4, &added);
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                         &(struct sim_constraint_values){0}, &id, &fault),
                     FAULT_NONE);
    struct sim_image image;
    assert_true(sim_image_take(sim, &image));
    struct sim_image_constraints batch = image.batches[0];
    uint32_t other = 3; // of the cloth
    batch.ids = &other;
    image.batches = &batch;
    refused(&image, "constraints");
    other = UINT32_MAX;
    refused(&image, "constraints");
    other = 0;
    refused(&image, "constraints");
    other = id + 100;
    refused(&image, "next_constraint");
    image.next_constraint = 0;
    struct sim *made = make(&image);
    assert_int_equal(made->next_constraint, id + 101);
    sim_destroy(made);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_sim),
        cmocka_unit_test(places_that_history_gave),
        cmocka_unit_test(constraints_of_the_serial_colour),
        cmocka_unit_test(a_body_that_lost_all_its_constraints),
        cmocka_unit_test(changed_values_and_flavors),
        cmocka_unit_test(minus_zeros),
        cmocka_unit_test(loose_constraints),
        cmocka_unit_test(what_welding_left_without_elements),
        cmocka_unit_test(places_that_share_a_particle_are_refused),
        cmocka_unit_test(memory_is_bounded_by_what_edits_could_take),
        cmocka_unit_test(ids_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
