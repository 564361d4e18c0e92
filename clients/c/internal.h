// What the files of libweft share. Nothing of this is exported.
//
//     bytes ─▶ inbox (scan, gather, unpack) ─▶ receive (answer? notification? frame?) ─▶ callbacks
//     calls ─▶ outbox (number, remember) ─▶ blocking.c: socket │ event.c: libuv; through secure.c with TLS
//
// The two transports know the client, the client knows them by a table of functions, and everything else knows
// neither. calls.c holds the calls under way, visit.c what is known of the session, and line.c goes on with it when its
// connection is lost. receive.c stands on line.c, and that on outbox.c.
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

// All return false, so that a failing function can return them.
bool weft_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool weft_fail_memory(struct weft_error *error);
// An error as a server gives it: [kind, "CODE: text"] or {kind, code, text, field}, or any other value.
void weft_error_from(struct weft_error *error, const msgpack_object *value);
// Copies at most out_size - 1 bytes of UTF-8; what a terminal should not see becomes '?'.
void weft_text_copy(char *out, size_t out_size, const char *text, size_t size);

// What is wrong with the parameters, NULL if they can be sent.
const char *weft_params_fault(const struct weft_params *params);

// ---------------------------------------------------------------------------------------------------------
// Addresses

struct weft_address {
    char host[256];
    char port[8];
    bool secure; // it said tls://
};

bool weft_address_parse(const char *text, struct weft_address *address, struct weft_error *error);

// ---------------------------------------------------------------------------------------------------------
// Inbox: a stream of bytes into messages. Each message lies in memory of its own, aligned as malloc does, so
// that arrays the server aligned can be viewed in place.

struct weft_inbox {
    struct protocol_scan_limits limits;
    struct protocol_scan scan;
    uint8_t *bytes; // message under way
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
void weft_inbox_reset(struct weft_inbox *inbox); // another stream begins
// False with *error if the stream is no MessagePack, too large, or memory is short. True also where
// on_message stopped it; what followed in data is lost then.
bool weft_inbox_feed(struct weft_inbox *inbox, const uint8_t *data, size_t size, weft_message_fn *on_message,
                     void *context, struct weft_error *error);

// ---------------------------------------------------------------------------------------------------------
// Calls under way

enum weft_role {
    WEFT_ROLE_PLAIN,
    WEFT_ROLE_JOIN,
    WEFT_ROLE_LEAVE,
    // Of one connection: asked anew of the next.
    WEFT_ROLE_HELLO,
    WEFT_ROLE_END, // session.leave
    WEFT_ROLE_SUBSCRIBE,
    WEFT_ROLE_SET,
    WEFT_ROLE_UNSUBSCRIBE,
    WEFT_ROLE_ACK,
    WEFT_ROLE_RESUBSCRIBE, // of this library's own
};

struct weft_pending {
    uint32_t msgid;  // on the wire; of a call that is asked anew a new one
    uint64_t ticket; // here
    weft_reply_fn *fn;
    void *context;
    enum weft_role role;
    bool sent, due;     // it may have come; it is to go out
    bool own;           // of this library: goes out also while others wait for another server
    bool refused;       // with MOVED, which names where it is to be asked again
    bool again;         // it was refused before
    uint32_t hops;      // servers that refused it so
    uint32_t stream;    // with RESUBSCRIBE: which
    const char *method; // terminated; NULL: it cannot be asked again
    struct weft_packed params;
    char *kept; // owned: these two; NULL: they are the caller's
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
// Gives it its numbers. What pending owns is the list's after it.
bool weft_calls_add(struct weft_calls *calls, struct weft_pending *pending, struct weft_error *error);
struct weft_pending *weft_calls_asked(struct weft_calls *calls, uint32_t msgid); // until the list changes
// These move it to *taken, whose kept is to be freed.
bool weft_calls_take(struct weft_calls *calls, uint32_t msgid, struct weft_pending *taken);
bool weft_calls_take_first(struct weft_calls *calls, bool sent_only, struct weft_pending *taken);
struct weft_pending *weft_calls_find(struct weft_calls *calls, uint64_t ticket); // until the list changes
bool weft_calls_forget(struct weft_calls *calls, uint64_t ticket);               // false: there is none
// A connection is over: what the library asked of it itself is forgotten.
void weft_calls_cut(struct weft_calls *calls);
uint32_t weft_calls_sent(const struct weft_calls *calls); // how many wait for an answer
// What was not sent gets ids behind all that were, in its order.
void weft_calls_renumber(struct weft_calls *calls);
// Ids of those that the server may know, at most WEFT_CALLS_MAX; how many.
uint32_t weft_calls_unanswered(const struct weft_calls *calls, uint32_t *msgids);
// Another connection stands: these were lost, and with what was never sent and what is asked anew they are due.
void weft_calls_again(struct weft_calls *calls, const uint32_t *lost, size_t lost_count);

// ---------------------------------------------------------------------------------------------------------
// Client

struct weft_event;
struct weft_secure;

// How far a client is with going to another server (follow.c).
enum weft_going {
    WEFT_GOING_NOT,
    WEFT_GOING_SETTLES, // what was asked is answered here
    WEFT_GOING_DIALS,
    WEFT_GOING_GREETS,     // that server alone is spoken to
    WEFT_GOING_SETTLES_IN, // joins, and subscribes
    WEFT_GOING_PAUSES,     // is there; a world is about to be opened
};

struct weft_follow {
    bool on;
    bool over; // the session was left
    enum weft_going going;
    bool adrift;                // the connection that it leaves is lost already
    bool astray;                // its server is away: nothing of that is forgotten until another one greets
    bool asking;                // a call of its own is under way
    bool arrived;               // it is at another server, and was not told yet
    bool probing;               // of what was refused the first goes out alone
    char to[WEFT_ADDRESS_SIZE]; // where a world has gone; empty: nowhere
    char there[WEFT_ADDRESS_SIZE]; // where it goes
    struct weft_address address;   // the same
    int64_t since_ms;              // of the moves that are counted
    uint32_t moves;
    int64_t until_ms;       // of the step under way
    int64_t pause_ms;       // nothing is asked before
    int64_t opening_ms;     // until then a world may have to be opened, or be said to run where nobody is
    int64_t wake_ms;        // weft_outbox_flush is to be called then; INT64_MAX: it need not be
    uint64_t ticket;        // of what it asks
    uint32_t stream, world; // that this is of
};

enum weft_state { WEFT_STATE_UP, WEFT_STATE_AWAY, WEFT_STATE_TRYING, WEFT_STATE_GREETING };

// What follow.c does for the client.
struct weft_steps {
    // A world of this client has gone there; empty: nobody knows where.
    void (*told)(struct weft_client *client, const char *address);
    // A call was refused: does it stay in the list, to be asked again or to end later? *error may be said better.
    bool (*takes)(struct weft_client *client, struct weft_pending *pending, struct weft_error *error);
    void (*turn)(struct weft_client *client); // the next step, with no message half taken
    // The other server has answered session.hello; error: as a refusal.
    void (*greeted)(struct weft_client *client, const struct weft_error *error, const msgpack_object *hello);
    // The connection is lost. True: it goes on elsewhere, and so is not lost yet.
    bool (*cut)(struct weft_client *client, const struct weft_error *error);
    void (*end)(struct weft_client *client); // the session is left: it goes nowhere any more
};

// Head and body follow each other on the wire; both are the caller's. False with *error.
struct weft_transport {
    const struct weft_steps *steps;
    bool (*send)(struct weft_client *client, const msgpack_sbuffer *head, const msgpack_sbuffer *body,
                 struct weft_error *error);
    void (*close)(struct weft_client *client); // ends calls under way, and in the end destroys the client
    // The connection is over, and another is to be tried when weft_line_retry_ms are over.
    void (*away)(struct weft_client *client);
    void (*hang_up)(struct weft_client *client); // the same, and none is tried
    // For follow.c. At follow.wake_ms weft_outbox_flush is to be called.
    void (*wake)(struct weft_client *client);
    // Connects to follow.address, beside the connection that there may be; weft_follow_dialed follows.
    void (*dial)(struct weft_client *client);
    void (*undial)(struct weft_client *client);
    // That connection takes the place of the other, which says that it leaves if `leaves`. weft_line_greet follows.
    void (*change)(struct weft_client *client, bool leaves);
    void (*settle)(struct weft_client *client); // when it is lost, the next is tried there
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
    bool closing; // nothing is sent any more, and what comes is not looked at
    bool lost;
    struct weft_error loss;          // why, if lost or away
    char last_words[WEFT_TEXT_SIZE]; // of a server that said what was wrong before it closed
    uint32_t delivering;             // callbacks on the stack

    bool resumes; // weft_resume asked for it
    struct weft_resume_options resume;
    weft_line_fn *on_line;
    void *on_line_context;
    struct weft_visit visit;
    struct weft_follow follow;
    enum weft_state state;
    bool told_away;
    bool flush_due;    // calls are due; new ones queue behind them
    uint32_t hello_id; // of the greeting under way
    uint32_t failures; // to come back
    int64_t away_since_ms, away_until_ms;
    bool greeted; // session.hello was asked

    struct weft_event *event;   // NULL in blocking mode
    struct weft_secure *secure; // NULL: plain
    bool sending;               // blocking mode
    int fd;                     // blocking mode; -1 if closed
    int timeout_ms;             // blocking mode; 0 or less: none
    weft_wait_fn *on_wait;      // blocking mode; may be NULL
    void *on_wait_context;
    struct weft_peer *peer;                        // blocking mode
    struct weft_address home;                      // where another connection is tried
    char address[sizeof(struct weft_address) + 3]; // for error texts: of who is spoken to
};

int64_t weft_now_ms(void);
// For the server at an address as a program gives it, of which home and name are set; with what TLS needs, where that is wanted.
// NULL with *error.
struct weft_client *weft_client_create(const struct weft_transport *transport, const char *address,
                                       const struct weft_tls *tls, struct weft_error *error);
void weft_client_destroy(struct weft_client *client);
void weft_client_name(struct weft_client *client, const struct weft_address *address); // of who is spoken to
void weft_client_stay_away(struct weft_client *client); // whatever is lost now is lost for good
// Tells who asked; the call is not in the list any more. Exactly one of error and reply is not NULL.
void weft_client_finish(struct weft_client *client, struct weft_pending *pending,
                        const struct weft_error *error, struct weft_reply *reply);
void weft_client_tell_closed(struct weft_client *client, uint32_t stream, const struct weft_error *error);

static inline bool weft_client_follows(const struct weft_client *client)
{
    return client->follow.on && !client->follow.over;
}

// Is what the session has to do with noted?
static inline bool weft_client_notes(const struct weft_client *client)
{
    return client->resumes || client->follow.on;
}

// What others ask waits until it is there, and a while longer.
static inline bool weft_client_holds(const struct weft_client *client)
{
    return client->follow.going != WEFT_GOING_NOT || client->follow.probing;
}

// The connection is over, for good or until another stands.
static inline bool weft_client_is_cut(const struct weft_client *client)
{
    return client->lost || client->state == WEFT_STATE_AWAY;
}

// ---------------------------------------------------------------------------------------------------------
// Frames (frame.c, decode.c)

// One chunk of a frame of q16 or delta: 1 with floats in the frame's zone or with what is missing, -1 with *error.
int weft_decoder_take(struct weft_decoder *decoder, const struct weft_frame *frame,
                      const msgpack_object *chunk, struct weft_frame_body *body, struct weft_error *error);

#endif
