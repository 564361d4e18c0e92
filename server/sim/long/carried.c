// Records the pulls of one solve, and shares them among the edges of their bodies by shortest ways (carried.h).
#include "sim/long/carried.h"

#include "base/array.h"
#include "sim/long/long.h"
#include "sim/state/fixed.h"
#include "sim/store/store.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 0.1 // as in kinds/distance.c: of a tile's worst, what a sweep for limits leaves alone

struct sim_recorder *sim_recorder_create(const struct sim *sim)
{
    struct sim_recorder *recorder = calloc(1, sizeof *recorder);
    size_t slots = (size_t)sim->stores[SIM_DISTANCE].shelf_count * SIM_SHELF * SIM_LANES;
    if (recorder) {
        recorder->slots = calloc(slots + 1, sizeof *recorder->slots);
        recorder->moved = calloc((size_t)sim->row_capacity + 1, sizeof *recorder->moved);
    }
    if (recorder && (!recorder->slots || !recorder->moved)) {
        sim_recorder_destroy(recorder);
        return NULL;
    }
    return recorder;
}

void sim_recorder_destroy(struct sim_recorder *recorder)
{
    if (recorder) {
        free(recorder->pulls);
        free(recorder->moved);
        free(recorder->slots);
        free(recorder);
    }
}

// ------------------------------------------------------------------------------------------------------ record

static void note(struct sim_recorder *recorder, uint32_t body, uint32_t from, uint32_t to, double impulse)
{
    if (!array_reserve(&recorder->pulls, &recorder->pull_capacity, (uint64_t)recorder->pull_count + 1)) {
        recorder->failed = true;
        return;
    }
    const uint32_t order = recorder->pull_count++;
    recorder->pulls[order] =
        (struct sim_pull){.body = body, .from = from, .to = to, .order = order, .impulse = impulse};
}

static double float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

// Fills the offset from b to a, which were moved as `moved` says, and returns its length.
static double apart(const struct sim *sim, uint32_t a, uint32_t b, double d[3])
{
    const double(*moved)[3] = (const double(*)[3])sim->recorder->moved;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = (double)sim_wrap_sub(sim->rows[a].x[axis], sim->rows[b].x[axis]) +
                  (moved[a][axis] - moved[b][axis]);
    }
    return __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// By how much a length is beyond `most`; 0 if rounding can have done it.
static double beyond(double length, double most)
{
    const double past = length - most;
    return past > most * (double)SIM_NOISE ? past : 0;
}

void sim_record_edges(struct sim *sim, uint32_t body, const struct sim_long_pass *pass)
{
    const uint32_t first = sim->bodies[body]->first_row;
    for (uint32_t i = 0; i < pass->count * SIM_LANES; i++) {
        const uint32_t *words =
            sim->longs->edges + (size_t)(pass->first + i / SIM_LANES) * SIM_LONG_WORDS + i % SIM_LANES;
        const uint32_t a = words[0] / SIM_ROW_BYTES, b = words[SIM_LANES] / SIM_ROW_BYTES;
        const double w = (double)sim->rows[a].w + (double)sim->rows[b].w;
        double d[3], past = beyond(apart(sim, a, b, d), float_of(words[2 * SIM_LANES]));
        if (w > 0 && past > 0) {
            note(sim->recorder, body, a - first, b - first, past / w);
        }
    }
}

// A particle goes through its tethers one after the other.
static void tethers_of(struct sim *sim, uint32_t body, const uint32_t *words, uint32_t lane)
{
    struct sim_recorder *recorder = sim->recorder;
    const uint32_t row = words[lane] / SIM_ROW_BYTES, count = sim->longs->tether_count;
    const uint32_t *places = words + (size_t)(1 + count) * SIM_LANES;
    const uint32_t first = sim->bodies[body]->first_row;
    const double w = (double)sim->rows[row].w;
    for (uint32_t k = 0; w > 0 && k < count && places[k] != 0; k++) {
        const uint32_t anchor = places[k] / SIM_ROW_BYTES;
        double d[3], length = apart(sim, row, anchor, d);
        const double past = beyond(length, float_of(words[(1 + k) * SIM_LANES + lane]));
        if (past > 0) {
            note(recorder, body, anchor - first, row - first, past / w);
        }
        for (int axis = 0; past > 0 && axis < 3; axis++) {
            recorder->moved[row][axis] -= past / length * d[axis];
        }
    }
    memset(recorder->moved[row], 0, sizeof recorder->moved[row]);
}

void sim_record_tethers(struct sim *sim, uint32_t body)
{
    const struct sim_long *longs = sim->longs;
    for (uint32_t i = 0; i < longs->tether_batches * SIM_LANES; i++) {
        tethers_of(sim, body, longs->tethers + (size_t)(i / SIM_LANES) * sim_tether_words(longs),
                   i % SIM_LANES);
    }
}

static void limit(struct sim *sim, const struct sim_tile *tile, uint32_t batch, uint32_t lane)
{
    struct sim_recorder *recorder = sim->recorder;
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const uint32_t *words = sim_batch_words(store, batch) + lane;
    const uint32_t a = words[0] / SIM_ROW_BYTES, b = words[SIM_LANES] / SIM_ROW_BYTES;
    const double wa = (double)sim->rows[a].w, wb = (double)sim->rows[b].w;
    const bool gives =
        sim_batch_meta(store, batch)->flavor == SIM_STIFF || float_of(words[3 * SIM_LANES]) > 0;
    const double most = float_of(words[2 * SIM_LANES]) * (double)(gives ? tile->soft : tile->hard);
    double d[3], length = apart(sim, a, b, d), past = beyond(length, most);
    if (!(wa + wb > 0) || !(past > LEAST * (double)tile->past)) {
        return;
    }
    const double impulse = past / (wa + wb), s = impulse / length;
    recorder->slots[(size_t)batch * SIM_LANES + lane] += impulse;
    for (int axis = 0; axis < 3; axis++) {
        recorder->moved[a][axis] -= wa * s * d[axis];
        recorder->moved[b][axis] += wb * s * d[axis];
    }
}

void sim_record_limits(struct sim *sim, const struct sim_tile *tile)
{
    for (uint32_t i = 0; i < tile->order_count * SIM_LANES; i++) {
        limit(sim, tile, tile->order[i / SIM_LANES], i % SIM_LANES);
    }
    for (uint32_t i = 0; i < tile->order_count * SIM_LANES; i++) {
        const uint32_t *words = sim_batch_words(&sim->stores[SIM_DISTANCE], tile->order[i / SIM_LANES]);
        const uint32_t lane = i % SIM_LANES;
        memset(sim->recorder->moved[words[lane] / SIM_ROW_BYTES], 0, sizeof *sim->recorder->moved);
        memset(sim->recorder->moved[words[SIM_LANES + lane] / SIM_ROW_BYTES], 0,
               sizeof *sim->recorder->moved);
    }
}

// ------------------------------------------------------------------------------------------------------- share

struct arc {
    uint32_t to, slot;
    double length;
};

struct crest {
    double way;
    uint32_t node;
};

// The edges of a body as a graph of its rows, and the shortest ways from one of them.
struct graph {
    uint32_t count;
    uint32_t *starts; // count + 1, of arcs
    struct arc *arcs;
    double *ways;              // negative: not reached
    uint32_t *before, *across; // the node before on the way, and the slot of the edge from it
    bool *settled, *wanted;
    uint32_t *order; // of settling
    uint32_t settled_count;
    double *loads; // by node: impulses that go on to the node before
    struct crest *heap;
    uint32_t heap_count, heap_capacity;
    uint64_t visits; // of arcs
};

static void graph_deinit(struct graph *graph)
{
    free(graph->starts);
    free(graph->arcs);
    free(graph->ways);
    free(graph->before);
    free(graph->across);
    free(graph->settled);
    free(graph->wanted);
    free(graph->order);
    free(graph->loads);
    free(graph->heap);
}

// Goes through the edges that long edges follow: counts arcs into starts[node + 1], or lays them.
static void graph_lay(const struct sim *sim, const struct sim_body *body, struct graph *graph, bool count)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; range->body == body->id && range->kind == SIM_DISTANCE && i < range->count;
             i++) {
            struct sim_values values;
            uint32_t rows[SIM_STENCIL_MAX];
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            sim_store_values(store, range->slots[i], &values);
            sim_store_rows(store, range->slots[i], rows);
            if (!sim_long_follows(body, &values)) {
                continue;
            }
            for (int end = 0; end < 2; end++) {
                const uint32_t node = rows[end] - body->first_row;
                if (count) {
                    graph->starts[node + 1]++;
                } else {
                    graph->arcs[--graph->starts[node + 1]] = (struct arc){
                        rows[1 - end] - body->first_row, range->slots[i], (double)values.params[0]};
                }
            }
        }
    }
}

static bool graph_init(const struct sim *sim, const struct sim_body *body, struct graph *graph)
{
    const size_t room = (size_t)body->count + 2;
    *graph = (struct graph){
        .count = body->count,
        .starts = calloc(room, sizeof *graph->starts),
        .arcs = calloc(2 * (size_t)body->live_count[SIM_DISTANCE] + 1, sizeof *graph->arcs),
        .ways = malloc(room * sizeof *graph->ways),
        .before = malloc(room * sizeof *graph->before),
        .across = malloc(room * sizeof *graph->across),
        .settled = calloc(room, sizeof *graph->settled),
        .wanted = calloc(room, sizeof *graph->wanted),
        .order = malloc(room * sizeof *graph->order),
        .loads = calloc(room, sizeof *graph->loads),
    };
    if (!graph->starts || !graph->arcs || !graph->ways || !graph->before || !graph->across ||
        !graph->settled || !graph->wanted || !graph->order || !graph->loads) {
        return false;
    }
    // starts[n + 1]: arcs of node n; then where they end; laying them moves it to where they begin.
    graph_lay(sim, body, graph, true);
    for (uint32_t n = 0; n < body->count; n++) {
        graph->starts[n + 1] += graph->starts[n];
    }
    const uint32_t arcs = graph->starts[body->count];
    graph_lay(sim, body, graph, false);
    memmove(graph->starts, graph->starts + 1, body->count * sizeof *graph->starts);
    graph->starts[body->count] = arcs;
    for (uint32_t n = 0; n < body->count; n++) {
        graph->ways[n] = -1;
    }
    return true;
}

// Nearest first; of two as near, the lower node.
static bool sooner(const struct crest *a, const struct crest *b)
{
    return a->way < b->way || (!(b->way < a->way) && a->node < b->node);
}

static bool heap_push(struct graph *graph, double way, uint32_t node)
{
    if (!array_reserve(&graph->heap, &graph->heap_capacity, (uint64_t)graph->heap_count + 1)) {
        return false;
    }
    const struct crest crest = {way, node};
    uint32_t at = graph->heap_count++;
    for (; at > 0 && sooner(&crest, &graph->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        graph->heap[at] = graph->heap[(at - 1) / 2];
    }
    graph->heap[at] = crest;
    return true;
}

static struct crest heap_pop(struct graph *graph)
{
    const struct crest first = graph->heap[0], last = graph->heap[--graph->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < graph->heap_count; at = child) {
        if (child + 1 < graph->heap_count && sooner(&graph->heap[child + 1], &graph->heap[child])) {
            child++;
        }
        if (!sooner(&graph->heap[child], &last)) {
            break;
        }
        graph->heap[at] = graph->heap[child];
    }
    graph->heap[at] = last;
    return first;
}

static bool reach(struct graph *graph, uint32_t node, double way, uint32_t before, uint32_t across)
{
    if (graph->settled[node] || (graph->ways[node] >= 0 && graph->ways[node] <= way)) {
        return true;
    }
    graph->ways[node] = way;
    graph->before[node] = before;
    graph->across[node] = across;
    return heap_push(graph, way, node);
}

// Dijkstra's, from one node until as many wanted ones are settled.
static bool graph_run(struct graph *graph, uint32_t from, uint32_t wanted)
{
    graph->settled_count = graph->heap_count = 0;
    bool good = reach(graph, from, 0, from, 0);
    while (good && graph->heap_count > 0 && wanted > 0) {
        const struct crest crest = heap_pop(graph);
        if (graph->settled[crest.node]) {
            continue;
        }
        graph->settled[crest.node] = true;
        graph->order[graph->settled_count++] = crest.node;
        wanted -= graph->wanted[crest.node] ? 1 : 0;
        graph->visits += graph->starts[crest.node + 1] - graph->starts[crest.node];
        for (uint32_t a = graph->starts[crest.node]; good && a < graph->starts[crest.node + 1]; a++) {
            const struct arc *arc = &graph->arcs[a];
            good = reach(graph, arc->to, crest.way + arc->length, crest.node, arc->slot);
        }
    }
    return good;
}

// Hands the loads on along the ways, from the farthest node to the first one, and forgets the ways.
static void graph_gather(struct graph *graph, double *slots)
{
    for (uint32_t i = graph->settled_count; i > 0; i--) {
        const uint32_t node = graph->order[i - 1];
        if (i > 1 && graph->loads[node] > 0) {
            slots[graph->across[node]] += graph->loads[node];
            graph->loads[graph->before[node]] += graph->loads[node];
        }
        graph->loads[node] = 0;
        graph->settled[node] = false;
        graph->ways[node] = -1;
    }
    for (uint32_t i = 0; i < graph->heap_count; i++) {
        graph->ways[graph->heap[i].node] = -1;
    }
}

static int by_source(const void *a, const void *b)
{
    const struct sim_pull *p = a, *q = b;
    if (p->body != q->body) {
        return p->body < q->body ? -1 : 1;
    }
    if (p->from != q->from) {
        return p->from < q->from ? -1 : 1;
    }
    return p->order < q->order ? -1 : p->order > q->order;
}

// Pulls first ... end - 1 have one source.
static bool share_source(struct graph *graph, const struct sim_pull *pulls, uint32_t first, uint32_t end,
                         double *slots)
{
    uint32_t wanted = 0;
    for (uint32_t p = first; p < end; p++) {
        wanted += graph->wanted[pulls[p].to] ? 0 : 1;
        graph->wanted[pulls[p].to] = true;
        graph->loads[pulls[p].to] += pulls[p].impulse;
    }
    const bool good = graph_run(graph, pulls[first].from, wanted);
    graph_gather(graph, slots);
    for (uint32_t p = first; p < end; p++) {
        graph->wanted[pulls[p].to] = false;
        graph->loads[pulls[p].to] = 0;
    }
    return good;
}

double *sim_recorder_share(const struct sim *sim, struct sim_recorder *recorder)
{
    bool good = !recorder->failed;
    if (recorder->pull_count > 0) {
        qsort(recorder->pulls, recorder->pull_count, sizeof *recorder->pulls, by_source);
    }
    for (uint32_t first = 0, end; good && first < recorder->pull_count; first = end) {
        const uint32_t body = recorder->pulls[first].body;
        struct graph graph;
        good = graph_init(sim, sim->bodies[body], &graph);
        for (end = first; good && end < recorder->pull_count && recorder->pulls[end].body == body;) {
            const uint32_t begin = end, from = recorder->pulls[end].from;
            while (end < recorder->pull_count && recorder->pulls[end].body == body &&
                   recorder->pulls[end].from == from) {
                end++;
            }
            good = share_source(&graph, recorder->pulls, begin, end, recorder->slots);
        }
        recorder->visits += graph.visits;
        graph_deinit(&graph);
    }
    double *slots = good ? recorder->slots : NULL;
    recorder->slots = good ? NULL : recorder->slots;
    return slots;
}
