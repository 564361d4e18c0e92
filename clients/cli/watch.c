// weft watch: a world, live.
//
//     ┌▶ poll: server, keys, signals ─▶ take what came ─▶ a second over? count ─▶ picture due? draw ┐
//     └───────────────────────────────────────────────────────────────────────────────────────────┘
//
// Each picture shows the newest positions that came since the last one. There are at most fps pictures a second.
#include "watch.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECOND_US = 1000000 };
#define ORBIT_SPEED 0.10f // rad/s

static bool take_encoding(struct watch *watch, const char *name)
{
    static const char *const known[] = {"f32", "q16", "delta"};
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i]) == 0) {
            watch->encoding = known[i];
            return true;
        }
    }
    if (name && strcmp(name, "records") == 0) {
        cli_usage("--encoding: records have no positions to show; weft twin runs a world from them");
    } else {
        cli_usage("--encoding takes f32, q16 or delta");
    }
    return false;
}

static bool take_box(const char *text, double box[6])
{
    return cli_numbers(text, 6, box) && box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5];
}

static int take_arguments(struct watch *watch, int argc, char **argv)
{
    const char *value;
    double number;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--fps", &value)) {
            if (!cli_number(value, 0.1, 1000, &watch->fps)) {
                return cli_usage("--fps needs a number from 0.1 to 1000");
            }
        } else if (cli_option(argc, argv, &i, "--frames", &value)) {
            if (!cli_number(value, 1, 1e15, &number) || floor(number) != number) {
                return cli_usage("--frames needs a whole number from 1");
            }
            watch->frames_wanted = (uint64_t)number;
        } else if (cli_option(argc, argv, &i, "--encoding", &value)) {
            if (!take_encoding(watch, value)) {
                return CLI_USAGE;
            }
        } else if (cli_option(argc, argv, &i, "--tolerance", &value)) {
            if (!cli_number(value, 1e-12, 1e6, &watch->tolerance)) {
                return cli_usage("--tolerance needs a number of metres from 1e-12 to 1e6");
            }
        } else if (cli_option(argc, argv, &i, "--nth", &value)) {
            if (!cli_number(value, 1, 1000000, &number) || floor(number) != number) {
                return cli_usage("--nth needs a whole number from 1 to 1000000");
            }
            watch->nth = (uint32_t)number;
        } else if (cli_option(argc, argv, &i, "--box", &value)) {
            watch->boxed = take_box(value, watch->box);
            if (!watch->boxed) {
                return cli_usage("--box needs x0,y0,z0,x1,y1,z1 in metres, the lowest corner first");
            }
        } else if (strcmp(argv[i], "--plain") == 0) {
            watch->plain = true;
        } else if (strcmp(argv[i], "--substeps") == 0) {
            watch->substeps = true;
        } else if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !watch->world) {
            watch->world = argv[++i];
        } else if (watch->world || strncmp(argv[i], "--", 2) == 0) {
            return cli_no_option("watch", argv[i]);
        } else {
            watch->world = argv[i];
        }
    }
    if (watch->tolerance > 0 && watch->encoding && strcmp(watch->encoding, "delta") != 0) {
        return cli_usage("--tolerance is only for --encoding delta");
    }
    if (watch->tolerance > 0) {
        watch->encoding = "delta";
    }
    return watch->world ? CLI_OK : cli_usage("usage: weft watch WORLD [OPTIONS]; see weft help watch");
}

// ---------------------------------------------------------------------------------------------------------
// Picture

static bool resize(struct watch *watch)
{
    int columns, rows;
    cli_terminal_size(&columns, &rows);
    columns = columns > 1000 ? 1000 : columns;
    rows = rows > 500 ? 500 : rows;
    const int picture_rows = rows > 1 ? rows - 1 : 1;
    watch->dirty = true;
    return cli_screen_init(&watch->screen, cli_terminal_look(), columns, rows) &&
           cli_renderer_init(&watch->renderer, columns, picture_rows * 2);
}

static bool write_all(const char *bytes, size_t size)
{
    while (size) {
        const ssize_t put = write(STDOUT_FILENO, bytes, size);
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&ready, 1, 100);
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
        if (cli_signals_stop()) {
            return true;
        }
    }
    return true;
}

static void draw(struct watch *watch)
{
    const int64_t now = watch_now_us();
    // A pause in drawing must not make the camera jump.
    const float dt = clampf((float)(now - watch->drawn_at_us) / 1e6f, 0, 0.1f);
    watch->drawn_at_us = now;
    watch->dirty = watch->new_frame = false;
    if (watch->orbits && strcmp(watch->scene.state, "playing") == 0) {
        watch->view.azimuth += ORBIT_SPEED * dt;
    }
    cli_scene_update_normals(&watch->scene);
    cli_render(&watch->renderer, &watch->scene, &watch->view, dt);
    const struct cli_image *image = &watch->renderer.image;
    cli_screen_image(&watch->screen, image->rgb, image->width, image->height);
    watch_draw_status(watch);
    if (!cli_screen_flush(&watch->screen) || !write_all(watch->screen.bytes.data, watch->screen.bytes.size)) {
        watch->over = true;
        watch->status = CLI_REFUSED;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Keys

static void take_key(struct watch *watch, int key)
{
    struct cli_view *view = &watch->view;
    switch (key) {
    case CLI_KEY_LEFT:
    case CLI_KEY_RIGHT:
        view->azimuth += key == CLI_KEY_LEFT ? -0.12f : 0.12f;
        watch->orbits = false;
        break;
    case CLI_KEY_UP:
    case CLI_KEY_DOWN:
        view->elevation = clampf(view->elevation + (key == CLI_KEY_UP ? 0.08f : -0.08f), -1.5f, 1.5f);
        break;
    case '+':
    case '=':
        view->zoom = clampf(view->zoom * 1.12f, 0.1f, 20);
        break;
    case '-':
    case '_':
        view->zoom = clampf(view->zoom / 1.12f, 0.1f, 20);
        break;
    case 'o':
        watch->orbits = !watch->orbits;
        break;
    case ' ':
        watch_control(watch, strcmp(watch->scene.state, "playing") == 0 ? "world.pause" : "world.play");
        break;
    case 's':
        watch_control(watch, "world.step");
        break;
    case 'r':
        watch_control(watch, "world.reset");
        break;
    case 'q':
        watch->over = true;
        break;
    default:
        return;
    }
    watch->dirty = true;
}

static void take_keys(struct watch *watch, bool *has_keys)
{
    char bytes[64];
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        *has_keys = false;
    }
    for (size_t at = 0; got > 0 && at < (size_t)got && !watch->over;) {
        size_t used;
        take_key(watch, cli_key_parse(bytes + at, (size_t)got - at, &used));
        at += used;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Loop

static bool enough_frames(const struct watch *watch)
{
    return watch->frames_wanted && watch->frames >= watch->frames_wanted;
}

// Milliseconds that poll may sleep.
static int sleep_ms(const struct watch *watch, int64_t draw_at)
{
    int64_t until = watch->window.at_us + SECOND_US;
    if (!watch->plain && (watch->dirty || watch->new_frame) && draw_at < until) {
        until = draw_at;
    }
    const int64_t left = until - watch_now_us();
    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

static void turn(struct watch *watch, bool *has_keys)
{
    const int64_t draw_at = watch->drawn_at_us + (int64_t)(SECOND_US / watch->fps);
    struct weft_error error;
    struct pollfd fds[3] = {{.fd = weft_fd(watch->client), .events = POLLIN},
                            {.fd = cli_signals_fd(), .events = POLLIN},
                            {.fd = *has_keys ? STDIN_FILENO : -1, .events = POLLIN}};
    poll(fds, 3, sleep_ms(watch, draw_at));
    cli_signals_clear();
    if (cli_signals_stop()) {
        watch->over = true;
        return;
    }
    if (cli_signals_resize() && !watch->plain && !resize(watch)) {
        watch->over = true;
        watch->status = CLI_REFUSED;
        return;
    }
    if (fds[2].revents) {
        take_keys(watch, has_keys);
    }
    if (fds[0].fd < 0 || fds[0].revents) {
        if (weft_poll(watch->client, 0, &error) < 0) {
            watch_fail(watch, &error);
        }
    }
    const int64_t now = watch_now_us();
    if (now - watch->window.at_us >= SECOND_US && !watch->over) {
        watch_count(watch);
        watch_ask_figures(watch);
        if (watch->plain) {
            watch_print_line(watch);
        }
        watch->dirty = true;
    }
    const bool last = enough_frames(watch);
    if (!watch->plain && !watch->over && (watch->dirty || watch->new_frame) && (last || now >= draw_at)) {
        draw(watch);
    }
    if (last) {
        watch->over = true;
    }
}

static void run(struct watch *watch)
{
    bool has_keys = !watch->plain && isatty(STDIN_FILENO);
    watch->window = (struct watch_counts){.ticks = watch->scene.tick, .at_us = watch_now_us()};
    watch_ask_figures(watch);
    while (!watch->over) {
        turn(watch, &has_keys);
    }
    // The last, partial second counts too, if it is long enough for rates.
    const int64_t rest = watch_now_us() - watch->window.at_us;
    if (watch->plain && rest > SECOND_US / 5) {
        watch_count(watch);
    }
    if (watch->plain && (rest > SECOND_US / 5 || enough_frames(watch))) {
        watch_print_line(watch);
    }
}

int cli_watch(struct cli *cli, int argc, char **argv)
{
    struct watch watch = {.cli = cli,
                          .fps = 30,
                          .orbits = true,
                          .dirty = true,
                          .view = {.azimuth = 0.45f, .elevation = 0.30f, .zoom = 1},
                          .rates = {.frames = (double)NAN,
                                    .ticks = (double)NAN,
                                    .kib = (double)NAN,
                                    .latency_ms = (double)NAN,
                                    .strain_max = (double)NAN}};
    watch.status = take_arguments(&watch, argc, argv);
    if (watch.status != CLI_OK) {
        return watch.status;
    }
    watch.scene.nth = watch.nth;
    watch.scene.boxed = watch.boxed;
    watch.plain = watch.plain || cli->json || !isatty(STDOUT_FILENO);
    cli->stay =
        (struct cli_stay){.on = true, .silent = !watch.plain, .then = watch_on_line, .context = &watch};
    watch.status = cli_connect(cli);
    if (watch.status != CLI_OK) {
        goto cleanup;
    }
    watch.client = cli->client;
    watch_listen(&watch);
    if (!watch_join(&watch)) {
        watch.status = cli_report(&watch.error);
        goto cleanup;
    }
    if (!cli_signals_watch() || (!watch.plain && (!resize(&watch) || !cli_terminal_enter()))) {
        fprintf(stderr, "weft: MEMORY: %s\n", strerror(errno));
        watch.status = CLI_REFUSED;
        goto cleanup;
    }
    run(&watch);
    if (!watch.plain) {
        cli_terminal_leave();
    }
    if (watch.error.code[0]) {
        watch.status = cli_report(&watch.error);
    }

cleanup:
    // Callbacks of calls under way would use what is freed below.
    weft_close(cli->client);
    cli->client = NULL;
    cli->stay = (struct cli_stay){0};
    weft_decoder_destroy(watch.decoder);
    cli_scene_deinit(&watch.scene);
    cli_renderer_deinit(&watch.renderer);
    cli_screen_deinit(&watch.screen);
    return watch.status;
}
