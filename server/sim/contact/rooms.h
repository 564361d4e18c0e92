// Rooms: the parts of the memory for pairs that islands have.
//
// How many pairs an island may have depends on its bodies alone, so that what does not fit in one island is nothing to another. For
// all islands that some bodies may come to, the rooms of these bodies are enough.
#ifndef WEFT_SIM_CONTACT_ROOMS_H
#define WEFT_SIM_CONTACT_ROOMS_H

#include "sim/contact/meet.h"

// What bodies have that pairs are made of.
struct sim_room_for {
    uint64_t vertices[SIM_PAIR_KINDS], elements, edges;
};

void sim_room_add(struct sim_room_for *bodies, const struct sim_features *features);
// Pairs of a kind that an island of these bodies may have.
uint64_t sim_room_of_island(const struct sim_room_for *bodies, enum sim_pair_kind kind);
// Adds what there has to be memory for because of a body.
void sim_room_of_body(const struct sim_features *features, struct sim_room *room);

// Gives each island its room. Those that were kept have their pairs in it; the others have none yet.
void sim_rooms_share(struct sim_meet *meet);

#endif
