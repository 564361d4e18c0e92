// Which instruction sets there are, and which one the sims made from now on use. All come to the same bits. A build may leave
// some out (SIM_NO_AVX2 and the like).

#include "base/assert.h"
#include "sim/state/state.h"

#include <stdatomic.h>

// A module of WebAssembly has one set: an engine without its instructions takes none of it.
#if defined(__wasm_simd128__)
extern const struct sim_kernels sim_kernels_simd128;
#else
extern const struct sim_kernels sim_kernels_scalar;
#endif
#if defined(__x86_64__)
extern const struct sim_kernels sim_kernels_sse2, sim_kernels_avx2, sim_kernels_avx512;
#elif defined(__aarch64__)
extern const struct sim_kernels sim_kernels_neon;
#endif

static atomic_int chosen = SIM_ISA_COUNT; // SIM_ISA_COUNT: none was, so the best is

const char *sim_isa_name(enum sim_isa isa)
{
    static const char *const names[SIM_ISA_COUNT] = {"scalar", "sse2", "avx2", "avx512", "neon", "simd128"};
    return names[isa];
}

bool sim_isa_available(enum sim_isa isa)
{
    switch (isa) {
#if defined(__wasm_simd128__)
    case SIM_ISA_SIMD128:
        return true;
#else
    case SIM_ISA_SCALAR:
        return true;
#endif
#if defined(__x86_64__)
#if !defined(SIM_NO_SSE2)
    case SIM_ISA_SSE2:
        return true;
#endif
#if !defined(SIM_NO_AVX2)
    case SIM_ISA_AVX2:
        return __builtin_cpu_supports("avx2");
#endif
#if !defined(SIM_NO_AVX512)
    case SIM_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#endif
#elif defined(__aarch64__)
    case SIM_ISA_NEON:
        return true;
#endif
    default:
        return false;
    }
}

void sim_isa_choose(enum sim_isa isa)
{
    BASE_ASSERT(sim_isa_available(isa));
    atomic_store(&chosen, (int)isa);
}

enum sim_isa sim_isa_chosen(void)
{
    int isa = atomic_load(&chosen);
    if (isa != SIM_ISA_COUNT) {
        return (enum sim_isa)isa;
    }
    for (isa = SIM_ISA_COUNT - 1; !sim_isa_available((enum sim_isa)isa); isa--) {
    }
    return (enum sim_isa)isa;
}

const struct sim_kernels *sim_kernels_of(enum sim_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
#if !defined(SIM_NO_SSE2)
    case SIM_ISA_SSE2:
        return &sim_kernels_sse2;
#endif
#if !defined(SIM_NO_AVX2)
    case SIM_ISA_AVX2:
        return &sim_kernels_avx2;
#endif
#if !defined(SIM_NO_AVX512)
    case SIM_ISA_AVX512:
        return &sim_kernels_avx512;
#endif
#elif defined(__aarch64__)
    case SIM_ISA_NEON:
        return &sim_kernels_neon;
#endif
    default:
#if defined(__wasm_simd128__)
        return &sim_kernels_simd128;
#else
        return &sim_kernels_scalar;
#endif
    }
}
