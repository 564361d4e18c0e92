// Bodies that loose constraints join and that meet each other: what is joined counts as one for contact.
#include "helper_sheet.h"

#include "helper_count.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { SIDE = 9 };

static struct fault fault;

static uint32_t join(struct sim *sim, uint32_t a, uint32_t i, uint32_t b, uint32_t k, double rest)
{
    const uint32_t bodies[2] = {a, b}, particles[2] = {i, k};
    const struct sim_constraint_values values = {.rest = &rest};
    uint32_t id;
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &values, &id, &fault), FAULT_NONE);
    return id;
}

static float fastest(const struct sim *sim)
{
    struct sim_body_info info;
    float most = 0;
    for (uint32_t at = 0; at < sim_body_count(sim); at++) {
        uint32_t body = sim_body_id_at(sim, at);
        assert_true(sim_body_info(sim, body, &info));
        for (uint32_t i = 0; i < info.particle_count; i++) {
            float v[3];
            scene_velocity(sim, body, i, v);
            float speed = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            most = speed > most ? speed : most;
        }
    }
    return most;
}

static void probe(struct sim *sim, const char *name)
{
    float late = 0;
    uint64_t crossed = 0;
    for (int t = 0; t < 660; t++) {
        scene_run(sim, 1);
        float v = fastest(sim);
        crossed += sim_crossings(sim);
        if (t >= 600) late = v > late ? v : late;
        if (t % 60 == 59 && getenv("LOUD")) printf("  %s %d: %g m/s, crossings %llu\n", name, t + 1, (double)v, (unsigned long long)sim_crossings(sim));
    }
    printf("%s: %g m/s crossings %llu\n", name, (double)late, (unsigned long long)crossed);
}

static void all(void **state)
{
    (void)state;
    for (int hung = 0; hung < 2; hung++) {
        for (int what = 0; what < 5; what++) {
            struct sim *sim = scene_create(sheet_settings(20));
            uint32_t pins[2] = {0, SIDE - 1};
            struct sheet a = sheet_of(SIDE, 0, hung ? 1 : 2, 0, 0.3, 0), b = a;
            if (!hung) {sheet_floor(sim); a.corner[1] = 1.1 * THICK; b.corner[1] = 3.3 * THICK;}
            else { a.pins = b.pins = pins; a.pin_count = b.pin_count = 2; b.corner[2] = 2.2 * THICK;}
            double rest = what == 1 || what == 3 ? 0.5 * THICK : 0;
            if (what == 4) { b.corner[1] = a.corner[1]; if (hung) {b.corner[2] = 0; b.corner[1] += (SIDE - 1) * EDGE; a.pin_count = 0;} else b.corner[0] = (SIDE - 1) * EDGE; }
            uint32_t one = sheet_add(sim, &a), other = sheet_add(sim, &b);
            for (uint32_t i = 0; i < SIDE; i++) {
                uint32_t top = SIDE * (SIDE - 1) + i;
                if (what == 4) {
                    if (hung) join(sim, one, top, other, i, 0); else join(sim, one, i * SIDE + SIDE - 1, other, i * SIDE, 0);
                    continue;
                }
                join(sim, one, top, other, top, rest);
                if (what >= 2) { // all around
                    if (!hung || (i != 0 && i != SIDE -1)) join(sim, one, i, other, i, rest);
                    if (i > 0 && i + 1 < SIDE) {
                    join(sim, one, i * SIDE, other, i * SIDE, rest);
                    join(sim, one, i * SIDE + SIDE - 1, other, i * SIDE + SIDE - 1, rest);}
                }
            }
            char name[64];
            snprintf(name, sizeof name, "hung %d what %d", hung, what);
            probe(sim, name);
            sim_destroy(sim);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
