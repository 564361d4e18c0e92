// Options of `weft-bench solver`.
#ifndef WEFT_BENCH_OPTIONS_H
#define WEFT_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_RUNS_MAX = 99, BENCH_THREADS_MAX = 64 };

struct bench_options {
    const char *only;  // case to run; NULL: all
    const char *scene; // name of the gallery, or a file; NULL: the gallery
    uint32_t width;    // 0: those of the case
    uint32_t threads;  // 0: one, and one a core
    int isa;           // of enum sim_isa; -1: the best, and all of them where the goals ask
    const char *json;  // file to write; NULL: none
    uint32_t runs;
    bool quick; // small sizes and short runs: to see that it works
};

enum bench_parsed { BENCH_PARSED, BENCH_HELPED, BENCH_REFUSED };

// Arguments after the subcommand. Prints the help, or what is wrong, itself.
enum bench_parsed bench_options_parse(int count, char **arguments, struct bench_options *options);

// A whole number of an option's; false, with a line on stderr, if it is none from min to max.
bool bench_number(const char *option, const char *text, uint32_t min, uint32_t max, uint32_t *value);

// Finds an instruction set that this machine has. False, with a line on stderr, if there is none of that name.
bool bench_isa_find(const char *name, int *found);

// True if the case is to be run.
bool bench_wanted(const struct bench_options *options, const char *name);
uint32_t bench_cores(void); // 1 ... BENCH_THREADS_MAX

#endif
