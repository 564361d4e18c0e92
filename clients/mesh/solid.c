// The solid that a closed surface encloses: whether there is one, and its volume, centre of mass and inertia.
//
// With triangles (a, b, c), counterclockwise from outside, D = a . (b x c) and S = a + b + c (B. Mirtich, "Fast and Accurate
// Computation of Polyhedral Mass Properties", 1996; D. Eberly, "Polyhedral Mass Properties (Revisited)", 2002):
//
//     6 V = sum D      24 V m = sum D S      120 P_ij = sum D (a_i a_j + b_i b_j + c_i c_j + S_i S_j)
//     I = tr P - P, of a density of 1 about the origin
//
// The sums are made about the middle of the bounds, and moved to the centre of mass afterwards.
#include "edges.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 20, SAMPLES_LEAST = 3 }; // along each axis; so many tell of an overlap
static const double OVERLAP = 1e-3;       // of the samples inside: how many may be inside twice
static const double NOTHING = 1e-12;      // of the cube of the extent: what is less is no volume
static const double OFF =
    0.618033988749895; // of a cell: where its sample lies, so that it meets no plane of a drawing

// ---------------------------------------------------------------------------------------------------------
// Whether it is closed

// The edges that are not run through as often one way as the other; *first: the place of one of them.
static bool count_open(const struct mesh *mesh, uint32_t *open, double first[3])
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    struct mesh_side *sides = mesh_sides(mesh);
    *open = 0;
    for (size_t i = 0, n; sides && i < count; i += n) {
        n = mesh_sides_of_edge(sides, count, i);
        size_t upward = 0;
        for (size_t k = i; k < i + n; k++) {
            upward += sides[k].upward;
        }
        if (2 * upward == n) {
            continue;
        }
        for (size_t axis = 0; *open == 0 && axis < 3; axis++) {
            first[axis] = 0.5 * (mesh->positions[3 * (size_t)sides[i].low + axis] +
                                 mesh->positions[3 * (size_t)sides[i].high + axis]);
        }
        (*open)++;
    }
    free(sides);
    return sides != NULL;
}

static bool check_closed(const struct mesh *mesh, const struct mesh_shape *shape, struct fault *fault)
{
    uint32_t open;
    double at[3] = {0};
    if (mesh->triangle_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "it has no triangles; a rigid body needs a closed surface");
    }
    if (shape->one_sided > 0) {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "%u of its components %s only one side, as a Moebius strip has; a rigid body needs an "
            "inside and an outside",
            shape->one_sided, shape->one_sided == 1 ? "has" : "have");
    }
    if (!count_open(mesh, &open, at)) {
        return mesh_fail_memory(fault);
    }
    return open == 0 ||
           fault_set(
               fault, FAULT_INVALID, NULL,
               "it is not closed: %u %s no triangle on one side, the first at %.4g, %.4g, %.4g m, and the "
               "holes have %.2g %% of its area; a rigid body needs a closed surface",
               open, open == 1 ? "edge has" : "edges have", at[0], at[1], at[2],
               shape->area > 0 ? 100 * shape->hole_area / shape->area : 0);
}

// ---------------------------------------------------------------------------------------------------------
// Whether it passes through itself

static bool check_once(const struct mesh *mesh, const struct mesh_bounds *bounds, struct fault *fault)
{
    struct mesh_winding *winding = mesh_winding_create(mesh);
    uint32_t inside = 0, twice = 0;
    double at[3] = {0};
    if (!winding) {
        return mesh_fail_memory(fault);
    }
    for (int i = 0; i < SAMPLES * SAMPLES * SAMPLES; i++) {
        const int cell[3] = {i % SAMPLES, i / SAMPLES % SAMPLES, i / (SAMPLES * SAMPLES)};
        double p[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] =
                bounds->low[axis] + (cell[axis] + OFF) / SAMPLES * (bounds->high[axis] - bounds->low[axis]);
        }
        const double turns = mesh_winding_at(winding, p);
        inside += turns > 0.5;
        if (turns > 1.5 || turns < -0.5) {
            memcpy(at, p, sizeof at);
            twice++;
        }
    }
    mesh_winding_destroy(winding);
    return twice < SAMPLES_LEAST || twice <= OVERLAP * inside ||
           fault_set(
               fault, FAULT_INVALID, NULL,
               "it passes through itself, or parts of it overlap: about %.2g %% of its inside is there more "
               "than once, as at %.4g, %.4g, %.4g m; unite the parts (a Boolean union), or turn the "
               "triangles of a cavity inwards",
               100.0 * twice / (inside > twice ? inside : twice), at[0], at[1], at[2]);
}

// ---------------------------------------------------------------------------------------------------------
// Its measures

static void sums(const struct mesh *mesh, const double middle[3], double *volume, double first[3],
                 double second[3][3])
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double p[3][3], all[3];
        for (size_t k = 0; k < 3; k++) {
            for (size_t axis = 0; axis < 3; axis++) {
                p[k][axis] = mesh->positions[3 * (size_t)mesh->triangles[3 * t + k] + axis] - middle[axis];
            }
        }
        const double d = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                         p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                         p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        *volume += d / 6;
        for (int i = 0; i < 3; i++) {
            all[i] = p[0][i] + p[1][i] + p[2][i];
            first[i] += d * all[i] / 24;
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                second[i][j] +=
                    d * (p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j] + all[i] * all[j]) / 120;
            }
        }
    }
}

bool mesh_solid(const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_solid *solid,
                struct fault *fault)
{
    struct mesh_bounds bounds;
    double middle[3], first[3] = {0}, second[3][3] = {{0}}, extent = 0, volume = 0;
    memset(solid, 0, sizeof *solid);
    if (!check_closed(mesh, shape, fault)) {
        return false;
    }
    mesh_bounds(mesh, &bounds);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = 0.5 * (bounds.low[axis] + bounds.high[axis]);
        extent = fmax(extent, bounds.high[axis] - bounds.low[axis]);
    }
    sums(mesh, middle, &volume, first, second);
    if (!(volume > NOTHING * extent * extent * extent)) {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "it encloses %.3g m^3, which is nothing for a mesh of %.3g m; a rigid body needs a volume",
            volume, extent);
    }
    if (!check_once(mesh, &bounds, fault)) {
        return false;
    }
    solid->volume = volume;
    for (int i = 0; i < 3; i++) {
        first[i] /= volume;
        solid->centre[i] = middle[i] + first[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        solid->inertia[i] =
            (second[j][j] + second[k][k]) / volume - first[j] * first[j] - first[k] * first[k];
        solid->products[i] = first[j] * first[k] - second[j][k] / volume;
    }
    return true;
}
