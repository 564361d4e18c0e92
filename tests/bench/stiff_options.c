#include "stiff_options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The fields that are the same in all cases that tell a droop.
#define DROOPS                                                                                    \
    .size = "mm between neighbours, 2 to 50", .sizes = {{10}, 1}, .quick = {{50}, 1},             \
    .stiffness = {{1, 10, 100}, 3}, .quick_stiffness = {{100}, 1}, .size_min = 2, .size_max = 50, \
    .rest_damping = 2, .reference = STIFF_SOLVED, .reference_substeps = 160, .reference_iterations = 16

const struct stiff_case stiff_cases[STIFF_KINDS] = {
    [STIFF_HUNG] = {.name = "hung",
                    .what = "square cloth of 1 m without compliance, dropped from level, held at two corners",
                    .size = "particles a side, 2 to 400",
                    .sizes = {{50, 100, 200, 400}, 4},
                    .quick = {{12}, 1},
                    .size_min = 2,
                    .size_max = 400,
                    .whole = true,
                    .rest_damping = 1,
                    .swing_damping = 0.1,
                    .reference = STIFF_BEFORE,
                    .reference_substeps = 400,
                    .reference_iterations = 4},
    [STIFF_ROPE] = {.name = "rope",
                    .what = "20 links of 5 cm and 1 g with a load at the end, dropped from level",
                    .size = "the load in masses of a link, 1 to 1000000",
                    .sizes = {{1, 10, 100, 1e3, 1e4, 1e5}, 6},
                    .quick = {{1, 1e3}, 2},
                    .size_min = 1,
                    .size_max = 1e6,
                    .rest_damping = 1,
                    .swing_damping = 0.1},
    [STIFF_STRIP] = {.name = "strip",
                     .what = "cantilever of 0.4 m that sags under its weight, against the elastica",
                     .size = "cells along it, 2 to 400",
                     .sizes = {{10, 20, 40, 80}, 4},
                     .quick = {{6}, 1},
                     .stiffness = {{1, 100}, 2},
                     .quick_stiffness = {{1, 100}, 2},
                     .size_min = 2,
                     .size_max = 400,
                     .whole = true,
                     .rest_damping = 3},
    [STIFF_DRAPE] = {.name = "drape",
                     .what = "Cusick's test: a disc of 30 cm that hangs over a stand of 18 cm",
                     .size = "mm between neighbours, 2 to 50",
                     .sizes = {{15, 7.5, 5, 3}, 4},
                     .quick = {{30}, 1},
                     .size_min = 2,
                     .size_max = 50,
                     .rest_damping = 2,
                     .reference = STIFF_SOLVED,
                     .reference_substeps = 160,
                     .reference_iterations = 1},
    [STIFF_HELD] = {.name = "held",
                    .what = "the disc of drape, held at its stand: how far its rim is below it",
                    DROOPS},
    [STIFF_STAND] = {.name = "stand", .what = "the same disc, which only lies on its stand", DROOPS},
    [STIFF_CAPSULES] = {.name = "capsules",
                        .what = "a square of 30 cm of the same cloth, which lies on three capsules",
                        DROOPS},
    [STIFF_TABLE] = {.name = "table",
                     .what = "the square, which lies on a table and hangs over its edge by 7.5 cm",
                     DROOPS},
};

static void print_help(void)
{
    fputs("Usage: weft-bench stiff [OPTIONS]\n"
          "\n"
          "How far cloth and ropes stretch that should not, and how far strips and drapes sag, by the mesh "
          "and\n"
          "the number of substeps. Solvers take turns, tick by tick. Times are of the processor, on one "
          "thread,\n"
          "without the first tick, which has a column of its own.\n"
          "\n"
          "  --case NAME       one case of those below; all if absent\n"
          "  --sizes LIST      its sizes, such as 50,100; goes with --case\n"
          "  --substeps LIST   1 to 1000; default 5,10,20\n"
          "  --stiffness LIST  of strips: times the rigidity of one that sags by 0.64 of its length;\n"
          "                    default 1,100; of the cases from held on: times 5e-5 N m; default 1,10,100\n"
          "  --iterations N    sweeps a substep of weft, 1 to 100, except for references; default 1\n"
          "  --solvers LIST    of those below; all if absent\n"
          "  --seconds N       that each world runs, 1 to 600; default 5\n"
          "  --reference       also a slow run that is nearer the truth: of hung, 400 substeps of 4 "
          "iterations\n"
          "                    without long edges; of drape, 160 substeps with all settings; of the cases\n"
          "                    from held on, 160 substeps of 16 iterations with all settings\n"
          "  --json FILE       writes the results as a list of objects\n"
          "  --quick           small sizes for a second: to see that it works\n"
          "  --help            print this\n"
          "\n"
          "Cases:\n",
          stdout);
    for (int kind = 0; kind < STIFF_KINDS; kind++) {
        printf("  %-8s %s\n           size: %s\n", stiff_cases[kind].name, stiff_cases[kind].what,
               stiff_cases[kind].size);
    }
    fputs("\nSolvers:\n", stdout);
    for (int s = 0; s < STIFF_SOLVERS; s++) {
        printf("  %-6s %s\n", stiff_solvers[s].name, stiff_solvers[s].what);
    }
    fputs(
        "\nExit status: 0 done, 1 a world cannot be made or the file cannot be written, 2 wrong usage, 130\n"
        "ended by Ctrl-C; the rows until then are in the file. A goal that is missed, and a world that\n"
        "fails, are told in their rows and are no failure.\n",
        stdout);
}

static bool parse_list(const char *option, char *text, double min, double max, bool whole,
                       struct stiff_list *list)
{
    list->count = 0;
    for (char *rest, *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        char *end;
        double value = strtod(word, &end);
        bool good = end != word && *end == '\0' && value >= min && value <= max;
        if (!good || (whole && value != floor(value))) {
            fprintf(stderr, "weft-bench: --%s: '%s' is not a %s from %g to %.0f\n", option, word,
                    whole ? "whole number" : "number", min, max);
            return false;
        }
        if (list->count == STIFF_LIST_MAX) {
            fprintf(stderr, "weft-bench: --%s: more than %d numbers\n", option, STIFF_LIST_MAX);
            return false;
        }
        list->values[list->count++] = value;
    }
    if (list->count == 0) {
        fprintf(stderr, "weft-bench: --%s: must be numbers with commas between them\n", option);
    }
    return list->count > 0;
}

static bool parse_case(const char *name, struct stiff_options *options)
{
    for (int kind = 0; kind < STIFF_KINDS; kind++) {
        if (strcmp(stiff_cases[kind].name, name) == 0) {
            options->only = kind;
            return true;
        }
    }
    fprintf(stderr, "weft-bench: --case: there is no case '%s'; see weft-bench stiff --help\n", name);
    return false;
}

static bool refuse(const char *argument, const char *what)
{
    fprintf(stderr, "weft-bench: %s: %s; see weft-bench stiff --help\n", argument, what);
    return false;
}

static bool parse_solvers(char *text, struct stiff_options *options)
{
    bool any = false;
    memset(options->wanted, 0, sizeof options->wanted);
    for (char *rest, *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        int found = -1;
        for (int s = 0; s < STIFF_SOLVERS; s++) {
            found = strcmp(stiff_solvers[s].name, word) == 0 ? s : found;
        }
        if (found < 0 || !stiff_solvers[found].create) {
            fprintf(stderr,
                    "weft-bench: --solvers: this build has no solver '%s'; see weft-bench stiff --help\n",
                    word);
            return false;
        }
        options->wanted[found] = true;
        any = true;
    }
    return any || refuse("--solvers", "must be names with commas between them");
}

// Checks what can only be checked when all options are known.
static bool finish(struct stiff_options *options, char *sizes)
{
    if (sizes && options->only < 0) {
        return refuse("--sizes", "goes with --case");
    }
    if (sizes) {
        const struct stiff_case *of = &stiff_cases[options->only];
        return parse_list("sizes", sizes, of->size_min, of->size_max, of->whole, &options->sizes);
    }
    return true;
}

enum bench_parsed stiff_options_parse(int count, char **arguments, struct stiff_options *options)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},
        {"sizes", required_argument, NULL, 'z'},
        {"substeps", required_argument, NULL, 's'},
        {"stiffness", required_argument, NULL, 'f'},
        {"iterations", required_argument, NULL, 'i'},
        {"solvers", required_argument, NULL, 'v'},
        {"seconds", required_argument, NULL, 't'},
        {"reference", no_argument, NULL, 'r'},
        {"json", required_argument, NULL, 'j'},
        {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct stiff_options){.only = -1, .substeps = {{5, 10, 20}, 3}, .iterations = 1};
    for (int s = 0; s < STIFF_SOLVERS; s++) {
        options->wanted[s] = stiff_solvers[s].create != NULL;
    }
    char *sizes = NULL;
    bool good = true;
    opterr = 0;
    for (int option; good && (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'c':
            good = parse_case(optarg, options);
            break;
        case 'z':
            sizes = optarg;
            break;
        case 's':
            good = parse_list("substeps", optarg, 1, 1000, true, &options->substeps);
            break;
        case 'f':
            good = parse_list("stiffness", optarg, 1e-3, 1e6, false, &options->stiffness);
            break;
        case 'i':
            good = bench_number("iterations", optarg, 1, 100, &options->iterations);
            break;
        case 'v':
            good = parse_solvers(optarg, options);
            break;
        case 't':
            good = bench_number("seconds", optarg, 1, 600, &options->seconds);
            break;
        case 'r':
            options->reference = true;
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
            good = refuse(arguments[optind - 1], option == ':' ? "needs a value" : "there is no such option");
        }
    }
    if (good && optind < count) {
        fprintf(stderr, "weft-bench: '%s' is not an option; see weft-bench stiff --help\n",
                arguments[optind]);
        good = false;
    }
    if (options->seconds == 0) {
        options->seconds = options->quick ? 1 : 5;
    }
    return good && finish(options, sizes) ? BENCH_PARSED : BENCH_REFUSED;
}
