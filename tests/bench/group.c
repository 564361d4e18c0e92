#include "group.h"

#include "base/clock.h"
#include "base/thread.h"
#include "report.h"
#include "sim/solve/solve.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WARM_TICKS = 20, PHASE_ROUNDS = 3 };

struct teams {
    struct base_team *of[BENCH_THREADS_MAX + 1]; // by threads
};

static bool teams_init(struct teams *teams, const struct bench_subject *subjects, uint32_t count)
{
    *teams = (struct teams){0};
    for (uint32_t s = 0; s < count; s++) {
        uint32_t threads = subjects[s].threads;
        if (threads == 1 || teams->of[threads] != NULL) {
            continue;
        }
        teams->of[threads] = base_team_create(threads);
        if (teams->of[threads] == NULL) {
            fprintf(stderr, "weft-bench: %u threads cannot be started\n", threads);
            return false;
        }
    }
    return true;
}

static void teams_deinit(struct teams *teams)
{
    for (uint32_t threads = 0; threads <= BENCH_THREADS_MAX; threads++) {
        base_team_destroy(teams->of[threads]);
    }
}

static struct base_parallel *teams_lend(const struct teams *teams, const struct bench_subject *subject)
{
    struct base_team *team = teams->of[subject->threads];
    return team != NULL ? base_team_parallel(team) : NULL;
}

// A function of the constraints alone, so that every subject of a scene runs as many ticks.
static uint32_t run_ticks(uint32_t constraints, bool quick)
{
    const double want_ns = quick ? 1e7 : 4e7, about_ns = 1.5 * BENCH_SUBSTEPS * constraints;
    double ticks = want_ns / about_ns;
    return ticks < 1 ? 1 : ticks > 500 ? 500 : (uint32_t)ticks;
}

static bool subject_init(struct bench_subject *subject, struct base_parallel *parallel, bool quick)
{
    subject->sim = bench_scene_create(subject->kind, subject->width, subject->isa);
    if (subject->sim == NULL) {
        return false;
    }
    subject->particles = sim_particle_count(subject->sim);
    subject->constraints = sim_constraint_count(subject->sim);
    subject->ticks = run_ticks(subject->constraints, quick);
    uint32_t warm = subject->ticks < WARM_TICKS ? 1 + subject->ticks : WARM_TICKS;
    bool good = true;
    for (uint32_t tick = 0; good && tick < warm; tick++) {
        good = bench_tick(subject->sim, parallel, NULL);
    }
    return good;
}

static double thread_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return 1e9 * (double)used.tv_sec + (double)used.tv_nsec;
}

// How fast a core is just now, where others share the machine: a chain of multiplications takes 3 cycles each on all
// processors that this is likely to run on.
static double core_ghz(void)
{
    enum { STEPS = 100000 };
    uint64_t begin = base_now_ns(), x = begin | 1;
    for (int i = 0; i < STEPS; i++) {
        x *= UINT64_C(6364136223846793005);
        __asm__ volatile("" : "+r"(x));
    }
    uint64_t end = base_now_ns();
    return end > begin ? 3.0 * STEPS / (double)(end - begin) : 0;
}

// One tick and one sweep of traffic beforehand bring the subject's memory back into the caches.
static bool subject_run(struct bench_subject *subject, struct base_parallel *parallel, uint32_t round)
{
    if (!bench_tick(subject->sim, parallel, NULL)) {
        return false;
    }
    subject->ghz += core_ghz();
    double used_ns = thread_ns();
    uint64_t begin = base_now_ns();
    for (uint32_t tick = 0; tick < subject->ticks; tick++) {
        if (!bench_tick(subject->sim, parallel, NULL)) {
            return false;
        }
    }
    uint64_t end = base_now_ns();
    subject->tick_ns[round] = (double)(end - begin) / subject->ticks;
    subject->own += (thread_ns() - used_ns) / (double)(end - begin);
    sim_carry(subject->sim, parallel, 1);
    begin = base_now_ns();
    sim_carry(subject->sim, parallel, subject->ticks * BENCH_SUBSTEPS);
    subject->traffic_ns[round] = (double)(base_now_ns() - begin) / subject->ticks;
    return true;
}

struct phase_clock {
    uint64_t mark_ns;
    double spent_ns[SIM_PHASE_COUNT];
};

static void phase_ends(void *context, enum sim_phase phase)
{
    struct phase_clock *clock = context;
    uint64_t now_ns = base_now_ns();
    clock->spent_ns[phase] += (double)(now_ns - clock->mark_ns);
    clock->mark_ns = now_ns;
}

// Apart from the timed rounds: looking at the clock four times a substep costs small worlds some percent.
static bool subject_phases(struct bench_subject *subject, struct base_parallel *parallel)
{
    struct phase_clock clock = {0};
    const struct sim_hooks hooks = {.context = &clock, .on_phase = phase_ends};
    double whole_ns = 0;
    bool good = bench_tick(subject->sim, parallel, NULL);
    for (uint32_t tick = 0; good && tick < PHASE_ROUNDS * subject->ticks; tick++) {
        uint64_t begin = base_now_ns();
        clock.mark_ns = begin;
        good = bench_tick(subject->sim, parallel, &hooks);
        whole_ns += (double)(base_now_ns() - begin);
    }
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        subject->phases[phase] = clock.spent_ns[phase] / whole_ns;
    }
    return good;
}

bool bench_group_run(struct bench_subject *subjects, uint32_t count, const struct bench_options *options)
{
    struct teams teams;
    bool good = teams_init(&teams, subjects, count);
    for (uint32_t s = 0; good && s < count; s++) {
        good = subject_init(&subjects[s], teams_lend(&teams, &subjects[s]), options->quick);
    }
    for (uint32_t round = 0; good && round < options->runs; round++) {
        for (uint32_t turn = 0; good && turn < count; turn++) {
            struct bench_subject *subject = &subjects[round % 2 == 0 ? turn : count - 1 - turn];
            good = subject_run(subject, teams_lend(&teams, subject), round);
        }
    }
    for (uint32_t s = 0; good && s < count; s++) {
        subjects[s].own /= options->runs;
        subjects[s].ghz /= options->runs;
        good = subject_phases(&subjects[s], teams_lend(&teams, &subjects[s]));
        subjects[s].hash = sim_hash(subjects[s].sim);
    }
    for (uint32_t s = 0; s < count; s++) {
        sim_destroy(subjects[s].sim);
        subjects[s].sim = NULL;
    }
    teams_deinit(&teams);
    return good;
}

// ------------------------------------------------------------------------------------------------- numbers

double bench_subject_ns(const struct bench_subject *subject, uint32_t runs)
{
    return bench_median(subject->tick_ns, runs) / ((double)subject->constraints * BENCH_SUBSTEPS);
}

double bench_subject_ns_best(const struct bench_subject *subject, uint32_t runs)
{
    return bench_least(subject->tick_ns, runs) / ((double)subject->constraints * BENCH_SUBSTEPS);
}

double bench_subject_share(const struct bench_subject *subject, uint32_t runs)
{
    double shares[BENCH_RUNS_MAX];
    for (uint32_t r = 0; r < runs; r++) {
        shares[r] = subject->traffic_ns[r] / subject->tick_ns[r];
    }
    return bench_median(shares, runs);
}

double bench_subject_ratio(const struct bench_subject *a, const struct bench_subject *b, uint32_t runs)
{
    double ratios[BENCH_RUNS_MAX];
    for (uint32_t r = 0; r < runs; r++) {
        ratios[r] = a->tick_ns[r] / a->constraints / (b->tick_ns[r] / b->constraints);
    }
    return bench_median(ratios, runs);
}

double bench_added_ns(const struct bench_subject *whole, const struct bench_subject *base, uint32_t runs)
{
    double each[BENCH_RUNS_MAX];
    for (uint32_t r = 0; r < runs; r++) {
        each[r] = (whole->tick_ns[r] - base->tick_ns[r]) /
                  ((double)(whole->constraints - base->constraints) * BENCH_SUBSTEPS);
    }
    return bench_median(each, runs);
}

double bench_added_ratio(const struct bench_subject *whole, const struct bench_subject *base, uint32_t runs)
{
    double ratios[BENCH_RUNS_MAX];
    for (uint32_t r = 0; r < runs; r++) {
        double traffic_ns = whole->traffic_ns[r] - base->traffic_ns[r];
        ratios[r] = traffic_ns > 0 ? (whole->tick_ns[r] - base->tick_ns[r]) / traffic_ns : 0;
    }
    return bench_median(ratios, runs);
}
