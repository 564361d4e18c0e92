// Ten thousand random edits of a running world: constraints of all kinds within and between bodies, materials,
// masses, pins, grabs, colliders, settings, and bodies that come and go; tiles enough for several threads.
//
// Beside the state's hash it prints a digest of all that happened so far: what each edit answered, where the world
// failed (it is as before the tick then, is reset, and goes on), and what was read of it.

#include "random_edits.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKS = 200, EDITS_A_TICK = 50, PRINT_EVERY = 5 };

const uint32_t scene_edits_ticks = TICKS;

// Values that are read from a world depend on its state alone, and must be equal too.
static void digest_reading(struct random_edits *run)
{
    struct sim_body_info info;
    struct sim_measures measures;
    for (uint32_t b = 0; b < sim_body_count(run->sim); b++) {
        uint32_t body = sim_body_id_at(run->sim, b);
        if (!sim_body_info(run->sim, body, &info)) {
            continue;
        }
        float *read = scene_array((size_t)3 * info.particle_count, sizeof *read);
        sim_body_positions(run->sim, body, 0, info.particle_count, read);
        base_hash_bytes(run->digest, read, (size_t)3 * info.particle_count * sizeof *read);
        sim_body_normals(run->sim, body, read);
        base_hash_bytes(run->digest, read, (size_t)3 * info.particle_count * sizeof *read);
        free(read);
    }
    sim_measure(run->sim, &measures);
    base_hash_f64(run->digest, measures.kinetic);
    base_hash_f64(run->digest, measures.potential);
    base_hash_f64(run->digest, measures.error_rms[SIM_DISTANCE]);
    base_hash_f64(run->digest, measures.error_rms[SIM_VOLUME]);
    for (int kind = 0; kind < GOLDEN_KINDS; kind++) {
        base_hash_f64(run->digest, measures.elastic[kind]);
    }
    base_hash_u32(run->digest, measures.contacts);
}

static void tick(struct random_edits *run, struct base_parallel *parallel)
{
    struct sim_failure failure;
    for (uint32_t i = 0; i < EDITS_A_TICK; i++) {
        random_edits_next(run);
    }
    const uint64_t before = sim_hash(run->sim);
    sim_step(run->sim, parallel, NULL, &failure);
    if (failure.failed) {
        run->failures++;
        run->changed += sim_hash(run->sim) != before; // a tick that fails has not been
        base_hash_u32(run->digest, failure.body);
        base_hash_u32(run->digest, failure.particle);
        sim_reset(run->sim);
    }
}

// A whole run in which some kind of edit hardly ever came through would show nothing.
static bool report(const struct random_edits *run, bool whole)
{
    uint32_t done = 0, refused = 0;
    bool thin = false;
    for (int kind = 0; kind < EDIT_KINDS; kind++) {
        done += run->done[kind];
        refused += run->refused[kind];
        fprintf(stderr, "%-20s %5u done %5u refused\n", random_edit_names[kind], run->done[kind],
                run->refused[kind]);
        thin = thin || run->done[kind] < 5;
    }
    fprintf(stderr, "%u edits, %u of them refused; the world failed %u times; %u particles, %u constraints\n",
            done + refused, refused, run->failures, sim_particle_count(run->sim),
            sim_constraint_count(run->sim));
    if (whole && thin) {
        fputs("of one kind of edit fewer than 5 came through\n", stderr);
    }
    if (run->changed > 0) {
        fprintf(stderr, "%u ticks failed and changed the state\n", run->changed);
    }
    return (!whole || !thin) && run->changed == 0;
}

int scene_edits(const struct scene_options *options)
{
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = 60,
        .substeps = 2,
        .iterations = 1,
        .resolution = 1.0 / (1 << 27),
        .extent = 1000,
        .wind = {.velocity = {2, 0.5, 1}, .drag = 1, .lift = 0.4, .density = 1.2}};
    struct random_edits run = {.sim = sim_create(&settings, &random_edits_limits),
                               .seed = options->seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
                               .digest = base_hash_create(),
                               .kind_count = GOLDEN_KINDS};
    if (run.sim == NULL || run.digest == NULL) {
        return 2;
    }
    random_edits_begin(&run);
    for (uint32_t i = 1; i <= options->ticks; i++) {
        tick(&run, options->parallel);
        if (i % PRINT_EVERY == 0) {
            digest_reading(&run);
            printf("%u %016" PRIx64 " %016" PRIx64 "\n", i, sim_hash(run.sim), base_hash_digest(run.digest));
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(run.sim));
    bool sound = report(&run, options->ticks == TICKS);
    random_edits_end(&run);
    base_hash_destroy(run.digest);
    sim_destroy(run.sim);
    return sound ? 0 : 2;
}
