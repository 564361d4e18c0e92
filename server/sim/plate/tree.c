// The tree of a factor: which unknowns each node has below it, where its numbers stand, and what its passes read. It
// follows from the stencils and the order of elimination, and masses do not change it.

#include "sim/plate/plate.h"

#include "base/array.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static struct sim_plate_tree *tree_create(const struct sim_plate *plate, uint32_t stencil_count)
{
    const size_t nodes = (size_t)plate->node_count + 2, unknowns = (size_t)plate->count + 1;
    struct sim_plate_tree *tree = malloc(sizeof *tree);
    if (!tree) {
        return NULL;
    }
    *tree = (struct sim_plate_tree){
        .node_count = plate->node_count,
        .node_of = malloc(unknowns * sizeof(uint32_t)),
        .starts = calloc(nodes, sizeof(uint32_t)),
        .stencils = malloc(((size_t)stencil_count + 1) * sizeof(struct sim_plate_stencil)),
        .first_child = malloc(nodes * sizeof(uint32_t)),
        .sibling = malloc(nodes * sizeof(uint32_t)),
        .below_starts = calloc(nodes, sizeof(uint32_t)),
        .local = calloc(unknowns, sizeof(uint32_t)),
        .updates = calloc(nodes, sizeof(double *)),
    };
    if (!tree->node_of || !tree->starts || !tree->stencils || !tree->first_child || !tree->sibling ||
        !tree->below_starts || !tree->local || !tree->updates) {
        sim_plate_tree_destroy(tree);
        return NULL;
    }
    return tree;
}

void sim_plate_tree_destroy(struct sim_plate_tree *tree)
{
    if (!tree) {
        return;
    }
    for (uint32_t k = 0; tree->updates && k < tree->node_count; k++) {
        free(tree->updates[k]);
    }
    free(tree->node_of);
    free(tree->starts);
    free(tree->stencils);
    free(tree->first_child);
    free(tree->sibling);
    free(tree->below);
    free(tree->below_starts);
    free(tree->local);
    free(tree->updates);
    free(tree);
}

static uint32_t first_unknown(const struct sim_plate_stencil *stencil)
{
    uint32_t first = stencil->unknowns[0];
    for (int k = 1; k < 4; k++) {
        first = stencil->unknowns[k] < first ? stencil->unknowns[k] : first;
    }
    return first;
}

static void sort_stencils(const struct sim_plate *plate, struct sim_plate_tree *tree,
                          const struct sim_plate_stencil *stencils, uint32_t stencil_count)
{
    for (uint32_t node = 0; node < plate->node_count; node++) {
        for (uint32_t i = 0; i < plate->nodes[node].count; i++) {
            tree->node_of[plate->nodes[node].first + i] = node;
        }
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        tree->starts[tree->node_of[first_unknown(&stencils[s])] + 2]++;
    }
    for (uint32_t node = 0; node < plate->node_count; node++) {
        tree->starts[node + 1] += tree->starts[node];
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        tree->stencils[tree->starts[tree->node_of[first_unknown(&stencils[s])] + 1]++] = stencils[s];
    }
}

static bool weighs_alike(const struct sim_plate_stencil *one, const struct sim_plate_stencil *other)
{
    bool alike = one->weight == other->weight;
    for (int k = 0; k < 4; k++) {
        alike = alike && one->weights[k] == other->weights[k];
    }
    return alike;
}

bool sim_plate_weigh(struct sim_plate *plate, const struct sim_plate_stencil *stencils,
                     uint32_t stencil_count, bool *changed)
{
    struct sim_plate_tree *tree = plate->tree;
    struct sim_plate_stencil *sorted = malloc(((size_t)stencil_count + 1) * sizeof *sorted);
    uint32_t *next = malloc(((size_t)tree->node_count + 1) * sizeof *next);
    const bool good = sorted && next;
    for (uint32_t node = 0; good && node < tree->node_count; node++) {
        next[node] = tree->starts[node];
    }
    for (uint32_t s = 0; good && s < stencil_count; s++) {
        const uint32_t to = next[tree->node_of[first_unknown(&stencils[s])]]++;
        const struct sim_plate_stencil *before = &tree->stencils[to];
        sorted[to] = stencils[s];
        if (!weighs_alike(before, &stencils[s])) {
            for (int k = 0; k < 4; k++) {
                changed[stencils[s].unknowns[k]] = true;
            }
        }
    }
    if (good) {
        free(tree->stencils);
        tree->stencils = sorted;
    } else {
        free(sorted);
    }
    free(next);
    return good;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Appends an unknown below the node unless it is there; `local` says for whom it was seen.
static bool add_below(const struct sim_plate *plate, struct sim_plate_tree *tree, uint32_t node,
                      uint32_t unknown)
{
    const struct sim_plate_node *own = &plate->nodes[node];
    if (unknown < own->first + own->count || tree->local[unknown] == node + 1) {
        return true;
    }
    if (!array_reserve(&tree->below, &tree->below_capacity, tree->below_count + 1)) {
        return false;
    }
    tree->local[unknown] = node + 1;
    tree->below[tree->below_count++] = unknown;
    return true;
}

// Finds what is below a node, of whose children it is known already.
static bool grow_node(struct sim_plate *plate, struct sim_plate_tree *tree, uint32_t node)
{
    struct sim_plate_node *own = &plate->nodes[node];
    const uint32_t begin = tree->below_count;
    tree->below_starts[node] = begin;
    for (uint32_t i = tree->starts[node]; i < tree->starts[node + 1]; i++) {
        for (int k = 0; k < 4; k++) {
            if (!add_below(plate, tree, node, tree->stencils[i].unknowns[k])) {
                return false;
            }
        }
    }
    for (uint32_t child = tree->first_child[node]; child != SIM_PLATE_NONE; child = tree->sibling[child]) {
        for (uint32_t i = tree->below_starts[child]; i < tree->below_starts[child + 1]; i++) {
            if (!add_below(plate, tree, node, tree->below[i])) {
                return false;
            }
        }
    }
    own->below_count = tree->below_count - begin;
    tree->below_starts[node + 1] = tree->below_count;
    if (own->below_count > 0) {
        qsort(tree->below + begin, own->below_count, sizeof *tree->below, compare);
        uint32_t parent = tree->node_of[tree->below[begin]];
        tree->sibling[node] = tree->first_child[parent];
        tree->first_child[parent] = node;
    }
    return true;
}

// The shape of the factor. *fits: it is not too large.
static bool grow_tree(struct sim_plate *plate, struct sim_plate_tree *tree, bool *fits)
{
    double work = 0;
    uint64_t entries = 0, backward = 0, places = 0;
    memset(tree->first_child, 0xff, (size_t)plate->node_count * sizeof *tree->first_child);
    *fits = true;
    for (uint32_t k = 0; *fits && k < plate->node_count; k++) {
        struct sim_plate_node *node = &plate->nodes[k];
        if (!grow_node(plate, tree, k)) {
            return false;
        }
        const uint64_t below = sim_plate_padded(node->below_count, plate->lanes),
                       own = sim_plate_padded(node->count, plate->lanes),
                       size = (uint64_t)node->count + node->below_count;
        node->own = (uint32_t)places;
        node->below = (uint32_t)(places + own);
        node->forward = entries;
        entries += (uint64_t)node->count * node->below_count;
        backward += size * node->count;
        places += own + below;
        work += (double)node->count * (double)size * (double)size;
        *fits = entries + backward <= PLATE_ENTRIES_MAX && work <= PLATE_WORK_MAX && size <= PLATE_FRONT_MAX;
    }
    plate->entry_count = entries + backward;
    for (uint32_t k = plate->node_count; *fits && k-- > 0;) {
        struct sim_plate_node *node = &plate->nodes[k];
        node->backward = entries;
        entries += (uint64_t)node->count * (node->count + node->below_count);
    }
    plate->places = *fits ? malloc((places + 1) * sizeof *plate->places) : NULL;
    return !*fits || plate->places;
}

// The place of an unknown in what a part (SIM_PLATE_PARTS: the top) does; `count` is what lanes past the end get.
static uint32_t place_of(const struct sim_plate *plate, const struct sim_plate_tree *tree, uint32_t part,
                         uint32_t unknown)
{
    if (part == SIM_PLATE_PARTS) {
        return unknown;
    }
    const struct sim_plate_range own = sim_plate_unknowns(plate, part);
    const bool inside = unknown >= own.first && unknown < own.end;
    return inside ? unknown : sim_plate_copies(plate, part) + tree->local[unknown];
}

static void lay_list(const struct sim_plate *plate, const struct sim_plate_tree *tree, uint32_t part,
                     uint32_t at, const uint32_t *unknowns, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < sim_plate_padded(count, plate->lanes); i++) {
        uint32_t unknown = i >= count ? plate->count : unknowns ? unknowns[i] : first + i;
        plate->places[at + i] = place_of(plate, tree, part, unknown) * (uint32_t)sim_plate_place(plate);
    }
}

static void lay_places(const struct sim_plate *plate, const struct sim_plate_tree *tree)
{
    for (uint32_t t = 0; t < plate->top_count; t++) {
        tree->local[plate->top[t]] = t;
    }
    tree->local[plate->count] = plate->top_count;
    for (uint32_t k = 0; k < plate->node_count; k++) {
        const struct sim_plate_node *node = &plate->nodes[k];
        uint32_t part = 0;
        while (part < plate->part_count && !(k >= plate->parts[part].first && k < plate->parts[part].end)) {
            part++;
        }
        part = part < plate->part_count ? part : SIM_PLATE_PARTS;
        lay_list(plate, tree, part, node->own, NULL, node->first, node->count);
        lay_list(plate, tree, part, node->below, tree->below + tree->below_starts[k], 0, node->below_count);
    }
}

bool sim_plate_grow(struct sim_plate *plate, const struct sim_plate_stencil *stencils, uint32_t stencil_count,
                    bool *fits)
{
    plate->tree = tree_create(plate, stencil_count);
    if (!plate->tree) {
        return false;
    }
    sort_stencils(plate, plate->tree, stencils, stencil_count);
    if (!grow_tree(plate, plate->tree, fits)) {
        return false;
    }
    if (*fits) {
        lay_places(plate, plate->tree);
    }
    const size_t bytes = plate->fine ? sizeof(double) : sizeof(float);
    return !*fits || base_grow(&plate->entries, (plate->entry_count + plate->lanes) * bytes);
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
    sim_plate_making_end(plate);
    free(plate->nodes);
    free(plate->places);
    free(plate->rows);
    free(plate->masses);
    free(plate->sums);
    free(plate->top);
    sim_plate_tree_destroy(plate->tree);
    base_grow_free(plate->entries);
    base_grow_free(plate->pushes);
    base_grow_free(plate->ways);
    *plate = (struct sim_plate){0};
}
