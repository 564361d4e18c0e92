// Grabs that go on when a world moves to another server. The sessions that held them are at the server before; nobody here
// holds them until somebody of the same person moves or ends one.
//
//     moved here ──▶ stray ──grab.move, grab.end of the same person──▶ that session's
//                      │ ten seconds, unless the person has joined
//                      ▼
//                    dropped
//
// A person is known by name, as everywhere. A person without a name is called by its session, which has another number here:
// so its strays go to the first session without a name that asks for one.
#ifndef WEFT_WORLD_STRAYS_H
#define WEFT_WORLD_STRAYS_H

#include "world/people.h"
#include "world/world.h"

// Before the first turn: those of the document's grabs that are held become strays, all others are dropped.
void world_strays_take(struct world *world, const struct world_held *held, uint32_t count);
// Whether that holder is a stray of the asker's person.
bool world_stray_is_of(const struct world_holder *holder, const struct world_asker *asker);
// It is the asker's from now on.
void world_stray_adopt(struct world *world, struct world_holder *holder, const struct world_asker *asker);
// At a boundary: drops those that have waited for too long.
void world_strays_turn(struct world *world, uint64_t now_ns);
uint64_t
world_strays_next(const struct world *world); // when that is to be looked at; UINT64_MAX: not by itself

#endif
