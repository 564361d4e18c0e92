// One bake: from a document, or from the checkpoint of one, to the last tick.
//
// Beside the output stand OUT.take with the frames so far and OUT.checkpoint. Frames go into the take first; a
// checkpoint says how many of them belong to it, and those that came after it are cut off when it is gone on with.
// Both are gone when the output is there.
#include "bake/bake.h"
#include "base/clock.h"
#include "base/hash.h"
#include "record/meter.h"
#include "world/world.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bake {
    const struct bake_job *job;
    struct bake_result *result;
    struct world_document *document;
    struct sim *sim;
    struct record_take *take;
    float *positions;
    double *scratch; // for the positions of a skin
    uint64_t key, ticks, total, substep_frames;
    char take_path[4200], checkpoint_path[4200];
    bool bad; // a frame could not be kept
    struct record_why why;
};

static void fail(struct bake *bake, enum bake_status status, const char *text)
{
    bake->result->status = status;
    snprintf(bake->result->text, sizeof bake->result->text, "%s", text);
}

// ---------------------------------------------------------------------------------------------------------
// Frames

// What is recorded of a body: the skin that it carries, or itself.
static struct record_body seen_of(const struct bake *bake, uint32_t id, bool *skinned)
{
    struct sim_body_info info;
    struct world_surface skin;
    sim_body_info(bake->sim, id, &info);
    *skinned = !bake->job->options->particles && world_document_skin(bake->document, id, &skin);
    if (*skinned)
        return (struct record_body){.particle_count = skin.vertex_count,
                                    .triangles = (uint32_t *)skin.triangles,
                                    .triangle_count = skin.triangle_count};
    return (struct record_body){.particle_count = info.particle_count,
                                .triangles = (uint32_t *)info.surface,
                                .triangle_count = info.surface_count,
                                .edges = (uint32_t *)info.edges,
                                .edge_count = info.surface_count == 0 ? info.edge_count : 0};
}

// Room for one frame.
static bool make_room(struct bake *bake)
{
    size_t vertices = 0, most = 0;
    for (uint32_t b = 0; b < sim_body_count(bake->sim); b++) {
        struct sim_body_info info;
        uint32_t id = sim_body_id_at(bake->sim, b);
        bool skinned;
        vertices += seen_of(bake, id, &skinned).particle_count;
        sim_body_info(bake->sim, id, &info);
        most = skinned && info.particle_count > most ? info.particle_count : most;
    }
    bake->positions = malloc(3 * vertices * sizeof *bake->positions + 1);
    bake->scratch = malloc(3 * most * sizeof *bake->scratch + 1);
    return bake->positions != NULL && bake->scratch != NULL;
}

static bool make_take(struct bake *bake)
{
    const struct sim_settings *settings = sim_settings_of(bake->sim);
    struct record_scene scene = {.body_count = sim_body_count(bake->sim),
                                 .tick_rate = settings->tick_rate,
                                 .substeps = settings->substeps};
    char(*names)[80] = calloc((size_t)scene.body_count + 1, sizeof *names);
    scene.bodies = calloc((size_t)scene.body_count + 1, sizeof *scene.bodies);
    bool done = names != NULL && scene.bodies != NULL;
    for (uint32_t b = 0; done && b < scene.body_count; b++) {
        uint32_t id = sim_body_id_at(bake->sim, b);
        bool skinned;
        struct protocol_string name = world_document_body_name(bake->document, id);
        snprintf(names[b], sizeof *names, "%.*s", (int)name.size, name.data);
        if (name.size == 0)
            snprintf(names[b], sizeof *names, "body%u", id);
        scene.bodies[b] = seen_of(bake, id, &skinned);
        scene.bodies[b].name = names[b];
    }
    if (done)
        bake->take = record_take_create(bake->take_path, &scene, &bake->why);
    else
        snprintf(bake->why.text, sizeof bake->why.text, "there is not enough memory");
    free(names);
    free(scene.bodies);
    return bake->take != NULL;
}

static void keep(struct bake *bake, uint64_t tick, uint32_t substep)
{
    size_t at = 0;
    for (uint32_t b = 0; b < sim_body_count(bake->sim); b++) {
        uint32_t id = sim_body_id_at(bake->sim, b);
        bool skinned;
        uint32_t count = seen_of(bake, id, &skinned).particle_count;
        if (skinned)
            world_document_skin_positions(bake->document, id, bake->scratch, bake->positions + at);
        else
            sim_body_positions(bake->sim, id, 0, count, bake->positions + at);
        at += 3 * (size_t)count;
    }
    bake->bad = bake->bad || !record_take_append(bake->take, tick, substep, bake->positions, &bake->why);
}

static void on_substep(void *context, uint32_t substep)
{
    struct bake *bake = context;
    const struct bake_options *options = bake->job->options;
    uint32_t substeps = sim_settings_of(bake->sim)->substeps;
    uint64_t tick = bake->result->first_tick + bake->ticks;
    bool last = substep == substeps;
    uint64_t unit = options->substeps ? bake->ticks * substeps + substep : last ? bake->ticks + 1 : 0;
    if (bake->take != NULL && unit > 0 && unit % options->every == 0)
        keep(bake, last ? tick + 1 : tick, last ? 0 : substep);
}

// ---------------------------------------------------------------------------------------------------------
// Where it stands

static bool make_key(struct bake *bake)
{
    struct base_hash *hash = base_hash_create();
    if (hash == NULL)
        return false;
    base_hash_bytes(hash, bake->job->document, bake->job->document_size);
    base_hash_u32(hash, bake->job->options->every);
    base_hash_u32(hash, bake->job->options->substeps);
    base_hash_u32(hash, bake->job->options->particles);
    bake->key = base_hash_digest(hash);
    base_hash_destroy(hash);
    return true;
}

static bool checkpoint(struct bake *bake)
{
    struct bake_error error;
    msgpack_sbuffer bytes;
    msgpack_sbuffer_init(&bytes);
    bool done = record_take_sync(bake->take, &bake->why);
    if (!done) {
        fail(bake, BAKE_FAILED, bake->why.text);
    } else if (!world_document_pack(bake->document, bake->result->first_tick + bake->ticks, &bytes)) {
        fail(bake, BAKE_FAILED, "there is not enough memory for a checkpoint");
        done = false;
    } else {
        const struct bake_checkpoint point = {.key = bake->key,
                                              .ticks = bake->ticks,
                                              .frames = record_take_count(bake->take),
                                              .hash = sim_hash(bake->sim),
                                              .document = bytes.data,
                                              .size = bytes.size};
        done = bake_checkpoint_write(bake->checkpoint_path, &point, &error);
        if (!done)
            fail(bake, BAKE_FAILED, error.text);
    }
    msgpack_sbuffer_destroy(&bytes);
    return done;
}

static bool open_document(struct bake *bake, const void *bytes, size_t size)
{
    struct protocol_error error;
    bake->document = world_document_from(bytes, size, &error);
    if (bake->document == NULL) {
        fail(bake, BAKE_USAGE, error.text);
        return false;
    }
    bake->sim = world_document_sim(bake->document);
    return true;
}

// The sim and the take as they were at the checkpoint. *resumed says whether there was one.
static bool resume(struct bake *bake, bool *resumed)
{
    struct bake_checkpoint point;
    struct bake_error error;
    *resumed = false;
    if (bake->job->output == NULL || bake->job->options->fresh)
        return true;
    if (!bake_checkpoint_read(bake->checkpoint_path, &point, resumed, &error)) {
        fail(bake, BAKE_FAILED, error.text);
        return false;
    }
    if (!*resumed)
        return true;
    bool done = point.key == bake->key;
    if (!done) {
        snprintf(error.text, sizeof error.text,
                 "%.300s is of another scene, or of other options; --fresh begins anew",
                 bake->checkpoint_path);
        fail(bake, BAKE_USAGE, error.text);
    }
    done = done && open_document(bake, point.document, point.size);
    free(point.document);
    if (done && sim_hash(bake->sim) != point.hash) {
        fail(bake, BAKE_FAILED,
             "the checkpoint is damaged: the hash of its state differs; --fresh begins anew");
        done = false;
    }
    if (done) {
        bake->take = record_take_open(bake->take_path, &bake->why);
        done = bake->take != NULL && record_take_truncate(bake->take, point.frames, &bake->why);
        if (!done)
            fail(bake, BAKE_FAILED, bake->why.text);
    }
    bake->ticks = point.ticks;
    bake->result->first_tick = done ? world_document_tick(bake->document) - point.ticks : 0;
    return done;
}

static bool begin(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    bool resumed;
    if (job->output != NULL) {
        snprintf(bake->take_path, sizeof bake->take_path, "%.4000s%s", job->output,
                 job->options->keeps_take ? "" : ".take");
        snprintf(bake->checkpoint_path, sizeof bake->checkpoint_path, "%.4000s.checkpoint", job->output);
    }
    if (!make_key(bake)) {
        fail(bake, BAKE_FAILED, "there is not enough memory");
        return false;
    }
    if (!resume(bake, &resumed) || (!resumed && !open_document(bake, job->document, job->document_size)))
        return false;
    if (!resumed)
        bake->result->first_tick = world_document_tick(bake->document);
    bake->result->particles = sim_particle_count(bake->sim);
    if (job->output == NULL)
        return true;
    if (!make_room(bake)) {
        fail(bake, BAKE_FAILED, "there is not enough memory");
        return false;
    }
    if (resumed)
        return true;
    unlink(bake->checkpoint_path); // of the take that is about to be replaced
    if (!make_take(bake)) {
        fail(bake, BAKE_FAILED, bake->why.text);
        return false;
    }
    keep(bake, bake->result->first_tick, 0);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The run

static void run(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    const struct sim_hooks hooks = {.context = bake, .on_substep = on_substep};
    const uint64_t every_ns = (uint64_t)(1e9 * job->options->checkpoint_s);
    struct sim_failure failure;
    uint64_t saved_ns = base_now_ns(), begun = bake->ticks;
    while (bake->ticks < bake->total && !job->stop()) {
        sim_step(bake->sim, job->parallel, &hooks, &failure);
        bake->ticks++;
        if (failure.failed) {
            char text[BAKE_TEXT_SIZE];
            snprintf(text, sizeof text, "the world failed in tick %" PRIu64 ": %.400s",
                     bake->result->first_tick + bake->ticks, failure.text);
            fail(bake, BAKE_FAILED, text);
            break;
        }
        if (bake->bad) {
            fail(bake, BAKE_FAILED, bake->why.text);
            break;
        }
        if (job->progress != NULL)
            job->progress(job->context, bake->ticks, bake->total);
        if (bake->take != NULL && every_ns > 0 && base_now_ns() - saved_ns >= every_ns) {
            if (!checkpoint(bake))
                break;
            saved_ns = base_now_ns();
        }
    }
    bake->result->ticks_run = bake->ticks - begun;
    bool stopped = bake->result->status == BAKE_OK && bake->ticks < bake->total;
    if (stopped && (bake->take == NULL || checkpoint(bake)))
        fail(bake, BAKE_STOPPED,
             bake->take == NULL ? "stopped" : "stopped; the same command goes on from here");
}

static bool keep_on(void *context, uint64_t done, uint64_t total)
{
    struct record_meter *meter = context;
    if (meter != NULL) {
        meter->total = total;
        record_meter_show(meter, done);
    }
    return true;
}

// What was baked until a failure is worth having, too.
static void write_out(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    struct record_meter meter;
    bool failed = bake->result->status == BAKE_FAILED;
    bake->result->frames = record_take_count(bake->take);
    if (bake->result->status == BAKE_STOPPED || bake->result->status == BAKE_USAGE || bake->bad)
        return;
    record_meter_begin(&meter, "writing", "frames", 0, 0);
    const struct record_export export = {.path = job->output,
                                         .format = job->options->format,
                                         .progress = keep_on,
                                         .context = job->progress != NULL ? &meter : NULL};
    bool done = job->options->keeps_take || record_export(bake->take, &export, &bake->why);
    record_meter_clear(&meter);
    if (!done && !failed) {
        // All is in the take: with a checkpoint at the end, the same command tries only this again.
        char text[BAKE_TEXT_SIZE];
        checkpoint(bake);
        snprintf(text, sizeof text, "%.300s; the frames are in %.200s", bake->why.text, bake->take_path);
        fail(bake, BAKE_FAILED, text);
    }
    if (done) {
        unlink(bake->checkpoint_path);
        if (!job->options->keeps_take)
            unlink(bake->take_path);
    }
}

void bake_run(const struct bake_job *job, struct bake_result *result)
{
    struct bake bake = {.job = job, .result = result};
    *result = (struct bake_result){0};
    uint64_t begun_ns = base_now_ns();
    if (begin(&bake)) {
        const struct sim_settings *settings = sim_settings_of(bake.sim);
        bake.total = job->options->ticks > 0 ? job->options->ticks
                                             : (uint64_t)ceil(job->options->seconds * settings->tick_rate);
        if (bake.ticks > bake.total) {
            fail(&bake, BAKE_USAGE, "the bake that was stopped is farther than that; --fresh begins anew");
            bake.total = bake.ticks;
        }
        run(&bake);
        sim_measure(bake.sim, &result->measures);
        result->hash = sim_hash(bake.sim);
        result->ticks = bake.ticks;
        result->seconds = 1e-9 * (double)(base_now_ns() - begun_ns);
        if (bake.take != NULL)
            write_out(&bake);
    }
    record_take_close(bake.take);
    free(bake.positions);
    free(bake.scratch);
    world_document_destroy(bake.document);
}
