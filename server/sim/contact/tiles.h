// Contacts that push, in tiles of neighbours: which threads take one by one.
//
//     scan ─▶ slices ─▶ tiles ─deal─▶ batches ─▶ colours of tiles ─▶ push, as often as is wanted ─▶ remember
//
// A tile is the contacts of some slices of one list of an island that follow each other. Its batches lie side by side, so that what it pushes
// stays in a cache. The order is: tile colour, tile, colour, batch. Tiles of one colour share no free row, so threads may take
// them in any order. All of it follows from the lists, whatever the number of threads.
//
// Which rows a tile has is told by blocks of rows that lie side by side: tiles of one colour share no block. A tile whose contacts
// are of too many blocks, or that finds no colour, is pushed alone, after the others.
#ifndef WEFT_SIM_CONTACT_TILES_H
#define WEFT_SIM_CONTACT_TILES_H

#include "sim/contact/meet.h"

// Deals out what touches in an island, as its slices have it. It is pushed, and remembered, until tiles are made again.
void sim_tiles_make(struct sim *sim, struct sim_island *island);
void sim_tiles_push(struct sim *sim, struct sim_island *island, uint32_t passes);
// Writes what is left of slip into the slips.
void sim_tiles_remember(struct sim *sim, struct sim_island *island);

#endif
