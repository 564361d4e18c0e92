#include "helper_solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------- the law in double, by F and P

struct solid_law solid_law(double young, double poisson)
{
    return (struct solid_law){young / (2 * (1 + poisson)), 1 - 2 * poisson};
}

double solid_det(const double m[3][3])
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

void solid_columns(const double *x[4], double out[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            out[axis][k] = x[k + 1][axis] - x[0][axis];
        }
    }
}

struct solid_element solid_element(const double *x[4])
{
    struct solid_element element;
    double d[3][3], c[3][3];
    solid_columns(x, d);
    cofactors(d, c);
    const double det = solid_det(d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            element.p[i][j] = c[j][i] / det;
        }
    }
    element.volume = fabs(det) / 6;
    return element;
}

struct solid_rows solid_rows(const struct solid_element *element, double ratio, const double *x[4])
{
    struct solid_rows rows;
    double d[3][3], f[3][3] = {{0}}, cof[3][3], size2 = 0;
    solid_columns(x, d);
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
    rows.j = solid_det(f);
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
static double field_square(const struct solid_element *element, const double y[4][3])
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
static double share_of(const struct solid_element *element, const struct solid_rows *rows, const double w[4],
                       double a_d, double a_h)
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

void solid_project(const struct solid_element *element, double ratio, double a_d, double a_h,
                   const double w[4], double x[4][3], double lambda[2])
{
    const double *at[4] = {x[0], x[1], x[2], x[3]};
    const struct solid_rows rows = solid_rows(element, ratio, at);
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

// ------------------------------------------------------------------------------------------- static equilibrium

static void forces_of(struct solid_still *still, double gravity)
{
    const struct scene_block *block = still->block;
    for (uint32_t i = 0; i < block->particle_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            still->force[3 * i + (uint32_t)axis] = axis == 1 ? -gravity * still->mass[i] : 0;
        }
    }
    for (uint32_t t = 0; t < block->tet_count; t++) {
        const uint32_t *corner = block->tets + 4 * (size_t)t;
        const double *at[4];
        for (int k = 0; k < 4; k++) {
            at[k] = still->x + 3 * (size_t)corner[k];
        }
        const struct solid_element *element = &still->elements[t];
        const struct solid_rows rows = solid_rows(element, still->law.ratio, at);
        const double d = element->volume * still->law.mu * rows.c_d;
        const double h = element->volume * still->law.mu / still->law.ratio * rows.c_h;
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                still->force[3 * (size_t)corner[k] + (size_t)axis] -=
                    d * rows.d[k][axis] + h * rows.h[k][axis];
            }
        }
    }
}

double solid_come_to_rest(struct solid_still *still, double gravity, double step, int steps)
{
    const size_t count = 3 * (size_t)still->block->particle_count;
    double dt = step, mix = 0.1, left = 0;
    int since = 0;
    for (int i = 0; i < steps; i++) {
        double power = 0, v2 = 0, f2 = 0;
        forces_of(still, gravity);
        left = 0;
        for (size_t n = 0; n < count; n++) {
            still->force[n] = still->held[n / 3] ? 0 : still->force[n];
            power += still->force[n] * still->velocity[n];
            v2 += still->velocity[n] * still->velocity[n];
            f2 += still->force[n] * still->force[n];
            left = fmax(left, fabs(still->force[n]));
        }
        since = power > 0 ? since + 1 : 0;
        for (size_t n = 0; n < count; n++) {
            double v = power > 0
                           ? (1 - mix) * still->velocity[n] + mix * still->force[n] * sqrt(v2 / (f2 + 1e-300))
                           : 0;
            still->velocity[n] = v + dt * still->force[n];
            still->x[n] += dt * still->velocity[n];
        }
        dt = power > 0 ? (since > 5 ? fmin(1.1 * dt, 4 * step) : dt) : 0.5 * dt;
        mix = power > 0 ? (since > 5 ? 0.99 * mix : mix) : 0.1;
    }
    return left;
}

struct solid_still solid_still_create(const struct scene_block *block, double young, double poisson,
                                      double density)
{
    const size_t count = block->particle_count;
    struct solid_still still = {.block = block, .law = solid_law(young, poisson)};
    still.elements = malloc(block->tet_count * sizeof *still.elements);
    still.held = calloc(count, sizeof *still.held);
    still.mass = calloc(count, sizeof *still.mass);
    still.x = malloc(3 * count * sizeof *still.x);
    still.force = calloc(3 * count, sizeof *still.force);
    still.velocity = calloc(3 * count, sizeof *still.velocity);
    memcpy(still.x, block->positions, 3 * count * sizeof *still.x);
    for (uint32_t t = 0; t < block->tet_count; t++) {
        const uint32_t *corner = block->tets + 4 * (size_t)t;
        const double *at[4];
        for (int k = 0; k < 4; k++) {
            at[k] = still.x + 3 * (size_t)corner[k];
        }
        still.elements[t] = solid_element(at);
        for (int k = 0; k < 4; k++) {
            still.mass[corner[k]] += density * still.elements[t].volume / 4;
        }
    }
    return still;
}

void solid_still_destroy(struct solid_still *still)
{
    free(still->elements);
    free(still->held);
    free(still->mass);
    free(still->x);
    free(still->force);
    free(still->velocity);
}
