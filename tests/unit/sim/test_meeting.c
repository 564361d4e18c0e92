// How bodies meet, as it is set and told: what is refused, what is kept, what the hash knows of it. That they do meet is
// not looked at here.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};
static const double least = SIM_THICKNESS_QUANTA_MIN * SCENE_Q;
static struct fault fault;

static const struct sim_meeting off = {.friction = SIM_FRICTION_DEFAULT};
// Ways to meet something, and ways not to.
static const struct sim_meeting meets[] = {
    {.self = true}, {.group = 1, .mask = 1, .friction = 0.5}, {.self = true, .group = 4, .mask = 2}};
static const struct sim_meeting idles[] = {
    {.self = false}, {.group = 0xffffffff}, {.mask = 0xffffffff}, {.friction = SIM_FRICTION_MAX}};
enum { MEETS = sizeof meets / sizeof *meets, IDLES = sizeof idles / sizeof *idles };

static enum fault_code prepare(double thickness, const struct sim_meeting *meeting, double resolution,
                               struct sim_body_plan **plan)
{
    struct scene_mesh mesh = scene_grid(3, 3, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = thickness;
    desc.meeting = *meeting;
    fault = (struct fault){0};
    *plan = sim_body_prepare(&desc, resolution, 1000, &scene_limits, &fault);
    scene_mesh_deinit(&mesh);
    return *plan != NULL ? FAULT_NONE : fault.code;
}

static uint32_t add(struct sim *sim, double thickness, const struct sim_meeting *meeting)
{
    struct sim_body_plan *plan;
    struct sim_body_added added;
    assert_int_equal(prepare(thickness, meeting, SCENE_Q, &plan), FAULT_NONE);
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
    return added.body;
}

static enum fault_code set(struct sim *sim, uint32_t body, const double *thickness,
                           const struct sim_meeting *meeting)
{
    fault = (struct fault){0};
    return sim_body_set(sim, body, &(struct sim_body_change){.thickness = thickness, .meeting = meeting},
                        &fault);
}

static void assert_told(const struct sim *sim, uint32_t body, double thickness,
                        const struct sim_meeting *meeting)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    assert_true(info.thickness == thickness);
    assert_int_equal(info.meeting.self, meeting->self);
    assert_int_equal(info.meeting.group, meeting->group);
    assert_int_equal(info.meeting.mask, meeting->mask);
    assert_true(info.meeting.friction == meeting->friction);
}

static void a_body_meets_itself_or_who_has_a_bit_of_its_mask(void **state)
{
    (void)state;
    for (int i = 0; i < MEETS; i++) {
        assert_true(sim_meets(&meets[i]));
    }
    for (int i = 0; i < IDLES; i++) {
        assert_false(sim_meets(&idles[i]));
    }
}

static void what_meets_is_thick_enough_for_the_resolution(void **state)
{
    (void)state;
    struct sim_body_plan *plan;
    for (int i = 0; i < MEETS; i++) {
        assert_int_equal(prepare(least, &meets[i], SCENE_Q, &plan), FAULT_NONE);
        sim_body_plan_destroy(plan);
        assert_int_equal(prepare(nextafter(least, 0), &meets[i], SCENE_Q, &plan), FAULT_INVALID);
        assert_string_equal(fault.field, "thickness");
        assert_non_null(strstr(fault.text, "at least 7.62939e-06 m"));
        assert_int_equal(prepare(least, &meets[i], 2 * SCENE_Q, &plan), FAULT_INVALID);
        assert_int_equal(prepare(2 * least, &meets[i], 2 * SCENE_Q, &plan), FAULT_NONE);
        sim_body_plan_destroy(plan);
    }
    for (int i = 0; i < IDLES; i++) {
        assert_int_equal(prepare(0, &idles[i], SCENE_Q, &plan), FAULT_NONE);
        sim_body_plan_destroy(plan);
    }
}

static void friction_is_a_number_in_range_whether_it_acts_or_not(void **state)
{
    (void)state;
    const double bad[] = {-1e-9, -INFINITY, INFINITY, NAN, nextafter(SIM_FRICTION_MAX, INFINITY)};
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_plan *plan;
    uint32_t body = add(sim, 0.01, &off);
    uint64_t hash = sim_hash(sim);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (int self = 0; self < 2; self++) {
            const struct sim_meeting meeting = {.self = self == 1, .friction = bad[i]};
            assert_int_equal(prepare(0.01, &meeting, SCENE_Q, &plan), FAULT_INVALID);
            assert_string_equal(fault.field, "friction");
            assert_non_null(strstr(fault.text, "must be in [0, 1000]"));
            assert_int_equal(set(sim, body, NULL, &meeting), FAULT_INVALID);
            assert_string_equal(fault.field, "friction");
            assert_told(sim, body, 0.01, &off);
        }
    }
    assert_int_equal(sim_hash(sim), hash);
    sim_destroy(sim);
}

// Both are looked at as they will be, whichever of them is given.
static void contact_goes_on_and_off_with_the_thickness_it_needs(void **state)
{
    (void)state;
    const double none = 0, enough = 0.01, thin = nextafter(least, 0);
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add(sim, 0, &off);
    const uint64_t bare = sim_hash(sim);
    for (int i = 0; i < MEETS; i++) {
        assert_int_equal(set(sim, body, NULL, &meets[i]), FAULT_INVALID);
        assert_string_equal(fault.field, "thickness");
        assert_int_equal(set(sim, body, &thin, &meets[i]), FAULT_INVALID);
        assert_told(sim, body, 0, &off);
        assert_int_equal(sim_hash(sim), bare);

        assert_int_equal(set(sim, body, &enough, &meets[i]), FAULT_NONE);
        assert_told(sim, body, enough, &meets[i]);
        uint64_t hash = sim_hash(sim);
        assert_int_equal(set(sim, body, &none, NULL), FAULT_INVALID);
        assert_string_equal(fault.field, "thickness");
        assert_told(sim, body, enough, &meets[i]);
        assert_int_equal(sim_hash(sim), hash);

        assert_int_equal(set(sim, body, &none, &off), FAULT_NONE);
        assert_told(sim, body, 0, &off);
        assert_int_equal(sim_hash(sim), bare);
        // One after the other as well.
        assert_int_equal(set(sim, body, &least, NULL), FAULT_NONE);
        assert_int_equal(set(sim, body, NULL, &meets[i]), FAULT_NONE);
        assert_int_equal(set(sim, body, NULL, &off), FAULT_NONE);
        assert_int_equal(set(sim, body, &none, NULL), FAULT_NONE);
        assert_int_equal(sim_hash(sim), bare);
    }
    sim_destroy(sim);
}

static void the_hash_knows_all_of_it_but_where_nothing_is_said(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add(sim, 0.01, &off);
    const struct sim_meeting others[] = {
        {.self = true, .friction = 0.3},
        {.group = 1, .friction = 0.3},
        {.mask = 1, .friction = 0.3},
        {.group = 1, .mask = 1, .friction = 0.3},
        {.self = true, .group = 1, .mask = 1, .friction = 0.3},
        {.self = true, .group = 1, .mask = 1, .friction = 0},
        {.self = true, .group = 2, .mask = 1, .friction = 0.3},
        {.self = true, .group = 1, .mask = 0x80000000, .friction = 0.3},
    };
    enum { OTHERS = sizeof others / sizeof *others };
    uint64_t seen[OTHERS + 1] = {sim_hash(sim)};
    for (int i = 0; i < OTHERS; i++) {
        assert_int_equal(set(sim, body, NULL, &others[i]), FAULT_NONE);
        seen[i + 1] = sim_hash(sim);
        for (int k = 0; k <= i; k++) {
            assert_true(seen[k] != seen[i + 1]);
        }
    }
    // A friction that decides nothing.
    const struct sim_meeting idle = {.friction = 7};
    assert_int_equal(set(sim, body, NULL, &idle), FAULT_NONE);
    assert_told(sim, body, 0.01, &idle);
    assert_int_equal(sim_hash(sim), seen[0]);
    sim_destroy(sim);
}

static void a_sim_made_of_an_image_and_a_body_put_back_meet_as_before(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const struct sim_meeting meeting = {.self = true, .group = 6, .mask = 0xffffffff, .friction = 0.125};
    uint32_t plain = add(sim, 0, &idles[3]), body = add(sim, 0.01, &meeting);
    uint64_t hash = sim_hash(sim);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    sim_image_deinit(&image);
    assert_int_equal(sim_hash(made), hash);
    assert_told(made, plain, 0, &idles[3]);
    assert_told(made, body, 0.01, &meeting);
    sim_destroy(made);

    const struct sim_parts parts = {.bodies = &body, .body_count = 1};
    struct sim_next_ids next;
    uint32_t *removed, count;
    sim_next_ids(sim, &next);
    assert_true(sim_image_take_parts(sim, &parts, &image));
    assert_int_equal(sim_body_remove(sim, body, &removed, &count, &fault), FAULT_NONE);
    free(removed);
    struct sim_body_plan *plan =
        sim_body_prepare_again(&image.bodies[0], SCENE_Q, &scene_limits, &place, &fault);
    assert_non_null(plan);
    assert_int_equal(sim_body_restore(sim, plan, &fault), FAULT_NONE);
    sim_image_deinit(&image);
    assert_told(sim, body, 0.01, &meeting);
    assert_int_equal(sim_hash(sim), hash);

    // One that is too thin is refused from an image as from anybody.
    assert_true(sim_image_take_parts(sim, &parts, &image));
    struct sim_image_body thin = image.bodies[0];
    thin.desc.thickness = 0;
    assert_null(sim_body_prepare_again(&thin, SCENE_Q, &scene_limits, &place, &fault));
    assert_int_equal(fault.code, FAULT_INVALID);
    assert_string_equal(fault.field, "thickness");
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static bool is_thick(double thickness, const struct sim_meeting *meeting)
{
    struct sim_body_plan *plan;
    const struct sim_warning *warnings;
    assert_int_equal(prepare(thickness, meeting, SCENE_Q, &plan), FAULT_NONE);
    uint32_t count = sim_body_plan_warnings(plan, &warnings);
    bool thick = count == 1 && warnings[0].code == SIM_THICK && warnings[0].count == 0 &&
                 strstr(warnings[0].text, "of the mean edge") != NULL;
    assert_int_equal(count, thick ? 1 : 0);
    sim_body_plan_destroy(plan);
    return thick;
}

// A grid of 3 x 3 at 0.1 m: 12 sides and 8 diagonals.
static void a_body_that_is_thick_for_its_edges_is_warned_of_where_it_meets(void **state)
{
    (void)state;
    const double border = SIM_THICKNESS_EDGES * 0.1 * (12 + 4 * sqrt(2)) / 16;
    for (int i = 0; i < MEETS; i++) {
        assert_true(is_thick(1.001 * border, &meets[i]));
        assert_false(is_thick(0.999 * border, &meets[i]));
    }
    for (int i = 0; i < IDLES; i++) {
        assert_false(is_thick(1, &idles[i]));
    }
}

// Columns of a sheet, narrow ones first: the mean edge is long, and many edges are short.
static double thickness_of(double narrow, double given, const struct sim_meeting *meeting, uint32_t *warnings,
                           char *text)
{
    enum { SIDE = 12 };
    double positions[3 * SIDE * SIDE], x = 0;
    uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)], count = 0;
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t j = 0; j < SIDE; j++) {
            const double at[3] = {x, 0, 0.1 * j};
            memcpy(positions + 3 * (i * SIDE + j), at, sizeof at);
            const uint32_t a = i * SIDE + j, six[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            for (int k = 0; i + 1 < SIDE && j + 1 < SIDE && k < 6; k++) {
                triangles[count++] = six[k];
            }
        }
        x += i < SIDE / 2 ? narrow : 0.1;
    }
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = SIDE * SIDE,
                                 .positions = positions,
                                 .triangles = triangles,
                                 .triangle_count = count / 3,
                                 .thickness = given,
                                 .meeting = *meeting};
    const struct sim_warning *told;
    struct fault refusal;
    struct sim_body_plan *plan = sim_body_prepare(&desc, SCENE_Q, 1000, &scene_limits, &refusal);
    assert_non_null(plan);
    const double thickness = sim_body_plan_thickness(plan);
    *warnings = sim_body_plan_warnings(plan, &told);
    snprintf(text, SIM_TEXT_MAX, "%s", *warnings ? told[0].text : "");
    sim_body_plan_destroy(plan);
    return thickness;
}

static void a_thickness_that_is_left_open_follows_from_the_mesh(void **state)
{
    (void)state;
    const double open = (double)NAN;
    uint32_t warnings;
    char text[SIM_TEXT_MAX];
    for (int i = 0; i < MEETS; i++) {
        // Even: 0.15 of the mean. Uneven: 0.35 of the short ones, and no warning.
        assert_near(thickness_of(0.1, open, &meets[i], &warnings, text), 0.15 * 0.1 * (2 + sqrt(2)) / 3,
                    1e-8);
        assert_int_equal(warnings, 0);
        assert_near(thickness_of(0.004, open, &meets[i], &warnings, text), 0.35 * 0.004, 1e-8);
        assert_int_equal(warnings, 0);
        // One that is given stays, and is told about, with what would suit.
        assert_true(thickness_of(0.004, 0.01, &meets[i], &warnings, text) == 0.01);
        assert_int_equal(warnings, 1);
        assert_non_null(strstr(text, "% of the edges are shorter than twice that thickness"));
        assert_non_null(strstr(text, "least 0.004 m"));
        assert_non_null(strstr(text, "0.0014 m would suit it"));
        assert_true(!meets[i].self == !strstr(text, "pairs are near at rest"));
    }
    for (int i = 0; i < IDLES; i++) {
        assert_true(thickness_of(0.004, open, &idles[i], &warnings, text) == 0);
        assert_int_equal(warnings, 0);
    }
}

static void nothing_is_told_of_meetings_before_the_first_tick(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_meetings meetings;
    memset(&meetings, 0xff, sizeof meetings);
    add(sim, 0.01, &meets[0]);
    sim_meetings_of(sim, &meetings);
    assert_true(meetings.pairs == 0 && meetings.pushing == 0 && meetings.crossed == 0 && meetings.held == 0);
    assert_true(meetings.shrunk == 0 && meetings.dropped == 0 && meetings.deepest == 0);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_meets_itself_or_who_has_a_bit_of_its_mask),
        cmocka_unit_test(what_meets_is_thick_enough_for_the_resolution),
        cmocka_unit_test(friction_is_a_number_in_range_whether_it_acts_or_not),
        cmocka_unit_test(contact_goes_on_and_off_with_the_thickness_it_needs),
        cmocka_unit_test(the_hash_knows_all_of_it_but_where_nothing_is_said),
        cmocka_unit_test(a_sim_made_of_an_image_and_a_body_put_back_meet_as_before),
        cmocka_unit_test(a_body_that_is_thick_for_its_edges_is_warned_of_where_it_meets),
        cmocka_unit_test(a_thickness_that_is_left_open_follows_from_the_mesh),
        cmocka_unit_test(nothing_is_told_of_meetings_before_the_first_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
