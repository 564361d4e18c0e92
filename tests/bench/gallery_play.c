// weft-bench gallery: whole scenes for seconds, by default those of tests/bench/scenes, which stay as they are, so that figures of
// different versions can be compared. Ticks are those of a world whose settings are the scene's, except where an option
// says otherwise. A scene that does not ask for sleep is measured awake.
//
// Errors are looked at after each tick and are not timed. A figure by body is that of the worst body.

#include "base/clock.h"
#include "base/thread.h"
#include "cases.h"
#include "document/document.h"
#include "gallery.h"
#include "gallery_errors.h"
#include "hosted.h"
#include "protocol/error.h"
#include "scene.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEAN_TICKS = 120, WORST_TICKS = 600, TICKS_MAX = 100000, SUBSTEPS_MAX = 16 };

struct play_options {
    const char *folder, *scene, *json;
    uint32_t mean, worst; // ticks
    uint32_t threads;     // 0: one, and one a core
    uint32_t substeps[SUBSTEPS_MAX], substeps_count;
    int long_edges, solved; // -1: as the scene says
    bool errors;
};

struct played {
    uint32_t substeps, particles, constraints, ticks;
    double mean_ns, worst_ns, core_ns; // of the first ticks; of all; of the calling thread in the first ticks
    uint64_t hash;
    bool failed;
    struct gallery_errors errors;
};

// ------------------------------------------------------------------------------------------------------- ticks

static bool settle(struct sim *sim, const char *name, const struct play_options *options, uint32_t substeps)
{
    struct sim_settings settings = *sim_settings_of(sim);
    struct fault fault = {0};
    settings.substeps = substeps > 0 ? substeps : settings.substeps;
    settings.long_edges = options->long_edges >= 0 ? options->long_edges == 1 : settings.long_edges;
    settings.bending_solved = options->solved >= 0 ? options->solved == 1 : settings.bending_solved;
    return sim_settings_set(sim, &settings, &fault) == FAULT_NONE || gallery_refuse(name, fault.text);
}

static bool tick_all(struct sim *sim, const char *name, const struct play_options *options,
                     struct base_parallel *parallel, struct played *played)
{
    const uint32_t last = options->mean > options->worst ? options->mean : options->worst;
    for (uint32_t tick = 1; tick <= last; tick++) {
        struct sim_failure failure = {0};
        const uint64_t begin = base_now_ns(), core_begin = bench_core_now_ns();
        sim_step(sim, parallel, NULL, &failure);
        const double core = (double)(bench_core_now_ns() - core_begin);
        const double whole = (double)(base_now_ns() - begin);
        if (failure.failed) {
            played->failed = true;
            gallery_refuse(name, failure.text);
            break;
        }
        played->ticks = tick;
        played->worst_ns = fmax(played->worst_ns, tick <= options->worst ? whole : 0);
        if (tick <= options->mean) {
            played->mean_ns += whole / options->mean;
            played->core_ns += core / options->mean;
        }
        if (options->errors && !gallery_errors_look(&played->errors, sim)) {
            return gallery_refuse(name, "no memory for its errors");
        }
    }
    gallery_errors_finish(&played->errors);
    return true;
}

// A world that fails is told in its row. False, with a line on stderr, if there is no row.
static bool play(const char *name, const struct play_options *options, uint32_t substeps, uint32_t threads,
                 struct played *played)
{
    struct scene scene = {0};
    struct protocol_error error;
    *played = (struct played){0};
    if (!gallery_open(name, &scene)) {
        return false;
    }
    struct document *document = document_from(scene.document, scene.size, &error);
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    bool good = (document != NULL || gallery_refuse(name, error.text)) &&
                (threads == 1 || team != NULL || gallery_refuse(name, "threads cannot be started"));
    if (good) {
        struct sim *sim = document->sim;
        good = settle(sim, name, options, substeps) &&
               tick_all(sim, name, options, team ? base_team_parallel(team) : NULL, played);
        played->substeps = sim_settings_of(sim)->substeps;
        played->particles = sim_particle_count(sim);
        played->constraints = sim_constraint_count(sim);
        played->hash = played->failed ? 0 : sim_hash(sim);
    }
    base_team_destroy(team);
    document_destroy(document);
    scene_deinit(&scene);
    return good;
}

// ----------------------------------------------------------------------------------------------------- telling

static void tell(struct bench_report *report, const char *name, const struct play_options *options,
                 uint32_t threads, const struct played *played)
{
    printf("%-16s %3" PRIu32 " %8" PRIu32 " %9" PRIu32 " %9.3f %9.3f %9.3f  %016" PRIx64 "%s\n", name,
           threads, played->substeps, played->particles, 1e-6 * played->mean_ns, 1e-6 * played->worst_ns,
           1e-6 * played->core_ns, played->hash, played->failed ? "  FAILED" : "");
    json_t *row = bench_report_row(report, "gallery", 0, sim_isa_name(sim_isa_chosen()), threads);
    if (json_object_set_new(row, "scene", json_string(name)) != 0) {
        report->failed = true;
    }
    bench_report_count(report, row, "particles", played->particles);
    bench_report_count(report, row, "constraints", played->constraints);
    bench_report_count(report, row, "substeps", played->substeps);
    bench_report_count(report, row, "ticks", played->ticks);
    bench_report_number(report, row, "ms_per_tick", 1e-6 * played->mean_ns);
    bench_report_number(report, row, "ms_per_tick_worst", 1e-6 * played->worst_ns);
    bench_report_number(report, row, "ms_per_tick_core", 1e-6 * played->core_ns);
    if (!played->failed) {
        bench_report_hash(report, row, played->hash);
    }
    if (options->errors) {
        gallery_errors_tell(report, row, &played->errors);
    }
    report->failed = report->failed || played->failed;
    fflush(stdout);
}

static bool play_scene(struct bench_report *report, const struct play_options *options, const char *name)
{
    const uint32_t threads = options->threads > 0 ? options->threads : 1;
    const bool both = options->threads == 0 && bench_cores() > 1;
    for (uint32_t s = 0; s == 0 || s < options->substeps_count; s++) {
        const uint32_t substeps = options->substeps_count > 0 ? options->substeps[s] : 0;
        struct played one, all;
        if (!play(name, options, substeps, threads, &one)) {
            return false;
        }
        tell(report, name, options, threads, &one);
        if (!both) {
            continue;
        }
        if (!play(name, options, substeps, bench_cores(), &all)) {
            return false;
        }
        tell(report, name, options, bench_cores(), &all);
        if (one.hash != all.hash) {
            return gallery_refuse(name, "HASHES DIFFER over threads");
        }
    }
    return true;
}

// ----------------------------------------------------------------------------------------------------- options

static void print_help(void)
{
    fputs(
        "Usage: weft-bench gallery [OPTIONS]\n"
        "\n"
        "Runs whole scenes from their start. Prints the mean time of their first ticks, the worst tick of a\n"
        "longer time, and the mean time that the calling thread was on a core in the first ticks.\n"
        "\n"
        "  --scenes FOLDER     where the scenes are; default tests/bench/scenes, which are never changed\n"
        "  --scene SCENE       only this one: a name there, or a file\n"
        "  --mean N            ticks of the mean, 1 to 100000; default 120\n"
        "  --worst N           ticks of the worst, 1 to 100000; default 600\n"
        "  --threads N         threads, 1 to 64; if absent one, and one a core\n"
        "  --substeps LIST     1 to 1000, such as 20,10; if absent those of the scene\n"
        "  --long-edges on|off if absent as the scene says\n"
        "  --bending solved|swept\n"
        "                      if absent as the scene says\n"
        "  --errors            also what is wrong after each tick: strain above the limit, strain of all "
        "edges,\n"
        "                      forces that are not resolved (of stretch, bend, volume), contact, heights\n"
        "  --json FILE         writes the results as a list of objects\n"
        "  --quick             10 ticks: to see that it works\n"
        "  --help              print this\n"
        "\n"
        "Exit status: 0 done, 1 a scene cannot be run, a world failed or hashes differ, 2 wrong usage.\n",
        stdout);
}

static bool take_list(char *text, struct play_options *options)
{
    options->substeps_count = 0;
    for (char *rest, *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (options->substeps_count == SUBSTEPS_MAX) {
            fprintf(stderr, "weft-bench: --substeps: more than %d numbers\n", SUBSTEPS_MAX);
            return false;
        }
        if (!bench_number("substeps", word, 1, 1000, &options->substeps[options->substeps_count++])) {
            return false;
        }
    }
    return true;
}

static bool take_choice(const char *option, const char *text, const char *no, const char *yes, int *choice)
{
    *choice = strcmp(text, yes) == 0 ? 1 : strcmp(text, no) == 0 ? 0 : -1;
    if (*choice < 0) {
        fprintf(stderr, "weft-bench: --%s: '%s' must be %s or %s\n", option, text, yes, no);
    }
    return *choice >= 0;
}

static bool take(struct play_options *options, int option)
{
    switch (option) {
    case 'f':
        options->folder = optarg;
        return true;
    case 's':
        options->scene = optarg;
        return true;
    case 'm':
        return bench_number("mean", optarg, 1, TICKS_MAX, &options->mean);
    case 'w':
        return bench_number("worst", optarg, 1, TICKS_MAX, &options->worst);
    case 't':
        return bench_number("threads", optarg, 1, BENCH_THREADS_MAX, &options->threads);
    case 'n':
        return take_list(optarg, options);
    case 'l':
        return take_choice("long-edges", optarg, "off", "on", &options->long_edges);
    case 'b':
        return take_choice("bending", optarg, "swept", "solved", &options->solved);
    case 'e':
        return options->errors = true;
    case 'j':
        options->json = optarg;
        return true;
    default: // --quick
        options->mean = options->worst = 10;
        return true;
    }
}

static enum bench_parsed parse(int count, char **arguments, struct play_options *options)
{
    static const struct option known[] = {
        {"scenes", required_argument, NULL, 'f'},
        {"scene", required_argument, NULL, 's'},
        {"mean", required_argument, NULL, 'm'},
        {"worst", required_argument, NULL, 'w'},
        {"threads", required_argument, NULL, 't'},
        {"substeps", required_argument, NULL, 'n'},
        {"long-edges", required_argument, NULL, 'l'},
        {"bending", required_argument, NULL, 'b'},
        {"errors", no_argument, NULL, 'e'},
        {"json", required_argument, NULL, 'j'},
        {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct play_options){.folder = WEFT_BENCH_SCENES,
                                     .mean = MEAN_TICKS,
                                     .worst = WORST_TICKS,
                                     .long_edges = -1,
                                     .solved = -1};
    opterr = 0;
    for (int option; (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        if (option == 'h') {
            print_help();
            return BENCH_HELPED;
        }
        if (option == '?' || option == ':') {
            fprintf(stderr, "weft-bench: %s: %s; see weft-bench gallery --help\n", arguments[optind - 1],
                    option == ':' ? "needs a value" : "there is no such option");
            return BENCH_REFUSED;
        }
        if (!take(options, option)) {
            return BENCH_REFUSED;
        }
    }
    if (optind < count) {
        fprintf(stderr, "weft-bench: '%s' is not an option; see weft-bench gallery --help\n",
                arguments[optind]);
        return BENCH_REFUSED;
    }
    return BENCH_PARSED;
}

int bench_play(int count, char **arguments)
{
    struct play_options options;
    struct bench_report report;
    struct gallery gallery;
    const enum bench_parsed parsed = parse(count, arguments, &options);
    if (parsed != BENCH_PARSED) {
        return parsed == BENCH_HELPED ? 0 : 2;
    }
    // The gallery of this run is that folder.
    if (setenv("WEFT_SCENES", options.folder, 1) != 0 || !bench_report_init(&report, options.json)) {
        return 1;
    }
    sim_isa_choose(bench_isa_best());
    const bool listed = gallery_list(&gallery, options.scene);
    report.failed = !listed;
    if (listed) {
        printf("\nScenes: the mean of %" PRIu32 " ticks, the worst of %" PRIu32
               ", and the mean on a core (%s)\n\n"
               "scene            thr substeps particles   ms/tick     worst      core  hash\n",
               options.mean, options.worst, sim_isa_name(sim_isa_chosen()));
    }
    for (uint32_t s = 0; listed && s < gallery.count; s++) {
        if (!play_scene(&report, &options, gallery.names[s])) {
            report.failed = true;
        }
    }
    return bench_report_finish(&report) ? 0 : 1;
}
