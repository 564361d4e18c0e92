// The same hash over instruction sets and threads: every kind, once as it is timed and once damped with two
// iterations, against the scalar twin on one thread.

#include "base/thread.h"
#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { TICKS = 5, THREADS = 3 };

static const struct bench_world hard = {.iterations = 2, .compliance = 1e-6, .damping = 1e-3};

struct scene {
    struct bench_mesh mesh;
    enum bench_kind kind;
    const struct bench_world *world;
};

static bool scene_hash(const struct scene *scene, enum sim_isa isa, struct base_parallel *parallel,
                       uint64_t *hash)
{
    struct sim *sim = bench_world_create(scene->world, isa);
    bool good = sim != NULL && bench_body_add(sim, &scene->mesh, scene->kind, scene->world, NULL, NULL);
    for (uint32_t tick = 0; good && tick < TICKS; tick++) {
        good = bench_tick(sim, parallel, NULL);
    }
    *hash = good ? sim_hash(sim) : 0;
    sim_destroy(sim);
    return good;
}

static bool variant_wanted(const struct bench_options *options, int isa, uint32_t threads)
{
    return sim_isa_available((enum sim_isa)isa) && (options->isa < 0 || options->isa == isa) &&
           (options->threads == 0 || options->threads == threads);
}

// False if a world failed; *equal tells the rest.
static bool compare(const struct scene *scene, struct base_team *const teams[], uint32_t threads_max,
                    const struct bench_options *options, uint64_t *hash, uint32_t *variants, bool *equal)
{
    if (!scene_hash(scene, SIM_ISA_SCALAR, NULL, hash)) {
        return false;
    }
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        for (uint32_t threads = 1; threads <= threads_max; threads++) {
            uint64_t other;
            if (!variant_wanted(options, isa, threads) || (isa == SIM_ISA_SCALAR && threads == 1)) {
                continue;
            }
            struct base_parallel *parallel = teams[threads] ? base_team_parallel(teams[threads]) : NULL;
            if (!scene_hash(scene, (enum sim_isa)isa, parallel, &other)) {
                return false;
            }
            (*variants)++;
            if (other != *hash) {
                printf("HASHES DIFFER: %s%s: %016" PRIx64 " with scalar on 1 thread, %016" PRIx64
                       " with %s on %" PRIu32 "\n",
                       bench_kind_names[scene->kind], scene->world == &hard ? ", damped" : "", *hash, other,
                       sim_isa_name((enum sim_isa)isa), threads);
                *equal = false;
            }
        }
    }
    return true;
}

static bool verify_kind(struct bench_report *report, enum bench_kind kind, struct base_team *const teams[],
                        uint32_t threads_max, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : 100;
    if (kind == BENCH_TETS) {
        width = options->width != 0 && options->width < 16 ? options->width : 16;
    }
    struct scene scene = {.kind = kind};
    bool good = bench_mesh_init(&scene.mesh, kind, width), equal = true;
    if (!good) {
        fprintf(stderr, "weft-bench: no memory for a mesh\n");
    }
    for (int way = 0; good && way < 2; way++) {
        uint64_t hash;
        uint32_t variants = 1;
        scene.world = way == 0 ? &bench_world_usual : &hard;
        good = compare(&scene, teams, threads_max, options, &hash, &variants, &equal);
        if (!good) {
            break;
        }
        printf("  %-16s %-24s %016" PRIx64 "  %s\n", bench_kind_names[kind],
               way == 0 ? "" : "damped, two iterations", hash, equal ? "equal" : "DIFFERENT");
        fflush(stdout);
        json_t *row = bench_report_row(report, "verify", width, "all", threads_max);
        bench_report_hash(report, row, hash);
        bench_report_count(report, row, "variants", variants);
        if (json_object_set_new(row, "scene", json_string(bench_kind_names[kind])) != 0 ||
            json_object_set_new(row, "damped", json_boolean(way == 1)) != 0 ||
            json_object_set_new(row, "equal", json_boolean(equal)) != 0) {
            return false;
        }
    }
    bench_mesh_deinit(&scene.mesh);
    return good && equal;
}

bool bench_verify(struct bench_report *report, const struct bench_options *options)
{
    uint32_t threads_max = options->threads != 0 ? options->threads : THREADS;
    struct base_team *teams[BENCH_THREADS_MAX + 1] = {NULL};
    bool good = true;
    for (uint32_t threads = 2; good && threads <= threads_max; threads++) {
        if (options->threads == 0 || options->threads == threads) {
            teams[threads] = base_team_create(threads);
            good = teams[threads] != NULL;
        }
    }
    if (!good) {
        fprintf(stderr, "weft-bench: threads cannot be started\n");
    }
    printf("\nHashes after %d ticks, scalar on one thread against", TICKS);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa) && (options->isa < 0 || options->isa == isa)) {
            printf(" %s", sim_isa_name((enum sim_isa)isa));
        }
    }
    if (options->threads == 0) {
        printf(" on 1 to %d threads\n", THREADS);
    } else {
        printf(" on %" PRIu32 "\n", options->threads);
    }
    for (int kind = BENCH_EDGES; good && kind <= BENCH_TETS; kind++) {
        good = verify_kind(report, (enum bench_kind)kind, teams, threads_max, options);
    }
    for (uint32_t threads = 2; threads <= threads_max; threads++) {
        base_team_destroy(teams[threads]);
    }
    return good;
}
