// Which bodies may be solved, their order of elimination and their edges, made again when what they follow from has changed.

#include "sim/bear/system.h"

#include "base/array.h"
#include "base/hash.h"
#include "sim/contact/features.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <math.h>
#include <stdlib.h>

// Contacts of a particle, in the mean, that there is room for; and more for small bodies.
enum { TOUCHES = 8, TOUCHES_MORE = 2048 };

void sim_bearing_destroy(struct sim_bearing *bearing)
{
    if (bearing) {
        sim_plate_empty(&bearing->plate);
        free(bearing->point_of);
        free(bearing->edges);
        free(bearing->edge_starts);
        free(bearing);
    }
}

void sim_bear_destroy(struct sim *sim)
{
    struct sim_bear *bear = sim->bear;
    if (!bear) {
        return;
    }
    free(bear->anchors);
    free(bear->swept);
    free(bear->x);
    free(bear->y);
    free(bear->starts);
    free(bear->masses);
    free(bear->slope);
    free(bear->step);
    free(bear->trial);
    free(bear->touches);
    free(bear->touch_starts);
    free(bear->touch_order);
    free(bear->fronts);
    free(bear->front_at);
    free(bear->vector);
    free(bear->vector_at);
    free(bear->local);
    free(bear->spread);
    free(bear->child_rows);
    free(bear->depths);
    free(bear);
    sim->bear = NULL;
}

// ------------------------------------------------------------------------------------------------ edges, tree

struct links {
    struct sim_bear_edge *edges;
    struct sim_plate_stencil *stencils; // of edges, and then of triangles
    uint32_t edge_count, count;
};

static void edges_from(const struct sim *sim, const struct sim_body *body, const struct sim_id_range *range,
                       struct links *links)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const double limit = body->materials[SIM_PART_STRETCH].limit;
    for (uint32_t i = 0; i < range->count; i++) {
        struct sim_values values;
        uint32_t rows[SIM_STENCIL_MAX];
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        sim_store_values(store, range->slots[i], &values);
        sim_store_rows(store, range->slots[i], rows);
        const uint32_t a = rows[0] - body->first_row, b = rows[1] - body->first_row;
        const double rest = (double)values.params[0] * sim->q;
        links->stencils[links->count] =
            (struct sim_plate_stencil){.unknowns = {a, b, a, b}, .weight = links->edge_count};
        links->edges[links->edge_count] = (struct sim_bear_edge){
            .points = {a, b},
            .rest = rest,
            .limit = limit > 0 ? rest * (1 + limit) : (double)INFINITY,
            .compliance = values.stiffness < 0 && values.compliance > 0 ? (double)values.compliance : 0};
        links->count++;
        links->edge_count++;
    }
}

static bool links_init(const struct sim *sim, const struct sim_body *body, struct links *links)
{
    const size_t edges = (size_t)body->live_count[SIM_DISTANCE] + 1;
    *links = (struct links){.edges = malloc(edges * sizeof *links->edges),
                            .stencils = malloc((edges + body->surface_count) * sizeof *links->stencils)};
    if (!links->edges || !links->stencils) {
        return false;
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        if (sim->ranges[r].body == body->id && sim->ranges[r].kind == SIM_DISTANCE) {
            edges_from(sim, body, &sim->ranges[r], links);
        }
    }
    // Contacts join the corners of triangles, also of those whose edges were removed.
    for (uint32_t t = 0; t < body->surface_count; t++) {
        const uint32_t *corners = body->surface + 3 * (size_t)t;
        const uint32_t a = body->row_of[corners[0]], b = body->row_of[corners[1]],
                       c = body->row_of[corners[2]];
        links->stencils[links->count++] =
            (struct sim_plate_stencil){.unknowns = {a, b, c, a}, .weight = SIM_BEAR_NO_EDGE};
    }
    return true;
}

static void links_deinit(struct links *links)
{
    free(links->edges);
    free(links->stencils);
}

static uint64_t sources_of(const struct sim *sim, const struct links *links)
{
    base_hash_reset(sim->hash);
    for (uint32_t s = 0; s < links->count; s++) {
        base_hash_bytes(sim->hash, links->stencils[s].unknowns, sizeof links->stencils[s].unknowns);
    }
    for (uint32_t e = 0; e < links->edge_count; e++) {
        base_hash_f64(sim->hash, links->edges[e].rest);
        base_hash_f64(sim->hash, links->edges[e].limit);
        base_hash_f64(sim->hash, links->edges[e].compliance);
    }
    return base_hash_digest(sim->hash);
}

// Fills the order of elimination. False without memory.
static bool find_order(const struct sim_body *body, const struct links *links,
                       struct sim_dissection *dissection)
{
    struct sim_graph graph = {0};
    bool good = false;
    int64_t(*points)[3] = malloc(((size_t)body->count + 1) * sizeof *points);
    if (points && sim_graph_init(&graph, links->stencils, links->count, body->count)) {
        for (uint32_t row = 0; row < body->count; row++) {
            sim_rest_of(body, body->index_of[row], points[row]);
        }
        good = sim_dissect(&graph, (const int64_t(*)[3])points, dissection);
    }
    free(graph.starts);
    free(graph.ways);
    free(points);
    return good;
}

// Edges in the order of the tree's stencils, by node.
static void lay_edges(struct sim_bearing *bearing, const struct links *links)
{
    const struct sim_plate_tree *tree = bearing->plate.tree;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        bearing->edge_starts[node] = bearing->edge_count;
        for (uint32_t s = tree->starts[node]; s < tree->starts[node + 1]; s++) {
            const double edge = tree->stencils[s].weight;
            if (edge >= 0) {
                struct sim_bear_edge *to = &bearing->edges[bearing->edge_count++];
                *to = links->edges[(uint32_t)edge];
                for (int k = 0; k < 2; k++) {
                    to->points[k] = bearing->point_of[to->points[k]];
                }
            }
        }
    }
    bearing->edge_starts[tree->node_count] = bearing->edge_count;
}

// *fits: its factor is not too large.
static bool make(struct sim_bearing *bearing, const struct sim_body *body, struct links *links, bool *fits)
{
    struct sim_plate *plate = &bearing->plate;
    struct sim_dissection dissection = {.order = malloc(((size_t)body->count + 1) * sizeof(uint32_t)),
                                        .ends = malloc(((size_t)body->count + 1) * sizeof(uint32_t))};
    bearing->point_of = malloc(((size_t)body->count + 1) * sizeof *bearing->point_of);
    bearing->edges = malloc(((size_t)links->edge_count + 1) * sizeof *bearing->edges);
    plate->rows = malloc(((size_t)body->count + 1) * sizeof *plate->rows);
    plate->count = body->count;
    plate->lanes = SIM_PLATE_BLOCK;
    bool good = dissection.order && dissection.ends && bearing->point_of && bearing->edges && plate->rows &&
                find_order(body, links, &dissection);
    for (uint32_t u = 0; good && u < body->count; u++) {
        plate->rows[u] = dissection.order[u];
        bearing->point_of[dissection.order[u]] = u;
    }
    for (uint32_t s = 0; good && s < links->count; s++) {
        for (int k = 0; k < 4; k++) {
            links->stencils[s].unknowns[k] = bearing->point_of[links->stencils[s].unknowns[k]];
        }
    }
    good = good && sim_plate_shape(plate, &dissection) &&
           sim_plate_grow(plate, links->stencils, links->count, fits);
    if (good && *fits) {
        bearing->edge_starts = malloc(((size_t)plate->node_count + 1) * sizeof *bearing->edge_starts);
        good = bearing->edge_starts;
    }
    if (good && *fits) {
        lay_edges(bearing, links);
    }
    free(dissection.order);
    free(dissection.ends);
    return good;
}

static bool settle_body(const struct sim *sim, struct sim_body *body)
{
    struct links links;
    bool good = links_init(sim, body, &links), fits = true;
    const uint64_t sources = good ? sources_of(sim, &links) : 0;
    if (good && !(body->bearing && body->bearing->sources == sources)) {
        sim_bearing_destroy(body->bearing);
        body->bearing = calloc(1, sizeof *body->bearing);
        good = body->bearing && make(body->bearing, body, &links, &fits);
        if (good) {
            body->bearing->sources = sources;
        }
    }
    links_deinit(&links);
    if (!good || !fits) {
        sim_bearing_destroy(body->bearing);
        body->bearing = NULL;
    }
    return good;
}

// ------------------------------------------------------------------------------------------------------ room

// Makes room for what solving a body needs.
static bool reserve(struct sim_bear *bear, const struct sim_body *body)
{
    const struct sim_bearing *bearing = body->bearing;
    uint32_t rows;
    const size_t fronts = sim_bear_front_room(bearing, SIM_BEAR_LOADS, &rows);
    const uint32_t touches = TOUCHES * body->count + TOUCHES_MORE,
                   points = body->count + SIM_BEAR_LOADS + 4 * touches, nodes = bearing->plate.node_count + 1;
    bool good = true;
    if (fronts > bear->front_capacity) {
        free(bear->fronts);
        bear->front_capacity = 0;
        bear->fronts = malloc((fronts + 1) * sizeof *bear->fronts);
        good = bear->fronts;
        bear->front_capacity = good ? fronts : 0;
    }
    return good && array_reserve(&bear->front_at, &bear->front_at_room, nodes) &&
           array_reserve(&bear->vector_at, &bear->vector_at_room, nodes) &&
           array_reserve(&bear->touch_starts, &bear->touch_starts_room, (uint64_t)nodes + 1) &&
           array_reserve(&bear->vector, &bear->vector_room, rows) &&
           array_reserve(&bear->spread, &bear->spread_room, rows) &&
           array_reserve(&bear->child_rows, &bear->child_rows_room, rows) &&
           array_reserve(&bear->touches, &bear->touch_capacity, touches) &&
           array_reserve(&bear->touch_order, &bear->touch_order_room, touches) &&
           array_reserve(&bear->x, &bear->x_room, points) && array_reserve(&bear->y, &bear->y_room, points) &&
           array_reserve(&bear->starts, &bear->starts_room, points) &&
           array_reserve(&bear->masses, &bear->masses_room, points) &&
           array_reserve(&bear->slope, &bear->slope_room, points) &&
           array_reserve(&bear->step, &bear->step_room, points) &&
           array_reserve(&bear->trial, &bear->trial_room, points) &&
           array_reserve(&bear->local, &bear->local_room, points) &&
           array_reserve(&bear->depths, &bear->depths_room, points);
}

static bool reserve_rows(struct sim *sim)
{
    struct sim_bear *bear = sim->bear;
    if (!bear) {
        sim->bear = bear = calloc(1, sizeof *bear);
    }
    return bear && array_reserve(&bear->anchors, &bear->row_capacity, sim->row_capacity) &&
           array_reserve(&bear->swept, &bear->swept_room, sim->row_capacity);
}

// ---------------------------------------------------------------------------------------------------- settle

bool sim_bear_may(const struct sim_body *body)
{
    return (body->kind == SIM_CLOTH || body->kind == SIM_ROPE) && body->live_count[SIM_DISTANCE] > 0 &&
           body->features && !body->torn;
}

bool sim_bear_settle(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!sim->settings.loads_solved || !sim_bear_may(body) || body->count > SIM_LOADS_PARTICLES_MAX) {
            sim_bearing_destroy(body->bearing);
            body->bearing = NULL;
            continue;
        }
        if (!settle_body(sim, body) || !reserve_rows(sim) || (body->bearing && !reserve(sim->bear, body))) {
            return false;
        }
        if (body->bearing) {
            body->bearing->crowded = false;
        }
    }
    return true;
}
