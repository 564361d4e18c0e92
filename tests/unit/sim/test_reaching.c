// The sieve before the count of what is pierced: what it leaves out reaches into no core, and every instruction set comes to
// the bits of the scalar twin.
#include "helper_scene.h"

#include "sim/contact/collide.h"
#include "sim/contact/core.h"
#include "sim/motion/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3 * SIM_LANES, MOMENTS = 8, ROUNDS = 400 };

static const double wedge_points[] = {0.05, 0.03,  0.02, -0.04, 0.03,  0.03,  0.01, 0.05,  -0.04,
                                      0.02, -0.04, 0.04, -0.05, -0.03, -0.03, 0.03, -0.05, -0.02};
static const struct sim_collider kinds[] = {
    {.kind = SIM_SPHERE, .radius = 0.03},
    {.kind = SIM_CAPSULE, .radius = 0.02, .length = 0.06},
    {.kind = SIM_CYLINDER, .radius = 0.03, .length = 0.05},
    {.kind = SIM_BOX, .half_extents = {0.02, 0.03, 0.04}},
    {.kind = SIM_CONVEX, .points = wedge_points, .point_count = 6},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint64_t seed;

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

// A block of triangles near a collider that moves and turns.
struct scene {
    struct sim_shape shape;
    struct sim_toucher toucher;
    struct sim_touch_origin origin;
    int64_t middle[3];
    struct sim_row rows[ROWS], starts[ROWS];
    uint32_t places[3][SIM_LANES];
};

static void pose_make(struct sim_pose *pose, const int64_t middle[3])
{
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        pose->rotation[i] = between(-1, 1);
        length2 += pose->rotation[i] * pose->rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        pose->rotation[i] /= sqrt(length2);
    }
    memcpy(pose->position, middle, sizeof pose->position);
}

static void shape_make(struct sim *sim, struct scene *scene, const struct sim_collider *collider, bool moves)
{
    const int64_t middle[3] = {7000000123, -(int64_t)(between(0, 1) * 0x1p40), 5};
    struct sim_shape *shapes = sim->shapes;
    const uint32_t count = sim->shape_count;
    struct fault fault;
    assert_int_equal(sim_shape_from(sim, collider, 1e6, &scene->shape, &fault), FAULT_NONE);
    pose_make(&scene->shape.from, middle);
    scene->shape.to = scene->shape.from;
    for (int i = 0; i < 4 && moves; i++) {
        scene->shape.to.rotation[i] += i == 3 ? 0 : between(-0.2, 0.2);
    }
    for (int axis = 0; axis < 3 && moves; axis++) {
        scene->shape.to.position[axis] += (int64_t)(between(-0.03, 0.03) / SCENE_Q);
    }
    sim->shapes = &scene->shape;
    sim->shape_count = 1;
    sim_shapes_move(sim, 1, 1);
    sim->shapes = shapes;
    sim->shape_count = count;
    memcpy(scene->middle, middle, sizeof scene->middle);
    sim_toucher_from(sim, &scene->shape, 0.003, &scene->toucher);
    for (int axis = 0; axis < 3; axis++) {
        scene->origin.low[axis] = (int32_t)(uint32_t)(uint64_t)middle[axis];
        scene->origin.end[axis] = (double)(middle[axis] - scene->shape.end.position[axis]);
        scene->origin.start[axis] = (double)(middle[axis] - scene->shape.start.position[axis]);
    }
}

// Triangles of every size, flat ones too. Some are edges or points, and some of those lie in the collider's middle.
static void triangles_make(struct scene *scene, double way)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const double size = 0.002 + between(0, 0.08), flat = lane % 4 == 0 ? 0 : 1;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double at = between(-0.08, 0.08);
            for (uint32_t k = 0; k < 3; k++) {
                const double x = (lane == 1 ? 0 : at) +
                                 (lane == 2 ? 0 : size) * between(-0.5, 0.5) * (axis == 1 ? flat : 1);
                const int32_t low = sim_wrap_add(scene->origin.low[axis], (int32_t)(x / SCENE_Q));
                const int32_t moved = (int32_t)(between(-way, way) / SCENE_Q);
                scene->rows[3 * lane + k].x[axis] = low;
                scene->starts[3 * lane + k].x[axis] = sim_wrap_add(low, moved);
            }
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t corner = lane % 5 == 1 ? (k > 0) : lane % 7 == 2 ? 0 : k;
            scene->places[k][lane] = (3 * lane + corner) * SIM_ROW_BYTES;
        }
    }
}

static void place_of(const struct scene *scene, const struct sim_row *row, const struct sim_frame *frame,
                     double out[3])
{
    double seen[3];
    for (int axis = 0; axis < 3; axis++) {
        seen[axis] = ((double)sim_wrap_sub(row->x[axis], scene->origin.low[axis]) +
                      (double)(scene->middle[axis] - frame->position[axis])) *
                     SCENE_Q;
    }
    for (int i = 0; i < 3; i++) {
        const double *along = frame->axes[i];
        out[i] = (seen[0] * along[0] + seen[1] * along[1]) + seen[2] * along[2];
    }
}

// Looks at the end alone, or at some moments on the way to it.
static bool pierces(const struct scene *scene, const struct sim_core *core, uint32_t lane, bool passes)
{
    double starts[3][3], ends[3][3], now[3][3];
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t row = scene->places[k][lane] / SIM_ROW_BYTES;
        place_of(scene, &scene->rows[row], &scene->shape.end, ends[k]);
        place_of(scene, &scene->starts[row], &scene->shape.start, starts[k]);
    }
    for (int moment = passes ? 0 : MOMENTS; moment <= MOMENTS; moment++) {
        for (int i = 0; i < 9; i++) {
            const double part = (double)moment / MOMENTS;
            now[i / 3][i % 3] = starts[i / 3][i % 3] + part * (ends[i / 3][i % 3] - starts[i / 3][i % 3]);
        }
        if (sim_core_pierces(core, (const double(*)[3])now)) {
            return true;
        }
    }
    return false;
}

static uint32_t reaching(const struct scene *scene, enum sim_isa isa, bool passes, double reach)
{
    return sim_collide_kernels_of(isa)->reaching[scene->shape.kind](
        &scene->toucher, &scene->origin, scene->rows, passes ? scene->starts : NULL,
        (const uint32_t(*)[SIM_LANES])scene->places, reach);
}

static void what_is_left_out_reaches_into_no_core(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    static struct scene scene;
    seed = 23;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int passes = 0; passes < 2; passes++) {
            uint32_t pierced = 0, clear = 0, left_out = 0;
            for (int round = 0; round < ROUNDS; round++) {
                const double share = round % 2 == 0 ? 0.1 : SIM_CORE_SHARE;
                struct sim_core core;
                shape_make(sim, &scene, &kinds[kind], passes);
                triangles_make(&scene, passes ? 0.03 : 0);
                sim_core_from(&scene.shape, 0.003, share, &core);
                const double reach = 1e-6 - share * sim_inner_of(&scene.shape);
                const uint32_t may = reaching(&scene, sim_isa_chosen(), passes, reach);
                for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
                    if (sim_isa_available((enum sim_isa)isa)) {
                        assert_int_equal(reaching(&scene, (enum sim_isa)isa, passes, reach), may);
                    }
                }
                for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                    const bool is = pierces(&scene, &core, lane, passes), sifted = (may >> lane & 1) == 0;
                    assert_false(is && sifted);
                    pierced += is;
                    clear += !is;
                    left_out += sifted;
                }
                free(scene.shape.hull);
            }
            assert_true(pierced > ROUNDS);                         // of 16 in each round
            assert_true(left_out > (passes ? 0.6 : 0.95) * clear); // it is worth its price
        }
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_reaches_into_no_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
