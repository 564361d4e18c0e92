// Sheets of cloth that meet.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

const struct sim_meeting sheet_meets = {.self = true, .group = 1, .mask = 1, .friction = 0.3};

struct sim_settings sheet_settings(uint32_t substeps)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.damping = 0.2;
    return settings;
}

struct sheet sheet_of(uint32_t side, int across, int along, double x, double y, double z)
{
    return (struct sheet){.side = side,
                          .corner = {x, y, z},
                          .across = across,
                          .along = along,
                          .thickness = THICK,
                          .meeting = sheet_meets};
}

uint32_t sheet_add(struct sim *sim, const struct sheet *sheet)
{
    struct scene_mesh mesh = scene_grid(sheet->side, sheet->side, EDGE, sheet->corner);
    float *velocities = calloc(3 * (size_t)mesh.particle_count, sizeof *velocities);
    double *masses = calloc(mesh.particle_count, sizeof *masses);
    uint64_t seed = 7;
    assert_non_null(velocities);
    assert_non_null(masses);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        uint32_t column = i % sheet->side, row = i / sheet->side;
        double *x = mesh.positions + 3 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) {
            double wave = 0.04 * sin(column * 0.35) + 0.002 * (scene_uniform(&seed) - 0.5);
            x[axis] = sheet->corner[axis] + (axis == sheet->across ? column * EDGE : 0) +
                      (axis == sheet->along ? row * EDGE : 0);
            x[axis] += axis != sheet->across && axis != sheet->along ? sheet->wavy * EDGE * wave : 0;
            velocities[3 * (size_t)i + (uint32_t)axis] = (float)sheet->speed[axis];
        }
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.velocities = velocities;
    desc.thickness = sheet->thickness;
    desc.meeting = sheet->meeting;
    desc.density = 0.2;
    desc.pins = sheet->pins;
    desc.pin_count = sheet->pin_count;
    desc.masses = sheet->is_static ? masses : NULL;
    uint32_t body = scene_add(sim, &desc);
    free(velocities);
    free(masses);
    scene_mesh_deinit(&mesh);
    return body;
}

void sheet_floor(struct sim *sim)
{
    scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0}, 0.5);
}

struct sim *sheet_pile(uint32_t side, double speed, const struct sim_meeting *meeting, double far)
{
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet sheet = sheet_of(side, 0, 1, far, 0.05, far);
    sheet.wavy = 1;
    sheet.speed[1] = speed;
    sheet.meeting = *meeting;
    sheet_floor(sim);
    sheet_add(sim, &sheet);
    return sim;
}

double sheet_mean(const struct sim *sim, uint32_t body, int axis)
{
    struct sim_body_info info;
    double sum = 0, x[3];
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t i = 0; i < info.particle_count; i++) {
        scene_position(sim, body, i, x);
        sum += x[axis];
    }
    return sum / info.particle_count;
}

struct sim_meetings sheet_run(struct sim *sim, uint32_t ticks, uint64_t allowed)
{
    struct sim_meetings told, sum = {0};
    for (uint32_t t = 0; t < ticks; t++) {
        scene_run(sim, 1);
        assert_true(sim_crossings(sim) <= allowed);
        sim_meetings_of(sim, &told);
        sum.pushing += told.pushing;
        sum.held += told.held;
        sum.shrunk += told.shrunk;
        sum.dropped += told.dropped;
        sum.crossed += told.crossed;
    }
    return sum;
}
