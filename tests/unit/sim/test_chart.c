// The statements of a chart about a bent, stretched and crumpled surface are true: while rows are in the boxes of their tubes,
// features that share no row are as far apart as it says, and none cross. Flat surfaces are cleared as a whole.
#include "helper_pairs.h"
#include "helper_scene.h"

#include "sim/contact/chart.h"
#include "sim/contact/exact.h"
#include "sim/contact/meet.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 8, SAMPLES = 8 };
#else
enum { ROUNDS = 32, SAMPLES = 60 };
#endif
enum { SIDE = 24, PARTICLES = SIDE * SIDE, EDGE_QUANTA = 100000 };

static uint64_t seed;

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

// ------------------------------------------------------------------------------------------------------ surfaces

enum shape {
    FLAT,
    TURNED, // in its plane, and a little uneven
    SLIT,   // from one side to the middle
    HOLED,  // in the middle
    SADDLE, // bent at rest as well
    DOUBLE, // two in the same place
    SHAPES, // the rest has no chart
    ROLLED = SHAPES,
    TWISTED, // triangles the other way round
    ALL_SHAPES
};

struct surface {
    double rest[PARTICLES][3];
    uint32_t triangles[2 * PARTICLES][3], triangle_count;
    struct sim *sim;
    struct sim_body *body;
    struct sim_row *rows;
    struct sim_reach *reaches;
};

static void place(enum shape shape, double row, double column, double x[3])
{
    const double edge = 0.01, turn = 0.3;
    double u = (column - SIDE / 2.0) * edge, v = (row - SIDE / 2.0) * edge;
    x[0] = u, x[1] = 0, x[2] = v;
    if (shape == TURNED) {
        x[0] = u * cos(turn) - v * sin(turn) + between(-0.3, 0.3) * edge;
        x[2] = u * sin(turn) + v * cos(turn) + between(-0.3, 0.3) * edge;
    } else if (shape == SADDLE) {
        x[1] = 2 * (u * u - v * v);
    } else if (shape == DOUBLE && row >= SIDE / 2) {
        x[1] = 0.002, x[2] -= SIDE / 2 * edge;
    } else if (shape == ROLLED) {
        x[0] = 0.05 * cos(u * 30);
        x[1] = 0.05 * sin(u * 30);
    }
}

static bool is_cut(enum shape shape, int row, int column)
{
    return (shape == DOUBLE && row == SIDE / 2 - 1) ||
           (shape == SLIT && column == SIDE / 2 && row > SIDE / 2) ||
           (shape == HOLED && row == SIDE / 2 && abs(column - SIDE / 2) < 4);
}

static void surface_make(struct surface *surface, enum shape shape)
{
    memset(surface, 0, sizeof *surface);
    for (uint32_t i = 0; i < PARTICLES; i++) {
        place(shape, i / SIDE, i % SIDE, surface->rest[i]);
    }
    for (uint32_t i = 0; i + SIDE < PARTICLES; i++) {
        if (i % SIDE == SIDE - 1 || is_cut(shape, (int)(i / SIDE), (int)(i % SIDE))) {
            continue;
        }
        const uint32_t both[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}},
                       other[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE + 1, i + SIDE}};
        memcpy(surface->triangles[surface->triangle_count], shape == TWISTED ? other : both, sizeof both);
        surface->triangle_count += 2;
    }
    const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                       .particle_count = PARTICLES,
                                       .positions = surface->rest[0],
                                       .triangles = surface->triangles[0],
                                       .triangle_count = surface->triangle_count,
                                       .density = 0.2,
                                       .thickness = 0.001,
                                       .meeting = {.self = true, .friction = 0.3}};
    surface->sim = scene_create(scene_settings());
    scene_add(surface->sim, &desc);
    surface->body = surface->sim->bodies[0];
    surface->rows = calloc(PARTICLES + 1, sizeof *surface->rows);
    surface->reaches = calloc(PARTICLES + 1, sizeof *surface->reaches);
    assert_true(surface->rows != NULL && surface->reaches != NULL);
}

static void surface_free(struct surface *surface)
{
    free(surface->rows);
    free(surface->reaches);
    sim_destroy(surface->sim);
}

// Across a line, everything that lies beyond it comes back, a little above.
struct fold {
    double u, v, from;
};

static void fold_over(const struct fold *fold, double x[3])
{
    double beyond = x[0] * fold->u + x[2] * fold->v - fold->from;
    if (beyond > 0) {
        x[0] -= 2 * beyond * fold->u;
        x[1] += fmin(beyond, 0.0002);
        x[2] -= 2 * beyond * fold->v;
    }
}

// The sides of the slit come together, and both sheets.
static void parts_join(enum shape shape, uint32_t i, double x[3])
{
    x[1] = shape == DOUBLE ? 0 : x[1];
    if (shape == SLIT && i % SIDE > SIDE / 2 && i / SIDE > SIDE / 2) {
        x[0] -= 0.0098 * fmin(1, (i / SIDE - SIDE / 2) / 4.0);
    }
}

// Waves of any length and height, from flat to crumpled, somewhere where coordinates wrap, and boxes of some size.
static void surface_move(struct surface *surface, enum shape shape, double rough, double loose, bool folded)
{
    double waves[3][4], heights[3];
    for (int i = 0; i < 3; i++) {
        heights[i] = between(0, rough) * EDGE_QUANTA;
        for (int k = 0; k < 4; k++) {
            waves[i][k] = between(-0.6, 0.6);
        }
    }
    double wide = between(0.7, 1.3), turn = between(0, 6.3);
    const struct fold fold = {cos(turn), sin(turn), between(-0.1, 0.1)};
    for (uint32_t i = 0; i < PARTICLES; i++) {
        uint32_t row = surface->body->row_of[i];
        double at[3];
        memcpy(at, surface->rest[i], sizeof at);
        parts_join(shape, i, at);
        if (folded) {
            fold_over(&fold, at);
        }
        for (int axis = 0; axis < 3; axis++) {
            double u = surface->rest[i][0] * 100, v = surface->rest[i][2] * 100;
            double x = at[axis] * 100 * EDGE_QUANTA * wide + 2147483640;
            x += heights[axis] * sin(waves[axis][0] * u + waves[axis][1] * v + waves[axis][2]);
            x += between(-0.02, 0.02) * rough * EDGE_QUANTA;
            surface->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)(int64_t)x;
            surface->reaches[row].least[axis] = -(float)floor(between(0, loose) * EDGE_QUANTA);
            surface->reaches[row].most[axis] = (float)floor(between(0, loose) * EDGE_QUANTA);
        }
    }
}

// -------------------------------------------------------------------------------------------------------- looking

// Corners of an element of a leaf, somewhere in their boxes.
static void rows_take(const struct surface *surface, const uint32_t *from, uint32_t count, bool moving,
                      struct sim_row *rows)
{
    for (uint32_t k = 0; k < count; k++) {
        rows[k] = surface->rows[from[k]];
        for (int axis = 0; moving && axis < 3; axis++) {
            const struct sim_reach *reach = &surface->reaches[from[k]];
            float by = scene_uniform(&seed) < 0.5 ? reach->least[axis] : reach->most[axis];
            rows[k].x[axis] = sim_wrap_add(rows[k].x[axis], (int32_t)by);
        }
    }
}

static bool share(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    bool any = false;
    for (uint32_t i = 0; i < a_count * b_count; i++) {
        any |= a[i % a_count] == b[i / a_count];
    }
    return any;
}

// Corner k of one with the other, side k of one with all sides of the other.
static void elements_look(const struct surface *surface, const uint32_t a[3], const uint32_t b[3],
                          const struct sim_chart_limit *limit)
{
    for (uint32_t k = 0; k < 3; k++) {
        struct sim_row rows[5];
        const uint32_t side[2] = {a[k], a[(k + 1) % 3]};
        if (!limit->moving) {
            rows_take(surface, side, 2, false, rows);
            rows_take(surface, b, 3, false, rows + 2);
            int32_t x[5][3];
            for (int i = 0; i < 5; i++) {
                memcpy(x[i], rows[i].x, sizeof x[i]);
            }
            assert_true(share(side, 2, b, 3) ||
                        !sim_edge_crosses((const int32_t(*)[3])x, (const int32_t(*)[3])(x + 2)));
            continue;
        }
        if (!share(&a[k], 1, b, 3)) {
            rows_take(surface, &a[k], 1, true, rows);
            rows_take(surface, b, 3, true, rows + 1);
            assert_true(pairs_distance(SIM_PAIR_VT, rows) > (double)limit->reach);
        }
        for (uint32_t m = 0; m < 3; m++) {
            const uint32_t other[2] = {b[m], b[(m + 1) % 3]};
            if (!share(side, 2, other, 2)) {
                rows_take(surface, side, 2, true, rows);
                rows_take(surface, other, 2, true, rows + 2);
                assert_true(pairs_distance(SIM_PAIR_EE, rows) > (double)limit->reach);
            }
        }
    }
}

// Some of the elements of the leaves from a on with some of those from b on: near ones in the order of elements, mostly.
static void leaves_look(const struct surface *surface, const uint32_t first[2], uint32_t count,
                        const struct sim_chart_limit *limit)
{
    const struct sim_features *features = surface->body->features;
    for (uint32_t sample = 0; sample < SAMPLES; sample++) {
        uint32_t i = (uint32_t)between(0, count * SIM_LANES), k = (uint32_t)between(0, count * SIM_LANES);
        k = first[0] == first[1] && sample % 2 == 0 ? i + (uint32_t)between(0, 40) : k;
        i += first[0] * SIM_LANES;
        k += first[1] * SIM_LANES;
        if (i != k && i < features->count && k < features->count) {
            elements_look(surface, features->corners[i], features->corners[k], limit);
            elements_look(surface, features->corners[k], features->corners[i], limit);
        }
    }
}

struct cleared {
    uint32_t nodes, pairs, of_nodes, of_pairs;
    bool root;
};

static void look(const struct surface *surface, const struct sim_chart_limit *limit, struct cleared *cleared)
{
    const struct sim_features *features = surface->body->features;
    const uint32_t leaves = features->leaf_count;
    for (uint32_t node = 1; node < 2 * leaves; node++) {
        cleared->of_nodes++;
        uint32_t first = node, count = 1;
        for (; first < leaves; first *= 2) {
            count *= 2;
        }
        if (sim_chart_clears_node(features, node, limit)) {
            cleared->nodes++;
            cleared->root |= node == 1;
            leaves_look(surface, (const uint32_t[2]){first - leaves, first - leaves}, count, limit);
        }
    }
    for (uint32_t a = 0; a < leaves; a++) {
        for (uint32_t b = a + 1; b < leaves; b++) {
            cleared->of_pairs++;
            if (sim_chart_clears_leaves(features, a, b, limit)) {
                cleared->pairs++;
                leaves_look(surface, (const uint32_t[2]){a, b}, 1, limit);
            }
        }
    }
}

static void refit(const struct surface *surface)
{
    struct sim_features *features = surface->body->features;
    const size_t size = 2 * features->leaf_count * sizeof *features->chart->spreads;
    struct sim_spread *first = malloc(size);
    assert_non_null(first);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        memset(features->chart->spreads, 0, size);
        // Leaves from the last to the first one, as threads may take them.
        for (uint32_t leaf = features->leaf_count; leaf-- > 0;) {
            sim_chart_refit_of((enum sim_isa)isa)(features, leaf, leaf + 1, surface->rows, surface->reaches,
                                                  true);
        }
        sim_chart_gather(features, true);
        if (isa == SIM_ISA_SCALAR) {
            memcpy(first, features->chart->spreads, size);
        }
        for (uint32_t node = 1; node < 2 * features->leaf_count; node++) {
            for (int i = 0; i < 6; i++) {
                assert_true(first[node].least[i] == features->chart->spreads[node].least[i]);
                assert_true(first[node].most[i] == features->chart->spreads[node].most[i]);
            }
        }
    }
    free(first);
}

// --------------------------------------------------------------------------------------------------------- tests

static void what_is_cleared_keeps_apart(void **state)
{
    (void)state;
    static struct surface surface;
    static const double roughs[] = {0, 0.5, 2, 8};
    seed = 5;
    for (int shape = 0; shape < SHAPES; shape++) {
        struct cleared cleared[4] = {{0}};
        surface_make(&surface, (enum shape)shape);
        assert_non_null(surface.body->features->chart);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            const uint32_t rough = round % 4;
            surface_move(&surface, (enum shape)shape, roughs[rough], round % 3 == 0 ? 0.01 : between(0, 0.2),
                         round % 8 > 4);
            refit(&surface);
            const struct sim_chart_limit crossings = {0, false},
                                         pairs = {(float)between(0, 0.8) * EDGE_QUANTA, true};
            look(&surface, round % 2 == 0 ? &crossings : &pairs, &cleared[rough]);
            look(&surface, round % 2 == 0 ? &pairs : &crossings, &cleared[rough]);
        }
        print_message("shape %d: nodes %u %u %u %u of %u, pairs %u %u %u %u\n", shape, cleared[0].nodes,
                      cleared[1].nodes, cleared[2].nodes, cleared[3].nodes, cleared[0].of_nodes,
                      cleared[0].pairs, cleared[1].pairs, cleared[2].pairs, cleared[3].pairs);
        // Sheets that are not bent are looked at as one, and much of what is; not those with a border within.
        assert_true(cleared[0].root == (shape == FLAT));
        assert_true((shape == DOUBLE) == (cleared[0].pairs == 0));
        assert_true(cleared[3].nodes <= cleared[0].nodes / 10);
        surface_free(&surface);
    }
}

static void what_folds_at_rest_has_no_chart(void **state)
{
    (void)state;
    static struct surface surface;
    for (int shape = SHAPES; shape < ALL_SHAPES; shape++) {
        surface_make(&surface, (enum shape)shape);
        assert_null(surface.body->features->chart);
        surface_free(&surface);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_cleared_keeps_apart),
                                       cmocka_unit_test(what_folds_at_rest_has_no_chart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
