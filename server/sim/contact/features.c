// Makes the elements, in an order that keeps leaves compact, and finds which element owns each particle and edge.
//
// Rows stand along a Hilbert curve through the rest shape, so elements are sorted by the middle one of their rows.

#include "sim/contact/features.h"

#include "sim/contact/chart.h"
#include "sim/contact/collide.h"
#include "sim/ground/ground.h"

#include <math.h>
#include <stdlib.h>

bool sim_bodies_meet(const struct sim_body *a, const struct sim_body *b)
{
    if (a == b) {
        return a->meeting.self;
    }
    return (a->meeting.group & b->meeting.mask) != 0 && (b->meeting.group & a->meeting.mask) != 0;
}

void sim_leaf_triangles(const struct sim_features *features, uint32_t leaf, uint32_t corners[3][SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t e = leaf * SIM_LANES + lane;
        bool is = e < features->count && (features->owns[e] & SIM_ELEMENT_TRIANGLE) != 0;
        for (uint32_t k = 0; k < 3; k++) {
            corners[k][lane] = is ? features->corners[e][k] : SIM_NO_FEATURE;
        }
    }
}

void sim_features_destroy(struct sim_features *features)
{
    if (!features) {
        return;
    }
    void *arrays[] = {features->corners,
                      features->owns,
                      features->vertex_first,
                      features->edge_first,
                      features->vertices,
                      features->edges,
                      features->elements,
                      features->element_boxes,
                      features->vertex_boxes,
                      features->edge_boxes,
                      features->nodes,
                      features->moved,
                      features->moved_elements,
                      features->moved_vertices,
                      features->moved_edges,
                      features->balls,
                      !features->clears ? NULL : features->clears->leaves,
                      features->clears};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    free(features->spans);
    sim_chart_destroy(features->chart);
    free(features);
}

// ---------------------------------------------------------------------------------------------------- elements

// What elements are made of, unsorted, and what sorting and owning need.
struct making {
    uint32_t (*corners)[3]; // rows
    uint32_t count, triangles;
    uint64_t *keys;  // 3 count
    uint32_t *order; // 3 count
    uint8_t *seen;   // by row
};

static void making_deinit(struct making *making)
{
    free(making->corners);
    free(making->keys);
    free(making->order);
    free(making->seen);
}

static void element_take(struct making *making, const struct sim_body *body, uint32_t a, uint32_t b,
                         uint32_t c)
{
    const uint32_t of[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        uint32_t row = body->row_of[of[k]];
        making->corners[making->count][k] = row;
        making->seen[row] = 1;
    }
    making->count++;
}

// Triangles, edges where there are none, and particles that nothing has.
static bool elements_list(struct making *making, const struct sim_body *body)
{
    uint32_t edges = body->surface_count == 0 ? body->edge_count : 0;
    uint64_t most = (uint64_t)body->surface_count + edges + body->count;
    if (most > SIZE_MAX / (3 * sizeof *making->keys)) {
        return false;
    }
    making->corners = malloc((size_t)most * sizeof *making->corners);
    making->keys = malloc(3 * (size_t)most * sizeof *making->keys);
    making->order = malloc(3 * (size_t)most * sizeof *making->order);
    making->seen = calloc(body->count, 1);
    if (!making->corners || !making->keys || !making->order || !making->seen) {
        return false;
    }
    for (uint32_t t = 0; t < body->surface_count; t++) {
        const uint32_t *corners = body->surface + 3 * (size_t)t;
        element_take(making, body, corners[0], corners[1], corners[2]);
    }
    making->triangles = making->count;
    for (uint32_t e = 0; e < edges; e++) {
        element_take(making, body, body->edges[2 * (size_t)e], body->edges[2 * (size_t)e + 1],
                     body->edges[2 * (size_t)e + 1]);
    }
    // Inside a soft body nothing is on the surface, and nothing comes there before it has gone through it.
    for (uint32_t i = 0; body->kind != SIM_SOFT && i < sim_nameable(body); i++) {
        if (making->seen[body->row_of[i]] == 0) {
            element_take(making, body, i, i, i);
        }
    }
    return true;
}

static uint32_t middle_of(const uint32_t rows[3])
{
    uint32_t a = rows[0], b = rows[1], c = rows[2];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

// Spares stand where the particles stand that they came of.
static uint32_t place_of(const struct sim_body *body, const uint32_t rows[3])
{
    uint32_t roots[3];
    for (int k = 0; body->torn && k < 3; k++) {
        roots[k] = body->row_of[sim_torn_root(body->torn, body->index_of[rows[k]])];
    }
    return middle_of(body->torn ? roots : rows);
}

static bool elements_sort(struct making *making, const struct sim_body *body, struct sim_features *features)
{
    for (uint32_t e = 0; e < making->count; e++) {
        making->keys[e] = place_of(body, making->corners[e]);
        making->order[e] = e;
    }
    if (!sim_sort(making->keys, making->order, making->count)) {
        return false;
    }
    for (uint32_t e = 0; e < making->count; e++) {
        memcpy(features->corners[e], making->corners[making->order[e]], sizeof features->corners[e]);
        features->owns[e] = making->order[e] < making->triangles ? SIM_ELEMENT_TRIANGLE : 0;
    }
    return true;
}

// The first element that has a particle or an edge owns it.
static bool elements_own(struct making *making, struct sim_features *features)
{
    uint32_t edges = 0;
    for (uint32_t e = 0; e < features->count; e++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = features->corners[e][k], b = features->corners[e][(k + 1) % 3];
            if (making->seen[a] == 1) {
                making->seen[a] = 2;
                features->owns[e] |= (uint8_t)(1U << k);
                features->vertex_count++;
            }
            if (a != b) {
                making->keys[edges] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
                making->order[edges++] = 3 * e + k;
            }
        }
    }
    if (!sim_sort(making->keys, making->order, edges)) {
        return false;
    }
    for (uint32_t i = 0; i < edges; i++) {
        if (i == 0 || making->keys[i] != making->keys[i - 1]) { // sorting keeps the order of equal ones
            features->owns[making->order[i] / 3] |= (uint8_t)(8U << making->order[i] % 3);
            features->edge_count++;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- blocks

static uint32_t owned_by(const struct sim_features *features, uint32_t leaf, uint32_t shift)
{
    uint32_t count = 0;
    for (uint32_t e = leaf * SIM_LANES; e < (leaf + 1) * SIM_LANES && e < features->count; e++) {
        count += (uint32_t)__builtin_popcount(features->owns[e] >> shift & 7U);
    }
    return count;
}

static bool blocks_reserve(struct sim_features *features)
{
    uint32_t leaves = features->leaf_count;
    size_t vertices = 0, edges = 0;
    for (uint32_t l = 0; l < leaves; l++) {
        features->vertex_first[l] = (uint32_t)vertices;
        features->edge_first[l] = (uint32_t)edges;
        vertices += (owned_by(features, l, 0) + SIM_LANES - 1) / SIM_LANES;
        edges += (owned_by(features, l, 3) + SIM_LANES - 1) / SIM_LANES;
    }
    features->vertex_first[leaves] = (uint32_t)vertices;
    features->edge_first[leaves] = (uint32_t)edges;
    features->vertices = malloc((vertices + 1) * sizeof *features->vertices);
    features->edges = malloc((edges + 1) * sizeof *features->edges);
    features->elements = malloc(((size_t)leaves + 1) * sizeof *features->elements);
    features->vertex_boxes = aligned_alloc(64, (vertices + 1) * sizeof *features->vertex_boxes);
    features->edge_boxes = aligned_alloc(64, (edges + 1) * sizeof *features->edge_boxes);
    features->element_boxes = aligned_alloc(64, leaves * sizeof *features->element_boxes);
    features->nodes = calloc(2 * (size_t)leaves + 1, sizeof *features->nodes);
    features->balls = calloc(leaves / SIM_LANES + 1, sizeof *features->balls);
    features->clears = calloc(1, sizeof *features->clears);
    if (features->clears) { // the leaves' pages stay untouched until a height field is near
        features->clears->leaves = calloc(leaves, sizeof *features->clears->leaves);
    }
    features->moved = calloc(2 * (size_t)leaves + 1, 1);
    features->moved_elements = calloc((size_t)leaves + 1, sizeof *features->moved_elements);
    features->moved_vertices = calloc(vertices + 1, sizeof *features->moved_vertices);
    features->moved_edges = calloc(edges + 1, sizeof *features->moved_edges);
    return features->vertices && features->edges && features->elements && features->vertex_boxes &&
           features->edge_boxes && features->element_boxes && features->nodes && features->moved &&
           features->moved_elements && features->moved_vertices && features->moved_edges && features->balls &&
           features->clears && features->clears->leaves;
}

static void blocks_fill(struct sim_features *features)
{
    uint32_t leaves = features->leaf_count;
    memset(features->vertices, 0xff, (features->vertex_first[leaves] + 1) * sizeof *features->vertices);
    memset(features->edges, 0xff, (features->edge_first[leaves] + 1) * sizeof *features->edges);
    memset(features->elements, 0xff, leaves * sizeof *features->elements);
    for (uint32_t l = 0; l < leaves; l++) {
        uint32_t vertex = features->vertex_first[l] * SIM_LANES, edge = features->edge_first[l] * SIM_LANES;
        for (uint32_t e = l * SIM_LANES; e < (l + 1) * SIM_LANES && e < features->count; e++) {
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t *rows = features->corners[e];
                features->elements[l][k][e % SIM_LANES] = rows[k];
                if ((features->owns[e] >> k & 1) != 0) {
                    features->vertices[vertex / SIM_LANES][vertex % SIM_LANES] = rows[k];
                    vertex++;
                }
                if ((features->owns[e] >> (3 + k) & 1) != 0) {
                    features->edges[edge / SIM_LANES][0][edge % SIM_LANES] = rows[k];
                    features->edges[edge / SIM_LANES][1][edge % SIM_LANES] = rows[(k + 1) % 3];
                    edge++;
                }
            }
        }
    }
}

// As differences of low words, each rounded once.
static void longest_find(struct sim_features *features, const struct sim_body *body)
{
    float longest = 0, *spans = features->spans;
    for (uint32_t e = 0; e < features->count; e++) {
        for (int k = 0; k < 3; k++) {
            const uint32_t one = features->corners[e][k], other = features->corners[e][(k + 1) % 3];
            int64_t a[3], b[3];
            sim_rest_of(body, body->index_of[one], a);
            sim_rest_of(body, body->index_of[other], b);
            float squared = 0;
            for (int axis = 0; axis < 3; axis++) {
                float way = (float)(int32_t)(uint32_t)(uint64_t)(a[axis] - b[axis]);
                squared += way * way;
            }
            longest = squared > longest ? squared : longest;
            spans[one] = squared > spans[one] ? squared : spans[one];
            spans[other] = squared > spans[other] ? squared : spans[other];
        }
    }
    features->longest = sqrtf(longest);
    for (uint32_t row = 0; row < body->count; row++) {
        spans[row] = sqrtf(spans[row]);
    }
}

struct sim_features *sim_features_make(const struct sim_body *body, bool rested)
{
    struct making making = {0};
    struct sim_features *features = calloc(1, sizeof *features);
    bool done = features && elements_list(&making, body);
    if (done) {
        features->count = making.count;
        features->leaf_count = 1;
        while ((uint64_t)features->leaf_count * SIM_LANES < making.count) {
            features->leaf_count *= 2;
        }
        features->corners = malloc(((size_t)making.count + 1) * sizeof *features->corners);
        features->owns = malloc((size_t)making.count + 1);
        features->vertex_first = malloc(((size_t)features->leaf_count + 1) * sizeof *features->vertex_first);
        features->edge_first = malloc(((size_t)features->leaf_count + 1) * sizeof *features->edge_first);
        done = features->corners && features->owns && features->vertex_first && features->edge_first &&
               elements_sort(&making, body, features) && elements_own(&making, features) &&
               blocks_reserve(features);
    }
    if (done) {
        blocks_fill(features);
    }
    if (done && rested) {
        features->spans = calloc((size_t)body->count + 1, sizeof *features->spans);
        done = features->spans != NULL;
    }
    if (done && rested) {
        longest_find(features, body);
        done = sim_chart_make(features, body, &features->chart);
    }
    if (!done) {
        sim_features_destroy(features);
        features = NULL;
    }
    making_deinit(&making);
    return features;
}
