// The room for session.hello: tokens, sessions that go on with a new connection (resume.c), and what persons show of themselves to
// others (presence.c). Loop thread only.
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
// Refuses a call with a wrong token or invitation (DENIED), and ends its session. The answer comes after a delay, which doubles with
// each failure from the same address. Returns LATER, or REFUSED if it answers at once because memory runs out.
enum dispatch_hello_token dispatch_hello_fail(struct dispatch_call *call, const char *field,
                                              const char *text);
void dispatch_hello_stop(struct dispatch_server *server); // answers delayed calls, once the loop has ended

// Notes the id of a request that came, if the session can be resumed: it may have to say later which requests got lost.
void dispatch_hello_asked(struct host_session *session, const uint8_t *bytes, size_t size);

// Parts of the result of session.hello. The arrays are in the call's zone.
struct dispatch_hello_resumed {
    struct protocol_array lost, rejoin;
};
// If the parameters of session.hello name a session that can be resumed, makes it the call's session and sets *resumed. Else *resumed
// is NULL. False with the error set. dispatch_call.after then sends the answers and messages that the client missed.
bool dispatch_hello_resume(struct dispatch_call *call, const struct dispatch_hello_resumed **resumed);

#endif
