// How long a body takes to be made ready (sim_body_prepare, aside) and to be attached (at a tick boundary).

#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

bool bench_plan(struct bench_report *report, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : 300;
    enum sim_isa isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
    printf("\nPlanning of cloths of %" PRIu32 " x %" PRIu32 "; median and best of %" PRIu32 " runs\n\n",
           width, width, options->runs);
    for (int kind = BENCH_EDGES; kind <= BENCH_DIHEDRAL; kind++) {
        double prepare_ms[BENCH_RUNS_MAX], attach_ms[BENCH_RUNS_MAX];
        uint32_t constraints = 0;
        struct bench_mesh mesh;
        if (!bench_mesh_init(&mesh, (enum bench_kind)kind, width)) {
            fprintf(stderr, "weft-bench: no memory for a mesh\n");
            return false;
        }
        bool good = true;
        for (uint32_t run = 0; good && run < options->runs; run++) {
            struct bench_times times = {0};
            struct sim *sim = bench_world_create(&bench_world_usual, isa);
            good = sim != NULL &&
                   bench_body_add(sim, &mesh, (enum bench_kind)kind, &bench_world_usual, &times, NULL);
            prepare_ms[run] = times.prepare_ms;
            attach_ms[run] = times.attach_ms;
            constraints = good ? sim_constraint_count(sim) : 0;
            sim_destroy(sim);
        }
        bench_mesh_deinit(&mesh);
        if (!good) {
            return false;
        }
        const char *name = bench_kind_names[kind];
        double prepare = bench_median(prepare_ms, options->runs);
        double attach = bench_median(attach_ms, options->runs);
        printf("  %-16s %8" PRIu32 " constraints: planned in %7.2f ms (best %7.2f), attached in %6.2f ms\n",
               name, constraints, prepare, bench_least(prepare_ms, options->runs), attach);
        json_t *row = bench_report_row(report, "plan", width, sim_isa_name(isa), 1);
        if (json_object_set_new(row, "scene", json_string(name)) != 0) {
            return false;
        }
        bench_report_count(report, row, "constraints", constraints);
        bench_report_number(report, row, "plan_ms", prepare);
        bench_report_number(report, row, "plan_ms_best", bench_least(prepare_ms, options->runs));
        bench_report_number(report, row, "attach_ms", attach);
        if (kind != BENCH_EDGES && width == 300) {
            struct bench_goal goal = {.value = prepare, .limit = 100, .unit = "ms"};
            snprintf(goal.what, sizeof goal.what, "planning a 300 x 300 cloth, %s", name);
            bench_report_goal(report, row, &goal);
        }
    }
    return true;
}
