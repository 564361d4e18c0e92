// Compounds: pieces that consist of several convex parts, which keep their places in the piece.
//
// With the volume V of each part, its centre of mass p and its inertia J along its own axes A, each of a density of 1:
//
//     c = sum V p / sum V          d = p - c          I = sum A J A^T + V ((d . d) 1 - d d^T)
//
// If parts overlap, each counts in full. What is given as measures is taken in place of these sums. A compound is moved until its centre of mass is at its origin. One whose centre is that near
// already stays as it is, so the parts of one make the same compound again.

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <stdlib.h>
#include <string.h>

#define CENTRED 2.384185791015625e-7 // 2^-22 of the size: how near its centre of mass is to the origin
#define STRAIGHT (0.5 * CENTRED)     // of the trace of the inertia: products that are no more are none
#define FARTHEST 1e9                 // m: positions that are given
#define LEAST 1e-7                   // of the trace of the inertia that is given: the least principal moment
#define UNSURE 1e-6 // of the trace: by how much a moment that is given may be more than both others

// ------------------------------------------------------------------------------------------------------ parts

static enum fault_code part_refuse(enum fault_code code, uint32_t at, const char *field, const char *text,
                                   struct fault *fault)
{
    return fault_code_set(fault, code, "rigid.parts", "[%u]: %s: %s", at, field, text);
}

// Tells a fault of a part's shape, whose fields are named "rigid....", with the part's number.
static enum fault_code shape_refuse(enum fault_code code, uint32_t at, const struct fault *inner,
                                    struct fault *fault)
{
    const char *field = inner->field, *dot = strchr(field, '.');
    return code == FAULT_MEMORY ? sim_fault_memory(fault)
                                : part_refuse(code, at, dot ? dot + 1 : field, inner->text, fault);
}

// Takes the shape of a part, with its hull, and the place of its centre of mass.
static enum fault_code part_take(const struct sim_rigid_part *part, uint32_t at, double resolution,
                                 struct sim_rigid_placed *placed, struct fault *fault)
{
    struct fault inner = {0};
    double centre[3] = {0, 0, 0};
    enum fault_code status = FAULT_NONE;
    if (part->shape.form < SIM_RIGID_SPHERE || part->shape.form >= SIM_RIGID_COMPOUND) {
        return part_refuse(FAULT_INVALID, at, "form", "must be a sphere, a capsule, a box or a hull", fault);
    }
    if (!sim_turn_is(part->turn)) {
        return part_refuse(FAULT_INVALID, at, "rotation", "must be a quaternion of a length above 0", fault);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!(part->position[axis] >= -FARTHEST && part->position[axis] <= FARTHEST)) {
            return part_refuse(FAULT_INVALID, at, "position", "must be within 1e9 m of the origin", fault);
        }
    }
    placed->shape = part->shape;
    if (part->shape.form == SIM_RIGID_HULL) {
        status = sim_rigid_hull_make(&part->shape, resolution, &placed->hull, centre, &inner);
    } else {
        status = sim_rigid_simple_check(&part->shape, resolution, &inner);
    }
    if (status != FAULT_NONE) {
        return shape_refuse(status, at, &inner, fault);
    }
    if (placed->hull) {
        placed->shape.points = placed->hull->vertices[0];
        placed->shape.point_count = placed->hull->vertex_count;
    }
    sim_turn_axes(part->turn, placed->axes);
    for (int axis = 0; axis < 3; axis++) {
        placed->position[axis] =
            part->position[axis] + ((centre[0] * placed->axes[0][axis] + centre[1] * placed->axes[1][axis]) +
                                    centre[2] * placed->axes[2][axis]);
    }
    placed->reach = sim_rigid_reach(&placed->shape);
    return FAULT_NONE;
}

// ------------------------------------------------------------------------------------------------------ masses

static void part_measure(const struct sim_rigid_placed *placed, struct sim_rigid_own *own)
{
    *own = (struct sim_rigid_own){.shape = placed->shape, .hull = placed->hull};
    sim_rigid_simple_measure(own);
}

// The volume of all parts, and their common centre of mass.
static double centre_find(const struct sim_rigid_compound *compound, double centre[3])
{
    double volume = 0;
    memset(centre, 0, 3 * sizeof *centre);
    for (uint32_t i = 0; i < compound->count; i++) {
        struct sim_rigid_own own;
        part_measure(&compound->placed[i], &own);
        volume += own.volume;
        for (int axis = 0; axis < 3; axis++) {
            centre[axis] += own.volume * compound->placed[i].position[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] /= volume;
    }
    return volume;
}

// Adds the part's inertia about the origin of the piece, of so much of the mass of 1 kg.
static void inertia_add(const struct sim_rigid_placed *placed, const struct sim_rigid_own *own, double share,
                        double sum[3][3])
{
    const double *d = placed->position, away2 = sim_dot(d, d);
    for (int k = 0; k < 3; k++) {
        // Column k of A J A^T: the inertia of what turns about axis k of the piece.
        const double along[3] = {placed->axes[0][k], placed->axes[1][k], placed->axes[2][k]};
        double turned[3];
        sim_symmetric(own->inertia, own->skew, along, turned);
        for (int i = 0; i < 3; i++) {
            const double out = (turned[0] * placed->axes[0][i] + turned[1] * placed->axes[1][i]) +
                               turned[2] * placed->axes[2][i];
            sum[i][k] += share * (out + ((i == k ? away2 : 0) - d[i] * d[k]));
        }
    }
}

static void compound_measure(struct sim_rigid_compound *compound)
{
    double sum[3][3] = {{0}};
    for (uint32_t i = 0; i < compound->count; i++) {
        struct sim_rigid_own own;
        part_measure(&compound->placed[i], &own);
        inertia_add(&compound->placed[i], &own, own.volume / compound->volume, sum);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        compound->inertia[i] = sum[i][i];
        compound->skew[i] = 0.5 * (sum[j][k] + sum[k][j]);
    }
}

void sim_rigid_compound_measure(struct sim_rigid_own *own)
{
    const struct sim_rigid_compound *compound = own->compound;
    own->volume = compound->volume;
    memcpy(own->inertia, compound->inertia, sizeof own->inertia);
    memcpy(own->skew, compound->skew, sizeof own->skew);
    sim_rigid_inertia_invert(own, STRAIGHT * ((own->inertia[0] + own->inertia[1]) + own->inertia[2]));
}

// ------------------------------------------------------------------------------------------------------ whole

static double reach_of(const struct sim_rigid_compound *compound)
{
    double most = 0;
    for (uint32_t i = 0; i < compound->count; i++) {
        const struct sim_rigid_placed *placed = &compound->placed[i];
        const double reach = __builtin_sqrt(sim_dot(placed->position, placed->position)) + placed->reach;
        most = reach > most ? reach : most;
    }
    return most;
}

// Moves all parts until the centre of mass is at the origin, if it is not there already.
static void centre_move(struct sim_rigid_compound *compound)
{
    double centre[3];
    compound->volume = centre_find(compound, centre);
    if (__builtin_sqrt(sim_dot(centre, centre)) <= CENTRED * reach_of(compound)) {
        return;
    }
    for (uint32_t i = 0; i < compound->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            compound->placed[i].position[axis] -= centre[axis];
        }
    }
}

// Moves all parts until the centre that is given is at the origin, and takes over what else is given.
static void measures_take(struct sim_rigid_compound *compound, const struct sim_rigid_measures *given)
{
    compound->volume = given->volume;
    memcpy(compound->inertia, given->inertia, sizeof compound->inertia);
    memcpy(compound->skew, given->products, sizeof compound->skew);
    for (uint32_t i = 0; i < compound->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            compound->placed[i].position[axis] -= given->centre[axis];
        }
    }
}

// Whether k times the identity, plus sign times the inertia, is positive definite (Sylvester).
static bool is_definite(double k, double sign, const struct sim_rigid_measures *given)
{
    const double x = k + sign * given->inertia[0], y = k + sign * given->inertia[1],
                 z = k + sign * given->inertia[2];
    const double *p = given->products, minor = x * y - p[2] * p[2];
    return x > 0 && minor > 0 &&
           (z * minor - p[0] * (x * p[0] - p[1] * p[2])) + p[1] * (p[0] * p[2] - y * p[1]) > 0;
}

// Refuses what no distribution of mass within the parts' reach has.
static enum fault_code measures_check(const struct sim_rigid_measures *given, double reach,
                                      struct fault *fault)
{
    const double trace = (given->inertia[0] + given->inertia[1]) + given->inertia[2];
    if (!(given->volume > 0 && given->volume <= 8 * reach * reach * reach)) {
        return fault_code_set(fault, FAULT_INVALID, "rigid.measures.volume",
                              "%g m^3; must be above 0, and at most %g m^3 of parts that reach %g m",
                              given->volume, 8 * reach * reach * reach, reach);
    }
    if (!(trace > 0 && trace <= 2 * reach * reach) || !is_definite(-LEAST * trace, 1, given) ||
        !is_definite((0.5 + UNSURE) * trace, -1, given)) {
        return fault_code_set(
            fault, FAULT_INVALID, "rigid.measures.inertia",
            "%g, %g, %g m^2 with these products is of no solid that reaches %g m; must "
            "have principal moments above 0 of which none is more than both others together",
            given->inertia[0], given->inertia[1], given->inertia[2], reach);
    }
    return FAULT_NONE;
}

// Moves the box around all parts to the origin first, so that places far from it lose no digits twice.
static void box_move(struct sim_rigid_compound *compound)
{
    for (int axis = 0; axis < 3; axis++) {
        double least = FARTHEST, most = -FARTHEST;
        for (uint32_t i = 0; i < compound->count; i++) {
            const double at = compound->placed[i].position[axis];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        const double by = least <= 0 && most >= 0 ? 0 : 0.5 * (least + most);
        for (uint32_t i = 0; i < compound->count; i++) {
            compound->placed[i].position[axis] -= by;
        }
    }
}

static void parts_tell(const struct sim_rigid_shape *given, struct sim_rigid_compound *compound)
{
    for (uint32_t i = 0; i < compound->count; i++) {
        struct sim_rigid_part *told = &compound->told[i];
        told->shape = compound->placed[i].shape;
        memcpy(told->position, compound->placed[i].position, sizeof told->position);
        memcpy(told->turn, given->parts[i].turn, sizeof told->turn);
    }
}

enum fault_code sim_rigid_compound_make(const struct sim_rigid_shape *shape, double resolution,
                                        struct sim_rigid_compound **out, struct fault *fault)
{
    const double most = SIM_MOVE_MAX * resolution;
    enum fault_code status = FAULT_NONE;
    *out = NULL;
    if (!shape->parts || shape->part_count == 0 || shape->part_count > SIM_RIGID_PARTS_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "rigid.parts", "%u parts; a compound has 1 to %d",
                              shape->part_count, SIM_RIGID_PARTS_MAX);
    }
    struct sim_rigid_compound *compound = calloc(1, sizeof *compound);
    if (!compound) {
        return sim_fault_memory(fault);
    }
    for (; status == FAULT_NONE && compound->count < shape->part_count; compound->count++) {
        const uint32_t at = compound->count;
        status = part_take(&shape->parts[at], at, resolution, &compound->placed[at], fault);
    }
    if (status == FAULT_NONE && shape->measured) {
        measures_take(compound, &shape->measures);
        parts_tell(shape, compound);
    } else if (status == FAULT_NONE) {
        box_move(compound);
        centre_move(compound);
        compound_measure(compound);
        parts_tell(shape, compound);
    }
    if (status == FAULT_NONE && reach_of(compound) > most) {
        status = fault_code_set(fault, FAULT_INVALID, "rigid.parts",
                                "reach %g m from the centre of mass; must be at most %g m. " SIM_COARSER,
                                reach_of(compound), most);
    }
    if (status == FAULT_NONE && shape->measured) {
        status = measures_check(&shape->measures, reach_of(compound), fault);
    }
    if (status != FAULT_NONE) {
        sim_rigid_compound_destroy(compound);
        return status;
    }
    *out = compound;
    return FAULT_NONE;
}

void sim_rigid_compound_destroy(struct sim_rigid_compound *compound)
{
    for (uint32_t i = 0; compound && i < compound->count; i++) {
        free(compound->placed[i].hull);
    }
    free(compound);
}
