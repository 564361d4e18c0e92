// Long edges of a cloth with warp and weft: those that run along one of its yarns, and no others.
//
// A yarn that is straight at rest gets no longer than its limit, and so the distance of two points on it does
// not either, however the cloth shears. Points that share no yarn have no such bound, because shear alone
// brings them apart. So those long edges are kept whose particles lie on one yarn at rest. This needs one
// direction of the yarns in space, which only a flat cloth has.

#include "sim/ground/ground.h"
#include "sim/long/long.h"
#include "sim/state/fabric.h"
#include "sim/store/store.h"

#include <stdlib.h>

#define OFF 1e-3  // of its length, that an edge may lead off its yarn
#define MORE 1e-4 // of its length, that a way along the surface may be longer: else it leads round a hole

static double dot_of(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void apart(const struct sim_body *body, uint32_t from, uint32_t to, double out[3])
{
    int64_t a[3], b[3];
    sim_rest_of(body, from, a);
    sim_rest_of(body, to, b);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (double)(b[axis] - a[axis]);
    }
}

// Writes each pair once, by ascending particles. Keys are those of all three edges of all triangles.
static void unique(const uint64_t *keys, uint32_t count, uint32_t (*edges)[2], uint32_t *edge_count)
{
    *edge_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) {
            edges[*edge_count][0] = (uint32_t)(keys[k] >> 32);
            edges[(*edge_count)++][1] = (uint32_t)keys[k];
        }
    }
}

bool sim_yarn_edges(const struct sim *sim, const struct sim_body *body, uint32_t (**edges)[2],
                    uint32_t *edge_count)
{
    const struct sim_store *store = &sim->stores[SIM_ORTHOTROPIC];
    const size_t room = (size_t)body->live_count[SIM_ORTHOTROPIC] * 3 + 1;
    uint64_t *keys = malloc(room * sizeof *keys);
    uint32_t *order = malloc(room * sizeof *order), count = 0;
    *edges = malloc(room * sizeof **edges);
    bool good = keys && order && *edges;
    for (uint32_t r = 0; good && r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; range->body == body->id && range->kind == SIM_ORTHOTROPIC && i < range->count;
             i++) {
            uint32_t rows[SIM_STENCIL_MAX];
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            sim_store_rows(store, range->slots[i], rows);
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t a = body->index_of[rows[k] - body->first_row];
                const uint32_t b = body->index_of[rows[(k + 1) % 3] - body->first_row];
                order[count] = count;
                keys[count++] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
            }
        }
    }
    good = good && sim_sort(keys, order, count);
    if (good) {
        unique(keys, count, *edges, edge_count);
    } else {
        free(*edges);
        *edges = NULL;
    }
    free(keys);
    free(order);
    return good;
}

double sim_yarn_length(const struct sim_body *body, const uint32_t edge[2])
{
    double way[3];
    apart(body, edge[0], edge[1], way);
    return __builtin_sqrt(dot_of(way, way));
}

// Finds the normal of a cloth that is flat and turns one way all over. False if it is not.
static bool normal_of(const struct sim_body *body, double normal[3])
{
    bool known = false;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corners = body->triangles + 3 * (size_t)t;
        double a[3], b[3], n[3];
        apart(body, corners[0], corners[1], a);
        apart(body, corners[0], corners[2], b);
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            n[axis] = a[y] * b[z] - a[z] * b[y];
        }
        const double length = __builtin_sqrt(dot_of(n, n));
        if (!(length > 0)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            n[axis] /= length;
            normal[axis] = known ? normal[axis] : n[axis];
        }
        known = true;
        if (!(dot_of(n, normal) > 1 - 1e-9)) {
            return false;
        }
    }
    return known;
}

void sim_yarn_keep(const struct sim_body *body, struct sim_long_edge *edges, uint32_t *count)
{
    const double most = (1 + body->materials[SIM_PART_STRETCH].limit) * (1 + MORE);
    double normal[3], turn[2], warp[3], weft[3];
    uint32_t kept = 0;
    sim_turn_of(body->yarns.angle, turn);
    const bool flat = !body->uvs && normal_of(body, normal) &&
                      sim_yarns_in(body->yarns.direction, turn, normal, warp, weft);
    for (uint32_t e = 0; flat && e < *count; e++) {
        double way[3];
        apart(body, edges[e].a, edges[e].b, way);
        const double length = __builtin_sqrt(dot_of(way, way)), u = dot_of(way, warp), v = dot_of(way, weft);
        const double off = u * u < v * v ? u : v;
        if (off <= OFF * length && off >= -OFF * length && (double)edges[e].length <= most * length) {
            edges[kept++] = edges[e];
        }
    }
    *count = kept;
}
