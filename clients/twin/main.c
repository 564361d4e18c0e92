// weft-twin: computes a copy of a server's world with libweft-twin. It prints a line per second, or answers a program's
// requests.
#include "cli/cli.h"
#include "twin/serve.h"
#include "weft_twin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MS = 20, ASKED_MS = 4 };

struct run {
    struct cli cli;
    const char *world;
    double seconds, every;  // 0 s: no end
    struct weft_twin *twin; // NULL: not yet
    bool asked;             // answers instead of lines
    struct serve *serve;    // NULL unless asked
    uint64_t bytes, told_us;
    bool over;
};

static void on_anew(void *context, struct weft_twin *twin, const char *why)
{
    (void)context, (void)twin;
    fprintf(stderr, "weft: starts again from an image: %s\n", why);
}

static void on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    const struct run *run = context;
    if (run->twin) {
        weft_twin_on_line(run->twin, run->cli.client, line, hello, NULL);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Output

static void tell(struct run *run)
{
    struct weft_twin_state state;
    struct weft_stats stats;
    weft_twin_state(run->twin, &state);
    weft_stats(run->cli.client, &stats);
    const uint64_t now = weft_twin_now_us();
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
               state.joins, state.records, state.sequence, rate, state.delay_s * 1e3,
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
    if (fflush(stdout) != 0) {
        run->over = true;
    }
}

static int loop(struct run *run)
{
    const uint64_t began_us = weft_twin_now_us();
    int status = CLI_OK;
    struct weft_error error;
    run->told_us = began_us;
    while (!run->over) {
        const int wait_ms = weft_twin_wait_ms(run->twin);
        if (weft_poll(run->cli.client, run->serve && wait_ms > ASKED_MS ? ASKED_MS : wait_ms, &error) < 0) {
            return cli_report(&error);
        }
        if (!weft_twin_run(run->twin, STEPS_MS, &error)) {
            status = cli_report(&error);
            run->over = true;
        }
        const uint64_t now = weft_twin_now_us();
        if (run->serve) {
            run->over = !serve_poll(run->serve, run->twin) || run->over;
        } else if ((double)(now - run->told_us) >= run->every * 1e6) {
            tell(run);
        }
        run->over = run->over || (run->seconds > 0 && (double)(now - began_us) >= run->seconds * 1e6);
    }
    if (!run->serve) {
        tell(run);
    }
    return status;
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
            if (!cli_number(value, 0, 1e9, &run->seconds)) {
                return cli_usage("--seconds needs a number");
            }
        } else if (cli_option(argc, argv, &i, "--every", &value)) {
            if (!cli_number(value, 0.01, 3600, &run->every)) {
                return cli_usage("--every needs a number of seconds from 0.01");
            }
        } else if (strcmp(argv[i], "--ask") == 0) {
            run->asked = true;
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
    if (status != CLI_OK) {
        return status;
    }
    run.serve = run.asked ? serve_create() : NULL;
    if (run.asked && !run.serve) {
        fprintf(stderr, "weft: MEMORY: there is not enough memory\n");
        return CLI_REFUSED;
    }
    run.cli.stay = (struct cli_stay){.on = true, .then = on_line, .context = &run};
    status = cli_connect(&run.cli);
    if (status == CLI_OK) {
        const struct weft_twin_options options = {.on_anew = on_anew};
        struct weft_error error;
        run.twin = weft_twin_follow(run.cli.client, run.world, &options, &error);
        weft_on_notification(run.cli.client, weft_twin_on_notification, run.twin);
        status = run.twin ? loop(&run) : cli_report(&error);
        weft_twin_destroy(run.twin);
        weft_close(run.cli.client);
    }
    serve_destroy(run.serve);
    return status;
}
