// weft-twin: a world of a server, run here from what decides its future.
//
//     connect ─▶ subscribe ─▶ stream.records ─▶ twin ─▶ ticks as the server's clock goes ─▶ a line a second
//                   ▲                            │
//                   └── a hash differs, something is missing, the stream was closed, the session is a new one
#include "cli/cli.h"
#include "twin/twin.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_US = 20 * 1000, POLL_MS = 4, REST_MS = 100, TRIES_MS = 1000 };

struct run {
    struct cli cli;
    const char *world;
    double seconds, every; // 0 s: for ever
    struct twin *twin;
    uint32_t stream;              // 0: there is none
    uint64_t try_at_us;           // when a new one is asked for; 0: none is
    bool joining;                 // one was asked for
    uint64_t joins;               // streams that there were
    uint64_t losses, differences; // told already
    uint64_t images;              // when it was last lost
    uint64_t bytes, told_us;
    int status;
    bool over;
};

static uint64_t now_us(void)
{
    return base_now_ns() / 1000;
}

static void join_later(struct run *run, uint32_t after_ms)
{
    run->stream = 0;
    run->try_at_us = now_us() + (uint64_t)after_ms * 1000;
}

// ---------------------------------------------------------------------------------------------------------
// With the server

static void on_joined(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    struct run *run = context;
    (void)client;
    run->joining = false;
    if (!error) {
        run->stream = (uint32_t)weft_u64(weft_get(&reply->result, "stream"), 0);
        run->joins++;
    } else if (cli_is_lost(error) ||
               (error->kind == WEFT_KIND_CALLER && strcmp(error->code, "CONFLICT") == 0)) {
        join_later(run, TRIES_MS); // a world that failed may be mended
    } else {
        run->status = cli_report(error);
        run->over = true;
    }
}

// Messages come right behind the answer.
static void join(struct run *run)
{
    struct weft_params params;
    struct weft_error error;
    run->try_at_us = 0;
    run->joining = true;
    weft_params_init(&params);
    weft_params_ref(&params, "world", run->world);
    weft_params_string(&params, "encoding", "records");
    if (!weft_call_async(run->cli.client, "stream.subscribe", &params, on_joined, run, &error)) {
        run->status = cli_report(&error);
        run->over = true;
    }
    weft_params_deinit(&params);
}

static void ask(struct run *run, const char *method, uint64_t tick)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "stream", run->stream);
    if (strcmp(method, "stream.differs") == 0)
        weft_params_u64(&params, "tick", tick);
    weft_call_async(run->cli.client, method, &params, NULL, NULL, NULL);
    weft_params_deinit(&params);
}

// What the twin has come to is of no use: tells, and begins anew.
static void leave_if_lost(struct run *run)
{
    const struct twin_state state = twin_state(run->twin);
    char shown[1024];
    // Until the image of the next stream comes it stays lost.
    if (!run->stream || state.losses == run->losses)
        return;
    fprintf(stderr, "weft: begins anew: %s\n", cli_shown(state.text, shown, sizeof shown));
    if (state.differs && state.differences > run->differences)
        ask(run, "stream.differs", state.tick);
    run->losses = state.losses;
    run->differences = state.differences;
    ask(run, "stream.unsubscribe", 0);
    // Where an image did not help another one may not either.
    join_later(run, state.images > run->images ? 0 : TRIES_MS);
    run->images = state.images;
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    struct run *run = context;
    struct protocol_error error = {0};
    char reason[256];
    (void)client;
    if (!params || !run->stream || weft_u64(weft_get(params, "stream"), 0) != run->stream)
        return;
    if (strcmp(method, "stream.records") == 0) {
        twin_take(run->twin, params, now_us(), &error); // where that is refused the twin is lost
    } else if (strcmp(method, "stream.closed") == 0) {
        weft_string_copy(weft_get(params, "reason"), reason, sizeof reason);
        fprintf(stderr, "weft: the stream ended: %s\n", reason);
        join_later(run, 0);
    }
}

static void on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    struct run *run = context;
    (void)hello;
    // A session that goes on has its streams asked for again; a new one has none.
    if (line == WEFT_ANEW && !run->joining)
        join_later(run, 0);
}

// ---------------------------------------------------------------------------------------------------------
// What it shows

static void tell(struct run *run)
{
    const struct twin_state state = twin_state(run->twin);
    struct weft_stats stats;
    weft_stats(run->cli.client, &stats);
    const uint64_t now = now_us();
    const double seconds = (double)(now - run->told_us) * 1e-6;
    const double rate = seconds > 0 ? (double)(stats.bytes_in - run->bytes) / seconds : 0;
    run->told_us = now;
    run->bytes = stats.bytes_in;
    if (run->cli.json) {
        printf("{\"tick\":%" PRIu64 ",\"told\":%" PRIu64 ",\"same\":%" PRIu64 ",\"hashes\":%" PRIu64
               ",\"differences\":%" PRIu64 ",\"images\":%" PRIu64 ",\"joins\":%" PRIu64
               ",\"records\":%" PRIu64 ",\"sequence\":%" PRIu64
               ",\"bytes_per_second\":%.0f,\"delay_ms\":%.1f,\"lost\":%s}\n",
               state.tick, state.told_tick, state.same_tick, state.hashes, state.differences, state.images,
               run->joins, state.applied, state.sequence, rate, state.delay_s * 1e3,
               state.lost || !state.begun ? "true" : "false");
    } else if (!state.begun || state.lost) {
        printf("waits for an image\n");
    } else {
        printf("tick %" PRIu64 "  hash equal at tick %" PRIu64 "  %" PRIu64 " compared, %" PRIu64
               " differ  %.0f B/s  %.0f ms behind%s\n",
               state.tick, state.same_tick, state.hashes, state.differences, rate, state.delay_s * 1e3,
               state.failed    ? "  failed"
               : state.playing ? ""
                               : "  paused");
    }
    if (fflush(stdout) != 0)
        run->over = true;
}

// Ticks that are due, for a while: messages are to be read meanwhile.
static void steps(struct run *run)
{
    const uint64_t end_us = now_us() + STEPS_US;
    uint64_t now = now_us();
    while (twin_step(run->twin, twin_wanted(run->twin, now), NULL) && now < end_us)
        now = now_us();
}

static int poll_ms(const struct run *run)
{
    const struct twin_state state = twin_state(run->twin);
    const bool behind = state.begun && !state.lost && state.tick < twin_wanted(run->twin, now_us());
    return behind ? 0 : state.playing && !state.lost ? POLL_MS : REST_MS;
}

static int loop(struct run *run)
{
    const uint64_t began_us = now_us();
    struct weft_error error;
    run->told_us = began_us;
    join_later(run, 0);
    while (!run->over) {
        if (run->try_at_us != 0 && now_us() >= run->try_at_us)
            join(run);
        if (!run->over && weft_poll(run->cli.client, poll_ms(run), &error) < 0)
            return cli_report(&error);
        steps(run);
        leave_if_lost(run);
        if ((double)(now_us() - run->told_us) >= run->every * 1e6)
            tell(run);
        run->over = run->over || (run->seconds > 0 && (double)(now_us() - began_us) >= run->seconds * 1e6);
    }
    tell(run);
    return run->status;
}

static int take_arguments(struct run *run, int argc, char **argv)
{
    const char *value;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            puts("usage: weft-twin WORLD [OPTIONS]; see weft help twin");
            exit(CLI_OK);
        }
        if (strcmp(argv[i], "--version") == 0) {
            printf("weft-twin %s\n", weft_version());
            exit(CLI_OK);
        }
        if (cli_option(argc, argv, &i, "--seconds", &value)) {
            if (!cli_number(value, 0, 1e9, &run->seconds))
                return cli_usage("--seconds needs a number");
        } else if (cli_option(argc, argv, &i, "--every", &value)) {
            if (!cli_number(value, 0.01, 3600, &run->every))
                return cli_usage("--every needs a number of seconds from 0.01");
        } else if (run->world || strncmp(argv[i], "--", 2) == 0) {
            return cli_no_option("twin", argv[i]);
        } else {
            run->world = argv[i];
        }
    }
    return run->world ? CLI_OK : cli_usage("usage: weft twin WORLD [OPTIONS]; see weft help twin");
}

int main(int argc, char **argv)
{
    struct run run = {.every = 1};
    const int left = cli_globals(&run.cli, argc - 1, argv + 1);
    int status = left < 0 ? CLI_USAGE : take_arguments(&run, left, argv + 1);
    if (status != CLI_OK)
        return status;
    run.twin = twin_create(NULL);
    if (!run.twin) {
        fprintf(stderr, "weft: MEMORY: there is not enough memory\n");
        return CLI_REFUSED;
    }
    run.cli.stay = (struct cli_stay){.on = true, .then = on_line, .context = &run};
    status = cli_connect(&run.cli);
    if (status == CLI_OK) {
        weft_on_notification(run.cli.client, on_notification, &run);
        status = loop(&run);
        weft_close(run.cli.client);
    }
    twin_destroy(run.twin);
    return status;
}
