// Places of constraints, and their memory: colours, batches, shelves, and the plan of what a substep runs.
#ifndef WEFT_SIM_STORE_STORE_H
#define WEFT_SIM_STORE_STORE_H

#include "sim/state/state.h"

struct sim_coloring {
    uint32_t tile_count;
    uint16_t *tile_colors;
    uint32_t *tiles; // of each constraint
    uint8_t *colors; // of each constraint, SIM_SERIAL at most
    // Constraints by tile, in order of id within each: those of tile t are starts[t] ... starts[t + 1] of list.
    uint32_t *starts, *list;
};

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
// The next functions edit a tile: they place, change and vacate. Reserve room for so many batches in store and tile first, and
// call sim_stores_settle once all is done: until then the order may have gaps and be unsorted.
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

// plan.c
bool sim_plan_reserve(struct sim *sim, uint32_t more_tiles, uint32_t more_chunks);
void sim_plan_rebuild(struct sim *sim); // the room must be there

#endif
