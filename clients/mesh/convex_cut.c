// Cutting a piece of a solid, and finding where.
//
// Candidates are planes along the axes: through the largest flat faces there, and evenly spaced ones. The planes of an axis divide the
// piece into slabs. One pass over the triangles gives the points of each slab, whose hull is a few points; hulls of the slabs below
// and above each plane are then hulls of few points. The volume below a plane x = c follows from the whole closed surface, by the
// flux of min(x, c).
#include "convex.h"

#include "protocol/array/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVEN = 15, FLATS = 12, PLANES = EVEN + FLATS, SLAB_VERTICES = 32, SIDE_VERTICES = 48 };
static const double MARGIN =
    3e-3; // of the piece's extent: how near planes come to its ends and to each other
static const double BALANCE =
    0.05; // of what the hull has too much: the price of a cut that leaves one side nothing

static bool soup_add(struct mesh_soup *soup, const double *a, const double *b, const double *c)
{
    if (!array_reserve(&soup->corners, &soup->capacity, 9 * (soup->count + 1))) {
        return false;
    }
    double *to = soup->corners + 9 * soup->count++;
    memcpy(to, a, 3 * sizeof *to);
    memcpy(to + 3, b, 3 * sizeof *to);
    memcpy(to + 6, c, 3 * sizeof *to);
    return true;
}

static bool soup_add_polygon(struct mesh_soup *soup, double (*polygon)[3], int count)
{
    bool good = true;
    for (int k = 2; k < count && good; k++) {
        good = soup_add(soup, polygon[0], polygon[k - 1], polygon[k]);
    }
    return good;
}

// Twice the area of a triangle as seen along the axis, positive if it faces that way.
static double seen_area(const double *p, int axis)
{
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    return (p[3 + y] - p[y]) * (p[6 + z] - p[z]) - (p[3 + z] - p[z]) * (p[6 + y] - p[y]);
}

void mesh_piece_deinit(struct mesh_piece *piece)
{
    free(piece->own.corners);
    free(piece->caps.corners);
    memset(piece, 0, sizeof *piece);
}

// ---------------------------------------------------------------------------------------------------------
// Measures

static double soup_volume(const struct mesh_soup *soup, const double middle[3])
{
    double sum = 0;
    for (size_t t = 0; t < soup->count; t++) {
        double p[9];
        for (int k = 0; k < 9; k++) {
            p[k] = soup->corners[9 * t + (size_t)k] - middle[k % 3];
        }
        sum += p[0] * (p[4] * p[8] - p[5] * p[7]) + p[1] * (p[5] * p[6] - p[3] * p[8]) +
               p[2] * (p[3] * p[7] - p[4] * p[6]);
    }
    return sum / 6;
}

bool mesh_piece_measure(struct mesh_piece *piece, const struct mesh_inside *inside, double near)
{
    const size_t count = 3 * piece->own.count;
    double middle[3];
    double *points = malloc((3 * count + 24) * sizeof *points);
    if (!points) {
        return false;
    }
    memcpy(points, piece->own.corners ? piece->own.corners : points, 3 * count * sizeof *points);
    size_t all = count;
    for (int k = 0; k < 8; k++) {
        double *corner = points + 3 * all;
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (k >> axis & 1 ? piece->high : piece->low)[axis];
        }
        all += inside->is(inside->context, corner);
    }
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = 0.5 * (piece->low[axis] + piece->high[axis]);
    }
    piece->volume = soup_volume(&piece->own, middle) + soup_volume(&piece->caps, middle);
    const bool good = mesh_hull_make(points, (uint32_t)all, MESH_HULL_MAX, near, &piece->hull);
    piece->depth = good ? mesh_hull_depth(&piece->hull, points, (uint32_t)count) : 0;
    free(points);
    return good;
}

double mesh_piece_middle(const struct mesh_piece *piece, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < piece->hull.count; i++) {
        low = fmin(low, piece->hull.points[i][axis]);
        high = fmax(high, piece->hull.points[i][axis]);
    }
    return 0.5 * (low + high);
}

// ---------------------------------------------------------------------------------------------------------
// Cutting

// Finds the point at which the side from a to b meets the plane. They lie on different sides of it.
static void meet(const double *a, const double *b, struct mesh_cut cut, double out[3])
{
    // From below to above, so that both triangles of a side find the same point.
    const double *below = a[cut.axis] < b[cut.axis] ? a : b, *above = below == a ? b : a;
    const double part = (cut.at - below[cut.axis]) / (above[cut.axis] - below[cut.axis]);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = below[axis] + part * (above[axis] - below[axis]);
    }
    out[cut.axis] = cut.at;
}

struct cutting {
    struct mesh_cut cut;
    double tiny;
    double apex[3]; // of the fans
    bool has_apex;
    struct mesh_piece *below, *above;
};

static bool close_both(struct cutting *cutting, const double *leaves, const double *comes)
{
    if (!cutting->has_apex) {
        memcpy(cutting->apex, leaves, sizeof cutting->apex);
        cutting->has_apex = true;
    }
    return soup_add(&cutting->below->caps, cutting->apex, comes, leaves) &&
           soup_add(&cutting->above->caps, cutting->apex, leaves, comes);
}

static bool cut_triangle(struct cutting *cutting, const double *corners, bool is_cap)
{
    const int x = cutting->cut.axis;
    const double at = cutting->cut.at, tiny = cutting->tiny;
    struct mesh_soup *below = is_cap ? &cutting->below->caps : &cutting->below->own,
                     *above = is_cap ? &cutting->above->caps : &cutting->above->own;
    double under[4][3], over[4][3], leaves[3] = {0}, comes[3] = {0};
    int unders = 0, overs = 0;
    bool beyond = false;
    for (int k = 0; k < 3; k++) {
        const double *p = corners + 3 * (size_t)k, *q = corners + 3 * (size_t)((k + 1) % 3);
        const bool p_under = p[x] < at - tiny, q_under = q[x] < at - tiny;
        beyond = beyond || p[x] > at + tiny;
        memcpy(p_under ? under[unders] : over[overs], p, sizeof under[0]);
        *(p_under ? &unders : &overs) += 1;
        if (p_under != q_under) {
            double *met = p_under ? leaves : comes;
            // A corner in the plane is where its sides meet it.
            if ((p_under ? q : p)[x] <= at + tiny) {
                memcpy(met, p_under ? q : p, sizeof leaves);
            } else {
                meet(p, q, cutting->cut, met);
            }
            memcpy(under[unders++], met, sizeof under[0]);
            memcpy(over[overs++], met, sizeof over[0]);
        }
    }
    if (overs == 0) {
        return soup_add_polygon(below, under, unders);
    }
    if (unders == 0 && !beyond) {
        // It lies in the plane. It bounds what is on the side that its normal points away from.
        return soup_add_polygon(seen_area(corners, x) > 0 ? &cutting->above->caps : above, over, overs);
    }
    if (unders == 0) {
        return soup_add_polygon(above, over, overs);
    }
    return soup_add_polygon(below, under, unders) && (!beyond || soup_add_polygon(above, over, overs)) &&
           close_both(cutting, leaves, comes);
}

bool mesh_piece_cut(const struct mesh_piece *piece, struct mesh_cut cut, double tiny,
                    struct mesh_piece *below, struct mesh_piece *above)
{
    struct cutting cutting = {.cut = cut, .tiny = tiny, .below = below, .above = above};
    const struct mesh_piece empty = {0};
    bool good = true;
    *below = *above = empty;
    for (size_t axis = 0; axis < 3; axis++) {
        below->low[axis] = above->low[axis] = piece->low[axis];
        below->high[axis] = above->high[axis] = piece->high[axis];
    }
    below->high[cut.axis] = above->low[cut.axis] = cut.at;
    for (size_t t = 0; good && t < piece->own.count; t++) {
        good = cut_triangle(&cutting, piece->own.corners + 9 * t, false);
    }
    for (size_t t = 0; good && t < piece->caps.count; t++) {
        good = cut_triangle(&cutting, piece->caps.corners + 9 * t, true);
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------------
// The place of a cut

struct slab {
    double *points;
    size_t count, capacity;
    struct mesh_hull hull;
};

struct search {
    const struct mesh_piece *piece;
    int axis;
    double planes[PLANES];
    int plane_count;
    double below[PLANES]; // m^3, of the solid below each plane
    double tiny, near;
    struct slab slabs[PLANES + 1];
};

static void triangle_range(const double *corners, int axis, double *low, double *high)
{
    const double a = corners[axis], b = corners[3 + axis], c = corners[6 + axis];
    *low = fmin(a, fmin(b, c));
    *high = fmax(a, fmax(b, c));
}

struct flat {
    double at, area;
};

static int by_place(const void *left, const void *right)
{
    const double a = ((const struct flat *)left)->at, b = ((const struct flat *)right)->at;
    return (a > b) - (a < b);
}

static int by_area(const void *left, const void *right)
{
    const struct flat *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area) : by_place(left, right);
}

static int by_number(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void plane_add(struct search *search, double at, double low, double high, double margin)
{
    bool free_there = at > low + margin && at < high - margin && search->plane_count < PLANES;
    for (int i = 0; i < search->plane_count && free_there; i++) {
        free_there = fabs(search->planes[i] - at) > margin;
    }
    if (free_there) {
        search->planes[search->plane_count++] = at;
    }
}

static bool planes_find(struct search *search, double extent)
{
    const struct mesh_soup *own = &search->piece->own;
    struct flat *flats = malloc((own->count + 1) * sizeof *flats);
    size_t count = 0, merged = 0;
    double low = INFINITY, high = -INFINITY;
    if (!flats) {
        return false;
    }
    for (size_t t = 0; t < own->count; t++) {
        double from, to;
        triangle_range(own->corners + 9 * t, search->axis, &from, &to);
        low = fmin(low, from);
        high = fmax(high, to);
        if (to - from <= 2 * search->tiny) {
            flats[count++] = (struct flat){from, fabs(seen_area(own->corners + 9 * t, search->axis))};
        }
    }
    qsort(flats, count, sizeof *flats, by_place);
    for (size_t i = 0; i < count; i++) {
        if (merged > 0 && flats[i].at - flats[merged - 1].at <= 2 * search->tiny) {
            flats[merged - 1].area += flats[i].area;
        } else {
            flats[merged++] = flats[i];
        }
    }
    qsort(flats, merged, sizeof *flats, by_area);
    search->plane_count = 0;
    for (size_t i = 0; i < merged && search->plane_count < FLATS; i++) {
        plane_add(search, flats[i].at, low, high, MARGIN * extent);
    }
    for (int i = 1; i <= EVEN; i++) {
        plane_add(search, low + (high - low) * i / (EVEN + 1), low, high, MARGIN * extent);
    }
    qsort(search->planes, (size_t)search->plane_count, sizeof *search->planes, by_number);
    free(flats);
    return true;
}

static bool point_add(struct slab *slab, const double *point)
{
    if (!array_reserve(&slab->points, &slab->capacity, 3 * (slab->count + 1))) {
        return false;
    }
    memcpy(slab->points + 3 * slab->count++, point, 3 * sizeof *point);
    return true;
}

// Gives the corners of a triangle to the slabs that they lie in, and the points at which its sides meet planes to both slabs there.
static bool slab_triangle(struct search *search, const double *corners)
{
    const int x = search->axis;
    const double tiny = search->tiny;
    double low, high;
    bool good = true;
    triangle_range(corners, x, &low, &high);
    const bool faces = seen_area(corners, x) > 0;
    for (int k = 0; k < 3 && good; k++) {
        const double *p = corners + 3 * (size_t)k, *q = corners + 3 * (size_t)((k + 1) % 3);
        int slab = 0;
        while (slab < search->plane_count && p[x] > search->planes[slab] + tiny) {
            slab++;
        }
        const bool on = slab < search->plane_count && p[x] >= search->planes[slab] - tiny;
        const bool flat = on && high <= search->planes[slab] + tiny && low >= search->planes[slab] - tiny;
        if (!on || (flat ? faces : low < search->planes[slab] - tiny)) {
            good = point_add(&search->slabs[slab], p);
        }
        if (on && (flat ? !faces : high > search->planes[slab] + tiny)) {
            good = good && point_add(&search->slabs[slab + 1], p);
        }
        const double from = fmin(p[x], q[x]) + tiny, to = fmax(p[x], q[x]) - tiny;
        for (int i = 0; i < search->plane_count && search->planes[i] < to && good; i++) {
            if (search->planes[i] > from) {
                double met[3];
                meet(p, q, (struct mesh_cut){x, search->planes[i]}, met);
                good = point_add(&search->slabs[i], met) && point_add(&search->slabs[i + 1], met);
            }
        }
    }
    return good;
}

static double cube(double x)
{
    return x * x * x;
}

// Adds the triangle's part of the volume below each plane: the mean of min(x, c) over it, times the area that is seen.
static void flux_add(struct search *search, const double *corners)
{
    double x[3] = {corners[search->axis], corners[3 + search->axis], corners[6 + search->axis]};
    const double area = 0.5 * seen_area(corners, search->axis), mean = (x[0] + x[1] + x[2]) / 3;
    qsort(x, 3, sizeof *x, by_number);
    for (int i = 0; i < search->plane_count; i++) {
        const double c = search->planes[i];
        double over = 0; // mean of max(x - c, 0)
        if (c <= x[0]) {
            over = mean - c;
        } else if (c < x[1]) {
            over = mean - c + cube(c - x[0]) / (3 * (x[1] - x[0]) * (x[2] - x[0]));
        } else if (c < x[2]) {
            over = cube(x[2] - c) / (3 * (x[2] - x[0]) * (x[2] - x[1]));
        }
        search->below[i] += area * (mean - over);
    }
}

// Adds the corners of the box that planes make and that lie inside of the solid.
static bool corners_add(struct search *search, const struct mesh_inside *inside)
{
    const struct mesh_piece *piece = search->piece;
    const int y = (search->axis + 1) % 3, z = (search->axis + 2) % 3;
    bool good = true;
    for (int i = -1; i <= search->plane_count; i++) {
        for (int k = 0; k < 4 && good; k++) {
            double corner[3];
            corner[search->axis] = i < 0                      ? piece->low[search->axis]
                                   : i == search->plane_count ? piece->high[search->axis]
                                                              : search->planes[i];
            corner[y] = (k & 1 ? piece->high : piece->low)[y];
            corner[z] = (k & 2 ? piece->high : piece->low)[z];
            if (inside->is(inside->context, corner)) {
                good = (i < 0 || point_add(&search->slabs[i], corner)) &&
                       (i == search->plane_count || point_add(&search->slabs[i + 1], corner));
            }
        }
    }
    return good;
}

// The hull of what was so far and one more slab. False if memory runs out.
static bool join(const struct mesh_hull *so_far, const struct slab *slab, double near, struct mesh_hull *out)
{
    double points[SIDE_VERTICES + SLAB_VERTICES][3];
    memcpy(points, so_far->points, so_far->count * sizeof points[0]);
    memcpy(points + so_far->count, slab->hull.points, slab->hull.count * sizeof points[0]);
    return mesh_hull_make(points[0], so_far->count + slab->hull.count, SIDE_VERTICES, near, out);
}

static bool axis_search(struct search *search, const struct mesh_inside *inside, double *best,
                        struct mesh_cut *cut)
{
    const struct mesh_piece *piece = search->piece;
    const double excess = fmax(0, piece->hull.volume - piece->volume);
    struct mesh_hull so_far = {0}, next;
    double volumes[PLANES];
    bool good = corners_add(search, inside);
    memset(search->below, 0, sizeof search->below);
    for (size_t t = 0; good && t < piece->own.count; t++) {
        good = slab_triangle(search, piece->own.corners + 9 * t);
        flux_add(search, piece->own.corners + 9 * t);
    }
    for (size_t t = 0; good && t < piece->caps.count; t++) {
        flux_add(search, piece->caps.corners + 9 * t);
    }
    for (int i = 0; good && i <= search->plane_count; i++) {
        struct slab *slab = &search->slabs[i];
        good = mesh_hull_make(slab->points, (uint32_t)slab->count, SLAB_VERTICES, search->near, &slab->hull);
    }
    for (int i = 0; good && i < search->plane_count; i++) {
        good = join(&so_far, &search->slabs[i], search->near, &next);
        so_far = next;
        volumes[i] = so_far.volume;
    }
    so_far.count = 0;
    for (int i = search->plane_count - 1; good && i >= 0; i--) {
        good = join(&so_far, &search->slabs[i + 1], search->near, &next);
        so_far = next;
        const double cost = volumes[i] + so_far.volume - piece->volume +
                            BALANCE * excess * fabs(2 * search->below[i] / piece->volume - 1);
        if (good && cost < *best) {
            *best = cost;
            *cut = (struct mesh_cut){search->axis, search->planes[i]};
        }
    }
    return good;
}

bool mesh_piece_best(const struct mesh_piece *piece, const struct mesh_inside *inside, double near,
                     double tiny, struct mesh_cut *cut, double *cost)
{
    struct search *search = calloc(1, sizeof *search);
    bool good = search != NULL;
    *cut = (struct mesh_cut){.axis = -1};
    *cost = INFINITY;
    for (int axis = 0; good && axis < 3; axis++) {
        search->piece = piece;
        search->axis = axis;
        search->tiny = tiny;
        search->near = near;
        for (int i = 0; i <= PLANES; i++) {
            search->slabs[i].count = 0;
        }
        good = planes_find(search, 2 * piece->hull.most) && axis_search(search, inside, cost, cut);
    }
    for (int i = 0; search && i <= PLANES; i++) {
        free(search->slabs[i].points);
    }
    free(search);
    return good;
}
