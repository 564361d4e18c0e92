// Bodies that loose constraints join sleep together, and others as they like, although loose constraints of a kind share batches.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/constraint/constraint.h"
#include "sim/state/join.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TO_SLEEP = 180, PAIRS = 20 }; // more pairs than lanes, so that batches of both sorts are mixed

static struct fault fault;

static bool is_asleep(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

static uint32_t asleep_count(const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        count += is_asleep(sim, sim_body_id_at(sim, b));
    }
    return count;
}

// Two ropes of two particles that hang from pins, whose ends a loose distance joins. The second one may swing.
static uint32_t pair_add(struct sim *sim, double x, float speed, double damping)
{
    uint32_t bodies[2], link;
    const uint32_t particles[] = {1, 1}, edges[] = {0, 1};
    const double masses[] = {0, 0.25}, rest = 0.08, soft = 1e-3; // it pulls, asleep or not
    for (int i = 0; i < 2; i++) {
        const double positions[] = {x + 0.1 * i, 1, 0, x + 0.1 * i, 0.5, 0};
        const float velocities[] = {0, 0, 0, 0, 0, i == 0 ? 0 : speed};
        struct sim_body_desc rope = scene_rope(positions, 2, edges, 1, masses);
        rope.stretch.compliance = 1e-3;
        rope.velocities = velocities;
        bodies[i] = scene_add(sim, &rope);
    }
    const struct sim_constraint_values values = {
        .rest = &rest, .compliance = &soft, .damping = damping > 0 ? &damping : NULL};
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &values, &link, &fault),
                     FAULT_NONE);
    return link;
}

static struct sim *pairs_create(uint32_t iterations, double damping, uint32_t links[PAIRS])
{
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.substeps = 10;
    settings.iterations = iterations;
    settings.damping = 5;
    struct sim *sim = scene_create(settings);
    for (uint32_t p = 0; p < PAIRS; p++) {
        links[p] = pair_add(sim, 2.0 * p, 0, damping);
    }
    return sim;
}

// Grabs one end of the pair and moves it on in each tick.
static void run_swinging(struct sim *sim, uint32_t grab, uint32_t pair, uint32_t first, uint32_t ticks)
{
    for (uint32_t t = first; t < first + ticks; t++) {
        const double target[] = {2.0 * pair, 0.5, 0.1 * sin(0.1 * t)};
        assert_int_equal(sim_grab_move(sim, grab, target, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
}

static uint32_t grab_pair(struct sim *sim, uint32_t pair)
{
    uint32_t grab;
    assert_int_equal(
        sim_grab_begin(sim, 2 * pair + 1, 1, (const double[]){2.0 * pair, 0.5, 0}, 1e-4, &grab, &fault),
        FAULT_NONE);
    return grab;
}

struct bits {
    double x[6 * 2 * PAIRS];
    float v[6 * 2 * PAIRS];
};

static void bits_take(const struct sim *sim, struct bits *bits)
{
    for (uint32_t b = 0; b < 2 * PAIRS; b++) {
        sim_body_positions64(sim, b + 1, 0, 2, bits->x + 6 * (size_t)b);
        sim_body_velocities(sim, b + 1, 0, 2, bits->v + 6 * (size_t)b);
    }
}

// Between ticks low words are those of the whole coordinates, of sleepers too.
static void assert_low_words(const struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            for (int axis = 0; axis < 3; axis++) {
                assert_int_equal(sim->rows[row].x[axis],
                                 (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis]);
            }
        }
    }
}

static bool bits_same(const struct bits *one, const struct bits *other, uint32_t pair)
{
    const size_t at = 12 * (size_t)pair;
    return memcmp(one->x + at, other->x + at, 12 * sizeof *one->x) == 0 &&
           memcmp(one->v + at, other->v + at, 12 * sizeof *one->v) == 0;
}

// One pair is moved all the time. All others fall asleep and keep their bits, while it moves as if they had no loose constraints.
static void a_pair_that_moves_keeps_no_other_awake(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        for (int damped = 0; damped < 2; damped++) {
            const uint32_t pair = 3;
            uint32_t links[PAIRS], more[PAIRS];
            struct bits rest, now, alone;
            struct sim *sim = pairs_create(iterations, damped ? 2 : 0, links);
            struct sim *other = pairs_create(iterations, damped ? 2 : 0, more);
            more[pair] = more[PAIRS - 1];
            scene_run(sim, TO_SLEEP);
            scene_run(other, TO_SLEEP);
            assert_int_equal(asleep_count(sim), 2 * PAIRS);
            bits_take(sim, &rest);
            assert_int_equal(sim_constraints_remove(other, more, PAIRS - 1, &fault), FAULT_NONE);
            uint32_t grab = grab_pair(sim, pair), same = grab_pair(other, pair);
            run_swinging(sim, grab, pair, 0, 200);
            run_swinging(other, same, pair, 0, 200);
            assert_int_equal(asleep_count(sim), 2 * PAIRS - 2);
            bits_take(sim, &now);
            bits_take(other, &alone);
            for (uint32_t p = 0; p < PAIRS; p++) {
                assert_true(bits_same(&now, &rest, p) == (p != pair));
            }
            assert_true(bits_same(&now, &alone, pair));
            assert_low_words(sim);
            sim_destroy(sim);
            sim_destroy(other);
        }
    }
}

// A body that is grabbed wakes the other one of its pair in the same tick, and later both sleep again.
static void a_pair_wakes_and_sleeps_as_one(void **state)
{
    (void)state;
    uint32_t links[PAIRS];
    struct sim *sim = pairs_create(1, 0, links);
    scene_run(sim, TO_SLEEP);
    uint32_t grab = grab_pair(sim, 7), most = 600;
    scene_run(sim, 1);
    for (uint32_t b = 1; b <= 2 * PAIRS; b++) {
        assert_int_equal(is_asleep(sim, b), b != 15 && b != 16);
    }
    run_swinging(sim, grab, 7, 0, 20);
    assert_int_equal(sim_grab_end(sim, grab, &fault), FAULT_NONE);
    while (asleep_count(sim) < 2 * PAIRS && most > 0) {
        scene_run(sim, 1);
        most--;
    }
    assert_true(most > 0);
    sim_destroy(sim);
}

// A constraint that joins two pairs makes them one; without it they are two again. The ids of bodies say which.
static void constraints_join_and_part(void **state)
{
    (void)state;
    uint32_t links[PAIRS], link;
    const uint32_t bodies[] = {2, 3}, particles[] = {1, 1};
    const double rest = 1.9;
    const struct sim_constraint_values values = {.rest = &rest};
    struct sim *sim = pairs_create(1, 0, links);
    scene_run(sim, TO_SLEEP);
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &values, &link, &fault),
                     FAULT_NONE);
    scene_run(sim, 3 * TO_SLEEP);
    assert_int_equal(asleep_count(sim), 2 * PAIRS);
    uint32_t grab = grab_pair(sim, 0);
    scene_run(sim, 1);
    for (uint32_t b = 1; b <= 2 * PAIRS; b++) {
        assert_int_equal(is_asleep(sim, b), b > 4);
    }
    assert_int_equal(sim_constraints_remove(sim, &link, 1, &fault), FAULT_NONE);
    scene_run(sim, 3 * TO_SLEEP);
    for (uint32_t b = 1; b <= 2 * PAIRS; b++) {
        assert_int_equal(is_asleep(sim, b), b > 2);
    }
    assert_int_equal(sim_grab_end(sim, grab, &fault), FAULT_NONE);
    sim_destroy(sim);
}

static uint64_t life(enum sim_isa isa, uint32_t threads)
{
    const enum sim_isa before = sim_isa_chosen();
    uint32_t links[PAIRS];
    uint64_t sum = 0;
    sim_isa_choose(isa);
    struct sim *sim = pairs_create(1, 1, links);
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    uint32_t grab = 0;
    for (uint32_t t = 0; t < 2 * TO_SLEEP; t++) {
        struct sim_failure failure;
        if (t == TO_SLEEP) {
            assert_int_equal(asleep_count(sim), 2 * PAIRS);
            grab = grab_pair(sim, 5);
        }
        if (t >= TO_SLEEP) {
            const double target[] = {10, 0.5, 0.1 * sin(0.1 * t)};
            assert_int_equal(sim_grab_move(sim, grab, target, &fault), FAULT_NONE);
        }
        sim_step(sim, team ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
        sum = sum * 31 + sim_hash(sim);
    }
    assert_int_equal(asleep_count(sim), 2 * PAIRS - 2);
    base_team_destroy(team);
    sim_destroy(sim);
    sim_isa_choose(before);
    return sum;
}

static void it_is_the_same_whatever_computes_it(void **state)
{
    (void)state;
    const uint64_t expected = life(sim_isa_chosen(), 1);
    assert_int_equal(life(sim_isa_chosen(), 3), expected);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_int_equal(life((enum sim_isa)isa, 1), expected);
        }
    }
}

static struct sim_constraint constraint_of(struct sim *sim, uint32_t id)
{
    struct sim_constraint constraint;
    bool hold;
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_true(hold && sim_constraint_get(sim, id, &constraint));
    sim_multipliers_drop(sim);
    return constraint;
}

static double force_of(struct sim *sim, uint32_t id)
{
    return constraint_of(sim, id).multiplier[0] * 600.0 * 600.0;
}

// The ropes carry their weight, asleep or not, with one iteration or several, while another pair moves, and where an image made
// them. Constraint 1 is the edge of the first rope.
static void sleepers_keep_their_forces(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 3; iterations++) {
        uint32_t links[PAIRS];
        struct sim_image image;
        struct sim_image_place place;
        struct sim *sim = pairs_create(iterations, 0, links);
        scene_run(sim, TO_SLEEP);
        const double edge = force_of(sim, 1), link = force_of(sim, links[0]);
        assert_near(edge, -0.25 * 9.81, 0.05);
        uint32_t grab = grab_pair(sim, 2);
        run_swinging(sim, grab, 2, 0, 20);
        assert_true(is_asleep(sim, 1));
        assert_near(force_of(sim, 1), edge, 1e-9);
        assert_near(force_of(sim, links[0]), link, 1e-9);
        assert_int_equal(sim_grab_end(sim, grab, &fault), FAULT_NONE);
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(made);
        scene_run(made, 1);
        scene_run(sim, 1);
        assert_near(force_of(made, 1), -0.25 * 9.81, 0.05);
        for (int t = 0; t < 30; t++) { // to ask changes nothing
            force_of(made, 1);
            scene_run(sim, 1);
            scene_run(made, 1);
            assert_int_equal(sim_hash(made), sim_hash(sim));
        }
        sim_destroy(made);
        sim_destroy(sim);
    }
}

// Forces of some bodies are those that are found if all are asked for, and to ask for less is less work.
static void forces_of_some_bodies(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        uint32_t links[PAIRS];
        struct sim_forces some, all;
        struct sim_constraint constraint, same;
        struct sim *sim = pairs_create(iterations, 0, links);
        const uint32_t asked[] = {9, 9};
        scene_run(sim, 10);
        assert_int_equal(sim_forces_find(sim, NULL, 0, true, &all, &fault), FAULT_NONE);
        assert_true(all.hold && sim_constraint_get(sim, links[4], &constraint));
        sim_multipliers_drop(sim);
        assert_int_equal(sim_forces_find(sim, asked, 2, true, &some, &fault), FAULT_NONE);
        assert_true(some.hold && sim_constraint_get(sim, links[4], &same));
        sim_multipliers_drop(sim);
        assert_true(constraint.multiplier[0] != 0);
        assert_true(memcmp(constraint.multiplier, same.multiplier, sizeof same.multiplier) == 0);
        assert_int_equal(all.visits, iterations == 1 ? 2 * PAIRS : 0);
        assert_int_equal(some.visits, iterations == 1 ? 2 : 0);
        sim_destroy(sim);
    }
}

// --------------------------------------------------------------------------------------- slides and joins

// More worlds of a kind than lanes, so that batches of sleepers and of one that moves are mixed.
enum { WORLDS = 20, ODD = 5 };

struct tied {
    struct sim *sim;
    uint32_t ids[WORLDS];
};

static struct tied tied_create(uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.substeps = ODD;
    settings.iterations = iterations;
    settings.damping = 5;
    return (struct tied){.sim = scene_create(settings)};
}

// A rope with friction that is too short for three fixed particles slips in each substep: what one side lacks goes back and forth.
// The last one holds a particle that is free.
static struct tied slides_create(uint32_t iterations)
{
    struct tied tied = tied_create(iterations);
    for (uint32_t w = 0; w < WORLDS; w++) {
        const double x = 2.0 * w, rest = 0.9, friction = 0.2, soft = 1e-3,
                     *give = w + 1 == WORLDS ? &soft : NULL;
        const double masses[] = {0, 0, w + 1 == WORLDS ? 1 : 0};
        const double positions[] = {x, 1, 0, x, 1.6, 0, x + 0.4, 1, 0};
        const uint32_t particles[] = {0, 1, 2};
        const struct sim_body_desc desc = scene_points(positions, 3, masses);
        const uint32_t body = scene_add(tied.sim, &desc), bodies[] = {body, body, body};
        const struct sim_constraint_values values = {
            .rest = &rest, .friction = &friction, .compliance = give};
        assert_int_equal(
            sim_constraints_add(tied.sim, SIM_SLIDE, 1, bodies, particles, &values, &tied.ids[w], &fault),
            FAULT_NONE);
    }
    return tied;
}

// A weight that hangs by a join from a fixed particle of another body.
static struct tied joins_create(uint32_t iterations)
{
    struct tied tied = tied_create(iterations);
    for (uint32_t w = 0; w < WORLDS; w++) {
        const double x = 2.0 * w, rest = 0.5, soft = 1e-3, hold = 0, mass = 1, limit = 100;
        const double weights[] = {1, 0, 0, 1, 0, 0};
        const struct sim_body_desc top = scene_points((const double[]){x, 1, 0}, 1, &hold),
                                   low = scene_points((const double[]){x, 0.5, 0}, 1, &mass);
        const uint32_t a = scene_add(tied.sim, &top), b = scene_add(tied.sim, &low);
        const uint32_t bodies[] = {a, a, a, b, b, b}, particles[6] = {0};
        const struct sim_constraint_values values = {
            .rest = &rest, .compliance = &soft, .weights = weights, .force_limit = &limit};
        assert_int_equal(
            sim_constraints_add(tied.sim, SIM_JOIN, 1, bodies, particles, &values, &tied.ids[w], &fault),
            FAULT_NONE);
    }
    return tied;
}

static struct sim_constraint tied_get(const struct tied *tied, uint32_t w)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(tied->sim, tied->ids[w], &constraint));
    return constraint;
}

static double pull_of(const struct tied *tied, uint32_t w)
{
    const struct sim_constraint constraint = constraint_of(tied->sim, tied->ids[w]);
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += constraint.multiplier[axis] * constraint.multiplier[axis];
    }
    return sqrt(sum);
}

// The last one is pulled about until all others have slept for a while. Ticks are odd in number, and so are substeps.
static void keep_last_awake(struct tied *tied, uint32_t body, uint32_t particle, uint32_t ticks)
{
    static uint32_t time;
    uint32_t grab;
    double at[3];
    scene_position(tied->sim, body, particle, at);
    assert_int_equal(sim_grab_begin(tied->sim, body, particle, at, 1e-3, &grab, &fault), FAULT_NONE);
    for (uint32_t t = 0; t < ticks; t++) {
        const double target[] = {at[0], at[1], at[2] + 0.1 * sin(0.1 * time++)};
        assert_int_equal(sim_grab_move(tied->sim, grab, target, &fault), FAULT_NONE);
        scene_run(tied->sim, 1);
    }
    assert_int_equal(sim_grab_end(tied->sim, grab, &fault), FAULT_NONE);
}

static void sleeping_slides_keep_their_sides(void **state)
{
    (void)state;
    struct tied tied = slides_create(1);
    double sides[WORLDS];
    keep_last_awake(&tied, WORLDS, 2, TO_SLEEP);
    for (uint32_t w = 0; w < WORLDS; w++) {
        assert_int_equal(is_asleep(tied.sim, w + 1), w + 1 < WORLDS);
        sides[w] = tied_get(&tied, w).side;
    }
    for (uint32_t tick = 0; tick < 3; tick++) {
        keep_last_awake(&tied, WORLDS, 2, 1);
        for (uint32_t w = 0; w + 1 < WORLDS; w++) {
            assert_true(is_asleep(tied.sim, w + 1));
            assert_true(tied_get(&tied, w).side == sides[w]);
        }
    }
    assert_true(tied_get(&tied, WORLDS - 1).side != sides[WORLDS - 1]);
    sim_destroy(tied.sim);
}

// With several iterations a sleeper's multipliers are those of its last substep, and in each case it carries nothing that could part
// it.
static void sleeping_joins_keep_what_they_carried(void **state)
{
    (void)state;
    const uint32_t w = WORLDS - 2; // in the batch of the last one
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        struct tied tied = joins_create(iterations);
        keep_last_awake(&tied, 2 * WORLDS, 0, 2 * TO_SLEEP);
        assert_true(is_asleep(tied.sim, 2 * w + 2) && !is_asleep(tied.sim, 2 * WORLDS));
        const double pull = pull_of(&tied, w);
        assert_near(pull * (60 * ODD) * (60 * ODD), 9.81, 0.05);
        keep_last_awake(&tied, 2 * WORLDS, 0, 3);
        assert_true(is_asleep(tied.sim, 2 * w + 2));
        struct sim_id_range *range;
        uint32_t slot;
        assert_true(sim_slot_of(tied.sim, tied.ids[w], &range, &slot));
        for (uint32_t axis = 0; axis < SIM_JOIN_SCRATCH; axis++) {
            const float *tally =
                sim_batch_params(&tied.sim->stores[SIM_JOIN], slot / SIM_LANES, SIM_JOIN_TALLY + axis);
            assert_true(tally[slot % SIM_LANES] == 0);
        }
        assert_near(pull_of(&tied, w), pull, 1e-12);
        sim_destroy(tied.sim);
    }
}

// An undo that gives a slide nothing but another side wakes what it holds. One that gives the side that is there does not.
static void a_side_that_comes_back_wakes(void **state)
{
    (void)state;
    struct tied tied = slides_create(1);
    struct sim_image image;
    scene_run(tied.sim, TO_SLEEP);
    assert_true(is_asleep(tied.sim, 1) && is_asleep(tied.sim, 2));
    assert_true(sim_image_take_parts(
        tied.sim, &(struct sim_parts){.constraints = &tied.ids[0], .constraint_count = 1}, &image));
    struct sim_image_constraints batch = image.batches[0];
    batch.sides_return = true;
    assert_int_equal(sim_loose_restore(tied.sim, &batch, &fault), FAULT_NONE);
    scene_run(tied.sim, 1);
    assert_true(is_asleep(tied.sim, 1) && is_asleep(tied.sim, 2));
    const double other = tied_get(&tied, 0).side / 2;
    batch.values.side = &other;
    assert_int_equal(sim_loose_restore(tied.sim, &batch, &fault), FAULT_NONE);
    scene_run(tied.sim, 1);
    assert_true(!is_asleep(tied.sim, 1) && is_asleep(tied.sim, 2));
    sim_image_deinit(&image);
    sim_destroy(tied.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_that_moves_keeps_no_other_awake),
        cmocka_unit_test(a_pair_wakes_and_sleeps_as_one),
        cmocka_unit_test(constraints_join_and_part),
        cmocka_unit_test(it_is_the_same_whatever_computes_it),
        cmocka_unit_test(sleepers_keep_their_forces),
        cmocka_unit_test(forces_of_some_bodies),
        cmocka_unit_test(sleeping_slides_keep_their_sides),
        cmocka_unit_test(sleeping_joins_keep_what_they_carried),
        cmocka_unit_test(a_side_that_comes_back_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
