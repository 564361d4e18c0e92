// The part of a world that lists its members and the holders of grabs. Only files of this room and world.c see it. Simulation thread.
#ifndef WEFT_WORLD_PEOPLE_PART_H
#define WEFT_WORLD_PEOPLE_PART_H

#include "world/people/people.h"

struct world_people {
    struct world_member *members; // by ascending session
    uint32_t member_count, member_capacity;
    uint32_t modes[WORLD_ARRAYS_MODES]; // number of members that use each mode
    struct world_holder *holders;       // by ascending grab
    uint32_t holder_count, holder_capacity;
    uint64_t holders_version; // counts changes of the holders
};

#endif
