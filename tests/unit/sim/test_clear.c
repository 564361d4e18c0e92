// Features that are left out of the searches of height fields touch none, while sheets and fields move.
#include "helper_sheet.h"

#include "sim/contact/meet.h"
#include "sim/field/field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 33, COUNT = SIDE * SIDE, SHEET = 15 };
#define SPACING 0.02
#define THICK 0.003

static double heights[COUNT];

struct told {
    uint32_t left_out, searched, touching, measured;
};

static void hills_add(struct sim *sim, const double position[3], struct sim_collider *collider)
{
    struct fault fault = {0};
    for (int i = 0; i < COUNT; i++) {
        double x = i % SIDE * SPACING, z = i / SIDE * SPACING;
        heights[i] = 0.03 * sin(25 * x) * cos(20 * z + 1) + 0.02 * sin(9 * x - 4 * z);
    }
    *collider = (struct sim_collider){.kind = SIM_HEIGHT_FIELD,
                                      .rotation = {0, 0, 0, 1},
                                      .heights = heights,
                                      .height_count = COUNT,
                                      .columns = SIDE,
                                      .spacing = SPACING,
                                      .friction = 0.5};
    memcpy(collider->position, position, sizeof collider->position);
    if (sim_collider_add(sim, collider, &collider->id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
}

static void cloth_add(struct sim *sim)
{
    const double half = 0.5 * 0.015 * (SHEET - 1);
    struct scene_mesh mesh = scene_grid(SHEET, SHEET, 0.015, (const double[3]){0.003 - half, 0.04, -half});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = THICK;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
}

// A row as the field sees it when the substep ends, m.
static void place_of(const struct sim *sim, const struct sim_shape *shape, uint32_t row, double out[3])
{
    double seen[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t whole = sim_whole(sim, row, (uint32_t)axis, sim->rows[row].x[axis]);
        seen[axis] = (double)(whole - shape->end.position[axis]) * sim->q;
    }
    for (int i = 0; i < 3; i++) {
        const double *along = shape->end.axes[i];
        out[i] = seen[0] * along[0] + seen[1] * along[1] + seen[2] * along[2];
    }
}

// Searches for all features of a block in all fields.
static void block_told(const struct sim *sim, const struct sim_body *body, const float slack[SIM_LANES],
                       const uint32_t (*rows)[SIM_LANES], uint32_t count, double went, struct told *told)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (rows[0][lane] == SIM_NO_FEATURE) {
            continue;
        }
        bool out = went < (double)slack[lane], touches = false;
        for (uint32_t s = 0; s < sim->shape_count; s++) {
            double corners[3][3];
            struct sim_field_touch touch;
            for (uint32_t k = 0; k < count; k++) {
                place_of(sim, &sim->shapes[s], body->first_row + rows[k][lane], corners[k]);
            }
            const double(*of)[3] = (const double(*)[3])corners;
            touches |= count == 2 ? sim_field_edge(sim->shapes[s].field, of, THICK, &touch)
                                  : sim_field_triangle(sim->shapes[s].field, of, THICK, &touch);
        }
        assert_false(out && touches);
        told->left_out += out;
        told->searched += !out;
        told->touching += touches;
    }
}

static void body_told(const struct sim *sim, const struct sim_body *body, struct told *told)
{
    const struct sim_features *features = body->features;
    for (uint32_t leaf = 0; leaf < features->leaf_count; leaf++) {
        const struct sim_clear *clear = &features->clears->leaves[leaf];
        if (!clear->measured || leaf * SIM_LANES >= features->count) {
            continue;
        }
        uint32_t corners[3][SIM_LANES], first = features->edge_first[leaf];
        double went = sim_clear_went(sim, body, leaf);
        told->measured++;
        for (uint32_t b = first; b < features->edge_first[leaf + 1]; b++) {
            block_told(sim, body, clear->edges[b - first], (const uint32_t(*)[SIM_LANES])features->edges[b],
                       2, went, told);
        }
        sim_leaf_triangles(features, leaf, corners);
        block_told(sim, body, clear->triangles, (const uint32_t(*)[SIM_LANES])corners, 3, went, told);
    }
}

// While `sim_step` goes on the rows and fields are those of a substep: they are looked at when contact is done with.
struct watching {
    struct sim *sim;
    uint32_t substeps;
    struct told told;
};

static void part_ends(void *context, enum sim_meeting_part part)
{
    struct watching *watching = context;
    if (part == SIM_MEET_COLLIDE && watching->substeps++ % 3 == 0) {
        body_told(watching->sim, watching->sim->meet->members[0].body, &watching->told);
    }
}

// pace: how far the first field swings, m; turns: radians; two: there is another field, which stands.
static struct told run(double pace, double turns, bool two)
{
    struct sim *sim = scene_create(sheet_settings(20));
    struct sim_collider field, other;
    struct fault fault;
    struct watching watching = {.sim = sim};
    const struct sim_hooks hooks = {.context = &watching, .on_meeting = part_ends};
    hills_add(sim, (const double[3]){0, 0, 0}, &field);
    if (two) {
        hills_add(sim, (const double[3]){0.2, -0.01, 0.1}, &other);
    }
    cloth_add(sim);
    for (int tick = 1; tick <= 20; tick++) {
        struct sim_failure failure = {0};
        double angle = turns * sin(0.1 * tick);
        field.position[0] = pace * sin(0.2 * tick);
        field.position[1] = 0.3 * pace * sin(0.3 * tick);
        field.rotation[1] = sin(0.5 * angle);
        field.rotation[3] = cos(0.5 * angle);
        if (pace > 0 || turns > 0) {
            assert_int_equal(sim_collider_set(sim, &field, &fault), FAULT_NONE);
        }
        sim_step(sim, NULL, &hooks, &failure);
        assert_false(failure.failed);
    }
    sim_destroy(sim);
    return watching.told;
}

static void what_is_left_out_touches_nothing(void **state)
{
    (void)state;
    for (int scene = 0; scene < 4; scene++) {
        struct told told = run(scene % 2 == 0 ? 0 : 0.02, scene < 2 ? 0 : 0.3, scene == 3);
        assert_true(told.left_out > 2 * told.searched); // most is
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
