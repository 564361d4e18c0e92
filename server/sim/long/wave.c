// Ways over the rest surface from one particle to all others, by a wave that goes from the nearest to the farthest.
//
// A wave reaches corner C of a triangle either along an edge, or through the side AB opposite. For the second, the
// triangle is laid into a plane and the ways to A and B say where the source S would be in it, on the other side of AB:
//
//              C                  way(C) = |SC| if that line passes between A and B
//            /   \                S is where circles about A and B meet, of radii way(A) and way(B)
//          A ----- B              In a flat surface S is the source itself, so ways are exact whatever the mesh; on a
//            \   /                bent one the triangles are unfolded one after the other, and the error is that of
//              S                  taking two ways that lead to A and B for straight lines from one point: on a sphere of
//                                 radius R ways are short by a part of d (1/d - cot d) e/8 for edges e R, 0.25 % at d = 1
//                                 radius and e = 0.05.
//
// A way only ever gets shorter, and a particle whose way got shorter sends the wave out again. This mends what obtuse
// triangles bring out of order. A side is passed once both its ends have sent the wave out, by the one that does so last.
// Longer ways to A and B never give a shorter one to C, so an end whose way is not final yet does no harm.
//
// Most of the time goes into passing sides. What does not depend on ways stands in the fan, so that a side costs one square
// root and no division, and squares are compared where lengths would do. Only + - * / and square roots, in a fixed order.

#include "sim/long/long.h"

#include "base/array.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

enum { VISITS_MAX = 32 }; // of a particle

#define SHORTER (1 - 1e-9) // a way that is shorter by less is not
#define CELL 2.0           // mean edges

static uint32_t cell_of(const struct sim_cells *cells, double x, int axis)
{
    uint32_t count = axis == 0 ? cells->columns : cells->rows;
    double at = (x - cells->low[axis]) * cells->inverse;
    uint32_t cell = at > 0 ? (at < (double)count ? (uint32_t)at : count - 1) : 0;
    return cell < count ? cell : count - 1;
}

static uint32_t cell_at(const struct sim_cells *cells, const double place[2])
{
    return cell_of(cells, place[1], 1) * cells->columns + cell_of(cells, place[0], 0);
}

static bool joined(const struct sim_metric *metric, uint32_t particle)
{
    return metric->way_starts[particle + 1] > metric->way_starts[particle];
}

// Finds the size of the cells: as wide as CELL mean edges, but no more of them than particles.
static void size_cells(struct sim_cells *cells, const struct sim_metric *metric)
{
    double high[2] = {-SIM_WAY_NONE, -SIM_WAY_NONE};
    cells->low[0] = cells->low[1] = SIM_WAY_NONE;
    for (uint32_t i = 0; i < metric->count; i++) {
        for (int axis = 0; joined(metric, i) && axis < 2; axis++) {
            double x = metric->places[i][axis];
            cells->low[axis] = x < cells->low[axis] ? x : cells->low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    }
    double size = CELL * metric->edge;
    double columns, rows;
    do {
        columns = (high[0] - cells->low[0]) / size + 1;
        rows = (high[1] - cells->low[1]) / size + 1;
        cells->inverse = 1 / size;
        size *= 2;
    } while (columns * rows > (double)metric->count + 1);
    cells->columns = (uint32_t)columns;
    cells->rows = (uint32_t)rows;
}

static bool make_cells(struct sim_cells *cells, const struct sim_metric *metric)
{
    size_cells(cells, metric);
    size_t count = (size_t)cells->columns * cells->rows;
    cells->starts = calloc(count + 2, sizeof *cells->starts);
    cells->particles = malloc(((size_t)metric->count + 1) * sizeof *cells->particles);
    if (!cells->starts || !cells->particles) {
        return false;
    }
    for (uint32_t i = 0; i < metric->count; i++) {
        cells->starts[joined(metric, i) ? cell_at(cells, metric->places[i]) + 2 : 0]++;
    }
    cells->starts[0] = 0;
    for (size_t c = 0; c < count; c++) {
        cells->starts[c + 2] += cells->starts[c + 1];
    }
    for (uint32_t i = 0; i < metric->count; i++) {
        if (joined(metric, i)) {
            cells->particles[cells->starts[cell_at(cells, metric->places[i]) + 1]++] = i;
        }
    }
    return true;
}

bool sim_wave_init(struct sim_wave *wave, const struct sim_metric *metric)
{
    size_t count = (size_t)metric->count + 1;
    *wave = (struct sim_wave){
        .metric = metric,
        .ways = malloc(count * sizeof *wave->ways),
        .visits = calloc(count, sizeof *wave->visits),
        .settled = calloc(count, sizeof *wave->settled),
        .reached = malloc(count * sizeof *wave->reached),
    };
    if (!wave->ways || !wave->visits || !wave->settled || !wave->reached ||
        (metric->places && !make_cells(&wave->cells, metric))) {
        sim_wave_deinit(wave);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        wave->ways[i] = SIM_WAY_NONE;
    }
    return true;
}

void sim_wave_deinit(struct sim_wave *wave)
{
    free(wave->ways);
    free(wave->visits);
    free(wave->settled);
    free(wave->reached);
    free(wave->heap);
    free(wave->cells.starts);
    free(wave->cells.particles);
    *wave = (struct sim_wave){0};
}

static bool push(struct sim_wave *wave, uint32_t particle, double way)
{
    if (wave->heap_count == wave->heap_capacity &&
        !array_reserve(&wave->heap, &wave->heap_capacity, (uint64_t)wave->heap_count + 1)) {
        return false;
    }
    struct sim_crest *heap = wave->heap;
    uint32_t at = wave->heap_count++;
    for (; at > 0 && way < heap[(at - 1) / 2].way; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = (struct sim_crest){.way = way, .particle = particle};
    return true;
}

static struct sim_crest pop(struct sim_wave *wave)
{
    struct sim_crest *heap = wave->heap, first = heap[0], last = heap[--wave->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < wave->heap_count; at = child) {
        child += child + 1 < wave->heap_count && heap[child + 1].way < heap[child].way ? 1 : 0;
        if (!(heap[child].way < last.way)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

// The particle is reached on a way that is shorter than the one known.
static bool reach(struct sim_wave *wave, uint32_t particle, double way)
{
    if (wave->visits[particle] >= VISITS_MAX) {
        return true;
    }
    if (wave->ways[particle] == SIM_WAY_NONE) {
        wave->reached[wave->reached_count++] = particle;
    }
    wave->ways[particle] = way;
    wave->settled[particle] = 0;
    return push(wave, particle, way);
}

// A side AB as it looks from A, and C: the lengths of AB and AC, 1/AB, and the products of AB and AC as vectors.
struct side {
    double ab, ac, inverse, dot, cross;
};

// The square of the way to C through the side, where ways a and b lead to its ends; SIM_WAY_NONE: the line does not pass
// it, or is not shorter than `known`.
static double square_through(const struct side *side, double a, double b, double known)
{
    double cx = side->dot * side->inverse, a2 = a * a;
    double sx = 0.5 * side->inverse * (a2 - b * b + side->ab * side->ab), sy2 = a2 - sx * sx;
    double least = side->ac * side->ac + a2 - 2 * cx * sx; // of a source on the line AB
    if (!(sy2 >= 0 && least < known * known)) {
        return SIM_WAY_NONE;
    }
    double cy = side->cross * side->inverse, sy = __builtin_sqrt(sy2), crossing = sx * cy + cx * sy;
    if (!(crossing >= 0 && crossing <= side->ab * (cy + sy))) {
        return SIM_WAY_NONE;
    }
    double x = cx - sx, y = cy + sy;
    return x * x + y * y;
}

// Reaches C through the side, if that is the shortest way so far.
static bool pass(struct sim_wave *wave, const struct side *side, double a, double b, uint32_t c,
                 double farthest)
{
    double most = wave->ways[c] * SHORTER;
    most = most < farthest ? most : farthest;
    double square = square_through(side, a, b, most);
    return !(square < most * most) || reach(wave, c, __builtin_sqrt(square));
}

static bool spread(struct sim_wave *wave, uint32_t from, double farthest)
{
    const struct sim_metric *metric = wave->metric;
    const double way = wave->ways[from];
    for (uint32_t f = metric->fan_starts[from]; f < metric->fan_starts[from + 1]; f++) {
        const struct sim_fan *fan = &metric->fans[f];
        const struct side to_a = {fan->to_a, fan->to_b, fan->inverse_a, fan->dot, fan->cross};
        const struct side to_b = {fan->to_b, fan->to_a, fan->inverse_b, fan->dot, fan->cross};
        if (wave->settled[fan->a] && !pass(wave, &to_a, way, wave->ways[fan->a], fan->b, farthest)) {
            return false;
        }
        if (wave->settled[fan->b] && !pass(wave, &to_b, way, wave->ways[fan->b], fan->a, farthest)) {
            return false;
        }
    }
    for (uint32_t w = metric->way_starts[from]; w < metric->way_starts[from + 1]; w++) {
        double on = way + metric->ways[w].length;
        uint32_t to = metric->ways[w].to;
        if (on <= farthest && on < wave->ways[to] * SHORTER && !reach(wave, to, on)) {
            return false;
        }
    }
    return true;
}

// Straight lines to all that are not farther.
static void run_straight(struct sim_wave *wave, uint32_t from, double farthest)
{
    const struct sim_cells *cells = &wave->cells;
    const double *place = wave->metric->places[from], most = farthest * farthest;
    uint32_t left = cell_of(cells, place[0] - farthest, 0), right = cell_of(cells, place[0] + farthest, 0);
    uint32_t low = cell_of(cells, place[1] - farthest, 1), high = cell_of(cells, place[1] + farthest, 1);
    for (uint32_t row = low; row <= high; row++) {
        const uint32_t *starts = cells->starts + (size_t)row * cells->columns;
        for (uint32_t p = starts[left]; p < starts[right + 1]; p++) {
            uint32_t particle = cells->particles[p];
            double x = wave->metric->places[particle][0] - place[0],
                   y = wave->metric->places[particle][1] - place[1];
            double square = x * x + y * y;
            if (square <= most) {
                wave->ways[particle] = __builtin_sqrt(square);
                wave->reached[wave->reached_count++] = particle;
            }
        }
    }
}

bool sim_wave_run(struct sim_wave *wave, uint32_t from, double farthest)
{
    for (uint32_t r = 0; r < wave->reached_count; r++) {
        wave->ways[wave->reached[r]] = SIM_WAY_NONE;
        wave->visits[wave->reached[r]] = wave->settled[wave->reached[r]] = 0;
    }
    wave->reached_count = wave->heap_count = 0;
    if (wave->metric->places) {
        run_straight(wave, from, farthest);
        return true;
    }
    bool good = reach(wave, from, 0);
    while (good && wave->heap_count > 0) {
        struct sim_crest crest = pop(wave);
        if (!wave->settled[crest.particle] &&
            crest.way == wave->ways[crest.particle]) { // else it has gone before
            wave->visits[crest.particle]++;
            wave->settled[crest.particle] = 1;
            good = spread(wave, crest.particle, farthest);
        }
    }
    return good;
}
