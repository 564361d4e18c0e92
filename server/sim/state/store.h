// Constraints in memory.
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
#ifndef WEFT_SIM_STATE_STORE_H
#define WEFT_SIM_STATE_STORE_H

#include "sim/state/rows.h"

// Stores beyond the kinds of constraints: triangles for the wind, coloured and batched like constraints.
enum { SIM_GUSTS = SIM_KIND_COUNT, SIM_STORE_COUNT };

enum sim_flavor {
    SIM_PLAIN,  // XPBD with compliance
    SIM_DAMPED, // and damping
    SIM_STIFF,  // plain PBD with stiffness
    SIM_FLAVOR_COUNT,
};

enum { SIM_PARAMS_MAX = 9 };   // that sim_values has
enum { SIM_PARAMS_MOST = 36 }; // that any kind has

// One constraint without its rows.
struct sim_values {
    // The rest value or the rest shape of the kind (sim_kind_row.at_rest).
    float params[SIM_PARAMS_MAX];
    float compliance;
    float damping;
    float stiffness; // negative: none
    // Params from SIM_PARAMS_MAX on, of a kind that has more. NULL: those that it has stay, and new ones are 0.
    const float *more;
};

struct sim_crease; // body.h

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
    float hard,
        soft; // factors of rest lengths that edges without, and with, compliance are limited to; 0: no limits
    float past;       // greatest excess over a limit in the sweep under way, quanta
    bool again;       // it is swept again for its limits
    float drag, lift; // of triangles: coefficients of their body. Known once a tick with air has begun
    bool bent;        // its constraints are solved with the whole body, and not swept
    bool direct;      // its constraints are solved with the whole chain of a rod, and not swept
    bool calm;        // of edges: their body is
    bool asleep;      // its body is; of loose constraints: all bodies that they hold are
    bool partly; // of loose constraints: some of these bodies are, and sim.loose_sleepers says which lanes
    const struct sim_crease
        *crease;    // of its body, if its constraints flow; else NULL. Known once a tick has begun
    bool creased;   // one of them flowed in the tick under way
    uint32_t moves; // constraints that an edit moves to other batches; 0 between edits
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
    uint32_t stencil, param_count; // params: of the kind, its scratch, then compliance (XPBD) or k' (stiff)
    uint32_t value_count;          // params that sim_values has
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

enum { SIM_MULTIPLIERS_MAX = 3 }; // greatest multiplier_count

struct sim_stage {
    uint32_t kind;
    uint32_t first_tile, tile_count; // of sim.tiles
    bool damped;                     // in this tick: some of them are
};

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

// Only a damped store has it.
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

// The rows of one corner of a batch's constraints, times SIM_ROW_BYTES.
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

#endif
