// Bodies that are far from a cloth, and never come near it, change nothing of how it moves.
#include "helper_obstacle.h"

#include "sim/contact/meet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK
#define AWAY 100.0 // m

enum { SIDE = 11, COUNT = SIDE * SIDE, SHEETS_MAX = 2, TICKS = 80, BODIES_MAX = 8 };

static struct fault fault;

// ------------------------------------------------------------------------------------------------------ near

enum near { DRAPED, PILED, WRUNG, MET, CRAMMED, NEARS };

#define FEW 500 // pairs of an island, where they are too many

struct scene {
    struct sim *sim;
    enum near near;
    uint32_t sheets[SHEETS_MAX], sheet_count;
    uint32_t far[BODIES_MAX], far_count;
    uint32_t ball; // a collider far away
};

static void near_add(struct scene *scene, double x, double y, double z, int along, double speed)
{
    struct sheet sheet = sheet_of(SIDE, 0, along, x, y, z);
    sheet.wavy = 1;
    sheet.speed[1] = speed;
    scene->sheets[scene->sheet_count++] = sheet_add(scene->sim, &sheet);
}

static void near_begin(struct scene *scene)
{
    switch (scene->near) {
    case DRAPED: // over a ball, the second one somewhat later and aside
        near_add(scene, -0.1, 0.17, -0.1, 2, -1);
        near_add(scene, -0.06, 0.21, -0.13, 2, -2);
        break;
    case PILED:   // on its edge
    case CRAMMED: // with memory for so few pairs that tubes are halved
        near_add(scene, 0.3, 0.03, 0.3, 1, -2);
        break;
    case WRUNG: // between its two pinned sides
        near_add(scene, -0.1, 0.5, -0.1, 2, 0);
        break;
    default: // so fast that they are held back
        near_add(scene, -0.1, 0.6, -0.1, 2, -14);
        near_add(scene, -0.07, 0.5, -0.08, 2, 14);
    }
}

// Turns the two sides of the sheet about its middle, against each other.
static void sides_turn(struct scene *scene, double angle)
{
    uint32_t pins[2 * SIDE];
    double x[3 * 2 * SIDE];
    for (uint32_t i = 0; i < 2 * SIDE; i++) {
        const uint32_t row = i % SIDE, side = i / SIDE;
        const double arm = (row - 0.5 * (SIDE - 1)) * EDGE, turn = side == 0 ? angle : -angle;
        pins[i] = row * SIDE + side * (SIDE - 1);
        x[3 * i] = -0.1 + side * (SIDE - 1) * EDGE * (1 - 0.02 * angle);
        x[3 * i + 1] = 0.5 + arm * sin(turn);
        x[3 * i + 2] = arm * cos(turn);
    }
    obstacle_pin(scene->sim, scene->sheets[0], pins, 2 * SIDE, x);
}

// ------------------------------------------------------------------------------------------------------- far

enum far { NOTHING, A_GRAIN, A_FAST_PILE, SOME_MEET, ONE_COMES_AND_GOES, ONE_IS_PRESSED, ONE_WAKES, FARS };

static void far_add(struct scene *scene, double x, double y, int along, double speed, bool pinned)
{
    static const uint32_t corners[4] = {0, SIDE - 1, COUNT - SIDE, COUNT - 1};
    struct sheet sheet = sheet_of(SIDE, 0, along, AWAY + x, y, -AWAY);
    sheet.wavy = speed != 0 ? 1 : 0;
    sheet.speed[1] = speed;
    sheet.thickness = 1.3 * THICK;
    sheet.pins = corners;
    sheet.pin_count = pinned ? 4 : 0;
    scene->far[scene->far_count++] = sheet_add(scene->sim, &sheet);
}

static void grain_add(struct scene *scene, double x)
{
    const double place[3] = {AWAY + x, 0.4, AWAY}, mass = 0.001;
    struct sim_body_desc desc = scene_points(place, 1, &mass);
    desc.thickness = 0.01;
    desc.meeting = sheet_meets;
    scene->far[scene->far_count++] = scene_add(scene->sim, &desc);
}

static void far_begin(struct scene *scene, enum far far, bool before)
{
    if (far == A_GRAIN) {
        grain_add(scene, before ? 0 : 3);
    } else if (far == A_FAST_PILE) {
        far_add(scene, before ? 0 : 3, before ? 1.5 : 0.1, 1, -12, false); // one lands later
    } else if (far == SOME_MEET) {
        far_add(scene, before ? 0 : 0.03, before ? 0.5 : 0.6, 2, before ? 8 : -8, false);
    } else if (far == ONE_IS_PRESSED && before) {
        far_add(scene, 0, 0.5, 2, 0, true);
        far_add(scene, 0.01, 0.5 - 3 * THICK, 2, 0, true);
    } else if (far == ONE_WAKES && !before) {
        far_add(scene, 0, 1.3 * THICK, 2, 0, false);
    }
}

static void ball_move(const struct scene *scene, double x, double y, double z)
{
    const struct sim_collider ball = {.id = scene->ball,
                                      .kind = SIM_SPHERE,
                                      .position = {AWAY + x, y, -AWAY + z},
                                      .rotation = {0, 0, 0, 1},
                                      .friction = 0.3,
                                      .radius = 0.05};
    assert_int_equal(sim_collider_set(scene->sim, &ball, &fault), FAULT_NONE);
}

static void far_go(struct scene *scene, enum far far, int tick)
{
    if (far == ONE_COMES_AND_GOES && tick == 7) {
        far_add(scene, 0, 0.1, 1, -5, false);
        grain_add(scene, 0);
    } else if (far == ONE_COMES_AND_GOES && (tick == 20 || tick == 30)) {
        uint32_t *removed, count;
        assert_int_equal(sim_body_remove(scene->sim, scene->far[tick == 30], &removed, &count, &fault),
                         FAULT_NONE);
        free(removed);
    } else if (far == A_FAST_PILE) { // and is struck by what is faster
        ball_move(scene, 0.1, fmax(0.05, 1.6 - 0.2 * tick), 0.25 * (tick % 4) - 0.4);
    } else if (far == ONE_IS_PRESSED) {
        ball_move(scene, 0.1, 0.68 - 0.01 * tick, 0.1);
    } else if (far == ONE_WAKES && tick > 64) {
        ball_move(scene, 0.1, 0.13 - 0.01 * (tick - 64), 0.1);
    }
}

// ------------------------------------------------------------------------------------------------------ runs

struct history {
    double x[TICKS][SHEETS_MAX][3 * COUNT];
    float v[TICKS][SHEETS_MAX][3 * COUNT];
    uint32_t pushing, held, shrunk;
    bool slept, woke; // the first one far away
};

static struct scene scene_begin(enum near near, enum far far)
{
    struct sim_settings settings = sheet_settings(16);
    settings.sleep = true;
    struct scene scene = {.near = near, .sim = scene_create(settings)};
    sheet_floor(scene.sim);
    scene_sphere(scene.sim, (const double[3]){0, 0.05, 0}, 0.1, 0.3);
    scene.ball = scene_sphere(scene.sim, (const double[3]){AWAY, 5, -AWAY}, 0.05, 0.3);
    far_begin(&scene, far, true);
    near_begin(&scene);
    far_begin(&scene, far, false);
    return scene;
}

static void near_take(const struct scene *scene, int tick, struct history *history)
{
    struct sim_meetings told;
    sim_meetings_of(scene->sim, &told);
    history->pushing += told.pushing;
    history->held += told.held;
    history->shrunk += told.shrunk;
    for (uint32_t s = 0; s < scene->sheet_count; s++) {
        sim_body_positions64(scene->sim, scene->sheets[s], 0, COUNT, history->x[tick][s]);
        sim_body_velocities(scene->sim, scene->sheets[s], 0, COUNT, history->v[tick][s]);
    }
}

static struct history *history_of(enum near near, enum far far, int ticks)
{
    struct history *history = calloc(1, sizeof *history);
    assert_non_null(history);
    struct scene scene = scene_begin(near, far);
    for (int tick = 0; tick < ticks; tick++) {
        far_go(&scene, far, tick);
        if (near == WRUNG) {
            sides_turn(&scene, 0.06 * (tick + 1));
        }
        for (int kind = 0; near == CRAMMED && kind < SIM_PAIR_KINDS; kind++) {
            scene.sim->meet->pairs_most[kind] = FEW;
        }
        scene_run(scene.sim, 1);
        near_take(&scene, tick, history);
        struct sim_body_info info = {0};
        bool asleep = scene.far_count > 0 && sim_body_info(scene.sim, scene.far[0], &info) && info.asleep;
        history->woke = history->woke || (history->slept && !asleep);
        history->slept = history->slept || asleep;
    }
    sim_destroy(scene.sim);
    return history;
}

static void nothing_far_matters(enum near near)
{
    static const int ticks_of[NEARS] = {TICKS, 40, 30, 30, 16}; // what sleeps does so after 60
    struct history *alone = history_of(near, NOTHING, ticks_of[near]);
    assert_true(alone->pushing > 200 && (near != MET || alone->held > 20));
    assert_true((alone->shrunk > 0) == (near == CRAMMED));
    for (int far = NOTHING + 1; far < (near == DRAPED ? FARS : ONE_WAKES); far++) {
        const int ticks = near == DRAPED && far != ONE_WAKES ? 40 : ticks_of[near];
        struct history *with = history_of(near, (enum far)far, ticks);
        for (int tick = 0; tick < ticks; tick++) {
            if (memcmp(with->x[tick], alone->x[tick], sizeof with->x[tick]) != 0 ||
                memcmp(with->v[tick], alone->v[tick], sizeof with->v[tick]) != 0) {
                fail_msg("what is far (%d) changes what is near (%d) in tick %d", far, near, tick);
            }
        }
        assert_true(far == A_GRAIN || far == ONE_WAKES || near == DRAPED || with->pushing > alone->pushing);
        assert_true(far != ONE_WAKES || (with->slept && with->woke));
        free(with);
    }
    free(alone);
}

static void it_is_draped_as_if_it_were_alone(void **state)
{
    (void)state;
    nothing_far_matters(DRAPED);
}

static void it_piles_up_as_if_it_were_alone(void **state)
{
    (void)state;
    nothing_far_matters(PILED);
}

static void it_is_wrung_as_if_it_were_alone(void **state)
{
    (void)state;
    nothing_far_matters(WRUNG);
}

static void it_is_held_back_as_if_it_were_alone(void **state)
{
    (void)state;
    nothing_far_matters(MET);
}

static void it_is_crammed_as_if_it_were_alone(void **state)
{
    (void)state;
    nothing_far_matters(CRAMMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_draped_as_if_it_were_alone),
        cmocka_unit_test(it_piles_up_as_if_it_were_alone),
        cmocka_unit_test(it_is_wrung_as_if_it_were_alone),
        cmocka_unit_test(it_is_held_back_as_if_it_were_alone),
        cmocka_unit_test(it_is_crammed_as_if_it_were_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
