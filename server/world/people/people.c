// Lists the members of a world, and the holder of each grab.
//
// Invariants: members are in ascending order of session, each once; modes[m] counts the members that chose
// arrays mode m; holders are in ascending order of grab and, between requests, are exactly the grabs of the
// sim.
#include "world/people/people.h"

#include "world/people/part.h"

#include "base/assert.h"
#include "base/search.h"
#include "document/document.h"
#include "protocol/array/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns the index of the first member whose session is not less.
static uint32_t member_place(const struct world_people *people, uint32_t session)
{
    uint32_t place;
    BASE_SEARCH(place, people->member_count, people->members[at].session < session);
    return place;
}

void world_people_deinit(struct world_people *people)
{
    free(people->members);
    free(people->holders);
    *people = (struct world_people){0};
}

uint32_t world_people_count(const struct world_people *people)
{
    return people->member_count;
}

const struct world_member *world_people_members(const struct world_people *people, uint32_t *count)
{
    *count = people->member_count;
    return people->members;
}

bool world_people_use(const struct world_people *people, enum protocol_arrays_mode mode)
{
    return people->modes[mode] > 0;
}

bool world_people_join(struct world_people *people, const struct world_asker *asker)
{
    uint32_t place = member_place(people, asker->session);
    bool again = place < people->member_count && people->members[place].session == asker->session;
    if (!again) {
        if (!array_reserve(&people->members, &people->member_capacity, people->member_count + 1)) {
            return false;
        }
        memmove(people->members + place + 1, people->members + place,
                (people->member_count - place) * sizeof *people->members);
        people->member_count++;
    } else {
        people->modes[people->members[place].arrays]--;
    }
    struct world_member *member = &people->members[place];
    *member = (struct world_member){.session = asker->session, .arrays = asker->arrays};
    memcpy(member->user, asker->user, sizeof member->user);
    memcpy(member->client, asker->client, sizeof member->client);
    member->user[sizeof member->user - 1] = '\0';
    member->client[sizeof member->client - 1] = '\0';
    people->modes[member->arrays]++;
    return true;
}

bool world_people_renamed(const struct world_people *people, const struct world_asker *asker)
{
    const uint32_t place = member_place(people, asker->session);
    if (place == people->member_count || people->members[place].session != asker->session) {
        return false;
    }
    const struct world_member *member = &people->members[place];
    return strcmp(member->user, asker->user) != 0 || strcmp(member->client, asker->client) != 0;
}

bool world_people_leave(struct world_people *people, uint32_t session)
{
    uint32_t place = member_place(people, session);
    if (place == people->member_count || people->members[place].session != session) {
        return false;
    }
    people->modes[people->members[place].arrays]--;
    people->member_count--;
    memmove(people->members + place, people->members + place + 1,
            (people->member_count - place) * sizeof *people->members);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Holders

const struct world_holder *world_holders_all(const struct world_people *people, uint32_t *count)
{
    *count = people->holder_count;
    return people->holders;
}

uint64_t world_holders_version(const struct world_people *people)
{
    return people->holders_version;
}

bool world_holders_reserve(struct world_people *people)
{
    return array_reserve(&people->holders, &people->holder_capacity, people->holder_count + 1);
}

void world_holders_add(struct world_people *people, uint32_t grab, const struct world_asker *asker)
{
    BASE_ASSERT(people->holder_count < people->holder_capacity);
    BASE_ASSERT(people->holder_count == 0 || people->holders[people->holder_count - 1].grab < grab);
    people->holders_version++;
    struct world_holder *holder = &people->holders[people->holder_count++];
    *holder = (struct world_holder){.grab = grab, .session = asker->session};
    memcpy(holder->user, asker->user, sizeof holder->user);
    holder->user[sizeof holder->user - 1] = '\0';
}

struct world_holder *world_holders_find(const struct world_people *people, uint32_t grab)
{
    uint32_t place;
    BASE_SEARCH(place, people->holder_count, people->holders[at].grab < grab);
    return place < people->holder_count && people->holders[place].grab == grab ? &people->holders[place]
                                                                               : NULL;
}

void world_holders_remove(struct world_people *people, uint32_t grab)
{
    struct world_holder *holder = world_holders_find(people, grab);
    BASE_ASSERT(holder);
    size_t after = (size_t)(people->holders + people->holder_count - (holder + 1));
    memmove(holder, holder + 1, after * sizeof *holder);
    people->holders_version++;
    people->holder_count--;
}

void world_holders_adopt(struct world_people *people, struct world_holder *holder,
                         const struct world_asker *asker)
{
    holder->session = asker->session;
    holder->unnamed = false;
    memcpy(holder->user, asker->user, sizeof holder->user);
    people->holders_version++;
}

void world_holders_match(struct world_people *people, const struct sim *sim)
{
    uint32_t grabs = sim_grab_count(sim), position = 0, kept = 0;
    if (grabs == people->holder_count) {
        return; // grabs begin only through world_holders_add
    }
    for (uint32_t i = 0; i < people->holder_count && position < grabs; i++) {
        struct sim_grab grab;
        sim_grab_at(sim, position, &grab);
        if (people->holders[i].grab == grab.id) {
            people->holders[kept++] = people->holders[i];
            position++;
        }
    }
    BASE_ASSERT(kept == grabs);
    people->holders_version++;
    people->holder_count = kept;
}

const char *world_holder_name(const struct world_holder *holder, char out[80])
{
    if (holder->user[0] != '\0') {
        snprintf(out, 80, "%s", holder->user);
    } else {
        snprintf(out, 80, "session %u", holder->session);
    }
    return out;
}
