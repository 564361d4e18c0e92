#include "record/meter.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24, QUIET_US = 1000000, REDRAW_US = 100000, LINE_US = 10000000 };

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
    };
    meter->shown_us = meter->begun_us;
}

static void time_text(double seconds, char *out, size_t size)
{
    if (seconds < 90)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, size, "%.0f min", seconds / 60);
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}

void record_meter_show(struct record_meter *meter, uint64_t done)
{
    int64_t now = now_us();
    double elapsed = 1e-6 * (double)(now - meter->begun_us);
    if (now - meter->begun_us < QUIET_US || now - meter->shown_us < (meter->terminal ? REDRAW_US : LINE_US))
        return;
    meter->shown_us = now;
    double rate = done > meter->first ? (double)(done - meter->first) / elapsed : 0;
    char text[160], left[32], bar[BAR_WIDTH + 1];
    if (meter->total == 0) {
        snprintf(text, sizeof text, "%s: %llu %s, %.3g a second", meter->what, (unsigned long long)done,
                 meter->unit, rate);
    } else {
        double part = done < meter->total ? (double)done / (double)meter->total : 1;
        memset(bar, '.', BAR_WIDTH);
        memset(bar, '#', (size_t)(part * BAR_WIDTH));
        bar[BAR_WIDTH] = '\0';
        time_text(rate > 0 ? (double)(meter->total - (done < meter->total ? done : meter->total)) / rate : 0,
                  left, sizeof left);
        snprintf(text, sizeof text, "%s: %s%s%s%llu of %llu %s, %.3g a second, %s left", meter->what,
                 meter->terminal ? "[" : "", meter->terminal ? bar : "", meter->terminal ? "] " : "",
                 (unsigned long long)done, (unsigned long long)meter->total, meter->unit, rate, left);
    }
    if (meter->terminal)
        fprintf(stderr, "\r%s\033[K", text);
    else
        fprintf(stderr, "%s\n", text);
    fflush(stderr);
    meter->drawn = meter->terminal;
}

void record_meter_end(struct record_meter *meter)
{
    if (meter->drawn)
        fputs("\r\033[K", stderr);
    meter->drawn = false;
}
