// Rows of kinds of constraints: what the rest of the solver knows of each.
//
// A kind is one name in SIM_KINDS (sim.h) and one file in sim/kinds, which has its equation, its row, its solve and its
// measure. Which values its constraints have is in the row, and nothing compares with a kind to find out. Code for one kind alone
// (solve/join.c, solve/sides.c, contact/joined.c, long/, plate/) names it.
#ifndef WEFT_SIM_STATE_KIND_H
#define WEFT_SIM_STATE_KIND_H

#include "sim/state/store.h"

// The browser's first module is linked without the files of some kinds (clients/web/wasm/later.cmake). The kernels of these
// kinds are NULL there, and the first room for a constraint of such a kind calls sim_later, which does not return: the
// page goes on with the module that has all kinds. Their rows are always linked.
#if defined(SIM_FIRST_MODULE)
#define SIM_IF_LINKED __attribute__((weak))
__attribute__((import_module("weft"), import_name("later"))) _Noreturn void sim_later(const char *kind);
#else
#define SIM_IF_LINKED
#endif

struct sim_kind_row {
    const char *name;
    uint32_t stencil;          // particles of one constraint
    uint32_t param_count;      // floats that it stores besides its compliance
    uint32_t scratch_count;    // floats behind those that a tick uses for itself, and that are no state
    uint32_t multiplier_count; // 1; 3 of a vector constraint; 2 of a slide, and of a solid with two terms
    enum sim_part
        part; // the part of a body that has constraints of this kind, and whose material they follow
    // The param that is above 0 if the constraint holds nothing any more; 0: the kind has none.
    uint32_t parted_param;
    bool in_quanta; // params[0] and multipliers are in quanta instead of m
    bool slides;    // params are those of enum sim_slide_param
    bool joins;     // params are those of state/join.h
    bool
        serial; // its solve reads and writes particles beside the stencil: all constraints have the serial colour
    bool elastic; // it needs a compliance above 0 and takes no plain stiffness, and its rest value is not 0
    uint32_t poisson_param; // that a body's Poisson's ratio fills; 0: the kind has none
    bool own;               // only bodies have such constraints, and an edit adds none
    bool has_error; // `tell` measures an error (w_tell_error); "told" of the kind's row in api.json names it
    // The params, or scratch, that a solve writes: so many, from this one on, SIM_WRITTEN_MAX at most. A kind whose words ticks change
    // has some.
    uint32_t written_first, written_count;
    // The params that ticks change in a plastic body (solve/creases.c): so many, from this one on. From 0 on: its rest value.
    uint32_t flow_first, flow_count;
    // How far params are from a rest with particles 1, 2 and 3 at these offsets from particle 0, of any scale: a strain without a
    // unit. NULL: none is told.
    double (*flowed)(const float *params, const double offsets[3][3]);
    // The params that an image keeps apart from the rest value: so many, from this one on.
    uint32_t shape_first, shape_count;
    // Whether params that came from outside can be those of a constraint at these rows; NULL: any can. Only a kind that has
    // this may name a particle twice, as `valid` allows.
    bool (*valid)(const uint32_t *rows, const float *params, double q);
    // params of a constraint that rests with particles 1, 2 and 3 at these offsets from particle 0, in quanta of q metres.
    // False if no such constraint can be made. A slide reads its ratio, which is there already.
    bool (*at_rest)(const double offsets[][3], double q, float params[SIM_PARAMS_MAX]);
    // Finds the params that follow from params[0]. NULL: none does.
    void (*derive)(float params[SIM_PARAMS_MAX]);
    // Finds what is told as the force times h^2, from the offsets of particles 1, 2 and 3 in m. NULL: the multipliers say it.
    double (*force)(const double offsets[][3], const float params[SIM_PARAMS_MAX],
                    const double multipliers[]);
    // The greatest rest value, in its unit; NULL: the kind rests flat, and takes no rest value. The least is 0, or the
    // negative of it if the value has a sign.
    double (*rest_most)(double q);
    const char *rest_unit;
    bool rest_signed;
};

enum { SIM_WRITTEN_MAX = 3 };

// Params of kinds that slide. SIDE is in quanta, like REST.
enum sim_slide_param { SIM_SLIDE_REST, SIM_SLIDE_RATIO, SIM_SLIDE_FRICTION, SIM_SLIDE_SIDE };
enum { SIM_SIDE_COPIES = 3 }; // that a tick keeps of each (solve/sides.c)

// By kind, and the triangles for the wind (SIM_GUSTS) behind them, which have no more than a name and sizes.
extern const struct sim_kind_row *const sim_kind_rows[SIM_STORE_COUNT];

// How many params, from written_first on, are state that substeps change. The scratch behind the params is
// not state.
static inline uint32_t sim_travels(uint32_t kind)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    return row->written_first < row->param_count ? row->written_count : 0;
}

// Whether what flows of a kind is more than its rest value, so that images need it apart.
static inline bool sim_shape_flows(uint32_t kind)
{
    return sim_kind_rows[kind]->flow_count > 0 && sim_kind_rows[kind]->flow_first > 0;
}

// Two kinds share the quadratic form of bending (kinds/isometric.c). As at_rest, this fills K1, K2, K3 and f = 3/(A0 + A1); in the
// vector form the first three are times sqrt(f). False if a triangle has no area.
bool sim_bend_at_rest(const double offsets[][3], double q, bool vector, float params[SIM_PARAMS_MAX]);

#endif
