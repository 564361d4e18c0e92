// Streams that many share: one there, and its frames given out here by the same means as those of worlds that run here.
//
//     viewer ── stream.subscribe ──▶ the same wish as another? ──▶ hub ── stream.subscribe, once ══▶ world
//        └── world.get, by its own line: may it look? ─────────────┘ ◀══ frames ══ last one kept for later viewers
//
// A viewer is answered when it may look and the hub is subscribed. Frames are those that came, in buffers that all share: a slow
// viewer is left out as a slow stream is, and costs the others nothing. A viewer that changes its stream has it alone from then on.
#include "relay/relay_internal.h"

#include "base/buffer.h"
#include "host/outgoing.h"
#include "host/session.h"
#include "protocol/error.h"
#include "protocol/frame.h"
#include "protocol/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WISH_BYTES_MAX = 65536, // of a subscription that is shared
    PARTS_MAX = 65536,      // of a frame
    // In the head of a frame (protocol/frame.h).
    KEYS_AT = 17,
    STREAM_AT = 27,
    SEQ_AT = 36,
    DROPPED_AT = 49,
};

// ---------------------------------------------------------------------------------------------------------
// Viewers

static struct relay_viewer *viewer_of(const struct relay_hub *hub, uint32_t session, uint32_t stream)
{
    struct relay_viewer *viewer = hub->viewers;
    while (viewer && (viewer->gone || viewer->session != session || viewer->stream != stream)) {
        viewer = viewer->next;
    }
    return viewer;
}

struct relay_hub *relay_hub_of(struct relay *relay, uint32_t session, uint32_t stream)
{
    struct relay_hub *hub = relay->hubs;
    while (hub && !viewer_of(hub, session, stream)) {
        hub = hub->next;
    }
    return hub;
}

static bool is_left(const struct relay_hub *hub)
{
    for (const struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        if (!viewer->gone) {
            return false;
        }
    }
    return true;
}

static void destroy(struct relay_hub *hub)
{
    struct relay *relay = hub->relay;
    if (hub->guest.lines) {
        relay_line_end(hub->guest.lines);
    }
    relay->stats.streams -= hub->open;
    relay->ended++;
    base_frame_unref(hub->coming);
    base_frame_unref(hub->last);
    base_buffer_unref(hub->wish);
    base_buffer_unref(hub->fields);
    free(hub);
}

static void sweep_viewers(struct relay_hub *hub)
{
    for (struct relay_viewer **at = &hub->viewers; *at;) {
        struct relay_viewer *viewer = *at;
        if (viewer->gone) {
            *at = viewer->next;
            free(viewer);
        } else {
            at = &viewer->next;
        }
    }
}

// A message to a session may end it, and then it leaves its hubs: so nothing is freed before the outermost of these two.
static void walk_begin(struct relay *relay)
{
    relay->walking++;
}

static void walk_end(struct relay *relay)
{
    if (--relay->walking > 0) {
        return;
    }
    for (struct relay_hub **at = &relay->hubs; *at;) {
        struct relay_hub *hub = *at;
        sweep_viewers(hub);
        if (hub->over || is_left(hub)) {
            *at = hub->next;
            destroy(hub);
        } else {
            at = &hub->next;
        }
    }
}

static struct host_session *session_of(const struct relay_hub *hub, uint32_t session)
{
    return host_session_find(hub->relay->options.sessions, session);
}

// It was not answered yet.
static void refuse_with(struct relay_hub *hub, struct relay_viewer *viewer, struct host_session *session,
                        struct base_buffer *bytes)
{
    viewer->gone = true;
    hub->relay->stats.refused++;
    host_session_stream_remove(session, viewer->stream);
    host_session_reply(session, bytes);
    host_session_request_end(session, viewer->bytes); // the last: it may end the session
}

static void refuse(struct relay_hub *hub, struct relay_viewer *viewer, const struct protocol_error *error)
{
    struct host_session *session = session_of(hub, viewer->session);
    viewer->gone = true;
    if (!session) {
        return;
    }
    const struct world_asker asker = host_session_asker(session);
    struct base_buffer *bytes = host_outgoing_failure(&asker, viewer->msgid, error);
    refuse_with(hub, viewer, session, bytes);
    base_buffer_unref(bytes);
}

static void deny(struct relay_hub *hub, struct relay_viewer *viewer, const struct relay_words *refusal)
{
    struct host_session *session = session_of(hub, viewer->session);
    viewer->gone = true;
    if (!session) {
        return;
    }
    struct base_buffer *bytes =
        relay_rewrite(refusal->bytes, refusal->size, refusal->envelope, viewer->msgid, NULL, NULL);
    refuse_with(hub, viewer, session, bytes);
    base_buffer_unref(bytes);
}

static void show(const struct relay_hub *hub, const struct relay_viewer *viewer, struct base_frame *frame)
{
    struct base_batch *batch = base_batch_create(viewer->stream, viewer->session, hub->moment, 1);
    if (!batch) {
        return; // it misses this one
    }
    batch->frames[0] = base_frame_ref(frame);
    (void)host_sessions_publish(hub->relay->options.sessions, batch);
}

// Goes on once both are known: that it may look, and at what.
static void settle(struct relay_hub *hub, struct relay_viewer *viewer)
{
    struct host_session *session = session_of(hub, viewer->session);
    if (!viewer->allowed || !hub->open || viewer->answered || viewer->gone || !session) {
        return;
    }
    viewer->answered = true;
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_result(&out.packer, viewer->msgid);
    protocol_encode(
        &protocol_stream_subscribe_result_type,
        &(struct protocol_stream_subscribe_result){.has = PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_STREAM |
                                                          PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_TICK |
                                                          PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_REVISION,
                                                   .stream = viewer->stream,
                                                   .tick = hub->tick,
                                                   .revision = hub->revision},
        PROTOCOL_ARRAYS_EXT, &out.packer);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
    host_session_stream_opened(session, viewer->stream);
    if (hub->last) {
        show(hub, viewer, hub->last);
    }
    host_session_request_end(session,
                             viewer->bytes); // the last: it may end the session, and this viewer with it
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void tell_closed(struct host_session *session, uint32_t stream, const char *reason)
{
    host_session_stream_remove(session, stream);
    struct base_buffer *bytes = host_outgoing_stream_closed(stream, reason, NULL);
    host_session_notify(session, bytes);
    base_buffer_unref(bytes);
}

void relay_hub_end(struct relay_hub *hub, const struct protocol_error *error)
{
    struct relay *relay = hub->relay;
    walk_begin(relay);
    hub->over = true;
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        struct host_session *session = session_of(hub, viewer->session);
        if (viewer->gone) {
            continue;
        }
        if (!viewer->answered) {
            refuse(hub, viewer, error);
        } else if (session) {
            tell_closed(session, viewer->stream, error->text);
        }
        viewer->gone = true;
    }
    walk_end(relay);
}

void relay_hub_closed(struct relay_hub *hub, const struct relay_words *words)
{
    struct relay *relay = hub->relay;
    struct protocol_error error = {0};
    protocol_error_set(&error, PROTOCOL_CODE_NOT_FOUND, "world", "this world is gone from where it ran");
    walk_begin(relay);
    hub->over = true;
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        struct host_session *session = session_of(hub, viewer->session);
        if (viewer->gone || !session) {
            continue;
        }
        viewer->gone = true;
        if (!viewer->answered) {
            refuse(hub, viewer, &error);
            continue;
        }
        const struct relay_ids ids = {.stream = viewer->stream};
        struct base_buffer *bytes =
            relay_rewrite(words->bytes, words->size, words->envelope, 0, &ids, relay->options.budget);
        host_session_stream_remove(session, viewer->stream);
        host_session_notify(session, bytes);
        base_buffer_unref(bytes);
    }
    walk_end(relay);
}

// A session leaves its hubs at one server, or (NULL) at all of them. With an error, those that are not answered are refused.
static bool leave(struct relay *relay, uint32_t session, const char *address,
                  const struct protocol_error *error)
{
    bool any = false;
    walk_begin(relay);
    for (struct relay_hub *hub = relay->hubs; hub; hub = hub->next) {
        if (address && strcmp(hub->place.address, address) != 0) {
            continue;
        }
        for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
            if (viewer->gone || viewer->session != session) {
                continue;
            }
            any = any || viewer->answered;
            if (error && !viewer->answered) {
                refuse(hub, viewer, error);
            }
            viewer->gone = true;
        }
    }
    walk_end(relay);
    return any;
}

void relay_hub_leave(struct relay *relay, uint32_t session)
{
    (void)leave(relay, session, NULL, NULL);
}

// Viewers of a line that is lost begin again, as when their own is lost.
bool relay_hub_failed(struct relay *relay, struct relay_hub *hub, uint32_t session, const char *address,
                      const struct protocol_error *error)
{
    if (!hub) {
        return leave(relay, session, address, error);
    }
    walk_begin(relay);
    hub->over = true;
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        struct host_session *one = session_of(hub, viewer->session);
        if (viewer->gone) {
            continue;
        }
        if (!viewer->answered) {
            refuse(hub, viewer, error);
        }
        viewer->gone = true;
        if (viewer->answered && one) {
            host_session_break(one, "the server that runs a world of this session is lost");
        }
    }
    walk_end(relay);
    return false;
}

void relay_hub_refused(struct relay *relay, uint32_t session, uint32_t stream,
                       const struct protocol_error *error)
{
    struct relay_hub *hub = relay_hub_of(relay, session, stream);
    struct relay_viewer *viewer = hub ? viewer_of(hub, session, stream) : NULL;
    if (!viewer || viewer->answered) {
        return;
    }
    walk_begin(relay);
    refuse(hub, viewer, error);
    walk_end(relay);
}

void relay_hub_denied(struct relay *relay, uint32_t session, uint32_t stream,
                      const struct relay_words *refusal)
{
    struct relay_hub *hub = relay_hub_of(relay, session, stream);
    struct relay_viewer *viewer = hub ? viewer_of(hub, session, stream) : NULL;
    if (!viewer || viewer->answered) {
        return;
    }
    walk_begin(relay);
    deny(hub, viewer, refusal);
    walk_end(relay);
}

void relay_hub_failed_to_subscribe(struct relay_hub *hub, const struct relay_words *refusal)
{
    struct relay *relay = hub->relay;
    walk_begin(relay);
    hub->over = true;
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        if (!viewer->gone && !viewer->answered) {
            deny(hub, viewer, refusal);
        }
    }
    walk_end(relay);
}

void relay_hub_allowed(struct relay *relay, uint32_t session, uint32_t stream)
{
    struct relay_hub *hub = relay_hub_of(relay, session, stream);
    struct relay_viewer *viewer = hub ? viewer_of(hub, session, stream) : NULL;
    if (!viewer) {
        return;
    }
    walk_begin(relay);
    viewer->allowed = true;
    settle(hub, viewer);
    walk_end(relay);
}

void relay_hub_subscribed(struct relay_hub *hub, uint32_t stream, uint64_t tick, uint64_t revision)
{
    struct relay *relay = hub->relay;
    walk_begin(relay);
    relay->stats.streams += !hub->open;
    hub->open = true;
    hub->stream = stream;
    hub->tick = tick;
    hub->revision = revision;
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        settle(hub, viewer);
    }
    walk_end(relay);
}

// ---------------------------------------------------------------------------------------------------------
// Wishes

static struct base_buffer *pack_fields(const struct protocol_struct *type, const void *fields)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_encode(type, fields, PROTOCOL_ARRAYS_EXT, &out.packer);
    return host_outgoing_finish(&out);
}

static bool may_share(const struct protocol_stream_subscribe_params *params)
{
    return params->mode == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LIVE && !params->adapt &&
           params->unit == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_TICK &&
           (params->encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_F32 ||
            params->encoding == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_Q16);
}

static struct base_buffer *pack_map(const msgpack_object *map)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    msgpack_pack_object(&out.packer, *map);
    return host_outgoing_finish(&out);
}

// In one form, whatever it was written in. NULL: it is not to be shared, or the server there has to say what is wrong with it.
static struct base_buffer *read_wish(const struct dispatch_passed *call, uint32_t world,
                                     struct base_buffer **fields)
{
    msgpack_zone zone;
    msgpack_object root;
    struct protocol_message message;
    const msgpack_object *map;
    struct protocol_stream_subscribe_params params;
    struct protocol_error error = {0};
    struct base_buffer *wish = NULL;
    size_t offset = 0;
    *fields = NULL;
    if (call->size > WISH_BYTES_MAX || !msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return NULL;
    }
    if (msgpack_unpack((const char *)call->bytes, call->size, &offset, &zone, &root) ==
            MSGPACK_UNPACK_SUCCESS &&
        protocol_message_parse(&root, &message, &error) &&
        protocol_message_fields(message.params, &map, &error) &&
        protocol_decode(&protocol_stream_subscribe_params_type, map, &zone, &params, &error) &&
        may_share(&params)) {
        params.world = (struct protocol_ref){.id = world};
        params.has |= PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_WORLD;
        *fields = pack_map(map);
        wish = pack_fields(&protocol_stream_subscribe_params_type, &params);
    }
    msgpack_zone_destroy(&zone);
    return wish;
}

static struct relay_hub *find(struct relay *relay, const struct relay_guest *guest,
                              const struct dispatch_place *place, const struct base_buffer *wish)
{
    struct relay_hub *hub = relay->hubs;
    while (hub && (hub->over || hub->guest.arrays != guest->arrays || hub->guest.errors != guest->errors ||
                   hub->guest.hops != guest->hops || hub->wish->size != wish->size ||
                   strcmp(hub->place.address, place->address) != 0 ||
                   memcmp(hub->wish->data, wish->data, wish->size) != 0)) {
        hub = hub->next;
    }
    return hub;
}

static struct relay_hub *create(struct relay *relay, const struct relay_guest *guest,
                                const struct dispatch_place *place, struct base_buffer *wish,
                                struct base_buffer *fields)
{
    struct relay_hub *hub = calloc(1, sizeof *hub);
    if (!hub) {
        return NULL;
    }
    hub->relay = relay;
    hub->place = *place;
    hub->wish = base_buffer_ref(wish);
    hub->fields = base_buffer_ref(fields);
    hub->guest = *guest;
    hub->guest.next = NULL;
    hub->guest.session = 0;
    hub->guest.away = false;
    hub->guest.lines = NULL;
    hub->guest.line_count = 0;
    hub->guest.hub = hub;
    hub->next = relay->hubs;
    relay->hubs = hub;
    struct relay_line *line =
        relay->stats.lines < relay->options.connections ? relay_line_begin(&hub->guest, place) : NULL;
    hub->over = !line || !relay_line_ask(line, RELAY_USE_HUB, PROTOCOL_METHOD_STREAM_SUBSCRIBE, fields);
    return hub->over ? NULL : hub;
}

// Asks by the session's own line whether it may look.
static bool look(struct relay_line *line, uint32_t world, uint32_t stream)
{
    struct base_buffer *fields =
        pack_fields(&protocol_world_get_params_type,
                    &(struct protocol_world_get_params){.has = PROTOCOL_HAS_WORLD_GET_PARAMS_WORLD,
                                                        .world = {.id = world}});
    struct relay_asked *asked =
        fields ? relay_line_ask(line, RELAY_USE_LOOK, PROTOCOL_METHOD_WORLD_GET, fields) : NULL;
    base_buffer_unref(fields);
    if (asked) {
        asked->stream = stream;
    }
    return asked != NULL;
}

static bool add_viewer(struct relay_hub *hub, struct relay_line *line, struct host_session *session,
                       const struct dispatch_passed *call)
{
    struct relay_viewer *viewer = calloc(1, sizeof *viewer);
    const uint32_t stream = viewer ? host_session_stream_add(session, hub->place.world) : 0;
    if (stream == 0 || !look(line, hub->place.world, stream)) {
        if (stream != 0) {
            host_session_stream_remove(session, stream);
        }
        free(viewer);
        return false;
    }
    *viewer = (struct relay_viewer){.next = hub->viewers,
                                    .session = line->guest->session,
                                    .stream = stream,
                                    .msgid = call->msgid,
                                    .bytes = call->size};
    hub->viewers = viewer;
    host_session_request_begin(session, call->size);
    return true;
}

bool relay_hub_join(struct relay_line *line, struct host_session *session, const struct dispatch_place *place,
                    const struct dispatch_passed *call)
{
    struct relay *relay = line->relay;
    struct protocol_error error = {0};
    if (call->method != PROTOCOL_METHOD_STREAM_SUBSCRIBE || !call->wants_answer ||
        place->address[0] == '\0' || !host_session_has_room(session, call->size, &error)) {
        return false;
    }
    struct base_buffer *fields, *wish = read_wish(call, place->world, &fields);
    if (!wish || !fields) {
        base_buffer_unref(wish);
        base_buffer_unref(fields);
        return false;
    }
    walk_begin(relay);
    struct relay_hub *hub = find(relay, line->guest, place, wish);
    if (!hub) {
        hub = create(relay, line->guest, place, wish, fields);
    }
    base_buffer_unref(wish);
    base_buffer_unref(fields);
    const bool joined = hub && add_viewer(hub, line, session, call);
    walk_end(relay);
    return joined;
}

// ---------------------------------------------------------------------------------------------------------
// What a viewer wants of its stream

static void answer_unsubscribed(const struct relay_hub *hub, struct host_session *session, uint32_t msgid)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_result(&out.packer, msgid);
    protocol_encode(&protocol_stream_unsubscribe_result_type,
                    &(struct protocol_stream_unsubscribe_result){
                        .has = PROTOCOL_HAS_STREAM_UNSUBSCRIBE_RESULT_TICK, .tick = hub->tick},
                    PROTOCOL_ARRAYS_EXT, &out.packer);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
}

// The stream goes on as one of the session's own line; what it asks for is said when it is there.
static bool adopt(const struct relay_hub *hub, struct relay_line *line, struct host_session *session,
                  const struct dispatch_passed *call)
{
    struct relay_waiting *then = malloc(sizeof *then + call->size);
    struct relay_asked *asked =
        then && line ? relay_line_ask(line, RELAY_USE_ADOPT, PROTOCOL_METHOD_STREAM_SUBSCRIBE, hub->fields)
                     : NULL;
    if (!asked) {
        free(then);
        return false;
    }
    *then = (struct relay_waiting){.there = call->wants_answer ? call->msgid : 0, .size = call->size};
    memcpy(then->bytes, call->bytes, call->size);
    asked->stream = call->stream;
    asked->bytes = call->size;
    asked->then = then;
    if (call->wants_answer) {
        host_session_request_begin(session, call->size);
    }
    return true;
}

bool relay_hub_take(struct relay_hub *hub, struct relay_line *line, struct host_session *session,
                    const struct dispatch_passed *call, struct protocol_error *error)
{
    struct relay_viewer *viewer = viewer_of(hub, host_session_asker(session).session, call->stream);
    if (!viewer->answered) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "stream", "no stream %" PRIu32 " in this session",
                           call->stream);
        return false;
    }
    if (call->method == PROTOCOL_METHOD_STREAM_SET) {
        if (!host_session_has_room(session, call->size, error)) {
            return false;
        }
        if (!adopt(hub, line, session, call)) {
            protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL,
                               "too much waits for the server that runs this world; send it again later");
            return false;
        }
    } else {
        host_session_stream_remove(session, call->stream);
        if (call->wants_answer) {
            answer_unsubscribed(hub, session, call->msgid);
        }
    }
    walk_begin(hub->relay);
    viewer->gone = true;
    walk_end(hub->relay);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

// All that is behind the head, which each viewer gets one of its own of.
static bool put_part(struct base_frame *frame, uint32_t part, struct base_buffer *bytes)
{
    struct base_buffer **buffers = malloc(sizeof *buffers);
    if (!buffers || frame->parts[part].buffer_count != 0) {
        free(buffers);
        return false;
    }
    buffers[0] = base_buffer_ref(bytes);
    frame->parts[part] = (struct base_frame_part){.buffers = buffers, .buffer_count = 1, .size = bytes->size};
    frame->size += bytes->size;
    return true;
}

// Ends the viewers whose peers have read nothing for longest, because they hold what there is no room for.
static void relieve(struct relay_hub *hub)
{
    uint64_t oldest = UINT64_MAX;
    struct host_session *slowest = NULL;
    for (const struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        struct host_session *session = session_of(hub, viewer->session);
        const uint64_t moment = session ? host_session_stream_moment(session, viewer->stream) : UINT64_MAX;
        if (moment < oldest) {
            oldest = moment;
            slowest = session;
        }
    }
    if (slowest) {
        host_session_cut(slowest, HOST_CUT_FRAMES);
    }
}

static void give_out(struct relay_hub *hub)
{
    struct net_loop *loop = hub->relay->options.loop;
    base_frame_unref(hub->last);
    hub->last = hub->coming;
    hub->coming = NULL;
    hub->moment++;
    net_loop_gather(loop);
    for (struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
        const struct host_session *session = session_of(hub, viewer->session);
        if (!session || viewer->gone) {
            continue;
        }
        // Its connection may have been lost, and another goes on with the session.
        if (host_session_stream_world(session, viewer->stream) == 0) {
            viewer->gone = true;
        } else if (viewer->answered) {
            show(hub, viewer, hub->last);
        }
    }
    net_loop_gathered(loop);
}

struct part {
    uint32_t seq, keys, part, parts;
};

// Its head is as it has to be to be exchanged for those of viewers: it is not one of weftd's else.
static bool read_part(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                      struct part *part)
{
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    if (size < sizeof head) {
        return false;
    }
    part->seq = relay_load32(bytes + SEQ_AT);
    part->keys = (uint32_t)bytes[KEYS_AT] << 8 | bytes[KEYS_AT + 1];
    part->part = relay_number(bytes, size, envelope, "part");
    part->parts = relay_number(bytes, size, envelope, "parts");
    if (part->keys < PROTOCOL_FRAME_HEAD_KEYS || part->parts == 0 || part->parts > PARTS_MAX ||
        part->part >= part->parts) {
        return false;
    }
    protocol_frame_head(head, part->keys, relay_load32(bytes + STREAM_AT), part->seq,
                        relay_load32(bytes + DROPPED_AT));
    return memcmp(bytes, head, sizeof head) == 0;
}

static bool is_next_of(const struct relay_hub *hub, const struct part *part)
{
    return hub->coming && hub->seq == part->seq && hub->coming->part_count == part->parts &&
           hub->coming->key_count == part->keys;
}

static void take_part(struct relay_hub *hub, const struct part *part, const uint8_t *bytes, size_t size)
{
    const size_t shared = size - PROTOCOL_FRAME_HEAD_SIZE;
    if (!is_next_of(hub, part)) {
        base_frame_unref(hub->coming);
        hub->coming = base_frame_create(part->parts);
        if (hub->coming) {
            hub->coming->key_count = part->keys;
        }
        hub->seq = part->seq;
        hub->came = 0;
    }
    struct base_buffer *buffer = base_buffer_create(shared, hub->relay->frames);
    if (!buffer) {
        relieve(hub);
    }
    if (hub->coming && buffer) {
        memcpy(buffer->data, bytes + PROTOCOL_FRAME_HEAD_SIZE, shared);
        hub->came += put_part(hub->coming, part->part, buffer);
        if (hub->came == part->parts) {
            give_out(hub);
        }
    }
    base_buffer_unref(buffer);
}

void relay_hub_frame(struct relay_hub *hub, const uint8_t *bytes, size_t size,
                     const struct relay_envelope *envelope)
{
    struct relay *relay = hub->relay;
    struct part part;
    if (!read_part(bytes, size, envelope, &part)) {
        return;
    }
    walk_begin(relay);
    hub->tick = relay_number64(bytes, size, envelope, "tick");
    hub->revision = relay_number64(bytes, size, envelope, "revision");
    take_part(hub, &part, bytes, size);
    walk_end(relay);
}
