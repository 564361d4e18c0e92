// The way of a message through the server. Loop thread only.
#ifndef WEFT_DISPATCH_MESSAGE_H
#define WEFT_DISPATCH_MESSAGE_H

#include "dispatch/call.h"
#include "dispatch/dispatch.h"

struct base_buffer;
struct dispatch_job;

struct dispatch {
    struct dispatch_server server;
    struct base_buffer *limits; // the bytes that server.limits points to
    struct dispatch_job *away;  // large messages that a worker decodes or will decode
};

// Refuses the large messages that are being decoded, because the server goes down.
void dispatch_message_stop(struct dispatch *dispatch);

#endif
