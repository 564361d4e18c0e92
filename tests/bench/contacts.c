// Cost of contacts: the time of that part of a substep, by the number of particles of the world.
//
//     resting   a cloth that fell on a sphere over a floor: every particle lies on one of them
//     box       the same on a box that lies askew
//     far       one that falls, far above: every block of rows is passed over
//
// Every instruction set solves the same world, in turns. Times are of the processor: a world runs on one thread here.

#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum { SETTLE_TICKS = 60 };

enum scene { RESTING, BOX, FAR, SCENES };
static const char *const names[SCENES] = {"resting", "box", "far"};

struct runner {
    struct sim *sim;
    double mark_ns, spent_ns, runs_ns[BENCH_RUNS_MAX],
        ticks_ns[BENCH_RUNS_MAX]; // contacts a tick, whole ticks
};

static double thread_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return 1e9 * (double)used.tv_sec + (double)used.tv_nsec;
}

static void phase_ends(void *context, enum sim_phase phase)
{
    struct runner *runner = context;
    double now_ns = phase == SIM_SOLVE || phase == SIM_CONTACTS ? thread_ns() : 0;
    if (phase == SIM_CONTACTS) {
        runner->spent_ns += now_ns - runner->mark_ns;
    }
    runner->mark_ns = now_ns;
}

static bool cloth_add(struct sim *sim, const struct bench_mesh *mesh)
{
    static const struct sim_limits limits = {64, 16777216, 134217728, 4, 4, 0, 0};
    const struct sim_settings *settings = sim_settings_of(sim);
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = mesh->particle_count,
                                 .positions = mesh->positions,
                                 .triangles = mesh->elements,
                                 .triangle_count = mesh->element_count,
                                 .stretch = {.compliance = 1e-7, .stiffness = -1},
                                 .bend = {.stiffness = -1},
                                 .volume = {.stiffness = -1},
                                 .thickness = 0.002};
    struct fault fault = {0};
    struct sim_body_added added;
    struct sim_body_plan *plan =
        sim_body_prepare(&desc, settings->resolution, settings->extent, &limits, &fault);
    if (plan != NULL && sim_body_attach(sim, plan, &added, &fault) == FAULT_NONE) {
        return true;
    }
    fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
    if (plan != NULL) {
        sim_body_plan_destroy(plan);
    }
    return false;
}

// Under a cloth of so many particles a side, 1 cm apart, that begins at y = 0.
static bool colliders_add(struct sim *sim, enum scene scene, uint32_t width)
{
    double side = 0.01 * width, down = scene == FAR ? 100 : 0.003; // it falls some 30 m meanwhile
    const struct sim_collider floor = {
        .kind = SIM_PLANE, .position = {0, -down - 0.1 * side, 0}, .normal = {0, 1, 0}, .friction = 0.5};
    struct sim_collider other = {.kind = scene == BOX ? SIM_BOX : SIM_SPHERE,
                                 .position = {0.5 * side, -down - 0.25 * side, 0.5 * side},
                                 .rotation = {0.05, 0.2, 0, 1},
                                 .radius = 0.25 * side,
                                 .half_extents = {0.2 * side, 0.2 * side, 0.3 * side},
                                 .friction = 0.5};
    struct fault fault = {0};
    uint32_t id;
    if (sim_collider_add(sim, &floor, &id, &fault) == FAULT_NONE &&
        sim_collider_add(sim, &other, &id, &fault) == FAULT_NONE) {
        return true;
    }
    fprintf(stderr, "weft-bench: a collider was refused: %s\n", fault.text);
    return false;
}

static bool runner_init(struct runner *runner, const struct bench_mesh *mesh, enum scene scene,
                        uint32_t width, enum sim_isa isa)
{
    *runner = (struct runner){.sim = bench_world_create(&bench_world_usual, isa)};
    bool good =
        runner->sim != NULL && cloth_add(runner->sim, mesh) && colliders_add(runner->sim, scene, width);
    for (uint32_t tick = 0; good && scene != FAR && tick < SETTLE_TICKS; tick++) {
        good = bench_tick(runner->sim, NULL, NULL);
    }
    return good;
}

static bool runner_run(struct runner *runner, uint32_t ticks, uint32_t run)
{
    const struct sim_hooks hooks = {.context = runner, .on_phase = phase_ends};
    runner->spent_ns = 0;
    double begin = thread_ns();
    for (uint32_t tick = 0; tick < ticks; tick++) {
        if (!bench_tick(runner->sim, NULL, &hooks)) {
            return false;
        }
    }
    runner->runs_ns[run] = runner->spent_ns / ticks;
    runner->ticks_ns[run] = (thread_ns() - begin) / ticks;
    return true;
}

static void tell(struct bench_report *report, const struct runner *runner, enum scene scene, uint32_t width,
                 enum sim_isa isa, uint32_t runs)
{
    uint32_t particles = sim_particle_count(runner->sim);
    double whole_ns = bench_median(runner->ticks_ns, runs), ns = bench_median(runner->runs_ns, runs);
    double each = ns / particles / BENCH_SUBSTEPS;
    double best = bench_least(runner->runs_ns, runs) / particles / BENCH_SUBSTEPS;
    struct sim_measures measures;
    sim_measure(runner->sim, &measures);
    uint64_t hash = sim_hash(runner->sim);
    printf("%-8s %5" PRIu32 " %-7s %8" PRIu32 " %8" PRIu32 " %8.2f %8.2f %9.3f %5.0f %%  %016" PRIx64 "\n",
           names[scene], width, sim_isa_name(isa), particles, measures.contacts, each, best, 1e-6 * whole_ns,
           100 * ns / whole_ns, hash);
    json_t *row = bench_report_row(report, "contacts", width, sim_isa_name(isa), 1);
    if (json_object_set_new(row, "scene", json_string(names[scene])) != 0) {
        report->failed = true;
    }
    bench_report_count(report, row, "particles", particles);
    bench_report_count(report, row, "contacts", measures.contacts);
    bench_report_count(report, row, "substeps", BENCH_SUBSTEPS);
    bench_report_number(report, row, "ns_per_particle", each);
    bench_report_number(report, row, "ns_per_particle_best", best);
    bench_report_number(report, row, "ms_per_tick", 1e-6 * whole_ns);
    bench_report_hash(report, row, hash);
}

static bool compare(struct bench_report *report, const struct bench_options *options,
                    const struct bench_mesh *mesh, enum scene scene, uint32_t width)
{
    struct runner runners[SIM_ISA_COUNT] = {0};
    uint32_t ticks = options->quick ? 4 : 20;
    bool good = true;
    for (int isa = 0; good && isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa) && (options->isa < 0 || options->isa == isa)) {
            good = runner_init(&runners[isa], mesh, scene, width, (enum sim_isa)isa);
        }
    }
    for (uint32_t run = 0; good && run < options->runs; run++) {
        for (int isa = 0; good && isa < SIM_ISA_COUNT; isa++) {
            good = runners[isa].sim == NULL || runner_run(&runners[isa], scene == FAR ? 2 : ticks, run);
        }
    }
    uint64_t hash = 0;
    for (int isa = SIM_ISA_COUNT - 1; good && isa >= 0; isa--) {
        if (runners[isa].sim == NULL) {
            continue;
        }
        tell(report, &runners[isa], scene, width, (enum sim_isa)isa, options->runs);
        if (hash != 0 && hash != sim_hash(runners[isa].sim)) {
            printf("HASHES DIFFER: %s\n", names[scene]);
            report->failed = true;
        }
        hash = sim_hash(runners[isa].sim);
    }
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        sim_destroy(runners[isa].sim);
    }
    return good;
}

bool bench_contacts(struct bench_report *report, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : 100;
    struct bench_mesh mesh;
    if (!bench_mesh_init(&mesh, BENCH_EDGES, width)) {
        fprintf(stderr, "weft-bench: no memory for a mesh\n");
        return false;
    }
    printf("\nContacts: a cloth on a sphere or a box over a floor; ns a particle and substep\n\n"
           "scene    width isa     particle  touching  ns/part     best   ms/tick   part  hash\n");
    bool good = true;
    for (int scene = 0; good && scene < SCENES; scene++) {
        good = compare(report, options, &mesh, (enum scene)scene, width);
    }
    bench_mesh_deinit(&mesh);
    return good;
}
