// An edge e = b - a of one surface passes a triangle with the unit normal N at
//
//     p = sum c x = 0,   c = {1 - s, s, -t0, -t1, -t2}
//
// The edge goes against the triangle along n:
//
//   - If the crossings with the triangle's body cut the edge's surface into pieces, the lesser piece goes back to where the
//     greater one is. Then n is N or -N, whichever leads from the end on the lesser piece to the other one. Pieces are those of all
//     edges that cross that body evenly often; a piece with static particles is greater than any without.
//   - Else the contour, in which both surfaces meet, becomes shorter (Volino, Magnenat-Thalmann 2006). From p it goes along
//     unit vectors r into the one or two triangles at the edge. If the edge goes by d, p goes by d - (N.d)/(N.e) e, so
//
//         dL = -sum r . (d - (N.d)/(N.e) e) = -d . G,     G = R - (e.R)/(e.N) N,  R = sum r
//
//     and n = G / |G|, as fast as |G| / sqrt(|G|^2 + SOFT^2) says: a contour that goes straight on has no reason to go anywhere.
//
// In each substep, until the edge is free of the triangle, with u = v, and for a contour u = v times that,
//
//     depth = min(u h, max(0, u h - n . sum c (X - X0)))      lambda = depth / W,  W = sum w c^2
//     x_i += w_i c_i lambda n
//
// sum c = 0, so what one side gains of momentum the other one loses. v is a third of the edge in a tick, so that what was found
// when it began is still so when it ends, and no more than V_MOST, nor than EDGES_A_SECOND edges.

#include "sim/contact/untangle.h"

#include "sim/contact/exact.h"
#include "sim/contact/meet.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <math.h>
#include <stdlib.h>

static const double V_MOST = 1, EDGES_A_SECOND = 20; // m/s
static const double SOFT = 0.25;
static const double LEAST = 1e-12; // of a squared sine: below it there is no direction
static const float LEAST_WEIGHT = 1e-30f;

enum { HELD = 1U << 31 }; // of a piece: it has static particles

// ---------------------------------------------------------------------------------------------------- vectors

static void apart(const struct sim_row *x, uint32_t from, uint32_t to, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sim_wrap_sub(x[to].x[axis], x[from].x[axis]);
    }
}

// --------------------------------------------------------------------------------------------------- crossings

// If there are too many, every second one is dropped, so that the others lie all along the contour.
void sim_untangle_take(struct sim *sim, const uint32_t rows[5])
{
    struct sim_meet *meet = sim->meet;
    if (meet->tangle_seen++ % meet->tangle_stride != 0) {
        return;
    }
    if (meet->tangle_count == meet->tangle_capacity) {
        for (uint32_t i = 0; i < meet->tangle_count; i += 2) {
            meet->tangles[i / 2] = meet->tangles[i];
        }
        meet->tangle_count = (meet->tangle_count + 1) / 2;
        meet->tangle_stride *= 2;
        if ((meet->tangle_seen - 1) % meet->tangle_stride != 0) {
            return;
        }
    }
    struct sim_tangle *tangle = &meet->tangles[meet->tangle_count++];
    *tangle = (struct sim_tangle){0};
    memcpy(tangle->rows, rows, sizeof tangle->rows);
}

static struct sim_exempt cut_of(uint32_t edge_body, uint32_t triangle_body, uint32_t a, uint32_t b)
{
    return (struct sim_exempt){(uint64_t)edge_body << 32 | triangle_body,
                               a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a};
}

// Edges, once for each body that they cross, with how often they do.
static void cuts_list(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_exempt *sorted = meet->tangle_keys;
    for (uint32_t i = 0; i < meet->tangle_count; i++) {
        const uint32_t *rows = meet->tangles[i].rows;
        sorted[i] =
            cut_of(sim_body_of_row(sim, rows[0])->id, sim_body_of_row(sim, rows[2])->id, rows[0], rows[1]);
    }
    sim_exempt_sort(sorted, meet->tangle_count);
    meet->cut_count = 0;
    for (uint32_t i = 0; i < meet->tangle_count; i++) {
        struct sim_cut *last = meet->cut_count > 0 ? &meet->cuts[meet->cut_count - 1] : NULL;
        if (last && sim_exempt_compare(&last->edge, &sorted[i]) == 0) {
            last->crossings++;
        } else {
            meet->cuts[meet->cut_count++] = (struct sim_cut){.edge = sorted[i], .crossings = 1};
        }
    }
}

static struct sim_cut *cut_find(const struct sim_meet *meet, struct sim_exempt edge)
{
    return bsearch(&edge, meet->cuts, meet->cut_count, sizeof *meet->cuts, sim_exempt_compare);
}

// ------------------------------------------------------------------------------------------------------ pieces

static uint32_t root_of(struct sim_piece *pieces, uint32_t row)
{
    while (pieces[row].of != row) {
        pieces[row].of = pieces[pieces[row].of].of;
        row = pieces[row].of;
    }
    return row;
}

// The root of a piece is its least row.
static void pieces_join(struct sim_piece *pieces, uint32_t a, uint32_t b)
{
    a = root_of(pieces, a);
    b = root_of(pieces, b);
    uint32_t least = a < b ? a : b, other = a < b ? b : a;
    if (least != other) {
        pieces[other].of = least;
        pieces[least].size = ((pieces[least].size & ~HELD) + (pieces[other].size & ~HELD)) |
                             ((pieces[least].size | pieces[other].size) & HELD);
    }
}

static bool is_cut(const struct sim_cut *cut)
{
    return cut && cut->crossings % 2 != 0;
}

// The side of an element: no cut, it joins; a cut that crosses something has the third corner as a wing.
static void side_look(struct sim_meet *meet, const struct sim_exempt *bodies, const uint32_t corners[3],
                      int k)
{
    const uint32_t a = corners[k], b = corners[(k + 1) % 3], wing = corners[(k + 2) % 3];
    struct sim_cut *cut = NULL;
    if (meet->crossing[a] != 0 && meet->crossing[b] != 0) {
        cut = cut_find(meet, cut_of((uint32_t)(bodies->first >> 32), (uint32_t)bodies->first, a, b));
    }
    if (cut && wing != a && wing != b) {
        cut->wings[cut->wing_count < 2 ? cut->wing_count : 1] = wing;
        cut->wing_count += cut->wing_count < 3;
    }
    if (!is_cut(cut)) {
        pieces_join(meet->pieces, a, b);
    }
}

// Finds the piece of each end of these cuts, which are all those of one body with another, or with itself.
static void group_look(struct sim *sim, uint32_t first, uint32_t end)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_exempt *bodies = &meet->cuts[first].edge;
    const struct sim_body *body = sim_body_find(sim, (uint32_t)(bodies->first >> 32));
    const struct sim_features *features = body->features;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        meet->pieces[row] =
            (struct sim_piece){.of = row, .size = sim->previous[row].w > 0 ? 1 : 1 | (uint32_t)HELD};
    }
    for (uint32_t e = 0; e < features->count; e++) {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = body->first_row + features->corners[e][k];
        }
        for (int k = 0; k < 3; k++) {
            side_look(meet, bodies, corners, k);
        }
    }
    for (uint32_t c = first; c < end; c++) {
        struct sim_cut *cut = &meet->cuts[c];
        uint32_t a = root_of(meet->pieces, (uint32_t)(cut->edge.second >> 32)),
                 b = root_of(meet->pieces, (uint32_t)cut->edge.second);
        // The piece that goes back is that of the greater row where both are as great.
        uint32_t sizes[2] = {meet->pieces[a].size, meet->pieces[b].size};
        if (a != b && is_cut(cut) && meet->tangle_stride == 1) {
            bool first_goes = sizes[0] != sizes[1] ? sizes[0] < sizes[1] : a > b;
            cut->goes = first_goes ? SIM_CUT_FIRST : SIM_CUT_SECOND;
        }
        cut->known = true;
    }
}

static void groups_look(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    uint32_t walked = 0;
    for (uint32_t first = 0, end; first < meet->cut_count; first = end) {
        const uint64_t bodies = meet->cuts[first].edge.first;
        for (end = first; end < meet->cut_count && meet->cuts[end].edge.first == bodies;) {
            end++;
        }
        walked += sim_body_find(sim, (uint32_t)(bodies >> 32))->features->count;
        if (first > 0 && walked > SIM_UNTANGLE_ELEMENTS_MAX) {
            return; // the rest comes when these are done
        }
        group_look(sim, first, end);
    }
}

// -------------------------------------------------------------------------------------------------- directions

// Finds where the edge passes the triangle. False if both lie in a plane, as far as doubles can tell.
static bool point_find(const struct sim_row *x, struct sim_tangle *tangle, double e[3], double normal[3])
{
    const uint32_t *rows = tangle->rows;
    double sides[2][3], from[3], area[3], at[3], part[3];
    apart(x, rows[0], rows[1], e);
    apart(x, rows[2], rows[3], sides[0]);
    apart(x, rows[2], rows[4], sides[1]);
    apart(x, rows[2], rows[0], from);
    sim_cross(sides[0], sides[1], area);
    double area2 = sim_dot(area, area), passes = sim_dot(area, e);
    if (!(passes * passes > LEAST * area2 * sim_dot(e, e))) {
        return false;
    }
    double s = -sim_dot(area, from) / passes;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = from[axis] + s * e[axis];
        normal[axis] = area[axis] / sqrt(area2);
    }
    sim_cross(at, sides[1], part);
    double t1 = sim_dot(part, area) / area2;
    sim_cross(sides[0], at, part);
    double t2 = sim_dot(part, area) / area2;
    t1 = t1 < 0 ? 0 : t1 > 1 ? 1 : t1;
    t2 = t2 < 0 ? 0 : t2 > 1 - t1 ? 1 - t1 : t2;
    tangle->c[0] = (float)s;
    tangle->c[1] = (float)t1;
    tangle->c[2] = (float)t2;
    return true;
}

// Adds the direction in which the contour goes from the edge into the triangle with a third corner.
static void contour_add(const struct sim_row *x, const struct sim_tangle *tangle, uint32_t wing,
                        const double e[3], const double normal[3], double sum[3])
{
    double to[3], own[3], along[3];
    apart(x, tangle->rows[0], wing, to);
    sim_cross(e, to, own);
    sim_cross(own, normal, along);
    double length2 = sim_dot(along, along);
    if (!(length2 > LEAST * sim_dot(own, own))) {
        return;
    }
    double into = sim_dot(along, to) - sim_dot(along, e) * sim_dot(to, e) / sim_dot(e, e);
    double scale = (into < 0 ? -1 : 1) / sqrt(length2);
    for (int axis = 0; axis < 3; axis++) {
        sum[axis] += scale * along[axis];
    }
}

static void tangle_plan(struct sim *sim, struct sim_tangle *tangle)
{
    const struct sim_row *x = sim->previous;
    const uint32_t *rows = tangle->rows;
    double e[3], normal[3], way[3] = {0, 0, 0};
    const struct sim_cut *cut =
        cut_find(sim->meet, cut_of(sim_body_of_row(sim, rows[0])->id, sim_body_of_row(sim, rows[2])->id,
                                   rows[0], rows[1]));
    if (!cut->known || !point_find(x, tangle, e, normal)) {
        return;
    }
    double through = sim_dot(normal, e), soft = SOFT;
    if (cut->goes != SIM_CUT_NEITHER) {
        bool goes_along = (cut->goes == SIM_CUT_FIRST) == (rows[0] < rows[1]); // from rows[0] to rows[1]
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = goes_along == (through > 0) ? normal[axis] : -normal[axis];
        }
        soft = 0;
    } else {
        for (uint32_t w = 0; w < cut->wing_count && cut->wing_count <= 2; w++) {
            contour_add(x, tangle, cut->wings[w], e, normal, way);
        }
        double share = sim_dot(e, way) / through;
        for (int axis = 0; axis < 3; axis++) {
            way[axis] -= share * normal[axis];
        }
    }
    double length2 = sim_dot(way, way), length = sqrt(length2);
    if (!(length > 1e-6)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        tangle->normal[axis] = (float)(way[axis] / length);
    }
    double edge = sqrt(sim_dot(e, e)) * sim->q, rate = sim->settings.tick_rate / 3.0;
    double speed = edge * (rate < EDGES_A_SECOND ? rate : EDGES_A_SECOND);
    speed = speed < V_MOST ? speed : V_MOST;
    tangle->way = (float)(speed * length / sqrt(length2 + soft * soft)) * sim->times.h_over_q;
}

void sim_untangle_plan(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    cuts_list(sim);
    groups_look(sim);
    for (uint32_t i = 0; i < meet->tangle_count; i++) {
        tangle_plan(sim, &meet->tangles[i]);
    }
}

// ----------------------------------------------------------------------------------------------------- pushing

static bool still_crosses(const struct sim *sim, const struct sim_tangle *tangle)
{
    int32_t edge[2][3], triangle[3][3];
    for (uint32_t k = 0; k < 5; k++) {
        memcpy(k < 2 ? edge[k] : triangle[k - 2], sim->rows[tangle->rows[k]].x, sizeof edge[0]);
    }
    return sim_edge_crosses((const int32_t(*)[3])edge, (const int32_t(*)[3])triangle);
}

static void push(struct sim *sim, const struct sim_tangle *tangle)
{
    struct sim_row *x[5];
    const float s = tangle->c[0], t1 = tangle->c[1], t2 = tangle->c[2];
    const float c[5] = {1 - s, s, -(1 - t1 - t2), -t1, -t2};
    float weight = 0, greatest = 0, went = 0;
    for (int k = 0; k < 5; k++) {
        x[k] = &sim->rows[tangle->rows[k]];
        float takes = x[k]->w * sim_abs(c[k]);
        weight += takes * sim_abs(c[k]);
        greatest = takes > greatest ? takes : greatest;
    }
    weight = weight > 0.25f * greatest ? weight : 0.25f * greatest;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t first = sim_wrap_sub(x[0]->x[axis], sim->previous[tangle->rows[0]].x[axis]);
        for (int k = 1; k < 5; k++) {
            int32_t way = sim_wrap_sub(x[k]->x[axis], sim->previous[tangle->rows[k]].x[axis]);
            went += tangle->normal[axis] * (c[k] * (float)sim_wrap_sub(way, first));
        }
    }
    float depth = tangle->way - went;
    depth = depth < tangle->way ? depth : tangle->way;
    if (!(depth > 0 && weight > LEAST_WEIGHT)) {
        return;
    }
    for (int k = 0; k < 5; k++) {
        float far = x[k]->w * c[k] * (depth / weight);
        for (int axis = 0; axis < 3; axis++) {
            x[k]->x[axis] = sim_wrap_add(x[k]->x[axis], sim_round(far * tangle->normal[axis]));
        }
    }
}

void sim_untangle_push(struct sim *sim, bool only_pressed)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->tangle_count; i++) {
        const struct sim_tangle *tangle = &meet->tangles[i];
        const bool asked = !only_pressed || meet->islands[meet->island_of[tangle->rows[0]]].pressed;
        if (tangle->way > 0 && asked && still_crosses(sim, tangle)) {
            push(sim, tangle);
        }
    }
}
