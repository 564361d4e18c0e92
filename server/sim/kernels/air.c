// The velocity of the air at each particle of a chunk, once a tick: the mean wind and its gusts.
//
//   air = U + sum of W_o curl_o(x - drift_o)          octave o has cells half as wide as the one before it
//
// A curl is that of the potential psi = sum_c w_c (a_c x r_c) / 2 over the corners c of a cell, where a_c is a random vector of
// the corner, r_c = f - c, w_c the product of the fades s(f) = f^3 (10 - 15 f + 6 f^2) or 1 - s, and g_c = grad w_c:
//
//   curl psi = sum_c { a_c (w_c + (g_c . r_c) / 2) - r_c (g_c . a_c) / 2 }
//
// So no air comes from nowhere. Integers choose the cell and its vectors, and floats only blend: the cell is a shift of the
// whole coordinate, and the fraction is the 24 bits below, which a float holds exactly. The field is as fine far from the
// origin as at it.
//
// The mixer is C. Wellons' "lowbias32", which is in the public domain. Its 14 rounds serve the eight corners of a cell.

#include "sim/kernels/wide.h"

SIM_INLINE wi mix(wi x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// The place of a point in an octave.
struct spot {
    wi cell[3];
    struct w_vec f; // [0, 1)
};

SIM_INLINE struct spot spot_of(const struct sim *sim, const struct sim_chunk *chunk, uint32_t first,
                               const struct sim_air_octave *octave)
{
    uint32_t cells[3][WIDE];
    float parts[3][WIDE];
    const uint64_t below = ((uint64_t)1 << octave->shift) - 1;
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        const uint32_t last = chunk->count - 1, at = first + lane;
        const int64_t *x = sim->positions[chunk->first_row + (at < last ? at : last)];
        for (int axis = 0; axis < 3; axis++) {
            const uint64_t p = (uint64_t)x[axis] - (uint64_t)octave->drift[axis], rest = p & below;
            const uint64_t part =
                octave->shift < 24 ? rest << (24 - octave->shift) : rest >> (octave->shift - 24);
            cells[axis][lane] = (uint32_t)((int64_t)p >> octave->shift);
            parts[axis][lane] = (float)(int32_t)part * 0x1p-24f;
        }
    }
    struct spot spot;
    for (int axis = 0; axis < 3; axis++) {
        spot.cell[axis] = w_load_int(cells[axis]);
        spot.f.x[axis] = w_load(parts[axis]);
    }
    return spot;
}

// The fade and its slope, for the corners at 0 and at 1.
struct fade {
    wf share[2], slope[2];
};

SIM_INLINE struct fade fade_of(wf f)
{
    const wf s = ((f * f) * f) * (f * (w_set(6) * f - w_set(15)) + w_set(10));
    const wf d = (w_set(30) * (f * f)) * (f * (f - w_set(2)) + w_set(1));
    return (struct fade){{w_set(1) - s, s}, {w_negative(d), d}};
}

// The random vector of a corner, each part of which has the mean 0.
SIM_INLINE struct w_vec vector_of(wi hash)
{
    struct w_vec a;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const wi bits = (hash >> (10 * axis)) & 1023u;
        a.x[axis] = w_float(bits + bits - 1023u) * w_set(0x1p-10f);
    }
    return a;
}

SIM_INLINE struct w_vec curl_of(const struct spot *spot, uint32_t seed)
{
    struct w_vec u = {{w_set(0), w_set(0), w_set(0)}};
    struct fade fades[3];
    for (int axis = 0; axis < 3; axis++) {
        fades[axis] = fade_of(spot->f.x[axis]);
    }
    for (uint32_t z = 0; z < 2; z++) {
        const wi of_z = mix(spot->cell[2] + (seed + z));
        for (uint32_t y = 0; y < 2; y++) {
            const wi of_y = mix(of_z + spot->cell[1] + y);
            for (uint32_t x = 0; x < 2; x++) {
                const struct w_vec a = vector_of(mix(of_y + spot->cell[0] + x));
                const wf sx = fades[0].share[x], sy = fades[1].share[y], sz = fades[2].share[z];
                const struct w_vec g = {{(fades[0].slope[x] * sy) * sz, (sx * fades[1].slope[y]) * sz,
                                         (sx * sy) * fades[2].slope[z]}};
                const struct w_vec r = {{spot->f.x[0] - w_set((float)x), spot->f.x[1] - w_set((float)y),
                                         spot->f.x[2] - w_set((float)z)}};
                const wf along = (sx * sy) * sz + w_set(0.5f) * w_dot(g, r), back = w_set(0.5f) * w_dot(g, a);
                for (int axis = 0; axis < 3; axis++) {
                    u.x[axis] = u.x[axis] + (along * a.x[axis] - back * r.x[axis]);
                }
            }
        }
    }
    return u;
}

void SIM_ISA(sim_air_blow)(struct sim *sim, const struct sim_chunk *chunk)
{
    for (uint32_t first = 0; first < chunk->count; first += WIDE) {
        struct w_vec u = {{w_set(sim->gale.mean[0]), w_set(sim->gale.mean[1]), w_set(sim->gale.mean[2])}};
        for (uint32_t o = 0; o < SIM_AIR_OCTAVES; o++) {
            const struct sim_air_octave *octave = &sim->gale.octaves[o];
            if (octave->weight > 0) {
                const struct spot spot = spot_of(sim, chunk, first, octave);
                const struct w_vec curl = curl_of(&spot, octave->seed);
                for (int axis = 0; axis < 3; axis++) {
                    u.x[axis] = u.x[axis] + w_set(octave->weight) * curl.x[axis];
                }
            }
        }
        float air[3][WIDE];
        for (int axis = 0; axis < 3; axis++) {
            w_store(air[axis], u.x[axis]);
        }
        for (uint32_t lane = 0; lane < WIDE && first + lane < chunk->count; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                sim->air[chunk->first_row + first + lane].v[axis] = air[axis][lane];
            }
        }
    }
}
