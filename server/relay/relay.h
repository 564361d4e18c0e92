// Worlds that other servers run, for sessions that know nothing of that. What a session asks of such a world is passed on to the server
// that runs it, over a connection that is this session's alone, and what comes back is passed on to the session.
//
//     session ── call ──▶ here? no ─▶ where ─▶ line of this session to that server ══ its own session there ══▶ world
//             ◀── answers, notifications, frames: another msgid, ids of sessions and streams exchanged, else as they came
//
// - Who it is there is what it said here: the same user, program and token, which the other server looks at for itself. So nobody may
//   more through this server than without it.
// - Messages wait where the next one can take no more: a session that does not read stops its line from being read, and the server
//   there leaves out frames as for anybody who is slow; a line that takes nothing stops its session from being read.
// - Streams that lose frames where they must, of whole ticks, whose frames stand alone (f32, q16), are shared: there is one there for
//   all sessions here that asked for the same, on a line of its own, and its frames are given out as those of worlds are that run
//   here. Who may see it is asked there for each. All others, and those that are changed (stream.set), are their session's alone.
// - A server that cannot be reached is looked for again for a while, since another may run its worlds by then. What was sent to one
//   that is lost is answered with an error, for nobody knows whether it was done; where the session had joined a world there, or had a
//   stream, its connection is cut: a client that goes on with it (session.hello {resume}) is told what to join again.
// - A server that speaks TLS is spoken to by TLS, and has to be the one that the address names. If it is not, if nobody vouches for its
//   certificate, or if it does not take this server's, nothing is passed on to it for a while: then this server says where its worlds are.
// - Two servers may think otherwise of where a world is for a moment, as when it has just moved. What was passed on here waits a
//   while for its world to come; then it is passed on again. What was passed on PROTOCOL_LIMIT_PASSED_HOPS times waits only. So a
//   circle ends.
//
// Loop thread only.
#ifndef WEFT_RELAY_RELAY_H
#define WEFT_RELAY_RELAY_H

#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct dispatch_elsewhere;
struct dispatch_place;
struct host_session;
struct host_sessions;
struct net_loop;
struct net_tls;
struct relay;

struct relay_options {
    struct net_loop *loop;
    struct host_sessions *sessions;
    const struct net_tls *tls;  // net_tls_create_trust; NULL: nothing is passed on to servers that speak TLS
    struct base_budget *budget; // what is passed on is charged to it until it is sent; NULL: to none
    struct base_budget *frames; // of all worlds, which shared streams are charged to as well; NULL: to none
    uint32_t connections;       // to other servers at a time; 0: 1024
    uint32_t silence_ms;        // after which a server that owes something is lost in any case; 0: 10 s
    uint32_t patience_ms;       // that calls wait for one that can be reached; 0: 8 s
    uint32_t distrust_ms;       // for so long a server is left alone that is not the right one; 0: 10 s
    uint64_t frame_bytes;   // of shared streams, as long as anybody holds them; 0: PROTOCOL_LIMIT_FRAME_BYTES
    uint64_t message_bytes; // of one message that comes; 0: PROTOCOL_LIMIT_DOCUMENT_BYTES
    // Which server runs a world. False: this one, or none.
    bool (*where)(void *context, const struct protocol_ref *world, struct dispatch_place *place);
    void *context;
    // Handles a message that waited for another server, and is for this one by now; takes the bytes (malloc'd). As dispatch_again.
    void (*again)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    void *again_context;
};

// NULL, with a log line, without memory.
struct relay *relay_create(const struct relay_options *options);
void relay_stop(struct relay *relay);    // nothing more is passed on; calls that wait are refused
void relay_destroy(struct relay *relay); // when the loop has ended; NULL is allowed

// The face by which dispatch asks about calls for worlds that are not here; lasts as long as the relay.
const struct dispatch_elsewhere *relay_elsewhere(const struct relay *relay);

// As host_sessions_options want them.
void relay_session_drained(struct relay *relay, struct host_session *session);
void relay_session_away(struct relay *relay, uint32_t session, bool away);
void relay_session_ended(struct relay *relay, uint32_t session);

#endif
