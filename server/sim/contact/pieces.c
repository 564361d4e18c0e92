#include "sim/contact/pieces.h"

#include "sim/contact/core.h"
#include "sim/contact/meet.h"
#include "sim/contact/part.h"
#include "sim/field/field.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rub.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 8,   // of a substep, at most
    SEARCHES = 4, // for the leaves that are near a piece, in a sweep, at most
};

#define DEEP 0.1  // of what keeps them apart: pushed from so deep, others are pushed again
#define STUCK 0.5 // likewise: left so deep, the surface alone is pushed
#define PRESSED \
    1.0 // likewise: pushed from so deep, a surface is pressed onto others, which give way in the same substep (solve/step.c)
#define BORNE 0.7  // cosine: so nearly opposite is a collider that bears what a piece presses onto it
#define CLOSE 0.02 // likewise: what is no farther out touches, and bounces

// The work of a sweep.
enum doing {
    PUSHES,
    STANDS, // only surfaces that cannot move push pieces
    BOUNCES // nothing moves, and both sides of a touch get the velocities that they lack
};

// A piece and the surface of a body.
struct meeting {
    struct sim *sim;
    const struct sim_body *body; // with the surface
    const struct sim_collide_kernels *kernels;
    struct sim_rigid *piece;
    uint32_t part;              // of the piece
    struct sim_toucher toucher; // the part, as it stood when it was seen last
    struct sim_frame whole;     // and the piece then
    struct sim_row row;         // and its row and orientation then
    int32_t turn[4];
    struct sim_touch_origin origin;
    float restitution, friction, slides;
    enum doing doing;
    double deepest; // of what was pushed, m
    bool fast;      // something near goes far in this substep
};

// ------------------------------------------------------------------------------------------------------ pieces

// Sees the piece where it is.
static void piece_see(struct meeting *meeting)
{
    const struct sim *sim = meeting->sim;
    const struct sim_body *pieces = sim_body_of_row(sim, meeting->piece->row);
    struct sim_shape shape;
    sim_piece_shape(sim, meeting->piece, meeting->part, &shape);
    meeting->whole = shape.end;
    if (meeting->piece->compound) {
        sim_piece_frame(sim, meeting->piece, &meeting->whole);
    }
    shape.friction = meeting->friction;
    shape.slides = meeting->slides;
    const double reach =
        sim_pieces_reach(meeting->body, pieces) * (meeting->doing == BOUNCES ? 1 + CLOSE : 1);
    sim_toucher_from(sim, &shape, reach, &meeting->toucher);
    meeting->row = sim->rows[meeting->piece->row];
    memcpy(meeting->turn, sim->turns[meeting->piece->row].q, sizeof meeting->turn);
}

static bool piece_moved(const struct meeting *meeting)
{
    const uint32_t row = meeting->piece->row;
    return memcmp(meeting->row.x, meeting->sim->rows[row].x, sizeof meeting->row.x) != 0 ||
           memcmp(meeting->turn, meeting->sim->turns[row].q, sizeof meeting->turn) != 0;
}

// Finds the way of the piece since it was seen, m, and the present place of its point that was at `at`.
static void piece_carries(const struct meeting *meeting, const double at[3], double went[3], double now[3])
{
    const struct sim *sim = meeting->sim;
    const struct sim_frame *seen = &meeting->toucher.shape.end;
    struct sim_shape shape;
    for (int axis = 0; axis < 3; axis++) {
        went[axis] = 0;
        now[axis] = at[axis];
    }
    if (!piece_moved(meeting)) {
        return;
    }
    sim_piece_shape(sim, meeting->piece, meeting->part, &shape);
    for (int axis = 0; axis < 3; axis++) {
        went[axis] = (double)(shape.end.position[axis] - seen->position[axis]) * sim->q;
        now[axis] = went[axis];
    }
    for (int i = 0; i < 3; i++) {
        const double local = sim_dot(at, seen->axes[i]);
        for (int axis = 0; axis < 3; axis++) {
            now[axis] += local * shape.end.axes[i][axis];
        }
    }
}

// ----------------------------------------------------------------------------------------------------- velocities

// The velocity that the end of the substep makes of a row as it stands; without pushes: as it set out.
static void velocity_of(const struct sim *sim, uint32_t row, bool pushed, double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int32_t went = sim_wrap_sub(sim->rows[row].x[axis], sim->predicted[row].x[axis]);
        v[axis] = (double)sim->velocities[row].v[axis];
        v[axis] += pushed ? (double)went * (double)sim->times.q_over_h : 0;
    }
}

struct point {
    const uint32_t *rows;
    uint32_t count;
    const double *c;
    double bears[3]; // c, or 0 of what a collider keeps from going away from the piece
    double arm[3];   // from the piece's centre, m
};

// How fast the point of the surface goes out along n from the piece, m/s.
static double speed_of(const struct meeting *meeting, const struct point *point, const double n[3],
                       bool pushed)
{
    const struct sim *sim = meeting->sim;
    const struct sim_rigid *piece = meeting->piece;
    double v[3], spin[3] = {0, 0, 0}, turns[3], own[3], yields[3], speed = 0;
    for (uint32_t k = 0; k < point->count; k++) {
        velocity_of(sim, point->rows[k], pushed && sim->rows[point->rows[k]].w > 0, v);
        speed += point->c[k] * sim_dot(v, n);
    }
    for (int i = 0; i < 3; i++) {
        const double *axis = meeting->whole.axes[i];
        double along = 0;
        for (int j = 0; j < 3; j++) {
            double momentum = (double)piece->momentum[j];
            momentum += pushed ? (double)piece->corrected[j] * (double)sim->times.inv_h : 0;
            along += momentum * axis[j];
        }
        own[i] = along;
    }
    sim_rigid_yields(piece, own, yields);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            spin[j] += yields[i] * meeting->whole.axes[i][j];
        }
    }
    velocity_of(sim, piece->row, pushed && piece->w > 0, v);
    sim_cross(spin, point->arm, turns);
    return speed - (sim_dot(v, n) + sim_dot(turns, n));
}

// Returns the part of that speed which this substep's gravity added, m/s.
static double kick_of(const struct meeting *meeting, const struct point *point, const double n[3])
{
    const struct sim *sim = meeting->sim;
    double part = meeting->piece->w > 0 ? -1 : 0, kick = 0;
    for (uint32_t k = 0; k < point->count; k++) {
        part += sim->rows[point->rows[k]].w > 0 ? point->c[k] : 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        kick += (double)sim->times.kick[axis] * n[axis];
    }
    return part * kick;
}

// ------------------------------------------------------------------------------------------------------- pushing

// How far a point is from a collider, m, or the limit if it is farther; seen as sim_piece_distance sees it.
static double bearer_distance(const struct sim_shape *shape, const double at[3], double limit,
                              double normal[3])
{
    const double(*axes)[3] = shape->end.axes;
    double local[3], out[3];
    if (shape->kind != SIM_HEIGHT_FIELD) {
        return sim_piece_distance(shape, &shape->end, at, normal);
    }
    for (int i = 0; i < 3; i++) {
        local[i] = sim_dot(at, axes[i]);
    }
    const double distance = sim_field_distance(shape->field, local, limit, out);
    for (int i = 0; i < 3; i++) {
        normal[i] = (out[0] * axes[0][i] + out[1] * axes[1][i]) + out[2] * axes[2][i];
    }
    return distance;
}

// Whether a collider on the other side of a row keeps it from going along n, away from the piece.
static bool is_borne(const struct meeting *meeting, uint32_t row, const double n[3])
{
    const struct sim *sim = meeting->sim;
    const double thickness = meeting->body->thickness;
    bool borne = false;
    for (uint32_t s = 0; s < sim->shape_count && !borne; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        const double near = (1 + CLOSE) * thickness;
        double at[3], normal[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
            at[axis] = (double)(x - shape->end.position[axis]) * sim->q;
        }
        borne = bearer_distance(shape, at, near, normal) < near && sim_dot(normal, n) < -BORNE;
    }
    meeting->sim->meet->tested += sim->shape_count;
    return borne;
}

// The inverse mass of a point, and its least value that counts (collide.c).
static double surface_weight(const struct sim *sim, const struct point *point, const double c[3])
{
    double weight = 0, greatest = 0;
    for (uint32_t k = 0; k < point->count; k++) {
        const double w = (double)sim->rows[point->rows[k]].w;
        weight += w * c[k] * c[k];
        greatest = w * fabs(c[k]) > greatest ? w * fabs(c[k]) : greatest;
    }
    return weight > 0.25 * greatest ? weight : 0.25 * greatest;
}

static void parting_weigh(const struct meeting *meeting, const struct point *point,
                          struct sim_parting *parting)
{
    float arm[3], k[9];
    parting->surface = surface_weight(meeting->sim, point, point->bears);
    parting->across = surface_weight(meeting->sim, point, point->c);
    memset(parting->matrix, 0, sizeof parting->matrix);
    if (meeting->doing == STANDS && parting->surface > 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        arm[axis] = (float)point->arm[axis];
    }
    sim_rigid_matrix(meeting->sim, meeting->piece, arm, k);
    for (int i = 0; i < 9; i++) {
        parting->matrix[i / 3][i % 3] = (double)k[i];
    }
}

// Gives both sides the velocities with which they bounce. Pushes have moved places so far, and no velocities.
static void bounce(const struct meeting *meeting, const struct point *point,
                   const struct sim_parting *parting)
{
    struct sim *sim = meeting->sim;
    struct sim_rigid *piece = meeting->piece;
    const double *n = parting->normal;
    const double gives[3] = {sim_dot(parting->matrix[0], n), sim_dot(parting->matrix[1], n),
                             sim_dot(parting->matrix[2], n)};
    const double weight = parting->surface + sim_dot(n, gives);
    const double comes = kick_of(meeting, point, n) - speed_of(meeting, point, n, false);
    const double lacks = (double)meeting->restitution * comes - speed_of(meeting, point, n, true);
    double turns[3];
    if (!(comes > (double)sim->times.bounce) || !(lacks > 0) || !(weight > 0)) {
        return;
    }
    const double impulse = lacks / weight;
    for (uint32_t k = 0; k < point->count; k++) {
        const double takes = (double)sim->rows[point->rows[k]].w * point->bears[k] * impulse;
        for (int axis = 0; axis < 3; axis++) {
            sim->velocities[point->rows[k]].v[axis] += (float)(takes * n[axis]);
        }
    }
    sim_cross(point->arm, n, turns);
    for (int axis = 0; axis < 3 && piece->w > 0; axis++) {
        sim->velocities[piece->row].v[axis] -= (float)((double)piece->w * impulse * n[axis]);
        piece->momentum[axis] -= (float)(impulse * turns[axis]);
    }
}

// Pushes the piece. What rounding leaves over goes to its velocity.
static void piece_push(const struct meeting *meeting, const double arm[3], const double impulse[3])
{
    struct sim *sim = meeting->sim;
    const struct sim_rigid *piece = meeting->piece;
    const struct sim_row before = sim->rows[piece->row];
    float at[3], given[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (float)arm[axis];
        given[axis] = (float)impulse[axis];
    }
    sim_rigid_push(sim, meeting->piece, at, given);
    for (int axis = 0; axis < 3 && piece->w > 0; axis++) {
        const double went = (double)sim_wrap_sub(sim->rows[piece->row].x[axis], before.x[axis]);
        const double rest = impulse[axis] * (double)piece->w * sim->inv_q - went;
        sim->velocities[piece->row].v[axis] += (float)rest * sim->times.q_over_h;
    }
}

static void both_push(const struct meeting *meeting, const struct point *point,
                      const struct sim_parting *parting, const double impulse[3])
{
    const double along = sim_dot(impulse, parting->normal);
    double out[3], aside[3], back[3];
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = along * parting->normal[axis] * meeting->sim->inv_q;
        aside[axis] = impulse[axis] * meeting->sim->inv_q - out[axis];
        back[axis] = -impulse[axis];
    }
    sim_rows_move(meeting->sim, point->rows, point->bears, point->count, out);
    sim_rows_move(meeting->sim, point->rows, point->c, point->count, aside);
    if (meeting->doing != STANDS || !(parting->surface > 0)) {
        piece_push(meeting, point->arm, back);
    }
}

// Returns how far the point was from the piece when the substep began, less the distance that keeps both apart and the way by which
// an old penetration may be pushed out. Below 0 it was in the piece already. A tangent of the distance tells that first. It says
// too little of a point that went along the surface, which has to come out at once.
static double old_of(const struct meeting *meeting, const struct sim_touches *touches, uint32_t lane)
{
    const struct sim_toucher *t = &meeting->toucher;
    const double out = (double)meeting->sim->times.v_out * t->q - t->thickness;
    double from[3], unused[3];
    if (!(touches->before[lane] + out < 0)) {
        return 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = touches->at[axis][lane] - touches->way[axis][lane];
    }
    const double before = sim_piece_distance(&t->shape, &t->shape.end, from, unused);
    const double old = (before > touches->before[lane] ? before : touches->before[lane]) + out;
    return old < 0 ? old : 0;
}

// Goes from an arm from the centre of a part to one from that of the piece, as it stands now.
static void arm_from_whole(const struct meeting *meeting, double arm[3])
{
    if (meeting->piece->compound) {
        const double *position = meeting->piece->compound->placed[meeting->part].position;
        struct sim_frame whole;
        sim_piece_frame(meeting->sim, meeting->piece, &whole);
        for (int axis = 0; axis < 3; axis++) {
            arm[axis] += (position[0] * whole.axes[0][axis] + position[1] * whole.axes[1][axis]) +
                         position[2] * whole.axes[2][axis];
        }
    }
}

static void push(struct meeting *meeting, const struct sim_touches *touches, uint32_t lane,
                 const uint32_t rows[3], uint32_t count)
{
    const struct sim_toucher *t = &meeting->toucher;
    const struct sim *sim = meeting->sim;
    const double c[3] = {(1 - touches->c[0][lane]) - touches->c[1][lane], touches->c[0][lane],
                         touches->c[1][lane]};
    const double at[3] = {touches->at[0][lane], touches->at[1][lane], touches->at[2][lane]};
    if (sim_piece_holds(sim, meeting->piece, rows, count)) {
        return;
    }
    struct point point = {.rows = rows, .count = count, .c = c};
    struct sim_parting parting = {
        .friction = (double)meeting->friction, .slides = (double)meeting->slides, .quantum = t->q};
    double went[3], carried[3], moved[3], impulse[3];
    piece_carries(meeting, at, went, carried);
    for (int axis = 0; axis < 3; axis++) {
        double p = 0;
        for (uint32_t k = 0; k < count; k++) {
            p += c[k] * (double)sim_wrap_sub(sim->rows[rows[k]].x[axis], meeting->origin.low[axis]);
        }
        p = (p + meeting->origin.end[axis]) * t->q;
        parting.normal[axis] = touches->normal[axis][lane];
        moved[axis] = p - carried[axis];
        parting.way[axis] = touches->way[axis][lane] + moved[axis];
        point.arm[axis] = p - went[axis];
    }
    arm_from_whole(meeting, point.arm);
    parting.depth =
        t->thickness - (touches->phi[lane] + sim_dot(parting.normal, moved)) + old_of(meeting, touches, lane);
    if (!(parting.depth > 0) || (meeting->doing == STANDS && !(parting.depth > STUCK * t->thickness))) {
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        point.bears[k] = is_borne(meeting, rows[k], parting.normal) ? 0 : c[k];
    }
    parting_weigh(meeting, &point, &parting);
    if (meeting->doing == BOUNCES) {
        bounce(meeting, &point, &parting);
    } else if (sim_part(&parting, impulse)) {
        meeting->deepest = parting.depth > meeting->deepest ? parting.depth : meeting->deepest;
        both_push(meeting, &point, &parting, impulse);
    }
}

// ------------------------------------------------------------------------------------------------------- features

// Finds the place of a row, m, from the piece as it was seen, and where the material went there that was at its start.
static void place_of(const struct meeting *meeting, uint32_t row, double end[3], double start[3],
                     double carried[3])
{
    const struct sim_toucher *t = &meeting->toucher;
    const struct sim *sim = meeting->sim;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t low = meeting->origin.low[axis];
        end[axis] = ((double)sim_wrap_sub(sim->rows[row].x[axis], low) + meeting->origin.end[axis]) * t->q;
        start[axis] =
            ((double)sim_wrap_sub(sim->previous[row].x[axis], low) + meeting->origin.start[axis]) * t->q;
    }
    for (int axis = 0; axis < 3; axis++) {
        carried[axis] = sim_dot(t->turn[axis], start);
    }
}

// A particle that goes slowly.
static void particle_push(struct meeting *meeting, uint32_t row)
{
    const struct sim_toucher *t = &meeting->toucher;
    double end[3], start[3], carried[3], normal[3], unused[3];
    place_of(meeting, row, end, start, carried);
    const double phi = sim_piece_distance(&t->shape, &t->shape.end, end, normal);
    if (!(phi < t->thickness)) {
        return;
    }
    struct sim_touches touches;
    const uint32_t rows[3] = {row, row, row};
    touches.c[0][0] = touches.c[1][0] = 0;
    touches.phi[0] = phi;
    touches.before[0] = sim_piece_distance(&t->shape, &t->shape.start, start, unused);
    for (int axis = 0; axis < 3; axis++) {
        touches.normal[axis][0] = normal[axis];
        touches.at[axis][0] = end[axis];
        touches.way[axis][0] = end[axis] - carried[axis];
    }
    push(meeting, &touches, 0, rows, 1);
}

static void block_push(struct meeting *meeting, const uint32_t corners[3][SIM_LANES], uint32_t count,
                       enum sim_touch_kind kind, bool fast)
{
    struct sim *sim = meeting->sim;
    const uint32_t first = meeting->body->first_row;
    struct sim_touches touches;
    uint32_t places[3][SIM_LANES], are = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const bool is = corners[0][lane] != SIM_NO_FEATURE;
        are |= (uint32_t)is << lane;
        for (uint32_t k = 0; k < 3; k++) {
            places[k][lane] = is && k < count ? corners[k][lane] * SIM_ROW_BYTES : 0;
        }
    }
    if (are == 0) {
        return;
    }
    uint32_t hits = are & meeting->kernels->touch[meeting->toucher.shape.kind][kind][fast](
                              &meeting->toucher, &meeting->origin, sim->rows + first, sim->previous + first,
                              (const uint32_t(*)[SIM_LANES])places, &touches);
    for (; hits != 0; hits &= hits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(hits), rows[3];
        for (uint32_t k = 0; k < 3; k++) {
            rows[k] = first + corners[k < count ? k : 0][lane];
        }
        push(meeting, &touches, lane, rows, count);
    }
}

static void origin_set(struct meeting *meeting, uint32_t leaf)
{
    const struct sim_balls *balls = &meeting->body->features->balls[leaf / SIM_LANES];
    const struct sim_shape *shape = &meeting->toucher.shape;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t middle = balls->middle[axis][leaf % SIM_LANES];
        meeting->origin.low[axis] = (int32_t)(uint32_t)(uint64_t)middle;
        meeting->origin.end[axis] = (double)(middle - shape->end.position[axis]);
        meeting->origin.start[axis] = (double)(middle - shape->start.position[axis]);
    }
}

static void leaf_push(struct meeting *meeting, uint32_t leaf, bool fast)
{
    const struct sim_features *features = meeting->body->features;
    uint32_t corners[3][SIM_LANES];
    if (piece_moved(meeting)) {
        piece_see(meeting);
    }
    origin_set(meeting, leaf);
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        if (fast) {
            memcpy(corners[0], features->vertices[b], sizeof corners[0]);
            memcpy(corners[1], features->vertices[b], sizeof corners[1]);
            block_push(meeting, corners, 2, SIM_TOUCH_EDGE, true);
            continue;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (features->vertices[b][lane] != SIM_NO_FEATURE) {
                particle_push(meeting, meeting->body->first_row + features->vertices[b][lane]);
            }
        }
    }
    for (uint32_t b = features->edge_first[leaf]; b < features->edge_first[leaf + 1]; b++) {
        memcpy(corners, features->edges[b], sizeof features->edges[b]);
        block_push(meeting, corners, 2, SIM_TOUCH_EDGE, fast);
    }
    sim_leaf_triangles(features, leaf, corners);
    block_push(meeting, corners, 3, SIM_TOUCH_TRIANGLE, fast);
}

// --------------------------------------------------------------------------------------------------------- bodies

// Whether the surface of the piece has gone farther than that, m, since the frame.
static bool gone_since(const struct meeting *meeting, const struct sim_frame *frame, double limit)
{
    double way[3], turns2 = 0;
    struct sim_shape shape;
    sim_piece_shape(meeting->sim, meeting->piece, meeting->part, &shape);
    for (int i = 0; i < 3; i++) {
        way[i] = (double)(shape.end.position[i] - frame->position[i]) * meeting->sim->q;
        for (int axis = 0; axis < 3; axis++) {
            const double turned = shape.end.axes[i][axis] - frame->axes[i][axis];
            turns2 += turned * turned;
        }
    }
    return sqrt(sim_dot(way, way)) + sqrt(turns2) * sim_piece_radius(meeting->piece, meeting->part) > limit;
}

// A box around all rows of a body in this substep, quanta.
struct bounds {
    int64_t least[3], most[3];
};

static void bounds_find(const struct sim *sim, const struct sim_features *features, struct bounds *bounds)
{
    *bounds = (struct bounds){{INT64_MAX, INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN, INT64_MIN}};
    for (uint32_t leaf = 0; leaf < features->leaf_count; leaf++) {
        const struct sim_balls *balls = &features->balls[leaf / SIM_LANES];
        const uint32_t lane = leaf % SIM_LANES;
        if (balls->radius[lane] < 0) {
            continue;
        }
        const int64_t radius = (int64_t)(balls->radius[lane] * sim->inv_q) + 1;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t middle = balls->middle[axis][lane], least = middle - radius, most = middle + radius;
            bounds->least[axis] = least < bounds->least[axis] ? least : bounds->least[axis];
            bounds->most[axis] = most > bounds->most[axis] ? most : bounds->most[axis];
        }
    }
}

// Whether the part may touch something there: with the margin of a thickness, as near leaves have it.
static bool is_within(const struct sim *sim, const struct sim_rigid *piece, uint32_t part, double reach,
                      const struct bounds *bounds)
{
    struct sim_shape shape;
    sim_piece_shape(sim, piece, part, &shape);
    const int64_t around = (int64_t)((sim_piece_radius(piece, part) + 2 * reach) * sim->inv_q) + 1;
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t from = shape.start.position[axis], to = shape.end.position[axis];
        within = within && (from < to ? from : to) - around <= bounds->most[axis] &&
                 (from < to ? to : from) + around >= bounds->least[axis];
    }
    return within;
}

// Leaves that are near now. Returns whether the piece has gone so far since that others may be.
static bool leaves_push(struct meeting *meeting)
{
    const struct sim_features *features = meeting->body->features;
    piece_see(meeting);
    const struct sim_toucher seen = meeting->toucher;
    for (uint32_t from = 0; from < features->leaf_count; from += SIM_LANES) {
        uint32_t fast, near = meeting->kernels->near(&seen, &features->balls[from / SIM_LANES], &fast);
        meeting->sim->meet->tested += 1 + 3 * SIM_LANES * (uint64_t)__builtin_popcount(near);
        for (; near != 0; near &= near - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(near);
            const bool goes_far = (fast >> lane & 1) != 0;
            meeting->fast |= goes_far;
            leaf_push(meeting, from + lane, goes_far);
        }
    }
    return gone_since(meeting, &seen.shape.end, 0.5 * seen.thickness);
}

struct swept {
    double deepest; // depth of what was pushed from deepest, as a part of what keeps it apart
    bool fast;      // something near a piece goes far
};

static void body_meets(struct sim *sim, const struct sim_member *member, struct sim_rigid *piece,
                       uint32_t part, enum doing doing, struct swept *swept)
{
    const struct sim_body *body = member->body;
    const struct sim_rub rub = sim_rub_of_features(sim, body, sim_body_of_row(sim, piece->row));
    struct meeting meeting = {.sim = sim,
                              .body = body,
                              .piece = piece,
                              .part = part,
                              .kernels = sim->meet->colliders,
                              .doing = doing};
    meeting.friction = (float)rub.holds;
    meeting.slides = (float)rub.slides;
    meeting.restitution = (float)rub.restitution;
    if (doing == BOUNCES && !(meeting.restitution > 0)) {
        return;
    }
    for (int search = 0; search < SEARCHES && leaves_push(&meeting); search++) {
    }
    const double deep = meeting.deepest / meeting.toucher.thickness;
    sim->meet->islands[member->island].pressed |= deep > PRESSED;
    swept->deepest = deep > swept->deepest ? deep : swept->deepest;
    swept->fast |= meeting.fast;
}

// A piece that sleeps wakes if a surface comes near, and is pushed in the same substep.
static void piece_wake(struct sim *sim, const struct sim_rigid *piece)
{
    struct sim_body *pieces = sim_body_of_row(sim, piece->row);
    if (piece->w > 0 && pieces->asleep) {
        sim_meet_wake(sim, pieces);
    }
}

// A tick that has tested too much is given up.
static struct swept sweep(struct sim *sim, enum doing doing)
{
    struct swept swept = {0};
    for (uint32_t m = 0; m < sim->meet->member_count && !sim_meet_over(sim); m++) {
        const struct sim_member *member = &sim->meet->members[m];
        const struct sim_body *body = member->body;
        struct bounds bounds;
        bool found = false;
        for (uint32_t i = 0; i < sim->rigids.count; i++) {
            struct sim_rigid *piece = &sim->rigids.items[i];
            const struct sim_body *pieces = sim_body_of_row(sim, piece->row);
            if (!(member->free || piece->w > 0) || !sim_pieces_meet(body, pieces)) {
                continue;
            }
            if (!found) {
                sim->meet->colliders->balls(sim->rows + body->first_row, sim->previous + body->first_row,
                                            (const int64_t(*)[3])(sim->positions + body->first_row), sim->q,
                                            false, body->features);
                bounds_find(sim, body->features, &bounds);
                found = true;
            }
            sim->meet->tested += sim_rigid_part_count(piece);
            for (uint32_t part = 0; part < sim_rigid_part_count(piece); part++) {
                if (is_within(sim, piece, part, sim_pieces_reach(body, pieces), &bounds)) {
                    piece_wake(sim, piece);
                    body_meets(sim, member, piece, part, doing, &swept);
                }
            }
        }
    }
    return swept;
}

static bool any_bounces(const struct sim *sim)
{
    bool any = sim_rub_bounces(sim);
    for (uint32_t b = 0; b < sim->body_count && !any; b++) {
        const struct sim_body *body = sim->bodies[b];
        any = (body->features || body->rigid) && body->meeting.restitution > 0;
    }
    return any;
}

void sim_pieces_touch(struct sim *sim, bool last)
{
    struct swept swept = sweep(sim, PUSHES);
    const bool touched = swept.deepest > 0, far = swept.fast || swept.deepest > DEEP;
    for (int i = 1; last && i < SWEEPS && swept.deepest > DEEP; i++) {
        swept = sweep(sim, PUSHES);
    }
    if (last && swept.deepest > STUCK) {
        sweep(sim, STANDS);
    }
    if (last && far) {
        sim_pieces_hold(sim);
    }
    if (last && touched && any_bounces(sim)) {
        sweep(sim, BOUNCES);
    }
}
