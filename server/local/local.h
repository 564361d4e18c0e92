// A server within the calling program, on the calling thread. It is weftd from the dispatcher down, without sockets, threads, options
// or signals. A browser page uses it as its server, and the simulator of the tests runs many of them. One thread at a time uses
// a server and its peers.
//
//     peer ──local_peer_receive, _feed──▶ server ──sent──▶ peer ──local_peer_taken──▶ server
//
// Peers connect to it, and it connects to others if servers share worlds (local_options.dial): each such connection is a
// peer too.
//
// It does nothing by itself. The caller calls local_server_turn whenever it gave the server something, and at the time that
// local_server_turn returned. Time comes from base/clock.h and random numbers from base/random.h: a program can link
// its own functions in their place. Nothing is static, so a process may have any number of servers.
#ifndef WEFT_LOCAL_LOCAL_H
#define WEFT_LOCAL_LOCAL_H

#include "dispatch/dispatch.h"
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
    // limits.sessions and limits.worlds must be set. For the others 0 means the value in api.json, except
    // that limits.session_grace (seconds) 0 means that no session outlives its connection.
    struct dispatch_limits limits;
    struct dispatch_quotas quotas;
    // Bound of the unfinished messages of all peers together; 0: as in api.json.
    uint64_t receive_bytes;
    bool loopback_too; // limits.sessions_per_address also holds for peers on loopback

    // How long and how much of the past is kept, and how long deleted worlds can be restored.
    uint64_t keep_seconds, keep_bytes, bin_seconds;
    const char *folder; // folder that keeps worlds; NULL: memory
    // Opens the store in place of store_open; NULL: store_open does.
    struct store *(*open_store)(void *context, const struct store_options *options,
                                struct store_error *error);
    // Called when the store failed, so that it is unknown what it holds: the server must be destroyed. NULL: the
    // process ends.
    void (*on_store_failure)(void *context, const char *text);
    // Joins servers that share worlds. The server owns the result. A NULL result with a text: the server
    // cannot be created. A NULL function: the server is alone.
    struct host_lease *(*join)(void *context, struct net_loop *loop, struct store *store,
                               char text[LOCAL_TEXT_SIZE]);
    // Connects the server to another, at the address by which that one joined, to ask it for a world. Fills in *other
    // as for local_peer_connect. peer is the handle of the connection: bytes of the other server are fed by it, and it
    // is disconnected if the other server does not answer. Bytes of this server may come at once. Must not call the
    // server. False: no server has that address. A NULL function: it connects to no server.
    bool (*dial)(void *context, const char *address, struct local_peer *peer,
                 struct local_peer_options *other);
    // Tokens and roles; NULL: the server asks for no tokens. The caller owns it, and must destroy it after the server.
    struct access *access;
    struct access_audit *audit; // the same for the audit log; NULL: none
    void *context;              // for the four functions
};

// Creates a server and brings back what its store has. NULL with a text.
struct local_server *local_server_create(const struct local_options *options, char text[LOCAL_TEXT_SIZE]);
// Ends every peer without a word, and frees the server. All handles of peers become invalid. NULL is allowed.
void local_server_destroy(struct local_server *server);

// Does what is due, and one turn of a world. Returns the time (base_now_ns) at which it must be called next; 0: at once;
// UINT64_MAX: only after a peer did something.
uint64_t local_server_turn(struct local_server *server);

struct local_counts {
    uint32_t sessions, worlds, views; // `worlds` includes the views
    uint64_t unsent_bytes;            // bytes queued for all sessions and not sent
    uint32_t unanswered;              // requests
    size_t kept_bytes;                // bytes kept for sessions that are away
    uint64_t frame_bytes;             // bytes of frames that are alive
    uint64_t message_bytes;           // bytes of messages that are not applied yet
    uint64_t store_bytes;             // bytes that the store takes
};
// Fills *counts with the present values.
void local_server_counts(struct local_server *server, struct local_counts *counts);

// ---------------------------------------------------------------------------------------------------------
// Peers

// A piece of a message.
struct local_part {
    const uint8_t *bytes;
    size_t size;
};

struct local_peer_options {
    const char *address; // for the log
    uint64_t origin;     // the same number for peers that count as one address
    bool loopback;       // it counts as a peer on loopback
    // Called during the server's turn, or during a call for the peer. Neither callback may call the server.
    void (*sent)(void *context, const struct local_part *parts, uint32_t count); // one whole message
    // The server ended the connection; end is an enum net_end. Nothing more is sent.
    void (*closed)(void *context, uint32_t end, const char *reason);
    void *context;
};

// Connects a peer. The handle lasts until local_peer_disconnect, even if the server ended the connection.
// NULL: the peer is refused, and may have been told why.
struct local_peer *local_peer_connect(struct local_server *server, const struct local_peer_options *options);
// Ends a connection that is lost, or frees one that has ended. Must not be called from `sent` or `closed`;
// `closed` is not called. NULL is allowed.
void local_peer_disconnect(struct local_peer *peer);

// Gives the server one message, as from a WebSocket. Takes the bytes, which are malloc'd. A peer uses this or
// local_peer_feed, never both.
void local_peer_receive(struct local_peer *peer, uint8_t *bytes, size_t size);
// Gives the server bytes as from TCP: messages one after another, in pieces of any size. Copies the bytes.
void local_peer_feed(struct local_peer *peer, const uint8_t *bytes, size_t size);
// Whether the server wants more bytes of the peer now. If not, bytes that are fed wait in memory, which the caller has to bound.
bool local_peer_is_read(const struct local_peer *peer);
// Says that the peer sends no more. It still takes messages.
void local_peer_end(struct local_peer *peer);
// Says that the peer has taken `count` more messages, the oldest first. Until then they count as unsent.
void local_peer_taken(struct local_peer *peer, uint32_t count);

#endif
