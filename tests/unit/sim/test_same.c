// One world gives the same bits: wherever it lies, on any number of threads, and as the golden file has it.
#include "base/thread.h"
#include "helper_scene.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ------------------------------------------------------------------------------------------------- shifted

enum { SIDE = 24, CLOTH = SIDE * SIDE, ROPE = 30 };

struct shifted {
    double x[3 * (CLOTH + ROPE)]; // less the shift
    float v[3 * (CLOTH + ROPE)];
    double force[3];
};

// A cloth falls on a sphere over a floor, a rope is tied to it, somebody pulls at both.
static void run_shifted(const double shift[3], uint32_t iterations, struct shifted *out)
{
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    settings.extent = 1e9;
    struct sim *sim = scene_create(settings);
    double place[3 * ROPE], origin[3] = {0, 0, 0};
    uint32_t edges[2 * ROPE];
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, origin);
    for (uint32_t k = 0; k < 3 * CLOTH; k++) { // whole quanta, so that the shift is exact
        mesh.positions[k] = (double)(int64_t)(mesh.positions[k] / SCENE_Q) * SCENE_Q + shift[k % 3];
    }
    for (uint32_t i = 0; i < ROPE; i++) {
        place[3 * i] = 0.0625 * i + shift[0];
        place[3 * i + 1] = 0.25 + shift[1];
        place[3 * i + 2] = -0.5 + shift[2];
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, SIDE - 1};
    desc.stretch.compliance = 1e-5;
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t cloth = scene_add(sim, &desc), grab, first;
    desc = scene_rope(place, ROPE, edges, ROPE - 1, NULL);
    desc.thickness = 0.01;
    uint32_t rope = scene_add(sim, &desc);
    const uint32_t bodies[2] = {cloth, rope}, ends[2] = {CLOTH - 1, ROPE - 1};
    const double zero = 0;
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, ends,
                                         &(struct sim_constraint_values){.damping = &zero}, &first, &fault),
                     FAULT_NONE);
    struct sim_collider ball = {.kind = SIM_SPHERE, .radius = 0.3, .friction = 0.4},
                        ground = {.kind = SIM_PLANE};
    double target[3], pin_to[3];
    for (int axis = 0; axis < 3; axis++) {
        ball.position[axis] = (axis == 1 ? -0.5 : 0.5) + shift[axis];
        ground.position[axis] = (axis == 1 ? -1 : 0) + shift[axis];
        target[axis] = (axis == 1 ? -0.25 : 1.25) + shift[axis];
        pin_to[axis] = mesh.positions[axis] + 0.125;
    }
    ground.normal[0] = 0.1;
    ground.normal[1] = 1;
    ground.friction = 0.6;
    uint32_t ball_id, ground_id, pin = 0;
    assert_int_equal(sim_collider_add(sim, &ball, &ball_id, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_add(sim, &ground, &ground_id, &fault), FAULT_NONE);
    scene_run(sim, 20);
    assert_int_equal(sim_grab_begin(sim, rope, 3, target, 1e-4, &grab, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, cloth, &pin, 1, pin_to, &fault), FAULT_NONE);
    ball.id = ball_id;
    ball.position[0] += 0.03125;
    assert_int_equal(sim_collider_set(sim, &ball, &fault), FAULT_NONE);
    scene_run(sim, 40);
    sim_body_positions64(sim, cloth, 0, CLOTH, out->x);
    sim_body_positions64(sim, rope, 0, ROPE, out->x + 3 * CLOTH);
    sim_body_velocities(sim, cloth, 0, CLOTH, out->v);
    sim_body_velocities(sim, rope, 0, ROPE, out->v + 3 * CLOTH);
    for (uint32_t k = 0; k < 3 * (CLOTH + ROPE); k++) {
        out->x[k] -= shift[k % 3]; // exact: both are whole quanta far below 2^53 of them
    }
    struct sim_grab held;
    sim_grab_at(sim, 0, &held);
    memcpy(out->force, held.force, sizeof out->force);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void a_world_shifted_by_whole_quanta_gives_the_same_bits(void **state)
{
    (void)state;
    static struct shifted home, away;
    const double shifts[][3] = {{10, -10, 10},
                                {1000, 1000, -1000},
                                {1e5, -1e5, 1e5},
                                {5 * SCENE_Q, 7 * SCENE_Q, SCENE_Q},
                                {15.999999, 16, 8 + SCENE_Q}};
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        run_shifted((double[3]){0, 0, 0}, iterations, &home);
        for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
            double whole[3];
            for (int axis = 0; axis < 3; axis++) {
                whole[axis] = (double)(int64_t)(shifts[i][axis] / SCENE_Q) * SCENE_Q;
            }
            run_shifted(whole, iterations, &away);
            assert_memory_equal(home.x, away.x, sizeof home.x);
            assert_memory_equal(home.v, away.v, sizeof home.v);
            assert_memory_equal(home.force, away.force, sizeof home.force);
        }
    }
}

// ------------------------------------------------------------------------------------- everything, far out

enum { FLAG = 7, FLAGS = 4, BLOCK = 27, LOOSE = 8, EVERYTHING = FLAGS * FLAG * FLAG + BLOCK + ROPE + LOOSE };
enum { ALL_CONSTRAINTS = 2048 };

struct everything {
    double x[3 * EVERYTHING]; // less the shift
    float v[3 * EVERYTHING];
    double forces[2][3];
    double multipliers[ALL_CONSTRAINTS][3];
    double strain_max, strain_rms, volume_error_max, kinetic, elastic[SIM_KIND_COUNT];
    uint32_t contacts; // in the last substeps of all ticks
};

struct crowd {
    struct sim *sim;
    double shift[3];
    uint32_t bodies[FLAGS + 3], counts[FLAGS + 3]; // flags, block, rope, loose
    uint32_t block, rope, loose;
    uint32_t colliders[4], grabs[2];
};

static double whole(double x)
{
    return (double)(int64_t)(x / SCENE_Q) * SCENE_Q;
}

static void put(struct crowd *crowd, double *x, uint32_t count)
{
    for (uint32_t k = 0; k < 3 * count; k++) {
        x[k] = whole(x[k]) + crowd->shift[k % 3];
    }
}

// Four flags, one a bend model: plain ones, one with a crease (so that rest angles are not zero), one of plain
// stiffness.
static void add_flags(struct crowd *crowd)
{
    const enum sim_bend models[FLAGS] = {SIM_BEND_QUADRATIC, SIM_BEND_ISOMETRIC, SIM_BEND_DIHEDRAL,
                                         SIM_BEND_NONE};
    for (uint32_t f = 0; f < FLAGS; f++) {
        struct scene_mesh mesh = scene_grid(FLAG, FLAG, 0.07, (double[3]){0.55 * f, 0.4, 0});
        for (uint32_t i = 0; i < FLAG * FLAG; i++) {
            mesh.positions[3 * i + 1] += models[f] == SIM_BEND_DIHEDRAL ? 0.02 * (i / FLAG % 2) : 0;
            mesh.positions[3 * i + 2] += 0.003 * (i * i % 7); // no two triangles alike
        }
        put(crowd, mesh.positions, mesh.particle_count);
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, FLAG - 1};
        desc.pins = pins;
        desc.pin_count = f % 2 == 0 ? 2 : 0;
        desc.stretch = (struct sim_material){
            .compliance = 1e-5, .damping = f == 1 ? 3 : 0, .stiffness = f == 3 ? 0.75 : -1};
        desc.bend_model = models[f];
        desc.bend = (struct sim_material){
            .compliance = 0.5, .damping = f == 0 ? 0.01 : 0, .stiffness = f == 2 ? 0.25 : -1};
        crowd->bodies[f] = scene_add(crowd->sim, &desc);
        crowd->counts[f] = FLAG * FLAG;
        scene_mesh_deinit(&mesh);
    }
}

static void add_block_rope_and_points(struct crowd *crowd)
{
    struct scene_block block = scene_block((const uint32_t[]){2, 2, 2}, 0.15, (double[3]){2.3, 0.3, 0.1});
    put(crowd, block.positions, BLOCK);
    struct sim_body_desc desc = scene_soft(&block);
    desc.stretch.compliance = 1e-6;
    desc.volume = (struct sim_material){.compliance = 1e-9, .damping = 1e3, .stiffness = -1};
    crowd->block = scene_add(crowd->sim, &desc);
    scene_block_deinit(&block);
    double x[3 * ROPE], loose[3 * LOOSE] = {0,   1, 1, 0.5, 1,   1, 0.2, 1.1, 1.4, 0.3, 1,   0.7,
                                            1.2, 1, 1, 1.7, 1.1, 1, 1.3, 1,   1.5, 1.4, 1.4, 1.2};
    uint32_t edges[2 * ROPE];
    for (uint32_t i = 0; i < ROPE; i++) {
        x[3 * i] = 0.06 * i;
        x[3 * i + 1] = 0.6 + 0.01 * (i % 3);
        x[3 * i + 2] = -0.3;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    put(crowd, x, ROPE);
    desc = scene_rope(x, ROPE, edges, ROPE - 1, NULL);
    desc.thickness = 0.01;
    crowd->rope = scene_add(crowd->sim, &desc);
    put(crowd, loose, LOOSE);
    const double masses[LOOSE] = {0.1, 0.2, 0.3, 0.1, 0.2, 0.1, 0.4, 0.1};
    desc = scene_points(loose, LOOSE, masses);
    crowd->loose = scene_add(crowd->sim, &desc);
    const uint32_t bodies[3] = {crowd->block, crowd->rope, crowd->loose}, counts[3] = {BLOCK, ROPE, LOOSE};
    memcpy(crowd->bodies + FLAGS, bodies, sizeof bodies);
    memcpy(crowd->counts + FLAGS, counts, sizeof counts);
}

// Loose constraints of every kind and of every flavour, within a body and between bodies.
static void add_loose_constraints(struct crowd *crowd)
{
    const uint32_t own[SIM_STENCIL_MAX] = {crowd->loose, crowd->loose, crowd->loose,
                                           crowd->loose, crowd->loose, crowd->loose},
                   mixed[SIM_STENCIL_MAX] = {crowd->loose, crowd->loose, crowd->rope,
                                             crowd->block, crowd->block, crowd->block};
    const uint32_t left[SIM_STENCIL_MAX] = {0, 1, 2, 3, 4, 5}, right[SIM_STENCIL_MAX] = {4, 5, 6, 7, 0, 1},
                   ends[SIM_STENCIL_MAX] = {1, 5, ROPE - 1, 0, 1, 2};
    const uint32_t on_rail[3] = {crowd->loose, crowd->rope, crowd->rope}, rail[3] = {1, 0, ROPE - 1};
    for (int kind = 0; kind < SIM_ROD_STRETCH; kind++) {
        const bool slides = kind == SIM_SLIDE_RAIL;
        const double compliance = 0.1, damping = 0.01,
                     stiffness = sim_part_of((enum sim_kind)kind) == SIM_PART_STRETCH ? 0.5 : 1e-3;
        const double short_rope = 0.2; // a slack one would do nothing
        const struct sim_constraint_values soft = {.compliance = &compliance},
                                           damped = {.compliance = &compliance,
                                                     .damping = &damping,
                                                     .rest = kind == SIM_SLIDE ? &short_rope : NULL},
                                           stiff = {.stiffness = &stiffness};
        uint32_t id;
        assert_int_equal(
            sim_constraints_add(crowd->sim, (enum sim_kind)kind, 1, own, left, &damped, &id, &fault),
            FAULT_NONE);
        assert_int_equal(sim_constraints_add(crowd->sim, (enum sim_kind)kind, 1, own, right,
                                             kind == SIM_NEO_HOOKEAN ? &soft : &stiff, &id,
                                             &fault), // it has no stiffness
                         FAULT_NONE);
        assert_int_equal(sim_constraints_add(crowd->sim, (enum sim_kind)kind, 1, slides ? on_rail : mixed,
                                             slides ? rail : ends, &soft, &id, &fault),
                         FAULT_NONE);
    }
}

static void add_colliders(struct crowd *crowd)
{
    struct sim_collider shapes[4] = {
        {.kind = SIM_PLANE, .normal = {0.1, 1, 0.05}, .position = {0, 0, 0}, .friction = 0.5},
        {.kind = SIM_SPHERE, .radius = 0.15, .position = {0.8, 0.3, 0.2}, .friction = 0.3},
        {.kind = SIM_CAPSULE,
         .radius = 0.08,
         .length = 0.4,
         .position = {1.3, 0.3, 0.2},
         .rotation = {0.5, 0.1, 0.6, 0.7},
         .friction = 0.4},
        {.kind = SIM_BOX,
         .half_extents = {0.3, 0.1, 0.3},
         .position = {2.4, 0.1, 0.3},
         .rotation = {0, 0, 0, 1},
         .friction = 0.7},
    };
    for (int c = 0; c < 4; c++) {
        put(crowd, shapes[c].position, 1);
        assert_int_equal(sim_collider_add(crowd->sim, &shapes[c], &crowd->colliders[c], &fault), FAULT_NONE);
    }
}

// Edits of people in the meantime: colliders move and turn, pins and grabs move, constraints and weights change.
static void meddle(struct crowd *crowd, uint32_t tick)
{
    struct sim *sim = crowd->sim;
    struct sim_collider shape;
    double to[3] = {0.2, 0.7, -0.2};
    for (uint32_t c = 1; c < 4; c++) {
        sim_collider_at(sim, c, &shape);
        shape.position[0] += 0.0078125 * c;
        shape.rotation[1] += 0.01 * c;
        assert_int_equal(sim_collider_set(sim, &shape, &fault), FAULT_NONE);
    }
    if (tick == 5) {
        put(crowd, to, 1);
        assert_int_equal(sim_grab_begin(sim, crowd->rope, 3, to, 1e-4, &crowd->grabs[0], &fault), FAULT_NONE);
        assert_int_equal(sim_grab_begin(sim, crowd->block, 26, NULL, 0, &crowd->grabs[1], &fault),
                         FAULT_NONE);
    } else if (tick == 12) {
        const uint32_t pin = 0, corner = FLAG - 1;
        to[0] = 0.0625;
        to[1] = 0.5;
        put(crowd, to, 1);
        assert_int_equal(sim_particles_pin(sim, crowd->bodies[0], &pin, 1, to, &fault), FAULT_NONE);
        assert_int_equal(sim_particles_unpin(sim, crowd->bodies[2], &corner, 1, &fault), FAULT_NONE);
        assert_int_equal(sim_grab_move(sim, crowd->grabs[0], to, &fault), FAULT_NONE);
    } else if (tick == 20) {
        const uint32_t four[4] = {2, 40, 77, 90};
        const double give[4] = {1e-3, 1e-4, 0, 1};
        assert_int_equal(
            sim_constraints_set(sim, four, 4, &(struct sim_constraint_values){.compliance = give}, &fault),
            FAULT_NONE);
        assert_int_equal(sim_constraints_remove(sim, (const uint32_t[]){5, 6, 7}, 3, &fault), FAULT_NONE);
        const uint32_t particle = 4;
        const float weight = 30;
        to[0] = 1.25;
        to[1] = 1.125;
        to[2] = 1.0625;
        put(crowd, to, 1);
        assert_int_equal(sim_particles_set(sim, crowd->loose, &particle, 1, to, NULL, &weight, &fault),
                         FAULT_NONE);
    }
}

static void run_everything(const double shift[3], uint32_t iterations, uint32_t substeps,
                           struct everything *out)
{
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    settings.substeps = substeps;
    settings.extent = 1e9;
    settings.wind = (struct sim_wind){.velocity = {2, 0.5, -3}, .drag = 1, .lift = 0.5, .density = 1.2};
    struct crowd crowd = {.sim = scene_create(settings)};
    memcpy(crowd.shift, shift, sizeof crowd.shift);
    memset(out, 0, sizeof *out);
    add_flags(&crowd);
    add_block_rope_and_points(&crowd);
    add_loose_constraints(&crowd);
    add_colliders(&crowd);
    assert_int_equal(sim_multipliers_keep(crowd.sim, true, &fault), FAULT_NONE);
    for (uint32_t tick = 0; tick < 40; tick++) {
        struct sim_measures measures;
        meddle(&crowd, tick);
        scene_run(crowd.sim, 1);
        sim_measure(crowd.sim, &measures);
        out->contacts += measures.contacts;
    }
    uint32_t first = 0;
    for (uint32_t b = 0; b < FLAGS + 3; b++) {
        sim_body_positions64(crowd.sim, crowd.bodies[b], 0, crowd.counts[b], out->x + 3 * first);
        sim_body_velocities(crowd.sim, crowd.bodies[b], 0, crowd.counts[b], out->v + 3 * first);
        first += crowd.counts[b];
    }
    assert_int_equal(first, EVERYTHING);
    for (uint32_t k = 0; k < 3 * EVERYTHING; k++) {
        out->x[k] -= shift[k % 3];
    }
    for (uint32_t g = 0; g < 2; g++) {
        struct sim_grab held;
        sim_grab_at(crowd.sim, g, &held);
        memcpy(out->forces[g], held.force, sizeof held.force);
    }
    struct sim_constraint constraint;
    uint32_t found = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        for (uint32_t id = 0; sim_constraint_next(crowd.sim, (enum sim_kind)kind, id, &constraint);
             id = constraint.id, found++) {
            assert_true(found < ALL_CONSTRAINTS);
            memcpy(out->multipliers[found], constraint.multiplier, sizeof constraint.multiplier);
        }
    }
    struct sim_measures measures; // the potential is that of the place
    sim_measure(crowd.sim, &measures);
    out->strain_max = measures.error_max[SIM_DISTANCE];
    out->strain_rms = measures.error_rms[SIM_DISTANCE];
    out->volume_error_max = measures.error_max[SIM_VOLUME];
    out->kinetic = measures.kinetic;
    memcpy(out->elastic, measures.elastic, sizeof out->elastic);
    sim_destroy(crowd.sim);
}

static void every_kind_of_body_and_constraint_moves_the_same_1_km_and_100_km_from_the_origin(void **state)
{
    (void)state;
    static struct everything home, away;
    const double shifts[][3] = {
        {1000, -1000, 1000}, {1e5, 65536 + SCENE_Q, -1e5}, {-123456.7890625, 16 - 3 * SCENE_Q, 8}};
    const uint32_t iterations[3] = {1, 3, 1}, substeps[3] = {10, 4, 40};
    for (int run = 0; run < 3; run++) {
        run_everything((double[3]){0, 0, 0}, iterations[run], substeps[run], &home);
        for (int kind = 0; kind < SIM_ROD_STRETCH; kind++) { // test_rod.c shifts rods
            assert_true(home.elastic[kind] > 0);             // each of them did something
        }
        assert_true(home.contacts > 30);
        for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
            run_everything(shifts[i], iterations[run], substeps[run], &away);
            assert_memory_equal(home.x, away.x, sizeof home.x);
            assert_memory_equal(home.v, away.v, sizeof home.v);
            assert_memory_equal(&home, &away, sizeof home);
        }
    }
}

// ------------------------------------------------------------------------------------------------- threads

// 10,000 particles with edits in mid-run. Fills hashes after every tenth tick.
static void run_on(struct base_parallel *parallel, uint32_t iterations, uint64_t hashes[6])
{
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    settings.substeps = 4;
    struct sim *sim = scene_create(settings);
    const double above[3] = {-1, 0.6, -1};
    struct scene_mesh mesh = scene_grid(100, 100, 0.02, above);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch.compliance = 1e-6;
    const uint32_t pins[1] = {0};
    desc.pins = pins;
    desc.pin_count = 1;
    uint32_t body = scene_add(sim, &desc), grab;
    scene_sphere(sim, (double[3]){0, 0, 0}, 0.5, 0.4);
    scene_plane(sim, (double[3]){0, -0.5, 0}, (double[3]){0, 1, 0}, 0.5);
    for (uint32_t tick = 0; tick < 60; tick++) {
        if (tick == 10) {
            scene_link(sim, body, 0, 5050, 1.3, 1e-4, 2);
            assert_int_equal(sim_grab_begin(sim, body, 9999, NULL, 1e-4, &grab, &fault), FAULT_NONE);
        }
        if (tick == 20) {
            uint32_t ids[1000];
            for (uint32_t i = 0; i < 1000; i++) {
                ids[i] = 1 + 7 * i;
            }
            assert_int_equal(sim_constraints_remove(sim, ids, 1000, &fault), FAULT_NONE);
        }
        struct sim_failure failure;
        sim_step(sim, parallel, NULL, &failure);
        assert_false(failure.failed);
        if (tick % 10 == 9) {
            hashes[tick / 10] = sim_hash(sim);
        }
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const uint32_t counts[] = {2, 3, 4};
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        uint64_t alone[6], together[6];
        run_on(NULL, iterations, alone);
        for (int i = 0; i < 3; i++) {
            struct base_team *team = base_team_create(counts[i]);
            assert_non_null(team);
            run_on(base_team_parallel(team), iterations, together);
            base_team_destroy(team);
            assert_memory_equal(alone, together, sizeof alone);
        }
    }
}

// The same edits between the same ticks, twice.
static void the_same_edits_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t first[6], second[6];
    run_on(NULL, 1, first);
    run_on(NULL, 1, second);
    assert_memory_equal(first, second, sizeof first);
    for (int i = 1; i < 6; i++) {
        assert_true(first[i] != first[i - 1]);
    }
}

// -------------------------------------------------------------------------------------------------- golden

static void the_hash_is_the_golden_one(void **state)
{
    (void)state;
    char line[128];
    uint64_t golden = 0, hashes[6];
    FILE *file = fopen("tests/golden/sim.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "cloth %" SCNx64, &golden) == 1) {
            break;
        }
    }
    fclose(file);
    run_on(NULL, 1, hashes);
    if (hashes[5] != golden) {
        fail_msg("cloth %016" PRIx64 ", golden is %016" PRIx64
                 ": if the change of numbers is wanted, put it into tests/golden/sim.txt",
                 hashes[5], golden);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_shifted_by_whole_quanta_gives_the_same_bits),
        cmocka_unit_test(every_kind_of_body_and_constraint_moves_the_same_1_km_and_100_km_from_the_origin),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(the_same_edits_give_the_same_bits),
        cmocka_unit_test(the_hash_is_the_golden_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
