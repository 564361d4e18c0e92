// The solvers that `weft-bench chains` compares: weft's own, and the direct solve of a chain, in double.
//
//     swept      weft without long edges
//     long       weft with long edges and tethers
//     direct     the tridiagonal system of all links, solved twice a substep
//     raised     the same with raised masses, which a probe finds
//     strings    as raised, without the links that would push
//     newton     Newton's method with the stiffness that tension gives: blocks of 4 x 4, solved four times a substep
#ifndef WEFT_BENCH_CHAINS_SOLVER_H
#define WEFT_BENCH_CHAINS_SOLVER_H

#include "chains_scene.h"

enum chain_solver_id {
    CHAIN_SWEPT,
    CHAIN_WEFT,
    CHAIN_DIRECT,
    CHAIN_RAISED,
    CHAIN_STRINGS,
    CHAIN_NEWTON,
    CHAIN_SOLVERS
};

struct chain_solver {
    const char *name; // as in a row
    const char *what; // for --help
    // NULL, with a line on stderr, if the world cannot be made.
    void *(*create)(enum chain_solver_id id, const struct chain *chain, uint32_t substeps);
    void (*destroy)(void *world); // NULL is allowed
    // One tick of 1/60 s, in which particle 0 moves to `hand`. False if the world failed.
    bool (*tick)(void *world, const double hand[3]);
    void (*read)(void *world, double *positions, double *velocities); // m and m/s, 3 each
};

extern const struct chain_solver chain_solvers[CHAIN_SOLVERS];

// chains_direct.c
void *chain_direct_create(enum chain_solver_id id, const struct chain *chain, uint32_t substeps);
void chain_direct_destroy(void *world);
bool chain_direct_tick(void *world, const double hand[3]);
void chain_direct_read(void *world, double *positions, double *velocities);

#endif
