// Features in one world, several of them on one body: they go on to the same bits from images, on several threads and after a reset,
// nothing of them goes away, and they come to rest.
#include "base/thread.h"
#include "helper_ball.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SIDE = 12, CLOTH = SIDE * SIDE, ROD = 5, RINGS = 3 };

static struct fault fault;

struct world {
    struct sim *sim;
    uint32_t balloon, fabric, solid, rod, rings;
};

static struct sim_material woven(void)
{
    return (struct sim_material){.warp = 400,
                                 .weft = 200,
                                 .shear = 20,
                                 .poisson = 0.2,
                                 .damping = 0.01,
                                 .limit = 0.05,
                                 .stiffness = -1};
}

static void hold(const struct world *world, uint32_t body, uint32_t particle, const double *compliance,
                 const double *distance)
{
    const struct sim_hold soft = {.compliance = compliance, .distance = distance};
    assert_int_equal(sim_particles_hold(world->sim, body, &particle, 1, &soft, &fault), FAULT_NONE);
}

static struct sim_body_desc meeting(struct sim_body_desc desc)
{
    desc.thickness = 0.01;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.4};
    return desc;
}

// A balloon of woven cloth that plastic creases may stay in.
static uint32_t add_balloon(struct sim *sim, const double at[3])
{
    const double centre[3] = {at[0] - 1, at[1] + 0.3, at[2]};
    struct scene_mesh mesh = ball(2, 0.2, centre);
    struct sim_body_desc desc = meeting(scene_cloth(&mesh));
    desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    desc.yarns = (struct sim_yarns){.direction = {0, 1, 0.1}};
    desc.stretch = woven();
    desc.bend_model = SIM_BEND_DIHEDRAL;
    desc.bend = (struct sim_material){
        .compliance = 5, .stiffness = -1, .plastic = {.yield = 0.05, .rate = 20, .greatest = 1}};
    desc.pressure =
        (struct sim_pressure){.model = SIM_PRESSURE_GAS, .end = 200, .ambient = 101325, .seconds = 0.2};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

// A woven cloth that keeps creases, too.
static uint32_t add_fabric(struct sim *sim, const double at[3])
{
    const double origin[3] = {at[0], at[1] + 0.8, at[2]};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, origin);
    struct sim_body_desc desc = meeting(scene_cloth(&mesh));
    desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    desc.yarns = (struct sim_yarns){.direction = {1, 0, 0.5}};
    desc.stretch = woven();
    desc.bend_model = SIM_BEND_DIHEDRAL;
    desc.bend = (struct sim_material){
        .compliance = 20, .stiffness = -1, .plastic = {.yield = 0.02, .rate = 30, .greatest = 2}};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static uint32_t add_solid(struct sim *sim, const double at[3])
{
    const double origin[3] = {at[0] + 1, at[1] + 0.1, at[2]};
    struct scene_block block = scene_block((const uint32_t[]){2, 2, 2}, 0.1, origin);
    struct sim_body_desc desc = meeting(scene_soft(&block));
    desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
    desc.solid = (struct sim_material){.young = 2e4, .poisson = 0.4, .damping = 10};
    const uint32_t body = scene_add(sim, &desc);
    scene_block_deinit(&block);
    return body;
}

// Rings on a rod whose ends are held softly.
static void add_rail(struct world *world, const double at[3])
{
    static const uint32_t edges[2 * ROD - 2] = {0, 1, 1, 2, 2, 3, 3, 4};
    static const double friction[RINGS] = {0, 0.3, 0.1};
    double line[3 * ROD], dots[3 * RINGS], masses[RINGS] = {0.01, 0.02, 0.01};
    uint32_t bodies[3 * RINGS], particles[3 * RINGS], id;
    for (uint32_t i = 0; i < ROD; i++) {
        line[3 * i] = at[0] + 0.2 * i;
        line[3 * i + 1] = at[1] + 1.2;
        line[3 * i + 2] = at[2] + 1;
    }
    struct sim_body_desc desc = scene_rope(line, ROD, edges, ROD - 1, NULL);
    world->rod = scene_add(world->sim, &desc);
    for (uint32_t r = 0; r < RINGS; r++) {
        dots[3 * r] = line[3 * r] + 0.05;
        dots[3 * r + 1] = line[1];
        dots[3 * r + 2] = line[2];
    }
    desc = scene_points(dots, RINGS, masses);
    world->rings = scene_add(world->sim, &desc);
    for (uint32_t r = 0; r < RINGS; r++) {
        bodies[3 * r] = world->rings;
        bodies[3 * r + 1] = bodies[3 * r + 2] = world->rod;
        particles[3 * r] = r;
        particles[3 * r + 1] = 0;
        particles[3 * r + 2] = ROD - 1;
    }
    const struct sim_constraint_values values = {.friction = friction};
    assert_int_equal(
        sim_constraints_add(world->sim, SIM_SLIDE_RAIL, RINGS, bodies, particles, &values, &id, &fault),
        FAULT_NONE);
}

static struct world world_of(struct sim_settings settings, const double at[3])
{
    static const double spring = 0.002, reach = 0.03;
    const double floor[3] = {at[0], at[1], at[2]}, up[3] = {0, 1, 0};
    struct world world = {.sim = scene_create(settings)};
    scene_plane(world.sim, floor, up, 0.5);
    world.balloon = add_balloon(world.sim, at);
    world.fabric = add_fabric(world.sim, at);
    world.solid = add_solid(world.sim, at);
    add_rail(&world, at);
    hold(&world, world.balloon, 3, &spring, NULL);
    hold(&world, world.fabric, 0, &spring, &reach);
    hold(&world, world.fabric, SIDE - 1, NULL, &reach);
    hold(&world, world.solid, 5, &spring, NULL);
    hold(&world, world.rod, 0, &spring, NULL);
    hold(&world, world.rod, ROD - 1, &spring, &reach);
    // A corner of the fabric is sewn to the solid, and another one hangs at a ring.
    const uint32_t ends[2][2][2] = {{{world.fabric, CLOTH - 1}, {world.solid, 0}},
                                    {{world.fabric, CLOTH - SIDE}, {world.rings, 0}}};
    uint32_t bodies[2 * SIM_STENCIL_MAX], particles[2 * SIM_STENCIL_MAX];
    double weights[2 * SIM_STENCIL_MAX] = {[0] = 1, [3] = 1, [6] = 1, [9] = 1};
    for (uint32_t k = 0; k < 2 * SIM_STENCIL_MAX; k++) {
        bodies[k] = ends[k / SIM_STENCIL_MAX][k / SIM_JOIN_SIDE % 2][0];
        particles[k] = ends[k / SIM_STENCIL_MAX][k / SIM_JOIN_SIDE % 2][1];
    }
    static const double end[2] = {0.8, 0.9}, seconds[2] = {0.4, 0.4}, compliance[2] = {1e-3, 1e-3};
    const struct sim_constraint_values values = {
        .weights = weights, .rest_end = end, .seconds = seconds, .compliance = compliance};
    uint32_t id;
    assert_int_equal(sim_constraints_add(world.sim, SIM_JOIN, 2, bodies, particles, &values, &id, &fault),
                     FAULT_NONE);
    return world;
}

static struct sim *again(const struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(copy);
    return copy;
}

static void run(struct sim *sim, uint32_t ticks, struct base_team *team)
{
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failure;
        sim_step(sim, team ? base_team_parallel(team) : NULL, NULL, &failure);
        if (failure.failed) {
            fail_msg("tick %u: %s", t, failure.text);
        }
    }
}

static void whatever_a_world_sets(void **state)
{
    (void)state;
    static const struct {
        uint32_t substeps, iterations, ticks;
        bool long_edges, solved, far, windy;
    } cases[] = {{10, 1, 40, false, false, false, true}, {1, 3, 40, true, true, false, false},
                 {100, 1, 6, true, false, false, true},  {10, 3, 40, false, true, true, true},
                 {20, 1, 20, true, true, true, false},   {2, 1, 40, false, false, true, true}};
    struct base_team *team = base_team_create(3);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double at[3] = {cases[c].far ? 99990 : 0, cases[c].far ? -99990 : 0, 0};
        struct sim_settings settings = scene_settings();
        settings.substeps = cases[c].substeps;
        settings.iterations = cases[c].iterations;
        settings.long_edges = cases[c].long_edges;
        settings.bending_solved = cases[c].solved;
        settings.extent = 1e5;
        settings.damping = 0.2;
        settings.sleep = true;
        if (cases[c].windy) {
            settings.wind = (struct sim_wind){.velocity = {3, 0, 1}, .drag = 1, .lift = 0.5, .density = 1.2};
        }
        struct world world = world_of(settings, at), twin = world_of(settings, at);
        const uint64_t start = sim_hash(world.sim);
        assert_true(sim_hash(twin.sim) == start);
        run(world.sim, cases[c].ticks / 2, NULL);
        run(twin.sim, cases[c].ticks / 2, team);
        assert_true(sim_hash(twin.sim) == sim_hash(world.sim));
        struct sim *copy = again(world.sim);
        assert_true(sim_hash(copy) == sim_hash(world.sim));
        const struct sim_material stiffer = {.young = 5e4, .poisson = 0.3};
        const struct sim_pressure kept = {.model = SIM_PRESSURE_VOLUME, .end = 1.1, .compliance = 1e-7};
        struct sim *const all[3] = {world.sim, twin.sim, copy};
        for (int i = 0; i < 3; i++) {
            struct sim_body_change change = {.solid = &stiffer};
            assert_int_equal(sim_body_set(all[i], world.solid, &change, &fault), FAULT_NONE);
            change = (struct sim_body_change){.pressure = &kept};
            assert_int_equal(sim_body_set(all[i], world.balloon, &change, &fault), FAULT_NONE);
            change = (struct sim_body_change){.rest = &(struct sim_rest_shape){.angles = true}};
            assert_int_equal(sim_body_set(all[i], world.fabric, &change, &fault), FAULT_NONE);
            run(all[i], cases[c].ticks / 2, i == 0 ? NULL : team);
        }
        assert_true(sim_hash(twin.sim) == sim_hash(world.sim));
        assert_true(sim_hash(copy) == sim_hash(world.sim));
        uint32_t *removed, count;
        assert_int_equal(sim_body_remove(world.sim, world.rod, &removed, &count, &fault), FAULT_NONE);
        free(removed);
        assert_int_equal(count, RINGS);
        run(world.sim, 2, team);
        sim_destroy(copy);
        sim_destroy(twin.sim);
        sim_destroy(world.sim);
    }
    base_team_destroy(team);
}

// How far a join has been sewn and a balloon inflated stays as it is. All else is as at the start each time.
static void a_reset_is_the_same_each_time(void **state)
{
    (void)state;
    static const double at[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.sleep = settings.long_edges = true;
    struct world world = world_of(settings, at);
    run(world.sim, 30, NULL);
    sim_reset(world.sim);
    const uint64_t once = sim_hash(world.sim);
    struct sim *copy = again(world.sim);
    run(world.sim, 30, NULL);
    run(copy, 30, NULL);
    assert_true(sim_hash(world.sim) != once && sim_hash(copy) == sim_hash(world.sim));
    sim_reset(world.sim);
    sim_reset(copy);
    assert_true(sim_hash(world.sim) == once && sim_hash(copy) == once);
    sim_destroy(copy);
    sim_destroy(world.sim);
}

static bool asleep(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

// All fall asleep, and each change wakes the body that it changes.
static void what_sleeps_wakes_when_it_is_changed(void **state)
{
    (void)state;
    static const double at[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.damping = 4;
    struct world world = world_of(settings, at);
    const uint32_t bodies[5] = {world.balloon, world.fabric, world.solid, world.rod, world.rings};
    run(world.sim, 900, NULL);
    for (int b = 0; b < 5; b++) {
        if (!asleep(world.sim, bodies[b])) {
            fail_msg("body %u is awake", bodies[b]);
        }
    }
    struct sim_material fabric = woven();
    fabric.warp = 350;
    const struct sim_pressure more = {.model = SIM_PRESSURE_GAS, .now = 200, .end = 300, .ambient = 101325};
    const struct sim_material softer = {.young = 1e4, .poisson = 0.4, .damping = 10};
    const struct {
        uint32_t body;
        struct sim_body_change change;
    } changes[] = {{world.balloon, {.pressure = &more}},
                   {world.fabric, {.stretch = &fabric}},
                   {world.solid, {.solid = &softer}},
                   {world.fabric, {.rest = &(struct sim_rest_shape){.angles = true}}}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct sim *copy = again(world.sim);
        assert_int_equal(sim_body_set(copy, changes[i].body, &changes[i].change, &fault), FAULT_NONE);
        run(copy, 1, NULL);
        if (asleep(copy, changes[i].body)) {
            fail_msg("change %zu wakes nobody", i);
        }
        sim_destroy(copy);
    }
    sim_destroy(world.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_a_world_sets),
        cmocka_unit_test(a_reset_is_the_same_each_time),
        cmocka_unit_test(what_sleeps_wakes_when_it_is_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
