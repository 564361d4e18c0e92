// weft-bench stiff: how far from stiff things are that should be, by the mesh and the number of substeps.
//
// For each size and number of substeps all solvers make the same body and take turns, tick by tick, so that they meet
// the same machine. Positions are read after each tick, and everything is measured from them in double. A case whose
// things swing is run twice: with much damping until it rests, and with little.

#include "base/clock.h"
#include "cases.h"
#include "scene.h"
#include "stiff_group.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const double FARTHEST = 1000; // m: what is beyond has failed

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

// The second Ctrl-C ends the program at once.
static void watch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
}

// --------------------------------------------------------------------------------------------------- running

// A line on a terminal, four times a second.
static void progress(const struct stiff_group *group, const struct stiff_run *run, const char *what,
                     uint32_t tick, uint32_t ticks)
{
    static uint64_t last_ns;
    uint64_t now_ns = base_now_ns();
    if (isatty(STDERR_FILENO) && now_ns - last_ns > 250000000) {
        last_ns = now_ns;
        fprintf(stderr, "\r%s %g, %" PRIu32 " substeps, %s: tick %" PRIu32 " of %" PRIu32 "  ",
                group->of->name, group->size, run->substeps, what, tick, ticks);
    }
}

static void progress_end(void)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%79s\r", "");
    }
}

static bool is_sound(const struct stiff_group *group)
{
    for (size_t i = 0; i < 3 * (size_t)group->body.particle_count; i++) {
        // Written so that it is false for a NaN.
        if (!(fabs(group->positions[i]) < FARTHEST)) {
            return false;
        }
    }
    return true;
}

static void fail(struct stiff_outcome *outcome, uint32_t tick, const char *reason)
{
    outcome->failed_tick = tick + 1;
    if (reason) {
        snprintf(outcome->reason, sizeof outcome->reason, "%s", reason);
    }
}

static void run_tick(struct stiff_group *group, struct stiff_run *run, struct stiff_outcome *outcome,
                     uint32_t tick)
{
    const uint64_t begin = base_core_ns();
    bool good = run->solver->tick(run->world, outcome->reason);
    const uint64_t took = base_core_ns() - begin;
    run->all_ns += tick > 0 ? took : 0;
    run->first_ns = tick == 0 ? took : run->first_ns;
    if (!good) {
        fail(outcome, tick, NULL);
        return;
    }
    run->solver->positions(run->world, group->positions);
    if (!is_sound(group)) {
        fail(outcome, tick, "a coordinate is not finite, or beyond 1 km");
        return;
    }
    stiff_strains(&group->body, group->positions, &outcome->worst, &outcome->rms);
    outcome->greatest = fmax(outcome->greatest, outcome->worst);
    if (tick < 2 * STIFF_TICK_RATE) {
        const int swing = tick < STIFF_TICK_RATE ? 0 : 1;
        run->solver->velocities(run->world, group->velocities);
        outcome->lowest[swing] = fmin(outcome->lowest[swing], stiff_lowest(&group->body, group->positions));
        outcome->kinetic[swing] =
            fmax(outcome->kinetic[swing], stiff_kinetic(&group->body, group->velocities));
    }
}

static void run_end(struct stiff_group *group, struct stiff_run *run, struct stiff_outcome *outcome,
                    uint32_t ticks)
{
    outcome->first_ms = 1e-6 * (double)run->first_ns;
    outcome->ms = ticks > 1 ? 1e-6 * (double)run->all_ns / (ticks - 1) : outcome->first_ms;
    if (outcome->failed_tick != 0) {
        return;
    }
    outcome->hash = run->solver->hash ? run->solver->hash(run->world) : 0;
    run->solver->positions(run->world, group->positions);
    if (group->body.kind == STIFF_STRIP) {
        outcome->told = stiff_sag(&group->body, group->positions);
    } else if (group->body.kind == STIFF_DRAPE) {
        outcome->told = stiff_drape(&group->body, group->positions);
    } else if (group->body.kind == STIFF_HUNG) {
        outcome->told = stiff_side(&group->body, group->positions);
    } else if (group->body.rim_count > 0) {
        outcome->told = stiff_droop(&group->body, group->positions);
    }
}

// All runs from `first` on, in turns. False if a world cannot be made, or if Ctrl-C came.
static bool phase_run(struct stiff_group *group, uint32_t first, bool swings, uint32_t ticks)
{
    bool good = true;
    for (uint32_t r = first; r < group->count; r++) {
        struct stiff_run *run = &group->runs[r];
        const struct stiff_world world = {.damping =
                                              swings ? group->of->swing_damping : group->of->rest_damping,
                                          .substeps = run->substeps,
                                          .iterations = run->iterations};
        run->all_ns = run->first_ns = 0;
        run->world = good ? run->solver->create(&group->body, &world) : NULL;
        good = good && run->world != NULL;
    }
    for (uint32_t tick = 0; good && tick < ticks; tick++) {
        for (uint32_t r = first; r < group->count && !interrupted; r++) {
            struct stiff_outcome *outcome = swings ? &group->runs[r].swing : &group->runs[r].rest;
            if (outcome->failed_tick == 0) {
                run_tick(group, &group->runs[r], outcome, tick);
            }
        }
        progress(group, &group->runs[first], swings ? "swinging" : "coming to rest", tick + 1, ticks);
        good = !interrupted;
    }
    progress_end();
    for (uint32_t r = first; r < group->count; r++) {
        struct stiff_run *run = &group->runs[r];
        struct stiff_outcome *outcome = swings ? &run->swing : &run->rest;
        if (good) {
            run_end(group, run, outcome, outcome->failed_tick != 0 ? outcome->failed_tick : ticks);
        }
        if (run->world) {
            run->solver->destroy(run->world);
            run->world = NULL;
        }
    }
    return good;
}

static bool group_run(struct stiff_group *group, uint32_t first, uint32_t seconds)
{
    const uint32_t ticks = seconds * STIFF_TICK_RATE;
    return phase_run(group, first, false, ticks) &&
           (group->of->swing_damping == 0 || phase_run(group, first, true, ticks));
}

static struct stiff_run *group_add(struct stiff_group *group, enum stiff_solver_id solver, uint32_t substeps,
                                   uint32_t iterations)
{
    struct stiff_run *run = &group->runs[group->count++];
    *run =
        (struct stiff_run){.solver = &stiff_solvers[solver], .substeps = substeps, .iterations = iterations};
    return run;
}

// ----------------------------------------------------------------------------------------------------- cases

// Jolt once more, with as many substeps as take it the time of a tick of weft. The ticks of ropes are too short to be
// compared: some 10 us.
static bool equal_time_run(struct bench_report *report, struct stiff_group *group, uint32_t seconds)
{
    const struct stiff_run *weft = stiff_find(group, STIFF_WEFT), *jolt = stiff_find(group, STIFF_JOLT);
    if (!weft || !jolt || stiff_failed(weft) || stiff_failed(jolt) || jolt->swing.ms <= 0) {
        return true;
    }
    double substeps = round(jolt->substeps * weft->swing.ms / jolt->swing.ms);
    substeps = fmax(1, fmin(1000, substeps));
    uint32_t first = group->count;
    group_add(group, STIFF_JOLT, (uint32_t)substeps, 1)->equal_time = true;
    if (!group_run(group, first, seconds)) {
        return false;
    }
    stiff_tell(report, group, first, seconds);
    return true;
}

static bool size_run(struct bench_report *report, const struct stiff_options *options,
                     struct stiff_group *group)
{
    const uint32_t count = options->substeps.count;
    struct stiff_run reference = {0};
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t substeps = (uint32_t)options->substeps.values[s];
        uint32_t first = 0;
        group->count = 0;
        if (options->reference && group->of->reference_substeps > 0) {
            struct stiff_run *run = group_add(group, group->of->reference, group->of->reference_substeps,
                                              group->of->reference_iterations);
            run->reference = true;
            if (s == 0 && !group_run(group, 0, options->seconds)) {
                return false;
            }
            reference = s == 0 ? *run : reference;
            *run = reference;
            if (s == 0) {
                stiff_tell(report, group, 0, options->seconds);
            }
            first = 1;
        }
        for (int solver = 0; solver < STIFF_SOLVERS; solver++) {
            const bool bends = solver == STIFF_SOLVED || solver == STIFF_ALONE;
            const bool alike = bends && !(group->body.rigidity > 0); // nothing bends
            // The bench gives Jolt no colliders, and its iterations are its substeps.
            const bool missing = solver == STIFF_JOLT && group->body.support_count > 0;
            if (options->wanted[solver] && !alike && !missing) {
                group_add(group, (enum stiff_solver_id)solver, substeps,
                          solver == STIFF_JOLT ? 1 : options->iterations);
            }
        }
        if (!group_run(group, first, options->seconds)) {
            return false;
        }
        stiff_tell(report, group, first, options->seconds);
        if (s + 1 == count && group->body.kind == STIFF_HUNG &&
            !equal_time_run(report, group, options->seconds)) {
            return false;
        }
    }
    return true;
}

static bool body_run(struct bench_report *report, const struct stiff_options *options, enum stiff_kind kind,
                     double size, double stiffness)
{
    struct stiff_group group = {.of = &stiff_cases[kind], .size = size, .stiffness = stiffness};
    bool good = stiff_body_init(&group.body, kind, size, stiffness);
    if (good) {
        group.positions = malloc(3 * (size_t)group.body.particle_count * sizeof *group.positions);
        group.velocities = malloc(3 * (size_t)group.body.particle_count * sizeof *group.velocities);
        good = group.positions && group.velocities;
    }
    if (!good) {
        fprintf(stderr, "weft-bench: no memory for a body\n");
    }
    good = good && size_run(report, options, &group);
    free(group.positions);
    free(group.velocities);
    stiff_body_deinit(&group.body);
    return good;
}

static bool case_run(struct bench_report *report, const struct stiff_options *options, enum stiff_kind kind)
{
    const struct stiff_case *of = &stiff_cases[kind];
    const struct stiff_list *sizes = options->sizes.count > 0 ? &options->sizes
                                     : options->quick         ? &of->quick
                                                              : &of->sizes;
    static const struct stiff_list one = {{1}, 1};
    const struct stiff_list *stiffness = of->stiffness.count == 0       ? &one
                                         : options->stiffness.count > 0 ? &options->stiffness
                                         : options->quick               ? &of->quick_stiffness
                                                                        : &of->stiffness;
    stiff_tell_head(kind);
    for (uint32_t i = 0; i < sizes->count; i++) {
        for (uint32_t f = 0; f < stiffness->count; f++) {
            if (!body_run(report, options, kind, sizes->values[i], stiffness->values[f])) {
                return false;
            }
        }
    }
    return true;
}

int bench_stiff(int count, char **arguments)
{
    struct stiff_options options;
    enum bench_parsed parsed = stiff_options_parse(count, arguments, &options);
    if (parsed != BENCH_PARSED) {
        return parsed == BENCH_HELPED ? 0 : 2;
    }
    struct bench_report report;
    if (!bench_report_init(&report, options.json)) {
        return 1;
    }
    watch_interrupts();
    sim_isa_choose(bench_isa_best());
    printf("Stiffness, %s, one thread, %" PRIu32 " s a world\n", sim_isa_name(sim_isa_chosen()),
           options.seconds);
    if (!stiff_solvers[STIFF_JOLT].create) {
        printf("There are no rows of %s: %s.\n", stiff_solvers[STIFF_JOLT].name,
               stiff_solvers[STIFF_JOLT].what);
    }
    for (int kind = 0; kind < STIFF_KINDS && !interrupted && !report.failed; kind++) {
        if (options.only < 0 || options.only == kind) {
            report.failed |= !case_run(&report, &options, (enum stiff_kind)kind) && !interrupted;
        }
    }
    if (interrupted) {
        fprintf(stderr, "weft-bench: ended by Ctrl-C; the rows until then are told\n");
    }
    bool good = bench_report_finish(&report);
    return interrupted ? 130 : good ? 0 : 1;
}
