// The cost of a constraint of each kind, beside that of a distance, in one run on one thread.
//
//     bench_costs [--isa NAME] [--iterations N] [PART OF A NAME ...]       default: avx2, 1 iteration, all rows
//
// Every row has a world of its own with some thousand constraints of its kind. In each round all worlds run a tick, so that there is
// something to correct, and then the passes of each row are timed: the kernel over all batches of the kind, or what else projects
// it. A row of rigid pieces times whole ticks. The figures are medians of the rounds; a ratio is the median of the ratios of
// the rounds. docs/measurements/costs.md has a table.
#include "helper_ball.h"
#include "helper_piece.h"

#include "sim/solve/solve.h"
#include "sim/state/kernels.h"
#include "sim/state/long.h"
#include "sim/state/match.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SUBSTEPS = 20,
    ROUNDS = 41,
    CONSTRAINTS = 40000,
    SIDE = 50,
    JOINED = 30,
    CELLS = 12,
    PIECES = 12,
    RODS = 60,
    SEGMENTS = 40
};

static uint32_t iterations = 1;

// ------------------------------------------------------------------------------------------------------------ worlds

static struct sim_settings settings_of(double gravity)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = SUBSTEPS;
    settings.iterations = iterations;
    settings.gravity[1] = 0 - gravity;
    return settings;
}

static struct sim *block_with(enum sim_solid model, struct sim_matching matching)
{
    struct scene_block block =
        scene_block((const uint32_t[3]){CELLS, CELLS, CELLS}, 0.05, (const double[3]){0, 0, 0});
    struct sim *sim = scene_create(settings_of(9.81));
    struct sim_body_desc desc = scene_soft(&block);
    const uint32_t pins[2] = {0, CELLS};
    desc.volume.compliance = 1e-9;
    desc.stretch.compliance = 1e-6;
    desc.solid_model = model;
    desc.solid = (struct sim_material){.young = 1e6, .poisson = 0.3};
    desc.matching = matching;
    desc.pins = pins;
    desc.pin_count = 2;
    scene_add(sim, &desc);
    scene_block_deinit(&block);
    return sim;
}

static struct sim *soft(void)
{
    return block_with(SIM_SOLID_NONE, (struct sim_matching){.model = SIM_MATCH_NONE});
}

static struct sim *solid(void)
{
    return block_with(SIM_SOLID_NEO_HOOKEAN, (struct sim_matching){.model = SIM_MATCH_NONE});
}

static struct sim *matched(void)
{
    return block_with(SIM_SOLID_NONE, (struct sim_matching){.model = SIM_MATCH_RIGID, .compliance = 1e-6});
}

static struct sim *matched_regions(void)
{
    return block_with(
        SIM_SOLID_NONE,
        (struct sim_matching){.model = SIM_MATCH_RIGID, .compliance = 1e-6, .radius = 0.12, .spacing = 0.1});
}

static uint32_t cloth_add(struct sim *sim, uint32_t side, double height, enum sim_bend bend,
                          enum sim_stretch stretch)
{
    const double origin[3] = {0, height, 0};
    struct scene_mesh mesh = scene_grid(side, side, 0.01, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, side - 1};
    desc.bend_model = bend;
    desc.bend.compliance = 1e5;
    desc.stretch_model = stretch;
    if (stretch == SIM_STRETCH_ORTHOTROPIC) {
        desc.stretch = (struct sim_material){
            .stiffness = -1, .warp = 2000, .weft = 1000, .shear = 50, .poisson = 0.2, .damping = 0};
        desc.yarns.direction[0] = 1;
    }
    desc.pins = pins;
    desc.pin_count = 2;
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static struct sim *cloth_with(enum sim_bend bend, enum sim_stretch stretch, bool long_edges)
{
    struct sim_settings settings = settings_of(9.81);
    settings.long_edges = long_edges;
    settings.bending_solved = false;
    struct sim *sim = scene_create(settings);
    cloth_add(sim, SIDE, 0, bend, stretch);
    return sim;
}

// As many particles as a cloth of those that are joined, so that all of it is in the cache that is nearest, as joins are.
static struct sim *few(void)
{
    struct sim *sim = scene_create(settings_of(9.81));
    cloth_add(sim, JOINED, 0, SIM_BEND_NONE, SIM_STRETCH_DISTANCE);
    return sim;
}

static struct sim *quadratic(void)
{
    return cloth_with(SIM_BEND_QUADRATIC, SIM_STRETCH_DISTANCE, false);
}

static struct sim *isometric(void)
{
    return cloth_with(SIM_BEND_ISOMETRIC, SIM_STRETCH_DISTANCE, false);
}

static struct sim *dihedral(void)
{
    return cloth_with(SIM_BEND_DIHEDRAL, SIM_STRETCH_DISTANCE, false);
}

static struct sim *woven(void)
{
    return cloth_with(SIM_BEND_NONE, SIM_STRETCH_ORTHOTROPIC, false);
}

static struct sim *long_edges(void)
{
    return cloth_with(SIM_BEND_NONE, SIM_STRETCH_DISTANCE, true);
}

static void add(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                const uint32_t *particles, const struct sim_constraint_values *values)
{
    struct fault fault;
    uint32_t first;
    if (sim_constraints_add(sim, kind, count, bodies, particles, values, &first, &fault) != FAULT_NONE) {
        fprintf(stderr, "bench_costs: %s: %s\n", fault.field, fault.text);
        exit(1);
    }
}

// Every second particle of one cloth joined to a particle, or to a triangle, of the one beneath.
static struct sim *joins_to(bool triangles)
{
    enum { COUNT = (JOINED / 2) * (JOINED / 2) };
    static uint32_t bodies[SIM_STENCIL_MAX * COUNT], particles[SIM_STENCIL_MAX * COUNT];
    static double weights[SIM_STENCIL_MAX * COUNT];
    struct sim *sim = scene_create(settings_of(9.81));
    const uint32_t upper = cloth_add(sim, JOINED, 0.01, SIM_BEND_NONE, SIM_STRETCH_DISTANCE),
                   lower = cloth_add(sim, JOINED, 0, SIM_BEND_NONE, SIM_STRETCH_DISTANCE);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t at = i / (JOINED / 2) * 2 * JOINED + i % (JOINED / 2) * 2;
        const uint32_t second = triangles ? at + 1 : at, third = triangles ? at + JOINED : at;
        const uint32_t corners[SIM_STENCIL_MAX] = {at, at, at, at, second, third};
        for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
            bodies[SIM_STENCIL_MAX * i + k] = k < SIM_JOIN_SIDE ? upper : lower;
            particles[SIM_STENCIL_MAX * i + k] = corners[k];
            weights[SIM_STENCIL_MAX * i + k] = k == 0               ? 1
                                               : k < SIM_JOIN_SIDE  ? 0
                                               : !triangles         ? k == SIM_JOIN_SIDE
                                               : k == SIM_JOIN_SIDE ? 0.5
                                                                    : 0.25;
        }
    }
    add(sim, SIM_JOIN, COUNT, bodies, particles, &(struct sim_constraint_values){.weights = weights});
    return sim;
}

static struct sim *point_joins(void)
{
    return joins_to(false);
}

static struct sim *triangle_joins(void)
{
    return joins_to(true);
}

// Ropes of three particles through a ring.
static struct sim *slides(bool rubs)
{
    enum { COUNT = 2000 };
    static double positions[9 * COUNT], friction[COUNT], masses[3 * COUNT];
    static uint32_t bodies[3 * COUNT], particles[3 * COUNT];
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        positions[3 * i] = 0.1 * (i % 3);
        positions[3 * i + 1] = i % 3 == 1 ? 0.05 : 0;
        positions[3 * i + 2] = 0.01 * (i / 3);
        masses[i] = i % 3 == 1 ? 0 : 0.01 * (1 + i % 3);
        particles[i] = i;
        friction[i / 3] = rubs ? 0.2 : 0;
    }
    struct sim *sim = scene_create(settings_of(9.81));
    const struct sim_body_desc desc = scene_points(positions, 3 * COUNT, masses);
    const uint32_t body = scene_add(sim, &desc);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        bodies[i] = body;
    }
    add(sim, SIM_SLIDE, COUNT, bodies, particles, &(struct sim_constraint_values){.friction = friction});
    return sim;
}

static struct sim *pulleys(void)
{
    return slides(false);
}

static struct sim *rubbing_pulleys(void)
{
    return slides(true);
}

// A ring on each of many rails of four segments.
static struct sim *rings(void)
{
    enum { COUNT = 500, RAIL = 5 };
    static double positions[3 * RAIL * COUNT], places[3 * COUNT], held[RAIL * COUNT], masses[COUNT];
    static uint32_t bodies[3 * COUNT], particles[3 * COUNT];
    for (uint32_t i = 0; i < RAIL * COUNT; i++) {
        positions[3 * i] = 0.2 * (i % RAIL);
        positions[3 * i + 1] = -0.02 * (i % RAIL) * (i % RAIL);
        positions[3 * i + 2] = 0.01 * (i / RAIL);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        places[3 * i] = 0.1;
        places[3 * i + 2] = 0.01 * i;
        masses[i] = 0.01;
        particles[3 * i] = i;
        particles[3 * i + 1] = RAIL * i;
        particles[3 * i + 2] = RAIL * i + RAIL - 1;
    }
    struct sim *sim = scene_create(settings_of(9.81));
    struct sim_body_desc desc = scene_points(positions, RAIL * COUNT, held);
    const uint32_t rail = scene_add(sim, &desc);
    desc = scene_points(places, COUNT, masses);
    const uint32_t ring = scene_add(sim, &desc);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        bodies[i] = i % 3 == 0 ? ring : rail;
    }
    add(sim, SIM_SLIDE_RAIL, COUNT, bodies, particles, &(struct sim_constraint_values){.rest = NULL});
    return sim;
}

// Rods side by side that lie level and droop.
static struct sim *rods(void)
{
    static double positions[3 * RODS * (SEGMENTS + 1)];
    static uint32_t edges[2 * RODS * SEGMENTS], pins[RODS];
    for (uint32_t i = 0; i < RODS * (SEGMENTS + 1); i++) {
        positions[3 * i] = 0.02 * (i % (SEGMENTS + 1));
        positions[3 * i + 2] = 0.02 * (i / (SEGMENTS + 1));
    }
    for (uint32_t i = 0; i < RODS * SEGMENTS; i++) {
        edges[2 * i] = i / SEGMENTS * (SEGMENTS + 1) + i % SEGMENTS;
        edges[2 * i + 1] = edges[2 * i] + 1;
    }
    for (uint32_t i = 0; i < RODS; i++) {
        pins[i] = i * (SEGMENTS + 1);
    }
    const struct sim_rod rod = {.radius = 0.005, .young = 1e7, .poisson = 0.3};
    struct sim *sim = scene_create(settings_of(9.81));
    struct sim_body_desc desc = scene_rope(positions, RODS * (SEGMENTS + 1), edges, RODS * SEGMENTS, NULL);
    desc.rod = &rod;
    desc.density = 0.1;
    desc.pins = pins;
    desc.pin_count = RODS;
    scene_add(sim, &desc);
    return sim;
}

static struct sim *balloon(void)
{
    struct scene_mesh mesh = ball(4, 0.2, (const double[3]){0, 0, 0});
    struct sim *sim = scene_create(settings_of(0));
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_NONE;
    desc.stretch.compliance = 0.01;
    desc.density = 0.1;
    desc.pressure = (struct sim_pressure){.model = SIM_PRESSURE_GAS, .end = 200, .ambient = 1000};
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

static struct sim *boxes(bool plane)
{
    struct sim *sim = scene_create(settings_of(plane ? 9.81 : 0));
    if (plane) {
        scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0}, 0.5);
    }
    for (uint32_t i = 0; i < PIECES * PIECES; i++) {
        piece_add(sim, &(struct piece){.shape = piece_box(.25f, .25f, .25f),
                                       .mass = 10,
                                       .x = {.8 * (i % PIECES), .25, .8 * (i / PIECES)},
                                       .friction = .5});
    }
    return sim;
}

static struct sim *flying(void)
{
    return boxes(false);
}

static struct sim *standing(void)
{
    return boxes(true);
}

// Pairs of boxes with a joint between them, which swing on their upper one.
static struct sim *jointed(enum sim_joint_model model)
{
    enum { COUNT = 200 };
    struct sim *sim = scene_create(settings_of(9.81));
    for (uint32_t i = 0; i < COUNT; i++) {
        const double anchors[6] = {.1, 0, .5 * i, .1, 0, .5 * i}, axes[3] = {0, 0, 1};
        uint32_t bodies[SIM_JOINT_CORNERS], particles[SIM_JOINT_CORNERS] = {0};
        for (uint32_t k = 0; k < 2; k++) {
            bodies[k] = piece_add(sim, &(struct piece){.shape = piece_box(.1f, .04f, .06f),
                                                       .mass = 1 + k,
                                                       .x = {.2 * k, 0, .5 * i},
                                                       .spin = {0, 0, k == 0 ? 1.0f : -1.0f},
                                                       .alone = true});
        }
        bodies[2] = bodies[3] = bodies[1];
        const struct sim_joint_values joint = {.model = model, .anchors = anchors, .axes = axes};
        add(sim, SIM_JOINT, 1, bodies, particles, &(struct sim_constraint_values){.joint = &joint});
    }
    return sim;
}

static struct sim *balls(void)
{
    return jointed(SIM_JOINT_BALL);
}

static struct sim *hinges(void)
{
    return jointed(SIM_JOINT_HINGE);
}

static struct sim *welds(void)
{
    return jointed(SIM_JOINT_FIXED);
}

// ------------------------------------------------------------------------------------------------------------ passes

static void sweep_tile(struct sim *sim, struct sim_tile *tile)
{
    const bool kept = sim->stores[tile->kind].keeps;
    sim->kernels->runs[tile->kind]->solve[SIM_PLAIN][kept](sim, tile, 0, tile->order_count);
}

static void sweep(struct sim *sim, enum sim_kind kind)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        for (uint32_t t = 0; t < sim->bodies[b]->tile_count[kind]; t++) {
            sweep_tile(sim, &sim->bodies[b]->tiles[kind][t]);
        }
    }
    if (sim->loose[kind].order_count > 0) {
        sweep_tile(sim, &sim->loose[kind]);
    }
}

static uint32_t count_of(const struct sim *sim, enum sim_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0, after = 0; i < sim_constraint_count(sim); i++) {
        struct sim_constraint constraint;
        if (!sim_constraint_next(sim, kind, after, &constraint)) {
            break;
        }
        after = constraint.id;
        count++;
    }
    return count;
}

static void pass_long(struct sim *sim)
{
    sim_long_solve(sim, NULL);
}

// Long edges, and room for tethers: batches of these are counted whole.
static uint32_t count_long(const struct sim *sim)
{
    const struct sim_long *longs = sim->bodies[0]->longs;
    uint32_t count = longs->edge_count;
    for (uint32_t b = 0; b < longs->tether_batches; b++) {
        const uint32_t *batch = longs->tethers + (size_t)b * sim_tether_words(longs);
        const uint32_t *anchors = batch + (size_t)(1 + longs->tether_count) * SIM_LANES;
        for (uint32_t k = 0; k < longs->tether_count; k++) {
            count += anchors[k] != 0 ? SIM_LANES : 0;
        }
    }
    return count;
}

static void pass_pressure(struct sim *sim)
{
    sim_steady_sweep(sim);
    sim_pressure_solve(sim, NULL);
    sim_steady_take(sim, NULL, true);
}

static uint32_t count_triangles(const struct sim *sim)
{
    return sim->bodies[0]->triangle_count;
}

static void pass_match(struct sim *sim)
{
    sim_steady_sweep(sim);
    sim_match_solve(sim, NULL);
    sim_steady_take(sim, NULL, true);
}

static uint32_t count_particles(const struct sim *sim)
{
    return sim->bodies[0]->count;
}

static void pass_tick(struct sim *sim)
{
    scene_run(sim, 1);
}

static uint32_t count_substeps(const struct sim *sim)
{
    return sim->rigids.count * SUBSTEPS;
}

// -------------------------------------------------------------------------------------------------------------- rows

#define NO_KIND SIM_KIND_COUNT

static const struct row {
    const char *name, *each;
    struct sim *(*make)(void);
    enum sim_kind kinds[2];     // that a pass sweeps; NO_KIND: none
    void (*pass)(struct sim *); // else
    uint32_t (*count)(const struct sim *);
    const char *base; // the goal is so many times this row; NULL: ns, or no goal
    double most;      // 0: no goal
} rows[] = {
    {"distance", "constraint", soft, {SIM_DISTANCE, NO_KIND}, NULL, NULL, NULL, 0},
    {"volume", "constraint", soft, {SIM_VOLUME, NO_KIND}, NULL, NULL, NULL, 0},
    {"distance, few", "constraint", few, {SIM_DISTANCE, NO_KIND}, NULL, NULL, NULL, 0},
    {"quadratic", "constraint", quadratic, {SIM_QUADRATIC, NO_KIND}, NULL, NULL, NULL, 0},
    {"isometric", "constraint", isometric, {SIM_ISOMETRIC, NO_KIND}, NULL, NULL, NULL, 0},
    {"dihedral", "constraint", dihedral, {SIM_DIHEDRAL, NO_KIND}, NULL, NULL, NULL, 0},
    {"join, points", "constraint", point_joins, {SIM_JOIN, NO_KIND}, NULL, NULL, "distance, few", 2},
    {"join, triangles", "constraint", triangle_joins, {SIM_JOIN, NO_KIND}, NULL, NULL, "distance, few", 2},
    {"orthotropic", "triangle", woven, {SIM_ORTHOTROPIC, NO_KIND}, NULL, NULL, "distance", 6},
    {"neo_hookean", "tetrahedron", solid, {SIM_NEO_HOOKEAN, NO_KIND}, NULL, NULL, "volume", 2},
    {"rod", "segment", rods, {SIM_ROD_STRETCH, SIM_ROD_BEND}, NULL, NULL, "distance", 8},
    {"rod_stretch", "constraint", rods, {SIM_ROD_STRETCH, NO_KIND}, NULL, NULL, NULL, 0},
    {"rod_bend", "constraint", rods, {SIM_ROD_BEND, NO_KIND}, NULL, NULL, NULL, 0},
    {"slide", "constraint", pulleys, {SIM_SLIDE, NO_KIND}, NULL, NULL, NULL, 0},
    {"slide with friction", "constraint", rubbing_pulleys, {SIM_SLIDE, NO_KIND}, NULL, NULL, NULL, 0},
    {"slide_rail", "ring", rings, {SIM_SLIDE_RAIL, NO_KIND}, NULL, NULL, NULL, 0},
    {"long edges, tethers", "either", long_edges, {NO_KIND, NO_KIND}, pass_long, count_long, NULL, 0},
    {"pressure", "triangle", balloon, {NO_KIND, NO_KIND}, pass_pressure, count_triangles, NULL, 0},
    {"matching, one region", "particle", matched, {NO_KIND, NO_KIND}, pass_match, count_particles, NULL, 0},
    {"matching, regions",
     "particle",
     matched_regions,
     {NO_KIND, NO_KIND},
     pass_match,
     count_particles,
     NULL,
     0},
    {"joint, ball", "constraint", balls, {SIM_JOINT, NO_KIND}, NULL, NULL, NULL, 0},
    {"joint, hinge", "constraint", hinges, {SIM_JOINT, NO_KIND}, NULL, NULL, NULL, 0},
    {"joint, fixed", "constraint", welds, {SIM_JOINT, NO_KIND}, NULL, NULL, NULL, 0},
    {"rigid box, flying", "substep", flying, {NO_KIND, NO_KIND}, pass_tick, count_substeps, NULL, 0},
    {"rigid box, 4 contacts", "substep", standing, {NO_KIND, NO_KIND}, pass_tick, count_substeps, NULL, 1000},
};

enum { ROWS = sizeof rows / sizeof rows[0], BASES = 3 };

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pass(const struct row *row, struct sim *sim)
{
    if (row->pass) {
        row->pass(sim);
        return;
    }
    for (int k = 0; k < 2 && row->kinds[k] != NO_KIND; k++) {
        sweep(sim, row->kinds[k]);
    }
}

static void *copied(const void *from, size_t size)
{
    void *copy = malloc(size + 1);
    if (!copy) {
        fputs("bench_costs: no memory\n", stderr);
        exit(1);
    }
    return memcpy(copy, from, size);
}

static void put_back(void *to, void *copy, size_t size)
{
    memcpy(to, copy, size);
    free(copy);
}

// ns for each constraint. Particles are put back afterwards: passes without a prediction between them would shake stiff bodies.
static double timed(const struct row *row, struct sim *sim, uint32_t count)
{
    const bool ticks = row->pass == pass_tick;
    const int passes =
        ticks ? 1 : (int)(CONSTRAINTS / count) + 1; // so that reading the clock counts for nothing
    const size_t rows_size = ticks ? 0 : sim->row_end * sizeof *sim->rows,
                 turns_size = ticks || !sim->turns ? 0 : sim->row_end * sizeof *sim->turns;
    scene_run(sim, 1);
    void *were = copied(sim->rows, rows_size),
         *turned = copied(turns_size > 0 ? sim->turns : were, turns_size);
    pass(row, sim);
    const double from = processor_seconds();
    for (int p = 0; p < passes; p++) {
        pass(row, sim);
    }
    const double took = processor_seconds() - from;
    put_back(sim->rows, were, rows_size);
    put_back(turns_size > 0 ? (void *)sim->turns : (void *)sim->rows, turned, turns_size);
    return 1e9 * took / passes / count;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, const double *over)
{
    double sorted[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        sorted[r] = values[r] / (over ? over[r] : 1);
    }
    qsort(sorted, ROUNDS, sizeof *sorted, by_size);
    return sorted[ROUNDS / 2];
}

static int row_named(const char *name)
{
    int found = 0;
    while (strcmp(rows[found].name, name) != 0) {
        found++;
    }
    return found;
}

static void tell(int at, uint32_t count, double ns[ROWS][ROUNDS])
{
    const struct row *row = &rows[at];
    printf("%-22s %-12s %7u %9.2f ns %8.2f distances", row->name, row->each, count, median(ns[at], NULL),
           median(ns[at], ns[0]));
    if (row->most > 0) {
        const double found = row->base ? median(ns[at], ns[row_named(row->base)]) : median(ns[at], NULL);
        printf("   goal %g%s%s: %.2f, %s", row->most, row->base ? " x " : " ns", row->base ? row->base : "",
               found, found <= row->most ? "met" : "missed");
    }
    fputc('\n', stdout);
}

// The first rows are always timed, because goals are so many times these.
static bool wanted(int at, int argc, char **argv)
{
    bool any = at < BASES, named = false;
    for (int i = 1; i < argc; i++) {
        named = named || argv[i][0] != '\0';
        any = any || (argv[i][0] != '\0' && strstr(rows[at].name, argv[i]));
    }
    return any || !named;
}

static bool isa_named(const char *name)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (strcmp(sim_isa_name((enum sim_isa)isa), name) == 0 && sim_isa_available((enum sim_isa)isa)) {
            sim_isa_choose((enum sim_isa)isa);
            return true;
        }
    }
    return false;
}

// Takes the options out of the arguments. False if one of them is wrong.
static bool options(int argc, char **argv)
{
    static char nothing[1];
    const char *isa = "avx2";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--isa") == 0 && i + 1 < argc) {
            isa = argv[i + 1];
        } else if (strcmp(argv[i], "--iterations") == 0 && i + 1 < argc && atoi(argv[i + 1]) > 0) {
            iterations = (uint32_t)atoi(argv[i + 1]);
        } else if (argv[i][0] == '-') {
            return false;
        } else {
            continue;
        }
        argv[i] = argv[i + 1] = nothing;
        i++;
    }
    return isa_named(isa);
}

int main(int argc, char **argv)
{
    static double ns[ROWS][ROUNDS];
    static struct sim *sims[ROWS];
    static uint32_t counts[ROWS];
    if (!options(argc, argv)) {
        fputs("bench_costs: takes --isa with an instruction set of this machine, --iterations with a number, "
              "and parts of the "
              "names of rows\n",
              stderr);
        return 2;
    }
    for (int at = 0; at < ROWS; at++) {
        if (wanted(at, argc, argv)) {
            sims[at] = rows[at].make();
            scene_run(sims[at], 2);
            counts[at] = rows[at].count ? rows[at].count(sims[at]) : count_of(sims[at], rows[at].kinds[0]);
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int at = 0; at < ROWS; at++) {
            ns[at][round] = sims[at] ? timed(&rows[at], sims[at], counts[at]) : 0;
        }
    }
    printf("%s, one thread, %u iteration%s, medians of %d rounds\n", sim_isa_name(sim_isa_chosen()),
           iterations, iterations > 1 ? "s" : "", ROUNDS);
    for (int at = 0; at < ROWS; at++) {
        if (sims[at]) {
            tell(at, counts[at], ns);
            sim_destroy(sims[at]);
        }
    }
    return 0;
}
