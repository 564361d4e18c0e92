#include "options.h"

#include "scene.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *what;
    uint32_t width_max;
} cases[] = {
    {"edges", "cloth of W x W particles: edges, one diagonal a cell", 2000},
    {"edges+quadratic", "the same with quadratic bending", 2000},
    {"edges+isometric", "the same with isometric bending", 2000},
    {"edges+dihedral", "the same with dihedral bending", 2000},
    {"tets", "cube of W x W x W cells, six tetrahedra each, with their edges", 100},
    {"contacts", "cloth of W x W particles on a sphere or a box over a floor: what contacts cost", 300},
    {"worlds", "how many cloths of W x W fit in 60 ticks a second of 20 substeps", 300},
    {"memory", "bytes a particle, a triangle, a constraint", 1000},
    {"plan", "time to plan a cloth with bending", 2000},
    {"convergence", "strain that 20 iterations leave, against mesh order", 300},
    {"attach", "delay of a tick of a running world when a body is added", 1000},
    {"reads", "ns a particle that positions, velocities and normals cost, a constraint that measures do",
     1000},
    {"verify", "the same hash over instruction sets and threads", 300},
    {"scenes", "the scenes of the gallery: their first second", 2},
#ifdef WEFT_BENCH_BULLET
    {"bullet", "the same cloths with Bullet's soft body", 1000},
#endif
};

enum {
    CASE_COUNT = sizeof cases / sizeof cases[0],
    CLOTH_CASES = 4, // the first ones
};

static const char help[] =
    "Usage: weft-bench solver [OPTIONS]\n"
    "\n"
    "Times the solver: whole ticks of 20 substeps, capture off. Prints a table, and what was measured "
    "beside\n"
    "the goals. What is compared takes turns in one run.\n"
    "\n"
    "  --case NAME     one case of those below; all if absent\n"
    "  --width W       its size; if absent 32, 100, 300, 1000 for cloths, 10 and 30 for tets. Without a "
    "case:\n"
    "                  the cases of cloths, in this size\n"
    "  --scene SCENE   the case scenes with this one: a name of the gallery, or a file\n"
    "  --threads N     threads, 1 to 64; if absent one, and one a core\n"
    "  --isa NAME      instruction set; if absent the best, and all of them at 100 x 100\n"
    "  --runs N        runs of which best and median are told, 1 to 99; default 7\n"
    "  --json FILE     writes the results as a list of objects\n"
    "  --quick         small sizes and short runs\n"
    "  --help          print this\n"
    "\n"
    "Cases:\n";

static void print_help(void)
{
    fputs(help, stdout);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        printf("  %-15s %s\n", cases[i].name, cases[i].what);
    }
    fputs("\nInstruction sets here:", stdout);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            printf(" %s", sim_isa_name((enum sim_isa)isa));
        }
    }
    fputs("\n\nExit status: 0 done, 1 a world failed or hashes differ, 2 wrong usage. A goal that is missed "
          "is\n"
          "told, and is no failure.\n",
          stdout);
}

bool bench_number(const char *option, const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
    char *end;
    unsigned long found = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || found < min || found > max) {
        fprintf(stderr, "weft-bench: --%s: '%s' is not a number from %u to %u\n", option, text, min, max);
        return false;
    }
    *value = (uint32_t)found;
    return true;
}

static bool find_case(const char *name, uint32_t *width_max)
{
    for (size_t i = 0; i < CASE_COUNT; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            *width_max = cases[i].width_max;
            return true;
        }
    }
    fprintf(stderr, "weft-bench: --case: there is no case '%s'; one of", name);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        fprintf(stderr, " %s", cases[i].name);
    }
    fputc('\n', stderr);
    return false;
}

bool bench_isa_find(const char *name, int *found)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (strcmp(sim_isa_name((enum sim_isa)isa), name) != 0) {
            continue;
        }
        if (!sim_isa_available((enum sim_isa)isa)) {
            fprintf(stderr, "weft-bench: --isa: this processor or build has no %s\n", name);
            return false;
        }
        *found = isa;
        return true;
    }
    fprintf(stderr, "weft-bench: --isa: there is no instruction set '%s'; one of", name);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        fprintf(stderr, " %s", sim_isa_name((enum sim_isa)isa));
    }
    fputc('\n', stderr);
    return false;
}

enum bench_parsed bench_options_parse(int count, char **arguments, struct bench_options *options)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},  {"width", required_argument, NULL, 'w'},
        {"scene", required_argument, NULL, 's'}, {"threads", required_argument, NULL, 't'},
        {"isa", required_argument, NULL, 'i'},   {"runs", required_argument, NULL, 'r'},
        {"json", required_argument, NULL, 'j'},  {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
    };
    *options = (struct bench_options){.isa = -1};
    opterr = 0;
    bool good = true;
    const char *width = NULL;
    uint32_t width_max = cases[0].width_max;
    for (int option; good && (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'c':
            options->only = optarg;
            good = find_case(optarg, &width_max);
            break;
        case 'w':
            width = optarg;
            break;
        case 's':
            options->scene = optarg;
            break;
        case 't':
            good = bench_number("threads", optarg, 1, BENCH_THREADS_MAX, &options->threads);
            break;
        case 'i':
            good = bench_isa_find(optarg, &options->isa);
            break;
        case 'r':
            good = bench_number("runs", optarg, 1, BENCH_RUNS_MAX, &options->runs);
            break;
        case 'j':
            options->json = optarg;
            break;
        case 'q':
            options->quick = true;
            break;
        case 'h':
            print_help();
            return BENCH_HELPED;
        default:
            fprintf(stderr, "weft-bench: %s: %s; see weft-bench solver --help\n", arguments[optind - 1],
                    option == ':' ? "needs a value" : "there is no such option");
            good = false;
        }
    }
    if (good && optind < count) {
        fprintf(stderr, "weft-bench: '%s' is not an option; see weft-bench solver --help\n",
                arguments[optind]);
        good = false;
    }
    if (good && options->scene != NULL) {
        good = width == NULL && (options->only == NULL || strcmp(options->only, "scenes") == 0);
        options->only = "scenes";
        if (!good) {
            fputs("weft-bench: --scene goes with the case scenes, and without --width\n", stderr);
        }
    }
    if (good && width != NULL) {
        good = bench_number("width", width, 2, width_max, &options->width);
    }
    if (options->runs == 0) {
        options->runs = options->quick ? 3 : 7;
    }
    return good ? BENCH_PARSED : BENCH_REFUSED;
}

bool bench_wanted(const struct bench_options *options, const char *name)
{
    if (options->only != NULL) {
        return strcmp(options->only, name) == 0;
    }
    for (size_t i = CLOTH_CASES; options->width != 0 && i < CASE_COUNT; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return false;
        }
    }
    return true;
}

uint32_t bench_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > BENCH_THREADS_MAX ? BENCH_THREADS_MAX : (uint32_t)cores;
}
