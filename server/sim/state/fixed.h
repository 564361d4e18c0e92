// Fixed-point positions and the only ways in and out of them.
//
// A coordinate is an int64 count of quanta; the solver works on its low 32 bits, which wrap. Differences of
// low words are exact while |a - b| < 2^31 quanta. Every float that enters a position passes sim_round:
// nearest even, and -2^31 for what an int32 cannot hold or is no number (as x86 converts), so that the result
// is the same on every machine; a move so far fails the world.
//
// Two things keep a body at rest where it is. A correction's error that rounding alone can have made is none
// (w_past_noise in wide.h): otherwise a rigid constraint would answer the last bit of its length for ever. And the
// point at which corrections are rounded goes evenly through the quantum from substep to substep (sim_nudge):
// otherwise a steady correction would lose the same remainder in each of them, which is a steady force of up
// to q/(2 h^2) a kg.
#ifndef WEFT_SIM_STATE_FIXED_H
#define WEFT_SIM_STATE_FIXED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Forced: with constant arguments a solve becomes a kernel of its own, without branches.
#define SIM_INLINE static inline __attribute__((always_inline))

// The same for long functions. With checks of each step they become longer still, and a compiler takes a
// minute for a file. So builds with sanitizers or without optimisation have one kernel, which takes constants
// of other builds as arguments.
#ifdef SIM_ONE_KERNEL
#define SIM_LONG static __attribute__((noinline, unused))
#else
#define SIM_LONG SIM_INLINE
#endif

// Limits in quanta, so that they scale with the resolution (metres at the default one).
#define SIM_REST_MAX 1073741824.0     // 8 m: longest rest length
#define SIM_STRETCH_MAX 1610612736.0f // 12 m: longest distance between the ends of a constraint
#define SIM_MOVE_MAX 536870912        // 4 m: farthest that a coordinate may go in a tick
#define SIM_PULL_MAX 1073741824.0f    // 8 m: farthest that a grab pulls at a time

// The factor by which ranges in metres grow in a world that is coarser than the default, 2^-27 m. It is for ranges that are no
// limits of quanta, so that a scene in millimetres has the room that the same scene has in metres.
static inline double sim_scale(double resolution)
{
    return resolution > 0x1p-27 ? resolution / 0x1p-27 : 1;
}

// m^3: the greatest rest volume.
static inline double sim_volume_max(double resolution)
{
    const double scale = sim_scale(resolution);
    return 1000 * scale * scale * scale;
}

#define SIM_COARSER "a coarser resolution of the world allows more"

// 2^-22: relative error that a length, a volume or Kx may have when it is computed in float from exact
// differences and compared with what was computed otherwise; in radians, that of an angle.
#define SIM_NOISE 2.384185791015625e-7f
// rad: a rest angle of a plastic body stays if its hinge is past the yield by no more than this, 2^-14. So it
// comes to an end, and the body may sleep.
#define SIM_FLOW_LEAST 6.103515625e-5f
// The same of a tetrahedron and the strain by which it is past the yield, 2^-16.
#define SIM_STRAIN_LEAST 1.52587890625e-5

static inline int32_t sim_wrap_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t sim_wrap_sub(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline float sim_abs(float v)
{
    return v < 0 ? -v : v;
}

// Adding 1.5 x 2^52 leaves the integer nearest to v (ties to even) in the low bits of the double.
static inline int32_t sim_round(float v)
{
    if (!(v >= -2147483648.0f && v < 2147483648.0f)) {
        return INT32_MIN;
    }
    double shifted = (double)v + 6755399441055744.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

// Metres to quanta, nearest even. |v| inv_q must be below 2^63. Adding 2^52 with the sign of t drops the
// fraction; from 2^52 on a double is an integer already.
static inline int64_t sim_quantize(double v, double inv_q)
{
    double t = v * inv_q;
    if (t >= 0 && t < 4503599627370496.0) {
        t = (t + 4503599627370496.0) - 4503599627370496.0;
    } else if (t < 0 && t > -4503599627370496.0) {
        t = (t - 4503599627370496.0) + 4503599627370496.0;
    }
    return (int64_t)t;
}

// Greatest integer that is not above v; |v| below 2^62.
static inline int64_t sim_cell(double v)
{
    int64_t whole = (int64_t)v;
    return (double)whole > v ? whole - 1 : whole;
}

// Whether a pin that follows may have this coordinate in the frame of its collider, m.
#define SIM_PLACE_MAX 4e9
static inline bool sim_place_is_good(double v)
{
    return v >= -SIM_PLACE_MAX && v <= SIM_PLACE_MAX;
}

static inline bool sim_finite(double v)
{
    return v - v == 0.0;
}

#endif
