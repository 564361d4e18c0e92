// Ear clipping with exact decisions.
//
//     corners ─ Newell's normal ─▶ plane ─ fan? ─▶ done
//                                   └─ ring of corners: cut off an ear, mend the ring, until three are left
//
// An ear is a corner that turns left and whose triangle holds no other corner, on its border neither. Corners at the very place of
// one of the triangle's own do not count: a polygon around a hole passes the bridge to it twice. Corners without area (three in a
// line, or two in one place) are cut off only when there is no ear, so that a point on a straight edge becomes the corner of a
// triangle that has an area.
#include "polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    const double *corners;
    int u, v;    // the axes that are seen
    double turn; // 1, or -1 if the polygon turns right as it is seen
    uint32_t *next, *previous;
};

// ---------------------------------------------------------------------------------------------------------
// The sign of an area: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.

enum { TERMS = 12 };

// sum + error = a + b, exactly (theorem 7)
static double two_sum(double a, double b, double *error)
{
    const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

// high + low = a, each with at most 26 bits (theorem 17)
static double split(double a, double *low)
{
    const double c = 134217729.0 * a, high = c - (c - a);
    *low = a - high;
    return high;
}

// product + error = a b, exactly (theorem 18)
static double two_product(double a, double b, double *error)
{
    const double product = a * b;
    double a_low, b_low;
    const double a_high = split(a, &a_low), b_high = split(b, &b_low);
    *error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

// Adds a number to a sum whose terms do not overlap and grow in size (theorem 10).
static void grow(double terms[TERMS], int *count, double number)
{
    for (int i = 0; i < *count; i++) {
        double error;
        number = two_sum(number, terms[i], &error);
        terms[i] = error;
    }
    terms[(*count)++] = number;
}

static void grow_product(double terms[TERMS], int *count, double a, double b)
{
    double error;
    const double product = two_product(a, b, &error);
    grow(terms, count, error);
    grow(terms, count, product);
}

static int sign_of(double number)
{
    return (number > 0) - (number < 0);
}

// The sign of the area of a, b, c: 1 if they turn left.
static int area_sign(const double a[2], const double b[2], const double c[2])
{
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    const double area = left - right;
    // (3 + 16 e) e with e = 2^-53 bounds the error of the line above.
    if (fabs(area) > 3.3306690738754716e-16 * (fabs(left) + fabs(right))) {
        return sign_of(area);
    }
    double terms[TERMS];
    int count = 0;
    grow_product(terms, &count, a[0], b[1]);
    grow_product(terms, &count, -a[1], b[0]);
    grow_product(terms, &count, b[0], c[1]);
    grow_product(terms, &count, -b[1], c[0]);
    grow_product(terms, &count, c[0], a[1]);
    grow_product(terms, &count, -c[1], a[0]);
    while (count > 0 && terms[count - 1] == 0) {
        count--;
    }
    return count > 0 ? sign_of(terms[count - 1]) : 0;
}

// ---------------------------------------------------------------------------------------------------------
// The plane

static void place_of(const struct ring *ring, uint32_t corner, double place[2])
{
    place[0] = ring->corners[3 * (size_t)corner + (size_t)ring->u];
    place[1] = ring->corners[3 * (size_t)corner + (size_t)ring->v] * ring->turn;
}

static int turn_of(const struct ring *ring, uint32_t a, uint32_t b, uint32_t c)
{
    double places[3][2];
    place_of(ring, a, places[0]);
    place_of(ring, b, places[1]);
    place_of(ring, c, places[2]);
    return area_sign(places[0], places[1], places[2]);
}

// Chooses the plane by the sum of (p_i - p_0) x (p_i+1 - p_0), which is twice the polygon's area vector (Newell).
static void choose_plane(struct ring *ring, uint32_t count)
{
    const double *p = ring->corners;
    double normal[3] = {0};
    for (uint32_t i = 1; i + 1 < count; i++) {
        const double *a = p + 3 * (size_t)i, *b = a + 3;
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += (a[u] - p[u]) * (b[v] - p[v]) - (a[v] - p[v]) * (b[u] - p[u]);
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = fabs(normal[k]) > fabs(normal[axis]) ? k : axis;
    }
    ring->u = (axis + 1) % 3;
    ring->v = (axis + 2) % 3;
    ring->turn = normal[axis] < 0 ? -1 : 1;
}

// ---------------------------------------------------------------------------------------------------------
// Cutting

static void put(uint32_t *triangle, uint32_t a, uint32_t b, uint32_t c)
{
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void put_fan(uint32_t count, uint32_t *triangles)
{
    for (uint32_t i = 2; i < count; i++) {
        put(triangles + 3 * (size_t)(i - 2), 0, i - 1, i);
    }
}

// Whether the fan around corner 0 has no overlap: seen from there, the others come one after another within half a turn.
static bool is_fan(const struct ring *ring, uint32_t count)
{
    for (uint32_t i = 2; i < count; i++) {
        if (turn_of(ring, 0, 1, i) <= 0 || turn_of(ring, 0, i - 1, i) <= 0) {
            return false;
        }
    }
    return true;
}

static bool same_place(const struct ring *ring, uint32_t a, uint32_t b)
{
    double one[2], other[2];
    place_of(ring, a, one);
    place_of(ring, b, other);
    return one[0] == other[0] && one[1] == other[1];
}

static bool is_ear(const struct ring *ring, uint32_t corner)
{
    const uint32_t before = ring->previous[corner], after = ring->next[corner];
    if (turn_of(ring, before, corner, after) <= 0) {
        return false;
    }
    for (uint32_t other = ring->next[after]; other != before; other = ring->next[other]) {
        if (turn_of(ring, before, corner, other) >= 0 && turn_of(ring, corner, after, other) >= 0 &&
            turn_of(ring, after, before, other) >= 0 && !same_place(ring, other, before) &&
            !same_place(ring, other, corner) && !same_place(ring, other, after)) {
            return false;
        }
    }
    return true;
}

static bool is_flat(const struct ring *ring, uint32_t corner)
{
    return turn_of(ring, ring->previous[corner], corner, ring->next[corner]) == 0;
}

// The next corner from `first` on which the test is true of. False if there is none.
static bool find(const struct ring *ring, bool (*test)(const struct ring *, uint32_t), uint32_t first,
                 uint32_t *corner)
{
    *corner = first;
    do {
        if (test(ring, *corner)) {
            return true;
        }
        *corner = ring->next[*corner];
    } while (*corner != first);
    return false;
}

static bool cut_ears(struct ring *ring, uint32_t count, uint32_t *triangles)
{
    uint32_t corner = 0, ears = 0;
    for (uint32_t i = 0; i < count; i++) {
        ring->next[i] = i + 1 < count ? i + 1 : 0;
        ring->previous[i] = i > 0 ? i - 1 : count - 1;
    }
    for (uint32_t left = count; left >= 3; left--) {
        uint32_t ear;
        if (find(ring, is_ear, corner, &ear)) {
            ears++;
        } else if (!find(ring, is_flat, corner, &ear)) {
            return false;
        }
        const uint32_t before = ring->previous[ear], after = ring->next[ear];
        put(triangles + 3 * (size_t)(count - left), before, ear, after);
        ring->next[before] = after;
        ring->previous[after] = before;
        // The search goes on behind the ear, so that one corner does not get all the triangles.
        corner = ring->next[after];
    }
    return ears > 0;
}

bool polygon_cut(const double *corners, uint32_t count, uint32_t *triangles)
{
    struct ring ring = {.corners = corners};
    put_fan(count, triangles);
    if (count <= 3 || count > POLYGON_CORNERS_MAX) {
        return count <= 3;
    }
    choose_plane(&ring, count);
    if (is_fan(&ring, count)) {
        return true;
    }
    ring.next = malloc(2 * (size_t)count * sizeof *ring.next);
    if (!ring.next) {
        return false;
    }
    ring.previous = ring.next + count;
    const bool cut = cut_ears(&ring, count, triangles);
    if (!cut) {
        put_fan(count, triangles);
    }
    free(ring.next);
    return cut;
}

bool polygon_cut_fan(const double *positions, uint32_t *fan, uint32_t count, bool *cut)
{
    *cut = false;
    if (count > POLYGON_CORNERS_MAX) {
        return true;
    }
    uint32_t *corners = malloc(count * sizeof *corners);
    uint32_t *triangles = malloc(3 * (size_t)(count - 2) * sizeof *triangles);
    double *places = malloc(3 * (size_t)count * sizeof *places);
    const bool ok = corners && triangles && places;
    for (uint32_t i = 0; ok && i < count; i++) {
        corners[i] = i < 2 ? fan[i] : fan[3 * (size_t)(i - 2) + 2];
        memcpy(places + 3 * (size_t)i, positions + 3 * (size_t)corners[i], 3 * sizeof *places);
    }
    *cut = ok && polygon_cut(places, count, triangles);
    for (size_t i = 0; ok && i < 3 * (size_t)(count - 2); i++) {
        fan[i] = corners[triangles[i]];
    }
    free(corners);
    free(triangles);
    free(places);
    return ok;
}
