// Every instruction set comes to the bits of the scalar twin: each kernel on batches made by hand, of which many
// are such as no world that holds together has.
//
// What is compared are rows, velocities, multipliers and what is remembered of lengths and ways. A NaN equals any
// NaN: which one an operation gives is not fixed by IEEE 754, and none gets into a row (a correction that is no
// number is rounded like any other).
#include "helper_scene.h"
#include "sim/state/join.h"
#include "sim/state/kind.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    BATCHES = 5,
    FIRST_ROW = 16, // those before are static; holes point at row 4
    ROWS = FIRST_ROW + BATCHES * SIM_LANES * SIM_STENCIL_MAX,
    WORDS_MAX = (SIM_STENCIL_MAX + SIM_PARAMS_MAX + 4) * SIM_LANES,
    ROUNDS = 200,
};

// All that a kernel reads and writes.
struct matter {
    alignas(64) struct sim_row rows[ROWS];
    struct sim_row predicted[ROWS], previous[ROWS];
    struct sim_velocity velocities[ROWS];
    struct sim_turn turns[ROWS]; // this and the next two: of kinds that turn something
    struct sim_spin spins[ROWS];
    struct sim_joint joints[ROWS];
    uint32_t batches[BATCHES * WORDS_MAX];
    float damping[BATCHES][SIM_LANES];
    float multipliers[BATCHES * 3 * SIM_LANES];
    uint32_t order[BATCHES];
    struct sim_batch_meta meta[BATCHES];
    struct sim_times times;
    float longest, step, reach;
};
static struct sim_shelf shelf; // of the batches that are made or solved
static struct matter made, scalar, wide;
static uint64_t seed;

// -------------------------------------------------------------------------------------------------- drawing

static uint32_t below(uint32_t count)
{
    return (uint32_t)(scene_random(&seed) >> 32) % count;
}

static float between(double least, double most)
{
    return (float)(least + (most - least) * scene_uniform(&seed));
}

// Any order of magnitude that there is.
static float any_float(void)
{
    static const float special[] = {0,       -0.0f,  1,     -1,         0.5f,     1e-45f,    -1e-38f,
                                    3.4e38f, -3e38f, 1e20f, 2147483648, INFINITY, -INFINITY, NAN};
    if (below(6) == 0) {
        return special[below(sizeof special / sizeof special[0])];
    }
    return (float)ldexp(scene_uniform(&seed) - 0.5, (int)below(250) - 125);
}

static int32_t any_word(uint32_t spread_bits)
{
    uint32_t word = (uint32_t)(scene_random(&seed) >> 32);
    return spread_bits >= 32 ? (int32_t)word
                             : (int32_t)(word >> (32 - spread_bits)) - (1 << spread_bits >> 1);
}

static float any_weight(void)
{
    static const float weights[] = {0, 0, 1, 100, 1e-20f, 1e9f, 12345};
    return below(2) == 0 ? between(0, 1000) : weights[below(7)];
}

// Corners of one stencil: anywhere, in one place, in a line or in a plane; near or far; some static, or all.
static void place_corners(struct sim_row *row, uint32_t count)
{
    static const uint32_t spreads[] = {2, 8, 16, 22, 24, 27, 27, 30, 32};
    uint32_t spread = spreads[below(9)], shape = below(8);
    bool fixed = below(10) == 0;
    int32_t way[3], side[3];
    for (int axis = 0; axis < 3; axis++) {
        row[0].x[axis] = any_word(below(2) == 0 ? 32 : 26);
        way[axis] = any_word(spread);
        side[axis] = any_word(spread);
    }
    for (uint32_t k = 0; k < count; k++) {
        row[k].w = fixed ? 0 : any_weight();
        for (int axis = 0; axis < 3; axis++) {
            int32_t x = any_word(spread);
            if (shape == 0) {
                x = 0;
            } else if (shape == 1) {
                x = sim_wrap_add(way[axis], k == 2 ? way[axis] : 0);
            } else if (shape == 2) {
                x = k % 2 == 0 ? way[axis] : side[axis];
            }
            row[k].x[axis] = k == 0 ? row[0].x[axis] : sim_wrap_add(row[0].x[axis], x);
        }
    }
}

// In the range that constraints have and at its ends, or far beyond.
static float any_param(const struct matter *matter, uint32_t kind, uint32_t param, bool wild)
{
    if (wild && below(6) == 0) {
        return any_float();
    }
    if (kind == SIM_JOIN && param >= SIM_JOIN_WEIGHT && param < SIM_JOIN_END) {
        return below(4) == 0 ? 0 : between(0, 0.5);
    }
    if (kind == SIM_JOIN && param > SIM_JOIN_END) { // those that part are few
        return param == SIM_JOIN_LEFT     ? (float)below(3)
               : param == SIM_JOIN_PARTED ? below(6) == 0
                                          : between(0, 9);
    }
    if (kind == SIM_SLIDE && param == SIM_SLIDE_RATIO) {
        return below(2) == 0 ? 1 : between(1, SIM_RATIO_MAX);
    }
    if (kind == SIM_SLIDE && param == SIM_SLIDE_FRICTION) {
        return below(2) == 0 ? 0 : between(0, SIM_SLIDE_FRICTION_MAX);
    }
    if (sim_kind_rows[kind]->in_quanta) {
        return below(4) == 0 ? (below(2) == 0 ? 0 : 1073741824.0f) : between(0, 3e8);
    }
    switch (kind) {
    case SIM_ROD_STRETCH:
    case SIM_ROD_BEND:
        return wild ? any_float() : between(0.01, 2);
    case SIM_DIHEDRAL:
        return below(4) == 0 ? (below(2) == 0 ? 0 : -3.14159274f) : between(-3.1416, 3.1416);
    case SIM_VOLUME:
        return below(4) == 0 ? 0 : between(-1, 1) * matter->times.q * (float)(1 << below(30));
    default:
        return below(8) == 0 ? 0 : param == 3 ? between(0, 1e4) : between(-10, 10);
    }
}

static float any_give(enum sim_flavor flavor, bool wild)
{
    static const float gives[] = {0, 1e10f, 1e-10f, 1e-6f, 1, 1e30f, NAN};
    return flavor == SIM_STIFF ? between(0, 1)
           : below(2) == 0     ? gives[below(wild ? 7 : 5)]
                               : between(0, 1e-3);
}

static void make_times(struct sim_times *times)
{
    double rate = 60 * (1 + below(50)), q = SCENE_Q;
    *times = (struct sim_times){.h = (float)(1 / rate),
                                .inv_h = (float)rate,
                                .inv_h2 = (float)(rate * rate),
                                .h_over_q = (float)(1 / rate / q),
                                .q_over_h = (float)(q * rate),
                                .q = (float)q,
                                .inv_q = (float)(1 / q),
                                .kick = {between(-1, 1), between(-1, 1), 0},
                                .wind = {between(-9, 9), below(2) == 0 ? 0 : between(-9, 9), 0},
                                .half_density = 0.6f,
                                .keep = between(0.9, 1),
                                .loss = between(0, 0.1),
                                .gone = between(0, 1),
                                .spare = {between(-0.1, 0.1), 0, between(-0.1, 0.1)}};
}

// Orientations, some of which are held; wild ones are of any length. Static rows have none.
static void make_turns(bool wild)
{
    memset(made.turns, 0, sizeof made.turns);
    memset(made.spins, 0, sizeof made.spins);
    memset(made.joints, 0, sizeof made.joints);
    for (uint32_t i = FIRST_ROW; i < ROWS; i++) {
        double q[4], rest[4], length = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = scene_uniform(&seed) - 0.5;
            rest[k] = (k == 3) + 0.3 * (scene_uniform(&seed) - 0.5);
            length += rest[k] * rest[k];
            made.turns[i].q[k] = any_word(32);
            made.joints[i].rest[k] = any_float();
        }
        for (int k = 0; !wild && k < 4; k++) {
            made.joints[i].rest[k] = (float)(rest[k] / sqrt(length));
        }
        if (!wild) {
            sim_turn_from(q, made.turns[i].q);
        }
        for (int axis = 0; axis < 3; axis++) {
            made.spins[i].v[axis] = wild && below(4) == 0 ? any_float() : between(-50, 50);
        }
        made.spins[i].w = any_weight();
    }
}

// Batches of one kind whose lanes share no particle; one lane in eight is a hole. Wild ones have parameters that no
// edit lets in.
static void make_batches(uint32_t kind, enum sim_flavor flavor, bool wild)
{
    struct sim_store store;
    sim_store_init(&store, kind);
    shelf.batches = made.batches;
    store.shelves = &shelf;
    memset(&made, 0, sizeof made);
    make_times(&made.times);
    uint32_t row = FIRST_ROW;
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        made.order[batch] = (batch * 2 + 1) % BATCHES;
        made.meta[batch].color =
            (uint16_t)(below(4) == 0 ? SIM_SERIAL : below(2)); // runs of one colour, and others
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            bool hole = below(8) == 0;
            for (uint32_t k = 0; k < store.stencil; k++) {
                sim_batch_places(&store, batch, k)[lane] = (hole ? 4 : row + k) * SIM_ROW_BYTES;
            }
            for (uint32_t p = 0; !hole && p < store.param_count; p++) {
                sim_batch_params(&store, batch, p)[lane] = any_param(&made, kind, p, wild);
            }
            if (!hole) {
                sim_batch_params(&store, batch, store.param_count - 1)[lane] = any_give(flavor, wild);
            }
            for (uint32_t k = 1; kind == SIM_JOIN && !hole && k < SIM_STENCIL_MAX;
                 k++) { // points and edges as well
                if (k % SIM_JOIN_SIDE > 0 && below(2) == 0) {
                    sim_batch_places(&store, batch, k)[lane] =
                        (row + k / SIM_JOIN_SIDE * SIM_JOIN_SIDE) * SIM_ROW_BYTES;
                    sim_batch_params(&store, batch, SIM_JOIN_WEIGHT + k - 1 - k / SIM_JOIN_SIDE)[lane] = 0;
                }
            }
            made.damping[batch][lane] = hole || below(4) == 0 ? 0 : between(0, 1e4);
            place_corners(made.rows + row, store.stencil);
            row += store.stencil;
        }
    }
    for (uint32_t i = FIRST_ROW; i < row; i++) {
        made.previous[i] = made.rows[i];
        for (int axis = 0; axis < 3; axis++) {
            made.previous[i].x[axis] = sim_wrap_add(made.rows[i].x[axis], any_word(2 + below(26)));
            made.velocities[i].v[axis] = below(4) == 0 ? any_float() : between(-5, 5);
        }
    }
    for (uint32_t i = 0; i < BATCHES * store.multiplier_count * SIM_LANES; i++) {
        made.multipliers[i] = below(3) == 0 ? 0 : between(-1e-3, 1e-3);
    }
    if (sim_kind_rows[kind]->own) {
        make_turns(wild);
    }
}

// ------------------------------------------------------------------------------------------------ comparing

static struct sim sim_of(struct matter *matter)
{
    struct sim sim = {.rows = matter->rows,
                      .predicted = matter->predicted,
                      .previous = matter->previous,
                      .velocities = matter->velocities,
                      .turns = matter->turns,
                      .spins = matter->spins,
                      .joints = matter->joints,
                      .times = matter->times};
    for (uint32_t kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_init(&sim.stores[kind], kind);
        sim.stores[kind].shelves = &shelf;
    }
    shelf = (struct sim_shelf){.batches = matter->batches,
                               .meta = matter->meta,
                               .damping = matter->damping,
                               .multipliers = matter->multipliers,
                               .used = BATCHES};
    return sim;
}

static void same_floats(const char *what, const float *one, const float *other, size_t count,
                        enum sim_isa isa)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&one[i], &other[i], sizeof one[i]) != 0 && !(isnan(one[i]) && isnan(other[i]))) {
            fail_msg("%s, %s[%zu]: %a, scalar %a", sim_isa_name(isa), what, i, (double)other[i],
                     (double)one[i]);
        }
    }
}

static void same_rows(const char *what, const struct sim_row *one, const struct sim_row *other,
                      enum sim_isa isa)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        if (memcmp(&one[i], &other[i], sizeof one[i]) != 0) {
            fail_msg("%s, %s[%u]: %d %d %d, scalar %d %d %d", sim_isa_name(isa), what, i, other[i].x[0],
                     other[i].x[1], other[i].x[2], one[i].x[0], one[i].x[1], one[i].x[2]);
        }
    }
}

static void same_matter(enum sim_isa isa)
{
    same_rows("rows", scalar.rows, wide.rows, isa);
    same_rows("predicted", scalar.predicted, wide.predicted, isa);
    same_rows("previous", scalar.previous, wide.previous, isa);
    same_floats("velocities", scalar.velocities[0].v, wide.velocities[0].v, (size_t)4 * ROWS, isa);
    same_floats("multipliers", scalar.multipliers, wide.multipliers,
                sizeof wide.multipliers / sizeof wide.multipliers[0], isa);
    assert_memory_equal(scalar.turns, wide.turns, sizeof wide.turns);
    same_floats("spins", scalar.spins[0].v, wide.spins[0].v, (size_t)4 * ROWS, isa);
    same_floats("joints", scalar.joints[0].rest, wide.joints[0].rest, (size_t)4 * ROWS, isa);
    // Slides and joins change what their batches say.
    same_floats("batches", (const float *)(const void *)scalar.batches,
                (const float *)(const void *)wide.batches, sizeof wide.batches / sizeof(float), isa);
    same_floats("longest", &scalar.longest, &wide.longest, 1, isa);
    same_floats("step", &scalar.step, &wide.step, 1, isa);
    same_floats("reach", &scalar.reach, &wide.reach, 1, isa);
}

// Runs the same on `made` in every instruction set, and compares.
typedef void act(const struct sim_kernels *kernels, struct matter *matter, const void *context);
static void compare(act *run, const void *context)
{
    scalar = made;
    run(sim_kernels_of(SIM_ISA_SCALAR), &scalar, context);
    for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            wide = made;
            run(sim_kernels_of((enum sim_isa)isa), &wide, context);
            same_matter((enum sim_isa)isa);
        }
    }
}

// -------------------------------------------------------------------------------------------------- kernels

struct solve {
    uint32_t kind;
    enum sim_flavor flavor;
    bool kept;
};

static void run_solve(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    const struct solve *solve = context;
    struct sim sim = sim_of(matter);
    struct sim_tile tile = {.kind = solve->kind, .order = matter->order, .order_count = BATCHES};
    if (!solve->kept) {
        shelf.multipliers = NULL;
    }
    // In two parts, as where flavours change.
    kernels->runs[solve->kind]->solve[solve->flavor][solve->kept](&sim, &tile, 0, 2);
    kernels->runs[solve->kind]->solve[solve->flavor][solve->kept](&sim, &tile, 2, BATCHES);
    matter->longest = tile.longest;
}

static void run_damp(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    const struct solve *solve = context;
    struct sim sim = sim_of(matter);
    struct sim_tile tile = {.kind = solve->kind, .order = matter->order, .order_count = BATCHES};
    kernels->runs[solve->kind]->damp(&sim, &tile, 0, 2);
    kernels->runs[solve->kind]->damp(&sim, &tile, 2, BATCHES);
}

static void damp_everywhere(uint32_t kind)
{
    uint32_t damped = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = 5 + round * 64 + kind * 4096;
        bool wild = round % 2;
        make_batches(kind, SIM_DAMPED, wild);
        for (uint32_t k = 0; !wild && k < 3 * ROWS; k++) {
            made.velocities[k / 3].v[k % 3] = between(1, 5);
        }
        compare(run_damp, &(struct solve){kind, SIM_DAMPED, false});
        for (uint32_t i = 0; i < ROWS; i++) {
            bool same = memcmp(&made.velocities[i], &scalar.velocities[i], sizeof made.velocities[i]) == 0;
            damped += !same || memcmp(&made.spins[i], &scalar.spins[i], sizeof made.spins[i]) != 0;
            assert_true(wild || same || made.rows[i].w > 0);
        }
        assert_memory_equal(made.rows, scalar.rows, sizeof made.rows);
    }
    assert_true(damped > 1000);
}

static void solve_everywhere(uint32_t kind)
{
    uint32_t moved = 0, no_numbers = 0, still = 0;
    if (sim_kind_rows[kind]->serial) {
        skip(); // it has no lanes, and needs bodies: test_slide_rail.c compares it
    }
    damp_everywhere(kind);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (int flavor = 0; flavor < SIM_FLAVOR_COUNT; flavor++) {
            for (int kept = 0; kept < 2; kept++) {
                seed = 1 + round * 64 + (uint32_t)flavor * 8 + (uint32_t)kept * 4 + kind * 4096;
                bool wild = round % 2;
                make_batches(kind, (enum sim_flavor)flavor, wild);
                compare(run_solve, &(struct solve){kind, (enum sim_flavor)flavor, kept});
                for (uint32_t i = FIRST_ROW; i < ROWS; i++) {
                    bool same = memcmp(&made.rows[i], &scalar.rows[i], sizeof made.rows[i]) == 0;
                    const bool turned = memcmp(&made.turns[i], &scalar.turns[i], sizeof made.turns[i]) != 0;
                    moved += !same || turned;
                    still += same;
                    assert_true(!turned || made.spins[i].w > 0);     // nor does anything held turn
                    assert_true(wild || same || made.rows[i].w > 0); // nothing static goes anywhere
                }
                for (uint32_t i = 0; i < BATCHES * SIM_LANES; i++) {
                    no_numbers += isnan(scalar.multipliers[i]);
                    assert_true(wild || isfinite(scalar.multipliers[i]));
                }
            }
        }
    }
    assert_true(moved > 1000 && still > 1000);
    // For volumes and angles a NaN counts as no error, and a rope does not pull by one.
    assert_true(no_numbers > 0 || kind == SIM_VOLUME || kind == SIM_DIHEDRAL || kind == SIM_SLIDE);
}

#define SOLVED_ALIKE(NAME, name)                     \
    static void name##_is_solved_alike(void **state) \
    {                                                \
        (void)state;                                 \
        solve_everywhere(SIM_##NAME);                \
    }
SIM_KINDS(SOLVED_ALIKE)

// Orientations arrive from anywhere, and set out again.
static void run_turns(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    (void)context;
    struct sim sim = sim_of(matter);
    sim.turned = (struct sim_turn *)(void *)matter->predicted; // as many bytes
    const struct sim_chunk chunk = {.first_row = FIRST_ROW, .count = ROWS - FIRST_ROW - 5};
    kernels->turn_finish(&sim, &chunk);
    kernels->turn_predict(&sim, &chunk);
}

static void orientations_turn_alike(void **state)
{
    (void)state;
    uint32_t turned = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = 11 + round;
        make_batches(SIM_ROD_BEND, SIM_PLAIN, round % 2);
        for (uint32_t i = 0; i < ROWS; i++) {
            memcpy(made.predicted[i].x, made.turns[i].q, sizeof made.predicted[i].x);
            made.predicted[i].w = below(2) == 0 ? any_float() : made.predicted[i].w;
        }
        compare(run_turns, NULL);
        for (uint32_t i = 0; i < ROWS; i++) {
            const bool same = memcmp(&made.turns[i], &scalar.turns[i], sizeof made.turns[i]) == 0;
            turned += !same;
            assert_true(same || made.spins[i].w > 0);
        }
    }
    assert_true(turned > 1000);
}

static struct sim_chunk all_rows(void)
{
    return (struct sim_chunk){.first_row = FIRST_ROW, .count = ROWS - FIRST_ROW - 1};
}

static void run_wind(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    const float *drag_and_lift = context;
    struct sim sim = sim_of(matter);
    struct sim_tile tile = {.kind = SIM_GUSTS,
                            .order = matter->order,
                            .order_count = BATCHES,
                            .drag = drag_and_lift[0],
                            .lift = drag_and_lift[1]};
    struct sim_chunk chunk = all_rows();
    memset(matter->predicted, 0, sizeof matter->predicted);
    kernels->blow(&sim, &tile);
    kernels->predict_blown(&sim, &chunk);
    matter->step = chunk.step;
    matter->reach = chunk.reach;
}

static void wind_blows_alike(void **state)
{
    (void)state;
    uint32_t pushed = 0;
    for (uint32_t round = 0; round < 6 * ROUNDS; round++) {
        seed = 77 + round;
        make_batches(SIM_GUSTS, SIM_PLAIN, true);
        // Along the triangles, or against them; particles that move with it, or not at all.
        for (uint32_t i = FIRST_ROW; round % 3 == 0 && i < ROWS; i++) {
            made.rows[i].x[round / 3 % 3] = 0;
            for (int axis = 0; axis < 3; axis++) {
                made.velocities[i].v[axis] = round % 2 == 0 ? -0.0f : made.times.wind[axis];
            }
        }
        const float drag_and_lift[2] = {between(0, 2), between(0, 2)};
        compare(run_wind, drag_and_lift);
        pushed += memcmp(made.velocities, scalar.velocities, sizeof made.velocities) != 0;
    }
    assert_true(pushed > 2 * ROUNDS);
}

// ------------------------------------------------------------------------------------------- on their own

static void run_predict(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    struct sim sim = sim_of(matter);
    struct sim_chunk chunk = all_rows();
    sim.previous = *(const bool *)context ? matter->previous : NULL;
    kernels->predict(&sim, &chunk);
    matter->step = chunk.step;
    matter->reach = chunk.reach;
}

static void run_finish(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    (void)context;
    struct sim sim = sim_of(matter);
    struct sim_chunk chunk = all_rows();
    kernels->finish(&sim, &chunk);
    matter->reach = chunk.reach;
}

struct arrival {
    bool damped, at_once;
};

static void run_on(const struct sim_kernels *kernels, struct matter *matter, const void *context)
{
    const struct arrival *arrival = context;
    struct sim sim = sim_of(matter);
    struct sim_chunk chunk = all_rows();
    sim.previous = arrival->damped ? matter->previous : NULL;
    if (arrival->at_once) {
        kernels->go_on(&sim, &chunk);
    } else {
        kernels->finish(&sim, &chunk);
        kernels->predict(&sim, &chunk);
    }
    matter->step = chunk.step;
    matter->reach = chunk.reach;
}

// One pass does what finish and predict do one after the other.
static void going_on_is_both_passes(bool damped)
{
    scalar = made;
    run_on(sim_kernels_of(SIM_ISA_SCALAR), &scalar, &(struct arrival){damped, false});
    for (int isa = SIM_ISA_SCALAR; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            wide = made;
            run_on(sim_kernels_of((enum sim_isa)isa), &wide, &(struct arrival){damped, true});
            same_matter((enum sim_isa)isa);
        }
    }
}

static void particles_set_out_and_arrive_alike(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
        seed = 1000 + round;
        make_batches(SIM_VOLUME, SIM_PLAIN, true);
        bool damped = round % 2;
        compare(run_predict, &damped);
        for (uint32_t i = FIRST_ROW; i < ROWS; i++) {
            made.predicted[i] = made.previous[i];
            if (below(4) == 0) { // comes to a rest: below 2^-60 m/s there is none
                made.predicted[i] = made.rows[i];
                made.velocities[i].v[i % 3] = ldexpf(between(-1, 1), (int)below(40) - 80);
            }
        }
        compare(run_finish, NULL);
        going_on_is_both_passes(damped);
    }
}

// Predictions of a quantum's way a quantum a second: what is added to a coordinate is the velocity, rounded.
static void every_instruction_set_rounds_as_sim_round(void **state)
{
    (void)state;
    const float edges[] = {
        0.5f,          1.5f,          2.5f,  0.49999997f, 8388607.5f, 8388608, 16777216, 2147483520.0f,
        2147483648.0f, 4294967296.0f, 3e38f, 1e-45f,      INFINITY,   NAN,     0,        1073741824.0f};
    uint32_t halves = 0;
    for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
        seed = 5 + round;
        memset(&made, 0, sizeof made);
        made.times = (struct sim_times){.h_over_q = 1, .keep = 1};
        for (uint32_t i = FIRST_ROW; i < ROWS; i++) {
            made.rows[i].w = 1;
            for (int axis = 0; axis < 3; axis++) {
                float v = between(-0.5, 0.5) * (float)(UINT64_C(1) << below(34));
                uint32_t edge = below(16 * 4);
                v = edge < 16 ? edges[edge] : edge < 32 ? rintf(v) + 0.5f : v;
                made.velocities[i].v[axis] = below(2) == 0 ? v : -v;
            }
        }
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (!sim_isa_available((enum sim_isa)isa)) {
                continue;
            }
            wide = made;
            run_predict(sim_kernels_of((enum sim_isa)isa), &wide, &(bool){false});
            for (uint32_t i = FIRST_ROW; i < ROWS; i++) {
                for (int axis = 0; axis < 3; axis++) {
                    float v = made.velocities[i].v[axis];
                    bool fits = v >= -2147483648.0f && v < 2147483648.0f;
                    assert_int_equal(wide.rows[i].x[axis], sim_round(v));
                    assert_int_equal(wide.rows[i].x[axis], fits ? (int32_t)rintf(v) : INT32_MIN);
                    halves += fits && sim_abs(v - rintf(v)) == 0.5f;
                }
            }
        }
    }
    assert_true(halves > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(NAME, name) cmocka_unit_test(name##_is_solved_alike),
        SIM_KINDS(TEST) cmocka_unit_test(orientations_turn_alike),
        cmocka_unit_test(wind_blows_alike),
        cmocka_unit_test(particles_set_out_and_arrive_alike),
        cmocka_unit_test(every_instruction_set_rounds_as_sim_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
