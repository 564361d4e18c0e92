// What shows the past to sessions: one for each session and world. Loop thread.
#ifndef WEFT_DISPATCH_PAST_SEEK_H
#define WEFT_DISPATCH_PAST_SEEK_H

struct dispatch_server;

void dispatch_seekers_destroy(struct dispatch_server *server); // when the loop has ended

#endif
