// What is known of a session, so that another connection can go on with it: its key, how far was heard of each world that was
// joined, and what its streams were asked to be. Knows no connection.
//
// Streams end with their connection, and are subscribed again under another id; outside a stream keeps the one it had first.
// Where memory runs out there is no key any more: a session that is not known as it is cannot be gone on with.
#ifndef WEFT_CLIENT_VISIT_H
#define WEFT_CLIENT_VISIT_H

#include "weft.h"

enum { WEFT_KEY_SIZE = 128, WEFT_WORLD_NAME_SIZE = 128 };

struct weft_seen {
    uint32_t world;
    uint64_t revision; // of the last world.edited, or of world.join
    uint64_t line;     // the last that was said
    bool moved;        // and is to be joined where it is now
    bool missed;       // it was joined there, and something was changed meanwhile
    bool gone;         // it could not be joined there
    char name[WEFT_WORLD_NAME_SIZE];
};

struct weft_stream {
    uint32_t id;        // outside
    uint32_t at_server; // 0: not known yet
    uint64_t tick;      // of the last frame; after a move nothing is shown of before
    bool shown;         // there was one
    bool anew;          // the next is the first of another connection
    uint64_t after;     // and this the tick of the last of the one before
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
    char (*others)[WEFT_ADDRESS_SIZE]; // of the deployment's other servers
    uint32_t other_count;
};

// Packed parameters; none is empty.
struct weft_packed {
    const char *data;
    size_t size;
};

void weft_visit_deinit(struct weft_visit *visit);
void weft_visit_clear(struct weft_visit *visit); // no worlds and no streams
// An answer to session.hello. hello is what was asked with, NULL if that is known.
void weft_visit_begin(struct weft_visit *visit, const struct weft_packed *hello,
                      const msgpack_object *result);
// The parameters of session.hello that goes on with it, for *out, which is inited. False without memory.
bool weft_visit_resumption(const struct weft_visit *visit, const uint32_t *unanswered, uint32_t count,
                           msgpack_sbuffer *out);

void weft_visit_joined(struct weft_visit *visit, const msgpack_object *result);
void weft_visit_miss(struct weft_visit *visit, uint32_t world); // it cannot be joined again
void weft_visit_left(struct weft_visit *visit, struct weft_packed params);
void weft_visit_subscribed(struct weft_visit *visit, struct weft_packed params, const msgpack_object *result);
void weft_visit_set(struct weft_visit *visit, struct weft_packed params);
void weft_visit_unsubscribed(struct weft_visit *visit, struct weft_packed params);
struct weft_stream *weft_visit_stream(const struct weft_visit *visit, uint32_t id); // NULL: there is none
void weft_visit_drop_stream(struct weft_visit *visit, uint32_t id);
void weft_visit_cut(struct weft_visit *visit); // no stream is known to the server any more

// Worlds that are to be joined again, as a list in *out with its own memory to be freed, and of which the last are forgotten. False,
// with an empty list, without memory.
bool weft_visit_rejoin(struct weft_visit *visit, msgpack_object *out);
// It goes to another server: nothing but worlds and streams that moved is left of it.
void weft_visit_part(struct weft_visit *visit);
// The parameters of session.hello as they are sent: what is not said anew is as it was, who follows says so, and wants errors as
// maps. False without memory.
bool weft_visit_greeting(const struct weft_visit *visit, const msgpack_sbuffer *params, msgpack_sbuffer *out);
// A stream's world has moved: the stream goes along.
void weft_visit_stream_moved(struct weft_visit *visit, const msgpack_object *fields);
// A frame, which learns whether it is the first of a connection: is it to be shown?
bool weft_visit_frame(struct weft_visit *visit, struct weft_frame *frame);

// A notification; ids of streams in it become those of outside. False: it came before.
bool weft_visit_hear(struct weft_visit *visit, const msgpack_object *method, const msgpack_object *fields);

// Parameters that name a stream: is that being subscribed, so that they have to wait?
bool weft_visit_waits(const struct weft_visit *visit, struct weft_packed params);
// The same as the server knows it, in *out, which is inited; as it is, *out stays empty. False without memory.
bool weft_visit_rename(const struct weft_visit *visit, struct weft_packed params, msgpack_sbuffer *out);

#endif
