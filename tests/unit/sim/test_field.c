// Height fields: what they are made of, what is refused, and that what is found nearest is so among all there is.
#include "helper_sheet.h"

#include "sim/field/field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLUMNS = 7, ROWS = 5, COUNT = COLUMNS * ROWS };
#define SPACING 0.1
#define REACH 0.05 // how near counts

static uint64_t seed;

static double between(double low, double high)
{
    return low + (high - low) * scene_uniform(&seed);
}

static struct sim_collider field_of(const double *heights, uint32_t count, uint32_t columns, double spacing)
{
    return (struct sim_collider){.kind = SIM_HEIGHT_FIELD,
                                 .heights = heights,
                                 .height_count = count,
                                 .columns = columns,
                                 .spacing = spacing,
                                 .friction = 0.5};
}

static struct sim_field *field_make(const double *heights, uint32_t count, uint32_t columns, double spacing)
{
    const struct sim_collider collider = field_of(heights, count, columns, spacing);
    struct fault fault = {0};
    struct sim_field *field;
    if (sim_field_make(&collider, 1e9, &field, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return field;
}

static struct sim_field *rough_field(double most)
{
    double heights[COUNT];
    for (int i = 0; i < COUNT; i++) {
        heights[i] = scene_random(&seed) % 4 == 0 ? 0 : between(-most, most);
    }
    return field_make(heights, COUNT, COLUMNS, SPACING);
}

// Flat, but for peaks that stand alone.
static struct sim_field *peaked_field(void)
{
    double heights[COUNT] = {0};
    for (int i = 0; i < COUNT; i++) {
        heights[i] = scene_random(&seed) % 8 == 0 ? between(0.1, 0.25) : 0;
    }
    return field_make(heights, COUNT, COLUMNS, SPACING);
}

static void vertex_of(const struct sim_field *field, uint32_t x, uint32_t z, double out[3])
{
    out[0] = ((double)x - 0.5 * (double)(field->columns - 1)) * field->spacing;
    out[1] = field->heights[z * field->columns + x];
    out[2] = ((double)z - 0.5 * (double)(field->rows - 1)) * field->spacing;
}

// ------------------------------------------------------------------------------------------------- the same

static void heights_are_rounded_once_and_the_squares_have_the_greatest(void **state)
{
    (void)state;
    seed = 5;
    static double heights[200 * 131];
    for (int round = 0; round < 20; round++) {
        uint32_t columns = 2 + (uint32_t)(scene_random(&seed) % 199),
                 rows = 2 + (uint32_t)(scene_random(&seed) % 130);
        double most = round % 3 == 0 ? 1e-9 : between(0.1, 100);
        for (uint32_t i = 0; i < columns * rows; i++) {
            heights[i] = between(-most, most);
        }
        struct sim_field *field = field_make(heights, columns * rows, columns, 0.25);
        struct sim_field *again = field_make(field->heights, columns * rows, columns, 0.25);
        assert_memory_equal(field->heights, again->heights, columns * rows * sizeof(double));
        assert_memory_equal(field->ridges, again->ridges, columns * rows);
        for (uint32_t i = 0; i < columns * rows; i++) {
            assert_near(field->heights[i], heights[i], fmax(most, 1e-6) / (1 << 23));
            assert_true(field->heights[i] == (double)(float)field->heights[i]);
        }
        for (uint32_t level = 0; level < field->levels; level++) {
            for (uint32_t z = 0; z < rows; z++) {
                for (uint32_t x = 0; x < columns; x++) {
                    uint32_t i = (x + 1 < columns ? x : x - 1) >> level,
                             j = (z + 1 < rows ? z : z - 1) >> level;
                    double top =
                        (double)field->tops[SIM_TOPS_ALL][level][j * field->level_columns[level] + i];
                    assert_true(top >= field->heights[z * columns + x] && top <= field->most);
                }
            }
        }
        free(field);
        free(again);
    }
}

// A height at a place, of the two triangles of its cell: one after the other asked whether it holds the place.
static double height_at(const struct sim_field *field, double x, double z)
{
    double height = NAN;
    for (uint32_t cell = 0; cell < (field->columns - 1) * (field->rows - 1); cell++) {
        for (int half = 0; half < 2; half++) {
            uint32_t i = cell % (field->columns - 1), j = cell / (field->columns - 1);
            double a[3], b[3], c[3];
            vertex_of(field, i, j, a);
            vertex_of(field, i + 1, j + 1, b);
            vertex_of(field, i + (half == 0), j + (half == 1), c);
            double all = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
            double s = ((x - a[0]) * (c[2] - a[2]) - (z - a[2]) * (c[0] - a[0])) / all;
            double t = ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / all;
            if (s >= -1e-12 && t >= -1e-12 && s + t <= 1 + 1e-12) {
                height = a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1]);
            }
        }
    }
    return height;
}

// The least distance to many points of the surface and the walls.
static double sampled_distance(const struct sim_field *field, const double p[3])
{
    enum { STEPS = 240 };
    double least = 1e9;
    for (int i = 0; i <= STEPS; i++) {
        for (int j = 0; j <= STEPS; j++) {
            double x = field->half[0] * (2.0 * i / STEPS - 1), z = field->half[1] * (2.0 * j / STEPS - 1),
                   slope;
            double fx = (x + field->half[0]) / field->spacing, fz = (z + field->half[1]) / field->spacing;
            uint32_t cx = (uint32_t)fmin(fx, field->columns - 2), cz = (uint32_t)fmin(fz, field->rows - 2);
            const double *h = field->heights + cz * field->columns + cx;
            fx -= cx;
            fz -= cz;
            slope = fz > fx
                        ? fz * (h[field->columns] - h[0]) + fx * (h[field->columns + 1] - h[field->columns])
                        : fx * (h[1] - h[0]) + fz * (h[field->columns + 1] - h[1]);
            double y = h[0] + slope;
            bool rim = i == 0 || i == STEPS || j == 0 || j == STEPS;
            y = rim && p[1] < y ? p[1] : y;
            double d = sqrt((x - p[0]) * (x - p[0]) + (y - p[1]) * (y - p[1]) + (z - p[2]) * (z - p[2]));
            least = d < least ? d : least;
        }
    }
    return least;
}

static void a_point_is_as_far_as_the_nearest_of_all(void **state)
{
    (void)state;
    seed = 1;
    uint32_t outside = 0, inside = 0;
    for (int round = 0; round < 600; round++) {
        struct sim_field *field = rough_field(0.12);
        const double p[3] = {between(-0.4, 0.4), between(-0.2, 0.3), between(-0.3, 0.3)};
        double normal[3], phi = sim_field_distance(field, p, 10, normal), exact = sampled_distance(field, p);
        assert_near(sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]), 1, 1e-9);
        double height = height_at(field, p[0], p[2]);
        assert_true((phi <= 0) == (height >= p[1]));
        if (phi > 0) {
            outside++;
            assert_true(phi <= exact + 1e-12);
            assert_near(phi, exact, 0.004);
            // It gives the way out: along it there is that much more room.
            const double on[3] = {p[0] - phi * normal[0], p[1] - phi * normal[1], p[2] - phi * normal[2]};
            double unused[3];
            assert_near(sim_field_distance(field, on, 10, unused), 0, 1e-9);
            assert_true(sim_field_reaches(field, SIM_TOPS_ALL, p, phi * 1.0001));
            if (phi > 0.05) {
                assert_true(sim_field_distance(field, p, 0.05, unused) == 0.05);
            }
        } else {
            inside++;
            assert_true(-phi <= fmin(0.3 - fabs(p[0]), 0.2 - fabs(p[2])) + 1e-12);
            assert_true(-phi <= height - p[1] + 1e-12);
        }
        free(field);
    }
    assert_true(outside > 100 && inside > 50);
}

static void blend(const double corners[3][3], double s, double t, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = corners[0][axis] + s * (corners[1][axis] - corners[0][axis]) +
                    t * (corners[2][axis] - corners[0][axis]);
    }
}

static void any_triangle(double corners[3][3], double size)
{
    const double middle[3] = {between(-0.35, 0.35), between(0, 0.2), between(-0.25, 0.25)};
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            corners[k][axis] = middle[axis] + between(-size, size);
        }
    }
}

static void an_edge_is_as_near_as_its_nearest_point(void **state)
{
    (void)state;
    seed = 2;
    uint32_t near = 0;
    for (int round = 0; round < 20000; round++) {
        struct sim_field *field = rough_field(0.08);
        double corners[3][3], least = 1e9, at = 0, ends = 1e9, normal[3], p[3];
        any_triangle(corners, 0.12);
        for (int i = 0; i <= 200; i++) {
            blend((const double(*)[3])corners, i / 200.0, 0, p);
            double phi = sim_field_distance(field, p, 1, normal);
            ends = (i == 0 || i == 200) && phi < ends ? phi : ends;
            at = phi < least ? i / 200.0 : at;
            least = phi < least ? phi : least;
        }
        struct sim_field_touch touch;
        bool touches = sim_field_edge(field, (const double(*)[3])corners, REACH, &touch);
        if (least > 0.001 && least < REACH - 0.001 && least < ends - 0.004) {
            near++;
            if (!touches) {
                fail_msg("round %d: %g at %g, and nothing was found", round, least, at);
            }
        }
        if (least > 0.001 && touches) {
            blend((const double(*)[3])corners, touch.c[0], 0, p);
            assert_near(touch.phi, sim_field_distance(field, p, 1, normal), 1e-9);
            assert_true(touch.phi > least - 0.002);
            if (least < ends - 0.004) {
                assert_near(touch.phi, least, 0.002);
            }
        }
        if (least < -0.01 && ends > 0.01) { // its middle is inside: out is past what it is below
            assert_true(touches);
            assert_true(touch.phi < 0);
            near++;
        }
        free(field);
    }
    assert_true(near > 500);
}

static void a_triangle_is_as_near_as_its_nearest_point(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    seed = 3;
    uint32_t near = 0, pierced = 0;
    for (int round = 0; round < 8000; round++) {
        struct sim_field *field = round % 2 == 0 ? peaked_field() : rough_field(0.08);
        double corners[3][3], least = 1e9, sides = 1e9, normal[3], p[3];
        any_triangle(corners, 0.2);
        for (int k = 0; k < 3 && round % 2 == 0; k++) { // rather flat
            corners[k][1] = 0.16 + 0.2 * corners[k][1];
        }
        for (int i = 0; i <= STEPS; i++) {
            for (int j = 0; i + j <= STEPS; j++) {
                blend((const double(*)[3])corners, (double)i / STEPS, (double)j / STEPS, p);
                double phi = sim_field_distance(field, p, 1, normal);
                bool side = i == 0 || j == 0 || i + j == STEPS;
                sides = side && phi < sides ? phi : sides;
                least = phi < least ? phi : least;
            }
        }
        struct sim_field_touch touch;
        bool touches = sim_field_triangle(field, (const double(*)[3])corners, REACH, &touch);
        if (least > 0.003 && least < REACH - 0.003 && least < sides - 0.006) {
            near++;
            if (!touches) {
                fail_msg("round %d: %g, and nothing was found", round, least);
            }
            assert_near(touch.phi, least, 0.006);
        }
        if (least > 0.003 && touches) {
            blend((const double(*)[3])corners, touch.c[0], touch.c[1], p);
            assert_near(touch.phi, sim_field_distance(field, p, 1, normal), 1e-9);
        }
        if (least < -0.005 && sides > 0.003) {
            pierced++;
            assert_true(touches);
            assert_true(touch.phi < 0);
        }
        free(field);
    }
    assert_true(near > 40);
    assert_true(pierced > 20);
}

// ---------------------------------------------------------------------------------------------------- clear

// Each corner goes by almost as much as it may: anywhere, or all of them the same way, to the field.
static void corners_go(const struct sim_field *field, const double from[3][3], double far, bool to_field,
                       double out[3][3])
{
    double normal[3], middle[3];
    blend(from, 0.3, 0.3, middle);
    sim_field_distance(field, middle, 1, normal);
    for (int k = 0; k < 3; k++) {
        double way[3] = {between(-1, 1), between(-1, 1), between(-1, 1)}, length = 0;
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = to_field ? -normal[axis] : way[axis];
            length += way[axis] * way[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            out[k][axis] = from[k][axis] + way[axis] / fmax(sqrt(length), 1e-9) * far;
        }
    }
}

static void what_is_clear_of_it_touches_nothing_however_it_goes(void **state)
{
    (void)state;
    enum { WAYS = 6 };
    seed = 7;
    for (uint32_t count = 2; count <= 3; count++) {
        uint32_t clear = 0, unclear = 0, missed = 0;
        for (int round = 0; round < 6000; round++) {
            struct sim_field *field = round % 2 == 0 ? peaked_field() : rough_field(0.12);
            double from[3][3], to[3][3], thickness = between(0.001, 0.02), most = between(0.001, 0.08);
            struct sim_field_touch touch;
            any_triangle(from, between(0.01, 0.12));
            const double(*corners)[3] = (const double(*)[3])from;
            double slack = count == 2 ? sim_field_edge_clear(field, corners, thickness, most)
                                      : sim_field_triangle_clear(field, corners, thickness, most);
            assert_true(slack >= 0 && slack <= most);
            for (int way = 0; way < WAYS && slack > 0; way++) {
                corners_go(field, corners, 0.999999 * slack, way == 0, to);
                if (count == 2 ? sim_field_edge(field, (const double(*)[3])to, thickness, &touch)
                               : sim_field_triangle(field, (const double(*)[3])to, thickness, &touch)) {
                    fail_msg("round %d: clear by %g, and touches at %g", round, slack, touch.phi);
                }
            }
            bool touches = count == 2 ? sim_field_edge(field, corners, thickness + most, &touch)
                                      : sim_field_triangle(field, corners, thickness + most, &touch);
            clear += slack == most;
            unclear += touches;
            missed += !touches && slack == 0;
            free(field);
        }
        assert_true(clear > 2500 && unclear > 200 && missed < 700); // all are common
    }
}

// ------------------------------------------------------------------------------------------------ on its way

static double least_of(const struct sim_field *field, double corners[3][3], uint32_t count)
{
    enum { STEPS = 12 };
    double least = 1e9, normal[3], p[3];
    for (int i = 0; i <= (count > 1 ? STEPS : 0); i++) {
        for (int j = 0; i + j <= (count > 2 ? STEPS : i); j++) {
            blend((const double(*)[3])corners, (double)i / STEPS, (double)j / STEPS, p);
            double phi = sim_field_distance(field, p, 1, normal);
            least = phi < least ? phi : least;
        }
    }
    return least;
}

// Points and edges that start outside and are inside on their way: they are found before they are.
static void what_goes_into_it_on_its_way_is_found_before(void **state)
{
    (void)state;
    seed = 4;
    for (uint32_t count = 1; count <= 2; count++) {
        uint32_t passed = 0;
        for (int round = 0; round < 6000; round++) {
            struct sim_field *field = rough_field(0.2);
            double starts[3][3], ends[3][3], now[3][3], way[3], moment, first = 2;
            struct sim_field_touch touch;
            any_triangle(starts, count == 1 ? 0 : 0.05);
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = between(-0.15, 0.15);
            }
            for (int k = 0; k < 3; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    ends[k][axis] =
                        starts[k][axis] + way[axis] + (k == 1 && count > 1 ? between(-0.02, 0.02) : 0);
                }
            }
            for (int step = 0; step <= 40 && first > 1; step++) {
                for (int k = 0; k < 3; k++) {
                    for (int axis = 0; axis < 3; axis++) {
                        now[k][axis] = starts[k][axis] + step / 40.0 * (ends[k][axis] - starts[k][axis]);
                    }
                }
                double phi = least_of(field, now, count);
                first = phi < (step == 0 ? 0.003 : -0.002) ? step / 40.0 : first;
            }
            if (first > 0 && first <= 1) {
                passed++;
                bool found = sim_field_edge_passes(field, (const double(*)[3])starts,
                                                   (const double(*)[3])ends, 0.002, &touch, &moment);
                if (!found) {
                    fail_msg("round %d: inside at %g, and not found", round, first);
                }
                assert_true(moment <= first + 0.03);
                assert_true(touch.phi > 0 && touch.phi < 0.0041);
            }
            free(field);
        }
        assert_true(passed > 300);
    }
}

static void a_triangle_does_not_pass_a_peak(void **state)
{
    (void)state;
    double heights[25] = {0};
    heights[12] = 0.3; // a spike of 0.2 m across at its foot
    struct sim_field *field = field_make(heights, 25, 5, 0.1);
    // Upright, along x, and askew: through it in one go, or down onto it.
    static const double ways[][3] = {{0.3, 0, 0}, {0.25, 0, 0.1}, {0, -0.15, 0}};
    for (size_t w = 0; w < 3; w++) {
        double starts[3][3] = {{-0.1, 0.2, -0.2}, {-0.1, 0.2, 0.2}, {-0.1, 0.6, 0}}, ends[3][3], moment;
        if (w == 2) {
            for (int k = 0; k < 3; k++) {
                starts[k][0] = k == 2 ? 0.3 : -0.2;
                starts[k][1] = 0.35;
            }
        }
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                ends[k][axis] = starts[k][axis] + ways[w][axis];
            }
        }
        struct sim_field_touch touch;
        assert_true(sim_field_triangle_passes(field, (const double(*)[3])starts, (const double(*)[3])ends,
                                              0.002, &touch, &moment));
        double way = sqrt(ways[w][0] * ways[w][0] + ways[w][1] * ways[w][1] + ways[w][2] * ways[w][2]);
        double apart = w == 2 ? 0.05 : 0.1;
        assert_near(moment * (w == 2 ? 0.15 : ways[w][0]), apart - 0.002, 2e-4);
        double against =
            touch.normal[0] * ways[w][0] + touch.normal[1] * ways[w][1] + touch.normal[2] * ways[w][2];
        assert_true(against < -0.9 * way);
    }
    free(field);
}

// ------------------------------------------------------------------------------------------------- refused

static void refused(struct sim_collider collider, enum fault_code status, const char *field, const char *text)
{
    struct sim *sim = scene_create(scene_settings());
    struct fault fault = {0};
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), status);
    assert_string_equal(fault.field, field);
    if (strstr(fault.text, text) == NULL) {
        fail_msg("%s", fault.text);
    }
    assert_int_equal(sim_collider_count(sim), 0);
    sim_destroy(sim);
}

static void what_makes_no_field_is_refused(void **state)
{
    (void)state;
    static double heights[258 * 2];
    const double bad[] = {0, 0, NAN, 0}, far[] = {0, 1e12, 0, 0};
    refused(field_of(NULL, 0, 0, 1), FAULT_INVALID, "columns", "0; a height field needs 2 to 256");
    refused(field_of(heights, 4, 1, 1), FAULT_INVALID, "columns", "1; a height field");
    refused(field_of(heights, 514, 257, 1), FAULT_INVALID, "columns", "257; a height field");
    refused(field_of(heights, 3, 2, 1), FAULT_INVALID, "heights",
            "3 heights; must be 2 to 256 whole rows of 2");
    refused(field_of(heights, 2, 2, 1), FAULT_INVALID, "heights", "2 heights");
    refused(field_of(heights, 514, 2, 1), FAULT_INVALID, "heights", "514 heights");
    refused(field_of(NULL, 4, 2, 1), FAULT_INVALID, "heights", "0 heights");
    refused(field_of(heights, 4, 2, 0), FAULT_INVALID, "spacing", "0 m");
    refused(field_of(heights, 4, 2, NAN), FAULT_INVALID, "spacing", "nan m");
    refused(field_of(heights, 4, 2, 1e12), FAULT_INVALID, "spacing", "1e+12 m");
    refused(field_of(bad, 4, 2, 1), FAULT_INVALID, "heights", "[2] is nan m");
    refused(field_of(far, 4, 2, 1), FAULT_INVALID, "heights", "[1] is 1e+12 m");
}

static void all_heights_and_all_work_are_bounded(void **state)
{
    (void)state;
    static double heights[65536], places[3 * 100], masses[100];
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider big = field_of(heights, 65536, 256, 0.1);
    struct sim_collider small = field_of(heights, 4, 2, 0.1);
    struct fault fault;
    uint32_t id;
    small.id = 1;
    assert_int_equal(sim_collider_add(sim, &small, &id, &fault), FAULT_NONE);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sim_collider_add(sim, &big, &id, &fault), FAULT_NONE);
    }
    assert_int_equal(sim_collider_add(sim, &big, &id, &fault), FAULT_LIMIT);
    assert_string_equal(fault.field, "heights");
    assert_non_null(strstr(fault.text, "would have 262148 heights; at most 262144"));
    big.id = 1; // in the place of what it was there is room
    assert_int_equal(sim_collider_set(sim, &big, &fault), FAULT_NONE);
    sim_destroy(sim);
    // One of 256 cells counts as 65 colliders.
    for (int enough = 0; enough < 2; enough++) {
        struct sim_limits limits = scene_limits;
        limits.work = 10 * 100 * 66 - 1 + (uint64_t)enough;
        sim = scene_create_limited(scene_settings(), limits);
        masses[0] = 1;
        struct sim_body_desc desc = scene_points(places, 100, masses);
        scene_add(sim, &desc);
        assert_int_equal(sim_collider_add(sim, &big, &id, &fault), enough ? FAULT_NONE : FAULT_LIMIT);
        sim_destroy(sim);
    }
}

// ----------------------------------------------------------------------------------------- kept and changed

static void images_keep_fields_and_what_is_taken_of_one_outlives_it(void **state)
{
    (void)state;
    static const double heights[6] = {0.1, 0.2, 0.3, 0, -0.1, 1.0 / 3};
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider field = field_of(heights, 6, 3, 0.5), told;
    struct sim_image image;
    struct sim_image_place place;
    struct fault fault;
    assert_int_equal(sim_collider_add(sim, &field, &field.id, &fault), FAULT_NONE);
    uint64_t before = sim_hash(sim);
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    assert_true(sim_hash(again) == before);
    sim_image_deinit(&image);
    sim_destroy(again);
    const struct sim_parts parts = {.colliders = &field.id, .collider_count = 1};
    assert_true(sim_image_take_parts(sim, &parts, &image));
    sim_collider_at(sim, 0, &told);
    assert_int_equal(told.height_count, 6);
    assert_int_equal(told.columns, 3);
    assert_true(told.spacing == 0.5);
    told.position[0] = 0.25; // its heights are the sim's own: the field stays
    assert_int_equal(sim_collider_set(sim, &told, &fault), FAULT_NONE);
    told.columns = 2; // the same heights otherwise
    assert_int_equal(sim_collider_set(sim, &told, &fault), FAULT_NONE);
    sim_collider_at(sim, 0, &told);
    assert_int_equal(told.columns, 2);
    assert_true(told.heights[5] != 0);
    assert_true(sim_hash(sim) != before);
    assert_int_equal(sim_collider_restore(sim, &image.colliders[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    assert_int_equal(sim_collider_remove(sim, field.id, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_restore(sim, &image.colliders[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_rounded_once_and_the_squares_have_the_greatest),
        cmocka_unit_test(a_point_is_as_far_as_the_nearest_of_all),
        cmocka_unit_test(an_edge_is_as_near_as_its_nearest_point),
        cmocka_unit_test(a_triangle_is_as_near_as_its_nearest_point),
        cmocka_unit_test(what_is_clear_of_it_touches_nothing_however_it_goes),
        cmocka_unit_test(what_goes_into_it_on_its_way_is_found_before),
        cmocka_unit_test(a_triangle_does_not_pass_a_peak),
        cmocka_unit_test(what_makes_no_field_is_refused),
        cmocka_unit_test(all_heights_and_all_work_are_bounded),
        cmocka_unit_test(images_keep_fields_and_what_is_taken_of_one_outlives_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
