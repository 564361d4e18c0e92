// What a running world feels of a body that is added: the cloth is made ready on another thread meanwhile and attached
// at a tick boundary, as the server does it.
//
//     ticks    | 0 1 2 ... usual | ... a body is made ready ... | attached, first tick | ... usual from here on
//     delay    end - due - the usual, which is the longer of the medians of the ticks before and of the last ones
//
// The world is small enough to keep pace with the body in it: one that falls behind would tell of that alone.

#include "base/clock.h"
#include "base/thread.h"
#include "cases.h"
#include "host/runner.h"
#include "hosted.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { TICKS_BEFORE = 30, TICKS_AFTER = 40, TICKS_MAX = 600, TICKS_USUAL = 20 };

struct guest {
    struct sim *sim;
    _Atomic(struct sim_body_plan *) plan; // ready to be attached
    atomic_bool done;
    double attach_ms;
    bool refused;
};

static void attach(void *context)
{
    struct guest *guest = context;
    struct sim_body_plan *plan = atomic_exchange(&guest->plan, NULL);
    if (plan == NULL)
        return;
    struct sim_fault fault = {0};
    struct sim_body_added added;
    uint64_t begin = base_now_ns();
    if (sim_body_attach(guest->sim, plan, &added, &fault) != SIM_OK) {
        fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
        sim_body_plan_destroy(plan);
        guest->refused = true;
    }
    guest->attach_ms = 1e-6 * (double)(base_now_ns() - begin);
    atomic_store(&guest->done, true);
}

static double took_ms(const struct bench_tick_trace *tick)
{
    return 1e-6 * ((double)tick->end_ns - (double)tick->due_ns);
}

static double usual_ms(const struct bench_tick_trace *first)
{
    double took[TICKS_USUAL];
    for (uint32_t i = 0; i < TICKS_USUAL; i++)
        took[i] = took_ms(&first[i]);
    return bench_median(took, TICKS_USUAL);
}

struct outcome {
    double delay_ms, attach_ms;
    bool late; // the world does not keep pace on this machine: there is no delay to tell
};

// Of all ticks that ended after prepared_ns, when the body began to be made ready.
static double worst_delay(const struct bench_tick_trace *trace, uint32_t count, uint64_t prepared_ns)
{
    double before = usual_ms(trace + TICKS_BEFORE - TICKS_USUAL),
           after = usual_ms(trace + count - TICKS_USUAL);
    double worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        double delay = took_ms(&trace[i]) - (before > after ? before : after);
        worst = trace[i].end_ns >= prepared_ns && delay > worst ? delay : worst;
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

static bool run_once(uint32_t width, uint32_t threads, enum sim_isa isa, struct outcome *outcome)
{
    static struct bench_tick_trace trace[TICKS_MAX];
    struct guest guest = {.sim = bench_scene_create(BENCH_QUADRATIC, 40, isa)};
    struct bench_hosted hosted = {
        .sim = guest.sim, .before = attach, .context = &guest, .trace = trace, .trace_capacity = TICKS_MAX};
    struct bench_mesh mesh = {0};
    struct host_runner *runner = NULL;
    if (guest.sim != NULL && bench_mesh_init(&mesh, BENCH_QUADRATIC, width))
        runner = bench_hosted_start(&hosted, 1, threads);
    bool good = runner != NULL;
    uint64_t begin = 0;
    if (good) {
        bench_sleep_ms(20 + TICKS_BEFORE * 1000 / BENCH_TICK_RATE);
        begin = base_now_ns();
        struct preparation preparation = {.mesh = &mesh};
        struct base_thread thread;
        good = base_thread_start(&thread, "prepare", prepare, &preparation);
        if (good)
            base_thread_join(&thread);
        good = preparation.plan != NULL;
        atomic_store(&guest.plan, preparation.plan);
        bench_sleep_ms(TICKS_AFTER * 1000 / BENCH_TICK_RATE);
    }
    if (runner != NULL)
        host_runner_destroy(runner);
    good = good && !hosted.failed && !guest.refused;
    uint32_t count = hosted.ticks < TICKS_MAX ? hosted.ticks : TICKS_MAX;
    *outcome = (struct outcome){.late = !atomic_load(&guest.done) || count < TICKS_BEFORE + TICKS_USUAL};
    if (good && !outcome->late) {
        outcome->delay_ms = worst_delay(trace, count, begin);
        outcome->attach_ms = guest.attach_ms;
    }
    sim_body_plan_destroy(atomic_load(&guest.plan));
    sim_destroy(guest.sim);
    bench_mesh_deinit(&mesh);
    return good;
}

bool bench_attach(struct bench_report *report, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : 100;
    uint32_t threads = options->threads != 0 ? options->threads : bench_cores();
    enum sim_isa isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
    double delays_ms[BENCH_RUNS_MAX], attach_ms[BENCH_RUNS_MAX];
    for (uint32_t run = 0; run < options->runs; run++) {
        struct outcome outcome;
        if (!run_once(width, threads, isa, &outcome))
            return false;
        if (outcome.late) {
            printf(
                "\nA body is added to a running world: on this machine, now, the world does not keep pace\n");
            return true;
        }
        delays_ms[run] = outcome.delay_ms;
        attach_ms[run] = outcome.attach_ms;
    }
    double worst = bench_greatest(delays_ms, options->runs);
    printf("\nA body of %" PRIu32 " particles (%" PRIu32 " x %" PRIu32
           ", quadratic bending) is added to a running "
           "world of 40 x 40\n\n"
           "  longest delay of a tick: median %.2f ms, worst of %" PRIu32
           " runs %.2f ms; attaching alone: median "
           "%.2f ms\n",
           width * width, width, width, bench_median(delays_ms, options->runs), options->runs, worst,
           bench_median(attach_ms, options->runs));
    json_t *row = bench_report_row(report, "attach", width, sim_isa_name(isa), threads);
    bench_report_number(report, row, "delay_ms", bench_median(delays_ms, options->runs));
    bench_report_number(report, row, "delay_ms_worst", worst);
    bench_report_number(report, row, "attach_ms", bench_median(attach_ms, options->runs));
    if (width == 100) {
        struct bench_goal goal = {.what = "a body of 10,000 particles is added, longest delay of a tick",
                                  .value = worst,
                                  .limit = 5,
                                  .unit = "ms"};
        bench_report_goal(report, row, &goal);
    }
    return true;
}
