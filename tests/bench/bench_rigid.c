// This program measures the cost of contact of rigid pieces, and how a stack of boxes stands.
//
//     bench_rigid         microseconds a piece and substep: boxes that fly, boxes that stand on a plane, stacks, a pile; the same of hulls;
//                         then stacks of ten for 60 s
//     bench_rigid plane   one of these: fly, plane, stacks, pile, hulls, rocks, stand
//
// Boxes that fly have no contact, so the first line is what all else of a substep costs.
#include "helper_piece.h"
#include "sim/rigid/touching.h"
#include "sim/state/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SUBSTEPS = 20, SIDE = 12 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct sim *world(bool plane)
{
    static const double origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = SUBSTEPS;
    settings.gravity[1] = plane ? -9.81 : 0;
    struct sim *sim = scene_create(settings);
    if (plane) {
        scene_plane(sim, origin, up, 0.5);
    }
    return sim;
}

static struct sim_rigid_shape box(void)
{
    return piece_box(.25f, .25f, .25f);
}

// The same cube as points.
static struct sim_rigid_shape cube_hull(void)
{
    static const double points[24] = {-.25, -.25, -.25, .25, -.25, -.25, -.25, .25, -.25, .25, .25, -.25,
                                      -.25, -.25, .25,  .25, -.25, .25,  -.25, .25, .25,  .25, .25, .25};
    return (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = points, .point_count = 8};
}

// A rock of so many vertices.
static struct sim_rigid_shape rock(uint32_t count)
{
    static double points[3 * SIM_RIGID_HULL_MAX];
    for (uint32_t i = 0; i < count; i++) {
        const double y = 1 - (2 * i + 1.0) / count, across = sqrt(1 - y * y), angle = 2.399963 * i;
        points[3 * i] = .2 * across * cos(angle);
        points[3 * i + 1] = .15 * y;
        points[3 * i + 2] = .2 * across * sin(angle);
    }
    return (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = points, .point_count = count};
}

// Stacks side by side, each of so many cubes.
static struct sim *stacks(struct sim_rigid_shape cube, uint32_t count, uint32_t height, bool plane)
{
    struct sim *sim = world(plane);
    for (uint32_t i = 0; i < count * height; i++) {
        const uint32_t at = i / height;
        piece_add(sim, &(struct piece){.shape = cube,
                                       .mass = 10,
                                       .x = {.8 * (at % SIDE), .25 + .5 * (i % height), .8 * (at / SIDE)},
                                       .friction = .5});
    }
    return sim;
}

static struct sim *pile(struct sim_rigid_shape shape, uint32_t count)
{
    struct sim *sim = world(true);
    uint64_t seed = 9;
    for (uint32_t i = 0; i < count; i++) {
        struct piece piece = {.mass = 1, .friction = .5, .shape = shape};
        const uint32_t cell[3] = {i % 5, i / 25, i / 5 % 5};
        for (int k = 0; k < 3; k++) {
            piece.x[k] = .45 * cell[k] + (k == 1 ? .4 : 0) + .02 * scene_uniform(&seed);
            piece.q[k] = scene_uniform(&seed) - .5;
        }
        piece.q[3] = 1;
        piece_add(sim, &piece);
    }
    return sim;
}

static void measure(const char *name, struct sim *sim, uint32_t settle, uint32_t ticks)
{
    scene_run(sim, settle);
    const double start = seconds();
    scene_run(sim, ticks);
    const double took = seconds() - start;
    const struct sim_touching *touching = sim->rigids.touching;
    uint32_t points = 0;
    for (uint32_t p = 0; p < touching->pair_count; p++) {
        points += touching->pairs[p].count;
    }
    printf("%-28s %5u pieces %5u pairs %5u points   %.3f us a piece and substep\n", name, sim->rigids.count,
           touching->pair_count, points, 1e6 * took / ((double)sim->rigids.count * ticks * SUBSTEPS));
    sim_destroy(sim);
}

static void stand(struct sim_rigid_shape cube, uint32_t count, uint32_t ticks)
{
    struct sim *sim = stacks(cube, 1, count, true);
    for (uint32_t part = 0; part < 4; part++) {
        double way = 0, down = 0, speed = 0;
        scene_run(sim, ticks / 4);
        for (uint32_t i = 0; i < count; i++) {
            double x[3];
            float v[3];
            scene_position(sim, sim->bodies[i]->id, 0, x);
            scene_velocity(sim, sim->bodies[i]->id, 0, v);
            way = fmax(way, fmax(fabs(x[0]), fabs(x[2])));
            down = fmax(down, fabs(x[1] - (.25 + .5 * i)));
            speed = fmax(speed, fabs((double)v[0]) + fabs((double)v[1]) + fabs((double)v[2]));
        }
        printf("stack of %u after %4.0f s: %.2e m aside, %.2e m lower, %.1e m/s\n", count,
               (part + 1) * (ticks / 4) / 60.0, way, down, speed);
    }
    sim_destroy(sim);
}

static void fly(void)
{
    measure("boxes that fly", stacks(box(), 144, 1, false), 5, 60);
}

static void plane(void)
{
    measure("boxes on a plane", stacks(box(), 144, 1, true), 5, 60);
}

static void tens(void)
{
    measure("stacks of ten", stacks(box(), 20, 10, true), 5, 60);
}

static void piles(void)
{
    measure("a pile of boxes", pile(piece_box(.2f, .12f, .16f), 200), 180, 60);
}

static void hulls(void)
{
    measure("cubes as hulls on a plane", stacks(cube_hull(), 144, 1, true), 5, 60);
    measure("stacks of ten as hulls", stacks(cube_hull(), 20, 10, true), 5, 60);
}

static void rocks(void)
{
    measure("a pile, 12 vertices each", pile(rock(12), 50), 60, 10);
    measure("a pile, 32 vertices each", pile(rock(32), 50), 60, 10);
    measure("a pile, 64 vertices each", pile(rock(64), 50), 60, 10);
}

static void towers(void)
{
    stand(box(), 10, 3600);
    stand(cube_hull(), 10, 3600);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"fly", fly},     {"plane", plane}, {"stacks", tens}, {"pile", piles},
                 {"hulls", hulls}, {"rocks", rocks}, {"stand", towers}};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        if (argc < 2 || strcmp(argv[1], parts[p].name) == 0) {
            parts[p].run();
        }
    }
    return 0;
}
