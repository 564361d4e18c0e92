// Sessions: session.hello with a token, or to go on with another connection (resume.c), and what people say of themselves
// (presence.c). Loop thread only.
#ifndef WEFT_DISPATCH_HELLO_HELLO_H
#define WEFT_DISPATCH_HELLO_HELLO_H

#include "protocol/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dispatch_call;
struct dispatch_server;
struct host_session;

enum dispatch_hello_token { DISPATCH_HELLO_GOOD, DISPATCH_HELLO_REFUSED, DISPATCH_HELLO_LATER };
// A call showed a secret that is good for nothing: refuses it after a while, the longer the more often, and ends the session. LATER: it
// will be answered; REFUSED: at once, without memory.
enum dispatch_hello_token dispatch_hello_fail(struct dispatch_call *call, const char *field,
                                              const char *text);
void dispatch_hello_stop(struct dispatch_server *server); // refuses all that wait, when the loop has ended

// A message came, which may be a request: the session remembers that, if it is one that is kept.
void dispatch_hello_asked(struct host_session *session, const uint8_t *bytes, size_t size);

// In the call's zone.
struct dispatch_hello_resumed {
    struct protocol_array lost, rejoin; // as in the result
};
// If the parameters of session.hello name a session that can be gone on with, that is the call's session from now on, and
// *resumed says what of it; else *resumed is NULL. False: refused. dispatch_call.after sends what was missed.
bool dispatch_hello_resume(struct dispatch_call *call, const struct dispatch_hello_resumed **resumed);

#endif
