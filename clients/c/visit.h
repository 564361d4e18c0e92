// The state of a session, so that another connection can go on with it: its key, how far each joined world was heard,
// and what its streams were asked for. Knows no connection.
//
// Streams end with their connection and are subscribed again under another id; for the program a stream keeps its first
// id. If memory runs out the key is cleared: a session whose state is not fully known cannot be gone on with.
#ifndef WEFT_CLIENT_VISIT_H
#define WEFT_CLIENT_VISIT_H

#include "weft.h"

enum { WEFT_KEY_SIZE = 128, WEFT_WORLD_NAME_SIZE = 128 };

struct weft_seen {
    uint32_t world;
    uint64_t revision; // of the last world.edited, or of world.join
    uint64_t line;     // number of the last world.said heard
    bool moved;        // and is to be joined at its new server
    bool missed;       // it was joined at its new server, but something changed meanwhile
    bool gone;         // it could not be joined at its new server
    char name[WEFT_WORLD_NAME_SIZE];
};

struct weft_stream {
    uint32_t id;        // as the program knows it
    uint32_t at_server; // as the server knows it; 0: not known yet
    uint64_t tick;      // of the last frame; after a move no earlier frame is shown
    bool shown;         // it has shown a frame
    bool anew;          // the next frame is the first of another connection
    uint64_t after;     // tick of the last frame of the connection before
    bool in_order;
    msgpack_sbuffer params;
};

enum { WEFT_OTHERS_MAX = 64 };

struct weft_visit {
    char key[WEFT_KEY_SIZE]; // empty: the session ends with its connection
    uint32_t grace_ms;
    msgpack_sbuffer hello; // parameters of session.hello
    struct weft_seen *seen;
    uint32_t seen_count, seen_capacity;
    struct weft_stream *streams;
    uint32_t stream_count, stream_capacity;
    char (*others)[WEFT_ADDRESS_SIZE]; // addresses of the deployment's other servers
    uint32_t other_count;
};

// Packed parameters; size 0 means none.
struct weft_packed {
    const char *data;
    size_t size;
};

void weft_visit_deinit(struct weft_visit *visit);
void weft_visit_clear(struct weft_visit *visit); // forgets all worlds and streams
// Takes an answer to session.hello. hello holds the parameters that were sent, NULL if they are known.
void weft_visit_begin(struct weft_visit *visit, const struct weft_packed *hello,
                      const msgpack_object *result);
// Writes the parameters of the session.hello that goes on with it to *out, which is inited. False if memory runs out.
bool weft_visit_resumption(const struct weft_visit *visit, const uint32_t *unanswered, uint32_t count,
                           msgpack_sbuffer *out);

void weft_visit_joined(struct weft_visit *visit, const msgpack_object *result);
void weft_visit_miss(struct weft_visit *visit, uint32_t world); // notes that it cannot be joined again
void weft_visit_left(struct weft_visit *visit, struct weft_packed params);
void weft_visit_subscribed(struct weft_visit *visit, struct weft_packed params, const msgpack_object *result);
void weft_visit_set(struct weft_visit *visit, struct weft_packed params);
void weft_visit_unsubscribed(struct weft_visit *visit, struct weft_packed params);
struct weft_stream *weft_visit_stream(const struct weft_visit *visit, uint32_t id); // NULL: there is none
void weft_visit_drop_stream(struct weft_visit *visit, uint32_t id);
void weft_visit_cut(struct weft_visit *visit); // the server knows no stream any more

// Lists the worlds to join again in *out, whose memory the caller frees, and forgets those that are gone. False with an
// empty list if memory runs out.
bool weft_visit_rejoin(struct weft_visit *visit, msgpack_object *out);
// It goes to another server: keeps only the worlds and streams that moved.
void weft_visit_part(struct weft_visit *visit);
// Completes the parameters of session.hello: fields that are not given stay as they were, a client that follows says
// so, and errors are asked for as maps. False if memory runs out.
bool weft_visit_greeting(const struct weft_visit *visit, const msgpack_sbuffer *params, msgpack_sbuffer *out);
// A stream's world has moved: the stream goes along.
void weft_visit_stream_moved(struct weft_visit *visit, const msgpack_object *fields);
// Takes a frame and fills in whether it is the first of a connection. False if it is not to be shown.
bool weft_visit_frame(struct weft_visit *visit, struct weft_frame *frame);

// Takes a notification and turns ids of streams into the program's. False: it came before.
bool weft_visit_hear(struct weft_visit *visit, const msgpack_object *method, const msgpack_object *fields);

// Whether the parameters name a stream that is being subscribed, so that they have to wait.
bool weft_visit_waits(const struct weft_visit *visit, struct weft_packed params);
// Writes the parameters with the server's id of the stream to *out, which is inited. *out stays empty if nothing
// changes. False if memory runs out.
bool weft_visit_rename(const struct weft_visit *visit, struct weft_packed params, msgpack_sbuffer *out);

#endif
