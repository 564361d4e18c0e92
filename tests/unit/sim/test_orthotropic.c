// Orthotropic stretch: the equations by worked vectors, in all instruction sets, and what cloths of warp and weft do.
#include "base/thread.h"
#include "helper_fabric.h"
#include "helper_scene.h"
#include "sim/body/fabric.h"
#include "sim/state/kernels.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

#define PI 3.14159265358979323846

// -------------------------------------------------------------------------------------------- one triangle

enum { IDLE = 3, ROWS = 4 };

// One batch whose first lane is a triangle; the others are holes.
struct triangle {
    struct sim sim;
    struct sim_tile tile;
    struct sim_shelf shelf;
    struct sim_batch_meta meta;
    _Alignas(64) struct sim_row rows[ROWS];
    struct sim_velocity velocities[ROWS];
    _Alignas(64) uint32_t words[(3 + SIM_WEAVE_PARAMS + 1) * SIM_LANES];
    _Alignas(64) float damping[1][SIM_LANES];
    uint32_t order[1];
    _Alignas(64) float multipliers[3 * SIM_LANES];
};

// `at` is the compliance of the warp over h^2, weft and shear are stiffnesses in parts of it.
struct row {
    double x[3][3], w[3], a[2], b[2], draws, weft, shear, limit, at, lambda[3];
};

static void triangle_init(struct triangle *triangle, const struct row *row)
{
    *triangle = (struct triangle){
        .sim = {.rows = triangle->rows,
                .velocities = triangle->velocities,
                .times = {.q = (float)SCENE_Q, .inv_q = (float)(1 / SCENE_Q), .inv_h2 = 1, .h = 1}}};
    triangle->shelf = (struct sim_shelf){.batches = triangle->words,
                                         .meta = &triangle->meta,
                                         .damping = triangle->damping,
                                         .multipliers = triangle->multipliers,
                                         .used = 1};
    struct sim_store *store = &triangle->sim.stores[SIM_ORTHOTROPIC];
    sim_store_init(store, SIM_ORTHOTROPIC);
    store->shelves = &triangle->shelf;
    triangle->tile = (struct sim_tile){.kind = SIM_ORTHOTROPIC, .order = triangle->order, .order_count = 1};
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            sim_batch_places(store, 0, k)[lane] = (lane == 0 ? k : IDLE) * SIM_ROW_BYTES;
        }
        triangle->rows[k].w = (float)row->w[k];
        for (int axis = 0; axis < 3; axis++) {
            triangle->rows[k].x[axis] = (int32_t)lround(row->x[k][axis] / SCENE_Q);
        }
        triangle->multipliers[k * SIM_LANES] = (float)row->lambda[k];
    }
    const double params[SIM_WEAVE_PARAMS + 1] = {row->a[0], row->a[1],  row->b[0],
                                                 row->b[1], 1,          row->draws,
                                                 row->weft, row->shear, row->limit > 0 ? row->limit : 1e30,
                                                 row->at};
    for (uint32_t p = 0; p <= SIM_WEAVE_PARAMS; p++) {
        sim_batch_params(store, 0, p)[0] = (float)params[p];
    }
}

static void triangle_solve(struct triangle *triangle, enum sim_isa isa)
{
    sim_kernels_of(isa)->runs[SIM_ORTHOTROPIC]->solve[SIM_PLAIN][true](&triangle->sim, &triangle->tile, 0, 1);
}

struct vector {
    const char *name;
    struct row row;
    double after[3][3], lambda[3];
};

#define X                           \
    {                               \
        {0, 0, 0}, {.33, .08, .06}, \
        {                           \
            -.08, .26, -.05         \
        }                           \
    }
#define W        \
    {            \
        1, .5, 2 \
    }
#define A            \
    {                \
        3.125, -1.25 \
    }
#define B          \
    {              \
        .625, 3.75 \
    }
#define FAR 1e12 // a compliance of the warp so great that it does nothing; shear has parts of it

// u and v alone, shear alone, all three in turn, and the limit of the warp.
static const struct vector vectors[] = {
    {"T2, warp",
     {X, W, A, B, 0, 0, 0, 0, 20, {0}},
     {{.00932933017, -.000618519127, .00206173042},
      {.322225558, .0805154326, .0582818913},
      {-.0675608931, .259175308, -.0472510261}},
     {-.00510636238}},
    {"T3, warp that pulled before",
     {X, W, A, B, 0, 0, 0, 0, 20, {-.002}},
     {{.00701105356, -.000464821231, .0015494041},
      {.324157455, .080387351, .0587088299},
      {-.0706519286, .259380238, -.0479341279}},
     {-.00583746523}},
    {"T4, weft without compliance", // as a warp, with the yarns exchanged
     {X, W, B, A, 0, 0, 0, 0, 1e-7, {0}},
     {{-.000333589825, .00364724875, -.000533743719},
      {.330023828, .0797394822, .0600381246},
      {-.0794281317, .253747574, -.0490850108}},
     {-.00084597951}},
    {"T4b, weft at a fixed corner",
     {X, {0, 1, 3}, B, A, 0, 0, 0, 0, 1e-7, {0}},
     {{0, 0, 0}, {.330053121, .0794192127, .0600849933}, {-.0790438258, .249545828, -.0484701212}},
     {-.000942995508}},
    {"T6, shear",
     {X, W, A, B, 0, 0, FAR / 20, 0, FAR, {0, 0, .001}},
     {{-.00960064973, -.00473555731, -.00143998605},
      {.330934254, .0830959538, .0598057344},
      {-.064535716, .257087299, -.0463429657}},
     {0, 0, .00330179623}},
    {"T11, in turn without Poisson's ratio",
     {X, W, A, B, 0, .5, .025, 0, 18000, {0}},
     {{1.48314147e-5, 3.19791329e-6, 2.74707314e-6},
      {.329986528, .0800009001, .0599970218},
      {-.0799757732, .259990004, -.0499935813}},
     {-8.93706165e-6, -1.11382774e-6, 2.53504311e-7}},
    {"T12, in turn with it",
     {X, W, A, B, .15, 1000 / 2094.24084, 50 / 2094.24084, 0, 1440000 / (2094.24084 * .04), {0}},
     {{1.5665357e-5, 9.37401997e-6, 2.14061783e-6},
      {.329985396, .08000053, .0599968281},
      {-.0799729135, .259979132, -.0499915938}},
     {-9.70741185e-6, -1.11190983e-6, 2.53503787e-7}},
    {"T13, warp at its limit",
     {X, W, A, B, 0, 0, 0, 1.05, FAR, {0}},
     {{.0175939251, -.00116644808, .00388816025},
      {.315338396, .0809720401, .0567598665},
      {-.0565414331, .258444736, -.0448157863}},
     {0}},
};

static void the_vectors_come_out_in_every_instruction_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            const struct vector *vector = &vectors[i];
            static struct triangle triangle;
            if (!sim_isa_available((enum sim_isa)isa)) {
                continue;
            }
            triangle_init(&triangle, &vector->row);
            triangle_solve(&triangle, (enum sim_isa)isa);
            for (int k = 0; k < 9; k++) {
                scene_near(triangle.rows[k / 3].x[k % 3] * SCENE_Q, vector->after[k / 3][k % 3], 5e-8,
                           vector->name, __FILE__, __LINE__);
            }
            for (int k = 0; k < 3; k++) {
                const double lambda = (double)triangle.multipliers[k * SIM_LANES];
                scene_near(lambda, vector->lambda[k], 1e-9 + 4e-6 * fabs(vector->lambda[k]), vector->name,
                           __FILE__, __LINE__);
            }
        }
    }
}

static double strains_of(const struct row *row, double strain[3])
{
    double f[2][3], length[2], product = 0;
    for (int yarn = 0; yarn < 2; yarn++) {
        const double *k = yarn == 0 ? row->a : row->b;
        double length2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            f[yarn][axis] =
                k[0] * (row->x[1][axis] - row->x[0][axis]) + k[1] * (row->x[2][axis] - row->x[0][axis]);
            length2 += f[yarn][axis] * f[yarn][axis];
        }
        length[yarn] = sqrt(length2);
        strain[yarn] = length[yarn] - 1;
    }
    for (int axis = 0; axis < 3; axis++) {
        product += f[0][axis] * f[1][axis];
    }
    strain[2] = product / (length[0] * length[1]);
    // k11 = 1: k12 = r, k22 = Y2 + r^2
    return 0.5 * (strain[0] * strain[0] + 2 * row->draws * strain[0] * strain[1] +
                  (row->weft + row->draws * row->draws) * strain[1] * strain[1] +
                  row->shear * strain[2] * strain[2]);
}

// With a great compliance the three steps together go down the gradient of the energy that is written with k12, and neither push
// nor turn the triangle.
static void the_steps_follow_the_gradient_of_the_energy_and_keep_both_momenta(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int run = 0; run < 200; run++) {
        struct row row = {.w = W,
                          .draws = 0.5 * scene_uniform(&seed),
                          .weft = 0.2 + scene_uniform(&seed),
                          .shear = scene_uniform(&seed),
                          .at = 1e5};
        double grad[9], most = 0, unused[3];
        for (int k = 0; k < 9; k++) {
            row.x[k / 3][k % 3] = (double)lround((scene_uniform(&seed) - 0.5) / SCENE_Q) * SCENE_Q;
        }
        for (int k = 0; k < 2; k++) {
            row.a[k] = 4 * (scene_uniform(&seed) - 0.5);
            row.b[k] = 4 * (scene_uniform(&seed) - 0.5);
        }
        row.a[1] += 2;
        row.b[0] -= 2;
        for (int k = 0; k < 9; k++) {
            struct row more = row, less = row;
            more.x[k / 3][k % 3] += 1e-6;
            less.x[k / 3][k % 3] -= 1e-6;
            grad[k] = (strains_of(&more, unused) - strains_of(&less, unused)) / 2e-6;
            most = fabs(grad[k]) > most ? fabs(grad[k]) : most;
        }
        static struct triangle triangle;
        double push[3] = {0}, turn[3] = {0}, way[3][3];
        triangle_init(&triangle, &row);
        triangle_solve(&triangle, SIM_ISA_SCALAR);
        for (int k = 0; k < 9; k++) {
            way[k / 3][k % 3] = triangle.rows[k / 3].x[k % 3] * SCENE_Q - row.x[k / 3][k % 3];
            assert_near(way[k / 3][k % 3], -row.w[k / 3] * grad[k] / row.at,
                        3 * SCENE_Q + 4e-3 * most / row.at);
            push[k % 3] += way[k / 3][k % 3] / row.w[k / 3];
        }
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                const int y = (axis + 1) % 3, z = (axis + 2) % 3;
                turn[axis] += (row.x[k][y] * way[k][z] - row.x[k][z] * way[k][y]) / row.w[k];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_near(push[axis], 0, 4 * SCENE_Q);
            assert_near(turn[axis], 0, 4 * SCENE_Q + 1e-4 * most / row.at);
        }
    }
}

// Damping leaves C'/(1 + beta h W) of what is one strain alone, and nothing of what does not strain.
static void damping_slows_strains_and_no_rigid_motion(void **state)
{
    (void)state;
    const struct row row = {.x = {{0, 0, 0}, {.25, 0, 0}, {0, .25, 0}},
                            .w = {1, 1, 1},
                            .a = {4, 0},
                            .b = {0, 4},
                            .weft = .5,
                            .shear = .25,
                            .at = 1};
    // Pulling at corner 1 along x strains the warp alone: W = 16 (w0 + w1). But what corner 0 gets of it would shear.
    struct row plain = row;
    plain.weft = plain.shear = 0;
    static struct triangle triangle;
    triangle_init(&triangle, &plain);
    triangle.velocities[1].v[0] = 1;
    triangle.damping[0][0] = 0.5f;
    sim_kernels_of(SIM_ISA_SCALAR)->runs[SIM_ORTHOTROPIC]->damp(&triangle.sim, &triangle.tile, 0, 1);
    const double rate = 4 * (double)(triangle.velocities[1].v[0] - triangle.velocities[0].v[0]);
    assert_near(rate, 4 / (1 + .5 * 32), 1e-6);
    assert_near((double)(triangle.velocities[0].v[0] + triangle.velocities[1].v[0]), 1, 1e-6);
    assert_near((double)triangle.velocities[2].v[0], 0, 1e-6);
    triangle_init(&triangle, &row);
    triangle.damping[0][0] = 100;
    for (int k = 0; k < 3; k++) { // turning about z, and flying
        triangle.velocities[k].v[0] = (float)(3 - 2 * row.x[k][1]);
        triangle.velocities[k].v[1] = (float)(1 + 2 * row.x[k][0]);
        triangle.velocities[k].v[2] = -1;
    }
    sim_kernels_of(SIM_ISA_SCALAR)->runs[SIM_ORTHOTROPIC]->damp(&triangle.sim, &triangle.tile, 0, 1);
    for (int k = 0; k < 3; k++) {
        assert_near((double)triangle.velocities[k].v[0], 3 - 2 * row.x[k][1], 1e-5);
        assert_near((double)triangle.velocities[k].v[1], 1 + 2 * row.x[k][0], 1e-5);
        assert_near((double)triangle.velocities[k].v[2], -1, 1e-6);
    }
}

static void the_shape_at_rest_follows_the_direction(void **state)
{
    (void)state;
    const double offsets[2][3] = {{.3, 0, .1}, {0, .3, -.1}}, along[3] = {1, 1, 0};
    const double a[2] = {2.3570226, 2.3570226}, b[2] = {-2.13200716, 2.13200716};
    float params[SIM_PARAMS_MAX];
    bool upright;
    for (int turns = -3; turns < 4; turns++) {
        double turn[2];
        sim_turn_of(turns * 2 * PI, turn);
        assert_true(sim_weave_at_rest(offsets, 1, along, turn, params, &upright));
        assert_false(upright);
        for (int k = 0; k < 2; k++) {
            assert_near((double)params[SIM_WEAVE_A + k], a[k], 1e-5);
            assert_near((double)params[SIM_WEAVE_B + k], b[k], 1e-5);
        }
        assert_near(1 / (double)params[SIM_WEAVE_DENSE], .0497493719, 1e-8);
    }
    double quarter[2];
    sim_turn_of(PI / 2, quarter);
    assert_true(
        sim_weave_at_rest(offsets, 1, along, quarter, params, &upright)); // the warp is where the weft was
    assert_near((double)params[SIM_WEAVE_A], b[0], 1e-5);
    assert_near((double)params[SIM_WEAVE_B], -a[0], 1e-5);
    const double flat[2][3] = {{1, 0, 0}, {0, 1, 0}}, upwards[3] = {0, 0, 1},
                 line[2][3] = {{1, 1, 0}, {2, 2, 0}};
    assert_true(sim_weave_at_rest(flat, 1, upwards, (double[2]){0, 1}, params, &upright));
    assert_true(upright);
    assert_false(sim_weave_at_rest(line, 1, along, (double[2]){0, 1}, params, &upright));
    for (double angle = -7; angle < 7; angle += 0.37) {
        double turn[2];
        sim_turn_of(angle, turn);
        assert_near(turn[0], sin(angle), 1e-14);
        assert_near(turn[1], cos(angle), 1e-14);
    }
}

// -------------------------------------------------------------------------------------------------- cloths

// Their stretch follows from F alone, found by Newton's method; a linear law is off by a tenth at 45 degrees.
static void strips_cut_at_any_angle_pull_with_the_right_force_on_any_diagonals(void **state)
{
    (void)state;
    static const struct {
        double degrees, N, along, across;
    } strips[] = {
        {0, 20, 1.01, .997},
        {30, 20, 1.074525421, .927854671},
        {45, 1, 1.005267487, .995310731},
        {45, 20, 1.095663061, .908704009},
        {90, 100, 1.1, .985},
    };
    for (size_t s = 0; s < sizeof strips / sizeof strips[0]; s++) {
        for (int diagonals = ONE_WAY; diagonals <= CROSSWISE; diagonals++) {
            double along, across;
            fabric_pull((enum diagonals)diagonals, strips[s].degrees / 180 * PI, strips[s].N, 160, &along,
                        &across);
            assert_near(along, strips[s].along, 3e-4 + 0.02 * (strips[s].along - 1));
            assert_near(across, strips[s].across, 3e-4 + 0.02 * (1 - strips[s].across));
        }
    }
}

// ------------------------------------------------------------------------------------------- edits, images

static struct sim *sheet_with(const struct sim_material *stretch, double angle, uint32_t iterations,
                              struct sim_body_added *added)
{
    static const uint32_t pins[2] = {0, SIDE - 1};
    double positions[3 * SQUARE];
    uint32_t triangles[6 * CELLS * CELLS];
    struct sim_settings settings = scene_settings();
    settings.gravity[0] = 9.81; // it hangs along x, and swings down
    settings.iterations = iterations;
    settings.long_edges = iterations > 1;
    struct sim *sim = scene_create(settings);
    fabric_square(CROSSWISE, positions, triangles);
    struct sim_body_desc desc = fabric_desc(positions, triangles, angle);
    desc.stretch = *stretch;
    desc.pins = pins;
    desc.pin_count = 2;
    *added = scene_add_all(sim, &desc);
    return sim;
}

static const struct sim_material soft = {
    .warp = 40, .weft = 20, .shear = 5, .poisson = 0.2, .damping = 0.01, .stiffness = -1};

static void a_body_has_a_strain_for_each_triangle_and_no_distances(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = sheet_with(&soft, 0.3, 1, &added);
    struct sim_constraint constraint;
    struct sim_body_info info;
    assert_int_equal(added.constraint_count[SIM_ORTHOTROPIC], 2 * CELLS * CELLS);
    assert_int_equal(added.constraint_count[SIM_DISTANCE], 0);
    assert_true(sim_body_info(sim, added.body, &info));
    assert_int_equal(info.stretch_model, SIM_STRETCH_ORTHOTROPIC);
    assert_near(info.stretch.compliance, (1 - .04 / 2) / 40, 1e-12);
    assert_true(sim_constraint_get(sim, added.constraint_first[SIM_ORTHOTROPIC] + 3, &constraint));
    for (int k = 0; k < 3; k++) {
        assert_near(constraint.strain[k], 0, 1e-6);
    }
    scene_run(sim, 60);
    struct sim_measures measures;
    sim_measure(sim, &measures);
    assert_true(measures.elastic[SIM_ORTHOTROPIC] > 0);
    assert_true(measures.error_max[SIM_ORTHOTROPIC] > 0.005 && measures.error_max[SIM_ORTHOTROPIC] < 1);
    sim_destroy(sim);
}

// Constraints are removed and changed, and the whole body becomes stiffer: what is made of an image has the same hash and future.
static void images_keep_fabrics(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations < 3; iterations++) {
        struct sim_body_added added;
        struct sim *sim = sheet_with(&soft, 0.3, iterations, &added);
        const uint32_t first = added.constraint_first[SIM_ORTHOTROPIC], gone[2] = {first + 1, first + 9},
                       set = first + 4;
        const double give = 0.2, stiff = 0.5;
        struct sim_material other = soft;
        struct sim_image image;
        struct sim_image_place place;
        other.warp = 70;
        other.limit = 0.05;
        scene_run(sim, 5);
        const uint64_t before = sim_hash(sim);
        assert_int_equal(sim_body_set(sim, added.body, &(struct sim_body_change){.stretch = &other}, &fault),
                         FAULT_NONE);
        assert_true(sim_hash(sim) != before);
        assert_int_equal(sim_body_set(sim, added.body, &(struct sim_body_change){.stretch = &soft}, &fault),
                         FAULT_NONE);
        assert_true(sim_hash(sim) == before);
        assert_int_equal(sim_body_set(sim, added.body, &(struct sim_body_change){.stretch = &other}, &fault),
                         FAULT_NONE);
        assert_int_equal(sim_constraints_remove(sim, gone, 2, &fault), FAULT_NONE);
        assert_int_equal(
            sim_constraints_set(sim, &set, 1, &(struct sim_constraint_values){.compliance = &give}, &fault),
            FAULT_NONE);
        assert_int_equal(sim_constraints_set(sim, (const uint32_t[]){first + 6}, 1,
                                             &(struct sim_constraint_values){.stiffness = &stiff}, &fault),
                         FAULT_NONE);
        scene_run(sim, 5);
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        assert_non_null(made);
        sim_image_deinit(&image);
        assert_true(sim_hash(made) == sim_hash(sim));
        scene_run(sim, 20);
        scene_run(made, 20);
        assert_true(sim_hash(made) == sim_hash(sim));
        sim_destroy(made);
        sim_destroy(sim);
    }
}

static void constraints_that_were_removed_come_back(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = sheet_with(&soft, -1, 1, &added);
    uint32_t gone[3];
    struct sim_image image;
    for (uint32_t i = 0; i < 3; i++) {
        gone[i] = added.constraint_first[SIM_ORTHOTROPIC] + 7 * i;
    }
    scene_run(sim, 5);
    const uint64_t before = sim_hash(sim);
    assert_true(sim_image_take_parts(
        sim, &(struct sim_parts){.constraints = gone, .constraint_count = 3, .going = true}, &image));
    assert_int_equal(sim_constraints_remove(sim, gone, 3, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != before);
    assert_int_equal(image.own_count, 1);
    assert_int_equal(sim_own_restore(sim, &image.owns[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

// A limit holds the yarns and lets them shear.
static void a_limit_holds_along_the_yarns_and_not_in_shear(void **state)
{
    (void)state;
    struct sim_material limited = soft;
    limited.shear = 0.05;
    double most[2][2] = {{0}};
    for (int run = 0; run < 2; run++) {
        struct sim_body_added added;
        limited.limit = run == 0 ? 0 : 0.01;
        struct sim *sim = sheet_with(&limited, 0.5, 4, &added);
        scene_run(sim, 90);
        struct sim_constraint constraint = {0};
        while (sim_constraint_next(sim, SIM_ORTHOTROPIC, constraint.id, &constraint)) {
            for (int yarn = 0; yarn < 3; yarn++) {
                double *greatest = &most[run][yarn == 2];
                *greatest =
                    fabs(constraint.strain[yarn]) > *greatest && (yarn == 2 || constraint.strain[yarn] > 0)
                        ? fabs(constraint.strain[yarn])
                        : *greatest;
            }
        }
        struct sim_convergence told;
        assert_true(sim_converged(sim, &told));
        assert_near(told.strain_max, run == 0 ? 0 : most[1][0] - 0.01, 1e-6);
        sim_destroy(sim);
    }
    assert_true(most[0][0] > 0.05);
    assert_true(most[1][0] < 0.03);
    assert_true(most[1][1] > 0.2);
}

// With long edges a strip holds its yarns better, and shears nearly as much as without.
static void long_edges_run_along_the_yarns_and_leave_shear_alone(void **state)
{
    (void)state;
    double with[2], without[2];
    fabric_hang(true, 0, &with[0], &with[1]);
    fabric_hang(false, 0, &without[0], &without[1]);
    assert_true(with[0] < 0.7 * without[0]);
    fabric_hang(true, PI / 4, &with[0], &with[1]);
    fabric_hang(false, PI / 4, &without[0], &without[1]);
    assert_true(with[1] > 0.85 * without[1]);
}

// The tensions that are told hold the weight of what hangs on them.
static void the_tensions_that_are_told_carry_the_load(void **state)
{
    (void)state;
    struct sim_body_added added;
    double positions[3 * SQUARE];
    uint32_t triangles[6 * CELLS * CELLS], pins[SIDE];
    struct sim_settings settings = scene_settings();
    memcpy(settings.gravity, (const double[3]){9.81, 0, 0}, sizeof settings.gravity);
    settings.damping = 5;
    struct sim *sim = scene_create(settings);
    fabric_square(CROSSWISE, positions, triangles);
    struct sim_body_desc desc = fabric_desc(positions, triangles, 0);
    for (uint32_t i = 0; i < SIDE; i++) {
        pins[i] = i;
    }
    desc.stretch = soft;
    desc.stretch.poisson = 0;
    desc.pins = pins;
    desc.pin_count = SIDE;
    added = scene_add_all(sim, &desc);
    scene_run(sim, 120);
    bool hold;
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_true(hold);
    // The triangles of the first column of cells share its width; below their middle hang 0.2 kg/m^2 over 3.5 cells and a bit.
    double force = 0;
    for (uint32_t t = 0; t < 2 * CELLS; t++) {
        struct sim_constraint constraint;
        assert_true(sim_constraint_get(sim, added.constraint_first[SIM_ORTHOTROPIC] + t, &constraint));
        force += constraint.tension[0] * 600 * 600 * CELL / 2;
    }
    const double load = 0.2 * 9.81 * CELL * CELLS * CELL * (CELLS - 0.5);
    assert_near(force, load, 0.01 * load);
    sim_multipliers_drop(sim);
    struct sim_convergence told; // so nearly all of the force that the material asks for has come
    assert_true(sim_converged(sim, &told));
    assert_true(told.unresolved[SIM_PART_STRETCH] < 0.05);
    assert_near(told.apart[SIM_PART_STRETCH], 0.2 * 9.81 * CELLS * CELL / 40 / sqrt(3) * sqrt(40.0 / 65),
                6e-4);
    sim_destroy(sim);
}

// A sheet with a limit and damping comes to this hash in every instruction set, on every machine.
#define GOLDEN UINT64_C(0x2ca9a319ea6f9e22)

static void the_hash_is_the_golden_one_in_every_instruction_set(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        struct sim_body_added added;
        struct sim_material stretch = soft;
        stretch.limit = 0.05;
        sim_isa_choose((enum sim_isa)isa);
        struct sim *sim = sheet_with(&stretch, 0.4, 2, &added);
        scene_run(sim, 60);
        if (sim_hash(sim) != GOLDEN) {
            fail_msg("%s: %016" PRIx64, sim_isa_name((enum sim_isa)isa), sim_hash(sim));
        }
        sim_destroy(sim);
    }
    sim_isa_choose(chosen);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct sim_settings settings = scene_settings();
        settings.long_edges = true;
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(60, 60, 0.02, (const double[3]){0, 0, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, 59};
        desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
        desc.yarns.direction[0] = 1;
        desc.stretch = soft;
        desc.stretch.limit = 0.05;
        desc.pins = pins;
        desc.pin_count = 2;
        scene_add(sim, &desc);
        struct base_team *team = base_team_create(threads);
        for (int tick = 0; tick < 10; tick++) {
            struct sim_failure failure;
            sim_step(sim, base_team_parallel(team), NULL, &failure);
            assert_false(failure.failed);
        }
        base_team_destroy(team);
        hashes[threads - 1] = sim_hash(sim);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

// The momenta of a body that nothing holds: 3 of them, and 3 about the origin.
static void momenta_of(const struct sim *sim, uint32_t body, double momenta[6])
{
    double x[SQUARE][3], masses[SQUARE];
    float v[SQUARE][3];
    memset(momenta, 0, 6 * sizeof *momenta);
    sim_body_positions64(sim, body, 0, SQUARE, &x[0][0]);
    sim_body_velocities(sim, body, 0, SQUARE, &v[0][0]);
    sim_body_masses(sim, body, masses);
    for (int k = 0; k < SQUARE; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            momenta[axis] += masses[k] * (double)v[k][axis];
            momenta[3 + axis] += masses[k] * (x[k][y] * (double)v[k][z] - x[k][z] * (double)v[k][y]);
        }
    }
}

static void a_free_sheet_that_swings_keeps_both_momenta(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        double positions[3 * SQUARE], before[6], after[6];
        uint32_t triangles[6 * CELLS * CELLS], all[SQUARE];
        float velocities[3 * SQUARE];
        uint64_t seed = 9;
        struct sim_settings settings = scene_settings();
        memset(settings.gravity, 0, sizeof settings.gravity);
        settings.iterations = run < 2 ? 1 : 2;
        struct sim *sim = scene_create(settings);
        fabric_square(CROSSWISE, positions, triangles);
        struct sim_body_desc desc = fabric_desc(positions, triangles, 0.4);
        desc.stretch = soft;
        desc.stretch.damping = run % 2 == 0 ? 0 : 0.01;
        desc.stretch.limit = run == 3 ? 0.02 : 0;
        const uint32_t body = scene_add(sim, &desc);
        for (uint32_t i = 0; i < SQUARE; i++) {
            all[i] = i;
        }
        for (int k = 0; k < 3 * SQUARE; k++) {
            velocities[k] = (float)(scene_uniform(&seed) - 0.4);
        }
        assert_int_equal(sim_particles_set(sim, body, all, SQUARE, NULL, velocities, NULL, &fault),
                         FAULT_NONE);
        momenta_of(sim, body, before);
        scene_run(sim, 60);
        momenta_of(sim, body, after);
        for (int k = 0; k < 6; k++) {
            assert_near(after[k], before[k], 2e-6);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_come_out_in_every_instruction_set),
        cmocka_unit_test(the_steps_follow_the_gradient_of_the_energy_and_keep_both_momenta),
        cmocka_unit_test(damping_slows_strains_and_no_rigid_motion),
        cmocka_unit_test(the_shape_at_rest_follows_the_direction),
        cmocka_unit_test(strips_cut_at_any_angle_pull_with_the_right_force_on_any_diagonals),
        cmocka_unit_test(a_body_has_a_strain_for_each_triangle_and_no_distances),
        cmocka_unit_test(images_keep_fabrics),
        cmocka_unit_test(constraints_that_were_removed_come_back),
        cmocka_unit_test(a_limit_holds_along_the_yarns_and_not_in_shear),
        cmocka_unit_test(long_edges_run_along_the_yarns_and_leave_shear_alone),
        cmocka_unit_test(the_tensions_that_are_told_carry_the_load),
        cmocka_unit_test(the_hash_is_the_golden_one_in_every_instruction_set),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_free_sheet_that_swings_keeps_both_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
