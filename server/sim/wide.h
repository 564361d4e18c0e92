// The vector type that the solves are written in: WIDE lanes of float or of uint32_t, which wraps.
//
// A file that includes this is compiled once for each instruction set, with SIM_ISA_NAME saying which; what it
// defines is named by SIM_ISA(). All of them do the same operations in the same order lane by lane, so that
// they come to the same bits: + - * / and sqrt round as IEEE 754 says, minimum and maximum are compare and
// select ("a < b ? a : b"), and w_round is sim_round. One lane (scalar) is the twin that the others are
// tested against.
//
//     rows in memory   x0 y0 z0 w0 | x1 y1 z1 w1 | ...          16 bytes each, anywhere
//     in registers     x0 x1 x2 x3 ..., y0 ..., z0 ..., w0 ...  128-bit loads and a 4 x 4 transpose
//
// Hardware gathers and scatters are several times slower than that.
#ifndef WEFT_SIM_WIDE_H
#define WEFT_SIM_WIDE_H

#include "sim/internal.h"

#define SIM_ISA_JOIN2(name, isa) name##_##isa
#define SIM_ISA_JOIN(name, isa) SIM_ISA_JOIN2(name, isa)
#define SIM_ISA(name) SIM_ISA_JOIN(name, SIM_ISA_NAME)

#if defined(SIM_WIDE_AVX512)
#include "sim/wide_avx512.h"
#elif defined(SIM_WIDE_AVX2)
#include "sim/wide_avx2.h"
#elif defined(SIM_WIDE_SSE2)
#include "sim/wide_sse2.h"
#elif defined(SIM_WIDE_NEON)
#include "sim/wide_neon.h"
#else
#include "sim/wide_scalar.h"
#endif

struct w_rows {
    wi x[3]; // quanta; of a velocity m/s, as bits
    wf w;
};

struct w_vec {
    wf x[3];
};

SIM_INLINE wf w_negative(wf a)
{
    return w_set(0) - a;
}

SIM_INLINE wf w_dot(struct w_vec a, struct w_vec b)
{
    return (a.x[0] * b.x[0] + a.x[1] * b.x[1]) + a.x[2] * b.x[2];
}

SIM_INLINE struct w_vec w_cross(struct w_vec a, struct w_vec b)
{
    return (struct w_vec){{
        a.x[1] * b.x[2] - a.x[2] * b.x[1],
        a.x[2] * b.x[0] - a.x[0] * b.x[2],
        a.x[0] * b.x[1] - a.x[1] * b.x[0],
    }};
}

// a - b of low words as float: exact differences, rounded once.
SIM_INLINE wf w_apart(wi a, wi b)
{
    return w_float(a - b);
}

SIM_INLINE wf w_load_float(const void *p)
{
    return w_load(p);
}

SIM_INLINE float w_greatest(wf a)
{
    float lanes[WIDE], greatest;
    w_store(lanes, a);
    greatest = lanes[0];
    for (int lane = 1; lane < WIDE; lane++) {
        greatest = lanes[lane] > greatest ? lanes[lane] : greatest;
    }
    return greatest;
}

// An error, or 0 where rounding alone can have made it (fixed.h).
SIM_INLINE wf w_past_noise(wf c, wf noise)
{
    return w_where(w_below(noise, w_abs(c)), c);
}

SIM_INLINE struct w_rows w_rows_at(const void *rows, const uint32_t *places)
{
    struct w_rows r;
    w_load_rows(rows, places, r.x, &r.w);
    return r;
}

SIM_INLINE void w_rows_put(void *rows, const uint32_t *places, const struct w_rows *r)
{
    w_store_rows(rows, places, r->x, r->w);
}

void SIM_ISA(sim_wind_blow)(struct sim *sim, struct sim_tile *tile);
void SIM_ISA(sim_predict)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_grabs_solve)(struct sim *sim);
void SIM_ISA(sim_contacts_solve)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_finish)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_go_on)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_normals)(const struct sim *sim, const struct sim_body *body, float *out);
void SIM_ISA(sim_capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                          float *out);
void SIM_ISA(sim_capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first,
                            uint32_t count, double *out);
extern const struct sim_runs SIM_ISA(sim_distance_runs), SIM_ISA(sim_dihedral_runs),
    SIM_ISA(sim_isometric_runs), SIM_ISA(sim_quadratic_runs), SIM_ISA(sim_volume_runs);
extern const struct sim_kernels SIM_ISA(sim_kernels);

// One kernel for each flavour of batches, without and with multipliers kept, of a run() that takes them as
// constants.
#define SIM_RUN(name, run, flavor, kept)                                                   \
    static void name(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end) \
    {                                                                                      \
        run(sim, tile, first, end, flavor, kept);                                          \
    }
#define SIM_RUNS(name, run)                         \
    SIM_RUN(run_plain, run, SIM_PLAIN, false)       \
    SIM_RUN(run_plain_kept, run, SIM_PLAIN, true)   \
    SIM_RUN(run_damped, run, SIM_DAMPED, false)     \
    SIM_RUN(run_damped_kept, run, SIM_DAMPED, true) \
    SIM_RUN(run_stiff, run, SIM_STIFF, false)       \
    SIM_RUN(run_stiff_kept, run, SIM_STIFF, true)   \
    const struct sim_runs SIM_ISA(name) = {         \
        {{run_plain, run_plain_kept}, {run_damped, run_damped_kept}, {run_stiff, run_stiff_kept}}};

#endif
