// Positions in metres, in the caller's order: of float or of double.
//
//     x = (start + (low - start as 32 bits with their sign)) q        start: whole, when the tick began
//
// Between ticks x is start q, and low words are not read.
//
// Particles are looked up one by one, so a vector holds one of them: x, y, z and what follows it in memory, which is
// there, since a body's particles are followed by a static row. A store writes past its particle as well, where
// the next one is written after it; the last is stored by itself.

#include "sim/kernels/wide.h"

#if WIDE == 1
SIM_INLINE double position(const struct sim *sim, uint32_t row, uint32_t axis)
{
    return (double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q;
}

void SIM_ISA(sim_capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                          float *out)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            out[3 * (size_t)i + axis] = (float)position(sim, body->first_row + body->row_of[first + i], axis);
        }
    }
}

void SIM_ISA(sim_capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first,
                            uint32_t count, double *out)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            out[3 * (size_t)i + axis] = position(sim, body->first_row + body->row_of[first + i], axis);
        }
    }
}
#else

typedef uint64_t longs __attribute__((vector_size(32)));
typedef int64_t signed_longs __attribute__((vector_size(32)));
typedef uint32_t words __attribute__((vector_size(16)));
typedef int32_t signed_words __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(32)));
typedef float floats __attribute__((vector_size(16)));

// The values that the loop reads, each looked up once.
struct view {
    const uint32_t *row_of;
    const int64_t (*positions)[3];
    const struct sim_row *rows;
    double q;
    uint32_t count;
};

SIM_INLINE struct view view_of(const struct sim *sim, const struct sim_body *body, uint32_t first,
                               uint32_t count)
{
    const int64_t(*positions)[3] = (const int64_t(*)[3])sim->positions;
    return (struct view){body->row_of + first, positions + body->first_row, sim->rows + body->first_row,
                         sim->q, count};
}

// Neighbours in the caller's order are near each other in memory, but in no order that a processor foresees.
enum { AHEAD = 16 };

// Through memory, so that no vector is a parameter that an instruction set has no registers for.
SIM_INLINE void position(const struct view *view, uint32_t i, bool moving, doubles *x)
{
    uint32_t row = view->row_of[i], later = view->row_of[view->count - i > AHEAD ? i + AHEAD : i];
    longs whole;
    memcpy(&whole, view->positions[row], sizeof whole);
    __builtin_prefetch(view->positions[later]);
    __builtin_prefetch(&view->positions[later][2]); // where it lies on two cache lines
    if (moving) {
        words low;
        memcpy(&low, &view->rows[row], sizeof low);
        __builtin_prefetch(&view->rows[later]);
        words change = low - __builtin_convertvector(whole, words);
        whole += (longs) __builtin_convertvector((signed_words)change, signed_longs);
    }
    // 2^52 + low half and 2^84 + 2^63 + 2^32 x upper half: their difference is exact, so the sum alone rounds.
    longs lower = (whole & 0xffffffffu) | 0x4330000000000000u, upper = (whole >> 32) ^ 0x4530000080000000u;
    *x = (((doubles)upper - 0x1.00000801p+84) + (doubles)lower) * view->q;
}

SIM_INLINE void capture(struct view view, bool moving, float *out)
{
    for (uint32_t i = 0; i < view.count; i++) {
        doubles x;
        position(&view, i, moving, &x);
        floats rounded = __builtin_convertvector(x, floats);
        memcpy(out + 3 * (size_t)i, &rounded, i + 1 < view.count ? sizeof rounded : 3 * sizeof *out);
    }
}

SIM_INLINE void capture64(struct view view, bool moving, double *out)
{
    for (uint32_t i = 0; i < view.count; i++) {
        doubles x;
        position(&view, i, moving, &x);
        memcpy(out + 3 * (size_t)i, &x, i + 1 < view.count ? sizeof x : 3 * sizeof *out);
    }
}

void SIM_ISA(sim_capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                          float *out)
{
    if (sim->moving) {
        capture(view_of(sim, body, first, count), true, out);
    } else {
        capture(view_of(sim, body, first, count), false, out);
    }
}

void SIM_ISA(sim_capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first,
                            uint32_t count, double *out)
{
    if (sim->moving) {
        capture64(view_of(sim, body, first, count), true, out);
    } else {
        capture64(view_of(sim, body, first, count), false, out);
    }
}
#endif
