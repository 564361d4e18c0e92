// Normals of particles: the sum of the cross products of their triangles, each twice its area along its normal, made
// a unit vector.
//
// Cross products are computed in lanes, from exact differences of low words. They are added to the corners triangle
// after triangle, in the caller's order, so that the sums are the same however many lanes there are; with lists of
// each particle's triangles that would be lanes as well, but those take 28 bytes a particle.

#include "sim/kernels/wide.h"

// Keeps compilers from collecting indices in vectors: taking them out again one by one costs more than all sums.
SIM_INLINE uint32_t single(uint32_t index)
{
    __asm__("" : "+r"(index));
    return index;
}

// Cross products of `count` triangles from the first on. The lanes that are left hold zeros.
SIM_INLINE struct w_vec crosses_of(const struct sim *sim, const struct sim_body *body, uint32_t first,
                                   uint32_t count)
{
    const uint32_t *corner = body->surface + 3 * (size_t)first;
    uint32_t places[3][WIDE] = {{0}}; // row 0 is static: three of it have no area
    for (uint32_t lane = 0; lane < count; lane++) {
        for (uint32_t k = 0; k < 3; k++) {
            places[k][lane] = single(body->first_row + body->row_of[corner[3 * lane + k]]) * SIM_ROW_BYTES;
        }
    }
    struct w_rows x[3] = {w_rows_at(sim->rows, places[0]), w_rows_at(sim->rows, places[1]),
                          w_rows_at(sim->rows, places[2])};
    struct w_vec u, v;
    for (int axis = 0; axis < 3; axis++) {
        u.x[axis] = w_apart(x[1].x[axis], x[0].x[axis]);
        v.x[axis] = w_apart(x[2].x[axis], x[0].x[axis]);
    }
    return w_cross(u, v);
}

SIM_INLINE void add_to_corners(const struct sim_body *body, uint32_t first, uint32_t count,
                               struct w_vec crosses, float *sums)
{
    const uint32_t *corner = body->surface + 3 * (size_t)first;
    float n[3][WIDE];
    for (int axis = 0; axis < 3; axis++) {
        w_store(n[axis], crosses.x[axis]);
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        const float a = n[0][lane], b = n[1][lane], c = n[2][lane];
        for (uint32_t k = 0; k < 3; k++) {
            float *sum = sums + 3 * (size_t)single(corner[3 * lane + k]);
            sum[0] += a;
            sum[1] += b;
            sum[2] += c;
        }
    }
}

// The next triangles are gathered before these are added, so that their loads fill the time of the sums.
SIM_INLINE void add_all(const struct sim *sim, const struct sim_body *body, float *sums)
{
    uint32_t whole = body->surface_count / WIDE * WIDE, left = body->surface_count - whole;
    if (whole > 0) {
        struct w_vec now = crosses_of(sim, body, 0, WIDE);
        for (uint32_t t = WIDE; t < whole; t += WIDE) {
            struct w_vec next = crosses_of(sim, body, t, WIDE);
            add_to_corners(body, t - WIDE, WIDE, now, sums);
            now = next;
        }
        add_to_corners(body, whole - WIDE, WIDE, now, sums);
    }
    if (left > 0) {
        add_to_corners(body, whole, left, crosses_of(sim, body, whole, left), sums);
    }
}

SIM_INLINE void make_units(float *sums, uint32_t count)
{
    float n[3][WIDE] = {{0}};
    struct w_vec v;
    for (uint32_t lane = 0; lane < count; lane++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            n[axis][lane] = sums[3 * lane + axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        v.x[axis] = w_load(n[axis]);
    }
    wf length = w_sqrt(w_dot(v, v));
    wm some = w_below(w_set(0), length);
    for (int axis = 0; axis < 3; axis++) {
        w_store(n[axis], w_where(some, v.x[axis] / length));
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            sums[3 * lane + axis] = n[axis][lane];
        }
    }
}

void SIM_ISA(sim_normals)(const struct sim *sim, const struct sim_body *body, float *out)
{
    uint32_t i = 0;
    memset(out, 0, (size_t)body->count * 3 * sizeof *out);
    add_all(sim, body, out);
    for (; body->count - i >= WIDE; i += WIDE) {
        make_units(out + 3 * (size_t)i, WIDE);
    }
    if (i < body->count) {
        make_units(out + 3 * (size_t)i, body->count - i);
    }
}
