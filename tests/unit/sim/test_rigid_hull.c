// Rigid pieces that are hulls: volume and inertia by exact values, motion against boxes, rest on each face, stacks, and cloth.
#include "helper_piece.h"

#include "sim/contact/pieces.h"
#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"
#include "sim/rigid/touching.h"
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

static struct sim_settings twenty(bool falls)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.gravity[1] = falls ? -G : 0;
    return settings;
}

static struct sim_rigid_shape hull_of(const double *points, uint32_t count)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = points, .point_count = count};
}

// The corners of a box about a place.
static void box_points(const double half[3], const double at[3], double points[24])
{
    for (int i = 0; i < 24; i++) {
        points[i] = at[i % 3] + ((i / 3 >> (i % 3) & 1) != 0 ? half[i % 3] : -half[i % 3]);
    }
}

// Points on a ball, of which each is a vertex.
static void ball_points(double radius, uint32_t count, double *points)
{
    for (uint32_t i = 0; i < count; i++) {
        const double y = 1 - (2 * i + 1.0) / count, across = sqrt(1 - y * y), angle = 2.399963 * i;
        points[3 * i] = radius * across * cos(angle);
        points[3 * i + 1] = radius * y;
        points[3 * i + 2] = radius * across * sin(angle);
    }
}

static const double TETRAHEDRON[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
// A wedge whose centre of mass is over its lower face, and no face of which is like another one.
static const double WEDGE[18] = {0, 0, 0, .8, 0, 0, .7, 0, .5, .1, 0, .6, .2, .4, .2, .5, .35, .3};

static const struct sim_rigid_own *own_of(const struct sim *sim, uint32_t body)
{
    const struct sim_rigid_own *own = NULL;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        own = sim->bodies[b]->id == body ? sim->bodies[b]->rigid : own;
    }
    return own;
}

// ------------------------------------------------------------------------------------------------------ mass

static void a_tetrahedron_has_its_inertia(void **state)
{
    (void)state;
    const double centre[3] = {.25, .5, .75}, inertia[3] = {.4875, .375, .1875}, skew[3] = {.075, .0375, .025};
    for (int far = 0; far < 2; far++) {
        struct sim *sim = scene_create(twenty(false));
        double points[12], position[3] = {0, 0, 0}, mass;
        for (int i = 0; i < 12; i++) {
            points[i] = TETRAHEDRON[i] + far * 64.0 * (1 + i % 3); // where its points stand does not matter
        }
        const struct sim_rigid_shape shape = hull_of(points, 4);
        const uint32_t body = scene_add(sim, &(struct sim_body_desc){.kind = SIM_RIGID,
                                                                     .particle_count = 1,
                                                                     .positions = position,
                                                                     .density = 2,
                                                                     .rigid = &shape});
        const struct sim_rigid_own *own = own_of(sim, body);
        sim_body_masses(sim, body, &mass);
        assert_near(own->volume, 1, 1e-6);
        assert_near(mass, 2, 2e-6);
        assert_true(own->skewed);
        for (int i = 0; i < 3; i++) {
            const double unit[3] = {i == 0, i == 1, i == 2};
            double column[3], back[3];
            assert_near(own->inertia[i], inertia[i], 1e-6);
            assert_near(own->skew[i], skew[i], 1e-6);
            assert_near(own->shape.points[i], -centre[i], 1e-6);
            // The inverse is the inverse.
            sim_symmetric(own->inverse, own->inverse_skew, unit, column);
            sim_symmetric(own->inertia, own->skew, column, back);
            for (int k = 0; k < 3; k++) {
                assert_near(back[k], unit[k], 1e-12);
            }
        }
        sim_destroy(sim);
    }
}

static void a_box_of_points_is_a_box(void **state)
{
    (void)state;
    const double half[3] = {.5, 1, 1.5}, at[3] = {7, -3, 2};
    double points[27];
    box_points(half, at, points);
    memcpy(points + 24, at, sizeof at); // and one inside
    struct sim *sim = scene_create(twenty(false));
    const uint32_t hull = piece_add(sim, &(struct piece){.shape = hull_of(points, 9), .mass = 3});
    const uint32_t box =
        piece_add(sim, &(struct piece){.shape = piece_box(.5f, 1, 1.5f), .mass = 3, .x = {20, 0, 0}});
    const struct sim_rigid_own *one = own_of(sim, hull), *other = own_of(sim, box);
    assert_false(one->skewed);
    assert_int_equal(one->shape.point_count, 8);
    assert_near(one->volume, other->volume, 1e-5);
    for (int i = 0; i < 3; i++) {
        assert_near(one->inertia[i], other->inertia[i], 1e-6);
    }
    assert_near(sim_rigid_reach(&one->shape), sim_rigid_reach(&other->shape), 1e-6);
    sim_destroy(sim);
}

// The vertices that are told make the same hull, to the last bit.
static void vertices_make_the_same_hull(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int round = 0; round < 200; round++) {
        double points[3 * 24];
        const double thin = round % 4 == 0 ? 0.004 : 1; // some are plates
        for (int i = 0; i < 3 * 24; i++) {
            points[i] = (i % 3 == 1 ? thin : 1) * (scene_uniform(&seed) - .2) + round % 3;
        }
        const struct sim_rigid_shape given = hull_of(points, 24);
        struct sim_hull *first = NULL, *second = NULL;
        double centre[3];
        struct fault fault;
        assert_int_equal(sim_rigid_hull_make(&given, SCENE_Q, &first, centre, &fault), FAULT_NONE);
        const struct sim_rigid_shape told = hull_of(first->vertices[0], first->vertex_count);
        assert_int_equal(sim_rigid_hull_make(&told, SCENE_Q, &second, centre, &fault), FAULT_NONE);
        assert_memory_equal(first, second, sizeof *first);
        free(first);
        free(second);
    }
}

static void refused(const double *points, uint32_t count, enum fault_code code, const char *text)
{
    struct sim_hull *hull = NULL;
    struct fault fault;
    double centre[3];
    const struct sim_rigid_shape shape = hull_of(points, count);
    assert_int_equal(sim_rigid_hull_make(&shape, SCENE_Q, &hull, centre, &fault), code);
    assert_null(hull);
    assert_string_equal(fault.field, "rigid.points");
    if (!strstr(fault.text, text)) {
        fail_msg("\"%s\" does not say \"%s\"", fault.text, text);
    }
}

static void what_is_no_hull_is_refused(void **state)
{
    (void)state;
    static const double flat[15] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, .5, 0, .5};
    const double none[3] = {0, 0, 0}, thin[3] = {1, .0009, 1}, small[3] = {5e-6, 5e-6, 5e-6},
                 large[3] = {3, 3, 3};
    double many[3 * 65], box[24];
    ball_points(1, 65, many);
    refused(NULL, 0, FAULT_INVALID, "0 points; a hull needs 4 to 512");
    refused(flat, 3, FAULT_INVALID, "3 points; a hull needs 4 to 512");
    refused(flat, 5, FAULT_INVALID, "lie in a plane");
    refused(many, 65, FAULT_LIMIT, "has 65 vertices; at most 64");
    many[4] = NAN;
    refused(many, 8, FAULT_INVALID, "[4] is nan m");
    box_points(thin, none, box);
    refused(box, 8, FAULT_INVALID, "from the centre of mass; must be at least 0.00141");
    box_points(small, none, box);
    refused(box, 8, FAULT_INVALID, "1024 quanta");
    box_points(large, none, box);
    refused(box, 8, FAULT_INVALID, "must be at most 4 m");
}

// ---------------------------------------------------------------------------------------------------- motion

// A free hull whose axes are not its principal ones keeps its momenta to the last bit, and its energy.
static void a_free_hull_keeps_what_it_has(void **state)
{
    (void)state;
    struct sim *sim = scene_create(twenty(false));
    const uint32_t body = piece_add(sim, &(struct piece){.shape = hull_of(WEDGE, 6),
                                                         .mass = 2,
                                                         .q = {.1, -.2, .05, 1},
                                                         .v = {.5f, .25f, -.125f},
                                                         .spin = {2, 7, -3}});
    assert_true(own_of(sim, body)->skewed);
    const struct sim_rigid *rigid = &sim->rigids.items[0];
    float momentum[3], v[3];
    double most = 0;
    memcpy(momentum, sim->spins[rigid->row].v, sizeof momentum);
    const double energy = sim_rigid_energy(sim, sim->bodies[0], 0);
    for (int second = 0; second < 60; second++) {
        scene_run(sim, 60);
        scene_velocity(sim, body, 0, v);
        assert_true(v[0] == .5f && v[1] == .25f && v[2] == -.125f);
        assert_memory_equal(momentum, sim->spins[rigid->row].v, sizeof momentum);
        most = fmax(most, fabs(sim_rigid_energy(sim, sim->bodies[0], 0) / energy - 1));
    }
    assert_true(most < 1e-5);
    sim_destroy(sim);
}

// A box whose points are turned by r, and which stands turned back by it, moves as the box does.
static void axes_of_the_points_are_free(void **state)
{
    (void)state;
    const double half[3] = {.1, .3, .2}, r[4] = {.36, -.48, 0, .8};
    double box[24], points[24], axes[3][3], at[2][3], axis[2][3];
    box_points(half, ORIGIN, box);
    sim_axes_of(r, axes);
    for (int i = 0; i < 24; i++) {
        const double *p = box + i / 3 * 3;
        points[i] = (p[0] * axes[0][i % 3] + p[1] * axes[1][i % 3]) + p[2] * axes[2][i % 3];
    }
    struct sim *sims[2];
    uint32_t bodies[2];
    for (int i = 0; i < 2; i++) {
        struct piece piece = {.shape = i ? hull_of(points, 8) : piece_box(.1f, .3f, .2f),
                              .mass = 1.5,
                              .spin = {3, 2, -4},
                              .q = {0, 0, 0, 1}};
        if (i) {
            const double back[4] = {-r[0], -r[1], -r[2], r[3]};
            memcpy(piece.q, back, sizeof back);
        }
        sims[i] = scene_create(twenty(false));
        bodies[i] = piece_add(sims[i], &piece);
    }
    assert_true(own_of(sims[1], bodies[1])->skewed);
    scene_run(sims[0], 300);
    scene_run(sims[1], 300);
    // The x axis of the box.
    piece_axis(sims[0], bodies[0], 0, axis[0]);
    memset(axis[1], 0, sizeof axis[1]);
    for (int k = 0; k < 3; k++) {
        piece_axis(sims[1], bodies[1], k, at[1]);
        for (int i = 0; i < 3; i++) {
            axis[1][i] += axes[0][k] * at[1][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        assert_near(axis[0][i], axis[1][i], 2e-4);
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

// ------------------------------------------------------------------------------------------------------- rest

// A box and a hull of its corners that fall onto a floor, turned, come to lie at the same place.
static void a_hull_lands_as_a_box(void **state)
{
    (void)state;
    const double half[3] = {.2, .1, .15};
    double points[24], at[2][3], axis[2][3];
    box_points(half, ORIGIN, points);
    for (int i = 0; i < 2; i++) {
        struct sim *sim = scene_create(twenty(true));
        scene_plane(sim, ORIGIN, UP, .5);
        const uint32_t body =
            piece_add(sim, &(struct piece){.shape = i ? hull_of(points, 8) : piece_box(.2f, .1f, .15f),
                                           .mass = 2,
                                           .x = {0, .3, 0},
                                           .q = {.05, .02, .1, 1},
                                           .friction = .5,
                                           .v = {.5f, 0, .2f}});
        scene_run(sim, 90);
        scene_position(sim, body, 0, at[i]);
        piece_axis(sim, body, 0, axis[i]);
        assert_near(at[i][1], .1, 1e-4);
        sim_destroy(sim);
    }
    for (int k = 0; k < 3; k++) {
        assert_near(at[0][k], at[1][k], 1e-3);
        assert_near(axis[0][k], axis[1][k], 5e-3);
    }
}

// Puts a hull with each of its faces onto a floor. What stands on a face that its centre of mass is over stays as it is.
static void rests_on_each_face(const double *points, uint32_t count, bool collider, uint32_t least)
{
    const struct sim_rigid_shape shape = hull_of(points, count);
    struct sim_hull *hull = NULL;
    struct fault fault;
    double centre[3];
    uint32_t stood = 0, id;
    assert_int_equal(sim_rigid_hull_make(&shape, SCENE_Q, &hull, centre, &fault), FAULT_NONE);
    sim_polyhedron_make(hull);
    for (uint32_t f = 0; f < hull->whole.face_count; f++) {
        const struct sim_polyhedron_face *face = &hull->whole.faces[f];
        const double *n = face->normal;
        // The foot of the centre of mass is well inside of the face.
        bool over = true;
        for (uint32_t k = 0; k < face->count; k++) {
            const double *from = hull->vertices[hull->whole.corners[face->first + k]];
            const double *to = hull->vertices[hull->whole.corners[face->first + (k + 1) % face->count]];
            const double side[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
            double out[3], way[3];
            sim_cross(side, n, out);
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = n[axis] * face->offset - from[axis];
            }
            over = over && sim_dot(out, way) < -.01 * sqrt(sim_dot(side, side));
        }
        if (!over) {
            continue;
        }
        struct sim *sim = scene_create(twenty(true));
        static const double floor[24] = {-2, 0,  -2, 2, 0,  -2, 2, 0,  2, -2, 0,  2,
                                         -3, -1, -3, 3, -1, -3, 3, -1, 3, -3, -1, 3};
        const struct sim_collider table = {
            .kind = SIM_CONVEX, .rotation = {0, 0, 0, 1}, .points = floor, .point_count = 8, .friction = .5};
        double at[3], axis[3], before[3];
        float spin[3];
        // The shortest turn of n to -y: (n x -y, 1 - n.y).
        struct piece piece = {.shape = shape, .mass = 3, .friction = .5, .x = {0, face->offset, 0}};
        piece.q[0] = n[2];
        piece.q[2] = -n[0];
        piece.q[3] = 1 - n[1];
        if (piece.q[3] < 1e-9) {
            piece.q[0] = 1;
        }
        if (collider) {
            assert_int_equal(sim_collider_add(sim, &table, &id, &fault), FAULT_NONE);
        } else {
            scene_plane(sim, ORIGIN, UP, .5);
        }
        const uint32_t body = piece_add(sim, &piece);
        piece_axis(sim, body, 1, before);
        scene_run(sim, 90);
        scene_position(sim, body, 0, at);
        piece_axis(sim, body, 1, axis);
        piece_spin(sim, body, spin);
        assert_near(at[0], 0, 1e-4);
        assert_near(at[1], face->offset, 2e-5);
        assert_near(at[2], 0, 1e-4);
        for (int k = 0; k < 3; k++) {
            assert_near(axis[k], before[k], 2e-4);
            assert_near((double)spin[k], 0, 2e-3);
        }
        stood++;
        sim_destroy(sim);
    }
    assert_true(stood >= least);
    free(hull);
}

static void hulls_rest_on_their_faces(void **state)
{
    (void)state;
    double prism[3 * 14];
    for (int i = 0; i < 14; i++) { // of seven sides
        prism[3 * i] = .3 * cos(i / 2 * 0.8975979);
        prism[3 * i + 1] = i % 2 ? .15 : -.15;
        prism[3 * i + 2] = .3 * sin(i / 2 * 0.8975979);
    }
    for (int collider = 0; collider < 2; collider++) {
        rests_on_each_face(WEDGE, 6, collider, 3);
        rests_on_each_face(TETRAHEDRON, 4, collider, 1);
        rests_on_each_face(prism, 14, collider, 9);
    }
}

// Hulls of bricks on each other stand, and those above press those below by their weight.
static void a_stack_of_hulls_stands(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    const double half[3] = {.25, .25, .25};
    double points[24], x[3];
    uint32_t bodies[COUNT];
    box_points(half, ORIGIN, points);
    struct sim *sim = scene_create(twenty(true));
    scene_plane(sim, ORIGIN, UP, .5);
    for (uint32_t i = 0; i < COUNT; i++) {
        // Every third is a box.
        bodies[i] = piece_add(
            sim, &(struct piece){.shape = i % 3 == 2 ? piece_box(.25f, .25f, .25f) : hull_of(points, 8),
                                 .mass = 10,
                                 .x = {0, .25 + .5 * i, 0},
                                 .friction = .5});
    }
    scene_run(sim, 600);
    for (uint32_t p = 0; p < sim->rigids.touching->pair_count; p++) {
        const struct sim_touch_pair *pair = &sim->rigids.touching->pairs[p];
        const double h = (double)sim->times.h;
        double pushed = 0;
        assert_int_equal(pair->count, 4);
        for (uint32_t k = 0; k < pair->count; k++) {
            pushed += pair->points[k].pushed;
        }
        const uint32_t above = pair->b < COUNT ? COUNT - pair->b : COUNT;
        assert_near(pushed / (h * h), above * 10 * G, .02 * above * 10 * G);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        scene_position(sim, bodies[i], 0, x);
        assert_near(x[1], .25 + .5 * i, 1e-3);
        assert_true(fabs(x[0]) < 2e-3 && fabs(x[2]) < 2e-3);
    }
    sim_destroy(sim);
}

// Hulls, boxes, balls and capsules that fly into each other keep their momenta.
static void momenta_are_kept(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    struct sim *sim = scene_create(twenty(false));
    uint64_t seed = 5;
    double ball[3 * 20], before[6] = {0}, after[6] = {0};
    uint32_t bodies[COUNT];
    ball_points(.2, 20, ball);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct piece piece = {.mass = 1 + i % 3, .restitution = .5, .friction = .4};
        piece.shape = i % 4 == 0   ? hull_of(WEDGE, 6)
                      : i % 4 == 1 ? piece_box(.2f, .15f, .1f)
                      : i % 4 == 2 ? hull_of(ball, 20)
                                   : piece_capsule(.1f, .2f);
        for (int k = 0; k < 3; k++) {
            piece.x[k] = 1.2 * ((i / (k == 0   ? 1
                                      : k == 1 ? 2
                                               : 4)) %
                                2) +
                         .3 * scene_uniform(&seed) + (i >= 8 ? 2.4 * (k == 0) : 0);
            piece.v[k] = (float)(-2 * piece.x[k] + 1.2);
            piece.q[k] = scene_uniform(&seed) - .5;
            piece.spin[k] = (float)(4 * scene_uniform(&seed) - 2);
        }
        piece.q[3] = 1;
        bodies[i] = piece_add(sim, &piece);
    }
    uint32_t touched = 0;
    for (int tick = 0; tick <= 60; tick++) {
        double *sums = tick == 0 ? before : after;
        memset(sums, 0, sizeof before);
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t row = sim->rigids.items[i].row;
            const double mass = 1 / (double)sim->rows[row].w;
            double x[3], v[3], turns[3];
            float told[3];
            scene_position(sim, bodies[i], 0, x);
            scene_velocity(sim, bodies[i], 0, told);
            for (int k = 0; k < 3; k++) {
                v[k] = mass * (double)told[k];
            }
            sim_cross(x, v, turns);
            for (int k = 0; k < 3; k++) {
                sums[k] += v[k];
                sums[3 + k] += turns[k] + (double)sim->spins[row].v[k];
            }
        }
        scene_run(sim, 1);
        touched += sim->rigids.touching->pair_count > 0;
    }
    assert_true(touched > 5);
    for (int k = 0; k < 6; k++) {
        assert_near(before[k], after[k], k < 3 ? 3e-4 : 1e-2);
    }
    sim_destroy(sim);
}

static void nothing_passes_a_plate_at_speed(void **state)
{
    (void)state;
    const double half[3] = {1, 1, .01};
    double points[24], ball[3 * 30], x[3];
    box_points(half, ORIGIN, points);
    ball_points(.05, 30, ball);
    for (int c = 0; c < 3; c++) {
        struct sim *sim = scene_create(twenty(false));
        const struct sim_collider plate = {
            .kind = SIM_CONVEX, .rotation = {0, 0, 0, 1}, .points = points, .point_count = 8};
        struct fault fault;
        uint32_t id;
        if (c == 0) {
            assert_int_equal(sim_collider_add(sim, &plate, &id, &fault), FAULT_NONE);
        } else {
            piece_add(sim, &(struct piece){.shape = hull_of(points, 8), .mass = 0});
        }
        const uint32_t marble =
            piece_add(sim, &(struct piece){.shape = c == 2 ? piece_capsule(.03f, .05f) : hull_of(ball, 30),
                                           .mass = .1,
                                           .x = {.1, .2, -1},
                                           .q = {.1, .2, .3, 1},
                                           .v = {0, 0, 50}});
        for (int tick = 0; tick < 12; tick++) {
            scene_run(sim, 1);
            scene_position(sim, marble, 0, x);
            assert_true(x[2] < -.025);
        }
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------ cloth

#define THICK 0.004
#define EDGE 0.05
enum { SIDE = 11 };

static uint32_t sheet_add(struct sim *sim, bool pinned)
{
    struct scene_mesh mesh =
        scene_grid(SIDE, SIDE, EDGE, (const double[3]){-.5 * (SIDE - 1) * EDGE, 0, -.5 * (SIDE - 1) * EDGE});
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[4 * SIDE];
    double masses[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        masses[i] = .1 / (SIDE * SIDE);
        if (pinned && (column == 0 || row == 0 || column == SIDE - 1 || row == SIDE - 1)) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.masses = masses;
    desc.thickness = THICK;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = .5};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

// Points are as far from a hull as from the box that it is, outside and inside.
static void points_see_a_hull_as_the_box(void **state)
{
    (void)state;
    const double half[3] = {.25, .125, .5};
    double points[24];
    box_points(half, ORIGIN, points);
    const struct sim_rigid_shape given = hull_of(points, 8);
    struct sim_shape shape = {.kind = SIM_BOX, .half_extents = {.25, .125, .5}};
    struct fault fault;
    double centre[3];
    uint64_t seed = 7;
    assert_int_equal(sim_rigid_hull_make(&given, SCENE_Q, &shape.hull, centre, &fault), FAULT_NONE);
    const double r[4] = {.36, -.48, 0, .8};
    sim_axes_of(r, shape.end.axes);
    for (int i = 0; i < 2000; i++) {
        double at[3], wanted[3], normal[3];
        for (int k = 0; k < 3; k++) {
            at[k] = 1.4 * (scene_uniform(&seed) - .5);
        }
        shape.kind = SIM_BOX;
        const double distance = sim_piece_distance(&shape, &shape.end, at, wanted);
        shape.kind = SIM_CONVEX;
        assert_near(sim_piece_distance(&shape, &shape.end, at, normal), distance, 1e-9);
        assert_true(sim_dot(wanted, normal) > 1 - 1e-6);
    }
    free(shape.hull);
}

// Hulls that fall and fly onto a pinned sheet do not pierce it.
static void hulls_do_not_pierce_a_sheet(void **state)
{
    (void)state;
    uint64_t seed = 12;
    double ball[3 * 16];
    ball_points(.05, 16, ball);
    double small[18];
    for (int i = 0; i < 18; i++) {
        small[i] = .15 * WEDGE[i];
    }
    for (int round = 0; round < 12; round++) {
        struct sim *sim = scene_create(twenty(true));
        sheet_add(sim, true);
        struct piece piece = {.shape = round % 2 ? hull_of(small, 6) : hull_of(ball, 16),
                              .mass = .02 * (1 + round * round),
                              .x = {0, .12, 0},
                              .friction = .3};
        for (int k = 0; k < 3; k++) {
            piece.x[k] += k == 1 ? 0 : .2 * (scene_uniform(&seed) - .5);
            piece.q[k] = scene_uniform(&seed) - .5;
            piece.v[k] = k == 1 ? -(float)round : (float)(2 * scene_uniform(&seed) - 1);
            piece.spin[k] = (float)(20 * scene_uniform(&seed) - 10);
        }
        piece.q[3] = 1;
        piece_add(sim, &piece);
        for (int tick = 0; tick < 30; tick++) {
            struct sim_meetings told;
            scene_run(sim, 1);
            sim_meetings_of(sim, &told);
            assert_int_equal(told.pierced, 0);
        }
        sim_destroy(sim);
    }
}

// A box and a hull of its corners come to rest in a hammock at the same height.
static void a_hull_rests_in_a_hammock_as_a_box_does(void **state)
{
    (void)state;
    const double half[3] = {.12, .04, .08};
    double points[24], x[2][3];
    box_points(half, ORIGIN, points);
    for (int i = 0; i < 2; i++) {
        struct sim_settings settings = twenty(true);
        settings.damping = 3;
        struct sim *sim = scene_create(settings);
        sheet_add(sim, true);
        const uint32_t body =
            piece_add(sim, &(struct piece){.shape = i ? hull_of(points, 8) : piece_box(.12f, .04f, .08f),
                                           .mass = 1,
                                           .friction = .5,
                                           .x = {.02, .1, .01}});
        scene_run(sim, 150);
        scene_position(sim, body, 0, x[i]);
        sim_destroy(sim);
    }
    for (int k = 0; k < 3; k++) {
        assert_near(x[0][k], x[1][k], 3e-3);
    }
}

// ------------------------------------------------------------------------------------------------------ state

static void a_reset_and_an_image_bring_all_back(void **state)
{
    (void)state;
    struct sim *sim = scene_create(twenty(true));
    struct fault fault;
    scene_plane(sim, ORIGIN, UP, .5);
    for (int i = 0; i < 3; i++) {
        piece_add(sim, &(struct piece){.shape = hull_of(WEDGE, 6),
                                       .mass = 1,
                                       .x = {.1 * i, .5 + .6 * i, 0},
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
        cmocka_unit_test(a_tetrahedron_has_its_inertia),
        cmocka_unit_test(a_box_of_points_is_a_box),
        cmocka_unit_test(vertices_make_the_same_hull),
        cmocka_unit_test(what_is_no_hull_is_refused),
        cmocka_unit_test(a_free_hull_keeps_what_it_has),
        cmocka_unit_test(axes_of_the_points_are_free),
        cmocka_unit_test(a_hull_lands_as_a_box),
        cmocka_unit_test(hulls_rest_on_their_faces),
        cmocka_unit_test(a_stack_of_hulls_stands),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(nothing_passes_a_plate_at_speed),
        cmocka_unit_test(points_see_a_hull_as_the_box),
        cmocka_unit_test(hulls_do_not_pierce_a_sheet),
        cmocka_unit_test(a_hull_rests_in_a_hammock_as_a_box_does),
        cmocka_unit_test(a_reset_and_an_image_bring_all_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
