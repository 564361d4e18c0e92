#include "sim/contact/exact.h"
#include "sim/state/fixed.h"
__extension__ typedef __int128 wide;
static int orient(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3])
{
    wide u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) { u[k] = a[k] - d[k]; v[k] = b[k] - d[k]; w[k] = c[k] - d[k]; }
    wide s = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    return s > 0 ? 1 : s < 0 ? -1 : 0;
}
bool sim_edge_crosses(const int32_t edge[2][3], const int32_t triangle[3][3])
{
    int64_t x[5][3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 5; i++) x[i][k] = sim_wrap_sub(i < 2 ? edge[i][k] : triangle[i - 2][k], edge[0][k]);
        int64_t lo = x[0][k] < x[1][k] ? x[0][k] : x[1][k], hi = x[0][k] < x[1][k] ? x[1][k] : x[0][k];
        if ((x[2][k] > hi && x[3][k] > hi && x[4][k] > hi) || (x[2][k] < lo && x[3][k] < lo && x[4][k] < lo)) return false;
    }
    int s0 = orient(x[2], x[3], x[4], x[0]), s1 = orient(x[2], x[3], x[4], x[1]);
    if (s0 * s1 > 0 || (s0 == 0 && s1 == 0)) return false;
    int u = orient(x[0], x[1], x[2], x[3]), v = orient(x[0], x[1], x[3], x[4]), w = orient(x[0], x[1], x[4], x[2]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}
