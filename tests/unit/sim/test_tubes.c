// Tubes: pairs that are not listed stay apart, whatever the slack of tubes is, and in impacts above all, where rows that are
// held back leave their paths.
#include "helper_count.h"
#include "helper_pairs.h"
#include "helper_sheet.h"

#include "sim/contact/meet.h"
#include "sim/contact/tube.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { EDGES_MAX = 1024, PAIRS_MAX = 1 << 18 };

static const float slacks[] = {0.03f, 0.3f, 1, 4};
enum { SLACKS = sizeof slacks / sizeof slacks[0] };

// --------------------------------------------------------------------------------------------------- features

// A feature and the body that has it.
struct feature {
    const struct sim_body *body;
    uint32_t rows[3];
};

struct soup {
    struct feature triangles[EDGES_MAX], edges[EDGES_MAX], vertices[EDGES_MAX];
    uint32_t triangle_count, edge_count, vertex_count;
};

static void features_list(const struct sim *sim, struct soup *soup)
{
    soup->triangle_count = soup->edge_count = soup->vertex_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        const struct sim_features *features = body->features;
        for (uint32_t e = 0; e < features->count; e++) {
            struct feature *to = &soup->triangles[soup->triangle_count++];
            to->body = body;
            for (int k = 0; k < 3; k++) {
                to->rows[k] = body->first_row + features->corners[e][k];
            }
        }
        for (uint32_t at = 0; at < features->edge_first[features->leaf_count] * SIM_LANES; at++) {
            const uint32_t *ends[2] = {features->edges[at / SIM_LANES][0],
                                       features->edges[at / SIM_LANES][1]};
            if (ends[0][at % SIM_LANES] != SIM_NO_FEATURE) {
                soup->edges[soup->edge_count++] = (struct feature){
                    body,
                    {body->first_row + ends[0][at % SIM_LANES], body->first_row + ends[1][at % SIM_LANES]}};
            }
        }
        for (uint32_t i = 0; i < body->count; i++) {
            soup->vertices[soup->vertex_count++] = (struct feature){body, {body->first_row + i}};
        }
    }
    assert_true(soup->triangle_count < EDGES_MAX && soup->edge_count < EDGES_MAX);
}

// -------------------------------------------------------------------------------------------------------- keys

// Four rows in an order that says which feature they make up, not how it was found.
static uint64_t key_of(enum sim_pair_kind kind, const uint32_t rows[4])
{
    uint64_t sorted[4] = {rows[0], rows[1], rows[2], rows[3]};
#define SORT(a, b)                                                    \
    do {                                                              \
        uint64_t low = sorted[a] < sorted[b] ? sorted[a] : sorted[b]; \
        sorted[b] = sorted[a] < sorted[b] ? sorted[b] : sorted[a];    \
        sorted[a] = low;                                              \
    } while (false)
    if (kind == SIM_PAIR_VT) {
        SORT(1, 2);
        SORT(2, 3);
        SORT(1, 2);
    } else {
        SORT(0, 1);
        SORT(2, 3);
        if (sorted[0] > sorted[2] || (sorted[0] == sorted[2] && sorted[1] > sorted[3])) {
            SORT(0, 2);
            uint64_t end = sorted[1];
            sorted[1] = sorted[3];
            sorted[3] = end;
        }
    }
#undef SORT
    return sorted[0] << 48 | sorted[1] << 32 | sorted[2] << 16 | sorted[3];
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t list_take(const struct sim_pair_list *list, enum sim_pair_kind kind, uint64_t *keys,
                          uint32_t count)
{
    for (uint32_t pair = 0; pair < list->count; pair++) {
        if (!sim_pair_is_hole(list, pair)) {
            uint32_t rows[4];
            for (uint32_t k = 0; k < 4; k++) {
                rows[k] = sim_pair_row(list, pair, k);
            }
            assert_true(count < PAIRS_MAX);
            keys[count++] = key_of(kind, rows);
        }
    }
    return count;
}

static uint32_t keys_take(const struct sim_meet *meet, enum sim_pair_kind kind, uint64_t *keys)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        count = list_take(&meet->islands[i].lists[kind], kind, keys, count);
    }
    qsort(keys, count, sizeof *keys, by_key);
    for (uint32_t i = 1; i < count; i++) {
        assert_true(keys[i] != keys[i - 1]); // each pair once
    }
    return count;
}

// ------------------------------------------------------------------------------------------------- brute force

struct watch {
    struct sim *sim;
    struct soup soup;
    uint64_t keys[PAIRS_MAX];
    uint32_t key_count;
    uint64_t close[SIM_PAIR_KINDS], checks;
};

static bool boxes_are_near(const struct sim_row *x, const struct feature *a, uint32_t a_count,
                           const struct feature *b, uint32_t b_count, int32_t reach)
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t least[2] = {INT32_MAX, INT32_MAX}, most[2] = {INT32_MIN, INT32_MIN};
        for (uint32_t i = 0; i < a_count + b_count; i++) {
            const int side = i >= a_count;
            int32_t at = x[side ? b->rows[i - a_count] : a->rows[i]].x[axis];
            least[side] = at < least[side] ? at : least[side];
            most[side] = at > most[side] ? at : most[side];
        }
        if (least[0] - most[1] > reach || least[1] - most[0] > reach) {
            return false;
        }
    }
    return true;
}

// Fails if two features are closer than they are kept and not listed.
static void pair_look(struct watch *watch, enum sim_pair_kind kind, const struct feature *a,
                      const struct feature *b)
{
    const uint32_t a_count = kind == SIM_PAIR_VT ? 1 : 2;
    const double inv_q = watch->sim->inv_q, reach = (a->body->thickness + b->body->thickness) * inv_q;
    struct sim_row x[4], rest[4];
    uint32_t rows[4];
    bool free = false;
    for (uint32_t k = 0; k < 4; k++) {
        rows[k] = k < a_count ? a->rows[k] : b->rows[k - a_count];
        x[k] = watch->sim->rows[rows[k]];
        rest[k] = watch->sim->meet->rest[rows[k]];
        free |= x[k].w > 0;
        for (uint32_t i = 0; i < k; i++) {
            if (rows[i] == rows[k]) {
                return;
            }
        }
    }
    if (!free || !sim_bodies_meet(a->body, b->body) ||
        !boxes_are_near(watch->sim->rows, a, a_count, b, 4 - a_count, (int32_t)reach)) {
        return;
    }
    const double kept = a->body == b->body ? 0.999 * pairs_distance(kind, rest) : reach;
    if (pairs_distance(kind, x) < 0.9999 * (kept < reach ? kept : reach) - 2) {
        const uint64_t key = key_of(kind, rows);
        watch->close[kind]++;
        if (!bsearch(&key, watch->keys, watch->key_count, sizeof key, by_key)) {
            fail_msg("%s %u %u %u %u of substep %u is not listed", kind == SIM_PAIR_VT ? "VT" : "EE", rows[0],
                     rows[1], rows[2], rows[3], watch->sim->substep);
        }
    }
}

static void every_pair_is_listed(struct watch *watch)
{
    const struct soup *soup = &watch->soup;
    features_list(watch->sim, &watch->soup);
    watch->key_count = keys_take(watch->sim->meet, SIM_PAIR_VT, watch->keys);
    for (uint32_t v = 0; v < soup->vertex_count; v++) {
        for (uint32_t t = 0; t < soup->triangle_count; t++) {
            pair_look(watch, SIM_PAIR_VT, &soup->vertices[v], &soup->triangles[t]);
        }
    }
    watch->key_count = keys_take(watch->sim->meet, SIM_PAIR_EE, watch->keys);
    for (uint32_t a = 0; a < soup->edge_count; a++) {
        for (uint32_t b = a + 1; b < soup->edge_count; b++) {
            pair_look(watch, SIM_PAIR_EE, &soup->edges[a], &soup->edges[b]);
        }
    }
    watch->checks++;
}

// When a substep ends, whatever was held back in it.
static void rows_are_in_their_tubes(const struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        const int32_t *since = meet->islands[meet->members[m].island].since;
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            assert_false(sim_tube_is_left(meet, row, sim->rows[row].x, since));
        }
    }
}

static void part_ends(void *context, enum sim_meeting_part part)
{
    struct watch *watch = context;
    if (part == SIM_MEET_HOLD) {
        rows_are_in_their_tubes(watch->sim);
    }
    if ((part == SIM_MEET_FIND || part == SIM_MEET_HOLD) && watch->sim->substep % 4 == 0) {
        every_pair_is_listed(watch);
    }
}

// Runs, and counts after each tick.
static void watched_run(struct watch *watch, uint32_t ticks)
{
    const struct sim_hooks hooks = {.context = watch, .on_meeting = part_ends};
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failure;
        struct sim_meetings told;
        sim_step(watch->sim, NULL, &hooks, &failure);
        assert_false(failure.failed);
        assert_int_equal(sim_crossings(watch->sim), 0);
        sim_meetings_of(watch->sim, &told);
        assert_int_equal(told.dropped, 0);
    }
}

// ------------------------------------------------------------------------------------------------------- tests

// A sheet that comes down on its edge upon another one, which lies on the floor, and upon itself.
static struct sim *heap(float slack, double speed, uint32_t substeps)
{
    struct sim *sim = scene_create(sheet_settings(substeps));
    struct sheet upright = sheet_of(7, 0, 1, 0, 0.03, 0.05), flat = sheet_of(6, 0, 2, 0.0037, 0.0051, 0);
    upright.wavy = flat.wavy = 1;
    upright.speed[1] = -speed;
    upright.speed[2] = 0.2 * speed;
    sheet_floor(sim);
    sheet_add(sim, &upright);
    sheet_add(sim, &flat);
    sim->meet->slack = slack;
    return sim;
}

static void no_pair_is_missed(void **state)
{
    (void)state;
    static struct watch watch;
    static const double speeds[] = {1, 8};
    for (int s = 0; s < SLACKS; s++) {
        for (int v = 0; v < 2; v++) {
            watch = (struct watch){.sim = heap(slacks[s], speeds[v], 20)};
            watched_run(&watch, 9);
            assert_true(watch.checks > 80 && watch.close[SIM_PAIR_VT] > 200 &&
                        watch.close[SIM_PAIR_EE] > 600);
            sim_destroy(watch.sim);
        }
    }
}

// Most rows are held back, and many of them stop off their paths.
static void impacts_cross_nothing_at_any_slack(void **state)
{
    (void)state;
    static struct watch watch;
    static const struct {
        double speed;
        uint32_t substeps, ticks;
    } cases[] = {{12, 20, 9}, {30, 20, 6}, {12, 5, 9}, {30, 2, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int s = 0; s < SLACKS; s++) {
            struct sim *sim = heap(slacks[s], cases[i].speed, cases[i].substeps);
            uint32_t held = 0;
            for (uint32_t t = 0; t < cases[i].ticks; t++) {
                const struct sim_hooks hooks = {.context = &watch, .on_meeting = part_ends};
                struct sim_failure failure;
                struct sim_meetings told;
                watch.sim = sim;
                sim_step(sim, NULL, &hooks, &failure);
                assert_false(failure.failed);
                sim_meetings_of(sim, &told);
                held += told.held;
                assert_int_equal(told.dropped, 0);
                assert_int_equal(sim_crossings(sim), 0);
                assert_int_equal(count_crossings(sim), 0);
            }
            assert_true(held > 0);
            sim_destroy(sim);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pair_is_missed),
        cmocka_unit_test(impacts_cross_nothing_at_any_slack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
