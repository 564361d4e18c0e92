// Queues requests that wait in the world, one line for each session, and decides what has to wait. Cleans up after
// sessions that are gone. Simulation thread.
#ifndef WEFT_WORLD_LINES_H
#define WEFT_WORLD_LINES_H

#include "world/world.h"

enum { WORLD_SHARES = 64 };

// A list of the lines, by the first request of each.
struct world_lines {
    struct world_request *first, *last;
    uint32_t count;
};

// Time that a session's requests took in a turn. Two sessions that share a place forget each other's time.
struct world_share {
    uint32_t session;
    uint64_t turn, spent_ns;
};

// Returns the session's share of the present turn.
struct world_share *world_share_of(struct world *world, uint32_t session);
// Returns the first request of a session's line. NULL: none waits.
struct world_request *world_line_of(const struct world_lines *lines, uint32_t session);
// Adds a request to the end of its session's line.
void world_line_add(struct world_lines *lines, struct world_request *request);
// Marks all requests of a line as hurried: their steps end as soon as they begin.
void world_line_hurry(struct world_request *line);
// Whether a request has to wait now.
bool world_must_wait(const struct world *world, const struct world_request *request);
// Applies a request that began at now_ns. Returns the time after it.
uint64_t world_apply_timed(struct world *world, struct world_request *request, uint64_t now_ns);
// Applies waiting requests until end_ns. True: the time is up, and there may be more.
bool world_lines_serve(struct world *world, uint64_t end_ns);
bool world_lines_wait(const struct world *world); // whether a request waits
void world_lines_destroy(struct world_lines *lines);

// Ends the membership, streams and grabs of a session that is gone. No request of the session may wait any more.
void world_session_gone(struct world *world, uint32_t session);

#endif
