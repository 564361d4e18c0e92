// The factor of M + h^2 Q: block elimination along the tree of the dissection (multifrontal, Duff and Reid 1983).
//
// A node gathers what stencils and children add to its unknowns and to those below it in a dense front:
//
//     front   | A11     |      A11 = L L'          S = A11^-1
//             | A21 A22 |      V = A21 A11^-1      A22 - V A21' goes to the parent, which holds the first unknown below
//
// Everything is computed in double and in a fixed order (kernels/plate_front.c). A node's numbers follow from its own
// stencils and masses and from its children alone. So if some masses change, nodes that they do not reach keep theirs.

#include "sim/plate/factor.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = SIM_PLATE_BLOCK };

static uint32_t blocks_of(uint32_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

void sim_plate_works_deinit(struct sim_plate_works *works)
{
    base_grow_free(works->front.x);
    base_grow_free(works->front.inverse);
    base_grow_free(works->front.square);
    free(works->local);
    free(works->rows);
    free(works->diagonal);
}

bool sim_plate_works_init(struct sim_plate_works *works, struct sim_plate *plate,
                          const struct sim_kernels *kernels, const bool *asked, struct sim_plate_range nodes)
{
    size_t own = 0, all = 0;
    for (uint32_t k = nodes.first; k < nodes.end; k++) {
        const size_t n = blocks_of(plate->nodes[k].count), m = blocks_of(plate->nodes[k].below_count);
        own = (!asked || asked[k]) && n > own ? n : own;
        all = (!asked || asked[k]) && n + m > all ? n + m : all;
    }
    *works = (struct sim_plate_works){
        .plate = plate,
        .tree = plate->tree,
        .kernels = kernels,
        .asked = asked,
        .nodes = nodes,
        .local = malloc(((size_t)plate->count + 1) * sizeof *works->local),
        .rows = malloc((all + 1) * BLOCK * sizeof *works->rows),
        .diagonal = malloc((own + 1) * BLOCK * sizeof *works->diagonal),
        .definite = true,
    };
    const size_t square = (own * own * BLOCK * BLOCK + 1) * sizeof(double);
    works->good = works->local && works->rows && works->diagonal &&
                  base_grow((void **)&works->front.x, (sim_plate_row(all) + 1) * sizeof(double)) &&
                  base_grow((void **)&works->front.inverse, square) &&
                  base_grow((void **)&works->front.square, square);
    return works->good;
}

// The number of a front in a row and a column of the lower triangle.
static double *at_of(const struct sim_plate_front *front, uint32_t row, uint32_t column)
{
    return front->x + sim_plate_row(row / BLOCK) + BLOCK * (size_t)column + row % BLOCK;
}

static void gather_stencils(const struct sim_plate_works *works, uint32_t at)
{
    const struct sim_plate_tree *tree = works->tree;
    const double *masses = works->plate->masses;
    for (uint32_t s = tree->starts[at]; s < tree->starts[at + 1]; s++) {
        const struct sim_plate_stencil *stencil = &tree->stencils[s];
        for (int k = 0; k < 16; k++) {
            uint32_t a = stencil->unknowns[k / 4], b = stencil->unknowns[k % 4];
            uint32_t row = works->local[a], column = works->local[b];
            if (row >= column && masses[a] > 0 && masses[b] > 0) {
                *at_of(&works->front, row, column) +=
                    stencil->weight * (stencil->weights[k / 4] * stencil->weights[k % 4]);
            }
        }
    }
}

// Adds what a child gives its parent.
static void gather_child(struct sim_plate_works *works, uint32_t child)
{
    const struct sim_plate_tree *tree = works->tree;
    const uint32_t *unknowns = tree->below + tree->below_starts[child];
    const uint32_t count = works->plate->nodes[child].below_count;
    const double *update = tree->updates[child];
    for (uint32_t r = 0; r < count; r++) {
        works->rows[r] = (size_t)(at_of(&works->front, works->local[unknowns[r]], 0) - works->front.x);
    }
    for (uint32_t first = 0; first < count; first += BLOCK) {
        const double *from = update + sim_plate_row(first / BLOCK);
        const uint32_t end = first + BLOCK < count ? first + BLOCK : count;
        for (uint32_t c = 0; c < end; c++) {
            double *column = works->front.x + BLOCK * (size_t)works->local[unknowns[c]];
            for (uint32_t r = c > first ? c : first; r < end; r++) {
                column[works->rows[r]] += from[BLOCK * (size_t)c + r - first];
            }
        }
    }
}

static void gather(struct sim_plate_works *works, uint32_t at)
{
    const struct sim_plate *plate = works->plate;
    struct sim_plate_tree *tree = works->tree;
    const struct sim_plate_node *node = &plate->nodes[at];
    struct sim_plate_front *front = &works->front;
    front->own = blocks_of(node->count);
    front->below = blocks_of(node->below_count);
    memset(front->x, 0, sim_plate_row((size_t)front->own + front->below) * sizeof *front->x);
    for (uint32_t i = 0; i < BLOCK * front->own; i++) {
        const double mass = i < node->count ? plate->masses[node->first + i] : 0;
        *at_of(front, i, i) = mass > 0 ? mass : 1;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        works->local[node->first + i] = i;
    }
    for (uint32_t i = 0; i < node->below_count; i++) {
        works->local[tree->below[tree->below_starts[at] + i]] = BLOCK * front->own + i;
    }
    gather_stencils(works, at);
    for (uint32_t child = tree->first_child[at]; child != SIM_PLATE_NONE; child = tree->sibling[child]) {
        gather_child(works, child);
        if (tree->first_child[child] == SIM_PLATE_NONE) { // a leaf
            free(tree->updates[child]);
            tree->updates[child] = NULL;
        }
    }
}

// Keeps what the parent gets. False without memory.
static bool keep_update(struct sim_plate_works *works, uint32_t at)
{
    const struct sim_plate_front *front = &works->front;
    double **update = &works->tree->updates[at];
    if (!*update) {
        *update = malloc((sim_plate_row(front->below) + 1) * sizeof **update);
    }
    for (size_t r = 0; *update && r < front->below; r++) {
        memcpy(*update + sim_plate_row(r),
               front->x + sim_plate_row(front->own + r) + (size_t)BLOCK * BLOCK * front->own,
               (r + 1) * BLOCK * BLOCK * sizeof **update);
    }
    return *update;
}

// ---------------------------------------------------------------------------------------------------- panels

// Writes numbers side by side; returns where the next one goes.
static size_t put(const struct sim_plate *plate, size_t to, const double *numbers, uint32_t count)
{
    if (plate->fine) {
        memcpy((double *)plate->entries + to, numbers, count * sizeof *numbers);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            ((float *)plate->entries)[to + i] = (float)numbers[i];
        }
    }
    return to + count;
}

// The panel of the first pass: V.
static void lay_forward(const struct sim_plate *plate, const struct sim_plate_node *node,
                        const struct sim_plate_front *front)
{
    const double drop = plate->fine ? SIM_PLATE_DROP_FINE : SIM_PLATE_DROP;
    double numbers[SIM_LANES];
    size_t to = node->forward;
    for (uint32_t block = 0; block < node->below_count; block += plate->lanes) {
        const uint32_t width = sim_plate_width(node->below_count, block, plate->lanes);
        for (uint32_t k = 0; k < node->count; k++) {
            for (uint32_t r = 0; r < width; r += BLOCK) {
                const double *from = at_of(front, BLOCK * front->own + block + r, k);
                for (uint32_t i = 0; i < BLOCK && r + i < width; i++) {
                    numbers[r + i] = __builtin_fabs(from[i]) < drop ? 0 : 0 - from[i];
                }
            }
            to = put(plate, to, numbers, width);
        }
    }
}

// The panel of the second pass: S, and then -V'.
static void lay_backward(const struct sim_plate_works *works, const struct sim_plate_node *node)
{
    const struct sim_plate *plate = works->plate;
    const struct sim_plate_front *front = &works->front;
    const double drop = plate->fine ? SIM_PLATE_DROP_FINE : SIM_PLATE_DROP;
    const size_t own = BLOCK * (size_t)front->own;
    double numbers[SIM_LANES];
    size_t to = node->backward;
    for (size_t j = 0; j < node->count; j++) {
        works->diagonal[j] = 0 - front->square[j % BLOCK + BLOCK * (j / BLOCK * own + j)];
    }
    for (uint32_t block = 0; block < node->count; block += plate->lanes) {
        const uint32_t width = sim_plate_width(node->count, block, plate->lanes);
        for (uint32_t k = 0; k < node->count; k++) {
            const double least = drop * drop * works->diagonal[k];
            for (uint32_t i = 0; i < width; i++) {
                const size_t j = block + i, row = j > k ? j : k, column = j > k ? k : j;
                const double s = 0 - front->square[row % BLOCK + BLOCK * (row / BLOCK * own + column)];
                numbers[i] = s * s < least * works->diagonal[j] ? 0 : s;
            }
            to = put(plate, to, numbers, width);
        }
        for (uint32_t r = 0; r < node->below_count; r++) {
            const double *from = at_of(front, BLOCK * front->own + r, block);
            for (uint32_t i = 0; i < width; i++) {
                const double v = from[BLOCK * (size_t)i];
                numbers[i] = __builtin_fabs(v) < drop ? 0 : v;
            }
            to = put(plate, to, numbers, width);
        }
    }
}

// ----------------------------------------------------------------------------------------------------- nodes

size_t sim_plate_node_begins(struct sim_plate_works *works, uint32_t at)
{
    gather(works, at);
    return sim_plate_steps(&works->front);
}

void sim_plate_node_ends(struct sim_plate_works *works, uint32_t at)
{
    const struct sim_plate_node *node = &works->plate->nodes[at];
    lay_forward(works->plate, node, &works->front);
    lay_backward(works, node);
    works->good = keep_update(works, at);
}

static void factor_node(struct sim_plate_works *works, uint32_t at)
{
    const size_t steps = sim_plate_node_begins(works, at);
    for (size_t step = 0; works->definite && step < steps; step++) {
        works->definite = works->kernels->plate_front(&works->front, step);
    }
    if (works->definite) {
        sim_plate_node_ends(works, at);
    }
}

static void factor_task(void *context, uint32_t index)
{
    struct sim_plate_works *works = (struct sim_plate_works *)context + index;
    for (uint32_t k = works->nodes.first; works->good && works->definite && k < works->nodes.end; k++) {
        if (works->asked[k]) {
            factor_node(works, k);
        }
    }
}

// Nodes of the parts side by side, and then those of the top.
static bool factor_nodes(struct sim_plate *plate, const struct sim_kernels *kernels, bool *asked,
                         struct base_parallel *parallel, bool *definite)
{
    struct sim_plate_works works[SIM_PLATE_PARTS + 1];
    uint32_t count = 0;
    bool good = true;
    while (count < plate->part_count && good) {
        good = sim_plate_works_init(&works[count], plate, kernels, asked, plate->parts[count]);
        count++;
    }
    if (good && parallel && count > 1) {
        parallel->run(parallel, count, factor_task, works);
    }
    for (uint32_t part = 0; part < count; part++) {
        if (good && !(parallel && count > 1)) {
            factor_task(works, part);
        }
        good = good && works[part].good;
        *definite = *definite && works[part].definite;
        sim_plate_works_deinit(&works[part]);
        memset(asked + plate->parts[part].first, 0, plate->parts[part].end - plate->parts[part].first);
    }
    if (good && *definite) {
        if (sim_plate_works_init(&works[0], plate, kernels, asked,
                                 (struct sim_plate_range){0, plate->node_count})) {
            factor_task(works, 0);
        }
        good = works[0].good;
        *definite = works[0].definite;
        sim_plate_works_deinit(&works[0]);
    }
    return good;
}

// Which nodes are computed: those that hold what has changed, and those above. NULL: all. So are leaves next to them.
static void ask(const struct sim_plate *plate, const bool *changed, bool *asked)
{
    const struct sim_plate_tree *tree = plate->tree;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const struct sim_plate_node *node = &plate->nodes[k];
        asked[k] = !changed || memchr(changed + node->first, true, node->count);
        for (uint32_t s = tree->starts[k]; !asked[k] && s < tree->starts[k + 1]; s++) {
            const uint32_t *of = tree->stencils[s].unknowns;
            asked[k] = changed[of[0]] || changed[of[1]] || changed[of[2]] || changed[of[3]];
        }
        for (uint32_t child = tree->first_child[k]; child != SIM_PLATE_NONE; child = tree->sibling[child]) {
            asked[k] = asked[k] || asked[child];
        }
        for (uint32_t child = tree->first_child[k]; child != SIM_PLATE_NONE; child = tree->sibling[child]) {
            asked[child] = asked[child] || (asked[k] && tree->first_child[child] == SIM_PLATE_NONE);
        }
    }
}

bool sim_plate_factor(struct sim_plate *plate, const struct sim_kernels *kernels, const bool *changed,
                      struct base_parallel *parallel)
{
    bool definite = true, *asked = malloc((size_t)plate->node_count + 1), good = asked;
    if (good) {
        ask(plate, changed, asked);
        good = factor_nodes(plate, kernels, asked, parallel, &definite);
    }
    plate->made = good && definite;
    free(asked);
    return good;
}
