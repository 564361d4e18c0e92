// The orientations, joints and constraints of a rod, made from a rope's edges and what is given of the rod.
//
//   chains of edges -> frames along each chain -> orientations, rests of joints, rotary inertia -> rod_stretch, rod_bend
//
// The frame of a chain's first segment is any that stands upright on it. The next one is the same, turned by the least
// rotation from one segment to the next. So a rod that is drawn as a curve has no twist. `twist` then turns each frame
// about its segment, by as much more at each joint.
//
// A joint rests with the rotation that the shape has, or, if a curvature is given, with that of a rod of this curvature. Its rest
// twist is told apart from the twist that it starts with.
//
// Rotary inertia is one number for a segment, and larger than that of a thin segment, whose orientation one sweep could not hold: m L^2/4,
// or that of its section if that is more. It slows bending waves that are no longer than some segments, and changes no shape at rest.
//
// Angles are half angles of quaternions, found by series of + and x, since bodies are the same bit for bit on all machines.

#include "sim/body/rod.h"
#include "sim/body/body.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rod.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
// A joint may start or rest with no more twist or bend than this, rad: half a turn is no more told from one back.
#define JOINT_MAX 3.0
#define INERTIA_SHARE 0.25
#define LENGTH_MIN 64.0 // quanta, of a segment

// ------------------------------------------------------------------------------------------- quaternions

static void times(const double a[4], const double b[4], double out[4])
{
    const double product[4] = {((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1],
                               ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2],
                               ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0],
                               ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2]};
    memcpy(out, product, sizeof product);
}

static void back(const double q[4], double out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = i < 3 ? 0 - q[i] : q[i];
    }
}

static void unit(double q[4])
{
    const double length = __builtin_sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
}

// The rotation by a vector of at most half a turn: (v sin(x)/(2x), cos x) with x = |v|/2.
static void rotation(double a, double b, double c, double q[4])
{
    const double x2 = ((a * a + b * b) + c * c) / 4;
    double sine = 1, cosine = 1, of_sine = 1, of_cosine = 1;
    for (int n = 1; n <= 14; n++) {
        of_cosine *= -x2 / ((2 * n - 1) * (2 * n));
        of_sine *= -x2 / ((2 * n) * (2 * n + 1));
        cosine += of_cosine;
        sine += of_sine;
    }
    q[0] = a * sine / 2;
    q[1] = b * sine / 2;
    q[2] = c * sine / 2;
    q[3] = cosine;
    unit(q);
}

// An upright frame whose third axis is t: the quaternion of the least rotation from z to t.
static void turn_to(const double from[3], const double to[3], double q[4])
{
    const double cosine = sim_dot(from, to);
    sim_cross(from, to, q);
    q[3] = 1 + cosine;
    if (q[3] < 1e-12) { // straight back: about any axis across
        const double aside[3] = {from[0] * from[0] < 0.5 ? 1.0 : 0.0, from[0] * from[0] < 0.5 ? 0.0 : 1.0, 0};
        sim_cross(from, aside, q);
        q[3] = 0;
    }
    unit(q);
}

// ------------------------------------------------------------------------------------------------ chains

// The segments of a rod. `segment` of a particle is the one that begins there; count: it has none.
struct chains {
    uint32_t *begins, *ends; // by particle: the segment that begins, and that ends there
    double (*along)[3], *length;
    double (*frames)[4];  // by segment, without twist
    double (*started)[4]; // by segment, with twist
    double *rest_turns;   // by segment: how far its frame is twisted at rest, rad
};

static void chains_deinit(struct chains *chains)
{
    free(chains->begins);
    free(chains->ends);
    free(chains->along);
    free(chains->length);
    free(chains->frames);
    free(chains->started);
    free(chains->rest_turns);
}

static bool chains_init(struct chains *chains, uint32_t particles, uint32_t segments)
{
    *chains = (struct chains){
        .begins = malloc(((size_t)particles + 1) * sizeof *chains->begins),
        .ends = malloc(((size_t)particles + 1) * sizeof *chains->ends),
        .along = malloc(((size_t)segments + 1) * sizeof *chains->along),
        .length = malloc(((size_t)segments + 1) * sizeof *chains->length),
        .frames = malloc(((size_t)segments + 1) * sizeof *chains->frames),
        .started = malloc(((size_t)segments + 1) * sizeof *chains->started),
        .rest_turns = calloc((size_t)segments + 1, sizeof *chains->rest_turns),
    };
    return chains->begins && chains->ends && chains->along && chains->length && chains->frames &&
           chains->started && chains->rest_turns;
}

static enum fault_code take_segment(const struct sim_body *body, const double q, uint32_t e, uint32_t given,
                                    struct chains *chains, struct fault *fault)
{
    const uint32_t a = body->edges[2 * (size_t)e], b = body->edges[2 * (size_t)e + 1];
    const uint32_t taken = chains->begins[a] != body->edge_count ? a : b;
    if (chains->begins[a] != body->edge_count || chains->ends[b] != body->edge_count) {
        return fault_code_set(fault, FAULT_INVALID, "edges",
                              "element %u: another segment %s at particle %u; a rod is a chain, so that one "
                              "segment at most begins at a particle, and one at most ends there",
                              given, taken == a ? "begins" : "ends", taken);
    }
    chains->begins[a] = chains->ends[b] = e;
    double length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        chains->along[e][axis] = (double)(body->rest[b][axis] - body->rest[a][axis]) * q;
        length2 += chains->along[e][axis] * chains->along[e][axis];
    }
    chains->length[e] = __builtin_sqrt(length2);
    if (!(chains->length[e] >= LENGTH_MIN * q && chains->length[e] <= SIM_REST_MAX * q)) {
        return fault_code_set(fault, FAULT_INVALID, "positions",
                              "the segment from %u to %u is %g m long; must be in [%g, %g]", a, b,
                              chains->length[e], LENGTH_MIN * q, SIM_REST_MAX * q);
    }
    for (int axis = 0; axis < 3; axis++) {
        chains->along[e][axis] /= chains->length[e];
    }
    return FAULT_NONE;
}

// Frames from segment `first` on, to the end of its chain or back to it.
static void walk(const struct sim_body *body, const struct sim_rod *rod, uint32_t first,
                 struct chains *chains, bool *walked)
{
    static const double up[3] = {0, 0, 1};
    double twisted = 0;
    turn_to(up, chains->along[first], chains->frames[first]);
    for (uint32_t e = first, before = first; e != body->edge_count && !walked[e];
         before = e, e = chains->begins[body->edges[2 * (size_t)e + 1]]) {
        walked[e] = true;
        double turn[4];
        if (e != first) {
            const double span = 0.5 * (chains->length[before] + chains->length[e]);
            turn_to(chains->along[before], chains->along[e], turn);
            times(turn, chains->frames[before], chains->frames[e]);
            unit(chains->frames[e]);
            twisted += rod->twist * span;
            chains->rest_turns[e] = chains->rest_turns[before] + rod->rest_twist * span;
        }
        // A whole turn is a rotation like none, and rotation() takes half a turn.
        const double whole = 2 * PI * (double)sim_cell(twisted / (2 * PI) + 0.5);
        rotation(0, 0, twisted - whole, turn);
        times(chains->frames[e], turn, chains->started[e]);
        unit(chains->started[e]);
    }
}

// The rotation about the third axis, of any angle.
static void twist_by(double angle, double q[4])
{
    rotation(0, 0, angle - 2 * PI * (double)sim_cell(angle / (2 * PI) + 0.5), q);
}

// How the joint from segment a to segment b rests.
static void joint_rest(const struct sim_rod *rod, const struct chains *chains, uint32_t a, uint32_t b,
                       double span, double rest[4])
{
    if (rod->curved) {
        rotation(rod->curvature[0] * span, rod->curvature[1] * span, rod->rest_twist * span, rest);
        return;
    }
    double first[4], second[4], shape[4];
    back(chains->frames[a], first);
    times(first, chains->frames[b], shape);
    if (shape[3] < 0) {
        for (int i = 0; i < 4; i++) {
            shape[i] = 0 - shape[i];
        }
    }
    twist_by(0 - chains->rest_turns[a], first);
    twist_by(chains->rest_turns[a] + rod->rest_twist * span, second);
    times(first, shape, rest);
    times(rest, second, rest);
    unit(rest);
}

// --------------------------------------------------------------------------------------------- what it gives

// Radius and moduli make EA, kGA, EI and GJ of a round section; given stiffnesses go first.
struct stiffness {
    double stretch, shear, bend, twist;
};

static struct stiffness stiffness_of(const struct sim_rod *rod)
{
    const double a2 = rod->radius * rod->radius, nu = rod->poisson;
    const double area = PI * a2, g = rod->young / (2 * (1 + nu));
    const double bend = rod->young * area * a2 / 4;
    return (struct stiffness){
        .stretch = rod->young * area,
        .shear = 6 * (1 + nu) / (7 + 6 * nu) * g * area,
        .bend = rod->bend_stiffness > 0 ? rod->bend_stiffness : bend,
        .twist = rod->twist_stiffness > 0  ? rod->twist_stiffness
                 : rod->bend_stiffness > 0 ? rod->bend_stiffness / (1 + nu)
                                           : g * area * a2 / 2,
    };
}

static enum fault_code in_range(const char *field, double value, double least, double most,
                                const char *unit_name, struct fault *fault)
{
    return value >= least && value <= most
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%g%s; must be in [%g, %g]", value, unit_name,
                                least, most);
}

enum fault_code sim_rod_check(const struct sim_rod *rod, struct fault *fault)
{
    const struct {
        const char *field;
        double value, least, most;
        const char *unit_name;
    } ranges[] = {
        {"rod.radius", rod->radius, SIM_ROD_RADIUS_MIN, SIM_ROD_RADIUS_MAX, " m"},
        {"rod.young", rod->young, SIM_YOUNG_MIN, SIM_YOUNG_MAX, " Pa"},
        {"rod.poisson", rod->poisson, 0, 0.5, ""},
        {"rod.bend_stiffness", rod->bend_stiffness, 0, SIM_ROD_STIFFNESS_MAX, " N m^2"},
        {"rod.twist_stiffness", rod->twist_stiffness, 0, SIM_ROD_STIFFNESS_MAX, " N m^2"},
        {"rod.damping", rod->damping, 0, SIM_ROD_DAMPING_MAX, " s"},
        {"rod.curvature", rod->curvature[0], -SIM_ROD_CURVATURE_MAX, SIM_ROD_CURVATURE_MAX, " 1/m"},
        {"rod.curvature", rod->curvature[1], -SIM_ROD_CURVATURE_MAX, SIM_ROD_CURVATURE_MAX, " 1/m"},
        {"rod.rest_twist", rod->rest_twist, -SIM_ROD_CURVATURE_MAX, SIM_ROD_CURVATURE_MAX, " rad/m"},
        {"rod.twist", rod->twist, -SIM_ROD_CURVATURE_MAX, SIM_ROD_CURVATURE_MAX, " rad/m"},
        {"rod.plastic.yield_angle", rod->plastic.yield, 0, SIM_YIELD_MAX, " rad"},
        {"rod.plastic.rate", rod->plastic.rate, 0, SIM_FLOW_RATE_MAX, " 1/s"},
        {"rod.plastic.greatest", rod->plastic.greatest, 0, SIM_CREASE_MAX, " rad"},
    };
    enum fault_code status = FAULT_NONE;
    for (size_t i = 0; status == FAULT_NONE && i < sizeof ranges / sizeof ranges[0]; i++) {
        status = in_range(ranges[i].field, ranges[i].value, ranges[i].least, ranges[i].most,
                          ranges[i].unit_name, fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    const struct stiffness stiffness = stiffness_of(rod);
    status = in_range("rod.young", stiffness.stretch, 1 / SIM_COMPLIANCE_MAX, SIM_ROD_STIFFNESS_MAX,
                      " N of stretch, with the radius", fault);
    if (status == FAULT_NONE) {
        status = in_range("rod.bend_stiffness", stiffness.bend, SIM_ROD_STIFFNESS_MIN, SIM_ROD_STIFFNESS_MAX,
                          " N m^2, as it follows from radius and young", fault);
    }
    if (status == FAULT_NONE) {
        status = in_range("rod.twist_stiffness", stiffness.twist, SIM_ROD_STIFFNESS_MIN,
                          SIM_ROD_STIFFNESS_MAX, " N m^2, as it follows from radius and young", fault);
    }
    return status;
}

void sim_rod_materials(const struct sim_rod *rod, struct sim_material *stretch, struct sim_material *bend)
{
    const struct stiffness stiffness = stiffness_of(rod);
    stretch->compliance = 1 / stiffness.stretch;
    stretch->poisson = stiffness.stretch / stiffness.shear;
    stretch->damping = rod->damping * stiffness.stretch;
    bend->compliance = 1 / stiffness.bend;
    bend->poisson = stiffness.bend / stiffness.twist;
    bend->damping = rod->damping * stiffness.bend;
    stretch->stiffness = bend->stiffness = -1;
}

// ------------------------------------------------------------------------------------------------ making

static enum fault_code check_joint(const struct sim_rod *rod, double span, uint32_t particle,
                                   struct fault *fault)
{
    const struct {
        const char *field;
        double angle;
    } angles[] = {{"rod.twist", rod->twist * span},
                  {"rod.rest_twist", rod->rest_twist * span},
                  {"rod.curvature", rod->curvature[0] * span},
                  {"rod.curvature", rod->curvature[1] * span}};
    for (int i = 0; i < 4; i++) {
        if (!(angles[i].angle <= JOINT_MAX / 2 && angles[i].angle >= -JOINT_MAX / 2)) {
            return fault_code_set(fault, FAULT_INVALID, angles[i].field,
                                  "the joint after particle %u would turn by %g rad; at most %g rad; shorter "
                                  "segments turn less",
                                  particle, angles[i].angle, JOINT_MAX / 2);
        }
    }
    return FAULT_NONE;
}

// Particles of each joint: where its segments begin. Returns how many there are, and fills values.
static enum fault_code take_joints(struct sim_body_plan *plan, const struct chains *chains, uint32_t *corners,
                                   struct sim_values *values, uint32_t *count, struct fault *fault)
{
    const struct sim_body *body = plan->body;
    const struct sim_rod *rod = &body->rod->given;
    const struct sim_material *bend = &body->materials[SIM_PART_BEND];
    *count = 0;
    for (uint32_t a = 0; a < body->edge_count; a++) {
        const uint32_t first = body->edges[2 * (size_t)a], second = body->edges[2 * (size_t)a + 1];
        const uint32_t b = chains->begins[second];
        if (b == body->edge_count) {
            continue;
        }
        const double span = 0.5 * (chains->length[a] + chains->length[b]);
        enum fault_code status = check_joint(rod, span, first, fault);
        if (status != FAULT_NONE) {
            return status;
        }
        double rest[4];
        joint_rest(rod, chains, a, b, span, rest);
        struct sim_values *of = &values[*count];
        *of = (struct sim_values){
            .compliance = (float)bend->compliance, .damping = (float)bend->damping, .stiffness = -1};
        for (int i = 0; i < 4; i++) {
            body->turned[first].rest[i] = (float)rest[i];
        }
        of->params[SIM_ROD_SPAN] = (float)span;
        of->params[SIM_ROD_TWIST] = (float)bend->poisson;
        corners[2 * (size_t)*count] = first;
        corners[2 * (size_t)(*count)++ + 1] = second;
    }
    return FAULT_NONE;
}

static void take_segments(struct sim_body_plan *plan, const struct chains *chains, uint32_t *corners,
                          struct sim_values *values)
{
    struct sim_body *body = plan->body;
    const struct sim_material *stretch = &body->materials[SIM_PART_STRETCH];
    for (uint32_t i = 0; i < body->count; i++) {
        body->rod->ends[i].holder = UINT32_MAX;
    }
    for (uint32_t e = 0; e < body->edge_count; e++) {
        const uint32_t a = body->edges[2 * (size_t)e], b = body->edges[2 * (size_t)e + 1];
        const double length = chains->length[e];
        struct sim_turned *turned = &body->turned[a];
        sim_turn_from(chains->started[e], turned->q);
        body->rod->ends[a] = (struct sim_rod_end){.holder = a, .span = (float)(0.5 * length)};
        if (chains->begins[b] == body->edge_count) {
            body->rod->ends[b] = body->rod->ends[a];
        }
        values[e] = (struct sim_values){
            .params = {[SIM_ROD_LENGTH] = (float)length, [SIM_ROD_SHEAR] = (float)stretch->poisson},
            .compliance = (float)stretch->compliance,
            .damping = (float)stretch->damping,
            .stiffness = -1};
        corners[2 * (size_t)e] = a;
        corners[2 * (size_t)e + 1] = b;
        body->edge += length / body->edge_count;
    }
}

static enum fault_code find_chains(struct sim_body_plan *plan, const uint32_t *given, struct chains *chains,
                                   struct fault *fault)
{
    struct sim_body *body = plan->body;
    bool *walked = calloc((size_t)body->edge_count + 1, sizeof *walked);
    if (!walked || !chains_init(chains, body->count, body->edge_count)) {
        free(walked);
        return sim_fault_memory(fault);
    }
    enum fault_code status = FAULT_NONE;
    for (uint32_t i = 0; i < body->count; i++) {
        chains->begins[i] = chains->ends[i] = body->edge_count;
    }
    for (uint32_t e = 0; status == FAULT_NONE && e < body->edge_count; e++) {
        status = take_segment(body, plan->resolution, e, given[e], chains, fault);
    }
    for (int rings = 0; status == FAULT_NONE && rings < 2; rings++) { // what no open chain has is of a ring
        for (uint32_t e = 0; e < body->edge_count; e++) {
            if (!walked[e] && (rings == 1 || chains->ends[body->edges[2 * (size_t)e]] == body->edge_count)) {
                walk(body, &body->rod->given, e, chains, walked);
            }
        }
    }
    free(walked);
    return status;
}

enum fault_code sim_body_rod(struct sim_body_plan *plan, const uint32_t *given,
                             const struct sim_limits *limits, struct fault *fault)
{
    struct sim_body *body = plan->body;
    struct chains chains = {0};
    const size_t most = (size_t)body->edge_count + 1;
    struct sim_values *values = malloc(most * sizeof *values);
    uint32_t *corners = malloc(most * 2 * sizeof *corners), count = 0;
    body->rod->ends = malloc(((size_t)body->count + 1) * sizeof *body->rod->ends);
    body->turned = calloc((size_t)body->count + 1, sizeof *body->turned);
    enum fault_code status =
        values && corners && body->rod->ends && body->turned ? FAULT_NONE : sim_fault_memory(fault);
    if (status == FAULT_NONE) {
        sim_rod_materials(&body->rod->given, &body->materials[SIM_PART_STRETCH],
                          &body->materials[SIM_PART_BEND]);
        status = find_chains(plan, given, &chains, fault);
    }
    if (status == FAULT_NONE && body->rod->given.direct) {
        body->rod->direct = sim_rod_direct_make(body);
        status = body->rod->direct ? FAULT_NONE : sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        take_segments(plan, &chains, corners, values);
        sim_rod_weigh(body, plan->inverse_masses);
        status = sim_body_lay_out(plan, SIM_ROD_STRETCH, body->edge_count, corners, values, limits, fault);
    }
    if (status == FAULT_NONE) {
        status = take_joints(plan, &chains, corners, values, &count, fault);
    }
    if (status == FAULT_NONE && count > 0) {
        status = sim_body_lay_out(plan, SIM_ROD_BEND, count, corners, values, limits, fault);
    }
    chains_deinit(&chains);
    free(values);
    free(corners);
    return status;
}

enum fault_code sim_body_clamp(struct sim_body *body, const struct sim_body_desc *desc, struct fault *fault)
{
    for (uint32_t c = 0; c < desc->clamp_count; c++) {
        const uint32_t index = desc->clamps[c];
        struct sim_pin *pin = index < body->count && !desc->weld ? sim_pin_find(body, index) : NULL;
        const uint32_t holder = body->rod && pin ? body->rod->ends[index].holder : UINT32_MAX;
        if (holder == UINT32_MAX) {
            return fault_code_set(
                fault, FAULT_INVALID, "clamps",
                "element %u is %u; must be a pinned particle at a segment of a rod that is added "
                "without weld",
                c, index);
        }
        memcpy(pin->clamp.from, body->turned[holder].q, sizeof pin->clamp.from);
        memcpy(pin->clamp.to, body->turned[holder].q, sizeof pin->clamp.to);
    }
    return FAULT_NONE;
}

// A segment weighs as much as its ends on the mean. A static end weighs what the other one does.
void sim_rod_weigh(struct sim_body *body, const float *inverse_masses)
{
    const double section = 0.5 * body->rod->given.radius * body->rod->given.radius;
    for (uint32_t e = 0; e < body->edge_count; e++) {
        const uint32_t *ends = body->edges + 2 * (size_t)e;
        const double length = 2 * (double)body->rod->ends[ends[0]].span,
                     share = INERTIA_SHARE * length * length;
        double sum = 0;
        uint32_t count = 0;
        for (int k = 0; k < 2; k++) {
            sum += inverse_masses[ends[k]] > 0 ? 1 / (double)inverse_masses[ends[k]] : 0;
            count += inverse_masses[ends[k]] > 0;
        }
        const double inertia = count > 0 ? sum / count * (share > section ? share : section) : 0;
        body->turned[ends[0]].w = inertia > 0 ? (float)(1 / inertia) : 0;
    }
}

// ----------------------------------------------------------------------------------------------- keeping

bool sim_body_rod_take(struct sim_body *body, const struct sim_rod *rod)
{
    body->rod = calloc(1, sizeof *body->rod);
    if (body->rod) {
        double half[4];
        body->rod->given = *rod;
        rotation(rod->plastic.yield, 0, 0, half);
        body->rod->yield = (float)(2 * half[0]);
        rotation(rod->plastic.greatest, 0, 0, half);
        body->rod->greatest = (float)(2 * half[0]);
    }
    return body->rod;
}
