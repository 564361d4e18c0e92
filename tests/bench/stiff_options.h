// Options of `weft-bench stiff`.
#ifndef WEFT_BENCH_STIFF_OPTIONS_H
#define WEFT_BENCH_STIFF_OPTIONS_H

#include "options.h"
#include "stiff_solver.h"

enum { STIFF_LIST_MAX = 16 };

struct stiff_list {
    double values[STIFF_LIST_MAX];
    uint32_t count;
};

// The values that are the same in all runs of a kind of body.
struct stiff_case {
    const char *name, *what, *size;               // the last says what its sizes are
    struct stiff_list sizes, quick;               // that are run if none are given
    struct stiff_list stiffness, quick_stiffness; // likewise; none: nothing has a stiffness
    double size_min, size_max;
    bool whole;                  // sizes are whole numbers
    double rest_damping;         // 1/s
    double swing_damping;        // 1/s, of the second run; 0: there is none
    uint32_t reference_substeps; // 0: there is no reference
    uint32_t reference_iterations;
    enum stiff_solver_id reference;
};

extern const struct stiff_case stiff_cases[STIFF_KINDS];

struct stiff_options {
    int only;                // of enum stiff_kind; -1: all
    struct stiff_list sizes; // none: those of the case
    struct stiff_list substeps;
    struct stiff_list stiffness; // none: those of the case
    uint32_t iterations;         // of all weft's solvers but the reference
    bool wanted[STIFF_SOLVERS];
    uint32_t seconds;
    bool reference, quick;
    const char *json; // file to write; NULL: none
};

// Arguments after the subcommand. Prints the help, or what is wrong, itself.
enum bench_parsed stiff_options_parse(int count, char **arguments, struct stiff_options *options);

#endif
