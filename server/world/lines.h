// Requests that wait in the world, by session, and what makes them wait.
#ifndef WEFT_WORLD_LINES_H
#define WEFT_WORLD_LINES_H

#include "world/world.h"

enum { WORLD_SHARES = 64 };

// First and last of the lines' first requests.
struct world_lines {
    struct world_request *first, *last;
    uint32_t count;
};

// Time that a session's requests took in a turn. Sessions that fall on the same place forget each other's.
struct world_share {
    uint32_t session;
    uint64_t turn, spent_ns;
};

// What those who joined can still take of notices.
struct world_readers {
    int64_t left; // bytes
    uint64_t filled_ns;
};

void world_readers_refill(struct world_readers *readers, uint64_t now_ns);
struct world_share *world_share_of(struct world *world, uint32_t session);
struct world_request *world_line_of(const struct world_lines *lines, uint32_t session); // NULL: none waits
void world_line_add(struct world_lines *lines, struct world_request *request);
void world_line_hurry(struct world_request *line);
bool world_must_wait(const struct world *world, const struct world_request *request);
// Applies what was begun at now_ns; returns the time after it.
uint64_t world_apply_timed(struct world *world, struct world_request *request, uint64_t now_ns);
bool world_lines_serve(struct world *world, uint64_t end_ns); // true: the time is up, and there may be more
void world_lines_destroy(struct world_lines *lines);

#endif
