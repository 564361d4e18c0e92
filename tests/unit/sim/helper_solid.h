// The law of a stable Neo-Hookean tetrahedron in double, by F and P, and one projection of its rows: what the tests of solids compare with.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_SOLID_H
#define WEFT_TESTS_UNIT_SIM_HELPER_SOLID_H

#include <math.h>

struct element {
    double p[3][3]; // D0^-1
    double volume;
};

struct law {
    double mu, ratio; // mu/Lam
};

static struct law law_of(double young, double poisson)
{
    return (struct law){young / (2 * (1 + poisson)), 1 - 2 * poisson};
}

static double det_of(const double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void cofactors(const double m[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
}

// Columns are x1 - x0, x2 - x0, x3 - x0.
static void columns(const double *x[4], double out[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            out[axis][k] = x[k + 1][axis] - x[0][axis];
        }
    }
}

static struct element element_at(const double *x[4])
{
    struct element element;
    double d[3][3], c[3][3];
    columns(x, d);
    cofactors(d, c);
    const double det = det_of(d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            element.p[i][j] = c[j][i] / det;
        }
    }
    element.volume = fabs(det) / 6;
    return element;
}

struct rows {
    double c_d, c_h, j, d[4][3], h[4][3]; // C, J, and gradients
};

static struct rows rows_at(const struct element *element, double ratio, const double *x[4])
{
    struct rows rows;
    double d[3][3], f[3][3] = {{0}}, cof[3][3], size2 = 0;
    columns(x, d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                f[i][j] += d[i][k] * element->p[k][j];
            }
            size2 += f[i][j] * f[i][j];
        }
    }
    cofactors(f, cof);
    rows.c_d = sqrt(size2);
    rows.j = det_of(f);
    rows.c_h = rows.j - (1 + ratio);
    for (int axis = 0; axis < 3; axis++) {
        rows.d[0][axis] = rows.h[0][axis] = 0;
        for (int k = 1; k < 4; k++) {
            rows.d[k][axis] = rows.h[k][axis] = 0;
            for (int j = 0; j < 3; j++) {
                rows.d[k][axis] += size2 > 0 ? f[axis][j] / rows.c_d * element->p[k - 1][j] : 0;
                rows.h[k][axis] += cof[axis][j] * element->p[k - 1][j];
            }
            rows.d[0][axis] -= rows.d[k][axis];
            rows.h[0][axis] -= rows.h[k][axis];
        }
    }
    return rows;
}

static double weight(const double w[4], const double a[4][3], const double b[4][3])
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += w[k] * (a[k][0] * b[k][0] + a[k][1] * b[k][1] + a[k][2] * b[k][2]);
    }
    return sum;
}

// |F(y)|^2 of a field y of the corners.
static double field_square(const struct element *element, const double y[4][3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int j = 0; j < 3; j++) {
            double f = 0;
            for (int k = 0; k < 3; k++) {
                f += (y[k + 1][axis] - y[0][axis]) * element->p[k][j];
            }
            square += f * f;
        }
    }
    return square;
}

// The share of the step along r = d - t h that goes no farther than to the least energy along it.
static double share_of(const struct element *element, const struct rows *rows, const double w[4], double a_d,
                       double a_h)
{
    const double h_h = weight(w, rows->h, rows->h), t = weight(w, rows->d, rows->h) / h_h;
    double r[4][3], y[4][3];
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            r[k][axis] = rows->d[k][axis] - t * rows->h[k][axis];
            y[k][axis] = w[k] * r[k][axis];
        }
    }
    const double gives = a_d + t * t * h_h / (h_h + a_h) * a_h;
    return fmin(1, gives * weight(w, r, r) / (2 * field_square(element, y)));
}

// One projection of both rows, with compliances over h^2. Of the part of the step along r a share is taken: it counts that much in
// the matrix, and moves that much.
static void project(const struct element *element, double ratio, double a_d, double a_h, const double w[4],
                    double x[4][3], double lambda[2])
{
    const double *at[4] = {x[0], x[1], x[2], x[3]};
    const struct rows rows = rows_at(element, ratio, at);
    const double h_h = weight(w, rows.h, rows.h), b = weight(w, rows.d, rows.h), t = b / h_h;
    const double share = share_of(element, &rows, w, a_d, a_h);
    const double a = share * (weight(w, rows.d, rows.d) - t * b) + t * b + a_d, c = h_h + a_h,
                 det = a * c - b * b;
    const double r_d = -(rows.c_d + a_d * lambda[0]), r_h = -(rows.c_h + a_h * lambda[1]);
    const double d = (c * r_d - b * r_h) / det, h = (a * r_h - b * r_d) / det;
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const double r = rows.d[k][axis] - t * rows.h[k][axis];
            x[k][axis] += w[k] * (share * d * r + (h + t * d) * rows.h[k][axis]);
        }
    }
    lambda[0] += d;
    lambda[1] += h;
}

#endif
