// Winding numbers, and lattices that carry a surface.
#include "helper_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double origin[3] = {0, 0, 0};

// Solid angles of all triangles, one after the other.
static double winding_plainly(const struct mesh *mesh, const double point[3])
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double v[3][3], n[3];
        for (int k = 0; k < 3; k++) {
            n[k] = 0;
            for (int axis = 0; axis < 3; axis++) {
                v[k][axis] =
                    mesh->positions[3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k] + (size_t)axis] -
                    point[axis];
                n[k] += v[k][axis] * v[k][axis];
            }
            n[k] = sqrt(n[k]);
        }
        double dots[3];
        for (int k = 0; k < 3; k++) {
            dots[k] = v[k][0] * v[(k + 1) % 3][0] + v[k][1] * v[(k + 1) % 3][1] + v[k][2] * v[(k + 1) % 3][2];
        }
        const double above = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                             v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                             v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += 2 * atan2(above, n[0] * n[1] * n[2] + dots[0] * n[2] + dots[1] * n[0] + dots[2] * n[1]);
    }
    return sum / (4 * acos(-1));
}

static uint32_t seed = 12345;

static double random_number(void) // -1 ... 1
{
    seed = seed * 1664525 + 1013904223;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

static void test_winding_is_what_the_plain_sum_is(void **state)
{
    (void)state;
    struct mesh ball = shape_ball(1, origin, 40);
    // Without some of its triangles, so that the numbers are no whole ones.
    ball.triangle_count -= ball.triangle_count / 5;
    struct mesh_winding *winding = mesh_winding_create(&ball);
    assert_non_null(winding);
    for (int i = 0; i < 300; i++) {
        const double point[3] = {2 * random_number(), 2 * random_number(), 2 * random_number()};
        assert_true(fabs(mesh_winding_at(winding, point) - winding_plainly(&ball, point)) < 0.02);
    }
    mesh_winding_destroy(winding);
    mesh_deinit(&ball);
}

static void orient(struct mesh *mesh, struct mesh_shape *shape)
{
    struct fault fault;
    assert_true(mesh_orient(mesh, shape, &fault));
}

// Properties that hold for every lattice.
static void check_lattice(const struct mesh *mesh, const struct mesh_lattice *lattice)
{
    double least;
    const double volume = shape_tets_volume(&lattice->body, &least);
    assert_true(least > 0);
    assert_true(fabs(volume - lattice->volume) < 1e-9 * volume);
    assert_int_equal(lattice->body.tet_count, 5 * lattice->cell_count);
    assert_int_equal(lattice->skin_vertex_count, mesh->vertex_count);
    // Each particle belongs to a tetrahedron.
    uint8_t *used = calloc(lattice->body.vertex_count, 1);
    assert_non_null(used);
    for (size_t i = 0; i < 4 * (size_t)lattice->body.tet_count; i++) {
        used[lattice->body.tets[i]] = 1;
    }
    assert_null(memchr(used, 0, lattice->body.vertex_count));
    free(used);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *weights = lattice->skin_weights + 4 * v;
        double sum = 0, at[3] = {0};
        for (size_t k = 0; k < 4; k++) {
            assert_true(weights[k] >= -1e-6f && weights[k] <= 1 + 1e-6f);
            sum += (double)weights[k];
            for (size_t axis = 0; axis < 3; axis++) {
                at[axis] += (double)weights[k] *
                            lattice->body.positions[3 * (size_t)lattice->skin_particles[4 * v + k] + axis];
            }
        }
        assert_true(fabs(sum - 1) < 1e-6);
        for (size_t axis = 0; axis < 3; axis++) {
            assert_true(fabs(at[axis] - mesh->positions[3 * v + axis]) < 1e-5 * lattice->cell);
        }
    }
}

// Faces of tetrahedra: none belongs to more than two, and the two see it from both sides.
static int face_compare(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

static void check_faces_fit(const struct mesh *body)
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    const size_t count = 4 * (size_t)body->tet_count;
    struct face {
        uint32_t corners[3];
        int side;
    } *all = calloc(count, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++) {
        uint32_t *c = all[i].corners;
        for (int k = 0; k < 3; k++) {
            c[k] = body->tets[4 * (i / 4) + (size_t)faces[i % 4][k]];
        }
        all[i].side = 1;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < 2; k++) {
                if (c[k] > c[k + 1]) {
                    const uint32_t other = c[k];
                    c[k] = c[k + 1];
                    c[k + 1] = other;
                    all[i].side = -all[i].side;
                }
            }
        }
    }
    qsort(all, count, sizeof *all, face_compare);
    size_t shared = 0;
    for (size_t i = 0; i < count;) {
        size_t n = 1;
        int sides = all[i].side;
        for (; i + n < count && face_compare(&all[i], &all[i + n]) == 0; n++) {
            sides += all[i + n].side;
        }
        assert_true(n <= 2);
        if (n == 2) {
            assert_int_equal(sides, 0);
            shared++;
        }
        i += n;
    }
    // Four inner faces a cell at least, and more where cells touch: else the halves of faces do not fit.
    assert_true(shared > 4 * (size_t)body->tet_count / 5);
    free(all);
}

static void test_a_ball_is_filled_with_about_so_many_cells(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {1, 30, 200, 1000, 8000};
    struct mesh ball = shape_ball(0.5, (const double[3]){3, 1, -2}, 24);
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    struct fault fault;
    orient(&ball, &shape);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(mesh_fill(&ball, &shape, wanted[i], NULL, &lattice, &fault));
        check_lattice(&ball, &lattice);
        if (wanted[i] >= 30) {
            assert_true(fabs((double)lattice.cell_count - wanted[i]) < 0.25 * wanted[i]);
            check_faces_fit(&lattice.body);
        }
        if (wanted[i] == 8000) {
            assert_true(fabs(lattice.volume / shape.volume - 1) < 0.15);
        }
        mesh_lattice_deinit(&lattice);
    }
    mesh_deinit(&ball);
}

static void test_the_hollow_stays_hollow(void **state)
{
    (void)state;
    struct mesh outer = shape_ball(1, origin, 24), inner = shape_ball(0.8, origin, 24);
    for (uint32_t t = 0; t < inner.triangle_count; t++) {
        shape_turn(&inner, t);
    }
    struct mesh both = shape_both(&outer, &inner);
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    struct fault fault;
    orient(&both, &shape);
    assert_true(mesh_fill(&both, &shape, 20000, NULL, &lattice, &fault));
    check_lattice(&both, &lattice);
    for (uint32_t i = 0; i < lattice.body.vertex_count; i++) {
        const double *p = lattice.body.positions + 3 * (size_t)i;
        assert_true(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) > 0.7);
    }
    mesh_lattice_deinit(&lattice);
    mesh_deinit(&outer);
    mesh_deinit(&inner);
    mesh_deinit(&both);
}

static void test_small_cracks_are_passed_over(void **state)
{
    (void)state;
    struct mesh ball = shape_ball(1, origin, 24), cracked = shape_soup(&ball);
    struct mesh_shape whole, shape;
    struct mesh_lattice expected, lattice;
    struct fault fault;
    // Each triangle shrinks a little, so that all seams gape; and one is missing.
    for (uint32_t t = 0; t < cracked.triangle_count; t++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double *p = cracked.positions + 9 * (size_t)t + axis;
            const double middle = (p[0] + p[3] + p[6]) / 3;
            for (size_t k = 0; k < 9; k += 3) {
                p[k] += 1e-3 * (middle - p[k]);
            }
        }
    }
    orient(&ball, &whole);
    assert_true(mesh_fill(&ball, &whole, 2000, NULL, &expected, &fault));
    struct mesh_welding welding;
    assert_true(mesh_weld(&cracked, 1e-6, &welding, &fault));
    cracked.triangle_count--;
    orient(&cracked, &shape);
    // As triangles that hang together nowhere, it is no closed surface.
    assert_false(mesh_fill(&cracked, &shape, 2000, NULL, &lattice, &fault));
    assert_int_equal(fault.code, FAULT_INVALID);
    // Welded across the cracks it is, but for the one that is missing.
    assert_true(mesh_weld(&cracked, 1e-3, &welding, &fault));
    orient(&cracked, &shape);
    assert_int_equal(shape.boundary_edges, 3);
    assert_true(mesh_fill(&cracked, &shape, 2000, NULL, &lattice, &fault));
    check_lattice(&cracked, &lattice);
    assert_true(fabs((double)lattice.cell_count - expected.cell_count) < 0.02 * expected.cell_count);
    mesh_lattice_deinit(&lattice);
    mesh_lattice_deinit(&expected);
    mesh_deinit(&ball);
    mesh_deinit(&cracked);
}

static void test_open_surfaces_are_refused_in_words(void **state)
{
    (void)state;
    struct mesh box = shape_box(origin, (const double[3]){1, 1, 1}), sheet = shape_sheet(5, 5, 1);
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    struct fault fault;
    box.triangle_count -= 2;
    orient(&box, &shape);
    assert_int_equal(shape.boundary_edges, 4);
    assert_false(mesh_fill(&box, &shape, 100, NULL, &lattice, &fault));
    assert_non_null(strstr(fault.text, "the surface is open"));
    orient(&sheet, &shape);
    assert_false(mesh_fill(&sheet, &shape, 100, NULL, &lattice, &fault));
    assert_non_null(strstr(fault.text, "the surface is open"));
    sheet.triangle_count = 0;
    orient(&sheet, &shape);
    assert_false(mesh_fill(&sheet, &shape, 100, NULL, &lattice, &fault));
    assert_non_null(strstr(fault.text, "no surface"));
    mesh_deinit(&box);
    mesh_deinit(&sheet);
}

// A long beam, thinner than a cell and off the lattice's middle, still hangs together.
static void test_a_thin_part_does_not_fall_apart(void **state)
{
    (void)state;
    struct mesh ball = shape_ball(0.5, (const double[3]){0, 0.3, 0}, 12),
                beam = shape_box((const double[3]){-4, 0.05, 0.02}, (const double[3]){4, 0.08, 0.05});
    // A triangle of the box reaches from end to end, with vertices at the ends alone.
    struct mesh both = shape_both(&ball, &beam);
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    struct fault fault;
    orient(&beam, &shape);
    assert_true(mesh_fill(&beam, &shape, 2, NULL, &lattice, &fault));
    check_lattice(&beam, &lattice);
    mesh_lattice_deinit(&lattice);
    orient(&both, &shape);
    assert_true(mesh_fill(&both, &shape, 60, NULL, &lattice, &fault));
    check_lattice(&both, &lattice);
    // Every stretch of the beam has a particle near.
    for (double x = -4; x <= 4; x += lattice.cell) {
        bool near = false;
        for (uint32_t i = 0; i < lattice.body.vertex_count; i++) {
            near = near || fabs(lattice.body.positions[3 * (size_t)i] - x) <= lattice.cell;
        }
        assert_true(near);
    }
    mesh_lattice_deinit(&lattice);
    mesh_deinit(&ball);
    mesh_deinit(&beam);
    mesh_deinit(&both);
}

static bool stop(void *context, const char *stage, double share)
{
    int *left = context;
    assert_string_equal(stage, "filling");
    assert_true(share >= 0 && share <= 1);
    return (*left)-- > 0;
}

static void test_it_can_be_stopped_and_bounded(void **state)
{
    (void)state;
    struct mesh ball = shape_ball(1, origin, 12);
    struct mesh_shape shape;
    struct mesh_lattice lattice;
    struct fault fault;
    int left = 3;
    const struct mesh_watch watch = {.report = stop, .context = &left};
    orient(&ball, &shape);
    assert_false(mesh_fill(&ball, &shape, 1000, &watch, &lattice, &fault));
    assert_int_equal(fault.code, FAULT_CANCELLED);
    assert_int_equal(left, -1);
    assert_false(mesh_fill(&ball, &shape, 0, NULL, &lattice, &fault));
    assert_false(mesh_fill(&ball, &shape, 1000001, NULL, &lattice, &fault));
    // A needle across a huge block: too many empty cells.
    struct mesh needle = shape_box(origin, (const double[3]){1e4, 1, 1});
    for (size_t i = 0; i < 8; i++) {
        needle.positions[3 * i + 1] += needle.positions[3 * i];
        needle.positions[3 * i + 2] += needle.positions[3 * i];
    }
    orient(&needle, &shape);
    assert_false(mesh_fill(&needle, &shape, 100000, NULL, &lattice, &fault));
    assert_int_equal(fault.code, FAULT_LIMIT);
    mesh_deinit(&ball);
    mesh_deinit(&needle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winding_is_what_the_plain_sum_is),
        cmocka_unit_test(test_a_ball_is_filled_with_about_so_many_cells),
        cmocka_unit_test(test_the_hollow_stays_hollow),
        cmocka_unit_test(test_small_cracks_are_passed_over),
        cmocka_unit_test(test_open_surfaces_are_refused_in_words),
        cmocka_unit_test(test_a_thin_part_does_not_fall_apart),
        cmocka_unit_test(test_it_can_be_stopped_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
