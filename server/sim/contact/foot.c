#include "sim/contact/foot.h"

#include "sim/ground/vector.h"

static void between(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

// To [0, 1]; 0 for what is no number.
static double cut(double a)
{
    return a > 0 ? (a < 1 ? a : 1) : 0;
}

// Ericson, Real-Time Collision Detection (2005), 5.1.5.
static void foot_vt(const double x[4][3], double g[3], double c[4])
{
    double a[3], b[3], p[3], pb[3], pc[3], v = 0, w = 0;
    between(x[2], x[1], a);
    between(x[3], x[1], b);
    between(x[0], x[1], p);
    between(x[0], x[2], pb);
    between(x[0], x[3], pc);
    double d1 = sim_dot(a, p), d2 = sim_dot(b, p), d3 = sim_dot(a, pb), d4 = sim_dot(b, pb),
           d5 = sim_dot(a, pc), d6 = sim_dot(b, pc);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        v = w = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = cut(d1 / (d1 - d3));
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w = cut(d2 / (d2 - d6));
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = cut((d4 - d3) / ((d4 - d3) + (d5 - d6)));
        v = 1 - w;
    } else {
        v = cut(vb / (va + vb + vc));
        w = cut(vc / (va + vb + vc));
        w = w < 1 - v ? w : 1 - v;
    }
    for (int axis = 0; axis < 3; axis++) {
        g[axis] = (p[axis] - v * a[axis]) - w * b[axis];
    }
    c[0] = 1;
    c[1] = (v + w) - 1;
    c[2] = 0 - v;
    c[3] = 0 - w;
}

static void foot_ee(const double x[4][3], double g[3], double c[4])
{
    double a[3], b[3], q[3];
    between(x[1], x[0], a);
    between(x[3], x[2], b);
    between(x[0], x[2], q);
    double aa = sim_dot(a, a), bb = sim_dot(b, b), ab = sim_dot(a, b), aq = sim_dot(a, q), bq = sim_dot(b, q);
    double sine = aa * bb - ab * ab;
    double s = sine > 1e-13 * (aa * bb) ? cut((ab * bq - aq * bb) / sine) : 0.5, t = (ab * s + bq) / bb;
    if (t < 0) {
        s = cut(-aq / aa);
    } else if (t > 1) {
        s = cut((ab - aq) / aa);
    }
    t = cut(t);
    for (int axis = 0; axis < 3; axis++) {
        g[axis] = (q[axis] + s * a[axis]) - t * b[axis];
    }
    c[0] = 1 - s;
    c[1] = s;
    c[2] = t - 1;
    c[3] = 0 - t;
}

double sim_foot_of(enum sim_pair_kind kind, const double x[4][3], double g[3], double c[4])
{
    if (kind == SIM_PAIR_VT) {
        foot_vt(x, g, c);
    } else {
        foot_ee(x, g, c);
    }
    return __builtin_sqrt(sim_dot(g, g));
}

double sim_foot(enum sim_pair_kind kind, const double x[4][3], double g[3])
{
    double c[4];
    return sim_foot_of(kind, x, g, c);
}
