// Joints (kinds/joint.c): what is checked of their sides, and the values that only they have.
//
// Anchors and axes are given in the world, where everything stands when the joint is added, and kept in the frame of each piece.
// Angles are given in rad, and kept as cosines and sines as well, which only sums, products and quotients find (sim_turn_of).

#include "base/array.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/kernels/joint.h"
#include "sim/state/fabric.h"
#include "sim/state/jointed.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#define PI 3.141592653589793

static const char *const models[SIM_JOINT_MODELS] = {"ball", "fixed", "hinge", "slider", "distance"};

static float *more_of(float *params, float *more, uint32_t param)
{
    return param < SIM_PARAMS_MAX ? params + param : more + (param - SIM_PARAMS_MAX);
}

bool sim_jointed_reserve(struct sim *sim, uint32_t more)
{
    const uint64_t joints = (uint64_t)sim->loose[SIM_JOINT].order_count + more; // each is alone in its batch
    return array_reserve(&sim->jointed, &sim->jointed_capacity, 3 * joints);
}

// ------------------------------------------------------------------------------------------------- checking

enum fault_code sim_no_joint_values(const struct sim_constraint_values *given, struct fault *fault)
{
    const struct sim_joint_values *joint = given->joint;
    const char *field = !joint                    ? NULL
                        : joint->anchors          ? "anchors"
                        : joint->axes             ? "axes"
                        : joint->limits           ? "limits"
                        : joint->turn_compliance  ? "turn_compliance"
                        : joint->motor_given      ? "motor"
                        : joint->motor_target     ? "motor_target"
                        : joint->motor_most       ? "motor_most"
                        : joint->motor_compliance ? "motor_compliance"
                                                  : NULL;
    return field ? fault_code_set(fault, FAULT_INVALID, field,
                                  "given for constraints of another kind; only joints have it")
                 : FAULT_NONE;
}

static bool in_range(float v, double least, double most)
{
    return (double)v >= least && (double)v <= most;
}

static bool is_unit(const float *v, int count)
{
    double length2 = 0;
    for (int i = 0; i < count; i++) {
        length2 += (double)v[i] * (double)v[i];
    }
    return length2 > 0.999 && length2 < 1.001;
}

static bool is_one_of(float v, int count)
{
    return v >= 0 && v < (float)count && v == (float)(uint32_t)v;
}

// params are all of them. sim_joint_sides checks which kind of body each row is of.
bool sim_joint_row_valid(const uint32_t *rows, const float *params)
{
    const bool segment = sim_jointed_segment(rows), triangle = rows[2] != rows[1] && !segment;
    const float *share = params + SIM_JOINTED_SHARE;
    bool good = is_one_of(params[SIM_JOINTED_MODEL], SIM_JOINT_MODELS) &&
                is_one_of(params[SIM_JOINTED_MOTOR], SIM_MOTORS) &&
                is_one_of(params[SIM_JOINTED_LIMITED], 2) && is_one_of(params[SIM_JOINTED_PARTED], 2);
    for (int i = SIM_JOINTED_NEAR; i < SIM_JOINTED_SHARE; i++) {
        good = good && in_range(params[i], -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX);
    }
    good = good && share[0] >= 0 && share[1] >= 0 && share[0] <= 1 && share[1] <= 1 - share[0] &&
           (triangle || share[1] == 0) && (triangle || segment || share[0] == 0);
    good = good && is_unit(params + SIM_JOINTED_OWN, 4) && is_unit(params + SIM_JOINTED_OTHER, 4) &&
           is_unit(params + SIM_JOINTED_MIDDLE, 2) && is_unit(params + SIM_JOINTED_HALF, 2) &&
           is_unit(params + SIM_JOINTED_AIM, 2) && params[SIM_JOINTED_HALF + 1] >= 0;
    good = good && in_range(params[SIM_JOINTED_LOW], -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX) &&
           in_range(params[SIM_JOINTED_HIGH], -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX) &&
           in_range(params[SIM_JOINTED_TARGET], -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX);
    good = good && in_range(params[SIM_JOINTED_TURN_GIVE], 0, SIM_JOINT_COMPLIANCE_MAX) &&
           in_range(params[SIM_JOINTED_MOTOR_GIVE], 0, SIM_JOINT_COMPLIANCE_MAX) &&
           in_range(params[SIM_JOINTED_MOST], 0, SIM_JOINT_MOST_MAX) &&
           in_range(params[SIM_JOINTED_FORCE], 0, SIM_FORCE_LIMIT_MAX);
    const bool one = rows[2] == rows[1] && rows[3] == rows[1]; // or the world
    const bool two = segment && rows[1] != rows[0] && rows[2] != rows[0];
    const bool three = triangle && rows[3] != rows[1] && rows[3] != rows[2] && rows[1] != rows[0] &&
                       rows[2] != rows[0] && rows[3] != rows[0];
    return good && (one || two || three);
}

static enum fault_code check_range(const char *field, uint32_t element, const double *values, double least,
                                   double most, const char *unit, struct fault *fault)
{
    return !values || (values[element] >= least && values[element] <= most)
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "element %u is %g; must be in [%g, %g] %s",
                                element, values[element], least, most, unit);
}

enum fault_code sim_joint_values_check(uint32_t i, const struct sim_constraint_values *given,
                                       struct fault *fault)
{
    const struct sim_joint_values *joint = given->joint;
    const char *named = given->weights || given->rest_end || given->seconds ? given->rest_end  ? "rest_end"
                                                                              : given->seconds ? "seconds"
                                                                                               : "weights"
                                                                            : NULL;
    if (named) {
        return fault_code_set(fault, FAULT_INVALID, named, "given for joints; only joins have it");
    }
    if (!joint) {
        return FAULT_NONE;
    }
    static const double most = SIM_JOINT_ANGLE_MAX;
    enum fault_code status = check_range("turn_compliance", i, joint->turn_compliance, 0,
                                         SIM_JOINT_COMPLIANCE_MAX, "rad/(N m)", fault);
    status = status != FAULT_NONE ? status
                                  : check_range("motor_most", i, joint->motor_most, 0, SIM_JOINT_MOST_MAX,
                                                "N m, or N for sliders", fault);
    status = status != FAULT_NONE
                 ? status
                 : check_range("motor_compliance", i, joint->motor_compliance, 0, SIM_JOINT_COMPLIANCE_MAX,
                               "rad/(N m), or m/N for sliders", fault);
    status = status != FAULT_NONE ? status
                                  : check_range("motor_target", i, joint->motor_target, -SIM_JOINT_SPEED_MAX,
                                                SIM_JOINT_SPEED_MAX, "rad/s, m/s, rad or m", fault);
    for (uint32_t end = 0; joint->limits && status == FAULT_NONE && end < 2; end++) {
        status = check_range("limits", 2 * i + end, joint->limits, -most, most, "rad or m", fault);
    }
    for (uint32_t k = 0; joint->anchors && status == FAULT_NONE && k < 6; k++) {
        status = check_range("anchors", 6 * i + k, joint->anchors, -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX,
                             "m", fault);
    }
    for (uint32_t k = 0; joint->axes && status == FAULT_NONE && k < 3; k++) {
        status = check_range("axes", 3 * i + k, joint->axes, -SIM_JOINT_PLACE_MAX, SIM_JOINT_PLACE_MAX, "m",
                             fault);
    }
    return status;
}

static enum fault_code check_segment(const struct sim *sim, uint32_t element, const uint32_t *rows,
                                     struct fault *fault)
{
    const struct sim_body *body = sim_body_of_row(sim, rows[1]);
    if (!body || !body->rod || sim_body_of_row(sim, rows[2]) != body) {
        return fault_code_set(fault, FAULT_INVALID, "bodies",
                              "joint %u has two particles on its second side, and body %u is no rod that "
                              "has both; must be a segment of a rod, or one or three particles",
                              element, body ? body->id : 0);
    }
    const uint32_t begins = body->index_of[rows[1] - body->first_row],
                   ends = body->index_of[rows[2] - body->first_row];
    for (uint32_t e = 0; e < body->edge_count; e++) {
        if (body->edges[2 * (size_t)e] == begins && body->edges[2 * (size_t)e + 1] == ends) {
            return FAULT_NONE;
        }
    }
    return fault_code_set(
        fault, FAULT_INVALID, "particles",
        "those of joint %u: no segment of body %u goes from particle %u to particle %u; name "
        "the particle at which the segment begins, and then the one at which it ends",
        element, body->id, begins, ends);
}

enum fault_code sim_joint_sides(const struct sim *sim, uint32_t element, enum sim_joint_model model,
                                const uint32_t *rows, struct fault *fault)
{
    const struct sim_body *piece = sim_body_of_row(sim, rows[0]), *other = sim_body_of_row(sim, rows[1]);
    if (!piece || !piece->rigid) {
        return fault_code_set(
            fault, FAULT_INVALID, "bodies",
            "joint %u begins on body %u, which is not rigid; its first particle must be a piece of a "
            "rigid body",
            element, piece ? piece->id : 0);
    }
    if (sim_jointed_segment(rows)) {
        return check_segment(sim, element, rows, fault);
    }
    const bool turns = rows[1] == rows[0] || (other && other->rigid);
    if (!turns && model != SIM_JOINT_BALL && model != SIM_JOINT_DISTANCE) {
        return fault_code_set(
            fault, FAULT_INVALID, "joint",
            "joint %u is %s, and its second side has no orientation; must be ball or distance, or a "
            "joint to a rigid body, to a segment of a rod or to the world",
            element, models[model]);
    }
    for (uint32_t k = 1; rows[2] != rows[1] && k < SIM_JOINT_CORNERS; k++) {
        const struct sim_body *corner = sim_body_of_row(sim, rows[k]);
        if (corner && corner->rigid) {
            return fault_code_set(
                fault, FAULT_INVALID, "bodies",
                "joint %u has a triangle on body %u, which is rigid; name one of its pieces", element,
                corner->id);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_joint_shape_check(const struct sim *sim, uint32_t element, const uint32_t *rows,
                                      const float *params, struct fault *fault)
{
    return sim_joint_sides(sim, element, (enum sim_joint_model)params[SIM_JOINTED_MODEL], rows, fault);
}

// --------------------------------------------------------------------------------------------------- adding

// Finds the place, m, and the orientation of a row at a boundary. Only pieces have one, and rows of a rod if `segment` is true.
static void stands(const struct sim *sim, uint32_t row, bool segment, double x[3], double q[4])
{
    const struct sim_body *body = sim_body_of_row(sim, row);
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = (double)sim->positions[row][axis] * sim->q;
    }
    if (segment) {
        sim_turn_unit(sim->turns[row].q, q);
    } else if (body && body->rigid) {
        double length2 = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = (double)sim->turns[row].q[i] + (double)sim->joints[row].rest[i];
            length2 += q[i] * q[i];
        }
        for (int i = 0; i < 4; i++) {
            q[i] = q[i] / __builtin_sqrt(length2);
        }
    }
}

// A place of the world in the frame of a piece, in floats.
static void local_of(const double at[3], const double x[3], const double q[4], float out[3])
{
    const double back[4] = {-q[0], -q[1], -q[2], q[3]}, apart[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]};
    double local[3];
    joint_turned(back, apart, local);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)local[axis];
    }
}

// The shortest rotation from the third axis to a direction.
static void frame_of(const double axis[3], double q[4])
{
    const double length = __builtin_sqrt(sim_dot(axis, axis)), z = axis[2] / length;
    q[0] = -axis[1] / length;
    q[1] = axis[0] / length;
    q[2] = 0;
    q[3] = 1 + z;
    double size2 = (q[0] * q[0] + q[1] * q[1]) + q[3] * q[3];
    if (!(size2 > 1e-12)) {
        q[0] = size2 = 1;
        q[1] = q[3] = 0;
    }
    for (int i = 0; i < 4; i++) {
        q[i] = q[i] / __builtin_sqrt(size2);
    }
}

static void frame_in(const double q[4], const double frame[4], float out[4])
{
    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
    double own[4];
    sim_turn_product(back, frame, own);
    for (int i = 0; i < 4; i++) {
        out[i] = (float)own[i];
    }
}

// The point of the second side: a particle, a point of a triangle or a segment, a piece's centre; of the world the first piece's.
static void point_of(const struct sim *sim, const uint32_t *rows, const float share[2], double x[3])
{
    double unused[4];
    stands(sim, rows[1], false, x, unused);
    for (uint32_t k = 0; rows[2] != rows[1] && k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int64_t apart = sim->positions[rows[2 + k]][axis] - sim->positions[rows[1]][axis];
            x[axis] += (double)share[k] * ((double)apart * sim->q);
        }
    }
}

static enum fault_code take_shares(uint32_t i, const struct sim_joint_values *joint, float share[2],
                                   struct fault *fault)
{
    const double *weights = joint->weights ? joint->weights + (size_t)3 * i : NULL;
    const double sum = weights ? (weights[0] + weights[1]) + weights[2] : 1;
    share[0] = weights ? (float)weights[1] : 1.0f / 3;
    share[1] = weights ? (float)weights[2] : 1.0f / 3;
    if (share[1] > 1 - share[0]) {
        share[1] = 1 - share[0]; // rounding alone took it there
    }
    const bool inside = !weights || (weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0);
    return inside && sum - 1 <= 1e-6 && 1 - sum <= 1e-6
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, "weights",
                                "those of joint %u are %g, %g and %g; must be in [0, 1] with the sum 1", i,
                                weights[0], weights[1], weights[2]);
}

// The share of a segment before its point that is nearest to a place.
static float nearest_share(const struct sim *sim, const uint32_t *rows, const double at[3])
{
    double begins[3], way[3], length2 = 0, along = 0, unused[4];
    stands(sim, rows[1], false, begins, unused);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)(sim->positions[rows[2]][axis] - sim->positions[rows[1]][axis]) * sim->q;
        length2 += way[axis] * way[axis];
        along += (at[axis] - begins[axis]) * way[axis];
    }
    const double share = length2 > 0 ? along / length2 : 0;
    return share > 0 ? share < 1 ? (float)share : 1 : 0;
}

static enum fault_code take_shares_of_segment(const struct sim *sim, uint32_t i, const uint32_t *rows,
                                              const struct sim_joint_values *joint, float share[2],
                                              struct fault *fault)
{
    double x[3], unused[4];
    if (joint->weights) {
        const enum fault_code status = take_shares(i, joint, share, fault);
        share[1] = 0;
        return status;
    }
    stands(sim, rows[0], false, x, unused);
    share[0] = nearest_share(sim, rows, joint->anchors ? joint->anchors + (size_t)6 * i + 3 : x);
    return FAULT_NONE;
}

static void put_limits(enum sim_joint_model model, double low, double high, float *params, float *more)
{
    const bool angle = model == SIM_JOINT_HINGE || model == SIM_JOINT_BALL;
    double middle[2] = {0, 1}, half[2] = {0, 1}; // sine, cosine
    const bool none = low > high || (angle && high - low >= 2 * PI);
    if (angle && !none) {
        sim_turn_of(low + 0.5 * (high - low), middle);
        sim_turn_of(0.5 * (high - low), half);
    }
    *more_of(params, more, SIM_JOINTED_LIMITED) = none ? 0 : 1;
    *more_of(params, more, SIM_JOINTED_LOW) = (float)low;
    *more_of(params, more, SIM_JOINTED_HIGH) = (float)high;
    *more_of(params, more, SIM_JOINTED_MIDDLE) = (float)middle[1];
    *more_of(params, more, SIM_JOINTED_MIDDLE + 1) = (float)middle[0];
    *more_of(params, more, SIM_JOINTED_HALF) = (float)half[1];
    *more_of(params, more, SIM_JOINTED_HALF + 1) = half[0] > 0 ? (float)half[0] : 0;
}

static enum fault_code take_anchors(const struct sim *sim, uint32_t i, const uint32_t *rows,
                                    const struct sim_joint_values *joint, float *params, float *more,
                                    double *apart, struct fault *fault)
{
    static const double up[3] = {0, 1, 0};
    const double *axis = joint->axes ? joint->axes + (size_t)3 * i : up;
    const bool world = rows[1] == rows[0], segment = sim_jointed_segment(rows);
    const bool point_only = !world && !segment && !sim_body_of_row(sim, rows[1])->rigid;
    double x[3], q[4], other[3], other_q[4], point[3], frame[4], at[2][3], square = 0;
    float far[3];
    stands(sim, rows[0], false, x, q);
    stands(sim, rows[1], segment, other, other_q);
    point_of(sim, rows, more_of(params, more, SIM_JOINTED_SHARE), point);
    if (!(sim_dot(axis, axis) > 1e-30)) {
        return fault_code_set(fault, FAULT_INVALID, "axes",
                              "that of joint %u is %g, %g, %g; must be longer than 0", i, axis[0], axis[1],
                              axis[2]);
    }
    for (int side = 0; side < 2; side++) {
        memcpy(at[side], joint->anchors ? joint->anchors + (size_t)6 * i + 3 * (size_t)side : point,
               sizeof at[side]);
    }
    if (point_only) {
        memcpy(at[1], point, sizeof point); // a particle is its own anchor
    }
    local_of(at[0], x, q, params + SIM_JOINTED_NEAR);
    local_of(at[1], segment ? point : other, other_q, far);
    for (uint32_t k = 0; k < 3; k++) {
        const float coarse = (float)at[1][k];
        *more_of(params, more, SIM_JOINTED_FAR + k) = world ? coarse : point_only ? 0 : far[k];
        *more_of(params, more, SIM_JOINTED_FINE + k) = world ? (float)(at[1][k] - (double)coarse) : 0;
        square += (at[0][k] - at[1][k]) * (at[0][k] - at[1][k]);
    }
    frame_of(axis, frame);
    frame_in(q, frame, more_of(params, more, SIM_JOINTED_OWN));
    if (world) {
        other_q[0] = other_q[1] = other_q[2] = 0;
        other_q[3] = 1;
    }
    frame_in(other_q, frame, more_of(params, more, SIM_JOINTED_OTHER));
    *apart = __builtin_sqrt(square);
    return FAULT_NONE;
}

enum fault_code sim_joint_fresh(const struct sim *sim, uint32_t i, const uint32_t *rows,
                                const struct sim_constraint_values *given, struct sim_values *values,
                                float *more, struct fault *fault)
{
    static const struct sim_joint_values none = {.model = SIM_JOINT_BALL};
    const struct sim_joint_values *joint = given->joint ? given->joint : &none;
    float *params = values->params;
    double apart = 0;
    memset(more, 0, (SIM_PARAMS_MOST - SIM_PARAMS_MAX) * sizeof *more);
    values->more = more;
    params[SIM_JOINTED_MODEL] = (float)joint->model;
    enum fault_code status = sim_joint_sides(sim, i, joint->model, rows, fault);
    if (status == FAULT_NONE && sim_jointed_segment(rows)) {
        status = take_shares_of_segment(sim, i, rows, joint, more_of(params, more, SIM_JOINTED_SHARE), fault);
    } else if (status == FAULT_NONE && rows[2] != rows[1]) {
        status = take_shares(i, joint, more_of(params, more, SIM_JOINTED_SHARE), fault);
    }
    if (status == FAULT_NONE) {
        status = take_anchors(sim, i, rows, joint, params, more, &apart, fault);
    }
    const double length = sim_present_length(sim, SIM_JOINT_CORNERS, rows);
    if (status == FAULT_NONE && length > SIM_REST_MAX) {
        status = fault_code_set(fault, FAULT_INVALID, "particles",
                                "those of constraint %u are %g m apart; at most %g m; " SIM_COARSER, i,
                                length * sim->q, SIM_REST_MAX * sim->q);
    }
    const bool keeps = joint->model == SIM_JOINT_DISTANCE;
    put_limits(joint->model, keeps ? apart : 1, keeps ? apart : -1, params, more);
    *more_of(params, more, SIM_JOINTED_AIM) = 1;
    float all[SIM_JOINTED_PARAMS];
    memcpy(all, params, SIM_PARAMS_MAX * sizeof *all);
    memcpy(all + SIM_PARAMS_MAX, more, (SIM_JOINTED_PARAMS - SIM_PARAMS_MAX) * sizeof *all);
    if (status == FAULT_NONE && !sim_joint_row_valid(rows, all)) {
        status = fault_code_set(
            fault, FAULT_INVALID, "particles",
            "those of joint %u: a particle stands twice in it, or an anchor is farther than %g m away", i,
            SIM_JOINT_PLACE_MAX);
    }
    return status == FAULT_NONE ? sim_joint_fits(i, given, values, fault) : status;
}

// ------------------------------------------------------------------------------------------------- changing

enum fault_code sim_joint_fits(uint32_t i, const struct sim_constraint_values *given,
                               const struct sim_values *values, struct fault *fault)
{
    const struct sim_joint_values *joint = given->joint;
    const enum sim_joint_model model = (enum sim_joint_model)values->params[SIM_JOINTED_MODEL];
    const bool moves = model == SIM_JOINT_HINGE || model == SIM_JOINT_SLIDER;
    if (!joint) {
        return FAULT_NONE;
    }
    if (!moves && ((joint->motor_given && joint->motor != SIM_MOTOR_NONE) || joint->motor_target ||
                   joint->motor_most || joint->motor_compliance)) {
        return fault_code_set(fault, FAULT_INVALID, "motor",
                              "given for joint %u, which is %s; only a hinge or a slider has a motor", i,
                              models[model]);
    }
    if (!joint->limits) {
        return FAULT_NONE;
    }
    const double low = joint->limits[2 * (size_t)i], high = joint->limits[2 * (size_t)i + 1];
    if (model == SIM_JOINT_FIXED && low <= high) {
        return fault_code_set(fault, FAULT_INVALID, "limits",
                              "given for joint %u, which is fixed and has none", i);
    }
    if (model == SIM_JOINT_BALL && low <= high && !(low == 0 && high <= PI)) {
        return fault_code_set(
            fault, FAULT_INVALID, "limits",
            "those of joint %u are %g and %g; a ball has 0 and the angle to which its axis may lean, at "
            "most %g rad",
            i, low, high, PI);
    }
    if (model == SIM_JOINT_DISTANCE && low <= high && low < 0) {
        return fault_code_set(fault, FAULT_INVALID, "limits",
                              "those of joint %u are %g and %g; a distance is at least 0 m", i, low, high);
    }
    return FAULT_NONE;
}

void sim_joint_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values,
                     float *more)
{
    const struct sim_joint_values *joint = given->joint;
    float *params = values->params;
    const enum sim_joint_model model = (enum sim_joint_model)params[SIM_JOINTED_MODEL];
    if (given->force_limit) {
        *more_of(params, more, SIM_JOINTED_FORCE) = (float)given->force_limit[i];
    }
    if (given->mend) {
        *more_of(params, more, SIM_JOINTED_PARTED) = 0;
    }
    if (!joint) {
        return;
    }
    if (joint->limits) {
        put_limits(model, joint->limits[2 * (size_t)i], joint->limits[2 * (size_t)i + 1], params, more);
    }
    if (joint->turn_compliance) {
        *more_of(params, more, SIM_JOINTED_TURN_GIVE) = (float)joint->turn_compliance[i];
    }
    if (joint->motor_given) {
        *more_of(params, more, SIM_JOINTED_MOTOR) = (float)joint->motor;
    }
    if (joint->motor_target) {
        double aim[2] = {0, 1};
        if (model == SIM_JOINT_HINGE && joint->motor_target[i] <= 2 * PI &&
            joint->motor_target[i] >= -2 * PI) {
            sim_turn_of(joint->motor_target[i], aim);
        }
        *more_of(params, more, SIM_JOINTED_TARGET) = (float)joint->motor_target[i];
        *more_of(params, more, SIM_JOINTED_AIM) = (float)aim[1];
        *more_of(params, more, SIM_JOINTED_AIM + 1) = (float)aim[0];
    }
    if (joint->motor_most) {
        *more_of(params, more, SIM_JOINTED_MOST) = (float)joint->motor_most[i];
    }
    if (joint->motor_compliance) {
        *more_of(params, more, SIM_JOINTED_MOTOR_GIVE) = (float)joint->motor_compliance[i];
    }
}

void sim_joint_more(const struct sim *sim, uint32_t slot, struct sim_values *values, float *more)
{
    for (uint32_t p = SIM_PARAMS_MAX; p < SIM_JOINTED_PARAMS; p++) {
        more[p - SIM_PARAMS_MAX] =
            sim_batch_params(&sim->stores[SIM_JOINT], slot / SIM_LANES, p)[slot % SIM_LANES];
    }
    values->more = more;
}

// -------------------------------------------------------------------------------------------------- reading

void sim_joint_get(const struct sim *sim, uint32_t slot, const uint32_t *rows,
                   struct sim_constraint *constraint)
{
    float params[SIM_JOINTED_PARAMS];
    struct sim_joint_told *told = &constraint->joint;
    double x[3], q[4], other[3], other_q[4], arm[3], other_arm[3], of_a[4], of_b[4], axes_a[3][3],
        axes_b[3][3], d[3];
    for (uint32_t p = 0; p < SIM_JOINTED_PARAMS; p++) {
        params[p] = sim_batch_params(&sim->stores[SIM_JOINT], slot / SIM_LANES, p)[slot % SIM_LANES];
    }
    told->model = (enum sim_joint_model)params[SIM_JOINTED_MODEL];
    for (int k = 0; k < 3; k++) {
        told->anchors[k] = (double)params[SIM_JOINTED_NEAR + k];
        told->anchors[3 + k] = (double)params[SIM_JOINTED_FAR + k] + (double)params[SIM_JOINTED_FINE + k];
    }
    for (int k = 0; k < 8; k++) {
        told->frames[k] = (double)params[SIM_JOINTED_OWN + k];
    }
    told->limits[0] = (double)params[SIM_JOINTED_LOW];
    told->limits[1] = (double)params[SIM_JOINTED_HIGH];
    told->turn_compliance = (double)params[SIM_JOINTED_TURN_GIVE];
    told->motor = (enum sim_motor)params[SIM_JOINTED_MOTOR];
    told->motor_target = (double)params[SIM_JOINTED_TARGET];
    told->motor_most = (double)params[SIM_JOINTED_MOST];
    told->motor_compliance = (double)params[SIM_JOINTED_MOTOR_GIVE];
    constraint->force_limit = (double)params[SIM_JOINTED_FORCE];
    constraint->parted = params[SIM_JOINTED_PARTED] > 0;
    const float *share = params + SIM_JOINTED_SHARE;
    constraint->weights[0] = 1;
    constraint->weights[1] = rows[2] != rows[1] ? (double)((1 - share[0]) - share[1]) : 1;
    constraint->weights[2] = (double)share[0];
    constraint->weights[3] = (double)share[1];
    const bool world = rows[1] == rows[0], piece = !world && sim_body_of_row(sim, rows[1])->rigid;
    const bool segment = sim_jointed_segment(rows);
    stands(sim, rows[0], false, x, q);
    stands(sim, rows[1], segment, other, other_q);
    if (!piece) {
        point_of(sim, rows, share, other);
    }
    if (!piece && !segment) {
        other_q[0] = other_q[1] = other_q[2] = 0;
        other_q[3] = 1;
    }
    joint_turned(q, told->anchors, arm);
    joint_turned(other_q, told->anchors + 3, other_arm);
    sim_turn_product(q, told->frames, of_a);
    sim_turn_product(other_q, told->frames + 4, of_b);
    sim_axes_of(of_a, axes_a);
    sim_axes_of(of_b, axes_b);
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = world ? (x[axis] + arm[axis]) - told->anchors[3 + axis]
                        : (x[axis] + arm[axis]) - (other[axis] + other_arm[axis]);
    }
    joint_angle(axes_a[2], axes_a[0], axes_b[0], told->angle);
    told->place = told->model == SIM_JOINT_SLIDER ? sim_dot(d, axes_b[2]) : __builtin_sqrt(sim_dot(d, d));
}
