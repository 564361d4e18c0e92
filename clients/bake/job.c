// One bake: from a document, or from a checkpoint, to the last tick.
//
// Beside the output are OUT.take with the frames so far, and OUT.checkpoint. Frames are written to the take first. A
// checkpoint says how many of them belong to it, and later ones are cut off when the bake is resumed. Both files are
// removed once the output is written.
#include "bake/run.h"
#include "base/clock.h"
#include "base/hash.h"
#include "document/document.h"
#include "record/meter.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(struct bake *bake, enum bake_status status, const char *text)
{
    bake->result->status = status;
    snprintf(bake->result->text, sizeof bake->result->text, "%s", text);
}

// ---------------------------------------------------------------------------------------------------------
// Each substep

static void keep_measures(struct bake *bake)
{
    const uint64_t tick = bake->result->first_tick + bake->ticks;
    struct sim_measures measures;
    if (!bake->series || bake->ticks % bake->job->options->every != 0) {
        return;
    }
    sim_measure(bake->sim, &measures);
    if (!bake_series_add(bake->series, tick, (double)tick / sim_settings_of(bake->sim)->tick_rate,
                         &measures)) {
        fault_set(&bake->fault, FAULT_IO, NULL, "%.300s cannot be written: %s", bake->job->series,
                  strerror(errno));
        bake->bad = true;
    }
}

static uint64_t took_ns(const struct bake *bake)
{
    return bake->took_ns + (base_now_ns() - bake->begun_ns);
}

static void on_substep(void *context, uint32_t substep)
{
    struct bake *bake = context;
    const struct bake_options *options = bake->job->options;
    uint32_t substeps = sim_settings_of(bake->sim)->substeps;
    uint64_t tick = bake->result->first_tick + bake->ticks;
    bool last = substep == substeps;
    uint64_t unit = options->substeps ? bake->ticks * substeps + substep : last ? bake->ticks + 1 : 0;
    if (bake->take && unit > 0 && unit % options->every == 0) {
        bake_frames_keep(bake, last ? tick + 1 : tick, last ? 0 : substep, substep);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Checkpoints

static bool make_key(struct bake *bake)
{
    struct base_hash *hash = base_hash_create();
    if (!hash) {
        return false;
    }
    base_hash_bytes(hash, bake->job->document, bake->job->document_size);
    base_hash_u32(hash, bake->job->options->every);
    base_hash_u32(hash, bake->job->options->substeps);
    base_hash_u32(hash, bake->job->options->particles);
    base_hash_bytes(hash, &bake->job->options->tolerance, sizeof bake->job->options->tolerance);
    base_hash_u32(hash, bake->job->series != NULL);
    bake->key = base_hash_digest(hash);
    base_hash_destroy(hash);
    return true;
}

static bool checkpoint(struct bake *bake)
{
    struct fault fault;
    struct protocol_bytes bytes = {0};
    bool done = record_take_sync(bake->take, &bake->fault);
    if (!done) {
        fail(bake, BAKE_FAILED, bake->fault.text);
    } else if (bake->series && !bake_series_sync(bake->series, &fault)) {
        fail(bake, BAKE_FAILED, fault.text);
        done = false;
    } else if (!document_pack(bake->document, &bytes)) {
        fail(bake, BAKE_FAILED, "there is not enough memory for a checkpoint");
        done = false;
    } else {
        const struct bake_checkpoint point = {.key = bake->key,
                                              .ticks = bake->ticks,
                                              .frames = record_take_count(bake->take),
                                              .took_ns = took_ns(bake),
                                              .hash = sim_hash(bake->sim),
                                              .document = bytes.data,
                                              .size = bytes.size};
        done = bake_checkpoint_write(bake->checkpoint_path, &point, &fault);
        if (!done) {
            fail(bake, BAKE_FAILED, fault.text);
        }
    }
    protocol_bytes_deinit(&bytes);
    return done;
}

static bool open_document(struct bake *bake, const void *bytes, size_t size)
{
    struct protocol_error error;
    bake->document = document_from(bytes, size, &error);
    if (!bake->document) {
        fail(bake, BAKE_USAGE, error.text);
        return false;
    }
    bake->sim = bake->document->sim;
    const struct protocol_list warnings = document_warnings(bake->document);
    for (uint32_t i = 0; bake->job->tells && i < warnings.count; i++) {
        const struct protocol_warning *warning = (const struct protocol_warning *)warnings.items + i;
        fprintf(stderr, "weft: %.*s: %.*s\n", (int)warning->code.size, warning->code.data,
                (int)warning->text.size, warning->text.data);
    }
    return true;
}

// Restores the sim and the take from the checkpoint. *resumed says whether there was one.
static bool resume(struct bake *bake, bool *resumed)
{
    struct bake_checkpoint point;
    struct fault fault;
    *resumed = false;
    if (!bake->job->output || bake->job->options->fresh) {
        return true;
    }
    if (!bake_checkpoint_read(bake->checkpoint_path, &point, resumed, &fault)) {
        fail(bake, BAKE_FAILED, fault.text);
        return false;
    }
    if (!*resumed) {
        return true;
    }
    bool done = point.key == bake->key;
    if (!done) {
        fault_set(&fault, FAULT_CONFLICT, NULL,
                  "%.300s belongs to another scene or other options; --fresh starts from the beginning",
                  bake->checkpoint_path);
        fail(bake, BAKE_USAGE, fault.text);
    }
    done = done && open_document(bake, point.document, point.size);
    free(point.document);
    if (done && sim_hash(bake->sim) != point.hash) {
        fail(bake, BAKE_FAILED,
             "the checkpoint is damaged: the hash of its state differs; --fresh starts from the beginning");
        done = false;
    }
    if (done) {
        bake->take = record_take_open(bake->take_path, &bake->fault);
        done = bake->take && record_take_truncate(bake->take, point.frames, &bake->fault);
        if (!done) {
            fail(bake, BAKE_FAILED, bake->fault.text);
        }
    }
    bake->ticks = point.ticks;
    bake->took_ns = point.took_ns;
    bake->result->first_tick = done ? bake->document->tick - point.ticks : 0;
    return done;
}

// Opens the file of measures: it continues the one of the run before, or a new one begins with the present state.
static bool begin_series(struct bake *bake, bool resumed)
{
    struct fault fault;
    if (!bake->job->series) {
        return true;
    }
    bake->series =
        bake_series_open(bake->job->series, resumed, bake->result->first_tick + bake->ticks, &fault);
    if (!bake->series) {
        fail(bake, BAKE_FAILED, fault.text);
        return false;
    }
    if (!resumed) {
        keep_measures(bake);
    }
    return true;
}

static bool begin(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    struct fault fault;
    bool resumed;
    if ((job->output && !record_can_replace(job->output, &fault)) ||
        (job->series && !record_can_replace(job->series, &fault))) {
        fail(bake, BAKE_FAILED, fault.text);
        return false;
    }
    if (job->output) {
        snprintf(bake->take_path, sizeof bake->take_path, "%.4000s%s", job->output,
                 job->options->keeps_take ? ".part" : ".take");
        snprintf(bake->checkpoint_path, sizeof bake->checkpoint_path, "%.4000s.checkpoint", job->output);
    }
    if (!make_key(bake)) {
        fail(bake, BAKE_FAILED, "there is not enough memory");
        return false;
    }
    if (!resume(bake, &resumed) || (!resumed && !open_document(bake, job->document, job->document_size))) {
        return false;
    }
    if (!resumed) {
        bake->result->first_tick = bake->document->tick;
    }
    bake->result->particles = sim_particle_count(bake->sim);
    if (!begin_series(bake, resumed)) {
        return false;
    }
    if (!job->output) {
        return true;
    }
    if (!bake_frames_make_room(bake)) {
        fail(bake, BAKE_FAILED, "there is not enough memory");
        return false;
    }
    if (resumed) {
        return true;
    }
    bake_checkpoint_remove(bake->checkpoint_path); // belongs to the take that is about to be replaced
    if (!bake_frames_make_take(bake)) {
        fail(bake, BAKE_FAILED, bake->fault.text);
        return false;
    }
    bake_frames_keep(bake, bake->result->first_tick, 0, 0);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The run

static void run(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    const struct sim_hooks hooks = {.context = bake, .on_substep = on_substep};
    const uint64_t every_ns = (uint64_t)(1e9 * job->options->checkpoint_s);
    uint64_t saved_ns = base_now_ns();
    while (bake->ticks < bake->total && !job->stop()) {
        document_step(bake->document, job->parallel, &hooks);
        bake->ticks++;
        if (bake->document->failed) {
            char text[FAULT_TEXT_SIZE];
            snprintf(text, sizeof text, "the world failed in tick %" PRIu64 ": %.400s",
                     bake->result->first_tick + bake->ticks, bake->document->reason);
            fail(bake, BAKE_FAILED, text);
            break;
        }
        keep_measures(bake);
        if (bake->bad) {
            fail(bake, BAKE_FAILED, bake->fault.text);
            break;
        }
        if (job->progress) {
            job->progress(job->context, bake->ticks, bake->total);
        }
        if (bake->take && every_ns > 0 && base_now_ns() - saved_ns >= every_ns) {
            if (!checkpoint(bake)) {
                break;
            }
            saved_ns = base_now_ns();
        }
    }
    bool stopped = bake->result->status == BAKE_OK && bake->ticks < bake->total;
    if (stopped && (!bake->take || checkpoint(bake))) {
        fail(bake, BAKE_STOPPED, !bake->take ? "stopped" : "stopped; the same command goes on from here");
    }
}

static bool keep_on(void *context, uint64_t done, uint64_t total)
{
    struct record_meter *meter = context;
    if (meter) {
        meter->total = total;
        record_meter_show(meter, done);
    }
    return true;
}

// Turns the take into the output. A failed bake replaces no existing output, because that one may be complete.
bool bake_put_in_place(struct bake *bake, struct record_meter *meter)
{
    const struct bake_job *job = bake->job;
    const bool failed = bake->result->status == BAKE_FAILED;
    const struct record_export export = {.path = job->output,
                                         .format = job->options->format,
                                         .keeps_old = failed,
                                         .progress = keep_on,
                                         .context = job->progress ? meter : NULL};
    if (!job->options->keeps_take) {
        return record_export(bake->take, &export, &bake->fault);
    }
    const bool stays = failed && access(job->output, F_OK) == 0;
    if (!stays && !record_take_sync(bake->take, &bake->fault)) {
        return false;
    }
    if (!stays && rename(bake->take_path, job->output) == 0) {
        return true;
    }
    return fault_set(&bake->fault, stays ? FAULT_CONFLICT : FAULT_IO, NULL, "%.200s %s%s", job->output,
                     stays ? "exists already and is not replaced" : "cannot be renamed to its final name: ",
                     stays ? "" : strerror(errno));
}

// Writes the frames up to a failure as well.
static void write_out(struct bake *bake)
{
    const struct bake_job *job = bake->job;
    struct record_meter meter;
    const bool failed = bake->result->status == BAKE_FAILED;
    bake->result->frames = record_take_count(bake->take);
    if (bake->result->status == BAKE_STOPPED || bake->result->status == BAKE_USAGE || bake->bad) {
        return;
    }
    record_meter_begin(&meter, "writing", "frames", 0, 0);
    const bool done = bake_put_in_place(bake, &meter);
    record_meter_clear(&meter);
    bake->result->written = done;
    if (!done && failed) {
        fault_set(&bake->fault, bake->fault.code, NULL, "%.250s; %.150s; the frames until then are in %.150s",
                  bake->result->text, bake->fault.text, bake->take_path);
        fail(bake, BAKE_FAILED, bake->fault.text);
        bake_checkpoint_remove(bake->checkpoint_path);
    } else if (!done) {
        // All frames are in the take: with a checkpoint at the end, the same command repeats only this step.
        checkpoint(bake);
        fault_set(&bake->fault, bake->fault.code, NULL, "%.300s; the frames are in %.200s", bake->fault.text,
                  bake->take_path);
        fail(bake, BAKE_FAILED, bake->fault.text);
    }
    if (done) {
        bake_checkpoint_remove(bake->checkpoint_path);
        if (!job->options->keeps_take) {
            unlink(bake->take_path);
        }
    }
}

// Keeps the measures of a world that failed, and of a stopped bake that cannot be resumed. A partial table replaces no
// complete one.
static void keep_part(struct bake *bake, enum bake_status status)
{
    struct fault fault;
    const bool occupied = access(bake->job->series, F_OK) == 0;
    if (!occupied && !bake_series_finish(bake->series, &fault)) {
        fail(bake, BAKE_FAILED, fault.text);
    } else if (occupied || status == BAKE_STOPPED) {
        fault_set(&fault, FAULT_CANCELLED, NULL, "%.400s; the measures until then are in %.150s%s",
                  bake->result->text, bake->job->series, occupied ? ".part" : "");
        fail(bake, status, fault.text);
    }
}

// The measures of a bake that can be resumed stay in their temporary file.
static void end_series(struct bake *bake)
{
    struct fault fault;
    const enum bake_status status = bake->result->status;
    const bool goes_on = bake->take && (status == BAKE_STOPPED || status == BAKE_USAGE);
    if (bake->series && !goes_on) {
        if (status == BAKE_USAGE) {
            bake_series_discard(bake->series);
        } else if (status != BAKE_OK) {
            keep_part(bake, status);
        } else if (!bake_series_finish(bake->series, &fault)) {
            fail(bake, BAKE_FAILED, fault.text);
        }
    }
    bake_series_close(bake->series);
}

void bake_run(const struct bake_job *job, struct bake_result *result)
{
    struct bake bake = {.job = job, .result = result, .begun_ns = base_now_ns()};
    *result = (struct bake_result){0};
    if (begin(&bake)) {
        const struct sim_settings *settings = sim_settings_of(bake.sim);
        bake.total = job->options->ticks > 0 ? job->options->ticks
                                             : (uint64_t)ceil(job->options->seconds * settings->tick_rate);
        if (bake.ticks > bake.total) {
            fail(&bake, BAKE_USAGE,
                 "the stopped bake is already farther than that; --fresh starts from the beginning");
            bake.total = bake.ticks;
        }
        run(&bake);
        sim_measure(bake.sim, &result->measures);
        result->hash = sim_hash(bake.sim);
        result->ticks = bake.ticks;
        result->seconds = 1e-9 * (double)took_ns(&bake);
        if (bake.take) {
            write_out(&bake);
        }
    }
    end_series(&bake);
    record_take_close(bake.take);
    bake_frames_deinit(&bake);
    document_destroy(bake.document);
}
