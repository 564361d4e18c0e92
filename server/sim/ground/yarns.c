// Directions of warp and weft, by + - * / and roots alone, so that they are the same everywhere.

#include "sim/ground/vector.h"
#include "sim/state/fabric.h"

#define HALF_PI 1.5707963267948966

// Taylor's series for |x| up to pi/4. The terms left out are below 2^-60.
static void small_turn(double x, double turn[2])
{
    double term = 1, sine = 0, cosine = 0;
    for (int n = 0; n < 20; n += 4) {
        cosine += term;
        term *= x / (n + 1);
        sine += term;
        term *= -x / (n + 2);
        cosine += term;
        term *= x / (n + 3);
        sine += term;
        term *= -x / (n + 4);
    }
    turn[0] = sine;
    turn[1] = cosine;
}

void sim_turn_of(double angle, double turn[2])
{
    int quarters = 0;
    double small[2];
    for (; angle > HALF_PI / 2; quarters++) {
        angle -= HALF_PI;
    }
    for (; angle < -HALF_PI / 2; quarters--) {
        angle += HALF_PI;
    }
    small_turn(angle, small);
    for (int k = quarters & 3; k > 0; k--) {
        const double sine = small[0];
        small[0] = small[1];
        small[1] = -sine;
    }
    turn[0] = small[0];
    turn[1] = small[1];
}

// Finds the part of the direction in the plane of a unit normal, with length 1. False if the direction stands
// upright on the plane.
static bool flatten(const double along[3], const double normal[3], double flat[3])
{
    const double up = sim_dot(along, normal), length2 = sim_dot(along, along);
    for (int axis = 0; axis < 3; axis++) {
        flat[axis] = along[axis] - up * normal[axis];
    }
    const double flat2 = sim_dot(flat, flat);
    if (!(flat2 > 1e-6 * length2)) {
        return false;
    }
    const double once = 1 / __builtin_sqrt(flat2);
    for (int axis = 0; axis < 3; axis++) {
        flat[axis] *= once;
    }
    return true;
}

bool sim_yarns_in(const double along[3], const double turn[2], const double normal[3], double warp[3],
                  double weft[3])
{
    if (!flatten(along, normal, warp)) {
        return false;
    }
    sim_cross(normal, warp, weft);
    for (int axis = 0; axis < 3; axis++) {
        const double u = warp[axis], v = weft[axis];
        warp[axis] = turn[1] * u + turn[0] * v;
        weft[axis] = turn[1] * v - turn[0] * u;
    }
    return true;
}
