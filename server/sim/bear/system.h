// The system of one body and what it touches, as its parts share it (bear.h).
//
// Points are the particles of the body in the order of elimination, then loads, then points that are held. Places are in m,
// from a particle of the body.
#ifndef WEFT_SIM_BEAR_SYSTEM_H
#define WEFT_SIM_BEAR_SYSTEM_H

#include "sim/bear/bear.h"
#include "sim/contact/record.h"
#include "sim/plate/factor.h"

#define SIM_BEAR_NO_EDGE (-1.0) // weight of a stencil that stands for a triangle

// An edge between two points.
struct sim_bear_edge {
    uint32_t points[2];
    double rest, limit; // m; limit: above it the edge is rigid; INFINITY: never
    double compliance;  // m/N; 0: rigid
};

// The part of a system that stays from tick to tick.
struct sim_bearing {
    uint64_t sources;            // hash of what it was made from
    struct sim_plate plate;      // its tree alone; rows: from the body's first one
    uint32_t *point_of;          // by row of the body
    struct sim_bear_edge *edges; // by node that holds the first of their points
    uint32_t *edge_starts;       // of nodes in them
    uint32_t edge_count;
    // A substep of the last tick found too many loads. It is there to be told, and is no part of the state.
    bool crowded;
};

// A contact: four points in two features, or up to three and the plane that a collider is there.
struct sim_bear_touch {
    uint32_t points[4], count;
    bool flat; // a collider
    enum sim_pair_kind kind;
    double friction;
    double target;    // m: the distance that is kept
    double normal[3]; // of a collider, or from side 2 to side 1 when the substep began
    double c[4];      // of points; those of a pair follow from where it is
    double phi,
        way[3];     // of a collider: distance, and way against its material, where the points of `seen` are 0
    double seen[3]; // sum c x where the collider was looked at
    // The next ones follow from where the points are now.
    double n[3], depth, t[3], slide;
    double hold; // N: what friction holds, at most
};

struct sim_bear {
    struct sim *sim;
    const struct sim_body *body;
    const struct sim_bearing *bearing;
    uint32_t row_capacity;
    int32_t (*anchors)[3], (*swept)[3]; // by row

    uint32_t count, load_count, held_count; // points; held ones come after room for SIM_BEAR_LOADS loads
    uint32_t loads[SIM_BEAR_LOADS];         // rows
    bool crowded;                           // there are more
    double (*x)[3], (*y)[3],
        (*starts)[3]; // by point: now, without edges and contacts, when the substep began
    double *masses;   // kg; 0: held
    double (*slope)[3], (*step)[3], (*trial)[3];
    int32_t origin[3];
    double stiff; // K, N/m

    struct sim_bear_touch *touches;
    uint32_t touch_count, touch_capacity, pair_count; // pairs come first
    uint32_t *touch_starts, *touch_order;             // by node

    double *fronts;       // of all nodes
    size_t *front_at;     // where each begins
    double *vector;       // three for each unknown, in the layout of fronts
    size_t *vector_at;    // where the own unknowns of a node begin
    uint32_t *local;      // by point: its row in the front under way
    uint32_t *child_rows; // of a child's unknowns in the front under way
    double *spread;       // a front's part of a vector
    size_t front_capacity;
    // Items that there is room for in the arrays of these names.
    uint32_t swept_room, x_room, y_room, starts_room, masses_room, slope_room, step_room, trial_room,
        local_room, depths_room;
    uint32_t touch_starts_room, touch_order_room, front_at_room, vector_at_room, vector_room, spread_room,
        child_rows_room;
    double *depths; // by row of the body: distance from the collider that is looked at, m
};

struct sim_island;

static inline uint32_t sim_bear_held(const struct sim_bear *bear)
{
    return bear->count + SIM_BEAR_LOADS;
}

// find.c
// Takes up the points of a body and what it touches. True if it touches anything heavy, and can be solved.
bool sim_bear_find(struct sim_bear *bear, struct sim_body *body, struct sim_island *island);

// Looks for the contacts with colliders again, where rows have been put to where points are now.
void sim_bear_find_again(struct sim_bear *bear);

// energy.c
// E at places x, with the friction that sim_bear_look found last.
double sim_bear_energy(const struct sim_bear *bear, const double (*x)[3]);
// Looks at all contacts where points are, and fills in the slope of E.
void sim_bear_look(struct sim_bear *bear);
// The block of E'' of an edge: along = stiffness along its direction u, across: across it. 0 and 0: it has none.
void sim_bear_edge_block(const struct sim_bear *bear, const struct sim_bear_edge *edge, double block[3][3]);
void sim_bear_touch_block(const struct sim_bear *bear, const struct sim_bear_touch *touch,
                          double block[3][3]);

// fronts.c
size_t sim_bear_front_room(const struct sim_bearing *bearing, uint32_t loads, uint32_t *rows);
// Factors E''. False if a pivot is not positive.
bool sim_bear_factor(struct sim_bear *bear);
// Solves for the step down the slope.
void sim_bear_step(struct sim_bear *bear);

#endif
