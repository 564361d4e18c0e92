// Holds what the loop posts to a world, and takes it out.
#ifndef WEFT_WORLD_INBOX_H
#define WEFT_WORLD_INBOX_H

#include "world/world.h"

enum { WORLD_DRAIN_MAX = 4096 }; // messages that one turn takes at most

// Kinds of messages from the loop to a world.
enum world_message_kind {
    WORLD_MESSAGE_REQUEST,
    WORLD_MESSAGE_GONE,     // a session is gone
    WORLD_MESSAGE_SHUTDOWN, // the server goes down
    WORLD_MESSAGE_DOCUMENT, // a view is to show another document
    // A view ends, or a world that is not kept, or one that goes on at another server.
    WORLD_MESSAGE_END,
};

struct world_message {
    enum world_message_kind kind;
    uint32_t session;              // for GONE
    struct world_request *request; // for REQUEST; owned
};

// Takes messages for a bounded time and applies requests. True: it wants another turn at once.
bool world_inbox_drain(struct world *world);
bool world_inbox_create(struct world *world, uint32_t sessions); // false if memory runs out
void world_inbox_destroy(struct world *world);                   // destroys requests that nobody will answer

#endif
