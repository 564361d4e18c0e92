// Edges and triangles that stay outside of colliders. Particles are kept outside elsewhere (kernels/contact.c). Between two
// particles no edge reaches into a plane, so planes are left out here.
//
// For each body, one collider after the other, leaf by leaf of its features: *touch* finds points of features that are
// closer to the collider than the thickness, and each is pushed out before the next leaf is looked at.
#ifndef WEFT_SIM_CONTACT_COLLIDE_H
#define WEFT_SIM_CONTACT_COLLIDE_H

#include "sim/contact/clear.h"
#include "sim/contact/features.h"

struct base_parallel;

// A copy of a collider in this substep, for one body. Places are seen from the collider's origin at the end of the substep, with
// the axes of the world, in m.
struct sim_toucher {
    struct sim_shape shape;
    double q, thickness,
        inner;         // m; inner: no point of it is farther inside; 0 for a plane and a height field
    double middle[3];  // of the collider; only that of a hull differs from its origin
    double turn[3][3]; // turns places at the substep's start as the material turns until its end
    double way, spin;  // material goes no farther than way, m, and spin for each m from the origin
};

// Balls, each of which has held all rows of a leaf since the substep began. SIM_LANES of them.
struct sim_balls {
    int64_t middle[3][SIM_LANES];
    double radius[SIM_LANES]; // m; below 0: there is no such leaf
    double way[SIM_LANES];    // m: none of its rows has gone farther in this substep
    uint32_t stand; // while something is pressed: bit i: no row of leaf i has moved since the sweep before
};

// A leaf as the collider sees it.
struct sim_touch_origin {
    int32_t low[3];          // low words of its middle
    double end[3], start[3]; // from the collider's origin to that, when the substep ends and began, quanta
};

enum sim_touch_kind { SIM_TOUCH_EDGE, SIM_TOUCH_TRIANGLE, SIM_TOUCH_KINDS };

// The points of SIM_LANES features that are nearest to the collider, sum c x with c0 = 1 - c1 - c2.
struct sim_touches {
    double c[2][SIM_LANES];      // of corners 1, 2
    double normal[3][SIM_LANES]; // away from the collider
    double phi[SIM_LANES];       // distance from it, m
    double before[SIM_LANES];    // the distance when the substep began, along the normal, m
    double at[3][SIM_LANES];     // its place, m
    double way[3][SIM_LANES];    // in this substep against the material, m
};

// Bit i: feature i is closer than the thickness. places: of corner k of feature i, row * SIM_ROW_BYTES.
typedef uint32_t sim_touch(const struct sim_toucher *toucher, const struct sim_touch_origin *origin,
                           const struct sim_row *rows, const struct sim_row *starts,
                           const uint32_t (*places)[SIM_LANES], struct sim_touches *touches);

// Bit i: the triangle of element i may have a point nearer to the collider than `reach`, m, when the substep ends; if starts is
// not NULL, at any moment of it, with corners that go straight as the collider sees them. A reach below 0 is inside of it. Some
// bits too many may be set. places: as of sim_touch; corners may be equal.
typedef uint32_t sim_reaching(const struct sim_toucher *toucher, const struct sim_touch_origin *origin,
                              const struct sim_row *rows, const struct sim_row *starts,
                              const uint32_t (*places)[SIM_LANES], double reach);

struct sim_collide_kernels {
    // Fills features->balls. Rows are those of the body. moved: only those of leaves that do not stand.
    void (*balls)(const struct sim_row *rows, const struct sim_row *starts, const int64_t (*positions)[3],
                  double q, bool moved, struct sim_features *features);
    // Bit i: leaf i may touch; *fast: and may go past something in this substep.
    uint32_t (*near)(const struct sim_toucher *toucher, const struct sim_balls *balls, uint32_t *fast);
    sim_clear_way *way;
    // At the substep's end; or, of what is fast, when it first touches in it.
    sim_touch *touch[SIM_CONVEX + 1][SIM_TOUCH_KINDS][2];
    sim_reaching *reaching[SIM_CONVEX + 1]; // NULL: any triangle may
};

const struct sim_collide_kernels *sim_collide_kernels_of(enum sim_isa isa);

void sim_toucher_from(const struct sim *sim, const struct sim_shape *shape, double thickness,
                      struct sim_toucher *toucher);
// Takes away what the surface runs on by where it is touched, m.
void sim_belt_subtract(const struct sim_shape *shape, const struct sim_touches *touches, uint32_t lane,
                       double s[3]);

// A feature that is closer to a collider than the thickness of the toucher: lane of touches, and its rows. A particle comes
// as an edge whose ends are both that particle.
typedef void sim_collide_told(void *context, const struct sim_toucher *toucher,
                              const struct sim_touches *touches, uint32_t lane, const uint32_t rows[3],
                              uint32_t count);
// Tells of all features of a body that are closer to colliders than its thickness and a margin, m, where rows are now: by collider,
// particles first. Before each collider it calls `begins`. It leaves out the features at planes, and pushes nothing.
void sim_collide_tell(struct sim *sim, const struct sim_body *body, double margin,
                      void (*begins)(void *context, const struct sim_shape *shape), sim_collide_told *told,
                      void *context);

// Moves rows by w c way; quanta. What rounding leaves over goes to the velocities.
void sim_rows_move(struct sim *sim, const uint32_t rows[3], const double c[3], uint32_t count,
                   const double way[3]);
// After particles have been pushed: bodies of all islands, or of those in which something is pressed. parallel: NULL or what runs a
// task for each body.
void sim_collide(struct sim *sim, bool only_pressed, struct base_parallel *parallel);

#endif
