// How far a cloth droops when its bending is swept, and when it is solved, and what a tick of it costs.
//
//   bench_bend drape [mm ...]     Cusick's test: a disc of 30 cm on a stand of 18 cm, whose particles are held; for each
//                                 mesh the share of the free ring that still covers the floor after 4 s
//   bench_bend strip [cells ...]  a strip of 20 cm that is 8 cells wide and clamped at one end: the fall of its tip over
//                                 the length, and that of an elastica of rigidity 2.5 k, which a free crosswise mesh has
//   bench_bend plate [mm ...]     a square plate of 30 cm and 0.3 N m, clamped at one side, with edges of that length: its
//                                 sag, and the rms speed of its particles, after 10 and 40 s
//   bench_bend pins [side ...]    the same square: what a change of pins adds to the tick after it, and the whole factor
//   bench_bend edits [side ...]   the same square: the ticks after an edit of its compliances and after 1,000 pins, if the new
//                                 factor is made within the first of them, and if it is spread
//   bench_bend cost [side ...]    a square of 1 m that is held at two corners: time of a tick, of its first one (with the
//                                 factor), and without any bending
//   bench_bend threads [side ...] the same square with solved bending and long edges, on one and on two threads: the median
//                                 of the ratios of ticks that take turns, and what two threads could gain at most, from
//                                 the processor time of each task of one thread
//
// BENCH_BEND_SUBSTEPS is the number of substeps, 20 if it is not set. BENCH_BEND_ISA names an instruction set (avx2),
// BENCH_BEND_ONLY what alone is to be timed (swept), BENCH_BEND_TICKS for how many ticks, and with BENCH_BEND_FREE the square is not held.

#include "base/clock.h"
#include "base/thread.h"
#include "ledger.h"
#include "sim/ground/ground.h"
#include "sim/plate/plate.h"
#include "sim/sim.h"
#include "sim/state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_RATE = 60, SIDE_MAX = 400 };

struct mesh {
    double *positions;
    uint32_t *triangles, *pins;
    uint32_t count, triangle_count, pin_count;
};

// Crosswise triangles over the points of a grid that `in` takes; those that `held` takes are pinned.
typedef bool choice(double x, double z);

static struct mesh grid(uint32_t columns, uint32_t rows, double spacing, double from_x, double from_z,
                        choice *in, choice *held)
{
    const size_t most = (size_t)columns * rows;
    struct mesh mesh = {.positions = calloc(most, 3 * sizeof(double)),
                        .triangles = calloc(most, 6 * sizeof(uint32_t)),
                        .pins = calloc(most, sizeof(uint32_t))};
    uint32_t *index = malloc(most * sizeof *index);
    for (uint32_t k = 0; k < most; k++) {
        double x = from_x + k % columns * spacing, z = from_z + k / columns * spacing;
        index[k] = UINT32_MAX;
        if (in(x, z)) {
            mesh.positions[3 * (size_t)mesh.count] = x;
            mesh.positions[3 * (size_t)mesh.count + 2] = z;
            if (held(x, z)) {
                mesh.pins[mesh.pin_count++] = mesh.count;
            }
            index[k] = mesh.count++;
        }
    }
    for (uint32_t j = 0; j + 1 < rows; j++) {
        for (uint32_t i = 0; i + 1 < columns; i++) {
            uint32_t a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
            const bool down = (i + j) & 1;
            const uint32_t two[6] = {a, c, down ? d : b, down ? a : b, down ? d : c, down ? b : d};
            for (int t = 0; t < 6; t += 3) {
                uint32_t *corner = mesh.triangles + 3 * (size_t)mesh.triangle_count;
                bool whole = true;
                for (int k = 0; k < 3; k++) {
                    corner[k] = index[two[t + k]];
                    whole = whole && corner[k] != UINT32_MAX;
                }
                mesh.triangle_count += whole ? 1 : 0;
            }
        }
    }
    free(index);
    return mesh;
}

static void mesh_free(struct mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
    free(mesh->pins);
}

static uint32_t substeps(void)
{
    const char *given = getenv("BENCH_BEND_SUBSTEPS");
    return given ? (uint32_t)atoi(given) : 20;
}

static bool with_long_edges;

static struct sim *world(const struct mesh *mesh, double density, double compliance, double damping,
                         bool solved, uint32_t *body)
{
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = TICK_RATE,
        .substeps = substeps(),
        .iterations = 1,
        .damping = damping,
        .resolution = 1.0 / (1 << 27),
        .extent = 1000,
        .bending_solved = solved,
        .long_edges = with_long_edges,
    };
    const struct sim_limits limits = {
        .bodies = 1, .particles = UINT32_MAX, .constraints = UINT32_MAX, .colliders = 1, .grabs = 1};
    const struct sim_material rigid = {.stiffness = -1}, bend = {.stiffness = -1, .compliance = compliance};
    const struct sim_body_desc desc = {
        .kind = SIM_CLOTH,
        .particle_count = mesh->count,
        .positions = mesh->positions,
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count,
        .density = density,
        .stretch = rigid,
        .bend_model = compliance > 0 ? SIM_BEND_QUADRATIC : SIM_BEND_NONE,
        .bend = bend,
        .volume = rigid,
        .pins = mesh->pins,
        .pin_count = mesh->pin_count,
    };
    struct fault fault;
    struct sim_body_added added;
    struct sim *sim = sim_create(&settings, &limits);
    struct sim_body_plan *plan =
        sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault);
    if (!sim || !plan || sim_body_attach(sim, plan, &added, &fault) != FAULT_NONE) {
        fprintf(stderr, "bench_bend: no world: %s\n", plan ? "no memory" : fault.text);
        exit(1);
    }
    *body = added.body;
    return sim;
}

static void step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks)
{
    struct sim_failure failure;
    sim_step(sim, parallel, hooks, &failure);
    if (failure.failed) {
        fprintf(stderr, "bench_bend: %s\n", failure.text);
        exit(1);
    }
}

static void run(struct sim *sim, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        step(sim, NULL, NULL);
    }
}

// Runs ticks and returns how much faster two threads could be at most.
static double gain_of(struct sim *sim, uint32_t ticks)
{
    struct ledger ledger;
    struct ledger_sums sums = {0};
    ledger_init(&ledger);
    for (uint32_t t = 0; t < ticks; t++) {
        step(sim, &ledger.parallel, NULL);
    }
    ledger_add(&ledger, &sums);
    return ledger_gain(&sums);
}

// ----------------------------------------------------------------------------------------------------- drape

static bool in_disc(double x, double z)
{
    return x * x + z * z <= 0.15 * 0.15 + 1e-9;
}

static bool on_stand(double x, double z)
{
    return x * x + z * z <= (0.09 + 1e-9) * (0.09 + 1e-9);
}

// The part of the free ring that is covered: the disc's area seen from above, less that of the stand.
static double covered(const struct sim *sim, uint32_t body, const struct mesh *mesh)
{
    double *x = malloc((size_t)mesh->count * 3 * sizeof *x), now = 0, flat = 0;
    const double stand = 3.14159265358979 * 0.09 * 0.09;
    sim_body_positions64(sim, body, 0, mesh->count, x);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles + 3 * (size_t)t;
        for (int which = 0; which < 2; which++) {
            const double *p = which ? mesh->positions : x;
            const double *a = p + 3 * (size_t)c[0], *b = p + 3 * (size_t)c[1], *o = p + 3 * (size_t)c[2];
            double area = 0.5 * ((b[0] - a[0]) * (o[2] - a[2]) - (b[2] - a[2]) * (o[0] - a[0]));
            *(which ? &flat : &now) += area;
        }
    }
    free(x);
    return (fabs(now) - stand) / (fabs(flat) - stand);
}

static void drape(double mm)
{
    const double spacing = mm / 1000;
    const uint32_t half = (uint32_t)(0.15 / spacing) + 1;
    struct mesh mesh =
        grid(2 * half + 1, 2 * half + 1, spacing, -spacing * half, -spacing * half, in_disc, on_stand);
    for (int solved = 0; solved <= 1; solved++) {
        uint32_t body;
        struct sim *sim = world(&mesh, 0.15, 1 / 2e-5, 2, solved, &body);
        uint64_t began = base_core_ns();
        run(sim, 4 * TICK_RATE);
        printf("drape %5.1f mm  %6u particles  %s  %5.1f %% covered  %7.2f ms a tick\n", mm, mesh.count,
               solved ? "solved" : "swept ", 100 * covered(sim, body, &mesh),
               (double)(base_core_ns() - began) / 1e6 / (4 * TICK_RATE));
        fflush(stdout);
        sim_destroy(sim);
    }
    mesh_free(&mesh);
}

// ------------------------------------------------------------------------------------------------------ cost

static bool anywhere(double x, double z)
{
    (void)x;
    (void)z;
    return true;
}

static bool nowhere(double x, double z)
{
    (void)x;
    (void)z;
    return false;
}

static void cost(uint32_t side)
{
    struct mesh mesh = grid(side, side, 1.0 / (side - 1), 0, 0, anywhere, nowhere);
    double bare = 0;
    if (!getenv("BENCH_BEND_FREE")) {
        mesh.pins[0] = 0;
        mesh.pins[1] = side - 1;
        mesh.pin_count = 2;
    }
    for (int way = 0; way < 3; way++) {
        static const char *const names[] = {"without", "swept", "solved"};
        const char *only = getenv("BENCH_BEND_ONLY");
        const char *given = getenv("BENCH_BEND_TICKS");
        const uint32_t ticks = given ? (uint32_t)atoi(given) : 200000 / (side * side) + 10;
        uint32_t body;
        if (only && strcmp(only, names[way]) != 0) {
            continue;
        }
        struct sim *sim = world(&mesh, 0.2, way == 0 ? 0 : 1 / 2e-5, 0.1, way == 2, &body);
        uint64_t began = base_core_ns();
        run(sim, 1);
        uint64_t first = base_core_ns();
        run(sim, ticks);
        double ms = (double)(base_core_ns() - first) / 1e6 / ticks;
        bare = way == 0 ? ms : bare;
        printf("cost %3u x %3u  %-7s  %8.2f ms a tick, %8.2f for bending, first tick %8.1f ms", side, side,
               names[way], ms, ms - bare, (double)(first - began) / 1e6);
        const struct sim_plate *plate = sim->bodies[0]->plate;
        if (plate) {
            printf(", factor of %.1f numbers a particle, %.1f MB in %u nodes%s",
                   (double)plate->entry_count / plate->count,
                   (double)plate->entry_count * (plate->fine ? 8 : 4) / 1e6, plate->node_count,
                   plate->fine ? ", doubles" : "");
            printf(", %.0f MB read a tick",
                   (double)plate->entry_count * (plate->fine ? 8 : 4) / 1e6 * substeps());
        }
        printf("; two threads at most %.2f\n", gain_of(sim, ticks / 2 + 1));
        fflush(stdout);
        sim_destroy(sim);
    }
    mesh_free(&mesh);
}

// --------------------------------------------------------------------------------------------------- threads

// The phases of ticks, as a ledger sums them up.
struct phases {
    struct ledger ledger;
    struct ledger_sums sums[SIM_PHASE_COUNT];
};

static void phase_ends(void *context, enum sim_phase phase)
{
    struct phases *phases = context;
    ledger_add(&phases->ledger, &phases->sums[phase]);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void phases_tell(const struct phases *phases)
{
    static const char *const names[SIM_PHASE_COUNT] = {"predict and bend", "wind", "constraints", "contacts",
                                                       "finish"};
    struct ledger_sums all = {0};
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        all.all += phases->sums[phase].all;
        all.shared += phases->sums[phase].shared;
        all.two += phases->sums[phase].two;
    }
    printf("; at most %.2f\n", ledger_gain(&all));
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        const struct ledger_sums *sums = &phases->sums[phase];
        printf("    %-17s %5.1f %% of the tick, of which %5.1f %% are not shared out; two threads: at most "
               "%.2f\n",
               names[phase], 100 * sums->all / all.all, 100 * (sums->all - sums->shared) / sums->all,
               ledger_gain(sums));
    }
}

static void threads(uint32_t side)
{
    enum { TICKS_MAX = 200 };
    struct mesh mesh = grid(side, side, 1.0 / (side - 1), 0, 0, anywhere, nowhere);
    const uint32_t ticks = 400000 / (side * side) + 11 < TICKS_MAX ? 400000 / (side * side) + 11 : TICKS_MAX;
    double ratios[TICKS_MAX];
    uint32_t body;
    mesh.pins[1] = side - 1;
    mesh.pin_count = 2;
    with_long_edges = true;
    struct base_team *team = base_team_create(2);
    struct sim *one = world(&mesh, 0.2, 1 / 2e-5, 0.1, true, &body);
    struct sim *two = world(&mesh, 0.2, 1 / 2e-5, 0.1, true, &body);
    struct phases phases = {0};
    const struct sim_hooks hooks = {.context = &phases, .on_phase = phase_ends};
    ledger_init(&phases.ledger);
    if (!team) {
        fprintf(stderr, "bench_bend: no threads\n");
        exit(1);
    }
    for (uint32_t t = 0; t < ticks; t++) {
        const uint64_t began = base_now_ns();
        step(one, NULL, NULL);
        const uint64_t middle = base_now_ns();
        step(two, base_team_parallel(team), NULL);
        ratios[t] = (double)(middle - began) / (double)(base_now_ns() - middle);
    }
    for (uint32_t t = 0; t < ticks / 2; t++) {
        ledger_mark(&phases.ledger);
        step(one, &phases.ledger.parallel, &hooks);
    }
    qsort(ratios, ticks, sizeof *ratios, compare_doubles);
    printf("threads %3u x %3u  two are %.2f times as fast (median of %u ticks; quartiles %.2f, %.2f)", side,
           side, ratios[ticks / 2], ticks, ratios[ticks / 4], ratios[3 * ticks / 4]);
    phases_tell(&phases);
    fflush(stdout);
    sim_destroy(one);
    sim_destroy(two);
    base_team_destroy(team);
    mesh_free(&mesh);
    with_long_edges = false;
}

// ------------------------------------------------------------------------------------------------------ pins

static uint64_t settled(struct sim *sim, struct base_parallel *parallel)
{
    uint64_t began = base_core_ns();
    if (!sim_plates_settle(sim, parallel)) {
        fprintf(stderr, "bench_bend: no memory\n");
        exit(1);
    }
    sim->derived_known = sim->masses_known = true;
    return base_core_ns() - began;
}

// Mean and worst of so many changes: pins come at places all over the square, and go.
static void pins(uint32_t side)
{
    enum { ROUNDS = 6 };
    struct mesh mesh = grid(side, side, 1.0 / (side - 1), 0, 0, anywhere, nowhere);
    uint32_t body;
    mesh.pins[0] = 0;
    mesh.pins[1] = side - 1;
    mesh.pin_count = 2;
    struct sim *sim = world(&mesh, 0.2, 1 / 2e-5, 0.1, true, &body);
    struct ledger ledger;
    struct ledger_sums sums = {0};
    ledger_init(&ledger);
    const double first = (double)settled(sim, NULL) / 1e6;
    sim_plate_destroy(sim->bodies[0]->plate);
    sim->bodies[0]->plate = NULL;
    const double whole = (double)settled(sim, NULL) / 1e6;
    sim_plate_destroy(sim->bodies[0]->plate);
    sim->bodies[0]->plate = NULL;
    ledger_mark(&ledger);
    settled(sim, &ledger.parallel);
    ledger_add(&ledger, &sums);
    printf("pins %3u x %3u  first %7.2f, again %7.2f ms, two threads at most %.2f", side, side, first, whole,
           ledger_gain(&sums));
    for (uint32_t count = 1; count <= 64; count *= 64) {
        double all = 0, worst = 0;
        struct fault fault;
        uint64_t random = 1;
        sums = (struct ledger_sums){0};
        for (int round = 0; round < 2 * ROUNDS; round++) {
            uint32_t indices[64];
            for (uint32_t i = 0; i < count; i++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                const uint32_t span = side * (side - 2) / count;
                indices[i] = side + i * span + (uint32_t)(random >> 33) % span;
            }
            for (int gone = 0; gone < 2; gone++) {
                if ((gone ? sim_particles_unpin(sim, body, indices, count, &fault)
                          : sim_particles_pin(sim, body, indices, count, NULL, &fault)) != FAULT_NONE) {
                    fprintf(stderr, "bench_bend: %s\n", fault.text);
                    exit(1);
                }
                const bool on_two = round >= ROUNDS;
                ledger_mark(&ledger);
                const double ms = (double)settled(sim, on_two ? &ledger.parallel : NULL) / 1e6;
                if (on_two) {
                    ledger_add(&ledger, &sums);
                    continue;
                }
                all += ms / (2 * ROUNDS);
                worst = ms > worst ? ms : worst;
            }
        }
        printf("; %u %s: mean %.2f, worst %.2f, two threads at most %.2f", count, count > 1 ? "pins" : "pin",
               all, worst, ledger_gain(&sums));
    }
    printf("\n");
    fflush(stdout);
    sim_destroy(sim);
    mesh_free(&mesh);
}

// ----------------------------------------------------------------------------------------------------- edits

static void edit(struct sim *sim, uint32_t body, uint32_t side, int what, bool back)
{
    enum { PINS = 1000 };
    static uint32_t removed;
    struct fault fault;
    enum fault_code code;
    if (what == 1) {
        uint32_t indices[PINS];
        for (uint32_t i = 0; i < PINS; i++) {
            indices[i] = side + (uint32_t)((uint64_t)i * side * (side - 1) / PINS);
        }
        code = back ? sim_particles_unpin(sim, body, indices, PINS, &fault)
                    : sim_particles_pin(sim, body, indices, PINS, NULL, &fault);
    } else if (what == 2) {
        struct sim_body_info info;
        sim_body_info(sim, body, &info);
        const uint32_t id = info.constraint_first[SIM_QUADRATIC] + removed++;
        code = sim_constraints_remove(sim, &id, 1, &fault);
    } else {
        const struct sim_material bend = {.compliance = back ? 5e4 : 4e4, .stiffness = -1};
        code = sim_body_set(sim, body, &(struct sim_body_change){.bend = &bend}, &fault);
    }
    if (code != FAULT_NONE) {
        fprintf(stderr, "bench_bend: %s\n", fault.text);
        exit(1);
    }
}

// Time of a tick, ms, and the multiplications in it that make a factor.
static double timed_tick(struct sim *sim, uint64_t *total, uint64_t *done)
{
    const uint64_t began = base_core_ns();
    step(sim, NULL, NULL);
    const double ms = (double)(base_core_ns() - began) / 1e6;
    if (sim->bodies[0]->plate) {
        uint64_t all;
        *done = sim_plate_making_done(sim->bodies[0]->plate, &all);
        *total = all > 0 ? all : *total;
    }
    return ms;
}

static void edits(uint32_t side)
{
    enum { ROUNDS_MAX = 3, REST = 3 };
    const int rounds = side < 300 ? ROUNDS_MAX : 1;
    struct mesh mesh = grid(side, side, 1.0 / (side - 1), 0, 0, anywhere, nowhere);
    static const char *const names[] = {"compliance", "1,000 pins", "one removed"};
    const uint32_t ticks = sim_bend_ticks(side * side);
    uint32_t body;
    mesh.pins[0] = 0;
    mesh.pins[1] = side - 1;
    mesh.pin_count = 2;
    struct sim *sim = world(&mesh, 0.2, 1 / 2e-5, 0.1, true, &body);
    run(sim, REST);
    for (int what = 0; what < 3; what++) {
        for (int spread = 0; spread < 2; spread++) {
            double first[2 * ROUNDS_MAX], worst[2 * ROUNDS_MAX], usual[2 * ROUNDS_MAX];
            uint64_t total = 0, most = 0;
            for (int round = 0; round < 2 * rounds; round++) {
                edit(sim, body, side, what, round % 2 == 1);
                if (!spread) {
                    sim->bodies[0]->bend_due = 0;
                    sim_plate_destroy(sim->bodies[0]->plate);
                    sim->bodies[0]->plate = NULL;
                    sim->derived_known = false;
                }
                worst[round] = 0;
                uint64_t before = 0;
                for (uint32_t t = 0; t < (spread ? ticks : 0) + REST; t++) {
                    uint64_t done = 0;
                    const double ms = timed_tick(sim, &total, &done);
                    most = done > before && done - before > most ? done - before : most;
                    before = done;
                    first[round] = t == 0 ? ms : first[round];
                    worst[round] = ms > worst[round] ? ms : worst[round];
                    usual[round] = ms;
                }
            }
            qsort(first, 2 * (size_t)rounds, sizeof *first, compare_doubles);
            qsort(worst, 2 * (size_t)rounds, sizeof *worst, compare_doubles);
            qsort(usual, 2 * (size_t)rounds, sizeof *usual, compare_doubles);
            printf("edits %3u x %3u  %-11s %-7s first tick %7.2f ms, worst %7.2f, usual %7.2f", side, side,
                   names[what], spread ? "spread" : "at once", first[rounds], worst[rounds], usual[rounds]);
            if (spread) {
                printf("; %u ticks, at most %.1f of %.1f million multiplications", ticks, (double)most / 1e6,
                       (double)total / 1e6);
            }
            printf("\n");
            fflush(stdout);
        }
    }
    sim_destroy(sim);
    mesh_free(&mesh);
}

// ----------------------------------------------------------------------------------------------------- strip

static bool clamped(double x, double z)
{
    (void)z;
    return x <= 1e-9;
}

// The fall of an elastica's tip over its length: clamped level, with a load of g = weight length^3 / rigidity along it.
// theta'' = -g (1 - s) cos theta, theta(0) = 0, theta'(1) = 0, by shooting.
static double elastica(double g)
{
    double low = 0, high = g, fall = 0;
    for (int round = 0; round < 60; round++) {
        enum { STEPS = 2000 };
        double theta = 0, turn = (low + high) / 2, ds = 1.0 / STEPS;
        fall = 0;
        for (int k = 0; k < STEPS; k++) {
            double s = (k + 0.5) * ds, middle = theta + turn * ds / 2;
            fall += sin(middle) * ds;
            turn -= g * (1 - s) * cos(middle) * ds;
            theta += (turn + g * (1 - s) * cos(middle) * ds / 2) * ds;
        }
        *(turn > 0 ? &high : &low) = (low + high) / 2;
    }
    return fall;
}

static void strip(uint32_t cells)
{
    // Two columns are held, so the strip bends from the hinges of the second one on.
    enum { WIDTH = 8 };
    const double length = 0.2, spacing = length / cells, density = 0.15, weight = density * 9.81;
    const double load = 2, rigidity = weight * length * length * length / load;
    struct mesh mesh = grid(cells + 2, WIDTH + 1, spacing, -spacing, 0, anywhere, clamped);
    for (int solved = 0; solved <= 1; solved++) {
        uint32_t body;
        struct sim *sim = world(&mesh, density, 2.5 / rigidity, 4, solved, &body);
        double *x = malloc((size_t)mesh.count * 3 * sizeof *x), tip = 0;
        run(sim, 6 * TICK_RATE);
        sim_body_positions64(sim, body, 0, mesh.count, x);
        for (uint32_t j = 0; j <= WIDTH; j++) {
            tip -= x[3 * (size_t)((j + 1) * (cells + 2) - 1) + 1] / (length * (WIDTH + 1));
        }
        printf("strip %4u cells  %s  tip %.4f of the length; elastica %.4f\n", cells,
               solved ? "solved" : "swept ", tip, elastica(load));
        fflush(stdout);
        free(x);
        sim_destroy(sim);
    }
    mesh_free(&mesh);
}

// ----------------------------------------------------------------------------------------------------- plate

static void plate(double mm)
{
    const double spacing = mm / 1000;
    const uint32_t side = (uint32_t)(0.3 / spacing + 0.5) + 2;
    struct mesh mesh = grid(side, side, spacing, -spacing, 0, anywhere, clamped);
    for (int solved = 0; solved <= 1; solved++) {
        uint32_t body;
        struct sim *sim = world(&mesh, 1, 1 / 0.3, 1, solved, &body);
        double *x = malloc((size_t)mesh.count * 3 * sizeof *x);
        float *v = malloc((size_t)mesh.count * 3 * sizeof *v);
        printf("plate %4.1f mm  %s ", mm, solved ? "solved" : "swept ");
        for (int part = 0; part < 2; part++) {
            double sum = 0;
            run(sim, (part == 0 ? 10 : 30) * TICK_RATE);
            sim_body_positions64(sim, body, 0, mesh.count, x);
            sim_body_velocities(sim, body, 0, mesh.count, v);
            for (uint32_t i = 0; i < 3 * mesh.count; i++) {
                sum += (double)v[i] * (double)v[i];
            }
            printf("  after %2d s: sag %.2f mm, speed %.1e m/s", part == 0 ? 10 : 40,
                   -1000 * x[3 * (size_t)(side - 1) + 1], sqrt(sum / mesh.count));
        }
        printf("\n");
        fflush(stdout);
        free(x);
        free(v);
        sim_destroy(sim);
    }
    mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static const double sizes[] = {15, 7.5, 5}, meshes[] = {20, 10};
    static const uint32_t cells[] = {10, 20, 40, 80}, sides[] = {50, 100, 200};
    const char *what = argc > 1 ? argv[1] : "";
    const bool given = argc > 2;
    const char *isa = getenv("BENCH_BEND_ISA");
    for (int i = 0; isa && i < SIM_ISA_COUNT; i++) {
        if (strcmp(isa, sim_isa_name((enum sim_isa)i)) == 0) {
            sim_isa_choose((enum sim_isa)i);
        }
    }
    const int count = given ? argc - 2 : 0;
    if (strcmp(what, "drape") == 0) {
        for (int i = 0; i < (given ? count : 3); i++) {
            drape(given ? atof(argv[2 + i]) : sizes[i]);
        }
    } else if (strcmp(what, "strip") == 0) {
        for (int i = 0; i < (given ? count : 4); i++) {
            strip(given ? (uint32_t)atoi(argv[2 + i]) : cells[i]);
        }
    } else if (strcmp(what, "plate") == 0) {
        for (int i = 0; i < (given ? count : 2); i++) {
            plate(given ? atof(argv[2 + i]) : meshes[i]);
        }
    } else if (strcmp(what, "pins") == 0) {
        for (int i = 0; i < (given ? count : 3); i++) {
            pins(given ? (uint32_t)atoi(argv[2 + i]) : sides[i]);
        }
    } else if (strcmp(what, "edits") == 0) {
        for (int i = 0; i < (given ? count : 3); i++) {
            edits(given ? (uint32_t)atoi(argv[2 + i]) : sides[i]);
        }
    } else if (strcmp(what, "cost") == 0) {
        for (int i = 0; i < (given ? count : 3); i++) {
            cost(given ? (uint32_t)atoi(argv[2 + i]) : sides[i]);
        }
    } else if (strcmp(what, "threads") == 0) {
        for (int i = 0; i < (given ? count : 3); i++) {
            threads(given ? (uint32_t)atoi(argv[2 + i]) : sides[i]);
        }
    } else {
        fprintf(stderr, "bench_bend drape [mm ...] | strip [cells ...] | plate [mm ...] | pins, edits, cost, "
                        "threads [side ...]\n");
        return 2;
    }
    return 0;
}
