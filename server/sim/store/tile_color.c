// Colours of a body's tiles. Tiles that share a particle get different ones, so that all tiles of one colour may
// run at the same time; colour after colour, each is a round of work for all threads.
//
// Greedy, in order of tile: the free colour that fewest tiles have. Where tiles are few, how evenly they fall into
// colours decides how long threads stand still, so better colours are looked for: by exchange, then by search. What
// is sought is few rounds, and among those that a thread finds in its caches what it works on: particles are shared
// out in order of tile as well (base/crew.h), so with two threads the first half of a colour's tiles had best be
// from the first half of the body's.

#include "base/array.h"
#include "base/assert.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>

enum {
    FEW_TILES = 64,    // what a mask holds; beyond them choosing well is even enough
    LOOKS_MAX = 50000, // of a search: some milliseconds
};

struct tile_graph {
    uint32_t tiles, colors;
    uint64_t near[FEW_TILES];    // by tile: others that share a row with it
    uint64_t members[FEW_TILES]; // by colour
};

static uint32_t how_many(uint64_t tiles)
{
    return (uint32_t)__builtin_popcountll(tiles);
}

// ---------------------------------------------------------------------------------------------------------
// What a colour costs

// Rounds that 2, 4 and 8 threads need for so many tiles at the same time; fewer threads are the commoner.
static uint32_t rounds_of(uint32_t tiles)
{
    return 4 * ((tiles + 1) / 2) + 2 * ((tiles + 3) / 4) + (tiles + 7) / 8;
}

// Tiles that another one of two threads works on than on their particles.
static uint32_t strangers_of(const struct tile_graph *graph, uint64_t members)
{
    uint32_t count = how_many(members), owners = count > 1 ? count / 2 : 1, strangers = 0;
    for (uint32_t i = 0; members != 0; members &= members - 1, i++) {
        bool own = (uint32_t)__builtin_ctzll(members) < graph->tiles / 2;
        strangers += own != (i < owners);
    }
    return strangers;
}

static uint32_t cost_of(const struct tile_graph *graph, uint64_t members)
{
    return rounds_of(how_many(members)) * (FEW_TILES + 1) + strangers_of(graph, members);
}

static uint32_t cost_of_all(const struct tile_graph *graph)
{
    uint32_t cost = 0;
    for (uint32_t color = 0; color < graph->colors; color++) {
        cost += cost_of(graph, graph->members[color]);
    }
    return cost;
}

// ---------------------------------------------------------------------------------------------------------
// Exchange: from better to better

// The tiles of two colours that hang together with one of them: they may exchange their colours.
static uint64_t chain_of(const struct tile_graph *graph, uint32_t tile, uint64_t both)
{
    uint64_t chain = 0, found = UINT64_C(1) << tile;
    while (found != chain) {
        uint64_t fresh = found & ~chain;
        chain = found;
        for (; fresh != 0; fresh &= fresh - 1) {
            found |= graph->near[__builtin_ctzll(fresh)] & both;
        }
    }
    return chain;
}

// Exchanges colours a and b in the first chain where that costs less. False if there is none.
static bool exchange(struct tile_graph *graph, uint32_t a, uint32_t b)
{
    uint64_t both = graph->members[a] | graph->members[b];
    uint32_t cost = cost_of(graph, graph->members[a]) + cost_of(graph, graph->members[b]);
    for (uint64_t left = graph->members[a]; left != 0; left &= left - 1) {
        uint64_t chain = chain_of(graph, (uint32_t)__builtin_ctzll(left), both);
        uint64_t new_a = graph->members[a] ^ chain, new_b = graph->members[b] ^ chain;
        if (cost_of(graph, new_a) + cost_of(graph, new_b) < cost) {
            graph->members[a] = new_a;
            graph->members[b] = new_b;
            return true;
        }
    }
    return false;
}

static void exchange_all(struct tile_graph *graph)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pair = 0; pair < graph->colors * graph->colors; pair++) {
            uint32_t a = pair / graph->colors, b = pair % graph->colors;
            changed = (a != b && exchange(graph, a, b)) || changed;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Search: everything there is, as far as it goes

// Colours tile after tile; goes back where a tile cannot be coloured or rounds would be more than in the best so
// far. Where tiles are some fifteen that ends with the best there is.
static void search(struct tile_graph *best)
{
    struct tile_graph trial = *best;
    uint32_t color[FEW_TILES] = {0};    // of each tile before the present one; the next to try of that one
    uint32_t used[FEW_TILES + 1] = {0}; // colours before a tile
    uint32_t rounds[FEW_TILES + 1] = {0};
    uint32_t cost = cost_of_all(best), most = best->colors, tile = 0;
    memset(trial.members, 0, sizeof trial.members);
    for (uint32_t looks = 0; looks < LOOKS_MAX; looks++) {
        trial.colors = used[tile];
        if (tile == trial.tiles && cost_of_all(&trial) < cost) {
            cost = cost_of_all(&trial);
            *best = trial;
        }
        if (tile == trial.tiles || color[tile] > used[tile] || color[tile] >= most) {
            if (tile == 0) {
                return;
            }
            tile--;
            trial.members[color[tile]] &= ~(UINT64_C(1) << tile);
            color[tile]++;
            continue;
        }
        uint64_t *members = &trial.members[color[tile]];
        uint32_t count = how_many(*members);
        rounds[tile + 1] = rounds[tile] + rounds_of(count + 1) - rounds_of(count);
        if ((*members & trial.near[tile]) != 0 || rounds[tile + 1] * (FEW_TILES + 1) >= cost) {
            color[tile]++;
            continue;
        }
        *members |= UINT64_C(1) << tile;
        used[tile + 1] = color[tile] == used[tile] ? used[tile] + 1 : used[tile];
        tile++;
        if (tile < trial.tiles) {
            color[tile] = 0;
        }
    }
}

static void improve(struct tile_graph *graph, uint16_t *tile_colors)
{
    for (uint32_t t = 0; t < graph->tiles; t++) {
        graph->members[tile_colors[t]] |= UINT64_C(1) << t;
    }
    exchange_all(graph);
    search(graph);
    for (uint32_t color = 0; color < graph->colors; color++) {
        for (uint64_t left = graph->members[color]; left != 0; left &= left - 1) {
            tile_colors[__builtin_ctzll(left)] = (uint16_t)color;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// From the beginning

// Which tiles touch each row: a chain of links, newest (greatest tile) first, or, of a row that many touch, bits. So
// no row costs a tile more than LINKS_MAX links or a word for 64 tiles.
enum { LINKS_MAX = 64, IN_BITS = 1u << 31, NO_LINK = IN_BITS - 1 };

struct touch {
    uint32_t tile, next;
    uint32_t length; // of the chain that begins here
};

struct touching {
    uint32_t *rows; // by row: its first link, or IN_BITS and which bits
    struct touch *touches;
    uint32_t touch_count;
    uint64_t *bits;
    uint32_t words; // of one row
    uint32_t bits_count, bits_capacity;
};

// Colours of tiles so far.
struct tile_colors {
    uint32_t count;
    uint32_t *stamp; // by colour: the last tile that saw it at a neighbour
    uint32_t *tiles; // by colour: how many have it
};

// The colour of fewest tiles that no neighbour has; a new one only if there is none.
static uint16_t tile_color(struct tile_colors *colors, uint32_t tile)
{
    uint32_t color = colors->count;
    for (uint32_t c = 0; c < colors->count; c++) {
        if (colors->stamp[c] != tile + 1 &&
            (color == colors->count || colors->tiles[c] < colors->tiles[color])) {
            color = c;
        }
    }
    colors->count += color == colors->count;
    colors->tiles[color]++;
    BASE_ASSERT(color <= UINT16_MAX);
    return (uint16_t)color;
}

// Tile t shares a row with an earlier one.
static void meets(struct tile_colors *colors, struct tile_graph *graph, const uint16_t *tile_colors,
                  uint32_t t, uint32_t other)
{
    colors->stamp[tile_colors[other]] = t + 1;
    if (graph->tiles <= FEW_TILES) {
        graph->near[t] |= UINT64_C(1) << other;
        graph->near[other] |= UINT64_C(1) << t;
    }
}

// The row's chain becomes bits. False without memory.
static bool links_to_bits(struct touching *touching, uint32_t row)
{
    uint64_t need = ((uint64_t)touching->bits_count + 1) * touching->words;
    if (!array_reserve(&touching->bits, &touching->bits_capacity, need)) {
        return false;
    }
    uint64_t *bits = touching->bits + (size_t)touching->bits_count * touching->words;
    memset(bits, 0, touching->words * sizeof *bits);
    for (uint32_t link = touching->rows[row]; link != NO_LINK; link = touching->touches[link].next) {
        uint32_t tile = touching->touches[link].tile;
        bits[tile / 64] |= UINT64_C(1) << tile % 64;
    }
    touching->rows[row] = IN_BITS | touching->bits_count++;
    return true;
}

// Tile t touches the row: adds those that touched it before to `near` (bits of tiles). False without memory.
static bool touch_row(struct touching *touching, uint32_t t, uint32_t row, uint64_t *near)
{
    uint32_t first = touching->rows[row];
    if ((first & IN_BITS) != 0) {
        uint64_t *bits = touching->bits + (size_t)(first & ~(uint32_t)IN_BITS) * touching->words;
        uint64_t *own = &bits[t / 64], bit = UINT64_C(1) << t % 64;
        for (uint32_t w = 0; (*own & bit) == 0 && w < touching->words; w++) {
            near[w] |= bits[w];
        }
        *own |= bit;
        return true;
    }
    const struct touch *newest = first == NO_LINK ? NULL : &touching->touches[first];
    if (newest && newest->tile == t) {
        return true;
    }
    for (uint32_t link = first; link != NO_LINK; link = touching->touches[link].next) {
        near[touching->touches[link].tile / 64] |= UINT64_C(1) << touching->touches[link].tile % 64;
    }
    uint32_t length = !newest ? 1 : newest->length + 1;
    touching->touches[touching->touch_count] = (struct touch){t, first, length};
    touching->rows[row] = touching->touch_count++;
    return length < LINKS_MAX || links_to_bits(touching, row);
}

// Tile after tile.
bool sim_color_tiles(struct sim_coloring *coloring, uint32_t stencil, const uint32_t *rows,
                     uint32_t row_count)
{
    const uint32_t *starts = coloring->starts, *list = coloring->list;
    uint32_t tile_count = coloring->tile_count, words = tile_count / 64 + 1;
    size_t corner_count = (size_t)starts[tile_count] * stencil;
    struct touching touching = {.rows = malloc(((size_t)row_count + 1) * sizeof *touching.rows),
                                .touches = malloc((corner_count + 1) * sizeof *touching.touches),
                                .words = words};
    struct tile_colors colors = {
        .stamp = calloc((size_t)tile_count + 1, sizeof *colors.stamp),
        .tiles = calloc((size_t)tile_count + 1, sizeof *colors.tiles),
    };
    uint64_t *near = calloc(words, sizeof *near);
    bool done = touching.rows && touching.touches && colors.stamp && colors.tiles && near;
    struct tile_graph graph = {.tiles = tile_count};
    for (uint32_t r = 0; done && r < row_count; r++) {
        touching.rows[r] = NO_LINK;
    }
    for (uint32_t t = 0; done && t < tile_count; t++) {
        for (uint32_t i = starts[t]; done && i < starts[t + 1]; i++) {
            for (uint32_t k = 0; done && k < stencil; k++) {
                done = touch_row(&touching, t, rows[(size_t)list[i] * stencil + k], near);
            }
        }
        for (uint32_t w = 0; w < words; w++) {
            for (; near[w] != 0; near[w] &= near[w] - 1) {
                meets(&colors, &graph, coloring->tile_colors, t, w * 64 + (uint32_t)__builtin_ctzll(near[w]));
            }
        }
        coloring->tile_colors[t] = tile_color(&colors, t);
    }
    if (done && graph.tiles <= FEW_TILES) {
        graph.colors = colors.count;
        improve(&graph, coloring->tile_colors);
    }
    free(touching.rows);
    free(touching.touches);
    free(touching.bits);
    free(colors.stamp);
    free(colors.tiles);
    free(near);
    return done;
}
