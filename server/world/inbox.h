// What the loop posts to a world, and how it is taken.
#ifndef WEFT_WORLD_INBOX_H
#define WEFT_WORLD_INBOX_H

#include "world/world.h"

enum { WORLD_DRAIN_MAX = 4096 }; // messages taken in one turn

// What the loop posts to a world, by value.
enum world_message_kind {
    WORLD_MESSAGE_REQUEST,
    WORLD_MESSAGE_GONE,     // a session is gone
    WORLD_MESSAGE_SHUTDOWN, // the server goes down
    WORLD_MESSAGE_DOCUMENT, // of a view: another one is to be shown
    WORLD_MESSAGE_END,      // of a view, of what is not kept, or of what goes on elsewhere
};

struct world_message {
    enum world_message_kind kind;
    uint32_t session;              // GONE
    struct world_request *request; // REQUEST: owned
};

bool world_inbox_drain(struct world *world);   // true: there is more to do at once
void world_inbox_destroy(struct world *world); // requests that nobody will answer

#endif
