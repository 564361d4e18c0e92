// The factor of E'' by the tree of the body, and its two passes.
//
// It is that of solved bending (plate/factor.c), with three unknowns for each particle, and with the loads below all nodes:
//
//     front of a node   | own | below | loads |            each in blocks of 8, loads behind what is below
//     last front        | loads |
//
// plate_front eliminates the own unknowns of a front: L, L' of what is below them, and what the parent gets. Fronts
// stay whole, so a parent reads that of its children where it stands. The passes are
//
//     forward    b = L^-1 b, down to the loads            backward    b = L'^-1 b, from the loads up
//
// All sums have a fixed order, and lanes are rows of a block, so neither lanes nor threads change a bit.

#include "sim/bear/system.h"

enum { BLOCK = SIM_PLATE_BLOCK };

static uint32_t blocks_of(uint32_t rows)
{
    return (rows + BLOCK - 1) / BLOCK;
}

// The shape of a front; node_count of the tree: the last one.
static struct sim_plate_front front_of(const struct sim_bearing *bearing, uint32_t at, uint32_t loads)
{
    const struct sim_plate *plate = &bearing->plate;
    if (at == plate->node_count) {
        return (struct sim_plate_front){.own = blocks_of(3 * loads)};
    }
    return (struct sim_plate_front){.own = blocks_of(3 * plate->nodes[at].count),
                                    .below = blocks_of(3 * (plate->nodes[at].below_count + loads))};
}

size_t sim_bear_front_room(const struct sim_bearing *bearing, uint32_t loads, uint32_t *rows)
{
    size_t room = 0;
    uint32_t all = 0, widest = 0;
    for (uint32_t k = 0; k <= bearing->plate.node_count; k++) {
        const struct sim_plate_front front = front_of(bearing, k, loads);
        room += sim_plate_row((size_t)front.own + front.below);
        all += BLOCK * front.own;
        widest = front.own + front.below > widest ? front.own + front.below : widest;
    }
    *rows = all > BLOCK * widest ? all : BLOCK * widest;
    return room;
}

// The number of a front in a row and a column of the lower triangle.
static double *at_of(double *x, uint32_t row, uint32_t column)
{
    return x + sim_plate_row(row / BLOCK) + BLOCK * (size_t)column + row % BLOCK;
}

// Adds factor times a block, between the unknowns from `row` and those from `column` on.
static void add_block(double *x, uint32_t row, uint32_t column, double factor, const double block[3][3])
{
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < 3; j++) {
            if (row + i >= column + j) {
                *at_of(x, row + i, column + j) += factor * block[i][j];
            }
        }
    }
}

// The block between points whose unknowns begin at rows[] of the front, times c c'. Held points have no row.
static void add_stencil(double *x, const uint32_t *rows, const double *c, uint32_t count,
                        const double block[3][3])
{
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = 0; b < count; b++) {
            if (rows[a] != UINT32_MAX && rows[b] != UINT32_MAX && rows[a] >= rows[b] && c[a] * c[b] != 0) {
                add_block(x, rows[a], rows[b], c[a] * c[b], block);
            }
        }
    }
}

static uint32_t row_of(const struct sim_bear *bear, uint32_t point)
{
    return bear->masses[point] > 0 ? bear->local[point] : UINT32_MAX;
}

static void gather_terms(const struct sim_bear *bear, uint32_t at, double *x)
{
    static const double ends[2] = {1, -1};
    double block[3][3];
    uint32_t rows[4];
    for (uint32_t e = bear->bearing->edge_starts[at]; e < bear->bearing->edge_starts[at + 1]; e++) {
        const struct sim_bear_edge *edge = &bear->bearing->edges[e];
        rows[0] = row_of(bear, edge->points[0]);
        rows[1] = row_of(bear, edge->points[1]);
        sim_bear_edge_block(bear, edge, block);
        add_stencil(x, rows, ends, 2, (const double(*)[3])block);
    }
    for (uint32_t i = bear->touch_starts[at]; i < bear->touch_starts[at + 1]; i++) {
        const struct sim_bear_touch *touch = &bear->touches[bear->touch_order[i]];
        if (touch->depth > 0) {
            for (uint32_t k = 0; k < touch->count; k++) {
                rows[k] = row_of(bear, touch->points[k]);
            }
            sim_bear_touch_block(bear, touch, block);
            add_stencil(x, rows, touch->c, touch->count, (const double(*)[3])block);
        }
    }
}

// Finds where the unknowns below a child stand in the front of its parent; what fills up a block stands nowhere.
static void rows_of_child(struct sim_bear *bear, uint32_t child, uint32_t *rows)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    const uint32_t *below = plate->tree->below + plate->tree->below_starts[child],
                   count = plate->nodes[child].below_count;
    for (uint32_t i = 0; i < 3 * (count + bear->load_count); i++) {
        rows[i] = bear->local[i / 3 < count ? below[i / 3] : bear->count + (i / 3 - count)] + i % 3;
    }
}

// Adds what a child gives its parent.
static void gather_child(struct sim_bear *bear, uint32_t child, double *x)
{
    const struct sim_plate_front front = front_of(bear->bearing, child, bear->load_count);
    const uint32_t count = 3 * (bear->bearing->plate.nodes[child].below_count + bear->load_count);
    const double *from = bear->fronts + bear->front_at[child];
    uint32_t *rows = bear->child_rows;
    rows_of_child(bear, child, rows);
    for (uint32_t r = 0; r < count; r++) {
        const double *row =
            from + sim_plate_row(front.own + r / BLOCK) + (size_t)BLOCK * BLOCK * front.own + r % BLOCK;
        double *to = x + sim_plate_row(rows[r] / BLOCK) + rows[r] % BLOCK;
        for (uint32_t c = 0; c <= r; c++) {
            // Unknowns below keep their order in the parent, so the row stays the greater one.
            to[BLOCK * (size_t)rows[c]] += row[BLOCK * (size_t)c];
        }
    }
}

// Numbers the points of a node, of what is below it, and loads.
static void number(struct sim_bear *bear, uint32_t at, const struct sim_plate_front *front)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    uint32_t next = 0;
    if (at < plate->node_count) {
        const struct sim_plate_node *node = &plate->nodes[at];
        for (uint32_t i = 0; i < node->count; i++) {
            bear->local[node->first + i] = 3 * i;
        }
        next = BLOCK * front->own;
        for (uint32_t i = 0; i < node->below_count; i++, next += 3) {
            bear->local[plate->tree->below[plate->tree->below_starts[at] + i]] = next;
        }
    }
    for (uint32_t l = 0; l < bear->load_count; l++) {
        bear->local[bear->count + l] = next + 3 * l;
    }
}

// Puts the mass over h^2 of own points on the diagonal, and 1 where nothing moves.
static void masses_put(const struct sim_bear *bear, uint32_t first, uint32_t count,
                       const struct sim_plate_front *front, double *x)
{
    const double inv_h = (double)bear->sim->settings.tick_rate * bear->sim->settings.substeps;
    for (uint32_t i = 0; i < BLOCK * front->own; i++) {
        const double mass = i / 3 < count ? bear->masses[first + i / 3] : 0;
        *at_of(x, i, i) = mass > 0 ? mass * (inv_h * inv_h) : 1;
    }
}

static bool factor_node(struct sim_bear *bear, uint32_t at)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    const bool last = at == plate->node_count;
    struct sim_plate_front front = front_of(bear->bearing, at, bear->load_count);
    const size_t blocks = (size_t)front.own + front.below;
    front.x = bear->fronts + bear->front_at[at];
    memset(front.x, 0, sim_plate_row(blocks) * sizeof *front.x);
    number(bear, at, &front);
    masses_put(bear, last ? bear->count : plate->nodes[at].first,
               last ? bear->load_count : plate->nodes[at].count, &front, front.x);
    if (!last) {
        gather_terms(bear, at, front.x);
        for (uint32_t child = plate->tree->first_child[at]; child != SIM_PLATE_NONE;
             child = plate->tree->sibling[child]) {
            gather_child(bear, child, front.x);
        }
    } else {
        for (uint32_t root = 0; root < plate->node_count; root++) {
            if (plate->nodes[root].below_count == 0) {
                gather_child(bear, root, front.x);
            }
        }
    }
    bool good = true;
    for (size_t step = 0; good && step < blocks; step++) {
        good = bear->sim->kernels->plate_front(&front, step);
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------- passes

// The rows of a front below its own ones, in a vector by point.
static void spread_take(struct sim_bear *bear, uint32_t at, const struct sim_plate_front *front, bool back)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    const uint32_t count = at < plate->node_count ? plate->nodes[at].below_count : 0,
                   *below =
                       at < plate->node_count ? plate->tree->below + plate->tree->below_starts[at] : NULL;
    for (uint32_t i = 0; i < BLOCK * front->below; i++) {
        bear->spread[i] = 0;
    }
    for (uint32_t i = 0; back && i < 3 * (count + bear->load_count); i++) {
        bear->spread[i] = bear->step[i / 3 < count ? below[i / 3] : bear->count + (i / 3 - count)][i % 3];
    }
}

static void spread_give(struct sim_bear *bear, uint32_t at)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    const uint32_t count = plate->nodes[at].below_count,
                   *below = plate->tree->below + plate->tree->below_starts[at];
    for (uint32_t i = 0; i < 3 * (count + bear->load_count); i++) {
        bear->step[i / 3 < count ? below[i / 3] : bear->count + (i / 3 - count)][i % 3] += bear->spread[i];
    }
}

// a -= columns of a block row times b.
static void take(double a[BLOCK], const double *row, const double *b, uint32_t columns)
{
    double sums[BLOCK];
    memcpy(sums, a, sizeof sums);
    for (uint32_t c = 0; c < columns; c++) {
        for (int i = 0; i < BLOCK; i++) {
            sums[i] -= row[BLOCK * (size_t)c + (size_t)i] * b[c];
        }
    }
    memcpy(a, sums, sizeof sums);
}

// b of columns -= a block row, transposed, times a.
static void take_back(double *b, const double *row, const double a[BLOCK], uint32_t columns)
{
    for (uint32_t c = 0; c < columns; c++) {
        double products[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            products[i] = row[BLOCK * (size_t)c + (size_t)i] * a[i];
        }
        b[c] -= ((products[0] + products[4]) + (products[2] + products[6])) +
                ((products[1] + products[5]) + (products[3] + products[7]));
    }
}

static void own_of(struct sim_bear *bear, uint32_t at, uint32_t *first, uint32_t *count)
{
    const struct sim_plate *plate = &bear->bearing->plate;
    const bool last = at == plate->node_count;
    *first = last ? bear->count : plate->nodes[at].first;
    *count = last ? bear->load_count : plate->nodes[at].count;
}

static void forward(struct sim_bear *bear, uint32_t at)
{
    const struct sim_plate_front front = front_of(bear->bearing, at, bear->load_count);
    const double *x = bear->fronts + bear->front_at[at];
    double *b = bear->vector + bear->vector_at[at];
    uint32_t first, count;
    own_of(bear, at, &first, &count);
    for (uint32_t i = 0; i < BLOCK * front.own; i++) {
        b[i] = i < 3 * count ? bear->step[first + i / 3][i % 3] : 0;
    }
    for (uint32_t r = 0; r < front.own; r++) {
        const double *row = x + sim_plate_row(r), *triangle = row + (size_t)BLOCK * BLOCK * r;
        double *own = b + (size_t)BLOCK * r;
        take(own, row, b, BLOCK * r);
        for (int j = 0; j < BLOCK; j++) {
            own[j] /= triangle[BLOCK * j + j];
            for (int i = j + 1; i < BLOCK; i++) {
                own[i] -= triangle[BLOCK * j + i] * own[j];
            }
        }
    }
    spread_take(bear, at, &front, false);
    for (uint32_t r = 0; r < front.below; r++) {
        take(bear->spread + (size_t)BLOCK * r, x + sim_plate_row(front.own + r), b, BLOCK * front.own);
    }
    if (front.below > 0) {
        spread_give(bear, at);
    }
}

static void backward(struct sim_bear *bear, uint32_t at)
{
    const struct sim_plate_front front = front_of(bear->bearing, at, bear->load_count);
    const double *x = bear->fronts + bear->front_at[at];
    double *b = bear->vector + bear->vector_at[at];
    uint32_t first, count;
    spread_take(bear, at, &front, true);
    for (uint32_t r = 0; r < front.below; r++) {
        take_back(b, x + sim_plate_row(front.own + r), bear->spread + (size_t)BLOCK * r, BLOCK * front.own);
    }
    for (uint32_t r = front.own; r-- > 0;) {
        const double *row = x + sim_plate_row(r), *triangle = row + (size_t)BLOCK * BLOCK * r;
        double *own = b + (size_t)BLOCK * r;
        for (int j = BLOCK; j-- > 0;) {
            for (int i = j + 1; i < BLOCK; i++) {
                own[j] -= triangle[BLOCK * j + i] * own[i];
            }
            own[j] /= triangle[BLOCK * j + j];
        }
        take_back(b, row, own, BLOCK * r);
    }
    own_of(bear, at, &first, &count);
    for (uint32_t i = 0; i < 3 * count; i++) {
        bear->step[first + i / 3][i % 3] = b[i];
    }
}

bool sim_bear_factor(struct sim_bear *bear)
{
    const uint32_t last = bear->bearing->plate.node_count, end = last + (bear->load_count > 0);
    size_t room = 0, rows = 0;
    bool good = true;
    for (uint32_t k = 0; k < end; k++) {
        const struct sim_plate_front front = front_of(bear->bearing, k, bear->load_count);
        bear->front_at[k] = room;
        bear->vector_at[k] = rows;
        room += sim_plate_row((size_t)front.own + front.below);
        rows += (size_t)BLOCK * front.own;
    }
    for (uint32_t k = 0; good && k < end; k++) {
        good = factor_node(bear, k);
    }
    return good;
}

void sim_bear_step(struct sim_bear *bear)
{
    const uint32_t last = bear->bearing->plate.node_count, end = last + (bear->load_count > 0);
    for (uint32_t p = 0; p < bear->count + bear->load_count; p++) {
        for (int axis = 0; axis < 3; axis++) {
            bear->step[p][axis] = bear->masses[p] > 0 ? 0 - bear->slope[p][axis] : 0;
        }
    }
    for (uint32_t k = 0; k < end; k++) {
        forward(bear, k);
    }
    for (uint32_t k = end; k-- > 0;) {
        backward(bear, k);
    }
}
