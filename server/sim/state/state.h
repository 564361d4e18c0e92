// A sim as it stands in memory. Nothing outside server/sim includes what is in its folders, but its tests.
#ifndef WEFT_SIM_STATE_STATE_H
#define WEFT_SIM_STATE_STATE_H

#include "sim/state/air.h"
#include "sim/state/kernels.h"
#include "sim/state/motion.h"
#include "sim/state/rigid.h"
#include "sim/state/turn.h"

// h and what follows from it, each computed in double and rounded once.
struct sim_times {
    float h, inv_h, inv_h2;
    float h_over_q, q_over_h; // m/s -> quanta a substep, and back
    float q;
    float kick[3]; // h g
    float bounce;  // m/s: what comes to a collider no faster does not bounce
    float wind[3], half_density;
    float keep, loss, spare[3]; // 1 / (1 + c h), 1 - keep, (1 - keep) h g
    float inv_q;
    float reach;        // quanta that a grab may move its particle by at a time
    float v_out;        // quanta a substep that an old penetration may be pushed out by
    uint32_t turn;      // nudge of this substep (sim_nudge), 2^32 to the quantum
    uint32_t next_turn; // of the substep that rows set out for
    float gone;         // part of the tick that is over when this substep ends, in (0, 1]; 0 between ticks
};

struct sim_meet;     // contact/meet.h
struct sim_recorder; // long/carried.h
struct sim_bear;     // bear/system.h

struct sim {
    enum sim_isa isa;
    const struct sim_kernels *kernels;
    struct sim_settings settings;
    struct sim_limits limits;
    struct sim_rub_names rub_names; // of settings.surfaces
    double q, inv_q;
    struct base_hash *hash; // of sim_hash, made once so that hashing needs no memory
    uint32_t next_body, next_constraint, next_grab, next_collider, next_motion;
    uint64_t stamp;  // that splits are marked with
    bool tears_wait; // ticks tear nothing, because the sim will go back

    uint32_t row_end, row_capacity; // rows 0 ... row_end - 1 are in use or holes
    struct sim_row *rows;
    struct sim_row
        *predicted;           // x after the prediction, before the constraints; before it, what the wind gave
    struct sim_row *previous; // x at the substep's start; NULL where no collider needs it
    struct sim_velocity *velocities;
    struct sim_velocity *began;                        // velocities at the start of the tick under way
    int64_t (*positions)[3];                           // whole coordinates at the tick's start
    struct sim_contact (*contacts)[SIM_CONTACT_SLOTS]; // NULL where one iteration needs none
    struct sim_velocity
        *pushes; // m/s that a substep gives each particle of a body that is pushed; NULL: none ever was
    struct sim_velocity *bases; // the same without fields of force; NULL: there never were any
    struct sim_force_now fields[SIM_FORCES_MAX]; // of the tick under way
    // m/s at each particle in the tick under way, and half its density; NULL if the air was always the same everywhere.
    struct sim_velocity *air;
    struct sim_air gale;          // what that is made of; holds while the wind is gusty
    struct sim_turn *turns;       // orientations by row; this and the next six: NULL if no body ever had one
    struct sim_turn *turned;      // after the prediction
    struct sim_turn *turns_began; // when the tick under way began
    struct sim_spin *spins, *spins_began;
    struct sim_joint *joints, *joints_began;
    int32_t (*anchors)[3]; // low words of where a particle began to be still; NULL if no body may sleep

    struct sim_body **bodies; // by id
    struct sim_body **by_row; // by first row; same count and capacity
    uint32_t by_row_capacity;
    uint32_t body_count, body_capacity;
    bool surroundings_known;  // no body or collider came, went or changed since the last tick began
    uint32_t awake_count;     // bodies that the tick under way moves
    uint32_t pushed_count;    // bodies that the tick under way pushes in ways of their own
    uint32_t clamp_count;     // pins that clamp, when the last tick began
    uint32_t direct_count;    // bodies whose chains are solved directly (solve/rod_direct.c), then too
    struct sim_rigids rigids; // pieces of all rigid bodies
    uint64_t
        *jointed; // pairs of rows that joints hold, ascending; known once a tick has begun (solve/jointed.c)
    uint32_t jointed_count, jointed_capacity;
    uint32_t pressed_count; // bodies with pressure inside, when the last tick began
    uint32_t matched_count; // and with shape matching
    uint32_t particle_count;

    struct sim_store stores[SIM_STORE_COUNT];
    struct sim_tile loose[SIM_KIND_COUNT];
    uint64_t *loose_colors[SIM_KIND_COUNT]; // by row: colours that loose constraints use; NULL until needed
    uint16_t *loose_sleepers
        [SIM_KIND_COUNT];        // by place in a loose tile's order: lanes of sleepers, if it sleeps partly
    struct sim_id_range *ranges; // by first id
    uint32_t range_count, range_capacity;
    uint32_t constraint_count;
    bool multipliers_wanted;
    bool solved;   // no constraint has changed since the last substep was solved
    bool moving;   // a tick is under way: low words differ from those of `positions`
    bool far_pins; // in this tick a pinned particle goes farther than one may
    bool placed;   // particles were put somewhere since the last tick: lengths are to be looked at whole

    struct sim_held *grabs; // by id
    uint32_t grab_count, grab_capacity;
    struct sim_softs *softs; // soft pins of all bodies; known once a tick has begun
    uint32_t soft_count, soft_capacity;
    struct sim_shape *shapes; // by id
    uint32_t shape_count, shape_capacity;
    struct sim_drive *drives; // by id
    uint32_t drive_count, drive_capacity;
    uint32_t drive_keys, drive_particles, drive_poses; // of all of them

    // Plan: what one substep runs. Rebuilt when bodies come and go.
    struct sim_chunk *chunks;
    uint32_t chunk_count, chunk_capacity;
    struct sim_tile **tiles;
    uint32_t tile_count, tile_capacity;
    struct sim_stage *stages;
    uint32_t stage_count, stage_capacity;
    uint32_t *color_starts; // scratch: tiles by colour
    uint32_t color_starts_capacity;
    uint32_t gust_stage;     // stages from here on belong to the wind
    struct sim_tile **again; // scratch: tiles of one stage that are swept again
    uint32_t again_capacity;
    bool derived_known;           // long edges, tethers and plates are those of the present constraints
    bool masses_known;            // and of the present masses and held particles
    const struct sim_long *longs; // under way: its batches from long_first on to long_end, as tasks
    uint32_t long_first, long_end, long_color;
    struct sim_tethered *tethered; // by row; up to date if any body has tethers
    uint32_t tethered_capacity;
    struct sim_recorder *recorder; // while the solve under way is looked at; else NULL
    double *
        carried; // if a caller has asked: what long edges carry past distances, kg quanta, by slot; else NULL
    float *sides; // of slides, three for each lane (solve/sides.c); made with what is derived
    uint32_t side_capacity;
    float *rests; // of plastic bodies, one for each lane (solve/creases.c); made with what is derived
    uint32_t rest_capacity;
    uint32_t plastic_count;     // bodies that are plastic; known once a tick has begun
    struct sim_velocity *bends; // by row: pushes of solved bending, kg m, then ways, m; 0 between substeps
    struct sim_body **bent;     // bodies whose bending is solved
    uint32_t bent_count, bent_capacity;

    struct sim_bear *bear;        // memory to solve loads with (bear/bear.h); NULL: no body needs it
    struct sim_meet *meet;        // contact between bodies; NULL: none meet
    struct sim_meetings meetings; // of the last tick

    struct sim_times times;
    const struct sim_stage *stage; // under way
    uint32_t substep;              // under way, 1 ... substeps
    uint32_t iteration;            // of it: the next one
    bool under_way;                // a tick has begun and rests or runs
    uint32_t calm_count;           // bodies that are calm in this tick
    bool returning;                // a sweep is on its way back
    bool dropped;                  // a tick was given up: the state is that of no moment, for good
    bool ahead;                    // particles have set out for the substep already

    struct sim_still *still; // what the next tick changes is copied there first; NULL: nowhere (still.c)
    float *weights;          // of a still: inverse masses by row, in place of those in rows; else NULL
};

// Place after `done` of `steps` equal steps on the way from one coordinate to another.
static inline int64_t sim_between(int64_t from, int64_t to, uint32_t done, uint32_t steps)
{
    int64_t way = to - from;
    int64_t whole = way / steps, rest = way % steps;
    return from + whole * done + rest * (int64_t)done / steps;
}

static inline float sim_inverse_mass_of(const struct sim *sim, uint32_t row)
{
    return sim->weights ? sim->weights[row] : sim->rows[row].w;
}

// Whole coordinate of a row whose low word is `low`, close to where the tick began.
static inline int64_t sim_whole(const struct sim *sim, uint32_t row, uint32_t axis, int32_t low)
{
    int64_t start = sim->positions[row][axis];
    return start + sim_wrap_sub(low, (int32_t)(uint32_t)(uint64_t)start);
}

#endif
