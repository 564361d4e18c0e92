#include "sim/body/fabric.h"

#include "sim/ground/ground.h"

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

static double dot_of(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross_of(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void scale(double v[3], double by)
{
    for (int axis = 0; axis < 3; axis++) {
        v[axis] *= by;
    }
}

// Finds the part of the direction in the plane of a unit normal, with length 1. False if the direction stands
// upright on the plane.
static bool flatten(const double along[3], const double normal[3], double flat[3])
{
    const double up = dot_of(along, normal), length2 = dot_of(along, along);
    for (int axis = 0; axis < 3; axis++) {
        flat[axis] = along[axis] - up * normal[axis];
    }
    const double flat2 = dot_of(flat, flat);
    if (!(flat2 > 1e-6 * length2)) {
        return false;
    }
    scale(flat, 1 / __builtin_sqrt(flat2));
    return true;
}

bool sim_yarns_in(const double along[3], const double turn[2], const double normal[3], double warp[3],
                  double weft[3])
{
    if (!flatten(along, normal, warp)) {
        return false;
    }
    cross_of(normal, warp, weft);
    for (int axis = 0; axis < 3; axis++) {
        const double u = warp[axis], v = weft[axis];
        warp[axis] = turn[1] * u + turn[0] * v;
        weft[axis] = turn[1] * v - turn[0] * u;
    }
    return true;
}

bool sim_weave_at_rest(const double offsets[][3], double q, const double along[3], const double turn[2],
                       float params[SIM_PARAMS_MAX], bool *upright)
{
    double edges[2][3], normal[3], warp[3], weft[3], at[2][2];
    for (int k = 0; k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            edges[k][axis] = offsets[k][axis] * q;
        }
    }
    cross_of(edges[0], edges[1], normal);
    const double twice = __builtin_sqrt(dot_of(normal, normal));
    const double spans = __builtin_sqrt(dot_of(edges[0], edges[0]) * dot_of(edges[1], edges[1]));
    if (!(twice > 0x1p-20 * spans)) {
        return false;
    }
    scale(normal, 1 / twice);
    *upright = !sim_yarns_in(along, turn, normal, warp, weft);
    if (*upright) {
        sim_yarns_in(edges[0], turn, normal, warp, weft);
    }
    for (int k = 0; k < 2; k++) {
        at[k][0] = dot_of(edges[k], warp);
        at[k][1] = dot_of(edges[k], weft);
    }
    const double det = at[0][0] * at[1][1] - at[1][0] * at[0][1];
    params[SIM_WEAVE_A] = (float)(at[1][1] / det);
    params[SIM_WEAVE_A + 1] = (float)(-at[0][1] / det);
    params[SIM_WEAVE_B] = (float)(-at[1][0] / det);
    params[SIM_WEAVE_B + 1] = (float)(at[0][0] / det);
    params[SIM_WEAVE_DENSE] = (float)(2 / twice);
    return true;
}

void sim_weave_material(const struct sim_material *material, float params[SIM_PARAMS_MAX])
{
    const double k11 = 1 / material->compliance;
    params[SIM_WEAVE_DRAWS] = (float)(material->poisson * material->weft / material->warp);
    params[SIM_WEAVE_WEFT] = (float)(material->weft / k11);
    params[SIM_WEAVE_SHEAR] = (float)(material->shear / k11);
    params[SIM_WEAVE_LIMIT] = material->limit > 0 ? (float)(1 + material->limit) : SIM_WEAVE_NO_LIMIT;
}

static enum fault_code check_yarns(const struct sim_yarns *yarns, struct fault *fault)
{
    double length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        length2 += yarns->direction[axis] * yarns->direction[axis];
    }
    if (!(length2 > 1e-12 && length2 < 1e12)) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.direction",
                              "(%g, %g, %g); its length must be between 1e-06 and 1e+06", yarns->direction[0],
                              yarns->direction[1], yarns->direction[2]);
    }
    if (!(yarns->angle >= -SIM_YARN_ANGLE_MAX && yarns->angle <= SIM_YARN_ANGLE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.angle", "%g rad; must be in [-%g, %g]",
                              yarns->angle, SIM_YARN_ANGLE_MAX, SIM_YARN_ANGLE_MAX);
    }
    return FAULT_NONE;
}

static enum fault_code check_stiffness(const char *field, double value, double least, struct fault *fault)
{
    return value >= least && value <= SIM_FABRIC_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%g N/m; must be in [%g, %g]", value, least,
                                SIM_FABRIC_MAX);
}

static enum fault_code check_material(const struct sim_material *stretch, struct fault *fault)
{
    enum fault_code status = check_stiffness("stretch.warp", stretch->warp, SIM_FABRIC_MIN, fault);
    if (status == FAULT_NONE) {
        status = check_stiffness("stretch.weft", stretch->weft, SIM_FABRIC_MIN, fault);
    }
    if (status == FAULT_NONE) {
        status = check_stiffness("stretch.shear", stretch->shear, 0, fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    // Above the root of Y1/Y2 the energy would have no minimum. A hundredth is kept, so that 1/k11 keeps its digits.
    const double most = __builtin_sqrt(0.99 * stretch->warp / stretch->weft);
    if (!(stretch->poisson >= 0 && stretch->poisson <= most)) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.poisson",
                              "%g; must be in [0, %g], which follows from warp %g and weft %g",
                              stretch->poisson, most, stretch->warp, stretch->weft);
    }
    if (stretch->stiffness >= 0) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.stiffness",
                              "%g; must be absent with model orthotropic, which has stiffnesses in N/m",
                              stretch->stiffness);
    }
    return FAULT_NONE;
}

enum fault_code sim_fabric_check(enum sim_body_kind kind, enum sim_stretch model,
                                 const struct sim_yarns *yarns, struct sim_material *stretch,
                                 struct fault *fault)
{
    if (model != SIM_STRETCH_ORTHOTROPIC) {
        return FAULT_NONE;
    }
    if (kind != SIM_CLOTH) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.model",
                              "orthotropic; must be distance, because only a cloth has warp and weft");
    }
    enum fault_code status = check_yarns(yarns, fault);
    if (status == FAULT_NONE) {
        status = check_material(stretch, fault);
    }
    if (status == FAULT_NONE) {
        const double coupled = stretch->poisson * stretch->poisson * stretch->weft / stretch->warp;
        stretch->compliance = (1 - coupled) / stretch->warp;
    }
    return status;
}
