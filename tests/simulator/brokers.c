#include "brokers_internal.h"

#include "fibers.h"

#include "base/assert.h"
#include "base/clock.h"
#include "protocol/array/reserve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, AGAIN_MS = 200, QUORUM = 2, BEHIND_MS = 300 };

static struct {
    bool up[BROKERS];
    bool apart[FIBERS_OWNERS][BROKERS]; // a server does not reach it
    uint64_t slow_ns[FIBERS_OWNERS];
    struct br_stream *streams;
    natsConnection *connections;
    uint64_t lives;
    uint64_t led_ns; // there is a leader from then on
} brokers;

// ---------------------------------------------------------------------------------------------------------
// Messages

static char *copy_text(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    BASE_ASSERT(copy || !text);
    return copy;
}

natsMsg *br_message(const char *subject, const char *reply, const void *bytes, int size)
{
    natsMsg *message = calloc(1, sizeof *message);
    BASE_ASSERT(message);
    message->subject = copy_text(subject);
    message->reply = copy_text(reply);
    message->bytes = calloc(1, (size_t)size + 1);
    BASE_ASSERT(message->bytes);
    message->size = size;
    if (size > 0) {
        memcpy(message->bytes, bytes, (size_t)size);
    }
    return message;
}

void br_header_set(natsMsg *message, const char *key, const char *value)
{
    BASE_ASSERT(message->header_count < BR_HEADERS);
    struct br_header *header = &message->headers[message->header_count++];
    (void)snprintf(header->key, sizeof header->key, "%s", key);
    header->value = copy_text(value);
}

const char *br_header_get(const natsMsg *message, const char *key)
{
    for (uint32_t i = 0; i < message->header_count; i++) {
        if (strcmp(message->headers[i].key, key) == 0) {
            return message->headers[i].value;
        }
    }
    return NULL;
}

natsMsg *br_message_copy(const natsMsg *message)
{
    natsMsg *copy = br_message(message->subject, message->reply, message->bytes, message->size);
    for (uint32_t i = 0; i < message->header_count; i++) {
        br_header_set(copy, message->headers[i].key, message->headers[i].value);
    }
    copy->sequence = message->sequence;
    copy->at_ns = message->at_ns;
    return copy;
}

void br_message_free(natsMsg *message)
{
    if (message) {
        for (uint32_t i = 0; i < message->header_count; i++) {
            free(message->headers[i].value);
        }
        free(message->subject);
        free(message->reply);
        free(message->bytes);
        free(message);
    }
}

// A * is one word, a > all that follow.
bool br_matches(const char *pattern, const char *subject)
{
    while (*pattern && *subject) {
        if (*pattern == '>') {
            return true;
        }
        if (*pattern == '*') {
            pattern++;
            while (*subject && *subject != '.') {
                subject++;
            }
        } else if (*pattern++ != *subject++) {
            return false;
        }
    }
    return *pattern == *subject;
}

// ---------------------------------------------------------------------------------------------------------
// Streams

struct br_stream *br_stream_find(const char *name)
{
    struct br_stream *stream = brokers.streams;
    while (stream && strcmp(stream->name, name) != 0) {
        stream = stream->next;
    }
    return stream;
}

struct br_stream *br_stream_of(const char *subject)
{
    struct br_stream *stream = brokers.streams;
    while (stream && !br_matches(stream->subjects, subject)) {
        stream = stream->next;
    }
    return stream;
}

struct br_stream *br_stream_make(const char *name, const char *subjects, bool one_each)
{
    struct br_stream *stream = br_stream_find(name);
    if (!stream) {
        stream = calloc(1, sizeof *stream);
        BASE_ASSERT(stream);
        (void)snprintf(stream->name, sizeof stream->name, "%s", name);
        (void)snprintf(stream->subjects, sizeof stream->subjects, "%s", subjects);
        stream->one_each = one_each;
        stream->first = 1;
        stream->next = brokers.streams;
        brokers.streams = stream;
    }
    return stream;
}

static void remove_message(struct br_stream *stream, uint64_t sequence)
{
    natsMsg *message = stream->messages[sequence - 1];
    if (message) {
        stream->bytes -= (uint64_t)message->size;
        br_message_free(message);
        stream->messages[sequence - 1] = NULL;
    }
    while (stream->first <= stream->last && !stream->messages[stream->first - 1]) {
        stream->first++;
    }
}

void br_stream_purge(struct br_stream *stream, uint64_t before)
{
    for (uint64_t sequence = stream->first; sequence < before && sequence <= stream->last; sequence++) {
        remove_message(stream, sequence);
    }
}

void br_stream_remove(struct br_stream *stream)
{
    struct br_stream **at = &brokers.streams;
    while (*at != stream) {
        at = &(*at)->next;
    }
    *at = stream->next;
    for (uint64_t sequence = 1; sequence <= stream->last; sequence++) {
        br_message_free(stream->messages[sequence - 1]);
    }
    free(stream->messages);
    free(stream);
}

natsMsg *br_stream_last(const struct br_stream *stream, const char *subject)
{
    for (uint64_t sequence = stream->last; sequence >= stream->first && sequence > 0; sequence--) {
        natsMsg *message = stream->messages[sequence - 1];
        if (message && br_matches(subject, message->subject)) {
            return message;
        }
    }
    return NULL;
}

static bool is_expected(const struct br_stream *stream, const natsMsg *message, char text[BR_TEXT])
{
    const char *last = br_header_get(message, "Nats-Expected-Last-Sequence");
    const char *last_of = br_header_get(message, "Nats-Expected-Last-Subject-Sequence");
    uint64_t is = stream->last, expected = is;
    if (last) {
        expected = strtoull(last, NULL, 10);
    } else if (last_of) {
        const natsMsg *found = br_stream_last(stream, message->subject);
        is = found ? found->sequence : 0;
        expected = strtoull(last_of, NULL, 10);
    }
    (void)snprintf(text, BR_TEXT, "wrong last sequence: %" PRIu64, is);
    return is == expected;
}

static void tell(const natsMsg *message, const natsConnection *but, bool *heard);

// A message to a bucket is published again under another subject, with its revision.
static void tell_again(const struct br_stream *stream, const natsMsg *message)
{
    const size_t source = strlen(stream->source);
    if (source == 0 || !br_matches(stream->source, message->subject)) {
        return;
    }
    char subject[2 * BR_NAME], sequence[24];
    bool heard = false;
    (void)snprintf(subject, sizeof subject, "%.*s%s", (int)strlen(stream->target) - 1, stream->target,
                   message->subject + source - 1);
    (void)snprintf(sequence, sizeof sequence, "%" PRIu64, message->sequence);
    natsMsg *again = br_message_copy(message);
    free(again->subject);
    again->subject = copy_text(subject);
    br_header_set(again, "Nats-Stream", stream->name);
    br_header_set(again, "Nats-Subject", message->subject);
    br_header_set(again, "Nats-Sequence", sequence);
    tell(again, NULL, &heard);
    br_message_free(again);
}

uint64_t br_stream_put(struct br_stream *stream, const natsMsg *message, char text[BR_TEXT])
{
    if (!is_expected(stream, message, text)) {
        return 0;
    }
    natsMsg *before = stream->one_each ? br_stream_last(stream, message->subject) : NULL;
    BASE_ASSERT(array_reserve(&stream->messages, &stream->room, stream->last + 1));
    natsMsg *kept = br_message_copy(message);
    free(kept->reply);
    kept->reply = NULL;
    kept->sequence = ++stream->last;
    kept->at_ns = base_now_ns();
    stream->messages[stream->last - 1] = kept;
    stream->bytes += (uint64_t)kept->size;
    if (before) {
        remove_message(stream, before->sequence);
    }
    tell_again(stream, kept);
    return kept->sequence;
}

bool brokers_stream(const char *name, uint64_t *first, uint64_t *last)
{
    const struct br_stream *stream = br_stream_find(name);
    *first = stream ? stream->first : 0;
    *last = stream ? stream->last : 0;
    return stream != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// The wire. What is on its way belongs to one connection, and goes with it.

struct pump {
    natsConnection *connection;
    uint64_t life;
    int way;
};

static uint64_t delay(const natsConnection *connection)
{
    const uint64_t most_ns = brokers.slow_ns[connection->owner];
    return 50000 + fibers_draw() % (most_ns > 0 ? most_ns : MS);
}

static bool is_there(const natsConnection *connection, uint64_t life)
{
    for (const natsConnection *one = brokers.connections; one; one = one->next) {
        if (one == connection) {
            return one->connected && one->life == life;
        }
    }
    return false;
}

static bool reaches(uint32_t owner, uint32_t broker)
{
    return brokers.up[broker] && !brokers.apart[owner][broker];
}

// If the server cannot reach the broker, all of it waits as long as the connection lasts.
static void pump(void *context)
{
    struct pump *one = context;
    natsConnection *connection = one->connection;
    if (!is_there(connection, one->life)) {
        free(one);
        return;
    }
    struct br_way *way = &connection->ways[one->way];
    const bool open = reaches(connection->owner, connection->broker);
    while (open && way->first && way->first->at_ns <= base_now_ns()) {
        struct br_item *item = way->first;
        way->first = item->next;
        way->last = way->first ? way->last : NULL;
        item->arrive(connection, item->what);
        free(item);
    }
    if (way->first) {
        fibers_at(open ? way->first->at_ns : base_now_ns() + UINT64_C(1000000) * AGAIN_MS, pump, one);
    } else {
        way->pumped = false;
        free(one);
    }
}

static void carry(natsConnection *connection, int which, void *what,
                  void (*arrive)(natsConnection *connection, void *what), void (*drop)(void *what))
{
    struct br_way *way = &connection->ways[which];
    struct br_item *item = malloc(sizeof *item);
    BASE_ASSERT(item);
    const uint64_t ns = base_now_ns() + delay(connection), last_ns = way->last ? way->last->at_ns : 0;
    *item = (struct br_item){NULL, ns > last_ns ? ns : last_ns, arrive, drop, what};
    if (way->last) {
        way->last->next = item;
    } else {
        way->first = item;
    }
    way->last = item;
    if (!way->pumped) {
        struct pump *one = malloc(sizeof *one);
        BASE_ASSERT(one);
        *one = (struct pump){connection, connection->life, which};
        way->pumped = true;
        fibers_at(item->at_ns, pump, one);
    }
}

static void drop_message(void *message)
{
    br_message_free(message);
}

static void arrive_at_server(natsConnection *connection, void *what)
{
    natsMsg *message = what;
    for (uint32_t i = 0; i < connection->subscription_count; i++) {
        natsSubscription *subscription = connection->subscriptions[i];
        if (br_matches(subscription->subject, message->subject)) {
            natsMsg *copy = br_message_copy(message);
            copy->nobody = message->nobody;
            if (subscription->last) {
                subscription->last->next = copy;
            } else {
                subscription->first = copy;
            }
            subscription->last = copy;
            fibers_wake(subscription);
        }
    }
    br_message_free(message);
}

static void carry_to_server(natsConnection *connection, natsMsg *message)
{
    carry(connection, BR_TO_SERVER, message, arrive_at_server, drop_message);
}

static bool listens(const natsConnection *connection, const char *subject)
{
    for (uint32_t i = 0; i < connection->subscription_count; i++) {
        if (br_matches(connection->subscriptions[i]->subject, subject)) {
            return true;
        }
    }
    return false;
}

static void tell(const natsMsg *message, const natsConnection *but, bool *heard)
{
    for (natsConnection *connection = brokers.connections; connection; connection = connection->next) {
        if (connection != but && connection->connected && listens(connection, message->subject)) {
            carry_to_server(connection, br_message_copy(message));
            *heard = true;
        }
    }
}

static void answer(natsConnection *connection, const char *reply, const char *text, bool nobody)
{
    if (reply && listens(connection, reply)) {
        natsMsg *message = br_message(reply, NULL, text, (int)strlen(text));
        message->nobody = nobody;
        carry_to_server(connection, message);
    }
}

static bool is_led(void)
{
    uint32_t up = 0;
    for (uint32_t i = 0; i < BROKERS; i++) {
        up += brokers.up[i];
    }
    return up >= QUORUM && base_now_ns() >= brokers.led_ns;
}

// {"seq": …, "next_by_subj": …, "batch": …}: lots of messages, and at last one that has none.
static void read_direct(natsConnection *connection, const natsMsg *asked)
{
    const struct br_stream *stream = br_stream_find(asked->subject + strlen("$JS.API.DIRECT.GET."));
    uint64_t next = 0;
    int batch = 0;
    char pattern[BR_NAME] = "";
    const char *at = strstr(asked->bytes, "\"batch\":");
    (void)sscanf(asked->bytes, "{\"seq\":%" SCNu64 ",\"next_by_subj\":\"%159[^\"]\"", &next, pattern);
    batch = at ? atoi(at + strlen("\"batch\":")) : 0; // NOLINT(cert-err34-c): the asker's own
    BASE_ASSERT(batch > 0);
    if (!stream) {
        answer(connection, asked->reply, "", true);
        return;
    }
    // Any broker answers, also one that is behind.
    const uint64_t behind_ns = fibers_draw() % 4 == 0 ? fibers_draw() % (BEHIND_MS * UINT64_C(1000000)) : 0;
    uint64_t sequence = next > stream->first ? next : stream->first;
    for (; sequence <= stream->last && batch > 0; sequence++) {
        const natsMsg *message = stream->messages[sequence - 1];
        if (message && br_matches(pattern, message->subject) && message->at_ns + behind_ns <= base_now_ns()) {
            char number[24];
            (void)snprintf(number, sizeof number, "%" PRIu64, sequence);
            natsMsg *copy = br_message_copy(message);
            br_header_set(copy, "Nats-Sequence", number);
            br_header_set(copy, "Nats-Subject", message->subject);
            free(copy->subject);
            copy->subject = copy_text(asked->reply);
            carry_to_server(connection, copy);
            batch--;
        }
    }
    answer(connection, asked->reply, "", false);
}

static void arrive_at_broker(natsConnection *connection, void *what)
{
    natsMsg *message = what;
    bool heard = false;
    char text[BR_TEXT], told[BR_TEXT + BR_NAME];
    if (strncmp(message->subject, "$JS.API.DIRECT.GET.", strlen("$JS.API.DIRECT.GET.")) == 0) {
        if (is_led()) {
            read_direct(connection, message);
        }
    } else {
        struct br_stream *stream = br_stream_of(message->subject);
        if (stream && is_led()) {
            const uint64_t sequence = br_stream_put(stream, message, text);
            (void)snprintf(told, sizeof told,
                           sequence > 0
                               ? "{\"stream\":\"%s\",\"seq\":%" PRIu64 "}"
                               : "{\"stream\":\"%s\",\"seq\":%" PRIu64
                                 ",\"error\":{\"code\":400,\"err_code\":10071,\"description\":\"%s\"}}",
                           stream->name, sequence, text);
            answer(connection, message->reply, told, false);
        } else if (stream && fibers_draw() % 2 == 0) {
            answer(connection, message->reply, "", true);
        }
        tell(message, connection, &heard);
        if (!stream && !heard) {
            answer(connection, message->reply, "", true);
        }
    }
    br_message_free(message);
}

void br_send(natsConnection *connection, natsMsg *message)
{
    carry(connection, BR_TO_BROKER, message, arrive_at_broker, drop_message);
}

// ---------------------------------------------------------------------------------------------------------
// Calls

struct br_call *br_call_make(natsConnection *connection, void (*run)(struct br_call *call))
{
    struct br_call *call = calloc(1, sizeof *call);
    BASE_ASSERT(call);
    *call = (struct br_call){
        .connection = connection, .life = connection->life, .run = run, .holders = 1, .status = NATS_TIMEOUT};
    return call;
}

void br_call_free(struct br_call *call)
{
    if (--call->holders == 0) {
        br_message_free(call->message);
        br_message_free(call->found);
        jsStreamInfo_Destroy(call->info);
        free(call);
    }
}

static void drop_call(void *what)
{
    struct br_call *call = what;
    fibers_wake(call);
    br_call_free(call);
}

static void call_comes_back(natsConnection *connection, void *what)
{
    struct br_call *call = what;
    (void)connection;
    call->done = true;
    drop_call(call);
}

static void call_is_done(natsConnection *connection, void *what)
{
    struct br_call *call = what;
    if (is_led()) {
        call->status = NATS_OK;
        call->run(call);
    } else if (fibers_draw() % 2 == 0) {
        call->status = NATS_NO_RESPONDERS;
    } else {
        br_call_free(call); // nobody answers
        return;
    }
    carry(connection, BR_TO_SERVER, call, call_comes_back, drop_call);
}

void br_call_wait(struct br_call *call, int64_t wait_ms)
{
    natsConnection *connection = call->connection;
    const uint64_t deadline_ns = base_now_ns() + (uint64_t)wait_ms * 1000000;
    if (!connection->connected) {
        call->status = connection->closing ? NATS_CONNECTION_CLOSED : NATS_INSUFFICIENT_BUFFER;
        call->done = true;
        return;
    }
    call->holders++;
    carry(connection, BR_TO_BROKER, call, call_is_done, drop_call);
    bool in_time = true;
    while (in_time && !call->done && connection->connected && connection->life == call->life) {
        in_time = fibers_wait(call, deadline_ns);
    }
    if (!call->done) {
        call->status = in_time ? NATS_CONNECTION_DISCONNECTED : NATS_TIMEOUT;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Connections

natsStatus br_connect(natsConnection *connection)
{
    const uint32_t first = (uint32_t)(fibers_draw() % BROKERS);
    fibers_sleep_until(base_now_ns() + delay(connection));
    for (uint32_t i = 0; i < BROKERS && !connection->closing; i++) {
        const uint32_t broker = (first + i) % BROKERS;
        if (reaches(connection->owner, broker)) {
            connection->broker = broker;
            connection->life = ++brokers.lives;
            connection->connected = true;
            return NATS_OK;
        }
    }
    return NATS_NO_SERVER;
}

void br_join_list(natsConnection *connection)
{
    connection->next = brokers.connections;
    brokers.connections = connection;
}

void br_leave_list(natsConnection *connection)
{
    natsConnection **at = &brokers.connections;
    while (*at != connection) {
        at = &(*at)->next;
    }
    *at = connection->next;
}

void br_hang_up(natsConnection *connection)
{
    connection->connected = false;
    for (int i = 0; i < BR_WAYS; i++) {
        struct br_way *way = &connection->ways[i];
        while (way->first) {
            struct br_item *item = way->first;
            way->first = item->next;
            item->drop(item->what);
            free(item);
        }
        *way = (struct br_way){0};
    }
    fibers_wake(connection);
}

static void look_at_life(void *context)
{
    struct pump *one = context;
    natsConnection *connection = one->connection;
    if (is_there(connection, one->life) && !reaches(connection->owner, connection->broker)) {
        br_hang_up(connection);
    }
    free(one);
}

// Each connection whose broker is not reached any more is lost after a while, unless that is over by then.
static void look_at_all(bool at_once)
{
    for (natsConnection *connection = brokers.connections; connection; connection = connection->next) {
        if (connection->connected && !reaches(connection->owner, connection->broker)) {
            struct pump *one = malloc(sizeof *one);
            BASE_ASSERT(one);
            *one = (struct pump){connection, connection->life, 0};
            const uint64_t after_ns =
                at_once ? delay(connection) : BR_LOST_MS * UINT64_C(1000000) + fibers_draw() % (1000 * MS);
            fibers_at(base_now_ns() + after_ns, look_at_life, one);
        }
    }
}

void brokers_start(void)
{
    memset(&brokers, 0, sizeof brokers);
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers.up[i] = true;
    }
}

void brokers_end(void)
{
    BASE_ASSERT(!brokers.connections);
    while (brokers.streams) {
        br_stream_remove(brokers.streams);
    }
}

void brokers_up(uint32_t broker, bool up)
{
    if (brokers.up[broker] != up) {
        brokers.up[broker] = up;
        // The remaining brokers elect a leader.
        brokers.led_ns = base_now_ns() + fibers_draw() % (2000 * (uint64_t)MS);
        look_at_all(true);
    }
}

void brokers_reach(uint32_t owner, uint32_t broker, bool can)
{
    brokers.apart[owner][broker] = !can;
    look_at_all(false);
}

void brokers_slow(uint32_t owner, uint64_t most_ns)
{
    brokers.slow_ns[owner] = most_ns;
}
