// Long edges and tethers as the kernels read them, made again where the edges or the held particles of a body change.

#include "sim/long/long.h"

#include "base/array.h"
#include "base/hash.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>

enum { COLORS = 64 };

#define NO_LIMIT 1e6f // of edges that may be as long as they like: a factor that none comes to

// The edges of a body that have a limit, in the order of their ids.
struct edges {
    uint32_t (*pairs)[2];
    double *lengths; // quanta, with the limit
    bool *held;      // by particle
    uint32_t count;
};

static void edges_deinit(struct edges *edges)
{
    free(edges->pairs);
    free(edges->lengths);
    free(edges->held);
}

bool sim_long_follows(const struct sim_body *body, const struct sim_values *edge)
{
    const bool rigid = edge->stiffness < 0 && !(edge->compliance > 0);
    return (rigid || body->materials[SIM_PART_STRETCH].limit > 0) && edge->params[0] > 0;
}

static void edges_from(const struct sim *sim, const struct sim_body *body, const struct sim_id_range *range,
                       struct edges *edges)
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
        if (sim_long_follows(body, &values)) {
            uint32_t e = edges->count++;
            edges->pairs[e][0] = body->index_of[rows[0] - body->first_row];
            edges->pairs[e][1] = body->index_of[rows[1] - body->first_row];
            edges->lengths[e] = (double)values.params[0] * (1 + limit);
        }
    }
}

static bool is_fabric(const struct sim_body *body)
{
    return body->stretch_model == SIM_STRETCH_ORTHOTROPIC;
}

// Finds the edges of a fabric's triangles. No particle counts as held, because a tether would run across the
// yarns.
static bool edges_of_fabric(const struct sim *sim, const struct sim_body *body, struct edges *edges)
{
    const double limit = body->materials[SIM_PART_STRETCH].limit;
    *edges = (struct edges){.held = calloc((size_t)body->count + 1, sizeof *edges->held)};
    if (edges->held && sim_yarn_edges(sim, body, &edges->pairs, &edges->count)) {
        edges->lengths = malloc(((size_t)edges->count + 1) * sizeof *edges->lengths);
    }
    for (uint32_t e = 0; edges->lengths && e < edges->count; e++) {
        edges->lengths[e] = sim_yarn_length(body, edges->pairs[e]) * (1 + limit);
    }
    if (!edges->lengths) {
        edges_deinit(edges);
        return false;
    }
    return true;
}

static bool edges_init(const struct sim *sim, const struct sim_body *body, struct edges *edges)
{
    if (is_fabric(body)) {
        return edges_of_fabric(sim, body, edges);
    }
    size_t room = (size_t)body->live_count[SIM_DISTANCE] + 1;
    *edges = (struct edges){
        .pairs = malloc(room * sizeof *edges->pairs),
        .lengths = malloc(room * sizeof *edges->lengths),
        .held = malloc(((size_t)body->count + 1) * sizeof *edges->held),
    };
    if (!edges->pairs || !edges->lengths || !edges->held) {
        edges_deinit(edges);
        return false;
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        if (sim->ranges[r].body == body->id && sim->ranges[r].kind == SIM_DISTANCE) {
            edges_from(sim, body, &sim->ranges[r], edges);
        }
    }
    for (uint32_t i = 0; i < body->count; i++) {
        edges->held[i] = i < sim_nameable(body) && !(sim->rows[body->first_row + body->row_of[i]].w > 0);
    }
    return true;
}

static void signatures(struct base_hash *hash, const struct sim_body *body, const struct edges *edges,
                       uint64_t *metric, uint64_t *held)
{
    base_hash_reset(hash);
    base_hash_bytes(hash, edges->pairs, edges->count * sizeof *edges->pairs);
    base_hash_bytes(hash, edges->lengths, edges->count * sizeof *edges->lengths);
    *metric = base_hash_digest(hash);
    base_hash_bytes(hash, edges->held, body->count * sizeof *edges->held);
    *held = base_hash_digest(hash);
}

// --------------------------------------------------------------------------------------------------- batches

static uint32_t place_of(const struct sim_body *body, uint32_t particle)
{
    return (body->first_row + body->row_of[particle]) * SIM_ROW_BYTES;
}

static uint32_t batches_of(uint32_t lanes)
{
    return (lanes + SIM_LANES - 1) / SIM_LANES;
}

static void put_float(uint32_t *word, float value)
{
    memcpy(word, &value, sizeof value);
}

// Gives each long edge the lowest colour that is free at both its particles, by level. An edge that finds none keeps
// COLORS, and is left out. False without memory.
static bool color(uint32_t particles, const struct sim_long_edge *edges, uint32_t count, uint8_t *colors)
{
    uint64_t *taken = calloc((size_t)particles + 1, sizeof *taken);
    for (uint32_t e = 0; taken && e < count; e++) {
        if (e > 0 && edges[e].level != edges[e - 1].level) {
            memset(taken, 0, (size_t)particles * sizeof *taken);
        }
        uint64_t both = taken[edges[e].a] | taken[edges[e].b];
        uint32_t free_color = 0;
        while (free_color < COLORS && (both >> free_color & 1) != 0) {
            free_color++;
        }
        colors[e] = (uint8_t)free_color;
        if (free_color < COLORS) {
            taken[edges[e].a] |= UINT64_C(1) << free_color;
            taken[edges[e].b] |= UINT64_C(1) << free_color;
        }
    }
    free(taken);
    return taken != NULL;
}

// One pass: the edges first ... end - 1, which are of one level, that have the colour.
static void lay_pass(struct sim_long *longs, const struct sim_body *body, const struct sim_long_edge *edges,
                     const uint8_t *colors, uint32_t first, uint32_t end, uint32_t color_wanted)
{
    const uint32_t idle = (body->first_row + body->count) * SIM_ROW_BYTES;
    struct sim_long_pass *pass = &longs->passes[longs->pass_count];
    uint32_t begin = longs->pass_count > 0 ? pass[-1].first + pass[-1].count : 0, lanes = 0;
    for (uint32_t e = first; e < end; e++) {
        if (colors[e] != color_wanted) {
            continue;
        }
        uint32_t *words = longs->edges + (size_t)(begin + lanes / SIM_LANES) * SIM_LONG_WORDS;
        uint32_t lane = lanes++ % SIM_LANES;
        for (uint32_t rest = lane; rest < SIM_LANES; rest++) { // those behind are overwritten, or idle
            words[rest] = words[SIM_LANES + rest] = idle;
        }
        words[lane] = place_of(body, edges[e].a);
        words[SIM_LANES + lane] = place_of(body, edges[e].b);
        put_float(&words[2 * SIM_LANES + lane], edges[e].length);
    }
    if (lanes > 0) {
        *pass = (struct sim_long_pass){
            .first = begin, .count = batches_of(lanes), .color = longs->pass_count % (COLORS - 1)};
        longs->pass_count++;
        longs->edge_count += lanes;
    }
}

// The most batches and passes that the edges can take.
static void room_of(const struct sim_long_edge *edges, const uint8_t *colors, uint32_t count,
                    uint32_t *passes, uint32_t *batches)
{
    uint32_t lanes[COLORS + 1] = {0};
    *passes = *batches = 0;
    for (uint32_t e = 0; e <= count; e++) {
        if (e == count || (e > 0 && edges[e].level != edges[e - 1].level)) {
            for (uint32_t c = 0; c < COLORS; c++) {
                *passes += lanes[c] > 0 ? 1 : 0;
                *batches += batches_of(lanes[c]);
                lanes[c] = 0;
            }
        }
        if (e < count) {
            lanes[colors[e]]++;
        }
    }
}

static bool lay_edges(struct sim_long *longs, const struct sim_body *body, const struct sim_long_edge *edges,
                      uint32_t count)
{
    uint8_t *colors = malloc((size_t)count + 1);
    uint32_t passes = 0, batches = 0;
    bool good = colors && color(body->count, edges, count, colors);
    free(longs->edges);
    free(longs->passes);
    longs->edges = NULL;
    longs->passes = NULL;
    longs->pass_count = longs->edge_count = 0;
    if (good) {
        room_of(edges, colors, count, &passes, &batches);
        longs->edges = calloc((size_t)batches * SIM_LONG_WORDS + 1, sizeof *longs->edges);
        longs->passes = malloc(((size_t)passes + 1) * sizeof *longs->passes);
        good = longs->edges && longs->passes;
    }
    for (uint32_t first = 0, end; good && first < count; first = end) {
        for (end = first + 1; end < count && edges[end].level == edges[first].level;) {
            end++;
        }
        for (uint32_t c = 0; c < COLORS; c++) {
            lay_pass(longs, body, edges, colors, first, end, c);
        }
    }
    free(colors);
    return good;
}

// The particles of a batch share their anchors, so particles are sorted by the list of anchors that they have. LISTS is
// how many lists there may be, of SIM_TETHERS_MAX anchors or none each.
enum { NO_ANCHOR = SIM_ANCHORS, LISTS = (SIM_ANCHORS + 1) * (SIM_ANCHORS + 1) * (SIM_ANCHORS + 1) };

_Static_assert(SIM_TETHERS_MAX == 3, "a list of anchors is numbered by three digits");

struct sorted {
    uint32_t anchors[SIM_ANCHORS], anchor_count;
    uint32_t batches[LISTS + 1], lanes[LISTS]; // of each list: where its batches begin, and particles so far
};

// Sorts a particle's tethers by anchor, and returns the number of their list.
static uint32_t list_of(struct sorted *sorted, const struct sim_tether *given,
                        struct sim_tether of[SIM_TETHERS_MAX])
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < SIM_TETHERS_MAX; k++) {
        uint32_t at = k;
        for (; at > 0 && of[at - 1].anchor > given[k].anchor; at--) {
            of[at] = of[at - 1];
        }
        of[at] = given[k];
    }
    for (uint32_t k = 0; k < SIM_TETHERS_MAX; k++) {
        uint32_t digit = 0;
        while (digit < sorted->anchor_count && sorted->anchors[digit] != of[k].anchor) {
            digit++;
        }
        if (of[k].anchor == UINT32_MAX) {
            digit = NO_ANCHOR;
        } else if (digit == sorted->anchor_count) {
            sorted->anchors[sorted->anchor_count++] = of[k].anchor;
        }
        number = number * (SIM_ANCHORS + 1) + digit;
    }
    return number;
}

// A particle's lane in the next place of its list.
static void lay_tether(struct sim_long *longs, const struct sim_body *body, struct sorted *sorted,
                       uint32_t list, uint32_t row, const struct sim_tether of[SIM_TETHERS_MAX])
{
    const uint32_t idle = (body->first_row + body->count) * SIM_ROW_BYTES, size = sim_tether_words(longs);
    uint32_t place = sorted->lanes[list]++, lane = place % SIM_LANES;
    uint32_t *words = longs->tethers + (size_t)(sorted->batches[list] + place / SIM_LANES) * size;
    for (uint32_t rest = lane; rest < SIM_LANES; rest++) { // those behind are overwritten, or idle
        words[rest] = idle;
    }
    words[lane] = (body->first_row + row) * SIM_ROW_BYTES;
    for (uint32_t k = 0; k < longs->tether_count && of[k].anchor != UINT32_MAX; k++) {
        put_float(&words[(1 + k) * SIM_LANES + lane], of[k].length);
        words[(1 + longs->tether_count) * SIM_LANES + k] = place_of(body, of[k].anchor);
    }
}

// Particles stand in their order in memory within their list, those with a tether alone.
static bool lay_tethers(struct sim_long *longs, const struct sim_body *body, const struct sim_tether *tethers,
                        uint32_t most)
{
    struct sim_tether of[SIM_TETHERS_MAX];
    struct sorted *sorted = calloc(1, sizeof *sorted);
    longs->tether_count = most;
    longs->tether_batches = 0;
    free(longs->tethers);
    longs->tethers = NULL;
    for (uint32_t row = 0; sorted && row < body->count; row++) {
        const struct sim_tether *given = tethers + (size_t)body->index_of[row] * SIM_TETHERS_MAX;
        if (given[0].anchor != UINT32_MAX) {
            sorted->lanes[list_of(sorted, given, of)]++;
        }
    }
    for (uint32_t list = 0; sorted && list < LISTS; list++) {
        sorted->batches[list + 1] = sorted->batches[list] + batches_of(sorted->lanes[list]);
        sorted->lanes[list] = 0;
    }
    if (sorted) {
        longs->tether_batches = sorted->batches[LISTS];
        longs->tethers =
            calloc((size_t)longs->tether_batches * sim_tether_words(longs) + 1, sizeof *longs->tethers);
    }
    for (uint32_t row = 0; longs->tethers && row < body->count; row++) {
        const struct sim_tether *given = tethers + (size_t)body->index_of[row] * SIM_TETHERS_MAX;
        if (given[0].anchor != UINT32_MAX) {
            lay_tether(longs, body, sorted, list_of(sorted, given, of), row, of);
        }
    }
    free(sorted);
    return longs->tethers != NULL;
}

// ---------------------------------------------------------------------------------------------------- settle

void sim_long_destroy(struct sim_long *longs)
{
    if (longs) {
        free(longs->edges);
        free(longs->passes);
        free(longs->tethers);
        free(longs);
    }
}

static bool make(struct sim_long *longs, const struct sim_body *body, const struct edges *edges,
                 bool metric_changed)
{
    struct sim_metric metric;
    struct sim_long_edge *list = NULL;
    struct sim_tether *tethers = NULL;
    uint32_t count = 0, most = 0;
    if (!sim_metric_make(&metric, body->count, (const uint32_t(*)[2])edges->pairs, edges->lengths,
                         edges->count, body->triangles, body->triangle_count)) {
        return false;
    }
    bool good = sim_metric_unroll(&metric);
    if (good && metric_changed) {
        good = sim_long_levels(&metric, &list, &count);
        if (good && is_fabric(body)) {
            sim_yarn_keep(body, list, &count);
        }
        good = good && lay_edges(longs, body, list, count);
        longs->edge = (float)metric.edge;
    }
    good = good && sim_long_tethers(&metric, edges->held, &tethers, &most) &&
           lay_tethers(longs, body, tethers, most);
    free(list);
    free(tethers);
    sim_metric_deinit(&metric);
    return good;
}

static bool settle_body(struct sim *sim, struct sim_body *body)
{
    struct edges edges;
    uint64_t metric, held;
    if (!edges_init(sim, body, &edges)) {
        return false;
    }
    signatures(sim->hash, body, &edges, &metric, &held);
    bool fresh = !body->longs, good = true;
    if (fresh) {
        body->longs = calloc(1, sizeof *body->longs);
    }
    if (!body->longs) {
        good = false;
    } else if (fresh || body->longs->metric != metric || body->longs->held != held) {
        good = make(body->longs, body, &edges, fresh || body->longs->metric != metric);
        body->longs->metric = metric;
        body->longs->held = held;
    }
    if (!good) {
        sim_long_destroy(body->longs);
        body->longs = NULL;
    }
    edges_deinit(&edges);
    return good;
}

// Whether the body has edges that may be limited.
static bool may_limit(const struct sim *sim, const struct sim_body *body)
{
    return sim->settings.long_edges && (body->kind == SIM_CLOTH || body->kind == SIM_ROPE) &&
           (is_fabric(body)
                ? body->materials[SIM_PART_STRETCH].limit > 0 && body->live_count[SIM_ORTHOTROPIC] > 0
                : body->live_count[SIM_DISTANCE] > 0);
}

// Gives each row the tethers that its batch has.
static void list_tethers(struct sim *sim, const struct sim_long *longs)
{
    const uint32_t size = sim_tether_words(longs), count = longs->tether_count;
    for (uint32_t i = 0; i < longs->tether_batches * SIM_LANES; i++) {
        const uint32_t *words = longs->tethers + (size_t)(i / SIM_LANES) * size, lane = i % SIM_LANES;
        struct sim_tethered *of = &sim->tethered[words[lane] / SIM_ROW_BYTES];
        for (uint32_t k = 0; k < count; k++) {
            of->anchors[k] = words[(1 + count) * SIM_LANES + k];
            memcpy(&of->lengths[k], &words[(1 + k) * SIM_LANES + lane], sizeof of->lengths[k]);
        }
    }
}

// Lists the tethers of all bodies by row, if there are any. False without memory.
static bool list_by_row(struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        any = any || sim_has_tethers(sim->bodies[b]);
    }
    if (any && !array_reserve(&sim->tethered, &sim->tethered_capacity, sim->row_capacity)) {
        return false;
    }
    if (any) {
        memset(sim->tethered, 0, sim->tethered_capacity * sizeof *sim->tethered);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim_has_tethers(sim->bodies[b])) {
            list_tethers(sim, sim->bodies[b]->longs);
        }
    }
    return true;
}

bool sim_long_settle(struct sim *sim)
{
    if (sim->settings.long_edges && !array_reserve(&sim->again, &sim->again_capacity, sim->tile_count)) {
        return false;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        bool limits = may_limit(sim, body);
        float hard = (float)(1 + body->materials[SIM_PART_STRETCH].limit);
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            struct sim_tile *tile = &body->tiles[SIM_DISTANCE][t];
            tile->hard = limits ? hard : 0;
            tile->soft = !limits ? 0 : hard > 1 ? hard : NO_LIMIT;
        }
        if (!limits) {
            sim_long_destroy(body->longs);
            body->longs = NULL;
        } else if (!settle_body(sim, body)) {
            return false;
        }
    }
    return list_by_row(sim);
}
