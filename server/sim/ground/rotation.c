// The rotation that is nearest to a matrix, found without a start and without trigonometry.
//
// Horn 1987: of all rotations R(q), q a unit quaternion, the one with the greatest tr(R^T A) has as q the eigenvector of the greatest
// eigenvalue of a symmetric 4 x 4 matrix N of trace 0. Its eigenvalues are s1 + s2 + s3, s1 - s2 - s3, -s1 + s2 - s3 and
// -s1 - s2 + s3, where s1 >= s2 >= |s3| are the singular values of A and s3 has the sign of det A. So there is a gap of 2 (s2 + s3),
// also for plates (s3 = 0) and for most that is inside out (s3 < 0), and the result is never a reflection.
//
//     B = N / (sqrt(3) |A|) + I        no eigenvalue is below 0, and the greatest is that of q
//     B <- B / tr B,  B <- B B         again and again: B goes to q q^T
//
// This is the power method with 2^SQUARINGS powers. It ends early once the rest is below the last bit. If the gap is 0, as for a rod
// or a point, every rotation that is left is as good. Then this is one of them, and the same one everywhere.

#include "sim/ground/ground.h"

enum { SQUARINGS = 24 };

static void horn(const double a[3][3], double n[4][4])
{
    n[0][0] = a[0][0] + a[1][1] + a[2][2];
    n[1][1] = a[0][0] - a[1][1] - a[2][2];
    n[2][2] = a[1][1] - a[0][0] - a[2][2];
    n[3][3] = a[2][2] - a[0][0] - a[1][1];
    n[0][1] = n[1][0] = a[2][1] - a[1][2];
    n[0][2] = n[2][0] = a[0][2] - a[2][0];
    n[0][3] = n[3][0] = a[1][0] - a[0][1];
    n[1][2] = n[2][1] = a[1][0] + a[0][1];
    n[1][3] = n[3][1] = a[0][2] + a[2][0];
    n[2][3] = n[3][2] = a[2][1] + a[1][2];
}

// B <- B B / (tr B)^2. Returns the trace of the outcome, 1 if B has rank 1.
static double square(double b[4][4])
{
    double old[4][4];
    const double scale = 1 / (b[0][0] + b[1][1] + b[2][2] + b[3][3]);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            old[i][j] = b[i][j] * scale;
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = i; j < 4; j++) {
            b[i][j] = b[j][i] = (old[i][0] * old[j][0] + old[i][1] * old[j][1]) +
                                (old[i][2] * old[j][2] + old[i][3] * old[j][3]);
        }
    }
    return b[0][0] + b[1][1] + b[2][2] + b[3][3];
}

void sim_rotation_of(const double a[3][3], double floor, double q[4])
{
    double b[4][4], size2 = 0;
    for (int i = 0; i < 3; i++) {
        size2 += (a[i][0] * a[i][0] + a[i][1] * a[i][1]) + a[i][2] * a[i][2];
    }
    const double size = __builtin_sqrt(size2);
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
    if (!(size > floor && size > 1e-150 && size < 1e150)) {
        return;
    }
    horn(a, b);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            b[i][j] = b[i][j] / (1.7320508075688772 * size) + (i == j);
        }
    }
    for (int i = 0; i < SQUARINGS && square(b) < 1 - 0x1p-51; i++) {
    }
    int best = 0;
    for (int i = 1; i < 4; i++) {
        best = b[i][i] > b[best][best] ? i : best;
    }
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        length2 += b[i][best] * b[i][best];
    }
    const double length = __builtin_sqrt(length2);
    for (int i = 0; i < 4; i++) {
        q[i] = b[i][best] / length;
    }
}

void sim_rotation_matrix(const double q[4], double r[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    r[0][0] = 1 - 2 * (y * y + z * z);
    r[0][1] = 2 * (x * y - w * z);
    r[0][2] = 2 * (x * z + w * y);
    r[1][0] = 2 * (x * y + w * z);
    r[1][1] = 1 - 2 * (x * x + z * z);
    r[1][2] = 2 * (y * z - w * x);
    r[2][0] = 2 * (x * z - w * y);
    r[2][1] = 2 * (y * z + w * x);
    r[2][2] = 1 - 2 * (x * x + y * y);
}

// -------------------------------------------------------------------------------------------- shape matching

// Particles without a finite mass are so many times as heavy as all others of their region.
#define HEAVY 1000.0
// Rounding leaves this share of the size that A has for a body of this size and mass.
#define NOISE 0x1p-44

bool sim_match_fit(const struct sim_match_sums *sums, double spread, struct sim_match_fit *fit)
{
    const double *free = sums->free, *held = sums->held;
    const double heavy = held[SIM_MATCH_MASS] > 0 ? HEAVY * free[SIM_MATCH_MASS] / held[SIM_MATCH_MASS] : 0;
    double all[SIM_MATCH_SUMS], now[3], rest[3], a[3][3];
    *fit = (struct sim_match_fit){.q = {1}};
    if (!(free[SIM_MATCH_MASS] > 0)) {
        return false;
    }
    for (int i = 0; i < SIM_MATCH_SUMS; i++) {
        all[i] = free[i] + heavy * held[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        now[axis] = all[SIM_MATCH_NOW + axis] / all[SIM_MATCH_MASS];
        rest[axis] = all[SIM_MATCH_REST + axis] / all[SIM_MATCH_MASS];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = all[SIM_MATCH_PRODUCT + 3 * i + j] - all[SIM_MATCH_NOW + i] * rest[j];
        }
    }
    sim_rotation_of((const double(*)[3])a, NOISE * (all[SIM_MATCH_MASS] * spread), fit->q);
    sim_rotation_matrix(fit->q, fit->turn);
    for (int i = 0; i < 3; i++) {
        const double *r = fit->turn[i];
        fit->now[i] = now[i];
        fit->shift[i] = now[i] - ((r[0] * rest[0] + r[1] * rest[1]) + r[2] * rest[2]);
    }
    return true;
}
