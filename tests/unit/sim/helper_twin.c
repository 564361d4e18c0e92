// The double-precision twin.
#include "helper_twin.h"

#include <math.h>
#include <string.h>

double twin_length(const struct twin *twin, const struct twin_distance *distance)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = twin->x[distance->a][axis] - twin->x[distance->b][axis];
        sum += d * d;
    }
    return sqrt(sum);
}

void twin_project(struct twin *twin, struct twin_distance *distance)
{
    uint32_t a = distance->a, b = distance->b;
    double w = twin->w[a] + twin->w[b], l = twin_length(twin, distance);
    if (w == 0 || l == 0) {
        return;
    }
    double n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (twin->x[a][axis] - twin->x[b][axis]) / l;
    }
    double c = l - distance->rest, step;
    if (distance->stiffness >= 0) {
        step = -(1 - pow(1 - distance->stiffness, 1.0 / twin->iterations)) * c / w;
    } else {
        double alpha = distance->compliance / (twin->h * twin->h);
        step = -(c + alpha * distance->lambda) / (w + alpha);
    }
    distance->lambda += step;
    for (int axis = 0; axis < 3; axis++) {
        twin->x[a][axis] += twin->w[a] * step * n[axis];
        twin->x[b][axis] -= twin->w[b] * step * n[axis];
    }
}

// v_k += w_k p g_k with p = -beta h C'/(1 + beta h W).
static void dashpot(struct twin *twin, uint32_t count, const uint32_t *particles, const double grad[4][3],
                    double beta)
{
    double rate = 0, weight = 0;
    for (uint32_t k = 0; k < count; k++) {
        rate += twin_dot(grad[k], twin->v[particles[k]]);
        weight += twin->w[particles[k]] * twin_dot(grad[k], grad[k]);
    }
    double push = -beta * twin->h * rate / (1 + beta * twin->h * weight);
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            twin->v[particles[k]][axis] += twin->w[particles[k]] * push * grad[k][axis];
        }
    }
}

static void distance_damp(struct twin *twin, const struct twin_distance *distance)
{
    double l = twin_length(twin, distance), grad[4][3];
    if (l == 0 || distance->compliance == 0 || distance->stiffness >= 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        grad[0][axis] = (twin->x[distance->a][axis] - twin->x[distance->b][axis]) / l;
        grad[1][axis] = -grad[0][axis];
    }
    dashpot(twin, 2, (const uint32_t[]){distance->a, distance->b}, (const double(*)[3])grad,
            distance->damping);
}

// Kind by kind. Every second iteration takes bending from the last constraint to the first.
static void twin_fours_project(struct twin *twin, uint32_t iteration)
{
    for (uint32_t first = 0, end; first < twin->four_count; first = end) {
        const bool back = iteration % 2 != 0 && twin->fours[first].kind != SIM_VOLUME;
        for (end = first + 1; end < twin->four_count && twin->fours[end].kind == twin->fours[first].kind;) {
            end++;
        }
        for (uint32_t f = first; f < end; f++) {
            twin_four_project(twin, &twin->fours[back ? end - 1 - (f - first) : f]);
        }
    }
}

void twin_substep(struct twin *twin)
{
    memcpy(twin->previous, twin->x, sizeof twin->x);
    for (uint32_t i = 0; i < twin->particle_count; i++) {
        for (int axis = 0; twin->w[i] > 0 && axis < 3; axis++) {
            twin->v[i][axis] += twin->h * twin->gravity[axis];
            twin->x[i][axis] += twin->h * twin->v[i][axis];
        }
    }
    for (uint32_t d = 0; d < twin->distance_count; d++) {
        twin->distances[d].lambda = 0;
    }
    for (uint32_t f = 0; f < twin->four_count; f++) {
        memset(twin->fours[f].lambda, 0, sizeof twin->fours[f].lambda);
    }
    for (uint32_t n = 0; n < twin->iterations; n++) {
        for (uint32_t d = 0; d < twin->distance_count; d++) {
            twin_project(twin, &twin->distances[d]);
        }
        twin_fours_project(twin, n);
    }
    for (uint32_t i = 0; i < twin->particle_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            twin->v[i][axis] = (twin->x[i][axis] - twin->previous[i][axis]) / twin->h;
        }
    }
    for (uint32_t d = 0; d < twin->distance_count; d++) {
        distance_damp(twin, &twin->distances[d]);
    }
    for (uint32_t f = 0; f < twin->four_count; f++) {
        twin_four_damp(twin, &twin->fours[f]);
    }
}

// ------------------------------------------------------------------------------------------ four particles

void twin_sub(double out[3], const double a[3], const double b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

void twin_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

double twin_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

uint32_t twin_four_components(enum sim_kind kind)
{
    return kind == SIM_QUADRATIC ? 3 : 1;
}

static double cotangent(const double corner[3], const double to[3], const double also[3], double *area)
{
    double u[3], v[3], n[3];
    twin_sub(u, to, corner);
    twin_sub(v, also, corner);
    twin_cross(n, u, v);
    double twice = sqrt(twin_dot(n, n));
    *area = twice / 2;
    return twin_dot(u, v) / twice;
}

void twin_four_flatten(struct twin_four *four, const double x[4][3])
{
    double area[2];
    double a0 = cotangent(x[0], x[1], x[2], &area[0]), a1 = cotangent(x[1], x[0], x[2], &area[0]);
    double b0 = cotangent(x[0], x[1], x[3], &area[1]), b1 = cotangent(x[1], x[0], x[3], &area[1]);
    four->k[0] = a1 + b1;
    four->k[1] = a0 + b0;
    four->k[2] = -(a0 + a1);
    four->k[3] = -(b0 + b1);
    four->f = 3 / (area[0] + area[1]);
}

struct twin_hinge {
    double e[3], a[3], b[3], to2[3], to3[3];
};

static void hinge_of(struct twin_hinge *hinge, const double x[4][3])
{
    twin_sub(hinge->e, x[1], x[0]);
    twin_sub(hinge->to2, x[2], x[0]);
    twin_sub(hinge->to3, x[3], x[0]);
    twin_cross(hinge->a, hinge->e, hinge->to2);
    twin_cross(hinge->b, hinge->to3, hinge->e);
}

double twin_theta(const double x[4][3])
{
    struct twin_hinge hinge;
    double axb[3];
    hinge_of(&hinge, x);
    twin_cross(axb, hinge.a, hinge.b);
    return atan2(twin_dot(axb, hinge.e) / sqrt(twin_dot(hinge.e, hinge.e)), twin_dot(hinge.a, hinge.b));
}

static double dihedral_value(const double x[4][3], double rest, double grad[4][3])
{
    struct twin_hinge hinge;
    hinge_of(&hinge, x);
    double e2 = twin_dot(hinge.e, hinge.e), a2 = twin_dot(hinge.a, hinge.a), b2 = twin_dot(hinge.b, hinge.b);
    double s2 = twin_dot(hinge.to2, hinge.e) / e2, s3 = twin_dot(hinge.to3, hinge.e) / e2;
    for (int axis = 0; axis < 3; axis++) {
        grad[2][axis] = -sqrt(e2) / a2 * hinge.a[axis];
        grad[3][axis] = -sqrt(e2) / b2 * hinge.b[axis];
        grad[0][axis] = -(1 - s2) * grad[2][axis] - (1 - s3) * grad[3][axis];
        grad[1][axis] = -s2 * grad[2][axis] - s3 * grad[3][axis];
    }
    double c = twin_theta(x) - rest;
    c = c > M_PI ? c - 2 * M_PI : c;
    return c <= -M_PI ? c + 2 * M_PI : c;
}

static double volume_value(const double x[4][3], double rest, double grad[4][3])
{
    double d[3][3];
    for (int k = 0; k < 3; k++) {
        twin_sub(d[k], x[k + 1], x[0]);
    }
    twin_cross(grad[1], d[1], d[2]);
    twin_cross(grad[2], d[2], d[0]);
    twin_cross(grad[3], d[0], d[1]);
    double volume = twin_dot(grad[3], d[2]) / 6;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 1; k < 4; k++) {
            grad[k][axis] /= 6;
        }
        grad[0][axis] = -(grad[1][axis] + grad[2][axis] + grad[3][axis]);
    }
    return volume - rest;
}

void twin_four_value(const struct twin_four *four, const double x[4][3], double c[3], double grad[3][4][3])
{
    double scale = four->scale == 0 ? 1 : four->scale, kx[3] = {0};
    memset(c, 0, 3 * sizeof *c);
    memset(grad, 0, 3 * sizeof *grad);
    if (four->kind == SIM_DIHEDRAL) {
        c[0] = dihedral_value(x, four->rest, grad[0]);
    } else if (four->kind == SIM_VOLUME) {
        c[0] = volume_value(x, four->rest, grad[0]);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            kx[axis] += four->k[k] * x[k][axis];
        }
    }
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            if (four->kind == SIM_ISOMETRIC) {
                grad[0][k][axis] = four->f * four->k[k] * kx[axis];
            } else if (four->kind == SIM_QUADRATIC) {
                c[axis] = sqrt(four->f) * kx[axis];
                grad[axis][k][axis] = sqrt(four->f) * four->k[k];
            }
        }
    }
    if (four->kind == SIM_ISOMETRIC) {
        c[0] = four->f / 2 * twin_dot(kx, kx);
    }
    for (int n = 0; n < 3; n++) {
        c[n] *= scale;
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                grad[n][k][axis] *= scale;
            }
        }
    }
}

void twin_four_project(struct twin *twin, struct twin_four *four)
{
    double alpha = four->compliance / (twin->h * twin->h);
    double x[4][3], c[3], grad[3][4][3];
    for (int k = 0; k < 4; k++) {
        memcpy(x[k], twin->x[four->p[k]], sizeof x[k]);
    }
    twin_four_value(four, (const double(*)[3])x, c, grad);
    for (uint32_t n = 0; n < twin_four_components(four->kind); n++) {
        double weight = 0;
        for (int k = 0; k < 4; k++) {
            weight += twin->w[four->p[k]] * twin_dot(grad[n][k], grad[n][k]);
        }
        double step;
        if (four->stiffness >= 0) {
            step = weight == 0 ? 0 : -(1 - pow(1 - four->stiffness, 1.0 / twin->iterations)) * c[n] / weight;
        } else if (weight + alpha == 0) {
            step = 0;
        } else {
            step = -(c[n] + alpha * four->lambda[n]) / (weight + alpha);
        }
        four->lambda[n] += step;
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                twin->x[four->p[k]][axis] += twin->w[four->p[k]] * step * grad[n][k][axis];
            }
        }
    }
}

// The part of the vector form along the stencil's normal, which is that of the sum of its twice-area normals.
void twin_four_damp(struct twin *twin, const struct twin_four *four)
{
    double x[4][3], c[3], grad[3][4][3];
    if (four->damping == 0 || four->compliance == 0 || four->stiffness >= 0) {
        return;
    }
    for (int k = 0; k < 4; k++) {
        memcpy(x[k], twin->x[four->p[k]], sizeof x[k]);
    }
    twin_four_value(four, (const double(*)[3])x, c, grad);
    if (four->kind == SIM_QUADRATIC) {
        struct twin_hinge hinge;
        double n[3];
        hinge_of(&hinge, (const double(*)[3])x);
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = hinge.a[axis] + hinge.b[axis];
        }
        double length = sqrt(twin_dot(n, n));
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                grad[0][k][axis] = sqrt(four->f) * four->k[k] * n[axis] / length;
            }
        }
    }
    dashpot(twin, 4, four->p, (const double(*)[3])grad[0], four->damping);
}
