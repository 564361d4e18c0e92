// Contact of rigid pieces with each other and with colliders.
//
// Contacts are found once a substep, in its first iteration. Nothing of them is kept when a tick is over, so they are no state.
//
//     sim_touching_start    where everything stands and how it moves when a substep begins: at the end of the one before
//     sim_touching_find     boxes around the ways of all -> pairs whose boxes overlap, by one axis -> manifolds (rigid/manifold.h)
//     sim_rigid_meet        in each iteration: positions (rigid_meet.c)
//     sim_rigid_bounce      when the substep is over: velocities
//
// A pair that goes less than a part of its size in the substep touches where it does at the substep's start. Other pairs are followed
// from the start to where they have come, by as much at a time as keeps them apart (Mirtich 1996), and touch there.
//
// Pushes of pairs that are solved later move what friction held. So a point that does not slide hands on to the next substep by how much it
// was moved, and friction takes that back there. Bricks that hang over each other would creep by millimetres a second without that.
//
// Pieces are numbered as in sim->rigids, and colliders follow.
#ifndef WEFT_SIM_RIGID_TOUCHING_H
#define WEFT_SIM_RIGID_TOUCHING_H

#include "sim/rigid/manifold.h"
#include "sim/state/state.h"

// The place of a piece or a collider.
struct sim_stand {
    double x[3], q[4];
    double axes[3][3];
};

struct sim_toucher_now {
    struct sim_stand start, now; // of the present substep; of a collider, `now` is where it ends
    struct sim_proxy proxy;      // its shape; the place is that of `start`
    double speed[3], spin[3];    // m/s and rad/s when the substep began
    double w,
        inverse
            [3]
            [3]; // inverse mass, and inverse inertia in the world as it stands now; 0 for what does not move
    double least[3], most[3];    // a box around all of its way in this substep
    double reach, inner;         // m (manifold.h)
    uint32_t rest;               // of a piece: one more than the place of its first rest; 0: none
    struct sim_rigid *rigid;     // NULL: a collider
    const struct sim_body *body; // NULL: a collider
    const struct sim_shape *shape;
    bool meets;     // false: a collider that pieces do not meet
    uint32_t level; // one more than that of the last pair that moves it, while levels are found (levels.c)
};

struct sim_touch_point {
    double core
        [2]
        [3]; // in the frames of a and b: the point of the core, to which the radius is added along the normal
    double local[2][3]; // and of the surface
    double arms[2][3];  // m, in the world: from each middle to the point between both, when the substep began
    double between[3];  // surface of a less that of b, when the substep began, as the collider's surface runs
    double start;       // the gap when the substep began, if below 0; else 0
    double weight;      // 1/kg along the normal
    double pushed;      // kg m: sum of what the normal pushed in this substep
    double rubbed[3];   // and of friction
    double before;      // m/s: speed along the normal when the substep began
    double bounced;     // kg m/s: what the end of the substep pushed
};

struct sim_touch_pair {
    uint32_t a, b, count, level; // level: of `by_level`
    double normal[3];            // from b to a
    double radii;                // m: of both cores
    double height;               // against gravity, times h g: of its first point
    double holds, slides, restitution;
    struct sim_touch_point points[SIM_MANIFOLD_POINTS];
};

// The part of a pair's sliding that friction has left when a substep was over, for the next one of the same tick.
struct sim_touch_rest {
    uint32_t a, b, count;
    uint32_t next;                        // of a's, one more than its place; 0: none
    double local[SIM_MANIFOLD_POINTS][3]; // of a
    double slid[SIM_MANIFOLD_POINTS][3];
};

struct sim_touching {
    struct sim_toucher_now *all; // pieces, then colliders
    uint32_t all_capacity, all_count;
    uint32_t *order; // of all but planes, by the least coordinate along `axis`
    uint32_t order_capacity, order_count, axis;
    struct sim_touch_pair *pairs; // as they were found
    uint32_t pair_capacity, pair_count;
    uint32_t
        *sequence; // pairs by height, the highest first, then by numbers: the order in which they are solved
    uint32_t sequence_capacity;
    // The same pairs by level, and where each level ends in that (levels.c). Pairs of one level have no piece in common that moves.
    uint32_t *by_level, *level_ends;
    uint32_t by_level_capacity, level_capacity, level_count;
    struct sim_touch_rest *rests; // of the substep before; none when a tick begins
    uint32_t rest_capacity, rest_count;
    uint32_t left_out; // pairs for which there was no room in this substep
};

// Room for all contacts that the pieces may have. False without memory.
bool sim_touching_reserve(struct sim *sim);
void sim_touching_destroy(struct sim *sim); // there is one
void sim_touching_start(struct sim *sim);   // a substep is about to begin
// The substep is over: notes what friction has left.
void sim_touching_rest(struct sim *sim);
// How far the surfaces at a point have slid on each other in this substep, and what friction left in the one before, across n.
void sim_touch_slid(const struct sim_toucher_now *a, const struct sim_toucher_now *b, const double n[3],
                    const struct sim_touch_point *point, double slid[3]);
void sim_touching_find(struct sim *sim);
void sim_touching_level(struct sim_touching *touching); // the sequence is known: fills in `by_level`
// Notes the pair a < b, if it touches and there is room. b may be a collider.
void sim_touching_look(struct sim *sim, uint32_t a, uint32_t b);
// The proxy of a piece or of a part, without a place.
void sim_proxy_of(const struct sim_rigid_shape *shape, const struct sim_hull *hull, struct sim_proxy *proxy);
// The proxies of the parts of a compound where it stands, or the proxy itself; returns how many there are.
uint32_t sim_proxy_parts(const struct sim_proxy *whole, struct sim_proxy parts[SIM_RIGID_PARTS_MAX]);
void sim_proxy_place(struct sim_proxy *proxy, const struct sim_stand *stand);
// Reads where a piece stands.
void sim_stand_read(const struct sim *sim, uint32_t row, struct sim_stand *stand);

// Whether the normal of any point pushed in this substep.
static inline bool sim_touch_pushes(const struct sim_touch_pair *pair)
{
    bool any = false;
    for (uint32_t k = 0; k < pair->count; k++) {
        any = any || pair->points[k].pushed > 0;
    }
    return any;
}

// Reads where a piece is, and how heavy it is.
void sim_toucher_read(const struct sim *sim, struct sim_toucher_now *piece);

// A vector of the frame of a stand, in the world.
void sim_stand_turn(const struct sim_stand *stand, const double v[3], double out[3]);

#endif
