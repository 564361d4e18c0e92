// Nested dissection (George 1973): a set of vertices is cut in two by a plane across its longest side, and the
// vertices of one part that have neighbours in the other are eliminated last. Then the same with both parts.
//
//     order:   | left part | right part | separator |         a node: a separator, or a part of at most LEAF
//
// A cut is moved to where the coordinate changes, if that is near, so that separators of a grid are straight.
// Everything is integers, and ties go by the number of the vertex.

#include "sim/ground/ground.h"
#include "sim/plate/plate.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 32, DEPTH_MAX = 64, CUTS = 2, PARTS_FROM = 2048 };

_Static_assert(1 << CUTS == SIM_PLATE_PARTS, "each cut makes two of one");

struct dissection {
    const struct sim_graph *graph;
    const int64_t (*points)[3];
    uint32_t *set;   // vertices, in the end in their order
    uint32_t *parts; // by vertex: the part that it is in
    uint32_t next_part;
    uint64_t *keys;  // scratch
    uint32_t *spare; // scratch
    struct sim_dissection *to;
    bool failed;
};

static int longest_axis(const struct dissection *of, const uint32_t *set, uint32_t count, int64_t *least)
{
    int found = 0;
    int64_t widest = -1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t low = of->points[set[0]][axis], high = low;
        for (uint32_t i = 1; i < count; i++) {
            int64_t x = of->points[set[i]][axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > widest) {
            widest = high - low;
            found = axis;
            *least = low;
        }
    }
    return found;
}

// The sorted keys are cut next to the middle: at a change of them, if one is within an eighth of all.
static uint32_t cut_of(const uint64_t *keys, uint32_t count)
{
    const uint32_t middle = count / 2;
    for (uint32_t off = 0; off < count / 8 + 1; off++) {
        if (middle + off < count && keys[middle + off] != keys[middle + off - 1]) {
            return middle + off;
        }
        if (middle - off > 0 && keys[middle - off] != keys[middle - off - 1]) {
            return middle - off;
        }
    }
    return middle;
}

static bool touches(const struct dissection *of, uint32_t vertex, uint32_t part)
{
    const struct sim_graph *graph = of->graph;
    for (uint32_t w = graph->starts[vertex]; w < graph->starts[vertex + 1]; w++) {
        if (of->parts[graph->ways[w]] == part) {
            return true;
        }
    }
    return false;
}

static uint32_t count_touching(const struct dissection *of, const uint32_t *set, uint32_t count,
                               uint32_t part)
{
    uint32_t touching = 0;
    for (uint32_t i = 0; i < count; i++) {
        touching += touches(of, set[i], part) ? 1 : 0;
    }
    return touching;
}

static void emit(struct dissection *of, uint32_t end)
{
    of->to->ends[of->to->node_count++] = end;
}

static void dissect(struct dissection *of, uint32_t first, uint32_t count, uint32_t depth);

// One part of a cut. After so many cuts it is a part of the plate.
static void dissect_part(struct dissection *of, uint32_t first, uint32_t count, uint32_t depth)
{
    const uint32_t begin = of->to->node_count;
    dissect(of, first, count, depth);
    if (depth == CUTS && of->graph->count >= PARTS_FROM && of->to->node_count > begin) {
        of->to->parts[of->to->part_count++] = (struct sim_plate_range){begin, of->to->node_count};
    }
}

// Orders count vertices of the set from `first` on.
static void dissect(struct dissection *of, uint32_t first, uint32_t count, uint32_t depth)
{
    uint32_t *set = of->set + first;
    if (count == 0 || of->failed) {
        return;
    }
    if (count <= LEAF || depth == DEPTH_MAX) {
        emit(of, first + count);
        return;
    }
    int64_t least = 0;
    int axis = longest_axis(of, set, count, &least);
    for (uint32_t i = 0; i < count; i++) {
        of->keys[i] = (uint64_t)(of->points[set[i]][axis] - least);
    }
    if (!sim_sort(of->keys, set, count)) {
        of->failed = true;
        return;
    }
    uint32_t cut = cut_of(of->keys, count);
    uint32_t left = of->next_part++, right = of->next_part++;
    for (uint32_t i = 0; i < count; i++) {
        of->parts[set[i]] = i < cut ? left : right;
    }
    bool from_left = count_touching(of, set, cut, right) <= count_touching(of, set + cut, count - cut, left);
    // The separator goes to the end: from one of the parts, whose other vertices keep their order.
    uint32_t begin = from_left ? 0 : cut, end = from_left ? cut : count, other = from_left ? right : left;
    uint32_t kept = begin, apart = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (touches(of, set[i], other)) {
            of->spare[apart++] = set[i];
        } else {
            set[kept++] = set[i];
        }
    }
    memmove(set + kept, set + end, (count - end) * sizeof *set);
    memcpy(set + count - apart, of->spare, apart * sizeof *set);
    uint32_t left_count = from_left ? cut - apart : cut, right_count = count - apart - left_count;
    for (uint32_t i = count - apart; i < count; i++) {
        of->parts[set[i]] = UINT32_MAX; // eliminated after what is in the parts
    }
    dissect_part(of, first, left_count, depth + 1);
    dissect_part(of, first + left_count, right_count, depth + 1);
    if (apart > 0) {
        emit(of, first + count);
    }
}

// Leaves each neighbour of a vertex once. `seen` has room for each vertex. A vertex of a grid has 36 neighbours if each
// stencil counts, and 12 otherwise, and a dissection looks at all of them some 30 times.
static void graph_thin(struct sim_graph *graph, uint32_t *seen)
{
    uint32_t kept = 0, next = 0;
    memset(seen, 0xff, graph->count * sizeof *seen);
    for (uint32_t v = 0; v < graph->count; v++) {
        const uint32_t first = next;
        next = graph->starts[v + 1];
        graph->starts[v] = kept;
        seen[v] = v;
        for (uint32_t w = first; w < next; w++) {
            const uint32_t neighbour = graph->ways[w];
            if (seen[neighbour] != v) {
                seen[neighbour] = v;
                graph->ways[kept++] = neighbour;
            }
        }
    }
    graph->starts[graph->count] = kept;
}

bool sim_graph_init(struct sim_graph *graph, const struct sim_plate_stencil *stencils, uint32_t stencil_count,
                    uint32_t count)
{
    *graph = (struct sim_graph){
        .count = count,
        .starts = calloc((size_t)count + 3, sizeof *graph->starts),
        .ways = malloc((12 * (size_t)stencil_count + 1) * sizeof *graph->ways),
    };
    if (!graph->starts || !graph->ways) {
        return false;
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        for (int k = 0; k < 4; k++) {
            graph->starts[stencils[s].unknowns[k] + 2] += 3;
        }
    }
    for (uint32_t v = 0; v < count; v++) {
        graph->starts[v + 1] += graph->starts[v];
    }
    for (uint32_t s = 0; s < stencil_count; s++) {
        const uint32_t *corners = stencils[s].unknowns;
        for (int k = 0; k < 16; k++) {
            if (k / 4 != k % 4) {
                graph->ways[graph->starts[corners[k / 4] + 1]++] = corners[k % 4];
            }
        }
    }
    uint32_t *seen = malloc(((size_t)count + 1) * sizeof *seen);
    const bool good = seen != NULL;
    if (good) {
        graph_thin(graph, seen);
    }
    free(seen);
    return good;
}

bool sim_dissect(const struct sim_graph *graph, const int64_t (*points)[3], struct sim_dissection *dissection)
{
    const size_t room = (size_t)graph->count + 1;
    struct dissection of = {
        .graph = graph,
        .points = points,
        .set = dissection->order,
        .parts = calloc(room, sizeof *of.parts),
        .keys = malloc(room * sizeof *of.keys),
        .spare = malloc(room * sizeof *of.spare),
        .to = dissection,
        .next_part = 1,
    };
    for (uint32_t v = 0; v < graph->count; v++) {
        dissection->order[v] = v;
    }
    dissection->node_count = dissection->part_count = 0;
    of.failed = !of.parts || !of.keys || !of.spare;
    dissect(&of, 0, graph->count, 0);
    free(of.parts);
    free(of.keys);
    free(of.spare);
    return !of.failed;
}
