// What colliders pierce is counted and told, whatever their shape, in the tick and at its end; where cloth can give way,
// nothing is pierced.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FOLDS = 12, DEPTH = 5, TALL = 16 };

// A curtain in folds along x, its top and bottom pinned: 12 layers of 8 cm by 30 cm, 2 cm apart.
static uint32_t curtain_add(struct sim *sim)
{
    const uint32_t columns = FOLDS * DEPTH;
    struct scene_mesh mesh = scene_grid(columns, TALL, SHEET_EDGE, (const double[3]){0, 0, 0});
    uint32_t *pins = calloc((size_t)mesh.particle_count, sizeof *pins);
    assert_non_null(pins);
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        const uint32_t column = i % columns, row = i / columns, fold = column / DEPTH, in = column % DEPTH;
        mesh.positions[3 * i] = fold * SHEET_EDGE;
        mesh.positions[3 * i + 1] = row * SHEET_EDGE;
        mesh.positions[3 * i + 2] = (fold % 2 == 0 ? in : DEPTH - 1 - in) * SHEET_EDGE;
        if (row == 0 || row == TALL - 1) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = 0.2;
    desc.thickness = SHEET_THICK;
    desc.meeting = sheet_meets;
    uint32_t body = scene_add(sim, &desc);
    free(pins);
    scene_mesh_deinit(&mesh);
    return body;
}

static struct sim_collider rod_at(double x)
{
    const double half = 0.70710678118654752;
    return (struct sim_collider){.kind = SIM_CAPSULE,
                                 .radius = 0.01,
                                 .length = 0.3,
                                 .position = {x, 0.15, 0.04},
                                 .rotation = {half, 0, 0, half},
                                 .friction = 0.3};
}

static void jam(void **state)
{
    (void)state;
    const double speed = getenv("SPEED") ? atof(getenv("SPEED")) : 2;
    const double far = getenv("FAR") ? atof(getenv("FAR")) : 0.2;
    struct sim *sim = scene_create(sheet_settings(20));
    uint32_t body = curtain_add(sim), id;
    struct fault fault;
    struct sim_collider rod = rod_at(-0.03);
    (void)body;
    assert_int_equal(sim_collider_add(sim, &rod, &id, &fault), FAULT_NONE);
    rod.id = id;
    uint32_t ticks = 0, all = 0;
    for (int t = 0; t < 79; t++) {
        struct sim_meetings told;
        rod.position[0] += rod.position[0] < far ? speed / 60 : 0;
        assert_int_equal(sim_collider_set(sim, &rod, &fault), FAULT_NONE);
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        printf("%2d x %.3f pierced %u now %llu crossed %u crossings %llu held %u pushing %u pen %.3f strain %.3f\n", t,
               rod.position[0], told.pierced, (unsigned long long)sim_pierced(sim), told.crossed,
               (unsigned long long)sim_crossings(sim), told.held, told.pushing, told.deepest, scene_strain(sim));
        ticks += told.pierced > 0;
        all += told.pierced;
    }
    printf("ticks pierced %u of 79, sum %u\n", ticks, all);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
