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
    double n[3], rate = 0;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (twin->x[a][axis] - twin->x[b][axis]) / l;
        rate += n[axis] *
                ((twin->x[a][axis] - twin->previous[a][axis]) - (twin->x[b][axis] - twin->previous[b][axis]));
    }
    double c = l - distance->rest, step;
    if (distance->stiffness >= 0) {
        step = -(1 - pow(1 - distance->stiffness, 1.0 / twin->iterations)) * c / w;
    } else {
        double alpha = distance->compliance / (twin->h * twin->h);
        double gamma = distance->compliance * distance->damping / twin->h;
        step = -(c + alpha * distance->lambda + gamma * rate) / ((1 + gamma) * w + alpha);
    }
    distance->lambda += step;
    for (int axis = 0; axis < 3; axis++) {
        twin->x[a][axis] += twin->w[a] * step * n[axis];
        twin->x[b][axis] -= twin->w[b] * step * n[axis];
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
    for (uint32_t n = 0; n < twin->iterations; n++) {
        for (uint32_t d = 0; d < twin->distance_count; d++) {
            twin_project(twin, &twin->distances[d]);
        }
    }
    for (uint32_t i = 0; i < twin->particle_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            twin->v[i][axis] = (twin->x[i][axis] - twin->previous[i][axis]) / twin->h;
        }
    }
}
