// Meshes that are moved.
#include "helper_obstacle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double TURN = 6.283185307179586;

bool obstacle_large(void)
{
    const char *size = getenv("WEFT_SCENES");
    return size != NULL && strcmp(size, "large") == 0;
}

static struct scene_mesh mesh_of(uint32_t particles, uint32_t triangles)
{
    struct scene_mesh mesh = {.particle_count = particles, .triangle_count = 0};
    mesh.positions = calloc(3 * (size_t)particles, sizeof *mesh.positions);
    mesh.triangles = calloc(3 * (size_t)triangles, sizeof *mesh.triangles);
    assert_true(mesh.positions != NULL && mesh.triangles != NULL);
    return mesh;
}

static void triangle_put(struct scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, (const uint32_t[3]){a, b, c}, 3 * sizeof a);
}

static void quad_put(struct scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    triangle_put(mesh, a, b, c);
    triangle_put(mesh, a, c, d);
}

static void place(const struct obstacle *obstacle, double angle, const double at[3], double *out)
{
    double c = cos(angle), s = sin(angle);
    for (uint32_t i = 0; i < obstacle->mesh.particle_count; i++) {
        const double *x = obstacle->mesh.positions + 3 * (size_t)i;
        out[3 * (size_t)i] = at[0] + c * x[0] + s * x[2];
        out[3 * (size_t)i + 1] = at[1] + x[1];
        out[3 * (size_t)i + 2] = at[2] + c * x[2] - s * x[0];
    }
}

static struct obstacle add(struct sim *sim, struct scene_mesh mesh, const double at[3])
{
    struct obstacle obstacle = {.sim = sim, .mesh = mesh};
    double *positions = calloc(3 * (size_t)mesh.particle_count, sizeof *positions);
    double *masses = calloc(mesh.particle_count, sizeof *masses);
    obstacle.all = calloc(mesh.particle_count, sizeof *obstacle.all);
    assert_true(positions != NULL && masses != NULL && obstacle.all != NULL);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        obstacle.all[i] = i;
    }
    place(&obstacle, 0, at, positions);
    struct scene_mesh placed = mesh;
    placed.positions = positions;
    struct sim_body_desc desc = scene_cloth(&placed);
    desc.masses = masses;
    desc.thickness = SHEET_THICK;
    desc.meeting = sheet_meets;
    desc.meeting.self = false;
    obstacle.body = scene_add(sim, &desc);
    free(positions);
    free(masses);
    return obstacle;
}

struct obstacle obstacle_ball(struct sim *sim, uint32_t turns, uint32_t rings, double radius,
                              const double at[3])
{
    struct scene_mesh mesh = mesh_of(turns * (rings - 1) + 2, 2 * turns * (rings - 1));
    const uint32_t top = turns * (rings - 1), bottom = top + 1;
    for (uint32_t r = 0; r + 1 < rings; r++) {
        double up = TURN / 2 * (r + 1) / rings;
        for (uint32_t t = 0; t < turns; t++) {
            double *x = mesh.positions + 3 * ((size_t)r * turns + t);
            x[0] = radius * sin(up) * cos(TURN * t / turns);
            x[1] = radius * cos(up);
            x[2] = radius * sin(up) * sin(TURN * t / turns);
            uint32_t here = r * turns, next = (t + 1) % turns;
            if (r > 0) {
                quad_put(&mesh, here - turns + t, here - turns + next, here + next, here + t);
            } else {
                triangle_put(&mesh, top, next, t);
            }
            if (r + 2 == rings) {
                triangle_put(&mesh, bottom, here + t, here + next);
            }
        }
    }
    mesh.positions[3 * (size_t)top + 1] = radius;
    mesh.positions[3 * (size_t)bottom + 1] = -radius;
    return add(sim, mesh, at);
}

struct obstacle obstacle_ring(struct sim *sim, uint32_t turns, uint32_t rings, double radius, double thick,
                              const double at[3])
{
    struct scene_mesh mesh = mesh_of(turns * rings, 2 * turns * rings);
    for (uint32_t t = 0; t < turns; t++) {
        for (uint32_t r = 0; r < rings; r++) {
            double out = radius + thick * cos(TURN * r / rings);
            double *x = mesh.positions + 3 * ((size_t)t * rings + r);
            x[0] = out * cos(TURN * t / turns);
            x[1] = out * sin(TURN * t / turns);
            x[2] = thick * sin(TURN * r / rings);
            uint32_t here = t * rings, there = (t + 1) % turns * rings, next = (r + 1) % rings;
            quad_put(&mesh, here + r, there + r, there + next, here + next);
        }
    }
    return add(sim, mesh, at);
}

struct obstacle obstacle_comb(struct sim *sim, uint32_t teeth, double apart, double thick, double length,
                              const double at[3])
{
    enum { SIDES = 4, PARTS = 12 };
    struct scene_mesh mesh =
        mesh_of(teeth * (SIDES * (PARTS + 1)), teeth * (2 * SIDES * PARTS + 2 * (SIDES - 2)));
    for (uint32_t tooth = 0; tooth < teeth; tooth++) {
        const uint32_t first = tooth * SIDES * (PARTS + 1), last = first + SIDES * PARTS;
        for (uint32_t part = 0; part <= PARTS; part++) {
            for (uint32_t side = 0; side < SIDES; side++) {
                double *x = mesh.positions + 3 * ((size_t)first + part * SIDES + side);
                x[0] = apart * tooth + thick * cos(TURN * (side + 0.5) / SIDES);
                x[1] = length * part / PARTS;
                x[2] = thick * sin(TURN * (side + 0.5) / SIDES);
                uint32_t here = first + part * SIDES, next = (side + 1) % SIDES;
                if (part < PARTS) {
                    quad_put(&mesh, here + side, here + SIDES + side, here + SIDES + next, here + next);
                }
            }
        }
        quad_put(&mesh, first, first + 1, first + 2, first + 3);
        quad_put(&mesh, last + 3, last + 2, last + 1, last);
    }
    return add(sim, mesh, at);
}

void obstacle_pin(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                  const double *positions)
{
    struct fault fault;
    assert_int_equal(sim_particles_pin(sim, body, particles, count, positions, &fault), FAULT_NONE);
}

void obstacle_move(const struct obstacle *obstacle, double angle, const double at[3])
{
    double *positions = calloc(3 * (size_t)obstacle->mesh.particle_count, sizeof *positions);
    assert_non_null(positions);
    place(obstacle, angle, at, positions);
    obstacle_pin(obstacle->sim, obstacle->body, obstacle->all, obstacle->mesh.particle_count, positions);
    free(positions);
}

void obstacle_deinit(struct obstacle *obstacle)
{
    scene_mesh_deinit(&obstacle->mesh);
    free(obstacle->all);
}
