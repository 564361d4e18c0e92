// The tolerances that streams have: 1, 1.4, 2, 2.8, 4, 5 and 7 times a power of ten, each about √2 times the one before.
//
// The values that people write down are among them. A tolerance in between is rounded down, so what was asked for holds, and streams whose
// tolerances hardly differ share their frames.
#include "protocol/codec/codec.h"
#include "protocol/codec/grid.h"

#include <stddef.h>

static const float steps[] = {
    1e-12F, 1.4e-12F, 2e-12F, 2.8e-12F, 4e-12F, 5e-12F, 7e-12F, //
    1e-11F, 1.4e-11F, 2e-11F, 2.8e-11F, 4e-11F, 5e-11F, 7e-11F, //
    1e-10F, 1.4e-10F, 2e-10F, 2.8e-10F, 4e-10F, 5e-10F, 7e-10F, //
    1e-9F,  1.4e-9F,  2e-9F,  2.8e-9F,  4e-9F,  5e-9F,  7e-9F,  //
    1e-8F,  1.4e-8F,  2e-8F,  2.8e-8F,  4e-8F,  5e-8F,  7e-8F,  //
    1e-7F,  1.4e-7F,  2e-7F,  2.8e-7F,  4e-7F,  5e-7F,  7e-7F,  //
    1e-6F,  1.4e-6F,  2e-6F,  2.8e-6F,  4e-6F,  5e-6F,  7e-6F,  //
    1e-5F,  1.4e-5F,  2e-5F,  2.8e-5F,  4e-5F,  5e-5F,  7e-5F,  //
    1e-4F,  1.4e-4F,  2e-4F,  2.8e-4F,  4e-4F,  5e-4F,  7e-4F,  //
    1e-3F,  1.4e-3F,  2e-3F,  2.8e-3F,  4e-3F,  5e-3F,  7e-3F,  //
    1e-2F,  1.4e-2F,  2e-2F,  2.8e-2F,  4e-2F,  5e-2F,  7e-2F,  //
    1e-1F,  1.4e-1F,  2e-1F,  2.8e-1F,  4e-1F,  5e-1F,  7e-1F,  //
    1e0F,   1.4e0F,   2e0F,   2.8e0F,   4e0F,   5e0F,   7e0F,   //
    1e1F,   1.4e1F,   2e1F,   2.8e1F,   4e1F,   5e1F,   7e1F,   //
    1e2F,   1.4e2F,   2e2F,   2.8e2F,   4e2F,   5e2F,   7e2F,   //
    1e3F,   1.4e3F,   2e3F,   2.8e3F,   4e3F,   5e3F,   7e3F,   //
    1e4F,   1.4e4F,   2e4F,   2.8e4F,   4e4F,   5e4F,   7e4F,   //
    1e5F,   1.4e5F,   2e5F,   2.8e5F,   4e5F,   5e5F,   7e5F,   //
    1e6F,
};

float codec_tolerance_step(float tolerance)
{
    size_t at = 0;
    for (size_t i = 1; i < sizeof steps / sizeof *steps && steps[i] <= tolerance; i++) {
        at = i;
    }
    return steps[at];
}
