// Slides: a rope through a ring. The equations by worked vectors, in all instruction sets, and what worlds of them do.
#include "helper_scene.h"
#include "sim/state/kernels.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

#define PI 3.14159265358979323846

// ------------------------------------------------------------------------------------------------- one row

enum { IDLE = 3, ROWS = 4 };

// One batch whose first lane is a rope; the others are holes.
struct rope {
    struct sim sim;
    struct sim_tile tile;
    struct sim_shelf shelf;
    struct sim_batch_meta meta;
    _Alignas(64) struct sim_row rows[ROWS];
    _Alignas(64) uint32_t words[(3 + 5) * SIM_LANES];
    uint32_t order[1];
    _Alignas(64) float multipliers[2 * SIM_LANES];
};

struct row {
    double x[3][3], w[3], rest, ratio, friction, side, at, lambda;
};

static void rope_init(struct rope *rope, const struct row *row)
{
    *rope =
        (struct rope){.sim = {.rows = rope->rows,
                              .times = {.q = (float)SCENE_Q, .inv_q = (float)(1 / SCENE_Q), .inv_h2 = 1}}};
    rope->shelf = (struct sim_shelf){
        .batches = rope->words, .meta = &rope->meta, .multipliers = rope->multipliers, .used = 1};
    struct sim_store *store = &rope->sim.stores[SIM_SLIDE];
    sim_store_init(store, SIM_SLIDE);
    store->shelves = &rope->shelf;
    rope->tile = (struct sim_tile){.kind = SIM_SLIDE, .order = rope->order, .order_count = 1};
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            sim_batch_places(store, 0, k)[lane] = (lane == 0 ? k : IDLE) * SIM_ROW_BYTES;
        }
        rope->rows[k].w = (float)row->w[k];
        for (int axis = 0; axis < 3; axis++) {
            rope->rows[k].x[axis] = (int32_t)lround(row->x[k][axis] / SCENE_Q);
        }
    }
    sim_batch_params(store, 0, SIM_SLIDE_REST)[0] = (float)(row->rest / SCENE_Q);
    sim_batch_params(store, 0, SIM_SLIDE_RATIO)[0] = (float)row->ratio;
    sim_batch_params(store, 0, SIM_SLIDE_FRICTION)[0] = (float)row->friction;
    sim_batch_params(store, 0, SIM_SLIDE_SIDE)[0] = (float)(row->side / SCENE_Q);
    sim_batch_params(store, 0, SIM_SLIDE_SIDE + 1)[0] = (float)row->at;
    rope->multipliers[0] = rope->multipliers[SIM_LANES] = (float)(row->lambda / SCENE_Q);
}

static void rope_solve(struct rope *rope, enum sim_isa isa)
{
    sim_kernels_of(isa)->runs[SIM_SLIDE]->solve[SIM_PLAIN][true](&rope->sim, &rope->tile, 0, 1);
}

struct vector {
    const char *name;
    struct row row;
    double after[3][3], ta, tb, passed;
};

#define AT                        \
    {                             \
        {-1, -1, 0}, {0, .2, .1}, \
        {                         \
            .8, -1.5, .3          \
        }                         \
    }
#define W        \
    {            \
        1, .5, 2 \
    }

static const struct vector vectors[] = {
    {"P1",
     {AT, W, 3, 1, 0, 0, 0, 0},
     {{-0.934166378, -0.920999653, 0.00658336223},
      {-0.0111017378, 0.114142796, 0.102162087},
      {0.712739707, -1.31457188, 0.278184927}},
     0.103045918,
     0.103045918,
     0},
    {"P2",
     {AT, W, 3, 1, 0, 0, .5, 0},
     {{-0.940866977, -0.929040372, 0.00591330234},
      {-0.00997179404, 0.122881411, 0.101942028},
      {0.721621129, -1.3334449, 0.280405282}},
     0.092557822,
     0.092557822,
     0},
    {"P3",
     {AT, W, 3, 1, 0, 0, .5, -.05},
     {{-0.944118245, -0.932941894, 0.00558817549},
      {-0.00942352207, 0.127121567, 0.101835251},
      {0.725930578, -1.34260248, 0.281482645}},
     0.137468782,
     0.137468782,
     0},
    {"P4, a fixed pulley",
     {AT, {1, 0, 2}, 3, 1, 0, 0, 0, 0},
     {{-0.903169324, -0.883803188, 0.00968306764}, {0, 0.2, 0.1}, {0.671654135, -1.22726504, 0.267913534}},
     0.151563982,
     0.151563982,
     0},
    {"P5, a ratio of 2",
     {AT, W, 3, 2, 0, 0, 0, 0},
     {{-0.878490107, -0.854188128, 0.0121509893},
      {0.0197737296, -0.0440293725, 0.114056674},
      {0.477885296, -0.815506253, 0.219471324}},
     0.190193066,
     0.190193066,
     0},
    {"P6, slack", {AT, W, 4, 1, 0, 0, 0, 0}, AT, 0, 0, 0},
    {"E1",
     {AT, W, 2.9, 1, .3, 1.2, 0, 0},
     {{-0.889022706, -0.866827247, 0.0110977294},
      {-0.0352823895, 0.0904753267, 0.0995026997},
      {0.71917497, -1.32824681, 0.279793743}},
     0.173706941,
     0.0954464979,
     0.0850004834},
    {"E2",
     {AT, W, 3, 1, .3, 1.5, 0, 0},
     {{-0.956195052, -0.947434062, 0.00438049485},
      {0.00451487723, 0.117580159, 0.10441409},
      {0.694330594, -1.27545251, 0.273582649}},
     0.0685655898,
     0.12478529,
     -0.0633388762},
    {"E3",
     {AT, W, 3, 1, .3, 1.5, .5, 0},
     {{-0.960404408, -0.95248529, 0.00395955917},
      {0.00408102832, 0.125500144, 0.103989926},
      {0.704484703, -1.29702999, 0.276121176}},
     0.0619769043,
     0.112794274,
     -0.0664768205},
    {"E4, hardly any friction",
     {AT, W, 3, 1, 1e-7, 1.5, 0, 0},
     {{-0.934166378, -0.920999653, 0.00658336223},
      {-0.0111017378, 0.114142796, 0.102162087},
      {0.712739707, -1.31457188, 0.278184927}},
     0.103045918,
     0.103045918,
     -0.11057543},
};

static void the_vectors_come_out_in_every_instruction_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            const struct vector *vector = &vectors[i];
            static struct rope rope;
            if (!sim_isa_available((enum sim_isa)isa)) {
                continue;
            }
            rope_init(&rope, &vector->row);
            rope_solve(&rope, (enum sim_isa)isa);
            for (int k = 0; k < 9; k++) {
                scene_near(rope.rows[k / 3].x[k % 3] * SCENE_Q, vector->after[k / 3][k % 3], 1e-6,
                           vector->name, __FILE__, __LINE__);
            }
            assert_near(-(double)rope.multipliers[0] * SCENE_Q, vector->ta, 1e-6);
            assert_near(-(double)rope.multipliers[SIM_LANES] * SCENE_Q, vector->tb, 1e-6);
            const double side =
                (double)sim_batch_params(&rope.sim.stores[SIM_SLIDE], 0, SIM_SLIDE_SIDE)[0] * SCENE_Q;
            assert_near(side - vector->row.side, vector->passed, 1e-6);
        }
    }
}

static double length_of(const struct row *row, int k)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += pow(row->x[k][axis] - row->x[1][axis], 2);
    }
    return sqrt(sum);
}

static double path_of(const struct row *row)
{
    return length_of(row, 0) + row->ratio * length_of(row, 2);
}

// The steps that the kernel makes are the inverse masses times one number times the gradient.
static void the_steps_follow_the_gradient_found_by_finite_differences(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int run = 0; run < 100; run++) {
        struct row row = {.w = {1, .5, 2}, .ratio = run % 2 ? 1 : 1 + 3 * scene_uniform(&seed)};
        double weight = 0, grad[9];
        for (int k = 0; k < 9; k++) {
            row.x[k / 3][k % 3] = (double)lround((scene_uniform(&seed) - 0.5) / SCENE_Q) * SCENE_Q;
        }
        row.rest = 0.7 * path_of(&row);
        for (int k = 0; k < 9; k++) {
            struct row more = row, less = row;
            more.x[k / 3][k % 3] += 1e-6;
            less.x[k / 3][k % 3] -= 1e-6;
            grad[k] = (path_of(&more) - path_of(&less)) / 2e-6;
            weight += row.w[k / 3] * grad[k] * grad[k];
        }
        static struct rope rope;
        rope_init(&rope, &row);
        rope_solve(&rope, SIM_ISA_SCALAR);
        for (int k = 0; k < 9; k++) {
            const double way = rope.rows[k / 3].x[k % 3] * SCENE_Q - row.x[k / 3][k % 3];
            assert_near(way, -row.w[k / 3] * grad[k] * (path_of(&row) - row.rest) / weight, 1e-6);
        }
    }
}

// A rope too short for its fixed ends cannot be made to fit. Its ring goes to the straight line and not beyond.
static void a_ring_is_not_thrown_past_the_line_between_fixed_ends(void **state)
{
    (void)state;
    struct row row = {{{-1, 0, 0}, {.3, -.01, 0}, {1, 0, 0}}, {0, 1, 0}, .rest = 1, .ratio = 1};
    static struct rope rope;
    rope_init(&rope, &row);
    rope_solve(&rope, SIM_ISA_SCALAR);
    assert_near(rope.rows[1].x[1] * SCENE_Q, 0, 1e-6);
    assert_near(rope.rows[1].x[0] * SCENE_Q, .3, 0.01);
}

// -------------------------------------------------------------------------------------------------- worlds

// Three points and a rope through the middle one.
struct world {
    struct sim *sim;
    uint32_t body, id;
};

static const uint32_t corners[3] = {0, 1, 2};

static struct world world_with(struct sim_settings settings, const double x[3][3], const double masses[3],
                               const struct sim_constraint_values *values)
{
    struct world world = {.sim = scene_create(settings)};
    struct sim_body_desc desc = scene_points(&x[0][0], 3, masses);
    world.body = scene_add(world.sim, &desc);
    const uint32_t bodies[3] = {world.body, world.body, world.body};
    if (sim_constraints_add(world.sim, SIM_SLIDE, 1, bodies, corners, values, &world.id, &fault) !=
        FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return world;
}

static struct sim_settings settings_of(uint32_t substeps, uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.iterations = iterations;
    return settings;
}

static struct sim_constraint slide_of(const struct world *world)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(world->sim, world->id, &constraint));
    return constraint;
}

// Tensions of the last substep, N.
static void tensions_of(const struct world *world, double tensions[2])
{
    const struct sim_settings *settings = sim_settings_of(world->sim);
    const double rate = (double)settings->tick_rate * settings->substeps;
    bool hold;
    assert_int_equal(sim_multipliers_find(world->sim, &hold, &fault), FAULT_NONE);
    assert_true(hold);
    const struct sim_constraint constraint = slide_of(world);
    tensions[0] = -constraint.multiplier[0] * rate * rate;
    tensions[1] = -constraint.multiplier[1] * rate * rate;
    sim_multipliers_drop(world->sim);
}

static const double hanging[3][3] = {{0, -1.5, 0}, {0, 0, 0}, {0, -1, 0}};

static void atwoods_machine_accelerates_by_a_third_of_gravity(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations < 4; iterations += 2) {
        const double masses[3] = {1, 0, 2};
        struct world world =
            world_with(settings_of(20, iterations), hanging, masses, &(struct sim_constraint_values){0});
        float light[3], heavy[3];
        double tensions[2];
        scene_run(world.sim, 30);
        scene_velocity(world.sim, world.body, 0, light);
        scene_velocity(world.sim, world.body, 2, heavy);
        assert_near((double)light[1], 9.81 / 3 / 2, 1e-3 * 9.81 / 3 / 2);
        assert_near((double)heavy[1], -9.81 / 3 / 2, 1e-3 * 9.81 / 3 / 2);
        tensions_of(&world, tensions);
        assert_near(tensions[0], 13.08, 1e-3 * 13.08);
        assert_near(tensions[1], 13.08, 1e-3 * 13.08);
        sim_destroy(world.sim);
    }
}

// Half a turn: the heavy side may pull e^(0.2 pi) = 1.874 times as much.
static void with_friction_atwoods_machine_moves_slower_or_not_at_all(void **state)
{
    (void)state;
    const double friction = .2, grip = exp(.2 * PI), a = 9.81 * (2 - grip) / (2 + grip);
    for (uint32_t iterations = 1; iterations < 4; iterations += 2) {
        const double moving[3] = {1, 0, 2}, resting[3] = {1, 0, 1.8};
        const struct sim_constraint_values values = {.friction = &friction};
        struct world world = world_with(settings_of(20, iterations), hanging, moving, &values);
        float heavy[3];
        double tensions[2], x[3];
        scene_run(world.sim, 60);
        scene_velocity(world.sim, world.body, 2, heavy);
        assert_near((double)heavy[1], -a, 1e-2 * a);
        tensions_of(&world, tensions);
        assert_near(tensions[1], 18.9842536, 1e-2 * 18.98);
        assert_near(tensions[0] * grip, tensions[1], 1e-2 * 18.98);
        assert_near(slide_of(&world).side, 1.5 - a / 2, 1e-2 * a);
        sim_destroy(world.sim);
        world = world_with(settings_of(20, iterations), hanging, resting, &values);
        scene_run(world.sim, 120);
        scene_position(world.sim, world.body, 2, x);
        assert_near(x[1], -1, 1e-5);
        tensions_of(&world, tensions);
        assert_near(tensions[0], 9.81, 5e-2);
        assert_near(tensions[1], 1.8 * 9.81, 5e-2);
        sim_destroy(world.sim);
    }
}

// A ring on a rope of 2 m whose ends are 1 m apart, moved from rest along an axis. Returns the period.
static double period_of(int axis, const double ring[3])
{
    const double x[3][3] = {{-.5, 0, 0}, {ring[0], ring[1], ring[2]}, {.5, 0, 0}}, masses[3] = {0, 1, 0},
                 rest = 2;
    struct world world =
        world_with(settings_of(20, 1), x, masses, &(struct sim_constraint_values){.rest = &rest});
    double before[3], now[3], first = 0, last = 0;
    int crossings = 0;
    scene_position(world.sim, world.body, 1, before);
    for (int tick = 1; tick <= 1200; tick++) {
        scene_run(world.sim, 1);
        scene_position(world.sim, world.body, 1, now);
        if (before[axis] < 0 && now[axis] >= 0) {
            last = (tick - now[axis] / (now[axis] - before[axis])) / 60;
            first = crossings++ == 0 ? last : first;
        }
        memcpy(before, now, sizeof before);
    }
    sim_destroy(world.sim);
    assert_true(crossings > 5);
    return (last - first) / (crossings - 1);
}

static void a_ring_hangs_on_the_ellipse_and_swings_along_and_across_it(void **state)
{
    (void)state;
    const double b = sqrt(.75), small = .02, y = -b * sqrt(1 - small * small);
    const double start[3][3] = {{-.5, 0, 0}, {.1, -.8, 0}, {.5, 0, 0}}, masses[3] = {0, 1, 0}, rest = 2;
    struct sim_settings settings = settings_of(20, 1);
    settings.damping = 4;
    struct world world = world_with(settings, start, masses, &(struct sim_constraint_values){.rest = &rest});
    double x[3];
    scene_run(world.sim, 900);
    scene_position(world.sim, world.body, 1, x);
    assert_near(x[0], 0, 1e-4);
    assert_near(x[1], -b, 1e-5);
    sim_destroy(world.sim);
    const double along = 2 * PI / sqrt(9.81 * b), across = 2 * PI * sqrt(b / 9.81);
    assert_near(period_of(0, (const double[]){small, y, 0}), along, 5e-3 * along);
    assert_near(period_of(2, (const double[]){0, -b * cos(small), b * sin(small)}), across, 5e-3 * across);
}

static void momenta_of(const struct world *world, const double masses[3], double momenta[6])
{
    double x[3][3];
    float v[3][3];
    memset(momenta, 0, 6 * sizeof *momenta);
    sim_body_positions64(world->sim, world->body, 0, 3, &x[0][0]);
    sim_body_velocities(world->sim, world->body, 0, 3, &v[0][0]);
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            momenta[axis] += masses[k] * (double)v[k][axis];
            momenta[3 + axis] += masses[k] * (x[k][y] * (double)v[k][z] - x[k][z] * (double)v[k][y]);
        }
    }
}

static void free_ropes_keep_momentum_and_angular_momentum(void **state)
{
    (void)state;
    const double frictions[3] = {0, .3, 0}, ratios[3] = {1, 1, 3}, dampings[3] = {0, 0, 2};
    for (int run = 0; run < 6; run++) {
        const double x[3][3] = {{-1, -1, 0}, {0, .2, .1}, {.8, -1.5, .3}}, masses[3] = {1, 2, .5};
        const double compliance = 1e-4;
        struct sim_settings settings = settings_of(20, run < 3 ? 1 : 2);
        settings.gravity[1] = 0;
        struct world world = world_with(settings, x, masses,
                                        &(struct sim_constraint_values){.friction = &frictions[run % 3],
                                                                        .ratio = &ratios[run % 3],
                                                                        .compliance = &compliance,
                                                                        .damping = &dampings[run % 3]});
        const float v[9] = {-1, -1, .5F, .3F, 1, 0, 1, -.5F, -1};
        double before[6], after[6];
        assert_int_equal(sim_particles_set(world.sim, world.body, corners, 3, NULL, v, NULL, &fault),
                         FAULT_NONE);
        momenta_of(&world, masses, before);
        scene_run(world.sim, 60);
        momenta_of(&world, masses, after);
        for (int k = 0; k < 6; k++) {
            assert_near(after[k], before[k], 2e-3);
        }
        float now[3];
        scene_velocity(world.sim, world.body, 0, now);
        assert_true(fabsf(now[0] - v[0]) > .1F); // the rope did pull
        sim_destroy(world.sim);
    }
}

static void a_slack_rope_does_nothing_and_stores_nothing(void **state)
{
    (void)state;
    const double masses[3] = {1, 1, 1}, rest = 3, compliance = 1e-3, damping = 10;
    struct sim_settings settings = settings_of(20, 2);
    settings.gravity[1] = 0;
    struct world world = world_with(
        settings, hanging, masses,
        &(struct sim_constraint_values){.rest = &rest, .compliance = &compliance, .damping = &damping});
    const float v[9] = {0, .1F, 0, 0, 0, 0, 0, -.1F, 0};
    float now[9];
    struct sim_measures measures;
    assert_int_equal(sim_particles_set(world.sim, world.body, corners, 3, NULL, v, NULL, &fault), FAULT_NONE);
    scene_run(world.sim, 60);
    sim_body_velocities(world.sim, world.body, 0, 3, now);
    assert_memory_equal(now, v, sizeof v);
    sim_measure(world.sim, &measures);
    assert_true(measures.elastic[SIM_SLIDE] == 0);
    sim_destroy(world.sim);
}

static void a_taut_rope_stores_the_energy_of_its_compliance(void **state)
{
    (void)state;
    for (int rubs = 0; rubs < 2; rubs++) {
        const double masses[3] = {0, 0, 0}, rest = 2, compliance = 1e-3, friction = rubs ? .3 : 0;
        struct world world = world_with(
            settings_of(20, 1), hanging, masses,
            &(struct sim_constraint_values){.rest = &rest, .compliance = &compliance, .friction = &friction});
        struct sim_measures measures;
        sim_measure(world.sim, &measures);
        // Shared out in proportion to the lengths, both sides are as taut, and store as much as the whole.
        assert_near(measures.elastic[SIM_SLIDE], .5 * .5 / 2 / 1e-3, 1e-4);
        sim_destroy(world.sim);
    }
}

// --------------------------------------------------------------------------------------------------- state

static struct world sliding(void)
{
    const double friction = .2, masses[3] = {1, 0, 2};
    return world_with(settings_of(20, 1), hanging, masses,
                      &(struct sim_constraint_values){.friction = &friction});
}

static void a_side_is_in_hash_and_image_and_goes_back_on_reset(void **state)
{
    (void)state;
    struct world world = sliding();
    const uint64_t began = sim_hash(world.sim);
    const double side = slide_of(&world).side;
    struct sim_image image;
    struct sim_image_place place;
    assert_near(side, 1.5, 1e-6);
    scene_run(world.sim, 20);
    const uint64_t ran = sim_hash(world.sim);
    assert_true(slide_of(&world).side < side - 1e-3);
    assert_true(sim_image_take(world.sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    assert_true(sim_hash(made) == ran);
    sim_image_deinit(&image);
    // Whoever asks for forces changes nothing.
    double tensions[2];
    tensions_of(&world, tensions);
    assert_true(sim_hash(world.sim) == ran);
    scene_run(world.sim, 5);
    scene_run(made, 5);
    assert_true(sim_hash(world.sim) == sim_hash(made));
    sim_destroy(made);
    sim_reset(world.sim);
    assert_true(sim_hash(world.sim) == began);
    scene_run(world.sim, 20);
    assert_true(sim_hash(world.sim) == ran);
    sim_destroy(world.sim);
}

static void a_still_keeps_the_sides_and_gives_them_back(void **state)
{
    (void)state;
    struct world world = sliding();
    scene_run(world.sim, 10);
    const uint64_t before = sim_hash(world.sim);
    struct sim_still *still = sim_still_create(world.sim);
    assert_non_null(still);
    sim_still_begin(still, world.sim);
    scene_run(world.sim, 7);
    assert_true(sim_still_go_on(still, 1000));
    sim_still_end(still);
    const uint64_t after = sim_hash(world.sim);
    assert_true(after != before);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_give_back(still, world.sim);
    assert_true(sim_hash(world.sim) == before);
    scene_run(world.sim, 7);
    assert_true(sim_hash(world.sim) == after);
    sim_still_destroy(still);
    sim_destroy(world.sim);
}

static void a_tick_that_fails_gives_the_sides_back(void **state)
{
    (void)state;
    struct world world = sliding();
    // Another body is too fast for any tick.
    struct sim_body_desc desc = scene_points((const double[]){0, 0, 9}, 1, (const double[]){1});
    const uint32_t other = scene_add(world.sim, &desc), first = 0;
    const float away[3] = {0, 0, 300};
    struct sim_failure failure;
    scene_run(world.sim, 10);
    assert_int_equal(sim_particles_set(world.sim, other, &first, 1, NULL, away, NULL, &fault), FAULT_NONE);
    const uint64_t before = sim_hash(world.sim);
    assert_true(sim_step(world.sim, NULL, NULL, &failure));
    assert_true(failure.failed);
    assert_true(sim_hash(world.sim) == before);
    sim_destroy(world.sim);
}

static void friction_that_begins_takes_the_present_share_and_one_that_goes_on_keeps_the_side(void **state)
{
    (void)state;
    struct world world = sliding();
    scene_run(world.sim, 20);
    const double side = slide_of(&world).side, none = 0, more = .5;
    struct sim_image image;
    assert_true(sim_image_take_parts(
        world.sim, &(struct sim_parts){.constraints = &world.id, .constraint_count = 1}, &image));
    const uint64_t before = sim_hash(world.sim);
    assert_int_equal(sim_constraints_set(world.sim, &world.id, 1,
                                         &(struct sim_constraint_values){.friction = &more}, &fault),
                     FAULT_NONE);
    assert_true(slide_of(&world).side == side);
    assert_int_equal(sim_loose_restore(world.sim, &image.batches[0], &fault), FAULT_NONE);
    assert_true(sim_hash(world.sim) == before);
    // Restored later, values are what they were, and the rope lies where friction has brought it.
    scene_run(world.sim, 20);
    const double later = slide_of(&world).side;
    assert_true(later != side);
    assert_int_equal(sim_loose_restore(world.sim, &image.batches[0], &fault), FAULT_NONE);
    assert_true(slide_of(&world).side == later);
    assert_int_equal(sim_constraints_set(world.sim, &world.id, 1,
                                         &(struct sim_constraint_values){.friction = &none}, &fault),
                     FAULT_NONE);
    assert_true(slide_of(&world).side == 0);
    assert_int_equal(sim_constraints_set(world.sim, &world.id, 1,
                                         &(struct sim_constraint_values){.friction = &more}, &fault),
                     FAULT_NONE);
    assert_near(slide_of(&world).side, later, 1e-3);
    sim_image_deinit(&image);
    sim_destroy(world.sim);
}

// ------------------------------------------------------------------------------------------------ refusals

static void refused(enum sim_kind kind, const struct sim_constraint_values *values, const char *field)
{
    const double masses[3] = {1, 0, 2};
    struct world world = world_with(settings_of(20, 1), hanging, masses, &(struct sim_constraint_values){0});
    const uint64_t before = sim_hash(world.sim);
    const uint32_t bodies[3] = {world.body, world.body, world.body};
    uint32_t id;
    assert_int_equal(sim_constraints_add(world.sim, kind, 1, bodies, corners, values, &id, &fault),
                     FAULT_INVALID);
    assert_string_equal(fault.field, field);
    if (kind == SIM_SLIDE && !values->side) {
        assert_int_equal(sim_constraints_set(world.sim, &world.id, 1, values, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, field);
    }
    assert_true(sim_hash(world.sim) == before);
    sim_destroy(world.sim);
}

static void wrong_values_are_refused_by_their_names(void **state)
{
    (void)state;
    const double zero = 0, two = 2, much = 17, less = -1, no_number = NAN, mu = .3, far = 100, one = 1;
    refused(SIM_SLIDE, &(struct sim_constraint_values){.ratio = &zero}, "ratio");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.ratio = &much}, "ratio");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.ratio = &no_number}, "ratio");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.friction = &less}, "friction");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.friction = &no_number}, "friction");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.friction = &mu, .ratio = &two}, "friction");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.rest = &far}, "rest");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.side = &one}, "side"); // without friction
    refused(SIM_SLIDE, &(struct sim_constraint_values){.side = &far, .friction = &mu}, "side");
    refused(SIM_SLIDE, &(struct sim_constraint_values){.side = &no_number, .friction = &mu}, "side");
    refused(SIM_DISTANCE, &(struct sim_constraint_values){.ratio = &two}, "ratio");
    refused(SIM_DISTANCE, &(struct sim_constraint_values){.friction = &mu}, "friction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_come_out_in_every_instruction_set),
        cmocka_unit_test(the_steps_follow_the_gradient_found_by_finite_differences),
        cmocka_unit_test(a_ring_is_not_thrown_past_the_line_between_fixed_ends),
        cmocka_unit_test(atwoods_machine_accelerates_by_a_third_of_gravity),
        cmocka_unit_test(with_friction_atwoods_machine_moves_slower_or_not_at_all),
        cmocka_unit_test(a_ring_hangs_on_the_ellipse_and_swings_along_and_across_it),
        cmocka_unit_test(free_ropes_keep_momentum_and_angular_momentum),
        cmocka_unit_test(a_slack_rope_does_nothing_and_stores_nothing),
        cmocka_unit_test(a_taut_rope_stores_the_energy_of_its_compliance),
        cmocka_unit_test(a_side_is_in_hash_and_image_and_goes_back_on_reset),
        cmocka_unit_test(a_still_keeps_the_sides_and_gives_them_back),
        cmocka_unit_test(a_tick_that_fails_gives_the_sides_back),
        cmocka_unit_test(friction_that_begins_takes_the_present_share_and_one_that_goes_on_keeps_the_side),
        cmocka_unit_test(wrong_values_are_refused_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
