// A strip that two columns of pins wind up, layer on layer: no pin is pressed through it.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLUMNS = 41, ROWS = 4 };

// Its first two columns, and its last two if both ends are wound, are pinned and turn about their middle.
static bool is_pinned(uint32_t column, bool both)
{
    return column < 2 || (both && column >= COLUMNS - 2);
}

static uint32_t strip_add(struct sim *sim, bool both)
{
    struct scene_mesh mesh = scene_grid(COLUMNS, ROWS, SHEET_EDGE, (const double[3]){0, 0, 0});
    uint32_t pins[4 * ROWS];
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        mesh.positions[3 * i] = (i % COLUMNS) * SHEET_EDGE;
        mesh.positions[3 * i + 1] = 0;
        mesh.positions[3 * i + 2] = (double)(i / COLUMNS) * SHEET_EDGE;
        if (is_pinned(i % COLUMNS, both)) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = 0.2;
    desc.thickness = SHEET_THICK;
    desc.meeting = sheet_meets;
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static void strip_turn(struct sim *sim, uint32_t body, bool both, double angle)
{
    uint32_t pins[4 * ROWS], count = 0;
    double x[3 * 4 * ROWS];
    struct fault fault;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        const uint32_t column = i % COLUMNS;
        if (is_pinned(column, both)) {
            const double middle = (column < 2 ? 0.5 : COLUMNS - 1.5) * SHEET_EDGE;
            const double arm = column * SHEET_EDGE - middle, turn = column < 2 ? angle : -angle;
            x[3 * count] = middle + arm * cos(turn);
            x[3 * count + 1] = arm * sin(turn);
            x[3 * count + 2] = (double)(i / COLUMNS) * SHEET_EDGE;
            pins[count++] = i;
        }
    }
    assert_int_equal(sim_particles_pin(sim, body, pins, count, x, &fault), FAULT_NONE);
    scene_run(sim, 1);
}

// One sweep of pushing a substep left up to 31 crossings, from tick 63 and tick 108 on.
static void nothing_crosses_a_pin_that_winds(void **state)
{
    (void)state;
    static const struct {
        bool both;
        double turns; // a second
        int ticks;
    } winds[] = {{false, 2, 100}, {true, 0.5, 115}};
    for (size_t w = 0; w < sizeof winds / sizeof winds[0]; w++) {
        struct sim *sim = scene_create(sheet_settings(20));
        uint32_t body = strip_add(sim, winds[w].both);
        for (int t = 1; t <= winds[w].ticks; t++) {
            strip_turn(sim, body, winds[w].both, 2 * 3.14159265358979 * winds[w].turns * t / 60);
            assert_int_equal(sim_crossings(sim), 0);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_crosses_a_pin_that_winds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
