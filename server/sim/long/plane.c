// A rest surface that fits into a plane as one convex piece, such as a flag. There ways are straight lines, and no wave has
// to go over the surface to find them: ways cost as much as a distance.
//
// Triangles are laid into the plane one after the other, each at a side that lies there. Then the whole is checked:
//
//   - every particle that an edge joins has its place, and every edge its length, within FITS of it. So ways are as right;
//   - all triangles lie on the same side, each side belongs to at most two of them, and every edge is a side;
//   - the border turns to one side only. So lines between particles stay within the surface.
//
// A surface that fails a check has no places, and waves find its ways.

#include "sim/long/long.h"

#include <stdlib.h>
#include <string.h>

#define FITS 2e-4 // of a length
#define TURN 1e-3 // how far the border may turn outwards, rad

static double apart(const double a[2], const double b[2])
{
    double x = a[0] - b[0], y = a[1] - b[1];
    return __builtin_sqrt(x * x + y * y);
}

// Twice the area of a triangle; negative if b lies to the right of a.
static double area(const double from[2], const double a[2], const double b[2])
{
    return (a[0] - from[0]) * (b[1] - from[1]) - (a[1] - from[1]) * (b[0] - from[0]);
}

// Particles that have their places, in the order in which they got them. A particle is laid from one that was laid before,
// its parent, and looks back at it: the direction is turned from there by the angles of triangles, and never found from
// places. So errors of lengths add up along the way and do not grow.
struct laid {
    double (*places)[2];
    double (*back)[2], (*ahead)[2]; // unit: to the parent; from the particle `seen_from` to this one
    uint32_t *parents, *seen_from;  // UINT32_MAX: none
    bool *known;
    uint32_t *order;
    uint32_t count;
};

static void add(struct laid *laid, uint32_t particle, uint32_t parent, const double ahead[2], double length)
{
    for (int axis = 0; axis < 2; axis++) {
        laid->places[particle][axis] = laid->places[parent][axis] + length * ahead[axis];
        laid->back[particle][axis] = -ahead[axis];
    }
    laid->parents[particle] = parent;
    laid->known[particle] = true;
    laid->order[laid->count++] = particle;
}

// Sees a corner from `at`, by turning the direction to another one.
static void see(struct laid *laid, uint32_t at, uint32_t from, uint32_t to, double cosine, double sine)
{
    const double *seen = laid->ahead[from];
    laid->ahead[to][0] = seen[0] * cosine - seen[1] * sine;
    laid->ahead[to][1] = seen[1] * cosine + seen[0] * sine;
    laid->seen_from[to] = at;
}

// Places the corners of all triangles at a particle, from that at its parent on. The list is gone through until nothing more
// comes of it.
static void lay_around(const struct sim_metric *metric, struct laid *laid, uint32_t at)
{
    const uint32_t parent = laid->parents[at];
    memcpy(laid->ahead[parent], laid->back[at], sizeof laid->back[at]);
    laid->seen_from[parent] = at;
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t f = metric->fan_starts[at]; f < metric->fan_starts[at + 1]; f++) {
            const struct sim_fan *fan = &metric->fans[f];
            bool sees_a = laid->seen_from[fan->a] == at, sees_b = laid->seen_from[fan->b] == at;
            double scale = fan->inverse_a * fan->inverse_b, cosine = fan->dot * scale,
                   sine = fan->cross * scale;
            if (sees_a && !sees_b) {
                see(laid, at, fan->a, fan->b, cosine, sine);
            } else if (sees_b && !sees_a) {
                see(laid, at, fan->b, fan->a, cosine, -sine);
            }
            more = more || sees_a != sees_b;
        }
    }
    for (uint32_t f = metric->fan_starts[at]; f < metric->fan_starts[at + 1]; f++) {
        const struct sim_fan *fan = &metric->fans[f];
        if (laid->seen_from[fan->a] == at && !laid->known[fan->a]) {
            add(laid, fan->a, at, laid->ahead[fan->a], fan->to_a);
        }
        if (laid->seen_from[fan->b] == at && !laid->known[fan->b]) {
            add(laid, fan->b, at, laid->ahead[fan->b], fan->to_b);
        }
    }
}

static void lay_all(const struct sim_metric *metric, struct laid *laid)
{
    static const double along[2] = {1, 0}, opposite[2] = {-1, 0};
    uint32_t first = 0;
    while (first < metric->count && metric->fan_starts[first] == metric->fan_starts[first + 1]) {
        first++;
    }
    if (first == metric->count) {
        return;
    }
    for (uint32_t i = 0; i < metric->count; i++) {
        laid->seen_from[i] = UINT32_MAX;
    }
    const struct sim_fan *fan = &metric->fans[metric->fan_starts[first]];
    add(laid, first, first, opposite, 0);
    laid->parents[first] = fan->a;
    memcpy(laid->back[first], along, sizeof along);
    add(laid, fan->a, first, along, fan->to_a);
    for (uint32_t k = 0; k < laid->count; k++) {
        lay_around(metric, laid, laid->order[k]);
    }
}

static bool lengths_fit(const struct sim_metric *metric, const struct laid *laid, uint32_t at)
{
    for (uint32_t w = metric->way_starts[at]; w < metric->way_starts[at + 1]; w++) {
        const struct sim_way *way = &metric->ways[w];
        double error =
            laid->known[way->to] ? apart(laid->places[at], laid->places[way->to]) - way->length : way->length;
        if (!(error < FITS * way->length && -error < FITS * way->length)) {
            return false;
        }
    }
    return true;
}

// How many triangles at a particle have the other one as their corner a, or b.
static uint32_t corners(const struct sim_metric *metric, uint32_t at, uint32_t other, bool as_a)
{
    uint32_t count = 0;
    for (uint32_t f = metric->fan_starts[at]; f < metric->fan_starts[at + 1]; f++) {
        count += (as_a ? metric->fans[f].a : metric->fans[f].b) == other ? 1 : 0;
    }
    return count;
}

// Whether the triangles at a particle lie around it, or form half of that at most.
static bool border_fits(const struct sim_metric *metric, const struct laid *laid, uint32_t at)
{
    uint32_t first = at, last = at, firsts = 0;
    for (uint32_t f = metric->fan_starts[at]; f < metric->fan_starts[at + 1]; f++) {
        const struct sim_fan *fan = &metric->fans[f];
        uint32_t a_before = corners(metric, at, fan->a, false), b_after = corners(metric, at, fan->b, true);
        if (corners(metric, at, fan->a, true) != 1 || corners(metric, at, fan->b, false) != 1 ||
            !(area(laid->places[at], laid->places[fan->a], laid->places[fan->b]) > 0)) {
            return false;
        }
        first = a_before == 0 ? fan->a : first;
        last = b_after == 0 ? fan->b : last;
        firsts += a_before == 0 ? 1 : 0;
    }
    uint32_t fans = metric->fan_starts[at + 1] - metric->fan_starts[at];
    uint32_t ways = metric->way_starts[at + 1] - metric->way_starts[at];
    if (firsts > 1 || ways != fans + firsts) {
        return false;
    }
    double turn = area(laid->places[at], laid->places[first], laid->places[last]);
    return firsts == 0 || turn >= -TURN * apart(laid->places[at], laid->places[first]) *
                                      apart(laid->places[at], laid->places[last]);
}

static bool fits(const struct sim_metric *metric, const struct laid *laid)
{
    for (uint32_t i = 0; i < metric->count; i++) {
        bool joined = metric->way_starts[i + 1] > metric->way_starts[i];
        if (joined && !(laid->known[i] && lengths_fit(metric, laid, i) && border_fits(metric, laid, i))) {
            return false;
        }
    }
    return laid->count > 0;
}

static bool laid_init(struct laid *laid, uint32_t count)
{
    size_t room = (size_t)count + 1;
    *laid = (struct laid){
        .places = calloc(room, sizeof *laid->places),
        .back = malloc(room * sizeof *laid->back),
        .ahead = malloc(room * sizeof *laid->ahead),
        .parents = malloc(room * sizeof *laid->parents),
        .seen_from = malloc(room * sizeof *laid->seen_from),
        .known = calloc(room, sizeof *laid->known),
        .order = malloc(room * sizeof *laid->order),
    };
    return laid->places && laid->back && laid->ahead && laid->parents && laid->seen_from && laid->known &&
           laid->order;
}

static void laid_deinit(struct laid *laid)
{
    free(laid->places);
    free(laid->back);
    free(laid->ahead);
    free(laid->parents);
    free(laid->seen_from);
    free(laid->known);
    free(laid->order);
}

bool sim_metric_unroll(struct sim_metric *metric)
{
    struct laid laid;
    bool good = laid_init(&laid, metric->count);
    if (good) {
        lay_all(metric, &laid);
    }
    if (good && fits(metric, &laid)) {
        metric->places = laid.places;
        laid.places = NULL;
    }
    laid_deinit(&laid);
    return good;
}
