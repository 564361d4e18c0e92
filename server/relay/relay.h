// Lets sessions use worlds that other servers run, without knowing it. The relay passes a session's calls on to the server that runs
// the world, over a connection that belongs to this session (a line), and passes back what comes.
//
//     session ── call ──▶ here? no ─▶ where ─▶ line of this session to that server ══ its own session there ══▶ world
//             ◀── answers, notifications, frames: msgid and ids of sessions and streams are translated, the rest is as it came
//
// - Identity: the session says there what it said here: user, program and token. The other server checks the token itself, so nobody
//   gets more rights through this server than without it.
// - Flow control: if a session does not read, its line is not read, and the other server drops frames as for any slow reader. If a
//   line takes no more, its session is not read.
// - Shared streams: sessions that ask for the same stream share one, on a line of its own, if it may drop frames, has whole ticks, and
//   its frames stand alone (f32, q16). Its frames are given out like those of a world that runs here. The other server is asked for
//   each session whether it may see the world. Every other stream, and one that stream.set changes, belongs to its session.
// - Failure: a server that cannot be reached is tried again for a while, and looked up again, because another may run its worlds by
//   then. If a line is lost, calls that were sent are answered with an error, because nobody knows whether they were applied. If the
//   session had joined a world or had a stream there, its own connection is cut; a client that resumes is told what to join again.
// - Trust: a server that uses TLS must have a valid certificate for its address. If it has not, or does not accept this server's
//   certificate, nothing is passed on to it for a while; its worlds are answered with MOVED instead.
// - Loops: two servers may disagree for a moment about where a world is, for example just after a move. A call that was passed on to
//   this server waits a while for its world to come, and is then passed on again. After PROTOCOL_LIMIT_PASSED_HOPS times it only waits.
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
    const struct net_tls *tls;  // of net_tls_create_trust; NULL: nothing is passed on to servers that use TLS
    struct base_budget *budget; // messages are charged to it until they are sent; NULL: none
    struct base_budget *frames; // the server's budget for frames, for shared streams too; NULL: none
    uint32_t connections;       // most connections to other servers; 0: 1024
    uint32_t silence_ms;        // a server that owes something and says nothing for so long is lost; 0: 10 s
    uint32_t patience_ms;       // how long calls wait for a server that can be reached; 0: 8 s
    uint32_t distrust_ms;       // how long nothing is passed on to a server that is not trusted; 0: 10 s
    uint64_t frame_bytes;       // bound of the frames of shared streams; 0: PROTOCOL_LIMIT_FRAME_BYTES
    uint64_t message_bytes;     // bound of one message from another server; 0: PROTOCOL_LIMIT_DOCUMENT_BYTES
    // Finds the server that runs a world. False if this one does, or none (dispatch_where).
    bool (*where)(void *context, const struct protocol_ref *world, struct dispatch_place *place);
    void *context;
    // Handles a message that waited for another server, but whose world is here now; takes the malloc'd bytes (dispatch_again).
    void (*again)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    void *again_context;
};

// NULL, with a log line, if memory runs out.
struct relay *relay_create(const struct relay_options *options);
void relay_stop(struct relay *relay);    // passes nothing on from now on, and refuses the calls that wait
void relay_destroy(struct relay *relay); // once the loop has ended; NULL is allowed

// The functions for dispatch_pass_through. They last as long as the relay.
const struct dispatch_elsewhere *relay_elsewhere(const struct relay *relay);

// These are called when a session's unsent bytes have drained, its connection is lost or back, or it has ended
// (host_sessions_options).
void relay_session_drained(struct relay *relay, struct host_session *session);
void relay_session_away(struct relay *relay, uint32_t session, bool away);
void relay_session_ended(struct relay *relay, uint32_t session);

#endif
