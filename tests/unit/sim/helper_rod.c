// Rods to test.
#include "helper_rod.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

void rod_line(struct rod *rod, uint32_t segments, double length)
{
    assert_true(segments < ROD_MOST);
    rod->count = segments + 1;
    rod->edge_count = segments;
    for (uint32_t i = 0; i <= segments; i++) {
        rod->positions[i][0] = length * i / segments;
        rod->positions[i][1] = rod->positions[i][2] = 0;
        rod->edges[2 * i] = i;
        rod->edges[2 * i + 1] = i + 1;
    }
}

void rod_ring(struct rod *rod, uint32_t segments, double length)
{
    assert_true(segments < ROD_MOST);
    rod->count = rod->edge_count = segments;
    const double radius = length / segments / (2 * sin(PI / segments));
    for (uint32_t i = 0; i < segments; i++) {
        rod->positions[i][0] = radius * cos(2 * PI * i / segments);
        rod->positions[i][1] = radius * sin(2 * PI * i / segments);
        rod->positions[i][2] = 0;
        rod->edges[2 * i] = i;
        rod->edges[2 * i + 1] = (i + 1) % segments;
    }
}

void rod_add(struct rod *rod, struct sim_settings settings, const struct sim_rod *given, double density)
{
    rod->sim = scene_create(settings);
    struct sim_body_desc desc = scene_rope(rod->positions[0], rod->count, rod->edges, rod->edge_count, NULL);
    desc.rod = given;
    desc.density = density;
    rod->added = scene_add_all(rod->sim, &desc);
    rod->body = rod->added.body;
}

void rod_clamp(struct rod *rod, const uint32_t *particles, uint32_t count)
{
    struct fault fault;
    assert_int_equal(sim_particles_pin(rod->sim, rod->body, particles, count, NULL, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_clamp(rod->sim, rod->body, particles, count, true, NULL, &fault),
                     FAULT_NONE);
}

void rod_end(struct rod *rod)
{
    sim_destroy(rod->sim);
}

double rod_fastest(const struct rod *rod)
{
    double fastest = 0;
    for (uint32_t i = 0; i < rod->count; i++) {
        float v[3];
        scene_velocity(rod->sim, rod->body, i, v);
        const double speed = sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

struct sim_rod rod_given(double bend, double twist)
{
    return (struct sim_rod){
        .radius = 0.01, .young = 1e7, .poisson = 0.3, .bend_stiffness = bend, .twist_stiffness = twist};
}
