// Stepping allocates nothing: every way to the heap is counted, on this thread and on those of a team.
#include "base/thread.h"
#include "helper_heap.h"
#include "helper_rod.h"
#include "helper_scene.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static atomic_uint calls;

#ifndef OTHERS_OWN_THE_HEAP
void *malloc(size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    atomic_fetch_add(&calls, 1);
    *memory = __libc_memalign(alignment, size);
    return *memory == NULL ? 12 : 0; // ENOMEM
}

void free(void *memory)
{
    if (memory != NULL) {
        atomic_fetch_add(&calls, 1);
    }
    __libc_free(memory);
}
#endif

struct world {
    struct sim *sim;
    uint32_t cloth, grab, collider;
};

static struct world make_world(uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 2;
    settings.iterations = iterations;
    settings.untangle = true;
    settings.wind = (struct sim_wind){.velocity = {1, 0, 1}, .drag = 1, .lift = 0.5, .density = 1.2};
    struct world world = {.sim = scene_create(settings)};
    const double above[3] = {-0.8, 1, -0.8}, down[3] = {0, -1, 0};
    struct scene_mesh mesh = scene_grid(70, 70, 0.025, above);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1, .damping = 1e-3, .stiffness = -1};
    const uint32_t pins[2] = {0, 69};
    desc.pins = pins;
    desc.pin_count = 2;
    world.cloth = scene_add(world.sim, &desc);
    struct fault fault;
    const enum sim_bend models[3] = {SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC, SIM_BEND_ISOMETRIC};
    for (int i = 0; i < 3; i++) {
        struct scene_mesh small = scene_grid(6, 6, 0.05, (double[]){2 + 0.1 * i, 0.1 * i, 0});
        for (uint32_t p = 0; i == 2 && p < small.particle_count; p++) { // upright, through the first one
            small.positions[3 * p + 1] = small.positions[3 * p + 2] - 0.06;
            small.positions[3 * p + 2] = 0.11;
        }
        struct sim_body_desc sheet = scene_cloth(&small);
        sheet.bend_model = models[i];
        sheet.bend = (struct sim_material){.compliance = 1, .stiffness = -1};
        sheet.thickness = 0.01;
        sheet.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
        scene_add(world.sim, &sheet);
        scene_mesh_deinit(&small);
    }
    struct scene_block block = scene_block((const uint32_t[]){3, 3, 3}, 0.1, (double[]){-2, 0.5, 0});
    struct sim_body_desc soft = scene_soft(&block);
    soft.stretch.compliance = 1e-5;
    soft.volume.compliance = 1e-9;
    const uint32_t net = scene_add(world.sim, &soft);
    soft.solid_model = SIM_SOLID_NEO_HOOKEAN;
    soft.solid = (struct sim_material){.young = 1e5, .poisson = 0.3, .damping = 10};
    soft.matching = (struct sim_matching){.model = SIM_MATCH_RIGID, .compliance = 1e-4, .radius = 0.3};
    scene_add(world.sim, &soft);
    scene_block_deinit(&block);
    struct rod wire;
    struct sim_rod given = rod_given(0.01, 0.01);
    given.plastic = (struct sim_plastic){.yield = 0.01, .rate = 50, .greatest = 1};
    given.damping = 0.01;
    rod_line(&wire, 20, 1);
    desc = scene_rope(wire.positions[0], wire.count, wire.edges, wire.edge_count, NULL);
    desc.rod = &given;
    desc.pins = desc.clamps = pins;
    desc.pin_count = desc.clamp_count = 1;
    scene_add(world.sim, &desc);
    const uint32_t bodies[SIM_STENCIL_MAX] = {world.cloth, world.cloth, world.cloth,
                                              world.cloth, world.cloth, world.cloth},
                   particles[SIM_STENCIL_MAX] = {5, 76, 145, 212, 30, 31};
    const uint32_t nets[4] = {net, net, net, net}, corners[4] = {0, 1, 4, 16};
    const double compliance = 1;
    for (int kind = SIM_DIHEDRAL; kind < SIM_ROD_STRETCH; kind++) {
        uint32_t first;
        const bool is_solid = kind == SIM_NEO_HOOKEAN; // which particles in a plane cannot be
        assert_int_equal(sim_constraints_add(world.sim, (enum sim_kind)kind, 1, is_solid ? nets : bodies,
                                             is_solid ? corners : particles,
                                             &(struct sim_constraint_values){.compliance = &compliance},
                                             &first, &fault),
                         FAULT_NONE);
    }
    const struct sim_collider box = {.kind = SIM_BOX,
                                     .position = {-2, -0.5, 0},
                                     .rotation = {0, 0, 0.1, 1},
                                     .half_extents = {1, 0.2, 1},
                                     .friction = 0.5},
                              capsule = {.kind = SIM_CAPSULE,
                                         .position = {2.5, -0.5, 0},
                                         .rotation = {0, 0, 1, 1},
                                         .radius = 0.1,
                                         .length = 2};
    uint32_t collider;
    assert_int_equal(sim_collider_add(world.sim, &box, &collider, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_add(world.sim, &capsule, &collider, &fault), FAULT_NONE);
    scene_link(world.sim, world.cloth, 3, 700, 0.2, 1e-3, 1);
    scene_plane(world.sim, down, (double[3]){0, 1, 0}, 0.5);
    scene_sphere(world.sim, (double[3]){0, 0, 0}, 0.4, 0.3);
    assert_int_equal(sim_multipliers_keep(world.sim, true, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_begin(world.sim, world.cloth, 2000, NULL, 1e-3, &world.grab, &fault),
                     FAULT_NONE);
    scene_mesh_deinit(&mesh);
    return world;
}

struct meeting {
    atomic_uint there;
    uint32_t threads;
};

// A task that ends when all threads are in one: each has begun then, and given back what starting it took.
static void meet(void *context, uint32_t index)
{
    (void)index;
    struct meeting *meeting = context;
    atomic_fetch_add(&meeting->there, 1);
    while (atomic_load(&meeting->there) < meeting->threads) {
        sched_yield();
    }
}

static uint32_t heap_calls_of_1000_steps(struct base_parallel *parallel, uint32_t iterations)
{
    struct world world = make_world(iterations);
    if (parallel != NULL) {
        struct meeting meeting = {.threads = parallel->width};
        parallel->run(parallel, meeting.threads, meet, &meeting);
    }
    uint32_t before = atomic_load(&calls), failed = 0;
    for (int tick = 0; tick < 1000; tick++) {
        struct sim_failure failure;
        sim_step(world.sim, parallel, NULL, &failure);
        failed += failure.failed;
    }
    uint32_t after = atomic_load(&calls);
    assert_int_equal(failed, 0);
    sim_destroy(world.sim);
    return after - before;
}

static void the_count_counts(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    uint32_t before = atomic_load(&calls);
    struct world world = make_world(1);
    assert_true(atomic_load(&calls) > before + 20);
    sim_destroy(world.sim);
}

static void a_thousand_steps_allocate_nothing(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    assert_int_equal(heap_calls_of_1000_steps(NULL, 1), 0);
    assert_int_equal(heap_calls_of_1000_steps(NULL, 2), 0);
}

static void a_thousand_steps_of_a_team_allocate_nothing(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    assert_int_equal(heap_calls_of_1000_steps(base_team_parallel(team), 1), 0);
    base_team_destroy(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_counts),
        cmocka_unit_test(a_thousand_steps_allocate_nothing),
        cmocka_unit_test(a_thousand_steps_of_a_team_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
