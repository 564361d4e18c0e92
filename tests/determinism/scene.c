// One scene, run to its end: prints the state's hash every fifty ticks, the last one as "final".
//
//     scene THREADS [INSTRUCTION SET]
//     scene --list                       the instruction sets of this machine
//
// More than 10,000 particles, all kinds of bodies, constraints and colliders, wind, a welded seam, and edits of
// every kind in mid-run. Compiled and run by
// matrix.py with each compiler and each set of flags; what it prints must not depend on them.
#include "base/thread.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 100, CLOTH = SIDE * SIDE, ROPE = 200, POINTS = 500, TICKS = 300 };
enum {
    CELLS = 6,
    CORNERS = CELLS + 1,
    BLOCK = CORNERS * CORNERS * CORNERS,
    TETS = 5 * CELLS * CELLS * CELLS
};
enum { FLAG = 12, SEAM = 2 * FLAG * FLAG }; // two sheets of FLAG x FLAG that share a column

static struct sim_fault fault;

static void must(enum sim_status status, int line)
{
    if (status != SIM_OK) {
        fprintf(stderr, "line %d: %s: %s\n", line, fault.field == NULL ? "" : fault.field, fault.text);
        exit(2);
    }
}
#define MUST(call) must((call), __LINE__)

static struct sim_body_added add(struct sim *sim, const struct sim_body_desc *desc,
                                 const struct sim_limits *limits)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    struct sim_body_added added = {0};
    struct sim_body_plan *plan =
        sim_body_prepare(desc, settings->resolution, settings->extent, limits, &fault);
    if (plan == NULL) {
        must(SIM_INVALID, __LINE__);
    }
    MUST(sim_body_attach(sim, plan, &added, &fault));
    return added;
}

static double cloth_positions[3 * CLOTH], rope_positions[3 * ROPE], point_positions[3 * POINTS];
static uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)], edges[2 * ROPE];
static float point_velocities[3 * POINTS];
static double block_positions[3 * BLOCK], flag_positions[3 * SEAM];
static uint32_t tets[4 * TETS], flag_triangles[12 * (FLAG - 1) * (FLAG - 1)];

// Cells of five tetrahedra, every other one mirrored.
static void make_block(void)
{
    static const uint8_t five[2][5][4] = {
        {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}},
        {{1, 0, 5, 3}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}};
    uint32_t *tet = tets;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t at[3] = {i % CORNERS, i / CORNERS % CORNERS, i / (CORNERS * CORNERS)};
        for (int axis = 0; axis < 3; axis++) {
            block_positions[3 * i + (uint32_t)axis] = 0.05 * at[axis] + (axis == 1 ? 1.4 : 0.3);
        }
        bool cell = at[0] < CELLS && at[1] < CELLS && at[2] < CELLS;
        for (uint32_t t = 0; cell && t < 5; t++) {
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t corner = five[(at[0] + at[1] + at[2]) % 2][t][k];
                *tet++ = i + corner % 2 + corner / 2 % 2 * CORNERS + corner / 4 * CORNERS * CORNERS;
            }
        }
    }
}

// The second sheet begins where the first one ends: a seam of coincident vertices. It stands in the wind.
static void make_flag(void)
{
    uint32_t *t = flag_triangles;
    for (uint32_t i = 0; i < SEAM; i++) {
        uint32_t sheet = i / (FLAG * FLAG), column = i % FLAG, row = i / FLAG % FLAG;
        flag_positions[3 * i] = -2 + 0.04 * (column + sheet * (FLAG - 1));
        flag_positions[3 * i + 1] = 1.5 + 0.04 * row;
        flag_positions[3 * i + 2] = sheet == 0 ? -1 : -1 + 0.01 * column;
        if (column + 1 < FLAG && row + 1 < FLAG) {
            const uint32_t two[6] = {i, i + 1, i + FLAG, i + 1, i + FLAG + 1, i + FLAG};
            for (int k = 0; k < 6; k++) {
                *t++ = two[k];
            }
        }
    }
}

static void make_arrays(void)
{
    make_block();
    make_flag();
    uint32_t *t = triangles;
    for (uint32_t i = 0; i < CLOTH; i++) {
        cloth_positions[3 * i] = 0.02 * (i % SIDE) - 1;
        cloth_positions[3 * i + 1] = 0.7 + 0.001 * (i % 7);
        cloth_positions[3 * i + 2] = 0.02 * (double)(i / SIDE) - 1;
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const uint32_t two[6] = {i, i + SIDE, i + SIDE + 1, i, i + SIDE + 1, i + 1};
            for (int k = 0; k < 6; k++) {
                *t++ = two[k];
            }
        }
    }
    for (uint32_t i = 0; i < ROPE; i++) {
        rope_positions[3 * i] = -1 + 0.01 * i;
        rope_positions[3 * i + 1] = 1;
        rope_positions[3 * i + 2] = 0.005 * (i % 3);
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t mixed = (3 * i + axis + 1) * UINT32_C(2654435761);
            point_positions[3 * i + axis] = (double)(mixed >> 8) / 16777216.0 + (axis == 1 ? 1.2 : -0.5);
            point_velocities[3 * i + axis] = (float)(mixed & 255) / 256.0f - 0.5f;
        }
    }
}

static uint32_t collider(struct sim *sim, enum sim_collider_kind kind, double x, double y, double radius,
                         double friction)
{
    struct sim_collider made = {.kind = kind,
                                .position = {x, y, 0},
                                .normal = {0.05, 1, 0.02},
                                .radius = radius,
                                .length = 0.5,
                                .half_extents = {0.4, 0.1, 0.3},
                                .friction = friction};
    uint32_t id;
    MUST(sim_collider_add(sim, &made, &id, &fault));
    return id;
}

struct scene {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_desc rope_desc;
    struct sim_body_added cloth, rope, points, block, flag;
    uint32_t ball, box, capsule, grabs[2], links, fours[4];
};

static const double soft[32] = {0.01, [3] = 0.001, [7] = 0.02, [24] = 1, 0.1, 0.3, 2, 0.5, 1, 1, 1},
                    damp[32] = {[2] = 1, [3] = 2, [11] = 0.5};

// Kinds of four particles: between bodies, changed and removed again; wind that turns.
static void edit_fours(struct scene *scene, uint32_t tick)
{
    static const enum sim_kind kinds[4] = {SIM_DIHEDRAL, SIM_ISOMETRIC, SIM_QUADRATIC, SIM_VOLUME};
    struct sim *sim = scene->sim;
    struct sim_settings settings = *sim_settings_of(sim);
    uint32_t bodies[32], particles[32];
    if (tick == 30) {
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t k = i % 4;
            bodies[i] = i % 8 < 3 ? scene->block.body : scene->flag.body;
            particles[i] = i % 8 < 3 ? 17 * (i / 4) + k * k + k : 5 * (i / 4) + k * (k + 3) + 40;
        }
        for (int k = 0; k < 4; k++) {
            MUST(
                sim_constraints_add(sim, kinds[k], 8, bodies, particles,
                                    &(struct sim_constraint_values){.compliance = &soft[24], .damping = damp},
                                    &scene->fours[k], &fault));
        }
    }
    for (int k = 0; tick == 70 && k < 4; k++) {
        const uint32_t ids[3] = {scene->fours[k], scene->fours[k] + 3, scene->fours[k] + 5};
        const double stiffness[3] = {0.25, 0.5, 0.125};
        MUST(sim_constraints_set(sim, ids, 3, &(struct sim_constraint_values){.stiffness = stiffness},
                                 &fault));
    }
    for (int k = 0; tick == 150 && k < 4; k++) {
        const uint32_t ids[2] = {scene->fours[k] + 1, scene->fours[k] + 5};
        MUST(sim_constraints_remove(sim, ids, 2, &fault));
    }
    if (tick % 25 == 10) {
        settings.wind.velocity[0] = 0.05 * tick - 3;
        settings.wind.velocity[2] = 2 - 0.02 * tick;
        MUST(sim_settings_set(sim, &settings, &fault));
    }
    if (tick == 110) {
        const struct sim_material bend = {.compliance = 2, .damping = 1e-3, .stiffness = -1},
                                  volume = {.stiffness = 0.5};
        MUST(sim_body_set(sim, scene->flag.body, &(struct sim_body_change){.bend = &bend}, &fault));
        MUST(sim_body_set(sim, scene->block.body, &(struct sim_body_change){.volume = &volume}, &fault));
    }
    double turn = 0.01 * tick;
    struct sim_collider box = {.id = scene->box,
                               .kind = SIM_BOX,
                               .half_extents = {0.4, 0.1, 0.3},
                               .position = {0.45, 0.9, 0.45},
                               .rotation = {0.1 * turn, turn, 0, 1},
                               .friction = 0.8};
    MUST(sim_collider_set(sim, &box, &fault));
    struct sim_collider capsule = {.id = scene->capsule,
                                   .kind = SIM_CAPSULE,
                                   .radius = 0.1,
                                   .length = 0.5,
                                   .position = {-0.8 + 0.002 * tick, 0.3, -0.2},
                                   .rotation = {0, 0, 1, turn},
                                   .friction = 0.3};
    MUST(sim_collider_set(sim, &capsule, &fault));
}

static void edit(struct scene *scene, uint32_t tick)
{
    struct sim *sim = scene->sim;
    uint32_t cloth = scene->cloth.body, rope = scene->rope.body, ids[2000], bodies[64], particles[64];
    struct sim_settings settings = *sim_settings_of(sim);
    double x[3];
    switch (tick) {
    case 20: // links between bodies, soft and damped
        for (uint32_t i = 0; i < 32; i++) {
            bodies[2 * i] = cloth;
            bodies[2 * i + 1] = rope;
            particles[2 * i] = SIDE * (SIDE / 2) + i;
            particles[2 * i + 1] = 3 * i;
        }
        MUST(sim_constraints_add(sim, SIM_DISTANCE, 32, bodies, particles,
                                 &(struct sim_constraint_values){.compliance = soft, .damping = damp},
                                 &scene->links, &fault));
        break;
    case 40:
        MUST(sim_grab_begin(sim, cloth, CLOTH - 1, NULL, 1e-4, &scene->grabs[0], &fault));
        MUST(sim_grab_begin(sim, rope, 100, NULL, 0, &scene->grabs[1], &fault));
        break;
    case 60: { // tears: more than a quarter of the rope, less of the cloth
        uint32_t count = scene->rope.constraint_count[SIM_DISTANCE];
        for (uint32_t i = 0; i < count / 3; i++) {
            ids[i] = scene->rope.constraint_first[SIM_DISTANCE] + 3 * i;
        }
        MUST(sim_constraints_remove(sim, ids, count / 3, &fault));
        for (uint32_t i = 0; i < 2000; i++) {
            ids[i] = scene->cloth.constraint_first[SIM_DISTANCE] + 11 * i;
        }
        MUST(sim_constraints_remove(sim, ids, 2000, &fault));
        break;
    }
    case 80: { // single materials, then new links where old ones went
        double stiff[500], slow[500];
        for (uint32_t i = 0; i < 500; i++) {
            ids[i] = scene->cloth.constraint_first[SIM_DISTANCE] + 11 * i + 1;
        }
        for (uint32_t i = 0; i < 500; i++) {
            stiff[i] = 1e-6 * i;
            slow[i] = i % 2 ? 0.25 * i : 0;
        }
        MUST(sim_constraints_set(
            sim, ids, 500, &(struct sim_constraint_values){.compliance = stiff, .damping = slow}, &fault));
        ids[0] = scene->links + 5;
        MUST(sim_constraints_remove(sim, ids, 1, &fault));
        break;
    }
    case 100:
        particles[0] = 0;
        particles[1] = SIDE - 1;
        MUST(sim_particles_pin(sim, cloth, particles, 2, NULL, &fault));
        settings.iterations = 2;
        settings.damping = 0.1;
        MUST(sim_settings_set(sim, &settings, &fault));
        break;
    case 140: {
        uint32_t *gone, gone_count;
        MUST(sim_grab_end(sim, scene->grabs[1], &fault));
        MUST(sim_body_remove(sim, scene->points.body, &gone, &gone_count, &fault));
        free(gone);
        break;
    }
    case 160: { // in the rows that have become free
        scene->rope_desc.stretch.stiffness = 0.8;
        scene->rope_desc.density = 0.3;
        struct sim_body_added second = add(sim, &scene->rope_desc, &scene->limits);
        bodies[0] = second.body;
        bodies[1] = cloth;
        particles[0] = 0;
        particles[1] = SIDE - 1;
        MUST(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                 &(struct sim_constraint_values){.compliance = soft}, &ids[0], &fault));
        break;
    }
    case 200: {
        const struct sim_material material = {.compliance = 2e-5, .damping = 3, .stiffness = -1};
        const double thickness = 0.01;
        MUST(sim_body_set(sim, cloth,
                          &(struct sim_body_change){.stretch = &material, .thickness = &thickness}, &fault));
        particles[0] = 0;
        MUST(sim_particles_unpin(sim, cloth, particles, 1, &fault));
        break;
    }
    case 240:
        settings.iterations = 1;
        settings.gravity[0] = 1.5;
        MUST(sim_settings_set(sim, &settings, &fault));
        break;
    default:
        break;
    }
    if (tick >= 45 && tick < 120) { // a hand that draws a circle of sorts
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = (axis == 0 ? 0.9 - 0.005 * (tick - 45) : axis == 1 ? 0.6 + 0.01 * (tick % 20) : 0.9);
        }
        MUST(sim_grab_move(sim, scene->grabs[0], x, &fault));
    }
    if (tick > 100 && tick < 130) {
        double at[3];
        sim_body_positions64(sim, cloth, SIDE - 1, 1, at);
        at[1] += 0.004;
        particles[0] = SIDE - 1;
        MUST(sim_particles_pin(sim, cloth, particles, 1, at, &fault));
    }
    if (tick % 3 == 0 && tick > 150) {
        struct sim_collider moved = {.id = scene->ball, .kind = SIM_SPHERE, .radius = 0.4, .friction = 0.5};
        moved.position[0] = 0.001 * (tick - 150);
        moved.position[1] = 0.1;
        MUST(sim_collider_set(sim, &moved, &fault));
    }
}

static void choose_isa(const char *name)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        bool available = sim_isa_available((enum sim_isa)isa);
        if (name == NULL && available) {
            puts(sim_isa_name((enum sim_isa)isa));
        } else if (name != NULL && available && strcmp(name, sim_isa_name((enum sim_isa)isa)) == 0) {
            sim_isa_choose((enum sim_isa)isa);
            return;
        }
    }
    exit(name == NULL ? 0 : 2);
}

int main(int argc, char **argv)
{
    base_float_assert();
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        choose_isa(NULL);
    }
    if (argc > 2) {
        choose_isa(argv[2]);
    }
    struct scene scene = {
        .limits = {.bodies = 16, .particles = 100000, .constraints = 100000, .colliders = 16, .grabs = 16}};
    struct base_team *team = base_team_create(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1);
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 2,
                                          .iterations = 1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .wind = {{2, 0.5, 1}, 1, 0.4, 1.2}};
    struct sim *sim = scene.sim = sim_create(&settings, &scene.limits);
    if (team == NULL || sim == NULL) {
        return 2;
    }
    make_arrays();
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = CLOTH,
                                 .positions = cloth_positions,
                                 .triangles = triangles,
                                 .triangle_count = sizeof triangles / sizeof triangles[0] / 3,
                                 .stretch = {.compliance = 1e-6, .stiffness = -1},
                                 .bend_model = SIM_BEND_DEFAULT,
                                 .bend = {.compliance = 1, .stiffness = -1},
                                 .thickness = 0.005};
    scene.cloth = add(sim, &desc, &scene.limits);
    scene.rope_desc = (struct sim_body_desc){.kind = SIM_ROPE,
                                             .particle_count = ROPE,
                                             .positions = rope_positions,
                                             .edges = edges,
                                             .edge_count = ROPE - 1,
                                             .stretch = {.compliance = 1e-5, .damping = 2, .stiffness = -1},
                                             .thickness = 0.01};
    scene.rope = add(sim, &scene.rope_desc, &scene.limits);
    desc = (struct sim_body_desc){.kind = SIM_POINTS,
                                  .particle_count = POINTS,
                                  .positions = point_positions,
                                  .velocities = point_velocities,
                                  .stretch = {.stiffness = -1},
                                  .thickness = 0.02};
    scene.points = add(sim, &desc, &scene.limits);
    desc = (struct sim_body_desc){.kind = SIM_SOFT,
                                  .particle_count = BLOCK,
                                  .positions = block_positions,
                                  .tets = tets,
                                  .tet_count = TETS,
                                  .stretch = {.compliance = 1e-5, .damping = 1, .stiffness = -1},
                                  .volume = {.compliance = 1e-9, .damping = 1e5, .stiffness = -1},
                                  .thickness = 0.01};
    scene.block = add(sim, &desc, &scene.limits);
    const double weld = 0.001;
    const uint32_t pole[3] = {0, 5 * FLAG, (FLAG - 1) * FLAG};
    desc = (struct sim_body_desc){.kind = SIM_CLOTH,
                                  .particle_count = SEAM,
                                  .positions = flag_positions,
                                  .triangles = flag_triangles,
                                  .triangle_count = sizeof flag_triangles / sizeof flag_triangles[0] / 3,
                                  .stretch = {.compliance = 1e-5, .stiffness = -1},
                                  .bend_model = SIM_BEND_DIHEDRAL,
                                  .bend = {.compliance = 5, .damping = 1e-3, .stiffness = -1},
                                  .weld = &weld,
                                  .pins = pole,
                                  .pin_count = 3,
                                  .thickness = 0.005};
    scene.flag = add(sim, &desc, &scene.limits);
    desc.bend_model = SIM_BEND_ISOMETRIC;
    desc.bend = (struct sim_material){.compliance = 0.1, .stiffness = -1};
    for (uint32_t i = 0; i < SEAM; i++) {
        flag_positions[3 * i + 2] += 0.5;
    }
    add(sim, &desc, &scene.limits);
    scene.box = collider(sim, SIM_BOX, 0.45, 0.9, 0, 0.8);
    scene.capsule = collider(sim, SIM_CAPSULE, -0.8, 0.3, 0.1, 0.3);
    scene.ball = collider(sim, SIM_SPHERE, 0, 0.1, 0.4, 0.5);
    collider(sim, SIM_PLANE, 0, -0.5, 0, 0.6);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        edit(&scene, tick);
        edit_fours(&scene, tick);
        struct sim_failure failure;
        sim_step(sim, base_team_parallel(team), NULL, &failure);
        if (failure.failed) {
            fprintf(stderr, "tick %u: %s\n", tick, failure.text);
            return 2;
        }
        if (tick % 50 == 49) {
            printf("%u %016" PRIx64 "\n", tick + 1, sim_hash(sim));
        }
    }
    struct sim_measures measures;
    sim_measure(sim, &measures);
    fprintf(stderr, "strain %g, contacts %u, kinetic %g J\n", measures.strain_max, measures.contacts,
            measures.kinetic);
    printf("final %016" PRIx64 "\n", sim_hash(sim));
    sim_destroy(sim);
    base_team_destroy(team);
    return 0;
}
