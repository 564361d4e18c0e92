// Pieces and surfaces that would go through each other are held back, after they have pushed each other.
//
// The end of a push says nothing of the way to it. A triangle that turns fast may come out on the other side. So elements that
// reach into the core of a piece at some moment of the substep (core.h) are found, as `pierced` counts them. Their particles stay
// where they are in the frame of the piece: seen from there they have not moved, and so they do not cross. That may bring a
// neighbour into the core, so it is looked at again until nothing is found. Each time at least one more particle stays.
//
// If an element has no particle that could stay, the piece stays, with all that it carries. After that, contact of bodies holds
// rows back. A piece that pierces such a row stays too, if fewer elements are pierced then.
//
// A row that is held loses momentum, as in hold.c.

#include "sim/contact/pieces.h"

#include "sim/contact/core.h"
#include "sim/contact/meet.h"
#include "sim/contact/pierced.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <math.h>
#include <string.h>

enum { PASSES = 16 };

// One piece and one body, while elements of the body that the piece would pierce are held.
struct holding {
    struct sim *sim;
    const struct sim_body *body;
    const struct sim_rigid *piece;
    struct sim_shape shape;      // the part
    struct sim_frame start, end; // of the whole piece: all parts carry a row to one place
    bool moved;                  // a particle was put elsewhere
    bool blocked;                // an element had no particle that could be put elsewhere
};

static void balls_make(struct sim *sim, const struct sim_body *body)
{
    sim->meet->colliders->balls(sim->rows + body->first_row, sim->previous + body->first_row,
                                (const int64_t(*)[3])(sim->positions + body->first_row), sim->q, false,
                                body->features);
}

// Puts a row where the piece carries the place at which the row began. Returns whether it was elsewhere.
static bool row_stays(const struct holding *holding, uint32_t row)
{
    struct sim *sim = holding->sim;
    const struct sim_frame *start = &holding->start, *end = &holding->end;
    double from[3];
    bool moved = false;
    for (uint32_t axis = 0; axis < 3; axis++) {
        from[axis] = (double)(sim_whole(sim, row, axis, sim->previous[row].x[axis]) - start->position[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        double to = 0;
        for (int i = 0; i < 3; i++) {
            to += sim_dot(from, start->axes[i]) * end->axes[i][axis];
        }
        const int32_t x = (int32_t)(uint32_t)(uint64_t)(end->position[axis] + (int64_t)rint(to));
        moved |= x != sim->rows[row].x[axis];
        sim->rows[row].x[axis] = x;
    }
    return moved;
}

// Whether the element was in the core when the substep began. Then it is free to come out.
static bool began_pierced(const struct holding *holding, uint32_t element)
{
    const struct sim *sim = holding->sim;
    const struct sim_frame *start = &holding->shape.start;
    struct sim_core core;
    double x[3][3], from[3];
    for (int k = 0; k < 3; k++) {
        const uint32_t row = holding->body->first_row + holding->body->features->corners[element][k];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int64_t at = sim_whole(sim, row, axis, sim->previous[row].x[axis]);
            from[axis] = (double)(at - start->position[axis]) * sim->q;
        }
        for (int i = 0; i < 3; i++) {
            x[k][i] = sim_dot(from, start->axes[i]);
        }
    }
    sim_core_from(&holding->shape, holding->body->thickness, SIM_CORE_SHARE, &core);
    return sim_core_pierces(&core, (const double(*)[3])x);
}

static void element_stays(void *context, uint32_t element)
{
    struct holding *holding = context;
    bool moved = false;
    uint32_t rows[3];
    for (int k = 0; k < 3; k++) {
        rows[k] = holding->body->first_row + holding->body->features->corners[element][k];
    }
    if (began_pierced(holding, element) || sim_piece_holds(holding->sim, holding->piece, rows, 3)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (holding->sim->rows[rows[k]].w > 0) {
            moved |= row_stays(holding, rows[k]);
        }
    }
    holding->moved |= moved;
    holding->blocked |= !moved;
}

static void piece_stays(struct sim *sim, struct sim_rigid *piece)
{
    memcpy(sim->rows[piece->row].x, sim->previous[piece->row].x, sizeof sim->rows[piece->row].x);
    memcpy(sim->turns[piece->row].q, piece->began, sizeof piece->began);
    for (int axis = 0; axis < 3; axis++) {
        piece->corrected[axis] = -piece->momentum[axis] * sim->times.h;
    }
}

// Whether features of the body may be held by the piece, and both could go.
static bool may_meet(const struct sim *sim, const struct sim_member *member, const struct sim_rigid *piece)
{
    return (member->free || piece->w > 0) && sim_pieces_meet(member->body, sim_body_of_row(sim, piece->row));
}

// Whether any piece may; then the balls of the body are made.
static bool balls_ready(struct sim *sim, const struct sim_member *member)
{
    bool any = false;
    for (uint32_t i = 0; i < sim->rigids.count && !any; i++) {
        any = may_meet(sim, member, &sim->rigids.items[i]);
    }
    if (any) {
        balls_make(sim, member->body);
    }
    return any;
}

static void member_hold(struct sim *sim, const struct sim_member *member, struct sim_rigid *piece)
{
    struct holding holding = {.sim = sim, .body = member->body, .piece = piece};
    bool stays = !(piece->w > 0);
    for (int pass = 0; pass < PASSES && !sim_meet_over(sim); pass++) {
        bool any = false, moved = false, blocked = false;
        for (uint32_t part = 0; part < sim_rigid_part_count(piece); part++) {
            sim_piece_shape(sim, piece, part, &holding.shape);
            sim_piece_frame_before(sim, piece, &holding.start);
            sim_piece_frame(sim, piece, &holding.end);
            if (holding.moved) {
                balls_make(sim, member->body);
            }
            holding.moved = holding.blocked = false;
            sim->meet->tested += 1 + member->body->features->leaf_count / SIM_LANES;
            any |= sim_pierced_find(sim, member->body, &holding.shape, element_stays, &holding) != 0;
            moved |= holding.moved;
            blocked |= holding.blocked;
        }
        if (!any) {
            return;
        }
        if (blocked && !stays) {
            piece_stays(sim, piece);
            stays = true;
        } else if (!moved) { // what is left began in the core, or cannot be held
            return;
        }
    }
    balls_make(sim, member->body);
}

void sim_pieces_hold(struct sim *sim)
{
    for (uint32_t m = 0; m < sim->meet->member_count; m++) {
        const struct sim_member *member = &sim->meet->members[m];
        const bool ready = balls_ready(sim, member);
        for (uint32_t i = 0; ready && i < sim->rigids.count; i++) {
            if (may_meet(sim, member, &sim->rigids.items[i])) {
                member_hold(sim, member, &sim->rigids.items[i]);
            }
        }
    }
}

static uint64_t pierces(struct sim *sim, const struct sim_rigid *piece)
{
    struct sim_shape shape;
    uint64_t count = 0;
    for (uint32_t m = 0; m < sim->meet->member_count; m++) {
        const struct sim_member *member = &sim->meet->members[m];
        for (uint32_t part = 0; may_meet(sim, member, piece) && part < sim_rigid_part_count(piece); part++) {
            sim_piece_shape(sim, piece, part, &shape);
            count += sim_pierced_find(sim, member->body, &shape, NULL, NULL);
        }
    }
    return count;
}

void sim_pieces_stay(struct sim *sim)
{
    bool held = false;
    for (uint32_t i = 0; i < sim->meet->island_count; i++) {
        held |= sim->meet->islands[i].held > 0;
    }
    for (uint32_t m = 0; held && m < sim->meet->member_count; m++) {
        balls_ready(sim, &sim->meet->members[m]);
    }
    for (uint32_t i = 0; held && i < sim->rigids.count && !sim_meet_over(sim); i++) {
        struct sim_rigid *piece = &sim->rigids.items[i];
        const uint64_t before = piece->w > 0 ? pierces(sim, piece) : 0;
        if (before == 0) {
            continue;
        }
        const struct sim_rigid was = *piece;
        const struct sim_row row = sim->rows[piece->row];
        const struct sim_turn turn = sim->turns[piece->row];
        piece_stays(sim, piece);
        if (pierces(sim, piece) >= before) {
            *piece = was;
            sim->rows[piece->row] = row;
            sim->turns[piece->row] = turn;
        }
    }
}
