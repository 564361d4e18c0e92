// One touch of a surface and a rigid piece: what both are pushed by, from the movements that follow of it.
#include "helper_scene.h"

#include "sim/contact/part.h"
#include "sim/ground/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TOUCHES = 2000 };

// A piece with the axes of the world, and a point of a triangle that touches it.
struct touch {
    double w, inverse[3], arm[3]; // of the piece
    double weights[3], c[3];      // of the corners
    struct sim_parting parting;
};

// How far a push moves the piece's material at the arm.
static void piece_gives(const struct touch *touch, const double push[3], double out[3])
{
    double torque[3], turn[3];
    sim_cross(touch->arm, push, torque);
    for (int axis = 0; axis < 3; axis++) {
        turn[axis] = touch->inverse[axis] * torque[axis];
    }
    sim_cross(turn, touch->arm, out);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] += touch->w * push[axis];
    }
}

static double between(uint64_t *seed, double least, double most)
{
    return least + (most - least) * scene_uniform(seed);
}

static struct touch touch_of(uint64_t *seed, double friction)
{
    struct touch touch = {.w = scene_uniform(seed) < 0.1 ? 0 : between(seed, 0.01, 100)};
    double *c = touch.c, length = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        touch.inverse[i] = touch.w > 0 ? between(seed, 1, 5000) : 0;
        touch.arm[i] = between(seed, -0.1, 0.1);
        touch.weights[i] = scene_uniform(seed) < 0.1 ? 0 : between(seed, 0.1, 5000);
        c[i] = between(seed, 0.01, 1);
        sum += c[i];
        touch.parting.normal[i] = between(seed, -1, 1);
        length += touch.parting.normal[i] * touch.parting.normal[i];
        touch.parting.way[i] = between(seed, -1e-3, 1e-3);
    }
    for (int i = 0; i < 3; i++) {
        c[i] /= sum;
        touch.parting.normal[i] /= sqrt(length);
        touch.parting.surface += touch.weights[i] * c[i] * c[i];
    }
    for (int i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        piece_gives(&touch, unit, touch.parting.matrix[i]);
    }
    touch.parting.depth = between(seed, 1e-6, 1e-3);
    touch.parting.friction = friction;
    touch.parting.slides = 0.5 * friction;
    touch.parting.quantum = 1e-9;
    return touch;
}

// How far p goes against the material of the piece.
static void parted(const struct touch *touch, const double impulse[3], double out[3])
{
    const double back[3] = {-impulse[0], -impulse[1], -impulse[2]};
    double gives[3];
    piece_gives(touch, back, gives);
    for (int axis = 0; axis < 3; axis++) {
        double p = 0;
        for (int k = 0; k < 3; k++) {
            p += touch->c[k] * (touch->weights[k] * touch->c[k] * impulse[axis]);
        }
        out[axis] = p - gives[axis];
    }
}

static void it_goes_out_by_the_depth(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < TOUCHES; i++) {
        const struct touch touch = touch_of(&seed, 0);
        double impulse[3], went[3];
        const bool gives = touch.w > 0 || touch.parting.surface > 0;
        assert_int_equal(sim_part(&touch.parting, impulse), gives);
        if (gives) {
            parted(&touch, impulse, went);
            assert_near(sim_dot(went, touch.parting.normal), touch.parting.depth, 1e-12);
        }
    }
}

// Sliding stops along its way where friction can hold it, and else friction takes all that it may.
static void friction_holds_up_to_its_bound(void **state)
{
    (void)state;
    uint64_t seed = 2;
    uint32_t held = 0, slid = 0;
    for (int i = 0; i < TOUCHES; i++) {
        struct touch touch = touch_of(&seed, 0);
        const double *n = touch.parting.normal;
        double smooth[3], rough[3], went[3], slide[3];
        if (!sim_part(&touch.parting, smooth)) {
            continue;
        }
        touch.parting.friction = 0.4;
        touch.parting.slides = 0.2;
        assert_true(sim_part(&touch.parting, rough));
        parted(&touch, smooth, went);
        for (int axis = 0; axis < 3; axis++) {
            slide[axis] = touch.parting.way[axis] + went[axis];
        }
        const double along = sim_dot(slide, n);
        for (int axis = 0; axis < 3; axis++) {
            slide[axis] -= along * n[axis];
        }
        const double lambda = sim_dot(smooth, n), length = sqrt(sim_dot(slide, slide));
        const double takes[3] = {rough[0] - smooth[0], rough[1] - smooth[1], rough[2] - smooth[2]};
        const double force = sqrt(sim_dot(takes, takes));
        assert_near(sim_dot(rough, n), lambda, 1e-12);
        assert_near(sim_dot(takes, slide), -force * length, 1e-12 + 1e-9 * force * length);
        parted(&touch, rough, went);
        const double left = touch.parting.way[0] * slide[0] + touch.parting.way[1] * slide[1] +
                            touch.parting.way[2] * slide[2] + sim_dot(went, slide);
        if (fabs(left) < 1e-9 * length * length) {
            assert_true(force <= 0.4 * lambda * (1 + 1e-9));
            held++;
        } else {
            assert_true(left > 0); // it never goes back
            assert_true(fabs(force - 0.4 * lambda) < 1e-9 * lambda ||
                        fabs(force - 0.2 * lambda) < 1e-9 * lambda);
            slid += fabs(force - 0.2 * lambda) < 1e-9 * lambda;
        }
    }
    assert_true(held > 100 && slid > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_out_by_the_depth),
        cmocka_unit_test(friction_holds_up_to_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
