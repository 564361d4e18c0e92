// The way of a message through the server. Loop thread only.
#ifndef WEFT_DISPATCH_MESSAGE_H
#define WEFT_DISPATCH_MESSAGE_H

#include "dispatch/call.h"
#include "dispatch/dispatch.h"

struct base_buffer;
struct dispatch_job;

struct dispatch {
    struct dispatch_server server;
    struct base_buffer *limits; // bytes of server.limits
    struct dispatch_job *away;  // large messages that have a worker, or wait for one
};

// Refuses the large messages that are under way. No session waits for them any more.
void dispatch_message_stop(struct dispatch *dispatch);

#endif
