// Declarations that the two files of the simulated brokers share.
#ifndef WEFT_SIMULATOR_BROKERS_INTERNAL_H
#define WEFT_SIMULATOR_BROKERS_INTERNAL_H

#include "base/thread.h"
#include "brokers.h"

#include <nats/nats.h>
#include <stddef.h>

enum { BR_HEADERS = 8, BR_TEXT = 256, BR_NAME = 160, BR_SUBS = 16, BR_LOST_MS = 2000 };

struct br_header {
    char key[40];
    char *value;
};

struct __natsMsg {
    natsMsg *next; // of a queue
    char *subject, *reply;
    char *bytes; // with a zero behind them
    int size;
    struct br_header headers[BR_HEADERS];
    uint32_t header_count;
    uint64_t sequence, at_ns; // of a stream
    bool gone;                // from the stream
    bool nobody;              // no one listens there
};

natsMsg *br_message(const char *subject, const char *reply, const void *bytes, int size);
natsMsg *br_message_copy(const natsMsg *message);
void br_header_set(natsMsg *message, const char *key, const char *value);
const char *br_header_get(const natsMsg *message, const char *key); // NULL: none
void br_message_free(natsMsg *message);                             // NULL is allowed

struct br_stream {
    struct br_stream *next;
    char name[BR_NAME], subjects[BR_NAME];
    bool one_each;                         // of a subject the last alone is kept
    char source[BR_NAME], target[BR_NAME]; // told again; empty: not
    natsMsg **messages;                    // by sequence, from 1 on; NULL: gone
    uint64_t first, last, room, bytes;
};

struct __natsSubscription {
    natsConnection *connection;
    char subject[BR_NAME];
    natsMsg *first, *last;
    natsMsgHandler on_message; // NULL: who wants them asks
    void *context;
    natsOnCompleteCB on_over;
    void *over_context;
    struct base_thread thread;
};

// Messages on their way in one direction, in order.
struct br_item {
    struct br_item *next;
    uint64_t at_ns;
    void (*arrive)(natsConnection *connection, void *what); // takes what
    void (*drop)(void *what);
    void *what;
};
enum { BR_TO_BROKER, BR_TO_SERVER, BR_WAYS };
struct br_way {
    struct br_item *first, *last;
    bool pumped; // an event is going to look at it
};

struct __natsConnection {
    natsConnection *next;
    uint32_t owner, broker;
    bool connected, closing, closed;
    uint64_t life; // each new connection to a broker is another
    struct br_way ways[BR_WAYS];
    natsConnectionHandler on_connected, on_lost, on_closed;
    void *connected_context, *lost_context, *closed_context;
    natsSubscription *subscriptions[BR_SUBS];
    uint32_t subscription_count;
    bool bare; // nobody hears of its changes
    struct base_thread thread;
};

// A request to a broker, which runs there at one moment. It outlives the requester if the answer comes too late.
struct br_call {
    natsConnection *connection;
    uint64_t life;
    void (*run)(struct br_call *call);
    uint32_t holders;
    bool done;
    natsStatus status;
    int code;
    char text[BR_TEXT];
    // The subject of the request, and its result.
    char name[BR_NAME], subject[BR_NAME];
    uint64_t sequence, from;
    bool flag;
    jsRePublish *told;
    char source[BR_NAME], target[BR_NAME];
    natsMsg *message, *found;
    jsStreamInfo *info;
};

// Brings it to the broker and waits for what comes of it. The caller lets go of it.
struct br_call *br_call_make(natsConnection *connection, void (*run)(struct br_call *call));
void br_call_wait(struct br_call *call, int64_t wait_ms);
void br_call_free(struct br_call *call);

natsStatus br_connect(natsConnection *connection);          // one attempt; takes its time
void br_send(natsConnection *connection, natsMsg *message); // takes the message

natsStatus br_say(natsStatus status, const char *text); // text is the library's last error; gives the status

struct br_stream *br_stream_find(const char *name);
struct br_stream *br_stream_make(const char *name, const char *subjects, bool one_each);
void br_stream_remove(struct br_stream *stream);
void br_stream_purge(struct br_stream *stream, uint64_t before);
natsMsg *br_stream_last(const struct br_stream *stream, const char *subject); // NULL: none
// The sequence; 0: it is not taken, and the text says why. Takes no message.
uint64_t br_stream_put(struct br_stream *stream, const natsMsg *message, char text[BR_TEXT]);
struct br_stream *br_stream_of(const char *subject);
bool br_matches(const char *pattern, const char *subject);

void br_hang_up(natsConnection *connection); // the server's side has closed it
void br_join_list(natsConnection *connection);
void br_leave_list(natsConnection *connection);

#endif
