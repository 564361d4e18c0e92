// watch's talk with the server.
//
//     join ─▶ body.get for each ─▶ subscribe ─▶ frames …
//       ▲                              │
//       └─ world.edited (bodies, colliders) ─▶ join again; stream.set asks for a frame of what is new
//
// Everything after the first join is asynchronous, so that keys and pictures never wait for an answer. libweft goes on
// when the connection is lost; with a new session, everything starts with a join again.
#include "watch.h"

#include "api.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { BODIES_ASKED_MAX = 32, MESSAGE_US = 3000000 };

static void ask_bodies(struct watch *watch);

int64_t watch_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void watch_fail(struct watch *watch, const struct weft_error *error)
{
    if (watch->over) {
        return;
    }
    watch->over = true;
    watch->error = *error;
}

static void fail_here(struct watch *watch, enum weft_kind kind, const char *code, const char *text)
{
    struct weft_error error = {.kind = kind};
    snprintf(error.code, sizeof error.code, "%s", code);
    snprintf(error.text, sizeof error.text, "%s", text);
    watch_fail(watch, &error);
}

static void tell(struct watch *watch, const struct weft_error *error)
{
    snprintf(watch->message, sizeof watch->message, "%s: %.120s", error->code, error->text);
    watch->message_until_us = watch_now_us() + MESSAGE_US;
    watch->dirty = true;
}

// Sends a request without waiting. If the connection cannot take it, the connection is closed.
static void ask(struct watch *watch, const char *method, const struct weft_params *params, weft_reply_fn *fn)
{
    struct weft_error error;
    if (!weft_call_async(watch->client, method, params, fn, watch, &error)) {
        watch_fail(watch, &error);
    }
}

static void ask_of_world(struct watch *watch, const char *method, weft_reply_fn *fn)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "world", watch->scene.world);
    ask(watch, method, &params, fn);
    weft_params_deinit(&params);
}

// ---------------------------------------------------------------------------------------------------------
// Document

static void on_stream(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    (void)client;
    struct watch *watch = context;
    watch->key_asked = false;
    if (error) {
        if (!cli_is_lost(error)) {
            watch_fail(watch, error);
        }
        return;
    }
    const uint64_t stream = weft_u64(weft_get(&reply->result, "stream"), 0);
    if (stream && stream <= UINT32_MAX) {
        watch->stream = (uint32_t)stream;
    } else if (!watch->stream) {
        fail_here(watch, WEFT_KIND_TRANSPORT, "PROTOCOL", "stream.subscribe was answered without a stream");
    }
}

// Options that were not given are left out: older servers do not know them.
static void add_wishes(const struct watch *watch, struct weft_params *params)
{
    if (watch->encoding) {
        weft_params_string(params, "encoding", watch->encoding);
    }
    if (watch->tolerance > 0) {
        weft_params_f64(params, "tolerance", watch->tolerance);
    }
    if (watch->nth > 1) {
        weft_params_u64(params, "nth", watch->nth);
    }
    if (watch->boxed) {
        weft_params_f64_array(params, "box", watch->box, 6);
    }
}

// Once all topology has arrived: subscribes a stream, or asks for a frame of the new bodies.
static void ask_frames(struct watch *watch)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_list_begin(&params, "fields");
    weft_params_string(&params, NULL, "positions");
    weft_params_string(&params, NULL, "grabs");
    weft_params_string(&params, NULL, "colliders");
    // Older servers know no skins, and have none.
    if (cli_scene_has_skins(&watch->scene)) {
        weft_params_string(&params, NULL, "skin");
    }
    if (watch->scene.tells_sleep) {
        weft_params_string(&params, NULL, "asleep");
    }
    weft_params_list_end(&params);
    if (watch->stream) {
        weft_params_u64(&params, "stream", watch->stream);
        ask(watch, "stream.set", &params, on_stream);
    } else {
        weft_params_u64(&params, "world", watch->scene.world);
        weft_params_string(&params, "unit", watch->substeps ? "substep" : "tick");
        add_wishes(watch, &params);
        ask(watch, "stream.subscribe", &params, on_stream);
    }
    weft_params_deinit(&params);
}

static void on_body(void *context, struct weft_client *client, const struct weft_error *error,
                    struct weft_reply *reply)
{
    (void)client;
    struct watch *watch = context;
    watch->bodies_asked--;
    if (error && cli_is_lost(error)) {
        return;
    }
    struct weft_error broken;
    if (!error && watch->decoder && !weft_decoder_body(watch->decoder, &reply->result, &broken)) {
        watch_fail(watch, &broken);
    }
    if (!error && !cli_scene_take_body(&watch->scene, &reply->result)) {
        fail_here(watch, WEFT_KIND_LOCAL, "MEMORY", "a body is malformed, or too large for this program");
    }
    // It is fine if a body was removed meanwhile.
    if (error && error->kind == WEFT_KIND_TRANSPORT) {
        watch_fail(watch, error);
    }
    watch->dirty = true;
    if (watch->over) {
        return;
    }
    ask_bodies(watch);
    if (watch->bodies_asked == 0) {
        ask_frames(watch);
    }
}

static void ask_bodies(struct watch *watch)
{
    for (uint32_t i = 0; i < watch->scene.body_count && watch->bodies_asked < BODIES_ASKED_MAX; i++) {
        struct cli_body *body = &watch->scene.bodies[i];
        if (body->complete || body->asked) {
            continue;
        }
        struct weft_params params;
        body->asked = true;
        watch->bodies_asked++;
        weft_params_init(&params);
        weft_params_u64(&params, "world", watch->scene.world);
        weft_params_u64(&params, "body", body->id);
        ask(watch, "body.get", &params, on_body);
        weft_params_deinit(&params);
    }
}

static bool take_document(struct watch *watch, const msgpack_object *document)
{
    if (!cli_scene_take_document(&watch->scene, document)) {
        fail_here(watch, WEFT_KIND_TRANSPORT, "PROTOCOL", "world.join was answered with something else");
        return false;
    }
    watch->dirty = true;
    const uint32_t asked = watch->bodies_asked;
    ask_bodies(watch);
    if (watch->bodies_asked == 0 && asked == 0) {
        ask_frames(watch);
    }
    return !watch->over;
}

static void on_document(void *context, struct weft_client *client, const struct weft_error *error,
                        struct weft_reply *reply)
{
    (void)client;
    struct watch *watch = context;
    watch->document_asked = false;
    if (error) {
        if (!cli_is_lost(error)) {
            watch_fail(watch, error);
        }
        return;
    }
    if (!take_document(watch, &reply->result) || !watch->document_stale) {
        return;
    }
    watch->document_stale = false;
    watch->document_asked = true;
    ask_of_world(watch, "world.join", on_document);
}

bool watch_join(struct watch *watch)
{
    struct weft_params params;
    struct weft_reply reply;
    weft_params_init(&params);
    weft_params_ref(&params, "world", watch->world);
    bool ok = weft_call(watch->client, "world.join", &params, &reply, &watch->error);
    weft_params_deinit(&params);
    ok = ok && take_document(watch, &reply.result);
    weft_reply_destroy(&reply);
    return ok;
}

// Joins the world of this name again.
static void join_again(struct watch *watch)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_ref(&params, "world", watch->world);
    watch->document_asked = true;
    watch->document_stale = false;
    ask(watch, "world.join", &params, on_document);
    weft_params_deinit(&params);
}

// Creates a decoder if the encoding needs one. NULL if it does not, or if memory runs out: then the watch is over.
static struct weft_decoder *make_decoder(struct watch *watch)
{
    if (!watch->encoding || strcmp(watch->encoding, "f32") == 0) {
        return NULL;
    }
    struct weft_decoder *decoder = weft_decoder_create();
    if (!decoder) {
        fail_here(watch, WEFT_KIND_LOCAL, "MEMORY", "there is not enough memory");
    }
    return decoder;
}

void watch_on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    static const char *const words[] = {"the connection is lost, and tried again", "the connection is back",
                                        "the connection is back, with a new session"};
    struct watch *watch = context;
    if (line == WEFT_MOVED) {
        snprintf(watch->message, sizeof watch->message, "goes on at %s", weft_address(watch->cli->client));
    } else {
        snprintf(watch->message, sizeof watch->message, "%s", words[line]);
    }
    watch->message_until_us = line == WEFT_AWAY ? INT64_MAX : watch_now_us() + MESSAGE_US;
    watch->dirty = true;
    if (line == WEFT_ANEW) {
        // Ids may refer to other things now.
        cli_scene_deinit(&watch->scene);
        watch->scene = (struct cli_scene){.nth = watch->nth, .boxed = watch->boxed};
        watch->stream = 0;
        watch->key_asked = false;
        weft_decoder_destroy(watch->decoder);
        watch->decoder = make_decoder(watch);
        join_again(watch);
    } else if (line != WEFT_AWAY && cli_has_rejoin(hello)) {
        join_again(watch);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Notifications and frames

// A collider of points or heights gets a new shape, which only the server knows.
static bool reshapes(const msgpack_object *edited)
{
    static const char *const fields[] = {"points", "heights", "columns", "spacing"};
    bool does = weft_count(weft_get(edited, "omitted")) > 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        does |= weft_get(weft_get(edited, "params"), fields[i]) != NULL;
    }
    return does;
}

static void on_edited(struct watch *watch, const msgpack_object *params)
{
    const msgpack_object *method = weft_get(params, "method");
    if (weft_u64(weft_get(params, "world"), 0) != watch->scene.world) {
        return;
    }
    if (watch->decoder && weft_string_is(method, "body.remove")) {
        weft_decoder_forget(watch->decoder,
                            (uint32_t)weft_u64(weft_get(weft_get(params, "params"), "body"), 0));
    }
    if (weft_string_is(method, "collider.set") && !reshapes(params)) {
        cli_scene_move_collider(&watch->scene, weft_get(params, "params"));
        watch->dirty = true;
    } else if (weft_string_is(method, "body.add") || weft_string_is(method, "body.remove") ||
               weft_string_is(method, "collider.add") || weft_string_is(method, "collider.remove") ||
               weft_string_is(method, "collider.set") || weft_string_is(method, "world.set") ||
               weft_string_is(method, "edit.batch") || weft_string_is(method, "edit.undo") ||
               weft_string_is(method, "edit.redo")) {
        if (watch->document_asked) {
            watch->document_stale = true;
            return;
        }
        watch->document_asked = true;
        ask_of_world(watch, "world.join", on_document);
    }
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    struct watch *watch = context;
    if (strcmp(method, "world.edited") == 0) {
        on_edited(watch, params);
    } else if (strcmp(method, "world.changed") == 0) {
        cli_scene_take_change(&watch->scene, params);
        watch->dirty = true;
        if (strcmp(watch->scene.state, "deleted") == 0) {
            fail_here(watch, WEFT_KIND_CALLER, "NOT_FOUND", "the world was deleted");
        }
    } else if (strcmp(method, "stream.closed") == 0 &&
               weft_u64(weft_get(params, "stream"), 0) == watch->stream) {
        char reason[160] = "the stream was closed: ";
        const size_t used = strlen(reason);
        weft_string_copy(weft_get(params, "reason"), reason + used, sizeof reason - used);
        fail_here(watch, WEFT_KIND_SERVER, "CLOSED", reason);
    }
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct watch *watch = context;
    struct weft_error error;
    if (frame->part == 0) {
        watch->dropped += frame->dropped;
    }
    if (watch->decoder) {
        weft_frame_use(frame, watch->decoder);
    }
    if (!cli_scene_take_frame(&watch->scene, frame, &error)) {
        watch_fail(watch, &error);
        return;
    }
    if (frame->part + 1 != frame->parts) {
        return;
    }
    if (watch->scene.lacks_key && !watch->key_asked && watch->stream) {
        watch->key_asked = true;
        ask_frames(watch); // each chunk of the next frame stands alone
    }
    watch->scene.lacks_key = false;
    watch->frames++;
    watch->new_frame = true;
}

void watch_listen(struct watch *watch)
{
    watch->decoder = make_decoder(watch);
    weft_on_notification(watch->client, on_notification, watch);
    weft_on_frame(watch->client, on_frame, watch);
}

// ---------------------------------------------------------------------------------------------------------
// Figures and keys

static void on_ping(void *context, struct weft_client *client, const struct weft_error *error,
                    struct weft_reply *reply)
{
    (void)client;
    (void)reply;
    struct watch *watch = context;
    watch->ping_asked = false;
    if (!error) {
        watch->rates.latency_ms = (double)(watch_now_us() - watch->ping_at_us) / 1000;
    }
}

static void take_warnings(struct watch *watch, const msgpack_object *warnings)
{
    const msgpack_object *first = weft_at(warnings, 0);
    watch->rates.warnings = weft_count(warnings);
    weft_string_copy(weft_get(first, "code"), watch->warning_code, sizeof watch->warning_code);
    weft_string_copy(weft_get(first, "text"), watch->warning, sizeof watch->warning);
}

static void on_measure(void *context, struct weft_client *client, const struct weft_error *error,
                       struct weft_reply *reply)
{
    (void)client;
    struct watch *watch = context;
    watch->measure_asked = false;
    if (!error) {
        const msgpack_object *measures = weft_get(&reply->result, "measures");
        double most = (double)NAN; // of edges of all kinds
        for (size_t i = 0; cli_api_strains[i]; i++) {
            most = fmax(most, weft_f64(weft_get(measures, cli_api_strains[i]), (double)NAN));
        }
        watch->rates.strain_max = isnan(most) ? watch->rates.strain_max : most;
        take_warnings(watch, weft_get(&reply->result, "warnings"));
    }
}

void watch_ask_figures(struct watch *watch)
{
    if (!watch->ping_asked) {
        watch->ping_asked = true;
        watch->ping_at_us = watch_now_us();
        ask(watch, "server.ping", NULL, on_ping);
    }
    if (!watch->measure_asked) {
        watch->measure_asked = true;
        ask_of_world(watch, "world.measure", on_measure);
    }
}

static void on_control(void *context, struct weft_client *client, const struct weft_error *error,
                       struct weft_reply *reply)
{
    (void)client;
    (void)reply;
    if (error) {
        tell(context, error);
    }
}

void watch_control(struct watch *watch, const char *method)
{
    ask_of_world(watch, method, on_control);
}
