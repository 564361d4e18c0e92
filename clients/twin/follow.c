// A twin that follows a world of its client:
//
//     subscribe ─▶ stream.records ─▶ twin ─▶ ticks as the server's clock goes
//        ▲                            │
//        └── a hash differs, something is missing, the stream was closed, the session is a new one
//
// The client answers a subscription once, even if the twin was destroyed meanwhile. So the data that waits for the
// answer is a block of its own, which the twin can release.
#include "twin/library.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 4, REST_MS = 100, TRIES_MS = 1000 };

struct joining {
    struct weft_twin *twin; // NULL: the twin was destroyed
};

struct follow {
    struct weft_client *client;
    struct weft_twin_options options;
    struct joining *joining;      // a subscription is under way
    uint32_t stream;              // 0: no stream
    uint64_t try_at_us;           // time of the next subscription; 0: none
    uint64_t losses, differences; // numbers already reported
    uint64_t images;              // number of images at the last loss
    bool over;
    struct weft_error error; // why
    char world[];
};

static void join_later(struct follow *follow, uint32_t after_ms)
{
    follow->stream = 0;
    follow->try_at_us = weft_twin_now_us() + (uint64_t)after_ms * 1000;
}

static void end(struct follow *follow, const struct weft_error *error)
{
    follow->over = true;
    follow->error = *error;
}

// Sends a call about a stream, whose answer is ignored.
static void say(struct weft_client *client, const char *method, uint32_t stream, const uint64_t *tick)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "stream", stream);
    if (tick) {
        weft_params_u64(&params, "tick", *tick);
    }
    weft_call_async(client, method, &params, NULL, NULL, NULL);
    weft_params_deinit(&params);
}

// ---------------------------------------------------------------------------------------------------------
// Subscribing

static void on_joined(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    struct joining *joining = context;
    const uint32_t stream = error ? 0 : (uint32_t)weft_u64(weft_get(&reply->result, "stream"), 0);
    struct weft_twin *twin = joining->twin;
    free(joining);
    if (!twin) {
        if (!error) {
            say(client, "stream.unsubscribe", stream, NULL);
        }
        return;
    }
    struct follow *follow = twin->follow;
    follow->joining = NULL;
    if (!error) {
        follow->stream = stream;
        twin->joins++;
    } else if ((error->kind == WEFT_KIND_TRANSPORT && strcmp(error->code, "LOST") == 0) ||
               (error->kind == WEFT_KIND_CALLER && strcmp(error->code, "CONFLICT") == 0)) {
        join_later(follow, TRIES_MS); // a failed world may be repaired
    } else {
        end(follow, error);
    }
}

// Messages come directly after the answer.
static void join(struct weft_twin *twin)
{
    struct follow *follow = twin->follow;
    struct weft_params params;
    struct weft_error error;
    struct joining *joining = malloc(sizeof *joining);
    follow->try_at_us = 0;
    if (!joining) {
        twin_library_fail(&follow->error, WEFT_KIND_LOCAL, "MEMORY", "no memory to subscribe");
        follow->over = true;
        return;
    }
    joining->twin = twin;
    weft_params_init(&params);
    weft_params_ref(&params, "world", follow->world);
    weft_params_string(&params, "encoding", "records");
    if (weft_call_async(follow->client, "stream.subscribe", &params, on_joined, joining, &error)) {
        follow->joining = joining;
    } else {
        free(joining);
        end(follow, &error);
    }
    weft_params_deinit(&params);
}

static void unfollow(struct follow *follow)
{
    if (follow->joining) {
        follow->joining->twin = NULL;
    }
    if (follow->stream) {
        say(follow->client, "stream.unsubscribe", follow->stream, NULL);
    }
    free(follow);
}

struct weft_twin *weft_twin_follow(struct weft_client *client, const char *world,
                                   const struct weft_twin_options *options, struct weft_error *error)
{
    if (!client || !world) {
        twin_library_fail(error, WEFT_KIND_LOCAL, "USAGE", "a twin follows a world of a client");
        return NULL;
    }
    const size_t size = strlen(world) + 1;
    struct weft_twin *twin = weft_twin_create(options, error);
    if (!twin) {
        return NULL;
    }
    twin->follow = calloc(1, sizeof *twin->follow + size);
    if (!twin->follow) {
        weft_twin_destroy(twin);
        twin_library_fail(error, WEFT_KIND_LOCAL, "MEMORY", "no memory for a twin");
        return NULL;
    }
    twin->unfollow = unfollow;
    twin->follow->client = client;
    twin->follow->options = options ? *options : (struct weft_twin_options){0};
    memcpy(twin->follow->world, world, size);
    join_later(twin->follow, 0);
    return twin;
}

// ---------------------------------------------------------------------------------------------------------
// Callbacks

static void begin_anew(struct weft_twin *twin, const char *why)
{
    const struct weft_twin_options *options = &twin->follow->options;
    if (options->on_anew) {
        options->on_anew(options->context, twin, why);
    }
}

void weft_twin_on_notification(void *context, struct weft_client *client, const char *method,
                               const msgpack_object *params)
{
    static const char ended[] = "the stream ended: ";
    struct weft_twin *twin = context;
    struct follow *follow = twin->follow;
    char why[sizeof ended + 256];
    (void)client;
    if (!follow || !params || !follow->stream || weft_u64(weft_get(params, "stream"), 0) != follow->stream) {
        return;
    }
    if (strcmp(method, "stream.records") == 0) {
        weft_twin_take(twin, params, weft_twin_now_us(), NULL); // a refused message leaves the twin lost
    } else if (strcmp(method, "stream.closed") == 0) {
        memcpy(why, ended, sizeof ended);
        weft_string_copy(weft_get(params, "reason"), why + sizeof ended - 1, sizeof why - sizeof ended + 1);
        join_later(follow, 0);
        begin_anew(twin, why);
    }
}

void weft_twin_on_line(void *context, struct weft_client *client, enum weft_line line,
                       const msgpack_object *hello, const struct weft_error *error)
{
    struct follow *follow = ((struct weft_twin *)context)->follow;
    (void)client, (void)hello, (void)error;
    // In a session that goes on, streams are asked for again; a new session has none.
    if (follow && line == WEFT_ANEW && !follow->joining) {
        join_later(follow, 0);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Running

// The twin's state is of no use: reports that, and starts again from an image.
static void leave_if_lost(struct weft_twin *twin)
{
    struct follow *follow = twin->follow;
    struct weft_twin_state state;
    weft_twin_state(twin, &state);
    // It stays lost until the image of the next stream comes.
    if (!follow->stream || state.losses == follow->losses) {
        return;
    }
    if (state.differs && state.differences > follow->differences) {
        say(follow->client, "stream.differs", follow->stream, &state.tick);
    }
    say(follow->client, "stream.unsubscribe", follow->stream, NULL);
    // If an image did not help, another one may not either.
    join_later(follow, state.images > follow->images ? 0 : TRIES_MS);
    follow->losses = state.losses;
    follow->differences = state.differences;
    follow->images = state.images;
    begin_anew(twin, state.text);
}

bool weft_twin_run(struct weft_twin *twin, uint32_t most_ms, struct weft_error *error)
{
    struct follow *follow = twin->follow;
    uint64_t now = weft_twin_now_us();
    const uint64_t end_us = now + (uint64_t)most_ms * 1000;
    if (!follow) {
        return twin_library_fail(error, WEFT_KIND_LOCAL, "USAGE", "this twin follows no world");
    }
    if (!follow->over && follow->try_at_us != 0 && now >= follow->try_at_us) {
        join(twin);
    }
    while (twin_step(twin->twin, twin_wanted(twin->twin, now), NULL, NULL) && now < end_us) {
        now = weft_twin_now_us();
    }
    leave_if_lost(twin);
    if (follow->over && error) {
        *error = follow->error;
    }
    return !follow->over;
}

int weft_twin_wait_ms(const struct weft_twin *twin)
{
    const struct twin_state state = twin_state(twin->twin);
    const struct follow *follow = twin->follow;
    const uint64_t now = weft_twin_now_us();
    const bool stands = state.begun && !state.lost;
    if (!follow || follow->over || (stands && state.tick < twin_wanted(twin->twin, now))) {
        return 0;
    }
    const uint64_t most = stands && state.playing ? POLL_MS : REST_MS;
    const uint64_t until_ms = follow->try_at_us > now ? (follow->try_at_us - now + 999) / 1000 : 0;
    return (int)(follow->try_at_us == 0 || most < until_ms ? most : until_ms);
}
