// Rigid pieces as colliders see them.

#include "sim/contact/pieces.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/jointed.h"

#include <math.h>
#include <string.h>

bool sim_pieces_meet(const struct sim_body *surface, const struct sim_body *pieces)
{
    return surface != pieces && sim_bodies_meet(surface, pieces);
}

double sim_pieces_reach(const struct sim_body *surface, const struct sim_body *pieces)
{
    return surface->thickness + pieces->thickness;
}

static const struct sim_rigid_shape *shape_of(const struct sim_rigid *rigid, uint32_t part)
{
    return rigid->compound ? &rigid->compound->placed[part].shape : &rigid->shape;
}

double sim_piece_radius(const struct sim_rigid *rigid, uint32_t part)
{
    return rigid->compound ? rigid->compound->placed[part].reach : sim_rigid_reach(&rigid->shape);
}

static void frame_from(const struct sim *sim, uint32_t row, const struct sim_row *at, const int32_t turn[4],
                       struct sim_frame *frame)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        frame->position[axis] = sim_whole(sim, row, axis, at->x[axis]);
    }
    sim_turn_axes(turn, frame->axes);
}

// Goes from the frame of a piece to that of its part. A place is rounded to quanta.
static void frame_of_part(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                          struct sim_frame *frame)
{
    if (!rigid->compound) {
        return;
    }
    const struct sim_rigid_placed *placed = &rigid->compound->placed[part];
    const struct sim_frame whole = *frame;
    for (int axis = 0; axis < 3; axis++) {
        const double away =
            (placed->position[0] * whole.axes[0][axis] + placed->position[1] * whole.axes[1][axis]) +
            placed->position[2] * whole.axes[2][axis];
        frame->position[axis] += (int64_t)rint(away * sim->inv_q);
        for (int i = 0; i < 3; i++) {
            frame->axes[i][axis] =
                (placed->axes[i][0] * whole.axes[0][axis] + placed->axes[i][1] * whole.axes[1][axis]) +
                placed->axes[i][2] * whole.axes[2][axis];
        }
    }
}

void sim_piece_frame(const struct sim *sim, const struct sim_rigid *rigid, struct sim_frame *frame)
{
    frame_from(sim, rigid->row, &sim->rows[rigid->row], sim->turns[rigid->row].q, frame);
}

void sim_piece_frame_before(const struct sim *sim, const struct sim_rigid *rigid, struct sim_frame *frame)
{
    frame_from(sim, rigid->row, &sim->previous[rigid->row], rigid->began, frame);
}

static void shape_from(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                       struct sim_shape *shape)
{
    const struct sim_rigid_shape *given = shape_of(rigid, part);
    static const enum sim_collider_kind kinds[] = {[SIM_RIGID_SPHERE] = SIM_SPHERE,
                                                   [SIM_RIGID_CAPSULE] = SIM_CAPSULE,
                                                   [SIM_RIGID_BOX] = SIM_BOX,
                                                   [SIM_RIGID_HULL] = SIM_CONVEX};
    *shape = (struct sim_shape){.kind = kinds[given->form],
                                .radius = (double)given->radius,
                                .length = 2 * (double)given->half_height,
                                .hull = rigid->compound ? rigid->compound->placed[part].hull : rigid->hull};
    for (int axis = 0; axis < 3; axis++) {
        shape->half_extents[axis] = (double)given->half_extents[axis];
    }
    sim_piece_frame(sim, rigid, &shape->end);
    frame_of_part(sim, rigid, part, &shape->end);
}

void sim_piece_shape(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                     struct sim_shape *shape)
{
    shape_from(sim, rigid, part, shape);
    sim_piece_frame_before(sim, rigid, &shape->start);
    frame_of_part(sim, rigid, part, &shape->start);
    shape->moves = shape->turns = shape->carries = true;
}

void sim_piece_at(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                  struct sim_shape *shape)
{
    shape_from(sim, rigid, part, shape);
    shape->start = shape->end;
}

static bool stands(const struct sim_shape *shape)
{
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same = same && shape->start.position[i] == shape->end.position[i];
        for (int axis = 0; axis < 3; axis++) {
            same = same && shape->start.axes[i][axis] == shape->end.axes[i][axis];
        }
    }
    return same;
}

bool sim_piece_reaches(const struct sim *sim, const struct sim_rigid *rigid, const struct sim_body *body,
                       double more)
{
    const struct sim_body *pieces = sim_body_of_row(sim, rigid->row);
    struct sim_shape shape;
    if (!sim_pieces_meet(body, pieces)) {
        return false;
    }
    bool reaches = false;
    for (uint32_t part = 0; part < sim_rigid_part_count(rigid) && !reaches; part++) {
        sim_piece_shape(sim, rigid, part, &shape);
        if (!(rigid->w > 0) && stands(&shape)) {
            return false;
        }
        shape.kind = SIM_SPHERE; // that holds it
        shape.radius = sim_piece_radius(rigid, part) + (sim_pieces_reach(body, pieces) + more);
        reaches = sim_shape_reaches(sim, &shape, shape.start.position, shape.end.position, body);
    }
    return reaches;
}

// ------------------------------------------------------------------------------------------------------ distances

static double round_distance(double radius, const double from[3], double normal[3])
{
    const double length = sqrt(sim_dot(from, from));
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = length > 0 ? from[axis] / length : axis == 1;
    }
    return length - radius;
}

// Outside |max(|p| - e, 0)|, inside the face of least depth, ties x < y < z; as of a collider (kernels/surface.h).
static double box_distance(const double half[3], const double p[3], double normal[3])
{
    double out[3], outside2 = 0, least = 0;
    int face = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double depth = fabs(p[axis]) - half[axis];
        out[axis] = depth > 0 ? (p[axis] < 0 ? -depth : depth) : 0;
        outside2 += out[axis] * out[axis];
        if (axis == 0 || least < depth) {
            least = depth;
            face = axis;
        }
    }
    const double outside = sqrt(outside2);
    for (int axis = 0; axis < 3; axis++) {
        const double inside = axis != face ? 0 : p[axis] < 0 ? -1 : 1;
        normal[axis] = outside > 0 ? out[axis] / outside : inside;
    }
    return outside > 0 ? outside : least;
}

// Whether the foot of p on the plane of a triangle lies within it.
static bool is_over(const struct sim_hull_face *face, const double p[3])
{
    return sim_dot(face->sides[0], p) > face->side_offsets[0] &&
           sim_dot(face->sides[1], p) > face->side_offsets[1] &&
           sim_dot(face->sides[2], p) > face->side_offsets[2];
}

// Outside, the plane of a face that has the foot of p, or the nearest edge; inside, the face of least depth.
static double hull_distance(const struct sim_hull *hull, const double p[3], double normal[3])
{
    double most = -INFINITY, least2 = INFINITY;
    bool over = false;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const struct sim_hull_face *face = &hull->faces[f];
        const double height = sim_dot(face->normal, p) - face->offset;
        if (height > most) {
            most = height;
            memcpy(normal, face->normal, sizeof face->normal);
        }
        over = over || (height > 0 && is_over(face, p));
    }
    for (uint32_t e = 0; most > 0 && !over && e < hull->edge_count; e++) {
        const struct sim_hull_edge *edge = &hull->edges[e];
        double from[3] = {p[0] - edge->from[0], p[1] - edge->from[1], p[2] - edge->from[2]};
        double s = sim_dot(from, edge->way) * edge->once;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] -= s * edge->way[axis];
        }
        const double length2 = sim_dot(from, from);
        if (length2 < least2 && length2 > 0) {
            least2 = length2;
            most = sqrt(length2);
            for (int axis = 0; axis < 3; axis++) {
                normal[axis] = from[axis] / most;
            }
        }
    }
    return most;
}

// Outside, the nearest point of the side or of an end; inside, the nearer one of both.
static double cylinder_distance(double radius, double half, const double p[3], double normal[3])
{
    const double across = sqrt(p[0] * p[0] + p[2] * p[2]), side = across - radius, end = fabs(p[1]) - half;
    const double round[2] = {across > 0 ? p[0] / across : 1, across > 0 ? p[2] / across : 0};
    const double up = p[1] < 0 ? -1 : 1;
    double out[2] = {side > end ? 1 : 0, side > end ? 0 : 1}, distance = side > end ? side : end;
    if (side > 0 && end > 0) {
        distance = sqrt(side * side + end * end);
        out[0] = side / distance;
        out[1] = end / distance;
    }
    normal[0] = out[0] * round[0];
    normal[1] = out[1] * up;
    normal[2] = out[0] * round[1];
    return distance;
}

double sim_piece_distance(const struct sim_shape *shape, const struct sim_frame *frame, const double at[3],
                          double normal[3])
{
    double from[3], local[3], inward[3] = {0, 0, 0};
    if (shape->kind == SIM_PLANE) {
        memcpy(normal, frame->axes[1], sizeof frame->axes[1]);
        return sim_dot(at, normal);
    }
    if (shape->kind == SIM_SPHERE) {
        return round_distance(shape->radius, at, normal);
    }
    if (shape->kind == SIM_CAPSULE) {
        const double *axis = frame->axes[1], half = 0.5 * shape->length;
        double along = sim_dot(at, axis);
        along = along < -half ? -half : along > half ? half : along;
        for (int i = 0; i < 3; i++) {
            from[i] = at[i] - along * axis[i];
        }
        return round_distance(shape->radius, from, normal);
    }
    for (int i = 0; i < 3; i++) {
        local[i] = sim_dot(at, frame->axes[i]);
    }
    const double distance = shape->kind == SIM_CONVEX ? hull_distance(shape->hull, local, inward)
                            : shape->kind == SIM_CYLINDER
                                ? cylinder_distance(shape->radius, 0.5 * shape->length, local, inward)
                                : box_distance(shape->half_extents, local, inward);
    for (int i = 0; i < 3; i++) {
        normal[i] =
            (inward[0] * frame->axes[0][i] + inward[1] * frame->axes[1][i]) + inward[2] * frame->axes[2][i];
    }
    return distance;
}

bool sim_piece_holds(const struct sim *sim, const struct sim_rigid *rigid, const uint32_t *rows,
                     uint32_t count)
{
    bool holds = false;
    for (uint32_t k = 0; k < count && sim->jointed_count > 0; k++) {
        holds = holds || sim_rigid_joined(sim, rigid->row, rows[k]);
    }
    return holds;
}
