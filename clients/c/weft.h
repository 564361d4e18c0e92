// libweft: a client of weftd in C17, usable from C++.
//
// Two ways to use it, with the same calls:
//
//     weft_connect   blocking. weft_call waits for its answer; notifications and frames are delivered while
//                    a call waits and in weft_poll. Everything runs on the caller's thread.
//     weft_attach    event mode. Plugs into the caller's libuv loop; nothing blocks, and everything arrives by
//                    callback on the loop's thread.
//
//     struct weft_error error;
//     struct weft_client *client = weft_connect(NULL, 5000, &error);
//     struct weft_params params;
//     weft_params_init(&params);
//     weft_params_string(&params, "name", "flag");
//     weft_params_vec3(&params, "gravity", 0, -9.81, 0);
//     struct weft_reply reply;
//     if (!weft_call(client, "world.create", &params, &reply, &error))
//         fprintf(stderr, "%s: %s\n", error.code, error.text);
//     uint64_t world = weft_u64(weft_get(&reply.result, "world"), 0);
//
// Threads: a client belongs to one thread; different clients are independent. No function keeps global state or touches
// the locale.
// Ownership: the caller destroys or deinits what a function creates or inits, with the function of the same name. A function
// copies the strings and arrays that it is given, unless it says otherwise.
// Trust: everything that comes from the server is checked before use. A server can fail a call or lose the connection,
// but it can never make the library read outside an array.
//
// Functions that can fail return false (or NULL, or -1) and fill *error. error may be NULL in every call.
#ifndef WEFT_H
#define WEFT_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_API __attribute__((visibility("default")))
#define WEFT_ADDRESS_DEFAULT "127.0.0.1:9338"

WEFT_API const char *weft_version(void); // version of the library: "0.1.0"

// ---------------------------------------------------------------------------------------------------------
// Errors

enum weft_kind {
    WEFT_KIND_SERVER = 0, // the server failed; code is one of docs/reference/errors.md
    WEFT_KIND_CALLER = 1, // the server refused the call; code is one of docs/reference/errors.md
    // CONNECT, TIMEOUT, CLOSED, PROTOCOL, TLS, CERTIFICATE; with weft_resume also AWAY and LOST
    WEFT_KIND_TRANSPORT = 2,
    WEFT_KIND_LOCAL = 3, // MEMORY, LIMIT, USAGE, FILE, CANCELLED: the library itself failed or refused
};

// Bytes, with the terminating zero.
enum { WEFT_CODE_SIZE = 32, WEFT_FIELD_SIZE = 96, WEFT_TEXT_SIZE = 512, WEFT_ADDRESS_SIZE = 288 };

// All strings are terminated UTF-8 without control characters.
struct weft_error {
    enum weft_kind kind;
    char code[WEFT_CODE_SIZE];   // one upper-case word
    char text[WEFT_TEXT_SIZE];   // a sentence for people
    char field[WEFT_FIELD_SIZE]; // the parameter at fault, if the server names it (errors: "map"); else empty
    // with MOVED: address of the server that runs the world, as weft_connect takes it; else empty
    char address[WEFT_ADDRESS_SIZE];
};

// ---------------------------------------------------------------------------------------------------------
// Parameters: one map of named fields, built in order. The library counts the entries. Inside a list the key is NULL.
// The first failure (out of memory, misuse) is kept, and the call that takes the parameters fails with USAGE.

enum { WEFT_PARAMS_DEPTH_MAX = 16 };

// The members are private.
struct weft_params {
    msgpack_sbuffer buffer; // the map so far
    const char *fault;      // first mistake, NULL if none
    uint32_t depth;         // open containers, including the outermost map
    struct {
        size_t at; // offset of the container's header in buffer
        uint32_t count;
        bool is_map;
    } open[WEFT_PARAMS_DEPTH_MAX];
};

WEFT_API void weft_params_init(struct weft_params *params);
WEFT_API void weft_params_deinit(struct weft_params *params);
WEFT_API void weft_params_clear(struct weft_params *params); // empties it for the next call

WEFT_API void weft_params_nil(struct weft_params *params, const char *key);
WEFT_API void weft_params_bool(struct weft_params *params, const char *key, bool value);
WEFT_API void weft_params_u64(struct weft_params *params, const char *key, uint64_t value);
WEFT_API void weft_params_i64(struct weft_params *params, const char *key, int64_t value);
WEFT_API void weft_params_f64(struct weft_params *params, const char *key, double value);
WEFT_API void weft_params_string(struct weft_params *params, const char *key, const char *value);
// A reference to a world, body ..., by id or name. A text that is a number from 1 to 2^32 - 1 is sent as an integer (an id), any
// other text as a string (a name). Whatever follows "name:" is sent as a string, so a world called 42 is "name:42".
WEFT_API void weft_params_ref(struct weft_params *params, const char *key, const char *id_or_name);
WEFT_API void weft_params_vec3(struct weft_params *params, const char *key, double x, double y, double z);
// Typed arrays (ext 0x17, 0x18, 0x16); items may be NULL if count is 0.
WEFT_API void weft_params_f32_array(struct weft_params *params, const char *key, const float *items,
                                    size_t count);
WEFT_API void weft_params_f64_array(struct weft_params *params, const char *key, const double *items,
                                    size_t count);
WEFT_API void weft_params_u32_array(struct weft_params *params, const char *key, const uint32_t *items,
                                    size_t count);
WEFT_API void weft_params_map_begin(struct weft_params *params, const char *key);
WEFT_API void weft_params_map_end(struct weft_params *params);
WEFT_API void weft_params_list_begin(struct weft_params *params, const char *key);
WEFT_API void weft_params_list_end(struct weft_params *params);
// Any value: either an object of msgpack-c, or the bytes of exactly one packed value (which are not checked).
WEFT_API void weft_params_object(struct weft_params *params, const char *key, const msgpack_object *value);
WEFT_API void weft_params_raw(struct weft_params *params, const char *key, const void *packed, size_t size);

// ---------------------------------------------------------------------------------------------------------
// Values that came from the server. All of these accept NULL and wrong types, and then return NULL or `otherwise`, so
// that look-ups nest: weft_f64(weft_get(weft_get(&reply.result, "measures"), "strain_max"), 0).

WEFT_API const msgpack_object *weft_get(const msgpack_object *map, const char *field);
WEFT_API const msgpack_object *weft_at(const msgpack_object *list, uint32_t index);
WEFT_API uint32_t weft_count(const msgpack_object *list_or_map); // elements or entries; 0 for any other type
// also takes a float that is a whole number in range
WEFT_API uint64_t weft_u64(const msgpack_object *value, uint64_t otherwise);
WEFT_API double weft_f64(const msgpack_object *value, double otherwise); // any number
WEFT_API bool weft_bool(const msgpack_object *value, bool otherwise);
// The bytes of a string, not terminated; NULL with *size 0 for any other type. Lives as long as the value.
WEFT_API const char *weft_string(const msgpack_object *value, size_t *size);
WEFT_API bool weft_string_is(const msgpack_object *value, const char *text);
// A terminated copy that is safe for a terminal: cut at a whole character, with '?' for control bytes and broken UTF-8.
// Empty for any other type. Returns out.
WEFT_API char *weft_string_copy(const msgpack_object *value, char *out, size_t out_size);

// An array of numbers, in the type that the caller wants. Accepts typed arrays (ext 0x11 ... 0x18), bin (little-endian,
// of the wanted type) and plain lists of numbers. If the bytes already have the wanted layout, the view points into the
// message; else it points at a copy. So it lives as long as the message, and must be deinited.
struct weft_view {
    union {
        const float *f32;
        const double *f64;
        const uint32_t *u32;
        const void *data;
    };
    size_t count;
    void *copy; // private; NULL if the view points into the message
};

// False with an empty view if value is not such an array, holds a number outside the type (u32: fractions, negative
// numbers), or memory runs out.
WEFT_API bool weft_view_f32(const msgpack_object *value, struct weft_view *view);
WEFT_API bool weft_view_f64(const msgpack_object *value, struct weft_view *view);
WEFT_API bool weft_view_u32(const msgpack_object *value, struct weft_view *view);
WEFT_API void weft_view_deinit(struct weft_view *view);

// ---------------------------------------------------------------------------------------------------------
// Frames

struct weft_decoder;
enum weft_encoding { WEFT_F32, WEFT_Q16, WEFT_DELTA };

// A part of a frame: one message. It is valid during the callback, or as long as the object that it was read from.
struct weft_frame {
    // stream, world: ids. seq counts the frames of this stream that were sent, dropped those left out before this one.
    uint32_t stream, seq, dropped, world;
    uint64_t tick;        // ticks done
    uint32_t substep;     // substeps done of the next tick
    double time;          // s, of the simulation: tick / tick rate
    uint64_t revision;    // edits that the frame contains
    uint32_t part, parts; // the last part has part + 1 == parts
    // The next six are in the first part, if the stream asked for them, and else NULL. docs/reference/types.md has their fields.
    const msgpack_object *measures;
    const msgpack_object *grabs;
    const msgpack_object *colliders; // poses of the colliders that motions move
    const msgpack_object *contact;   // summary of contact between bodies
    const msgpack_object *contacts;  // the points of that contact
    const msgpack_object *asleep;    // ids of the bodies that sleep, ascending; NULL also if none does
    // Chunks that are in no part of this frame, because they are as in the frame before; only in streams with `sparse`. If it
    // is 0, a body that the frame lacks is gone.
    uint32_t left_out;
    uint32_t body_count;         // chunks in this part: how often weft_frame_next returns 1
    enum weft_encoding encoding; // of positions and skin; all but WEFT_F32 need weft_frame_use
    double tolerance;            // error bound of delta, in m; else 0
    uint32_t nth;                // only vertices 0, nth, 2 nth, ... are sent; 1: all
    // True for the first frame after the stream was restarted, as it is with WEFT_BACK and WEFT_MOVED. Then `after` is
    // the tick of the last frame before the restart; the frames between were not sent.
    bool anew;
    uint64_t after;
    // How often a server began to run this world, if several servers share worlds; else 0. Of two frames of one tick, the one
    // with the greater epoch is valid.
    uint64_t epoch;
    // Private to the iterator.
    const msgpack_object *bodies;
    uint32_t next;
    msgpack_zone *zone;
    struct weft_decoder *decoder;
};

enum weft_missing {
    WEFT_MISSING_NOTHING,
    // the decoder does not know the body, or it has new elements: call weft_decoder_body, then see WEFT_MISSING_KEY
    WEFT_MISSING_BODY,
    // it builds on a frame that the decoder does not hold; stream.set {stream} asks for one that stands alone
    WEFT_MISSING_KEY,
};

// Particles first ... first + count - 1 of a body. If skin is not NULL, the chunk holds only vertices of the body's
// skin. If vertices is not NULL, it lists the indices in ascending order instead of the range: then the chunk is a tile
// of a large body with compressed positions. Each array has 3 count numbers (x, y, z), or is NULL if the stream does not
// carry it. The arrays live as long as the frame, vertices as long as the decoder knows the body.
struct weft_frame_body {
    uint32_t body, first, count; // body: its id
    const float *positions;      // m
    const double *positions64;   // m
    const float *velocities;     // m/s
    const float *normals;        // unit vectors
    const float *skin;           // m: positions of the skin's vertices
    enum weft_missing missing;   // why positions and skin of a compressed frame are NULL
    const uint32_t *vertices;
    // Unit quaternions x, y, z, w, four numbers for each particle; four zeros for one without an orientation. NULL if the body
    // has none.
    const float *rotations;
    const double *rotations64; // the same, exact
};

// Reads the map of a stream.frame. Arrays that must be copied are allocated from zone. False with PROTOCOL if a field
// is missing or of the wrong type. Only needed for frames that did not come through weft_on_frame.
WEFT_API bool weft_frame_init(struct weft_frame *frame, const msgpack_object *map, msgpack_zone *zone,
                              struct weft_error *error);
// Returns 1 and fills *body, 0 after the last chunk, or -1 with *error if the chunk is malformed or memory runs out. The rest of
// the frame cannot be read after that.
WEFT_API int weft_frame_next(struct weft_frame *frame, struct weft_frame_body *body,
                             struct weft_error *error);

// Streams with encoding "q16" or "delta". A decoder belongs to one stream and gives positions as floats, as f32 does.
// It has to see every part of every frame in order, and weft_frame_next is called until it returns 0:
//
//     on body.get         weft_decoder_body(decoder, &reply->result, &error);
//     on a frame          weft_frame_use(frame, decoder);
//                         while (weft_frame_next(frame, &body, &error) == 1) ...
//
// Frames of delta are predicted from a body's elements, which also cut large bodies into tiles. So a body needs
// weft_decoder_body once, before its first frame or at any time later. It needs it again if it comes back under its id
// with other elements, which the decoder notices. q16 does not need it for bodies of up to 8192 vertices. A decoder
// takes memory in proportion to the answers of body.get.
WEFT_API struct weft_decoder *weft_decoder_create(void); // NULL if memory runs out
// call it after the last use of its frames; NULL is allowed
WEFT_API void weft_decoder_destroy(struct weft_decoder *decoder);
// Takes the result of body.get. False if it is malformed or memory runs out.
WEFT_API bool weft_decoder_body(struct weft_decoder *decoder, const msgpack_object *result,
                                struct weft_error *error);
// Frees what the decoder keeps of a body that was removed.
WEFT_API void weft_decoder_forget(struct weft_decoder *decoder, uint32_t body);
// Makes weft_frame_next decode this frame with the decoder. It has no effect on frames of WEFT_F32.
WEFT_API void weft_frame_use(struct weft_frame *frame, struct weft_decoder *decoder);

// ---------------------------------------------------------------------------------------------------------
// Clients

struct weft_client;
struct uv_loop_s;

// An answer. It owns the memory that result points into.
struct weft_reply {
    msgpack_object result;
    void *bytes;        // private, owned
    msgpack_zone *zone; // private, owned
};

WEFT_API void weft_reply_destroy(struct weft_reply *reply); // an empty one is allowed

// Exactly one of error and reply is not NULL. *reply is destroyed after the callback unless the callback took it:
// `struct weft_reply mine = *reply; *reply = (struct weft_reply){0};`
typedef void weft_reply_fn(void *context, struct weft_client *client, const struct weft_error *error,
                           struct weft_reply *reply);
// params is the map of named fields, or NULL. It is valid during the callback.
typedef void weft_notification_fn(void *context, struct weft_client *client, const char *method,
                                  const msgpack_object *params);
// Called for each part of each frame.
typedef void weft_frame_fn(void *context, struct weft_client *client, struct weft_frame *frame);

// In event mode every function may be called in a callback, weft_close too. In blocking mode a callback may call
// weft_notify and weft_call_async; weft_call and weft_poll fail with USAGE there, and weft_close is forbidden.

// TLS. The server's certificate must be valid for the host of the address, and an authority must vouch for it. If this
// is zeroed, or NULL is passed instead, the address decides: tls:// asks for TLS. All files are PEM.
struct weft_tls {
    bool on;          // use TLS, whatever the address says
    const char *ca;   // file of trusted authorities; NULL: the system's
    const char *cert; // file of this client's certificate chain, for servers that ask for one; NULL: none
    const char *key;  // file of that certificate's private key; give both or neither
    const char *name; // name to check the server's certificate against; NULL: the host of the address
    bool no_verify;   // accept any certificate: an attacker on the path can then read and change everything
};

// Connects to "host:port", "[v6]:port" or "host" (port 9338). "tls://" or "wefts://" in front asks for TLS. NULL or ""
// means the environment variable WEFT_SERVER, or WEFT_ADDRESS_DEFAULT if that is not set. timeout_ms bounds the
// connecting and each call, until weft_set_timeout; 0 or less waits for ever. It does not bound the look-up of a host
// name. NULL with CONNECT (the text has the address) or TIMEOUT.
WEFT_API struct weft_client *weft_connect(const char *address, int timeout_ms, struct weft_error *error);
// The same with TLS. Reads tls before it returns; NULL is allowed. Also fails with TLS or CERTIFICATE.
WEFT_API struct weft_client *weft_connect_tls(const char *address, const struct weft_tls *tls, int timeout_ms,
                                              struct weft_error *error);

struct weft_attach_options {
    const char *address; // as in weft_connect
    uint64_t timeout_ms; // bound of connecting; 0 waits for ever
    size_t unsent_bytes; // bound of the bytes that wait to be written; 0: 64 MiB
    void *context;       // passed to the two callbacks
    void (*on_connected)(void *context, struct weft_client *client); // may be NULL
    // Called once, as the last callback, when the connection is over and all is released. The client does not exist any
    // more after it. error is NULL if weft_close asked for it. May be NULL.
    void (*on_closed)(void *context, struct weft_client *client, const struct weft_error *error);
    const struct weft_tls *tls; // as in weft_connect_tls; may be NULL
};

// Begins to connect on the caller's loop and returns at once. Calls can be made immediately; they are sent when the
// connection is up. NULL if the address cannot be parsed (USAGE) or memory runs out. The client never runs, stops or
// closes the loop, and holds handles on it until on_closed. Like every program that writes through libuv, the caller
// should ignore SIGPIPE.
WEFT_API struct weft_client *weft_attach(struct uv_loop_s *loop, const struct weft_attach_options *options,
                                         struct weft_error *error);

// Ends calls under way with CLOSED. Blocking mode: frees the client. Event mode: on_closed follows. NULL is allowed.
WEFT_API void weft_close(struct weft_client *client);

WEFT_API void weft_set_timeout(struct weft_client *client, int timeout_ms); // blocking mode
// Blocking mode: while a call or a poll waits to send or to receive, fn is called about every 100 ms, and at once after
// a signal. It may call weft_stats, to show how much of a large request was sent. If it returns false the wait ends
// with CANCELLED, and an answer that comes later is ignored. A request that was sent in part cannot be taken back: the
// connection then ends with CLOSED. NULL removes fn.
typedef bool weft_wait_fn(void *context, struct weft_client *client);
WEFT_API void weft_on_wait(struct weft_client *client, weft_wait_fn *fn, void *context);
// Bounds one incoming message, in bytes and in MessagePack values (nodes); the default is 256 MiB and 4194304. If a server
// exceeds it the connection ends with PROTOCOL.
WEFT_API void weft_set_message_max(struct weft_client *client, size_t bytes, uint32_t nodes);
WEFT_API void weft_on_notification(struct weft_client *client, weft_notification_fn *fn, void *context);
// Sets the callback for frames. Without one, frames come to weft_on_notification as stream.frame.
WEFT_API void weft_on_frame(struct weft_client *client, weft_frame_fn *fn, void *context);

// Blocking. params and reply may be NULL. *reply is empty if the call fails; else the caller destroys it. After TIMEOUT the client
// stays usable if the request had been sent whole; after CLOSED and PROTOCOL every call fails with CLOSED. error->kind tells
// a refusal by the server from a failed transport.
WEFT_API bool weft_call(struct weft_client *client, const char *method, const struct weft_params *params,
                        struct weft_reply *reply, struct weft_error *error);

// Sends the request and returns. fn is called once, later (blocking mode: in weft_poll or while another call waits), at
// the latest with CLOSED or PROTOCOL when the connection ends. False, without calling fn: CLOSED, LIMIT (more than 1024
// calls or too many bytes under way), MEMORY, USAGE. fn may be NULL.
WEFT_API bool weft_call_async(struct weft_client *client, const char *method,
                              const struct weft_params *params, weft_reply_fn *fn, void *context,
                              struct weft_error *error);

// Sends a notification. The server does not answer it, so true means only that it was queued or sent.
WEFT_API bool weft_notify(struct weft_client *client, const char *method, const struct weft_params *params,
                          struct weft_error *error);

// For a lossless stream (stream.subscribe with mode "lossless"): tells the server that this frame and all before it were taken, so
// that it sends more. A program calls it at least once for each quarter of the stream's credit, and once for each 256 frames.
// It may be called for every frame, also in the callback of weft_on_frame. Does nothing unless this is the last part of its
// frame.
WEFT_API bool weft_frame_ack(struct weft_client *client, const struct weft_frame *frame,
                             struct weft_error *error);

// Blocking mode: waits until something arrives, delivers all that is there, and returns the number of messages. 0 after
// timeout_ms (0: does not wait, negative: waits for ever) or if a signal came; -1 with *error if the connection is lost.
WEFT_API int weft_poll(struct weft_client *client, int timeout_ms, struct weft_error *error);
// The socket, for poll(2) with POLLIN. -1 in event mode, when the connection is lost or away, and between two servers. It may
// be another one after that.
WEFT_API int weft_fd(const struct weft_client *client);

// Counts since the client was created.
struct weft_stats {
    uint64_t bytes_in, bytes_out;
    uint64_t messages_in;
    uint64_t frames;          // parts of frames
    uint64_t ignored;         // notifications without a callback, answers to calls that ended before
    uint32_t calls_under_way; // at this moment
};

WEFT_API void weft_stats(const struct weft_client *client, struct weft_stats *stats);

// ---------------------------------------------------------------------------------------------------------
// Going on when the connection is lost. Without this, a client is lost with its connection, because a program that asks
// for one answer wants to hear of a failure at once. Programs that stay connected turn it on before they call
// session.hello. A session without session.hello ends with its connection.
//
//     up ──lost──▶ WEFT_AWAY ──▶ WEFT_BACK   the session goes on
//                      │   └──▶ WEFT_ANEW    the session is gone: this is a new one, with the same hello
//                      └──▶ CLOSED           after limit_ms, or if the server refuses this client
//
// The client connects again in weft_call and weft_poll (blocking mode), or on the loop (event mode): first after 100
// ms, then at growing intervals of up to 5 s, over TLS as before. Meanwhile weft_fd is -1 (weft_poll has to be called
// now and then), weft_call waits up to its timeout, weft_call_async queues, and weft_notify fails with AWAY. A
// notification sent just before the loss may be lost.
//
// If several servers share worlds, the client tries the others in turn once its server has been away for three seconds.
// If one of them lets it in, it goes on there: on_line gets WEFT_MOVED, as below. Calls under way then end with LOST.
//
// WEFT_BACK: each call is applied once and answered once. Calls that never arrived are sent again, and missed answers and
// missed messages of worlds arrive, without gap or repeat (except that world.changed may come twice). Streams keep
// their ids and go on with a frame of the present; seq, and dropped of stream.lagged, start again from zero. A stream
// that cannot go on ends with stream.closed. "rejoin" of hello (weft_view_u32) names the worlds of which too much was
// missed: world.join returns their state.
// WEFT_ANEW: calls that may have arrived end with LOST, because nobody knows whether they were applied. Calls that were
// not sent are sent now. The program has to join worlds and subscribe streams again. If the server was restarted, ids
// may refer to other things.

// Events of the connection, as in the picture.
enum weft_line { WEFT_AWAY, WEFT_BACK, WEFT_ANEW, WEFT_MOVED };

// hello: the answer of session.hello to the new connection (WEFT_BACK, WEFT_ANEW). For WEFT_MOVED it is a map of
// "rejoin" alone: worlds that changed on the way or that could not be joined there. error: how the connection was lost
// (WEFT_AWAY), else NULL. Both are valid during the callback, which may call the same functions as any other.
typedef void weft_line_fn(void *context, struct weft_client *client, enum weft_line line,
                          const msgpack_object *hello, const struct weft_error *error);

struct weft_resume_options {
    uint32_t
        limit_ms; // time after a loss until the client gives up; 0: as long as the server keeps the session
    weft_line_fn *on_line; // may be NULL
    void *context;
};

// Copies *options; NULL turns it off. Copies of requests are kept until they are answered, up to 256 MiB of them (else
// LIMIT).
WEFT_API void weft_resume(struct weft_client *client, const struct weft_resume_options *options);

// ---------------------------------------------------------------------------------------------------------
// Several servers that share worlds (docs/guides/cluster.md). A client that called session.hello goes to the server
// that runs the world that it asks for, and follows that world when it moves. There it repeats the refused calls in
// their order and joins its worlds again; streams keep their ids, and on_line gets WEFT_MOVED. A client is at one
// server at a time. If it has joined or streams something else, calls end with MOVED: the error's address names the
// server, and the program can create another client for it.
//
// Only calls wait for this. weft_poll with timeout 0 returns at once (except for the look-up of a host name), and in
// event mode all of it happens on the loop. Meanwhile weft_fd is -1, as when away, weft_call waits up to its timeout,
// weft_call_async queues, and weft_notify may fail with AWAY. The client follows at most eight such refusals within ten
// seconds. For ten seconds after a move, or after WEFT_ANEW (which may be another server behind the same address), it waits
// if a server answers BUSY while it opens the world, or if MOVED names a server that cannot be reached. Requests are
// copied until they are answered, up to 256 MiB of them. A request beyond that is not repeated, and ends with MOVED.

WEFT_API void weft_follow(struct weft_client *client, bool on); // call it before session.hello; on by default
// Sets the callback for WEFT_MOVED when weft_resume has set none.
WEFT_API void weft_on_line(struct weft_client *client, weft_line_fn *fn, void *context);
// "host:port" of the server that the client is at, or tries. Valid until the next function that is called with this
// client.
WEFT_API const char *weft_address(const struct weft_client *client);

// ---------------------------------------------------------------------------------------------------------
// Wavefront OBJ

struct weft_mesh {
    double *positions; // x, y, z of each vertex, in the order of the file
    uint32_t vertex_count;
    uint32_t *triangles; // three vertex indices each, from 0
    uint32_t triangle_count;
};

// Reads v and f: polygons are cut into triangles, and negative indices count back from the last vertex so far. A polygon that
// crosses itself or has more than 4096 corners becomes a fan, which may overlap. Texture and normal indices are skipped, and so
// is every other statement. False with FILE (the file cannot be read), INVALID (the text names the line), LIMIT (4194304
// vertices, 16777216 triangles, 512 MiB) or MEMORY.
WEFT_API bool weft_obj_read(const char *path, struct weft_mesh *mesh, struct weft_error *error);
// The same from memory; error texts show name in place of the file.
WEFT_API bool weft_obj_parse(const char *name, const char *text, size_t size, struct weft_mesh *mesh,
                             struct weft_error *error);
WEFT_API void weft_mesh_deinit(struct weft_mesh *mesh); // an empty one is allowed

#ifdef __cplusplus
}
#endif

#endif
