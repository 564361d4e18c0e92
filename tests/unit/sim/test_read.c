// Values that are read from a world: positions, normals and measures. Every instruction set gives the bits of the
// scalar program, which agrees with the equations in double. Sums are exact, so nothing depends on the order of
// particles.
#include "helper_scene.h"
#include "helper_twin.h"
#include "sim/kernels/sum.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTICLES_MAX = 400, ROOM = 3 * PARTICLES_MAX + 8 };

struct seen {
    float positions[ROOM], velocities[ROOM], normals[ROOM];
    double positions64[ROOM];
    struct sim_measures measures;
};
static struct seen reference, other;
static uint32_t compared;

static bool same(const void *a, const void *b, size_t size)
{
    compared++;
    return memcmp(a, b, size) == 0;
}

// Nothing is written beyond what was asked for.
static void see(const struct sim *sim, uint32_t body, uint32_t first, uint32_t count, struct seen *seen)
{
    memset(seen, 0x5a, sizeof *seen);
    struct seen untouched = *seen;
    sim_body_positions(sim, body, first, count, seen->positions);
    sim_body_positions64(sim, body, first, count, seen->positions64);
    sim_body_velocities(sim, body, first, count, seen->velocities);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info) && info.particle_count <= PARTICLES_MAX);
    sim_body_normals(sim, body, seen->normals);
    size_t end = 3 * (size_t)count, normals_end = 3 * (size_t)info.particle_count;
    assert_memory_equal(seen->positions + end, untouched.positions + end, 8 * sizeof(float));
    assert_memory_equal(seen->positions64 + end, untouched.positions64 + end, 8 * sizeof(double));
    assert_memory_equal(seen->velocities + end, untouched.velocities + end, 8 * sizeof(float));
    assert_memory_equal(seen->normals + normals_end, untouched.normals + normals_end, 8 * sizeof(float));
    memset(&seen->measures, 0, sizeof seen->measures);
    sim_measure(sim, &seen->measures);
}

static void assert_measures_same(const struct sim_measures *a, const struct sim_measures *b)
{
    assert_true(same(&a->kinetic, &b->kinetic, sizeof a->kinetic));
    assert_true(same(&a->potential, &b->potential, sizeof a->potential));
    assert_true(same(a->elastic, b->elastic, sizeof a->elastic));
    assert_true(same(a->error_max, b->error_max, sizeof a->error_max));
    assert_true(same(a->error_rms, b->error_rms, sizeof a->error_rms));
    assert_int_equal(a->contacts, b->contacts);
}

// ------------------------------------------------------------------------------------------- in double

static void whole_of(const struct sim *sim, uint32_t row, double x[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        x[axis] = (double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q;
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_body(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count)
{
    double normals[PARTICLES_MAX][3] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        whole_of(sim, body->first_row + body->row_of[first + i], x);
        for (uint32_t axis = 0; axis < 3; axis++) {
            assert_true(reference.positions64[3 * i + axis] == x[axis]);
            assert_true(reference.positions[3 * i + axis] == (float)x[axis]);
        }
    }
    for (uint32_t t = 0; t < body->surface_count; t++) {
        double x[3][3], n[3];
        for (uint32_t k = 0; k < 3; k++) {
            whole_of(sim, body->first_row + body->row_of[body->surface[3 * t + k]], x[k]);
        }
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[1][axis] -= x[0][axis];
            x[2][axis] -= x[0][axis];
        }
        cross(x[1], x[2], n);
        for (uint32_t k = 0; k < 9; k++) {
            normals[body->surface[3 * t + k / 3]][k % 3] += n[k % 3];
        }
    }
    // A length that exceeds the low words has no meaningful normal: the next tick fails.
    for (uint32_t i = 0; !sim->placed && i < body->count; i++) {
        double length = sqrt(dot(normals[i], normals[i]));
        for (uint32_t axis = 0; axis < 3; axis++) {
            assert_near((double)reference.normals[3 * i + axis], length > 0 ? normals[i][axis] / length : 0,
                        1e-5);
        }
    }
}

static double constraint_of(const struct sim *sim, enum sim_kind kind, uint32_t slot,
                            struct sim_values *values)
{
    uint32_t rows[SIM_STENCIL_MAX];
    double d[3][3] = {{0}}, at[3], zero[3], a[3], b[3], n[3], kx2 = 0;
    sim_store_rows(&sim->stores[kind], slot, rows);
    sim_store_values(&sim->stores[kind], slot, values);
    whole_of(sim, rows[0], zero);
    for (uint32_t k = 1; k < sim->stores[kind].stencil; k++) {
        whole_of(sim, rows[k], at);
        for (uint32_t axis = 0; axis < 3; axis++) {
            d[k - 1][axis] = at[axis] - zero[axis];
        }
    }
    cross(d[0], d[1], a);
    cross(d[2], d[0], b);
    cross(a, b, n);
    for (int axis = 0; axis < 3; axis++) {
        double kx = 0;
        for (int k = 0; k < 3; k++) {
            kx += (double)values->params[k] * d[k][axis];
        }
        kx2 += kx * kx;
    }
    switch (kind) {
    case SIM_DISTANCE:
        return sqrt(dot(d[0], d[0])) - (double)values->params[0] * sim->q;
    case SIM_VOLUME:
        return dot(a, d[2]) / 6 - (double)values->params[0];
    case SIM_DIHEDRAL:
        return remainder(atan2(dot(n, d[0]) / sqrt(dot(d[0], d[0])), dot(a, b)) - (double)values->params[0],
                         6.283185307179586);
    case SIM_ISOMETRIC:
        return 0.5 * kx2 * (double)values->params[3];
    default:
        return sqrt(kx2);
    }
}

// sum w_k |grad_k|^2
static double weight_of(const struct sim *sim, enum sim_kind kind, uint32_t slot,
                        const struct sim_values *values)
{
    uint32_t rows[SIM_STENCIL_MAX];
    double x[4][3] = {{0}}, c[3], grad[3][4][3], weight = 0;
    struct twin_four four = {.kind = kind, .f = 1};
    sim_store_rows(&sim->stores[kind], slot, rows);
    if (kind == SIM_DISTANCE) {
        return (double)sim->rows[rows[0]].w + (double)sim->rows[rows[1]].w;
    }
    for (uint32_t k = 0; k < 4; k++) {
        whole_of(sim, rows[k], x[k]);
        four.k[k] = k > 0 ? (double)values->params[k - 1] : 0;
        four.k[0] -= four.k[k];
    }
    for (uint32_t k = 12; k-- > 0;) {
        x[k / 3][k % 3] -= x[0][k % 3];
    }
    four.f = kind == SIM_ISOMETRIC ? (double)values->params[3] : 1;
    twin_four_value(&four, (const double(*)[3])x, c, grad);
    for (uint32_t k = 0; k < 4; k++) {
        weight += (double)sim->rows[rows[k]].w * dot(grad[0][k], grad[0][k]);
    }
    return weight;
}

static void assert_close(double actual, double expected, double relative)
{
    assert_near(actual, expected, relative * fabs(expected) + 1e-300);
}

static void check_measures(const struct sim *sim, const struct sim_measures *measures, double coarse)
{
    double kinetic = 0, potential = 0, elastic[SIM_KIND_COUNT] = {0}, squares[2] = {0}, most[2] = {0};
    uint32_t counts[2] = {0};
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            double x[3], v[3], m = sim->rows[row].w > 0 ? 1 / (double)sim->rows[row].w : 0;
            whole_of(sim, row, x);
            for (int axis = 0; axis < 3; axis++) {
                v[axis] = (double)sim->velocities[row].v[axis];
            }
            kinetic += 0.5 * m * dot(v, v);
            potential -= m * dot(sim->settings.gravity, x);
        }
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; i < range->count; i++) {
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            struct sim_values values;
            double c = constraint_of(sim, range->kind, range->slots[i], &values);
            if (values.stiffness < 0 && values.compliance > 0) {
                double h = 1.0 / ((double)sim->settings.tick_rate * sim->settings.substeps);
                double weight = weight_of(sim, range->kind, range->slots[i], &values);
                elastic[range->kind] += c * c / (2 * ((double)values.compliance + h * h * weight));
            }
            int at = range->kind == SIM_VOLUME;
            double rest = (double)values.params[0] * (at == 0 ? sim->q : 1);
            if ((range->kind == SIM_DISTANCE || range->kind == SIM_VOLUME) && rest != 0) {
                counts[at]++;
                squares[at] += c * c / (rest * rest);
                most[at] = fmax(most[at], fabs(c / rest));
            }
        }
    }
    assert_close(measures->kinetic, kinetic, 1e-12);
    assert_close(measures->potential, potential, 1e-12);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        assert_close(measures->elastic[kind], elastic[kind],
                     kind == SIM_VOLUME || kind == SIM_DIHEDRAL ? coarse
                     : kind == SIM_DISTANCE                     ? 1e-9
                                                                : 1e-6);
    }
    assert_true(counts[0] > 0 && counts[1] > 0 && kinetic > 0 && elastic[SIM_DISTANCE] > 0);
    assert_close(measures->error_max[SIM_DISTANCE], most[0], 1e-9);
    assert_close(measures->error_rms[SIM_DISTANCE], sqrt(squares[0] / counts[0]), 1e-9);
    assert_close(measures->error_max[SIM_VOLUME], most[1], coarse);
    assert_close(measures->error_rms[SIM_VOLUME], sqrt(squares[1] / counts[1]), coarse);
}

// ---------------------------------------------------------------------------------------------- worlds

// A cloth of each kind of bending and a block, with sizes that fill no batch, far from the origin; rigid, soft,
// damped and stiff materials.
static struct sim *busy_world(double far)
{
    static const enum sim_bend models[3] = {SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC, SIM_BEND_QUADRATIC};
    struct sim *sim = scene_create(scene_settings());
    for (uint32_t i = 0; i < 3; i++) {
        struct scene_mesh mesh = scene_grid(11 + 2 * i, 7 + i, 0.1, (const double[]){far, 3.0 * i, -far});
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.bend_model = models[i];
        desc.bend.compliance = i == 1 ? 1e-2 : 1;
        desc.stretch.compliance = i == 2 ? 0 : 1e-5;
        desc.stretch.damping = i == 1 ? 1e-2 : 0;
        desc.stretch.stiffness = i == 2 ? 0.5 : -1;
        desc.pins = (const uint32_t[]){0};
        desc.pin_count = 1;
        scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    struct scene_block block = scene_block((const uint32_t[]){3, 2, 5}, 0.1, (const double[]){-far, far, 1});
    struct sim_body_desc desc = scene_soft(&block);
    desc.volume.compliance = 1e-3;
    desc.stretch.compliance = 1e-4;
    desc.pins = (const uint32_t[]){0, 1};
    desc.pin_count = 2;
    scene_add(sim, &desc);
    scene_block_deinit(&block);
    scene_link(sim, 1, 0, 5, 0.45, 1e-3, 0);
    return sim;
}

static void compare_all(struct sim *sim, double coarse)
{
    const struct sim_kernels *own = sim->kernels;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        const uint32_t ranges[5][2] = {{0, body->count}, {0, 1}, {body->count - 1, 1}, {3, 18}, {7, 0}};
        for (int r = 0; r < 5; r++) {
            sim->kernels = sim_kernels_of(SIM_ISA_SCALAR);
            see(sim, body->id, ranges[r][0], ranges[r][1], &reference);
            check_body(sim, body, ranges[r][0], ranges[r][1]);
            check_measures(sim, &reference.measures, coarse);
            for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
                if (sim_isa_available((enum sim_isa)isa)) {
                    sim->kernels = sim_kernels_of((enum sim_isa)isa);
                    see(sim, body->id, ranges[r][0], ranges[r][1], &other);
                    assert_true(same(other.positions, reference.positions, sizeof other.positions));
                    assert_true(same(other.positions64, reference.positions64, sizeof other.positions64));
                    assert_true(same(other.velocities, reference.velocities, sizeof other.velocities));
                    assert_true(same(other.normals, reference.normals, sizeof other.normals));
                    assert_measures_same(&other.measures, &reference.measures);
                }
            }
        }
    }
    sim->kernels = own;
}

static void between_ticks_all_read_alike(void **state)
{
    (void)state;
    static const double places[3] = {0, 1000, 900000};
    for (int i = 0; i < 3; i++) {
        struct sim *sim = busy_world(places[i]);
        scene_run(sim, 7);
        compare_all(sim, 1e-3);
        sim_destroy(sim);
    }
}

static void on_substep(void *context, uint32_t substep)
{
    struct sim *sim = context;
    if (substep == 4) {
        assert_true(sim->moving);
        compare_all(sim, 1e-3);
    }
}

static void within_a_tick_all_read_alike(void **state)
{
    (void)state;
    struct sim *sim = busy_world(1000);
    scene_run(sim, 7);
    const struct sim_hooks hooks = {.context = sim, .on_substep = on_substep};
    struct sim_failure failure;
    uint32_t before = compared;
    sim_step(sim, NULL, &hooks, &failure);
    assert_false(failure.failed);
    assert_true(compared > before);
    compare_all(sim, 1e-3);
    sim_destroy(sim);
}

// 16 m are 2^31 quanta: in low words such a constraint would look short.
static void constraints_that_an_edit_made_too_long_are_measured_whole(void **state)
{
    (void)state;
    struct sim *sim = busy_world(0);
    struct fault fault = {0};
    scene_run(sim, 3);
    assert_int_equal(sim_particles_set(sim, 1, (const uint32_t[]){12}, 1, (const double[]){32, 100, -64},
                                       NULL, NULL, &fault),
                     FAULT_NONE);
    compare_all(sim, 1e-3);
    assert_true(reference.measures.error_max[SIM_DISTANCE] > 1000);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ order

static void the_place_of_a_constraint_does_not_matter(void **state)
{
    (void)state;
    struct sim_measures measures[2];
    for (int backwards = 0; backwards < 2; backwards++) {
        struct sim *sim = busy_world(0);
        scene_run(sim, 5);
        uint32_t gone = backwards ? scene_link(sim, 3, 8, 30, 1, 1e-3, 0) : 0;
        for (uint32_t i = 0; i < 60; i++) {
            uint32_t k = backwards ? 59 - i : i;
            scene_link(sim, 3, k, k + 37, 0.3 + 0.001 * k, 1e-3 * (1 + k), 0);
        }
        struct fault fault = {0};
        if (backwards) {
            assert_int_equal(sim_constraints_remove(sim, &gone, 1, &fault), FAULT_NONE);
        }
        memset(&measures[backwards], 0, sizeof measures[backwards]);
        sim_measure(sim, &measures[backwards]);
        struct sim_image image;
        struct sim_image_place place;
        struct sim_measures opened;
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        assert_non_null(made);
        sim_measure(made, &opened);
        opened.contacts = measures[backwards].contacts;
        assert_measures_same(&opened, &measures[backwards]);
        sim_image_deinit(&image);
        sim_destroy(made);
        sim_destroy(sim);
    }
    assert_measures_same(&measures[0], &measures[1]);
}

// ------------------------------------------------------------------------------------------------- sums

enum { TERMS = 32 * SIM_LANES };

static double sum_of(enum sim_isa isa, const double *terms)
{
    static struct sim_sum sum;
    sim_sum_init(&sum);
    for (uint32_t i = 0; i < TERMS; i += SIM_LANES) {
        sim_kernels_of(isa)->sum(&sum, terms + i);
    }
    return sim_sum_value(&sum);
}

static void shuffle(double *terms, uint64_t *seed)
{
    for (uint32_t i = TERMS - 1; i > 0; i--) {
        uint32_t k = (uint32_t)(scene_random(seed) >> 32) % (i + 1);
        double kept = terms[i];
        terms[i] = terms[k];
        terms[k] = kept;
    }
}

// In every order and instruction set the same bits; `expected` to the last bit or its neighbour.
static void check_sum(double *terms, double expected, uint64_t *seed)
{
    double first = sum_of(SIM_ISA_SCALAR, terms);
    assert_true(first == expected || nextafter(first, expected) == expected);
    for (int round = 0; round < 4; round++) {
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                double again = sum_of((enum sim_isa)isa, terms);
                assert_memory_equal(&again, &first, sizeof first);
            }
        }
        shuffle(terms, seed);
    }
}

static void sums_are_exact_in_any_order(void **state)
{
    (void)state;
    static double terms[TERMS];
    uint64_t seed = 77;
    for (int round = 0; round < 200; round++) {
        // Pairs that cancel, of every magnitude, but for one term: nothing of it may be lost.
        int spread = round % 4 == 0 ? 20 : round % 4 == 1 ? 200 : 2040;
        double left = ldexp(0.5 + scene_uniform(&seed), (int)(scene_random(&seed) >> 40) % 80 - 40);
        memset(terms, 0, sizeof terms);
        terms[0] = round % 2 == 0 ? left : -left;
        for (uint32_t i = 1; i + 1 < TERMS; i += 2) {
            terms[i] = ldexp(scene_uniform(&seed) - 0.5,
                             (int)((scene_random(&seed) >> 33) % (uint64_t)spread) - spread / 2);
            terms[i + 1] = -terms[i];
        }
        check_sum(terms, terms[0], &seed);
        // Integers below 2^53 in all: plain addition rounds nothing either.
        double sum = 0, scale = ldexp(1, round % 60 * 30 - 900);
        for (uint32_t i = 0; i < TERMS; i++) {
            terms[i] = (double)((int64_t)scene_random(&seed) >> 22) * scale;
            sum += terms[i];
        }
        check_sum(terms, sum, &seed);
    }
}

static void sums_of_what_is_hardly_a_number(void **state)
{
    (void)state;
    static double terms[TERMS];
    uint64_t seed = 5;
    check_sum(terms, 0, &seed);
    terms[3] = 5e-324;
    terms[200] = 1e300;
    terms[201] = -1e300;
    check_sum(terms, 5e-324, &seed);
    memset(terms, 0, sizeof terms);
    terms[9] = 1.7e308;
    terms[100] = 1.7e308;
    terms[101] = -1.7e308;
    check_sum(terms, 1.7e308, &seed);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        memset(terms, 0, sizeof terms);
        terms[17] = NAN;
        assert_true(isnan(sum_of((enum sim_isa)isa, terms)));
        terms[18] = 3;
        assert_true(isnan(sum_of((enum sim_isa)isa, terms)));
        terms[17] = -INFINITY;
        assert_true(sum_of((enum sim_isa)isa, terms) == -HUGE_VAL);
        terms[300] = INFINITY;
        assert_true(isnan(sum_of((enum sim_isa)isa, terms)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_ticks_all_read_alike),
        cmocka_unit_test(within_a_tick_all_read_alike),
        cmocka_unit_test(constraints_that_an_edit_made_too_long_are_measured_whole),
        cmocka_unit_test(the_place_of_a_constraint_does_not_matter),
        cmocka_unit_test(sums_are_exact_in_any_order),
        cmocka_unit_test(sums_of_what_is_hardly_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
