// The delay that a running world sees when a body is added. The cloth is prepared on another thread and attached at a
// tick boundary, as in the server.
//
//     ticks       | 0 1 2 ... usual | ... a body is prepared ... | attached, three ticks more | usual from here on
//     by clock    end - due
//     own time    on a core + waiting in the kernel for one
//     delay       of any tick from the preparing to the third after: how much longer it is than the median of the
//                ticks before, or from the body on, of the last ones
//
// The clock also counts time that the host of a virtual machine takes away, and a tick takes longer on a core that
// another thread of the machine shares. So a world that has had the body from its start runs the same ticks: its delays
// are the machine's.
//
// The world is small enough to keep pace with the body in it: one that falls behind would show only that.

#include "base/clock.h"
#include "base/thread.h"
#include "cases.h"
#include "host/runner.h"
#include "hosted.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { TICKS_BEFORE = 30, TICKS_AFTER = 70, TICKS_MAX = 600, TICKS_USUAL = 20, TICKS_FELT = 4 };

struct guest {
    const struct bench_hosted *hosted;
    struct sim *sim;
    struct sim_body_plan *plan; // the simulation thread's once `ready`; NULL: nothing is added
    atomic_bool ready, done;
    uint32_t tick; // before which it was attached
    double attach_ms;
    bool refused;
};

static void attach(struct guest *guest)
{
    struct fault fault = {0};
    struct sim_body_added added;
    uint64_t begin = bench_core_now_ns();
    if (sim_body_attach(guest->sim, guest->plan, &added, &fault) == FAULT_NONE) {
        guest->plan = NULL; // taken over
    } else {
        fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
        guest->refused = true;
    }
    guest->attach_ms = 1e-6 * (double)(bench_core_now_ns() - begin);
}

static void before_tick(void *context)
{
    struct guest *guest = context;
    if (atomic_load(&guest->done) || !atomic_load(&guest->ready)) {
        return;
    }
    if (guest->plan != NULL) {
        attach(guest);
    }
    guest->tick = guest->hosted->ticks;
    atomic_store(&guest->done, true);
}

enum measure { BY_CLOCK, ITS_OWN, MEASURE_COUNT };

static double took_ms(const struct bench_tick_trace *tick, enum measure measure)
{
    return 1e-6 *
           (double)(measure == BY_CLOCK ? tick->end_ns - tick->due_ns : tick->core_ns + tick->waited_ns);
}

static double usual_ms(const struct bench_tick_trace *first, enum measure measure)
{
    double took[TICKS_USUAL];
    for (uint32_t i = 0; i < TICKS_USUAL; i++) {
        took[i] = took_ms(&first[i], measure);
    }
    return bench_median(took, TICKS_USUAL);
}

struct outcome {
    double delay_ms[MEASURE_COUNT], attach_ms;
    bool late; // the world does not keep pace on this machine: there is no delay to tell
};

// Returns the worst delay of the ticks that ended after begin_ns, when preparing the body began, up to the last that it can
// affect.
static double worst_delay(const struct bench_tick_trace *trace, uint32_t count, uint64_t begin_ns,
                          uint32_t attached, enum measure measure)
{
    double before = usual_ms(trace + TICKS_BEFORE - TICKS_USUAL, measure),
           after = usual_ms(trace + count - TICKS_USUAL, measure);
    double worst = 0;
    for (uint32_t i = 0; i < attached + TICKS_FELT; i++) {
        double delay = took_ms(&trace[i], measure) - (i < attached ? before : after);
        worst = trace[i].end_ns >= begin_ns && delay > worst ? delay : worst;
    }
    return worst;
}

struct preparation {
    const struct bench_mesh *mesh;
    struct sim_body_plan *plan;
};

static void prepare(void *context)
{
    struct preparation *preparation = context;
    base_thread_give_way();
    preparation->plan = bench_body_prepare(preparation->mesh, BENCH_QUADRATIC, &bench_world_usual);
}

// Made ready while the world runs, by a thread of its own.
static struct sim_body_plan *prepare_aside(const struct bench_mesh *mesh)
{
    struct preparation preparation = {.mesh = mesh};
    struct base_thread thread;
    if (!base_thread_start(&thread, "prepare", prepare, &preparation)) {
        return NULL;
    }
    base_thread_join(&thread);
    return preparation.plan;
}

static bool run_once(const struct bench_mesh *mesh, bool added, const struct bench_options *options,
                     struct outcome *outcome)
{
    static struct bench_tick_trace trace[TICKS_MAX];
    struct bench_hosted hosted = {.before = before_tick, .trace = trace, .trace_capacity = TICKS_MAX};
    struct guest guest = {.hosted = &hosted};
    hosted.context = &guest;
    hosted.sim = guest.sim = bench_scene_create(BENCH_QUADRATIC, 40, (enum sim_isa)options->isa);
    struct host_runner *runner = NULL;
    bool good = guest.sim != NULL &&
                (added || bench_body_add(guest.sim, mesh, BENCH_QUADRATIC, &bench_world_usual, NULL, NULL));
    if (good) {
        runner = bench_hosted_start(&hosted, 1, options->threads);
    }
    good = runner != NULL;
    uint64_t begin = 0;
    if (good) {
        bench_sleep_ms(20 + TICKS_BEFORE * 1000 / BENCH_TICK_RATE);
        begin = base_now_ns();
        if (added) {
            guest.plan = prepare_aside(mesh);
            good = guest.plan != NULL;
        } else {
            bench_sleep_ms(40); // about as long
        }
        atomic_store(&guest.ready, true);
        bench_sleep_ms(TICKS_AFTER * 1000 / BENCH_TICK_RATE);
        host_runner_destroy(runner);
    }
    good = good && !hosted.failed && !guest.refused;
    uint32_t count = hosted.ticks < TICKS_MAX ? hosted.ticks : TICKS_MAX;
    *outcome = (struct outcome){
        .attach_ms = guest.attach_ms,
        .late = !atomic_load(&guest.done) || count < guest.tick + TICKS_FELT + TICKS_USUAL,
    };
    for (int m = 0; good && !outcome->late && m < MEASURE_COUNT; m++) {
        outcome->delay_ms[m] = worst_delay(trace, count, begin, guest.tick, (enum measure)m);
    }
    sim_body_plan_destroy(guest.plan);
    sim_destroy(guest.sim);
    return good;
}

// Over all runs.
struct delays {
    double ms[MEASURE_COUNT][BENCH_RUNS_MAX];
    double attach_ms[BENCH_RUNS_MAX];
};

enum { NOTHING_ADDED, BODY_ADDED, RUN_KINDS };

// In turns, so that both meet the same machine. False if something failed; late if that is all there is to tell.
static bool run_all(const struct bench_mesh *mesh, const struct bench_options *options,
                    struct delays delays[RUN_KINDS], bool *late)
{
    for (uint32_t run = 0; run < options->runs; run++) {
        for (int kind = 0; kind < RUN_KINDS; kind++) {
            struct outcome outcome;
            if (!run_once(mesh, kind == BODY_ADDED, options, &outcome)) {
                return false;
            }
            for (int m = 0; m < MEASURE_COUNT; m++) {
                delays[kind].ms[m][run] = outcome.delay_ms[m];
            }
            delays[kind].attach_ms[run] = outcome.attach_ms;
            *late = *late || outcome.late;
        }
    }
    return true;
}

static void tell(struct bench_report *report, const struct bench_options *options,
                 const struct delays delays[RUN_KINDS])
{
    static const char *const names[RUN_KINDS] = {"nothing is added", "the body is added"};
    static const char *const cases[RUN_KINDS] = {"attach_control", "attach"};
    uint32_t width = options->width, runs = options->runs;
    printf("\nA body of %" PRIu32 " particles (%" PRIu32 " x %" PRIu32
           ", quadratic bending) is added to a running world of 40 x 40\n\n"
           "  longest delay of a tick, ms      of its own: median   worst     by the clock: median   worst\n",
           width * width, width, width);
    json_t *row = NULL;
    for (int kind = 0; kind < RUN_KINDS; kind++) {
        const double *own = delays[kind].ms[ITS_OWN], *clock = delays[kind].ms[BY_CLOCK];
        printf("  %-30s %20.2f %7.2f %24.2f %7.2f\n", names[kind], bench_median(own, runs),
               bench_greatest(own, runs), bench_median(clock, runs), bench_greatest(clock, runs));
        row = bench_report_row(report, cases[kind], width, sim_isa_name((enum sim_isa)options->isa),
                               options->threads);
        bench_report_number(report, row, "delay_own_ms", bench_median(own, runs));
        bench_report_number(report, row, "delay_own_ms_worst", bench_greatest(own, runs));
        bench_report_number(report, row, "delay_ms", bench_median(clock, runs));
        bench_report_number(report, row, "delay_ms_worst", bench_greatest(clock, runs));
    }
    const double *attach_ms = delays[BODY_ADDED].attach_ms;
    printf("  attaching alone, time on a core: median %.2f, worst %.2f ms\n", bench_median(attach_ms, runs),
           bench_greatest(attach_ms, runs));
    bench_report_number(report, row, "attach_ms", bench_median(attach_ms, runs));
    bench_report_number(report, row, "attach_ms_worst", bench_greatest(attach_ms, runs));
    if (width == 100) {
        struct bench_goal goal = {
            .what = "a body of 10,000 particles is added, longest delay of a tick of its own",
            .value = bench_greatest(delays[BODY_ADDED].ms[ITS_OWN], runs),
            .limit = 5,
            .unit = "ms"};
        bench_report_goal(report, row, &goal);
    }
}

bool bench_attach(struct bench_report *report, const struct bench_options *given)
{
    static struct delays delays[RUN_KINDS];
    struct bench_options options = *given;
    options.width = options.width != 0 ? options.width : 100;
    options.threads = options.threads != 0 ? options.threads : bench_cores();
    options.isa = options.isa >= 0 ? options.isa : (int)bench_isa_best();
    struct bench_mesh mesh;
    if (!bench_mesh_init(&mesh, BENCH_QUADRATIC, options.width)) {
        return false;
    }
    bool late = false;
    bool good = run_all(&mesh, &options, delays, &late);
    bench_mesh_deinit(&mesh);
    if (good && late) {
        printf("\nA body is added to a running world: on this machine, now, the world does not keep pace\n");
    } else if (good) {
        tell(report, &options, delays);
    }
    return good;
}
