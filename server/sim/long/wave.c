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
// triangles bring out of order. Only + - * / and square roots, and ties go to the lower particle.

#include "sim/long/long.h"

#include "base/array.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

enum { VISITS_MAX = 32 }; // of a particle

#define SHORTER (1 - 1e-9) // a way that is shorter by less is not

bool sim_wave_init(struct sim_wave *wave, const struct sim_metric *metric)
{
    size_t count = (size_t)metric->count + 1;
    *wave = (struct sim_wave){
        .metric = metric,
        .ways = malloc(count * sizeof *wave->ways),
        .visits = calloc(count, sizeof *wave->visits),
        .reached = malloc(count * sizeof *wave->reached),
    };
    if (!wave->ways || !wave->visits || !wave->reached) {
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
    free(wave->reached);
    free(wave->heap);
    *wave = (struct sim_wave){0};
}

static bool before(struct sim_crest a, struct sim_crest b)
{
    return a.way < b.way || (a.way == b.way && a.particle < b.particle);
}

static bool push(struct sim_wave *wave, uint32_t particle, double way)
{
    if (!array_reserve(&wave->heap, &wave->heap_capacity, (uint64_t)wave->heap_count + 1)) {
        return false;
    }
    struct sim_crest crest = {.way = way, .particle = particle};
    uint32_t at = wave->heap_count++;
    for (; at > 0 && before(crest, wave->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        wave->heap[at] = wave->heap[(at - 1) / 2];
    }
    wave->heap[at] = crest;
    return true;
}

static struct sim_crest pop(struct sim_wave *wave)
{
    struct sim_crest *heap = wave->heap, first = heap[0], last = heap[--wave->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < wave->heap_count; at = child) {
        child += child + 1 < wave->heap_count && before(heap[child + 1], heap[child]) ? 1 : 0;
        if (!before(heap[child], last)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

// The particle is reached on a way, if no shorter one is known.
static bool reach(struct sim_wave *wave, uint32_t particle, double way, double farthest)
{
    double known = wave->ways[particle];
    if (!(way <= farthest && way < known * SHORTER) || wave->visits[particle] >= VISITS_MAX) {
        return true;
    }
    if (known == SIM_WAY_NONE) {
        wave->reached[wave->reached_count++] = particle;
    }
    wave->ways[particle] = way;
    return push(wave, particle, way);
}

// The way to C through the side between A and B, of lengths ab, ac and bc, where ways a and b lead.
static double way_through(double a, double b, double ab, double ac, double bc)
{
    double cx = (ac * ac + ab * ab - bc * bc) / (2 * ab), cy2 = ac * ac - cx * cx;
    double sx = (a * a + ab * ab - b * b) / (2 * ab), sy2 = a * a - sx * sx;
    if (!(cy2 > 0 && sy2 >= 0)) {
        return SIM_WAY_NONE;
    }
    double cy = __builtin_sqrt(cy2), sy = __builtin_sqrt(sy2);
    double crossing = (sx * cy + cx * sy) / (cy + sy);
    if (!(crossing >= 0 && crossing <= ab)) {
        return SIM_WAY_NONE;
    }
    double x = cx - sx, y = cy + sy;
    return __builtin_sqrt(x * x + y * y);
}

static bool spread(struct sim_wave *wave, uint32_t from, double farthest)
{
    const struct sim_metric *metric = wave->metric;
    const double way = wave->ways[from];
    for (uint32_t w = metric->way_starts[from]; w < metric->way_starts[from + 1]; w++) {
        if (!reach(wave, metric->ways[w].to, way + metric->ways[w].length, farthest)) {
            return false;
        }
    }
    for (uint32_t f = metric->fan_starts[from]; f < metric->fan_starts[from + 1]; f++) {
        const struct sim_fan *fan = &metric->fans[f];
        double to_a = wave->ways[fan->a], to_b = wave->ways[fan->b];
        if (to_a < SIM_WAY_NONE &&
            !reach(wave, fan->b, way_through(way, to_a, fan->to_a, fan->to_b, fan->across), farthest)) {
            return false;
        }
        if (to_b < SIM_WAY_NONE &&
            !reach(wave, fan->a, way_through(way, to_b, fan->to_b, fan->to_a, fan->across), farthest)) {
            return false;
        }
    }
    return true;
}

bool sim_wave_run(struct sim_wave *wave, uint32_t from, double farthest)
{
    for (uint32_t r = 0; r < wave->reached_count; r++) {
        wave->ways[wave->reached[r]] = SIM_WAY_NONE;
        wave->visits[wave->reached[r]] = 0;
    }
    wave->reached_count = wave->heap_count = 0;
    bool good = reach(wave, from, 0, farthest);
    while (good && wave->heap_count > 0) {
        struct sim_crest crest = pop(wave);
        if (crest.way == wave->ways[crest.particle]) { // else a shorter one has gone before
            wave->visits[crest.particle]++;
            good = spread(wave, crest.particle, farthest);
        }
    }
    return good;
}
