// Sockets, TLS, HTTP and WebSockets, over libuv; no other module of the server includes uv.h. All functions and callbacks run on the
// loop thread unless a comment says otherwise. More threads may move the bytes (net_loop_spread); callers do not notice.
//
// A connection carries MessagePack messages both ways: on TCP one after another, on a WebSocket each as one binary message. Callers see
// no difference.
//
// In: bytes are scanned, bounded, and handed up one whole message at a time. The receiver owns it.
// Out: control messages (replies, notifications) leave in their order, and frames of streams between them. A control message waits
// for at most one part of a frame. A stream has at most one batch being written and one waiting, which a newer one replaces. Small
// messages that come before a write begins leave in one write.
//
// Each connection gets a share of the loop's time (share.c), so one that sends much delays itself and not the others.
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

struct net_loop *net_loop_create(void); // NULL with a log line; the process ignores SIGPIPE from now on
// Uses `loops` loops in all. Each further one has a thread of its own, which reads, decrypts, scans, encrypts and writes the bytes of
// its share of the connections, and does nothing else. Callbacks still come on this loop's thread. Called at most once, before
// anything listens. False if memory runs out.
enum { NET_LOOPS_MAX = 16 };
bool net_loop_spread(struct net_loop *loop, uint32_t loops);
uint32_t net_loop_count(const struct net_loop *loop);
uint32_t net_loop_connections(const struct net_loop *loop,
                              uint32_t index); // open now, of every kind; index 0 is this loop
void net_loop_run(struct net_loop *loop);      // returns after net_loop_stop, once all handles are closed
// Cuts the remaining connections, and closes listeners, wakes, timers and signals. Pointers to them stay valid for their send, stop,
// destroy and close functions until net_loop_destroy, which frees the rest.
void net_loop_stop(struct net_loop *loop);
void net_loop_destroy(struct net_loop *loop); // NULL is allowed
// Between these two nothing is written, so that all that is sent to one connection leaves in one write. They do not nest.
void net_loop_gather(struct net_loop *loop);
void net_loop_gathered(struct net_loop *loop);

// net_wake_send makes on_wake run on the loop soon, once for any number of sends. Any thread may send.
struct net_wake;
struct net_wake *net_wake_create(struct net_loop *loop, void (*on_wake)(void *context), void *context);
void net_wake_send(struct net_wake *wake);
void net_wake_destroy(struct net_wake *wake); // loop thread, when no thread sends any more; NULL is allowed

// Calls on_time once after delay_ms and, if period_ms is not 0, every period_ms from then on. NULL if memory runs out.
struct net_timer;
struct net_timer *net_timer_start(struct net_loop *loop, uint64_t delay_ms, uint64_t period_ms,
                                  void (*on_time)(void *context), void *context);
void net_timer_stop(struct net_timer *timer); // frees it, even after its only call; NULL is allowed

// Calls on_signal for SIGINT, SIGTERM and SIGHUP. False if the system refuses.
bool net_signals_watch(struct net_loop *loop, void (*on_signal)(void *context, int signal), void *context);

// For work that is too long for the loop: runs work on a worker thread, and then done on the loop. False if neither will run.
bool net_work(struct net_loop *loop, void (*work)(void *context), void (*done)(void *context), void *context);

// ---------------------------------------------------------------------------------------------------------
// TLS

// Paths of files in PEM. Listeners with them accept TLS 1.2 and 1.3, and nothing else.
struct net_tls_files {
    const char *cert; // the server's certificate, followed by the intermediate ones
    const char *key;  // the certificate's private key, without a passphrase
    const char
        *client_ca; // authorities of which clients need a certificate; NULL or empty: clients need none
};
// NULL with text (the file and what is wrong) if a file cannot be read, they do not fit together, or a certificate is not valid now.
struct net_tls *net_tls_create(const struct net_tls_files *files, char *text, size_t size);
// The same for connections that this server makes (net_dial).
struct net_tls_trust {
    const char *ca;         // authorities for the certificates of peers; NULL or empty: the system's
    const char *cert, *key; // certificate of this server, for peers that ask for one; NULL or empty: none
};
struct net_tls *net_tls_create_trust(const struct net_tls_trust *trust, char *text, size_t size);
// Reads the files again, for new connections. False with text, and the old ones stay in use.
bool net_tls_reload(struct net_tls *tls, char *text, size_t size);
int64_t net_tls_expires(const struct net_tls *tls);  // end of the certificate, Unix time in s
bool net_tls_key_is_open(const struct net_tls *tls); // whether every user of this machine may read it
void net_tls_destroy(struct net_tls *tls);           // after the loop was destroyed; NULL is allowed

// ---------------------------------------------------------------------------------------------------------
// Connections

// Why the server ends a connection. A WebSocket's peer gets it as the close code (RFC 6455, 7.4.1).
enum net_end {
    NET_END_NORMAL = 1000,
    NET_END_AWAY = 1001,        // the server goes down
    NET_END_PROTOCOL = 1002,    // malformed WebSocket frames
    NET_END_UNSUPPORTED = 1003, // a text message
    NET_END_DATA = 1007,        // malformed messages
    NET_END_POLICY = 1008,
    NET_END_TOO_LARGE = 1009,
    NET_END_FAILURE = 1011, // the server's fault
};

// Callbacks of connections. All but on_message, on_bad_stream and on_closed may be NULL.
struct net_conn_handler {
    // A whole message came. bytes is malloc'd, and the receiver owns it.
    void (*on_message)(void *context, struct net_conn *conn, uint8_t *bytes, size_t size);
    // The peer sent bytes that are not messages within the limits. The receiver may send a last message; then the connection finishes.
    // status is MORE for a WebSocket message with less than one MessagePack value, and DONE for one with more.
    void (*on_bad_stream)(void *context, struct net_conn *conn, enum protocol_scan_status status);
    // The unfinished messages of all connections exceed net_limits.receive_bytes, and this connection has to go: the one that holds
    // most, of those whose message is overdue or, if there is none, of all. The receiver may send a last message; then the connection
    // finishes.
    void (*on_overfull)(void *context, struct net_conn *conn);
    // The peer sends no more. It may still read, or may be gone, which the next write will show. The receiver calls net_conn_finish when
    // it owes no more replies. If it is NULL the connection finishes by itself a moment later.
    void (*on_end)(void *context, struct net_conn *conn);
    // The connection is gone, and conn is invalid afterwards. Called exactly once.
    void (*on_closed)(void *context, struct net_conn *conn, const char *reason);
    // Unsent control bytes have fallen to the mark of net_conn_drain_mark.
    void (*on_drained)(void *context, struct net_conn *conn);
    // Frames of a stream were dropped, because a newer batch replaced them or they build on dropped ones. dropped_total counts them since
    // the stream was opened. blocked: a write is under way; on_moving follows when it is done. Called from net_conn_stream_push
    // and net_loop_gathered.
    void (*on_lagged)(void *context, struct net_conn *conn, uint32_t stream, uint64_t dropped_total,
                      bool blocked);
    // A stream that on_lagged called blocked has been written to the end of its batch.
    void (*on_moving)(void *context, struct net_conn *conn, uint32_t stream);
    // The frames that come for a stream build on frames that were left out (base/buffer.h), so it needs one that stands alone. Called
    // again until one comes. It must call no function of the connection.
    void (*on_behind)(void *context, struct net_conn *conn, uint32_t stream);
    // net_limits.connections are open, and conn is one more; context is the listener's. True: accept it, because the receiver has cut
    // another. False: refuse it; net_conn_tell may say why. NULL refuses.
    bool (*on_full)(void *context, struct net_conn *conn);
};

struct net_limits {
    struct protocol_scan_limits message;
    uint64_t first_bytes;   // size of messages until net_conn_trust; 0: as message says
    uint64_t receive_bytes; // bytes of unfinished messages, all connections together
    uint32_t connections;   // open at a time
    uint32_t message_ms;    // time by which a message may lag behind NET_MESSAGE_BYTES_MS; 0: 30 s
    // Peers must use TLS; a connection is shown to the handler after its handshake. It must live as long as the loop. NULL: plain. For a
    // dialer it is the TLS of net_dial.
    const struct net_tls *tls;
    uint32_t handshake_ms; // time that the handshake may take; 0: 5 s
};

enum { NET_MESSAGE_BYTES_MS = 32 }; // bytes per ms: a message that comes at this rate is never overdue

// Counts since listening began, except `open` and http_open.
struct net_stats {
    uint64_t accepted, refused, bytes_in, bytes_out, frames_sent, frames_dropped;
    uint32_t open;
    // With net_listen_http, connections that are not WebSockets. Of the counts above only the bytes include them.
    uint64_t http_requests, http_refused; // requests answered; those of them with a status of 400 or more
    uint32_t http_open;
    uint64_t handshakes, handshakes_failed; // TLS handshakes that were completed; that either side gave up
    int64_t tls_expires;                    // net_tls_expires; 0: plain
};

// Listens at ADDR:PORT or [V6]:PORT; port 0 takes a free one. *limits and *handler are copied. on_accept
// returns the context of a new connection; NULL refuses it, and net_conn_tell may say why. NULL with *reason (static text).
struct net_listener *net_listen(struct net_loop *loop, const char *address, const struct net_limits *limits,
                                void *(*on_accept)(void *context, struct net_conn *conn),
                                const struct net_conn_handler *handler, void *context, const char **reason);
void net_listener_address(const struct net_listener *listener, char *out, size_t size); // ADDR:PORT as bound
// Connections that can be open at a time: limits.connections, or fewer if the system allows fewer open files.
uint32_t net_listener_connections(const struct net_listener *listener);
void net_listener_stats(const struct net_listener *listener, struct net_stats *stats);
void net_listener_close(struct net_listener *listener); // stops accepting; connections stay
bool net_address_is_loopback(const char *address);      // false if it cannot be parsed

// A page that is made for each request.
struct net_http_page {
    const char *path; // such as /metrics
    const char *type; // Content-Type
    // Returns one reference; NULL if memory runs out. *status is 200 unless it sets it.
    struct base_buffer *(*make)(void *context, int *status);
};

// The caller owns everything, and all but folder must live as long as the listener.
struct net_http_options {
    // Its files are served at /, as they were when listening began. NULL, or without index.html: a page says that there are none.
    const char *folder;
    // Further origins that may open WebSockets (net/http_origin.h), separated by commas. May be NULL.
    const char *origins;
    // Host names under which the server may be addressed, separated by commas, besides addresses, localhost and the names in
    // origins. May be NULL.
    const char *hosts;
    const struct net_http_page *pages;
    uint32_t page_count;
    void *context;        // for make
    uint32_t connections; // open at a time, not counting WebSockets; 0: 256
    // Times in ms; 0: the value in the comment.
    uint32_t head_ms;  // for a request's head to come in: 10 s
    uint32_t idle_ms;  // from an answer to the next request: 60 s
    uint32_t stall_ms; // without progress while an answer is written: 30 s
    uint32_t ping_ms;  // of silence before a WebSocket's peer is pinged: 20 s
    uint32_t dead_ms;  // of silence after which it counts as gone: 90 s
};

// Like net_listen, with HTTP/1.1: files, pages, and WebSockets at /ws. on_accept and the handler see only WebSockets, after their
// handshake.
struct net_listener *net_listen_http(struct net_loop *loop, const char *address,
                                     const struct net_limits *limits, const struct net_http_options *http,
                                     void *(*on_accept)(void *context, struct net_conn *conn),
                                     const struct net_conn_handler *handler, void *context,
                                     const char **reason);
// A dialer makes connections to other servers, on this loop. It is a listener that does not listen: the handler gets what comes, except
// on_full, limits.message bounds messages, and net_listener_close closes it. NULL if memory runs out.
struct net_listener *net_dialer_create(struct net_loop *loop, const struct net_limits *limits,
                                       const struct net_conn_handler *handler);
// Begins to connect to ADDR:PORT, in numbers. The connection may be sent to and held at once; if nothing answers it closes. name: use
// TLS, and the peer's certificate must be valid for this host name or address; NULL: plain. NULL with *reason (static text), and
// on_closed is not called.
struct net_conn *net_dial(struct net_listener *dialer, const char *address, const char *name, void *context,
                          const char **reason);
// Called in on_closed: whether the peer did not speak TLS, or had no valid certificate; on_closed has the reason.
bool net_conn_is_distrusted(const struct net_conn *conn);

// Resolves HOST:PORT to ADDR:PORT on a worker, and then calls done on the loop; numbers is empty if the name is unknown. False if done
// will not be called.
bool net_resolve(struct net_loop *loop, const char *address, void (*done)(void *context, const char *numbers),
                 void *context);

bool net_origin_list_valid(const char *list); // for net_http_options.origins; NULL counts as empty
bool net_host_list_valid(const char *list);   // for net_http_options.hosts; NULL counts as empty

void net_conn_peer(const struct net_conn *conn, char *out, size_t size); // writes the peer's ADDR:PORT
// A number that is equal for connections from one IPv4 address, or from one /64 of IPv6.
uint64_t net_conn_origin(const struct net_conn *conn, bool *loopback);
// Milliseconds since bytes came in or a write was completed.
uint64_t net_conn_quiet_ms(const struct net_conn *conn);
// Whether the connection has ended, also if on_closed has not been called yet.
bool net_conn_is_over(const struct net_conn *conn);
// Whether a part of a message has come.
bool net_conn_has_begun(const struct net_conn *conn);
// Whether a part of a message has come, and the rest lags by more than net_limits.message_ms.
bool net_conn_overdue(const struct net_conn *conn);
// Lifts net_limits.first_bytes. Called in on_message, or while the connection is held.
void net_conn_trust(struct net_conn *conn);
// Asks the system for the state of the peer, even while the socket is not read. ENDED: it sends no more.
enum net_peer { NET_PEER_THERE, NET_PEER_ENDED /* sends no more */, NET_PEER_GONE };
enum net_peer net_conn_look(const struct net_conn *conn);
// Called in on_accept or on_full, for a connection that will be refused. Sends as much of bytes as the kernel takes at once.
void net_conn_tell(struct net_conn *conn, struct base_buffer *bytes);
// Queues a control message; takes a reference of its own. Control messages leave in this order. One waits behind at most one part of
// a frame, or 256 KiB of smaller ones.
void net_conn_send(struct net_conn *conn, struct base_buffer *bytes);
size_t net_conn_unsent(const struct net_conn *conn); // control bytes not yet handed to the kernel
// While a connection is held no message is handed up and the socket is not read. May be called in on_message.
void net_conn_hold(struct net_conn *conn, bool hold);
// Makes on_drained be called each time that unsent control bytes fall to or below this number.
void net_conn_drain_mark(struct net_conn *conn, size_t bytes);

// Opens a stream, so that batches can be pushed. False if memory runs out, the connection closes, or the stream is open.
bool net_conn_stream_open(struct net_conn *conn, uint32_t stream);
// Limits a stream that was just opened: no frame of it begins while so many bytes of earlier ones are not acknowledged. False if
// memory runs out.
bool net_conn_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes);
// Acknowledges all frames up to seq, so that more may follow. False if that frame was not sent.
bool net_conn_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq);
// Drops frames that have not begun. A frame whose first part was sent is completed. Returns the number of frames begun in all.
uint64_t net_conn_stream_close(struct net_conn *conn, uint32_t stream);
// Queues a batch for its stream. The connection owns the batch from now on, in every case.
void net_conn_stream_push(struct net_conn *conn, struct base_batch *batch);
// Bytes of the lossless batches that wait behind the one being sent, except for batches that replace those before them.
size_t net_conn_stream_waiting(const struct net_conn *conn, uint32_t stream);
// The least `moment` of the batches of a stream that are held here; UINT64_MAX if there is none.
uint64_t net_conn_stream_moment(const struct net_conn *conn, uint32_t stream);

// Sends the control messages that are queued, for at most 2 s, and then closes. Bytes that still come in are discarded.
void net_conn_finish(struct net_conn *conn, enum net_end end, const char *reason);
// Closes now; on_closed comes later, from the loop, with the first reason given, which is copied. A WebSocket's peer gets `end` if
// nothing is being written.
void net_conn_cut(struct net_conn *conn, enum net_end end, const char *reason);
// Drops what is not being written yet, sends the message `words` (NULL: none), and closes within grace_ms, whether the peer has read it
// or not. grace_ms 0: closes now, and sends as much of words as the kernel takes.
void net_conn_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms);

#endif
