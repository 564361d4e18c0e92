// Handles strays: grabs that go on when a world moves to another server. The sessions that held them are at
// the previous server. A stray has no holder here until a session of the same person moves or ends it.
// Simulation thread.
//
//     moved here ──▶ stray ──grab.move, grab.end of the same person──▶ that session's
//                      │ ten seconds, unless the person has joined
//                      ▼
//                    dropped
//
// A person is known by name, as everywhere. A person without a name is known by the session's number, which
// is another one here. So their strays go to the first session without a name that asks for one.
#ifndef WEFT_WORLD_STRAYS_H
#define WEFT_WORLD_STRAYS_H

#include "world/people/people.h"
#include "world/world.h"

// Makes strays of the document's grabs that are in `held`, and drops all others. Before the first turn.
void world_strays_take(struct world *world, const struct world_held *held, uint32_t count);
// Whether the holder is a stray of the asker's person.
bool world_stray_is_of(const struct world_holder *holder, const struct world_asker *asker);
// Gives the stray to the asker's session.
void world_stray_adopt(struct world *world, struct world_holder *holder, const struct world_asker *asker);
// Drops strays that have waited for too long, at a boundary.
void world_strays_turn(struct world *world, uint64_t now_ns);
// Returns when strays are to be looked at next; UINT64_MAX: at no set time.
uint64_t world_strays_next(const struct world *world);

#endif
