// Contact of rigid pieces with the surfaces of cloth, ropes, soft bodies and points, which are pushed and push back.
//
// To a surface a piece is a collider that moves: points, edges and triangles are tested as against one (touch.c), along their way
// if they are fast. But a touch moves both (part.h), so the piece has another pose after each. So a piece is seen again before each
// leaf of features if a push has moved it. Leaves that are near were found for where the piece was then, with a margin of one
// thickness for what is pushed later. If a push moves the surface of the piece by more than half of that, they are found again.
//
// All of it is one thread's work: bodies by id, pieces in their order, leaves and features in theirs. Each sweep goes through
// all of it. There are more sweeps as long as something was deep. What the last one left too deep, because something heavier
// presses on both sides of it, is pushed out of a piece that stays as it is; no momentum comes to the piece.
#ifndef WEFT_SIM_CONTACT_PIECES_H
#define WEFT_SIM_CONTACT_PIECES_H

#include "sim/contact/collide.h"
#include "sim/state/rigid.h"

// Whether features of a body and the pieces of another one are kept apart.
bool sim_pieces_meet(const struct sim_body *surface, const struct sim_body *pieces);
// How far features of the body stay from those pieces, m.
double sim_pieces_reach(const struct sim_body *surface, const struct sim_body *pieces);
// A part of a piece (sim_rigid_part_count) as a collider that moves: from where it was when the substep began, to where it is.
void sim_piece_shape(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                     struct sim_shape *shape);
// The same at a boundary, where it stands still.
void sim_piece_at(const struct sim *sim, const struct sim_rigid *rigid, uint32_t part,
                  struct sim_shape *shape);
// The place of the whole piece, its centre of mass and its axes: now, and when the substep began.
void sim_piece_frame(const struct sim *sim, const struct sim_rigid *rigid, struct sim_frame *frame);
void sim_piece_frame_before(const struct sim *sim, const struct sim_rigid *rigid, struct sim_frame *frame);
// How far a point is from a piece, or a collider that is no height field, m. The point is seen from its position, with
// the axes of the world; normal: away from it.
double sim_piece_distance(const struct sim_shape *shape, const struct sim_frame *frame, const double at[3],
                          double normal[3]);
// A ball about the position of a part that holds all of it, m.
double sim_piece_radius(const struct sim_rigid *rigid, uint32_t part);

// Tells whether a piece that moves in this substep, or can be pushed, may touch something in the box of a body that it meets, or comes
// as near to it as `more`, m. The box is known.
bool sim_piece_reaches(const struct sim *sim, const struct sim_rigid *rigid, const struct sim_body *body,
                       double more);

// Tells whether a joint holds one of so many rows to the piece. Such a row does not meet the piece.
bool sim_piece_holds(const struct sim *sim, const struct sim_rigid *rigid, const uint32_t *rows,
                     uint32_t count);

// In an iteration of a substep, after colliders. last: of the substep.
void sim_pieces_touch(struct sim *sim, bool last);

// pieces_hold.c
// Then, where something went far: what would reach through a piece goes with the piece in this substep, or the piece stays.
void sim_pieces_hold(struct sim *sim);
// After rows have been held back: a piece stays where it would pierce what was.
void sim_pieces_stay(struct sim *sim);

#endif
