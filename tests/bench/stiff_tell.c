#include "scene.h"
#include "stiff_group.h"

#include <inttypes.h>
#include <math.h>

const struct stiff_run *stiff_find(const struct stiff_group *group, enum stiff_solver_id solver)
{
    for (uint32_t r = 0; r < group->count; r++) {
        const struct stiff_run *run = &group->runs[r];
        if (run->solver == &stiff_solvers[solver] && !run->reference && !run->equal_time) {
            return run;
        }
    }
    return NULL;
}

bool stiff_failed(const struct stiff_run *run)
{
    return run->rest.failed_tick != 0 || run->swing.failed_tick != 0;
}

static const char *const titles[STIFF_KINDS] = {
    [STIFF_HUNG] =
        "Hung cloths: strains in per cent, which should be 0; lowest and kinetic: of each of two seconds",
    [STIFF_ROPE] =
        "Ropes with a load: strains in per cent, which should be 0; the lowest point should be at -1 m",
    [STIFF_STRIP] = "Strips: the sag of the tip over the length, beside the elastica",
    [STIFF_DRAPE] = "Drapes: the share of the ring beyond the stand that the shadow covers, in per cent",
    [STIFF_HELD] = "Discs that their stand holds: how far the rim is below it",
    [STIFF_STAND] = "Discs that lie on their stand: how far the rim is below it",
    [STIFF_CAPSULES] = "Squares that lie on three capsules: how far the sides are below them",
    [STIFF_TABLE] = "Squares that lie on a table: how far the side beyond its edge is below it",
};

void stiff_tell_head(enum stiff_kind kind)
{
    const struct stiff_case *of = &stiff_cases[kind];
    printf("\n%s\n\n", titles[kind]);
    if (of->swing_damping > 0) {
        printf("    size steps solver    at rest: worst     rms  swinging: worst   lowest m        kinetic J "
               "     "
               "   ms a tick: rest   swing   first\n");
    } else if (kind == STIFF_STRIP) {
        printf("    size steps solver  stiffness      sag  elastica    error  strain: worst  ms a tick   "
               "first\n");
    } else if (kind == STIFF_DRAPE) {
        printf("    size steps solver      drape  strain: worst     rms  ms a tick   first\n");
    } else {
        printf(
            "    size steps solver  stiffness sweeps  droop mm  strain: worst     rms  ms a tick   first\n");
    }
}

// Deviations from the reference, in per cent of its values. A run of one second has no second swing.
static void tell_reference(const struct stiff_run *run, const struct stiff_run *reference)
{
    const struct stiff_outcome *mine = &run->swing, *other = &reference->swing;
    printf("  of the reference:");
    for (int swing = 0; swing < 2 && other->kinetic[swing] > 0; swing++) {
        printf("%s lowest %+.1f %%, kinetic %+.1f %%", swing == 0 ? "" : ";",
               100 * (mine->lowest[swing] / other->lowest[swing] - 1),
               100 * (mine->kinetic[swing] / other->kinetic[swing] - 1));
    }
}

static void tell_row(const struct stiff_group *group, const struct stiff_run *run,
                     const struct stiff_run *reference)
{
    const struct stiff_outcome *rest = &run->rest, *swing = &run->swing,
                               *failed = rest->failed_tick ? rest : swing;
    const struct stiff_run *before = stiff_find(group, STIFF_BEFORE);
    printf("  %6g %5" PRIu32 " %-9s", group->size, run->substeps,
           run->reference ? "reference" : run->solver->name);
    if (failed->failed_tick != 0) {
        printf(" fails %s in tick %" PRIu32 ": %s\n",
               failed == rest ? "on its way to rest" : "while it swings", failed->failed_tick,
               failed->reason);
        return;
    }
    if (group->of->swing_damping > 0) {
        printf("       %9.3f %7.3f        %9.2f   %6.3f %6.3f  %8.3f %8.3f         %9.3f %7.3f %7.1f",
               100 * rest->worst, 100 * rest->rms, 100 * swing->greatest, swing->lowest[0], swing->lowest[1],
               swing->kinetic[0], swing->kinetic[1], rest->ms, swing->ms, swing->first_ms);
        if (before && run != before && !run->reference && before->rest.ms > 0 && !run->equal_time) {
            printf("  %.2f %.2f times before", rest->ms / before->rest.ms, swing->ms / before->swing.ms);
        }
        if (run->equal_time) {
            printf("  in as much time as long");
        }
        if (group->body.kind == STIFF_HUNG) {
            printf("  side %+.2f %%", 100 * rest->told);
        }
        if (reference && run != reference && reference->swing.failed_tick == 0) {
            tell_reference(run, reference);
        }
    } else if (group->body.kind == STIFF_STRIP) {
        const double theory = stiff_elastica(group->body.load);
        printf("  %9g %8.5f %9.5f %+7.1f %%  %12.3f  %9.3f %7.1f", group->stiffness, rest->told, theory,
               100 * (rest->told / theory - 1), 100 * rest->worst, rest->ms, rest->first_ms);
    } else if (group->body.kind != STIFF_DRAPE) {
        printf("  %9g %6" PRIu32 " %9.3f      %9.3f %7.3f  %9.3f %7.1f", group->stiffness, run->iterations,
               1e3 * rest->told, 100 * rest->worst, 100 * rest->rms, rest->ms, rest->first_ms);
        if (reference && run != reference) {
            printf("  %+.1f %% of the reference", 100 * (rest->told / reference->rest.told - 1));
        }
    } else {
        printf("  %7.2f      %9.3f %7.3f  %9.3f %7.1f", 100 * rest->told, 100 * rest->worst, 100 * rest->rms,
               rest->ms, rest->first_ms);
        if (reference && run != reference) {
            printf("  %+.1f points of the reference", 100 * (rest->told - reference->rest.told));
        }
    }
    printf("\n");
}

static void set_text(struct bench_report *report, json_t *row, const char *field, const char *text)
{
    if (json_object_set_new(row, field, json_string(text)) != 0) {
        report->failed = true;
    }
}

// The field that has what the case is about.
static const char *told_name(enum stiff_kind kind)
{
    return kind == STIFF_STRIP ? "sag" : kind == STIFF_DRAPE ? "drape" : "droop";
}

static json_t *report_row(struct bench_report *report, const struct stiff_group *group,
                          const struct stiff_run *run, const struct stiff_run *reference)
{
    const struct stiff_outcome *rest = &run->rest, *swing = &run->swing,
                               *failed = rest->failed_tick ? rest : swing;
    const bool weft = run->solver->hash != NULL, swings = group->of->swing_damping > 0;
    json_t *row = bench_report_row(report, group->of->name, group->body.columns,
                                   weft ? sim_isa_name(sim_isa_chosen()) : NULL, 1);
    set_text(report, row, "solver", run->solver->name);
    bench_report_number(report, row, "size", group->size);
    bench_report_count(report, row, "constraints", group->body.edge_count);
    bench_report_count(report, row, "substeps", run->substeps);
    bench_report_count(report, row, "iterations", run->iterations);
    if (json_object_set_new(row, "reference", json_boolean(run->reference)) != 0 ||
        json_object_set_new(row, "equal_time", json_boolean(run->equal_time)) != 0) {
        report->failed = true;
    }
    if (failed->failed_tick != 0) {
        bench_report_count(report, row, "failed_tick", failed->failed_tick);
        set_text(report, row, "failed", failed->reason);
        return row;
    }
    bench_report_number(report, row, "ms_per_tick", rest->ms);
    bench_report_number(report, row, "ms_first_tick", swings ? swing->first_ms : rest->first_ms);
    bench_report_number(report, row, "strain_worst", rest->worst);
    bench_report_number(report, row, "strain_rms", rest->rms);
    bench_report_number(report, row, "strain_greatest", swings ? swing->greatest : rest->greatest);
    if (swings) {
        bench_report_number(report, row, "ms_per_tick_swinging", swing->ms);
        bench_report_number(report, row, "lowest_first", swing->lowest[0]);
        bench_report_number(report, row, "lowest_second", swing->lowest[1]);
        bench_report_number(report, row, "kinetic_first", swing->kinetic[0]);
        bench_report_number(report, row, "kinetic_second", swing->kinetic[1]);
        if (group->body.kind == STIFF_HUNG) {
            bench_report_number(report, row, "side", rest->told);
        }
    } else {
        bench_report_number(report, row, told_name(group->body.kind), rest->told);
    }
    if (group->of->stiffness.count > 0) {
        bench_report_number(report, row, "stiffness", group->stiffness);
    }
    if (group->body.kind == STIFF_STRIP) {
        bench_report_number(report, row, "elastica", stiff_elastica(group->body.load));
    }
    if (reference && !swings) {
        char field[32];
        snprintf(field, sizeof field, "%s_reference", told_name(group->body.kind));
        bench_report_number(report, row, field, reference->rest.told);
    }
    if (weft) {
        bench_report_hash(report, row, swings ? swing->hash : rest->hash);
    }
    return row;
}

// A hung cloth is to reach these strains after 5 s; 0: no goal.
static void goals(struct bench_report *report, json_t *row, const struct stiff_group *group,
                  const struct stiff_run *run, uint32_t seconds)
{
    static const struct {
        uint32_t side, substeps;
        double rest, greatest;
    } hung[] = {{50, 20, 0.01, 0.05}, {100, 20, 0.02, 0.1}, {200, 20, 0.05, 0.25},
                {400, 20, 0.1, 0},    {50, 5, 0.03, 0},     {100, 5, 0.06, 0}};
    const struct stiff_run *before = stiff_find(group, STIFF_BEFORE);
    for (size_t i = 0; i < sizeof hung / sizeof hung[0]; i++) {
        if (group->body.kind != STIFF_HUNG || run != stiff_find(group, STIFF_WEFT) || seconds != 5 ||
            group->body.columns != hung[i].side || run->substeps != hung[i].substeps) {
            continue;
        }
        struct bench_goal goal = {.value = 100 * run->rest.worst, .limit = 100 * hung[i].rest, .unit = "%"};
        snprintf(goal.what, sizeof goal.what, "worst edge at rest, %" PRIu32 "^2, %" PRIu32 " substeps",
                 hung[i].side, hung[i].substeps);
        bench_report_goal(report, row, &goal);
        if (hung[i].greatest > 0) {
            goal = (struct bench_goal){
                .value = 100 * run->swing.greatest, .limit = 100 * hung[i].greatest, .unit = "%"};
            snprintf(goal.what, sizeof goal.what, "greatest strain of all ticks, %" PRIu32 "^2",
                     hung[i].side);
            bench_report_goal(report, row, &goal);
        }
        if (before && before->swing.ms > 0) {
            goal =
                (struct bench_goal){.value = run->swing.ms / before->swing.ms, .limit = 1.6, .unit = "times"};
            snprintf(goal.what, sizeof goal.what, "a tick beside one without long edges, %" PRIu32 "^2",
                     hung[i].side);
            bench_report_goal(report, row, &goal);
        }
    }
}

// The motion of a cloth within 5 % of the reference's, in each of the first two seconds.
static void goals_motion(struct bench_report *report, json_t *row, const struct stiff_group *group,
                         const struct stiff_run *run, const struct stiff_run *reference)
{
    static const char *const seconds[2] = {"first", "second"};
    if (!reference || stiff_failed(reference) || run != stiff_find(group, STIFF_WEFT) ||
        group->of->swing_damping == 0) {
        return;
    }
    for (int swing = 0; swing < 2 && reference->swing.kinetic[swing] > 0; swing++) {
        struct bench_goal goal = {
            .value = 100 * fabs(run->swing.lowest[swing] / reference->swing.lowest[swing] - 1),
            .limit = 5,
            .unit = "%"};
        snprintf(goal.what, sizeof goal.what, "lowest point of the %s second beside the reference",
                 seconds[swing]);
        bench_report_goal(report, row, &goal);
        goal.value = 100 * fabs(run->swing.kinetic[swing] / reference->swing.kinetic[swing] - 1);
        snprintf(goal.what, sizeof goal.what, "kinetic energy of the %s second beside the reference",
                 seconds[swing]);
        bench_report_goal(report, row, &goal);
    }
}

// A body that hangs over its support is to droop as the reference does.
static void goals_droop(struct bench_report *report, json_t *row, const struct stiff_group *group,
                        const struct stiff_run *run, const struct stiff_run *reference)
{
    if (!reference || stiff_failed(reference) || run != stiff_find(group, STIFF_SOLVED) ||
        group->body.rim_count == 0 || group->body.kind == STIFF_DRAPE) {
        return;
    }
    struct bench_goal goal = {
        .value = 100 * fabs(run->rest.told / reference->rest.told - 1), .limit = 15, .unit = "%"};
    snprintf(goal.what, sizeof goal.what, "droop of %s, %g times the rigidity, %" PRIu32 " substeps",
             group->of->name, group->stiffness, run->substeps);
    bench_report_goal(report, row, &goal);
}

// Half the error of Jolt in as much time.
static void goals_equal_time(struct bench_report *report, json_t *row, const struct stiff_group *group,
                             const struct stiff_run *jolt)
{
    const struct stiff_run *weft = stiff_find(group, STIFF_WEFT);
    if (!jolt->equal_time || !weft || stiff_failed(jolt) || jolt->rest.worst <= 0) {
        return;
    }
    struct bench_goal goal = {.value = weft->rest.worst / jolt->rest.worst, .limit = 0.5, .unit = "times"};
    snprintf(goal.what, sizeof goal.what, "%s %g, worst edge at rest against Jolt in as much time",
             group->of->name, group->size);
    bench_report_goal(report, row, &goal);
    goal = (struct bench_goal){
        .value = weft->swing.greatest / jolt->swing.greatest, .limit = 0.5, .unit = "times"};
    snprintf(goal.what, sizeof goal.what, "%s %g, greatest of all ticks against Jolt in as much time",
             group->of->name, group->size);
    bench_report_goal(report, row, &goal);
}

void stiff_tell(struct bench_report *report, const struct stiff_group *group, uint32_t first,
                uint32_t seconds)
{
    const struct stiff_run *reference = NULL;
    for (uint32_t r = 0; r < group->count; r++) {
        reference = group->runs[r].reference ? &group->runs[r] : reference;
    }
    for (uint32_t r = first; r < group->count; r++) {
        const struct stiff_run *run = &group->runs[r];
        tell_row(group, run, reference);
        json_t *row = report_row(report, group, run, reference);
        if (!stiff_failed(run)) {
            goals(report, row, group, run, seconds);
            goals_motion(report, row, group, run, reference);
            goals_droop(report, row, group, run, reference);
            goals_equal_time(report, row, group, run);
        }
    }
    fflush(stdout);
}
