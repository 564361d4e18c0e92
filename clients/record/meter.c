#include "record/meter.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24, QUIET_US = 1000000, REDRAW_US = 100000, LINE_US = 10000000, TEXT_SIZE = 160 };

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void record_meter_begin(struct record_meter *meter, const char *what, const char *unit, uint64_t first,
                        uint64_t total)
{
    *meter = (struct record_meter){
        .what = what,
        .unit = unit,
        .first = first,
        .total = total,
        .begun_us = now_us(),
        .terminal = isatty(STDERR_FILENO) == 1,
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
    meter->shown_us = meter->begun_us;
}

// Seconds since the beginning. Negative if nothing is to be printed yet.
static double due(struct record_meter *meter, bool at_once)
{
    const int64_t now = now_us(), pause = meter->terminal ? REDRAW_US : LINE_US;
    if (now - meter->begun_us < QUIET_US || (now - meter->shown_us < pause && !at_once)) {
        return -1;
    }
    meter->shown_us = now;
    return 1e-6 * (double)(now - meter->begun_us);
}

// share negative: a mark that moves to and fro.
static void draw(struct record_meter *meter, double share, double seconds, const char *text)
{
    char bar[4 * BAR_WIDTH + 1];
    size_t used = 0;
    const int at = (int)lrint(fmod(seconds * 10, 2 * BAR_WIDTH)) % (2 * BAR_WIDTH);
    if (!meter->terminal) {
        fprintf(stderr, "weft: %s, %s\n", meter->what, text);
        return;
    }
    for (int i = 0; i < BAR_WIDTH; i++) {
        const bool full = share >= 0 ? i < share * BAR_WIDTH : i == at || i == 2 * BAR_WIDTH - 1 - at;
        used += (size_t)snprintf(bar + used, sizeof bar - used, "%s",
                                 full ? (meter->utf8 ? "█" : "#") : (meter->utf8 ? "░" : "."));
    }
    fprintf(stderr, "\r%-10s %s %s\033[K", meter->what, bar, text);
    fflush(stderr);
    meter->drawn = true;
}

static void time_text(double seconds, char *out, size_t size)
{
    if (seconds < 90) {
        snprintf(out, size, "%.0f s", seconds);
    } else if (seconds < 5400) {
        snprintf(out, size, "%.0f min", seconds / 60);
    } else {
        snprintf(out, size, "%.1f h", seconds / 3600);
    }
}

void record_meter_show(struct record_meter *meter, uint64_t done)
{
    const double elapsed = due(meter, false);
    char text[TEXT_SIZE], left[32];
    if (elapsed < 0) {
        return;
    }
    const double rate = done > meter->first ? (double)(done - meter->first) / elapsed : 0;
    const uint64_t rest = done < meter->total ? meter->total - done : 0;
    if (meter->total == 0) {
        snprintf(text, sizeof text, "%llu %s, %.3g a second", (unsigned long long)done, meter->unit, rate);
        draw(meter, -1, elapsed, text);
        return;
    }
    time_text(rate > 0 ? (double)rest / rate : 0, left, sizeof left);
    snprintf(text, sizeof text, "%llu of %llu %s, %.3g a second, %s left", (unsigned long long)done,
             (unsigned long long)meter->total, meter->unit, rate, rate > 0 ? left : "?");
    draw(meter, 1 - (double)rest / (double)meter->total, elapsed, text);
}

void record_meter_stage(struct record_meter *meter, const char *stage, double share)
{
    meter->what = stage;
    const double elapsed = due(meter, meter->told != stage);
    char text[TEXT_SIZE], time[32];
    if (elapsed < 0) {
        return;
    }
    meter->told = stage;
    time_text(elapsed, time, sizeof time);
    if (share >= 0) {
        snprintf(text, sizeof text, "%.0f %%, after %s", 100 * share, time);
    } else {
        snprintf(text, sizeof text, "after %s", time);
    }
    draw(meter, share, elapsed, text);
}

void record_meter_clear(struct record_meter *meter)
{
    if (meter->drawn) {
        fputs("\r\033[K", stderr);
    }
    meter->drawn = false;
}
