// watch's figures: counted once a second, printed as a line under the picture, as plain text, or as JSON.
#include "watch.h"

#include <math.h>
#include <string.h>

enum {
    BAR = 0x171c28,
    BRIGHT = 0xe6e9f0,
    DIM = 0x7f8aa3,
    GREEN = 0x7bd88f,
    AMBER = 0xf2c14e,
    RED = 0xff6b6b
};

void watch_count(struct watch *watch)
{
    struct weft_stats stats;
    const int64_t now = watch_now_us();
    weft_stats(watch->client, &stats);
    const double seconds = (double)(now - watch->window.at_us) / 1e6;
    // Ticks never decrease, but the first frame sets the start.
    const uint64_t ticks =
        watch->scene.tick > watch->window.ticks ? watch->scene.tick - watch->window.ticks : 0;
    watch->rates.frames = (double)(watch->frames - watch->window.frames) / seconds;
    watch->rates.ticks = (double)ticks / seconds;
    watch->rates.kib = (double)(stats.bytes_in - watch->window.bytes) / 1024 / seconds;
    watch->rates.dropped = watch->dropped;
    watch->window = (struct watch_counts){
        .frames = watch->frames, .ticks = watch->scene.tick, .bytes = stats.bytes_in, .at_us = now};
}

static void print_number(const char *name, double value, int digits)
{
    if (isfinite(value)) {
        printf(",\"%s\":%.*f", name, digits, value);
    } else {
        printf(",\"%s\":null", name);
    }
}

static void print_figure(const char *label, double value, int digits, const char *unit)
{
    if (isfinite(value)) {
        printf("  %s %.*f%s", label, digits, value, unit);
    } else {
        printf("  %s -", label);
    }
}

// Wind speed in m/s; NaN without wind.
static double wind_speed(const struct cli_scene *scene)
{
    const double speed = (double)vec3_length(scene->wind_velocity);
    return scene->wind_density > 0 && speed > 0 ? speed : (double)NAN;
}

void watch_print_line(const struct watch *watch)
{
    const struct cli_scene *scene = &watch->scene;
    const struct watch_rates *rates = &watch->rates;
    if (watch->cli->json) {
        printf("{\"world\":%u,\"name\":", scene->world);
        cli_json_string(stdout, scene->name, strlen(scene->name));
        fputs(",\"state\":", stdout);
        cli_json_string(stdout, scene->state, strlen(scene->state));
        printf(",\"tick\":%llu", (unsigned long long)scene->tick);
        print_number("time", scene->time, 6);
        print_number("frames_per_second", rates->frames, 1);
        print_number("ticks_per_second", rates->ticks, 1);
        print_number("kib_per_second", rates->kib, 1);
        printf(",\"frames\":%llu,\"dropped\":%llu", (unsigned long long)watch->frames,
               (unsigned long long)rates->dropped);
        print_number("latency_ms", rates->latency_ms, 3);
        print_number("strain_max", rates->strain_max, 6);
        if (rates->warnings > 0) {
            printf(",\"warnings\":%u,\"warning\":", rates->warnings);
            cli_json_string(stdout, watch->warning, strlen(watch->warning));
        }
        if (isfinite(wind_speed(scene))) {
            print_number("wind", wind_speed(scene), 2);
        }
        if (scene->asleep > 0) {
            printf(",\"asleep\":%u", scene->asleep);
        }
        fputs("}\n", stdout);
    } else {
        printf("%s  %s  tick %llu  time %.3f s", scene->name, scene->state, (unsigned long long)scene->tick,
               scene->time);
        print_figure("frames/s", rates->frames, 1, "");
        print_figure("ticks/s", rates->ticks, 1, "");
        print_figure("KiB/s", rates->kib, 1, "");
        printf("  dropped %llu", (unsigned long long)rates->dropped);
        print_figure("latency", rates->latency_ms, 2, " ms");
        print_figure("strain", rates->strain_max * 100, 2, " %");
        if (isfinite(wind_speed(scene))) {
            print_figure("wind", wind_speed(scene), 1, " m/s");
        }
        if (scene->asleep > 0) {
            printf("  asleep %u", scene->asleep);
        }
        if (rates->warnings > 0) {
            printf("  %s: %s", watch->warning_code, watch->warning);
        }
        fputc('\n', stdout);
    }
    fflush(stdout);
}

// ---------------------------------------------------------------------------------------------------------
// Builds the line under the picture: as many pairs of label and value as fit.

struct line {
    struct cli_screen *screen;
    int row, column;
};

static int characters(const char *text)
{
    int count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

static void add_pair(struct line *line, const char *label, const char *value, uint32_t color)
{
    const int width = characters(label) + characters(value) + 3;
    if (line->column + width > line->screen->columns) {
        return;
    }
    line->column = cli_screen_text(line->screen, line->row, line->column, "  ", DIM, BAR);
    line->column = cli_screen_text(line->screen, line->row, line->column, label, DIM, BAR);
    if (*label) {
        line->column = cli_screen_text(line->screen, line->row, line->column, " ", DIM, BAR);
    }
    line->column = cli_screen_text(line->screen, line->row, line->column, value, color, BAR);
}

static void add_figure(struct line *line, const char *label, double value, int digits, const char *unit)
{
    char text[40] = "-";
    if (isfinite(value)) {
        snprintf(text, sizeof text, "%.*f%s", digits, value, unit);
    }
    add_pair(line, label, text, BRIGHT);
}

void watch_draw_status(struct watch *watch)
{
    const struct cli_scene *scene = &watch->scene;
    const struct watch_rates *rates = &watch->rates;
    struct cli_screen *screen = &watch->screen;
    struct line line = {.screen = screen, .row = screen->rows - 1};
    char text[320];
    for (int column = 0; column < screen->columns; column++) {
        cli_screen_text(screen, line.row, column, " ", DIM, BAR);
    }

    add_pair(&line, "", scene->name, BRIGHT);
    const bool utf8 = screen->look.utf8;
    if (strcmp(scene->state, "playing") == 0) {
        if (scene->rate == 1) {
            snprintf(text, sizeof text, "%splaying", utf8 ? "▶ " : "");
        } else if (scene->rate == 0) {
            snprintf(text, sizeof text, "%splaying, free", utf8 ? "▶ " : "");
        } else {
            snprintf(text, sizeof text, "%splaying %gx", utf8 ? "▶ " : "", scene->rate);
        }
        add_pair(&line, "", text, GREEN);
    } else if (strcmp(scene->state, "paused") == 0) {
        add_pair(&line, "", utf8 ? "‖ paused" : "paused", AMBER);
    } else {
        snprintf(text, sizeof text, "%s %s", scene->state, scene->reason);
        add_pair(&line, "", text, RED);
    }
    if (watch->message[0] && watch_now_us() < watch->message_until_us) {
        add_pair(&line, "", watch->message, RED);
        return;
    }
    snprintf(text, sizeof text, "%llu", (unsigned long long)scene->tick);
    add_pair(&line, "tick", text, BRIGHT);
    add_figure(&line, "time", scene->time, 2, " s");
    add_figure(&line, "frames/s", rates->frames, 0, "");
    add_figure(&line, "ticks/s", rates->ticks, 0, "");
    add_figure(&line, "KiB/s", rates->kib, 0, "");
    snprintf(text, sizeof text, "%llu", (unsigned long long)rates->dropped);
    add_pair(&line, "dropped", text, rates->dropped ? AMBER : BRIGHT);
    add_figure(&line, "latency", rates->latency_ms, 1, " ms");
    add_figure(&line, "strain", rates->strain_max * 100, 1, " %");
    if (rates->warnings > 0) {
        add_pair(&line, "", watch->warning_code, AMBER);
    }
    if (isfinite(wind_speed(scene))) {
        add_figure(&line, "wind", wind_speed(scene), 1, " m/s");
    }
}
