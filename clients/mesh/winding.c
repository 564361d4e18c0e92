// Winding numbers: the solid angle of all triangles seen from a point, over 4 pi.
//
//     near     each triangle's solid angle                                     (Van Oosterom, Strackee 1983)
//     far      a box of triangles as one: (c - p).A / (4 pi |c - p|^3),  A the sum of their area vectors
//
// It does not need the surface to be closed: a crack takes away only its own share of the angle (Jacobson, Kavan,
// Sorkine-Hornung 2013); the tree makes it quick (Barill and others 2018, of which this is the first order).
#include "internal.h"

#include "protocol/array/reserve.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF_MAX = 8, DEPTH_MAX = 64 };
static const double FAR = 2.5; // times a box's radius; the error is then below 0.01

struct node {
    double center[3]; // by area
    double area[3];   // vectors' sum
    double radius;    // of a ball about the centre that holds all of it
    uint32_t first, count;
    uint32_t right; // the left one follows its parent; 0: a leaf
};

struct mesh_winding {
    const double *positions;
    uint32_t *triangles; // three corners each, in the order of leaves
    struct node *nodes;
    uint32_t node_count, node_capacity;
};

struct build {
    struct mesh_winding *winding;
    double *middles; // of triangles, times 3
};

static void swap_triangles(struct build *build, uint32_t a, uint32_t b)
{
    for (size_t k = 0; k < 3; k++) {
        uint32_t *corners = build->winding->triangles;
        const uint32_t corner = corners[3 * (size_t)a + k];
        corners[3 * (size_t)a + k] = corners[3 * (size_t)b + k];
        corners[3 * (size_t)b + k] = corner;
        const double middle = build->middles[3 * (size_t)a + k];
        build->middles[3 * (size_t)a + k] = build->middles[3 * (size_t)b + k];
        build->middles[3 * (size_t)b + k] = middle;
    }
}

static void sum_up(const struct mesh_winding *winding, struct node *node)
{
    double total = 0, plain[3] = {0};
    for (uint32_t t = node->first; t < node->first + node->count; t++) {
        const double *p[3];
        double u[3], v[3], middle[3];
        for (size_t k = 0; k < 3; k++) {
            p[k] = winding->positions + 3 * (size_t)winding->triangles[3 * (size_t)t + k];
        }
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = p[1][axis] - p[0][axis];
            v[axis] = p[2][axis] - p[0][axis];
            middle[axis] = (p[0][axis] + p[1][axis] + p[2][axis]) / 3;
        }
        const double n[3] = {0.5 * (u[1] * v[2] - u[2] * v[1]), 0.5 * (u[2] * v[0] - u[0] * v[2]),
                             0.5 * (u[0] * v[1] - u[1] * v[0])};
        const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        total += area;
        for (int axis = 0; axis < 3; axis++) {
            node->area[axis] += n[axis];
            node->center[axis] += area * middle[axis];
            plain[axis] += middle[axis] / node->count;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        node->center[axis] = total > 0 ? node->center[axis] / total : plain[axis];
    }
    for (uint32_t t = 3 * node->first; t < 3 * (node->first + node->count); t++) {
        const double *p = winding->positions + 3 * (size_t)winding->triangles[t];
        const double d[3] = {p[0] - node->center[0], p[1] - node->center[1], p[2] - node->center[2]};
        node->radius = fmax(node->radius, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
}

// Halves at the middle of the longest extent of the triangles' middles; where that leaves a side empty, by number.
static uint32_t divide(struct build *build, uint32_t first, uint32_t count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t t = first; t < first + count; t++) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], build->middles[3 * (size_t)t + (size_t)axis]);
            high[axis] = fmax(high[axis], build->middles[3 * (size_t)t + (size_t)axis]);
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
    }
    const double at = (low[axis] + high[axis]) / 2;
    uint32_t left = first;
    for (uint32_t t = first; t < first + count; t++) {
        if (build->middles[3 * (size_t)t + (size_t)axis] < at) {
            swap_triangles(build, t, left++);
        }
    }
    return left == first || left == first + count ? first + count / 2 : left;
}

static bool grow(struct build *build, uint32_t first, uint32_t count, int depth)
{
    struct mesh_winding *winding = build->winding;
    const uint32_t at = winding->node_count;
    if (!array_reserve(&winding->nodes, &winding->node_capacity, at + 1)) {
        return false;
    }
    winding->nodes[at] = (struct node){.first = first, .count = count};
    sum_up(winding, &winding->nodes[at]);
    winding->node_count++;
    if (count <= LEAF_MAX || depth == DEPTH_MAX) {
        return true;
    }
    const uint32_t middle = divide(build, first, count);
    if (!grow(build, first, middle - first, depth + 1)) {
        return false;
    }
    winding->nodes[at].right = winding->node_count;
    return grow(build, middle, first + count - middle, depth + 1);
}

struct mesh_winding *mesh_winding_create(const struct mesh *mesh)
{
    const size_t count = mesh->triangle_count;
    struct mesh_winding *winding = calloc(1, sizeof *winding);
    struct build build = {.winding = winding, .middles = malloc((3 * count + 1) * sizeof *build.middles)};
    bool ok = false;
    if (!winding || !build.middles) {
        goto cleanup;
    }
    winding->positions = mesh->positions;
    winding->triangles = malloc((3 * count + 1) * sizeof *winding->triangles);
    if (!winding->triangles) {
        goto cleanup;
    }
    for (size_t t = 0; t < count; t++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double sum = 0;
            for (size_t k = 0; k < 3; k++) {
                sum += mesh->positions[3 * (size_t)mesh->triangles[3 * t + k] + axis];
            }
            build.middles[3 * t + axis] = sum;
            winding->triangles[3 * t + axis] = mesh->triangles[3 * t + axis];
        }
    }
    ok = count == 0 || grow(&build, 0, mesh->triangle_count, 0);

cleanup:
    free(build.middles);
    if (!ok) {
        mesh_winding_destroy(winding);
        winding = NULL;
    }
    return winding;
}

void mesh_winding_destroy(struct mesh_winding *winding)
{
    if (winding) {
        free(winding->triangles);
        free(winding->nodes);
        free(winding);
    }
}

static double triangle_angle(const struct mesh_winding *winding, uint32_t triangle, const double point[3])
{
    double v[3][3], length[3];
    for (size_t k = 0; k < 3; k++) {
        const double *p = winding->positions + 3 * (size_t)winding->triangles[3 * (size_t)triangle + k];
        for (int axis = 0; axis < 3; axis++) {
            v[k][axis] = p[axis] - point[axis];
        }
        length[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
    }
    const double above = (v[0][1] * v[1][2] - v[0][2] * v[1][1]) * v[2][0] +
                         (v[0][2] * v[1][0] - v[0][0] * v[1][2]) * v[2][1] +
                         (v[0][0] * v[1][1] - v[0][1] * v[1][0]) * v[2][2];
    double below = length[0] * length[1] * length[2];
    for (int k = 0; k < 3; k++) {
        const double *a = v[k], *b = v[(k + 1) % 3];
        below += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[(k + 2) % 3];
    }
    return 2 * atan2(above, below);
}

double mesh_winding_at(const struct mesh_winding *winding, const double point[3])
{
    uint32_t stack[DEPTH_MAX + 2];
    int height = 0;
    double sum = 0;
    if (winding->node_count) {
        stack[height++] = 0;
    }
    while (height > 0) {
        const uint32_t at = stack[--height];
        const struct node *node = &winding->nodes[at];
        const double d[3] = {node->center[0] - point[0], node->center[1] - point[1],
                             node->center[2] - point[2]};
        const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (distance > FAR * node->radius && distance > 0) {
            sum += (d[0] * node->area[0] + d[1] * node->area[1] + d[2] * node->area[2]) /
                   (distance * distance * distance);
        } else if (node->right) {
            stack[height++] = node->right;
            stack[height++] = at + 1;
        } else {
            for (uint32_t t = node->first; t < node->first + node->count; t++) {
                sum += triangle_angle(winding, t, point);
            }
        }
    }
    return sum / (4 * 3.14159265358979323846);
}
