// A closed surface to test: a ball.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_BALL_H
#define WEFT_TESTS_UNIT_SIM_HELPER_BALL_H

#include "helper_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A ball of triangles of much the same size: an icosahedron whose triangles are cut into four so many times.
static inline struct scene_mesh ball(uint32_t cuts, double radius, const double centre[3])
{
    static const double t = 1.6180339887498949;
    const double first[12][3] = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                                 {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
    static const uint32_t of_first[60] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                          4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                          6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    const size_t triangles = (size_t)20 << (2 * cuts), most = triangles / 2 + 2;
    struct scene_mesh mesh = {.particle_count = 12,
                              .triangle_count = 20,
                              .positions = malloc(3 * most * sizeof(double)),
                              .triangles = malloc(3 * triangles * sizeof(uint32_t))};
    uint32_t *next = malloc(3 * triangles * sizeof *next);
    memcpy(mesh.positions, first, sizeof first);
    memcpy(mesh.triangles, of_first, sizeof of_first);
    for (uint32_t cut = 0; cut < cuts; cut++) {
        const uint32_t vertices = mesh.particle_count;
        uint32_t *middles =
            calloc((size_t)vertices * 8, sizeof *middles); // six neighbours at most, and their middles
        uint32_t *others = calloc((size_t)vertices * 8, sizeof *others),
                 *counts = calloc(vertices, sizeof *counts);
        for (uint32_t f = 0; f < mesh.triangle_count; f++) {
            const uint32_t *v = mesh.triangles + 3 * (size_t)f;
            uint32_t m[3];
            for (int k = 0; k < 3; k++) {
                const uint32_t a = v[k] < v[(k + 1) % 3] ? v[k] : v[(k + 1) % 3],
                               b = v[k] + v[(k + 1) % 3] - a;
                uint32_t n = 0;
                while (n < counts[a] && others[8 * a + n] != b) {
                    n++;
                }
                if (n == counts[a]) {
                    others[8 * a + n] = b;
                    middles[8 * a + n] = mesh.particle_count;
                    for (int axis = 0; axis < 3; axis++) {
                        mesh.positions[3 * mesh.particle_count + (uint32_t)axis] =
                            (mesh.positions[3 * a + (uint32_t)axis] +
                             mesh.positions[3 * b + (uint32_t)axis]) /
                            2;
                    }
                    counts[a]++;
                    mesh.particle_count++;
                }
                m[k] = middles[8 * a + n];
            }
            const uint32_t four[12] = {v[0], m[0], m[2], v[1], m[1], m[0],
                                       v[2], m[2], m[1], m[0], m[1], m[2]};
            memcpy(next + 12 * (size_t)f, four, sizeof four);
        }
        mesh.triangle_count *= 4;
        memcpy(mesh.triangles, next, 3 * (size_t)mesh.triangle_count * sizeof *next);
        free(middles);
        free(others);
        free(counts);
        for (uint32_t p = 0; p < mesh.particle_count;
             p++) { // onto the ball, so that the next middles lie evenly
            double *x = mesh.positions + 3 * (size_t)p,
                   length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            for (int axis = 0; axis < 3; axis++) {
                x[axis] /= length;
            }
        }
    }
    free(next);
    for (uint32_t p = 0; p < mesh.particle_count; p++) {
        double *x = mesh.positions + 3 * (size_t)p, length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = centre[axis] + x[axis] * radius / length;
        }
    }
    return mesh;
}

#endif
