#include "sim/body/fabric.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <string.h>

static void scale(double v[3], double by)
{
    for (int axis = 0; axis < 3; axis++) {
        v[axis] *= by;
    }
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
    sim_cross(edges[0], edges[1], normal);
    const double twice = __builtin_sqrt(sim_dot(normal, normal));
    const double spans = __builtin_sqrt(sim_dot(edges[0], edges[0]) * sim_dot(edges[1], edges[1]));
    if (!(twice > 0x1p-20 * spans)) {
        return false;
    }
    scale(normal, 1 / twice);
    *upright = !sim_yarns_in(along, turn, normal, warp, weft);
    if (*upright) {
        sim_yarns_in(edges[0], turn, normal, warp, weft);
    }
    for (int k = 0; k < 2; k++) {
        at[k][0] = sim_dot(edges[k], warp);
        at[k][1] = sim_dot(edges[k], weft);
    }
    const double det = at[0][0] * at[1][1] - at[1][0] * at[0][1];
    params[SIM_WEAVE_A] = (float)(at[1][1] / det);
    params[SIM_WEAVE_A + 1] = (float)(-at[0][1] / det);
    params[SIM_WEAVE_B] = (float)(-at[1][0] / det);
    params[SIM_WEAVE_B + 1] = (float)(at[0][0] / det);
    params[SIM_WEAVE_DENSE] = (float)(2 / twice);
    return true;
}

// u is linear in a triangle, and grows along (e1 dv2 - e2 dv1)/det where v stays.
bool sim_warp_along(const struct sim_body *body, uint32_t triangle, const double edges[2][3], double along[3])
{
    if (!body->uvs) {
        memcpy(along, body->yarns.direction, 3 * sizeof *along);
        return true;
    }
    const float *uv = body->uvs + 6 * (size_t)triangle;
    double d[2][2];
    for (int k = 0; k < 2; k++) {
        for (int axis = 0; axis < 2; axis++) {
            d[k][axis] = (double)uv[2 * (k + 1) + axis] - (double)uv[axis];
        }
    }
    const double det = d[0][0] * d[1][1] - d[1][0] * d[0][1];
    const double spans =
        __builtin_sqrt((d[0][0] * d[0][0] + d[0][1] * d[0][1]) * (d[1][0] * d[1][0] + d[1][1] * d[1][1]));
    const double sign = det < 0 ? -1 : 1;
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = sign * (edges[0][axis] * d[1][1] - edges[1][axis] * d[0][1]);
    }
    return sign * det > 0x1p-20 * spans;
}

void sim_yarns_of(const struct sim_body *body, double q, uint32_t triangle, const double turn[2],
                  double warp[3], double weft[3])
{
    const uint32_t *of = body->triangles + 3 * (size_t)triangle;
    double edges[2][3], normal[3], along[3];
    int64_t first[3], x[3];
    sim_rest_of(body, of[0], first);
    for (int k = 0; k < 2; k++) {
        sim_rest_of(body, of[k + 1], x);
        for (int axis = 0; axis < 3; axis++) {
            edges[k][axis] = (double)(x[axis] - first[axis]) * q;
        }
    }
    sim_cross(edges[0], edges[1], normal);
    scale(normal, 1 / __builtin_sqrt(sim_dot(normal, normal)));
    sim_warp_along(body, triangle, (const double(*)[3])edges, along);
    if (!sim_yarns_in(along, turn, normal, warp, weft)) {
        sim_yarns_in(edges[0], turn, normal, warp, weft);
    }
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
