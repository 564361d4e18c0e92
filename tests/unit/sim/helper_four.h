// Worlds of four particles and one constraint between them.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_FOUR_H
#define WEFT_TESTS_UNIT_SIM_HELPER_FOUR_H

#include "helper_scene.h"
#include "helper_twin.h"

#define FOUR_KINDS 4
extern const enum sim_kind four_kinds[FOUR_KINDS];
extern const char *const four_names[SIM_KIND_COUNT];

struct four_world {
    struct sim *sim;
    uint32_t body, id;
};

// The stencil at rest at `flat`, with the constraint's K taken there; it keeps its multipliers. Inverse masses w.
struct four_world four_create(struct sim_settings settings, const struct twin_four *four,
                              const double flat[4][3], const double w[4]);
// Moves it: at `previous`, with velocities that carry it to x in one substep without gravity.
void four_place(const struct four_world *world, const double previous[4][3], const double x[4][3]);
void four_positions(const struct four_world *world, double x[4][3]);
void four_multiplier(const struct four_world *world, double lambda[3]);

// Stencils at random: rest is a rest shape (flat for the two kinds that need one, whole quanta), x another
// place of its particles. No sliver: all heights are above 0.15 m.
struct four_sample {
    struct twin_four four;
    double rest[4][3], x[4][3], w[4];
};
struct four_sample four_sample(enum sim_kind kind, uint64_t *seed);
// The nearest whole quanta.
void four_snap(double x[4][3]);

#endif
