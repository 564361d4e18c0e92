// Rigid pieces: inertia and single steps by vectors that were found in double precision by other means, and closed forms of how a free
// body turns.
#include "helper_scene.h"

#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static struct fault fault;

// No gravity, 60 ticks a second of 20 substeps.
static struct sim_settings free_settings(void)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.substeps = 20;
    return settings;
}

static struct sim_rigid_shape sphere_of(float radius)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_SPHERE, .radius = radius};
}

// The box of 1 kg that has these principal inertias.
static struct sim_rigid_shape box_of(const double inertia[3])
{
    struct sim_rigid_shape shape = {.form = SIM_RIGID_BOX};
    const double sum = inertia[0] + inertia[1] + inertia[2];
    for (int axis = 0; axis < 3; axis++) {
        shape.half_extents[axis] = (float)sqrt(1.5 * (sum - 2 * inertia[axis]));
    }
    return shape;
}

static uint32_t add_piece(struct sim *sim, const struct sim_rigid_shape *shape, double mass,
                          const double q[4], const double spin[3])
{
    const double position[3] = {0.1, 0.2, -0.3};
    struct sim_turned turned = {.spin = {(float)spin[0], (float)spin[1], (float)spin[2]}};
    sim_turn_from(q, turned.q);
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = position,
                                       .masses = &mass,
                                       .rigid = shape,
                                       .turned = &turned};
    return scene_add(sim, &desc);
}

// A piece of 1 kg with these principal inertias, which no box may have: (1, 2, 3) is that of a plate.
static uint32_t add_with(struct sim *sim, const double inertia[3], const double q[4], const double spin[3])
{
    const double any[3] = {1, 1, 1};
    const struct sim_rigid_shape shape = box_of(any);
    const uint32_t body = add_piece(sim, &shape, 1, q, spin);
    memcpy(sim->bodies[0]->rigid->inertia, inertia, 3 * sizeof *inertia);
    sim_rigid_start(sim, sim->bodies[0], 0);
    return body;
}

static const double NO_TURN[4] = {0, 0, 0, 1};

static void inertia_follows_from_the_shape(void **state)
{
    (void)state;
    const double still[3] = {0, 0, 0};
    const struct {
        struct sim_rigid_shape shape;
        double volume, inertia[3]; // of a density of 1
    } cases[] = {
        {{.form = SIM_RIGID_BOX, .half_extents = {.5f, 1, 1.5f}}, 6, {6.5, 5, 2.5}},
        {{.form = SIM_RIGID_CAPSULE, .radius = .5f, .half_height = 1},
         2.0943951,
         {1.39408174, 0.248709418, 1.39408174}},
        {{.form = SIM_RIGID_CAPSULE, .radius = .5f}, PI / 6, {PI / 60, PI / 60, PI / 60}},
        {{.form = SIM_RIGID_SPHERE, .radius = .5f}, PI / 6, {PI / 60, PI / 60, PI / 60}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sim *sim = scene_create(free_settings());
        const double positions[6] = {0, 0, 0, 3, 0, 0};
        const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                           .particle_count = 2,
                                           .positions = positions,
                                           .density = 1,
                                           .rigid = &cases[c].shape};
        const uint32_t body = scene_add(sim, &desc);
        double masses[2];
        sim_body_masses(sim, body, masses);
        assert_int_equal(sim->rigids.count, 2);
        for (uint32_t p = 0; p < 2; p++) {
            const struct sim_rigid *rigid = &sim->rigids.items[p];
            assert_ptr_equal(sim_rigid_of(sim, rigid->row), rigid);
            assert_near(masses[p], cases[c].volume, 1e-6 * cases[c].volume);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(1 / (double)rigid->inverse_inertia[axis], cases[c].inertia[axis],
                            1e-6 * cases[c].inertia[axis]);
            }
        }
        add_piece(sim, &cases[c].shape, 0, NO_TURN, still);
        assert_int_equal(sim->rigids.count, 3);
        assert_true(sim->rigids.items[2].w == 0 && sim->rigids.items[2].inverse_inertia[0] == 0);
        sim_destroy(sim);
    }
}

static void turn_of(const struct sim *sim, uint32_t body, double q[4])
{
    sim_body_rotations64(sim, body, 0, 1, q);
}

static void assert_same_turn(const double q[4], const double wanted[4], double tolerance)
{
    double same = 0;
    for (int k = 0; k < 4; k++) {
        same += q[k] * wanted[k];
    }
    for (int k = 0; k < 4; k++) {
        assert_near(q[k], same < 0 ? -wanted[k] : wanted[k], tolerance);
    }
}

// One substep of 1/60 s, with the momentum (3, -2, 5).
static void a_step_is_as_the_vector_says(void **state)
{
    (void)state;
    const double inertia[3] = {1, 2, 3}, given[4] = {.1, -.2, .05, 1};
    const double before[3] = {3.84693722, -0.735651834, 2.81640817};
    const double after[3] = {3.83854561, -0.643762991, 2.85819027};
    const double wanted[4] = {0.132918689, -0.19964595, 0.0660493796, 0.968561612};
    const float momentum[3] = {3, -2, 5};
    struct sim *sim = scene_create(scene_still(60));
    const uint32_t body = add_with(sim, inertia, given, before);
    const struct sim_body *own = sim->bodies[0];
    float spin[3];
    double q[4];
    sim_rigid_spin(sim, own, 0, spin);
    for (int axis = 0; axis < 3; axis++) {
        assert_near((double)spin[axis], before[axis], 1e-6);
        assert_near((double)sim->spins[own->first_row].v[axis], (double)momentum[axis], 1e-5);
    }
    memcpy(sim->spins[own->first_row].v, momentum, sizeof momentum);
    scene_run(sim, 1);
    turn_of(sim, body, q);
    assert_same_turn(q, wanted, 1e-8);
    sim_rigid_spin(sim, own, 0, spin);
    for (int axis = 0; axis < 3; axis++) {
        assert_near((double)spin[axis], after[axis], 1e-6);
        assert_true(sim->spins[own->first_row].v[axis] == momentum[axis]);
    }
    sim_destroy(sim);
}

// The body's own components of a vector of the world.
static void own_of(const double q[4], const float v[3], double out[3])
{
    const double u[3] = {-q[0], -q[1], -q[2]};
    double t[3];
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        t[k] = 2 * (u[a] * (double)v[b] - u[b] * (double)v[a]);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = (double)v[k] + q[3] * t[k] + (u[a] * t[b] - u[b] * t[a]);
    }
}

static double energy_of(const struct sim *sim, uint32_t body, const double inertia[3])
{
    struct sim_turned turned;
    double q[4], own[3], sum = 0;
    turn_of(sim, body, q);
    sim_body_turned(sim, body, 0, 1, &turned);
    own_of(q, turned.spin, own);
    for (int axis = 0; axis < 3; axis++) {
        sum += own[axis] * own[axis] / inertia[axis] / 2;
    }
    return sum;
}

// F2: a symmetric body precesses in space at |L|/I1, and its spin goes round in the body at (I3 - I1)/I1 omega_3.
static void a_symmetric_body_precesses(void **state)
{
    (void)state;
    const double inertia[3] = {2, 2, 1}, spin[3] = {1, 0, 3};
    struct sim *sim = scene_create(free_settings());
    const struct sim_rigid_shape shape = box_of(inertia);
    const uint32_t body = add_piece(sim, &shape, 1, NO_TURN, spin);
    double turns = 0, last = 0, in_body = 0, last_own = 0;
    for (int tick = 1; tick <= 600; tick++) {
        double q[4], own[3];
        float now[3];
        scene_run(sim, 1);
        turn_of(sim, body, q);
        sim_rigid_spin(sim, sim->bodies[0], 0, now);
        // The axis of the body in the world, about L = (2, 0, 3).
        const double axis[3] = {2 * (q[0] * q[2] + q[3] * q[1]), 2 * (q[1] * q[2] - q[3] * q[0]),
                                1 - 2 * (q[0] * q[0] + q[1] * q[1])};
        const double l = sqrt(13), across = (axis[0] * 3 - axis[2] * 2) / l;
        const double angle = atan2(axis[1], across) - atan2(0, -2 / l);
        turns += remainder(angle - last, 2 * PI);
        last = angle;
        own_of(q, now, own);
        in_body += remainder(atan2(own[1], own[0]) - last_own, 2 * PI);
        last_own = atan2(own[1], own[0]);
    }
    assert_near(fabs(turns) / 10, 1.80277564, 1.80277564e-3);
    assert_near(in_body / 10, -1.5, 1.5e-3);
    sim_destroy(sim);
}

// F3: about the middle axis a body turns over again and again (Dzhanibekov).
static void a_body_turns_over_about_its_middle_axis(void **state)
{
    (void)state;
    const double inertia[3] = {1, 2, 3}, spin[3] = {.01, 10, .01};
    const double wanted[4] = {1.49059389, 4.24367795, 6.99676201, 9.74984607};
    const double scheme[4] = {1.49060938, 4.24533536, 7.00169141,
                              9.75969303}; // with doubles that nothing rounds
    struct sim *sim = scene_create(free_settings());
    const uint32_t body = add_with(sim, inertia, NO_TURN, spin);
    const double energy = energy_of(sim, body, inertia);
    double before = 10;
    int crossed = 0;
    for (int tick = 1; tick <= 720; tick++) {
        double q[4], own[3];
        float now[3];
        scene_run(sim, 1);
        turn_of(sim, body, q);
        sim_rigid_spin(sim, sim->bodies[0], 0, now);
        own_of(q, now, own);
        if ((before < 0) != (own[1] < 0) && crossed < 4) {
            const double at = (tick - 1 + before / (before - own[1])) / 60;
            assert_near(at, wanted[crossed], 0.0015 * wanted[crossed]);
            assert_near(at, scheme[crossed], 2e-4);
            crossed++;
        }
        before = own[1];
    }
    assert_int_equal(crossed, 4);
    assert_near(energy_of(sim, body, inertia), energy, 1e-4 * energy);
    sim_destroy(sim);
}

// Orientations keep what their quantum cuts off: here a substep turns by 9 quanta and a bit.
static void a_slow_body_turns_as_fast_as_it_should(void **state)
{
    (void)state;
    const double inertia[3] = {1, 2, 2.5}, spin[3] = {0, 0, 2.04e-5};
    struct sim *sim = scene_create(free_settings());
    const uint32_t body = add_with(sim, inertia, NO_TURN, spin);
    double q[4];
    scene_run(sim, 600);
    turn_of(sim, body, q);
    assert_near(q[2], 1.02e-4, 1.02e-4 * 1e-4);
    sim_destroy(sim);
}

// Ticks of other lengths but the same substeps come to the same bits: when a tick ends, an orientation may get the other sign.
static void ticks_change_no_bit_of_a_turn(void **state)
{
    (void)state;
    const double inertia[3] = {1, 2, 2.5}, spin[3] = {3, -5, 4};
    struct sim_turned turned[2];
    for (int longer = 0; longer < 2; longer++) {
        struct sim_settings settings = free_settings();
        settings.tick_rate = longer ? 30 : 60;
        settings.substeps = longer ? 40 : 20;
        struct sim *sim = scene_create(settings);
        const uint32_t body = add_with(sim, inertia, NO_TURN, spin);
        scene_run(sim, longer ? 90 : 180);
        sim_body_turned(sim, body, 0, 1, &turned[longer]);
        sim_destroy(sim);
    }
    assert_memory_equal(&turned[0], &turned[1], sizeof turned[0]);
}

// A free body keeps both momenta to the last bit, and its energy, for a minute.
static void a_free_body_keeps_momenta_and_energy(void **state)
{
    (void)state;
    const double spins[][3] = {{.01, 10, .01}, {3, -2, 5}, {0, 1e-4, 2e-4}, {40, 10, -20}};
    for (size_t s = 0; s < sizeof spins / sizeof spins[0]; s++) {
        const double inertia[3] = {1, 2, 3}, given[4] = {.1, -.2, .05, 1};
        struct sim *sim = scene_create(free_settings());
        const uint32_t body = add_with(sim, inertia, given, spins[s]);
        const uint32_t particle = 0;
        const float velocity[3] = {.05f, -.02f, .03f};
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, velocity, NULL, &fault),
                         FAULT_NONE);
        const double energy = energy_of(sim, body, inertia);
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_near(measures.kinetic, energy + 0.5 * 0.0038, 1e-6 * energy + 1e-9);
        struct sim_turned before, after;
        float now[3];
        sim_body_turned(sim, body, 0, 1, &before);
        scene_run(sim, 3600);
        sim_body_turned(sim, body, 0, 1, &after);
        assert_memory_equal(before.spin, after.spin, sizeof before.spin);
        assert_memory_not_equal(before.q, after.q, sizeof before.q);
        scene_velocity(sim, body, 0, now);
        for (int axis = 0; axis < 3; axis++) {
            assert_near((double)now[axis], (double)velocity[axis], 1e-6);
        }
        assert_near(energy_of(sim, body, inertia), energy, s < 3 ? 2e-6 * energy : 3e-3 * energy);
        sim_destroy(sim);
    }
}

// Each push moves and turns as its weight says, and gives as much momentum as angular momentum.
static void pushes_move_and_turn(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 20; round++) {
        const double still[3] = {0, 0, 0};
        double q[4], inertia[3] = {1, 1.5 + scene_uniform(&seed), 2};
        float arm[3], n[3], push[3], moved[3], k[9], length = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = scene_uniform(&seed) - .5;
        }
        for (int i = 0; i < 3; i++) {
            arm[i] = (float)(scene_uniform(&seed) - .5);
            n[i] = (float)(scene_uniform(&seed) - .5);
            length += n[i] * n[i];
        }
        struct sim *sim = scene_create(free_settings());
        const struct sim_rigid_shape shape = box_of(inertia);
        add_piece(sim, &shape, 0.5, q, still);
        struct sim_rigid *rigid = &sim->rigids.items[0];
        const int32_t *x = sim->rows[rigid->row].x;
        const int32_t from[3] = {x[0], x[1], x[2]};
        const float size = 1e-3f;
        // The arm goes with the piece: `own` turned comes to where it went.
        float own[3], after[3];
        double unit[4], r[3];
        turn_of(sim, rigid->body, unit);
        own_of(unit, arm, r);
        for (int i = 0; i < 3; i++) {
            n[i] /= sqrtf(length);
            push[i] = n[i] * size;
            own[i] = (float)r[i];
        }
        const double weight = (double)sim_rigid_weight(sim, rigid, arm, n);
        sim_rigid_matrix(sim, rigid, arm, k);
        sim_rigid_push(sim, rigid, arm, push);
        sim_rigid_arm(sim, rigid, own, after);
        double along = 0, by_matrix = 0;
        for (int i = 0; i < 3; i++) {
            moved[i] = (float)((double)(x[i] - from[i]) * SCENE_Q) + (after[i] - arm[i]);
            along += (double)(moved[i] * n[i]);
            by_matrix += (double)(n[i] * (k[3 * i] * n[0] + k[3 * i + 1] * n[1] + k[3 * i + 2] * n[2]));
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            assert_near((double)rigid->corrected[i], (double)(arm[a] * push[b] - arm[b] * push[a]), 1e-9);
        }
        assert_near(by_matrix, weight, 1e-5 * weight);
        assert_near(along, weight * (double)size, 2e-3 * weight * (double)size);
        sim_destroy(sim);
    }
}

static void what_is_pinned_or_static_stands(void **state)
{
    (void)state;
    const double spin[3] = {1, 2, 3}, given[4] = {.1, -.2, .05, 1};
    const uint32_t particle = 0;
    const struct sim_rigid_shape shape = sphere_of(.1f);
    for (int pinned = 0; pinned < 2; pinned++) {
        struct sim *sim = scene_create(scene_settings());
        const uint32_t body = add_piece(sim, &shape, pinned, given, spin);
        double before[4], after[4], x[3];
        if (pinned) {
            assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
        }
        turn_of(sim, body, before);
        scene_run(sim, 10);
        turn_of(sim, body, after);
        scene_position(sim, body, 0, x);
        assert_memory_equal(before, after, sizeof before);
        assert_near(x[1], 0.2, 1e-8);
        if (pinned) { // let go, it falls
            assert_int_equal(sim_particles_unpin(sim, body, &particle, 1, &fault), FAULT_NONE);
            scene_run(sim, 30);
            scene_position(sim, body, 0, x);
            assert_near(x[1], 0.2 - 0.5 * 9.81 * 0.25, 0.02);
            turn_of(sim, body, after); // and has forgotten how it turned
            assert_memory_equal(before, after, sizeof before);
        }
        sim_destroy(sim);
    }
}

static void a_reset_and_an_image_bring_all_back(void **state)
{
    (void)state;
    const double spin[3] = {1, 2, 3}, given[4] = {.1, -.2, .05, 1}, inertia[3] = {.1, .2, .25};
    const struct sim_rigid_shape shape = box_of(inertia);
    struct sim *sim = scene_create(scene_settings());
    add_piece(sim, &shape, 1, given, spin);
    const uint64_t start = sim_hash(sim);
    scene_run(sim, 7);
    const uint64_t later = sim_hash(sim);
    assert_true(start != later);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *other = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(other);
    assert_true(sim_hash(other) == later);
    scene_run(other, 5);
    scene_run(sim, 5);
    assert_true(sim_hash(other) == sim_hash(sim));
    sim_reset(sim);
    sim_reset(other);
    assert_true(sim_hash(sim) == sim_hash(other));
    scene_run(sim, 7);
    assert_true(sim_hash(sim) == later);
    sim->joints[sim->rigids.items[0].row].rest[1] += 0x1p-20f; // the last bits count
    assert_true(sim_hash(sim) != later);
    sim_image_deinit(&image);
    sim_destroy(sim);
    sim_destroy(other);
}

static void what_is_no_rigid_body_is_refused(void **state)
{
    (void)state;
    const double position[3] = {0, 0, 0}, weld = 1e-3, inf = INFINITY;
    const struct sim_rigid_shape good = sphere_of(.1f);
    const struct sim_rigid_shape none = sphere_of(0), wide = sphere_of(5),
                                 flat = {.form = SIM_RIGID_BOX, .half_extents = {1, 0, 1}},
                                 odd = {.form = (enum sim_rigid_form)7};
    const struct sim_turned unturned = {0};
    const struct {
        struct sim_body_desc desc;
        const char *field;
    } cases[] = {
        {{.kind = SIM_RIGID}, "rigid"},
        {{.kind = SIM_POINTS, .rigid = &good}, "rigid"},
        {{.kind = SIM_RIGID, .rigid = &none}, "rigid.radius"},
        {{.kind = SIM_RIGID, .rigid = &wide}, "rigid.radius"},
        {{.kind = SIM_RIGID, .rigid = &flat}, "rigid.half_extents"},
        {{.kind = SIM_RIGID, .rigid = &odd}, "rigid.form"},
        {{.kind = SIM_RIGID, .rigid = &good, .weld = &weld}, "weld"},
        {{.kind = SIM_RIGID, .rigid = &good, .matching = {.model = SIM_MATCH_RIGID}}, "shape"},
        {{.kind = SIM_RIGID, .rigid = &good, .turned = &unturned}, "turned"},
        {{.kind = SIM_RIGID, .rigid = &good, .density = inf}, "density"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sim_body_desc desc = cases[c].desc;
        desc.particle_count = 1;
        desc.positions = position;
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1000, &scene_limits, &fault));
        assert_int_equal(fault.code, FAULT_INVALID);
        assert_string_equal(fault.field, cases[c].field);
    }
}

// Two pieces of one body, and pieces of two bodies, come to the same.
static void pieces_of_one_body_are_as_those_of_two(void **state)
{
    (void)state;
    const double inertia[3] = {.1, .2, .25}, positions[6] = {0, 0, 0, 1, 0, 0}, masses[2] = {1, 2};
    const struct sim_rigid_shape shape = box_of(inertia);
    struct sim_turned turned[2] = {{.spin = {1, 2, 3}}, {.spin = {3, 1, -2}}};
    int32_t q[2][2][4];
    sim_turn_from(NO_TURN, turned[0].q);
    sim_turn_from((const double[4]){.1, .2, .3, 1}, turned[1].q);
    for (int two = 0; two < 2; two++) {
        struct sim *sim = scene_create(scene_settings());
        for (int b = 0; b <= two; b++) {
            const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                               .particle_count = two ? 1 : 2,
                                               .positions = positions + 3 * b,
                                               .masses = masses + b,
                                               .rigid = &shape,
                                               .turned = turned + b};
            scene_add(sim, &desc);
        }
        scene_run(sim, 20);
        for (int p = 0; p < 2; p++) {
            struct sim_turned now;
            sim_body_turned(sim, two ? (uint32_t)p + 1 : 1, two ? 0 : (uint32_t)p, 1, &now);
            memcpy(q[two][p], now.q, sizeof now.q);
        }
        sim_destroy(sim);
    }
    assert_memory_equal(q[0], q[1], sizeof q[0]);
}

// 17 visits a piece and substep.
static void pieces_have_their_price(void **state)
{
    (void)state;
    struct sim_limits limits = scene_limits;
    const struct sim_rigid_shape shape = sphere_of(.1f);
    const double positions[6] = {0, 0, 0, 1, 0, 0};
    const struct sim_body_desc desc = {
        .kind = SIM_RIGID, .particle_count = 2, .positions = positions, .rigid = &shape};
    for (int enough = 0; enough < 2; enough++) {
        limits.work = (uint64_t)(2 * 17 * 20 - 1 + enough);
        struct sim *sim = scene_create_limited(free_settings(), limits);
        struct sim_body_plan *plan = sim_body_prepare(&desc, SCENE_Q, 1000, &limits, &fault);
        struct sim_body_added added;
        assert_non_null(plan);
        assert_int_equal(sim_body_attach(sim, plan, &added, &fault), enough ? FAULT_NONE : FAULT_LIMIT);
        if (!enough) {
            sim_body_plan_destroy(plan);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_follows_from_the_shape),
        cmocka_unit_test(a_step_is_as_the_vector_says),
        cmocka_unit_test(a_symmetric_body_precesses),
        cmocka_unit_test(a_body_turns_over_about_its_middle_axis),
        cmocka_unit_test(a_slow_body_turns_as_fast_as_it_should),
        cmocka_unit_test(ticks_change_no_bit_of_a_turn),
        cmocka_unit_test(a_free_body_keeps_momenta_and_energy),
        cmocka_unit_test(pushes_move_and_turn),
        cmocka_unit_test(what_is_pinned_or_static_stands),
        cmocka_unit_test(a_reset_and_an_image_bring_all_back),
        cmocka_unit_test(what_is_no_rigid_body_is_refused),
        cmocka_unit_test(pieces_of_one_body_are_as_those_of_two),
        cmocka_unit_test(pieces_have_their_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
