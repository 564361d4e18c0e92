// Shared by the files of relay/. Each calls those below it:
//
//     relay.c    which call goes where; guests
//     back.c     what comes back
//     hub.c      streams that many share
//     line.c     a connection to another server: what goes out, its life
//     trust.c    where worlds are, and which servers are not asked for them
//     wire.c     bytes
#ifndef WEFT_RELAY_INTERNAL_H
#define WEFT_RELAY_INTERNAL_H

#include "relay/relay.h"
#include "relay/wire.h"

#include "dispatch/dispatch.h"
#include "net/net.h"

enum {
    RELAY_BUCKETS = 1024,
    RELAY_NAME_SIZE = PROTOCOL_LIMIT_NAME_BYTES + 1,
    RELAY_TOKEN_SIZE = 256, // more than any token that is good
    RELAY_CALLS_MAX =
        PROTOCOL_LIMIT_REQUESTS_UNANSWERED - 16,  // of a line, so that the server there always reads one more
    RELAY_OWN_CALLS = PROTOCOL_LIMIT_STREAMS + 4, // besides: hello, ping, those of shared streams
    RELAY_NOTES_BYTES = 1 << 20,                  // of notifications that wait for the line to begin
    RELAY_UNSENT_BYTES = 4 << 20,
    RELAY_DISTRUSTED = 16, // servers at a time
};

// A session of this server that has to do with others, or may have.
struct relay_guest {
    struct relay *relay;
    struct relay_guest *next; // of its bucket
    uint32_t session;
    char client[RELAY_NAME_SIZE], user[RELAY_NAME_SIZE], token[RELAY_TOKEN_SIZE];
    int arrays, errors;
    uint32_t hops;
    bool away; // its connection is lost
    struct relay_line *lines;
    uint32_t line_count;
    struct relay_hub *hub; // whose it is: then it is no session, and is in no bucket; NULL: it is a session
};

enum relay_use {
    RELAY_USE_CALL,
    RELAY_USE_HELLO,
    RELAY_USE_PING,
    RELAY_USE_LOOK,  // whether the session may see a world of which it wants a shared stream
    RELAY_USE_HUB,   // a hub subscribes
    RELAY_USE_ADOPT, // a shared stream becomes one of the session's alone
};

// A request that is not answered.
struct relay_asked {
    enum relay_use use;
    enum protocol_method method;
    uint32_t there, here; // its msgid
    uint32_t world;       // that it is about; 0: a stream says which
    uint32_t stream;      // that it subscribes, or that it is about; of this server
    size_t bytes;         // that the session is charged for it
    bool sent;
    struct relay_waiting *then; // of ADOPT: what is to be said when it is answered
};

// A message that waits for the line to begin.
struct relay_waiting {
    struct relay_waiting *next;
    uint32_t there;  // msgid; 0: a notification
    uint32_t stream; // as of relay_asked
    size_t size;
    uint8_t bytes[];
};

struct relay_stream {
    uint32_t here, there;
    uint32_t sent; // frames, before those that come by this line: they are numbered on from there
};

enum relay_state {
    RELAY_LOOKS,  // there is no connection: it is tried again
    RELAY_BEGINS, // there is one, and hello was said
    RELAY_OPEN,
    RELAY_OVER, // of no guest any more; the connection closes
};

struct relay_line {
    struct relay *relay;
    struct relay_guest *guest;
    struct relay_line *next;
    enum relay_state state;
    char address[DISPATCH_ADDRESS_SIZE];
    bool tls;
    uint32_t world; // that it was begun for
    struct net_conn *conn;
    struct relay_lookup *lookup; // of its address, which is under way; NULL: none is
    uint32_t session;            // its session there
    uint32_t last_msgid;
    struct relay_asked asked[RELAY_CALLS_MAX + RELAY_OWN_CALLS];
    uint32_t asked_count;
    struct relay_waiting *first, *last;
    size_t notes_bytes; // of notifications among them
    struct relay_stream streams[PROTOCOL_LIMIT_STREAMS];
    uint32_t stream_count;
    uint32_t views[PROTOCOL_LIMIT_SESSION_VIEWS];
    uint32_t joined; // worlds
    bool held;       // it is not read, since the session does not read
    bool holds;      // the session is not read, since it takes nothing
    bool pinged;     // and no answer yet
    bool away;       // as it was told of its guest
    uint64_t since_ms, tried_ms, heard_ms, pinged_ms;
};

// One who looks on at a shared stream.
struct relay_viewer {
    struct relay_viewer *next;
    uint32_t session, stream; // of this server
    uint32_t msgid;           // of its subscription
    size_t bytes;             // that the session is charged for that
    bool allowed;             // the server there lets it look
    bool answered;
    bool gone; // swept out when nobody walks along viewers
};

// A stream there, shared by all viewers that asked for the same. It has a line of its own.
struct relay_hub {
    struct relay *relay;
    struct relay_hub *next;
    struct relay_guest guest; // whom it is there: the one who asked first
    struct dispatch_place place;
    struct base_buffer *wish;   // what is subscribed to, in one form
    struct base_buffer *fields; // the same as it was asked for first: the map
    bool open;
    bool over;       // swept out likewise
    uint32_t stream; // there
    uint64_t tick, revision, moment;
    struct relay_viewer *viewers;
    struct base_frame *coming; // whose parts come
    uint32_t seq, came;        // of it
    struct base_frame *last;   // whole: what a new viewer is shown
};

// A server that is not the one that it should be.
struct relay_distrusted {
    char address[DISPATCH_ADDRESS_SIZE];
    uint64_t since_ms;
};

struct relay {
    struct relay_options options;
    struct relay_distrusted distrusted[RELAY_DISTRUSTED]; // the oldest gives its place to one more
    struct relay_hub *hubs;
    uint32_t walking;           // along hubs and viewers
    struct base_budget *frames; // of hubs
    // Tells hub.c that a line ended: a hub's own, or a session's. True if that session had shared streams by it.
    bool (*line_failed)(struct relay *relay, struct relay_hub *hub, uint32_t session, const char *address,
                        const struct protocol_error *error);
    void (*look_refused)(struct relay *relay, uint32_t session, uint32_t stream,
                         const struct protocol_error *error);
    struct dispatch_elsewhere elsewhere;
    struct net_listener *dialer;
    struct net_timer *watch;
    struct relay_guest *guests[RELAY_BUCKETS];
    struct dispatch_passed_counts stats; // lines and streams are all of these
    uint64_t ended;                      // guests and lines, so that a walk along them sees it
    bool stopping;
};

// trust.c
// Where a world is that another server runs, which may be asked for it.
bool relay_where(struct relay *relay, const struct protocol_ref *world, struct dispatch_place *place);
void relay_distrust(struct relay *relay, const char *address, const char *reason);
uint64_t relay_now_ms(void);

// line.c
struct relay_line *relay_line_begin(struct relay_guest *guest, const struct dispatch_place *place);
// A call of that world, or a notification. False with *error: it did not take it.
bool relay_line_take(struct relay_line *line, struct host_session *session, uint32_t world,
                     const struct dispatch_passed *call, struct protocol_error *error);
bool relay_line_hello(struct relay_line *line); // says hello again, with what the guest is now
void relay_line_opened(struct relay_line *line, uint32_t session);
// Nothing more comes of it: its calls are refused, and where the session had more there than calls it is broken.
void relay_line_fail(struct relay_line *line, enum protocol_code code, const char *text);
// The line failed. It is looked for again if it had not begun, and at other servers if its own is distrusted.
void relay_line_lost(struct relay_line *line, const char *why, bool distrusted);
void relay_line_end(struct relay_line *line); // nobody is told: its session has ended
// Its world is here by now, or is not to be had by a line: what waits is for this server.
void relay_line_hand_back(struct relay_line *line);
void relay_line_look(struct relay_line *line, uint64_t now_ms); // once in a while
void relay_line_settle(struct relay_line *line);                // whether its session is read
// A call of this server's own; before the line is open it waits. NULL: it was not taken.
struct relay_asked *relay_line_ask(struct relay_line *line, enum relay_use use, enum protocol_method method,
                                   const struct base_buffer *fields);
void relay_line_hold(struct relay_line *line, const struct host_session *session);
struct relay_stream *relay_line_stream(struct relay_line *line, uint32_t here);
// Whether a call is not answered. Subscriptions do not count: they do not come behind other calls either.
bool relay_line_asks(const struct relay_line *line, uint32_t world);
bool relay_line_shows(const struct relay_line *line, uint32_t view); // a view that was opened over it
void relay_line_stream_remove(struct relay_line *line, uint32_t here);
void relay_line_unsubscribe(struct relay_line *line, uint32_t there); // nobody wants it
void relay_line_end_streams(struct relay_line *line);

// hub.c
bool relay_hub_failed(struct relay *relay, struct relay_hub *hub, uint32_t session, const char *address,
                      const struct protocol_error *error);
void relay_hub_refused(struct relay *relay, uint32_t session, uint32_t stream,
                       const struct protocol_error *error);
// Words of the server there, to be passed on: a response with an error, or (relay_hub_closed) a notification.
struct relay_words {
    const uint8_t *bytes;
    size_t size;
    const struct relay_envelope *envelope;
};
void relay_hub_denied(struct relay *relay, uint32_t session, uint32_t stream,
                      const struct relay_words *refusal);
void relay_hub_failed_to_subscribe(struct relay_hub *hub, const struct relay_words *refusal);
// A subscription that may be shared, by this line of the session's. False: it may not be, and nothing was done.
bool relay_hub_join(struct relay_line *line, struct host_session *session, const struct dispatch_place *place,
                    const struct dispatch_passed *call);
struct relay_hub *relay_hub_of(struct relay *relay, uint32_t session,
                               uint32_t stream); // NULL: it is not shared
// stream.set, stream.unsubscribe. False with *error.
bool relay_hub_take(struct relay_hub *hub, struct relay_line *line, struct host_session *session,
                    const struct dispatch_passed *call, struct protocol_error *error);
void relay_hub_allowed(struct relay *relay, uint32_t session, uint32_t stream);
void relay_hub_subscribed(struct relay_hub *hub, uint32_t stream, uint64_t tick, uint64_t revision);
void relay_hub_end(struct relay_hub *hub, const struct protocol_error *error); // its viewers are told
void relay_hub_closed(struct relay_hub *hub, const struct relay_words *words); // stream.closed
void relay_hub_frame(struct relay_hub *hub, const uint8_t *bytes, size_t size,
                     const struct relay_envelope *envelope);
void relay_hub_leave(struct relay *relay, uint32_t session); // it has ended

// back.c
extern const struct net_conn_handler relay_handler;

#endif
