// What the files of libweft share. Nothing of this is exported.
//
//     bytes ─▶ inbox (scan, gather, unpack) ─▶ client (answer? notification? frame?) ─▶ callbacks
//     calls ─▶ client (number, remember) ─▶ blocking.c: socket │ event.c: libuv; through secure.c with TLS
//
// The two transports know the client, the client knows them by a table of functions, and everything else knows
// neither. calls.c holds the calls under way, visit.c what is known of the session.
//
//     the line:   up ──lost──▶ away ──▶ trying ──stands──▶ greeting ──answered──▶ up
//                               ▲  ▲──────┘ └─── lost ───────┘
//                               └── where the session can be gone on with, within its time; else lost for good
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
    uint32_t stream;    // with RESUBSCRIBE: which
    char *kept;         // owned: the method, terminated, and the packed parameters; NULL: not kept
    size_t method_size; // with the 0
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
// What is needed to ask again. pending is not in the list yet.
bool weft_calls_keep(struct weft_calls *calls, struct weft_pending *pending, const char *method,
                     const msgpack_sbuffer *params, struct weft_error *error);
// Gives it its numbers. What pending owns is the list's after it.
bool weft_calls_add(struct weft_calls *calls, struct weft_pending *pending, struct weft_error *error);
// These move it to *taken, whose kept is to be freed.
bool weft_calls_take(struct weft_calls *calls, uint32_t msgid, struct weft_pending *taken);
bool weft_calls_take_first(struct weft_calls *calls, bool sent_only, struct weft_pending *taken);
struct weft_pending *weft_calls_find(struct weft_calls *calls, uint64_t ticket); // until the list changes
bool weft_calls_forget(struct weft_calls *calls, uint64_t ticket);               // false: there is none
void weft_calls_cut(struct weft_calls *calls);                                   // a connection is lost
// Ids of those that the server may know, at most WEFT_CALLS_MAX; how many.
uint32_t weft_calls_unanswered(const struct weft_calls *calls, uint32_t *msgids);
// Another connection stands: these were lost, and with what was never sent and what is asked anew they are due.
void weft_calls_again(struct weft_calls *calls, const uint32_t *lost, size_t lost_count);

// ---------------------------------------------------------------------------------------------------------
// Client

struct weft_event;
struct weft_secure;

enum weft_state { WEFT_STATE_UP, WEFT_STATE_AWAY, WEFT_STATE_TRYING, WEFT_STATE_GREETING };

// Head and body follow each other on the wire; both are the caller's. False with *error.
struct weft_transport {
    bool (*send)(struct weft_client *client, const msgpack_sbuffer *head, const msgpack_sbuffer *body,
                 struct weft_error *error);
    void (*close)(struct weft_client *client); // ends calls under way, and in the end destroys the client
    // The connection is over, and another is to be tried when weft_client_retry_ms are over.
    void (*away)(struct weft_client *client);
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
    struct weft_visit visit;
    enum weft_state state;
    bool told_away;
    bool flush_due;    // calls are due; new ones queue behind them
    uint32_t hello_id; // of the greeting under way
    uint32_t failures; // to come back
    int64_t away_until_ms;

    struct weft_event *event;   // NULL in blocking mode
    struct weft_secure *secure; // NULL: plain
    bool sending;               // blocking mode
    int fd;                     // blocking mode; -1 if closed
    int timeout_ms;             // blocking mode; 0 or less: none
    weft_wait_fn *on_wait;      // blocking mode; may be NULL
    void *on_wait_context;
    struct weft_peer *peer;                    // blocking mode
    char address[sizeof(struct weft_address)]; // for error texts
};

int64_t weft_now_ms(void);
struct weft_client *weft_client_create(const struct weft_transport *transport, struct weft_error *error);
void weft_client_destroy(struct weft_client *client);
// Takes bytes that came. False, the client being lost with its loss filled, if the stream is broken.
bool weft_client_receive(struct weft_client *client, const uint8_t *data, size_t size);
// Remembers why and ends all calls under way. Only the first reason is kept.
void weft_client_lose(struct weft_client *client, const struct weft_error *error);
// The same for an end of the stream.
void weft_client_lose_at_end(struct weft_client *client);
// Sends a request and remembers it by a ticket.
bool weft_client_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         weft_reply_fn *fn, void *context, uint64_t *ticket, struct weft_error *error);

// The connection is over, for good or until another stands.
static inline bool weft_client_is_cut(const struct weft_client *client)
{
    return client->lost || client->state == WEFT_STATE_AWAY;
}

// The connection is lost: is, or was already, the client away, to come back? Else it is to be lost for good.
bool weft_client_go_away(struct weft_client *client, const struct weft_error *error);
uint32_t weft_client_retry_ms(struct weft_client *client); // until another connection is tried
bool weft_client_try(struct weft_client *client, struct weft_error *error); // that begins
void weft_client_greet(struct weft_client *client);                         // it stands
void weft_client_flush(struct weft_client *client);     // sends what is due; with no message half taken
void weft_client_stay_away(struct weft_client *client); // whatever is lost now is lost for good

// To come back by: how long one connection may take.
enum { WEFT_TRY_MS = 10000 };

// A notification of session.leave: the last that a client says.
enum { WEFT_LEAVE_SIZE = 17 };
extern const char weft_leave[];

// ---------------------------------------------------------------------------------------------------------
// Frames (frame.c, decode.c)

// One chunk of a frame of q16 or delta: 1 with floats in the frame's zone or with what is missing, 0 if it is a piece of one
// that is not whole yet, -1 with *error.
int weft_decoder_take(struct weft_decoder *decoder, const struct weft_frame *frame,
                      const msgpack_object *chunk, struct weft_frame_body *body, struct weft_error *error);

#endif
