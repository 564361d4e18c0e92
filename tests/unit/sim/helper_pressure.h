// Closed surfaces with pressure, for tests: descriptions of bodies, and what is told of them.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_PRESSURE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_PRESSURE_H

#include "helper_ball.h"
#include "helper_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RADIUS 0.1 // m, of balloons
#define SOFT 0.05  // m/N, of their edges

// An octahedron that is no ball, with masses of all kinds.
enum { CORNERS = 6 };
static const double corners[3 * CORNERS] = {0.5, 0,    0,    -0.45, 0, 0,    0,    0.4, 0,
                                            0,   -0.5, 0.05, 0,     0, 0.55, 0.02, 0,   -0.5};
static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const double weights[CORNERS] = {1, 2, 1, .5, 1, 3}; // inverse masses

static inline struct sim_body_desc surface_of(const struct scene_mesh *mesh)
{
    struct sim_body_desc desc = scene_cloth(mesh);
    desc.bend_model = SIM_BEND_NONE;
    return desc;
}

static inline struct sim_pressure gas(double over, double ambient)
{
    return (struct sim_pressure){.model = SIM_PRESSURE_GAS, .end = over, .ambient = ambient};
}

static inline struct sim_pressure kept(double ratio, double compliance)
{
    return (struct sim_pressure){.model = SIM_PRESSURE_VOLUME, .end = ratio, .compliance = compliance};
}

// The octahedron with edges that hold nothing.
static inline struct sim_body_desc octahedron(double masses[CORNERS], struct sim_pressure pressure)
{
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = CORNERS,
                                 .positions = corners,
                                 .triangles = faces,
                                 .triangle_count = 8,
                                 .masses = masses,
                                 .stretch = {.compliance = 1e10, .stiffness = -1},
                                 .bend = {.stiffness = -1},
                                 .volume = {.stiffness = -1},
                                 .pressure = pressure};
    for (int i = 0; i < CORNERS; i++) {
        masses[i] = 1 / weights[i];
    }
    return desc;
}

static inline struct sim_pressure_told told_of(const struct sim *sim, uint32_t body)
{
    struct sim_pressure_told told;
    assert_true(sim_body_pressure(sim, body, &told));
    return told;
}

static inline uint32_t add_balloon(struct sim *sim, uint32_t cuts, struct sim_pressure pressure)
{
    struct scene_mesh mesh = ball(cuts, RADIUS, (const double[3]){0, 1, 0});
    struct sim_body_desc desc = surface_of(&mesh);
    desc.stretch.compliance = SOFT;
    desc.pressure = pressure;
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

#endif
