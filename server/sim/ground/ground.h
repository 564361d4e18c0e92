// The ground of all other rooms of the sim: faults, sorting, finding by id, rows, and how much a tick may visit.
#ifndef WEFT_SIM_GROUND_GROUND_H
#define WEFT_SIM_GROUND_GROUND_H

#include "sim/state/state.h"

// fault.c
enum fault_code sim_fault_memory(struct fault *fault);

// work.c
// What an edit would add.
struct sim_more {
    uint64_t particles, constraints;
    const struct sim_body *body; // these are of this body, which is not in the sim; NULL: of no new one
    uint64_t edges;              // distances among the constraints, of a cloth or rope that is in the sim
    uint32_t colliders, grabs;   // colliders: as they count (sim_shape_visits)
    uint64_t pressed;            // particles of bodies in the sim that get pressure
    uint64_t matched; // visits of shape matching that a body in the sim gets more in each iteration
};
// Whether a tick with these settings, and more of what there is, is within the limit.
enum fault_code sim_work_check(const struct sim *sim, const char *field, const struct sim_settings *settings,
                               const struct sim_more *more, struct fault *fault);

// Visits of the shape matching of a body in each iteration; match: NULL or its regions.
uint64_t sim_match_visits(const struct sim_body *body, const struct sim_match *match);

// How many colliders a shape counts as.
uint32_t sim_shape_visits(const struct sim_shape *shape);
// The same where a shape comes, or one becomes another; from: NULL or what it was.
enum fault_code sim_shape_work_check(const struct sim *sim, const struct sim_shape *from,
                                     const struct sim_shape *to, struct fault *fault);

// hull.c
// Makes the hull of points that may be anything, m, 3 each. No coordinate may be beyond the extent, m. The caller frees it.
enum fault_code sim_hull_make(const double *points, uint32_t count, double extent, struct sim_hull **out,
                              struct fault *fault);

// order.c
// Sorts keys ascending (stable) and carries indices along. False without memory.
bool sim_sort(uint64_t *keys, uint32_t *indices, uint32_t count);
// Fills row_of and index_of of particles along a Hilbert curve through their bounding box.
bool sim_order(const int64_t (*positions)[3], uint32_t count, uint32_t *row_of, uint32_t *index_of);

// rotation.c
// The rotation nearest to A, as a unit quaternion w x y z; none if |A| is not above `floor`.
void sim_rotation_of(const double a[3][3], double floor, double q[4]);
void sim_rotation_matrix(const double q[4], double r[3][3]);
// How the shape of a region lies: places now are turn q + shift, in quanta from the origin's.
struct sim_match_fit {
    double q[4], turn[3][3], shift[3];
    double now[3]; // the centre of mass, from the origin's place
};
// From its sums over all parts. False, and no turn, if none of its particles can move.
bool sim_match_fit(const struct sim_match_sums *sums, double spread, struct sim_match_fit *fit);

// equal.c
// For each of `count` records, of a size that is a multiple of 4, the first that is the same (itself if none). False
// without memory.
bool sim_first_equal(const void *records, size_t record_size, uint32_t count, uint32_t *first);

// rows.c
bool sim_rows_reserve(struct sim *sim, uint64_t need);             // rows of all bodies together
void sim_place(struct sim *sim, uint32_t row, const int64_t x[3]); // position, at a tick boundary
// A row that had no part in the last substep: it set out from where it is, and stayed.
void sim_rested(struct sim *sim, uint32_t row);
// Puts a particle where it was when its body was made, with the velocity that it had then.
void sim_place_at_start(struct sim *sim, const struct sim_body *body, uint32_t index);
bool sim_turns_reserve(
    struct sim *sim); // orientations for all rows that there is room for; false without memory
// Writes and reads the orientation of a row, whose body must have some, at a tick boundary.
void sim_turned_put(struct sim *sim, uint32_t row, const struct sim_turned *turned);
void sim_turned_of(const struct sim *sim, uint32_t row, struct sim_turned *turned);

// True if a constraint may be longer than low words tell: particles were put somewhere since the last tick, or that
// tick failed.
bool sim_is_far(const struct sim *sim);

// bends.c
// Over how many ticks the factor of a body with so many particles is spread; 0: it is made in one.
uint32_t sim_bend_ticks(uint32_t count);
// An edit has changed as many rows of what the factor of a body is made from; UINT32_MAX: all.
void sim_bend_edited(const struct sim *sim, struct sim_body *body, uint32_t rows);
void sim_bend_edited_all(const struct sim *sim); // all rows of all bodies
void sim_bends_end(struct sim *sim);             // a tick has ended

// wake.c
// An edit has changed what decides whether the body rests; all bodies and what is around them.
void sim_edited(struct sim_body *body);
void sim_edited_all(struct sim *sim);
void sim_wake(struct sim_body *body);
// Within a tick. The body's rows stand where they are for this substep, and its chunks and tiles have part in the tick from
// now on.
void sim_wake_within(struct sim *sim, struct sim_body *body);

// resting.c
// Marks chunks, tiles and loose constraints of sleepers, and counts the bodies that are awake; loose constraints alone.
void sim_rest_mark(struct sim *sim);
void sim_loose_mark(struct sim *sim);
// Room for lanes of as many batches as loose tiles have room for. False without memory.
bool sim_sleepers_reserve(struct sim *sim);
// Within a tick: the bodies of this tie are awake now.
void sim_loose_wake(struct sim *sim, uint32_t tie);
// Runs batches first ... end - 1 of a tile's order. Of what sleeps nothing changes: neither positions nor, if the run changes
// those, velocities.
void sim_run_awake(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end, sim_run *run,
                   bool velocities);
// Clears multipliers of all that is awake: what sleeps keeps those of its last substep. And those of a tile.
void sim_awake_multipliers_clear(struct sim *sim);
void sim_tile_multipliers_clear(struct sim *sim, const struct sim_tile *tile);

// wake.c
// The state of sleep of a body, but for the anchors.
void sim_sleep_take(const struct sim_body *body, struct sim_sleep *sleep);
void sim_sleep_put(struct sim_body *body, const struct sim_sleep *sleep);
// Gives a body the state of sleep of another one with the same particles, but for the anchors.
void sim_sleep_copy(struct sim_body *body, const struct sim_body *from);
// Finds the box that the body has while it sleeps.
void sim_box_of(const struct sim *sim, struct sim_body *body);
// Whether a collider that goes from one place to another may touch a body that sleeps.
bool sim_shape_reaches(const struct sim *sim, const struct sim_shape *shape, const int64_t from[3],
                       const int64_t to[3], const struct sim_body *body);
// Whether a collider that stands may touch a body with a box, more narrowly if it is a plane.
bool sim_shape_drives(const struct sim *sim, const struct sim_shape *shape, const struct sim_body *body);
// Quanta from a particle to its anchor, between ticks.
void sim_anchor_of(const struct sim *sim, uint32_t row, int32_t way[3]);
// Room for the air at every row if the wind is gusty or a field of force blows. False without memory.
bool sim_air_reserve(struct sim *sim, const struct sim_settings *settings);
// Room for what each row is pushed by, if something is. False without memory.
bool sim_pushes_reserve(struct sim *sim, bool wanted);
// The same if there are fields of force.
bool sim_bases_reserve(struct sim *sim, bool wanted);
// Anchors for every row if bodies may sleep. False without memory.
bool sim_anchors_reserve(struct sim *sim, bool wanted);

// Slots for every row where several iterations must remember what a contact did. False without memory.
bool sim_contacts_reserve(struct sim *sim, uint32_t iterations, uint32_t shapes);

// find.c; NULL if there is none
struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index);
struct sim_shape *sim_shape_find(const struct sim *sim, uint32_t id);
struct sim_body *sim_body_find(const struct sim *sim, uint32_t id);
struct sim_body *sim_body_of_row(const struct sim *sim, uint32_t row); // NULL for row 0 and holes

static inline void sim_rest_of(const struct sim_body *body, uint32_t index, int64_t x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = body->offsets ? body->origin[axis] + body->offsets[index][axis] : body->rest[index][axis];
    }
}

// Returns the ticks that so many seconds take. Rounds up, except for what rounding makes of whole ticks.
static inline uint32_t sim_ticks_of(const struct sim *sim, double seconds)
{
    const double ticks = seconds * sim->settings.tick_rate - 1e-6;
    return ticks > 0 ? (uint32_t)ticks + ((double)(uint32_t)ticks < ticks) : 0;
}

// Returns the pressure of a body with the time that is left.
static inline struct sim_pressure sim_pressure_of(const struct sim *sim, const struct sim_body *body)
{
    struct sim_pressure pressure = body->pressure;
    pressure.seconds = (double)body->pressure_left / sim->settings.tick_rate;
    return pressure;
}

// The mass of a body that its shape matching counts, kg: of all particles, except for static ones.
static inline double sim_match_mass(const struct sim *sim, const struct sim_body *body)
{
    double mass = 0;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        mass += sim->rows[row].w > 0 ? 1 / (double)sim->rows[row].w : 0;
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const float w = body->pins[p].inverse_mass;
        mass += !sim_pin_is_soft(&body->pins[p]) && w > 0 ? 1 / (double)w : 0;
    }
    return mass;
}

static inline uint32_t sim_tiles_of(uint32_t particle_count)
{
    return (particle_count + SIM_TILE_ROWS - 1) / SIM_TILE_ROWS;
}

// Rows of a tile, and of a task of a particle pass: as many in each as whole batches allow, so that threads that
// work on one each are done at the same time. All but the last have so many.
static inline uint32_t sim_tile_rows(uint32_t particle_count)
{
    uint32_t tiles = sim_tiles_of(particle_count);
    uint32_t rows = tiles > 0 ? (particle_count + tiles - 1) / tiles : 1;
    return (rows + SIM_LANES - 1) / SIM_LANES * SIM_LANES;
}

// The part that a chunk has of so many things of its body: first ... end - 1.
struct sim_portion {
    uint32_t first, end;
};
static inline struct sim_portion sim_match_portion(const struct sim_chunk *chunk, uint32_t count)
{
    const uint64_t chunks = sim_tiles_of(chunk->body->count),
                   k = (chunk->first_row - chunk->body->first_row) / sim_tile_rows(chunk->body->count);
    return (struct sim_portion){(uint32_t)(count * k / chunks), (uint32_t)(count * (k + 1) / chunks)};
}

// Rows that a body takes: its particles, an idle row for each tile, and what makes them a multiple of four.
static inline uint32_t sim_body_rows(uint32_t particle_count)
{
    return (particle_count + sim_tiles_of(particle_count) + 3) / 4 * 4;
}

#endif
