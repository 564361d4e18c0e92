// Convex hulls as rigid pieces: their volume, their centre of mass and their inertia, by exact integrals over the surface.
//
// With triangles (a, b, c), counterclockwise from outside, D = a . (b x c) and S = a + b + c:
//
//     6 V = sum D      24 V m = sum D S      120 P_ij = sum D (a_i a_j + b_i b_j + c_i c_j + S_i S_j)
//     I = tr P - P, of a density of 1 about the origin
//
// A hull is moved until its centre of mass is at its origin. Its vertices lie on a grid (ground/hull.c), so a move leaves some of the
// distance, and it is moved again. What is left is below CENTRED of the size, or more of a thin one, whose centre moves more when
// vertices are rounded. A hull that is so near already stays as it is. So the vertices of one make the same hull again.

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <stdlib.h>
#include <string.h>

#define CENTRED 2.384185791015625e-7 // 2^-22
#define STRAIGHT CENTRED             // of the trace: products of inertia that are no more are none
#define THIN 1e-3                    // of the farthest vertex: how near to a face the centre of mass may be
#define FARTHEST 1e9                 // m: coordinates that are given
enum { MOVES = 16 };

struct sums {
    double volume, centre[3]; // m^3, m
    double square[3];         // m^5: P_xx, P_yy, P_zz
    double cross[3];          // P_yz, P_xz, P_xy
};

static void sums_find(const struct sim_hull *hull, struct sums *sums)
{
    *sums = (struct sums){0};
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *a = hull->vertices[hull->faces[f].corners[0]],
                     *b = hull->vertices[hull->faces[f].corners[1]],
                     *c = hull->vertices[hull->faces[f].corners[2]];
        const double all[3] = {(a[0] + b[0]) + c[0], (a[1] + b[1]) + c[1], (a[2] + b[2]) + c[2]};
        double across[3];
        sim_cross(b, c, across);
        const double d = sim_dot(a, across);
        sums->volume += d;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sums->centre[i] += d * all[i];
            sums->square[i] += d * (((a[i] * a[i] + b[i] * b[i]) + c[i] * c[i]) + all[i] * all[i]);
            sums->cross[i] += d * (((a[j] * a[k] + b[j] * b[k]) + c[j] * c[k]) + all[j] * all[k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        sums->centre[i] = sums->volume > 0 ? sums->centre[i] / (4 * sums->volume) : 0;
        sums->square[i] /= 120;
        sums->cross[i] /= 120;
    }
    sums->volume /= 6;
}

// How far the farthest vertex is from the origin, and the nearest face. Below 0 the origin is outside.
static void reaches(const struct sim_hull *hull, double *most, double *inner)
{
    *most = 0;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const double size = __builtin_sqrt(sim_dot(hull->vertices[i], hull->vertices[i]));
        *most = size > *most ? size : *most;
    }
    *inner = *most;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        *inner = hull->faces[f].offset < *inner ? hull->faces[f].offset : *inner;
    }
}

// Moves all points, if the origin is not among them, so that their grid is as fine as it can be.
static enum fault_code points_take(const struct sim_rigid_shape *shape, double *points, double centre[3],
                                   struct fault *fault)
{
    const uint32_t count = shape->points ? shape->point_count : 0;
    if (count < 4 || count > SIM_HULL_POINTS_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "rigid.points", "%u points; a hull needs 4 to %d", count,
                              SIM_HULL_POINTS_MAX);
    }
    for (int axis = 0; axis < 3; axis++) {
        double least = FARTHEST, most = -FARTHEST;
        for (uint32_t i = 0; i < count; i++) {
            const double at = shape->points[3 * (size_t)i + (size_t)axis];
            if (!(at >= -FARTHEST && at <= FARTHEST)) {
                return fault_code_set(fault, FAULT_INVALID, "rigid.points",
                                      "[%zu] is %g m; must be in [%g, %g]", 3 * (size_t)i + (size_t)axis, at,
                                      -FARTHEST, FARTHEST);
            }
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        const double by = least <= 0 && most >= 0 ? 0 : 0.5 * (least + most);
        centre[axis] = by;
        for (uint32_t i = 0; i < count; i++) {
            points[3 * (size_t)i + (size_t)axis] = shape->points[3 * (size_t)i + (size_t)axis] - by;
        }
    }
    return FAULT_NONE;
}

// Makes the hull, whose faults are told with the name of the field.
static enum fault_code hull_of(const double *points, uint32_t count, struct sim_hull **out,
                               struct fault *fault)
{
    const enum fault_code status = sim_hull_make(points, count, 2 * FARTHEST, out, fault);
    return status == FAULT_NONE || status == FAULT_MEMORY
               ? status
               : fault_code_set(fault, status, "rigid.points", "%s", fault ? fault->text : "");
}

// Whether the hull is near enough to its centre of mass. If not, fills in the points that are to be made a hull next, and moves the
// centre to where that is.
static bool is_centred(const struct sim_hull *hull, double *points, double centre[3])
{
    struct sums sums;
    double most, inner;
    sums_find(hull, &sums);
    reaches(hull, &most, &inner);
    const double away2 = sim_dot(sums.centre, sums.centre);
    if (inner > 0 && __builtin_sqrt(away2) * inner <= CENTRED * most * most) {
        return true;
    }
    for (uint32_t i = 0; i < 3 * hull->vertex_count; i++) {
        points[i] = hull->vertices[i / 3][i % 3] - sums.centre[i % 3];
    }
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] += sums.centre[axis];
    }
    return false;
}

static enum fault_code hull_check(const struct sim_hull *hull, double resolution, struct fault *fault)
{
    const double least = SIM_THICKNESS_QUANTA_MIN * resolution, farthest = SIM_MOVE_MAX * resolution;
    double most, inner;
    reaches(hull, &most, &inner);
    if (hull->vertex_count > SIM_RIGID_HULL_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, "rigid.points",
                              "the hull has %u vertices; at most %d. Give fewer points", hull->vertex_count,
                              SIM_RIGID_HULL_MAX);
    }
    if (most > farthest) {
        return fault_code_set(fault, FAULT_INVALID, "rigid.points",
                              "a vertex is %g m from the centre of mass; must be at most %g m. " SIM_COARSER,
                              most, farthest);
    }
    return inner >= least && inner >= THIN * most
               ? FAULT_NONE
               : fault_code_set(
                     fault, FAULT_INVALID, "rigid.points",
                     "a face is %g m from the centre of mass; must be at least %g m, which is %g of "
                     "the farthest vertex and %d quanta",
                     inner, THIN * most > least ? THIN * most : least, THIN, SIM_THICKNESS_QUANTA_MIN);
}

enum fault_code sim_rigid_hull_make(const struct sim_rigid_shape *shape, double resolution,
                                    struct sim_hull **out, double centre[3], struct fault *fault)
{
    double *points = calloc(3 * (size_t)SIM_HULL_POINTS_MAX, sizeof *points);
    struct sim_hull *hull = NULL;
    *out = NULL;
    memset(centre, 0, 3 * sizeof *centre);
    if (!points) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = points_take(shape, points, centre, fault);
    status = status != FAULT_NONE ? status : hull_of(points, shape->point_count, &hull, fault);
    for (int i = 0; status == FAULT_NONE && i < MOVES && !is_centred(hull, points, centre); i++) {
        const uint32_t count = hull->vertex_count;
        free(hull);
        status = hull_of(points, count, &hull, fault);
    }
    status = status != FAULT_NONE ? status : hull_check(hull, resolution, fault);
    if (status == FAULT_NONE && !is_centred(hull, points, centre)) {
        status = fault_code_set(fault, FAULT_INVALID, "rigid.points",
                                "are too thin to have a centre of mass; must hold more volume");
    }
    free(points);
    if (status != FAULT_NONE) {
        free(hull);
        return status;
    }
    *out = hull;
    return FAULT_NONE;
}

// Fills in the inverse, if there are products of inertia.
static void inertia_invert(struct sim_rigid_own *own)
{
    if (!own->skewed) {
        own->skew[0] = own->skew[1] = own->skew[2] = 0;
        return;
    }
    // The inverse by minors.
    const double *d = own->inertia, *s = own->skew;
    double minors[3], beside[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        minors[i] = d[j] * d[k] - s[i] * s[i];
        beside[i] = s[j] * s[k] - s[i] * d[i];
    }
    const double determinant = (d[0] * minors[0] + s[2] * beside[2]) + s[1] * beside[1];
    for (int i = 0; i < 3; i++) {
        own->inverse[i] = minors[i] / determinant;
        own->inverse_skew[i] = beside[i] / determinant;
    }
}

void sim_rigid_hull_measure(struct sim_rigid_own *own)
{
    struct sums sums;
    sums_find(own->hull, &sums);
    const double trace = (sums.square[0] + sums.square[1]) + sums.square[2];
    own->volume = sums.volume;
    own->skewed = false;
    for (int i = 0; i < 3; i++) {
        own->inertia[i] = (trace - sums.square[i]) / sums.volume;
        own->skew[i] = -sums.cross[i] / sums.volume;
        own->skewed |= __builtin_fabs(sums.cross[i]) > STRAIGHT * trace;
    }
    inertia_invert(own);
}

void sim_rigid_inertia_invert(struct sim_rigid_own *own, double straight)
{
    own->skewed = false;
    for (int i = 0; i < 3; i++) {
        own->skewed |= __builtin_fabs(own->skew[i]) > straight;
    }
    inertia_invert(own);
}
