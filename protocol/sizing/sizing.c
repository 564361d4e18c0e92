// Lengths of edges, and the thickness that follows from them.
#include "protocol/sizing/sizing.h"

#include <math.h>
#include <stdlib.h>

static double length_of(const struct sizing_mesh *mesh, uint32_t a, uint32_t b)
{
    const double *p = mesh->positions + 3 * (size_t)a, *q = mesh->positions + 3 * (size_t)b;
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static int length_compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

bool sizing_init(struct sizing *sizing, const struct sizing_mesh *mesh)
{
    const uint32_t corners = mesh->corners, sides = corners * (corners - 1) / 2;
    const uint64_t all = (uint64_t)mesh->element_count * sides;
    const uint64_t step = 1 + all / SIZING_LENGTHS_MAX;
    double sum = 0;
    *sizing = (struct sizing){.lengths = malloc((size_t)(all / step + sides + 1) * sizeof *sizing->lengths)};
    if (!sizing->lengths) {
        return false;
    }
    for (uint32_t e = 0; e < mesh->element_count; e++) {
        const uint32_t *corner = mesh->elements + (size_t)e * corners;
        for (uint32_t i = 0; i < corners; i++) {
            for (uint32_t j = 0; j < i; j++) {
                const double length = length_of(mesh, corner[i], corner[j]);
                sum += length;
                if (e % step == 0 && length > 0) {
                    sizing->lengths[sizing->count++] = length;
                }
            }
        }
    }
    const uint32_t count = sizing->count;
    if (count > 0) {
        qsort(sizing->lengths, count, sizeof *sizing->lengths, length_compare);
        sizing->mean = sum / (double)mesh->element_count / sides;
        sizing->least = sizing->lengths[0];
        sizing->median = sizing->lengths[count / 2];
        sizing->small = sizing->lengths[(uint32_t)(SIZING_SHORT_SHARE * count)];
    }
    return true;
}

void sizing_deinit(struct sizing *sizing)
{
    free(sizing->lengths);
    *sizing = (struct sizing){0};
}

double sizing_thickness(const struct sizing *sizing, double floor)
{
    const double usual = fmin(SIZING_OF_MEAN * sizing->mean, SIZING_THICKNESS_MAX);
    return fmin(usual, fmax(SIZING_OF_SHORT * sizing->small, floor));
}

double sizing_share_below(const struct sizing *sizing, double length)
{
    uint32_t low = 0, high = sizing->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sizing->lengths[middle] < length) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return sizing->count > 0 ? (double)low / sizing->count : 0;
}
