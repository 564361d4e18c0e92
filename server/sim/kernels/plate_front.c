// The elimination of a node's unknowns in its front (state/plate.h): dense, in doubles, block by block of 8 x 8.
//
// Each number is one sum, whose terms come in the order of the columns, and lanes are rows of a block. So neither lanes
// nor the order of the blocks change a bit.

#include "sim/kernels/wide_double.h"
#include "sim/state/plate.h"

enum { BLOCK = 8, VECTORS = BLOCK / DOUBLES };

// a -= b f' over `depth` columns of two block rows; a `fresh` block was zero. A few columns of a at a time, whose sums stay
// in registers.
SIM_INLINE void take(double *a, const double *b, const double *f, size_t depth, bool fresh)
{
    for (size_t c = 0; c < BLOCK; c += DOUBLES) {
        wd sums[DOUBLES][VECTORS];
        for (size_t k = 0; k < DOUBLES; k++) {
            for (size_t v = 0; v < VECTORS; v++) {
                sums[k][v] = fresh ? wd_set(0) : wd_load(a + BLOCK * (c + k) + v * DOUBLES);
            }
        }
        for (size_t s = 0; s < BLOCK * depth; s += BLOCK) {
            wd rows[VECTORS];
            for (size_t v = 0; v < VECTORS; v++) {
                rows[v] = wd_load(b + s + v * DOUBLES);
            }
            for (size_t k = 0; k < DOUBLES; k++) {
                const wd factor = wd_set(f[s + c + k]);
                for (size_t v = 0; v < VECTORS; v++) {
                    sums[k][v] = sums[k][v] - rows[v] * factor;
                }
            }
        }
        for (size_t k = 0; k < DOUBLES; k++) {
            for (size_t v = 0; v < VECTORS; v++) {
                wd_store(a + BLOCK * (c + k) + v * DOUBLES, sums[k][v]);
            }
        }
    }
}

// Divides the columns of a block by those of the triangle: a = a L'^-1.
SIM_INLINE void divide(double *a, const double *triangle)
{
    for (size_t v = 0; v < BLOCK; v += DOUBLES) {
        for (size_t j = 0; j < BLOCK; j++) {
            wd x = wd_load(a + BLOCK * j + v);
            for (size_t k = 0; k < j; k++) {
                x = x - wd_load(a + BLOCK * k + v) * wd_set(triangle[BLOCK * k + j]);
            }
            wd_store(a + BLOCK * j + v, x / wd_set(triangle[BLOCK * j + j]));
        }
    }
}

// A block of the diagonal becomes its triangle; what is above it counts not.
static bool triangle_of(double *a)
{
    for (size_t j = 0; j < BLOCK; j++) {
        double *column = a + BLOCK * j;
        if (!(column[j] > 0) || !(column[j] < 1e300)) {
            return false;
        }
        const double pivot = __builtin_sqrt(column[j]);
        for (size_t i = j; i < BLOCK; i++) {
            column[i] /= pivot;
        }
        for (size_t k = j + 1; k < BLOCK; k++) {
            for (size_t i = k; i < BLOCK; i++) {
                a[BLOCK * k + i] -= column[i] * column[k];
            }
        }
    }
    return true;
}

// Block column j of L.
static bool factor_column(const struct sim_plate_front *front, size_t j)
{
    const size_t all = (size_t)front->own + front->below;
    double *const pivots = front->x + sim_plate_row(j), *const triangle = pivots + BLOCK * BLOCK * j;
    for (size_t r = j; r < all; r++) {
        double *row = front->x + sim_plate_row(r), *block = row + BLOCK * BLOCK * j;
        take(block, row, pivots, BLOCK * j, false);
        if (r == j && !triangle_of(block)) {
            return false;
        }
        if (r > j) {
            divide(block, triangle);
        }
    }
    return true;
}

// Block row r of A22 - V A21'.
static void reduce_row(const struct sim_plate_front *front, size_t r)
{
    double *row = front->x + sim_plate_row(r);
    for (size_t c = front->own; c <= r; c++) {
        take(row + BLOCK * BLOCK * c, row, front->x + sim_plate_row(c), BLOCK * (size_t)front->own, false);
    }
}

// Block row i of L^-T.
static void invert_row(const struct sim_plate_front *front, size_t i)
{
    const size_t own = BLOCK * (size_t)front->own;
    double *const row = front->inverse + BLOCK * own * i;
    for (size_t k = i; k < front->own; k++) {
        const double *pivots = front->x + sim_plate_row(k), *triangle = pivots + BLOCK * BLOCK * k;
        double *block = row + BLOCK * BLOCK * k;
        for (size_t e = 0; e < BLOCK * BLOCK; e++) {
            block[e] = k == i && e % (BLOCK + 1) == 0 ? 1 : 0;
        }
        take(block, row + BLOCK * BLOCK * i, pivots + BLOCK * BLOCK * i, BLOCK * (k - i), false);
        divide(block, triangle);
    }
}

// Block row i of -S.
static void square_row(const struct sim_plate_front *front, size_t i)
{
    const size_t own = BLOCK * (size_t)front->own;
    const double *row = front->inverse + BLOCK * (own * i + BLOCK * i);
    for (size_t j = 0; j <= i; j++) {
        take(front->square + BLOCK * (own * i + BLOCK * j), row,
             front->inverse + BLOCK * (own * j + BLOCK * i), own - BLOCK * i, true);
    }
}

// Block row r of -V.
static void solve_row(const struct sim_plate_front *front, size_t r)
{
    const size_t own = BLOCK * (size_t)front->own;
    for (size_t j = 0; j < front->own; j++) {
        double *block = front->x + sim_plate_row(r) + BLOCK * BLOCK * j;
        take(block, block, front->inverse + BLOCK * (own * j + BLOCK * j), own - BLOCK * j, true);
    }
}

bool SIM_ISA(sim_plate_front)(const struct sim_plate_front *front, size_t step)
{
    const size_t own = front->own, all = own + front->below;
    if (step < own) {
        return factor_column(front, step);
    }
    if (step < all) {
        reduce_row(front, step);
    } else if (step < all + own) {
        invert_row(front, step - all);
    } else if (step < all + 2 * own) {
        square_row(front, step - all - own);
    } else {
        solve_row(front, step - all - own);
    }
    return true;
}
