// What the files of this module share. Nothing outside server/sim includes it.
//
//   rows (hot, 16 bytes each, one index space for the whole world; row 0 is a static dummy)
//     | 4 static | body 1: particles, static rows | body 3 ... | hole | body 4 ...
//   A body's particles stand in an order of its own (order.c); row_of maps the caller's index to it. After
//   them comes a static row for each of its tiles, and as many as make its rows a multiple of four.
//
//   store (one for each kind of constraint): batches of 16 lanes
//     batch = places[stencil][16] · params[...][16]   a place is where a row stands, in bytes; a lane with
//                                                     id 0 is a hole: it points at the idle row of its tile
//     shelf = up to 256 batches, the memory of some that came together
//   tile: the batches of a patch of one body (or all loose constraints of a kind), sorted by colour
//   stage: the tiles of one kind and tile colour, which share no particle and may run at the same time
//
// A constraint's place is (tile colour, tile, colour): it decides the order of solving, is given when the
// constraint is added and stays until the body is recoloured. Batch and lane are free: constraints of one
// colour share no particle, so their order cannot reach the state.
#ifndef WEFT_SIM_INTERNAL_H
#define WEFT_SIM_INTERNAL_H

#include "sim/fixed.h"
#include "sim/sim.h"

#include <stddef.h>

enum {
    SIM_LANES = 16,
    SIM_TILE_ROWS = 1024, // at most: 32 x 32 particles, 16 KiB of rows
    SIM_COLORS = 64,      // what fits none of them goes to the serial colour, one constraint a batch
    SIM_SERIAL = SIM_COLORS,
    SIM_ROW_BYTES = 16,
    SIM_IDLE_ROWS = 4,     // first rows of all: static; lanes of loose constraints' tiles point at the first
    SIM_CONTACT_SLOTS = 4, // contacts of a particle whose push and slip are remembered between iterations
    SIM_SHELF = 256,       // batches of a shelf, at most
};

// Within these no product or quotient of the solve leaves the range of a float.
#define SIM_INVERSE_MASS_MAX 1e9   // 1/kg
#define SIM_INVERSE_MASS_MIN 1e-20 // 1/kg, of what is not static
#define SIM_COMPLIANCE_MAX 1e10    // [C]^2/J
#define SIM_DAMPING_MAX 1e10       // J s/[C]^2

struct sim_row {
    int32_t x[3]; // low words of the position, quanta
    float w;      // inverse mass, 1/kg; 0 for static and pinned particles
};

struct sim_velocity {
    float v[3]; // m/s
    float unused;
};

struct sim_contact {
    uint32_t collider; // id, 0 where the slot is free
    float push;        // D: sum of normal corrections in this substep, quanta
    float slip;        // F: sum of friction corrections, quanta
};

// ------------------------------------------------------------------------------------------ constraints

// Stores beyond the kinds of constraints: triangles for the wind, coloured and batched like constraints.
enum { SIM_GUSTS = SIM_KIND_COUNT, SIM_STORE_COUNT };

enum sim_flavor {
    SIM_PLAIN,  // XPBD with compliance
    SIM_DAMPED, // and damping
    SIM_STIFF,  // plain PBD with stiffness
    SIM_FLAVOR_COUNT,
};

// What one constraint is made of, besides its rows.
struct sim_values {
    // distance: L in quanta; dihedral: theta0; volume: V0; isometric: K1, K2, K3 and f = 3/(A0 + A1);
    // quadratic: K1, K2 and K3 times sqrt(f)
    float params[4];
    float compliance;
    float damping;
    float stiffness; // negative: none
};

struct sim_tile {
    uint32_t kind; // of its store
    uint32_t body; // 0: loose constraints
    uint32_t tile; // ordinal in its body
    uint16_t color;
    uint32_t *order; // batches, by ascending colour
    uint32_t order_count, order_capacity;
    uint32_t *spare; // of tiles that are edited: as much room as order has, to sort it into
    uint32_t spare_capacity;
    uint32_t *open; // the same: by colour and flavour, the first batch with room; NULL: never edited
    bool unsettled; // order has batches without constraints, or is not sorted: within an edit
    bool unsorted;
    struct sim_tile *next_unsettled;
    uint32_t flavored; // batches that are not SIM_PLAIN
    uint32_t damped;   // of them SIM_DAMPED
    uint32_t idle_row; // static, of this tile alone: what lanes without a constraint point at
    float longest;     // greatest distance seen in this tick, quanta
    uint32_t seed;     // of this tick's nudges
    uint32_t moves;    // constraints that an edit moves to other batches; 0 between edits
};

struct sim_batch_meta {
    struct sim_tile *tile; // NULL: the batch is free
    uint32_t next, before; // with room, of the same tile, colour and flavour; where the tile has `open`
    uint16_t color;
    uint8_t flavor;
    uint8_t live; // lanes in use
};

#define SIM_NO_BATCH UINT32_MAX

// Memory of neighbouring batches. What it holds stays where it is, unless the shelf grows.
struct sim_shelf {
    uint32_t *batches; // NULL: there is none
    uint32_t (*ids)[SIM_LANES];
    struct sim_batch_meta *meta;
    float (*damping)[SIM_LANES]; // beta; of stiff batches k; where the store is damped
    float
        *multipliers; // multiplier_count * SIM_LANES a batch; distance: in quanta; where the store keeps them
    uint32_t room;    // batches
    uint32_t used;    // the first ones have been in use
    uint32_t live;    // are in use
    uint32_t free_first; // of the others a list: each one's first word names the next
};

struct sim_store {
    uint32_t kind;
    uint32_t multiplier_count;     // floats of a multiplier: 1, or 3 of a vector constraint
    uint32_t stencil, param_count; // params: of the kind, then compliance (XPBD) or k' (stiff)
    uint32_t words;                // uint32_t a batch: (stencil + param_count) * SIM_LANES
    bool damped;                   // has room for damping: false where all batches are plain
    bool keeps;                    // multipliers
    struct sim_shelf *shelves;     // batch b is in b / SIM_SHELF
    uint32_t shelf_count, shelf_capacity;
    uint32_t free_count;        // batches that there is room for
    uint32_t open;              // shelves before are full
    uint32_t growing;           // the shelf that was added last, to be filled bit by bit; UINT32_MAX: none
    struct sim_tile *unsettled; // a list; none between edits
};

// Ids first ... first + count - 1 of one kind, of one body or loose.
struct sim_id_range {
    uint32_t first, count, capacity, live;
    enum sim_kind kind;
    uint32_t body;   // 0: loose
    uint32_t *slots; // batch * SIM_LANES + lane; SIM_GONE
};

#define SIM_GONE UINT32_MAX

struct sim_coloring {
    uint32_t tile_count;
    uint16_t *tile_colors;
    uint32_t *tiles; // of each constraint
    uint8_t *colors; // of each constraint, SIM_SERIAL at most
    // Constraints by tile, in order of id within each: those of tile t are starts[t] ... starts[t + 1] of list.
    uint32_t *starts, *list;
};

// ----------------------------------------------------------------------------------------------- bodies

struct sim_pin {
    uint32_t index;
    float inverse_mass; // that it gets back
    bool going;         // about to be let go; false between edits
    int64_t from[3], to[3];
    int64_t driven[3], drift[3]; // what of that way in this tick motions go; have gone so far
};

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
    struct sim_material stretch, bend, volume;
    enum sim_bend bend_model;
    double thickness;
    double edge;          // m, the mean at rest; 0 without edges
    struct sim_pin *pins; // by index
    uint32_t pin_count, pin_capacity;
    struct sim_tile *tiles[SIM_STORE_COUNT];
    uint32_t tile_count[SIM_STORE_COUNT];
    uint32_t constraint_first[SIM_KIND_COUNT], constraint_count[SIM_KIND_COUNT];
    uint32_t built_count[SIM_KIND_COUNT]; // constraints when it was last coloured
    uint32_t live_count[SIM_KIND_COUNT];
};

struct sim_chunk {
    const struct sim_body *body;
    uint32_t first_row, count;
    uint32_t far_row;  // least row that set out to go too far in this substep; UINT32_MAX: none
    uint32_t bad_row;  // least row that broke a limit by the end of a substep
    uint32_t contacts; // that pushed in this substep
    float step;        // greatest that a coordinate set out to go in this substep, quanta
    float reach;       // bound of what one can have gone since the tick began, quanta
    uint32_t seed;     // sum of the bits of its velocities when the tick began
};

// What a batch of constraints or of rows amounts to, lane by lane. Lanes that add nothing hold 0.
struct sim_terms {
    union {
        double energy[SIM_LANES]; // J
        double kinetic[SIM_LANES];
    };
    union {
        double error2[SIM_LANES]; // squared strain or volume error
        double potential[SIM_LANES];
    };
    double greatest[SIM_LANES]; // error of all batches so far
    double counted[SIM_LANES];  // errors that are, of all batches so far
};

// SIM_LANES rows that stand side by side.
struct sim_matter {
    const struct sim_row *rows;
    const struct sim_velocity *velocities;
    const int64_t (*positions)[3];
};

struct sim_sum; // sum.h

typedef void sim_run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end);
struct sim_runs {
    sim_run *solve[SIM_FLAVOR_COUNT][2]; // without and with multipliers
    sim_run *damp;                       // velocities, by damped batches
};

// The kernels of one instruction set.
struct sim_kernels {
    const struct sim_runs *runs[SIM_KIND_COUNT];          // of batches first ... end - 1 of a tile's order
    void (*blow)(struct sim *sim, struct sim_tile *tile); // adds to what `predicted` holds then
    void (*predict)(struct sim *sim, struct sim_chunk *chunk);
    void (*predict_blown)(struct sim *sim, struct sim_chunk *chunk); // with what the wind gave
    void (*grab)(struct sim *sim);                                   // all grabs pull
    void (*contact)(struct sim *sim, struct sim_chunk *chunk);
    void (*finish)(struct sim *sim, struct sim_chunk *chunk);
    void (*go_on)(struct sim *sim, struct sim_chunk *chunk); // finish, then predict
    void (*carry)(struct sim *sim,
                  struct sim_tile *tile); // gathers and puts back, to measure what that costs
    // Measures of a batch, its words; far: whole coordinates tell what its low words cannot.
    void (*tell[SIM_KIND_COUNT])(const struct sim *sim, const uint32_t *batch, bool far,
                                 struct sim_terms *terms);
    void (*tell_particles)(const struct sim *sim, const struct sim_matter *matter, struct sim_terms *terms);
    void (*sum)(struct sim_sum *sum, const double terms[SIM_LANES]); // adds them all
    void (*capture)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                    float *out);
    void (*capture64)(const struct sim *sim, const struct sim_body *body, uint32_t first, uint32_t count,
                      double *out);
    void (*normals)(const struct sim *sim, const struct sim_body *body, float *out);
};

struct sim_stage {
    uint32_t kind;
    uint32_t first_tile, tile_count; // of sim.tiles
    bool damped;                     // in this tick: some of them are
};

struct sim_held {
    uint32_t id, body, index, row;
    int64_t target[3];
    float compliance;
    float multiplier[3]; // lambda in quanta
    float left[3];       // quanta of this substep's pull that the velocity was given in place of the position
};

struct sim_pose {
    int64_t position[3];
    double rotation[4]; // unit quaternion x, y, z, w
};

// A pose as the solve uses it.
struct sim_frame {
    int64_t position[3];
    double axes[3][3]; // its rotated x, y and z
};

struct sim_shape {
    uint32_t id;
    enum sim_collider_kind kind;
    struct sim_pose from, to;    // when the tick begins, and ends; not what motions turn
    int64_t driven[3], drift[3]; // what of that way in this tick motions go; have gone so far
    double turn[4];              // what motions turn it by, where any does
    bool turned;
    struct sim_pose now;                    // at the end of the present substep
    struct sim_frame start, end;            // of the present substep
    bool moves, turns;                      // start and end differ; in rotation
    double radius, length, half_extents[3]; // m
    float friction;
};

// Where keyframes are at a moment.
struct sim_key {
    double offset[3]; // m
    double turn[4];   // since age 0
};

// A motion with arrays of its own.
struct sim_drive {
    struct sim_motion motion;
    uint32_t *particles;
    double *times, *offsets, *rotations, *arms;
    uint64_t age;         // when the tick began
    struct sim_key start; // then
};

// h and what follows from it, each computed in double and rounded once.
struct sim_times {
    float h, inv_h, inv_h2;
    float h_over_q, q_over_h; // m/s -> quanta a substep, and back
    float q;
    float kick[3]; // h g
    float wind[3], drag, lift, half_density;
    float keep, loss, spare[3]; // 1 / (1 + c h), 1 - keep, (1 - keep) h g
    float inv_q;
    float reach;   // quanta that a grab may move its particle by at a time
    float v_out;   // quanta a substep that an old penetration may be pushed out by
    uint32_t turn; // nudge of this substep (sim_nudge), 2^32 to the quantum
};

struct sim {
    const struct sim_kernels *kernels;
    struct sim_settings settings;
    struct sim_limits limits;
    double q, inv_q;
    struct base_hash *hash; // of sim_hash, made once so that hashing needs no memory
    uint32_t next_body, next_constraint, next_grab, next_collider, next_motion;

    uint32_t row_end, row_capacity; // rows 0 ... row_end - 1 are in use or holes
    struct sim_row *rows;
    struct sim_row
        *predicted;           // x after the prediction, before the constraints; before it, what the wind gave
    struct sim_row *previous; // x at the substep's start; NULL where no collider needs it
    struct sim_velocity *velocities;
    int64_t (*positions)[3];                           // whole coordinates at the tick's start
    struct sim_contact (*contacts)[SIM_CONTACT_SLOTS]; // NULL where one iteration needs none

    struct sim_body **bodies; // by id
    struct sim_body **by_row; // by first row; same count and capacity
    uint32_t by_row_capacity;
    uint32_t body_count, body_capacity;
    uint32_t particle_count;

    struct sim_store stores[SIM_STORE_COUNT];
    struct sim_tile loose[SIM_KIND_COUNT];
    uint64_t *loose_colors[SIM_KIND_COUNT]; // by row: colours that loose constraints use; NULL until needed
    struct sim_id_range *ranges;            // by first id
    uint32_t range_count, range_capacity;
    uint32_t constraint_count;
    bool multipliers_wanted;
    bool solved;   // no constraint has changed since the last substep was solved
    bool moving;   // a tick is under way: low words differ from those of `positions`
    bool far_pins; // in this tick a pinned particle goes farther than one may
    bool placed;   // particles were put somewhere since the last tick: lengths are to be looked at whole

    struct sim_held *grabs; // by id
    uint32_t grab_count, grab_capacity;
    struct sim_shape *shapes; // by id
    uint32_t shape_count, shape_capacity;
    struct sim_drive *drives; // by id
    uint32_t drive_count, drive_capacity;
    uint32_t drive_keys, drive_particles; // of all of them

    // Plan: what one substep runs. Rebuilt when bodies come and go.
    struct sim_chunk *chunks;
    uint32_t chunk_count, chunk_capacity;
    struct sim_tile **tiles;
    uint32_t tile_count, tile_capacity;
    struct sim_stage *stages;
    uint32_t stage_count, stage_capacity;
    uint32_t *color_starts; // scratch: tiles by colour
    uint32_t color_starts_capacity;
    uint32_t gust_stage; // stages from here on belong to the wind

    struct sim_times times;
    const struct sim_stage *stage; // under way
    uint32_t substep;              // under way, 1 ... substeps
    uint32_t iteration;            // of it: the next one
    bool under_way;                // a tick has begun and rests or runs
    bool ahead;                    // particles have set out for the substep already

    struct sim_still *still; // what the next tick changes is copied there first; NULL: nowhere (still.c)
    float *weights;          // of a still: inverse masses by row, in place of those in rows; else NULL
};

// fault.c
enum sim_status sim_fault_set(struct sim_fault *fault, enum sim_status status, const char *field,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
enum sim_status sim_fault_memory(struct sim_fault *fault);
// Room for one more of count items: doubles. Leaves all as it is and returns false without memory.
bool sim_reserve(void **items, uint32_t *capacity, uint64_t need, size_t item_size);

// work.c
// What an edit would add.
struct sim_more {
    uint64_t particles, constraints;
    uint32_t colliders, grabs;
};
// Whether a tick with these settings, and more of what there is, is within the limit.
enum sim_status sim_work_check(const struct sim *sim, const char *field, const struct sim_settings *settings,
                               const struct sim_more *more, struct sim_fault *fault);

// order.c
// Sorts keys ascending (stable) and carries indices along. False without memory.
bool sim_sort(uint64_t *keys, uint32_t *indices, uint32_t count);
// Fills row_of and index_of of particles along a Hilbert curve through their bounding box.
bool sim_order(const int64_t (*positions)[3], uint32_t count, uint32_t *row_of, uint32_t *index_of);

// color.c
bool sim_color(uint32_t stencil, uint32_t count, const uint32_t *rows, uint32_t row_count,
               struct sim_coloring *coloring);
void sim_coloring_deinit(struct sim_coloring *coloring);

// tile_color.c
// Fills tile_colors of what has been listed by tile. False without memory.
bool sim_color_tiles(struct sim_coloring *coloring, uint32_t stencil, const uint32_t *rows,
                     uint32_t row_count);

// shelf.c
void sim_store_init(struct sim_store *store, uint32_t kind);
void sim_store_deinit(struct sim_store *store);
bool sim_store_reserve(struct sim_store *store, uint32_t batches); // room for so many more
bool sim_store_damping_reserve(struct sim_store *store);           // for batches that are not plain
bool sim_store_multipliers_reserve(struct sim_store *store);
void sim_store_multipliers_release(struct sim_store *store);
void sim_store_multipliers_clear(struct sim_store *store);
void sim_store_fit(struct sim_store *store); // gives back what is more than what is in use; it may grow again
void sim_stores_trim(struct sim *sim);       // give back shelves with nothing on them
// One more batch, which must be reserved, and one less.
uint32_t sim_store_batch_take(struct sim_store *store);
void sim_store_batch_free(struct sim_store *store, uint32_t batch);
// Takes over the shelves of another store, whose rows and ids count from 0 and 1: its batch b is now the returned one
// plus b. Cannot fail where room was reserved, for so many shelves: of this one and of those to be appended besides.
bool sim_store_append_reserve(struct sim_store *store, struct sim_store *from, uint32_t shelves);
uint32_t sim_store_append(struct sim_store *store, struct sim_store *from, uint32_t row_offset,
                          uint32_t id_offset);

// store.c
bool sim_tile_reserve(struct sim_tile *tile, uint32_t batches);
// What follows edits a tile: places, changes and vacates. It needs room for so many batches in store and tile first, and
// sim_stores_settle once all is done: until then order may have gaps and be unsorted.
bool sim_tile_edit_reserve(struct sim_store *store, struct sim_tile *tile, uint32_t batches);
void sim_stores_settle(struct sim *sim);
// All batches of the tile, before it is destroyed.
void sim_tile_clear(struct sim_store *store, struct sim_tile *tile);
uint32_t sim_store_place(struct sim_store *store, struct sim_tile *tile, uint16_t color, uint32_t id,
                         const uint32_t *rows, const struct sim_values *values, uint32_t iterations);
// Places `count` constraints of a fresh store whose tiles are empty: order lists them by tile and colour. A
// batch holds those of one tile, colour and flavour that follow each other. False without memory.
bool sim_store_lay_out(struct sim_store *store, struct sim_tile *tiles, const struct sim_coloring *coloring,
                       uint32_t count, const uint32_t *order, const uint32_t *rows,
                       const struct sim_values *values, uint32_t *slots);
void sim_store_vacate(struct sim_store *store, uint32_t slot);
void sim_store_rows(const struct sim_store *store, uint32_t slot, uint32_t *rows);
void sim_store_values(const struct sim_store *store, uint32_t slot, struct sim_values *values);
// Same flavour: in place. Otherwise the constraint moves to another batch; returns its slot.
uint32_t sim_store_change(struct sim_store *store, uint32_t slot, const struct sim_values *values,
                          uint32_t iterations);
// The same material for all lanes in use.
void sim_store_batch_set(struct sim_store *store, uint32_t batch, const struct sim_values *material,
                         uint32_t iterations);
enum sim_flavor sim_flavor_of(const struct sim_values *values);
void sim_store_stiffness_update(struct sim_store *store, uint32_t iterations);
double sim_stiffness_of_iteration(double stiffness, uint32_t iterations); // k' of k

static inline const struct sim_shelf *sim_shelf_of(const struct sim_store *store, uint32_t batch)
{
    return &store->shelves[batch / SIM_SHELF];
}

static inline uint32_t *sim_batch_words(const struct sim_store *store, uint32_t batch)
{
    return sim_shelf_of(store, batch)->batches + (size_t)(batch % SIM_SHELF) * store->words;
}

static inline struct sim_batch_meta *sim_batch_meta(const struct sim_store *store, uint32_t batch)
{
    return &sim_shelf_of(store, batch)->meta[batch % SIM_SHELF];
}

static inline uint32_t *sim_batch_ids(const struct sim_store *store, uint32_t batch)
{
    return sim_shelf_of(store, batch)->ids[batch % SIM_SHELF];
}

// Of a damped store.
static inline float *sim_batch_damping(const struct sim_store *store, uint32_t batch)
{
    return sim_shelf_of(store, batch)->damping[batch % SIM_SHELF];
}

// One past the batches of the same colour as the first: they share no particle. Those of the serial colour may.
static inline uint32_t sim_color_end(const struct sim_store *store, const struct sim_tile *tile,
                                     uint32_t first, uint32_t end)
{
    uint16_t color = sim_batch_meta(store, tile->order[first])->color;
    for (first++;
         first < end && color != SIM_SERIAL && sim_batch_meta(store, tile->order[first])->color == color;) {
        first++;
    }
    return first;
}

// Of one corner of a batch's constraints; SIM_ROW_BYTES times the row.
static inline uint32_t *sim_batch_places(const struct sim_store *store, uint32_t batch, uint32_t corner)
{
    return sim_batch_words(store, batch) + corner * SIM_LANES;
}

static inline float *sim_multipliers_of(const struct sim_store *store, uint32_t batch, uint32_t part)
{
    return sim_shelf_of(store, batch)->multipliers +
           ((size_t)(batch % SIM_SHELF) * store->multiplier_count + part) * SIM_LANES;
}

static inline float *sim_batch_params(const struct sim_store *store, uint32_t batch, uint32_t param)
{
    return (float *)(void *)(sim_batch_words(store, batch) + (store->stencil + param) * SIM_LANES);
}

// constraint_read.c
struct sim_id_range *sim_range_of(const struct sim *sim, uint32_t id); // NULL if it never was
bool sim_slot_of(const struct sim *sim, uint32_t id, struct sim_id_range **range, uint32_t *slot);
enum sim_status sim_constraint_not_found(struct sim_fault *fault, uint32_t id);

void sim_ranges_tidy(struct sim *sim); // forgets ids of loose constraints that are gone

// constraint_remove.c
void sim_constraint_forget(struct sim *sim, uint32_t id); // sim_stores_settle and sim_ranges_tidy afterwards

// constraint.c
// Greatest distance of the other particles of a stencil from its first, quanta, never wrapped.
double sim_present_length(const struct sim *sim, uint32_t stencil, const uint32_t *rows);
bool sim_multipliers_reserve(struct sim *sim, uint32_t iterations, bool wanted);
// Rows of the particles of `count` constraints: checks that they are there, and that none stands twice in one.
enum sim_status sim_stencil_rows(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                                 const uint32_t *particles, uint32_t *rows, struct sim_fault *fault);
bool sim_loose_reserve(struct sim *sim, enum sim_kind kind, bool flavored); // but for batches

// equal.c
// For each of `count` records, of a size that is a multiple of 4, the first that is the same (itself if none). False
// without memory.
bool sim_first_equal(const void *records, size_t record_size, uint32_t count, uint32_t *first);

// mesh.c
// Unique edges of the elements in the order in which they first appear, whatever the winding: malloc'd pairs.
bool sim_mesh_edges(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t particle_count,
                    uint32_t **edges, uint32_t *edge_count);
// For each element the first one with the same corners in any order (itself if none): malloc'd.
bool sim_mesh_twin_elements(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t **first_of);
struct sim_hinge {
    uint32_t corners[4]; // the edge as the first triangle turns, then its wing and that of the second one
    uint32_t triangles[2];
    uint32_t triangle_count; // a stencil where it is 2
};
// One for each unique edge, in the order of sim_mesh_edges: malloc'd.
bool sim_mesh_hinges(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                     struct sim_hinge **hinges, uint32_t *hinge_count);
// Faces that only one tetrahedron has, turning outwards: malloc'd.
bool sim_mesh_surface(const uint32_t *tets, const bool *inverted, uint32_t count, uint32_t **triangles,
                      uint32_t *triangle_count);
// Checks indices and that none stands twice in an element.
enum sim_status sim_mesh_check(const char *field, const uint32_t *elements, uint32_t corners, uint32_t count,
                               uint32_t particle_count, struct sim_fault *fault);
// For each position the first index with the same one (itself if none): malloc'd; NULL without memory.
uint32_t *sim_mesh_twins(const int64_t (*positions)[3], uint32_t count);

// closed.c
// The sides of triangles that the air touches: both, or of a closed part of the mesh the one outside.
enum sim_side { SIM_BOTH_SIDES, SIM_FRONT, SIM_BACK };
bool sim_mesh_sides(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                    const int64_t (*positions)[3], enum sim_side *sides);

// weld.c
// Gives each vertex the number of the first kept one within `distance` m, or a new number: welded[count],
// *kept.
bool sim_mesh_weld(const double *positions, uint32_t count, double distance, uint32_t *welded,
                   uint32_t *kept);

// body_plan.c
struct sim_body_plan {
    struct sim_body *body; // complete but for id, first row and first constraint ids
    double resolution;
    float *inverse_masses;                    // by index
    struct sim_store stores[SIM_STORE_COUNT]; // rows from 0, ids from 1
    uint32_t *slots[SIM_STORE_COUNT];         // of each constraint in them
    struct sim_warning warnings[SIM_WARNING_COUNT];
    const char *warning_formats[SIM_WARNING_COUNT]; // take the count and the first element
    uint32_t warning_count;
    uint32_t *welded; // particle of each vertex that was given; NULL where none were welded
    uint32_t vertex_count;
};
// Colours constraints given by rows (from 0) and values and lays them out in batches of a fresh store, ids
// from 1 in order; NULL ids entries: all. Tiles are malloc'd. False without memory, with nothing left behind.
bool sim_body_layout(uint32_t kind, uint32_t body, uint32_t count, const uint32_t *rows,
                     const struct sim_values *values, uint32_t row_count, struct sim_store *store,
                     struct sim_tile **tiles, uint32_t *tile_count, uint32_t *slots);
void sim_tiles_destroy(struct sim_tile *tiles, uint32_t count);
void sim_body_destroy(struct sim_body *body);
// body_check.c
// fields: how compliance, damping and stiffness are called in a fault.
enum sim_status sim_material_check(const char *const fields[3], const struct sim_material *material,
                                   struct sim_fault *fault);
enum sim_status sim_thickness_check(double thickness, struct sim_fault *fault);
extern const char *const sim_stretch_fields[3], *const sim_bend_fields[3], *const sim_volume_fields[3];
extern const struct sim_kind_shape {
    uint32_t stencil, param_count, multiplier_count;
    const char *name;
} sim_kind_shapes[SIM_STORE_COUNT];

// isa.c
const struct sim_kernels *sim_kernels_of(enum sim_isa isa);

// find.c; NULL if there is none
struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index);
struct sim_shape *sim_shape_find(struct sim *sim, uint32_t id);
struct sim_body *sim_body_find(const struct sim *sim, uint32_t id);
struct sim_body *sim_body_of_row(const struct sim *sim, uint32_t row); // NULL for row 0 and holes

static inline void sim_rest_of(const struct sim_body *body, uint32_t index, int64_t x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        x[axis] =
            body->offsets != NULL ? body->origin[axis] + body->offsets[index][axis] : body->rest[index][axis];
    }
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

// Rows that a body takes: its particles, an idle row for each tile, and what makes them a multiple of four.
static inline uint32_t sim_body_rows(uint32_t particle_count)
{
    return (particle_count + sim_tiles_of(particle_count) + 3) / 4 * 4;
}

// limits.c
// Each fills *failure and returns true where a limit is broken: by a row that its chunk holds for bad; by a
// constraint of a tile, as lengths were in this substep; by one whose particles were placed since the last tick.
bool sim_gone_too_far(const struct sim *sim, const char *what, double limit, struct sim_failure *failure);
bool sim_stretched_too_far(const struct sim *sim, struct sim_failure *failure);
bool sim_placed_too_far(struct sim *sim, struct sim_failure *failure);

// step.c
// What substep 1 ... substeps adds to a correction before it is rounded, quanta: the middles of as many equal
// parts of (-0.5, 0.5), in an order whose neighbours lie far apart (steps of the golden section of their
// number). They are the same in every tick, so that they are no state, and their sum is zero.
float sim_nudge(uint32_t substep, uint32_t substeps);
void sim_solve_once(struct sim *sim); // all constraints, in their order, by this thread

// rows.c
bool sim_rows_reserve(struct sim *sim, uint64_t need);             // rows of all bodies together
void sim_place(struct sim *sim, uint32_t row, const int64_t x[3]); // position, at a tick boundary
// A row that had no part in the last substep: it set out from where it is, and stayed.
void sim_rested(struct sim *sim, uint32_t row);
// Where the body was made, as fast as it was.
void sim_place_at_start(struct sim *sim, const struct sim_body *body, uint32_t index);

struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index);

// plan.c
bool sim_plan_reserve(struct sim *sim, uint32_t more_tiles, uint32_t more_chunks);
void sim_plan_rebuild(struct sim *sim); // the room must be there

// keyframes.c
#define SIM_AGE_MAX ((UINT64_C(1) << 53) - 1) // ticks: what a double holds
void sim_drives_run(struct sim *sim);         // moves targets: a tick begins
void sim_drives_move(struct sim *sim);        // how far they have come in this substep
void sim_drives_stop(
    struct sim *sim); // a tick is over, or a motion came or went: how colliders are turned now
void sim_drives_reset(struct sim *sim); // they begin again
// drives.c
void sim_drives_forget(struct sim *sim, uint32_t collider,
                       uint32_t body); // of a thing that goes; the other is 0
void sim_drives_destroy(struct sim *sim);

// image_history.c: gives a new body's constraints of one kind the places and values that history says.
enum sim_status sim_history_apply(struct sim *sim, struct sim_body *body, enum sim_kind kind,
                                  const struct sim_image_history *history, struct sim_fault *fault);
// What an image says of one constraint; values->params are set already where it has a rest shape.
enum sim_status sim_image_values(const struct sim *sim, enum sim_kind kind, uint32_t i,
                                 const struct sim_constraint_values *given, struct sim_values *values,
                                 struct sim_fault *fault);

// collider.c
// Where colliders are in this substep, from 1 on.
void sim_shapes_begin(struct sim *sim); // of a tick
void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps);
// The rotation that motions make of one that the shape stands at.
void sim_shape_turn(const struct sim_shape *shape, const double rotation[4], double out[4]);
// from and to are such rotations: back to what the shape stands at.
void sim_shape_unturn(struct sim_shape *shape);

// Slots for every row where several iterations must remember what a contact did. False without memory.
bool sim_contacts_reserve(struct sim *sim, uint32_t iterations, uint32_t shapes);

// What four particles amount to; offsets are x1 - x0, x2 - x0, x3 - x0 in m. Used for rest values and for
// measuring as well, so that a body at rest has no error at all.
float sim_dihedral_angle(const float offsets[3][3]); // rad, signed
// What of params the kind stores (struct sim_values); false if it has no area.
bool sim_bend_stencil(enum sim_kind kind, const double offsets[3][3], float params[4]);
float sim_volume_of(const float offsets[3][3]); // m^3, signed

// Place after `done` of `steps` equal steps on the way from one coordinate to another.
static inline int64_t sim_between(int64_t from, int64_t to, uint32_t done, uint32_t steps)
{
    int64_t way = to - from;
    int64_t whole = way / steps, rest = way % steps;
    return from + whole * done + rest * (int64_t)done / steps;
}

static inline float sim_inverse_mass_of(const struct sim *sim, uint32_t row)
{
    return sim->weights != NULL ? sim->weights[row] : sim->rows[row].w;
}

// still.c
// Rows that a task is about to change: of velocities when a tick begins, of positions when it ends.
void sim_still_velocities(const struct sim *sim, uint32_t first_row, uint32_t count);
void sim_still_positions(const struct sim *sim, uint32_t first_row, uint32_t count);
void sim_still_velocities_done(const struct sim *sim); // of all rows
void sim_still_positions_done(const struct sim *sim);

// image.c: memory that goes with the image; NULL without. Nothing asked for is something all the same.
void *sim_image_block(struct sim_image *image, uint64_t count, size_t item_size);
// image_grab.c
enum sim_status sim_image_grab_make(struct sim *sim, const struct sim_image_grab *given, int64_t most,
                                    struct sim_fault *fault);

// Whole coordinate of a row whose low word is `low`, close to where the tick began.
static inline int64_t sim_whole(const struct sim *sim, uint32_t row, uint32_t axis, int32_t low)
{
    int64_t start = sim->positions[row][axis];
    return start + sim_wrap_sub(low, (int32_t)(uint32_t)(uint64_t)start);
}

#endif
