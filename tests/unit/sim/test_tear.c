// Tears: worked vectors of the topology, what a split keeps, the threshold against the load, and the same bits on every way.
#include "base/thread.h"
#include "helper_fabric.h"
#include "helper_scene.h"
#include "sim/constraint/torn.h"
#include "sim/ground/ground.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ------------------------------------------------------------------------------------------------- topology

// 2 x 2 cells, the particle of column i and row j is 3 i + j; 0.6 kg a triangle.
static const double nine[] = {0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1,
                              0, 1, 2, 0, 2, 0, 0, 2, 1, 0, 2, 2, 0};
static const uint32_t eight[] = {0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 3, 6, 7, 3, 7, 4, 4, 7, 8, 4, 8, 5};

static struct sim_body_desc cells(void)
{
    return (struct sim_body_desc){.kind = SIM_CLOTH,
                                  .particle_count = 9,
                                  .positions = nine,
                                  .triangles = eight,
                                  .triangle_count = 8,
                                  .density = 1.2,
                                  .stretch = {.stiffness = -1},
                                  .bend_model = SIM_BEND_QUADRATIC,
                                  .bend = {.compliance = 1, .stiffness = -1},
                                  .tear = {.strain = 1000, .most = 4}};
}

struct cut {
    uint32_t ends[2][2], cut_count, origins[3], origin_count;
    struct {
        uint32_t triangle, corners[3];
    } changed[4];
    double masses[12];
};

static const struct cut cuts[] = {
    {{{1, 4}}, 1, {1}, 1, {{2, {9, 4, 5}}, {3, {9, 5, 2}}}, {.4, .2, .2, .6, 1.2, .6, .2, .6, .4, .4}},
    {{{1, 4}, {4, 7}},
     2,
     {1, 4, 7},
     3,
     {{2, {9, 10, 5}}, {3, {9, 5, 2}}, {6, {10, 11, 8}}, {7, {10, 8, 5}}},
     {.4, .2, .2, .6, .6, .6, .2, .4, .4, .4, .6, .2}},
    {{{3, 4}, {4, 7}},
     2,
     {3, 4, 7},
     3,
     {{4, {9, 6, 7}}, {5, {9, 7, 10}}, {6, {4, 11, 8}}},
     {.4, .6, .2, .2, 1, .6, .2, .4, .4, .4, .2, .2}},
    {{{0, 4}, {4, 8}},
     2,
     {0, 4, 8},
     3,
     {{1, {9, 10, 1}}, {2, {1, 10, 5}}, {7, {10, 11, 5}}},
     {.2, .6, .2, .6, .6, .6, .2, .6, .2, .2, .6, .2}},
};

static uint32_t edge_at(const struct sim *sim, uint32_t id, const uint32_t ends[2])
{
    const struct sim_torn *torn = sim_body_find(sim, id)->torn;
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const uint32_t *of = torn->edges[e].ends;
        if ((of[0] == ends[0] && of[1] == ends[1]) || (of[0] == ends[1] && of[1] == ends[0])) {
            return e;
        }
    }
    fail_msg("no edge from %u to %u", ends[0], ends[1]);
    return 0;
}

// Each particle of the mesh has one fan: its triangles hang together by edges that hold, and each corner that a constraint has is
// one of its triangle's.
static void mesh_is_sound(const struct sim *sim, uint32_t id)
{
    const struct sim_body *body = sim_body_find(sim, id);
    const struct sim_torn *torn = body->torn;
    for (uint32_t p = 0; p < sim_nameable(body); p++) {
        uint32_t at[64], count = 0, reached = 1;
        bool seen[64] = {true};
        for (uint32_t t = 0; t < body->triangle_count; t++) {
            const uint32_t *of = body->triangles + 3 * (size_t)t;
            if (of[0] == p || of[1] == p || of[2] == p) {
                assert_true(count < 64);
                at[count++] = t;
            }
        }
        assert_true(count > 0);
        for (bool more = true; more;) {
            more = false;
            for (uint32_t e = 0; e < torn->edge_count; e++) {
                const struct sim_torn_edge *edge = &torn->edges[e];
                const uint32_t root = sim_torn_root(torn, p);
                if (edge->cut || (edge->ends[0] != root && edge->ends[1] != root)) {
                    continue;
                }
                uint32_t a = 64, b = 64;
                for (uint32_t i = 0; i < count; i++) {
                    a = at[i] == edge->triangles[0] ? i : a;
                    b = at[i] == edge->triangles[1] ? i : b;
                }
                if (a < 64 && b < 64 && seen[a] != seen[b]) {
                    seen[a] = seen[b] = more = true;
                    reached++;
                }
            }
        }
        assert_int_equal(reached, count);
    }
}

static double mass_of(const struct sim *sim, uint32_t id, double *masses)
{
    struct sim_body_info info;
    double sum = 0;
    assert_true(sim_body_info(sim, id, &info));
    sim_body_masses(sim, id, masses);
    for (uint32_t i = 0; i < info.particle_count; i++) {
        sum += masses[i];
    }
    return sum;
}

static void fans_part_as_the_vectors_say(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_desc desc = cells();
        const struct cut *cut = &cuts[c];
        const uint32_t id = scene_add(sim, &desc);
        struct sim_body *body = sim_body_find(sim, id);
        struct sim_tears tears;
        double masses[13];
        for (uint32_t i = 0; i < cut->cut_count; i++) {
            assert_true(sim_torn_cut(sim, body, edge_at(sim, id, cut->ends[i])));
        }
        sim_torn_settle(sim, body, 0);
        assert_true(sim_body_tears(sim, id, &tears));
        assert_int_equal(tears.used, cut->origin_count);
        for (uint32_t i = 0; i < tears.used; i++) {
            assert_int_equal(tears.origins[i], cut->origins[i]);
        }
        uint32_t expected[24];
        memcpy(expected, eight, sizeof expected);
        for (uint32_t i = 0; i < 4 && cut->changed[i].corners[0] > 0; i++) {
            memcpy(expected + 3 * (size_t)cut->changed[i].triangle, cut->changed[i].corners,
                   3 * sizeof *expected);
        }
        assert_memory_equal(tears.triangles, expected, sizeof expected);
        assert_near(mass_of(sim, id, masses), 4.8, 1e-6);
        for (uint32_t i = 0; i < 12; i++) {
            assert_near(masses[i], cut->masses[i], 1e-7);
        }
        mesh_is_sound(sim, id);
        scene_run(sim, 3);
        sim_destroy(sim);
    }
}

static void a_cut_that_needs_more_spares_than_are_left_changes_nothing(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_desc desc = cells();
    desc.tear.most = 2;
    const uint32_t id = scene_add(sim, &desc);
    struct sim_body *body = sim_body_find(sim, id);
    assert_true(sim_torn_cut(sim, body, edge_at(sim, id, (const uint32_t[]){1, 4})));
    const uint64_t before = sim_hash(sim);
    assert_false(sim_torn_cut(sim, body, edge_at(sim, id, (const uint32_t[]){4, 7})));
    assert_true(sim_hash(sim) == before);
    mesh_is_sound(sim, id);
    sim_destroy(sim);
}

static void refused(struct sim *sim, const struct sim_body_desc *desc, const char *field)
{
    struct sim_body_plan *plan =
        sim_body_prepare(desc, sim_settings_of(sim)->resolution, 1000, &scene_limits, &fault);
    assert_null(plan);
    assert_string_equal(fault.field, field);
}

static void what_does_not_go_with_tears_is_refused(void **state)
{
    (void)state;
    const uint32_t fin[] = {0, 3, 4, 0, 3, 1, 0, 3, 2};
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_desc desc = cells();
    desc.tear.force = 5;
    refused(sim, &desc, "tear.force");
    desc = cells();
    desc.tear.strain = NAN;
    refused(sim, &desc, "tear.strain");
    desc.tear.strain = -1;
    refused(sim, &desc, "tear.strain");
    desc = cells();
    desc.tear.most = UINT32_MAX;
    refused(sim, &desc, "tear.most");
    desc = cells();
    desc.triangles = fin;
    desc.triangle_count = 3;
    refused(sim, &desc, "tear");
    desc = cells();
    desc.tear.most = 0;
    const uint32_t whole = scene_add(sim, &desc);
    const struct sim_tear tear = {.strain = 1, .most = 4};
    assert_int_equal(sim_body_set(sim, whole, &(struct sim_body_change){.tear = &tear}, &fault),
                     FAULT_INVALID);
    desc = cells();
    const uint32_t id = scene_add(sim, &desc), spare = 9;
    uint32_t grab;
    assert_int_equal(sim_grab_begin(sim, id, spare, NULL, 0, &grab, &fault), FAULT_INVALID);
    sim_destroy(sim);
}

// -------------------------------------------------------------------------------------------------- threshold

static const struct sim_material soft = {.warp = 40, .weft = 25, .shear = 8, .poisson = 0, .stiffness = -1};

struct strip {
    struct sim *sim;
    uint32_t id;
};

// A square that hangs from its first column of particles, along x.
static struct strip hang(bool fabric, bool loaded, double strain, struct sim_material stretch)
{
    static double positions[3 * SQUARE], masses[SQUARE];
    static uint32_t triangles[6 * CELLS * CELLS], pins[SIDE];
    struct sim_settings settings = scene_settings();
    memcpy(settings.gravity, (const double[3]){9.81, 0, 0}, sizeof settings.gravity);
    settings.damping = 5;
    settings.sleep = false;
    settings.substeps =
        loaded ? 100 : 10; // so that what a sweep leaves of the load is below a thousandth of it
    struct strip strip = {.sim = scene_create(settings)};
    fabric_square(loaded ? ONE_WAY : CROSSWISE, positions, triangles);
    struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
    for (uint32_t i = 0; i < SIDE; i++) {
        pins[i] = i;
    }
    // Masses by the width that each particle stands for, and diagonals one way: the pull is the same all over the width.
    for (uint32_t i = 0; i < SQUARE; i++) {
        masses[i] = (i / SIDE == CELLS ? 0.04 : 0.004) * (i % SIDE == 0 || i % SIDE == CELLS ? 0.5 : 1);
    }
    desc.masses = loaded ? masses : NULL;
    desc.stretch_model = fabric ? SIM_STRETCH_ORTHOTROPIC : SIM_STRETCH_DISTANCE;
    desc.stretch = stretch;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1e4, .stiffness = -1};
    desc.pins = pins;
    desc.pin_count = SIDE;
    desc.tear = (struct sim_tear){.strain = strain, .most = 40};
    strip.id = scene_add(strip.sim, &desc);
    return strip;
}

static void limit(const struct strip *strip, double force)
{
    const struct sim_tear tear = {.force = force};
    assert_int_equal(sim_body_set(strip->sim, strip->id, &(struct sim_body_change){.tear = &tear}, &fault),
                     FAULT_NONE);
}

static struct sim_tears tears_of(const struct strip *strip)
{
    struct sim_tears tears;
    assert_true(sim_body_tears(strip->sim, strip->id, &tears));
    return tears;
}

// The load of a line across the cloth is the weight below it. The most loaded inner edges stand across the pull between the first and
// the second column of cells, at half of what the two columns of triangles beside them carry.
static void a_strip_tears_at_its_load_and_not_before(void **state)
{
    (void)state;
    struct sim_material stiffer = soft;
    stiffer.warp = 200;
    struct strip strip = hang(true, true, 0, stiffer);
    scene_run(strip.sim, 240);
    assert_int_equal(tears_of(&strip).cut_count, 0);
    // The first column of triangles holds three columns of particles and the heavy last one, and the second one two of them.
    // Diagonals stand at 45 degrees, and carry half of the tension along x.
    const double load = 9.81 * (2.5 * 0.004 + 0.04) / CELL;
    limit(&strip, 1.005 * load);
    scene_run(strip.sim, 120);
    assert_int_equal(tears_of(&strip).cut_count, 0);
    limit(&strip, 0.995 * load);
    scene_run(strip.sim, 1);
    const struct sim_tears tears = tears_of(&strip);
    assert_true(tears.cut_count > 0);
    for (uint32_t c = 0; c < tears.cut_count; c++) {
        uint32_t ends[2];
        sim_tear_edge(strip.sim, strip.id, tears.cuts[c], ends);
        assert_true(ends[0] / SIDE == 1 && ends[1] / SIDE == 1);
    }
    mesh_is_sound(strip.sim, strip.id);
    scene_run(strip.sim, 30);
    mesh_is_sound(strip.sim, strip.id);
    double x[3];
    scene_position(strip.sim, strip.id, SQUARE - 1, x);
    assert_true(x[0] > 0.3); // it fell
    sim_destroy(strip.sim);
}

// Momentum and the sum of m x are those before the split, as far as floats hold masses.
static void a_split_keeps_momentum(void **state)
{
    (void)state;
    enum { ALL = SQUARE + 40 };
    struct strip strip = hang(true, false, 0, soft);
    scene_run(strip.sim, 5);
    struct sim_body *body = sim_body_find(strip.sim, strip.id);
    double sums[2][7] = {{0}};
    for (int after = 0; after < 2; after++) {
        double masses[ALL], x[3 * ALL];
        float v[3 * ALL];
        sums[after][6] = mass_of(strip.sim, strip.id, masses);
        sim_body_positions64(strip.sim, strip.id, 0, ALL, x);
        sim_body_velocities(strip.sim, strip.id, 0, ALL, v);
        for (size_t i = 0; i < 3 * (size_t)ALL; i++) {
            sums[after][i % 3] += masses[i / 3] * x[i];
            sums[after][3 + i % 3] += masses[i / 3] * (double)v[i];
        }
        for (uint32_t y = 0; after == 0 && y < CELLS; y++) {
            assert_true(sim_torn_cut(
                strip.sim, body,
                edge_at(strip.sim, strip.id, (const uint32_t[]){2 * SIDE + y, 2 * SIDE + y + 1})));
        }
    }
    assert_int_equal(body->torn->used, SIDE);
    assert_true(fabs(sums[0][3]) > 1e-4);
    for (int i = 0; i < 7; i++) {
        assert_near(sums[1][i], sums[0][i], 1e-8);
    }
    sim_destroy(strip.sim);
}

// A cloth without yarns tears by strain, and each of its triangles keeps three edges.
static void a_cloth_of_distances_tears_by_strain(void **state)
{
    (void)state;
    const struct sim_material elastic = {.compliance = 0.5, .stiffness = -1};
    struct strip strip = hang(false, false, 0.5, elastic);
    scene_run(strip.sim, 120);
    assert_int_equal(tears_of(&strip).cut_count, 0);
    const struct sim_tear tear = {.strain = 0.02};
    assert_int_equal(sim_body_set(strip.sim, strip.id, &(struct sim_body_change){.tear = &tear}, &fault),
                     FAULT_NONE);
    scene_run(strip.sim, 60);
    const struct sim_body *body = sim_body_find(strip.sim, strip.id);
    assert_true(body->torn->used > 3);
    mesh_is_sound(strip.sim, strip.id);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *of = body->triangles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t found = 0;
            for (uint32_t c = 0; c < body->constraint_count[SIM_DISTANCE]; c++) {
                struct sim_constraint constraint;
                assert_true(
                    sim_constraint_get(strip.sim, body->constraint_first[SIM_DISTANCE] + c, &constraint));
                const uint32_t a = constraint.particles[0], b = constraint.particles[1];
                found += (a == of[k] && b == of[(k + 1) % 3]) || (b == of[k] && a == of[(k + 1) % 3]) ? 1 : 0;
            }
            assert_true(found == 1 || found == 2);
        }
    }
    sim_destroy(strip.sim);
}

// ------------------------------------------------------------------------------------------------------ bits

static struct strip tearing(void)
{
    struct strip strip = hang(true, false, 0, soft);
    const struct sim_meeting meets = {.self = true, .group = 1, .mask = 1, .friction = 0.3};
    const double thick = 0.002;
    struct sim_settings settings = *sim_settings_of(strip.sim);
    settings.wind = (struct sim_wind){.velocity = {0, 0, 3}, .drag = 1, .lift = 1, .density = 1.2};
    assert_int_equal(sim_settings_set(strip.sim, &settings, &fault), FAULT_NONE);
    assert_int_equal(sim_body_set(strip.sim, strip.id,
                                  &(struct sim_body_change){.meeting = &meets, .thickness = &thick}, &fault),
                     FAULT_NONE);
    limit(&strip, 0.25);
    return strip;
}

static void an_image_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    struct strip strip = tearing();
    uint32_t used = 0;
    for (uint32_t run = 0; run < 12; run++) {
        scene_run(strip.sim, 3);
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(strip.sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(made);
        assert_true(sim_hash(made) == sim_hash(strip.sim));
        mesh_is_sound(made, strip.id);
        scene_run(made, 3);
        scene_run(strip.sim, 3);
        assert_true(sim_hash(made) == sim_hash(strip.sim));
        used = tears_of(&strip).used;
        sim_destroy(strip.sim);
        strip.sim = made;
    }
    assert_true(used > 5);
    sim_destroy(strip.sim);
}

static void a_removed_body_comes_back_torn(void **state)
{
    (void)state;
    struct strip strip = tearing();
    scene_run(strip.sim, 40);
    assert_true(tears_of(&strip).used > 0);
    const uint64_t before = sim_hash(strip.sim);
    const struct sim_parts parts = {.bodies = &strip.id, .body_count = 1, .going = true};
    struct sim_image image;
    struct sim_image_place place;
    uint32_t *removed, count;
    assert_true(sim_image_take_parts(strip.sim, &parts, &image));
    assert_int_equal(sim_body_remove(strip.sim, strip.id, &removed, &count, &fault), FAULT_NONE);
    free(removed);
    struct sim_body_plan *plan = sim_body_prepare_again(
        &image.bodies[0], sim_settings_of(strip.sim)->resolution, &scene_limits, &place, &fault);
    assert_non_null(plan);
    assert_int_equal(sim_body_restore(strip.sim, plan, &fault), FAULT_NONE);
    sim_image_deinit(&image);
    assert_true(sim_hash(strip.sim) == before);
    scene_run(strip.sim, 5);
    sim_destroy(strip.sim);
}

static void an_image_whose_corners_do_not_fit_is_refused(void **state)
{
    (void)state;
    struct strip strip = tearing();
    scene_run(strip.sim, 40);
    for (int wrong = 0; wrong < 6; wrong++) {
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(strip.sim, &image));
        struct sim_tears *tears =
            (struct sim_tears *)image.bodies[0].desc.torn; // of an image of this test's own
        assert_true(tears->used > 1 && tears->cut_count > 1);
        switch (wrong) {
        case 0:
            ((uint32_t *)tears->triangles)[0] = SQUARE + 39;
            break;
        case 1:
            ((uint32_t *)tears->origins)[0] = SQUARE;
            break;
        case 2:
            ((uint32_t *)tears->cuts)[0] = 100000;
            break;
        case 3:
            ((uint32_t *)tears->cuts)[0] = tears->cuts[1];
            break;
        case 4:
            tears->used = 41;
            break;
        default:
            tears->cut_count--; // its triangles part where nothing is cut
            break;
        }
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        if (made) {
            fail_msg("image %d was made", wrong);
        }
        assert_int_equal(fault.code, FAULT_INVALID);
    }
    sim_destroy(strip.sim);
}

static void a_sim_that_waits_tears_nothing_and_goes_back(void **state)
{
    (void)state;
    struct strip strip = tearing();
    scene_run(strip.sim, 20);
    const uint64_t before = sim_hash(strip.sim);
    struct sim_still *still = sim_still_create(strip.sim);
    assert_non_null(still);
    sim_still_begin(still, strip.sim);
    assert_true(sim_still_go_on(still, 1000) || sim_still_go_on(still, 1000));
    sim_still_end(still);
    sim_tears_wait(strip.sim, true);
    limit(&strip, 1e-3);
    limit(&strip, 0.25);
    scene_run(strip.sim, 20);
    sim_tears_wait(strip.sim, false);
    sim_still_give_back(still, strip.sim);
    sim_still_destroy(still);
    assert_true(sim_hash(strip.sim) == before);
    scene_run(strip.sim, 20);
    assert_true(tears_of(&strip).used > 0);
    sim_destroy(strip.sim);
}

static void reset_leaves_tears(void **state)
{
    (void)state;
    struct strip strip = tearing();
    scene_run(strip.sim, 40);
    const uint32_t used = tears_of(&strip).used;
    double x[3], origin[3];
    assert_true(used > 0);
    sim_reset(strip.sim);
    assert_int_equal(tears_of(&strip).used, used);
    scene_position(strip.sim, strip.id, SQUARE, x);
    scene_position(strip.sim, strip.id, tears_of(&strip).origins[0], origin);
    assert_memory_equal(x, origin, sizeof x);
    scene_run(strip.sim, 20);
    sim_destroy(strip.sim);
}

static void every_instruction_set_comes_to_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    uint64_t first = 0;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        sim_isa_choose((enum sim_isa)isa);
        struct strip strip = tearing();
        scene_run(strip.sim, 60);
        first = first == 0 ? sim_hash(strip.sim) : first;
        assert_true(sim_hash(strip.sim) == first);
        assert_true(tears_of(&strip).used > 0);
        sim_destroy(strip.sim);
    }
    sim_isa_choose(chosen);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct sim *sim = scene_create(scene_settings());
        struct scene_mesh mesh = scene_grid(66, 66, 0.02, (const double[3]){0, 0, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, 65};
        desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
        desc.yarns.direction[0] = 1;
        desc.stretch = soft;
        desc.pins = pins;
        desc.pin_count = 2;
        desc.tear = (struct sim_tear){.force = 2, .strain = 0.3, .most = 200};
        const uint32_t id = scene_add(sim, &desc);
        struct base_team *team = base_team_create(threads);
        for (int tick = 0; tick < 12; tick++) {
            struct sim_failure failure;
            sim_step(sim, base_team_parallel(team), NULL, &failure);
            assert_false(failure.failed);
        }
        base_team_destroy(team);
        hashes[threads / 4] = sim_hash(sim);
        struct sim_tears tears;
        assert_true(sim_body_tears(sim, id, &tears) && tears.used > 4);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fans_part_as_the_vectors_say),
        cmocka_unit_test(a_cut_that_needs_more_spares_than_are_left_changes_nothing),
        cmocka_unit_test(what_does_not_go_with_tears_is_refused),
        cmocka_unit_test(a_strip_tears_at_its_load_and_not_before),
        cmocka_unit_test(a_split_keeps_momentum),
        cmocka_unit_test(a_cloth_of_distances_tears_by_strain),
        cmocka_unit_test(an_image_goes_on_to_the_same_bits),
        cmocka_unit_test(a_removed_body_comes_back_torn),
        cmocka_unit_test(an_image_whose_corners_do_not_fit_is_refused),
        cmocka_unit_test(a_sim_that_waits_tears_nothing_and_goes_back),
        cmocka_unit_test(reset_leaves_tears),
        cmocka_unit_test(every_instruction_set_comes_to_the_same_bits),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
