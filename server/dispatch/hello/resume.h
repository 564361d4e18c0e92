// Sessions that go on with another connection, as session.hello asks for it.
#ifndef WEFT_DISPATCH_HELLO_RESUME_H
#define WEFT_DISPATCH_HELLO_RESUME_H

#include "protocol/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dispatch_call;
struct host_session;

// In the call's zone.
struct dispatch_resumed {
    struct protocol_array lost, rejoin; // as in the result
};

// A message came, which may be a request: the session remembers that, if it is one that is kept.
void dispatch_asked(struct host_session *session, const uint8_t *bytes, size_t size);
// If the parameters of session.hello name a session that can be gone on with, that is the call's session from now on, and
// *resumed says what of it; else *resumed is NULL. False: refused. dispatch_call.after sends what was missed.
bool dispatch_resume(struct dispatch_call *call, const struct dispatch_resumed **resumed);

#endif
