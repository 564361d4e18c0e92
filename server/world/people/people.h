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

struct world_people;

void world_people_deinit(struct world_people *people);
uint32_t world_people_count(const struct world_people *people);
// Returns the members, by ascending session.
const struct world_member *world_people_members(const struct world_people *people, uint32_t *count);
// Whether a member uses this mode of arrays.
bool world_people_use(const struct world_people *people, enum protocol_arrays_mode mode);
// False if memory runs out.
bool world_people_join(struct world_people *people, const struct world_asker *asker);
// Whether the asker is a member already under another name or with another program.
bool world_people_renamed(const struct world_people *people, const struct world_asker *asker);
// Removes a member. False: it was none.
bool world_people_leave(struct world_people *people, uint32_t session);
// Returns the holders, by ascending grab.
const struct world_holder *world_holders_all(const struct world_people *people, uint32_t *count);
// Returns a number that changes with each change of the holders.
uint64_t world_holders_version(const struct world_people *people);
// Makes room for one more holder. False if memory runs out.
bool world_holders_reserve(struct world_people *people);
void world_holders_add(struct world_people *people, uint32_t grab, const struct world_asker *asker);
void world_holders_remove(struct world_people *people, uint32_t grab);
// Finds the holder of a grab. NULL: there is none.
struct world_holder *world_holders_find(const struct world_people *people, uint32_t grab);
// Gives a stray to the asker's session.
void world_holders_adopt(struct world_people *people, struct world_holder *holder,
                         const struct world_asker *asker);
// Drops the holders of grabs that the sim has ended.
void world_holders_match(struct world_people *people, const struct sim *sim);
// Returns the name of the holder's user, or "session N".
const char *world_holder_name(const struct world_holder *holder, char out[80]);

#endif
