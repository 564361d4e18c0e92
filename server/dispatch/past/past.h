// The room that looks into the past of worlds. Most of it is methods of class server (call.h); what else of it is asked for stands here.
// look.h has what its files share. Loop thread only.
#ifndef WEFT_DISPATCH_PAST_PAST_H
#define WEFT_DISPATCH_PAST_PAST_H

#include <stdbool.h>

struct dispatch_call;
struct dispatch_server;
struct host_world;

// Whether the memory of a world has forgotten the records that world.records asks for, which the store may have. params is the generated
// struct.
bool dispatch_past_forgotten(const struct dispatch_server *server, const struct host_world *world,
                             const void *params);
// Answers world.records from the store, as a method of class server does.
bool dispatch_past_records(struct dispatch_call *call);

// Ends all that shows the past to sessions: one seeker for each session and world. When the loop has ended.
void dispatch_past_seekers_destroy(struct dispatch_server *server);

#endif
