// Rigid pieces that have parts: mass and inertia by closed forms, motion and contact against pieces of one shape, shapes that hook into each
// other, and cloth.
#include "helper_piece.h"

#include "sim/ground/vector.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define G 9.81

static const double ORIGIN[3] = {0, 0, 0}, UP[3] = {0, 1, 0};
static const double TETRAHEDRON[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};

static struct sim_settings twenty(bool falls)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.gravity[1] = falls ? -G : 0;
    return settings;
}

static struct sim_rigid_part part_at(struct sim_rigid_shape shape, double x, double y, double z)
{
    return (struct sim_rigid_part){.shape = shape, .position = {x, y, z}, .turn = {0, 0, 0, 1 << 30}};
}

static struct sim_rigid_shape compound_of(const struct sim_rigid_part *parts, uint32_t count)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_COMPOUND, .parts = parts, .part_count = count};
}

// A box that is cut twice, off its middle, and of which one part is turned by a right angle about y. `at`: where it is given.
static uint32_t box_parts(const double half[3], const double at[3], struct sim_rigid_part parts[4])
{
    const double cut[2] = {.25, -.4}; // of x and y, as a part of the half extent
    for (int i = 0; i < 4; i++) {
        const double low[2] = {i % 2 ? cut[0] : -1, i / 2 ? cut[1] : -1},
                     high[2] = {i % 2 ? 1 : cut[0], i / 2 ? 1 : cut[1]};
        const float x = (float)(.5 * (high[0] - low[0]) * half[0]),
                    y = (float)(.5 * (high[1] - low[1]) * half[1]), z = (float)half[2];
        parts[i] = part_at(i == 2 ? piece_box(z, y, x) : piece_box(x, y, z),
                           at[0] + .5 * (low[0] + high[0]) * half[0],
                           at[1] + .5 * (low[1] + high[1]) * half[1], at[2]);
        if (i == 2) {
            const double quarter[4] = {0, 1, 0, 1};
            sim_turn_from(quarter, parts[i].turn);
        }
    }
    return 4;
}

static const struct sim_rigid_own *own_at(const struct sim *sim, uint32_t body)
{
    return sim->bodies[body]->rigid;
}

static uint32_t dense_add(struct sim *sim, const struct sim_rigid_shape *shape, double density)
{
    return scene_add(
        sim,
        &(struct sim_body_desc){
            .kind = SIM_RIGID, .particle_count = 1, .positions = ORIGIN, .density = density, .rigid = shape});
}

// ------------------------------------------------------------------------------------------------------ mass

static void a_box_in_parts_has_the_inertia_of_the_box(void **state)
{
    (void)state;
    const double half[3] = {.5, 1, 1.5}, at[3] = {7, -3, 2};
    struct sim_rigid_part parts[4];
    const struct sim_rigid_shape shape = compound_of(parts, box_parts(half, at, parts)),
                                 box = piece_box(.5f, 1, 1.5f);
    struct sim *sim = scene_create(twenty(false));
    double masses[2];
    sim_body_masses(sim, dense_add(sim, &shape, 2), &masses[0]);
    sim_body_masses(sim, dense_add(sim, &box, 2), &masses[1]);
    const struct sim_rigid_own *one = own_at(sim, 0), *other = own_at(sim, 1);
    assert_false(one->skewed);
    assert_near(one->volume, other->volume, 1e-5);
    assert_near(masses[0], masses[1], 1e-5);
    for (int i = 0; i < 3; i++) {
        assert_near(one->inertia[i], other->inertia[i], 1e-6);
        // Places are told from the centre of mass.
        assert_near(one->shape.parts[0].position[i], parts[0].position[i] - at[i], 1e-6);
    }
    sim_destroy(sim);
}

// Two balls of the radius r at the distance 2 d have 2/5 m r^2 along their axis and m d^2 more across, if m is the mass of both. A hull that is
// turned and put elsewhere has the inertia that the closed form of a tetrahedron has, turned.
static void parts_have_their_inertia(void **state)
{
    (void)state;
    struct sim_rigid_part balls[2] = {part_at(piece_sphere(.25f), 3, 1, 1),
                                      part_at(piece_sphere(.25f), 3, 3, 1)};
    struct sim_rigid_part hull = part_at(
        (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = TETRAHEDRON, .point_count = 4}, 9, 9, 9);
    const double quarter[4] = {0, 0, 1, 1}; // x to y, and y to -x
    sim_turn_from(quarter, hull.turn);
    const struct sim_rigid_shape dumbbell = compound_of(balls, 2), alone = compound_of(&hull, 1);
    struct sim *sim = scene_create(twenty(false));
    dense_add(sim, &dumbbell, 1);
    dense_add(sim, &alone, 1);
    const struct sim_rigid_own *one = own_at(sim, 0), *other = own_at(sim, 1);
    assert_near(one->inertia[1], .4 * .0625, 1e-7);
    assert_near(one->inertia[0], .4 * .0625 + 1, 1e-6);
    assert_near(one->inertia[2], .4 * .0625 + 1, 1e-6);
    assert_false(one->skewed);
    assert_true(other->skewed);
    assert_near(other->volume, 1, 1e-6);
    const double inertia[3] = {.375, .4875, .1875}, skew[3] = {.0375, -.075, -.025};
    for (int i = 0; i < 3; i++) {
        assert_near(other->inertia[i], inertia[i], 1e-6);
        assert_near(other->skew[i], skew[i], 1e-6);
        const double unit[3] = {i == 0, i == 1, i == 2};
        double column[3], back[3];
        sim_symmetric(other->inverse, other->inverse_skew, unit, column);
        sim_symmetric(other->inertia, other->skew, column, back);
        for (int k = 0; k < 3; k++) {
            assert_near(back[k], unit[k], 1e-12);
        }
    }
    sim_destroy(sim);
}

static struct sim_rigid_shape any_shape(uint64_t *seed, int form, double points[36])
{
    for (int i = 0; i < 36; i++) {
        points[i] = scene_uniform(seed) + .3;
    }
    const float a = (float)(.1 + .2 * scene_uniform(seed)), b = (float)(.1 + .2 * scene_uniform(seed));
    return form == 0   ? piece_sphere(a)
           : form == 1 ? piece_capsule(a, b)
           : form == 2
               ? piece_box(a, b, .1f)
               : (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = points, .point_count = 12};
}

// The parts that are told make the same compound, to the last bit.
static void told_parts_make_the_same_compound(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int round = 0; round < 60; round++) {
        double points[5][36];
        struct sim_rigid_part parts[5];
        for (int i = 0; i < 5; i++) {
            double q[4];
            for (int k = 0; k < 4; k++) {
                q[k] = scene_uniform(&seed) - .5;
            }
            parts[i] = part_at(any_shape(&seed, (i + round) % 4, points[i]),
                               100.0 * (round % 3) + scene_uniform(&seed), scene_uniform(&seed),
                               -scene_uniform(&seed));
            sim_turn_from(q, parts[i].turn);
        }
        const struct sim_rigid_shape given = compound_of(parts, 5);
        struct sim_rigid_compound *first = NULL, *second = NULL;
        struct fault fault;
        assert_int_equal(sim_rigid_compound_make(&given, SCENE_Q, &first, &fault), FAULT_NONE);
        const struct sim_rigid_shape told = compound_of(first->told, 5);
        assert_int_equal(sim_rigid_compound_make(&told, SCENE_Q, &second, &fault), FAULT_NONE);
        assert_true(first->volume == second->volume);
        assert_memory_equal(first->inertia, second->inertia, sizeof first->inertia);
        assert_memory_equal(first->skew, second->skew, sizeof first->skew);
        for (int i = 0; i < 5; i++) {
            const struct sim_rigid_placed *one = &first->placed[i], *other = &second->placed[i];
            assert_memory_equal(one->position, other->position, sizeof one->position);
            assert_memory_equal(one->axes, other->axes, sizeof one->axes);
            if (one->hull) {
                assert_memory_equal(one->hull, other->hull, sizeof *one->hull);
            }
        }
        sim_rigid_compound_destroy(first);
        sim_rigid_compound_destroy(second);
    }
}

// ------------------------------------------------------------------------------------------------------ measures

// Two boxes that overlap stand for one box: mass, centre and inertia are those that are given, and what is told makes the same piece.
static void measures_are_taken_in_place_of_sums(void **state)
{
    (void)state;
    struct sim_rigid_part parts[2] = {part_at(piece_box(.5f, .1f, .1f), 7.25, 1, 0),
                                      part_at(piece_box(.5f, .1f, .1f), 7.75, 1, 0)};
    struct sim_rigid_shape shape = compound_of(parts, 2);
    shape.measured = true;
    shape.measures = (struct sim_rigid_measures){.volume = .06,
                                                 .centre = {7.5, 1, 0},
                                                 .inertia = {.02 / 3, .5725 / 3, .5725 / 3},
                                                 .products = {0, .001, 0}};
    struct sim *sim = scene_create(twenty(false));
    const uint32_t body = dense_add(sim, &shape, 100);
    double mass;
    sim_body_masses(sim, body, &mass);
    assert_near(mass, 6, 1e-6);
    const struct sim_rigid_own *own = own_at(sim, 0);
    assert_true(own->skewed);
    assert_memory_equal(own->inertia, shape.measures.inertia, sizeof own->inertia);
    assert_true(own->shape.parts[0].position[0] == -.25 && own->shape.parts[0].position[1] == 0);
    assert_true(own->shape.measured && own->shape.measures.centre[0] == 0);
    struct sim *again = scene_create(twenty(false));
    dense_add(again, &own->shape, 100);
    const struct sim_rigid_own *second = own_at(again, 0);
    assert_memory_equal(second->inverse, own->inverse, sizeof own->inverse);
    assert_memory_equal(second->inverse_skew, own->inverse_skew, sizeof own->inverse_skew);
    assert_memory_equal(second->shape.parts[1].position, own->shape.parts[1].position, 3 * sizeof(double));
    sim_destroy(again);
    sim_destroy(sim);
}

static void unmeasurable(struct sim_rigid_measures measures, const char *field, const char *text)
{
    struct sim_rigid_part part = part_at(piece_box(.5f, .1f, .1f), 0, 0, 0);
    struct sim_rigid_shape shape = compound_of(&part, 1);
    struct sim_rigid_compound *compound = NULL;
    struct fault fault;
    shape.measured = true;
    shape.measures = measures;
    assert_int_equal(sim_rigid_compound_make(&shape, SCENE_Q, &compound, &fault), FAULT_INVALID);
    assert_null(compound);
    assert_string_equal(fault.field, field);
    if (!strstr(fault.text, text)) {
        fail_msg("\"%s\" does not say \"%s\"", fault.text, text);
    }
}

static void measures_of_no_solid_are_refused(void **state)
{
    (void)state;
    const struct sim_rigid_measures good = {.volume = .04, .inertia = {.02 / 3, .26 / 3, .26 / 3}};
    struct sim_rigid_measures bad = good;
    bad.volume = 0;
    unmeasurable(bad, "rigid.measures.volume", "0 m^3; must be above 0");
    bad.volume = 2;
    unmeasurable(bad, "rigid.measures.volume", "2 m^3; must be above 0, and at most 1.1");
    bad = good;
    bad.inertia[0] = .6 / 3; // more than both others
    unmeasurable(bad, "rigid.measures.inertia", "of no solid that reaches");
    bad.inertia[0] = 0;
    unmeasurable(bad, "rigid.measures.inertia", "of no solid");
    bad = good;
    bad.products[0] = .1; // not positive definite
    unmeasurable(bad, "rigid.measures.inertia", "of no solid");
    bad.products[0] = (double)NAN;
    unmeasurable(bad, "rigid.measures.inertia", "of no solid");
    bad = good;
    bad.inertia[0] = bad.inertia[1] = bad.inertia[2] = 1;
    unmeasurable(bad, "rigid.measures.inertia", "of no solid");
    bad = good;
    bad.centre[0] = 100;
    unmeasurable(bad, "rigid.parts", "from the centre of mass; must be at most 4 m");
}

static void refused(const struct sim_rigid_part *parts, uint32_t count, const char *text)
{
    struct sim_rigid_compound *compound = NULL;
    struct fault fault;
    const struct sim_rigid_shape shape = compound_of(parts, count);
    assert_int_equal(sim_rigid_compound_make(&shape, SCENE_Q, &compound, &fault), FAULT_INVALID);
    assert_null(compound);
    assert_string_equal(fault.field, "rigid.parts");
    if (!strstr(fault.text, text)) {
        fail_msg("\"%s\" does not say \"%s\"", fault.text, text);
    }
}

static void what_is_no_compound_is_refused(void **state)
{
    (void)state;
    struct sim_rigid_part parts[SIM_RIGID_PARTS_MAX + 1];
    for (uint32_t i = 0; i <= SIM_RIGID_PARTS_MAX; i++) {
        parts[i] = part_at(piece_sphere(.1f), 0, 0, .1 * i);
    }
    refused(parts, 0, "0 parts; a compound has 1 to 32");
    refused(parts, SIM_RIGID_PARTS_MAX + 1, "33 parts");
    parts[1].shape.radius = 0;
    refused(parts, 2, "[1]: radius: 0 m; must be in");
    parts[1] = part_at(piece_sphere(.1f), 0, 0, 20);
    refused(parts, 2, "from the centre of mass; must be at most 4 m");
    parts[1] = part_at(piece_sphere(.1f), 0, INFINITY, 0);
    refused(parts, 2, "[1]: position");
    parts[1] = part_at(
        (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = TETRAHEDRON, .point_count = 3}, 0, 0, 0);
    refused(parts, 2, "[1]: points: 3 points; a hull needs 4");
    parts[1] = part_at(compound_of(parts, 1), 0, 0, 0);
    refused(parts, 2, "[1]: form");
    parts[1] = part_at(piece_sphere(.1f), 0, 0, 0);
    parts[1].turn[3] = 0;
    refused(parts, 2, "[1]: rotation");
}

// ------------------------------------------------------------------------------------------------------ motion, contact

// A box and the same in parts fall onto a corner, and come to lie alike on a plane, a slab, a level field and another box.
static void a_box_in_parts_falls_as_the_box_does(void **state)
{
    (void)state;
    const double half[3] = {.1, .15, .2}, at[3] = {.02, 0, -.05};
    static const double level[9] = {0};
    struct sim_rigid_part parts[4];
    const struct sim_rigid_shape shapes[2] = {piece_box(.1f, .15f, .2f),
                                              compound_of(parts, box_parts(half, at, parts))};
    for (int ground = 0; ground < 4; ground++) {
        double x[2][3], axis[2][3];
        for (int i = 0; i < 2; i++) {
            struct sim *sim = scene_create(twenty(true));
            const struct sim_collider grounds[3] = {{.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = .5},
                                                    {.kind = SIM_BOX,
                                                     .position = {0, -.2, 0},
                                                     .rotation = {0, 0, 0, 1},
                                                     .half_extents = {2, .2, 2},
                                                     .friction = .5},
                                                    {.kind = SIM_HEIGHT_FIELD,
                                                     .rotation = {0, 0, 0, 1},
                                                     .heights = level,
                                                     .height_count = 9,
                                                     .columns = 3,
                                                     .spacing = 2,
                                                     .friction = .5}};
            struct fault fault;
            uint32_t id;
            if (ground < 3) {
                assert_int_equal(sim_collider_add(sim, &grounds[ground], &id, &fault), FAULT_NONE);
            } else {
                piece_add(sim,
                          &(struct piece){.shape = piece_box(2, .2f, 2), .x = {0, -.2, 0}, .friction = .5});
            }
            const uint32_t body = piece_add(
                sim,
                &(struct piece){
                    .shape = shapes[i], .mass = 3, .friction = .5, .q = {.2, .1, .35, 1}, .x = {0, .4, 0}});
            scene_run(sim, 120);
            scene_position(sim, body, 0, x[i]);
            piece_axis(sim, body, 1, axis[i]);
            sim_destroy(sim);
        }
        for (int k = 0; k < 3; k++) {
            assert_near(x[0][k], x[1][k], 1e-2);
            assert_near(axis[0][k], axis[1][k], 5e-3);
        }
        const double high[3] = {.1, .15, .2}; // it lies on a face
        double least = 1;
        for (int k = 0; k < 3; k++) {
            least = fmin(least, fabs(x[1][1] - high[k]));
        }
        assert_near(least, 0, 1e-4);
    }
}

static void a_stack_of_compounds_stands(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    const double half[3] = {.2, .1, .2};
    struct sim_rigid_part parts[4];
    const struct sim_rigid_shape shape = compound_of(parts, box_parts(half, ORIGIN, parts));
    struct sim *sim = scene_create(twenty(true));
    scene_plane(sim, ORIGIN, UP, .5);
    for (int i = 0; i < COUNT; i++) {
        piece_add(sim, &(struct piece){.shape = shape, .mass = 1, .x = {0, .1 + .2 * i, 0}, .friction = .5});
    }
    scene_run(sim, 600);
    for (uint32_t i = 0; i < COUNT; i++) {
        double x[3];
        scene_position(sim, sim->bodies[i]->id, 0, x);
        assert_near(x[0], 0, 1e-3);
        assert_near(x[1], .1 + .2 * i, 1e-3);
        assert_near(x[2], 0, 1e-3);
    }
    sim_destroy(sim);
}

// A frame of four bars, in its own xy plane, which is open in the middle.
static uint32_t ring_parts(struct sim_rigid_part parts[4])
{
    parts[0] = part_at(piece_capsule(.03f, .2f), -.2, 0, 0);
    parts[1] = part_at(piece_capsule(.03f, .2f), .2, 0, 0);
    const double quarter[4] = {0, 0, 1, 1};
    for (int i = 2; i < 4; i++) {
        parts[i] = part_at(piece_capsule(.03f, .2f), 0, i == 2 ? -.2 : .2, 0);
        sim_turn_from(quarter, parts[i].turn);
    }
    return 4;
}

// Links of a chain hang in each other: hull upon hull they would push each other out.
static void links_of_a_chain_hang(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    struct sim_rigid_part parts[4];
    const struct sim_rigid_shape ring = compound_of(parts, ring_parts(parts));
    struct sim *sim = scene_create(twenty(true));
    uint32_t bodies[COUNT];
    for (int i = 0; i < COUNT; i++) {
        // Each second one is turned by a right angle about y. The inner edges touch.
        bodies[i] = piece_add(sim, &(struct piece){.shape = ring,
                                                   .mass = i == 0 ? 0 : 1,
                                                   .q = {0, i % 2, 0, 1},
                                                   .x = {.002 * i, 2 - .345 * i, .001 * i},
                                                   .friction = .4});
    }
    scene_run(sim, 300);
    for (int i = 1; i < COUNT; i++) {
        double x[3], above[3];
        scene_position(sim, bodies[i], 0, x);
        scene_position(sim, bodies[i - 1], 0, above);
        assert_near(above[1] - x[1], .34, 5e-3);
        assert_true(fabs(x[0]) < .1 && fabs(x[2]) < .1);
    }
    sim_destroy(sim);
}

// A hook that is thrown at a bar stays on it. The centre of mass of the hook is in no part of it.
static void a_hook_holds_on_a_bar(void **state)
{
    (void)state;
    struct sim_rigid_part parts[3] = {part_at(piece_box(.15f, .03f, .05f), 0, .3, 0),
                                      part_at(piece_box(.03f, .15f, .05f), -.12, .15, 0),
                                      part_at(piece_box(.03f, .15f, .05f), .12, .15, 0)};
    struct sim *sim = scene_create(twenty(true));
    struct fault fault;
    uint32_t id;
    const struct sim_collider bar = {.kind = SIM_CYLINDER,
                                     .rotation = {1, 0, 0, 1},
                                     .radius = .05,
                                     .length = 2,
                                     .position = {0, 1, 0},
                                     .friction = .5};
    assert_int_equal(sim_collider_add(sim, &bar, &id, &fault), FAULT_NONE);
    const uint32_t body = piece_add(
        sim,
        &(struct piece){
            .shape = compound_of(parts, 3), .mass = 2, .x = {.01, 1.1, 0}, .v = {.3f, 0, 0}, .friction = .5});
    double x[3], late[3];
    scene_run(sim, 300);
    scene_position(sim, body, 0, x);
    scene_run(sim, 60);
    scene_position(sim, body, 0, late);
    // It leans on one side, so that the bar is in a corner of it.
    assert_true(x[1] > .9 && x[1] < 1 && fabs(x[0]) < .05);
    for (int k = 0; k < 3; k++) {
        assert_near(x[k], late[k], 2e-3);
    }
    sim_destroy(sim);
}

static void momenta_are_kept(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    struct sim *sim = scene_create(twenty(false));
    struct sim_rigid_part ring[4], box[4];
    const double half[3] = {.2, .15, .1};
    const struct sim_rigid_shape shapes[3] = {compound_of(ring, ring_parts(ring)),
                                              compound_of(box, box_parts(half, ORIGIN, box)),
                                              piece_sphere(.15f)};
    uint64_t seed = 5;
    double before[3] = {0}, after[3] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        struct piece piece = {.shape = shapes[i % 3], .mass = 1 + i % 3, .restitution = .5, .friction = .4};
        for (int k = 0; k < 3; k++) {
            piece.x[k] = (i >> k & 1) != 0 ? .7 : -.7;
            piece.v[k] = (float)(-2 * piece.x[k] + scene_uniform(&seed) - .5);
            piece.spin[k] = (float)(4 * scene_uniform(&seed) - 2);
            before[k] += piece.mass * (double)piece.v[k];
        }
        piece_add(sim, &piece);
    }
    scene_run(sim, 90);
    float turned = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        float v[3], spin[3];
        scene_velocity(sim, sim->bodies[i]->id, 0, v);
        piece_spin(sim, sim->bodies[i]->id, spin);
        turned += fabsf(spin[0]);
        for (int k = 0; k < 3; k++) {
            after[k] += (1 + i % 3) * (double)v[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_near(before[k], after[k], 3e-4);
    }
    assert_true(turned > 0);
    sim_destroy(sim);
}

// At 50 m/s no part of it passes a thin plate.
static void nothing_fast_passes(void **state)
{
    (void)state;
    struct sim_rigid_part ring[4], box[4];
    const double half[3] = {.1, .05, .08};
    const struct sim_rigid_shape shapes[2] = {compound_of(ring, ring_parts(ring)),
                                              compound_of(box, box_parts(half, ORIGIN, box))};
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(twenty(false));
        struct fault fault;
        uint32_t id;
        const struct sim_collider plate = {
            .kind = SIM_BOX, .rotation = {0, 0, 0, 1}, .half_extents = {5, .01, 5}, .friction = .3};
        assert_int_equal(sim_collider_add(sim, &plate, &id, &fault), FAULT_NONE);
        const uint32_t body = piece_add(sim, &(struct piece){.shape = shapes[i % 2],
                                                             .mass = 1,
                                                             .x = {0, 2, 0},
                                                             .q = {.3, .1 * i, .2, 1},
                                                             .v = {3, -50, 0},
                                                             .spin = {0, 0, i < 2 ? 0 : 20},
                                                             .friction = .3});
        for (int tick = 0; tick < 30; tick++) {
            double x[3];
            scene_run(sim, 1);
            scene_position(sim, body, 0, x);
            assert_true(x[1] > 0);
        }
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------ cloth

enum { SIDE = 17 };
#define EDGE .05
#define THICK .004

static uint32_t sheet_add(struct sim *sim)
{
    struct scene_mesh mesh =
        scene_grid(SIDE, SIDE, EDGE, (const double[3]){-.5 * (SIDE - 1) * EDGE, 0, -.5 * (SIDE - 1) * EDGE});
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[4 * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        if (column == 0 || row == 0 || column == SIDE - 1 || row == SIDE - 1) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = .3;
    desc.thickness = THICK;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = .5};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static void compounds_do_not_pierce_a_sheet(void **state)
{
    (void)state;
    uint64_t seed = 12;
    struct sim_rigid_part ring[4], box[4];
    const double half[3] = {.08, .05, .06};
    const struct sim_rigid_shape shapes[2] = {compound_of(ring, ring_parts(ring)),
                                              compound_of(box, box_parts(half, ORIGIN, box))};
    for (int round = 0; round < 4; round++) {
        struct sim *sim = scene_create(twenty(true));
        sheet_add(sim);
        struct piece piece = {.shape = shapes[round % 2],
                              .mass = .05 * (1 + 4 * round * round),
                              .x = {0, .3, 0},
                              .friction = .3};
        for (int k = 0; k < 3; k++) {
            piece.q[k] = scene_uniform(&seed) - .5;
            piece.v[k] = k == 1 ? -2 * (float)round : (float)(scene_uniform(&seed) - .5);
            piece.spin[k] = (float)(20 * scene_uniform(&seed) - 10);
        }
        piece.q[3] = 1;
        piece_add(sim, &piece);
        for (int tick = 0; tick < 40; tick++) {
            struct sim_meetings told;
            scene_run(sim, 1);
            sim_meetings_of(sim, &told);
            assert_int_equal(told.pierced, 0);
        }
        sim_destroy(sim);
    }
}

static void a_box_in_parts_rests_in_a_hammock_as_the_box_does(void **state)
{
    (void)state;
    const double half[3] = {.12, .04, .08};
    struct sim_rigid_part parts[4];
    const struct sim_rigid_shape shapes[2] = {piece_box(.12f, .04f, .08f),
                                              compound_of(parts, box_parts(half, ORIGIN, parts))};
    double x[2][3], axis[2][3];
    for (int i = 0; i < 2; i++) {
        struct sim_settings settings = twenty(true);
        settings.damping = 3;
        struct sim *sim = scene_create(settings);
        sheet_add(sim);
        const uint32_t body = piece_add(
            sim, &(struct piece){.shape = shapes[i], .mass = 1, .friction = .5, .x = {.02, .1, .01}});
        scene_run(sim, 150);
        scene_position(sim, body, 0, x[i]);
        piece_axis(sim, body, 1, axis[i]);
        sim_destroy(sim);
    }
    for (int k = 0; k < 3; k++) {
        assert_near(x[0][k], x[1][k], 3e-3);
        assert_near(axis[0][k], axis[1][k], 2e-2);
    }
}

// ------------------------------------------------------------------------------------------------------ state

static void a_reset_and_an_image_bring_all_back(void **state)
{
    (void)state;
    struct sim *sim = scene_create(twenty(true));
    struct fault fault;
    struct sim_rigid_part parts[4];
    ring_parts(parts);
    parts[3].shape =
        (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = TETRAHEDRON, .point_count = 4};
    scene_plane(sim, ORIGIN, UP, .5);
    for (int i = 0; i < 3; i++) {
        piece_add(sim, &(struct piece){.shape = compound_of(parts, 4),
                                       .mass = 1,
                                       .x = {.1 * i, 2 + 3 * i, 0},
                                       .spin = {1, 2, 3},
                                       .friction = .5});
    }
    const uint64_t start = sim_hash(sim);
    scene_run(sim, 40);
    const uint64_t later = sim_hash(sim);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    sim_reset(sim);
    assert_true(sim_hash(sim) == start);
    scene_run(sim, 60);
    struct sim *other = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(other);
    assert_true(sim_hash(other) == later);
    scene_run(other, 20);
    assert_true(sim_hash(other) == sim_hash(sim));
    sim_image_deinit(&image);
    sim_destroy(sim);
    sim_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_in_parts_has_the_inertia_of_the_box),
        cmocka_unit_test(parts_have_their_inertia),
        cmocka_unit_test(told_parts_make_the_same_compound),
        cmocka_unit_test(measures_are_taken_in_place_of_sums),
        cmocka_unit_test(measures_of_no_solid_are_refused),
        cmocka_unit_test(what_is_no_compound_is_refused),
        cmocka_unit_test(a_box_in_parts_falls_as_the_box_does),
        cmocka_unit_test(a_stack_of_compounds_stands),
        cmocka_unit_test(links_of_a_chain_hang),
        cmocka_unit_test(a_hook_holds_on_a_bar),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(nothing_fast_passes),
        cmocka_unit_test(compounds_do_not_pierce_a_sheet),
        cmocka_unit_test(a_box_in_parts_rests_in_a_hammock_as_the_box_does),
        cmocka_unit_test(a_reset_and_an_image_bring_all_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
