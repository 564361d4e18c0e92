// The terms that measuring one batch of constraints gives, shared by those kernels. measure.c makes sums over batches.
//
// All is in double, from exact differences of coordinates. A lane without a constraint is at rest between static
// rows and has parameters of 0: it stores nothing and is not counted, so no kernel asks for ids.
#ifndef WEFT_SIM_KERNELS_TERMS_H
#define WEFT_SIM_KERNELS_TERMS_H

#include "sim/kernels/four.h"
#include "sim/kernels/sum.h"
#include "sim/kernels/wide_double.h"

// x_k - x_0 of k = 1 ... count, m, and inverse masses of all.
struct w_offsets {
    wd x[SIM_STENCIL_MAX - 1][3][PARTS];
    wf w[SIM_STENCIL_MAX];
};

// far: constraints may be longer than what the low words tell apart, so whole coordinates are compared.
SIM_INLINE void w_offsets_far(const struct sim *sim, const uint32_t *at, uint32_t count,
                              struct w_offsets *offsets)
{
    double exact[SIM_STENCIL_MAX - 1][3][WIDE];
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        uint32_t first = at[lane] / SIM_ROW_BYTES;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t row = at[(k + 1) * SIM_LANES + lane] / SIM_ROW_BYTES;
            for (uint32_t axis = 0; axis < 3; axis++) {
                int64_t apart = sim_whole(sim, row, axis, sim->rows[row].x[axis]) -
                                sim_whole(sim, first, axis, sim->rows[first].x[axis]);
                exact[k][axis][lane] = (double)apart * sim->q;
            }
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            for (int part = 0; part < PARTS; part++) {
                offsets->x[k][axis][part] = wd_load(exact[k][axis] + part * DOUBLES);
            }
        }
    }
}

SIM_INLINE void w_offsets_from(const struct sim *sim, const uint32_t *at, uint32_t count, bool far,
                               struct w_offsets *offsets)
{
    const wd q = wd_set(sim->q);
    if (far) {
        w_offsets_far(sim, at, count, offsets);
    }
    struct w_rows first = w_rows_at(sim->rows, at);
    offsets->w[0] = first.w;
    for (uint32_t k = 0; k < count; k++) {
        struct w_rows other = w_rows_at(sim->rows, at + (k + 1) * SIM_LANES);
        offsets->w[k + 1] = other.w;
        for (int axis = 0; !far && axis < 3; axis++) {
            wi apart = other.x[axis] - first.x[axis];
            for (int part = 0; part < PARTS; part++) {
                offsets->x[k][axis][part] = wd_of_int(apart, part) * q;
            }
        }
    }
}

SIM_INLINE struct wd_vec w_offset(const struct w_offsets *offsets, uint32_t k, int part)
{
    const wd(*x)[PARTS] = offsets->x[k];
    return (struct wd_vec){{x[0][part], x[1][part], x[2][part]}};
}

// As float, of all lanes: what the solve of the kind sees.
SIM_INLINE struct w_vec w_offset_float(const struct w_offsets *offsets, uint32_t k)
{
    const wd(*x)[PARTS] = offsets->x[k];
    return (struct w_vec){{wd_to_float(x[0]), wd_to_float(x[1]), wd_to_float(x[2])}};
}

// Lanes of a batch's parameter; the last one is the compliance.
SIM_INLINE wd w_param(const uint32_t *at, uint32_t words, int part)
{
    return wd_of_float(w_load_float(at + words * SIM_LANES), part);
}

// A stencil of four as the solve of its kind sees it.
SIM_INLINE struct w_four w_offset_four(const struct w_offsets *offsets, const uint32_t *at)
{
    struct w_four four = {.at = at};
    for (uint32_t k = 0; k < 4; k++) {
        four.x[k].w = offsets->w[k];
    }
    for (uint32_t k = 0; k < 3; k++) {
        four.d[k] = w_offset_float(offsets, k);
    }
    w_four_measure(&four);
    return four;
}

// C^2/(2 (alpha + h^2 W)), W = sum w_k |grad_k|^2: what a constraint by itself gives back within a substep, to motion
// and to its spring. Where substeps do not resolve it, C is what a sweep leaves, which no spring answers: C^2/(2 alpha)
// would be any amount. Nothing where it is rigid.
SIM_INLINE void w_tell_energy(const struct sim *sim, struct sim_terms *terms, uint32_t lane, wd c2,
                              wd compliance, wd weight)
{
    double h = 1 / ((double)sim->settings.tick_rate * sim->settings.substeps);
    wd gives = compliance + wd_set(h * h) * weight;
    wd_store(terms->energy + lane, wd_where(wd_below(wd_set(0), compliance), c2 / (gives + gives)));
}

// Stores three terms (solve/convergence.c): the material asks for C^2/alpha at this shape; C (C + alpha lambda/h^2)/alpha
// of it the last substep did not give; and at C = unit it would ask for unit^2/alpha. They are 0 if the constraint is
// rigid or cannot move.
SIM_INLINE void w_tell_share(const struct sim *sim, struct sim_terms *terms, uint32_t lane, wd c2, wd unit,
                             wd lambda_c, wd compliance, wd weight)
{
    double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    wdm yields = wd_below(wd_set(0), compliance), moves = wd_below(wd_set(0), weight);
    wd asked = c2 / compliance, missed = asked + lambda_c * wd_set(inv_h * inv_h);
    wd_store(terms->asked + lane, wd_where(yields, wd_where(moves, asked)));
    wd_store(terms->missed + lane, wd_where(yields, wd_where(moves, missed)));
    wd_store(terms->scale + lane, wd_where(yields, wd_where(moves, (unit * unit) / compliance)));
}

SIM_INLINE wd w_multiplier(const float *multipliers, uint32_t lane, int part)
{
    return wd_of_float(w_load(multipliers + lane), part);
}

// Kx of a bending stencil.
SIM_INLINE struct wd_vec w_tell_kx(const struct w_offsets *offsets, const uint32_t *at, int part)
{
    struct wd_vec kx;
    for (int axis = 0; axis < 3; axis++) {
        kx.x[axis] = (w_param(at, 4, part) * offsets->x[0][axis][part] +
                      w_param(at, 5, part) * offsets->x[1][axis][part]) +
                     w_param(at, 6, part) * offsets->x[2][axis][part];
    }
    return kx;
}

// |Kx|^2
SIM_INLINE wd w_tell_kx2(const struct w_offsets *offsets, const uint32_t *at, int part)
{
    struct wd_vec kx = w_tell_kx(offsets, at, part);
    return (kx.x[0] * kx.x[0] + kx.x[1] * kx.x[1]) + kx.x[2] * kx.x[2];
}

// C/rest, counted where rest is not 0. A kind whose error is absolute gives a rest of 1 where its weight is above 0, and
// of 0 elsewhere.
SIM_INLINE void w_tell_error(struct sim_terms *terms, uint32_t lane, wd c, wd rest)
{
    wdm counts = wd_below(wd_set(0), wd_abs(rest));
    wd error = wd_where(counts, c / rest);
    wd_store(terms->error2 + lane, error * error);
    wd_store(terms->greatest + lane, wd_max(wd_abs(error), wd_load(terms->greatest + lane)));
    wd_store(terms->counted + lane, wd_load(terms->counted + lane) + wd_where(counts, wd_set(1)));
}

void SIM_ISA(sim_particles_tell)(const struct sim *sim, const struct sim_matter *matter,
                                 struct sim_terms *terms);
void SIM_ISA(sim_sum_batch)(struct sim_sum *sum, const double terms[SIM_LANES]);

#endif
