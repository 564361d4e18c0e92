// The room for the past of worlds. Most of it is methods of class server (call.h); other files of dispatch call only these functions.
// look.h has what its files share. Loop thread only.
#ifndef WEFT_DISPATCH_PAST_PAST_H
#define WEFT_DISPATCH_PAST_PAST_H

#include <stdbool.h>

struct dispatch_call;
struct dispatch_server;
struct host_world;

// Whether a world no longer has the records that world.records asks for in its memory, so that only the store may have them. params is
// the generated struct of world.records.
bool dispatch_past_forgotten(const struct dispatch_server *server, const struct host_world *world,
                             const void *params);
// Answers world.records from the store, as a method of class server does.
bool dispatch_past_records(struct dispatch_call *call);

// Frees the seekers, once the loop has ended. A seeker makes the view of one world's past for one session.
void dispatch_past_seekers_destroy(struct dispatch_server *server);

#endif
