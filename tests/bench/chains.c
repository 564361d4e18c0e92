// weft-bench chains: ropes by weft's long edges and tethers, beside the direct solve of a chain.
//
// Every solver runs the same random starts of each rope. Positions are read after each tick, and everything is measured
// from them in double. The reference is `newton` with 400 substeps. A run has failed if a coordinate is not finite, a link
// is more than a tenth too long, or the rope gains more than a tenth of the energy that it may fall through.

#include "base/clock.h"
#include "cases.h"
#include "chains_solver.h"
#include "scene.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCE_SUBSTEPS = 400, FINE_SUBSTEPS = 400, SEEDS_MAX = 64, TICKS = 300, WAY_TICKS = 60 };

#define STRAIN_FAILS 0.1
#define GAIN_FAILS 0.1

struct options {
    int only; // of enum chain_kind; -1: all
    uint32_t seeds, first;
    const char *json;
    bool quick;
};

// The outcome of one run.
struct outcome {
    bool failed;
    double strain,
        rms; // the greatest of a link in all ticks, and the root of the mean square of all links and ticks
    double gain, end; // energy over the scale: the greatest rise, and what it is at last beyond the start
    double way[3 * WAY_TICKS]; // of the particle that is compared, m
    double ns;                 // of a tick, without the first
};

// The outcome of all runs of one solver.
struct summary {
    uint32_t failed;
    double strain, median, rms, gain, end, off, ns;
};

// ------------------------------------------------------------------------------------------------- one run

static double energy(const struct chain *chain, const double *x, const double *v)
{
    double sum = 0;
    for (uint32_t i = 1; i < chain->count; i++) {
        const double *u = v + 3 * (size_t)i;
        sum += chain->masses[i] *
               (0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + CHAIN_GRAVITY * x[3 * i + 1]);
    }
    return sum;
}

// The weight of all times the length.
static double scale_of(const struct chain *chain)
{
    double mass = 0;
    for (uint32_t i = 1; i < chain->count; i++) {
        mass += chain->masses[i];
    }
    return mass * CHAIN_GRAVITY * chain->length;
}

// False if a coordinate is not finite.
static bool strains(const struct chain *chain, const double *x, double *worst, double *squares)
{
    for (uint32_t j = 0; j < chain->link_count; j++) {
        uint32_t ends[2];
        double square = 0;
        chain_link(chain, j, ends);
        for (int axis = 0; axis < 3; axis++) {
            const double way = x[3 * ends[1] + axis] - x[3 * ends[0] + axis];
            square += way * way;
        }
        const double strain = sqrt(square) / chain->rest[j] - 1;
        if (!(fabs(strain) < 1e6)) {
            return false;
        }
        *worst = fmax(*worst, strain);
        *squares += strain * strain;
    }
    return true;
}

// False if the world cannot be made.
static bool run(const struct chain *chain, enum chain_solver_id id, uint32_t substeps, uint32_t ticks,
                struct outcome *outcome)
{
    const struct chain_solver *solver = &chain_solvers[id];
    double x[3 * CHAIN_PARTICLES_MAX], v[3 * CHAIN_PARTICLES_MAX], squares = 0, start = 0, least = 0;
    uint64_t all_ns = 0;
    uint32_t measured = 0;
    void *world = solver->create(id, chain, substeps);
    *outcome = (struct outcome){0};
    for (uint32_t tick = 0; world && tick < ticks; tick++) {
        double hand[3];
        chain_hand(chain, tick, hand);
        const uint64_t begin = base_core_ns();
        bool good = solver->tick(world, hand);
        all_ns += tick > 0 ? base_core_ns() - begin : 0;
        solver->read(world, x, v);
        if (!good || !strains(chain, x, &outcome->strain, &squares)) {
            outcome->failed = true;
            break;
        }
        measured++;
        if (tick < WAY_TICKS) {
            memcpy(outcome->way + 3 * (size_t)tick, x + 3 * (size_t)chain->told, 3 * sizeof *x);
        }
        if (tick >= chain->driven) {
            const double now = energy(chain, x, v) / scale_of(chain);
            start = tick == chain->driven ? now : start;
            least = tick == chain->driven ? now : fmin(least, now);
            outcome->gain = fmax(outcome->gain, now - least);
            outcome->end = now - start;
        }
    }
    outcome->ns = ticks > 1 ? (double)all_ns / (ticks - 1) : 0;
    outcome->rms = measured > 0 ? sqrt(squares / ((double)measured * chain->link_count)) : 0;
    outcome->failed = outcome->failed || outcome->strain > STRAIN_FAILS || outcome->gain > GAIN_FAILS;
    if (world) {
        solver->destroy(world);
    }
    return world != NULL;
}

// ------------------------------------------------------------------------------------------------- all seeds

static double off_of(const struct outcome *outcome, const struct outcome *reference, uint32_t ticks)
{
    double sum = 0;
    const uint32_t count = ticks < WAY_TICKS ? ticks : WAY_TICKS;
    for (uint32_t i = 0; i < 3 * count; i++) {
        const double off = outcome->way[i] - reference->way[i];
        sum += off * off;
    }
    return sqrt(sum / count);
}

// Strains and energies are of the runs that have not failed, except for the greatest strain.
static void sum_up(const struct outcome *outcomes, const struct outcome *references, uint32_t seeds,
                   uint32_t ticks, struct summary *sum)
{
    double greatest[SEEDS_MAX], squares = 0;
    uint32_t good = 0;
    *sum = (struct summary){0};
    for (uint32_t s = 0; s < seeds; s++) {
        const struct outcome *one = &outcomes[s];
        sum->failed += one->failed;
        sum->strain = fmax(sum->strain, one->strain);
        sum->ns += one->ns / seeds;
        if (!one->failed) {
            greatest[good++] = one->strain;
            squares += one->rms * one->rms;
            sum->gain = fmax(sum->gain, one->gain);
            sum->end += one->end;
            const double off = off_of(one, &references[s], ticks);
            sum->off += off * off;
        }
    }
    if (good > 0) {
        sum->median = bench_median(greatest, good);
        sum->rms = sqrt(squares / good);
        sum->end /= good;
        sum->off = sqrt(sum->off / good);
    }
}

static void tell(struct bench_report *report, enum chain_kind kind, const char *solver, uint32_t substeps,
                 uint32_t seeds, const struct summary *sum, double swept_ns)
{
    char name[32];
    snprintf(name, sizeof name, "chains/%s", chain_names[kind]);
    json_t *row = bench_report_row(report, name, seeds, sim_isa_name(sim_isa_chosen()), 1);
    if (json_object_set_new(row, "solver", json_string(solver)) != 0) {
        report->failed = true;
    }
    bench_report_count(report, row, "substeps", substeps);
    bench_report_count(report, row, "failed", sum->failed);
    bench_report_number(report, row, "ms_per_tick", 1e-6 * sum->ns);
    bench_report_number(report, row, "strain_greatest", sum->strain);
    bench_report_number(report, row, "strain_median", sum->median);
    bench_report_number(report, row, "strain_rms", sum->rms);
    bench_report_number(report, row, "energy_gained", sum->gain);
    bench_report_number(report, row, "energy_end", sum->end);
    bench_report_number(report, row, "off", sum->off);
    printf("  %-7s %-8s %4" PRIu32 "  %3" PRIu32 "/%-3" PRIu32, chain_names[kind], solver, substeps,
           sum->failed, seeds);
    printf(sum->strain < 10 ? " %10.4f" : " %10.3g", 100 * sum->strain);
    if (sum->failed < seeds) {
        printf(" %9.4f %9.4f  %9.4f %9.3f  %8.2f", 100 * sum->median, 100 * sum->rms, 100 * sum->gain,
               100 * sum->end, 1e3 * sum->off);
    } else {
        printf(" %9s %9s  %9s %9s  %8s", "", "", "", "", "");
    }
    printf("  %8.1f", 1e-3 * sum->ns);
    if (swept_ns > 0) {
        printf("  %5.2f", sum->ns / swept_ns);
    }
    printf("\n");
    fflush(stdout);
}

struct group {
    enum chain_kind kind;
    uint32_t seeds, ticks;
    struct chain *chains;
    struct outcome *references, *outcomes;
};

static bool run_all(const struct group *group, enum chain_solver_id id, uint32_t substeps, uint32_t seeds,
                    struct outcome *outcomes)
{
    bool good = true;
    for (uint32_t s = 0; good && s < seeds; s++) {
        good = run(&group->chains[s], id, substeps, group->ticks, &outcomes[s]);
    }
    return good;
}

static bool fine_rows(struct bench_report *report, const struct group *group)
{
    struct summary sum;
    if (!run_all(group, CHAIN_NEWTON, REFERENCE_SUBSTEPS, group->seeds, group->references)) {
        return false;
    }
    sum_up(group->references, group->references, group->seeds, group->ticks, &sum);
    tell(report, group->kind, "newton", REFERENCE_SUBSTEPS, group->seeds, &sum, 0);
    if (!run_all(group, CHAIN_WEFT, FINE_SUBSTEPS, group->seeds, group->outcomes)) {
        return false;
    }
    sum_up(group->outcomes, group->references, group->seeds, group->ticks, &sum);
    tell(report, group->kind, "long", FINE_SUBSTEPS, group->seeds, &sum, 0);
    return true;
}

static bool kind_run(struct bench_report *report, const struct options *options, const struct group *group)
{
    static const uint32_t steps[] = {5, 10, 20};
    for (uint32_t s = 0; s < group->seeds; s++) {
        chain_init(&group->chains[s], group->kind, options->first + s);
    }
    if (!fine_rows(report, group)) {
        return false;
    }
    for (size_t k = options->quick ? 1 : 0; k < (options->quick ? 2 : sizeof steps / sizeof steps[0]); k++) {
        double swept_ns = 0;
        for (int id = 0; id < CHAIN_SOLVERS; id++) {
            struct summary sum;
            if (!run_all(group, (enum chain_solver_id)id, steps[k], group->seeds, group->outcomes)) {
                return false;
            }
            sum_up(group->outcomes, group->references, group->seeds, group->ticks, &sum);
            swept_ns = id == CHAIN_SWEPT ? sum.ns : swept_ns;
            tell(report, group->kind, chain_solvers[id].name, steps[k], group->seeds, &sum, swept_ns);
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------- arguments

static void print_help(void)
{
    fputs("Usage: weft-bench chains [OPTIONS]\n"
          "\n"
          "Ropes by long edges and tethers, beside the direct solve of a chain, from random starts, for 5 s "
          "at 5,\n"
          "10 and 20 substeps a tick. A run fails if a link gets a tenth too long, the rope gains a tenth of "
          "its\n"
          "weight times its length in energy, or a number is not finite.\n"
          "\n"
          "  --case NAME    one rope of those below; all if absent\n"
          "  --seeds N      random starts of each rope, 1 to 64; default 8\n"
          "  --first N      number of the first of them, 1 to 1000000; default 1\n"
          "  --json FILE    writes the results as a list of objects\n"
          "  --quick        two starts, 10 substeps, half a second: to see that it works\n"
          "  --help         print this\n"
          "\n"
          "Solvers:\n",
          stdout);
    for (int id = 0; id < CHAIN_SOLVERS; id++) {
        printf("  %-8s %s\n", chain_solvers[id].name, chain_solvers[id].what);
    }
    fputs("\nRopes (tests/bench/chains_scene.h describes them):", stdout);
    for (int kind = 0; kind < CHAIN_KINDS; kind++) {
        printf(" %s", chain_names[kind]);
    }
    fputs("\n\nExit status: 0 done, 1 a world cannot be made or the file cannot be written, 2 wrong usage. A "
          "run\n"
          "that fails is told in its row, and is no failure.\n",
          stdout);
}

static bool parse_case(const char *name, struct options *options)
{
    for (int kind = 0; kind < CHAIN_KINDS; kind++) {
        if (strcmp(chain_names[kind], name) == 0) {
            options->only = kind;
            return true;
        }
    }
    fprintf(stderr, "weft-bench: --case: there is no rope '%s'; see weft-bench chains --help\n", name);
    return false;
}

static bool refuse(const char *argument, const char *what)
{
    fprintf(stderr, "weft-bench: '%s' %s; see weft-bench chains --help\n", argument, what);
    return false;
}

static enum bench_parsed parse(int count, char **arguments, struct options *options)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},
        {"seeds", required_argument, NULL, 's'},
        {"first", required_argument, NULL, 'f'},
        {"json", required_argument, NULL, 'j'},
        {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){.only = -1, .seeds = 8, .first = 1};
    bool good = true;
    opterr = 0;
    for (int option; good && (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'c':
            good = parse_case(optarg, options);
            break;
        case 's':
            good = bench_number("seeds", optarg, 1, SEEDS_MAX, &options->seeds);
            break;
        case 'f':
            good = bench_number("first", optarg, 1, 1000000, &options->first);
            break;
        case 'j':
            options->json = optarg;
            break;
        case 'q':
            options->quick = true;
            options->seeds = 2;
            break;
        case 'h':
            print_help();
            return BENCH_HELPED;
        default:
            good = refuse(arguments[optind - 1], option == ':' ? "needs a value" : "is no option");
        }
    }
    if (good && optind < count) {
        good = refuse(arguments[optind], "is no option");
    }
    return good ? BENCH_PARSED : BENCH_REFUSED;
}

int bench_chains(int count, char **arguments)
{
    struct options options;
    const enum bench_parsed parsed = parse(count, arguments, &options);
    if (parsed != BENCH_PARSED) {
        return parsed == BENCH_HELPED ? 0 : 2;
    }
    struct bench_report report;
    if (!bench_report_init(&report, options.json)) {
        return 1;
    }
    struct group group = {.seeds = options.seeds, .ticks = options.quick ? 30 : TICKS};
    group.chains = calloc(group.seeds, sizeof *group.chains);
    group.references = calloc(group.seeds, sizeof *group.references);
    group.outcomes = calloc(group.seeds, sizeof *group.outcomes);
    sim_isa_choose(bench_isa_best());
    printf("Ropes, %s, one thread, %" PRIu32 " starts from %" PRIu32 " on, %" PRIu32 " ticks\n\n",
           sim_isa_name(sim_isa_chosen()), group.seeds, options.first, group.ticks);
    printf("  rope    solver   steps  failed   strain %%    median       rms   energy: gained    end %%    "
           "off mm"
           "   us a tick  times swept\n");
    fflush(stdout);
    bool good = group.chains && group.references && group.outcomes;
    for (int kind = 0; good && kind < CHAIN_KINDS; kind++) {
        group.kind = (enum chain_kind)kind;
        good = (options.only >= 0 && options.only != kind) || kind_run(&report, &options, &group);
    }
    if (!good) {
        fprintf(stderr, "weft-bench: the ropes could not be run\n");
        report.failed = true;
    }
    free(group.chains);
    free(group.references);
    free(group.outcomes);
    return bench_report_finish(&report) ? 0 : 1;
}
