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
#ifndef WEFT_SIM_KERNELS_WIDE_H
#define WEFT_SIM_KERNELS_WIDE_H

#include "sim/state/state.h"

#define SIM_ISA_JOIN2(name, isa) name##_##isa
#define SIM_ISA_JOIN(name, isa) SIM_ISA_JOIN2(name, isa)
#define SIM_ISA(name) SIM_ISA_JOIN(name, SIM_ISA_NAME)

#if defined(SIM_WIDE_AVX512)
#include "sim/kernels/wide_avx512.h"
#elif defined(SIM_WIDE_AVX2)
#include "sim/kernels/wide_avx2.h"
#elif defined(SIM_WIDE_SSE2)
#include "sim/kernels/wide_sse2.h"
#elif defined(SIM_WIDE_NEON)
#include "sim/kernels/wide_neon.h"
#elif defined(SIM_WIDE_SIMD128)
#include "sim/kernels/wide_simd128.h"
#else
#include "sim/kernels/wide_scalar.h"
#endif

struct w_rows {
    wi x[3]; // quanta; of a velocity m/s, as bits
    wf w;
};

struct w_vec {
    wf x[3];
};

// Added to the corrections of one colour's constraints before they are rounded, quanta in [-0.5, 0.5]: the
// nudge of the substep, from a point of the quantum that is another one for each axis and colour, and in each tick.
// With the same one for all, the same ones in each tick, or axes at a fixed distance, what rounding does to a
// constraint and what comes back from its neighbours keep step: the sum over the substeps is not zero, a strip in
// weak gravity sags too far, and a rigid block on ice sets out.
struct w_nudges {
    float x[3];
};

// Long edges and contact take nudges beside the first kinds of constraints. Kinds from W_LONG on take others, so that a new
// kind changes none of theirs. Rings on rails, and joints, have one that does not depend on the place of their kind.
// W_PRESSURE and W_MATCH are above all of these.
enum {
    W_LONG = 6,
    W_CONTACT = 7,
    W_TAKERS = 8,
    W_LATER = 1024,
    W_RAIL = W_LATER + 64,
    W_JOINT = W_LATER + 65,
    W_PRESSURE = 2048,
    W_MATCH = 4096
};

SIM_INLINE struct w_nudges w_nudges_from(uint32_t turn, uint32_t seed, uint32_t color, uint32_t taker)
{
    struct w_nudges nudges;
    uint32_t from = (seed + (color * W_TAKERS + taker) * 0x9e3779b1u) * 0x85ebca6bu;
    for (uint32_t axis = 0; axis < 3; axis++) {
        from = (from ^ from >> 15) * 0xc2b2ae35u;
        uint32_t own = turn + (from ^ from >> 16);
        nudges.x[axis] = (float)(int32_t)own * (1.0f / 4294967296.0f);
    }
    return nudges;
}

SIM_INLINE struct w_nudges w_nudges_of(const struct sim *sim, const struct sim_tile *tile, uint32_t color)
{
    const uint32_t taker = tile->kind < W_LONG ? tile->kind : W_LATER + tile->kind;
    return w_nudges_from(sim->times.turn, tile->seed, color, taker);
}

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
void SIM_ISA(sim_wind_blow_gusts)(struct sim *sim, struct sim_tile *tile);
void SIM_ISA(sim_air_blow)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_wind_blow_drafts)(struct sim *sim, struct sim_tile *tile);
void SIM_ISA(sim_drafts_add)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_predict)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_predict_blown)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_fields_push)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_predict_pushed)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_predict_pushed_blown)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_grabs_solve)(struct sim *sim);
void SIM_ISA(sim_softs_solve)(struct sim *sim, struct sim_softs *softs, uint32_t count);
void SIM_ISA(sim_distance_limit)(struct sim *sim, struct sim_tile *tile);
bool SIM_ISA(sim_dihedral_crease)(const struct sim *sim, struct sim_tile *tile);
bool SIM_ISA(sim_solid_flow)(const struct sim *sim, struct sim_tile *tile);
extern sim_run *const SIM_ISA(sim_distance_watch)[SIM_FLAVOR_COUNT][2];
void SIM_ISA(sim_long_edges)(struct sim *sim, const struct sim_long *longs, uint32_t color, uint32_t first,
                             uint32_t end);
void SIM_ISA(sim_tethers)(struct sim *sim, const struct sim_long *longs, uint32_t first, uint32_t end);
void SIM_ISA(sim_quadratic_push)(struct sim *sim, struct sim_tile *tile);
void SIM_ISA(sim_quadratic_hold)(struct sim *sim, struct sim_tile *tile);
void SIM_ISA(sim_plate_pass)(const struct sim_plate *plate, struct sim_plate_range nodes, bool back);
bool SIM_ISA(sim_plate_front)(const struct sim_plate_front *front, size_t step);
void SIM_ISA(sim_plate_move)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_touch_lanes_solve)(struct sim_touch_lanes *all);
void SIM_ISA(sim_pressure_look)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_pressure_push)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_match_look)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_match_push)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_steady_weigh)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_steady_take)(struct sim *sim, const struct sim_chunk *chunk, bool keeps);
void SIM_ISA(sim_contacts_solve)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_finish)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_go_on)(struct sim *sim, struct sim_chunk *chunk);
void SIM_ISA(sim_turn_predict)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_turn_finish)(struct sim *sim, const struct sim_chunk *chunk);
void SIM_ISA(sim_normals)(const struct sim *sim, const struct sim_body *body, float *out);
void SIM_ISA(sim_capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                          float *out);
void SIM_ISA(sim_capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first,
                            uint32_t count, double *out);
extern const struct sim_kernels SIM_ISA(sim_kernels);

// Damping (Mueller et al. 2020, section 3.5) acts on the velocities that a substep came to, one constraint after
// the other in the order of solving, and is implicit in each:
//
//   C' = sum grad_k.v_k;  W = sum w_k |grad_k|^2;  p = -beta h C' / (1 + beta h W);  v_k += w_k p grad_k
//
// It leaves C'/(1 + beta h W): stable at any beta, without effect on what rests, and momentum is kept. As a term of
// the projection (XPBD 2016, eq. 26) it would answer what one sweep leaves of a load, and lengthen what hangs.
SIM_INLINE wf w_dashpot(const struct sim *sim, wf beta, wf rate, wf resists)
{
    wf share = beta * w_set(sim->times.h);
    return w_negative(share * rate) / (w_set(1) + share * resists);
}

// One kernel for each way to solve batches, without and with multipliers kept, of a run() that takes them as
// constants; damped batches are solved like plain ones. One that damps, and one that measures, tells().
#define SIM_RUN(name, run, flavor, kept)                                                   \
    static void name(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end) \
    {                                                                                      \
        run(sim, tile, first, end, flavor, kept);                                          \
    }
#if defined(SIM_FEW_LOOPS)
// A small program has one kernel for all of these ways.
#define SIM_RUN_ANY(run)                                                                                  \
    static __attribute__((noinline)) void run_any(struct sim *sim, struct sim_tile *tile, uint32_t first, \
                                                  uint32_t end, const enum sim_flavor flavor,             \
                                                  const bool kept)                                        \
    {                                                                                                     \
        run(sim, tile, first, end, flavor, kept);                                                         \
    }
#define SIM_RUN_OF(run) run_any
#else
#define SIM_RUN_ANY(run)
#define SIM_RUN_OF(run) run
#endif
#define SIM_RUNS(name, run, damp, tells)                                                         \
    SIM_RUN_ANY(run)                                                                             \
    SIM_RUN(run_plain, SIM_RUN_OF(run), SIM_PLAIN, false)                                        \
    SIM_RUN(run_plain_kept, SIM_RUN_OF(run), SIM_PLAIN, true)                                    \
    SIM_RUN(run_stiff, SIM_RUN_OF(run), SIM_STIFF, false)                                        \
    SIM_RUN(run_stiff_kept, SIM_RUN_OF(run), SIM_STIFF, true)                                    \
    static void run_damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)   \
    {                                                                                            \
        damp(sim, tile, first, end);                                                             \
    }                                                                                            \
    const struct sim_runs SIM_ISA(name) = {.solve = {[SIM_PLAIN] = {run_plain, run_plain_kept},  \
                                                     [SIM_DAMPED] = {run_plain, run_plain_kept}, \
                                                     [SIM_STIFF] = {run_stiff, run_stiff_kept}}, \
                                           .damp = run_damp,                                     \
                                           .tell = tells};

#endif
