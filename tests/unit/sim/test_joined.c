// Bodies that loose constraints join and that meet each other: joined particles count as one for contact.
#include "helper_sheet.h"

#include "base/thread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { SIDE = 5, LAST = SIDE - 1, JOINS_MAX = SIDE * SIDE, CALMED = 150 };

static const float CALM = 0.05f; // m/s

static struct fault fault;

struct seam {
    struct sim *sim;
    uint32_t bodies[2], ids[JOINS_MAX], count;
};

// Constraints that join: distances; joins of points; joins of the middles of two edges of the border.
static enum by { BY_DISTANCES, BY_POINTS, BY_EDGES, BY_COUNT } joined_by;

static void join(struct seam *seam, uint32_t one, uint32_t other, double rest)
{
    const uint32_t particles[2] = {one, other};
    if (joined_by != BY_DISTANCES) {
        const uint32_t next = joined_by == BY_EDGES && one % SIDE < LAST ? 1 : 0;
        const double share = next > 0 ? 0.5 : 0;
        const uint32_t bodies[6] = {seam->bodies[0], seam->bodies[0], seam->bodies[0],
                                    seam->bodies[1], seam->bodies[1], seam->bodies[1]};
        const uint32_t corners[6] = {one, one + next, one, other, other + next, other};
        const double weights[6] = {1 - share, share, 0, 1 - share, share, 0};
        const struct sim_constraint_values given = {.rest = &rest, .weights = weights};
        assert_int_equal(sim_constraints_add(seam->sim, SIM_JOIN, 1, bodies, corners, &given,
                                             &seam->ids[seam->count++], &fault),
                         FAULT_NONE);
        return;
    }
    const struct sim_constraint_values values = {.rest = &rest};
    assert_int_equal(sim_constraints_add(seam->sim, SIM_DISTANCE, 1, seam->bodies, particles, &values,
                                         &seam->ids[seam->count++], &fault),
                     FAULT_NONE);
}

// Two sheets, one above the other on a floor, or one beside the other and hung from two corners each. They are joined along all
// of their border, or along one side of it, or all over.
enum where { ON_A_FLOOR, HUNG };
enum what { SIDE_ONLY, BORDER, ALL_OVER };

static struct seam seam_make(enum where where, enum what what, double rest, bool untangle)
{
    static const uint32_t corners[2] = {SIDE * LAST, SIDE * LAST + LAST};
    struct sim_settings settings = sheet_settings(20);
    settings.untangle = untangle;
    struct seam seam = {.sim = scene_create(settings)};
    struct sheet one = sheet_of(SIDE, 0, where == HUNG ? 1 : 2, 0, 0.3, 0), other = one;
    if (where == HUNG) {
        one.pins = other.pins = corners;
        one.pin_count = other.pin_count = 2;
        other.corner[2] = 2.2 * THICK;
    } else {
        one.corner[1] = 1.1 * THICK;
        other.corner[1] = 3.3 * THICK;
        sheet_floor(seam.sim);
    }
    seam.bodies[0] = sheet_add(seam.sim, &one);
    seam.bodies[1] = sheet_add(seam.sim, &other);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const bool is_border = x == 0 || x == LAST || y == 0 || y == LAST;
        const bool is_pinned = where == HUNG && (i == corners[0] || i == corners[1]);
        const bool is_joined = what == ALL_OVER || (what == BORDER ? is_border : y == 0);
        if (is_joined && !is_pinned) {
            join(&seam, i, i, rest);
        }
    }
    return seam;
}

static float fastest(const struct sim *sim)
{
    struct sim_body_info info;
    float most = 0;
    for (uint32_t at = 0; at < sim_body_count(sim); at++) {
        const uint32_t body = sim_body_id_at(sim, at);
        assert_true(sim_body_info(sim, body, &info));
        for (uint32_t i = 0; i < info.particle_count; i++) {
            float v[3];
            scene_velocity(sim, body, i, v);
            const float speed = sqrtf((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
            most = speed > most ? speed : most;
        }
    }
    return most;
}

// The greatest distance that a join is longer than its rest.
static double gap(const struct seam *seam)
{
    double most = 0;
    for (uint32_t i = 0; i < seam->count; i++) {
        struct sim_constraint join;
        double x[2][3], squared = 0;
        assert_true(sim_constraint_get(seam->sim, seam->ids[i], &join));
        const uint32_t side = join.kind == SIM_JOIN ? SIM_JOIN_SIDE : 1;
        for (uint32_t k = 0; k < 2; k++) {
            memset(x[k], 0, sizeof x[k]);
            for (uint32_t c = k * side; c < (k + 1) * side; c++) {
                double at[3];
                scene_position(seam->sim, join.bodies[c], join.particles[c], at);
                for (int axis = 0; axis < 3; axis++) {
                    x[k][axis] += (join.kind == SIM_JOIN ? join.weights[c] : 1) * at[axis];
                }
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            squared += (x[1][axis] - x[0][axis]) * (x[1][axis] - x[0][axis]);
        }
        most = sqrt(squared) - join.rest > most ? sqrt(squared) - join.rest : most;
    }
    return most;
}

static void joined_cloths_come_to_rest(void **state)
{
    (void)state;
    static const struct {
        enum where where;
        enum what what;
        double rest;
    } cases[] = {
        {ON_A_FLOOR, SIDE_ONLY, 0},          {ON_A_FLOOR, BORDER, 0}, {ON_A_FLOOR, BORDER, 0.5 * THICK},
        {ON_A_FLOOR, ALL_OVER, 0.9 * THICK}, {HUNG, SIDE_ONLY, 0},    {HUNG, BORDER, 0.5 * THICK},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct seam seam = seam_make(cases[c].where, cases[c].what, cases[c].rest, false);
        scene_run(seam.sim, CALMED);
        for (int t = 0; t < 20; t++) {
            sheet_run(seam.sim, 1, 0);
            assert_true(fastest(seam.sim) < CALM);
        }
        assert_true(gap(&seam) < 0.05 * THICK);
        sim_destroy(seam.sim);
    }
}

static void cloths_that_joins_hold_come_to_rest(void **state)
{
    (void)state;
    for (joined_by = BY_POINTS; joined_by < BY_COUNT; joined_by++) {
        for (int where = ON_A_FLOOR; where <= HUNG; where++) {
            struct seam seam = seam_make((enum where)where, SIDE_ONLY, 0, false);
            scene_run(seam.sim, CALMED);
            for (int t = 0; t < 20; t++) {
                sheet_run(seam.sim, 1, 0);
                assert_true(fastest(seam.sim) < CALM);
            }
            assert_true(gap(&seam) < 0.05 * THICK);
            sim_destroy(seam.sim);
        }
    }
    joined_by = BY_DISTANCES;
}

// A rest length that shrinks through the distance that contact keeps is not held up there.
static void a_seam_shrinks_through_the_distance_of_contact(void **state)
{
    (void)state;
    joined_by = BY_POINTS;
    struct seam seam = seam_make(HUNG, SIDE_ONLY, 3 * THICK, false);
    double ends[JOINS_MAX] = {0}, seconds[JOINS_MAX];
    scene_run(seam.sim, CALMED);
    for (uint32_t i = 0; i < seam.count; i++) {
        seconds[i] = 0.5;
    }
    const struct sim_constraint_values values = {.rest_end = ends, .seconds = seconds};
    assert_int_equal(sim_constraints_set(seam.sim, seam.ids, seam.count, &values, &fault), FAULT_NONE);
    for (int t = 0; t < 60; t++) {
        scene_run(seam.sim, 1);
        assert_true(t > 15 ||
                    gap(&seam) <
                        1e-4 * THICK); // contact would hold it by three times that, in the tenth tick
    }
    for (uint32_t i = 0; i < seam.count; i++) {
        struct sim_constraint made;
        assert_true(sim_constraint_get(seam.sim, seam.ids[i], &made));
        assert_true(made.rest == 0);
    }
    assert_true(gap(&seam) < 0.05 * THICK);
    sim_destroy(seam.sim);
    joined_by = BY_DISTANCES;
}

// The rest lengths of three layers that are joined in one place add up to more than contact keeps: each is still a neighbour of the
// next one.
static void a_chain_of_joins_is_calm(void **state)
{
    (void)state;
    struct seam seam = seam_make(ON_A_FLOOR, BORDER, 1.2 * THICK, false);
    struct sheet third = sheet_of(SIDE, 0, 2, 0, 0.3, 0);
    third.corner[1] = 5.5 * THICK;
    seam.bodies[0] = seam.bodies[1];
    seam.bodies[1] = sheet_add(seam.sim, &third);
    for (uint32_t i = 0; i < SIDE; i++) {
        join(&seam, i, i, 1.2 * THICK);
    }
    scene_run(seam.sim, CALMED);
    assert_true(fastest(seam.sim) < CALM);
    assert_true(gap(&seam) < 0.05 * THICK);
    sim_destroy(seam.sim);
}

// Ends all joins: removes them, or makes their rest longer than contact keeps, or removes a body.
enum ending { REMOVED, LENGTHENED, ENDINGS };

static void joins_end(struct seam *seam, enum ending ending)
{
    double rests[JOINS_MAX];
    for (uint32_t i = 0; i < seam->count; i++) {
        rests[i] = 2.5 * THICK;
    }
    const struct sim_constraint_values values = {.rest = rests};
    if (ending == REMOVED) {
        assert_int_equal(sim_constraints_remove(seam->sim, seam->ids, seam->count, &fault), FAULT_NONE);
    } else {
        assert_int_equal(sim_constraints_set(seam->sim, seam->ids, seam->count, &values, &fault), FAULT_NONE);
    }
}

// Features that cross by then were free to. They are counted from there on, and come apart in a world that untangles.
static void what_crosses_when_joins_end_is_counted_and_parted(void **state)
{
    (void)state;
    for (int ending = 0; ending < ENDINGS; ending++) {
        struct seam seam = seam_make(ON_A_FLOOR, BORDER, 0.5 * THICK, true);
        scene_run(seam.sim, 120);
        assert_int_equal(sim_crossings(seam.sim), 0);
        joins_end(&seam, (enum ending)ending);
        const uint64_t crossed = sim_crossings(seam.sim);
        struct sim_meetings told;
        assert_true(crossed > 0);
        scene_run(seam.sim, 1);
        sim_meetings_of(seam.sim, &told);
        assert_int_equal(told.crossed, crossed);
        for (int t = 0; t < 120; t++) {
            scene_run(seam.sim, 1);
            assert_true(fastest(seam.sim) < 3);
        }
        assert_int_equal(sim_crossings(seam.sim), 0);
        sim_destroy(seam.sim);
    }
}

static void a_body_that_is_removed_takes_its_joins_along(void **state)
{
    (void)state;
    struct seam seam = seam_make(ON_A_FLOOR, BORDER, 0, false);
    uint32_t *removed, count;
    scene_run(seam.sim, 30);
    assert_int_equal(sim_body_remove(seam.sim, seam.bodies[1], &removed, &count, &fault), FAULT_NONE);
    assert_int_equal(count, seam.count);
    free(removed);
    scene_run(seam.sim, 60);
    assert_int_equal(sim_crossings(seam.sim), 0);
    assert_true(fastest(seam.sim) < 1);
    sim_destroy(seam.sim);
}

enum how { PLAINLY, FROM_IMAGES, BY_THREADS, HOWS };

static uint64_t outcome(enum how how, enum sim_isa isa)
{
    const enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct seam seam = seam_make(HUNG, SIDE_ONLY, 0.5 * THICK, false);
    struct base_team *team = how == BY_THREADS ? base_team_create(2) : NULL;
    for (int t = 0; t < 24; t++) {
        struct sim_failure failure;
        if (how == FROM_IMAGES && t % 5 == 4) {
            struct sim_image image;
            struct sim_image_place place;
            assert_true(sim_image_take(seam.sim, &image));
            struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
            assert_non_null(made);
            sim_image_deinit(&image);
            sim_destroy(seam.sim);
            seam.sim = made;
        }
        sim_step(seam.sim, team ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(seam.sim);
    sim_destroy(seam.sim);
    base_team_destroy(team);
    sim_isa_choose(before);
    return hash;
}

static void it_is_the_same_however_it_is_computed(void **state)
{
    (void)state;
    const uint64_t expected = outcome(PLAINLY, sim_isa_chosen());
    for (int how = 0; how < HOWS; how++) {
        assert_int_equal(outcome((enum how)how, sim_isa_chosen()), expected);
    }
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_int_equal(outcome(PLAINLY, (enum sim_isa)isa), expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_cloths_come_to_rest),
        cmocka_unit_test(cloths_that_joins_hold_come_to_rest),
        cmocka_unit_test(a_seam_shrinks_through_the_distance_of_contact),
        cmocka_unit_test(a_chain_of_joins_is_calm),
        cmocka_unit_test(what_crosses_when_joins_end_is_counted_and_parted),
        cmocka_unit_test(a_body_that_is_removed_takes_its_joins_along),
        cmocka_unit_test(it_is_the_same_however_it_is_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
