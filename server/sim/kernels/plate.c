// Bodies whose bending is solved (plate/plate.h): the two passes over a factor, and the way d that the particles of a
// chunk take because of it.
//
//     predicted x += d;  x += d;  v += d / h
//
// The velocity gets d itself, and the position what it rounds to: each row is rounded with a nudge of its own, which
// goes evenly through the quantum from row to row and from substep to substep, so that a body as a whole is not pushed.

#include "sim/state/plate.h"
#include "sim/kernels/wide_double.h"

SIM_INLINE void rows_load_float(const void *vector, const uint32_t *places, wf x[3])
{
    wf unused;
    wi bits[3];
    w_load_rows(vector, places, bits, &unused);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = w_of_bits(bits[axis]);
    }
}

SIM_INLINE void rows_store_float(void *vector, const uint32_t *places, const wf x[3])
{
    const wi bits[3] = {w_bits(x[0]), w_bits(x[1]), w_bits(x[2])};
    w_store_rows(vector, places, bits, w_set(0));
}

SIM_INLINE void rows_load_double(const void *vector, const uint32_t *places, wd x[3])
{
    double lanes[3][DOUBLES];
    for (int lane = 0; lane < DOUBLES; lane++) {
        const double *row = (const double *)(const void *)((const char *)vector + places[lane]);
        for (int axis = 0; axis < 3; axis++) {
            lanes[axis][lane] = row[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = wd_load(lanes[axis]);
    }
}

SIM_INLINE void rows_store_double(void *vector, const uint32_t *places, const wd x[3])
{
    double lanes[3][DOUBLES];
    for (int axis = 0; axis < 3; axis++) {
        wd_store(lanes[axis], x[axis]);
    }
    for (int lane = 0; lane < DOUBLES; lane++) {
        double *row = (double *)(void *)((char *)vector + places[lane]);
        for (int axis = 0; axis < 3; axis++) {
            row[axis] = lanes[axis][lane];
        }
    }
}

enum {
    STRIPS = 2,       // vectors of rows at a time
    AHEAD = 16 * 1024 // bytes from what is read now to what is asked for
};

// Asks for memory that is not read soon, into the second level.
#define PLATE_ASK(at) __builtin_prefetch(at, 0, 2)

// Keeps a vector in a register: gcc would read it from memory again for each axis, and most of these reads cross a line.
#if defined(__x86_64__)
#define PLATE_KEEP(a) __asm__("" : "+v"(a))
#else
#define PLATE_KEEP(a) ((void)(a))
#endif

#define REAL float
#define LANE wf
#define LANES WIDE
#define LANE_SET w_set
#define LANE_LOAD w_load
#define LANE_MOVING(a) w_select(w_below(w_abs(a), w_set((float)SIM_PLATE_STILL)), w_set(0), a)
#define PASS(name) name##_float
#include "sim/kernels/plate_pass.inc"
#undef REAL
#undef LANE
#undef LANES
#undef LANE_SET
#undef LANE_LOAD
#undef LANE_MOVING
#undef PASS
#define REAL double
#define LANE wd
#define LANES DOUBLES
#define LANE_SET wd_set
#define LANE_LOAD wd_load
#define LANE_MOVING(a) wd_select(wd_below(wd_abs(a), wd_set(SIM_PLATE_STILL_FINE)), wd_set(0), a)
#define PASS(name) name##_double
#include "sim/kernels/plate_pass.inc"

void SIM_ISA(sim_plate_pass)(const struct sim_plate *plate, struct sim_plate_range nodes, bool back)
{
    if (plate->fine) {
        pass_double(plate, nodes, back);
    } else {
        pass_float(plate, nodes, back);
    }
}

// Words of four rows from which their nudges follow: each axis, row, substep and tick has another place in the quantum.
enum { GOLDEN = 0x61c88647 }; // a step of 1 - 0.618 of the quantum, from row to row

SIM_INLINE void turns_of(const struct sim *sim, const struct sim_chunk *chunk, uint32_t turns[16])
{
    uint32_t from = (chunk->body->tiles[SIM_QUADRATIC][0].seed + 0x9e3779b1u) * 0x85ebca6bu;
    uint32_t first = (chunk->first_row - chunk->body->first_row) * (uint32_t)GOLDEN;
    for (uint32_t axis = 0; axis < 4; axis++) {
        from = (from ^ from >> 15) * 0xc2b2ae35u;
        for (uint32_t row = 0; row < 4; row++) {
            turns[4 * row + axis] = sim->times.turn + (from ^ from >> 16) + first + row * (uint32_t)GOLDEN;
        }
    }
}

void SIM_ISA(sim_plate_move)(struct sim *sim, struct sim_chunk *chunk)
{
    const float shares[16] = {1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0};
    const wf inv_q = w_set(sim->times.inv_q), inv_h = w_set(sim->times.inv_h),
             part = w_set(1 / 4294967296.0f);
    uint32_t turns[16], *rows = (uint32_t *)(void *)sim->rows,
                        *predicted = (uint32_t *)(void *)sim->predicted;
    float *velocities = (float *)(void *)sim->velocities, *bends = (float *)(void *)sim->bends;
    wf most = w_set(0);
    turns_of(sim, chunk, turns);
    const size_t first = 4 * (size_t)chunk->first_row, count = 4 * (size_t)((chunk->count + 3) / 4 * 4);
    for (size_t i = 0; i < count; i += WIDE) {
        const size_t at = first + i;
        const wf d = w_load(bends + at), share = w_load(shares + i % 4);
        const wm free = w_and(w_below(w_set(0), w_weights(sim->rows, at)), w_below(w_set(0), share));
        const wi turn = w_load_int(turns + i % 4) + (uint32_t)(i / 4) * (uint32_t)GOLDEN;
        const wf way = d * inv_q;
        const wi moved = w_where_int(free, w_round(way + w_float(turn) * part));
        const wf v = w_load(velocities + at);
        most = w_max(w_where(free, w_abs(way)), most);
        w_store(velocities + at, w_select(free, v + d * inv_h, v));
        w_store_int(rows + at, w_load_int(rows + at) + moved);
        w_store_int(predicted + at, w_load_int(predicted + at) + moved);
        w_store(bends + at, w_set(0));
    }
    chunk->reach += w_greatest(most) + 1;
}
