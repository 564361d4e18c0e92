// Places of constraints: what runs at the same time shares no particle, whatever the mesh and its history.
#include "helper_scene.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};
static struct fault fault;

// (tile colour, tile, colour) -> no particle twice; tile colour -> no particle in two tiles; each constraint
// in exactly one lane; batches of a tile by ascending colour, of one flavour; holes at row 0.
static void check_places(const struct sim *sim)
{
    uint32_t lanes = 0;
    uint32_t *tile_of = malloc(sim->row_capacity * sizeof *tile_of);
    uint64_t *mark = calloc(sim->row_capacity, sizeof *mark), stamp = 0;
    assert_non_null(tile_of);
    assert_non_null(mark);
    for (uint32_t s = 0; s < sim->stage_count; s++) {
        const struct sim_stage *stage = &sim->stages[s];
        const struct sim_store *store = &sim->stores[stage->kind];
        memset(tile_of, 0xff, sim->row_capacity * sizeof *tile_of);
        for (uint32_t t = 0; t < stage->tile_count; t++) {
            const struct sim_tile *tile = sim->tiles[stage->first_tile + t];
            uint32_t color = UINT32_MAX;
            for (uint32_t i = 0; i < tile->order_count; i++) {
                uint32_t batch = tile->order[i], live = 0;
                const struct sim_batch_meta *meta = sim_batch_meta(store, batch);
                assert_ptr_equal(meta->tile, tile);
                if (i == 0 || meta->color != color || meta->color == SIM_SERIAL) {
                    assert_true(i == 0 || meta->color >= color);
                    color = meta->color;
                    stamp++;
                }
                for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                    uint32_t rows[SIM_STENCIL_MAX], id = sim_batch_ids(store, batch)[lane], slot;
                    sim_store_rows(store, batch * SIM_LANES + lane, rows);
                    if (id == 0) {
                        assert_true(rows[0] == tile->idle_row && rows[1] == tile->idle_row);
                        continue;
                    }
                    struct sim_id_range *range;
                    if (stage->kind < SIM_KIND_COUNT) {
                        assert_true(sim_slot_of(sim, id, &range, &slot));
                        assert_int_equal(slot, batch * SIM_LANES + lane);
                        lanes++;
                    }
                    slot = batch * SIM_LANES + lane;
                    struct sim_values values;
                    sim_store_values(store, slot, &values);
                    assert_int_equal(sim_flavor_of(&values), meta->flavor);
                    live++;
                    for (uint32_t k = 0; k < store->stencil; k++) {
                        assert_true(rows[k] != 0 && rows[k] < sim->row_capacity);
                        assert_true(mark[rows[k]] != stamp); // one colour of one tile
                        mark[rows[k]] = stamp;
                        assert_true(tile_of[rows[k]] == UINT32_MAX ||
                                    tile_of[rows[k]] == t); // one tile colour
                        tile_of[rows[k]] = t;
                    }
                }
                assert_int_equal(live, meta->live);
                assert_true(live > 0 && (meta->color != SIM_SERIAL || live == 1));
            }
        }
    }
    assert_int_equal(lanes, sim_constraint_count(sim));
    free(tile_of);
    free(mark);
}

static void a_large_cloth_has_few_colours_and_full_batches(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(300, 300, 0.01, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.density = 2;
    scene_add(sim, &desc);
    check_places(sim);
    uint32_t greatest = 0, batches = 0;
    uint32_t stages = 0;
    while (stages < sim->stage_count && sim->stages[stages].kind == SIM_DISTANCE) {
        stages++;
    }
    for (uint32_t t = 0; t < sim->tile_count && sim->tiles[t]->kind == SIM_DISTANCE; t++) {
        batches += sim->tiles[t]->order_count;
        for (uint32_t i = 0; i < sim->tiles[t]->order_count; i++) {
            uint32_t color = sim_batch_meta(&sim->stores[0], sim->tiles[t]->order[i])->color;
            greatest = color > greatest ? color : greatest;
        }
    }
    print_message("300 x 300: %u tiles, %u stages, %u colours, %.1f %% of lanes in use\n", sim->tile_count,
                  stages, greatest + 1, 100.0 * sim_constraint_count(sim) / (batches * 16.0));
    assert_true(greatest < 16); // twice the greatest degree (8) less one bounds a greedy colouring
    assert_true(stages <= 12);
    assert_true(sim_constraint_count(sim) > 0.85 * batches * SIM_LANES);
    scene_run(sim, 1);
    check_places(sim);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// Two threads share colours and particles in order: the first has the first half of each.
static void ten_tiles_are_five_rounds_for_two_threads_each_in_its_half(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(100, 100, 0.01, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.density = 2;
    scene_add(sim, &desc);
    check_places(sim);
    const struct sim_tile *tiles = sim->bodies[0]->tiles[SIM_DISTANCE];
    assert_int_equal(sim->gust_stage, 5);
    for (uint32_t s = 0; s < sim->gust_stage; s++) {
        const struct sim_stage *stage = &sim->stages[s];
        assert_int_equal(stage->tile_count, 2);
        assert_true(sim->tiles[stage->first_tile] - tiles < 5);
        assert_true(sim->tiles[stage->first_tile + 1] - tiles >= 5);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void random_meshes_have_sound_places(void **state)
{
    (void)state;
    uint64_t seed = 77;
    for (int round = 0; round < 12; round++) {
        uint32_t count = 3 + (uint32_t)(scene_random(&seed) % 6000);
        uint32_t triangle_count = 1 + (uint32_t)(scene_random(&seed) % (2 * count));
        double *positions = malloc(3 * count * sizeof *positions);
        uint32_t *triangles = malloc(3 * triangle_count * sizeof *triangles);
        for (uint32_t k = 0; k < 3 * count; k++) {
            positions[k] = scene_uniform(&seed);
        }
        for (uint32_t t = 0; t < triangle_count; t++) {
            uint32_t *corner = triangles + 3 * t;
            do {
                for (int k = 0; k < 3; k++) {
                    // Some rounds crowd round a few vertices.
                    uint32_t among = round % 3 == 0 && k == 0 ? 3 : count;
                    corner[k] = (uint32_t)(scene_random(&seed) % among);
                }
            } while (corner[0] == corner[1] || corner[1] == corner[2] || corner[0] == corner[2]);
        }
        struct sim_body_desc desc = scene_points(positions, count, NULL);
        desc.kind = SIM_CLOTH;
        desc.triangles = triangles;
        desc.triangle_count = triangle_count;
        desc.density = 100;
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_added added = scene_add_all(sim, &desc);
        check_places(sim);
        scene_add(sim, &desc);
        check_places(sim);
        // Removes constraints at random until the body has been coloured again a few times.
        uint32_t ids[64], first = added.constraint_first[0], total = added.constraint_count[0], gone = 0;
        for (int edit = 0; edit < 60 && gone < total * 3 / 4; edit++) {
            uint32_t n = 0;
            for (int tries = 0; tries < 64 && n < 64; tries++) {
                struct sim_constraint c;
                uint32_t id = first + (uint32_t)(scene_random(&seed) % total);
                if (sim_constraint_get(sim, id, &c)) {
                    ids[n++] = id;
                }
            }
            uint32_t before = sim_constraint_count(sim);
            assert_int_equal(sim_constraints_remove(sim, ids, n, &fault), FAULT_NONE);
            gone += before - sim_constraint_count(sim);
            if (edit % 10 == 0) {
                check_places(sim);
            }
        }
        check_places(sim);
        free(positions);
        free(triangles);
        sim_destroy(sim);
    }
}

static void a_hub_with_200_edges_ends_in_the_serial_colour(void **state)
{
    (void)state;
    enum { SPOKES = 200 };
    double positions[3 * (SPOKES + 1)] = {0}, masses[SPOKES + 1];
    uint32_t edges[2 * SPOKES];
    for (uint32_t i = 0; i <= SPOKES; i++) {
        masses[i] = 0.1;
        if (i > 0) {
            positions[3 * i] = (double)i / SPOKES;
            positions[3 * i + 1] = i % 3 == 0;
            positions[3 * i + 2] = i % 2;
            edges[2 * i - 2] = 0;
            edges[2 * i - 1] = i;
        }
    }
    for (int loose = 0; loose < 2; loose++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_desc desc = loose ? scene_points(positions, SPOKES + 1, masses)
                                          : scene_rope(positions, SPOKES + 1, edges, SPOKES, masses);
        uint32_t body = scene_add(sim, &desc), first = 1, bodies[2 * SPOKES], serial = 0;
        for (uint32_t i = 0; i < 2 * SPOKES; i++) {
            bodies[i] = body;
        }
        if (loose) {
            assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, SPOKES, bodies, edges,
                                                 &(struct sim_constraint_values){0}, &first, &fault),
                             FAULT_NONE);
        }
        check_places(sim);
        for (uint32_t i = 0; i < SPOKES; i++) {
            struct sim_constraint c;
            assert_true(sim_constraint_get(sim, first + i, &c));
            assert_int_equal(c.color, i < SIM_SERIAL ? i : SIM_SERIAL);
            serial += c.color == SIM_SERIAL;
        }
        assert_int_equal(serial, SPOKES - SIM_COLORS);
        // A material of their own does not change the order of those that are solved one after the other.
        const uint32_t some[3] = {first + 150, first + 70, first + 199};
        const double damping[3] = {5, 5, 5}, soft[3] = {1e-5, 1e-5, 1e-5};
        assert_int_equal(sim_constraints_set(
                             sim, some, 3,
                             &(struct sim_constraint_values){.compliance = soft, .damping = damping}, &fault),
                         FAULT_NONE);
        const struct sim_tile *tile = sim->tiles[sim->tile_count - 1];
        uint32_t last = 0;
        for (uint32_t i = 0; i < tile->order_count; i++) {
            if (sim_batch_meta(&sim->stores[0], tile->order[i])->color == SIM_SERIAL) {
                assert_true(sim_batch_ids(&sim->stores[0], tile->order[i])[0] > last);
                last = sim_batch_ids(&sim->stores[0], tile->order[i])[0];
            }
        }
        assert_int_equal(last, first + 199);
        // A colour that becomes free is the next one given.
        const uint32_t gone = first + 10;
        assert_int_equal(sim_constraints_remove(sim, &gone, 1, &fault), FAULT_NONE);
        struct sim_constraint c;
        uint32_t again;
        assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, edges + 20,
                                             &(struct sim_constraint_values){0}, &again, &fault),
                         FAULT_NONE);
        assert_true(sim_constraint_get(sim, again, &c));
        assert_int_equal(c.color, loose ? 10 : 0); // loose ones have colours of their own, after the body's
        check_places(sim);
        scene_run(sim, 5);
        sim_destroy(sim);
    }
}

static void loose_constraints_between_bodies_have_sound_places(void **state)
{
    (void)state;
    uint64_t seed = 5;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(12, 12, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t bodies[3], living[2000], count = 0;
    for (int i = 0; i < 3; i++) {
        bodies[i] = scene_add(sim, &desc);
    }
    for (int edit = 0; edit < 2000; edit++) {
        if (count > 300 || (count > 0 && scene_random(&seed) % 3 == 0)) {
            uint32_t at = (uint32_t)(scene_random(&seed) % count), id = living[at];
            living[at] = living[--count];
            assert_int_equal(sim_constraints_remove(sim, &id, 1, &fault), FAULT_NONE);
        } else {
            uint32_t of[2] = {bodies[scene_random(&seed) % 3], bodies[scene_random(&seed) % 3]};
            uint32_t particles[2] = {(uint32_t)(scene_random(&seed) % 144),
                                     (uint32_t)(scene_random(&seed) % 144)};
            double damping = scene_random(&seed) % 2 ? 1 : 0;
            if (of[0] == of[1] && particles[0] == particles[1]) {
                continue;
            }
            assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, of, particles,
                                                 &(struct sim_constraint_values){.damping = &damping},
                                                 &living[count++], &fault),
                             FAULT_NONE);
        }
        if (edit % 100 == 0) {
            check_places(sim);
        }
    }
    uint32_t *removed, removed_count;
    assert_int_equal(sim_body_remove(sim, bodies[1], &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    check_places(sim);
    bodies[1] = scene_add(sim, &desc); // in the same rows
    check_places(sim);
    scene_link(sim, bodies[1], 0, 143, 1, 0, 0);
    check_places(sim);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// A body that lost more than a quarter of its constraints is coloured again, as if it had been made of the rest, and
// not before.
static void a_quarter_of_holes_brings_new_places(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(10, 10, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, 9};
    desc.pins = pins;
    desc.pin_count = 2;
    struct sim_body_added added = scene_add_all(sim, &desc);
    uint32_t count = added.constraint_count[0], quarter = count / 4;
    uint16_t colors[512];
    for (uint32_t i = 0; i < count; i++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, 1 + i, &c));
        colors[i] = c.color;
    }
    for (uint32_t id = 1; id <= quarter; id++) { // the first ones: all later ones could do with lower colours
        assert_int_equal(sim_constraints_remove(sim, &id, 1, &fault), FAULT_NONE);
    }
    for (uint32_t i = quarter; i < count; i++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, 1 + i, &c));
        assert_int_equal(c.color, colors[i]);
    }
    uint32_t one_more = quarter + 1, changed = 0;
    assert_int_equal(sim_constraints_remove(sim, &one_more, 1, &fault), FAULT_NONE);
    check_places(sim);
    const struct sim_body *body = sim_body_find(sim, added.body);
    uint64_t *used = calloc(100, sizeof *used);
    for (uint32_t i = quarter + 1; i < count; i++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, 1 + i, &c));
        uint64_t taken = used[c.particles[0]] | used[c.particles[1]];
        uint16_t lowest = 0;
        while (taken >> lowest & 1) {
            lowest++;
        }
        assert_int_equal(c.color, lowest); // greedy, in order of id
        used[c.particles[0]] |= UINT64_C(1) << lowest;
        used[c.particles[1]] |= UINT64_C(1) << lowest;
        changed += c.color != colors[i];
    }
    free(used);
    assert_true(changed > 0);
    assert_int_equal(body->built_count[0], count - quarter - 1);
    struct sim_body_info info;
    sim_body_info(sim, added.body, &info);
    assert_int_equal(info.constraint_first[0], added.constraint_first[0]);
    assert_int_equal(info.constraint_count[0], count);
    scene_run(sim, 10);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void new_places_keep_what_was_set_one_by_one(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.iterations = 4;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(10, 10, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch.stiffness = 0.5;
    struct sim_body_added added = scene_add_all(sim, &desc);
    uint32_t count = added.constraint_count[0], going[512];
    for (uint32_t id = 1; id <= count; id += 2) {
        double compliance = id, damping = id % 4 == 1 ? 0 : 7;
        assert_int_equal(sim_constraints_set(
                             sim, &id, 1,
                             &(struct sim_constraint_values){.compliance = &compliance, .damping = &damping},
                             &fault),
                         FAULT_NONE);
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        going[i] = count - i;
    }
    assert_int_equal(sim_constraints_remove(sim, going, count / 2, &fault), FAULT_NONE);
    check_places(sim);
    for (uint32_t id = 1; id <= count - count / 2; id++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, id, &c));
        if (id % 2) {
            assert_true(c.material.compliance == id && c.material.damping == (id % 4 == 1 ? 0 : 7));
        } else {
            assert_true(c.material.stiffness == 0.5);
        }
    }
    // The stiffness of an iteration is right after the move as well.
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    struct sim_id_range *range;
    uint32_t slot;
    assert_true(sim_slot_of(sim, 2, &range, &slot));
    assert_near(sim_batch_params(store, slot / SIM_LANES, 1)[slot % SIM_LANES], 0.1591035847, 1e-7);
    scene_run(sim, 3);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// Removing all at once and in parts leads to the same places where the last edit brings new ones.
static void everything_can_be_removed(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(40, 40, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    struct sim_body_added added = scene_add_all(sim, &desc);
    uint32_t count = added.constraint_count[0], *ids = malloc(count * sizeof *ids);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = count - i;
    }
    assert_int_equal(sim_constraints_remove(sim, ids, count, &fault), FAULT_NONE);
    assert_int_equal(sim_constraint_count(sim), 0);
    check_places(sim);
    struct sim_constraint c;
    assert_false(sim_constraint_next(sim, SIM_DISTANCE, 0, &c));
    scene_run(sim, 10);
    double x[3];
    scene_position(sim, added.body, 777, x);
    assert_near(x[1], -9.81 / 36 / 2, 3e-3); // nothing but falls
    free(ids);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_cloth_has_few_colours_and_full_batches),
        cmocka_unit_test(ten_tiles_are_five_rounds_for_two_threads_each_in_its_half),
        cmocka_unit_test(random_meshes_have_sound_places),
        cmocka_unit_test(a_hub_with_200_edges_ends_in_the_serial_colour),
        cmocka_unit_test(loose_constraints_between_bodies_have_sound_places),
        cmocka_unit_test(a_quarter_of_holes_brings_new_places),
        cmocka_unit_test(new_places_keep_what_was_set_one_by_one),
        cmocka_unit_test(everything_can_be_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
