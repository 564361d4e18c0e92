// Differences are below 2^31 in magnitude, so products of three are below 2^93. A volume, which is a sum of six of them, is below
// 2^96, and 128 bits hold it. In double, each of the six products is wrong by at most 2 * 2^-53 of itself, and each of the five
// sums by 2^-53 of its value. In all that is less than 8 * 2^-53 of the sum of the products' magnitudes. If the volume is farther
// from 0 than that, its sign is right.

#include "sim/contact/exact.h"

#include "sim/state/fixed.h"

__extension__ typedef __int128 wide;

static void less(const int32_t a[3], const int32_t b[3], int32_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sim_wrap_sub(a[axis], b[axis]);
    }
}

static int sign_exactly(const int32_t u[3], const int32_t v[3], const int32_t w[3])
{
    wide sum = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += ((wide)u[j] * v[k] - (wide)u[k] * v[j]) * w[i];
    }
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

static int sign_of(const int32_t u[3], const int32_t v[3], const int32_t w[3])
{
    double sum = 0, magnitude = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double a = (double)u[j] * v[k] * w[i], b = (double)u[k] * v[j] * w[i];
        sum += a - b;
        magnitude += (a < 0 ? -a : a) + (b < 0 ? -b : b);
    }
    double error = magnitude * 0x1p-49;
    if (!(magnitude > 0)) {
        return 0; // all of them lie in a plane along two axes
    }
    return sum > error ? 1 : sum < -error ? -1 : sign_exactly(u, v, w);
}

int sim_orientation(const int32_t a[3], const int32_t b[3], const int32_t c[3], const int32_t d[3])
{
    int32_t u[3], v[3], w[3];
    less(b, a, u);
    less(c, a, v);
    less(d, a, w);
    return sign_of(u, v, w);
}

// Boxes that are apart, from the edge's first end.
static bool apart(const int32_t end[3], const int32_t corners[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t least = end[axis] < 0 ? end[axis] : 0, most = end[axis] < 0 ? 0 : end[axis];
        const int32_t p = corners[0][axis], q = corners[1][axis], r = corners[2][axis];
        if ((p > most && q > most && r > most) || (p < least && q < least && r < least)) {
            return true;
        }
    }
    return false;
}

bool sim_edge_crosses(const int32_t edge[2][3], const int32_t triangle[3][3])
{
    int32_t end[3], corners[3][3];
    less(edge[1], edge[0], end);
    for (int i = 0; i < 3; i++) {
        less(triangle[i], edge[0], corners[i]);
    }
    if (apart(end, (const int32_t(*)[3])corners)) {
        return false;
    }
    int from = sim_orientation(triangle[0], triangle[1], triangle[2], edge[0]);
    int to = sim_orientation(triangle[0], triangle[1], triangle[2], edge[1]);
    if (from * to > 0 || (from == 0 && to == 0)) {
        return false; // what is near most often lies on one side
    }
    // Volumes of the edge with each side of the triangle: the line goes through it where none differs in sign.
    int sides[3], least = 1, most = -1;
    for (int i = 0; i < 3; i++) {
        sides[i] = sign_of(end, corners[i], corners[(i + 1) % 3]);
        least = sides[i] < least ? sides[i] : least;
        most = sides[i] > most ? sides[i] : most;
    }
    return least >= 0 || most <= 0;
}
