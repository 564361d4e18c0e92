// What the files of libweft share. Nothing of this is exported.
//
//     bytes ─▶ inbox (scan, gather, unpack) ─▶ client (answer? notification? frame?) ─▶ callbacks
//     calls ─▶ client (number, remember) ─▶ blocking.c: socket │ event.c: libuv; through secure.c with TLS
//
// The two transports know the client, the client knows them by a table of two functions, and everything else
// knows neither.
#ifndef WEFT_CLIENT_INTERNAL_H
#define WEFT_CLIENT_INTERNAL_H

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
// False with *error if the stream is no MessagePack, too large, or memory is short. True also where
// on_message stopped it; what followed in data is lost then.
bool weft_inbox_feed(struct weft_inbox *inbox, const uint8_t *data, size_t size, weft_message_fn *on_message,
                     void *context, struct weft_error *error);

// ---------------------------------------------------------------------------------------------------------
// Client

struct weft_event;
struct weft_secure;

struct weft_pending {
    uint32_t msgid;
    weft_reply_fn *fn;
    void *context;
};

// Head and body follow each other on the wire; both are the caller's. False with *error.
struct weft_transport {
    bool (*send)(struct weft_client *client, const msgpack_sbuffer *head, const msgpack_sbuffer *body,
                 struct weft_error *error);
    void (*close)(struct weft_client *client); // ends calls under way, and in the end destroys the client
};

struct weft_client {
    const struct weft_transport *transport;
    struct weft_inbox inbox;
    struct weft_pending *pending; // in order of sending
    uint32_t pending_count, pending_capacity;
    uint32_t msgid_next;
    weft_notification_fn *on_notification;
    void *on_notification_context;
    weft_frame_fn *on_frame;
    void *on_frame_context;
    struct weft_stats stats;
    bool closing; // nothing is sent any more, and what comes is not looked at
    bool lost;
    struct weft_error loss;          // why, if lost
    char last_words[WEFT_TEXT_SIZE]; // of a server that said what was wrong before it closed
    uint32_t delivering;             // callbacks on the stack
    struct weft_event *event;        // NULL in blocking mode
    struct weft_secure *secure;      // NULL: plain
    bool sending;                    // blocking mode
    int fd;                          // blocking mode; -1 if closed
    int timeout_ms;                  // blocking mode; 0 or less: none
    weft_wait_fn *on_wait;           // blocking mode; may be NULL
    void *on_wait_context;
    char address[sizeof(struct weft_address)]; // for error texts
};

struct weft_client *weft_client_create(const struct weft_transport *transport, struct weft_error *error);
void weft_client_destroy(struct weft_client *client);
// Takes bytes that came. False, the client being lost with its loss filled, if the stream is broken.
bool weft_client_receive(struct weft_client *client, const uint8_t *data, size_t size);
// Remembers why and ends all calls under way. Only the first reason is kept.
void weft_client_lose(struct weft_client *client, const struct weft_error *error);
// The same for an end of the stream.
void weft_client_lose_at_end(struct weft_client *client);
// A call under way is forgotten; its callback is not called. False if there is none.
bool weft_client_forget(struct weft_client *client, uint32_t msgid);
// Sends a request and remembers it.
bool weft_client_request(struct weft_client *client, const char *method, const struct weft_params *params,
                         weft_reply_fn *fn, void *context, uint32_t *msgid, struct weft_error *error);

// A notification of session.leave: the last that a client says.
enum { WEFT_LEAVE_SIZE = 17 };
extern const char weft_leave[];

#endif
