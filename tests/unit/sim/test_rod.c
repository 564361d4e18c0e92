// Rods: single projections by vectors that were found in double precision by other means, and closed forms of elastic rods.
#include "helper_rod.h"

#include "sim/state/rod.h"
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

// ------------------------------------------------------------------------------------- single projections

// A rod of three particles whose constraints get numbers of their own.
static struct rod bare(void)
{
    static struct rod rod;
    const struct sim_rod given = rod_given(1, 1);
    rod_line(&rod, 2, 1);
    rod_add(&rod, scene_still(1), &given, 1);
    scene_run(rod.sim, 1);
    rod.sim->times.turn = 0x80000000u / 3;
    return rod;
}

static uint32_t row_of(const struct rod *rod, uint32_t particle)
{
    const struct sim_body *body = rod->sim->bodies[0];
    return body->first_row + body->row_of[particle];
}

static void place(const struct rod *rod, uint32_t particle, const double x[3], double w, const double q[4],
                  double u)
{
    struct sim *sim = rod->sim;
    const uint32_t row = row_of(rod, particle);
    for (int axis = 0; axis < 3; axis++) {
        sim->rows[row].x[axis] = (int32_t)llround(x[axis] / SCENE_Q);
    }
    sim->rows[row].w = (float)w;
    sim->spins[row].w = (float)u;
    for (int k = 0; k < 4; k++) {
        sim->turns[row].q[k] = (int32_t)llround(q[k] * 0x1p30);
    }
}

// Projects the first constraint of the kind, whose multipliers are given and come out.
static void project(const struct rod *rod, enum sim_kind kind, const float *params, uint32_t param_count,
                    double lambda[3])
{
    struct sim *sim = rod->sim;
    const struct sim_store *store = &sim->stores[kind];
    struct sim_id_range *range;
    uint32_t slot = 0;
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    for (uint32_t r = 0; r < sim->range_count; r++) {
        range = &sim->ranges[r];
        slot = range->kind == kind ? range->slots[0] : slot;
    }
    for (uint32_t p = 0; p < param_count; p++) {
        sim_batch_params(store, slot / SIM_LANES, p)[slot % SIM_LANES] = params[p];
    }
    struct sim_tile *tile = &sim->bodies[0]->tiles[kind][0];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            float *all = sim_multipliers_of(store, tile->order[i], k);
            memset(all, 0, SIM_LANES * sizeof *all);
        }
        if (tile->order[i] == slot / SIM_LANES) {
            for (uint32_t k = 0; k < 3; k++) {
                sim_multipliers_of(store, tile->order[i], k)[slot % SIM_LANES] = (float)lambda[k];
            }
            sim->kernels->runs[kind]->solve[SIM_PLAIN][1](sim, tile, i, i + 1);
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        lambda[k] = (double)sim_multipliers_of(store, slot / SIM_LANES, k)[slot % SIM_LANES];
    }
}

static void assert_turn(const struct rod *rod, uint32_t particle, const double q[4])
{
    double now[4], same = 0;
    for (int k = 0; k < 4; k++) {
        now[k] = rod->sim->turns[row_of(rod, particle)].q[k] * 0x1p-30;
        same += now[k] * q[k];
    }
    for (int k = 0; k < 4; k++) {
        assert_near(now[k], same < 0 ? -q[k] : q[k], 1e-6);
    }
}

#define QA                                                    \
    {                                                         \
        0.0974740358, -0.194948072, 0.0487370179, 0.974740358 \
    }
#define QB                                                   \
    {                                                        \
        0.280975743, 0.0936585812, -0.187317162, 0.936585812 \
    }

static void segments_are_projected_as_the_vectors_say(void **state)
{
    (void)state;
    const struct {
        double w0, w1, u, shear, along, lambda[3];
        double x0[3], x1[3], q[4], after[3];
    } cases[] = {
        {1,
         2,
         8,
         0,
         0,
         {0},
         {0.142034944, -0.160417279, 0.356965816},
         {0.0659301128, -0.179165442, 0.786068367},
         {0.0295171835, -0.104373819, 0.0451198321, 0.993075547},
         {-0.0630876541, -0.0427935398, -0.0277036708}},
        {1,
         2,
         8,
         2,
         .5,
         {0},
         {0.129627018, -0.172366016, 0.337488602},
         {0.0907459633, -0.155267968, 0.825022796},
         {0.0491466999, -0.130624408, 0.0462235784, 0.989133584},
         {-0.0434133075, -0.0294480613, -0.0171723323}},
        {1,
         2,
         8,
         2,
         .5,
         {.01, -.02, .03},
         {0.131750827, -0.177478852, 0.340836911},
         {0.0864983462, -0.145042295, 0.818326179},
         {0.0622386184, -0.127204193, 0.0413427171, 0.989058253},
         {-0.0363784582, -0.0447468003, 0.00951574107}},
        {0,
         2,
         0,
         0,
         .5,
         {0},
         {0.1, -0.2, 0.3},
         {-0.0855372064, -0.304662014, 0.753138946},
         QA,
         {-0.142695962, -0.0967933492, -0.00142517815}},
    };
    const double x0[3] = {.1, -.2, .3}, x1[3] = {.15, -.1, .9}, q[4] = QA;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct rod rod = bare();
        const float length = .5f, along = (float)(cases[c].along / .5);
        const float params[] = {length, along > 0 ? (float)(cases[c].shear / cases[c].along) : 0, along};
        double lambda[3], x[3];
        memcpy(lambda, cases[c].lambda, sizeof lambda);
        place(&rod, 0, x0, cases[c].w0, q, cases[c].u);
        place(&rod, 1, x1, cases[c].w1, q, 0);
        project(&rod, SIM_ROD_STRETCH, params, 3, lambda);
        for (int k = 0; k < 3; k++) {
            assert_near(lambda[k], cases[c].after[k], 1e-6);
            x[0] = rod.sim->rows[row_of(&rod, 0)].x[k] * SCENE_Q;
            x[1] = rod.sim->rows[row_of(&rod, 1)].x[k] * SCENE_Q;
            assert_near(x[0], cases[c].x0[k], 1e-6);
            assert_near(x[1], cases[c].x1[k], 1e-6);
        }
        assert_turn(&rod, 0, cases[c].q);
        rod_end(&rod);
    }
}

static void joints_are_projected_as_the_vectors_say(void **state)
{
    (void)state;
    const struct {
        double w0, bend, twist, lambda[3];
        bool negative, right_angle;
        double q0[4], q1[4], after[3];
    } cases[] = {
        {8,
         0,
         0,
         {0},
         false,
         false,
         {0.136158249, -0.0605706615, -0.0680431986, 0.986489863},
         {0.225535997, -0.0873025111, 0.00184022652, 0.970313557},
         {-0.0086161084, -0.0247472251, 0.0436586196}},
        {8,
         5,
         3,
         {0},
         false,
         false,
         {0.127155805, -0.0870441473, -0.0524091787, 0.986665088},
         {0.23682665, -0.0505507035, -0.0242690666, 0.969932357},
         {-0.00668044029, -0.0191875905, 0.0367939238}},
        {8,
         5,
         3,
         {.01, .02, -.03},
         false,
         false,
         {0.136911726, -0.0670241164, -0.062727515, 0.986320539},
         {0.225042016, -0.0798901885, -0.00772998949, 0.971037536},
         {0.00116154819, -0.00364143187, 0.0115772488}},
        {0,
         5,
         3,
         {0},
         false,
         false,
         QA,
         {0.212549896, -0.112648803, 0.0567253918, 0.968976273},
         {-0.00967184726, -0.027779523, 0.0555425657}},
        {8,
         5,
         3,
         {0},
         true,
         false,
         {0.127155805, -0.0870441473, -0.0524091787, 0.986665088},
         {-0.23682665, 0.0505507035, 0.0242690666, -0.969932357},
         {-0.00668044029, -0.0191875905, 0.0367939238}},
        {8,
         0,
         0,
         {0},
         false,
         true,
         {-0.177496494, -0.0106592645, -0.00564546233, 0.984047511},
         {0.634850062, -0.0398471234, 0.0553590392, 0.769618725},
         {0.0953044327, 0.00627753748, 0.0667701714}},
    };
    const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct rod rod = bare();
        double q0[4] = QA, q1[4] = QB, lambda[3];
        const float half = (float)sqrt(.5);
        const float params[] = {1, cases[c].bend > 0 ? (float)(cases[c].twist / cases[c].bend) : 1,
                                (float)cases[c].bend};
        float rest[4] = {0.099380799f, 0, 0.0496903995f, 0.99380799f};
        if (cases[c].right_angle) {
            rest[0] = rest[3] = half;
            rest[2] = 0;
        }
        memcpy(rod.sim->joints[row_of(&rod, 0)].rest, rest, sizeof rest);
        for (int k = 0; k < 4; k++) {
            q1[k] = cases[c].negative ? -q1[k] : q1[k];
        }
        memcpy(lambda, cases[c].lambda, sizeof lambda);
        place(&rod, 0, x[0], 1, q0, cases[c].w0);
        place(&rod, 1, x[1], 1, q1, 12);
        project(&rod, SIM_ROD_BEND, params, 3, lambda);
        for (int k = 0; k < 3; k++) {
            assert_near(lambda[k], cases[c].after[k], 1e-6);
        }
        assert_turn(&rod, 0, cases[c].q0);
        assert_turn(&rod, 1, cases[c].q1);
        rod_end(&rod);
    }
}

// ------------------------------------------------------------------------------------------ closed forms

// The tip of a clamped rod of 1 m that hangs by its own weight w. The elastica by w L^3/EI.
static void a_cantilever_follows_the_elastica(void **state)
{
    (void)state;
    const double loads[][3] = {
        {1, 0.991246395, -0.123471402}, {5, 0.846657180, -0.495905045}, {20, 0.445232052, -0.829881443}};
    for (int l = 0; l < 3; l++) {
        struct rod rod;
        struct sim_settings settings = scene_settings();
        const double bend = 0.02, density = 0.1;
        settings.gravity[1] = -loads[l][0] * bend / density;
        settings.substeps = 50;
        settings.damping = 3;
        const struct sim_rod given = rod_given(bend, bend);
        rod_line(&rod, 20, 1);
        rod_add(&rod, settings, &given, density);
        const uint32_t first[] = {0};
        rod_clamp(&rod, first, 1);
        double x[3];
        scene_run(rod.sim, 600);
        scene_position(rod.sim, rod.body, 20, x);
        assert_near(x[0], loads[l][1], 0.01);
        assert_near(x[1], loads[l][2], 0.01);
        assert_near(x[2], 0, 1e-4);
        rod_end(&rod);
    }
}

// How far a ring goes out of its plane that was made of a straight rod with two whole turns of twist. By EI/GJ.
static double ring_leaves(double ratio)
{
    enum { SEGMENTS = 20 };
    struct rod rod;
    struct sim_settings settings = scene_settings();
    const double bend = 0.02, length = 1;
    settings.gravity[1] = 0;
    settings.substeps = 50;
    settings.damping = 0.2;
    struct sim_rod given = rod_given(bend, bend / ratio);
    given.curved = true;
    given.twist = 4 * PI / length;
    rod_ring(&rod, SEGMENTS, length);
    rod_add(&rod, settings, &given, 0.1);
    float velocities[SEGMENTS][3] = {{0}};
    uint32_t all[SEGMENTS];
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        all[i] = i;
        velocities[i][2] = (float)(0.01 * cos(4 * PI * i / SEGMENTS));
    }
    assert_int_equal(sim_particles_set(rod.sim, rod.body, all, SEGMENTS, NULL, velocities[0], NULL, &fault),
                     FAULT_NONE);
    double farthest = 0;
    for (int tick = 0; tick < 180; tick++) {
        scene_run(rod.sim, 1);
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            double x[3];
            scene_position(rod.sim, rod.body, i, x);
            farthest = fabs(x[2]) > farthest ? fabs(x[2]) : farthest;
        }
    }
    rod_end(&rod);
    return farthest;
}

// Michell's ring: it is flat up to 2 pi sqrt(3) EI/GJ of twist, of a ring of 20 joints 10.636 EI/GJ.
static void a_twisted_ring_leaves_its_plane_at_the_known_twist(void **state)
{
    (void)state;
    assert_true(ring_leaves(4 * PI / (0.9 * 10.636)) < 0.01);
    assert_true(ring_leaves(4 * PI / (1.1 * 10.636)) > 0.05);
}

// The least component along its axis that a segment has of a rod whose ends are clamped, one of which may go where it is drawn. twist: by
// the moment times L/EI.
static double least_along(double moment)
{
    enum { SEGMENTS = 24 };
    struct rod rod;
    struct sim_settings settings = scene_settings();
    const double bend = 0.02;
    settings.gravity[1] = 0;
    settings.substeps = 40;
    settings.damping = 1;
    struct sim_rod given = rod_given(bend, bend);
    given.curved = true;
    given.twist = moment;
    rod_line(&rod, SEGMENTS, 1);
    rod.positions[SEGMENTS / 2][1] = 1e-4; // it is not straight to the last bit
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t ends[] = {0, SEGMENTS};
    rod_clamp(&rod, ends, 2);
    const double soft[] = {1e4};
    const struct sim_hold hold = {.compliance = soft};
    assert_int_equal(sim_particles_hold(rod.sim, rod.body, ends + 1, 1, &hold, &fault), FAULT_NONE);
    double least = 1;
    for (int tick = 0; tick < 60;
         tick++) { // later the free end may have gone through the loop, which takes twist out
        scene_run(rod.sim, 1);
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            double a[3], b[3];
            scene_position(rod.sim, rod.body, i, a);
            scene_position(rod.sim, rod.body, i + 1, b);
            least = (b[0] - a[0]) * SEGMENTS < least ? (b[0] - a[0]) * SEGMENTS : least;
        }
    }
    rod_end(&rod);
    return least;
}

static void a_rod_that_is_twisted_far_makes_a_loop(void **state)
{
    (void)state;
    assert_true(least_along(3) > 0.99);
    assert_true(least_along(20) < 0);
}

// Positions and velocities of a free rod, and how its segments turn.
static void momenta(const struct rod *rod, double linear[3], double angular[3])
{
    double masses[ROD_MOST];
    struct sim_turned turned[ROD_MOST];
    sim_body_masses(rod->sim, rod->body, masses);
    sim_body_turned(rod->sim, rod->body, 0, rod->count, turned);
    for (int axis = 0; axis < 3; axis++) {
        linear[axis] = angular[axis] = 0;
    }
    for (uint32_t i = 0; i < rod->count; i++) {
        double x[3];
        float v[3];
        scene_position(rod->sim, rod->body, i, x);
        scene_velocity(rod->sim, rod->body, i, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            linear[axis] += masses[i] * (double)v[axis];
            angular[axis] += masses[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
            angular[axis] += turned[i].w > 0 ? (double)turned[i].spin[axis] / (double)turned[i].w : 0;
        }
    }
}

static void a_free_rod_keeps_momentum_and_angular_momentum(void **state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        struct rod rod;
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = 20;
        settings.iterations = 1 + (uint32_t)damped;
        struct sim_rod given = rod_given(0.01, 0.006);
        given.damping = damped ? 0.02 : 0;
        given.curved = true;
        given.twist = 6;
        rod_line(&rod, 16, 1);
        rod_add(&rod, settings, &given, 0.1);
        uint64_t seed = 5;
        float velocities[17][3];
        uint32_t all[17];
        double linear[2][3], angular[2][3];
        for (uint32_t i = 0; i < 17; i++) {
            all[i] = i;
            for (int axis = 0; axis < 3; axis++) {
                velocities[i][axis] = (float)(2 * scene_uniform(&seed) - 1);
            }
        }
        assert_int_equal(sim_particles_set(rod.sim, rod.body, all, 17, NULL, velocities[0], NULL, &fault),
                         FAULT_NONE);
        momenta(&rod, linear[0], angular[0]);
        scene_run(rod.sim, 60);
        momenta(&rod, linear[1], angular[1]);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(linear[1][axis], linear[0][axis], 1e-5);
            assert_near(angular[1][axis], angular[0][axis], 2e-4);
        }
        rod_end(&rod);
    }
}

static void a_helix_that_rests_stays(void **state)
{
    (void)state;
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct sim_rod given = rod_given(0.01, 0.01);
    given.rest_twist = given.twist = 2;
    rod_line(&rod, 40, 1);
    for (uint32_t i = 0; i < rod.count; i++) {
        rod.positions[i][0] = 0.1 * cos(0.3 * i);
        rod.positions[i][1] = 0.1 * sin(0.3 * i);
        rod.positions[i][2] = 0.01 * i;
    }
    rod_add(&rod, settings, &given, 0.1);
    scene_run(rod.sim, 300);
    for (uint32_t i = 0; i < rod.count; i++) {
        double x[3];
        scene_position(rod.sim, rod.body, i, x);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(x[axis], rod.positions[i][axis], 1e-8);
        }
    }
    rod_end(&rod);
}

// A straight rod that is turned at one end is twisted evenly, and its joints have the moment GJ phi/L.
static void twist_spreads_evenly_and_asks_for_its_moment(void **state)
{
    (void)state;
    enum { SEGMENTS = 10 };
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.damping = 10;
    settings.substeps = 20;
    const double twist = 0.02, phi = 2;
    const struct sim_rod given = rod_given(0.05, twist);
    rod_line(&rod, SEGMENTS, 1);
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t ends[] = {0, SEGMENTS};
    rod_clamp(&rod, ends, 2);
    struct sim_turned held;
    sim_body_turned(rod.sim, rod.body, SEGMENTS - 1, 1, &held);
    for (int tick = 1; tick <= 60; tick++) { // about x, which the rod runs along
        const double half = phi * tick / 120, q[4] = {sin(half), 0, 0, cos(half)};
        double own[4], now[4];
        for (int k = 0; k < 4; k++) {
            own[k] = held.q[k] * 0x1p-30;
        }
        now[0] = q[3] * own[0] + q[0] * own[3];
        now[1] = q[3] * own[1] - q[0] * own[2];
        now[2] = q[3] * own[2] + q[0] * own[1];
        now[3] = q[3] * own[3] - q[0] * own[0];
        assert_int_equal(sim_particles_clamp(rod.sim, rod.body, ends + 1, 1, true, now, &fault), FAULT_NONE);
        scene_run(rod.sim, 1);
    }
    scene_run(rod.sim, 600);
    bool hold;
    struct sim_constraint listed[64];
    assert_int_equal(sim_multipliers_find(rod.sim, &hold, &fault), FAULT_NONE);
    assert_true(hold);
    const uint32_t count = scene_listed(rod.sim, SIM_ROD_BEND, listed);
    assert_int_equal(count, SEGMENTS - 1);
    for (uint32_t j = 0; j < count; j++) {
        assert_near(listed[j].multiplier[0] * 1200 * 1200, twist * phi, 0.02 * twist * phi);
    }
    sim_multipliers_drop(rod.sim);
    rod_end(&rod);
}

// A joint of two segments that both are held, bent by so much about the first director.
static double rest_after(double angle, struct sim_plastic plastic, uint32_t ticks)
{
    struct rod rod;
    struct sim_rod given = rod_given(1, 1);
    given.plastic = plastic;
    rod_line(&rod, 2, 1);
    rod_add(&rod, scene_still(60), &given, 1);
    struct sim_turned turned[2];
    sim_body_turned(rod.sim, rod.body, 0, 2, turned);
    const uint32_t row = row_of(&rod, 1);
    const double s = sin(angle / 2), c = cos(angle / 2);
    double q[4], bent[4];
    for (int k = 0; k < 4; k++) {
        q[k] = turned[0].q[k] * 0x1p-30;
    }
    bent[0] = q[3] * s + q[0] * c; // q (s, 0, 0, c)
    bent[1] = q[1] * c + q[2] * s;
    bent[2] = q[2] * c - q[1] * s;
    bent[3] = q[3] * c - q[0] * s;
    for (int k = 0; k < 4; k++) {
        rod.sim->turns[row].q[k] = (int32_t)llround(bent[k] * 0x1p30);
    }
    rod.sim->spins[row].w = rod.sim->spins[row_of(&rod, 0)].w = 0;
    scene_run(rod.sim, ticks);
    sim_body_turned(rod.sim, rod.body, 0, 1, turned);
    const double rest = 2 * asin((double)turned[0].rest[0]);
    rod_end(&rod);
    return rest;
}

static void a_joint_past_its_yield_flows_and_no_farther_than_it_may(void **state)
{
    (void)state;
    const struct sim_plastic soon = {.yield = 0.2, .rate = 1e6, .greatest = 2.9};
    assert_true(rest_after(0.19, soon, 60) == 0);
    assert_near(rest_after(1, soon, 60), 0.8, 2e-3); // all but the yield
    assert_near(rest_after(-1, soon, 60), -0.8, 2e-3);
    const struct sim_plastic little = {.yield = 0.2, .rate = 1e6, .greatest = 0.5};
    assert_near(rest_after(1, little, 60), 0.5, 1e-3);
    // One substep of 1/60 s: c = 0.1, f = c (1 - y/|C|), and p0 is the mean of both, of length 1.
    const struct sim_plastic slow = {.yield = 0.2, .rate = 60.0 / 9, .greatest = 2.9};
    const double f = 0.1 * (1 - sin(0.1) / sin(0.5)), x = f * sin(0.5), w = 1 - f + f * cos(0.5);
    assert_near(rest_after(1, slow, 1), 2 * asin(x / sqrt(x * x + w * w)), 1e-6);
}

// A wire that is clamped and bent down at its end by a pin, and then let go.
static void a_wire_keeps_its_shape_if_it_is_plastic(void **state)
{
    (void)state;
    double ends[2];
    for (int plastic = 0; plastic < 2; plastic++) {
        struct rod rod;
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = 30;
        settings.damping = 4;
        struct sim_rod given = rod_given(0.05, 0.04);
        given.plastic = (struct sim_plastic){.yield = 0.02, .rate = plastic ? 1000 : 0, .greatest = 2};
        rod_line(&rod, 16, 1);
        rod_add(&rod, settings, &given, 0.1);
        const uint32_t first[] = {0}, last[] = {16};
        rod_clamp(&rod, first, 1);
        const double down[3] = {0.7, -0.6, 0};
        const struct sim_hold hold = {.positions = down, .ticks = 60};
        assert_int_equal(sim_particles_pin(rod.sim, rod.body, last, 1, NULL, &fault), FAULT_NONE);
        assert_int_equal(sim_particles_hold(rod.sim, rod.body, last, 1, &hold, &fault), FAULT_NONE);
        scene_run(rod.sim, 120);
        assert_int_equal(sim_particles_unpin(rod.sim, rod.body, last, 1, &fault), FAULT_NONE);
        scene_run(rod.sim, 300);
        double x[3];
        scene_position(rod.sim, rod.body, 16, x);
        ends[plastic] = x[1];
        if (plastic) { // an image has the rests, and a reset takes them out
            struct sim_image image;
            struct sim_image_place place_of;
            assert_true(sim_image_take(rod.sim, &image));
            struct sim *made = sim_image_make(&image, &scene_limits, &place_of, &fault);
            assert_non_null(made);
            sim_image_deinit(&image);
            assert_true(sim_hash(made) == sim_hash(rod.sim));
            scene_run(made, 3);
            scene_run(rod.sim, 3);
            assert_true(sim_hash(made) == sim_hash(rod.sim));
            sim_destroy(made);
            struct sim_turned turned;
            sim_reset(rod.sim);
            sim_body_turned(rod.sim, rod.body, 2, 1, &turned);
            assert_near((double)turned.rest[3], 1, 1e-7);
        }
        rod_end(&rod);
    }
    assert_near(ends[0], 0, 0.01);
    assert_true(ends[1] < -0.3);
}

// The share of moments that a substep does not give, of a cantilever at rest.
static double unresolved(double bend)
{
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = -2 * bend / 0.1;
    settings.substeps = 20;
    settings.damping = 6;
    settings.bending_solved = true;
    const struct sim_rod given = rod_given(bend, bend);
    rod_line(&rod, 20, 1);
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t first[] = {0};
    rod_clamp(&rod, first, 1);
    scene_run(rod.sim, 240);
    struct sim_convergence found;
    assert_true(sim_converged(rod.sim, &found));
    assert_int_equal(found.bending, SIM_BENDING_SWEPT_MODEL);
    rod_end(&rod);
    return found.unresolved[SIM_PART_BEND];
}

// EI h^2/(rho A L^4/4) is 0.004, and 4.4.
static void a_rod_that_is_too_stiff_for_its_substeps_says_so(void **state)
{
    (void)state;
    assert_true(unresolved(0.001) < 0.1);
    assert_true(unresolved(1) > 0.3);
}

// Inertia follows from masses, also where an image gives these and no orientations.
static void an_image_without_orientations_has_the_inertia_of_its_masses(void **state)
{
    (void)state;
    struct rod rod;
    const struct sim_rod given = rod_given(0.02, 0.02);
    rod_line(&rod, 8, 1);
    rod_add(&rod, scene_settings(), &given, 0.3);
    struct sim_turned turned;
    sim_body_turned(rod.sim, rod.body, 3, 1, &turned);
    assert_near((double)turned.w * (0.3 / 8 * 0.25 / 64), 1, 1e-6);
    struct sim_image image;
    struct sim_image_place place_of;
    assert_true(sim_image_take(rod.sim, &image));
    struct sim_image_body body = image.bodies[0];
    body.turned = NULL;
    image.bodies = &body;
    struct sim *made = sim_image_make(&image, &scene_limits, &place_of, &fault);
    assert_non_null(made);
    assert_true(sim_hash(made) == sim_hash(rod.sim));
    sim_image_deinit(&image);
    sim_destroy(made);
    rod_end(&rod);
}

// A rod that is shifted by whole quanta has the same orientations and velocities.
static void a_rod_far_away_moves_as_one_at_the_origin(void **state)
{
    (void)state;
    struct sim_turned turned[2][13];
    float velocities[2][39];
    for (int far = 0; far < 2; far++) {
        struct rod rod;
        struct sim_rod given = rod_given(0.02, 0.01);
        given.twist = 2;
        rod_line(&rod, 12, 1);
        for (uint32_t i = 0; i < rod.count; i++) {
            rod.positions[i][0] = i / 16.0 + (far ? 65536 + SCENE_Q : 0);
            rod.positions[i][1] = i % 2 / 64.0 - (far ? 100000 : 0);
        }
        rod_add(&rod, scene_settings(), &given, 0.1);
        const uint32_t first[] = {0};
        rod_clamp(&rod, first, 1);
        scene_run(rod.sim, 40);
        sim_body_turned(rod.sim, rod.body, 0, 13, turned[far]);
        sim_body_velocities(rod.sim, rod.body, 0, 13, velocities[far]);
        struct sim_measures measures;
        sim_measure(rod.sim, &measures);
        assert_true(measures.elastic[SIM_ROD_BEND] > 0 && measures.elastic[SIM_ROD_STRETCH] > 0);
        rod_end(&rod);
    }
    assert_memory_equal(turned[0], turned[1], sizeof turned[0]);
    assert_memory_equal(velocities[0], velocities[1], sizeof velocities[0]);
}

static void all_instruction_sets_bend_alike(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    uint64_t hash = 0;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        sim_isa_choose((enum sim_isa)isa);
        struct rod rod;
        struct sim_settings settings = scene_settings();
        settings.iterations = 2;
        struct sim_rod given = rod_given(0.01, 0.02);
        given.damping = 0.01;
        given.twist = 5;
        given.curved = true;
        given.curvature[0] = 3;
        given.plastic = (struct sim_plastic){.yield = 0.05, .rate = 100, .greatest = 1};
        rod_ring(&rod, 37, 1);
        rod_add(&rod, settings, &given, 0.1);
        const uint32_t first[] = {3};
        rod_clamp(&rod, first, 1);
        scene_run(rod.sim, 30);
        hash = hash == 0 ? sim_hash(rod.sim) : hash;
        assert_true(hash == sim_hash(rod.sim));
        rod_end(&rod);
    }
    sim_isa_choose(chosen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_are_projected_as_the_vectors_say),
        cmocka_unit_test(joints_are_projected_as_the_vectors_say),
        cmocka_unit_test(a_cantilever_follows_the_elastica),
        cmocka_unit_test(a_twisted_ring_leaves_its_plane_at_the_known_twist),
        cmocka_unit_test(a_rod_that_is_twisted_far_makes_a_loop),
        cmocka_unit_test(a_free_rod_keeps_momentum_and_angular_momentum),
        cmocka_unit_test(a_helix_that_rests_stays),
        cmocka_unit_test(twist_spreads_evenly_and_asks_for_its_moment),
        cmocka_unit_test(a_joint_past_its_yield_flows_and_no_farther_than_it_may),
        cmocka_unit_test(a_wire_keeps_its_shape_if_it_is_plastic),
        cmocka_unit_test(a_rod_that_is_too_stiff_for_its_substeps_says_so),
        cmocka_unit_test(an_image_without_orientations_has_the_inertia_of_its_masses),
        cmocka_unit_test(a_rod_far_away_moves_as_one_at_the_origin),
        cmocka_unit_test(all_instruction_sets_bend_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
