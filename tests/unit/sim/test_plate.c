// Bending that is solved: the factor against a dense elimination, a strip against the elastica, what flies free keeps its
// momenta, and a plate is no state: the same bits on any thread and instruction set, after edits that are taken back, and
// in a copy.
#include "base/thread.h"
#include "helper_scene.h"
#include "sim/plate/plate.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static struct sim_settings settings_of(bool solved)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.bending_solved = solved;
    return settings;
}

// ---------------------------------------------------------------------------------------------------- factor

enum { COLUMNS = 17, LINES = 9, COUNT = COLUMNS * LINES, STENCILS = 2 * COUNT };

struct system {
    struct sim_plate_stencil stencils[STENCILS];
    double masses[COUNT], pushes[COUNT][3], ways[COUNT][3];
};

// Stencils of neighbours of a grid with weights of their own that sum to zero; some particles are held.
static void system_init(struct system *system, double stiffness)
{
    uint64_t random = 7;
    for (uint32_t v = 0; v < COUNT; v++) {
        system->masses[v] = v % 23 == 5 ? 0 : 0.5 + scene_uniform(&random);
        for (int axis = 0; axis < 3; axis++) {
            system->pushes[v][axis] = system->masses[v] > 0 ? scene_uniform(&random) - 0.5 : 0;
        }
    }
    for (uint32_t s = 0; s < STENCILS; s++) {
        struct sim_plate_stencil *stencil = &system->stencils[s];
        uint32_t i = s / 2 % (COLUMNS - 1), j = s / 2 / (COLUMNS - 1) % (LINES - 1);
        double sum = 0;
        for (uint32_t k = 0; k < 4; k++) {
            stencil->unknowns[k] = (j + k / 2) * COLUMNS + i + k % 2;
            stencil->weights[k] = k < 3 ? scene_uniform(&random) - 0.5 : 0 - sum;
            sum += stencil->weights[k];
        }
        stencil->weight = stiffness * scene_uniform(&random);
    }
}

// Fills `ways` by elimination without any order.
static void solve_densely(struct system *system)
{
    static double a[COUNT][COUNT + 3];
    memset(a, 0, sizeof a);
    for (uint32_t v = 0; v < COUNT; v++) {
        a[v][v] = system->masses[v] > 0 ? system->masses[v] : 1;
        memcpy(a[v] + COUNT, system->pushes[v], sizeof system->pushes[v]);
    }
    for (uint32_t s = 0; s < STENCILS; s++) {
        const struct sim_plate_stencil *stencil = &system->stencils[s];
        for (int k = 0; k < 16; k++) {
            uint32_t row = stencil->unknowns[k / 4], column = stencil->unknowns[k % 4];
            if (system->masses[row] > 0 && system->masses[column] > 0) {
                a[row][column] += stencil->weight * stencil->weights[k / 4] * stencil->weights[k % 4];
            }
        }
    }
    for (uint32_t p = 0; p < COUNT; p++) {
        for (uint32_t r = 0; r < COUNT; r++) {
            const double f = r == p ? 0 : a[r][p] / a[p][p];
            for (uint32_t c = p; c < COUNT + 3 && f != 0; c++) {
                a[r][c] -= f * a[p][c];
            }
        }
    }
    for (uint32_t v = 0; v < COUNT; v++) {
        for (int axis = 0; axis < 3; axis++) {
            system->ways[v][axis] = a[v][COUNT + axis] / a[v][v];
        }
    }
}

static void dissect(const struct system *system, struct sim_dissection *dissection)
{
    static uint32_t starts[COUNT + 3], ways[STENCILS * 12];
    static int64_t points[COUNT][3];
    struct sim_graph graph = {.count = COUNT, .starts = starts, .ways = ways};
    uint32_t count = 0;
    for (uint32_t v = 0; v < COUNT; v++) {
        starts[v] = count;
        points[v][0] = v % COLUMNS * 100;
        points[v][2] = v / COLUMNS * 100;
        for (uint32_t s = 0; s < STENCILS; s++) {
            const uint32_t *of = system->stencils[s].unknowns;
            bool in = of[0] == v || of[1] == v || of[2] == v || of[3] == v;
            for (int k = 0; in && k < 4; k++) {
                if (of[k] != v) {
                    ways[count++] = of[k];
                }
            }
        }
    }
    starts[COUNT] = count;
    assert_true(sim_dissect(&graph, (const int64_t(*)[3])points, dissection));
}

// Solves with the kernels of an instruction set. Fills the result in the order of particles; returns the greatest error, over the greatest way.
static double solve_sparsely(const struct system *system, enum sim_isa isa, bool fine, double x[COUNT][3])
{
    static struct sim_plate_stencil stencils[STENCILS];
    uint32_t order[COUNT], ends[COUNT], unknown_of[COUNT];
    struct sim_dissection dissection = {.order = order, .ends = ends};
    double worst = 0, greatest = 0;
    bool fits;
    dissect(system, &dissection);
    struct sim_plate plate = {.fine = fine, .count = COUNT, .lanes = sim_kernels_of(isa)->lanes};
    plate.masses = calloc(COUNT + 1, sizeof(double));
    assert_true(sim_plate_shape(&plate, &dissection));
    for (uint32_t u = 0; u < COUNT; u++) {
        unknown_of[order[u]] = u;
        plate.masses[u] = system->masses[order[u]];
        for (uint32_t axis = 0; axis < 3; axis++) {
            double push = system->pushes[order[u]][axis];
            if (fine) {
                ((double *)plate.pushes)[4 * u + axis] = push;
            } else {
                ((float *)plate.pushes)[4 * u + axis] = (float)push;
            }
        }
    }
    memcpy(stencils, system->stencils, sizeof stencils);
    for (uint32_t s = 0; s < STENCILS; s++) {
        for (int k = 0; k < 4; k++) {
            stencils[s].unknowns[k] = unknown_of[stencils[s].unknowns[k]];
        }
    }
    assert_true(sim_plate_grow(&plate, stencils, STENCILS, &fits));
    assert_true(fits && sim_plate_factor(&plate, sim_kernels_of(isa), NULL, NULL));
    assert_true(plate.made);
    for (int back = 0; back <= 1; back++) {
        sim_kernels_of(isa)->plate_pass(&plate, (struct sim_plate_range){0, plate.node_count}, back);
    }
    for (uint32_t u = 0; u < COUNT; u++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            double way =
                fine ? ((double *)plate.ways)[4 * u + axis] : (double)((float *)plate.ways)[4 * u + axis];
            x[order[u]][axis] = way;
            worst = fmax(worst, fabs(way - system->ways[order[u]][axis]));
            greatest = fmax(greatest, fabs(way));
        }
    }
    sim_plate_empty(&plate);
    return worst / greatest;
}

static void the_factor_solves_what_a_dense_one_does(void **state)
{
    (void)state;
    static struct system system;
    static double first[COUNT][3], x[COUNT][3];
    for (int fine = 0; fine <= 1; fine++) {
        system_init(&system, fine ? 1e6 : 30);
        solve_densely(&system);
        double worst = solve_sparsely(&system, sim_isa_chosen(), fine, first);
        print_message("%s: relative error %.1e\n", fine ? "double" : "float", worst);
        assert_true(worst < (fine ? 1e-9 : 1e-5));
        for (enum sim_isa isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available(isa)) {
                solve_sparsely(&system, isa, fine, x);
                assert_memory_equal(x, first, sizeof x);
            }
        }
    }
}

static void the_order_has_each_particle_once(void **state)
{
    (void)state;
    static struct system system;
    uint32_t order[COUNT], ends[COUNT], seen[COUNT] = {0};
    struct sim_dissection dissection = {.order = order, .ends = ends};
    system_init(&system, 1);
    dissect(&system, &dissection);
    assert_true(dissection.node_count > 4);
    assert_int_equal(ends[dissection.node_count - 1], COUNT);
    assert_int_equal(dissection.part_count, 0); // it is small
    for (uint32_t u = 0; u < COUNT; u++) {
        assert_int_equal(seen[order[u]]++, 0);
    }
}

// ----------------------------------------------------------------------------------------------------- strip

// The fall of the tip of a strip of 20 cm, over its length, after it has come to rest. It is clamped by its first two
// columns, and its rigidity would be weight length^3 / 2.
static double tip_of(uint32_t cells, bool solved)
{
    const double spacing = 0.2 / cells, origin[3] = {-spacing, 0, 0}, rigidity = 0.15 * 9.81 * 0.008 / 2;
    struct sim_settings settings = settings_of(solved);
    settings.damping = 4;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(cells + 2, 5, spacing, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[10];
    double x[3];
    for (uint32_t i = 0; i < 10; i++) {
        pins[i] = i / 2 * (cells + 2) + i % 2;
    }
    desc.density = 0.15;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 2.5 / rigidity, .stiffness = -1};
    desc.pins = pins;
    desc.pin_count = 10;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 240);
    scene_position(sim, body, 3 * (cells + 2) - 1, x);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return -x[1] / 0.2;
}

static void a_strip_bends_as_the_elastica_on_each_mesh(void **state)
{
    (void)state;
    double coarse = tip_of(10, true), fine = tip_of(20, true), swept = tip_of(20, false);
    print_message("tip: %.4f on 10 cells, %.4f on 20, %.4f swept; elastica 0.2385\n", coarse, fine, swept);
    assert_near(coarse, 0.2385, 0.2 * 0.2385);
    assert_near(fine, 0.2385, 0.15 * 0.2385);
    assert_true(swept > 2 * 0.2385);
}

// ---------------------------------------------------------------------------------------------------- flight

// Momentum over mass, m/s, and angular momentum about the centre over the moment of inertia of a 20 cm square, 1/s.
static void momenta(const struct sim *sim, uint32_t body, uint32_t count, double p[3], double l[3])
{
    double *x = malloc(count * 3 * sizeof *x), *m = malloc(count * sizeof *m), mass = 0, center[3] = {0};
    float *v = malloc(count * 3 * sizeof *v);
    sim_body_positions64(sim, body, 0, count, x);
    sim_body_velocities(sim, body, 0, count, v);
    sim_body_masses(sim, body, m);
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (uint32_t i = 0; i < count; i++) {
        mass += m[i];
        for (int axis = 0; axis < 3; axis++) {
            center[axis] += m[i] * x[3 * i + axis];
            p[axis] += m[i] * (double)v[3 * i + axis];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            int a = (axis + 1) % 3, b = (axis + 2) % 3;
            l[axis] += m[i] *
                       ((x[3 * i + a] - center[a] / mass) * ((double)v[3 * i + b] - p[b] / mass) -
                        (x[3 * i + b] - center[b] / mass) * ((double)v[3 * i + a] - p[a] / mass)) /
                       (mass * 0.04 / 12);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        p[axis] /= mass;
    }
    free(x);
    free(v);
    free(m);
}

// How much a square's momenta change in so many ticks of flight, in which it turns and trembles.
static void fly(double rigidity, double stretch, float speed, uint32_t ticks, double *gained, double *turned)
{
    enum { SIDE = 9 };
    const double origin[3] = {3, 2, 1};
    struct sim_settings settings = settings_of(true);
    memset(settings.gravity, 0, sizeof settings.gravity);
    settings.resolution =
        1.0 / (1 << 30); // the way rounds to quanta, and the velocity does not: that turns it, too
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.2 / (SIDE - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    float velocities[SIDE * SIDE][3];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const float x = (float)(i % SIDE) - 4, z = (float)(i / SIDE) - 4;
        velocities[i][0] = 0.1f;
        velocities[i][1] =
            0.05f + speed * (0.005f * x + 0.002f * (x * x - z * z)); // it turns about z, and bends
        velocities[i][2] = -0.02f;
    }
    desc.density = 0.2;
    double masses[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        masses[i] = 0.2 * 0.04 / (SIDE * SIDE);
    }
    desc.masses = masses;
    desc.velocities = velocities[0];
    desc.stretch.compliance = stretch;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1 / rigidity, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    double p[2][3], l[2][3];
    momenta(sim, body, SIDE * SIDE, p[0], l[0]);
    scene_run(sim, ticks);
    momenta(sim, body, SIDE * SIDE, p[1], l[1]);
    *gained = *turned = 0;
    for (int axis = 0; axis < 3; axis++) {
        *gained = fmax(*gained, fabs(p[1][axis] - p[0][axis]));
        *turned = fmax(*turned, fabs(l[1][axis] - l[0][axis]));
    }
    print_message("%g N m: momentum gains %.1e m/s, spin %.1e of %.2f 1/s\n", rigidity, *gained, *turned,
                  l[0][2]);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void what_flies_free_keeps_its_momenta(void **state)
{
    (void)state;
    double gained, turned;
    for (int stiff = 0; stiff < 2; stiff++) {
        const double rigidity = stiff ? 0.3 : 1e-3;
        fly(rigidity, 0, 1, 3600, &gained, &turned);
        assert_true(gained < 2e-7); // velocities round
        assert_true(turned < 1e-3); // h spin^3 t is 8e-4: edges pull along where they come to
        fly(rigidity, 1e6, 30, 20, &gained, &turned);
        assert_true(gained < 2e-7 && turned < 8e-6); // bending alone: edges give way
    }
}

// --------------------------------------------------------------------------------------------- which is solved

static uint32_t add_square(struct sim *sim, uint32_t side, enum sim_bend model, struct sim_material bend)
{
    const double origin[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(side, side, 0.3 / (side - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, side - 1};
    desc.density = 0.2;
    desc.bend_model = model;
    desc.bend = bend;
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static const struct sim_material soft = {.compliance = 1e4, .stiffness = -1};

static bool solved(const struct sim *sim, uint32_t position)
{
    return sim->bodies[position]->plate && sim->bodies[position]->plate->solved;
}

static void only_quadratic_bending_with_a_compliance_is_solved(void **state)
{
    (void)state;
    const struct sim_material rigid = {.stiffness = -1}, plain = {.compliance = 0, .stiffness = 0.5},
                              hard = {.compliance = 1e-30, .stiffness = -1};
    struct sim *sim = scene_create(settings_of(true));
    uint32_t first = add_square(sim, 6, SIM_BEND_QUADRATIC, soft);
    add_square(sim, 6, SIM_BEND_QUADRATIC, rigid);
    add_square(sim, 6, SIM_BEND_QUADRATIC, plain);
    add_square(sim, 6, SIM_BEND_QUADRATIC, hard);
    add_square(sim, 6, SIM_BEND_DIHEDRAL, soft);
    add_square(sim, 6, SIM_BEND_ISOMETRIC, soft);
    scene_run(sim, 1);
    for (uint32_t b = 0; b < 6; b++) {
        assert_int_equal(solved(sim, b), b == 0);
    }
    const struct sim_material stiff = {.compliance = 1e-2, .stiffness = -1};
    assert_int_equal(sim_body_set(sim, first, &(struct sim_body_change){.bend = &stiff}, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_true(solved(sim, 0) && sim->bodies[0]->plate->fine);
    assert_int_equal(sim_body_set(sim, first, &(struct sim_body_change){.bend = &plain}, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_false(solved(sim, 0));
    sim_destroy(sim);
}

// The multipliers of a tick that keeps them, and those that are found afterwards.
static void forces_are_found_again(void **state)
{
    (void)state;
    struct sim_constraint kept[64], found[64];
    uint32_t count[2];
    for (int keeps = 0; keeps <= 1; keeps++) {
        struct sim *sim = scene_create(settings_of(true));
        bool hold;
        add_square(sim, 5, SIM_BEND_QUADRATIC, soft);
        if (keeps) {
            assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
        }
        scene_run(sim, 5);
        if (!keeps) {
            assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
            assert_true(hold);
        }
        count[keeps] = scene_listed(sim, SIM_QUADRATIC, keeps ? kept : found);
        sim_destroy(sim);
    }
    assert_int_equal(count[0], count[1]);
    double greatest = 0;
    for (uint32_t c = 0; c < count[0]; c++) {
        assert_memory_equal(kept[c].multiplier, found[c].multiplier, sizeof kept[c].multiplier);
        greatest = fmax(greatest, fabs(kept[c].multiplier[1]));
    }
    assert_true(greatest > 0);
}

// ------------------------------------------------------------------------------------------------- no state

// Edits of all kinds that change what a factor is made from. Returns the hash at the end.
static uint64_t program(enum sim_isa isa, struct base_parallel *parallel)
{
    sim_isa_choose(isa);
    struct sim *sim = scene_create(settings_of(true));
    uint32_t body = add_square(sim, 66, SIM_BEND_QUADRATIC, soft), pin = 66 * 65, cut[40];
    uint32_t small =
        add_square(sim, 9, SIM_BEND_QUADRATIC, (struct sim_material){.compliance = 1, .stiffness = -1});
    for (uint32_t tick = 0; tick < 8; tick++) {
        struct sim_failure failure;
        if (tick == 2) {
            const double to[3] = {0.02, -0.01, 0.3};
            assert_int_equal(sim_particles_pin(sim, body, &pin, 1, to, &fault), FAULT_NONE);
        } else if (tick == 3) {
            struct sim_body_info info;
            assert_true(sim_body_info(sim, body, &info));
            for (uint32_t i = 0; i < 40; i++) {
                cut[i] = info.constraint_first[SIM_QUADRATIC] + 6000 + i;
            }
            assert_int_equal(sim_constraints_remove(sim, cut, 40, &fault), FAULT_NONE);
        } else if (tick == 4) {
            const struct sim_material softer = {.compliance = 1e-4, .damping = 1e-6, .stiffness = -1};
            const uint32_t both[2] = {0, 8};
            assert_int_equal(sim_body_set(sim, small, &(struct sim_body_change){.bend = &softer}, &fault),
                             FAULT_NONE);
            assert_int_equal(sim_particles_unpin(sim, small, both, 2, &fault), FAULT_NONE);
        } else if (tick == 6) {
            assert_int_equal(sim_particles_unpin(sim, body, &pin, 1, &fault), FAULT_NONE);
        }
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
        assert_true(solved(sim, 0) && solved(sim, 1));
    }
    uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

#define GOLDEN UINT64_C(0x2e1b00c9b5662264)

static void threads_and_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    enum sim_isa best = sim_isa_chosen();
    uint64_t hash = program(best, NULL);
    // The same on every machine and of every compiler. Another number is another solver (SIM_SOLVER_VERSION).
    if (hash != GOLDEN) {
        fail_msg("the hash is %016" PRIx64, hash);
    }
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct base_team *team = base_team_create(threads);
        assert_non_null(team);
        assert_true(program(best, base_team_parallel(team)) == hash);
        base_team_destroy(team);
    }
    for (enum sim_isa isa = 0; isa < SIM_ISA_COUNT; isa++) {
        assert_true(!sim_isa_available(isa) || program(isa, NULL) == hash);
    }
    sim_isa_choose(best);
}

static void a_copy_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    struct sim_settings settings = settings_of(true);
    settings.long_edges = true;
    struct sim *sim = scene_create(settings), *copy;
    struct sim_image image;
    struct sim_image_place place;
    add_square(sim, 20, SIM_BEND_QUADRATIC, soft);
    scene_run(sim, 20);
    assert_true(sim_image_take(sim, &image));
    copy = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(copy);
    assert_true(sim_hash(copy) == sim_hash(sim));
    scene_run(sim, 20);
    scene_run(copy, 20);
    assert_true(sim_hash(copy) == sim_hash(sim));
    sim_destroy(sim);
    sim_destroy(copy);
}

static void what_is_taken_back_leaves_no_trace(void **state)
{
    (void)state;
    struct sim *sims[2];
    uint32_t body = 0, pins[2] = {399, 210};
    for (int edited = 0; edited < 2; edited++) {
        sims[edited] = scene_create(settings_of(true));
        body = add_square(sims[edited], 20, SIM_BEND_QUADRATIC, soft);
        scene_run(sims[edited], 10);
    }
    // Pins come, a factor is made with them in a copy of the moment, bending is swept, and all goes again.
    struct sim_restore_particles states;
    assert_int_equal(sim_restore_particles_take(sims[1], body, pins, 2, SIM_RESTORE_PINS, &states, &fault),
                     FAULT_NONE);
    struct sim_still *still = sim_still_create(sims[1]);
    sim_still_begin(still, sims[1]);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    const uint64_t sources = sims[1]->bodies[0]->plate->sources;
    assert_int_equal(sim_particles_pin(sims[1], body, pins, 2, NULL, &fault), FAULT_NONE);
    scene_run(sims[1], 3);
    assert_true(sims[1]->bodies[0]->plate->sources != sources);
    assert_int_equal(sim_restore_particles_apply(sims[1], &states, &fault), FAULT_NONE);
    sim_restore_particles_deinit(&states);
    struct sim_settings off = settings_of(false), on = settings_of(true);
    assert_int_equal(sim_settings_set(sims[1], &off, &fault), FAULT_NONE);
    scene_run(sims[1], 1);
    assert_null(sims[1]->bodies[0]->plate);
    assert_true(sim_hash(sims[0]) != sim_hash(sims[1]));
    assert_int_equal(sim_settings_set(sims[1], &on, &fault), FAULT_NONE);
    sim_still_give_back(still, sims[1]);
    sim_still_destroy(still);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    for (int tick = 0; tick < 10; tick++) {
        scene_run(sims[0], 1);
        scene_run(sims[1], 1);
        assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    }
    sim_reset(sims[0]);
    sim_reset(sims[1]);
    scene_run(sims[0], 3);
    scene_run(sims[1], 3);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

static void it_counts_as_work_of_a_tick(void **state)
{
    (void)state;
    struct sim_limits limits = scene_limits;
    limits.work = 20 * (36 + 85 + 65) + 1; // 20 substeps, 36 particles, 85 edges, 65 stencils
    struct sim *sim = scene_create_limited(settings_of(false), limits);
    add_square(sim, 6, SIM_BEND_QUADRATIC, soft);
    const struct sim_settings with = settings_of(true);
    assert_int_equal(sim_settings_set(sim, &with, &fault), FAULT_LIMIT);
    assert_string_equal(fault.field, "bending");
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_has_each_particle_once),
        cmocka_unit_test(the_factor_solves_what_a_dense_one_does),
        cmocka_unit_test(a_strip_bends_as_the_elastica_on_each_mesh),
        cmocka_unit_test(what_flies_free_keeps_its_momenta),
        cmocka_unit_test(only_quadratic_bending_with_a_compliance_is_solved),
        cmocka_unit_test(forces_are_found_again),
        cmocka_unit_test(threads_and_instruction_sets_give_the_same_bits),
        cmocka_unit_test(a_copy_goes_on_with_the_same_bits),
        cmocka_unit_test(what_is_taken_back_leaves_no_trace),
        cmocka_unit_test(it_counts_as_work_of_a_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
