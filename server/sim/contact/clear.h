// Edges and triangles that cannot touch a height field, because their leaf has not gone far enough since it was measured.
//
// A leaf is measured when it comes near a height field. It then keeps where its rows are and, for each of its features, how far
// the corners may go (field/clear.c), against all height fields at once. A feature is searched for only when a row of the leaf
// has gone so far. Other searches would find nothing, so results do not depend on when leaves are measured. All of it is
// forgotten when the next tick begins.
//
//     slack    o──────────────────────────▶            what the corners of a feature may go
//     went     o────────▶                              the farthest row of the leaf, and the fields against it
#ifndef WEFT_SIM_CONTACT_CLEAR_H
#define WEFT_SIM_CONTACT_CLEAR_H

#include "sim/contact/features.h"

struct sim_clear {
    bool measured;
    float most, least;          // m: the greatest slack that was asked for, the least of all
    float triangles[SIM_LANES]; // slack of the leaf's elements, m; 0: nothing is known
    float edges[SIM_LEAF_BLOCKS][SIM_LANES];
    uint32_t idle, vain; // slacks so small that measuring again is no use; other searches that found nothing
    double arm;          // m: no place of the leaf was farther from the origin of a field
    double way, spin;    // of the fields, when the leaf was measured
    int32_t rows[3][3][SIM_LANES]; // x, y, z of the elements' corners, low words: rows[corner][axis]
};

struct sim_clears {
    double way, spin; // how far all height fields have gone in this tick: m, and m for each m from the origin
    struct sim_clear *leaves; // measured in this tick, or left as they were
};

// Once for each substep of a body, before sim_clear_went and sim_clear_measure.
void sim_clear_begin(const struct sim *sim, const struct sim_body *body);

// How far any row of a measured leaf has gone in the frame of any height field since then, m.
double sim_clear_went(const struct sim *sim, const struct sim_body *body, uint32_t leaf);

// Measures a leaf at its present place. pace: how far its rows go in a substep, m.
void sim_clear_measure(const struct sim *sim, const struct sim_body *body, uint32_t leaf, double pace);

// clear_way.c
// The greatest way along each axis of the rows of a leaf since `then`, quanta. places: of SIM_LANES rows of each corner.
typedef void sim_clear_way(const struct sim_row *rows, const uint32_t (*places)[SIM_LANES],
                           const int32_t (*then)[3][SIM_LANES], int32_t way[3]);

#endif
