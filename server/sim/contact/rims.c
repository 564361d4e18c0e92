#include "sim/contact/rims.h"

#include "sim/contact/exact.h"
#include "sim/contact/foot.h"
#include "sim/ground/ground.h"

enum { ROUNDS = 8 }; // after these, all that parted in a substep are put together

static const double LEAST = 2; // quanta: what truncate.h needs to keep features apart from then on

// A torn body in a substep.
struct rims {
    struct sim *sim;
    const struct sim_row *starts;            // by row, where the substep began
    struct sim_row *rows;                    // by row, where it ends if nothing is held back
    const struct sim_truncation *truncation; // where rows that are held back end; NULL: not known yet
    const struct sim_body *body;
};

static struct rims rims_of(struct sim *sim, const struct sim_body *body)
{
    return (struct rims){.sim = sim, .starts = sim->previous, .rows = sim->rows, .body = body};
}

static bool at_one(const struct sim_row *x, uint32_t a, uint32_t b)
{
    return memcmp(x[a].x, x[b].x, sizeof x[a].x) == 0;
}

static uint32_t root_of(const struct sim_body *body, uint32_t row)
{
    return sim_torn_root(body->torn, body->index_of[row - body->first_row]);
}

// Do two rows count as one? A particle does so with itself.
static bool are_one(const struct sim_body *body, const struct sim_row *x, uint32_t a, uint32_t b)
{
    return a == b || (at_one(x, a, b) && root_of(body, a) == root_of(body, b));
}

static bool have_one(const struct sim_body *body, const struct sim_row *x, const uint32_t *rows,
                     uint32_t first, const uint32_t *others, uint32_t count)
{
    bool have = false;
    for (uint32_t i = 0; i < first * count && !have; i++) {
        have = are_one(body, x, rows[i / count], others[i % count]);
    }
    return have;
}

bool sim_rims_touch(const struct sim *sim, const struct sim_row *x, const uint32_t rows[5])
{
    return have_one(sim_body_of_row(sim, rows[0]), x, rows, 2, rows + 2, 3);
}

// ---------------------------------------------------------------------------------------------------- parting

static void end_of(const struct rims *rims, uint32_t row, int32_t x[3])
{
    if (!rims->truncation || !sim_truncate_stop(rims->truncation, row, x)) {
        memcpy(x, rims->rows[row].x, sizeof rims->rows[row].x);
    }
}

static bool end_at_one(const struct rims *rims, uint32_t a, uint32_t b)
{
    int32_t x[2][3];
    end_of(rims, a, x[0]);
    end_of(rims, b, x[1]);
    return memcmp(x[0], x[1], sizeof x[0]) == 0;
}

// Whether two features had particles in common when the substep began, and have none now.
static bool part(const struct rims *rims, const uint32_t *rows, uint32_t first, const uint32_t *others,
                 uint32_t count)
{
    bool had = false, have = false;
    for (uint32_t i = 0; i < first * count && !have; i++) {
        const uint32_t a = rows[i / count], b = others[i % count];
        const bool one = are_one(rims->body, rims->starts, a, b);
        had |= one;
        have = a == b || (one && end_at_one(rims, a, b));
    }
    return had && !have;
}

// first: how many of the four rows are of the first feature.
static bool too_close(const struct rims *rims, const uint32_t rows[4], uint32_t first)
{
    int32_t ends[4][3];
    double x[4][3], g[3];
    if (!part(rims, rows, first, rows + first, 4 - first)) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        end_of(rims, rows[k], ends[k]);
        for (int axis = 0; axis < 3; axis++) {
            x[k][axis] = sim_wrap_sub(ends[k][axis], ends[0][axis]);
        }
    }
    return !(sim_foot(first == 1 ? SIM_PAIR_VT : SIM_PAIR_EE, (const double(*)[3])x, g) >= LEAST);
}

static bool crosses(const struct rims *rims, const uint32_t edge[2], const uint32_t triangle[3])
{
    int32_t ends[2][3], corners[3][3];
    if (!part(rims, edge, 2, triangle, 3)) {
        return false;
    }
    for (int k = 0; k < 5; k++) {
        end_of(rims, k < 2 ? edge[k] : triangle[k - 2], k < 2 ? ends[k] : corners[k - 2]);
    }
    return sim_edge_crosses((const int32_t(*)[3])ends, (const int32_t(*)[3])corners);
}

// Has something of one triangle passed something of the other, or come too close to it, while they part?
static bool part_wrongly(struct rims *rims, const uint32_t a[3], const uint32_t b[3])
{
    bool wrong = false;
    for (uint32_t k = 0; k < 3 && !wrong; k++) {
        const uint32_t edge[2] = {a[k], a[(k + 1) % 3]}, other[2] = {b[k], b[(k + 1) % 3]};
        wrong = crosses(rims, edge, b) || crosses(rims, other, a) ||
                too_close(rims, (const uint32_t[4]){a[k], b[0], b[1], b[2]}, 1) ||
                too_close(rims, (const uint32_t[4]){b[k], a[0], a[1], a[2]}, 1);
        for (uint32_t i = 0; i < 3 && !wrong; i++) {
            wrong = too_close(rims, (const uint32_t[4]){edge[0], edge[1], b[i], b[(i + 1) % 3]}, 2);
        }
    }
    return wrong;
}

// ---------------------------------------------------------------------------------------------------- rejoining

static uint32_t corner_row(const struct sim_body *body, uint32_t triangle, uint32_t root)
{
    return body->first_row + body->row_of[sim_torn_corner(body, triangle, root)];
}

static void rows_of(const struct sim_body *body, uint32_t triangle, uint32_t rows[3])
{
    for (int k = 0; k < 3; k++) {
        rows[k] = body->first_row + body->row_of[body->triangles[3 * (size_t)triangle + (size_t)k]];
    }
}

// Puts the particles that came of a root, were where a and b were and are where a or b is, to the middle of their masses. One that
// is static stays, and the others come to it.
static void rejoin(struct rims *rims, uint32_t root, uint32_t a, uint32_t b)
{
    const struct sim_body *body = rims->body;
    const uint32_t *around = body->torn->around + body->torn->firsts[root];
    const uint32_t count = body->torn->firsts[root + 1] - body->torn->firsts[root];
    const struct sim_row ends[2] = {rims->rows[a], rims->rows[b]};
    double sum[3] = {0}, mass = 0;
    int32_t to[3];
    bool fixed = false;
    for (int moves = 0; moves < 2; moves++) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t row = corner_row(body, around[i], root);
            struct sim_row *x = &rims->rows[row];
            bool seen = false;
            for (uint32_t k = 0; k < i && !seen; k++) {
                seen = corner_row(body, around[k], root) == row;
            }
            if (seen || !at_one(rims->starts, row, a) ||
                (memcmp(x->x, ends[0].x, sizeof to) != 0 && memcmp(x->x, ends[1].x, sizeof to) != 0)) {
                continue;
            }
            if (moves == 1) {
                memcpy(x->x, x->w > 0 ? to : x->x, sizeof to);
            } else if (!(x->w > 0)) {
                memcpy(to, x->x, sizeof to);
                fixed = true;
            } else {
                mass += 1 / (double)x->w;
                for (int axis = 0; axis < 3; axis++) {
                    sum[axis] += sim_wrap_sub(x->x[axis], ends[0].x[axis]) / (double)x->w;
                }
            }
        }
        for (int axis = 0; axis < 3 && moves == 0 && !fixed; axis++) {
            to[axis] = sim_wrap_add(ends[0].x[axis], sim_round((float)(sum[axis] / mass)));
        }
    }
}

// They end in one place with the same part of the way.
static void tie(const struct sim_truncation *truncation, uint32_t a, uint32_t b)
{
    float *const t = truncation->t_next;
    t[a] = t[b] = t[a] < t[b] ? t[a] : t[b];
}

// Particles that came of one and end in two places: two rows, and triangles at them.
struct parted {
    uint32_t root, rows[2], triangles[2];
};

static bool hold(struct rims *rims, const struct parted *parted, bool all)
{
    const uint32_t a = parted->rows[0], b = parted->rows[1];
    uint32_t rows[2][3];
    for (int side = 0; side < 2; side++) {
        rows_of(rims->body, parted->triangles[side], rows[side]);
    }
    if (!all && !part_wrongly(rims, rows[0], rows[1])) {
        return false;
    }
    if (!rims->truncation) {
        rejoin(rims, parted->root, a, b);
        return true;
    }
    for (int side = 0; side < 2; side++) {
        const uint32_t row = parted->rows[side];
        float *const t = &rims->truncation->t_next[row];
        *t = rims->rows[row].w > 0 ? 0 : *t; // static rows go all their way
    }
    return true;
}

// Looks at two triangles at particles that were in one place. all: brings these together in any case.
static bool pair_hold(struct rims *rims, const struct parted *parted, bool all)
{
    const uint32_t a = parted->rows[0], b = parted->rows[1];
    const bool a_fixed = !(rims->rows[a].w > 0), b_fixed = !(rims->rows[b].w > 0);
    rims->sim->meet->tested++;
    if (rims->truncation && !a_fixed && !b_fixed && at_one(rims->rows, a, b)) {
        tie(rims->truncation, a, b);
        return false;
    }
    return !(a_fixed && b_fixed) && !end_at_one(rims, a, b) && hold(rims, parted, all);
}

// Looks at a spare and the particles before it that came of the same one. Returns whether it brought any together.
static bool spare_hold(struct rims *rims, uint32_t spare, bool all)
{
    const struct sim_body *body = rims->body;
    const struct sim_torn *torn = body->torn;
    const uint32_t root = torn->roots[spare], *around = torn->around + torn->firsts[root];
    const uint32_t count = torn->firsts[root + 1] - torn->firsts[root];
    const uint32_t row = body->first_row + body->row_of[torn->own + spare];
    bool any = false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t corner = sim_torn_corner(body, around[k], root);
        const uint32_t other = body->first_row + body->row_of[corner];
        if (corner >= torn->own + spare || !at_one(rims->starts, row, other)) {
            continue;
        }
        for (uint32_t i = 0; i < count && !sim_meet_over(rims->sim); i++) {
            if (sim_torn_corner(body, around[i], root) == torn->own + spare) {
                any |= pair_hold(rims, &(struct parted){root, {other, row}, {around[k], around[i]}}, all);
            }
        }
    }
    return any;
}

static bool body_hold(struct rims *rims, bool all)
{
    bool any = false;
    for (uint32_t spare = 0; spare < rims->body->torn->used; spare++) {
        any |= spare_hold(rims, spare, all);
    }
    return any;
}

static bool is_torn(const struct sim_body *body)
{
    return sim_rims_any(body) && sim_bodies_meet(body, body);
}

void sim_rims_hold(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct rims rims = rims_of(sim, meet->members[m].body);
        bool again = is_torn(rims.body);
        for (int round = 0; again && round <= ROUNDS; round++) {
            again = body_hold(&rims, round == ROUNDS);
        }
    }
}

void sim_rims_bind(const struct sim_truncation *truncation, bool all)
{
    for (uint32_t s = 0; s < truncation->span_count; s++) {
        const uint32_t first = truncation->spans[s].first;
        struct rims rims = rims_of(truncation->sim, sim_body_of_row(truncation->sim, first));
        rims.truncation = truncation;
        if (is_torn(rims.body)) {
            body_hold(&rims, all);
        }
    }
}
