// Bodies, their pins, and the chunks of rows that a thread has at a time.
#ifndef WEFT_SIM_STATE_BODY_H
#define WEFT_SIM_STATE_BODY_H

#include "sim/state/balloon.h"
#include "sim/state/long.h"
#include "sim/state/plate.h"
#include "sim/state/store.h"

struct sim_pin {
    uint32_t index;
    float inverse_mass; // that it gets back
    bool going;         // about to be let go; false between edits
    int64_t from[3], to[3];
    int64_t driven[3], drift[3]; // what of that way in this tick motions go; have gone so far
    uint32_t collider;           // that it follows; 0: none, and then it has no place
    double place[3];             // m, in the frame of the collider (motion/follow.c)
    uint32_t left;               // ticks after the next one until it is at `end`; 0: it stays where it goes
    int64_t end[3];
    // A soft pin has these (kernels/soft.c). Its particle keeps its mass, and need not be where the pin is.
    float compliance;    // m/N; 0: the pin is hard; below 0: there is no spring
    float distance;      // m; below 0: there is no limit
    float multiplier[3]; // lambda of the last substep in quanta, of spring and limit together
};

static inline bool sim_pin_is_soft(const struct sim_pin *pin)
{
    return pin->compliance != 0;
}

// How rest angles of a plastic body flow in the tick under way, as a kernel reads it.
struct sim_crease {
    float yield, greatest; // rad
    float share;           // of what is past the yield, in a substep
};

struct sim_features; // contact/features.h

struct sim_body {
    uint32_t id;
    enum sim_body_kind kind;
    uint32_t first_row, count;
    uint32_t *row_of;   // index -> row - first_row
    uint32_t *index_of; // row - first_row -> index
    int64_t (
        *rest)[3]; // by index, quanta; while it is prepared, and where the body is wider than offsets reach
    int32_t (*offsets)[3]; // of the rest shape from `origin`, once it is prepared
    int64_t origin[3];
    float *velocities; // at the start, 3 count by index; NULL: at rest
    uint32_t *triangles, *edges, *tets;
    uint32_t triangle_count, edge_count, tet_count;
    uint32_t *surface; // triangles that wind and normals act on: `triangles` of a cloth, or the boundary of
                       // the tetrahedra
    uint32_t surface_count;
    struct sim_material materials[SIM_PART_COUNT];
    enum sim_stretch stretch_model;
    struct sim_yarns yarns;
    enum sim_bend bend_model;
    struct sim_crease crease; // of a tick; where the body is plastic
    double bend_factor;       // compliance of bending times its rigidity (body/rigidity.h); 0: not known yet
    enum sim_solid solid_model;
    double thickness;
    struct sim_meeting meeting;
    struct sim_features *features; // its surface as contact sees it; NULL: it meets nobody
    struct sim_long *longs;        // long edges and tethers; NULL: none (long/long.h)
    struct sim_plate *plate;       // how its bending is solved; NULL: it is swept (plate/plate.h)
    // State of solved bending after edits (ground/bends.c). 0: its factor is attached. 1 ... SIM_BEND_ROWS: as many rows
    // have changed since the last tick. SIM_BEND_FRESH: no tick has run since the body came. Above: bending is swept, and
    // the new factor is attached after bend_due - SIM_BEND_FRESH ticks.
    uint32_t bend_due;
    struct sim_pressure pressure; // inside its surface; `seconds` is what was given, not what is left
    uint32_t pressure_left;       // ticks until it comes to its end
    struct sim_balloon *balloon;  // how its surface is pushed; not NULL if it has pressure
    double edge;                  // m, the mean at rest; 0 without edges
    struct sim_pin *pins;         // by index
    uint32_t pin_count, pin_capacity;
    uint32_t first_soft, soft_count; // soft pins among those of all bodies; known once a tick has begun
    struct sim_tile *tiles[SIM_STORE_COUNT];
    uint32_t tile_count[SIM_STORE_COUNT];
    uint32_t constraint_first[SIM_KIND_COUNT], constraint_count[SIM_KIND_COUNT];
    uint32_t built_count[SIM_KIND_COUNT]; // constraints when it was last coloured
    uint32_t live_count[SIM_KIND_COUNT];

    // Sleep (solve/sleep.h).
    bool restless; // it never sleeps
    bool sewn;     // the rest length of a join that holds it changes in the tick under way
    bool flows;    // a rest angle of it flowed in the last tick
    bool asleep;   // it rests, and ticks leave it as it is
    uint32_t
        still; // ticks in a row in which no particle left its anchor; 0: it has no anchors, unless it sleeps
    uint64_t
        mark; // of inputs when it began to be still; if it sleeps, of what is around it, too (tell/hash.h)
    uint32_t island;     // if it sleeps: the least id of the bodies that fell asleep with it, itself included
    uint32_t companions; // and their number
    bool was_asleep;     // when the tick under way began
    uint32_t was_still;
    // Least id of the bodies that loose constraints join, itself included; 0: none holds it. Known once a tick has begun.
    uint32_t tie;
    bool tie_mark;               // scratch of the body with this id: one of them is awake, or asked for
    uint32_t group, group_count; // scratch, when a tick ends: of bodies that sleep only together
    bool group_ready;
    bool inputs_known; // no edit has touched it since `inputs` was found
    uint64_t inputs;   // a hash of what edits have made of it, and of the settings
    int64_t
        box[2]
           [3]; // around its anchors and their thickness while it sleeps, quanta; known once a tick has begun
};

enum { SIM_BEND_ROWS = 64, SIM_BEND_FRESH = SIM_BEND_ROWS + 1 };

// Whether its bending is swept until a new factor is attached.
static inline bool sim_bend_waits(const struct sim_body *body)
{
    return body->bend_due > SIM_BEND_FRESH;
}

// Whether ticks change the rest angles of its hinges.
static inline bool sim_is_plastic(const struct sim_body *body)
{
    return body->bend_model == SIM_BEND_DIHEDRAL && body->materials[SIM_PART_BEND].plastic.rate > 0;
}

static inline bool sim_has_tethers(const struct sim_body *body)
{
    return body->longs && body->longs->tether_batches > 0;
}

// m^3; q: the quantum.
static inline double sim_pressure_reference(const struct sim_body *body, double q)
{
    return body->pressure.volume > 0 ? body->pressure.volume : body->balloon->rest * (q * q * q);
}

struct sim_chunk {
    const struct sim_body *body;
    uint32_t first_row, count;
    uint32_t far_row;  // least row that set out to go too far in this substep; UINT32_MAX: none
    uint32_t bad_row;  // least row that broke a limit by the end of a substep
    uint32_t contacts; // that pushed in this substep
    float step;        // greatest that a coordinate set out to go in this substep, quanta
    float reach;       // bound of what one can have gone since the tick began, quanta
    uint32_t seed;     // sum of the bits of its body's velocities when the tick began
    bool asleep;       // its body is
};

#endif
