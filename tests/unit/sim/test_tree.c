// The tree over what bodies are made of finds the features whose boxes overlap and that share no particle: all of them,
// each once, as every one of them tested against every other one does. On soups that no mesh is like, with every
// instruction set.
#include "helper_scene.h"

#include "sim/contact/features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 150, TRIANGLES = 260, ELEMENTS = TRIANGLES + ROWS, EDGES = 3 * TRIANGLES };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SOUPS = 6 };
#else
enum { SOUPS = 60 };
#endif

// A body without physics, and its features by the numbers that are used here.
struct soup {
    struct sim_body body;
    uint32_t row_of[ROWS], surface[3 * TRIANGLES], edge_ends[2 * TRIANGLES];
    struct sim_features *features;
    _Alignas(16) struct sim_reach boxes[ROWS];
    uint8_t dirty[ROWS];
    bool all_dirty;
    uint32_t edges[EDGES][2], edge_count;
    uint32_t edge_of[ROWS][ROWS];
};

// How often each two were found.
struct found {
    uint8_t vertices[2][ROWS][ELEMENTS]; // a vertex of this side with an element of the other one
    uint8_t edges[EDGES][EDGES];         // of the first side, of the second; within one soup the lesser first
    uint8_t crosses[2][EDGES][ELEMENTS];
    uint64_t order; // a hash of what came, as it came
};

struct visit {
    const struct sim_tree_kernels *kernels;
    struct soup *soups[2];
    bool only_moved, crossings;
    struct found *found;
};

static struct soup one, other;
static struct found found, expected;
static uint64_t seed;

static uint32_t below(uint32_t count)
{
    return (uint32_t)((scene_random(&seed) >> 32) * count >> 32);
}

// ---------------------------------------------------------------------------------------------------- making

// A point, or wide; on whole numbers, so that many only touch.
static struct sim_reach any_box(uint32_t spread)
{
    struct sim_reach box = {{0}, {0}};
    const uint32_t wide = below(12) == 0 ? spread : 2;
    for (int axis = 0; axis < 3; axis++) {
        box.least[axis] = (float)below(spread) - (float)spread / 2;
        box.most[axis] = box.least[axis] + (float)below(wide);
    }
    return box;
}

static void edge_number(struct soup *soup, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (low != high && soup->edge_of[low][high] == UINT32_MAX) {
        soup->edge_of[low][high] = soup->edge_of[high][low] = soup->edge_count;
        soup->edges[soup->edge_count][0] = low;
        soup->edges[soup->edge_count++][1] = high;
    }
}

// Triangles among near rows, and some among any; else edges alone, or points.
static void make(struct soup *soup, uint32_t spread)
{
    const uint32_t rows = 4 + below(ROWS - 3), shape = below(8);
    const uint32_t triangles = shape < 6 ? 1 + below(TRIANGLES) : 0,
                   edges = shape == 6 ? below(TRIANGLES) : 0;
    sim_features_destroy(soup->features);
    *soup = (struct soup){.body = {.kind = shape == 6   ? SIM_ROPE
                                           : shape == 7 ? SIM_POINTS
                                                        : SIM_CLOTH,
                                   .count = rows,
                                   .row_of = soup->row_of,
                                   .surface = soup->surface,
                                   .surface_count = triangles,
                                   .edges = soup->edge_ends,
                                   .edge_count = edges}};
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t at = below(i + 1); // in any order
        soup->row_of[i] = soup->row_of[at];
        soup->row_of[at] = i;
        soup->boxes[i] = any_box(spread);
    }
    for (uint32_t t = 0; t < triangles + edges; t++) {
        uint32_t a = below(rows), near = below(5) > 0 ? 4 : rows, b = 0, c = 0;
        do {
            b = (a + 1 + below(near - 1)) % rows;
            c = (a + 1 + below(near - 1)) % rows;
        } while (b == c || b == a || c == a);
        if (t < triangles) {
            memcpy(soup->surface + 3 * (size_t)t, (const uint32_t[3]){a, b, c}, 3 * sizeof a);
        } else {
            memcpy(soup->edge_ends + 2 * (size_t)(t - triangles), (const uint32_t[2]){a, b}, 2 * sizeof a);
        }
    }
    memset(soup->edge_of, 0xff, sizeof soup->edge_of);
    soup->features = sim_features_make(&soup->body, false);
    assert_non_null(soup->features);
    for (uint32_t e = 0; e < soup->features->count; e++) {
        for (int k = 0; k < 3; k++) {
            edge_number(soup, soup->features->corners[e][k], soup->features->corners[e][(k + 1) % 3]);
        }
    }
}

static int by_rows(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

static void corners_sort(uint32_t corners[3])
{
    for (int i = 0; i < 3; i++) {
        int k = i % 2;
        if (corners[k] > corners[k + 1]) {
            uint32_t first = corners[k];
            corners[k] = corners[k + 1];
            corners[k + 1] = first;
        }
    }
}

// Every triangle that was given is an element, and particles that none has are.
static void elements_are_what_was_given(const struct soup *soup)
{
    static uint32_t given[ELEMENTS][3], kept[ELEMENTS][3];
    uint8_t used[ROWS] = {0}, owned[ROWS] = {0};
    uint32_t count = 0, triangles = 0;
    for (uint32_t t = 0; t < soup->body.surface_count; t++, count++) {
        for (int k = 0; k < 3; k++) {
            given[count][k] = soup->row_of[soup->surface[3 * (size_t)t + (uint32_t)k]];
            used[given[count][k]] = 1;
        }
        corners_sort(given[count]);
    }
    for (uint32_t e = 0; e < soup->features->count; e++) {
        if ((soup->features->owns[e] & SIM_ELEMENT_TRIANGLE) != 0) {
            memcpy(kept[triangles], soup->features->corners[e], sizeof kept[0]);
            corners_sort(kept[triangles++]);
        }
        for (int k = 0; k < 3; k++) {
            uint8_t *of = &owned[soup->features->corners[e][k]];
            *of = (uint8_t)(*of + (soup->features->owns[e] >> k & 1));
        }
    }
    assert_int_equal(triangles, count);
    qsort(given, count, sizeof given[0], by_rows);
    qsort(kept, count, sizeof kept[0], by_rows);
    assert_memory_equal(given, kept, count * sizeof kept[0]);
    for (uint32_t row = 0; row < soup->body.count; row++) {
        assert_int_equal(owned[row], 1);
        assert_true(soup->body.surface_count == 0 || used[row] == 1 || soup->body.kind != SIM_SOFT);
    }
}

// -------------------------------------------------------------------------------------------------- everyone

static struct sim_reach around(const struct soup *soup, const uint32_t *rows, uint32_t count)
{
    struct sim_reach box = soup->boxes[rows[0]];
    for (uint32_t i = 1; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const struct sim_reach *more = &soup->boxes[rows[i]];
            box.least[axis] = more->least[axis] < box.least[axis] ? more->least[axis] : box.least[axis];
            box.most[axis] = more->most[axis] > box.most[axis] ? more->most[axis] : box.most[axis];
        }
    }
    return box;
}

static bool is_dirty(const struct soup *soup, const uint32_t *rows, uint32_t count)
{
    bool any = soup->all_dirty;
    for (uint32_t i = 0; i < count; i++) {
        any |= soup->dirty[rows[i]] != 0;
    }
    return any;
}

struct feature {
    const struct soup *soup;
    const uint32_t *rows;
    uint32_t count;
};

// Neighbours within one body, which never collide.
static bool shares_a_row(const struct feature *a, const struct feature *b)
{
    bool shared = false;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            shared |= a->soup == b->soup && a->rows[i] == b->rows[k];
        }
    }
    return shared;
}

static bool meets(const struct feature *a, const struct feature *b, bool only_moved)
{
    if (shares_a_row(a, b)) {
        return false;
    }
    struct sim_reach x = around(a->soup, a->rows, a->count), y = around(b->soup, b->rows, b->count);
    for (int axis = 0; axis < 3; axis++) {
        if (x.least[axis] > y.most[axis] || y.least[axis] > x.most[axis]) {
            return false;
        }
    }
    return !only_moved || is_dirty(a->soup, a->rows, a->count) || is_dirty(b->soup, b->rows, b->count);
}

static void expect(const struct visit *visit)
{
    const bool same = visit->soups[0] == visit->soups[1];
    memset(&expected, 0, sizeof expected);
    for (int side = 0; side < (same ? 1 : 2); side++) {
        const struct soup *a = visit->soups[side], *b = visit->soups[1 - side];
        for (uint32_t e = 0; e < b->features->count; e++) {
            const struct feature element = {b, b->features->corners[e], 3};
            for (uint32_t v = 0; !visit->crossings && v < a->body.count; v++) {
                const struct feature vertex = {a, &v, 1};
                expected.vertices[side][v][e] = meets(&vertex, &element, visit->only_moved);
            }
            for (uint32_t i = 0; visit->crossings && i < a->edge_count; i++) {
                const struct feature edge = {a, a->edges[i], 2};
                expected.crosses[side][i][e] = meets(&edge, &element, visit->only_moved);
            }
        }
    }
    for (uint32_t i = 0; !visit->crossings && i < visit->soups[0]->edge_count; i++) {
        const struct feature edge = {visit->soups[0], visit->soups[0]->edges[i], 2};
        for (uint32_t k = same ? i + 1 : 0; k < visit->soups[1]->edge_count; k++) {
            const struct feature with = {visit->soups[1], visit->soups[1]->edges[k], 2};
            expected.edges[i][k] = meets(&edge, &with, visit->only_moved);
        }
    }
}

// -------------------------------------------------------------------------------------------------- the tree

static uint32_t edge_at(const struct soup *soup, uint32_t block, uint32_t lane)
{
    uint32_t a = soup->features->edges[block][0][lane], b = soup->features->edges[block][1][lane];
    assert_true(a < soup->body.count && b < soup->body.count);
    assert_true(soup->edge_of[a][b] < soup->edge_count);
    return soup->edge_of[a][b];
}

static void hit_take(const struct visit *visit, const struct sim_hit *hit, uint32_t lane)
{
    const bool same = visit->soups[0] == visit->soups[1];
    const bool of_element = hit->kind == SIM_HIT_ELEMENT || hit->kind == SIM_HIT_ELEMENT_BACK;
    const int side = hit->kind == SIM_HIT_VERTEX_BACK || hit->kind == SIM_HIT_CROSS_BACK ||
                     hit->kind == SIM_HIT_ELEMENT_BACK;
    const struct soup *of = visit->soups[side];
    if (hit->kind == SIM_HIT_EDGE || hit->kind == SIM_HIT_EDGE_BACK) {
        const int back = hit->kind == SIM_HIT_EDGE_BACK;
        uint32_t a = edge_at(visit->soups[back], hit->block, hit->lane),
                 b = edge_at(visit->soups[1 - back], hit->other, lane);
        bool turned = same ? b < a : back;
        visit->found->edges[turned ? b : a][turned ? a : b]++;
        return;
    }
    uint32_t element = of_element ? hit->block * SIM_LANES + hit->lane : hit->other * SIM_LANES + lane;
    assert_true(element < visit->soups[1 - side]->features->count);
    if (hit->kind == SIM_HIT_VERTEX || hit->kind == SIM_HIT_VERTEX_BACK || of_element) {
        uint32_t vertex = of_element ? of->features->vertices[hit->other][lane]
                                     : of->features->vertices[hit->block][hit->lane];
        assert_true(vertex < of->body.count);
        visit->found->vertices[same ? 0 : side][vertex][element]++;
    } else {
        visit->found->crosses[same ? 0 : side][edge_at(of, hit->block, hit->lane)][element]++;
    }
}

static void leaves_meet(void *context, uint32_t a, uint32_t b)
{
    static struct sim_hit hits[SIM_HITS_MAX];
    const struct visit *visit = context;
    const struct sim_features *first = visit->soups[0]->features, *second = visit->soups[1]->features;
    uint32_t count = visit->crossings ? visit->kernels->cross(first, a, second, b, hits)
                                      : visit->kernels->meet(first, a, second, b, visit->only_moved, hits);
    assert_true(count <= SIM_HITS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if ((hits[i].lanes >> lane & 1) != 0) {
                hit_take(visit, &hits[i], lane);
            }
        }
        visit->found->order =
            (visit->found->order ^ (hits[i].kind + 8 * hits[i].block)) * 0x9e3779b97f4a7c15u;
        visit->found->order =
            (visit->found->order ^ (hits[i].lane + 16 * hits[i].other)) * 0x9e3779b97f4a7c15u;
        visit->found->order = (visit->found->order ^ hits[i].lanes) * 0x9e3779b97f4a7c15u;
    }
}

static void soup_refit(const struct visit *visit, struct soup *soup)
{
    const uint32_t leaves = soup->features->leaf_count;
    for (uint32_t leaf = leaves; leaf-- > 0;) { // from the last to the first one, as threads may take them
        visit->kernels->refit(soup->features, leaf, leaf + 1, soup->boxes,
                              soup->all_dirty ? NULL : soup->dirty, soup->all_dirty);
    }
    visit->kernels->gather(soup->features);
}

// Both soups as they are, or one with itself. Returns how many overlap.
static uint64_t compare(struct soup *a, struct soup *b, bool only_moved, bool crossings)
{
    uint64_t order = 0, count = 0;
    struct visit visit = {.soups = {a, b}, .only_moved = only_moved, .crossings = crossings, .found = &found};
    expect(&visit);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        visit.kernels = sim_tree_kernels_of((enum sim_isa)isa);
        memset(&found, 0, sizeof found);
        soup_refit(&visit, a);
        if (a != b) {
            soup_refit(&visit, b);
        }
        sim_tree_walk(a->features, 1, b->features, 1, only_moved, NULL, leaves_meet, &visit);
        order = isa == 0 ? found.order : order;
        assert_int_equal(found.order, order);
        found.order = 0;
        assert_memory_equal(&found, &expected, sizeof found);
    }
    for (size_t i = 0; i < offsetof(struct found, order); i++) {
        count += ((const uint8_t *)&expected)[i];
    }
    return count;
}

// Some rows go elsewhere.
static void stir(struct soup *soup, uint32_t spread)
{
    const uint32_t share = 1 + below(40);
    soup->all_dirty = false;
    for (uint32_t row = 0; row < soup->body.count; row++) {
        soup->dirty[row] = below(share) == 0;
        if (soup->dirty[row] != 0) {
            soup->boxes[row] = any_box(spread);
        }
    }
}

static void each_two_that_overlap_are_found_once(void **state)
{
    (void)state;
    static const uint32_t spreads[] = {6, 40, 1000, 1U << 24};
    uint64_t all = 0, moved = 0, crossings = 0;
    for (uint32_t s = 0; s < SOUPS; s++) {
        const uint32_t spread = spreads[s % 4];
        seed = 40 + s;
        make(&one, spread);
        make(&other, spread);
        elements_are_what_was_given(&one);
        one.all_dirty = other.all_dirty = true;
        all += compare(&one, &one, false, false) + compare(&one, &other, false, false);
        crossings += compare(&one, &one, false, true) + compare(&one, &other, false, true);
        for (int turn = 0; turn < 3; turn++) {
            stir(&one, spread);
            stir(&other, spread);
            // Twice of one state: what a refit finds moved does not depend on the one before.
            moved += compare(&one, &one, true, false) + compare(&one, &other, true, false);
            all += compare(&one, &other, false, false);
        }
    }
    sim_features_destroy(one.features);
    sim_features_destroy(other.features);
    one.features = other.features = NULL;
    assert_true(all > 1000000 * (SOUPS / 60) && moved > 10000 && crossings > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_two_that_overlap_are_found_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
