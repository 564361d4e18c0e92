// Cloths that are hard to keep apart.
#include "odd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

struct surface {
    double *positions;
    uint32_t *triangles;
    uint32_t count, triangle_count;
};

static bool surface_init(struct surface *surface, uint32_t count, uint32_t triangle_count)
{
    *surface = (struct surface){.positions = malloc(count * sizeof(double[3])),
                                .triangles = malloc(triangle_count * sizeof(uint32_t[3])),
                                .count = count,
                                .triangle_count = triangle_count};
    return surface->positions && surface->triangles;
}

static void surface_deinit(struct surface *surface)
{
    free(surface->positions);
    free(surface->triangles);
}

static bool add(struct sim *sim, struct sim_body_desc *desc, const struct surface *surface, double floor_y,
                bool made)
{
    static const struct sim_limits limits = {4, 16777216, 134217728, 4, 4, 4, 0};
    const struct sim_settings *settings = sim_settings_of(sim);
    const struct sim_collider floor = {.kind = SIM_PLANE,
                                       .position = {0, floor_y, 0},
                                       .normal = {0, 1, 0},
                                       .rotation = {0, 0, 0, 1},
                                       .friction = 0.5};
    struct fault fault = {.text = "no memory"};
    struct sim_body_added added;
    uint32_t id;
    desc->kind = SIM_CLOTH;
    desc->particle_count = surface->count;
    desc->positions = surface->positions;
    desc->triangles = surface->triangles;
    desc->triangle_count = surface->triangle_count;
    desc->stretch.stiffness = desc->bend.stiffness = desc->volume.stiffness = -1;
    struct sim_body_plan *plan =
        made ? sim_body_prepare(desc, settings->resolution, settings->extent, &limits, &fault) : NULL;
    const bool good = plan && sim_collider_add(sim, &floor, &id, &fault) == FAULT_NONE &&
                      sim_body_attach(sim, plan, &added, &fault) == FAULT_NONE;
    if (!good) {
        fprintf(stderr, "weft-bench: a cloth was refused: %s\n", fault.text);
        sim_body_plan_destroy(plan);
    }
    return good;
}

// ------------------------------------------------------------------------------------------------------- towel

enum { ALONG = 51, ACROSS = 41, TURNS = 18 }; // 40 degrees each

static bool wring(struct sim *sim, const uint32_t edge[ACROSS], double sign)
{
    double times[TURNS + 1], offsets[3 * (TURNS + 1)] = {0}, rotations[4 * (TURNS + 1)] = {0};
    for (int n = 0; n <= TURNS; n++) {
        const double done = n / (double)TURNS;
        times[n] = 0.5 + 6 * done;
        offsets[3 * n] = sign * 0.19 * done * done;
        rotations[4 * n] = sign * sin(PI / 9 * n);
        rotations[4 * n + 3] = cos(PI / 9 * n);
    }
    const struct sim_motion motion = {.body = sim_body_id_at(sim, 0),
                                      .particles = edge,
                                      .particle_count = ACROSS,
                                      .times = times,
                                      .offsets = offsets,
                                      .rotations = rotations,
                                      .key_count = TURNS + 1};
    struct fault fault;
    uint32_t id;
    if (sim_motion_add(sim, &motion, &id, &fault) == FAULT_NONE) {
        return true;
    }
    fprintf(stderr, "weft-bench: a motion was refused: %s\n", fault.text);
    return false;
}

bool bench_towel_add(struct sim *sim, bool meets)
{
    struct surface surface;
    uint32_t pins[2 * ACROSS], *t;
    const bool made = surface_init(&surface, ALONG * ACROSS, 2 * (ALONG - 1) * (ACROSS - 1));
    for (uint32_t i = 0; made && i < ALONG * ACROSS; i++) {
        const double place[3] = {(i % ALONG) / (ALONG - 1.0) - 0.5, 1,
                                 0.4 * (i / ALONG) / (ACROSS - 1.0) - 0.2};
        memcpy(surface.positions + 3 * (size_t)i, place, sizeof place);
    }
    t = surface.triangles;
    for (uint32_t cell = 0; made && cell < (ALONG - 1) * (ACROSS - 1); cell++, t += 6) {
        const uint32_t a = cell / (ALONG - 1) * ALONG + cell % (ALONG - 1);
        const uint32_t both[6] = {a, a + ALONG, a + ALONG + 1, a, a + ALONG + 1, a + 1};
        memcpy(t, both, sizeof both);
    }
    for (uint32_t row = 0; row < ACROSS; row++) {
        pins[row] = row * ALONG;
        pins[ACROSS + row] = row * ALONG + ALONG - 1;
    }
    struct sim_settings settings = *sim_settings_of(sim);
    settings.damping = 1;
    settings.gravity[1] = -2;
    struct fault fault = {0};
    struct sim_body_desc desc = {.density = 0.3,
                                 .stretch = {.compliance = 1e-6},
                                 .bend_model = SIM_BEND_QUADRATIC,
                                 .bend = {.compliance = 300},
                                 .pins = pins,
                                 .pin_count = 2 * ACROSS,
                                 .thickness = 0.0026, // 0.15 of the mean edge
                                 .meeting = {meets, meets, 1, 0.3}};
    const bool good = sim_settings_set(sim, &settings, &fault) == FAULT_NONE &&
                      add(sim, &desc, &surface, 0, made) && wring(sim, pins, 1) &&
                      wring(sim, pins + ACROSS, -1);
    surface_deinit(&surface);
    return good;
}

// ------------------------------------------------------------------------------------------------------ uneven

enum { COLUMNS = 88, ROWS = 111 };

// Rings that crowd at the poles, with five bumps around.
static void rings(struct surface *surface, double radius)
{
    const double top = log(50);
    double *p = surface->positions;
    uint32_t *t = surface->triangles;
    for (uint32_t j = 0; j < ROWS; j++) {
        const double y = -top + 2 * top * j / (ROWS - 1), c = 1 / cosh(y), s = tanh(y);
        for (uint32_t i = 0; i < COLUMNS; i++) {
            const double angle = 2 * PI * (i + 0.5 * (j % 2)) / COLUMNS;
            const double out = radius * (1 + 0.06 * sin(5 * angle) * c * c * c * cos(3 * s));
            const double place[3] = {out * c * cos(angle), out * s, -out * c * sin(angle)};
            const uint32_t a = j * COLUMNS + i, b = j * COLUMNS + (i + 1) % COLUMNS, up = a + COLUMNS,
                           b_up = b + COLUMNS;
            const uint32_t odd[6] = {a, b_up, up, a, b, b_up}, even[6] = {a, b, up, b, b_up, up};
            memcpy(p, place, sizeof place);
            p += 3;
            if (j + 1 < ROWS) {
                memcpy(t, j % 2 ? odd : even, sizeof odd);
                t += 6;
            }
        }
    }
    for (uint32_t i = 0; i < COLUMNS; i++, t += 6) {
        const uint32_t next = (i + 1) % COLUMNS, last = (ROWS - 1) * COLUMNS;
        const uint32_t caps[6] = {next, i, COLUMNS * ROWS, last + i, last + next, COLUMNS * ROWS + 1};
        memcpy(t, caps, sizeof caps);
    }
    const double poles[6] = {0, -radius, 0, 0, radius, 0};
    memcpy(p, poles, sizeof poles);
}

bool bench_uneven_add(struct sim *sim, bool meets)
{
    const double radius = 0.716;
    struct surface surface;
    const bool made = surface_init(&surface, COLUMNS * ROWS + 2, 2 * COLUMNS * ROWS);
    if (made) {
        rings(&surface, radius);
    }
    struct sim_body_desc desc = {.density = 0.2,
                                 .bend_model = SIM_BEND_QUADRATIC,
                                 .bend = {.compliance = 1e4},
                                 .thickness = 0.00095,
                                 .meeting = {meets, meets, 1, 0.3}};
    const bool good = add(sim, &desc, &surface, -radius - 0.06, made);
    surface_deinit(&surface);
    return good;
}
