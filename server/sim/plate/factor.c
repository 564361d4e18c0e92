// The factor of M + h^2 Q: block elimination along the tree of the dissection (multifrontal, Duff and Reid 1983).
//
// A node gathers what stencils and children add to its unknowns and to those below it in a dense front:
//
//     front   | A11     |      A11 = L L'          S = A11^-1
//             | A21 A22 |      V = A21 A11^-1      A22 - V A21' goes to the parent, which holds the first unknown below
//
// Everything is computed in double and in a fixed order: columns one after the other, in strips whose updates of the rest are
// one pass over it. Compilers may use vectors for the inner loops, because each of their numbers is a sum of its own.

#include "sim/plate/plate.h"

#include "base/array.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { STRIP = 8, NO_NODE = UINT32_MAX };

struct front {
    uint32_t count, size;     // own unknowns, and all rows
    double *x;                // column by column, size x size; what is above the diagonal counts not
    double *inverse, *square; // L^-1 by rows, and S: count x count
};

// All nodes share this while a factor is made.
struct works {
    struct sim_plate *plate;
    const struct sim_plate_stencil *stencils;
    uint32_t *node_of;               // by unknown
    uint32_t *starts, *list;         // stencils by the node that holds the first of their unknowns
    uint32_t *first_child, *sibling; // by node
    uint32_t *unknowns;              // those below all nodes
    uint32_t *unknown_starts;        // by node
    uint32_t unknown_count, unknown_capacity;
    uint32_t *local;  // by unknown: row of the front at hand
    double **updates; // by node: what its parent gets
};

static void works_deinit(struct works *works)
{
    for (uint32_t k = 0; works->updates && k < works->plate->node_count; k++) {
        free(works->updates[k]);
    }
    free(works->node_of);
    free(works->starts);
    free(works->list);
    free(works->first_child);
    free(works->sibling);
    free(works->unknowns);
    free(works->unknown_starts);
    free(works->local);
    free(works->updates);
}

static bool works_init(struct works *works, struct sim_plate *plate, const struct sim_plate_stencil *stencils,
                       uint32_t stencil_count)
{
    const size_t nodes = (size_t)plate->node_count + 2, unknowns = (size_t)plate->count + 1;
    *works = (struct works){
        .plate = plate,
        .stencils = stencils,
        .node_of = malloc(unknowns * sizeof(uint32_t)),
        .starts = calloc(nodes, sizeof(uint32_t)),
        .list = malloc(((size_t)stencil_count + 1) * sizeof(uint32_t)),
        .first_child = malloc(nodes * sizeof(uint32_t)),
        .sibling = malloc(nodes * sizeof(uint32_t)),
        .unknown_starts = calloc(nodes, sizeof(uint32_t)),
        .local = calloc(unknowns, sizeof(uint32_t)),
        .updates = calloc(nodes, sizeof(double *)),
    };
    return works->node_of && works->starts && works->list && works->first_child && works->sibling &&
           works->unknown_starts && works->local && works->updates;
}

static uint32_t first_unknown(const struct sim_plate_stencil *stencil)
{
    uint32_t first = stencil->unknowns[0];
    for (int k = 1; k < 4; k++) {
        first = stencil->unknowns[k] < first ? stencil->unknowns[k] : first;
    }
    return first;
}

static void sort_stencils(struct works *works, uint32_t stencil_count)
{
    const struct sim_plate *plate = works->plate;
    for (uint32_t node = 0; node < plate->node_count; node++) {
        for (uint32_t i = 0; i < plate->nodes[node].count; i++) {
            works->node_of[plate->nodes[node].first + i] = node;
        }
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        works->starts[works->node_of[first_unknown(&works->stencils[s])] + 2]++;
    }
    for (uint32_t node = 0; node < plate->node_count; node++) {
        works->starts[node + 1] += works->starts[node];
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        works->list[works->starts[works->node_of[first_unknown(&works->stencils[s])] + 1]++] = s;
    }
}

// ------------------------------------------------------------------------------------------------------ tree

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Appends an unknown below the node unless it is there; `local` says for whom it was seen.
static bool add_below(struct works *works, uint32_t node, uint32_t unknown)
{
    const struct sim_plate_node *own = &works->plate->nodes[node];
    if (unknown < own->first + own->count || works->local[unknown] == node + 1) {
        return true;
    }
    if (!array_reserve(&works->unknowns, &works->unknown_capacity, works->unknown_count + 1)) {
        return false;
    }
    works->local[unknown] = node + 1;
    works->unknowns[works->unknown_count++] = unknown;
    return true;
}

// Finds what is below a node, of whose children it is known already.
static bool grow_node(struct works *works, uint32_t node)
{
    struct sim_plate_node *own = &works->plate->nodes[node];
    const uint32_t begin = works->unknown_count;
    works->unknown_starts[node] = begin;
    for (uint32_t i = works->starts[node]; i < works->starts[node + 1]; i++) {
        for (int k = 0; k < 4; k++) {
            if (!add_below(works, node, works->stencils[works->list[i]].unknowns[k])) {
                return false;
            }
        }
    }
    for (uint32_t child = works->first_child[node]; child != NO_NODE; child = works->sibling[child]) {
        for (uint32_t i = works->unknown_starts[child]; i < works->unknown_starts[child + 1]; i++) {
            if (!add_below(works, node, works->unknowns[i])) {
                return false;
            }
        }
    }
    own->below_count = works->unknown_count - begin;
    works->unknown_starts[node + 1] = works->unknown_count;
    if (own->below_count > 0) {
        qsort(works->unknowns + begin, own->below_count, sizeof *works->unknowns, compare);
        uint32_t parent = works->node_of[works->unknowns[begin]];
        works->sibling[node] = works->first_child[parent];
        works->first_child[parent] = node;
    }
    return true;
}

// The shape of the factor. *fits: it is not too large.
static bool grow_tree(struct works *works, bool *fits)
{
    struct sim_plate *plate = works->plate;
    double work = 0;
    uint64_t entries = 0, places = 0;
    memset(works->first_child, 0xff, (size_t)plate->node_count * sizeof *works->first_child);
    *fits = true;
    for (uint32_t k = 0; *fits && k < plate->node_count; k++) {
        struct sim_plate_node *node = &plate->nodes[k];
        if (!grow_node(works, k)) {
            return false;
        }
        const uint64_t below = sim_plate_padded(node->below_count, plate->lanes),
                       own = sim_plate_padded(node->count, plate->lanes),
                       size = (uint64_t)node->count + node->below_count;
        node->own = (uint32_t)places;
        node->below = (uint32_t)(places + own);
        node->forward = entries;
        node->backward = entries + (uint64_t)node->count * node->below_count;
        entries = node->backward + size * node->count;
        places += own + below;
        work += (double)node->count * (double)size * (double)size;
        *fits = entries <= PLATE_ENTRIES_MAX && work <= PLATE_WORK_MAX && size <= PLATE_FRONT_MAX;
    }
    plate->entry_count = entries;
    plate->places = *fits ? malloc((places + 1) * sizeof *plate->places) : NULL;
    return !*fits || plate->places;
}

// The place of an unknown in what a part (SIM_PLATE_PARTS: the top) does; `count` is what lanes past the end get.
static uint32_t place_of(const struct works *works, uint32_t part, uint32_t unknown)
{
    const struct sim_plate *plate = works->plate;
    if (part == SIM_PLATE_PARTS) {
        return unknown;
    }
    const struct sim_plate_range own = sim_plate_unknowns(plate, part);
    const bool inside = unknown >= own.first && unknown < own.end;
    return inside ? unknown : sim_plate_copies(plate, part) + works->local[unknown];
}

static void lay_list(const struct works *works, uint32_t part, uint32_t at, const uint32_t *unknowns,
                     uint32_t first, uint32_t count)
{
    const struct sim_plate *plate = works->plate;
    for (uint32_t i = 0; i < sim_plate_padded(count, plate->lanes); i++) {
        uint32_t unknown = i >= count ? plate->count : unknowns ? unknowns[i] : first + i;
        plate->places[at + i] = place_of(works, part, unknown) * (uint32_t)sim_plate_place(plate);
    }
}

static void lay_places(const struct works *works)
{
    const struct sim_plate *plate = works->plate;
    for (uint32_t t = 0; t < plate->top_count; t++) {
        works->local[plate->top[t]] = t;
    }
    works->local[plate->count] = plate->top_count;
    for (uint32_t k = 0; k < plate->node_count; k++) {
        const struct sim_plate_node *node = &plate->nodes[k];
        uint32_t part = 0;
        while (part < plate->part_count && !(k >= plate->parts[part].first && k < plate->parts[part].end)) {
            part++;
        }
        part = part < plate->part_count ? part : SIM_PLATE_PARTS;
        lay_list(works, part, node->own, NULL, node->first, node->count);
        lay_list(works, part, node->below, works->unknowns + works->unknown_starts[k], 0, node->below_count);
    }
}

// --------------------------------------------------------------------------------------------------- numbers

// a -= f b
static void take(double *restrict a, const double *restrict b, double f, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        a[i] -= f * b[i];
    }
}

// Adds what the stencils of a node and its children give.
static void gather(struct works *works, uint32_t at, struct front *front)
{
    const struct sim_plate *plate = works->plate;
    const struct sim_plate_node *node = &plate->nodes[at];
    for (uint32_t i = 0; i < node->count; i++) {
        double mass = plate->masses[node->first + i];
        works->local[node->first + i] = i;
        front->x[(size_t)i * front->size + i] = mass > 0 ? mass : 1;
    }
    for (uint32_t i = 0; i < node->below_count; i++) {
        works->local[works->unknowns[works->unknown_starts[at] + i]] = node->count + i;
    }
    for (uint32_t s = works->starts[at]; s < works->starts[at + 1]; s++) {
        const struct sim_plate_stencil *stencil = &works->stencils[works->list[s]];
        for (int k = 0; k < 16; k++) {
            uint32_t a = stencil->unknowns[k / 4], b = stencil->unknowns[k % 4];
            uint32_t row = works->local[a], column = works->local[b];
            if (row >= column && plate->masses[a] > 0 && plate->masses[b] > 0) {
                front->x[(size_t)column * front->size + row] +=
                    stencil->weight * (stencil->weights[k / 4] * stencil->weights[k % 4]);
            }
        }
    }
    for (uint32_t child = works->first_child[at]; child != NO_NODE; child = works->sibling[child]) {
        const uint32_t *unknowns = works->unknowns + works->unknown_starts[child];
        const uint32_t count = plate->nodes[child].below_count;
        const double *update = works->updates[child];
        for (uint32_t c = 0; c < count; c++) {
            double *column = front->x + (size_t)works->local[unknowns[c]] * front->size;
            for (uint32_t r = c; r < count; r++) {
                column[works->local[unknowns[r]]] += update[(size_t)c * count + r];
            }
        }
        free(works->updates[child]);
        works->updates[child] = NULL;
    }
}

// Columns first ... end - 1 become those of L. False if a pivot is not positive.
static bool factor_strip(const struct front *front, uint32_t first, uint32_t end)
{
    const uint32_t size = front->size;
    for (uint32_t j = first; j < end; j++) {
        double *column = front->x + (size_t)j * size;
        if (!(column[j] > 0) || !(column[j] < 1e300)) {
            return false;
        }
        const double pivot = __builtin_sqrt(column[j]);
        for (uint32_t i = j; i < size; i++) {
            column[i] /= pivot;
        }
        for (uint32_t k = j + 1; k < end; k++) {
            take(front->x + (size_t)k * size + k, column + k, column[k], size - k);
        }
    }
    return true;
}

// Takes what STRIP columns of L, from b on and size apart, give from a column: row i of it loses sum f[s] b[s][i].
static void take_strip(double *restrict a, const double *restrict b, size_t size, const double f[STRIP],
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double x = a[i];
        for (uint32_t s = 0; s < STRIP; s++) {
            x -= f[s] * b[s * size + i];
        }
        a[i] = x;
    }
}

static bool cholesky(const struct front *front)
{
    const uint32_t size = front->size;
    for (uint32_t first = 0; first < front->count; first += STRIP) {
        const uint32_t end = first + STRIP < front->count ? first + STRIP : front->count;
        if (!factor_strip(front, first, end)) {
            return false;
        }
        for (uint32_t k = end; k < size; k++) {
            double *column = front->x + (size_t)k * size, f[STRIP];
            const double *strip = front->x + (size_t)first * size;
            for (uint32_t s = first; s < end; s++) {
                f[s - first] = front->x[(size_t)s * size + k];
            }
            if (end - first == STRIP) {
                take_strip(column + k, strip + k, size, f, size - k);
                continue;
            }
            for (uint32_t s = 0; s < end - first; s++) {
                take(column + k, strip + s * (size_t)size + k, f[s], size - k);
            }
        }
    }
    return true;
}

// L21 becomes V = L21 L^-1, and S = L^-T L^-1 is found.
static void invert(const struct front *front)
{
    const uint32_t n = front->count, size = front->size;
    double *inverse = front->inverse, *square = front->square;
    memset(inverse, 0, (size_t)n * n * sizeof *inverse);
    memset(square, 0, (size_t)n * n * sizeof *square);
    for (uint32_t k = 0; k < n; k++) {
        double *row = inverse + (size_t)k * n;
        row[k] = 1;
        for (uint32_t t = 0; t < k; t++) {
            take(row, inverse + (size_t)t * n, front->x[(size_t)t * size + k], t + 1);
        }
        const double pivot = front->x[(size_t)k * size + k];
        for (uint32_t c = 0; c <= k; c++) {
            row[c] /= pivot;
        }
        for (uint32_t i = 0; i <= k; i++) {
            take(square + (size_t)i * n, row, -row[i], i + 1);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            square[(size_t)j * n + i] = square[(size_t)i * n + j];
        }
    }
    for (uint32_t j = n; j-- > 0;) {
        double *column = front->x + (size_t)j * size;
        for (uint32_t k = j + 1; k < n; k++) {
            take(column + n, front->x + (size_t)k * size + n, column[k], size - n);
        }
        const double pivot = column[j];
        for (uint32_t i = n; i < size; i++) {
            column[i] /= pivot;
        }
    }
}

// One number of a panel.
static void put(const struct sim_plate *plate, size_t panel, uint32_t rows, uint32_t columns, uint32_t row,
                uint32_t column, double value)
{
    const uint32_t block = row - row % plate->lanes;
    size_t at = panel + (size_t)block * columns +
                (size_t)column * sim_plate_width(rows, block, plate->lanes) + row % plate->lanes;
    if (plate->fine) {
        ((double *)plate->entries)[at] = value;
    } else {
        ((float *)plate->entries)[at] = (float)value;
    }
}

static void lay_node(const struct sim_plate *plate, const struct sim_plate_node *node,
                     const struct front *front)
{
    const uint32_t n = node->count, size = front->size;
    for (uint32_t k = 0; k < n; k++) {
        const double *column = front->x + (size_t)k * size;
        for (uint32_t j = 0; j < n; j++) {
            put(plate, node->backward, n, size, j, k, front->square[(size_t)k * n + j]);
        }
        for (uint32_t i = n; i < size; i++) {
            put(plate, node->forward, size - n, n, i - n, k, column[i]);
            put(plate, node->backward, n, size, k, i, -column[i]);
        }
    }
}

static bool factor_node(struct works *works, uint32_t at, bool *definite)
{
    const struct sim_plate_node *node = &works->plate->nodes[at];
    const size_t n = node->count, size = n + node->below_count, below = node->below_count;
    struct front front = {
        .count = node->count,
        .size = (uint32_t)size,
        .x = calloc(size * size, sizeof(double)),
        .inverse = malloc(n * n * sizeof(double)),
        .square = malloc(n * n * sizeof(double)),
    };
    double *update = malloc((below * below + 1) * sizeof *update);
    bool good = front.x && front.inverse && front.square && update;
    if (good) {
        gather(works, at, &front);
        *definite = cholesky(&front);
    }
    if (good && *definite) {
        for (size_t c = 0; c < below; c++) {
            memcpy(update + c * below + c, front.x + (n + c) * size + n + c, (below - c) * sizeof *update);
        }
        invert(&front);
        lay_node(works->plate, node, &front);
        works->updates[at] = update;
        update = NULL;
    }
    free(update);
    free(front.x);
    free(front.inverse);
    free(front.square);
    return good;
}

bool sim_plate_factor(struct sim_plate *plate, const struct sim_plate_stencil *stencils,
                      uint32_t stencil_count)
{
    struct works works;
    bool fits = false, definite = true, good = works_init(&works, plate, stencils, stencil_count);
    if (good) {
        sort_stencils(&works, stencil_count);
        good = grow_tree(&works, &fits);
    }
    if (good && fits) {
        good = base_grow(&plate->entries, (plate->entry_count + plate->lanes) *
                                              (plate->fine ? sizeof(double) : sizeof(float)));
    }
    if (good && fits) {
        lay_places(&works);
        for (uint32_t k = 0; good && definite && k < plate->node_count; k++) {
            good = factor_node(&works, k, &definite);
        }
    }
    plate->solved = good && fits && definite;
    works_deinit(&works);
    return good;
}

bool sim_plate_shape(struct sim_plate *plate, const struct sim_dissection *dissection)
{
    plate->node_count = dissection->node_count;
    plate->part_count = dissection->part_count;
    memcpy(plate->parts, dissection->parts, sizeof plate->parts);
    plate->nodes = calloc((size_t)plate->node_count + 1, sizeof *plate->nodes);
    plate->top = malloc(((size_t)plate->count + 1) * sizeof *plate->top);
    if (!plate->nodes || !plate->top) {
        return false;
    }
    for (uint32_t k = 0, first = 0; k < plate->node_count; k++) {
        plate->nodes[k].first = first;
        plate->nodes[k].count = dissection->ends[k] - first;
        first = dissection->ends[k];
    }
    for (uint32_t u = 0, part = 0; u < plate->count; u++) {
        if (part < plate->part_count && u == sim_plate_unknowns(plate, part).first) {
            u = sim_plate_unknowns(plate, part).end - 1;
            part++;
        } else {
            plate->top[plate->top_count++] = u;
        }
    }
    const uint64_t bytes = (uint64_t)sim_plate_copies(plate, plate->part_count) * sim_plate_place(plate);
    return base_grow(&plate->pushes, bytes) && base_grow(&plate->ways, bytes);
}

void sim_plate_empty(struct sim_plate *plate)
{
    free(plate->nodes);
    free(plate->places);
    free(plate->rows);
    free(plate->masses);
    free(plate->top);
    base_grow_free(plate->entries);
    base_grow_free(plate->pushes);
    base_grow_free(plate->ways);
    *plate = (struct sim_plate){0};
}
