// Declarations that libweft's files share. None of them is exported.
//
//     bytes ─▶ inbox (scan, gather, unpack) ─▶ receive (answer? notification? frame?) ─▶ callbacks
//     calls ─▶ outbox (number, remember) ─▶ blocking.c: socket │ event.c: libuv; through secure.c with TLS
//
// The two transports know the client, the client knows them by a table of functions, and no other file knows them. Both
// drive reach.c, which connects. calls.c holds the calls under way, visit.c the state of the session, and line.c goes on
// with the session when its connection is lost. receive.c uses line.c, which uses outbox.c.
#ifndef WEFT_CLIENT_INTERNAL_H
#define WEFT_CLIENT_INTERNAL_H

#include "visit.h"
#include "weft.h"

#include "protocol/scan.h"

enum {
    WEFT_CHUNK_SIZE = 65536,
    WEFT_CALLS_MAX = 1024,
    WEFT_METHOD_SIZE = 96, // longer method names are cut; no method of weft's is that long
};

// ---------------------------------------------------------------------------------------------------------
// Errors and text

// These return false, so that a failing function can return their result.
bool weft_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool weft_fail_memory(struct weft_error *error);
// Reads an error as a server sends it: [kind, "CODE: text"] or {kind, code, text, field}, or any other value.
void weft_error_from(struct weft_error *error, const msgpack_object *value);
// Copies at most out_size - 1 bytes of UTF-8. Characters that are unsafe on a terminal become '?'.
void weft_text_copy(char *out, size_t out_size, const char *text, size_t size);

// The first fault of the parameters, NULL if they can be sent.
const char *weft_params_fault(const struct weft_params *params);

// ---------------------------------------------------------------------------------------------------------
// Addresses

struct weft_address {
    char host[256];
    char port[8];
    bool secure; // the address begins with tls://
};

bool weft_address_parse(const char *text, struct weft_address *address, struct weft_error *error);

// ---------------------------------------------------------------------------------------------------------
// Inbox: splits a stream of bytes into messages. Each message has memory of its own, aligned as malloc does, so that
// arrays which the server aligned can be viewed in place.

struct weft_inbox {
    struct protocol_scan_limits limits;
    struct protocol_scan scan;
    uint8_t *bytes; // the message under way
    size_t size, capacity;
};

// A whole message, unpacked. The callee may take bytes and zone by setting them NULL.
struct weft_message {
    uint8_t *bytes;
    size_t size, capacity;
    msgpack_zone *zone;
    msgpack_object root;
};

// False stops the feeding.
typedef bool weft_message_fn(void *context, struct weft_message *message);

void weft_inbox_init(struct weft_inbox *inbox);
void weft_inbox_deinit(struct weft_inbox *inbox);
void weft_inbox_reset(struct weft_inbox *inbox); // prepares for another stream
// False with *error if the stream is not MessagePack, a message is too large, or memory runs out. True also if
// on_message stopped it; the rest of data is lost then.
bool weft_inbox_feed(struct weft_inbox *inbox, const uint8_t *data, size_t size, weft_message_fn *on_message,
                     void *context, struct weft_error *error);

// ---------------------------------------------------------------------------------------------------------
// Calls under way

enum weft_role {
    WEFT_ROLE_PLAIN,
    WEFT_ROLE_JOIN,
    WEFT_ROLE_LEAVE,
    // These belong to one connection and are asked again on the next.
    WEFT_ROLE_HELLO,
    WEFT_ROLE_END, // session.leave
    WEFT_ROLE_SUBSCRIBE,
    WEFT_ROLE_SET,
    WEFT_ROLE_UNSUBSCRIBE,
    WEFT_ROLE_ACK,
    WEFT_ROLE_RESUBSCRIBE, // made by the library itself
};

struct weft_pending {
    uint32_t msgid;  // on the wire; a call that is asked again gets a new one
    uint64_t ticket; // within the client, for life
    weft_reply_fn *fn;
    void *context;
    enum weft_role role;
    bool sent, due;     // sent: the server may have it; due: it is to be sent
    bool own;           // made by the library: goes out even while other calls wait for another server
    bool refused;       // with MOVED, whose address says where to ask again
    bool again;         // it was refused before
    uint32_t hops;      // number of servers that refused it
    uint32_t stream;    // of RESUBSCRIBE: the stream
    const char *method; // terminated; NULL: it cannot be asked again
    struct weft_packed params;
    char *kept; // the memory of method and params; NULL: they are the caller's
    size_t kept_size;
};

struct weft_calls {
    struct weft_pending *items; // in order of sending
    uint32_t count, capacity;
    uint32_t msgid_next;
    uint64_t ticket_next;
    size_t kept_bytes;
};

void weft_calls_deinit(struct weft_calls *calls);
enum weft_role weft_role_of(const char *method);
// Copies what is needed to ask again. pending is not in the list yet.
bool weft_calls_keep(struct weft_calls *calls, struct weft_pending *pending, const char *method,
                     const msgpack_sbuffer *params, struct weft_error *error);
// Adds it, with its numbers. From then on the list owns what pending owns.
bool weft_calls_add(struct weft_calls *calls, struct weft_pending *pending, struct weft_error *error);
struct weft_pending *weft_calls_asked(struct weft_calls *calls,
                                      uint32_t msgid); // valid until the list changes
// These move the call to *taken; the caller frees taken->kept.
bool weft_calls_take(struct weft_calls *calls, uint32_t msgid, struct weft_pending *taken);
bool weft_calls_take_first(struct weft_calls *calls, bool sent_only, struct weft_pending *taken);
struct weft_pending *weft_calls_find(struct weft_calls *calls,
                                     uint64_t ticket);             // valid until the list changes
bool weft_calls_forget(struct weft_calls *calls, uint64_t ticket); // false: there is no such call
// A connection is over: forgets the calls that the library made on it.
void weft_calls_cut(struct weft_calls *calls);
uint32_t weft_calls_sent(const struct weft_calls *calls); // number of calls that wait for an answer
// Gives calls that were not sent new ids behind all that were, in their order.
void weft_calls_renumber(struct weft_calls *calls);
// Writes the ids of the calls that the server may know, at most WEFT_CALLS_MAX. Returns their number.
uint32_t weft_calls_unanswered(const struct weft_calls *calls, uint32_t *msgids);
// Another connection is up: marks as due the calls that were lost, those never sent, and those that each connection
// asks again.
void weft_calls_again(struct weft_calls *calls, const uint32_t *lost, size_t lost_count);

// ---------------------------------------------------------------------------------------------------------
// Client

struct addrinfo;
struct weft_event;
struct weft_secure;

// The steps on the way to another server (follow.c).
enum weft_going {
    WEFT_GOING_NOT,
    WEFT_GOING_SETTLES, // waits for the answers of this server
    WEFT_GOING_DIALS,
    WEFT_GOING_GREETS,     // calls session.hello there
    WEFT_GOING_SETTLES_IN, // joins worlds and subscribes streams
    WEFT_GOING_PAUSES,     // has arrived, and waits for a world that is about to be opened
};

struct weft_follow {
    bool on;
    bool over; // the session was left
    enum weft_going going;
    bool adrift;                   // the connection that it leaves is lost already
    bool astray;                   // its server is away; its state is kept until another server greets
    bool asking;                   // a call of its own is under way
    bool arrived;                  // it is at another server, and on_line has not been told yet
    bool probing;                  // of the refused calls, only the first is sent
    char to[WEFT_ADDRESS_SIZE];    // the server that a world moved to; empty: none
    char there[WEFT_ADDRESS_SIZE]; // the server that the client goes to
    struct weft_address address;   // the same, parsed
    int64_t since_ms;              // start of the interval in which moves are counted
    uint32_t moves;
    int64_t until_ms;       // end of the current step
    int64_t pause_ms;       // nothing is sent before this time
    int64_t opening_ms;     // until then BUSY, and MOVED to a server that cannot be reached, are waited out
    int64_t wake_ms;        // when weft_outbox_flush is to be called; INT64_MAX: never
    uint64_t ticket;        // of its own call under way
    uint32_t stream, world; // that the call is about
};

enum weft_state { WEFT_STATE_UP, WEFT_STATE_AWAY, WEFT_STATE_TRYING, WEFT_STATE_GREETING };

// The functions of follow.c that the client calls.
struct weft_steps {
    // A world of this client has moved to that address; empty: unknown.
    void (*told)(struct weft_client *client, const char *address);
    // A call was refused. True if it stays in the list, to be asked again or to end later. May improve *error.
    bool (*takes)(struct weft_client *client, struct weft_pending *pending, struct weft_error *error);
    void (*turn)(struct weft_client *client); // takes the next step; never inside a message
    // The other server has answered session.hello; error: it refused.
    void (*greeted)(struct weft_client *client, const struct weft_error *error, const msgpack_object *hello);
    // The connection is lost. True if the client goes on elsewhere, and so is not lost yet.
    bool (*cut)(struct weft_client *client, const struct weft_error *error);
    void (*end)(struct weft_client *client); // the session was left: the client goes nowhere any more
};

// The functions of reach.c that the client calls.
struct weft_ways {
    // The connection is over, and another is to be tried after weft_line_retry_ms.
    void (*away)(struct weft_client *client);
    void (*hang_up)(struct weft_client *client); // the same, without another attempt
    // Connects to follow.address, beside the present connection if there is one; weft_follow_dialed follows.
    void (*dial)(struct weft_client *client);
    void (*undial)(struct weft_client *client);
    // The new connection replaces the old one, which says that it leaves if `leaves`. weft_line_greet follows.
    void (*change)(struct weft_client *client, bool leaves);
    void (*settle)(struct weft_client *client); // makes the new server the one to return to after a loss
};

// The two servers that a client can have a socket to: the present one, and the one that it goes to.
enum weft_side { WEFT_HERE, WEFT_THERE };

// The addresses of one of them.
struct weft_route {
    struct addrinfo *found;
    const struct addrinfo *target; // the next one to try
    char why[128];                 // why the last one was not reached
};

enum { WEFT_NO_ALARM = -1 };

struct weft_transport {
    const struct weft_steps *steps;
    const struct weft_ways *ways;
    // Sends head and body, one after the other; the caller owns both. False with *error.
    bool (*send)(struct weft_client *client, const msgpack_sbuffer *head, const msgpack_sbuffer *body,
                 struct weft_error *error);
    void (*close)(struct weft_client *client); // ends calls under way, and finally destroys the client
    void (*lose)(struct weft_client *client, const struct weft_error *error); // as weft_line_lose
    // Calls weft_outbox_flush at follow.wake_ms.
    void (*wake)(struct weft_client *client);
    // Calls weft_reach_late once, after that time; WEFT_NO_ALARM: never. The last one counts.
    void (*alarm)(struct weft_client *client, int64_t after_ms);
    // Looks up the addresses of a host; weft_reach_found follows, before or after this returns.
    void (*look_up)(struct weft_client *client, enum weft_side side, const struct weft_address *address);
    // Opens a socket and begins to connect it; weft_reach_connected follows later. Returns why it cannot, or NULL.
    const char *(*open)(struct weft_client *client, enum weft_side side, const struct addrinfo *target);
    // Gives up the socket and the look-up, if there are any.
    void (*shut)(struct weft_client *client, enum weft_side side);
    void (*take_over)(struct weft_client *client); // the socket of THERE is that of HERE from now on
    // Writes bytes as they are, as far as the system takes them at once. Frees them. False with *error.
    bool (*say)(struct weft_client *client, char *bytes, size_t size, struct weft_error *error);
    void (*ready)(struct weft_client *client); // the first connection is up; may be NULL
};

struct weft_client {
    const struct weft_transport *transport;
    struct weft_inbox inbox;
    struct weft_calls calls;
    weft_notification_fn *on_notification;
    void *on_notification_context;
    weft_frame_fn *on_frame;
    void *on_frame_context;
    struct weft_stats stats;
    bool closing; // nothing is sent any more, and incoming messages are ignored
    bool lost;
    struct weft_error loss;          // the reason, if lost or away
    char last_words[WEFT_TEXT_SIZE]; // the error that the server sent before it closed
    uint32_t delivering;             // number of callbacks on the stack

    bool resumes; // weft_resume is on
    struct weft_resume_options resume;
    weft_line_fn *on_line;
    void *on_line_context;
    struct weft_visit visit;
    struct weft_follow follow;
    enum weft_state state;
    bool told_away;
    bool flush_due;    // calls are due; new ones queue behind them
    uint32_t hello_id; // msgid of the greeting under way
    uint32_t failures; // number of failed attempts to come back
    int64_t away_since_ms, away_until_ms;
    bool greeted; // session.hello was called

    struct weft_route routes[2]; // by weft_side
    bool connected;              // to the present server, with TLS if it is used
    uint64_t connect_ms;         // bound of the first connection; 0: none

    struct weft_event *event;   // NULL in blocking mode
    struct weft_secure *secure; // NULL: plain
    bool sending;               // blocking mode
    int fd;                     // blocking mode; -1 if closed
    int timeout_ms;             // blocking mode; 0 or less: none
    weft_wait_fn *on_wait;      // blocking mode; may be NULL
    void *on_wait_context;
    struct weft_peer *peer;                        // blocking mode
    struct weft_address home;                      // the server that attempts to reconnect go to
    char address[sizeof(struct weft_address) + 3]; // of the current server, for error texts
};

int64_t weft_now_ms(void);
// Creates a client for an address as a program gives it, and sets home and name. Prepares TLS if the address or tls
// asks for it. NULL with *error.
struct weft_client *weft_client_create(const struct weft_transport *transport, const char *address,
                                       const struct weft_tls *tls, struct weft_error *error);
void weft_client_destroy(struct weft_client *client);
// sets the address for error texts
void weft_client_name(struct weft_client *client, const struct weft_address *address);
void weft_client_stay_away(struct weft_client *client); // from now on a lost connection is lost for good
// Calls the callback of a call that is not in the list any more. Exactly one of error and reply is not NULL.
void weft_client_finish(struct weft_client *client, struct weft_pending *pending,
                        const struct weft_error *error, struct weft_reply *reply);
void weft_client_tell_closed(struct weft_client *client, uint32_t stream, const struct weft_error *error);

static inline bool weft_client_follows(const struct weft_client *client)
{
    return client->follow.on && !client->follow.over;
}

// Whether the state of the session is recorded.
static inline bool weft_client_notes(const struct weft_client *client)
{
    return client->resumes || client->follow.on;
}

// Whether new calls wait: on the way to another server, and until the first refused call is answered there.
static inline bool weft_client_holds(const struct weft_client *client)
{
    return client->follow.going != WEFT_GOING_NOT || client->follow.probing;
}

// The connection is over, for good or until another is up.
static inline bool weft_client_is_cut(const struct weft_client *client)
{
    return client->lost || client->state == WEFT_STATE_AWAY;
}

// ---------------------------------------------------------------------------------------------------------
// Frames (frame.c, decode.c)

// Decodes one chunk of a q16 or delta frame. 1 with floats in the frame's zone or with body->missing, -1 with *error.
int weft_decoder_take(struct weft_decoder *decoder, const struct weft_frame *frame,
                      const msgpack_object *chunk, struct weft_frame_body *body, struct weft_error *error);

#endif
