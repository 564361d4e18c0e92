// A server in the process that uses it, on the thread that calls it: all of weftd from its dispatcher down, without sockets, threads,
// options or signals. What a page has as its server, and what the simulator of the tests runs many of.
//
//     peer ──local_peer_receive, _feed──▶ server ──sent──▶ peer ──local_peer_taken──▶ server
//
// Peers connect to it, and it connects to others where servers share worlds (local_options.dial): each such connection is a peer too.
//
// It does nothing by itself: local_server_turn is called as soon as something came, and when the time comes that it said. The time is
// base/clock.h's and random numbers are base/random.h's: a program that links functions of its own in their place decides what a
// server sees of both. Nothing is static, so a process may have any number of servers.
#ifndef WEFT_LOCAL_LOCAL_H
#define WEFT_LOCAL_LOCAL_H

#include "dispatch.h"
#include "dispatch_access.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access;
struct access_audit;
struct host_lease;
struct local_peer;
struct local_peer_options;
struct local_server;
struct net_loop;

enum { LOCAL_TEXT_SIZE = 512 };

struct local_options {
    // limits.sessions and limits.worlds have to be set. Of the others 0 is what api.json says, and of limits.session_grace (seconds)
    // that no session outlives its connection.
    struct dispatch_limits limits;
    struct dispatch_quotas quotas;
    uint64_t receive_bytes; // of messages that came and are not handed up, of all peers; 0: that of api.json
    bool loopback_too;      // limits.sessions_per_address holds for peers on loopback as well

    uint64_t keep_seconds, keep_bytes, bin_seconds; // of the past, and of worlds that were deleted
    const char *folder;                             // where worlds are kept; NULL: in memory
    // Opens the store in place of store_open; NULL: that.
    struct store *(*open_store)(void *context, const struct store_options *options,
                                struct store_error *error);
    // The store failed, and nobody can say what of it is there: the server is to be destroyed. NULL: the process ends.
    void (*on_store_failure)(void *context, const char *text);
    // Joins servers that share worlds; the server owns what it gives. NULL with a text: the server cannot be created. NULL: it is alone.
    struct host_lease *(*join)(void *context, struct net_loop *loop, struct store *store,
                               char text[LOCAL_TEXT_SIZE]);
    // The server connects to another, at the address by which that one joined, to ask it for a world. Fills in *other as for
    // local_peer_connect; peer is the handle of the connection, by which what the other sends is fed, and which is disconnected when
    // nobody answers. What the server sends may come at once. Must not call the server. False: nobody has that address. NULL: it
    // connects to nobody.
    bool (*dial)(void *context, const char *address, struct local_peer *peer,
                 struct local_peer_options *other);
    struct access
        *access; // tokens are asked for; NULL: they are not. The caller's, and has to outlast the server
    struct access_audit *audit; // the same; NULL: nothing is written down
    void *context;              // of the four functions
};

// Brings back what its store has. NULL with a text.
struct local_server *local_server_create(const struct local_options *options, char text[LOCAL_TEXT_SIZE]);
// Ends every peer, without a word, and all handles of peers are invalid. NULL is allowed.
void local_server_destroy(struct local_server *server);

// Does what is due, and of the worlds one turn. Returns the monotonic time in ns of what comes next: 0: at once; UINT64_MAX: nothing
// is due before something comes.
uint64_t local_server_turn(struct local_server *server);

struct local_counts {
    uint32_t sessions, worlds, views; // views are counted among the worlds
    uint64_t unsent_bytes;            // of all sessions
    uint32_t unanswered;              // requests
    size_t kept_bytes;                // of what sessions missed
    uint64_t frame_bytes;             // of frames that are made and not dropped
    uint64_t message_bytes;           // of messages that are not applied yet
    uint64_t store_bytes;
};
void local_server_counts(struct local_server *server, struct local_counts *counts);

// ---------------------------------------------------------------------------------------------------------
// Peers

struct local_part {
    const uint8_t *bytes;
    size_t size;
};

struct local_peer_options {
    const char *address; // as the log has it
    uint64_t origin;     // equal for peers that count as one address
    bool loopback;
    // Called while the server has its turn, or a function of the peer's is called; neither may call the server.
    void (*sent)(void *context, const struct local_part *parts, uint32_t count); // one message, whole
    // The server ended the connection (enum net_end). Nothing is sent any more.
    void (*closed)(void *context, uint32_t end, const char *reason);
    void *context;
};

// The handle lasts until local_peer_disconnect, also when the server ended the connection. NULL: it is refused, and may have been
// told why.
struct local_peer *local_peer_connect(struct local_server *server, const struct local_peer_options *options);
// The connection is lost, or was over; not from sent or closed, and `closed` is not called. NULL is allowed.
void local_peer_disconnect(struct local_peer *peer);

// Two ways in, of which a peer has one. One message as a WebSocket has it: it takes the bytes, which are malloc'd.
void local_peer_receive(struct local_peer *peer, uint8_t *bytes, size_t size);
// Or as TCP has it: messages one behind the other, in pieces of any size. The bytes are copied.
void local_peer_feed(struct local_peer *peer, const uint8_t *bytes, size_t size);
// Whether the server reads now. Who feeds it all the same has to have a bound of their own.
bool local_peer_is_read(const struct local_peer *peer);
// It sends no more, and still looks at what comes.
void local_peer_end(struct local_peer *peer);
// It has looked at so many messages more, the oldest first.
void local_peer_taken(struct local_peer *peer, uint32_t count);

#endif
