// libweft: a client of weftd in C17, usable from C++.
//
// Two ways to use it, with the same calls:
//
//     weft_connect   blocking. weft_call waits for its answer; notifications and frames are delivered while
//                    a call waits and in weft_poll. The caller's thread does everything.
//     weft_attach    event mode. Plugs into the caller's libuv loop; nothing blocks, everything arrives by
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
// Threads: a client belongs to one thread; different clients are independent. No function keeps global state
// or touches the locale. Ownership: what a function creates or inits the caller destroys or deinits with the
// function of the same name. Trust: everything that comes from the server is checked before use; a server
// can fail a call or lose the connection, never reach past an array.
//
// Functions that can fail return false (or NULL, or -1) and fill *error, which may be NULL everywhere.
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

WEFT_API const char *weft_version(void); // of the library: "0.1.0"

// ---------------------------------------------------------------------------------------------------------
// Errors

enum weft_kind {
    WEFT_KIND_SERVER = 0,    // the server failed
    WEFT_KIND_CALLER = 1,    // the server refused the call; code is one of server.info's errors
    WEFT_KIND_TRANSPORT = 2, // CONNECT, TIMEOUT, CLOSED, PROTOCOL, TLS, CERTIFICATE; AWAY, LOST (weft_resume)
    WEFT_KIND_LOCAL = 3,     // MEMORY, LIMIT, USAGE, FILE, CANCELLED: the library could not or would not
};

enum { WEFT_CODE_SIZE = 32, WEFT_FIELD_SIZE = 96, WEFT_TEXT_SIZE = 512, WEFT_ADDRESS_SIZE = 288 };

// All strings are terminated UTF-8 without control characters.
struct weft_error {
    enum weft_kind kind;
    char code[WEFT_CODE_SIZE];   // one upper-case word
    char text[WEFT_TEXT_SIZE];   // for people
    char field[WEFT_FIELD_SIZE]; // parameter at fault, where the server says so (errors: "map"); else empty
    char address
        [WEFT_ADDRESS_SIZE]; // of MOVED: the server that runs the world, as weft_connect takes it; else empty
};

// ---------------------------------------------------------------------------------------------------------
// Parameters: one map of named fields, built in order. Entries are counted here. Inside a list the key is
// NULL. A failure (no memory, misuse) sticks and is reported by the call that takes the parameters.

enum { WEFT_PARAMS_DEPTH_MAX = 16 };

struct weft_params {
    msgpack_sbuffer buffer; // the map under way
    const char *fault;      // first mistake, NULL if none
    uint32_t depth;         // containers open, the outermost map included
    struct {
        size_t at; // of the container's header in buffer
        uint32_t count;
        bool is_map;
    } open[WEFT_PARAMS_DEPTH_MAX];
};

WEFT_API void weft_params_init(struct weft_params *params);
WEFT_API void weft_params_deinit(struct weft_params *params);
WEFT_API void weft_params_clear(struct weft_params *params); // empties it, for the next call

WEFT_API void weft_params_nil(struct weft_params *params, const char *key);
WEFT_API void weft_params_bool(struct weft_params *params, const char *key, bool value);
WEFT_API void weft_params_u64(struct weft_params *params, const char *key, uint64_t value);
WEFT_API void weft_params_i64(struct weft_params *params, const char *key, int64_t value);
WEFT_API void weft_params_f64(struct weft_params *params, const char *key, double value);
WEFT_API void weft_params_string(struct weft_params *params, const char *key, const char *value);
// A thing by id or name: text that is a number from 1 to 2^32 - 1 is sent as an integer, other text as text, and what
// follows "name:" as text whatever it is: so a world that is called 42 is "name:42".
WEFT_API void weft_params_ref(struct weft_params *params, const char *key, const char *id_or_name);
WEFT_API void weft_params_vec3(struct weft_params *params, const char *key, double x, double y, double z);
// Typed arrays (ext 0x17, 0x18, 0x16); items may be NULL where count is 0.
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
// Any value: one that msgpack-c holds, or exactly one that is packed already (its bytes are not checked).
WEFT_API void weft_params_object(struct weft_params *params, const char *key, const msgpack_object *value);
WEFT_API void weft_params_raw(struct weft_params *params, const char *key, const void *packed, size_t size);

// ---------------------------------------------------------------------------------------------------------
// Values that came from the server. All take NULL and wrong types, and answer NULL or `otherwise` then, so
// that look-ups nest: weft_f64(weft_get(weft_get(&reply.result, "measures"), "strain_max"), 0).

WEFT_API const msgpack_object *weft_get(const msgpack_object *map, const char *field);
WEFT_API const msgpack_object *weft_at(const msgpack_object *list, uint32_t index);
WEFT_API uint32_t weft_count(const msgpack_object *list_or_map); // elements or entries; 0 for others
WEFT_API uint64_t weft_u64(const msgpack_object *value, uint64_t otherwise); // also floats that hold one
WEFT_API double weft_f64(const msgpack_object *value, double otherwise);     // any number
WEFT_API bool weft_bool(const msgpack_object *value, bool otherwise);
// The bytes of a string, not terminated; NULL with *size 0 for others. Lives as long as the value.
WEFT_API const char *weft_string(const msgpack_object *value, size_t *size);
WEFT_API bool weft_string_is(const msgpack_object *value, const char *text);
// A terminated copy, fit for a terminal: cut at a whole character, control bytes and broken UTF-8 become '?'.
// Empty for others. Returns out.
WEFT_API char *weft_string_copy(const msgpack_object *value, char *out, size_t out_size);

// An array of numbers, as the type that one wants. Typed arrays (ext 0x11 ... 0x18), bin (little-endian, of
// the type that one wants) and plain lists of numbers are taken. Where the bytes already lie as wanted the
// view points into the message, else at a copy; so it lives as long as the message, and must be deinited.
struct weft_view {
    union {
        const float *f32;
        const double *f64;
        const uint32_t *u32;
        const void *data;
    };
    size_t count;
    void *copy; // NULL if the view points into the message
};

// False with an empty view if value is no such array, holds what the type cannot (u32: fractions, negative
// numbers), or memory is short.
WEFT_API bool weft_view_f32(const msgpack_object *value, struct weft_view *view);
WEFT_API bool weft_view_f64(const msgpack_object *value, struct weft_view *view);
WEFT_API bool weft_view_u32(const msgpack_object *value, struct weft_view *view);
WEFT_API void weft_view_deinit(struct weft_view *view);

// ---------------------------------------------------------------------------------------------------------
// Frames

struct weft_decoder;
enum weft_encoding { WEFT_F32, WEFT_Q16, WEFT_DELTA };

// A part of a frame; valid during the callback (or as long as the object it was made from).
struct weft_frame {
    uint32_t stream, seq, dropped, world;
    uint64_t tick;
    uint32_t substep;
    double time; // s
    uint64_t revision;
    uint32_t part, parts;           // the last part has part + 1 == parts
    const msgpack_object *measures; // NULL if not in this part
    const msgpack_object *grabs;
    const msgpack_object *colliders; // where those are that motions move
    const msgpack_object *contact;   // between bodies
    const msgpack_object *contacts;  // where that is
    uint32_t body_count;             // chunks in this part
    enum weft_encoding encoding; // of positions and skin; but for f32 it takes weft_frame_use to read them
    double tolerance;            // of delta, m; else 0
    uint32_t nth;                // vertices 0, nth, 2 nth, ... are there; 1: all
    // The first since the stream began anew, as it does with BACK and MOVED: after is the tick of the last frame before, and what
    // lies between was not sent.
    bool anew;
    uint64_t after;
    // Where several servers share worlds: one more with each that runs this one; 0 elsewhere. Of two frames the one of the later
    // epoch is what holds.
    uint64_t epoch;
    // Private to the iterator.
    const msgpack_object *bodies;
    uint32_t next;
    msgpack_zone *zone;
    struct weft_decoder *decoder;
};

enum weft_missing {
    WEFT_MISSING_NOTHING,
    WEFT_MISSING_BODY, // the decoder does not know it, or it has other elements: weft_decoder_body, and then as below
    WEFT_MISSING_KEY, // it builds on what the decoder does not hold: stream.set {stream} gives what stands alone
};

// Particles first ... first + count - 1 of a body; where skin is not NULL, vertices of its skin, and nothing else. Where vertices is
// not NULL it is those instead, ascending: a tile of a large body whose positions are compressed. Each array has 3 count numbers
// or is NULL where the stream does not carry it. Lives as long as the frame; vertices as long as the decoder knows the body.
struct weft_frame_body {
    uint32_t body, first, count;
    const float *positions;
    const double *positions64;
    const float *velocities;
    const float *normals;
    const float *skin;
    enum weft_missing missing; // why positions and skin are NULL in a frame that is compressed
    const uint32_t *vertices;
};

// Reads the map of a stream.frame. zone serves for arrays that must be copied. False with PROTOCOL if a field
// is missing or of the wrong type. Only needed for frames that came by another way than weft_on_frame.
WEFT_API bool weft_frame_init(struct weft_frame *frame, const msgpack_object *map, msgpack_zone *zone,
                              struct weft_error *error);
// 1 with the next body, 0 at the end, -1 with *error if the chunk is not what it claims to be.
WEFT_API int weft_frame_next(struct weft_frame *frame, struct weft_frame_body *body,
                             struct weft_error *error);

// Streams with encoding "q16" or "delta": a decoder belongs to one stream, and gives floats as f32 has them. It has to see
// every part of every frame, to its end, in order:
//
//     on body.get         weft_decoder_body(decoder, &reply->result, &error);
//     on a frame          weft_frame_use(frame, decoder);
//                         while (weft_frame_next(frame, &body, &error) == 1) ...
//
// Frames of delta are predicted from a body's elements, and large bodies are cut into tiles by them: a body needs weft_decoder_body
// once, before its first frame or at any time later, and again where it comes back under its id with other elements, which the decoder
// notices. For q16 of up to 8192 vertices that is not needed.
// What a decoder keeps is in proportion to the answers of body.get.
WEFT_API struct weft_decoder *weft_decoder_create(void);          // NULL without memory
WEFT_API void weft_decoder_destroy(struct weft_decoder *decoder); // after its frames; NULL is allowed
// The result of body.get. False if it is not what it should be, or memory is short.
WEFT_API bool weft_decoder_body(struct weft_decoder *decoder, const msgpack_object *result,
                                struct weft_error *error);
WEFT_API void weft_decoder_forget(struct weft_decoder *decoder, uint32_t body); // it is gone
WEFT_API void weft_frame_use(struct weft_frame *frame, struct weft_decoder *decoder);

// ---------------------------------------------------------------------------------------------------------
// Clients

struct weft_client;
struct uv_loop_s;

// An answer with its bytes.
struct weft_reply {
    msgpack_object result;
    void *bytes;        // owned
    msgpack_zone *zone; // owned
};

WEFT_API void weft_reply_destroy(struct weft_reply *reply); // an empty one is allowed

// Exactly one of error and reply is not NULL. *reply is destroyed after the callback unless it was taken:
// `struct weft_reply mine = *reply; *reply = (struct weft_reply){0};`
typedef void weft_reply_fn(void *context, struct weft_client *client, const struct weft_error *error,
                           struct weft_reply *reply);
// params is the map of named fields, NULL if there is none. Valid during the callback.
typedef void weft_notification_fn(void *context, struct weft_client *client, const char *method,
                                  const msgpack_object *params);
typedef void weft_frame_fn(void *context, struct weft_client *client, struct weft_frame *frame);

// In event mode every function may be called in callbacks, weft_close too. In blocking mode a callback may
// call weft_notify and weft_call_async; weft_call and weft_poll answer USAGE there, weft_close is forbidden.

// TLS. The server's certificate has to be for the host of the address, and one that an authority vouches for. Zeroed, or
// NULL in its place: as tls:// in the address says. Files are in PEM.
struct weft_tls {
    bool on;          // speak it whatever the address says
    const char *ca;   // file of the authorities; NULL: those that the system knows
    const char *cert; // this client's own certificate and those behind it, for servers that want one
    const char *key;  // of it; both or neither
    const char *name; // that the server's certificate has to be for; NULL: the host
    bool no_verify;   // take any certificate: whoever is on the way can read and change everything
};

// Connects to "host:port", "[v6]:port" or "host" (port 9338); "tls://" or "wefts://" in front asks for TLS; NULL
// or "" is the variable WEFT_SERVER of the environment, or WEFT_ADDRESS_DEFAULT if that is not set. timeout_ms holds for connecting and for each call until weft_set_timeout; 0 or less
// waits for ever. Looking up a host name is not covered by it. NULL with CONNECT (the text has the address) or
// TIMEOUT.
WEFT_API struct weft_client *weft_connect(const char *address, int timeout_ms, struct weft_error *error);
// The same; tls is read before it returns, and may be NULL. Also NULL with TLS or CERTIFICATE, where that fails.
WEFT_API struct weft_client *weft_connect_tls(const char *address, const struct weft_tls *tls, int timeout_ms,
                                              struct weft_error *error);

struct weft_attach_options {
    const char *address; // as in weft_connect
    uint64_t timeout_ms; // for connecting; 0 waits for ever
    size_t unsent_bytes; // bound of what waits to be written; 0: 64 MiB
    void *context;       // of the two callbacks
    void (*on_connected)(void *context, struct weft_client *client); // may be NULL
    // Called once, last, when the connection is over and everything is released: the client is gone after
    // it. error is NULL where weft_close asked for it. May be NULL.
    void (*on_closed)(void *context, struct weft_client *client, const struct weft_error *error);
    const struct weft_tls *tls; // as in weft_connect_tls; may be NULL
};

// Begins to connect on the caller's loop and returns at once; calls may be made at once and are sent when the
// connection stands. NULL if the address cannot be parsed (USAGE) or memory is short. The loop is not run,
// stopped or closed here; the client holds handles on it until on_closed. As every program that writes
// through libuv, the caller's should ignore SIGPIPE.
WEFT_API struct weft_client *weft_attach(struct uv_loop_s *loop, const struct weft_attach_options *options,
                                         struct weft_error *error);

// Calls under way end with CLOSED. Blocking mode: frees the client. Event mode: on_closed follows. NULL is
// allowed.
WEFT_API void weft_close(struct weft_client *client);

WEFT_API void weft_set_timeout(struct weft_client *client, int timeout_ms); // blocking mode
// Blocking mode: while a call or a poll waits, to send or to receive, fn is called every 100 ms or so, and at once
// after a signal. It may call weft_stats, to tell how far a large request has come. Where it returns false the wait
// ends with CANCELLED: an answer that comes later is ignored. A request that was sent in part cannot be taken back:
// the connection ends, with CLOSED. NULL: nobody is asked.
typedef bool weft_wait_fn(void *context, struct weft_client *client);
WEFT_API void weft_on_wait(struct weft_client *client, weft_wait_fn *fn, void *context);
// Bound of one incoming message: default 256 MiB and 4194304 values. A server that passes it is cut off.
WEFT_API void weft_set_message_max(struct weft_client *client, size_t bytes, uint32_t nodes);
WEFT_API void weft_on_notification(struct weft_client *client, weft_notification_fn *fn, void *context);
// Frames come here; without it they come to weft_on_notification as stream.frame.
WEFT_API void weft_on_frame(struct weft_client *client, weft_frame_fn *fn, void *context);

// Blocking. params may be NULL, reply may be NULL. After TIMEOUT the client can be used on if the request had
// been sent whole; after CLOSED and PROTOCOL it answers CLOSED to everything. error->kind tells a refusal of
// the server from a failed transport.
WEFT_API bool weft_call(struct weft_client *client, const char *method, const struct weft_params *params,
                        struct weft_reply *reply, struct weft_error *error);

// Sends the request and returns; fn is called once, later (blocking mode: in weft_poll or while another call
// waits), at the latest with CLOSED or PROTOCOL when the connection ends. False, without calling fn: CLOSED,
// LIMIT (more than 1024 calls or too many bytes under way), MEMORY, USAGE. fn may be NULL.
WEFT_API bool weft_call_async(struct weft_client *client, const char *method,
                              const struct weft_params *params, weft_reply_fn *fn, void *context,
                              struct weft_error *error);

WEFT_API bool weft_notify(struct weft_client *client, const char *method, const struct weft_params *params,
                          struct weft_error *error);

// Of a lossless stream (stream.subscribe mode): this frame was taken, and all before it, so that more may come. To be said at
// the latest when a quarter of the stream's credit, or 256 frames, were taken since it was last; may be called for every frame,
// also in weft_on_frame. Does nothing for a part that is not its frame's last.
WEFT_API bool weft_frame_ack(struct weft_client *client, const struct weft_frame *frame,
                             struct weft_error *error);

// Blocking mode: waits until something arrives, delivers all that is there, and returns how many messages
// that were; 0 at timeout_ms (0: only looks, negative: for ever) or when a signal came; -1 when the
// connection is lost.
WEFT_API int weft_poll(struct weft_client *client, int timeout_ms, struct weft_error *error);
// To poll(2) for reading; -1 in event mode, when lost or away, and between two servers. Another one after that.
WEFT_API int weft_fd(const struct weft_client *client);

struct weft_stats {
    uint64_t bytes_in, bytes_out;
    uint64_t messages_in;
    uint64_t frames;          // parts of frames
    uint64_t ignored;         // notifications nobody listens to, answers nobody awaits
    uint32_t calls_under_way; // now
};

WEFT_API void weft_stats(const struct weft_client *client, struct weft_stats *stats);

// ---------------------------------------------------------------------------------------------------------
// Going on when the connection is lost. Without this a client whose connection is lost is lost with it: who
// asks for one answer wants to hear of a failure at once. Programs that stay connected turn it on, before they
// say session.hello; a session that never did ends with its connection, and then nothing is gone on with.
//
//     up ──lost──▶ WEFT_AWAY ──▶ WEFT_BACK   the session goes on
//                      │   └──▶ WEFT_ANEW    it is gone: this is a new one, with the same hello
//                      └──▶ CLOSED           after limit_ms, or where the server will not have this client
//
// Connecting again is done in weft_call and weft_poll (blocking mode), or on the loop; first after 100 ms, then
// after up to 5 s, over TLS as before. Meanwhile weft_fd is -1 (weft_poll has to be called now and then),
// weft_call waits up to its timeout, weft_call_async queues, and weft_notify is refused with AWAY; what was
// notified just before the loss may not have come.
//
// Where the server is one of several that share worlds, the others are tried in turn when it has been away for three
// seconds, and who is let in at one goes on there: MOVED, as below. What was under way ends with LOST then.
//
// BACK: each call is applied once and answered once: those that never came are sent again, answers that were
// missed come, and so does all that worlds told, without gap or repeat (world.changed may come twice). Streams
// go on under their ids, with a frame of the present; seq, and dropped of stream.lagged, count anew. One that
// cannot go on ends with stream.closed. "rejoin" of hello (weft_view_u32) names worlds of which too much was missed:
// world.join tells how they are.
// ANEW: calls that may have come end with LOST, since nobody knows what became of them; those that were not
// sent are sent now. Worlds are to be joined and streams subscribed anew; ids may name other things where the
// server was started anew.

enum weft_line { WEFT_AWAY, WEFT_BACK, WEFT_ANEW, WEFT_MOVED };

// hello: the answer of session.hello to the new connection (BACK, ANEW), or of MOVED a map of "rejoin" alone: worlds in which
// something was changed on the way, or that could not be joined there. error: how the connection
// was lost (AWAY), else NULL. Both valid during the callback, in which may be called what may be in any other.
typedef void weft_line_fn(void *context, struct weft_client *client, enum weft_line line,
                          const msgpack_object *hello, const struct weft_error *error);

struct weft_resume_options {
    uint32_t limit_ms;     // from a loss until it is given up; 0: as long as the server keeps the session
    weft_line_fn *on_line; // may be NULL
    void *context;
};

// Copies *options; NULL turns it off. Requests are kept until they are answered, 256 MiB of them (else LIMIT).
WEFT_API void weft_resume(struct weft_client *client, const struct weft_resume_options *options);

// ---------------------------------------------------------------------------------------------------------
// Several servers that share worlds (docs/guides/cluster.md). A client that said session.hello goes to the server that runs
// the world that it asks for, and along when that moves: what was refused is asked there, in its order, worlds that were joined
// are so again, streams go on under their ids, and on_line is told WEFT_MOVED. It is at one server at a time; where it has joined or
// streams something else, calls end with MOVED, whose address says where to, and another client may be made.
//
// Nothing waits for it but what is asked: weft_poll with 0 returns at once (but for looking up a host name), and in event
// mode all is done on the loop. Meanwhile weft_fd is -1, as when it is away, weft_call waits up to its timeout, weft_call_async
// queues, and weft_notify may be refused with AWAY. A server that sends it on is believed eight times in ten seconds;
// BUSY of one that opens the world is waited out for ten after a move, or after ANEW, which may be of another server behind the same
// address; and so is MOVED that names one that is not there. Requests are copied until they are answered, 256 MiB of them: what is
// asked beyond is not asked again, and ends with MOVED.

WEFT_API void weft_follow(struct weft_client *client, bool on); // before session.hello; it is on
// Told of MOVED where weft_resume does not say who is.
WEFT_API void weft_on_line(struct weft_client *client, weft_line_fn *fn, void *context);
// "host:port" of the server that it is at, or tries; until the next function that is called with it.
WEFT_API const char *weft_address(const struct weft_client *client);

// ---------------------------------------------------------------------------------------------------------
// Wavefront OBJ

struct weft_mesh {
    double *positions; // x, y, z of each vertex, in the order of the file
    uint32_t vertex_count;
    uint32_t *triangles; // three vertex indices each, from 0
    uint32_t triangle_count;
};

// Reads v and f: polygons become fans of triangles, negative indices count from the last vertex so far,
// texture and normal indices are passed over, so is every other statement. False with FILE (the file cannot
// be read), INVALID (the text names the line), LIMIT (4194304 vertices, 16777216 triangles, 512 MiB) or
// MEMORY.
WEFT_API bool weft_obj_read(const char *path, struct weft_mesh *mesh, struct weft_error *error);
// The same from memory; name stands for the file in error texts.
WEFT_API bool weft_obj_parse(const char *name, const char *text, size_t size, struct weft_mesh *mesh,
                             struct weft_error *error);
WEFT_API void weft_mesh_deinit(struct weft_mesh *mesh); // an empty one is allowed

#ifdef __cplusplus
}
#endif

#endif
