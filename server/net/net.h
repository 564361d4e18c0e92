// Sockets. The only module that includes uv.h; everything here runs on the loop thread unless it says so. Loops with threads of
// their own may do the work beside it (net_loop_spread), and nobody who calls sees which has a connection.
//
// A connection carries MessagePack messages in and out: on TCP one after another, on a WebSocket each as one
// binary message. To all that use it both are the same. In: bytes are scanned, bounded, and
// handed up one message at a time, which the receiver owns. Out: control messages (replies, notifications)
// in order, and frames of streams between them; a control message never waits behind more than one part of a
// frame. A stream has at most one batch being written and one waiting; a newer one replaces the waiting one. Small ones that
// come before a write begins leave with it together.
//
// Of the loop's time a connection gets a share (share.c): whoever sends much waits for the others, not they for it.
#ifndef WEFT_NET_NET_H
#define WEFT_NET_NET_H

#include "base/buffer.h"
#include "protocol/scan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_loop;
struct net_listener;
struct net_conn;
struct net_tls;

// ---------------------------------------------------------------------------------------------------------
// Loop

struct net_loop *net_loop_create(void); // NULL with a log line; SIGPIPE is ignored from now on
// So many loops in all, each other one with a thread of its own while this one runs. Connections are spread over them: their
// bytes are read, opened, scanned, sealed and written there, and nothing else; all that is called is called on this loop's
// thread. Before anybody listens; once. False without memory.
enum { NET_LOOPS_MAX = 16 };
bool net_loop_spread(struct net_loop *loop, uint32_t loops);
uint32_t net_loop_count(const struct net_loop *loop);
uint32_t net_loop_connections(const struct net_loop *loop,
                              uint32_t index); // open now, of every kind; 0: this loop's
void net_loop_run(struct net_loop *loop);      // until net_loop_stop and all handles are closed
// Cuts what connections are left, and closes listeners, wakes, timers and signals. Their pointers stay good,
// to be sent, stopped, destroyed or closed, until net_loop_destroy, which frees those that were not.
void net_loop_stop(struct net_loop *loop);
void net_loop_destroy(struct net_loop *loop); // NULL is allowed
// Between the two nothing is written, so that what many calls give one connection leaves in one write. Not nested.
void net_loop_gather(struct net_loop *loop);
void net_loop_gathered(struct net_loop *loop);

// Wakes the loop: on_wake runs there soon, once for any number of wakes. Any thread.
struct net_wake;
struct net_wake *net_wake_create(struct net_loop *loop, void (*on_wake)(void *context), void *context);
void net_wake_send(struct net_wake *wake);
void net_wake_destroy(struct net_wake *wake); // loop thread, when no thread sends any more; NULL is allowed

// Calls back once after delay_ms, or again each period_ms if that is not 0. NULL without memory.
struct net_timer;
struct net_timer *net_timer_start(struct net_loop *loop, uint64_t delay_ms, uint64_t period_ms,
                                  void (*on_time)(void *context), void *context);
void net_timer_stop(struct net_timer *timer); // frees it, also after its only call; NULL is allowed

// SIGINT, SIGTERM and SIGHUP.
bool net_signals_watch(struct net_loop *loop, void (*on_signal)(void *context, int signal), void *context);

// Work that is too long for the loop: work runs on a worker thread, then done on the loop. False if it was
// not taken: then neither runs.
bool net_work(struct net_loop *loop, void (*work)(void *context), void (*done)(void *context), void *context);

// ---------------------------------------------------------------------------------------------------------
// TLS

// Files in PEM. What listens with them speaks TLS 1.2 and 1.3, and nothing else.
struct net_tls_files {
    const char *cert; // the server's certificate, then those between it and one that everybody knows
    const char *key;  // the certificate's, without a passphrase
    const char
        *client_ca; // clients need a certificate that one of these vouches for; NULL or empty: they need none
};
// NULL with text (file, what is wrong with it): what cannot be read, does not fit together or is out of its time.
struct net_tls *net_tls_create(const struct net_tls_files *files, char *text, size_t size);
// The same for connections that this server makes (net_dial): whose certificates it takes.
struct net_tls_trust {
    const char *ca;         // who vouches for others; NULL or empty: those whom the system trusts
    const char *cert, *key; // of this server, for peers that ask for one; NULL or empty: it has none
};
struct net_tls *net_tls_create_trust(const struct net_tls_trust *trust, char *text, size_t size);
// Reads the files again, for connections that come from now on. False with text: the old ones stay. Loop thread.
bool net_tls_reload(struct net_tls *tls, char *text, size_t size);
int64_t net_tls_expires(const struct net_tls *tls);  // seconds since 1970
bool net_tls_key_is_open(const struct net_tls *tls); // everybody on this machine may read the key
void net_tls_destroy(struct net_tls *tls);           // after the loop; NULL is allowed

// ---------------------------------------------------------------------------------------------------------
// Connections

// Why a connection ends. A WebSocket's peer is told: these are its close codes (RFC 6455, 7.4.1).
enum net_end {
    NET_END_NORMAL = 1000,
    NET_END_AWAY = 1001,        // the server goes down
    NET_END_PROTOCOL = 1002,    // its frames are wrong
    NET_END_UNSUPPORTED = 1003, // text
    NET_END_DATA = 1007,        // its messages are wrong
    NET_END_POLICY = 1008,
    NET_END_TOO_LARGE = 1009,
    NET_END_FAILURE = 1011, // the server's fault
};

struct net_conn_handler {
    // A whole message; bytes are malloc'd and the receiver's from now on.
    void (*on_message)(void *context, struct net_conn *conn, uint8_t *bytes, size_t size);
    // The stream is broken: the receiver may send a last message; then the connection finishes. A WebSocket
    // message that holds less than one MessagePack message is MORE here, one that holds more is DONE.
    void (*on_bad_stream)(void *context, struct net_conn *conn, enum protocol_scan_status status);
    // The unfinished messages of all connections are too much (net_limits.receive_bytes), and it is this one's turn
    // to go: one that fell behind with its message before one that did not, and of these the one that holds most.
    // The receiver may send a last message; then the connection finishes.
    void (*on_overfull)(void *context, struct net_conn *conn);
    // The peer sends no more, but may still read (it shut its side down, or is gone and the next write will
    // say so): the receiver calls net_conn_finish when it owes no more replies. May be NULL: then the
    // connection finishes by itself, a moment later.
    void (*on_end)(void *context, struct net_conn *conn);
    // Gone, for whatever reason; conn is invalid after this. Called exactly once.
    void (*on_closed)(void *context, struct net_conn *conn, const char *reason);
    // Unsent control bytes have fallen below the mark given to net_conn_hold_at.
    void (*on_drained)(void *context, struct net_conn *conn);
    // Frames of a stream were dropped since a newer batch replaced theirs, or since they build on others that were (count, in
    // all since it began). blocked: a write is under way, and on_moving follows when some of the stream is written. Called from
    // net_conn_stream_push and net_loop_gathered.
    void (*on_lagged)(void *context, struct net_conn *conn, uint32_t stream, uint64_t dropped_total,
                      bool blocked);
    // A stream of which on_lagged said that it is blocked moves again: what was being written of it is. May be NULL.
    void (*on_moving)(void *context, struct net_conn *conn, uint32_t stream);
    // The frames that come for a stream build on frames that were left out (base/buffer.h), so it needs one that stands alone. Called
    // again while none comes. Only note it: it must call no function of the connection. May be NULL.
    void (*on_behind)(void *context, struct net_conn *conn, uint32_t stream);
    // As many connections are open as may be, and one more comes; context is the listener's. True if it may be
    // accepted all the same, since another was cut for it; else it may be told why. May be NULL.
    bool (*on_full)(void *context, struct net_conn *conn);
};

struct net_limits {
    struct protocol_scan_limits message;
    uint64_t first_bytes;   // of a message of who is not trusted (net_conn_trust); 0: as of all
    uint64_t receive_bytes; // unfinished messages of all connections
    uint32_t connections;
    uint32_t message_ms; // that a message may fall behind NET_MESSAGE_BYTES_MS; 0: 30 s
    // Peers have to speak TLS, and a connection is told once it does. Has to last as long as the loop. NULL: plain. For a dialer
    // it is the TLS that net_dial speaks.
    const struct net_tls *tls;
    uint32_t handshake_ms; // that TLS may take to begin; 0: 5 s
};

enum { NET_MESSAGE_BYTES_MS = 32 }; // a message that comes in so fast is never overdue

struct net_stats {
    uint64_t accepted, refused, bytes_in, bytes_out, frames_sent, frames_dropped;
    uint32_t open;
    // For net_listen_http: connections that are no WebSockets. Of the counts above only the bytes include them.
    uint64_t http_requests, http_refused; // answered; of these with a status of 400 or above
    uint32_t http_open;
    uint64_t handshakes, handshakes_failed; // of TLS: done; given up, by whomever
    int64_t tls_expires;                    // net_tls_expires; 0: plain
};

// address is ADDR:PORT, [V6]:PORT; port 0 takes a free one. Returns NULL with *reason (static text) on
// failure. on_accept gives each new connection its handler and context; NULL refuses it: it may have been told
// why, with net_conn_tell.
struct net_listener *net_listen(struct net_loop *loop, const char *address, const struct net_limits *limits,
                                void *(*on_accept)(void *context, struct net_conn *conn),
                                const struct net_conn_handler *handler, void *context, const char **reason);
void net_listener_address(const struct net_listener *listener, char *out, size_t size); // ADDR:PORT as bound
uint32_t
net_listener_connections(const struct net_listener *listener); // at a time, as the system's files allow
void net_listener_stats(const struct net_listener *listener, struct net_stats *stats);
void net_listener_close(struct net_listener *listener); // stops accepting; connections stay
bool net_address_is_loopback(const char *address);      // of the address part; false if it cannot be parsed

// A page that is made when it is asked for.
struct net_http_page {
    const char *path; // as /metrics
    const char *type; // Content-Type
    // One reference, NULL without memory. *status is 200 unless it is set.
    struct base_buffer *(*make)(void *context, int *status);
};

// Everything is the caller's, and has to last as long as the listener, but for folder.
struct net_http_options {
    // Its files are served at /, as they were when listening began. NULL, or one that holds no index.html: a
    // page says that there are none.
    const char *folder;
    // More that may open WebSockets (net/http_origin.h), separated by commas. May be NULL.
    const char *origins;
    // Names by which it may be called (Host), separated by commas, besides addresses, localhost and the names in
    // origins. May be NULL.
    const char *hosts;
    const struct net_http_page *pages;
    uint32_t page_count;
    void *context;        // of pages
    uint32_t connections; // at a time that are no WebSockets; 0: 256
    // Milliseconds; 0: as it says behind.
    uint32_t head_ms;  // for a head to come in whole: 10 s
    uint32_t idle_ms;  // between an answer and the next request: 60 s
    uint32_t stall_ms; // without progress while an answer is written: 30 s
    uint32_t ping_ms;  // of silence before a WebSocket's peer is asked whether it is there: 20 s
    uint32_t dead_ms;  // of silence until it counts as gone: 90 s
};

// Like net_listen, with HTTP/1.1: files, pages, and WebSockets at /ws. on_accept and the handler see these
// only, each from the moment on at which it has been agreed to.
struct net_listener *net_listen_http(struct net_loop *loop, const char *address,
                                     const struct net_limits *limits, const struct net_http_options *http,
                                     void *(*on_accept)(void *context, struct net_conn *conn),
                                     const struct net_conn_handler *handler, void *context,
                                     const char **reason);
// Connections that this server makes, to others like it: on this loop, whose messages are bounded by limits.message. What
// comes in is read as of any other, and handed to the handler; on_full is not asked. A listener that does not listen, to be
// closed like one; NULL without memory.
struct net_listener *net_dialer_create(struct net_loop *loop, const struct net_limits *limits,
                                       const struct net_conn_handler *handler);
// To ADDR:PORT, in numbers. It may be sent to and held at once; where nobody answers it closes. By TLS where name is not NULL: the
// host that the certificate there has to be of, by its name or its address. NULL with *reason (static text): on_closed is not
// called then.
struct net_conn *net_dial(struct net_listener *dialer, const char *address, const char *name, void *context,
                          const char **reason);
// From on_closed: what came was no TLS, or not of whom it should be; on_closed has the reason.
bool net_conn_is_distrusted(const struct net_conn *conn);

// ADDR:PORT in numbers of HOST:PORT, by a worker; then done on the loop, with an empty text where nobody knows it. False: it was not
// taken, and done is not called.
bool net_resolve(struct net_loop *loop, const char *address, void (*done)(void *context, const char *numbers),
                 void *context);

bool net_origin_list_valid(const char *list); // of net_http_options.origins; NULL is an empty one
bool net_host_list_valid(const char *list);   // of net_http_options.hosts

void net_conn_peer(const struct net_conn *conn, char *out, size_t size);
// The origin of a connection: equal for connections from one IPv4 address, or one /64 of IPv6.
uint64_t net_conn_origin(const struct net_conn *conn, bool *loopback);
// Milliseconds since bytes came in, or a write was done.
uint64_t net_conn_quiet_ms(const struct net_conn *conn);
// It carries nothing any more, though its end may not have been told yet.
bool net_conn_is_over(const struct net_conn *conn);
// A message has begun that has not come in whole.
bool net_conn_has_begun(const struct net_conn *conn);
// A message has begun and does not come in as fast as it has to (net_limits.message_ms).
bool net_conn_overdue(const struct net_conn *conn);
// From now on its messages may be as large as all; from its on_message, or while it is held.
void net_conn_trust(struct net_conn *conn);
// The state of a peer as the system knows it, also while nothing is read.
enum net_peer { NET_PEER_THERE, NET_PEER_ENDED /* sends no more */, NET_PEER_GONE };
enum net_peer net_conn_look(const struct net_conn *conn);
// From on_accept or on_full, of a connection that is about to be refused: as much of it as the kernel takes at once.
void net_conn_tell(struct net_conn *conn, struct base_buffer *bytes);
// Takes a reference of bytes. Control messages go out in this order. A reply waits behind at most one part of
// a frame, or 256 KiB of smaller ones.
void net_conn_send(struct net_conn *conn, struct base_buffer *bytes);
size_t net_conn_unsent(const struct net_conn *conn); // control bytes not yet handed to the kernel
// While held no message is handed up and the socket is not read. May be called from on_message.
void net_conn_hold(struct net_conn *conn, bool hold);
// on_drained is called each time unsent control bytes fall to or below this.
void net_conn_drain_mark(struct net_conn *conn, size_t bytes);

// False without memory, on a closing connection, or if it is open already.
bool net_conn_stream_open(struct net_conn *conn, uint32_t stream);
// Limits a stream that was just opened: no frame of it begins while so many bytes of earlier ones are not acknowledged. False if
// memory runs out.
bool net_conn_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes);
// The peer has taken its frames up to seq, so more may follow. False: that one was not sent.
bool net_conn_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq);
// Drops frames that have not begun. A frame whose first part was sent is completed. Returns how many have begun in all.
uint64_t net_conn_stream_close(struct net_conn *conn, uint32_t stream);
// Takes the batch in every case.
void net_conn_stream_push(struct net_conn *conn, struct base_batch *batch);
// Bytes of its lossless batches behind the one that is being sent, except for those that begin again.
size_t net_conn_stream_waiting(const struct net_conn *conn, uint32_t stream);
// Least moment of the batches of a stream held here, UINT64_MAX if none is.
uint64_t net_conn_stream_moment(const struct net_conn *conn, uint32_t stream);

// Sends what control messages there are, for at most 2 s, then closes. What still comes in is thrown away.
void net_conn_finish(struct net_conn *conn, enum net_end end, const char *reason);
// Closes now; on_closed comes later, from the loop. The first reason given is copied for it. A WebSocket's
// peer is told if nothing is being written.
void net_conn_cut(struct net_conn *conn, enum net_end end, const char *reason);
// Drops what is not being written yet, sends the last words (a message; NULL: none) and closes: within grace_ms,
// whether the peer read them or not. 0: now, and the words go as far as the kernel takes them.
void net_conn_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms);

#endif
