// Calls for worlds that other servers run: whoever puts the server together knows what becomes of them.
#ifndef WEFT_DISPATCH_ROUTE_ELSEWHERE_H
#define WEFT_DISPATCH_ROUTE_ELSEWHERE_H

#include "protocol/generated/api.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dispatch_server;
struct host_session;
struct protocol_error;
struct world_packet;

struct dispatch_passed {
    const uint8_t *bytes; // the message
    size_t size;
    enum protocol_method method;
    bool wants_answer;
    uint32_t msgid;
    struct protocol_ref world; // that it names; or
    uint32_t stream;           // of a world that is not here; 0: none
};

struct dispatch_passed_counts {
    uint32_t lines, shared_lines;     // connections to other servers: of sessions, of streams that many share
    uint32_t streams, shared_streams; // of sessions alone; that many share
    uint32_t viewers;                 // of these
    uint64_t calls, notices, frames;  // passed on
    uint64_t bytes_in, bytes_out;     // of all lines
    uint64_t lost;                    // lines
    uint64_t refused, unanswered;     // calls: refused here; gone down with a line
    uint64_t distrusted;              // times that a server was not who it should be
};

enum dispatch_went {
    DISPATCH_STAYS, // it is for this server
    DISPATCH_PASSED,
    DISPATCH_REFUSED // with *error
};

struct dispatch_elsewhere {
    enum dispatch_went (*pass)(void *context, struct host_session *session,
                               const struct dispatch_passed *passed, struct protocol_error *error);
    // The world is here: what waited for it elsewhere comes first (dispatch_again). False: something that the session asked of
    // it is still with another server, and what it asks now has to come behind that: it is passed on as well.
    bool (*came)(void *context, struct host_session *session, uint32_t world);
    void (*introduced)(void *context, struct host_session *session,
                       const struct protocol_session_hello_params *params); // session.hello
    void (*count)(void *context, struct dispatch_passed_counts *counts);
    void *context;
};

// Of a message whose envelope is known: bytes, size, method, msgid of *passed are set. Only what names a world that is not here, or
// a stream of one, is passed on, and nothing of who goes there by itself (session.hello {follow}).
enum dispatch_went dispatch_pass_on(const struct dispatch_server *server, struct host_session *session,
                                    struct world_packet *packet, struct dispatch_passed *passed,
                                    struct protocol_error *error);
void dispatch_introduced(const struct dispatch_server *server, struct host_session *session,
                         const struct protocol_session_hello_params *params);

#endif
