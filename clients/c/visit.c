#include "visit.h"

#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 4096, STREAMS_MAX = 4096 };

// ---------------------------------------------------------------------------------------------------------
// Packed maps

// Returns an empty map for empty parameters.
static msgpack_object unpack(msgpack_unpacked *unpacked, struct weft_packed packed)
{
    static const msgpack_object empty = {.type = MSGPACK_OBJECT_MAP,
                                         .via = {.map = {.size = 0, .ptr = NULL}}};
    size_t at = 0;
    msgpack_unpacked_init(unpacked);
    if (packed.size == 0 ||
        msgpack_unpack_next(unpacked, packed.data, packed.size, &at) != MSGPACK_UNPACK_SUCCESS ||
        unpacked->data.type != MSGPACK_OBJECT_MAP) {
        return empty;
    }
    return unpacked->data;
}

static bool key_is_in(const msgpack_object *map, const msgpack_object *key)
{
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        if (msgpack_object_equal(map->via.map.ptr[i].key, *key)) {
            return true;
        }
    }
    return false;
}

// Merges two maps. `other` wins. Omits the field `without`. False if memory runs out.
static bool merge(struct weft_packed one, struct weft_packed other, const char *without, msgpack_sbuffer *out)
{
    msgpack_unpacked held[2];
    const msgpack_object maps[2] = {unpack(&held[0], one), unpack(&held[1], other)};
    msgpack_packer p;
    bool bad = false;
    msgpack_packer_init(&p, out, msgpack_sbuffer_write);
    for (int writes = 0; writes < 2; writes++) {
        uint32_t count = 0;
        for (int m = 0; m < 2; m++) {
            for (uint32_t i = 0; i < maps[m].via.map.size; i++) {
                const msgpack_object_kv *entry = &maps[m].via.map.ptr[i];
                if (weft_string_is(&entry->key, without) || (m == 0 && key_is_in(&maps[1], &entry->key))) {
                    continue;
                }
                count++;
                if (writes) {
                    bad |=
                        msgpack_pack_object(&p, entry->key) != 0 || msgpack_pack_object(&p, entry->val) != 0;
                }
            }
        }
        if (!writes) {
            bad |= msgpack_pack_map(&p, count) != 0;
        }
    }
    msgpack_unpacked_destroy(&held[0]);
    msgpack_unpacked_destroy(&held[1]);
    return !bad;
}

static uint32_t id_of(const msgpack_object *map, const char *field)
{
    const uint64_t id = weft_u64(weft_get(map, field), 0);
    return id <= UINT32_MAX ? (uint32_t)id : 0;
}

// Stream id in packed parameters.
static uint32_t stream_of(struct weft_packed params)
{
    msgpack_unpacked held;
    const msgpack_object map = unpack(&held, params);
    const uint32_t id = id_of(&map, "stream");
    msgpack_unpacked_destroy(&held);
    return id;
}

// ---------------------------------------------------------------------------------------------------------
// The session

static void forget(struct weft_visit *visit)
{
    visit->key[0] = '\0';
}

void weft_visit_clear(struct weft_visit *visit)
{
    while (visit->stream_count > 0) {
        msgpack_sbuffer_destroy(&visit->streams[--visit->stream_count].params);
    }
    visit->seen_count = 0;
}

void weft_visit_deinit(struct weft_visit *visit)
{
    weft_visit_clear(visit);
    msgpack_sbuffer_destroy(&visit->hello);
    free(visit->seen);
    free(visit->streams);
    free(visit->others);
    memset(visit, 0, sizeof *visit);
}

static struct weft_seen *seen_of(struct weft_visit *visit, uint32_t world)
{
    for (uint32_t i = 0; i < visit->seen_count; i++) {
        if (visit->seen[i].world == world) {
            return &visit->seen[i];
        }
    }
    return NULL;
}

static void unsee(struct weft_visit *visit, struct weft_seen *seen)
{
    if (seen) {
        *seen = visit->seen[--visit->seen_count];
    }
}

void weft_visit_miss(struct weft_visit *visit, uint32_t world)
{
    struct weft_seen *seen = seen_of(visit, world);
    if (seen) {
        seen->moved = false;
        seen->gone = true;
    }
}

void weft_visit_part(struct weft_visit *visit)
{
    forget(visit);
    weft_visit_cut(visit);
    for (uint32_t i = 0; i < visit->seen_count; i++) {
        visit->seen[i].moved = !visit->seen[i].gone;
        visit->seen[i].line = 0;
    }
    for (uint32_t i = 0; i < visit->stream_count; i++) {
        visit->streams[i].in_order = true;
    }
}

bool weft_visit_greeting(const struct weft_visit *visit, const msgpack_sbuffer *params, msgpack_sbuffer *out)
{
    struct weft_params before, after;
    msgpack_sbuffer half;
    msgpack_sbuffer_init(&half);
    weft_params_init(&before);
    weft_params_init(&after);
    weft_params_string(&before, "errors", "map");
    weft_params_bool(&after, "follow", true);
    const struct weft_packed given = {params ? params->data : NULL, params ? params->size : 0};
    const struct weft_packed first = visit->hello.size
                                         ? (struct weft_packed){visit->hello.data, visit->hello.size}
                                         : (struct weft_packed){before.buffer.data, before.buffer.size};
    const bool made = !before.fault && !after.fault && merge(first, given, "", &half) &&
                      merge((struct weft_packed){half.data, half.size},
                            (struct weft_packed){after.buffer.data, after.buffer.size}, "", out);
    weft_params_deinit(&before);
    weft_params_deinit(&after);
    msgpack_sbuffer_destroy(&half);
    return made;
}

// If memory runs out, it knows no other server.
static void learn_others(struct weft_visit *visit, const msgpack_object *servers)
{
    free(visit->others);
    visit->other_count = 0;
    visit->others = weft_count(servers) ? calloc(WEFT_OTHERS_MAX, sizeof *visit->others) : NULL;
    for (uint32_t i = 0; visit->others && i < weft_count(servers) && visit->other_count < WEFT_OTHERS_MAX;
         i++) {
        const msgpack_object *server = weft_at(servers, i);
        char *address = visit->others[visit->other_count];
        weft_string_copy(weft_get(server, "address"), address, WEFT_ADDRESS_SIZE);
        if (!weft_bool(weft_get(server, "here"), true) && address[0]) {
            visit->other_count++;
        }
    }
}

void weft_visit_begin(struct weft_visit *visit, const struct weft_packed *hello, const msgpack_object *result)
{
    struct weft_view rejoin;
    const uint64_t grace = weft_u64(weft_get(result, "grace"), 0);
    weft_string_copy(weft_get(result, "resume"), visit->key, sizeof visit->key);
    visit->grace_ms = grace < UINT32_MAX / 2000 ? (uint32_t)grace * 1000 : UINT32_MAX / 2;
    if (hello) {
        msgpack_sbuffer_clear(&visit->hello);
        // A program names the session to go on with only once, on one connection.
        if (hello->size && !merge(*hello, (struct weft_packed){0}, "resume", &visit->hello)) {
            forget(visit);
        }
    }
    learn_others(visit, weft_get(result, "servers"));
    if (weft_view_u32(weft_get(result, "rejoin"), &rejoin)) {
        for (size_t i = 0; i < rejoin.count; i++) {
            unsee(visit, seen_of(visit, rejoin.u32[i]));
        }
    }
    weft_view_deinit(&rejoin);
}

bool weft_visit_resumption(const struct weft_visit *visit, const uint32_t *unanswered, uint32_t count,
                           msgpack_sbuffer *out)
{
    struct weft_params more;
    msgpack_packer p;
    weft_params_init(&more);
    weft_params_string(&more, "resume", visit->key);
    weft_params_u32_array(&more, "unanswered", unanswered, count);
    msgpack_sbuffer revisions;
    msgpack_sbuffer_init(&revisions);
    msgpack_packer_init(&p, &revisions, msgpack_sbuffer_write);
    int bad = msgpack_pack_map(&p, visit->seen_count);
    for (uint32_t i = 0; i < visit->seen_count; i++) {
        bad |= msgpack_pack_uint32(&p, visit->seen[i].world);
        bad |= msgpack_pack_uint64(&p, visit->seen[i].revision);
    }
    weft_params_raw(&more, "revisions", revisions.data, revisions.size);
    const bool made = !bad && !more.fault &&
                      merge((struct weft_packed){visit->hello.data, visit->hello.size},
                            (struct weft_packed){more.buffer.data, more.buffer.size}, "", out);
    msgpack_sbuffer_destroy(&revisions);
    weft_params_deinit(&more);
    return made;
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

void weft_visit_joined(struct weft_visit *visit, const msgpack_object *result)
{
    const uint32_t world = id_of(result, "world");
    struct weft_seen *seen = seen_of(visit, world);
    if (!seen) {
        if (visit->seen_count >= SEEN_MAX ||
            !array_reserve(&visit->seen, &visit->seen_capacity, visit->seen_count + 1)) {
            forget(visit);
            return;
        }
        seen = &visit->seen[visit->seen_count++];
        *seen = (struct weft_seen){.world = world};
    }
    const uint64_t before = seen->revision;
    seen->gone = false;
    seen->revision = weft_u64(weft_get(result, "revision"), 0);
    seen->missed = seen->moved && seen->revision != before;
    seen->moved = false;
    weft_string_copy(weft_get(result, "name"), seen->name, sizeof seen->name);
}

bool weft_visit_rejoin(struct weft_visit *visit, msgpack_object *out)
{
    *out = (msgpack_object){.type = MSGPACK_OBJECT_ARRAY};
    out->via.array.ptr = calloc(visit->seen_count ? visit->seen_count : 1, sizeof *out);
    for (uint32_t i = 0; i < visit->seen_count;) {
        struct weft_seen *seen = &visit->seen[i];
        if (out->via.array.ptr && (seen->missed || seen->gone)) {
            out->via.array.ptr[out->via.array.size++] =
                (msgpack_object){.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via = {.u64 = seen->world}};
        }
        seen->missed = false;
        if (seen->gone) {
            unsee(visit, seen);
        } else {
            i++;
        }
    }
    return out->via.array.ptr != NULL;
}

void weft_visit_left(struct weft_visit *visit, struct weft_packed params)
{
    msgpack_unpacked held;
    const msgpack_object map = unpack(&held, params);
    const msgpack_object *world = weft_get(&map, "world");
    struct weft_seen *seen = seen_of(visit, id_of(&map, "world"));
    for (uint32_t i = 0; !seen && i < visit->seen_count; i++) {
        if (weft_string_is(world, visit->seen[i].name)) {
            seen = &visit->seen[i];
        }
    }
    unsee(visit, seen);
    msgpack_unpacked_destroy(&held);
}

// ---------------------------------------------------------------------------------------------------------
// Streams

struct weft_stream *weft_visit_stream(const struct weft_visit *visit, uint32_t id)
{
    for (uint32_t i = 0; i < visit->stream_count; i++) {
        if (visit->streams[i].id == id) {
            return &visit->streams[i];
        }
    }
    return NULL;
}

void weft_visit_drop_stream(struct weft_visit *visit, uint32_t id)
{
    struct weft_stream *stream = weft_visit_stream(visit, id);
    if (!stream) {
        return;
    }
    msgpack_sbuffer_destroy(&stream->params);
    *stream = visit->streams[--visit->stream_count];
}

static void cut_stream(struct weft_stream *stream)
{
    stream->at_server = 0;
    stream->anew = stream->shown;
    stream->after = stream->tick;
}

void weft_visit_cut(struct weft_visit *visit)
{
    for (uint32_t i = 0; i < visit->stream_count; i++) {
        cut_stream(&visit->streams[i]);
    }
}

void weft_visit_subscribed(struct weft_visit *visit, struct weft_packed params, const msgpack_object *result)
{
    const uint32_t id = id_of(result, "stream");
    if (visit->stream_count >= STREAMS_MAX ||
        !array_reserve(&visit->streams, &visit->stream_capacity, visit->stream_count + 1)) {
        forget(visit);
        return;
    }
    struct weft_stream *stream = &visit->streams[visit->stream_count];
    *stream = (struct weft_stream){.id = id, .at_server = id};
    msgpack_sbuffer_init(&stream->params);
    visit->stream_count++;
    if (params.size && msgpack_sbuffer_write(&stream->params, params.data, params.size) != 0) {
        forget(visit);
    }
}

static bool is_empty(const msgpack_object *list)
{
    struct weft_view view;
    const bool empty = list && weft_view_u32(list, &view) && view.count == 0;
    if (empty) {
        weft_view_deinit(&view);
    }
    return empty;
}

void weft_visit_set(struct weft_visit *visit, struct weft_packed params)
{
    struct weft_stream *stream = weft_visit_stream(visit, stream_of(params));
    if (!stream) {
        return;
    }
    msgpack_sbuffer changed, whole;
    msgpack_unpacked held;
    msgpack_sbuffer_init(&changed);
    msgpack_sbuffer_init(&whole);
    bool made =
        merge((struct weft_packed){stream->params.data, stream->params.size}, params, "stream", &changed);
    // An empty list means all bodies; for stream.subscribe that is said by leaving the field out.
    const msgpack_object map = unpack(&held, (struct weft_packed){changed.data, changed.size});
    const char *without = is_empty(weft_get(&map, "bodies")) ? "bodies" : "";
    made = made &&
           merge((struct weft_packed){changed.data, changed.size}, (struct weft_packed){0}, without, &whole);
    msgpack_unpacked_destroy(&held);
    msgpack_sbuffer_destroy(&changed);
    msgpack_sbuffer_destroy(&stream->params);
    stream->params = whole;
    if (!made) {
        forget(visit);
    }
}

void weft_visit_unsubscribed(struct weft_visit *visit, struct weft_packed params)
{
    weft_visit_drop_stream(visit, stream_of(params));
}

bool weft_visit_waits(const struct weft_visit *visit, struct weft_packed params)
{
    const struct weft_stream *stream = weft_visit_stream(visit, stream_of(params));
    return stream && stream->at_server == 0;
}

bool weft_visit_rename(const struct weft_visit *visit, struct weft_packed params, msgpack_sbuffer *out)
{
    const struct weft_stream *stream = weft_visit_stream(visit, stream_of(params));
    if (!stream || stream->at_server == stream->id) {
        return true;
    }
    struct weft_params name;
    weft_params_init(&name);
    weft_params_u64(&name, "stream", stream->at_server);
    const bool made =
        !name.fault && merge(params, (struct weft_packed){name.buffer.data, name.buffer.size}, "", out);
    weft_params_deinit(&name);
    return made;
}

void weft_visit_stream_moved(struct weft_visit *visit, const msgpack_object *fields)
{
    const uint32_t at_server = id_of(fields, "stream");
    for (uint32_t i = 0; at_server && i < visit->stream_count; i++) {
        if (visit->streams[i].at_server == at_server) {
            cut_stream(&visit->streams[i]);
        }
    }
}

bool weft_visit_frame(struct weft_visit *visit, struct weft_frame *frame)
{
    struct weft_stream *stream = weft_visit_stream(visit, frame->stream);
    if (!stream) {
        return true;
    }
    // Compressed frames build on each other, so all of them are shown, in their order.
    if (stream->in_order && frame->encoding == WEFT_F32 && frame->tick < stream->tick) {
        return false;
    }
    frame->anew = stream->anew;
    frame->after = stream->anew ? stream->after : 0;
    if (frame->part + 1 == frame->parts) {
        stream->anew = stream->in_order = false;
        stream->tick = frame->tick;
        stream->shown = true;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Notifications

static void rename_told(struct weft_visit *visit, const msgpack_object *fields, bool closed)
{
    const msgpack_object *told = weft_get(fields, "stream");
    const uint32_t at_server = id_of(fields, "stream");
    for (uint32_t i = 0; at_server && i < visit->stream_count; i++) {
        const uint32_t id = visit->streams[i].id;
        if (visit->streams[i].at_server != at_server) {
            continue;
        }
        // The message belongs to this client, and no callback has seen it yet.
        *(msgpack_object *)told =
            (msgpack_object){.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via = {.u64 = id}};
        if (closed) {
            weft_visit_drop_stream(visit, id);
        }
        return;
    }
}

bool weft_visit_hear(struct weft_visit *visit, const msgpack_object *method, const msgpack_object *fields)
{
    struct weft_seen *seen;
    if (weft_string_is(method, "stream.frame") || weft_string_is(method, "stream.lagged") ||
        weft_string_is(method, "stream.records")) {
        rename_told(visit, fields, false);
    } else if (weft_string_is(method, "stream.closed")) {
        rename_told(visit, fields, true);
    } else if (!(seen = seen_of(visit, id_of(fields, "world")))) {
        return true;
    } else if (weft_string_is(method, "world.edited")) {
        const uint64_t revision = weft_u64(weft_get(fields, "revision"), 0);
        seen->revision = revision > seen->revision ? revision : seen->revision;
    } else if (weft_string_is(method, "world.changed") &&
               weft_string_is(weft_get(fields, "state"), "deleted")) {
        unsee(visit, seen);
    } else if (weft_string_is(method, "world.changed") &&
               weft_string_is(weft_get(fields, "state"), "moved")) {
        seen->moved = true;
    } else if (weft_string_is(method, "world.said")) {
        const uint64_t line = weft_u64(weft_get(fields, "line"), 0);
        if (line <= seen->line) {
            return false;
        }
        seen->line = line;
    }
    return true;
}
