// Whole ticks of cloths and cubes.
//
// A kind of four particles is timed with the same mesh without it, in turns, so that what it costs is told apart
// from the edges it comes with: (ticks of both - ticks of the edges) / its constraints.

#include "cases.h"
#include "group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct group {
    struct bench_subject subjects[BENCH_GROUP_MAX];
    uint32_t count;
};

static void add(struct group *group, const struct bench_subject *subject)
{
    if (group->count < BENCH_GROUP_MAX) {
        group->subjects[group->count++] = *subject;
    }
}

// Threads one and one a core with the best instruction set; where `all`, one thread with each of the others.
static void add_variants(struct group *group, enum bench_kind kind, uint32_t width, bool silent,
                         int least_isa, const struct bench_options *options)
{
    struct bench_subject subject = {.kind = kind, .width = width, .silent = silent};
    enum sim_isa best = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
    for (int isa = SIM_ISA_COUNT - 1; isa >= 0; isa--) {
        bool wanted = isa == (int)best || (options->isa < 0 && isa >= least_isa);
        if (!wanted || !sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        subject.isa = (enum sim_isa)isa;
        subject.threads = options->threads != 0 ? options->threads : 1;
        add(group, &subject);
        if (isa == (int)best && options->threads == 0 && bench_cores() > 1) {
            subject.threads = bench_cores();
            add(group, &subject);
        }
    }
}

static const struct bench_subject *find(const struct group *group, enum bench_kind kind, uint32_t width,
                                        enum sim_isa isa, uint32_t threads)
{
    for (uint32_t s = 0; s < group->count; s++) {
        const struct bench_subject *subject = &group->subjects[s];
        if (subject->kind == kind && subject->width == width && subject->isa == isa &&
            subject->threads == threads) {
            return subject;
        }
    }
    return NULL;
}

static bool hashes_equal(const struct group *group)
{
    for (uint32_t s = 0; s < group->count; s++) {
        const struct bench_subject *a = &group->subjects[s];
        for (uint32_t other = 0; other < s; other++) {
            const struct bench_subject *b = &group->subjects[other];
            if (a->kind != b->kind || a->width != b->width || a->hash == b->hash) {
                continue;
            }
            printf("HASHES DIFFER: %s, width %" PRIu32 ": %016" PRIx64 " with %s on %" PRIu32
                   " threads, %016" PRIx64 " with %s on %" PRIu32 "\n",
                   bench_kind_names[a->kind], a->width, a->hash, sim_isa_name(a->isa), a->threads, b->hash,
                   sim_isa_name(b->isa), b->threads);
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- goals

static void goal_each(struct bench_report *report, json_t *row, const struct bench_subject *subject,
                      const struct bench_subject *base, uint32_t runs)
{
    static const double each_most[SIM_KIND_COUNT] = {
        [SIM_DIHEDRAL] = 4.8, [SIM_ISOMETRIC] = 3.0, [SIM_QUADRATIC] = 3.0, [SIM_VOLUME] = 3.6};
    struct bench_goal goal = {.unit = "ns", .ratio_most = 1.5};
    bool cube = subject->kind == BENCH_TETS;
    if (subject->threads != 1 || (!cube && subject->width != 100)) {
        return;
    }
    if (base == subject) {
        if (subject->isa != SIM_ISA_AVX512 && subject->isa != SIM_ISA_AVX2) {
            return;
        }
        goal.value = bench_subject_ns(subject, runs);
        goal.limit = subject->isa == SIM_ISA_AVX512 ? 1.6 : 2.0;
        double share = bench_subject_share(subject, runs);
        goal.ratio = share > 0 ? 1 / share : 0;
    } else if (base != NULL && subject->isa == SIM_ISA_AVX512) {
        goal.value = bench_added_ns(subject, base, runs);
        goal.limit = each_most[bench_kind_added(subject->kind)];
        goal.ratio = bench_added_ratio(subject, base, runs);
    } else {
        return;
    }
    static const char *const names[BENCH_KIND_COUNT] = {"distance", "quadratic", "isometric", "dihedral",
                                                        "volume"};
    snprintf(goal.what, sizeof goal.what, "%s, width %" PRIu32 ", %s, one thread, each", names[subject->kind],
             subject->width, sim_isa_name(subject->isa));
    bench_report_goal(report, row, &goal);
}

static void goals(struct bench_report *report, json_t *row, const struct group *group,
                  const struct bench_subject *subject, uint32_t runs)
{
    enum bench_kind kind = subject->kind;
    uint32_t width = subject->width;
    goal_each(report, row, subject, find(group, bench_kind_base(kind), width, subject->isa, subject->threads),
              runs);
    const struct bench_subject *small = find(group, kind, 100, subject->isa, 1);
    if (width == 1000 && subject->threads == 1 && small != NULL) {
        struct bench_goal goal = {.value = bench_subject_ratio(subject, small, runs),
                                  .limit = kind == BENCH_EDGES ? 1.3 : 1.6,
                                  .unit = "times"};
        snprintf(goal.what, sizeof goal.what, "%s, 1000 x 1000 against 100 x 100", bench_kind_names[kind]);
        bench_report_goal(report, row, &goal);
    }
    const struct bench_subject *one = find(group, kind, width, subject->isa, 1);
    if (subject->threads == 2 && one != NULL && subject->particles >= 10000) {
        struct bench_goal goal = {.value = bench_subject_ratio(one, subject, runs),
                                  .limit = 1.7,
                                  .unit = "times",
                                  .at_least = true};
        snprintf(goal.what, sizeof goal.what, "%s, width %" PRIu32 ", two threads against one",
                 bench_kind_names[kind], width);
        bench_report_goal(report, row, &goal);
    }
}

// ---------------------------------------------------------------------------------------------------- rows

static void tell(struct bench_report *report, const struct group *group, const struct bench_subject *subject,
                 uint32_t runs)
{
    static const char *const phases[SIM_PHASE_COUNT] = {[SIM_PREDICT] = "predict",
                                                        [SIM_WIND] = "wind",
                                                        [SIM_SOLVE] = "solve",
                                                        [SIM_CONTACTS] = "contacts",
                                                        [SIM_FINISH] = "finish"};
    const char *name = bench_kind_names[subject->kind], *isa = sim_isa_name(subject->isa);
    double ns = bench_subject_ns(subject, runs), best = bench_subject_ns_best(subject, runs);
    double ms = ns * 1e-6 * subject->constraints * BENCH_SUBSTEPS;
    double share = bench_subject_share(subject, runs), other = 1;
    json_t *row = bench_report_row(report, name, subject->width, isa, subject->threads);
    json_t *split = json_object();
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        bench_report_number(report, split, phases[phase], subject->phases[phase]);
        other -= subject->phases[phase];
    }
    bench_report_number(report, split, "other", other);
    bench_report_count(report, row, "constraints", subject->constraints);
    bench_report_count(report, row, "particles", subject->particles);
    bench_report_count(report, row, "substeps", BENCH_SUBSTEPS);
    bench_report_number(report, row, "ns_per_constraint", ns);
    bench_report_number(report, row, "ns_per_constraint_best", best);
    bench_report_number(report, row, "ms_per_tick", ms);
    bench_report_number(report, row, "ms_per_tick_best", ms * best / ns);
    if (subject->threads == 1) {
        bench_report_number(report, row, "own_time", subject->own);
    }
    bench_report_number(report, row, "core_ghz", subject->ghz);
    if (share > 0) {
        bench_report_number(report, row, "share_of_limit", share);
    }
    bench_report_hash(report, row, subject->hash);
    if (json_object_set_new(row, "phases", split) != 0) {
        report->failed = true;
    }
    printf("%-16s %5" PRIu32 " %-7s %3" PRIu32 " %9" PRIu32 " %7.2f %7.2f %9.3f", name, subject->width, isa,
           subject->threads, subject->constraints, ns, best, ms);
    if (share > 0) {
        printf(" %5.0f %%", 100 * share);
    } else {
        printf("      -");
    }
    printf("  %4.0f %4.0f %4.0f  %016" PRIx64 "\n",
           100 * (subject->phases[SIM_PREDICT] + subject->phases[SIM_WIND]),
           100 * (subject->phases[SIM_SOLVE] + subject->phases[SIM_CONTACTS]),
           100 * (subject->phases[SIM_FINISH] + other), subject->hash);
    const struct bench_subject *base =
        find(group, bench_kind_base(subject->kind), subject->width, subject->isa, subject->threads);
    if (base != NULL && base != subject) {
        double each = bench_added_ns(subject, base, runs), ratio = bench_added_ratio(subject, base, runs);
        uint32_t count = subject->constraints - base->constraints;
        const char *kind = subject->kind == BENCH_TETS ? "volume" : name + strlen("edges+");
        printf("  of these %" PRIu32 " %s: %.2f ns each", count, kind, each);
        if (ratio > 0) {
            printf(", %.2f times their traffic", ratio);
        }
        fputc('\n', stdout);
        json_t *added = json_object();
        if (json_object_set_new(row, "added", added) != 0 ||
            json_object_set_new(added, "kind", json_string(kind)) != 0) {
            report->failed = true;
        }
        bench_report_count(report, added, "constraints", count);
        bench_report_number(report, added, "ns_per_constraint", each);
        if (ratio > 0) {
            bench_report_number(report, added, "share_of_limit", 1 / ratio);
        }
    }
    goals(report, row, group, subject, runs);
}

// Figures of a machine that does something else meanwhile are worth little.
static void warn_if_busy(const struct group *group)
{
    double own = 1, ghz = 0;
    for (uint32_t s = 0; s < group->count; s++) {
        const struct bench_subject *subject = &group->subjects[s];
        own = subject->threads == 1 && subject->own < own ? subject->own : own;
        ghz += subject->ghz / group->count;
    }
    if (own < 0.95 || ghz < 2) {
        printf(
            "  note: in the runs of the next rows this program had %.0f %% of a core, which did %.1f GHz\n",
            100 * own, ghz);
    }
}

static bool run(struct bench_report *report, struct group *group, const struct bench_options *options)
{
    if (!bench_group_run(group->subjects, group->count, options)) {
        return false;
    }
    bool equal = hashes_equal(group);
    warn_if_busy(group);
    for (uint32_t s = 0; s < group->count; s++) {
        if (!group->subjects[s].silent) {
            tell(report, group, &group->subjects[s], options->runs);
        }
    }
    fflush(stdout);
    return equal;
}

static bool cloths(struct bench_report *report, uint32_t width, const struct bench_options *options)
{
    bool edges = bench_wanted(options, bench_kind_names[BENCH_EDGES]), good = true;
    enum bench_kind kinds[3];
    uint32_t kind_count = 0;
    for (int kind = BENCH_QUADRATIC; kind <= BENCH_DIHEDRAL; kind++) {
        if (bench_wanted(options, bench_kind_names[kind])) {
            kinds[kind_count++] = (enum bench_kind)kind;
        }
    }
    for (uint32_t k = 0; good && (k < kind_count || (k == 0 && edges)); k++) {
        struct group group = {.count = 0};
        bool told = !edges || k > 0;
        int all = width == 100 && !options->quick ? (told ? SIM_ISA_AVX2 : SIM_ISA_SCALAR) : SIM_ISA_COUNT;
        add_variants(&group, BENCH_EDGES, width, told, all, options);
        if (k < kind_count) {
            add_variants(&group, kinds[k], width, false, width == 100 ? SIM_ISA_AVX2 : SIM_ISA_COUNT,
                         options);
        }
        if (width == 1000 && options->threads < 2) {
            struct bench_subject small = {.width = 100, .threads = 1, .silent = true};
            small.isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
            add(&group, &small);
            small.kind = k < kind_count ? kinds[k] : BENCH_EDGES;
            if (small.kind != BENCH_EDGES) {
                add(&group, &small);
            }
        }
        good = run(report, &group, options);
    }
    return good;
}

bool bench_timing(struct bench_report *report, const struct bench_options *options)
{
    static const uint32_t widths[] = {32, 100, 300, 1000}, cells[] = {10, 30};
    bool good = true, any = bench_wanted(options, "tets");
    for (int kind = BENCH_EDGES; kind <= BENCH_DIHEDRAL; kind++) {
        any = any || bench_wanted(options, bench_kind_names[kind]);
    }
    if (!any) {
        return true;
    }
    printf(
        "\nWhole ticks of %d substeps; median and best of %" PRIu32 " runs in turns; parts of a tick in per "
        "cent:\npredict and wind, solve and contacts, finish and the rest. Of the limit: traffic of the same "
        "batches.\n\n"
        "case             width isa     thr  constrnt   ns/con    best   ms/tick   limit  pred solv  fin  "
        "hash\n",
        BENCH_SUBSTEPS, options->runs);
    bool one = options->width != 0;
    for (uint32_t i = 0; good && i < (one ? 1 : options->quick ? 2 : 4); i++) {
        good = cloths(report, one ? options->width : widths[i], options);
    }
    uint32_t cubes = !bench_wanted(options, "tets") ? 0 : one || options->quick ? 1 : 2;
    for (uint32_t i = 0; good && i < cubes; i++) {
        struct group group = {.count = 0};
        uint32_t width = one ? options->width : cells[i];
        add_variants(&group, BENCH_LATTICE, width, true, SIM_ISA_COUNT, options);
        add_variants(&group, BENCH_TETS, width, false, SIM_ISA_COUNT, options);
        good = run(report, &group, options);
    }
    return good;
}
