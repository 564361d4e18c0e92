// Shared by the files of net/. Everything runs on the thread of the loop that has the connection. What passes between threads
// are far.h and crew.h, which this knows by name only. far_home.c, which takes calls for connections of other loops, and far_lane.c, which
// is their handler there, stand above all that follows; face.c above them.
//
// Calls go one way: loop.c, share.c, address.c, streams.c, handshake.c, transport.c, which is where bytes leave and enter,
// and outbox.c, which writes, know nothing of connections' lives; conn.c reads, as often as share.c lets it, and decides
// about life and death; accept.c begins connections. Only the framing knows what the bytes mean: it is one of three, which
// the listener's service gives a connection, and the plainest of them stands in conn.c. listener.c accepts; stop.c cuts
// all that is left.
//
//                      in                                        out
//     conn.c           MessagePack messages, one after another   as they are           (TCP)
//     http.c           heads of requests                         as they are           (HTTP, until /ws)
//     websocket.c      frames, in them MessagePack messages      a header of 2 to 10 bytes in front of each
//
// http.c also is the handler of its connections, as the host is of sessions, until one of them becomes a
// WebSocket; then both framing and handler are exchanged, and everything else stays.
#ifndef WEFT_NET_NET_INTERNAL_H
#define WEFT_NET_NET_INTERNAL_H

#include "net/http_head.h"
#include "net/net.h"
#include "net/streams.h"
#include "net/tls.h"

#include "protocol/frame.h"

#include <stdatomic.h>
#include <uv.h>

enum {
    NET_READ_BYTES = 64 * 1024,    // the loop's one read buffer
    NET_WRITE_BYTES = 256 * 1024,  // gathered into one write
    NET_KERNEL_BYTES = 192 * 1024, // unsent in the kernel, and a little more
    NET_WRITE_MESSAGES = 64,
    NET_WRITE_BUFFERS = 1000,
    NET_WRITE_AT_ONCE = 64 * 1024, // that the kernel is asked to take without being waited for
    NET_FINISH_MS = 2000,          // from net_conn_finish to the end
    NET_PART_MS = 500,             // of these, for the peer to close as well
    NET_LINGER_MS = 200,           // after the peer's end of stream, for replies that are under way
    NET_MESSAGE_MS = 30000,        // net_limits.message_ms by default
    NET_BEHIND_MS = 2000,          // of these lost: a message has fallen behind
    NET_PEER_MAX = 64,
    NET_REASON_MAX = 96,
    NET_FRAMING_HEAD_MAX = 10, // in front of a message
    NET_HTTP_KEY_MAX = 32,     // of a WebSocket that is asked for
    NET_HEAD_MAX = NET_FRAMING_HEAD_MAX + PROTOCOL_FRAME_HEAD_SIZE,
    NET_ASIDE_MAX = 512, // what a framing says for itself in one write
};

// ---------------------------------------------------------------------------------------------------------
// Loop

// A uv handle that a caller holds: a wake, a timer, a listener; the first member of each. The memory is
// freed when uv has closed the handle, the caller has let go, and no connection uses it any more.
struct net_owned {
    union {
        uv_handle_t handle;
        uv_async_t async;
        uv_timer_t timer;
        uv_tcp_t tcp;
    } uv;
    struct net_loop *loop;
    struct net_owned *prev, *next;
    void (*on_shut)(struct net_owned *owned); // before uv_close; may be NULL
    void (*deinit)(struct net_owned *owned);  // before the memory is freed; may be NULL
    uint32_t users;
    bool closed, released;
};

// The loop's turns and who waits for a share of them (share.c).
struct net_turns {
    uv_prepare_t begin;
    uv_idle_t later;               // runs while somebody waits, so that the loop does not sleep
    uv_timer_t retry;              // of listeners that could not accept
    uint64_t number;               // of the turn
    uint64_t used_ns;              // of it, by messages of connections
    uint32_t accepted;             // in it
    struct net_conn *first, *last; // waiting, in order
    uint32_t waiting;
    struct net_listener *held_up; // have a connection that is not accepted yet
    void (*serve)(struct net_conn *conn);
    void (*accept)(struct net_listener *listener);
};

// Connections of which TLS has not begun yet (handshake.c).
struct net_handshakes {
    struct net_conn *first, *last; // in the order in which they came
    uint32_t count;
    struct net_conn *work_first, *work_last; // with bytes that wait for a worker
    uint32_t working;
};

struct net_crew;
struct net_lane;

// The ways in which a loop asks the loops beside it (crew.c).
struct net_crew_ways {
    void (*stop)(struct net_loop *home);
    void (*destroy)(struct net_loop *home);
    void (*flush)(struct net_loop *home); // what they are to do is sent
};

struct net_loop {
    uv_loop_t uv;
    uv_async_t keep; // open until net_loop_stop, so that a loop with nothing else to do waits
    uv_signal_t signals[3];
    void (*on_signal)(void *context, int signal);
    void *signal_context;
    bool signals_open, stopping;
    struct net_owned *owned;
    struct net_conn *conns;
    bool gathering; // nothing is written before net_loop_gathered
    // Connections that have something to write then, in order; and blocked ones, whose streams have batches that are late.
    struct net_conn *to_write, *to_write_last, *late;
    uint64_t unfinished;  // bytes received and not handed up, of all connections
    atomic_size_t handed; // and those that were handed to another thread, and are not taken
    atomic_uint connections;
    const struct net_crew_ways *crew_ways;
    uint32_t loops;               // with it, where it has others beside it or is beside one; else 1
    struct net_listener *shadows; // on a lane
    struct net_crew *crew;        // loops beside this one (crew.h); NULL: none
    struct net_lane *lane;        // the way to the one that this one is beside; NULL: it is beside none
    uv_work_t first_work;         // see net_loop_create
    struct net_turns turns;
    struct net_handshakes handshakes;
    // From when the first listener speaks TLS. They are two: while what came of one connection is handed up, others are written.
    uint8_t *plain;    // NET_PLAIN_BYTES of scratch, of what came
    uint8_t *gathered; // NET_TLS_RECORD_BYTES of scratch, of what goes
    int spare_fd;      // given up to accept, and refuse, where there are no more files
    bool spare_given;
    uv_buf_t *iov; // scratch of one write; uv_write copies it
    size_t iov_capacity;
    uint8_t read_buffer[NET_READ_BYTES];
};

// Memory for as many files at a time, so that watching one more never needs any: libuv ends the process where it
// finds none. As far as the system lets it.
void net_loop_reserve(struct net_loop *loop, uint32_t files);

// After uv has initialised owned->uv.
void net_owned_init(struct net_owned *owned, struct net_loop *loop);
void net_owned_shut(struct net_owned *owned);    // closes the handle
void net_owned_release(struct net_owned *owned); // the caller lets go; closes the handle
void net_owned_unuse(struct net_owned *owned);   // one user less

// ---------------------------------------------------------------------------------------------------------
// Shares

// The time that a connection has had of the loop lately.
struct net_share {
    uint64_t window;    // of NET_SHARE_WINDOW_MS, in which it had
    uint64_t spent_ns;  // so much, and half of what it had in the one before
    uint64_t began_ns;  // the one under way
    uint32_t taken;     // messages and frames of it
    uint64_t read_turn; // when the socket was read last
    bool waiting;
    struct net_conn *prev, *next; // waiting
};

void net_turns_init(struct net_turns *turns, uv_loop_t *uv);
void net_turns_close(struct net_turns *turns);      // closes the handles
bool net_share_direct(const struct net_conn *conn); // what comes in may be handed up at once
void net_share_begin(struct net_conn *conn);
bool net_share_goes_on(struct net_conn *conn); // one more message
void net_share_end(struct net_conn *conn);
void net_share_wait(struct net_conn *conn);   // turns.serve is called for it, in a turn of the loop
void net_share_leave(struct net_conn *conn);  // it waits no more
bool net_share_accept(struct net_loop *loop); // one more connection in this turn
// turns.accept is called for it again: in the next turn, or soon where memory is wanting.
void net_share_accept_later(struct net_listener *listener, bool memory);
void net_share_accept_leave(struct net_listener *listener);

// ---------------------------------------------------------------------------------------------------------
// Addresses

// NULL, or static text that says what is wrong.
const char *net_address_parse(const char *text, struct sockaddr_storage *address);
// The same of numbers, and localhost: nobody is asked for a name.
const char *net_address_parse_numeric(const char *text, struct sockaddr_storage *address);
void net_address_format(const struct sockaddr *address, char *out, size_t size);
uint64_t net_address_origin(const struct sockaddr *address, bool *loopback); // net_conn_origin
enum net_peer net_address_look(int file);                                    // net_conn_look

// ---------------------------------------------------------------------------------------------------------
// Transport: plain, where everything here is what libuv has by the same name, or TLS

struct net_transport_owner {
    void (*fail)(struct net_conn *conn, const char *reason); // the connection cannot go on
    void (*received)(struct net_conn *conn, const uint8_t *data, size_t size);
    void (*ended)(struct net_conn *conn);    // the peer sends no more
    void (*shaken)(struct net_conn *conn);   // TLS has begun: it is a connection as any other from now on
    void (*refused)(struct net_conn *conn);  // TLS does not begin; last words may be on their way
    void (*insecure)(struct net_conn *conn); // what comes is not TLS; the connection is plain now
    void (*settle)(struct net_conn *conn);   // it may read again
    void (*release)(struct net_conn *conn);  // one of handles_open less
};

// The state of a connection that speaks TLS, or is about to.
struct net_secure {
    const struct net_transport_owner *owner;
    struct net_tls_side *side;
    // Until hands are shaken:
    struct net_conn *prev, *next; // in net_handshakes, while enlisted
    struct net_conn *work_next;
    void (*on_work)(struct net_conn *conn);
    bool enlisted;
    bool busy; // a worker has `side`
    bool began;
    enum net_tls_outcome outcome; // of the work that is done
    uint8_t *in;                  // for it
    size_t in_size, in_used;
    struct net_tls_bytes out;
    // The write under way: what of it is not sealed yet. One piece is with the kernel as long as there is a request.
    uv_write_t *request;
    uv_write_cb on_written;
    uv_buf_t *iov;
    size_t iov_capacity, iov_count, iov_at, iov_offset, left;
};

enum {
    NET_HANDSHAKE_MS = 5000, // net_limits.handshake_ms by default
    NET_PLAIN_BYTES = NET_READ_BYTES + 2 * NET_TLS_PAIR_BYTES,
};

// Takes its place among those that shake hands, for which older ones may have to go.
void net_handshake_enlist(struct net_conn *conn);
void net_handshake_delist(struct net_conn *conn);
// A worker feeds it a copy of these bytes; then on_work is called, unless the connection closes meanwhile. False without
// memory.
bool net_handshake_work(struct net_conn *conn, const uint8_t *data, size_t size,
                        void (*on_work)(struct net_conn *conn));
void net_handshake_tell(struct net_conn *conn, const char *reason); // in the log: it came to nothing

// name: of the server that it was dialed to (net_dial); NULL: it came.
bool net_transport_secure(struct net_conn *conn, const struct net_transport_owner *owner,
                          const char *protocol, const char *name);
void net_transport_begin(struct net_conn *conn);  // of one that was dialed, and is there: its first words
void net_transport_deinit(struct net_conn *conn); // nothing is in flight
// Takes bytes that the socket gave to a connection with TLS.
void net_transport_take(struct net_conn *conn, const uint8_t *data, size_t size);
// How many bytes the kernel takes at once: as many as it has room for, where the connection is plain; else none.
size_t net_transport_try(struct net_conn *conn, const uv_buf_t *buffers, unsigned count);
int net_transport_write(struct net_conn *conn, uv_write_t *request, const uv_buf_t *buffers, unsigned count,
                        uv_write_cb on_written);
// As much as the kernel takes at once, and the end; the connection closes then. count may be 0.
void net_transport_say_last(struct net_conn *conn, const uv_buf_t *buffers, unsigned count);
int net_transport_shutdown(struct net_conn *conn, uv_shutdown_t *request, uv_shutdown_cb on_shutdown);

// ---------------------------------------------------------------------------------------------------------
// Listener

// The service of a listener's connections.
struct net_service {
    bool (*room)(struct net_listener *listener); // for one more
    bool (*begin)(struct net_conn *conn);        // gives it framing and handler; false: it is refused
    void (*gone)(struct net_conn *conn); // of one that has begun: its memory is about to go. May be NULL
    // Another thread has decided of one that net_conn_adopt took.
    void (*admitted)(struct net_conn *conn, bool yes);
    void (*insecure)(struct net_conn *conn); // tells a peer, in place of begin, that TLS is spoken here
    const char *protocol;                    // its name in ALPN
};

// A listener has one of its kind on each loop of the crew: what came in is taken there as its own.
struct net_listener {
    struct net_owned owned;
    const struct net_service *service;
    struct net_limits limits;
    struct net_stats stats;
    struct net_http *http; // NULL: TCP
    void *(*on_accept)(void *context, struct net_conn *conn);
    struct net_conn_handler handler;
    void *context;
    struct net_timer *look; // whether files have run out
    bool held_up;           // a connection waits to be accepted, and libuv for us
    struct net_listener *next_held_up;
    struct net_listener *shadows[NET_LOOPS_MAX - 1]; // by lane; NULL: none
    uint32_t far_open;                               // sessions of these
    // For a shadow: the listener itself, and the shadow's own statistics as of the last turn, for others (the lane's mutex).
    struct net_listener *home, *next_shadow;
    struct net_stats told;
};

struct net_listener *net_listener_create(struct net_loop *loop, const char *address,
                                         const struct net_service *service, const struct net_limits *limits,
                                         void *(*on_accept)(void *context, struct net_conn *conn),
                                         const struct net_conn_handler *handler, void *context,
                                         const char **reason);
bool net_listener_spread(struct net_listener *listener); // gives it its shadows; false without memory
void net_shadow_deinit(struct net_listener *shadow);
// Nobody may listen on it before this; NULL, or the reason.
const char *net_listener_start(struct net_listener *listener);

// ---------------------------------------------------------------------------------------------------------
// Framing

struct net_framing {
    // Looks at size > 0 bytes and uses at least one, and hands up at most one message (or ends the
    // connection). Returns the bytes used. Called while the connection is open and not held.
    size_t (*take)(struct net_conn *conn, const uint8_t *data, size_t size);
    // Writes what stands in front of a message of so many bytes; returns its length. NULL: nothing does.
    size_t (*head)(uint8_t out[NET_FRAMING_HEAD_MAX], size_t size);
    // Gives bytes of the framing itself, between messages, when a write begins. May be NULL.
    size_t (*aside)(struct net_conn *conn, uint8_t out[NET_ASIDE_MAX]);
    // Its last words, when a finishing connection has sent all else; nothing follows. With what was said
    // aside they fit NET_ASIDE_MAX. May be NULL.
    size_t (*farewell)(struct net_conn *conn, uint8_t *out);
};

// ---------------------------------------------------------------------------------------------------------
// Outbox

// A stream and its two batches. The place in the current one:
//
//     current   [frame 0: part part][frame 1: part part part] ...      waiting [frame ...]
//               written              ^frame      ^part = next to gather
struct net_outbox_owner {
    void (*fail)(struct net_conn *conn, const char *reason); // the connection cannot go on
    void (*written)(struct net_conn *conn); // a write is done, and the next has begun if there is one
};

struct net_outbox {
    const struct net_outbox_owner *owner;
    struct base_buffer **control; // ring of control_capacity, a power of two or 0
    size_t control_capacity, control_head, control_count;
    size_t control_in_flight; // of the first ones
    size_t unsent, drain_mark;
    struct net_streams streams;
    uint8_t (*heads)[NET_HEAD_MAX]; // NET_WRITE_MESSAGES, from when the first is needed
    uint8_t *aside;                 // NET_ASIDE_MAX, in the same block
    uv_write_t write;
    size_t write_bytes;
    uint64_t written_ms; // loop time when a write was done last
    bool writing;
    bool above;              // the mark, which is to be told of
    bool over, streams_over; // nothing more is taken; no batches are
    uint64_t dropped;        // frames that are in no statistics yet
    // Guards everything here except the write under way, if another thread has the connection as well. Else NULL.
    struct base_mutex *mutex;
};

void net_outbox_init(struct net_outbox *outbox, const struct net_outbox_owner *owner);
void net_outbox_deinit(struct net_outbox *outbox);       // nothing may be in flight
void net_outbox_shut(struct net_outbox *outbox);         // drops what is not in flight
void net_outbox_drop_streams(struct net_outbox *outbox); // drops batches that are not in flight
bool net_outbox_empty(struct net_outbox *outbox);        // no control message left, nothing in flight
void net_outbox_drop_control(struct net_outbox *outbox); // drops messages that are not in flight
bool net_outbox_heads(struct net_outbox *outbox);        // memory for heads; false if there is none
void net_outbox_end(struct net_outbox *outbox);          // nothing more is taken
void net_outbox_kick(struct net_conn *conn);             // starts a write if there is something to write

// Put something into an outbox. The caller has its mutex, and kicks it afterwards.
bool net_outbox_send(struct net_outbox *outbox, struct base_buffer *bytes);  // false without memory
void net_outbox_mark(struct net_outbox *outbox, size_t bytes);               // net_conn_drain_mark
bool net_outbox_open(struct net_outbox *outbox, uint32_t id);                // net_conn_stream_open
bool net_outbox_limit(struct net_outbox *outbox, uint32_t id, size_t bytes); // net_conn_stream_limit
// net_conn_stream_ack; more: there may be something to write for it.
bool net_outbox_ack(struct net_outbox *outbox, uint32_t id, uint32_t seq, bool *more);
// The stream that takes the batch; NULL: none.
struct net_stream *net_outbox_taking(const struct net_outbox *outbox, const struct base_batch *batch);
// net_stream_put; blocked as on_lagged has it.
uint32_t net_outbox_put(struct net_outbox *outbox, struct net_stream *stream, struct base_batch *batch,
                        bool *blocked);
uint32_t net_outbox_moving(struct net_outbox *outbox); // the next that on_moving is to be told of; 0: none

// ---------------------------------------------------------------------------------------------------------
// Connection

enum net_conn_state {
    NET_CONN_SHAKING, // TLS has to begin; nobody but net knows of it
    NET_CONN_OPEN,
    NET_CONN_ENDED,     // the peer sends no more, but is still served
    NET_CONN_FINISHING, // control messages go out, what comes in is thrown away
    NET_CONN_CLOSING,   // uv_close has been called
};

// The beginning of a caller's net_conn: it belongs to this thread, or is a net_far (far.h).
struct net_face {
    bool is_far;
};

// The part of a connection that another thread may read. Milliseconds of a clock that all loops share.
struct net_mirror {
    atomic_uint_fast64_t moved_ms, due_ms; // as net_conn_quiet_ms has it, and net_conn's
    atomic_bool reading;
};

struct net_far;

struct net_conn {
    struct net_face face; // the first
    struct net_far *far;  // whoever has it in another thread; NULL: it is had here
    struct net_mirror *mirror;
    uv_tcp_t tcp;
    uv_timer_t timer; // finishing: the time is up
    uv_shutdown_t shutdown;
    uv_connect_t dial; // of one that was made here (dial.c)
    uint32_t handles_open;
    struct net_loop *loop;
    struct net_listener *listener;
    struct net_conn *prev, *next;
    const struct net_framing *framing;
    const struct net_conn_handler *handler;
    void *context;             // the handler's
    struct net_secure *secure; // NULL: plain
    enum net_conn_state state;
    bool begun;      // the service has it
    bool accepted;   // on_accept took it, so on_closed is due
    bool held;       // by net_conn_hold
    bool ignored;    // held for good: it is about to be told its end
    bool delivering; // inside on_message
    bool reading;    // uv reads
    bool distrusted; // net_conn_is_distrusted
    bool peer_ended;
    bool end_waits;      // it has, but not all of what came is handed up
    bool lingering;      // finishing, but replies may still come
    bool farewell_begun; // the framing's last words are on their way: nothing more is sent
    bool shutdown_begun, shutdown_done;
    bool to_write, late; // in the loop's lists of these
    struct net_conn *next_to_write, *next_late;
    enum net_end end;
    uint64_t finish_deadline_ms; // loop time
    uint64_t alive_ms;           // loop time when bytes came in, or what was written moved on
    size_t queue_seen;           // unwritten bytes when that was last looked at

    struct net_http_state {
        struct net_http_scanner scanner;
        uint64_t since_ms; // when the wait for the head, or for its first byte, began
        bool answering;    // an answer is being written
        bool last;         // then the connection ends
        bool by_name;      // it was called by neither an address nor localhost
        bool head_only;    // the request that is under way
        uint8_t key_size;  // of a WebSocket that is asked for
        char key[NET_HTTP_KEY_MAX];
    } http;
    struct net_websocket *websocket; // NULL until it is one

    struct protocol_scan scan;
    bool trusted;
    uint8_t *partial; // the unfinished message
    size_t partial_size, partial_capacity;
    uint8_t *kept; // read, but not looked at, since the connection is held
    size_t kept_at, kept_size;
    size_t charged;  // in loop->unfinished
    uint64_t due_ms; // loop time by which the unfinished message has to be whole; 0: there is none
    struct net_share share;
    uint64_t origin;
    bool loopback;

    struct net_outbox outbox;
    char peer[NET_PEER_MAX];
    char reason[NET_REASON_MAX];
};

// Accepts from the listener; refuse closes it at once. The connection begins to read if on_accept takes it. False
// without memory: it still waits to be accepted.
bool net_conn_accept(struct net_listener *listener, bool refuse);
void net_conn_take(struct net_listener *listener, int file);     // a socket that was accepted elsewhere
struct net_conn *net_conn_create(struct net_listener *listener); // without a socket yet; NULL without memory
void net_conn_options(struct net_conn *conn);                    // its socket's
void net_conn_read_update(struct net_conn *conn); // begins to read, or stops, as its state has it
void net_conn_release(struct net_conn *conn);     // one of handles_open less
void net_conn_refuse(struct net_conn *conn);
// Takes bytes of the socket, or those that TLS has opened.
void net_conn_received(struct net_conn *conn, const uint8_t *data, size_t size);
void net_conn_ended(struct net_conn *conn); // the peer sends no more
// Ends the connection, or goes on with its end, after a delay: which of both its state says.
void net_conn_timer_start(struct net_conn *conn, uint64_t delay_ms);
void net_conn_close(struct net_conn *conn, const char *reason);
void net_conn_set_reason(struct net_conn *conn, const char *reason); // if it has none yet
// The stream is broken: the handler is told, then the connection finishes.
void net_conn_bad(struct net_conn *conn, enum protocol_scan_status status);
// One that is dialed speaks TLS with that server. False without memory.
bool net_conn_dial_secure(struct net_conn *conn, const char *name);
// Asks on_accept; true if the connection is a session from now on, with the listener's handler.
bool net_conn_adopt(struct net_conn *conn);
void net_conn_disown(struct net_conn *conn); // whoever took it does not want it

#define NET_BAD_TEXT "the stream is broken"
#define NET_OVERFULL_TEXT "the unfinished messages of all are too much"
static inline enum net_end net_bad_end(enum protocol_scan_status status)
{
    return status == PROTOCOL_SCAN_TOO_LARGE || status == PROTOCOL_SCAN_TOO_DEEP ||
                   status == PROTOCOL_SCAN_TOO_WIDE
               ? NET_END_TOO_LARGE
               : NET_END_DATA;
}

static inline void net_conn_mirror(const struct net_conn *conn)
{
    struct net_mirror *mirror = conn->mirror;
    if (!mirror) {
        return;
    }
    uint64_t moved_ms = conn->alive_ms > conn->outbox.written_ms ? conn->alive_ms : conn->outbox.written_ms;
    atomic_store_explicit(&mirror->moved_ms, moved_ms, memory_order_relaxed);
    atomic_store_explicit(&mirror->due_ms, conn->due_ms, memory_order_relaxed);
    atomic_store_explicit(&mirror->reading, conn->reading, memory_order_relaxed);
}

// The calls of net.h by these names, of a connection that is had by the loop's own thread (face.c).
void net_near_peer(const struct net_conn *conn, char *out, size_t size);
uint64_t net_near_origin(const struct net_conn *conn, bool *loopback);
uint64_t net_near_quiet_ms(const struct net_conn *conn);
bool net_near_is_over(const struct net_conn *conn);
bool net_near_has_begun(const struct net_conn *conn);
bool net_near_overdue(const struct net_conn *conn);
void net_near_trust(struct net_conn *conn);
enum net_peer net_near_look(const struct net_conn *conn);
void net_near_tell(struct net_conn *conn, const struct base_buffer *bytes);
void net_near_send(struct net_conn *conn, struct base_buffer *bytes);
size_t net_near_unsent(const struct net_conn *conn);
void net_near_hold(struct net_conn *conn, bool hold);
void net_near_drain_mark(struct net_conn *conn, size_t bytes);
bool net_near_stream_open(struct net_conn *conn, uint32_t stream);
uint64_t net_near_stream_close(struct net_conn *conn, uint32_t stream);
void net_near_stream_push(struct net_conn *conn, struct base_batch *batch);
bool net_near_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes);
bool net_near_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq);
size_t net_near_stream_waiting(const struct net_conn *conn, uint32_t stream);
uint64_t net_near_stream_moment(const struct net_conn *conn, uint32_t stream);
void net_near_finish(struct net_conn *conn, enum net_end end, const char *reason);
void net_near_cut(struct net_conn *conn, enum net_end end, const char *reason);
void net_near_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms);

// ---------------------------------------------------------------------------------------------------------
// Messages under way (conn.c)

extern const struct net_framing net_framing_messages;

// Appends to the unfinished message. False without memory: the connection is closing then.
// The next is scanned within the bounds of this connection.
static inline void net_message_begin(struct net_conn *conn)
{
    const struct net_limits *limits = &conn->listener->limits;
    struct protocol_scan_limits message = limits->message;
    if (!conn->trusted && limits->first_bytes > 0 && limits->first_bytes < message.bytes) {
        message.bytes = limits->first_bytes;
    }
    protocol_scan_init(&conn->scan, &message);
}
bool net_message_keep(struct net_conn *conn, const uint8_t *data, size_t size);
// Scans; what belongs to a message that goes on (MORE) is kept.
enum protocol_scan_status net_message_scan(struct net_conn *conn, const uint8_t *data, size_t size,
                                           size_t *consumed);
// Hands up what was kept and these bytes, as one message.
void net_message_hand_up(struct net_conn *conn, const uint8_t *data, size_t size);

// ---------------------------------------------------------------------------------------------------------
// HTTP and WebSocket

// An answer (http_answer.c). While it is being written the connection is held.
struct net_http_answer {
    int status;
    const char *type;          // NULL: no body
    struct base_buffer *bytes; // the body; a reference is taken
    const char *tag;           // ETag; NULL: none, and it is kept by nobody
    bool immutable;            // may be kept for good
    bool encoded;              // gzip
    bool varies;               // with what the peer accepts
    const char *more;          // header lines; NULL: none
};
// Sends an answer. The answer to a HEAD has everything of a GET's except the body.
void net_http_send(struct net_conn *conn, const struct net_http_answer *answer, bool head_only);
// A line that says why, and what a person can do about it.
void net_http_refuse(struct net_conn *conn, int status, bool head_only, const char *more, const char *text);
// Refuses a head, and ends the connection, because what comes behind such a head cannot be told from its body.
void net_http_refuse_head(struct net_conn *conn, int status, bool head_only);

// Makes a WebSocket of the connection, whose first words are the handshake's answer. False without memory.
bool net_websocket_begin(struct net_conn *conn, const char *key, size_t key_size);
void net_websocket_end(struct net_conn *conn); // frees what belongs to it
// Sends a ping, unless the last one is younger than period_ms and unanswered.
void net_websocket_ask(struct net_conn *conn, uint64_t now_ms, uint64_t period_ms);

#endif
