// Lazy truncation: pairs whose end is not apart are bound to planes, all others go their way.
//
// A row goes x(s) = X0 + s (frame + t e), e = X - X0 - frame, 0 <= s <= 1. What all rows of an island have in common
// moves no row against another, so heights along a fixed n are taken without it: k + s t m, m = n.e.
//
// Claim: of a candidate with room >= 1 when the substep begins, the sides are apart all along the way and at its end,
// after rounding, by at least min(keep, 2) less what doubles are wrong by (1e-6 quanta); unless static rows jam it.
//
//   Along n both sides' distance is, where it is smallest, no less than the smaller of those at s = 0 and s = 1: each
//   height is linear in s, so the least of side 1 is concave, the greatest of side 2 convex. So the end decides, of one
//   n that separates the start as well: that of the start's closest points, or that of the end's.
//   - Not bound: with the t that all rows have in the end such an n was found, by at least keep.
//   - Bound: two planes, keep apart, stand between the sides. A row of side 1 may come as near as its own plane: t is
//     such that 2 quanta are left where it has that far to go, else 0; a row that keeps 1 of itself, or goes the other
//     way, is free. Any smaller t leaves it on its side too, whatever other rows do. So both are apart by keep.
//   Rounding X0 + frame + t e moves a row by at most sqrt(3)/2 = 0.87 along any n, both sides by 1.74, and nothing where
//   t is 0 or 1. keep is min(gap, room), and a gap is at least 24. Where keep >= 4 what is left is at least 2.26; where
//   it is less (tight), its rows may only have t = 0 or 1, and nothing is rounded. So room never falls below 2, from
//   substep to substep, once it was 2.
//   Static rows have t = 1. Their side gets what they need of the room; where both need more than there is, no t helps.
//
// t only falls, and passes end when none has: each pass binds a pair or makes the t of a tight pair's row 0, or is the
// last. After PASSES of them all are bound. Within a pass t is read, t_next is written, by minimum: no order matters.

#include "sim/contact/truncate.h"

#include "sim/contact/foot.h"

enum { PASSES = 8 };

static const double TIGHT = 4, LEAST_ROOM = 1;
static const double SHARE_LEAST = 0.05; // of the room, for a side

// Finds the way of a row against the frame.
static void way_of(const struct sim_truncation *tr, uint32_t row, int32_t way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t went = sim_wrap_sub(tr->rows[row].x[axis], tr->starts[row].x[axis]);
        way[axis] = sim_wrap_sub(went, tr->frame[axis]);
    }
}

static double along(const double n[3], const double v[3])
{
    return (n[0] * v[0] + n[1] * v[1]) + n[2] * v[2];
}

static bool is_static(const struct sim_truncation *tr, uint32_t row)
{
    return !(tr->rows[row].w > 0);
}

// Toward 0 in float: t must not grow.
static void lower(float *t, double to)
{
    float cut = to > 0 ? (float)(to * (1 - 0x1p-23)) : 0;
    *t = cut < *t ? cut : *t;
}

// ----------------------------------------------------------------------------------------------------- tubes

// Rows end in their tubes, a quantum inside if they have to be held: what is not in the list cannot be met there.
static bool keep_in_tube(const struct sim_truncation *tr, uint32_t row)
{
    double from2 = 0, way2 = 0, to2 = 0, most = (double)tr->within[row] * (1 - 0x1p-20);
    int32_t way[3];
    float t = 1;
    way_of(tr, row, way);
    for (int axis = 0; axis < 3; axis++) {
        int32_t since = sim_wrap_sub(tr->starts[row].x[axis], tr->expected[row].x[axis]);
        double from = sim_wrap_sub(since, tr->since[axis]);
        from2 += from * from;
        way2 += (double)way[axis] * way[axis];
        to2 += (from + way[axis]) * (from + way[axis]);
    }
    if (to2 > most * most) {
        lower(&t, (most - __builtin_sqrt(from2) - 1) / __builtin_sqrt(way2));
    }
    tr->t[row] = tr->t_next[row] = t;
    return t < 1;
}

static uint32_t keep_in_tubes(const struct sim_truncation *tr, const struct sim_span *span)
{
    uint32_t boxed = 0;
    for (uint32_t row = span->first; row < span->first + span->count; row++) {
        tr->t[row] = tr->t_next[row] = 1;
        boxed += tr->within && !is_static(tr, row) && keep_in_tube(tr, row);
    }
    return boxed;
}

// ---------------------------------------------------------------------------------------------------- planes

struct sides {
    double least, most; // of side 1, of side 2
};

static struct sides sides_of(enum sim_pair_kind kind, const double height[4])
{
    struct sides sides = {0, 0};
    bool has[2] = {false, false};
    for (uint32_t k = 0; k < 4; k++) {
        if (sim_pair_first_side(kind, k)) {
            sides.least = has[0] && sides.least < height[k] ? sides.least : height[k];
            has[0] = true;
        } else {
            sides.most = has[1] && sides.most > height[k] ? sides.most : height[k];
            has[1] = true;
        }
    }
    return sides;
}

static double room_of(enum sim_pair_kind kind, const double height[4])
{
    struct sides sides = sides_of(kind, height);
    return sides.least - sides.most;
}

static void starts_of(const struct sim_truncation *tr, const struct sim_plane *plane, double x[4][3])
{
    const struct sim_row *first = &tr->starts[plane->rows[0]];
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            x[k][axis] = sim_wrap_sub(tr->starts[plane->rows[k]].x[axis], first->x[axis]);
        }
    }
}

// False where it has none.
static bool plane_from(const struct sim_truncation *tr, enum sim_pair_kind kind, uint32_t pair,
                       struct sim_plane *plane)
{
    const struct sim_pair_list *list = &tr->lists[kind];
    double x[4][3], g[3];
    *plane = (struct sim_plane){.kind = kind};
    for (uint32_t k = 0; k < 4; k++) {
        plane->rows[k] = sim_pair_row(list, pair, k);
    }
    starts_of(tr, plane, x);
    double d = sim_foot(kind, (const double(*)[3])x, g);
    if (!(d >= LEAST_ROOM)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        plane->normal[axis] = g[axis] / d;
    }
    for (int k = 0; k < 4; k++) {
        int32_t way[3];
        way_of(tr, plane->rows[k], way);
        plane->height[k] = along(plane->normal, x[k]);
        plane->way[k] = along(plane->normal, (const double[3]){way[0], way[1], way[2]});
    }
    plane->room = room_of(kind, plane->height);
    if (!(plane->room >= LEAST_ROOM)) {
        return false;
    }
    float reach = list->lanes[pair / SIM_LANES].reach[pair % SIM_LANES], gap = reach * SIM_GAP_SHARE;
    gap = gap > tr->floor ? gap : tr->floor;
    plane->keep = gap < plane->room ? gap : plane->room;
    plane->tight = plane->keep < TIGHT;
    return true;
}

// Does the normal of the end's closest points separate the start and the end?
static bool apart_otherwise(const struct sim_truncation *tr, const struct sim_plane *plane)
{
    enum sim_pair_kind kind = plane->kind;
    double x[4][3], ends[4][3], g[3], heights[4];
    starts_of(tr, plane, x);
    for (int k = 0; k < 4; k++) {
        int32_t way[3];
        way_of(tr, plane->rows[k], way);
        for (int axis = 0; axis < 3; axis++) {
            ends[k][axis] = x[k][axis] + (double)tr->t[plane->rows[k]] * way[axis];
        }
    }
    double d = sim_foot(kind, (const double(*)[3])ends, g);
    if (!(d >= plane->keep)) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        heights[k] = along(g, x[k]) / d;
    }
    if (!(room_of(kind, heights) >= plane->keep)) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        heights[k] = along(g, ends[k]) / d;
    }
    return room_of(kind, heights) >= plane->keep;
}

static bool apart(const struct sim_truncation *tr, const struct sim_plane *plane)
{
    double heights[4];
    for (int k = 0; k < 4; k++) {
        heights[k] = plane->height[k] + (double)tr->t[plane->rows[k]] * plane->way[k];
    }
    return room_of(plane->kind, heights) >= plane->keep || apart_otherwise(tr, plane);
}

// How far rows of a side, or its static ones alone, come beyond where its nearest one was.
static double approach_of(const struct sim_truncation *tr, const struct sim_plane *plane, bool first,
                          bool only_static)
{
    struct sides sides = sides_of(plane->kind, plane->height);
    double most = 0;
    for (uint32_t k = 0; k < 4; k++) {
        if (sim_pair_first_side(plane->kind, k) != first || (only_static && !is_static(tr, plane->rows[k]))) {
            continue;
        }
        double end = plane->height[k] + plane->way[k];
        double beyond = first ? sides.least - end : end - sides.most;
        most = beyond > most ? beyond : most;
    }
    return most;
}

// Shares the room among the rows by how fast each one approaches; static rows get what they need first.
static void bind(const struct sim_truncation *tr, struct sim_plane *plane)
{
    struct sides sides = sides_of(plane->kind, plane->height);
    double room = plane->room - plane->keep, all = 0;
    double fast[2], need[2];
    for (int side = 0; side < 2; side++) {
        fast[side] = approach_of(tr, plane, side == 0, false);
        need[side] = approach_of(tr, plane, side == 0, true);
    }
    all = fast[0] + fast[1];
    double share = all > 0 ? fast[0] / all : 0.5;
    share = share < SHARE_LEAST ? SHARE_LEAST : share > 1 - SHARE_LEAST ? 1 - SHARE_LEAST : share;
    double first = share * room;
    first = first > room - need[1] ? room - need[1] : first;
    first = first < need[0] ? need[0] : first;
    first = first > room ? room : first < 0 ? 0 : first;
    plane->jammed = need[0] + need[1] > room;
    plane->bound = true;
    for (uint32_t k = 0; k < 4; k++) {
        bool is_first = sim_pair_first_side(plane->kind, k);
        double left = is_first ? plane->height[k] - (sides.least - first)
                               : (sides.most + (room - first)) - plane->height[k];
        double way = is_first ? -plane->way[k] : plane->way[k];
        if (way > 0 && way > left - 1 && !is_static(tr, plane->rows[k])) {
            lower(&tr->t_next[plane->rows[k]], left > 2 ? 0.999 * (left - 2) / way : 0);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- passes

// Rows of tight pairs go all the way or none of it.
static void tighten(const struct sim_truncation *tr, const struct sim_plane *plane)
{
    for (int k = 0; k < 4; k++) {
        uint32_t row = plane->rows[k];
        if (tr->t[row] < 1 && tr->t[row] > 0) {
            tr->t_next[row] = 0;
        }
    }
}

// A pass over the candidates. Planes that there is room for are kept from the first one on; the others are made each time,
// and bound again where they were, which does nothing new: what binding comes to does not depend on t.
struct pass {
    bool all; // bind them all
    bool goes_on;
};

static void pass_over(const struct sim_truncation *tr, struct sim_plane *plane, bool kept, struct pass *pass,
                      struct sim_truncated *told)
{
    if (!plane->bound && (pass->all || !apart(tr, plane))) {
        bind(tr, plane);
        told->bound += kept || told->passes == 0;
        told->jammed += plane->jammed && (kept || told->passes == 0);
        told->fell_back |= pass->all;
        pass->goes_on |= kept;
    }
    if (plane->tight) {
        tighten(tr, plane);
    }
}

static void pass_overflow(const struct sim_truncation *tr, enum sim_pair_kind kind, uint32_t pair,
                          struct pass *pass, struct sim_truncated *told)
{
    struct sim_plane plane;
    if (plane_from(tr, kind, pair, &plane)) {
        pass_over(tr, &plane, false, pass, told);
    } else {
        told->without += told->passes == 0;
    }
}

// Makes t what t_next has become; true if any has.
static bool settle(const struct sim_truncation *tr)
{
    bool changed = false;
    for (uint32_t s = 0; s < tr->span_count; s++) {
        const struct sim_span *span = &tr->spans[s];
        for (uint32_t row = span->first; row < span->first + span->count; row++) {
            changed |= tr->t_next[row] < tr->t[row];
            tr->t[row] = tr->t_next[row];
        }
    }
    return changed;
}

static void passes(const struct sim_truncation *tr, struct sim_truncated *told)
{
    struct pass pass = {.goes_on = true};
    uint32_t planes = 0, first[SIM_PAIR_KINDS] = {0, 0};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        uint32_t *i = &first[kind];
        for (; *i < tr->candidate_count[kind] && planes < tr->plane_capacity; (*i)++) {
            bool has =
                plane_from(tr, (enum sim_pair_kind)kind, tr->candidates[kind][*i], &tr->planes[planes]);
            planes += has;
            told->without += !has;
        }
    }
    for (; pass.goes_on; told->passes++) {
        pass.goes_on = false;
        pass.all = told->passes >= PASSES;
        for (uint32_t i = 0; i < planes; i++) {
            pass_over(tr, &tr->planes[i], true, &pass, told);
        }
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            for (uint32_t i = first[kind]; i < tr->candidate_count[kind]; i++) {
                pass_overflow(tr, (enum sim_pair_kind)kind, tr->candidates[kind][i], &pass, told);
            }
        }
        if (tr->bind) {
            tr->bind(tr, pass.all);
        }
        pass.goes_on |= settle(tr);
    }
}

struct sim_truncated sim_truncate(const struct sim_truncation *tr)
{
    struct sim_truncated told = {0};
    for (uint32_t s = 0; s < tr->span_count; s++) {
        told.boxed += keep_in_tubes(tr, &tr->spans[s]);
    }
    passes(tr, &told);
    return told;
}

// ------------------------------------------------------------------------------------------------------ stops

bool sim_truncate_stop(const struct sim_truncation *tr, uint32_t row, int32_t x[3])
{
    int32_t way[3];
    if (!(tr->t[row] < 1) || is_static(tr, row)) {
        return false;
    }
    way_of(tr, row, way);
    for (int axis = 0; axis < 3; axis++) {
        double part = (double)tr->t[row] * way[axis] + 6755399441055744.0; // 1.5 * 2^52: rounds to even
        int32_t went = (int32_t)(part - 6755399441055744.0);
        x[axis] = sim_wrap_add(sim_wrap_add(tr->starts[row].x[axis], tr->frame[axis]), went);
    }
    return true;
}

// Adds the momentum that a row loses because it is held back, kg quanta, and its moment.
static void lose(const struct sim_truncation *tr, uint32_t row, const double lost[3],
                 struct sim_stopped *stopped)
{
    const struct sim_row *from = &tr->rows[tr->spans[0].first];
    double arm[3];
    for (int axis = 0; axis < 3; axis++) {
        arm[axis] = sim_wrap_sub(tr->rows[row].x[axis], from->x[axis]);
        stopped->lost[axis] += lost[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        stopped->turn[axis] += arm[next] * lost[last] - arm[last] * lost[next];
    }
}

struct sim_stopped sim_truncate_rows(const struct sim_truncation *tr)
{
    struct sim_stopped stopped = {0};
    for (uint32_t s = 0; s < tr->span_count; s++) {
        for (uint32_t row = tr->spans[s].first; row < tr->spans[s].first + tr->spans[s].count; row++) {
            int32_t x[3];
            if (!sim_truncate_stop(tr, row, x)) {
                continue;
            }
            double lost[3];
            for (int axis = 0; axis < 3; axis++) {
                lost[axis] = (double)sim_wrap_sub(tr->rows[row].x[axis], x[axis]) / (double)tr->rows[row].w;
            }
            memcpy(tr->rows[row].x, x, sizeof x);
            lose(tr, row, lost, &stopped);
            stopped.held++;
        }
    }
    return stopped;
}
