// weft-bench contact: what it costs that bodies meet themselves and each other.
//
// Each scene runs once for each number of threads, tick by tick in turns, so that both meet the same machine; hashes and
// exact crossings are compared as well. Times are of the wall. A pair is one that might meet: ns a pair is the time of
// contact in a substep over the pairs of its tick.

#include "base/thread.h"
#include "cases.h"
#include "odd.h"
#include "options.h"
#include "scene.h"
#include "sim/contact/meet.h"

#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TICKS_MAX = 1000, SUBJECTS = 2 };

struct scene {
    const char *name, *what;
    uint32_t width, sheets;                   // particles a side
    double edge, speed;                       // m, m/s downwards
    bool upright, off;                        // sheets stand; nothing meets
    double apart;                             // of sheets, m; 0: they lie upon each other
    uint32_t warm, ticks;                     // not told, told
    double goal_ms;                           // of a tick, on one core with AVX2; 0: none
    bool only_asked;                          // for by name: it takes minutes
    bool (*add)(struct sim *sim, bool meets); // makes all of it in place of sheets and a floor; NULL: sheets
    double goal_bytes;                        // of contact a particle; 0: none
};

static const struct scene scenes[] = {
    {"off", "two sheets of 71 x 71 that meet nothing", 71, 2, 0.01, 0, false, true, 0.5, 5, 20, 0, false,
     NULL, 0},
    {"apart", "the same where they could meet", 71, 2, 0.01, 0, false, false, 0.5, 5, 20, 1, false, NULL, 0},
    {"layers", "five of 11 x 11 at rest upon each other", 11, 5, 0.02, 0, false, false, 0, 60, 60, 0, false,
     NULL, 0},
    {"edge-on", "41 x 41, which falls over", 41, 1, 0.02, 0, true, false, 0, 0, 100, 16.7, false, NULL, 0},
    {"impact", "41 x 41 that hits the floor at 12 m/s", 41, 1, 0.02, 12, true, false, 0, 0, 40, 16.7, false,
     NULL, 0},
    {"moving", "100 x 100 while it falls over", 100, 1, 0.01, 0, true, false, 0, 36, 20, 40, false, NULL, 0},
    {"settled", "100 x 100 that lies where it fell", 100, 1, 0.01, 0, true, false, 0, 240, 20, 15, true, NULL,
     1200},
    {"hills", "64 x 64 on a hilly height field", 64, 1, 0.015, 0, false, false, 0, 60, 20, 25, false, NULL,
     0},
    {"large", "five of 222 x 222 at rest upon each other", 222, 5, 0.01, 0, false, false, 0, 5, 5, 3500, true,
     NULL, 0},
    {"wrung", "a towel of 2,091 that is wrung", 51, 1, 0, 0, false, false, 0, 240, 4, 0, true,
     bench_towel_add, 6000},
    {"uneven", "a closed mesh of 9,770 with edges of 2 to 60 mm, as it lands", 88, 1, 0, 0, false, false, 0,
     0, 40, 0, true, bench_uneven_add, 0},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

// Figures that are printed for all scenes.
struct how {
    uint32_t threads; // beside one
    bool quick;
    enum sim_isa isa;
    enum sim_contact_quality quality;
};

struct subject {
    uint32_t threads;
    struct base_team *team;
    struct sim *sim;
    double tick_ms[TICKS_MAX], contact_ms[TICKS_MAX];
    double parts_ms[SIM_MEET_PARTS]; // of all ticks that are told
    double mark_ms, part_ms;
    uint32_t tick; // under way
};

struct counts {
    double pairs, near, pushing;
    uint32_t held_most, pairs_most;
    double bytes; // resident, of contact, a particle
};

// ------------------------------------------------------------------------------------------------------ scenes

// Sheet n of a scene, with folds of a tenth of an edge that a standing one needs to fall over.
static bool sheet_add(struct sim *sim, const struct scene *scene, uint32_t n)
{
    static const struct sim_limits limits = {64, 16777216, 134217728, 4, 4, 0, 0};
    const struct sim_settings *settings = sim_settings_of(sim);
    const uint32_t width = scene->width, cells = (width - 1) * (width - 1);
    const double thickness = 0.15 * scene->edge;
    double *x = malloc(sizeof(double[3]) * width * width);
    float *v = calloc(width * width, sizeof(float[3]));
    uint32_t *triangles = malloc(sizeof(uint32_t[6]) * cells), *t = triangles;
    bool good = x != NULL && v != NULL && triangles != NULL;
    for (uint32_t i = 0; good && i < width * width; i++) {
        double along = scene->edge * (i / width), across = scene->edge * (i % width);
        double fold = 0.04 * scene->edge * sin(0.35 * (i % width)) + 2e-5 * scene->edge * (i % 7);
        double lies = scene->apart > 0 ? 1.1 + scene->apart * n : thickness * (2 * n + 1) * 1.01;
        x[3 * i] = along + 0.11 * scene->edge * n;
        x[3 * i + 1] = scene->upright ? 0.1 + across : lies;
        x[3 * i + 2] = scene->upright ? fold : -across + 0.07 * scene->edge * n;
        v[3 * i + 1] = (float)-scene->speed;
    }
    for (uint32_t cell = 0; good && cell < cells; cell++) {
        uint32_t a = cell / (width - 1) * width + cell % (width - 1);
        const uint32_t both[6] = {a, a + width, a + width + 1, a, a + width + 1, a + 1};
        memcpy(t + (size_t)6 * cell, both, sizeof both);
    }
    const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                       .particle_count = width * width,
                                       .positions = x,
                                       .velocities = v,
                                       .triangles = triangles,
                                       .triangle_count = 2 * cells,
                                       .density = 0.2,
                                       .stretch = {.stiffness = -1},
                                       .bend_model = SIM_BEND_QUADRATIC,
                                       .bend = {.compliance = 1e4, .stiffness = -1},
                                       .volume = {.stiffness = -1},
                                       .thickness = thickness,
                                       .meeting = {!scene->off, !scene->off, 1, 0.3}};
    struct fault fault = {.text = "no memory"};
    struct sim_body_added added;
    struct sim_body_plan *plan =
        good ? sim_body_prepare(&desc, settings->resolution, settings->extent, &limits, &fault) : NULL;
    good = plan != NULL && sim_body_attach(sim, plan, &added, &fault) == FAULT_NONE;
    if (!good) {
        fprintf(stderr, "weft-bench: a sheet was refused: %s\n", fault.text);
    }
    if (!good && plan != NULL) {
        sim_body_plan_destroy(plan);
    }
    free(x);
    free(v);
    free(triangles);
    return good;
}

static bool scene_make(struct sim *sim, const struct scene *scene)
{
    const struct sim_collider floor = {
        .kind = SIM_PLANE, .normal = {0, 1, 0}, .rotation = {0, 0, 0, 1}, .friction = 0.5};
    const double middle = 0.5 * scene->edge * (scene->width - 1);
    struct fault fault = {0};
    uint32_t id;
    if (scene->add) {
        return scene->add(sim, !scene->off);
    }
    bool good = strcmp(scene->name, "hills") == 0
                    ? bench_hills_add(sim, (const double[3]){middle, -0.05, -middle})
                    : sim_collider_add(sim, &floor, &id, &fault) == FAULT_NONE;
    for (uint32_t n = 0; good && n < scene->sheets; n++) {
        good = sheet_add(sim, scene, n);
    }
    return good;
}

static bool subject_init(struct subject *subject, const struct scene *scene, const struct how *how)
{
    const struct bench_world world = {.quality = how->quality};
    subject->team = base_team_create(subject->threads);
    subject->sim = bench_world_create(&world, how->isa);
    return subject->team != NULL && subject->sim != NULL && scene_make(subject->sim, scene);
}

static void subject_deinit(struct subject *subject)
{
    sim_destroy(subject->sim);
    base_team_destroy(subject->team);
}

// ------------------------------------------------------------------------------------------------------ memory

// 0 where the system does not tell.
static double resident(void)
{
    unsigned long whole = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    malloc_trim(0);
    if (file == NULL || fscanf(file, "%lu %lu", &whole, &pages) != 2) {
        pages = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

// Finds the bytes that the scene takes in a world in which nothing meets, after a few ticks.
static bool resident_without(const struct scene *scene, const struct how *how, double *bytes)
{
    struct scene off = *scene;
    struct subject subject = {.threads = 1};
    const double before = resident();
    off.off = true;
    bool good = subject_init(&subject, &off, how);
    for (int tick = 0; good && tick < 3; tick++) {
        good = bench_tick(subject.sim, NULL, NULL);
    }
    *bytes = resident() - before;
    sim_destroy(subject.sim);
    base_team_destroy(subject.team);
    return good;
}

// ------------------------------------------------------------------------------------------------------- times

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void phase_ends(void *context, enum sim_phase phase)
{
    struct subject *subject = context;
    double now = phase == SIM_SOLVE || phase == SIM_CONTACTS ? now_ms() : 0;
    if (phase == SIM_CONTACTS) {
        subject->contact_ms[subject->tick] += now - subject->mark_ms;
    }
    subject->mark_ms = subject->part_ms = now;
}

static void part_ends(void *context, enum sim_meeting_part part)
{
    struct subject *subject = context;
    double now = now_ms();
    subject->parts_ms[part] += now - subject->part_ms;
    subject->part_ms = now;
}

static bool subject_tick(struct subject *subject, uint32_t tick)
{
    const struct sim_hooks hooks = {.context = subject, .on_phase = phase_ends, .on_meeting = part_ends};
    subject->tick = tick;
    subject->contact_ms[tick] = 0;
    if (tick == 0) {
        memset(subject->parts_ms, 0, sizeof subject->parts_ms);
    }
    double begin = now_ms();
    bool good = bench_tick(subject->sim, base_team_parallel(subject->team), &hooks);
    subject->tick_ms[tick] = now_ms() - begin;
    return good;
}

static void counts_take(struct counts *counts, const struct sim *sim, uint32_t ticks)
{
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    double near = 0;
    for (uint32_t i = 0; sim->meet && i < sim->meet->island_count; i++) {
        near += (double)sim->meet->islands[i].near[SIM_PAIR_VT].count +
                sim->meet->islands[i].near[SIM_PAIR_EE].count;
    }
    counts->pairs += (double)told.pairs / ticks;
    counts->near += near / ticks;
    counts->pushing += (double)told.pushing / ticks;
    counts->pairs_most = told.pairs > counts->pairs_most ? told.pairs : counts->pairs_most;
    counts->held_most = told.held > counts->held_most ? told.held : counts->held_most;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *values, uint32_t count)
{
    double sorted[TICKS_MAX];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, by_value);
    return sorted[(count - 1) / 2];
}

static double greatest(const double *values, uint32_t count)
{
    double found = values[0];
    for (uint32_t i = 1; i < count; i++) {
        found = fmax(found, values[i]);
    }
    return found;
}

// --------------------------------------------------------------------------------------------------- reporting

static const struct {
    const char *name, *field;
} parts[SIM_MEET_PARTS] = {{"finding", "finding_ms_per_tick"},
                           {"pushing", "pushing_ms_per_tick"},
                           {"colliders", "colliders_ms_per_tick"},
                           {"holding back", "holding_ms_per_tick"}};

// Means, in ms a tick. Searching again for a particle that left its box while rows are held back is included.
static void tell_parts(const struct subject *subject, uint32_t ticks)
{
    printf("         of contact:");
    for (int part = 0; part < SIM_MEET_PARTS; part++) {
        printf("%s %s %.2f", part == 0 ? "" : ",", parts[part].name, subject->parts_ms[part] / ticks);
    }
    printf("\n");
}

// Tells what others publish of their contact: time of all cores a vertex and step, which is a tick here, and the strain that was reached.
static void tell_published(struct bench_report *report, json_t *row, const struct subject *subject,
                           double tick_ms)
{
    struct sim_measures measures;
    sim_measure(subject->sim, &measures);
    const double each = 1e3 * tick_ms * subject->threads / sim_particle_count(subject->sim);
    printf("         %.2f core-us a vertex and step; strain %.3g at most, %.3g rms\n", each,
           measures.error_max[SIM_DISTANCE], measures.error_rms[SIM_DISTANCE]);
    bench_report_number(report, row, "core_us_per_vertex", each);
    bench_report_number(report, row, "strain_max", measures.error_max[SIM_DISTANCE]);
    bench_report_number(report, row, "strain_rms", measures.error_rms[SIM_DISTANCE]);
}

static void tell_bytes(struct bench_report *report, json_t *row, const struct scene *scene, double bytes,
                       bool quick)
{
    bench_report_number(report, row, "bytes_per_particle", bytes);
    if (scene->goal_bytes > 0 && !quick) {
        struct bench_goal goal = {.value = bytes, .limit = scene->goal_bytes, .unit = "bytes"};
        snprintf(goal.what, sizeof goal.what, "%s, memory of contact a particle", scene->name);
        bench_report_goal(report, row, &goal);
    } else {
        printf("         memory of contact: %.0f bytes a particle\n", bytes);
    }
}

static void tell(struct bench_report *report, const struct scene *scene, const struct subject *subject,
                 const struct counts *counts, uint32_t ticks, const struct how *how)
{
    const enum sim_isa isa = how->isa;
    const bool fast = how->quality == SIM_CONTACT_FAST;
    double whole = middle(subject->tick_ms, ticks), contact = middle(subject->contact_ms, ticks);
    double worst = greatest(subject->tick_ms, ticks);
    double each = counts->pairs > 0 ? 1e6 * contact / BENCH_SUBSTEPS / counts->pairs : 0;
    uint64_t crossings = scene->off ? 0 : sim_crossings(subject->sim);
    printf("%-8s %7" PRIu32 " %3" PRIu32 " %8.2f %8.2f %8.2f %8.0f %8" PRIu32 " %8.0f %7.0f %6" PRIu32
           " %6.1f %6" PRIu64 "  %016" PRIx64 "\n",
           scene->name, sim_particle_count(subject->sim), subject->threads, whole, worst, contact,
           counts->pairs, counts->pairs_most, counts->near, counts->pushing, counts->held_most, each,
           crossings, sim_hash(subject->sim));
    tell_parts(subject, ticks);
    json_t *row = bench_report_row(report, scene->name, scene->width, sim_isa_name(isa), subject->threads);
    bench_report_count(report, row, "substeps", BENCH_SUBSTEPS);
    bench_report_number(report, row, "ms_per_tick", whole);
    bench_report_number(report, row, "ms_per_tick_worst", worst);
    bench_report_number(report, row, "contact_ms_per_tick", contact);
    bench_report_number(report, row, "pairs", counts->pairs);
    bench_report_number(report, row, "near", counts->near);
    bench_report_number(report, row, "pushing", counts->pushing);
    bench_report_number(report, row, "ns_per_pair", each);
    bench_report_count(report, row, "crossings", crossings);
    for (int part = 0; part < SIM_MEET_PARTS; part++) {
        bench_report_number(report, row, parts[part].field, subject->parts_ms[part] / ticks);
    }
    tell_published(report, row, subject, whole);
    bench_report_hash(report, row, sim_hash(subject->sim));
    if (subject->threads == 1 && counts->bytes > 0) {
        tell_bytes(report, row, scene, counts->bytes, how->quick);
    }
    if (!fast && scene->goal_ms > 0 && subject->threads == 1) {
        struct bench_goal goal = {.value = strcmp(scene->name, "apart") == 0 ? contact : whole,
                                  .limit = scene->goal_ms,
                                  .unit = "ms"};
        snprintf(goal.what, sizeof goal.what, "%s, one thread", scene->name);
        bench_report_goal(report, row, &goal);
    }
    if (!fast && crossings != 0) {
        printf("CROSSINGS: %s\n", scene->name);
        report->failed = true;
    }
}

static bool scene_run(struct bench_report *report, const struct scene *scene, const struct how *how)
{
    struct subject *subjects = calloc(SUBJECTS, sizeof *subjects);
    struct counts counts = {0};
    uint32_t warm = how->quick ? 2 : scene->warm, ticks = how->quick ? 3 : scene->ticks;
    double without = 0;
    bool good = subjects != NULL && (scene->off || resident_without(scene, how, &without));
    const double before = resident();
    for (uint32_t s = 0; good && s < SUBJECTS; s++) {
        subjects[s].threads = s == 0 ? 1 : how->threads;
        good = subject_init(&subjects[s], scene, how);
    }
    for (uint32_t tick = 0; good && tick < warm + ticks; tick++) {
        for (uint32_t s = 0; good && s < SUBJECTS; s++) {
            uint32_t turn = (s + tick) % SUBJECTS; // forth and back
            good = subject_tick(&subjects[turn], tick < warm ? 0 : tick - warm);
        }
        if (good && tick >= warm) {
            counts_take(&counts, subjects[0].sim, ticks);
        }
    }
    if (good && !scene->off && before > 0) { // both have the same
        counts.bytes = ((resident() - before) / SUBJECTS - without) / sim_particle_count(subjects[0].sim);
    }
    for (uint32_t s = 0; good && s < SUBJECTS; s++) {
        tell(report, scene, &subjects[s], &counts, ticks, how);
    }
    if (good && sim_hash(subjects[0].sim) != sim_hash(subjects[1].sim)) {
        printf("HASHES DIFFER: %s\n", scene->name);
        report->failed = true;
    }
    if (good) {
        printf("         %" PRIu32 " threads: %.2f times as fast\n", how->threads,
               middle(subjects[0].tick_ms, ticks) / middle(subjects[1].tick_ms, ticks));
    }
    for (uint32_t s = 0; subjects != NULL && s < SUBJECTS; s++) {
        subject_deinit(&subjects[s]);
    }
    free(subjects);
    fflush(stdout);
    return good;
}

static void print_help(void)
{
    fputs("Usage: weft-bench contact [OPTIONS]\n"
          "\n"
          "Times worlds in which bodies meet: ticks of 20 substeps. One thread and several take turns, tick "
          "by\n"
          "tick. Tells the median and the worst tick, the part of contact, pairs that might meet (mean and\n"
          "most), those near enough to be measured, those that push, particles held back, and crossings,\n"
          "which must be 0; then the mean time of each phase of contact: finding pairs, pushing them, "
          "colliders,\n"
          "and holding back; and the resident bytes that contact takes at the end for each particle.\n"
          "\n"
          "  --case NAME   one scene of those below; all that take less than a minute if absent\n"
          "  --quality Q   guaranteed, or fast: without holding back, so that crossings are no failure and\n"
          "                goals are not told\n"
          "  --threads N   threads beside one, 1 to 64; if absent one a core\n"
          "  --json FILE   writes the results as a list of objects\n"
          "  --isa NAME    instruction set; the best if absent\n"
          "  --quick       a few ticks of each: to see that it works\n"
          "  --help        print this\n"
          "\n"
          "Scenes:\n",
          stdout);
    for (int i = 0; i < SCENES; i++) {
        printf("  %-8s %s%s\n", scenes[i].name, scenes[i].what, scenes[i].only_asked ? " (if named)" : "");
    }
    fputs("\nFor comparison: Offset Geometric Contact (Chen et al. 2025) tells 0.21 s a step for 246,000\n"
          "vertices on a CPU whose cores it does not tell.\n"
          "\n"
          "Exit status: 0 done, 1 a world failed, something crossed or hashes differ, 2 wrong usage. A goal\n"
          "that is missed is told, and is no failure.\n",
          stdout);
}

int bench_contact(int count, char **arguments)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},    {"threads", required_argument, NULL, 't'},
        {"json", required_argument, NULL, 'j'},    {"isa", required_argument, NULL, 'i'},
        {"quality", required_argument, NULL, 'Q'}, {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    const char *only = NULL, *json = NULL;
    struct how how = {.threads = bench_cores(), .isa = bench_isa_best()};
    bool found = false;
    int isa;
    opterr = 0;
    for (int option; (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'c':
            only = optarg;
            break;
        case 't':
            if (!bench_number("threads", optarg, 1, BENCH_THREADS_MAX, &how.threads)) {
                return 2;
            }
            break;
        case 'j':
            json = optarg;
            break;
        case 'i':
            if (!bench_isa_find(optarg, &isa)) {
                return 2;
            }
            how.isa = (enum sim_isa)isa;
            break;
        case 'Q':
            how.quality = strcmp(optarg, "fast") == 0 ? SIM_CONTACT_FAST : SIM_CONTACT_GUARANTEED;
            if (how.quality != SIM_CONTACT_FAST && strcmp(optarg, "guaranteed") != 0) {
                fprintf(stderr, "weft-bench: --quality %s: must be guaranteed or fast\n", optarg);
                return 2;
            }
            break;
        case 'q':
            how.quick = true;
            break;
        case 'h':
            print_help();
            return 0;
        default:
            fprintf(stderr, "weft-bench: %s: %s; see weft-bench contact --help\n", arguments[optind - 1],
                    option == ':' ? "needs a value" : "there is no such option");
            return 2;
        }
    }
    for (int i = 0; i < SCENES; i++) {
        found |= only == NULL || strcmp(scenes[i].name, only) == 0;
    }
    if (optind < count || !found) {
        fprintf(stderr, "weft-bench: there is no scene '%s'; see weft-bench contact --help\n",
                optind < count ? arguments[optind] : only);
        return 2;
    }
    struct bench_report report;
    if (!bench_report_init(&report, json)) {
        return 1;
    }
    printf(
        "Contact, %s; ms a tick: median, worst, of contact; pairs: mean, most; ns a pair and substep\n\n"
        "scene    particl thr   median    worst  contact    pairs     most     near pushing   held ns/pair "
        "cross  hash\n",
        sim_isa_name(how.isa));
    for (int i = 0; i < SCENES; i++) {
        if (only != NULL ? strcmp(scenes[i].name, only) == 0 : !scenes[i].only_asked) {
            report.failed |= !scene_run(&report, &scenes[i], &how);
        }
    }
    return bench_report_finish(&report) ? 0 : 1;
}
