// Bodies, their pins, and the chunks of rows that a thread has at a time.
#ifndef WEFT_SIM_STATE_BODY_H
#define WEFT_SIM_STATE_BODY_H

#include "sim/state/balloon.h"
#include "sim/state/long.h"
#include "sim/state/match.h"
#include "sim/state/plate.h"
#include "sim/state/push.h"
#include "sim/state/steady.h"
#include "sim/state/store.h"
#include "sim/state/torn.h"
#include "sim/state/turn.h"

// The frame that holds a rod's segment beside a pin (solve/clamps.c).
struct sim_clamp {
    int32_t from[4], to[4]; // orientations when the next tick begins and ends; all 0: there is no clamp
    // Its orientation in the frame of the collider that the pin follows; all 0: it does not turn with that.
    int32_t held[4];
    float multiplier[3]; // lambda of the last substep
};

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
    struct sim_clamp clamp;
};

static inline bool sim_pin_clamps(const struct sim_pin *pin)
{
    return sim_turn_is(pin->clamp.to);
}

// Whether its clamp turns with the collider that it follows.
static inline bool sim_pin_turns(const struct sim_pin *pin)
{
    return sim_turn_is(pin->clamp.held);
}

static inline bool sim_pin_is_soft(const struct sim_pin *pin)
{
    return pin->compliance != 0;
}

// How a plastic body flows in the tick under way, as a kernel reads it.
struct sim_crease {
    const struct sim_body *body;
    float yield, greatest; // rad of rest angles; strains of a solid
    float share;           // of what is past the yield, in a substep
};

struct sim_features;  // contact/features.h
struct sim_rod_own;   // rod.h
struct sim_rigid_own; // rigid.h
struct sim_bearing;   // bear/system.h

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
    float *velocities;         // at the start, 3 count by index; NULL: at rest
    struct sim_turned *turned; // orientations at the start, by index; NULL: it has none (state/turn.h)
    uint32_t *triangles, *edges, *tets;
    uint32_t triangle_count, edge_count, tet_count;
    uint32_t *surface; // triangles that wind and normals act on: `triangles` of a cloth, or the boundary of
                       // the tetrahedra
    uint32_t surface_count;
    struct sim_material materials[SIM_PART_COUNT];
    enum sim_stretch stretch_model;
    struct sim_yarns yarns;
    float *uvs; // u, v of each corner of `triangles`; NULL: the warp runs along yarns.direction
    enum sim_bend bend_model;
    struct sim_crease crease; // of a tick; where the body is plastic
    float *bend_own; // compliance of each bending constraint, by id (body/bend_yarns.h); NULL: the material's
    double bend_factor; // compliance of bending times its rigidity (body/rigidity.h); 0: not known yet
    enum sim_solid solid_model;
    double thickness;
    struct sim_meeting meeting;
    uint32_t rub;                  // number of its surface among those of which rows speak (rub.h)
    struct sim_features *features; // its surface as contact sees it; NULL: it meets nobody
    struct sim_long *longs;        // long edges and tethers; NULL: none (long/long.h)
    struct sim_bearing *bearing;   // how it bears loads that are solved; NULL: they are swept (bear/bear.h)
    struct sim_plate *plate;       // how its bending is solved; NULL: it is swept (plate/plate.h)
    // State of solved bending after edits (ground/bends.c). 0: its factor is attached. 1 ... SIM_BEND_ROWS: as many rows
    // have changed since the last tick. SIM_BEND_FRESH: no tick has run since the body came. Above: bending is swept, and
    // the new factor is attached after bend_due - SIM_BEND_FRESH ticks.
    uint32_t bend_due;
    struct sim_pressure pressure; // inside its surface; `seconds` is what was given, not what is left
    uint32_t pressure_left;       // ticks until it comes to its end
    struct sim_balloon *balloon;  // how its surface is pushed; not NULL if it has pressure
    struct sim_own_gravity gravity;
    struct sim_own_wind wind;
    struct sim_body_force force;
    struct sim_load *loads; // forces on its particles, by index
    uint32_t load_count, load_capacity;
    bool pushed;     // ticks push it in a way of its own; known once a tick has begun
    uint32_t fields; // bits: the fields of force that act on it; known once a tick has begun
    uint32_t drafts; // bits: those that move the air at it; known once a tick with such fields has begun
    double pull[3];  // m/s^2: its gravity, and force over mass; while it is pushed
    struct sim_matching matching; // to its shape at rest; `places` are those of `match`
    struct sim_match *match;      // its regions; NULL: it is not matched
    struct sim_steady *steady;    // not NULL if it has pressure or is matched
    struct sim_torn *torn;        // what of it has torn; NULL: it cannot tear
    struct sim_rod_own *rod;      // NULL: it is none
    struct sim_rigid_own *rigid;  // NULL: it is none (state/rigid.h)
    double edge;                  // m, the mean at rest; 0 without edges
    struct sim_pin *pins;         // by index
    uint32_t pin_count, pin_capacity;
    uint32_t first_soft, soft_count; // soft pins among those of all bodies; known once a tick has begun
    struct sim_tile *tiles[SIM_STORE_COUNT];
    uint32_t tile_count[SIM_STORE_COUNT];
    uint32_t constraint_first[SIM_KIND_COUNT], constraint_count[SIM_KIND_COUNT];
    uint32_t built_count[SIM_KIND_COUNT]; // constraints when it was last coloured
    uint32_t live_count[SIM_KIND_COUNT];

    bool
        calm; // its edges are swept there and back in the tick under way, or were in the last one (solve/calm.c)

    // Sleep (solve/sleep.h).
    bool restless; // it never sleeps
    bool sewn;     // the rest length of a join that holds it changes in the tick under way
    bool flows;    // a rest angle or a tetrahedron of it flowed in the last tick
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

// The part of a body that may be plastic. No body has both.
static inline enum sim_part sim_plastic_part(const struct sim_body *body)
{
    return body->solid_model == SIM_SOLID_NONE ? SIM_PART_BEND : SIM_PART_SOLID;
}

// Whether ticks change the rest angles of its hinges, or the shapes at rest of its tetrahedra.
static inline bool sim_is_plastic(const struct sim_body *body)
{
    const enum sim_part part = sim_plastic_part(body);
    return (part == SIM_PART_SOLID || body->bend_model == SIM_BEND_DIHEDRAL) &&
           body->materials[part].plastic.rate > 0;
}

// Whether it has a gravity of its own, or a force acts on it or on a particle of it.
static inline bool sim_has_own_pull(const struct sim_body *body)
{
    const double *force = body->force.value;
    return body->gravity.own || force[0] != 0 || force[1] != 0 || force[2] != 0 || body->load_count > 0;
}

// The compliance that the material gives the bending constraint `id`.
static inline float sim_bend_own(const struct sim_body *body, enum sim_kind kind, uint32_t id)
{
    return body->bend_own ? body->bend_own[id - body->constraint_first[kind]]
                          : (float)body->materials[SIM_PART_BEND].compliance;
}

// Particles that an edit may name: all except spares that nothing has split off yet.
static inline uint32_t sim_nameable(const struct sim_body *body)
{
    return body->torn ? body->torn->own + body->torn->used : body->count;
}

// The corner of a triangle, as it is now, that came of an own particle; SIM_NO_TORN: it has none.
static inline uint32_t sim_torn_corner(const struct sim_body *body, uint32_t triangle, uint32_t root)
{
    const uint32_t *corners = body->triangles + 3 * (size_t)triangle;
    for (uint32_t k = 0; k < 3; k++) {
        if (sim_torn_root(body->torn, corners[k]) == root) {
            return corners[k];
        }
    }
    return SIM_NO_TORN;
}

static inline bool sim_has_tethers(const struct sim_body *body)
{
    return body->longs && body->longs->tether_batches > 0;
}

// Whether what a sweep moves and turns the body by is taken back, if nothing holds it.
static inline bool sim_is_steadied(const struct sim_body *body)
{
    return body->pressure.model != SIM_PRESSURE_NONE || body->matching.model != SIM_MATCH_NONE;
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
