// Scenes as people write them: whole ticks of their first second, contacts, wind and motions included.
//
// Each run opens the scene again, so that runs do the same and the hash is that of tests/golden/scenes.json.

#include "gallery.h"
#include "base/clock.h"
#include "base/thread.h"
#include "cases.h"
#include "document/document.h"
#include "protocol/error.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS = 60 };

static void list_one(void *context, const char *name, const char *about, const char *path)
{
    struct gallery *gallery = context;
    (void)about;
    (void)path;
    if (gallery->count == GALLERY_NAMES_MAX) {
        return;
    }
    char *kept = gallery->memory[gallery->count];
    snprintf(kept, SCENE_NAME_SIZE, "%s", name);
    gallery->names[gallery->count++] = kept;
}

bool gallery_refuse(const char *name, const char *text)
{
    fprintf(stderr, "weft-bench: scene %s: %s\n", name, text);
    return false;
}

bool gallery_list(struct gallery *gallery, const char *one)
{
    *gallery = (struct gallery){.names = {one}, .count = one != NULL};
    return one || scene_gallery_list(list_one, gallery) ||
           gallery_refuse("gallery", "its folder cannot be read");
}

// A name that is not in the gallery is a file.
bool gallery_open(const char *name, struct scene *scene)
{
    char path[SCENE_PATH_SIZE];
    struct fault fault;
    bool found = strchr(name, '/') == NULL && scene_gallery_find(name, path);
    return scene_read(found ? path : name, scene, &fault) || gallery_refuse(name, fault.text);
}

struct result {
    double tick_ns[BENCH_RUNS_MAX];
    uint32_t particles, constraints, substeps;
    uint64_t hash;
};

static bool run(const struct scene *scene, const char *name, struct base_parallel *parallel, uint32_t round,
                struct result *result)
{
    struct protocol_error error;
    struct document *document = document_from(scene->document, scene->size, &error);
    if (document == NULL) {
        return gallery_refuse(name, error.text);
    }
    struct sim *sim = document->sim;
    bool good = true;
    uint64_t begin = base_now_ns();
    for (uint32_t tick = 0; good && tick < TICKS; tick++) {
        good = bench_tick(sim, parallel, NULL);
    }
    result->tick_ns[round] = (double)(base_now_ns() - begin) / TICKS;
    uint64_t hash = sim_hash(sim);
    if (good && round > 0 && hash != result->hash) {
        good = gallery_refuse(name, "HASHES DIFFER between two runs");
    }
    result->hash = hash;
    result->particles = sim_particle_count(sim);
    result->constraints = sim_constraint_count(sim);
    result->substeps = sim_settings_of(sim)->substeps;
    document_destroy(document);
    return good;
}

static void tell(struct bench_report *report, const char *name, enum sim_isa isa, uint32_t threads,
                 const struct result *result, uint32_t runs)
{
    double median = bench_median(result->tick_ns, runs), best = bench_least(result->tick_ns, runs);
    printf("%-16s %-7s %3" PRIu32 " %9" PRIu32 " %9" PRIu32 " %9.3f %9.3f  %016" PRIx64 "\n", name,
           sim_isa_name(isa), threads, result->particles, result->constraints, 1e-6 * median, 1e-6 * best,
           result->hash);
    json_t *row = bench_report_row(report, "scenes", 0, sim_isa_name(isa), threads);
    if (json_object_set_new(row, "scene", json_string(name)) != 0) {
        report->failed = true;
    }
    bench_report_count(report, row, "particles", result->particles);
    bench_report_count(report, row, "constraints", result->constraints);
    bench_report_count(report, row, "substeps", result->substeps);
    bench_report_number(report, row, "ms_per_tick", 1e-6 * median);
    bench_report_number(report, row, "ms_per_tick_best", 1e-6 * best);
    if (result->constraints > 0) {
        bench_report_number(report, row, "ns_per_constraint",
                            median / ((double)result->constraints * result->substeps));
    }
    bench_report_hash(report, row, result->hash);
}

static bool time_scene(struct bench_report *report, const struct bench_options *options, const char *name,
                       enum sim_isa isa, uint32_t threads, uint64_t *hash)
{
    struct scene scene = {0};
    struct result result = {0};
    if (!gallery_open(name, &scene)) {
        return false;
    }
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    bool good = threads == 1 || team != NULL || gallery_refuse(name, "threads cannot be started");
    for (uint32_t round = 0; good && round < options->runs; round++) {
        good = run(&scene, name, team != NULL ? base_team_parallel(team) : NULL, round, &result);
    }
    if (good) {
        tell(report, name, isa, threads, &result, options->runs);
    }
    if (good && *hash != 0 && *hash != result.hash) {
        good = gallery_refuse(name, "HASHES DIFFER over threads");
    }
    *hash = result.hash;
    base_team_destroy(team);
    scene_deinit(&scene);
    return good;
}

bool bench_gallery(struct bench_report *report, const struct bench_options *options)
{
    struct gallery gallery;
    enum sim_isa isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
    if (!gallery_list(&gallery, options->scene)) {
        return false;
    }
    sim_isa_choose(isa);
    printf("\nScenes: ticks of their first second; median and best of %" PRIu32 " runs\n\n"
           "scene            isa     thr particles  constrnt   ms/tick      best  hash\n",
           options->runs);
    bool good = true;
    for (uint32_t s = 0; s < gallery.count; s++) {
        uint64_t hash = 0;
        uint32_t threads = options->threads != 0 ? options->threads : 1;
        bool timed = time_scene(report, options, gallery.names[s], isa, threads, &hash);
        if (timed && options->threads == 0 && bench_cores() > 1) {
            timed = time_scene(report, options, gallery.names[s], isa, bench_cores(), &hash);
        }
        good = good && timed;
        fflush(stdout);
    }
    return good;
}
