// weft-bench: programs that measure, one a subcommand. docs/measurements/README.md says how to read what they print.
//
// Exit status: 0 done, 1 something failed or hashes differ, 2 wrong usage.

#include "cases.h"

#include <stdio.h>
#include <string.h>

static int solver(int count, char **arguments)
{
    struct bench_options options;
    enum bench_parsed parsed = bench_options_parse(count, arguments, &options);
    if (parsed != BENCH_PARSED) {
        return parsed == BENCH_HELPED ? 0 : 2;
    }
    struct bench_report report;
    if (!bench_report_init(&report, options.json)) {
        return 1;
    }
    static const struct {
        const char *name; // NULL: several, which it looks up itself
        bool (*run)(struct bench_report *report, const struct bench_options *options);
    } cases[] = {
        {"verify", bench_verify},  {NULL, bench_timing},     {"contacts", bench_contacts},
        {"worlds", bench_worlds},  {"memory", bench_memory}, {"plan", bench_plan},
        {"attach", bench_attach},  {"reads", bench_reads},   {"convergence", bench_convergence},
        {"scenes", bench_gallery},
#ifdef WEFT_BENCH_BULLET
        {"bullet", bench_bullet},
#endif
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if ((cases[i].name == NULL || bench_wanted(&options, cases[i].name)) &&
            !cases[i].run(&report, &options)) {
            report.failed = true;
        }
        fflush(stdout);
    }
    return bench_report_finish(&report) ? 0 : 1;
}

static const struct {
    const char *name, *summary;
    int (*run)(int count, char **arguments);
} commands[] = {
    {"solver", "how fast worlds are solved", solver},
    {"contact", "what it costs that bodies meet", bench_contact},
    {"journal", "what it costs to keep what happened", bench_journal},
    {"stream", "what it takes to show worlds to many", bench_stream},
    {"stiff", "how far from stiff things are that should be", bench_stiff},
    {"chains", "how ropes hold their length, and a direct solve beside them", bench_chains},
    {"gallery", "how long whole scenes take, and how wrong they are", bench_play},
};

static void print_help(FILE *out)
{
    fputs("Usage: weft-bench COMMAND [OPTIONS]\n\nCommands:\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\nweft-bench COMMAND --help tells more.\n", out);
}

int main(int count, char **arguments)
{
    if (count < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0) {
        print_help(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(arguments[1], commands[i].name) == 0) {
            return commands[i].run(count - 1, arguments + 1);
        }
    }
    fprintf(stderr, "weft-bench: there is no command '%s'; see weft-bench --help\n", arguments[1]);
    return 2;
}
