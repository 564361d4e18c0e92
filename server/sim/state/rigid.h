// Rigid bodies: pieces of one shape, each of which moves and turns as a whole (concepts/rigid.md; Mueller et al. 2020).
//
// A piece is one particle, whose row has its centre of mass and its inverse mass, and one orientation under the same number
// (state/turn.h). A piece keeps its angular momentum L while nothing turns it, so L is the state: between ticks and after
// each substep spins[row].v has it, in kg m^2/s and in the world. spins[row].w is 0 for a piece. joints[row].rest has what the
// orientation lacks, in its quanta, within half a one. The inverse inertia follows from the shape and from the inverse mass of the row,
// so a piece that is pinned or static neither moves nor turns. A hull has the axes of its points, which need not be its principal axes:
// then its inertia has products as well (`skewed`), and I^-1 is a symmetric matrix.
//
// In a substep (solve/rigid.c):
//
//     predict   half = turn(q, h/2 w(q));  q = turn(q, h w(half));  w(q) = R I^-1 R^T L             with the rows' prediction
//     project   a push p at the arm r:  x += p/m;  q = turn(q, R I^-1 R^T (r x p));  corrected += r x p
//     finish    L = (L + corrected/h)/(1 + c h)                                                     with the rows' velocities
//
// turn(q, v) is the Cayley map: q (v/2, 1), made of length 1 again. Pieces are few, and one thread has them all, in the order of
// bodies and particles.
#ifndef WEFT_SIM_STATE_RIGID_H
#define WEFT_SIM_STATE_RIGID_H

#include "sim/sim.h"

struct sim;
struct sim_body;
struct sim_hull;
struct sim_rigid_compound;
struct sim_touching;

#define SIM_MOMENTUM_MAX 1e37f // kg m^2/s: greatest component of L

struct sim_rigid {
    uint32_t row, body;       // body: its id
    float w;                  // 1/kg; 0 if it is static or held. Known from the prediction on
    float inverse_inertia[3]; // 1/(kg m^2), along the piece's own axes; 0 if w is
    float skew[3];            // and beside the diagonal: yz, xz, xy. Only if it is skewed
    bool skewed;
    float momentum[3];  // L; spins[row].v has a copy whenever a substep is over
    float corrected[3]; // kg m^2: the sum of r x p of this substep
    int32_t began[4];   // the orientation when this substep began, as in turns
    float lacked[4];    // what its orientation lacks, kept while forces are found again
    struct sim_rigid_shape shape;
    struct sim_hull *hull;                     // the body's, of a hull; else NULL
    const struct sim_rigid_compound *compound; // likewise
};

// A part of a compound as it stands in the piece.
struct sim_rigid_placed {
    struct sim_rigid_shape shape; // no compound
    struct sim_hull *hull;        // its own, of a hull; else NULL
    double position[3], axes[3][3];
    double reach; // m: no point of it is farther from its position
};
struct sim_rigid_compound {
    uint32_t count;
    struct sim_rigid_placed placed[SIM_RIGID_PARTS_MAX];
    struct sim_rigid_part told[SIM_RIGID_PARTS_MAX];
    double volume, inertia[3], skew[3]; // m^3, and as of sim_rigid_own
};

// The pieces of all bodies by body and particle. Made again when bodies come and go, and filled in when a tick begins.
struct sim_rigids {
    struct sim_rigid *items;
    uint32_t count, capacity;
    struct sim_touching *touching; // contact of pieces (rigid/touching.h); NULL until a tick with pieces
};

// A body keeps this.
struct sim_rigid_own {
    struct sim_rigid_shape shape;
    double inertia[3]; // m^2: of a piece of 1 kg, along its own axes
    double skew[3];    // m^2: the matrix beside its diagonal, yz, xz, xy. 0 unless it is skewed
    double inverse[3], inverse_skew[3]; // 1/m^2: the inverse of both, only if it is skewed
    bool skewed;
    struct sim_hull *hull; // the body's own, about the centre of mass; NULL unless the form is a hull
    struct sim_rigid_compound *compound; // the body's own; NULL unless the form is a compound
    double volume;                       // m^3, of a piece
    uint32_t first;                      // of its pieces in sim->rigids
};

// ground/rigid_shape.c: shapes that are no compound

enum fault_code sim_rigid_simple_check(const struct sim_rigid_shape *shape, double resolution,
                                       struct fault *fault);
void sim_rigid_simple_measure(struct sim_rigid_own *own);
double sim_rigid_reach(
    const struct sim_rigid_shape *shape); // m: no point of it, or of its parts, is farther from its middle

// ground/rigid.c

// Whether all lengths are in range; else the fault names the one that is not.
enum fault_code sim_rigid_shape_check(const struct sim_rigid_shape *shape, double resolution,
                                      struct fault *fault);
// Fills in what follows from the shape.
void sim_rigid_measure(struct sim_rigid_own *own);
// Gives the piece of a body's particle the orientation and the angular velocity that it starts with. Its mass is known.
void sim_rigid_start(struct sim *sim, const struct sim_body *body, uint32_t index);
// The orientation of a piece, with what rounding took from it.
void sim_rigid_orientation(const struct sim *sim, uint32_t row, double q[4]);
// The angular velocity of a piece, rad/s in the world, at a boundary or when a substep is over.
void sim_rigid_spin(const struct sim *sim, const struct sim_body *body, uint32_t index, float spin[3]);
// Gives the piece of a particle another angular velocity. That of a static piece is 0.
void sim_rigid_spin_set(struct sim *sim, const struct sim_body *body, uint32_t index, const float spin[3]);
// J, of how the piece turns: 1/2 omega.L. 0 if it is static or held.
double sim_rigid_energy(const struct sim *sim, const struct sim_body *body, uint32_t index);
bool sim_rigids_reserve(struct sim *sim, uint32_t more);       // room for more pieces; false without memory
void sim_rigids_find(struct sim *sim);                         // lists them; the room is there
void sim_rigids_fill(struct sim *sim);                         // reads masses and momenta
struct sim_rigid *sim_rigid_of(struct sim *sim, uint32_t row); // NULL: the row is none

// The symmetric matrix with that diagonal, and with yz, xz and xy beside it, times v.
static inline void sim_symmetric(const double diagonal[3], const double skew[3], const double v[3],
                                 double out[3])
{
    out[0] = (diagonal[0] * v[0] + skew[2] * v[1]) + skew[1] * v[2];
    out[1] = (skew[2] * v[0] + diagonal[1] * v[1]) + skew[0] * v[2];
    out[2] = (skew[1] * v[0] + skew[0] * v[1]) + diagonal[2] * v[2];
}

// The inverse inertia of a piece times v, both along its own axes.
static inline void sim_rigid_yields(const struct sim_rigid *rigid, const double v[3], double out[3])
{
    const double diagonal[3] = {(double)rigid->inverse_inertia[0], (double)rigid->inverse_inertia[1],
                                (double)rigid->inverse_inertia[2]};
    if (rigid->skewed) {
        const double skew[3] = {(double)rigid->skew[0], (double)rigid->skew[1], (double)rigid->skew[2]};
        sim_symmetric(diagonal, skew, v, out);
        return;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] * diagonal[i];
    }
}

// ground/rigid_hull.c

// Makes the hull of a shape's points about its centre of mass, and fills in where that was among the points, m. Refuses what is flat,
// too thin, too large or has too many vertices. The vertices that come out of it make the same hull, to the last bit.
enum fault_code sim_rigid_hull_make(const struct sim_rigid_shape *shape, double resolution,
                                    struct sim_hull **out, double centre[3], struct fault *fault);
// Fills in volume and inertia of the body's hull.
void sim_rigid_hull_measure(struct sim_rigid_own *own);
// Fills in the inverse of a body's inertia, and whether it is skewed, which it is if a product of inertia is more than that, m^2.
void sim_rigid_inertia_invert(struct sim_rigid_own *own, double straight);

// ground/rigid_compound.c

// Makes a compound about its centre of mass. Refuses parts that are out of range, with their numbers. The parts that it tells make
// the same compound, to the last bit.
enum fault_code sim_rigid_compound_make(const struct sim_rigid_shape *shape, double resolution,
                                        struct sim_rigid_compound **out, struct fault *fault);
void sim_rigid_compound_destroy(struct sim_rigid_compound *compound); // NULL is allowed
// Fills in volume and inertia of the body's compound.
void sim_rigid_compound_measure(struct sim_rigid_own *own);
// A piece is one shape, or has the parts of a compound.
static inline uint32_t sim_rigid_part_count(const struct sim_rigid *rigid)
{
    return rigid->compound ? rigid->compound->count : 1;
}

// Turns a piece on by its momentum for so long, s.
void sim_rigid_go(struct sim *sim, const struct sim_rigid *rigid, double h);

// For projections, between predict and finish. arm: m, in the world, from the centre of mass.

// Pushes at the arm by an impulse times h (kg m): moves the row and turns the orientation at once, both rounded as corrections are.
void sim_rigid_push(struct sim *sim, struct sim_rigid *rigid, const float arm[3], const float impulse[3]);
// Pushes the centre by an impulse times h and turns by a torque times h^2 at once. What rounding to quanta leaves goes to the velocity.
void sim_rigid_move(struct sim *sim, struct sim_rigid *rigid, const double impulse[3],
                    const double torque[3]);
// Turns by a torque times h^2 (kg m^2).
void sim_rigid_twist(struct sim *sim, struct sim_rigid *rigid, const float torque[3]);
// 1/kg: how far a push of 1 along the unit vector n moves the point at the arm along n.
float sim_rigid_weight(const struct sim *sim, const struct sim_rigid *rigid, const float arm[3],
                       const float n[3]);
// 1/kg: how far a push moves that point, by rows.
void sim_rigid_matrix(const struct sim *sim, const struct sim_rigid *rigid, const float arm[3], float k[9]);
// A point or direction of the piece, turned into the world as the piece stands.
void sim_rigid_arm(const struct sim *sim, const struct sim_rigid *rigid, const float local[3], float arm[3]);
// Fills in the inverse inertia in the world of a piece that is skewed, 1/(kg m^2), as its axes stand.
void sim_rigid_inverse(const struct sim_rigid *rigid, const double axes[3][3], double inverse[3][3]);
// The inverse inertia of the world times v, as the piece stands: what turns by v, or the angular velocity of a momentum.
void sim_rigid_turned_by(const struct sim *sim, const struct sim_rigid *rigid, const float v[3],
                         float out[3]);

#endif
