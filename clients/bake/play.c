// --take FILE: computes a take of records again. Each piece goes to a twin, as a stream would bring it, and the twin
// runs as far as the records reach. Its state is compared with each recorded hash and each image.
//
//     image ─▶ messages ─▶ ticks ─▶ frames          the next image: the computed state must equal it
//                           │
//                           └─ a different hash, or a damaged piece: frames since the last equal state are removed,
//                              and computing continues from the next image
#include "bake/run.h"

#include "base/thread.h"
#include "protocol/scan.h"
#include "protocol/unpack.h"
#include "record/inputs.h"
#include "record/meter.h"
#include "twin/twin.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct play {
    struct bake bake;
    struct bake_job job;
    struct bake_result result;
    const struct bake_options *options;
    struct record_inputs *file;
    struct twin *twin;
    struct base_team *team;
    struct record_meter meter;
    bool (*stop)(void);
    uint64_t from, to; // ticks to write
    bool begun;        // frames are kept, or would be
    bool lost;         // the records are unusable up to the next image
    bool over;         // all wanted ticks are done
    bool told;         // a difference or damage was printed
    uint64_t next;     // number of the next piece
    uint64_t good;     // last tick that is verified, or that nothing contradicts
    uint64_t frames;   // number of frames at that tick
    uint64_t ticks, hashes, equal, images;
};

static void fail(struct play *play, const char *text)
{
    play->result.status = BAKE_FAILED;
    snprintf(play->result.text, sizeof play->result.text, "%s", text);
    play->over = true;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

static bool begin_frames(struct play *play)
{
    struct bake *bake = &play->bake;
    play->begun = true;
    if (!play->options->output) {
        return true;
    }
    if (!bake_frames_make_room(bake)) {
        fault_set(&bake->fault, FAULT_MEMORY, NULL, "there is not enough memory");
    } else if (bake_frames_make_take(bake)) {
        return true;
    }
    bake->bad = true;
    return false;
}

static void keep_frame(struct play *play, uint64_t tick, uint32_t substep, uint32_t during)
{
    if (play->over || play->bake.bad || tick < play->from || tick > play->to) {
        return;
    }
    if (!play->begun && !begin_frames(play)) {
        return;
    }
    if (!play->bake.take) {
        return;
    }
    if (bake_frames_are_there(&play->bake)) {
        bake_frames_keep(&play->bake, tick, substep, during);
    } else {
        fprintf(stderr, "weft: the frames end at tick %" PRIu64 ": a body was removed\n", tick);
        play->over = true;
    }
}

static void look_at_twin(struct play *play)
{
    // The twin owns it; it is only read.
    play->bake.document = (struct document *)(uintptr_t)twin_document(play->twin);
    play->bake.sim = play->bake.document ? play->bake.document->sim : NULL;
}

static void on_substep(void *context, uint32_t substep)
{
    struct play *play = context;
    const uint32_t substeps = sim_settings_of(play->bake.sim)->substeps;
    const uint64_t tick = play->bake.document->tick;
    const bool last = substep == substeps;
    const uint64_t unit = play->options->substeps ? tick * substeps + substep : last ? tick + 1 : 0;
    if (unit > 0 && unit % play->options->every == 0) {
        keep_frame(play, last ? tick + 1 : tick, last ? 0 : substep, substep);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Differences

static void tell(struct play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(struct play *play, const char *format, ...)
{
    va_list arguments;
    record_meter_clear(&play->meter);
    va_start(arguments, format);
    fputs("weft: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    play->told = true;
}

static void lose(struct play *play)
{
    struct bake *bake = &play->bake;
    play->lost = true;
    if (bake->take && !record_take_truncate(bake->take, play->frames, &bake->fault)) {
        bake->bad = true;
    }
}

static void tell_gap(struct play *play, uint64_t last, uint64_t image)
{
    if (image > last + 1) {
        tell(play, "ticks %" PRIu64 " to %" PRIu64 " are not in the take, or damaged, or build on what is",
             last + 1, image - 1);
    }
}

// Reports a difference between the twin and the take, or a record that the twin refused.
static void look_for_difference(struct play *play)
{
    const struct twin_state state = twin_state(play->twin);
    // A twin without a text is not lost: an image is arriving, piece by piece.
    if (!state.lost || state.text[0] == '\0' || play->lost) {
        return;
    }
    tell(play, "behind tick %" PRIu64 ": %s", play->good, state.text);
    lose(play);
}

static void note_good(struct play *play)
{
    const struct twin_state state = twin_state(play->twin);
    if (state.lost || !state.begun) {
        return;
    }
    if (state.same_tick == state.tick || play->good < state.same_tick) {
        play->good = state.same_tick;
        play->frames = play->bake.take ? record_take_count(play->bake.take) : 0;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Pieces

static void run_to(struct play *play, uint64_t until)
{
    const struct sim_hooks hooks = {.context = play, .on_substep = on_substep};
    look_at_twin(play);
    while (!play->over && !play->bake.bad && !play->stop() &&
           twin_step(play->twin, until, base_team_parallel(play->team), &hooks)) {
        play->ticks++;
        note_good(play);
        if (!play->options->quiet) {
            record_meter_show(&play->meter, play->ticks);
        }
    }
    look_for_difference(play);
}

static bool take_map(struct play *play, const uint8_t *bytes, size_t size)
{
    struct protocol_error error = {0};
    msgpack_object params;
    msgpack_zone zone;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return false;
    }
    const bool taken =
        protocol_unpack(bytes, size, &zone, &params) && twin_take(play->twin, &params, 0, &error);
    msgpack_zone_destroy(&zone);
    return taken;
}

// Feeds the maps of a piece, one after the other. False: it holds something else.
static bool feed(struct play *play, const uint8_t *bytes, size_t size, uint64_t until)
{
    const struct protocol_scan_limits limits = {
        .bytes = 64 << 20, .depth = PROTOCOL_SCAN_DEPTH_MAX, .nodes = 1 << 20};
    while (size > 0 && !play->over && !play->lost && !play->bake.bad && !play->stop()) {
        struct protocol_scan scan;
        size_t used;
        protocol_scan_init(&scan, &limits);
        if (protocol_scan_feed(&scan, bytes, size, &used) != PROTOCOL_SCAN_DONE ||
            !take_map(play, bytes, used)) {
            look_for_difference(play);
            return play->lost;
        }
        run_to(play, until);
        bytes += used;
        size -= used;
    }
    return true;
}

static bool stands_at(const struct play *play, uint64_t tick)
{
    const struct twin_state state = twin_state(play->twin);
    // A different hash is reported elsewhere.
    return play->lost || (state.begun && !state.lost && state.tick == tick);
}

static void take_image(struct play *play, const struct record_piece *piece, const void *bytes)
{
    const struct twin_state before = twin_state(play->twin);
    const bool stands = before.begun && !before.lost && !play->lost && before.tick == piece->tick;
    const uint64_t hash = stands ? document_hash(twin_document(play->twin)) : 0;
    if (before.begun && !stands) {
        tell_gap(play, before.lost || play->lost ? play->good : before.tick, piece->tick);
    }
    play->lost = false;
    if (!feed(play, bytes, piece->size, piece->tick) || !stands_at(play, piece->tick)) {
        tell(play, "the image of tick %" PRIu64 " is none", piece->tick);
        lose(play);
        return;
    }
    if (play->lost) {
        return;
    }
    look_at_twin(play);
    play->images++;
    if (stands) {
        play->hashes++;
        play->equal += document_hash(play->bake.document) == hash;
        if (document_hash(play->bake.document) != hash) {
            tell(play, "tick %" PRIu64 " is another state here than its image", piece->tick);
            if (play->bake.take && !record_take_truncate(play->bake.take, play->frames, &play->bake.fault)) {
                play->bake.bad = true;
            }
        }
    }
    play->good = piece->tick;
    const uint64_t every = play->options->every;
    const uint64_t unit =
        play->options->substeps ? piece->tick * sim_settings_of(play->bake.sim)->substeps : piece->tick;
    if (!stands && (unit % every == 0 || !play->begun)) {
        keep_frame(play, piece->tick, 0, 0);
    }
    play->frames = play->bake.take ? record_take_count(play->bake.take) : 0;
}

// Tick of the image after a piece. Records beyond it come again after that image.
static uint64_t next_image(const struct play *play, uint64_t index)
{
    for (uint64_t i = index + 1; i < record_inputs_count(play->file); i++) {
        const struct record_piece piece = record_inputs_at(play->file, i);
        if (piece.kind == RECORD_IMAGE) {
            return piece.tick;
        }
    }
    return UINT64_MAX;
}

static void take_piece(struct play *play, uint64_t index)
{
    const struct record_piece piece = record_inputs_at(play->file, index);
    const uint64_t image = next_image(play, index), until = image < play->to ? image : play->to;
    const void *bytes;
    bool damaged;
    if (!record_inputs_read(play->file, index, &bytes, &damaged, &play->bake.fault)) {
        play->bake.bad = true;
        return;
    }
    if (piece.number != play->next || damaged) {
        if (!play->lost) {
            tell(play, "piece %" PRIu64 " is damaged, behind tick %" PRIu64,
                 piece.number != play->next ? play->next : piece.number, play->good);
        }
        lose(play);
    }
    play->next = piece.number + 1;
    if (damaged) {
        return;
    }
    if (piece.kind == RECORD_IMAGE && piece.tick > play->to) {
        play->over = true;
    } else if (piece.kind == RECORD_IMAGE) {
        take_image(play, &piece, bytes);
    } else if (piece.kind == RECORD_MESSAGES && !play->lost && !feed(play, bytes, piece.size, until)) {
        tell(play, "piece %" PRIu64 " holds no messages, behind tick %" PRIu64, piece.number, play->good);
        lose(play);
    }
    const struct twin_state state = twin_state(play->twin);
    if (state.begun && !state.lost && !play->lost && state.tick >= play->to) {
        play->over = true;
    }
}

// The last image from which the first wanted tick can be reached.
static uint64_t first_piece(const struct play *play, bool *found)
{
    uint64_t first = 0;
    *found = false;
    for (uint64_t i = 0; i < record_inputs_count(play->file); i++) {
        const struct record_piece piece = record_inputs_at(play->file, i);
        if (piece.kind == RECORD_IMAGE && (!*found || piece.tick <= play->from)) {
            first = i;
            *found = true;
        }
    }
    return first;
}

static uint64_t last_tick(const struct play *play)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < record_inputs_count(play->file); i++) {
        const struct record_piece piece = record_inputs_at(play->file, i);
        last = piece.kind == RECORD_END || piece.tick > last ? piece.tick : last;
    }
    return last;
}

static bool is_ended(const struct play *play)
{
    const uint64_t count = record_inputs_count(play->file);
    return count > 0 && record_inputs_at(play->file, count - 1).kind == RECORD_END;
}

static void run(struct play *play)
{
    bool found;
    const uint64_t first = first_piece(play, &found), last = last_tick(play);
    char text[FAULT_TEXT_SIZE];
    if (!found) {
        fail(play, "the take has no complete image");
        return;
    }
    const uint64_t begins = record_inputs_at(play->file, first).tick;
    if (play->from > last || play->to < begins) {
        snprintf(text, sizeof text,
                 "none of the ticks that are asked for: the take has %" PRIu64 " to %" PRIu64, begins, last);
        fail(play, text);
        return;
    }
    play->to = play->to < last ? play->to : last;
    play->next = play->from == 0 ? 0 : record_inputs_at(play->file, first).number;
    record_meter_begin(&play->meter, "running", "ticks", 0, play->to > begins ? play->to - begins : 0);
    for (uint64_t i = first; i < record_inputs_count(play->file) && !play->over && !play->bake.bad; i++) {
        if (play->stop()) {
            break;
        }
        take_piece(play, i);
    }
    record_meter_clear(&play->meter);
    if (play->bake.bad) {
        fail(play, play->bake.fault.text);
    } else if (!play->over && play->stop()) {
        play->result.status = BAKE_STOPPED;
    } else if (play->lost && play->good < play->to) {
        tell(play, "ticks %" PRIu64 " to %" PRIu64 " are damaged, or build on what is", play->good + 1,
             play->to);
    } else if (!is_ended(play) && play->to == last) {
        fprintf(stderr, "weft: the take has no end: its recording was stopped at tick %" PRIu64 "\n", last);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void write_out(struct play *play)
{
    struct record_meter meter;
    struct bake *bake = &play->bake;
    char text[FAULT_TEXT_SIZE];
    const bool wanted =
        bake->take && record_take_count(bake->take) > 0 && play->result.status != BAKE_STOPPED && !bake->bad;
    play->result.frames = bake->take ? record_take_count(bake->take) : 0;
    if (wanted) {
        record_meter_begin(&meter, "writing", "frames", 0, 0);
        play->result.written = bake_put_in_place(bake, &meter);
        record_meter_clear(&meter);
    }
    if (wanted && !play->result.written) {
        snprintf(text, sizeof text, "%.400s", bake->fault.text);
        fail(play, text);
    }
    // The temporary take can be made again.
    if (bake->take && !(play->result.written && play->options->keeps_take)) {
        unlink(bake->take_path);
    }
    if (play->options->output && !wanted && play->result.status == BAKE_OK) {
        fail(play, "there is no frame to write");
    }
}

static enum bake_status say(struct play *play)
{
    struct bake_result *result = &play->result;
    const struct twin_state state = twin_state(play->twin);
    const struct document *document = twin_document(play->twin);
    const uint64_t hash = document && result->status == BAKE_OK ? document_hash(document) : 0;
    play->hashes += state.hashes;
    play->equal += state.hashes - (state.differences < state.hashes ? state.differences : state.hashes);
    if (result->status == BAKE_OK && play->options->table == BAKE_JSON) {
        printf("{\"ticks\":%" PRIu64 ",\"tick\":%" PRIu64 ",\"images\":%" PRIu64 ",\"records\":%" PRIu64
               ",\"hashes\":%" PRIu64 ",\"equal\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\",\"frames\":%" PRIu64
               ",\"whole\":%s}\n",
               play->ticks, state.tick, play->images, state.applied, play->hashes, play->equal, hash,
               result->frames, play->told ? "false" : "true");
    } else if (result->status == BAKE_OK) {
        printf("%" PRIu64 " %s, %" PRIu64 " of %" PRIu64 " hashes equal; hash %016" PRIx64 " at tick %" PRIu64
               "\n",
               play->ticks, play->ticks == 1 ? "tick" : "ticks", play->equal, play->hashes, hash, state.tick);
        if (result->written) {
            printf("%" PRIu64 " %s in %s\n", result->frames, result->frames == 1 ? "frame" : "frames",
                   play->options->output);
        }
    }
    if (result->status == BAKE_STOPPED) {
        fprintf(stderr, "weft: STOPPED: stopped; nothing was written\n");
    } else if (result->status != BAKE_OK) {
        fprintf(stderr, "weft: FAILED: %s\n", result->text);
    } else if (play->told) {
        fprintf(stderr, "weft: FILE: parts of the take are damaged, or gave a different result\n");
    }
    return result->status == BAKE_OK && (play->told || fflush(stdout) != 0) ? BAKE_FAILED : result->status;
}

// Another solver version gives other states, so it is refused before anything is computed.
static bool open_take(struct play *play)
{
    struct fault fault;
    char text[FAULT_TEXT_SIZE];
    play->file = record_inputs_open(play->options->take, &fault);
    if (!play->file) {
        fail(play, fault.text);
        return false;
    }
    const struct record_inputs_head *head = record_inputs_head(play->file);
    if (head->solver != 0 && head->solver != sim_solver_version()) {
        snprintf(text, sizeof text,
                 "%.200s was recorded of weft %.60s, whose solver is version %u; this one is version %u, and "
                 "would come to other states: a weft of that version converts it",
                 play->options->take, head->maker, head->solver, sim_solver_version());
        fail(play, text);
        return false;
    }
    if (play->options->output && !record_can_replace(play->options->output, &fault)) {
        fail(play, fault.text);
        return false;
    }
    return true;
}

static bool begin(struct play *play)
{
    play->bake.job = &play->job;
    play->bake.result = &play->result;
    play->team = base_team_create(play->options->threads);
    play->twin = twin_create(NULL);
    if (!play->team || !play->twin) {
        fail(play, "there is not enough memory");
        return false;
    }
    return open_take(play);
}

static void end(struct play *play)
{
    record_take_close(play->bake.take);
    bake_frames_deinit(&play->bake);
    record_inputs_close(play->file);
    twin_destroy(play->twin);
    base_team_destroy(play->team);
}

enum bake_status bake_play(const struct bake_options *options, bool (*stop)(void))
{
    struct play play = {.options = options, .stop = stop, .from = options->first, .to = options->last};
    play.job = (struct bake_job){.options = options, .output = options->output};
    if (options->output) {
        snprintf(play.bake.take_path, sizeof play.bake.take_path, "%.4000s%s", options->output,
                 options->keeps_take ? ".part" : ".frames.take");
    }
    if (begin(&play)) {
        run(&play);
        write_out(&play);
    }
    const enum bake_status status = play.twin ? say(&play) : BAKE_FAILED;
    end(&play);
    return status;
}

// Copies the document; NULL if the twin is at another tick, or memory runs out.
static struct document *copy_of(const struct play *play, uint64_t tick)
{
    const struct twin_state state = twin_state(play->twin);
    struct protocol_bytes bytes = {0};
    struct protocol_error error;
    struct document *document = NULL;
    if (state.begun && !state.lost && !play->lost && state.tick == tick &&
        document_image_pack(twin_document(play->twin), &bytes)) {
        document = document_image_read(bytes.data, bytes.size, &error);
    }
    protocol_bytes_deinit(&bytes);
    return document;
}

struct document *bake_play_to(const struct bake_options *options, const char *take, uint64_t tick,
                              bool (*stop)(void), struct fault *fault)
{
    struct bake_options alone = {
        .take = take, .threads = options->threads, .quiet = options->quiet, .every = 1};
    struct play play = {.options = &alone, .stop = stop, .from = tick, .to = tick};
    struct document *document = NULL;
    play.job = (struct bake_job){.options = &alone};
    if (begin(&play)) {
        if (tick == UINT64_MAX) {
            play.from = play.to = last_tick(&play);
        }
        run(&play);
        document = copy_of(&play, play.to);
    }
    if (!document) {
        fault_set(fault, FAULT_DAMAGED, NULL, "%s",
                  play.result.status != BAKE_OK ? play.result.text
                                                : "that tick of the take is damaged, or not in it");
    }
    end(&play);
    return document;
}
