#include "sim/contact/features.h"

#include "sim/ground/ground.h"

#include <stdlib.h>

bool sim_bodies_meet(const struct sim_body *a, const struct sim_body *b)
{
    if (a == b) {
        return a->meeting.self;
    }
    return (a->meeting.group & b->meeting.mask) != 0 && (b->meeting.group & a->meeting.mask) != 0;
}

void sim_features_destroy(struct sim_features *f)
{
    if (f == NULL) {
        return;
    }
    free(f->corners);
    free(f->owns);
    free(f->leaves);
    free(f->nodes);
    free(f->moved);
    free(f->moved_lanes);
    free(f);
}

struct sim_features *sim_features_make(const struct sim_body *body)
{
    uint32_t n = body->surface_count + (body->surface_count == 0 ? body->edge_count : 0);
    if (n == 0) {
        n = body->count;
    }
    struct sim_features *f = calloc(1, sizeof *f);
    f->count = n;
    f->leaf_count = 1;
    while (f->leaf_count * 16 < n) {
        f->leaf_count *= 2;
    }
    f->corners = malloc(n * sizeof *f->corners);
    f->owns = calloc(n, 1);
    f->leaves = aligned_alloc(64, f->leaf_count * sizeof *f->leaves);
    f->nodes = calloc(2 * f->leaf_count, sizeof *f->nodes);
    f->moved = calloc(2 * f->leaf_count, 1);
    f->moved_lanes = calloc(f->leaf_count, 2);
    uint64_t *keys = malloc(n * 8 + 8);
    uint32_t *order = malloc(n * 4 + 4);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *t = body->surface_count > 0 ? body->surface + 3 * (size_t)i : NULL;
        uint32_t r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = body->row_of[t != NULL ? t[k] : body->edge_count > 0 ? body->edges[2 * i + (k > 0)] : i];
        }
        keys[i] = (uint64_t)r[0] + r[1] + r[2];
        order[i] = i;
    }
    sim_sort(keys, order, n);
    uint8_t *seen = calloc(body->count, 1);
    uint64_t *edges = malloc(3 * (size_t)n * 8);
    uint32_t *who = malloc(3 * (size_t)n * 4);
    for (uint32_t j = 0; j < n; j++) {
        uint32_t i = order[j];
        const uint32_t *t = body->surface_count > 0 ? body->surface + 3 * (size_t)i : NULL;
        for (int k = 0; k < 3; k++) {
            f->corners[j][k] = body->row_of[t != NULL ? t[k] : body->edge_count > 0 ? body->edges[2 * i + (k > 0)] : i];
        }
        f->owns[j] |= t != NULL ? SIM_ELEMENT_TRIANGLE : 0;
        for (int k = 0; k < 3; k++) {
            uint32_t a = f->corners[j][k], b = f->corners[j][(k + 1) % 3];
            if (!seen[a]) {
                seen[a] = 1;
                f->owns[j] |= 1 << k;
                f->vertex_count++;
            }
            edges[3 * j + k] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
            who[3 * j + k] = 3 * j + k;
        }
    }
    sim_sort(edges, who, 3 * n);
    for (uint32_t e = 0; e < 3 * n; e++) {
        if ((e == 0 || edges[e] != edges[e - 1]) && edges[e] >> 32 != (edges[e] & 0xffffffff)) {
            f->owns[who[e] / 3] |= 8 << who[e] % 3;
            f->edge_count++;
        }
    }
    free(seen);
    free(edges);
    free(who);
    free(keys);
    free(order);
    return f;
}
