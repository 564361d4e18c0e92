// XXH3 from its header: the library is there for this machine alone. From 0.8.3 on the header takes an <arm_neon.h> that it finds for one
// that speaks WebAssembly, where there are such vectors; clang's own is none.
#undef __wasm_simd128__
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>
