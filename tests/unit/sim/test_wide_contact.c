// Contacts and grabs: every instruction set comes to the bits of the scalar twin, on rows made by hand, and touches
// no row but those it was given. What the twin comes to is pinned by test_contact_bits.c.
#include "helper_scene.h"
#include "sim/field/field.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    FIRST_ROW = 8,
    COUNT_MAX = 170,
    ROWS = FIRST_ROW + COUNT_MAX + 64,
    SHAPES = 6,
    GRABS = 40,
    ROUNDS = 400
};

// All that contacts and grabs read and write.
struct matter {
    alignas(64) struct sim_row rows[ROWS];
    struct sim_row previous[ROWS], predicted[ROWS];
    struct sim_velocity velocities[ROWS];
    int64_t positions[ROWS][3];
    struct sim_contact contacts[ROWS][SIM_CONTACT_SLOTS];
    struct sim_shape shapes[SHAPES];
    struct sim_held grabs[GRABS];
    struct sim_times times;
    uint32_t shape_count, grab_count, count, pushed;
    double thickness;
    bool keeps;
};
static struct matter made, scalar, wide;
static struct sim_hull hull;    // that of convex ones: a box's corners, and two points above and below it
static struct sim_field *field; // that of height fields
static uint64_t seed;

// -------------------------------------------------------------------------------------------------- drawing

static uint32_t below(uint32_t count)
{
    return (uint32_t)(scene_random(&seed) >> 32) % count;
}

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

// The body of all rows, a solid in every other round: grabs ask.
static struct sim_body whole = {.count = ROWS};
static struct sim_body *wholes[1] = {&whole};

static struct sim sim_of(struct matter *matter)
{
    struct sim sim = {.by_row = wholes,
                      .body_count = 1,
                      .rows = matter->rows,
                      .previous = matter->previous,
                      .predicted = matter->predicted,
                      .velocities = matter->velocities,
                      .positions = matter->positions,
                      .contacts = matter->keeps ? matter->contacts : NULL,
                      .shapes = matter->shapes,
                      .shape_count = matter->shape_count,
                      .grabs = matter->grabs,
                      .grab_count = matter->grab_count,
                      .times = matter->times,
                      .q = SCENE_Q,
                      .inv_q = 1 / SCENE_Q};
    sim.settings.extent = 1e9;
    return sim;
}

static void any_pose(struct sim_pose *pose, const int64_t middle[3])
{
    double length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        pose->position[axis] = middle[axis] + (below(3) == 0 ? (int64_t)between(-1e7, 1e7) : 0);
    }
    bool upright = below(3) == 0;
    for (int i = 0; i < 4; i++) {
        pose->rotation[i] = upright ? i == 3 : between(-1, 1);
        length2 += pose->rotation[i] * pose->rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        pose->rotation[i] /= sqrt(length2);
    }
}

static void make_hull(void)
{
    static const double points[] = {0.25,  0.125, 0.5,    -0.25,  0.125, 0.5,   0.25,   0.125, -0.5,  -0.25,
                                    0.125, -0.5,  0.25,   -0.125, 0.5,   -0.25, -0.125, 0.5,   0.25,  -0.125,
                                    -0.5,  -0.25, -0.125, -0.5,   0,     0.375, 0,      0,     -0.25, 0.25};
    struct fault fault;
    struct sim_hull *made_hull;
    assert_int_equal(sim_hull_make(points, 10, 1e9, &made_hull, &fault), FAULT_NONE);
    hull = *made_hull;
    free(made_hull);
}

static void make_field(void)
{
    static const double heights[] = {0, 0.25, 0.125, 0, 0.25, 0.25, -0.25, 0.5, 0, 0.125, 0.125, 0.25};
    const struct sim_collider collider = {
        .heights = heights, .height_count = 12, .columns = 4, .spacing = 0.25};
    struct fault fault;
    assert_int_equal(sim_field_make(&collider, 1e9, &field, &fault), FAULT_NONE);
}

// Still, moving or turning; sizes of whole binary places, so that particles lie on faces, edges and corners.
static void make_shapes(const int64_t middle[3])
{
    made.shape_count = 1 + below(SHAPES);
    for (uint32_t s = 0; s < made.shape_count; s++) {
        struct sim_shape *shape = &made.shapes[s];
        *shape = (struct sim_shape){.id = 1 + s * 3,
                                    .kind = (enum sim_collider_kind)below(SIM_HEIGHT_FIELD + 1),
                                    .radius = 0.125 * (1 + below(4)),
                                    .length = below(4) == 0 ? 0 : 0.25 * below(5),
                                    .half_extents = {0.25, 0.125 * (1 + below(3)), 0.5},
                                    .friction = below(4) == 0 ? 0 : (float)between(0, 2),
                                    .hull = &hull,
                                    .field = field};
        shape->slides = s % 2 == 0 ? shape->friction : 0.5f * shape->friction;
        shape->restitution = s % 3 == 0 ? 0 : 0.25f * (float)(s % 3);
        any_pose(&shape->from, middle);
        shape->to = shape->from;
        if (below(2) == 0) {
            any_pose(&shape->to, middle);
        } else if (below(2) == 0) {
            shape->to.position[below(3)] += 123456;
        }
    }
    struct sim sim = sim_of(&made);
    uint32_t substeps = 1 + below(4);
    sim_shapes_move(&sim, 1 + below(substeps), substeps);
}

// Points at the features of shapes, in their frame; or anywhere.
static void any_place(const struct sim_shape *shape, const int64_t middle[3], int64_t x[3])
{
    double local[3];
    uint32_t way = below(8);
    for (int axis = 0; axis < 3; axis++) {
        double e = shape->half_extents[axis];
        local[axis] = way < 3 ? (below(3) - 1.0) * e
                              : between(-1, 1) * (way == 3   ? 1e-7
                                                  : way == 4 ? 30
                                                             : 0.7);
    }
    if (way == 2) { // on the axis of a capsule
        local[0] = local[2] = 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        double d = 0;
        for (int i = 0; i < 3; i++) {
            d += local[i] * shape->end.axes[i][axis];
        }
        x[axis] = (way == 5 ? middle[axis] : shape->end.position[axis]) + (int64_t)(d / SCENE_Q);
    }
}

static void make_rows(const int64_t middle[3])
{
    made.count = 1 + below(COUNT_MAX);
    made.thickness = below(2) == 0 ? 0 : between(0, 0.1);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct sim_row *x = &made.rows[row];
        int64_t place[3];
        any_place(&made.shapes[row / 16 % made.shape_count], middle, place);
        x->w = row < FIRST_ROW || below(8) == 0 ? 0 : (float)between(0.1, 100);
        uint32_t spread = below(4);
        for (int axis = 0; axis < 3; axis++) {
            int64_t went = spread == 0 ? 0 : (int64_t)(between(-1, 1) * (1 << (8 * spread)));
            x->x[axis] = (int32_t)(uint32_t)(uint64_t)place[axis];
            made.previous[row].x[axis] = sim_wrap_sub(x->x[axis], (int32_t)went);
            made.positions[row][axis] = place[axis] + (int64_t)between(-1e7, 1e7);
            made.velocities[row].v[axis] = below(8) == 0 ? -0.0f : (float)between(-5, 5);
        }
        made.previous[row].w = x->w;
        made.predicted[row] = *x;
        int32_t *ahead = &made.predicted[row].x[row % 3];
        *ahead = sim_wrap_add(*ahead, (int32_t)(row * 2654435761u) >> 8 * (row % 4));
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        for (int slot = 0; slot < (int)below(SIM_CONTACT_SLOTS + 1); slot++) {
            made.contacts[row][slot] = (struct sim_contact){.collider = 1 + 3 * (uint32_t)slot,
                                                            .push = (float)between(0, 1000),
                                                            .slip = (float)between(0, 300)};
        }
    }
}

// At home, 1 km out, or where doubles have fewer places than coordinates.
static void make(void)
{
    static const double places[] = {0, 1000, -1e6, 9e8};
    int64_t middle[3];
    memset(&made, 0, sizeof made);
    double rate = 60 * (1 + below(50)), place = places[below(4)];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (int64_t)((axis == 1 ? 1 : place) / SCENE_Q) + below(1000);
    }
    made.times = (struct sim_times){.q_over_h = (float)(SCENE_Q * rate),
                                    .inv_h2 = (float)(rate * rate),
                                    .v_out = (float)(1 / rate / SCENE_Q),
                                    .reach = (float)between(1e5, 2e8),
                                    .kick = {0, (float)(-9.81 / rate), 0},
                                    .bounce = (float)(20 / rate)};
    made.keeps = below(2);
    make_shapes(middle);
    make_rows(middle);
    uint32_t row = FIRST_ROW;
    made.grab_count = below(GRABS + 1);
    for (uint32_t g = 0; g < made.grab_count; g++, row += 1 + below(4)) {
        struct sim_held *held = &made.grabs[g];
        *held = (struct sim_held){.id = g + 1, .row = row};
        held->compliance = below(4) == 0 ? 0 : (float)pow(10, between(-10, 10));
        double far = pow(10, between(0, 12));
        for (int axis = 0; axis < 3; axis++) {
            held->target[axis] = made.positions[row][axis] + (int64_t)between(-far, far);
            held->multiplier[axis] = below(2) == 0 ? 0 : (float)between(-1e3, 1e3);
            held->left[axis] = below(2) == 0 ? 0 : (float)between(-0.5, 0.5);
        }
    }
}

// ------------------------------------------------------------------------------------------------ comparing

static void same_bytes(const char *what, const void *one, const void *other, size_t size, enum sim_isa isa)
{
    for (size_t i = 0; i < size; i++) {
        if (((const char *)one)[i] != ((const char *)other)[i]) {
            fail_msg("round %u, %s: %s differ from byte %zu on", (unsigned)seed, sim_isa_name(isa), what, i);
        }
    }
}

static void same_matter(enum sim_isa isa)
{
    same_bytes("rows", scalar.rows, wide.rows, sizeof wide.rows, isa);
    same_bytes("previous rows", scalar.previous, wide.previous, sizeof wide.previous, isa);
    same_bytes("velocities", scalar.velocities, wide.velocities, sizeof wide.velocities, isa);
    same_bytes("positions", scalar.positions, wide.positions, sizeof wide.positions, isa);
    same_bytes("slots", scalar.contacts, wide.contacts, sizeof wide.contacts, isa);
    same_bytes("grabs", scalar.grabs, wide.grabs, sizeof wide.grabs, isa);
    assert_int_equal(scalar.pushed, wide.pushed);
}

typedef void act(const struct sim_kernels *kernels, struct matter *matter);
static void compare(act *run)
{
    scalar = made;
    run(sim_kernels_of(SIM_ISA_SCALAR), &scalar);
    for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            wide = made;
            run(sim_kernels_of((enum sim_isa)isa), &wide);
            same_matter((enum sim_isa)isa);
        }
    }
}

static void run_contacts(const struct sim_kernels *kernels, struct matter *matter)
{
    struct sim sim = sim_of(matter);
    const struct sim_body body = {.thickness = matter->thickness,
                                  .meeting = {.restitution = matter->count % 2 == 0 ? 0 : 0.375}};
    struct sim_chunk chunk = {.body = &body, .first_row = FIRST_ROW, .count = matter->count};
    kernels->contact(&sim, &chunk);
    if (matter->keeps) { // a second iteration, which finds what the first one left
        kernels->contact(&sim, &chunk);
    }
    matter->pushed = chunk.contacts;
}

static bool row_moved(uint32_t row)
{
    return memcmp(&made.rows[row], &scalar.rows[row], sizeof made.rows[row]) != 0;
}

static void contacts_are_solved_alike(void **state)
{
    (void)state;
    uint32_t moved = 0, still = 0, pushed = 0;
    for (uint32_t round = 0; round < 3 * ROUNDS; round++) {
        seed = 100000 + round;
        make();
        compare(run_contacts);
        for (uint32_t row = 0; row < ROWS; row++) {
            bool given = row >= FIRST_ROW && row < FIRST_ROW + made.count && made.rows[row].w > 0;
            bool same =
                memcmp(&made.velocities[row], &scalar.velocities[row], sizeof made.velocities[row]) == 0;
            assert_true(given || (!row_moved(row) && same)); // static ones, and those of others
            moved += given && row_moved(row);
            still += given && !row_moved(row);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(isfinite(scalar.velocities[row].v[axis]));
            }
        }
        pushed += scalar.pushed;
    }
    assert_true(moved > 10000 && still > 10000 && pushed > 10000);
}

// One kind alone: what another one does cannot hide that it does nothing.
static void each_kind_of_collider_is_solved_alike(void **state)
{
    (void)state;
    for (int kind = SIM_PLANE; kind <= SIM_HEIGHT_FIELD; kind++) {
        uint32_t moved = 0;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            seed = 200000 + round;
            make();
            for (uint32_t s = 0; s < made.shape_count; s++) {
                made.shapes[s].kind = (enum sim_collider_kind)kind;
            }
            compare(run_contacts);
            for (uint32_t row = 0; row < ROWS; row++) {
                moved += row_moved(row);
            }
        }
        assert_true(moved > 2000);
    }
}

static void run_grabs(const struct sim_kernels *kernels, struct matter *matter)
{
    struct sim sim = sim_of(matter);
    kernels->grab(&sim);
}

static void grabs_are_solved_alike(void **state)
{
    (void)state;
    uint32_t moved = 0, grabs = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = 300000 + round;
        whole.solid_model = round % 2 == 0 ? SIM_SOLID_NONE : SIM_SOLID_NEO_HOOKEAN;
        make();
        compare(run_grabs);
        for (uint32_t row = 0; row < ROWS; row++) {
            moved += row_moved(row);
            assert_true(made.rows[row].w > 0 || !row_moved(row));
        }
        for (uint32_t g = 0; g < made.grab_count; g++) {
            grabs += made.rows[made.grabs[g].row].w > 0;
        }
    }
    assert_true(moved > grabs / 2 && moved <= grabs && grabs > 2000);
}

int main(void)
{
    make_hull();
    make_field();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_solved_alike),
        cmocka_unit_test(each_kind_of_collider_is_solved_alike),
        cmocka_unit_test(grabs_are_solved_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
