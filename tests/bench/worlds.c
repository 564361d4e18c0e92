// How many cloths fit in real time: 60 ticks a second of 20 substeps, on the server's runner.
//
// So many fit as no world is behind by more than a tick after two seconds; more than a hundredth too many would be.
// The number is looked for by halving, from a guess upwards or downwards.

#include "base/clock.h"
#include "cases.h"
#include "host/runner.h"
#include "hosted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORLDS_MAX = 20000 };

struct crowd {
    struct bench_hosted *worlds;
    uint32_t count; // made
    uint32_t width, threads, trial_ms;
    enum sim_isa isa;
};

struct trial {
    bool good, fits;
    double tick_ms, busy; // of a world's tick; of the threads' time
};

static bool crowd_grow(struct crowd *crowd, uint32_t count)
{
    bool good = count <= WORLDS_MAX;
    for (; good && crowd->count < count; crowd->count++) {
        struct bench_hosted *hosted = &crowd->worlds[crowd->count];
        *hosted = (struct bench_hosted){.sim = bench_scene_create(BENCH_EDGES, crowd->width, crowd->isa)};
        good = hosted->sim != NULL;
        if (!good) {
            break;
        }
    }
    return good;
}

static struct trial crowd_try(struct crowd *crowd, uint32_t count)
{
    struct trial trial = {.fits = true};
    if (!crowd_grow(crowd, count)) {
        return trial;
    }
    struct host_runner *runner = bench_hosted_start(crowd->worlds, count, crowd->threads);
    if (runner == NULL) {
        return trial;
    }
    uint64_t begin = base_now_ns();
    bench_sleep_ms(crowd->trial_ms);
    host_runner_destroy(runner);
    uint64_t end = base_now_ns(), busy_ns = 0, ticks = 0;
    trial.good = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct bench_hosted *hosted = &crowd->worlds[i];
        trial.good = trial.good && !hosted->failed;
        trial.fits =
            trial.fits && bench_hosted_due_ns(hosted) + UINT64_C(1000000000) / BENCH_TICK_RATE >= end;
        busy_ns += hosted->busy_ns;
        ticks += hosted->ticks;
    }
    trial.tick_ms = ticks > 0 ? 1e-6 * (double)busy_ns / (double)ticks : 0;
    trial.busy = (double)busy_ns / ((double)(end - begin) * crowd->threads);
    printf("  %5" PRIu32 " worlds: %.3f ms a tick, threads busy %3.0f %%: %s\n", count, trial.tick_ms,
           100 * trial.busy, trial.fits ? "fit" : "do not fit");
    fflush(stdout);
    return trial;
}

// The most that fit, within a fiftieth: 0 if not even one does. False if something failed.
static bool crowd_search(struct crowd *crowd, uint32_t *most, struct trial *best)
{
    struct trial trial = crowd_try(crowd, 1);
    *best = trial;
    *most = 0;
    if (!trial.good || !trial.fits || trial.tick_ms <= 0) {
        return trial.good;
    }
    double guess = 0.9 * crowd->threads * (1000.0 / BENCH_TICK_RATE) / trial.tick_ms;
    uint32_t fit = 1, too_many = WORLDS_MAX + 1;
    uint32_t next = guess < 2 ? 2 : guess > WORLDS_MAX ? WORLDS_MAX : (uint32_t)guess;
    while (too_many - fit > 1 + fit / 50 && next > fit && next < too_many) {
        trial = crowd_try(crowd, next);
        if (!trial.good) {
            return false;
        }
        if (trial.fits) {
            fit = next;
            *best = trial;
            next = too_many > WORLDS_MAX ? next + next / 8 + 1 : (fit + too_many) / 2;
        } else {
            too_many = next;
            next = fit == 1 ? next - next / 8 - 1 : (fit + too_many) / 2;
        }
    }
    *most = fit;
    return true;
}

bool bench_worlds(struct bench_report *report, const struct bench_options *options)
{
    struct crowd crowd = {
        .worlds = calloc(WORLDS_MAX, sizeof *crowd.worlds),
        .width = options->width != 0 ? options->width : 32,
        .threads = options->threads != 0 ? options->threads : bench_cores(),
        .trial_ms = options->quick ? 500 : 2000,
        .isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best(),
    };
    printf("\nWorlds of one cloth of %" PRIu32 " x %" PRIu32 ", edges, in real time on %" PRIu32
           " threads with %s\n\n",
           crowd.width, crowd.width, crowd.threads, sim_isa_name(crowd.isa));
    struct trial best = {0};
    uint32_t fit = 0;
    bool good = crowd.worlds != NULL && crowd_search(&crowd, &fit, &best);
    if (good) {
        uint32_t constraints = sim_constraint_count(crowd.worlds[0].sim);
        double ns = 1e6 * best.tick_ms / ((double)constraints * BENCH_SUBSTEPS);
        printf("  %" PRIu32 " fit\n", fit);
        json_t *row = bench_report_row(report, "worlds", crowd.width, sim_isa_name(crowd.isa), crowd.threads);
        bench_report_count(report, row, "constraints", constraints);
        bench_report_count(report, row, "substeps", BENCH_SUBSTEPS);
        bench_report_number(report, row, "ns_per_constraint", ns);
        bench_report_number(report, row, "ms_per_tick", best.tick_ms);
        bench_report_count(report, row, "worlds", fit);
        bench_report_number(report, row, "busy", best.busy);
        if (crowd.width == 32 && crowd.threads == 2) {
            struct bench_goal goal = {.what = "worlds of 32 x 32 in real time on 2 threads",
                                      .value = fit,
                                      .limit = 300,
                                      .unit = "",
                                      .at_least = true};
            bench_report_goal(report, row, &goal);
        }
    }
    for (uint32_t i = 0; i < crowd.count; i++) {
        sim_destroy(crowd.worlds[i].sim);
    }
    free(crowd.worlds);
    return good;
}
