// A large body in parts of neighbours, from its elements alone.
//
//     ┌───────────┐      breadth first from a vertex at an end of it, the first half of what is reached is one side of the
//     │    ╱   ╲  │      cut; each side is cut again, from an end of its own, until every part is a tile. So parts are cut
//     │  ╱   1  ╲ │      across where they are long, and tiles are about as wide as they are long.
//     │╱ 0   ╱ 2 ╱│
//     └───────────┘
//
// A cut looks at each element of each vertex twice, so all of it takes time in proportion to the elements and to the logarithm
// of the number of tiles.
#include "protocol/codec/tiles.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS_MAX = 4 };

static const uint32_t NONE = UINT32_MAX;

struct cutting {
    uint32_t count, corners;
    const uint32_t *indices;
    uint32_t element_count;
    uint32_t *first;    // count + 1: where a vertex's elements begin in `elements`
    uint32_t *elements; // in the order of the body
    uint32_t *side;     // by vertex: the part it is in, a number of the cut
    uint32_t *rank;     // by vertex: its place in the walk under way; NONE: not reached
    uint32_t *order;    // by rank
    struct codec_tiles *tiles;
};

// --------------------------------------------------------------------------------------------------------- cuts

static void list_elements(struct cutting *cutting)
{
    const uint32_t total = cutting->element_count * cutting->corners;
    for (uint32_t i = 0; i < total; i++) {
        cutting->first[cutting->indices[i] + 1]++;
    }
    for (uint32_t v = 0; v < cutting->count; v++) {
        cutting->first[v + 1] += cutting->first[v];
    }
    // Filled from the end, which leaves first[v + 1] where the elements of v begin; then moved back by one.
    for (uint32_t i = total; i-- > 0;) {
        cutting->elements[--cutting->first[cutting->indices[i] + 1]] = i / cutting->corners;
    }
    memmove(cutting->first, cutting->first + 1, cutting->count * sizeof *cutting->first);
    cutting->first[cutting->count] = total;
}

static void reach(struct cutting *cutting, uint32_t vertex, uint32_t *reached)
{
    cutting->rank[vertex] = *reached;
    cutting->order[(*reached)++] = vertex;
}

static void look_around(struct cutting *cutting, uint32_t vertex, uint32_t side, uint32_t *reached)
{
    for (uint32_t i = cutting->first[vertex]; i < cutting->first[vertex + 1]; i++) {
        const uint32_t *element = cutting->indices + (size_t)cutting->elements[i] * cutting->corners;
        for (uint32_t c = 0; c < cutting->corners; c++) {
            if (cutting->side[element[c]] == side && cutting->rank[element[c]] == NONE) {
                reach(cutting, element[c], reached);
            }
        }
    }
}

// Breadth first through a part, from `start`, and on from its first vertex that was not reached.
static void walk(struct cutting *cutting, const uint32_t *vertices, uint32_t count, uint32_t start)
{
    const uint32_t side = cutting->side[start];
    uint32_t reached = 0, done = 0;
    for (uint32_t i = 0; i < count; i++) {
        cutting->rank[vertices[i]] = NONE;
    }
    reach(cutting, start, &reached);
    for (uint32_t seed = 0; reached < count || done < reached;) {
        for (; done < reached; done++) {
            look_around(cutting, cutting->order[done], side, &reached);
        }
        while (seed < count && cutting->rank[vertices[seed]] != NONE) {
            seed++;
        }
        if (seed < count) {
            reach(cutting, vertices[seed], &reached);
        }
    }
}

// Ranks that are fit for a cut. Where there are no elements vertices stay in their order.
static void rank_all(struct cutting *cutting, const uint32_t *vertices, uint32_t count)
{
    if (cutting->element_count > 0) {
        walk(cutting, vertices, count, vertices[0]);
        walk(cutting, vertices, count, cutting->order[count - 1]);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        cutting->rank[vertices[i]] = i;
    }
}

// Those of rank below `below` to the front, each side by index. order is of no use any more.
static void part(struct cutting *cutting, uint32_t *vertices, uint32_t count, uint32_t below)
{
    uint32_t front = 0, back = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t vertex = vertices[i];
        if (cutting->rank[vertex] < below) {
            vertices[front++] = vertex;
        } else {
            cutting->order[back++] = vertex;
        }
    }
    memcpy(vertices + front, cutting->order, back * sizeof *vertices);
}

// Tiles tile ... tile + tile_count - 1 of the vertices from begin[tile] on, which are by index.
static void cut(struct cutting *cutting, uint32_t tile, uint32_t tile_count, uint32_t count)
{
    struct codec_tiles *tiles = cutting->tiles;
    while (tile_count > 1) {
        uint32_t *vertices = tiles->vertices + tiles->begin[tile];
        const uint32_t left = tile_count / 2, below = (uint32_t)((uint64_t)count * left / tile_count);
        rank_all(cutting, vertices, count);
        part(cutting, vertices, count, below);
        for (uint32_t i = below; i < count; i++) {
            cutting->side[vertices[i]] = tile + left;
        }
        tiles->begin[tile + left] = tiles->begin[tile] + below;
        cut(cutting, tile + left, tile_count - left,
            count - below); // as deep as the number of tiles has bits
        tile_count = left;
        count = below;
    }
}

// -------------------------------------------------------------------------------------------------------- plans

static bool is_within(const struct cutting *cutting, const uint32_t *element)
{
    bool within = true;
    for (uint32_t c = 1; c < cutting->corners; c++) {
        within = within && cutting->side[element[c]] == cutting->side[element[0]];
    }
    return within;
}

// Elements within tiles, tile by tile and in each in the order of the body, told by places in the tile. ends[tile]: where those
// of a tile end. Ranks are places here; `first` and `elements` are of no use any more.
static void sort_elements(const struct cutting *cutting, uint32_t *ends, uint32_t *out)
{
    const struct codec_tiles *tiles = cutting->tiles;
    const uint32_t corners = cutting->corners;
    for (uint32_t tile = 0; tile < tiles->count; tile++) {
        for (uint32_t at = tiles->begin[tile]; at < tiles->begin[tile + 1]; at++) {
            cutting->rank[tiles->vertices[at]] = at - tiles->begin[tile];
        }
    }
    memset(ends, 0, (tiles->count + (size_t)1) * sizeof *ends);
    for (uint32_t e = 0; e < cutting->element_count; e++) {
        const uint32_t *element = cutting->indices + (size_t)e * corners;
        ends[cutting->side[element[0]] + 1] += is_within(cutting, element);
    }
    for (uint32_t tile = 0; tile < tiles->count; tile++) {
        ends[tile + 1] += ends[tile];
    }
    for (uint32_t e = 0; e < cutting->element_count; e++) {
        const uint32_t *element = cutting->indices + (size_t)e * corners;
        if (is_within(cutting, element)) {
            uint32_t *to = out + (size_t)ends[cutting->side[element[0]]]++ * corners;
            for (uint32_t c = 0; c < corners; c++) {
                to[c] = cutting->rank[element[c]];
            }
        }
    }
}

static enum codec_status make_plans(const struct cutting *cutting)
{
    struct codec_tiles *tiles = cutting->tiles;
    const size_t index_count = (size_t)cutting->element_count * cutting->corners;
    uint32_t *ends = malloc((tiles->count + (size_t)1) * sizeof *ends),
             *elements = malloc((index_count + 1) * sizeof *elements);
    enum codec_status status = CODEC_MEMORY;
    if (ends && elements) {
        status = CODEC_OK;
        sort_elements(cutting, ends, elements);
    }
    for (uint32_t tile = 0, from = 0; status == CODEC_OK && tile < tiles->count; from = ends[tile++]) {
        status = codec_plan_create(tiles->begin[tile + 1] - tiles->begin[tile], cutting->corners,
                                   elements + (size_t)from * cutting->corners, ends[tile] - from,
                                   &tiles->plans[tile]);
    }
    free(ends);
    free(elements);
    return status;
}

// --------------------------------------------------------------------------------------------------------- face

uint32_t codec_tiles_expected(uint32_t count)
{
    return count <= CODEC_TILE_MAX ? 1 : (count - 1) / CODEC_TILE_MAX + 1;
}

size_t codec_tiles_bytes(uint32_t count)
{
    const size_t tile_count = codec_tiles_expected(count);
    return sizeof(struct codec_tiles) + (tile_count + 1) * (sizeof(uint32_t) + sizeof(struct codec_plan *)) +
           count * sizeof(uint32_t);
}

void codec_tiles_destroy(struct codec_tiles *tiles)
{
    if (tiles) {
        for (uint32_t tile = 0; tiles->plans && tile < tiles->count; tile++) {
            codec_plan_destroy(tiles->plans[tile]);
        }
        free(tiles->plans);
        free(tiles->begin);
        free(tiles->vertices);
        free(tiles);
    }
}

static bool cutting_make(struct cutting *cutting)
{
    const size_t count = (size_t)cutting->count + 1;
    cutting->first = calloc(count, sizeof *cutting->first);
    cutting->elements =
        malloc(((size_t)cutting->element_count * cutting->corners + 1) * sizeof *cutting->elements);
    cutting->side = calloc(count, sizeof *cutting->side);
    cutting->rank = malloc(count * sizeof *cutting->rank);
    cutting->order = malloc(count * sizeof *cutting->order);
    return cutting->first && cutting->elements && cutting->side && cutting->rank && cutting->order;
}

static void cutting_deinit(struct cutting *cutting)
{
    free(cutting->first);
    free(cutting->elements);
    free(cutting->side);
    free(cutting->rank);
    free(cutting->order);
}

static struct codec_tiles *tiles_make(uint32_t most, uint32_t count, bool with_plans)
{
    struct codec_tiles *tiles = calloc(1, sizeof *tiles);
    if (!tiles) {
        return NULL;
    }
    tiles->count = count <= most ? 1 : (count - 1) / most + 1;
    tiles->begin = calloc((size_t)tiles->count + 1, sizeof *tiles->begin);
    tiles->vertices = malloc(((size_t)count + 1) * sizeof *tiles->vertices);
    tiles->plans = with_plans ? calloc(tiles->count, sizeof(struct codec_plan *)) : NULL;
    if (!tiles->begin || !tiles->vertices || (with_plans && !tiles->plans)) {
        codec_tiles_destroy(tiles);
        return NULL;
    }
    for (uint32_t v = 0; v < count; v++) {
        tiles->vertices[v] = v;
    }
    tiles->begin[tiles->count] = count;
    return tiles;
}

static bool is_valid(uint32_t count, uint32_t corners, const uint32_t *indices, size_t element_count)
{
    if (count > CODEC_COUNT_MAX || element_count > CODEC_ELEMENTS_MAX || corners > CORNERS_MAX ||
        (corners < 2 && element_count > 0)) {
        return false;
    }
    uint32_t highest = 0;
    for (size_t i = 0; i < element_count * corners; i++) {
        highest = indices[i] > highest ? indices[i] : highest;
    }
    return element_count == 0 || highest < count;
}

static enum codec_status cut_all(struct codec_tiles *tiles, uint32_t count, uint32_t corners,
                                 const uint32_t *indices, uint32_t element_count)
{
    struct cutting cutting = {.count = count,
                              .corners = corners,
                              .indices = indices,
                              .element_count = element_count,
                              .tiles = tiles};
    enum codec_status status = CODEC_MEMORY;
    if (cutting_make(&cutting)) {
        list_elements(&cutting);
        cut(&cutting, 0, tiles->count, count);
        status = tiles->plans ? make_plans(&cutting) : CODEC_OK;
    }
    cutting_deinit(&cutting);
    return status;
}

enum codec_status codec_tiles_cut(uint32_t most, uint32_t count, uint32_t corners, const uint32_t *indices,
                                  size_t element_count, bool with_plans, struct codec_tiles **out)
{
    *out = NULL;
    if (!is_valid(count, corners, indices, element_count)) {
        return CODEC_INVALID;
    }
    struct codec_tiles *tiles = tiles_make(most, count, with_plans);
    enum codec_status status = CODEC_MEMORY;
    if (tiles && tiles->count > 1) {
        status = cut_all(tiles, count, corners, indices, (uint32_t)element_count);
    } else if (tiles) {
        status = with_plans ? codec_plan_create(count, corners, indices, element_count, &tiles->plans[0])
                            : CODEC_OK;
    }
    if (status == CODEC_OK) {
        *out = tiles;
    } else {
        codec_tiles_destroy(tiles);
    }
    return status;
}

enum codec_status codec_tiles_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                     size_t element_count, bool with_plans, struct codec_tiles **out)
{
    return codec_tiles_cut(CODEC_TILE_MAX, count, corners, indices, element_count, with_plans, out);
}

uint32_t codec_tiles_count(const struct codec_tiles *tiles)
{
    return tiles->count;
}

const uint32_t *codec_tile_vertices(const struct codec_tiles *tiles, uint32_t tile, uint32_t *count)
{
    *count = tiles->begin[tile + 1] - tiles->begin[tile];
    return tiles->vertices + tiles->begin[tile];
}

const struct codec_plan *codec_tile_plan(const struct codec_tiles *tiles, uint32_t tile)
{
    return tiles->plans[tile];
}
