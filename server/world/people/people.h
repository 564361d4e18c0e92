// Lists the members of a world, and the holder of each grab. Simulation thread.
#ifndef WEFT_WORLD_PEOPLE_H
#define WEFT_WORLD_PEOPLE_H

#include "world/world.h"

enum { WORLD_ARRAYS_MODES = 3 };

struct world_member {
    uint32_t session;
    enum protocol_arrays_mode arrays;
    char user[65];
    char client[65];
};

struct world_holder {
    uint32_t grab, session; // session 0: a stray (strays.h)
    char user[65];
    bool unnamed; // a stray whose person gave no name
};

struct world_people {
    struct world_member *members; // by ascending session
    uint32_t member_count, member_capacity;
    uint32_t modes[WORLD_ARRAYS_MODES]; // number of members that use each mode
    struct world_holder *holders;       // by ascending grab
    uint32_t holder_count, holder_capacity;
    uint64_t holders_version; // counts changes of the holders
    uint64_t strays_until_ns; // when strays end; 0: there were none yet
};

// False if memory runs out.
bool world_people_join(struct world_people *people, const struct world_asker *asker);
// Whether the asker is a member already under another name or with another program.
bool world_people_renamed(const struct world_people *people, const struct world_asker *asker);
// Removes a member. False: it was none.
bool world_people_leave(struct world_people *people, uint32_t session);
// Makes room for one more holder. False if memory runs out.
bool world_holders_reserve(struct world_people *people);
void world_holders_add(struct world_people *people, uint32_t grab, const struct world_asker *asker);
void world_holders_remove(struct world_people *people, uint32_t grab);
// Finds the holder of a grab. NULL: there is none.
struct world_holder *world_holders_find(const struct world_people *people, uint32_t grab);
// Drops the holders of grabs that the sim has ended.
void world_holders_match(struct world_people *people, const struct sim *sim);
// Returns the name of the holder's user, or "session N".
const char *world_holder_name(const struct world_holder *holder, char out[80]);

#endif
