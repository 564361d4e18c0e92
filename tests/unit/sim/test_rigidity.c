// A bending rigidity B makes a mesh as stiff as a plate: bent to the curvature k it stores B k^2/2 for each unit of area, whichever
// model bends it. Patches of several meshes are bent a little, with two rows along the border held there. All corners between them
// go to where the energy is least, since cloth is free to do so. The energies are summed over the middle of the patch.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 25, COUNT = SIDE * SIDE, TRIANGLES = 2 * COUNT, HINGES = 3 * COUNT };
#define CELL 0.05
#define RADIUS (400 * CELL)
#define RIGIDITY 3e-4

enum mesh_kind { EQUILATERAL, ONE_WAY, CROSSWISE, JITTERED, RANDOM, MESH_KINDS };
static const char *const names[] = {"equilateral", "one way", "crosswise", "jittered", "random"};

struct hinge {
    uint32_t corners[4];
    double k[4], f, length2, area; // area: of both triangles
};

struct patch {
    double at[COUNT][2], low[2], high[2];
    uint32_t triangles[3 * TRIANGLES], triangle_count;
    struct hinge hinges[HINGES];
    uint32_t hinge_count;
    bool held[COUNT];
};

// ---------------------------------------------------------------------------------------------------------
// Meshes

static double chance(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static double turn_of(const struct patch *patch, uint32_t a, uint32_t b, uint32_t c)
{
    const double *p = patch->at[a], *q = patch->at[b], *r = patch->at[c];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static void add_triangle(struct patch *patch, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(patch->triangles + 3 * (size_t)patch->triangle_count++, corners, sizeof corners);
}

static void make_cells(struct patch *patch, enum mesh_kind kind)
{
    for (uint32_t j = 0; j + 1 < SIDE; j++) {
        for (uint32_t i = 0; i + 1 < SIDE; i++) {
            const uint32_t a = SIDE * j + i, b = a + 1, c = a + SIDE, d = c + 1;
            const bool odd = kind == ONE_WAY ? false : kind == EQUILATERAL ? j % 2 == 0 : (i + j) % 2 == 1;
            add_triangle(patch, a, b, odd ? c : d);
            add_triangle(patch, odd ? b : a, d, c);
        }
    }
}

// Whether a point lies in the circle through the corners of a triangle that turns left.
static bool in_circle(const struct patch *patch, const uint32_t *corners, uint32_t point)
{
    double d[3][3];
    for (int k = 0; k < 3; k++) {
        d[k][0] = patch->at[corners[k]][0] - patch->at[point][0];
        d[k][1] = patch->at[corners[k]][1] - patch->at[point][1];
        d[k][2] = d[k][0] * d[k][0] + d[k][1] * d[k][1];
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
               d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
               d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]) >
           0;
}

static void find_hinges(struct patch *patch);

// Turns the diagonals of a mesh until it is Delaunay's.
static void flip(struct patch *patch)
{
    bool flips = true;
    for (int round = 0; flips && round < 200; round++) {
        flips = false;
        find_hinges(patch);
        bool touched[TRIANGLES] = {false};
        for (uint32_t h = 0; h < patch->hinge_count; h++) {
            const uint32_t *c = patch->hinges[h].corners, first[3] = {c[0], c[1], c[2]};
            uint32_t found[2] = {0, 0}, seen = 0;
            if (!in_circle(patch, first, c[3]) || turn_of(patch, c[2], c[3], c[1]) <= 0 ||
                turn_of(patch, c[3], c[2], c[0]) <= 0) {
                continue;
            }
            for (uint32_t t = 0; t < patch->triangle_count && seen < 2; t++) {
                bool has[4] = {false};
                for (int k = 0; k < 12; k++) {
                    has[k / 3] |= patch->triangles[3 * (size_t)t + (size_t)(k % 3)] == c[k / 3];
                }
                if (has[0] && has[1] && (has[2] || has[3])) {
                    found[seen++] = t;
                }
            }
            if (touched[found[0]] || touched[found[1]]) {
                continue;
            }
            const uint32_t two[2][3] = {{c[2], c[3], c[1]}, {c[3], c[2], c[0]}};
            memcpy(patch->triangles + 3 * (size_t)found[0], two[0], sizeof two[0]);
            memcpy(patch->triangles + 3 * (size_t)found[1], two[1], sizeof two[1]);
            touched[found[0]] = touched[found[1]] = flips = true;
        }
    }
    assert_false(flips);
}

// The stencil of two triangles that turn left, in the plane.
static struct hinge hinge_of(const struct patch *patch, const uint32_t corners[4])
{
    struct hinge hinge = {.length2 = 0};
    memcpy(hinge.corners, corners, sizeof hinge.corners);
    double cots[2][2];
    for (int wing = 0; wing < 2; wing++) {
        const double area2 = fabs(turn_of(patch, corners[0], corners[1], corners[2 + wing]));
        for (int end = 0; end < 2; end++) {
            const double *p = patch->at[corners[end]], *q = patch->at[corners[1 - end]],
                         *r = patch->at[corners[2 + wing]];
            cots[wing][end] = ((q[0] - p[0]) * (r[0] - p[0]) + (q[1] - p[1]) * (r[1] - p[1])) / area2;
        }
        hinge.area += 0.5 * area2;
    }
    for (int axis = 0; axis < 2; axis++) {
        const double d = patch->at[corners[1]][axis] - patch->at[corners[0]][axis];
        hinge.length2 += d * d;
    }
    hinge.f = 3 / hinge.area;
    hinge.k[0] = cots[0][1] + cots[1][1];
    hinge.k[1] = cots[0][0] + cots[1][0];
    hinge.k[2] = -(cots[0][0] + cots[0][1]);
    hinge.k[3] = -(cots[1][0] + cots[1][1]);
    return hinge;
}

static void find_hinges(struct patch *patch)
{
    static uint32_t wing_of[COUNT]
                           [COUNT]; // behind the edge from one to the other: its triangle's third corner + 1
    memset(wing_of, 0, sizeof wing_of);
    patch->hinge_count = 0;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const uint32_t *c = patch->triangles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t a = c[k], b = c[(k + 1) % 3];
            wing_of[a][b] = c[(k + 2) % 3] + 1;
            if (wing_of[b][a]) {
                const uint32_t corners[4] = {a, b, c[(k + 2) % 3], wing_of[b][a] - 1};
                patch->hinges[patch->hinge_count++] = hinge_of(patch, corners);
            }
        }
    }
}

static struct patch *patch_create(enum mesh_kind kind)
{
    struct patch *patch = calloc(1, sizeof *patch);
    uint64_t seed = 7;
    assert_non_null(patch);
    const double row = kind == EQUILATERAL ? sqrt(0.75) : 1, jitter = kind == RANDOM     ? 0.8
                                                                      : kind == JITTERED ? 0.4
                                                                                         : 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const bool inside = x > 0 && y > 0 && x + 1 < SIDE && y + 1 < SIDE;
        const double part = inside ? jitter : 0, shift = kind == EQUILATERAL && y % 2 == 1 ? 0.5 : 0;
        patch->at[i][0] = CELL * (x + shift + part * chance(&seed));
        patch->at[i][1] = CELL * row * (y + part * chance(&seed));
        patch->held[i] = x < 2 || y < 2 || x + 2 >= SIDE || y + 2 >= SIDE;
    }
    make_cells(patch, kind);
    if (kind == RANDOM) {
        flip(patch);
    }
    find_hinges(patch);
    for (int axis = 0; axis < 2; axis++) {
        patch->low[axis] = 6 * CELL;
        patch->high[axis] = (SIDE - 7) * CELL * (axis == 1 ? row : 1);
    }
    return patch;
}

// ---------------------------------------------------------------------------------------------------------
// Energies

static double weight_of(const struct hinge *hinge, enum sim_bend model)
{
    return model == SIM_BEND_DIHEDRAL ? 1 / hinge->length2 : hinge->f;
}

static double fold_of(const struct hinge *hinge, const double *z)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += hinge->k[k] * z[hinge->corners[k]];
    }
    return sum;
}

static void gradient(const struct patch *patch, enum sim_bend model, const double *z, double *out)
{
    memset(out, 0, COUNT * sizeof *out);
    for (uint32_t h = 0; h < patch->hinge_count; h++) {
        const struct hinge *hinge = &patch->hinges[h];
        const double pull = weight_of(hinge, model) * fold_of(hinge, z);
        for (int k = 0; k < 4; k++) {
            out[hinge->corners[k]] += patch->held[hinge->corners[k]] ? 0 : pull * hinge->k[k];
        }
    }
}

// Conjugate gradients on the heights that are not held.
static void relax(const struct patch *patch, enum sim_bend model, double *z)
{
    static double r[COUNT], p[COUNT], q[COUNT];
    double rr = 0, first = 0;
    gradient(patch, model, z, r);
    for (uint32_t i = 0; i < COUNT; i++) {
        p[i] = r[i] = -r[i];
        rr += r[i] * r[i];
    }
    first = rr;
    for (int round = 0; round < 3000 && rr > 1e-16 * first && rr > 0; round++) {
        double pq = 0, next = 0;
        gradient(patch, model, p, q);
        for (uint32_t i = 0; i < COUNT; i++) {
            pq += p[i] * q[i];
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            z[i] += rr / pq * p[i];
            r[i] -= rr / pq * q[i];
            next += r[i] * r[i];
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            p[i] = r[i] + next / rr * p[i];
        }
        rr = next;
    }
}

struct bent {
    double total, density; // of all hinges; in the middle for each unit of area
};

static struct bent energy_of(const struct patch *patch, enum sim_bend model, double compliance,
                             const double *z)
{
    struct bent bent = {0};
    double middle = 0, area = 0;
    for (uint32_t h = 0; h < patch->hinge_count; h++) {
        const struct hinge *hinge = &patch->hinges[h];
        const double fold = fold_of(hinge, z),
                     energy = weight_of(hinge, model) * fold * fold / (2 * compliance);
        bool inside = true;
        for (int k = 0; k < 8; k++) {
            const double x = patch->at[hinge->corners[k / 2]][k % 2];
            inside = inside && x > patch->low[k % 2] && x < patch->high[k % 2];
        }
        bent.total += energy;
        middle += inside ? energy : 0;
        area += inside ? hinge->area / 3 : 0;
    }
    bent.density = middle / area;
    return bent;
}

// The body of a patch at those heights: its compliance, and the energy that the sim tells.
static double told_by(const struct patch *patch, enum sim_bend model, double rigidity, const double *z,
                      double *compliance)
{
    static double positions[3 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        const double at[3] = {patch->at[i][0], patch->at[i][1], 0};
        memcpy(positions + 3 * (size_t)i, at, sizeof at);
    }
    struct sim_settings settings = scene_still(1000);
    settings.substeps = 100; // the energy that is told takes in what a substep gives
    struct sim *sim = scene_create(settings);
    const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                       .particle_count = COUNT,
                                       .positions = positions,
                                       .triangles = patch->triangles,
                                       .triangle_count = patch->triangle_count,
                                       .density = 0.2,
                                       .stretch = {.stiffness = -1},
                                       .bend_model = model,
                                       .bend = {.stiffness = -1, .rigidity = rigidity},
                                       .volume = {.stiffness = -1}};
    const uint32_t body = scene_add(sim, &desc);
    struct sim_body_info info;
    struct sim_measures measures;
    struct fault fault;
    assert_true(sim_body_info(sim, body, &info));
    assert_true(info.bend.rigidity == rigidity);
    *compliance = info.bend.compliance;
    for (uint32_t i = 0; z && i < COUNT; i++) {
        positions[3 * (size_t)i + 2] = z[i];
    }
    static uint32_t all[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = i;
    }
    assert_int_equal(sim_particles_set(sim, body, all, COUNT, positions, NULL, NULL, &fault), FAULT_NONE);
    sim_measure(sim, &measures);
    sim_destroy(sim);
    return measures.elastic[model == SIM_BEND_DIHEDRAL ? SIM_DIHEDRAL : SIM_QUADRATIC];
}

// Bends with curvatures k1 along a direction and k2 across it. Returns the density of energy over that of a plate whose Poisson
// ratio is 0, B (k1^2 + k2^2)/2.
static double bent_over_plate(const struct patch *patch, enum sim_bend model, double degrees, double k1,
                              double k2, bool free)
{
    static double z[COUNT];
    const double turn = degrees * 3.14159265358979 / 180, c = cos(turn), s = sin(turn);
    double compliance;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double x = patch->at[i][0] - SIDE * CELL / 2, y = patch->at[i][1] - SIDE * CELL / 2;
        const double along = c * x + s * y, across = c * y - s * x;
        z[i] = 0.5 * (k1 * along * along + k2 * across * across);
    }
    if (free) {
        relax(patch, model, z);
    }
    const double told = told_by(patch, model, RIGIDITY, z, &compliance);
    const struct bent bent = energy_of(patch, model, compliance, z);
    assert_true(fabs(told / bent.total - 1) < 0.01); // the sim tells of the energy that is reckoned with here
    return bent.density / (0.5 * RIGIDITY * (k1 * k1 + k2 * k2));
}

static double rolled(const struct patch *patch, enum sim_bend model, double degrees, double sign)
{
    return bent_over_plate(patch, model, degrees, sign / RADIUS, 0, true);
}

static bool within(double value, double expected, double part)
{
    if (!(fabs(value / expected - 1) <= part)) {
        print_message("%.4f, expected %.4f within %g %%\n", value, expected, 100 * part);
    }
    return fabs(value / expected - 1) <= part;
}

// Along the sides of squares, as the yarns of a fabric lie, and in all directions of equilateral triangles.
static void grids_are_as_stiff_as_their_plate(void **state)
{
    (void)state;
    static const double turns[] = {0, 90, 30, 45};
    for (enum mesh_kind kind = EQUILATERAL; kind <= CROSSWISE; kind++) {
        struct patch *patch = patch_create(kind);
        for (int t = 0; t < (kind == EQUILATERAL ? 4 : 2); t++) {
            const double quadratic = rolled(patch, SIM_BEND_QUADRATIC, turns[t], 1),
                         dihedral = rolled(patch, SIM_BEND_DIHEDRAL, turns[t], 1);
            print_message("%-12s %2.0f degrees: quadratic %.3f, dihedral %.3f of B\n", names[kind], turns[t],
                          quadratic, dihedral);
            assert_true(within(quadratic, 1, 0.1) && within(dihedral, 1, 0.1));
            assert_true(within(rolled(patch, SIM_BEND_QUADRATIC, turns[t], -1), quadratic, 1e-3));
            assert_true(within(rolled(patch, SIM_BEND_DIHEDRAL, turns[t], -1), dihedral, 1e-3));
        }
        free(patch);
    }
}

static void random_meshes_are_nearly_so_in_all_directions(void **state)
{
    (void)state;
    struct patch *patch = patch_create(RANDOM);
    for (int degrees = 0; degrees < 180; degrees += 15) {
        const double quadratic = rolled(patch, SIM_BEND_QUADRATIC, degrees, 1),
                     dihedral = rolled(patch, SIM_BEND_DIHEDRAL, degrees, -1);
        print_message("random %3d degrees: quadratic %.3f, dihedral %.3f of B\n", degrees, quadratic,
                      dihedral);
        assert_true(within(quadratic, 1, 0.2) && within(dihedral, 1, 0.2) &&
                    within(dihedral, quadratic, 0.12));
    }
    free(patch);
}

// One number for all hinges of a body leaves the directions of its mesh. These are the factors that docs/concepts/materials.md has.
static void squares_are_not_alike_in_all_directions(void **state)
{
    (void)state;
    static const struct {
        enum mesh_kind kind;
        enum sim_bend model;
        double degrees, factor;
    } cases[] = {
        {ONE_WAY, SIM_BEND_QUADRATIC, 45, 3},         {ONE_WAY, SIM_BEND_QUADRATIC, 135, 1},
        {ONE_WAY, SIM_BEND_DIHEDRAL, 45, 2.5},        {ONE_WAY, SIM_BEND_DIHEDRAL, 135, 0.5},
        {CROSSWISE, SIM_BEND_QUADRATIC, 45, 4 / 2.5}, {CROSSWISE, SIM_BEND_DIHEDRAL, 45, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct patch *patch = patch_create(cases[c].kind);
        assert_true(within(rolled(patch, cases[c].model, cases[c].degrees, 1), cases[c].factor, 0.15));
        free(patch);
    }
}

// A saddle of an even sheet stores the same whichever way it is turned, and both models nearly the same.
static void saddles_of_both_signs_are_alike(void **state)
{
    (void)state;
    for (enum mesh_kind kind = 0; kind < MESH_KINDS; kind++) {
        struct patch *patch = patch_create(kind);
        double stored[2][2];
        for (int m = 0; m < 2; m++) {
            for (int sign = 0; sign < 2; sign++) {
                const double k = sign ? -1 / RADIUS : 1 / RADIUS;
                stored[m][sign] =
                    bent_over_plate(patch, m ? SIM_BEND_DIHEDRAL : SIM_BEND_QUADRATIC, 0, k, -k, true);
            }
            assert_true(within(stored[m][1], stored[m][0], 1e-3));
        }
        print_message("%-12s saddle: quadratic %.3f, dihedral %.3f of a plate without Poisson's ratio\n",
                      names[kind], stored[0][0], stored[1][0]);
        assert_true(kind == JITTERED || within(stored[1][0], stored[0][0], 0.13));
        free(patch);
    }
}

// Twice the rigidity is half the compliance, and the size of the mesh does not matter.
static void the_compliance_follows_from_the_shape(void **state)
{
    (void)state;
    static const enum sim_bend models[] = {SIM_BEND_QUADRATIC, SIM_BEND_DIHEDRAL};
    static const double exact[MESH_KINDS][2] = {{3, 0.8660254}, {3, 1}, {2.5, 0.75}};
    for (enum mesh_kind kind = EQUILATERAL; kind <= CROSSWISE; kind++) {
        struct patch *patch = patch_create(kind);
        for (int m = 0; m < 2; m++) {
            double one, two, half;
            told_by(patch, models[m], RIGIDITY, NULL, &one);
            told_by(patch, models[m], 2 * RIGIDITY, NULL, &two);
            for (uint32_t i = 0; i < COUNT; i++) {
                patch->at[i][0] *= 0.5;
                patch->at[i][1] *= 0.5;
            }
            told_by(patch, models[m], RIGIDITY, NULL, &half);
            assert_true(within(two, one / 2, 1e-12) && within(half, one, 1e-6));
            assert_true(within(one * RIGIDITY, exact[kind][m], 0.07));
            print_message("%-12s alpha = %.3f / B (%.3f on an endless mesh)\n", names[kind], one * RIGIDITY,
                          exact[kind][m]);
        }
        free(patch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_as_stiff_as_their_plate),
        cmocka_unit_test(random_meshes_are_nearly_so_in_all_directions),
        cmocka_unit_test(squares_are_not_alike_in_all_directions),
        cmocka_unit_test(saddles_of_both_signs_are_alike),
        cmocka_unit_test(the_compliance_follows_from_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
