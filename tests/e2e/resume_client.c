// A program on libweft that edits and watches a world over a line that breaks, and tells at its end what came of it.
//
//     test_e2e_resume_client ADDRESS CA|- blocking|event LIMIT_MS WORLD NAME COUNT UNTIL
//
// It adds COUNT colliders NAME-0 ..., a few at a time, and ends when each is answered, world.edited told of revision UNTIL and a
// frame came since the connection was back; or when the client is lost. A line of JSON on standard output is what it counted.
// "away", "back", "anew" and "moved" are told on standard error as they come.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>
#include <weft.h>

enum { UNDER_WAY = 6, COUNT_MAX = 4096, PATIENCE_S = 900 };

struct visitor {
    const char *world, *name;
    unsigned count, asked, answered, under_way;
    unsigned answers[COUNT_MAX]; // of each
    unsigned repeated, refused, lost;
    uint64_t world_id, revision, until;
    unsigned gaps, again; // in revisions of world.edited
    unsigned away, back, anew, frames, fresh_frames, strays;
    uint32_t stream;
    uint64_t tick;           // of the last frame
    unsigned begun;          // frames that were the first of another connection
    bool missed;             // something was changed on the way to another server, as it was told
    bool is_anew;            // the next one is the first of a connection
    bool joined, over, gone; // gone: lost for good
    time_t began;
    struct weft_error error;
    struct weft_client *client;
    uv_timer_t timer;
};

struct slot {
    struct visitor *visitor;
    unsigned number;
};
static struct slot slots[COUNT_MAX];

static void fail(struct visitor *visitor, const struct weft_error *error)
{
    if (!visitor->over) {
        visitor->error = *error;
    }
    visitor->over = true;
}

// Tells what there is rather than to wait for what does not come.
static bool is_done(struct visitor *visitor)
{
    if (time(NULL) - visitor->began > PATIENCE_S) {
        snprintf(visitor->error.code, sizeof visitor->error.code, "PATIENCE");
        return true;
    }
    return visitor->answered == visitor->count && visitor->revision >= visitor->until &&
           visitor->fresh_frames > 0;
}

static void on_added(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    const struct slot *slot = context;
    struct visitor *visitor = slot->visitor;
    (void)client;
    (void)reply;
    visitor->under_way--;
    visitor->answered++;
    visitor->repeated += visitor->answers[slot->number]++ > 0;
    if (error && strcmp(error->code, "LOST") == 0) {
        visitor->lost++;
    } else if (error) {
        visitor->refused++;
    }
    if (error) {
        fprintf(stderr, "%s-%u: %s: %s\n", visitor->name, slot->number, error->code, error->text);
    }
}

static void add_some(struct visitor *visitor)
{
    while (visitor->joined && !visitor->over && visitor->asked < visitor->count &&
           visitor->under_way < UNDER_WAY) {
        struct weft_params params;
        struct weft_error error;
        char name[64];
        struct slot *slot = &slots[visitor->asked];
        *slot = (struct slot){.visitor = visitor, .number = visitor->asked};
        snprintf(name, sizeof name, "%s-%u", visitor->name, visitor->asked);
        weft_params_init(&params);
        weft_params_u64(&params, "world", visitor->world_id);
        weft_params_string(&params, "kind", "sphere");
        weft_params_f64(&params, "radius", 0.1);
        weft_params_string(&params, "name", name);
        const bool sent = weft_call_async(visitor->client, "collider.add", &params, on_added, slot, &error);
        weft_params_deinit(&params);
        if (!sent) {
            fail(visitor, &error);
            return;
        }
        visitor->asked++;
        visitor->under_way++;
    }
}

static void on_stream(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    struct visitor *visitor = context;
    (void)client;
    if (error) {
        fail(visitor, error);
    } else {
        visitor->stream = (uint32_t)weft_u64(weft_get(&reply->result, "stream"), 0);
    }
}

static void on_joined(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    struct visitor *visitor = context;
    (void)client;
    if (error) {
        fail(visitor, error);
        return;
    }
    visitor->joined = true;
    visitor->world_id = weft_u64(weft_get(&reply->result, "world"), 0);
    visitor->revision = weft_u64(weft_get(&reply->result, "revision"), 0);
}

static void join(struct visitor *visitor)
{
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_string(&params, "world", visitor->world);
    bool sent = weft_call_async(visitor->client, "world.join", &params, on_joined, visitor, &error);
    weft_params_list_begin(&params, "fields");
    weft_params_string(&params, NULL, "positions");
    weft_params_list_end(&params);
    sent = sent && weft_call_async(visitor->client, "stream.subscribe", &params, on_stream, visitor, &error);
    weft_params_deinit(&params);
    if (!sent) {
        fail(visitor, &error);
    }
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    struct visitor *visitor = context;
    (void)client;
    if (strcmp(method, "stream.closed") == 0) {
        visitor->strays++;
    }
    if (strcmp(method, "world.edited") != 0) {
        return;
    }
    const uint64_t revision = weft_u64(weft_get(params, "revision"), 0);
    visitor->gaps += revision > visitor->revision + 1 && !visitor->missed;
    visitor->missed = false;
    visitor->again += revision <= visitor->revision;
    visitor->revision = revision > visitor->revision ? revision : visitor->revision;
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    struct visitor *visitor = context;
    (void)client;
    visitor->frames++;
    visitor->fresh_frames++;
    visitor->strays += frame->stream != visitor->stream;
    // The first since the connection is another says what is missing.
    visitor->strays += frame->anew ? frame->after != visitor->tick : visitor->is_anew && visitor->frames > 1;
    visitor->begun += frame->anew;
    visitor->is_anew = false;
    visitor->tick = frame->tick;
}

static void on_line(void *context, struct weft_client *client, enum weft_line line,
                    const msgpack_object *hello, const struct weft_error *error)
{
    static const char *const names[] = {"away", "back", "anew", "moved"};
    struct visitor *visitor = context;
    (void)client;
    fprintf(stderr, "%s%s%s\n", names[line], error ? ": " : "", error ? error->text : "");
    fflush(stderr);
    visitor->away += line == WEFT_AWAY;
    visitor->back += line == WEFT_BACK;
    visitor->anew += line == WEFT_ANEW;
    visitor->fresh_frames = 0;
    visitor->is_anew = line == WEFT_BACK;
    struct weft_view rejoin;
    weft_view_u32(weft_get(hello, "rejoin"), &rejoin);
    visitor->strays += line == WEFT_BACK && rejoin.count > 0;
    visitor->missed = line == WEFT_MOVED && rejoin.count > 0;
    weft_view_deinit(&rejoin);
    if (line == WEFT_ANEW) {
        join(visitor);
    }
}

static void begin(struct visitor *visitor, uint32_t limit_ms)
{
    const struct weft_resume_options options = {.limit_ms = limit_ms, .on_line = on_line, .context = visitor};
    struct weft_params params;
    struct weft_error error;
    weft_resume(visitor->client, &options);
    weft_on_notification(visitor->client, on_notification, visitor);
    weft_on_frame(visitor->client, on_frame, visitor);
    weft_params_init(&params);
    weft_params_string(&params, "user", visitor->name);
    weft_params_string(&params, "errors", "map");
    if (!weft_call_async(visitor->client, "session.hello", &params, NULL, NULL, &error)) {
        fail(visitor, &error);
    }
    weft_params_deinit(&params);
    join(visitor);
}

// ---------------------------------------------------------------------------------------------------------
// The two modes

static void run_blocking(struct visitor *visitor, const char *address, const struct weft_tls *tls,
                         uint32_t limit_ms)
{
    struct weft_error error;
    visitor->client = weft_connect_tls(address, tls, 20000, &error);
    if (!visitor->client) {
        fail(visitor, &error);
        return;
    }
    begin(visitor, limit_ms);
    while (!visitor->over && !is_done(visitor)) {
        add_some(visitor);
        if (weft_poll(visitor->client, 20, &error) < 0) {
            visitor->gone = true;
            fail(visitor, &error);
        }
    }
    weft_close(visitor->client);
}

static void on_timer(uv_timer_t *timer)
{
    struct visitor *visitor = timer->data;
    if (visitor->client) {
        add_some(visitor);
    }
    if (visitor->client && (visitor->over || is_done(visitor))) {
        weft_close(visitor->client);
    }
}

static void on_closed(void *context, struct weft_client *client, const struct weft_error *error)
{
    struct visitor *visitor = context;
    (void)client;
    visitor->client = NULL;
    if (error) {
        visitor->gone = true;
        fail(visitor, error);
    }
    uv_close((uv_handle_t *)&visitor->timer, NULL);
}

static void run_event(struct visitor *visitor, const char *address, const struct weft_tls *tls,
                      uint32_t limit_ms)
{
    uv_loop_t loop;
    struct weft_error error;
    const struct weft_attach_options options = {
        .address = address, .timeout_ms = 20000, .context = visitor, .on_closed = on_closed, .tls = tls};
    uv_loop_init(&loop);
    uv_timer_init(&loop, &visitor->timer);
    visitor->timer.data = visitor;
    visitor->client = weft_attach(&loop, &options, &error);
    if (visitor->client) {
        begin(visitor, limit_ms);
        uv_timer_start(&visitor->timer, on_timer, 20, 20);
    } else {
        fail(visitor, &error);
        uv_close((uv_handle_t *)&visitor->timer, NULL);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

int main(int argc, char **argv)
{
    static struct visitor visitor;
    signal(SIGPIPE, SIG_IGN); // libuv writes
    if (argc != 9) {
        fprintf(stderr, "usage: %s ADDRESS CA|- blocking|event LIMIT_MS WORLD NAME COUNT UNTIL\n", argv[0]);
        return 2;
    }
    const bool secure = strcmp(argv[2], "-") != 0;
    const struct weft_tls tls = {.on = secure, .ca = secure ? argv[2] : NULL};
    const uint32_t limit_ms = (uint32_t)strtoul(argv[4], NULL, 10);
    visitor.began = time(NULL);
    visitor.world = argv[5];
    visitor.name = argv[6];
    visitor.count = (unsigned)strtoul(argv[7], NULL, 10);
    visitor.until = strtoull(argv[8], NULL, 10);
    if (visitor.count > COUNT_MAX) {
        return 2;
    }
    if (strcmp(argv[3], "event") == 0) {
        run_event(&visitor, argv[1], &tls, limit_ms);
    } else {
        run_blocking(&visitor, argv[1], &tls, limit_ms);
    }
    printf("{\"answered\": %u, \"repeated\": %u, \"refused\": %u, \"lost\": %u, \"gaps\": %u, \"again\": %u, "
           "\"away\": %u, \"back\": %u, \"anew\": %u, \"frames\": %u, \"strays\": %u, "
           "\"begun\": %u, \"revision\": %llu, \"fresh\": %u, \"gone\": %s, "
           "\"code\": \"%s\"}\n",
           visitor.answered, visitor.repeated, visitor.refused, visitor.lost, visitor.gaps, visitor.again,
           visitor.away, visitor.back, visitor.anew, visitor.frames, visitor.strays, visitor.begun,
           (unsigned long long)visitor.revision, visitor.fresh_frames, visitor.gone ? "true" : "false",
           visitor.error.code);
    return 0;
}
