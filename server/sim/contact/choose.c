// The kernels of contact, by instruction set.

#include "sim/contact/chart.h"
#include "sim/contact/collide.h"
#include "sim/contact/search.h"

#define KERNELS(isa)                                                            \
    extern const struct sim_contact_kernels sim_contact_kernels_##isa;          \
    extern const struct sim_tree_kernels sim_tree_kernels_##isa;                \
    extern const struct sim_collide_kernels sim_collide_kernels_##isa;          \
    extern sim_narrow sim_narrow_vt_##isa, sim_narrow_ee_##isa;                 \
    extern sim_crossing_sieve sim_may_cross_##isa;                              \
    extern sim_chart_refit sim_chart_refit_##isa;                               \
    static const struct choice isa = {                                          \
        &sim_contact_kernels_##isa, &sim_tree_kernels_##isa,                    \
        &sim_collide_kernels_##isa, {sim_narrow_vt_##isa, sim_narrow_ee_##isa}, \
        &sim_may_cross_##isa,       &sim_chart_refit_##isa};

struct choice {
    const struct sim_contact_kernels *contact;
    const struct sim_tree_kernels *tree;
    const struct sim_collide_kernels *collide;
    sim_narrow *narrow[SIM_PAIR_KINDS];
    sim_crossing_sieve *may_cross;
    sim_chart_refit *chart_refit;
};

#if defined(__wasm_simd128__)
KERNELS(simd128)
#else
KERNELS(scalar)
#endif
#if defined(__x86_64__)
#if !defined(SIM_NO_SSE2)
KERNELS(sse2)
#endif
#if !defined(SIM_NO_AVX2)
KERNELS(avx2)
#endif
#if !defined(SIM_NO_AVX512)
KERNELS(avx512)
#endif
#elif defined(__aarch64__)
KERNELS(neon)
#endif

static const struct choice *choice_of(enum sim_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
#if !defined(SIM_NO_SSE2)
    case SIM_ISA_SSE2:
        return &sse2;
#endif
#if !defined(SIM_NO_AVX2)
    case SIM_ISA_AVX2:
        return &avx2;
#endif
#if !defined(SIM_NO_AVX512)
    case SIM_ISA_AVX512:
        return &avx512;
#endif
#elif defined(__aarch64__)
    case SIM_ISA_NEON:
        return &neon;
#endif
    default:
#if defined(__wasm_simd128__)
        return &simd128;
#else
        return &scalar;
#endif
    }
}

const struct sim_contact_kernels *sim_contact_kernels_of(enum sim_isa isa)
{
    return choice_of(isa)->contact;
}

const struct sim_tree_kernels *sim_tree_kernels_of(enum sim_isa isa)
{
    return choice_of(isa)->tree;
}

const struct sim_collide_kernels *sim_collide_kernels_of(enum sim_isa isa)
{
    return choice_of(isa)->collide;
}

sim_narrow *sim_narrow_of(enum sim_isa isa, enum sim_pair_kind kind)
{
    return choice_of(isa)->narrow[kind];
}

sim_crossing_sieve *sim_crossing_sieve_of(enum sim_isa isa)
{
    return choice_of(isa)->may_cross;
}

sim_chart_refit *sim_chart_refit_of(enum sim_isa isa)
{
    return choice_of(isa)->chart_refit;
}
