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
    double stiff;                  // its own stiffness over that of the body's material
};

// Rigidities along the yarns, and the angle of the warp, degrees.
struct cut {
    double warp, weft, bias, angle;
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
    hinge.stiff = 1;
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
    return hinge->stiff * (model == SIM_BEND_DIHEDRAL ? 1 / hinge->length2 : hinge->f);
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

// Gives each hinge of the patch the stiffness that the sim has for it.
static void take_stiffnesses(const struct sim *sim, const struct sim_body_info *info, enum sim_kind kind,
                             struct patch *patch)
{
    static double own[COUNT][COUNT]; // 0: the hinge does not bend
    memset(own, 0, sizeof own);
    for (uint32_t c = 0; c < info->constraint_count[kind]; c++) {
        struct sim_constraint constraint;
        assert_true(sim_constraint_get(sim, info->constraint_first[kind] + c, &constraint));
        const uint32_t a = constraint.particles[0], b = constraint.particles[1];
        own[a][b] = own[b][a] = info->bend.compliance / constraint.material.compliance;
    }
    for (uint32_t h = 0; h < patch->hinge_count; h++) {
        patch->hinges[h].stiff = own[patch->hinges[h].corners[0]][patch->hinges[h].corners[1]];
    }
}

// The body of a patch at those heights: its compliance, and the energy that the sim tells. cut: not NULL if it has rigidities along
// its yarns, and then its hinges get their stiffnesses.
static double told_by(struct patch *patch, enum sim_bend model, double rigidity, const struct cut *cut,
                      const double *z, double *compliance)
{
    static double positions[3 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        const double at[3] = {patch->at[i][0], patch->at[i][1], 0};
        memcpy(positions + 3 * (size_t)i, at, sizeof at);
    }
    struct sim_settings settings = scene_still(1000);
    settings.substeps = 100; // the energy that is told takes in what a substep gives
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = COUNT,
                                 .positions = positions,
                                 .triangles = patch->triangles,
                                 .triangle_count = patch->triangle_count,
                                 .density = 0.2,
                                 .stretch = {.stiffness = -1},
                                 .bend_model = model,
                                 .bend = {.stiffness = -1, .rigidity = rigidity},
                                 .volume = {.stiffness = -1}};
    if (cut) {
        desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
        desc.yarns = (struct sim_yarns){.direction = {1, 0, 0}, .angle = cut->angle * 3.14159265358979 / 180};
        desc.stretch = (struct sim_material){.warp = 1000, .weft = 1000, .shear = 50, .stiffness = -1};
        desc.bend =
            (struct sim_material){.stiffness = -1, .warp = cut->warp, .weft = cut->weft, .bias = cut->bias};
    }
    const uint32_t body = scene_add(sim, &desc);
    struct sim_body_info info;
    struct sim_measures measures;
    struct fault fault;
    assert_true(sim_body_info(sim, body, &info));
    assert_true(info.bend.rigidity == rigidity);
    *compliance = info.bend.compliance;
    if (cut) {
        take_stiffnesses(sim, &info, model == SIM_BEND_DIHEDRAL ? SIM_DIHEDRAL : SIM_QUADRATIC, patch);
    }
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
static double bent_over_plate(struct patch *patch, enum sim_bend model, double degrees, double k1, double k2,
                              bool free)
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
    const double told = told_by(patch, model, RIGIDITY, NULL, z, &compliance);
    const struct bent bent = energy_of(patch, model, compliance, z);
    assert_true(fabs(told / bent.total - 1) < 0.01); // the sim tells of the energy that is reckoned with here
    return bent.density / (0.5 * RIGIDITY * (k1 * k1 + k2 * k2));
}

static double rolled(struct patch *patch, enum sim_bend model, double degrees, double sign)
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
            told_by(patch, models[m], RIGIDITY, NULL, NULL, &one);
            told_by(patch, models[m], 2 * RIGIDITY, NULL, NULL, &two);
            for (uint32_t i = 0; i < COUNT; i++) {
                patch->at[i][0] *= 0.5;
                patch->at[i][1] *= 0.5;
            }
            told_by(patch, models[m], RIGIDITY, NULL, NULL, &half);
            assert_true(within(two, one / 2, 1e-12) && within(half, one, 1e-6));
            assert_true(within(one * RIGIDITY, exact[kind][m], 0.07));
            print_message("%-12s alpha = %.3f / B (%.3f on an endless mesh)\n", names[kind], one * RIGIDITY,
                          exact[kind][m]);
        }
        free(patch);
    }
}

// The rigidity of a patch that is rolled along a direction.
static double cut_rolled(struct patch *patch, enum sim_bend model, const struct cut *cut, double degrees)
{
    static double z[COUNT];
    const double turn = degrees * 3.14159265358979 / 180, c = cos(turn), s = sin(turn);
    double compliance;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double along =
            c * (patch->at[i][0] - SIDE * CELL / 2) + s * (patch->at[i][1] - SIDE * CELL / 2);
        z[i] = 0.5 / RADIUS * along * along;
    }
    told_by(patch, model, 0, cut, NULL, &compliance);
    relax(patch, model, z);
    const double told = told_by(patch, model, 0, cut, z, &compliance);
    const struct bent bent = energy_of(patch, model, compliance, z);
    assert_true(fabs(told / bent.total - 1) < 0.01);
    return 2 * bent.density * RADIUS * RADIUS;
}

// Rigidities along warp, weft and at 45 degrees, of yarns along the sides of squares and of yarns that lie otherwise.
static void sheets_bend_as_the_rigidities_of_their_yarns(void **state)
{
    (void)state;
    static const struct {
        enum mesh_kind kind;
        struct cut cut;
        double within; // part of B
    } cases[] = {
        {CROSSWISE, {2e-4, 1e-4, 0, 0}, 0.06},     {CROSSWISE, {1e-4, 4e-4, 0, 0}, 0.09},
        {CROSSWISE, {1e-4, 1e-4, 1e-4, 90}, 0.07}, {JITTERED, {4e-4, 1e-4, 0, 0}, 0.05},
        {RANDOM, {2e-4, 1e-4, 0, 30}, 0.2},        {RANDOM, {1e-4, 4e-4, 3e-4, 0}, 0.25},
        {EQUILATERAL, {1e-4, 3e-4, 0, 45}, 0.09},  {EQUILATERAL, {1e-4, 1e-4, 1e-4, 10}, 0.03},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct patch *patch = patch_create(cases[n].kind);
        const struct cut *cut = &cases[n].cut;
        const double mean = 0.5 * (sqrt(cut->warp) + sqrt(cut->weft));
        const double bias = cut->bias > 0 ? cut->bias : mean * mean;
        for (int m = 0; m < 2; m++) {
            const enum sim_bend model = m ? SIM_BEND_DIHEDRAL : SIM_BEND_QUADRATIC;
            const double got[4] = {cut_rolled(patch, model, cut, cut->angle) / cut->warp,
                                   cut_rolled(patch, model, cut, cut->angle + 90) / cut->weft,
                                   cut_rolled(patch, model, cut, cut->angle + 45) / bias,
                                   cut_rolled(patch, model, cut, cut->angle - 45) / bias};
            print_message("%-12s warp at %2.0f degrees, %.1f : 1, %-9s: %.3f %.3f %.3f %.3f of B\n",
                          names[cases[n].kind], cut->angle, cut->warp / cut->weft,
                          m ? "dihedral" : "quadratic", got[0], got[1], got[2], got[3]);
            for (int r = 0; r < 4; r++) {
                assert_true(within(got[r], 1, cases[n].within));
            }
        }
        free(patch);
    }
}

// How far the tip of a strip of 20 cm falls, over its length. It is cut at an angle to the warp and clamped by its first two columns.
static double strip_falls(double angle, const struct cut *cut, enum sim_bend model)
{
    enum { CELLS = 10, ROWS = 9, COLUMNS = CELLS + 2 };
    const double spacing = 0.2 / CELLS, origin[3] = {-spacing, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = 100;
    settings.damping = 5;
    settings.bending_solved = model == SIM_BEND_QUADRATIC;
    settings.sleep = false;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(COLUMNS, ROWS, spacing, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[2 * ROWS];
    double x[3];
    for (uint32_t i = 0; i < 2 * ROWS; i++) {
        pins[i] = i / 2 * COLUMNS + i % 2;
    }
    desc.density = 0.15;
    desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    desc.yarns = (struct sim_yarns){.direction = {1, 0, 0}, .angle = angle * 3.14159265358979 / 180};
    desc.stretch = (struct sim_material){.warp = 2000, .weft = 2000, .shear = 500, .stiffness = -1};
    desc.bend_model = model;
    desc.bend =
        (struct sim_material){.warp = cut->warp, .weft = cut->weft, .bias = cut->bias, .stiffness = -1};
    desc.pins = pins;
    desc.pin_count = 2 * ROWS;
    const uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 200);
    scene_position(sim, body, ROWS / 2 * COLUMNS + COLUMNS - 1, x);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return -x[1] / 0.2;
}

// The closed form: all heavy strips of one weight length^3 / B have one shape, an elastica.
static void strips_fall_as_the_rigidity_of_their_direction(void **state)
{
    (void)state;
    // The clamp lies half a cell inside, so that the elastica is longer by that.
    const double load = 0.15 * 9.81 * 0.21 * 0.21 * 0.21;
    const struct cut cut = {load / 1, load / 4, load / 2, 0};
    static const struct {
        double angle, falls; // degrees; of its length, of the elastica
    } cases[] = {{0, 0.123471}, {90, 0.425159}, {45, 0.238507}, {-45, 0.238507}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double theory = cases[c].falls * 0.21 / 0.2;
        for (int m = 0; m < 2; m++) {
            const double falls =
                strip_falls(cases[c].angle, &cut, m ? SIM_BEND_DIHEDRAL : SIM_BEND_QUADRATIC);
            print_message("cut at %3.0f degrees, %s: falls by %.4f of its length; elastica %.4f\n",
                          cases[c].angle, m ? "dihedral" : "quadratic, solved", falls, theory);
            assert_true(within(falls, theory, 0.12));
        }
    }
}

static struct sim_body_desc woven(struct patch *patch, double positions[3 * COUNT])
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const double at[3] = {patch->at[i][0], patch->at[i][1], 0};
        memcpy(positions + 3 * (size_t)i, at, sizeof at);
    }
    return (struct sim_body_desc){
        .kind = SIM_CLOTH,
        .particle_count = COUNT,
        .positions = positions,
        .triangles = patch->triangles,
        .triangle_count = patch->triangle_count,
        .density = 0.2,
        .stretch_model = SIM_STRETCH_ORTHOTROPIC,
        .yarns = {.direction = {1, 0, 0}},
        .stretch = {.warp = 1000, .weft = 1000, .shear = 50, .stiffness = -1},
        .bend_model = SIM_BEND_QUADRATIC,
        .bend = {.stiffness = -1, .warp = 2e-4, .weft = 1e-4},
        .volume = {.stiffness = -1},
    };
}

// A body that is changed has the bits of one that is made so, and images carry no compliances of hinges.
static void a_change_comes_to_the_bits_of_a_new_body(void **state)
{
    (void)state;
    static double positions[3 * COUNT];
    struct patch *patch = patch_create(JITTERED);
    struct sim_body_desc desc = woven(patch, positions);
    const struct sim_material last = desc.bend, first = {.stiffness = -1, .rigidity = 3e-4},
                              between = {.stiffness = -1, .warp = 5e-4, .weft = 1e-4, .bias = 2e-4};
    struct sim *sims[2];
    struct fault fault;
    for (int s = 0; s < 2; s++) {
        sims[s] = scene_create(scene_settings());
        desc.bend = s == 0 ? last : first;
        const uint32_t body = scene_add(sims[s], &desc);
        const struct sim_body_change changes[2] = {{.bend = &between}, {.bend = &last}};
        for (int c = 0; s == 1 && c < 2; c++) {
            assert_int_equal(sim_body_set(sims[s], body, &changes[c], &fault), FAULT_NONE);
        }
        struct sim_image image;
        assert_true(sim_image_take(sims[s], &image));
        assert_int_equal(image.bodies[0].history[SIM_QUADRATIC].changed_count, 0);
        sim_image_deinit(&image);
        scene_run(sims[s], 5);
    }
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    for (int s = 0; s < 2; s++) {
        sim_destroy(sims[s]);
    }
    free(patch);
}

static void wrong_rigidities_are_refused(void **state)
{
    (void)state;
    static double positions[3 * COUNT];
    static const struct {
        enum sim_bend model;
        enum sim_stretch stretch;
        struct sim_material bend;
        const char *field;
    } cases[] = {
        {SIM_BEND_QUADRATIC, SIM_STRETCH_ORTHOTROPIC, {.warp = 1e-4, .stiffness = -1}, "bend.weft"},
        {SIM_BEND_QUADRATIC, SIM_STRETCH_ORTHOTROPIC, {.weft = 1e-4, .stiffness = -1}, "bend.warp"},
        {SIM_BEND_QUADRATIC, SIM_STRETCH_ORTHOTROPIC, {.bias = 1e-4, .stiffness = -1}, "bend.warp"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = INFINITY, .weft = 1, .stiffness = -1},
         "bend.warp"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-4, .weft = -1, .stiffness = -1},
         "bend.weft"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-30, .weft = 1e-30, .stiffness = -1},
         "bend.warp"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-4, .weft = 1e-4, .bias = 5e-5, .stiffness = -1},
         "bend.bias"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-4, .weft = 1e-4, .stiffness = 0.5},
         "bend.warp"},
        {SIM_BEND_QUADRATIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-4, .weft = 1e-4, .rigidity = 1, .stiffness = -1},
         "bend.warp"},
        {SIM_BEND_ISOMETRIC,
         SIM_STRETCH_ORTHOTROPIC,
         {.warp = 1e-4, .weft = 1e-4, .stiffness = -1},
         "bend.warp"},
        {SIM_BEND_DIHEDRAL, SIM_STRETCH_DISTANCE, {.warp = 1e-4, .weft = 1e-4, .stiffness = -1}, "bend.warp"},
    };
    struct patch *patch = patch_create(CROSSWISE);
    struct sim *sim = scene_create(scene_settings());
    struct fault fault;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct sim_body_desc desc = woven(patch, positions);
        desc.bend_model = cases[c].model;
        desc.stretch_model = cases[c].stretch;
        const uint32_t body =
            scene_add(sim, &(struct sim_body_desc){.kind = SIM_CLOTH,
                                                   .particle_count = COUNT,
                                                   .positions = positions,
                                                   .triangles = patch->triangles,
                                                   .triangle_count = patch->triangle_count,
                                                   .density = 0.2,
                                                   .stretch_model = desc.stretch_model,
                                                   .yarns = desc.yarns,
                                                   .stretch = desc.stretch,
                                                   .bend_model = desc.bend_model,
                                                   .bend = {.compliance = 1, .stiffness = -1},
                                                   .volume = {.stiffness = -1}});
        const uint64_t before = sim_hash(sim);
        const struct sim_body_change change = {.bend = &cases[c].bend};
        assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, cases[c].field);
        assert_true(sim_hash(sim) == before);
        desc.bend = cases[c].bend;
        assert_null(sim_body_prepare(&desc, 0x1p-27, 1e4, &scene_limits, &fault));
        assert_string_equal(fault.field, cases[c].field);
    }
    sim_destroy(sim);
    free(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_as_stiff_as_their_plate),
        cmocka_unit_test(random_meshes_are_nearly_so_in_all_directions),
        cmocka_unit_test(squares_are_not_alike_in_all_directions),
        cmocka_unit_test(saddles_of_both_signs_are_alike),
        cmocka_unit_test(the_compliance_follows_from_the_shape),
        cmocka_unit_test(sheets_bend_as_the_rigidities_of_their_yarns),
        cmocka_unit_test(strips_fall_as_the_rigidity_of_their_direction),
        cmocka_unit_test(a_change_comes_to_the_bits_of_a_new_body),
        cmocka_unit_test(wrong_rigidities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
