// Contact is a function of the state when a tick begins: the same wherever, however and by how many threads it is computed.
#include "helper_sheet.h"

#include "base/thread.h"
#include "sim/contact/search.h"
#include "sim/contact/slices.h"
#include "sim/contact/truncate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ------------------------------------------------------------------------------------------------- the same

static void rubbish_fill(struct sim *sim, int with)
{
    struct sim_meet *meet = sim->meet;
    size_t rows = meet->row_capacity;
    memset(meet->detected, with, rows * sizeof *meet->detected);
    memset(meet->measured, with, rows * sizeof *meet->measured);
    memset(meet->rest, with, rows * sizeof *meet->rest);
    for (int end = 0; end < 2; end++) {
        memset(meet->expected[end], with, rows * sizeof *meet->expected[end]);
    }
    memset(meet->paths, with, rows * sizeof *meet->paths);
    memset(meet->stopped, with, rows * sizeof *meet->stopped);
    memset(meet->boxes, with, rows * sizeof *meet->boxes);
    memset(meet->bounds, with, rows * sizeof *meet->bounds);
    memset(meet->dirty, with, rows * sizeof *meet->dirty);
    memset(meet->island_of, with, rows * sizeof *meet->island_of);
    memset(meet->ways, with, rows * sizeof *meet->ways);
    memset(meet->went, with, rows * sizeof *meet->went);
    memset(meet->within, with, rows * sizeof *meet->within);
    memset(meet->t, with, rows * sizeof *meet->t);
    memset(meet->t_next, with, rows * sizeof *meet->t_next);
    memset(meet->colors.used, with, rows * sizeof *meet->colors.used);
    memset(meet->members, with, meet->member_count * sizeof *meet->members);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        memset(meet->lists[kind].lanes, with, 100 * sizeof *meet->lists[kind].lanes);
        memset(meet->lists[kind].rest, with, 100 * sizeof *meet->lists[kind].rest);
        memset(meet->near[kind].lanes, with, 100 * sizeof *meet->near[kind].lanes);
        memset(meet->slices[kind], with, sizeof *meet->slices[kind]);
        memset(meet->hands[kind], with, sizeof *meet->hands[kind]);
    }
    memset(meet->colors.slips.items, with, 100 * sizeof *meet->colors.slips.items);
    memset(meet->tiles, with, 2 * sizeof *meet->tiles);
    memset(meet->tile_order, with, 2 * sizeof *meet->tile_order);
    memset(meet->tile_blocks, with, 2 * sizeof *meet->tile_blocks);
    memset(meet->block_colors, with, rows / SIM_BLOCK_ROWS * sizeof *meet->block_colors);
    memset(meet->planes, with, 100 * sizeof *meet->planes);
    memset(meet->exempt, with, 100 * sizeof *meet->exempt);
    memset(meet->visits, with, 100 * sizeof *meet->visits);
    memset(meet->finds, with, 100 * sizeof *meet->finds);
    memset(meet->visited, with, sizeof meet->visited);
    memset(meet->find_counts, with, sizeof meet->find_counts);
    memset(meet->islands, with, meet->member_count * sizeof *meet->islands);
    memset(meet->kept, with, meet->member_count * sizeof *meet->kept);
    meet->exempt_count = meet->island_count = (uint32_t)with % 7;
    meet->kept_count = (uint32_t)with % 5;
    meet->found = with % 3 != 0;
    meet->woken = with % 2 != 0;
}

enum how { PLAINLY, WITH_RUBBISH, FROM_AN_IMAGE, BY_THREADS, HOWS };

// Hash after some ticks of a sheet that falls onto others.
static uint64_t outcome(enum how how, enum sim_isa isa, enum sim_contact_quality quality)
{
    enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct sim *sim = sheet_pile(20, -2, &sheet_meets, 0); // enough particles for threads
    struct sheet under = sheet_of(12, 0, 2, 0.01, 0.02, -0.1);
    sheet_add(sim, &under);
    struct sim_settings settings = *sim_settings_of(sim);
    settings.contact_quality = quality;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    struct base_team *team = how == BY_THREADS ? base_team_create(3) : NULL;
    for (uint32_t t = 0; t < 12; t++) {
        struct sim_failure failure;
        if (how == WITH_RUBBISH && t > 0) {
            rubbish_fill(sim, (int)(t * 37 % 251));
        }
        if (how == FROM_AN_IMAGE && t % 5 == 4) {
            struct sim_image image;
            struct sim_image_place place;
            assert_true(sim_image_take(sim, &image));
            struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
            assert_non_null(made);
            sim_image_deinit(&image);
            sim_destroy(sim);
            sim = made;
        }
        sim_step(sim, team != NULL ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
    }
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_true(told.pushing > 0);
    assert_true(quality != SIM_CONTACT_FAST || told.held == 0);
    uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    base_team_destroy(team);
    sim_isa_choose(before);
    return hash;
}

static void assert_same_outcome(enum sim_contact_quality quality, uint64_t expected)
{
    for (int how = PLAINLY; how < HOWS; how++) {
        assert_int_equal(outcome((enum how)how, sim_isa_chosen(), quality), expected);
    }
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_int_equal(outcome(PLAINLY, (enum sim_isa)isa, quality), expected);
        }
    }
}

// Hashes are those of every build: gcc and clang, optimised and not.
static void it_is_the_same_whatever_computes_it_and_from_wherever(void **state)
{
    (void)state;
    assert_same_outcome(SIM_CONTACT_GUARANTEED, 0xbb70496d01070e73);
}

static void it_is_the_same_without_holding_back(void **state)
{
    (void)state;
    assert_same_outcome(SIM_CONTACT_FAST, 0x89a80b7c3f852a00);
}

// ------------------------------------------------------------------------------------------------- threads

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TICKS = 1, TEAMS = 1 };
#else
enum { TICKS = 2, TEAMS = 3 };
#endif

enum tiles { TILES, SMALL_TILES, LONE_TILES, FEW_BATCHES, HOW_TILES };

// Tiles of what touches: as they are; of so few contacts that there are many; of more blocks than they may have, so that each is
// pushed alone; and where there is no room for the batches of many tiles.
static void tiles_set(struct sim_meet *meet, enum tiles tiles)
{
    meet->tile_least = tiles != TILES ? 16 : meet->tile_least;
    meet->tile_blocks_most = tiles == LONE_TILES ? 3 : meet->tile_blocks_most;
    meet->batches_most = tiles == FEW_BATCHES ? SIM_PUSH_STACKS + 1500 : meet->batches_most;
}

static uint32_t tiles_of(const struct sim_meet *meet, bool alone)
{
    const uint32_t *first = meet->islands[0].tile_first;
    return alone ? first[SIM_TILE_COLORS] - first[SIM_TILE_COLORS - 1] : first[SIM_TILE_COLORS - 1];
}

// Layers upon each other, through which another sheet falls.
static uint64_t layers_outcome(enum tiles tiles, uint32_t threads, enum sim_isa isa)
{
    enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct sim *sim = sheet_pile(20, -2, &sheet_meets, 0);
    for (int layer = 0; layer < 4; layer++) {
        struct sheet sheet =
            sheet_of(22, 0, 2, 0.0023 * layer, (2 * layer + 1.02) * SHEET_THICK, -0.1 - 0.0017 * layer);
        sheet.speed[1] = -0.5;
        sheet_add(sim, &sheet);
    }
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    tiles_set(sim->meet, tiles);
    for (uint32_t t = 0; t < TICKS; t++) {
        struct sim_failure failure;
        sim_step(sim, team != NULL ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
        assert_true(sim_crossings(sim) == 0);
    }
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_true(told.pushing > 3000);
    const uint32_t shared = tiles_of(sim->meet, false), alone = tiles_of(sim->meet, true);
    assert_true(tiles != TILES || (shared > 4 && alone == 0));
    assert_true(tiles != SMALL_TILES || (shared > 20 && sim->meet->islands[0].tile_first[1] > 1));
    assert_true(tiles != LONE_TILES || alone > 20);
    assert_true(tiles != FEW_BATCHES || shared + alone == 2);
    uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    base_team_destroy(team);
    sim_isa_choose(before);
    return hash;
}

static void any_number_of_threads_pushes_alike(void **state)
{
    (void)state;
    static const uint32_t threads[] = {2, 8, 3};
    for (int tiles = 0; tiles < HOW_TILES; tiles++) {
        const uint64_t expected = layers_outcome((enum tiles)tiles, 1, sim_isa_chosen());
        for (size_t i = 0; i < TEAMS; i++) {
            assert_int_equal(layers_outcome((enum tiles)tiles, threads[i], sim_isa_chosen()), expected);
        }
    }
}

static void any_instruction_set_pushes_tiles_alike(void **state)
{
    (void)state;
    const uint64_t expected = layers_outcome(TILES, 2, sim_isa_chosen());
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_int_equal(layers_outcome(TILES, 1, (enum sim_isa)isa), expected);
        }
    }
}

// A sheet that hits the floor and buckles. Its rows are gone through in several parts, and many leave their tubes.
static uint64_t large_outcome(uint32_t threads)
{
    enum { SIDE = 41, LARGE_TICKS = 3 };
    struct sim *sim = sheet_pile(SIDE, -12, &sheet_meets, 0);
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    struct sim_meetings told;
    uint32_t pairs = 0;
    for (uint32_t t = 0; t < LARGE_TICKS; t++) {
        struct sim_failure failure;
        sim_step(sim, team ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
        sim_meetings_of(sim, &told);
        pairs += told.pairs;
    }
    assert_true(pairs > 0 && SIDE * SIDE > 3 * SIM_PART_LIGHT_ROWS);
    uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    base_team_destroy(team);
    return hash;
}

// The hash is that of a solver that went through all rows at once.
static void rows_in_parts_come_to_the_same(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        assert_int_equal(large_outcome(threads), 0x8c72ffd78dffc687);
    }
}

// Places of particles relative to where the world is, as sums of whole quanta.
static uint64_t places_sum(const struct sim *sim, double far)
{
    uint64_t sum = 0;
    double x[3 * 15 * 15];
    sim_body_positions64(sim, 1, 0, 15 * 15, x);
    for (int i = 0; i < 3 * 15 * 15; i++) {
        double relative = x[i] - (i % 3 == 1 ? 0 : far);
        sum = sum * 31 + (uint64_t)llrint(relative / SCENE_Q);
    }
    return sum;
}

static void it_is_the_same_a_kilometre_away_and_across_the_end_of_a_word(void **state)
{
    (void)state;
    static const double fars[] = {0, 1024, -16384,
                                  15.875}; // whole quanta; the last one wraps within the sheet
    uint64_t expected = 0;
    for (int i = 0; i < 4; i++) {
        struct sim *sim = sheet_pile(15, -2, &sheet_meets, fars[i]);
        struct sim_meetings told;
        scene_run(sim, 20);
        sim_meetings_of(sim, &told);
        assert_true(told.pushing > 0);
        assert_true(sim_crossings(sim) == 0);
        expected = i == 0 ? places_sum(sim, 0) : expected;
        assert_int_equal(places_sum(sim, fars[i]), expected);
        sim_destroy(sim);
    }
}

// Low words alone are the same for both.
static void sheets_thirty_two_metres_apart_do_not_meet(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet one = sheet_of(9, 0, 2, 0, 0, 0), other = sheet_of(9, 0, 2, 32, 0, 0);
    one.meeting.self = other.meeting.self = false;
    sheet_add(sim, &one);
    sheet_add(sim, &other);
    for (int t = 0; t < 5; t++) {
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        assert_int_equal(told.pairs, 0);
    }
    assert_true(sim_crossings(sim) == 0);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_same_whatever_computes_it_and_from_wherever),
        cmocka_unit_test(it_is_the_same_without_holding_back),
        cmocka_unit_test(any_number_of_threads_pushes_alike),
        cmocka_unit_test(any_instruction_set_pushes_tiles_alike),
        cmocka_unit_test(rows_in_parts_come_to_the_same),
        cmocka_unit_test(it_is_the_same_a_kilometre_away_and_across_the_end_of_a_word),
        cmocka_unit_test(sheets_thirty_two_metres_apart_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
