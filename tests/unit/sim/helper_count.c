// Crossings, counted by everyone with everyone.
#include "helper_count.h"

#include "helper_wide_int.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A body by its particles: exact places, movable particles, edges (each once), triangles.
struct counted {
    const struct sim_body *body;
    int64_t (*x)[3];
    bool *moves;
    uint32_t (*edges)[2];
    uint32_t edge_count;
};

static int by_ends(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static void edge_take(struct counted *counted, uint32_t a, uint32_t b)
{
    counted->edges[counted->edge_count][0] = a < b ? a : b;
    counted->edges[counted->edge_count++][1] = a < b ? b : a;
}

static void edges_take(struct counted *counted)
{
    const struct sim_body *body = counted->body;
    const uint32_t most = 3 * body->surface_count + body->edge_count;
    counted->edges = calloc((size_t)most + 1, sizeof *counted->edges);
    assert_non_null(counted->edges);
    for (uint32_t t = 0; t < body->surface_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *corners = body->surface + 3 * (size_t)t;
            edge_take(counted, corners[k], corners[(k + 1) % 3]);
        }
    }
    for (uint32_t e = 0; body->surface_count == 0 && e < body->edge_count; e++) {
        edge_take(counted, body->edges[2 * (size_t)e], body->edges[2 * (size_t)e + 1]);
    }
    qsort(counted->edges, counted->edge_count, sizeof *counted->edges, by_ends);
    uint32_t kept = 0;
    for (uint32_t e = 0; e < counted->edge_count; e++) {
        if (e == 0 || by_ends(counted->edges[e], counted->edges[e - 1]) != 0) {
            memmove(counted->edges[kept++], counted->edges[e], sizeof *counted->edges);
        }
    }
    counted->edge_count = kept;
}

static void take(const struct sim *sim, const struct sim_body *body, struct counted *counted)
{
    double *x = calloc(3 * (size_t)body->count, sizeof *x);
    counted->body = body;
    counted->x = calloc(body->count, sizeof *counted->x);
    counted->moves = calloc(body->count, sizeof *counted->moves);
    assert_true(x != NULL && counted->x != NULL && counted->moves != NULL);
    sim_body_positions64(sim, body->id, 0, body->count, x);
    for (uint32_t i = 0; i < body->count; i++) {
        counted->moves[i] = sim_inverse_mass_of(sim, body->first_row + body->row_of[i]) > 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double whole = x[3 * (size_t)i + axis] / sim->q;
            counted->x[i][axis] = (int64_t)whole;
            assert_true((double)counted->x[i][axis] == whole);
        }
    }
    edges_take(counted);
    free(x);
}

static bool is_beside(const int64_t edge[2][3], const int64_t triangle[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t least = edge[0][axis] < edge[1][axis] ? edge[0][axis] : edge[1][axis];
        int64_t most = edge[0][axis] < edge[1][axis] ? edge[1][axis] : edge[0][axis];
        bool below = true, above = true;
        for (int k = 0; k < 3; k++) {
            below &= triangle[k][axis] < least;
            above &= triangle[k][axis] > most;
        }
        if (below || above) {
            return true;
        }
    }
    return false;
}

// Both ends are where corners are.
static bool coincides(const int64_t edge[2][3], const int64_t triangle[3][3])
{
    bool found = false;
    for (int k = 0; k < 6; k++) {
        const int64_t *first = triangle[k % 3], *second = triangle[(k % 3 + 1 + k / 3) % 3];
        found |= memcmp(edge[0], first, 3 * sizeof *first) == 0 &&
                 memcmp(edge[1], second, 3 * sizeof *second) == 0;
    }
    return found;
}

static uint64_t between(const struct counted *edges, const struct counted *triangles)
{
    uint64_t crossings = 0;
    const bool same = edges == triangles;
    for (uint32_t e = 0; e < edges->edge_count; e++) {
        const uint32_t *ends = edges->edges[e];
        for (uint32_t t = 0; t < triangles->body->surface_count; t++) {
            const uint32_t *corners = triangles->body->surface + 3 * (size_t)t;
            int64_t edge[2][3], triangle[3][3];
            bool moves = edges->moves[ends[0]] || edges->moves[ends[1]], shared = false;
            for (int k = 0; k < 3; k++) {
                moves |= triangles->moves[corners[k]];
                shared |= same && (corners[k] == ends[0] || corners[k] == ends[1]);
                memcpy(triangle[k], triangles->x[corners[k]], sizeof triangle[0]);
                memcpy(edge[k % 2], edges->x[ends[k % 2]], sizeof edge[0]);
            }
            crossings += moves && !shared &&
                         !is_beside((const int64_t(*)[3])edge, (const int64_t(*)[3])triangle) &&
                         (wide_int_edge_crosses((const int64_t(*)[3])edge, (const int64_t(*)[3])triangle) ||
                          coincides((const int64_t(*)[3])edge, (const int64_t(*)[3])triangle));
        }
    }
    return crossings;
}

static bool meet(const struct sim_meeting *a, const struct sim_meeting *b)
{
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

uint64_t count_crossings(const struct sim *sim)
{
    struct counted *counted = calloc((size_t)sim->body_count + 1, sizeof *counted);
    uint64_t crossings = 0;
    assert_non_null(counted);
    for (uint32_t a = 0; a < sim->body_count; a++) {
        take(sim, sim->bodies[a], &counted[a]);
        crossings += counted[a].body->meeting.self ? between(&counted[a], &counted[a]) : 0;
        for (uint32_t b = 0; b < a; b++) {
            if (meet(&counted[a].body->meeting, &counted[b].body->meeting)) {
                crossings += between(&counted[a], &counted[b]) + between(&counted[b], &counted[a]);
            }
        }
    }
    for (uint32_t a = 0; a < sim->body_count; a++) {
        free(counted[a].x);
        free(counted[a].moves);
        free(counted[a].edges);
    }
    free(counted);
    return crossings;
}
